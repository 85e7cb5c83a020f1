"""What has to be said beside a recommendation: how far the data are from all that is known, and how thin it is."""

from __future__ import annotations

import numpy as np

from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import Described, MetaTable, looks_of
from tiebreak.advisor.neighbours import DIGITS, Neighbours, contributions, on_scale
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import listed
from tiebreak.documents.words import amount
from tiebreak.errors import quoted
from tiebreak.wording import option

TYPICAL = 0.9
"""A query is far away where its nearest data set is farther than in this share of the known data sets."""
MOST_CELLS = 20_000_000
"""So many differences are taken at the most for the distance that is typical; in larger bases it is estimated."""
LEAST_ROWS = 100
MOST_NAMED = 5
"""So many measures beyond the known range are told one by one."""
GIVEN_AWAY = 0.999
"""From such a share of the target's variance on, a linear fit has found out what the target is made of."""


def distance_caveats(
    found: Neighbours,
    base: Knowledge,
    query: Described,
    label: str,
    scaling: str = "log",
) -> Caveats:
    """Say whether the data are unlike all that is known, far from it or outside its range, or known themselves."""
    notes: Caveats = ()
    if found.measures and not np.isnan(found.query_values).all() and len(base.datasets) > 2:
        near = _nearest(found, base, scaling)
        typical = typical_distance(base, found.measures, scaling)
        known = [name for name, d in zip(found.names, found.distance, strict=True) if round(d, DIGITS) == 0]
        itself = (
            f"The data set itself is known ({quoted(known, limit=3)}): its own results count{_best_on(base, known)}."
            f" Without them: {option(exclude=known[0] if known else '')}."
        )
        notes = (
            *_outside(found, base),
            *_unmeasured(found),
            *caveats_of(
                (
                    near > typical,
                    "outside-known-range",
                    f"Unlike anything known: the nearest data set is at distance {near:.3g}, what lies beyond the known"
                    f" range included, while {TYPICAL:.0%} of the known ones have another within {typical:.3g}. Take"
                    " the order and what it is expected to lose as a guess.",
                ),
                (_same_data(base, query, known), "known-itself", itself),
            ),
        )
    notes = (*notes, *_given_away(query))
    if any(note.code == "known-itself" for note in notes):
        return notes
    return (*notes, *(_name_caveats(label, found) or _look_caveats(query, base, found)))


def _best_on(base: Knowledge, known: list[str]) -> str:
    """Name the best on a data set that is known itself: among many neighbours that hardly moves the order."""
    if not known:
        return ""
    rates = base.means()[0][base.datasets.index(known[0])]
    return f", and the best there was {base.algorithms[int(np.nanargmax(rates))]}"


def _given_away(query: Described) -> Caveats:
    """Say that a number to predict is a formula of the attributes: mostly one of them was made of it, or it of them."""
    share = query.get("linear_r2")
    told = (
        f"A linear formula of the attributes tells the target almost exactly (linear_r2 {share or 0:.6g}). Where an"
        f" attribute is made of the target, or known only after it, leave it out ({option(drop=...)})."
    )
    return caveats_of((share is not None and share > GIVEN_AWAY, "target-given-away", told))


def _nearest(found: Neighbours, base: Knowledge, scaling: str) -> float:
    """Return the distance of the nearest known data set, beyond the known range too."""
    table = base.meta.of(found.measures).matrix
    both = on_scale(found.query_values, table, found.measures, scaling, within=False)
    return float(contributions(*both).sum(axis=1).min())


