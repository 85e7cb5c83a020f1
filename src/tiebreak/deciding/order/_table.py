"""What is ordered: the scores of folds, what is compared over data sets, and the costs, of the same cells."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.stats import ItemPairs, ProportionPairs
from tiebreak.tables.item_table import ItemTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldTable(Brief):
    """What is ordered: fold errors (lower is better) and costs of the same cells.

    `errors` is (data sets, algorithms, replications, folds); with several scores they are `measures`, which has one
    more axis for them, and `errors` holds the first. `compared` is what a test over data sets reads, lower the better,
    with the worst of the data set where a run failed; `test` names the test that fits it, `tested_on` says what it is
    and `margin_unit` what a difference of it is counted in, where these are not the scores. `valued` likewise is what
    may be averaged over data sets, and `scores` the same as tables show it. `paid` are the costs in their own units,
    `costs` the same as shares of the largest on their data set; `paid_folds` has the axes of `errors`. `timed` says
    which costs are times, `kinds` what each is, where that is known. `given` are the scores as they came, named
    `given_name`, where `scores` are others; `dataset_metrics` names the metric of each data set, where a
    column of the table does. In an order on items `items` holds these (data sets are benchmarks, and
    `errors` their means), or `totals` how many of how many each model passed, `tested` the tests of all
    pairs, and `upward` whether higher scores are better. `unpriced` says whose first cost is known on no data set and
    counts as the largest; None where all are known.
    """

    errors: FloatArray
    scores: FloatArray
    compared: FloatArray
    valued: FloatArray
    paid: tuple[FloatArray, ...]
    costs: tuple[FloatArray, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: Caveats
    units: tuple[str, ...] = ()
    cost_names: tuple[str, ...] = ()
    paid_folds: tuple[FloatArray, ...] = ()
    timed: tuple[bool, ...] = ()
    kinds: tuple[str, ...] = ()
    test: str = "wilcoxon"
    tested_on: str = ""
    margin_unit: str = ""
    measures: FloatArray | None = None
    given: FloatArray | None = None
    given_name: str = ""
    dataset_metrics: tuple[str, ...] = ()
    items: ItemTable | None = None
    totals: tuple[FloatArray, FloatArray] | None = None
    tested: ItemPairs | ProportionPairs | None = None
    upward: bool = False
    unpriced: BoolArray | None = None

    def take(self, rows: IntArray | BoolArray) -> FoldTable:
        """Return the table of some of the data sets, or of data sets drawn several times."""
        return replace(
            self,
            errors=self.errors[rows],
            scores=self.scores[rows],
            compared=self.compared[rows],
            valued=self.valued[rows],
            measures=None if self.measures is None else self.measures[rows],
            given=None if self.given is None else self.given[rows],
            paid=tuple(cost[rows] for cost in self.paid),
            costs=tuple(cost[rows] for cost in self.costs),
            paid_folds=tuple(cost[rows] for cost in self.paid_folds),
            datasets=tuple(np.array(self.datasets, dtype=object)[rows].tolist()),
            dataset_metrics=tuple(np.array(self.dataset_metrics, dtype=object)[rows].tolist())
            if self.dataset_metrics
            else (),
        )

    def without(self, failed: BoolArray) -> FoldTable:
        """Return the table of the algorithms that did not fail."""
        there = ~failed
        return replace(
            self,
            errors=self.errors[:, there],
            scores=self.scores[:, there],
            compared=self.compared[:, there],
            valued=self.valued[:, there],
            measures=None if self.measures is None else self.measures[:, there],
            given=None if self.given is None else self.given[:, there],
            paid=tuple(cost[:, there] for cost in self.paid),
            costs=tuple(cost[:, there] for cost in self.costs),
            paid_folds=tuple(cost[:, there] for cost in self.paid_folds),
            algorithms=tuple(name for name, here in zip(self.algorithms, there, strict=True) if here),
            unpriced=None if self.unpriced is None else self.unpriced[there],
        )

    @property
    def failed(self) -> BoolArray:
        """Which algorithm has no complete score on which data set, (data sets, algorithms)."""
        return np.isnan(self.scores)

    def folds_of(self, row: int) -> FloatArray | None:
        """Return the folds of one data set, (algorithms, replications, folds), without those that nobody has.

        None where an algorithm lacks folds that another has: they then cannot be laid side by side.
        """
        cube = self.errors[row]
        there = ~np.isnan(cube).all(axis=0)
        cube = cube[:, there.any(axis=1)][:, :, there.any(axis=0)]
        return None if np.isnan(cube).any() else cube
