"""Bytes to columns: archives, JSON and TOML within limits, delimited text, parquet; for results and for data.

Small text is split by Python's parser, so that no library need be loaded. Large plain text (no quotes, no blank lines,
every row as long as the header) is split by polars, all other text by Python's parser; both read a file alike. Every
cell stays text until its column is read. Archives are inflated in steps and rejected at a limit, which the environment
variable `TIEBREAK_UNPACK_GB` sets.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.errors import InputError, OptionError, TiebreakError, meant_file
from tiebreak.results.columns import Columns, LineOf, TextColumn, check_headers

if TYPE_CHECKING:
    import polars as pl

    from tiebreak.results.frames import SeriesColumn

LIMIT_NAME = "TIEBREAK_UNPACK_GB"
"""The environment variable that sets how many gigabytes a file may have when it is unpacked."""
MOST_BYTES = 2_000_000_000
"""How many bytes an archive may hold unless the variable says otherwise."""
RATIO = 100
"""An archive may hold this many times its own size, unless that is less than `HARMLESS`. Tables of results shrink to
a third to a thirtieth; a file of zeros to a thousandth."""
HARMLESS = 100_000_000
"""So many bytes are let through whatever the ratio."""
DEEPEST = 100
"""How deep JSON and TOML may nest; what is read here nests three levels deep."""
LONGEST_PLAN = 4_000_000
"""How many characters a TOML file may have: the parser takes minutes for larger ones with dotted names."""
_STEP = 1 << 20


class TooDeep(ValueError):
    """JSON or TOML that nests too deep to be a table or a plan."""

    def __init__(self) -> None:
        super().__init__(f"it nests more than {DEEPEST} levels deep")


def most_bytes(packed: int) -> int:
    """Return how many bytes an archive of this size may hold."""
    text = os.environ.get(LIMIT_NAME, "").strip()
    if not text:
        return min(MOST_BYTES, max(HARMLESS, RATIO * packed))
    try:
        limit = float(text) * 1e9
        if not 0 < limit < float("inf"):
            raise ValueError
    except ValueError:
        raise OptionError(f"{LIMIT_NAME} is {text!r}.", mend=f"Set it to a positive number: {LIMIT_NAME}=10.") from None
    return int(limit)


def too_large(source: str, limit: int, packed: int) -> InputError:
    """Make the error for an archive that holds more than the limit."""
    return InputError(
        f"{source} unpacks to more than {_amount(limit)} (it has {_amount(packed)}; the limit is {_amount(MOST_BYTES)},"
        f" and {RATIO} times its own size above {_amount(HARMLESS)}).",
        why="Such a file would fill the memory.",
        mend=f"If that is right, unpack it and read the unpacked file, or allow more gigabytes: {LIMIT_NAME}=20.",
    )


def _amount(count: int) -> str:
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


def gathered(parts: Iterable[bytes], *, packed: int, source: str) -> bytes:
    """Join what an archive gives, part by part, until it is too much; the parts are never held twice."""
    limit, total, out = most_bytes(packed), 0, io.BytesIO()
    try:
        for part in parts:
            total += len(part)
            if total > limit:
                raise too_large(source, limit, packed)
            out.write(part)
        return out.getvalue()
    except MemoryError:
        raise no_memory(source) from None


def no_memory(source: str) -> InputError:
    """Make the error for a file that this machine cannot hold."""
    return InputError(
        f"{source} does not fit into the memory of this machine.",
        mend="Read the columns and rows that are needed with polars or pandas, and pass the frame.",
    )


def gunzip(data: bytes, *, source: str) -> bytes:
    """Inflate gzip in steps; `OSError`, `zlib.error` or `EOFError` where it is broken or cut off."""
    import gzip

    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        return gathered(iter(lambda: stream.read(_STEP), b""), packed=len(data), source=source)


def json_of(text: str, **options: Any) -> Any:
    """Read JSON; a `ValueError` where it is none, and `TooDeep` where it nests too deep.

    Examples
    --------
    >>> json_of('{"iris": {"svm": [0.9, 0.8]}}')
    {'iris': {'svm': [0.9, 0.8]}}
    >>> json_of("[" * 200 + "]" * 200)
    Traceback (most recent call last):
    tiebreak.results.text.TooDeep: it nests more than 100 levels deep
    """
    import json

    def parsed() -> Any:
        try:
            return json.loads(text, **options)
        except (json.JSONDecodeError, TiebreakError):
            raise
        except ValueError:  # Python turns no more than 4300 figures into a number
            raise ValueError("a number in it has thousands of figures") from None

    return _not_too_deep(parsed)


def toml_of(text: str) -> dict[str, Any]:
    """Read TOML; a `ValueError` where it is none, is too long, or nests too deep."""
    import tomllib

    if len(text) > LONGEST_PLAN:
        raise ValueError(f"it has {len(text):,} characters, and {LONGEST_PLAN:,} are read")
    deep: dict[str, Any] = _not_too_deep(lambda: tomllib.loads(text))
    return deep


def _not_too_deep(parse: Callable[[], Any]) -> Any:
    """Check the depth of what was parsed: later on a message may print it, and printing recurses as parsing does."""
    try:
        content = parse()
    except RecursionError:
        raise TooDeep from None
    level, depth = [content], 0
    while level:
        level = [
            child
            for node in level
            if isinstance(node, (dict, list))
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
        depth += 1
        if depth > DEEPEST:
            raise TooDeep
    return content


_CHUNK = 100_000  # rows handed to polars at a time
_BLOCK = 1 << 20  # bytes in which marks are counted at a time
_HEAD = 1 << 18  # bytes by which the kinds of columns are chosen


class UnsoundFile(ValueError):
    """A file whose content is not what its ending says; the reader who knows what it is for words the error."""


class RaggedText(InputError):
    """Delimited text with a line that has more or fewer cells than the header."""


class UnsplitText(InputError):
    """Delimited text that cannot be split into cells, as where a quote is never closed."""


def file_bytes(path: Path) -> bytes:
    """Return what a file holds, unzipped and without a byte order mark; `UnsoundFile` where gzip is broken."""
    try:
        data = path.read_bytes()
    except MemoryError:
        raise no_memory(path.name) from None
    if path.suffix.lower() == ".gz":
        import gzip
        import zlib

        try:
            data = gunzip(data, source=path.name)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UnsoundFile(str(error)) from None
    return data.removeprefix(BOM_UTF8)


def parquet_columns(path: Path, *, source: str) -> dict[str, SeriesColumn]:
    """Split a parquet file into columns; `UnsoundFile` where it is none."""
    import polars as pl

    from tiebreak.results.frames import split_frame

    try:
        rows, width = pl.scan_parquet(path).select(pl.len()).collect().item(), len(pl.read_parquet_schema(path))
        packed = path.stat().st_size
        if rows * width * 8 > (limit := most_bytes(packed)):  # a column of one value takes a few bytes in the file
            raise too_large(path.name, limit, packed)
        frame = pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise UnsoundFile(str(error)) from None
    except MemoryError:
        raise no_memory(path.name) from None
    return split_frame(frame, source=source)[0]


def text_columns(data: bytes, *, separator: str, source: str, large: bool) -> tuple[Columns, LineOf]:
    """Split text into columns, and say on which line each row begins; all rows must be as long as the header."""
    separator = _separator(data, separator)
    rows = (row for _, row in _rows(data, separator, source))
    header = next(rows, [])
    if not header:
        raise empty_file(source)
    if header[:2] == ["", ""]:  # the levels of an index, as pandas writes them
        levels = next((place for place, name in enumerate(header) if name), len(header))
        header = ["", *(f"Unnamed: {place}" for place in range(1, levels)), *header[levels:]]
    check_headers(header, source)
    line_of = _lines_of(data, separator, source)
    if not large:
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
        return {name: TextColumn(column) for name, column in zip(header, columns, strict=True)}, line_of
    from tiebreak.results.frames import split_frame

    plain = _plain_frame(data, header, separator)
    if plain is not None:
        return split_frame(plain, source=source)[0], lambda row: row + 2  # the header stands on line 1
    return split_frame(_frame(rows, header), source=source)[0], line_of


def _lines_of(data: bytes, separator: str, source: str) -> LineOf:
    """Return the line on which a row begins: the bytes are split again for the first, as mostly messages ask for it."""
    lines: list[int] = []

    def line_of(row: int) -> int:
        if not lines:
            lines.extend(line for line, _ in islice(_rows(data, separator, source), 1, None))
        return lines[row]

    return line_of


def empty_file(source: str) -> InputError:
    """Make the error for a file without anything in it."""
    return InputError(f"{source} is empty.", mend="Check the file.")


def unreadable(path: Path, error: Exception, otherwise: str) -> InputError:
    """Make the error for a file that is not there, or that cannot be read for the other reason."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path} cannot be read: there is no such file.", mend=meant_file(path))
    return InputError(f"{path} cannot be read: {otherwise}.", mend="Check the path.")


