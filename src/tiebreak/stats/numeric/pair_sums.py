"""From differences of paired scores to t and its p-value, many pairs at once; rounding noise told from spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.stats.numeric.tails import t_two_sided

NOISE = 1e-12
"""Differences shorter than this share of the length of the scores are rounding noise, that is zero."""
BLOCK = 65_536
"""Numbers in a block: small enough that a block and its temporaries stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """Statistic, p-value and mean difference of many tests; `identical` marks those without a difference."""

    statistic: FloatArray
    pvalue: FloatArray
    mean: FloatArray
    identical: BoolArray


Kernel = Callable[[FloatArray, FloatArray], Outcome]
"""From differences (folds first) and the squared length of both scores to the outcome."""


def squared_length(scores: FloatArray) -> FloatArray:
    """Sum the squares over the first axis: what the size of rounding noise is measured against."""
    return exact_sum(np.square(plane) for plane in scores)


def mean_outcome(d: FloatArray, size: FloatArray, *, factor: float) -> Outcome:
    """T = mean / sqrt(factor s^2), s^2 the variance over the first axis; factor 1/n is the paired t test."""
    count = len(d)
    noise = NOISE**2 * size
    mean = exact_sum(d) / len(d)
    squares = squared_length(d - mean)
    mean = np.where(count * np.square(mean) <= noise, 0.0, mean)
    t = ratio(mean, np.where(squares <= noise, 0.0, factor * squares / (count - 1)))
    identical = (mean == 0.0) & (squares <= noise)
    return Outcome(statistic=t, pvalue=t_two_sided(t, count - 1), mean=mean, identical=identical)


def every_pair(x: FloatArray, a: IntArray, b: IntArray, kernel: Kernel) -> Outcome:
    """Run a test on every pair of columns of every data set; `x` is (folds, data sets, algorithms)."""
    shape = (x.shape[1], len(a))
    statistic, pvalue, mean = np.empty(shape), np.empty(shape), np.empty(shape)
    identical = np.empty(shape, dtype=bool)
    size = squared_length(x)
    for rows, pairs, d in _pair_blocks(x, a, b):
        part = kernel(d, size[rows][:, a[pairs]] + size[rows][:, b[pairs]])
        statistic[rows, pairs], pvalue[rows, pairs] = part.statistic, part.pvalue
        mean[rows, pairs], identical[rows, pairs] = part.mean, part.identical
    return Outcome(statistic=statistic, pvalue=pvalue, mean=mean, identical=identical)


def _pair_blocks(scores: FloatArray, a: IntArray, b: IntArray) -> Iterator[tuple[slice, slice, FloatArray]]:
    """Yield a - b for blocks of data sets and pairs; `scores` is (folds, data sets, algorithms)."""
    n_folds, n_datasets, _ = scores.shape
    wide = max(1, min(len(a), BLOCK // n_folds))
    high = max(1, BLOCK // (n_folds * wide))
    for row in range(0, n_datasets, high):
        rows = slice(row, min(n_datasets, row + high))
        part = scores[:, rows]
        for pair in range(0, len(a), wide):
            pairs = slice(pair, min(len(a), pair + wide))
            d = np.take(part, a[pairs], axis=2)
            d -= np.take(part, b[pairs], axis=2)
            yield rows, pairs, d


def ratio(top: FloatArray, variance: FloatArray) -> FloatArray:
    """Top over the root of the variance; 0 / 0 is 0 and anything else over 0 is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top == 0.0, 0.0, top / np.sqrt(variance))


def exact_sum(planes: Iterable[FloatArray]) -> FloatArray:
    """Add arrays up one after the other: the same pair gives the same digits alone and among others."""
    total = np.asarray(0.0)
    for plane in planes:
        total = total + plane
    return np.asarray(total)
