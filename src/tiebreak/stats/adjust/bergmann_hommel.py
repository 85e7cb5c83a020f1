"""Corrections for all pairs, by the logic of pairs: of Shaffer, of e-values, and of Bergmann and Hommel, the sharpest.

For p-values of any origin it takes cached exhaustive sets, or a search over cliques. For p-values that fall with a
distance on a line it takes polynomial time; the structure used there is proved in docs/bergmann-hommel.md, and names
follow it: for a threshold d, `low` and `high` are the first and last algorithm within d of each one, `first` and `last`
the most pairs inside blocks of the algorithms before, and from, each one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_finite, check_pvalues, readonly
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import floor_pvalue, stepped
from tiebreak.wording import any_of, either


def shaffer(pvalues: npt.ArrayLike) -> FloatArray:
    """Step down through all pairs, paying only for numbers of hypotheses that can be true together.

    Hypothesis: one per pair of L algorithms: the two are equal; the family-wise error is kept at alpha whatever
    the dependence of the p-values.

    Formula: S(L) holds the numbers of pairs that can be equal at once (sums of k (k - 1) / 2 over the blocks of a
    partition of L algorithms). For sorted p_(1) <= ... <= p_(m), m = L (L - 1) / 2, let t_i be the largest member
    of S(L) that is at most m - i + 1; adjusted p_(i) = max over j <= i of min(1, t_j p_(j)).

    Assumptions:

    1. The p-values are of all pairs, and equality is transitive: if a = b and b = c, then a = c.
    2. Each p-value is valid on its own.

    When not to use it: against a control (the logic of pairs is then absent; use `holm`), or where
    `bergmann_hommel` is within reach: it rejects all that this rejects, and more.

    Parameters
    ----------
    pvalues : array_like, shape (pairs,)
        The L (L - 1) / 2 p-values in the order of ``numpy.triu_indices(L, 1)``.

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    shaffer1986

    Examples
    --------
    Four algorithms: of six pairs 0, 1, 2, 3 or 6 can be equal, so after one rejection three are paid for.

    >>> shaffer([0.004, 0.011, 0.3, 0.013, 0.6, 0.9])
    array([0.024, 0.033, 0.9  , 0.039, 1.   , 1.   ])
    """
    p, count = read_pairs(pvalues)
    return stepped(p, lambda p, left: np.minimum(p * affordable(count)[left], 1.0))  # Shaffer 1986: t_i


@lru_cache(maxsize=64)
def true_counts(count: int) -> IntArray:
    """List, in rising order, the numbers of pairs of `count` algorithms that can be equal at once.

    Bit s of ``sets[k]`` says that k algorithms can be partitioned with s pairs inside blocks; block sizes are
    admitted one after the other. Only totals on which a block of this size or a larger one can still be put are
    kept up to date.
    """
    sets = [1] * (count + 1)
    for size in range(2, count + 1):
        pairs = size * (size - 1) // 2
        for total in (*range(size, count - size + 1), count):
            sets[total] |= sets[total - size] << pairs
    length = count * (count - 1) // 2 + 1
    raw = np.frombuffer(sets[count].to_bytes((length + 7) // 8, "little"), dtype=np.uint8)
    return readonly(np.flatnonzero(np.unpackbits(raw, bitorder="little")).astype(np.int64))


@lru_cache(maxsize=64)
def affordable(count: int) -> IntArray:
    """Entry k is the largest possible number of equal pairs that is at most k, for k = 0 .. L (L - 1) / 2."""
    possible = true_counts(count)
    limit = np.arange(count * (count - 1) // 2 + 1)
    return readonly(possible[np.searchsorted(possible, limit, side="right") - 1])


def read_pairs(pvalues: npt.ArrayLike) -> tuple[FloatArray, int]:
    """Return the p-values of all pairs, checked, and the number of algorithms."""
    p = check_pvalues(pvalues)
    if p.ndim != 1:
        raise InputError(
            f"pvalues has {p.ndim} dimension(s).",
            why="All pairs are a vector, in the order of numpy.triu_indices(L, 1).",
            mend="Pass one p-value per pair; of a matrix p[numpy.triu_indices(len(p), 1)].",
        )
    return floor_pvalue(p), algorithms_of(p.size)


def algorithms_of(pairs: int) -> int:
    """Return the number L of algorithms that have this many pairs."""
    count = (1 + isqrt(1 + 8 * pairs)) // 2
    fewer, more = count * (count - 1) // 2, count * (count + 1) // 2
    if fewer != pairs:
        raise InputError(
            f"{pairs} p-values are not all pairs of any number of algorithms.",
            why=f"{count} algorithms have {fewer} pairs, {count + 1} have {more}.",
            mend="Pass every pair once, or use holm(...) for other families.",
        )
    return count


MOST = 1e290
"""Larger e-values count as this, so that sums of them stay finite."""


def closed_evalues(evalues: npt.ArrayLike, *, all_pairs: bool = False) -> FloatArray:
    """Adjust e-values for their number, by the mean of every set of hypotheses that holds each.

    Hypothesis: each e-value has its own; rejecting those whose adjusted e-value is at least 1 / alpha keeps the
    family-wise error at alpha, whatever the dependence of the e-values, and at whatever time one stops.

    Formula: the mean of e-values is an e-value, so a set S of hypotheses is rejected where mean(e_S) >= 1 / alpha, and
    a hypothesis where all sets that hold it are. Adjusted e_i = min over S that hold i of mean(e_S). For one size s
    the smallest mean is that of e_i and the s - 1 smallest others. With `all_pairs` only sizes count that the equal
    pairs of L algorithms can have (Shaffer): 1, 3 and no 2 for three algorithms.

    Assumptions:

    1. Each e-value has an expectation of at most 1 where its hypothesis is true; at a time that depends on what was
       seen, it is the value of a martingale that knows the data of all of them.
    2. With `all_pairs` equality is transitive: if a = b and b = c, then a = c.

    When not to use it: on p-values (`holm`, `shaffer`, `bergmann_hommel`). 1 / (adjusted e-value) is a p-value that no
    correction by Holm of the p-values 1 / e falls below.

    Parameters
    ----------
    evalues : array_like, shape (..., hypotheses)
        One family per row, not negative.
    all_pairs : bool, default False
        Whether they are of all pairs of L algorithms, in the order of ``numpy.triu_indices(L, 1)``.

    Returns
    -------
    ndarray
        Adjusted e-values in the same shape.

    References
    ----------
    vovk2021, section 6
    marcus1976
    shaffer1986

    Examples
    --------
    >>> closed_evalues([60, 30, 0.5])
    array([30.16666667, 15.25      ,  0.5       ])
    >>> closed_evalues([60, 30, 0.5], all_pairs=True)
    array([30.16666667, 30.        ,  0.5       ])
    """
    e = np.minimum(_checked(evalues), MOST)
    if e.size == 0:
        return e.copy()
    below, above = _sizes(e.shape[-1], all_pairs=all_pairs)
    rows = e.reshape(-1, e.shape[-1])
    return np.stack([_adjusted(row, below, above) for row in rows]).reshape(e.shape)


def _checked(evalues: npt.ArrayLike) -> FloatArray:
    e = as_floats(evalues, what="evalues")
    bad = np.argwhere(~(e >= 0))
    if e.ndim == 0 or bad.size:
        what = "a single number" if e.ndim == 0 else f"{e[tuple(bad[0])]} at {tuple(int(i) for i in bad[0])}"
        raise InputError(
            f"evalues holds {what}.",
            why="A family is a row of e-values, and evidence is never negative.",
            mend="Pass one row of e-values per family, not their logarithms.",
        )
    return e


def _sizes(count: int, *, all_pairs: bool) -> tuple[IntArray, IntArray]:
    """For every size s = 0 .. count, the nearest that a set of true hypotheses can have: up to s, and from s on."""
    every = np.arange(count + 1)
    if not all_pairs:
        return np.maximum(every, 1), np.maximum(every, 1)
    algorithms = algorithms_of(count)
    possible = true_counts(algorithms)[1:]
    return np.maximum(affordable(algorithms), 1), possible[np.searchsorted(possible, every)]


def _adjusted(e: FloatArray, below: IntArray, above: IntArray) -> FloatArray:
    """Find for each hypothesis the size of the worst set that holds it, and take the possible sizes beside that.

    With the sorted e_(1), e_(2), ... the mean of e_i and the s - 1 smallest falls with s as long as e_(s) lies below
    it, s e_(s) - (e_(1) + ... + e_(s-1)) <= e_i. The left side never falls with s, so one search finds the turn; away
    from it the mean rises to both sides, so of the possible sizes the two nearest are enough.
    """
    order = np.argsort(e, kind="stable")
    x = e[order]
    sums = np.concatenate([[0.0], np.cumsum(x)])
    size = np.arange(1, x.size + 1)
    place = np.arange(x.size)
    turn = (
        np.minimum(np.searchsorted(size * x - sums[:-1], x, side="right"), place) + 1
    )  # beyond its own place it rises

    def mean(s: IntArray) -> FloatArray:
        mask = place < s  # one of the s smallest itself
        return np.asarray(np.where(mask, sums[s], sums[s - 1] + x) / s)

    out = np.empty_like(x)
    out[order] = np.minimum(mean(below[turn]), mean(above[turn]))
    return out


CACHED = 9
"""Up to this many algorithms all partitions are kept: 21,147 of nine."""
LIMIT = 14
"""Above this many algorithms the search over 3^L pairs of subsets takes too long."""
_CELLS = 100_000  # numbers held at a time: small enough for the processor's cache
_NEVER = -(1 << 14)

Index = npt.NDArray[np.intp]


def adjust_any(p: FloatArray, count: int) -> FloatArray:
    """Adjust each row of p-values of all pairs of `count` algorithms, `count` at most `LIMIT`."""
    if count < 2:
        return p.copy()
    if count > CACHED:
        return np.array([_by_cliques(row, count) for row in p]).reshape(p.shape)
    held, size = _partitions(count)
    rows = max(1, _CELLS // held.size)
    parts = [_by_partitions(p[i : i + rows], held, size) for i in range(0, len(p), rows)]
    return np.concatenate(parts) if parts else p.copy()


def _by_partitions(p: FloatArray, held: BoolArray, size: FloatArray) -> FloatArray:
    """Maximise (pairs inside) x (least p inside) over the partitions that join each pair."""
    # Bergmann and Hommel 1988: the size of an exhaustive set times its least p-value
    value = np.where(held, p[:, :, None], np.inf).min(axis=1) * size
    return np.asarray(np.minimum(np.where(held, value[:, None, :], 0.0).max(axis=2), 1.0))


@lru_cache(maxsize=CACHED)
def _partitions(count: int) -> tuple[BoolArray, FloatArray]:
    """Say which pairs (rows) each partition (column) holds inside its blocks, and how many they are.

    The partition into single algorithms, which is the last, holds none and is left out.
    """
    labels = _growth_strings(count)[:-1]
    a, b = np.triu_indices(count, 1)
    held = labels.T[a] == labels.T[b]
    return readonly(held), readonly(held.sum(axis=0).astype(np.float64))


def _growth_strings(count: int) -> IntArray:
    """One row per partition: the block number of every algorithm, blocks numbered by first appearance."""
    rows, used = np.zeros((1, 1), dtype=np.int64), np.ones(1, dtype=np.int64)
    for _ in range(1, count):
        parent = np.repeat(np.arange(len(rows)), used + 1)
        label = np.arange(len(parent)) - np.repeat(np.cumsum(used + 1) - used - 1, used + 1)
        rows, used = np.column_stack([rows[parent], label]), np.maximum(used[parent], label + 1)
    return rows


def _size(subsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count the members of subsets written as bits."""
    return np.bitwise_count(subsets).astype(np.int64)


