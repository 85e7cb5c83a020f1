"""What the study of the advisor works on: the part of a knowledge base that can be left out, and its measures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.attributes.catalogue import DEFAULT_MEASURES, spelled_out
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, unknown_name

_IDS = re.compile(r"(.*[_.])?(id|tid|did)|source_data", re.I)
ALL = "all"


def _measures_named() -> Caveat:
    """Say what measures that somebody chose may have been chosen by."""
    text = (
        "The measures were named: if they were found by trying several sets on these results, the agreement shown is"
        " too good."
    )
    return Caveat("optimistic", text)


def chosen(table: advisor.MetaTable, measures: Sequence[str]) -> advisor.MetaTable:
    """Return the measures that were named, or the members of the groups that were."""
    names = spelled_out([name.strip() for name in measures if name.strip()], table.measures)
    if not names or len(set(names)) < len(names):
        raise OptionError(
            f"The measures are {', '.join(names) or 'empty'}.",
            why="A distance needs at least one, and each of them once.",
            mend=f"Use some of {', '.join(table.measures[:5])}.",
        )
    for name in names:
        if name not in table.measures:
            raise unknown_name("measure", name, table.measures)
    return table.of(names)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """Arrays are (data sets, algorithms, folds), NaN where missing; `meta` holds the same data sets in order.

    `cube` keeps replications and folds apart, for tests that need both.
    """

    success: FloatArray
    cube: FloatArray
    time: FloatArray | None
    meta: advisor.MetaTable | None
    origins: tuple[str, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: Caveats = ()

    def names(self) -> dict[str, Any]:
        """The names of algorithms and data sets, as rankings take them."""
        return {"algorithms": self.algorithms, "datasets": self.datasets}


def material(known: advisor.Knowledge, measures: str | Sequence[str] | None = None) -> Material:
    """Lay a knowledge base out for the study, keeping what can be used, and say what is left out."""
    there = known.measured(timed=known.time is not None)
    rows, columns, notes = _usable(there, known.algorithms)
    table, more = _measured(known.meta, measures)
    knowledge, slots = known.datasets_at(rows).algorithms_at(columns), _slots(known.accuracy)
    return Material(
        success=known.accuracy[:, :, slots][rows][:, columns],
        cube=knowledge.accuracy,
        time=None if known.time is None else known.time[:, :, slots][rows][:, columns],
        meta=None if table is None else table.rows(rows),
        origins=knowledge.origins,
        datasets=knowledge.datasets,
        algorithms=knowledge.algorithms,
        caveats=(*known.caveats, *notes, *more),
    )


def _slots(cube: FloatArray) -> BoolArray:
    """Return which replications and folds anybody has; the first where there are none at all."""
    there = np.asarray(~np.isnan(cube).all(axis=(0, 1)))
    if not there.any():
        there[0, 0] = True
    return there


def _measured(
    meta: advisor.MetaTable, measures: str | Sequence[str] | None
) -> tuple[advisor.MetaTable | None, Caveats]:
    """Return the measures that were named; else the five of the paper where they are known; else all but ids."""
    if not meta.measures:
        return None, ()
    if measures is not None and measures != ALL:
        return chosen(meta, [measures] if isinstance(measures, str) else measures), (_measures_named(),)
    if measures is None and set(DEFAULT_MEASURES) <= set(meta.measures):
        return meta.of(DEFAULT_MEASURES), ()
    empty = np.asarray(np.isnan(meta.matrix).all(axis=0))
    left = [name for j, name in enumerate(meta.measures) if _IDS.fullmatch(name) or empty[j]]
    names = [name for name in meta.measures if name not in left]
    if not names:
        return None, (Caveat("all-alike", f"No measure can be used: {', '.join(left)} are ids or empty."),)
    caveat = Caveat("columns-left-out", f"Ids or empty, and so no measures: {', '.join(left)}.")
    return meta.of(tuple(names)), (caveat,) if left else ()


def _usable(there: BoolArray, algorithms: tuple[str, ...]) -> tuple[IntArray, IntArray, Caveats]:
    """Keep data sets with results of two algorithms, and algorithms with results on two data sets."""
    rows, columns = np.ones(there.shape[0], dtype=bool), np.ones(there.shape[1], dtype=bool)
    for _ in range(sum(there.shape)):
        inside = there & rows[:, None] & columns
        before = rows.sum() + columns.sum()
        rows, columns = rows & (inside.sum(axis=1) > 1), columns & (inside.sum(axis=0) > 1)
        if rows.sum() + columns.sum() == before:
            break
    if rows.sum() < 3 or columns.sum() < 2:
        raise InputError(
            f"{int(rows.sum())} data set(s) and {int(columns.sum())} algorithm(s) have results that can be compared.",
            why="A ranking needs two algorithms, and leaving one data set out needs two others.",
            mend="Add results.",
        )
    out = [name for name, column in zip(algorithms, columns, strict=True) if not column]
    less = f"{int((~rows).sum())} data set(s) have results of fewer than two algorithms and are left out."
    rare = f"Measured on fewer than two of the data sets and left out: {', '.join(out)}."
    notes = ((not rows.all(), "datasets-left-out", less), (out, "algorithms-left-out", rare))
    caveats = tuple(Caveat(code, text) for when, code, text in notes if when)
    return np.flatnonzero(rows), np.flatnonzero(columns), caveats
