"""How far rankings agree with the ideal ones, how far they can, and which ranking method agrees best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_alpha,
    check_choice,
    check_matrix,
    check_names,
    readonly,
)
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.rankings.ranking import fold_cube, measured, row_means
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import dunn_pairs, friedman
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import frozen, rows_of

YARDSTICKS = ("accuracy", *(name for name, method in RANKING_METHODS.items() if method.trades_accuracy))
"""By what the true order can be made: the success rate, or a method that weighs it against time."""


def ideal_rankings(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    by: str = "accuracy",
    accd: float = 0.01,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> FloatArray:
    """Return the ranks of the algorithms on every data set, one order per fold.

    Formula: the ranks, 1 the best, of the success rates of a fold; or of their ARR or A3R on it, the mean over all
    algorithms q. Without folds there is one order per data set.

    Parameters
    ----------
    accuracy, time : array_like, shape (data sets, algorithms) or (data sets, algorithms, folds)
        NaN where missing. Times without folds serve all folds.
    by : {"accuracy", "arr", "a3r"}
    accd
        As in `rank_by_arr`.
    algorithms, datasets : sequence of str, optional
        Names, to say what is refused.

    Returns
    -------
    ndarray, shape (data sets, folds, algorithms)
        NaN where a result is missing.

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> ideal_rankings([[[0.9, 0.7], [0.8, 0.8]]])
    array([[[1., 2.],
            [2., 1.]]])
    """
    check_choice("yardstick", by, YARDSTICKS)
    rates = np.moveaxis(fold_cube(accuracy, "accuracy"), 2, 1)
    if by == "accuracy":
        return readonly(_best_first(rates))
    times = np.moveaxis(fold_cube(np.empty((0, 0)) if time is None else time, "time"), 2, 1)
    m = rates.shape[2]
    table = measured(
        rates.reshape(-1, m),
        np.broadcast_to(times, rates.shape).reshape(-1, m),
        algorithms=algorithms,
        datasets=_fold_names(datasets, rates.shape[:2]),
    )
    pairs, _ = RANKING_METHODS[by].prepare(table, accd=accd)
    return readonly(_best_first(pairs.each().reshape(rates.shape)))


def _fold_names(datasets: Sequence[str] | None, shape: tuple[int, ...]) -> list[str]:
    """Name every fold of every data set."""
    names = check_names(datasets, shape[0], kind="data set")
    return [f"{name}, fold {f + 1}" if shape[1] > 1 else name for name in names for f in range(shape[1])]


def _best_first(values: FloatArray) -> FloatArray:
    """Rank the last axis, highest first; NaN stays NaN."""
    return np.where(np.isnan(values), np.nan, average_ranks(snap(-values)))


def spearman(recommended: npt.ArrayLike, ideal: npt.ArrayLike) -> FloatArray:
    """Return Spearman's rank correlation of recommended and ideal rankings.

    Hypothesis: none; this is a coefficient, 1 for the same order, -1 for the reverse, 0 expected of a random one.

    Formula: 1 - 6 sum d^2 / (m^3 - m) with d the differences of ranks, average ranks for ties. With ties this is not
    the correlation of the ranks: a recommendation that ties everything gets 0.5 where the ideal has no ties.

    Assumptions: both are ranks, or numbers that rise with them (lower is better).
    When not to use it: where only the first places matter; use `top_n`.

    Parameters
    ----------
    recommended, ideal : array_like, shape (..., algorithms)
        Leading axes broadcast. Algorithms that are NaN in either are left out and the others ranked anew.

    Returns
    -------
    ndarray
        One coefficient per row; NaN where fewer than two algorithms are left.

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> float(spearman([4, 1, 6, 2, 5, 3], [4, 1, 6, 2.5, 2.5, 5]).round(4))
    0.7
    """
    r, q, m = _ranks(recommended, ideal)
    squares = np.nansum((r - q) ** 2, axis=-1)
    values = 1.0 - 6.0 * squares / np.maximum(m**3 - m, 1)  # Brazdil et al. 2003, section 4
    return np.where(m > 1, values, np.nan)


def rank_penalty(m: int) -> FloatArray:
    """Return what an error of 1, 2, ..., m - 1 places of one algorithm takes from Spearman's coefficient.

    Formula: d(e) = 6 e^2 / (m^3 - m).

    Examples
    --------
    >>> rank_penalty(10).round(3)[:4]
    array([0.006, 0.024, 0.055, 0.097])
    """
    if m < 2:
        raise InputError(
            f"There are {m} algorithm(s).", why="A ranking needs two.", mend="Use the number of ranked algorithms."
        )
    errors = np.arange(1, m)
    return np.asarray(6.0 * errors**2 / (m**3 - m))


def _ranks(recommended: npt.ArrayLike, ideal: npt.ArrayLike) -> tuple[FloatArray, FloatArray, IntArray]:
    """Rank both anew over the algorithms that both hold, NaN elsewhere, and count these."""
    first, second = as_floats(recommended, what="recommended"), as_floats(ideal, what="ideal")
    if first.ndim == 0 or second.ndim == 0 or first.shape[-1] != second.shape[-1]:
        raise InputError(
            f"recommended has shape {first.shape} and ideal has shape {second.shape}.",
            why="Both rank the same algorithms, on the last axis.",
            mend="Pass one rank per algorithm, in the same order of algorithms.",
        )
    first, second = np.broadcast_arrays(first, second)
    gone = np.isnan(first) | np.isnan(second)
    r, q = (np.where(gone, np.nan, average_ranks(snap(np.where(gone, np.nan, x)))) for x in (first, second))
    return r, q, (~gone).sum(axis=-1)


def ceiling(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    by: str = "accuracy",
    accd: float = 0.01,
    splits: int = 20,
    seed: int = 0,
) -> FloatArray:
    """Measure how well the data set itself predicts its ranking: no recommendation can be expected to do better.

    Formula: the folds are halved at random, `splits` times; the ranking of the means of one half is compared by
    Spearman's coefficient with the order of each fold of the other half.

    Assumptions: folds are exchangeable.
    When not to use it: with fewer than four folds, where halves are single folds.

    Parameters
    ----------
    accuracy, time : array_like, shape (data sets, algorithms, folds)
    by, accd
        As in `ideal_rankings`.
    splits : int, default 20
    seed : int, default 0

    Returns
    -------
    ndarray, shape (data sets,)

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(0, 0.01, size=(50, 5, 10))
    >>> result = ceiling(0.7 + 0.02 * np.arange(5)[:, None] + noise)
    >>> result.shape, bool(0.5 < result.mean() < 1)
    ((50,), True)
    """
    rates = fold_cube(accuracy, "accuracy")
    folds = rates.shape[2]
    if folds < 2:
        raise InputError(
            "There is one score for each data set and algorithm.",
            why="The ceiling compares one half of the folds with the other.",
            mend="Pass accuracy of shape (data sets, algorithms, folds).",
        )
    if isinstance(splits, bool) or splits < 1:
        raise OptionError(f"splits is {splits!r}.", why="It counts halvings.", mend="Use splits=20.")
    times = None if time is None else np.broadcast_to(fold_cube(time, "time"), rates.shape)

    def ranks(part: slice | IntArray, *, means: bool = True) -> FloatArray:
        cut = [None if values is None else values[:, :, part] for values in (rates, times)]
        success, seconds = [row_means(item) if means and item is not None else item for item in cut]
        return ideal_rankings(success, seconds, by=by, accd=accd)  # type: ignore[arg-type]

    orders, result = ranks(slice(None), means=False), []
    rng = np.random.default_rng(seed)
    for _ in range(splits):
        mixed = rng.permutation(folds)
        one, other = mixed[: folds // 2], mixed[folds // 2 :]
        result.append(row_means(spearman(ranks(one), orders[:, other])))
    return readonly(row_means(np.array(result).T))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankerComparison(Shown):
    """Friedman's M and Dunn's T for ranking methods.

    `spread` is S, the sum of squared deviations of the mean ranks from their mean; `m` = 12 n S / (k (k + 1)), as
    printed; `tie_factor` its correction and `m_corrected` the quotient, whose p-value is `pvalue`. `t[i, j]` is
    negative where method i has the lower (better) mean rank; `better[i, j]` says that i is significantly better.
    `wins[i, j]` counts the blocks in which i scored higher than j.
    """

    methods: tuple[str, ...]
    mean_ranks: FloatArray
    n_blocks: int
    spread: float
    m: float
    tie_factor: float
    m_corrected: float
    pvalue: float
    t: FloatArray
    critical_value: float
    better: BoolArray
    wins: IntArray
    alpha: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was found."""
        return (
            f"Friedman M = {self.m_corrected:.4g} (p = {self.pvalue:.3g}) on {self.n_blocks} blocks; Dunn's critical T"
            f" = {self.critical_value:.3f} at {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per method, best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        beaten = [", ".join(self.methods[j] for j in np.flatnonzero(self.better[i])) or "-" for i in order]
        names = [self.methods[i] for i in order]
        ranks = {"mean rank": self.mean_ranks[order]}
        return rows_of(method=names, **ranks, **{"significantly better than": beaten})

    def pairs(self) -> list[Row]:
        """Return one row per pair: T, whether it is significant, and the blocks won and lost (the +/- counts)."""
        a, b = np.triu_indices(len(self.methods), 1)
        return rows_of(
            a=[self.methods[i] for i in a],
            b=[self.methods[j] for j in b],
            t=self.t[a, b],
            significant=(self.better | self.better.T)[a, b],
            plus=self.wins[a, b],
            minus=self.wins[b, a],
        )


@as_came_in
def compare_rankers(
    scores: npt.ArrayLike,
    *,
    alpha: float = 0.25,
    higher_is_better: bool = True,
    folds: int = 1,
    methods: Sequence[str] | None = None,
) -> RankerComparison:
    """Compare ranking methods over blocks, data sets or data sets x folds, by Friedman's test and Dunn's.

    Hypothesis: all methods rank equally well; then, for each pair, that the two do.

    Formula: with mean ranks R_j over n blocks and k methods, S = sum (R_j - (k + 1) / 2)^2,
    M = 12 n S / (k (k + 1)), divided by 1 - sum(t^3 - t) / (n (k^3 - k)) for groups of t ties; chi-squared on k - 1
    degrees of freedom. T = D / sqrt(n k (k + 1) / 6) with D the difference of rank sums, each side at the level
    alpha / (k (k - 1)).

    Assumptions:

    1. Blocks are independent. The folds of a data set are not: the p-value of blocks that are folds is too small, and
       the same test on the means of the data sets is the safe one.
    2. There are enough blocks for the approximations (ten or more).

    When not to use it: for two methods over data sets; the Wilcoxon test has more power.

    Parameters
    ----------
    scores : array_like, shape (blocks, methods)
    alpha : float, default 0.25
        Dunn's overall level, 0.25 by the convention of the source.
    higher_is_better : bool, default True
        Coefficients of agreement are; pass False for ranks.
    folds : int, default 1
        How many blocks share a data set; more than 1 adds the caveat above.
    methods : sequence of str, optional

    Returns
    -------
    RankerComparison

    References
    ----------
    brazdil2003
    neave1988

    Examples
    --------
    >>> result = compare_rankers([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]], higher_is_better=False)
    >>> round(result.spread, 2), round(result.m, 2), result.t[0].round(2), round(result.critical_value, 2)
    (4.56, 8.2, array([ 0.  , -0.32, -1.58, -2.53]), 2.04)
    """
    matrix = check_matrix(scores)
    names = check_names(methods, matrix.shape[1], kind="method")
    level = check_alpha(alpha)
    n, k = matrix.shape
    plain = friedman(matrix, higher_is_better=higher_is_better, tie_correction=False, statistic="chi2")
    corrected = friedman(matrix, higher_is_better=higher_is_better, statistic="chi2")
    dunn = dunn_pairs(matrix, alpha=level, tie_correction=False, higher_is_better=higher_is_better)  # as published
    t = np.zeros((k, k))
    t[dunn.a, dunn.b] = dunn.statistic
    t[dunn.b, dunn.a] = -dunn.statistic
    turned = matrix if higher_is_better else -matrix
    critical = float(dunn.critical_value or np.nan)
    better = t <= -critical
    text = (
        f"Friedman's test does not reject at {level:g} (p = {corrected.chi2_pvalue:.3g}): pairs marked significant by"
        " Dunn's test are no evidence that the methods differ."
    )
    mixed = (
        f"The {folds} folds of a data set count as separate blocks, as in the source; they are not independent, so"
        " differences look surer than they are."
    )
    contradicted = better.any() and corrected.chi2_pvalue > level
    caveats = caveats_of((contradicted, "omnibus-hides-pairs", text), (folds > 1, "dependent-blocks", mixed))
    return RankerComparison(
        methods=names,
        mean_ranks=corrected.mean_ranks,
        n_blocks=n,
        spread=plain.chi2 * k * (k + 1) / (12 * n),  # S of Neave and Worthington 1988, M solved for it
        m=plain.chi2,
        tie_factor=corrected.tie_factor,
        m_corrected=corrected.chi2,
        pvalue=corrected.chi2_pvalue,
        critical_value=critical,
        **frozen(t=t, better=better, wins=(turned[:, :, None] > turned[:, None, :]).sum(axis=0)),
        alpha=level,
        caveats=(*map(_of_blocks, corrected.caveats), *caveats),
    )


@as_came_in
def compare_blocks(values: FloatArray, methods: Sequence[str], *, alpha: float) -> RankerComparison:
    """Compare methods on (methods, data sets, folds): a block is a fold, left out where a method has no value."""
    blocks = complete_blocks(values)
    return compare_rankers(blocks, methods=methods, alpha=alpha, folds=values.shape[2])


def complete_blocks(values: FloatArray) -> FloatArray:
    """Return (data sets x folds, methods) without the blocks where a method has no value."""
    blocks = np.moveaxis(values, 0, -1).reshape(-1, len(values))
    return np.asarray(blocks[~np.isnan(blocks).any(axis=1)])


def _of_blocks(note: Caveat) -> Caveat:
    """Word what was said of data sets and algorithms for blocks and methods."""
    words = note.replace("data sets", "blocks").replace("data set", "block").replace("algorithms", "methods")
    return Caveat(note.code, words)
