"""From attributes to numbers, inside the fold: what is imputed, encoded and scaled, learned from the training rows.

Nothing here looks at the rows of a data set; only at which of its attributes are symbolic. The steps are unfitted
scikit-learn transformers, so their medians, means and categories come from whatever rows the pipeline is fitted on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.datasets import DataSet
from tiebreak.errors import needed

MOST_CATEGORIES = 100
"""The most columns one symbolic attribute is spread over; the rarer values share the last of them."""

MOST_CODES = 250
"""The most codes of one symbolic attribute for learners that take categories; the rarer values share the last."""


def encoder(data: DataSet, *, scale: bool = True, symbolic: str = "onehot") -> Any:
    """Return the unfitted transformer that turns rows of a data set into numbers without gaps.

    Numeric attributes: a missing value becomes the median of the training rows (0 where a column is empty there);
    with `scale` the column is then brought to mean 0 and variance 1 (a constant one becomes 0).

    Symbolic attributes, "onehot": one column per value seen in training, missing being a value of its own; a value
    never seen there is all zeros; beyond 100 values the rarer ones share a column, and so do unseen ones.
    "codes": one column with the code of the value, a missing or unseen value being NaN, for learners that know
    categories and missing values themselves; numeric columns then keep their missing values too (an empty one
    becomes 0) and are not scaled.

    Parameters
    ----------
    data : DataSet
        Only its `symbolic` mask is read, never its rows.
    scale : bool, default True
        Whether numeric columns are standardised; trees and rules need no scale.
    symbolic : {"onehot", "codes"}, default "onehot"
        What becomes of symbolic attributes. Numeric columns come first in the output.

    Returns
    -------
    sklearn.compose.ColumnTransformer
        To be fitted on the training rows of a fold and nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> from tiebreak.datasets import DataSet
    >>> data = DataSet.from_arrays([[1, 0], [3, 1], [np.nan, 2]], ["a", "b", "a"], symbolic=[False, True])
    >>> encoder(data).fit(data.values[:2]).transform(data.values).tolist()
    [[-1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    needed("sklearn")
    from sklearn.compose import ColumnTransformer

    check_choice("encoding", symbolic, ("onehot", "codes"))
    numbers, symbols = _with_gaps() if symbolic == "codes" else _without_gaps(scale)
    steps = [
        ("numeric", numbers, np.flatnonzero(~data.symbolic).tolist()),
        ("symbolic", symbols, np.flatnonzero(data.symbolic).tolist()),
    ]
    used = [step for step in steps if step[2]]
    return ColumnTransformer(used, sparse_threshold=0.0, verbose_feature_names_out=False)


def code_mask(data: DataSet) -> list[bool]:
    """Return which columns of `encoder(data, symbolic="codes")` hold codes: the last ones."""
    count = int(data.symbolic.sum())
    return [False] * (data.n_attributes - count) + [True] * count


def _without_gaps(scale: bool) -> tuple[Any, Any]:
    """Return the steps for numbers and for symbols that leave no gap and no code behind."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    impute = SimpleImputer(strategy="median", keep_empty_features=True)
    spread = {"handle_unknown": "infrequent_if_exist", "max_categories": MOST_CATEGORIES, "sparse_output": False}
    return make_pipeline(impute, StandardScaler()) if scale else impute, OneHotEncoder(**spread, dtype=np.float64)


def _with_gaps() -> tuple[Any, Any]:
    """Return the steps for learners that know missing values and codes; an unseen value counts as missing."""
    from sklearn.preprocessing import OrdinalEncoder

    from tiebreak.lab.algorithms.base import EmptyToZero

    unseen = {"handle_unknown": "use_encoded_value", "unknown_value": np.nan, "encoded_missing_value": np.nan}
    return EmptyToZero(), OrdinalEncoder(**unseen, max_categories=MOST_CODES, dtype=np.float64)
