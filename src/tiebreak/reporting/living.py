"""What the scripts of a report work with: orders at every trade, explanations, data and figures to download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from math import isclose, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.comparison import Comparison
from tiebreak.documents import Row, one_line
from tiebreak.documents.words import for_people, relative_cost
from tiebreak.ordering import Ordering, Segment, Valuation
from tiebreak.ordering.document import sure_line
from tiebreak.ordering.valuation import proportions
from tiebreak.papers import bibtex
from tiebreak.results.roles import METRIC
from tiebreak.stats.selection import certainty, ranked

if TYPE_CHECKING:
    from tiebreak._checks import FloatArray
    from tiebreak.reporting.result import Drawn, Report

MOST_EXPLAINED = 60
"""Of more algorithms the pairs among the first so many are explained in the page."""
STEPS = 24
"""Trades on the slider, beside the one in force."""


def living_data(report: Report) -> dict[str, Any]:
    """Return all that a page reads at once; names are as tables show them, plain text that the page never parses."""
    return {
        "title": report.name,
        "orders": [order_data(ordering) for ordering in orders_of(report)],
        "figures": [picture.name for picture in _in_page(report)],
        "bibtex": bibtex(report.papers()),
    }


def orders_of(report: Report) -> list[Ordering]:
    """Return the orders of the page, the leading one first."""
    parts = [part.result for part in report.by_importance if isinstance(part.result, Ordering)]
    return [*parts, *report.also]


def _in_page(report: Report) -> list[Drawn]:
    """Return the pictures as they follow each other on the page, where each gets the buttons that keep it."""
    return [picture for part in report.by_importance for picture in part.pictures]


def _answers(report: Report) -> list[Any]:
    return [*(part.result for part in report.parts), *report.also]


def order_data(ordering: Ordering) -> dict[str, Any]:
    """Return one order, and where it is by worth what moves it."""
    index = {name: i for i, name in enumerate(ordering.algorithms)}
    sequence = [index[name] for name in ordering.order]
    where = ordering.datasets[0] if ordering.over == "folds" else ""
    return {
        "score": ordering.score.name,
        "score_words": for_people(ordering.score.name, [ordering.score.name]),
        "cost": " and ".join(ordering.plan.costs) or ("the given order" if ordering.prior else "none"),
        "where": where,
        "rule": ordering.rule,
        "algorithms": list(map(one_line, ordering.algorithms)),
        "order": sequence,
        "explained": min(len(sequence), MOST_EXPLAINED),
        "trade": trade_data(ordering),
    }


def trade_data(ordering: Ordering) -> dict[str, Any] | None:
    """Return what the slider of the trade needs; None where no trade moves the order.

    `v = scores - trade * logs` orders the algorithms at any trade. Probability and regret of a step are computed here.
    """
    value = ordering.valuation
    if value is None or ordering.rule != "worth" or not ordering.frontier or not value.in_force > 0:
        return None
    weights, in_force = proportions(value.trades), value.in_force
    scores, logs = value.sample.mean_scores, weights @ value.sample.mean_logs
    steps = trade_steps(in_force, ordering.frontier)
    return {
        "scores": scores.tolist(),
        "logs": logs.tolist(),
        "chosen": steps.index(in_force),
        "factor": value.scale.factor if value.scale.kind != "other" else None,
        "frontier": [
            {
                "algorithm": one_line(part.algorithm),
                "from": part.low,
                "to": part.high if isfinite(part.high) else None,
                "score": part.score,
                "relative_cost": part.relative_cost,
                "range": _range(value, part.low, part.high),
                "shown": value.scale.value(part.score),
                "beside": _beside(part.relative_cost),
            }
            for part in ordering.frontier
        ],
        "grid": [_at_trade(ordering, value, trade, weights) for trade in steps],
    }


def _range(value: Valuation, low: float, high: float) -> str:
    """Say for which trades one is first."""
    best = float(value.sample.mean_scores.max())
    begins, ends = (value.scale.price_share(number, best) if isfinite(number) else "" for number in (low, high))
    if low <= 0:
        return f"up to {ends}" if ends else "at every trade"
    return f"{begins} to {ends}" if ends else f"beyond {begins}"


def _beside(ratio: float) -> str:
    shown = relative_cost(ratio)
    return "at full cost" if shown == "1" else f"at {shown} of the cost"


def trade_steps(in_force: float, segments: tuple[Segment, ...]) -> list[float]:
    """Return trades that reach a tenth of the one in force and every segment, with equal ratios, and that one.

    Examples
    --------
    >>> part = Segment(algorithm="a", low=0.5, high=float("inf"), score=1.0, relative_cost=1.0)
    >>> steps = trade_steps(0.1, (part,))
    >>> steps[0], round(steps[-1], 9), 0.1 in steps
    (0.01, 1.5, True)
    """
    low, high = min(in_force / 10, segments[0].high / 3), max(10 * in_force, 3 * segments[-1].low)
    steps = {*np.geomspace(low, high, STEPS).tolist(), *(part.middle for part in segments if part.middle > 0)}
    return sorted({step for step in steps if not isclose(step, in_force, rel_tol=1e-9)} | {in_force})


def _at_trade(ordering: Ordering, value: Valuation, trade: float, weights: FloatArray) -> dict[str, Any]:
    """Say who is first at a trade, and how sure that is."""
    values = value.sample.values(trade * weights)
    first = int(ranked(values, value.sample.mean_scores, value.sample.mean_logs, ordering.algorithms)[0])
    sure = certainty(value.sample.moments(trade * weights), first=first, seed=ordering.plan.seed)
    there = replace(value, sure=sure)
    return {
        "trade": trade,
        "label": _label(value, trade),
        "probability": there.probability,
        "regret": there.regret,
        "text": f"First: {one_line(ordering.algorithms[first])}. {sure_line(ordering, there)}".strip(),
    }


def _label(value: Valuation, trade: float) -> str:
    """Write a trade as what ten times the cost must buy."""
    scale, best = value.scale, float(value.sample.mean_scores.max())
    share = f" ({100 * trade / best:.2g}%)" if scale.has_points and scale.kind != "normalised" and best > 0 else ""
    return f"{scale.price(trade)}{share}"


def _explanations(ordering: Ordering) -> list[str]:
    """Explain the pairs among the first: first with second, with third, and so on."""
    names = ordering.order[:MOST_EXPLAINED]
    return [one_line(ordering.explain(a, b)) for k, a in enumerate(names) for b in names[k + 1 :]]


def heavy_data(report: Report) -> dict[str, Any]:
    """Return what is read only on demand: the table of scores and costs, figures as SVG and TikZ, explanations."""
    figures = [
        {"name": picture.name, "svg": picture.figure.to_svg(), "tikz": picture.in_paper()}
        for picture in _in_page(report)
    ]
    return {
        "csv": _csv(_table(_answers(report))),
        "figures": figures,
        "explanations": [_explanations(ordering) for ordering in orders_of(report)],
    }


def _table(answers: list[Any]) -> list[Row]:
    """Return scores and costs, one row per data set and algorithm, of everything that was compared.

    Where data sets have metrics of their own, each row names that of its data set: a score means nothing without it.
    """
    rows: dict[tuple[str, str], Row] = {}
    metrics = {dataset: metric for result in answers for dataset, metric in _metrics(result)}
    for answer in answers:
        for name, names, values in _columns(answer):
            for dataset, line in zip(answer.datasets, values.tolist(), strict=True):
                for algorithm, value in zip(names, line, strict=True):
                    row = rows.setdefault((dataset, algorithm), _keys(dataset, algorithm, metrics))
                    row.setdefault(name, value if isfinite(value) else None)
    return list(rows.values())


def _csv(rows: list[Row]) -> str:
    """Write rows as a spreadsheet reads them; a text that it would take for a formula is quoted."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)))
    harmless = [
        {
            name: f"'{item}" if str(item)[:1] in "=+-@\t\r" and isinstance(item, str) and item else item
            for name, item in row.items()
        }
        for row in rows
    ]
    writer.writeheader()
    writer.writerows(harmless)
    return text.getvalue()


