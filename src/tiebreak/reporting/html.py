"""A report as one self-contained page: nothing is loaded from elsewhere; light and dark, for print, phone and keyboard.

Without scripts everything is there to read and to print; with them tables sort and the trade moves the order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from tiebreak.documents import Table, one_line
from tiebreak.documents.layout import bar_lengths, html_bar, html_table
from tiebreak.documents.parts import NEXT, SAVES, USE, Point
from tiebreak.documents.words import column_heading, for_people, heading, safe
from tiebreak.documents.writing import DECIDED, code_html
from tiebreak.figures.drawing.sheet import PAGE_HIGH, POINTS
from tiebreak.ordering import Ordering
from tiebreak.ordering.document import places
from tiebreak.papers import bibtex
from tiebreak.reporting.living import heavy_data, living_data, orders_of
from tiebreak.reporting.result import LIMITS, Drawn, Part, Report
from tiebreak.reporting.shell import PAGE, STYLES, for_script, packed, whole_page

MOST_OPEN, MOST_ANSWERS = 12, 30
"""Longer tables are folded away until they are asked for; those of the answer beyond the second, but for the first."""
TALL = 450.0
"""Figures higher than so many points have a row for each algorithm: on paper they fill a page."""
SHEET = {"width": 180.0 * POINTS["mm"], "height": PAGE_HIGH * POINTS["mm"]}
"""Those that would have to shrink for that are laid out for a sheet, so that no letter is under 6 points in print."""
SCRIPTS = ("tables.js", "trade.js", "downloads.js", "page.js")
"""The scripts of the page, in the order in which they need each other."""
PLACES = "The order at this trade"
SECTIONS = {
    "answer": "The answer",
    "lay": "In plain words",
    "reviewers": "For reviewers: the method",
    "papers": "Papers to cite",
}
"""Headings that every report has, by the name that links lead to."""


def to_html(report: Report) -> str:
    """Write the page."""
    body = (
        f'<a class="skip" href="#main">Skip to the report</a>\n{_header(report)}'
        f'<main id="main">\n{_main(report)}</main>\n'
        '<footer><p><label><input type="checkbox" id="whole"/> Print all figures and statistics</label></p>'
        f"<p>{_made(report)}</p></footer>\n"
    )
    return whole_page(
        report.name,
        body,
        styles=STYLES,
        scripts=[PAGE / name for name in SCRIPTS],
        blocks={"data": for_script(living_data(report)), "packed": packed(heavy_data(report))},
    )


MARK = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="4" width="8" height="16" rx="2" fill="currentColor"/>'
    '<rect x="13" y="4" width="8" height="9" rx="2" fill="currentColor" opacity=".35"/>'
    '<rect class="tie" x="13" y="16" width="8" height="4" rx="2"/></svg>'
)


def bar_of_page(title: str, links: Mapping[str, str]) -> str:
    """Write the bar above a page: the mark, the parts, the switch of colours."""
    listed = "".join(f'<li><a href="{key}">{safe(words)}</a></li>' for key, words in links.items())
    return (
        f'<header class="bar"><div class="wrap"><span class="mark">{MARK}{safe(title)}</span>'
        f'<nav aria-label="Parts"><ul>{listed}</ul></nav><div id="switches"></div></div></header>\n'
    )


def _header(report: Report) -> str:
    parts = {f"part{number}": "Order" if part.ordered else "Comparison" for number, part in _numbered(report)}
    short = {key: words for key, words in parts.items() if list(parts.values()).count(words) == 1}
    headings = {f"part{number}": short.get(f"part{number}", part.heading) for number, part in _numbered(report)}
    last = {"reviewers": "Method", "papers": "Papers"}
    links = {"answer": "Answer", **headings, **last}
    return bar_of_page("Tiebreak", {f"#{key}": words for key, words in links.items()})


def _numbered(report: Report) -> list[tuple[int, Part]]:
    return list(enumerate(report.by_importance, start=1))


def _main(report: Report) -> str:
    """The answer, the parts with what can be tried, then the words for lay readers and those for reviewers."""
    ordered = report.lead.ordered
    parts = [_part(part, number, leads=part is report.lead, after_order=ordered) for number, part in _numbered(report)]
    lay = _each_once(sentence for _, part in _numbered(report) for sentence in part.document.lay)
    return (
        f"{_answer(report)}{''.join(parts)}"
        f"{_section('lay', list_html(lay))}{_section('reviewers', _methods(report))}"
        f"{_section('papers', _papers(report))}"
        '<section id="downloads" hidden=""></section>\n'
    )


def _each_once(texts: Iterable[str]) -> list[str]:
    """Explain each word once, in the longest of the sentences on it: those of several parts say nearly the same."""
    longest: dict[str, str] = {}
    for name in texts:
        word = name.partition(": ")[0]
        longest[word] = max(longest.get(word, ""), name, key=len)
    return list(longest.values())


def _section(key: str, body: str) -> str:
    return f'<section aria-labelledby="{key}"><h2 id="{key}">{SECTIONS[key]}</h2>{body}</section>\n'


def _answer(report: Report) -> str:
    """Open with what was read, the headline, its figures, the picture beside the trade, and the answer in full."""
    lead, short = report.lead, report.lead.result.answer
    words = _words(lead)
    title, rest = (lead.answer[0], "") if short is None else short.opening()
    tiles = "".join(
        f'<div class="tile"><b>{safe(figure.value)}</b><span>{safe(words(figure.text))}</span></div>'
        for figure in (short.figures if short else ())
    )
    more = "".join(f"<p>{safe(words(sentence))}</p>" for sentence in lead.answer[len(lead.points) :])
    points = [replace(point, text=words(point.text)) for point in lead.points]
    pictures = _pictures(lead, first=True)
    panel = f'<div class="panel">{pictures}</div>' if lead.ordered and pictures else pictures
    trade = '<div class="panel" id="explore" hidden=""></div>' if lead.ordered else ""
    both = f'<div class="two">{panel}{trade}</div>{_places(report)}' if lead.ordered else panel
    chips = "".join(f'<span class="chip">{safe(name)}</span>' for name in (report.name, *_read(lead)))
    return (
        f'<div class="read">{chips}</div><h1>{safe(words(title))}</h1>'
        + (f'<p class="lead">{safe(words(rest))}</p>' if rest else "")
        + f'<section aria-labelledby="answer"><h2 id="answer" class="visually-hidden">{SECTIONS["answer"]}</h2>'
        + (f'<div class="tiles">{tiles}</div>' if tiles else "")
        + f'{both}<div class="answer">{points_html(points)}{more}</div></section>\n'
    )


def _words(part: Part) -> Callable[[str], str]:
    """Return what writes the names of scores and costs in a sentence as words."""
    costs = part.result.plan.costs if isinstance(part.result, Ordering) else ()
    return partial(for_people, names=(getattr(getattr(part.result, "score", None), "name", ""), *costs))


def _places(report: Report) -> str:
    """Write the table of places of each order; the script shows the chosen one and moves its rows."""
    tables = [_order_table(ordering, hidden=k > 0) for k, ordering in enumerate(orders_of(report))]
    return f'{"".join(tables)}<div id="explain" hidden=""></div>'


def _order_table(ordering: Ordering, *, hidden: bool) -> str:
    """Write places, names, and numbers with bars; on a phone cells are stacked, with their heads before them."""
    table, value, costs = places(ordering), ordering.valuation, ordering.plan.costs
    heads = [column_heading(name, ordering.score.name, costs) for name in table.header]
    bars: dict[str, list[float]] = {}
    if value is not None:
        bars[table.header[2]] = bar_lengths(value.scores.tolist(), cost=False)
        bars |= {name: bar_lengths(value.relative[k].tolist(), cost=True) for k, name in enumerate(value.costs)}
    index = {name: i for i, name in enumerate(ordering.algorithms)}
    kinds = ["place", "text", *["number"] * (len(heads) - 2)]

    def cell(k: int, text: str, i: int) -> str:
        name = table.header[k]
        if k == 1:
            return f'<td role="cell" class="text"><b data-name="{safe(one_line(text))}">{safe(text)}</b></td>'
        bar = html_bar(bars[name][i], cost=name in costs) if name in bars else ""
        return f'<td role="cell" class="{kinds[k]}" data-label="{safe(heads[k])}">{bar}{safe(text)}</td>'

    header = "".join(
        f'<th scope="col" role="columnheader" class="{kind}">{safe(head)}</th>'
        for kind, head in zip(kinds, heads, strict=True)
    )
    rows = "".join(
        f'<tr role="row">{"".join(cell(k, text, index[name]) for k, text in enumerate(row))}</tr>'
        for name, row in zip(ordering.order, table.body, strict=True)
    )
    away = ' hidden=""' if hidden else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{PLACES}"{away}>'
        f'<table class="answers places" role="table"><thead role="rowgroup"><tr role="row">{header}</tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table></div>'
    )


def _read(part: Part) -> list[str]:
    """Say in a few words what was read: the costs of an order."""
    costs = part.result.plan.costs if isinstance(part.result, Ordering) else ()
    units = part.result.units if isinstance(part.result, Ordering) else {}
    return [f"Cost: {heading(name, units.get(name, ''))}" for name in costs]


def points_html(points: Iterable[Point]) -> str:
    """Write the points of an answer; nothing where there are none."""
    rows = "".join(f"<dt>{safe(point.label)}</dt><dd>{safe(point.text)}</dd>" for point in points)
    return f"<dl>{rows}</dl>" if rows else ""


def _by_scores(points: Iterable[Point]) -> list[Point]:
    """After an order, which weighs scores and costs, a comparison says what is best by scores, not what to use."""
    remaining = [
        point for point in points if point.label not in (SAVES, NEXT)
    ]  # a difference has one interval on a page
    return [replace(point, label="First by score") if point.label == USE else point for point in remaining]


def _part(part: Part, number: int, *, leads: bool, after_order: bool = False) -> str:
    """The figure that sums it up, the order with its reasons, what can be tried, figures, then the statistics."""
    where = "" if leads else f", {part.heading}"  # regions of one page must have different names
    tables = [table for table in part.tables if table.first] or list(part.tables[:1])
    rest = [table for table in part.tables if table not in tables]
    tables = tables[1:] if leads and part.ordered else tables  # the places are part of the answer
    points = part.points if part.ordered or not after_order else _by_scores(part.points)
    text = "" if leads else f'<div class="answer">{points_html(points) or _sentences(part.answer)}</div>'
    first = "" if leads else _pictures(part, where, first=True)  # that of the lead stands beside the answer
    pictures = _pictures(part, where, first=False)
    return (
        f'<section aria-labelledby="part{number}"><h2 id="part{number}">{safe(part.heading)}</h2>'
        f"<p>{safe(part.subject)}</p>{text}{first}{_own_tables(tables, where)}"
        f"{_sentences(part.document.notes)}{code_html(part.document)}"
        f"<h3>{LIMITS}</h3>{list_html(part.limits)}"
        f'<details class="appendix"><summary>Figures and statistics</summary>{pictures}'
        f"{''.join(_table(table, where) for table in rest)}<h3>{DECIDED}</h3>{list_html(part.decided)}</details>"
        "</section>\n"
    )


def _pictures(part: Part, where: str = "", *, first: bool) -> str:
    words = _words(part)
    return "".join(picture_html(picture, where, words) for picture in part.pictures if picture.first is first)


def _own_tables(tables: list[Table], where: str) -> str:
    """The first table is open however long it is; reasons of very many places are there for who asks."""
    return "".join(
        _table(table, where, answers=not k or len(table.body) <= MOST_ANSWERS) for k, table in enumerate(tables)
    )


def _sentences(texts: Iterable[str]) -> str:
    return "".join(f"<p>{safe(name)}</p>" for name in texts)


def list_html(items: Iterable[str]) -> str:
    """Write a list of sentences."""
    text = "".join(f"<li>{safe(item)}</li>" for item in items)
    return f"<ul>{text}</ul>" if text else "<p>None.</p>"


def _methods(report: Report) -> str:
    """What a paper would say of each part."""
    return "".join(f"<h3>{safe(part.heading)}</h3>{_sentences(part.method)}" for _, part in _numbered(report))


def _papers(report: Report) -> str:
    entries = "\n".join(safe(line) for line in bibtex(report.papers()).split("\n"))
    return (
        f"{list_html(report.references())}<details><summary>BibTeX</summary>"
        f'<pre tabindex="0" role="region" aria-label="BibTeX">{entries}</pre></details>'
    )


def _made(report: Report) -> str:
    versions = ", ".join(f"{safe(name)} {safe(version)}" for name, version in report.versions)
    return f"Made with {versions}." + ("" if report.seed is None else f" Seed {report.seed}.")


def picture_html(picture: Drawn, where: str, words: Callable[[str], str] = str) -> str:
    """A wide figure scrolls inside its frame, which the keyboard can reach; on a phone another layout stands for it."""
    drawn, narrow = picture.on_page(), picture.on_phone()
    kinds = ["first"] * picture.first + ["tall"] * (_length(drawn, "height") > TALL)
    if "tall" in kinds and not _fits_sheet(drawn) and (sheet := picture.on_sheet()) is not None:
        drawn, kinds = sheet, [*kinds, "sheet"]
    caption = safe(words(picture.caption))
    if narrow is not None:
        drawn = f'<div class="broad">{drawn}</div><div class="narrow">{narrow}</div>'
        if (text := picture.phone_caption()) != picture.caption:
            caption = f'<span class="broad">{caption}</span><span class="narrow">{safe(words(text))}</span>'
    label, kind = safe(picture.name + where), f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<figure{kind}><div class="wide" tabindex="0" role="region" aria-label="{label}">{drawn}</div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _fits_sheet(drawn: str) -> bool:
    return all(_length(drawn, name) <= most for name, most in SHEET.items())


def _length(drawn: str, name: str) -> float:
    """Return the width or the height of a picture in points."""
    match = re.search(rf' {name}="([0-9.]+)pt"', drawn)
    return float(match[1]) if match else 0.0


def _table(table: Table, where: str, *, answers: bool = False) -> str:
    """Write a table; a long one is folded away until it is asked for, unless it is the answer."""
    name = f"{table.caption}{where}" if table.caption else ""
    written = html_table(table.header, table.body, texts=table.words, caption=table.caption, label=name)
    if answers or len(table.body) <= MOST_OPEN:
        return written
    return f"<details><summary>{safe(table.caption)} ({len(table.body)} rows)</summary>{written}</details>"
