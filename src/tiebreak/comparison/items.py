"""Models compared on items: each pair on the items that both answered, or by totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.document import EQUAL, best_of_all, counted, headline, legend, more, plain_method
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.on_items import (
    ScoreUnit,
    evidence,
    item_facts,
    pairs_of_models,
    share_intervals,
    totals_of,
    usual_correction,
    usual_item_test,
)
from tiebreak.comparison.paired import PairedComparison
from tiebreak.comparison.result import Comparison
from tiebreak.comparison.testing import Plan, best_first, check_no_control, groups_of, stand_in
from tiebreak.documents import Answer, Document, Row, Table, listed, number, table_of_verb
from tiebreak.documents.words import confidence, with_article
from tiebreak.errors import unknown_name
from tiebreak.methods import find
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ONE_BENCHMARK, ItemTable, item_table
from tiebreak.stats import ItemPairs, ProportionPairs, WinTieLoss
from tiebreak.stats.items.non_inferiority import MarginPair, TotalsPair, margin_pair, shown_within
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import frozen
from tiebreak.wording import option

LIKE_ITEMS = "Is it better on these benchmarks, for other items like these?"
LIKE_ONE = "Is it better on this benchmark, for other items like these?"
USUAL_MARGIN = 0.02
"""Two models are called as good within what the interval shows up to so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemComparison(PairedComparison):
    """The comparison of models on items; `algorithms` stand from best to worst mean score.

    `tests` hold the pairs with differences and intervals (`ItemPairs`, or `ProportionPairs` for totals); `items` the
    table that they were made on, None for totals. `shares` are Wilson's intervals of scores of 0 and 1 on one
    benchmark without clusters, (models, 2), None elsewhere. `datasets` are the benchmarks, `scores` the means on them.
    """

    OVER = "on items"

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
        return LIKE_ITEMS if len(self.datasets) > 1 else LIKE_ONE

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

    @property
    def totals(self) -> tuple[FloatArray, FloatArray] | None:
        """How many of how many items each model passed, where nothing else is known."""
        tests = self.pairs_tested
        return None if isinstance(tests, ItemPairs) else (np.rint(tests.shares * tests.n_items), tests.n_items)

    def tested_at(self, level: float) -> ItemPairs | ProportionPairs:
        """Return the tests with another confidence of their intervals."""
        options: dict[str, Any] = {"control": self.control, "higher_is_better": self.higher_is_better}
        plan, tested = self.plan, (self.items, self.totals, self.algorithms)
        return pairs_of_models(*tested, test=plan.pairwise, adjust=plan.posthoc, alpha=1.0 - level, **options)

    def _margin_pair(self, first: int, other: int) -> MarginPair | None:
        """Return the items, or totals, of two models by which a margin is shown; None where they share none."""
        table = self.items
        if table is not None:
            values, beside = table.scores[:, first], table.scores[:, other]
            if not bool((~np.isnan(values) & ~np.isnan(beside)).any()):
                return None
            return margin_pair(
                values, beside, clusters=table.clusters, strata=table.strata, upward=self.higher_is_better
            )
        assert self.totals is not None
        passed, n = (np.rint(total).astype(int).tolist() for total in self.totals)
        return TotalsPair(passed=passed[other], n=n[other], own=passed[first], n_own=n[first])

    def pair_sentence(self, at: int) -> str:
        """Say how the two of a pair stand to each other, with the difference and its interval.

        "As good within" is said only where the test of `tiebreak gate` shows it, with the smallest margin that it
        shows, up to two points.
        """
        tests, unit, pairs = self.pairs_tested, self.unit, len(self.significant)
        a, b = int(tests.a[at]), int(tests.b[at])
        sign = 1.0 if self.higher_is_better else -1.0
        ahead, *ends = (float(sign * item[at]) for item in (tests.difference, tests.low_together, tests.high_together))
        better, worse = (a, b) if ahead >= 0 else (b, a)
        low, high = sorted(ends if ahead >= 0 else (-end for end in ends))
        together = f" for all {pairs:,} pairs together" if pairs > 1 else ""
        span = f"{100 * tests.level:g} % interval{together} {unit.bare(low + 0.0)} to {unit.bare(high + 0.0)}"
        span = span if isfinite(low) and isfinite(high) and low < high else "no interval can be given"
        names, on, size = self.algorithms, self.evidence(at), unit.size(abs(ahead))
        if self.significant[at]:
            return f"{names[better]}: significantly better than {names[worse]} by {size} on {on} ({span})."
        shown, level = self._margin_pair(b, a), (1.0 - tests.level) / pairs
        if unit.points and shown is not None and shown.shows(USUAL_MARGIN, level):
            margin = max(shown_within(shown, level, shown=USUAL_MARGIN), 1e-3)
            return f"{names[b]}: as good as {names[a]} within {unit.within(margin)} on {on}."
        way = "the same mean" if ahead == 0 else f"{size} worse" if unit.points else f"worse by {size}"
        return f"{names[worse]}: no significant difference from {names[better]} on {on} ({way}, {span})."

    @property
    def headline(self) -> str:
        """The sentence to repeat: how the first two stand to each other."""
        return self.pair_sentence(0)

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
        means, letters = self.scores.mean(axis=0).tolist(), self.letters()
        return [
            {"algorithm": name, f"mean {self.score.name}": mean, **between, "group": group}
            for name, mean, between, group in zip(self.algorithms, means, self._share_ends, letters, strict=True)
        ]

    @property
    def _share_ends(self) -> list[dict[str, float]]:
        """The interval of the share of each model, by the names of its ends; empty where none would hold."""
        if self.shares is None:
            return [{} for _ in self.algorithms]
        return [{"low": low, "high": high} for low, high in self.shares.tolist()]

    def title(self) -> str:
        """Say in one line what was compared."""
        direction = "higher" if self.higher_is_better else "lower"
        alone = len(self.datasets) == 1 and self.datasets[0] != ONE_BENCHMARK
        where = f"{self.evidence()}{f' of {self.datasets[0]}' if alone else ''}"
        return f"{len(self.algorithms)} models on {where} by {self.score.name} ({direction} is better)"

    @property
    def answer(self) -> Answer:
        """The answer: who is significantly better than whom on these items."""
        two, rests = len(self.algorithms) == 2, self.evidence()
        tested = f"{rests}; tested by {with_article(plain_method(self.tests.method))}."
        return Answer(
            headline=self.headline if two else headline(self),
            use=best_of_all(self),
            sure=f"It rests on {rests} and holds for other items like these; others may differ.",
            next_best="" if two else self.headline,
            rests_on=tested,
            table=self.table(),
            facts=(*([] if two else [self.headline]), *legend(self), tested),
            notes=tuple(map(str, self.caveats)),
            more=more(diagram=False),
        )

    def document(self) -> Document:
        """Return what the comparison says."""
        rests, name = self.evidence(), self.score.name
        answered = f"Every model answered the same items ({rests}), and each pair is compared on the items of both."
        totals = f"Of every model it is known how many of {rests} it got right, not which ones."
        return self.page(
            heading=f"Comparison by {name} on {rests}",
            lay=(
                answered if self.items is not None else totals,
                "Significantly better: on the items the difference is so steady that chance would rarely make it. The"
                f" level, alpha = {self.alpha:g}, says how rarely.",
                "No significant difference: the items do not show which of the two is better, nor that they are equal.",
                "Interval: the differences that the items leave possible.",
            ),
            limits=(EQUAL.format("items"),),
            method=f"We compared {len(self.algorithms)} models on {rests} by {name}.",
        )

    def sentences(self) -> list[str]:
        """Say what was asked, how it was tested, and what came out."""
        how = "by their totals" if self.items is None else "on the items that both answered"
        alike = ", every benchmark counting alike," if len(self.datasets) > 1 else ""
        return [
            self.headline,
            f"The question: {self.question}",
            f"Pairs were tested {how}{alike} by {with_article(self.tests.method)}.",
            f"{counted(self)}.",
            *self._best(),
        ]

    def _best(self) -> list[str]:
        """Say whom the first is significantly better than."""
        if self.control is not None or len(self.algorithms) == 2:
            return []
        best = f"First: {self.algorithms[0]}, with the best mean {self.score.name}"
        pairs = [pair for pair in self.iter_pairs() if pair.a == self.algorithms[0]]
        undecided = [pair for pair in pairs if pair.better is None]
        if not undecided:
            return [f"{best}, significantly better than every other model."]
        hidden = any(pair.pvalue <= self.alpha for pair in undecided)
        corrected = f" after the correction for {len(self.significant):,} pairs" if hidden else ""
        return [f"{best}; no significant difference from {listed([pair.b for pair in undecided])}{corrected}."]

    def table(self) -> Table:
        """Lay out the models, best first."""
        percent, factor = (" (%)", 100.0) if self.unit.points else ("", 1.0)
        names, means, groups = self.algorithms, self.scores.mean(axis=0).tolist(), self.letters()
        columns = {"model": names, f"mean {self.score.name}{percent}": [number(factor * mean) for mean in means]}
        if self.shares is not None:
            ends = (factor * self.shares).tolist()
            interval = f"{confidence(self.alpha)} interval"
            columns[interval] = [f"{number(low, 3)} to {number(high, 3)}" for low, high in ends]
        columns["group"] = groups
        caption = "Models, best first; those that share a letter do not differ significantly"
        return table_of_verb("compare", columns, caption=caption, first=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: the fields of every comparison, and those of items."""
        tests = self.pairs_tested
        means = self.scores.mean(axis=0).tolist()
        scores = [{"mean": mean, **ends} for mean, ends in zip(means, self._share_ends, strict=True)]
        plain = self.plain(
            question=self.question,
            items=item_facts(self.items, tests),
            over="items",
            scores=dict(zip(self.algorithms, scores, strict=True)),
            mean_ranks=dict(zip(self.algorithms, self.mean_ranks.tolist(), strict=True)),
            omnibus=self.omnibus.to_dict() | {"df": [], "rejected": self.rejected, "comes_first": False},
        )
        for at, pair in enumerate(plain["pairs"]):
            if isinstance(tests, ItemPairs):
                counts = {"items": "n_items", "units": "n_units", "ahead_a": "ahead_a", "ahead_b": "ahead_b"}
                pair |= {name: int(getattr(tests, field)[at]) for name, field in counts.items()}
                pair["how"] = tests.how[at]
            pair["text"] = self.pair_sentence(at)
        return plain


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
    options: dict[str, Any] = {"control": control, "higher_is_better": upward, "alpha": alpha}
    tests = pairs_of_models(items, totals, names, test=plan.pairwise, adjust=plan.posthoc, **options)
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


def _beyond(items: ItemTable | None) -> list[Caveat]:
    if items is None or len(items.benchmarks) == 1:
        return []
    text = (
        f"Pairs are compared on these {len(items.benchmarks)} benchmarks, each counting alike; that models would stand"
        f" so on other benchmarks is another question ({option(over='scores')})."
    )
    return [Caveat("on-these-datasets", text)]
