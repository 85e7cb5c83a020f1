"""Data with more rows than all that is known: how kinds of learners do there, by published results."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import Described
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.caveats import Caveat, Caveats

LARGE = 20_000
"""From so many rows on the order of learners is another than on small data."""
PUBLISHED_LOSSES = (
    ("boosted trees", r"boost|gbm|^gb", 0.015),
    ("forests", r"^rf$|forest|extra.?trees", 0.04),
    ("networks", r"mlp|network|^nn", 0.05),
    ("kernel machines", r"^sv[r2]|svm|svc", 0.06),
    ("neighbours", r"\dnn|knn|neighbou?r", 0.07),
    ("single trees and rules", r"c45|mdt|cart|rules|tree", 0.09),
    ("linear models and densities", r"linear|logistic|lda|qda|ridge|elastic|lasso|svl|lnp|^nb$|bayes", 0.10),
)
"""What learners of a kind, by name, lose on large data to the best there, in rates. Rounded from default settings on 24
data sets of TabZilla (McElfresh et al. 2023; means and medians of accuracy) and 14 of TabArena (Erickson et al.
2025) with more than 20,000 rows; discriminants of quadratic form and naive Bayes, not published there, as linear."""
ROWS = "n_examples"


def larger(base: Knowledge, size: Described) -> bool:
    """Say whether the data have more rows than all that is known."""
    value = size.get(ROWS)
    if value is None or ROWS not in base.meta.measures:
        return False
    known = base.meta.matrix[:, base.meta.measures.index(ROWS)]
    return bool(np.isfinite(known).any()) and bool(value > np.nanmax(known))


KEPT = 0.25
"""The share of what an algorithm loses more or less on single small data sets that still counts."""


def moved(success: FloatArray, algorithms: tuple[str, ...]) -> FloatArray:
    """Move the success rates of known kinds of learners so that they lose on average what they lose on large data.

    Examples
    --------
    >>> moved(np.array([[0.9, 0.8]]), ("lda", "lightgbm")).round(3).tolist()
    [[0.8, 0.885]]
    """
    whole = filled(success)
    best = np.nanmax(whole, axis=1, keepdims=True)
    lost = best - whole
    kinds = [next((loss for _, names, loss in PUBLISHED_LOSSES if re.search(names, a)), np.nan) for a in algorithms]
    here = np.array(kinds, dtype=np.float64) + KEPT * (lost - np.nanmean(lost, axis=0))
    return np.asarray(np.where(np.isnan(here), success, best - here))


def on_large_data(used: Knowledge, known: Knowledge, size: Described) -> tuple[Knowledge, Caveats]:
    """Return what is expected of the algorithms on data of a size: on large data, which no base knows, it is moved.

    Formula: the best success rate there - the published mean loss of the kind of learner on large data
    (`PUBLISHED_LOSSES`) - a quarter of what the algorithm loses there beyond its mean loss in the base. Only where the
    data have more than 20,000 rows, and more than all known ones.
    """
    rows = size.get(ROWS)
    if rows is None or rows <= LARGE or not larger(known, size):
        return used, ()
    means = used.means()[0]
    shift = moved(means, used.algorithms) - means
    text = (
        f"The known data sets are smaller than {int(rows):,} rows: the order counts on what kinds of learners lost on"
        " larger ones in TabZilla and TabArena."
    )
    rates = readonly(used.accuracy + np.nan_to_num(shift)[:, :, None, None])
    return replace(used, accuracy=rates), (Caveat("outside-known-range", text),)
