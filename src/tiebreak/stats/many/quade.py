"""Many algorithms over many data sets, hard-to-tell data sets counting less: the Quade test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.many.aligned_ranks import VARIANCES, snap_to
from tiebreak.stats.numeric.basics import SUMS, average_ranks, f_upper, rescaled, turned
from tiebreak.stats.results import (
    ALL_TIED,
    OmnibusResult,
    PairwiseResult,
    agreement_pvalue,
    check_correction,
    few_datasets,
    normal_pairs,
    tie_label,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class QuadeResult(OmnibusResult):
    """What the Quade test found.

    `mean_ranks` are the weighted mean ranks T_j = sum_i Q_i r_ij / sum_i Q_i, between 1 and L. `weights` are
    the Q_i: the ranks of the data sets by the range of their scores. `total` and `between` are A and B.
    """

    RANK_NAME = "weighted_mean_rank"

    weights: FloatArray
    total: float
    between: float


@as_came_in
def quade(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tie_correction: bool = True,
    algorithms: Sequence[str] | None = None,
) -> QuadeResult:
    """Test whether any algorithm tends to score differently, weighting data sets by their range of scores.

    Hypothesis: on every data set the scores are exchangeable, so that all orders of the algorithms are equally likely.

    Formula: rank the algorithms within data set i (r_ij) and the data sets by their range of scores (Q_i);
    S_ij = Q_i (r_ij - (L + 1) / 2), A = sum S_ij^2, B = sum_j (sum_i S_ij)^2 / S;
    F = (S - 1) B / (A - B) on L - 1 and (L - 1)(S - 1) degrees of freedom.

    Assumptions:

    1. The data sets are independent of each other.
    2. The ranges of the scores of different data sets can be compared: one scale for all.

    When not to use it: where the scores of the data sets have different scales; with five algorithms or
    more the Friedman test is usually the more powerful one (Conover 1999).

    Degenerate input: where every data set ties all algorithms F = 0 and p = 1; where A = B (all data sets
    agree perfectly and have one range) F is infinite and p is the exact probability of that agreement,
    (number of distinct orders of one row) to the power 1 - S, which without ties is (1 / L!)^(S - 1).

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    higher_is_better : bool, default False
        Decides which end gets rank 1; the statistic does not depend on it.
    tie_correction : bool, default True
        False takes A = S (S + 1)(2 S + 1) L (L + 1)(L - 1) / 72, as scmamp does.
    algorithms : sequence of str, optional
        Names for the columns.

    Returns
    -------
    QuadeResult

    References
    ----------
    quade1979
    conover1999, section 5.8

    Examples
    --------
    >>> result = quade([[3, 4, 4], [4, 3, 3], [5, 2, 5], [6, 1, 6], [1, 2, 3], [5, 6, 7]])
    >>> result.df, round(result.statistic, 3), result.mean_ranks.round(3)
    ((2, 10), 2.314, array([1.929, 1.476, 2.595]))
    """
    matrix, names = turned(scores, algorithms, higher_is_better=higher_is_better)
    n_datasets, n_algorithms = matrix.shape
    weights, weighted = weighted_ranks(matrix)
    total = float((weighted**2).sum()) if tie_correction else untied_total(n_datasets, n_algorithms)
    between = float((weighted.sum(axis=0) ** 2).sum()) / n_datasets  # B of Conover 1999, section 5.8
    agree = bool((weighted == weighted[0]).all() and weighted[0].any())
    exact = float("inf"), agreement_pvalue(weighted[0], n_datasets)
    statistic, pvalue = exact if agree else f_of_sums(total, between, n_datasets, n_algorithms)
    return QuadeResult(
        statistic=statistic,
        pvalue=pvalue,
        df=(n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1)),
        mean_ranks=readonly(_mean_ranks(weights, weighted)),
        algorithms=names,
        n_datasets=n_datasets,
        method=f"Quade test, {tie_label(tie_correction)}",
        weights=readonly(weights),
        total=total,
        between=between,
        caveats=_caveats(weighted, agree=agree),
    )


@as_came_in
def quade_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    variance: str = "permutation",
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their weighted mean ranks.

    Hypothesis: as in `quade`, of all algorithms; a small p-value says that two weighted mean ranks lie too far apart.

    Formula: z = (T_a - T_b) / SE with T_j = sum_i Q_i r_ij / (S (S + 1) / 2), two-sided normal, then the
    correction. The permutation variance is SE^2 = 2 A / (L - 1) / (S (S + 1) / 2)^2 with A as in `quade`;
    without ties it is L (L + 1)(2 S + 1) / (9 S (S + 1)). The printed one,
    L (L + 1)(2 S + 1)(L - 1) / (18 S (S + 1)), is (L - 1) / 2 times as large: right for three algorithms, half
    of what it should be for two (true hypotheses are rejected in 17 % of the cases at the 5 % level), and too
    large for more, which costs power.

    Assumptions: those of `quade`, and enough data sets for the normal approximation (ten or more).
    When not to use it: as `quade`; and z depends on which other algorithms are in the table.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    variance : {"permutation", "printed"}
        "printed" reproduces the tables of Derrac et al. (2011).
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    quade1979
    derrac2011

    Examples
    --------
    >>> quade_pairs([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]).adjusted.round(4)
    array([0.2672, 0.0081, 0.2672])
    """
    matrix, names = turned(scores, algorithms, higher_is_better=higher_is_better)
    check_correction(adjust, control)
    check_choice("variance", variance, VARIANCES)
    weights, weighted = weighted_ranks(matrix)
    positions = _mean_ranks(weights, weighted)
    return normal_pairs(
        positions,
        _standard_error(weighted, variance),
        control,
        adjust=adjust,
        algorithms=names,
        method=f"z tests on Quade's weighted mean ranks, {variance} variance",
    )


