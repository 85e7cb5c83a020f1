"""Values that cannot be what they seem: 85 among shares of 0.9, a share below 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.reading.understanding.problems import Problem, Way, cell_problem
from tiebreak.tables.metrics import Metric, metric_named
from tiebreak.wording import option

_NEAR = 0.1  # so little below 0 (or a few times that above 1) is noise, as simulated scores have it, and no slip
_MANY = 5  # slips are fewer
_PERCENT = 5.0  # what is larger may be a percentage among shares
_FEW = 0.2  # at most this share of the values of a table can be slips


def odd_values(values: FloatArray, metric: Metric, datasets: IntArray | None = None) -> BoolArray:
    """Mark the values that do not fit the range of their metric, or that of the others where no metric is known.

    Without a known metric a data set may have a scale of its own: its values are odd only where others of the same data
    set, numbered by `datasets`, are not.

    Examples
    --------
    >>> table = np.array([0.91, 0.85, 85.0, 0.93, 0.88, -0.9])
    >>> odd_values(table, metric_named("accuracy")).tolist()
    [False, False, True, False, False, True]
    >>> odd_values(np.array([1200.0, 0.5, 7.0]), metric_named("rmse")).any()
    np.False_
    """
    there = np.isfinite(values)
    none = np.zeros(values.shape, dtype=bool)
    if there.sum() < 3:
        return none
    if metric.is_share:
        return none if is_no_share(values, metric) else there & _outside_share(values, there)
    if metric.higher_is_better is not None and not metric.is_general:
        return none
    odd = there & _slips(values, there)
    if datasets is not None and odd.any():
        share = np.bincount(datasets, weights=odd) / np.maximum(np.bincount(datasets, weights=there), 1)
        odd &= (share <= 0.5)[datasets]
    return odd


def is_no_share(values: FloatArray, metric: Metric) -> bool:
    """Say whether so many values lie outside 0 to 1, and none so far that it is a percentage, that no slip explains it.

    Examples
    --------
    >>> is_no_share(np.array([0.3, -1.2, 1.7, 0.4, -0.8, -0.3, 1.2]), metric_named("accuracy"))
    True
    """
    if not metric.is_share or not np.isfinite(values).any():
        return False
    there = values[np.isfinite(values)]
    outside = np.count_nonzero((there < 0) | (there > 1))
    return bool(np.abs(there).max() < _PERCENT and outside >= _MANY and outside > _FEW * len(there))


def _outside_share(values: FloatArray, there: BoolArray) -> BoolArray:
    """Shares lie between 0 and 1, or 0 and 100 for percentages; the larger part of a table says which."""
    below, above = values < -_NEAR, values > 1 + 5 * _NEAR
    inside = there & ~below & ~above
    if not above.any():
        return below
    if inside.sum() >= (there & above).sum():
        return below | above
    slipped = inside & (values > 0) & (values < 1) & (np.median(values[there & above]) > 10)
    low = values[there & above].min()
    return np.asarray(below | (values > 100) | (slipped & (values * 100 >= low / 2)))


def _slips(values: FloatArray, there: BoolArray) -> BoolArray:
    """Without a known range only what a slip of the pen explains: a sign, or percent among shares."""
    out = np.zeros(values.shape, dtype=bool)
    for odd in (there & (values < 0), there & (values > 1), there & (values > 0) & (values < 1)):
        rest = there & ~odd & ~out
        if not odd.any() or odd.sum() > _FEW * there.sum() or rest.sum() < 3:
            continue
        low, high = float(values[rest].min()), float(values[rest].max())
        if low < 0:
            continue
        if (values[odd] < 0).all():
            out |= odd & (-values >= low / 2) & (-values <= high * 1.5)
        elif (values[odd] > 1).all():
            out |= odd & (values >= max(5 * high, 5.0)) if high <= 1 else False
        else:
            out |= odd & (values * 100 >= low / 2) & (values * 100 <= high * 1.5) if low > 10 and high <= 100 else False
    return out


def range_problem(places: Sequence[str], name: str, *, stands: bool) -> Problem:
    """Word the problem for the cells that were marked; only what can be read as it stands may be told to be right."""
    known = metric_named(name).is_share
    right = "If the values are right" if stands else "If the values are right, save the table as plain csv first"
    why = (
        f"All values of {name!r} lie between 0 and 1, or all between 0 and 100: the two cannot be mixed, and none"
        " is negative."
        if known
        else "That looks like a slip: percent among shares, or a wrong sign. One such cell can decide a comparison."
    )
    return cell_problem(
        "is far outside the range of the metric" if known else "is far outside the range of the others",
        places,
        why=why,
        mend="Correct them." if len(places) > 1 else "Correct it.",
        ways=(Way(when=right, say=option(plain=True)),),
    )
