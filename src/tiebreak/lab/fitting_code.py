"""The few lines that fit a learner of the lab on all rows of a data set."""

from __future__ import annotations

import codecs
import csv
import io
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.datasets import DataSet
from tiebreak.datasets.files import TEXT
from tiebreak.datasets.references import DataReference
from tiebreak.datasets.text_files import SEPARATORS, read_bytes
from tiebreak.documents import Framed
from tiebreak.lab.algorithms.base import AsFrame, EmptyToZero
from tiebreak.lab.algorithms.boosters import Boosted, TableBooster
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.generative import MixedNaiveBayes
from tiebreak.lab.python_calls import Imports, NoCall, Variable, laid_out, written
from tiebreak.results.columns import MISSING
from tiebreak.results.text import file_bytes

if TYPE_CHECKING:
    from tiebreak.lab.tasks import AlgorithmSpec


# ---- the lines that read a data set: with pandas where it is a text file, else with tiebreak itself


_SNIFFED = 1 << 18
"""Bytes of a text file that are looked at for its separator, its commas and its blanks."""
_OPTIONS = (
    "target",
    "name",
    "symbolic",
    "groups",
    "drop",
    "keep",
    "kind",
    "rows",
    "seed",
    "weights",
    "positive",
    "cache",
)


def reading_lines(data: DataSet, source: DataReference | None, imports: Imports) -> list[str]:
    """Return the lines after which `X` holds the attributes, in their order, and `y` the target."""
    symbols = [name for name, symbolic in zip(data.attributes, data.symbolic, strict=True) if symbolic]
    lines = laid_out("columns", repr(list(data.attributes))) + laid_out("symbolic", repr(symbols))
    imports.module("pandas", "pd")
    if source is None:
        return [*lines, *_in_memory(data)]
    if _is_text(source) and data.target_name:
        return [*lines, *_from_text(data, Path(source.source))]
    return [*lines, *_by_us(source, data, imports)]


def _is_text(source: DataReference) -> bool:
    """Tell whether pandas can read the source: a text file on this machine."""
    return source.source.lower().removesuffix(".gz").endswith(TEXT) and Path(source.source).is_file()


def _in_memory(data: DataSet) -> list[str]:
    """Data that came as a frame or an array are where they are: say what `X` and `y` must be."""
    name = repr(data.name) if data.name.isprintable() else ascii(data.name)  # a line break would end the comment
    kinds = ["X = X.astype(dict.fromkeys(symbolic, object))"] if data.symbolic.any() else []
    what = "classes" if data.kind == "classes" else "numbers to predict"
    return [f"# X: a pandas frame of {name} with these columns; y: the {what} of its rows", "X = X[columns]", *kinds]


def _from_text(data: DataSet, path: Path) -> list[str]:
    """Read with pandas what the lab read: the same marks of gaps, symbols as text, rows without target left out."""
    target = repr(data.target_name)
    texts = f"[*symbolic, {target}]" if data.kind == "classes" else "symbolic"
    options = [repr(str(path)), f"dtype=dict.fromkeys({texts}, object)", *_spelling(path)]
    lines = laid_out(
        "frame", f"pd.read_csv({', '.join([*options, 'keep_default_na=False', f'na_values={_gaps()!r}'])})"
    )
    lines += ["frame.columns = frame.columns.str.strip()"] if _blank_headers(path) else []
    return [*lines, f"frame = frame.dropna(subset=[{target}])", f"X, y = frame[columns], frame[{target}]"]


def _gaps() -> list[str]:
    """Return the marks of missing values in the spellings that are met; case does not matter to us."""
    return sorted({"NaN"} | {each for mark in MISSING for each in (mark, mark.upper(), mark.capitalize())})


def _text(path: Path) -> tuple[str, str]:
    """Return the beginning of a file and its encoding, in the words of pandas."""
    wide = file_bytes(path)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    head = read_bytes(path)[:_SNIFFED]
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return head.decode("latin-1"), "latin-1"
    return text, "utf-16" if wide else "utf-8"


def _separator(first: str) -> str:
    return max(SEPARATORS, key=first.count)


def _spelling(path: Path) -> list[str]:
    """Return the options that differ from those that pandas takes by itself."""
    text, encoding = _text(path)
    first, _, rest = text.partition("\n")
    mark = _separator(first)
    told = [] if mark == "," else [f"sep={mark!r}"]
    told += [] if encoding == "utf-8" else [f"encoding={encoding!r}"]
    bare = re.escape(mark)
    if mark != "," and re.search(rf"(?:^|{bare})\s*-?\d+,\d+\s*(?:{bare}|$)", rest, re.MULTILINE):
        told.append("decimal=','")
    return [*told, *(["skipinitialspace=True"] if f"{mark} " in text else [])]


def _blank_headers(path: Path) -> bool:
    text, _ = _text(path)
    first = text.partition("\n")[0].rstrip("\r")
    headers = next(csv.reader(io.StringIO(first), delimiter=_separator(first)), [])
    return any(header != header.strip() for header in headers)


def _by_us(source: DataReference, data: DataSet, imports: Imports) -> list[str]:
    """Read whatever else a plan can name with tiebreak, which knows its types; symbols become their names again."""
    imports.name("tiebreak.datasets", "load")
    told = {name: getattr(source, name) for name in _OPTIONS if getattr(source, name) not in (None, ())}
    options = "".join(f", {name}={list(each) if isinstance(each, tuple) else each!r}" for name, each in told.items())
    lines = [*laid_out("data", f"load({source.source!r}{options})"), "X = pd.DataFrame(data.values, columns=columns)"]
    if data.symbolic.any():
        names = "{name: dict(enumerate(values)) for name, values in zip(columns, data.categories)}"
        lines += laid_out("names", names)
        lines.append("X = X.assign(**{name: X[name].map(names[name]).astype(object) for name in symbolic})")
    if data.kind == "number":
        return [*lines, "y = data.target"]
    imports.module("numpy", "np")
    return [*lines, "y = np.array(data.classes)[data.target]"]


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

    def fit(self, X: Any = None, y: Any = None) -> Any:
        """Run the lines and return the fitted pipeline; `X` and `y` where the lines do not read the data."""
        space: dict[str, Any] = {"X": X, "y": y}
        exec(self.text, space)  # the lines are ours: names and values stand in them as literals
        return space["model"]


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
