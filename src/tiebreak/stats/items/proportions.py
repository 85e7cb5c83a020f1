"""Shares of items that were passed: intervals, tests by totals alone, and exact tests of a margin.

The tests of a margin order outcomes by a score statistic, whose variance is that of the closest truth in which the
candidate is worse by the margin exactly (Nam 1997; Farrington and Manning 1990). Its tail is then added up exactly, at
the worst value of the probability that the hypothesis leaves open, so that the test keeps its level with any number of
items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, as_floats, check_choice, check_names, check_within
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.folds.fold_tests import broadcast
from tiebreak.stats.numeric.basics import floor_pvalue, normal_two_sided
from tiebreak.stats.results import DifferencePairs, check_correction, frozen, pair_fields, pair_indices

Ends = tuple[FloatArray, FloatArray]
"""Lower and upper ends of intervals."""
METHODS = {"fisher": "Fisher's exact test", "score": "Score test of two proportions"}


def check_level(level: float) -> float:
    """Return the confidence of an interval, strictly between 0 and 1."""
    return check_within("level", level, 0.0, 1.0, mend="Use level=0.95.")


def score_interval(passed: FloatArray, n: FloatArray, z: float) -> Ends:
    """Wilson's interval: the shares that a z test of size 2 Phi(-z) does not reject (Wilson 1927, eq. 4)."""
    middle = (passed + z * z / 2.0) / (n + z * z)
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = passed * (n - passed) / n + z * z / 4.0
    half = z * np.sqrt(np.maximum(inside, 0.0)) / (n + z * z)
    low = np.where(passed == 0, 0.0, np.maximum(middle - half, 0.0))
    return low, np.where(passed == n, 1.0, np.minimum(middle + half, 1.0))


def paired_ends(both: FloatArray, only_a: FloatArray, only_b: FloatArray, n: FloatArray, z: float) -> Ends:
    """Newcombe's method 10 for the share of a less that of b."""
    neither = n - both - only_a - only_b
    passed_a, passed_b = both + only_a, both + only_b
    cross = both * neither - only_a * only_b
    cross = np.where(cross > 0, np.maximum(cross - n / 2.0, 0.0), cross)  # Newcombe 1998, method 10: corrected phi
    sides = passed_a * (only_b + neither) * passed_b * (only_a + neither)
    phi = np.divide(cross, np.sqrt(sides), out=np.zeros_like(cross, dtype=np.float64), where=sides > 0)
    low, high = _hybrid((passed_a, n), (passed_b, n), (only_a - only_b) / n, phi, z)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def unpaired_ends(passed_a: FloatArray, n_a: FloatArray, passed_b: FloatArray, n_b: FloatArray, z: float) -> Ends:
    """Newcombe's hybrid score interval of two independent shares, the same without a correlation."""
    return _hybrid((passed_a, n_a), (passed_b, n_b), passed_a / n_a - passed_b / n_b, np.zeros(np.shape(n_a)), z)


def _hybrid(a: Ends, b: Ends, difference: FloatArray, phi: FloatArray, z: float) -> Ends:
    """Put the distances to the ends of Wilson's intervals together, as squares, with the correlation phi."""
    (low_a, high_a), (low_b, high_b) = score_interval(*a, z), score_interval(*b, z)
    p_a, p_b = a[0] / a[1], b[0] / b[1]

    def reach(values: FloatArray, other: FloatArray) -> FloatArray:
        return np.asarray(np.sqrt(np.maximum(values**2 - 2.0 * phi * values * other + other**2, 0.0)))

    return difference - reach(p_a - low_a, high_b - p_b), difference + reach(high_a - p_a, p_b - low_b)


