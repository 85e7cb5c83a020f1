"""The catalogue: the papers' learners by name, what each one is, and the settings it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real

from tiebreak.errors import OptionError, unknown_name

CATALOGUE_VERSION = 1
"""Rises whenever a named learner would give other scores than before; part of every fingerprint."""

_ULAS = "Ulas, Yildiz and Alpaydin (2012), Pattern Recognition 45(4):1772-1781, doi:10.1016/j.patcog.2011.10.005"
_GUIDE = "Hsu, Chang and Lin (2003), A practical guide to support vector classification (no DOI)"
_NEIGHBOURS = "Cover and Hart (1967), IEEE Transactions on Information Theory 13:21-27, doi:10.1109/TIT.1967.1053964"
_MARGIN = f"Cortes and Vapnik (1995), Machine Learning 20:273-297, doi:10.1007/BF00994018; {_GUIDE}"

_KINDS = {
    "flag": "true or false",
    "count": "a whole number from 1",
    "count or none": "a whole number from 1, or None",
    "positive": "a number above 0",
    "nonnegative": "a number from 0",
    "share": "a number from 0, below 1",
    "gamma": "a number above 0, or 'scale'",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting of a learner: its default, the kind of value it takes, and what it means."""

    default: object
    kind: str
    meaning: str

    def accepts(self, value: object) -> bool:
        """Return whether a value is of this kind."""
        if value is None or isinstance(value, str):
            return (value is None and self.kind.endswith("or none")) or (value == "scale" and self.kind == "gamma")
        if isinstance(value, bool) or self.kind == "flag":
            return isinstance(value, bool) and self.kind == "flag"
        if not isinstance(value, Real) or not isfinite(value):
            return False
        number = float(value)
        if self.kind.startswith("count"):
            return isinstance(value, Integral) and number >= 1
        if self.kind == "share":
            return 0 <= number < 1
        return number >= 0 if self.kind == "nonnegative" else number > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One named learner: what it is, how it is set, who described it.

    `encoding` says what becomes of attributes before the learner sees them, `differs` what sets our stand-in apart
    from the program the papers ran, `grid` the values tried where `tune` is true.
    """

    name: str
    description: str
    reference: str
    encoding: str
    differs: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    grid: Mapping[str, tuple[object, ...]] = field(default_factory=dict)

    def chosen(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Return every setting with the value it will have, refusing unknown names and values."""
        for name, value in settings.items():
            if not self.settings:
                raise OptionError(
                    f"There is no {self.name!r} setting {name!r}.", why="It has none.", mend="Leave the settings out."
                )
            if name not in self.settings:
                raise unknown_name(f"{self.name!r} setting", name, self.settings)
            if not self.settings[name].accepts(value):
                raise OptionError(
                    f"The setting {name!r} of {self.name!r} is {value!r}.",
                    why=f"It is {self.settings[name].meaning}: {_KINDS[self.settings[name].kind]}.",
                    mend=f"Leave it out for {self.settings[name].default!r}.",
                )
        return {name: settings.get(name, setting.default) for name, setting in self.settings.items()}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.description}"
        yield f"  attributes: {self.encoding}"
        if self.differs:
            yield f"  differs: {self.differs}"
        for name, setting in self.settings.items():
            yield f"  {name} = {setting.default!r}: {setting.meaning} ({_KINDS[setting.kind]})"
        for name, values in self.grid.items():
            yield f"  tuned {name}: {', '.join(f'{v:g}' if isinstance(v, float) else str(v) for v in values)}"
        yield f"  {self.reference}"


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
      Yildiz and Alpaydin (2005), IJPRAI 19(3):323-353, doi:10.1142/S0218001405004125
    """
    for entry in _ENTRIES:
        if entry.name == name:
            return entry
    raise unknown_name(
        "learner",
        name,
        [entry.name for entry in _ENTRIES],
        mend='Any scikit-learn estimator can be given by import path: {"import": "package.module:Class"}.',
    )


_SCALED = "standardised, one column per symbolic value"
_PLAIN = "medians for missing numbers, one column per symbolic value"
_TUNE = Setting(default=False, kind="flag", meaning="whether the grid is searched, by 3-fold cv of the training rows")
_TREES = Setting(default=100, kind="count", meaning="how many trees")
_C = Setting(default=1.0, kind="positive", meaning="the price of a row inside the margin")
_GAMMA = Setting(default="scale", kind="gamma", meaning="the kernel's width; 'scale' is 1 / (columns x variance)")
_SVM = {
    "tune": _TUNE,
    "probabilities": Setting(
        default=False, kind="flag", meaning="whether sigmoids fitted by inner 3-fold cv turn margins into probabilities"
    ),
    "max_iter": Setting(
        default=None, kind="count or none", meaning="the most steps of the solver; None: 100,000, or 10 per row if more"
    ),
}
_COSTS = tuple(2.0**power for power in range(-5, 16, 4))
_WIDTHS = tuple(2.0**power for power in range(-15, 4, 3))
_SVM_DIFFERS = "the tuned ranges are those of the LIBSVM guide, C in steps of 2^4 and gamma of 2^3 instead of 2^2"

_ENTRIES = (
    Entry(
        name="c45",
        description="Single-split decision tree: entropy, at least two rows in a leaf, pruned by cost and complexity.",
        reference=f"Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann (no DOI); {_ULAS}",
        encoding=_PLAIN,
        differs="splits are binary and chosen by information gain, not by gain ratio with one branch per value; "
        "missing values are imputed, not spread over branches; pruning is by cost and complexity, not by "
        "pessimistic error",
        settings={
            "prune": Setting(default=0.005, kind="nonnegative", meaning="the entropy in bits every leaf must win"),
            "min_leaf": Setting(default=2, kind="count", meaning="the fewest rows in a leaf"),
            "tune": _TUNE,
        },
        grid={"prune": (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)},
    ),
    Entry(
        name="mdt",
        description="Multivariate decision tree: every node splits on a Fisher discriminant of all attributes.",
        reference="Yildiz and Alpaydin (2005), IJPRAI 19(3):323-353, doi:10.1142/S0218001405004125",
        encoding=_SCALED,
        settings={
            "min_share": Setting(
                default=0.05, kind="share", meaning="the share of training rows below which a node is not split"
            ),
            "prune_share": Setting(
                default=0.0, kind="share", meaning="the share of training rows held back to prune with"
            ),
        },
    ),
    Entry(
        name="mlp",
        description="Multilayer perceptron with one hidden layer of (D + K) / 2 units, D columns and K classes.",
        reference=_ULAS,
        encoding=_SCALED,
        differs="trained by Adam with rectified units, not by plain gradient descent with sigmoids",
        settings={
            "hidden": Setting(default=None, kind="count or none", meaning="hidden units; None: (D + K) / 2"),
            "alpha": Setting(default=1e-4, kind="nonnegative", meaning="the weight of the squared weights"),
            "learning_rate": Setting(default=0.01, kind="positive", meaning="Adam's first step size"),
            "max_iter": Setting(default=200, kind="count", meaning="the most passes over the training rows"),
        },
    ),
    Entry(
        name="lnp",
        description="Linear perceptron: softmax of linear outputs, the cross-entropy minimised.",
        reference=_ULAS,
        encoding=_SCALED,
        differs="minimised to convergence by L-BFGS with a small squared penalty, so the step size does not matter; "
        "the papers descend the same loss by stochastic gradients",
        settings={
            "C": Setting(default=1.0, kind="positive", meaning="the inverse weight of the squared weights"),
            "max_iter": Setting(default=1000, kind="count", meaning="the most steps"),
        },
    ),
    Entry(
        name="svl",
        description="Support vector machine, linear kernel, one class against another.",
        reference=_MARGIN,
        encoding=_SCALED,
        differs=_SVM_DIFFERS,
        settings={"C": _C, **_SVM},
        grid={"C": _COSTS},
    ),
    Entry(
        name="sv2",
        description="Support vector machine, polynomial kernel of degree 2, (gamma x.y + 1)^2.",
        reference=_MARGIN,
        encoding=_SCALED,
        differs=_SVM_DIFFERS,
        settings={"C": _C, "gamma": _GAMMA, **_SVM},
        grid={"C": _COSTS},
    ),
    Entry(
        name="svr",
        description="Support vector machine, radial (Gaussian) kernel, exp(-gamma |x - y|^2).",
        reference=_MARGIN,
        encoding=_SCALED,
        differs=_SVM_DIFFERS,
        settings={"C": _C, "gamma": _GAMMA, **_SVM},
        grid={"C": _COSTS, "gamma": _WIDTHS},
    ),
    Entry(
        name="5nn",
        description="The five nearest neighbours vote, Euclidean distance.",
        reference=_NEIGHBOURS,
        encoding=_SCALED,
    ),
    Entry(
        name="lda",
        description="Linear discriminant analysis: normal classes with one covariance.",
        reference="Fisher (1936), Annals of Eugenics 7:179-188, doi:10.1111/j.1469-1809.1936.tb02137.x",
        encoding=_SCALED,
        settings={
            "shrinkage": Setting(
                default=0.01, kind="share", meaning="how far the covariance is drawn to a multiple of the identity"
            )
        },
    ),
    Entry(
        name="qda",
        description="Quadratic discriminant analysis: normal classes, each with its own covariance.",
        reference="Friedman (1989), JASA 84:165-175, doi:10.1080/01621459.1989.10478752",
        encoding=_SCALED,
        differs="covariances are drawn a little to the common one and to a sphere, so that few rows and collinear "
        "columns leave them regular",
        settings={
            "pooling": Setting(
                default=0.01, kind="share", meaning="how far every covariance is drawn to the common one"
            ),
            "ridge": Setting(default=0.01, kind="share", meaning="how far every covariance is drawn to a sphere"),
        },
    ),
    Entry(
        name="knn",
        description="The k nearest neighbours vote, k chosen by 3-fold cv inside the training rows.",
        reference=_NEIGHBOURS,
        encoding=_SCALED,
        settings={
            "k": Setting(default=5, kind="count", meaning="neighbours, where they are not tuned"),
            "tune": Setting(default=True, kind="flag", meaning=_TUNE.meaning),
        },
        grid={"k": (1, 3, 5, 7, 9, 11, 15, 21)},
    ),
    Entry(
        name="rf",
        description="Random forest of fully grown trees on bootstrap samples.",
        reference="Breiman (2001), Machine Learning 45:5-32, doi:10.1023/A:1010933404324",
        encoding=_PLAIN,
        settings={"trees": _TREES},
    ),
    Entry(
        name="nb",
        description="Naive Bayes: normal numbers, counted symbols, missing values left out.",
        reference="John and Langley (1995), UAI, arXiv:1302.4964 (no DOI)",
        encoding="none: numbers, symbols and missing values as they are",
        settings={"smoothing": Setting(default=1.0, kind="positive", meaning="what is added to every count")},
    ),
    Entry(
        name="boost",
        description="Gradient-boosted trees on binned attributes, symbols split as sets.",
        reference="Friedman (2001), Annals of Statistics 29(5):1189-1232, doi:10.1214/aos/1013203451",
        encoding="numbers as they are, symbols as codes, missing values as a branch of their own",
        differs="scikit-learn's histogram boosting; up to 31 leaves a tree",
        settings={
            "trees": _TREES,
            "learning_rate": Setting(default=0.1, kind="positive", meaning="how much of every tree is added"),
            "min_leaf": Setting(default=5, kind="count", meaning="the fewest rows in a leaf"),
        },
    ),
    Entry(
        name="rules",
        description="Ordered list of rules, grown by FOIL's gain and pruned on held rows, class by class.",
        reference="Fuernkranz and Widmer (1994), ICML, doi:10.1016/B978-1-55860-335-6.50017-9; Cohen (1995), ICML, "
        "doi:10.1016/B978-1-55860-377-6.50023-2",
        encoding=_PLAIN,
        differs="without RIPPER's description length and second optimising pass",
        settings={
            "bins": Setting(default=32, kind="count", meaning="the most bins per column, at least 2"),
            "max_rules": Setting(default=50, kind="count", meaning="the most rules per class"),
        },
    ),
)
