"""`tiebreak recommend`: an order of algorithms for new data, with the neighbours that explain it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.cli.helping import READ, TEST, WRITE, add_verb, group
from tiebreak.errors import OptionError
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge, Recommendation
    from tiebreak.datasets.references import DataReference
    from tiebreak.trying import PilotedRecommendation

LEARN, HOW, TRY = "what to learn from", "how to recommend", "how to try it out"

_UNSAID = {"neighbours": "auto", "scaling": "log", "times": "predicted"}
"""What options of a published procedure are where they were not given; the others are None."""
_OF_RUN = {"splits": "--splits", "stop_below": "--stop-below", "jobs": "--jobs", "retry": "--retry"}
"""Options that mean nothing without a run."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "recommend",
        help="an order of algorithms for new data, from past results on similar data",
        description="Recommend an order of algorithms for data that none of them has been tried on. Without --base,"
        " --store and --results the bases that ship with Tiebreak answer: one of classes, one of numbers to predict.",
        takes="[DATA]",
        titles=(READ, LEARN, HOW, TRY, TEST, WRITE),
        parents=[options.common()],
        examples=[
            "builtin:iris --run 30s",
            '--known wine --trade "1% for 10x" --budget 1min',
        ],
    )
    read = group(verb, READ)
    read.add_argument(
        "data", nargs="?", metavar="DATA", help="the new data: csv, xlsx, parquet or arff, or builtin:NAME"
    )
    _add_columns(read)
    read.add_argument("--known", metavar="DATASET", help="instead of DATA: a known data set as if it were new")
    _add_base(verb)
    _add_choices(verb)
    _add_times(verb)
    _add_trying(verb)
    options.add_formats(verb)
    write = group(verb, WRITE).add_argument
    write("--html", metavar="FILE", help="also write one self-contained page")
    write("--full", action="store_true", help="everything: the order by past results, neighbours, references, caveats")
    options.add_out(verb)
    verb.set_defaults(run=run)


def _add_columns(read: argparse._ArgumentGroup) -> None:
    """Add what can be said about the columns of the data."""
    add = read.add_argument
    add("--name", metavar="NAME", help="what the data set is called; by default as its file, without the ending")
    add(
        "--target",
        metavar="NAME",
        help="the column to predict; by default one called class, target, ..., else the last",
    )
    told = "what the target is: classes or number; by default its values tell it"
    add("--kind", choices=("classes", "number"), metavar="KIND", help=told)
    add("--symbolic", metavar="A,B", help="columns whose numbers are names")
    add("--drop", metavar="A,B", help="columns to leave out")
    add("--keep", metavar="A,B", help="columns to keep although they look like ids, dates, text, constants; or all")


def _add_base(verb: argparse.ArgumentParser) -> None:
    base = group(verb, LEARN)
    add = base.add_argument
    add_base(base)
    add("--store", metavar="URL", help="a store: results.db, sqlite:///..., postgresql://...")
    add(
        "--results", action="append", metavar="FILE", help="a table of past results, or published:NAME; may be repeated"
    )
    add("--shipped", action="store_true", help="add the base that ships with Tiebreak")
    add_tables(base)
    add("--meta-column", action="append", default=[], metavar="MEASURE=HEADER", help="n_examples=N")
    add("--resampling", metavar="TEXT", help="which resampling of a store that holds several")
    add("--run-seed", type=int, metavar="N", help="the runs with this seed")


def add_base(group: argparse._ActionsContainer) -> None:
    """Add the option that names what to learn from, in one word."""
    names = "oboe, tabzilla, tabzilla-tuned, tabarena, tabrepo, amlb or bbtcomp"
    told = f"shipped, a knowledge file (.json), a store, or NAME:PATH for published results ({names}); may be repeated"
    group.add_argument("--base", action="append", default=[], metavar="BASE", help=told)


def add_tables(group: argparse._ActionsContainer) -> None:
    """Add the options that say how tables of past results, and of what describes their data sets, are read."""
    add = group.add_argument
    add("--score", metavar="NAME", help="the score to learn from (default accuracy; of numbers relative_rmse)")
    add("--time", metavar="A,B", help="the column of seconds; several are added up; 'none' for none")
    way = group.add_mutually_exclusive_group()
    way.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    way.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    add("--errors", default="complement", metavar="RULE", help="errors become 1 - e; or clipped, inverse, negative")
    add("--column", action="append", default=[], metavar="ROLE=HEADER", help="such as dataset=task")
    add("--where", action="append", default=[], metavar="CONDITION", help='rows to keep, such as "imputed == False"')
    add("--duplicates", default="refuse", metavar="RULE", help="rows for one cell: mean, best or folds")
    add("--meta", metavar="FILE", help="meta-attributes of the data sets, one row each")
    add("--meta-id", metavar="HEADER", help="the column of --meta that names the data sets")
    add("--origins", metavar="FILE", help="csv: data set, and what those of one origin share")
    hosts = "times of several hosts: hosts (put on one scale by how fast each is) or none (taken as they are)"
    add("--normalise-cost", metavar="WAY", help=hosts)


