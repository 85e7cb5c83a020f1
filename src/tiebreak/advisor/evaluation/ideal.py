"""The true ranking on a data set: one order per fold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_names, readonly
from tiebreak.advisor.rankings.measured import fold_cube, measured
from tiebreak.advisor.rankings.ratios import a3r_pairs, arr_pairs
from tiebreak.advisor.rankings.trade import power_from
from tiebreak.stats.numeric.ranks import average_ranks, snap

YARDSTICKS = ("accuracy", "arr", "a3r")


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
    Brazdil, P., Soares, C. and da Costa, J. P. (2003), section 4. doi:10.1023/A:1021713901879

    Examples
    --------
    >>> ideal_rankings([[[0.9, 0.7], [0.8, 0.8]]])
    array([[[1., 2.],
            [2., 1.]]])
    """
    check_choice("yardstick", by, YARDSTICKS)
    rates = np.moveaxis(fold_cube(accuracy, "accuracy"), 2, 1)
    if by == "accuracy":
        return readonly(_ranks(rates))
    times = np.moveaxis(fold_cube(np.empty((0, 0)) if time is None else time, "time"), 2, 1)
    m = rates.shape[2]
    table = measured(
        rates.reshape(-1, m),
        np.broadcast_to(times, rates.shape).reshape(-1, m),
        resolution=resolution,
        algorithms=algorithms,
        datasets=_fold_names(datasets, rates.shape[:2]),
    )
    if by == "arr":
        pairs, _ = arr_pairs(table, accd=accd, floor=floor)
    else:
        pairs, _ = a3r_pairs(table, power=power_from(accd), floor=floor)
    return readonly(_ranks(pairs.each().reshape(rates.shape)))


def _fold_names(datasets: Sequence[str] | None, shape: tuple[int, ...]) -> list[str]:
    """Name every fold of every data set."""
    names = check_names(datasets, shape[0], kind="data set")
    return [f"{name}, fold {f + 1}" if shape[1] > 1 else name for name in names for f in range(shape[1])]


def _ranks(values: FloatArray) -> FloatArray:
    """Rank the last axis, highest first; NaN stays NaN."""
    return np.where(np.isnan(values), np.nan, average_ranks(snap(-values)))
