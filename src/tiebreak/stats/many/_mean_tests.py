"""Which algorithms differ, after repeated-measures ANOVA: Tukey's and Dunnett's tests for paired scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak.documents import as_came_in
from tiebreak.stats.many.from_means import mean_t_tests
from tiebreak.stats.numeric.multivariate_t import dunnett_upper, studentized_range_upper
from tiebreak.stats.numeric.tails import t_two_sided
from tiebreak.stats.pairwise import PairwiseResult, pairs_result


@as_came_in
def tukey_pairs(
    scores: npt.ArrayLike, *, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> PairwiseResult:
    """Test all pairs of algorithms by their mean scores on the same data sets.

    Hypothesis: for each pair, the two algorithms have the same expected score; the family-wise error over all
    pairs is kept at alpha.

    Formula: t = (m_a - m_b) / sqrt(2 MSE / S), MSE the error mean square of `rm_anova` on
    (L - 1)(S - 1) degrees of freedom, so that differences between data sets do not enter; adjusted p =
    P(studentized range of L means >= sqrt(2) abs(t)). The sign is such that t > 0 where b is better. With two
    algorithms it is the paired t test.

    Assumptions:

    1. Those of `rm_anova`.
    2. Sphericity above all: one error is used for all pairs.

    When not to use it: without sphericity (there is a caveat where Greenhouse and Geisser's epsilon falls
    below 0.75): test pairs by their own paired t with `holm`; where the scores are not normal use `nemenyi`
    or Wilcoxon's test. The unpaired form, which treats the algorithms as independent samples, is not for
    scores on the same data sets.

    Identical algorithms get t = 0 and p = 1; where the error is zero any difference gets the smallest
    p-value.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    higher_is_better : bool, default False
        Decides the sign of the statistic.
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `pvalue` is that of the single t, `adjusted` that of the range.

    References
    ----------
    tukey1949
    demsar2006, section 3.2.1

    Examples
    --------
    >>> tukey_pairs([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]).adjusted.round(5)
    array([2.84e-03, 1.00e-05, 5.60e-04])
    """
    names, df, pairs, caveats = mean_t_tests(scores, None, higher_is_better, algorithms)
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjusted=studentized_range_upper(sqrt(2) * np.abs(pairs[2]), k=len(names), df=df),
        algorithms=names,
        method=f"Tukey's test for paired scores, {df} degrees of freedom",
        caveats=caveats,
    )


@as_came_in
def dunnett_control(
    scores: npt.ArrayLike,
    *,
    control: int,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test every algorithm against a control by their mean scores on the same data sets.

    Hypothesis: for each other algorithm, it and the control have the same expected score; the family-wise
    error over them is kept at alpha.

    Formula: t as in `tukey_pairs`; adjusted p = P(max abs(T_j) >= abs(t)) for L - 1 t variables with
    (L - 1)(S - 1) degrees of freedom that are correlated by 1/2, two-sided.

    Assumptions and degenerate input: as for `tukey_pairs`.
    When not to use it: as `tukey_pairs`; for all pairs, which it does not cover.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    control : int
        The column of the control.
    higher_is_better : bool, default False
        Decides the sign of the statistic.
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `a` is the control; `pvalue` is that of the single t.

    References
    ----------
    dunnett1955
    demsar2006, section 3.2.1

    Examples
    --------
    >>> table = [[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]
    >>> dunnett_control(table, control=0).adjusted.round(5)
    array([2.07e-03, 1.00e-05])
    """
    names, df, pairs, caveats = mean_t_tests(scores, control, higher_is_better, algorithms)
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjusted=dunnett_upper(np.abs(pairs[2]), k=len(names), df=df),
        algorithms=names,
        method=f"Dunnett's test for paired scores against the control, {df} degrees of freedom",
        caveats=caveats,
    )
