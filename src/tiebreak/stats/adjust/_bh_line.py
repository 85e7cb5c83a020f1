"""Bergmann-Hommel in polynomial time, for p-values that fall with a distance on a line.

The structure used here is proved in docs/bergmann-hommel.md; names follow it: for a threshold d, `low` and `high`
are the first and last algorithm within d of each one, `first` and `last` the most pairs inside blocks of the
algorithms before, and from, each one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

SAME_DISTANCE = 1e-12
"""Distances closer than this, relative to the largest position, are one distance."""
SAME_PVALUE = 1e-6
"""By how much, relatively, p-values may contradict the distances before it is an error."""
_CELLS = 200_000
_NEVER = -(1 << 30)

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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    width = max(1, _CELLS // best.size)
    chunks = [order[i : i + width] for i in range(0, order.size, width)]
    for chunk in chunks:
        live = chunk[_open(line, best, chunk).any(axis=(1, 2))]
        found = _with_run(line, live) * line.price[live, None, None]
        found = np.where(line.step <= live[:, None, None], found, 0.0)
        best = np.maximum(best, np.minimum(found.max(axis=0, initial=0.0), 1.0))
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
    inside = np.where(index >= index[:, None], _pairs(index - index[:, None] + 1), _NEVER)
    value = line.first[chunk, :-1, None] + inside + line.last[chunk, None, 1:]
    value = np.where(index <= line.high[chunk, :, None], value, _NEVER)
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
    width = max(1, _CELLS // int(reach) ** 2)
    for i in range(0, k.size, width):
        part = slice(i, i + width)
        found = _with_any(line, k[part], a[part], b[part]) * line.price[k[part]]
        np.maximum.at(best, (a[part], b[part]), np.minimum(found, 1.0))


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
    return np.asarray(np.where(within & (s_ < t_), value, _NEVER).max(axis=(1, 2)))


def _crossing_left(line: _Line, k: npt.NDArray[np.intp], a: npt.NDArray[np.intp], s: npt.NDArray[np.intp]) -> Counts:
    """Most pairs up to s > a if a block crosses in from the left and takes all from its begin to s but a."""
    begin = _span(line.low[k, a], a)[:, None, :]
    value = line.first[k[:, :, None], begin] + _pairs(s[:, :, None] - begin)
    return np.asarray(np.where(begin >= line.low[k, s][:, :, None], value, _NEVER).max(axis=2))


def _crossing_right(line: _Line, k: npt.NDArray[np.intp], b: npt.NDArray[np.intp], t: npt.NDArray[np.intp]) -> Counts:
    """Most pairs from t < b if a block crosses in from the right and takes all from t to its end but b."""
    end = _span(b, line.high[k, b])[:, None, :]
    value = line.last[k[:, :, None], end + 1] + _pairs(end - t[:, :, None])
    return np.asarray(np.where(end <= line.high[k, t][:, :, None], value, _NEVER).max(axis=2))


def _span(start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
    """Rows start .. stop of equal width; a shorter row repeats its stop."""
    width = int((stop - start).max()) + 1
    return np.asarray(np.minimum(start + np.arange(width), stop), dtype=np.intp)


def _pairs(size: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return the number of pairs among `size` algorithms."""
    return np.asarray(size * (size - 1) // 2)


def _not_a_line(pairs: list[tuple[np.intp, np.intp, np.float64, np.float64]]) -> InputError:
    """Make the error for two pairs whose p-values contradict their distances."""
    told = [
        f"algorithms {min(a, b)} and {max(a, b)} at distance {distance:.6g} have p = {p:.6g}"
        for a, b, distance, p in pairs
    ]
    return InputError(
        f"By positions, {told[0]}, but {told[1]}.",
        why="With positions= the p-values must be a function of the distance that never rises.",
        mend="Leave out positions= for p-values of any other origin.",
    )
