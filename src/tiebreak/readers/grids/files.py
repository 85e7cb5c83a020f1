"""Choose the reader of a source by its content, and by its ending where the content does not decide."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import sys
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.grids import Cell, Grid, check_cells, grid_of_columns, rectangle
from tiebreak.readers.grids.marks import unmarked
from tiebreak.readers.loading import depth_of, json_columns, line_columns
from tiebreak.results.cells import record_columns
from tiebreak.results.columns import Columns
from tiebreak.results.roles import WIDE_SCORE
from tiebreak.results.text import (
    empty_file,
    gunzip,
    most_bytes,
    no_memory,
    sheet_texts,
    too_large,
    unreadable,
    workbook,
)
from tiebreak.wording import either

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_JSON = (".json", ".jsonl", ".ndjson")
_TEX = re.compile(r"\\begin\s*\{(?:tabular|longtable|xltabular|longtabu|tabu|tblr|NiceTabular|supertabular)")
_FRAMED = re.compile(r"^\s*[+┌╒╔┏╭]?[-─═━]{2,}[+┬╤╦┳-]", re.MULTILINE)
_GZIP, _ZIP, _OLD_SHEET = b"\x1f\x8b", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_TABLES = {
    b"%PDF": "a PDF", b"PAR1": "a parquet file", b"SQLite format 3": "a database", b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    **dict.fromkeys((b"BZh", b"\xfd7zXZ", b"(\xb5/\xfd", b"7z\xbc\xaf", b"Rar!"), "an archive"),
}  # fmt: skip


def find(source: Path | str | bytes | IO[str], *, name: str, sheet: str | None) -> list[Grid]:
    """Find every table in a source."""
    data, called = _loaded(source, name)
    if isinstance(data, str):
        return _in_text(data, called, ())
    is_file = isinstance(source, Path) or (isinstance(source, str) and source.strip() != "-")
    return _in_bytes(data, called, sheet, folder=Path(source).expanduser().parent if is_file else None)  # type: ignore[arg-type]


def _loaded(source: Path | str | bytes | IO[str], name: str) -> tuple[bytes | str, str]:
    """Return what a source holds, and what it is called."""
    if isinstance(source, bytes):
        return source, name or "the data"
    if isinstance(source, str) and source.strip() == "-":
        return _stream(getattr(sys.stdin, "buffer", sys.stdin), name or "standard input"), name or "standard input"
    if isinstance(source, str) and "\n" in source:
        return _with_line_ends(source), name or "the text"
    if isinstance(source, (str, Path)):
        path = Path(source).expanduser()
        try:
            return path.read_bytes(), name or path.name
        except MemoryError:
            raise no_memory(path.name) from None
        except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
            folder = "it is a folder" if isinstance(error, IsADirectoryError) else "it is no readable file"
            raise unreadable(path, error, folder) from None
    called = name or str(getattr(source, "name", "") or "the stream")
    return _stream(source, called), called


def _stream(stream: IO[str] | IO[bytes], name: str) -> bytes | str:
    """Read a stream up to the limit for archives: nobody knows how long it is."""
    limit = most_bytes(1 << 60)
    result: bytes | str = stream.read(limit + 1)
    if len(result) > limit:
        raise too_large(name, limit, limit)
    return _with_line_ends(result) if isinstance(result, str) else result


def _with_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _in_bytes(data: bytes, name: str, sheet: str | None, *, folder: Path | None = None, depth: int = 0) -> list[Grid]:
    """Unpack, and read what was packed."""
    if not data.strip():
        raise empty_file(name)
    if data.startswith(_GZIP):
        if depth > 1:
            raise OptionError(f"{name} holds archives in archives.", mend="Unpack it first.")
        try:
            return _in_bytes(gunzip(data, source=name), name, sheet, depth=depth + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _unsound(name, "gzip", error) from None
    if data.startswith((_ZIP, _OLD_SHEET)):
        return _sheets(data, name, sheet)
    for start, what in _NOT_TABLES.items():
        if data.startswith(start):
            mend = "Give the table as csv, xlsx, LaTeX, Markdown, HTML or text"
            mend += f"; read a store with {either('tiebreak.read_store(...)', '--store FILE')}" * (b"SQL" in start)
            raise InputError(f"{name} is {what}.", mend=f"{mend}.")
    text, notes = decoded(data, name)
    return _in_text(text, name, notes, folder)


def _unsound(name: str, kind: str, error: Exception) -> InputError:
    return InputError(
        f"{name} is not a sound {kind} file: {error}.", mend="Compress it again, or give the file uncompressed."
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
    notes: Caveats = ()
    wide = data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))  # its mark begins with that of UTF-16
    marked = "utf-32" if wide else "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ""
    try:
        text = data.decode(marked or "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0" if marked else data.decode("cp1252", errors="replace")
        notes = (Caveat("read-as", f"{source} is not UTF-8 and was read as Latin-1 (Windows-1252)."),)
    if "\0" in text:
        raise InputError(
            f"{source} is neither text nor a kind of file that is known.", mend="Save it as csv (UTF-8) or xlsx."
        )
    return _with_line_ends(text), notes


def _in_text(text: str, name: str, notes: Caveats, folder: Path | None = None) -> list[Grid]:
    """Try the readers that the text asks for, one after the other; the first that finds a table has it."""
    if not text.strip():
        raise empty_file(name)
    result = _marked(text, name, notes, folder) or _plain(text, name, notes)
    grids = [grid for grid in result if grid.rows and grid.rows[0]]
    if not grids:
        raise InputError(
            f"No table was found in {name}.",
            mend="Copy the table alone into a file, one row a line, or save it as csv or xlsx.",
        )
    if len(grids) == 1 and (doubt := [str(note) for note in grids[0].notes if note.code == "uneven-rows"]):
        raise InputError(
            doubt[0],
            mend="Correct the lines (in LaTeX a name may hold \\& but not &; in Markdown a bar is written \\|).",
        )
    return grids


def _ending(name: str) -> str:
    return Path(name.lower().removesuffix(".gz")).suffix


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


def _is_json(text: str) -> bool:
    """LaTeX may begin with a bracket too: JSON goes on with a value."""
    return re.match(r'\s*[\[{]\s*(?:["\[{}\]\d-]|null|true|false|NaN)', text) is not None


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
    return record_columns([{"": row, **record} for row, record in values.items()])


def _plain(text: str, name: str, notes: Caveats) -> list[Grid]:
    """Read separated cells where all rows agree, then aligned columns, then separated cells that nearly agree."""
    from tiebreak.readers.grids.text import delimited, separator_of, text_tables

    ending = _ending(name)
    usual = _SEPARATORS.get(ending, "")
    if ending in (".tex", ".html", ".htm", ".md", ".markdown"):
        return text_tables(text, name=name, notes=notes) if ending.startswith(".m") else []
    mark, share = separator_of(text, usual=usual)
    if not _FRAMED.search(text) and (usual or (mark and share == 1)):
        return [delimited(text, source=name, usual=usual, notes=notes)]
    grids = text_tables(text, name=name, notes=notes)
    return grids if grids or share < 0.5 else [delimited(text, source=name, usual=usual, notes=notes)]


def _sheets(data: bytes, name: str, sheet: str | None) -> list[Grid]:
    """Read the sheets of a workbook that hold anything, or the one that is named."""
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist() if data.startswith(_ZIP) else ["content.xml"]
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError, RuntimeError) as error:
        raise _unsound(name, "zip", error) from None
    if not {"[Content_Types].xml", "content.xml"} & set(names):
        raise InputError(f"{name} is an archive.", mend="Unpack it first.")
    book = workbook(data, name)
    listed = {item.name: str(item.visible).endswith("Visible") for item in book.sheets_metadata}
    if sheet is not None and sheet not in listed:
        raise unknown_name("sheet", sheet, listed, mend=f"It is looked for in {name}.")
    wanted = [item for item, shown in listed.items() if (item == sheet if sheet is not None else shown)]
    grids = [grid for item in wanted if (grid := _sheet(book, item, name)) is not None]
    hidden = [item for item, shown in listed.items() if not shown]
    if hidden and sheet is None and grids:
        text = f"{name}: hidden sheets were not read ({quoted(hidden)})."
        grids = [replace(grid, notes=(Caveat("sources-left-out", text),)) for grid in grids]
    if not grids:
        raise InputError(f"{name} holds no sheet with at least one cell.", mend="Check the file.")
    return grids


def _sheet(book: Any, title: str, name: str) -> Grid | None:
    """Read a sheet without empty rows and columns; lines of one cell above the table are its caption."""
    page, texts = sheet_texts(book, title, name)
    top, left = page.start or (0, 0)
    for (first, start), (last, end) in page.merged_cell_ranges or []:
        for row in range(max(first - top, 0), min(last - top + 1, len(texts))):
            for column in range(max(start - left, 0), min(end - left + 1, len(texts[row]))):
                texts[row][column] = texts[first - top][start - left] if first >= top and start >= left else ""
    used = [place for place in range(max(map(len, texts), default=0)) if any(row[place] for row in texts)]
    remaining = [(place, [row[column] for column in used]) for place, row in enumerate(texts) if any(row)]
    if not remaining:
        return None
    above = next((place for place, (_, row) in enumerate(remaining) if len({*row} - {""}) > 1), 0)
    if above and remaining[above - 1][1][0] == "":  # one name above the columns is a group of them, not a title
        above -= 1
    caption = [title, *("".join(dict.fromkeys(row)) for _, row in remaining[:above])]
    check_cells((len(remaining) - above) * len(used), name)
    rows = [
        [_cell(text, top + place + 1, left + column) for text, column in zip(row, used, strict=True)]
        for place, row in remaining[above:]
    ]
    return Grid(rows=rectangle(rows, name), source=name, kind="sheet", caption=": ".join(caption))


def _cell(text: str, line: int, column: int) -> Cell:
    """Make a cell; its column is named as spreadsheets do: A, Z, AA."""
    letters, place = "", column + 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    plain, bold = unmarked(text)
    return Cell(text=plain, bold=bold, line=line, column=letters)
