"""One plain file into columns by its ending: nothing is understood, and nothing read twice for one answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from tiebreak.errors import OptionError
from tiebreak.readers.json_files import depth_of, json_columns, line_columns
from tiebreak.results import text
from tiebreak.results.columns import Columns, LineOf
from tiebreak.results.roles import FRAME

SMALL = 4_000_000
"""Text files up to this many bytes are parsed by Python's csv module: no other library need be loaded."""

SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}
LINES = (".jsonl", ".ndjson")
_PLAIN = (*SEPARATORS, ".json", ".parquet", ".pq")
_kept: ContextVar[dict[Path, bytes] | None] = ContextVar("kept", default=None)


def load_columns(path: Path, *, score: str) -> tuple[Columns, LineOf | None]:
    """Read a file into columns, and say how to find the line of a row; `score` names what nested JSON holds."""
    kind, packed = ending_of(path)
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.stat().st_size == 0:
            raise text.empty_file(path.name)
        if kind in SEPARATORS:
            data = bytes_of(path)
            return text.text_columns(data, separator=SEPARATORS[kind], source=path.name, large=len(data) > SMALL)
        if kind == ".json":
            return json_columns(bytes_of(path), score, path.name), None
        if kind in LINES:
            return line_columns(bytes_of(path), path.name), None
        if kind in (".parquet", ".pq"):
            return text.parquet_columns(path, source=FRAME), None
    except OSError as error:
        raise text.unreadable(path, error, "it is no readable file", why="Results come from a file.") from None
    except text.UnsoundFile as error:
        raise text.unsound(path.name, error, packed=packed) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        why="The ending tells how to read a file.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz, .tsv.gz and .json.gz are read too).",
    )


def ending_of(path: Path) -> tuple[str, bool]:
    """Return the ending that tells how to read a file, and whether it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"] and len(suffixes) > 1
    return (suffixes[-2 if packed else -1] if suffixes else ""), packed


def is_other(path: Path) -> bool:
    """Say whether a file is there, or a pipe, that is of no plain kind."""
    return ending_of(path)[0] not in _PLAIN and path.exists() and not path.is_dir()


def json_depth(source: Any) -> int:
    """Return how deep the dictionaries of a JSON file nest; 0 for other sources."""
    if not isinstance(source, Path) or ending_of(source)[0] != ".json" or not source.is_file():
        return 0
    with source.open("rb") as stream:
        head = stream.read(100_000)
    return depth_of(text.file_bytes(source) if head.startswith(b"\x1f\x8b") else head)


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
