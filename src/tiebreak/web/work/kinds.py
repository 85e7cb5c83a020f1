"""Files that hold no table, told by how they begin: a person learns what was uploaded, not how it reads as text."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tiebreak.errors import InputError

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
    return next((what for folder, what in _INSIDE.items() if any(each.startswith(folder) for each in names)), "")
