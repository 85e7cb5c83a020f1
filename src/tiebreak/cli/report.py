"""`tiebreak report`: one page on a table of results."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tiebreak.cli import options
from tiebreak.cli.helping import COSTS, WRITE, add_verb, group
from tiebreak.cli.order import add_rule
from tiebreak.cli.table_reading import read_measures
from tiebreak.errors import TiebreakError
from tiebreak.wording import on_the_command_line

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison
    from tiebreak.ordering import Ordering
    from tiebreak.tables import Results


MOST_READ_AGAIN = 500_000
"""Larger tables are not read again for the scores and costs that nobody named."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "report",
        help="one page: comparison, and order where there is a cost; html, md, tex or json",
        description="Compare, order where a cost is named, and write one self-contained report.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/demsar2006.csv --score auc",
            "examples/ulas2012.csv --score accuracy --cost train_time --cost space -o ulas.html",
        ],
    )
    write, costs = group(verb, WRITE), group(verb, COSTS)
    write.add_argument("-o", "--out", default="report.html", metavar="FILE", help="report.html, .md, .tex or .json")
    write.add_argument("--title", metavar="TEXT", help="the title of the report")
    costs.add_argument("--cost", action="append", metavar="NAME", help="a cost to order by; several times: a part each")
    costs.add_argument("--costs", metavar="FILE", help="a second file with costs per data set and algorithm")
    add_rule(verb)
    costs.add_argument("--order-pairwise", metavar="TEST", help="--pairwise of order")
    options.add_comparing(verb)
    options.add_scale(verb)
    options.add_missing(verb, "compare")
    options.add_missing_costs(verb)
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, order, write."""
    from tiebreak.ordering import cost_and_trades
    from tiebreak.reading.loading import read_once
    from tiebreak.reporting import report

    names = None if arguments.score is None else [arguments.score]
    with read_once():
        costs = list(cost_and_trades(arguments.cost)[0] or ())
        results = read_measures(arguments, names, also=costs, costs=arguments.costs)
        answers, told = _answers(results, arguments)
        others = _others(results, arguments, told)
    found = report(*answers, name=arguments.title, also=others)
    found.save(arguments.out)
    options.stdout_utf8()
    print(options.as_json(found.to_dict()) if arguments.json else f"{found.title()}: written to {arguments.out}")


def _others(results: Results, arguments: argparse.Namespace, told: dict[str, Any]) -> list[Ordering]:
    """Orders by the other scores and costs of the file, for the page to switch to; none where they cannot be read."""
    from tiebreak.ordering import cost_and_trades
    from tiebreak.reporting import other_orders

    if not arguments.cost or arguments.store or len(next(iter(results.values.values()))) > MOST_READ_AGAIN:
        return []
    with suppress(TiebreakError), on_the_command_line("the order of report"):
        whole = read_measures(arguments, None, also=None, costs=arguments.costs)
        costs = list(cost_and_trades(arguments.cost)[0] or ())
        return other_orders(whole, told["score"] or results.only_score(), costs, told)
    return []


def _answers(results: Results, arguments: argparse.Namespace) -> tuple[list[Comparison | Ordering], dict[str, Any]]:
    """One comparison and one order per cost, all by the same score, level and policy for gaps; what orders are told."""
    from tiebreak.deciding.compare import compare
    from tiebreak.deciding.gaps import check_policy, completed, settled
    from tiebreak.deciding.said import check_said
    from tiebreak.ordering import order
    from tiebreak.tables import directions

    verb = "order" if arguments.cost else "compare"  # with an order only what it takes too can be offered
    check_policy(arguments.missing, verb)
    score, way = arguments.score or results.only_score(), options.direction(arguments)
    check_said(results, score, lambda: directions(results, score, way), missing=arguments.missing, verb=verb)
    if arguments.missing == "refuse":
        settled(results, score, policy="refuse", verb=verb)
    completed(results, [score], policy=arguments.missing, verb=verb, told=way)  # offers what both parts take
    shared = options.passed(
        arguments, "score alpha missing scale baseline", higher_is_better=options.direction(arguments)
    )
    compared = compare(results, **shared, **options.passed(arguments, "omnibus pairwise posthoc control"))
    told = options.passed(arguments, "missing_costs trade accd rule variant seed", pairwise=arguments.order_pairwise)
    with on_the_command_line("the order of report"):  # where --pairwise is the test of the comparison
        orders = [order(results, cost=cost, **told, **shared) for cost in arguments.cost or ()]
    return [compared, *orders], told | shared
