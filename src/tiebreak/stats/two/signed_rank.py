"""Signed ranks of many columns of differences at once: snapping, rank sums, exact and normal tails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ldexp

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.tails import floor_pvalue

DIGITS = 12
"""Significant digits of a score that count; a difference below the last of them is rounding noise."""

EXACT_UP_TO = 50
"""The most nonzero differences for which `method="auto"` computes the exact distribution."""

EXACT_LIMIT = 1000
"""The most nonzero differences for which the exact distribution can be asked for."""

BLOCK = 32_768
"""Numbers in a block: small enough that a block and its temporaries stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankSums:
    """Signed-rank sums, one row of differences each; `weights` are the doubled ranks that carry a sign.

    `plus` and `minus` hold the zeros' halves under the treatment "split"; `total` and `squares` are the
    sum and the sum of squares of the ranks whose sign is random.
    """

    plus: FloatArray
    minus: FloatArray
    total: FloatArray
    squares: FloatArray
    used: IntArray
    zeros: IntArray
    weights: FloatArray


def exact_where(used: IntArray, method: str) -> BoolArray:
    """Decide for each pair, by its number of nonzero differences, whether p is exact."""
    if method == "exact" and int(used.max(initial=0)) > EXACT_LIMIT:
        raise OptionError(
            f"method is 'exact' with {int(used.max())} differences that are not zero.",
            why=f"The exact distribution is computed up to {EXACT_LIMIT}.",
            mend="Use method='auto': the normal approximation is accurate there.",
        )
    limit = {"auto": EXACT_UP_TO, "exact": EXACT_LIMIT, "asymptotic": -1}[method]
    return np.asarray(used <= limit)


def grid(scores: FloatArray) -> FloatArray:
    """Return, per score, the power of ten that turns its last meaningful digit into the unit."""
    size = np.abs(scores)
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(size))
    exponent = np.clip(DIGITS - 1 - exponent, -290, 290)  # a zero has the finest grid
    return np.asarray(10.0**exponent)


def differences(a: FloatArray, b: FloatArray, grid_a: FloatArray, grid_b: FloatArray) -> FloatArray:
    """Subtract, and round to the last digit that the larger of the two scores carries.

    A whole number divided by a power of ten is correctly rounded, so equal decimal differences become equal
    floats on whatever data set they arise: 0.3 - 0.2 is 0.2 - 0.1, and 0.1 + 0.2 - 0.3 is 0.
    """
    scale = np.minimum(grid_a, grid_b)
    d = a - b
    d *= scale
    np.rint(d, out=d)
    d /= scale
    return d


def given_differences(d: FloatArray) -> FloatArray:
    """Round differences whose scores are not known to the last meaningful digit of the largest of them."""
    scale = grid(np.abs(d).max(axis=-1, keepdims=True))
    return np.asarray(np.rint(d * scale) / scale)


