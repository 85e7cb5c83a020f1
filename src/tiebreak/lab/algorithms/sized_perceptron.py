"""The multilayer perceptron of the papers, whose hidden layer is sized by the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neural_network import MLPClassifier

from tiebreak._checks import FloatArray
from tiebreak.lab.algorithms._classifiers import OwnClassifier, settings_as_fields


@settings_as_fields
class SizedPerceptron(OwnClassifier):
    """One hidden layer of (D + K) / 2 units, rounded up, for D input columns and K classes.

    D counts the columns the network really sees, after encoding, which is why the size is set when it is fitted.
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

    hidden: int | None = None
    alpha: float = 1e-4
    learning_rate: float = 0.01
    max_iter: int = 200
    random_state: Any = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> SizedPerceptron:
        """Size the network and train it on rows `X` with classes `y`."""
        rows, codes = self._taught(X, y)
        units = self.hidden or -(-(rows.shape[1] + self.classes_.size) // 2)
        self.model_ = MLPClassifier(
            hidden_layer_sizes=(units,),
            alpha=self.alpha,
            learning_rate_init=self.learning_rate,
            max_iter=self.max_iter,
            random_state=self.random_state,
        ).fit(rows, self.classes_[codes])
        self.n_iter_ = self.model_.n_iter_
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class with the largest output."""
        rows = self._asked(X)  # first: it tells that nothing is fitted yet
        return np.asarray(self.model_.predict(rows))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the softmax outputs."""
        rows = self._asked(X)
        return np.asarray(self.model_.predict_proba(rows))
