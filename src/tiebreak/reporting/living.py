"""What the scripts of a report work with: decisions at every setting, rates of exchange, data and figures to keep."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.advisor.rankings import accd_sentence, floor_times
from tiebreak.deciding.compare import Comparison
from tiebreak.deciding.order import Ordering, decisions_at_settings
from tiebreak.documents import Row, amount, number, one_line
from tiebreak.papers import bibtex
from tiebreak.tables.metric_column import METRIC

if TYPE_CHECKING:
    from tiebreak._checks import FloatArray
    from tiebreak.reporting._parts import Drawn
    from tiebreak.reporting._report import Report

ACCDS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5)
"""Shares of accuracy for ten times the speed that a page offers."""
USUAL_ACCD = 0.01


def living_data(report: Report) -> dict[str, Any]:
    """Return all that a page reads at once; names are as tables show them, plain text that the page never parses."""
    orders = [found for part in report.parts if isinstance(found := part.result, Ordering)]
    return {
        "title": report.name,
        "names": sorted({one_line(name) for found in _answers(report) for name in getattr(found, "algorithms", ())}),
        "orders": told_once([ordered(found) for found in (*orders, *report.also)]),
        "figures": [picture.name for picture in _in_page(report)],
        "bibtex": bibtex(report.papers()),
    }


OF_ORDERS, OF_MODELS = ("differences",), ("better", "toward", "own", "own_p", "p", "adjusted", "good")
"""What is long, and the same in orders that differ by their cost alone."""


def told_once(orders: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the orders with what an earlier one has too told by its number: that makes a large page half as large.

    Examples
    --------
    >>> first, second = ({"differences": ["<0.1"], "models": [{"p": ["0.2"]}], "cost": cost} for cost in "ab")
    >>> told_once([first, second])[1]
    {'differences': 0, 'models': [{'p': 0}], 'cost': 'b'}
    """
    out = []
    for k, each in enumerate(orders):
        models = [
            model | _told(model, OF_MODELS, [_model(other, m) for other in orders[:k]])
            for m, model in enumerate(each["models"])
        ]
        out.append(each | _told(each, OF_ORDERS, orders[:k]) | {"models": models})
    return out


def _told(mine: dict[str, Any], keys: Iterable[str], earlier: list[dict[str, Any]]) -> dict[str, Any]:
    """Return of each long part which of the earlier ones has the same, or the part itself."""
    return {
        key: next((k for k, each in enumerate(earlier) if each.get(key) == mine[key]), mine[key])
        for key in keys
        if key in mine
    }


def _model(order: dict[str, Any], m: int) -> dict[str, Any]:
    found: dict[str, Any] = order["models"][m] if m < len(order["models"]) else {}
    return found


def _in_page(report: Report) -> list[Drawn]:
    """Return the pictures as they follow each other on the page, where each gets the buttons that keep it."""
    return [picture for part in report.by_importance for picture in part.pictures]


def _answers(report: Report) -> list[Any]:
    return [*(part.result for part in report.parts), *report.also]


def ordered(found: Ordering) -> dict[str, Any]:
    """Return one order that the page can move: its decisions, its costs and its rate of exchange."""
    rate = exchange(found)
    return {
        "cost": " and ".join(found.costs) or "the given order",
        "where": found.datasets[0] if found.over == "folds" else "by places" if found.over == "places" else "",
        "cells": _cells(found),
        "exchange": rate,
        "unrated": "" if rate else no_exchange(found),
        "trading": _trading(found),
        **decisions_at_settings(found),
        "algorithms": list(map(one_line, found.algorithms)),
    }


def _cells(found: Ordering) -> dict[str, list[str]]:
    """Return the numbers that stand beside a name wherever it is placed, in the order of the algorithms."""
    if found.table.measures is not None:
        return {}
    with np.errstate(invalid="ignore"):
        means = np.nanmean(found.scores, axis=0)
    cells = {f"mean {found.score.name}": [number(float(mean)) for mean in means]}
    cells["given up"] = [number(float(lost), 2) for lost in found.trade.given_up]
    if found.trade.paid is not None:
        name = found.plan.choice.names[0]
        unit = f", {found.units[name]}" if found.units.get(name) else ""
        cells[f"{name}{unit}"] = [amount(float(paid)) for paid in found.trade.paid]
    return cells


