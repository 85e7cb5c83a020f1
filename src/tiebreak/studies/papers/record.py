"""One record per table, figure, formula or claim of a paper, and the verdict on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

SAME, ROUNDED, DIFFERS, UNKNOWN = "same", "same after rounding", "differs", "cannot be checked"
VERDICTS = (SAME, ROUNDED, DIFFERS, UNKNOWN)
"""Equal to every printed digit; equal within what rounding allows; different; no data to compute it from."""


class PaperRow(NamedTuple):
    """One table, figure, formula or claim of a paper.

    `part` is what a reader of the paper wants to do, which the short screen lists with the command of its first row.
    `printed` is what the paper says, as data; `ours` computes the same from scratch, in the same layout. `digits` are
    the decimals of the print, `slack` is by how much a number may be off where the rounding of printed inputs explains
    it. `verdict` is what came out when the row was written; `judged` finds it anew. A `long` row takes minutes or data
    that do not ship: its value is read from `long_runs.json`, with the command and seed that made it.
    """

    id: str
    part: str
    where: str
    what: str
    printed: Any
    command: str
    verdict: str
    ours: Callable[[], Any] | None = None
    digits: int = 0
    slack: float = 0.0
    reason: str = ""
    long: bool = False

    def judged(self, value: Any) -> str:
        """Return the verdict on a value of ours."""
        return UNKNOWN if self.ours is None else judge(self.printed, value, digits=self.digits, slack=self.slack)


def judge(printed: Any, ours: Any, *, digits: int = 0, slack: float = 0.0) -> str:
    """Compare two values of the same layout, number by number.

    Examples
    --------
    >>> judge({"a": 2.04}, {"a": 2.0369}, digits=2)
    'same'
    >>> judge([2.03], [2.0369], digits=2, slack=0.01), judge("abc", "acb")
    ('same after rounding', 'differs')
    """
    pairs = list(_pairs(printed, ours))
    if all(_near(a, b, 0.5 * 10.0**-digits) for a, b in pairs):
        return SAME
    return ROUNDED if slack and all(_near(a, b, slack) for a, b in pairs) else DIFFERS


def equal_parts(printed: Any, ours: Any, *, digits: int = 0) -> tuple[int, int]:
    """Return how many of the printed values come out, and how many there are."""
    pairs = list(_pairs(printed, ours))
    return sum(_near(a, b, 0.5 * 10.0**-digits) for a, b in pairs), len(pairs)


def _near(a: Any, b: Any, allowed: float) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, Real) and isinstance(b, Real)):
        return bool(a == b)
    return bool(a == b or abs(float(a) - float(b)) <= allowed + 1e-9)


def _pairs(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            yield from _pairs(a.get(key), b.get(key))
    elif _listed(a) and _listed(b) and len(a) == len(b):
        for left, right in zip(a, b, strict=True):
            yield from _pairs(left, right)
    else:
        yield a, b


def _listed(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def plain(value: Any) -> Any:
    """Return a value as JSON has it: arrays as lists, numbers of numpy as those of Python."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def brief(value: Any, *, digits: int | None = None, most: int = 12) -> str:
    """Write a value in one line; of a large one only its size.

    Examples
    --------
    >>> brief({"svr": 2.45, "svl": 3.05}), brief([[0] * 8] * 8)
    ('svr 2.45, svl 3.05', '64 values')
    """
    leaves = list(_leaves(value))
    if len(leaves) > most:
        return f"{len(leaves)} values"
    if isinstance(value, Mapping):
        parts = [f"{key} {brief(each, digits=digits)}" for key, each in value.items()]
        nested = any(isinstance(each, Mapping) or _listed(each) for each in value.values())
        return ("; " if nested else ", ").join(parts)
    if _listed(value):
        return " ".join(brief(each, digits=digits) for each in value)
    if isinstance(value, float) and digits is not None:
        return f"{value:.{digits}f}"
    return (
        f"{value:.4g}"
        if isinstance(value, float)
        else {True: "yes", False: "no"}[value]
        if isinstance(value, bool)
        else str(value)
    )


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping) or _listed(value):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(each)
    else:
        yield value


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute a value that several rows share once."""
    return cache(function)
