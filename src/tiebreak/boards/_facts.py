"""What a board needs to know of an order, whether it is one of scores, of items or of votes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import codes_of
from tiebreak.deciding.battles import ELO, ELO_ANCHOR, Battles
from tiebreak.deciding.item_shares import share_intervals
from tiebreak.deciding.order import OWN, Ordering, known_costs, log_costs, mean_log_ratio
from tiebreak.documents import SAVES, Point
from tiebreak.figures import Figure, figure_of, trade_plane

Found = Ordering | Battles
"""What can be put on a board."""
UNKEPT = {"false-discovery", "not-corrected", "weak-correction"}
"""Codes of caveats by which the tests do not keep the chance of any false difference at alpha."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Facts(Brief):
    """What a board shows, in arrays over `names`; what is not known is NaN.

    `better`, `shown` and `good` are those of a standing; `by_own` says that for `shown` the comparisons of each were
    counted, not all pairs. `given_up` is by how much each scores worse than the `best`-scoring
    one. `kept` says whether the tests keep the chance of any false difference at alpha, `front` whom nobody beats in
    both score and cost, `priced` is the best-scoring one whose cost is known, to which `ratio` is, `firm` how often
    each keeps its place when data sets are drawn again, `several` that there are several data sets.
    """

    names: tuple[str, ...]
    noun: str
    better: BoolArray
    shown: BoolArray
    by_own: bool
    good: BoolArray | None
    score: str
    higher_is_better: bool
    over: str
    alpha: float
    kept: bool
    best: int
    values: FloatArray
    low: FloatArray
    high: FloatArray
    given_up: FloatArray
    given_up_low: FloatArray
    given_up_high: FloatArray
    cost: str
    unit: str
    paid: FloatArray
    ratio: FloatArray
    priced: int
    front: BoolArray
    firm: FloatArray
    several: bool
    points: tuple[Point, ...]
    figures: tuple[tuple[str, Figure], ...]

    @property
    def may(self) -> BoolArray:
        """Who may be the best: nobody is shown to be better."""
        may: BoolArray = np.logical_not(self.shown.any(axis=1))
        return may


def facts_of(found: Found) -> Facts:
    """Gather what a board shows of an order."""
    return _of_order(found) if isinstance(found, Ordering) else _of_votes(found)


def _of_order(found: Ordering) -> Facts:
    trade, count = found.trade, len(found.algorithms)
    unknown = np.full(count, np.nan)
    tested = found.table.tested
    shares = None if tested is None else share_intervals(found.table.items, tested)
    ends = np.full((count, 2), np.nan) if shares is None else shares
    priced, ratio = _ratio(found)
    front, figures = _plane(found)
    one = found.table.measures is None
    name = found.plan.choice.names[0] if found.costs else ""
    return Facts(
        names=found.algorithms,
        noun="algorithm" if tested is None else "model",
        better=found.better,
        shown=found.standing.shown,
        by_own=found.plan.family == OWN and len(found.algorithms) > 2,
        good=found.standing.good,
        score=found.score.name,
        higher_is_better=bool(found.score.higher_is_better),
        over=found.over,
        alpha=found.plan.alpha,
        kept=not UNKEPT & set(codes_of(found.caveats)),
        best=trade.best,
        values=np.nanmean(found.scores, axis=0),
        low=ends[:, 0],
        high=ends[:, 1],
        given_up=trade.given_up if one else unknown,
        given_up_low=_finite(trade.low) if one else unknown,
        given_up_high=_finite(trade.high) if one else unknown,
        cost=name,
        unit=found.units.get(name, ""),
        paid=unknown if trade.paid is None else trade.paid,
        ratio=ratio,
        priced=priced,
        front=front,
        firm=_firm(found),
        several=len(found.datasets) > 1,
        points=tuple(point for point in found.document().points if found.costs or point.label != SAVES),
        figures=figures,
    )


