"""Battles as plain data: the fields that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tiebreak._brief import held
from tiebreak.caveats import codes_of
from tiebreak.documents.words import finite, finite_rows
from tiebreak.evals.battles._document import sentences

if TYPE_CHECKING:
    from tiebreak.evals.battles._result import Battles


def as_dict(found: Battles) -> dict[str, Any]:
    """Return the result as plain data; its fields are a contract for other programs."""
    return {
        "order": list(found.order),
        "by_strength": list(found.by_strength),
        "may_be_best": list(found.may_be_best),
        "prior": list(found.prior),
        "headline": found.headline(),
        **_worth(found),
        "algorithms": finite_rows(found.rows()),
        "pairs": _pairs(found),
        "groups": [list(group) for group in found.groups],
        "reasons": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in held(reason).items()}
            for reason in found.reasons
        ],
        "cost": _costs(found),
        "tie": {"model": found.fitted, "parameter": finite(found.tie), "error": finite(found.tie_error)},
        "votes": found.n_votes,
        "clusters": dict(found.clusters),
        "loglik": found.loglik,
        "method": {
            **held(found.plan),
            "cluster": list(found.plan.cluster),
            "fixed": list(found.plan.fixed),
            "test": found.tests.method,
        },
        "conclusion": sentences(found),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }


def _costs(found: Battles) -> dict[str, Any]:
    if found.prices is None:
        return {}
    best = float(found.prices[found.index(found.by_strength[0])])
    return {
        name: {"value": float(price), "unit": found.price_unit, "ratio": finite(float(price) / best) if best else None}
        for name, price in zip(found.algorithms, found.prices, strict=True)
    }


def _pairs(found: Battles) -> list[dict[str, Any]]:
    """In `better` the row is the loser and the column the winner; `difference` is how much a is stronger than b."""
    tests, names, chance = found.tests, found.algorithms, found.win_probabilities
    out = []
    for a, b, t, p, adjusted in zip(tests.a, tests.b, tests.statistic, tests.pvalue, tests.adjusted, strict=True):
        shift, low, high = found.difference(int(a), int(b))
        out.append(
            {
                "a": names[a],
                "b": names[b],
                "difference": shift,
                "low": finite(low),
                "high": finite(high),
                "preferred": float(chance[a, b]),
                "a_wins": int(found.wins[a, b]),
                "ties": int(found.ties[a, b]),
                "b_wins": int(found.wins[b, a]),
                "statistic": finite(float(t)),
                "df": float(found.df[a, b]),
                "pvalue": float(p),
                "adjusted": float(adjusted),
                "better": names[b] if found.better[a, b] else names[a] if found.better[b, a] else None,
            }
        )
    return out


def _worth(found: Battles) -> dict[str, Any]:
    """Return the trade, the frontier and how sure the first place is; empty where the order is not by worth."""
    value = found.valuation
    if value is None:
        return {}
    return {
        "trade": float(value.trades[0]),
        "frontier": finite_rows([row for part in value.frontier for row in part.rows()]),
        "probability": value.probability,
        "regret": value.regret,
        "other_rules": dict(found.other_rules),
    }
