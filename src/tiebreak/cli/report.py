"""`tiebreak report`: one page on a table of results."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak.cli import options

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison
    from tiebreak.deciding.order import Ordering
    from tiebreak.tables import Results


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "report",
        help="one page: comparison, and order where there is a cost; html, md, tex or json",
        description="Compare, order where a cost is named, and write one self-contained report.",
        parents=[options.table(), options.common()],
    )
    verb.add_argument("-o", "--out", default="report.html", metavar="FILE", help="report.html, .md, .tex or .json")
    verb.add_argument("--title", metavar="TEXT", help="the title of the report")
    verb.add_argument("--costs", metavar="FILE", help="a second file with costs per data set and algorithm")
    verb.add_argument("--cost", action="append", metavar="NAME", help="a cost to order by; several times: a part each")
    verb.add_argument("--order-pairwise", default="5x2cv-f", metavar="TEST", help="--pairwise of order")
    verb.add_argument("--omnibus", metavar="TEST", help="as in compare")
    verb.add_argument("--pairwise", metavar="TEST", help="as in compare")
    verb.add_argument("--posthoc", metavar="TEST", help="as in compare")
    verb.add_argument("--control", metavar="NAME", help="as in compare")
    verb.add_argument("--missing", default="refuse", metavar="POLICY", help="as in compare")
    verb.add_argument("--ties", default="refuse", metavar="RULE", help="as in order")
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, order, write."""
    from tiebreak.reporting import report

    results = options.read_table(arguments, scores=arguments.score, also=arguments.cost or (), costs=arguments.costs)
    found = report(*_answers(results, arguments), name=arguments.title)
    found.save(arguments.out)
    options.stdout_utf8()
    print(options.as_json(found.to_dict()) if arguments.json else f"{found.title()}: written to {arguments.out}")


def _answers(results: Results, arguments: argparse.Namespace) -> list[Comparison | Ordering]:
    from tiebreak.deciding.compare import compare
    from tiebreak.deciding.order import order

    direction = options.direction(arguments)
    found: list[Comparison | Ordering] = [
        compare(
            results,
            score=arguments.score,
            omnibus=arguments.omnibus,
            pairwise=arguments.pairwise,
            posthoc=arguments.posthoc,
            control=arguments.control,
            missing=arguments.missing,
            alpha=arguments.alpha,
            higher_is_better=direction,
        )
    ]
    found += [
        order(
            results,
            score=arguments.score,
            cost=cost,
            pairwise=arguments.order_pairwise,
            ties=arguments.ties,
            alpha=arguments.alpha,
            missing=arguments.missing,
            higher_is_better=direction,
        )
        for cost in arguments.cost or ()
    ]
    return found
