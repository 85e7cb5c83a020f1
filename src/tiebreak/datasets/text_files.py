"""Texts with commas, semicolons, tabs or bars between cells, as a table that types itself by one rule."""

from __future__ import annotations

import codecs
import csv
import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.building import Table
from tiebreak.datasets.columns import BY_NAME, typed_text
from tiebreak.errors import InputError, OptionError, TiebreakError, meant_file
from tiebreak.results.columns import MISSING, check_headers, to_number
from tiebreak.results.text import UnsoundFile, file_bytes, polars_text

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = (",", ";", "\t", "|")
LONGEST_HEADER = 1 << 20


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked if its name ends in .gz; UTF-16 becomes UTF-8, a lone CR a new line."""
    try:
        raw = file_bytes(path)
    except (OSError, UnsoundFile) as error:
        raise unread(path, error, f"{str(path)!r} cannot be read ({error}).") from None
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raw = raw.decode("utf-16", errors="replace").encode("utf-8")
    return raw if b"\n" in raw else raw.replace(b"\r", b"\n")


def unread(path: Path, error: Exception, what: str) -> TiebreakError:
    """Make the error for a file that is not there, or for what is wrong with it."""
    why = "A data set is to be read from it."
    if isinstance(error, FileNotFoundError):
        return OptionError(f"There is no file {str(path)!r}.", mend=meant_file(path))
    return InputError(what, why=why, mend="Check the file, and whether it is whole.")


def as_utf8(raw: bytes) -> tuple[bytes, Caveats]:
    """Return text as UTF-8; what is not UTF-8 is read as Latin-1, with a caveat."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        note = Caveat("read-as", "The file is not UTF-8 and was read as Latin-1.")
        return raw.decode("latin-1").encode("utf-8"), (note,)
    return raw, ()


def text_table(path: Path) -> Table:
    """Read a separated file; its first line names the columns."""
    raw = read_bytes(path)
    first = raw.partition(b"\n")[0]
    return separated(raw, max(SEPARATORS, key=lambda mark: first.count(mark.encode())), source=repr(path.name))


def separated(raw: bytes, separator: str, *, source: str, caveats: Caveats = ()) -> Table:
    """Split text into columns; `caveats` are what is known of it so far."""
    from tiebreak.results.frames import split_frame

    if not raw.strip():
        raise InputError(
            f"{source} is empty.",
            why="The first line names the columns, those below it are rows.",
            mend="Give a file with rows.",
        )
    first = raw.partition(b"\n")[0].rstrip(b"\r")
    frame, notes = _in_any_encoding(raw, separator, source)
    encoding = "latin-1" if notes else "utf-8"
    headers = _headers(raw[:LONGEST_HEADER].decode(encoding, errors="replace"), separator)
    if len(headers) < 2:
        raise InputError(
            f"The first line of {source} names {len(headers)} column(s): {first[:60].decode(encoding, 'replace')!r}.",
            why="One attribute and the class are needed at least; commas, semicolons, tabs or bars separate columns.",
            mend="Check the separator, or save it as csv.",
        )
    _check_header(headers, frame, source)
    skip = _row_numbers(headers, frame, source)
    check_headers(headers, source, why=BY_NAME)
    frame.columns = headers
    columns, _ = split_frame(frame[:, len(skip) :], source=source)
    rule = partial(typed_text, decimal_comma=separator != ",")
    return Table(columns=columns, source=source, rule=rule, caveats=(*caveats, *notes, *skip))


def _headers(text: str, separator: str) -> list[str]:
    """Return the names of the columns; one in quotes may run over several lines."""
    try:
        return [header.strip() for header in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]
    except csv.Error:  # a quote that is never closed
        return []


def _in_any_encoding(raw: bytes, separator: str, source: str) -> tuple[pl.DataFrame, Caveats]:
    """Split the text as it is, and as Latin-1 only where that fails: to decode it first would take as long again."""
    try:
        try:
            return polars_text(raw, separator=separator, quote='"'), ()
        except UnsoundFile:
            raw, notes = as_utf8(raw)
            if not notes:
                raise
            return polars_text(raw, separator=separator, quote='"'), notes
    except UnsoundFile as error:
        raise InputError(
            f"{source} is not a table: {error}.",
            why="Every line must have as many cells as the first.",
            mend="Put cells that hold the separator or a double quote into double quotes, that quote twice.",
        ) from None


def _check_header(headers: list[str], frame: pl.DataFrame, source: str) -> None:
    """Refuse a first line that is a row of data: all attributes would bear the values of one row, which is lost."""
    if frame.width != len(headers):
        raise InputError(
            f"The first line of {source} names {len(headers)} columns, the rows have {frame.width}.",
            why="Every column needs a name.",
            mend="Correct the first line.",
        )
    numbers = [value for header in headers if header and (value := to_number(header, missing=MISSING)) is not None]
    counting = numbers in ([float(i) for i in range(len(numbers))], [float(i + 1) for i in range(len(numbers))])
    if len(numbers) > len(headers) / 2 and not counting:
        raise _headless(source, "holds numbers", headers)
    cells = (_like_data(header, frame.to_series(place)) for place, header in enumerate(headers))
    if len(numbers) < len(headers) and all(cells):
        raise _headless(source, "looks like the rows below it", headers)


def _like_data(header: str, column: pl.Series) -> bool:
    """Say whether a name could be a cell of its own column: a number, or a text that is found there."""
    return to_number(header, missing=MISSING) is not None or bool((column.str.strip_chars() == header).any())


def _headless(source: str, what: str, headers: list[str]) -> InputError:
    return InputError(
        f"The first line of {source} {what}: {', '.join(headers[:5])!r}.",
        why="The first line names the columns; a row of data would be lost there.",
        mend="Add a line with the names of the columns.",
    )


def _row_numbers(headers: list[str], frame: pl.DataFrame, source: str) -> Caveats:
    """Say that the first column is left out: the unnamed row numbers that frames write; refuse other unnamed ones."""
    unnamed = [place for place, header in enumerate(headers) if not header]
    if not unnamed:
        return ()
    first = frame.to_series(0).to_list()
    if unnamed == [0] and first in ([str(i) for i in range(len(first))], [str(i + 1) for i in range(len(first))]):
        return (Caveat("read-as", "The unnamed first column holds row numbers and was left out."),)
    raise InputError(
        f"Column {unnamed[0] + 1} of {source} has no name.", why=BY_NAME, mend="Name it in the first line."
    )
