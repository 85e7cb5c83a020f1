"""Delimited text: which mark separates the cells, and the cells themselves."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.readers.grids.grid import Cell, Grid, check_cells, lines_have, rectangle
from tiebreak.readers.grids.marks import unmarked

SEPARATORS = ("\t", ";", "|", ",")
"""In the order in which they are preferred where several split every row alike: a comma may be a decimal one."""
_LOOK = 200  # rows that are tried with every separator
_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*([eE][-+]?\d+)?\s*%?")
_TOLD = re.compile(r'"?sep=(.)"?[ \t]*\n', re.IGNORECASE)  # the line by which Excel is told the separator


def separator_of(text: str, *, usual: str = "") -> tuple[str, float]:
    r"""Return the mark that splits the rows most alike, and the share of rows that it splits into equally many cells.

    Examples
    --------
    >>> separator_of("data;svm;tree\niris;0,85;0,90\n")
    (';', 1.0)
    >>> separator_of("no table at all")
    ('', 0.0)
    """
    best, share, most = "", 0.0, 0.0
    first = usual if usual != "," else ""
    for mark in dict.fromkeys((*first, *SEPARATORS)):
        if mark not in text[:1_000_000]:
            continue
        alike, whole = _alike(text, mark)
        if whole > most + 1e-9:
            best, share, most = mark, alike, whole
    if share < 1 and _spaced(text):
        return " ", 1.0
    return best, share


def _alike(text: str, mark: str) -> tuple[float, float]:
    """Return the share of rows with the usual number of cells, without and with the title: leading lines of one cell.

    The title counts by half, as a header that only another mark splits looks like one.
    """
    try:
        rows = [row for _, row in islice(_split(text[:1_000_000], mark), _LOOK)]
    except csv.Error:
        return 0.0, 0.0
    return max(_shares([len(row) for row in rows]), _shares([_length(row) for row in rows]))


def _shares(counts: list[int]) -> tuple[float, float]:
    """Count every cell, or only those up to the last that holds something: a row may end in a gap, or be filled up."""
    title = next((place for place, count in enumerate(counts) if count > 1), len(counts))
    many = Counter(count for count in counts[title:] if count > 1)
    if not many:
        return 0.0, 0.0
    alike = many.most_common(1)[0][1]
    return alike / (len(counts) - title), alike / (len(counts) - title / 2)


def _spaced(text: str) -> bool:
    """Tell cells split by single spaces, as R writes them: all rows alike, and numbers behind the first cell."""
    lines = [line for line in text[:1_000_000].split("\n")[:_LOOK] if line.strip()]
    if len(lines) < 2 or any("  " in line.strip() for line in lines):
        return False
    try:
        rows = [next(csv.reader([line.strip()], delimiter=" ", strict=True)) for line in lines]
    except csv.Error:
        return False
    width = len(rows[-1])
    numbers = [bool(_NUMBER.fullmatch(cell)) for row in rows[1:] for cell in row[1:]]
    alike = all(len(row) == width for row in rows[1:]) and len(rows[0]) in (width, width - 1)
    return alike and width > 1 and sum(numbers) > 0.5 * len(numbers)


def _length(row: Sequence[str]) -> int:
    """Count cells up to the last that holds something, as spreadsheets fill rows with empty ones; at least one."""
    count = len(row)
    while count > 1 and not row[count - 1].strip():
        count -= 1
    return count


def _split(text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True, skipinitialspace=mark != " ")
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            yield line, row
        line = reader.line_num + 1


def delimited(text: str, *, source: str, usual: str = "", notes: Caveats = ()) -> Grid:
    """Split delimited text into a grid; the lines above the table are its caption."""
    told = _TOLD.match(text)
    mark = told.group(1) if told else separator_of(text, usual=usual)[0] or usual or ","
    body = "\n" + text[told.end() :] if told else text
    try:
        rows = []
        for line, row in _split(body, mark):
            rows.append((line, row))
            check_cells(len(rows) * len(row), source)
    except csv.Error as error:
        raise InputError(
            f"{source} is not proper delimited text: {error}.",
            why="A row that is split in the wrong place would shift its scores to other algorithms.",
            mend="Check the quotes, or save it as xlsx or parquet.",
        ) from None
    if mark == "|" and all(len(row) > 2 and not row[0].strip() for _, row in rows):  # bars around the table
        rows = [(line, row[1:]) for line, row in rows]
    rows = _with_notes(rows, mark)
    start = next((place for place, (_, row) in enumerate(rows) if _length(row) > 1), 0)
    title = [row[0].strip().lstrip("#").strip() for _, row in rows[:start]]
    table, more = _evened(rows[start:], source, mark)
    return Grid(
        rows=rectangle(table, source), source=source, kind="csv", caption=" ".join(title), notes=(*notes, *more)
    )


def _with_notes(rows: list[tuple[int, list[str]]], mark: str) -> list[tuple[int, list[str]]]:
    """Put sentences above and below a table together again, which the mark has cut into cells.

    A sentence has fewer cells than the table, none of them empty or a number; the table below one begins with names.
    """
    lengths = [_length(row) for _, row in rows]
    usual = Counter(lengths).most_common(1)[0][0] if rows else 0
    said = [
        length < usual and (row[0].startswith("# ") or not any(map(_is_value, row[1:])))
        for length, (_, row) in zip(lengths, rows, strict=True)
    ]
    top = next((place for place, is_said in enumerate(said) if not is_said), 0)
    if top < len(rows) and (lengths[top] != usual or any(_NUMBER.fullmatch(cell.strip()) for cell in rows[top][1][1:])):
        top = 0  # what stands above numbers is their header
    end = len(rows)
    while end > top + 1 and said[end - 1]:
        end -= 1
    whole = [(line, [mark.join(row).strip()]) for line, row in rows]
    return [*whole[:top], *rows[top:end], *whole[end:]]


def _is_value(cell: str) -> bool:
    return not cell.strip() or _NUMBER.fullmatch(cell.strip()) is not None


def _evened(rows: list[tuple[int, list[str]]], source: str, mark: str) -> tuple[list[tuple[Cell, ...]], Caveats]:
    """Refuse rows with more cells than the others: nobody could say which cell belongs to which column."""
    lengths = [_length(row) for _, row in rows]
    usual = Counter(lengths[1:]).most_common(1)[0][0] if len(rows) > 1 else max(lengths, default=0)
    named = (
        mark in " \t"
        and len(rows) > 1
        and lengths[0] == usual - 1
        and len(rows[0][1]) < usual
        and set(lengths[1:]) == {usual}
    )
    if named:  # a header without a name for the first column, as R writes it
        rows = [(rows[0][0], ["", *rows[0][1]]), *rows[1:]]
    width = max(usual, lengths[0] if lengths else 0)
    if len({len(row) for _, row in rows}) == 1:  # all rows are whole, however many gaps some end in
        width = max(lengths)
    longer = [line for (line, _), length in zip(rows, lengths, strict=True) if length > width]
    if longer or (lengths and not named and lengths[0] < usual and _ragged(rows[0][1], lengths, usual)):
        raise _uneven(rows, lengths, longer, source, mark)
    short = [line for (line, row), length in zip(rows, lengths, strict=True) if len(row) < width and length > 1]
    cells = [tuple(_cell(text, line, place) for place, text in enumerate(row[:width], start=1)) for line, row in rows]
    if not short or named:
        return cells, ()
    said = f"{source}: {lines_have(short)} fewer cells than the others, filled with empty ones at the end."
    return cells, (Caveat("read-as", said),)


def _ragged(header: Sequence[str], lengths: list[int], usual: int) -> bool:
    """A header of group names may end early; one that names every column but some cannot."""
    full = all(cell.strip() for cell in header)
    return full and lengths[0] > 1 and (len(lengths) < 3 or lengths[1] == usual)


def _uneven(
    rows: list[tuple[int, list[str]]], lengths: list[int], longer: list[int], source: str, mark: str
) -> InputError:
    header, places = lengths[0], longer or [line for line, _ in rows[1:]]
    comma = mark == "," and Counter(lengths[1:]).most_common(1)[0][0] in (2 * header - 1, 2 * header)
    return InputError(
        f"{source}: {lines_have(places)} more cells than the header, which has {header}.",
        why="It is not clear which cell belongs to which column."
        + (" A decimal comma splits a number where commas separate cells too." if comma else ""),
        mend="Save it with semicolons, or with decimal points."
        if comma
        else "Correct the lines (a name that holds the separator must stand in quotes).",
    )


def _cell(text: str, line: int, place: int) -> Cell:
    bare = " ".join(text.split())
    quoted = len(bare) > 2 and bare[0] == bare[-1] == "'" and "'" not in bare[1:-1]
    plain, bold = unmarked(bare[1:-1] if quoted else bare)
    return Cell(text=plain, bold=bold, line=line, column=str(place))
