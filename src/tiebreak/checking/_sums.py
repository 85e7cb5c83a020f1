"""Averages and mean ranks that a table prints, held against its own numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.checking._reading import Read
from tiebreak.documents import listed, number
from tiebreak.readers.grids import Grid
from tiebreak.readers.grids.grid import Cell

AVERAGE, RANK = "average", "mean rank"
MOST_NAMED = 3
_RANK = re.compile(r"\branks?\b", re.I)
_AVERAGE = re.compile(r"^\W*(?:(?:overall|macro|total)\W+)?(?:average|avg|mean|arithmetic mean)\b", re.I)
_NOT_PLAIN = re.compile(r"\b(?:geo\w*|harmonic|weighted|std|sd|dev\w*|error|win\w*|top)\b", re.I)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Printed(Brief):
    """One printed number and what the table gives for it: between `low` and `high`, as its cells are rounded."""

    label: str
    kind: str
    algorithm: str
    printed: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether rounding can explain what difference there is."""
        return self.low <= self.printed <= self.high

    @property
    def expected(self) -> float:
        """What the numbers of the table give."""
        return (self.low + self.high) / 2


def printed_sums(grid: Grid, read: Read) -> tuple[Printed, ...]:
    """Find the rows (or columns) of averages and mean ranks over the data sets, and recompute them.

    Cells are rounded, so every one may lie half a unit of its last digit to either side: an average agrees if it lies
    within that and its own rounding, a mean rank if some such numbers give it.
    """
    form, scores = read.understood.form, list(read.directions)
    if form not in ("wide", "transposed") or len(scores) != 1:
        return ()
    lines = list(grid.rows) if form == "wide" else [tuple(column) for column in zip(*grid.rows, strict=True)]
    results = read.results
    means = results.means(scores[0], partial=True)
    places = _places(lines, results.algorithms)
    half = _half_unit(lines, results.datasets, places)
    out: list[Printed] = []
    for line in lines:
        label = next((cell.text.strip() for cell in line if cell.text.strip()), "")
        kind = _kind(label)
        if not kind or label in results.datasets:
            continue
        low, high = _bounds(means, half, kind, higher=read.directions[scores[0]])
        for at, (name, place) in enumerate(zip(results.algorithms, places, strict=True)):
            shown = None if place is None else _shown(line[place])
            if shown is None or np.isnan(means[:, at]).any() or (kind == RANK and np.isnan(means).any()):
                continue
            value, own = shown
            slack = own + 1e-9 * max(1.0, abs(value))
            ends = {"low": float(low[at]) - slack, "high": float(high[at]) + slack}
            out.append(Printed(label=label, kind=kind, algorithm=name, printed=value, **ends))
    return tuple(out)


def said_of(sums: Sequence[Printed]) -> list[str]:
    """Say for every printed row whether it agrees, and name what does not."""
    out = []
    for label in dict.fromkeys(each.label for each in sums):
        row = [each for each in sums if each.label == label]
        wrong = [each for each in row if not each.agrees]
        if not wrong:
            out.append(f"{label}: agrees with the numbers of the table.")
            continue
        named = [
            f"{each.algorithm} {number(each.printed)} (the numbers give {number(each.expected)})"
            for each in wrong[:MOST_NAMED]
        ]
        more = [f"{len(wrong) - MOST_NAMED} more"] if len(wrong) > MOST_NAMED else []
        out.append(f"{label}: {len(wrong)} of {len(row)} do not agree with the numbers: {listed([*named, *more])}.")
    return out


def _kind(label: str) -> str:
    if _NOT_PLAIN.search(label):
        return ""
    return RANK if _RANK.search(label) else AVERAGE if _AVERAGE.search(label) else ""


def _places(lines: Sequence[tuple[Cell, ...]], algorithms: Sequence[str]) -> list[int | None]:
    """Find in which column each algorithm stands; None where its name stands in several, or in none."""
    out: list[int | None] = []
    for name in algorithms:
        found = {at for line in lines[:4] for at, cell in enumerate(line) if at and _plain(cell.text) == _plain(name)}
        out.append(found.pop() if len(found) == 1 else None)
    return out


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _shown(cell: Cell) -> tuple[float, float] | None:
    """Return the number of a cell, and half a unit of its last digit."""
    found = _NUMBER.search(cell.text.strip().replace("−", "-"))
    if found is None:
        return None
    text = found[0].replace(",", ".")
    scale = 0.01 if "%" in cell.text else 1.0
    return scale * float(text), scale * 0.5 * 10.0 ** -len(text.partition(".")[2])


def _half_unit(lines: Sequence[tuple[Cell, ...]], datasets: Sequence[str], places: Sequence[int | None]) -> float:
    """Return half a unit of the last digit in which the scores are printed.

    A table that drops trailing zeros is as fine as its finest cell.
    """
    known = {_plain(name) for name in datasets}
    rows = [line for line in lines if any(_plain(cell.text) in known for cell in line)]
    cells = [_shown(line[place]) for line in rows for place in places if place is not None]
    return min((each[1] for each in cells if each is not None), default=0.0)


def _bounds(means: FloatArray, half: float, kind: str, *, higher: bool) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest value that unrounded numbers can give, for each algorithm."""
    if kind == AVERAGE:
        middle = means.mean(axis=0)
        return middle - half, middle + half
    errors = -means if higher else means
    apart = errors[:, :, None] - errors[:, None, :]  # positive: the second is better
    sure, slack = 2 * half * (1 + 1e-6), np.eye(errors.shape[1], dtype=bool)
    surely = ((apart > sure) & ~slack).sum(axis=2)
    possibly = ((apart >= -sure) & ~slack).sum(axis=2)
    return 1.0 + surely.mean(axis=0), 1.0 + possibly.mean(axis=0)
