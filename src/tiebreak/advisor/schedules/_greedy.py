"""Which algorithms to try, and in which order, when each costs time: a greedy schedule for a budget.

The expected loss of having tried a set of algorithms is the weighted mean over known data sets of the least loss of
the set there. It falls less with every algorithm that is added (it is submodular), so a greedy choice is near the
best: by gain per second, or by gain alone, whichever ends lower within the budget (Khuller, Moss and Naor 1999). Where
gains per second are compared, what takes less than a hundredth of the budget counts as a hundredth: nobody waits for
less, and a schedule for ten minutes would otherwise begin with whatever takes a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray

TINY = 1e-12
CLEAR = 0.001
"""A difference of expected losses that is worth waiting for."""
UNNOTICED = 0.01
"""The share of a budget that nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Losses:
    """What is known of losses: (data sets, algorithms), infinite where there is no result; weights sum to 1.

    `start` is the loss of having tried nothing. `unlike` is how probable it is that a data set is unlike all known
    ones. On such a one the algorithms are as good as drawn at random, and the best of s draws is expected to lose a
    share 1 / s of what one loses (as exponential losses do): so there is always something to gain by trying another,
    less the more were tried and the more data sets are known.
    """

    loss: FloatArray
    start: FloatArray
    weight: FloatArray
    unlike: float = 0.0

    def after(self, tried: Sequence[int]) -> FloatArray:
        """Return the least loss of those tried on every data set."""
        return np.minimum(self.start, self.loss[:, list(tried)].min(axis=1)) if len(tried) else self.start

    def expected(self, tried: Sequence[int]) -> float:
        """Return the expected loss of having tried some algorithms."""
        return _Gains(self).expected(tried)

    def gains(self, tried: Sequence[int]) -> FloatArray:
        """Return by how much each algorithm would lower the expected loss."""
        return _Gains(self).gains(tried)

    def means(self) -> FloatArray:
        """Return the mean loss of every algorithm; where it has no result it is no better than nothing."""
        return np.asarray(self.weight @ np.minimum(self.loss, self.start[:, None]))

    def without(self, gone: BoolArray) -> Losses:
        """Return the same with no weight on some data sets."""
        left = np.where(gone, 0.0, self.weight)
        return replace(self, weight=left / left.sum())


class _Gains:
    """Expected losses and gains, where many are asked for: what they share is worked out once, and none twice."""

    def __init__(self, known: Losses) -> None:
        self.known, self.means = known, known.means()
        self._known: dict[tuple[int, ...], FloatArray] = {}

    def expected(self, tried: Sequence[int]) -> float:
        """Return the expected loss of having tried some algorithms."""
        return self._expected(tried, self.known.after(tried))

    def gains(self, tried: Sequence[int]) -> FloatArray:
        """Return by how much each algorithm would lower the expected loss."""
        key = tuple(tried)
        if key not in self._known:
            now = self.known.after(tried)
            then = self.known.weight @ np.minimum(now[:, None], self.known.loss)
            mixed = self._mixed(then, self.means[list(tried)].sum() + self.means, len(tried) + 1)
            self._known[key] = np.asarray(self._expected(tried, now) - mixed)
        return self._known[key]

    def _expected(self, tried: Sequence[int], now: FloatArray) -> float:
        total = float(self.means[list(tried)].sum())
        return float(self._mixed(float(self.known.weight @ now), total, len(tried)))

    def _mixed(self, known: Any, total: Any, count: int) -> Any:
        unlike = total / count**2 if count else float(self.known.weight @ self.known.start)
        return (1.0 - self.known.unlike) * known + self.known.unlike * unlike


def scheduled(
    known: Losses, cost: FloatArray, seconds: float, *, least_rate: float = 0.0, tried: Sequence[int] = ()
) -> list[int]:
    """Return which algorithms to try, in order, such that their costs fit into the seconds.

    The set is chosen greedily by gain per second, or by gain alone where that ends better by more than `CLEAR`: there
    something cheap would have kept the best from fitting. Its order is by gain per second, where no cost counts less
    than `UNNOTICED` of the budget. An algorithm that gains less than `least_rate` per second is not worth its time.
    `tried` have run already.
    """
    felt = np.maximum(cost, UNNOTICED * seconds)
    reckoned = _Gains(known)
    ways = [_filled(reckoned, cost, seconds, least_rate, tried, felt=each) for each in (felt, np.ones_like(cost))]
    first, second = (_ordered(reckoned, cost, way, least_rate, tried, felt=felt) for way in ways)
    ends = [_price(reckoned, cost, order, tried, least_rate) for order in (first, second)]
    return second if ends[1] < ends[0] - CLEAR else first


def _price(known: _Gains, cost: FloatArray, order: Sequence[int], tried: Sequence[int], least_rate: float) -> float:
    """Return the expected loss at the end, with the price of the time until then."""
    return known.expected([*tried, *order]) + least_rate * float(cost[list(order)].sum())


def _filled(
    known: _Gains,
    cost: FloatArray,
    seconds: float,
    least_rate: float,
    tried: Sequence[int],
    *,
    felt: FloatArray,
) -> list[int]:
    """Add what gains most for what its cost is felt as, as long as something fits and is worth its time."""
    chosen: list[int] = []
    while True:
        gain = known.gains([*tried, *chosen])
        left = seconds - float(cost[chosen].sum())
        may = (cost <= left) & (gain > TINY) & (gain >= least_rate * cost)
        may[[*tried, *chosen]] = False
        if not may.any():
            return chosen
        chosen.append(int(np.where(may, gain / felt, -np.inf).argmax()))


def _ordered(
    known: _Gains,
    cost: FloatArray,
    chosen: Sequence[int],
    least_rate: float,
    tried: Sequence[int],
    *,
    felt: FloatArray,
) -> list[int]:
    """Order a set by gain per second; what the others leave too little to gain is dropped."""
    rest = list(chosen)
    out: list[int] = []
    while rest:
        gain = known.gains([*tried, *out])[rest]
        may = (gain > TINY) & (gain >= least_rate * cost[rest])
        if not may.any():
            break
        out.append(rest.pop(int(np.where(may, gain / felt[rest], -np.inf).argmax())))
    return out
