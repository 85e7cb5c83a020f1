"""Ranks of algorithms within each data set: 1 is best, ties share the average."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, check_matrix, check_table

NOISE = 1e-13
"""Scores that differ by less than this share of their size differ by rounding alone: the sixteenth digit, summed up."""


def rank_rows(scores: npt.ArrayLike, *, higher_is_better: bool = False) -> FloatArray:
    """Rank the algorithms within each data set, 1 the best, ties with their average rank.

    Hypothesis: none; this is the transformation on which the rank tests stand.
    Formula: the rank of a score is one plus the number of better scores plus half the number of
    other scores equal to it.
    Assumptions: scores are comparable within a row; nothing is assumed between rows.
    When not to use it: where the size of a difference matters, not only its direction.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    higher_is_better : bool, default False
        Whether the highest score of a row gets rank 1. By default the lowest does.

    Returns
    -------
    ndarray, shape (data sets, algorithms)

    References
    ----------
    demsar2006, section 3.2.2

    Examples
    --------
    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]], higher_is_better=True)
    array([[1.5, 3. , 1.5, 4. ]])
    """
    matrix = check_matrix(scores, min_rows=1)
    return average_ranks(-matrix if higher_is_better else matrix, tolerance=NOISE)


def turned(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, higher_is_better: bool
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check a complete table; return it with lower the better and noise of rounding tied, and the names."""
    matrix, names = check_table(scores, algorithms)
    return snap(-matrix if higher_is_better else matrix), names


def ranked(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, higher_is_better: bool
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check a complete table; return the ranks within its rows and the names of its algorithms."""
    matrix, names = check_table(scores, algorithms)
    return average_ranks(-matrix if higher_is_better else matrix, tolerance=NOISE), names


def average_ranks(values: FloatArray, *, tolerance: float = 0.0) -> FloatArray:
    """Average ranks along the last axis, ascending, without any check.

    Neighbours within `tolerance` of each other, relative to their size, tie, as after `snap`; infinite values do not
    go with one.
    """
    shape, length = values.shape, values.shape[-1]
    if values.size == 0:
        return np.empty(shape)
    # One pass over all rows: runs of equal values, then the mean place of each run.
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    fresh = np.ones(shape, dtype=bool)
    fresh[..., 1:] = _apart(ordered, np.abs(ordered), tolerance) if tolerance else ordered[..., 1:] != ordered[..., :-1]
    starts = np.flatnonzero(fresh)
    counts = np.diff(starts, append=values.size)
    shared = (starts % length) + (counts + 1) / 2  # mean of first+1 .. first+count
    ranks = np.empty(shape)
    np.put_along_axis(ranks, order, np.repeat(shared, counts).reshape(shape), axis=-1)
    return ranks


def tie_sums(ranks: FloatArray) -> FloatArray:
    """Sum t^3 - t over the groups of tied ranks of each row, from the ranks alone.

    A rank's squared deviation loses (t^3 - t)/12 in a group of t ties, so the sums follow
    from the variance of each row without finding the groups.
    """
    length = ranks.shape[-1]
    spread = ((ranks - (length + 1) / 2) ** 2).sum(axis=-1)
    return np.asarray((length**3 - length) - 12 * spread)


def snap(values: FloatArray, *, size: FloatArray | None = None, tolerance: float = NOISE) -> FloatArray:
    """Make values of a row equal that differ only by the noise of binary arithmetic.

    The mean of 0.1, 0.2 and 0.3 and the mean of 0.3, 0.2 and 0.1 differ in the sixteenth digit; nobody means them to
    be ranked differently. Neighbours in sorted order within `tolerance` of each other, relative to their size, take
    the value of the smallest. `size` is that of the numbers they were made from, where those were larger: the mean of
    0.1, 0.2 and -0.3 is noise. NaN stays NaN. Used for ranking only, never for reporting.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    apart = np.ones(values.shape, dtype=bool)
    sizes = np.abs(ordered) if size is None else np.take_along_axis(np.maximum(size, np.abs(values)), order, axis=-1)
    apart[..., 1:] = _apart(ordered, sizes, tolerance)
    first = np.maximum.accumulate(np.where(apart, np.arange(values.shape[-1]), 0), axis=-1)
    out = np.empty(values.shape)
    np.put_along_axis(out, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return out


def _apart(ordered: FloatArray, sizes: FloatArray, tolerance: float) -> BoolArray:
    """Say which of the sorted values, from the second on, lie farther from the one before than rounding explains."""
    limit = tolerance * np.maximum(sizes[..., 1:], sizes[..., :-1])
    with np.errstate(over="ignore"):  # an infinite difference is far apart, as it should be
        return np.asarray(~(ordered[..., 1:] - ordered[..., :-1] <= limit))
