"""From what a plan holds to a learner that can be identified, built and fitted: names, import paths and objects."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import check_choices
from tiebreak.errors import OptionError, needed
from tiebreak.lab.algorithms.entries import Entry, Tuning
from tiebreak.lab.algorithms.learners import CATALOGUE_VERSION, catalogue, describe
from tiebreak.lab.algorithms.sources import source_of, source_of_object
from tiebreak.lab.tasks import AlgorithmSpec

CLOSE = 0.85
"""Names as alike as this are taken for one that is misspelt."""


def imported_class(path: str, what: str) -> Any:
    """Return the class at "package.module:Class"; `what` names the algorithm in errors."""
    module, colon, name = path.partition(":")
    if not (module and colon and name):
        raise OptionError(
            f"The import path of {what!r} is {path!r}.",
            why="A module and a class, with a colon between them, are needed.",
            mend='Write it as "sklearn.ensemble:ExtraTreesClassifier".',
        )
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"{path!r} cannot be imported: {error}.",
            why=f"The algorithm {what!r} is to be found there.",
            mend="Install the package, or correct the path (package.module:Class).",
        ) from None


def instance(path: str, settings: Mapping[str, Any], what: str, *, besides: tuple[str, ...] = ()) -> Any:
    """Make an instance of the class at a path.

    A setting with two underscores in its name is one of an inner part (`estimator__max_depth`,
    `pipeline__step__parameter`), set after the instance is made. A table with `import` stands for an instance of that
    class: `estimator = {import = "sklearn.tree:DecisionTreeClassifier", settings = {max_depth = 3}}`, also inside
    lists. `besides` are names that the caller knows and the class does not, for the list of what is known.
    """
    kind = imported_class(path, what)
    values = {name: _value(value, what) for name, value in settings.items() if "__" not in name.strip("_")}
    inner = {name: _value(value, what) for name, value in settings.items() if "__" in name.strip("_")}
    _check_names(kind, path, values, besides)
    try:
        learner = kind(**values)
    except Exception as error:
        raise OptionError(
            f"{path!r} cannot be made with the settings {values!r}: {error}.",
            why=f"The algorithm {what!r} is that class with those settings.",
            mend="Correct the settings.",
        ) from None
    if inner:
        known = [str(name) for name in learner.get_params(deep=True)]
        check_choices(f"{path!r} setting", inner, known, mend="Parameters of an inner part are PART__PARAMETER.")
        learner.set_params(**inner)
    return learner


def _value(value: Any, what: str) -> Any:
    """Return a value of a plan with the learners that stand in it made."""
    if isinstance(value, Mapping) and "import" in value:
        check_choices(f"key of a part of {what!r}", value, ("import", "settings"))
        return instance(str(value["import"]), value.get("settings", {}), what)
    if isinstance(value, Mapping):
        return {name: _value(item, what) for name, item in value.items()}
    return [_value(item, what) for item in value] if isinstance(value, list) else value


def _check_names(kind: Any, path: str, settings: Mapping[str, Any], besides: tuple[str, ...]) -> None:
    """Refuse names that a class does not know or, where it passes any name on, those that look misspelt."""
    lister = getattr(kind, "_get_param_names", None)  # scikit-learn's own way to tell what a class may be given
    listed = [str(name) for name in lister()] if callable(lister) else []
    if not listed:
        return
    known = [*listed, *besides]
    if takes_any(kind):
        makers = [vars(item)["__init__"] for item in kind.__mro__[:-1] if "__init__" in vars(item)]
        known += [name for maker in makers for name in inspect.signature(maker).parameters]
        settings = {name: None for name in settings if difflib.get_close_matches(name, known, n=1, cutoff=CLOSE)}
    check_choices(f"{path!r} setting", settings, known)


def takes_any(kind: Any) -> bool:
    """Say whether a class takes settings of any name."""
    return any(
        parameter.kind is parameter.VAR_KEYWORD for parameter in inspect.signature(kind.__init__).parameters.values()
    )


_KEYS = ("name", "algorithm", "import", "object", "settings")
_FLAGS = ("encode", "scale")
_OURS = (*_FLAGS, "tune")
"""Settings of ours for imported classes and objects."""


def spec_of(value: object, *, beside: Path | None = None) -> AlgorithmSpec:
    """Return the specification of an algorithm, checked: its name, its settings and, where imported, its class.

    Parameters
    ----------
    value : str, mapping, estimator or AlgorithmSpec
        A name of the catalogue; {"name": ..., "settings": {...}}; the same with another name in the results,
        {"algorithm": "svr", "name": "svr tuned", "settings": {"tune": True}}; a class by path,
        {"import": "package.module:Class", "settings": {...}, "name": ...}; or an estimator object, also as
        {"object": SVC(), "name": ..., "settings": {...}}. The settings of an imported class are its own parameters
        (`estimator__max_depth` for those of an inner part) and, as for an object, some of ours: encode=False leaves
        missing and symbolic values to it, scale=False leaves numeric columns unscaled, tune={...} searches
        settings.
    beside : Path, optional
        Import nothing that a path names: its source is looked up in this folder too, and not run.

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
        return _checked(value, beside)
    if isinstance(value, str):
        return _checked(AlgorithmSpec(name=value, path=value), beside)
    if isinstance(value, Mapping):
        return _checked(_from_mapping(value), beside)
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
    names = [f"source {spec.code.digest}"] if spec.code.digest else []  # a learner of a library has versions instead
    if spec.source == "object":
        return ["object", _object_text(unpacked(spec)), _text(dict(spec.settings)), *names]
    if spec.source == "import":
        return ["import", spec.path, _text(dict(spec.settings)), *names]
    entry = entry_of(spec)
    named = "named" if spec.kind == "classes" else "named number"
    # A setting that came later counts only where it is given: older results keep their fingerprints.
    chosen = {
        name: value for name, value in entry.chosen(spec.settings).items() if name not in _LATER or value is not None
    }
    return [named, str(CATALOGUE_VERSION), entry.name, _text(chosen)]


