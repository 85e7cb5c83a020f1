"""What a named learner is: its estimator, its encoding, its settings with their kinds, who described it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf
from numbers import Integral, Real
from typing import Any, Literal

from tiebreak._checks import check_choice, check_choices
from tiebreak.datasets import DataSet
from tiebreak.documents import Framed
from tiebreak.errors import OptionError
from tiebreak.papers import paper
from tiebreak.wording import Brief, shortened

# ---- what `tune = {...}` may say: which values of settings to try, and on which rows


INNER_FOLDS = 3
"""Folds of a search inside the training rows, unless it is told otherwise."""
_KEYS = ("space", "folds", "on")
_EXAMPLE = "tune = {space = {C = [0.1, 1, 10]}, folds = 3}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tuning(Brief):
    """A search: the values tried for each setting. `on` is "training" (inner folds) or "validation" (as some papers).

    Examples
    --------
    >>> tuning = Tuning.of({"space": {"C": [0.1, 1.0], "gamma": [0.001, 1.0]}}, "'svr'")
    >>> len(tuning.candidates()), tuning.as_dict()["folds"]
    (4, 3)
    """

    space: Mapping[str, tuple[Any, ...]]
    folds: int = INNER_FOLDS
    on: Literal["training", "validation"] = "training"

    @classmethod
    def of(cls, value: object, what: str) -> Tuning:
        """Check what a plan says; `what` names the learner in errors."""
        if not isinstance(value, Mapping) or not isinstance(value.get("space"), Mapping) or not value["space"]:
            raise OptionError(
                f"The setting 'tune' of {what} is {value!r}.",
                why="Give a table whose `space` lists the values to try for each setting.",
                mend=f"Write {_EXAMPLE}.",
            )
        check_choices(f"key of 'tune' of {what}", value, _KEYS)
        for name, given in value["space"].items():
            if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
                raise OptionError(
                    f"'tune' of {what} tries {given!r} for {name!r}.",
                    why="A list of values is needed.",
                    mend=f"Write {name} = [0.1, 1, 10].",
                )
        folds, on = value.get("folds", INNER_FOLDS), value.get("on", "training")
        check_choice(f"place to search ('on' in 'tune' of {what})", on, ("training", "validation"))
        if not (_count(folds) and folds > 1):
            raise OptionError(
                f"In 'tune' of {what} folds is {folds!r}.",
                why="It is a whole number from 2.",
                mend=f"Write {_EXAMPLE}.",
            )
        return cls(space={str(name): tuple(given) for name, given in value["space"].items()}, folds=folds, on=on)

    def as_dict(self) -> dict[str, object]:
        """Return it as a plan would write it, with every default; what is equal reads alike."""
        space = {name: list(values) for name, values in self.space.items()}
        return {"space": space, "on": self.on, **({"folds": self.folds} if self.on == "training" else {})}

    def candidates(self) -> list[dict[str, Any]]:
        """Return every combination, the last setting changing fastest."""
        return [dict(zip(self.space, values, strict=True)) for values in product(*self.space.values())]


ENCODINGS = {
    "scaled": "standardised, one column per symbolic value",
    "plain": "medians for missing numbers, one column per symbolic value",
    "codes": "numbers as they are, symbols as codes, missing values as a branch of their own",
    "none": "none: numbers, symbols and missing values as they are",
    "frame": "none: a data frame with category columns, missing values as they are",
}
"""What can become of attributes before a learner sees them."""


AROUND = ("tune", "probabilities", "early_stopping")
"""Settings that are not the learner's own: what is put around it."""


def _number(value: object, low: float, high: float = inf) -> bool:
    """A bool is a Real to Python, and as a setting of a number it is a slip."""
    return isinstance(value, Real) and not isinstance(value, bool) and low <= float(value) < high


def _count(value: object) -> bool:
    return isinstance(value, Integral) and _number(value, 1)


def is_stopping(value: object) -> bool:
    """Say whether a value asks for early stopping on a share of the training rows."""
    if not isinstance(value, Mapping) or not set(value) <= {"share", "rounds"}:
        return False
    return _number(value.get("share", 0.1), _LEAST, 1) and _count(value.get("rounds", 20))


def stopping_of(value: object) -> dict[str, Any]:
    """Return what early stopping asks for, with its defaults."""
    return {"share": 0.1, "rounds": 20, **value} if isinstance(value, Mapping) else {}


_LEAST = 5e-324  # the smallest number above 0
_KINDS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "count": ("a whole number from 1", _count),
    "count or none": ("a whole number from 1, or None", lambda value: value is None or _count(value)),
    "positive": ("a number above 0", lambda value: _number(value, _LEAST)),
    "nonnegative": ("a number from 0", lambda value: _number(value, 0)),
    "fraction": ("a number above 0, at most 1", lambda value: value == 1 or _number(value, _LEAST, 1)),
    "share": ("a number from 0, below 1", lambda value: _number(value, 0, 1)),
    "positive or none": ("a number above 0, or None", lambda value: value is None or _number(value, _LEAST)),
    "mix": ("a number from 0 to 1", lambda value: value == 1 or _number(value, 0, 1)),
    "fraction or none": ("between 0 and 1, or None", lambda value: value is None or _number(value, _LEAST, 1)),
    "stopping": ("{share = 0.1, rounds = 20}, or None", lambda value: value is None or is_stopping(value)),
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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entry(Framed):
    """One named learner: what it is, how it is set, who described it.

    `encoding` says, by a name of `ENCODINGS`, what becomes of attributes before the learner sees them, `differs` what
    sets our stand-in apart from the program the papers ran, `grid` the values tried where `tune` is true.

    The estimator itself is `learner`, "package.module:Class", so that nothing is loaded before it is used; its
    parameters are those that are `fixed`, those told `by_data`, and the settings, under the names in `called` where the
    class has other ones. A setting of None is left to the data or to the class. `extra` is the extra of tiebreak that
    brings its library, where the lab alone does not. With `scale_target` a number to predict is seen with mean 0 and
    variance 1.
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
    extra: str = ""
    scale_target: bool = False

    def __repr__(self) -> str:
        return shortened(f"<Entry: {self.name}: {self.description}>")

    def chosen(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Return every setting with the value it will have, refusing unknown names and values.

        A table under `tune` is a search and may be given to every learner; it counts among the settings only then.
        """
        search = settings.get("tune")
        if isinstance(search, Mapping):
            others = self.chosen({name: value for name, value in settings.items() if name != "tune"})
            return others | {"tune": self._search(search)}
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
        chosen = {name: settings.get(name, setting.default) for name, setting in self.settings.items()}
        if chosen.get("early_stopping") is not None:
            chosen["early_stopping"] = stopping_of(chosen["early_stopping"])
        return chosen

    def _search(self, value: Mapping[str, object]) -> dict[str, object]:
        """Check a search: its settings must be those of the learner, and their values of its kinds."""
        tuning = Tuning.of(value, repr(self.name))
        for name, tried in tuning.space.items():
            self.chosen({name: tried[0]})  # names it where it is unknown
            if name in AROUND:
                raise OptionError(
                    f"'tune' of {self.name!r} lists {name!r}.",
                    why="It is a setting of the steps around the learner, not of the learner.",
                    mend="Remove it from the search space.",
                )
            for one in tried:
                self.chosen({name: one})
        return tuning.as_dict()

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
