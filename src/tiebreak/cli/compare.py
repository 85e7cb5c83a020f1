"""`tiebreak compare`: who differs from whom."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak._show import finite_rows
from tiebreak.cli import options

if TYPE_CHECKING:
    from tiebreak._show import Shown
    from tiebreak.deciding.compare import Comparison


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "compare",
        help="who differs from whom, over many data sets",
        description="Compare algorithms over many data sets: omnibus test, post hoc test, groups.",
        parents=[options.table(), options.common()],
    )
    verb.add_argument(
        "--omnibus",
        metavar="TEST",
        help="friedman, friedman-chi2, aligned-ranks, quade, skillings-mack, rm-anova or none; default: by rules",
    )
    verb.add_argument(
        "--pairwise",
        metavar="TEST",
        help="what a pair is tested by: ranks (default), conover, wilcoxon, sign or paired-t",
    )
    verb.add_argument(
        "--posthoc",
        metavar="TEST",
        help="a correction (bergmann-hommel, shaffer, holm, hochberg, hommel, holland, rom, finner, li, bonferroni,"
        " sidak, benjamini-hochberg, benjamini-yekutieli, none) or a test with its own (nemenyi, bonferroni-dunn,"
        " dunn, tukey, dunnett); default: by rules",
    )
    verb.add_argument("--control", metavar="NAME", help="compare this algorithm with all others")
    verb.add_argument(
        "--missing",
        default="refuse",
        metavar="POLICY",
        help="refuse (default), drop-datasets, drop-algorithms, drop-folds, worst-rank or skillings-mack",
    )
    verb.add_argument("--no-tie-correction", action="store_true", help="Friedman as in Demsar (2006)")
    verb.add_argument("--effects", action="store_true", help="add effect sizes and intervals of the differences")
    verb.add_argument(
        "--rope",
        type=float,
        metavar="WIDTH",
        help="add Bayesian signed rank tests with this region of practical equivalence, in units of the score",
    )
    options.add_formats(verb)
    options.add_figure(verb)
    verb.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    from tiebreak.deciding.compare import compare

    options.check_figure(arguments)
    results = options.read_measures(arguments, None if arguments.score is None else [arguments.score])
    found = compare(
        results,
        score=arguments.score,
        omnibus=arguments.omnibus,
        pairwise=arguments.pairwise,
        posthoc=arguments.posthoc,
        control=arguments.control,
        alpha=arguments.alpha,
        missing=arguments.missing,
        tie_correction=not arguments.no_tie_correction,
        higher_is_better=options.direction(arguments),
    )
    added = _added(found, arguments)
    if arguments.json:
        text = options.as_json(found.to_dict() | {name: finite_rows(each.rows()) for name, each in added.items()})
    else:
        text = "\n\n".join(options.written(each, arguments) for each in (found, *added.values()))
    options.save_figure(found, arguments)
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
