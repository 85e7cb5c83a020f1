"""The options of the command line's verbs, as the API takes them: read from the parser, so that nothing is said twice.

Options that name a file or an address are not among them. What is offered is said here, by what stands for the value
in the help; an option that says anything else is not offered until it is looked at.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tiebreak.cli import parser
from tiebreak.cli.completion import words_of

OFFERED = frozenset(
    """
    X N A,B A,B,C NAME TEXT CLASS ROLE=HEADER NAME=higher|lower WIDTH SHARE W1,W2 K S DATASET ALGORITHM HEADER
    MEASURE=HEADER MEASURE=W CONDITION TIME PT MARK RULE WAY TEST KIND POLICY YEAR WHO LENGTH THEME CORRECTION SCHEME
    STATUS LABEL=MEANING MODEL KINDS DATE
    """.split()
)
"""What stands in help for a value that is plain text and names no place."""
SLOTS = ("costs", "prices", "groups", "results", "meta", "origins", "since")
"""Options that name a file to read, by their destination: in the API they take an upload."""
_WRITTEN = ("json", "markdown", "latex", "out", "help", "shipped", "store", "base", "calibrate", "compact", "long")
"""What the API says in its own way, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: its name in JSON, its flags, what it takes, and its words in the help.

    `kind` is "switch", "either" (a switch with a --no- form), "number", "integer", "text" or "texts".
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
    """Read a verb from the parser of the command line.

    Examples
    --------
    >>> verb_of("compare").options["alpha"].kind, "out" in verb_of("compare").options, verb_of("order").slots
    ('number', False, {'prices': '--prices', 'groups': '--groups', 'costs': '--costs'})
    """
    own = parser_of_verb(name)
    held = {each.dest: group.title or "" for group in own._action_groups for each in group._group_actions}
    found = [_option(name, each, held.get(each.dest, "")) for each in own._actions if _offered(each)]
    slots = {each.dest: each.option_strings[-1] for each in own._actions if each.option_strings and each.dest in SLOTS}
    return Verb(name=name, text=own.description or "", options={each.name: each for each in found if each}, slots=slots)


def parser_of_verb(name: str) -> argparse.ArgumentParser:
    """Return the parser of one verb."""
    verbs = next(each for each in parser(name)._actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = verbs.choices[name]
    return found


def _offered(action: argparse.Action) -> bool:
    if not action.option_strings or action.dest in (*_WRITTEN, *SLOTS, "figure", "html", "progress"):
        return False
    return action.nargs == 0 or action.metavar in OFFERED


def _option(verb: str, action: argparse.Action, group: str) -> Option:
    flag = next(each for each in action.option_strings if each.startswith("--"))
    return Option(
        name=flag[2:].replace("-", "_"),
        flag=flag,
        kind=_kind(action),
        help=" ".join((action.help or "").replace("%%", "%").split()),
        group=group,
        metavar=str(action.metavar or ""),
        words=words_of(verb, action) if action.nargs != 0 else (),
        choices=tuple(map(str, action.choices or ())),
        required=action.required,
        default=action.default if isinstance(action.default, (str, int, float)) else None,
    )


def _kind(action: argparse.Action) -> str:
    if isinstance(action, argparse.BooleanOptionalAction):
        return "either"
    if action.nargs == 0:
        return "switch"
    if isinstance(action, argparse._AppendAction):
        return "texts"
    if action.type is float:
        return "number"
    return "integer" if action.type is int else "text"


def without_fits(arguments: argparse.Namespace) -> None:
    """Leave the pilot of a recommendation out: a page is answered at once, and fits nothing."""
    if hasattr(arguments, "pilot"):
        arguments.pilot = "0"
