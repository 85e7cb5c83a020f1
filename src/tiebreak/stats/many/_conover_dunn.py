"""Which algorithms differ, after the Friedman test: Conover's t tests, and Dunn's test as Neave words it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_matrix, check_names
from tiebreak.stats.numeric.ranks import average_ranks
from tiebreak.stats.numeric.tails import normal_two_sided, t_two_sided
from tiebreak.stats.pairwise import ZERO_ERROR, PairwiseResult, check_adjust, compared, pairs_result


def conover_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by their rank sums, with the error that the ranks themselves show.

    Hypothesis: for each pair, the two algorithms have the same expected rank.

    Formula: t = (R_a - R_b) / sqrt(2 (S A - sum_j R_j^2) / ((S - 1)(L - 1))) with rank sums R and A the sum of
    all squared ranks (ties with average ranks need no other correction), on (S - 1)(L - 1) degrees of
    freedom, two-sided; then the correction.

    Assumptions: those of the Friedman test.
    When not to use it: without a significant Friedman test before it. The error shrinks as soon as any
    algorithm differs from the others, so that equal ones among them are declared different more often
    than the level allows; `rank_tests` has a fixed error.

    Where all data sets agree perfectly the error is zero: algorithms of different rank get the smallest
    p-value. Where all are tied, p = 1.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    Conover, W. J. and Iman, R. L. (1979). On multiple-comparisons procedures. Los Alamos LA-7677-MS.
    doi:10.2172/6057803
    Conover, W. J. (1999). Practical nonparametric statistics, 3rd ed., section 5.8. Wiley (no DOI).

    Examples
    --------
    >>> table = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> conover_pairs(table).adjusted.round(4)
    array([0.1921, 0.0164, 0.1921])
    """
    ranks, names = _ranks(scores, higher_is_better, algorithms)
    check_adjust(adjust)
    n_datasets, n_algorithms = ranks.shape
    sums = ranks.sum(axis=0)
    room = n_datasets * float((ranks**2).sum()) - float((sums**2).sum())  # exact: quarters of integers
    df = (n_datasets - 1) * (n_algorithms - 1)
    pairs = compared(sums, sqrt(2 * room / df), control)  # Conover 1999, section 5.8
    return pairs_result(
        pairs,
        t_two_sided(pairs[2], df),
        adjust=adjust,
        algorithms=names,
        method=f"Conover's t tests on ranks, {df} degrees of freedom",
        caveats=(ZERO_ERROR,) if np.isinf(pairs[2]).any() else (),
    )


def dunn_pairs(
    scores: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test all pairs of algorithms by their rank sums, each pair in both directions.

    Hypothesis: for each pair, the two algorithms have the same expected rank.

    Formula: T = (R_a - R_b) / sqrt(S L (L + 1) / 6) with rank sums R; a pair differs where abs(T) reaches
    the upper normal quantile at alpha / (L (L - 1)). Hence adjusted p = min(1, L (L - 1) P(Z >= abs(T))):
    Bonferroni over the L (L - 1) one-sided comparisons.

    Assumptions:

    1. Those of the Friedman test.
    2. Enough data sets for the normal approximation (ten or more).

    When not to use it: `rank_tests` with "holm" has the same T and rejects at least as much; against a
    control use `bonferroni_dunn`. It is here because Brazdil, Soares and Costa compare rankings with it.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    alpha : float, default 0.05
        For `critical_value` only; the p-values do not depend on it. Neave and Worthington recommend a larger
        one, such as 0.25, because all pairs share it.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult
        `pvalue` is the two-sided p of the single T; `critical_value` is for abs(T).

    References
    ----------
    Dunn, O. J. (1964). doi:10.1080/00401706.1964.10490181
    Neave, H. R. and Worthington, P. L. (1988). Distribution-free tests. Unwin Hyman (no DOI).
    Brazdil, P. B., Soares, C. and Costa, J. P. da (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> result = dunn_pairs([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]], alpha=0.25)
    >>> result.statistic.round(2)  # Brazdil et al. 2003: T12 = -0.32, T14 = -2.53, critical 2.04
    array([-0.32, -1.58, -2.53, -1.26, -2.21, -0.95])
    >>> round(result.critical_value, 2)
    2.04
    """
    ranks, names = _ranks(scores, higher_is_better, algorithms)
    n_datasets, count = ranks.shape
    comparisons = count * (count - 1)
    pairs = compared(ranks.sum(axis=0), sqrt(n_datasets * count * (count + 1) / 6), None)
    p = normal_two_sided(pairs[2])
    return pairs_result(
        pairs,
        p,
        adjusted=np.minimum(p / 2 * comparisons, 1.0),
        algorithms=names,
        method=f"Dunn's test on ranks, Bonferroni over {comparisons} one-sided comparisons",
        critical_value=-float(special.ndtri(check_alpha(alpha) / comparisons)),
    )


def _ranks(
    scores: npt.ArrayLike, higher_is_better: bool, algorithms: Sequence[str] | None
) -> tuple[FloatArray, tuple[str, ...]]:
    matrix = check_matrix(scores)
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    return average_ranks(-matrix if higher_is_better else matrix), names
