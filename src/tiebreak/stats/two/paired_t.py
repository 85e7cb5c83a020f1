"""Two algorithms over many data sets, by mean differences: the paired t test, of one pair and of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_choice, check_table, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import (
    check_squares,
    every_pair,
    floor_pvalue,
    mean_outcome,
    rescaled,
    squared_length,
)
from tiebreak.stats.results import PairwiseResult, check_correction, counted_note, pair_fields, pair_indices
from tiebreak.stats.two.wilcoxon import ALTERNATIVES, OnePair, both_scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedTResult(OnePair):
    """What the paired t test found: `statistic` is positive where b is better.

    `mean_difference` is that of a minus b, whatever direction is better.
    """

    COLUMNS = ("mean_difference", "statistic", "pvalue")

    df: int
    mean_difference: float

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: t = {self.statistic:.5g}, df {self.df}, p = {self.pvalue:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedTPairs(PairwiseResult):
    """Paired t tests of all pairs; `statistic` is t, `mean_difference` that of a minus b."""

    COLUMNS = (*PairwiseResult.COLUMNS, "mean_difference")

    mean_difference: FloatArray
    df: int


@as_came_in
def paired_t(
    a: npt.ArrayLike, b: npt.ArrayLike | None = None, *, alternative: str = "two-sided", higher_is_better: bool = False
) -> PairedTResult:
    """Test by the mean difference over the data sets whether two algorithms differ.

    Hypothesis: the expected difference is zero.
    Formula: t = dbar / sqrt(s^2 / n) over n data sets, on n - 1 degrees of freedom.

    Assumptions:

    1. The data sets are independent.
    2. Differences are commensurable: the mean over data sets means something.
    3. They are normal, or there are about 30 of them.

    When not to use it: with outliers, or scores of different scales (such as RMSE on unlike targets): one
    data set then decides. `wilcoxon` is safer and hardly weaker.

    Degenerate input: no difference on any data set gives t = 0 and p = 1; the same difference, not zero, on
    all of them gives an infinite t and the smallest p-value that is reported, with a caveat.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets, at least two. Without `b`, `a` holds the differences (first minus second).
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    PairedTResult

    References
    ----------
    student1908
    demsar2006, section 3.1.2

    Examples
    --------
    >>> result = paired_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85], higher_is_better=True)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (-2.4495, 0.0917)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    x, y = both_scores(a, b, min_length=2)
    check_squares(x, what="a")
    check_squares(x if y is None else y, what="b")
    (x, y), exponent = rescaled(x, np.zeros_like(x) if y is None else y)
    d = x - y
    size = squared_length(x) + squared_length(y)
    outcome = mean_outcome(d, size, factor=1 / d.size)
    t = -float(outcome.statistic) if higher_is_better else float(outcome.statistic)
    return PairedTResult(
        statistic=t + 0.0,
        pvalue=t_pvalue(t, float(outcome.pvalue), bool(outcome.identical), alternative),
        df=d.size - 1,
        mean_difference=float(np.ldexp(outcome.mean, exponent[0])),
        alternative=alternative,
        method="Paired t test over data sets",
        caveats=t_caveats(outcome.identical, np.isinf(t)),
    )


@as_came_in
def paired_t_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairedTPairs:
    """Test every pair of algorithms by a paired t test over the data sets, two-sided.

    Hypothesis: for each pair, the expected difference is zero.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.paired_t`, pair by pair.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`. By default the p-values are not corrected for their number:
        `adjusted` is a copy of `pvalue`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairedTPairs

    References
    ----------
    demsar2006, section 3.1.2

    Examples
    --------
    >>> paired_t_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7]]).pvalue.round(4)
    array([0.0305, 0.0511, 0.3189])
    """
    matrix, names = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    check_correction(adjust, control)
    a, b = pair_indices(matrix.shape[1], control)
    (near,), exponent = rescaled(matrix)
    outcome = every_pair(near[:, None, :], a, b, partial(mean_outcome, factor=1 / len(matrix)))
    t = outcome.statistic[0]
    fields = pair_fields(
        (a, b, -t + 0.0 if higher_is_better else t),
        outcome.pvalue[0],
        adjust=adjust,
        algorithms=names,
        method="Paired t test over data sets",
        caveats=t_caveats(outcome.identical, np.isinf(t)),
        mean_difference=readonly(np.ldexp(outcome.mean[0], exponent[0])),
        df=len(matrix) - 1,
    )
    return PairedTPairs(**fields)


def t_pvalue(t: float, two_sided: float, identical: bool, alternative: str) -> float:
    """Turn the two-sided p-value into that of the alternative; t is positive where b is better."""
    if alternative == "two-sided" or identical:
        return two_sided
    agrees = (t > 0) == (alternative == "b-better") or t == 0
    return float(floor_pvalue(two_sided / 2 if agrees else 1.0 - two_sided / 2))


def t_caveats(identical: BoolArray, endless: BoolArray | np.bool_) -> Caveats:
    """Say where the paired t test had no spread to judge by."""
    constant = "differ by the same amount on all data sets: t is infinite and p is the smallest number"
    return caveats_of(
        counted_note(identical, "no-difference", "score the same on all data sets: p = 1."),
        counted_note(endless, "constant-difference", f"{constant} that is reported."),
    )
