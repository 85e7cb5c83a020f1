"""Where the parts of a grid lie: titles above it, rows of the header, columns that number or name the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.readers.grids import Cell, Grid
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.cells import FAILURE, GAP, NUMBER, TEXT, Parsed, bare, parse

_SIGNS = frozenset(("", "±", "+/-", "↑", "↓", "|"))
"""A column of nothing but these, without a header, says nothing of its own: lm-eval prints two of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """A cell with what it says."""

    cell: Cell
    parsed: Parsed

    @property
    def text(self) -> str:
        """What it holds, without marks."""
        return self.parsed.text

    @property
    def kind(self) -> str:
        """What it is: number, gap, failure or text."""
        return self.parsed.kind

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return not self.parsed.text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """A grid in parts: `levels` are the rows of the header, `body` the rest, `above` titles over the table."""

    grid: Grid
    levels: tuple[tuple[str, ...], ...]
    body: tuple[tuple[Item, ...], ...]
    above: tuple[str, ...] = ()
    headless: bool = False

    @property
    def headers(self) -> tuple[str, ...]:
        """The lowest name of each column."""
        return tuple(next((text for text in reversed(column) if text), "") for column in zip(*self.levels, strict=True))

    def column(self, place: int) -> list[Item]:
        """Return one column of the body."""
        return [row[place] for row in self.body]


def lay_out(grid: Grid) -> Layout:
    """Tell the header from the body; empty rows and columns are dropped, as they say nothing."""
    rows = [[Item(cell=cell, parsed=parse(cell.text, bold=cell.bold)) for cell in row] for row in grid.rows]
    told = grid.header_rows
    if told:
        told = sum(any(not item.empty for item in row) for row in rows[:told])
    rows = [row for row in rows if any(not item.empty for item in row)]
    used = [place for place in range(len(rows[0]) if rows else 0) if any(row[place].text not in _SIGNS for row in rows)]
    rows = [[row[place] for place in used] for row in rows if used]
    first = _first(rows)
    told = told and max(told - first, 1)
    above = tuple(next(item.text for item in row if not item.empty) for row in rows[:first])
    rows = rows[first:]
    count = _header_rows(rows, told)
    levels = tuple(tuple(bare(item.cell.text) for item in row) for row in rows[:count])
    return Layout(
        grid=grid,
        levels=levels,
        body=tuple(map(tuple, rows[count:])),
        above=above,
        headless=bool(rows) and count == 0,
    )


def _first(rows: Sequence[Sequence[Item]]) -> int:
    """Count the titles above a table: rows of one cell, in the first column or over all, before a row of several."""
    for place, row in enumerate(rows):
        if len({item.text for item in row} - {""}) > 1 or row[0].empty or len(row) < 3:
            return place
    return 0


def _header_rows(rows: Sequence[Sequence[Item]], told: int | None) -> int:
    """Count the rows of the header: as the format says, else one and those under it that hold no numbers either."""
    if not rows:
        return 0
    count = told or (1 if _is_header(rows[0], rows[1:]) else 0)
    while 0 < count < len(rows) - 1 and _is_more(rows[count], rows[:count]):
        count += 1
    return count


def _is_header(row: Sequence[Item], rest: Sequence[Sequence[Item]]) -> bool:
    """A row of numbers is a header only where they are whole and different, as names are, and what is below is not."""
    numbers = [item for item in row[1:] if item.kind == NUMBER]
    if len(numbers) * 2 <= len([item for item in row[1:] if not item.empty]):
        return True
    texts = [item.text for item in numbers]
    whole = all(text.isdigit() for text in texts) and len(set(texts)) == len(texts)
    below = [item.text for other in rest for item in other[1:] if item.kind == NUMBER]
    return whole and bool(below) and not all(text.isdigit() for text in below)


def _is_more(row: Sequence[Item], above: Sequence[Sequence[Item]]) -> bool:
    """Say whether a row continues the header: no numbers, no gaps, and no name of its own in the first column."""
    if any(item.kind in (NUMBER, FAILURE) or (item.kind == GAP and not item.empty) for item in row[1:]):
        return False
    corner = next((line[0].text for line in reversed(above) if not line[0].empty), "")
    if all(item.empty for item in row[1:]):  # where pandas writes the name of the index
        title, over = words.titled(row[0].text), words.titled(corner)
        return title is not None and (not corner or (over is not None and over != title))
    return (
        row[0].empty
        or row[0].text == corner
        or row[0].text.lower() in ("unit", "units")
        or ((not corner or _names_level(corner)) and _names_level(row[0].text))
    )


def _names_level(text: str) -> bool:
    """Say whether a cell is the name of a level of the header, as pandas writes it in the first column."""
    return words.titled(text) is not None or text.strip().lower() in ("metric", "metrics", "measure")


def spread(level: Sequence[str]) -> tuple[str, ...]:
    """Fill the cells that a merged header left empty from the left, but never from the first column."""
    out: list[str] = []
    for place, text in enumerate(level):
        out.append(text or (out[-1] if place > 1 else ""))
    return tuple(out)


def is_numeric(column: Sequence[Item]) -> bool:
    """Say whether a column holds numbers, perhaps with a few cells that cannot be read; one of gaps alone does too."""
    numbers = sum(item.kind in (NUMBER, FAILURE) for item in column)
    texts = sum(item.kind == TEXT for item in column)
    return numbers > texts if texts else True


def holds_results(header: str, column: Sequence[Item]) -> bool:
    """Say whether a column beside the names is one of results: text among its numbers is then a mistake to be named.

    One of nothing but text is a description, unless its header is that of an algorithm or there is hardly a row to
    judge by.
    """
    numbers = sum(item.kind in (NUMBER, FAILURE) for item in column)
    texts = sum(item.kind == TEXT for item in column)
    if words.is_description(header) and not words.is_weak(header) and texts >= numbers:
        return not texts
    if not numbers and texts:
        return words.known_as(header) == "algorithm" or len(column) < 3
    return numbers * 4 >= texts


def is_numbering(column: Sequence[Item]) -> bool:
    """Say whether a column counts the rows, from 0 or from 1."""
    texts = [item.text.rstrip(".") for item in column if not item.empty]  # an average below is not numbered
    first = texts[0] if texts else ""
    return first in ("0", "1") and texts == [str(i + int(first)) for i in range(len(texts))]


def column_place(layout: Layout, place: int) -> str:
    """Name a column by its place in the file."""
    cell = layout.grid.rows[0][0] if not layout.body else layout.body[0][place].cell
    return f"column {cell.column}" if cell.column else f"column {place + 1}"