def _add_choices(verb: argparse.ArgumentParser) -> None:
    how = group(verb, HOW)
    add = how.add_argument
    trade = how.add_mutually_exclusive_group()
    trade.add_argument(
        "--accd", type=float, metavar="X", help="accuracy traded for ten times the speed; left out, none"
    )
    trade.add_argument("--trade", metavar="TEXT", help='the same in words: "1%% for 10x"')
    add("--neighbours", default="auto", metavar="K", help="how many known data sets, or all; chosen if left out")
    usual = "default portfolio, with a trade timed-portfolio"
    add("--method", metavar="NAME", help=f"{choices_text('ranking')}; {usual}")
    add(
        "--variant",
        choices=("2003",),
        help="a published procedure: ARR on 5 neighbours (Brazdil, Soares and Costa 2003)",
    )
    add("--measures", metavar="A,B", help="what makes data sets alike; a group such as landmarkers; all; select")
    add("--weight", action="append", default=[], metavar="MEASURE=W", help="its weight in the distance")
    add("--weighting", metavar="RULE", help="of neighbours: equal, inverse or kernel")
    add("--scaling", default="log", metavar="RULE", help="of measures: log (counts by logarithms) or plain")
    add("--exclude", action="append", default=[], metavar="DATASET", help="a known data set to leave out")
    add("--algorithms", metavar="A,B", help="rank only these")
    add("--without", action="append", default=[], metavar="ALGORITHM", help="do not rank this one")
    gaps = "missing results: pairs (default), drop-algorithms, drop-datasets or worst"
    add("--incomplete", default="pairs", metavar="RULE", help=gaps)
    add("--floor", type=float, default=0.001, metavar="X", help="lower success rates count as this")
    add("--resolution", type=float, metavar="S", help="of the clock: shorter times count as this")


def _add_times(verb: argparse.ArgumentParser) -> None:
    """Add what is about time on the new data: what it is weighed by, and what to do within a budget."""
    add = group(verb, HOW).add_argument
    weighed = "times that --accd weighs: predicted for these data (default), or measured on the neighbours"
    add("--times", default="predicted", metavar="KIND", help=weighed)
    add("--budget", metavar="TIME", help="also plan what to try within 10min, 90s, 2h or so many seconds")
    wait = "on data larger than all known, rank only what takes less for a trial (default 1h; none ranks all)"
    add("--patience", default="1h", metavar="TIME", help=wait)
    add("--trial", metavar="TEXT", help="what a try is: 5-fold (default), 10-fold, 5x2cv or fit")
    gain = "accuracy that the whole budget must be worth, or it stops before (default 0.001)"
    add("--least-gain", type=float, metavar="X", help=gain)


def _add_trying(verb: argparse.ArgumentParser) -> None:
    """Add the options that run what is recommended."""
    add = group(verb, TRY).add_argument
    add(
        "--pilot",
        metavar="TIME",
        help="fit a few on the data for so long before answering (default 5s; with --method, --trade or --budget 0);"
        " 0: past results alone",
    )
    add("--code", metavar="FILE", help="also write the Python lines that fit the answer on all rows")
    what = (
        "run the list on the data for so long (90s, 10min, 2h), learning from each result; into --store or results.db"
    )
    add("--run", dest="run_for", metavar="TIME", help=what)
    add("--splits", metavar="SCHEME", help="of --run: 5x2cv (default; 2x2cv of large data), 10-fold, holdout, ...")
    least = "end when no algorithm left is expected to add so much (default 0.0005; 0 tries all)"
    add("--stop-below", type=float, metavar="X", help=least)
    add("--jobs", type=int, metavar="N", help="cells at a time on this machine; default: the cores")
    again = "run failed cells again: error, timeout, memory, crash"
    add("--retry", action="append", default=[], metavar="STATUS", help=again)
    shown = "auto (default: a line on a terminal, else one now and then), none, jsonl (standard error) or FILE.jsonl"
    add("--progress", default="auto", metavar="FORM", help=shown)


