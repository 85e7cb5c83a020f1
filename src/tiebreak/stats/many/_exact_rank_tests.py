"""Which algorithms differ, after the Friedman test, where data sets are few: rank sums by their exact distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.numeric.ranks import ranked
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.pairwise import PairwiseResult, check_correction, pair_indices, pairs_result
from tiebreak.wording import either

MOST_STEPS = 60_000
"""With more possible differences than these the convolution takes seconds, and the normal approximation is exact."""


@as_came_in
def exact_rank_tests(
    scores: npt.ArrayLike,
    *,
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> PairwiseResult:
    """Test pairs of algorithms by the difference of their rank sums, with its exact distribution.

    Hypothesis: on every data set the scores are exchangeable, so that all orders of the algorithms are equally likely.

    Formula: d = R_a - R_b of the rank sums; p = P(|D| >= |d|), where D is the sum over data sets of the difference of
    two ranks drawn without replacement from those of the data set. Without ties a difference u has probability
    (L - |u|) / (L (L - 1)); with ties the ranks that the data set has are drawn from. The distributions of the data
    sets are convolved; every term is positive, so that small p-values keep their digits.

    Assumptions:

    1. The data sets are independent of each other.
    2. Where no algorithm differs, all scores of a data set are exchangeable.

    When not to use it: with many data sets (`rank_tests` is then as good and quicker); where pairs should not depend
    on who else is in the table (`wilcoxon_pairs`).

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
        `statistic` is the difference of the rank sums, positive where b is the better one.

    References
    ----------
    eisinga2017

    Examples
    --------
    >>> exact_rank_tests([[1, 2, 3]] * 3, adjust="none").pvalue.round(4)
    array([0.3056, 0.0093, 0.3056])
    """
    ranks, names = ranked(scores, algorithms, higher_is_better=higher_is_better)
    check_correction(adjust, control)
    doubled = np.rint(2 * ranks).astype(np.int64)  # average ranks of ties are halves
    sums = doubled.sum(axis=0)
    a, b = pair_indices(len(names), control)
    difference = sums[a] - sums[b]
    return pairs_result(
        (a, b, difference / 2.0),
        _pvalues(doubled, np.abs(difference)),
        adjust=adjust,
        positions=ranks.mean(axis=0),
        algorithms=names,
        method="Exact tests of rank sums",
    )


def _pvalues(doubled: IntArray, distance: IntArray) -> FloatArray:
    """Return P(|D| >= distance) for each distance of rank sums, ranks doubled."""
    middle = 2 * (doubled.shape[1] - 1) * len(doubled)
    if middle > MOST_STEPS:
        raise InputError(
            f"{len(doubled)} data sets and {doubled.shape[1]} algorithms are too many for the exact distribution.",
            why="It has a term for every difference of rank sums, and the normal approximation is as good here.",
            mend=f"Use {either('rank_tests', '--pairwise ranks')}.",
        )
    density = _density(doubled)
    upper = np.cumsum(density[middle:][::-1])[::-1]  # from the far end, so that small terms are not lost
    return floor_pvalue(np.where(distance == 0, 1.0, np.minimum(2 * upper[distance], 1.0)))  # Eisinga 2017, eq. 5


def _density(doubled: IntArray) -> FloatArray:
    """Convolve the differences of all data sets; those with the same ties share a distribution."""
    density = np.ones(1)
    for row, times in Counter(map(tuple, np.sort(doubled, axis=1).tolist())).items():
        density = np.convolve(density, _power(_step(np.array(row)), times))
    return density


def _step(row: IntArray) -> FloatArray:
    """Return how likely each difference of two ranks of one data set is, the middle being no difference."""
    reach = 2 * (len(row) - 1)
    apart = (row[:, None] - row)[~np.eye(len(row), dtype=bool)]
    return np.bincount(apart + reach, minlength=2 * reach + 1) / apart.size


def _power(density: FloatArray, times: int) -> FloatArray:
    """Convolve a distribution with itself, by squaring."""
    if times == 1:
        return density
    half = _power(density, times // 2)
    whole = np.convolve(half, half)
    return np.convolve(whole, density) if times % 2 else whole