def unsound(name: str, error: UnsoundFile, *, packed: bool) -> InputError:
    """A cut-off gzip is refused although most of its rows could be read: nobody would notice the rest."""
    if packed:
        return InputError(
            f"{name} is not a sound gzip file: {error}.", mend="Compress it again, or give the file uncompressed."
        )
    return InputError(f"{name} is not a parquet file: {error}.", mend="Write it again, or rename it.")


def not_utf8(source: str) -> InputError:
    """Make the error for text in another encoding."""
    return InputError(f"{source} is not UTF-8 text.", mend="Save it as UTF-8, or as parquet.")


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
                    raise RaggedText(
                        f"Line {line} of {source} has {len(row)} cells, the header has {width}.",
                        mend="Correct the line (a name that holds the separator must stand in quotes).",
                    )
                yield line, row
            line = reader.line_num + 1
    except UnicodeDecodeError:
        raise not_utf8(source) from None
    except csv.Error as error:
        raise UnsplitText(
            f"{source} is not proper delimited text: {error}.", mend="Check the quotes, or save it as parquet."
        ) from None


def _plain_frame(data: bytes, header: list[str], separator: str) -> pl.DataFrame | None:
    """Split plain text by polars; None where the text is not plain."""
    if len(header) < 2 or b'"' in data or data.startswith((b"\n", b"\r")):
        return None
    cells, lines = _counted(data, separator.encode()), _counted(data, b"\n")
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return None
    lines += not data.endswith(b"\n")
    if cells != lines * (len(header) - 1):  # none too long, says polars: none too short, nor blank
        return None
    for schema in (_schema(data, header, separator), None):  # a number may be written oddly beyond the first rows
        try:
            frame = polars_text(data, separator=separator, quote=None, schema=schema)
        except UnsoundFile:
            continue
        frame.columns = header
        return frame if frame.height == lines - 1 else None
    return None


