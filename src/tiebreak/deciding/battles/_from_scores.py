"""A table of scores as battles: on every data set who has the better score wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.deciding.battles._votes import Votes
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.pairwise import pair_indices
from tiebreak.tables import Results
from tiebreak.tables.directions import directions
from tiebreak.wording import option

MOST_BATTLES = 50_000_000


def votes_of_scores(
    results: Results,
    score: str,
    *,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    tie_within: float = 0.0,
    cost: str | None = None,
) -> Votes:
    """Let every two algorithms meet once on every data set where both have a score; folds are averaged first.

    Examples
    --------
    >>> import tiebreak as tb
    >>> votes = votes_of_scores(tb.published.demsar2006(), "auc")
    >>> len(votes), votes.algorithms[0], votes.unit
    (84, 'C4.5', 'data set')
    """
    if not 0 <= tie_within < float("inf"):
        raise OptionError(
            f"{option('tie_within')} is {tie_within!r}.",
            why="Scores that differ by no more than that are ties.",
            mend=f"Use {option(tie_within=0.005)}, in units of the score.",
        )
    higher, notes = directions(results, score, higher_is_better)
    scores = snap(results.means(score))
    errors = np.where(np.reshape(higher, (-1, 1)), -scores, scores)
    a, b = pair_indices(len(results.algorithms))
    if len(errors) * len(a) > MOST_BATTLES:
        raise InputError(
            f"{len(errors):,} data sets with {len(a):,} pairs each are {len(errors) * len(a):,} battles.",
            why="That many do not fit into memory.",
            mend=f"Choose some of the algorithms: {option(algorithms=[...])}.",
        )
    ahead = errors[:, b] - errors[:, a]
    there = ~np.isnan(ahead)
    slack = tie_within + 1e-12 * np.nanmax(np.abs(scores), initial=0.0) * (tie_within > 0)
    outcome = np.where(np.abs(ahead) <= slack, 0, np.sign(np.nan_to_num(ahead))).astype(np.int64)
    where, pair = np.nonzero(there)
    gaps = int((~there).sum())
    if gaps:
        said = f"{gaps:,} of {there.size:,} battles were not fought: one of the two has no score on that data set."
        notes = (*notes, Caveat("battles-not-fought", said))
    return Votes(
        algorithms=results.algorithms,
        left=readonly(a[pair]),
        right=readonly(b[pair]),
        outcome=readonly(outcome[where, pair]),
        clusters={"dataset": readonly(where.astype(np.int64))},
        source="the table",
        unit="data set",
        costs={} if cost is None else {cost: _costs(results, cost)},
        caveats=distinct([*results.caveats, *notes]),
    )


def _costs(results: Results, cost: str) -> FloatArray:
    found: Any = results.means(cost)
    return np.asarray(found, dtype=np.float64)
