"""Running the first N of a ranking: what is lost and what it takes, also over AccD."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.advisor.leave_one_out import neighbour_weights
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.advisor.rankings.ranking import fold_cube, measured, row_means
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.results import frozen, rows_of

SINGLE = "single best on average"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TopN(Shown):
    """Accuracy lost and time spent by running the first N algorithms; arrays are (methods, data sets, N).

    `loss` is the best success rate of the data set less that of the algorithm kept; `time` is in the unit given,
    `share` the part of the time of running all. The last N runs all, whatever the method.
    """

    methods: tuple[str, ...]
    loss: FloatArray
    time: FloatArray
    share: FloatArray
    datasets: tuple[str, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return (
            f"Loss of accuracy and share of time of the first N algorithms, means over {len(self.datasets)} data sets"
        )

    def rows(self) -> list[Row]:
        """Return one row per method and N, means over data sets; the single best on average has N = 1 only."""
        ends = [1 if name == SINGLE else self.loss.shape[2] for name in self.methods]
        places = [(i, n) for i, end in enumerate(ends) for n in range(end)]
        loss, time, share = ([part[i, :, n] for i, n in places] for part in (self.loss, self.time, self.share))
        columns: dict[str, list[Any]] = {
            "method": [self.methods[i] for i, _ in places],
            "n": [n + 1 for _, n in places],
            "mean loss": [float(row_means(values)) for values in loss],
            "worst loss": [float(np.nanmax(values)) for values in loss],
            "mean time": [float(row_means(values)) for values in time],
            "mean share of time": [float(row_means(values)) for values in share],
        }
        return rows_of(**columns)


@as_came_in
def top_n(
    recommended: Mapping[str, npt.ArrayLike],
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    validation: npt.ArrayLike | None = None,
    origins: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    training: npt.ArrayLike | None = None,
) -> TopN:
    """Run the first N of each recommended ranking, keep the best of them, and count what is lost and what it takes.

    Formula: on each data set, loss(N) = max over all algorithms of SR - SR of the one kept among the first N; time(N)
    the sum of their times. N = m is cross-validating all. "single best on average" is the algorithm with the best
    mean success rate on the other data sets (those of other origins), as in the source, run alone. Where results are
    missing, they are filled in by row and column, so that nobody gains by having been run on easy data sets alone.

    Assumptions: the one kept is the best by `validation`; without it by the success rates themselves, which makes
    every loss optimistic and that of running all 0.
    When not to use it: where algorithms can be stopped early; then time is not a sum.

    Parameters
    ----------
    recommended : mapping from method to array_like, shape (data sets, algorithms)
        Scores, higher the better, as in `Evaluation.recommended`. Algorithms without a score come last. Those without
        a result on the data set are skipped.
    accuracy, time : array_like, shape (data sets, algorithms) or (data sets, algorithms, folds)
    validation : array_like, same shapes, optional
        Success rates on other folds than those of `accuracy`, by which the best is kept.
    origins, datasets : sequence of str, optional
    training : array_like, same shapes, optional
        The success rates that the single best is chosen by, such as those of all folds; by default `accuracy`.

    Returns
    -------
    TopN

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> result = top_n({"5 neighbours": [[3, 2, 1], [1, 3, 2]]}, [[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], [[1, 2, 3]] * 2)
    >>> result.loss[0].round(2)
    array([[0.1, 0. , 0. ],
           [0.1, 0. , 0. ]])
    >>> result.share[0].round(2)
    array([[0.17, 0.5 , 1.  ],
           [0.33, 0.83, 1.  ]])
    """
    table = measured(accuracy, time, datasets=datasets)
    seconds = table.time if table.time is not None else np.empty(0)
    chosen_by = table.success if validation is None else row_means(fold_cube(validation, "validation"))
    there = table.mask & np.isfinite(chosen_by)
    if not there.any(axis=1).all():
        raise InputError(
            f"Data set {table.datasets[int(np.flatnonzero(~there.any(axis=1))[0])]!r} has no result with its time.",
            why="Nothing can be run and kept on it.",
            mend="Leave that data set out.",
        )
    orders = {name: _order(np.asarray(scores, dtype=np.float64), there) for name, scores in recommended.items()}
    if len(there) > 1:
        weights = neighbour_weights(np.ones((len(there), len(there))), k=None, origins=origins)
        known = table.success if training is None else row_means(fold_cube(training, "training"))
        orders[SINGLE] = _order(weights @ np.nan_to_num(filled(known)), there)
    curves = [_curve(order, table.success, seconds, chosen_by, there) for order in orders.values()]
    spent = np.array([time for _, time in curves])
    note = "The best of the first N is kept by the success rates that are reported, so losses are optimistic."
    return TopN(
        methods=tuple(orders),
        **frozen(loss=np.array([loss for loss, _ in curves]), time=spent, share=spent / spent[:, :, -1:]),
        datasets=table.datasets,
        caveats=table.caveats + caveats_of((validation is None, "optimistic", note)),
    )


def _order(scores: FloatArray, there: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Order algorithms: measured and scored first, by falling score; ties by column."""
    if scores.shape != there.shape:
        raise InputError(
            f"A recommended ranking has shape {scores.shape} for results of shape {there.shape}.",
            why="Every data set needs a score for every algorithm.",
            mend="Pass an array (data sets, algorithms).",
        )
    losses = np.where(np.isnan(scores), np.finfo(np.float64).max, -scores)
    return np.argsort(np.where(there, losses, np.inf), axis=1, kind="stable")


def _curve(
    order: npt.NDArray[np.intp],
    success: FloatArray,
    seconds: FloatArray,
    chosen_by: FloatArray,
    there: npt.NDArray[np.bool_],
) -> tuple[FloatArray, FloatArray]:
    """Return loss and time for N = 1..m; what was not measured adds nothing to either."""
    ran = np.take_along_axis(there, order, axis=1)
    guess = np.where(ran, np.take_along_axis(np.where(there, chosen_by, 0.0), order, axis=1), -np.inf)
    true = np.take_along_axis(np.where(there, success, -np.inf), order, axis=1)
    fresh = np.ones(guess.shape, dtype=bool)
    fresh[:, 1:] = guess[:, 1:] > np.maximum.accumulate(guess, axis=1)[:, :-1]  # a tie keeps the earlier one
    accumulate = np.maximum.accumulate(np.where(fresh, np.arange(guess.shape[1]), 0), axis=1)
    spent = np.cumsum(np.where(ran, np.take_along_axis(np.where(there, seconds, 0.0), order, axis=1), 0.0), axis=1)
    return true.max(axis=1, keepdims=True) - np.take_along_axis(true, accumulate, axis=1), spent
