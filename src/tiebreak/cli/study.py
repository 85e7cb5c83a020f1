"""`tiebreak study`: simulations that show what the procedures are worth."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tiebreak.cli import options
from tiebreak.errors import unknown_name

if TYPE_CHECKING:
    from tiebreak.studies import ErrorRates

STUDIES = {"error-rates": "family-wise error and power of every procedure, simulated"}


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "study",
        help="simulations: how often a procedure errs, and how much it finds",
        description="Run a study. " + " ".join(f"{name}: {what}." for name, what in STUDIES.items()),
        parents=[options.common()],
    )
    verb.add_argument("name", metavar="NAME", nargs="?", default="", help="which study: " + ", ".join(STUDIES))
    verb.add_argument("--datasets", type=int, default=30, metavar="N", help="data sets in a table (default 30)")
    verb.add_argument("--algorithms", type=int, default=6, metavar="N", help="algorithms in a table (default 6)")
    verb.add_argument("--repetitions", type=int, default=2000, metavar="N", help="simulated tables (default 2000)")
    verb.add_argument(
        "--noise",
        action="append",
        metavar="NAME",
        help="normal, skewed, heavy, tied or unequal; may be given several times; default: all",
    )
    options.add_formats(verb)
    verb.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Simulate and print; on a terminal say on standard error what is being done."""
    if arguments.name not in STUDIES:
        raise unknown_name("study", arguments.name, STUDIES)
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
    options.emit(_written(found, arguments), arguments.out)


def _written(found: ErrorRates, arguments: argparse.Namespace) -> str:
    if arguments.json:
        return options.as_json(found.to_dict())
    if arguments.markdown:
        return found.to_markdown()
    return found.to_latex() if arguments.latex else str(found)


def _say(text: str) -> None:
    print(f"simulating: {text}", file=sys.stderr)