def _counted(data: bytes, mark: bytes) -> int:
    """Count a mark by numpy, block by block: five times as fast as bytes.count where it stands everywhere."""
    import numpy as np

    letters, total = np.frombuffer(data, dtype=np.uint8), 0
    for start in range(0, len(letters), _BLOCK):
        total += int(np.count_nonzero(letters[start : start + _BLOCK] == mark[0]))
    return total


def _schema(data: bytes, header: list[str], separator: str) -> dict[str, Any] | None:
    """Choose by the first rows which columns polars turns into numbers or codes at once; the others stay text.

    Names repeat, so a column is coded if its first rows do. Of other numbers only those of known scores are turned:
    where numbers are names, 0.10 is not 0.1.
    """
    import polars as pl

    from tiebreak.results.metrics import metric_named

    head = data[: data.rfind(b"\n", 0, _HEAD) + 1]
    try:
        first = pl.read_csv(head, separator=separator, quote_char=None, infer_schema_length=None)
    except pl.exceptions.PolarsError:
        return None
    kinds: dict[str, Any] = {}
    for name, column in zip(header, first, strict=True):
        repeats = column.n_unique() < len(column) / 4
        known = column.dtype == pl.Float64 and metric_named(name).higher_is_better is not None
        kinds[name] = pl.Categorical if repeats else pl.Float64 if known else pl.String
    return kinds


