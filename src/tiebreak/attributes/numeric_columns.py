"""One pass over the numeric attributes: how many values each has, its mean and spread, and whether it has outliers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray

OUTLIER_RATIO = 0.7
"""An attribute has outliers when trimming leaves less than this share of its standard deviation."""

_BLOCK = 1 << 18  # numbers held at a time: 2 MB
_SAFE = (1e-100, 1e100)  # magnitudes whose squares and sums neither overflow nor vanish


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is known of the numeric attributes, one entry each; `places` are their columns in the data set."""

    places: IntArray
    present: IntArray
    mean: FloatArray
    sd: FloatArray
    trimmed_ratio: FloatArray
    exponent: IntArray

    @property
    def varying(self) -> BoolArray:
        """Whether the attribute has at least two different values."""
        return self.sd > 0

    @property
    def outliers(self) -> BoolArray:
        """Whether the attribute has outliers by the rule of trimmed standard deviations."""
        return self.trimmed_ratio < OUTLIER_RATIO


def numeric_columns(values: FloatArray, symbolic: BoolArray) -> Columns:
    """Summarise the numeric columns of a matrix, some at a time so that memory stays bounded.

    Mean and standard deviation are those of the values times 2^-exponent; the exponent is 0 unless the magnitude of
    the values would overflow or vanish when squared.
    """
    places = np.flatnonzero(~symbolic).astype(np.int64)
    parts = [_summaries(values, block) for block in _blocks(places, len(values))]
    present, mean, sd, ratio, exponent = np.concatenate(parts, axis=1) if parts else np.empty((5, 0))
    return Columns(
        places=places,
        present=present.astype(np.int64),
        mean=mean,
        sd=sd,
        trimmed_ratio=ratio,
        exponent=exponent.astype(np.int64),
    )


def kept_ranks(count: int) -> tuple[int, int]:
    """Return the first and last place (from 0) of the sorted values that trimming keeps.

    With v = 0.05 n an integer, ranks v + 1 to n - v stay; otherwise v = ceil(0.05 n) and ranks v to n - v + 1 stay.

    Examples
    --------
    >>> kept_ranks(20), kept_ranks(21), kept_ranks(5)
    ((1, 18), (1, 19), (0, 4))
    """
    cut = count // 20  # where 0.05 n is no integer, rank ceil(0.05 n) is the place floor(0.05 n) counted from 0
    return cut, count - cut - 1


def scaled(block: FloatArray, exponent: IntArray, *, axis: int) -> FloatArray:
    """Return columns times 2^-exponent; the block itself where there is nothing to scale."""
    if not exponent.any():
        return block
    return np.ldexp(block, -np.expand_dims(exponent, axis).astype(np.int32))


def as_slice(places: IntArray) -> slice | IntArray:
    """Return neighbouring places as a slice, which spares a copy; others as they are."""
    if len(places) and places[-1] - places[0] == len(places) - 1:  # places are sorted
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _blocks(places: IntArray, n_rows: int) -> Iterator[IntArray]:
    width = max(8, _BLOCK // max(n_rows, 1))  # eight neighbouring numbers share a line of the cache
    for start in range(0, len(places), width):
        yield places[start : start + width]


def _summaries(values: FloatArray, places: IntArray) -> FloatArray:
    """Return count, mean, sd, trimmed ratio and exponent of some columns."""
    block = np.array(values[:, as_slice(places)].T, order="C")
    missing = np.isnan(block)
    gaps = missing.sum(axis=1) if missing.any() else np.zeros(len(block), dtype=np.int64)
    found = np.zeros((5, len(block)))
    found[3] = 1.0
    whole = np.flatnonzero(gaps == 0)
    if len(values):
        found[:, whole] = _summarise(block if len(whole) == len(block) else block[whole])
    for place in np.flatnonzero(gaps):
        column = block[place][~missing[place]]
        if len(column):
            found[:, place] = _summarise(column[None, :])[:, 0]
    return found


def _summarise(block: FloatArray) -> FloatArray:
    """Summarise the rows of a matrix without gaps, which is used up on the way."""
    count = block.shape[1]
    low, high = block.min(axis=1), block.max(axis=1)
    exponent = safe_exponents(np.maximum(np.abs(low), np.abs(high)))
    block = scaled(block, exponent, axis=1)
    mean = block.mean(axis=1)
    block -= mean[:, None]
    sd = _deviation(block)
    sd[low == high] = 0.0
    first, last = kept_ranks(count)
    block.partition(last, axis=1)
    if first > 0:
        block[:, :last].partition(first, axis=1)
    trimmed = _deviation(block[:, first : last + 1])
    ratio = np.divide(trimmed, sd, out=np.ones_like(sd), where=sd > 0)
    return np.stack([np.full(len(block), float(count)), mean, sd, ratio, exponent.astype(np.float64)])


def safe_exponents(magnitude: FloatArray) -> IntArray:
    """Return the powers of two that bring magnitudes beyond the safe range to about 1, and 0 for the others."""
    unsafe = (magnitude > _SAFE[1]) | ((magnitude < _SAFE[0]) & (magnitude > 0))
    return np.where(unsafe, np.frexp(magnitude)[1], 0).astype(np.int64)


def _deviation(block: FloatArray) -> FloatArray:
    """Return the standard deviation (n - 1) of rows whose mean is near 0."""
    count = block.shape[1]
    if count < 2:
        return np.zeros(len(block))
    squares = np.einsum("ij,ij->i", block, block)
    found: FloatArray = np.sqrt(np.maximum(squares - block.sum(axis=1) ** 2 / count, 0.0) / (count - 1))
    return found
