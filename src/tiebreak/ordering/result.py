"""An ordering: the total order, the reason of every place, and everything it was found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.documents import Answer, Document, Framed, Row, Shown, listed
from tiebreak.documents.words import times
from tiebreak.errors import unknown_name
from tiebreak.ordering import document as texts
from tiebreak.ordering.options import OrderPlan
from tiebreak.ordering.table import FoldTable
from tiebreak.ordering.valuation import Segment, Valuation, relation
from tiebreak.results import Metric
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.folds.inner import InnerTests
from tiebreak.wording import Brief

if TYPE_CHECKING:
    from tiebreak.stats import ItemPairs, ProportionPairs

LONGEST_NAME, MOST_LISTED = 40, 3
"""A reason must stay readable whatever the table calls its algorithms: it cuts names and lists."""
_MOST_NAMED = 20
"""Algorithms that a `repr` names."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reason(Framed):
    """Why one algorithm has its place.

    `by` is "cost" where its place among all others follows from cost alone, "test" where it stands before a cheaper
    one or behind a costlier one; by worth also "score" or "score and cost". `ahead_of` are the cheaper ones it stands
    before, `behind` the costlier ones before it, and `beats` and `beaten_by` those among all others from which it
    differs significantly.
    """

    algorithm: str
    place: int
    by: str
    text: str
    ahead_of: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()


def worth_reasons(value: Valuation, names: tuple[str, ...]) -> tuple[Reason, ...]:
    """Say of every place in an order by worth what puts it before the next: score, cost, or both."""
    sequence = value.sequence.tolist()
    scores, costs = value.sample.mean_scores, value.trades @ value.sample.mean_logs
    out = []
    for place, i in enumerate(sequence):
        last = place + 1 == len(sequence)
        other = sequence[place - 1 if last else place + 1]
        first, second = (i, other) if value.values[i] >= value.values[other] else (other, i)
        better, cheaper = scores[first] > scores[second], costs[second] > costs[first]
        by = "score and cost" if better and cheaper else "cost" if cheaper else "score"
        text = f"{'behind' if last else 'before'} {names[other]}: {relation(value, i, other)}"
        text = "the only one" if len(sequence) == 1 else text
        out.append(Reason(algorithm=names[i], place=place + 1, by=by, text=text))
    return tuple(out)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Words:
    """How an ordering speaks: of what its tests compare, and of what decides where they do not."""

    better: str = "better"
    worse: str = "worse"
    cheaper: str = "cheaper"
    costlier: str = "costlier"
    cheapest: str = "the cheapest"
    prior: str = "cost"
    open: str = "no significant difference"


