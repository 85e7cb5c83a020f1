"""Multi2Test: places on every data set by MultiTest, the decision over them, and MultiTest once more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.deciding.groups import MOST_GROUPS, maximal_cliques
from tiebreak.deciding.order._costs import TIE_WORDS, joined, prior_keys, prior_places
from tiebreak.deciding.order._dominance import dominance_tests
from tiebreak.deciding.order._inner_tests import Inner, PairTest, inner_tests, spread_tests
from tiebreak.deciding.order._multitest import order_rows, places_of
from tiebreak.deciding.order._ordering import Ordering, OrderPlan
from tiebreak.deciding.order._reasons import reasons, words_for
from tiebreak.deciding.promises import promise_caveats
from tiebreak.errors import InputError
from tiebreak.methods import choices, find
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.tables import Metric


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldTable:
    """What is ordered: fold errors (lower is better) and normalised costs of the same cells.

    `errors` is (data sets, algorithms, replications, folds); with several scores they are `measures`, which has one
    more axis for them, and `errors` holds the first.
    """

    errors: FloatArray
    scores: FloatArray
    costs: tuple[FloatArray, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: Caveats
    measures: FloatArray | None = None

    def take(self, rows: IntArray | BoolArray) -> FoldTable:
        """Return the table of some of the data sets, or of data sets drawn several times."""
        return replace(
            self,
            errors=self.errors[rows],
            scores=self.scores[rows],
            measures=None if self.measures is None else self.measures[rows],
            costs=tuple(cost[rows] for cost in self.costs),
            datasets=tuple(np.array(self.datasets, dtype=object)[rows].tolist()),
        )

    def without(self, failed: BoolArray) -> FoldTable:
        """Return the table of the algorithms that did not fail."""
        there = ~failed
        return replace(
            self,
            errors=self.errors[:, there],
            scores=self.scores[:, there],
            measures=None if self.measures is None else self.measures[:, there],
            costs=tuple(cost[:, there] for cost in self.costs),
            algorithms=tuple(name for name, here in zip(self.algorithms, there, strict=True) if here),
        )

    @property
    def failed(self) -> BoolArray:
        """Which algorithm has no complete score on which data set, (data sets, algorithms)."""
        return np.isnan(self.scores)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multi2Test:
    """Orders by one plan: a whole table, a group of its data sets, or data sets drawn from it."""

    plan: OrderPlan
    metric: Metric
    pairwise: str | PairTest
    given: IntArray | None

    def ordering(self, table: FoldTable) -> Ordering:
        """Run MultiTest on every data set, and over them."""
        inner, ranks, tied_sets = self.places(table)
        overall, tied_means = self.overall_prior(table)
        found, tests, better = self.outer(table, inner, ranks)
        sequence = order_rows(better[None], overall[None])[0]
        names = table.algorithms
        groups, complete = _cliques(better, ranks.mean(axis=0), names)
        notes = [*self._inside(inner), *self._ties(tied_sets, tied_means)]
        return Ordering(
            order=tuple(names[i] for i in sequence),
            prior=tuple(names[i] for i in np.argsort(overall)),
            reasons=reasons(
                sequence, better, overall, names, words=words_for(len(table.datasets), given=self.given is not None)
            ),
            algorithms=names,
            datasets=table.datasets,
            ranks=readonly(ranks),
            mean_ranks=readonly(ranks.mean(axis=0)),
            scores=readonly(table.scores if table.measures is None else ranks),
            costs=MappingProxyType(
                {
                    name: readonly(cost.mean(axis=0))
                    for name, cost in zip(self.plan.choice.names, table.costs, strict=True)
                }
            ),
            omnibus=found,
            tests=tests,
            better=readonly(better),
            prior_places=readonly(overall),
            groups=groups,
            inner=inner,
            score=self.metric,
            plan=self.plan,
            procedure=self,
            table=table,
            tied_costs=bool(tied_sets or tied_means),
            caveats=distinct([*table.caveats, *notes, *self._caveats(found, tests, complete=complete)]),
        )

    def _caveats(self, found: OmnibusResult | None, tests: PairwiseResult, *, complete: bool) -> list[Caveat]:
        """Tests are made on two levels, and each keeps its own promise; the inner one is marked as such."""
        notes = []
        if not complete:
            text = f"There are more than {MOST_GROUPS} groups; the best was sought in the first."
            notes.append(Caveat("groups-cut", text))
        if self.pairwise != "score":
            inside = promise_caveats(find(self.plan.inner_adjust, "correction"), len(tests.a))
            notes += [each.prefixed("Inside the data sets: ") for each in inside]
        if found is None:
            return [*notes, Caveat("one-dataset", "One data set: the order holds for it alone.")]
        notes += [*found.caveats, *tests.caveats]
        notes += promise_caveats(find(self.plan.posthoc, "posthoc", "correction"), len(tests.a))
        if found.pvalue > self.plan.alpha:
            what = "mean cost" if self.given is None else "the given order"
            notes.append(Caveat("order-by-cost", f"The omnibus test does not reject: the order is that of {what}."))
        return notes

    def _inside(self, inner: Inner | None) -> Caveats:
        """Without inner tests, cost enters only the order over data sets, which a reader would not expect."""
        if inner is None:
            text = "Data sets are ranked by mean score: inside them nothing was tested and cost played no part."
            return (Caveat("ranked-by-score", text),)
        return inner.caveats

    def _ties(self, sets: int, means: int) -> list[Caveat]:
        rule = TIE_WORDS[self.plan.choice.ties]
        notes = [f"Costs tie on {sets} data set(s); ties were broken by {rule}."] if sets else []
        notes += [f"Mean costs tie; ties were broken by {rule}."] if means else []
        return [Caveat("tied-costs", note) for note in notes]

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

    def places(self, table: FoldTable) -> tuple[Inner | None, FloatArray, int]:
        """Return the tests inside the data sets, the places they and the costs give, and where costs tie."""
        if self.pairwise == "score":
            means = snap(-table.scores if self.metric.higher_is_better else table.scores)
            return None, average_ranks(np.where(np.isnan(means), np.inf, means)), 0
        if table.failed.any():
            return self._places_with_failures(table)
        if table.measures is not None:
            inner = dominance_tests(
                table.measures, adjust=self.plan.inner_adjust, datasets=table.datasets, names=table.algorithms
            )
        else:
            _check_complete(table)
            inner = inner_tests(table.errors, pairwise=self.pairwise, adjust=self.plan.inner_adjust)
        better = inner.better(self.plan.alpha, len(table.algorithms))
        prior, tied = self.cell_prior(table)
        ranks = places_of(order_rows(better, prior)).astype(np.float64)
        return inner, ranks, tied

    def _places_with_failures(self, table: FoldTable) -> tuple[Inner, FloatArray, int]:
        """Place those that ran by their own tests; those that failed share the places behind them."""
        count = len(table.algorithms)
        places = np.empty(table.scores.shape)
        parts: list[tuple[IntArray, IntArray, Inner]] = []
        tied = 0
        for failed in np.unique(table.failed, axis=0):
            rows: IntArray = np.flatnonzero((table.failed == failed).all(axis=1)).astype(np.int64)
            there: IntArray = np.flatnonzero(~failed).astype(np.int64)
            places[np.ix_(rows, np.flatnonzero(failed))] = (len(there) + 1 + count) / 2  # the mean of the last places
            if len(there) < 2:
                places[np.ix_(rows, there)] = 1.0
                continue
            given = None if self.given is None else np.argsort(np.argsort(self.given[there]))
            inner, own, ties = replace(self, given=given).places(table.take(rows).without(failed))
            places[np.ix_(rows, there)] = own
            assert inner is not None  # there are tests wherever data sets are not ranked by score
            parts.append((rows, there, inner))
            tied += ties
        return spread_tests(parts, (len(table.datasets), count)), places, tied

    def cell_prior(self, table: FoldTable) -> tuple[IntArray, int]:
        """Place the algorithms by cost on every data set, and count those on which costs tie."""
        shape = len(table.datasets), len(table.algorithms)
        if self.given is not None:
            return np.broadcast_to(self.given, shape), 0
        rows = [f"data set {name!r}" for name in table.datasets]
        keys, breakers = prior_keys(table.costs, self.plan.choice), self.breakers(table, shape[0])
        return prior_places(keys, breakers, names=table.algorithms, rows=rows)

    def overall_prior(self, table: FoldTable) -> tuple[IntArray, int]:
        """Place the algorithms by mean normalised cost, and say whether means tie."""
        if self.given is not None:
            return self.given, 0
        means = tuple(cost.mean(axis=0, keepdims=True) for cost in table.costs)
        places, tied = prior_places(
            prior_keys(means, self.plan.choice),
            self.breakers(table, 1),
            names=table.algorithms,
            rows=["the mean over all data sets"],
        )
        return places[0], tied

    def outer(
        self, table: FoldTable, inner: Inner | None, ranks: FloatArray
    ) -> tuple[OmnibusResult | None, PairwiseResult, BoolArray]:
        """Decide over data sets; with one, its own tests decide."""
        names, count = table.algorithms, len(table.algorithms)
        if len(table.datasets) == 1:
            if inner is None:
                raise InputError(
                    "There is one data set, ranked by score.",
                    why="Without a test inside it nothing says which differences are real.",
                    mend="Use a test of the folds, such as pairwise='5x2cv-f'.",
                )
            return None, _single(inner, names), inner.better(self.plan.alpha, count)[0]
        found: OmnibusResult = find(self.plan.omnibus, "omnibus")(ranks, algorithms=names)
        single = self.plan.posthoc in choices("posthoc", verb="order")
        test = find(self.plan.posthoc if single else "ranks", "posthoc", "pairs", after=self.plan.omnibus, verb="order")
        tests: PairwiseResult = test(ranks, algorithms=names, **({} if single else {"adjust": self.plan.posthoc}))
        better = np.zeros((count, count), dtype=bool)
        if found.pvalue <= self.plan.alpha:
            significant = tests.adjusted <= self.plan.alpha
            better[tests.a, tests.b] = significant & (tests.statistic > 0)
            better[tests.b, tests.a] = significant & (tests.statistic < 0)
        return found, tests, better


def _check_complete(table: FoldTable) -> None:
    """Refuse data sets whose resampling differs from the others': their folds cannot be laid side by side."""
    wrong = np.isnan(table.errors).any(axis=(1, 2, 3))
    if wrong.any():
        name = table.datasets[int(np.argmax(wrong))]
        raise InputError(
            f"Data set {name!r} lacks folds that others have ({int(wrong.sum())} such data set(s) in all).",
            why="The test needs the same replications and folds on every data set.",
            mend="Leave those data sets out with `results.without(datasets=[...])`, or order each alone (dataset=...).",
        )


def _single(inner: Inner, names: tuple[str, ...]) -> PairwiseResult:
    """With one data set its inner tests are the whole answer: Multi2Test becomes MultiTest."""
    return PairwiseResult(
        a=readonly(inner.a),
        b=readonly(inner.b),
        statistic=readonly(inner.statistic[0]),
        pvalue=readonly(inner.pvalue[0]),
        adjusted=readonly(inner.adjusted[0]),
        algorithms=names,
        method=inner.method,
        caveats=inner.caveats,
    )


def _cliques(
    better: BoolArray, mean_ranks: FloatArray, names: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the groups without a significant difference, members by mean rank, and whether these are all."""
    order = sorted(range(len(names)), key=lambda i: (float(mean_ranks[i]), names[i]))
    alike = ~(better | better.T)[np.ix_(order, order)]
    cliques, complete = maximal_cliques(alike)
    return tuple(tuple(names[order[i]] for i in clique) for clique in cliques), complete