def weighted_ranks(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the weight Q_i of every row and the S_ij = Q_i (r_ij - (L + 1) / 2)."""
    (near,), _ = rescaled(values, reach=SUMS)
    weights = average_ranks(snap_to(np.ptp(near, axis=1), np.abs(near).max(axis=1)))
    return weights, weights[:, None] * (average_ranks(near) - (near.shape[1] + 1) / 2)  # Conover 1999, section 5.8


def untied_total(n_datasets: int, n_algorithms: int) -> float:
    """Return A where nothing ties."""
    s, k = n_datasets, n_algorithms
    return s * (s + 1) * (2 * s + 1) * k * (k + 1) * (k - 1) / 72


def f_of_sums(total: float, between: float, n_datasets: int, n_algorithms: int) -> tuple[float, float]:
    """Return F = (S - 1) B / (A - B) and its p-value."""
    if between == 0.0:
        return 0.0, 1.0
    f = (n_datasets - 1) * between / (total - between)  # Quade 1979
    return f, float(f_upper(f, n_algorithms - 1, (n_algorithms - 1) * (n_datasets - 1)))


def _mean_ranks(weights: FloatArray, weighted: FloatArray) -> FloatArray:
    # the weighted ranks are centred; this brings them back
    return np.asarray(weighted.sum(axis=0) / weights.sum() + (weighted.shape[1] + 1) / 2)


def _standard_error(weighted: FloatArray, variance: str) -> float:
    s, k = weighted.shape
    if variance == "printed":
        return sqrt(k * (k + 1) * (2 * s + 1) * (k - 1) / (18 * s * (s + 1)))  # Derrac et al. 2011
    return sqrt(2 * float((weighted**2).sum()) / (k - 1)) / float(s * (s + 1) / 2)  # that of the omnibus test


def _caveats(weighted: FloatArray, *, agree: bool) -> Caveats:
    exact = "All data sets agree perfectly with one range: F is infinite and p is exact."
    return caveats_of(
        few_datasets(len(weighted), "F"), (not weighted.any(), *ALL_TIED), (agree, "constant-difference", exact)
    )
