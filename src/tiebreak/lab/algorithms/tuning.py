"""What `tune = {...}` may say: which settings to try, how many of them, for how long, and on which rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import check_choices
from tiebreak.errors import OptionError

INNER_FOLDS = 3
"""Folds of a search inside the training rows, unless it is told otherwise."""
DRAWS = 50
"""How many candidates are drawn where a range leaves their number open."""
MOST = 100_000
"""The most candidates a search may have."""
_KEYS = ("space", "seconds", "folds", "trials", "on")
_EXAMPLE = "tune = {space = {C = [0.1, 1, 10]}, seconds = 10}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Numbers from `low` to `high`, drawn evenly, or evenly in their logarithm; whole ones where both ends are."""

    low: float
    high: float
    log: bool = False

    def draw(self, rng: np.random.Generator) -> float | int:
        """Draw one number."""
        if isinstance(self.low, int) and isinstance(self.high, int):
            if not self.log:
                return int(rng.integers(self.low, self.high + 1))
            drawn = math.exp(rng.uniform(math.log(self.low - 0.5), math.log(self.high + 0.5)))
            return min(max(round(drawn), self.low), self.high)
        if self.log:
            return math.exp(rng.uniform(math.log(self.low), math.log(self.high)))
        return float(rng.uniform(self.low, self.high))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tuning(Brief):
    """A search: what is tried, and what bounds it. `on` is "training" (inner folds) or "validation" (as some papers).

    Examples
    --------
    >>> tuning = Tuning.of({"space": {"C": [0.1, 1.0], "gamma": {"low": 0.001, "high": 1.0, "log": True}}}, "'svr'")
    >>> len(tuning.candidates(seed=1)), tuning.as_dict()["folds"]
    (50, 3)
    """

    space: Mapping[str, tuple[Any, ...] | Range]
    seconds: float | None = None
    folds: int = INNER_FOLDS
    trials: int | None = None
    on: Literal["training", "validation"] = "training"

    @classmethod
    def of(cls, value: object, what: str) -> Tuning:
        """Check what a plan says; `what` names the learner in errors."""
        if not isinstance(value, Mapping) or not isinstance(value.get("space"), Mapping) or not value["space"]:
            raise OptionError(
                f"The setting 'tune' of {what} is {value!r}.",
                why="It is a table that says in `space` which values of which settings are tried.",
                mend=f"Write {_EXAMPLE}.",
            )
        check_choices(f"key of 'tune' of {what}", value, _KEYS)
        space = {str(name): _values(name, given, what) for name, given in value["space"].items()}
        tuning = cls(space=space, **{key: value[key] for key in _KEYS if key in value and key != "space"})
        _check(tuning, what)
        return tuning

    def as_dict(self) -> dict[str, object]:
        """Return it as a plan would write it, with every default; what is equal reads alike."""
        space = {
            name: {"low": each.low, "high": each.high, "log": each.log} if isinstance(each, Range) else list(each)
            for name, each in self.space.items()
        }
        told = {"folds": self.folds if self.on == "training" else None, "seconds": self.seconds, "trials": self.trials}
        return {"space": space, "on": self.on, **{key: value for key, value in told.items() if value is not None}}

    @property
    def grid_size(self) -> int | None:
        """How many combinations there are; None where a range makes them countless."""
        if any(isinstance(each, Range) for each in self.space.values()):
            return None
        return math.prod(len(each) for each in self.space.values() if not isinstance(each, Range))

    def candidates(self, *, seed: int) -> list[dict[str, Any]]:
        """Return what is tried: the whole grid in its order, or as many combinations as `trials` drawn by the seed."""
        rng = np.random.default_rng(seed)
        size = self.grid_size
        if size is None:
            return [self._drawn(rng) for _ in range(self.trials or DRAWS)]
        if self.trials is None or self.trials >= size:
            return [self._combination(place) for place in range(size)]
        places = rng.choice(size, size=self.trials, replace=False)
        return [self._combination(int(place)) for place in sorted(places)]

    def _drawn(self, rng: np.random.Generator) -> dict[str, Any]:
        return {
            name: each.draw(rng) if isinstance(each, Range) else each[int(rng.integers(len(each)))]
            for name, each in self.space.items()
        }

    def _combination(self, place: int) -> dict[str, Any]:
        """Return the combination at a place of the grid, the last setting changing fastest."""
        lists = [each for each in self.space.values() if not isinstance(each, Range)]
        digits = np.unravel_index(place, [len(each) for each in lists])
        return {name: each[int(digit)] for name, each, digit in zip(self.space, lists, digits, strict=True)}


def _values(name: object, given: object, what: str) -> tuple[Any, ...] | Range:
    """Read the values of one setting: a list of them, or a range."""
    if isinstance(given, Mapping):
        return _range(name, given, what)
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
        raise OptionError(
            f"'tune' of {what} tries {given!r} for {name!r}.",
            why="A list of values or a range is needed.",
            mend=f"Write {name} = [0.1, 1, 10] or {name} = {{low = 0.01, high = 100.0, log = true}}.",
        )
    return tuple(given)


def _range(name: object, given: Mapping[Any, Any], what: str) -> Range:
    check_choices(f"key of the range of {name!r}", given, ("low", "high", "log"))
    low, high, log = (given.get(key, default) for key, default in (("low", None), ("high", None), ("log", False)))
    if not _ends(low, high) or not isinstance(log, bool) or (log and low <= 0):
        raise OptionError(
            f"'tune' of {what} draws {name!r} from {dict(given)!r}.",
            why="A range goes from a finite number to a larger one; by logarithm (log = true) from above 0.",
            mend=f"Write {name} = {{low = 0.01, high = 100.0, log = true}}.",
        )
    return Range(low=low, high=high, log=log)


def _ends(low: Any, high: Any) -> bool:
    numbers = all(isinstance(end, int | float) and not isinstance(end, bool) for end in (low, high))
    return numbers and -math.inf < low < high < math.inf


def _check(tuning: Tuning, what: str) -> None:
    """Refuse bounds that no search can keep."""
    seconds = tuning.seconds
    timed = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 < seconds < math.inf
    faults = {
        "seconds": (seconds is None or timed, "a number of seconds above 0"),
        "folds": (_whole(tuning.folds, 2), "a whole number from 2"),
        "trials": (tuning.trials is None or _whole(tuning.trials, 1), f"a whole number from 1 to {MOST}"),
        "on": (tuning.on in ("training", "validation"), "'training' or 'validation'"),
    }
    for key, (good, words) in faults.items():
        if not good:
            raise OptionError(
                f"In 'tune' of {what} {key} is {getattr(tuning, key)!r}.",
                why=f"It is {words}.",
                mend=f"Leave it out, or write it so: {_EXAMPLE}.",
            )
    if tuning.trials is None and (tuning.grid_size or 0) > MOST:
        raise OptionError(
            f"'tune' of {what} has {tuning.grid_size} combinations.",
            why=f"At most {MOST} are tried.",
            mend="Say how many to draw: trials = 50.",
        )


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST
