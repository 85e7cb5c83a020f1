"""How large data are, as far as time depends on it: rows that are trained on, columns, classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor._meta_table import Described, MetaTable

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge

PARTS = ("rows", "columns", "classes")
"""What a size is made of, in the words of messages."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sizes(Brief):
    """Natural logarithms, one entry per data set, NaN where unknown.

    `rows` are those that are trained on, `columns` the attributes. `spread` is how many columns one attribute becomes
    when symbolic ones get a column per value (0: one), `symbolic` 1 where there are symbolic attributes, else 0.
    """

    rows: FloatArray
    columns: FloatArray
    classes: FloatArray
    spread: FloatArray
    symbolic: FloatArray

    def part(self, name: str) -> FloatArray:
        """Return one of `PARTS`."""
        found: FloatArray = getattr(self, name)
        return found

    def overhead(self) -> FloatArray:
        """Return what the fixed part of a time depends on: 1, columns, classes, whether there is anything symbolic."""
        return np.column_stack([np.ones(len(self.rows)), self.columns, self.classes, self.symbolic])

    def growth(self) -> FloatArray:
        """Return what the growing part depends on: 1, rows, columns, classes, and columns per attribute."""
        return np.column_stack([np.ones(len(self.rows)), self.rows, self.columns, self.classes, self.spread])

    def filled(self, by: Sizes | None = None) -> Sizes:
        """Put the middle of what is known (of `by`) where a size is unknown, 0 everywhere where nothing is."""
        return Sizes(**{name: _filled(getattr(self, name), getattr(by or self, name)) for name in Sizes.__slots__})


def sizes_of(meta: MetaTable, share: FloatArray | float = 1.0) -> Sizes:
    """Read sizes from meta-attributes; `share` of the rows are trained on.

    Examples
    --------
    >>> table = MetaTable.from_mapping({"a": {"n_examples": 200, "n_attributes": 4, "n_classes": 2}})
    >>> np.exp(sizes_of(table, 0.5).rows).round(6).tolist()
    [100.0]
    """
    rows = _column(meta, "n_examples")
    rows = np.where(np.isnan(rows), 10 ** _column(meta, "log_n_examples"), rows)
    numeric, symbolic = _column(meta, "n_numeric"), _column(meta, "n_symbolic")
    columns = _column(meta, "n_attributes")
    columns = np.where(np.isnan(columns), numeric + symbolic, columns)
    values = np.fmax(_column(meta, "mean_categories"), 1.0)  # an attribute of one value still is a column
    wide = np.where(symbolic > 0, columns + symbolic * (values - 1.0), columns)
    some = np.where(np.isnan(symbolic), _column(meta, "prop_symbolic"), symbolic)
    return Sizes(
        rows=_log(rows * share),
        columns=_log(columns),
        classes=_log(_column(meta, "n_classes")),
        spread=_log(wide / columns),
        symbolic=np.where(np.isnan(some), np.nan, some > 0),
    )


def size_of(query: Described, share: float = 1.0) -> Sizes:
    """Read the size of one data set."""
    return sizes_of(MetaTable.from_mapping({"query": dict(query)}), share)


def train_shares(known: Knowledge) -> FloatArray:
    """Return the share of its rows that a fold of each data set was trained on.

    Where the base does not say, it follows from the number of folds, (folds - 1) / folds; a single result was
    measured as new data will be, as far as anybody knows: 1.
    """
    folds = np.isfinite(known.accuracy).any(axis=(1, 2)).sum(axis=1)
    counted = np.where(folds > 1, (folds - 1) / np.maximum(folds, 1), 1.0)
    given = np.asarray(known.train_share or np.full(len(counted), np.nan), dtype=np.float64)
    return np.where(np.isfinite(given) & (given > 0), given, counted)


def beyond(asked: Sizes, low: FloatArray, high: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return how far (in logarithms) one size lies outside ranges (algorithms, parts), and which parts do."""
    point = np.array([asked.part(name)[0] for name in PARTS])
    out = np.fmax(np.fmax(point - high, low - point), 0.0)
    return np.nan_to_num(out), np.asarray(np.nan_to_num(out) > 1e-9)


def _column(meta: MetaTable, name: str) -> FloatArray:
    if name not in meta.measures:
        return np.full(len(meta.names), np.nan)
    return meta.matrix[:, meta.measures.index(name)]


def _log(values: FloatArray) -> FloatArray:
    return np.asarray(np.log(values, out=np.full(values.shape, np.nan), where=values > 0))


def _filled(values: FloatArray, known: FloatArray) -> FloatArray:
    there = known[np.isfinite(known)]
    if not there.size:  # the curve was fitted without it, so that it says nothing
        return np.zeros_like(values)
    return np.where(np.isfinite(values), values, float(np.median(there)))
