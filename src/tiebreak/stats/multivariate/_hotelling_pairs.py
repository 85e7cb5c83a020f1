"""One data set, many algorithms, several measures per fold: Hotelling's paired T2 of every pair at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, as_came_in
from tiebreak.stats.adjust import CORRECTIONS
from tiebreak.stats.multivariate._hotelling import T2Outcome, paired_outcome, t2_tail
from tiebreak.stats.multivariate._measured import (
    Measured,
    Subspace,
    check_measures,
    dependent_measures,
    estimable,
    in_units,
    overlap,
    space_caveats,
)
from tiebreak.stats.multivariate.limits import too_few_folds
from tiebreak.stats.numeric.pair_sums import NOISE
from tiebreak.stats.pairwise import check_correction, correction_name, pair_indices
from tiebreak.stats.telling import OverPairs, caveats_of, frozen

BLOCK = 1_000_000
"""Numbers in a block of covariances: what bounds the memory, whatever the number of algorithms."""

PLAIN = 1e-3
"""The quick way is taken where every measure keeps more than this share of its variance, given those before it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HotellingPairsResult(OverPairs):
    """Hotelling's test of every pair of algorithms; arrays run over the pairs, `a` and `b` index `algorithms`.

    `statistic` is F on `df` (pairs x 2); `mean_difference` and `direction` (pairs x measures) are of a minus b.
    `certain` marks pairs that differ by the same amount in every fold in some combination of measures.
    """

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    rejected: BoolArray
    t2: FloatArray
    df: IntArray
    rank: IntArray
    mean_difference: FloatArray
    direction: FloatArray
    certain: BoolArray
    alpha: float
    measures: tuple[str, ...]
    n_folds: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.a)} pair(s), {len(self.measures)} measure(s), {self.n_folds} folds"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        df = {"df1": self.df[:, 0], "df2": self.df[:, 1]}
        return self.pair_rows(t2=self.t2, statistic=self.statistic, **df, pvalue=self.pvalue, adjusted=self.adjusted)