def typical_distance(base: Knowledge, measures: tuple[str, ...], scaling: str = "log") -> float:
    """Return the distance within which nine of ten known data sets have another of a different origin."""
    table = base.meta.of(measures).matrix
    labels = np.array(base.origins)
    asked = max(LEAST_ROWS, MOST_CELLS // max(table.size, 1))
    rows = np.unique(np.linspace(0, len(table) - 1, min(len(table), asked)).astype(np.int64))
    nearest = []
    for i in rows:
        others = table[labels != labels[i]]
        if len(others):
            both = on_scale(table[i], others, measures, scaling)
            nearest.append(float(contributions(*both).sum(axis=1).min()))
    return float(np.quantile(nearest, TYPICAL, method="higher")) if nearest else float("inf")


def _outside(found: Neighbours, base: Knowledge) -> Caveats:
    """Name the measures of the query beyond all known ones."""
    table = base.meta.of(found.measures).matrix
    notes: Caveats = ()
    for name, column, asked in zip(found.measures, table.T, found.query_values, strict=True):
        known = column[~np.isnan(column)]
        if known.size and not np.isnan(asked) and not known.min() <= asked <= known.max():
            told = (
                f"{name} is {amount(asked)}; the known data sets have {amount(known.min())} to {amount(known.max())}."
            )
            notes += (Caveat("outside-known-range", told),)
    rest = len(notes) - MOST_NAMED
    more = f"{rest} more measures lie outside what is known."
    return (*notes[:MOST_NAMED], *caveats_of((rest > 0, "outside-known-range", more)))


def _unmeasured(found: Neighbours) -> Caveats:
    """Name measures that the data do not have: they push every neighbour away alike, or nearly."""
    gone = [name for name, value in zip(found.measures, found.query_values, strict=True) if np.isnan(value)]
    if not gone:
        return ()
    told = f"Does not apply to the data: {listed(gone, most=8)} (a neighbour that has it counts as 1 farther)."
    return (Caveat("few-measures", told),)


def _same_data(base: Knowledge, query: Described, known: list[str]) -> bool:
    """Compare digests: data sets at distance 0 may only look alike."""
    mark = getattr(query, "fingerprint", "")
    marks = {base.fingerprints[base.datasets.index(name)] for name in known}
    return bool(mark) and mark in marks


def _name_caveats(label: str, found: Neighbours) -> Caveats:
    """Say whether a neighbour has the name of the data: it may be the same data, or an earlier version of them."""
    same = [name for name in found.names if name.casefold() == label.casefold()]
    out = "".join(f" with {option(exclude=name)}." for name in same[:1])
    told = f"A neighbour has the name of the data ({quoted(same)}): if it is the same, its own results count; leave it"
    return caveats_of((same, "known-itself", f"{told} out{out}"))


def _look_caveats(query: Described, base: Knowledge, found: Neighbours) -> Caveats:
    """Say whether a neighbour has as many rows and classes, and as large a largest class: collections rename data."""
    look = looks_of(MetaTable.from_mapping({"data": query}))[0]
    known = dict(zip(base.datasets, looks_of(base.meta), strict=True))
    same = [name for name in found.names if look and known[name] == look]
    out = "".join(f" with {option(exclude=name)}." for name in same[:1])
    told = (
        f"A neighbour has the rows, classes and largest class of the data ({quoted(same)}): if it is the same, its own"
    )
    return caveats_of((same, "known-itself", f"{told} results count; leave it out{out}"))


def thin_caveats(found: Neighbours, used: Knowledge) -> Caveats:
    """Say where a recommendation rests on little: one neighbour, one origin, partly missing folds."""
    alone = int((found.weight > 0).sum()) == 1
    alike = f"All {len(found.names)} neighbours are of one origin ({used.origins[0]})."
    partly = int(used.partly().sum())
    apart = "Times come from several machines; each is compared with times of its own machine only."
    return caveats_of(
        (alone, "one-dataset", "It rests on one data set: what held there by chance is repeated here."),
        (not alone and len(set(used.origins)) == 1, "dependent-blocks", alike),
        (partly, "gaps-left-out", f"{partly} mean(s) are over the folds that did not fail."),
        (len(set(used.machines)) > 1, "hosts-mixed", apart),
    )
