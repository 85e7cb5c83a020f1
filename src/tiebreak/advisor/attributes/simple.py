"""Counts and shares that need no statistics: attributes, classes, gaps."""

from __future__ import annotations

from math import log10

import numpy as np

from tiebreak.advisor.attributes import shared_parts as why
from tiebreak.advisor.attributes.catalogue import Measured, NotApplicable
from tiebreak.advisor.attributes.scatter import row_blocks
from tiebreak.advisor.attributes.shared_parts import Workings


def simple_measures(work: Workings) -> tuple[Measured, tuple[str, ...]]:
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
    return {**values, **_class_shares(work), **_gaps(work)}, ()


def _class_shares(work: Workings) -> Measured:
    names = ("log_n_examples", "dimensionality", "default_accuracy", "minority_share", "class_imbalance")
    rows = work.data.n_rows
    if not rows:
        return dict.fromkeys(names, NotApplicable(reason=why.NO_ROWS))
    counts = work.class_counts[work.class_counts > 0]
    most, fewest = int(counts.max()), int(counts.min())
    shares = (log10(rows), work.data.n_attributes / rows, most / rows, fewest / rows, most / fewest)
    return dict(zip(names, shares, strict=True))


def _gaps(work: Workings) -> Measured:
    rows, attributes = work.data.n_rows, work.data.n_attributes
    if not rows * attributes:
        refusal = NotApplicable(reason=why.NO_ATTRIBUTES if rows else why.NO_ROWS)
        return {"rows_with_missing": refusal, "attributes_with_missing": refusal}
    gaps = np.flatnonzero(work.missing_per_attribute)
    hit = sum(
        int(np.count_nonzero(np.isnan(work.data.values[block][:, gaps]).any(axis=1)))
        for block in row_blocks(rows, len(gaps))
    )
    return {"rows_with_missing": hit / rows, "attributes_with_missing": len(gaps) / attributes}


def _mean_categories(work: Workings) -> float | NotApplicable:
    places = np.flatnonzero(work.data.symbolic)
    if not len(places):
        return NotApplicable(reason=why.NO_SYMBOLIC)
    counts = []
    for place in places:
        column = work.data.values[:, place]
        counts.append(np.count_nonzero(np.bincount(column[~np.isnan(column)].astype(np.int64))))
    return float(np.mean(counts))
