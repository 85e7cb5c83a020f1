"""Whole messages over a socket: eight bytes of length, then the message."""

from __future__ import annotations

import contextlib
import json
import pickle
import socket
import struct
from collections import deque
from typing import Any

HEADER = struct.Struct(">Q")
CHUNK = 1 << 20
LONGEST = 1 << 40
"""What the driver and its helpers say to each other is trusted; a learner gets less, see `child_process`."""


class Channel:
    """One end of a connection that never waits: messages leave and arrive as far as the other side allows.

    A helper that waited for its child could neither stop it in time nor notice that the driver is gone.

    Parameters
    ----------
    sock : socket.socket
        A connected stream socket; it becomes non-blocking and belongs to the channel from now on.
    longest : int
        A message that claims to be longer ends the connection: the other side writes rubbish.
    """

    def __init__(self, sock: socket.socket, *, longest: int = LONGEST) -> None:
        sock.setblocking(False)
        self.sock = sock
        self.ended = False
        self._longest = longest
        self._inbox = bytearray()
        self._outbox: deque[memoryview] = deque()

    def fileno(self) -> int:
        """Return the file descriptor, so that a selector can watch the channel."""
        return self.sock.fileno()

    @property
    def pending(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._outbox)

    def post(self, message: bytes) -> None:
        """Send a message, now as far as possible and the rest by `flush`."""
        self._outbox.append(memoryview(HEADER.pack(len(message)) + message))
        self.flush()

    def flush(self) -> None:
        """Send what waits; a connection that broke keeps what can still be read."""
        try:
            while self._outbox:
                sent = self.sock.send(self._outbox[0])
                self._outbox[0] = self._outbox[0][sent:]
                if not self._outbox[0]:
                    self._outbox.popleft()
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._outbox.clear()

    def take(self) -> list[bytes]:
        """Return the messages that arrived whole; `ended` is set when no more can come."""
        self._read()
        messages = []
        while len(self._inbox) >= HEADER.size:
            (length,) = HEADER.unpack_from(self._inbox)
            if length > self._longest:
                self.ended = True
                break
            if len(self._inbox) < HEADER.size + length:
                break
            messages.append(bytes(memoryview(self._inbox)[HEADER.size : HEADER.size + length]))
            del self._inbox[: HEADER.size + length]
        return messages

    def _read(self) -> None:
        """Read until the socket would block: what came before the end still counts."""
        try:
            while not self.ended:
                chunk = self.sock.recv(CHUNK)
                self.ended = not chunk
                self._inbox += chunk
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.ended = True

    def close(self) -> None:
        """Close the connection; the other side reads its end."""
        self._outbox.clear()
        self.ended = True
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()


def send_whole(sock: socket.socket, message: bytes) -> None:
    """Send one message and wait until it has left."""
    sock.sendall(HEADER.pack(len(message)) + message)


def receive_whole(sock: socket.socket) -> bytes | None:
    """Wait for one message; None when the other side is gone."""
    header = _exactly(sock, HEADER.size)
    return None if header is None else _exactly(sock, HEADER.unpack(header)[0])


def _exactly(sock: socket.socket, count: int) -> bytes | None:
    """None for a connection that ended, also in the middle: half a message is no message."""
    parts = bytearray()
    while len(parts) < count:
        try:
            chunk = sock.recv(min(CHUNK, count - len(parts)))
        except ConnectionError:
            return None
        if not chunk:
            return None
        parts += chunk
    return bytes(parts)


def pack_order(kind: str, *content: object) -> bytes:
    """Encode what travels down, from the driver to its own helper or from a helper to its own child."""
    return pickle.dumps((kind, *content), protocol=5)


def unpack_order(message: bytes) -> tuple[Any, ...]:
    """Decode what came down."""
    return tuple(pickle.loads(message))


def pack_report(kind: str, *content: object) -> bytes:
    """Encode what travels up; arrays and numbers of numpy become plain ones.

    JSON and no pickle: a learner shares the process that writes this, and reading a pickle can run what it likes.
    """
    return json.dumps([kind, *content], default=_plain).encode()


def unpack_report(message: bytes) -> list[Any]:
    """Decode what came up."""
    return list(json.loads(message))


def _plain(value: Any) -> object:
    """Numbers of NumPy come from learners' own code; anything stranger is an error at its source."""
    convert = getattr(value, "tolist", None)
    if convert is None:
        raise TypeError(f"{type(value).__name__!r} is nothing that JSON knows")
    return convert()
