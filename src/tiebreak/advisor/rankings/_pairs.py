"""The arithmetic that all ranking methods share: means over data sets for every pair, then over the other algorithms.

Every method gives each data set a value for each pair (p, q) of algorithms measured there: the logarithm of a ratio,
or who won. A ranking takes the weighted mean over the data sets where both were measured, undoes the logarithm, and
averages over q. Many weightings (one per data set left out) are computed at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray

BLOCK = 1 << 18
"""Pair values computed at a time."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Values of all pairs on all data sets, made block by block; `mask` is (data sets, algorithms).

    `values` takes some data sets and returns (rows, algorithms, algorithms); anything finite where one is missing.
    """

    mask: BoolArray
    values: Callable[[slice], FloatArray]
    with_self: bool = False
    exponential: bool = False
    lower_is_better: bool = False

    def blocks(self, weightings: int = 1) -> list[slice]:
        """Cut the data sets into blocks; many weightings make larger ones worth their memory."""
        count, m = self.mask.shape
        step = max(1, BLOCK // (m * m), min(64, weightings))
        return [slice(start, min(start + step, count)) for start in range(0, count, step)]

    def complete(self) -> bool:
        """Whether nothing is missing."""
        return bool(self.mask.all())

    def masked(self, rows: slice) -> FloatArray:
        """Return the values, 0 where one of the two is missing."""
        value = self.values(rows)
        if not self.complete():
            value *= self.mask[rows, :, None]
            value *= self.mask[rows, None, :]
        return value

    def rests(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms, algorithms): the weight of the data sets where both were measured."""
        if self.complete():
            m = self.mask.shape[1]
            return np.broadcast_to(weights.sum(axis=1)[:, None, None], (len(weights), m, m))
        there = self.mask.astype(np.float64)
        return np.array([(row[:, None] * there).T @ there for row in weights])

    def partners(self, rests: FloatArray) -> FloatArray:
        """Return 1 for every pair that counts, 0 for those without a common data set and, mostly, for p with itself."""
        m = rests.shape[-1]
        counts = (rests > 0).astype(np.float64)
        counts[:, np.arange(m), np.arange(m)] = 0.0
        if self.with_self:
            counts[:, np.arange(m), np.arange(m)] = counts.sum(axis=2) > 0
        return counts

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms) scores, higher the better; NaN for an algorithm without a partner."""
        step = max(1, 16 * BLOCK // self.mask.shape[1] ** 2)
        parts = [self._scores(weights[start : start + step]) for start in range(0, len(weights), step)]
        return -np.concatenate(parts) if self.lower_is_better else np.concatenate(parts)

    def _scores(self, weights: FloatArray) -> FloatArray:
        """All weightings share one pass over the pairs: leaving each data set out costs one product of matrices."""
        total = np.zeros((len(weights), self.mask.shape[1] ** 2))
        for rows in self.blocks(len(weights)):
            value = self.masked(rows)
            total += weights[:, rows] @ value.reshape(len(value), -1)
        rests = self.rests(weights)
        return self._over_partners(total.reshape(rests.shape), rests)

    def each(self) -> FloatArray:
        """Return (data sets, algorithms): the scores on every data set alone."""
        out = []
        for rows in self.blocks():
            value = self.masked(rows)
            there = self.mask[rows].astype(np.float64)
            out.append(self._over_partners(value, there[:, :, None] * there[:, None, :]))
        return np.concatenate(out)

    def _over_partners(self, total: FloatArray, rests: FloatArray) -> FloatArray:
        """Turn sums over data sets into means, and average them over the partners of each algorithm."""
        value = np.divide(total, rests, out=np.zeros_like(total), where=rests > 0)
        if self.exponential:
            np.exp(value, out=value)
        counts = self.partners(rests)
        number = counts.sum(axis=2)
        mean = np.einsum("rpq,rpq->rp", value, counts)
        return np.asarray(np.divide(mean, number, out=np.full(mean.shape, np.nan), where=number > 0))

    def summary(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores for one weighting, and each data set's part of the mean over q before any exponential."""
        rests = self.rests(weights[None])
        counts = self.partners(rests)[0]
        number = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        share = np.divide(counts / number, rests[0], out=np.zeros_like(counts), where=rests[0] > 0)
        total = np.zeros(counts.size)
        parts = []
        for rows in self.blocks():
            value = self.masked(rows)
            total += weights[rows] @ value.reshape(len(value), -1)
            parts.append(np.einsum("spq,pq->sp", value, share) * weights[rows, None])
        return self._over_partners(total.reshape(rests.shape), rests)[0], np.concatenate(parts)


def log_ratios(logs: FloatArray, tens: FloatArray | None, mask: BoolArray) -> Callable[[slice], FloatArray]:
    """Return log ratios of p to q: differences of `logs`, less log(1 + tens_p - tens_q), tens being AccD log10 T."""
    complete = bool(mask.all())

    def values(rows: slice) -> FloatArray:
        p, q = logs[rows, :, None], logs[rows, None, :]
        if tens is None:
            return np.asarray(p - q)
        value = (tens[rows] + 1.0)[:, :, None] - tens[rows, None, :]  # ARR's divisor, Brazdil et al. 2003
        if not complete:
            np.maximum(value, np.finfo(np.float64).tiny, out=value)  # what is missing has no divisor
        np.log(value, out=value)
        np.subtract(p, value, out=value)
        value -= q
        return np.asarray(value)

    return values


def losses(success: FloatArray) -> Callable[[slice], FloatArray]:
    """Return 1 where p has the lower score than q, a half where both are equal: the mean rank less 1, over m - 1."""

    def values(rows: slice) -> FloatArray:
        p, q = success[rows, :, None], success[rows, None, :]
        return np.asarray((p < q) + 0.5 * (p == q))

    return values
