"""Landmarkers: the scores of small learners on a sample, for classes and for numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeVar

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.class_measures import NO_ATTRIBUTES, ONE_CLASS
from tiebreak.attributes.numeric_columns import safe_exponents, scaled
from tiebreak.datasets import DataSet

_DIGITS = 9
_MOST_INDICATORS = 10
_RIDGE = 1e-4
_LEAST_VARIANCE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some rows of a data set: codes and numbers, NaN where a value is missing, and the classes as 0 .. k - 1."""

    values: FloatArray
    target: IntArray
    symbolic: BoolArray
    n_classes: int

    def rows(self, chosen: BoolArray) -> Part:
        """Return some of the rows."""
        return replace(self, values=self.values[chosen], target=self.target[chosen])

    @property
    def counts(self) -> IntArray:
        """Rows per class."""
        return np.bincount(self.target, minlength=self.n_classes).astype(np.int64)


def default_class(train: Part, test: Part) -> IntArray:
    """Predict the most frequent class of the training part, the first of equals."""
    return np.full(len(test.target), int(train.counts.argmax()), dtype=np.int64)


def stump(train: Part, test: Part) -> IntArray:
    """Predict by the single attribute, and its single split, that fits the training part best.

    A numeric attribute is split in two at a threshold; a symbolic one has a branch per value. Every branch predicts
    its most frequent class; missing and unseen values get the most frequent class of all. Of equals the first attribute
    and the lowest threshold is taken.
    """
    best, chosen = -1, default_class(train, test)
    fallback = int(train.counts.argmax())
    for place, symbolic in enumerate(train.symbolic):
        split = _symbolic_split if symbolic else _numeric_split
        right, predicted = split(train.values[:, place], train, test.values[:, place], fallback)
        if right > best:
            best, chosen = right, predicted
    return chosen


def _numeric_split(column: FloatArray, train: Part, new: FloatArray, fallback: int) -> tuple[int, IntArray]:
    """Try every cut between different values at once, by cumulated class counts."""
    present = ~np.isnan(column)
    order = np.argsort(column[present], kind="stable")
    values, classes = column[present][order], train.target[present][order]
    missed = int(np.count_nonzero(train.target[~present] == fallback))
    cuts = np.flatnonzero(values[1:] > values[:-1])
    if not len(cuts):
        return missed + int(np.count_nonzero(classes == fallback)), np.full(len(new), fallback, dtype=np.int64)
    below = np.cumsum(np.eye(train.n_classes, dtype=np.int64)[classes], axis=0)
    above = below[-1] - below[cuts]
    right = below[cuts].max(axis=1) + above.max(axis=1)
    best = int(right.argmax())
    low, high = int(below[cuts[best]].argmax()), int(above[best].argmax())
    threshold = values[cuts[best]] / 2 + values[cuts[best] + 1] / 2
    predicted = np.where(np.isnan(new), fallback, np.where(new <= threshold, low, high))
    return missed + int(right[best]), predicted.astype(np.int64)


def _symbolic_split(column: FloatArray, train: Part, new: FloatArray, fallback: int) -> tuple[int, IntArray]:
    codes, (size, asked) = _codes(column, new)
    table = np.zeros((size + 1, train.n_classes), dtype=np.int64)
    np.add.at(table, (codes, train.target), 1)
    branch = table.argmax(axis=1)
    branch[table.sum(axis=1) == 0] = fallback
    branch[size] = fallback  # the place of missing values
    right = int(np.count_nonzero(branch[codes] == train.target))
    return right, branch[asked].astype(np.int64)


def _codes(column: FloatArray, new: FloatArray) -> tuple[IntArray, tuple[int, IntArray]]:
    """Return codes of both parts as integers, missing ones one past the largest, and that number with the second."""
    both = np.concatenate([column, new])
    present = both[~np.isnan(both)]
    size = int(present.max()) + 1 if len(present) else 0
    filled = np.where(np.isnan(both), size, both).astype(np.int64)
    return filled[: len(column)], (size, filled[len(column) :])


def nearest_neighbour(train: Part, test: Part) -> IntArray:
    """Predict the class of the nearest training row by `row_distances`, the first of equals."""
    nearest = row_distances(train, test).argmin(axis=1)
    return np.asarray(train.target[nearest], dtype=np.int64)


def row_distances(train: Part, test: Part) -> FloatArray:
    """Return the distance of every test row to every training row.

    It is the sum over attributes of |difference| / range for numbers and of 0 or 1 for symbols; 1 where a value is
    missing.
    """
    distance = np.zeros((len(test.target), len(train.target)))
    for place, symbolic in enumerate(train.symbolic):
        old, new = train.values[:, place], test.values[:, place]
        known = old[~np.isnan(old)]
        spread = 0.0 if symbolic or not len(known) else float(known.max() / 2 - known.min() / 2)
        gap = new[:, None] / 2 - old / 2
        term = np.abs(gap) / spread if spread > 0 else (gap != 0).astype(np.float64)
        distance += np.where(np.isnan(gap), 1.0, term)
    return np.asarray(np.round(distance, _DIGITS))