def z_of(level: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    return float(-special.ndtri((1.0 - level) / 2.0))


def _counted(*arrays: tuple[str, npt.ArrayLike]) -> list[FloatArray]:
    """Return nonnegative numbers of one shape; what was passed may be a mean of several answers, so no whole number."""
    names = tuple(name for name, _ in arrays)
    result = broadcast([as_floats(values, what=name) for name, values in arrays], names)
    for name, array in zip(names, result, strict=True):
        bad = array[~((array >= 0) & np.isfinite(array))]
        if bad.size:
            raise InputError(
                f"{name} holds {bad.flat[0]}.", mend="Pass numbers of items, zero or more; leave out what is missing."
            )
    return list(result)


def _check_passed(passed: FloatArray, n: FloatArray, names: tuple[str, str]) -> None:
    if bool((passed > n).any()) or bool((n <= 0).any()):
        raise InputError(
            f"{names[0]} exceeds {names[1]}, or {names[1]} is 0.",
            mend="Pass how many were passed first, then of how many.",
        )


def wilson_interval(passed: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95) -> FloatArray:
    """Return the interval of the share of items that a model passes.

    Hypothesis: the interval holds the shares that a z test with the variance under the hypothesis does not reject.

    Formula: with z the normal quantile, (x + z^2/2 -+ z sqrt(x (n - x) / n + z^2/4)) / (n + z^2).

    Assumptions: items are independent of each other and as good as drawn from those that are meant.
    When not to use it: where items come in clusters; then use the intervals of `item_pairs`.

    Degenerate input: none or all passed gives an interval that ends at 0 or 1, not one of no width.

    Parameters
    ----------
    passed, n : array_like
        How many were passed, of how many. Broadcast together.
    level : float, default 0.95

    Returns
    -------
    ndarray, shape (..., 2)
        Lower and upper end.

    References
    ----------
    wilson1927

    Examples
    --------
    >>> wilson_interval(80, 225).round(4)
    array([0.2959, 0.42  ])
    """
    x, of = _counted(("passed", passed), ("n", n))
    _check_passed(x, of, ("passed", "n"))
    return np.stack(score_interval(x, of, z_of(check_level(level))), axis=-1)


def paired_interval(
    both: npt.ArrayLike, only_a: npt.ArrayLike, only_b: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95
) -> FloatArray:
    """Return the interval of the difference of two shares of the same items.

    Hypothesis: none is tested; `item_pairs` does that by McNemar's test.

    Formula: Newcombe's method 10: Wilson's intervals of both shares, put together with the correlation of the two
    answers, the correlation corrected for continuity.

    Assumptions: items are independent of each other; each was answered by both.
    When not to use it: where items come in clusters or scores are graded; `item_pairs` has intervals for those.

    Parameters
    ----------
    both, only_a, only_b, n : array_like
        Items that both passed, that only one of them passed, and all items. Broadcast together.
    level : float, default 0.95

    Returns
    -------
    ndarray, shape (..., 2)
        Lower and upper end of the share of a less that of b.

    References
    ----------
    newcombepaired1998

    Examples
    --------
    >>> paired_interval(36, 12, 2, 50).round(4)
    array([0.0569, 0.3404])
    """
    names = ("both", "only_a", "only_b", "n")
    x, a, b, of = _counted(*zip(names, (both, only_a, only_b, n), strict=True))
    _check_passed(x + a + b, of, ("both + only_a + only_b", "n"))
    return np.stack(paired_ends(x, a, b, of, z_of(check_level(level))), axis=-1)


def unpaired_interval(
    passed_a: npt.ArrayLike, n_a: npt.ArrayLike, passed_b: npt.ArrayLike, n_b: npt.ArrayLike, *, level: float = 0.95
) -> FloatArray:
    """Return the interval of the difference of two shares of different items, or of items not known to be the same.

    Hypothesis: none is tested; `proportion_pairs` does that.

    Formula: Newcombe's hybrid score interval (his method 10 for independent shares): the distances to the ends of
    Wilson's intervals, added as squares.

    Assumptions: items are independent, and so are the two sets of them. On the same items it is too wide.
    When not to use it: where the answers to each item are known; then use `paired_interval` or `item_pairs`.

    Parameters
    ----------
    passed_a, n_a, passed_b, n_b : array_like
        How many were passed, of how many. Broadcast together.
    level : float, default 0.95

    Returns
    -------
    ndarray, shape (..., 2)
        Lower and upper end of the share of a less that of b.

    References
    ----------
    newcombe1998

    Examples
    --------
    >>> unpaired_interval(56, 70, 48, 80).round(4)
    array([0.0524, 0.3339])
    """
    names = ("passed_a", "n_a", "passed_b", "n_b")
    x_a, of_a, x_b, of_b = _counted(*zip(names, (passed_a, n_a, passed_b, n_b), strict=True))
    _check_passed(x_a, of_a, ("passed_a", "n_a"))
    _check_passed(x_b, of_b, ("passed_b", "n_b"))
    return np.stack(unpaired_ends(x_a, of_a, x_b, of_b, z_of(check_level(level))), axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ProportionPairs(DifferencePairs):
    """Tests of pairs by their totals alone; arrays run over the pairs.

    `shares` and their Wilson intervals run over the models.
    """

    shares: FloatArray
    share_low: FloatArray
    share_high: FloatArray
    n_items: FloatArray


@as_came_in
def proportion_pairs(
    passed: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    method: str = "fisher",
    adjust: str = "holm",
    control: int | None = None,
    higher_is_better: bool = True,
    level: float = 0.95,
    algorithms: Sequence[str] | None = None,
) -> ProportionPairs:
    """Test every pair of models of which only totals are known: so many passed, of so many.

    Hypothesis: for each pair, both pass an item with the same probability.

    Formula: "fisher": of all tables with the same margins, the probability of those that are no likelier than the one
    seen (hypergeometric). "score": z = (p_a - p_b) / sqrt(p (1 - p) (1/n_a + 1/n_b)), p the share of both together.

    Assumptions: items are independent, and those of one model independent of those of the other. If both had the same
    items, as on most leaderboards, pairing is lost: the tests keep their level and find less than `item_pairs` does.
    When not to use it: where the answers to each item are known.

    Parameters
    ----------
    passed, n : array_like, shape (models,)
        How many items each passed, of how many; fractions are rounded.
    method : {"fisher", "score"}
    adjust : str, default "holm"
        The name of a correction.
    control : int, optional
        Compare this model with all others, as `a`.
    higher_is_better : bool, default True
        False where items are counted that failed.
    level : float, default 0.95
        Of the intervals.
    algorithms : sequence of str, optional

    Returns
    -------
    ProportionPairs

    References
    ----------
    fisher1922
    newcombe1998
    wilson1927

    Examples
    --------
    >>> result = proportion_pairs([80, 8], [225, 225])
    >>> f"{result.pvalue[0]:.1e}", result.low.round(3), result.high.round(3)
    ('3.7e-19', array([0.252]), array([0.387]))
    """
    check_choice("method", method, METHODS)
    check_correction(adjust, control)
    x, of = (np.atleast_1d(values) for values in _counted(("passed", passed), ("n", n)))
    names = check_names(algorithms, len(x), kind="algorithm")
    if len(x) < 2 or x.ndim != 1:
        raise InputError(f"passed has shape {x.shape}.", mend="Pass one number per model.")
    x, of = np.rint(x), np.rint(of)
    _check_passed(x, of, ("passed", "n"))
    a, b = pair_indices(len(x), control)
    z = score_z(x[a], of[a], x[b], of[b])
    pvalue = normal_two_sided(z) if method == "score" else floor_pvalue(_fisher(x[a], of[a], x[b], of[b]))
    confidence = check_level(level)
    ends = unpaired_ends(x[a], of[a], x[b], of[b], z_of(confidence))
    together = unpaired_ends(x[a], of[a], x[b], of[b], z_of(1.0 - (1.0 - confidence) / len(a)))
    share_low, share_high = score_interval(x, of, z_of(confidence))
    arrays = {"difference": x[a] / of[a] - x[b] / of[b], "low": ends[0], "high": ends[1]}
    arrays |= {"low_together": together[0], "high_together": together[1]}
    arrays |= {"shares": x / of, "share_low": share_low, "share_high": share_high, "n_items": of}
    toward_b = (-z if higher_is_better else z) + 0.0
    return ProportionPairs(
        level=confidence,
        **frozen(**arrays),
        **pair_fields((a, b, toward_b), pvalue, method=METHODS[method], adjust=adjust, algorithms=names),
        caveats=_lost_pairing(len(x)),
    )


def _lost_pairing(count: int) -> Caveats:
    text = (
        f"Only totals of the {count} models are known, not their answers to each item: if they had the same items,"
        " pairing is lost, and differences that the items would show may be missed."
    )
    return caveats_of((True, "pairing-lost", text))


def score_z(x_a: FloatArray, n_a: FloatArray, x_b: FloatArray, n_b: FloatArray) -> FloatArray:
    """Return z, positive where a passes more; equal shares give exactly 0."""
    pooled = (x_a + x_b) / (n_a + n_b)
    variance = pooled * (1.0 - pooled) * (1.0 / n_a + 1.0 / n_b)
    gap = x_a * n_b - x_b * n_a  # whole numbers: no rounding makes equal shares differ
    z = np.divide(gap / (n_a * n_b), np.sqrt(variance), out=np.zeros_like(pooled), where=variance > 0)
    return np.where(gap == 0, 0.0, z)


def _fisher(x_a: FloatArray, n_a: FloatArray, x_b: FloatArray, n_b: FloatArray) -> FloatArray:
    """Two-sided: tables as unlikely as the one seen, up to rounding."""
    return np.array(
        [_fisher_one(*row) for row in zip(*(values.tolist() for values in (x_a, n_a, x_b, n_b)), strict=True)]
    )


def _fisher_one(x_a: float, n_a: float, x_b: float, n_b: float) -> float:
    whole = x_a + x_b
    k = np.arange(max(0.0, whole - n_b), min(n_a, whole) + 1.0)
    logs = _log_choose(n_a, k) + _log_choose(n_b, whole - k) - _log_choose(n_a + n_b, np.array([whole]))
    seen = logs[int(x_a - k[0])]
    return float(np.exp(logs[logs <= seen + 1e-7]).sum())


def _log_choose(n: float, k: FloatArray) -> FloatArray:
    return np.asarray(special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0))


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
        values, other = p, np.minimum(p + self.margin, 1.0)
        variance = values * (1.0 - values) / self.n_candidate + other * (1.0 - other) / self.n
        gap = passed / self.n - won / self.n_candidate - self.margin
        spread = np.sqrt(np.maximum(variance, 0.0))
        return np.where(spread > 0, gap / np.maximum(spread, 1e-300), np.where(gap < 0, -inf, inf))

    def likely(self, passed: FloatArray, won: FloatArray) -> FloatArray:
        """Return the likeliest share of the candidate where the reference is better by the margin.

        The derivative of the likelihood is a cubic in the share of the reference, whose middle root it is (Farrington
        and Manning 1990, appendix).
        """
        ratio, margin = self.n_candidate / self.n, self.margin
        share, values = passed / self.n, won / self.n_candidate
        a = 1.0 + ratio
        b = -(1.0 + ratio + share + ratio * values + margin * (ratio + 2.0))
        c = margin**2 + margin * (2.0 * share + ratio + 1.0) + share + ratio * values
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
    chance = border.chance(tried)
    for _ in range(2):
        best = int(np.argmax(chance))
        tried = np.linspace(tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)], 9)
        chance = border.chance(tried)
    return float(min(1.0, chance.max()))


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
        for place, (current, other) in enumerate(zip(share, self.counts.second(left_open, share), strict=True)):
            reach = REACH * sqrt(max(n * current * (1.0 - current), 0.0)) + REACH
            near = slice(*np.searchsorted(k, [n * current - reach, n * current + reach]))
            chance = np.exp(log[near] + special.xlogy(k[near], current) + special.xlog1py(n - k[near], -current))
            of, at_least = self.counts.most_won(k[near]), least[near]
            tail = special.betainc(np.maximum(at_least, 1.0), np.maximum(of - at_least + 1.0, 1e-9), other)
            out[place] = float((chance * np.where(at_least <= 0, 1.0, tail)).sum())
        return out
