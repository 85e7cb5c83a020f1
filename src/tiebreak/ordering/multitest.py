"""MultiTest and Multi2Test: the cheaper comes first unless a costlier one is significantly better.

MultiTest decides over data sets, on items or on the folds of one data set. Multi2Test takes the places by MultiTest on
every data set, decides over them, and applies MultiTest once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, readonly
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.comparison.gaps import folds_as_items
from tiebreak.comparison.groups import fewest_datasets, promise_caveats
from tiebreak.comparison.on_items import TOO_FEW, pairs_of_models
from tiebreak.errors import InputError
from tiebreak.methods import choices, find
from tiebreak.ordering.options import TOGETHER, OrderPlan, usual_posthoc
from tiebreak.ordering.table import VERB, FoldTable, prior_places
from tiebreak.results import Metric
from tiebreak.stats import CORRECTIONS, OmnibusResult, PairwiseResult
from tiebreak.stats.folds.inner import InnerTests, inner_tests, own_pvalues, spread_tests
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import correction_name, decided, pair_indices
from tiebreak.wording import either, option

if TYPE_CHECKING:
    pass

MARGIN_OF_DATASETS = 4
"""So many data sets beyond the fewest, a pair may disagree on one or two of them and still differ significantly."""
DISCRETE = ("wilcoxon", "sign", "wins")
"""Tests whose smallest p-value is that of all data sets pointing one way, 2 / 2^n."""
MOST_PAIRS = 5
"""A caveat names so many pairs."""


def multitest(better: npt.ArrayLike, prior: npt.ArrayLike) -> IntArray:
    """Order algorithms by tests where they decide and by prior cost where they do not.

    Hypothesis: none of its own; it reads the decisions of tests of all pairs.

    Formula: for i cheaper than j draw the edge i -> j where j is significantly better. Repeat: among the nodes without
    an outgoing edge take the cheapest, output it, delete it and its edges. Edges lead from cheap to costly, so there
    is always such a node.

    Assumptions: the prior has no ties. Decisions need not be transitive.
    When not to use it: where cost does not matter; then compare, and leave ties as ties.

    Parameters
    ----------
    better : array_like of bool, shape (..., algorithms, algorithms)
        better[..., i, j]: whether j is significantly better than i. Only pairs with j costlier than i are read.
    prior : array_like, shape (..., algorithms)
        Costs or places; lower is preferred. All different within a row.

    Returns
    -------
    ndarray of int, shape (..., algorithms)
        Indices of the algorithms from best to worst.

    References
    ----------
    yildiz2006

    Examples
    --------
    B is better than A and C, D is better than C, and A is the cheapest:

    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[0, 1] = better[2, 1] = better[2, 3] = True
    >>> ["ABCD"[i] for i in multitest(better, [1, 2, 3, 4])]
    ['B', 'A', 'D', 'C']
    """
    costs = as_floats(prior, what="prior")
    edges = np.asarray(better, dtype=bool)
    count = costs.shape[-1] if costs.ndim else 0
    tied = count == 0 or not (np.diff(np.sort(costs, axis=-1), axis=-1) > 0).all()  # NaN compares as a tie
    if edges.shape[-2:] != (count, count) or tied:
        raise InputError(
            f"better has shape {edges.shape} and prior has shape {costs.shape}, or the prior has ties.",
            mend="Pass better[..., i, j] and one distinct cost per algorithm.",
        )
    edges, costs = np.broadcast_arrays(edges, costs[..., None])
    costs = costs[..., 0]
    flat = edges.reshape(-1, count, count), costs.reshape(-1, count)
    return order_rows(*flat).reshape(costs.shape)


def order_rows(better: BoolArray, costs: npt.NDArray[np.float64] | IntArray) -> IntArray:
    """Order every row at once: O(algorithms^2) steps per row, none of them in Python per row."""
    rows, count = costs.shape
    edges = better & (costs[:, None, :] > costs[:, :, None])  # Yildiz and Alpaydin 2006: a test counts against cost
    waiting = edges.sum(axis=2, dtype=np.int64)  # how many better, costlier ones are still to be placed
    by_cost = np.argsort(costs, axis=1, kind="stable")
    waiting_by_cost = np.take_along_axis(waiting, by_cost, axis=1)
    edges_by_cost = np.take_along_axis(np.take_along_axis(edges, by_cost[:, :, None], 1), by_cost[:, None, :], 2)
    into = np.ascontiguousarray(edges_by_cost.transpose(0, 2, 1))  # into[row, j]: who waits for j
    order = np.empty((rows, count), dtype=np.int64)
    every = np.arange(rows)
    for place in range(count):
        chosen = np.argmax(waiting_by_cost == 0, axis=1)  # the cheapest that waits for nobody
        order[:, place] = chosen
        waiting_by_cost -= into[every, chosen]
        waiting_by_cost[every, chosen] = -1
    return np.take_along_axis(by_cost, order, axis=1)


def places_of(order: IntArray) -> IntArray:
    """Turn orders into places: places[..., i] is where algorithm i stands, 1 the first."""
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(np.arange(1, order.shape[-1] + 1), order.shape), axis=-1)
    return places


# ---- the decisions that MultiTest reads


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decisions:
    """What the tests decided: everything that MultiTest and its explanation read.

    `better[i, j]` says that j is significantly better than i. `ranks` are the places on each data set, `inner` the
    tests inside them where there were any, `omnibus` the test of all algorithms. `prior` are the places by cost, and
    `tied` says that costs tie.
    """

    tests: PairwiseResult
    better: BoolArray
    ranks: FloatArray
    prior: IntArray
    omnibus: OmnibusResult | None = None
    inner: InnerTests | None = None
    tied: bool = False
    notes: Caveats = ()

    @property
    def sequence(self) -> IntArray:
        """The algorithms from best to worst."""
        return np.asarray(order_rows(self.better[None], self.prior[None])[0])


def alone(table: FoldTable) -> Decisions:
    """Return the decisions of a table of one algorithm: there is nothing to test."""
    none, empty = np.zeros(0, dtype=np.int64), np.zeros(0)
    tests = PairwiseResult(
        a=none, b=none, statistic=empty, pvalue=empty, adjusted=empty, algorithms=table.algorithms, method="no test"
    )
    one = np.ones(table.compared.shape)
    return Decisions(tests=tests, better=np.zeros((1, 1), dtype=bool), ranks=one, prior=np.zeros(1, dtype=np.int64))


def beaten_before(better: BoolArray, sequence: IntArray) -> tuple[tuple[int, int], ...]:
    """Return the pairs in which the first stands before the second although the second is better."""
    place = places_of(sequence[None])[0]
    i, j = np.nonzero(better & (place[:, None] < place[None, :]))
    return tuple(sorted(zip(i.tolist(), j.tolist(), strict=True), key=lambda pair: (place[pair[0]], place[pair[1]])))


def named_pairs(pairs: tuple[tuple[int, int], ...], names: tuple[str, ...]) -> str:
    """Name the first of some pairs, and count the rest."""
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    return ", ".join(f"{names[i]} before {names[j]}" for i, j in pairs[:MOST_PAIRS]) + more


def overall_prior(table: FoldTable, plan: OrderPlan) -> tuple[IntArray, int]:
    """Place the algorithms by the prior order or by mean normalised cost, and say whether means tie."""
    if plan.prior is not None:
        names = [name for name in plan.prior if name in table.algorithms]
        return np.array([names.index(name) for name in table.algorithms], dtype=np.int64), 0
    means = table.shares[0].mean(axis=0, keepdims=True)
    places, tied = prior_places(means, np.nanmean(table.valued, axis=0, keepdims=True), table.algorithms)
    return places[0], tied


def tie_notes(sets: int, means: int) -> list[Caveat]:
    """Say what broke the ties of costs."""
    counts = {f"Costs tie on {sets} data set(s)": sets, "Mean costs tie": means}
    rule = "ties are broken by score, then by name."
    return [Caveat("tied-costs", f"{text}; {rule}") for text, count in counts.items() if count]


def decisions_of(table: FoldTable, plan: OrderPlan, metric: Metric) -> Decisions:
    """Test what the plan names: items, scores of data sets, or places on them and the folds of one."""
    if len(table.algorithms) == 1:
        return alone(table)
    if plan.over == "items":
        return by_items(table, plan, metric)
    return by_scores(table, plan) if plan.over == "scores" else by_places(table, plan)


def by_scores(table: FoldTable, plan: OrderPlan) -> Decisions:
    """Test all pairs over data sets, by the scores themselves."""
    prior, tied = overall_prior(table, plan)
    tests, notes = _score_tests(table, plan)
    ranks = average_ranks(np.where(table.failed, np.inf, snap(table.compared)))
    worst = "In the tests of pairs a failed run counts as the worst score of its data set."
    notes = [*[Caveat("gaps-worst-rank", worst)] * bool(table.failed.any()), *tie_notes(0, tied), *notes]
    return Decisions(
        tests=tests,
        better=decided(tests.a, tests.b, tests.adjusted <= plan.alpha, tests.statistic, len(table.algorithms)),
        omnibus=find(plan.omnibus, "omnibus")(ranks, algorithms=table.algorithms),
        ranks=ranks,
        prior=prior,
        tied=bool(tied),
        notes=(*notes, *tests.caveats, *promise_caveats(find(plan.posthoc, "correction"), len(tests.a))),
    )


def _score_tests(table: FoldTable, plan: OrderPlan) -> tuple[PairwiseResult, list[Caveat]]:
    """Test all pairs over data sets, or on the folds of these together where that was named."""
    if plan.own_test is not None:
        return _by_own_test(table, plan), []
    if plan.pairwise == TOGETHER:
        return _on_folds(table, plan)
    test = find(plan.pairwise, "pairs", verb="compare", what="pairwise test")
    tests: PairwiseResult = test(table.compared, adjust=plan.posthoc, algorithms=table.algorithms)
    return tests, _few_datasets(table, plan, tests) if plan.pairwise in DISCRETE else []


def _by_own_test(table: FoldTable, plan: OrderPlan) -> PairwiseResult:
    """Run a test of the user's own on the two vectors of scores of every pair."""
    assert plan.own_test is not None
    a, b = pair_indices(len(table.algorithms))
    p = own_pvalues(plan.own_test, table.compared.T, a, b)
    means = table.compared.mean(axis=0)
    return PairwiseResult(
        a=a,
        b=b,
        statistic=means[a] - means[b],
        pvalue=p,
        adjusted=CORRECTIONS[plan.posthoc](p),
        algorithms=table.algorithms,
        method=f"{plan.pairwise} {correction_name(plan.posthoc)}",
    )


