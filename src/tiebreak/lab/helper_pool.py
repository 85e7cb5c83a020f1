"""The pool of helpers: hands out tasks, collects outcomes, replaces helpers that died, and loses nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.errors import TiebreakError
from tiebreak.lab.processes import messages, operating_system
from tiebreak.lab.processes.child_program import one_line
from tiebreak.lab.provenance import heard
from tiebreak.lab.tasks import THREAD_COUNTS, CellOutcome, Settings, Task, Watch

# ---- a helper as the driver sees it: started, given data sets and tasks, listened to, stopped


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


class HelperProcess:
    """One helper process, the channel to it, and what it was given.

    It keeps the data sets of the tasks that it was given and has not finished.
    """

    def __init__(self, settings: Settings) -> None:
        self.assignments: dict[int, Assignment] = {}
        self.said_hello = False
        self.begun: tuple[int, int] | None = None
        self._child: int | None = None
        self._held: set[str] = set()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads would fill and stop it
        self._process, self.channel = _start(self._stderr.fileno())
        self._path = list(sys.path)
        self.channel.post(messages.pack_order("setup", self._path, settings))

    def give(self, task: Task, data: Mapping[str, DataSet]) -> None:
        """Send a task, after the data set it needs and where modules are found now."""
        if sys.path != self._path:
            self._path = list(sys.path)
            self.channel.post(messages.pack_order("path", self._path))
        if task.data not in self._held:
            needed = {task.data, *(assignment.task.data for assignment in self.assignments.values())}
            self.channel.post(messages.pack_order("data", task.data, data[task.data], needed))
            self._held &= needed
            self._held.add(task.data)
        key = next(_keys)
        self.assignments[key] = Assignment(task=task, open={cell.id for cell in task.cells})
        self.channel.post(messages.pack_order("task", key, task))

    def reports(self) -> list[list[Any]]:
        """Return what the helper said since the last time, noting which cell runs where."""
        self.channel.flush()
        reports = [messages.unpack_report(message) for message in self.channel.take()]
        for kind, *content in reports:
            if kind == "hello":
                self.said_hello = True
            elif kind == "begun":
                self.begun, self._child = (content[0], content[1]), content[2]
            elif kind == "done" and self.begun == (content[0], content[1]):
                self._child = None  # its number may soon be another process's
        return reports

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


def _start(stderr: int) -> tuple[subprocess.Popen[bytes], messages.Channel]:
    """Our end is closed only if the start fails; theirs always: the helper holds its own copy."""
    ours, theirs = socket.socketpair()
    with theirs, contextlib.ExitStack() as undo:
        undo.callback(ours.close)
        process = operating_system.start_interpreter(PROGRAM, theirs, stderr=stderr, env=_environment())
        undo.pop_all()
    return process, messages.Channel(ours)


def _environment() -> dict[str, str]:
    """Return the surroundings of a helper: the driver's modules, a fixed order of sets, bounded threads.

    Arrow's own allocator would start a thread as soon as it is loaded, and a helper that forks has one thread only.
    """
    values = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHASHSEED": "0",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }
    return os.environ | values | dict.fromkeys(THREAD_COUNTS, "1")


IN_FLIGHT = 2
"""Tasks a helper holds: the second is there when the first ends, so that no helper waits for the driver."""
TRIES = 3
"""So many helpers may die over one cell: the first deaths may have been another program's doing."""


class EngineError(TiebreakError):
    """The machinery that runs cells is broken; no learner is to blame."""


