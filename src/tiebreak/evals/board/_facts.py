"""What a board needs to know of an order, whether it is one of scores, of items or of votes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import codes_of
from tiebreak.comparison.item_shares import share_intervals
from tiebreak.documents.parts import SAVES, Point
from tiebreak.evals.battles import ELO, ELO_ANCHOR, Battles
from tiebreak.figures import Figure, figure_of
from tiebreak.ordering import Ordering

if TYPE_CHECKING:
    from tiebreak.comparison.score_scale import ScoreScale

Found = Ordering | Battles
"""What can be put on a board."""
UNKEPT = {"weak-correction"}
"""Codes of caveats by which the tests do not keep the chance of any false difference at alpha."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Facts(Brief):
    """What a board shows, in arrays over `names`; what is not known is NaN.

    `better[i, j]` says that j is significantly better than i. `loss` is by how much each scores worse than the
    `best`-scoring one; `scale` writes it, None for points of Elo. `kept` says whether the tests keep the chance of any
    false difference at alpha, `front` whom nobody beats in both score and cost; `ratio` is the cost beside that of the
    best-scoring one, `worth` how far each lies behind the first in worth, `several` that there are several data sets.
    """

    names: tuple[str, ...]
    noun: str
    better: BoolArray
    score: str
    scale: ScoreScale | None
    higher_is_better: bool
    over: str
    alpha: float
    kept: bool
    best: int
    values: FloatArray
    low: FloatArray
    high: FloatArray
    loss: FloatArray
    loss_low: FloatArray
    loss_high: FloatArray
    cost: str
    unit: str
    paid: FloatArray
    ratio: FloatArray
    worth: FloatArray
    front: BoolArray
    several: bool
    points: tuple[Point, ...]
    figures: tuple[tuple[str, Figure], ...]


def facts_of(found: Found) -> Facts:
    """Gather what a board shows of an order."""
    return _of_order(found) if isinstance(found, Ordering) else _of_votes(found)


def _of_order(ordering: Ordering) -> Facts:
    value, count = ordering.valuation, len(ordering.algorithms)
    unknown = np.full(count, np.nan)
    tested = ordering.item_tests
    shares = None if tested is None else share_intervals(ordering.table.items, tested)
    ends = np.full((count, 2), np.nan) if shares is None else shares
    front, figures = _plane(ordering)
    lead = 0 if value is None else value.lead
    name = ordering.plan.costs[lead] if ordering.costs else ""
    paid, ratio = unknown, unknown
    if value is not None and name:
        hidden = ordering.table.unpriced
        shown = np.ones(count, dtype=bool) if hidden is None else ~hidden
        paid, ratio = (np.where(shown, part[lead], np.nan) for part in (value.paid, value.relative))
    return Facts(
        names=ordering.algorithms,
        noun="algorithm" if tested is None else "model",
        better=ordering.better,
        score=ordering.score.name,
        scale=None if value is None else value.scale,
        higher_is_better=bool(ordering.score.higher_is_better),
        over=ordering.over,
        alpha=ordering.plan.alpha,
        kept=not UNKEPT & set(codes_of(ordering.caveats)),
        best=0 if value is None else value.losses.best,
        values=np.nanmean(ordering.scores, axis=0) if value is None else value.scores,
        low=ends[:, 0],
        high=ends[:, 1],
        loss=unknown if value is None else value.losses.value,
        loss_low=unknown if value is None else _finite(value.losses.low),
        loss_high=unknown if value is None else _finite(value.losses.high),
        cost=name,
        unit=ordering.units.get(name, ""),
        paid=paid,
        ratio=ratio,
        worth=unknown if value is None or ordering.rule != "worth" or not name else value.values - value.values.max(),
        front=front,
        several=len(ordering.datasets) > 1,
        points=tuple(point for point in ordering.document().points if ordering.costs or point.label != SAVES),
        figures=figures,
    )


def _finite(ends: FloatArray) -> FloatArray:
    return np.where(np.isfinite(ends), ends, np.nan)


def _plane(ordering: Ordering) -> tuple[BoolArray, tuple[tuple[str, Figure], ...]]:
    """Draw score against cost, and say who is on the Pareto front; nothing without a cost."""
    value = ordering.valuation
    if value is None or not ordering.frontier:
        return np.zeros(len(ordering.algorithms), dtype=bool), ()
    front = _front(value.sample.mean_scores, value.combined)
    return front, (("Score against cost", replace(figure_of(ordering, "frontier"), caveats=())),)


def _of_votes(found: Battles) -> Facts:
    value, count = found.valuation, len(found.algorithms)
    unknown, ends = np.full(count, np.nan), found.intervals
    elo, low, high = found.elo, *(ELO_ANCHOR + ELO * ends[:, side] for side in (0, 1))
    best = found.index(found.by_strength[0])
    paid = unknown if found.prices is None else np.asarray(found.prices, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = _finite(paid / paid[best])
    return Facts(
        names=found.algorithms,
        noun="model",
        better=found.better,
        score="Elo",
        scale=None if value is None else value.scale,
        higher_is_better=True,
        over="votes",
        alpha=found.plan.alpha,
        kept=not UNKEPT & set(codes_of(found.caveats)),
        best=best,
        values=elo,
        low=low,
        high=high,
        loss=elo[best] - elo if value is None else value.losses.value,
        loss_low=unknown if value is None else _finite(value.losses.low),
        loss_high=unknown if value is None else _finite(value.losses.high),
        cost=found.plan.cost or "",
        unit=found.price_unit,
        paid=paid,
        ratio=ratio,
        worth=unknown if value is None else value.values - value.values.max(),
        front=_front(elo, paid),
        several=False,
        points=found.document().points,
        figures=(("Strengths", figure_of(found, "strengths")),),
    )


def _front(values: FloatArray, paid: FloatArray) -> BoolArray:
    """Mark those with a price whom no other equals in both and beats in one."""
    known = np.isfinite(paid)
    at_least = (values[None, :] >= values[:, None]) & (paid[None, :] <= paid[:, None])
    more = (values[None, :] > values[:, None]) | (paid[None, :] < paid[:, None])
    beaten = np.asarray((at_least & more).any(axis=1))
    return known & ~beaten


def explanations_of(found: Found, first: int | None = None) -> tuple[str, ...]:
    """Explain every pair, or those among the first, by places, in the words of the order or of battles."""
    names = found.order[:first]
    return tuple(found.explain(a, b) for k, a in enumerate(names) for b in names[k + 1 :])


def reasons_of(found: Found) -> dict[str, tuple[str, str]]:
    """Return for each name by what it has its place, and why; of votes without prices there is nothing to say."""
    return {each.algorithm: (each.by, each.text) for each in found.reasons}


def asked_of(found: Found, facts: Facts) -> dict[str, Any]:
    """Return what was asked: builds that were asked otherwise cannot be compared."""
    trades = found.plan.trades if isinstance(found, Ordering) else ()
    return {
        "score": facts.score,
        "higher_is_better": facts.higher_is_better,
        "cost": facts.cost or None,
        "over": facts.over,
        "alpha": facts.alpha,
        "rule": found.rule if isinstance(found, Ordering) else "votes",
        "trades": [str(trade) for trade in trades],
    }
