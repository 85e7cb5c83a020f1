"""Measures of data with a number to predict: the target, its relation to the attributes, landmarkers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.class_measures import NO_ATTRIBUTES, NO_NUMERIC, NO_ROWS, NO_SYMBOLIC, Summaries, decile_codes
from tiebreak.attributes.landmarkers import (
    TOGETHER,
    Part,
    design,
    folds_of,
    row_distances,
    sample_of,
    shuffled,
    tamed,
    timed,
    too_small,
)
from tiebreak.attributes.numeric_columns import linear_r2, numeric_columns, row_blocks, safe_exponents, standardised
from tiebreak.datasets import DataSet

MOST_ROWS = 100_000
"""Deciles, symbols and the linear fit look at so many rows; their values then vary in the third digit at most."""
CONSTANT = NotApplicable(reason="the target is constant")
_NOTHING = NotApplicable(reason="no numeric attribute varies on rows with different targets")
_FEW = NotApplicable(reason="every attribute of the kind is empty or has a value per row")
_SHAPE = ("target_skewness", "target_kurtosis", "target_trimmed_spread")
_VALUES = ("target_distinct", "target_mode_share")
_CORRELATIONS = ("max_target_correlation", "mean_target_correlation")
_ATTRIBUTES = ("max_decile_share", "mean_symbolic_share", "linear_r2")
_NEGLIGIBLE = 1e-20  # a variance in units of the target's own: what rounding leaves of a constant


def target_measures(work: Summaries) -> Measured:
    """Return what describes a number to predict."""
    target = np.asarray(work.data.target, dtype=np.float64)
    if not len(target):
        return dict.fromkeys((*_SHAPE, *_VALUES, *_CORRELATIONS, *_ATTRIBUTES), NO_ROWS)
    counts = np.unique(target, return_counts=True)[1]
    values: Measured = {
        "target_distinct": len(counts) / len(target),
        "target_mode_share": int(counts.max()) / len(target),
    }
    if len(counts) < 2:
        return values | dict.fromkeys((*_SHAPE, *_CORRELATIONS, *_ATTRIBUTES), CONSTANT)
    whole = numeric_columns(target[:, None], np.zeros(1, dtype=bool))
    away = standardised(target[:, None], whole, slice(None), np.zeros(1, dtype=np.int64))[:, 0]
    away /= np.sqrt(np.mean(away**2))  # variance 1 with n, where `standardised` divides by n - 1
    shape = (float(np.mean(away**3)), float(np.mean(away**4)), float(whole.trimmed_ratio[0]))
    values |= dict(zip(_SHAPE, shape, strict=True))
    return values | _correlations(work, away) | _explained(work, away)


def _correlations(work: Summaries, away: FloatArray) -> Measured:
    """Each on the rows where the attribute is present, all at once: its gaps count 0 in the products."""
    if not len(work.columns.places):
        return dict.fromkeys(_CORRELATIONS, NO_NUMERIC)
    found = np.abs(target_correlations(work, away))
    if not found.size:
        return dict.fromkeys(_CORRELATIONS, _NOTHING)
    return dict(zip(_CORRELATIONS, (float(found.max()), float(found.mean())), strict=True))


def target_correlations(work: Summaries, away: FloatArray) -> FloatArray:
    """Return the correlations of the numeric attributes with the standardised target, where there are any."""
    places = np.flatnonzero(work.columns.varying).astype(np.int64)
    products, sums, squares = np.zeros((3, len(places)))
    for rows in row_blocks(len(away), len(places)):
        products += standardised(work.data.values, work.columns, rows, places).T @ away[rows]
        there = (~np.isnan(work.data.values[rows][:, work.columns.places[places]])).astype(np.float64)
        sums, squares = sums + there.T @ away[rows], squares + there.T @ away[rows] ** 2
    present = work.columns.present[places]
    variation = squares - sums**2 / np.maximum(present, 1)  # of the target on the rows where the attribute is present
    known = variation > _NEGLIGIBLE * len(away)
    spread = np.sqrt(variation[known] * (present[known] - 1))
    return np.asarray(np.clip(products[known] / spread, -1.0, 1.0))


def _explained(work: Summaries, away: FloatArray) -> Measured:
    """Say what single attributes and all together explain of the target, on a sample of the rows where they are many.

    The sample is drawn from the contents of the data, not evenly spaced: rows of long tables often come in turns.
    """
    drawn = shuffled(work.data, 0, "target", work.data.n_rows)[:MOST_ROWS] if work.data.n_rows > MOST_ROWS else None
    rows = np.arange(work.data.n_rows) if drawn is None else np.sort(drawn)
    away = away[rows]
    numeric = [share for share in _shares(work, rows, away, symbolic=False) if share is not None]
    symbolic = [share for share in _shares(work, rows, away, symbolic=True) if share is not None]
    return {
        "max_decile_share": max(numeric) if numeric else _why_none(work, symbolic=False),
        "mean_symbolic_share": float(np.mean(symbolic)) if symbolic else _why_none(work, symbolic=True),
        "linear_r2": linear_r2(work.data, work.columns, rows, away) if work.data.n_attributes else NO_ATTRIBUTES,
    }


def _why_none(work: Summaries, *, symbolic: bool) -> NotApplicable:
    if (work.data.symbolic == symbolic).any():
        return _FEW
    return NO_SYMBOLIC if symbolic else NO_NUMERIC


def _shares(work: Summaries, rows: IntArray, away: FloatArray, *, symbolic: bool) -> Iterator[float | None]:
    for place in np.flatnonzero(work.data.symbolic == symbolic):
        column = work.data.values[rows, place]
        yield share_explained(column if symbolic else decile_codes(column), away)


def share_explained(codes: FloatArray, away: FloatArray) -> float | None:
    """Return the share of the variance of numbers that codes explain, adjusted for how many codes there are.

    Formula: 1 - (SSW / (n - k)) / (SST / (n - 1)), at least 0, over the n rows with a code, of which k occur. That is
    the squared correlation ratio, less what as many codes explain by chance. None where there are as many codes as
    rows, or the numbers do not vary.

    Examples
    --------
    >>> share_explained(np.array([0.0, 0.0, 1.0, 1.0, np.nan]), np.array([1.0, 2.0, 5.0, 6.0, 9.0])).__round__(4)
    0.9118
    """
    present = ~np.isnan(codes)
    whole = bool(present.all())
    own, values = (codes, away) if whole else (codes[present], away[present])
    places: IntArray = own.astype(np.int64)
    counts = np.bincount(places) if len(places) else np.empty(0)
    used, rows = int(np.count_nonzero(counts)), len(values)
    if rows <= used:
        return None
    values = values - values.mean()
    total = float(values @ values)
    if total <= _NEGLIGIBLE * rows:
        return None
    sums = np.bincount(places, weights=values)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    within = max(total - between, 0.0)
    return float(np.clip(1.0 - (within / (rows - used)) / (total / (rows - 1)), 0.0, 1.0))


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
