"""An estimator as the Python call that makes it, with the imports that the call needs."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy as np

WIDE = 110
"""Columns that a line of code may have."""
_IDLE = {
    "n_jobs": "one core or many: the answer is the same",
    "thread_count": "the same, of CatBoost",
    "sparse_threshold": "what it decides is decided by sparse_output=False",
    "verbose_feature_names_out": "only names of columns hang on it",
    "missing": "how XGBoost marks gaps in an array; a frame has its own",
}
"""Parameters that are left out, and why nothing is lost by it."""


class NoCall(Exception):
    """Something that no call can be written for."""


class Imports:
    """What the lines of a program need, gathered while they are written."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._modules: dict[str, str] = {}

    def module(self, name: str, short: str) -> None:
        """Note a module that is imported under a short name."""
        self._modules[name] = short

    def name(self, module: str, name: str) -> str:
        """Note a name of a module, and return it."""
        self._names.setdefault(module, set()).add(name)
        return name

    def of_class(self, kind: type) -> str:
        """Note a class under the shortest path that has no private part, and return its name."""
        parts = kind.__module__.split(".")
        for count in range(1, len(parts) + 1):
            home = ".".join(parts[:count])
            if parts[count - 1].startswith("_"):
                break
            if getattr(import_module(home), kind.__name__, None) is kind:
                return self.name(home, kind.__name__)
        return self.name(kind.__module__, kind.__name__)

    def lines(self) -> list[str]:
        """Return the import lines, in the usual order: modules first, then names, each by name."""
        modules = [f"import {name} as {short}" for name, short in sorted(self._modules.items())]
        named = [f"from {home} import {', '.join(sorted(names))}" for home, names in sorted(self._names.items())]
        return [*modules, *named]

    def packages(self) -> list[str]:
        """Return the packages that must be installed."""
        return sorted({name.partition(".")[0] for name in (*self._modules, *self._names)})


class Variable(str):
    """A text that stands for itself in code: the name of a variable."""

    __slots__ = ()


