"""Models compared on items: each pair on the items that both answered, or by totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveat, codes_of, distinct
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.on_items import (
    TOO_FEW,
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
from tiebreak.comparison.plan import Plan, check_no_control
from tiebreak.comparison.result import Comparison
from tiebreak.comparison.testing import best_first, groups_of, stand_in
from tiebreak.documents import Answer, Document, Row
from tiebreak.documents.words import pvalue
from tiebreak.errors import OptionError, unknown_name
from tiebreak.methods import find
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ItemTable, item_table
from tiebreak.stats import DifferenceIntervals, ItemPairs, ProportionPairs, WinTieLoss
from tiebreak.stats.items.non_inferiority import MarginPair, TotalsPair, margin_pair, shown_within
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.results import frozen
from tiebreak.wording import either, option

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

    def beside(self, at: int) -> ModelBeside:
        """Put the second of a pair beside the first, which has the better mean (or is the control)."""
        tests = self.pairs_tested
        sign = 1.0 if self.higher_is_better else -1.0
        ends = sorted(float(sign * each[at]) for each in (tests.low_together, tests.high_together))
        verdict = 0 if not self.significant[at] else -1 if tests.statistic[at] > 0 else 1
        p = float(tests.pvalue[at])
        return ModelBeside(
            first=self.algorithms[int(tests.b[at])],
            other=self.algorithms[int(tests.a[at])],
            shortfall=float(sign * tests.difference[at]),
            low=ends[0],
            high=ends[1],
            verdict=verdict,
            items=self.evidence(at),
            level=tests.level,
            together=len(tests.a),
            able=TOO_FEW not in codes_of(tests.caveats),
            alone=p if not verdict and p <= 1.0 - tests.level else None,
            pair=self._margin_pair(int(tests.b[at]), int(tests.a[at])),
        )

    def _margin_pair(self, first: int, other: int) -> MarginPair | None:
        """Return the items, or totals, of two models by which a margin is shown; None where they share none."""
        table, totals = self.items, _totals_of(self)
        if table is not None:
            own, beside = table.scores[:, first], table.scores[:, other]
            if not bool((~np.isnan(own) & ~np.isnan(beside)).any()):
                return None
            return margin_pair(own, beside, clusters=table.clusters, strata=table.strata, upward=self.higher_is_better)
        assert totals is not None
        passed, n = (np.rint(each).astype(int) for each in totals)
        return TotalsPair(passed=int(passed[other]), n=int(n[other]), own=int(passed[first]), n_own=int(n[first]))

    @property
    def headline(self) -> str:
        """The sentence to repeat: how the second stands to the first, or the first to the second it is better than."""
        pair = self.beside(0)
        if pair.verdict > 0:
            turned = {"shortfall": -pair.shortfall, "low": -pair.high, "high": -pair.low, "verdict": -1}
            pair = replace(pair, first=pair.other, other=pair.first, **turned)  # type: ignore[arg-type]
        return headline(pair, self.unit)

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

    def effects(self) -> NoReturn:
        """Refuse: effect sizes over data sets say nothing of items."""
        raise _of_data_sets("Effect sizes", "`intervals()`")

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

    def bayes(self, *, rope: float = 0.0, rng: int | np.random.Generator = 0) -> NoReturn:
        """Refuse: the Bayesian tests are over data sets."""
        raise _of_data_sets(f"Bayesian tests (rope {rope:g}, seed {rng})", "`tiebreak.order` with a margin")

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


def _of_data_sets(what: str, instead: str) -> OptionError:
    return OptionError(
        f"{what} were asked for, and models are compared on items.",
        why="They are over data sets; on items every pair has its difference with an interval.",
        mend=either(f"Use {instead}.", "Leave it out."),
    )


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
    seed: int = 0,
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
    tests = _tests(items, totals, plan, names, alpha, upward, seed)
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
    seed: int = 0,
) -> ItemPairs | ProportionPairs:
    options: dict[str, Any] = {"test": plan.pairwise, "adjust": plan.posthoc, "control": plan.control, "alpha": alpha}
    if items is not None:
        return pairs_on_items(items, higher_is_better=upward, seed=seed, **options)
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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ModelBeside(Brief):
    """One model beside another: by how much it is worse, with an interval that holds for all pairs together.

    `shortfall` is positive where `first` is worse than `other`; `verdict` is -1 where first is significantly better, 1
    where other is, 0 where neither is. `able` says whether so many items could have shown a difference; `alone` is the
    p-value without a correction, where only it is significant; `pair` the items of the two, with first as the
    candidate, by which "as good within" is shown.
    """

    first: str
    other: str
    shortfall: float
    low: float
    high: float
    verdict: int
    items: str
    level: float
    together: int = 1
    able: bool = True
    alone: float | None = None
    pair: MarginPair | None = None

    @property
    def one_sided(self) -> float:
        """The level at which a margin is shown for this pair, and for all pairs together."""
        return (1.0 - self.level) / self.together


def headline(beside: ModelBeside, unit: ScoreUnit) -> str:
    """Say in one sentence how one model stands to another.

    "As good within" is said only where the test of `tiebreak gate` shows it, with the smallest margin that it shows, up
    to two points.

    Examples
    --------
    >>> from tiebreak.stats.items.non_inferiority import CountedPair
    >>> pair = ModelBeside(first="A", other="B", shortfall=0.002, low=-0.01, high=0.01, verdict=0, items="500 items",
    ...               level=0.95, pair=CountedPair(lost=1, won=0, n=500, reference=0.8))
    >>> headline(pair, ScoreUnit(name="accuracy", points=True))
    'A: as good as B within 1 point on 500 items.'
    """
    if beside.verdict:
        subject = f"{beside.first}: significantly {'better' if beside.verdict < 0 else 'worse'} than {beside.other}"
        span = _span(beside, unit, turned=beside.verdict < 0)
        return f"{subject} by {unit.size(abs(beside.shortfall))} on {beside.items} ({span})."
    if unit.points and beside.pair is not None and beside.pair.shows(USUAL_MARGIN, beside.one_sided):
        margin = max(shown_within(beside.pair, beside.one_sided, shown=USUAL_MARGIN), 1e-3)
        return f"{beside.first}: as good as {beside.other} within {unit.within(margin)} on {beside.items}."
    return f"{_no_difference(beside, unit)}."


def _no_difference(beside: ModelBeside, unit: ScoreUnit) -> str:
    """Say that two models do not differ significantly, how far they differ, and what is left possible."""
    worse_by = beside.shortfall >= 0
    way, size = "worse" if worse_by else "better", unit.size(abs(beside.shortfall))
    what = f"{size} {way}" if unit.points else f"{way} by {size}"
    inside = f"{'the same mean' if beside.shortfall == 0 else what}, {_span(beside, unit, turned=not worse_by)}"
    if not beside.able:
        return f"{beside.first}: {beside.items} are too few to show a difference from {beside.other} ({inside})"
    if beside.alone is None and _has_interval(beside) and not beside.low <= 0.0 <= beside.high:
        inside += ", which the test does not bear out"
    if beside.alone is not None:
        inside = f"alone p = {pvalue(beside.alone)}; {inside}"
    counted = "" if beside.alone is None else f" after the correction for {beside.together:,} pairs"
    return f"{beside.first}: no significant difference from {beside.other} on {beside.items}{counted} ({inside})"


def _has_interval(beside: ModelBeside) -> bool:
    """Say whether there is an interval: differences that are all the same give one without width: no evidence."""
    return isfinite(beside.low) and isfinite(beside.high) and beside.low < beside.high


def _span(beside: ModelBeside, unit: ScoreUnit, *, turned: bool) -> str:
    """Write the interval of how much worse, or, turned, of how much better."""
    low, high = (-beside.high, -beside.low) if turned else (beside.low, beside.high)
    if not _has_interval(beside):
        return "no interval can be given"
    all_ = f" for all {beside.together:,} pairs together" if beside.together > 1 else ""
    return f"{100 * beside.level:g} % interval{all_} {unit.bare(low + 0.0)} to {unit.bare(high + 0.0)}"
