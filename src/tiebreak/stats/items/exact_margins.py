"""Exact tests of a margin for right and wrong answers: of pairs of answers to the same items, and of two totals.

Both order outcomes by a score statistic, whose variance is that of the closest truth in which the candidate is worse by
the margin exactly (Nam 1997; Farrington and Manning 1990). Its tail is then added up exactly, at the worst value of the
probability that the hypothesis leaves open, so that the test keeps its level with any number of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray

MOST_EXACT = 10_000
"""Beyond so many items the normal tail of the statistic serves: at 0.05 it differs from the exact one by less than
0.001 where many answers differ, and the exact one of a hundred thousand items takes half a second."""
FEW = 150
"""Where fewer answers differ, or would at the margin, the normal tail is too small (0.05 for 0.067 where none does).
Rare events are told by how many are expected, so that the same counts of `MOST_EXACT` items are tested exactly."""
GRID = 60
"""So many values of the open probability are tried, more of them near zero, before the best is refined."""
REACH = 9.0
"""Counts so many standard deviations from their mean and more are left out of a sum."""
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCounts:
    """The hypothesis that the candidate gets a share of `margin` fewer of `n` items right, both answering each item.

    A first count is that of items which only the reference gets right, a second that of those which only the candidate
    does; the probability left open is that of the second.
    """

    n: int
    margin: float

    @property
    def most_open(self) -> float:
        """The largest probability that only the candidate is right."""
        return (1.0 - self.margin) / 2.0

    def statistic(self, lost: FloatArray, won: FloatArray) -> FloatArray:
        """Return z, small where the candidate does well (Nam 1997, eq. 2; Tango 1998, eq. 9)."""
        n, margin, p = self.n, self.margin, self.likely(lost, won)
        spread = np.sqrt(np.maximum(n * (2.0 * p + margin - margin**2), 1e-300))
        return np.asarray((lost - won - n * margin) / spread)

    def likely(self, lost: FloatArray, won: FloatArray) -> FloatArray:
        """Return the likeliest probability that is left open."""
        n, margin, rest = self.n, self.margin, self.n - lost - won
        # the restricted estimate solves won/p + lost/(p + margin) = 2 rest/(1 - 2p - margin), a quadratic in p
        square = -2.0 * n
        linear = won * (1.0 - 3.0 * margin) + lost * (1.0 - margin) - 2.0 * rest * margin
        root = np.sqrt(np.maximum(np.square(linear) - 4.0 * square * won * margin * (1.0 - margin), 0.0))
        return np.asarray(np.clip((-linear - root) / (2.0 * square), 0.0, self.most_open))

    def most_won(self, lost: FloatArray) -> FloatArray:
        """Return how many items are left for the second count."""
        return self.n - lost

    def first(self, left_open: FloatArray) -> tuple[int, FloatArray]:
        """Return number and chance of the first count at the border of the hypothesis."""
        return self.n, left_open + self.margin

    def second(self, left_open: FloatArray, first: FloatArray) -> FloatArray:
        """Return the chance of the second count among what the first leaves."""
        return np.asarray(np.clip(left_open / np.maximum(1.0 - first, 1e-300), 0.0, 1.0))

    def estimate(self, lost: float, won: float) -> float:
        """Return by how much of all items the candidate is worse."""
        return (lost - won) / self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoTotals:
    """The same of two totals of different items: `n` of the reference, `n_candidate` of the candidate.

    A first count is that of items which the reference passes, a second that of those which the candidate does; the
    probability left open is that of the second.
    """

    n: int
    n_candidate: int
    margin: float

    @property
    def most_open(self) -> float:
        """The largest share that the candidate can pass."""
        return 1.0 - self.margin

    def statistic(self, passed: FloatArray, won: FloatArray) -> FloatArray:
        """Return z, small where the candidate does well (Farrington and Manning 1990, method 3)."""
        p = self.likely(passed, won)
        own, other = p, np.minimum(p + self.margin, 1.0)
        variance = own * (1.0 - own) / self.n_candidate + other * (1.0 - other) / self.n
        gap = passed / self.n - won / self.n_candidate - self.margin
        spread = np.sqrt(np.maximum(variance, 0.0))
        return np.where(spread > 0, gap / np.maximum(spread, 1e-300), np.where(gap < 0, -inf, inf))

    def likely(self, passed: FloatArray, won: FloatArray) -> FloatArray:
        """Return the likeliest share of the candidate where the reference is better by the margin.

        The derivative of the likelihood is a cubic in the share of the reference, whose middle root it is (Farrington
        and Manning 1990, appendix).
        """
        ratio, margin = self.n_candidate / self.n, self.margin
        share, own = passed / self.n, won / self.n_candidate
        a = 1.0 + ratio
        b = -(1.0 + ratio + share + ratio * own + margin * (ratio + 2.0))
        c = margin**2 + margin * (2.0 * share + ratio + 1.0) + share + ratio * own
        d = -share * margin * (1.0 + margin)
        v = (b / (3.0 * a)) ** 3 - b * c / (6.0 * a**2) + d / (2.0 * a)
        u = np.where(v >= 0, 1.0, -1.0) * np.sqrt(np.maximum((b / (3.0 * a)) ** 2 - c / (3.0 * a), 0.0))
        cosine = np.divide(v, u**3, out=np.zeros_like(u), where=u != 0.0)
        angle = (np.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3.0
        return np.asarray(np.clip(2.0 * u * np.cos(angle) - b / (3.0 * a) - margin, 0.0, self.most_open))

    def most_won(self, passed: FloatArray) -> FloatArray:
        """Return how many items the candidate could pass."""
        return np.full(len(passed), float(self.n_candidate))

    def first(self, left_open: FloatArray) -> tuple[int, FloatArray]:
        """Return number and chance of the first count at the border of the hypothesis."""
        return self.n, left_open + self.margin

    def second(self, left_open: FloatArray, _first: FloatArray) -> FloatArray:
        """Return the chance of the second count, whatever the first is."""
        return left_open

    def estimate(self, passed: float, won: float) -> float:
        """Return by how large a share the candidate is worse."""
        return passed / self.n - won / self.n_candidate


Counts = PairedCounts | TwoTotals


def exact_pvalue(counts: Counts, first: float, second: float) -> tuple[float, float]:
    """Return z and the p-value of two counts: the largest chance, under the hypothesis, of a z as small.

    Examples
    --------
    >>> z, p = exact_pvalue(PairedCounts(n=59, margin=0.05), 0, 0)
    >>> round(p, 4), round(0.95**59, 4)
    (0.0485, 0.0485)
    """
    counts = _manageable(counts, first, second)
    seen = float(counts.statistic(np.array([float(first)]), np.array([float(second)]))[0])
    if counts.n > MOST_EXACT:
        return seen, float(special.ndtr(seen))
    return seen, largest_tail(counts, seen)


def _manageable(counts: Counts, first: float, second: float) -> Counts:
    """Return fewer items with as many differing ones, where these are rare."""
    expected = counts.n * counts.margin
    if isinstance(counts, TwoTotals) or counts.n <= MOST_EXACT or first + second + expected > FEW:
        return counts
    return PairedCounts(n=MOST_EXACT, margin=expected / MOST_EXACT)


def is_shown(counts: Counts, first: float, second: float, alpha: float) -> bool:
    """Say whether the p-value of two counts is at most alpha; one likely truth with a larger chance settles it."""
    counts = _manageable(counts, first, second)
    one, other = np.array([float(first)]), np.array([float(second)])
    seen = float(counts.statistic(one, other)[0])
    if counts.n > MOST_EXACT:
        return float(special.ndtr(seen)) <= alpha
    border = Border.of(counts, seen)
    return float(border.chance(counts.likely(one, other))[0]) <= alpha and _largest(border) <= alpha


def largest_tail(counts: Counts, upto: float) -> float:
    """Return the largest chance, over the probability left open, of a statistic up to a value."""
    return _largest(Border.of(counts, upto))


def _largest(border: Border) -> float:
    counts = border.counts
    tried = np.square(np.linspace(0.0, 1.0, GRID)) * counts.most_open
    found = border.chance(tried)
    for _ in range(2):
        best = int(np.argmax(found))
        tried = np.linspace(tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)], 9)
        found = border.chance(tried)
    return float(min(1.0, found.max()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Border:
    """For each first count, the smallest second count with a statistic up to a value; it grows with the first."""

    counts: Counts
    first: FloatArray
    second: FloatArray

    @classmethod
    def of(cls, counts: Counts, upto: float) -> Border:
        """Find it by halving: the statistic falls in the second count."""
        first = np.arange(counts.n + 1.0)
        most = counts.most_won(first)
        low, high = np.full(len(first), -1.0), most + 1.0
        while bool((high - low > 1.0).any()):
            middle = np.floor((low + high) / 2.0)
            inside = counts.statistic(first, np.minimum(middle, most)) <= upto + SAME
            open_ = high - low > 1.0
            low, high = np.where(open_ & ~inside, middle, low), np.where(open_ & inside, middle, high)
        there = high <= most
        return cls(counts=counts, first=first[there], second=high[there])

    def chance(self, left_open: FloatArray, first: FloatArray | None = None) -> FloatArray:
        """Return the chance of a statistic up to the value, for each value of the probability left open.

        Without `first`, the chance of the first count is that at the border of the hypothesis.
        """
        if not len(self.first):
            return np.zeros(len(left_open))
        n, share = self.counts.first(left_open)
        share = share if first is None else first
        k, least = self.first, self.second
        log = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
        out = np.empty(len(left_open))
        for place, (own, other) in enumerate(zip(share, self.counts.second(left_open, share), strict=True)):
            reach = REACH * sqrt(max(n * own * (1.0 - own), 0.0)) + REACH
            near = slice(*np.searchsorted(k, [n * own - reach, n * own + reach]))
            chance = np.exp(log[near] + special.xlogy(k[near], own) + special.xlog1py(n - k[near], -own))
            of, at_least = self.counts.most_won(k[near]), least[near]
            tail = special.betainc(np.maximum(at_least, 1.0), np.maximum(of - at_least + 1.0, 1e-9), other)
            out[place] = float((chance * np.where(at_least <= 0, 1.0, tail)).sum())
        return out
