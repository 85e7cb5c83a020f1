"""Tables of Markdown files and of HTML pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from tiebreak.caveats import Caveats
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle, uneven
from tiebreak.readers.grids.marks import markdown_text

_ALIGNMENT = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The row below the header, such as | :--- | ---: |; it must hold a bar."""
_PIPE = re.compile(r"\\.|\||`[^`]*`|[^\\|`]+|.", re.DOTALL)
_TITLE = re.compile(r"[ \t]*(?:\*\*|__|\*)?(?:Table\b|Tab\.|:[ \t])", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+)")
_NEAR = 40  # lines above a table in which its heading is looked for


def _is_dashes(line: str) -> bool:
    return "-" in line and "|" in line and len(line) < 100_000 and _ALIGNMENT.fullmatch(line.strip(" \t>")) is not None


def markdown(text: str, *, name: str, notes: Caveats = ()) -> list[Grid]:
    """Find the tables of a Markdown text."""
    lines, grids, place = text.split("\n"), list[Grid](), 1
    while place < len(lines):
        end = place + 1
        if _is_dashes(lines[place]) and "|" in lines[place - 1]:
            while end < len(lines) and "|" in lines[end]:
                end += 1
            grid = _markdown_grid(lines, place, end, name, notes)
            grids += [] if grid is None else [grid]
            end += 1
        place = end
    return grids


def _markdown_grid(lines: list[str], dashes: int, end: int, name: str, notes: Caveats) -> Grid | None:
    """Make a grid of the lines from the header to the end; rules between its rows are left out."""
    numbers = [dashes - 1, *(place for place in range(dashes + 1, end) if not _is_dashes(lines[place]))]
    rows = [_cells(lines[place], place + 1) for place in numbers]
    if not any(cell.text for cell in rows[0]):  # Markdown wants a header even where there is none
        rows = rows[1:]
    full = rectangle(rows, name)
    if not full or len(full[0]) < 2:
        return None
    notes = (*notes, *uneven(rows, name))
    caption = _caption(lines, dashes, end)
    return Grid(rows=full, source=name, kind="markdown", caption=caption, notes=notes)


def _cells(line: str, number: int) -> list[Cell]:
    """Split a row at its bars; a bar behind a backslash or inside code is text."""
    pieces = [""]
    for token in _PIPE.findall(line.strip(" \t>")):
        if token == "|":
            pieces.append("")
        else:
            pieces[-1] += "|" if token == "\\|" else token
    if not pieces[0].strip() and len(pieces) > 1:
        pieces = pieces[1:]
    if not pieces[-1].strip() and len(pieces) > 1:
        pieces = pieces[:-1]
    texts = enumerate(map(markdown_text, pieces), start=1)
    return [Cell(text=text, bold=bold, line=number, column=str(place)) for place, (text, bold) in texts]


def _caption(lines: list[str], dashes: int, end: int) -> str:
    """Return the line that calls itself a caption above or below the table, or the heading above it."""
    above = [place for place in range(dashes - 2, max(-1, dashes - 5), -1) if lines[place].strip()][:1]
    below = [place for place in range(end, min(len(lines), end + 2)) if lines[place].strip()][:1]
    for place in (*above, *below):
        if _TITLE.match(lines[place]):
            return markdown_text(lines[place].strip().removeprefix(":"))[0]
    headings = (_HEADING.match(lines[place]) for place in range(dashes - 2, max(-1, dashes - _NEAR), -1))
    heading = next(filter(None, headings), None)
    return markdown_text(heading[1].rstrip("# "))[0] if heading else ""


_SILENT = frozenset("script style template annotation annotation-xml noscript svg".split())
_VOID = frozenset("br img hr input meta link wbr col area base source".split())
_HEAVY = re.compile(r"font-weight\s*:\s*(?:bold|bolder|[6-9]00)", re.IGNORECASE)
_WIDEST, _HIGHEST = 1000, 65534  # what browsers allow a cell to span
_LONE = re.compile(r"<(?=[^<>]*(?:<|\Z))")  # it opens no tag, and the parser would look for the end again and again
_DECIMAL = re.compile(r"\d*[.,]\d+%?")


@dataclass(slots=True, kw_only=True)
class _Cell:
    """A cell that is being read."""

    wide: int
    high: int
    line: int
    text: str = ""
    bold: bool = False


@dataclass(slots=True)
class _Table:
    """A table that is being read."""

    rows: list[list[_Cell]] = field(default_factory=list)
    caption: str = ""
    into: str = ""
    """Whether text belongs to the caption or to the last cell."""


