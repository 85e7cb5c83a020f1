"""Do two algorithms differ in several measures, without assuming normal ones? Sign flips of the fold differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak._show import Row, Shown
from tiebreak.stats.adjust import CORRECTIONS
from tiebreak.stats.multivariate._estimable import check_measures, in_units
from tiebreak.stats.multivariate._shuffles import (
    EXACT_FOLDS,
    check_count,
    counted,
    every_flip,
    least_caveat,
    random_flips,
    signed_ranks,
    tail_of_flips,
    unit_vectors,
)
from tiebreak.stats.pairwise import check_adjust, correction_name, pair_indices

FLIP_SCORES = {"values": "differences", "signed-ranks": "signed ranks of the differences"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PermutedPairsResult(Shown):
    """Sign-flip tests of all pairs; arrays run over the pairs, `a` and `b` index `algorithms`.

    `mean_difference` is (pairs, measures), that of `a` minus `b`; `rank` counts the directions of the differences.
    """

    a: IntArray
    b: IntArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    mean_difference: FloatArray
    rank: IntArray
    algorithms: tuple[str, ...]
    n_folds: int
    n_permutations: int
    exact: bool
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}, {counted(self.n_permutations, exact=self.exact)}: {len(self.a)} pair(s)"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return [
            {
                "a": self.algorithms[i],
                "b": self.algorithms[j],
                "statistic": float(self.statistic[k]),
                "pvalue": float(self.pvalue[k]),
                "adjusted": float(self.adjusted[k]),
                "rank": int(self.rank[k]),
            }
            for k, (i, j) in enumerate(zip(self.a, self.b, strict=True))
        ]


def permuted_pairs(
    measures: npt.ArrayLike,
    *,
    scores: str = "values",
    adjust: str = "holm",
    n_permutations: int = 9999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
) -> PermutedPairsResult:
    """Test every pair of algorithms on several measures by flipping the signs of the fold differences.

    Hypothesis: for each pair, the vector d of differences in a fold and its negative -d are equally likely.

    Formula: T2 = K m' S^-1 m with mean m and covariance S of the K difference vectors, for all 2^(K - 1) choices of
    signs, or for `n_permutations` random ones: p is the share of them with T2 at least as large as found, the
    found one counted: (b + 1)/(B + 1). S changes with the signs, the sum of products M = sum d d' does not: with
    q = s' M^-1 s for the sum s of the flipped vectors, T2 = (K - 1) q / (K - q) grows with q, so one
    factorisation of M serves all flips. With "signed-ranks" d is replaced, measure by measure, by the rank of its
    size among the folds with its sign, which heavy tails cannot sway.

    Assumptions:

    1. The folds are exchangeable under the hypothesis; overlap of the training parts is ignored.
    2. Differences are symmetric about zero under the hypothesis; they need not be normal.

    When not to use it: with few folds: p cannot be less than 1 / 2^(K - 1), which is 0.0625 for five folds. Where
    the differences are normal, Hotelling's test has more power, in particular for K near p.

    Degenerate input: identical algorithms get statistic 0 and p = 1; a difference that is the same in all folds gets
    an infinite statistic and the least p there is. Dependent measures are compared in the directions in which the
    differences lie; with K or more directions all flips give the same statistic: p = 1, with a caveat.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        Paired by fold.
    scores : {"values", "signed-ranks"}
    adjust : str, default "holm"
        A correction over the pairs by its name in `tiebreak.stats.CORRECTIONS`.
    n_permutations : int, default 9999
        How many random flips above 14 folds; up to there all are counted out. The same flips serve all pairs.
    rng : int or numpy.random.Generator, default 0
    algorithms : sequence of str, optional

    Returns
    -------
    PermutedPairsResult
        Pairs in the order of `np.triu_indices(algorithms, 1)`.

    References
    ----------
    Chung, J. H. and Fraser, D. A. S. (1958). Randomization tests for a multivariate two-sample problem. JASA 53,
    729-735.
    Phipson, B. and Smyth, G. K. (2010). doi:10.2202/1544-6115.1585

    Examples
    --------
    >>> folds = [[[0.9, 0.2], [0.8, 0.3]], [[0.9, 0.1], [0.7, 0.3]], [[0.8, 0.2], [0.7, 0.2]], [[0.9, 0.2], [0.8, 0.4]]]
    >>> permuted_pairs(folds).pvalue
    array([0.125])
    """
    measured = check_measures(measures, algorithms, None)
    check_choice("scores", scores, FLIP_SCORES)
    check_adjust(adjust)
    count = check_count(n_permutations)
    n_folds, n_algorithms, n_measures = measured.values.shape
    a, b = pair_indices(n_algorithms)
    vectors, rank = _pair_vectors(measured.values, a, b, scores)
    exact = n_folds <= EXACT_FOLDS
    flips = every_flip(n_folds) if exact else random_flips(n_folds, count, np.random.default_rng(rng))
    q, tail = tail_of_flips(vectors, flips)
    pvalue = tail / (2 ** (n_folds - 1)) if exact else (tail + 1) / (count + 1)
    return PermutedPairsResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(_t_squared(q, n_folds)),
        pvalue=readonly(pvalue),
        adjusted=readonly(CORRECTIONS[adjust](pvalue)),
        mean_difference=in_units(_mean_differences(measured.values, a, b), measured.exponent),
        rank=readonly(rank),
        algorithms=measured.algorithms,
        n_folds=n_folds,
        n_permutations=2 ** (n_folds - 1) if exact else count,
        exact=exact,
        method=f"Sign-flip test of T2 on {FLIP_SCORES[scores]} {correction_name(adjust)}",
        caveats=_pair_caveats(rank, n_folds, n_measures, 0.5 ** (n_folds - 1) if exact else 1 / (count + 1)),
    )


def _mean_differences(values: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    return np.asarray((values[:, a] - values[:, b]).mean(axis=0))


def _pair_vectors(values: FloatArray, a: IntArray, b: IntArray, scores: str) -> tuple[FloatArray, IntArray]:
    """Return (pairs, folds, directions) such that the products of two folds are d_i' M^+ d_j, and the ranks."""
    x, y = np.moveaxis(values[:, a], 1, 0), np.moveaxis(values[:, b], 1, 0)
    size = np.maximum(np.abs(x), np.abs(y))
    if scores == "values":
        return unit_vectors(x - y, size)
    ranks = signed_ranks(x - y, size)
    return unit_vectors(ranks, np.abs(ranks))


def _t_squared(q: FloatArray, n_folds: int) -> FloatArray:
    room = n_folds - q
    endless = room < 1e-9 * n_folds
    return np.where(endless, np.inf, (n_folds - 1) * q / np.where(endless, 1.0, room))


def _pair_caveats(rank: IntArray, n_folds: int, n_measures: int, least: float) -> tuple[str, ...]:
    found = []
    none, full = int((rank == 0).sum()), int((rank >= n_folds).sum())
    fewer = int(((rank > 0) & (rank < min(n_measures, n_folds))).sum())
    if none:
        found.append(f"{none} of {len(rank)} pair(s) are identical in every fold: p = 1.")
    if full:
        found.append(
            f"{full} of {len(rank)} pair(s) differ in {n_folds} directions over {n_folds} folds: every choice of signs"
            " gives the same statistic, so p = 1. Use fewer measures or more folds."
        )
    if fewer:
        found.append(
            f"In {fewer} of {len(rank)} pair(s) the {n_measures} measures differ in fewer directions (some are"
            " constant or follow from others); those are compared."
        )
    return (*found, *least_caveat(least, n_folds))
