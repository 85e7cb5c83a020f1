"""The true ranking on a data set, one order per fold, and how well a recommended one agrees with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_choice, check_names, readonly
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.rankings.measured import fold_cube, measured
from tiebreak.errors import InputError
from tiebreak.stats.numeric.ranks import average_ranks, snap

YARDSTICKS = ("accuracy", *(name for name, method in RANKING_METHODS.items() if method.trades_accuracy))
"""By what the true order can be made: the success rate, or a method that weighs it against time."""


def ideal_rankings(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    by: str = "accuracy",
    accd: float = 0.01,
    floor: float | None = None,
    resolution: float | None = None,
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
    accd, floor, resolution
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
        resolution=resolution,
        algorithms=algorithms,
        datasets=_fold_names(datasets, rates.shape[:2]),
    )
    pairs, _ = RANKING_METHODS[by].prepare(table, accd=accd, floor=floor)
    return readonly(_best_first(pairs.each().reshape(rates.shape)))


def _fold_names(datasets: Sequence[str] | None, shape: tuple[int, ...]) -> list[str]:
    """Name every fold of every data set."""
    names = check_names(datasets, shape[0], kind="data set")
    return [f"{name}, fold {f + 1}" if shape[1] > 1 else name for name in names for f in range(shape[1])]


def _best_first(values: FloatArray) -> FloatArray:
    """Rank the last axis, highest first; NaN stays NaN."""
    return np.where(np.isnan(values), np.nan, average_ranks(snap(-values)))


def spearman(recommended: npt.ArrayLike, ideal: npt.ArrayLike, *, tie_correction: bool = False) -> FloatArray:
    """Return Spearman's rank correlation of recommended and ideal rankings.

    Hypothesis: none; this is a coefficient, 1 for the same order, -1 for the reverse, 0 expected of a random one.

    Formula: 1 - 6 sum d^2 / (m^3 - m) with d the differences of ranks, average ranks for ties. With ties this is not
    the correlation of the ranks: a recommendation that ties everything gets 0.5 where the ideal has no ties.
    `tie_correction` gives Pearson's correlation of the ranks instead, and 0 where a ranking ties everything.

    Assumptions: both are ranks, or numbers that rise with them (lower is better).
    When not to use it: where only the first places matter; use `weighted_rank_correlation` or `top_n`.

    Parameters
    ----------
    recommended, ideal : array_like, shape (..., algorithms)
        Leading axes broadcast. Algorithms that are NaN in either are left out and the others ranked anew.
    tie_correction : bool, default False

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
    if tie_correction:
        return _pearson(r, q, m)
    squares = np.nansum((r - q) ** 2, axis=-1)
    return _where_two(m, 1.0 - 6.0 * squares / np.maximum(m**3 - m, 1))  # Brazdil et al. 2003, section 4


def weighted_rank_correlation(recommended: npt.ArrayLike, ideal: npt.ArrayLike) -> FloatArray:
    """Return the rank correlation in which differences near the top weigh more.

    Hypothesis: none; this is a coefficient, 1 for the same order, -1 for the reverse.
    Formula: r_W = 1 - 6 sum (R - Q)^2 ((m - R + 1) + (m - Q + 1)) / (m^4 + m^3 - m^2 - m), R and Q the ranks.
    Assumptions: those of `spearman`.
    When not to use it: where all places matter alike.

    Parameters
    ----------
    recommended, ideal : array_like, shape (..., algorithms)
        As in `spearman`.

    Returns
    -------
    ndarray

    References
    ----------
    pinto2005

    Examples
    --------
    >>> weighted_rank_correlation([[2, 1, 3, 4], [1, 2, 4, 3]], [1, 2, 3, 4]).round(4)
    array([0.72, 0.88])
    """
    r, q, m = _ranks(recommended, ideal)
    height = 2 * (m[..., None] + 1) - r - q
    weighted = np.nansum((r - q) ** 2 * height, axis=-1)
    whole = np.maximum(m**4 + m**3 - m**2 - m, 1)
    return _where_two(m, 1.0 - 6.0 * weighted / whole)  # r_W of Pinto da Costa and Soares 2005


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


def _pearson(r: FloatArray, q: FloatArray, m: IntArray) -> FloatArray:
    """Correlate ranks: with ties this is not the formula of squared differences."""
    middle = (m + 1)[..., None] / 2
    x, y = np.nan_to_num(r - middle), np.nan_to_num(q - middle)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return _where_two(m, np.divide((x * y).sum(axis=-1), size, out=np.zeros(size.shape), where=size > 0))


def _where_two(m: IntArray, value: FloatArray) -> FloatArray:
    """Keep coefficients of two algorithms or more: of one there is no order to agree with."""
    return np.where(m > 1, value, np.nan)
