"""Tables of Markdown files and of HTML pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from tiebreak.caveats import Caveats
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle, uneven
from tiebreak.readers.grids.marks import markdown_text

ALIGNMENT = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The row below the header, such as | :--- | ---: |; it must hold a bar."""
_PIPE = re.compile(r"\\.|\||`+|[^\\|`]+|\\", re.DOTALL)
_TITLE = re.compile(r"[ \t]*(?:\*\*|__|\*)?(?:Table\b|Tab\.|:[ \t])", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+)")
_NEAR = 40  # lines above a table in which its heading is looked for


def _is_dashes(line: str) -> bool:
    return "-" in line and "|" in line and len(line) < 100_000 and ALIGNMENT.fullmatch(line.strip(" \t>")) is not None


def markdown(text: str, *, name: str, notes: Caveats = ()) -> list[Grid]:
    """Find the tables of a Markdown text."""
    lines, grids, place = text.split("\n"), list[Grid](), 1
    while place < len(lines):
        if not (_is_dashes(lines[place]) and "|" in lines[place - 1]):
            place += 1
            continue
        end = place + 1
        while end < len(lines) and "|" in lines[end]:
            end += 1
        grid = _markdown_grid(lines, place, end, name, notes)
        if grid is not None:
            grids.append(grid)
        place = end + 1
    return grids


def _markdown_grid(lines: list[str], dashes: int, end: int, name: str, notes: Caveats) -> Grid | None:
    """Make a grid of the lines from the header to the end; rules between its rows are left out."""
    numbers = [dashes - 1, *(place for place in range(dashes + 1, end) if not _is_dashes(lines[place]))]
    rows = [_cells(lines[place], place + 1) for place in numbers]
    headers: int | None = 1
    if not any(cell.text for cell in rows[0]):  # Markdown wants a header even where there is none
        rows, headers = rows[1:], None
    full = rectangle(rows, name)
    if not full or len(full[0]) < 2:
        return None
    notes = (*notes, *uneven(rows, name))
    return Grid(
        rows=full, source=name, kind="markdown", caption=_caption(lines, dashes, end), header_rows=headers, notes=notes
    )


def _cells(line: str, number: int) -> list[Cell]:
    """Split a row at its bars; a bar behind a backslash or inside code is text."""
    pieces, cell, code = list[str](), list[str](), ""
    for token in _PIPE.findall(line.strip().lstrip(">").strip()):
        if token[0] == "`":
            code = "" if code == token else code or token
            cell.append(token)
        elif token == "|" and not code:
            pieces.append("".join(cell))
            cell = []
        else:
            cell.append("|" if token == "\\|" else token)
    if code:  # a lone backtick opens nothing
        pieces = line.strip().replace("\\|", "\0").split("|")
        pieces, cell = [piece.replace("\0", "|") for piece in pieces[:-1]], [pieces[-1].replace("\0", "|")]
    pieces.append("".join(cell))
    if not pieces[0].strip() and line.lstrip(" \t>").startswith("|"):
        pieces = pieces[1:]
    if pieces and not pieces[-1].strip() and line.rstrip().endswith("|"):
        pieces = pieces[:-1]
    rng = (markdown_text(piece) for piece in pieces)
    return [
        Cell(text=text, bold=bold, line=number, column=str(place)) for place, (text, bold) in enumerate(rng, start=1)
    ]


def _caption(lines: list[str], dashes: int, end: int) -> str:
    """Return the line that calls itself a caption above or below the table, or the heading above it."""
    above = [place for place in range(dashes - 2, max(-1, dashes - 5), -1) if lines[place].strip()][:1]
    below = [place for place in range(end, min(len(lines), end + 2)) if lines[place].strip()][:1]
    for place in (*above, *below):
        if _TITLE.match(lines[place]):
            return markdown_text(lines[place].strip().removeprefix(":"))[0]
    for place in range(dashes - 2, max(-1, dashes - _NEAR), -1):
        match = _HEADING.match(lines[place])
        if match:
            return markdown_text(match.group(1).rstrip("# "))[0]
    return ""