def _starts(sorted_keys: Index) -> Index:
    """Where each run of equal keys begins."""
    return readonly(np.flatnonzero(np.diff(sorted_keys, prepend=-1)))


def _by_cliques(p: FloatArray, count: int) -> FloatArray:
    """Search over thresholds t: the partitions whose p-values all reach t are partitions into cliques.

    A threshold cannot give any pair more than t times the largest number of true hypotheses that fits into
    the pairs reaching t (Shaffer's number); thresholds are visited in falling order of that bound, and only
    while some pair can still gain.
    """
    thresholds, reaching = np.unique(p, return_counts=True)
    reaching = np.cumsum(reaching[::-1])[::-1]
    bounds = np.minimum(thresholds * affordable(count)[reaching], 1.0)
    best = np.minimum(p.min() * p.size, 1.0) * np.ones_like(p)  # all algorithms in one block
    for k in np.argsort(-bounds, kind="stable"):
        joined = p >= thresholds[k]
        if not (joined & (best < bounds[k])).any():
            continue
        pairs = _cliques(joined, count)
        most = _most_pairs(pairs, count)
        if (joined & (best < min(thresholds[k] * int(most[-1]), 1.0))).any():
            threshold = thresholds[k] * _most_with_pair(pairs, most, count)
            best = np.where(joined, np.maximum(best, np.minimum(threshold, 1.0)), best)
    return np.asarray(best)


