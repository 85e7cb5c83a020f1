"""Rankings by place: average ranks, significant wins, and Multi2Test on similar data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_alpha
from tiebreak.advisor.rankings._pairs import LossPairs, WinPairs
from tiebreak.advisor.rankings.measured import Measured, fold_cube, measured
from tiebreak.advisor.rankings.ranking import Ranking, ranked
from tiebreak.errors import InputError
from tiebreak.stats import fold_pairs
from tiebreak.stats.numeric.ranks import snap

if TYPE_CHECKING:
    from tiebreak.deciding.order import Ordering

QUICK = 9
"""Up to so many algorithms the exact correction inside a data set takes no time."""


def rank_by_mean_rank(
    accuracy: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by their average rank over data sets; time does not count.

    Hypothesis: none; this is a ranking, not a test.

    Formula: the weighted mean over data sets of the rank of the success rate, 1 the best, ties sharing the average.
    Written over pairs, 1 + (m - 1) times the mean over the other algorithms q of the share of data sets where q is
    better (a tie counts a half), it also holds with gaps: each share is over the data sets where both were measured.

    Assumptions: scores can be ordered within a data set; higher is better.
    When not to use it: where the size of differences matters; use `rank_by_srr` or `rank_by_arr`.

    Parameters
    ----------
    accuracy, weights, algorithms, datasets
        As in `rank_by_arr`; the scores may have any sign.

    Returns
    -------
    Ranking

    References
    ----------
    Brazdil, P. and Soares, C. (2000). doi:10.1007/3-540-45164-1_8

    Examples
    --------
    >>> found = rank_by_mean_rank([[0.9, 0.8, 0.7], [0.6, 0.7, 0.7]], algorithms=["a", "b", "c"])
    >>> found.algorithms, found.scores
    (('b', 'a', 'c'), array([1.75, 2.  , 2.25]))
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs = rank_pairs(table)
    others = len(table.algorithms) - 1
    losses, parts = pairs.summary(table.weights)
    return ranked(
        table,
        1 + others * losses,
        others * parts,
        method="average ranks",
        score_name="mean_rank",
        higher_is_better=False,
    )


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
    Brazdil, P. and Soares, C. (2000). doi:10.1007/3-540-45164-1_8
    Nadeau, C. and Bengio, Y. (2003). doi:10.1023/A:1024068626366

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(0).normal(0.7, 0.01, size=(4, 3, 10))
    >>> folds[:, 1] += 0.1
    >>> rank_by_wins(folds, algorithms=["a", "b", "c"]).algorithms[0]
    'b'
    """
    whole = whole_cells(accuracy)
    table = measured(whole, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, used, caveats = win_pairs(table, whole, test=test, alpha=alpha)
    return ranked(
        table,
        *pairs.summary(table.weights),
        method=f"significant wins ({' or '.join(used)}, alpha {alpha:g})",
        score_name="wins",
        higher_is_better=True,
        caveats=caveats,
    )


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
    Ulas, A., Yildiz, O. T. and Alpaydin, E. (2012). doi:10.1016/j.patcog.2011.10.005

    Examples
    --------
    >>> success = [[0.7, 0.9, 0.9]] * 12
    >>> rank_by_multitest(success, [[1.0, 5.0, 2.0]] * 12, algorithms=["a", "b", "c"]).algorithms
    ('c', 'b', 'a')
    """
    table = measured(accuracy, time, algorithms=algorithms, datasets=datasets)
    cube, notes = _common_folds(replicated(accuracy), table)
    kept = table.mask.all(axis=0) & ~np.isnan(cube).any(axis=(0, 2, 3))
    if kept.sum() < 2:
        raise InputError(
            f"{int(kept.sum())} algorithm(s) have results and times on all {len(cube)} data sets.",
            why="Multi2Test needs a complete table of two algorithms at least.",
            mend="Use rank_by_arr or rank_by_mean_rank, which compare pairs where both were measured.",
        )
    test = pairwise or _pairwise_for(cube.shape[2:])
    adjust, more = _inner_adjust(inner_adjust, int(kept.sum()), test)
    found = _ordering(table, cube, np.flatnonzero(kept), test, adjust, check_alpha(alpha))
    return _from_ordering(table, found, (*notes, *more))


def rank_pairs(table: Measured) -> LossPairs:
    """Prepare average ranks on checked results; noise in the last digits makes no order."""
    return LossPairs(mask=table.mask, success=snap(table.success))


def whole_cells(accuracy: npt.ArrayLike) -> FloatArray:
    """Return (data sets, algorithms, replications, folds); an algorithm that lacks a fold of a data set has none."""
    fold_cube(accuracy, "accuracy")  # refuses other shapes
    cube = replicated(accuracy)
    there = np.isfinite(cube)
    lacking = (there.any(axis=1, keepdims=True) & ~there).any(axis=(2, 3), keepdims=True)
    return np.where(lacking, np.nan, cube)


def win_pairs(
    table: Measured, cube: FloatArray, *, test: str | None, alpha: float
) -> tuple[WinPairs, tuple[str, ...], tuple[str, ...]]:
    """Test every pair on every data set; return the wins, the tests, and what to say. `cube` is of `whole_cells`."""
    level = check_alpha(alpha)
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
            mend="Pass accuracy of shape (data sets, algorithms, folds), or use rank_by_mean_rank.",
        )
    names = tuple(dict.fromkeys(used))
    caveats = _win_caveats(wins & _both(table.mask), names, len(used), untested)
    return WinPairs(mask=table.mask, wins=wins), names, caveats


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


def _both(mask: BoolArray) -> BoolArray:
    return np.asarray(mask[:, :, None] & mask[:, None, :])


def _win_caveats(wins: BoolArray, tests: tuple[str, ...], kinds: int, untested: int) -> tuple[str, ...]:
    found = []
    if not wins.any():
        found.append("No difference is significant on any data set: all algorithms tie.")
    if "kfold-t" in tests:
        found.append("The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often.")
    if kinds > 1:
        found.append(f"The data sets have different folds: each is tested on its own ({' or '.join(tests)}).")
    if untested:
        found.append(f"{untested} data set(s) without folds cannot show a significant win.")
    return tuple(found)


def replicated(accuracy: npt.ArrayLike) -> FloatArray:
    """Return (data sets, algorithms, replications, folds), with ones for the axes that are not given."""
    cube = np.asarray(accuracy, dtype=np.float64)
    if cube.ndim == 4:
        return cube
    return cube.reshape(*cube.shape[:2], 1, 1) if cube.ndim == 2 else cube[:, :, None, :]


def _common_folds(cube: FloatArray, table: Measured) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the folds that all data sets have, or the mean scores where they have different ones."""
    there: BoolArray = np.asarray(np.isfinite(cube).any(axis=1))
    rows, columns = there.any(axis=(0, 2)), there.any(axis=(0, 1))
    same = bool(there[:, rows][:, :, columns].all())
    splits = int(columns.sum()) == 1 and int(rows.sum()) > 1
    if same and not splits:
        return cube[:, :, rows][:, :, :, columns], ()
    why = "The folds of a replication are not known" if same else "The data sets have different folds"
    return table.success[:, :, None, None], (f"{why}: Multi2Test ranks by mean scores inside each data set.",)


def _inner_adjust(asked: str | None, count: int, test: str) -> tuple[str, tuple[str, ...]]:
    if asked is not None or count <= QUICK or test == "score":
        return asked or "bergmann-hommel", ()
    said = f"With {count} algorithms the p-values inside a data set are corrected by Shaffer's rule, Bergmann and"
    return "shaffer", (f"{said} Hommel's takes too long above {QUICK}.",)


def _pairwise_for(folds: tuple[int, ...]) -> str:
    if folds == (5, 2):
        return "5x2cv-f"
    return "score" if folds == (1, 1) else "corrected-t"


def _ordering(
    table: Measured, cube: FloatArray, kept: npt.NDArray[np.intp], test: str, adjust: str, alpha: float
) -> Ordering:
    from tiebreak.deciding.order import order  # only this method needs it, and it loads much
    from tiebreak.tables import Results

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
    return order(
        both,
        score="accuracy",
        cost="train_time",
        pairwise=test,
        inner_adjust=None if test == "score" else adjust,
        alpha=alpha,
        ties="mean-cost",
    )


def _from_ordering(table: Measured, found: Ordering, notes: tuple[str, ...]) -> Ranking:
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
        method="Multi2Test" if len(table.datasets) > 1 else "MultiTest",
        score_name="place",
        higher_is_better=False,
        meaning="by error where a test finds a difference, by time where it does not",
        missing="a result or a time is missing on some data set",
        caveats=(*notes, *found.caveats),
    )
