"""Tables of a Markdown file: pipes with a row of dashes below the header."""

from __future__ import annotations

import re
from itertools import pairwise

from tiebreak.caveats import Caveats
from tiebreak.readers.grids.grid import Cell, Grid, rectangle, uneven
from tiebreak.readers.grids.marks import markdown_text

ALIGNMENT = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The row below the header, such as | :--- | ---: |; it must hold a bar."""
_PIPE = re.compile(r"\\.|\||`+|[^\\|`]+|\\", re.DOTALL)
_TITLE = re.compile(r"[ \t]*(?:\*\*|__|\*)?(?:Table\b|Tab\.|:[ \t])", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+)")
_NEAR = 40  # lines above a table in which its heading is looked for


def has_markdown(text: str) -> bool:
    """Say whether a text holds a row of dashes with a row of cells above it."""
    lines = text.split("\n")
    return any(_is_dashes(line) and "|" in above for above, line in pairwise(lines))


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
        grid = _grid(lines, place, end, name, notes)
        if grid is not None:
            grids.append(grid)
        place = end + 1
    return grids


def _grid(lines: list[str], dashes: int, end: int, name: str, notes: Caveats) -> Grid | None:
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
    found = (markdown_text(piece) for piece in pieces)
    return [
        Cell(text=text, bold=bold, line=number, column=str(place)) for place, (text, bold) in enumerate(found, start=1)
    ]


def _caption(lines: list[str], dashes: int, end: int) -> str:
    """Return the line that calls itself a caption above or below the table, or the heading above it."""
    above = [place for place in range(dashes - 2, max(-1, dashes - 5), -1) if lines[place].strip()][:1]
    below = [place for place in range(end, min(len(lines), end + 2)) if lines[place].strip()][:1]
    for place in (*above, *below):
        if _TITLE.match(lines[place]):
            return markdown_text(lines[place].strip().removeprefix(":"))[0]
    for place in range(dashes - 2, max(-1, dashes - _NEAR), -1):
        found = _HEADING.match(lines[place])
        if found:
            return markdown_text(found.group(1).rstrip("# "))[0]
    return ""
