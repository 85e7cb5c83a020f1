"""From what a plan holds to a learner that can be told apart, built and fitted: names, import paths and objects."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from tiebreak._checks import check_choices
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.encoding import encoder, require_sklearn
from tiebreak.lab.algorithms.learners import CATALOGUE_VERSION, Entry, describe
from tiebreak.lab.algorithms.sources import source_of, source_of_object
from tiebreak.lab.tasks import AlgorithmSpec

_KEYS = ("name", "algorithm", "import", "object", "settings")
_OURS = ("encode", "scale")
_INNER_FOLDS = 3
"""Folds of the search inside the training rows."""
_AROUND = ("tune", "probabilities")
"""Settings that are not the learner's own: what is put around it."""
_ENCODERS: Mapping[str, Mapping[str, Any]] = {"scaled": {}, "plain": {"scale": False}, "codes": {"symbolic": "codes"}}


def spec_of(value: object) -> AlgorithmSpec:
    """Return the specification of an algorithm, checked: its name, its settings and, where imported, its class.

    Parameters
    ----------
    value : str, mapping, estimator or AlgorithmSpec
        A name of the catalogue; {"name": ..., "settings": {...}}; the same with another name in the results,
        {"algorithm": "svr", "name": "svr tuned", "settings": {"tune": True}}; a class by path,
        {"import": "package.module:Class", "settings": {...}, "name": ...}; or an estimator object, also as
        {"object": SVC(), "name": ..., "settings": {...}}. The settings of an imported class are its own parameters
        and, as for an object, two of ours: encode=False leaves missing and symbolic values to it, scale=False
        leaves numeric columns unscaled.

    Returns
    -------
    AlgorithmSpec
        Plain data: it can be pickled, and for names and paths written to a store.

    Examples
    --------
    >>> spec_of({"algorithm": "svr", "name": "svr tuned", "settings": {"tune": True}}).name
    'svr tuned'
    >>> spec_of({"import": "sklearn.ensemble:ExtraTreesClassifier", "settings": {"n_estimators": 10}}).name
    'ExtraTreesClassifier'
    """
    if isinstance(value, AlgorithmSpec):
        return _checked(value)
    if isinstance(value, str):
        return _checked(AlgorithmSpec(name=value, path=value))
    if isinstance(value, Mapping):
        return _checked(_from_mapping(value))
    return _from_object(value)


def fingerprint(spec: AlgorithmSpec) -> str:
    """Return a digest that is the same wherever the same learner with the same settings is meant.

    The name in the results is not part of it. A named learner counts with all its settings, those left at their
    defaults included, and with the version of the catalogue; an imported one with its path and settings; an object
    with its class and all its parameters; and both with the source of the local modules behind them.

    Examples
    --------
    >>> one = fingerprint(spec_of("5nn"))
    >>> one == fingerprint(spec_of({"name": "5nn"})), one == fingerprint(spec_of("knn"))
    (True, False)
    """
    return hashlib.sha256(json.dumps(_parts(spec)).encode()).hexdigest()[:32]


def spec_text(spec: AlgorithmSpec) -> str:
    """Return the specification in words for a store: its name and all its fingerprint is made of; no pickle.

    Examples
    --------
    >>> spec_text(spec_of({"name": "nb"}))
    'nb = named 1 nb {"smoothing": 1.0}'
    """
    return f"{spec.name} = {' '.join(_parts(spec))}"


def _parts(spec: AlgorithmSpec) -> list[str]:
    """The fingerprint of a named learner holds the version of the catalogue: what a name stands for may change."""
    own = [f"source {spec.code.digest}"] if spec.code.digest else []  # a learner of a library has versions instead
    if spec.source == "object":
        return ["object", _object_text(_unpacked(spec)), _text(dict(spec.settings)), *own]
    if spec.source == "import":
        return ["import", spec.path, _text(dict(spec.settings)), *own]
    entry = _entry(spec)
    return ["named", str(CATALOGUE_VERSION), entry.name, _text(entry.chosen(spec.settings))]


def build(spec: AlgorithmSpec, data: DataSet, *, seed: int) -> Any:
    """Return a fresh, unfitted estimator that takes rows of `data.values`.

    A named learner is its pipeline. An imported class or an object is put behind the encoder, unless encode=False
    was set or it says itself (by scikit-learn's tags) that it takes what the data hold: missing values, and
    categories where an attribute is symbolic. Every parameter called random_state that is still None gets `seed`.

    Parameters
    ----------
    spec : AlgorithmSpec
        From `spec_of`.
    data : DataSet
        Tells which attributes are symbolic; its rows are not used.
    seed : int
        The only source of chance, taken modulo 2^32.

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> data = DataSet.from_arrays([[0.0], [1.0], [0.1], [0.9]], ["a", "b", "a", "b"])
    >>> build(spec_of("lnp"), data, seed=1).fit(data.values, data.target).predict([[0.2]]).tolist()
    [0]
    """
    require_sklearn()
    number = int(seed) % 2**32
    if spec.source == "named":
        entry = _entry(spec)
        return _seeded(_pipeline(entry, entry.chosen(spec.settings), data, seed=number), number)
    learner = _unpacked(spec) if spec.source == "object" else _imported(spec)
    if spec.settings.get("encode", True) and not _takes_all(learner, data):
        from sklearn.pipeline import Pipeline

        encode = encoder(data, scale=bool(spec.settings.get("scale", True)))
        learner = Pipeline([("encode", encode), ("learn", learner)])
    return _seeded(learner, number)


