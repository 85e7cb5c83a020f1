"""The frontier: which algorithm is first for which trade."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.documents import Framed
from tiebreak.ordering.worth import Sample, certainty

NARROW = 1.6
"""Segments narrower than this factor are counted instead of shown."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Segment(Framed):
    """One algorithm is first where ten times the cost must buy `low` to `high`, in units of the score.

    `score` is its mean score, `relative_cost` its cost beside that of the best-scoring one. `probability` and `regret`
    are those at the trade in force where it lies in the segment, in the middle of the segment elsewhere.
    """

    algorithm: str
    low: float
    high: float
    score: float
    relative_cost: float
    probability: float | None = None
    regret: float | None = None

    def holds(self, trade: float) -> bool:
        """Whether this algorithm is first at a trade."""
        return self.low <= trade < self.high

    @property
    def middle(self) -> float:
        """A trade inside the segment."""
        if self.low == 0:
            return 0.0 if self.high == inf else self.high / 3
        return 3 * self.low if self.high == inf else sqrt(self.low * self.high)


def envelope(scores: FloatArray, logs: FloatArray) -> list[tuple[int, float, float]]:
    """Return who is first from which to which trade: the upper concave envelope of mean score over mean log10 cost.

    Examples
    --------
    >>> envelope(np.array([0.9, 0.8, 0.5]), np.array([2.0, 1.0, 0.0]))
    [(0, 0.0, 0.1), (1, 0.1, 0.3), (2, 0.3, inf)]
    """
    size = max(1.0, float(np.abs(scores).max()))
    top = scores >= scores.max() - 1e-12 * size
    current = int(np.flatnonzero(top)[np.argmin(logs[top])])
    out: list[tuple[int, float, float]] = []
    low = 0.0
    while True:
        cheaper = np.flatnonzero(logs < logs[current] - 1e-12)
        if not len(cheaper):
            return [*out, (current, low, inf)]
        slopes = (scores[current] - scores[cheaper]) / (logs[current] - logs[cheaper])
        turn = float(slopes.min())
        at_turn = cheaper[slopes <= turn + 1e-12 * size]
        out.append((current, low, round(turn, 12)))
        current, low = int(at_turn[np.argmin(logs[at_turn])]), round(turn, 12)


def frontier(
    sample: Sample,
    trades: FloatArray,
    names: tuple[str, ...],
    *,
    shown: FloatArray,
    probable: bool,
    seed: int = 0,
) -> tuple[Segment, ...]:
    """Return the segments for trades from 0 on; several costs keep their proportions, and the first is counted.

    `shown` are the mean scores as tables show them. Without costs, or with costs that are all equal, there is none.
    """
    logs, weights = sample.mean_logs, proportions(trades)
    if not len(logs) or float(np.ptp(weights @ logs)) <= 1e-12:
        return ()
    combined, best = weights @ logs, int(np.argmax(sample.mean_scores))
    in_force = float(trades[0]) if len(trades) else 0.0
    out = []
    for algorithm, low, high in envelope(sample.mean_scores, combined):
        part = Segment(
            algorithm=names[algorithm],
            low=low,
            high=high,
            score=float(shown[algorithm]),
            relative_cost=float(10 ** (logs[0, algorithm] - logs[0, best])),
        )
        trade = in_force if part.holds(in_force) else part.middle
        known = certainty(sample.moments(trade * weights), first=algorithm, seed=seed)
        if known is not None:
            chance = known.probability if probable else None
            part = replace(part, probability=chance, regret=known.regret)
        out.append(part)
    return tuple(out)


def proportions(trades: FloatArray) -> FloatArray:
    """Return how the trades of several costs relate to the first one's."""
    if not len(trades):
        return trades
    first = float(trades[0])
    return trades / first if first > 0 else np.ones(len(trades))


def wide(segments: tuple[Segment, ...], trade: float) -> list[Segment]:
    """Return the segments worth printing: those in force, the first, the last, and all that are not narrow."""
    return [
        part
        for place, part in enumerate(segments)
        if part.holds(trade) or place in (0, len(segments) - 1) or (part.low > 0 and part.high / part.low >= NARROW)
    ]