def exchange(found: Ordering) -> dict[str, Any] | None:
    """Return what A3R ranks by (`tiebreak.advisor.rankings.rank_by_a3r`), as means of logarithms over data sets.

    The ratio of p to q, exp(R_p - R_q) / exp(L_p - L_q)^P with R and L the means of the logarithms of success rates and
    of costs, needs no more. None where scores are no success rates, or nothing is paid.
    """
    rates = success_of(found)
    if rates is None or not found.table.paid or not (found.table.paid[0] > 0).any():
        return None
    costs = floor_times(found.table.paid[0])[0]
    names, cost = found.algorithms, found.plan.choice.names[0]
    alphabetical = sorted(names)
    return {
        "names": list(map(one_line, names)),
        "byName": [alphabetical.index(name) for name in names],
        "rates": np.log(rates).mean(axis=0).tolist(),
        "logs": np.log(costs).mean(axis=0).tolist(),
        "success": rates.mean(axis=0).tolist(),
        "over": _over(found),
        "accds": list(ACCDS),
        "accd": ACCDS.index(USUAL_ACCD),
        "sentences": [_sentence(accd, found.score.name, cost, timed=found.table.timed[0]) for accd in ACCDS],
    }


def _over(found: Ordering) -> str:
    if found.table.tested is not None:
        return "on the items"
    return "over the data sets" if len(found.datasets) > 1 else "on this data set"


def _trading(found: Ordering) -> str:
    """Call the rate of exchange by what is bought with it."""
    timed = not found.table.paid or found.table.timed[0]
    return "How much for ten times the speed" if timed else f"How much for a tenth of the {found.plan.choice.names[0]}"


def no_exchange(found: Ordering) -> str:
    """Say why a page offers no rate of exchange."""
    name = found.score.name
    if not found.table.paid:
        return "Not offered: an order was given, and no costs that could be traded."
    if success_of(found) is not None:
        return f"Not offered: {found.plan.choice.names[0]} is 0 everywhere."
    if found.table.measures is not None:
        return "Not offered: several scores were compared together, and it trades one."
    return (
        f"Not offered: it divides success rates, which are above 0 and the same on every data set, and {name} is not"
        " one. The margin trades it for cost."
    )


def _sentence(accd: float, score: str, cost: str, *, timed: bool) -> str:
    """Say what a rate of exchange means, for times as the advisor says it."""
    if timed:
        return accd_sentence(accd)
    return (
        f"I give up {100 * accd:.6g} % of {score} for a tenth of the {cost}"
        if accd
        else f"I give up no {score} for a lower {cost}"
    )


def success_of(found: Ordering) -> FloatArray | None:
    """Return scores as success rates: as they are, or 1 - error; None on other scales, or where one is not above 0."""
    if found.table.measures is not None or found.table.margin_unit or found.table.test == "sign":
        return None
    scores = found.table.scores
    rates = scores if found.score.higher_is_better else 1.0 - scores
    return rates if bool((rates > 0).all()) and bool((scores >= 0).all()) else None


def heavy_data(report: Report) -> dict[str, Any]:
    """Return what is only read for a download: the table of scores and costs, figures as SVG and TikZ."""
    figures = [
        {"name": picture.name, "svg": picture.figure.to_svg(), "tikz": picture.in_paper()}
        for picture in _in_page(report)
    ]
    return {"table": _table(_answers(report)), "figures": figures}


def _table(answers: list[Any]) -> list[Row]:
    """Return scores and costs, one row per data set and algorithm, of everything that was compared.

    Where data sets have metrics of their own, each row names that of its data set: a score means nothing without it.
    """
    rows: dict[tuple[str, str], Row] = {}
    metrics = {dataset: metric for found in answers for dataset, metric in _metrics(found)}
    for found in answers:
        for name, names, values in _columns(found):
            for dataset, line in zip(found.datasets, values.tolist(), strict=True):
                for algorithm, value in zip(names, line, strict=True):
                    row = rows.setdefault((dataset, algorithm), _keys(dataset, algorithm, metrics))
                    row.setdefault(name, value if isfinite(value) else None)
    return list(rows.values())


def _keys(dataset: str, algorithm: str, metrics: dict[str, str]) -> Row:
    keys: Row = {"dataset": dataset, "algorithm": algorithm}
    return keys | {METRIC: metrics.get(dataset)} if metrics else keys


def _metrics(found: Any) -> Iterable[tuple[str, str]]:
    """Return the data sets of a comparison or an ordering with the metrics that a column of the table names."""
    if not isinstance(found, (Comparison, Ordering)):
        return ()
    named = found.dataset_metrics if isinstance(found, Comparison) else found.table.dataset_metrics
    return zip(found.datasets, named, strict=True) if named else ()


def _columns(found: Any) -> Iterable[tuple[str, tuple[str, ...], FloatArray]]:
    """Name the columns of a comparison or an ordering, with their algorithms; scores as they came stand first."""
    if isinstance(found, Comparison):
        if found.given is not None:
            yield found.given_name, found.algorithms, found.given
        yield found.score.name, found.algorithms, found.scores
    elif isinstance(found, Ordering):
        if found.table.given is not None:
            yield found.table.given_name, found.algorithms, found.table.given
        if found.table.measures is None:
            yield found.score.name, found.algorithms, found.table.scores
        for name, paid in zip(found.plan.choice.names, found.table.paid, strict=True):
            yield name, found.algorithms, paid
