"""Models compared on items: each pair on the items that both answered, or by totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveat, codes_of, distinct
from tiebreak.comparison._comparison import Comparison
from tiebreak.comparison._plan import Plan
from tiebreak.comparison._testing import PairOmnibus
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.comparison.headlines import ModelBeside, alone_of, headline, margin_evidence
from tiebreak.comparison.item_shares import share_intervals
from tiebreak.comparison.on_items import (
    TOO_FEW,
    ScoreUnit,
    evidence,
    of_benchmark,
    pairs_by_totals,
    pairs_on_items,
    question_of,
    totals_of,
    usual_correction,
    usual_item_test,
)
from tiebreak.comparison.promises import promise_caveats
from tiebreak.documents import Answer, Document, Row
from tiebreak.documents.words import with_article
from tiebreak.errors import OptionError, unknown_name
from tiebreak.methods import find
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ItemTable, item_table
from tiebreak.stats import DifferenceIntervals, ItemPairs, ProportionPairs, WinTieLoss
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.results import frozen
from tiebreak.wording import either, option


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
        told = 0 if not self.significant[at] else -1 if tests.statistic[at] > 0 else 1
        return ModelBeside(
            first=self.algorithms[int(tests.b[at])],
            other=self.algorithms[int(tests.a[at])],
            shortfall=float(sign * tests.difference[at]),
            low=ends[0],
            high=ends[1],
            told=told,
            items=self.evidence(at),
            level=tests.level,
            together=len(tests.a),
            able=TOO_FEW not in codes_of(tests.caveats),
            alone=alone_of(tests, at, told=told),
            pair=margin_evidence(
                self.items, _totals_of(self), int(tests.b[at]), int(tests.a[at]), upward=self.higher_is_better
            ),
        )

    @property
    def headline(self) -> str:
        """The sentence to repeat: how the second stands to the first, or the first to the second it is better than."""
        found = self.beside(0)
        if found.told > 0:
            turned = {"shortfall": -found.shortfall, "low": -found.high, "high": -found.low, "told": -1}
            found = replace(found, first=found.other, other=found.first, **turned)  # type: ignore[arg-type]
        return headline(found, self.unit)

    def simultaneous_intervals(self, *, level: float | None = None) -> DifferenceIntervals:
        """Return the differences with intervals that hold together; `level` is that of the tests."""
        tests = self.pairs_tested
        if level is not None and abs(level - tests.level) > 1e-12:
            again = compared_on_items(self, level)
            return again.simultaneous_intervals()
        sign = -1.0 if self.higher_is_better else 1.0
        low, high = sorted_ends(sign * tests.low_together, sign * tests.high_together)
        return DifferenceIntervals(
            **frozen(a=tests.a, b=tests.b, estimate=sign * tests.difference + 0.0, low=low, high=high),
            level=tests.level,
            achieved=tests.level,
            algorithms=self.algorithms,
            n_datasets=len(self.datasets),
            method="mean difference on items, Bonferroni",
        ).framed(self.frame_kind)

    def intervals(self, *, level: float = 0.95, method: str = "wilcoxon") -> DifferenceIntervals:
        """Return the differences with intervals that stand each for itself; `method` is that of the test of items."""
        tests = self.pairs_tested
        if abs(level - tests.level) > 1e-12:
            return compared_on_items(self, level).intervals(level=level, method=method)
        sign = -1.0 if self.higher_is_better else 1.0
        low, high = sorted_ends(sign * tests.low, sign * tests.high)
        return replace(self.simultaneous_intervals(), low=low, high=high, method="mean difference on items")

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
        from tiebreak.comparison._item_document import document

        return document(self)

    @property
    def answer(self) -> Answer:
        """The answer: who is significantly better than whom, and how sure that is."""
        from tiebreak.comparison.answer import on_items

        return on_items(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: the fields of every comparison, and those of items."""
        from tiebreak.comparison._item_document import as_dict

        return as_dict(self)


def _of_data_sets(what: str, instead: str) -> OptionError:
    return OptionError(
        f"{what} were asked for, and models are compared on items.",
        why="They are over data sets; on items every pair has its difference with an interval.",
        mend=either(f"Use {instead}.", "Leave it out."),
    )


