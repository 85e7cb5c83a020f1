"""`tiebreak compare`: who differs from whom."""

from __future__ import annotations

import argparse

from tiebreak.cli import options


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "compare",
        help="who differs from whom, over many data sets",
        description="Compare algorithms over many data sets: omnibus test, post hoc test, groups.",
        parents=[options.table(), options.common()],
    )
    verb.add_argument("--omnibus", metavar="TEST", help="friedman (default), friedman-chi2 or skillings-mack")
    verb.add_argument(
        "--posthoc",
        metavar="TEST",
        help="nemenyi (default), bonferroni-dunn (default with --control), bonferroni, sidak, holm, hochberg, hommel",
    )
    verb.add_argument("--control", metavar="NAME", help="compare this algorithm with all others")
    verb.add_argument(
        "--missing",
        default="refuse",
        metavar="POLICY",
        help="refuse (default), drop-datasets, drop-algorithms, drop-folds, worst-rank or skillings-mack",
    )
    verb.add_argument("--no-tie-correction", action="store_true", help="Friedman as in Demsar (2006)")
    verb.add_argument("--markdown", action="store_true", help="print Markdown")
    verb.add_argument("--latex", action="store_true", help="print LaTeX")
    verb.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    from tiebreak.comparison import compare
    from tiebreak.sources import read

    results = read(arguments.results, scores=arguments.score, columns=options.roles(arguments.column))
    found = compare(
        results,
        score=arguments.score,
        omnibus=arguments.omnibus,
        posthoc=arguments.posthoc,
        control=arguments.control,
        alpha=arguments.alpha,
        missing=arguments.missing,
        tie_correction=not arguments.no_tie_correction,
        higher_is_better=options.direction(arguments),
    )
    if arguments.json:
        text = options.as_json(found.to_dict())
    elif arguments.markdown:
        text = found.to_markdown()
    elif arguments.latex:
        text = found.to_latex()
    else:
        text = str(found)
    options.stdout_utf8()
    options.emit(text, arguments.out)
