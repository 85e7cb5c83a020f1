"""Naive Bayes for numeric and symbolic attributes side by side, missing values left out of the product."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import OptionError
from tiebreak.lab.algorithms._classifiers import DensityClassifier, settings_as_fields


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
        mask = self._mask(rows.shape[1])
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
            known, found = _look_up(rows[:, column], values)
            total[known] += shares[:, found].T
        return np.asarray(total)

    def _mask(self, columns: int) -> BoolArray:
        mask = np.zeros(columns, dtype=bool) if self.symbolic is None else np.asarray(self.symbolic, dtype=bool)
        if mask.shape != (columns,):
            raise OptionError(
                f"symbolic names {mask.size} columns and the rows have {columns}.",
                why="Every column is either symbolic or numeric.",
                mend="Pass one True or False per column.",
            )
        return mask


def _normals(numbers: FloatArray, codes: IntArray, places: IntArray, floor: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance per class and column, of the values that are there; the column's own where none is."""
    mean, variance = _spread(numbers)
    variance = np.where(variance > 0, variance, 1.0)
    theta, var = np.tile(mean, (places.size, 1)), np.tile(variance, (places.size, 1))
    for place in places:
        part = numbers[codes == place]
        seen = (~np.isnan(part)).any(axis=0)
        own_mean, own_variance = _spread(part)
        theta[place] = np.where(seen, own_mean, mean)
        var[place] = np.where(seen, np.maximum(own_variance, floor * variance), variance)
    return theta, var


def _spread(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Not `nanmean` and `nanvar`: they warn about a column without values, which is 0 here."""
    there = ~np.isnan(numbers)
    counts = np.maximum(there.sum(axis=0), 1)
    mean = np.where(there, numbers, 0.0).sum(axis=0) / counts
    return mean, (np.where(there, numbers - mean, 0.0) ** 2).sum(axis=0) / counts


def _counted(column: FloatArray, codes: IntArray, places: IntArray, smoothing: float) -> tuple[FloatArray, FloatArray]:
    """Return the values seen and the log of their smoothed shares, classes x values."""
    there = ~np.isnan(column)
    values, found = np.unique(column[there], return_inverse=True)
    counts = np.zeros((places.size, values.size))
    np.add.at(counts, (codes[there], found), 1.0)
    smoothed = counts + smoothing  # (n + s) / (N + s V)
    return values, np.log(smoothed / smoothed.sum(axis=1, keepdims=True))


def _look_up(column: FloatArray, values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the rows whose value was seen in training, and the place of that value."""
    if values.size == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    found = np.minimum(np.searchsorted(values, column), values.size - 1)
    known = np.flatnonzero(values[found] == column)
    return known.astype(np.int64), found[known].astype(np.int64)
