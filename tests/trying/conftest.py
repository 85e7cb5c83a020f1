"""Trials of one file share their helper, which takes seconds to start: it is kept from one test to the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tiebreak.lab.engines import LocalEngine


class Lasting(LocalEngine):
    """Stays when a run has ended."""

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module", autouse=True)
def lasting_engine() -> Iterator[None]:
    """Give runs with one job the same engine; others, and other processes, start their own."""
    engine = Lasting(jobs=1)

    def made(*, jobs: int | None = None) -> LocalEngine:
        return engine if jobs == 1 else LocalEngine(jobs=jobs)

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))  # before it starts: it finds the learners of the tests
        patch.setattr("tiebreak.trying._try_out.LocalEngine", made)
        yield
    engine.close()
