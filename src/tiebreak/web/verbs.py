"""The options of the verbs as the API takes them, from their records.

Options that name a file to write, or an address, are not among them; one that names a file to read takes an upload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tiebreak.cli.parsing import help_of, words_of
from tiebreak.verbs import Option as Recorded, verb_of as record_of

_KINDS = {"names": "text"}
_WRITTEN = ("out", "folder", "file", "files")
"""Kinds of options that are no fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: its name in JSON, its flag, what it takes, and its words in the help.

    `kind` is "switch", "either" (a switch with a --no- form), "number", "integer", "text" or "texts"; `cli` says
    whether the command line has it as an option, `argument` under which keyword the Python function takes it.
    """

    name: str
    flag: str
    kind: str
    help: str
    group: str
    metavar: str
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    required: bool = False
    default: Any = None
    cli: bool = True
    argument: str = ""

    def arguments(self, value: Any) -> list[str]:
        """Write a checked value as arguments; the sign of equality keeps a value that begins with a dash a value."""
        if self.kind == "switch":
            return [self.flag] if value else []
        if self.kind == "either":
            return [self.flag if value else f"--no-{self.flag[2:]}"]
        values = value if isinstance(value, list) else [value]
        return [f"{self.flag}={each}" for each in values]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb with the options that the API offers, and the files that it can take beside its first."""

    name: str
    text: str
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
    options = [_option(each) for each in record.options if each.web and each.flag and each.kind not in _WRITTEN]
    slots = {each.key: each.flag for each in record.options if each.web and each.flag and each.kind in _WRITTEN[2:]}
    return Verb(name=name, text=record.description, options={each.name: each for each in options}, slots=slots)


def _option(each: Recorded) -> Option:
    known = words_of(each)
    return Option(
        name=each.key,
        flag=each.flag,
        kind=_KINDS.get(each.kind, each.kind),
        help=help_of(each).replace("%%", "%"),
        group=each.group,
        metavar=each.metavar,
        words=() if each.strict else known,
        choices=known if each.strict else (),
        required=each.required,
        default=each.default if isinstance(each.default, (str, int, float)) else None,
        cli=each.cli,
        argument=each.name if each.argument else "",
    )
