"""Bytes to text: byte order marks, UTF-16 with and without one, UTF-8, and what Windows wrote before."""

from __future__ import annotations

import codecs

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError

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
