"""An ordering: the total order, with everything it was found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.errors import unknown_name
from tiebreak.ordering._best import Best, best_of_groups
from tiebreak.ordering._inner_tests import Inner
from tiebreak.ordering._reasons import Reason, Standing, Words
from tiebreak.ordering.frontier import Segment
from tiebreak.ordering.valuation import Valuation
from tiebreak.ordering.worth import Trade
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.tables import Metric

if TYPE_CHECKING:
    from tiebreak.ordering._procedure import Procedure
    from tiebreak.ordering._table import FoldTable


_MOST_NAMED = 20
"""Algorithms that a `repr` names."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Edge(Framed):
    """A test that overrode cost: `costlier` is shown to be better than `cheaper`.

    `adjusted` is the p-value with the comparisons counted that the order counts.
    """

    cheaper: str
    costlier: str
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OrderPlan(Framed):
    """Every choice of one ordering; `over` is what the last tests read: scores or places of data sets, or folds."""

    over: str
    pairwise: str
    inner_adjust: str
    posthoc: str
    omnibus: str
    costs: tuple[str, ...]
    missing: str
    missing_costs: str
    alpha: float
    rule: str = "multitest"
    trades: tuple[Trade, ...] = ()
    test_share: float | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ordering(Shown):
    """Algorithms from best to worst, each place with its reason.

    `order` and `prior` hold names, best and cheapest first. Arrays over algorithms run in the order of `algorithms`:
    `ranks` are the ranks of the scores on each data set (by places, those of MultiTest), `better[i, j]` says that the
    tests found j significantly better than i. `omnibus` is None with one data set; it decides only an order by places.
    `costs` are the mean normalised costs, `inner` the tests inside the data sets, if any. `reversed` are pairs whose
    first stands before the second although the second is shown to have better scores. `procedure` and `table` made
    it, and can make it again.
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
    inner: Inner | None
    score: Metric
    plan: OrderPlan
    procedure: Procedure
    table: FoldTable
    standing: Standing
    rule: str = "multitest"
    valuation: Valuation | None = None
    other_rules: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    reversed: tuple[tuple[str, str], ...] = ()
    tied_costs: bool = False
    by_group: Mapping[str, Ordering] = field(default_factory=dict)
    caveats: Caveats = ()
    data_papers: tuple[str, ...] = ()
    _memo: dict[str, Any] = field(default_factory=dict)

    @property
    def over(self) -> str:
        """What the deciding tests read: "scores" or "places" of data sets, "folds" of one data set, or "items"."""
        return self.plan.over

    @property
    def frontier(self) -> tuple[Segment, ...]:
        """Who is first for which trade; empty without costs that differ."""
        return () if self.valuation is None else tuple(each.framed(self.frame_kind) for each in self.valuation.frontier)

    @property
    def rejected(self) -> bool:
        """Whether the test of all algorithms found that they differ; True with one data set, which has none."""
        return self.omnibus is None or self.omnibus.pvalue <= self.plan.alpha

    @property
    def gated(self) -> bool:
        """Whether the test of all algorithms kept the tests of pairs from deciding anything."""
        return self.over == "places" and not self.rejected

    @property
    def words(self) -> Words:
        """How this ordering speaks of what decided it."""
        return self.standing.words

    def _index(self, name: str) -> int:
        if name not in self.algorithms:
            raise unknown_name("algorithm", name, self.algorithms)
        return self.algorithms.index(name)

    def explain(self, a: str, b: str) -> str:
        """Say why one of two algorithms stands before the other, with the numbers."""
        from tiebreak.ordering.document import explained

        i, j = self._index(a), self._index(b)
        return f"{a} is one algorithm." if i == j else explained(self, i, j)

    @property
    def headline(self) -> str:
        """The sentence to repeat: what to use, and how it compares with the best-scoring one."""
        from tiebreak.ordering.document import headline

        return headline(self)

    def best(self) -> Best:
        """Name the best algorithm: the first; by Multi2Test only where the groups of its post hoc test agree."""
        first = self.order[0]
        if self.over != "places":
            return Best(algorithm=first, text=f"{first} is first by {self.rule}.", frame_kind=self.frame_kind)
        by_rank = sorted(self.algorithms, key=lambda name: (float(self.mean_ranks[self._index(name)]), name))
        grouped = best_of_groups(self.groups, by_rank=by_rank, by_cost=self.prior, cheapest=self.words.cheapest)
        if grouped.algorithm in (first, None):
            return grouped.framed(self.frame_kind)
        text = f"{first} is first; the groups of the post hoc test name {grouped.algorithm}, so they cannot tell."
        return Best(algorithm=None, text=text, frame_kind=self.frame_kind)

    def graph(self) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        """Return the nodes, cheapest first, and an edge for every pair in which a test overrode cost."""
        edges = []
        for a, b, adjusted in zip(self.tests.a, self.tests.b, self.tests.adjusted, strict=True):
            for cheap, dear in ((a, b), (b, a)):
                if self.standing.better[cheap, dear] and self.prior_places[cheap] < self.prior_places[dear]:
                    edges.append(
                        Edge(
                            cheaper=self.algorithms[cheap],
                            costlier=self.algorithms[dear],
                            adjusted=float(adjusted),
                            frame_kind=self.frame_kind,
                        )
                    )
        return self.prior, tuple(edges)

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        out: list[Row] = []
        value = self.valuation
        for reason in self.reasons:
            i = self._index(reason.algorithm)
            row: Row = {
                "place": reason.place,
                "algorithm": reason.algorithm,
                "mean_rank": float(self.mean_ranks[i]),
            }
            if value is not None:
                row |= {
                    f"mean {self.score.name}": float(value.scores[i]),
                    "loss": float(value.losses.value[i]),
                    "loss_low": float(value.losses.low[i]),
                    "loss_high": float(value.losses.high[i]),
                    **{name: float(value.paid[place, i]) for place, name in enumerate(self.plan.costs)},
                    **{
                        f"relative {name}": float(value.relative[place, i])
                        for place, name in enumerate(self.plan.costs)
                    },
                    "worth": float(value.values[i]),
                }
            else:
                row |= {f"cost {name}": float(cost[i]) for name, cost in self.costs.items()}
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

    def __str__(self) -> str:
        from tiebreak.ordering.document import screen

        return screen(self)

    def document(self) -> Document:
        """Return everything the ordering says: for Markdown, LaTeX, HTML, the report and `--full`."""
        from tiebreak.ordering.document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the ordering as plain data, the content of `tiebreak order --json`."""
        from tiebreak.ordering.document import as_dict

        return as_dict(self)
