"""One linear split of one node: two groups of classes, Fisher's direction between them, the best threshold on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import InputError
from tiebreak.lab.algorithms.base import DensityClassifier, settings_as_fields

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
    order = np.searchsorted(present, classes).astype(np.int64)
    groups = _starting_groups(moments)
    if present.size > 2:
        groups = _exchanged(standard, order, moments, groups, ridge)
    direction = _fisher(moments, groups, ridge)
    if not np.any(direction):
        return None
    threshold = _best_threshold(standard @ direction, order, present.size, smallest)
    if threshold is None:
        return None
    weights = direction / moments.scale
    place, gain, left = threshold
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


def _exchanged(standard: FloatArray, indices: IntArray, moments: Moments, groups: BoolArray, ridge: float) -> BoolArray:
    """Move the class whose change of group gains most, as long as one gains (Guo and Gelfand, 1992)."""
    best = _binned_gain(standard, indices, moments, groups, ridge)
    for _ in range(2 * groups.size):
        moves = [groups ^ (np.arange(groups.size) == place) for place in range(groups.size)]
        remaining = [move for move in moves if move.any() and not move.all()]
        gains = [_binned_gain(standard, indices, moments, move, ridge) for move in remaining]
        if max(gains) <= best * (1.0 + 1e-9):
            break
        best = max(gains)
        groups = remaining[gains.index(best)]
    return groups


def _binned_gain(standard: FloatArray, indices: IntArray, moments: Moments, groups: BoolArray, ridge: float) -> float:
    """Gain at the best of BINS places: counting them is linear in the rows, where sorting is not."""
    projection = standard @ _fisher(moments, groups, ridge)
    low, high = float(projection.min()), float(projection.max())
    if not high > low:
        return 0.0
    places = np.minimum(((projection - low) * (BINS / (high - low))).astype(np.int64), BINS - 1)
    k = groups.size
    table = np.bincount(places * k + indices, minlength=BINS * k).reshape(BINS, k)
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
    projection: FloatArray, indices: IntArray, k: int, smallest: int
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
    onehot[np.arange(n), indices[order]] = 1.0
    counts = np.cumsum(onehot, axis=0)
    gains = _gains(counts[ends], counts[-1])
    best = int(np.argmax(gains))
    if not gains[best] > 1e-12:
        return None
    place = float(line[ends[best]] + 0.5 * (line[ends[best] + 1] - line[ends[best]]))
    return place, float(gains[best]), projection <= place


@settings_as_fields
class RegularisedDiscriminant(DensityClassifier):
    """Normal classes, each with its own covariance, drawn a little to the common one and to a sphere.

    With W_k the scatter of class k around its mean, n_k its rows, W and n their sums and D the number of columns,
    S_k = ((1 - pooling) W_k + pooling W) / ((1 - pooling) n_k + pooling n), and the covariance used is
    (1 - ridge) S_k + ridge (trace(S_k) / D) I. A column that is constant within the whole training set tells
    nothing. pooling = 1 is linear discriminant analysis; both 0 is the plain quadratic one, which needs more rows
    than columns in every class.

    Parameters
    ----------
    pooling : float, default 0.01
        How far every covariance is drawn to the common one.
    ridge : float, default 0.01
        How far it is drawn to a sphere.

    References
    ----------
    friedman1989

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> rows, far = rng.normal(size=(400, 2)), np.arange(400) % 2
    >>> rows[far == 1] *= 4
    >>> float(RegularisedDiscriminant().fit(rows, far).score(rows, far)) > 0.85
    True
    """

    pooling: float = 0.01
    ridge: float = 0.01

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> RegularisedDiscriminant:
        """Estimate mean and covariance of every class."""
        rows, codes = self._taught(X, y)
        parts = [rows[codes == place] for place in range(self.classes_.size)]
        self.means_ = np.array([part.mean(axis=0) for part in parts])
        apart = [part - mean for part, mean in zip(parts, self.means_, strict=True)]
        scatters = [rows.T @ rows for rows in apart]
        counts = np.bincount(codes).astype(np.float64)
        pooled = np.sum(scatters, axis=0)
        self.log_prior_ = np.log(counts / counts.sum())
        turned = [self._whitener(w, pooled, n, counts.sum()) for w, n in zip(scatters, counts, strict=True)]
        self.whiteners_ = np.array([matrix for matrix, _ in turned])
        self.log_determinants_ = np.array([value for _, value in turned])
        return self

    def _joint(self, rows: FloatArray) -> FloatArray:
        """Whitened rows turn each Mahalanobis distance into a sum of squares; no covariance is inverted here."""
        columns = [
            (((rows - mean) @ whitener) ** 2).sum(axis=1)
            for mean, whitener in zip(self.means_, self.whiteners_, strict=True)
        ]
        # Friedman 1989
        return np.asarray(self.log_prior_ - 0.5 * (np.column_stack(columns) + self.log_determinants_))

    def _whitener(self, scatter: FloatArray, pooled: FloatArray, n: float, total: float) -> tuple[FloatArray, float]:
        """Return the matrix that turns the class's covariance into the identity, and the log of its determinant."""
        weight = (1.0 - self.pooling) * n + self.pooling * total
        covariance = ((1.0 - self.pooling) * scatter + self.pooling * pooled) / weight  # Friedman 1989: lambda
        size = covariance.shape[0]
        covariance = (1.0 - self.ridge) * covariance  # Friedman 1989: gamma
        covariance[np.diag_indices(size)] += self.ridge * np.trace(covariance) / (1.0 - self.ridge) / size
        values, vectors = np.linalg.eigh(covariance)
        if values[-1] <= 0:  # nothing varies within any class: every direction counts alike
            return np.eye(size), 0.0
        if values[0] <= 1e-12 * values[-1]:
            raise InputError(
                f"The covariance of a class is singular (pooling={self.pooling}, ridge={self.ridge}).",
                why="Its density would be infinite in some direction.",
                mend="Use a ridge above 0, such as ridge=0.01.",
            )
        return vectors / np.sqrt(values), float(np.log(values).sum())


