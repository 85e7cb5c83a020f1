"""One task under supervision: its cells run in a child; one that breaks a limit or its process gets a status."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tiebreak.lab.processes import messages, operating_system
from tiebreak.lab.processes.child_process import ChildProcess, Ending
from tiebreak.lab.processes.child_program import costs_of
from tiebreak.lab.tasks import Cell, CellOutcome, Status, Task

TICK = 0.05
"""Seconds between two looks at the memory of a child: the system tells it only when asked."""
CLOSING_TICK = 0.002
"""The same once a child has closed its connection: it is about to end, and the next cell waits for that."""
START_SECONDS = 300.0
START_TRIES = 5
START_PAUSE = 0.5
CLOSED_SECONDS = 1.0
"""So long a child may live on after its connection closed; then the learner closed it, and no report can come."""


class TaskSupervisor:
    """The cells of one task on their way through one child after another.

    A child runs cells until one of them breaks it; the cells after that one get a new child. A cell that breaks the
    memory limit in a child that ran others before is run again in a child of its own: their remains were not its doing.

    Parameters
    ----------
    task : Task
        The cells, and the limits each of them has.
    launch : callable
        Makes a child for the task.
    """

    def __init__(self, task: Task, launch: Callable[[], ChildProcess]) -> None:
        self.task = task
        self.waiting = deque(task.cells)
        self.current: Cell | None = None
        self.child: ChildProcess | None = None
        self._launch = launch
        self._tries = 0
        self._next_try = 0.0

    @property
    def over(self) -> bool:
        """Whether every cell has its outcome."""
        return not self.waiting and self.current is None

    def give_back(self) -> list[int]:
        """Give up the later half of the cells that have not begun (all of them when none has begun)."""
        keep = 0 if self.child is None and self.current is None else len(self.waiting) // 2
        if self.current is None and self.child is not None:
            keep = max(keep, 1)
        back = [self.waiting.pop().id for _ in range(len(self.waiting) - keep)]
        return back[::-1]

    def patience(self) -> float:
        """Return how long the helper may sleep before it looks again."""
        limit = self.task.limits.seconds
        if self.child is None:
            return min(TICK, max(0.0, self._next_try - time.monotonic()))
        if self.child.channel.ended:
            return CLOSING_TICK
        if self.current is None or limit is None:
            return TICK
        return min(TICK, max(0.0, self._begun + limit - time.monotonic()))

    def advance(self) -> Iterator[CellOutcome]:
        """Look at the child and move on: yields the outcomes of cells that are through."""
        if self.child is None and self.waiting:
            yield from self._start()
        if self.child is None:
            return
        yield from self._listen(self.child)
        if self.child is not None:
            yield from self._examine(self.child)
        if self.over:
            self.stop()

    def stop(self) -> None:
        """End the child and whatever it started."""
        if self.child is not None:
            self.child.kill()
            self.child.close()
            self.child = None
        self.current = None

    def _start(self) -> Iterator[CellOutcome]:
        """The clock and the counters begin anew: a child answers for its own cells only."""
        now = time.monotonic()
        if now < self._next_try:
            return
        try:
            self.child = self._launch()
        except (OSError, MemoryError) as problem:
            yield from self._stillborn(f"No child process could be made: {problem}.")
        self._begun, self._ready, self._served = now, False, 0
        self._held, self._cpu, self._peak = 0, 0.0, 0
        self._closed: float | None = None

    def _stillborn(self, reason: str) -> Iterator[CellOutcome]:
        """Try again a little later; after several times the next cell takes the blame."""
        self._tries += 1
        self._next_try = time.monotonic() + START_PAUSE
        if self._tries >= START_TRIES and self.waiting:
            self._tries = 0
            yield CellOutcome(cell=self.waiting.popleft().id, status="crash", reason=reason)

    def _listen(self, child: ChildProcess) -> Iterator[CellOutcome]:
        child.read_stderr()
        for message in child.channel.take():
            try:
                kind, *content = messages.unpack_report(message)
            except ValueError:  # the learner wrote to the socket: nothing after this can be believed
                child.channel.ended = True
                return
            if kind == "ready":
                self._held, self._cpu = content
                self._ready, self._tries = True, 0
                self._hand_out(child)
            elif kind == "done" and self.current is not None and content[0] == self.current.id:  # none is taken twice
                yield from self._finish(child, content)
            if self.child is None:
                return

    def _hand_out(self, child: ChildProcess) -> None:
        """The clock starts before the order is sent: a child that never reads it is late all the same."""
        if self.waiting:
            self.current = self.waiting.popleft()
            self._begun, self._peak = time.monotonic(), 0
            self._served += 1
            child.channel.post(messages.pack_order("cell", self.current.id))

    def _finish(self, child: ChildProcess, report: Sequence[Any]) -> Iterator[CellOutcome]:
        """Close a cell that the child itself reported; the limits hold even where the watch looked too late."""
        assert self.current is not None
        limits, cell = self.task.limits, self.current
        _, status, reason, values, details, self._cpu = report
        self.current = None
        if limits.seconds is not None and values["cell_wall"] > limits.seconds:
            status, reason, details = "timeout", _too_long(limits.seconds), {}
        elif status == "ok" and limits.memory is not None and values.get("peak_memory", 0.0) > limits.memory:
            status, reason, details = "memory", _too_big(limits.memory), {}
        if status in ("timeout", "memory"):
            values = costs_of(values)
        if status == "memory" and self._served > 1:
            self.waiting.appendleft(cell)
        else:
            yield CellOutcome(cell=cell.id, status=status, reason=reason, values=values, details=details)
        if status == "memory":
            self.stop()
        else:
            self._hand_out(child)

    def _examine(self, child: ChildProcess) -> Iterator[CellOutcome]:
        """End a child that broke a limit, and account for one that ended by itself."""
        now = time.monotonic()
        ending = child.ended()
        if ending is not None:
            yield from self._listen(child)  # its last report may have come between the two looks
            if self.child is not None:
                yield from self._bury(child, *self._cause(child, ending))
        elif not self._ready and now - self._begun > START_SECONDS:
            yield from self._bury(child, "crash", f"The child process did not start within {START_SECONDS:g} s.")
        elif self._is_late(now):
            yield from self._bury(child, "timeout", _too_long(self.task.limits.seconds))
        elif self._is_big(child):
            yield from self._bury(child, "memory", _too_big(self.task.limits.memory))
        elif child.channel.ended:
            self._closed = self._closed or now
            if now - self._closed > CLOSED_SECONDS:
                yield from self._bury(child, "crash", "The learner closed the connection of its process.")

    def _is_late(self, now: float) -> bool:
        limit = self.task.limits.seconds
        return self.current is not None and limit is not None and now - self._begun > limit

    def _is_big(self, child: ChildProcess) -> bool:
        """What the child held before its first cell, data and libraries, is not the learner's."""
        if self.current is None:
            return False
        self._peak = max(self._peak, (operating_system.private_memory(child.pid) or 0) - self._held)
        return self.task.limits.memory is not None and self._peak > self.task.limits.memory

    def _bury(self, child: ChildProcess, status: Status, reason: str) -> Iterator[CellOutcome]:
        """End the child; the cell it was at gets the status."""
        cell, begun, ready = self.current, self._begun, self._ready
        ending = child.kill()
        self.stop()
        if cell is None:
            if not ready or self._served == 0:
                yield from self._stillborn(f"The child process ended before its first cell. {reason}")
            return
        if status == "memory" and self._served > 1:
            self.waiting.appendleft(cell)
            return
        values = {"cell_wall": time.monotonic() - begun}
        if ending.cpu is not None:
            values["cell_cpu"] = max(0.0, ending.cpu - self._cpu)
        if self._peak:
            values["peak_memory"] = float(self._peak)
        yield CellOutcome(cell=cell.id, status=status, reason=reason, values=values)

    def _cause(self, child: ChildProcess, ending: Ending) -> tuple[Status, str]:
        """Say why a child that nobody killed is gone."""
        words = child.last_words()
        tail = f" ({words})" if words else ""
        if ending.code >= 0:
            return "crash", f"The process left with exit code {ending.code}{tail}."
        name = _signal_name(-ending.code)
        limit = self.task.limits.memory
        if name == "SIGKILL":  # the kernel's own killer gives no reason: near the limit, memory is the likely one
            near = limit is not None and max(self._peak, (ending.peak or 0) - self._held) > 0.8 * limit
            return ("memory", _too_big(limit)) if near else ("crash", "SIGKILL, sent by another process or the system.")
        if name == "SIGABRT" and child.wrote("bad_alloc"):
            return "memory", f"SIGABRT after std::bad_alloc{tail}."
        return "crash", f"{name}{tail}."


def _signal_name(number: int) -> str:
    """Real-time signals have no name in Python, and a crash must still be told."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _too_long(seconds: float | None) -> str:
    return f"Stopped after {seconds:g} s, the limit for one cell."


def _too_big(memory: int | None) -> str:
    return f"Stopped above {(memory or 0) / 1e6:g} MB, the limit for one cell."