class _Reader(HTMLParser):
    """Follows the tags; of tables inside tables each is one of its own."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source, self.begun, self.done = source, list[_Table](), list[_Table]()
        self.silent = self.cells = 0
        self.bold = list[str]()  # tags that made the text bold
        self.script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        options = {key: value or "" for key, value in attrs}
        self.silent += tag in _SILENT
        if self.silent:
            return
        if tag == "table":
            self.begun.append(_Table())
        if not self.begun:
            return
        table = self.begun[-1]
        if tag in ("td", "th", "tr", "thead", "tbody", "tfoot"):
            self._end_cell()
        if tag == "tr" or (tag in ("td", "th") and not table.rows):
            table.rows.append([])
        if tag in ("td", "th"):
            wide, high = _span(options.get("colspan"), _WIDEST), _span(options.get("rowspan"), _HIGHEST)
            self.cells += wide
            check_cells(self.cells, self.source)
            table.rows[-1].append(_Cell(wide=wide, high=high, line=self.getpos()[0]))
            table.into = "cell"
        elif tag == "caption":
            table.into = "caption"
        elif tag in ("sup", "sub"):
            self.script = "^" if tag == "sup" else "_"
        elif tag in ("br", "p", "div", "li"):
            self.handle_data(" ")
        if tag not in _VOID and (tag in ("b", "strong") or _HEAVY.search(options.get("style", ""))):
            self.bold.append(tag)

    def _end_cell(self) -> None:
        self.begun[-1].into = self.script = ""
        self.bold.clear()

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent -= tag in _SILENT
            return
        if tag in self.bold[-1:] and tag not in ("td", "th", "tr"):
            self.bold.pop()
        if tag in ("sup", "sub"):
            self.script = ""
        if self.begun and tag in ("td", "th", "tr", "caption", "table"):
            self._end_cell()
        if self.begun and tag == "table":
            self.done.append(self.begun.pop())

    def handle_data(self, data: str) -> None:
        table = self.begun[-1] if self.begun and not self.silent else _Table()
        if table.into == "caption":
            table.caption += data
        elif table.into == "cell":
            cell = table.rows[-1][-1]
            cell.text += _scripted(data.strip(), self.script, cell.text.rstrip()[-1:]) if self.script else data
            cell.bold = cell.bold or (bool(self.bold) and any(map(str.isalnum, data)))


def _scripted(data: str, kind: str, before: str) -> str:
    """Write what is raised or lowered so that it is not taken for digits of the number before it."""
    if data[:1].isdigit() and (before.isdigit() or before in ("%", ")")):
        return f" ({data})" if _DECIMAL.fullmatch(data) else f"{kind}{data}"
    return data


def _span(value: str | None, most: int) -> int:
    """A span of 0 rows goes to the end of its part of the table; nobody writes it, so it counts as 1."""
    match = re.match(r"\s*(\d{1,6})", value or "")
    return min(max(1, int(match[1])), most) if match else 1


def html_tables(text: str, *, name: str, notes: Caveats = ()) -> list[Grid]:
    """Find the tables of a page that have at least two columns."""
    reader = _Reader(name)
    text = re.sub(r"<!--.*?(?:-->|\Z)", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    reader.feed(_LONE.sub("&lt;", text))
    reader.close()
    grids = [_html_grid(table, name) for table in (*reader.done, *reversed(reader.begun))]
    return [replace(grid, notes=(*notes, *grid.notes)) for grid in grids if grid is not None]


def _html_grid(table: _Table, name: str) -> Grid | None:
    """Put every cell into all places that it spans."""
    source = [row for row in table.rows if row]
    sizes = (cell.wide * min(cell.high, len(source) - i) for i, row in enumerate(source) for cell in row)
    check_cells(sum(sizes), name)
    rows = list[list[Cell]]()
    down: dict[int, tuple[int, Cell]] = {}  # column: how many more rows a cell above spans, and that cell
    for cells in source:
        line, place = cells[0].line, 0
        made = {column: replace(cell, line=line) for column, (_, cell) in down.items()}
        down = {column: (high - 1, cell) for column, (high, cell) in down.items() if high > 1}
        spanned = frozenset(made)
        for cell in cells:
            while place in spanned:
                place += 1
            text = " ".join(cell.text.split())
            for column in range(place, place + cell.wide):
                made[column] = Cell(text=text, bold=cell.bold, line=cell.line, column=str(column + 1))
                if cell.high > 1:
                    down[column] = (cell.high - 1, made[column])
            place += cell.wide
        gap = Cell(text="", line=line)
        rows.append([made.get(place) or replace(gap, column=str(place + 1)) for place in range(max(made) + 1)])
    full = rectangle(rows, name)
    if not full or len(full[0]) < 2:
        return None
    caption, notes = " ".join(table.caption.split()), uneven(full, name)
    return Grid(rows=full, source=name, kind="html", caption=caption, notes=notes)
