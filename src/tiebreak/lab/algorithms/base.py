"""What learners share: the base class of our own, and the steps before anybody's: rows as frames, empty columns."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from tiebreak._checks import FloatArray, IntArray
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError, needed

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


_AWKWARD = re.compile(r'[\s\[\]<>{},":]')
"""What some learner refuses in the name of a column."""
_NO_VALUE = ("none",)
"""The categories of a symbolic column without a single value: XGBoost fails where there are none."""


class _TakesGaps(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer of rows in which values may be missing."""

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class AsFrame(_TakesGaps):
    """Turn rows of a data set into a pandas frame: numbers as they are, symbols as categories, gaps as gaps.

    The categories of a column are all values that the data set knows, whichever rows are asked for, so training and
    validation rows share their codes. Nothing is learned.

    Parameters
    ----------
    names : sequence of str
        The columns.
    categories : sequence
        For every column its values, in the order of their codes; None for a column of numbers.
    gap : str or None, default None
        A category for missing symbols, for learners that take none; None leaves them missing.

    Examples
    --------
    >>> frame = AsFrame(["size", "kind"], [None, ("cat", "dog")]).fit_transform([[1.5, 0.0], [float("nan"), 1.0]])
    >>> frame["kind"].tolist(), str(frame["kind"].dtype)
    (['cat', 'dog'], 'category')
    """

    def __init__(
        self, names: Sequence[str], categories: Sequence[tuple[str, ...] | None], gap: str | None = None
    ) -> None:
        self.names = names
        self.categories = categories
        self.gap = gap

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: npt.ArrayLike, y: object = None) -> AsFrame:  # noqa: ARG002
        """Do nothing: all is known from the data set."""
        return self

    def transform(self, X: npt.ArrayLike) -> Any:
        """Return the frame."""
        import pandas

        rows = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        columns: dict[str, Any] = {}
        for name, values, column in zip(self.names, self.categories, rows.T, strict=True):
            columns[name] = column if values is None else self._symbols(column, values)
        return pandas.DataFrame(columns)

    def _symbols(self, column: npt.NDArray[np.float64], values: tuple[str, ...]) -> Any:
        from pandas import Categorical

        known = [*values] if self.gap is None else [*values, self.gap]
        codes = np.where(np.isnan(column), -1 if self.gap is None else len(values), column).astype(np.int64)
        return Categorical.from_codes(codes, categories=known)


def framed(data: DataSet, *, gap: bool = False) -> AsFrame:
    """Return the transformer of a data set; `gap` makes missing symbols a category of their own."""
    needed("pandas")  # learners that take categories as they are get them in a frame
    kinds = zip(data.symbolic, data.categories, strict=True)
    values = [(tuple(names) or _NO_VALUE) if symbolic else None for symbolic, names in kinds]
    known = {name for column in values if column for name in column}
    missing = "missing"
    while missing in known:
        missing += "_"
    return AsFrame(plain_names(data.attributes), values, missing if gap else None)


def plain_names(names: Sequence[str]) -> list[str]:
    """Return names of columns without the signs that some learner refuses, each once.

    Examples
    --------
    >>> plain_names(["size [m]", "size_(m)", "size__m_"])
    ['size__m_', 'size_(m)', 'size__m__']
    """
    taken: list[str] = []
    for name in names:
        plain = _AWKWARD.sub("_", name)
        while plain in taken:
            plain += "_"
        taken.append(plain)
    return taken


class EmptyToZero(OneToOneFeatureMixin, _TakesGaps):  # type: ignore[misc]
    """Set every column that holds no value in training to 0; leave all else, missing values included, as it is.

    Examples
    --------
    >>> import numpy as np
    >>> EmptyToZero().fit([[np.nan, np.nan], [1.0, np.nan]]).transform([[np.nan, 5.0]]).tolist()
    [[nan, 0.0]]
    """

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


class Piped(Pipeline):  # type: ignore[misc]
    """A pipeline that asks no step whether it is fitted.

    scikit-learn tells that by attributes that end with an underscore; a learner that keeps what it learned under other
    names predicts well by itself, and must not fail because something stands before it.
    """

    def __sklearn_is_fitted__(self) -> bool:
        return True