def _on_folds(table: FoldTable, plan: OrderPlan) -> tuple[PairwiseResult, list[Caveat]]:
    """Combine the tests of each data set: they speak of these data sets and of no others."""
    from tiebreak.stats import folds_together

    folds = [part for row in range(len(table.datasets)) if (part := table.folds_of(row)) is not None]
    if len(folds) < len(table.datasets) or any(part.shape[1] * part.shape[2] < 2 for part in folds):
        raise InputError(
            "There are no folds of every data set.",
            mend=f"Give the scores of the folds, or leave {option('pairwise')} out.",
        )
    tests = folds_together(
        folds, adjust=plan.posthoc, test_share=plan.test_share, algorithms=table.algorithms, datasets=table.datasets
    )
    text = (
        "The tests combine the folds of each data set: they hold on these data sets and are no evidence about others."
    )
    return tests, [Caveat("on-these-datasets", text)]


def _few_datasets(table: FoldTable, plan: OrderPlan, tests: PairwiseResult) -> list[Caveat]:
    """Say that no pair, or only pairs that agree on nearly every data set, can differ significantly."""
    count, algorithms = len(table.datasets), len(table.algorithms)
    needed = fewest_datasets(algorithms * (algorithms - 1) // 2, plan.posthoc, plan.alpha)
    if count < needed:
        text = (
            f"With {count} data sets no pair of {algorithms} algorithms can differ significantly at"
            f" alpha = {plan.alpha:g}, however they score: nothing but {plan.decider} decided. It takes {needed} data"
            " sets."
        )
        return [Caveat("only-cost-decided", text)]
    if count >= needed + MARGIN_OF_DATASETS or bool((tests.adjusted <= plan.alpha).all()):
        return []
    text = (
        f"{count} data sets are few for {algorithms} algorithms: only pairs that agree on nearly every data set differ"
        f" significantly, and {plan.decider} decides the others. Add data sets"
        + (", or leave out algorithms." if algorithms > 2 else ".")
    )
    return [Caveat("few-datasets", text)]


def by_items(table: FoldTable, plan: OrderPlan, metric: Metric) -> Decisions:
    """Test every pair on the items that both answered, or by their totals."""
    prior, tied = overall_prior(table, plan)
    tests = pairs_of_models(
        table.items,
        table.totals,
        table.algorithms,
        test=plan.pairwise if plan.named else None,
        adjust=plan.posthoc,
        higher_is_better=bool(metric.higher_is_better),
        alpha=plan.alpha,
    )
    notes = promise_caveats(find(plan.posthoc, "correction"), len(tests.a))
    if len(table.datasets) > 1:
        text = f"The order holds for these {len(table.datasets)} benchmarks, each counting alike, and other items like"
        notes.append(Caveat("on-these-datasets", f"{text} theirs, not for other benchmarks."))
    if TOO_FEW in codes_of(tests.caveats):
        notes.append(Caveat("only-cost-decided", f"No pair can differ significantly: {plan.decider} decided alone."))
    return Decisions(
        tests=tests,
        better=decided(tests.a, tests.b, tests.adjusted <= plan.alpha, tests.statistic, len(table.algorithms)),
        ranks=average_ranks(snap(table.compared)),
        prior=prior,
        tied=bool(tied),
        notes=(*tie_notes(0, tied), *tests.caveats, *notes),
    )


# ---- Multi2Test: the places on every data set, and the decision over them


def by_places(table: FoldTable, plan: OrderPlan) -> Decisions:
    """Run MultiTest on every data set, and test the places that it gives; with one data set its own tests decide."""
    count = len(table.algorithms)
    inner, ranks, tied_sets = places(table, plan)
    prior, tied_means = overall_prior(table, plan)
    notes = [*_inside(table, plan, inner), *tie_notes(tied_sets, tied_means)]
    if len(table.datasets) == 1:
        omnibus, tests = None, _of_one_set(table, inner)
        better = np.zeros((count, count), dtype=bool) if inner is None else inner.better(plan.alpha)[0]
        if folds := folds_as_items(table.errors[0, 0].size):
            notes.append(Caveat("maybe-items", f"The folds are taken for those of one data set.{folds}"))
    else:
        omnibus, tests = _over_data_sets(table, plan, ranks)
        significant = (tests.adjusted <= plan.alpha) & (omnibus.pvalue <= plan.alpha)
        better = decided(tests.a, tests.b, significant, tests.statistic, count)
        notes += [*omnibus.caveats, *tests.caveats]
        notes += promise_caveats(find(plan.posthoc, "posthoc", "correction"), len(tests.a))
    return Decisions(
        tests=tests,
        better=better,
        omnibus=omnibus,
        ranks=ranks,
        prior=prior,
        inner=inner,
        tied=bool(tied_sets or tied_means),
        notes=tuple(notes),
    )


def _inside(table: FoldTable, plan: OrderPlan, inner: InnerTests | None) -> list[Caveat]:
    """Return the caveats of the tests inside the data sets, or of one data set where there were none."""
    if inner is not None:
        promises = promise_caveats(find(plan.inner_adjust, "correction"), len(inner.a))
        return [*inner.caveats, *(promise.prefixed("Inside the data sets: ") for promise in promises)]
    if plan.over != "folds":
        return []
    folds = table.errors.shape[2] * table.errors.shape[3] > 1
    where = "no test of its folds" if folds else "one score of each algorithm"
    mend = "Name a test of the folds" if folds else "Give the scores of folds"
    text = f"One data set with {where}: nothing was tested, and nothing but {plan.decider} decided."
    return [Caveat("only-cost-decided", f"{text} {mend}, or give more data sets.")]


def places(table: FoldTable, plan: OrderPlan) -> tuple[InnerTests | None, FloatArray, int]:
    """Return the tests inside the data sets, the places they and the costs give, and where costs tie."""
    if plan.own_test is None and plan.pairwise == "score":
        return None, average_ranks(np.where(table.failed, np.inf, snap(table.compared))), 0
    if table.failed.any():
        return _places_with_failures(table, plan)
    names = {"datasets": table.datasets, "algorithms": table.algorithms}
    if table.measures is not None:
        from tiebreak.stats.multivariate.over_datasets import dominance_tests  # here, for a quick start without it

        inner = dominance_tests(table.measures, adjust=plan.inner_adjust, test_share=plan.test_share, **names)
    else:
        _check_complete(table)
        test = plan.own_test or plan.pairwise
        inner = inner_tests(table.errors, pairwise=test, adjust=plan.inner_adjust, test_share=plan.test_share, **names)
    if plan.prior is None:
        prior, tied = prior_places(table.shares[0], table.valued, table.algorithms)
    else:
        shape = len(table.datasets), len(table.algorithms)
        prior, tied = np.broadcast_to(overall_prior(table, plan)[0], shape), 0
    return inner, places_of(order_rows(inner.better(plan.alpha), prior)).astype(np.float64), tied


def _places_with_failures(table: FoldTable, plan: OrderPlan) -> tuple[InnerTests, FloatArray, int]:
    """Place those that ran by their own tests; those that failed share the places behind them."""
    count = len(table.algorithms)
    ranks = np.empty(table.scores.shape)
    parts: list[tuple[IntArray, IntArray, InnerTests]] = []
    tied = 0
    for failed in np.unique(table.failed, axis=0):
        rows = np.flatnonzero((table.failed == failed).all(axis=1))
        there = np.flatnonzero(~failed)
        ranks[np.ix_(rows, np.flatnonzero(failed))] = (len(there) + 1 + count) / 2  # the mean of the last places
        if len(there) < 2:
            ranks[np.ix_(rows, there)] = 1.0
            continue
        inner, values, ties = places(table.part(rows, there), plan)
        ranks[np.ix_(rows, there)] = values
        assert inner is not None  # there are tests wherever data sets are not ranked by score
        parts.append((rows, there, inner))
        tied += ties
    return spread_tests(parts, table.datasets, table.algorithms), ranks, tied


def _check_complete(table: FoldTable) -> None:
    """Refuse data sets whose resampling differs from the others': their folds cannot be laid side by side."""
    wrong = np.isnan(table.errors).any(axis=(1, 2, 3))
    if wrong.any():
        name = table.datasets[int(np.argmax(wrong))]
        raise InputError(
            f"Data set {name!r} lacks folds that others have ({int(wrong.sum())} such data set(s) in all).",
            mend="Leave those data sets out"
            + either(" with `results.without(datasets=[...])`", "")
            + f", or order each alone ({option(dataset=...)}).",
        )


def _over_data_sets(table: FoldTable, plan: OrderPlan, ranks: FloatArray) -> tuple[OmnibusResult, PairwiseResult]:
    """Test the places over data sets: all algorithms, and all pairs."""
    omnibus: OmnibusResult = find(plan.omnibus, "omnibus")(ranks, algorithms=table.algorithms)
    single = plan.posthoc in choices("posthoc", verb=VERB)
    test = find(plan.posthoc if single else "ranks", "posthoc", "pairs", after=plan.omnibus, verb=VERB)
    adjust = {} if single else {"adjust": plan.posthoc}
    return omnibus, test(ranks, algorithms=table.algorithms, tie_correction=False, **adjust)  # as published


def _of_one_set(table: FoldTable, inner: InnerTests | None) -> PairwiseResult:
    """With one data set its inner tests are the whole answer: Multi2Test becomes MultiTest."""
    a, b = pair_indices(len(table.algorithms))
    none, one = readonly(np.zeros(len(a))), readonly(np.ones(len(a)))
    return PairwiseResult(
        a=a,
        b=b,
        statistic=none if inner is None else readonly(inner.statistic[0]),
        pvalue=one if inner is None else readonly(inner.pvalue[0]),
        adjusted=one if inner is None else readonly(inner.adjusted[0]),
        algorithms=table.algorithms,
        method="no test: one score each" if inner is None else inner.method,
        caveats=() if inner is None else inner.caveats,
    )


def beside_scores(
    table: FoldTable, plan: OrderPlan, sequence: IntArray
) -> tuple[tuple[tuple[int, int], ...], list[Caveat]]:
    """Find the significant differences of the scores that an order by places reverses: cost counts in it twice."""
    if len(table.datasets) == 1 or len(table.algorithms) == 1 or table.measures is not None:
        return (), []
    adjust = usual_posthoc("scores", len(table.algorithms))
    tests = find("wilcoxon", "pairs", verb="compare")(table.compared, adjust=adjust, algorithms=table.algorithms)
    significant = tests.adjusted <= plan.alpha
    better: BoolArray = decided(tests.a, tests.b, significant, tests.statistic, len(table.algorithms))
    pairs = beaten_before(better, sequence)
    text = (
        f"The order reverses {len(pairs)} of the {int(better.sum())} significant differences of the scores"
        f" (wilcoxon, {adjust}): {named_pairs(pairs, table.algorithms)}. MultiTest over data sets"
        f" ({option(rule='multitest')}) does not."
    )
    return pairs, [Caveat("cost-inside-places", text)] if pairs else []
