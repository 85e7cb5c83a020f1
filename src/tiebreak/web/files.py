"""Files of clients: their names here, files that hold no table, files that are too large, and cells made harmless."""

from __future__ import annotations

import base64
import csv
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from tiebreak.datasets.files import ENDINGS as OF_DATA
from tiebreak.errors import InputError

ENDINGS = (
    *OF_DATA,
    *(".tab", ".json", ".json.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"),
    *(".eval", ".yml", ".yaml"),  # logs of evaluations
    *(".tex", ".html", ".htm", ".md", ".markdown", ".zip", ".tsv.gz", ".txt.gz"),
)
"""The endings that say something to a reader; a file with any other is text."""


def ending_of(name: str) -> str:
    """Return the ending of a client's file that our own name for it gets; all else of the name is left.

    Examples
    --------
    >>> [ending_of(name) for name in ("a.CSV.gz", "../../etc/passwd", "x.pkl", "table.xlsx", "x.csv/..")]
    ['.csv.gz', '.txt', '.txt', '.xlsx', '.txt']
    """
    lowered = name.lower()
    return max((end for end in ENDINGS if lowered.endswith(end)), key=len, default=".txt")


PASTED = "pasted.txt"
"""What a page calls a pasted text of which it knows nothing."""


def pasted_name(text: str) -> str:
    r"""Return a name for a pasted text, with the ending that its first two lines tell; tables of other kinds are text.

    Examples
    --------
    >>> tables = ("a,b\n1,2", "a\tb\n1\t2", '{"a": 1}\n{"a": 2}', "[[1]]", "| a, b | c |\n|---|---|")
    >>> [pasted_name(text) for text in tables]
    ['pasted.csv', 'pasted.tsv', 'pasted.jsonl', 'pasted.json', 'pasted.txt']
    """
    lines = [line.strip(" \r") for line in text.lstrip("\ufeff").splitlines() if line.strip()][:2]
    first, second = [*lines, "", ""][:2]
    if first[:1] in ("{", "["):
        return "pasted.jsonl" if first[:1] == second[:1] == "{" else "pasted.json"
    if not any(mark in first for mark in "|&\\<"):
        for mark, ending in (("\t", "tsv"), (",", "csv"), (";", "csv")):
            if first.count(mark) and second.count(mark):
                return f"pasted.{ending}"
    return PASTED


_WRITTEN = frozenset(
    "clean.csv clean.parquet store.csv result.json run.json progress.jsonl said.txt report.html page.html kept.html"
    " figure.svg figure.tex figure.pdf figure.png gate.md gate.xml".split()
)
"""Files that the server or a verb writes into the folder of a job; no upload may have such a name there."""
_PLAIN = frozenset(" _-.+()")
"""What a name of a file may hold beside letters and figures."""
_LONGEST = 60


def plain_name(label: str, taken: Callable[[str], bool] = lambda _: False) -> str:
    """Return the name under which a client's file lies here: as the client calls it, as far as that does no harm.

    Sentences and calls name the file by it. It begins with a letter or a figure, holds no mark of a path, an option or
    an address, has an ending that says something to a reader, and is no name that is `taken`.

    Examples
    --------
    >>> [plain_name(item) for item in ("my results.CSV", "--store=x.db.csv", "published:x", "photo.jpg", "...")]
    ['my results.csv', 'store_x.db.csv', 'published_x.txt', 'photo.jpg.txt', 'table.txt']
    >>> plain_name("a.csv", {"a.csv"}.__contains__), plain_name("clean.csv")
    ('a-2.csv', 'clean-2.csv')
    """
    ending = ending_of(label)
    stem = label[: -len(ending)] if label.lower().endswith(ending) else label
    marked = "".join(letter if letter.isalnum() or letter in _PLAIN else "_" for letter in stem)
    stem = marked.lstrip("".join(_PLAIN))[:_LONGEST].rstrip(" .") or "table"
    names = (f"{stem}{more}{ending}" for more in ("", *(f"-{place}" for place in range(2, 1000))))
    return next(name for name in names if name.lower() not in _WRITTEN and not taken(name))


_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"{\\rtf", "a text document"),
    (b"\x80\x02", "a pickle of Python"),
    (b"\x80\x03", "a pickle of Python"),
    (b"\x80\x04", "a pickle of Python"),
    (b"\x80\x05", "a pickle of Python"),
    (b"SQLite format 3\0", "a database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
)
_INSIDE = {"word/": "a text document", "ppt/": "a presentation"}
"""Folders in the archives that office programs write."""
_READ = (".xlsx", ".xlsm", ".xlsb", ".ods", ".zip", ".eval")
"""Archives whose reader says better what is wrong with them."""
_PICKLE = "It is not opened, since that could run a program."


def check_kind(path: Path) -> None:
    """Refuse a file that is known to hold no table; whatever else it is, the reader says."""
    kind = kind_of(path)
    if kind:
        name = path.name.removesuffix(".txt") if "." in path.stem else path.name  # unknown endings are kept as text
        raise InputError(
            f"{name} is {kind}, and no table.",
            why=_PICKLE if "pickle" in kind else "What it holds cannot be told from its letters.",
            mend="Save the table as csv or xlsx, or copy it out of there and paste it as text.",
        )


def kind_of(path: Path) -> str:
    """Say what a file is if it is known to be no table; nothing otherwise.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "paper.pdf"
    >>> _ = place.write_bytes(b"%PDF-1.7")
    >>> kind_of(place)
    'a PDF document'
    """
    with path.open("rb") as stream:
        start = stream.read(16)
    if start.startswith(b"PK\x03\x04"):
        return _in_archive(path)
    return next((what for mark, what in _BEGINNINGS if start.startswith(mark)), "")


def _in_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()[:1000]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return "" if path.name.lower().endswith(_READ) else "an archive that is broken or cut off"
    return next((what for folder, what in _INSIDE.items() if any(name.startswith(folder) for name in names)), "")


_FORMULA = re.compile(r"^[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")


def harmless(cell: str) -> str:
    """Put a quote before a text that begins like a formula; numbers stay numbers.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-0.5"), harmless("-x"), harmless("iris")
    ("'=1+1", '-0.5', "'-x", 'iris')
    """
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.match(cell) else cell


def make_harmless(path: Path) -> None:
    """Write a csv file anew with harmless cells."""
    csv.field_size_limit(10_000_000)
    beside = path.with_suffix(".tmp")
    with path.open(encoding="utf-8", newline="") as before, beside.open("w", encoding="utf-8", newline="") as after:
        writer = csv.writer(after, lineterminator="\n")
        for row in csv.reader(before):
            writer.writerow([harmless(cell) for cell in row])
    beside.replace(path)


TYPES = {
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "xml": "application/xml",
}
"""Kinds of files that a verb writes, by their endings."""
_BYTES = ("pdf", "png", "parquet")


def as_field(name: str, data: bytes) -> dict[str, str]:
    """Return a written file as JSON: texts as they are, others in base64."""
    ending = name.rpartition(".")[2]
    options = {"name": name, "type": TYPES[ending]}
    if ending in _BYTES:
        return options | {"base64": base64.b64encode(data).decode("ascii")}
    return options | {"text": data.decode("utf-8")}
