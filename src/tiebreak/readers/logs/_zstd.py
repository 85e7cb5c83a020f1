"""Zstandard, which Inspect packs its logs with and Python's zip module does not know before 3.14.

Polars unpacks it while it reads delimited text, so no further library is needed: JSON is read as one column of lines.
How much that will give is counted first, from the headers of the blocks (RFC 8878), so that no file can surprise.
"""

from __future__ import annotations

import io

from tiebreak.results.text import most_bytes, too_large

_MAGIC = b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 17  # no block holds more
_RAW, _REPEATED = 0, 1


def unpacked(data: bytes, *, packed: int, source: str) -> bytes:
    """Return what a member of an archive holds; `ValueError` where it is broken.

    Only text without the letter 1 of ASCII (a control character, which JSON must escape) comes back as it was.
    """
    limit = most_bytes(packed)
    if most_held(data, stop=limit) > limit:
        raise too_large(source, limit, packed)
    import polars as pl

    told: dict[str, object] = {"has_header": False, "separator": "\x01", "quote_char": None, "infer_schema": False}
    try:
        frame = pl.read_csv(io.BytesIO(data), new_columns=["line"], **told)  # type: ignore[arg-type]
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    return "\n".join(frame["line"].fill_null("").to_list()).encode()


def most_held(data: bytes, *, stop: int) -> int:
    r"""Count the bytes that frames can give at most, no further than `stop`; `ValueError` where they break off.

    Examples
    --------
    >>> frame = bytes.fromhex("28b52ffd") + b"\x20\x05" + (5 << 3 | 1).to_bytes(3, "little") + b"hello"
    >>> most_held(frame, stop=100)
    5
    """
    place, total = 0, 0
    while place < len(data) and total <= stop:
        magic = int.from_bytes(data[place : place + 4], "little")
        if 0x184D2A50 <= magic <= 0x184D2A5F:  # a frame to be skipped
            place += 8 + int.from_bytes(data[place + 4 : place + 8], "little")
            continue
        if data[place : place + 4] != _MAGIC:
            raise ValueError("it is not packed as its archive says")
        place, total = _frame(data, place, total, stop)
    return total


def _frame(data: bytes, place: int, total: int, stop: int) -> tuple[int, int]:
    """Walk over the blocks of one frame; return where it ends and what all blocks so far give at most."""
    flags = data[place + 4]
    single = flags >> 5 & 1
    place += 5 + (not single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
    last = False
    while not last and total <= stop:
        head = int.from_bytes(data[place : place + 3], "little")
        if place + 3 > len(data):
            raise ValueError("it breaks off")
        last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        total += size if kind in (_RAW, _REPEATED) else _BLOCK
        place += 3 + (1 if kind == _REPEATED else size)
    return place + 4 * (flags >> 2 & 1), total
