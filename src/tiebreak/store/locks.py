"""Locks that the operating system or the server frees when their holder dies: no clock, no heartbeat.

A lock must not survive in a child that was forked from the holder: the file lock is one that children do not inherit,
and the sockets of database connections are replaced by the null device in every forked child.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import threading
import weakref
from pathlib import Path
from typing import Any, TextIO

from tiebreak.store.storable import now
from tiebreak.store.store_errors import held, unusable

_guard = threading.Lock()
_held: dict[str, int] = {}  # file locks of this process: path -> process id
_sockets: weakref.WeakSet[Any] = weakref.WeakSet()
_registered: list[bool] = []


class FileLock:
    """An exclusive lock on a file beside the database, freed by the operating system when the process ends.

    A POSIX record lock (`lockf`), not `flock`: a forked child that outlives a killed runner would go on holding the
    latter. Record locks do not exclude a second holder in the same process, so the process keeps its own list.
    """

    __slots__ = ("_file", "_path", "_shown")

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path.resolve(), shown
        self._file: TextIO | None = None

    def acquire(self) -> None:
        """Take the lock, or say who holds it."""
        with _guard:
            if _held.get(str(self._path)) == os.getpid():
                raise held(self._shown, f"process {os.getpid()} on {socket.gethostname()}, this one")
            self._file = self._locked()
            _held[str(self._path)] = os.getpid()
        self._file.truncate(0)
        json.dump({"pid": os.getpid(), "host": socket.gethostname(), "since": now()}, self._file)
        self._file.flush()

    def _locked(self) -> TextIO:
        """Open the file and lock it."""
        try:
            file = open(self._path, "a+", encoding="utf-8")  # noqa: SIM115 - open as long as the lock is held
        except OSError as error:
            raise unusable(self._shown, "locked", error) from None
        try:
            _lock(file)
        except OSError as error:
            holder = _holder(file)
            file.close()
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                raise held(self._shown, holder) from None
            raise unusable(self._shown, "locked", error) from None
        return file

    def release(self) -> None:
        """Give the lock back; the file stays, as deleting it could free a lock that someone else just took."""
        with _guard:
            if self._file is not None:
                self._file.close()
                self._file = None
                _held.pop(str(self._path), None)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: TextIO) -> None:
        os.lseek(file.fileno(), 1 << 30, os.SEEK_SET)  # beyond the text, which others may read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: TextIO) -> None:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(file: TextIO) -> str:
    """The holder writes its name only after it has the lock, so there may be none yet."""
    try:
        file.seek(0)
        found = json.load(file)
        return f"process {found['pid']} on {found['host']}, since {found['since']}"
    except (ValueError, KeyError, TypeError, OSError):
        return "which has not written its name yet"


def forget_in_children(connection: Any) -> None:
    """See to it that a forked child cannot keep the session of this connection alive after its parent's death."""
    with _guard:
        _sockets.add(connection)
        if not _registered and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_cut_sockets)
            _registered.append(True)


def _cut_sockets() -> None:
    """Point the sockets of the parent's connections to the null device, in this child only."""
    null = os.open(os.devnull, os.O_RDWR)
    for connection in list(_sockets):
        try:
            os.dup2(null, connection.fileno(), inheritable=False)
        except Exception:
            continue
    os.close(null)
