"""The seven meta-attributes of Brazdil, Soares and Costa (2003)."""

from __future__ import annotations

import numpy as np

from tiebreak.advisor.attributes import shared_parts as why
from tiebreak.advisor.attributes.catalogue import Measured, NotApplicable
from tiebreak.advisor.attributes.entropies import entropy, shared_entropies
from tiebreak.advisor.attributes.shared_parts import Workings


def paper_measures(work: Workings) -> tuple[Measured, tuple[str, ...]]:
    """Return the seven and what has to be said about them."""
    values: Measured = {
        "n_examples": float(work.data.n_rows),
        "prop_symbolic": _prop_symbolic(work),
        "prop_missing": _prop_missing(work),
        "prop_outliers": _prop_outliers(work),
        "class_entropy": entropy(work.class_counts) if work.data.n_rows else NotApplicable(reason=why.NO_ROWS),
        "mutual_information": _mutual_information(work),
        "canonical_correlation": _canonical_correlation(work),
    }
    return values, _caveats(work, values)


def _prop_symbolic(work: Workings) -> float | NotApplicable:
    if not work.data.n_attributes:
        return NotApplicable(reason=why.NO_ATTRIBUTES)
    return float(np.count_nonzero(work.data.symbolic)) / work.data.n_attributes


def _prop_missing(work: Workings) -> float | NotApplicable:
    cells = work.data.n_rows * work.data.n_attributes
    if not cells:
        return NotApplicable(reason=why.NO_ATTRIBUTES if work.data.n_rows else why.NO_ROWS)
    return float(work.missing_per_attribute.sum()) / cells


def _prop_outliers(work: Workings) -> float | NotApplicable:
    """Return the share of attributes with outliers; an empty one is left out, a constant one has none."""
    if not len(work.columns.places):
        return NotApplicable(reason=why.NO_NUMERIC)
    filled = work.columns.present > 0
    if not filled.any():
        return NotApplicable(reason=why.EMPTY_NUMERIC if work.data.n_rows else why.NO_ROWS)
    return float(np.count_nonzero(work.columns.outliers[filled])) / int(np.count_nonzero(filled))


def _mutual_information(work: Workings) -> float | NotApplicable:
    """Return the mean over the symbolic attributes; an empty one is left out, a constant one counts 0."""
    places = np.flatnonzero(work.data.symbolic)
    if not len(places):
        return NotApplicable(reason=why.NO_SYMBOLIC)
    found = [shared_entropies(work.data.values[:, i], work.data.target, work.class_counts) for i in places]
    shares = [one.information for one in found if one is not None]
    if not shares:
        return NotApplicable(reason=why.EMPTY_SYMBOLIC if work.data.n_rows else why.NO_ROWS)
    return float(np.mean(shares))


def _canonical_correlation(work: Workings) -> float | NotApplicable:
    refusal = work.why_no_scatter(classes=True)
    return float(work.canonical[0]) if refusal is None else refusal


def _caveats(work: Workings, values: Measured) -> tuple[str, ...]:
    found = []
    varying = int(np.count_nonzero(work.columns.varying))
    if isinstance(values["canonical_correlation"], float) and varying >= work.data.n_rows - 1:
        found.append(
            f"{varying} numeric attributes that vary and {work.data.n_rows} rows: some combination of the attributes"
            " fits any class, so the canonical correlation says nothing (it is 1 unless attributes depend on each"
            " other)."
        )
    empty = work.data.n_rows and int(np.count_nonzero(work.missing_per_attribute == work.data.n_rows))
    if empty:
        found.append(f"{empty} attribute(s) without any value: counted as attributes and as missing, nowhere else.")
    return tuple(found)
