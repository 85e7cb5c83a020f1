"""One verb run on checked values, and its answer as a page lays it out: plain data, so that scripts compute nothing."""

from __future__ import annotations

import math
from argparse import Namespace
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from tiebreak.cli import source_of
from tiebreak.cli.answering import as_json, emit, runner, values_of
from tiebreak.cli.sources import ways_to_read
from tiebreak.comparison.trade import read_trade, trade_size
from tiebreak.documents.layout import bar_lengths
from tiebreak.documents.words import column_heading, for_people, relative_cost
from tiebreak.errors import TiebreakError
from tiebreak.obvious import obvious
from tiebreak.ordering import Ordering
from tiebreak.web.messages import for_page
from tiebreak.wording import choices, choices_in, on_the_command_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tiebreak.cli.answering import Answer
    from tiebreak.documents import Document, Shown, Table
    from tiebreak.ordering import Valuation


TRADES = ("0.1%", "0.2%", "0.3%", "0.5%", "0.7%", "1%", "1.5%", "2%", "3%", "5%", "7%", "10%")
"""What the slider of the trade offers, beside the trade in force."""
MOST_ROWS = 200
"""Longer tables are cut: a page is no place to read them."""


def view(answer: Answer) -> dict[str, Any]:
    """Return what a page shows of the answer of a verb, in the order in which it is shown."""
    result = answer.shown[0] if answer.shown else None
    document = None if result is None else result.document()
    data = answer.plain()
    if result is None or document is None:
        return _nothing() | {
            "headline": str(data.get("text", answer.in_form("text"))),
            "notes": data.get("caveats", []),
        }
    short = result.answer
    first = short.table if short is not None and short.table is not None else next(iter(document.tables), None)
    rest = [table for table in document.tables if first is None or table.body != first.body]
    headline, lead = _headline(result, document)
    if "verdict" in data:
        headline, lead = data["headline"], " ".join(data["sentences"])
    names = _names(result)
    plain = partial(for_people, names=(names[0], *names[1]))
    sides = {getattr(result, side, "") for side in ("base", "candidate")}
    return _nothing() | {
        "headline": plain(headline),
        "lead": plain(lead),
        "figures": [{"value": figure.value, "text": plain(figure.text)} for figure in (short.figures if short else ())],
        "points": [{"label": point.label, "text": plain(point.text)} for point in document.points[1:]],
        "table": None if first is None else _table(first, names, sides) | {"bars": _bars(first, *names)},
        "notes": [str(caveat) for caveat in document.caveats],
        "picture": _picture(result),
        "trade": _trade(result, plain) if isinstance(result, Ordering) else None,
        "tables": [_table(table) for table in rest if table.body],
        "method": [*document.method, *document.references()],
        "verdict": data.get("verdict", ""),
        "understood": data.get("understood"),
    }


def _nothing() -> dict[str, Any]:
    lists: dict[str, Any] = {name: [] for name in ("figures", "points", "notes", "tables", "method")}
    return lists | {"lead": "", "verdict": "", "table": None, "picture": None, "trade": None}


def _headline(result: Shown, document: Document) -> tuple[str, str]:
    """Return what to do, and the sentence behind it."""
    short = result.answer
    if short is not None:
        start, rest = short.opening()
        return start, " ".join(filter(None, (rest, "" if short.figures else short.sure or short.rests_on)))
    sentences = [point.text for point in document.points] or [getattr(result, "headline", "") or document.title]
    first, _, rest = sentences[0].partition(". ")
    return first, rest or "".join(sentences[1:2]) or " ".join(document.notes)


def _names(result: Shown) -> tuple[str, tuple[str, ...]]:
    """Return the names of the score and of the costs that an answer is about."""
    costs = result.plan.costs if isinstance(result, Ordering) else ()
    return getattr(getattr(result, "score", None), "name", ""), costs


def _table(
    table: Table, units: tuple[str, tuple[str, ...]] | None = None, names: Collection[str] = ()
) -> dict[str, Any]:
    """Lay a table out; headings of `names` of algorithms stay as they are."""
    cut = f" (the first {MOST_ROWS} of {len(table.body)} rows)" if len(table.body) > MOST_ROWS else ""
    return {
        "caption": f"{table.caption or 'Details'}{cut}",
        "header": [name if units is None or name in names else column_heading(name, *units) for name in table.header],
        "rows": [list(row) for row in table.body[:MOST_ROWS]],
        "text": sorted(table.words),
    }


