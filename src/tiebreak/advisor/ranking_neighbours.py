"""A ranking of algorithms on the neighbours of a data set, whatever is missing there."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.rankings import Ranking, rank_by
from tiebreak.advisor.rankings.by_name import TIMED
from tiebreak.advisor.words import tied_together
from tiebreak.errors import InputError, quoted

INCOMPLETE = ("pairs", "drop-algorithms", "drop-datasets", "worst")
"""What to do where results are missing."""
FOLDED = ("wins", "multitest")
"""The methods that look at folds."""
RATIOS = ("arr", "a3r", "srr")
"""The methods that divide success rates."""


def rank_neighbours(
    used: Knowledge,
    weight: FloatArray,
    *,
    method: str,
    accd: float,
    incomplete: str,
    floor: float | None,
    resolution: float | None,
) -> tuple[Ranking, tuple[str, ...]]:
    """Rank the algorithms on some data sets by their weights, and say what was left out or filled in."""
    timed = method in TIMED
    success, seconds = used.means()
    if not timed:
        seconds = None
    notes: list[str] = []
    cube = used.accuracy if method in FOLDED else None
    if incomplete == "worst":
        success, seconds, cube, said = _worst(success, seconds, cube)
        notes += said
    if method in RATIOS and (success < 0).any():
        raise _negative(used, success, method)
    there = np.isfinite(success) if seconds is None else np.isfinite(success) & np.isfinite(seconds)
    kept, said = _comparable(used, there, weight, whole=incomplete == "drop-algorithms")
    notes += said
    values = success if cube is None else cube
    found = rank_by(
        method,
        values[:, kept],
        None if seconds is None else seconds[:, kept],
        accd=accd,
        weights=weight,
        floor=floor,
        resolution=resolution,
        algorithms=[used.algorithms[j] for j in kept],
        datasets=used.datasets,
    )
    if not found.algorithms:
        raise _nothing(used)
    return found, (*notes, *_unweighted(method, weight))


def _comparable(used: Knowledge, there: BoolArray, weight: FloatArray, *, whole: bool) -> tuple[list[int], list[str]]:
    """Return the algorithms that can be ranked together, and name the others."""
    if whole:
        kept = np.flatnonzero(there[weight > 0].all(axis=0)).tolist()
        lost = len(used.algorithms) - len(kept)
        notes = [f"{lost} algorithm(s) with a gap on a neighbour are left out."] if lost else []
    else:
        groups = tied_together(there, weight)
        kept = groups[0] if groups else []
        apart = [used.algorithms[j] for group in groups[1:] for j in group]
        notes = [_apart(apart)] if apart else []
        none = [name for j, name in enumerate(used.algorithms) if not there[weight > 0][:, j].any()]
        notes += [f"No result on any of the neighbours: {quoted(none, limit=5)}."] if none else []
    if len(kept) < 2:
        raise _nothing(used)
    return kept, notes


def _apart(names: list[str]) -> str:
    return (
        f"Not ranked, as no data set ties them to the others: {quoted(names, limit=5)}. Run both kinds on one data set."
    )


def _negative(used: Knowledge, success: FloatArray, method: str) -> InputError:
    d, a = (int(i) for i in np.argwhere(success < 0)[0])
    return InputError(
        f"The success rate of {used.algorithms[a]!r} on data set {used.datasets[d]!r} is {success[d, a]:g}.",
        why=f"The method {method!r} divides success rates, and a negative one has no ratio.",
        mend="Use method='mean-rank' (--method mean-rank), or another score.",
    )


def _nothing(used: Knowledge) -> InputError:
    return InputError(
        f"On the {len(used.datasets)} neighbour(s) no two algorithms can be compared.",
        why="Results or times are missing there.",
        mend="Use more neighbours (--neighbours all), or another rule for gaps (--incomplete pairs).",
    )


def _worst(
    success: FloatArray, seconds: FloatArray | None, cube: FloatArray | None
) -> tuple[FloatArray, FloatArray | None, FloatArray | None, list[str]]:
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
    return filled, seconds, cube, [said] if count else []


def _unweighted(method: str, weight: FloatArray) -> tuple[str, ...]:
    if method == "multitest" and np.ptp(weight) > 0:
        return ("Multi2Test takes no weights: the neighbours count alike.",)
    return ()
