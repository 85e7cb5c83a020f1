"""`tiebreak recommend`: an order of algorithms for new data, with the neighbours that explain it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge, Recommendation

SHIPPED = "shipped"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "recommend",
        help="an order of algorithms for new data, from past results on similar data",
        description="Recommend an order of algorithms for data that none of them has been tried on. Without --store"
        " and --results the small base that ships with Tiebreak answers.",
        parents=[options.common()],
    )
    verb.add_argument("data", nargs="?", metavar="DATA", help="the new data: csv, parquet or arff, or builtin:NAME")
    verb.add_argument("--target", metavar="NAME", help="the class column; the last one by default")
    verb.add_argument("--known", metavar="DATASET", help="instead of DATA: a known data set as if it were new")
    _add_base(verb)
    _add_choices(verb)
    options.add_formats(verb)
    verb.add_argument("--html", metavar="FILE", help="also write one self-contained page")
    verb.add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")
    verb.set_defaults(run=run)


def _add_base(verb: argparse.ArgumentParser) -> None:
    base = verb.add_argument_group("what to learn from")
    base.add_argument("--store", metavar="URL", help="a store: results.db, sqlite:///..., postgresql://...")
    base.add_argument("--results", action="append", metavar="FILE", help="a table of past results; may be repeated")
    base.add_argument("--meta", metavar="FILE", help="meta-attributes of its data sets, one row each")
    base.add_argument("--shipped", action="store_true", help="add the base that ships with Tiebreak")
    base.add_argument("--score", metavar="NAME", help="the score to learn from (default accuracy)")
    base.add_argument("--time", metavar="A,B", help="the column of seconds; several are added up; 'none' for none")
    way = base.add_mutually_exclusive_group()
    way.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    way.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    base.add_argument(
        "--errors", default="complement", metavar="RULE", help="errors become 1 - e; or inverse, negative"
    )
    base.add_argument("--column", action="append", default=[], metavar="ROLE=HEADER", help="such as dataset=task")
    base.add_argument("--where", action="append", default=[], metavar="COLUMN=VALUE", help="rows to keep; != too")
    base.add_argument("--duplicates", default="refuse", metavar="RULE", help="rows for one cell: mean, best or folds")
    base.add_argument("--meta-id", metavar="HEADER", help="the column of --meta that names the data sets")
    base.add_argument("--meta-column", action="append", default=[], metavar="MEASURE=HEADER", help="n_examples=N")
    base.add_argument("--origins", metavar="FILE", help="csv: data set, and what those of one origin share")
    base.add_argument("--resampling", metavar="TEXT", help="which resampling of a store that holds several")
    base.add_argument("--run-seed", type=int, metavar="N", help="the runs with this seed")


def _add_choices(verb: argparse.ArgumentParser) -> None:
    how = verb.add_argument_group("how to recommend")
    trade = how.add_mutually_exclusive_group()
    trade.add_argument("--accd", type=float, metavar="X", help="accuracy given up for ten times the speed (0.01)")
    trade.add_argument("--trade", metavar="TEXT", help='the same in words: "1%% for 10x"')
    how.add_argument("--neighbours", default="5", metavar="K", help="how many known data sets, or all (default 5)")
    how.add_argument(
        "--method", default="arr", metavar="NAME", help="arr (default), a3r, srr, mean-rank, wins or multitest"
    )
    how.add_argument(
        "--measures", metavar="A,B", help="what makes data sets alike; a group such as landmarkers; all; select"
    )
    how.add_argument("--weight", action="append", default=[], metavar="MEASURE=W", help="its weight in the distance")
    how.add_argument("--weighting", default="equal", metavar="RULE", help="of neighbours: equal, inverse or kernel")
    how.add_argument("--exclude", action="append", default=[], metavar="DATASET", help="a known data set to leave out")
    how.add_argument("--algorithms", metavar="A,B", help="rank only these")
    how.add_argument("--without", action="append", default=[], metavar="ALGORITHM", help="do not rank this one")
    how.add_argument(
        "--incomplete",
        default="pairs",
        metavar="RULE",
        help="missing results: pairs (default), drop-algorithms, drop-datasets or worst",
    )
    how.add_argument("--floor", type=float, default=0.001, metavar="X", help="lower success rates count as this")
    how.add_argument("--resolution", type=float, metavar="S", help="of the clock: shorter times count as this")


def run(arguments: argparse.Namespace) -> None:
    """Learn, recommend, print."""
    _check(arguments)
    known = _knowledge(arguments)
    found = _recommended(arguments, known)
    if arguments.html:
        from tiebreak.reporting.recommendation import recommendation_page

        options.emit(recommendation_page(found), arguments.html)
    options.stdout_utf8()
    text = options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)
    options.emit(text, arguments.out)


def _check(arguments: argparse.Namespace) -> None:
    if bool(arguments.data) == bool(arguments.known):
        raise OptionError(
            "Data and a known data set were named." if arguments.data else "No data were named.",
            why="A recommendation is for one data set.",
            mend="Give a file, such as data.csv, or --known NAME for one of the known data sets.",
        )
    if arguments.meta and not (arguments.results or arguments.store):
        raise OptionError(
            "--meta was given without --results.",
            why="It describes the data sets of a table of results.",
            mend="Add --results FILE.",
        )


def _knowledge(arguments: argparse.Namespace) -> Knowledge:
    """Read every base that was named; without any, the one that ships with Tiebreak."""
    from tiebreak.advisor import merge_knowledge, shipped_knowledge

    bases = []
    if arguments.results:
        bases.append(_from_files(arguments))
    if arguments.store:
        bases.append(_from_store(arguments))
    if arguments.shipped or not bases:
        bases.append(shipped_knowledge())
    return merge_knowledge(bases)


def _from_files(arguments: argparse.Namespace) -> Knowledge:
    from tiebreak.advisor.meta_files import name_pairs
    from tiebreak.advisor.opening import read_knowledge

    return read_knowledge(
        arguments.results,
        arguments.meta,
        score=arguments.score,
        time=_times(arguments.time),
        higher_is_better=options.direction(arguments),
        errors=arguments.errors,
        columns=options.roles(arguments.column),
        where=arguments.where,
        duplicates=arguments.duplicates,
        meta_id=arguments.meta_id,
        meta_columns=name_pairs(arguments.meta_column, option="--meta-column", example="n_examples=N"),
        origins=arguments.origins,
    )


def _from_store(arguments: argparse.Namespace) -> Knowledge:
    from tiebreak.advisor.meta_files import read_meta, read_origins
    from tiebreak.advisor.opening import store_knowledge

    only = not arguments.results
    return store_knowledge(
        arguments.store,
        score=arguments.score if only else None,
        time=_times(arguments.time) if only else None,
        resampling=arguments.resampling,
        seed=arguments.run_seed,
        meta=read_meta(arguments.meta, id=arguments.meta_id)[0] if only and arguments.meta else None,
        origins=read_origins(arguments.origins) if only and arguments.origins else None,
    )


def _times(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [] if text == "none" else [part.strip() for part in text.split(",")]


def _recommended(arguments: argparse.Namespace, known: Knowledge) -> Recommendation:
    from tiebreak.advisor import Advisor

    choices: dict[str, Any] = {
        "accd": _accd(arguments),
        "neighbours": _count(arguments.neighbours),
        "method": arguments.method,
        "measures": arguments.measures if arguments.measures in ("all", "select") else _listed(arguments.measures),
        "weighting": arguments.weighting,
        "weights": _weights(arguments.weight),
        "exclude": arguments.exclude,
        "algorithms": _listed(arguments.algorithms),
        "without": arguments.without,
        "incomplete": arguments.incomplete,
        "floor": arguments.floor,
        "resolution": arguments.resolution,
    }
    if arguments.known:
        return Advisor(known).recommend_known(arguments.known, **choices)
    return Advisor(known).recommend(_data(arguments), **choices)


def _data(arguments: argparse.Namespace) -> Any:
    from tiebreak.datasets import DataReference

    return DataReference.of(
        {"source": arguments.data, **({"target": arguments.target} if arguments.target else {})}
    ).load()


def _accd(arguments: argparse.Namespace) -> float:
    from tiebreak.advisor import accd_from

    if arguments.trade:
        return accd_from(arguments.trade)
    return 0.01 if arguments.accd is None else float(arguments.accd)


def _count(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]


def _weights(pairs: list[str]) -> dict[str, float] | None:
    from tiebreak.advisor.meta_files import name_pairs

    found = name_pairs(pairs, option="--weight", example="n_examples=2")
    try:
        return {name: float(value) for name, value in found.items()} or None
    except ValueError:
        raise OptionError(
            f"--weight {pairs[0]!r} does not end with a number.",
            why="The difference in a measure is multiplied by its weight.",
            mend="Use --weight n_examples=2.",
        ) from None
