"""What is called different: pairs by their tests, and by the omnibus test where that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import ceil, log2

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat
from tiebreak.comparison._plan import MOST_ANY_ORIGIN, VERB, Plan
from tiebreak.comparison._testing import Given
from tiebreak.methods import find
from tiebreak.stats import PairwiseResult
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.results import correction_name

MOST_NAMED = 5
"""So many pairs a caveat names; more would not be read."""
MOST_SIGNS = 50
"""Up to so many data sets Wilcoxon's test counts signs, and has a smallest p-value that is worth a word."""
_COUNTED = ("wilcoxon", "sign", "wins", "significant-wins")
_TIMES_ALL = ("bonferroni", "holm", "shaffer", "bergmann-hommel")
"""Corrections that multiply the smallest p-value by the number of all pairs."""


def significant_pairs(tests: PairwiseResult, omnibus_p: float, plan: Plan, alpha: float) -> BoolArray:
    """Say which pairs differ: by their own p-values, and only where the omnibus test rejects if that comes first."""
    found: BoolArray = (tests.adjusted <= alpha) & (tests.statistic != 0)
    return np.zeros_like(found) if plan.gated(len(tests.a)) and omnibus_p > alpha else found


def verdicts(tests: PairwiseResult, significant: BoolArray) -> FloatArray:
    """Return -1 where a is the better one of its pair, 1 where b is, 0 where neither was found."""
    return np.where(significant, np.sign(tests.statistic), 0.0)


def few_of(named: Sequence[str]) -> str:
    """List what was said of pairs, the first few; commas and ands stand inside."""
    more = len(named) - MOST_NAMED
    return "; ".join([*named[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


# ---- what the smallest p-values could be


def fewest_datasets(plan: Plan, pairs: int, alpha: float) -> int:
    """Return with how many data sets a test that counts signs can reject at all; 0 for tests that do not count.

    n signs have a smallest two-sided p-value of 2^(1 - n), and the smallest of m p-values is multiplied by m under
    every correction that steps down.
    """
    times = pairs if plan.posthoc in _TIMES_ALL else 1
    if plan.test.name == "anytime":  # n wins of n: the e-value is 2^n / (n + 1)
        return next(n for n in count(1) if 2.0**n * alpha >= times * (n + 1) * (1 - 1e-9))
    if plan.test.name not in _COUNTED:
        return 0
    return ceil(1 + log2(times / alpha) - 1e-9)


def too_few(plan: Plan, n_datasets: int, pairs: int, alpha: float) -> bool:
    """Say whether no scores could have made a pair significant."""
    return n_datasets <= MOST_SIGNS and n_datasets < fewest_datasets(plan, pairs, alpha)


def too_few_caveat(plan: Plan, n_datasets: int, pairs: int, alpha: float) -> list[Caveat]:
    """Say how many data sets it would take before a pair can differ significantly at all."""
    if not too_few(plan, n_datasets, pairs, alpha):
        return []
    fewest = fewest_datasets(plan, pairs, alpha)
    corrected = f"after the correction for {pairs} pairs " if plan.posthoc in _TIMES_ALL else ""
    text = (
        f"With {n_datasets} data sets no pair can differ significantly at alpha = {alpha:g}, whatever its scores:"
        f" {corrected}it takes at least {fewest}."
    )
    if pairs == 1:
        text = f"With {n_datasets} data sets no test of this pair can reject at alpha = {alpha:g}: it takes {fewest}."
    return [Caveat("least-pvalue", text)]


# ---- mean ranks beside the pairs' own scores


def ranks_and_scores(given: Given, plan: Plan, decided: FloatArray, alpha: float) -> list[Caveat]:
    """Name the pairs on which ranks among all and the pair's own scores lead to different verdicts.

    Nothing is said where ranks were not what was tested, or where gaps leave some pairs without scores of their own.
    """
    names = given.algorithms
    if plan.test.takes not in ("ranks", "errors") or len(names) == 2 or bool(np.isnan(given.scores).any()):
        return []
    adjust = _beside(plan, len(names))
    control = None if plan.control is None else names.index(plan.control)
    own, what = _own_tests(given, adjust, control)
    beside = verdicts(own, (own.adjusted <= alpha) & (own.statistic != 0))
    other = np.flatnonzero(beside != decided)
    if not len(other):
        return []
    named = [
        _both_ways(names[a], names[b], ranks, scores)
        for a, b, ranks, scores in zip(own.a[other], own.b[other], decided[other], beside[other], strict=True)
    ]
    text = (
        f"On {len(other)} of {len(decided)} pairs {what.format(correction_name(adjust))}, decide"
        f" otherwise: {few_of(named)}. How mean ranks compare depends"
        " on who else is in the table."
    )
    return [Caveat("ranks-and-scores-disagree", text)]


def _own_tests(given: Given, adjust: str, control: int | None) -> tuple[PairwiseResult, str]:
    """Test the pairs on what the scale leaves of their scores, and say how."""
    if given.rescale is None:
        said = "Wilcoxon signed ranks {}, which look at the scores of the two alone"
    elif given.usual_test == "sign":
        said = "sign tests {}, which look at the scores of the two alone"
    else:
        said = "Wilcoxon signed ranks {}, which look at how far the two lie apart"
    test = find(given.usual_test, "pairs", verb=VERB)
    found: PairwiseResult = test(given.scores, adjust=adjust, control=control, higher_is_better=given.higher_is_better)
    return found, said


def _beside(plan: Plan, n_algorithms: int) -> str:
    """Return the correction that was used if it can follow, else the usual one: both must be asked the same."""
    exact = n_algorithms <= MOST_ANY_ORIGIN
    if plan.correction is not None and (plan.posthoc != "bergmann-hommel" or exact):
        return plan.posthoc
    return "holm" if plan.control is not None else "bergmann-hommel" if exact else "shaffer"


def _both_ways(a: str, b: str, ranks: float, scores: float) -> str:
    """Name a pair with what each way says of it."""
    said = {-1.0: f"{a} better", 0.0: "no difference", 1.0: f"{b} better"}
    return f"{a} and {b} (ranks: {said[float(ranks)]}; scores: {said[float(scores)]})"


def against_the_order(tests: PairwiseResult, decided: FloatArray, locations: FloatArray, what: str) -> list[Caveat]:
    """Name the pairs whose better one has the worse location: the list and the diagram alone would hide them."""
    ahead = np.sign(snap(locations)[tests.a] - snap(locations)[tests.b])  # positive where b stands ahead
    against = np.flatnonzero(decided * ahead < 0)
    if not len(against):
        return []
    names, places = tests.algorithms, zip(tests.a[against], tests.b[against], decided[against], strict=True)
    named = [
        f"{names[b if sign > 0 else a]} is significantly better than {names[a if sign > 0 else b]}"
        for a, b, sign in places
    ]
    text = f"Tested on their own scores, some pairs stand the other way round than by {what}: {few_of(named)}."
    return [Caveat("ranks-and-scores-disagree", text)]
