"""Do algorithms differ in several measures, without assuming normal ones? Permutations within folds, and sign flips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial, log

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.stats.multivariate.measured import (
    EXACT_FOLDS,
    EXACT_SHUFFLES,
    MeasuredResult,
    check_measures,
    check_permutations,
    estimable,
    in_units,
    overlap,
)
from tiebreak.stats.numeric.basics import MEAN_NOISE
from tiebreak.stats.results import (
    CORRECTIONS,
    OverPairs,
    check_correction,
    counted_note,
    frozen,
    pair_indices,
    rows_of,
    with_correction,
)

_CHUNK = 1 << 21  # numbers held at once
_EQUAL = 1e-10  # statistics this near, as a share of the largest possible, count as equal


def counted(count: int, *, exact: bool) -> str:
    """Say how many permutations there were."""
    return f"all {count:,} counted out" if exact else f"{count:,} random permutations"


def least_caveat(least: float, n_folds: int) -> tuple[bool, str, str]:
    """Say what the smallest p-value can be, where that matters."""
    return least > 0.01, "least-pvalue", f"{n_folds} folds: no p-value can be less than {least:.2g}."


def unit_vectors(rows: FloatArray, size: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the coordinates of rows (..., n, p) in which their sum of products is the unit matrix, and the rank.

    `size` is that of the numbers the rows were made from, which tells rounding from spread.
    """
    noise = MEAN_NOISE * np.sqrt(np.square(size).sum(axis=-2))
    space = estimable(rows, noise)
    return space.whitened(rows), np.asarray(space.rank, dtype=np.int64)


def every_flip(n_folds: int) -> FloatArray:
    """Return all choices of signs, one per row; the first sign is +1, since T2 is the same for all reversed."""
    codes = np.arange(2 ** (n_folds - 1))[:, None] >> np.arange(n_folds - 1)
    return np.hstack([np.ones((len(codes), 1)), 1.0 - 2.0 * (codes & 1)])


def random_flips(n_folds: int, count: int, rng: np.random.Generator) -> FloatArray:
    """Return random choices of signs, one per row."""
    return np.asarray(1.0 - 2.0 * rng.integers(0, 2, size=(count, n_folds)), dtype=np.float64)


def t_squared(q: FloatArray, n_folds: int) -> FloatArray:
    """T2 from q; K - q is the room that is left for spread, and without any T2 is infinite."""
    room = n_folds - q
    endless = room < 1e-9 * n_folds
    return np.where(endless, np.inf, (n_folds - 1) * q / np.where(endless, 1.0, room))


