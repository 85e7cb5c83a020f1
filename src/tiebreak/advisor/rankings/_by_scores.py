"""Ranking by the order by scores: by success rate where the difference is significant, by time elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_alpha
from tiebreak.advisor.rankings._multitest import ordered
from tiebreak.advisor.rankings._ranking import Ranking, ranked
from tiebreak.advisor.rankings.measured import Measured, measured
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.wording import either


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
