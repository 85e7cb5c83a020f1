"""Faults in data that cost money: columns that give the target away, duplicates, codes, sentinels, labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.documents import listed
from tiebreak.wording import option

MOST_ROWS = 20_000
"""Columns of larger data are looked at on so many rows."""
LEAST_ROWS = 30
PURE = 0.999
"""A column that predicts such a share of the target by itself was probably made of it."""
NEARLY = 0.995
"""A column with one value in such a share of the rows is nearly constant."""
FINE = 20
"""A column with more different numbers than these measures something: equal rows are then copies, not coincidences."""
SENTINELS = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)
_CODES = re.compile(r"(^|_|\b)(zip|zipcode|postcode|postal|plz|code|phone|sic|naics|icd)(_|\b|$)", re.IGNORECASE)
_NAMED = 3


def data_faults(data: DataSet) -> Caveats:
    """Return one line for every kind of fault, with what is done about it and the option that changes it.

    Examples
    --------
    >>> data = DataSet.from_arrays([[i % 7, i % 2] for i in range(60)], [i % 2 for i in range(60)])
    >>> print(*data_faults(data))
    'a2' predicts the target by itself: was it made of the target, or known only after it? Kept; drop=['a2'].
    """
    part = _sample(data)
    return tuple(Caveat("data-suspicious", text) for text in _faults(data, part))


def duplicates_together(data: DataSet) -> DataSet:
    """Return the data with equal rows in one group, so that no split learns on one and is measured on the other.

    Data that have groups keep theirs. Rows of a few symbols are equal by coincidence, and stay as they are.
    """
    if data.groups is not None or data.n_rows > 5 * MOST_ROWS or not _measures(data):
        return data
    groups = _row_groups(data)
    return data if int(groups.max(initial=0)) + 1 == data.n_rows else replace(data, groups=groups)


def _faults(data: DataSet, part: DataSet) -> Iterator[str]:
    enough = part.n_rows >= LEAST_ROWS
    given = [name for j, name in enumerate(part.attributes) if enough and _predicts(part, j)]
    if given:
        what = "predicts the target by itself: was it" if len(given) == 1 else "predict the target: were they"
        tail = f"made of the target, or known only after it? Kept; {option(drop=given[:_NAMED])}."
        yield f"{_quoted(given)} {what} {tail}"
    extra = _duplicates(part)
    if extra:
        some = "" if part.n_rows == data.n_rows else f" of a sample of {part.n_rows:,}"
        yield f"{extra:,} rows{some} repeat others exactly: copies are kept on one side of every split."
    for what, names in _alike_labels(data):
        yield f"{what}: {names} differ by case or spaces only and count as different: correct the file."
    odd = [(name, value) for j, name in enumerate(part.attributes) if (value := _sentinel(part, j)) is not None]
    if odd:
        shown = listed([f"{value:g} in {name!r}" for name, value in odd], most=_NAMED)
        yield f"{shown} may stand for a missing value, and counts as a number: leave the cell empty instead."
    codes = [name for j, name in enumerate(part.attributes) if _codes(part, j)]
    if codes:
        yield f"{_quoted(codes)} may hold codes, and count as numbers; {option(symbolic=codes[:_NAMED])}."
    flat = [name for j, name in enumerate(part.attributes) if enough and _nearly_constant(part, j)]
    if flat:
        yield f"{_quoted(flat)} nearly constant: kept; {option(drop=flat[:_NAMED])}."


def _sample(data: DataSet) -> DataSet:
    """Return evenly spaced rows of large data: no chance, so that two calls say the same."""
    if data.n_rows <= MOST_ROWS:
        return data
    rows = np.linspace(0, data.n_rows - 1, MOST_ROWS).astype(np.int64)
    return replace(data, values=data.values[rows], target=data.target[rows], groups=None, weights=None)


def _predicts(data: DataSet, j: int) -> bool:
    """Tell whether a column alone tells the target: by its values, by thresholds, or by a line."""
    column = data.values[:, j]
    there = np.isfinite(column)
    if there.mean() < NEARLY:
        return False
    column, target = column[there], data.target[there]
    if data.kind == "number":
        apart = np.std(column) * np.std(target)
        if data.symbolic[j] or apart == 0:
            return False
        return bool(abs(np.mean((column - column.mean()) * (target - target.mean())) / apart) > 1 - 1e-6)
    most = np.bincount(target).max() / len(target)
    if most > 0.98:  # nearly every column would
        return False
    values, codes = np.unique(column, return_inverse=True)
    if len(values) <= max(2 * len(data.classes), 10):
        table = np.zeros((len(values), len(data.classes)))
        np.add.at(table, (codes, target), 1)
        return bool(table.max(axis=1).sum() >= PURE * len(target))
    if data.symbolic[j]:
        return False
    order = np.lexsort((target, column))
    runs = 1 + int(np.count_nonzero(np.diff(target[order])))
    return runs == len(np.unique(target)) and len(target) >= 10 * runs


def _measures(data: DataSet) -> bool:
    """Tell whether some column measures something."""
    some = data.values[:1000, ~data.symbolic]
    return any(len(np.unique(column[np.isfinite(column)])) > FINE for column in some.T)


def _row_groups(data: DataSet) -> IntArray:
    """Return the number of every row's content: equal rows share one; gaps are equal to gaps."""
    table = np.column_stack([np.nan_to_num(data.values, nan=-1.7e308), data.target.astype(np.float64)])
    raw = np.ascontiguousarray(table).view(np.dtype((np.void, table.shape[1] * 8))).ravel()
    return np.unique(raw, return_inverse=True)[1].astype(np.int64).ravel()


