"""`tiebreak study replicability`: how often does each test reject, and would it decide alike on other data sets?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import COMPARE, TEST, WRITE, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.studies import Replicability

QUESTIONS = {"two": "two algorithms", "together": "all together", "pairs": "all pairs", "control": "control"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    both = "the algorithm that the draw favours, also the control, and another; default: the mean over all pairs"
    group(parser, COMPARE).add_argument("--pair", metavar="A,B", help=both)
    options.add_missing(parser, "study")
    test = group(parser, TEST).add_argument
    by = "the difference that draws go by: pair (default), or others: of A and the mean of all others"
    test("--by", default="pair", metavar="KIND", help=by)
    test("--bias", metavar="X,Y", help="values of the bias; default: 0,2,...,20, or 0,0.2,...,2 in deviations")
    unit = "of differences: share (of 1, as in the source), deviation, or auto (default): share where scores are shares"
    test("--unit", default="auto", metavar="UNIT", help=unit)
    test("--drawn", type=int, default=10, metavar="N", help="data sets in a draw (default 10)")
    test("--repeats", type=int, default=1000, metavar="N", help="draws at each bias (default 1000)")
    corrections = "corrections after tests of pairs; default: holm,shaffer,hochberg,hommel"
    test("--corrections", metavar="A,B", help=corrections)
    test("--jobs", type=int, metavar="N", help="pairs at a time; default: the cores; numbers do not depend on it")
    write = group(parser, WRITE)
    drawing.add_figure(parser, kinds="")
    write.add_argument(
        "--question", default="two", metavar="NAME", help="tests of the figure: two (default), together, pairs, control"
    )
    parser.set_defaults(verb="study")  # whose policies for gaps messages offer


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> Replicability:
    """Read, draw, test."""
    drawing.check_figure(arguments)
    from tiebreak.lab.engines.local import usable_cores
    from tiebreak.studies import replicability

    question = _question(arguments.question)
    told = options.passed(arguments, "by unit drawn repeats alpha missing")
    if arguments.corrections:
        told["corrections"] = options.names_of(arguments.corrections)
    found = replicability(
        read_or_published(arguments),
        score=arguments.score,
        pair=options.names_of(arguments.pair),
        biases=_numbers(arguments.bias),
        higher_is_better=options.direction(arguments),
        rng=arguments.seed,
        jobs=usable_cores() if arguments.jobs is None else arguments.jobs,
        progress=progress,
        **told,
    )
    if arguments.figure:
        drawing.save(found.figure(question=question), arguments)
    return found


def read_or_published(arguments: argparse.Namespace) -> Any:
    """Read what was named; None where nothing was, which stands for the published table."""
    if arguments.results or arguments.store:
        return read_measures(arguments, None if arguments.score is None else [arguments.score])
    said = [
        name for name in ("datasets", "algorithms", "where", "column") if getattr(arguments, name) not in (None, [])
    ]
    if said in ([], ["algorithms"], ["datasets"], ["datasets", "algorithms"]):
        if not said:
            return None
        from tiebreak.reading import published

        return published.ulas2012().only(**options.picked(arguments))
    raise OptionError(
        f"--{said[-1]} was given, and no table was named.",
        why="The published table that is taken by default is known.",
        mend="Name a table, such as results.csv, or --store results.db.",
    )


def _question(name: str) -> str:
    if name not in QUESTIONS:
        raise OptionError(
            f"--question {name!r} is unknown.",
            why="It says of which tests the figure is.",
            mend=f"Use one of {', '.join(QUESTIONS)}.",
        )
    return QUESTIONS[name]


def _numbers(text: str | None) -> list[float] | None:
    try:
        return None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        raise OptionError(
            f"--bias {text!r} is no list of numbers.", why="It names the values to try.", mend="Use --bias 0,5,10."
        ) from None
