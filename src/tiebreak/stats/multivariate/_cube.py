"""Fold measures as an array: folds x algorithms x measures, checked once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, as_floats
from tiebreak.errors import InputError
from tiebreak.stats.numeric.scale import check_squares

DEPENDENT = 1e-10
"""A direction with less than this share of the largest spread, all measures scaled alike, counts as none."""


def measure_cube(measures: npt.ArrayLike) -> FloatArray:
    """Return a complete, finite folds x algorithms x measures array of two or more folds and algorithms."""
    cube = as_floats(measures, what="measures")
    if cube.ndim != 3 or cube.shape[2] < 1:
        raise InputError(
            f"measures has shape {cube.shape}.",
            why="Folds, algorithms and measures are needed, in this order.",
            mend="Pass an array of shape (folds, algorithms, measures); measures[:, :, None] for a single measure.",
        )
    if cube.shape[0] < 2 or cube.shape[1] < 2:
        raise InputError(
            f"measures has {cube.shape[0]} fold(s) and {cube.shape[1]} algorithm(s).",
            why="Two algorithms are compared over two folds at the least.",
            mend="Pass an array of shape (folds, algorithms, measures).",
        )
    _check_cells(cube)
    check_squares(cube, what="measures")
    return cube


def _check_cells(cube: FloatArray) -> None:
    bad = np.argwhere(~np.isfinite(cube))
    if bad.size:
        fold, algorithm, measure = (int(i) for i in bad[0])
        raise InputError(
            f"measures[{fold}, {algorithm}, {measure}] is {cube[fold, algorithm, measure]}"
            f" ({len(bad)} such value(s) in all).",
            why="A measure without a value in a fold, such as recall without positive examples, has no mean.",
            mend="Drop that fold for all algorithms, or the measure, or define its value there.",
        )
