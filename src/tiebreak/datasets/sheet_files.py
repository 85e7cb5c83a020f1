"""Spreadsheets as data sets: the one sheet that holds a table, its first full row the names of the columns."""

from __future__ import annotations

import csv
import datetime
import io
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.building import Table
from tiebreak.datasets.text_files import separated, unread
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.text import most_bytes, too_large

SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
MOST_CELLS = 50_000_000
"""Cells of a sheet; a far-off cell makes a sheet of emptiness larger than any memory."""


def sheet_table(path: Path) -> Table:
    """Read the first sheet that is shown and holds a table; lines of one cell above it are its title."""
    book, source = _opened(path), repr(path.name)
    shown = [each.name for each in book.sheets_metadata if str(each.visible).endswith("Visible")]
    held = {name: rows for name in shown if len(rows := _rows(book, name, source)) > 1}
    if not held:
        raise InputError(
            f"{source} holds no sheet with a row of names and a row of values.",
            why="A data set has a row for each example.",
            mend="Check the file, or save the right sheet as csv.",
        )
    taken, *others = held
    return separated(_as_csv(held[taken]), ",", source=source, caveats=_left_out(taken, others))


def _opened(path: Path) -> Any:
    try:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError
    except ImportError:
        raise OptionError(
            f"{path.name!r} is a spreadsheet, and the library python-calamine is not installed.",
            why="It reads xlsx and ods.",
            mend="Install it with `pip install 'tiebreak[sheets]'`, or save the sheet as csv.",
        ) from None
    try:
        data = path.read_bytes()
        _check_archive(data, repr(path.name))
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise _unsound(repr(path.name), "it is protected by a password") from None
    except OSError as error:
        raise unread(path, error, f"{str(path)!r} cannot be read ({error}).") from None
    except (CalamineError, ValueError, KeyError) as error:
        raise _unsound(repr(path.name), str(error) or type(error).__name__) from None


def _check_archive(data: bytes, source: str) -> None:
    """Refuse a workbook that says itself that it unpacks to more than the memory; xls is no archive."""
    import zipfile

    if not data.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            whole = sum(each.file_size for each in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError):
        return  # the reader says what is wrong with it
    if whole > most_bytes(len(data)):
        raise too_large(source, most_bytes(len(data)), len(data))


def _unsound(source: str, error: str) -> InputError:
    return InputError(
        f"{source} cannot be read as a spreadsheet: {error}.",
        why="Its ending says that it is one.",
        mend="Open it in a spreadsheet program and save it again, or save the sheet as csv.",
    )


def _rows(book: Any, name: str, source: str) -> list[list[str]]:
    """Return the cells of a sheet as text, from the first row with two cells on; empty rows and columns are none."""
    from python_calamine import CalamineError

    try:
        page = book.get_sheet_by_name(name)
        if page.width * page.height > MOST_CELLS:
            raise InputError(
                f"Sheet {name!r} of {source} has {page.width * page.height:,} cells.",
                why=f"{MOST_CELLS:,} are read; most of them are likely empty.",
                mend="Delete what stands far off the table, or save the table as csv.",
            )
        texts = [[_text(value) for value in row] for row in page.to_python(skip_empty_area=True)]
    except (CalamineError, ValueError, KeyError) as error:
        raise _unsound(source, str(error) or type(error).__name__) from None
    used = [place for place in range(max(map(len, texts), default=0)) if any(row[place] for row in texts)]
    kept = [[row[place] for place in used] for row in texts if any(row)]
    start = next((place for place, row in enumerate(kept) if sum(map(bool, row)) > 1), len(kept))
    return kept[start:]


def _text(value: object) -> str:
    """Write a value as a csv file of the sheet would have it: 70.0 is 70 there."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return " ".join(str(value).split())


def _as_csv(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", errors="replace")


def _left_out(taken: str, others: list[str]) -> Caveats:
    """Say which sheets were not read, where several hold a table."""
    if not others:
        return ()
    said = f"Sheet {taken!r} was read; {quoted(others)} not. To read another, save it as csv."
    return (Caveat("sources-left-out", said),)
