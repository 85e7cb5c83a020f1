"""Multi2Test: places on every data set by MultiTest, the decision over them, and MultiTest once more."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat
from tiebreak.comparison.checks import promise_caveats
from tiebreak.comparison.gaps import folds_as_items
from tiebreak.errors import InputError
from tiebreak.methods import choices, find
from tiebreak.ordering.multitest import (
    Decisions,
    alone,
    beaten_before,
    by_items,
    by_scores,
    named_pairs,
    order_rows,
    overall_prior,
    places_of,
    tie_notes,
)
from tiebreak.ordering.options import OrderPlan, usual_posthoc
from tiebreak.ordering.table import VERB, FoldTable, prior_places
from tiebreak.results import Metric
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.folds.inner import InnerTests, inner_tests, spread_tests
from tiebreak.stats.multivariate.over_datasets import dominance_tests
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.results import decided, pair_indices
from tiebreak.wording import either, option


def decisions_of(table: FoldTable, plan: OrderPlan, metric: Metric) -> Decisions:
    """Test what the plan names: items, scores of data sets, or places on them and the folds of one."""
    if len(table.algorithms) == 1:
        return alone(table)
    if plan.over == "items":
        return by_items(table, plan, metric)
    return by_scores(table, plan) if plan.over == "scores" else by_places(table, plan)


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
        return [*inner.caveats, *(each.prefixed("Inside the data sets: ") for each in promises)]
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
        inner, own, ties = places(table.part(rows, there), plan)
        ranks[np.ix_(rows, there)] = own
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
            why="The test needs the same replications and folds on every data set.",
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
    tests = find(table.test, "pairs", verb="compare")(table.compared, adjust=adjust, algorithms=table.algorithms)
    significant = tests.adjusted <= plan.alpha
    better: BoolArray = decided(tests.a, tests.b, significant, tests.statistic, len(table.algorithms))
    pairs = beaten_before(better, sequence)
    text = (
        f"The order reverses {len(pairs)} of the {int(better.sum())} significant differences of the scores"
        f" ({table.test}, {adjust}): {named_pairs(pairs, table.algorithms)}. MultiTest over data sets"
        f" ({option(rule='multitest')}) does not."
    )
    return pairs, [Caveat("cost-inside-places", text)] if pairs else []
