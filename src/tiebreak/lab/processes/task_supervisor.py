"""One task under supervision: its cells run in a child; one that breaks a limit or its process gets a status."""

from __future__ import annotations

import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tiebreak.lab.processes import messages, operating_system
from tiebreak.lab.processes.child_process import ChildProcess, Ending
from tiebreak.lab.processes.child_program import costs_of
from tiebreak.lab.tasks import Cell, CellOutcome, Status, Task

TICK = 0.05
"""Seconds between two looks at the memory and the processes of a child: the system tells them only when asked."""
CLOSING_TICK = 0.002
"""The same once a child has closed its connection: it is about to end, and the next cell waits for that."""
START_SECONDS = 300.0
WARM_SECONDS = 3.0
"""A warm-up that takes longer, not counting the time it had no core, is broken off: its learner is slow in any case."""
POOL_SECONDS = 60.0
"""The same where it has started processes: interpreters with their libraries take a while on a busy machine."""
REST = 10.0
"""After a look at memory the helper rests ten times as long as it took: large trees take the kernel a while."""
START_TRIES = 5
KILL_TRIES = 3
"""So often a cell begins whose process is killed from outside: what strikes once may have meant another process."""
KILLS = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGXCPU")
"""Signals that come from an operator, a batch system or the out-of-memory killer."""
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
        Makes a child for the task; is told False if it must not warm up.
    clear_up : callable
        Ends what a child that is gone has left behind.
    """

    def __init__(
        self,
        task: Task,
        launch: Callable[[bool], ChildProcess],
        *,
        clear_up: Callable[[], None] = lambda: None,
    ) -> None:
        self.task = task
        self.waiting = deque(task.cells)
        self.current: Cell | None = None
        self.child: ChildProcess | None = None
        self._launch = launch
        self._warm = True
        self._clear_up = clear_up
        self._tries = 0
        self._next_try = 0.0
        self._killed: Counter[int] = Counter()

    @property
    def over(self) -> bool:
        """Whether every cell has its outcome."""
        return not self.waiting and self.current is None

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
            self._clear_up()
        self.current = None

    def _start(self) -> Iterator[CellOutcome]:
        """The clock and the counters begin anew: a child answers for its own cells only."""
        now = time.monotonic()
        if now < self._next_try:
            return
        try:
            self.child = self._launch(self._warm)
        except (OSError, MemoryError) as problem:
            yield from self._stillborn(f"No child process could be made: {problem}.")
        self._begun, self._ready, self._served = now, False, 0
        self._held, self._cpu, self._peak = 0, 0.0, 0
        self._closed: float | None = None
        self._oom_kills = operating_system.out_of_memory_kills()
        self._warming: float | None = None
        self._next_look = now + TICK
        self._workers: set[int] = set()

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
            if kind == "warming" and not self._ready:
                self._warming = time.monotonic()
            elif kind == "ready" and not self._ready:
                self._welcome(child, *content)
            elif kind == "done" and self.current is not None and content[0] == self.current.id:  # none is taken twice
                yield from self._finish(child, content)
            if self.child is None:
                return

    def _welcome(self, child: ChildProcess, held: int, cpu: float, more: bool) -> None:
        """The child has warmed up: memory and processes that are there now are not its first cell's."""
        self._held, self._cpu, self._ready, self._tries, self._warming = held, cpu, True, 0, None
        if more:
            self._workers = set(operating_system.descendants(child.pid))
            self._held = max(held, operating_system.tree_memory(child.pid))
        self._hand_out(child)

    def _cool(self) -> None:
        """A warm-up that was broken off, or broke its process, says nothing about a cell: the next child does none."""
        self._warm = False
        self.stop()

    def _hand_out(self, child: ChildProcess) -> None:
        """The clock starts before the order is sent: a child that never reads it is late all the same."""
        if self.waiting:
            self.current = self.waiting.popleft()
            self._begun, self._peak = time.monotonic(), 0
            self._next_look = self._begun + TICK
            self._served += 1
            child.channel.post(messages.pack_order("cell", self.current.id))

    def _finish(self, child: ChildProcess, report: Sequence[Any]) -> Iterator[CellOutcome]:
        """Close a cell that the child itself reported; the limits hold even where the watch looked too late."""
        assert self.current is not None
        limits, cell = self.task.limits, self.current
        _, status, reason, values, details, self._cpu, more = report
        self.current = None
        if self._peak:
            values["peak_memory"] = max(values.get("peak_memory", 0.0), float(self._peak))
        if limits.seconds is not None and values["cell_wall"] > limits.seconds:
            status, reason, details = "timeout", _too_long(limits.seconds), {}
        elif status == "ok" and limits.memory is not None and values.get("peak_memory", 0.0) > limits.memory:
            status, reason, details = "memory", _too_big(limits.memory), {}
        if status in ("timeout", "memory"):
            values = costs_of(values)
        if status == "memory" and self._served > 1:
            self.waiting.appendleft(cell)
        else:  # before the next cell goes out, which may end the helper and with it what was not passed on
            yield CellOutcome(cell=cell.id, status=status, reason=reason, values=values, details=details)
        if status == "memory" or (more and self._left_behind(child)):
            self.stop()
        else:
            self._hand_out(child)

    def _left_behind(self, child: ChildProcess) -> bool:
        """Tell whether the learner left processes running: they end with its cell, and so does the child."""
        new = operating_system.descendants(child.pid).keys() - self._workers
        return any(not operating_system.is_zombie(pid) for pid in new)

    def _examine(self, child: ChildProcess) -> Iterator[CellOutcome]:
        """End a child that broke a limit, and account for one that ended by itself."""
        now = time.monotonic()
        ending = child.ended()
        if ending is not None:
            yield from self._listen(child)  # its last report may have come between the two looks
            if self.child is not None and self._warming is not None:
                self._cool()
            elif self.child is not None:
                yield from self._bury(child, *self._cause(child, ending))
        elif self._warming is not None and (self._warms_long(child, now - self._warming) or self._is_big(child)):
            self._cool()
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

    def _warms_long(self, child: ChildProcess, seconds: float) -> bool:
        if seconds <= WARM_SECONDS:
            return False
        most = POOL_SECONDS if operating_system.descendants(child.pid) else WARM_SECONDS
        return seconds - operating_system.stood_in_line(child.pid) > most

    def _is_late(self, now: float) -> bool:
        limit = self.task.limits.seconds
        return self.current is not None and limit is not None and now - self._begun > limit

    def _is_big(self, child: ChildProcess) -> bool:
        """What the child held before its first cell, data and libraries, is not the learner's.

        A cell that ends before the first look is not looked at: its own peak comes with its report.
        """
        if (self.current is None and self._ready) or time.monotonic() < self._next_look:
            return False
        self._look(child)
        return self.task.limits.memory is not None and self._peak > self.task.limits.memory

    def _look(self, child: ChildProcess) -> None:
        start = time.monotonic()
        memory = operating_system.tree_memory(child.pid)
        self._next_look = time.monotonic() + REST * (time.monotonic() - start)
        if not self._ready and not self._held:
            self._held = memory
        self._peak = max(self._peak, memory - self._held)

    def _bury(self, child: ChildProcess, status: Status, reason: str) -> Iterator[CellOutcome]:
        """End the child; the cell it was at gets the status."""
        cell, begun, ready = self.current, self._begun, self._ready
        if child.ended() is None:
            self._look(child)
        ending = child.kill()
        self.stop()
        if cell is None:
            if not ready or self._served == 0:
                yield from self._stillborn(f"The child process ended before its first cell. {reason}")
            return
        if status == "killed":
            self._killed[cell.id] += 1
            reason = f"{reason[:-1]}, {KILL_TRIES} times."
        again = status == "killed" and self._killed[cell.id] < KILL_TRIES
        if again or (status == "memory" and self._served > 1):
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
        if name in KILLS:  # the kernel's own killer gives no reason: near the limit, memory is the likely one
            if limit is not None and max(self._peak, (ending.peak or 0) - self._held) > 0.8 * limit:
                return "memory", _too_big(limit)
            by = "another process or the system"
            if operating_system.out_of_memory_kills() > self._oom_kills:
                by = "the system, which was out of memory"
            return "killed", f"{name}, sent by {by}."
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
