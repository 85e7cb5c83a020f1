"""An order of algorithms with its scores, and the measured results and times that it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, as_floats, check_choice, check_names
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import Row, Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import either, option


def floor_times(time: FloatArray) -> tuple[FloatArray, Caveats]:
    """Raise times of 0, too short for the clock, to the smallest positive time.

    Examples
    --------
    >>> import numpy as np
    >>> floor_times(np.array([[0.0, 0.2]]))[0]
    array([[0.2, 0.2]])
    """
    short = time == 0
    if not short.any():
        return time, ()
    positive = time[time > 0]
    if not positive.size:
        raise InputError(
            "Every time is 0.",
            why="Times are compared by their ratios.",
            mend=f"Rank without time ({either('rank_by_srr', option(method='srr'))}).",
        )
    note = f"{int(short.sum())} time(s) of 0 count as {positive.min():.3g} s, the smallest positive time."
    return np.where(short, positive.min(), time), (Caveat("values-filled", note),)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Checked results: `success` and `time` are (data sets, algorithms) means, NaN where missing; weights sum to 1.

    `cube` holds the success rates as (data sets, algorithms, replications, folds).
    """

    success: FloatArray
    time: FloatArray | None
    weights: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    cube: FloatArray
    caveats: Caveats = ()

    @property
    def mask(self) -> BoolArray:
        """Where everything that is needed was measured."""
        there = np.isfinite(self.success)
        return there if self.time is None else there & np.isfinite(self.time)


def measured(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    whole: bool = False,
) -> Measured:
    """Check results and average their folds; a fold that is missing is left out of the mean, with a caveat.

    With `whole` an algorithm that lacks a fold of a data set has no result there: a test needs the same folds of both.
    """
    cube = replicated(accuracy)
    if whole:
        there = np.isfinite(cube)
        lacking = (there.any(axis=1, keepdims=True) & ~there).any(axis=(2, 3), keepdims=True)
        cube = np.where(lacking, np.nan, cube)
    success, notes = _means(cube, "accuracy")
    names = check_names(algorithms, success.shape[1], kind="algorithm")
    sets = check_names(datasets, success.shape[0], kind="data set")
    seconds, there = None, np.isfinite(success)
    if time is not None:
        seconds, more = _means(time, "time")
        _check_times(seconds, success.shape)
        seconds, floored = floor_times(seconds)
        notes += more + floored
        there &= np.isfinite(seconds)
    gaps = int((~there).sum())
    text = (
        f"{gaps} of {there.size} results are missing: every two algorithms are compared on the data sets where both"
        " were measured."
    )
    notes += caveats_of((gaps, "gaps-left-out", text))
    return Measured(
        success=success,
        time=seconds,
        weights=check_weights(weights, len(success)),
        datasets=sets,
        algorithms=names,
        cube=cube,
        caveats=notes,
    )


def replicated(accuracy: npt.ArrayLike) -> FloatArray:
    """Return (data sets, algorithms, replications, folds), with ones for the axes that are not given."""
    fold_cube(accuracy, "accuracy")  # refuses other shapes
    cube = np.asarray(accuracy, dtype=np.float64)
    return cube if cube.ndim == 4 else cube.reshape(*cube.shape[:2], 1, -1)


def fold_cube(values: npt.ArrayLike, what: str) -> FloatArray:
    """Return an array (data sets, algorithms, folds), one fold where none are given; gaps are NaN."""
    cube = as_floats(values, what=what)
    if not 2 <= cube.ndim <= 4 or 0 in cube.shape or cube.shape[1] < 2:
        raise InputError(
            f"{what} has shape {cube.shape}.",
            why="Its axes are data sets, at least two algorithms, and optionally folds (or replications and folds).",
            mend="Pass an array (data sets, algorithms) or (data sets, algorithms, folds), NaN where a result is"
            " missing.",
        )
    if np.isinf(cube).any():
        place = ", ".join(str(int(i)) for i in np.argwhere(np.isinf(cube))[0])
        raise InputError(
            f"{what}[{place}] is infinite.", why="No mean can be taken of it.", mend="Pass NaN for a failed run."
        )
    return cube.reshape(*cube.shape[:2], -1)


