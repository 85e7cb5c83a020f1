"""What has to be said beside a recommendation: how far the data are from all that is known, and how thin it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.metatable import Described
from tiebreak.advisor.neighbours import Neighbours, contributions
from tiebreak.errors import quoted

TYPICAL = 0.9
"""A query is far away where its nearest data set is farther than in this share of the known data sets."""
MOST_CELLS = 20_000_000
"""So many differences are taken at the most for the distance that is typical; in larger bases it is estimated."""
LEAST_ROWS = 100


def distance_caveats(
    found: Neighbours, base: Knowledge, query: Described, weights: Mapping[str, float] | None
) -> tuple[str, ...]:
    """Say whether the data are unlike all that is known: far from it, or outside its range."""
    if not found.measures or np.isnan(found.query_values).all() or len(base.datasets) < 3:
        return ()
    notes = [*_outside(found, base), *_unmeasured(found)]
    near = float(found.distance.min())
    typical = typical_distance(base, found.measures, weights)
    if near > typical:
        notes.append(
            f"Unlike anything known: the nearest data set is at distance {near:.3g}, while {TYPICAL:.0%} of the known"
            f" ones have another within {typical:.3g}. Take the order as a guess."
        )
    known = [name for name, d in zip(found.names, found.distance, strict=True) if d == 0]
    if known and _same_data(base, query, known):
        notes.append(f"The data set itself is known ({quoted(known, limit=3)}): its own results count.")
    return tuple(notes)


def typical_distance(base: Knowledge, measures: tuple[str, ...], weights: Mapping[str, float] | None = None) -> float:
    """Return the distance within which nine of ten known data sets have another of a different origin."""
    table = base.meta.of(measures).matrix
    factors = np.array([float((weights or {}).get(name, 1.0)) for name in measures])
    labels = np.array(base.origins)
    asked = max(LEAST_ROWS, MOST_CELLS // max(table.size, 1))
    rows = np.unique(np.linspace(0, len(table) - 1, min(len(table), asked)).astype(np.int64))
    nearest = []
    for i in rows:
        others = table[labels != labels[i]]
        if len(others):
            nearest.append(float(contributions(table[i], others, weights=factors).sum(axis=1).min()))
    return float(np.quantile(nearest, TYPICAL, method="higher")) if nearest else float("inf")


def _outside(found: Neighbours, base: Knowledge) -> list[str]:
    """Name the measures of the query beyond all known ones."""
    table = base.meta.of(found.measures).matrix
    notes = []
    for j, name in enumerate(found.measures):
        known, asked = table[~np.isnan(table[:, j]), j], found.query_values[j]
        if known.size and not np.isnan(asked) and not known.min() <= asked <= known.max():
            notes.append(f"{name} is {asked:.6g}; the known data sets have {known.min():.6g} to {known.max():.6g}.")
    rest = len(notes) - 5
    return notes if rest <= 0 else [*notes[:5], f"{rest} more measures lie outside what is known."]


def _unmeasured(found: Neighbours) -> list[str]:
    gone = [name for name, value in zip(found.measures, found.query_values, strict=True) if np.isnan(value)]
    listed = some(gone)
    return [f"Does not apply to the data: {listed} (a neighbour that has it counts as 1 farther)."] if gone else []


def some(names: Sequence[str], limit: int = 8) -> str:
    """List names without quotes, at most `limit` of them."""
    rest = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + rest


def _same_data(base: Knowledge, query: Described, known: list[str]) -> bool:
    mark = getattr(query, "fingerprint", "")
    marks = {base.fingerprints[base.datasets.index(name)] for name in known}
    return bool(mark) and mark in marks


def name_caveats(label: str, found: Neighbours) -> tuple[str, ...]:
    """Say whether a neighbour has the name of the data: it may be the same data, or an earlier version of them."""
    same = [name for name in found.names if name.casefold() == label.casefold()]
    if not same:
        return ()
    return (
        f"A neighbour has the name of the data ({quoted(same)}): if it is the same, its own results count; leave it out"
        f" with exclude={same[0]!r} (--exclude {same[0]}).",
    )


def thin_caveats(found: Neighbours, there: BoolArray, used: Knowledge, *, weighted: bool) -> tuple[str, ...]:
    """Say where a recommendation rests on little: one neighbour, one origin, few results, partly missing folds."""
    notes = []
    if len(found.names) == 1 or (weighted and int((found.weight > 0).sum()) == 1):
        notes.append("It rests on one data set: what held there by chance is repeated here.")
    elif len(set(used.origins)) == 1:
        notes.append(f"All {len(found.names)} neighbours are of one origin ({used.origins[0]}).")
    counts = there.sum(axis=0)
    few = [used.algorithms[j] for j in np.flatnonzero((counts > 0) & (counts < (len(there) + 1) // 2))]
    if few:
        notes.append(f"Measured on fewer than half of the neighbours: {quoted(few, limit=5)}.")
    partly = int(used.partly().sum())
    if partly:
        notes.append(f"{partly} mean(s) are over the folds that did not fail.")
    if len(set(used.machines)) > 1:
        notes.append("Times come from several machines; each is compared with times of its own machine only.")
    return tuple(notes)


def tied_together(there: BoolArray, weight: FloatArray) -> list[list[int]]:
    """Return groups of algorithms that can be compared: those linked by data sets where two were measured."""
    links = (there[weight > 0].T.astype(np.int64) @ there[weight > 0].astype(np.int64)) > 0
    left, groups = set(np.flatnonzero(np.diag(links)).tolist()), []
    while left:
        start = min(left)
        group, edge = {start}, [start]
        while edge:
            fresh = set(np.flatnonzero(links[edge.pop()]).tolist()) - group
            group |= fresh
            edge += sorted(fresh)
        groups.append(sorted(group))
        left -= group
    return sorted(groups, key=lambda group: (-len(group), -int(there[:, group].sum()), group))