def written(value: Any, imports: Imports) -> str:
    """Write a value as Python; raises NoCall for what has no call.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> imports = Imports()
    >>> written(SVC(C=2.0, kernel="poly"), imports), imports.lines()
    ("SVC(C=2.0, kernel='poly')", ['from sklearn.svm import SVC'])
    """
    if isinstance(value, Variable):
        return str(value)
    if value is None or isinstance(value, bool | int | str) or type(value) is float:
        return _plain(value, imports)
    if isinstance(value, np.generic):
        return written(value.item(), imports)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(k, imports)}: {written(v, imports)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return _sequence(value, imports)
    if callable(getattr(value, "get_params", None)) or _splitter(value):
        return called(value, imports)
    raise NoCall(f"a {type(value).__name__}")


def _plain(value: object, imports: Imports) -> str:
    """Write a plain value; what JSON and Python cannot write as a number is a name of numpy."""
    if isinstance(value, float) and not math.isfinite(value):
        imports.module("numpy", "np")
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def _sequence(values: list[Any] | tuple[Any, ...], imports: Imports) -> str:
    inner = ", ".join(written(each, imports) for each in values)
    if isinstance(values, list):
        return f"[{inner}]"
    return f"({inner},)" if len(values) == 1 else f"({inner})"


def _splitter(value: object) -> bool:
    return type(value).__module__.startswith("sklearn.model_selection")


def called(learner: Any, imports: Imports) -> str:
    """Write the call that makes an estimator, or a splitter: its class, and what differs from its defaults."""
    kind = type(learner)
    if kind.__name__ == "Pipeline" and all(name == type(step).__name__.lower() for name, step in learner.steps):
        steps = ", ".join(written(step, imports) for _, step in learner.steps)  # the names that it would give itself
        return f"{imports.name('sklearn.pipeline', 'make_pipeline')}({steps})"
    known = inspect.signature(kind.__init__).parameters
    told = {name: value for name, value in _told(learner).items() if not _usual(name, value, known)}
    first = [name for name in ("steps", "transformers", "estimator", "param_grid") if name in told]
    rest = [name for name in told if name not in first]
    parts = [written(told[name], imports) for name in first if name != "param_grid"]
    parts += [f"{name}={written(told[name], imports)}" for name in (*(n for n in first if n == "param_grid"), *rest)]
    return f"{imports.of_class(kind)}({', '.join(parts)})"


def _told(learner: Any) -> dict[str, Any]:
    """Return the settings of an estimator, in the order of its signature; a splitter keeps them as attributes."""
    if callable(getattr(learner, "get_params", None)):
        held = learner.get_params(deep=False)
        names = [name for name in inspect.signature(type(learner).__init__).parameters if name in held]
        return {name: held[name] for name in [*names, *(each for each in held if each not in names)]}
    names = [name for name in inspect.signature(type(learner).__init__).parameters if hasattr(learner, name)]
    return {name: getattr(learner, name) for name in names}


def _usual(name: str, value: Any, known: Mapping[str, inspect.Parameter]) -> bool:
    """Tell whether a setting need not be written: it is idle, or has its default."""
    if name in _IDLE:
        return True
    default = known[name].default if name in known else inspect.Parameter.empty
    if default is inspect.Parameter.empty:
        return value is None
    if isinstance(default, type):
        return value is default
    if isinstance(default, float) and math.isnan(default):
        return isinstance(value, float) and math.isnan(value)
    return type(value) is type(default) and bool(value == default)


def laid_out(name: str, call: str) -> list[str]:
    """Return an assignment as lines; a call that is too wide is opened at its outermost commas."""
    line = f"{name} = {call}"
    if len(line) <= WIDE:
        return [line]
    return _opened(line, "")


def _opened(text: str, indent: str, *, wide: bool = False) -> list[str]:
    """Break a text at its first brackets, and again inside while lines are too wide; `wide`: in any case."""
    start = _first_bracket(text)
    if (len(indent + text) <= WIDE and not wide) or start is None:
        return [indent + text]
    end = _closing(text, start)
    inner = _commas(text[start + 1 : end])
    if len(inner) == 1 and inner[0][:1] == "[":  # a bracket inside a bracket needs no line of its own
        body = _opened(inner[0] + text[end:], indent, wide=True)
        return [indent + text[: start + 1] + body[0].strip(), *body[1:]]
    inside = indent + "    "
    if text[start] == "[" and all(_first_bracket(part) is None for part in inner):
        return [indent + text[: start + 1], *_filled(inner, inside), indent + text[end:]]
    lines = [line for part in inner for line in _opened(part + ",", inside)]
    return [indent + text[: start + 1], *lines, indent + text[end:]]


def _filled(parts: list[str], indent: str) -> list[str]:
    """Lay names out side by side, as many on a line as it holds."""
    lines = [indent]
    for part in parts:
        longer = f"{lines[-1]}{'' if lines[-1] == indent else ' '}{part},"
        if len(longer) <= WIDE or lines[-1] == indent:
            lines[-1] = longer
        else:
            lines.append(f"{indent}{part},")
    return lines


def _marks(text: str) -> Iterable[tuple[int, str, int]]:
    """Yield the signs outside of strings with their places and depths."""
    depth, quote, skip = 0, "", False
    for place, sign in enumerate(text):
        if skip:
            skip = False
        elif quote:
            skip, quote = sign == "\\", "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "([{":
            yield place, sign, depth
            depth += 1
        elif sign in ")]}":
            depth -= 1
            yield place, sign, depth
        elif sign == ",":
            yield place, sign, depth


def _first_bracket(text: str) -> int | None:
    return next((place for place, sign, _ in _marks(text) if sign in "([{"), None)


def _closing(text: str, start: int) -> int:
    return next(place for place, sign, depth in _marks(text) if place > start and sign in ")]}" and depth == 0)


def _commas(text: str) -> list[str]:
    places = [place for place, sign, depth in _marks(text) if sign == "," and depth == 0]
    ends = zip([-1, *places], [*places, len(text)], strict=True)
    return [part for a, b in ends if (part := text[a + 1 : b].strip())]