def pair_blocks(columns: FloatArray, *, control: int | None = None) -> Iterator[tuple[slice, FloatArray]]:
    """Yield runs of pairs in the order of `pair_indices`: their places, and a - b with one row per pair.

    `columns` has one row per algorithm.
    """
    if control is not None:  # the control first, and then the pairs of the first alone
        columns = np.concatenate([columns[control : control + 1], np.delete(columns, control, axis=0)])
    columns = np.ascontiguousarray(columns)
    count, length = columns.shape
    grids = grid(columns)
    if control is None and count * (count - 1) // 2 * length <= BLOCK:  # a small table is one run
        a, b = np.triu_indices(count, 1)
        yield slice(0, len(a)), differences(columns[a], columns[b], grids[a], grids[b])
        return
    step = max(1, BLOCK // length)
    place = 0
    for i in range(count - 1 if control is None else 1):
        for j in range(i + 1, count, step):
            end = min(count, j + step)
            d = differences(columns[i], columns[j:end], grids[i], grids[j:end])
            yield slice(place, place + end - j), d
            place += end - j


def rank_sums(d: FloatArray, *, zeros: str) -> RankSums:
    """Rank the magnitudes of each row of differences and add the ranks up by sign."""
    # The bits of positive floats sort as the floats do; integers sort faster and can carry the sign.
    bits = np.ascontiguousarray(d).view(np.uint64)
    keys = bits << np.uint64(1)
    keys |= bits >> np.uint64(63)  # the sign becomes the lowest bit, so that one sort carries it along
    keys.sort(axis=-1)
    negative = (keys & np.uint64(1)).astype(np.float64)
    keys >>= np.uint64(1)
    n_zero = np.count_nonzero(keys == 0, axis=-1)
    weights = _doubled_ranks(keys)
    _treat_zeros(weights, n_zero, zeros)
    total = weights.sum(axis=-1)
    minus = np.einsum("ij,ij->i", weights, negative)
    halves = _zero_halves(n_zero, zeros)
    return RankSums(
        plus=(total - minus) / 2 + halves,
        minus=minus / 2 + halves,
        total=total / 2,
        squares=np.einsum("ij,ij->i", weights, weights) / 4,
        used=(d.shape[-1] - n_zero).astype(np.int64),
        zeros=n_zero.astype(np.int64),
        weights=weights,
    )


def _doubled_ranks(ordered: npt.NDArray[np.uint64]) -> FloatArray:
    """Twice the average ranks of sorted rows: whole numbers also where values tie."""
    rows, length = ordered.shape
    ranks = np.empty((rows, length))
    ranks[:] = np.arange(2, 2 * length + 2, 2)
    same = ordered[:, 1:] == ordered[:, :-1]
    tied = np.flatnonzero(same.any(axis=-1))
    if tied.size:
        fresh = np.ones((tied.size, length), dtype=bool)
        np.logical_not(same[tied], out=fresh[:, 1:])
        starts = np.flatnonzero(fresh)
        counts = np.diff(starts, append=fresh.size)
        ranks[tied] = np.repeat(2 * (starts % length) + counts + 1, counts).reshape(fresh.shape)
    return ranks


def _treat_zeros(weights: FloatArray, n_zero: npt.NDArray[np.intp], zeros: str) -> None:
    """Give the zeros no weight, and lower the other ranks by the zeros that are dropped."""
    rows = np.flatnonzero(n_zero)
    if not rows.size:
        return
    count = n_zero[rows, None]
    dropped = {"drop": count, "split": count % 2, "pratt": 0 * count}[zeros]
    is_zero = np.arange(weights.shape[-1]) < count
    weights[rows] = np.where(is_zero, 0.0, weights[rows] - 2.0 * dropped)


def _zero_halves(n_zero: npt.NDArray[np.intp], zeros: str) -> FloatArray:
    """What each side receives of the zeros' ranks: half of 1 + ... + m, an odd zero being dropped."""
    kept = n_zero - n_zero % 2 if zeros == "split" else 0 * n_zero
    return np.asarray(kept * (kept + 1) / 4)  # Demsar 2006, section 3.1.3: R+ and R-


def tail_pvalues(sums: RankSums, exact: BoolArray, *, alternative: str, continuity: bool) -> FloatArray:
    """P-values of rows of rank sums: exact where `exact` says so, normal elsewhere."""
    p = _normal_tail(sums, alternative=alternative, continuity=continuity)
    rows = np.flatnonzero(exact)
    if rows.size:
        p[rows] = _exact_tail(sums, rows, alternative=alternative)
    return floor_pvalue(p)


def z_scores(sums: RankSums) -> FloatArray:
    """Return the standardised rank sum, positive where R+ is larger; 0 where nothing carries a sign."""
    root = np.sqrt(sums.squares)
    gap = sums.plus - sums.minus
    return np.divide(gap, root, out=np.zeros_like(gap), where=root > 0)


def _normal_tail(sums: RankSums, *, alternative: str, continuity: bool) -> FloatArray:
    """Normal tail of R+ - R-, whose variance is the sum of the squared ranks, ties and all."""
    gap = sums.plus - sums.minus
    toward = {"two-sided": np.abs(gap), "b-better": gap, "a-better": -gap}[alternative]
    root = np.sqrt(sums.squares)
    shifted = toward - 1.0 if continuity else toward  # half a rank of R+ is one of R+ - R-
    if alternative == "two-sided":
        shifted = np.maximum(shifted, 0.0)
    z = np.divide(shifted, root, out=np.zeros_like(gap), where=root > 0)
    tail = np.asarray(special.ndtr(-z))
    p = 2.0 * tail if alternative == "two-sided" else tail
    return np.where(root > 0, p, 1.0)


def _exact_tail(sums: RankSums, rows: IntArray, *, alternative: str) -> FloatArray:
    """Look every rank sum up in the permutation distribution of the ranks of its row."""
    gap = (sums.plus - sums.minus)[rows]
    toward = {"two-sided": np.abs(gap), "b-better": gap, "a-better": -gap}[alternative]
    lower = np.rint(sums.total[rows] - toward).astype(np.int64)  # twice the rank sum on the losing side
    sides = 2.0 if alternative == "two-sided" else 1.0
    counted = _known_sums if sums.weights.shape[1] <= _KEPT else lru_cache(maxsize=None)(_subset_sums)
    p = np.empty(rows.size)
    for k, row in enumerate(rows):
        p[k] = sides * counted(sums.weights[row].tobytes()).lower_tail(int(lower[k]))
    return np.minimum(p, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _SubsetSums:
    """The distribution of the sum of a random subset of ranks; `below[s]` is P(sum <= s units)."""

    below: FloatArray
    unit: int
    total: int

    def lower_tail(self, doubled: int) -> float:
        """P(sum <= doubled / 2); above the middle by symmetry."""
        s = doubled // self.unit
        if s < len(self.below):
            return float(self.below[s])
        rest = self.total - s - 1
        return 1.0 - float(self.below[rest]) if rest >= 0 else 1.0


def _subset_sums(ranks: bytes) -> _SubsetSums:
    """Count the subsets of the ranks by their sum, up to half the total.

    Under the hypothesis every subset is as likely to be the positive one. With one more rank r the number of
    subsets of sum s grows from f(s) to f(s) + f(s - r); doubled ranks are whole, so ties are no obstacle.
    """
    doubled = np.frombuffer(ranks)
    steps = np.sort(doubled[doubled > 0]).astype(np.int64)
    unit = 1 if (steps % 2).any() else 2
    steps //= unit
    total = int(steps.sum())
    half = total // 2
    ways = np.zeros(half + 1)
    ways[0] = ldexp(1.0, -len(steps))
    reached = 0
    for r in steps[steps <= half].tolist():
        reached = min(reached + r, half)
        ways[r : reached + 1] += ways[: reached + 1 - r]
    return _SubsetSums(np.cumsum(ways), unit, total)


_KEPT = 60
"""Ranks of so many data sets are worth remembering: a table is asked about again and again, at 10 KB a pattern."""
_known_sums = lru_cache(maxsize=512)(_subset_sums)
