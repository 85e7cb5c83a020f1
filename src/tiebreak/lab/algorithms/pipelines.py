"""From a catalogue entry and its settings to a fresh scikit-learn pipeline for one data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.lab.algorithms.encoding import code_mask, encoder
from tiebreak.lab.algorithms.entries import Entry

INNER_FOLDS = 3
"""Folds of the search inside the training rows."""

Chosen = Mapping[str, Any]


def pipeline_of(entry: Entry, chosen: Chosen, data: DataSet, *, seed: int) -> Any:
    """Return the unfitted pipeline of a named learner; every setting must have its value."""
    return _MAKERS[entry.name](entry, chosen, data, seed)


def _onto(learner: Any, data: DataSet, *, scale: bool) -> Any:
    from sklearn.pipeline import Pipeline

    return Pipeline([("encode", encoder(data, scale=scale)), ("learn", learner)])


def _searched(model: Any, grid: Mapping[str, tuple[object, ...]], seed: int) -> Any:
    """Search the grid by cross-validation of the whole pipeline, encoding included, inside the training rows."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold

    folds = StratifiedKFold(n_splits=INNER_FOLDS, shuffle=True, random_state=seed)
    named = {f"learn__{name}": list(values) for name, values in grid.items()}
    return GridSearchCV(model, named, cv=folds, scoring="accuracy", n_jobs=1)


def _c45(entry: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=chosen["min_leaf"], ccp_alpha=chosen["prune"], random_state=seed
    )
    model = _onto(tree, data, scale=False)
    return _searched(model, {"ccp_alpha": entry.grid["prune"]}, seed) if chosen["tune"] else model


def _mdt(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from tiebreak.lab.algorithms.linear_tree import LinearDiscriminantTree

    return _onto(LinearDiscriminantTree(**chosen, random_state=seed), data, scale=True)


def _mlp(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from tiebreak.lab.algorithms.sized_perceptron import SizedPerceptron

    return _onto(SizedPerceptron(**chosen, random_state=seed), data, scale=True)


def _lnp(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return _onto(LogisticRegression(**chosen, random_state=seed), data, scale=True)


def _svm(**kernel: Any) -> Callable[[Entry, Chosen, DataSet, int], Any]:
    def make(entry: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
        from sklearn.svm import SVC

        steps = chosen["max_iter"] or max(100_000, 10 * data.n_rows)
        own = {name: chosen[name] for name in ("C", "gamma") if name in chosen}
        model = _onto(SVC(**kernel, **own, max_iter=steps, random_state=seed), data, scale=True)
        if chosen["tune"]:
            model = _searched(model, entry.grid, seed)
        return _calibrated(model, seed) if chosen["probabilities"] else model

    return make


def _calibrated(model: Any, seed: int) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(n_splits=INNER_FOLDS, shuffle=True, random_state=seed)
    return CalibratedClassifierCV(model, method="sigmoid", cv=folds, ensemble=False, n_jobs=1)


def _5nn(_: Entry, __: Chosen, data: DataSet, ___: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return _onto(KNeighborsClassifier(n_neighbors=5, n_jobs=1), data, scale=True)


def _knn(entry: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    model = _onto(KNeighborsClassifier(n_neighbors=chosen["k"], n_jobs=1), data, scale=True)
    if not chosen["tune"]:
        return model
    fits = tuple(k for k in entry.grid["k"] if isinstance(k, int) and k <= max(1, data.n_rows // 6))
    return _searched(model, {"n_neighbors": fits}, seed)


def _lda(_: Entry, chosen: Chosen, data: DataSet, __: int) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return _onto(LinearDiscriminantAnalysis(solver="lsqr", shrinkage=chosen["shrinkage"]), data, scale=True)


def _qda(_: Entry, chosen: Chosen, data: DataSet, __: int) -> Any:
    from tiebreak.lab.algorithms.regularised_discriminant import RegularisedDiscriminant

    return _onto(RegularisedDiscriminant(**chosen), data, scale=True)


def _rf(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return _onto(RandomForestClassifier(n_estimators=chosen["trees"], n_jobs=1, random_state=seed), data, scale=False)


def _nb(_: Entry, chosen: Chosen, data: DataSet, __: int) -> Any:
    from sklearn.pipeline import Pipeline

    from tiebreak.lab.algorithms.mixed_bayes import MixedNaiveBayes

    return Pipeline([("learn", MixedNaiveBayes(symbolic=data.symbolic.tolist(), **chosen))])


def _boost(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import Pipeline

    booster = HistGradientBoostingClassifier(
        max_iter=chosen["trees"],
        learning_rate=chosen["learning_rate"],
        min_samples_leaf=chosen["min_leaf"],
        categorical_features=code_mask(data),
        early_stopping=False,
        random_state=seed,
    )
    return Pipeline([("encode", encoder(data, symbolic="codes")), ("learn", booster)])


def _rules(_: Entry, chosen: Chosen, data: DataSet, seed: int) -> Any:
    from tiebreak.lab.algorithms.rule_list import RuleList

    return _onto(RuleList(**chosen, random_state=seed), data, scale=False)


_MAKERS: Mapping[str, Callable[[Entry, Chosen, DataSet, int], Any]] = {
    "c45": _c45,
    "mdt": _mdt,
    "mlp": _mlp,
    "lnp": _lnp,
    "svl": _svm(kernel="linear"),
    "sv2": _svm(kernel="poly", degree=2, coef0=1.0),
    "svr": _svm(kernel="rbf"),
    "5nn": _5nn,
    "lda": _lda,
    "qda": _qda,
    "knn": _knn,
    "rf": _rf,
    "nb": _nb,
    "boost": _boost,
    "rules": _rules,
}
