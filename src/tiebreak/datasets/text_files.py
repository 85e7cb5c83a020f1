"""Text files as tables: cells between separators, spreadsheets, and ARFF with its declared kinds.

Of ARFF are read: nominal, numeric (real, integer) and string attributes, `?` as missing, comments, single and double
quotes with backslash escapes. Dates are left out. Refused with a reason: relational attributes, sparse rows, weights.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.building import Table
from tiebreak.datasets.columns import Kind, Typed, start, typed_text
from tiebreak.errors import InputError, OptionError, TiebreakError, meant_file, quoted
from tiebreak.results.columns import MISSING, Where, check_headers, to_number
from tiebreak.results.text import UnsoundFile, file_bytes, polars_text, sheet_texts, workbook
from tiebreak.wording import option

if TYPE_CHECKING:
    import polars as pl

    from tiebreak.results.frames import SeriesColumn


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
        raise InputError(f"{source} is empty.", mend="Give a file with rows.")
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
    check_headers(headers, source)
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
            mend="Put cells that hold the separator or a double quote into double quotes, that quote twice.",
        ) from None


def _check_header(headers: list[str], frame: pl.DataFrame, source: str) -> None:
    """Refuse a first line that is a row of data: all attributes would bear the values of one row, which is lost."""
    if frame.width != len(headers):
        raise InputError(
            f"The first line of {source} names {len(headers)} columns, the rows have {frame.width}.",
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
    raise InputError(f"Column {unnamed[0] + 1} of {source} has no name.", mend="Name it in the first line.")


def sheet_table(path: Path) -> Table:
    """Read the first sheet that is shown and holds a table; lines of one cell above it are its title."""
    source = repr(path.name)
    try:
        book = workbook(path.read_bytes(), source)
    except OSError as error:
        raise unread(path, error, f"{str(path)!r} cannot be read ({error}).") from None
    shown = [item.name for item in book.sheets_metadata if str(item.visible).endswith("Visible")]
    held = {name: rows for name in shown if len(rows := _rows(sheet_texts(book, name, source)[1])) > 1}
    if not held:
        raise InputError(
            f"{source} holds no sheet with a row of names and a row of values.",
            mend="Check the file, or save the right sheet as csv.",
        )
    taken, *others = held
    text = f"Sheet {taken!r} was read; {quoted(others)} not. To read another, save it as csv."
    notes = (Caveat("sources-left-out", text),) if others else ()
    return separated(_as_csv(held[taken]), ",", source=source, caveats=notes)


def _rows(texts: list[list[str]]) -> list[list[str]]:
    """Return the cells from the first row with two of them on; empty rows and columns are none."""
    used = [place for place in range(max(map(len, texts), default=0)) if any(row[place] for row in texts)]
    remaining = [[row[place] for place in used] for row in texts if any(row)]
    start = next((place for place, row in enumerate(remaining) if sum(map(bool, row)) > 1), len(remaining))
    return remaining[start:]


def _as_csv(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", errors="replace")


_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s{]+)\s*(.*)", re.IGNORECASE | re.DOTALL
)
_CELL = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^,]*?))\s*(?:,|$)")
_ESCAPE = re.compile(r"\\(.)")
_NUMBERS = ("numeric", "real", "integer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One declared attribute: `values` of a nominal one; None where `kind` is "numeric", "string" or "date"."""

    name: str
    kind: str
    values: tuple[str, ...] | None = None


def _typed(attributes: Mapping[str, Attribute], column: SeriesColumn, kind: Kind | None, where: Where) -> Typed:
    """Return a column of its declared kind; a numeric one can be asked for by its names."""
    attribute = attributes[where.column]
    if attribute.kind == "date":
        raise InputError(
            f"Attribute {attribute.name!r} of {where.source} has the type date.",
            mend=f"Turn it into numbers first (into days, for example), or leave it out with {option(drop=[...])}.",
        )
    if kind == "numeric" or attribute.kind == "numeric":
        return typed_text(column, kind or "numeric", where)
    coded = column.coded().renamed(str.strip)
    unknown = [code for code, name in enumerate(coded.names) if name not in (attribute.values or coded.names)]
    if unknown:
        row = int(np.argmax(np.isin(coded.codes, unknown)))
        raise InputError(
            f"{start(where, row)}: {coded.names[coded.codes[row]]!r} is not among the declared values.",
            mend="Correct the cell, or add the value to the line of the attribute.",
        )
    return coded


