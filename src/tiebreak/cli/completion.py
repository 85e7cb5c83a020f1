"""`tiebreak completion`: a script that lets a shell complete verbs, options, their choices and file names.

Everything is taken from the records when the script is printed, so that pressing a key starts no Python.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from tiebreak.cli import shells
from tiebreak.cli.answering import Answer
from tiebreak.cli.parsing import help_of, words_of
from tiebreak.cli.shells import Command, Option
from tiebreak.verbs import Option as Recorded, Verb, every_verb


def completion(values: Namespace) -> Answer:
    """Print the script of a shell."""
    return Answer(text=shells.WRITERS[values.shell](list(commands())))


def commands() -> Iterator[Command]:
    """Gather what every verb, and every study, takes."""
    return map(_command, every_verb())


def _command(verb: Verb) -> Command:
    """Take a record apart; help is offered, too."""
    places = [each for each in verb.options if not each.flag and each.cli]
    helps = [Option(flags=("--help",), text="show the common options"), Option(flags=("--help-all",), text="show all")]
    return Command(
        name=verb.name,
        text=verb.help,
        words=tuple(word for each in places for word in words_of(each)),
        files=any(each.kind in ("file", "files") for each in places),
        options=(*map(_option, verb.flags), *helps),
    )


def _option(each: Recorded) -> Option:
    flags = (each.flag, f"--no-{each.flag[2:]}") if each.kind == "either" else (each.flag,)
    return Option(
        flags=(*([each.short] if each.short else []), *flags),
        text=help_of(each).replace("%%", "%"),
        takes=each.kind not in ("switch", "either"),
        words=words_of(each),
        files=each.kind in ("file", "files", "out"),
        folders=each.kind == "folder",
    )
