"""`tiebreak demo`: the answer on the published results that the package carries, and the published rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.cli import options
from tiebreak.cli.helping import WRITE, add_verb, group

if TYPE_CHECKING:
    from tiebreak.ordering import Ordering

NAME = "Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "demo",
        help="the published results of 8 algorithms on 38 data sets, compared and ordered",
        description="Order the published results of Ulas, Yildiz and Alpaydin (2012): by worth, and as they did.",
        parents=[options.common()],
        examples=["", "--json --out elsewhere"],
    )
    group(verb, WRITE).add_argument(
        "--out", metavar="DIR", default="demo-report", help="where report.html goes (default demo-report)"
    )
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Order all data sets by worth, and by the published rules; print, and write the report."""
    from tiebreak.deciding.compare import compare
    from tiebreak.ordering import order
    from tiebreak.reading import published
    from tiebreak.reporting import report

    results = published.ulas2012()
    told = {"score": "accuracy", "alpha": arguments.alpha, "seed": arguments.seed}
    comparison = compare(results, score="accuracy", alpha=arguments.alpha)
    worth = {cost: order(results, cost=cost, **told) for cost in ("train_time", "space")}
    one = order(results, cost="train_time", dataset="optdigits", rule="multitest", inner_adjust="none", **told)
    places = order(results, cost="train_time", variant="2012", **told)
    page = Path(arguments.out) / "report.html"
    report(*worth.values(), places, one, comparison, name=NAME).save(page)  # the first order is what the page answers
    options.stdout_utf8()
    if arguments.json:
        data = {
            "compare": comparison.to_dict(),
            "order": {cost: ordering.to_dict() for cost, ordering in worth.items()},
            "multitest": one.to_dict(),
            "multi2test": places.to_dict(),
        }
        options.emit(options.as_json(data), None)
    else:
        options.emit(
            "\n".join([*_answer(worth["train_time"]), "", *_published(one, places), "", f"Page: {page}"]), None
        )


def _answer(ordering: Ordering) -> list[str]:
    """The answer with its frontier, without the last line, which names options."""
    return [f"{NAME}", "", *str(ordering).splitlines()[:-1]]


def _published(one: Ordering, places: Ordering) -> list[str]:
    """The published rules by name, and why they order differently."""
    return [
        f"MultiTest (Yildiz, Alpaydin 2006) on optdigits: {', '.join(one.order)}",
        f"Multi2Test (Ulas, Yildiz, Alpaydin 2012) on all: {', '.join(places.order)}",
        "Both put the cheaper first unless a costlier one is significantly better: they ask for",
        "proof, worth asks what the difference is worth.",
    ]
