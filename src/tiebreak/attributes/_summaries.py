"""What several groups of meta-attributes need: computed once per data set, when first asked for."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import NotApplicable
from tiebreak.attributes.numeric_columns import Columns, numeric_columns
from tiebreak.attributes.scatter import Scatter, canonical_correlations, summed_scatter
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
        found = np.zeros(self.data.n_attributes, dtype=np.int64)
        found[self.columns.places] = self.data.n_rows - self.columns.present
        for place in np.flatnonzero(self.data.symbolic):
            found[place] = np.count_nonzero(np.isnan(self.data.values[:, place]))
        return found

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
