"""Learners for trials: one that never ends, and one that fails."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Sleeper(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Sleeps longer than any test waits."""

    def fit(self, X: Any, y: Any) -> Sleeper:  # noqa: ARG002
        self.classes_ = np.unique(y)
        time.sleep(600)
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


class Broken(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fails with a reason."""

    def fit(self, X: Any, y: Any) -> Broken:  # noqa: ARG002
        raise ValueError("the matrix is singular")

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)
