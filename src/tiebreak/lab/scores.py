"""Scores of predictions: accuracy, log loss and the area under the ROC curve, with classes that may be absent."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

LEAST_PROBABILITY = 1e-15
"""What a probability is clipped at from below before its logarithm is taken."""


def scores_of(
    truth: IntArray, predicted: IntArray, shares: FloatArray | None, margins: FloatArray | None
) -> dict[str, float]:
    """Return accuracy, error, log_loss and auc, the last two where they are defined."""
    right = int((truth == predicted).sum())
    values = {"accuracy": right / truth.size, "error": (truth.size - right) / truth.size}
    if shares is not None:
        values["log_loss"] = log_loss(truth, shares)
    area = None if margins is None else auc(truth, margins)
    if area is not None:
        values["auc"] = area
    return values


def log_loss(truth: IntArray, shares: FloatArray) -> float:
    """Return the mean of -log of the probability given to the true class, clipped at 1e-15 from below.

    A true class the learner never saw in training has probability 0 and so costs 34.5.

    Examples
    --------
    >>> import numpy as np
    >>> round(log_loss(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]])), 6)
    17.615962
    """
    given = shares[np.arange(truth.size), truth]
    return float(-np.log(np.clip(given, LEAST_PROBABILITY, 1.0)).mean()) + 0.0  # never -0.0


def auc(truth: IntArray, margins: FloatArray) -> float | None:
    """Return the area under the ROC curve, or None where it is undefined.

    Two classes: of the last one. More: the mean over classes of each against the rest, over the classes that have
    rows both inside and outside. A class with the same margin everywhere, as one never learned, counts 0.5.

    Examples
    --------
    >>> import numpy as np
    >>> margins = np.array([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3], [0.2, 0.8]])
    >>> auc(np.array([0, 0, 1, 1]), margins)
    0.75
    """
    k = margins.shape[1]
    classes = [1] if k == 2 else range(k)
    areas = [_area(truth == place, margins[:, place]) for place in classes]
    defined = [area for area in areas if area is not None]
    return float(np.mean(defined)) if defined else None


def _area(positive: np.ndarray[Any, np.dtype[np.bool_]], margin: FloatArray) -> float | None:
    """Return the share of (positive, negative) pairs in the right order, a tie counting half."""
    ups = int(positive.sum())
    downs = positive.size - ups
    if ups == 0 or downs == 0:
        return None
    _, places, counts = np.unique(margin, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2.0
    return float((ranks[places[positive]].sum() - ups * (ups + 1) / 2.0) / (ups * downs))


def class_probabilities(fitted: Any, rows: FloatArray, known: IntArray, k: int, *, name: str) -> FloatArray | None:
    """Return rows x all classes, 0 for classes without training rows; None where the learner gives none."""
    if not hasattr(fitted, "predict_proba"):
        return None
    given = _finite(fitted.predict_proba(rows), name, "probabilities")
    whole = _over_all(given, rows.shape[0], known, k, f"{name!r} gave probabilities")
    if given.min() < -1e-9 or np.abs(given.sum(axis=1) - 1.0).max() > 1e-5:
        raise InputError(
            f"{name!r} gave probabilities that are negative or do not add up to 1.",
            why="Their log loss would be meaningless.",
            mend="Correct its predict_proba method, or remove it: log loss is then left out.",
        )
    return whole


def class_scores(fitted: Any, rows: FloatArray, known: IntArray, k: int, *, name: str) -> FloatArray | None:
    """Return the margins of a learner without probabilities, rows x all classes; None where it gives none.

    A class without training rows has the same margin everywhere. One margin for two classes is that of the second.
    """
    if not hasattr(fitted, "decision_function"):
        return None
    given = _finite(fitted.decision_function(rows), name, "margins")
    if given.ndim == 1 and known.size == 2:
        given = np.column_stack([-given, given])
    return _over_all(given, rows.shape[0], known, k, f"{name!r} gave margins")


def _finite(answers: Any, name: str, what: str, *, verb: str = "gave") -> FloatArray:
    """Checked here because NaN would pass silently through sorting and give an AUC that means nothing."""
    given = np.asarray(answers, dtype=np.float64)
    bad = int((~np.isfinite(given)).sum())
    if bad:
        raise InputError(
            f"{name!r} {verb} {what} of which {bad} are NaN or infinite.",
            why="No score can be computed from them.",
            mend="Scale its inputs or correct its settings.",
        )
    return given


def _over_all(given: FloatArray, rows: int, known: IntArray, k: int, what: str) -> FloatArray:
    """Give every class a column, those without training rows one of zeros."""
    if given.shape != (rows, known.size):
        raise InputError(
            f"{what} of shape {given.shape} for {rows} rows and {known.size} classes.",
            why="Every row needs one number per class it was taught.",
            mend="Correct that method of the estimator.",
        )
    whole = np.zeros((rows, k))
    whole[:, known] = given
    return whole


# ---- scores of predicted numbers: errors in the unit of the target, and measures that have none


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
    >>> result = number_scores_of(np.array([1.0, 2.0, 6.0]), np.array([1.0, 3.0, 4.0]), 3.0)
    >>> result["mae"], round(result["r2"], 6), round(result["pinball_0.9"], 6), round(result["relative_rmse"], 6)
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
        values = np.asarray(answers, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{name!r} predicted something that is not a number.",
            why="The target of the data set is a number.",
            mend="Use a regressor.",
        ) from None
    return _finite(one_per_row(values, count, name=name), name, "numbers", verb="predicted")


def one_per_row(values: npt.NDArray[Any], count: int, *, name: str) -> npt.NDArray[Any]:
    """Return one answer per row; a column of them will do."""
    if values.shape == (count, 1):
        values = values[:, 0]
    if values.shape != (count,):
        raise InputError(
            f"{name!r} predicted an array of shape {values.shape} for {count} rows.",
            why="Every row needs one answer.",
            mend="Correct its predict method.",
        )
    return values