def _bars(table: Table, score: str, costs: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the columns with bars: scores on their own scale, costs on that of their logarithms."""
    scores = {score, f"mean {score}", "share won", "mean accuracy"} - {"", "mean "}
    result = []
    for column, name in enumerate(table.header):
        if name.partition(" (")[0] in scores | {*costs}:
            cells = [_number(row[column]) for row in table.body[:MOST_ROWS]]
            result.append({"column": column, "cost": name in costs, "shares": bar_lengths(cells, cost=name in costs)})
    return result


def _number(cell: str) -> float | None:
    above, _, below = cell.rstrip("%").partition("/")
    try:
        return float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return None


def _picture(result: Shown) -> dict[str, str] | None:
    """Return the figure that sums a result up; None for a result without one."""
    with suppress(TiebreakError, AttributeError):
        figure = result.figure()
        return {"svg": figure.to_svg(notes=False, theme="auto", width="120mm"), "words": figure.title()}
    return None


def _trade(ordering: Ordering, plain: Callable[[str], str]) -> dict[str, Any] | None:
    """Return who is first for which trade, and the trades to choose from; None where no trade moves the order."""
    value = ordering.valuation
    if value is None or ordering.rule != "worth" or not value.frontier or not value.costs:
        return None
    best = float(value.sample.mean_scores.max())
    steps = _steps(value, best) if len(value.costs) == 1 and not value.scale.logarithmic and best > 0 else []
    rows = [
        {
            "algorithm": part.algorithm,
            "range": _range(value, part.low, part.high, best),
            "score": value.scale.value(part.score),
            "cost": plain(_beside(relative_cost(part.relative_cost), value.costs[value.lead])),
            "on": part.holds(value.in_force),
        }
        for part in value.frontier
    ]
    shown = value.scale.price_share(value.in_force, best), value.scale.price(value.in_force)
    return {
        "cost": plain(value.costs[value.lead]),
        "score": plain(value.scale.name),
        "label": " = ".join(dict.fromkeys(shown)),
        "rows": rows,
        "steps": steps,
        "chosen": next((place for place, step in enumerate(steps) if step["on"]), 0),
    }


def _steps(value: Valuation, best: float) -> list[dict[str, Any]]:
    sizes = {trade: trade_size(value.scale, read_trade(trade), best) for trade in TRADES}
    sizes = {name: size for name, size in sizes.items() if not math.isclose(size, value.in_force, rel_tol=1e-3)}
    sizes[value.scale.price_share(value.in_force, best)] = value.in_force
    ordered = sorted(sizes.items(), key=lambda item: item[1])
    return [
        {
            "value": name,
            "label": f"{name} = {value.scale.price(size)}" if name != value.scale.price(size) else name,
            "first": next((part.algorithm for part in value.frontier if part.holds(size)), ""),
            "on": size == value.in_force,
        }
        for name, size in ordered
    ]


def _beside(ratio: str, cost: str) -> str:
    return "at full cost" if ratio == "1" else f"at {ratio} of the {cost}"


def _range(value: Valuation, low: float, high: float, best: float) -> str:
    if low <= 0 and math.isinf(high):
        return "at every trade"
    if low <= 0:
        return f"up to {value.scale.price_share(high, best)}"
    begins = value.scale.price_share(low, best)
    return f"beyond {begins}" if math.isinf(high) else f"{begins} to {value.scale.price_share(high, best)}"


def guess(sources: list[str], reading: dict[str, Any]) -> dict[str, Any] | None:
    """Return the obvious verb for some files and its options; None where there is none."""
    try:
        with on_the_command_line(""):
            result = obvious(sources, **reading)
    except TiebreakError:
        if sources[0].endswith(".toml"):
            raise
        return None
    question = {"verb": result.verb, "options": dict(result.options)}
    if result.verb == "run":  # nothing is imported
        answer = runner("run")(values_of("run", {"plan": sources[0], "dry_run": True}))
        assert answer is not None
        question["text"] = answer.in_form("text")
    return question


def run_verb(verb: str, values: dict[str, Any], form: str) -> str:
    """Run a verb on checked values, and write its answer; a report is written beside it where one is wanted.

    The form "page" is what pages lay out.
    """
    page = values.pop("page", None)
    made = values_of(verb, values)
    if verb == "recommend":
        made.pilot = "0"  # a page is answered at once: fits run in the background alone
    with on_the_command_line(verb, source=source_of(made)):
        if (verb, form) == ("read", "page"):
            return as_json(_opened(made), indent=None)
        answer = runner(verb)(made)
        assert answer is not None
        if page:
            emit(answer.in_form("html"), page)
        if form != "page":
            return answer.in_form(form, indent=None, full=getattr(made, "full", False))
        return as_json(for_page(view(answer), choices()) | {"text": answer.in_form("text")}, indent=None)


def _opened(values: Namespace) -> dict[str, Any]:
    """Read files each by itself, and tell which question they obviously raise, even where they cannot be read yet."""
    question = guess(values.results, ways_to_read(values))
    files: list[Any] = []
    if question is not None and question["verb"] in ("run", "check"):
        return {"files": files, "obvious": question}
    try:
        for file in values.results:
            answer = runner("read")(Namespace(**vars(values) | {"results": [file]}))
            assert answer is not None
            data = answer.plain()
            for item in data["measures"]:
                item["words"] = for_people(item["name"], [item["name"]])
            for item in data["left_out"]:
                item["choices"] = [choice._asdict() for choice in choices_in(item["keep"] or "", choices())]
            files.append(for_page(data, choices()))
    except TiebreakError:
        if question is None or question["verb"] in ("compare", "order"):
            raise
    return {"files": files, "obvious": question}
