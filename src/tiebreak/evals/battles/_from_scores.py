"""A table of scores as battles: on every data set, or every item, who has the better score wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.errors import InputError, OptionError
from tiebreak.evals.battles._votes import Votes
from tiebreak.results import Results
from tiebreak.results.items import ITEM, item_table
from tiebreak.results.metrics import directions
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.pairwise import pair_indices
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

    Of a table of items they meet on every item, its epochs averaged, and clusters are those of the items.

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
    scores, upward, clusters, unit = _laid_out(results, score, np.ravel(higher))
    errors = np.where(upward[:, None], -scores, scores)
    a, b = pair_indices(len(results.algorithms))
    if len(errors) * len(a) > MOST_BATTLES:
        raise InputError(
            f"{len(errors):,} {unit}s with {len(a):,} pairs each are {len(errors) * len(a):,} battles.",
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
        said = f"{gaps:,} of {there.size:,} battles were not fought: one of the two has no score on that {unit}."
        notes = (*notes, Caveat("gaps-left-out", said))
    return Votes(
        algorithms=results.algorithms,
        left=readonly(a[pair]),
        right=readonly(b[pair]),
        outcome=readonly(outcome[where, pair]),
        clusters={name: readonly(own[where].astype(np.int64)) for name, own in clusters.items()},
        source="the table",
        unit=unit,
        costs={} if cost is None else {cost: _costs(results, cost)},
        caveats=distinct([*results.caveats, *notes]),
    )


def _laid_out(
    results: Results, score: str, higher: BoolArray
) -> tuple[FloatArray, BoolArray, dict[str, IntArray], str]:
    """Return scores, a row for each battlefield, which way is better there, its cluster, and what it is called."""
    if results.unit != ITEM:
        scores = snap(results.means(score))
        return scores, np.broadcast_to(higher, len(scores)), {"dataset": np.arange(len(scores))}, "data set"
    table = item_table(results, score)
    way = dict(zip(results.datasets, np.broadcast_to(higher, len(results.datasets)).tolist(), strict=True))
    upward = np.array([way[name] for name in table.benchmarks])[table.strata]
    clusters = {"item": np.arange(len(table))} if table.clusters is None else {"cluster": table.clusters}
    return snap(table.scores), upward, clusters, "item"


def _costs(results: Results, cost: str) -> FloatArray:
    found: Any = results.means(cost, partial=results.unit == ITEM)
    return np.asarray(found, dtype=np.float64)
