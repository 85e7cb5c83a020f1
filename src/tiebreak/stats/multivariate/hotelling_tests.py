"""One data set, several measures per fold: Hotelling's paired T2 of two algorithms, or of every pair at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.stats.multivariate.measured import (
    Measured,
    MeasuredResult,
    Subspace,
    check_measures,
    constant_names,
    estimable,
    in_units,
    overlap,
    rank_notes,
    space_caveats,
    too_few_folds,
)
from tiebreak.stats.numeric.basics import MEAN_NOISE, TINY, f_upper, mean_outcome, same_shape
from tiebreak.stats.results import (
    CORRECTIONS,
    OverPairs,
    check_correction,
    correction_name,
    frozen,
    pair_indices,
    rows_of,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HotellingResult(MeasuredResult):
    """What Hotelling's paired test found; arrays run over `measures`, differences are those of a minus b.

    `direction` weighs the differences such that they separate best from zero. `t2_low` and `t2_high` hold for all
    linear combinations of the measures at once, `bonferroni_low` and `bonferroni_high` for the measures alone.
    """

    COLUMNS = ("adjusted", "t2_low", "t2_high", "bonferroni_low", "bonferroni_high")

    statistic: float
    pvalue: float
    df: tuple[int, int]
    t2: float
    rank: int
    direction: FloatArray
    mean_difference: FloatArray
    t: FloatArray
    t_pvalue: FloatArray
    adjusted: FloatArray
    t2_low: FloatArray
    t2_high: FloatArray
    bonferroni_low: FloatArray
    bonferroni_high: FloatArray
    alpha: float

    def title(self) -> str:
        """Say in one line what was computed."""
        first, second = self.algorithms
        return (
            f"{self.method}, {first} minus {second}: T2 {self.t2:.5g}, F {self.statistic:.5g},"
            f" df ({self.df[0]}, {self.df[1]}), p = {self.pvalue:.4g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per measure: difference, direction, paired t test, intervals."""
        result = {"mean_difference": self.mean_difference, "direction": self.direction, "t": self.t}
        return rows_of(measure=self.measures, **result, pvalue=self.t_pvalue, **self.columns())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class T2Outcome:
    """Hotelling's test of many sets of differences; `certain` marks a combination that never varies and is not 0."""

    t2: FloatArray
    f: FloatArray
    pvalue: FloatArray
    rank: IntArray
    direction: FloatArray
    certain: BoolArray
    too_few: BoolArray


