"""Gaps in a table of results, filled by what its row and its column are like elsewhere."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray

ROUNDS = 50
"""Sweeps over rows and columns with which gaps are filled; the values settle after a few."""


def filled(values: FloatArray, *, logarithm: bool = False) -> FloatArray:
    """Fill gaps by row + column (of logarithms: row x column, 0 as the least above it), at most the row's largest.

    Several tables, (tables, data sets, algorithms), are filled each by itself.
    """
    there = np.isfinite(values)
    if there.all():
        return values
    least = _least(values, there) if logarithm else 0.0
    known = np.where(there, np.log(np.where(there, np.maximum(values, least), 1.0)) if logarithm else values, 0.0)
    wide, long = (np.maximum(there.sum(axis=axis, keepdims=True), 1) for axis in (-1, -2))
    columns = np.zeros(long.shape)
    rows = np.zeros(wide.shape)
    for _ in range(ROUNDS):
        rows = ((known - columns) * there).sum(axis=-1, keepdims=True) / wide
        columns = ((known - rows) * there).sum(axis=-2, keepdims=True) / long
    guess = np.minimum(rows + columns, np.where(there, known, -np.inf).max(axis=-1, initial=-np.inf, keepdims=True))
    out = np.where(there, values, np.exp(guess) if logarithm else guess)
    return np.where(there.any(axis=-2, keepdims=True) & there.any(axis=-1, keepdims=True), out, np.nan)


def _least(values: FloatArray, there: BoolArray) -> FloatArray:
    """Return the least value above 0 of every table, at most 1."""
    above = np.where(there & (values > 0), values, np.inf)
    return np.asarray(above.min(axis=(-2, -1), initial=1.0, keepdims=True))