@as_came_in
def hotelling_pairs(
    measures: npt.ArrayLike,
    *,
    test_share: float | None = None,
    adjust: str = "holm",
    alpha: float = 0.05,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> HotellingPairsResult:
    """Test every pair of algorithms for a difference in any of several measures.

    Hypothesis: for each pair, the expected difference is zero in every measure.
    Formula: that of `hotelling` for each pair, then the correction over all pairs. The covariances are decomposed by
    Cholesky, all at once; where one is singular or nearly so, the differences themselves are decomposed.

    Assumptions: those of `hotelling`, for each pair; nothing is shared between pairs, so covariances may differ.

    When not to use it: where `manova` finds nothing, the pairs seldom tell more; with heavy tails or outliers use
    `permuted_pairs`.

    Degenerate input: as for `hotelling`, pair by pair: equal algorithms have rank 0 and p = 1, certain differences an
    infinite T2. Too few folds are refused, naming the first pair.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        All algorithms on the same folds.
    test_share : float, optional
        Share of the examples in the test part of a fold: 0.1 for ten folds, however often repeated. With it the
        variance is corrected for the training data that folds share; without it folds count as independent.
    adjust : str, default "holm"
        A correction by its name in `tiebreak.stats.CORRECTIONS`.
    alpha : float, default 0.05
        `rejected` is where the adjusted p-value is at most alpha.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    HotellingPairsResult
        Pairs are in the order of `np.triu_indices(algorithms, 1)`.

    References
    ----------
    hotelling1931
    yildiz2014
    nadeau2003

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(0.8, 0.05, size=(10, 3, 2))
    >>> folds[:, 2] += 0.2
    >>> result = hotelling_pairs(folds, algorithms=["knn", "svm", "tree"])
    >>> [(row["a"], row["b"]) for row, out in zip(result.rows(), result.rejected) if out]
    [('knn', 'tree'), ('svm', 'tree')]
    """
    check_correction(adjust)
    level = check_alpha(alpha)
    measured = check_measures(measures, algorithms, measure_names)
    a, b = pair_indices(len(measured.algorithms))
    common = _common_space(measured)
    outcome = _every_pair(measured, a, b, common, overlap(len(measured.values), test_share))
    _refuse_too_few(measured, outcome, a, b)
    n_folds, means = len(measured.values), measured.values.mean(axis=0)
    adjusted = CORRECTIONS[adjust](outcome.pvalue)
    return HotellingPairsResult(
        **frozen(a=a, b=b, statistic=outcome.f, pvalue=outcome.pvalue, adjusted=adjusted, rejected=adjusted <= level),
        **frozen(t2=outcome.t2, rank=outcome.rank, df=np.column_stack([outcome.rank, n_folds - outcome.rank])),
        mean_difference=in_units(means[a] - means[b], measured.exponent),
        direction=in_units(outcome.direction, -measured.exponent),
        certain=readonly(outcome.certain),
        alpha=level,
        **measured.fields(),
        method=f"Hotelling's {'' if test_share is None else 'corrected '}paired T2 tests {correction_name(adjust)}",
        caveats=_caveats(measured, outcome, common),
    )


def _common_space(measured: Measured) -> Subspace:
    """Find the measures that depend on others for all algorithms alike: an exact relation, up to rounding."""
    x = measured.values
    d = x[:, 0] - x[:, 1]
    first = estimable(d - d.mean(axis=0), measured.noise)
    if int(first.rank) == x.shape[2]:
        return first  # what one pair does not obey is no relation of all
    away = x - x.mean(axis=1, keepdims=True)
    return estimable(away.reshape(-1, x.shape[2]), measured.noise, least=0.0)


def _every_pair(measured: Measured, a: IntArray, b: IntArray, common: Subspace, wider: float) -> T2Outcome:
    """Test all pairs on the independent measures, and give the direction on all of them."""
    pivots, rows = dependent_measures(common)
    kept = [j for j in range(len(measured.measures)) if common.varies[j] and j not in pivots]
    if not kept:
        return _careful(measured.values, a, b, wider)
    spread = np.zeros((len(measured.measures), len(kept)))  # every measure from the independent ones
    spread[kept, np.arange(len(kept))] = 1.0
    spread[pivots] = rows[:, kept]
    parts = _blocks(a, len(measured.algorithms), len(kept))
    return _joined([_block(measured.values, kept, spread, a[part], b[part], wider) for part in parts])


def _blocks(a: IntArray, n_algorithms: int, n_measures: int) -> Iterator[slice]:
    """Cut the pairs into runs of whole first algorithms that fit into a block."""
    first, step = 0, max(1, BLOCK // (n_algorithms * max(n_measures, 1) ** 2))
    for start in range(0, n_algorithms - 1, step):
        last = int(np.searchsorted(a, start + step))
        yield slice(first, last)
        first = last


def _block(x: FloatArray, kept: list[int], spread: FloatArray, a: IntArray, b: IntArray, wider: float) -> T2Outcome:
    """Test a run of pairs: the quick way, and again with care where that loses digits."""
    quick, plain = _quick(x[:, :, kept], spread, a, b, wider)
    doubtful = np.flatnonzero(~plain)
    if len(doubtful):
        careful = _careful(x, a[doubtful], b[doubtful], wider)
        for field in fields(T2Outcome):
            getattr(quick, field.name)[doubtful] = getattr(careful, field.name)
    return quick


def _quick(x: FloatArray, spread: FloatArray, a: IntArray, b: IntArray, wider: float) -> tuple[T2Outcome, BoolArray]:
    """Test pairs from covariances, by Cholesky's decomposition; say for which pairs that is accurate."""
    n_folds, _, p = x.shape
    error, mean, steady = _pair_errors(x, a, b)
    scale = np.sqrt(np.where(steady[:, None], np.diagonal(error, axis1=1, axis2=2), 1.0))
    factor, pivots = _cholesky(error / (scale[:, :, None] * scale[:, None, :]))
    plain = steady & (pivots.min(axis=1) > PLAIN) & (n_folds > p)
    root = np.sqrt(n_folds / wider)
    y, weights = _substituted(factor, root * mean / scale)
    t2 = (n_folds - 1) * np.square(y).sum(axis=1)
    rank = np.full(len(a), p)
    f, pvalue = t2_tail(t2, rank, n_folds)
    direction = np.zeros((len(a), len(spread)))
    direction[plain] = _spread_out((weights / scale)[plain], error[plain], spread)
    direction *= (n_folds - 1) / root
    no = np.zeros(len(a), dtype=bool)
    outcome = T2Outcome(t2=t2, f=f, pvalue=pvalue, rank=rank, direction=direction, certain=no, too_few=no.copy())
    return outcome, plain


def _substituted(factor: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return L^-1 m and L'^-1 L^-1 m of many small triangular L."""
    y, p = means.copy(), means.shape[1]
    for j in range(p):
        y[:, j] = (y[:, j] - (factor[:, j, :j] * y[:, :j]).sum(axis=1)) / factor[:, j, j]
    w = y.copy()
    for j in reversed(range(p)):
        w[:, j] = (w[:, j] - (factor[:, j + 1 :, j] * w[:, j + 1 :]).sum(axis=1)) / factor[:, j, j]
    return y, w


def _spread_out(weights: FloatArray, error: FloatArray, spread: FloatArray) -> FloatArray:
    """Spread weights over dependent measures too: of all weights that say the same, the shortest on standard scale."""
    if len(spread) == spread.shape[1]:
        return weights
    squares = np.einsum("mi,nij,mj->nm", spread, error, spread, optimize=True)
    there = spread.any(axis=1)
    wide = np.where(there, 1.0 / np.where(there, squares, 1.0), 0.0)[:, :, None] * spread
    said = np.linalg.solve(np.swapaxes(wide, 1, 2) @ spread, weights[:, :, None])
    return np.asarray((wide @ said)[:, :, 0])


def _pair_errors(x: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return sums of squares and products of the differences, their means, and where rounding does not matter."""
    first, last = int(a[0]), int(a[-1]) + 1
    means = x.mean(axis=0)
    away = np.ascontiguousarray((x - means)[:, first:].transpose(1, 2, 0))  # folds last
    error = np.empty((len(a), x.shape[2], x.shape[2]))
    start = 0
    for i in range(last - first):  # one against all after it: a block that stays in the processor's cache
        d = away[i] - away[i + 1 :]
        np.matmul(d, d.transpose(0, 2, 1), out=error[start : start + len(d)])
        start += len(d)
    size = np.square(x).sum(axis=0)
    least = (1e3 * NOISE) ** 2 * (size[a] + size[b])
    return error, means[a] - means[b], (np.diagonal(error, axis1=1, axis2=2) > least).all(axis=1)


def _cholesky(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Decompose many small matrices at once; a pivot that is not positive is reported and replaced."""
    rest, factor = matrices.copy(), np.zeros_like(matrices)
    pivots = np.empty(matrices.shape[:2])
    for j in range(matrices.shape[1]):
        pivots[:, j] = rest[:, j, j]
        factor[:, j:, j] = rest[:, j:, j] / np.sqrt(np.maximum(pivots[:, j], PLAIN))[:, None]
        factor[:, j, j] = np.sqrt(np.maximum(pivots[:, j], PLAIN))
        below = factor[:, j + 1 :, j]
        rest[:, j + 1 :, j + 1 :] -= below[:, :, None] * below[:, None, :]
    return factor, pivots


def _careful(x: FloatArray, a: IntArray, b: IntArray, wider: float) -> T2Outcome:
    """Test pairs from the decomposed differences themselves."""
    size = np.square(x).sum(axis=0)
    step = max(1, BLOCK // (x.shape[0] * x.shape[2] * 4))
    parts = []
    for start in range(0, len(a), step):
        i, j = a[start : start + step], b[start : start + step]
        d = np.ascontiguousarray((x[:, i] - x[:, j]).transpose(1, 0, 2))
        parts.append(paired_outcome(d, NOISE * np.sqrt(size[i] + size[j]), wider)[0])
    return _joined(parts)


def _joined(parts: Sequence[T2Outcome]) -> T2Outcome:
    names = [field.name for field in fields(T2Outcome)]
    return T2Outcome(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def _refuse_too_few(measured: Measured, outcome: T2Outcome, a: IntArray, b: IntArray) -> None:
    """Refuse pairs that look certain only because K folds span no more than K - 1 directions."""
    refused = np.flatnonzero(outcome.too_few)
    if len(refused):
        first, second = (measured.algorithms[side[refused[0]]] for side in (a, b))
        n_folds, _, count = measured.values.shape
        raise too_few_folds(n_folds, count, n_folds - 1, count + 1, where=f", as for {first!r} and {second!r}")


def _caveats(measured: Measured, outcome: T2Outcome, common: Subspace) -> Caveats:
    """Pairs are counted, not named: with many algorithms there are hundreds."""
    full, total = int(common.rank), len(outcome.rank)
    equal = (outcome.rank == 0) & ~outcome.certain
    fewer = int(((outcome.rank < full) & ~equal & ~outcome.certain).sum())
    none, sure = int(equal.sum()), int(outcome.certain.sum())
    always = "differ by the same amount in every fold in some combination of measures: T2 is infinite and p the"
    those = f"differ in fewer than {full} dimension(s): each is tested in those in which it differs."
    return (
        *space_caveats(common, measured),
        *caveats_of(
            (none, "no-difference", f"{none} of {total} pair(s) have the same measures in every fold: p = 1."),
            (sure, "constant-difference", f"{sure} of {total} pair(s) {always} smallest number written."),
            (fewer, "dependent-measures", f"{fewer} of {total} pair(s) {those}"),
        ),
    )
