"""A learner that tries settings before it learns: by inner cross-validation, or, as in papers, on validation rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import available_if

from tiebreak.lab.algorithms.base import settings_as_fields
from tiebreak.lab.algorithms.entries import Tuning

_Score = Callable[[Any, dict[str, Any]], float]


def _best_has(method: str) -> Callable[[Any], bool]:
    return lambda search: hasattr(getattr(search, "best_estimator_", search.estimator), method)


@settings_as_fields
class Search(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Try settings of a learner and keep the best: the highest mean accuracy (r2 of numbers), the first of several.

    What was chosen is then learned on all training rows. A candidate that raises is passed over; if all do, the first
    error is raised.

    Parameters
    ----------
    estimator : estimator
        The learner, with everything that is around it: what is imputed or scaled is learned anew in every inner fold.
    tuning : Tuning
        What is tried.
    names : mapping, optional
        The estimator's own names of the settings, where they have others.
    cv : int, default 0
        The seed of inner folds. (The name tells others that this is a search.)

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> rows = [[i % 2 + 0.01 * i] for i in range(40)]
    >>> tuning = Tuning.of({"space": {"n_neighbors": [1, 3]}}, "'knn'")
    >>> Search(estimator=KNeighborsClassifier(), tuning=tuning).fit(rows, [i % 2 for i in range(40)]).tuned_["settings"]
    {'n_neighbors': 1}
    """

    estimator: Any
    tuning: Tuning
    names: Mapping[str, str] | None = None
    cv: int = 0

    def __sklearn_tags__(self) -> Any:
        """Be of the kind of the learner inside."""
        return get_tags(self.estimator)

    @property
    def on_validation(self) -> bool:
        """Whether the validation rows must be given to `fit`."""
        return self.tuning.on == "validation"

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The classes of the chosen learner."""
        return np.asarray(self.best_estimator_.classes_)

    def fit(self, X: Any, y: Any, *, validation: tuple[Any, Any] | None = None) -> Search:
        """Choose settings and learn with them."""
        score = self._inside(X, y) if validation is None else self._on_validation(X, y, *validation)
        candidates = self.tuning.candidates()
        scores, failed = self._tried(candidates, score)
        if not scores:
            raise failed[0]
        best = max(scores, key=scores.__getitem__)  # the first of several
        self.best_estimator_ = clone(self.estimator).set_params(**self._own(candidates[best])).fit(X, y)
        self.tuned_ = {
            "settings": candidates[best],
            "score": scores[best],
            "on": self.tuning.on,
            "candidates": len(candidates),
            "failed": len(failed),
        }
        return self

    def _own(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return settings by the estimator's names."""
        names = self.names or {}
        return {names.get(name, name): value for name, value in settings.items()}

    def _tried(self, candidates: list[dict[str, Any]], score: _Score) -> tuple[dict[int, float], list[Exception]]:
        """Return the scores of the candidates, by their places, and the errors of those that failed."""
        scores: dict[int, float] = {}
        failed: list[Exception] = []
        for place, candidate in enumerate(candidates):
            try:
                scores[place] = score(clone(self.estimator), self._own(candidate))
            except MemoryError:
                raise
            except Exception as error:
                failed.append(error)
        return scores, failed

    def _inside(self, X: Any, y: Any) -> _Score:
        """Score a candidate by cross-validation of the training rows."""
        kind = KFold if is_regressor(self.estimator) else StratifiedKFold
        parts = list(kind(n_splits=self.tuning.folds, shuffle=True, random_state=self.cv).split(X, y))

        def score(learner: Any, settings: dict[str, Any]) -> float:
            learner.set_params(**settings)
            result = []
            for train, held in parts:
                answers, truth = _safe_indexing(y, train), _safe_indexing(y, held)
                if kind is StratifiedKFold:  # numbered anew: an inner part may lack a class, and some want 0, 1, ...
                    known, answers = np.unique(answers, return_inverse=True)
                    truth = _places(truth, known)
                fitted = clone(learner).fit(_safe_indexing(X, train), answers)
                result.append(_goodness(fitted, _safe_indexing(X, held), truth))
            return float(np.mean(result))

        return score

    def _on_validation(self, X: Any, y: Any, rows: Any, truth: Any) -> _Score:
        """Score a candidate on the rows it will be measured on, which makes that measure too good."""
        return lambda learner, settings: _goodness(learner.set_params(**settings).fit(X, y), rows, truth)

    def predict(self, X: Any) -> Any:
        """Predict with the chosen settings."""
        return self.best_estimator_.predict(X)

    @available_if(_best_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the chosen learner."""
        return self.best_estimator_.predict_proba(X)

    @available_if(_best_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the margins of the chosen learner."""
        return self.best_estimator_.decision_function(X)


def _places(labels: Any, known: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the places of labels among the known ones, -1 for those that are not."""
    places = np.minimum(np.searchsorted(known, labels), known.size - 1)
    return np.where(known[places] == labels, places, -1)


def _goodness(fitted: Any, rows: Any, truth: Any) -> float:
    """Return accuracy, or for numbers r2: the larger the better, and never NaN; not every learner can score itself."""
    answers = np.asarray(fitted.predict(rows)).reshape(-1)
    value = float(r2_score(truth, answers)) if is_regressor(fitted) else float(np.mean(answers == np.asarray(truth)))
    if np.isnan(value):
        raise ValueError("the score is not a number")
    return value
