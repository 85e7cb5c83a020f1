"""One linear split of one node: two groups of classes, Fisher's direction between them, the best threshold on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray

BINS = 128
"""Places tried on the projection while classes are exchanged; the threshold itself is then found exactly."""
SAME = 1e-9
"""Projections closer than this share of the largest are one place: equal rows may differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Per class of a node: rows, mean and scatter around it, of columns brought to variance 1 in the node.

    `centre` and `scale` are what the columns were shifted and divided by.
    """

    counts: FloatArray
    means: FloatArray
    within: FloatArray
    centre: FloatArray
    scale: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearSplit:
    """Rows with `row @ weights <= threshold` go left; `gain` is the entropy won, in nats per row."""

    weights: FloatArray
    threshold: float
    gain: float
    left: BoolArray


def linear_split(rows: FloatArray, classes: IntArray, *, ridge: float, smallest: int) -> LinearSplit | None:
    """Return the best linear split of the rows of a node, or None where none gains anything.

    `smallest` is the fewest rows a child may hold.
    """
    present = np.unique(classes)
    if present.size < 2 or rows.shape[0] < 2 * smallest:
        return None
    moments, standard = _moments(rows, classes, present)
    own = np.searchsorted(present, classes).astype(np.int64)
    groups = _starting_groups(moments)
    if present.size > 2:
        groups = _exchanged(standard, own, moments, groups, ridge)
    direction = _fisher(moments, groups, ridge)
    if not np.any(direction):
        return None
    found = _best_threshold(standard @ direction, own, present.size, smallest)
    if found is None:
        return None
    weights = direction / moments.scale
    place, gain, left = found
    return LinearSplit(weights=weights, threshold=place + float(moments.centre @ weights), gain=gain, left=left)


def _moments(rows: FloatArray, classes: IntArray, present: IntArray) -> tuple[Moments, FloatArray]:
    centre = rows.mean(axis=0)
    shifted = rows - centre
    scale = shifted.std(axis=0)
    steady = scale <= 1e-12 * np.maximum(np.abs(centre), 1e-300)  # a constant column: rounding is not variance
    scale = np.where(steady, 1.0, scale)
    standard = np.where(steady, 0.0, shifted / scale)
    counts, means, within = [], [], np.zeros((rows.shape[1], rows.shape[1]))
    for label in present:
        part = standard[classes == label]
        mean = part.mean(axis=0)
        apart = part - mean
        within += apart.T @ apart
        counts.append(part.shape[0])
        means.append(mean)
    sizes = np.array(counts, dtype=np.float64)
    return Moments(counts=sizes, means=np.array(means), within=within, centre=centre, scale=scale), standard


def _starting_groups(moments: Moments) -> BoolArray:
    """Return the first grouping: the two classes whose means lie farthest apart, the others with the nearer one."""
    means = moments.means
    squares = (means**2).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2.0 * means @ means.T
    first, second = np.unravel_index(int(np.argmax(np.triu(distances, 1))), distances.shape)
    groups = distances[:, second] < distances[:, first]
    groups[first], groups[second] = False, True
    return np.asarray(groups)


def _exchanged(standard: FloatArray, own: IntArray, moments: Moments, groups: BoolArray, ridge: float) -> BoolArray:
    """Move the class whose change of group gains most, as long as one gains (Guo and Gelfand, 1992)."""
    best = _binned_gain(standard, own, moments, groups, ridge)
    for _ in range(2 * groups.size):
        moves = [groups ^ (np.arange(groups.size) == place) for place in range(groups.size)]
        kept = [move for move in moves if move.any() and not move.all()]
        gains = [_binned_gain(standard, own, moments, move, ridge) for move in kept]
        if max(gains) <= best * (1.0 + 1e-9):
            break
        best = max(gains)
        groups = kept[gains.index(best)]
    return groups


def _binned_gain(standard: FloatArray, own: IntArray, moments: Moments, groups: BoolArray, ridge: float) -> float:
    """Gain at the best of BINS places: counting them is linear in the rows, where sorting is not."""
    projection = standard @ _fisher(moments, groups, ridge)
    low, high = float(projection.min()), float(projection.max())
    if not high > low:
        return 0.0
    places = np.minimum(((projection - low) * (BINS / (high - low))).astype(np.int64), BINS - 1)
    k = groups.size
    table = np.bincount(places * k + own, minlength=BINS * k).reshape(BINS, k)
    return float(_gains(np.cumsum(table, axis=0)[:-1].astype(np.float64), moments.counts).max())


def _fisher(moments: Moments, groups: BoolArray, ridge: float) -> FloatArray:
    """Return Fisher's direction, of length 1: (S_w + r I)^-1 (m_right - m_left).

    S_w is the covariance inside the two groups; r is `ridge` times its mean variance, so that collinear, constant
    and too many columns leave the equations solvable and a direction without variance inside the groups keeps its
    weight.
    """
    inside = moments.within.copy()
    means = []
    for side in (~groups, groups):
        weight = moments.counts[side]
        mean = weight @ moments.means[side] / weight.sum()
        apart = moments.means[side] - mean
        inside += (apart * weight[:, None]).T @ apart
        means.append(mean)
    inside /= moments.counts.sum()
    size = inside.shape[0]
    inside[np.diag_indices(size)] += ridge * max(float(np.trace(inside)) / size, 1e-8)
    direction = np.linalg.solve(inside, means[1] - means[0])
    length = float(np.linalg.norm(direction))
    return np.asarray(direction / length if length > 0 else np.zeros(size))


def _gains(left: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the entropy won per row, for class counts on the left of each place (places x classes)."""
    right = np.maximum(whole - left, 0.0)
    total = whole.sum()
    spent = _spread(left) + _spread(right)
    return np.asarray((_spread(whole[None, :]) - spent) / total)


def _spread(counts: FloatArray) -> FloatArray:
    """Return n times the entropy in nats of every row of class counts: n log n - sum of c log c."""
    sums = counts.sum(axis=1)
    return np.asarray(special.xlogy(sums, sums) - special.xlogy(counts, counts).sum(axis=1))


def _best_threshold(
    projection: FloatArray, own: IntArray, k: int, smallest: int
) -> tuple[float, float, BoolArray] | None:
    """Cut only between rows that really differ, and midway: rounding must not decide who goes left."""
    order = np.argsort(projection, kind="stable")
    line = projection[order]
    n = line.size
    apart = SAME * float(np.abs(line).max())
    ends = np.flatnonzero(line[1:] - line[:-1] > apart)
    ends = ends[(ends + 1 >= smallest) & (n - ends - 1 >= smallest)]
    if ends.size == 0:
        return None
    onehot = np.zeros((n, k))
    onehot[np.arange(n), own[order]] = 1.0
    counts = np.cumsum(onehot, axis=0)
    gains = _gains(counts[ends], counts[-1])
    best = int(np.argmax(gains))
    if not gains[best] > 1e-12:
        return None
    place = float(line[ends[best]] + 0.5 * (line[ends[best] + 1] - line[ends[best]]))
    return place, float(gains[best]), projection <= place