def row_means(values: FloatArray) -> FloatArray:
    """Average the last axis over what is there; NaN where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def check_weights(weights: npt.ArrayLike | None, count: int) -> FloatArray:
    """Return one weight per data set, not negative, summing to 1; equal ones if none are given."""
    if weights is None:
        return np.full(count, 1.0 / count)
    values = as_floats(weights, what="weights")
    if values.shape != (count,) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise OptionError(
            f"weights has shape {values.shape} for {count} data set(s), or holds a number that is no weight.",
            why="Every data set counts by a weight of zero or more, and one of them must count.",
            mend="Pass one finite weight per data set, such as 1 / (1 + distance), or leave them out.",
        )
    return np.asarray(values / values.sum())


def _means(values: npt.ArrayLike, what: str) -> tuple[FloatArray, Caveats]:
    """Average folds; one that failed is left out rather than spoiling the mean, and told."""
    cube = fold_cube(values, what)
    gaps = np.isnan(cube)
    partly = int((gaps.any(axis=2) & ~gaps.all(axis=2)).sum())
    note = f"{partly} mean(s) of {what} are over the folds that were measured; others of their folds are missing."
    return row_means(cube), caveats_of((partly, "gaps-left-out", note))


def _check_times(seconds: FloatArray, shape: tuple[int, ...]) -> None:
    """Zero is allowed: it is later raised to the smallest positive time."""
    if seconds.shape != shape:
        raise InputError(
            f"time is about {seconds.shape[0]} data sets and {seconds.shape[1]} algorithms, accuracy about {shape[0]}"
            f" and {shape[1]}.",
            why="Every success rate is weighed against the time it took.",
            mend="Pass both with the same data sets and algorithms, NaN where a result is missing.",
        )
    if (seconds < 0).any():
        s, j = np.argwhere(seconds < 0)[0]
        raise InputError(
            f"time[{s}, {j}] is {seconds[s, j]}.", why="A time is not negative.", mend="Pass seconds, NaN if unknown."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Shown):
    """Algorithms from best to worst by past results.

    `scores`, `ranks` and the columns of `contributions` run in the order of `algorithms`, best first; `ranks` gives
    ties their average. `contributions[d, j]` is what data set d adds to the score of algorithm j, weighted; their sum
    over data sets is `scores` for wins, the mean rank less 1 for average ranks, the logarithm of the geometric mean
    ratio to the other algorithms for the ratios (positive lifts, negative lowers), and the mean place for Multi2Test.
    `unranked` had too few results to be compared; a caveat says what was missing. `name` is the method as
    `RANKING_METHODS` has it, `method` what was really computed, in words.
    """

    algorithms: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    name: str
    method: str
    score_name: str
    n_datasets: int
    datasets: tuple[str, ...]
    weights: FloatArray
    contributions: FloatArray
    higher_is_better: bool = True
    accd: float | None = None
    meaning: str = ""
    unranked: tuple[str, ...] = ()
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was ranked and by what."""
        text = f": {self.meaning}" if self.meaning else ""
        return f"{len(self.algorithms)} algorithms ranked by {self.method} on {self.n_datasets} data set(s){text}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first; unranked ones last, without a score."""
        nothing = [float("nan")] * len(self.unranked)
        ranks, scores = ([*values.tolist(), *nothing] for values in (self.ranks, self.scores))
        return rows_of(**{"algorithm": (*self.algorithms, *self.unranked), "rank": ranks, self.score_name: scores})

    def explain(self, algorithm: str) -> list[Row]:
        """Return what every data set contributed to the score of one algorithm, the largest part first."""
        check_choice("ranked algorithm", algorithm, self.algorithms)
        column = self.contributions[:, self.algorithms.index(algorithm)]
        order = sorted(range(len(column)), key=lambda d: (-abs(float(column[d])), self.datasets[d]))
        names = [self.datasets[d] for d in order]
        return rows_of(dataset=names, weight=self.weights[order], contribution=column[order])


def ranked(
    table: Measured,
    scores: FloatArray,
    contributions: FloatArray,
    *,
    higher_is_better: bool = True,
    missing: str = "no data set in common with another algorithm",
    caveats: Caveats = (),
    **about: Any,
) -> Ranking:
    """Sort by score; ties by mean success rate, then by name; what has no score is left unranked.

    `about` are the fields of `Ranking` that say what was ranked by: name, method, score_name, accd, meaning.
    """
    names = table.algorithms
    losses = snap(-scores if higher_is_better else scores)
    has = ~np.isnan(losses)
    success = np.nan_to_num(row_means(table.success.T), nan=-np.inf)
    order = sorted(np.flatnonzero(has), key=lambda j: (losses[j], -success[j], names[j]))
    index = np.array(order, dtype=np.int64)
    ranks = average_ranks(losses[index])
    unranked = tuple(sorted(names[j] for j in np.flatnonzero(~has)))
    left = caveats_of((unranked, "algorithms-left-out", f"Not ranked ({missing}): {', '.join(unranked)}."))
    return Ranking(
        algorithms=tuple(names[j] for j in order),
        **frozen(scores=scores[index], ranks=ranks, weights=table.weights, contributions=contributions[:, index]),
        higher_is_better=higher_is_better,
        n_datasets=int(((table.mask.sum(axis=1) > 1) & (table.weights > 0)).sum()),
        datasets=table.datasets,
        unranked=unranked,
        caveats=(*table.caveats, *caveats, *left),
        **about,
    )
