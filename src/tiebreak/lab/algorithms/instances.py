"""A learner from its class and what a plan says about it: own parameters, those passed on, and those of inner parts."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tiebreak._checks import check_choices
from tiebreak.errors import OptionError

_CLOSE = 0.85
"""How alike two names are that are taken for one name and its misspelling."""


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
    own = {name: _value(value, what) for name, value in settings.items() if "__" not in name.strip("_")}
    inner = {name: _value(value, what) for name, value in settings.items() if "__" in name.strip("_")}
    _check_names(kind, path, own, besides)
    learner = _made(kind, path, own, what)
    if inner:
        known = [str(name) for name in learner.get_params(deep=True)]
        check_choices(f"{path!r} setting", inner, known, mend="Parameters of an inner part are PART__PARAMETER.")
        learner.set_params(**inner)
    return learner


def _made(kind: Any, path: str, own: dict[str, Any], what: str) -> Any:
    try:
        return kind(**own)
    except Exception as error:
        raise OptionError(
            f"{path!r} cannot be made with the settings {own!r}: {error}.",
            why=f"The algorithm {what!r} is that class with those settings.",
            mend="Correct the settings.",
        ) from None


def _value(value: Any, what: str) -> Any:
    """Return a value of a plan with the learners that stand in it made."""
    if isinstance(value, Mapping) and "import" in value:
        check_choices(f"key of a part of {what!r}", value, ("import", "settings"))
        return instance(str(value["import"]), value.get("settings", {}), what)
    if isinstance(value, Mapping):
        return {name: _value(each, what) for name, each in value.items()}
    return [_value(each, what) for each in value] if isinstance(value, list) else value


def _check_names(kind: Any, path: str, own: Mapping[str, Any], besides: tuple[str, ...]) -> None:
    """Refuse names that a class does not know; where it passes any name on, only those that look misspelt."""
    lister = getattr(kind, "_get_param_names", None)  # scikit-learn's own way to tell what a class may be given
    listed = [str(name) for name in lister()] if callable(lister) else []
    if not listed:
        return
    if not takes_any(kind):
        check_choices(f"{path!r} setting", own, [*listed, *besides])
        return
    known = sorted({*listed, *_inherited(kind), *_passed_on(kind)})
    strange = [name for name in own if name not in known]
    check_choices(
        f"{path!r} setting",
        [name for name in strange if difflib.get_close_matches(name, known, n=1, cutoff=_CLOSE)],
        [*known, *besides],
    )


def takes_any(kind: Any) -> bool:
    """Say whether a class takes settings of any name."""
    return any(each.kind is each.VAR_KEYWORD for each in inspect.signature(kind.__init__).parameters.values())


def _inherited(kind: Any) -> list[str]:
    """Return the parameters of the classes it comes from, to which it passes on what it does not take itself."""
    makers = [vars(each)["__init__"] for each in kind.__mro__ if "__init__" in vars(each) and each is not object]
    return [name for maker in makers for name in inspect.signature(maker).parameters if name != "self"]


def _passed_on(kind: Any) -> list[str]:
    """Return further names that LightGBM knows: many a setting has several, and some are alike."""
    if kind.__module__.partition(".")[0] != "lightgbm":
        return []
    try:
        from lightgbm.basic import _ConfigAliases

        aliases = _ConfigAliases._get_all_param_aliases()
    except (ImportError, AttributeError):  # another version keeps them elsewhere: then nothing more is known
        return []
    return [str(name) for own, others in aliases.items() for name in (own, *others)]
