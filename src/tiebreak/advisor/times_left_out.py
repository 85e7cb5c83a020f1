"""Times predicted for known data sets from those of other origins, beside the middle time of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor.times import (
    Sizes,
    TwoParts,
    fit_two_parts,
    log_times,
    model_of,
    row_powers,
    sizes_of,
    train_shares,
)

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

BLOCK = 4_000_000
"""Derivatives held at a time: origins are left out in groups."""


def times_left_out(known: Knowledge, labels: IntArray) -> dict[str, FloatArray]:
    """Predict the times of every data set from those with another label.

    Returned are (data sets, algorithms): what is "predicted", the "low" and "high" ends of its range, and the "middle",
    the geometric mean of the algorithm's times there.
    """
    logs, sizes = log_times(known), sizes_of(known.meta, train_shares(known))
    out = {name: np.full(logs.shape, np.nan) for name in ("predicted", "low", "high", "middle")}
    for group, curves in _refitted(logs, sizes, labels, row_powers(known.algorithms)[0]):
        for at, label in enumerate(group):
            _fill(out, known, logs, sizes, labels == label, _part(curves, at, len(known.algorithms)))
    return out


def _refitted(logs: FloatArray, sizes: Sizes, labels: IntArray, power: FloatArray) -> list[tuple[range, TwoParts]]:
    """Fit without each origin, several origins at a time."""
    count, algorithms = logs.shape
    full, there = sizes.filled(), np.isfinite(logs).T.astype(np.float64)
    fixed, growing = full.overhead(), full.growth()
    step = max(1, BLOCK // (9 * count * algorithms))
    out = []
    for start in range(0, int(labels.max()) + 1, step):
        group = range(start, min(start + step, int(labels.max()) + 1))
        weight = np.concatenate([there * (labels != origin) for origin in group])
        many = np.tile(np.nan_to_num(logs.T), (len(group), 1)), weight, np.tile(power, len(group))
        out.append((group, fit_two_parts(fixed, growing, *many)))
    return out


def _part(curves: TwoParts, at: int, count: int) -> TwoParts:
    rows = slice(at * count, (at + 1) * count)
    return TwoParts(**{name: getattr(curves, name)[rows] for name in TwoParts.__slots__})


def _fill(
    out: dict[str, FloatArray], known: Knowledge, logs: FloatArray, sizes: Sizes, gone: BoolArray, curves: TwoParts
) -> None:
    """Predict the data sets that are gone from those that are left."""
    there = np.isfinite(logs).T & ~gone
    left = Sizes(**{name: np.where(gone, np.nan, getattr(sizes, name)) for name in Sizes.__slots__})
    model = replace(model_of(known.algorithms, curves, sizes, there.astype(np.float64)), sizes=left)
    total = np.where(there, np.nan_to_num(logs.T), 0.0).sum(axis=1)
    mean = np.divide(total, there.sum(axis=1), out=np.full(len(total), np.nan), where=there.any(axis=1))
    for place in np.flatnonzero(gone):
        one = Sizes(**{name: getattr(sizes, name)[[place]] for name in Sizes.__slots__})
        middle, reach = model.at(one)
        for name, value in (("predicted", middle), ("low", middle - reach), ("high", middle + reach), ("middle", mean)):
            out[name][place] = np.exp(value)


def predicted_apart(known: Knowledge, apart: Sequence[str]) -> FloatArray:
    """Return the seconds (data sets, algorithms), each predicted from the data sets with other labels.

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> known = shipped_knowledge()
    >>> result = predicted_apart(known, ["odd" if i % 2 else "even" for i in range(len(known.datasets))])
    >>> result.shape == (len(known.datasets), len(known.algorithms))
    True
    """
    return times_left_out(known, np.unique(np.array(apart), return_inverse=True)[1])["predicted"]
