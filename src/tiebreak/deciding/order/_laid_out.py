"""From a table of results to what is ordered: gaps settled, folds laid out, costs checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.deciding.gaps import check_measured, filled_costs, settled, settled_costs, unpriced
from tiebreak.deciding.order._asked import VERB
from tiebreak.deciding.order._costs import check_costs, normalised
from tiebreak.deciding.order._dominance import place_metric
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.scales import scaled
from tiebreak.errors import InputError
from tiebreak.tables import Metric, Results
from tiebreak.tables.directions import Told
from tiebreak.tables.hosts import is_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What is done about gaps, and about scores on different scales."""

    missing: str
    missing_costs: str
    scale: str
    baseline: str | None
    over: str


def laid_out(
    results: Results, metrics: Sequence[Metric], told: Told, costs: tuple[str, ...], settling: Settling
) -> tuple[FoldTable, Metric]:
    """Settle the gaps of scores and costs, and lay out what is ordered; return it with the metric that is shown."""
    kept, notes = settled_costs(results, costs, policy=settling.missing_costs)
    notes = [*results.caveats, *notes]
    for metric in metrics:
        kept, more = settled(kept, metric.name, policy=settling.missing, verb=VERB)
        notes += more
    if len(kept.algorithms) < 2 or not kept.datasets:
        raise InputError(
            f"There are {len(kept.algorithms)} algorithm(s) on {len(kept.datasets)} data set(s) to order.",
            why="An order needs two algorithms and a data set.",
            mend="Add results, or choose another policy for gaps or for missing costs.",
        )
    shared = cost_fields(kept, costs, settling.missing_costs)
    means = _means(kept, metrics)
    shared |= {
        "paid_folds": tuple(kept.cube(name) for name in costs),
        "datasets": kept.datasets,
        "algorithms": kept.algorithms,
        "dataset_metrics": tuple(metric.name for metric in kept.dataset_metrics),
    }
    if len(metrics) > 1:
        return _of_several(kept, metrics, means, caveats=tuple(notes), **shared), place_metric(metrics)
    name = metrics[0].name
    found = scaled(kept, name, higher_is_better=told, scale=settling.scale, baseline=settling.baseline, scores=means)
    by_size = settling.over == "scores" and len(kept.datasets) > 1 and found.kind == "distances"
    notes += found.caveats if settling.over == "scores" else found.without_sizes().caveats
    table = FoldTable(
        errors=found.turned(kept.cube(name)),
        scores=found.shown,
        compared=_filled(found.errors),
        valued=_filled(-found.shown if found.metric.higher_is_better else found.shown),
        test=found.test,
        tested_on="distances from the median algorithm" if by_size else "",
        margin_unit="" if found.kind == "as they are" else found.unit_name,
        given=None if found.metric.name == name else readonly(means),
        given_name="" if found.metric.name == name else name,
        caveats=tuple(notes),
        **shared,
    )
    return table, found.metric


def _of_several(kept: Results, metrics: Sequence[Metric], means: FloatArray, **shared: Any) -> FoldTable:
    """Several scores are tested together inside the data sets; over them nothing but places is compared."""
    measures = np.stack([_turned(kept, each) for each in metrics], axis=-1)
    compared = _filled(-means if metrics[0].higher_is_better else means)
    return FoldTable(
        errors=measures[..., 0], measures=measures, scores=means, compared=compared, valued=compared, **shared
    )


def cost_fields(kept: Results, costs: tuple[str, ...], policy: str) -> dict[str, Any]:
    """Return what a table of folds or of items says of its costs, on each data set."""
    metrics, paid = [kept.metric(name) for name in costs], _paid(kept, costs, policy)
    return {
        "paid": paid,
        "costs": tuple(normalised(cost) for cost in paid),
        "units": tuple(metric.unit for metric in metrics),
        "cost_names": costs,
        "timed": tuple(map(is_time, metrics)),
        "kinds": tuple(metric.what for metric in metrics),
        "unpriced": unpriced(kept, costs, policy=policy),
    }


def _paid(kept: Results, costs: tuple[str, ...], policy: str) -> tuple[FloatArray, ...]:
    """Return the costs in their own units, complete and not negative."""
    paid = [kept.means(name, partial=True) for name in costs]
    if policy == "costliest":
        paid = [filled_costs(cost) for cost in paid]
    named = zip(costs, paid, strict=True)
    return tuple(check_costs(cost, name, kept.datasets, kept.algorithms) for name, cost in named)


def _turned(results: Results, metric: Metric) -> FloatArray:
    """Return the folds of one of several scores, turned so that lower is better."""
    cube = results.cube(metric.name)
    return -cube if metric.higher_is_better else cube


def _means(kept: Results, metrics: Sequence[Metric]) -> FloatArray:
    """Return the mean of the first score, NaN where any score is incomplete; refuse an algorithm without any."""
    means = kept.means(metrics[0].name)
    for metric in metrics[1:]:
        means = np.where(np.isnan(kept.means(metric.name)), np.nan, means)
    check_measured(means, kept.algorithms, metrics[0].name)
    return means


def _filled(errors: FloatArray) -> FloatArray:
    """Let a failed run count as the worst of its data set; lower is better. Where all failed, they are alike."""
    failed = np.isnan(errors)
    if not failed.any():
        return errors
    worst = np.where(failed, -np.inf, errors).max(axis=1, keepdims=True)
    return np.where(failed, np.where(np.isfinite(worst), worst, 0.0), errors)