def sorted_ends(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper ends."""
    return np.minimum(one, other) + 0.0, np.maximum(one, other) + 0.0


def compared_on_items(found: ItemComparison, level: float) -> ItemComparison:
    """Make the same comparison with another confidence of its intervals."""
    tests = _tests(found.items, _totals_of(found), found.plan, found.algorithms, 1.0 - level, found.higher_is_better)
    return replace(found, tests=tests)


def _totals_of(found: ItemComparison) -> tuple[FloatArray, FloatArray] | None:
    tests = found.pairs_tested
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
    means = items.means() if items is not None else (totals[0] / totals[1])[None]  # type: ignore[index]
    upward = bool(metric.higher_is_better)
    turned = -means if upward else means
    order = sorted(range(len(names)), key=lambda i: (float(snap(turned.mean(axis=0))[i]), names[i]))
    items = None if items is None else _columns(items, order)
    totals = None if totals is None else (totals[0][order], totals[1][order])
    plan = _plan(items, pairwise, posthoc, control, len(names))
    tests = _tests(items, totals, plan, tuple(names[i] for i in order), alpha, upward, seed)
    return _made(results, metric, items, tests, plan, alpha, means[:, order])


def _columns(items: ItemTable, order: list[int]) -> ItemTable:
    names = tuple(items.algorithms[i] for i in order)
    return replace(items, scores=readonly(items.scores[:, order]), algorithms=names)


def _plan(items: ItemTable | None, pairwise: str | None, posthoc: str | None, control: str | None, count: int) -> Plan:
    """Choose the test that fits items, and the sharpest correction."""
    if posthoc is not None:
        find(posthoc, "correction", verb="compare", what="correction")
    adjust = posthoc or usual_correction(count, control=control is not None)
    if control is not None and find(adjust, "correction").control == "never":
        raise OptionError(
            f"The post hoc test {adjust} compares all pairs and takes no control.",
            why="Against a control fewer hypotheses are tested, which it could not use.",
            mend=f"Use {option(posthoc='holm')}, or drop the control.",
        )
    usual = "fisher" if items is None else usual_item_test(items)
    why = {
        "mcnemar": "Scores are 0 or 1, on one benchmark without clusters: McNemar's exact test.",
        "fisher": "Only totals are known: Fisher's exact test of two shares.",
    }.get(usual, "Scores are graded, clustered or of several benchmarks: signs of items, or clusters, are flipped.")
    path = (why if pairwise is None else f"Asked for: {pairwise}.", f"Correction: {adjust}.")
    return Plan(
        omnibus="none",
        pairwise=pairwise or usual,
        posthoc=adjust,
        control=control,
        missing="refuse",
        tie_correction=True,
        path=path,
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
    told: dict[str, Any] = {"test": plan.pairwise, "adjust": plan.posthoc, "control": plan.control, "alpha": alpha}
    if items is not None:
        return pairs_on_items(items, higher_is_better=upward, seed=seed, **told)
    assert totals is not None
    return pairs_by_totals(*totals, names, **told)


def _made(
    results: Results,
    metric: Metric,
    items: ItemTable | None,
    tests: ItemPairs | ProportionPairs,
    plan: Plan,
    alpha: float,
    means: FloatArray,
) -> ItemComparison:
    """Judge the pairs, and put the comparison together."""
    turned = -means if metric.higher_is_better else means
    significant = (tests.adjusted <= alpha) & (tests.statistic != 0)
    ranks = average_ranks(snap(turned)).mean(axis=0)
    names = tests.algorithms
    return ItemComparison(
        algorithms=names,
        mean_ranks=readonly(ranks),
        groups=_groups(tests, significant, plan.control),
        omnibus=_stand_in(tests, plan, ranks),
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=metric,
        higher_is_better=bool(metric.higher_is_better),
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


def _beyond(items: ItemTable | None) -> list[Caveat]:
    if items is None or len(items.benchmarks) == 1:
        return []
    text = (
        f"Pairs are compared on these {len(items.benchmarks)} benchmarks, each counting alike; that models would stand"
        f" so on other benchmarks is another question ({option(over='scores')})."
    )
    return [Caveat("on-these-datasets", text)]


def _groups(tests: ItemPairs | ProportionPairs, significant: Any, control: str | None) -> tuple[tuple[str, ...], ...]:
    names = tests.algorithms
    if control is not None:
        different = {names[b] for b in tests.b[significant]}
        return (tuple(name for name in names if name not in different),)
    alike = np.ones((len(names), len(names)), dtype=bool)
    a, b = tests.a[significant], tests.b[significant]
    alike[a, b] = alike[b, a] = False
    return tuple(tuple(names[i] for i in clique) for clique in maximal_cliques(alike)[0])


def _stand_in(tests: ItemPairs | ProportionPairs, plan: Plan, ranks: FloatArray) -> PairOmnibus:
    """Without an omnibus test the smallest adjusted p-value decides."""
    first = int(np.argmin(tests.adjusted))
    return PairOmnibus(
        letter=plan.test.symbol,
        statistic=float(tests.statistic[first]),
        pvalue=float(tests.adjusted[first]),
        df=(),
        mean_ranks=readonly(ranks),
        algorithms=tests.algorithms,
        n_datasets=1,
        method=tests.method if len(tests.a) == 1 else f"Smallest adjusted p-value of {with_article(tests.method)}",
    )
