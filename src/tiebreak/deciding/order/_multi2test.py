"""Making an ordering by a plan: places on every data set, the decision over them, the order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.deciding.compare._compare import correction_caveats
from tiebreak.deciding.compare.cliques import MOST_GROUPS, maximal_cliques
from tiebreak.deciding.order._costs import TIE_WORDS, CostChoice, joined, prior_keys, prior_places
from tiebreak.deciding.order._dominance import joint_tests
from tiebreak.deciding.order._inner_tests import Inner, PairTest, inner_tests
from tiebreak.deciding.order._multitest import order_rows, places_of
from tiebreak.deciding.order._ordering import Ordering, OrderPlan
from tiebreak.deciding.order._reasons import reasons, words_for
from tiebreak.errors import InputError
from tiebreak.stats import FriedmanResult, PairwiseResult
from tiebreak.stats.many._friedman import friedman_from_ranks
from tiebreak.stats.many._rank_tests import from_mean_ranks
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.tables import Metric


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """What is ordered: fold errors (lower is better) and normalised costs of the same cells.

    `errors` is (data sets, algorithms, replications, folds); with several scores they are `measures`, which has one
    more axis for them, and `errors` holds the first.
    """

    errors: FloatArray
    scores: FloatArray
    costs: tuple[FloatArray, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: tuple[str, ...]
    measures: FloatArray | None = None

    def take(self, rows: IntArray | BoolArray) -> Table:
        """Return the table of some of the data sets, or of data sets drawn several times."""
        return replace(
            self,
            errors=self.errors[rows],
            scores=self.scores[rows],
            measures=None if self.measures is None else self.measures[rows],
            costs=tuple(cost[rows] for cost in self.costs),
            datasets=tuple(np.array(self.datasets, dtype=object)[rows].tolist()),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Maker:
    """Makes orderings by one plan, for a whole table or for a group of its data sets."""

    plan: OrderPlan
    choice: CostChoice
    metric: Metric
    pairwise: str | PairTest
    given: IntArray | None

    def ordering(self, table: Table) -> Ordering:
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
                {name: readonly(cost.mean(axis=0)) for name, cost in zip(self.choice.names, table.costs, strict=True)}
            ),
            omnibus=found,
            tests=tests,
            better=readonly(better),
            prior_places=readonly(overall),
            groups=groups,
            inner=inner,
            score=self.metric,
            plan=self.plan,
            maker=self,
            table=table,
            tied_costs=bool(tied_sets or tied_means),
            caveats=tuple(dict.fromkeys([*table.caveats, *notes, *self._caveats(found, tests, complete=complete)])),
        )

    def _caveats(self, found: FriedmanResult | None, tests: PairwiseResult, *, complete: bool) -> list[str]:
        notes = [] if complete else [f"There are more than {MOST_GROUPS} groups; the best was sought in the first."]
        if self.pairwise != "score":
            notes += [
                f"Inside the data sets: {note}" for note in correction_caveats(self.plan.inner_adjust, len(tests.a))
            ]
        if found is None:
            return [*notes, "One data set: the order holds for it alone."]
        notes += [*found.caveats, *tests.caveats, *correction_caveats(self.plan.posthoc, len(tests.a))]
        if found.pvalue > self.plan.alpha:
            what = "mean cost" if self.given is None else "the given order"
            notes.append(f"The omnibus test does not reject: the order is that of {what}.")
        return notes

    def _inside(self, inner: Inner | None) -> tuple[str, ...]:
        if inner is None:
            return ("Data sets are ranked by mean score: inside them nothing was tested and cost played no part.",)
        return inner.caveats

    def _ties(self, sets: int, means: int) -> list[str]:
        rule = TIE_WORDS[self.choice.ties]
        notes = [f"Costs tie on {sets} data set(s); ties were broken by {rule}."] if sets else []
        return [*notes, f"Mean costs tie; ties were broken by {rule}."] if means else notes

    def breakers(self, table: Table, rows: int) -> list[FloatArray]:
        """Return what breaks ties of cost, by the rule that was named; noise of rounding breaks none."""
        shape = rows, len(table.algorithms)
        if self.choice.ties == "refuse":
            return []
        if self.choice.ties == "mean-cost" and table.costs:
            means = [cost.mean(axis=0) for cost in joined(table.costs, self.choice)]
            return [np.broadcast_to(snap(mean), shape) for mean in means]
        if self.choice.ties == "score":
            errors = -table.scores if self.metric.higher_is_better else table.scores
            return [snap(errors if rows == len(errors) and rows > 1 else errors.mean(axis=0, keepdims=True))]
        return [np.zeros(shape)]

    def places(self, table: Table) -> tuple[Inner | None, FloatArray, int]:
        """Return the tests inside the data sets, the places they and the costs give, and where costs tie."""
        errors = table.errors
        if self.pairwise == "score":
            means = -table.scores if self.metric.higher_is_better else table.scores
            return None, average_ranks(snap(means)), 0
        if table.measures is not None:
            inner = joint_tests(
                table.measures, adjust=self.plan.inner_adjust, datasets=table.datasets, names=table.algorithms
            )
        else:
            _check_complete(errors, table)
            inner = inner_tests(errors, pairwise=self.pairwise, adjust=self.plan.inner_adjust)
        better = inner.better(self.plan.alpha, len(table.algorithms))
        prior, tied = self.cell_prior(table)
        ranks = places_of(order_rows(better, prior)).astype(np.float64)
        return inner, ranks, tied

    def cell_prior(self, table: Table) -> tuple[IntArray, int]:
        """Place the algorithms by cost on every data set, and count those on which costs tie."""
        shape = len(table.datasets), len(table.algorithms)
        if self.given is not None:
            return np.broadcast_to(self.given, shape), 0
        rows = [f"data set {name!r}" for name in table.datasets]
        keys, breakers = prior_keys(table.costs, self.choice), self.breakers(table, shape[0])
        return prior_places(keys, breakers, names=table.algorithms, rows=rows)

    def overall_prior(self, table: Table) -> tuple[IntArray, int]:
        """Place the algorithms by mean normalised cost, and say whether means tie."""
        if self.given is not None:
            return self.given, 0
        means = tuple(cost.mean(axis=0, keepdims=True) for cost in table.costs)
        places, tied = prior_places(
            prior_keys(means, self.choice),
            self.breakers(table, 1),
            names=table.algorithms,
            rows=["the mean over all data sets"],
        )
        return places[0], tied

    def outer(
        self, table: Table, inner: Inner | None, ranks: FloatArray
    ) -> tuple[FriedmanResult | None, PairwiseResult, BoolArray]:
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
        statistic = "chi2" if self.plan.omnibus == "friedman-chi2" else "iman-davenport"
        found = friedman_from_ranks(ranks, tie_correction=True, statistic=statistic, algorithms=names)
        tests = from_mean_ranks(found.mean_ranks, len(ranks), method=self.plan.posthoc, algorithms=names)
        better = np.zeros((count, count), dtype=bool)
        if found.pvalue <= self.plan.alpha:
            significant = tests.adjusted <= self.plan.alpha
            better[tests.a, tests.b] = significant & (tests.statistic > 0)
            better[tests.b, tests.a] = significant & (tests.statistic < 0)
        return found, tests, better


def _check_complete(errors: FloatArray, table: Table) -> None:
    """Refuse data sets whose resampling differs from the others': their folds cannot be laid side by side."""
    wrong = np.isnan(errors).any(axis=(1, 2, 3))
    if wrong.any():
        name = table.datasets[int(np.argmax(wrong))]
        raise InputError(
            f"Data set {name!r} lacks folds that others have ({int(wrong.sum())} such data set(s) in all).",
            why="The test needs the same replications and folds on every data set.",
            mend="Leave those data sets out with `results.without(datasets=[...])`, or order each alone (dataset=...).",
        )


def _single(inner: Inner, names: tuple[str, ...]) -> PairwiseResult:
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
