"""`tiebreak battles`: votes on pairs -> strengths, groups, and an order with price."""

from __future__ import annotations

import argparse

from tiebreak.cli import drawing, options
from tiebreak.cli.explaining import pair_of
from tiebreak.cli.helping import COMPARE, COSTS, READ, TEST, WRITE, add_verb, group
from tiebreak.methods import choices_text


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "battles",
        help="votes on pairs: who is stronger, and which is worth its price",
        description="Fit Bradley and Terry's model with ties to votes on pairs, with errors clustered by prompt and"
        " voter; test all pairs; order by win rate where the difference is worth its price, by price where it is not.",
        takes="VOTES",
        parents=[options.common()],
        examples=[
            "examples/votes.csv --prices examples/prices.csv --cost price",
            "examples/ulas2012.csv --score accuracy --cost train_time --tie-within 0.5 --explain svl,5nn",
        ],
    )
    _add_reading(verb)
    _add_tests(verb)
    add = group(verb, COSTS).add_argument
    add(
        "--cost",
        metavar="NAME",
        help="the cost: a column of --prices (default price), or NAME_a and NAME_b beside votes",
    )
    add("--prices", metavar="FILE", help="a file of algorithms and what each costs")
    add("--trade", metavar="X", help="what ten times the price must buy: 1%% of the best win rate (default) or 0.5pt")
    add("--accd", type=float, metavar="X", help="the same as in the papers: --accd 0.01 is --trade 1%%")
    add("--rule", metavar="RULE", help="worth (default) or multitest (Yildiz, Alpaydin 2006)")
    group(verb, WRITE).add_argument("--explain", metavar="A,B", help="say why one of two stands before the other")
    options.add_formats(verb)
    drawing.add_figure(verb, kinds="strengths or win-probabilities", top=True)
    options.add_out(verb)
    verb.set_defaults(run=run)


def _add_reading(verb: argparse.ArgumentParser) -> None:
    """Add the options that say how votes, or a table of scores, are read."""
    add, part = group(verb, READ).add_argument, group(verb, COMPARE).add_argument
    add("votes", metavar="VOTES", help="csv, tsv, json, jsonl or parquet of votes, - for standard input; or of scores")
    roles = "which column plays which role: left, right, winner, prompt, voter; or, with --score, as for compare"
    add("--column", action="append", default=[], metavar="ROLE=HEADER", help=roles)
    meaning = "what a label of the winner column means: left, right, tie, both-bad or drop; may be repeated"
    add("--label", action="append", default=[], metavar="LABEL=MEANING", help=meaning)
    add("--both-bad", default="tie", metavar="RULE", help="votes that call both bad: tie (default) or drop")
    add("--duplicates", default="keep", metavar="RULE", help="votes that repeat another: keep (default) or drop")
    options.add_where(group(verb, READ))
    add("--score", metavar="NAME", help="a table of scores: on each data set who has the better score wins")
    add("--higher-is-better", action="store_true", help="where the score's name does not tell")
    add("--lower-is-better", action="store_true", help="the same for losses and errors")
    add("--tie-within", type=float, default=0.0, metavar="X", help="scores no further apart are a tie (default 0)")
    part("--algorithms", metavar="A,B", help="only battles between these")
    part(
        "--disconnected", default="refuse", metavar="RULE", help="parts that no votes join: refuse (default) or largest"
    )


def _add_tests(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the model and the tests."""
    add = group(verb, TEST).add_argument
    add("--ties", default="davidson", metavar="MODEL", help="davidson (default), rao-kupper, or half: half a win each")
    clusters = "what votes hang together by: prompt, voter, prompt,voter (default where known) or none"
    add("--cluster", metavar="KINDS", help=clusters)
    corrections = choices_text("correction", verb="compare")
    add("--posthoc", metavar="NAME", help=f"correction for all pairs: {corrections}; default shaffer")
    more = "add so many votes for every algorithm, and as many against it, as a prior (default 0)"
    add("--pseudo-votes", type=float, default=0.0, metavar="X", help=more)
    add("--anchor", metavar="NAME", help="the algorithm whose Elo is 1000 (default: the mean of all)")


def run(arguments: argparse.Namespace) -> None:
    """Read, fit, order, print."""
    from tiebreak.deciding.battles import battles

    drawing.check_figure(arguments)
    told = options.passed(
        arguments,
        "cost prices ties cluster alpha trade accd rule disconnected pseudo_votes anchor both_bad duplicates score"
        " tie_within",
        adjust=arguments.posthoc,
        algorithms=options.names_of(arguments.algorithms),
        columns=options.roles(arguments.column),
        labels=_labels(arguments.label),
        where=arguments.where,
        higher_is_better=options.direction(arguments),
    )
    found = battles(arguments.votes, **told)
    pair = pair_of(arguments, found.algorithms)
    if arguments.json:
        text = options.as_json(found.to_dict() | ({"explained": found.explain(*pair)} if pair else {}))
    else:
        text = found.explain(*pair) if pair else options.written(found, arguments)
    drawing.save_figure(found, arguments)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def _labels(pairs: list[str]) -> dict[str, str]:
    """Parse the values of --label; a label may hold an equals sign itself."""
    why = "It says what a label of the winner column means."
    return options.split_pairs("--label", pairs, str.rpartition, why=why, such_as="1=left")
