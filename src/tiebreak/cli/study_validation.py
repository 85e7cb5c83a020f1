"""`tiebreak study validation`: does an order found on validation folds come out again on held-out data?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import COMPARE, READ, TEST, WRITE, group
from tiebreak.errors import OptionError
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.studies import ValidationStudy

EXAMPLES = (
    "examples/held_out.csv --fold-tests 5x2cv-f",
    "examples/held_out.csv --fold-tests 5x2cv-f --inner-adjust none --cost train_time --figure moved.svg --json",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    read, part, test = group(parser, READ), group(parser, COMPARE), group(parser, TEST)
    source = "a store, or a table with a score on the validation folds and on the held-out part, fold by fold"
    read.add_argument("results", nargs="?", metavar="RESULTS", help=source)
    read.add_argument("--score", default="accuracy", metavar="NAME", help="on the validation folds (default accuracy)")
    read.add_argument("--held-out", metavar="NAME", help="on the held-out part (default: the same with test_ before)")
    read.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    read.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    costs = "several times for several; default: train_time, and space, model_bytes or predict_time"
    read.add_argument("--cost", action="append", metavar="NAME", help=costs)
    read.add_argument("--resampling", metavar="TEXT", help="which resampling of a store that holds several")
    read.add_argument("--run-seed", type=int, metavar="N", help="the runs with this seed, where a store holds several")
    part.add_argument("--datasets", metavar="A,B", help="only these data sets")
    part.add_argument("--algorithms", metavar="A,B", help="only these algorithms")
    gaps = "what is left out where a score is missing: drop-datasets (default), drop-algorithms or drop-folds"
    part.add_argument("--missing", default="drop-datasets", metavar="POLICY", help=gaps)
    tests = "tests of MultiTest, such as 5x2cv-f,corrected-t; default: all that the folds allow"
    test.add_argument("--fold-tests", metavar="A,B", help=tests)
    adjusts = f"corrections inside a data set: {choices_text('correction', verb='order')}; default none,bergmann-hommel"
    test.add_argument("--inner-adjust", metavar="A,B", help=adjusts)
    drawing.add_figure(parser, kinds="ways (usual) or algorithms")
    label = 'the way of the figure algorithms, such as "mean score" or "MultiTest, 5x2cv-f, uncorrected; train_time"'
    group(parser, WRITE).add_argument("--way", metavar="TEXT", help=label)


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> ValidationStudy:
    """Read, order on both parts, draw."""
    drawing.check_figure(arguments)
    from tiebreak.studies import validation_study

    results, reading = _source(arguments)
    found = validation_study(
        results,
        score=arguments.score,
        held_out=arguments.held_out,
        costs=arguments.cost,
        tests=options.names_of(arguments.fold_tests),
        inner_adjust=options.names_of(arguments.inner_adjust),
        missing=arguments.missing,
        alpha=arguments.alpha,
        seed=arguments.seed,
        higher_is_better=options.direction(arguments),
        progress=progress,
        **reading,
    )
    if arguments.figure:
        told = {"way": arguments.way} if arguments.figure_kind == "algorithms" else {}
        drawing.save(found.figure(arguments.figure_kind, **told), arguments)
    return found


def _source(arguments: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """Options that only a store takes are passed to its reader; without them anything that holds results is read."""
    if not arguments.results:
        raise OptionError(
            "No store and no table was named.",
            why="The study compares scores of runs on two parts of the data.",
            mend="Give a store that `tiebreak run` filled, such as results.db.",
        )
    if arguments.way and arguments.figure_kind != "algorithms":
        raise OptionError(
            f"--way {arguments.way!r} was given without --figure-kind algorithms.",
            why="That figure alone is about one way of ordering.",
            mend="Add --figure moved.svg --figure-kind algorithms.",
        )
    chosen: dict[str, Any] = {name: options.names_of(getattr(arguments, name)) for name in ("datasets", "algorithms")}
    if arguments.resampling is None and arguments.run_seed is None:
        return arguments.results, chosen
    from tiebreak.reading import read_store

    return read_store(arguments.results, resampling=arguments.resampling, seed=arguments.run_seed, **chosen), {}
