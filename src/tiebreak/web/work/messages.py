"""How server and children talk: JSON with its length before it, over a socket."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

LONGEST = 256_000_000
"""Bytes of one message; a child that says more has gone wrong."""
_HEAD = struct.Struct("!Q")
HEAD_BYTES = _HEAD.size


def packed(told: dict[str, Any]) -> bytes:
    """Return a message as bytes."""
    data = json.dumps(told, ensure_ascii=False).encode("utf-8", errors="surrogatepass")
    return _HEAD.pack(len(data)) + data


def length_of(head: bytes) -> int:
    """Return how many bytes follow a head."""
    (count,) = _HEAD.unpack(head)
    if count > LONGEST:
        raise ValueError("a message is too long")
    return int(count)


def unpacked(data: bytes) -> dict[str, Any]:
    """Return the message that bytes hold."""
    found: dict[str, Any] = json.loads(data.decode("utf-8", errors="surrogatepass"))
    return found


def receive(stream: IO[bytes]) -> dict[str, Any] | None:
    """Read one message; None where there will be no more."""
    head = stream.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    data = stream.read(length_of(head))
    return unpacked(data)
