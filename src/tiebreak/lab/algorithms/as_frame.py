"""Rows as a data frame with category columns, for learners that take categories and missing values themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError

_AWKWARD = re.compile(r'[\s\[\]<>{},":]')
"""What some learner refuses in the name of a column."""
_NO_VALUE = ("none",)
"""The categories of a symbolic column without a single value: XGBoost fails where there are none."""


class AsFrame(TransformerMixin, BaseEstimator):  # type: ignore[misc]
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

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

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
    require_pandas()
    kinds = zip(data.symbolic, data.categories, strict=True)
    values = [(tuple(each) or _NO_VALUE) if symbolic else None for symbolic, each in kinds]
    known = {each for column in values if column for each in column}
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


def require_pandas() -> None:
    """Refuse with the extra to install where pandas is missing."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise OptionError(
            "pandas is not installed.",
            why="Learners that take categories as they are get them in a pandas frame.",
            mend="Install it with `pip install 'tiebreak[boosting]'`.",
        ) from None
