"""From a table of results to what is ordered: gaps settled, folds laid out, costs checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.deciding.gaps import check_measured, filled_costs, settled, settled_costs
from tiebreak.deciding.order._asked import VERB
from tiebreak.deciding.order._costs import CostChoice, check_costs, normalised
from tiebreak.deciding.order._table import FoldTable
from tiebreak.errors import InputError
from tiebreak.tables import Metric, Results


def laid_out(
    results: Results, metrics: Sequence[Metric], missing: str, missing_costs: str, choice: CostChoice
) -> FoldTable:
    """Settle the gaps of scores and costs, and lay out what is ordered."""
    kept, notes = settled_costs(results, choice.names, policy=missing_costs)
    notes = [*results.caveats, *notes]
    for metric in metrics:
        kept, more = settled(kept, metric.name, policy=missing, verb=VERB)
        notes += more
    if len(kept.algorithms) < 2 or not kept.datasets:
        raise InputError(
            f"There are {len(kept.algorithms)} algorithm(s) on {len(kept.datasets)} data set(s) to order.",
            why="An order needs two algorithms and a data set.",
            mend="Add results, or choose another policy for gaps or for missing costs.",
        )
    means = _means(kept, metrics)
    turned = [-kept.cube(each.name) if each.higher_is_better else kept.cube(each.name) for each in metrics]
    costs = [kept.means(name, partial=True) for name in choice.names]
    if missing_costs == "costliest":
        costs = [filled_costs(cost) for cost in costs]
    paid = tuple(
        check_costs(cost, name, kept.datasets, kept.algorithms) for name, cost in zip(choice.names, costs, strict=True)
    )
    return FoldTable(
        errors=turned[0],
        measures=np.stack(turned, axis=-1) if len(turned) > 1 else None,
        scores=means,
        compared=_compared(means, metrics[0]),
        paid=paid,
        costs=tuple(normalised(cost) for cost in paid),
        units=tuple(kept.metric(name).unit for name in choice.names),
        datasets=kept.datasets,
        algorithms=kept.algorithms,
        caveats=tuple(notes),
    )


def _means(kept: Results, metrics: Sequence[Metric]) -> FloatArray:
    """Return the mean of the first score, NaN where any score is incomplete; refuse an algorithm without any."""
    means = kept.means(metrics[0].name)
    for metric in metrics[1:]:
        means = np.where(np.isnan(kept.means(metric.name)), np.nan, means)
    check_measured(means, kept.algorithms, metrics[0].name)
    return means


def _compared(means: FloatArray, metric: Metric) -> FloatArray:
    """Turn means so that lower is better; a failed run counts as the worst score of its data set."""
    errors = -means if metric.higher_is_better else means
    failed = np.isnan(errors)
    if not failed.any():
        return errors
    return np.where(failed, np.where(failed, -np.inf, errors).max(axis=1, keepdims=True), errors)
