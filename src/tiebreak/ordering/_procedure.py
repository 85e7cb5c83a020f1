"""What both ways to order share: a plan, and the order that costs or a given list put before any test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.deciding.groups import MOST_GROUPS, maximal_cliques
from tiebreak.ordering._costs import log_costs, prior_places
from tiebreak.ordering._inner_tests import Inner
from tiebreak.ordering._multitest import order_rows, places_of
from tiebreak.ordering._ordering import Ordering, OrderPlan
from tiebreak.ordering._reasons import Standing, words_for
from tiebreak.ordering._table import FoldTable
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.tables import Metric

MOST_INTRANSITIVE = 5
"""A caveat names so many pairs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decisions:
    """What the tests decided: everything that MultiTest and its explanation read.

    `better` is that of `Standing`. `ranks` are the places on each data set, `inner` the
    tests inside them where there were any, `omnibus` the test of all algorithms.
    """

    tests: PairwiseResult
    better: BoolArray
    omnibus: OmnibusResult | None
    ranks: FloatArray
    prior: IntArray
    inner: Inner | None = None
    tied: bool = False
    notes: Caveats = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Procedure(Brief):
    """Orders by one plan; `given` are the places of a prior order that stands for the costs."""

    plan: OrderPlan
    metric: Metric
    given: IntArray | None

    def overall_prior(self, table: FoldTable) -> tuple[IntArray, int]:
        """Place the algorithms by mean normalised cost, and say whether means tie."""
        if self.given is not None:
            return self.given, 0
        means = table.costs[0].mean(axis=0, keepdims=True)
        places, tied = prior_places(means, np.nanmean(table.valued, axis=0, keepdims=True), table.algorithms)
        return places[0], tied

    def tie_notes(self, sets: int, means: int) -> list[Caveat]:
        """Say what broke the ties of costs."""
        where = [f"Costs tie on {sets} data set(s)"] if sets else []
        where += ["Mean costs tie"] if means else []
        notes = [f"{text}; ties are broken by score, then by name." for text in where]
        return [Caveat("tied-costs", note) for note in notes]

    def made(self, table: FoldTable, found: Decisions) -> Ordering:
        """Order by MultiTest and explain every place."""
        names = table.algorithms
        sequence = order_rows(found.better[None], found.prior[None])[0]
        standing = self._standing(table, found, places_of(sequence[None])[0])
        groups, complete = cliques(found.better, found.ranks.mean(axis=0), names)
        cut = f"There are more than {MOST_GROUPS} groups; only the first are listed."
        notes = [*found.notes, *([] if complete else [Caveat("groups-cut", cut)]), *_intransitive(standing)]
        return Ordering(
            order=tuple(names[i] for i in sequence),
            prior=tuple(names[i] for i in np.argsort(found.prior)),
            reasons=standing.reasons(),
            algorithms=names,
            datasets=table.datasets,
            ranks=readonly(found.ranks),
            mean_ranks=readonly(found.ranks.mean(axis=0)),
            scores=readonly(table.scores if table.measures is None else found.ranks),
            costs=MappingProxyType(
                {name: readonly(cost.mean(axis=0)) for name, cost in zip(self.plan.costs, table.costs, strict=True)}
            ),
            omnibus=found.omnibus,
            tests=found.tests,
            better=readonly(found.better),
            prior_places=readonly(found.prior),
            groups=groups,
            inner=found.inner and replace(found.inner, datasets=table.datasets, algorithms=names),
            score=self.metric,
            plan=self.plan,
            procedure=self,
            table=table,
            standing=standing,
            units=MappingProxyType(dict(zip(self.plan.costs, table.units, strict=True))),
            reversed=() if self.plan.over == "places" else standing.named_pairs(),
            tied_costs=found.tied,
            caveats=distinct([*table.caveats, *notes]),
        )

    def _standing(self, table: FoldTable, found: Decisions, place: IntArray) -> Standing:
        """Ratios of cost are told only where one cost decides."""
        logs = None
        if table.paid:
            paid = table.paid[0] if table.unpriced is None else np.where(table.unpriced, np.nan, table.paid[0])
            logs = log_costs(paid)
        return Standing(
            names=table.algorithms,
            place=place,
            better=found.better,
            differ=self._unlike(table, found),
            prior=found.prior,
            logs=logs,
            unpriced=table.unpriced,
            words=words_for(
                places=self.plan.over == "places",
                given=self.given is not None,
                tested=self.plan.over != "folds" or found.inner is not None,
            ),
        )

    def _unlike(self, table: FoldTable, found: Decisions) -> BoolArray | None:
        """Say which pairs a test of several scores tells apart on one data set although neither dominates."""
        if table.measures is None or self.plan.over != "folds":
            return None
        tests, count = found.tests, len(table.algorithms)
        apart = np.zeros((count, count), dtype=bool)
        apart[tests.a, tests.b] = apart[tests.b, tests.a] = tests.adjusted <= self.plan.alpha
        return apart & ~found.better & ~found.better.T


def _intransitive(standing: Standing) -> list[Caveat]:
    """Name the pairs in which one stands before another that beats it: a third one holds the better one back."""
    pairs = standing.beaten_before()
    if not pairs:
        return []
    shown = [f"{standing.name(i)} before {standing.name(j)}" for i, j in pairs[:MOST_INTRANSITIVE]]
    more = f" and {len(pairs) - MOST_INTRANSITIVE} more" if len(pairs) > MOST_INTRANSITIVE else ""
    word = f"significantly {standing.words.better}"
    text = (
        f"{len(pairs)} pair(s) stand against their own test, the second being {word}: {', '.join(shown)}"
        f"{more}. The decisions are not transitive: the second waits behind a third, which the first need not."
    )
    return [Caveat("beaten-but-before", text)]


def cliques(
    better: BoolArray, mean_ranks: FloatArray, names: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the groups without a significant difference, members by mean rank, and whether these are all."""
    order = sorted(range(len(names)), key=lambda i: (float(mean_ranks[i]), names[i]))
    alike = ~(better | better.T)[np.ix_(order, order)]
    found, complete = maximal_cliques(alike)
    return tuple(tuple(names[order[i]] for i in clique) for clique in found), complete


def decided(a: IntArray, b: IntArray, significant: BoolArray, toward_b: FloatArray, count: int) -> BoolArray:
    """Return better[..., i, j], whether j is significantly better than i; `toward_b` is positive where b is better."""
    better = np.zeros((*significant.shape[:-1], count, count), dtype=bool)
    better[..., a, b] = significant & (toward_b > 0)
    better[..., b, a] = significant & (toward_b < 0)
    return better
