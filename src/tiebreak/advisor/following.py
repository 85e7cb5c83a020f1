"""Which recipe a recommendation follows: as given, or chosen by what it was worth on known data sets left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak.advisor.judging import judge_recipes
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import Described
from tiebreak.advisor.neighbours import Neighbours, all_alike, nearest
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.worth import (
    METHOD,
    NEIGHBOURS,
    OF_NUMBERS,
    PAPER,
    TRADING,
    Recipe,
    Worth,
    measure_sets,
    recipes_for,
)
from tiebreak.attributes.catalogue import ATTRIBUTES, default_measures
from tiebreak.caveats import Caveat
from tiebreak.documents import listed
from tiebreak.errors import OptionError
from tiebreak.wording import option

AUTO, ALL = "auto", "all"
ACCD = 0.01
"""The trade of methods that need one, where none was named."""
NOTHING_SHARED = (
    "No meta-attribute is known of both the data and the known data sets, so none is nearer than another: all of them"
    " count alike."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """How to recommend; None leaves a choice open."""

    method: str | None = None
    neighbours: int | str | None = AUTO
    measures: tuple[str, ...] | None = None
    accd: float | None = None
    scaling: str = "log"

    @property
    def ranking(self) -> str:
        """The ranking method: the portfolio, with times where accuracy is traded for them."""
        return self.method or (METHOD if self.accd is None else TRADING)

    @property
    def trade(self) -> float | None:
        """AccD; a method that trades has one of its own where none was named."""
        trades = RANKING_METHODS[self.ranking].trades_accuracy
        return ACCD if trades and self.accd is None else self.accd if trades else None


def follow(options: Asked, base: Knowledge, query: Described | None) -> tuple[Recipe, Worth | None]:
    """Return the recipe to follow and what it is worth; nothing where too little is known to judge."""
    sets = _measure_sets(options, base, query)
    recipes = tuple(replace(candidate, scaling=options.scaling) for candidate in _candidates(options, base, sets))
    some = base.measured(timed=False).sum(axis=1) > 1
    if len({base.origins[i] for i in np.flatnonzero(some)}) < 3:
        return recipes[0], None
    worth = judge_recipes(base, recipes, accd=options.trade)
    return worth.recipe, worth


def _measure_sets(options: Asked, base: Knowledge, query: Described | None) -> dict[str, tuple[str, ...]]:
    """Return the measures that may make data sets alike: those named, or sets that base and query share."""
    if options.measures is not None:
        return {"the measures named": options.measures}
    can = ATTRIBUTES if query is None else query  # of data anything in the catalogue can be measured
    sets = {name: chosen for name, chosen in measure_sets(base).items() if set(chosen) <= set(can)}
    return sets or {"what is known of both": tuple(name for name in base.meta.measures if name in can)}


def _candidates(options: Asked, base: Knowledge, sets: Mapping[str, tuple[str, ...]]) -> tuple[Recipe, ...]:
    """Return the recipes to judge: one where the number of neighbours was named."""
    if options.neighbours == AUTO and options.measures is None:
        return recipes_for(base, options.ranking, measures=sets)
    name = next((text for text in (PAPER, OF_NUMBERS) if text in sets), next(iter(sets), ""))
    if options.neighbours == AUTO:
        few = len(set(base.origins)) - 1
        counts: list[int | None] = [k for k in NEIGHBOURS if k < few] or [None]
    else:
        counts = [None if options.neighbours in (None, ALL) else int(options.neighbours)]
    measures = () if counts == [None] and options.measures is None else sets.get(name, ())
    return tuple(Recipe(method=options.ranking, neighbours=k, measures=measures, alike_by=name) for k in counts)


def neighbours_of(recipe: Recipe, base: Knowledge, query: Described, *, scaling: str) -> Neighbours:
    """Find the data sets that a recipe rests on; where nothing can be compared all count: there is always an answer."""
    measures = recipe.measures or _shown(base, query)
    if not measures:
        table = base.meta.of(())
        return all_alike(table, np.empty(0), table.matrix, NOTHING_SHARED)
    about: dict[str, Any] = {"measures": measures, "scaling": scaling}
    neighbours = nearest(query, base.meta, k=recipe.neighbours, **about)
    return (
        neighbours
        if recipe.measures
        else replace(neighbours, method=f"all known data sets count alike ({neighbours.method})")
    )


def _shown(base: Knowledge, query: Described) -> tuple[str, ...]:
    """Return the measures that say how near data sets are where all count alike."""
    known = [name for name in base.meta.measures if name in query]
    usual = default_measures(base.kind)
    return usual if set(usual) <= set(known) else tuple(known)


def check_neighbours(neighbours: int | str | None) -> int | str | None:
    """Return a number of neighbours, "auto", or None for all; True would count as one, so bools are refused."""
    if neighbours is None or neighbours in (ALL, AUTO):
        return None if neighbours == ALL else neighbours
    if isinstance(neighbours, (int, np.integer)) and not isinstance(neighbours, bool) and neighbours >= 1:
        return int(neighbours)
    raise OptionError(
        f"{option('neighbours')} is {neighbours!r}.",
        why="It is the number of data sets that a recommendation rests on.",
        mend=f"Use a whole number from 1 on, {option(neighbours=ALL)}, or leave it out: it is chosen then.",
    )


def other_measures(options: Asked, neighbours: Neighbours, base: Knowledge, query: Described) -> tuple[Caveat, ...]:
    """Say which measures were used where the usual ones are not known of both."""
    absent = [name for name in default_measures(base.kind) if name not in base.meta.measures or name not in query]
    if options.measures is not None or not absent or not neighbours.measures:
        return ()
    what = f"{', '.join(absent)} are not known of both: used is what is, {listed(neighbours.measures, most=8)}."
    return (Caveat("few-measures", f"The usual measures {what}"),)
