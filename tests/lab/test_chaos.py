"""One round of `tests/chaos.py` on each database: killed, stopped and cut off, a run ends with the same scores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from .. import chaos

SEEDS = {"sqlite": 6, "postgresql": 1}
"""Each begins with what happens most: a full disk and a killed runner; a restart of the server and a killed runner."""


@pytest.mark.parametrize("place", SEEDS)
def test_disturbed_runs_end_with_the_scores_of_an_undisturbed_one(
    place: str, tmp_path: Path, once_for_all: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    plan = chaos.write_plan(tmp_path)
    expected = once_for_all("undisturbed", lambda: chaos.undisturbed(plan, tmp_path))
    if place == "sqlite":
        arena = chaos.on_sqlite(plan, tmp_path, SEEDS[place], expected, most=2)
    else:
        arena = chaos.on_postgresql(plan, request.getfixturevalue("restartable"), SEEDS[place], expected, most=2)
    assert len(arena.happened) == 2 and arena.ends[-1] == 0
