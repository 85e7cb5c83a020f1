"""What is reported: results as they are, and tables, which are compared and ordered first; and the demo."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Any, Unpack

from tiebreak import __version__
from tiebreak.caveats import distinct
from tiebreak.comparison import compare
from tiebreak.comparison.trade import cost_and_trades
from tiebreak.documents import Shown, as_came_in
from tiebreak.errors import InputError, TiebreakError
from tiebreak.figures import Figure
from tiebreak.ordering import Ordering, order
from tiebreak.readers import published
from tiebreak.readers.taking import Reading, ReadingOne, one_score, taken
from tiebreak.reporting.result import Report, parts_of
from tiebreak.results import Results
from tiebreak.wording import on_the_command_line

MOST_OTHERS = 8
"""Orders by other scores and costs that a page holds."""
_LIBRARIES = ("numpy", "scipy", "polars", "narwhals")


class Asked(ReadingOne, total=False):
    """What is asked of results that nobody has compared yet, and how to read them; as in `compare` and `order`."""

    alpha: float
    missing: str
    scale: str
    higher_is_better: bool | Mapping[str, bool] | None
    control: str | None
    pairwise: str | None
    posthoc: str | None
    trade: str | None
    accd: float | None
    rule: str | None
    variant: str | None
    seed: int


RULES = ("worth", "multitest", "multi2test")
"""What an order can be made by."""
OF_ORDER = ("trade", "accd", "rule", "variant", "seed")
"""Options that `tiebreak.order` alone takes."""
OF_COMPARE = ("control", "pairwise", "posthoc")
"""Options of the comparison; an order has tests of its own."""


@as_came_in
def report(
    *results: Any,
    name: str | None = None,
    score: str | None = None,
    cost: str | Sequence[str] | None = None,
    also: Sequence[Ordering] = (),
    **options: Unpack[Asked],
) -> Report:
    """Report on comparisons, orderings and any other results, each a part of one page.

    Parameters
    ----------
    *results : Comparison, Ordering, MultivariateComparison or any other result
        The order that belongs to a comparison by several measures is a part of its own. Whatever `tiebreak.as_results`
        reads (a path, a frame, a dictionary, Results) is compared first, and ordered by each `cost`.
    name : str, optional
        The title of the report.
    score, cost : optional
        What to compare tables by, and the costs to order by.
    also : sequence of Ordering, optional
        Orders by other scores and costs that the page can switch to, without a part of their own. Of a table that is
        ordered here, those by the other rules, and up to eight by its other scores and costs, are added.
    **options : optional
        For tables: alpha, missing, scale, higher_is_better, control, pairwise and posthoc as in
        `tiebreak.compare`; trade, accd, rule, variant and seed (which is
        printed) as in `tiebreak.order`; columns, where, datasets and
        algorithms as in `tiebreak.as_results`.

    Returns
    -------
    Report
        Write it with `save("report.html")`, or .md, .json.

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = report(tb.compare(tb.published.demsar2006()))
    >>> result.parts[0].heading
    'Comparison by auc'
    >>> result.lead.points[0].text
    'C4.5+m+cf and C4.5+m are significantly better than C4.5; nothing else differs.'
    """
    if not results:
        raise InputError("There is nothing to report.", why="A report is about results.", mend="Pass a comparison.")
    score = one_score(score, options)
    shown: list[Shown] = []
    others = list(also)
    for given in results:
        if isinstance(given, Shown) and not isinstance(given, Results):
            shown.append(_reportable(given))
            continue
        answers, more = _of_table(given, score, cost, options)
        shown += answers
        others += more
    return Report(
        parts=tuple(part for item in shown for part in parts_of(item)),
        name=name or shown[0].title(),
        versions=_versions(),
        seed=options.get("seed"),
        also=tuple(others),
        caveats=distinct(caveat for item in shown for caveat in item.caveats),
    )


def _of_table(
    given: Any, score: str | None, cost: str | Sequence[str] | None, options: Asked
) -> tuple[list[Shown], list[Ordering]]:
    """Read, compare and order a table; return that, and its orders by the other rules, scores and costs.

    Other scores and costs are there only where the table was read in full.
    """
    costs = [] if cost is None else [cost] if isinstance(cost, str) else list(cost)
    names = list(cost_and_trades(costs)[0] or ())
    reading = {key: value for key, value in options.items() if key in Reading.__annotations__}
    settings: dict[str, Any] = {"score": score} | {key: value for key, value in options.items() if key not in reading}
    directed = settings.get("higher_is_better") is not None
    table = taken(given, "report", reading, scores=score, costs=names or None, directed=directed)
    ordered = {key: value for key, value in settings.items() if key not in OF_COMPARE}
    orders = [order(table, cost=name, **ordered) for name in costs]  # first: its errors name what both of them take
    compared = compare(table, **{key: value for key, value in settings.items() if key not in OF_ORDER})
    if names and isinstance(given, Results):
        others = other_orders(table, score or table.only_score(), names, ordered)
    else:
        others = [ordering for name in names for ordering in by_other_rules(table, {**ordered, "cost": name})]
    return [compared, *orders], others


def other_orders(
    results: Results, ordered: str, costs: Sequence[str], options: Mapping[str, Any] = MappingProxyType({})
) -> list[Ordering]:
    """Order results by every score and cost they hold, and by the other rules; what cannot be ordered so is left out.

    Not again by the score `ordered` with its `costs`, which the report holds already: those by the other rules only.
    `options` are further arguments of `tiebreak.order`.

    Examples
    --------
    >>> import tiebreak as tb
    >>> [(result.rule, *result.plan.costs) for result in other_orders(tb.published.ulas2012(), "accuracy", ["space"])]
    [('multitest', 'space'), ('multi2test', 'space'), ('worth', 'train_time')]
    """
    known = [(score, cost) for score in (ordered, *results.scores) for cost in (*costs, *results.costs)]
    wanted = [pair for pair in dict.fromkeys(known) if not (pair[0] == ordered and pair[1] in costs)]
    orderings = [
        ordering for cost in costs for ordering in by_other_rules(results, {**options, "score": ordered, "cost": cost})
    ]
    for name, cost in wanted[:MOST_OTHERS]:
        values = (
            dict(options)
            if name == ordered
            else {key: value for key, value in options.items() if key != "higher_is_better"}
        )
        with suppress(TiebreakError):  # gaps or unknown directions of what nobody asked for
            orderings.append(order(results, **{**values, "score": name, "cost": cost}))
    return orderings


def by_other_rules(results: Results, options: Mapping[str, Any]) -> list[Ordering]:
    """Order results by the rules that `options` of `tiebreak.order` do not name, each with its usual trade."""
    chosen = options.get("rule") or ("multi2test" if options.get("variant") else "worth")
    rest = {key: value for key, value in options.items() if key not in OF_ORDER}
    orderings = []
    for rule in RULES:
        if rule != chosen:
            with suppress(TiebreakError):  # a published rule needs one cost, Multi2Test several data sets
                orderings.append(order(results, **rest, rule=rule))
    return orderings


def _reportable(result: Shown) -> Shown:
    """Return a result; figures and reports are made of results, and are none."""
    if isinstance(result, (Figure, Report)):
        raise InputError(
            f"A {type(result).__name__} cannot be reported.",
            why="Reports are about results.",
            mend="Pass what tiebreak.compare, tiebreak.order or a function of tiebreak.stats returned.",
        )
    return result


def _versions() -> tuple[tuple[str, str], ...]:
    """A library that is not installed has no part in the numbers and is left out."""
    out = [("tiebreak", __version__), ("Python", platform.python_version())]
    for library in _LIBRARIES:
        try:
            out.append((library, version(library)))
        except PackageNotFoundError:
            continue
    return tuple(out)


NAME = "Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)"


def demo() -> Report:
    """Report on the published results of 8 algorithms on 38 data sets.

    Returns
    -------
    Report
        The orders by worth, by training time and by space; by Multi2Test; by MultiTest on one data set; and the
        comparison. Write it with `save("report.html")`.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.demo().name
    'Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)'
    """
    results = published.ulas2012()
    options: dict[str, Any] = {"score": "accuracy", "seed": 0}
    worth = [order(results, cost=cost, **options) for cost in ("train_time", "space")]
    places = order(results, cost="train_time", variant="2012", **options)
    one = order(results, cost="train_time", dataset="optdigits", rule="multitest", inner_adjust="none", **options)
    comparison = compare(results, score="accuracy")
    return report(*worth, places, one, comparison, name=NAME)  # the first order is what the page answers


def demo_text(report: Report) -> str:
    """Return what the demo prints: the order by worth with its frontier, and the published rules, by name."""
    parts: list[Any] = [part.result for part in report.parts]
    worth, places, one = parts[0], parts[2], parts[3]
    decided = [sum(reason.by == "test" for reason in item.reasons) for item in (one, places)]
    with on_the_command_line("order"):  # whose options the answer names
        answer = str(worth).splitlines()[:-1]  # without the line that names options
    lines = [
        f"MultiTest (2006) on optdigits: {', '.join(one.order)}",
        f"Multi2Test (2012) on all: {', '.join(places.order)}",
        "They differ because a costlier one moves ahead only if significantly better:",
        f"tests decide {decided[0]} of {len(one.order)} places on optdigits, {decided[1]} on all.",
    ]
    return "\n".join([report.name, *answer, "", *lines])
