"""The multilayer perceptron of the papers, whose hidden layer is sized by the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neural_network import MLPClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from tiebreak._checks import FloatArray


class SizedPerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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
    Ulas, Yildiz and Alpaydin (2012), Cost-conscious comparison of supervised learning algorithms over multiple
    data sets, Pattern Recognition 45(4):1772-1781, doi:10.1016/j.patcog.2011.10.005.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(1).normal(size=(100, 5))
    >>> SizedPerceptron(max_iter=1000, random_state=0).fit(rows, rows[:, 0] > 0).model_.hidden_layer_sizes
    (4,)
    """

    def __init__(
        self,
        *,
        hidden: int | None = None,
        alpha: float = 1e-4,
        learning_rate: float = 0.01,
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.hidden = hidden
        self.alpha = alpha
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> SizedPerceptron:
        """Size the network and train it on rows `X` with classes `y`."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        units = self.hidden or -(-(rows.shape[1] + self.classes_.size) // 2)
        self.model_ = MLPClassifier(
            hidden_layer_sizes=(units,),
            alpha=self.alpha,
            learning_rate_init=self.learning_rate,
            max_iter=self.max_iter,
            random_state=self.random_state,
        ).fit(rows, labels)
        self.n_iter_ = self.model_.n_iter_
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class with the largest output."""
        rows = self._rows(X)
        return np.asarray(self.model_.predict(rows))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the softmax outputs."""
        rows = self._rows(X)
        return np.asarray(self.model_.predict_proba(rows))

    def _rows(self, X: npt.ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
