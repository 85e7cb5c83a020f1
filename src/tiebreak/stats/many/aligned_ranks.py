"""Many algorithms over many data sets, with the size of differences: Friedman's test on aligned ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import SUMS, average_ranks, chi2_upper, rescaled, turned
from tiebreak.stats.results import (
    ALL_TIED,
    OmnibusResult,
    PairwiseResult,
    check_correction,
    few_datasets,
    normal_pairs,
    tie_label,
)

VARIANCES = ("permutation", "printed")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AlignedRanksResult(OmnibusResult):
    """What the test on aligned ranks found.

    `mean_ranks` are the mean aligned ranks: all L S aligned scores are ranked together, so they run from 1
    to L S. `spread` is the sum of squares of the aligned ranks within the data sets.
    """

    RANK_NAME = "mean_aligned_rank"

    spread: float


@as_came_in
def aligned_ranks(
    scores: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tie_correction: bool = True,
    algorithms: Sequence[str] | None = None,
) -> AlignedRanksResult:
    """Test whether any algorithm tends to score differently, by ranks taken over all data sets at once.

    Hypothesis: on every data set all orders of the aligned scores are equally likely.

    Formula: subtract from each score the mean of its data set and rank all L S differences together. With
    R_j the rank sum of algorithm j, R_i that of data set i and r the single ranks,
    T = (L - 1) (sum_j R_j^2 - (L S^2 / 4) (L S + 1)^2) / (sum r^2 - sum_i R_i^2 / L), chi-squared with L - 1
    degrees of freedom. Without ties sum r^2 is the printed L S (L S + 1)(2 L S + 1) / 6; with ties (average
    ranks) the squares of the ranks themselves are summed, which keeps T on the permutation variance.

    Assumptions:

    1. The data sets are independent of each other.
    2. Differences on one data set are comparable in size with those on another: one scale for all.
    3. Enough data sets for the chi-squared approximation (ten or more).

    When not to use it: where the scores of the data sets have different scales (errors of regression in
    different units); with many algorithms it gains little over `friedman`.

    Where every data set ties all algorithms the statistic is 0 and p = 1. Differences that agree to twelve
    digits of the scores they come from count as tied, so that rounding cannot break a tie.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    higher_is_better : bool, default False
        Decides which end gets rank 1; the statistic does not depend on it.
    tie_correction : bool, default True
        False takes the printed sum of squares for tied ranks too, as STAC and scmamp do (scmamp breaks some
        of the ties by rounding error).
    algorithms : sequence of str, optional
        Names for the columns.

    Returns
    -------
    AlignedRanksResult

    References
    ----------
    hodges1962
    garcia2010
    derrac2011

    Examples
    --------
    >>> errors = [[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...           [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]]
    >>> aligned_ranks(errors).mean_ranks  # Derrac et al. 2011, Table 7
    array([ 7.625, 14.5  ,  5.5  ,  6.375])
    """
    matrix, names = turned(scores, algorithms, higher_is_better=higher_is_better)
    ranks = rank_aligned(matrix)
    spread = _spread(ranks, tie_correction=tie_correction)
    statistic = _statistic(ranks, spread)
    return AlignedRanksResult(
        statistic=statistic,
        pvalue=float(chi2_upper(statistic, len(names) - 1)),
        df=(len(names) - 1,),
        mean_ranks=readonly(ranks.mean(axis=0)),
        algorithms=names,
        n_datasets=len(matrix),
        method=f"Friedman test on aligned ranks, {tie_label(tie_correction)}",
        spread=spread,
        caveats=_caveats(ranks),
    )


@as_came_in
def aligned_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    variance: str = "permutation",
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their mean aligned ranks.

    Hypothesis: as in `aligned_ranks`, of all algorithms; a small p-value says that two mean ranks lie too far apart.

    Formula: z = (R_a - R_b) / SE with mean aligned ranks R, two-sided normal, then the correction. The
    permutation variance, which the omnibus test uses too, is SE^2 = 2 D / ((L - 1) S^2), D the denominator
    of T in `aligned_ranks`. The printed one is SE^2 = L (L S + 1) / 6. It holds for ranks that are
    independent within a data set; aligned scores sum to zero there, which makes the variance larger by
    about L / (L - 1): at the 5 % level the printed z rejects a true hypothesis in about 17 % of the cases
    for two algorithms and 9 % for four. (The papers write L (n + 1) / 6; their tables show that n counts
    all L S observations.)

    Assumptions: those of `aligned_ranks`.
    When not to use it: as `aligned_ranks`; and z depends on which other algorithms are in the table.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    adjust : str, default "holm"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others; without it all pairs are tested.
    higher_is_better : bool, default False
    variance : {"permutation", "printed"}
        "printed" reproduces the tables of Derrac et al. (2011); its error rate is too high.
    algorithms : sequence of str, optional

    Returns
    -------
    PairwiseResult

    References
    ----------
    garcia2010
    derrac2011

    Examples
    --------
    >>> aligned_pairs([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]]).adjusted.round(4)
    array([0.2605, 0.0074, 0.2605])
    """
    matrix, names = turned(scores, algorithms, higher_is_better=higher_is_better)
    check_correction(adjust, control)
    check_choice("variance", variance, VARIANCES)
    ranks = rank_aligned(matrix)
    positions = ranks.mean(axis=0)
    return normal_pairs(
        positions,
        _standard_error(ranks, variance),
        control,
        adjust=adjust,
        algorithms=names,
        method=f"z tests on mean aligned ranks, {variance} variance",
    )


def rank_aligned(values: FloatArray) -> FloatArray:
    """Rank all scores together after subtracting the mean of their row, ascending."""
    (near,), _ = rescaled(values, reach=SUMS)
    centred = near.shape[1] * near - near.sum(axis=1, keepdims=True)  # L times: stays a short decimal
    size = near.shape[1] * np.abs(near).max(axis=1, keepdims=True)
    return average_ranks(snap_to(centred, size).ravel()).reshape(near.shape)


def snap_to(values: FloatArray, size: FloatArray) -> FloatArray:
    """Round to twelve digits after the first one of `size`, the scores that the values were made of.

    A difference of two scores carries their rounding error; where it is small beside them, its own last
    digits are noise and would break ties.
    """
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(size))
    shift = np.clip(12 - np.where(np.isfinite(exponent), exponent, 0.0), -290, 290)
    up, down = 10.0 ** np.maximum(shift, 0), 10.0 ** np.maximum(-shift, 0)  # whole numbers, one of them is 1
    return np.asarray(np.rint(values * up / down) * down / up)


