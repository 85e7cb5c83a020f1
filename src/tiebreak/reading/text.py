"""Delimited text to columns: by Python's own parser where small, with the help of polars where large.

Large text that is plain (no quotes, no blank lines, every row as long as the header) is split by polars; all other
text by Python's parser, so that both read the same file alike. Every cell stays text until it is asked for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tiebreak.errors import InputError
from tiebreak.tables.columns import Columns, TextColumn, duplicate_header

if TYPE_CHECKING:
    import polars as pl

_CHUNK = 100_000  # rows handed to polars at a time


def text_columns(data: bytes, *, separator: str, source: str, large: bool) -> Columns:
    """Split text into columns; every row must have as many cells as the header."""
    separator = _separator(data, separator)
    rows = (row for _, row in _rows(data, separator, source))
    header = next(rows, [])
    if not header:
        raise InputError(f"{source} is empty.", why="There is nothing to compare.", mend="Check the path.")
    for position, name in enumerate(header):
        if name in header[:position]:
            raise duplicate_header(name, source)
    if large:
        from tiebreak.tables.frames import frame_columns

        frame = _plain_frame(data, header, separator)
        return frame_columns(_frame(rows, header) if frame is None else frame)[0]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    return {name: TextColumn(column) for name, column in zip(header, columns, strict=True)}


def text_line(data: bytes, *, separator: str, source: str, row: int) -> int:
    """Find the line on which a row begins, the first row after the header being row 0."""
    return next(islice(_rows(data, _separator(data, separator), source), row + 1, None))[0]


def not_utf8(source: str) -> InputError:
    """Make the error for text in another encoding."""
    return InputError(
        f"{source} is not UTF-8 text.", why="Names would be garbled.", mend="Save it as UTF-8, or as parquet."
    )


def _separator(data: bytes, usual: str) -> str:
    """Tell text separated by semicolons, as spreadsheets write it where the comma is the decimal point."""
    header = data[:100_000].lstrip(b"\r\n").splitlines()[:1] or [b""]
    return ";" if usual == "," and b"," not in header[0] and b";" in header[0] else usual


def _rows(data: bytes, separator: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield every row that is not blank, the header first, with the line on which it begins."""
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(stream, delimiter=separator, strict=True)
    width, line = 0, 1
    try:
        for row in reader:
            if row:
                width = width or len(row)
                if len(row) != width:
                    raise InputError(
                        f"Line {line} of {source} has {len(row)} cells, the header has {width}.",
                        why="It is not clear which cell belongs to which column.",
                        mend="Correct the line (a name that holds the separator must stand in quotes).",
                    )
                yield line, row
            line = reader.line_num + 1
    except UnicodeDecodeError:
        raise not_utf8(source) from None
    except csv.Error as error:
        raise InputError(
            f"{source} is not proper delimited text: {error}.",
            why="A row that is split in the wrong place would shift its scores to other algorithms.",
            mend="Check the quotes, or save it as parquet.",
        ) from None


def _plain_frame(data: bytes, header: list[str], separator: str) -> pl.DataFrame | None:
    """Split plain text by polars; None where the text is not plain."""
    import polars as pl

    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    plain = (
        len(header) > 1
        and b'"' not in data
        and not data.startswith((b"\n", b"\r"))
        and b"\n\n" not in data
        and (b"\r" not in data or (data.count(b"\r") == data.count(b"\r\n") and b"\n\r\n" not in data))
        and data.count(separator.encode()) == lines * (len(header) - 1)  # none too long, says polars: none too short
    )
    if not plain:
        return None
    try:
        frame = pl.read_csv(data, separator=separator, quote_char=None, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    frame.columns = header
    return frame


def _frame(rows: Iterator[list[str]], header: list[str]) -> pl.DataFrame:
    """Gather rows in a frame of text, chunk by chunk: far smaller than a list of lists."""
    import polars as pl

    schema = dict.fromkeys(header, pl.String)
    chunks = [pl.DataFrame(schema=schema)]
    while chunk := list(islice(rows, _CHUNK)):
        chunks.append(pl.DataFrame(dict(zip(header, zip(*chunk, strict=True), strict=True)), schema=schema))
    return pl.concat(chunks)
