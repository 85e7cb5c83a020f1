"""The perceptrons of the papers as they were trained: plain backpropagation, one row at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg.blas import dger
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from tiebreak._checks import FloatArray
from tiebreak.lab.algorithms.base import OwnClassifier, settings_as_fields

_Layers = tuple[FloatArray, ...]
"""Weights while they change: one matrix of outputs x inputs per layer, the last column being the bias."""


@settings_as_fields
class OnlinePerceptron(OwnClassifier):
    """Perceptron with softmax outputs, trained by plain online backpropagation of the cross-entropy.

    Every epoch passes once over the training rows in a new random order and changes the weights after every row by
    the learning rate times the gradient of that row, without momentum and without a penalty; then the rate falls by
    the factor `decay`. Hidden units are sigmoids. Nothing stops it early: on few rows it may end before it has learned
    much, as in the papers. First weights are drawn uniformly within the square root of 6 / (inputs + outputs) of 0,
    biases are 0; the papers do not say how they began, and of the usual ways this one comes closest to their figures.

    Parameters
    ----------
    hidden : int or None, default None
        Hidden units; None: (D + K) / 2, rounded up, for D input columns and K classes; 0: a linear perceptron.
    learning_rate : float, default 0.01
        The rate of the first epoch.
    decay : float, default 0.95
        What the rate is multiplied by after every epoch.
    max_iter : int, default 50
        Passes over the training rows.
    random_state : int, RandomState or None, default None
        For the first weights and the order of rows.

    Notes
    -----
    `coefs_` holds a matrix of inputs x outputs for every layer and `intercepts_` its biases, as in scikit-learn.

    References
    ----------
    ulas2012
    glorot2010

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(1).normal(size=(200, 2))
    >>> fitted = OnlinePerceptron(hidden=0, random_state=0).fit(rows, rows[:, 0] > 0)
    >>> fitted.predict([[3.0, 0.0], [-3.0, 0.0]]).tolist()
    [True, False]
    """

    hidden: int | None = None
    learning_rate: float = 0.01
    decay: float = 0.95
    max_iter: int = 50
    random_state: Any = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> OnlinePerceptron:
        """Train the network on rows `X` with classes `y`."""
        self._check("learning_rate", self.learning_rate > 0, "The weights would not change.")
        self._check("decay", 0 < self.decay <= 1, "The rate falls by this factor.")
        self._check("max_iter", self.max_iter >= 1, "One pass over the rows is the least.")
        self._check("hidden", self.hidden is None or self.hidden >= 0, "It is a number of units.")
        rows, codes = self._taught(X, y)
        k = self.classes_.size
        units = -(-(rows.shape[1] + k) // 2) if self.hidden is None else int(self.hidden)
        chance = check_random_state(self.random_state)
        layers = _first(rows.shape[1], units, k, chance)
        inputs, truth = np.column_stack([rows, np.ones(len(rows))]), np.eye(k)[codes]
        pass_over = _linear_epoch if units == 0 else _hidden_epoch
        rate = float(self.learning_rate)
        for _ in range(int(self.max_iter)):
            pass_over(layers, inputs, truth, chance.permutation(len(rows)).tolist(), rate)
            rate *= self.decay
        self.coefs_ = [layer[:, :-1].T.copy() for layer in layers]
        self.intercepts_ = [layer[:, -1].copy() for layer in layers]
        self.n_iter_ = int(self.max_iter)
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class with the largest output, the first of several."""
        outputs = self._outputs(X)  # first: it tells that nothing is fitted yet
        return np.asarray(self.classes_[np.argmax(outputs, axis=1)])

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the softmax outputs."""
        return np.asarray(softmax(self._outputs(X), axis=1))

    def _outputs(self, X: npt.ArrayLike) -> FloatArray:
        """Return the outputs before the softmax, rows x classes."""
        level = self._asked(X)
        for weights, biases in zip(self.coefs_[:-1], self.intercepts_[:-1], strict=True):
            level = expit(level @ weights + biases)
        return np.asarray(level @ self.coefs_[-1] + self.intercepts_[-1])


def _first(columns: int, units: int, classes: int, chance: np.random.RandomState) -> _Layers:
    """Draw the first weights; BLAS changes a matrix in its place only if its columns lie one after the other."""
    sizes = (columns, classes) if units == 0 else (columns, units, classes)
    layers = []
    for inputs, outputs in pairwise(sizes):
        bound = np.sqrt(6.0 / (inputs + outputs))  # eq. 16 of glorot2010
        layer = np.zeros((outputs, inputs + 1), order="F")
        layer[:, :-1] = chance.uniform(-bound, bound, (outputs, inputs))
        layers.append(layer)
    return tuple(layers)


def _linear_epoch(layers: _Layers, inputs: FloatArray, truth: FloatArray, order: list[int], rate: float) -> None:
    """Arrays are made once and filled anew for every row: making them would take longer than the arithmetic."""
    (weights,) = layers
    out = np.empty(truth.shape[1])
    for place in order:
        row = inputs[place]
        weights.dot(row, out=out)
        _step(out, truth[place], rate)
        dger(1.0, out, row, 1, 1, weights, 1, 1, 1)  # weights += out row'


def _hidden_epoch(layers: _Layers, inputs: FloatArray, truth: FloatArray, order: list[int], rate: float) -> None:
    """As `_linear_epoch`; what goes back to the hidden units goes by the weights before they change."""
    first, second = layers
    units = first.shape[0]
    out, net, back, slope = np.empty(truth.shape[1]), np.empty(units), np.empty(units), np.empty(units)
    level = np.ones(units + 1)
    hidden, forward = level[:units], second[:, :units]
    for place in order:
        row = inputs[place]
        first.dot(row, out=net)
        expit(net, out=hidden)
        second.dot(level, out=out)
        _step(out, truth[place], rate)
        out.dot(forward, out=back)
        np.subtract(1.0, hidden, out=slope)
        slope *= hidden
        back *= slope
        dger(1.0, out, level, 1, 1, second, 1, 1, 1)
        dger(1.0, back, row, 1, 1, first, 1, 1, 1)


def _step(out: FloatArray, truth: FloatArray, rate: float) -> None:
    """Turn outputs into the step they call for: rate x (truth - softmax), the descent of the cross-entropy."""
    out -= out.max()
    np.exp(out, out=out)
    out /= out.sum()
    np.subtract(truth, out, out=out)
    out *= rate


# ---- scikit-learn's multilayer perceptrons with a hidden layer that is sized by the data


@settings_as_fields
class _Sized(BaseEstimator):  # type: ignore[misc]
    """The settings of both, and their common way: size the network when it is fitted, as encoding adds columns."""

    hidden: int | None = None
    alpha: float = 1e-4
    learning_rate: float = 0.01
    max_iter: int = 200
    random_state: Any = None

    def _train(self, network: Any, units: int, rows: FloatArray, target: npt.NDArray[Any]) -> None:
        self.model_ = network(
            hidden_layer_sizes=(self.hidden or units,),
            alpha=self.alpha,
            learning_rate_init=self.learning_rate,
            max_iter=self.max_iter,
            random_state=self.random_state,
        ).fit(rows, target)
        self.n_iter_ = self.model_.n_iter_


class SizedPerceptron(OwnClassifier, _Sized):
    """One hidden layer of (D + K) / 2 units, rounded up, for D input columns and K classes.

    The network itself is scikit-learn's MLPClassifier: rectified units, softmax outputs, Adam.

    Parameters
    ----------
    hidden : int or None, default None
        Hidden units; None: (D + K) / 2.
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
    >>> rows = np.random.default_rng(1).normal(size=(100, 5))
    >>> SizedPerceptron(max_iter=1000, random_state=0).fit(rows, rows[:, 0] > 0).model_.hidden_layer_sizes
    (4,)
    """

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> SizedPerceptron:
        """Size the network and train it on rows `X` with classes `y`."""
        rows, codes = self._taught(X, y)
        self._train(MLPClassifier, -(-(rows.shape[1] + self.classes_.size) // 2), rows, self.classes_[codes])
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class with the largest output."""
        rows = self._asked(X)  # first: it tells that nothing is fitted yet
        return np.asarray(self.model_.predict(rows))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the softmax outputs."""
        rows = self._asked(X)
        return np.asarray(self.model_.predict_proba(rows))


LEAST_UNITS = 5
"""With one column (D + 1) / 2 is a single unit, which can only bend once."""


class SizedRegressor(RegressorMixin, _Sized):  # type: ignore[misc]
    """One hidden layer of (D + 1) / 2 units, rounded up, at least 5, for D input columns.

    The network itself is scikit-learn's MLPRegressor: rectified units, a linear output, squared error, Adam. It learns
    best where the target has variance about 1; the catalogue sees to that. The settings are those of
    `SizedPerceptron`.

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

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> SizedRegressor:
        """Size the network and train it on rows `X` with numbers `y`."""
        rows, numbers = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self._train(MLPRegressor, max(LEAST_UNITS, -(-(rows.shape[1] + 1) // 2)), rows, numbers)
        return self

    def predict(self, X: npt.ArrayLike) -> FloatArray:
        """Return the output for every row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.model_.predict(rows))
