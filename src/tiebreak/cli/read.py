"""`tiebreak read`: how a file is understood, and the same table as clean csv or parquet."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.cli import options
from tiebreak.cli.helping import WRITE, add_verb, group
from tiebreak.cli.reading import reading
from tiebreak.errors import OptionError
from tiebreak.wording import shell

if TYPE_CHECKING:
    from tiebreak.reading.explaining import Reading


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "read",
        help="how a file is understood; writes it as clean csv or parquet",
        description="Show how a file is understood: its first rows, what names what, gaps, failures, what is left out"
        " and why, and the options that change it.",
        takes="FILE",
        parents=[options.table()],
        examples=["examples/demsar2006.csv --score auc", "examples/ulas2012.csv -o clean.csv --json"],
    )
    write = group(verb, WRITE)
    write.add_argument("-o", "--out", metavar="FILE", help="write the table there: .csv or .parquet")
    write.add_argument(
        "--long", action="store_true", help="with -o: one row per run, also where one row per data set would do"
    )
    options.add_formats(verb)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read one file, say how, and write it."""
    from tiebreak.reading.explaining import explain, write

    if arguments.store or len(arguments.results) != 1:
        raise OptionError(
            "A store was named." if arguments.store else f"{len(arguments.results)} files were named.",
            why="How it is understood is shown for one file.",
            mend=f"Name one file: tiebreak read {shell((arguments.results or ['results.csv'])[0])}.",
        )
    how = {**reading(arguments), **options.picked(arguments), "where": arguments.where}
    found: Reading = explain(
        arguments.results[0],
        scores=arguments.score,
        columns=options.told_roles(arguments),
        higher_is_better=options.direction(arguments),
        **how,
    )
    if arguments.out:
        write(found.results, Path(arguments.out), long=arguments.long)
    options.stdout_utf8()
    if arguments.json:
        print(options.as_json(found.to_dict()))
    else:
        print(options.written(found, arguments))
        if arguments.out:
            print(f"\nWritten to {arguments.out}.")
