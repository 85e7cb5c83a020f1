"""Questions to verbs: what the web offers of them, checked values, and how pages word options and errors."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from tiebreak.cli.parsing import in_full
from tiebreak.errors import InputError, NotSaid, OptionError, TiebreakError
from tiebreak.methods.policies import COST_POLICIES, POLICIES
from tiebreak.verbs import VERBS, Offer as Offer, Option, verb_of as record_of
from tiebreak.web.problems import Problem
from tiebreak.wording import Choice, reworded

_WRITTEN = ("out", "folder", "file", "files")
"""Kinds of options that are no fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb with the options that the API offers, and the files that it can take beside its first."""

    name: str
    options: Mapping[str, Option] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)


@cache
def verb_of(name: str) -> Verb:
    """Read a verb from its record.

    Examples
    --------
    >>> verb_of("compare").options["alpha"].kind, "out" in verb_of("compare").options, verb_of("order").slots
    ('number', False, {'prices': '--prices', 'costs': '--costs'})
    """
    record = record_of(name)
    options = [
        _option(option) for option in record.options if option.web and option.flag and option.kind not in _WRITTEN
    ]
    slots = {
        option.key: option.flag
        for option in record.options
        if option.web and option.flag and option.kind in _WRITTEN[2:]
    }
    return Verb(name=name, options={option.key: option for option in options}, slots=slots)


def _option(option: Option) -> Option:
    """Return an option with its help and its words written out, and a default that JSON has."""
    default = option.default if isinstance(option.default, (str, int, float)) else None
    return in_full(option).but(kind="text" if option.kind == "names" else option.kind, default=default)


OFFERS: Mapping[str, Offer] = {name: offer for name in VERBS if (offer := record_of(name).offer) is not None}
"""Every verb that the web offers; the routes and the tools follow from it."""


def offered(name: str) -> Verb:
    """Return a verb with the options that its route has."""
    verb = verb_of(name)
    options = {key: option for key, option in verb.options.items() if key not in OFFERS[name].without}
    return replace(verb, options=options)


LONGEST_TEXT = 20_000
MOST_TEXTS = 1_000
_TRUE, _FALSE = ("true", "1", "on", "yes"), ("false", "0", "off", "no", "")


def checked(verb: Verb, options: dict[str, Any], *, own: frozenset[str]) -> dict[str, Any]:
    """Return the options among the fields of a request, each with a value of its kind; `own` are other fields."""
    result = {}
    for name, value in options.items():
        if name in own:
            continue
        if name not in verb.options:
            raise _unknown(verb, name, own)
        if value is not None:
            result[name] = value_of(verb.options[name], value)
    for option in verb.options.values():
        if option.required and option.key not in result:
            raise _wrong(f"The option {option.key!r} is missing.", why=f"It says: {option.help}.")
    return {name: value for name, value in result.items() if value is not False or verb.options[name].kind == "either"}


def arguments(verb: Verb, options: dict[str, Any]) -> list[str]:
    """Write checked options as arguments of the command line."""
    return [part for name, value in options.items() for part in written(verb.options[name], value)]


def written(option: Option, value: Any) -> list[str]:
    """Write a checked value as arguments; the sign of equality keeps a value that begins with a dash a value."""
    if option.kind == "switch":
        return [option.flag] if value else []
    if option.kind == "either":
        return [option.flag if value else f"--no-{option.flag[2:]}"]
    values = value if isinstance(value, list) else [value]
    return [f"{option.flag}={item}" for item in values]


def value_of(option: Option, value: Any) -> Any:
    """Return a value in the kind that an option takes; fields of forms are all text.

    Examples
    --------
    >>> from tiebreak.web.questions import verb_of
    >>> options = verb_of("order").options
    >>> value_of(options["alpha"], "0.1"), value_of(options["cost"], "train_time"), value_of(options["trade"], "1%")
    (0.1, ['train_time'], '1%')
    """
    if option.is_switch:
        return _switch(option, value)
    if option.kind in ("number", "integer"):
        return _number(option, value)
    if option.kind == "texts":
        values = value if isinstance(value, list) else [value]
        if len(values) > MOST_TEXTS:
            raise _wrong(f"The option {option.key!r} has more than {MOST_TEXTS} values.")
        return [_text(option, item) for item in values]
    return _text(option, value)


def _switch(option: Option, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in (*_TRUE, *_FALSE):
        return value.lower() in _TRUE
    raise _wrong(f"The option {option.key!r} is neither true nor false.")


def _number(option: Option, value: Any) -> float | int:
    kind = "a whole number" if option.kind == "integer" else "a number"
    if isinstance(value, str) and len(value) < 40:
        try:
            value = int(value) if option.kind == "integer" else float(value)
        except ValueError:
            raise _wrong(f"The option {option.key!r} is {value!r}, not {kind}.") from None
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer() and math.isfinite(value))
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (option.kind == "integer" and not whole):
        raise _wrong(f"The option {option.key!r} is not {kind}.")
    if not abs(value) < 1e18:
        raise _wrong(f"The option {option.key!r} is too large, or no number at all.")
    return int(value) if option.kind == "integer" else value


def _text(option: Option, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _wrong(f"The option {option.key!r} is no text.")
    text = value if isinstance(value, str) else repr(value)
    if len(text) > LONGEST_TEXT:
        raise _wrong(f"The option {option.key!r} is longer than {LONGEST_TEXT} letters.")
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _wrong(f"The option {option.key!r} holds letters that are none.")
    if option.strict and text not in option.words:
        raise _wrong(f"The option {option.key!r} is {text[:60]!r}.", mend=f"Use one of {', '.join(option.words)}.")
    return text


def schema_of(option: Option) -> dict[str, Any]:
    """Describe an option in the words of JSON Schema."""
    texts = {"type": "string", "maxLength": LONGEST_TEXT}
    shapes: dict[str, dict[str, Any]] = {
        "switch": {"type": "boolean"},
        "either": {"type": "boolean"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "text": {"type": ["string", "number"]},
        "texts": {"type": "array", "items": texts, "maxItems": MOST_TEXTS},
    }
    shape = dict(shapes[option.kind])
    if option.strict:
        shape = {"type": "string", "enum": list(option.words)}
    elif option.words:
        shape["examples"] = list(option.words)
    if option.default is not None and not option.is_switch:
        shape["default"] = option.default
    return shape | {"description": option.help, "x-group": option.group, "x-flag": option.flag}


def _wrong(what: str, *, why: str = "", mend: str = "Mend it or leave it out.") -> Problem:
    return Problem(422, "option", what, why=why, mend=mend)


def _unknown(verb: Verb, name: str, texts: frozenset[str]) -> Problem:
    known = sorted([*verb.options, *texts])
    close = get_close_matches(name, known, n=1)
    guess = (
        f"Did you mean {close[0]!r}?"
        if close
        else "Its description names them all (/api/openapi.json, or the schema of the tool)."
    )
    return Problem(422, "unknown-field", f"There is no option {name[:60]!r} of {verb.name}.", mend=guess)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something to read: how the child names it, how it is called for people, and what tells its content."""

    argument: str
    label: str
    digest: str

    @property
    def is_file(self) -> bool:
        """Whether it lies in the folder of the job."""
        return ":" not in self.argument


