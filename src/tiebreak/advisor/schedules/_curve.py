"""Expected loss against time: what schedules made without an origin lose on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor._held import held
from tiebreak.advisor.schedules._greedy import Losses, scheduled
from tiebreak.documents import Framed, Row
from tiebreak.stats.results import frozen, rows_of

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge

POINTS = 40
"""Points of time between the shortest trial and the budget, beside the ends of the trials."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Curve(Framed):
    """The expected loss at points of time: a mean over origins, with its 95 % range; empty for a single origin."""

    seconds: FloatArray
    loss: FloatArray
    low: FloatArray
    high: FloatArray

    def rows(self) -> list[Row]:
        """Return one row per point of time."""
        return rows_of(seconds=self.seconds, expected_loss=self.loss, low=self.low, high=self.high)

    def at(self, seconds: FloatArray) -> FloatArray:
        """Return the expected loss when so many seconds are over; NaN where there is no curve."""
        if not len(self.seconds):
            return np.full(len(seconds), np.nan)
        place = np.searchsorted(self.seconds, seconds * (1 + 1e-12), side="right") - 1
        return np.asarray(self.loss[np.maximum(place, 0)])


def curve_left_out(
    known: Knowledge, losses: Losses, cost: FloatArray, seconds: float, rate: float, ends: FloatArray
) -> Curve:
    """Make a schedule without each origin, with the costs of the new data set, and average what it loses there."""
    labels = np.unique(np.array(known.origins), return_inverse=True)[1]
    count = int(labels.max()) + 1
    if count < 2:
        return Curve(**frozen(**dict.fromkeys(("seconds", "loss", "low", "high"), np.empty(0))))
    own = np.where(np.isnan(cost), np.inf, cost)
    times = _points(own, seconds, ends)
    lines = held(
        _asked(losses, labels, own, seconds, rate, times),
        lambda: np.array([_one(losses, labels == each, own, seconds, rate, times) for each in range(count)]),
    )
    share = np.array([losses.weight[labels == each].sum() for each in range(count)])
    share = share / share.sum()
    mean = share @ lines
    spread = np.sqrt((share[:, None] ** 2 * (lines - mean) ** 2).sum(axis=0) * count / (count - 1))
    reach = stdtrit(count - 1, 0.975) * spread
    return Curve(**frozen(seconds=times, loss=mean, low=np.maximum(mean - reach, 0.0), high=mean + reach))


def _asked(losses: Losses, labels: IntArray, *given: FloatArray | float) -> tuple[object, ...]:
    """Return all that the lines of a curve depend on: a slider that leaves the neighbours alone changes none of it."""
    arrays = (losses.loss, losses.start, losses.weight, labels, *given)
    return ("curve", losses.unlike, *(np.asarray(each).tobytes() for each in arrays))


def _points(cost: FloatArray, seconds: float, ends: FloatArray) -> FloatArray:
    short = float(cost[np.isfinite(cost)].min()) if np.isfinite(cost).any() else seconds
    grid = np.geomspace(min(short, seconds), seconds, POINTS) if short < seconds else np.array([seconds])
    return np.unique(np.concatenate([[0.0], grid, ends]))


def _one(
    losses: Losses, gone: BoolArray, cost: FloatArray, seconds: float, rate: float, times: FloatArray
) -> FloatArray:
    """Return the mean loss on one origin at points of time, by the schedule that the others make."""
    if not losses.weight[~gone].any() or not losses.weight[gone].any():
        return np.full(len(times), float(losses.start[gone].mean()))
    order = scheduled(losses.without(gone), cost, seconds, least_rate=rate)
    done = np.searchsorted(np.cumsum(cost[order]), times * (1 + 1e-12), side="right")
    own = losses.weight[gone] / losses.weight[gone].sum()
    after = np.array([own @ losses.after(order[:n])[gone] for n in range(len(order) + 1)])
    return np.asarray(after[done])
