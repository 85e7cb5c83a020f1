"""`tiebreak compare`: who differs from whom."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import TEST, WRITE, add_verb, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.documents.words import finite_rows
from tiebreak.documents.writing import as_text

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison
    from tiebreak.documents import Shown

FORESTS = ("forest", "forest-pairs")
"""Figures that shade the region of practical equivalence."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "compare",
        help="who differs from whom, over many data sets or on the folds of one",
        description="Compare algorithms over many data sets, or on the folds of one: tests of pairs, groups.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/demsar2006.csv --score auc",
            "examples/ulas2012.csv --score accuracy --control 5nn --effects --figure ulas.svg",
        ],
    )
    test, write = group(verb, TEST), group(verb, WRITE)
    options.add_comparing(verb)
    options.add_scale(verb)
    options.add_missing(verb, "compare")
    test.add_argument(
        "--no-tie-correction",
        action="store_true",
        help="the variance of ranks as in Demsar (2006) in every test, whatever ties there are",
    )
    test.add_argument(
        "--leave-one-out",
        action="store_true",
        help="name for every pair the other algorithms without which its verdict would change",
    )
    options.add_wins(verb)
    over = "models on items: items (these benchmarks, default) or scores (benchmarks as data sets); places are of order"
    test.add_argument("--over", metavar="WAY", help=over)
    share = "one data set: the share of examples that each fold tests (default 1/k of k folds)"
    test.add_argument("--test-share", type=float, metavar="SHARE", help=share)
    write.add_argument("--full", action="store_true", help="everything: all pairs, reasons, references, caveats")
    write.add_argument("--effects", action="store_true", help="add effect sizes and intervals of the differences")
    write.add_argument(
        "--rope",
        type=float,
        metavar="WIDTH",
        help="add Bayesian signed rank tests with this region of practical equivalence, in units of the score; the"
        " figures forest and forest-pairs shade it",
    )
    options.add_formats(verb)
    drawing.add_figure(verb, top=True)
    options.add_out(verb)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    from tiebreak.deciding.compare import compare

    drawing.check_figure(arguments)
    results = read_measures(arguments, None if arguments.score is None else [arguments.score])
    told = options.passed(
        arguments,
        "score omnibus pairwise posthoc control alpha missing scale baseline win_test win_ties over test_share",
    )
    correction, direction = False if arguments.no_tie_correction else None, options.direction(arguments)
    found = compare(
        results,
        tie_correction=correction,
        higher_is_better=direction,
        leave_one_out=arguments.leave_one_out,
        **told,
    )
    added = _added(found, arguments)
    if arguments.json:
        text = options.as_json(found.to_dict() | {name: finite_rows(each.rows()) for name, each in added.items()})
    elif arguments.full:
        text = "\n\n".join(as_text(each.document()) for each in (found, *added.values()))
    else:
        text = "\n\n".join(options.written(each, arguments) for each in (found, *added.values()))
    equal = {"margin": arguments.rope} if arguments.rope and arguments.figure_kind in FORESTS else {}
    drawing.save_figure(found, arguments, **equal)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def _added(found: Comparison, arguments: argparse.Namespace) -> dict[str, Shown]:
    """Compute what was asked for beside the tests."""
    added: dict[str, Shown] = {}
    if arguments.effects:
        added = {"wins": found.wins(), "effects": found.effects(), "intervals": found.intervals()}
    if arguments.rope is not None:
        added["bayes"] = found.bayes(rope=arguments.rope, rng=arguments.seed)
    return added
