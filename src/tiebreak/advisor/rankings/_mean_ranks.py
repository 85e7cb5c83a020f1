"""Ranking by the average rank over data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from tiebreak.advisor.rankings._pairs import Pairs, losses
from tiebreak.advisor.rankings._ranking import Ranking, ranked
from tiebreak.advisor.rankings.measured import Measured, measured
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.ranks import snap


@as_came_in
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
    brazdil2000

    Examples
    --------
    >>> found = rank_by_mean_rank([[0.9, 0.8, 0.7], [0.6, 0.7, 0.7]], algorithms=["a", "b", "c"])
    >>> found.algorithms, found.scores
    (('b', 'a', 'c'), array([1.75, 2.  , 2.25]))
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, _ = rank_pairs(table)
    others = len(table.algorithms) - 1
    lost, parts = pairs.summary(table.weights)
    about: dict[str, Any] = {"name": "mean-rank", "method": "average ranks", "score_name": "mean_rank"}
    return ranked(table, 1 + others * lost, others * parts, higher_is_better=False, **about)


def rank_pairs(table: Measured, **_: object) -> tuple[Pairs, Caveats]:
    """Prepare average ranks on checked results; noise in the last digits makes no order."""
    return Pairs(mask=table.mask, lower_is_better=True, values=losses(snap(table.success))), ()
