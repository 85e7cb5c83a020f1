"""Choose the reader of a source by its content, and by its ending where the content does not decide."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.grids import Grid, grid_of_columns
from tiebreak.readers.loading import depth_of, json_columns, line_columns
from tiebreak.results.cells import record_columns
from tiebreak.results.columns import Columns
from tiebreak.results.roles import WIDE_SCORE
from tiebreak.results.text import empty_file, gathered, gunzip, most_bytes, no_memory, too_large, unreadable
from tiebreak.wording import either

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_JSON = (".json", ".jsonl", ".ndjson")
_TEX = re.compile(r"\\begin\s*\{(?:tabular|longtable|xltabular|longtabu|tabu|tblr|NiceTabular|supertabular)")
_OLD_SHEET = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_TABLES = {
    b"%PDF": ("a PDF", "Give the LaTeX source of the article, or copy the table into a text file or a spreadsheet."),
    b"PAR1": ("a parquet file", "Give it the ending .parquet."),
    b"SQLite format 3": ("a database", ""),
    b"\x89PNG": ("a picture", "Type the table into a spreadsheet, or find its source."),
    b"\xff\xd8\xff": ("a picture", "Type the table into a spreadsheet, or find its source."),
    b"BZh": ("packed by bzip2", "Unpack it first."),
    b"\xfd7zXZ": ("packed by xz", "Unpack it first."),
    b"(\xb5/\xfd": ("packed by zstd", "Unpack it first."),
    b"7z\xbc\xaf": ("packed by 7-Zip", "Unpack it first."),
    b"Rar!": ("packed by RAR", "Unpack it first."),
}


def find(source: Path | str | bytes | IO[str], *, name: str, sheet: str | None) -> list[Grid]:
    """Find every table in a source."""
    data, named = _loaded(source, name)
    if isinstance(data, str):
        return _in_text(data, named, ())
    file = isinstance(source, Path) or (isinstance(source, str) and source.strip() != "-")
    return _in_bytes(data, named, sheet, depth=0, folder=Path(source).expanduser().parent if file else None)  # type: ignore[arg-type]


def _loaded(source: Path | str | bytes | IO[str], name: str) -> tuple[bytes | str, str]:
    """Return what a source holds, and what it is called."""
    if isinstance(source, bytes):
        return source, name or "the data"
    if isinstance(source, str) and source.strip() == "-":
        return _stream(getattr(sys.stdin, "buffer", sys.stdin), name or "standard input"), name or "standard input"
    if isinstance(source, str) and "\n" in source:
        return source.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff"), name or "the text"
    if isinstance(source, (str, Path)):
        path = Path(source).expanduser()
        try:
            return path.read_bytes(), name or path.name
        except MemoryError:
            raise no_memory(path.name) from None
        except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
            folder = "it is a folder" if isinstance(error, IsADirectoryError) else "it is no readable file"
            raise unreadable(path, error, folder, why="Results come from a file.") from None
    called = name or str(getattr(source, "name", "") or "the stream")
    return _stream(source, called), called


def _stream(stream: IO[str] | IO[bytes], name: str) -> bytes | str:
    """Read a stream up to the limit for archives: nobody knows how long it is."""
    limit = most_bytes(1 << 60)
    result: bytes | str = stream.read(limit + 1)
    if len(result) > limit:
        raise too_large(name, limit, limit)
    if isinstance(result, str):
        return result.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    return result


def _in_bytes(data: bytes, name: str, sheet: str | None, *, depth: int, folder: Path | None = None) -> list[Grid]:
    """Unpack, and read what was packed; an archive in an archive in an archive is nobody's table."""
    if not data.strip():
        raise empty_file(name)
    if depth > 2:
        raise OptionError(
            f"{name} holds archives in archives.", why="One table is read from one file.", mend="Unpack it first."
        )
    if data.startswith(GZIP):
        return _in_bytes(ungzipped(data, name), name, sheet, depth=depth + 1)
    if data.startswith((ZIP, _OLD_SHEET)):
        kind = "xlsx" if data.startswith(_OLD_SHEET) else sheet_kind(data, name)
        if kind is not None:
            from tiebreak.readers.grids.sheets import sheets

            return sheets(data, name=name, kind=kind, sheet=sheet)
        inner, member = unzipped(data, name)
        return _in_bytes(inner, member, None, depth=depth + 1)
    for start, (what, mend) in _NOT_TABLES.items():
        if data.startswith(start):
            store = f"Read a store with {either('tiebreak.read_store(...)', '--store FILE')}."
            raise InputError(
                f"{name} is {what}.", why="Tables are read from text and spreadsheets.", mend=mend or store
            )
    text, notes = decoded(data, name)
    return _in_text(text, name, notes, folder)


