"""The multilayer perceptron for numbers, whose hidden layer is sized by the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.neural_network import MLPRegressor
from sklearn.utils.validation import check_is_fitted, validate_data

from tiebreak._checks import FloatArray
from tiebreak.lab.algorithms._classifiers import settings_as_fields

LEAST_UNITS = 5
"""With one column (D + 1) / 2 is a single unit, which can only bend once."""


@settings_as_fields
class SizedRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """One hidden layer of (D + 1) / 2 units, rounded up, at least 5, for D input columns.

    The network itself is scikit-learn's MLPRegressor: rectified units, a linear output, squared error, Adam. It learns
    best where the target has variance about 1; the catalogue sees to that.

    Parameters
    ----------
    hidden : int or None, default None
        Hidden units; None: (D + 1) / 2, at least 5.
    alpha : float, default 1e-4
        The weight of the squared weights in the loss.
    learning_rate : float, default 0.01
        Adam's first step size.
    max_iter : int, default 200
        The most passes over the training rows.
    random_state : int, RandomState or None, default None
        For the first weights and the order of rows.

    References
    ----------
    ulas2012

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(1).normal(size=(100, 20))
    >>> SizedRegressor(max_iter=1000, random_state=0).fit(rows, rows[:, 0]).model_.hidden_layer_sizes
    (11,)
    """

    hidden: int | None = None
    alpha: float = 1e-4
    learning_rate: float = 0.01
    max_iter: int = 200
    random_state: Any = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> SizedRegressor:
        """Size the network and train it on rows `X` with numbers `y`."""
        rows, numbers = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        units = self.hidden or max(LEAST_UNITS, -(-(rows.shape[1] + 1) // 2))
        self.model_ = MLPRegressor(
            hidden_layer_sizes=(units,),
            alpha=self.alpha,
            learning_rate_init=self.learning_rate,
            max_iter=self.max_iter,
            random_state=self.random_state,
        ).fit(rows, numbers)
        self.n_iter_ = self.model_.n_iter_
        return self

    def predict(self, X: npt.ArrayLike) -> FloatArray:
        """Return the output for every row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.model_.predict(rows))
