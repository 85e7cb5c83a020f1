"""Spreadsheets: xlsx and ods (and the older xls), every sheet a grid."""

from __future__ import annotations

import datetime
import io
from dataclasses import replace
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.readers.grids import Cell, Grid, check_cells, rectangle
from tiebreak.readers.grids.marks import unmarked


def sheets(data: bytes, *, name: str, kind: str, sheet: str | None) -> list[Grid]:
    """Read the sheets of a workbook that hold anything, or the one that is named."""
    book = _opened(data, name)
    listed = {each.name: str(each.visible).endswith("Visible") for each in book.sheets_metadata}
    if sheet is not None and sheet not in listed:
        raise unknown_name("sheet", sheet, listed, mend=f"It is looked for in {name}.")
    wanted = [each for each, shown in listed.items() if (each == sheet if sheet is not None else shown)]
    grids = [grid for each in wanted if (grid := _grid(book, each, name, kind)) is not None]
    hidden = [each for each, shown in listed.items() if not shown]
    if hidden and sheet is None and grids:
        said = f"{name}: hidden sheets were not read ({quoted(hidden)})."
        grids = [replace(grid, notes=(Caveat("sources-left-out", said),)) for grid in grids]
    if not grids:
        raise InputError(
            f"{name} holds no sheet with at least one cell.", why="There is nothing to compare.", mend="Check the file."
        )
    return grids


def _opened(data: bytes, name: str) -> Any:
    try:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError
    except ImportError:
        raise OptionError(
            f"{name} is a spreadsheet, and the library python-calamine is not installed.",
            why="It reads xlsx and ods.",
            mend="Install it with `pip install 'tiebreak[sheets]'`, or save the sheet as csv.",
        ) from None
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise _unsound(name, "it is protected by a password") from None
    except (CalamineError, OSError, ValueError, KeyError) as error:
        raise _unsound(name, str(error) or type(error).__name__) from None


def _unsound(name: str, error: str) -> InputError:
    return InputError(
        f"{name} cannot be read as a spreadsheet: {error}.",
        why="Its ending or its content says that it is one.",
        mend="Open it in a spreadsheet program and save it again, or save the sheet as csv.",
    )


def _grid(book: Any, title: str, name: str, kind: str) -> Grid | None:
    from python_calamine import CalamineError

    try:
        page = book.get_sheet_by_name(title)
        if page.width * page.height > 50_000_000:  # far-off cells make a sheet of emptiness
            check_cells(page.width * page.height, f"Sheet {title!r} of {name}")
        values = page.to_python(skip_empty_area=True)
        top, left = page.start or (0, 0)
        merged = page.merged_cell_ranges or []
    except (CalamineError, ValueError, KeyError) as error:
        raise _unsound(name, str(error) or type(error).__name__) from None
    texts = [[_text(value) for value in row] for row in values]
    for (first, start), (last, end) in merged:
        for row in range(max(first - top, 0), min(last - top + 1, len(texts))):
            for column in range(max(start - left, 0), min(end - left + 1, len(texts[row]))):
                texts[row][column] = _text(values[first - top][start - left]) if first >= top and start >= left else ""
    return _trimmed(texts, top, left, name, kind, title)


def _trimmed(texts: list[list[str]], top: int, left: int, name: str, kind: str, title: str) -> Grid | None:
    """Leave out empty rows and columns; lines of one cell above the table are its caption."""
    used = [place for place in range(max(map(len, texts), default=0)) if any(row[place] for row in texts)]
    kept = [(place, [row[column] for column in used]) for place, row in enumerate(texts) if any(row)]
    if not kept:
        return None
    start = next((place for place, (_, row) in enumerate(kept) if len({*row} - {""}) > 1), 0)
    if start and kept[start - 1][1][0] == "":  # one name above the columns is a group of them, not a title
        start -= 1
    caption = [title, *("".join(dict.fromkeys(row)) for _, row in kept[:start])]
    kept = kept[start:]
    check_cells(len(kept) * len(used), name)
    rows = [
        [_cell(text, top + place + 1, left + column) for text, column in zip(row, used, strict=True)]
        for place, row in kept
    ]
    notes: Caveats = ()
    return Grid(rows=rectangle(rows, name), source=name, kind=kind, caption=": ".join(caption), notes=notes)


def _cell(text: str, line: int, column: int) -> Cell:
    plain, bold = unmarked(text)
    return Cell(text=plain, bold=bold, line=line, column=letters(column))


def _text(value: object) -> str:
    """Write a value as the sheet shows it in its shortest form: 70.0 is 70 there."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return " ".join(str(value).split())


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
