"""Models compared on items: each pair on the items that both answered, or by totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.on_items import (
    ScoreUnit,
    evidence,
    of_benchmark,
    pairs_by_totals,
    pairs_on_items,
    question_of,
    share_intervals,
    totals_of,
    usual_correction,
    usual_item_test,
)
from tiebreak.comparison.result import Comparison
from tiebreak.comparison.testing import Plan, best_first, check_no_control, groups_of, stand_in
from tiebreak.documents import Answer, Document, Row
from tiebreak.errors import unknown_name
from tiebreak.methods import find
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ItemTable, item_table
from tiebreak.stats import DifferenceIntervals, ItemPairs, ProportionPairs, WinTieLoss
from tiebreak.stats.items.non_inferiority import MarginPair, TotalsPair, margin_pair, shown_within
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import frozen
from tiebreak.wording import option

USUAL_MARGIN = 0.02
"""Two models are called as good within what the interval shows up to so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemComparison(Comparison):
    """The comparison of models on items; `algorithms` stand from best to worst mean score.

    `tests` hold the pairs with differences and intervals (`ItemPairs`, or `ProportionPairs` for totals); `items` the
    table that they were made on, None for totals. `shares` are Wilson's intervals of scores of 0 and 1 on one
    benchmark without clusters, (models, 2), None elsewhere. `datasets` are the benchmarks, `scores` the means on them.
    """

    items: ItemTable | None = None
    shares: FloatArray | None = None

    @property
    def pairs_tested(self) -> ItemPairs | ProportionPairs:
        """The tests, with differences and intervals."""
        assert isinstance(self.tests, (ItemPairs, ProportionPairs))
        return self.tests

    @property
    def question(self) -> str:
        """Which question the comparison answers."""
        return question_of(len(self.datasets))

    @property
    def unit(self) -> ScoreUnit:
        """How differences of the score are written."""
        return ScoreUnit.of(self.score, self.items)

    def evidence(self, at: int | None = None) -> str:
        """Say on how many items the answer rests, or that of one pair."""
        tests = self.pairs_tested
        if not isinstance(tests, ItemPairs) or self.items is None:
            counts = tests.n_items if at is None else tests.n_items[[tests.a[at], tests.b[at]]]
            low, high = int(counts.min()), int(counts.max())
            return evidence(low, 0, 1) if low == high else f"{low:,} to {high:,} items"
        which = slice(None) if at is None else at
        clusters = int(np.min(tests.n_units[which])) if tests.clustered else 0
        low, high = int(np.min(tests.n_items[which])), int(np.max(tests.n_items[which]))
        return evidence(low, clusters, len(self.items.benchmarks), most=high)

    def _margin_pair(self, first: int, other: int) -> MarginPair | None:
        """Return the items, or totals, of two models by which a margin is shown; None where they share none."""
        table, totals = self.items, _totals_of(self)
        if table is not None:
            values, beside = table.scores[:, first], table.scores[:, other]
            if not bool((~np.isnan(values) & ~np.isnan(beside)).any()):
                return None
            return margin_pair(
                values, beside, clusters=table.clusters, strata=table.strata, upward=self.higher_is_better
            )
        assert totals is not None
        passed, n = (np.rint(total).astype(int) for total in totals)
        return TotalsPair(passed=int(passed[other]), n=int(n[other]), own=int(passed[first]), n_own=int(n[first]))

    @property
    def headline(self) -> str:
        """The sentence to repeat: how the first two stand to each other."""
        return pair_sentence(self, 0)

    def simultaneous_intervals(self, *, level: float | None = None) -> DifferenceIntervals:
        """Return the differences with intervals that hold together; `level` is that of the tests."""
        tests = self._at(self.pairs_tested.level if level is None else level)
        sign = -1.0 if self.higher_is_better else 1.0
        ends = np.sort([sign * tests.low_together, sign * tests.high_together], axis=0) + 0.0
        return DifferenceIntervals(
            **frozen(a=tests.a, b=tests.b, estimate=sign * tests.difference + 0.0, low=ends[0], high=ends[1]),
            level=tests.level,
            achieved=tests.level,
            algorithms=self.algorithms,
            n_datasets=len(self.datasets),
            method="mean difference on items, Bonferroni",
        ).framed(self.frame_kind)

    def intervals(self, *, level: float = 0.95, method: str = "mean difference on items") -> DifferenceIntervals:
        """Return the differences with intervals that stand each for itself."""
        tests, sign = self._at(level), -1.0 if self.higher_is_better else 1.0
        ends = np.sort([sign * tests.low, sign * tests.high], axis=0) + 0.0
        return replace(self.simultaneous_intervals(level=level), low=ends[0], high=ends[1], method=method)

    def _at(self, level: float) -> ItemPairs | ProportionPairs:
        """Return the tests with another confidence of their intervals."""
        if abs(level - self.pairs_tested.level) <= 1e-12:
            return self.pairs_tested
        totals = _totals_of(self)
        return _tests(self.items, totals, self.plan, self.algorithms, 1.0 - level, self.higher_is_better)

    def wins(self) -> WinTieLoss:
        """Count the items on which each of a pair has the better score; of totals nothing is known but the shares."""
        tests = self.pairs_tested
        if not isinstance(tests, ItemPairs):
            return Comparison.wins(self)
        return WinTieLoss(
            **frozen(a=tests.a, b=tests.b, a_wins=tests.ahead_a, b_wins=tests.ahead_b),
            ties=readonly(tests.n_items - tests.ahead_a - tests.ahead_b),
            margin=0.0,
            n_datasets=int(tests.n_items.max()),
            algorithms=self.algorithms,
            method="Items won, tied and lost",
        ).framed(self.frame_kind)

    def rows(self) -> list[Row]:
        """Return one row per model, best first."""
        means, letters = self.scores.mean(axis=0), self.letters()
        out: list[Row] = []
        for i, name in enumerate(self.algorithms):
            row: Row = {"algorithm": name, f"mean {self.score.name}": float(means[i])}
            if self.shares is not None:
                row |= {"low": float(self.shares[i, 0]), "high": float(self.shares[i, 1])}
            out.append({**row, "group": letters[i]})
        return out

    def title(self) -> str:
        """Say in one line what was compared."""
        direction = "higher" if self.higher_is_better else "lower"
        where = of_benchmark(self.datasets)
        return f"{len(self.algorithms)} models on {self.evidence()}{where} by {self.score.name} ({direction} is better)"

    def document(self) -> Document:
        """Return what the comparison says."""
        from tiebreak.comparison.paired_document import document_of_items

        return document_of_items(self)

    @property
    def answer(self) -> Answer:
        """The answer: who is significantly better than whom, and how sure that is."""
        from tiebreak.comparison.paired_document import answer_of_items

        return answer_of_items(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: the fields of every comparison, and those of items."""
        from tiebreak.comparison.paired_document import items_as_dict

        return items_as_dict(self)


def _totals_of(comparison: ItemComparison) -> tuple[FloatArray, FloatArray] | None:
    tests = comparison.pairs_tested
    return None if isinstance(tests, ItemPairs) else (np.rint(tests.shares * tests.n_items), tests.n_items)


def compare_items(
    results: Results,
    metric: Metric,
    *,
    pairwise: str | None = None,
    posthoc: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
) -> ItemComparison:
    """Compare the models of a table of items, or of totals, by pairs."""
    items = item_table(results, metric.name) if results.unit == ITEM else None
    totals = None if items is not None else totals_of(results, metric)
    names = results.algorithms
    if control is not None and control not in names:
        raise unknown_name("algorithm (for the control)", control, names)
    upward = bool(metric.higher_is_better)
    means = items.means() if items is not None else (totals[0] / totals[1])[None]  # type: ignore[index]
    turned = -means if upward else means
    order = best_first(turned.mean(axis=0), names)
    names, means, turned = tuple(names[i] for i in order), means[:, order], turned[:, order]
    if items is not None:
        items = replace(items, scores=readonly(items.scores[:, order]), algorithms=names)
    totals = None if totals is None else (totals[0][order], totals[1][order])
    plan = _plan(items, pairwise, posthoc, control, len(names))
    tests = _tests(items, totals, plan, names, alpha, upward)
    significant = (tests.adjusted <= alpha) & (tests.statistic != 0)
    ranks = average_ranks(snap(turned)).mean(axis=0)
    return ItemComparison(
        algorithms=names,
        mean_ranks=readonly(ranks),
        groups=groups_of(tests, significant, plan.control)[0],
        omnibus=stand_in(tests, ranks, letter=plan.test.symbol),
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=metric,
        higher_is_better=upward,
        datasets=results.datasets if items is None else items.benchmarks,
        scores=readonly(means),
        compared=readonly(turned),
        turned=readonly(turned),
        plan=plan,
        locations=readonly(turned.mean(axis=0)),
        location_name="mean score",
        averaged=items is not None and items.epochs[1] > 1,
        caveats=distinct([
            *results.caveats, *(items.caveats if items is not None else ()), *tests.caveats,
            *promise_caveats(find(plan.posthoc, "correction"), len(tests.a)), *_beyond(items),
        ]),
        items=items,
        shares=share_intervals(items, tests),
    )  # fmt: skip


def _plan(items: ItemTable | None, pairwise: str | None, posthoc: str | None, control: str | None, count: int) -> Plan:
    """Choose the test that fits items, and the sharpest correction."""
    if posthoc is not None:
        find(posthoc, "correction", verb="compare", what="correction")
    adjust = posthoc or usual_correction(count, control=control is not None)
    check_no_control(adjust, control)
    usual = "fisher" if items is None else usual_item_test(items)
    why = {
        "mcnemar": "Scores are 0 or 1, on one benchmark without clusters: McNemar's exact test.",
        "fisher": "Only totals are known: Fisher's exact test of two shares.",
    }.get(usual, "Scores are graded, clustered or of several benchmarks: signs of items, or clusters, are flipped.")
    return Plan(
        omnibus="none",
        pairwise=pairwise or usual,
        posthoc=adjust,
        control=control,
        missing="refuse",
        tie_correction=True,
        path=(why if pairwise is None else f"Asked for: {pairwise}.", f"Correction: {adjust}."),
    )


def _tests(
    items: ItemTable | None,
    totals: tuple[FloatArray, FloatArray] | None,
    plan: Plan,
    names: tuple[str, ...],
    alpha: float,
    upward: bool,
) -> ItemPairs | ProportionPairs:
    options: dict[str, Any] = {"test": plan.pairwise, "adjust": plan.posthoc, "control": plan.control, "alpha": alpha}
    if items is not None:
        return pairs_on_items(items, higher_is_better=upward, **options)
    assert totals is not None
    return pairs_by_totals(*totals, names, **options)


def _beyond(items: ItemTable | None) -> list[Caveat]:
    if items is None or len(items.benchmarks) == 1:
        return []
    text = (
        f"Pairs are compared on these {len(items.benchmarks)} benchmarks, each counting alike; that models would stand"
        f" so on other benchmarks is another question ({option(over='scores')})."
    )
    return [Caveat("on-these-datasets", text)]


# ---- the sentence to repeat


def pair_sentence(comparison: ItemComparison, at: int) -> str:
    """Say how the two of a pair stand to each other, with the difference and its interval.

    "As good within" is said only where the test of `tiebreak gate` shows it, with the smallest margin that it shows, up
    to two points.
    """
    tests, unit, pairs = comparison.pairs_tested, comparison.unit, len(comparison.significant)
    a, b = int(tests.a[at]), int(tests.b[at])
    sign = 1.0 if comparison.higher_is_better else -1.0
    ahead, low, high = (float(sign * item[at]) for item in (tests.difference, tests.low_together, tests.high_together))
    better, worse = (a, b) if ahead >= 0 else (b, a)
    low, high = sorted((low, high) if ahead >= 0 else (-low, -high))
    together = f" for all {pairs:,} pairs together" if pairs > 1 else ""
    span = f"{100 * tests.level:g} % interval{together} {unit.bare(low + 0.0)} to {unit.bare(high + 0.0)}"
    span = span if isfinite(low) and isfinite(high) and low < high else "no interval can be given"
    names, on, size = comparison.algorithms, comparison.evidence(at), unit.size(abs(ahead))
    if comparison.significant[at]:
        return f"{names[better]}: significantly better than {names[worse]} by {size} on {on} ({span})."
    shown, level = comparison._margin_pair(b, a), (1.0 - tests.level) / pairs
    if unit.points and shown is not None and shown.shows(USUAL_MARGIN, level):
        margin = max(shown_within(shown, level, shown=USUAL_MARGIN), 1e-3)
        return f"{names[b]}: as good as {names[a]} within {unit.within(margin)} on {on}."
    way = "the same mean" if ahead == 0 else f"{size} worse" if unit.points else f"worse by {size}"
    return f"{names[worse]}: no significant difference from {names[better]} on {on} ({way}, {span})."
