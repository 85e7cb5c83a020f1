"""A ranking of algorithms on the neighbours of a data set, whatever is missing there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.rankings import RANKING_METHODS, Ranking, rank_by
from tiebreak.advisor.rankings.portfolios import rarely
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError, quoted
from tiebreak.wording import option

PAIRS, DROP_ALGORITHMS, DROP_DATASETS, WORST = INCOMPLETE = ("pairs", "drop-algorithms", "drop-datasets", "worst")
"""What to do where results are missing."""


def rank_neighbours(
    used: Knowledge,
    weight: FloatArray,
    *,
    method: str,
    incomplete: str,
    times: FloatArray | None = None,
    **given: Any,
) -> tuple[Ranking, Caveats]:
    """Rank the algorithms on some data sets by their weights, and say what was left out or filled in.

    `times`, one per algorithm, stand in the place of those measured on the data sets: with them T_p / T_q is that of
    the data set that the ranking is for. `given` are accd, floor and resolution of `rank_by`.
    """
    record = RANKING_METHODS[method]
    success, seconds = used.means()
    if not record.needs_time:
        seconds = None
    cube = used.accuracy if record.by_folds else None
    filled: Caveats = ()
    if incomplete == WORST:
        success, seconds, cube, filled = _worst(success, seconds, cube)
    if times is not None and seconds is not None:
        seconds = np.where(np.isfinite(success), times, np.nan)
    if record.divides and (success < 0).any():
        raise _negative(used, success, method)
    there = np.isfinite(success) if seconds is None else np.isfinite(success) & np.isfinite(seconds)
    kept, left = _comparable(used, there, weight, whole=incomplete == DROP_ALGORITHMS)
    kept, rare = _often(kept, there, weight)
    found = rank_by(
        method,
        (success if cube is None else cube)[:, kept],
        None if seconds is None else seconds[:, kept],
        weights=weight,
        **given,
        algorithms=[used.algorithms[j] for j in kept],
        datasets=used.datasets,
    )
    if not found.algorithms:
        raise _nothing(used)
    names = tuple(used.algorithms[j] for j in rare)
    told = f"Not ranked, as measured on fewer than a quarter of the data sets that count: {quoted(names, limit=5)}."
    seldom = caveats_of((rare, "algorithms-left-out", told))
    told = "Multi2Test takes no weights: the neighbours count alike."
    unequal = caveats_of((not record.weighted and np.ptp(weight) > 0, "weights-ignored", told))
    found = replace(found, unranked=(*found.unranked, *sorted(names)))
    return found, (*filled, *left, *seldom, *unequal)


def _comparable(used: Knowledge, there: BoolArray, weight: FloatArray, *, whole: bool) -> tuple[list[int], Caveats]:
    """Return the algorithms that can be ranked together, and name the others."""
    counted = there[weight > 0]
    if whole:
        kept = np.flatnonzero(counted.all(axis=0)).tolist()
        lost = len(used.algorithms) - len(kept)
        told = f"{lost} algorithm(s) with a gap on a neighbour are left out."
        notes = caveats_of((lost, "algorithms-left-out", told))
    else:
        groups = tied_together(there, weight)
        kept = groups[0] if groups else []
        apart = [used.algorithms[j] for group in groups[1:] for j in group]
        told = f"Not ranked, as no data set ties them to the others: {quoted(apart, limit=5)}."
        none = [name for name, column in zip(used.algorithms, counted.T, strict=True) if not column.any()]
        nowhere = f"No result on any of the neighbours: {quoted(none, limit=5)}."
        notes = caveats_of(
            (apart, "algorithms-left-out", f"{told} Run both kinds on one data set."),
            (none, "algorithms-left-out", nowhere),
        )
    if len(kept) < 2:
        raise _nothing(used)
    return kept, notes


def _often(kept: list[int], there: BoolArray, weight: FloatArray) -> tuple[list[int], list[int]]:
    """Divide algorithms into those measured often enough to be ranked, and the others, unless one alone is."""
    seldom = rarely(weight[None], there[:, kept])[0]
    often = [j for j, few in zip(kept, seldom, strict=True) if not few]
    return (often, [j for j in kept if j not in often]) if len(often) > 1 else (kept, [])


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


def _negative(used: Knowledge, success: FloatArray, method: str) -> InputError:
    d, a = (int(i) for i in np.argwhere(success < 0)[0])
    return InputError(
        f"The success rate of {used.algorithms[a]!r} on data set {used.datasets[d]!r} is {success[d, a]:g}.",
        why=f"The method {method!r} divides success rates, and a negative one has no ratio.",
        mend=f"Use {option(method='mean-rank')}, or another score.",
    )


def _nothing(used: Knowledge) -> InputError:
    return InputError(
        f"On the {len(used.datasets)} neighbour(s) no two algorithms can be compared.",
        why="Results or times are missing there.",
        mend=f"Use more neighbours ({option(neighbours='all')}), or another rule for gaps"
        f" ({option(incomplete='pairs')}).",
    )


def worst_there(base: Knowledge) -> Knowledge:
    """Return a base whose gaps are filled as `incomplete="worst"` counts them."""
    success, seconds = base.means()
    rates, times, _, _ = _worst(success, seconds, None)
    gaps = np.isnan(base.accuracy) & ~np.isfinite(success)[:, :, None, None]
    accuracy = np.where(gaps, rates[:, :, None, None], base.accuracy)
    if base.time is None or times is None or seconds is None:
        return replace(base, accuracy=readonly(accuracy))
    late = np.isnan(base.time) & ~np.isfinite(seconds)[:, :, None, None]
    return replace(base, accuracy=readonly(accuracy), time=readonly(np.where(late, times[:, :, None, None], base.time)))


def _worst(
    success: FloatArray, seconds: FloatArray | None, cube: FloatArray | None
) -> tuple[FloatArray, FloatArray | None, FloatArray | None, Caveats]:
    """Count what is missing as the lowest success rate of its data set, in the longest time there."""
    gaps = ~np.isfinite(success)
    lowest = np.where(gaps, np.inf, success).min(axis=1, keepdims=True)
    filled = np.where(gaps, lowest, success)
    if seconds is not None:
        unknown = ~np.isfinite(seconds)
        longest = np.where(unknown, -np.inf, seconds).max(axis=1, keepdims=True)
        seconds = np.where(unknown & np.isfinite(longest), longest, seconds)
    if cube is not None:
        slots = np.isfinite(cube).any(axis=1, keepdims=True)
        least = np.where(np.isfinite(cube), cube, np.inf).min(axis=1, keepdims=True)
        cube = np.where(np.isnan(cube) & slots, least, cube)
    count = int(gaps.sum())
    said = f"{count} missing result(s) count as the worst of their data set, in the longest time."
    return filled, seconds, cube, caveats_of((count, "values-filled", said))
