"""What is reported: results as they are, and tables, which are compared and ordered first."""

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
from tiebreak.readers.taking import Reading, ReadingOne, one_score, taken
from tiebreak.reporting._parts import parts_of
from tiebreak.reporting._report import Report
from tiebreak.results import Results

MOST_OTHERS = 8
"""Orders by other scores and costs that a page holds."""
_LIBRARIES = ("numpy", "scipy", "polars", "narwhals")


class Asked(ReadingOne, total=False):
    """What is asked of results that nobody has compared yet, and how to read them; as in `compare` and `order`."""

    alpha: float
    missing: str
    scale: str
    baseline: str | None
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
    **asked: Unpack[Asked],
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
    **asked : optional
        For tables: alpha, missing, scale, baseline, higher_is_better, control, pairwise and posthoc as in
        `tiebreak.compare`; trade, accd, rule, variant and seed (which is
        printed) as in `tiebreak.order`; columns, where, datasets and
        algorithms as in `tiebreak.as_results`.

    Returns
    -------
    Report
        Write it with `save("report.html")`, or .md, .tex, .json.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = report(tb.compare(tb.published.demsar2006()))
    >>> found.parts[0].heading
    'Comparison by auc'
    >>> found.lead.points[0].text
    'C4.5+m+cf and C4.5+m are significantly better than C4.5; nothing else differs.'
    """
    if not results:
        raise InputError("There is nothing to report.", why="A report is about results.", mend="Pass a comparison.")
    score = one_score(score, asked)
    found = [each for given in results for each in _answers(given, score, cost, asked)]
    return Report(
        parts=tuple(part for each in found for part in parts_of(_reportable(each))),
        name=name or found[0].title(),
        versions=_versions(),
        seed=asked.get("seed"),
        also=(*also, *(each for given in results for each in _others(given, score, cost, asked))),
        caveats=distinct(caveat for each in found for caveat in each.caveats),
    )


def _answers(given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked) -> list[Shown]:
    """A result is reported as it is; a table is compared and ordered first."""
    if isinstance(given, Shown) and not isinstance(given, Results):
        return [given]
    table, costs, told = _table(given, score, cost, asked)
    compared = {key: value for key, value in told.items() if key not in OF_ORDER}
    ordered = _without_tests(told)
    orders = [order(table, cost=name, **ordered) for name in costs]  # first: its errors name what both of them take
    return [compare(table, **compared), *orders]


def _without_tests(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key not in OF_COMPARE}


def _table(
    given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked
) -> tuple[Results, list[str], dict[str, Any]]:
    """Read a table; return it with the costs to order by and what compare and order are told."""
    costs = [] if cost is None else [cost] if isinstance(cost, str) else list(cost)
    reading = {key: value for key, value in asked.items() if key in Reading.__annotations__}
    rest = {key: value for key, value in asked.items() if key not in reading}
    way = rest.get("higher_is_better")
    names = cost_and_trades(costs)[0] if costs else None
    table = taken(given, "report", reading, scores=score, costs=names, directed=way is not None)
    return table, costs, {"score": score, **rest}


def _others(given: Any, score: str | None, cost: str | Sequence[str] | None, asked: Asked) -> list[Ordering]:
    """Order a table by the other rules, and by its other scores and costs if it was read in full."""
    if cost is None or (isinstance(given, Shown) and not isinstance(given, Results)):
        return []
    table, costs, told = _table(given, score, cost, asked)
    told = _without_tests(told)
    names = list(cost_and_trades(costs)[0] or ())
    if isinstance(given, Results):
        return other_orders(table, score or table.only_score(), names, told)
    return [each for name in names for each in by_other_rules(table, {**told, "cost": name})]


def other_orders(
    results: Results, ordered: str, costs: Sequence[str], told: Mapping[str, Any] = MappingProxyType({})
) -> list[Ordering]:
    """Order results by every score and cost they hold, and by the other rules; what cannot be ordered so is left out.

    Not again by the score `ordered` with its `costs`, which the report holds already: those by the other rules only.
    `told` are further arguments of `tiebreak.order`.

    Examples
    --------
    >>> import tiebreak as tb
    >>> [(found.rule, *found.plan.costs) for found in other_orders(tb.published.ulas2012(), "accuracy", ["space"])]
    [('multitest', 'space'), ('multi2test', 'space'), ('worth', 'train_time')]
    """
    known = [(each, cost) for each in (ordered, *results.scores) for cost in (*costs, *results.costs)]
    wanted = [pair for pair in dict.fromkeys(known) if not (pair[0] == ordered and pair[1] in costs)]
    found = [each for cost in costs for each in by_other_rules(results, {**told, "score": ordered, "cost": cost})]
    for name, cost in wanted[:MOST_OTHERS]:
        own = (
            dict(told) if name == ordered else {key: value for key, value in told.items() if key != "higher_is_better"}
        )
        with suppress(TiebreakError):  # gaps or unknown directions of what nobody asked for
            found.append(order(results, **{**own, "score": name, "cost": cost}))
    return found


def by_other_rules(results: Results, told: Mapping[str, Any]) -> list[Ordering]:
    """Order results by the rules that `told`, arguments of `tiebreak.order`, do not name; each with its usual trade."""
    chosen = told.get("rule") or ("multi2test" if told.get("variant") else "worth")
    rest = {key: value for key, value in told.items() if key not in OF_ORDER}
    found = []
    for rule in RULES:
        if rule != chosen:
            with suppress(TiebreakError):  # a published rule needs one cost, Multi2Test several data sets
                found.append(order(results, **rest, rule=rule))
    return found


def _reportable(result: Any) -> Shown:
    """Return a result; figures and reports are made of results, and are none."""
    if not isinstance(result, Shown) or isinstance(result, (Figure, Report)):
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
