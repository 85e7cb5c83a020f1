"""Multi2Test: places on every data set by MultiTest, the decision over them, and MultiTest once more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.deciding.gaps import folds_as_items
from tiebreak.deciding.promises import promise_caveats
from tiebreak.errors import InputError
from tiebreak.methods import choices, find
from tiebreak.ordering._costs import prior_places
from tiebreak.ordering._dominance import dominance_tests
from tiebreak.ordering._inner_tests import Inner, PairTest, inner_tests, spread_tests
from tiebreak.ordering._multitest import order_rows, places_of
from tiebreak.ordering._ordering import Ordering
from tiebreak.ordering._over_scores import MOST_EXACT
from tiebreak.ordering._procedure import MOST_INTRANSITIVE, Decisions, Procedure, decided
from tiebreak.ordering._table import FoldTable
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.pairwise import pair_indices
from tiebreak.wording import either, option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multi2Test(Procedure):
    """Orders by places: a whole table, a group of its data sets, or data sets drawn from it."""

    pairwise: str | PairTest

    def ordering(self, table: FoldTable) -> Ordering:
        """Run MultiTest on every data set, and over them."""
        inner, ranks, tied_sets = self.places(table)
        overall, tied_means = self.overall_prior(table)
        found, tests, better = self.outer(table, inner, ranks)
        made = self.made(
            table,
            Decisions(
                tests=tests,
                better=better,
                omnibus=found,
                ranks=ranks,
                prior=overall,
                inner=inner,
                tied=bool(tied_sets or tied_means),
                notes=(
                    *self._inside(table, inner),
                    *self.tie_notes(tied_sets, tied_means),
                    *self._caveats(found, tests, folds_as_items(table.errors[0, 0].size)),
                ),
            ),
        )
        return made if found is None or table.measures is not None else beside_scores(made)

    def _caveats(self, found: OmnibusResult | None, tests: PairwiseResult, folds: str) -> list[Caveat]:
        """Tests are made on two levels, and each keeps its own promise; the inner one is marked as such."""
        notes: list[Caveat] = []
        if self.pairwise != "score":
            inside = promise_caveats(find(self.plan.inner_adjust, "correction"), len(tests.a))
            notes += [each.prefixed("Inside the data sets: ") for each in inside]
        if found is None:
            notes.append(Caveat("one-dataset", "One data set: the order holds for it alone."))
            text = f"The folds are taken for those of one data set.{folds}"
            return [*notes, Caveat("maybe-items", text)] if folds else notes
        notes += [*found.caveats, *tests.caveats]
        notes += promise_caveats(find(self.plan.posthoc, "posthoc", "correction"), len(tests.a))
        if found.pvalue > self.plan.alpha:
            what = "mean cost" if self.given is None else "the given order"
            notes.append(Caveat("order-by-cost", f"The omnibus test does not reject: the order is that of {what}."))
        return notes

    def _inside(self, table: FoldTable, inner: Inner | None) -> Caveats:
        """Without inner tests, cost enters only the order over data sets, which a reader would not expect."""
        if inner is None and self.plan.over == "folds":
            what = "cost" if self.given is None else "the given order"
            folds = table.errors.shape[2] * table.errors.shape[3] > 1
            where = "no test of its folds" if folds else "one score of each algorithm"
            mend = "Name a test of the folds" if folds else "Give the scores of folds"
            text = f"One data set with {where}: nothing was tested, and nothing but {what} decided."
            return (Caveat("only-cost-decided", f"{text} {mend}, or give more data sets."),)
        if inner is None:
            text = "Data sets are ranked by mean score: inside them nothing was tested and cost played no part."
            return (Caveat("ranked-by-score", text),)
        return inner.caveats

    def places(self, table: FoldTable) -> tuple[Inner | None, FloatArray, int]:
        """Return the tests inside the data sets, the places they and the costs give, and where costs tie."""
        if self.pairwise == "score":
            return None, average_ranks(np.where(table.failed, np.inf, snap(table.compared))), 0
        if table.failed.any():
            return self._places_with_failures(table)
        if table.measures is not None:
            inner = dominance_tests(
                table.measures,
                adjust=self.plan.inner_adjust,
                datasets=table.datasets,
                names=table.algorithms,
                test_share=self.plan.test_share,
            )
        else:
            _check_complete(table)
            inner = inner_tests(
                table.errors,
                pairwise=self.pairwise,
                adjust=self.plan.inner_adjust,
                test_share=self.plan.test_share,
            )
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
        return prior_places(table.costs[0], table.valued, table.algorithms)

    def outer(
        self, table: FoldTable, inner: Inner | None, ranks: FloatArray
    ) -> tuple[OmnibusResult | None, PairwiseResult, BoolArray]:
        """Decide over data sets; with one, its own tests decide."""
        names, count = table.algorithms, len(table.algorithms)
        if len(table.datasets) == 1:
            if inner is None:
                return None, _untested(names), np.zeros((count, count), dtype=bool)
            return None, _single(inner, names), inner.better(self.plan.alpha, count)[0]
        found: OmnibusResult = find(self.plan.omnibus, "omnibus")(ranks, algorithms=names)
        single = self.plan.posthoc in choices("posthoc", verb="order")
        test = find(self.plan.posthoc if single else "ranks", "posthoc", "pairs", after=self.plan.omnibus, verb="order")
        told = {"tie_correction": False} | ({} if single else {"adjust": self.plan.posthoc})  # as published
        tests: PairwiseResult = test(ranks, algorithms=names, **told)
        significant = (tests.adjusted <= self.plan.alpha) & (found.pvalue <= self.plan.alpha)
        better = decided(tests.a, tests.b, significant, tests.statistic, count)
        return found, tests, better


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


def beside_scores(found: Ordering) -> Ordering:
    """Say which significant differences of the scores an order by places turns around: cost counts in it twice."""
    table, count = found.table, len(found.algorithms)
    adjust = "bergmann-hommel" if count <= MOST_EXACT else "shaffer"
    tests = find(table.test, "pairs", verb="compare")(table.compared, adjust=adjust, algorithms=found.algorithms)
    better = decided(tests.a, tests.b, tests.adjusted <= found.plan.alpha, tests.statistic, count)
    standing = replace(found.standing, better=better)
    pairs = standing.beaten_before()
    inside = found.inner is not None
    what = "Cost" if found.costs else "The given order"
    said = [f"{what} is inside the places: it decides on every data set, and again over them."] if inside else []
    if pairs:
        named = ", ".join(f"{standing.name(i)} before {standing.name(j)}" for i, j in pairs[:MOST_INTRANSITIVE])
        more = f" and {len(pairs) - MOST_INTRANSITIVE} more" if len(pairs) > MOST_INTRANSITIVE else ""
        said.append(
            f"The order turns around {len(pairs)} of the {int(better.sum())} significant differences of the scores"
            f" ({table.test}, {adjust}): {named}{more}. MultiTest over data sets ({option(rule='multitest')}) does not."
        )
    note = [Caveat("cost-inside-places", " ".join(said))] if said else []
    return replace(found, reversed=standing.named_pairs(), caveats=(*found.caveats, *note))


def _untested(names: tuple[str, ...]) -> PairwiseResult:
    """One data set with one score of each: there is nothing that a test could read."""
    a, b = pair_indices(len(names))
    one = readonly(np.ones(len(a)))
    none = readonly(np.zeros(len(a)))
    return PairwiseResult(
        a=a, b=b, statistic=none, pvalue=one, adjusted=one, algorithms=names, method="no test: one score each"
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
