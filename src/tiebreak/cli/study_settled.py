"""`tiebreak study settled`: do runs that end early keep their error, and how much do they save?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.cli.helping import READ, TEST, group
from tiebreak.cli.reading import add_reading, reading
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.studies.settled_early import SettledEarly

SIMULATE = "what to simulate"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    read = group(parser, READ)
    files = "tables to replay, each by itself; default: published:ulas2012, of 38 data sets and 8 algorithms"
    read.add_argument("--results", nargs="+", default=[], metavar="FILE", help=files)
    read.add_argument("--score", metavar="NAME", help="the score to compare")
    read.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    read.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    read.add_argument("--column", action="append", default=[], metavar="ROLE=HEADER", help="such as dataset=task")
    rows = 'rows to keep, such as "imputed == False"'
    read.add_argument("--where", action="append", default=[], metavar="CONDITION", help=rows)
    add_reading(read)
    test = group(parser, TEST).add_argument
    test("--orders", type=int, default=20, metavar="N", help="random orders of each table (default 20)")
    test("--every", type=int, default=5, metavar="N", help="data sets between looks of alpha spending (default 5)")
    add = group(parser, SIMULATE).add_argument
    add("--datasets", type=int, default=30, metavar="N", help="data sets in a simulated table (default 30)")
    add("--algorithms", type=int, default=6, metavar="N", help="algorithms in a simulated table (default 6)")
    add("--repetitions", "--repeats", type=int, default=1000, metavar="N", help="simulated tables (default 1000)")
    noises = (
        "normal, skewed, heavy, tied, unequal, crowd or 0/1; may be given several times; default: normal, heavy, tied,"
        " unequal and 0/1"
    )
    add("--noise", action="append", metavar="NAME", help=noises)


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> SettledEarly:
    """Read, simulate, replay."""
    from tiebreak.studies import settled_early
    from tiebreak.studies.settled_early import USUAL_NOISES

    return settled_early(
        {Path(name).name: name for name in arguments.results} or None,
        score=arguments.score,
        orders=arguments.orders,
        every=arguments.every,
        n_datasets=arguments.datasets,
        n_algorithms=arguments.algorithms,
        repetitions=arguments.repetitions,
        noises=arguments.noise or USUAL_NOISES,
        alpha=arguments.alpha,
        rng=arguments.seed,
        progress=progress,
        **_how_to_read(arguments),
    )


def _how_to_read(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was said about reading files; without a file it is refused."""
    told = {**reading(arguments), "columns": options.roles(arguments.column), "where": arguments.where}
    told["higher_is_better"] = options.direction(arguments)
    given = {name: value for name, value in told.items() if value or (value is False and name == "higher_is_better")}
    if (given or arguments.score) and not arguments.results:
        raise OptionError(
            "It was said how to read a table, and none was named.",
            why="The published table that is replayed by default is known.",
            mend="Add --results results.csv.",
        )
    return given
