"""One task under supervision: its cells run in a child; one that breaks a limit or its process gets a status."""

from __future__ import annotations

import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tiebreak.lab.processes import costs, messages, operating_system
from tiebreak.lab.processes.child_process import ChildProcess, Ending
from tiebreak.lab.processes.child_program import costs_of
from tiebreak.lab.processes.costs import TreeWatch, doubt
from tiebreak.lab.processes.settings import NOTHING, Warmth
from tiebreak.lab.tasks import Cell, CellOutcome, Status, Task

TICK = 0.05
"""Seconds between two looks at the memory and the processes of a child: the system tells them only when asked."""
CLOSING_TICK = 0.002
"""The same once a child has closed its connection: it is about to end, and the next cell waits for that."""
START_SECONDS = 300.0
WARM_SECONDS = 3.0
"""So long a child that warms up may be silent: it breaks off by itself, unless something holds the interpreter."""
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
        Makes a child for the task, which warms up as far as it is told.
    warmth : Warmth
        How far that is for the first child.
    learned : callable
        Is told how far the next children of this learner should warm up.
    clear_up : callable
        Ends what a child that is gone has left behind.
    """

    def __init__(
        self,
        task: Task,
        launch: Callable[[Warmth], ChildProcess],
        *,
        warmth: Warmth | None = None,
        learned: Callable[[Warmth], None] = lambda _: None,
        clear_up: Callable[[], None] = lambda: None,
    ) -> None:
        self.task = task
        self.waiting = deque(task.cells)
        self.current: Cell | None = None
        self.child: ChildProcess | None = None
        self._launch = launch
        self._warmth = Warmth() if warmth is None else warmth
        self._learned = learned
        self._clear_up = clear_up
        self._tries = 0
        self._next_try = 0.0
        self._killed: Counter[int] = Counter()

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
            self._clear_up()
        self.current = None

    def _start(self) -> Iterator[CellOutcome]:
        """The clock and the counters begin anew: a child answers for its own cells only."""
        now = time.monotonic()
        if now < self._next_try:
            return
        try:
            self.child = self._launch(self._warmth)
        except (OSError, MemoryError) as problem:
            yield from self._stillborn(f"No child process could be made: {problem}.")
        self._begun, self._ready, self._served = now, False, 0
        self._held, self._cpu, self._peak = 0, 0.0, 0
        self._closed: float | None = None
        self._oom_kills = operating_system.out_of_memory_kills()
        self._heard: float | None = None
        self._watch = TreeWatch(0 if self.child is None else self.child.pid)
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
            if kind == "warming":
                self._heard = time.monotonic()
            elif kind == "cold" and not self._ready:
                self._cool(tuple(map(str, content[0])))
            elif kind == "ready" and not self._ready:
                self._welcome(child, *content)
            elif kind == "done" and self.current is not None and content[0] == self.current.id:  # none is taken twice
                yield from self._finish(child, content)
            if self.child is None:
                return

    def _welcome(self, child: ChildProcess, held: int, cpu: float, more: bool, level: int, modules: list[str]) -> None:
        """The child has warmed up: memory and processes that are there now are not its first cell's."""
        self._held, self._cpu, self._ready, self._tries = held, cpu, True, 0
        if more:
            self._workers = set(operating_system.descendants(child.pid))
            self._held = max(held, self._watch.look())
        if self._heard is not None:
            self._note_warmth(Warmth(level=int(level), known=True, modules=tuple(map(str, modules))))
        self._hand_out(child)

    def _note_warmth(self, warmth: Warmth) -> None:
        if warmth != self._warmth:
            self._warmth = warmth
            self._learned(warmth)

    def _cool(self, modules: tuple[str, ...] = ()) -> None:
        """A warm-up that was broken off, or broke its process, says nothing about a cell: the next child does less."""
        self._note_warmth(self._warmth.colder(modules))
        self.stop()

    def _hand_out(self, child: ChildProcess) -> None:
        """The clock starts before the order is sent: a child that never reads it is late all the same."""
        if self.waiting:
            self.current = self.waiting.popleft()
            self._begun, self._peak = time.monotonic(), 0
            self._seen_cpu = _clock_of(child)
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
        wall, cpu, before = time.monotonic() - self._begun, _clock_of(child), self._seen_cpu
        seen = None if cpu is None or before is None else cpu - before
        wrong = doubt(values, cpu=seen, wall=wall)
        if wrong:
            status, reason, details = "error", _not_believed(wrong), {}
            values = {"cell_wall": wall} | ({} if seen is None else {"cell_cpu": seen})
        elif limits.seconds is not None and values["cell_wall"] > limits.seconds:
            status, reason, details = "timeout", _too_long(limits.seconds), {}
        elif status == "ok" and limits.memory is not None and values.get("peak_memory", 0.0) > limits.memory:
            status, reason, details = "memory", _too_big(limits.memory), {}
        if status in ("timeout", "memory"):
            values = costs_of(values)
        if status == "memory" and self._served > 1:
            self.waiting.appendleft(cell)
        else:  # before the next cell goes out, which may end the helper and with it what was not passed on
            yield CellOutcome(cell=cell.id, status=status, reason=reason, values=values, details=details)
        if status == "memory" or wrong or (more and self._left_behind(child)):
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
            if self.child is not None and self._is_warming():
                self._cool()
            elif self.child is not None:
                yield from self._bury(child, *self._cause(child, ending))
        elif self._is_warming() and (now - (self._heard or now) > WARM_SECONDS or self._is_big(child)):
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

    def _is_late(self, now: float) -> bool:
        limit = self.task.limits.seconds
        return self.current is not None and limit is not None and now - self._begun > limit

    def _is_big(self, child: ChildProcess) -> bool:
        """What the child held before its first cell, data and libraries, is not the learner's.

        A cell that ends before the first look is not looked at: its own peak comes with its report.
        """
        if (self.current is None and self._ready) or time.monotonic() - self._begun < TICK or not self._watch.due():
            return False
        self._look(child)
        return self.task.limits.memory is not None and self._peak > self.task.limits.memory

    def _is_warming(self) -> bool:
        return not self._ready and self._heard is not None and self._warmth.level > NOTHING

    def _look(self, child: ChildProcess) -> None:
        memory = self._watch.look()
        if not self._ready and not self._held:
            self._held = memory
        self._peak = max(self._peak, memory - self._held)
        if child.page is not None:
            costs.note(child.page, seen=self._watch.cpu, lost=self._watch.lost)

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
            values["cell_cpu"] = max(0.0, max(ending.cpu, self._watch.cpu) - self._cpu)
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


def _clock_of(child: ChildProcess) -> float | None:
    """Return the CPU clock of the child as it is seen from outside, where the learner cannot reach it."""
    try:
        return operating_system.cpu_clock(child.pid)
    except OSError:
        return None


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


def _not_believed(wrong: str) -> str:
    return f"Its costs cannot be believed: {wrong}. The learner must leave the clocks of its process alone."
