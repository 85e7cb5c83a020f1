"""Fields of forms, made from the options of the command line's verbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tiebreak.web.pages.labels import label_of
from tiebreak.web.verbs import Option, Verb, verb_of

_OPEN = ("LENGTH", "SCHEME", "TEXT", "TIME")
"""What stands for values that are free although some are known: these are offered, not asked for."""
_RARELY = "rarely needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a form: the option that it sets, how it is entered, and its words.

    `entry` is "check", "either" (said, denied or left open), "select", "lines" (several values), "number" or "text".
    """

    option: Option
    id: str
    entry: str
    label: str
    hint: str

    @property
    def words(self) -> tuple[str, ...]:
        """Known values."""
        return self.option.choices or self.option.words

    @property
    def usual(self) -> str:
        """What holds where nothing is entered."""
        return "" if self.option.default in (None, False, "") else str(self.option.default)


def fields_of(verb: str, *, without: tuple[str, ...] = ()) -> dict[str, list[Field]]:
    """Return the fields of a verb under the headings of its help; those that a page shows itself are left out.

    Examples
    --------
    >>> found = fields_of("order", without=("score",))
    >>> sorted(found)
    ['how cost counts', 'how to test', 'what to compare', 'what to read', 'what to write']
    >>> [(each.id, each.entry) for each in found["how cost counts"]][:3]
    [('order-trade', 'text'), ('order-accd', 'number'), ('order-rule', 'select')]
    """
    found: dict[str, list[Field]] = {}
    for each in verb_of(verb).options.values():
        if each.name not in without:
            found.setdefault(each.group, []).append(field_of(verb, each))
    return found


def field_of(verb: str, option: Option) -> Field:
    """Make the field of one option."""
    return Field(
        option=option,
        id=f"{verb}-{option.name}",
        entry=_entry(option),
        label=label_of(option.name),
        hint=option.help,
    )


def _entry(option: Option) -> str:
    if option.kind in ("switch", "either"):
        return "check" if option.kind == "switch" else "either"
    if option.kind == "texts":
        return "lines"
    if option.choices or (option.words and option.metavar not in _OPEN):
        return "select"
    return "number" if option.kind in ("number", "integer") else "text"


def names_of(*verbs: str) -> dict[str, list[str]]:
    """Return the options that each verb takes, for scripts: what is not among them is not sent."""
    return {name: list(verb_of(name).options) for name in verbs}


def kinds_of(*verbs: str) -> dict[str, dict[str, Any]]:
    """Return what scripts must know of options, by verb: how each is sent."""
    return {name: _kinds(verb_of(name)) for name in verbs}


def _kinds(verb: Verb) -> dict[str, str]:
    return {each.name: each.kind for each in verb.options.values()}