def _spread(ranks: FloatArray, *, tie_correction: bool = True) -> float:
    """Sum of squares of the ranks within the data sets: the denominator of T."""
    spread = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    if tie_correction:
        return spread
    count = ranks.size
    return spread + count * (count + 1) * (2 * count + 1) / 6 - float((ranks**2).sum())  # Derrac et al. 2011


def _statistic(ranks: FloatArray, spread: float) -> float:
    n_datasets, n_algorithms = ranks.shape
    deviations = ranks.sum(axis=0) - n_datasets * (ranks.size + 1) / 2  # exact: multiples of a half
    if not deviations.any():
        return 0.0
    return float((n_algorithms - 1) * (deviations**2).sum() / spread)  # Derrac et al. 2011, aligned ranks


def _standard_error(ranks: FloatArray, variance: str) -> float:
    n_datasets, n_algorithms = ranks.shape
    if variance == "printed":
        return sqrt(n_algorithms * (ranks.size + 1) / 6)  # Derrac et al. 2011, n counting all L S observations
    return float(sqrt(2 * _spread(ranks) / (n_algorithms - 1)) / n_datasets)  # that of the omnibus test


def _caveats(ranks: FloatArray) -> Caveats:
    tied = bool((ranks == ranks[0, 0]).all())
    return caveats_of(few_datasets(len(ranks), "chi-squared"), (tied, *ALL_TIED))
