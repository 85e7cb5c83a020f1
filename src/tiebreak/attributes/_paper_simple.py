"""The seven meta-attributes of Brazdil, Soares and Costa (2003), and counts and shares that need no statistics."""

from __future__ import annotations

from math import log10

import numpy as np

from tiebreak.attributes._summaries import NO_ATTRIBUTES, NO_NUMERIC, NO_ROWS, NO_SYMBOLIC, Summaries
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.information import entropy, shared_entropies
from tiebreak.attributes.scatter import row_blocks
from tiebreak.caveats import Caveats, caveats_of


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
    found = [shared_entropies(work.data.values[:, i], work.codes, work.class_counts) for i in places]
    shares = [one.information for one in found if one is not None]
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