def _firm(found: Ordering) -> FloatArray:
    firm, out = found.firmness, np.full(len(found.algorithms), np.nan)
    if firm is not None:
        shares = dict(zip(firm.algorithms, np.diagonal(firm.places).tolist(), strict=True))
        out[:] = [shares.get(name, np.nan) for name in found.algorithms]
    return out


def _ratio(found: Ordering) -> tuple[int, FloatArray]:
    """Return the ratio of costs to that of the best-scoring one, or of the best one whose cost is known."""
    trade = found.trade
    if trade.paid is None or trade.ratio is None:
        return trade.best, np.full(len(found.algorithms), np.nan)
    known = np.isfinite(trade.paid)
    if known[trade.best] or not known.any():
        return trade.best, trade.ratio
    means = np.where(known, found.table.valued.mean(axis=0), np.inf)
    best = int(np.argmin(means))
    logs = log_costs(known_costs(found.table))
    return best, np.exp([mean_log_ratio(logs, i, best) for i in range(len(known))])


def _finite(ends: FloatArray) -> FloatArray:
    return np.where(np.isfinite(ends), ends, np.nan)


def _plane(found: Ordering) -> tuple[BoolArray, tuple[tuple[str, Figure], ...]]:
    """Draw what is saved against what is given up, and say who is on its front; nothing without a known cost."""
    none, trade = np.zeros(len(found.algorithms), dtype=bool), found.trade
    if trade.paid is None or trade.ratio is None or found.table.measures is not None:
        return none, ()
    if int(np.isfinite(trade.ratio).sum()) < 2:  # the cost of the best one is not known, or is 0
        return _front(-trade.given_up, trade.paid), ()
    plane = trade_plane(found)
    on = {each.algorithm for each, front in zip(plane.traded, plane.front, strict=True) if front}
    front = np.array([name in on for name in found.algorithms])
    return front, ((f"Score given up and {plane.cost_name} saved", replace(plane, caveats=())),)


def _of_votes(found: Battles) -> Facts:
    count = len(found.algorithms)
    unknown, ends = np.full(count, np.nan), found.intervals
    elo, low, high = found.elo, *(ELO_ANCHOR + ELO * ends[:, side] for side in (0, 1))
    best = found.index(found.by_strength[0])
    paid = unknown if found.prices is None else np.asarray(found.prices, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = _finite(paid / paid[best])
    standing = found.standing
    return Facts(
        names=found.algorithms,
        noun="model",
        better=found.better,
        shown=found.shown,
        by_own=found.plan.family == OWN and count > 2,
        good=None if standing is None else standing.good,
        score="Elo",
        higher_is_better=True,
        over="votes",
        alpha=found.plan.alpha,
        kept=not UNKEPT & set(codes_of(found.caveats)),
        best=best,
        values=elo,
        low=low,
        high=high,
        given_up=elo[best] - elo,
        given_up_low=unknown,
        given_up_high=unknown,
        cost=found.plan.cost or "",
        unit=found.price_unit,
        paid=paid,
        ratio=ratio,
        priced=best,
        front=_front(elo, paid),
        firm=unknown,
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
    if isinstance(found, Ordering):
        return found.explanations(first)
    names = found.order[:first]
    return tuple(found.explain(a, b) for k, a in enumerate(names) for b in names[k + 1 :])


def reasons_of(found: Found) -> dict[str, tuple[str, str]]:
    """Return for each name by what it has its place, and why; of votes without prices there is nothing to say."""
    return {each.algorithm: (each.by, each.text) for each in found.reasons}


def asked_of(found: Found, facts: Facts) -> dict[str, Any]:
    """Return what was asked: builds that were asked otherwise cannot be compared."""
    margin = found.plan.margin
    return {
        "score": facts.score,
        "higher_is_better": facts.higher_is_better,
        "cost": facts.cost or None,
        "over": facts.over,
        "alpha": facts.alpha,
        "margin": None if margin is None else str(margin),
        "family": found.plan.family,
    }
