"""Whether what is said of a pair hangs on another algorithm: each is left out once, and the pairs judged anew."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.comparison._judging import significant_pairs, verdicts
from tiebreak.comparison._plan import Plan
from tiebreak.comparison._testing import Given, run_tests
from tiebreak.errors import OptionError
from tiebreak.stats import PairwiseResult
from tiebreak.stats.results import corrected
from tiebreak.wording import option


def upset_by(
    given: Given, plan: Plan, tests: PairwiseResult, decided: FloatArray, alpha: float
) -> tuple[tuple[str, ...], ...]:
    """Return for every pair the algorithms without which its verdict would be another.

    `given`, `tests` and `decided` are in one order. Leaving out an algorithm changes mean ranks, the unit of a data set
    where the algorithms make one, and the correction for the number of pairs, which is all that it can change where a
    pair is tested on its own scores.
    """
    upset: list[list[str]] = [[] for _ in tests.a]
    for place, name in enumerate(given.algorithms):
        if name == plan.control:
            continue
        left = np.flatnonzero((tests.a != place) & (tests.b != place))
        again = _without(given, plan, tests, place, left, alpha)
        for pair in left[again != decided[left]]:
            upset[pair].append(name)
    return tuple(map(tuple, upset))


def _without(given: Given, plan: Plan, tests: PairwiseResult, place: int, left: IntArray, alpha: float) -> FloatArray:
    """Judge the pairs that are left; where only the correction changes, the p-values are taken as they are."""
    if not len(left):
        return np.empty(0)
    alone = given.rescale is None or not plan.reads_sizes
    if alone and plan.test.on_own_scores and not plan.gated(len(tests.a)):
        adjusted = corrected(tests.pvalue[left], plan.posthoc)
        return np.where(adjusted <= alpha, np.sign(tests.statistic[left]), 0.0)
    others = [i for i in range(len(given.algorithms)) if i != place]
    found = run_tests(given.columns(others), plan, alpha)
    return verdicts(found.tests, significant_pairs(found.tests, found.omnibus.pvalue, plan, alpha))


def check_leaving_out(plan: Plan) -> None:
    """Refuse where an algorithm less could leave data sets with too few scores to go on."""
    if plan.omnibus == "skillings-mack":
        raise OptionError(
            f"{option('leave_one_out')} does not go with the Skillings-Mack test.",
            why="In a table with gaps, an algorithm less may leave data sets that compare nothing.",
            mend=f"Settle the gaps first: {option(missing='drop-datasets')}.",
        )