def arff_table(path: Path) -> Table:
    """Read an ARFF file, plain or gzipped."""
    from tiebreak.results.frames import split_frame

    source = repr(path.name)
    raw, notes = as_utf8(read_bytes(path))
    head, body = _parts(raw.decode("utf-8"), source)
    attributes = [_attribute(line, source) for line in head if line.lower().startswith("@attribute")]
    if len(attributes) < 2:
        raise InputError(
            f"{source} declares {len(attributes)} attribute(s).",
            mend="Check that every attribute has its own line: @attribute name type.",
        )
    names = [attribute.name for attribute in attributes]
    frame = _cells(body, attributes, source)
    check_headers(names, source)
    frame.columns = names
    rule = partial(_typed, dict(zip(names, attributes, strict=True)))
    columns, _ = split_frame(frame, source=source)
    dates = frozenset(attribute.name for attribute in attributes if attribute.kind == "date")
    return Table(columns=columns, source=source, rule=rule, caveats=notes, rows="data row", dates=dates)


def _parts(text: str, source: str) -> tuple[list[str], str]:
    """Split a file into the lines of its head, without comments, and its data."""
    match = re.search(r"^[ \t]*@data[ \t]*(?:%.*)?\r?$", text, re.IGNORECASE | re.MULTILINE)
    if match is None:
        raise InputError(
            f"{source} has no line '@data'.", mend="Check the file, or give it the ending .csv if it is a plain table."
        )
    head = [line.strip() for line in text[: match.start()].splitlines()]
    return [line for line in head if line and not line.startswith("%")], text[match.end() :]


def _attribute(line: str, source: str) -> Attribute:
    """Read one declaration; a % begins a comment unless it stands among declared values."""
    match = _ATTRIBUTE.match(line)
    if match is None or not match[2].strip():
        raise InputError(f"{source}: {line!r} declares no type.", mend="Add the type.")
    name, kind = _unquoted(match[1]), match[2].split("%")[0].strip() if "{" not in match[2] else match[2].strip()
    if kind.startswith("{"):
        values = tuple("?" if value is None else value for value in split_row(kind[1 : kind.rindex("}")]))
        return Attribute(name=name, kind="nominal", values=values)
    word = kind.split()[0].lower()
    if word in (*_NUMBERS, "string", "date"):
        return Attribute(name=name, kind="numeric" if word in _NUMBERS else word)
    raise InputError(
        f"{source}: attribute {name!r} has the type {kind!r}.",
        mend="Turn it into numbers first, or take it out of the file.",
    )


def _unquoted(text: str) -> str:
    """Escapes count only inside quotes; a bare backslash is a backslash."""
    return _ESCAPE.sub(r"\1", text[1:-1]) if text[:1] in {"'", '"'} else text


def split_row(line: str) -> list[str | None]:
    """Split a dense row into its cells; None is a missing one.

    Examples
    --------
    >>> split_row("5.1, ?, 'a, quoted', '?'")
    ['5.1', None, 'a, quoted', '?']
    """
    cells: list[str | None] = []
    place = 0
    while place <= len(line):
        match = _CELL.match(line, place)
        if match is None:
            raise ValueError(line)
        cells.append(_cell(*match.groups()))
        if not match[0].endswith(","):
            break
        place = match.end()
    return cells


def _cell(single: str | None, double: str | None, bare: str | None) -> str | None:
    """Return a cell; only a bare question mark is missing, a quoted one is a value."""
    if bare is not None:
        return None if bare == "?" else bare
    return _ESCAPE.sub(r"\1", single if single is not None else double or "")


def _cells(body: str, attributes: Sequence[Attribute], source: str) -> pl.DataFrame:
    """Return all cells as text."""
    import polars as pl

    schema = {f"column_{place}": pl.String for place in range(len(attributes))}
    return pl.DataFrame(list(_arff_rows(body, attributes, source)), schema=schema, orient="row")


def _arff_rows(body: str, attributes: Sequence[Attribute], source: str) -> Iterator[list[str | None]]:
    """A row that cannot be split becomes an empty one, so that one message serves both kinds of damage."""
    count = 0
    for line in body.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        count += 1
        try:
            row = (
                []
                if stripped.startswith("{")
                else split_row(stripped if "," in stripped else stripped.replace("\t", ","))
            )
        except ValueError:
            row = []
        if len(row) != len(attributes):
            raise InputError(
                f"Data row {count} of {source} does not hold {len(attributes)} values: {stripped[:60]!r}.",
                why="Every row has one value per attribute; sparse rows and weights of rows are not read.",
                mend="Correct the row; values with commas, blanks or quotes stand in quotes.",
            )
        yield row
