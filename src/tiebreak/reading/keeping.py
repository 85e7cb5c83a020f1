"""Files that are read several times for one answer: what they hold is kept as long as that takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from tiebreak.tables import text

_kept: ContextVar[dict[Path, bytes] | None] = ContextVar("kept", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Keep what files hold: once is quicker, and a file that changes in between would give two answers."""
    before = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(before)


def bytes_of(path: Path) -> bytes:
    """Return what a file holds, from where it is kept or from the disk."""
    kept = _kept.get()
    if kept is None:
        return text.file_bytes(path)
    if path not in kept:
        kept[path] = text.file_bytes(path)
    return kept[path]