def _pipeline(entry: Entry, chosen: Mapping[str, Any], data: DataSet, *, seed: int) -> Any:
    """Return the unfitted pipeline of a named learner; every setting must have its value.

    A search tries the whole pipeline, encoding included, inside the training rows: what is imputed or scaled there is
    learned anew for every inner fold.
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline

    encode = [] if entry.encoding == "none" else [("encode", encoder(data, **_ENCODERS[entry.encoding]))]
    model = Pipeline([*encode, ("learn", _learner(entry, chosen, data))])
    if chosen.get("tune"):
        model = GridSearchCV(model, _grid(entry, data), cv=_inner_folds(seed), scoring="accuracy", n_jobs=1)
    if chosen.get("probabilities"):
        model = CalibratedClassifierCV(model, method="sigmoid", cv=_inner_folds(seed), ensemble=False, n_jobs=1)
    return model


def _inner_folds(seed: int) -> Any:
    """Folds for tuning are drawn inside the training rows and by the seed of the cell."""
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(n_splits=_INNER_FOLDS, shuffle=True, random_state=seed)


def _learner(entry: Entry, chosen: Mapping[str, Any], data: DataSet) -> Any:
    """The later wins: what the catalogue fixes, what the data suggest, what the caller asked for."""
    module, _, name = entry.learner.partition(":")
    own = {key: value for key, value in chosen.items() if value is not None and key not in _AROUND}
    given = {entry.called.get(key, key): value for key, value in own.items()}
    return getattr(import_module(module), name)(**{**entry.fixed, **entry.by_data(data), **given})


def _grid(entry: Entry, data: DataSet) -> dict[str, list[Any]]:
    """Name the grid as the pipeline does; more neighbours than an inner training part may hold are not tried."""
    grid: dict[str, list[Any]] = {entry.called.get(name, name): list(values) for name, values in entry.grid.items()}
    if "n_neighbors" in grid:
        grid["n_neighbors"] = [k for k in grid["n_neighbors"] if k <= max(1, data.n_rows // 6)]
    return {f"learn__{name}": values for name, values in grid.items()}


def _from_mapping(value: Mapping[Any, Any]) -> AlgorithmSpec:
    """`name` alone is the learner and its label; beside `algorithm` or `import` it is the label only."""
    check_choices("key of an algorithm", value, _KEYS)
    settings = value.get("settings", {})
    if not isinstance(settings, Mapping):
        raise OptionError(
            f"The settings of {value.get('name') or value.get('import')!r} are {settings!r}.",
            why="Settings are names with values.",
            mend='Write them as a table: {"name": "svr", "settings": {"C": 10.0}}.',
        )
    if "object" in value:
        packed = _from_object(value["object"])
        name = str(value.get("name") or packed.name)
        return replace(packed, name=name, settings=dict(settings))
    if "import" in value:
        path = str(value["import"])
        name = str(value.get("name") or path.rpartition(":")[2])
        return AlgorithmSpec(name=name, source="import", path=path, settings=dict(settings))
    if "name" not in value and "algorithm" not in value:
        raise OptionError(
            f"An algorithm is given as {dict(value)!r}.",
            why="Nothing in it says which one is meant.",
            mend='Name it, as in {"name": "svr"}, or give its path: {"import": "package.module:Class"}.',
        )
    path = str(value.get("algorithm", value.get("name")))
    return AlgorithmSpec(name=str(value.get("name", path)), path=path, settings=dict(settings))


def _from_object(value: object) -> AlgorithmSpec:
    """Pickled at once: what the caller changes on the object later must not change the plan."""
    if isinstance(value, type) or not _is_learner(value):
        raise OptionError(
            f"An algorithm is given as {value!r}.",
            why="A learner is a name, a table, or an estimator object with fit, predict and get_params.",
            mend='Pass "c45", {"import": "package.module:Class"}, or an instance such as SVC().',
        )
    import cloudpickle

    _refuse_regressor(value, type(value).__name__)
    packed, code = cloudpickle.dumps(value), source_of_object(value)
    return AlgorithmSpec(name=type(value).__name__, source="object", payload=packed, code=code)


def _checked(spec: AlgorithmSpec) -> AlgorithmSpec:
    """Checked when the plan is made, not when a cell runs hours later on another machine."""
    if spec.source == "named":
        entry = _entry(spec)
        entry.chosen(spec.settings)
        return replace(spec, code=source_of(entry.learner.partition(":")[0]))
    for name in _OURS:
        if not isinstance(spec.settings.get(name, True), bool):
            raise OptionError(
                f"The setting {name!r} of {spec.name!r} is {spec.settings[name]!r}.",
                why="It says whether attributes are encoded (or scaled) before the learner sees them.",
                mend=f"Use {name}=True or {name}=False.",
            )
    if spec.source == "import":
        _imported(spec)
        return replace(spec, code=source_of(spec.path.partition(":")[0]))
    mend = "Set its own parameters on the object."
    check_choices("setting of ours for objects", spec.settings, _OURS, mend=mend)
    return spec


def _entry(spec: AlgorithmSpec) -> Entry:
    return describe(spec.path or spec.name)


def _unpacked(spec: AlgorithmSpec) -> Any:
    import cloudpickle

    return cloudpickle.loads(spec.payload)


def _imported(spec: AlgorithmSpec) -> Any:
    """Import the class and make an instance of it, with its own settings."""
    module, colon, name = spec.path.partition(":")
    if not (module and colon and name):
        raise OptionError(
            f"The import path of {spec.name!r} is {spec.path!r}.",
            why="A module and a class, with a colon between them, are needed.",
            mend='Write it as "sklearn.ensemble:ExtraTreesClassifier".',
        )
    try:
        kind = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"{spec.path!r} cannot be imported: {error}.",
            why=f"The algorithm {spec.name!r} is to be found there.",
            mend="Install the package, or correct the path (package.module:Class).",
        ) from None
    return _instance(kind, spec)


def _instance(kind: Any, spec: AlgorithmSpec) -> Any:
    own = {name: value for name, value in spec.settings.items() if name not in _OURS}
    lister = getattr(kind, "_get_param_names", None)  # scikit-learn's own way to tell what a class may be given
    names = [str(name) for name in lister()] if callable(lister) else []
    if names:
        check_choices(f"{spec.path!r} setting", own, [*names, *_OURS])
    try:
        learner = kind(**own)
    except Exception as error:
        raise OptionError(
            f"{spec.path!r} cannot be made with the settings {own!r}: {error}.",
            why=f"The algorithm {spec.name!r} is that class with those settings.",
            mend="Correct the settings.",
        ) from None
    if not _is_learner(learner):
        raise OptionError(
            f"{spec.path!r} is not a learner.",
            why="An estimator has fit, predict and get_params, as in scikit-learn.",
            mend="Give the path of such a class.",
        )
    _refuse_regressor(learner, spec.path)
    return learner


def _refuse_regressor(learner: Any, what: str) -> None:
    """Refuse what predicts numbers before it fails in every cell."""
    require_sklearn()
    from sklearn.base import is_regressor

    try:
        predicts_numbers = is_regressor(learner)
    except Exception:  # a foreign estimator without tags says nothing about what it predicts
        return
    if predicts_numbers:
        raise OptionError(
            f"{what!r} is a regressor.",
            why="The lab measures how well classes are predicted.",
            mend="Give a classifier.",
        )


def _is_learner(value: object) -> bool:
    return all(callable(getattr(value, name, None)) for name in ("fit", "predict", "get_params"))


def _takes_all(learner: Any, data: DataSet) -> bool:
    from sklearn.utils import get_tags

    try:
        tags = get_tags(learner).input_tags
    except Exception:  # a foreign estimator without tags says nothing about what it takes
        return False
    return bool(tags.allow_nan and (tags.categorical or not data.symbolic.any()))


def _seeded(learner: Any, seed: int) -> Any:
    """Only seeds left at None are set, also inside pipelines; one that the caller chose is kept."""
    unset = [name for name, value in learner.get_params(deep=True).items() if value is None]
    loose = [name for name in unset if name.rpartition("__")[2] == "random_state"]
    return learner.set_params(**dict.fromkeys(loose, seed)) if loose else learner


def _object_text(learner: Any) -> str:
    return _class_path(learner) + _text(learner.get_params(deep=True))


def _class_path(value: object) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _text(value: Any) -> str:
    """Write a setting so that equal ones read alike in every process: no addresses, nothing abridged."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}": {_text(value[key])}' for key in sorted(value, key=str)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    if isinstance(value, set | frozenset):
        return "set" + _text(sorted(_text(item) for item in value))
    if isinstance(value, np.generic):
        return _text(value.item())
    if isinstance(value, np.ndarray):
        return f"array({value.dtype.str}, {value.shape}, {hashlib.sha256(value.tobytes()).hexdigest()})"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}:{value.__qualname__}"
    if callable(getattr(value, "get_params", None)):
        return _object_text(value)
    return _class_path(value) + _text(getattr(value, "__dict__", {}))
