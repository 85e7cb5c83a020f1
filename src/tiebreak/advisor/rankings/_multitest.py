"""Ranking by Multi2Test: by error where a test finds a difference, by time where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_alpha
from tiebreak.advisor.rankings._ranking import Ranking, ranked
from tiebreak.advisor.rankings.measured import Measured, measured, replicated
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.ordering import Ordering

QUICK = 9
"""Up to so many algorithms the exact correction inside a data set takes no time."""


@as_came_in
def rank_by_multitest(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    pairwise: str | None = None,
    inner_adjust: str | None = None,
    alpha: float = 0.05,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by Multi2Test on similar data: by error where a test finds a difference, by time where not.

    Hypothesis, formula, assumptions: those of `tiebreak.order` with the time as cost, which is divided by the largest
    of its data set. Ties of cost are broken by the mean cost over all data sets, then by name.
    When not to use it: to weigh accuracy against time; here time decides only what accuracy leaves open. With few
    data sets (five neighbours) the Friedman test seldom rejects, and the order is that of time.

    Algorithms with a gap on any of the data sets are left unranked. Data sets are not weighted. One data set without
    folds is refused: nothing says which of its differences are real.

    Parameters
    ----------
    accuracy : array_like, shape (data sets, algorithms), (..., folds) or (..., replications, folds)
    time : array_like
        Seconds, of either shape.
    pairwise : str, optional
        The test inside a data set. By default "5x2cv-f" for 5 replications of 2 folds, "corrected-t" for other folds,
        "score" (no test inside) without folds and where the data sets have different folds.
    inner_adjust : str, optional
        The correction of the p-values inside a data set, as in `tiebreak.order`. By default "bergmann-hommel" up to
        nine algorithms and "shaffer" above, with a caveat: the exact search takes a second per data set at 14 and ends
        there.
    alpha : float, default 0.05
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    Ranking
        `scores` are the places 1, 2, ...; `contributions` the places on each data set over their number.

    References
    ----------
    ulas2012

    Examples
    --------
    >>> success = [[0.7, 0.9, 0.9]] * 12
    >>> rank_by_multitest(success, [[1.0, 5.0, 2.0]] * 12, algorithms=["a", "b", "c"]).algorithms
    ('c', 'b', 'a')
    """
    table = measured(accuracy, time, algorithms=algorithms, datasets=datasets)
    cube, notes = _common_folds(table)
    kept = table.mask.all(axis=0) & ~np.isnan(cube).any(axis=(0, 2, 3))
    if kept.sum() < 2:
        raise InputError(
            f"{int(kept.sum())} algorithm(s) have results and times on all {len(cube)} data sets.",
            why="Multi2Test needs a complete table of two algorithms at least.",
            mend=f"Use {either('rank_by_arr or rank_by_mean_rank', '--method arr or mean-rank')}, which compare"
            " pairs where both were measured.",
        )
    test = pairwise or {(5, 2): "5x2cv-f", (1, 1): "score"}.get(cube.shape[2:], "corrected-t")
    adjust, more = _inner_adjust(inner_adjust, int(kept.sum()), test)
    if test == "score" and len(cube) == 1:
        raise InputError(
            "There is one data set, ranked by score.",
            why="Without a test inside it nothing says which differences are real.",
            mend="Give the scores of its folds, or more data sets.",
        )
    asked = {"rule": "multi2test", "pairwise": test, "inner_adjust": None if test == "score" else adjust}
    found = ordered(table, cube, np.flatnonzero(kept), alpha=check_alpha(alpha), **asked)
    return _from_ordering(table, found, (*notes, *more))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultitestScores:
    """Multi2Test on many choices of data sets; a place counts as a negative score, so that higher is better."""

    table: Measured
    seconds: FloatArray

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms); NaN where fewer than two algorithms have all results."""
        names, sets, cube = self.table.algorithms, np.array(self.table.datasets), self.table.cube
        out = np.full((len(weights), len(names)), np.nan)
        for i, row in enumerate(weights > 0):
            if _complete(cube[row], self.seconds[row]) < 2:
                continue
            found = rank_by_multitest(cube[row], self.seconds[row], algorithms=names, datasets=sets[row].tolist())
            out[i, [names.index(name) for name in found.algorithms]] = -np.arange(float(len(found.algorithms)))
        return out


def multitest_scores(table: Measured, **_: object) -> tuple[MultitestScores, Caveats]:
    """Prepare Multi2Test on checked results; times are floored anew for each choice, as by `rank_by_multitest`."""
    seconds = replicated(np.empty(0) if table.raw_time is None else table.raw_time)
    said = Caveat("weights-ignored", "Multi2Test takes no weights: neighbours count alike.")
    return MultitestScores(table=table, seconds=seconds), (said,)


def _complete(cube: FloatArray, seconds: FloatArray) -> int:
    """Count the algorithms with all folds, and a time, on all of these data sets."""
    there = np.isfinite(cube)
    whole = ~(there.any(axis=1, keepdims=True) & ~there).any(axis=(0, 2, 3)) & there.any(axis=(2, 3)).all(axis=0)
    return int((whole & np.isfinite(seconds).any(axis=(2, 3)).all(axis=0)).sum())


def _common_folds(table: Measured) -> tuple[FloatArray, Caveats]:
    """Return the folds that all data sets have, or the mean scores where they have different ones."""
    cube = table.cube
    there: BoolArray = np.asarray(np.isfinite(cube).any(axis=1))
    rows, columns = there.any(axis=(0, 2)), there.any(axis=(0, 1))
    same = bool(there[:, rows][:, :, columns].all())
    splits = int(columns.sum()) == 1 and int(rows.sum()) > 1  # single splits: no test knows their share of the data
    if same and not splits:
        return cube[:, :, rows][:, :, :, columns], ()
    why = "The folds of a replication are not known" if same else "The data sets have different folds"
    said = f"{why}: Multi2Test ranks by mean scores inside each data set."
    return table.success[:, :, None, None], (Caveat("no-folds", said),)


def _inner_adjust(asked: str | None, count: int, test: str) -> tuple[str, Caveats]:
    """Correct by Shaffer's rule where the exact search would take too long, unless told."""
    slow = asked is None and count > QUICK and test != "score"
    said = f"With {count} algorithms the p-values inside a data set are corrected by Shaffer's rule, Bergmann and"
    more = caveats_of((slow, "weak-correction", f"{said} Hommel's takes too long above {QUICK}."))
    return "shaffer" if slow else asked or "bergmann-hommel", more


