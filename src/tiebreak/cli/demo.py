"""`tiebreak demo`: the main job on the published results that the package carries."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiebreak.cli import options


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "demo",
        help="the published results of 8 algorithms on 38 data sets, compared and ordered",
        description="Compare and order the published results of Ulas, Yildiz and Alpaydin (2012).",
        parents=[options.common()],
    )
    verb.add_argument(
        "--out", metavar="DIR", default="demo-report", help="where report.html goes (default demo-report)"
    )
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Compare the published table, order it by both costs, and print."""
    from tiebreak.deciding.compare import compare
    from tiebreak.deciding.order import order
    from tiebreak.reading import published
    from tiebreak.reporting import report

    results = published.ulas2012()
    found = compare(results, score="accuracy", alpha=arguments.alpha)
    orders = {
        cost: order(results, score="accuracy", cost=cost, alpha=arguments.alpha) for cost in ("train_time", "space")
    }
    page = Path(arguments.out) / "report.html"
    report(found, *orders.values(), name="Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)").save(page)
    options.stdout_utf8()
    if arguments.json:
        data = {"compare": found.to_dict(), "order": {cost: each.to_dict() for cost, each in orders.items()}}
        options.emit(options.as_json(data), None)
    else:
        said = [str(each) for each in (found, *orders.values())]
        options.emit("\n\n\n".join([*said, f"The report is in {page}."]), None)
