"""The few lines that fit a learner of the lab on all rows of a data set."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.documents import Framed
from tiebreak.lab.algorithms.as_frame import AsFrame
from tiebreak.lab.algorithms.boosters import Boosted
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.empty_columns import EmptyToZero
from tiebreak.lab.algorithms.mixed_bayes import MixedNaiveBayes
from tiebreak.lab.algorithms.table_booster import TableBooster
from tiebreak.lab.code.calls import Imports, NoCall, Variable, laid_out, written
from tiebreak.lab.code.tables import reading_lines

if TYPE_CHECKING:
    from tiebreak.lab.tasks import AlgorithmSpec

_INSTALLED_AS = {"sklearn": "scikit-learn"}
"""Packages whose name for pip is not that of their module."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FittingCode(Framed):
    """Lines of Python that fit a learner, the packages they import, and which of these are not installed here."""

    text: str
    packages: tuple[str, ...]
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


def fitting_code(
    spec: AlgorithmSpec, data: DataSet, *, source: DataReference | None = None, seed: int = 0
) -> FittingCode:
    """Write the lines that read a data set, fit a learner on all of its rows, and predict.

    The lines hold the learner's own pipeline, settings and seed, made of scikit-learn's parts (and of tiebreak's where
    a learner is ours), so that the same rows give the same model as in the lab. Names are written as Python literals,
    whatever they hold.

    Parameters
    ----------
    spec : AlgorithmSpec
        From `tiebreak.lab.algorithms.spec_of`.
    data : DataSet
        Tells columns, their kinds and the target; its rows are not looked at, but for columns without a value.
    source : DataReference, optional
        Where the data came from; without it the lines begin with a frame `X` and classes `y`.
    seed : int, default 0

    Returns
    -------
    FittingCode

    Examples
    --------
    >>> from tiebreak.lab.algorithms.specs import spec_of
    >>> data = DataSet.from_arrays([[0.5], [0.1], [0.3]], ["no", "yes", "no"], attributes=["size"])
    >>> print(fitting_code(spec_of("rf"), data))
    import pandas as pd
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    <BLANKLINE>
    columns = ['size']
    symbolic = []
    # X: a pandas frame of 'data' with these columns; y: the classes of its rows
    X = X[columns]
    numeric = [name for name in columns if name not in symbolic]
    encode = ColumnTransformer([('numeric', SimpleImputer(strategy='median', keep_empty_features=True), numeric)])
    model = Pipeline([('encode', encode), ('learn', RandomForestClassifier(random_state=0))])
    model.fit(X, y)
    # model.predict(new[columns]) tells the class of new rows
    """
    imports = Imports()
    try:
        lines = [*reading_lines(data, source, imports), *_model_lines(build(spec, data, seed=seed), data, imports)]
    except NoCall:  # a search of one's own, say: then the lab builds it
        imports = Imports()
        lines = _with_the_lab(spec, source, seed, imports)
    packages = imports.packages()
    return FittingCode(
        text="\n".join([*imports.lines(), "", *lines]),
        packages=tuple(_INSTALLED_AS.get(name, name) for name in packages),
        missing=tuple(_INSTALLED_AS.get(name, name) for name in packages if not _there(name)),
    )


def _there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a module that was marked as missing has no specification
        return False


def _model_lines(learner: Any, data: DataSet, imports: Imports) -> list[str]:
    """Write the model and its fit; what it needs of the table first."""
    lines: list[str] = []
    encode = _find(learner, "ColumnTransformer")
    parts: dict[int, Any] = {}
    model = _portable(learner, data, parts)
    if encode is not None or parts:
        made = parts.pop(0, None) or _named_columns(encode, data)
        if not data.symbolic.all():
            lines.append("numeric = [name for name in columns if name not in symbolic]")
        lines += laid_out("encode", written(made, imports))
    lines += laid_out("model", written(model, imports))
    return [*lines, *_fit_lines(data)]


def _find(learner: Any, kind: str) -> Any:
    """Return the first part of a learner of that class, itself included."""
    parts = [learner, *learner.get_params(deep=True).values()]
    return next((each for each in parts if type(each).__name__ == kind), None)


