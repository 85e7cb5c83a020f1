"""Archives: what is in a gzip or a zip, unpacked within the limits."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib

from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results.text import gathered, gunzip, most_bytes, too_large
from tiebreak.wording import option

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
        if any(each.startswith("xl/") for each in names) and "[Content_Types].xml" in names:
            kind = "xlsx"
        elif "mimetype" in names and "content.xml" in names:
            kind = "ods"
        if kind is not None:
            _check(archive, len(data), name)
        return kind


def unzipped(data: bytes, name: str, member: str | None) -> tuple[bytes, str]:
    """Return the one file of an archive, or the one that is named, and its name."""
    with _opened(data, name) as archive:
        held = [
            info.filename
            for info in archive.infolist()
            if not info.is_dir()
            and not info.filename.startswith("__MACOSX/")
            and not info.filename.rsplit("/", 1)[-1].startswith(".")
        ]
        if member is not None and member not in held:
            raise unknown_name("file", member, held, mend=f"It is looked for in {name}.")
        if member is None and len(held) != 1:
            raise OptionError(
                f"{name} holds {len(held)} files: {quoted(held)}." if held else f"{name} holds no file.",
                why="One table is read from one file.",
                mend=f"Name one: {option(sheet=held[0])}, or unpack the archive." if held else "Check the archive.",
            )
        chosen = member or held[0]
        return _member(archive, chosen, len(data), name), chosen


def _opened(data: bytes, name: str) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as error:
        raise _unsound(name, "zip", error) from None
    if len(archive.infolist()) > _MOST_MEMBERS:
        raise _unsound(name, "zip", ValueError(f"it holds more than {_MOST_MEMBERS:,} files"))
    return archive


def _check(archive: zipfile.ZipFile, packed: int, name: str) -> None:
    """Inflate every part of a workbook once and throw it away: what an archive says of its sizes may be a lie."""
    limit, total = most_bytes(packed), 0
    try:
        for info in archive.infolist():
            with archive.open(info) as stream:
                while part := stream.read(_STEP):
                    total += len(part)
                    if total > limit:
                        raise too_large(name, limit, packed)
    except InputError:
        raise
    except _BROKEN as error:
        raise _unsound(name, "zip", error) from None


def _member(archive: zipfile.ZipFile, chosen: str, packed: int, name: str) -> bytes:
    try:
        with archive.open(chosen) as stream:
            return gathered(iter(lambda: stream.read(_STEP), b""), packed=packed, source=f"{chosen} in {name}")
    except InputError:
        raise
    except _BROKEN as error:
        raise _unsound(name, "zip", error) from None


def _unsound(name: str, kind: str, error: Exception) -> InputError:
    return InputError(
        f"{name} is not a sound {kind} file: {error}.",
        why="Results would be lost or garbled.",
        mend="Compress it again, or give the file uncompressed.",
    )
