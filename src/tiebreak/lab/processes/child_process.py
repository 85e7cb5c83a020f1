"""How a helper makes a child, by forking or as a fresh interpreter, and how it learns what became of it."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tiebreak.datasets import DataSet
from tiebreak.lab.processes import child_program, messages, operating_system
from tiebreak.lab.tasks import Settings, Task

PROGRAM = "tiebreak.lab.processes.child_program"
KEPT_STDERR = 8192
MOST_READS = 64
LONGEST_REPORT = 1 << 28
"""A longer message from a child is rubbish that a learner wrote to the socket: it would fill the helper's memory."""
FRAME = re.compile(r'File "([^"]*)", line (\d+) in (\S+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a child ended: `code` as `subprocess` gives it (negative: a signal), its CPU time and peak memory."""

    code: int
    cpu: float | None = None
    peak: int | None = None


class ChildProcess:
    """A child as its helper sees it: a process, the channel to it and the last lines of its standard error."""

    def __init__(
        self,
        pid: int,
        sock: socket.socket,
        *,
        stderr: int,
        process: subprocess.Popen[bytes] | None,
    ) -> None:
        self.pid = pid
        self.channel = messages.Channel(sock, longest=LONGEST_REPORT)
        self.stderr = stderr
        self._process = process
        self._tail = b""
        self._ending: Ending | None = None

    def read_stderr(self) -> None:
        """Take over what the learner wrote, keeping the end of it; one that never stops is not waited for."""
        try:
            for _ in range(MOST_READS):
                if self.stderr < 0:
                    return
                chunk = os.read(self.stderr, 1 << 16)
                self._tail = (self._tail + chunk)[-KEPT_STDERR:]
                if not chunk:
                    self._close_stderr()
        except BlockingIOError:
            return

    def ended(self, *, wait: bool = False) -> Ending | None:
        """Return how the child ended, None while it runs."""
        if self._ending is None:
            self._ending = self._reap(wait=wait)
        return self._ending

    def kill(self) -> Ending:
        """Kill the child and return how it ended; what it started dies with it, or is left to its helper (Linux).

        Where a helper does not inherit what a child leaves, that can be found only while the child lives.
        """
        if operating_system.LINUX and self._ending is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        elif not operating_system.LINUX:
            operating_system.kill_below(self.pid)
            operating_system.kill_group(self.pid)  # even when it has ended: what it started may live on
        ending = self.ended(wait=True)
        assert ending is not None
        return ending

    def close(self) -> None:
        """Let go of the channel and the standard error."""
        self.channel.close()
        self._close_stderr()

    def _close_stderr(self) -> None:
        if self.stderr >= 0:
            os.close(self.stderr)
            self.stderr = -1

    def wrote(self, text: str) -> bool:
        """Tell whether a text stands in the last lines of the standard error."""
        return text.encode() in self._tail

    def last_words(self) -> str:
        """Return where a fatal signal struck, or the last line the learner wrote to its standard error."""
        self.read_stderr()
        text = self._tail.decode(errors="replace")
        at = FRAME.search(text[max(0, text.rfind("Fatal Python error")) :])
        if at and "Fatal Python error" in text:
            return f"{os.path.basename(at[1])}:{at[2]}, in {at[3]}"
        lines = [line for line in text.splitlines() if line.strip()]
        return child_program.one_line(lines[-1]) if lines else ""

    def _reap(self, *, wait: bool) -> Ending | None:
        if sys.platform == "win32":
            assert self._process is not None
            code = self._process.wait() if wait else self._process.poll()
            return None if code is None else Ending(code=code)
        try:  # not Popen.wait: wait4 tells the CPU time and memory of this child alone
            pid, status, use = os.wait4(self.pid, 0 if wait else os.WNOHANG)
        except ChildProcessError:  # it was reaped behind our back: how it ended is lost
            return Ending(code=-signal.SIGKILL)
        if pid == 0:
            return None
        code = os.waitstatus_to_exitcode(status)
        if self._process is not None:
            self._process.returncode = code
        scale = 1 if sys.platform == "darwin" else 1024
        return Ending(code=code, cpu=use.ru_utime + use.ru_stime, peak=use.ru_maxrss * scale)


def fork_child(work: str, data: DataSet, task: Task, warm: bool, *, leave: Callable[[], None]) -> ChildProcess:
    """Fork a child for a task; `leave` lets go, in the child, of what belongs to the helper."""
    ours, theirs = socket.socketpair()
    out, into = os.pipe()
    helper = os.getpid()
    with contextlib.ExitStack() as undo:
        for close in (ours.close, theirs.close, lambda: os.close(out), lambda: os.close(into)):
            undo.callback(close)
        pid = os.fork()
        undo.pop_all()
    if pid == 0:
        try:
            os.setsid()
            operating_system.die_with(helper)
            leave()
            ours.close()
            os.close(out)
            _redirect(into)
            child_program.serve(theirs, data, task, work, warm)
            os._exit(0)
        except BaseException:  # the child must never return into the helper's own code
            os._exit(70)
    theirs.close()
    os.close(into)
    os.set_blocking(out, False)
    return ChildProcess(pid, ours, stderr=out, process=None)


def _redirect(stderr: int) -> None:
    """Give the learner an empty standard input, no standard output, and a standard error that the helper reads."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.dup2(stderr, 2)
    for spare in (nothing, stderr):
        if spare > 2:
            os.close(spare)
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        faulthandler.enable(file=2)


def start_fresh(settings: Settings, data: DataSet, task: Task, warm: bool) -> ChildProcess:
    """Start a fresh interpreter for a task, where forking is not possible."""
    ours, theirs = socket.socketpair()
    out, into = (-1, subprocess.DEVNULL) if sys.platform == "win32" else os.pipe()
    with theirs:
        process = operating_system.start_interpreter(PROGRAM, theirs, stderr=into)
    if out >= 0:
        os.close(into)
        os.set_blocking(out, False)
    made = ChildProcess(process.pid, ours, stderr=out, process=process)
    made.channel.post(messages.pack_order("begin", sys.path, settings, data, task, warm))
    return made
