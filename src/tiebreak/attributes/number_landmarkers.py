"""Landmarkers where the target is a number: the errors of three small learners on a sample of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes._landmarkers import (
    TOGETHER,
    folds_of,
    sample_of,
    tamed,
    timed,
    too_small,
)
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.landmark_learners import Part, design, row_distances
from tiebreak.attributes.numeric_columns import safe_exponents
from tiebreak.attributes.target_numbers import CONSTANT
from tiebreak.datasets import DataSet

MOST_ERROR = 2.0
"""An error counts at most so much: a line that runs far beyond the known rows would make every other data set alike."""
NEAREST = 5
_PENALTY = 1e-2
_DIGITS = 9


def number_landmarks(data: DataSet, *, seed: int = 0) -> tuple[Measured, dict[str, float]]:
    """Return the cross-validated error of every landmarker, and the seconds each one took.

    The sample is drawn as for classes, in the proportions of the target: at most 1000 rows, evenly spaced by the size
    of their target, at most 100 attributes, five folds.
    """
    refusal = _why_not(data)
    if refusal is not None:
        return dict.fromkeys(_LEARNERS, refusal), {}
    rows, columns = sample_of(data, seed)
    folds, target = folds_of(data, rows, seed), _centred(data.target[rows])
    if len(np.unique(folds)) < 2 or not target.any():
        return dict.fromkeys(_LEARNERS, TOGETHER if target.any() else CONSTANT), {}
    symbolic, none = data.symbolic[columns], np.zeros(len(rows), dtype=np.int64)
    sample = Part(values=tamed(data.values[np.ix_(rows, columns)]), target=none, symbolic=symbolic, n_classes=1)
    values, seconds = timed(_LEARNERS, lambda learner: _error(learner, sample, target, folds))
    return values, seconds


def _why_not(data: DataSet) -> NotApplicable | None:
    """Asked before sampling: a reason that holds for all rows should not depend on the sample."""
    if (refusal := too_small(data)) is not None:
        return refusal
    return CONSTANT if np.ptp(data.target / 2) == 0 else None  # halved: the range of the largest numbers is infinite


def _centred(target: FloatArray) -> FloatArray:
    """Return the target with mean 0 and spread about 1: errors do not depend on its unit."""
    exponent = safe_exponents(np.array([np.abs(target).max()]))[0]
    moved = np.ldexp(target, -int(exponent))
    moved = moved - moved.mean()
    spread = float(np.abs(moved).max())
    return np.asarray(moved / spread if spread > 0 else moved)


def _error(learner: Learner, sample: Part, target: FloatArray, folds: IntArray) -> float:
    """Sum squares over all folds: folds of different size weigh by their rows."""
    wrong = constant = 0.0
    for fold in np.unique(folds):
        out, rest = folds == fold, folds != fold
        predicted = learner(sample.rows(rest), target[rest], sample.rows(out))
        wrong += float(np.sum((target[out] - predicted) ** 2))
        constant += float(np.sum((target[out] - target[rest].mean()) ** 2))
    return float(min(np.sqrt(wrong / constant), MOST_ERROR)) if constant > 0 else MOST_ERROR


def stump(train: Part, target: FloatArray, test: Part) -> FloatArray:
    """Predict by the single attribute, and its single split, with the least squared error on the training part.

    A numeric attribute is split in two at a threshold, a symbolic one has a branch per value; every branch predicts its
    mean, missing and unseen values the mean of all. Of equals the first attribute and the lowest threshold is taken.
    """
    mean = float(target.mean())
    best, chosen = -1.0, np.full(len(test.values), mean)
    for place, symbolic in enumerate(train.symbolic):
        split = _symbolic_split if symbolic else _numeric_split
        gain, predicted = split(train.values[:, place], target - mean, test.values[:, place])
        if gain > best:
            best, chosen = gain, mean + predicted
    return chosen


def _numeric_split(column: FloatArray, away: FloatArray, new: FloatArray) -> tuple[float, FloatArray]:
    """Try every cut between different values at once; the gain is the sum of squares that the branch means explain."""
    present = ~np.isnan(column)
    order = np.argsort(column[present], kind="stable")
    values, own = column[present][order], away[present][order]
    cuts = np.flatnonzero(values[1:] > values[:-1])
    if not len(cuts):
        return 0.0, np.zeros(len(new))
    below, count = np.cumsum(own), np.arange(1, len(own) + 1)
    low, high = below[cuts] / count[cuts], (below[-1] - below[cuts]) / (len(own) - count[cuts])
    gains = np.round(low**2 * count[cuts] + high**2 * (len(own) - count[cuts]), _DIGITS)
    best = int(gains.argmax())
    threshold = values[cuts[best]] / 2 + values[cuts[best] + 1] / 2
    predicted = np.where(np.isnan(new), 0.0, np.where(new <= threshold, low[best], high[best]))
    return float(gains[best]), predicted


def _symbolic_split(column: FloatArray, away: FloatArray, new: FloatArray) -> tuple[float, FloatArray]:
    present, asked = ~np.isnan(column), ~np.isnan(new)
    codes = column[present].astype(np.int64)
    size = 1 + max(int(codes.max(initial=0)), int(new[asked].max(initial=0)))
    counts = np.bincount(codes, minlength=size)
    means = np.bincount(codes, weights=away[present], minlength=size) / np.maximum(counts, 1)
    predicted = np.zeros(len(new))
    predicted[asked] = means[new[asked].astype(np.int64)]
    return float(np.round(means**2 @ counts, _DIGITS)), predicted


def nearest_rows(train: Part, target: FloatArray, test: Part) -> FloatArray:
    """Predict the mean target of the five nearest training rows by `row_distances`, the first of equals."""
    distance = row_distances(train, replace(test, target=np.zeros(len(test.values), dtype=np.int64)))
    near = np.argsort(distance, axis=1, kind="stable")[:, :NEAREST]
    return np.asarray(target[near].mean(axis=1))


def linear(train: Part, target: FloatArray, test: Part) -> FloatArray:
    """Predict by least squares with a small penalty; symbols as indicators of their most frequent values."""
    x, new = design(train, test)
    centre, mean = x.mean(axis=0), float(target.mean())
    inner = x - centre
    gram = inner.T @ inner
    gram[np.diag_indices_from(gram)] += _PENALTY * len(x)
    return np.asarray(mean + (new - centre) @ np.linalg.solve(gram, inner.T @ (target - mean)))


Learner = Callable[[Part, FloatArray, Part], FloatArray]
_LEARNERS: dict[str, Learner] = {
    "landmark_stump_error": stump,
    "landmark_nearest_error": nearest_rows,
    "landmark_linear_error": linear,
}