def _duplicates(data: DataSet) -> int:
    if data.groups is not None or not _measures(data):
        return 0
    extra = data.n_rows - int(_row_groups(data).max(initial=-1)) - 1
    return extra if extra >= max(2, 0.005 * data.n_rows) else 0


def _alike_labels(data: DataSet) -> Iterator[tuple[str, str]]:
    """Yield where labels become equal without case and spaces: the classes, or the values of a column."""
    places: list[tuple[str, Sequence[str]]] = [("Classes", data.classes)]
    places += [(f"Values of {name!r}", each) for name, each in zip(data.attributes, data.categories, strict=True)]
    found = 0
    for what, labels in places:
        seen: dict[str, str] = {}
        for label in labels:
            plain = " ".join(str(label).casefold().split())
            if plain in seen and found < _NAMED:
                found += 1
                yield what, f"{seen[plain]!r} and {label!r}"
                break
            seen.setdefault(plain, str(label))


def _sentinel(data: DataSet, j: int) -> float | None:
    """Return a value that lies far outside all others, is often there, and is written with nines."""
    if data.symbolic[j]:
        return None
    column = data.values[:, j]
    column = column[np.isfinite(column)]
    for value in (column.min(initial=np.inf), column.max(initial=-np.inf)):
        if value not in SENTINELS:
            continue
        rest = column[column != value]
        often = len(column) - len(rest)
        if len(rest) < 10 or often < max(2, 0.002 * len(column)):
            continue
        gap = rest.min() - value if value < rest.min() else value - rest.max()
        if gap > max(rest.max() - rest.min(), 1.0):
            return float(value)
    return None


def _codes(data: DataSet, j: int) -> bool:
    """Tell whether a column of whole numbers is named as codes are."""
    if data.symbolic[j] or not _CODES.search(data.attributes[j]):
        return False
    column: FloatArray = data.values[:, j]
    column = column[np.isfinite(column)]
    return len(np.unique(column[:1000])) > 2 and bool((column % 1 == 0).all())


def _nearly_constant(data: DataSet, j: int) -> bool:
    column = data.values[:, j]
    counts = np.unique(column[np.isfinite(column)], return_counts=True)[1]
    return len(counts) > 1 and int(counts.max()) >= NEARLY * data.n_rows


def _quoted(names: Sequence[str]) -> str:
    return listed([repr(name) for name in names], most=_NAMED)
