"""`tiebreak study error-rates`: how often every procedure errs, and how much it finds."""

from __future__ import annotations

import argparse
import sys

from tiebreak.cli import options


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    parser.add_argument("--datasets", type=int, default=30, metavar="N", help="data sets in a table (default 30)")
    parser.add_argument("--algorithms", type=int, default=6, metavar="N", help="algorithms in a table (default 6)")
    parser.add_argument("--repetitions", type=int, default=2000, metavar="N", help="simulated tables (default 2000)")
    parser.add_argument(
        "--noise",
        action="append",
        metavar="NAME",
        help="normal, skewed, heavy, tied or unequal; may be given several times; default: all",
    )
    options.add_formats(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")


def run(arguments: argparse.Namespace) -> None:
    """Simulate and print; on a terminal say on standard error what is being done."""
    from tiebreak.studies import error_rates

    found = error_rates(
        n_datasets=arguments.datasets,
        n_algorithms=arguments.algorithms,
        repetitions=arguments.repetitions,
        alpha=arguments.alpha,
        noises=arguments.noise,
        rng=arguments.seed,
        progress=_say if sys.stderr.isatty() else None,
    )
    options.stdout_utf8()
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    options.emit(text, arguments.out)


def _say(text: str) -> None:
    print(f"simulating: {text}", file=sys.stderr)
