"""The warm parent of all children: it has imported what answers need, and forks itself when the server asks for one.

The server sends one byte with a socket for each child; what it writes to its own output are lines of JSON: that it is
ready, the number of each child, and how each ended. It ends with its server, and its children with it. Server and
children send each other lines of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from tiebreak.web.child import answer, limit_memory, memory_held, warm_up

LONGEST = 256_000_000
"""Bytes of one message; a child that says more has gone wrong."""


def line_of(options: dict[str, Any]) -> bytes:
    """Return a message: one line of JSON."""
    return json.dumps(options).encode() + b"\n"


FORK, KILL = b"f", b"k"


def main() -> None:
    """Warm up, then fork and bury until the server is gone."""
    control = socket.socket(fileno=int(sys.argv[1]))
    memory = int(sys.argv[2])
    io = os.fdopen(os.dup(1), "wb", buffering=0)
    _silence()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tempfile.TemporaryDirectory() as folder:
        warm_up(Path(folder))
    gc.collect()
    gc.freeze()
    _Zygote(control, io, memory).serve()


def _silence() -> None:
    """What libraries print goes nowhere: the output belongs to the server."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for value in (0, 1, 2):
        os.dup2(nowhere, value)


class _Zygote:
    """Forks and buries children."""

    def __init__(self, control: socket.socket, said: Any, memory: int) -> None:
        self.control, self.said, self.memory = control, said, memory
        self.children: set[int] = set()

    def serve(self) -> None:
        """Wait for the server's wishes and for the ends of children."""
        heard, tell = os.pipe()
        os.set_blocking(tell, False)
        os.set_blocking(heard, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
        waiting = selectors.DefaultSelector()
        waiting.register(self.control, selectors.EVENT_READ)
        waiting.register(heard, selectors.EVENT_READ)
        self._say({"ready": os.getpid()})
        while True:
            ready = {key.fileobj for key, _ in waiting.select()}
            if heard in ready:
                os.read(heard, 4096)
                self._bury()
            if self.control in ready and not self._obey():
                self._end()

    def _obey(self) -> bool:
        """Do one thing that the server asks for; False where the server is gone."""
        data, sockets, _, _ = socket.recv_fds(self.control, 64, 1)
        if not data:
            return False
        if data[:1] == KILL:
            self._kill(int(data[1:]))
            return True
        pid = os.fork()
        if pid == 0:
            _be_a_child(sockets[0], self.control, self.said, self.memory)
        self.children.add(pid)
        self._say({"child": pid})
        os.close(sockets[0])
        return True

    def _kill(self, pid: int) -> None:
        """End a child and what it started; only a child of this process, whose number cannot be another's yet."""
        if pid in self.children:
            for kill in (os.killpg, os.kill):
                try:
                    kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue

    def _bury(self) -> None:
        while self.children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self.children.discard(pid)
            self._say({"ended": pid, "code": os.waitstatus_to_exitcode(status)})

    def _say(self, options: dict[str, int]) -> None:
        try:
            self.said.write(line_of(options))
        except BrokenPipeError:
            self._end()

    def _end(self) -> NoReturn:
        for pid in list(self.children):
            self._kill(pid)
        os._exit(0)


def _be_a_child(count: int, control: socket.socket, text: Any, memory: int) -> NoReturn:
    """Answer jobs until there are no more, or one went wrong; whatever happens, never return into the parent's loop."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        control.close()
        text.close()
        limit_memory(memory)
        before = memory_held()
        with socket.socket(fileno=count) as channel, channel.makefile("rb") as stream:
            while line := stream.readline():
                options = json.loads(line)
                result = answer(options)
                result["last"] = bool(result.get("last")) or memory_held() - before > options["limits"]["grown"]
                channel.sendall(line_of(result))
                if result.get("last"):
                    break
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
