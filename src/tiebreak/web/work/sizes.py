"""How large a table is, told before it is read: rows and columns of texts, parquet and archives are counted cheaply."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from tiebreak.errors import InputError

_STEP = 1 << 20
_MARKS = (b",", b";", b"\t", b"|", b"&")
_TEXTS = (".csv", ".tsv", ".tab", ".txt", ".data", ".arff", ".tex", ".md", ".markdown")
_LINES = (".jsonl", ".ndjson", ".yml", ".yaml")
"""Texts whose lines are counted, and whose commas are none of a table."""
_FIRST = 50
"""Lines in which columns are counted."""


def check_size(path: Path, *, rows: int, columns: int) -> None:
    """Refuse a table with more rows or columns than are let in; what cannot be counted here is left to the reader."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".parquet", ".pq")):
        found = _of_parquet(path)
    elif name.endswith(_TEXTS):
        found = _of_text(path, packed=path.name.lower().endswith(".gz"), most=rows)
    elif name.endswith(_LINES):
        found = _of_text(path, packed=path.name.lower().endswith(".gz"), most=rows)[0], 0
    else:
        found = (0, 0)
    _refuse(path, "rows", found[0], rows)
    _refuse(path, "columns", found[1], columns)
    if name.endswith((".xlsx", ".xlsm", ".ods", ".zip", ".xlsb", ".eval")):
        _check_archive(path)


def _refuse(path: Path, what: str, found: int, limit: int) -> None:
    if found > limit:
        raise InputError(
            f"{path.name} has more than {limit:,} {what}.",
            why="So much is let in here, and not more.",
            mend="Use a smaller table, a larger limit of the server, or the command line.",
        )


def _of_text(path: Path, *, packed: bool, most: int) -> tuple[int, int]:
    """Count lines, and the marks between cells of the first ones; stops where it is too much."""
    lines, marks, head = 0, 0, b""
    for part in _parts(path, packed=packed):
        lines += part.count(b"\n")
        if len(head) < _FIRST * _STEP and head.count(b"\n") < _FIRST:
            head += part
        if lines > most + 1:
            break
    for line in head.split(b"\n")[:_FIRST]:
        marks = max(marks, *(line.count(mark) for mark in _MARKS))
    return lines - 1, marks + 1


def _parts(path: Path, *, packed: bool) -> Iterator[bytes]:
    try:
        with gzip.open(path) if packed else path.open("rb") as stream:
            total = 0
            while part := stream.read(_STEP):
                total += len(part)
                yield part
                if packed and total > 2_000_000_000:
                    return
    except (OSError, EOFError, zlib.error):
        return  # the reader says what is wrong with it


def _of_parquet(path: Path) -> tuple[int, int]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError:
        return 0, 0
    try:
        with ParquetFile(path) as found:
            return found.metadata.num_rows, found.metadata.num_columns
    except (ArrowException, OSError, ValueError):
        return 0, 0


def _check_archive(path: Path) -> None:
    """Refuse an archive that says itself that it holds too much; one that lies about it meets the limit of memory."""
    try:
        with zipfile.ZipFile(path) as archive:
            whole = sum(each.file_size for each in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return
    most = max(100_000_000, 100 * path.stat().st_size)
    if whole > min(most, 1_000_000_000):
        raise InputError(
            f"{path.name} unpacks to {whole / 1e6:,.0f} MB.",
            why="Such a file would fill the memory.",
            mend="Save the table alone, as csv.",
        )
