"""`tiebreak demo`: the answer on the published results that the package carries, and the published rules."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli.answering import Answer
from tiebreak.wording import on_the_command_line

if TYPE_CHECKING:
    from tiebreak.ordering import Ordering

NAME = "Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)"


def demo(values: Namespace) -> Answer:
    """Order all data sets by worth, and by the published rules; print, and write the report."""
    from tiebreak.comparison import compare
    from tiebreak.ordering import order
    from tiebreak.readers import published
    from tiebreak.reporting import report

    results = published.ulas2012()
    told: dict[str, Any] = {"score": "accuracy", "seed": 0}
    comparison = compare(results, score="accuracy")
    worth = {cost: order(results, cost=cost, **told) for cost in ("train_time", "space")}
    one = order(results, cost="train_time", dataset="optdigits", rule="multitest", inner_adjust="none", **told)
    places = order(results, cost="train_time", variant="2012", **told)
    page = Path(values.out) / "report.html"
    report(*worth.values(), places, one, comparison, name=NAME).save(page)  # the first order is what the page answers
    return Answer(
        data=lambda: {
            "compare": comparison.to_dict(),
            "order": {cost: ordering.to_dict() for cost, ordering in worth.items()},
            "multitest": one.to_dict(),
            "multi2test": places.to_dict(),
        },
        text="\n".join([*_answer(worth["train_time"]), "", *_published(one, places), "", f"Page: {page}"]),
        written=True,
    )


def _answer(ordering: Ordering) -> list[str]:
    """The answer with its frontier, without the last line, which names options."""
    with on_the_command_line("order"):  # whose options the answer names
        return [f"{NAME}", "", *str(ordering).splitlines()[:-1]]


def _published(one: Ordering, places: Ordering) -> list[str]:
    """The published rules by name, and why they order differently."""
    decided = [sum(reason.by == "test" for reason in each.reasons) for each in (one, places)]
    return [
        f"MultiTest (Yildiz, Alpaydin 2006) on optdigits: {', '.join(one.order)}",
        f"Multi2Test (Ulas, Yildiz, Alpaydin 2012) on all: {', '.join(places.order)}",
        "They differ because a costlier one moves ahead only if significantly better: tests",
        f"decide {decided[0]} of {len(one.order)} places on optdigits and {decided[1]} on all. Worth needs no proof.",
    ]
