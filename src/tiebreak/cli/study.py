"""`tiebreak study`: simulations and evaluations that show what the procedures are worth; each has its own options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tiebreak.cli import (
    options,
    study_advice,
    study_advisor,
    study_choices,
    study_orders,
    study_replicability,
    study_settled,
    study_ulas2012,
    study_validation,
    study_wins,
)
from tiebreak.cli.helping import COMPARE, COSTS, READ, TEST, WRITE, add_verb, group, parser_of
from tiebreak.cli.run_progress import Meter
from tiebreak.cli.study_folder import is_folder, write_folder
from tiebreak.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from tiebreak.studies import AdvisorStudy, ErrorRates, OrderShares, Replicability, ValidationStudy
    from tiebreak.studies.advice_study import AdviceStudy
    from tiebreak.studies.choices import ChoiceStudy
    from tiebreak.studies.settled_early import SettledEarly
    from tiebreak.studies.single_several import SingleSeveral

WHICH, SIMULATE = "which study", "what to simulate"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "study",
        help="simulations and evaluations: what the procedures are worth",
        description="Run a study. "
        + " ".join(f"{name}: {what.rstrip('.?')}." for name, (what, _, _) in STUDIES.items())
        + " For its options: tiebreak study NAME --help.",
        takes="NAME",
        titles=(WHICH,),
        examples=[
            "error-rates --algorithms 3 --repetitions 5 --noise normal",
            "advisor --measures n_examples,n_classes",
        ],
    )
    which = group(verb, WHICH)
    which.add_argument("name", metavar="NAME", nargs="?", default="", help="which study: " + ", ".join(STUDIES))
    which.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="the options of that study")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read the options of the study that was named, run it, and print what it found."""
    if arguments.name not in STUDIES:
        raise unknown_name("study", arguments.name, STUDIES, limit=len(STUDIES))
    asked = parser_of_study(arguments.name).parse_args(arguments.rest)
    if asked.seed < 0:
        raise OptionError(
            f"--seed is {asked.seed}.", why="Random numbers are drawn from a seed of 0 or more.", mend="Use --seed 0."
        )
    found: Any = STUDIES[arguments.name][2](asked)
    options.stdout_utf8()
    if is_folder(asked.out):
        write_folder(found, found.to_dict(), arguments.name, asked.out)
        return
    options.emit(options.as_json(found.to_dict()) if asked.json else options.written(found, asked), asked.out)


def parser_of_study(name: str) -> argparse.ArgumentParser:
    """Build the parser of one study."""
    what, add_options, _ = STUDIES[name]
    parser = parser_of(
        f"study {name}",
        description=f"{what[0].upper()}{what[1:]}",
        titles=(READ, COMPARE, SIMULATE, TEST, COSTS, WRITE),
        parents=[*([options.table()] if name in OF_TABLES else []), options.common()],
        examples=EXAMPLES[name],
        takes="[RESULTS ...]" if name in OF_TABLES else "",
    )
    add_options(parser)
    options.add_formats(parser)
    into = "write there instead of to standard output; into FOLDER/ everything: text, Markdown, JSON, CSV, figures"
    group(parser, WRITE).add_argument("-o", "--out", metavar="FILE", help=into)
    return parser


def _said(what: str) -> Callable[[str], None] | None:
    """Return what tells the steps on standard error, where a terminal is."""
    return (lambda text: print(f"{what}: {text}", file=sys.stderr)) if sys.stderr.isatty() else None


def _add_error_rates(parser: argparse.ArgumentParser) -> None:
    add = group(parser, SIMULATE).add_argument
    add("--datasets", type=int, default=30, metavar="N", help="data sets in a table (default 30)")
    add("--algorithms", type=int, default=6, metavar="N", help="algorithms in a table (default 6)")
    add("--repetitions", "--repeats", type=int, default=2000, metavar="N", help="simulated tables (default 2000)")
    noises = "normal, skewed, heavy, tied, unequal, crowd or 0/1; may be given several times; default: all"
    add("--noise", action="append", metavar="NAME", help=noises)


def _error_rates(arguments: argparse.Namespace) -> ErrorRates:
    from tiebreak.studies import error_rates

    return error_rates(
        n_datasets=arguments.datasets,
        n_algorithms=arguments.algorithms,
        repetitions=arguments.repetitions,
        alpha=arguments.alpha,
        noises=arguments.noise,
        rng=arguments.seed,
        progress=_said("simulating"),
    )


def _add_measures(parser: argparse.ArgumentParser) -> None:
    add = group(parser, COMPARE).add_argument
    given = "data sets as in a plan; default: real built-in ones"
    add("--data", action="append", default=[], metavar="REFERENCE", help=given)
    add("--algorithm", action="append", default=[], metavar="NAME", help="default: eight quick ones")
    add("--resampling", default="5x10cv", metavar="TEXT", help="default 5x10cv")
    tests = "corrected, replications or independent; may be given several times; default: the first two"
    group(parser, TEST).add_argument("--tests", action="append", default=[], metavar="KIND", help=tests)
    group(parser, WRITE).add_argument("--store", metavar="URL", help="keep the runs there, and use what it holds")
    add("--jobs", type=int, metavar="N", help="cells at a time; default: the cores")