def _cliques(joined: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.int16]:
    """Number of pairs of every subset of the algorithms if all of them are joined, else far below zero."""
    neighbours = np.zeros(count, dtype=np.int64)
    a, b = np.triu_indices(count, 1)
    np.bitwise_or.at(neighbours, b[joined], 1 << a[joined])
    pairs = np.zeros(2**count, dtype=np.int16)
    for top in range(count):
        below = pairs[: 2**top]
        rest = np.arange(2**top)
        inside = (rest & ~neighbours[top]) == 0
        pairs[2**top : 2 ** (top + 1)] = np.where(inside & (below >= 0), below + _size(rest), _NEVER)
    return pairs


def _most_pairs(pairs: npt.NDArray[np.int16], count: int) -> npt.NDArray[np.int16]:
    """For every subset, the most pairs inside blocks over its partitions into cliques.

    The block of the highest member is tried in all ways; the rest is a smaller subset.
    """
    most = np.zeros_like(pairs)
    for top in range(1, count):
        chosen, rest, starts = _splits(top)
        value = pairs[2**top : 2 ** (top + 1)][chosen] + most[: 2**top][rest]
        most[2**top : 2 ** (top + 1)] = np.maximum.reduceat(value, starts)
    return most


@lru_cache(maxsize=LIMIT)
def _splits(bits: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16], Index]:
    """All ways to split each subset of `bits` members in two: 3^bits rows, and where each subset begins."""
    whole, chosen = np.zeros(1, dtype=np.uint16), np.zeros(1, dtype=np.uint16)
    for bit in np.left_shift(1, np.arange(bits)).astype(np.uint16):
        whole = np.concatenate([whole, whole | bit, whole | bit])
        chosen = np.concatenate([chosen, chosen, chosen | bit])
    order = np.argsort(whole, kind="stable")
    whole, chosen = whole[order], chosen[order]
    return readonly(chosen), readonly(whole ^ chosen), _starts(whole.astype(np.intp))


