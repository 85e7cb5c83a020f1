"""Spreadsheets: xlsx and ods (and the older xls), every sheet a grid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, quoted, unknown_name
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle
from tiebreak.readers.grids.marks import unmarked
from tiebreak.results.text import sheet_texts, workbook


def sheets(data: bytes, *, name: str, kind: str, sheet: str | None) -> list[Grid]:
    """Read the sheets of a workbook that hold anything, or the one that is named."""
    book = workbook(data, name)
    listed = {item.name: str(item.visible).endswith("Visible") for item in book.sheets_metadata}
    if sheet is not None and sheet not in listed:
        raise unknown_name("sheet", sheet, listed, mend=f"It is looked for in {name}.")
    wanted = [item for item, shown in listed.items() if (item == sheet if sheet is not None else shown)]
    grids = [grid for item in wanted if (grid := _grid(book, item, name, kind)) is not None]
    hidden = [item for item, shown in listed.items() if not shown]
    if hidden and sheet is None and grids:
        text = f"{name}: hidden sheets were not read ({quoted(hidden)})."
        grids = [replace(grid, notes=(Caveat("sources-left-out", text),)) for grid in grids]
    if not grids:
        raise InputError(
            f"{name} holds no sheet with at least one cell.", why="There is nothing to compare.", mend="Check the file."
        )
    return grids


def _grid(book: Any, title: str, name: str, kind: str) -> Grid | None:
    page, texts = sheet_texts(book, title, name)
    top, left = page.start or (0, 0)
    for (first, start), (last, end) in page.merged_cell_ranges or []:
        for row in range(max(first - top, 0), min(last - top + 1, len(texts))):
            for column in range(max(start - left, 0), min(end - left + 1, len(texts[row]))):
                texts[row][column] = texts[first - top][start - left] if first >= top and start >= left else ""
    return _trimmed(texts, top, left, name, kind, title)


def _trimmed(texts: list[list[str]], top: int, left: int, name: str, kind: str, title: str) -> Grid | None:
    """Leave out empty rows and columns; lines of one cell above the table are its caption."""
    used = [place for place in range(max(map(len, texts), default=0)) if any(row[place] for row in texts)]
    remaining = [(place, [row[column] for column in used]) for place, row in enumerate(texts) if any(row)]
    if not remaining:
        return None
    start = next((place for place, (_, row) in enumerate(remaining) if len({*row} - {""}) > 1), 0)
    if start and remaining[start - 1][1][0] == "":  # one name above the columns is a group of them, not a title
        start -= 1
    caption = [title, *("".join(dict.fromkeys(row)) for _, row in remaining[:start])]
    remaining = remaining[start:]
    check_cells(len(remaining) * len(used), name)
    rows = [
        [_cell(text, top + place + 1, left + column) for text, column in zip(row, used, strict=True)]
        for place, row in remaining
    ]
    return Grid(rows=rectangle(rows, name), source=name, kind=kind, caption=": ".join(caption))


def _cell(text: str, line: int, column: int) -> Cell:
    plain, bold = unmarked(text)
    return Cell(text=plain, bold=bold, line=line, column=letters(column))


def letters(column: int) -> str:
    """Name a column as spreadsheets do.

    Examples
    --------
    >>> letters(0), letters(25), letters(26), letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    name = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        name = chr(ord("A") + place) + name
    return name
