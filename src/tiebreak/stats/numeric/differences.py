"""Differences between paired scores, all pairs of algorithms at once, with one meaning of their sign."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_matrix, check_within
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

ULPS = 8 * float(np.finfo(np.float64).eps)


def paired_columns(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return two paired vectors as the columns of a checked matrix."""
    why = "The scores are compared in pairs, so both need one value per data set, in the same order."
    return check_matrix(np.column_stack(same_shape(a, b, 1, why=why, mend="Pass two vectors of the same length.")))


def same_shape(a: npt.ArrayLike, b: npt.ArrayLike, ndim: int, *, why: str, mend: str) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of one shape with `ndim` dimensions."""
    first, second = as_floats(a, what="a"), as_floats(b, what="b")
    if first.ndim != ndim or first.shape != second.shape:
        raise InputError(f"a has shape {first.shape} and b has shape {second.shape}.", why=why, mend=mend)
    return first, second


def advantages(matrix: FloatArray, a: IntArray, b: IntArray, *, higher_is_better: bool) -> FloatArray:
    """Differences of each pair, one row per pair and one column per data set; positive where b is better."""
    raw = (matrix[:, b] - matrix[:, a]).T
    return np.ascontiguousarray(raw if higher_is_better else -raw)


def rounding_noise(matrix: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return per pair the size below which a difference is noise of binary rounding.

    0.85 - 0.84 is not 0.01 in binary; nobody means the last bit to decide on which side of a limit it lies.
    """
    largest = np.abs(matrix).max(axis=0)
    return np.asarray(ULPS * np.maximum(largest[a], largest[b]))


def check_rope(rope: float) -> float:
    """Return the half width of the region of practical equivalence, finite and not negative."""
    why = "It is the largest difference, in the unit of the scores, that does not matter in practice."
    mend = f"Use {option(rope=0.01)} for accuracies between 0 and 1, or {option(rope=0)}."
    return check_within(option("rope"), rope, 0.0, float("inf"), from_low=True, why=why, mend=mend)


def check_count(name: str, value: int, *, least: int = 1, usual: int = 1000) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise OptionError(
            f"{option(name)} is {value!r}.",
            why=f"It counts something and must be a whole number of at least {least}.",
            mend=f"Use {option(**{name: usual})}.",
        )
    return int(value)