_SILENT = frozenset("script style template head title annotation annotation-xml noscript svg".split())
_VOID = frozenset("br img hr input meta link wbr col area base source".split())
_HEAVY = re.compile(r"font-weight\s*:\s*(?:bold|bolder|[6-9]00)", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_WIDEST, _HIGHEST = 1000, 65534  # what browsers allow a cell to span
_LONE = re.compile(r"<(?=[^<>]*(?:<|\Z))")  # it opens no tag, and the parser would look for the end again and again
_DECIMAL = re.compile(r"\d*[.,]\d+%?")


@dataclass(slots=True)
class _Cell:
    """A cell that is being read."""

    header: bool
    wide: int
    high: int
    line: int
    pieces: list[tuple[str, bool]] = field(default_factory=list)

    def read(self) -> tuple[str, bool]:
        text = " ".join("".join(piece for piece, _ in self.pieces).split())
        return text, any(heavy and any(map(str.isalnum, piece)) for piece, heavy in self.pieces)


@dataclass(slots=True)
class _Table:
    """A table that is being read."""

    rows: list[tuple[list[_Cell], str]] = field(default_factory=list)  # cells, and the part: thead, tbody, tfoot
    part: str = ""
    cell: _Cell | None = None
    caption: list[str] | None = None
    title: str = ""


class _Reader(HTMLParser):
    """Follows the tags; of tables inside tables each is one of its own."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source, self.open, self.done = source, list[_Table](), list[_Table]()
        self.silent = ""
        self.depth = 0
        self.bold = list[str]()  # tags that made the text bold
        self.script = ""
        self.cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if self.silent:
            self.depth += tag == self.silent
            return
        if tag not in _VOID and (tag in _SILENT or "hidden" in given or _HIDDEN.search(given.get("style", ""))):
            self.silent, self.depth = tag, 1
            return
        if tag == "table":
            self.open.append(_Table())
        elif self.open and tag in ("tr", "td", "th", "thead", "tbody", "tfoot", "caption"):
            self._structure(tag, given)
        elif tag == "br":
            self._say(" ")
        elif tag in ("sup", "sub"):
            self.script = "^" if tag == "sup" else "_"
        elif tag in ("p", "div", "li"):
            self._say(" ")
        if tag not in _VOID and (tag in ("b", "strong") or _HEAVY.search(given.get("style", ""))):
            self.bold.append(tag)

    def _structure(self, tag: str, given: dict[str, str]) -> None:
        table = self.open[-1]
        if tag in ("td", "th"):
            self._close_cell(table)
            if not table.rows:
                table.rows.append(([], table.part))
            cell = _Cell(
                header=tag == "th",
                wide=_span(given.get("colspan"), _WIDEST),
                high=_span(given.get("rowspan"), _HIGHEST),
                line=self.getpos()[0],
            )
            self.cells += cell.wide
            check_cells(self.cells, self.source)
            table.cell = cell
            table.rows[-1][0].append(cell)
        elif tag == "tr":
            self._close_cell(table)
            table.rows.append(([], table.part))
        elif tag == "caption":
            table.caption = []
        else:
            self._close_cell(table)
            table.part = tag

    def _close_cell(self, table: _Table) -> None:
        table.cell, self.script = None, ""
        self.bold.clear()

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.depth -= tag == self.silent
            if self.depth <= 0:
                self.silent = ""
            return
        if tag in self.bold and tag not in ("td", "th", "tr"):
            self.bold.reverse()
            self.bold.remove(tag)
            self.bold.reverse()
        if tag in ("sup", "sub"):
            self.script = ""
        if not self.open:
            return
        table = self.open[-1]
        if tag in ("td", "th", "tr"):
            self._close_cell(table)
        elif tag in ("thead", "tbody", "tfoot"):
            table.part = ""
        elif tag == "caption" and table.caption is not None:
            table.title, table.caption = " ".join("".join(table.caption).split()), None
        elif tag == "table":
            self._close_cell(table)
            self.done.append(self.open.pop())

    def handle_data(self, data: str) -> None:
        self._say(data)

    def _say(self, data: str) -> None:
        if self.silent or not self.open:
            return
        table = self.open[-1]
        if table.caption is not None:
            table.caption.append(data)
        elif table.cell is not None:
            if self.script and data.strip():
                data = _scripted(data.strip(), self.script, table.cell)
            table.cell.pieces.append((data, bool(self.bold)))


def _scripted(data: str, kind: str, cell: _Cell) -> str:
    """Write what is raised or lowered so that it is not taken for digits of the number before it."""
    before = next((piece.rstrip()[-1] for piece, _ in reversed(cell.pieces) if piece.strip()), "")
    if data[0].isdigit() and (before.isdigit() or before in ("%", ")")):
        return f" ({data})" if _DECIMAL.fullmatch(data) else f"{kind}{data}"
    return data


def _span(value: str | None, most: int) -> int:
    """A span of 0 rows goes to the end of its part of the table; nobody writes it, so it counts as 1."""
    match = re.match(r"\s*(\d{1,6})", value or "")
    return min(max(1, int(match.group(1))), most) if match else 1


def html_tables(text: str, *, name: str, notes: Caveats = ()) -> list[Grid]:
    """Find the tables of a page that have at least two columns."""
    reader = _Reader(name)
    reader.feed(_LONE.sub("&lt;", _uncommented(text)))
    reader.close()
    tables = [*reader.done, *reversed(reader.open)]
    grids = [_html_grid(table, name) for table in tables]
    return [replace(grid, notes=(*notes, *grid.notes)) for grid in grids if grid is not None]


def _uncommented(text: str) -> str:
    """Leave out comments, but not their line breaks."""
    parts, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0:
        end = text.find("-->", start + 4)
        end = len(text) if end < 0 else end + 3
        parts += [text[place:start], "\n" * text.count("\n", start, end)]
        place = end
    return "".join([*parts, text[place:]])


def _html_grid(table: _Table, name: str) -> Grid | None:
    table.rows = [row for row in table.rows if row[0]]
    rows = list[dict[int, Cell]]()
    left = len(table.rows)
    check_cells(sum(cell.wide * min(cell.high, left - i) for i, row in enumerate(table.rows) for cell in row[0]), name)
    down: dict[int, tuple[int, Cell]] = {}  # column: how many more rows a cell above spans, and that cell
    for cells, _ in table.rows:
        line, place = cells[0].line, 0
        made = {column: replace(cell, line=line) for column, (_, cell) in down.items()}
        down = {column: (high - 1, cell) for column, (high, cell) in down.items() if high > 1}
        spanned = frozenset(made)
        for cell in cells:
            while place in spanned:
                place += 1
            text, bold = cell.read()
            for column in range(place, place + cell.wide):
                made[column] = Cell(text=text, bold=bold, line=cell.line, column=str(column + 1))
                if cell.high > 1:
                    down[column] = (cell.high - 1, made[column])
            place += cell.wide
        rows.append(made)
    full = rectangle([_filled(row) for row in rows], name)
    if not full or len(full[0]) < 2:
        return None
    notes = uneven(full, name)
    return Grid(rows=full, source=name, kind="html", caption=table.title, header_rows=_headers(table), notes=notes)


def _filled(row: dict[int, Cell]) -> list[Cell]:
    line = next(iter(row.values())).line if row else 0
    return [
        row.get(place, Cell(text="", line=line, column=str(place + 1))) for place in range(max(row, default=-1) + 1)
    ]


def _headers(table: _Table) -> int | None:
    """Count the rows of the head, or those at the top that hold header cells alone."""
    head = sum(part == "thead" for _, part in table.rows)
    if head:
        return head
    count = 0
    for cells, _ in table.rows:
        if not all(cell.header or not cell.read()[0] for cell in cells) or not any(cell.header for cell in cells):
            break
        count += 1
    return count if 0 < count < len(table.rows) else None
