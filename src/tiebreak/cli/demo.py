"""`tiebreak demo`: the main job in three acts, on the published results that the package carries."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.cli import options
from tiebreak.cli.helping import WRITE, add_verb, group

if TYPE_CHECKING:
    from tiebreak.deciding.order import Ordering

NAME = "Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "demo",
        help="the published results of 8 algorithms on 38 data sets, compared and ordered",
        description="Compare and order the published results of Ulas, Yildiz and Alpaydin (2012), in three acts.",
        parents=[options.common()],
        examples=["", "--json --out elsewhere"],
    )
    group(verb, WRITE).add_argument(
        "--out", metavar="DIR", default="demo-report", help="where report.html goes (default demo-report)"
    )
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Order one data set, all of them by scores, and all of them by places; print, and write the report."""
    from tiebreak.deciding.compare import compare
    from tiebreak.deciding.order import order
    from tiebreak.reading import published
    from tiebreak.reporting import report

    results = published.ulas2012()
    told = {"score": "accuracy", "alpha": arguments.alpha, "seed": arguments.seed}
    found = compare(results, score="accuracy", alpha=arguments.alpha)
    one = order(results, cost="train_time", dataset="optdigits", inner_adjust="none", **told)
    scores = {cost: order(results, cost=cost, **told) for cost in ("train_time", "space")}
    places = order(results, cost="train_time", variant="2012", **told)
    page = Path(arguments.out) / "report.html"
    report(*scores.values(), places, one, found, name=NAME).save(page)  # the first order is what the page answers
    options.stdout_utf8()
    if arguments.json:
        data = {
            "compare": found.to_dict(),
            "order": {cost: each.to_dict() for cost, each in scores.items()},
            "one": one.to_dict(),
            "places": places.to_dict(),
        }
        options.emit(options.as_json(data), None)
    else:
        acts = [_first(one), _second(scores["train_time"]), _third(scores["train_time"], places)]
        options.emit("\n\n".join([*acts, f"The report, with the comparison and every number, is in {page}."]), None)


def _first(found: Ordering) -> str:
    """One data set: a test of the folds against cost."""
    edges = found.graph()[1]
    return "\n".join(
        [
            "Act 1. One data set: optdigits, ten fold accuracies and a training time for each of 8 algorithms",
            "The cheaper stands first, unless a costlier one is significantly better (5x2 cv F test on the folds).",
            f"That is so in {len(edges)} pairs, and there the test overrides cost:",
            *_steps(found),
        ]
    )


def _second(found: Ordering) -> str:
    """Many data sets: the same rule with tests over data sets."""
    firm = found.firmness
    often = (
        "" if firm is None else f" The whole order survives in {firm.survived:.0%} of {firm.repetitions:,} resamples."
    )
    return "\n".join(
        [
            f"Act 2. {len(found.datasets)} data sets, by their scores and training times",
            "The same rule, with every pair tested over data sets (Wilcoxon signed ranks, Bergmann-Hommel correction):",
            f"{int(found.better.sum())} of {len(found.tests.a)} pairs differ significantly, and cost decides the rest.",
            *_steps(found),
            f"Best: {found.best().text}{often}",
        ]
    )


def _third(found: Ordering, places: Ordering) -> str:
    """The published procedure, which counts cost inside the data sets too."""
    pairs = ", ".join(f"{a} before {b}" for a, b in places.reversed)
    a, b = places.reversed[0] if places.reversed else (places.order[0], places.order[-1])
    return "\n".join(
        [
            "Act 3. The same data by the published Multi2Test (--variant 2012), which orders by places",
            f"{' '.join(places.order)}",
            "There each data set first gives places, by test and by cost as in act 1; the places are then compared.",
            "Few tests inside a data set can decide, so its places are mostly those of cost, and cost counts twice:",
            f"{len(places.reversed)} of the {int(found.better.sum())} differences found in act 2 are turned around"
            f"{f' ({pairs})' if pairs else ''}.",
            f"For example, in act 2: {found.explain(a, b)}",
        ]
    )


def _steps(found: Ordering) -> list[str]:
    """Write the order downwards, and between two neighbours what puts the one before the other."""
    standing, lines = found.standing, []
    index = [found.algorithms.index(name) for name in found.order]
    for place, i in enumerate(index):
        lines.append(f"  {place + 1} {found.order[place]}")
        if place + 1 == len(index):
            break
        j = index[place + 1]
        if standing.prior[i] > standing.prior[j] and not standing.moves[j, i]:
            lines.append(
                f"      before {found.algorithms[j]} by test: that one waits for another, significantly better"
            )
        else:
            by = "by cost" if standing.prior[i] < standing.prior[j] and not standing.better[j, i] else "by test"
            lines.append(f"      before {found.algorithms[j]} {by}: {standing.relation(i, j)}")
    return lines
