"""A booster that takes raw rows: a frame as it is read from a file, with symbols, gaps and class names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from tiebreak.lab.algorithms.as_frame import plain_names
from tiebreak.lab.algorithms.boosters import Boosted, library_of

NO_VALUE, GAP = "none", "missing"


class TableBooster(Boosted):
    """A booster of XGBoost, LightGBM or CatBoost that is fitted on raw rows and predicts raw rows.

    The symbols of a column are those it was fitted on; one that was never seen is a gap. Names of columns that a
    library refuses are replaced, and classes are the labels of `y`, whatever they are.

    Parameters
    ----------
    estimator, share, rounds, random_state
        As in `Boosted`.
    symbolic : sequence of str, default ()
        The columns that hold symbols.

    Examples
    --------
    >>> import pandas as pd
    >>> from lightgbm import LGBMClassifier
    >>> rows = pd.DataFrame({"kind of pet": ["cat", "dog"] * 20, "size [m]": [0.3, 0.8] * 20})
    >>> model = TableBooster(LGBMClassifier(verbose=-1), symbolic=["kind of pet"]).fit(rows, ["purrs", "barks"] * 20)
    >>> model.predict(pd.DataFrame({"size [m]": [0.3, None], "kind of pet": ["cat", "cow"]})).tolist()[0]
    'purrs'
    """

    def __init__(
        self,
        estimator: Any,
        *,
        share: float = 0.0,
        rounds: int = 20,
        random_state: Any = None,
        symbolic: Sequence[str] = (),
    ) -> None:
        super().__init__(estimator=estimator, share=share, rounds=rounds, random_state=random_state)
        self.symbolic = symbolic

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels that the model was fitted on."""
        return self.labels_

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TableBooster:
        """Learn columns, symbols and labels, and train the booster."""
        self.feature_names_in_ = np.array([*X.columns], dtype=object)
        self.categories_ = {name: _symbols(X[name]) for name in self.symbolic}
        target = np.asarray(y)
        if not is_regressor(self.estimator):
            self.labels_, target = np.unique(target.astype(object), return_inverse=True)
        super().fit(self._framed(X), target, sample_weight)
        return self

    def _framed(self, X: Any) -> Any:
        """Return a frame of the columns that were learned, symbols as categories, under names that libraries take."""
        import pandas

        gap = library_of(self.estimator) == "catboost"
        columns: dict[str, Any] = {}
        for name, plain in zip(self.feature_names_in_, plain_names([*map(str, self.feature_names_in_)]), strict=True):
            if name not in self.categories_:
                columns[plain] = pandas.to_numeric(X[name], errors="coerce").to_numpy(np.float64, na_value=np.nan)
                continue
            known = self.categories_[name]
            symbols = X[name].astype(object).where(X[name].isin(known), GAP if gap else None)
            columns[plain] = pandas.Categorical(symbols, categories=[*known, GAP] if gap else known)
        return pandas.DataFrame(columns)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict raw rows, which have the columns of the fit."""
        answers = super().predict(self._framed(X))
        return answers if is_regressor(self.estimator) else self.labels_[answers.astype(np.int64)]

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes in the order of `classes_`."""
        return self.model_.predict_proba(self._framed(X))


def _symbols(column: Any) -> list[Any]:
    """Return the values of a column, sorted; a column without any has one, as XGBoost fails where there are none."""
    found = sorted(set(column.dropna().tolist()), key=lambda each: (type(each).__name__, each))
    return found or [NO_VALUE]