def _portable(learner: Any, data: DataSet, parts: dict[int, Any]) -> Any:
    """Return a learner without what only the lab needs: its frames, and columns by number instead of by name."""
    from sklearn.pipeline import Pipeline

    kind = type(learner).__name__
    if isinstance(learner, Boosted):  # which gets raw rows here, and frames in the lab
        return TableBooster(**learner.get_params(deep=False), symbolic=Variable("symbolic"))
    if kind in ("GridSearchCV", "CalibratedClassifierCV", "Search"):
        return _with(learner, estimator=_portable_steps(learner.estimator, data, parts))
    if isinstance(learner, Pipeline):
        found = _portable_steps(learner, data, parts)
        return found.steps[0][1] if len(found.steps) == 1 else found
    return learner


def _portable_steps(pipeline: Any, data: DataSet, parts: dict[int, Any]) -> Any:
    """Return a pipeline with its encoding as a variable; naive Bayes, which takes codes, gets them made first."""
    steps: list[tuple[str, Any]] = []
    for name, step in pipeline.steps:
        if type(step).__name__ == "ColumnTransformer":
            steps.append((name, Variable("encode")))
        elif isinstance(step, MixedNaiveBayes):
            parts[0] = _codes(data)
            mask = sorted(data.symbolic.tolist())
            steps += [("encode", Variable("encode")), (name, _with(step, symbolic=mask))]
        elif not isinstance(step, AsFrame):
            steps.append((name, _portable(step, data, parts)))
    return _with(pipeline, steps=steps)


def _with(learner: Any, **changed: Any) -> Any:
    """Return a fresh estimator with some parts replaced; scikit-learn's own clone would refuse a variable."""
    return type(learner)(**{**learner.get_params(deep=False), **changed})


def _named_columns(encode: Any, data: DataSet) -> Any:
    """Return an encoding whose columns are variables; empty columns alone need more than to be passed through."""
    empty = bool(np.isnan(data.values[:, ~data.symbolic]).all(axis=0).any())
    steps = [
        (name, "passthrough" if isinstance(step, EmptyToZero) and not empty else step, Variable(name))
        for name, step, _ in encode.transformers
    ]
    return _with(encode, transformers=steps)


def _codes(data: DataSet) -> Any:
    """Return the encoding of a learner that takes numbers and codes, with their gaps."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OrdinalEncoder

    code = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    steps = [("numeric", "passthrough", Variable("numeric")), ("symbolic", code, Variable("symbolic"))]
    there = {"numeric": not data.symbolic.all(), "symbolic": bool(data.symbolic.any())}
    return ColumnTransformer([step for step in steps if there[step[0]]])


def _fit_lines(data: DataSet) -> list[str]:
    """Write the fit, and as a comment how new rows are predicted: as they are."""
    what = "class" if data.kind == "classes" else "number"
    weighted = ["# the rows had weights in the lab; pass yours as sample_weight"] if data.weights is not None else []
    return [*weighted, "model.fit(X, y)", f"# model.predict(new[columns]) tells the {what} of new rows"]


def _with_the_lab(spec: AlgorithmSpec, source: DataReference | None, seed: int, imports: Imports) -> list[str]:
    """Write how the lab itself builds a learner whose parts have no call of their own."""
    for name in ("build", "spec_of"):
        imports.name("tiebreak.lab.algorithms", name)
    own = {"algorithm": spec.path or spec.name, "name": spec.name, "settings": dict(spec.settings)}
    if spec.source != "named":
        own = {"import": spec.path, "name": spec.name, "settings": dict(spec.settings)}
    lines = ["# data: the DataSet"]
    if source is not None:
        imports.name("tiebreak.datasets", "load")
        told = {key: each for key, each in source.as_dict().items() if key != "source"}
        lines = laid_out("data", f"load({source.source!r}{''.join(f', {k}={v!r}' for k, v in told.items())})")
    lines += laid_out("model", f"build(spec_of({own!r}), data, seed={seed})")
    return [*lines, "model.fit(data.values, data.target)", "# data.classes names the classes that it predicts"]
