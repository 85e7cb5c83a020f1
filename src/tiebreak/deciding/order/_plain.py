"""An ordering as plain data: the fields that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._brief import held
from tiebreak.caveats import codes_of
from tiebreak.deciding.order._item_words import plain_items, plain_pair
from tiebreak.deciding.order._sentences import sentences
from tiebreak.documents import finite

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering


def as_dict(found: Ordering) -> dict[str, Any]:
    """Return the ordering as plain data; its fields are a contract for other programs."""
    nodes, edges = found.graph()
    best = found.best()
    return {
        **plain_items(found),
        "order": list(found.order),
        "prior": list(found.prior),
        "ranks": {
            name: dict(zip(found.algorithms, _whole(row), strict=True))
            for name, row in zip(found.datasets, found.ranks, strict=True)
        },
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": _omnibus(found),
        "pairs": _pairs(found),
        "reasons": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in held(reason).items()}
            for reason in found.reasons
        ],
        "over": found.over,
        **_trade_fields(found),
        "verdicts": [held(each) for each in found.verdicts],
        "reversed": [list(pair) for pair in found.reversed],
        "best": {"algorithm": best.algorithm, "text": best.text},
        "may_be_best": list(found.may_be_best),
        "groups": [list(group) for group in found.groups],
        "costs": {name: dict(zip(found.algorithms, cost.tolist(), strict=True)) for name, cost in found.costs.items()},
        "graph": {"nodes": list(nodes), "edges": [held(edge) for edge in edges]},
        "by_group": {name: list(ordering.order) for name, ordering in found.by_group.items()},
        "method": _method(found),
        "conclusion": sentences(found),
        "data_papers": list(found.data_papers),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }


def _trade_fields(found: Ordering) -> dict[str, Any]:
    """What is unknown is null: an interval from too few data sets, the ratio of a zero, places not resampled."""
    trade, names, firm = found.trade, found.algorithms, found.firmness
    unit = found.units.get(found.plan.choice.names[0], "") if found.costs else ""
    one = found.table.measures is None
    return {
        "given_up": {
            name: {
                "score": finite(float(trade.given_up[i])),
                "low": finite(float(trade.low[i])),
                "high": finite(float(trade.high[i])),
            }
            for i, name in enumerate(names)
            if one
        },
        "cost": {
            name: {"value": finite(float(trade.paid[i])), "unit": unit, "ratio": finite(float(trade.ratio[i]))}
            for i, name in enumerate(names)
            if trade.paid is not None and trade.ratio is not None
        },
        "firmness": None
        if firm is None
        else dict(zip(firm.algorithms, np.diagonal(firm.places).tolist(), strict=True)),
    }


def _whole(row: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | int]:
    """Ranks without ties are whole numbers, and JSON should say 3 rather than 3.0."""
    return [int(value) if float(value).is_integer() else float(value) for value in row]


def _omnibus(found: Ordering) -> dict[str, Any]:
    """One data set has no omnibus test; its numbers stay, empty, and nothing is said to be rejected."""
    omnibus = found.omnibus
    if omnibus is None:
        what = "none: one data set, MultiTest" if found.over != "items" else "none: pairs of models on items, MultiTest"
        return {"method": what, "statistic": None, "pvalue": None, "df": None}
    return omnibus.to_dict() | {"rejected": found.rejected}


def _pairs(found: Ordering) -> list[dict[str, Any]]:
    """In `better` the row is the loser and the column the winner."""
    tests, names = found.tests, found.algorithms
    out = []
    columns = (tests.a, tests.b, tests.statistic, tests.pvalue, tests.adjusted)
    for at, (a, b, statistic, p, adjusted) in enumerate(zip(*columns, strict=True)):
        better = names[b] if found.better[a, b] else names[a] if found.better[b, a] else None
        out.append(
            {
                "a": names[a],
                "b": names[b],
                "statistic": finite(float(statistic)),
                "pvalue": float(p),
                "adjusted": float(adjusted),
                "better": better,
                **plain_pair(found, at),
            }
        )
    return out


def _method(found: Ordering) -> dict[str, Any]:
    plan = found.plan
    return {
        "inner": None if found.inner is None else found.inner.method,
        "over": plan.over,
        "margin": None if plan.margin is None else str(plan.margin),
        "undecided": plan.undecided,
        "family": plan.family,
        "omnibus": plan.omnibus,
        "posthoc": found.tests.method,
        "pairwise": plan.pairwise,
        "inner_adjust": plan.inner_adjust,
        "alpha": plan.alpha,
        "score": found.score.name,
        "higher_is_better": found.score.higher_is_better,
        "costs": list(plan.choice.names),
        "cost_kinds": dict(zip(plan.choice.names, found.table.kinds, strict=True)),
        "cost_rule": plan.choice.rule,
        "cost_weights": list(plan.choice.weights),
        "equal_within": plan.choice.equal_within,
        "ties": plan.choice.ties,
        "missing": plan.missing,
        "missing_costs": plan.missing_costs,
    }
