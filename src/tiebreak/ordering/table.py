"""What is ordered: the scores of folds or items, what is compared over data sets, and the costs of the same cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.gaps import (
    check_costs,
    check_measured,
    filled_costs,
    filled_scores,
    settled,
    settled_costs,
    unpriced,
)
from tiebreak.comparison.on_items import totals_of
from tiebreak.comparison.scales import scaled
from tiebreak.comparison.trade import scale_of
from tiebreak.documents import listed
from tiebreak.errors import InputError
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ItemTable, item_table
from tiebreak.results.metrics import Told
from tiebreak.results.roles import is_time
from tiebreak.wording import Brief

VERB = "order"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldTable(Brief):
    """What is ordered: fold errors (lower is better) and costs of the same cells.

    `errors` is (data sets, algorithms, replications, folds); with several scores they are `measures`, which has one
    more axis for them, and `errors` holds the first. `compared` is what a test over data sets reads, lower the better,
    with the worst of the data set where a run failed. `valued` likewise is what
    may be averaged over data sets, and `scores` the same as tables show it. `paid` are the costs in their `units`.
    `given` are the scores as they came, named `given_name`, where `scores` are others; `dataset_metrics` names the
    metric of each data set, where a column of the table does. In an order on items `items` holds these (data sets are
    benchmarks, and `errors` their means), or `totals` how many of how many each model passed. `unpriced` says whose
    first cost is known on no data set and counts as the largest; None where all are known. `basis` is the metric that
    tells the scale of the scores: the one of all data sets, where a column names it. `noise` are the standard errors of
    the log10 of each cost, from its folds; zero of what is no time, or was measured once.
    """

    errors: FloatArray
    scores: FloatArray
    compared: FloatArray
    valued: FloatArray
    paid: tuple[FloatArray, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: Caveats
    units: tuple[str, ...] = ()
    measures: FloatArray | None = None
    given: FloatArray | None = None
    given_name: str = ""
    dataset_metrics: tuple[str, ...] = ()
    items: ItemTable | None = None
    totals: tuple[FloatArray, FloatArray] | None = None
    unpriced: BoolArray | None = None
    basis: Metric | None = None
    noise: tuple[FloatArray, ...] = ()

    def part(self, rows: Any = slice(None), columns: Any = slice(None)) -> FoldTable:
        """Return the table of some of the data sets and some of the algorithms."""

        def cut(array: FloatArray | None) -> Any:
            return None if array is None else array[rows][:, columns]

        names = ("errors", "scores", "compared", "valued", "measures", "given")
        cells: dict[str, Any] = {name: cut(getattr(self, name)) for name in names}
        metrics = np.array(self.dataset_metrics, dtype=object)
        return replace(
            self,
            **cells,
            paid=tuple(map(cut, self.paid)),
            noise=tuple(map(cut, self.noise)),
            datasets=tuple(np.array(self.datasets, dtype=object)[rows]),
            dataset_metrics=tuple(metrics[rows]) if len(metrics) else (),
            algorithms=tuple(np.array(self.algorithms, dtype=object)[columns]),
            unpriced=None if self.unpriced is None else self.unpriced[columns],
        )

    @property
    def on_items(self) -> bool:
        """Whether items are ordered, or totals of them."""
        return self.items is not None or self.totals is not None

    @property
    def shares(self) -> tuple[FloatArray, ...]:
        """The costs of each data set as shares of the largest there; where all are zero they stay zero."""
        tops = [cost.max(axis=1, keepdims=True) for cost in self.paid]
        pairs = zip(self.paid, tops, strict=True)
        return tuple(np.divide(cost, top, out=np.zeros_like(cost), where=top > 0) for cost, top in pairs)

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


def table_of_folds(
    results: Results,
    metrics: Sequence[Metric],
    higher_is_better: Told,
    costs: tuple[str, ...],
    *,
    missing: str,
    missing_costs: str,
    scale: str,
    by_size: bool,
) -> tuple[FoldTable, Metric]:
    """Settle the gaps of scores and costs, and lay out what is ordered; return it with the metric that is shown.

    `by_size` says that tests over data sets read the sizes of differences.
    """
    remaining, notes = settled_costs(results, costs, policy=missing_costs)
    notes = [*results.caveats, *notes]
    for metric in metrics:
        remaining, more = settled(remaining, metric.name, policy=missing, verb=VERB)
        notes += more
    if not remaining.algorithms or not remaining.datasets:
        raise InputError(
            f"There are {len(remaining.algorithms)} algorithm(s) on {len(remaining.datasets)} data set(s) to order.",
            mend="Add results, or choose another policy for gaps or for missing costs.",
        )
    name, means = metrics[0].name, remaining.means(metrics[0].name)
    for metric in metrics[1:]:
        means = np.where(np.isnan(remaining.means(metric.name)), np.nan, means)
    shared = _shared_fields(remaining, costs, missing_costs, failed=np.isnan(means))
    if costs and np.isnan(means).any():
        notes.append(Caveat("gaps-costliest", f"A failed run has the largest {listed(costs)} of its data set."))
    shared["noise"] = tuple(_noise(remaining, cost) for cost in costs)
    shared["dataset_metrics"] = tuple(metric.name for metric in remaining.dataset_metrics)
    check_measured(means, remaining.algorithms, name)
    if len(metrics) > 1:  # tested together inside the data sets; over them nothing but places is compared
        cubes = [-remaining.cube(item.name) if item.higher_is_better else remaining.cube(item.name) for item in metrics]
        measures, compared = np.stack(cubes, axis=-1), filled_scores(-means if metrics[0].higher_is_better else means)
        cells: dict[str, Any] = {"errors": measures[..., 0], "scores": means, "compared": compared, "valued": compared}
        place = f"place in {listed([item.name for item in metrics])}"
        table = FoldTable(**cells, measures=measures, caveats=tuple(notes), **shared)
        return table, Metric(name=place, higher_is_better=False)
    comparable = scaled(remaining, name, higher_is_better=higher_is_better, scale=scale, scores=means)
    notes += comparable.caveats(by_size=by_size)
    shown, metric = comparable.shown, comparable.metric
    bases, basis, higher = (
        {item.key: item for item in remaining.metrics_on(name)},
        metric,
        bool(comparable.higher.all()),
    )
    if len(bases) == 1 and scale in ("auto", "as-is"):
        one = replace(next(iter(bases.values())), higher_is_better=higher)
        logarithmic = scale_of(one, filled_scores(comparable.turned(means))).logarithmic
        if logarithmic:  # ratios can be averaged whatever the units
            shown, metric = means, replace(remaining.metric(name), higher_is_better=higher)
        basis = one if metric.name == name else metric
    other = metric.name != name
    table = FoldTable(
        errors=comparable.turned(remaining.cube(name)),
        scores=shown,
        compared=filled_scores(comparable.errors),
        valued=filled_scores(-shown if metric.higher_is_better else shown),
        given=readonly(means) if other else None,
        given_name=name if other else "",
        basis=basis,
        caveats=tuple(notes),
        **shared,
    )
    return table, metric


def table_of_items(results: Results, metric: Metric, costs: tuple[str, ...], missing_costs: str) -> FoldTable:
    """Lay out a table of items, or of totals, and its costs."""
    remaining, notes = settled_costs(results, costs, policy=missing_costs)
    items = item_table(remaining, metric.name) if remaining.unit == ITEM else None
    totals = None if items is not None else totals_of(remaining, metric)
    means = items.means() if items is not None else np.asarray(totals[0] / totals[1])[None] if totals else None
    assert means is not None
    errors = -means if metric.higher_is_better else means
    return FoldTable(
        errors=errors[:, :, None, None],
        scores=means,
        compared=errors,
        valued=errors,
        caveats=(*results.caveats, *notes, *(items.caveats if items is not None else ())),
        items=items,
        totals=totals,
        **_shared_fields(remaining, costs, missing_costs),
    )


def _shared_fields(
    results: Results, costs: tuple[str, ...], policy: str, *, failed: BoolArray | None = None
) -> dict[str, Any]:
    """Return what a table of folds or of items says of its cells and its costs; failed runs have the largest."""
    paid = [results.means(name, partial=True) for name in costs]
    if failed is not None:
        paid = [np.where(failed, np.fmax.reduce(cost, axis=1, keepdims=True), cost) for cost in paid]
    if policy == "costliest":
        paid = [filled_costs(cost) for cost in paid]
    for name, cost in zip(costs, paid, strict=True):
        check_costs(cost, name, results.datasets, results.algorithms)
    return {
        "paid": tuple(paid),
        # the costs that the papers print are shares of the largest of each data set, not seconds
        "units": tuple("" if "ulas2012" in results.data_papers else results.metric(name).unit for name in costs),
        "unpriced": unpriced(results, costs, policy=policy),
        "datasets": results.datasets,
        "algorithms": results.algorithms,
    }


def _noise(results: Results, name: str) -> FloatArray:
    """Return the standard errors of the log10 of a time, (data sets, algorithms), as its folds show them."""
    shape = len(results.datasets), len(results.algorithms)
    if not is_time(results.metric(name)):
        return np.zeros(shape)
    cells = results.cube(name).reshape(*shape, -1)
    there = ~np.isnan(cells)
    count = there.sum(axis=-1)
    mean = np.divide(np.nansum(cells, axis=-1), count, out=np.ones(shape), where=count > 0)
    squares = np.where(there, (cells - mean[..., None]) ** 2, 0.0).sum(axis=-1)
    known = (count > 1) & (mean > 0)
    variance = np.divide(squares, count * (count - 1), out=np.zeros(shape), where=known)
    return np.asarray(np.divide(np.sqrt(variance), mean * np.log(10), out=np.zeros(shape), where=known))


def prior_places(costs: FloatArray, errors: FloatArray, names: Sequence[str]) -> tuple[IntArray, int]:
    """Place algorithms by cost in each row, 0 the cheapest; ties by the lower error, then by name.

    Return the places and how many rows have ties.
    """
    cost, error = np.round(costs, 13), np.round(errors, 12)
    alphabet = np.broadcast_to(np.argsort(np.argsort(np.array(names, dtype=object))), cost.shape)
    order = np.lexsort([alphabet, np.broadcast_to(error, cost.shape), cost], axis=-1)
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(np.arange(len(names)), order.shape), axis=-1)
    ordered = np.take_along_axis(cost, order, axis=-1)
    return readonly(places), int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())
