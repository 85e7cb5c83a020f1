"""`tiebreak paper`: how to do here what a paper does, and what came out."""

from __future__ import annotations

import argparse

from tiebreak.cli import options
from tiebreak.cli.helping import READ, WRITE, add_verb, group


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "paper",
        help="a paper's tables and figures beside ours, each with its command",
        description="Show each table, figure, formula and claim of a paper, the command that does it here, and whether"
        " the printed value comes out. Without a name: list the papers.",
        takes="[NAME]",
        parents=[options.common()],
        examples=["ulas2012", "demsar2006 --full"],
    )
    group(verb, READ).add_argument(
        "name", nargs="?", metavar="NAME", help="ulas2012, ulas2008, demsar2006, yildiz2014 or brazdil2003"
    )
    group(verb, WRITE).add_argument(
        "--full", action="store_true", help="every record: printed, ours, verdict, reason, command"
    )
    options.add_formats(verb)
    options.add_out(verb)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Look the paper up and print it."""
    from tiebreak.studies import paper
    from tiebreak.studies.papers import PaperLedger

    found = paper(arguments.name)
    options.stdout_utf8()
    if arguments.json:
        text = options.as_json(found.to_dict())
    elif arguments.full and not (arguments.markdown or arguments.latex) and isinstance(found, PaperLedger):
        text = found.full()
    else:
        text = options.written(found, arguments)
    options.emit(text, arguments.out)
