"""A learner of the lab, fitted on a whole data set: one object that takes raw rows, and the lines that make it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.datasets import DataSet, load
from tiebreak.datasets.columns import typed_series
from tiebreak.datasets.references import DataReference
from tiebreak.documents import Framed
from tiebreak.errors import InputError, quoted
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.results.columns import Names, Where


class FittedLearner:
    """A learner fitted on all rows of a data set, which predicts new rows as they stand in a file or a frame.

    Missing values may be missing in new rows too; a symbol that was never seen counts as missing. Columns come in any
    order, and others are left out.

    Attributes
    ----------
    pipeline : estimator
        The learner of scikit-learn with its encoding, fitted on the codes of the data set.
    columns : list of str
        The columns it was fitted on.
    classes_ : numpy.ndarray of str
        The names of the classes, in the order of the columns of `predict_proba`.
    """

    def __init__(self, spec: AlgorithmSpec, data: DataSet, *, seed: int = 0) -> None:

        self.pipeline = build(spec, data, seed=seed).fit(data.values, data.target)
        self.classes_ = np.array(data.classes)
        self.columns = list(data.attributes)
        self._values = dict(zip(data.attributes, data.categories, strict=True))
        self._symbolic = {name for name, symbolic in zip(data.attributes, data.symbolic, strict=True) if symbolic}

    def predict(self, rows: Any) -> npt.NDArray[Any]:
        """Return the class, or the number, of every row of a data frame."""
        answers = np.asarray(self.pipeline.predict(self._encoded(rows))).ravel()
        return self.classes_[answers.astype(np.int64)] if self.classes_.size else answers

    def predict_proba(self, rows: Any) -> FloatArray:
        """Return the probability of every class, where the learner gives probabilities."""
        return np.asarray(self.pipeline.predict_proba(self._encoded(rows)))

    def _encoded(self, rows: Any) -> FloatArray:
        from tiebreak.results.frames import split_frame

        columns, _ = split_frame(rows, source="the new rows")
        absent = [name for name in self.columns if name not in columns]
        if absent:
            raise InputError(
                f"The new rows have no column {quoted(absent)}.",
                why="The learner was fitted on it.",
                mend="Add it, empty where its values are not known.",
            )
        return np.column_stack([self._codes(name, columns[name]) for name in self.columns])

    def _codes(self, name: str, column: Any) -> FloatArray:
        where = Where(source="the new rows", column=name)
        typed = typed_series(column, "symbolic" if name in self._symbolic else "numeric", where)
        if not isinstance(typed, Names):
            return typed
        places = {value: float(place) for place, value in enumerate(self._values[name])}
        codes = np.array([*(places.get(text, np.nan) for text in typed.names), np.nan])
        return np.asarray(codes[typed.codes])  # a missing value has the code -1


def fit_learner(data: DataSet | str, algorithm: object, *, seed: int = 0, **options: Any) -> FittedLearner:
    """Fit a learner on all rows of a data set.

    Parameters
    ----------
    data : DataSet or str
        A data set, or what names one in a plan; `options` are then its options, such as `target`.
    algorithm : str or mapping
        As in a plan.
    seed : int, default 0
        Fixes every random choice of the learner.

    Examples
    --------
    >>> import polars as pl
    >>> model = fit_learner("builtin:iris", "lda")
    >>> new = pl.DataFrame([[5.1, 3.5, 1.4, 0.2]], schema=model.columns, orient="row")
    >>> model.predict(new).tolist()
    ['setosa']
    """
    held = data if isinstance(data, DataSet) else load(data, **options)
    return FittedLearner(spec_of(algorithm), held, seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FittingCode(Framed):
    """Python lines that read the data and fit a learner on all rows; `fit()` runs them and returns the model."""

    text: str

    def __str__(self) -> str:
        return self.text

    def fit(self, X: Any = None, y: Any = None) -> FittedLearner:
        """Run the lines; `X` and `y` are needed where the data came in memory."""
        space: dict[str, Any] = {"X": X, "y": y}
        exec(self.text, space)  # the lines are ours: names and values stand in them as literals
        learner: FittedLearner = space["model"]
        return learner


def fitting_code(
    spec: AlgorithmSpec, data: DataSet, *, source: DataReference | None = None, seed: int = 0
) -> FittingCode:
    """Return the lines that fit a learner of the lab on all rows of a data set.

    Parameters
    ----------
    spec : AlgorithmSpec
        The learner, by name or import path.
    data : DataSet
        What it is fitted on.
    source : DataReference, optional
        Where the data came from; if left out, the lines start from a frame `X` and a target `y`.
    seed : int
        As in `fit_learner`.
    """
    learner: Any = spec.path or spec.name
    if spec.source == "import" or spec.settings:
        key = "import" if spec.source == "import" else "algorithm"
        learner = {key: learner, **({"settings": dict(spec.settings)} if spec.settings else {})}
    if source is not None:
        settings = {name: value for name, value in source.as_dict().items() if name != "source"}
        clash = "seed" in settings  # of a drawn data set: that of the learner has the same name
        first, settings = (
            (f"load({source.source!r}{_options(settings)})", {}) if clash else (repr(source.source), settings)
        )
        imports = ["from tiebreak.datasets import load"] if clash else []
        lines = [f"model = fit_learner({first}, {learner!r}, seed={seed}{_options(settings)})"]
    else:
        imports = ["from tiebreak.datasets import from_xy"]
        symbolic = [name for name, options in zip(data.attributes, data.symbolic, strict=True) if options]
        lines = [
            f"# X: a frame with these columns; y: the {'classes' if data.classes else 'numbers'} of its rows",
            f"columns = {list(data.attributes)!r}",
            f"data = from_xy(X[columns], y, symbolic={symbolic!r}, kind={data.kind!r})",
            f"model = fit_learner(data, {learner!r}, seed={seed})",
        ]
    after = "# model.predict(new): new rows as a frame with the same columns; model.pipeline is the fitted estimator"
    return FittingCode(text="\n".join([*imports, "from tiebreak.lab import fit_learner", "", *lines, after]))


def _options(options: dict[str, object]) -> str:
    return "".join(f", {name}={value!r}" for name, value in options.items())
