"""A ranking of algorithms on the neighbours of a data set, whatever is missing there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.rankings import RANKING_METHODS, Ranking, rank_by
from tiebreak.advisor.rankings.portfolios import rarely
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError, quoted
from tiebreak.wording import option


def rank_neighbours(
    used: Knowledge, weight: FloatArray, *, method: str, accd: float, times: FloatArray | None = None
) -> tuple[Ranking, Caveats]:
    """Rank the algorithms on some data sets by their weights, and say what was left out.

    Every two algorithms are compared where both were measured. `times`, one per algorithm, stand in the place of those
    measured on the data sets: with them T_p / T_q is that of the data set that the ranking is for.
    """
    record = RANKING_METHODS[method]
    success, seconds = used.means()
    if not record.needs_time:
        seconds = None
    if times is not None and seconds is not None:
        seconds = np.where(np.isfinite(success), times, np.nan)
    there = np.isfinite(success) if seconds is None else np.isfinite(success) & np.isfinite(seconds)
    remaining, left = _comparable(used, there, weight)
    remaining, rare = _often(remaining, there, weight)
    ranking = rank_by(
        method,
        (used.accuracy if record.by_folds else success)[:, remaining],
        None if seconds is None else seconds[:, remaining],
        weights=weight,
        accd=accd,
        algorithms=[used.algorithms[j] for j in remaining],
        datasets=used.datasets,
    )
    if not ranking.algorithms:
        raise _nothing(used)
    names = tuple(used.algorithms[j] for j in rare)
    text = f"Not ranked, as measured on fewer than a quarter of the data sets that count: {quoted(names, limit=5)}."
    ranking = replace(ranking, unranked=(*ranking.unranked, *sorted(names)))
    return ranking, (*left, *caveats_of((rare, "algorithms-left-out", text)))


def _comparable(used: Knowledge, there: BoolArray, weight: FloatArray) -> tuple[list[int], Caveats]:
    """Return the algorithms that can be ranked together, and name the others."""
    counted = there[weight > 0]
    groups = tied_together(there, weight)
    if not groups or len(groups[0]) < 2:
        raise _nothing(used)
    apart = [used.algorithms[j] for group in groups[1:] for j in group]
    text = f"Not ranked, because no data set connects them to the rest: {quoted(apart, limit=5)}."
    none = [name for name, column in zip(used.algorithms, counted.T, strict=True) if not column.any()]
    nowhere = f"No result on any of the neighbours: {quoted(none, limit=5)}."
    return groups[0], caveats_of(
        (apart, "algorithms-left-out", f"{text} Run both kinds on one data set."),
        (none, "algorithms-left-out", nowhere),
    )


def _often(counts: list[int], there: BoolArray, weight: FloatArray) -> tuple[list[int], list[int]]:
    """Divide algorithms into those measured often enough to be ranked, and the others, unless one alone is."""
    seldom = rarely(weight[None], there[:, counts])[0]
    often = [j for j, few in zip(counts, seldom, strict=True) if not few]
    return (often, [j for j in counts if j not in often]) if len(often) > 1 else (counts, [])


def tied_together(there: BoolArray, weight: FloatArray) -> list[list[int]]:
    """Return groups of algorithms that can be compared: those linked by data sets where two were measured."""
    counted = there[weight > 0].astype(np.float64)
    links = counted.T @ counted > 0
    while True:  # the friends of friends are friends: each round doubles the length of the chains that are followed
        wider = links.astype(np.float64) @ links > 0
        if (wider == links).all():
            break
        links = wider
    groups = [np.flatnonzero(row).tolist() for row in np.unique(links[links.any(axis=1)], axis=0)]
    return sorted(groups, key=lambda group: (-len(group), -int(there[:, group].sum()), group))


def _nothing(used: Knowledge) -> InputError:
    return InputError(
        f"On the {len(used.datasets)} neighbour(s) no two algorithms can be compared.",
        why="Results or times are missing there.",
        mend=f"Use more neighbours ({option(neighbours='all')}).",
    )