@as_came_in
def hotelling(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test_share: float | None = None,
    adjust: str = "holm",
    alpha: float = 0.05,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> HotellingResult:
    """Test whether two algorithms differ in any of several measures, or any linear combination of them.

    Hypothesis: the expected difference is zero in every measure.

    Formula: T2 = m' S^-1 m / v for K folds, m the mean and S the covariance of the p differences, v = 1 / K;
    (K - r) / (r (K - 1)) T2 is F on r and K - r degrees of freedom, r the rank of S: r = p unless measures depend
    on each other exactly, and then S^-1 is the inverse on the space that the differences span. With `test_share`
    v = 1 / K + n_test / n_train, as in `corrected_resampled_t`, of which T2 is the square for one measure. The
    direction is w = S^+ m, of least length on standardised measures, so that w'm = v T2 is never negative: w weighs
    the measures where a is larger with plus. Post hoc: paired t per measure with a correction; intervals
    m_j -+ c s_j sqrt(v), with c^2 = r (K - 1) / (K - r) F(1 - alpha; r, K - r) for all linear combinations at once,
    or c = t(1 - alpha / (2 p); K - 1) by Bonferroni for the p measures.

    Assumptions:

    1. The differences are normal together (`mardia` looks at it).
    2. The folds are independent. Those of cross-validation share training data: without `test_share` the test finds
       differences too often there, in half of all runs with equal algorithms on 5x10 folds. With it, any two folds
       are correlated by n_test / (n_test + n_train), which is a heuristic.

    When not to use it: with heavy tails or outliers, or with few folds and small counts, whose differences repeat by
    chance and then look certain (one pair in ten with 3 folds of ten positives, one in 300 with 5): use
    `permuted_pairs`. With fewer folds than measures, or when one measure alone is of interest (`kfold_t`).

    Degenerate input: equal scores give T2 = 0, rank 0 and p = 1. Measures without any difference are left out with a
    caveat. Where some combination of measures differs by the same amount, not zero, in every fold, the difference is
    certain as far as the folds can tell: T2 is infinite, p the smallest number, the direction that combination,
    scaled to a difference of 1. With too few folds for the measures every difference would look like that, so the test
    refuses.

    Parameters
    ----------
    a, b : array_like, shape (folds, measures)
        Both algorithms on the same folds.
    test_share : float, optional
        Share of the examples in the test part of a fold: 0.1 for ten folds, however often repeated. With it the
        variance is corrected for the training data that folds share; without it folds count as independent.
    adjust : str, default "holm"
        The correction of the paired t tests, by its name in `tiebreak.stats.CORRECTIONS`.
    alpha : float, default 0.05
        One minus the level of the intervals.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    HotellingResult

    References
    ----------
    hotelling1931
    yildiz2014
    nadeau2003

    Examples
    --------
    >>> result = hotelling([[1, 2], [3, 4], [6, 5], [10, 7]], [[3, 5], [6, 2], [5, 7], [8, 6]])
    >>> round(result.t2, 9), round(result.statistic, 9), result.df, round(result.pvalue, 6)
    (0.375, 0.125, (2, 2), 0.888889)
    >>> round(hotelling([[1], [3], [6], [9]], [[3], [6], [5], [8]], test_share=0.25).t2, 6)  # the corrected t, squared
    0.226891
    """
    measured = check_measures(_stacked(a, b), algorithms, measure_names)
    level = check_alpha(alpha)
    correct = CORRECTIONS[check_correction(adjust, every_pair=False)]
    d = measured.values[:, 0] - measured.values[:, 1]
    wider = overlap(len(d), test_share)
    outcome, space = paired_outcome(d[None], measured.noise[None], wider)
    if outcome.too_few[0]:
        raise too_few_folds(len(d), int(space.varies.sum()), len(d) - 1, int(space.varies.sum()) + 1)
    single = mean_outcome(d, np.square(measured.noise / MEAN_NOISE), factor=wider / len(d))
    rank = int(outcome.rank[0])
    widths = dict(zip(("t2", "bonferroni"), _half_widths(d, space, rank, level, wider), strict=True))
    bounds: dict[str, Any] = {}
    for name, half in widths.items():
        bounds[f"{name}_low"] = in_units(single.mean - half, measured.exponent)
        bounds[f"{name}_high"] = in_units(single.mean + half, measured.exponent)
    return HotellingResult(
        statistic=float(outcome.f[0]),
        pvalue=float(outcome.pvalue[0]),
        df=(rank, len(d) - rank),
        t2=float(outcome.t2[0]),
        rank=rank,
        direction=in_units(outcome.direction[0], -measured.exponent),
        mean_difference=in_units(single.mean, measured.exponent),
        **frozen(t=single.statistic, t_pvalue=single.pvalue, adjusted=correct(single.pvalue)),
        **bounds,
        alpha=level,
        **measured.fields(),
        method=f"Hotelling's {'' if test_share is None else 'corrected '}paired T2 test",
        caveats=_caveats(measured, outcome, space),
    )


def _stacked(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    return np.stack(same_shape(a, b, 2, mend="Pass two arrays of the same shape (folds, measures)."), axis=1)


def paired_outcome(d: FloatArray, noise: FloatArray, wider: float = 1.0) -> tuple[T2Outcome, Subspace]:
    """Test differences (..., folds, measures) by Hotelling's T2; `noise` (..., measures) is what rounding leaves.

    `wider` is how much larger the variance of a mean is than that of independent folds, as `overlap` says.
    """
    n_folds = d.shape[-2]
    mean = d.mean(axis=-2, keepdims=True)
    space = estimable(d - mean, noise)
    root = np.sqrt(n_folds / wider)
    means = root * mean
    y = space.whitened(means)[..., 0, :]
    outside = space.outside(means)[..., 0, :]
    certain = np.asarray(outside.any(axis=-1))
    # A full space of K - 1 directions and a difference outside it: any K folds would look like that.
    too_few = np.asarray((outside * space.varies).any(axis=-1)) & (space.rank == n_folds - 1)
    t2 = np.where(certain, np.inf, (n_folds - 1) * np.square(y).sum(axis=-1))
    f, pvalue = t2_tail(t2, space.rank, n_folds)
    inside = space.weights(y) * ((n_folds - 1) / root)
    direction = np.where(certain[..., None], _constant_direction(outside / space.scale, mean[..., 0, :]), inside)
    outcome = T2Outcome(
        t2=t2, f=f, pvalue=pvalue, rank=space.rank, direction=direction, certain=certain, too_few=too_few
    )
    return outcome, space


def t2_tail(t2: FloatArray, rank: IntArray, n_folds: int) -> tuple[FloatArray, FloatArray]:
    """Return F and its tail; rank 0 gives F = 0 and p = 1 unless T2 is infinite."""
    dimension = np.maximum(rank, 1)
    room = np.maximum(n_folds - dimension, 1)
    f = room / (dimension * (n_folds - 1.0)) * t2  # Hotelling 1931
    return f, np.where(np.isinf(f), TINY, f_upper(f, dimension, room))


def _constant_direction(weights: FloatArray, mean: FloatArray) -> FloatArray:
    """Scale weights of a combination that never varies to a difference of 1; zeros stay."""
    size = (weights * mean).sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(size == 0.0, 1.0, size))


def _half_widths(
    d: FloatArray, space: Subspace, rank: int, alpha: float, wider: float
) -> tuple[FloatArray, FloatArray]:
    """Half widths of intervals that hold for all combinations of measures at once (T2), and for the measures alone."""
    n_folds, n_measures = d.shape
    error = np.where(space.varies[0], d.std(axis=0, ddof=1), 0.0) * np.sqrt(wider / n_folds)
    if rank == 0:
        return error, error
    quantile = special.fdtri(rank, n_folds - rank, 1.0 - alpha)
    factor = np.sqrt(rank * (n_folds - 1) / (n_folds - rank) * quantile)
    return factor * error, -special.stdtrit(n_folds - 1, alpha / (2 * n_measures)) * error


def _caveats(measured: Measured, outcome: T2Outcome, space: Subspace) -> Caveats:
    """An infinite T2 is certainty about these folds alone, and must be said before it is believed."""
    one = Subspace(**{name: getattr(space, name)[0] for name in Subspace.__slots__})
    certain, n_folds, rank = bool(outcome.certain[0]), len(measured.values), int(one.rank)
    if not one.varies.any() and not certain:
        same = "The two algorithms have the same measures in every fold: nothing distinguishes them."
        return caveats_of((True, "no-difference", same))
    moved = np.asarray(certain & (outcome.direction[0] != 0.0))
    sure = f"differs by the same amount in all {n_folds} folds: T2 is infinite and p the smallest number written, which"
    text = f"{constant_names(measured, moved)} {sure} is certainty about these folds, not about others."
    few = f"{n_folds} folds for {rank} dimension(s) leave {n_folds - rank} degree(s) of freedom: only a very large"
    return (
        *space_caveats(one, measured, moved=moved),
        *caveats_of(
            (certain, "constant-difference", text),
            (not certain and n_folds - rank < 5, "few-folds", f"{few} difference can be found."),
        ),
    )


BLOCK = 200_000
"""Numbers in a block of differences: what bounds the memory, whatever the number of algorithms."""
INDEPENDENT = 1e-4
"""Where the determinant of the correlations is larger, the least eigenvalue is at least a third of this."""


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
    Formula: that of `hotelling` for each pair, then the correction over all pairs. The differences of many pairs are
    decomposed at once.

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
    outcome = _every_pair(measured.values, a, b, overlap(len(measured.values), test_share))
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
        caveats=_hotelling_pairs_caveats(measured, outcome, common),
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


def _every_pair(x: FloatArray, a: IntArray, b: IntArray, wider: float) -> T2Outcome:
    """Test pairs by solving for their covariances, or by decomposing the differences where measures may depend."""
    size = np.square(x).sum(axis=0)
    step = max(1, BLOCK // (x.shape[0] * x.shape[2] * 4))
    parts = []
    for start in range(0, len(a), step):
        i, j = a[start : start + step], b[start : start + step]
        d = np.ascontiguousarray((x[:, i] - x[:, j]).transpose(1, 0, 2))
        parts.append(_block(d, MEAN_NOISE * np.sqrt(size[i] + size[j]), wider))
    names = [field.name for field in fields(T2Outcome)]
    return T2Outcome(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def _block(d: FloatArray, noise: FloatArray, wider: float) -> T2Outcome:
    """Test differences (pairs, folds, measures) at once; a large determinant of the correlations bounds all errors."""
    n_pairs, n_folds, n_measures = d.shape
    mean = d.mean(axis=1)
    centred = d - mean[:, None]
    gram = np.swapaxes(centred, 1, 2) @ centred
    norms = np.sqrt(np.diagonal(gram, axis1=1, axis2=2))
    scale = np.where(norms > noise, norms, 1.0)
    correlation = gram / (scale[:, :, None] * scale[:, None, :])
    sound = (norms > noise).all(axis=1) & (np.linalg.det(correlation) > INDEPENDENT)
    correlation[~sound] = np.eye(n_measures)
    weights = np.linalg.solve(correlation, (mean / scale)[:, :, None])[:, :, 0] / scale
    t2 = (n_folds - 1) * n_folds / wider * (weights * mean).sum(axis=1)
    f, pvalue = t2_tail(t2, np.full(n_pairs, n_measures), n_folds)
    none = np.zeros(n_pairs, dtype=bool)
    found = {"t2": t2, "f": f, "pvalue": pvalue, "rank": np.full(n_pairs, n_measures), "certain": none}
    found |= {"direction": (n_folds - 1) * weights, "too_few": none.copy()}
    if not sound.all():
        rest, _ = paired_outcome(d[~sound], noise[~sound], wider)
        for name, values in found.items():
            values[~sound] = getattr(rest, name)
    return T2Outcome(**found)


def _refuse_too_few(measured: Measured, outcome: T2Outcome, a: IntArray, b: IntArray) -> None:
    """Refuse pairs that look certain only because K folds span no more than K - 1 directions."""
    refused = np.flatnonzero(outcome.too_few)
    if len(refused):
        first, second = (measured.algorithms[side[refused[0]]] for side in (a, b))
        n_folds, _, count = measured.values.shape
        raise too_few_folds(n_folds, count, n_folds - 1, count + 1, where=f", as for {first!r} and {second!r}")


def _hotelling_pairs_caveats(measured: Measured, outcome: T2Outcome, common: Subspace) -> Caveats:
    """Pairs are counted, not named: with many algorithms there are hundreds."""
    where = "in every fold in some combination of measures: T2"
    rows = rank_notes(outcome.rank, outcome.certain, int(common.rank), where)
    return (*space_caveats(common, measured), *caveats_of(*rows))