def naive_bayes(train: Part, test: Part) -> IntArray:
    """Predict by independent attributes: normal for numbers, frequencies plus one for symbols; gaps are passed over."""
    counts = train.counts
    with np.errstate(divide="ignore"):
        score = np.tile(np.log(counts), (len(test.target), 1))
    for place, symbolic in enumerate(train.symbolic):
        likelihood = _symbol_likelihood if symbolic else _normal_likelihood
        score += likelihood(train.values[:, place], train, test.values[:, place])
    return np.asarray(np.round(score, _DIGITS).argmax(axis=1), dtype=np.int64)


def _symbol_likelihood(column: FloatArray, train: Part, new: FloatArray) -> FloatArray:
    """The last row is that of missing values: its log is 0, so they pass no judgement."""
    codes, (size, asked) = _codes(column, new)
    table = np.ones((size + 1, train.n_classes))
    np.add.at(table, (codes, train.target), 1.0)
    logs = np.log(table / table[:size].sum(axis=0)) if size else np.zeros_like(table)
    logs[size] = 0.0
    return np.asarray(logs[asked])


def _normal_likelihood(column: FloatArray, train: Part, new: FloatArray) -> FloatArray:
    """Compute in units of the attribute's spread; a class of one row borrows the variance of all."""
    present = ~np.isnan(column)
    values, classes = column[present], train.target[present]
    spread = float(np.abs(values - values.mean()).max()) if len(values) else 0.0
    if not spread > 0:
        return np.zeros((len(new), train.n_classes))
    centre = float(values.mean())
    values, new = (values - centre) / spread, (new - centre) / spread
    counts = np.bincount(classes, minlength=train.n_classes)
    few = counts < 2
    mean = np.bincount(classes, weights=values, minlength=train.n_classes) / np.maximum(counts, 1)
    squares = np.bincount(classes, weights=(values - mean[classes]) ** 2, minlength=train.n_classes)
    whole = float(values.var())
    variance = np.where(few, whole, np.maximum(squares / np.maximum(counts - 1, 1), _LEAST_VARIANCE * whole))
    log = -0.5 * ((new[:, None] - mean) ** 2 / variance + np.log(variance))
    return np.where(np.isnan(log), 0.0, log)


def linear_discriminant(train: Part, test: Part) -> IntArray:
    """Predict by normal classes of equal covariance; symbols as indicators of their most frequent values."""
    x, new = design(train, test)
    counts = train.counts
    seen = counts > 0
    sums = np.eye(train.n_classes)[:, train.target] @ x
    means = sums / np.maximum(counts, 1)[:, None]
    inner = x - means[train.target]
    within = inner.T @ inner / max(len(x) - int(np.count_nonzero(seen)), 1)
    within[np.diag_indices_from(within)] += _RIDGE * (1.0 + np.trace(within) / max(len(within), 1))
    weights = np.linalg.solve(within, means.T)
    prior = np.log(np.maximum(counts, 1) / len(x))
    score = new @ weights - 0.5 * np.einsum("ij,ji->i", means, weights) + prior
    score[:, ~seen] = -np.inf
    return np.asarray(np.round(score, _DIGITS).argmax(axis=1), dtype=np.int64)


def design(train: Part, test: Part) -> tuple[FloatArray, FloatArray]:
    """Return both parts as numbers: standardised on the training part, gaps at the mean, indicators for symbols."""
    columns = []
    for place, symbolic in enumerate(train.symbolic):
        old, new = train.values[:, place], test.values[:, place]
        known = old[~np.isnan(old)]
        if not len(known):
            continue
        both = np.concatenate([old, new])
        if symbolic:
            frequency = np.bincount(known.astype(np.int64))
            common = np.argsort(-frequency, kind="stable")[:_MOST_INDICATORS]
            columns += [(both == code).astype(np.float64) for code in common if frequency[code]]
            continue
        spread = float(np.abs(known - known.mean()).max())
        if spread > 0:
            scaled = (both - known.mean()) / spread
            columns.append(np.nan_to_num(scaled / scaled[: len(old)][~np.isnan(old)].std()))
    design = np.stack(columns, axis=1) if columns else np.zeros((len(train.target) + len(test.target), 0))
    return design[: len(train.target)], design[len(train.target) :]


L = TypeVar("L")
MOST_ROWS = 1000
MOST_ATTRIBUTES = 100
FOLDS = 5
TOGETHER = NotApplicable(reason="all rows of the sample belong together: nothing is left to test on")

_LEARNERS: dict[str, Callable[[Part, Part], IntArray]] = {
    "landmark_default": default_class,
    "landmark_stump": stump,
    "landmark_nearest": nearest_neighbour,
    "landmark_bayes": naive_bayes,
    "landmark_linear": linear_discriminant,
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