def told_apart(sources: dict[str, list[Source]]) -> dict[str, list[Source]]:
    """Return what to read with labels that differ: two files of one name are called as they lie beside each other.

    Examples
    --------
    >>> held = [Source(argument=name, label="run.csv", digest="") for name in ("run.csv", "run-2.csv")]
    >>> [item.label for item in told_apart({"file": held})["file"]]
    ['run.csv', 'run-2.csv']
    """
    labels = [source.label for held in sources.values() for source in held if source.is_file]
    return {
        slot: [replace(source, label=source.argument) if labels.count(source.label) > 1 else source for source in held]
        for slot, held in sources.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request asks of a verb, checked: options, what to read by field, and what else to write."""

    verb: Verb
    options: dict[str, Any]
    sources: dict[str, list[Source]] = field(default_factory=dict)
    store: str = ""
    form: str = "json"
    figure: str = ""
    bases: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """Return the values of the verb, as the child runs it."""
        record = record_of(self.verb.name)
        place = next(option for option in record.options if not option.flag)
        names = [source.argument for source in self.sources.get("file", [])]
        options: dict[str, Any] = dict(self.options)
        if names:
            options[place.key] = names if place.nargs in ("*", "+") else names[0]
        for slot, item in self._slots():
            several = getattr(record.keyed(slot), "kind", "") == "files"
            options[slot] = [*options.get(slot, []), item.argument] if several else item.argument
        options |= {"store": self.store} if self.store else {}
        options |= {"base": ["shipped"]} if "shipped" in self.bases and self.store else {}
        options |= {"figure": f"figure.{self.figure}"} if self.figure else {}
        return options | dict(self.more)

    def argv(self) -> list[str]:
        """Return the arguments of the command line, for what runs in the background."""
        names = [source.argument for source in self.sources.get("file", [])]
        slots = [f"{self.verb.slots[slot]}={source.argument}" for slot, source in self._slots()]
        form = ["--json"] if self.form == "json" else []
        return [*names, *self.places(self.store), *slots, *arguments(self.verb, self.options), *form]

    def places(self, store: str) -> list[str]:
        """Return the options that name the store and the bases; for people the store has another name."""
        names = [f"--store={store}"] if store else []
        return names + (["--base=shipped"] if "shipped" in self.bases and store else [])

    def _slots(self) -> Iterable[tuple[str, Source]]:
        return ((slot, source) for slot, held in self.sources.items() if slot != "file" for source in held)

    def files(self) -> list[str]:
        """Return the names of the files in the folder of the job."""
        return [source.argument for held in self.sources.values() for source in held if source.is_file]

    def key(self) -> tuple[str, ...] | None:
        """Return what tells this request from all others; None where the answer may change with the store."""
        if self.store:
            return None
        marks = [f"{slot}={source.argument}#{source.digest}" for slot, held in self.sources.items() for source in held]
        return (self.verb.name, self.form, json.dumps(self.values(), sort_keys=True), *marks)


# ---- messages in the words of pages

LABELS = {
    "score": "Score",
    "scores": "Scores",
    "cost": "Cost",
    "trade": "Trade",
    "rule": "Rule",
    "margin": "Margin",
    "max_cost_ratio": "Cost at most",
    "alpha": "Alpha",
    "missing": "Gaps",
    "items": "Items",
    "difference": "Difference",
    "discordant": "Discordant",
    "sd": "Standard deviation",
    "power": "Power",
    "target": "Target",
    "kind": "Its kind",
    "accd": "Accuracy against time",
    "budget": "Time to try in",
    "run": "Time",
    "base": "Name of the base",
    "candidate": "Name of the candidate",
    "costs": "File of costs",
    "prices": "File of prices",
    "column": "role of a column",
}
"""Options whose field is not called as they are."""


def label_of(name: str) -> str:
    """Return what a page calls an option, or the file of an option.

    Examples
    --------
    >>> label_of("missing"), label_of("missing_costs")
    ('Gaps', 'missing costs')
    """
    return LABELS.get(name, name.replace("_", " "))


CLICKS = {
    ("transpose", True): "rows are algorithms",
    ("transpose", False): "rows are data sets",
    ("column", "dataset=#"): "number the rows as data sets",
    ("column", "fold=#"): "number the rows as folds",
}
"""Choices that have words of their own."""


def words_of(choice: Choice) -> str:
    """Return what a page calls a choice.

    Examples
    --------
    >>> words_of(Choice("missing", ("drop-datasets", "drop-folds"))), words_of(Choice("transpose", (False,)))
    ('Gaps: drop-datasets or drop-folds', 'rows are data sets')
    """
    label, values = label_of(choice.option), choice.values or ((choice.part,) if choice.part else ())
    if len(values) == 1 and (choice.option, values[0]) in CLICKS:
        return CLICKS[choice.option, values[0]]
    *most, last = map(str, values or ("",))
    listed = f"{', '.join(most)} or {last}" if most else last
    return label if not values or True in values else f"not {label}" if False in values else f"{label}: {listed}"


def for_page(texts: Any, meanings: Mapping[str, Choice]) -> Any:
    """Return texts, alone or in lists and dictionaries, in the words of pages."""
    if isinstance(texts, str):
        return reworded(texts, meanings, lambda _, choice: f"“{words_of(choice)}”")
    if isinstance(texts, dict):
        return {key: for_page(value, meanings) for key, value in texts.items()}
    return [for_page(value, meanings) for value in texts] if isinstance(texts, list | tuple) else texts


_CODES = ((NotSaid, "not-said"), (OptionError, "option"), (InputError, "input"))


def problem_of(error: TiebreakError, verb: Verb | None = None) -> Problem:
    """Make a problem of an error of the package, with the options of a verb that mend it."""
    code = next((word for kind, word in _CODES if isinstance(error, kind)), "refused")
    problem = Problem(422, code, error.what, why=error.why, mend=error.mend)
    if verb is not None:
        known = {*verb.options, *verb.slots}
        named = [choice for choice in error.choices if choice.option in known]
        problem.options = [{"option": choice.option, "values": list(choice.values)} for choice in named]
        meanings = {piece: choice for piece, choice in error.meanings.items() if choice.option in known}
        texts = {"what": error.what, "why": error.why, "mend": error.mend}
        problem.page = {name: for_page(text, meanings) for name, text in texts.items()}
    return problem


def spoken(verbs: Sequence[str] = ()) -> dict[str, Any]:
    """Return what scripts must know to word choices: names of fields, and what some values do.

    `verbs` are those whose options the page has, by default all.
    """
    held = [verb_of(name) for name in verbs or (*OFFERS, "store")]
    return {
        "labels": {name: label_of(name) for verb in held for name in (*verb.options, *verb.slots)},
        "clicks": {f"{name} {value}".lower(): words for (name, value), words in CLICKS.items()},
        "meanings": {"missing": POLICIES, "missing_costs": COST_POLICIES},
    }
