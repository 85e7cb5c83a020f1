"""Rankings by tests: significant wins on folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_alpha
from tiebreak.advisor.rankings.pairwise import Pairs
from tiebreak.advisor.rankings.ranking import Measured, Ranking, measured, ranked
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats import fold_pairs
from tiebreak.wording import either, option


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
                f"Give the scores of folds, or use {option(method='mean-rank')}.",
            ),
        )
    wins &= table.mask[:, :, None] & table.mask[:, None, :]
    tests = tuple(dict.fromkeys(used))
    overlap = "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
    none = "No difference is significant on any data set: all algorithms tie."
    caveats = caveats_of(
        (not wins.any(), "no-difference", none),
        ("kfold-t" in tests, "folds-share-training-data", overlap),
        (untested, "no-folds", f"{untested} data set(s) without folds cannot show a significant win."),
    )
    return wins, tests, caveats


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
    result = fold_pairs(folds, method=test, test_share=share)
    wins = np.zeros((*folds.shape[:2], folds.shape[1]), dtype=bool)
    significant = result.pvalue <= alpha
    wins[:, result.a, result.b] = significant & (result.mean_difference > 0)
    wins[:, result.b, result.a] = significant & (result.mean_difference < 0)
    return wins
