"""Comma, semicolon and tab separated files, plain or gzipped, as a table of text that types itself by one rule."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.datasets.columns import Column, Kind, Place, column_of_text, read_number
from tiebreak.errors import InputError, OptionError

if TYPE_CHECKING:
    import polars as pl

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEPARATORS = (",", ";", "\t")
LONGEST_HEADER = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextTable:
    """A table in which every cell is text."""

    headers: tuple[str, ...]
    frame: pl.DataFrame
    source: str
    decimal_comma: bool = False
    caveats: tuple[str, ...] = ()

    def column(self, header: str, *, kind: Kind | None) -> Column:
        """Return numbers where all of the column is numbers, names elsewhere."""
        text = self.frame.to_series(self.headers.index(header))
        place = Place(header=header, source=self.source)
        return column_of_text(text, kind=kind, place=place, decimal_comma=self.decimal_comma)


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked if its name ends in .gz; UTF-16 becomes UTF-8, a lone CR a new line."""
    try:
        raw = path.read_bytes()
        return _plain(gzip.decompress(raw) if path.suffix.lower() == ".gz" else raw)
    except FileNotFoundError:
        raise OptionError(
            f"There is no file {str(path)!r}.", why="A data set is to be read from it.", mend="Check the path."
        ) from None
    except (OSError, EOFError) as error:
        raise InputError(
            f"{str(path)!r} cannot be read ({error}).",
            why="A data set is to be read from it.",
            mend="Check the file, and whether it is whole.",
        ) from None


def _plain(raw: bytes) -> bytes:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raw = raw.decode("utf-16", errors="replace").encode("utf-8")
    return raw if b"\n" in raw else raw.replace(b"\r", b"\n")


def as_utf8(raw: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return text as UTF-8 without its byte order mark; what is not UTF-8 is read as Latin-1, with a caveat."""
    raw = raw.removeprefix(BYTE_ORDER_MARK)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1").encode("utf-8"), ("The file is not UTF-8 and was read as Latin-1.",)
    return raw, ()


def text_table(path: Path) -> TextTable:
    """Read a separated file; its first line names the columns."""
    source = repr(path.name)
    raw = read_bytes(path).removeprefix(BYTE_ORDER_MARK)
    first = raw.partition(b"\n")[0].rstrip(b"\r")
    separator = max(SEPARATORS, key=lambda mark: first.count(mark.encode()))
    frame, caveats = _in_any_encoding(raw, separator, source)
    encoding = "latin-1" if caveats else "utf-8"
    headers = _headers(raw[:LONGEST_HEADER].decode(encoding, errors="replace"), separator)
    if len(headers) < 2:
        raise InputError(
            f"The first line of {source} names {len(headers)} column(s): {first[:60].decode(encoding, 'replace')!r}.",
            why="One attribute and the class are needed at least; commas, semicolons and tabs separate columns.",
            mend="Check the separator.",
        )
    _check_header(headers, frame, source)
    table = TextTable(
        headers=tuple(headers), frame=frame, source=source, decimal_comma=separator != ",", caveats=caveats
    )
    return _without_row_numbers(table)


def _headers(text: str, separator: str) -> list[str]:
    """Return the names of the columns; one in quotes may run over several lines."""
    try:
        return [header.strip() for header in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]
    except csv.Error:  # a quote that is never closed
        return []


def _in_any_encoding(raw: bytes, separator: str, source: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    try:
        return _parsed(raw, separator, source), ()
    except InputError:
        again, caveats = as_utf8(raw)
        if not caveats:
            raise
        return _parsed(again, separator, source), caveats


def _parsed(raw: bytes, separator: str, source: str) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_csv(io.BytesIO(raw), separator=separator, infer_schema=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{source} is not a table: {str(error).splitlines()[0]}.",
            why="Every line must have as many cells as the first.",
            mend="Put cells that hold the separator or a double quote into double quotes, that quote twice.",
        ) from None


def _check_header(headers: list[str], frame: pl.DataFrame, source: str) -> None:
    if frame.width != len(headers):
        raise InputError(
            f"The first line of {source} names {len(headers)} columns, the rows have {frame.width}.",
            why="Every column needs a name.",
            mend="Correct the first line.",
        )
    numbers = [value for header in headers if header and (value := read_number(header)) is not None]
    counting = numbers in ([float(i) for i in range(len(numbers))], [float(i + 1) for i in range(len(numbers))])
    if len(numbers) > len(headers) / 2 and not counting:
        raise _headless(source, "holds numbers", headers)
    texts = len(numbers) < len(headers)
    if texts and all(_like_data(header, frame.to_series(place)) for place, header in enumerate(headers)):
        raise _headless(source, "looks like the rows below it", headers)


def _like_data(header: str, column: pl.Series) -> bool:
    """Say whether a name could be a cell of its own column: a number, or a text that is found there."""
    return read_number(header) is not None or bool((column.str.strip_chars() == header).any())


def _headless(source: str, what: str, headers: list[str]) -> InputError:
    return InputError(
        f"The first line of {source} {what}: {', '.join(headers[:5])!r}.",
        why="The first line names the columns; a row of data would be lost there.",
        mend="Add a line with the names of the columns.",
    )


def _without_row_numbers(table: TextTable) -> TextTable:
    """Leave out the unnamed first column of row numbers that data frames write; refuse other unnamed columns."""
    unnamed = [place for place, header in enumerate(table.headers) if not header]
    if not unnamed:
        return table
    first = table.frame.to_series(0).to_list()
    if unnamed == [0] and first in ([str(i) for i in range(len(first))], [str(i + 1) for i in range(len(first))]):
        return TextTable(
            headers=table.headers[1:],
            frame=table.frame[:, 1:],
            source=table.source,
            decimal_comma=table.decimal_comma,
            caveats=(*table.caveats, "The unnamed first column holds row numbers and was left out."),
        )
    raise InputError(
        f"Column {unnamed[0] + 1} of {table.source} has no name.",
        why="Attributes are told apart by name.",
        mend="Name it in the first line.",
    )
