"""The files of a published base: found in a folder by their names, read as columns of text."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import numpy as np

from published.records import BaseRecord
from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.results.columns import to_number
from tiebreak.results.text import file_bytes

Table = dict[str, list[str]]
"""The columns of a file by header, as text."""
DEEPEST = 6
"""Folders are searched so many levels down: a repository is found from its root, a home folder is not read through."""


def results_file(record: BaseRecord, place: Path) -> tuple[Path, Caveats]:
    """Return the file of results at a place, a file or a folder, and say which others were not read."""
    if place.is_file():
        return place, ()
    paths = [path for pattern in record.results for path in named(place, (pattern,))] if place.is_dir() else []
    if not paths:
        raise missing(record, str(place))
    rest = [str(path.relative_to(place)) for path in dict.fromkeys(paths[1:]) if path != paths[0]]
    if not rest:
        return paths[0], ()
    text = f"{paths[0].relative_to(place)} was read; not {quoted(rest, limit=3)}: name a file to read that one."
    return paths[0], (Caveat("sources-left-out", text),)


def missing(record: BaseRecord, place: str) -> InputError:
    """Make the error for files that are not there."""
    where = f"at {place!r}" if place else "named"
    return InputError(
        f"No results of {record.title} are {where}.",
        why="They are no part of Tiebreak, and nothing is downloaded.",
        mend=f"Get {record.files} from {record.published}, and pass {record.name}:FOLDER.",
    )


def named(place: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files in a folder, and below it, that have one of the names, in the order of their paths."""
    return [path for path in _below(place) if any(fnmatch(path.name, pattern) for pattern in patterns)]


def _below(place: Path) -> Iterator[Path]:
    start = len(place.parts)
    for folder, folders, names in os.walk(place):
        here = Path(folder)
        folders[:] = sorted(folders) if len(here.parts) - start < DEEPEST else []
        yield from (here / name for name in sorted(names))


def read_table(path: Path) -> Table:
    """Read a csv file, packed or not."""
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            f"{path.name} is no text.", why="A csv file is expected.", mend="Get the file again, as it is published."
        ) from None
    rows = csv.reader(io.StringIO(text, newline=""))
    header = next(rows, [])
    columns: list[list[str]] = [[] for _ in header]
    for line, row in enumerate(rows, start=2):
        if row and len(row) != len(header):
            raise InputError(
                f"Line {line} of {path.name} has {len(row)} cells, its header {len(header)}.",
                why="The file is damaged or of another kind.",
                mend="Get it again, as it is published.",
            )
        for column, cell in zip(columns, row, strict=False):
            column.append(cell.strip())
    return dict(zip(header, columns, strict=True))


def has(table: Table, *headers: str) -> bool:
    """Say whether a table has all of these columns."""
    return set(headers) <= set(table)


def numbers(column: Sequence[str], *, header: str, source: str) -> FloatArray:
    """Read a column of numbers; an empty cell is NaN, anything else that is no number is refused."""
    known = {cell: to_number(cell) for cell in set(column)}
    strange = next((cell for cell, value in known.items() if value is None), None)
    if strange is not None:
        raise InputError(
            f"{source} has {strange!r} in the column {header!r}.",
            why="Numbers are expected there.",
            mend="Get the file again, as it is published.",
        )
    return np.array([known[cell] for cell in column], dtype=np.float64)


def number(table: Table, header: str, source: str) -> FloatArray:
    """Read a column of numbers of a table; all NaN where it lacks the column."""
    if header not in table:
        return np.full(len(next(iter(table.values()), [])), np.nan)
    return numbers(table[header], header=header, source=source)


def unknown_shape(record: BaseRecord, path: Path, table: Table) -> InputError:
    """Make the error for a file whose columns are not those of the base."""
    return InputError(
        f"{path.name} has not the columns of {record.title}: {quoted(list(table), limit=6)}.",
        why="What cannot be told from its header is not guessed.",
        mend=f"Pass {record.files} from {record.published}.",
    )
