"""Values of a request, held against what an option takes; the schema of an option says the same to programs."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Any

from tiebreak.web.problems import Problem
from tiebreak.web.verbs import Option, Verb

LONGEST_TEXT = 20_000
MOST_TEXTS = 1_000
_TRUE, _FALSE = ("true", "1", "on", "yes"), ("false", "0", "off", "no", "")


def checked(verb: Verb, told: dict[str, Any], *, own: frozenset[str]) -> dict[str, Any]:
    """Return the options among the fields of a request, each with a value of its kind; `own` are other fields."""
    found = {}
    for name, value in told.items():
        if name in own:
            continue
        if name not in verb.options:
            raise _unknown(verb, name, own)
        if value is not None:
            found[name] = value_of(verb.options[name], value)
    for option in verb.options.values():
        if option.required and option.name not in found:
            raise _wrong(f"The option {option.name!r} is missing.", why=f"It says: {option.help}.")
    return {name: value for name, value in found.items() if value is not False or verb.options[name].kind == "either"}


def arguments(verb: Verb, options: dict[str, Any]) -> list[str]:
    """Write checked options as arguments of the command line."""
    return [part for name, value in options.items() for part in verb.options[name].arguments(value)]


def value_of(option: Option, value: Any) -> Any:
    """Return a value in the kind that an option takes; fields of forms are all text.

    Examples
    --------
    >>> from tiebreak.web.verbs import verb_of
    >>> options = verb_of("order").options
    >>> value_of(options["alpha"], "0.1"), value_of(options["cost"], "train_time"), value_of(options["trade"], "1%")
    (0.1, ['train_time'], '1%')
    """
    if option.kind in ("switch", "either"):
        return _switch(option, value)
    if option.kind in ("number", "integer"):
        return _number(option, value)
    if option.kind == "texts":
        values = value if isinstance(value, list) else [value]
        if len(values) > MOST_TEXTS:
            raise _wrong(f"The option {option.name!r} has more than {MOST_TEXTS} values.")
        return [_text(option, each) for each in values]
    return _text(option, value)


def _switch(option: Option, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in (*_TRUE, *_FALSE):
        return value.lower() in _TRUE
    raise _wrong(f"The option {option.name!r} is neither true nor false.")


def _number(option: Option, value: Any) -> float | int:
    kind = "a whole number" if option.kind == "integer" else "a number"
    if isinstance(value, str) and len(value) < 40:
        try:
            value = int(value) if option.kind == "integer" else float(value)
        except ValueError:
            raise _wrong(f"The option {option.name!r} is {value!r}, not {kind}.") from None
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer() and math.isfinite(value))
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (option.kind == "integer" and not whole):
        raise _wrong(f"The option {option.name!r} is not {kind}.")
    if not abs(value) < 1e18:
        raise _wrong(f"The option {option.name!r} is too large, or no number at all.")
    return int(value) if option.kind == "integer" else value


def _text(option: Option, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _wrong(f"The option {option.name!r} is no text.")
    text = value if isinstance(value, str) else repr(value)
    if len(text) > LONGEST_TEXT:
        raise _wrong(f"The option {option.name!r} is longer than {LONGEST_TEXT} letters.")
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _wrong(f"The option {option.name!r} holds letters that are none.")
    if option.choices and text not in option.choices:
        raise _wrong(f"The option {option.name!r} is {text[:60]!r}.", mend=f"Use one of {', '.join(option.choices)}.")
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
    found = dict(shapes[option.kind])
    if option.choices:
        found = {"type": "string", "enum": list(option.choices)}
    elif option.words:
        found["examples"] = list(option.words)
    if option.default is not None and option.kind not in ("switch", "either"):
        found["default"] = option.default
    return found | {"description": option.help, "x-group": option.group, "x-flag": option.flag}


def _wrong(what: str, *, why: str = "", mend: str = "Mend it or leave it out.") -> Problem:
    return Problem(422, "option", what, why=why, mend=mend)


def _unknown(verb: Verb, name: str, own: frozenset[str]) -> Problem:
    known = sorted([*verb.options, *own])
    close = get_close_matches(name, known, n=1)
    guess = (
        f"Did you mean {close[0]!r}?"
        if close
        else "Its description names them all (/api/openapi.json, or the schema of the tool)."
    )
    return Problem(422, "unknown-field", f"There is no option {name[:60]!r} of {verb.name}.", mend=guess)
