"""Columns without any value in training, made harmless for learners that otherwise take missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from tiebreak._checks import FloatArray


class EmptyToZero(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Set every column that holds no value in training to 0; leave all else, missing values included, as it is.

    Examples
    --------
    >>> import numpy as np
    >>> EmptyToZero().fit([[np.nan, np.nan], [1.0, np.nan]]).transform([[np.nan, 5.0]]).tolist()
    [[nan, 0.0]]
    """

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: npt.ArrayLike, y: object = None) -> EmptyToZero:  # noqa: ARG002
        """Note which columns are empty."""
        rows = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.empty_ = np.isnan(rows).all(axis=0)
        return self

    def transform(self, X: npt.ArrayLike) -> FloatArray:
        """Return the rows with those columns set to 0."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return np.where(self.empty_, 0.0, rows)
