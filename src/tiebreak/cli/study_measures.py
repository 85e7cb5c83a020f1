"""`tiebreak study measures`: do several measures at once find more than a single one?"""

from __future__ import annotations

import argparse

from tiebreak.cli import options
from tiebreak.cli.run import Meter


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="REFERENCE",
        help="data sets as in a plan; default: real built-in ones",
    )
    parser.add_argument("--algorithm", action="append", default=[], metavar="NAME", help="default: eight quick ones")
    parser.add_argument("--resampling", default="5x10cv", metavar="TEXT", help="default 5x10cv")
    parser.add_argument("--store", metavar="URL", help="keep the runs there, and use what it holds")
    parser.add_argument("--jobs", type=int, metavar="N", help="cells at a time; default: the cores")
    options.add_formats(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")


def run(arguments: argparse.Namespace) -> None:
    """Run the learners, count, print."""
    from tiebreak.studies import measure_study
    from tiebreak.studies.single_several import LEARNERS

    meter = Meter()
    found = measure_study(
        data=arguments.data,
        algorithms=arguments.algorithm or LEARNERS,
        resampling=arguments.resampling,
        store=arguments.store,
        alpha=arguments.alpha,
        seed=arguments.seed,
        jobs=arguments.jobs,
        progress=meter,
    )
    meter.end()
    options.stdout_utf8()
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    options.emit(text, arguments.out)
