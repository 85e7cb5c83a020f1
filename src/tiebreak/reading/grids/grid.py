"""A grid: the cells of a table as text, before anybody asks what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError

KINDS = ("csv", "xlsx", "ods", "latex", "markdown", "html", "text", "json")
"""What a grid can come from."""

MOST_CELLS = 3_000_000
"""How many cells a grid may have: each takes about 250 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cell:
    """The text of a cell without the marks of its format, and where it stands.

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

    `header_rows` counts the rows of the header where the format says it, else None.
    """

    rows: tuple[tuple[Cell, ...], ...]
    source: str
    kind: str
    caption: str = ""
    header_rows: int | None = None
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
        The sheet of a workbook, or the file of an archive, to read; by default all sheets, and the only file.

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
    from tiebreak.reading.grids.finding import find

    return find(source, name=name, sheet=sheet)


def check_cells(count: int, source: str) -> None:
    """Refuse a table that is too large to be held cell by cell."""
    if count > MOST_CELLS:
        raise InputError(
            f"{source} has more than {MOST_CELLS:,} cells.",
            why="So large a table is read by column only, which needs plain numbers, one header and one separator.",
            mend="Save it as csv with decimal points, or as parquet.",
        )


def rectangle(rows: Iterable[Sequence[Cell]], source: str) -> tuple[tuple[Cell, ...], ...]:
    """Fill short rows with empty cells, so that every column has a cell in every row."""
    kept = [tuple(row) for row in rows]
    width = max(map(len, kept), default=0)
    check_cells(width * len(kept), source)
    filled = []
    for row in kept:
        line = row[-1].line if row else 0
        more = (Cell(text="", line=line, column=str(place + 1)) for place in range(len(row), width))
        filled.append((*row, *more))
    return tuple(filled)
