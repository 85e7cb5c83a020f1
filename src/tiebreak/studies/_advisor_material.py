"""What the study of the advisor works on: the part of a knowledge base that can be left out and recommended to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.attributes import DEFAULT_MEASURES, spelled_out
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.metatable import MetaTable
from tiebreak.errors import InputError
from tiebreak.reading.files import load_columns
from tiebreak.studies._advisor_measures import derived
from tiebreak.tables import Results
from tiebreak.tables.build import find_roles
from tiebreak.tables.columns import TextColumn, Where

_IDS = re.compile(r"(.*[_.])?(id|tid|did)|source_data", re.I)
ALL = "all"
NAMED = (
    "The measures were named: if they were found by trying several sets on these results, the agreement shown is too"
    " good. select=True (--select) chooses them without the data sets they are applied to."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """Arrays are (data sets, algorithms, folds), NaN where missing; `meta` holds the same data sets in order.

    `cube` keeps replications and folds apart, for tests that tell them apart.
    """

    success: FloatArray
    cube: FloatArray
    time: FloatArray | None
    meta: MetaTable | None
    origins: tuple[str, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: tuple[str, ...] = ()


def material(known: Knowledge, measures: str | Sequence[str] | None = None) -> Material:
    """Lay a knowledge base out for the study, keeping what can be used, and say what is left out."""
    slots = _slots(known.accuracy)
    success = known.accuracy[:, :, slots]
    seconds = None if known.time is None else known.time[:, :, slots]
    there = np.asarray(~np.isnan(success).all(axis=2))
    if seconds is not None:
        there &= ~np.isnan(seconds).all(axis=2)
    rows, columns, notes = _usable(there, known.algorithms)
    table, more = _measured(known.meta, measures)
    return Material(
        success=success[rows][:, columns],
        cube=known.accuracy[rows][:, columns],
        time=None if seconds is None else seconds[rows][:, columns],
        meta=None if table is None else table.rows(rows.astype(np.int64)),
        origins=tuple(known.origins[i] for i in rows),
        datasets=tuple(known.datasets[i] for i in rows),
        algorithms=tuple(known.algorithms[j] for j in columns),
        caveats=(*known.caveats, *notes, *more),
    )


def _slots(cube: FloatArray) -> BoolArray:
    """Return which replications and folds anybody has; the first where there are none at all."""
    there = np.asarray(~np.isnan(cube).all(axis=(0, 1)))
    if not there.any():
        there[0, 0] = True
    return there


def _measured(meta: MetaTable, measures: str | Sequence[str] | None) -> tuple[MetaTable | None, tuple[str, ...]]:
    """Return the measures that were named; else the five of the paper where they are known; else all but ids."""
    if not meta.measures:
        return None, ()
    if measures is not None and measures != ALL:
        named = spelled_out([measures] if isinstance(measures, str) else measures, meta.measures)
        return derived(meta, named), (NAMED,)
    if measures is None and set(DEFAULT_MEASURES) <= set(meta.measures):
        return derived(meta, DEFAULT_MEASURES), ()
    empty = np.asarray(np.isnan(meta.matrix).all(axis=0))
    left = [name for j, name in enumerate(meta.measures) if _IDS.fullmatch(name) or empty[j]]
    kept = [name for name in meta.measures if name not in left]
    if not kept:
        return None, (f"No measure can be used: {', '.join(left)} are ids or empty.",)
    return derived(meta, kept), (f"Ids or empty, and so no measures: {', '.join(left)}.",) if left else ()


def _usable(
    there: BoolArray, algorithms: tuple[str, ...]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], tuple[str, ...]]:
    """Keep data sets with results of two algorithms, and algorithms with results on two data sets."""
    rows, columns = np.ones(there.shape[0], dtype=bool), np.ones(there.shape[1], dtype=bool)
    for _ in range(sum(there.shape)):
        inside = there & rows[:, None] & columns
        fewer, less = rows & (inside.sum(axis=1) > 1), columns & (inside.sum(axis=0) > 1)
        if (fewer == rows).all() and (less == columns).all():
            break
        rows, columns = fewer, less
    if rows.sum() < 3 or columns.sum() < 2:
        raise InputError(
            f"{int(rows.sum())} data set(s) and {int(columns.sum())} algorithm(s) have results that can be compared.",
            why="A ranking needs two algorithms, and leaving one data set out needs two others.",
            mend="Add results.",
        )
    notes = []
    if not rows.all():
        notes.append(f"{int((~rows).sum())} data set(s) have results of fewer than two algorithms and are left out.")
    out = [name for name, kept in zip(algorithms, columns, strict=True) if not kept]
    if out:
        notes.append(f"Measured on fewer than two of the data sets and left out: {', '.join(out)}.")
    return np.flatnonzero(rows), np.flatnonzero(columns), tuple(notes)


def with_origins(known: Knowledge, measures: Sequence[str]) -> Knowledge:
    """Count data sets that agree in all these measures as of one origin; one that lacks a measure is its own."""
    values = derived(known.meta, measures).matrix
    labels = [
        f"itself {name}" if np.isnan(row).any() else " x ".join(f"{value:g}" for value in row)
        for name, row in zip(known.datasets, values, strict=True)
    ]
    return replace(known, origins=tuple(labels))


def read_counted(path: str, *, score: str, columns: Mapping[str, str] | None = None) -> Results:
    """Read a table whose rows of one data set (and algorithm) are folds, numbered in the order of the file."""
    raw, _ = load_columns(Path(path), score=score)
    source = Path(path).name
    found, _ = find_roles(raw, dict(columns or {}), source)
    first = found.get("dataset") or next(iter(raw))
    keys = [first, *([found["algorithm"]] if "algorithm" in found else [])]
    coded = [raw[key].as_names(Where(column=key, source=source)).codes.tolist() for key in keys]
    seen: dict[tuple[int, ...], int] = {}
    folds = []
    for row in zip(*coded, strict=True):
        seen[row] = seen.get(row, 0) + 1
        folds.append(str(seen[row]))
    roles = {**(columns or {}), "dataset": first, "fold": "fold"}
    return Results.from_columns({**raw, "fold": TextColumn(folds)}, scores=score, roles=roles, source=source)
