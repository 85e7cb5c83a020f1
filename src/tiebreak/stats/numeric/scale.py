"""Scores of any size: scaled by powers of two, which rounds nothing, before they are squared or summed."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

LARGEST = 1e150
"""Scores beyond this overflow when they are squared."""

SQUARES = 340
"""Where the largest score lies between 2**-340 and 2**340, sums of squares neither overflow nor vanish."""

SUMS = 900
"""The same for sums and differences. Within it tests on ranks see the decimals of the scores as they are."""


def rescaled(
    *scores: FloatArray, axis: int | tuple[int, ...] | None = None, reach: int = SQUARES
) -> tuple[tuple[FloatArray, ...], IntArray]:
    """Divide arrays by one power of two such that the largest score lies within 2**-reach and 2**reach.

    Each slice over `axis` is scaled by itself. Scores within reach are returned as they are. The exponents are
    returned too, with `axis` kept: `numpy.ldexp(value, exponent)` brings a value back to the unit of the scores.
    """
    largest = np.asarray(0.0)
    for part in scores:
        largest = np.maximum(largest, np.abs(part).max(axis=axis, keepdims=True, initial=0.0))
    exponent = np.frexp(largest)[1].astype(np.int64)
    exponent -= np.clip(exponent, -reach, reach)
    if not exponent.any():
        return scores, exponent
    return tuple(np.ldexp(part, -exponent) for part in scores), exponent


def deviation(values: FloatArray, *, axis: int) -> FloatArray:
    """Return the standard deviation over an axis, n - 1 in the denominator, of values of any size."""
    (near,), exponent = rescaled(values, axis=axis)
    return np.asarray(np.ldexp(near.std(axis=axis, ddof=1), exponent.squeeze(axis)))


def check_squares(scores: FloatArray, *, what: str) -> None:
    """Refuse scores whose squares overflow: what is reported in their unit could not be written."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest > LARGEST:
        raise InputError(
            f"{what} holds a score of size {largest:.3g}.",
            why=f"The square of a score above {LARGEST:.0e} is not a number any more.",
            mend="Leave that algorithm out, or compare ranks over many data sets.",
        )
