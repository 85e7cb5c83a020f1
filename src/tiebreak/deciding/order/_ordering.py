"""An ordering: the total order, with everything it was found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.deciding.order._best import Best
from tiebreak.deciding.order._costs import CostChoice
from tiebreak.deciding.order._family import OWN, own_adjusted
from tiebreak.deciding.order._inner_tests import Inner
from tiebreak.deciding.order._margins import Margin, verdict_of
from tiebreak.deciding.order._reasons import Reason, Standing, Words
from tiebreak.deciding.order._trade import Trade, trade
from tiebreak.documents import Document, Framed, Row, Shown
from tiebreak.errors import unknown_name
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.tables import Metric

if TYPE_CHECKING:
    from tiebreak.deciding.order._procedure import Procedure
    from tiebreak.deciding.order._stability import Stability
    from tiebreak.deciding.order._table import FoldTable


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
    choice: CostChoice
    missing: str
    missing_costs: str
    alpha: float
    margin: Margin | None = None
    undecided: str = "cheaper"
    family: str = "all"
    test_share: float | None = None
    draws: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verdict(Framed):
    """What is known of a pair: the costlier one is better, the cheaper one is good enough, or neither is shown."""

    cheaper: str
    costlier: str
    verdict: str


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
    def rejected(self) -> bool:
        """Whether the test of all algorithms found that they differ; True with one data set, which has none."""
        return self.omnibus is None or self.omnibus.pvalue <= self.plan.alpha

    @property
    def gated(self) -> bool:
        """Whether the test of all algorithms kept the tests of pairs from deciding anything."""
        return self.over == "places" and not self.rejected

    @property
    def trade(self) -> Trade:
        """What each algorithm gives up and costs beside the best-scoring one."""
        if "trade" not in self._memo:
            self._memo["trade"] = trade(self.table, alpha=self.plan.alpha)
        found: Trade = self._memo["trade"]
        return found.framed(self.frame_kind)

    def trade_by(self, cost: str) -> Trade:
        """Return `trade` with what is paid by another of the costs."""
        names = list(self.costs)
        if cost not in names:
            raise unknown_name("cost", cost, names)
        return trade(self.table, alpha=self.plan.alpha, cost=names.index(cost)).framed(self.frame_kind)

    @property
    def firmness(self) -> Stability | None:
        """How often each place comes out when data sets are drawn again; None where that would take long."""
        if "firm" not in self._memo:
            from tiebreak.deciding.order._stability import usual_draws

            draws = usual_draws(self)
            self._memo["firm"] = self.stability(datasets=draws, rng=self.plan.seed) if draws else None
        found: Stability | None = self._memo["firm"]
        return found and found.framed(self.frame_kind)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every pair with the cheaper one first: better, good enough or undecided."""
        better, good, index = self.standing.shown, self.standing.good, np.argsort(self.prior_places)
        shown = better.T if good is None else better.T | good  # a cheaper one that is better is good enough
        return tuple(
            Verdict(
                cheaper=self.algorithms[i],
                costlier=self.algorithms[j],
                verdict=verdict_of(bool(better[i, j]), bool(shown[i, j])),
                frame_kind=self.frame_kind,
            )
            for k, i in enumerate(index)
            for j in index[k + 1 :]
        )

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
        from tiebreak.deciding.order._explaining import explained

        i, j = self._index(a), self._index(b)
        return f"{a} is one algorithm." if i == j else explained(self, i, j)

    def explanations(self, first: int | None = None) -> tuple[str, ...]:
        """Return what `explain` says of every pair: first with second, first with third and so on, by their places.

        With `first` only pairs among the first so many are explained.
        """
        from tiebreak.deciding.order._explaining import all_explained

        return all_explained(self, first)

    @property
    def headline(self) -> str:
        """The sentence to repeat: how the first stands to the best-scoring one, and its price; empty without items."""
        from tiebreak.deciding.order._item_words import headline_of

        return headline_of(self)

    @property
    def question(self) -> str:
        """Which question an order of models answers: about other items, or other benchmarks; empty without items."""
        from tiebreak.deciding.order._over_items import question

        return question(self)

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Those that no other is shown to be better than, by their places."""
        return tuple(name for name in self.order if not self.standing.shown[self._index(name)].any())

    def best(self) -> Best:
        """Say which algorithm is best, which is never another than the first; by places, whether the groups agree."""
        from tiebreak.deciding.order._explaining import best_of

        return best_of(self).framed(self.frame_kind)

    def graph(self) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        """Return the nodes, cheapest first, and an edge for every pair in which a test overrode cost."""
        edges = []
        adjusted_ = self.tests.adjusted
        if self.plan.family == OWN:
            adjusted_ = np.minimum(adjusted_, own_adjusted(self.tests.pvalue, len(self.algorithms)))
        for a, b, adjusted in zip(self.tests.a, self.tests.b, adjusted_, strict=True):
            for cheap, dear in ((a, b), (b, a)):
                if self.standing.moves[cheap, dear] and self.prior_places[cheap] < self.prior_places[dear]:
                    edges.append(
                        Edge(
                            cheaper=self.algorithms[cheap],
                            costlier=self.algorithms[dear],
                            adjusted=float(adjusted),
                            frame_kind=self.frame_kind,
                        )
                    )
        return self.prior, tuple(edges)

    def stability(self, *, datasets: int = 1000, folds: int = 0, rng: int | np.random.Generator = 0) -> Stability:
        """Resample data sets, or with `folds` replications inside them, and see what survives; see `Stability`."""
        from tiebreak.deciding.order._stability import stability

        return stability(self, datasets=datasets, folds=folds, rng=rng).framed(self.frame_kind)

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        out: list[Row] = []
        for reason in self.reasons:
            i = self._index(reason.algorithm)
            row: Row = {
                "place": reason.place,
                "algorithm": reason.algorithm,
                "mean_rank": float(self.mean_ranks[i]),
                f"mean {self.score.name}": float(np.nanmean(self.scores[:, i])),
            }
            if self.table.measures is None:
                row |= {"given_up": float(self.trade.given_up[i])}
            row |= {f"cost {name}": float(cost[i]) for name, cost in self.costs.items()}
            out.append({**row, "by": reason.by, "reason": reason.text})
        return out

    def title(self) -> str:
        """Say in one line what was ordered."""
        if self.table.tested is not None:
            from tiebreak.deciding.order._item_words import title_of

            return title_of(self)
        sets = f"{len(self.datasets)} data sets" if len(self.datasets) > 1 else f"data set {self.datasets[0]}"
        costs = " and ".join(self.costs) or self.words.without
        direction = "higher" if self.score.higher_is_better else "lower"
        return f"{len(self.algorithms)} algorithms on {sets} by {self.score.name} ({direction} is better) and {costs}"

    def brief(self) -> str:
        """Give the order."""
        some = " > ".join(self.order[:_MOST_NAMED])
        more = len(self.order) - _MOST_NAMED
        return f"{some} > ... ({more} more)" if more > 0 else some

    def document(self) -> Document:
        """Return what the ordering says: for text, Markdown, LaTeX, HTML and the report."""
        from tiebreak.deciding.order._document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the ordering as plain data, the content of `tiebreak order --json`."""
        from tiebreak.deciding.order._plain import as_dict

        return as_dict(self)
