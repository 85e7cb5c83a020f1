"""`tiebreak multivariate`: who differs from whom by several measures at once."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import COMPARE, COSTS, READ, TEST, WRITE, add_verb, group
from tiebreak.cli.table_reading import read_table
from tiebreak.errors import OptionError
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.tables import Results


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "multivariate",
        help="who differs by several measures at once, such as tpr and fpr",
        description="Compare algorithms by several measures at once: MANOVA, Hotelling's test, learned measures.",
        takes="[RESULTS ...]",
        parents=[options.table(one_score=False), options.common()],
        examples=[
            "examples/breast_cancer.csv --scores tpr,fpr",
            "examples/breast_cancer.csv --scores precision,recall --prior nb,5nn,lda,c45,svl -o measures.txt",
        ],
    )
    read = group(verb, READ)
    read.add_argument(
        "--scores",
        required=True,
        metavar="A,B",
        help="the measures, such as tpr,fpr or precision,recall; made from tp, fp, tn, fn where the table holds those",
    )
    read.add_argument("--positive", metavar="CLASS", help="the positive class of confusion matrices")
    read.add_argument(
        "--average",
        default="binary",
        metavar="KIND",
        help="of confusion matrices: binary (default), one-vs-rest, macro",
    )
    group(verb, COMPARE).add_argument("--dataset", metavar="NAME", help="only this data set")
    options.add_missing(verb, "multivariate")
    _add_tests(verb)
    _add_order(verb)
    options.add_formats(verb)
    group(verb, WRITE).add_argument("--html", metavar="FILE", help="also write one self-contained page")
    drawing.add_figure(verb, kinds="contours, learned or measures", top=True)
    options.add_out(verb)
    verb.set_defaults(run=run)


def _add_tests(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests."""
    test = group(verb, TEST)
    test.add_argument(
        "--test",
        default="auto",
        metavar="KIND",
        help="normal, permutation, ranks, or auto (default): normal theory; with --resampling-correction none, unless"
        " Mardia's tests reject normality",
    )
    test.add_argument(
        "--resampling-correction",
        default="auto",
        metavar="KIND",
        help="auto (default): tests that fit the folds, which share training data; none: folds count as independent",
    )
    test.add_argument(
        "--test-share",
        type=float,
        metavar="SHARE",
        help="share of the examples that is tested on, such as 0.33; needed for repeated hold-out, else 1/folds",
    )
    layout = test.add_mutually_exclusive_group()
    layout.add_argument(
        "--blocked",
        action="store_true",
        default=None,
        help="test all algorithms within folds; the default, unless --resampling-correction none",
    )
    layout.add_argument(
        "--one-way",
        action="store_false",
        dest="blocked",
        default=None,
        help="as published: as if every algorithm had folds of its own",
    )
    test.add_argument(
        "--statistic",
        default="bartlett",
        metavar="NAME",
        help="bartlett (default; Wilks by chi-squared), wilks (by Rao's F), pillai, hotelling-lawley or roy",
    )
    corrections = choices_text("correction", verb="multivariate")
    test.add_argument(
        "--posthoc", default="holm", metavar="CORRECTION", help=f"over pairs: {corrections}; default holm"
    )
    test.add_argument("--permutations", type=int, default=9999, metavar="N", help="random permutations (default 9999)")


def _add_order(verb: argparse.ArgumentParser) -> None:
    """Add the options that ask for an order."""
    costs = group(verb, COSTS)
    costs.add_argument(
        "--cost", metavar="NAME", help="also order: by dominance where the test rejects, else by this cost"
    )
    costs.add_argument("--costs", metavar="FILE", help="read costs from a second file")
    costs.add_argument("--prior", metavar="A,B,C", help="also order, by this order instead of a cost")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    from tiebreak.deciding.multivariate import multivariate

    drawing.check_figure(arguments)
    names = [part.strip() for part in arguments.scores.split(",")]
    if not all(names):
        raise OptionError(
            f"--scores {arguments.scores!r} holds an empty name.",
            why="Each measure is named once, with commas between.",
            mend="Use --scores tpr,fpr.",
        )
    results = _read(arguments, names)
    told = options.passed(
        arguments,
        "dataset test blocked statistic cost average alpha missing seed resampling_correction test_share",
        scores=names,
        adjust=arguments.posthoc,
        prior=options.names_of(arguments.prior),
        positive=None if arguments.store else arguments.positive,  # the measures of a store are made as it is read
        higher_is_better=options.direction(arguments),
        n_permutations=arguments.permutations,
    )
    found = multivariate(results, **told)
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    drawing.save_figure(found, arguments)
    if arguments.html:
        options.emit(found.report().to_html(), arguments.html)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def _read(arguments: argparse.Namespace, names: list[str]) -> Results:
    """Read the measures that were named; where the table lacks one, its counts too, to make it from them."""
    also = [arguments.cost] if arguments.cost else []
    if arguments.store:
        return _from_store(arguments, names, also)
    return read_table(arguments, scores=names, also=also, costs=arguments.costs, counts=True)


def _from_store(arguments: argparse.Namespace, names: list[str], also: list[str]) -> Results:
    """Read a store, only the data set that was named, so that a positive class need not be one of all others."""
    if arguments.average != "binary":
        raise OptionError(
            f"--average {arguments.average} was given with --store.",
            why="Measures of a store are those of one class where a data set has two, and averaged where it has more.",
            mend="Leave it out; --positive CLASS --dataset NAME compares one class with all others.",
        )
    if arguments.dataset and arguments.datasets is None and "," not in arguments.dataset:
        arguments = argparse.Namespace(**{**vars(arguments), "datasets": arguments.dataset})
    return read_table(arguments, scores=names, also=also, costs=arguments.costs)
