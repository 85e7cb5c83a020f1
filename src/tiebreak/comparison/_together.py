"""Intervals of a comparison that hold together: by the method of its own test of pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import caveats_of
from tiebreak.stats import DifferenceIntervals, simultaneous_intervals
from tiebreak.stats.numeric.ranks import NOISE, average_ranks
from tiebreak.stats.numeric.studentized_range import critical_value
from tiebreak.stats.results import frozen

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Comparison

_OWN = {"wilcoxon": "wilcoxon", "paired-t": "t"}
"""The interval that belongs to a test on the scores of a pair; the others count who is better: the median's."""
_ONE_LOOK = "The intervals hold for one look at the results, not for a look after every data set as the test does."
_SHARED = ("dunn", "bonferroni-dunn")
"""Tests on ranks that share alpha equally."""


def simultaneous(found: Comparison, level: float) -> DifferenceIntervals:
    """Estimate the differences of all tested pairs with intervals that hold together."""
    test, said = found.plan.test, found._said()
    if not found.by_ranks:
        method = _OWN.get(test.name, "sign") if test.on_own_scores else "means"
        made = simultaneous_intervals(found._complete(), method=method, level=level, **said)
        once = caveats_of((test.name == "anytime", "anytime-limits", _ONE_LOOK))
        return replace(made, caveats=(*made.caveats, *once))
    if test.takes != "ranks":
        return _from_statistics(found, level)
    ranks = average_ranks(np.where(np.isnan(found.turned), np.inf, found.turned), tolerance=NOISE)
    adjust = "bonferroni" if test.name in _SHARED else "sharpest"
    ties = found.plan.corrects_ties
    return simultaneous_intervals(ranks, method="ranks", adjust=adjust, tie_correction=ties, level=level, **said)


def _from_statistics(found: Comparison, level: float) -> DifferenceIntervals:
    """The statistic is the difference of locations over its error, so the error is the one over the other.

    With gaps every pair has an error of its own, and alpha is shared equally.
    """
    a, b, statistic = found.tests.a, found.tests.b, found.tests.statistic
    estimate = found.locations[a] - found.locations[b]
    adjust = "sharpest" if found.plan.test.on_a_line else "bonferroni"
    times, label = critical_value(1 - level, len(found.algorithms), found.control is not None, df=np.inf, adjust=adjust)
    half = times * _errors(estimate, statistic)
    return DifferenceIntervals(
        **frozen(a=a, b=b, estimate=estimate, low=estimate - half, high=estimate + half),
        level=level,
        achieved=level,
        algorithms=found.algorithms,
        n_datasets=len(found.datasets),
        method=f"Difference of {found.location_name}s, {label}",
    )


def _errors(estimate: FloatArray, statistic: FloatArray) -> FloatArray:
    """Where a difference is zero its error is not known by it: the largest of the others is taken."""
    known = (statistic != 0) & np.isfinite(statistic)
    errors = np.divide(estimate, statistic, out=np.zeros_like(estimate), where=known)
    return np.where(known | np.isinf(statistic), errors, errors.max(initial=0.0))
