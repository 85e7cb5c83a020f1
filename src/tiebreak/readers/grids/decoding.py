"""Bytes to text: archives unpacked within the limits, and encodings: UTF-8, UTF-16, UTF-32, Windows-1252."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile
import zlib

from tiebreak.caveats import Caveat, Caveats
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


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOK = 4096


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
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _wide(data)
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


def _wide(data: bytes) -> str | None:
    """Tell UTF-16 without a mark by its zeros: every second byte of a table's digits and separators is one."""
    head = data[:_LOOK]
    if len(head) < 4 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head) / 2 and even == 0:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * len(head) / 2 and odd == 0 else None


def _no_text(source: str) -> InputError:
    return InputError(
        f"{source} is neither text nor a kind of file that is known.",
        why="Tables are read from text, spreadsheets, LaTeX, Markdown, HTML and JSON.",
        mend="Save it as csv (UTF-8) or xlsx.",
    )
