"""`tiebreak study`: simulations and evaluations that show what the procedures are worth; each has its own options."""

from __future__ import annotations

import argparse
from importlib import import_module

from tiebreak.cli import options
from tiebreak.errors import unknown_name

STUDIES = {
    "error-rates": ("study_error_rates", "family-wise error and power of every procedure, simulated"),
    "measures": ("study_measures", "do several measures at once find more than a single one?"),
    "advisor": ("study_advisor", "are rankings recommended from similar data sets worth following?"),
}
"""The module of each study (with `add_options` and `run`) and what it answers."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "study",
        help="simulations and evaluations: what the procedures are worth",
        description="Run a study. "
        + " ".join(f"{name}: {what.rstrip('.?')}." for name, (_, what) in STUDIES.items())
        + " For its options: tiebreak study NAME --help.",
    )
    verb.add_argument("name", metavar="NAME", nargs="?", default="", help="which study: " + ", ".join(STUDIES))
    verb.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="the options of that study")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read the options of the study that was named, and run it."""
    if arguments.name not in STUDIES:
        raise unknown_name("study", arguments.name, STUDIES)
    home, what = STUDIES[arguments.name]
    module = import_module(f"tiebreak.cli.{home}")
    parser = argparse.ArgumentParser(
        prog=f"tiebreak study {arguments.name}", description=what[0].upper() + what[1:], parents=[options.common()]
    )
    module.add_options(parser)
    module.run(parser.parse_args(arguments.rest))
