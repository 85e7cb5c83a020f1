"""Five learners small enough to serve as landmarks: default class, stump, nearest neighbour, naive Bayes, linear.

Each takes a training and a test part and returns the predicted class of every test row. Comparisons of computed numbers
are made after rounding, so that the last digits of a machine's arithmetic decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray

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
