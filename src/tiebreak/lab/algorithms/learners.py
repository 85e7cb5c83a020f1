"""The catalogue of named learners, for classes and for numbers: what each one is, and the settings it takes.

A new learner is one more `Entry` in a table below: `building` makes its pipeline from it, `specs` its fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tiebreak._checks import check_choice
from tiebreak.lab.algorithms.encoding import code_mask
from tiebreak.lab.algorithms.entries import Entry, Setting

_FOREST = {
    "trees": Setting(100, "count", "how many trees"),
    "max_features": Setting(None, "fraction or none", "the share of columns that a split tries; None: the class's own"),
}
_MIN_LEAF = "the fewest rows in a leaf"
_LIBRARY_NAMES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost"}
_HERE = "tiebreak.lab.algorithms"
_COSTS = tuple(2.0**power for power in range(-5, 16, 4))
WIDTHS = tuple(2.0**power for power in range(-15, 4, 3))
_ONLINE = {
    "learning_rate": Setting(0.01, "positive", "the rate of the first epoch"),
    "decay": Setting(0.95, "fraction", "what the rate is multiplied by after every epoch"),
    "epochs": Setting(50, "count", "passes over the training rows"),
}
_EPOCHS = {"epochs": "max_iter"}
TUNE = Setting(False, "flag", "whether the grid is searched, by 3-fold cv of the training rows")
MAX_ITER = "the most steps of the solver; None: 100,000, or 10 per row if more"


def support_vectors(
    name: str, words: str, grid: Mapping[str, tuple[float, ...]], *, regression: bool = False, **fixed: object
) -> Entry:
    """Make the entry of a support vector machine, or of a regression; the linear kernel has no width."""
    where = "outside the tube" if regression else "inside the margin"
    settings = {
        "C": Setting(1.0, "positive", f"the price of a row {where}"),
        "gamma": Setting("scale", "gamma", "the kernel's width; 'scale' is 1 / (columns x variance)"),
        "epsilon": Setting(0.1, "nonnegative", "half the width of the tube, in standard deviations of the target"),
        "tune": TUNE,
        "probabilities": Setting(False, "flag", "whether sigmoids, by inner 3-fold cv, make probabilities of margins"),
        "max_iter": Setting(None, "count or none", MAX_ITER),
    }
    others = {"gamma"} if fixed["kernel"] == "linear" else set()
    others |= {"probabilities"} if regression else {"epsilon"}
    ranges = "the tuned ranges are those of the LIBSVM guide, C in steps of 2^4 and gamma of 2^3 instead of 2^2"
    return Entry(
        name=name,
        description=f"Support vector {'regression' if regression else 'machine'}, {words}.",
        papers=("smola2004",) if regression else ("cortes1995", "hsu2003"),
        learner=f"sklearn.svm:{'SVR' if regression else 'SVC'}",
        differs="" if regression else ranges,
        settings={setting: record for setting, record in settings.items() if setting not in others},
        grid=grid,
        fixed=fixed,
        by_data=lambda data: {"max_iter": max(100_000, 10 * data.n_rows)},  # without a bound some folds never end
        scale_target=regression,
    )


_INVERSE = "the inverse weight of the penalty"
_STEPS = Setting(1000, "count", "the most steps")
_PENALTIES = tuple(10.0**power for power in range(-3, 4))
_BOOSTER_SETTINGS = {
    "trees": ("count", "how many trees at most"),
    "learning_rate": ("positive", "how much of every tree is added"),
    "depth": ("count", "how deep a tree may be"),
    "leaves": ("count", "how many leaves a tree may have"),
    "min_leaf": ("count", _MIN_LEAF),
}


def _booster(
    name: str, learner: str, papers: tuple[str, ...], defaults: Mapping[str, object], called: Mapping[str, str]
) -> Entry:
    """Make the entry of a boosting library; the defaults are those of the library."""
    settings = {default: Setting(defaults[default], *_BOOSTER_SETTINGS[default]) for default in defaults}
    if defaults["learning_rate"] is None:
        settings["learning_rate"] = Setting(
            None, "positive or none", "how much of every tree is added; None: by rows and trees"
        )
    settings |= {
        "early_stopping": Setting(None, "stopping", "held training rows; trees without progress that end it"),
        "tune": TUNE,
    }
    size: dict[str, tuple[object, ...]] = {"leaves": (7, 31)} if "leaves" in defaults else {"depth": (3, 6)}
    return Entry(
        name=name,
        description=f"Gradient-boosted trees of {_LIBRARY_NAMES[name]}, categories and gaps as it takes them.",
        papers=papers,
        learner=learner,
        encoding="frame",
        settings=settings,
        grid={"learning_rate": (0.03, 0.1, 0.3), **size},
        called=called,
        extra="boosting",
    )


def _elastic() -> Mapping[str, object]:
    """From version 1.8 scikit-learn knows an elastic net by l1_ratio alone and warns of the older word."""
    from sklearn import __version__

    return {} if tuple(int(part) for part in __version__.split(".")[:2]) >= (1, 8) else {"penalty": "elasticnet"}


CLASS_LEARNERS = (
    Entry(
        name="c45",
        description="Single-split decision tree: entropy, at least two rows in a leaf, pruned by cost and complexity.",
        papers=("quinlan1993", "ulas2012"),
        learner="sklearn.tree:DecisionTreeClassifier",
        encoding="plain",
        differs="splits are binary and chosen by information gain, not by gain ratio with one branch per value; "
        "missing values are imputed, not spread over branches; pruning is by cost and complexity, not by "
        "pessimistic error",
        settings={
            "prune": Setting(0.005, "nonnegative", "the entropy in bits every leaf must win"),
            "min_leaf": Setting(2, "count", _MIN_LEAF),
            "tune": TUNE,
        },
        grid={"prune": (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)},
        fixed={"criterion": "entropy"},
        called={"prune": "ccp_alpha", "min_leaf": "min_samples_leaf"},
    ),
    Entry(
        name="mdt",
        description="Multivariate decision tree: every node splits on a Fisher discriminant of all attributes.",
        papers=("yildiz2005",),
        learner=f"{_HERE}:LinearDiscriminantTree",
        settings={
            "min_share": Setting(0.05, "share", "the share of training rows below which a node is not split"),
            "prune_share": Setting(0.0, "share", "the share of training rows held back to prune with"),
        },
    ),
    Entry(
        name="mlp",
        description="Multilayer perceptron with one hidden layer of (D + K) / 2 units, D columns and K classes.",
        papers=("ulas2012",),
        learner=f"{_HERE}:SizedPerceptron",
        differs="trained by Adam with rectified units, not by plain gradient descent with sigmoids",
        settings={
            "hidden": Setting(None, "count or none", "hidden units; None: (D + K) / 2"),
            "alpha": Setting(1e-4, "nonnegative", "the weight of the squared weights"),
            "learning_rate": Setting(0.01, "positive", "Adam's first step size"),
            "max_iter": Setting(200, "count", "the most passes over the training rows"),
        },
    ),
    Entry(
        name="lnp",
        description="Linear perceptron: softmax of linear outputs, the cross-entropy minimised.",
        papers=("ulas2012",),
        learner="sklearn.linear_model:LogisticRegression",
        differs="minimised to convergence by L-BFGS with a small squared penalty, so the step size does not matter; "
        "the papers descend the same loss by stochastic gradients",
        settings={"C": Setting(1.0, "positive", _INVERSE), "max_iter": _STEPS},
    ),
    support_vectors("svl", "linear kernel, one class against another", {"C": _COSTS}, kernel="linear"),
    support_vectors(
        "sv2", "polynomial kernel of degree 2, (gamma x.y + 1)^2", {"C": _COSTS}, kernel="poly", degree=2, coef0=1.0
    ),
    support_vectors(
        "svr", "radial (Gaussian) kernel, exp(-gamma |x - y|^2)", {"C": _COSTS, "gamma": WIDTHS}, kernel="rbf"
    ),
    Entry(
        name="5nn",
        description="The five nearest neighbours vote, Euclidean distance.",
        papers=("cover1967",),
        learner="sklearn.neighbors:KNeighborsClassifier",
        fixed={"n_neighbors": 5, "n_jobs": 1},
    ),
    Entry(
        name="lda",
        description="Linear discriminant analysis: normal classes with one covariance.",
        papers=("fisher1936",),
        learner="sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
        settings={"shrinkage": Setting(0.01, "share", "how far the covariance is drawn to a multiple of the identity")},
        fixed={"solver": "lsqr"},
    ),
    Entry(
        name="qda",
        description="Quadratic discriminant analysis: normal classes, each with its own covariance.",
        papers=("friedman1989",),
        learner=f"{_HERE}:RegularisedDiscriminant",
        differs="covariances are drawn a little to the common one and to a sphere, so that few rows and collinear "
        "columns leave them regular",
        settings={
            "pooling": Setting(0.01, "share", "how far every covariance is drawn to the common one"),
            "ridge": Setting(0.01, "share", "how far every covariance is drawn to a sphere"),
        },
    ),
    Entry(
        name="knn",
        description="The k nearest neighbours vote, k chosen by 3-fold cv inside the training rows.",
        papers=("cover1967",),
        learner="sklearn.neighbors:KNeighborsClassifier",
        settings={
            "k": Setting(5, "count", "neighbours, where they are not tuned"),
            "tune": replace(TUNE, default=True),
        },
        grid={"k": (1, 3, 5, 7, 9, 11, 15, 21)},
        fixed={"n_jobs": 1},
        called={"k": "n_neighbors"},
    ),
    Entry(
        name="rf",
        description="Random forest of fully grown trees on bootstrap samples.",
        papers=("breiman2001",),
        learner="sklearn.ensemble:RandomForestClassifier",
        encoding="plain",
        settings=_FOREST,
        fixed={"n_jobs": 1},
        called={"trees": "n_estimators"},
    ),
    Entry(
        name="nb",
        description="Naive Bayes: normal numbers, counted symbols, missing values left out.",
        papers=("john1995",),
        learner=f"{_HERE}:MixedNaiveBayes",
        encoding="none",
        settings={"smoothing": Setting(1.0, "positive", "what is added to every count")},
        by_data=lambda data: {"symbolic": data.symbolic.tolist()},
    ),
    Entry(
        name="boost",
        description="Gradient-boosted trees on binned attributes, symbols split as sets.",
        papers=("friedman2001",),
        learner="sklearn.ensemble:HistGradientBoostingClassifier",
        encoding="codes",
        differs="scikit-learn's histogram boosting; up to 31 leaves a tree",
        settings={
            "trees": _FOREST["trees"],
            "learning_rate": Setting(0.1, "positive", "how much of every tree is added"),
            "min_leaf": Setting(5, "count", _MIN_LEAF),
        },
        fixed={"early_stopping": False},
        called={"trees": "max_iter", "min_leaf": "min_samples_leaf"},
        by_data=lambda data: {"categorical_features": code_mask(data)},
    ),
    Entry(
        name="rules",
        description="Ordered list of rules, grown by FOIL's gain and pruned on held rows, class by class.",
        papers=("fuernkranz1994", "cohen1995"),
        learner=f"{_HERE}:RuleList",
        encoding="plain",
        differs="without RIPPER's description length and second optimising pass",
        settings={
            "bins": Setting(32, "count", "the most bins per column, at least 2"),
            "max_rules": Setting(50, "count", "the most rules per class"),
        },
    ),
    support_vectors(
        "sv2-homogeneous",
        "polynomial kernel of degree 2 without a constant, (gamma x.y)^2",
        {"C": _COSTS},
        kernel="poly",
        degree=2,
        coef0=0.0,
    ),
    Entry(
        name="mlp-online",
        description="Multilayer perceptron as the papers trained it: plain online backpropagation, sigmoids, softmax.",
        papers=("ulas2012",),
        learner=f"{_HERE}:OnlinePerceptron",
        settings={"hidden": Setting(None, "count or none", "hidden units; None: (D + K) / 2"), **_ONLINE},
        called=_EPOCHS,
    ),
    Entry(
        name="lnp-online",
        description="Linear perceptron as the papers trained it: plain online backpropagation, softmax.",
        papers=("ulas2012",),
        learner=f"{_HERE}:OnlinePerceptron",
        settings=_ONLINE,
        fixed={"hidden": 0},
        called=_EPOCHS,
    ),
    Entry(
        name="extratrees",
        description="Extremely randomised trees: random cuts on all rows, the best of a few.",
        papers=("geurts2006",),
        learner="sklearn.ensemble:ExtraTreesClassifier",
        encoding="plain",
        settings=_FOREST,
        fixed={"n_jobs": 1},
        called={"trees": "n_estimators"},
    ),
    Entry(
        name="logistic",
        description="Multinomial logistic regression with a squared penalty.",
        papers=("cox1958",),
        learner="sklearn.linear_model:LogisticRegression",
        differs="the learner is that of `lnp`, and its scores are too; C can be tuned here",
        settings={"C": Setting(1.0, "positive", _INVERSE), "max_iter": _STEPS, "tune": TUNE},
        grid={"C": _PENALTIES},
    ),
    Entry(
        name="elasticnet",
        description="Multinomial logistic regression with absolute and squared weights in the penalty.",
        papers=("zou2005",),
        learner="sklearn.linear_model:LogisticRegression",
        settings={
            "C": Setting(1.0, "positive", _INVERSE),
            "l1_ratio": Setting(0.5, "mix", "the share of absolute weights in the penalty"),
            "max_iter": _STEPS,
            "tune": TUNE,
        },
        grid={"C": _PENALTIES, "l1_ratio": (0.1, 0.5, 0.9)},
        fixed={"solver": "saga"},
        by_data=lambda _: _elastic(),
    ),
    _booster(
        "xgboost",
        "xgboost:XGBClassifier",
        ("chen2016",),
        {"trees": 100, "learning_rate": 0.3, "depth": 6},
        {"trees": "n_estimators", "depth": "max_depth"},
    ),
    _booster(
        "lightgbm",
        "lightgbm:LGBMClassifier",
        ("ke2017",),
        {"trees": 100, "learning_rate": 0.1, "leaves": 31, "min_leaf": 20},
        {"trees": "n_estimators", "leaves": "num_leaves", "min_leaf": "min_child_samples"},
    ),
    _booster(
        "catboost",
        "catboost:CatBoostClassifier",
        ("prokhorenkova2018",),
        {"trees": 1000, "learning_rate": None, "depth": 6},
        {"trees": "iterations"},
    ),
)


# ---- the catalogue for numbers: what the named learners are where the target is a number to predict


_NUMBER_COSTS = tuple(2.0**power for power in range(-5, 11, 3))
_NUMBER_PENALTIES = tuple(10.0**power for power in range(-4, 5))


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
        grid={"alpha": _NUMBER_PENALTIES},
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
        support_vectors(name, words, {"C": _NUMBER_COSTS, **grid}, regression=True, **_BY_NAME[name].fixed)
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
        f"{_HERE}.learners:hist_boosting",
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
