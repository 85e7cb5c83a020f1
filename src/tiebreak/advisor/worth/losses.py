"""What orders of algorithms lose: the best of their first ones, beside the best of all, and beside chance."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor._held import held


def order_of(scores: FloatArray, there: BoolArray) -> IntArray:
    """Order algorithms by falling score; those without a score after them, those without a result last."""
    low = np.where(np.isnan(scores), np.finfo(np.float64).max, -np.round(scores, 12))
    return np.argsort(np.where(there, low, np.inf), axis=1, kind="stable")


def losses_of(order: IntArray, success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return (data sets, N): what the best of the first N loses, by what they are worth for their time, gaps filled.

    `order` is (data sets, algorithms), or several such orders.
    """
    first, row = order[..., :most], np.arange(len(success))[:, None]
    best = np.maximum.accumulate(np.where(np.isfinite(success), success, -np.inf)[row, first], axis=-1)
    top = np.nanmax(success, axis=1, keepdims=True)
    if seconds is None or not power:
        return np.asarray(top - best)
    spent = np.cumsum(seconds[row, first], axis=-1)
    return np.asarray(top - best * (np.nanmin(seconds, axis=1, keepdims=True) / spent) ** power)


def random_losses(success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return what so many algorithms drawn at random lose on average: exactly, but for trades, which are drawn."""
    if seconds is not None and power:
        there = np.isfinite(success)
        drawn = held(("drawn", success.shape, there.tobytes(), most), lambda: _drawn(there)[:, :, :most])
        return np.asarray(losses_of(drawn, success, seconds, power, most).mean(axis=0))
    out = np.empty((len(success), most))
    for place, row in enumerate(success):
        lost = np.sort(row[np.isfinite(row)].max() - row[np.isfinite(row)])
        for n in range(1, most + 1):
            out[place, n - 1] = lost @ first_of(len(lost), min(n, len(lost)))
    return out


def _drawn(there: BoolArray) -> IntArray:
    """Return (200, data sets, algorithms): orders at random, those without a result last."""
    rng = np.random.default_rng(0)
    draws = [rng.permuted(np.tile(np.arange(there.shape[1]), (len(there), 1)), axis=1) for _ in range(200)]
    places = np.argsort(draws, axis=2).astype(np.float64)
    return np.argsort(np.where(there, places, np.inf), axis=2, kind="stable")


def first_of(count: int, n: int) -> FloatArray:
    """Return the chance that the j-th best is the best of n drawn: C(count - j, n - 1) / C(count, n)."""
    chance = np.zeros(count)
    chance[0] = n / count
    for j in range(1, count - n + 1):
        chance[j] = chance[j - 1] * (count - j - n + 1) / (count - j)
    return chance
