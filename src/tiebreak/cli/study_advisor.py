"""`tiebreak study advisor`: are rankings recommended from similar data sets worth following?"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import READ, TEST, WRITE, group
from tiebreak.cli.recommend import add_base, add_tables, described, from_files, from_store
from tiebreak.errors import OptionError
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge
    from tiebreak.studies import AdvisorStudy

Number = TypeVar("Number", int, float)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    add_sources(parser)
    _add_method(parser)
    drawing.add_figure(parser, kinds="top-n (usual), accd, attribute, characteristics or ranking-methods")
    write = group(parser, WRITE)
    write.add_argument("--measure", metavar="NAME", help="the measure of the figure 'attribute'")
    write.add_argument("--algorithm", metavar="NAME", help="the algorithm of the figure 'attribute'")


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is studied."""
    read = group(parser, READ)
    add = read.add_argument
    add_base(read)
    add("--store", metavar="URL", help="study what a store holds; default: what ships with Tiebreak")
    add("--results", nargs="+", default=[], metavar="FILE", help="study a table of results instead; or published:NAME")
    add("--count-folds", action="store_true", help="rows of one data set and algorithm are folds, in file order")
    add_tables(read)
    add("--origin-columns", metavar="A,B", help="measures instead: data sets that agree in all of them share an origin")


def _add_method(parser: argparse.ArgumentParser) -> None:
    add = group(parser, TEST).add_argument
    which = "which measures, also a/b, log(a) and groups such as landmarkers, or all; default: the paper's, else all"
    add("--measures", metavar="A,B", help=which)
    add("--select", action="store_true", help="choose measures, for each tenth of the data sets on the others (slow)")
    add("--methods", metavar="A,B", help=f"{choices_text('ranking')}; default arr,mean-rank")
    add("--accd", default="0.001,0.01,0.1", metavar="X,Y", help="accuracy traded for ten times the speed")
    add("--neighbours", default="1,5", metavar="K,L", help="numbers of neighbours (default 1,5)")
    add("--weighting", default="equal", metavar="NAME", help="of neighbours: equal (default), inverse or kernel")
    add("--scale", default="range", metavar="NAME", help="of measures: range (default) or deviation")
    add("--floor", type=float, default=0.001, metavar="X", help="success rates below it count as it (default 0.001)")
    add("--resolution", type=float, metavar="S", help="of the clock, in seconds: shorter times count as it")
    single = "the single best on average: by mean accuracy on other data sets (default), or mean-rank"
    add("--single-best", default="accuracy", metavar="RULE", help=single)
    add("--dunn-alpha", type=float, default=0.25, metavar="X", help="overall level of Dunn's test (default 0.25)")


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> AdvisorStudy:
    """Read, evaluate, draw."""
    drawing.check_figure(arguments)
    from tiebreak.studies import evaluate_advisor

    plain = ("weighting", "scale", "select", "floor", "resolution", "single_best", "seed")
    found = evaluate_advisor(
        read(arguments),
        measures="all" if arguments.measures == "all" else listed(arguments.measures),
        methods=listed(arguments.methods),
        neighbours=_numbers(arguments.neighbours, int, "--neighbours 1,5"),
        accds=_numbers(arguments.accd, float, "--accd 0.01,0.1"),
        **{name: getattr(arguments, name) for name in plain},
        alpha=arguments.dunn_alpha,
        progress=progress,
    )
    if arguments.figure:
        chosen = {"measure": arguments.measure, "algorithm": arguments.algorithm}
        given = chosen if arguments.figure_kind == "attribute" else {}
        drawing.save(found.figure(arguments.figure_kind, **given), arguments)
    return found


def read(arguments: argparse.Namespace) -> Knowledge:
    """Read files, or a store, or bases by name, or what ships with the package."""
    if arguments.results and arguments.store:
        raise OptionError(
            "Files and a store were named.", why="Results come from one of them.", mend="Drop --store or --results."
        )
    if arguments.base and (arguments.results or arguments.store):
        raise OptionError(
            "A base was named beside files or a store.",
            why="The study is of one of them.",
            mend="Drop --base, or name the store as another --base.",
        )
    if not arguments.results:
        _check_alone(arguments)
    known = _known(arguments)
    if not arguments.origin_columns:
        return known
    from tiebreak.studies.advisor_material import with_origins

    return with_origins(known, listed(arguments.origin_columns) or [])


def _known(arguments: argparse.Namespace) -> Knowledge:
    """Read a store, files, files whose rows are folds, or what ships with the package."""
    from tiebreak.advisor import Knowledge, shipped_knowledge
    from tiebreak.advisor.bases import open_bases
    from tiebreak.studies.advisor_material import read_counted

    time = () if arguments.time == "none" else listed(arguments.time)
    if arguments.store:
        return from_store(arguments, time=time)
    if not arguments.results:
        return open_bases(arguments.base) if arguments.base else shipped_knowledge()
    if not arguments.count_folds:
        return from_files(arguments, time=time, meta_columns=())
    columns, better = options.roles(arguments.column), options.direction(arguments)
    table = read_counted(_one_file(arguments), score=arguments.score or "accuracy", columns=columns)
    about = described(arguments, columns.get("dataset"))
    return Knowledge.from_results(table, time=(), higher_is_better=better, errors=arguments.errors, **about)


def _one_file(arguments: argparse.Namespace) -> str:
    """Refuse what folds that are counted do not go with."""
    if len(arguments.results) > 1 or arguments.where or arguments.time:
        raise OptionError(
            "--count-folds was given with several files, --where or --time.",
            why="Rows are numbered in one file with one score.",
            mend="Add a column 'fold' to the file instead.",
        )
    found: str = arguments.results[0]
    return found


def _check_alone(arguments: argparse.Namespace) -> None:
    """Refuse options that say how to read files where no file is read."""
    names: tuple[str, ...] = ("where", "column", "higher_is_better", "lower_is_better")
    if not arguments.store:
        names += ("meta", "origins", "score", "time", "meta_id")
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(arguments, name)]
    if given or arguments.count_folds:
        raise OptionError(
            f"{', '.join(given) or '--count-folds'} was given without --results.",
            why="It says how to read a table of results.",
            mend="Add --results results.csv.",
        )


def listed(text: str | None) -> list[str] | None:
    """Cut a list at its commas."""
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str, kind: Callable[[str], Number], example: str) -> Sequence[Number]:
    """An empty list is refused as well: a study over no value would be an empty table."""
    try:
        found = [kind(part) for part in listed(text) or ()]
    except ValueError:
        found = []
    if not found:
        raise OptionError(f"{text!r} is no list of numbers.", why="It names the values to try.", mend=f"Use {example}.")
    return found