_LATER = ("max_features",)


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
    packed, code = needed("cloudpickle").dumps(value), source_of_object(value)
    return AlgorithmSpec(name=type(value).__name__, source="object", payload=packed, code=code)


def _checked(spec: AlgorithmSpec, beside: Path | None = None) -> AlgorithmSpec:
    """Checked when the plan is made, not when a cell runs hours later on another machine."""
    if spec.source == "named":
        entry = _any_form(spec)
        if find_spec(entry.learner.partition(":")[0].partition(".")[0]) is None:
            class_of(entry)  # which says what to install; a library that is there is loaded where it is fitted
        return replace(spec, code=source_of(entry.learner.partition(":")[0]))
    for name in _FLAGS:
        if not isinstance(spec.settings.get(name, True), bool):
            raise OptionError(
                f"The setting {name!r} of {spec.name!r} is {spec.settings[name]!r}.",
                why="It says whether attributes are encoded, or scaled, before the learner sees them.",
                mend=f"Use {name}=True or {name}=False.",
            )
    if spec.source == "import":
        if beside is None:
            _check_ours(imported(spec), spec)
        modules = _modules({"import": spec.path, "settings": spec.settings})
        return replace(spec, code=source_of(*modules, beside=beside))
    mend = "Set its own parameters on the object."
    check_choices("setting of ours for objects", spec.settings, _OURS, mend=mend)
    _check_ours(unpacked(spec), spec)
    return spec


def _modules(value: object) -> Iterator[str]:
    """Yield the modules of a class given by path and of those that its settings name."""
    if isinstance(value, Mapping):
        if isinstance(value.get("import"), str):
            yield value["import"].partition(":")[0]
        for part in value.values():
            yield from _modules(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _modules(part)


def _any_form(spec: AlgorithmSpec) -> Entry:
    """Check settings of a named learner; before the data are known they may be those for classes or for numbers."""
    entry = describe(spec.path or spec.name)
    try:
        entry.chosen(spec.settings)
    except OptionError:
        for other in catalogue("number"):
            if other.name == entry.name and set(spec.settings) <= {"tune", *other.settings}:
                other.chosen(spec.settings)
                return other
        raise
    return entry


def _check_ours(learner: Any, spec: AlgorithmSpec) -> None:
    """Check the search that is put around an imported learner or an object."""
    if "tune" in spec.settings:
        tuning = Tuning.of(spec.settings["tune"], repr(spec.name))
        known = [str(name) for name in learner.get_params(deep=True)]
        free = takes_any(type(learner))
        check_choices(f"setting in 'tune' of {spec.name!r}", [] if free else tuning.space, known)


def entry_of(spec: AlgorithmSpec, kind: str | None = None) -> Entry:
    """Return the record of a named learner for a kind of target, by default that of the specification."""
    return describe(spec.path or spec.name, kind=kind or ("number" if spec.kind == "number" else None))


def unpacked(spec: AlgorithmSpec) -> Any:
    """Return the estimator that this program was given as an object."""
    import cloudpickle

    return cloudpickle.loads(spec.payload)


def class_of(entry: Entry) -> Any:
    """Return the class of a named learner; where its library is missing, the error names the extra that brings it."""
    module, _, name = entry.learner.partition(":")
    return getattr(needed(module), name)


def imported(spec: AlgorithmSpec) -> Any:
    """Import the class and make an instance of it, with its own settings."""
    values = {name: value for name, value in spec.settings.items() if name not in _OURS}
    learner = instance(spec.path, values, spec.name, besides=_OURS)
    if not _is_learner(learner):
        raise OptionError(
            f"{spec.path!r} is not a learner.",
            why="An estimator has fit, predict and get_params, as in scikit-learn.",
            mend="Give the path of such a class.",
        )
    return learner


def _is_learner(value: object) -> bool:
    return all(callable(getattr(value, name, None)) for name in ("fit", "predict", "get_params"))


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
