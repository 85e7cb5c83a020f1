"""What a board says in words: the answer, what tiers mean, what changed, the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tiebreak import __version__
from tiebreak.documents import Document, Table, listed, number, one_line, table_of_verb
from tiebreak.documents.layout import bar_lengths, html_bar
from tiebreak.documents.parts import Point
from tiebreak.documents.words import amount, confidence, costing, for_people, heading, relative_cost, safe
from tiebreak.evals.board.files import FOLDER
from tiebreak.evals.board.previous import AGAINST, MARK, OPEN, REAL
from tiebreak.ordering import Ordering
from tiebreak.papers import paper
from tiebreak.reporting import Drawn
from tiebreak.reporting.html import bar_of_page, list_html, picture_html, points_html
from tiebreak.reporting.living import order_data
from tiebreak.reporting.shell import PAGE, STYLES, for_script, packed, whole_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from tiebreak.comparison.trade import ScoreScale
    from tiebreak.evals.board.result import Board, BoardEntry, Facts


MOST_LISTED = 8
SMALL = 1e-6
PAPERS = ("mogstad2024",)


def document(board: Board) -> Document:
    """Put all parts together; methods and papers are those of the order."""
    current = board.found.document()
    changed = () if board.changes is None else board.changes.sentences()
    return replace(
        current,
        title=f"{board.name}: {board.found.title()}",
        heading=board.name,
        pictures=(),
        points=points(board),
        said=(*changed, *current.said),
        tables=(_table(board), _reasons(board)) if board.found.reasons else (_table(board),),
        notes=(*notes(board), *meaning(board)),
        caveats=board.caveats,
        papers=(*current.papers, *PAPERS),
    )


def points(board: Board) -> tuple[Point, ...]:
    """Answer what a reader of a board asks first: what to use, who scores best, and with whom it shares its tier."""
    facts = board.facts
    best = board.entry(facts.names[facts.best])
    price = f", {facts.cost} {paid(best, board)}" if best.cost is not None else ""
    others = [name for name in board.tiers[best.tier - 1] if name != best.algorithm]
    beside = (
        f"In tier {best.tier} with it: {listed(others, most=MOST_LISTED)}" if others else f"Alone in tier {best.tier}"
    )
    text = f"{best.algorithm}: {facts.score} {joined(score(best, facts))}{price}. {beside}."
    return (*facts.points, Point(label="First by score", text=text))


def notes(board: Board) -> tuple[str, ...]:
    """Say what the columns mean that a reader would otherwise have to guess."""
    facts, best = board.facts, board.facts.names[board.facts.best]
    text = []
    if any(entry.loss is not None for entry in board.entries):
        unit = ", in points" if facts.scale is not None and facts.scale.has_points else ""
        unit = " in points of Elo, of which 400 are odds of ten to one" if facts.scale is None else unit
        lost = "win rate" if facts.over == "votes" and facts.scale is not None else facts.score
        text.append(f"loss vs best: {lost} lost against {best}, the best-scoring one{unit}.")
    if facts.cost:
        mean = ", a geometric mean over data sets" if facts.several else ""
        text.append(f"{facts.cost}: relative cost is the ratio to that of {best}{mean}.")
    return tuple(text)


def meaning(board: Board) -> tuple[str, ...]:
    """Say what tiers and ranges of places mean, and what they do not."""
    facts, noun = board.facts, board.facts.noun
    sure = (
        f"with {confidence(facts.alpha)} confidence all of this holds at once"
        if facts.kept
        else "the tests do not keep the chance of any false difference at their level, so that some of it may be chance"
    )
    order = "The place is that of the order by score"
    return (
        *_by_pairs(noun, sure),
        f"{noun.capitalize()}s that share a tier do not differ significantly. That does not make them equal: more data"
        " may show a difference.",
        f"Places by score: how many {noun}s are significantly better, and how many worse, leave these places.",
        f"{order} and {facts.cost}: one of a lower tier can stand before a costlier one of a higher tier."
        if facts.cost
        else f"{order}.",
    )


def _by_pairs(noun: str, sure: str) -> tuple[str, ...]:
    return (
        f"Tier 1 holds the {noun}s that are not significantly worse than any other; tier 2 those for which this holds"
        " without tier 1, and so on.",
        f"Each {noun} of a lower tier is significantly worse than at least one of the tier above, not than all of them:"
        f" {sure}.",
    )


RELATIVE = "relative cost"
Cell = tuple[str, str, float | None]
"""A number as it is printed, its interval, empty where there is none, and the number itself."""


def _scale(facts: Facts) -> ScoreScale | None:
    """How scores are written; Elo has no scale of its own."""
    return None if facts.over == "votes" else facts.scale


def score(entry: BoardEntry, facts: Facts) -> Cell:
    """Write a score with its interval, in the unit in which differences are written."""
    scale = _scale(facts)
    write = partial(_plainly, digits=3) if scale is None else scale.value
    value = "-" if entry.score is None else _plainly(entry.score, 4) if scale is None else scale.value(entry.score)
    return value, _ends(entry.low, entry.high, write), entry.score


def loss(entry: BoardEntry, scale: ScoreScale | None) -> Cell:
    """Write by how much it scores worse than the best-scoring one."""
    write = partial(_plainly, digits=2) if scale is None else scale.number
    value = "-" if entry.loss is None else write(entry.loss)
    return value, _ends(entry.loss_low, entry.loss_high, write) if entry.loss_high else "", entry.loss


def _ends(low: float | None, high: float | None, write: Callable[[float], str]) -> str:
    return "" if low is None or high is None else f"{write(low)} to {write(high)}"


def _plainly(value: float, digits: int) -> str:
    """Write a number with so many digits, without a power of ten unless it is tiny: ends of intervals lie near 0."""
    if not value or not SMALL <= abs(value) < 1e-4:
        return f"{value:.0f}" if abs(value) >= 10**digits else number(value, digits)
    return f"{value:.{1 - floor(log10(abs(value)))}f}"


def joined(cell: Cell) -> str:
    """Write a number and its interval on one line."""
    value, ends, _ = cell
    return f"{value} ({ends})" if ends else value


def paid(entry: BoardEntry, board: Board) -> str:
    """Write what it costs, with the unit."""
    unit = board.facts.unit
    return "-" if entry.cost is None else f"{amount(entry.cost)}{f' {unit}' if unit else ''}"


def _relative(ratio: float | None) -> str:
    """Write a cost beside that of the best-scoring one."""
    return "-" if ratio is None else "0" if ratio == 0 else relative_cost(ratio)


def _worth(entry: BoardEntry, facts: Facts) -> str:
    return "-" if entry.worth is None or facts.scale is None else facts.scale.worth(entry.worth)


def by_score(entry: BoardEntry) -> str:
    """Write between which places by score it lies."""
    first, last = entry.first_place, entry.last_place
    return str(first) if first == last else f"{first} to {last}"


def columns(board: Board) -> dict[str, list[Cell]]:
    """Return the columns of the board beside place, tier and name, as they are printed."""
    facts, entries = board.facts, board.entries
    scale = _scale(facts)
    result = {facts.score if scale is None else scale.heading: [score(entry, facts) for entry in entries]}
    if any(entry.loss is not None for entry in entries):
        result["loss vs best"] = [loss(entry, facts.scale) for entry in entries]
    if facts.cost:
        unit = f", {facts.unit}" if facts.unit else ""
        prices = ["unknown" if entry.cost is None else amount(entry.cost) for entry in entries]
        result[f"{facts.cost}{unit}"] = [(p, "", entry.cost) for p, entry in zip(prices, entries, strict=True)]
        result[RELATIVE] = [(_relative(entry.ratio), "", entry.ratio) for entry in entries]
    if any(entry.worth is not None for entry in entries):
        result["worth"] = [(_worth(entry, facts), "", entry.worth) for entry in entries]
    result["places by score"] = [(by_score(entry), "", float(entry.first_place)) for entry in entries]
    return result


def _table(board: Board) -> Table:
    options = columns(board)
    return Table(
        header=("place", "tier", board.facts.noun, *options),
        body=tuple(
            (str(entry.place), str(entry.tier), entry.algorithm, *(joined(column[k]) for column in options.values()))
            for k, entry in enumerate(board.entries)
        ),
        texts=frozenset({2}),
        caption="The board",
        first=True,
    )


def _reasons(board: Board) -> Table:
    cells = {
        "place": [str(entry.place) for entry in board.entries],
        "algorithm": [entry.algorithm for entry in board.entries],
        "reason": [entry.reason for entry in board.entries],
    }
    return table_of_verb("board", cells, full=True, caption="Reasons")


PROFILE = {"organisation": "Organization", "link": "Link"}
"""The column behind the numbers, by the field of the entry: the first that the data have, as a link where there is
one."""
OWN = Path(__file__).with_name("page")
SCRIPTS = (PAGE / "tables.js", PAGE / "trade.js", OWN / "board.js")
METHOD = "method.html"
MOST_EXPLAINED = 300
"""Of more algorithms the pairs among the first so many are explained in the page."""
MOST_REASONED = 25
"""Of more rows the reasons are not in the table."""
MOST_OPEN = 8
"""So many passings stand open; more are folded away."""
SECTIONS = {
    "board": "Board",
    "plane": "Score and cost",
    "pair": "Why one stands first",
    "changes": "What changed",
    "tiers": "Tiers",
    "files": "Files",
}
"""Headings by the name that links lead to."""
Moved = dict[str, tuple[str, float | None]]
"""What the last column says of each name, and the number it is sorted by."""


def to_html(board: Board, *, apart: bool = False) -> str:
    """Write the page of the board; the method is at its end, or `apart` on a page of its own beside it."""
    gone = {key for key, there in (("plane", _plane(board)), ("changes", board.changes)) if not there}
    method = METHOD if apart else "#method"
    links = {f"#{key}": words for key, words in SECTIONS.items() if key not in gone and key != "tiers"}
    blocks = {"data": for_script(page_data(board)), "pairs": packed(board.explanations(MOST_EXPLAINED))}
    main = _main(board, method) + ("" if apart else f'<div id="method">{_method(board)}</div>')
    return _page(board, "Skip to the board", links | {method: "Method"}, main, SCRIPTS, blocks)


def method_html(board: Board) -> str:
    """Write the page of the method."""
    main = f"<h1>{safe(board.name)}: method</h1>{_method(board)}"
    return _page(board, "Skip to the method", {"index.html": "Board"}, main, (), {})


def _method(board: Board) -> str:
    """Write the answer in words, what tiers mean, how it was decided, caveats and papers."""
    document = board.found.document()
    parts = {
        "The answer in words": f'<div class="answer">{points_html(points(board))}</div>',
        "Columns, tiers and places": list_html((*notes(board), *meaning(board))),
        "How it was decided": list_html((*document.method, *document.decided)),
        "Caveats": list_html(map(str, board.caveats)),
        "Papers": list_html(paper(key).short for key in (*document.papers, *PAPERS)),
    }
    return "".join(f"<section><h2>{words}</h2>{part}</section>\n" for words, part in parts.items())


def _page(
    board: Board, skip: str, links: dict[str, str], main: str, scripts: Sequence[Path], blocks: dict[str, str]
) -> str:
    body = (
        f'<a class="skip" href="#main">{skip}</a>\n{bar_of_page("Tiebreak", links)}<main id="main">\n{main}</main>\n'
        f"<footer><p>Made with Tiebreak {safe(__version__)}. Build {board.id}.</p></footer>\n"
    )
    styles = (*STYLES, OWN / "board.css")
    return whole_page(board.name, body, styles=styles, scripts=scripts, blocks=blocks, made_by=MARK)


def _plane(board: Board) -> bool:
    """Say whether there is something beside the table: a picture of score and cost, or orders to choose from."""
    return bool(board.facts.figures or _orders(board))


def _main(board: Board, method: str) -> str:
    """What was read, the answer in one line, the table; then score and cost, pairs, changes, tiers, files."""
    facts = board.facts
    count = len(board.tiers)
    read = [f"{len(board.entries)} {facts.noun}s in {count} tier{'s' * (count != 1)}", heading(facts.score)]
    read += [f"cost: {heading(facts.cost, facts.unit)}"] if facts.cost else []
    read += [board.date] if board.date else []
    chips = "".join(f'<span class="chip">{safe(item)}</span>' for item in read)
    answer = for_people(points(board)[0].text, (facts.score, facts.cost))
    drawn = [Drawn(name=name, caption=" ".join(figure.notes()), figure=figure) for name, figure in facts.figures]
    figures = "".join(f'<div class="panel">{picture_html(picture, "")}</div>' for picture in drawn)
    plane = f'<div class="two">{figures}<div class="panel" id="explore" hidden=""></div></div>'
    changed = "" if board.changes is None else _section("changes", _changes(board))
    return (
        f'<div class="read">{chips}</div><h1>{safe(board.name)}</h1><p class="lead">{safe(answer)}</p>'
        f'<section aria-labelledby="board"><h2 id="board" class="visually-hidden">{SECTIONS["board"]}</h2>'
        f"{_board(board, method)}</section>{_section('plane', plane) if _plane(board) else ''}"
        f"{_section('pair', _PAIR)}{changed}"
        f"{_section('tiers', _tiers(board))}{_section('files', _files(board))}"
    )


def _section(key: str, body: str) -> str:
    return f'<section aria-labelledby="{key}"><h2 id="{key}">{SECTIONS[key]}</h2>{body}</section>\n'


# ---- the table


def _board(board: Board, method: str) -> str:
    """Write the table: places, tiers, names with reasons, numbers; what sorts and filters is added by the script."""
    facts, moved = board.facts, _moved(board)
    scale = _scale(facts)
    names = {facts.score: heading(facts.score), facts.cost: heading(facts.cost, facts.unit) if facts.cost else ""}
    if scale is not None and scale.heading.startswith(scale.name):
        names[scale.heading] = heading(scale.name) + scale.heading.removeprefix(scale.name)
    names |= {f"{facts.cost}, {facts.unit}": names[facts.cost]}
    shown = {name: column for name, column in columns(board).items() if name != RELATIVE}
    heads = {name: names.get(name) or name[:1].upper() + name[1:] for name in shown}
    bars = dict(zip(list(shown)[:1], [_score_bars(board.entries)], strict=True))
    if facts.cost:
        ratios = bar_lengths([entry.ratio for entry in board.entries], cost=True)
        price = next(name for name in shown if name.partition(",")[0] == facts.cost)
        bars[price] = [html_bar(ratio, cost=True) if ratio else "" for ratio in ratios]
        shown[price] = [
            (value if entry.cost is None else costing(entry.cost, facts.cost), ends, exact)
            for entry, (value, ends, exact) in zip(board.entries, shown[price], strict=True)
        ]
    profile = [name for name in PROFILE if any(getattr(entry, name) for entry in board.entries)][:1]
    head = ["Place", "Tier", facts.noun.capitalize(), *heads.values(), *(["Moved"] if moved else [])]
    head += [PROFILE[name] for name in profile]
    kinds = ["", "", ' class="text names"', *[""] * (len(head) - 3)]
    cells = zip(kinds, head, strict=True)
    header = "".join(f'<th scope="col" role="columnheader"{kind}>{safe(words)}</th>' for kind, words in cells)
    rows = "".join(
        _row(
            entry,
            [(heads[name], column[k], bars[name][k] if name in bars else "") for name, column in shown.items()],
            moved,
            profile,
        )
        for k, entry in enumerate(board.entries)
    )
    bare = " bare" if len(board.entries) > MOST_REASONED else ""
    return (
        '<div id="slide" hidden=""></div>'
        '<div class="wide" tabindex="0" role="region" aria-label="Table of the board">'
        f'<table id="list" class="answers places{bare}" role="table"><thead role="rowgroup">'
        f'<tr role="row">{header}</tr></thead><tbody role="rowgroup">{rows}</tbody></table></div>'
        f'<p class="note">{safe(_said(board))} <a href="{method}">How it was decided</a></p>'
    )


def _score_bars(entries: Sequence[BoardEntry]) -> list[str]:
    """Draw every score as a bar with its interval, all on one scale."""
    known = [v for e in entries for v in (e.score, e.low, e.high) if v is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)

    def length(value: float) -> float:
        return round(100.0 if high == low else 8 + 92 * (value - low) / (high - low), 1)

    return [
        ""
        if entry.score is None
        else html_bar(
            length(entry.score),
            ends=None if entry.low is None or entry.high is None else (length(entry.low), length(entry.high)),
        )
        for entry in entries
    ]


def _said(board: Board) -> str:
    """Say in a few words how to read the table."""
    small = any(entry.low is not None or entry.loss_low is not None for entry in board.entries)
    sure = f" Small numbers and black lines are {confidence(board.facts.alpha)} intervals." if small else ""
    return f"{board.facts.noun.capitalize()}s that share a tier do not differ significantly.{sure}"


def _row(entry: BoardEntry, values: Sequence[tuple[str, Cell, str]], moved: Moved, profile: Sequence[str]) -> str:
    """Write one row; on a phone cells are stacked, with their heads before them."""
    name = safe(entry.algorithm)
    tier = "first" if entry.tier == 1 else "other"
    numbers = "".join(
        f'<td role="cell" class="number" data-label="{safe(head)}"{_sorted(exact)}>{bar}<span>{safe(value)}</span>'
        f"{_small(ends)}</td>"
        for head, (value, ends, exact), bar in values
    )
    change = ""
    if moved:
        text, step = moved[entry.algorithm]
        change = f'<td role="cell" class="moved"{_sorted(step)}>{safe(text)}</td>'
    why = f"<small>{safe(entry.reason)}</small>" if entry.reason else ""
    for field in profile:
        text = safe(entry.organisation) or safe(urlsplit(entry.link).netloc)
        if entry.link:
            text = f'<a href="{safe(entry.link)}" rel="noopener" aria-label="{text}, page of {name}">{text}</a>'
        change += f'<td role="cell" class="text" data-label="{PROFILE[field]}">{text or "-"}</td>'
    front = ' data-front=""' if entry.front else ""
    front += f' data-organisation="{safe(entry.organisation)}"' if entry.organisation else ""
    return (
        f'<tr role="row" data-tier="{entry.tier}"{front}><td role="cell" class="place">{entry.place}</td>'
        f'<td role="cell" class="tier"><span class="{tier}">{entry.tier}</span></td>'
        f'<td role="cell" class="text"><b data-name="{name}">{name}</b>{why}</td>{numbers}{change}</tr>'
    )


def _sorted(exact: float | None) -> str:
    """Columns are sorted by what is not rounded."""
    return "" if exact is None else f' data-value="{exact!r}"'


def _small(ends: str) -> str:
    return f" <small>{safe(ends)}</small>" if ends else ""


def _moved(board: Board) -> Moved:
    """Say by how many others of both builds each was passed, or passed them; empty where nothing can be compared."""
    changes = board.changes
    if changes is None or changes.otherwise or changes.count > len(changes.passings):
        return {}
    out: Moved = {}
    for entry in board.entries:
        up = sum(passing.algorithm == entry.algorithm for passing in changes.passings)
        down = sum(passing.passed == entry.algorithm for passing in changes.passings)
        step = up - down
        arrow = f"\N{BLACK UP-POINTING TRIANGLE}{step}" if step > 0 else f"\N{BLACK DOWN-POINTING TRIANGLE}{-step}"
        out[entry.algorithm] = ("new", None) if entry.algorithm in changes.new else (arrow if step else "", float(step))
    return out


# ---- the other parts


_KNOWN = {REAL: "a test shows it", OPEN: "no significant difference", AGAINST: "though a test shows the opposite"}


def _changes(board: Board) -> str:
    changes = board.changes
    assert changes is not None
    items = [
        f"{item.algorithm} passed {item.passed}: {_KNOWN.get(item.known, item.known)}" for item in changes.passings
    ]
    listed = list_html(items) if items else ""
    if len(items) > MOST_OPEN:
        more = "" if changes.count == len(items) else f"; the first {len(items)} of {changes.count}"
        listed = f"<details><summary>Every passing ({len(items)}{more})</summary>{listed}</details>"
    return (
        f'<div class="answer">{"".join(f"<p>{safe(sentence)}</p>" for sentence in changes.sentences())}</div>{listed}'
    )


_PAIR = '<p id="unscripted">With scripts on, any two are put side by side here.</p><div id="why" hidden=""></div>'
"""Room for what the script adds."""


def _tiers(board: Board) -> str:
    """List who shares a tier."""
    tiers = [[f'<span data-name="{safe(name)}">{safe(name)}</span>' for name in names] for names in board.tiers]
    items = [f"<li>{', '.join(names)}</li>" for names in tiers]
    return f"<ol>{''.join(items)}</ol>"


def _files(board: Board) -> str:
    rows = "".join(f'<li><a href="{FOLDER}/{entry.badge}">{safe(entry.algorithm)}</a></li>' for entry in board.entries)
    return (
        '<ul><li><a href="board.json">board.json</a>: everything on this page, for programs</li>'
        '<li><a href="feed.json">feed.json</a>: what changed from build to build, for readers of feeds</li></ul>'
        f"<details><summary>A badge for each {board.facts.noun} ({len(board.entries)})</summary>"
        f"<p>SVG pictures to link to: they follow the tier.</p><ul>{rows}</ul></details>"
    )


# ---- what the script reads


def page_data(board: Board) -> dict[str, Any]:
    """Return what the script reads at once: names by place, and the orders that trade and rule lead to."""
    index = {name: i for i, name in enumerate(board.facts.names)}
    places = [index[entry.algorithm] for entry in board.entries]
    return {
        "names": [one_line(entry.algorithm) for entry in board.entries],
        "best": next(k for k, i in enumerate(places) if i == board.facts.best),
        "tiers": len(board.tiers),
        "cost": for_people(board.facts.cost, [board.facts.cost]),
        "explained": min(len(places), MOST_EXPLAINED),
        "orders": _orders(board),
    }


def _orders(board: Board) -> list[dict[str, Any]]:
    """Return the orders that trade and rule lead to; none where neither can be changed."""
    orders = [order_data(item) for item in (board.found, *board.also) if isinstance(item, Ordering)]
    return orders if len(orders) > 1 or any(order["trade"] for order in orders) else []
