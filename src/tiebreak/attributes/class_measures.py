"""Measures of data with classes: simple counts and those of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log10

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.numeric_columns import (
    Columns,
    Scatter,
    canonical_correlations,
    numeric_columns,
    row_blocks,
    summed_scatter,
)
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.datasets import DataSet

ONE_CLASS = NotApplicable(reason="one class")
NO_ROWS = NotApplicable(reason="no rows")
NO_ATTRIBUTES = NotApplicable(reason="no attributes")
NO_NUMERIC = NotApplicable(reason="no numeric attributes")
NO_SYMBOLIC = NotApplicable(reason="no symbolic attributes")
NO_VARYING = NotApplicable(reason="every numeric attribute is constant or empty")


class Summaries:
    """One data set with what is computed of it at most once; a group that nobody asks for costs nothing."""

    def __init__(self, data: DataSet) -> None:
        self.data = data

    @cached_property
    def class_counts(self) -> IntArray:
        """Rows per class; one class of all rows where the target is a number."""
        return self.data.class_counts if self.data.kind == "classes" else np.array([self.data.n_rows], dtype=np.int64)

    @cached_property
    def codes(self) -> IntArray:
        """The class of every row; 0 where the target is a number, so that what describes attributes sees all rows."""
        return self.data.target if self.data.kind == "classes" else np.zeros(self.data.n_rows, dtype=np.int64)

    @cached_property
    def n_classes(self) -> int:
        """The number of classes that occur."""
        return int(np.count_nonzero(self.class_counts))

    @cached_property
    def columns(self) -> Columns:
        """The numeric attributes, summarised."""
        return numeric_columns(self.data.values, self.data.symbolic)

    @cached_property
    def scatter(self) -> Scatter:
        """The numeric attributes that vary, summed up."""
        return summed_scatter(self.data.values, self.columns, self.codes, self.class_counts)

    @cached_property
    def canonical(self) -> FloatArray:
        """The canonical correlations of the numeric attributes and the class."""
        return canonical_correlations(self.scatter)

    @cached_property
    def missing_per_attribute(self) -> IntArray:
        """Missing values of every attribute."""
        values = np.zeros(self.data.n_attributes, dtype=np.int64)
        values[self.columns.places] = self.data.n_rows - self.columns.present
        for place in np.flatnonzero(self.data.symbolic):
            values[place] = np.count_nonzero(np.isnan(self.data.values[:, place]))
        return values

    def why_no_scatter(self, *, classes: bool) -> NotApplicable | None:
        """Say why nothing can be computed from the numeric attributes (and the classes), or return None."""
        if not len(self.columns.places):
            return NO_NUMERIC
        if not self.data.n_rows:
            return NO_ROWS
        if not self.columns.varying.any():
            return NO_VARYING
        return ONE_CLASS if classes and self.n_classes < 2 else None

    def why_empty(self, empty: str) -> NotApplicable:
        """Say why attributes that exist hold no value: there are no rows, or each is `empty`."""
        return NotApplicable(reason=empty) if self.data.n_rows else NO_ROWS

    def why_no_cells(self) -> NotApplicable | None:
        """Say why there is no cell to look at, or return None."""
        if not self.data.n_rows:
            return NO_ROWS
        return None if self.data.n_attributes else NO_ATTRIBUTES


BINS = 10
"""Into how many equally frequent parts a numeric attribute is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Entropies of an attribute, of the class on the rows where the attribute is present, and of both together."""

    attribute: float
    target: float
    joint: float

    @property
    def information(self) -> float:
        """The mutual information, H(X) + H(C) - H(X, C), never below 0."""
        return max(self.attribute + self.target - self.joint, 0.0)


def entropy(counts: npt.NDArray[np.integer]) -> float:
    """Return the entropy in bits of a distribution given by counts; 0 for one that has a single value.

    Examples
    --------
    >>> entropy(np.array([2, 2])), entropy(np.array([3, 0]))
    (1.0, 0.0)
    """
    values = np.sort(counts[counts > 0]).astype(np.float64)  # sorted: the order of the values leaves no trace
    if len(values) < 2:
        return 0.0
    shares = values / values.sum()
    return float(-(shares * np.log2(shares)).sum())


def shared_entropies(column: FloatArray, target: IntArray, class_counts: IntArray) -> Shared | None:
    """Return the entropies of a column of codes and the class, or None where the column has no value at all."""
    present = ~np.isnan(column)
    if present.all():
        codes, classes, counts = column.astype(np.int64), target, class_counts
    else:
        codes, classes = column[present].astype(np.int64), target[present]
        counts = np.bincount(classes, minlength=len(class_counts)).astype(np.int64)
    if not len(codes):
        return None
    pairs = _pair_counts(codes, classes, len(class_counts))
    return Shared(attribute=entropy(np.bincount(codes)), target=entropy(counts), joint=entropy(pairs))


def _pair_counts(codes: IntArray, classes: IntArray, n_classes: int) -> npt.NDArray[np.integer]:
    """Count the pairs of code and class; where most of them do not occur, without a table of all."""
    pairs = codes * n_classes + classes
    if (int(codes.max()) + 1) * n_classes <= 4 * len(codes) + 1024:
        return np.bincount(pairs)
    return np.asarray(np.unique(pairs, return_counts=True)[1])


def decile_codes(column: FloatArray) -> FloatArray:
    """Cut numbers into ten parts of equal frequency, equal values kept together; gaps stay gaps.

    A value's part is the number of tenths of the values that lie below it.

    Examples
    --------
    >>> decile_codes(np.array([5.0, 1.0, 1.0, np.nan, 7.0]))
    array([ 5.,  0.,  0., nan,  7.])
    """
    present = ~np.isnan(column)
    values = column if present.all() else column[present]
    codes = np.full(len(column), np.nan)
    if len(values):
        ordered = np.sort(values)
        firsts = -(-np.arange(1, BINS) * len(values) // BINS)  # values that lie below part 1, 2, ..
        codes[present] = np.searchsorted(ordered[firsts - 1], values, side="left")
    return codes


def paper_measures(work: Summaries) -> Measured:
    """Return the seven."""
    data = work.data
    return {
        "n_examples": float(data.n_rows),
        "prop_symbolic": np.count_nonzero(data.symbolic) / data.n_attributes if data.n_attributes else NO_ATTRIBUTES,
        "prop_missing": work.why_no_cells()
        or float(work.missing_per_attribute.sum()) / (data.n_rows * data.n_attributes),
        "prop_outliers": _prop_outliers(work),
        "class_entropy": entropy(work.class_counts) if data.n_rows else NO_ROWS,
        "mutual_information": _mutual_information(work),
        "canonical_correlation": work.why_no_scatter(classes=True) or float(work.canonical[0]),
    }


def _prop_outliers(work: Summaries) -> float | NotApplicable:
    """Return the share of attributes with outliers; an empty one is left out, a constant one has none."""
    if not len(work.columns.places):
        return NO_NUMERIC
    filled = work.columns.present > 0
    if not filled.any():
        return work.why_empty("every numeric attribute is empty")
    return float(np.count_nonzero(work.columns.outliers[filled])) / int(np.count_nonzero(filled))


def _mutual_information(work: Summaries) -> float | NotApplicable:
    """Return the mean over the symbolic attributes; an empty one is left out, a constant one counts 0."""
    places = np.flatnonzero(work.data.symbolic)
    if not len(places):
        return NO_SYMBOLIC
    entropies = [shared_entropies(work.data.values[:, i], work.codes, work.class_counts) for i in places]
    shares = [one.information for one in entropies if one is not None]
    return float(np.mean(shares)) if shares else work.why_empty("every symbolic attribute is empty")


def paper_caveats(work: Summaries, values: Measured) -> Caveats:
    """Say what has to be said about the seven."""
    varying, rows = int(np.count_nonzero(work.columns.varying)), work.data.n_rows
    empty = rows and int(np.count_nonzero(work.missing_per_attribute == rows))
    few = isinstance(values["canonical_correlation"], float) and varying >= rows - 1
    fits = (
        f"{varying} numeric attributes that vary and {rows} rows: some combination of the attributes fits any class, so"
        " the canonical correlation says nothing (it is 1 unless attributes depend on each other)."
    )
    gone = f"{empty} attribute(s) without any value: counted as attributes and as missing, nowhere else."
    return caveats_of((few, "few-items", fits), (empty, "columns-left-out", gone))


def simple_measures(work: Summaries) -> Measured:
    """Return the simple meta-attributes."""
    data = work.data
    n_symbolic = int(np.count_nonzero(data.symbolic))
    values: Measured = {
        "n_attributes": float(data.n_attributes),
        "n_numeric": float(data.n_attributes - n_symbolic),
        "n_symbolic": float(n_symbolic),
        "n_classes": float(work.n_classes),
        "mean_categories": _mean_categories(work),
    }
    return {**values, **_class_shares(work), **_gaps(work)}


def _class_shares(work: Summaries) -> Measured:
    """Classes without rows do not count: the smallest share would be 0 and the imbalance infinite."""
    names = ("log_n_examples", "dimensionality", "default_accuracy", "minority_share", "class_imbalance")
    rows = work.data.n_rows
    if not rows:
        return dict.fromkeys(names, NO_ROWS)
    counts = work.class_counts[work.class_counts > 0]
    most, fewest = int(counts.max()), int(counts.min())
    shares = (log10(rows), work.data.n_attributes / rows, most / rows, fewest / rows, most / fewest)
    return dict(zip(names, shares, strict=True))


def _gaps(work: Summaries) -> Measured:
    """Count rows with gaps block by block, over the attributes that have any."""
    rows, attributes = work.data.n_rows, work.data.n_attributes
    refusal = work.why_no_cells()
    if refusal is not None:
        return {"rows_with_missing": refusal, "attributes_with_missing": refusal}
    gaps = np.flatnonzero(work.missing_per_attribute)
    hit = sum(
        int(np.count_nonzero(np.isnan(work.data.values[block][:, gaps]).any(axis=1)))
        for block in row_blocks(rows, len(gaps))
    )
    return {"rows_with_missing": hit / rows, "attributes_with_missing": len(gaps) / attributes}


def _mean_categories(work: Summaries) -> float | NotApplicable:
    """Values that are declared but never occur do not count."""
    places = np.flatnonzero(work.data.symbolic)
    if not len(places):
        return NO_SYMBOLIC
    columns = [work.data.values[:, place] for place in places]
    present = [np.bincount(column[~np.isnan(column)].astype(np.int64)) for column in columns]
    return float(np.mean([np.count_nonzero(counts) for counts in present]))