def tail_of_flips(vectors: FloatArray, flips: FloatArray, wider: float = 1.0) -> tuple[FloatArray, IntArray]:
    """Return q of (pairs, folds, directions) as they are, and how many flips have one at least as large.

    The T2 of what was found is divided by `wider` first: q / (K - q), so q K / (wider (K - q) + q) in the place of q.
    """
    n_pairs, n_folds, n_directions = vectors.shape
    total = np.square(vectors.sum(axis=1)).sum(axis=-1)
    total = total if wider == 1.0 else n_folds * total / (wider * np.maximum(n_folds - total, 0.0) + total)
    tail = np.zeros(n_pairs, dtype=np.int64)
    flat = np.moveaxis(vectors, 1, 0).reshape(n_folds, -1)
    step = max(1, _CHUNK // max(1, n_pairs * n_directions))
    for start in range(0, len(flips), step):
        sums = (flips[start : start + step] @ flat).reshape(-1, n_pairs, n_directions)
        q = np.einsum("fpd,fpd->fp", sums, sums)
        tail += (q >= total - _EQUAL * n_folds).sum(axis=0)
    return total, tail


def shuffled(
    vectors: FloatArray, count: int, rng: int | np.random.Generator, wider: float = 1.0
) -> tuple[float, float, int, bool]:
    """Return Pillai's trace of (folds, algorithms, directions), its p-value, how many orders, and if all of them.

    The eigenvalues of E^-1 H found are divided by `wider` first.
    """
    n_folds, n_algorithms, _ = vectors.shape
    value = float(_pillai(vectors.sum(axis=0)[None], n_folds)[0])
    if wider != 1.0:  # of the shares s = e / (1 + e) that the trace adds up
        shares = np.minimum(np.square(np.linalg.svd(vectors.sum(axis=0), compute_uv=False)) / n_folds, 1.0)
        value = float((shares / (wider * (1.0 - shares) + shares)).sum())
    least = value - _EQUAL * (n_algorithms - 1)
    if (n_folds - 1) * log(factorial(n_algorithms)) <= log(EXACT_SHUFFLES):
        values = _pillai(_every_sum(vectors), n_folds)
        return value, float((values >= least).mean()), len(values), True
    drawn = _random_sums(vectors, count, np.random.default_rng(rng))
    tail = sum(int((_pillai(sums, n_folds) >= least).sum()) for sums in drawn)
    return value, (tail + 1) / (count + 1), count, False  # Phipson and Smyth 2010


def _pillai(sums: FloatArray, n_folds: int) -> FloatArray:
    """Pillai's trace: in whitened coordinates a sum of squares, so that no order needs a decomposition."""
    return np.asarray(np.square(sums).sum(axis=(1, 2)) / n_folds)


def _every_sum(vectors: FloatArray) -> FloatArray:
    """Sum the folds in every order of the algorithms within each, the first fold left as it is."""
    orders = np.array(list(permutations(range(vectors.shape[1]))))
    sums = vectors[:1]
    for fold in vectors[1:]:
        sums = (sums[:, None] + fold[orders]).reshape(-1, *fold.shape)
    return sums


def _random_sums(vectors: FloatArray, count: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield sums over the folds with the algorithms of each in random order, some at a time."""
    _, n_algorithms, n_directions = vectors.shape
    step = max(1, _CHUNK // max(1, n_algorithms * n_directions))
    for start in range(0, count, step):
        size = min(step, count - start)
        orders = np.tile(np.arange(n_algorithms), (size, 1))
        sums = np.zeros((size, n_algorithms, n_directions))
        for fold in vectors:
            sums += np.take(fold, rng.permuted(orders, axis=1), axis=0)  # quicker than an index
        yield sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PermutedGroupsResult(MeasuredResult):
    """A test of whether any algorithm differs in any measure; `locations` are the mean measures, one row for each."""

    statistic: float
    pvalue: float
    locations: FloatArray
    rank: int
    n_permutations: int
    exact: bool

    def title(self) -> str:
        """Say in one line what was found."""
        how = counted(self.n_permutations, exact=self.exact)
        return f"{self.method}: statistic {self.statistic:.5g}, {how}, p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return rows_of(**{"algorithm": self.algorithms} | dict(zip(self.measures, self.locations.T, strict=True)))


@as_came_in
def permuted_manova(
    measures: npt.ArrayLike,
    *,
    test_share: float | None = None,
    n_permutations: int = 9999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> PermutedGroupsResult:
    """Test whether any algorithm differs in any measure by permuting the algorithms within the folds.

    Hypothesis: within a fold all assignments of the measure vectors to the algorithms are equally likely.

    Formula: with the fold means taken off, H = K sum_l m_l m_l' over the algorithms' mean vectors, E the rest and
    T = H + E; the statistic is Pillai's trace, tr(H T^-1). T does not change under permutations, so one
    factorisation serves all. All (L!)^(K - 1) orders are counted out up to 20,000; beyond, p = (b + 1)/(B + 1) with
    b of B random ones at least as large as found. With two algorithms it is the sign-flip test of `permuted_pairs`.
    With `test_share` the eigenvalues of E^-1 H are divided by 1 + K n_test / n_train, as in `manova`, before their
    trace is held against those of the permutations.

    Assumptions:

    1. The folds are independent blocks; with `test_share`, as in `manova`, and then the test is not exact any more.
    2. Exchangeable within a fold under the hypothesis: equal means with unequal spreads are a departure, too.

    When not to use it: to compare means only, where spreads differ strongly; with two or three folds.

    Degenerate input: identical algorithms, p = 1. Dependent measures are compared in the directions in which
    they vary, with a caveat; with as many directions as the folds leave room for, K (L - 1), all orders give the
    same statistic and p = 1.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        Paired by fold.
    test_share : float, optional
        Share of the examples in the test part of a fold; with it the found statistic is corrected for the training data
        that folds share.
    n_permutations : int, default 9999
    rng : int or numpy.random.Generator, default 0
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    PermutedGroupsResult

    References
    ----------
    pillai1955
    phipson2010

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(size=(10, 3, 2)) + [[0, 0], [0, 0], [1, 2]]
    >>> permuted_manova(folds, n_permutations=999).pvalue
    0.001
    """
    measured = check_measures(measures, algorithms, measure_names)
    count = check_permutations(n_permutations)
    values = measured.values
    shifted = values - values[:, :1]  # exact where the algorithms of a fold agree
    centred, wider = shifted - shifted.mean(axis=1, keepdims=True), overlap(len(values), test_share)
    n_measures = values.shape[2]
    vectors, rank = unit_vectors(centred.reshape(-1, n_measures), np.abs(values).reshape(-1, n_measures))
    pillai, pvalue, done, exact = shuffled(vectors.reshape(*centred.shape[:2], -1), count, rng, wider)
    return PermutedGroupsResult(
        **measured.fields(),
        statistic=pillai,
        pvalue=pvalue,
        rank=int(rank),
        n_permutations=done,
        exact=exact,
        locations=in_units(values.mean(axis=0), measured.exponent),
        method=_named("Permutation test of Pillai's trace, blocked by fold", test_share),
        caveats=_group_caveats(int(rank), centred.shape, 1 / (done + (not exact))),
    )


def _named(name: str, test_share: float | None) -> str:
    return name if test_share is None else f"Corrected {name[0].lower()}{name[1:]}"


def _group_caveats(rank: int, shape: tuple[int, ...], least: float) -> Caveats:
    """Where measures fill all the room, every order fits equally well and p is 1: no evidence of equality."""
    n_folds, n_algorithms, n_measures = shape
    full = rank >= n_folds * (n_algorithms - 1)
    room = f"{n_folds} folds and {n_algorithms} algorithms leave room for {rank} directions and the measures fill them"
    filled = f"{room}: every order gives the same statistic. Use fewer measures or more folds."
    some = f"The {n_measures} measures vary in {rank} direction(s) only (some are constant or follow from others)"
    return caveats_of(
        (rank == 0, "no-difference", "All algorithms are identical in every fold: p = 1."),
        (rank and full, "few-folds", filled),
        (rank and not full and rank < n_measures, "dependent-measures", f"{some}; those are compared."),
        least_caveat(least, n_folds),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PermutedPairsResult(OverPairs):
    """Sign-flip tests of all pairs; arrays run over the pairs, `a` and `b` index `algorithms`.

    `mean_difference` is (pairs, measures), that of `a` minus `b`; `rank` counts the directions of the differences.
    """

    COLUMNS = ("statistic", "pvalue", "adjusted", "rank")

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    mean_difference: FloatArray
    rank: IntArray
    n_folds: int
    n_permutations: int
    exact: bool

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}, {counted(self.n_permutations, exact=self.exact)}: {len(self.a)} pair(s)"


@as_came_in
def permuted_pairs(
    measures: npt.ArrayLike,
    *,
    test_share: float | None = None,
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
    factorisation of M serves all flips. With `test_share` the found T2 is divided by
    1 + K n_test / n_train, as in `hotelling`, before it is held against those of the flips.

    Assumptions:

    1. The folds are exchangeable under the hypothesis; with `test_share`, as in `hotelling`, and then the test is not
       exact any more.
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
    test_share : float, optional
        Share of the examples in the test part of a fold; with it the found T2 is corrected for the training data that
        folds share.
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
    chung1958
    phipson2010

    Examples
    --------
    >>> folds = [[[0.9, 0.2], [0.8, 0.3]], [[0.9, 0.1], [0.7, 0.3]], [[0.8, 0.2], [0.7, 0.2]], [[0.9, 0.2], [0.8, 0.4]]]
    >>> permuted_pairs(folds).pvalue
    array([0.125])
    """
    measured = check_measures(measures, algorithms, None)
    check_correction(adjust)
    count = check_permutations(n_permutations)
    n_folds, n_algorithms, n_measures = measured.values.shape
    a, b = pair_indices(n_algorithms)
    vectors, rank = _pair_vectors(measured.values, a, b)
    exact = n_folds <= EXACT_FOLDS
    flips = every_flip(n_folds) if exact else random_flips(n_folds, count, np.random.default_rng(rng))
    q, tail = tail_of_flips(vectors, flips, overlap(n_folds, test_share))
    pvalue = tail / (2 ** (n_folds - 1)) if exact else (tail + 1) / (count + 1)  # Phipson and Smyth 2010
    return PermutedPairsResult(
        **frozen(a=a, b=b, statistic=t_squared(q, n_folds), pvalue=pvalue, adjusted=CORRECTIONS[adjust](pvalue)),
        mean_difference=in_units((measured.values[:, a] - measured.values[:, b]).mean(axis=0), measured.exponent),
        rank=readonly(rank),
        algorithms=measured.algorithms,
        n_folds=n_folds,
        n_permutations=2 ** (n_folds - 1) if exact else count,
        exact=exact,
        method=with_correction(_named("Sign-flip test of T2 on differences", test_share), adjust, len(a)),
        caveats=_pair_caveats(rank, n_folds, n_measures, 0.5 ** (n_folds - 1) if exact else 1 / (count + 1)),
    )


def _pair_vectors(values: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, IntArray]:
    """Return (pairs, folds, directions) such that the products of two folds are d_i' M^+ d_j, and the ranks."""
    x, y = np.moveaxis(values[:, a], 1, 0), np.moveaxis(values[:, b], 1, 0)
    return unit_vectors(x - y, np.maximum(np.abs(x), np.abs(y)))


def _pair_caveats(rank: IntArray, n_folds: int, n_measures: int, least: float) -> Caveats:
    """With as many directions as folds all signs fit alike, so p = 1 says nothing about the pair."""
    filled = f"differ in {n_folds} directions over {n_folds} folds: every choice of signs gives the same statistic"
    those = f"differ in fewer directions than {n_measures} measures (some are constant or follow from others);"
    fewer = (rank > 0) & (rank < min(n_measures, n_folds))
    return caveats_of(
        counted_note(rank == 0, "no-difference", "are identical in every fold: p = 1."),
        counted_note(rank >= n_folds, "few-folds", f"{filled}, so p = 1. Use fewer measures or more folds."),
        counted_note(fewer, "dependent-measures", f"{those} those are compared."),
        least_caveat(least, n_folds),
    )
