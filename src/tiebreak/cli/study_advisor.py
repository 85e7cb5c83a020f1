"""`tiebreak study advisor`: are rankings recommended from similar data sets worth following?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tiebreak.cli import options
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

Number = TypeVar("Number", int, float)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    _add_sources(parser)
    _add_method(parser)
    options.add_formats(parser)
    options.add_figure(parser, kinds="top-n (usual), accd, attribute or characteristics")
    parser.add_argument("--measure", metavar="NAME", help="the measure of the figure 'attribute'")
    parser.add_argument("--algorithm", metavar="NAME", help="the algorithm of the figure 'attribute'")
    parser.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")


def _add_sources(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--store",
        metavar="URL",
        help="study the runs and meta-attributes of a store; default: what ships with Tiebreak",
    )
    add("--results", nargs="+", default=[], metavar="FILE", help="study a table of results, long or wide, instead")
    add("--score", metavar="NAME", help="the score of the results")
    add("--time", metavar="A,B", help="the column of times in seconds, several are added up; 'none' for none")
    add("--column", action="append", default=[], metavar="ROLE=HEADER", help="such as dataset=openml_dataset_id")
    add("--where", action="append", default=[], metavar="CONDITION", help="rows to keep: imputed=False, id!=")
    add("--duplicates", default="refuse", metavar="RULE", help="rows for one cell: refuse (default), mean or best")
    add("--count-folds", action="store_true", help="rows of one data set and algorithm are folds, in file order")
    add("--errors", default="complement", metavar="RULE", help="of errors: complement (default: 1 - e) or inverse")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    one.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    add("--meta", metavar="FILE", help="measures of the data sets, one row each; without it there are no neighbours")
    add("--meta-id", metavar="HEADER", help="the column of --meta that names the data sets")
    add("--origins", metavar="FILE", help="a file with data sets and labels; those that agree are left out together")
    add("--origin-columns", metavar="A,B", help="measures instead: data sets that agree in all of them share an origin")


def _add_method(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--measures",
        metavar="A,B",
        help="which measures, also a/b, log(a) and groups such as landmarkers, or all; default: the paper's, else all",
    )
    add("--select", action="store_true", help="choose measures, for each tenth of the data sets on the others (slow)")
    add("--methods", metavar="A,B", help="arr, a3r, srr, mean-rank, wins, multitest (default arr,mean-rank)")
    add("--accd", default="0.001,0.01,0.1", metavar="X,Y", help="accuracy given up for ten times the speed")
    add("--neighbours", default="1,5", metavar="K,L", help="numbers of neighbours (default 1,5)")
    add("--weighting", default="equal", metavar="NAME", help="of neighbours: equal (default), inverse or kernel")
    add("--scale", default="range", metavar="NAME", help="of measures: range (default) or deviation")
    add("--floor", type=float, default=0.001, metavar="X", help="success rates below it count as it (default 0.001)")
    add("--resolution", type=float, metavar="S", help="of the clock, in seconds: shorter times count as it")
    add("--dunn-alpha", type=float, default=0.25, metavar="X", help="overall level of Dunn's test (default 0.25)")


def run(arguments: argparse.Namespace) -> None:
    """Read, evaluate, print, draw."""
    options.check_figure(arguments)
    from tiebreak.studies import evaluate_advisor

    found = evaluate_advisor(
        _read(arguments),
        measures="all" if arguments.measures == "all" else _listed(arguments.measures),
        methods=_listed(arguments.methods),
        neighbours=_numbers(arguments.neighbours, int, "--neighbours 1,5"),
        accds=_numbers(arguments.accd, float, "--accd 0.01,0.1"),
        weighting=arguments.weighting,
        scale=arguments.scale,
        select=arguments.select,
        floor=arguments.floor,
        resolution=arguments.resolution,
        alpha=arguments.dunn_alpha,
        seed=arguments.seed,
        progress=_say if sys.stderr.isatty() else None,
    )
    if arguments.figure:
        chosen = {"measure": arguments.measure, "algorithm": arguments.algorithm}
        given = chosen if arguments.figure_kind == "attribute" else {}
        found.figure(arguments.figure_kind, **given).save(arguments.figure)
    options.stdout_utf8()
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    options.emit(text, arguments.out)


def _read(arguments: argparse.Namespace) -> Knowledge:
    """Read files, or a store, or what ships with the package."""
    if arguments.results and arguments.store:
        raise OptionError(
            "Files and a store were named.", why="Results come from one of them.", mend="Drop --store or --results."
        )
    if not arguments.results:
        _check_alone(arguments)
    known = _from_files(arguments) if arguments.results else _from_store(arguments)
    if not arguments.origin_columns:
        return known
    from tiebreak.studies._advisor_material import with_origins

    return with_origins(known, _listed(arguments.origin_columns) or [])


def _from_store(arguments: argparse.Namespace) -> Knowledge:
    """Read a store, or what ships with the package."""
    from tiebreak.advisor.meta_files import read_meta, read_origins
    from tiebreak.advisor.opening import open_knowledge, store_knowledge

    if not arguments.store:
        return open_knowledge(None)
    return store_knowledge(
        arguments.store,
        score=arguments.score,
        time=() if arguments.time == "none" else _listed(arguments.time),
        meta=read_meta(arguments.meta, id=arguments.meta_id)[0] if arguments.meta else None,
        origins=read_origins(arguments.origins) if arguments.origins else None,
    )


def _from_files(arguments: argparse.Namespace) -> Knowledge:
    from tiebreak.advisor.knowledge import Knowledge
    from tiebreak.advisor.meta_files import read_meta, read_origins
    from tiebreak.advisor.opening import read_knowledge
    from tiebreak.studies._advisor_material import read_counted

    columns, better = options.roles(arguments.column), options.direction(arguments)
    time = () if arguments.time == "none" else _listed(arguments.time)
    if not arguments.count_folds:
        return read_knowledge(
            arguments.results,
            arguments.meta,
            score=arguments.score,
            time=time,
            higher_is_better=better,
            errors=arguments.errors,
            columns=columns,
            where=arguments.where,
            duplicates=arguments.duplicates,
            meta_id=arguments.meta_id,
            origins=arguments.origins,
        )
    table = read_counted(_one_file(arguments), score=arguments.score or "accuracy", columns=columns)
    like = columns.get("dataset")
    return Knowledge.from_results(
        table,
        read_meta(arguments.meta, id=arguments.meta_id, like=like)[0] if arguments.meta else None,
        time=(),
        higher_is_better=better,
        errors=arguments.errors,
        origins=read_origins(arguments.origins, like=like) if arguments.origins else None,
    )


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


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str, kind: Callable[[str], Number], example: str) -> Sequence[Number]:
    try:
        found = [kind(part) for part in _listed(text) or ()]
    except ValueError:
        found = []
    if not found:
        raise OptionError(f"{text!r} is no list of numbers.", why="It names the values to try.", mend=f"Use {example}.")
    return found


def _say(text: str) -> None:
    print(f"evaluating: {text}", file=sys.stderr)
