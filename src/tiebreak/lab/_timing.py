"""What makes the times of one learner comparable with those of another: the CPU seconds of all processes it uses."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from tiebreak.lab.processes import cost_clock

_Answer = TypeVar("_Answer")


def timed(call: Callable[[], _Answer]) -> tuple[_Answer, float, float]:
    """Return the answer of a call, the CPU seconds of this process and all below it, and its seconds on the clock.

    CPU seconds are what costs are compared by: on a busy machine the clock runs for the others too.
    """
    start = cost_clock.read()
    answer = call()
    return answer, *cost_clock.since(start)


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed the global generators for learners that draw from them, and put them back."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect the distinct warnings of a block as short texts instead of printing them."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # comes when garbage is collected, whoever left it
        yield texts
    found = ((each.category.__name__, " ".join(str(each.message).split())) for each in caught)
    texts += dict.fromkeys(f"{kind}: {message[:200]}" for kind, message in found)
