"""Landmarkers: how well small learners do on a sample of the data, and what that cost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes import landmark_learners as learners
from tiebreak.attributes._summaries import NO_ATTRIBUTES, ONE_CLASS
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.landmark_learners import Part
from tiebreak.attributes.numeric_columns import safe_exponents, scaled
from tiebreak.datasets import DataSet

L = TypeVar("L")
MOST_ROWS = 1000
MOST_ATTRIBUTES = 100
FOLDS = 5
TOGETHER = NotApplicable(reason="all rows of the sample belong together: nothing is left to test on")

_LEARNERS: dict[str, Callable[[Part, Part], IntArray]] = {
    "landmark_default": learners.default_class,
    "landmark_stump": learners.stump,
    "landmark_nearest": learners.nearest_neighbour,
    "landmark_bayes": learners.naive_bayes,
    "landmark_linear": learners.linear_discriminant,
}


def landmark_measures(data: DataSet, *, seed: int = 0) -> tuple[Measured, dict[str, float]]:
    """Return the cross-validated accuracy of every landmarker, and the seconds each one took.

    The sample has at most 1000 rows in the proportions of the classes and at most 100 attributes; five folds, in the
    proportions of the classes, rows that belong together on the same side. Both are drawn from the contents of
    the data and the seed alone, so every machine draws the same.
    """
    refusal = _why_not(data)
    if refusal is not None:
        return dict.fromkeys(_LEARNERS, refusal), {}
    rows, columns = sample_of(data, seed)
    folds = folds_of(data, rows, seed)
    if len(np.unique(folds)) < 2:
        return dict.fromkeys(_LEARNERS, TOGETHER), {}
    _, target = np.unique(data.target[rows], return_inverse=True)
    sample = Part(
        values=tamed(data.values[np.ix_(rows, columns)]),
        target=target.astype(np.int64),
        symbolic=data.symbolic[columns],
        n_classes=int(target.max()) + 1,
    )
    values, seconds = timed(_LEARNERS, lambda learner: _accuracy(learner, sample, folds))
    return values, seconds


def _why_not(data: DataSet) -> NotApplicable | None:
    """Asked before sampling: a reason that holds for all rows should not depend on the sample."""
    if (refusal := too_small(data)) is not None:
        return refusal
    return ONE_CLASS if np.count_nonzero(data.class_counts) < 2 else None


def too_small(data: DataSet) -> NotApplicable | None:
    """Say why no learner can be tested, whatever it learns."""
    if not data.n_attributes:
        return NO_ATTRIBUTES
    return NotApplicable(reason="fewer than two rows") if data.n_rows < 2 else None


def timed(by_name: Mapping[str, L], measure: Callable[[L], float]) -> tuple[Measured, dict[str, float]]:
    """Measure every learner; return what came out and the seconds that each one took."""
    values: Measured = {}
    seconds = {}
    for name, learner in by_name.items():
        start = perf_counter()
        values[name] = measure(learner)
        seconds[name] = perf_counter() - start
    return values, seconds


def sample_of(data: DataSet, seed: int) -> tuple[IntArray, IntArray]:
    """Return the rows, ordered by class and at random within, and the attributes of the sample."""
    mixed = shuffled(data, seed, "rows", data.n_rows)
    ordered = mixed[np.argsort(data.target[mixed], kind="stable")]
    count = min(data.n_rows, MOST_ROWS)
    rows = ordered[((2 * np.arange(count) + 1) * data.n_rows) // (2 * count)]
    columns = np.sort(shuffled(data, seed, "attributes", data.n_attributes)[:MOST_ATTRIBUTES])
    return rows, columns


def folds_of(data: DataSet, rows: IntArray, seed: int) -> IntArray:
    """Return the fold of every sampled row."""
    if data.groups is None:
        return np.arange(len(rows), dtype=np.int64) % FOLDS
    _, belongs = np.unique(data.groups[rows], return_inverse=True)
    places = np.empty(int(belongs.max()) + 1, dtype=np.int64)
    places[shuffled(data, seed, "folds", len(places))] = np.arange(len(places))
    return places[belongs] % FOLDS


def shuffled(data: DataSet, seed: int, purpose: str, count: int) -> IntArray:
    """Return 0 .. count - 1 in an order drawn from the contents of the data, the seed and the purpose."""
    digest = hashlib.sha256(f"{data.fingerprint}|{seed}|{purpose}".encode()).digest()
    bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "big")))
    return np.argsort(bits.random_raw(count), kind="stable").astype(np.int64)


def tamed(values: FloatArray) -> FloatArray:
    """Bring columns of extreme magnitude to about 1: landmarkers do not depend on the unit of an attribute."""
    largest = np.abs(np.where(np.isnan(values), 0.0, values)).max(axis=0)
    return scaled(values, safe_exponents(largest), axis=0)


def _accuracy(learner: Callable[[Part, Part], IntArray], sample: Part, folds: IntArray) -> float:
    """Count over all folds: folds of different size weigh by their rows."""
    right = 0
    for fold in np.unique(folds):
        test = sample.rows(folds == fold)
        right += int(np.count_nonzero(learner(sample.rows(folds != fold), test) == test.target))
    return right / len(sample.target)
