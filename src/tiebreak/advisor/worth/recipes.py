"""Recipes for a recommendation: a ranking method, how many known data sets it rests on, and what makes them alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor.evaluation.leave_one_out import neighbour_weights
from tiebreak.advisor.neighbours import distance_table
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.attributes import ATTRIBUTES
from tiebreak.attributes.catalogue import DEFAULT_MEASURES, NUMBER_MEASURES

NEIGHBOURS = (5, 10, 20)
"""How many neighbours are tried beside all data."""
METHOD, TRADING = "portfolio", "timed-portfolio"
"""The ranking method where accuracy alone counts, and where it is traded for time; `tiebreak study advice` compares
them with the others."""

_SIZE = ("n_examples", "n_attributes", "n_classes")
PAPER, OF_NUMBERS, _SIZE_OF_NUMBERS = "the five of the paper", "the usual ones of numbers", "rows and attributes"
"""The sets that are used where nothing is chosen."""
MEASURE_SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        PAPER: DEFAULT_MEASURES,
        OF_NUMBERS: NUMBER_MEASURES,
        "size": _SIZE,
        _SIZE_OF_NUMBERS: ("n_examples", "n_attributes"),
        "size and kind": (*_SIZE, "prop_symbolic", "prop_missing", "default_accuracy", "class_entropy"),
    }
)
"""Sets of measures that are tried; beside them all that the base knows, landmarkers left out for their cost."""


PUBLISHED: Mapping[str, Mapping[str, Any]] = {
    "2003": {"method": "arr", "neighbours": 5, "scaling": "plain", "times": "measured", "accd": 0.01}
}
"""Options of `Advisor.recommend` that make a published procedure: Brazdil, Soares and Costa (2003)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recipe(Brief):
    """One way to recommend: `neighbours` of None are all known data sets, alike where there are no `measures`.

    `scaling` and `factors`, weights of the measures, are those of the distance.
    """

    method: str
    neighbours: int | None = None
    weighting: str = "equal"
    measures: tuple[str, ...] = ()
    alike_by: str = ""
    scaling: str = "log"
    factors: tuple[float, ...] = ()

    @property
    def label(self) -> str:
        """Say it in a few words."""
        if not self.measures:
            return f"{self.method} on all data"
        how = "all data, the nearer the more," if self.neighbours is None else f"{self.neighbours} neighbours"
        return f"{self.method} on {how} by {self.alike_by}"

    def weights(self, apart: Sequence[str], distances: FloatArray) -> FloatArray:
        """Return for every data set what the others count; those with the same label in `apart` count nothing."""
        return neighbour_weights(distances, k=self.neighbours, weighting=self.weighting, origins=apart)

    def distances(self, known: Knowledge, apart: Sequence[str]) -> FloatArray:
        """Return the distances by its measures, all alike without any; scales leave out what is left out."""
        how = {"scaling": self.scaling, "factors": self.factors or None}
        return distance_table(known.meta.of(self.measures).matrix, apart, measures=self.measures, **how)  # type: ignore[arg-type]


def recipes_for(
    known: Knowledge,
    *,
    methods: Sequence[str] | None = None,
    neighbours: Iterable[int | None] | None = None,
    measures: Mapping[str, tuple[str, ...]] | None = None,
    weightings: Sequence[str] = ("equal", "kernel"),
    trading: bool = False,
) -> tuple[Recipe, ...]:
    """Return the recipes to be judged on a base, the plain one first: the first method on all data.

    Parameters
    ----------
    known : Knowledge
    methods : sequence of str, optional
        Ranking methods; by default the portfolio, or, when `trading`, the one with times.
    neighbours : iterable of int or None, optional
        How many; None for all. By default 5, 10, 20 and all.
    measures : mapping of str to tuple of str, optional
        Sets of measures by name; by default `MEASURE_SETS` and all that the base knows.
    weightings : sequence of str
        Of neighbours; "kernel" is tried on all data, where "equal" needs no measures.

    Returns
    -------
    tuple of Recipe

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = recipes_for(shipped_knowledge(), methods=["portfolio"], neighbours=[5, None], weightings=["equal"])
    >>> [each.label for each in found][:3]
    ['portfolio on all data', 'portfolio on 5 neighbours by the five of the paper', 'portfolio on 5 neighbours by size']
    """
    names = tuple(methods or (TRADING if trading else METHOD,))
    counts = tuple(dict.fromkeys((*NEIGHBOURS, None) if neighbours is None else neighbours))
    sets = measure_sets(known) if measures is None else dict(measures)
    few = len(set(known.origins)) - 1
    out = [Recipe(method=name) for name in names if None in counts]
    for name in names:
        weighted = RANKING_METHODS[name].weighted
        for k in counts:
            for alike, chosen in sets.items():
                if not chosen or (k is not None and k >= few):
                    continue
                if "equal" in weightings and k is not None:
                    out.append(Recipe(method=name, neighbours=k, measures=chosen, alike_by=alike))
                if "kernel" in weightings and k is None and weighted:
                    out.append(Recipe(method=name, weighting="kernel", measures=chosen, alike_by=alike))
    return tuple(out) or tuple(Recipe(method=name) for name in names)


def measure_sets(known: Knowledge) -> dict[str, tuple[str, ...]]:
    """Return the sets of measures that a base knows, each once."""
    there = known.meta.measures
    other = {"classes": (OF_NUMBERS, _SIZE_OF_NUMBERS), "number": (PAPER, "size", "size and kind")}[known.kind]
    sets = {name: each for name, each in MEASURE_SETS.items() if name not in other and set(each) <= set(there)}
    dear = [name for name in there if name in ATTRIBUTES and ATTRIBUTES[name].group == "landmarkers"]
    rest = tuple(name for name in there if name not in dear)
    if rest and rest not in sets.values():
        sets["all measures"] = rest
    return sets
