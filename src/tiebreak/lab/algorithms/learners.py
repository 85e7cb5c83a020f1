"""The catalogue: the papers' learners by name, what each one is, and the settings it takes.

A new learner is one more `Entry` in the table below: `pipelines` makes its pipeline from it, `specs` its fingerprint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.encoding import code_mask
from tiebreak.papers import paper

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet

CATALOGUE_VERSION = 1
"""Rises whenever a named learner would give other scores than before; part of every fingerprint."""


ENCODINGS = {
    "scaled": "standardised, one column per symbolic value",
    "plain": "medians for missing numbers, one column per symbolic value",
    "codes": "numbers as they are, symbols as codes, missing values as a branch of their own",
    "none": "none: numbers, symbols and missing values as they are",
}
"""What can become of attributes before a learner sees them."""


def _number(value: object, low: float, high: float = inf) -> bool:
    """A bool is a Real to Python, and as a setting of a number it is a slip."""
    return isinstance(value, Real) and not isinstance(value, bool) and low <= float(value) < high


def _count(value: object) -> bool:
    return isinstance(value, Integral) and _number(value, 1)


_LEAST = 5e-324  # the smallest number above 0
_KINDS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "count": ("a whole number from 1", _count),
    "count or none": ("a whole number from 1, or None", lambda value: value is None or _count(value)),
    "positive": ("a number above 0", lambda value: _number(value, _LEAST)),
    "nonnegative": ("a number from 0", lambda value: _number(value, 0)),
    "share": ("a number from 0, below 1", lambda value: _number(value, 0, 1)),
    "gamma": ("a number above 0, or 'scale'", lambda value: value == "scale" or _number(value, _LEAST)),
}
"""What a setting may be: in words, and the test."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a learner: its default, the kind of value it takes, and what it means."""

    default: object
    kind: str
    meaning: str

    def accepts(self, value: object) -> bool:
        """Return whether a value is of this kind."""
        return _KINDS[self.kind][1](value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One named learner: what it is, how it is set, who described it.

    `encoding` says, by a name of `ENCODINGS`, what becomes of attributes before the learner sees them, `differs` what
    sets our stand-in apart from the program the papers ran, `grid` the values tried where `tune` is true.

    The estimator itself is `learner`, "package.module:Class", so that nothing is loaded before it is used; its
    parameters are those that are `fixed`, those told `by_data`, and the settings, under the names in `called` where the
    class has other ones. A setting of None is left to the data or to the class.
    """

    name: str
    description: str
    papers: tuple[str, ...]
    learner: str
    encoding: str = "scaled"
    differs: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    grid: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    by_data: Callable[[DataSet], Mapping[str, Any]] = lambda _: {}

    def chosen(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Return every setting with the value it will have, refusing unknown names and values."""
        for name, value in settings.items():
            if not self.settings:
                raise OptionError(
                    f"There is no {self.name!r} setting {name!r}.", why="It has none.", mend="Leave the settings out."
                )
            known = self.settings[check_choice(f"{self.name!r} setting", name, self.settings)]
            if not known.accepts(value):
                raise OptionError(
                    f"The setting {name!r} of {self.name!r} is {value!r}.",
                    why=f"It is {known.meaning}: {_KINDS[known.kind][0]}.",
                    mend=f"Leave it out for {known.default!r}.",
                )
        return {name: settings.get(name, setting.default) for name, setting in self.settings.items()}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.description}"
        yield f"  attributes: {ENCODINGS[self.encoding]}"
        if self.differs:
            yield f"  differs: {self.differs}"
        for name, setting in self.settings.items():
            yield f"  {name} = {setting.default!r}: {setting.meaning} ({_KINDS[setting.kind][0]})"
        for name, values in self.grid.items():
            yield f"  tuned {name}: {', '.join(f'{v:g}' if isinstance(v, float) else str(v) for v in values)}"
        yield f"  {'; '.join(paper(key).short for key in self.papers)}"


def catalogue() -> tuple[Entry, ...]:
    """Return every named learner, the papers' eight first.

    Examples
    --------
    >>> [entry.name for entry in catalogue()]
    ['c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn', 'lda', 'qda', 'knn', 'rf', 'nb', 'boost', 'rules']
    """
    return _ENTRIES


def describe(name: str) -> Entry:
    """Return one named learner; printed, it lists its settings.

    Examples
    --------
    >>> print(describe("mdt"))
    mdt: Multivariate decision tree: every node splits on a Fisher discriminant of all attributes.
      attributes: standardised, one column per symbolic value
      min_share = 0.05: the share of training rows below which a node is not split (a number from 0, below 1)
      prune_share = 0.0: the share of training rows held back to prune with (a number from 0, below 1)
      Yildiz and Alpaydin (2005), doi:10.1142/S0218001405004125
    """
    known = {entry.name: entry for entry in _ENTRIES}
    mend = 'Any scikit-learn estimator can be given by import path: {"import": "package.module:Class"}.'
    return known[check_choice("learner", name, known, mend=mend)]


_TUNED = "whether the grid is searched, by 3-fold cv of the training rows"
_TREES = Setting(100, "count", "how many trees")
_MIN_LEAF = "the fewest rows in a leaf"
_HERE = "tiebreak.lab.algorithms"
_COSTS = tuple(2.0**power for power in range(-5, 16, 4))
_WIDTHS = tuple(2.0**power for power in range(-15, 4, 3))
_SIGMOIDS = "whether sigmoids fitted by inner 3-fold cv turn margins into probabilities"
_SVM_SETTINGS = {
    "C": Setting(1.0, "positive", "the price of a row inside the margin"),
    "gamma": Setting("scale", "gamma", "the kernel's width; 'scale' is 1 / (columns x variance)"),
    "tune": Setting(False, "flag", _TUNED),
    "probabilities": Setting(False, "flag", _SIGMOIDS),
    "max_iter": Setting(None, "count or none", "the most steps of the solver; None: 100,000, or 10 per row if more"),
}


def _support_vectors(name: str, words: str, grid: Mapping[str, tuple[float, ...]], **fixed: object) -> Entry:
    """Make the entry of a support vector machine; the linear kernel has no width."""
    linear = fixed["kernel"] == "linear"
    return Entry(
        name=name,
        description=f"Support vector machine, {words}.",
        papers=("cortes1995", "hsu2003"),
        learner="sklearn.svm:SVC",
        differs="the tuned ranges are those of the LIBSVM guide, C in steps of 2^4 and gamma of 2^3 instead of 2^2",
        settings={own: setting for own, setting in _SVM_SETTINGS.items() if not (linear and own == "gamma")},
        grid=grid,
        fixed=fixed,
        by_data=lambda data: {"max_iter": max(100_000, 10 * data.n_rows)},  # without a bound some folds never end
    )


_ENTRIES = (
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
            "tune": Setting(False, "flag", _TUNED),
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
        settings={
            "C": Setting(1.0, "positive", "the inverse weight of the squared weights"),
            "max_iter": Setting(1000, "count", "the most steps"),
        },
    ),
    _support_vectors("svl", "linear kernel, one class against another", {"C": _COSTS}, kernel="linear"),
    _support_vectors(
        "sv2", "polynomial kernel of degree 2, (gamma x.y + 1)^2", {"C": _COSTS}, kernel="poly", degree=2, coef0=1.0
    ),
    _support_vectors(
        "svr", "radial (Gaussian) kernel, exp(-gamma |x - y|^2)", {"C": _COSTS, "gamma": _WIDTHS}, kernel="rbf"
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
            "tune": Setting(True, "flag", _TUNED),
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
        settings={"trees": _TREES},
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
            "trees": _TREES,
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
)