class HelperPool:
    """Up to `jobs` helpers, each with at most two tasks: the one it runs and the next.

    When a helper dies, its unfinished cells are given to another; the cell that was running then may do this to three
    helpers.

    Parameters
    ----------
    jobs : int
        The most helpers at a time.
    settings : Settings
        How they work.
    """

    def __init__(self, jobs: int, settings: Settings) -> None:
        self.jobs = jobs
        self.settings = settings
        self.watch: Watch | None = None
        self.helpers: list[HelperProcess] = []
        self._again: deque[Task] = deque()
        self._losses: dict[int, int] = {}
        self._stillborn = 0

    def start(self, seconds: float) -> None:
        """Hire all helpers ahead of their work and wait until they have loaded what they need, or so many seconds."""
        end = time.monotonic() + seconds
        while len(self.helpers) < self.jobs:
            self._hire()
        while any(not helper.said_hello for helper in self.helpers) and (left := end - time.monotonic()) > 0:
            self.collect(left)

    def feed(self, source: Iterator[Task], data: Mapping[str, DataSet]) -> bool:
        """Hand out tasks as long as there is room; False when nothing is left to wait for."""
        while self._has_room():
            task = self._again.popleft() if self._again else next(source, None)
            if task is None:
                break
            if task.cells:
                self._freest().give(task, data)
        return any(helper.assignments for helper in self.helpers)

    def collect(self, timeout: float | None = None) -> list[CellOutcome]:
        """Wait for news and return the outcomes among them."""
        outcomes: list[CellOutcome] = []
        for helper in self._ready(timeout):
            for report in helper.reports():
                outcomes += self._note(helper, *report)
            if helper.channel.ended:
                outcomes += self._replace(helper)
        return outcomes

    def close(self) -> None:
        """End every helper and its child, at once and whatever they do."""
        helpers, self.helpers = self.helpers, []
        for helper in helpers:  # all are told first, so that they end side by side
            helper.release()
        for helper in helpers:
            helper.bury()
        self._again.clear()

    def _has_room(self) -> bool:
        """A helper that is not hired yet is room as well: they are started only when there is work."""
        return len(self.helpers) < self.jobs or min(len(helper.assignments) for helper in self.helpers) < IN_FLIGHT

    def _freest(self) -> HelperProcess:
        """Return a helper with nothing to do, else a new one, else the one with least to do."""
        freest = min(self.helpers, key=lambda helper: len(helper.assignments), default=None)
        if freest is None or (freest.assignments and len(self.helpers) < self.jobs):
            return self._hire()
        return freest

    def _hire(self) -> HelperProcess:
        """Tasks in hand are not lost by this error: their cells stay open in the store."""
        try:
            helper = HelperProcess(self.settings)
        except OSError as problem:
            raise EngineError(
                f"No helper process could be started: {problem}.",
                why="Learners run in processes of their own.",
                mend="Use fewer jobs, or free memory and processes; the run can then be taken up again.",
            ) from None
        self.helpers.append(helper)
        return helper

    def _ready(self, timeout: float | None) -> list[HelperProcess]:
        """Watch for writing only where something waits to be sent: an idle socket is always writable."""
        read, write = selectors.EVENT_READ, selectors.EVENT_WRITE
        with selectors.DefaultSelector() as selector:
            for helper in self.helpers:
                selector.register(helper.channel, read | write if helper.channel.pending else read, helper)
            return [key.data for key, _ in selector.select(timeout)]

    def _note(self, helper: HelperProcess, kind: str, *content: Any) -> list[CellOutcome]:
        """A cell that came through is forgiven the helpers that died over it."""
        if kind == "hello":
            self._stillborn = 0
        elif kind == "begun" and self.watch is not None:
            self.watch.begun(content[1])
        elif kind == "done":
            key, cell, status, reason, values, details, where = content
            self._settle(helper, key, {cell})
            self._losses.pop(cell, None)
            options: dict[str, Any] = heard(where)
            return [CellOutcome(cell=cell, status=status, reason=reason, values=values, details=details, **options)]
        return []

    def _settle(self, helper: HelperProcess, key: int, cells: set[int]) -> None:
        """An assignment ends with its last open cell: only then has the helper room for another."""
        assignment = helper.assignments[key]
        assignment.open -= cells
        if not assignment.open:
            del helper.assignments[key]

    def _replace(self, helper: HelperProcess) -> list[CellOutcome]:
        """Bury a helper that died; its unfinished cells go to others, the one it was at only so many times."""
        self.helpers.remove(helper)
        words = helper.bury()
        if not helper.said_hello:
            self._stillborn += 1
            if self._stillborn >= TRIES:
                raise EngineError(
                    f"No helper process starts ({words or 'it says nothing'}).",
                    why="Learners run in processes of their own.",
                    mend=f"Try `{sys.executable} -m {PROGRAM}` by hand and mend what it reports.",
                )
        outcomes: list[CellOutcome] = []
        for place, (key, assignment) in enumerate(list(helper.assignments.items())):
            if place == 0 and helper.said_hello:
                outcomes += self._charge(helper, key, words)
            if assignment.open:
                self._again.append(assignment.rest())
        return outcomes

    def _charge(self, helper: HelperProcess, key: int, words: str) -> list[CellOutcome]:
        """Count the loss of a helper against the cell it was at."""
        assignment = helper.assignments[key]
        cell = assignment.rest().cells[0].id
        if helper.begun is not None and helper.begun[0] == key and helper.begun[1] in assignment.open:
            cell = helper.begun[1]
        self._losses[cell] = self._losses.get(cell, 0) + 1
        if self._losses[cell] < TRIES:
            return []
        assignment.open -= {cell}
        del self._losses[cell]
        last = f" ({words})" if words else ""
        reason = f"The helper process died {TRIES} times while it ran{last}."
        return [CellOutcome(cell=cell, status="killed", reason=reason)]