# ---- naive Bayes for numeric and symbolic attributes side by side, missing values left out of the product


@settings_as_fields
class MixedNaiveBayes(DensityClassifier):
    """Naive Bayes: P(class | row) is proportional to P(class) times the product of P(value | class).

    A numeric column is normal within each class; its variance is at least `floor` times the column's own, so a
    constant column tells nothing and divides by nothing. A symbolic column is counted: (n + smoothing) / (N +
    smoothing V), with V the number of values seen in training. A missing value, and a symbolic value never seen in
    training, leave their column out of the product, in learning as in predicting.

    Parameters
    ----------
    symbolic : sequence of bool or None, default None
        Which columns are symbolic; None: none is.
    smoothing : float, default 1.0
        What is added to every count.
    floor : float, default 1e-3
        The least variance of a column within a class, as a share of its variance over all rows.

    References
    ----------
    john1995

    Examples
    --------
    >>> import numpy as np
    >>> model = MixedNaiveBayes(symbolic=[False, True])
    >>> _ = model.fit([[0.1, 0], [0.2, 0], [2.0, 1], [2.2, np.nan]], ["low", "low", "high", "high"])
    >>> model.predict([[0.3, np.nan], [np.nan, 1]]).tolist()
    ['low', 'high']
    """

    takes_gaps = True

    symbolic: npt.ArrayLike | None = None
    smoothing: float = 1.0
    floor: float = 1e-3

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> MixedNaiveBayes:
        """Count and average rows `X` within the classes `y`."""
        rows, codes = self._taught(X, y)
        places = np.arange(self.classes_.size)
        mask = np.zeros(rows.shape[1], dtype=bool) if self.symbolic is None else np.asarray(self.symbolic, dtype=bool)
        self.log_prior_ = np.log(np.bincount(codes) / codes.size)
        self.numeric_, self.symbolic_ = np.flatnonzero(~mask), np.flatnonzero(mask)
        self.theta_, self.var_ = _normals(rows[:, self.numeric_], codes, places, self.floor)
        tables = [_counted(rows[:, column], codes, places, self.smoothing) for column in self.symbolic_]
        self.values_ = [values for values, _ in tables]
        self.log_shares_ = [shares for _, shares in tables]
        return self

    def _joint(self, rows: FloatArray) -> FloatArray:
        """A gap adds nothing to the sum of logs, which is how its column stays out of the product."""
        total = np.tile(self.log_prior_, (rows.shape[0], 1))
        numbers = rows[:, self.numeric_]
        for place in range(self.classes_.size):
            apart = (numbers - self.theta_[place]) ** 2 / self.var_[place] + np.log(2 * np.pi * self.var_[place])
            total[:, place] -= 0.5 * np.nansum(apart, axis=1)
        for column, values, shares in zip(self.symbolic_, self.values_, self.log_shares_, strict=True):
            known, array = _look_up(rows[:, column], values)
            total[known] += shares[:, array].T
        return np.asarray(total)


def _normals(numbers: FloatArray, codes: IntArray, places: IntArray, floor: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance per class and column, of the values that are there; the column's own where none is."""
    mean, variance = _column_moments(numbers)
    variance = np.where(variance > 0, variance, 1.0)
    theta, var = np.tile(mean, (places.size, 1)), np.tile(variance, (places.size, 1))
    for place in places:
        part = numbers[codes == place]
        seen = (~np.isnan(part)).any(axis=0)
        own_mean, own_variance = _column_moments(part)
        theta[place] = np.where(seen, own_mean, mean)
        var[place] = np.where(seen, np.maximum(own_variance, floor * variance), variance)
    return theta, var


def _column_moments(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Not `nanmean` and `nanvar`: they warn about a column without values, which is 0 here."""
    there = ~np.isnan(numbers)
    counts = np.maximum(there.sum(axis=0), 1)
    mean = np.where(there, numbers, 0.0).sum(axis=0) / counts
    return mean, (np.where(there, numbers - mean, 0.0) ** 2).sum(axis=0) / counts


def _counted(column: FloatArray, codes: IntArray, places: IntArray, smoothing: float) -> tuple[FloatArray, FloatArray]:
    """Return the values seen and the log of their smoothed shares, classes x values."""
    there = ~np.isnan(column)
    values, array = np.unique(column[there], return_inverse=True)
    counts = np.zeros((places.size, values.size))
    np.add.at(counts, (codes[there], array), 1.0)
    smoothed = counts + smoothing  # (n + s) / (N + s V)
    return values, np.log(smoothed / smoothed.sum(axis=1, keepdims=True))


def _look_up(column: FloatArray, values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the rows whose value was seen in training, and the place of that value."""
    if values.size == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    array = np.minimum(np.searchsorted(values, column), values.size - 1)
    known = np.flatnonzero(values[array] == column)
    return known.astype(np.int64), array[known].astype(np.int64)
