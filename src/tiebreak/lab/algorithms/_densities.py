"""What learners that model the density of every class share: from log densities to classes and probabilities."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin

from tiebreak._checks import FloatArray


class DensityClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose `_joint` gives the log of prior times density, rows x classes."""

    classes_: npt.NDArray[Any]

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the most probable class of every row, the first of several."""
        joint = self._joint(X)
        return np.asarray(self.classes_[np.argmax(joint, axis=1)])

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the probability of every class."""
        return np.asarray(special.softmax(self._joint(X), axis=1))

    @abstractmethod
    def _joint(self, X: npt.ArrayLike) -> FloatArray:
        """Return the log of prior times density."""
