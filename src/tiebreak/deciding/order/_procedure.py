"""What both ways to order share: a plan, and the order that costs or a given list put before any test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.deciding.groups import MOST_GROUPS, maximal_cliques
from tiebreak.deciding.order._costs import TIE_WORDS, joined, prior_keys, prior_places
from tiebreak.deciding.order._inner_tests import Inner
from tiebreak.deciding.order._multitest import order_rows, places_of
from tiebreak.deciding.order._noise import ENOUGH, Noise, cost_noise, noise_caveat
from tiebreak.deciding.order._ordering import Ordering, OrderPlan
from tiebreak.deciding.order._reasons import Standing, words_for
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.order._trade import known_costs, log_costs
from tiebreak.errors import OptionError
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import snap
from tiebreak.tables import Metric
from tiebreak.wording import option

MOST_INTRANSITIVE = 5
"""A caveat names so many pairs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decisions:
    """What the tests decided: everything that MultiTest and its explanation read.

    `better`, `shown`, `moves` and `good` are those of `Standing`. `ranks` are the places on each data set, `inner` the
    tests inside them where there were any, `omnibus` the test of all algorithms.
    """

    tests: PairwiseResult
    better: BoolArray
    moves: BoolArray
    good: BoolArray | None
    omnibus: OmnibusResult | None
    ranks: FloatArray
    prior: IntArray
    inner: Inner | None = None
    shown: BoolArray | None = None
    tied: bool = False
    notes: Caveats = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Procedure(Brief):
    """Orders by one plan; `given` are the places of a prior order that stands for the costs."""

    plan: OrderPlan
    metric: Metric
    given: IntArray | None

    def breakers(self, table: FoldTable, rows: int) -> list[FloatArray]:
        """Return what breaks ties of cost, by the rule that was named; noise of rounding breaks none."""
        shape = rows, len(table.algorithms)
        if self.plan.choice.ties == "refuse":
            return []
        if self.plan.choice.ties == "mean-cost" and table.costs:
            means = [cost.mean(axis=0) for cost in joined(table.costs, self.plan.choice)]
            return [np.broadcast_to(snap(mean), shape) for mean in means]
        if self.plan.choice.ties == "score":
            errors = -table.scores if self.metric.higher_is_better else table.scores
            return [snap(errors if rows == len(errors) and rows > 1 else np.nanmean(errors, axis=0, keepdims=True))]
        return [np.zeros(shape)]

    def overall_prior(self, table: FoldTable) -> tuple[IntArray, int]:
        """Place the algorithms by mean normalised cost, and say whether means tie."""
        if self.given is not None:
            return self.given, 0
        means = tuple(cost.mean(axis=0, keepdims=True) for cost in table.costs)
        places, tied = prior_places(
            prior_keys(means, self.plan.choice, self.apart(table)),
            self.breakers(table, 1),
            names=table.algorithms,
            rows=["the mean over all data sets"],
        )
        return places[0], tied

    def apart(self, table: FoldTable) -> list[BoolArray]:
        """Say for each cost that is compared which pairs differ by more than noise; empty where that is not asked."""
        if not self.plan.choice.by_noise or self.given is not None:
            return []
        found = [self._noise(table, place) for place in range(len(joined(table.costs, self.plan.choice)))]
        return [_known(each, table).apart for each in found]

    def _noise(self, table: FoldTable, place: int) -> Noise | None:
        """Tell the noise of one cost, or of the weighted sum of all."""
        tops = [cost.max(axis=1) for cost in table.paid]
        shares = [
            cube / np.where(top > 0, top, 1.0)[:, None, None, None]
            for cube, top in zip(table.paid_folds, tops, strict=True)
        ]
        folds, paid = joined(shares, self.plan.choice)[place], joined(table.costs, self.plan.choice)[place]
        weighted = self.plan.choice.rule == "weighted"
        timed = all(table.timed) if weighted else table.timed[place]
        return cost_noise(folds, paid, alpha=self.plan.alpha, timed=timed)

    def _noise_notes(self, table: FoldTable, standing: Standing) -> list[Caveat]:
        """Say where the order rests on a time that is noise; sizes of models are no noise."""
        choice = self.plan.choice
        if self.given is not None or choice.equal_within or choice.rule == "weighted" or table.timed[:1] != (True,):
            return []
        found = self._noise(table, 0)
        unsure = found is None or (found.over == "data sets" and len(table.datasets) < ENOUGH)
        return [] if found is None or unsure else noise_caveat(found, standing, choice.names[0], self.plan.alpha)

    def tie_notes(self, sets: int, means: int) -> list[Caveat]:
        """Say what broke the ties of costs."""
        rule = TIE_WORDS[self.plan.choice.ties]
        notes = [f"Costs tie on {sets} data set(s); ties were broken by {rule}."] if sets else []
        notes += [f"Mean costs tie; ties were broken by {rule}."] if means else []
        return [Caveat("tied-costs", note) for note in notes]

    def made(self, table: FoldTable, found: Decisions) -> Ordering:
        """Order by MultiTest and explain every place."""
        names = table.algorithms
        sequence = order_rows(found.moves[None], found.prior[None])[0]
        standing = self._standing(table, found, places_of(sequence[None])[0])
        groups, complete = cliques(found.better, found.ranks.mean(axis=0), names)
        cut = f"There are more than {MOST_GROUPS} groups; only the first are listed."
        notes = [*found.notes, *([] if complete else [Caveat("groups-cut", cut)]), *_intransitive(standing)]
        notes += self._noise_notes(table, standing)
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
                {
                    name: readonly(cost.mean(axis=0))
                    for name, cost in zip(self.plan.choice.names, table.costs, strict=True)
                }
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
            units=MappingProxyType(dict(zip(self.plan.choice.names, table.units, strict=True))),
            reversed=() if self.plan.over == "places" else standing.named_pairs(),
            tied_costs=found.tied,
            caveats=distinct([*table.caveats, *notes]),
        )

    def _standing(self, table: FoldTable, found: Decisions, place: IntArray) -> Standing:
        """Ratios of cost are told only where one cost decides."""
        logs = None
        if table.paid and (len(table.paid) == 1 or self.plan.choice.rule == "lexicographic"):
            logs = log_costs(known_costs(table))
        return Standing(
            names=table.algorithms,
            place=place,
            better=found.better,
            moves=found.moves,
            good=found.good,
            shown=found.better if found.shown is None else found.shown,
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


def _known(found: Noise | None, table: FoldTable) -> Noise:
    if found is None:
        raise OptionError(
            f"{option(equal_within='auto')} was given, and nothing tells the noise of the costs on data set"
            f" {table.datasets[0]!r}.",
            why="Noise shows over folds or over data sets; there is one cost of each algorithm.",
            mend=f"Give the costs of folds, or more data sets, or a share: {option(equal_within=0.1)}.",
        )
    return found


def _intransitive(standing: Standing) -> list[Caveat]:
    """Name the pairs in which one stands before another that beats it: a third one holds the better one back."""
    pairs = standing.beaten_before()
    if standing.good is not None:  # with a margin the cheaper one of such a pair was shown good enough
        pairs = [(i, j) for i, j in pairs if not standing.good[i, j]]
    if not pairs:
        return []
    shown = [f"{standing.name(i)} before {standing.name(j)}" for i, j in pairs[:MOST_INTRANSITIVE]]
    more = f" and {len(pairs) - MOST_INTRANSITIVE} more" if len(pairs) > MOST_INTRANSITIVE else ""
    sure = all(standing.better[i, j] for i, j in pairs)
    word = f"{'significantly' if sure else 'shown to be'} {standing.words.better}"
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
