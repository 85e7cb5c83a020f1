"""A ranking method by name, once, or for many weightings of the data sets at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, check_names
from tiebreak.advisor.rankings.measured import fold_cube, measured
from tiebreak.advisor.rankings.places import (
    rank_by_mean_rank,
    rank_by_multitest,
    rank_by_wins,
    rank_pairs,
    replicated,
    whole_cells,
    win_pairs,
)
from tiebreak.advisor.rankings.ranking import Ranking
from tiebreak.advisor.rankings.ratios import a3r_pairs, arr_pairs, rank_by_a3r, rank_by_arr, rank_by_srr, srr_pairs
from tiebreak.advisor.rankings.trade import power_from
from tiebreak.errors import OptionError

RANKING_METHODS = {
    "arr": "adjusted ratio of ratios (accuracy and time)",
    "a3r": "adjusted ratio of ratios, monotone in time",
    "srr": "success rate ratios",
    "mean-rank": "average ranks",
    "wins": "significant wins",
    "multitest": "Multi2Test: error where it differs, time where not",
}
TIMED = ("arr", "a3r", "multitest")
"""The methods that need times."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scorer:
    """Scores of all algorithms for many weightings of the data sets: call it with (weightings, data sets).

    It returns (weightings, algorithms), higher the better, NaN for an algorithm that cannot be ranked.
    """

    method: str
    scores: Callable[[FloatArray], FloatArray]
    caveats: tuple[str, ...] = ()

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Score every weighting."""
        return self.scores(weights)


def rank_by(
    method: str,
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    accd: float = 0.01,
    weights: npt.ArrayLike | None = None,
    floor: float | None = None,
    resolution: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by a method of `RANKING_METHODS`; see the function of each method.

    Options that a method does not know (AccD without times) do not matter to it; "multitest" takes no weights.

    Parameters
    ----------
    method : {"arr", "a3r", "srr", "mean-rank", "wins", "multitest"}
    accuracy, time, accd, weights, floor, resolution, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    Brazdil, P., Soares, C. and da Costa, J. P. (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> rank_by("srr", [[0.9, 0.6], [0.8, 0.7]], algorithms=["a", "b"]).algorithms
    ('a', 'b')
    """
    check_choice("ranking method", method, RANKING_METHODS)
    seconds = _times(method, time)
    ratio = {"weights": weights, "floor": floor, "algorithms": algorithms, "datasets": datasets}
    plain = {"weights": weights, "algorithms": algorithms, "datasets": datasets}
    if method == "arr":
        return rank_by_arr(accuracy, seconds, accd=accd, resolution=resolution, **ratio)  # type: ignore[arg-type]
    if method == "a3r":
        return rank_by_a3r(accuracy, seconds, accd=accd, resolution=resolution, **ratio)  # type: ignore[arg-type]
    if method == "srr":
        return rank_by_srr(accuracy, **ratio)  # type: ignore[arg-type]
    if method == "mean-rank":
        return rank_by_mean_rank(accuracy, **plain)  # type: ignore[arg-type]
    if method == "wins":
        return rank_by_wins(accuracy, **plain)  # type: ignore[arg-type]
    return rank_by_multitest(accuracy, seconds, algorithms=algorithms, datasets=datasets)


def scorer(
    method: str,
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    accd: float = 0.01,
    floor: float | None = None,
    resolution: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Scorer:
    """Prepare a ranking method for many weightings of the same data sets, as leaving each out in turn needs.

    Names of algorithms and data sets serve to say what is refused.

    Examples
    --------
    >>> score = scorer("srr", [[0.9, 0.6], [0.8, 0.8]])
    >>> score(np.eye(2)).round(3)
    array([[1.25 , 0.833],
           [1.   , 1.   ]])
    """
    check_choice("ranking method", method, RANKING_METHODS)
    names = {"algorithms": algorithms, "datasets": datasets}
    if method == "multitest":
        return _multitest_scorer(accuracy, _times(method, time), **names)
    if method == "wins":
        return _wins_scorer(accuracy)
    table = measured(accuracy, time if method in TIMED else None, resolution=resolution, **names)
    if method == "mean-rank":
        pairs = rank_pairs(table)
        return Scorer(method=method, scores=lambda w: -pairs.scores(w), caveats=table.caveats)
    if method == "arr":
        _times(method, time)
        ratios, notes = arr_pairs(table, accd=accd, floor=floor)
    elif method == "a3r":
        _times(method, time)
        ratios, notes = a3r_pairs(table, power=power_from(accd), floor=floor)
    else:
        ratios, notes = srr_pairs(table, floor=floor)
    return Scorer(method=method, scores=ratios.scores, caveats=(*table.caveats, *notes))


def _times(method: str, time: npt.ArrayLike | None) -> npt.ArrayLike:
    if time is None and method in TIMED:
        raise OptionError(
            f"The ranking method {method!r} was asked for without times.",
            why="It weighs accuracy against time.",
            mend="Pass time=..., or use 'srr' or 'mean-rank'.",
        )
    return np.empty(0) if time is None else time


def _wins_scorer(accuracy: npt.ArrayLike) -> Scorer:
    whole = whole_cells(accuracy)
    table = measured(whole)
    pairs, _, notes = win_pairs(table, whole, test=None, alpha=0.05)
    return Scorer(method="wins", scores=pairs.scores, caveats=(*table.caveats, *notes))


def _multitest_scorer(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    algorithms: Sequence[str] | None,
    datasets: Sequence[str] | None,
) -> Scorer:
    fold_cube(accuracy, "accuracy")  # refuses other shapes
    cube, seconds = replicated(accuracy), replicated(time)
    names = check_names(algorithms, cube.shape[1], kind="algorithm")
    sets = check_names(datasets, cube.shape[0], kind="data set")

    def scores(weights: FloatArray) -> FloatArray:
        out = np.full((len(weights), len(names)), np.nan)
        for i, row in enumerate(weights > 0):
            if _complete(cube[row], seconds[row]) < 2:
                continue
            chosen = [name for name, used in zip(sets, row, strict=True) if used]
            ranking = rank_by_multitest(cube[row], seconds[row], algorithms=names, datasets=chosen)
            out[i, [names.index(name) for name in ranking.algorithms]] = -np.arange(float(len(ranking.algorithms)))
        return out

    return Scorer(method="multitest", scores=scores, caveats=("Multi2Test takes no weights: neighbours count alike.",))


def _complete(cube: FloatArray, seconds: FloatArray) -> int:
    """Count the algorithms with all folds, and a time, on all of these data sets."""
    there = np.isfinite(cube)
    whole = ~(there.any(axis=1, keepdims=True) & ~there).any(axis=(0, 2, 3)) & there.any(axis=(2, 3)).all(axis=0)
    return int((whole & np.isfinite(seconds).any(axis=(2, 3)).all(axis=0)).sum())
