"""What our own learners share: how rows are checked, and the ways from counts or densities to classes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import OptionError

settings_as_fields = partial(dataclass, kw_only=True, eq=False, repr=False)
"""scikit-learn asks `__init__` for the settings and that it does nothing but keep them, which a dataclass writes."""


class OwnClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of rows of numbers; `takes_gaps` says whether missing ones are welcome."""

    takes_gaps: ClassVar[bool] = False
    classes_: npt.NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn whether missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.takes_gaps
        return tags

    def _check(self, name: str, good: bool, why: str) -> None:
        """Refuse a setting; scikit-learn wants it refused on fitting, not before."""
        if not good:
            usual = type(self)().get_params()[name]
            raise OptionError(f"{name} is {getattr(self, name)!r}.", why=why, mend=f"Use {name}={usual}.")

    def _taught(self, X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[FloatArray, IntArray]:
        """Return the checked rows and the places of their classes in `classes_`, which is set."""
        rows, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=self._finite())
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        return rows, codes.astype(np.int64)

    def _asked(self, X: npt.ArrayLike) -> FloatArray:
        """Return the checked rows to predict."""
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite=self._finite()))

    def _finite(self) -> bool | str:
        """In scikit-learn's words "allow-nan" lets missing values pass and still refuses infinite ones."""
        return "allow-nan" if self.takes_gaps else True


class CountingClassifier(OwnClassifier):
    """A classifier that leads every row to a place (a leaf, a rule) with its training rows per class, `counts_`."""

    counts_: FloatArray

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class of every row: the most frequent one of its place, the first of several."""
        places = self.apply(X)  # first: it tells that nothing is fitted yet
        return np.asarray(self.classes_[np.argmax(self.counts_[places], axis=1)])

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the class shares of every row's place, with one row added to every class (Laplace)."""
        places = self.apply(X)
        counts = self.counts_[places] + 1.0
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def apply(self, X: npt.ArrayLike) -> IntArray:
        """Return the place every row ends in."""
        return self._walk(self._asked(X))

    @abstractmethod
    def _walk(self, rows: FloatArray) -> IntArray:
        """Return the place of every checked row."""


class DensityClassifier(OwnClassifier):
    """A classifier whose `_joint` gives the log of prior times density, rows x classes."""

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the most probable class of every row, the first of several."""
        joint = self._joint(self._asked(X))
        return np.asarray(self.classes_[np.argmax(joint, axis=1)])

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return the probability of every class."""
        return np.asarray(special.softmax(self._joint(self._asked(X)), axis=1))

    @abstractmethod
    def _joint(self, rows: FloatArray) -> FloatArray:
        """Return the log of prior times density of checked rows."""