GIVEN_ORDER = Words(
    cheaper="earlier in the given order",
    costlier="later in the given order",
    cheapest="the first in the given order",
    prior="the given order",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Standing(Brief):
    """Who stands where by MultiTest, and what is known of every pair.

    `better[i, j]` says that j is significantly better than i, which puts it first whatever it costs; `differ[i, j]`
    that a test of several scores rejects and neither is better. `prior` and `place` count from the cheapest and the
    best; `paid` are the costs, (data sets, algorithms), NaN for an algorithm whose cost is not known and counts as the
    largest.
    """

    names: tuple[str, ...]
    place: IntArray
    better: BoolArray
    prior: IntArray
    words: Words
    paid: FloatArray | None = None
    differ: BoolArray | None = None

    def reasons(self) -> tuple[Reason, ...]:
        """Explain every place, the best first."""
        order: IntArray = np.argsort(self.place, kind="stable")
        return tuple(self._reason(int(i), k, order) for k, i in enumerate(order))

    def _reason(self, i: int, at: int, order: IntArray) -> Reason:
        """Whoever stands against the prior order got there by a test; all others stand where cost put them."""
        others = order[order != i]
        cheaper, later = self.prior[others] < self.prior[i], self.place[others] > self.place[i]
        ahead, behind = others[cheaper & later], others[~cheaper & ~later]
        return Reason(
            algorithm=self.names[i],
            place=at + 1,
            by="test" if len(ahead) or len(behind) else "cost",
            text=self._text(i, at, order, ahead, behind),
            ahead_of=self._named(ahead),
            behind=self._named(behind),
            beats=self._named(others[self.better[others, i]]),
            beaten_by=self._named(others[self.better[i, others]]),
        )

    def _named(self, which: IntArray) -> tuple[str, ...]:
        return tuple(self.names[j] for j in which)

    def _text(self, i: int, at: int, order: IntArray, ahead: IntArray, behind: IntArray) -> str:
        """Speak of the next and the one before, and of the tests that concern neither of them."""
        after, before = order[at + 1 : at + 2].tolist(), order[max(at - 1, 0) : at].tolist()
        passed = [int(j) for j in ahead if self.better[j, i]]
        lost = [int(j) for j in behind if self.better[i, j]]
        waiting = [int(j) for j in ahead if not self.better[j, i]]
        parts = [f"before {self.name(j)}: {self.relation(i, j)}" for j in after]
        for j in before:
            known = f": {self.known(i, j)}, {self.cost_words(i, j)}"
            parts.append(
                f"behind {self.name(j)}"
                + (f", which is significantly {self.words.better}" if self.better[i, j] else known)
            )
        if waiting and not passed and not lost:  # else a test has been named that moved it
            held = f"which waits behind {self._list(self.held(waiting[0], i))}"
            parts.append(f"before {self._list(waiting)}, {'which tests hold back' if len(waiting) > 1 else held}")
        if passed and not set(passed) & set(after):
            parts.append(f"{self.words.costlier} than {self._list(passed)}, but significantly {self.words.better}")
        if lost and not set(lost) & set(before):
            parts.append(f"significantly {self.words.worse} than {self._list(lost)}")
        return "; ".join(parts)

    def known(self, i: int, j: int) -> str:
        """Say what a test shows of i beside j."""
        if self.better[j, i]:
            return f"significantly {self.words.better}"
        if self.better[i, j]:
            return f"significantly {self.words.worse}"
        if self.differ is not None and self.differ[i, j]:
            return "different, but neither better in every score"
        return self.words.open

    def relation(self, i: int, j: int) -> str:
        """Say what puts i before j, where it is no third one."""
        though = "though " if self.prior[i] > self.prior[j] else ""
        return f"{self.known(i, j)}, {though}{self.cost_words(i, j)}"

    def cost_words(self, i: int, j: int) -> str:
        """Say how the cost of i stands to that of j, as a ratio where it points the way that decided."""
        cheaper = bool(self.prior[i] < self.prior[j])
        word = self.words.cheaper if cheaper else self.words.costlier
        if self.paid is None:
            return word
        unknown: BoolArray = np.asarray(np.isnan(self.paid).all(axis=0))
        if unknown[i] or unknown[j]:
            one = "its cost is unknown" if unknown[i] else "its cost is known"
            return "both of unknown cost" if unknown[i] and unknown[j] else one
        dear, cheap = (self.paid[:, j], self.paid[:, i]) if cheaper else (self.paid[:, i], self.paid[:, j])
        positive: BoolArray = (dear > 0) & (cheap > 0)
        ratios = dear[positive] / cheap[positive]
        ratio = float(np.exp(np.log(ratios).mean())) if 2 * len(ratios) >= len(dear) and len(ratios) else 0.0
        if ratio <= 1:  # unknown, or pointing the other way than the mean share that decided
            return word
        return f"hardly {word}" if ratio < 1.05 else f"{times(ratio)} times {word}"

    def held(self, waiting: int, placed: int) -> list[int]:
        """Name those for which one algorithm still waited when the other was placed, in the order they were placed."""
        later = self.better[waiting] & (self.prior > self.prior[waiting]) & (self.place > self.place[placed])
        return sorted(np.flatnonzero(later).tolist(), key=lambda k: int(self.place[k]))

    def _list(self, which: list[int]) -> str:
        return listed([self.name(i) for i in which], most=MOST_LISTED)

    def name(self, i: int) -> str:
        """Return a name that leaves room for the reason."""
        full = self.names[i]
        return full if len(full) <= LONGEST_NAME else f"{full[: LONGEST_NAME - 1]}…"

    def explain(self, i: int, j: int) -> str:
        """Say in a sentence why one of two algorithms stands before the other."""
        first, second = (i, j) if self.place[i] < self.place[j] else (j, i)
        x, y = self.name(first), self.name(second)
        if self.prior[first] < self.prior[second] or self.better[second, first]:
            return f"{x} stands before {y}: {self.relation(first, second)}."
        held = self.held(second, first)
        known, cost = self.known(first, second), self.cost_words(first, second)
        odd = f"there is no significant difference and it is {cost}"
        if known != self.words.open:
            odd = f"it is {known} and {cost}"
        return (
            f"{x} stands before {y}, although {odd}: {y} waits behind {self._list(held)}, significantly"
            f" {self.words.better} than it, and {x} comes before {'that' if len(held) == 1 else 'those'}."
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Edge(Framed):
    """A test that overrode cost: `costlier` is shown to be better than `cheaper`.

    `adjusted` is the p-value with the comparisons counted that the order counts.
    """

    cheaper: str
    costlier: str
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ordering(Shown):
    """Algorithms from best to worst, each place with its reason.

    `order` and `prior` hold names, best and cheapest first. Arrays over algorithms run in the order of `algorithms`:
    `ranks` are the ranks of the scores on each data set (by places, those of MultiTest), `better[i, j]` says that the
    tests found j significantly better than i. `omnibus` is None with one data set; it decides only an order by places.
    `costs` are the mean normalised costs, `inner` the tests inside the data sets, if any. `reversed` are pairs whose
    first stands before the second although the second is shown to have better scores. It was made from `table`.
    """

    order: tuple[str, ...]
    prior: tuple[str, ...]
    reasons: tuple[Reason, ...]
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    ranks: FloatArray
    mean_ranks: FloatArray
    scores: FloatArray
    costs: Mapping[str, FloatArray]
    omnibus: OmnibusResult | None
    tests: PairwiseResult
    better: BoolArray
    prior_places: IntArray
    groups: tuple[tuple[str, ...], ...]
    inner: InnerTests | None
    score: Metric
    plan: OrderPlan
    table: FoldTable
    standing: Standing
    valuation: Valuation | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    reversed: tuple[tuple[str, str], ...] = ()
    tied_costs: bool = False
    by_group: Mapping[str, Ordering] = field(default_factory=dict)
    caveats: Caveats = ()
    data_papers: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """What orders: "worth", "multitest" or "multi2test"."""
        return self.plan.rule

    @property
    def over(self) -> str:
        """What the deciding tests read: "scores" or "places" of data sets, "folds" of one data set, or "items"."""
        return self.plan.over

    @property
    def frontier(self) -> tuple[Segment, ...]:
        """Who is first for which trade; empty without costs that differ."""
        return (
            ()
            if self.valuation is None
            else tuple(segment.framed(self.frame_kind) for segment in self.valuation.frontier)
        )

    @property
    def other_rules(self) -> dict[str, str]:
        """Who is first by each of the other rules that apply."""
        return texts.other_rules(self)

    @property
    def rejected(self) -> bool:
        """Whether the test of all algorithms found that they differ; True with one data set, which has none."""
        return self.omnibus is None or self.omnibus.pvalue <= self.plan.alpha

    @property
    def item_tests(self) -> ItemPairs | ProportionPairs | None:
        """The tests of pairs on items or totals of them; None where data sets were compared."""
        on_items = self.over == "items" and len(self.algorithms) > 1
        return cast("ItemPairs | ProportionPairs", self.tests) if on_items else None

    @property
    def gated(self) -> bool:
        """Whether the test of all algorithms kept the tests of pairs from deciding anything."""
        return self.over == "places" and not self.rejected

    def _index(self, name: str) -> int:
        if name not in self.algorithms:
            raise unknown_name("algorithm", name, self.algorithms)
        return self.algorithms.index(name)

    def explain(self, a: str, b: str) -> str:
        """Say why one of two algorithms stands before the other, with the numbers."""
        i, j = self._index(a), self._index(b)
        return f"{a} is one algorithm." if i == j else texts.explained(self, i, j)

    @property
    def headline(self) -> str:
        """The sentence to repeat: what to use, and how it compares with the best-scoring one."""
        return texts.headline(self)

    def graph(self) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        """Return the nodes, cheapest first, and an edge for every pair in which a test overrode cost."""
        places, names = self.prior_places, self.algorithms
        pairs = zip(self.tests.a.tolist(), self.tests.b.tolist(), self.tests.adjusted.tolist(), strict=True)
        ways = [(*sorted((a, b), key=lambda i: places[i]), adjusted) for a, b, adjusted in pairs]
        return self.prior, tuple(
            Edge(cheaper=names[cheap], costlier=names[dear], adjusted=adjusted, frame_kind=self.frame_kind)
            for cheap, dear, adjusted in ways
            if self.better[cheap, dear]
        )

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        out: list[Row] = []
        value, costs = self.valuation, self.plan.costs
        for reason in self.reasons:
            i = self._index(reason.algorithm)
            row: Row = {"place": reason.place, "algorithm": reason.algorithm, "mean_rank": float(self.mean_ranks[i])}
            if value is None:
                row |= {f"cost {name}": float(cost[i]) for name, cost in self.costs.items()}
            else:
                row[f"mean {self.score.name}"] = float(value.scores[i])
                sides = {"loss": value.losses.value, "loss_low": value.losses.low, "loss_high": value.losses.high}
                row |= {name: float(array[i]) for name, array in sides.items()}
                row |= {name: float(value.paid[place, i]) for place, name in enumerate(costs)}
                row |= {f"relative {name}": float(value.relative[place, i]) for place, name in enumerate(costs)}
                row["worth"] = float(value.values[i])
            out.append({**row, "by": reason.by, "reason": reason.text})
        return out

    def title(self) -> str:
        """Say in one line what was ordered."""
        where = f"{len(self.datasets)} data sets" if len(self.datasets) > 1 else f"data set {self.datasets[0]}"
        if self.table.items is not None:
            where = f"{len(self.table.items):,} items"
        direction = "higher" if self.score.higher_is_better else "lower"
        costs = f" and {' and '.join(self.costs)}" if self.costs else ""
        what = f"{len(self.algorithms)} algorithms on {where} by {self.score.name} ({direction} is better){costs}"
        return what if self.rule == "worth" else f"{what}, rule {self.rule}"

    def brief(self) -> str:
        """Give the order."""
        some = " > ".join(self.order[:_MOST_NAMED])
        more = len(self.order) - _MOST_NAMED
        return f"{some} > ... ({more} more)" if more > 0 else some

    @property
    def answer(self) -> Answer:
        """The answer: what to use, what that saves and loses, and how sure it is."""
        return texts.answer(self)

    def document(self) -> Document:
        """Return everything the ordering says: for Markdown, LaTeX, HTML, the report and `--full`."""
        return texts.document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the ordering as plain data, the content of `tiebreak order --json`."""
        return texts.as_dict(self)
