"""Grids: any file, article or pasted text as plain tables of text cells; what the cells mean is settled elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.results.columns import Columns, LineOf

_SHOWN = 5
MOST_CELLS = 3_000_000
"""How many cells a grid may have: each takes about 250 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cell:
    """The text of a cell without formatting marks, and its position.

    `line` is the line of the file, or the row of the sheet, from 1; `column` is what people call the column: a letter
    in a sheet, a number elsewhere.
    """

    text: str
    bold: bool = False
    line: int = 0
    column: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grid:
    """A rectangle of cells; a cell that spans several places stands in each of them.

    `kind` is csv, sheet, latex, markdown, html, text or json. A note with the code "uneven-rows" says that cells may
    stand in wrong columns: such a grid is not to be trusted.
    """

    rows: tuple[tuple[Cell, ...], ...]
    source: str
    kind: str
    caption: str = ""
    notes: Caveats = ()


def grids_of(source: Path | str | bytes | IO[str], *, name: str = "", sheet: str | None = None) -> list[Grid]:
    r"""Find every table in a file, a text or standard input, as cells of text; nothing is read as a number.

    Parameters
    ----------
    source : Path, str, bytes or text stream
        A path; "-" for standard input; text that holds a line break is itself read, and so are bytes and streams.
    name : str, optional
        What the source is called in messages; its ending tells how to read text, bytes and streams.
    sheet : str, optional
        The sheet of a workbook to read; by default all sheets.

    Returns
    -------
    list of Grid
        A csv holds one, an article many; never none: a source without a table is an error.

    Examples
    --------
    >>> [grid] = grids_of("data;svm;tree\niris;0,97;0,94\n")
    >>> [[cell.text for cell in row] for row in grid.rows]
    [['data', 'svm', 'tree'], ['iris', '0,97', '0,94']]
    """
    from tiebreak.readers.grids.files import find

    return find(source, name=name, sheet=sheet)


def check_cells(count: int, source: str) -> None:
    """Refuse a table that is too large to be held cell by cell."""
    if count > MOST_CELLS:
        raise InputError(
            f"{source} has more than {MOST_CELLS:,} cells.",
            why="So large a table is read by column only, which needs plain numbers, one header and one separator.",
            mend="Save it as csv with decimal points, or as parquet.",
        )


def uneven(rows: Sequence[Sequence[Cell]], source: str) -> Caveats:
    """Name the rows with more cells than the header and the other rows have: their cells may stand in wrong columns."""
    lengths = [max((place for place, cell in enumerate(row, start=1) if cell.text), default=1) for row in rows]
    if len(set(lengths)) < 2:
        return ()
    usual = max(Counter(lengths).most_common(1)[0][0], lengths[0])
    longer = [row[0].line for row, length in zip(rows, lengths, strict=True) if length > usual]
    if not longer:
        return ()
    text = f"{source}: {lines_have(longer)} more cells than the other rows, which have {usual}."
    return (Caveat("uneven-rows", text),)


def lines_have(lines: Sequence[int]) -> str:
    """Name lines, and count those beyond the first few.

    Examples
    --------
    >>> lines_have([3]), lines_have([1, 2, 3, 4, 5, 6, 7])
    ('line 3 has', 'lines 1, 2, 3, 4, 5 and 2 more have')
    """
    shown = ", ".join(map(str, lines[:_SHOWN])) + (f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else "")
    return f"line {shown} has" if len(lines) == 1 else f"lines {shown} have"


def rectangle(rows: Iterable[Sequence[Cell]], source: str) -> tuple[tuple[Cell, ...], ...]:
    """Fill short rows with empty cells, so that every column has a cell in every row."""
    cells = [tuple(row) for row in rows]
    width = max(map(len, cells), default=0)
    check_cells(width * len(cells), source)
    filled = []
    for row in cells:
        line = row[-1].line if row else 0
        more = (Cell(text="", line=line, column=str(place + 1)) for place in range(len(row), width))
        filled.append((*row, *more))
    return tuple(filled)


def grid_of_columns(columns: Columns, *, source: str, line_of: LineOf | None = None) -> Grid:
    """Turn columns, as frames, parquet and JSON give them, into a grid of text; `line_of` are lines of a text."""
    from tiebreak.readers.grids.marks import unmarked

    length = len(next(iter(columns.values()), ()))
    lines = [row + 1 if line_of is None else line_of(row) for row in range(length)]
    header = tuple(Cell(text=str(name), line=0, column=str(i + 1)) for i, name in enumerate(columns))
    body = []
    for i, column in enumerate(columns.values(), start=1):
        coded = column.coded()
        cells = (*map(unmarked, coded.names), ("", False))
        texts = zip(lines, map(cells.__getitem__, coded.codes.tolist()), strict=True)
        body.append([Cell(text=text, bold=bold, line=line, column=str(i)) for line, (text, bold) in texts])
    kind = "json" if line_of is None else "csv"
    return Grid(rows=(header, *zip(*body, strict=True)), source=source, kind=kind)
