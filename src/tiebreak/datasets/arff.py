"""ARFF files: attributes with declared kinds, quoted names and values, dense and sparse rows.

Read here: nominal, numeric (real, integer) and string attributes, `?` as missing, comments, single and double
quotes with backslash escapes. Dates are left out. Refused with a reason: relational attributes, row weights.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.datasets.building import Table
from tiebreak.datasets.columns import BY_NAME, Kind, Typed, start, typed_text
from tiebreak.datasets.text_files import as_utf8, read_bytes
from tiebreak.errors import InputError
from tiebreak.results.columns import Where, check_headers
from tiebreak.wording import option

if TYPE_CHECKING:
    import polars as pl

    from tiebreak.results.frames import SeriesColumn

_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s{]+)\s*(.*)", re.IGNORECASE | re.DOTALL
)
_CELL = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^,]*?))\s*(?:,|$)")
_SPARSE = re.compile(r"\s*(\d+)\s+(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^,]*?))\s*(?:,|$)")
_ESCAPE = re.compile(r"\\(.)")
LEARNABLE = "Nominal, numeric, real, integer and string attributes can be learned from."
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
            why=LEARNABLE,
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
            why="An ARFF file lists every value that a nominal attribute may have.",
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
            why="One attribute and the class are needed at least.",
            mend="Check that every attribute has its own line: @attribute name type.",
        )
    names = [attribute.name for attribute in attributes]
    frame = _cells(body, attributes, source)
    check_headers(names, source, why=BY_NAME)
    frame.columns = names
    rule = partial(_typed, dict(zip(names, attributes, strict=True)))
    columns, _ = split_frame(frame, source=source)
    dates = frozenset(each.name for each in attributes if each.kind == "date")
    return Table(columns=columns, source=source, rule=rule, caveats=notes, rows="data row", dates=dates)


def _parts(text: str, source: str) -> tuple[list[str], str]:
    """Split a file into the lines of its head, without comments, and its data."""
    found = re.search(r"^[ \t]*@data[ \t]*(?:%.*)?\r?$", text, re.IGNORECASE | re.MULTILINE)
    if found is None:
        raise InputError(
            f"{source} has no line '@data'.",
            why="An ARFF file has its rows below that line.",
            mend="Check the file, or give it the ending .csv if it is a plain table.",
        )
    head = [line.strip() for line in text[: found.start()].splitlines()]
    return [line for line in head if line and not line.startswith("%")], text[found.end() :]


def _attribute(line: str, source: str) -> Attribute:
    """Read one declaration; a % begins a comment unless it stands among declared values."""
    match = _ATTRIBUTE.match(line)
    if match is None or not match[2].strip():
        raise InputError(
            f"{source}: {line!r} declares no type.", why="It separates numbers from names.", mend="Add the type."
        )
    name, kind = _unquoted(match[1]), match[2].split("%")[0].strip() if "{" not in match[2] else match[2].strip()
    if kind.startswith("{"):
        values = tuple("?" if value is None else value for value in split_row(kind[1 : kind.rindex("}")]))
        return Attribute(name=name, kind="nominal", values=values)
    word = kind.split()[0].lower()
    if word in (*_NUMBERS, "string", "date"):
        return Attribute(name=name, kind="numeric" if word in _NUMBERS else word)
    raise InputError(
        f"{source}: attribute {name!r} has the type {kind!r}.",
        why=LEARNABLE,
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
    """Return all cells as text, by polars where the data need no unquoting."""
    import polars as pl

    schema = {f"column_{place}": pl.String for place in range(len(attributes))}
    if not any(mark in body for mark in "'\"\\{% \t") and "," in body:
        try:
            frame = pl.read_csv(
                io.BytesIO(body.strip().encode("utf-8")), has_header=False, quote_char=None, schema=schema
            )
        except pl.exceptions.PolarsError:
            pass  # the slow way names the row
        else:
            if not frame.to_series(-1).null_count():  # no row is too short
                return frame.with_columns(pl.when(pl.all() != "?").then(pl.all()))
    return pl.DataFrame(list(_rows(body, attributes, source)), schema=schema, orient="row")


def _rows(body: str, attributes: Sequence[Attribute], source: str) -> Iterator[list[str | None]]:
    """A row that cannot be split becomes an empty one, so that one message serves both kinds of damage."""
    count = 0
    for line in body.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        count += 1
        try:
            row = _sparse(stripped, attributes) if stripped.startswith("{") else _dense(stripped)
        except (ValueError, IndexError):
            row = []
        if len(row) != len(attributes):
            raise InputError(
                f"Data row {count} of {source} does not hold {len(attributes)} values: {stripped[:60]!r}.",
                why="Every row has one value per attribute; weights of rows are not read.",
                mend="Correct the row; values with commas, blanks or quotes stand in quotes.",
            )
        yield row


def _dense(line: str) -> list[str | None]:
    """Split a row; some files in circulation separate by tabs, against the definition of the format."""
    return split_row(line if "," in line else line.replace("\t", ","))


def _sparse(line: str, attributes: Sequence[Attribute]) -> list[str | None]:
    """Fill a sparse row: what is not written is 0, or the first declared value of a nominal attribute."""
    if not line.endswith("}"):
        raise ValueError(line)
    row: list[str | None] = ["0" if attribute.values is None else attribute.values[0] for attribute in attributes]
    inner = line[1:-1].strip()
    place = 0
    while place < len(inner):
        match = _SPARSE.match(inner, place)
        if match is None:
            raise ValueError(line)
        row[int(match[1])] = _cell(*match.groups()[1:])
        place = match.end()
    return row
