"""Rankings by tests: significant wins on folds, Multi2Test, the order by scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_alpha
from tiebreak.advisor.rankings.pairwise import Pairs
from tiebreak.advisor.rankings.ranking import Measured, Ranking, measured, ranked, replicated
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats import fold_pairs
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.ordering import Ordering


@as_came_in
def rank_by_wins(
    accuracy: npt.ArrayLike,
    *,
    test: str | None = None,
    alpha: float = 0.05,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by their share of significant wins over the others.

    Hypothesis: on each data set, for each pair, that the two have the same expected success rate.
    Formula: win(p, q, d) = 1 where p is significantly better than q on data set d (p-value at most alpha and a higher
    mean); the weighted mean over data sets, then over the other algorithms q.
    Assumptions: those of the test on the folds. The p-values are not corrected for their number, as in the source.
    When not to use it: with few folds, where little is significant and the ranking is one tie.

    Parameters
    ----------
    accuracy : array_like, shape (data sets, algorithms, folds) or (data sets, algorithms, replications, folds)
        An algorithm with a missing fold on a data set counts as missing there; folds that no algorithm has on a data
        set do not exist there.
    test : {"corrected-t", "kfold-t", "5x2cv-f", "5x2cv-t"}, optional
        A test of `tiebreak.stats.fold_pairs`. By default "5x2cv-f" where there are 5 replications of 2 folds,
        "corrected-t" elsewhere; the source uses the k-fold paired t test, which rejects too often.
    alpha : float, default 0.05
    weights, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    brazdil2000
    nadeau2003

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(0).normal(0.7, 0.01, size=(4, 3, 10))
    >>> folds[:, 1] += 0.1
    >>> rank_by_wins(folds, algorithms=["a", "b", "c"]).algorithms[0]
    'b'
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets, whole=True)
    wins, tests, caveats = significant_wins(table, test=test, alpha=alpha)
    pairs = _pairs(table, wins)
    method = f"significant wins ({' or '.join(tests)}, alpha {alpha:g})"
    return ranked(table, *pairs.summary(table.weights), name="wins", method=method, score_name="wins", caveats=caveats)


def win_pairs(table: Measured, **_: object) -> tuple[Pairs, Caveats]:
    """Prepare wins on a table of whole cells, by the usual test."""
    wins, _tests, caveats = significant_wins(table)
    return _pairs(table, wins), caveats


def _pairs(table: Measured, wins: BoolArray) -> Pairs:
    return Pairs(mask=table.mask, values=lambda rows: wins[rows].astype(np.float64))


def significant_wins(
    table: Measured, *, test: str | None = None, alpha: float = 0.05
) -> tuple[BoolArray, tuple[str, ...], Caveats]:
    """Test every pair on every data set of a table of whole cells.

    Returned are (data sets, algorithms, algorithms) who won where both were measured, the tests, and what to say.
    """
    level, cube = check_alpha(alpha), table.cube
    wins = np.zeros((*cube.shape[:2], cube.shape[1]), dtype=bool)
    used, untested = [], 0
    for rows, folds, shape in _alike(cube):
        if folds.shape[2] < 2:
            untested += len(rows)
            continue
        name = test or ("5x2cv-f" if shape == (5, 2) else "corrected-t")
        used.append(name)
        wins[rows] = _significant(np.nan_to_num(folds, nan=0.0), name, shape[1], level)
    if not used:
        raise InputError(
            "There is one score for each data set and algorithm.",
            why="A significant win needs the scores of folds.",
            mend=either(
                "Pass accuracy of shape (data sets, algorithms, folds), or use rank_by_mean_rank.",
                "Give the scores of folds, or use --method mean-rank.",
            ),
        )
    wins &= table.mask[:, :, None] & table.mask[:, None, :]
    tests = tuple(dict.fromkeys(used))
    overlap = "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
    none = "No difference is significant on any data set: all algorithms tie."
    said = caveats_of(
        (not wins.any(), "no-difference", none),
        ("kfold-t" in tests, "folds-share-training-data", overlap),
        (untested, "no-folds", f"{untested} data set(s) without folds cannot show a significant win."),
    )
    return wins, tests, said


def _alike(cube: FloatArray) -> list[tuple[npt.NDArray[np.intp], FloatArray, tuple[int, int]]]:
    """Group the data sets that have the same folds: their places, the folds, and replications x folds of each."""
    there = np.isfinite(cube).any(axis=1)
    kinds, kind = np.unique(there.reshape(len(cube), -1), axis=0, return_inverse=True)
    out = []
    for i, slots in enumerate(kinds.reshape(-1, *there.shape[1:])):
        rows = np.flatnonzero(kind.reshape(-1) == i)
        shape = int(slots.any(axis=1).sum()), int(slots.sum(axis=1).max())
        out.append((rows, cube[rows][:, :, slots], shape))
    return out


def _significant(folds: FloatArray, test: str, per_replication: int, alpha: float) -> BoolArray:
    """Return (data sets, algorithms, algorithms): who is significantly better than whom."""
    if test == "corrected-t" and per_replication < 2:  # single splits: their share is unknown, a half is the safe guess
        per_replication = 2
    share = 1.0 / per_replication if test == "corrected-t" else None
    found = fold_pairs(folds, method=test, test_share=share)
    wins = np.zeros((*folds.shape[:2], folds.shape[1]), dtype=bool)
    significant = found.pvalue <= alpha
    wins[:, found.a, found.b] = significant & (found.mean_difference > 0)
    wins[:, found.b, found.a] = significant & (found.mean_difference < 0)
    return wins


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


@as_came_in
def rank_by_scores(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by the order by scores: MultiTest on tests of the success rates over data sets, time as cost.

    Hypothesis, formula, assumptions: those of `tiebreak.order` over scores (Wilcoxon's signed ranks of every pair,
    corrected over all pairs), with the time as cost, which is divided by the largest of its data set. Ties of cost are
    broken by the mean cost over all data sets, then by name.
    When not to use it: on a handful of data sets; without significant differences the order is that of time. To
    weigh accuracy against time use `rank_by_arr`.

    Algorithms with a gap on any of the data sets are left unranked. Data sets are not weighted.

    Parameters
    ----------
    accuracy : array_like, shape (data sets, algorithms), (..., folds) or (..., replications, folds)
    time : array_like
        Seconds, of either shape.
    alpha : float, default 0.05
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    Ranking
        `scores` are the places 1, 2, ...; `contributions` the losses on each data set over their number.

    References
    ----------
    ulas2012

    Examples
    --------
    >>> success = [[0.7 + d / 100, 0.9, 0.9 - d / 1000] for d in range(12)]
    >>> rank_by_scores(success, [[1.0, 5.0, 2.0]] * 12, algorithms=["a", "b", "c"]).algorithms
    ('b', 'c', 'a')
    """
    table = measured(accuracy, time, algorithms=algorithms, datasets=datasets)
    kept = np.flatnonzero(table.mask.all(axis=0))
    if len(kept) < 2 or len(table.datasets) < 2:
        raise InputError(
            f"{len(kept)} algorithm(s) have results and times on all {len(table.datasets)} data set(s).",
            why="The order by scores needs a complete table of two algorithms and two data sets at least.",
            mend=f"Use {either('rank_by_portfolio or rank_by_mean_rank', '--method portfolio or mean-rank')}.",
        )
    found = ordered(table, table.success[:, :, None, None], kept, rule="multitest", alpha=check_alpha(alpha))
    place = np.full(len(table.algorithms), np.nan)
    place[[table.algorithms.index(name) for name in found.order]] = np.arange(1.0, len(found.order) + 1)
    lost = np.nanmax(table.success, axis=1, keepdims=True) - table.success
    return ranked(
        table,
        place,
        lost / len(lost),
        name="scores",
        method="order by scores",
        score_name="place",
        higher_is_better=False,
        meaning="by success rates where a test finds a difference, by time where it does not",
        missing="a result or a time is missing on some data set",
        caveats=found.caveats,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdersByScores:
    """The order by scores on many choices of data sets; a place counts as a negative score."""

    table: Measured

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms); NaN where fewer than two algorithms or data sets are complete."""
        names, sets = self.table.algorithms, np.array(self.table.datasets)
        out = np.full((len(weights), len(names)), np.nan)
        for i, row in enumerate(weights > 0):
            if row.sum() < 2 or self.table.mask[row].all(axis=0).sum() < 2:
                continue
            about = {"algorithms": names, "datasets": sets[row].tolist()}
            found = rank_by_scores(self.table.success[row], np.asarray(self.table.time)[row], **about)
            out[i, [names.index(name) for name in found.algorithms]] = -np.arange(float(len(found.algorithms)))
        return out


def orders_by_scores(table: Measured, **_: object) -> tuple[OrdersByScores, Caveats]:
    """Prepare the order by scores on checked results."""
    said = Caveat("weights-ignored", "The order by scores takes no weights: neighbours count alike.")
    return OrdersByScores(table=table), (said,)