def run(arguments: argparse.Namespace) -> int | None:
    """Learn, recommend, print; with a time, try it out too."""
    _check(arguments)
    if arguments.run_for is not None:
        from tiebreak.cli.recommend_run import try_out

        return try_out(arguments, _reference(arguments), lambda kind: _knowledge(arguments, kind), _choices(arguments))
    reference = None if arguments.known else _reference(arguments)
    data = None if reference is None else reference.load()
    known = _knowledge(arguments, arguments.kind if data is None else data.kind)
    found = _recommended(arguments, known, data, reference)
    code = getattr(found, "code", None)
    if arguments.code and code is not None:
        options.emit(code.text, arguments.code)
    if arguments.html:
        options.emit(found.report().to_html(), arguments.html)
    options.stdout_utf8()
    options.emit(_text(found, arguments), arguments.out)
    return None


def _text(found: Recommendation | PilotedRecommendation, arguments: argparse.Namespace) -> str:
    """Write the answer; --full writes all of it, as Markdown and LaTeX do."""
    if arguments.json:
        return options.as_json(found.to_dict())
    if arguments.full and not (arguments.markdown or arguments.latex):
        from tiebreak.documents import writing

        return writing.as_text(found.document())
    return options.written(found, arguments)


def _check(arguments: argparse.Namespace) -> None:
    """Checked before anything is loaded, which may take long."""
    if bool(arguments.data) == bool(arguments.known):
        raise OptionError(
            "Data and a known data set were named." if arguments.data else "No data were named.",
            why="A recommendation is for one data set.",
            mend="Give a file, such as data.csv, or --known NAME for one of the known data sets.",
        )
    if arguments.run_for is None and (idle := [flag for name, flag in _OF_RUN.items() if getattr(arguments, name)]):
        raise OptionError(
            f"{idle[0]} was given without --run.",
            why="It says how the list is tried out.",
            mend="Add --run 10min, or leave it out.",
        )
    planned = {"--trial": arguments.trial, "--least-gain": arguments.least_gain}
    if arguments.budget is None and (idle := [flag for flag, value in planned.items() if value is not None]):
        raise OptionError(
            f"{idle[0]} was given without --budget.",
            why="It says how a budget is planned.",
            mend="Add --budget 10min, or leave it out.",
        )
    if arguments.run_for is not None and arguments.known:
        raise OptionError(
            f"--run was given for the known data set {arguments.known!r}.",
            why="Algorithms are run on rows, and of a known data set only its measures and results are kept.",
            mend="Give the file of the data instead of --known.",
        )
    if arguments.meta and not (arguments.results or arguments.store):
        raise OptionError(
            "--meta was given without --results.",
            why="It describes the data sets of a table of results.",
            mend="Add --results FILE.",
        )


def _knowledge(arguments: argparse.Namespace, kind: str | None) -> Knowledge:
    """Read every base that was named; without any, the one that ships with Tiebreak; all of one kind of target."""
    from tiebreak.advisor import merge_knowledge, open_base, shipped_knowledge

    bases, time = [open_base(each, kind=kind) for each in arguments.base], _times(arguments.time)
    if arguments.results:
        bases.append(from_files(arguments, time=time, meta_columns=arguments.meta_column))
    if arguments.store:
        which = {"resampling": arguments.resampling, "seed": arguments.run_seed, "kind": kind}
        bases.append(from_store(arguments, time=time, alone=not arguments.results, **which))
    if (arguments.shipped and "shipped" not in arguments.base) or not bases:
        bases.append(shipped_knowledge(kind or (bases[0].kind if bases else _kind_of_known(arguments.known))))
    return merge_knowledge(bases)


def _kind_of_known(name: str) -> str:
    """Return which of the bases that ship knows a data set; that of classes where none does."""
    from tiebreak.advisor import shipped_knowledge

    return "number" if name in shipped_knowledge("number").datasets else "classes"


def from_files(arguments: argparse.Namespace, *, time: Sequence[str] | None, meta_columns: Sequence[str]) -> Knowledge:
    """Read tables of results and what describes their data sets."""
    from tiebreak.advisor import read_knowledge

    plain = ("meta", "score", "errors", "where", "duplicates", "meta_id", "origins", "normalise_cost")
    return read_knowledge(
        arguments.results,
        time=time,
        higher_is_better=options.direction(arguments),
        columns=options.roles(arguments.column),
        meta_columns=_pairs(meta_columns, option="--meta-column", example="n_examples=N"),
        **{name: getattr(arguments, name) for name in plain},
    )


