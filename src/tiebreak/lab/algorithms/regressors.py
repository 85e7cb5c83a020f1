"""The catalogue of named learners, for classes and for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tiebreak._checks import check_choice
from tiebreak.lab.algorithms.encoding import code_mask
from tiebreak.lab.algorithms.entries import Entry, Setting
from tiebreak.lab.algorithms.learners import CLASS_LEARNERS, TUNE, WIDTHS, support_vectors

# ---- the catalogue for numbers: what the named learners are where the target is a number to predict


_HERE = "tiebreak.lab.algorithms"
_COSTS = tuple(2.0**power for power in range(-5, 11, 3))
_PENALTIES = tuple(10.0**power for power in range(-4, 5))


def hist_boosting(*, quantile: float | None = None, **given: Any) -> Any:
    """Return scikit-learn's histogram boosting, of the mean or of a quantile."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    loss = {} if quantile is None else {"loss": "quantile", "quantile": quantile}
    return HistGradientBoostingRegressor(**loss, **given)


def _like(name: str, learner: str, description: str, **changed: Any) -> Entry:
    """Return an entry of the catalogue for classes with another class behind it."""
    return replace(_BY_NAME[name], learner=learner, description=description, **changed)


_BY_NAME = {entry.name: entry for entry in CLASS_LEARNERS}
NUMBER_LEARNERS = (
    Entry(
        name="mean",
        description="Predicts the mean of the training rows: what every other learner should beat.",
        papers=("pedregosa2011",),
        learner="sklearn.dummy:DummyRegressor",
        encoding="none",
    ),
    Entry(
        name="linear",
        description="Least squares.",
        papers=("pedregosa2011",),
        learner="sklearn.linear_model:LinearRegression",
    ),
    Entry(
        name="ridge",
        description="Least squares with squared weights in the penalty.",
        papers=("hoerl1970",),
        learner="sklearn.linear_model:Ridge",
        settings={"alpha": Setting(1.0, "positive", "the weight of the penalty"), "tune": TUNE},
        grid={"alpha": _PENALTIES},
    ),
    Entry(
        name="elasticnet",
        description="Least squares with absolute and squared weights in the penalty.",
        papers=("zou2005",),
        learner="sklearn.linear_model:ElasticNet",
        settings={
            "alpha": Setting(0.01, "positive", "the weight of the penalty, for a target of variance 1"),
            "l1_ratio": Setting(0.5, "mix", "the share of absolute weights in the penalty"),
            "max_iter": Setting(10_000, "count", "the most steps"),
            "tune": TUNE,
        },
        grid={"alpha": (1e-4, 1e-3, 1e-2, 1e-1, 1.0), "l1_ratio": (0.1, 0.5, 0.9)},
        scale_target=True,
    ),
    Entry(
        name="c45",
        description="Regression tree (CART): squared error, five rows a leaf or more, pruned by cost and complexity.",
        papers=("breiman1984",),
        learner="sklearn.tree:DecisionTreeRegressor",
        encoding="plain",
        settings={
            "prune": Setting(0.001, "nonnegative", "the share of the target's variance every leaf must win"),
            "min_leaf": Setting(5, "count", "the fewest rows in a leaf"),
            "tune": TUNE,
        },
        grid={"prune": (0.0, 0.0003, 0.001, 0.003, 0.01, 0.03)},
        called={"prune": "ccp_alpha", "min_leaf": "min_samples_leaf"},
        scale_target=True,
    ),
    Entry(
        name="mlp",
        description="Multilayer perceptron with one hidden layer of (D + 1) / 2 units, D columns.",
        papers=("ulas2012",),
        learner=f"{_HERE}:SizedRegressor",
        differs="trained by Adam with rectified units",
        settings={
            **_BY_NAME["mlp"].settings,
            "hidden": Setting(None, "count or none", "hidden units; None: (D + 1) / 2, at least 5"),
        },
        scale_target=True,
    ),
    *(
        support_vectors(name, words, {"C": _COSTS, **grid}, regression=True, **_BY_NAME[name].fixed)
        for name, words, grid in (
            ("svl", "linear kernel", {}),
            ("sv2", "polynomial kernel of degree 2, (gamma x.y + 1)^2", {}),
            ("svr", "radial (Gaussian) kernel, exp(-gamma |x - y|^2)", {"gamma": WIDTHS}),
        )
    ),
    _like("5nn", "sklearn.neighbors:KNeighborsRegressor", "The mean of the five nearest neighbours."),
    _like(
        "knn",
        "sklearn.neighbors:KNeighborsRegressor",
        "The mean of the k nearest neighbours, k chosen by 3-fold cv inside the training rows.",
    ),
    _like(
        "rf",
        "sklearn.ensemble:RandomForestRegressor",
        "Random forest of fully grown trees on bootstrap samples.",
        scale_target=True,  # below a variance of 1e-15 scikit-learn takes a node for pure
    ),
    _like(
        "extratrees",
        "sklearn.ensemble:ExtraTreesRegressor",
        "Extremely randomised trees: random cuts on all rows, the best of a few.",
        scale_target=True,
    ),
    _like(
        "boost",
        f"{_HERE}.regressors:hist_boosting",
        "Gradient-boosted trees on binned attributes, symbols split as sets; of the mean, or of a quantile.",
        papers=("friedman2001", "koenker1978"),
        settings={
            **_BY_NAME["boost"].settings,
            "quantile": Setting(None, "fraction or none", "the quantile to predict; None: the mean"),
        },
        by_data=lambda data: {"categorical_features": code_mask(data)},
    ),
    *(
        _like(name, learner, _BY_NAME[name].description)
        for name, learner in (
            ("xgboost", "xgboost:XGBRegressor"),
            ("lightgbm", "lightgbm:LGBMRegressor"),
            ("catboost", "catboost:CatBoostRegressor"),
        )
    ),
)


CATALOGUE_VERSION = 1
"""Rises whenever a named learner would give other scores than before; part of every fingerprint."""


def catalogue(kind: str = "classes") -> tuple[Entry, ...]:
    """Return every named learner of classes, the papers' eight first, or of numbers (`kind="number"`).

    Examples
    --------
    >>> [entry.name for entry in catalogue()]
    ['c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn', 'lda', 'qda', 'knn', 'rf', 'nb', 'boost', 'rules',
    'sv2-homogeneous', 'mlp-online', 'lnp-online', 'extratrees', 'logistic', 'elasticnet', 'xgboost', 'lightgbm',
    'catboost']
    """
    if check_choice("kind of target", kind, ("classes", "number")) == "classes":
        return CLASS_LEARNERS
    return NUMBER_LEARNERS


def describe(name: str, *, kind: str | None = None) -> Entry:
    """Return one named learner; printed, it lists its settings.

    `kind` is "classes" or "number", for what it is there; without it the one for classes, if there is one.

    Examples
    --------
    >>> print(describe("mdt"))
    mdt: Multivariate decision tree: every node splits on a Fisher discriminant of all attributes.
      attributes: standardised, one column per symbolic value
      min_share = 0.05: the share of training rows below which a node is not split (a number from 0, below 1)
      prune_share = 0.0: the share of training rows held back to prune with (a number from 0, below 1)
      Yildiz and Alpaydin (2005), doi:10.1142/S0218001405004125
    """
    known = {entry.name: entry for entry in (CLASS_LEARNERS if kind is None else catalogue(kind))}
    if kind is None and name not in known:
        known |= {entry.name: entry for entry in catalogue("number") if entry.name not in known}
    mend = 'Any scikit-learn estimator can be given by import path: {"import": "package.module:Class"}.'
    return known[check_choice("learner", name, known, mend=mend)]
