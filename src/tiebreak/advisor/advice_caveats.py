"""What has to be said beside a recommendation: how far the data are from all that is known, and how thin it is."""

from __future__ import annotations

import numpy as np

from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import Described, MetaTable, looks_of
from tiebreak.advisor.neighbours import Neighbours
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents.words import amount
from tiebreak.errors import quoted
from tiebreak.wording import option

MOST_NAMED = 5
"""So many measures beyond the known range are told one by one."""
GIVEN_AWAY = 0.999
"""From such a share of the target's variance on, a linear fit has found out what the target is made of."""


def distance_caveats(neighbours: Neighbours, base: Knowledge, query: Described, label: str) -> Caveats:
    """Say whether the data lie outside all that is known, or are known themselves."""
    share = query.get("linear_r2")
    text = (
        f"A linear formula of the attributes tells the target almost exactly (linear_r2 {share or 0:.6g}). Where an"
        f" attribute is made of the target, or known only after it, leave it out ({option(drop=...)})."
    )
    away = caveats_of((share is not None and share > GIVEN_AWAY, "target-given-away", text))
    return (*_outside(neighbours, base), *away, *_itself(neighbours, base, query, label))


def _outside(neighbours: Neighbours, base: Knowledge) -> Caveats:
    """Name the measures of the query beyond all known ones."""
    table = base.meta.of(neighbours.measures).matrix
    notes: list[Caveat] = []
    for name, column, value in zip(neighbours.measures, table.T, neighbours.query_values, strict=True):
        known = column[~np.isnan(column)]
        if known.size and not np.isnan(value) and not known.min() <= value <= known.max():
            ends = f"{amount(known.min())} to {amount(known.max())}"
            notes.append(Caveat("outside-known-range", f"{name} is {amount(value)}; the known data sets have {ends}."))
    rest = len(notes) - MOST_NAMED
    more = f"{rest} more measures lie outside what is known."
    return (*notes[:MOST_NAMED], *caveats_of((rest > 0, "outside-known-range", more)))


def _itself(neighbours: Neighbours, base: Knowledge, query: Described, label: str) -> Caveats:
    """Say whether a neighbour is the data themselves, by its digest, name or looks: collections rename data."""
    mark, look = getattr(query, "fingerprint", ""), looks_of(MetaTable.from_mapping({"data": query}))[0]
    marks, looks = (dict(zip(base.datasets, item, strict=True)) for item in (base.fingerprints, looks_of(base.meta)))
    tells = (
        ("The data set itself is known", [name for name in neighbours.names if mark and marks[name] == mark]),
        (
            "A neighbour has the name of the data",
            [name for name in neighbours.names if name.casefold() == label.casefold()],
        ),
        (
            "A neighbour has the rows, classes and largest class of the data",
            [name for name in neighbours.names if look and looks[name] == look],
        ),
    )
    place, (what, same) = next(((i, tell) for i, tell in enumerate(tells) if tell[1]), (0, ("", [])))
    text = f"{what} ({quoted(same, limit=3)}): {'if it is the same, ' if place else ''}its own results count."
    return caveats_of((same, "known-itself", f"{text} Without them: {option(exclude=same[0] if same else '')}."))


def thin_caveats(neighbours: Neighbours, used: Knowledge) -> Caveats:
    """Say where a recommendation rests on little: one neighbour, one origin."""
    alone = int((neighbours.weight > 0).sum()) == 1
    alike = f"All {len(neighbours.names)} neighbours are of one origin ({used.origins[0]})."
    apart = "Times come from several machines; each is compared with times of its own machine only."
    return caveats_of(
        (alone, "one-dataset", "It rests on one data set: what held there by chance is repeated here."),
        (not alone and len(set(used.origins)) == 1, "dependent-blocks", alike),
        (len(set(used.machines)) > 1, "hosts-mixed", apart),
    )
