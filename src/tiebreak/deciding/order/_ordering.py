"""An ordering: the total order, with everything it was found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.deciding.order._best import Best, best_of_groups
from tiebreak.deciding.order._costs import CostChoice
from tiebreak.deciding.order._inner_tests import Inner
from tiebreak.deciding.order._reasons import Reason, Words, explain_pair, words_for
from tiebreak.documents import Document, Row, Shown
from tiebreak.errors import unknown_name
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.tables import Metric

if TYPE_CHECKING:
    from tiebreak.deciding.order._multi2test import FoldTable, Multi2Test
    from tiebreak.deciding.order._stability import Stability


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A test that overrode cost: `costlier` is significantly better than `cheaper`."""

    cheaper: str
    costlier: str
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPlan:
    """Every choice of one ordering."""

    pairwise: str
    inner_adjust: str
    posthoc: str
    omnibus: str
    choice: CostChoice
    missing: str
    missing_costs: str
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ordering(Shown):
    """Algorithms from best to worst, each place with its reason.

    `order` and `prior` hold names, best and cheapest first. Arrays over algorithms run in the order of `algorithms`:
    `ranks` are the places of MultiTest on each data set, `better[i, j]` says that the last tests found j significantly
    better than i. `omnibus` is None with one data set. `costs` are the mean normalised costs, `inner` the tests inside
    the data sets (None where data sets were ranked by score). `procedure` and `table` made it, and can make it again.
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
    procedure: Multi2Test
    table: FoldTable
    tied_costs: bool = False
    by_group: Mapping[str, Ordering] = field(default_factory=dict)
    caveats: Caveats = ()

    @property
    def rejected(self) -> bool:
        """Whether the omnibus test found that the algorithms differ; True with one data set, which has none."""
        return self.omnibus is None or self.omnibus.pvalue <= self.plan.alpha

    @property
    def words(self) -> Words:
        """How this ordering speaks of what decided it."""
        return words_for(len(self.datasets), given=not self.costs)

    def _index(self, name: str) -> int:
        if name not in self.algorithms:
            raise unknown_name("algorithm", name, self.algorithms)
        return self.algorithms.index(name)

    def explain(self, a: str, b: str) -> str:
        """Say why one of two algorithms stands before the other."""
        i, j = self._index(a), self._index(b)
        if i == j:
            return f"{a} is one algorithm."
        order = np.array([self.algorithms.index(name) for name in self.order])
        said = explain_pair(
            i,
            j,
            order=order,
            better=self.better,
            prior=self.prior_places,
            names=self.algorithms,
            words=self.words,
        )
        return (
            said
            if self.rejected
            else f"{said} The omnibus test does not reject, so {self.words.prior} decides every place."
        )

    def best(self) -> Best:
        """Find the best algorithm from the groups of the post hoc test, or say that they cannot tell."""
        if self.omnibus is None:
            return Best(algorithm=self.order[0], text=f"{self.order[0]} stands first on the one data set.")
        by_rank = sorted(self.algorithms, key=lambda name: (float(self.mean_ranks[self._index(name)]), name))
        return best_of_groups(self.groups, by_rank=by_rank, by_cost=self.prior, cheapest=self.words.cheapest)

    def graph(self) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        """Return the nodes, cheapest first, and an edge for every pair in which a test overrode cost."""
        edges = []
        for a, b, adjusted in zip(self.tests.a, self.tests.b, self.tests.adjusted, strict=True):
            for cheap, dear in ((a, b), (b, a)):
                if self.better[cheap, dear] and self.prior_places[cheap] < self.prior_places[dear]:
                    edges.append(
                        Edge(
                            cheaper=self.algorithms[cheap],
                            costlier=self.algorithms[dear],
                            adjusted=float(adjusted),
                        )
                    )
        return self.prior, tuple(edges)

    def stability(self, *, datasets: int = 1000, folds: int = 0, rng: int | np.random.Generator = 0) -> Stability:
        """Resample data sets, or with `folds` replications inside them, and see what survives; see `Stability`."""
        from tiebreak.deciding.order._stability import stability

        return stability(self, datasets=datasets, folds=folds, rng=rng)

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
            row |= {f"cost {name}": float(cost[i]) for name, cost in self.costs.items()}
            out.append({**row, "by": reason.by, "reason": reason.text})
        return out

    def title(self) -> str:
        """Say in one line what was ordered."""
        sets = f"{len(self.datasets)} data sets" if len(self.datasets) > 1 else f"data set {self.datasets[0]}"
        costs = " and ".join(self.costs) or "a given prior order"
        direction = "higher" if self.score.higher_is_better else "lower"
        return f"{len(self.algorithms)} algorithms on {sets} by {self.score.name} ({direction} is better) and {costs}"

    def document(self) -> Document:
        """Return what the ordering says: for text, Markdown, LaTeX, HTML and the report."""
        from tiebreak.deciding.order._document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the ordering as plain data, the content of `tiebreak order --json`."""
        from tiebreak.deciding.order._document import as_dict

        return as_dict(self)
