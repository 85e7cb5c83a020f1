"""`tiebreak check`: which claims of a document its tables support."""

from __future__ import annotations

import argparse

from tiebreak.cli import options
from tiebreak.cli.helping import COMPARE, READ, WRITE, add_verb, group


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "check",
        help="which claims of a paper its tables support",
        description="Find every table of results in a document (LaTeX, Markdown, HTML, or a folder of them), say how"
        " each was read, and whether the method that is called best is significantly better than each rival.",
        takes="PAPER",
        parents=[options.common()],
        examples=["examples/paper.tex", "examples/paper.tex --claim svr --markdown -o check.md"],
    )
    _add_reading(group(verb, READ))
    _add_choices(group(verb, COMPARE))
    options.add_missing(verb, "compare")
    write = group(verb, WRITE)
    options.add_formats(verb)
    options.add_out(verb)
    write.add_argument(
        "--strict", action="store_true", help="exit with 1 unless there is a claim and all claims are supported"
    )
    verb.set_defaults(run=run)


def _add_reading(read: argparse._ActionsContainer) -> None:
    """Add what is read, and how its tables are to be understood."""
    read.add_argument(
        "paper",
        metavar="PAPER",
        help="a .tex, .md or .html file, any other with tables, a folder, or logs of evaluations",
    )
    read.add_argument("--score", metavar="NAME", help="the score, where neither a table nor its caption names it")
    read.add_argument("--higher-is-better", action="store_true", help="where nothing else tells")
    read.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    read.add_argument(
        "--direction",
        action="append",
        default=[],
        metavar="NAME=higher|lower",
        help="the same for one score by its name; may be repeated",
    )
    read.add_argument(
        "--transpose", action=argparse.BooleanOptionalAction, help="the rows of tables are algorithms, or are not"
    )
    read.add_argument("--keep-rows", action="store_true", help="keep rows that sum up others (average, rank, wins)")
    read.add_argument(
        "--decimal", metavar="MARK", help="the decimal mark, where numbers like 1,234 leave it open: . or ,"
    )
    read.add_argument("--names", metavar="RULE", help="names that differ by spaces or case alone: exact or merge")
    read.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=HEADER",
        help="which column plays which role, as for compare",
    )
    read.add_argument("--metric", metavar="NAME", help="of logs of evaluations: the metric to take")
    read.add_argument("--table", type=int, metavar="N", help="only this table of each file, by its number")


def _add_choices(part: argparse._ActionsContainer) -> None:
    """Add which part of the tables counts, and whose claims are judged."""
    part.add_argument("--datasets", metavar="A,B", help="only these data sets")
    part.add_argument("--algorithms", metavar="A,B", help="only these algorithms")
    part.add_argument(
        "--claim", action="append", metavar="NAME", help="judge this method instead of those in bold; may be repeated"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, print, and answer by the exit code where that was asked for."""
    from tiebreak.checking import check

    told = options.passed(
        arguments,
        "claim score alpha missing metric table transpose keep_rows decimal names",
        higher_is_better=options.direction(arguments),
        columns=options.roles(arguments.column),
        **options.picked(arguments),
    )
    found = check(arguments.paper, **told)
    options.stdout_utf8()
    options.emit(
        options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments), arguments.out
    )
    return 1 if arguments.strict and not found.supported else 0