def ordered(table: Measured, cube: FloatArray, kept: npt.NDArray[np.intp], **asked: Any) -> Ordering:
    """Order by the very function that users call, so that both agree."""
    from tiebreak.ordering import order  # only the methods that test need it, and it loads much
    from tiebreak.results import Results

    if table.time is None:
        raise TypeError("the table has no times")
    names = [table.algorithms[j] for j in kept]
    scores = cube[:, kept]
    seconds = np.broadcast_to(table.time[:, kept, None, None], scores.shape)
    with_scores = Results.from_array(scores, score="accuracy", algorithms=names, datasets=table.datasets)
    with_times = Results.from_array(seconds, score="train_time", algorithms=names, datasets=table.datasets)
    both = replace(
        with_scores,
        metrics=(*with_scores.metrics, *with_times.metrics),
        values={**with_scores.values, **with_times.values},
    )
    return order(both, score="accuracy", cost="train_time", **asked)


def _from_ordering(table: Measured, found: Ordering, notes: Caveats) -> Ranking:
    """Turn places into scores; algorithms that took no part have none."""
    column = {name: j for j, name in enumerate(table.algorithms)}
    place = np.full(len(column), np.nan)
    place[[column[name] for name in found.order]] = np.arange(1.0, len(found.order) + 1)
    row = {name: s for s, name in enumerate(found.datasets)}
    ranks = np.full((len(table.datasets), len(column)), np.nan)
    ranks[:, [column[name] for name in found.algorithms]] = found.ranks[[row[name] for name in table.datasets]]
    return ranked(
        table,
        place,
        ranks / len(table.datasets),
        name="multitest",
        method="Multi2Test" if len(table.datasets) > 1 else "MultiTest",
        score_name="place",
        higher_is_better=False,
        meaning="by error where a test finds a difference, by time where it does not",
        missing="a result or a time is missing on some data set",
        caveats=(*notes, *found.caveats),
    )
