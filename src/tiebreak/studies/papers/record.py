"""One record per table, figure, formula or claim of a paper, read from `NAME.toml`, and the verdict on it.

`NAME.toml` has what the paper prints; `OURS` of the paper's module computes the same from scratch, in the same layout.
Values that take minutes, or data that do not ship, are read from `long_runs.json`, with the command and seed that made
them. Where no value is printed, `FORMULAS` of the module computes the paper's formula beside our function.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

SAME, ROUNDED, DIFFERS, UNKNOWN = "same", "same after rounding", "differs", "cannot be checked"
VERDICTS = (SAME, ROUNDED, DIFFERS, UNKNOWN)
"""Equal to every printed digit; equal within what rounding allows; different; no data to compute it from."""
MODULES = {"ulas2012": "ulas", "ulas2008": "ulas"}
"""The module of a paper, where it is not called after the paper."""


class PaperRow(NamedTuple):
    """One table, figure, formula or claim of a paper.

    `part` is what a reader of the paper wants to do, which the short screen lists with the command of its first row.
    `printed` is what the paper says. `digits` are the decimals of the print, `slack` is by how much a number may be off
    where the rounding of printed inputs explains it. `verdict` is what came out when the row was written; `judged`
    decides it anew. A `long` row is read from `long_runs.json`. Of a `formula` no value is printed: `printed` is what
    the paper's formula gives.
    """

    id: str
    part: str
    where: str
    what: str
    printed: Any
    verdict: str
    command: str = ""
    ours: Callable[[], Any] | None = None
    digits: int = 0
    slack: float = 0.0
    reason: str = ""
    long: bool = False
    formula: bool = False

    def judged(self, value: Any) -> str:
        """Return the verdict on a value of ours."""
        return UNKNOWN if self.ours is None else judge(self.printed, value, digits=self.digits, slack=self.slack)


@cache
def records(name: str) -> tuple[PaperRow, ...]:
    """Return every record of a paper."""
    module = import_module(f"tiebreak.studies.papers.{MODULES.get(name, name)}")
    ours, formulas = module.OURS, module.FORMULAS
    text, parts = _data(name)
    rows = []
    for part, row in parts:
        key = f"{name}/{row['id']}"
        printed = row["printed"] if "printed" in row else formulas[key]()
        function = ours.get(key) or (lambda key=key: long_run(key)) if key in ours or row.get("long") else None
        reason = row.pop("reason", "").format(**text)
        rows.append(PaperRow(**row | {"part": part, "printed": printed, "ours": function, "reason": reason}))
    return tuple(rows)


@cache
def printed(key: str) -> Any:
    """Return what a paper prints, by the paper and the row."""
    name, _, row = key.partition("/")
    return next(each["printed"] for _, each in _data(name)[1] if each["id"] == row)


def _data(name: str) -> tuple[dict[str, str], list[tuple[str, dict[str, Any]]]]:
    """Read the sentences that rows share, and the rows with their parts."""
    data = tomllib.loads((files("tiebreak.studies.papers") / f"{name}.toml").read_text(encoding="utf-8"))
    return data["texts"], [(part["name"], row) for part in data["parts"] for row in part["rows"]]


@cache
def long_runs() -> dict[str, dict[str, Any]]:
    """Return every recorded run by the paper and the row it belongs to."""
    text = (files("tiebreak.studies.papers") / "long_runs.json").read_text(encoding="utf-8")
    runs: dict[str, dict[str, Any]] = json.loads(text)
    return runs


def long_run(key: str) -> Any:
    """Return the value that was recorded for a row."""
    return long_runs()[key]["ours"]


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
    if all(_near(a, b, digits) for a, b in pairs):
        return SAME
    return ROUNDED if slack and all(_near(a, b, digits, slack) for a, b in pairs) else DIFFERS


def equal_parts(printed: Any, ours: Any, *, digits: int = 0) -> tuple[int, int]:
    """Return how many of the printed values come out, and how many there are."""
    pairs = list(_pairs(printed, ours))
    return sum(_near(a, b, digits) for a, b in pairs), len(pairs)


def _near(a: Any, b: Any, digits: int, slack: float = 0.0) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, Real) and isinstance(b, Real)):
        return bool(a == b)
    allowed = slack or 0.5 * 10.0 ** -max(digits, _decimals(float(a)))
    return bool(a == b or abs(float(a) - float(b)) <= allowed + 1e-9)


def _decimals(value: float, most: int = 4) -> int:
    """Return the decimals that a printed number has; none for one that is computed."""
    return next((places for places in range(most + 1) if round(value, places) == value), 0)


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
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def brief(value: Any, *, digits: int = 0, most: int = 12) -> str:
    """Write a value in one line, of a large one only its size; a number with the decimals of the print.

    Examples
    --------
    >>> brief({"svr": 2.45, "svl": 3.05}), brief([[0] * 8] * 8), brief(2.0, digits=3)
    ('svr 2.45, svl 3.05', '64 values', '2.000')
    """
    leaves = sum(1 for _ in _leaves(value))
    if leaves > most:
        return f"{leaves} values"
    if isinstance(value, Mapping):
        parts = [f"{key} {brief(item, digits=digits)}" for key, item in value.items()]
        return ("; " if any(isinstance(item, Mapping) or _listed(item) for item in value.values()) else ", ").join(
            parts
        )
    if _listed(value):
        return " ".join(brief(item, digits=digits) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    places = max(digits, _decimals(value))
    return f"{value:.{places}f}" if 0 < places <= 4 else f"{value:.4g}"


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping) or _listed(value):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
    else:
        yield value
