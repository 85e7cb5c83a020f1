"""The verbs that answer from tables: what each does beside reading, calling its function and printing."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak._lazy import late
from tiebreak.caveats import codes_of
from tiebreak.cli.answering import Answer, check_figure, emit, runner, save_figure, values_of
from tiebreak.cli.sources import (
    OF_FILES,
    arguments_of,
    direction,
    known_names,
    names_of,
    part_of,
    read_scores,
    read_table,
    roles,
    settings_of,
    split_pairs,
    ways_to_read,
)
from tiebreak.errors import OptionError, TiebreakError
from tiebreak.verbs import verb_of
from tiebreak.wording import option, shell

if TYPE_CHECKING:
    from tiebreak.documents import Shown
    from tiebreak.results import Results

MOST_READ_AGAIN = 500_000
"""Larger tables are not read again for the scores and costs that nobody named."""


# ---- compare, order, several measures


def compare(values: Namespace) -> Answer:
    """Read, compare; with `--full` effects and intervals, with `--rope` Bayesian tests."""
    from tiebreak.comparison import Comparison, compare as function
    from tiebreak.documents.words import finite_rows

    check_figure(values)
    result = function(read_scores(values, values.score, directed=False), **arguments_of(values))
    added: dict[str, Shown] = {}
    if values.full and type(result) is Comparison:  # on items every pair has its interval
        added = {"wins": result.wins(), "effects": result.effects(), "intervals": result.intervals()}
    if values.rope is not None:
        added["bayes"] = result.bayes(rope=values.rope, rng=values.seed)
    equal = {"margin": values.rope} if values.rope and values.figure_kind == "forest" else {}
    save_figure(result, values, **equal)
    return Answer(
        data=lambda: result.to_dict() | {name: finite_rows(item.rows()) for name, item in added.items()},
        shown=(result, *added.values()),
    )


def order(values: Namespace) -> Answer:
    """Read, order; with `--explain` say why one of two stands before the other."""
    from tiebreak.ordering import order as function

    check_figure(values)
    results = _read_with_costs(values)
    result = function(results, **_of_order(values, results))
    save_figure(result, values)
    return _explained(result, values)


def _read_with_costs(values: Namespace) -> Results:
    """Read the scores and the costs that were named; every cost where none was."""
    from tiebreak.comparison.trade import cost_and_trades

    no_more = getattr(values, "prior", None) or getattr(values, "costs", None)
    costs = cost_and_trades(values.cost or None)[0]
    also = costs or (() if no_more else None)
    return read_scores(values, names_of(values.score), also=also, directed=False)


def _of_order(values: Namespace, results: Results) -> dict[str, Any]:
    names = names_of(values.score)
    more = {"score": names[0] if names and len(names) == 1 else names, "cost": values.cost or None}
    if hasattr(values, "prior"):
        more["prior"] = known_names(values.prior, results.algorithms)
    return arguments_of(values, **more)


def _explained(result: Any, values: Namespace) -> Answer:
    """Add why one of two stands before the other."""
    if values.explain is None:
        return Answer(shown=(result,))
    pair = known_names(values.explain, result.algorithms) or []
    if len(pair) != 2:
        mend = f"Name two: {option(explain='a,b')}."
        raise OptionError(f"--explain {values.explain!r} names {len(pair)} algorithm(s).", mend=mend)
    reasons = result.explain(*pair)
    return Answer(data=lambda: result.to_dict() | {"explained": reasons}, text=str(reasons))


def multivariate(values: Namespace) -> Answer:
    """Read the measures; where the table lacks one, its counts too, to make it from them."""
    from tiebreak.multivariate_tests import multivariate as function

    check_figure(values)
    names = names_of(values.scores) or [""]
    if not all(names):
        raise OptionError(f"--scores {values.scores!r} holds an empty name.", mend=f"Use {option(scores='tpr,fpr')}.")
    if values.store and values.average != "binary":
        mend = f"Leave it out; {option(positive=...)} {option(dataset=...)} compares one class with all others."
        raise OptionError(f"--average {values.average} was given with --store.", mend=mend)
    read = copy(values)
    if values.store and values.dataset and "," not in values.dataset:
        read.where = [*values.where, f'dataset in "{values.dataset}"']  # a positive class need not be one of all others
    results = read_table(read, names, also=[values.cost] if values.cost else ())
    arguments = arguments_of(
        values,
        scores=names,
        blocked=False if values.one_way else None,
        positive=None if values.store else values.positive,  # the measures of a store are made as it is read
    )
    result = function(results, **arguments)
    save_figure(result, values)
    return Answer(shown=(result,))


# ---- models on items


def power(values: Namespace) -> Answer:
    """Plan from a table, or from numbers."""
    from tiebreak.documents import Answer as ShortAnswer
    from tiebreak.documents.words import finite_rows
    from tiebreak.evals.planning import describe, power as function
    from tiebreak.stats import ItemPlan

    results = read_scores(values, values.score) if values.results or hasattr(values, "store") else None
    result = function(results, **arguments_of(values))
    if not isinstance(result, ItemPlan):
        return Answer(shown=(result,))
    text, notes = describe(result), {"caveats": list(result.caveats), "caveat_codes": codes_of(result.caveats)}
    fields = {"answer": ShortAnswer(headline=text).to_dict(), **finite_rows(result.rows())[0], "text": text, **notes}
    return Answer(data=lambda: fields, text="\n".join([text, *(f"- {note}" for note in result.caveats)]))


def gate(values: Namespace) -> Answer:
    """Read both sides, judge; the exit code is that of the verdict."""
    from tiebreak.evals.gate import gate as function, junit_of

    if values.margin is None:
        mend = f"Use {option(margin=0.01)}, in units of the score, {option(margin='1%')} of that of the base, or"
        raise OptionError("No margin was given.", mend=f"{mend} {option(margin=0)} to ask whether it is better.")
    if len(values.results) > 2:
        mend = "Name BASE and CANDIDATE; a folder of logs is one source."
        raise OptionError(f"{len(values.results)} sources were named.", mend=mend)
    sides = []
    for source in values.results or [None]:
        side = copy(values)
        side.results = [] if source is None else [source]
        also = () if values.cost is None else [values.cost]
        sides.append(read_scores(side, values.score, also=also))
    result = function(*sides, **arguments_of(values))
    if values.summary is not None:
        emit(result.to_markdown(), values.summary)
    if values.junit is not None:
        emit(junit_of(result), values.junit)
    return Answer(shown=(result,), code=result.exit_code)


def battles(values: Namespace) -> Answer:
    """Fit votes, order."""
    from tiebreak.evals.battles import battles as function

    check_figure(values)
    part, where = part_of(values.where)
    if part["datasets"]:
        where = [*where, *(item for item in values.where if item not in where)]
    labels = split_pairs("--label", values.label, str.rpartition, such_as="1=left")
    reading = {"algorithms": part["algorithms"], "where": where, "columns": roles(values.column)}
    result = function(values.votes, prices=values.prices, **reading, **arguments_of(values, labels=labels))
    save_figure(result, values)
    return _explained(result, values)


# ---- pages and folders


def board(values: Namespace) -> Answer:
    """Read, order, write a folder."""
    from tiebreak.evals.board import board as function
    from tiebreak.evals.board.entries import with_profiles

    results = _read_with_costs(values)
    anew = values.since == "none"
    options = _of_order(values, results) | {"since": None if anew else values.since}
    named = function(results, **options)
    if len(values.results) == 1:
        named = with_profiles(named, values.results[0])
    made = named.save(values.out, anew=anew)
    many, tiers = len(made.entries), len(made.tiers)
    counts = f"{many} {made.facts.noun}{'s' * (many != 1)} in {tiers} tier{'s' * (tiers != 1)}"
    changes = () if made.changes is None else made.changes.sentences()
    line = f"{made.title()}: {counts}, {made.entries[0].algorithm} first; written to {Path(values.out) / 'index.html'}"
    return Answer(shown=(made,), text="\n".join([line, *changes]), written=True)


def report(values: Namespace) -> Answer:
    """Read, compare, order by every cost, write one page."""
    from tiebreak.comparison.trade import cost_and_trades
    from tiebreak.readers.loading import read_once
    from tiebreak.reporting import report as function

    options = {name: value for name, value in arguments_of(values).items() if name != "seed" or value}
    with read_once():
        costs = list(cost_and_trades(values.cost)[0] or ())
        results = read_scores(values, values.score, also=costs, directed=False)
        if costs and not values.store and len(results) <= MOST_READ_AGAIN:  # the page switches to other columns
            options["score"] = values.score or results.only_score()
            with suppress(TiebreakError):
                whole = read_scores(values, None, also=None)
                results = whole if options["score"] in whole.scores else results
    result = function(results, **options)
    result.save(values.out)
    return Answer(shown=(result,), text=f"{result.title()}: written to {values.out}", written=True)


def paper(values: Namespace) -> Answer:
    """Look a paper up in the ledger."""
    from tiebreak.studies import paper as function
    from tiebreak.studies.papers.ledger import PaperLedger

    ledger = function(values.name)
    text = ledger.full() if values.full and isinstance(ledger, PaperLedger) else None
    return Answer(text=text, shown=(ledger,))


def check(values: Namespace) -> Answer:
    """Check the claims of a document."""
    from tiebreak.checking import check as function

    paper, how = settings_of(values.paper, ("transpose", "keep_rows", "decimal"))
    arguments = arguments_of(values, claim=values.claim or None) | how
    result = function(paper, **arguments)
    wrong = values.strict and not result.supported
    return Answer(shown=(result,), code=1 if wrong else 0)


def read(values: Namespace) -> Answer:
    """Read one file, say how, and write it."""
    from tiebreak.readers.explaining import explain, write
    from tiebreak.results.roles import on_one_scale

    if len(values.results) != 1:
        mend = f"Name one: tiebreak read {shell((values.results or ['results.csv'])[0])}."
        raise OptionError(f"{len(values.results)} files were named.", mend=mend)
    path, more = settings_of(values.results[0], OF_FILES)
    scale = more.pop("normalise_cost", values.normalise_cost)
    how = ways_to_read(values) | {"prices": values.prices} | more
    result = explain(path, higher_is_better=direction(values), **how)
    result = replace(result, results=on_one_scale(result.results, scale))
    if not values.out:
        return Answer(shown=(result,), written=True)
    write(result.results, Path(values.out), long=values.long)
    message = f"Written to {values.out}. Other verbs read it as it is: '{values.out}?plain'."
    return Answer(text=f"{result}\n\n{message}", shown=(result,), written=True)


# ---- figures


_KINDS = {"Comparison": "compare", "Ordering": "order", "MultivariateComparison": "multivariate", "Battles": "battles"}
"""Results that have figures, and the verbs that compute them."""


def figure(values: Namespace) -> Answer:
    """Compare, order, or fit votes, as the kind of figure needs; draw; and say where."""
    from tiebreak.figures import KINDS

    verbs = [verb for holder, verb in _KINDS.items() if values.kind in KINDS[holder]]
    if not verbs:
        names = list(dict.fromkeys(kind for holder in _KINDS for kind in KINDS[holder]))
        mend = f"Name one of {', '.join(names)} behind the tables: tiebreak figure results.csv cd."
        raise OptionError(f"{values.kind!r} is no kind of figure.", mend=mend)
    verb = "order" if "order" in verbs and values.cost else verbs[0]
    known = {option.key for option in verb_of(verb).options} - {"out"}
    given = {key: value for key, value in vars(values).items() if key in known}
    if verb in ("multivariate", "battles"):
        given |= {"scores": values.score or "", "votes": values.results[0]}
        given["cost"] = values.cost[0] if values.cost else None
    made = runner(verb)(values_of(verb, given | {"figure": values.out, "figure_kind": values.kind}))
    assert made is not None
    return Answer(text=f"{values.out}: {values.kind}, {made.shown[0].title()}", written=True)


# ---- the demo


def demo(values: Namespace) -> Answer:
    """Order the published results by worth, and by the published rules; print, and write the report."""
    from tiebreak.reporting.building import demo as function, demo_text

    result = function()
    page = Path(values.out) / "report.html"
    result.save(page)
    worth, by_space, places, one, comparison = (part.data for part in result.parts)
    data = {"order": {"train_time": worth, "space": by_space}, "multitest": one, "multi2test": places}
    text = f"{demo_text(result)}\nPage: {page}"
    return Answer(data=lambda: {"compare": comparison, **data}, text=text, written=True)


# ---- the server, tools for assistants, and shells


def serve(values: Namespace) -> Answer | None:
    """Start the server, or say what would be started."""
    arguments = arguments_of(values)
    if values.check:
        settings = late("tiebreak.web.settings", "settings_from")(**arguments)
        return Answer(text=str(late("tiebreak.web.serving", "checked")(settings)))
    late("tiebreak.web.serving", "serve")(**arguments)
    return None


def mcp(values: Namespace) -> Answer | None:
    """Serve, or list the tools."""
    if values.list:
        text = str(late("tiebreak.web.tools", "listing")(as_json=values.json))
        values.json = False
        return Answer(text=text)
    late("tiebreak.web.tools", "mcp")(values.root)
    return None


def completion(values: Namespace) -> Answer:
    """Print the script of a shell."""
    from tiebreak.cli.completion import completion as function

    return Answer(text=function(values.shell))
