"""XGBoost, LightGBM and CatBoost, which differ in how they are kept quiet, told of categories, and stopped early."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.metaestimators import available_if

from tiebreak.lab.algorithms.base import settings_as_fields

QUIET: Mapping[str, Mapping[str, tuple[object, tuple[str, ...]]]] = {
    "xgboost": {"n_jobs": (1, ("nthread",)), "verbosity": (0, ())},
    "lightgbm": {
        "n_jobs": (1, ("num_threads", "num_thread", "nthread", "nthreads")),
        "verbose": (-1, ("verbosity",)),
        "deterministic": (True, ()),
        "force_row_wise": (True, ("force_col_wise",)),
    },
    "catboost": {
        "thread_count": (1, ()),
        "verbose": (False, ("silent", "logging_level", "verbose_eval")),
        "allow_writing_files": (False, ()),
    },
}
"""Parameters that keep a library on one thread and quiet, each with its other names."""
SEEDS = ("random_state", "seed", "random_seed")
"""What the seed of a learner may be called."""


def library_of(learner: object) -> str:
    """Return which of the libraries a learner comes from, or "" for none."""
    root = type(learner).__module__.partition(".")[0]
    return root if root in QUIET else ""


def calmed(learner: Any) -> Any:
    """Keep every booster inside a learner on one thread, quiet and without files, where the caller said nothing."""
    for name, part in [("", learner), *learner.get_params(deep=True).items()]:
        library = "" if isinstance(part, type) else library_of(part)
        if library:
            params = part.get_params()
            for key, (value, others) in QUIET[library].items():
                if all(params.get(text) is None for text in (key, *others)):
                    learner.set_params(**{f"{name}__{key}" if name else key: value})
    return learner


def seedless(learner: Any) -> list[str]:
    """Return the names of seeds that nobody has set, also inside; CatBoost lists only what was set."""
    params = learner.get_params(deep=True)
    unset = [name for name, value in params.items() if value is None and name.rpartition("__")[2] in SEEDS]
    for name, part in [("", learner), *params.items()]:
        silent = not isinstance(part, type) and library_of(part) == "catboost"
        if silent and not any(seed in part.get_params() for seed in SEEDS):
            unset.append(f"{name}__random_seed" if name else "random_seed")
    return unset


def _inner_has(method: str) -> Callable[[Any], bool]:
    return lambda boosted: hasattr(boosted.estimator, method)


@settings_as_fields
class Boosted(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A booster that is told which columns of a frame are categories, and may stop early on rows of its own.

    With `share` a part of the training rows, every class in its share, is held back; trees are added until the loss on
    them has not fallen for `rounds` trees, and those up to the best one are kept.

    Parameters
    ----------
    estimator : estimator
        Of XGBoost, LightGBM or CatBoost.
    share : float, default 0
        The share of the training rows that is held back; 0: none, and no early stopping.
    rounds : int, default 20
        How many trees without progress end the training.
    random_state : int, RandomState or None, default None
        Which rows are held back.
    """

    estimator: Any
    share: float = 0.0
    rounds: int = 20
    random_state: Any = None

    def __sklearn_tags__(self) -> Any:
        """Be of the kind of the booster inside."""
        return get_tags(self.estimator)

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The classes of the booster."""
        return np.asarray(self.model_.classes_)

    def fit(self, X: Any, y: Any) -> Boosted:
        """Train the booster on a frame."""
        self.model_ = clone(self.estimator)
        options = {} if library_of(self.model_) != "catboost" else {"cat_features": _category_columns(X)}
        held = self._held(np.asarray(y)) if self.share else np.zeros(len(y), dtype=bool)
        if held.any():
            options |= self._stopping(_safe_indexing(X, np.flatnonzero(held)), np.asarray(y)[held])
        taught = np.flatnonzero(~held)
        rows = _safe_indexing(X, taught) if held.any() else X
        self.model_.fit(rows, np.asarray(y)[taught], **options)
        return self

    def _held(self, y: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Choose the rows that are held back; every class keeps a row to learn from, so rare ones are not held."""
        chance = check_random_state(self.random_state)
        held = np.zeros(len(y), dtype=bool)
        kinds = [np.arange(len(y))] if is_regressor(self.estimator) else [np.flatnonzero(y == k) for k in np.unique(y)]
        for places in kinds:
            count = min(round(self.share * len(places)), len(places) - 1)
            held[chance.permutation(places)[:count]] = True
        return held

    def _stopping(self, rows: Any, y: Any) -> dict[str, Any]:
        """Say it in the words of the library; the XGBoost and CatBoost models then predict with the best trees."""
        library = library_of(self.model_)
        if library == "xgboost":
            self.model_.set_params(early_stopping_rounds=self.rounds)
            return {"eval_set": [(rows, y)], "verbose": False}
        if library == "catboost":
            return {"eval_set": (rows, y), "early_stopping_rounds": self.rounds}
        from lightgbm import early_stopping

        newer = "eval_X" in inspect.signature(self.model_.fit).parameters
        watched = {"eval_X": (rows,), "eval_y": (y,)} if newer else {"eval_set": [(rows, y)]}
        return {**watched, "callbacks": [early_stopping(self.rounds, verbose=False)]}

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict; CatBoost gives a column where others give a row of answers."""
        answers = np.asarray(self.model_.predict(X))
        return answers[:, 0] if answers.ndim == 2 and answers.shape[1] == 1 else answers

    @available_if(_inner_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the booster."""
        return self.model_.predict_proba(X)


def _category_columns(X: Any) -> list[str] | None:
    """Return the category columns of a frame; an array has none."""
    types = getattr(X, "dtypes", None)
    return None if types is None else [str(name) for name, kind in types.items() if str(kind) == "category"]