def _measures(arguments: argparse.Namespace) -> SingleSeveral:
    """The study itself imports no printing: the meter is handed in and ended here."""
    from tiebreak.studies import measure_study
    from tiebreak.studies.single_several import LEARNERS, USUAL

    meter = Meter()
    plain = ("data", "resampling", "store", "alpha", "seed", "jobs")
    chosen = {name: getattr(arguments, name) for name in plain} | {"tests": arguments.tests or USUAL}
    found = measure_study(algorithms=arguments.algorithm or LEARNERS, progress=meter, **chosen)
    meter.end()
    return found


def _advisor(arguments: argparse.Namespace) -> AdvisorStudy:
    return study_advisor.study(arguments, _said("evaluating"))


def _advice(arguments: argparse.Namespace) -> AdviceStudy:
    return study_advice.study(arguments, _said("leaving out"))


def _choices(arguments: argparse.Namespace) -> ChoiceStudy:
    return study_choices.study(arguments, _said("choosing"))


def _settled(arguments: argparse.Namespace) -> SettledEarly:
    return study_settled.study(arguments, _said("replaying"))


def _orders(arguments: argparse.Namespace) -> OrderShares:
    return study_orders.study(arguments, _said("ordering"))


def _validation(arguments: argparse.Namespace) -> ValidationStudy:
    return study_validation.study(arguments, _said("ordering"))


def _replicability(arguments: argparse.Namespace) -> Replicability:
    return study_replicability.study(arguments, _said("drawn"))


STUDIES = {
    "error-rates": ("family-wise error and power of every procedure, simulated", _add_error_rates, _error_rates),
    "measures": ("do several measures at once find more than a single one?", _add_measures, _measures),
    "advisor": (
        "are rankings recommended from similar data sets worth following?",
        study_advisor.add_options,
        _advisor,
    ),
    "advice": (
        "what does following advice cost on data left out, beside simpler ways?",
        study_advice.add_options,
        _advice,
    ),
    "settled": (
        "do runs that end early keep their error, and how much do they save?",
        study_settled.add_options,
        _settled,
    ),
    "orders": ("which orders are found as true errors move apart?", study_orders.add_options, _orders),
    "choices": (
        "what does a choice lose on other data, and is that stated rightly?",
        study_choices.add_options,
        _choices,
    ),
    "validation": (
        "do orders found on validation folds come out again on held-out data?",
        study_validation.add_options,
        _validation,
    ),
    "ulas2012": (
        "does the published experiment come out again?",
        study_ulas2012.add_options,
        study_ulas2012.study,
    ),
    "wins": (
        "who beats whom on how many data sets, by averages and significantly, and is that more than chance?",
        study_wins.add_options,
        study_wins.study,
    ),
    "replicability": (
        "how often does each test reject, and would it decide alike on other data sets?",
        study_replicability.add_options,
        _replicability,
    ),
}
"""What each study answers, what adds its options, and what runs it."""

OF_TABLES = ("choices", "replicability", "wins")
"""Studies of any table of results, which take the options that say how to read one."""

EXAMPLES = {
    "error-rates": (
        "--algorithms 3 --repetitions 5 --noise normal",
        "--datasets 12 --algorithms 3 --repetitions 5 --noise tied --markdown",
    ),
    "measures": (
        "--data builtin:breast_cancer --algorithm lda --algorithm nb --resampling 2x5cv",
        "--data builtin:breast_cancer --algorithm lda --algorithm nb --resampling 5x2cv --json",
    ),
    "settled": (
        "--repetitions 5 --orders 2 --noise normal",
        "--results examples/demsar2006.csv --score auc --repetitions 5 --orders 2 --noise tied --json",
    ),
    "orders": (
        "--repeats 100 --steps 5 --figure orders.svg",
        "--repeats 100 --steps 5 --inner-adjust none --posthoc nemenyi --json",
    ),
    "advisor": ("--measures n_examples,n_classes", "--methods arr,wins --neighbours 3 --figure top.svg"),
    "advice": study_advice.EXAMPLES,
    "choices": study_choices.EXAMPLES,
    "validation": study_validation.EXAMPLES,
    "ulas2012": study_ulas2012.EXAMPLES,
    "wins": ("--win-ties drop", "examples/demsar2006.csv --score auc --posthoc holm --markdown"),
    "replicability": (
        "--pair svl,c45 --bias 0,10,20 --repeats 100 --figure power.svg",
        "examples/demsar2006.csv --score auc --drawn 7 --repeats 50 --json",
    ),
}
"""The two commands that the help of each study ends with."""