def _in_text(text: str, name: str, notes: Caveats, folder: Path | None = None) -> list[Grid]:
    """Try the readers that the text asks for, one after the other; the first that finds a table has it."""
    if not text.strip():
        raise empty_file(name)
    result = _marked(text, name, notes, folder) or _plain(text, name, notes)
    grids = [grid for grid in result if grid.rows and grid.rows[0]]
    if not grids:
        raise InputError(
            f"No table was found in {name}.",
            why="Looked for were LaTeX, Markdown and HTML tables, JSON, separated and aligned columns.",
            mend="Copy the table alone into a file, one row a line, or save it as csv or xlsx.",
        )
    if len(grids) == 1 and (doubt := [str(note) for note in grids[0].notes if note.code == "uneven-rows"]):
        raise InputError(
            doubt[0],
            why="It is not clear which cell belongs to which column.",
            mend="Correct the lines (in LaTeX a name may hold \\& but not &; in Markdown a bar is written \\|).",
        )
    return grids


def _ending(name: str) -> str:
    return Path(name.lower().removesuffix(".gz").removesuffix(".zip")).suffix


def _marked(text: str, name: str, notes: Caveats, folder: Path | None) -> list[Grid]:
    """Read formats that mark their tables; a page of one may hold tables of another."""
    ending, grids = _ending(name), list[Grid]()
    if ending in _JSON or (ending not in _SEPARATORS and text.lstrip()[:1] in ("{", "[") and _is_json(text)):
        return [grid_of_columns(_json(text, name), source=name)]
    copied = "\\\\" in text and "&" in text and ending not in _SEPARATORS
    if ending == ".tex" or copied or _TEX.search(text):
        from tiebreak.readers.grids.latex import latex

        grids += latex(text, name=name, notes=notes, folder=folder if ending == ".tex" else None)
    if "<table" in text or "<TABLE" in text:
        from tiebreak.readers.grids.pages import html_tables

        grids += html_tables(text, name=name, notes=notes)
    if "|" in text and "-" in text:
        from tiebreak.readers.grids.pages import markdown

        grids += markdown(text, name=name, notes=notes)
    current = sorted((grid for grid in grids if grid.source == name), key=lambda grid: grid.rows[0][0].line)
    return [*current, *(grid for grid in grids if grid.source != name)]


def _json(text: str, name: str) -> Columns:
    """Read JSON, or a record a line."""
    data = text.encode()
    try:
        raw = json_columns(data, WIDE_SCORE, name)
    except InputError:
        if len(text.strip().split("\n")) < 2 or not text.lstrip().startswith("{"):
            raise
        return line_columns(data, name)
    if depth_of(data) != 2 or list(raw) != ["dataset", "algorithm", WIDE_SCORE]:
        return raw
    values: dict[str, dict[str, Any]] = {}  # {name: {name: score}}: titles and names say which are the data sets
    for row, inner, value in zip(*map(cells_of, raw.values()), strict=True):
        values.setdefault(row, {})[inner] = value
    inner_names = dict.fromkeys(key for record in values.values() for key in record)
    return record_columns(
        [{"": row, **{key: record.get(key) for key in inner_names}} for row, record in values.items()]
    )


def _is_json(text: str) -> bool:
    """LaTeX may begin with a bracket too: JSON goes on with a value."""
    return re.match(r'\s*[\[{]\s*(?:["\[{}\]\d-]|null|true|false|NaN)', text) is not None


def _plain(text: str, name: str, notes: Caveats) -> list[Grid]:
    """Read separated cells where all rows agree, then aligned columns, then separated cells that nearly agree."""
    from tiebreak.readers.grids.text import delimited, separator_of, text_tables

    ending = _ending(name)
    usual = _SEPARATORS.get(ending, "")
    mark, share = separator_of(text, usual=usual)
    if ending in (".tex", ".html", ".htm", ".md", ".markdown"):
        return text_tables(text, name=name, notes=notes) if ending.startswith(".m") else []
    framed = re.search(r"^\s*[+┌╒╔┏╭]?[-─═━]{2,}[+┬╤╦┳-]", text, re.MULTILINE) is not None
    if not framed and (usual or (mark and share == 1)):
        return [delimited(text, source=name, usual=usual, notes=notes)]
    grids = text_tables(text, name=name, notes=notes)
    if grids or not mark or share < 0.5:
        return grids
    return [delimited(text, source=name, usual=usual, notes=notes)]


GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
_STEP = 1 << 20
_BROKEN = (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)
_MOST_MEMBERS = 10_000


def ungzipped(data: bytes, name: str) -> bytes:
    """Return what a gzip holds."""
    try:
        return gunzip(data, source=name)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _unsound(name, "gzip", error) from None


def sheet_kind(data: bytes, name: str) -> str | None:
    """Return "xlsx" or "ods" where a zip is a workbook, whose size is checked; None where it is an archive."""
    with _opened(data, name) as archive:
        names = set(archive.namelist())
        kind = None
        if any(text.startswith("xl/") for text in names) and "[Content_Types].xml" in names:
            kind = "xlsx"
        elif "mimetype" in names and "content.xml" in names:
            kind = "ods"
        if kind is not None:
            _check(archive, len(data), name)
        return kind


def unzipped(data: bytes, name: str) -> tuple[bytes, str]:
    """Return the one file of an archive, and its name."""
    with _opened(data, name) as archive:
        held = [info.filename for info in archive.infolist() if not info.is_dir()]
        held = [text for text in held if not text.startswith("__MACOSX/") and text.rsplit("/", 1)[-1][:1] != "."]
        if len(held) != 1:
            raise OptionError(
                f"{name} holds {len(held)} files: {quoted(held)}." if held else f"{name} holds no file.",
                why="One table is read from one file.",
                mend="Unpack the archive and name one of them.",
            )
        with _sound(name), archive.open(held[0]) as stream:
            parts = iter(lambda: stream.read(_STEP), b"")
            return gathered(parts, packed=len(data), source=f"{held[0]} in {name}"), held[0]


@contextmanager
def _sound(name: str) -> Iterator[None]:
    """Say of any error of the library for archives that the file is damaged."""
    try:
        yield
    except InputError:
        raise
    except _BROKEN as error:
        raise _unsound(name, "zip", error) from None


def _opened(data: bytes, name: str) -> zipfile.ZipFile:
    with _sound(name):
        archive = zipfile.ZipFile(io.BytesIO(data))
        if len(archive.infolist()) > _MOST_MEMBERS:
            raise ValueError(f"it holds more than {_MOST_MEMBERS:,} files")
    return archive


def _check(archive: zipfile.ZipFile, packed: int, name: str) -> None:
    """Inflate every part of a workbook once and throw it away: what an archive says of its sizes may be a lie."""
    limit, total = most_bytes(packed), 0
    with _sound(name):
        for info in archive.infolist():
            with archive.open(info) as stream:
                while part := stream.read(_STEP):
                    total += len(part)
                    if total > limit:
                        raise too_large(name, limit, packed)


def _unsound(name: str, kind: str, error: Exception) -> InputError:
    return InputError(
        f"{name} is not a sound {kind} file: {error}.",
        why="Results would be lost or garbled.",
        mend="Compress it again, or give the file uncompressed.",
    )


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(data: bytes, source: str) -> tuple[str, Caveats]:
    r"""Return the text of a file, with line ends made alike, and a caveat where its encoding had to be guessed.

    Examples
    --------
    >>> decoded("naïve".encode("utf-16"), "t.csv")
    ('naïve', ())
    >>> decoded("naïve".encode("cp1252"), "t.csv")
    ('naïve', ('t.csv is not UTF-8 and was read as Latin-1 (Windows-1252).',))
    """
    text, notes = _decoded(data, source)
    if "\0" in text:
        raise _no_text(source)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _decoded(data: bytes, source: str) -> tuple[str, Caveats]:
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is not None:
        try:
            return data.decode(encoding), ()
        except UnicodeDecodeError:
            raise _no_text(source) from None
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        note = Caveat("read-as", f"{source} is not UTF-8 and was read as Latin-1 (Windows-1252).")
        try:
            return data.decode("cp1252"), (note,)
        except UnicodeDecodeError:  # five bytes mean nothing to Windows
            return data.decode("latin-1"), (note,)


def _no_text(source: str) -> InputError:
    return InputError(
        f"{source} is neither text nor a kind of file that is known.",
        why="Tables are read from text, spreadsheets, LaTeX, Markdown, HTML and JSON.",
        mend="Save it as csv (UTF-8) or xlsx.",
    )