def polars_text(
    data: bytes, *, separator: str, quote: str | None, schema: dict[str, Any] | None = None
) -> pl.DataFrame:
    """Split text by polars into cells of text, or of what the schema says; `UnsoundFile` where it is no table."""
    import polars as pl

    try:
        return pl.read_csv(data, separator=separator, quote_char=quote, schema=schema, infer_schema=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()
    except pl.exceptions.PolarsError as error:
        raise UnsoundFile(str(error).splitlines()[0]) from None


def _frame(rows: Iterator[list[str]], header: list[str]) -> pl.DataFrame:
    """Gather rows in a frame of text, chunk by chunk: far smaller than a list of lists."""
    import polars as pl

    schema = dict.fromkeys(header, pl.String)
    chunks = [pl.DataFrame(schema=schema)]
    while chunk := list(islice(rows, _CHUNK)):
        chunks.append(pl.DataFrame(dict(zip(header, zip(*chunk, strict=True), strict=True)), schema=schema))
    return pl.concat(chunks)


SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
MOST_CELLS = 50_000_000
"""Cells of a sheet; a far-off cell makes a sheet of emptiness larger than any memory."""


def workbook(data: bytes, source: str) -> Any:
    """Open a spreadsheet; one that says itself that it unpacks to more than the memory is refused."""
    import zipfile

    try:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError
    except ImportError:
        raise OptionError(
            f"{source} is a spreadsheet, and the library python-calamine is not installed.",
            mend="Install it with `pip install 'tiebreak[sheets]'`, or save the sheet as csv.",
        ) from None
    if data.startswith(b"PK"):  # xls is no archive
        with contextlib.suppress(zipfile.BadZipFile, NotImplementedError):  # the reader says what is wrong with it
            whole = sum(info.file_size for info in zipfile.ZipFile(io.BytesIO(data)).infolist())
            if whole > (limit := most_bytes(len(data))):
                raise too_large(source, limit, len(data))
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise _no_sheet(source, "it is protected by a password") from None
    except (CalamineError, OSError, ValueError, KeyError) as error:
        raise _no_sheet(source, str(error) or type(error).__name__) from None


def sheet_texts(book: Any, title: str, source: str) -> tuple[Any, list[list[str]]]:
    """Return a sheet, and its cells as text without the empty rows and columns around them."""
    from python_calamine import CalamineError

    try:
        page = book.get_sheet_by_name(title)
        if page.width * page.height > MOST_CELLS:
            raise InputError(
                f"Sheet {title!r} of {source} has {page.width * page.height:,} cells.",
                mend="Delete what stands far off the table, or save the table as csv.",
            )
        return page, [[cell_text(value) for value in row] for row in page.to_python(skip_empty_area=True)]
    except (CalamineError, ValueError, KeyError) as error:
        if isinstance(error, InputError):
            raise
        raise _no_sheet(source, str(error) or type(error).__name__) from None


def _no_sheet(source: str, error: str) -> InputError:
    return InputError(
        f"{source} cannot be read as a spreadsheet: {error}.",
        mend="Open it in a spreadsheet program and save it again, or save the sheet as csv.",
    )


def cell_text(value: object) -> str:
    """Write a value as a csv file of the sheet would have it: 70.0 is 70 there."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return " ".join(str(value).split())