def _most_with_pair(pairs: npt.NDArray[np.int16], most: npt.NDArray[np.int16], count: int) -> npt.NDArray[np.int16]:
    """For every pair, the most pairs inside blocks over the partitions into cliques that join it.

    A clique's value is its own pairs plus the best of the rest; a pair takes the best clique that holds it,
    found by maximising over supersets one algorithm at a time.
    """
    value = (pairs + most[::-1]).reshape((2,) * count)  # most[::-1] belongs to the complements
    for axis in range(count):
        without = np.take(value, [0], axis=axis)
        held = np.take(value, [1], axis=axis)
        value = np.concatenate([np.maximum(without, held), held], axis=axis)
    a, b = np.triu_indices(count, 1)
    return np.asarray(value.reshape(-1)[(1 << a) | (1 << b)])


SAME_DISTANCE = 1e-12
"""Distances closer than this, relative to the largest position, are one distance."""
SAME_PVALUE = 1e-6
"""By how much, relatively, p-values may contradict the distances before it is an error."""
_LINE_CELLS = 200_000
_LINE_NEVER = -(1 << 30)

Counts = npt.NDArray[np.int32]


def adjust_line(p: FloatArray, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Adjust the p-values of all pairs; return also the p-values with equal distances made exactly equal."""
    count = positions.size
    order = np.argsort(positions, kind="stable")
    given = _given_pairs(order)
    step, price = _thresholds(positions[order], p[given], order)
    rows, columns = np.triu_indices(count, 1)
    steps = np.full((count, count), len(price))
    steps[rows, columns] = step
    best = _search(_Line.of(steps, price))
    adjusted, snapped = np.empty_like(p), np.empty_like(p)
    adjusted[given], snapped[given] = best[rows, columns], price[step]
    return adjusted, snapped


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class _Line:
    """Algorithms sorted by position, and for every threshold (row) what the module's heading names.

    `step` is the number of the threshold that each pair reaches, `price` the p-value at each threshold,
    `bound` the most that a threshold can give to any pair.
    """

    step: IntArray
    price: FloatArray
    low: Counts
    high: Counts
    first: Counts
    last: Counts
    bound: FloatArray

    @classmethod
    def of(cls, step: IntArray, price: FloatArray) -> _Line:
        """Work out the reach of every algorithm and the best partitions of every prefix and suffix."""
        count, thresholds = len(step), np.arange(len(price))
        high = np.empty((len(price), count), dtype=np.int32)
        low = np.empty_like(high)
        for i in range(count):
            high[:, i] = i + np.searchsorted(step[i, i + 1 :], thresholds, side="right")
            low[:, i] = i - np.searchsorted(step[:i, i][::-1], thresholds, side="right")
        first = _most_before(low)
        last = _most_before((count - 1 - high)[:, ::-1])[:, ::-1]
        bound = np.minimum(first[:, -1] * price, 1.0)
        return cls(step=step, price=price, low=low, high=high, first=first, last=last, bound=bound)


def _given_pairs(order: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Where, in the order of the input, each pair of sorted algorithms stands."""
    rows, columns = np.triu_indices(order.size, 1)
    a, b = np.minimum(order[rows], order[columns]), np.maximum(order[rows], order[columns])
    return np.asarray(a * (2 * order.size - a - 1) // 2 + b - a - 1)


def _thresholds(x: FloatArray, p: FloatArray, names: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Number the distinct p-values from near to far; return each pair's number and the p-value of each."""
    rows, columns = np.triu_indices(x.size, 1)
    distance = x[columns] - x[rows]
    order = np.argsort(distance, kind="stable")
    fresh = np.diff(distance[order], prepend=-np.inf) > SAME_DISTANCE * np.abs(x).max(initial=0.0)
    starts = np.flatnonzero(fresh)
    nearest = np.minimum.accumulate(np.minimum.reduceat(p[order], starts))
    price = np.maximum.reduceat(p[order], starts)
    rises = np.flatnonzero(price > nearest * (1 + SAME_PVALUE))
    if rises.size:
        begin, end = np.append(starts, p.size)[rises[0] : rises[0] + 2]
        close, far = order[p[order[:end]].argmin()], order[begin + p[order[begin:end]].argmax()]
        raise _not_a_line([(names[rows[k]], names[columns[k]], distance[k], p[k]) for k in (close, far)])
    price = np.maximum.accumulate(price[::-1])[::-1]
    distinct = np.diff(price, append=-1.0) != 0  # equal p-values are one threshold, the farthest distance
    number = (np.cumsum(distinct) - distinct)[np.cumsum(fresh) - 1]
    step = np.empty(p.size, dtype=np.intp)
    step[order] = number
    return step, price[distinct]


def _most_before(low: Counts) -> Counts:
    """Entry i: the most pairs inside blocks over the partitions of the first i algorithms into runs."""
    thresholds, count = low.shape
    most = np.zeros((thresholds, count + 1), dtype=np.int32)
    for i in range(count):
        begin = np.arange(i + 1, dtype=np.int32)
        value = most[:, : i + 1] + _pairs(i + 1 - begin)
        most[:, i + 1] = np.where(begin >= low[:, i : i + 1], value, 0).max(axis=1)
    return most


def _search(line: _Line) -> FloatArray:
    """Maximise (pairs inside) x (p-value) over the thresholds, those with the highest bound first.

    One pass tries runs for all pairs at once; a second, for the pairs and thresholds whose bound is still above what
    was found, tries all shapes.
    """
    best = np.zeros(line.step.shape)
    order = np.argsort(-line.bound, kind="stable")
    width = max(1, _LINE_CELLS // best.size)
    chunks = [order[i : i + width] for i in range(0, order.size, width)]
    for chunk in chunks:
        live = chunk[_open(line, best, chunk).any(axis=(1, 2))]
        counts = _with_run(line, live) * line.price[live, None, None]
        counts = np.where(line.step <= live[:, None, None], counts, 0.0)
        best = np.maximum(best, np.minimum(counts.max(axis=0, initial=0.0), 1.0))
    for chunk in chunks:
        k, a, b = np.nonzero(_open(line, best, chunk))
        _improve(line, best, chunk[k], a, b)
    return best


def _open(line: _Line, best: FloatArray, chunk: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Whether a threshold (first axis) could still raise a pair."""
    return np.asarray((line.step <= chunk[:, None, None]) & (best < line.bound[chunk, None, None]))


def _with_run(line: _Line, chunk: npt.NDArray[np.intp]) -> Counts:
    """For all pairs a < b, the most pairs inside blocks if one run of neighbours holds a and b."""
    index = np.arange(len(line.step), dtype=np.int32)
    inside = np.where(index >= index[:, None], _pairs(index - index[:, None] + 1), _LINE_NEVER)
    value = line.first[chunk, :-1, None] + inside + line.last[chunk, None, 1:]
    value = np.where(index <= line.high[chunk, :, None], value, _LINE_NEVER)
    value = np.maximum.accumulate(value, axis=1)
    return np.asarray(np.maximum.accumulate(value[:, :, ::-1], axis=2)[:, :, ::-1])


def _improve(
    line: _Line,
    best: FloatArray,
    k: npt.NDArray[np.intp],
    a: npt.NDArray[np.intp],
    b: npt.NDArray[np.intp],
) -> None:
    """Raise `best` to what the listed thresholds give the listed pairs."""
    reach = (line.high[k, a] - line.low[k, b]).max(initial=0) + 1
    width = max(1, _LINE_CELLS // int(reach) ** 2)
    for i in range(0, k.size, width):
        part = slice(i, i + width)
        counts = _with_any(line, k[part], a[part], b[part]) * line.price[k[part]]
        np.maximum.at(best, (a[part], b[part]), np.minimum(counts, 1.0))


def _with_any(line: _Line, k: npt.NDArray[np.intp], a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> Counts:
    """Most pairs inside blocks with a and b in one: the theorem's maximum over s and t, item by item."""
    k, a, b = k[:, None], a[:, None], b[:, None]
    s = _span(line.low[k, b], b - 1)
    t = _span(a + 1, line.high[k, a])
    left = np.where(s <= a, line.first[k, s], _crossing_left(line, k, a, s))
    right = np.where(t >= b, line.last[k, t + 1], _crossing_right(line, k, b, t))
    s_, t_ = s[:, :, None], t[:, None, :]
    within = np.maximum(t, b)[:, None, :] <= line.high[k, np.minimum(s, a)][:, :, None]
    value = left[:, :, None] + _pairs(t_ - s_ + 1) + right[:, None, :]
    return np.asarray(np.where(within & (s_ < t_), value, _LINE_NEVER).max(axis=(1, 2)))


def _crossing_left(line: _Line, k: npt.NDArray[np.intp], a: npt.NDArray[np.intp], s: npt.NDArray[np.intp]) -> Counts:
    """Most pairs up to s > a if a block crosses in from the left and takes all from its begin to s but a."""
    begin = _span(line.low[k, a], a)[:, None, :]
    value = line.first[k[:, :, None], begin] + _pairs(s[:, :, None] - begin)
    return np.asarray(np.where(begin >= line.low[k, s][:, :, None], value, _LINE_NEVER).max(axis=2))


def _crossing_right(line: _Line, k: npt.NDArray[np.intp], b: npt.NDArray[np.intp], t: npt.NDArray[np.intp]) -> Counts:
    """Most pairs from t < b if a block crosses in from the right and takes all from t to its end but b."""
    end = _span(b, line.high[k, b])[:, None, :]
    value = line.last[k[:, :, None], end + 1] + _pairs(end - t[:, :, None])
    return np.asarray(np.where(end <= line.high[k, t][:, :, None], value, _LINE_NEVER).max(axis=2))


def _span(start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
    """Rows start .. stop of equal width; a shorter row repeats its stop."""
    width = int((stop - start).max()) + 1
    return np.asarray(np.minimum(start + np.arange(width), stop), dtype=np.intp)


def _pairs(size: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return the number of pairs among `size` algorithms."""
    return np.asarray(size * (size - 1) // 2)


def _not_a_line(pairs: list[tuple[np.intp, np.intp, np.float64, np.float64]]) -> InputError:
    """Make the error for two pairs whose p-values contradict their distances."""
    texts = [
        f"algorithms {min(a, b)} and {max(a, b)} at distance {distance:.6g} have p = {p:.6g}"
        for a, b, distance, p in pairs
    ]
    return InputError(
        f"By positions, {texts[0]}, but {texts[1]}.",
        why="With positions= the p-values must be a function of the distance that never rises.",
        mend="Leave out positions= for p-values of any other origin.",
    )


def bergmann_hommel(
    pvalues: npt.ArrayLike, *, positions: npt.ArrayLike | None = None, monotone: bool = False
) -> FloatArray:
    """Reject a pair unless some accepted set of hypotheses that can be exactly the true ones holds it.

    Hypothesis: one per pair of L algorithms: the two are equal; if each p-value is valid (assumption 2), the
    family-wise error is kept at alpha whatever their dependence.

    Formula: if all algorithms of each block of a partition are equal, and none across blocks, exactly the pairs
    inside blocks are true. Adjusted p(a, b) = max over the partitions in which a and b share a block of
    (number of pairs inside blocks) x (smallest p inside blocks), at most 1.

    Assumptions:

    1. The p-values are of all pairs, and equality is transitive: if a = b and b = c, then a = c.
    2. The p-value of each true pair is valid, P(p <= u) <= u for every u, whatever is true of the other pairs. The z
       tests on mean ranks do not ensure it: where other algorithms differ, or vary more, their error can exceed alpha.

    When not to use it: against a control (use `holm`). Adjusted values are not ordered as the raw ones are: a pair
    with the larger p-value can have the smaller adjusted one, where logic allows it; `monotone=True` hides that at
    the price of power.

    Parameters
    ----------
    pvalues : array_like, shape (pairs,)
        The L (L - 1) / 2 p-values in the order of ``numpy.triu_indices(L, 1)``.
    positions : array_like, shape (L,), optional
        Where the algorithms lie on a line (their mean ranks) if the p-values are a function of the distance that
        never rises, such as z tests on mean ranks. Then the time is polynomial in L. Distances that agree to
        twelve digits count as equal.
    monotone : bool, default False
        Whether to raise each adjusted value to the largest among those of the raw p-values up to its own, as printed
        tables do. The default inverts the procedure itself.

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    Raises
    ------
    OptionError
        Without positions for more than 14 algorithms.
    InputError
        With positions that the p-values contradict.

    References
    ----------
    bergmann1988
    garcia2008

    Examples
    --------
    >>> bergmann_hommel([0.004, 0.011, 0.3, 0.013, 0.6, 0.9])
    array([0.024, 0.033, 0.3  , 0.039, 0.6  , 0.9  ])

    Six algorithms on 30 data sets, z tests on mean ranks:

    >>> from scipy.special import ndtr
    >>> ranks = np.array([1.8, 2.3, 3.4, 3.6, 4.4, 5.5])
    >>> a, b = np.triu_indices(6, 1)
    >>> p = 2 * ndtr(-np.abs(ranks[a] - ranks[b]) / np.sqrt(6 * 7 / (6 * 30)))
    >>> (bergmann_hommel(p, positions=ranks) <= 0.05).sum()
    np.int64(10)
    """
    p, count = read_pairs(pvalues)
    if positions is None:
        _check_reach(count)
        adjusted, ordering = adjust_any(p[None], count)[0], p
    elif count < 2:
        adjusted, ordering = p.copy(), p
    else:
        adjusted, ordering = adjust_line(p, _check_positions(positions, count))
    if monotone:
        adjusted = _running_maximum(adjusted[None], ordering[None])[0]
    return np.asarray(adjusted)


def bergmann_hommel_rows(pvalues: npt.ArrayLike, *, monotone: bool = False) -> FloatArray:
    """Apply `bergmann_hommel` to every row: one family of all pairs per data set.

    Hypothesis: as for `bergmann_hommel`; each row is a family of its own.
    Formula, assumptions and when not to use it: as there. Up to nine algorithms all rows are worked on at once.

    Parameters
    ----------
    pvalues : array_like, shape (..., L (L - 1) / 2)
        The last axis in the order of ``numpy.triu_indices(L, 1)``.
    monotone : bool, default False

    Returns
    -------
    ndarray
        Adjusted p-values in the same shape.

    References
    ----------
    ulas2012

    Examples
    --------
    >>> bergmann_hommel_rows([[0.01, 0.02, 0.6], [0.03, 0.03, 0.02]])
    array([[0.03, 0.03, 0.6 ],
           [0.06, 0.06, 0.06]])
    """
    p = floor_pvalue(check_pvalues(pvalues))
    if p.ndim == 0:
        raise InputError(
            "pvalues is a single number.",
            why="The last axis holds all pairs of a family.",
            mend="Pass one row of p-values per family.",
        )
    count = algorithms_of(p.shape[-1])
    _check_reach(count)
    rows = p.reshape(-1, p.shape[-1])
    adjusted = adjust_any(rows, count)
    return (_running_maximum(adjusted, rows) if monotone else adjusted).reshape(p.shape)


def _check_reach(count: int) -> None:
    """Refuse more algorithms than the exact search can handle."""
    if count > LIMIT:
        raise OptionError(
            f"{count} algorithms are too many for Bergmann-Hommel with p-values of any origin.",
            why=f"The time of the exact search triples with every algorithm; it ends at {LIMIT}.",
            mend=either(
                "Use shaffer(...) or holm(...); or pass positions=mean_ranks if the p-values come from differences of"
                " mean ranks.",
                f"Use {any_of('posthoc', ['shaffer', 'holm'])}.",
            ),
        )


def _check_positions(positions: npt.ArrayLike, count: int) -> FloatArray:
    """Return one finite position per algorithm."""
    x = as_floats(positions, what="positions")
    if x.shape != (count,):
        raise InputError(
            f"positions has shape {x.shape} for {count} algorithms.",
            why="Every algorithm has one position on the line.",
            mend=f"Pass the {count} mean ranks.",
        )
    check_finite(x, what="positions")
    return x


def _running_maximum(adjusted: FloatArray, ordering: FloatArray) -> FloatArray:
    """Give every hypothesis the largest adjusted value among those whose raw p-value is not above its own."""
    out = np.empty_like(adjusted)
    for row, p, result in zip(adjusted, ordering, out, strict=True):
        order = np.argsort(p, kind="stable")
        largest = np.maximum.accumulate(row[order])
        result[:] = largest[np.searchsorted(p[order], p, side="right") - 1]
    return out
