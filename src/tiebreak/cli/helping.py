"""Help that can be read: options in groups by what they are for, a short line of usage, and examples at the end."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from typing import Any

READ, COMPARE, TEST, COSTS, WRITE = (
    "what to read",
    "what to compare",
    "how to test",
    "how cost counts",
    "what to write",
)
"""The titles of the groups that verbs share, in the order in which help shows them."""

_EXAMPLES = "examples:"


class Help(argparse.HelpFormatter):
    """Wraps texts as usual, but breaks neither examples nor names with hyphens, so that both can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not text.startswith(_EXAMPLES):
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in text.splitlines())


def group(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of that title, made where there is none: a verb and what it shares fill the same groups."""
    found = next((each for each in parser._action_groups if each.title == title), None)
    return parser.add_argument_group(title) if found is None else found


def titled(titles: Sequence[str] = (READ, COMPARE, TEST, COSTS, WRITE)) -> argparse.ArgumentParser:
    """Return a parser to inherit from, with groups in this order; those that stay empty are not shown."""
    parent = argparse.ArgumentParser(add_help=False)
    for title in titles:
        parent.add_argument_group(title)
    return parent


def add_verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    *,
    help: str,
    description: str,
    examples: Sequence[str],
    takes: str = "",
    parents: Sequence[argparse.ArgumentParser] = (),
    titles: Sequence[str] = (READ, COMPARE, TEST, COSTS, WRITE),
) -> argparse.ArgumentParser:
    """Add a verb; `takes` names what stands beside its options, `examples` are commands without the program."""
    verb = verbs.add_parser(
        name, help=help, parents=[titled(titles), *parents], **_texts(name, takes, description, examples)
    )
    _add_help(verb)
    return verb


def parser_of(
    name: str,
    *,
    description: str,
    examples: Sequence[str],
    parents: Sequence[argparse.ArgumentParser] = (),
    titles: Sequence[str] = (READ, COMPARE, TEST, COSTS, WRITE),
    takes: str = "",
) -> argparse.ArgumentParser:
    """Make the parser of what a verb calls by name and that has options of its own, with the same kind of help."""
    found = argparse.ArgumentParser(
        prog=f"tiebreak {name}", parents=[titled(titles), *parents], **_texts(name, takes, description, examples)
    )
    _add_help(found)
    return found


def examples_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the commands that the help of a verb ends with."""
    return [line.strip() for line in (parser.epilog or "").removeprefix(_EXAMPLES).splitlines() if line.strip()]


def _texts(name: str, takes: str, description: str, examples: Sequence[str]) -> dict[str, Any]:
    """Write the fixed texts; a usage with thirty options in it would hide what the verb takes."""
    lines = [_EXAMPLES, *(f"  tiebreak {name} {each}".rstrip() for each in examples)]
    return {
        "usage": " ".join(part for part in ("tiebreak", name, takes, "[options]") if part),
        "description": description,
        "epilog": "\n".join(lines),
        "formatter_class": Help,
        "add_help": False,
    }


def _add_help(parser: argparse.ArgumentParser) -> None:
    """Whoever reads the help has found -h: it needs no group of its own."""
    parser.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
