"""The options of verbs as requests give them: which the web offers, how they are checked, and their JSON schemas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from tiebreak.cli.parsing import in_full
from tiebreak.verbs import VERBS, Offer, Option, verb_of as record_of
from tiebreak.verbs.groups import LOOKS
from tiebreak.web.messages import Problem

_FILES = ("out", "folder", "file", "files")
"""Kinds of options that name files: a file to read is a field of its own, and none is written where a client says."""
_LOOKS = ("figure_kind", *(look.key for look in LOOKS))
"""How figures look: `tiebreak figure` draws them in other kinds and sizes."""
OFFERS: Mapping[str, Offer] = {name: offer for name in VERBS if (offer := record_of(name).offer) is not None}
"""The verbs of the web, each with what the API says of it; routes and tools follow from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb with the options that requests may have, and the flags of the files that it takes beside its first."""

    name: str
    options: Mapping[str, Option]
    slots: Mapping[str, str]


@cache
def verb_of(name: str, *, without: tuple[str, ...] = ()) -> Verb:
    """Read a verb from its record; `without` are further options that requests may not have.

    Examples
    --------
    >>> verb_of("compare").options["alpha"].kind, "out" in verb_of("compare").options, verb_of("order").slots
    ('number', False, {'prices': '--prices', 'costs': '--costs'})
    """
    offered = [option for option in record_of(name).options if option.web and option.flag]
    options = [_in_json(option) for option in offered if option.kind not in _FILES and option.key not in _LOOKS]
    return Verb(
        name=name,
        options={option.key: option for option in options if option.key not in without},
        slots={option.key: option.flag for option in offered if option.kind in ("file", "files")},
    )


def _in_json(option: Option) -> Option:
    """Return an option with its help and its words written out, and a default that JSON has."""
    default = option.default if isinstance(option.default, (str, int, float)) else None
    return in_full(option).but(kind="text" if option.kind == "names" else option.kind, default=default)


FIELDS: Mapping[str, Option] = {
    field.name: field
    for field in (
        Option(name="store", kind="switch", help="Read the store of the server in place of a file."),
        Option(
            name="format", default="json", words=("json", "text", "markdown", "latex", "page"), strict=True,
            help="How to write it; page is what the pages of the server lay out, and may change.",
        ),
        Option(name="figure", words=("svg", "tex", "pdf", "png"), strict=True, help="Also draw a figure."),
        Option(
            name="page", kind="switch", help="Also write a page, kept for a while at the address in 'page'."
        ),
        Option(name="clean", words=("csv", "parquet"), strict=True, help="Also write the table anew, clean."),
        Option(name="long", kind="switch", help="With 'clean': one row per run."),
        Option(
            name="learn_from", kind="texts", words=("shipped", "store"), strict=True,
            help="What to learn from; the shipped base if left out.",
        ),
    )
}  # fmt: skip
"""The fields of requests that are no options of the command line, beside `file` and `text`."""


LONGEST_TEXT = 20_000
MOST_TEXTS = 1_000
_TRUE, _FALSE = ("true", "1", "on", "yes"), ("false", "0", "off", "no", "")


def checked(verb: Verb, fields: Mapping[str, Any], others: Mapping[str, Option]) -> tuple[dict[str, Any], ...]:
    """Return the options of a verb and the `others` among the fields of a request, each with a value of its kind."""
    known = dict(verb.options) | dict(others)
    for name in fields:
        if name not in known:
            raise _unknown(verb, name, known)
    values = {name: value_of(known[name], value) for name, value in fields.items() if value is not None}
    for option in verb.options.values():
        if option.required and option.key not in values:
            raise _wrong(f"The option {option.key!r} is missing.", why=f"It says: {option.help}.")
    given = {name: value for name, value in values.items() if value is not False or known[name].kind == "either"}
    options = {name: value for name, value in given.items() if name in verb.options}
    return options, {name: value for name, value in given.items() if name not in options}


def arguments(verb: Verb, options: Mapping[str, Any]) -> list[str]:
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
    item = {"enum": list(option.words)} if option.strict else {"type": "string", "maxLength": LONGEST_TEXT}
    shapes: dict[str, dict[str, Any]] = {
        "switch": {"type": "boolean"},
        "either": {"type": "boolean"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "text": {"type": "string", **item} if option.strict else {"type": ["string", "number"]},
        "texts": {"type": "array", "items": item, "maxItems": MOST_TEXTS},
    }
    shape = shapes[option.kind] | ({"examples": list(option.words)} if option.words and not option.strict else {})
    if option.default is not None and not option.is_switch:
        shape["default"] = option.default
    place = {"x-group": option.group, "x-flag": option.flag} if option.flag else {}
    return shape | {"description": option.help} | place


def _wrong(what: str, *, why: str = "", mend: str = "Mend it or leave it out.") -> Problem:
    return Problem(422, "option", what, why=why, mend=mend)


def _unknown(verb: Verb, name: str, known: Mapping[str, Option]) -> Problem:
    close = get_close_matches(name, sorted([*known, "file", "text", *verb.slots]), n=1)
    guess = (
        f"Did you mean {close[0]!r}?"
        if close
        else "Its description names them all (/api/openapi.json, or the schema of the tool)."
    )
    return Problem(422, "unknown-field", f"There is no option {name[:60]!r} of {verb.name}.", mend=guess)
