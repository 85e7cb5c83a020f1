"""The calibrating kernel: about a second of fixed work, the same on every machine.

`python -m tiebreak.lab.calibration` prints its CPU seconds and its seconds on the clock as JSON. The work is mixed as
that of learners is: a third linear algebra, a third plain Python, a third sorting and moving of memory. It is part of
what stored times mean: whoever changes it makes hosts measured before and after incomparable.
"""

from __future__ import annotations

import json
import random
import time

import numpy as np

_ROUNDS = 3


def kernel() -> float:
    """Do the work once; returns a number that depends on all of it, the same everywhere up to rounding.

    Examples
    --------
    >>> round(kernel(), 6) == round(kernel(), 6)
    True
    """
    total = 0.0
    for _ in range(_ROUNDS):
        rng = np.random.default_rng(20_120_101)
        total += _algebra(rng) + _loop() + _memory(rng)
    return total


def _algebra(rng: np.random.Generator) -> float:
    rows = rng.standard_normal((700, 260))
    total = 0.0
    for _ in range(5):
        gram = rows.T @ rows + 10.0 * np.eye(260)
        total += float(np.linalg.eigvalsh(gram)[0]) + float(np.linalg.solve(gram, rows.T).sum())
        total += float((rows[:, None, :40] * rows[None, :120, :40]).sum())
    return total


def _loop() -> float:
    """A tree grown and searched by hand: dictionaries, lists, floats, calls."""
    draw = random.Random(20_120_101)
    found: dict[int, list[float]] = {}
    for place in range(330_000):
        found.setdefault(place * 2_654_435_761 % 4093, []).append(draw.random())
    return sum(min(each) + max(each) for each in found.values())


def _memory(rng: np.random.Generator) -> float:
    values = rng.random(900_000)
    order = np.argsort(values)
    drawn = rng.integers(0, values.size, values.size)
    return float(np.cumsum(values[order])[::1000].sum()) + float(values[drawn].sum())


def main() -> None:
    """Warm up, measure, print."""
    kernel_part = np.random.default_rng(0).standard_normal((50, 50))
    np.linalg.eigvalsh(kernel_part @ kernel_part.T)
    wall, cpu = time.perf_counter(), time.process_time()
    kernel()
    print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))


if __name__ == "__main__":
    main()
