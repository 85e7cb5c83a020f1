"""Stores that can be read and not written: a file or a folder without the right to write, or a read-only disk.

Where a SQLite file has a write-ahead log, a reader needs files beside it that it cannot make here. A file without a
log is read as one that does not change; one with a log, or of an older version, from a copy in a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from tiebreak.store.store_errors import unusable

if TYPE_CHECKING:
    import sqlalchemy as sa

_SIGNS = ("unable to open database file", "readonly database", "read-only")


def is_refused(error: sa.exc.DBAPIError, file: Path) -> bool:
    """Tell whether an error of SQLite means that a file which is there could not be written."""
    words = str(error.orig)
    return any(sign in words for sign in _SIGNS) and os.access(file, os.R_OK)


def readable(file: Path, shown: str, version: int) -> tuple[Path, bool, Callable[[], None]]:
    """Return the file to read, whether it never changes, and what to do with it after reading.

    Parameters
    ----------
    file : Path
        The store.
    shown : str
        Its address in messages.
    version : int
        The version a store must have to be read where it lies.
    """
    log = Path(f"{file}-wal")
    if not (log.exists() and log.stat().st_size) and _version(file) == version:
        return file, True, lambda: None
    folder = tempfile.mkdtemp(prefix="tiebreak-store-")
    copy = Path(folder) / file.name
    try:
        for each in (file, log):
            if each.exists():
                shutil.copyfile(each, f"{copy}{str(each)[len(str(file)) :]}")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise unusable(shown, "copied for reading", error) from None
    return copy, False, lambda: shutil.rmtree(folder, ignore_errors=True)


def uri(file: Path) -> str:
    """Return the address by which SQLite opens a file that never changes."""
    return f"file:{quote(str(file.resolve()))}?immutable=1"


def _version(file: Path) -> int:
    """Look without the engine: 0 where it cannot be said."""
    try:
        with sqlite3.connect(uri(file), uri=True) as connection:
            found = connection.execute("SELECT max(version) FROM schema_version").fetchone()[0]
        connection.close()
    except sqlite3.Error:
        return 0
    return int(found or 0)
