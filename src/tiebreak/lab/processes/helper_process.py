"""A helper as the driver sees it: started, given data sets and tasks, listened to, stopped."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import subprocess
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.lab.processes import messages, operating_system
from tiebreak.lab.processes.child_program import one_line
from tiebreak.lab.processes.settings import THREAD_COUNTS, Settings
from tiebreak.lab.processes.warmth import Warmth
from tiebreak.lab.tasks import Task

PROGRAM = "tiebreak.lab.processes.helper_program"
STOP_SECONDS = 2.0
"""So long a helper may take to end its child and itself before it is killed."""
_keys = itertools.count(1)


@dataclass(slots=True, kw_only=True)
class Assignment:
    """A task in the hands of a helper, and its cells that have no outcome yet."""

    task: Task
    open: set[int]

    def rest(self) -> Task:
        """Return the task with the cells that are still open."""
        return replace(self.task, cells=tuple(cell for cell in self.task.cells if cell.id in self.open))


def make_room(held: dict[str, int], key: str, data: DataSet, needed: Container[str], cache: int) -> list[str]:
    """Enter a data set among those that are held, with its bytes; return those that had to go, oldest first.

    What a task still needs stays, even beyond the cache: the cell must run.
    """
    size, gone = int(data.values.nbytes + data.target.nbytes), []
    for old in [name for name in held if name not in needed]:
        if sum(held.values()) + size <= cache:
            break
        del held[old]
        gone.append(old)
    held[key] = size
    return gone


class HelperProcess:
    """One helper process, the channel to it, and what it was given.

    The helper forgets a data set when the driver says so: the driver keeps the list, least recently used first.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.assignments: dict[int, Assignment] = {}
        self.said_hello = False
        self.asked = False
        self.waiting = False
        self.begun: tuple[int, int] | None = None
        self._child: int | None = None
        self._held: OrderedDict[str, int] = OrderedDict()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads would fill and stop it
        self._process, self.channel = _start(settings, self._stderr.fileno())
        self._path = list(sys.path)
        self.channel.post(messages.pack_order("setup", self._path, settings))

    @property
    def open_cells(self) -> int:
        """The number of cells the helper has not finished."""
        return sum(len(assignment.open) for assignment in self.assignments.values())

    def give(self, task: Task, data: Mapping[str, DataSet]) -> None:
        """Send a task, after the data set it needs and where modules are found now."""
        if sys.path != self._path:
            self._path = list(sys.path)
            self.channel.post(messages.pack_order("path", self._path))
        self._send_data(task.data, data)
        key = next(_keys)
        self.assignments[key] = Assignment(task=task, open={cell.id for cell in task.cells})
        self.asked = False
        self.channel.post(messages.pack_order("task", key, task))

    def tell_warmth(self, key: list[str], level: int, modules: list[str]) -> None:
        """Tell what another helper found out about warming up for a learner."""
        warmth = Warmth(level=level, known=True, modules=tuple(modules))
        self.channel.post(messages.pack_order("warmth", tuple(key), warmth))

    def recall(self) -> None:
        """Ask the helper to give back work that has not begun."""
        self.asked = self.waiting = True
        self.channel.post(messages.pack_order("recall"))

    def reports(self) -> list[list[Any]]:
        """Return what the helper said since the last time, noting which cell runs where."""
        self.channel.flush()
        found = [messages.unpack_report(message) for message in self.channel.take()]
        for kind, *content in found:
            if kind == "hello":
                self.said_hello = True
            elif kind == "begun":
                self.begun, self._child = (content[0], content[1]), content[2]
            elif kind == "done" and self.begun == (content[0], content[1]):
                self._child = None  # its number may soon be another process's
        return found

    def _send_data(self, fingerprint: str, data: Mapping[str, DataSet]) -> None:
        """Orders to forget go out before the data, so that the helper never holds more than its cache."""
        if fingerprint in self._held:
            self._held.move_to_end(fingerprint)
            return
        needed = {assignment.task.data for assignment in self.assignments.values()}
        for old in make_room(self._held, fingerprint, data[fingerprint], needed, self.settings.cache):
            self.channel.post(messages.pack_order("forget", old))
        self.channel.post(messages.pack_order("data", fingerprint, data[fingerprint]))

    def release(self) -> None:
        """Close the connection, upon which the helper ends its child and itself."""
        self.channel.close()

    def bury(self) -> str:
        """Make sure that the helper and its child are gone; returns the last line of its standard error."""
        self.channel.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode != 0 and self._child is not None:  # it could not clear up after itself
            operating_system.kill_group(self._child)
        if self._stderr.closed:
            return ""
        with self._stderr as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 2000))
            lines = file.read().decode(errors="replace").strip().splitlines()
        return one_line(lines[-1]) if lines else ""


def _start(settings: Settings, stderr: int) -> tuple[subprocess.Popen[bytes], messages.Channel]:
    """Our end is closed only if the start fails; theirs always: the helper holds its own copy."""
    ours, theirs = socket.socketpair()
    with theirs, contextlib.ExitStack() as undo:
        undo.callback(ours.close)
        process = operating_system.start_interpreter(PROGRAM, theirs, stderr=stderr, env=_environment(settings))
        undo.pop_all()
    return process, messages.Channel(ours)


def _environment(settings: Settings) -> dict[str, str]:
    """Return the surroundings of a helper: the driver's modules, a fixed order of sets, bounded threads.

    Arrow's own allocator would start a thread as soon as it is loaded, and a helper that forks has one thread only.
    """
    own = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHASHSEED": "0",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }
    return os.environ | own | dict.fromkeys(THREAD_COUNTS, str(settings.threads))
