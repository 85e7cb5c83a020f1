"""`tiebreak gate`: may a candidate take the place of a base? For continuous integration, by its exit code."""

from __future__ import annotations

import argparse
from copy import copy
from typing import TYPE_CHECKING

from tiebreak.cli import options
from tiebreak.cli.helping import COMPARE, COSTS, TEST, WRITE, add_verb, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.tables import Results


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "gate",
        help="is a candidate non-inferior to a base within a margin? For continuous integration",
        description="Test whether a candidate is non-inferior to a base. The exit code is 0 if it is, 1 if it is worse"
        " and not within the margin, 3 if the items are too few to decide, with the number that would; 2 is for errors."
        " Give two sources with a model each, or one table and two names.",
        takes="BASE [CANDIDATE]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/gate_base.csv examples/gate_candidate.csv --margin 0.02 --cost price",
            "examples/items.csv --base large --candidate medium --margin 0.1 --cluster document --epoch answer"
            " --score accuracy",
        ],
    )
    part, test, costs = group(verb, COMPARE), group(verb, TEST), group(verb, COSTS)
    part.add_argument("--base", dest="base_name", metavar="NAME", help="the model of BASE, where it holds several")
    part.add_argument("--candidate", dest="candidate_name", metavar="NAME", help="the model of CANDIDATE, likewise")
    margin = "so much worse still passes: 0.01 in units of the score, 1%% of that of the base, or 0: it must be better"
    test.add_argument("--margin", metavar="X", help=margin)
    power = "for how many more items would decide, and which drop is caught (default 0.8)"
    test.add_argument("--power", type=float, default=0.8, metavar="X", help=power)
    anytime = "a verdict that holds however often one looks while items are added; it takes more items"
    test.add_argument("--anytime", action="store_true", help=anytime)
    largest = "with --anytime: the largest difference that the score allows, if not 1"
    test.add_argument("--bound", type=float, metavar="X", help=largest)
    missing = "items that only the base answered: left-out (default), or wrong, as a suite that broke off must not pass"
    test.add_argument("--unanswered", metavar="POLICY", default="left-out", help=missing)
    costs.add_argument("--cost", metavar="NAME", help="a cost that is told beside the verdict")
    most = "worse, too, where the candidate costs more than so many times what the base does"
    costs.add_argument("--max-cost-ratio", type=float, metavar="X", help=most)
    options.add_formats(verb)
    options.add_out(verb)
    group(verb, WRITE).add_argument("--summary", metavar="FILE", help="write Markdown there as well")
    group(verb, WRITE).add_argument("--junit", metavar="FILE", help="write JUnit XML there as well")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read both sides, judge, print, and return the exit code of the verdict."""
    from tiebreak.deciding.gate import gate, junit_of

    if arguments.margin is None:
        raise OptionError(
            "No margin was given.",
            why="A gate says whether a candidate is worse by less than a margin.",
            mend="Use --margin 0.01, in units of the score, --margin 1% of that of the base, or --margin 0 to ask"
            " whether it is better.",
        )
    if arguments.out is not None and arguments.out == arguments.junit:
        raise OptionError(
            f"-o and --junit both name {arguments.out}.",
            why="One would be written over the other.",
            mend="Give them different files: --junit gate.xml.",
        )
    told = options.passed(
        arguments,
        "margin base_name candidate_name score cost max_cost_ratio alpha power anytime bound unanswered",
        higher_is_better=options.direction(arguments),
    )
    found = gate(*_sides(arguments), **told)
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    if arguments.summary is not None:
        options.emit(found.to_markdown(), arguments.summary)
    if arguments.junit is not None:
        options.emit(junit_of(found), arguments.junit)
    options.stdout_utf8()
    options.emit(text, arguments.out)
    return found.exit_code


def _sides(arguments: argparse.Namespace) -> list[Results]:
    """Read one or two sources, each by itself."""
    if len(arguments.results) > 2:
        raise OptionError(
            f"{len(arguments.results)} sources were named.",
            why="A gate holds one candidate against one base.",
            mend="Name BASE and CANDIDATE; a folder of logs is one source.",
        )
    return [_read(arguments, each) for each in arguments.results] if arguments.results else [_read(arguments, None)]


def _read(arguments: argparse.Namespace, source: str | None) -> Results:
    own = copy(arguments)
    own.results = [] if source is None else [source]
    names = None if arguments.score is None else [arguments.score]
    return read_measures(own, names, also=() if arguments.cost is None else [arguments.cost])
