"""Scores of predicted numbers: errors in the unit of the target, and measures that have none."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError

QUANTILES = (0.1, 0.5, 0.9)
"""Where the pinball loss is measured: a low quantile, the median, a high one."""
NUMBER_SCORES = (
    "rmse",
    "relative_rmse",
    "mae",
    "median_absolute_error",
    "r2",
    *(f"pinball_{quantile:g}" for quantile in QUANTILES),
)
"""What is measured where the target is a number."""


def number_scores_of(truth: FloatArray, predicted: FloatArray, mean: float) -> dict[str, float]:
    """Return the scores of predicted numbers; `mean` is that of the training rows. What is undefined is left out.

    With e = truth - predicted: rmse is the root of the mean of e^2, mae the mean of |e|, median_absolute_error its
    median, r2 one minus the sum of e^2 over that around the mean of the truth, and pinball_q the mean of q e where
    e >= 0 and of (q - 1) e elsewhere, so that pinball_0.5 is half of mae. relative_rmse is rmse as a share of that of
    the training mean: 1 is no better than predicting a constant, and data sets of any unit can be put side by side.

    Examples
    --------
    >>> import numpy as np
    >>> found = number_scores_of(np.array([1.0, 2.0, 6.0]), np.array([1.0, 3.0, 4.0]), 3.0)
    >>> found["mae"], round(found["r2"], 6), round(found["pinball_0.9"], 6), round(found["relative_rmse"], 6)
    (1.0, 0.642857, 0.633333, 0.597614)
    """
    with np.errstate(over="ignore"):
        away = truth - predicted
        size = np.abs(away)
        rmse = _root_mean_square(away)
        constant = _root_mean_square(truth - mean)
        around = _root_mean_square(truth - truth.mean())
        values = {"rmse": rmse, "mae": float(size.mean()), "median_absolute_error": float(np.median(size))}
        if constant > 0:
            values["relative_rmse"] = rmse / constant
        if around > 0:
            values["r2"] = 1.0 - (rmse / around) ** 2
        for quantile in QUANTILES:
            values[f"pinball_{quantile:g}"] = float(np.maximum(quantile * away, (quantile - 1.0) * away).mean())
    return {name: value for name, value in values.items() if np.isfinite(value)}


def _root_mean_square(away: FloatArray) -> float:
    """Scaled by the largest before it is squared: errors beyond 1e154 would else be infinite."""
    largest = float(np.abs(away).max())
    return largest * float(np.sqrt(np.mean((away / largest) ** 2))) if largest > 0 else 0.0


def numbers_of(answers: Any, count: int, *, name: str) -> FloatArray:
    """Return what a learner predicted as one finite number per row; anything else is an error of the learner."""
    try:
        found = np.asarray(answers, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{name!r} predicted something that is not a number.",
            why="The target of the data set is a number.",
            mend="Use a regressor.",
        ) from None
    if found.shape == (count, 1):
        found = found[:, 0]
    if found.shape != (count,):
        raise InputError(
            f"{name!r} predicted an array of shape {found.shape} for {count} rows.",
            why="Every row needs one number.",
            mend="Correct its predict method.",
        )
    bad = int((~np.isfinite(found)).sum())
    if bad:
        raise InputError(
            f"{name!r} predicted numbers of which {bad} are NaN or infinite.",
            why="No error can be measured from them.",
            mend="Scale its inputs or correct its settings.",
        )
    return found