def _keys(dataset: str, algorithm: str, metrics: dict[str, str]) -> Row:
    keys: Row = {"dataset": dataset, "algorithm": algorithm}
    return keys | {METRIC: metrics.get(dataset)} if metrics else keys


def _metrics(result: Any) -> Iterable[tuple[str, str]]:
    """Return the data sets of a comparison or an ordering with the metrics that a column of the table names."""
    if not isinstance(result, (Comparison, Ordering)):
        return ()
    named = result.dataset_metrics if isinstance(result, Comparison) else result.table.dataset_metrics
    return zip(result.datasets, named, strict=True) if named else ()


def _columns(result: Any) -> Iterable[tuple[str, tuple[str, ...], FloatArray]]:
    """Name the columns of a comparison or an ordering, with their algorithms; scores as they came stand first."""
    if isinstance(result, Comparison):
        if result.given is not None:
            yield result.given_name, result.algorithms, result.given
        yield result.score.name, result.algorithms, result.scores
    elif isinstance(result, Ordering):
        if result.table.given is not None:
            yield result.table.given_name, result.algorithms, result.table.given
        if result.table.measures is None:
            yield result.score.name, result.algorithms, result.table.scores
        for name, paid in zip(result.plan.costs, result.table.paid, strict=True):
            yield name, result.algorithms, paid