def from_store(
    arguments: argparse.Namespace, *, time: Sequence[str] | None, alone: bool = True, **which: Any
) -> Knowledge:
    """Read a store; beside files (not `alone`) the options about columns are theirs."""
    from tiebreak.advisor import store_knowledge

    score = arguments.score if alone else None
    about = {**described(arguments), "where": arguments.where} if alone else {}
    about["normalise_cost"] = arguments.normalise_cost
    return store_knowledge(arguments.store, score=score, time=time if alone else None, **about, **which)


def described(arguments: argparse.Namespace, like: str | None = None) -> dict[str, Any]:
    """Read the files that describe data sets: their meta-attributes, and which share an origin."""
    from tiebreak.advisor import read_meta, read_origins

    return {
        "meta": read_meta(arguments.meta, id=arguments.meta_id, like=like)[0] if arguments.meta else None,
        "origins": read_origins(arguments.origins, like=like) if arguments.origins else None,
    }


def _times(text: str | None) -> list[str] | None:
    """The word none means no times at all; without the option the usual columns are taken."""
    return [] if text == "none" else _listed(text)


def _recommended(
    arguments: argparse.Namespace, known: Knowledge, data: Any, reference: DataReference | None
) -> Recommendation | PilotedRecommendation:
    """A known data set is not loaded: its measures are in the base, its own results left out."""
    from tiebreak.advisor import Advisor
    from tiebreak.trying import recommend

    planned = {name: getattr(arguments, name) for name in ("budget", "trial", "least_gain")}
    choices = _choices(arguments) | {name: value for name, value in planned.items() if value is not None}
    if arguments.known:
        return Advisor(known).recommend_known(arguments.known, **choices)
    return recommend(known, data, pilot=arguments.pilot, seed=arguments.seed, source=reference, **choices)


def _choices(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a recommendation that trying it out has too."""
    about = ("method", "weighting", "scaling", "exclude", "without", "incomplete", "floor", "resolution")
    plain = (*about, "times", "patience")
    found = {
        **{name: getattr(arguments, name) for name in plain},
        "accd": _accd(arguments),
        "neighbours": _count(arguments.neighbours),
        "measures": arguments.measures if arguments.measures in ("all", "select") else _listed(arguments.measures),
        "weights": _weights(arguments.weight),
        "algorithms": _listed(arguments.algorithms),
    }
    if arguments.variant is None:
        return found
    from tiebreak.advisor.worth.recipes import PUBLISHED

    published = PUBLISHED[arguments.variant]
    return found | {name: published[name] for name in published if found[name] == _UNSAID.get(name)}


def _reference(arguments: argparse.Namespace) -> DataReference:
    """Through a reference, so that everything a plan can name can be named here."""
    from tiebreak.datasets.references import DataReference

    told = {name: getattr(arguments, name) for name in ("name", "target", "kind") if getattr(arguments, name)}
    told |= {name: _listed(each) for name in ("symbolic", "drop", "keep") if (each := getattr(arguments, name))}
    if arguments.keep == "all":
        told["keep"] = "all"
    return DataReference.of({"source": arguments.data, **told})


def _accd(arguments: argparse.Namespace) -> float | None:
    """The parser lets one of the two ways through at most; without any, accuracy alone counts."""
    from tiebreak.advisor.rankings import accd_from

    if arguments.trade:
        return accd_from(arguments.trade)
    return None if arguments.accd is None else float(arguments.accd)


def _count(text: str) -> int | str:
    """What is no number stays text and is judged by the advisor, which knows the words."""
    return int(text) if text.lstrip("-").isdigit() else text


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]


def _pairs(pairs: Sequence[str], *, option: str, example: str) -> dict[str, str]:
    """Parse NAME=VALUE options."""
    out = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or not value:
            raise OptionError(
                f"{option} {pair!r} is not NAME=VALUE.", why="Both sides are needed.", mend=f"Use {option} {example}."
            )
        out[name.strip()] = value.strip()
    return out


def _weights(pairs: list[str]) -> dict[str, float] | None:
    found = _pairs(pairs, option="--weight", example="n_examples=2")
    try:
        return {name: float(value) for name, value in found.items()} or None
    except ValueError:
        raise OptionError(
            f"--weight {pairs[0]!r} does not end with a number.",
            why="The difference in a measure is multiplied by its weight.",
            mend="Use --weight n_examples=2.",
        ) from None
