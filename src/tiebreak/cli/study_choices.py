"""`tiebreak study choices`: choose on some data sets, judge on the others."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.cli.helping import COSTS, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.studies.choices import ChoiceStudy

SIMULATE = "what to simulate"
EXAMPLES = (
    "examples/ulas2012.csv --score accuracy --cost train_time --sizes 8,20 --repetitions 20",
    "--sizes 100 --repetitions 5 --json",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    group(parser, COSTS).add_argument("--cost", metavar="NAME", help="the cost; without one, costs are drawn")
    add = group(parser, SIMULATE).add_argument
    sizes = "data sets to choose on (default 8,12,20,42); without a table items (default 100,300,1000,10000)"
    add("--sizes", metavar="A,B,C", help=sizes)
    add("--repetitions", "--repeats", type=int, default=200, metavar="N", help="draws for each size (default 200)")
    parser.set_defaults(verb="study")


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> ChoiceStudy:
    """Read every table by itself, then choose and judge."""
    from tiebreak.studies import study_choices

    return study_choices(
        {_name(each): _read(arguments, each) for each in arguments.results} | _stored(arguments),
        score=arguments.score,
        cost=arguments.cost,
        sizes=_sizes(arguments.sizes),
        repetitions=arguments.repetitions,
        higher_is_better=options.direction(arguments),
        rng=arguments.seed,
        progress=progress,
    )


def _name(path: str) -> str:
    return path if ":" in path else Path(path).name.split(".")[0]


def _read(arguments: argparse.Namespace, path: str | None) -> Any:
    one = copy(arguments)
    one.results = [] if path is None else [path]
    scores = None if arguments.score is None else [arguments.score]
    return read_measures(one, scores, also=[arguments.cost] if arguments.cost else ())


def _stored(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"store": _read(arguments, None)} if arguments.store and not arguments.results else {}


def _sizes(text: str | None) -> list[int] | None:
    try:
        return None if text is None else [int(part) for part in text.split(",")]
    except ValueError:
        raise OptionError(
            f"--sizes {text!r} is no list of whole numbers.",
            why="It is how many data sets or items to choose on.",
            mend="Use --sizes 8,12,20.",
        ) from None
