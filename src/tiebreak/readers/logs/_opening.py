"""Files of logs: JSON, lines of JSON that may break off, and the zip archives of Inspect; never larger than allowed."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tiebreak.errors import InputError
from tiebreak.results.text import TooDeep, UnsoundFile, file_bytes, gathered, most_bytes, no_memory, too_large

_STEP = 1 << 20
_ZSTD = 93
_BROKEN = (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)


class Unreadable(InputError):
    """A file that is no sound log: in a folder it is named and passed over, alone it is an error."""


def unreadable(source: str, what: str) -> Unreadable:
    """Make the error for a file that cannot be read."""
    return Unreadable(
        f"{source} cannot be read: {what}.", why="It is no sound log.", mend="Write it again, or leave it out."
    )


def bytes_of(path: Path) -> bytes:
    """Return what a file holds, unpacked."""
    try:
        return file_bytes(path)
    except (OSError, UnsoundFile) as error:
        raise unreadable(path.name, getattr(error, "strerror", None) or str(error)) from None


def json_at(path: Path) -> Any:
    """Read a file of JSON."""
    return json_in(bytes_of(path), path.name)


def json_in(data: bytes, source: str) -> Any:
    """Read bytes of JSON, in any of the encodings that JSON may have."""
    try:
        return json.loads(data)
    except UnicodeDecodeError:
        raise unreadable(source, "it is not written in UTF-8") from None
    except RecursionError:
        raise unreadable(source, str(TooDeep())) from None
    except MemoryError:
        raise no_memory(source) from None
    except ValueError as error:
        raise unreadable(source, f"it is not JSON ({error})") from None


class Lines:
    """Lines of JSON, one after the other; `cut` is the number of a last line that breaks off.

    `short` may parse what is needed of a line, and returns None where it must be parsed as a whole.
    """

    def __init__(self, path: Path, short: Callable[[bytes], dict[str, Any] | None] | None = None) -> None:
        self.path, self.cut, self._short = path, 0, short

    def __iter__(self) -> Iterator[dict[str, Any]]:
        broken: tuple[int, str] | None = None
        for number, line in enumerate(_lines(self.path), start=1):
            if not line.strip():
                continue
            if broken is not None:
                raise unreadable(self.path.name, f"line {broken[0]} is not JSON ({broken[1]})")
            if self._short is not None and (part := self._short(line)) is not None:
                yield part
                continue
            try:
                found = json.loads(line)
            except RecursionError:
                raise unreadable(self.path.name, f"line {number}: {TooDeep()}") from None
            except UnicodeDecodeError:
                broken = number, "it is not written in UTF-8"
                continue
            except ValueError as error:
                broken = number, str(error)
                continue
            if isinstance(found, dict):
                yield found
        if broken is not None:
            self.cut = broken[0]


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; one that is not packed is never held whole."""
    if path.suffix.lower() == ".gz":
        yield from bytes_of(path).splitlines()
        return
    try:
        with path.open("rb") as stream:
            first = stream.readline().removeprefix(b"\xef\xbb\xbf")
            if first.startswith((b"\xff\xfe", b"\xfe\xff")):
                yield from stream.read().join((first, b"")).decode("utf-16").encode().splitlines()
                return
            yield first
            yield from stream
    except OSError as error:
        raise unreadable(path.name, error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise unreadable(path.name, "it is not written in UTF-8") from None


class Archive:
    """A zip archive of JSON files, of which all together may hold no more than an archive of its size may."""

    def __init__(self, path: Path) -> None:
        self.path, self._taken = path, 0
        try:
            self._packed = path.stat().st_size
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise unreadable(path.name, f"it is no sound zip archive ({error})") from None
        self.names = tuple(info.filename for info in self._zip.infolist())

    def json(self, name: str) -> Any:
        """Read one file of the archive."""
        info = self._zip.getinfo(name)
        source = f"{self.path.name}:{name}"
        try:
            data = self._zstd(info, source) if info.compress_type == _ZSTD else self._inflated(name, source)
        except InputError:
            raise
        except _BROKEN as error:
            raise unreadable(source, f"it is broken ({error})") from None
        self._taken += len(data)
        if self._taken > (limit := most_bytes(self._packed)):
            raise too_large(self.path.name, limit, self._packed)
        return json_in(data, source)

    def _inflated(self, name: str, source: str) -> bytes:
        with self._zip.open(name) as stream:
            return gathered(iter(lambda: stream.read(_STEP), b""), packed=self._packed, source=source)

    def _zstd(self, info: zipfile.ZipInfo, source: str) -> bytes:
        """Unpack what Python's zip module does not know before 3.14."""
        from tiebreak.readers.logs._zstd import unpacked

        with self.path.open("rb") as stream:
            stream.seek(info.header_offset)
            head = stream.read(30)
            skip = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
            stream.seek(skip, 1)
            data = stream.read(info.compress_size)
        return unpacked(data, packed=self._packed, source=source)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


def head_of(path: Path, size: int = 65_536) -> bytes:
    """Return how a file begins, by which it is told what it is; empty where it cannot be read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(size)
    except OSError:
        return b""
    if data.startswith(b"\x1f\x8b"):
        try:
            data = zlib.decompressobj(31).decompress(data, size)
        except zlib.error:
            return b""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")
