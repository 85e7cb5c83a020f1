"""A run under way: what is in hand, what runs now, what is done, what of the budget is left; and who is told."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.budgets import Budget
from tiebreak.lab.progress import CellNow, Event, Progress
from tiebreak.lab.resampling import cells_of

if TYPE_CHECKING:
    from tiebreak.lab.prepared import Prepared
    from tiebreak.lab.tasks import CellOutcome, Task
    from tiebreak.stores.claims import Runner


_struck: list[int] = []


def ctrl_c_struck() -> bool:
    """Tell whether Ctrl-C was struck and held back: whatever only waits should stop."""
    return bool(_struck)


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back until the block is through: struck inside a transaction, it can leave the database locked."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    before = signal.signal(signal.SIGINT, lambda number, _: _struck.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if _struck:
            _struck.clear()
            signal.raise_signal(signal.SIGINT)


class Pace:
    """Seconds per cell of every data set (row) and algorithm (column), learned while cells finish.

    A pair that was measured has its own mean. Elsewhere an algorithm is taken to need the same time for each of the
    rows x attributes values as on the data sets where it was measured; one that never was, as the middle of the others.

    Examples
    --------
    >>> pace = Pace({"small": 100, "large": 300}, ["nb", "rf"])
    >>> pace.add("small", "nb", 2.0)
    >>> pace.estimates().tolist()
    [[2.0, 2.0], [6.0, 6.0]]
    """

    def __init__(self, sizes: Mapping[str, float], algorithms: Iterable[str]) -> None:
        self.rows = {name: row for row, name in enumerate(sizes)}
        self.columns = {name: column for column, name in enumerate(algorithms)}
        self.sizes = np.maximum(np.array([*sizes.values()], dtype=float), 1.0)
        self._seconds = np.zeros((len(self.rows), len(self.columns)))
        self._cells = np.zeros_like(self._seconds)

    def add(self, dataset: str, algorithm: str, seconds: float, cells: int = 1) -> None:
        """Count cells that took so many seconds each."""
        place = self.rows[dataset], self.columns[algorithm]
        self._seconds[place] += seconds * cells
        self._cells[place] += cells

    def mean(self, dataset: str, algorithm: str) -> float:
        """Return the seconds per cell of a pair that was measured, 0 for one that was not."""
        place = self.rows[dataset], self.columns[algorithm]
        return float(self._seconds[place] / self._cells[place]) if self._cells[place] else 0.0

    def quickest(self) -> float:
        """Return the seconds per cell of the quickest pair that was measured, 0 where none was."""
        measured = self._cells > 0
        return float((self._seconds[measured] / self._cells[measured]).min()) if measured.any() else 0.0

    def known(self) -> FloatArray:
        """Return, for every algorithm, the seconds per value; NaN where it was never measured."""
        seconds, values = self._seconds.sum(axis=0), self.sizes @ self._cells
        return np.asarray(np.divide(seconds, values, out=np.full(len(values), np.nan), where=values > 0))

    def estimates(self) -> FloatArray:
        """Return the seconds per cell of every pair; NaN everywhere before the first measurement."""
        known = self.known()
        if np.isnan(known).all():
            return np.full(self._cells.shape, np.nan)
        rates = np.where(np.isnan(known), np.nanmedian(known), known)
        guessed = np.outer(self.sizes, rates)
        return np.asarray(np.divide(self._seconds, self._cells, out=guessed, where=self._cells > 0))


TICK = 0.5
"""Seconds between two estimates of the time to go, and between two ticks."""
PAUSE, MOST = 0.1, 1000
"""Outcomes share a transaction: one every so many seconds, or as soon as there are so many."""
_FIRST = 5
"""So many cells must be done before the time of algorithms that were never measured is guessed."""


class BudgetOver(Exception):
    """The budget and its grace are used up: whatever still runs is cut."""


@dataclass(slots=True, kw_only=True)
class _InHand:
    """A cell that was handed to the engine; `begun` is when it began, by the clock of the run."""

    cell: CellNow
    dataset: str
    algorithm: str
    begun: float = 0.0


class UnderWay:
    """The accounts of one run, from the first claim to the last stored outcome; the engine tells it what begins.

    Parameters
    ----------
    ready : Prepared
        The plan with its data.
    runner : Runner
        Stores outcomes; its store says which cells have ended, and how long they took.
    total : int
        The cells to do.
    budget : Budget, optional
        What the run may take.
    progress, events : callable, optional
        Who is told.
    clock : callable
        The time in seconds; another one in tests.
    """

    def __init__(
        self,
        ready: Prepared,
        runner: Runner,
        total: int,
        *,
        budget: Budget | None = None,
        progress: Callable[[Progress], None] | None = None,
        events: Callable[[Event], None] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.ready, self.runner, self.store, self.total, self.budget = ready, runner, runner.store, total, budget
        self._progress, self._events, self.clock = progress, events, clock
        self.pace = Pace({mark: item.n_rows * item.n_attributes for mark, item in ready.data.items()}, ready.specs)
        self._cells = len(cells_of(ready.plan.resampling))
        self._ended = np.zeros((len(ready.data), len(ready.specs)), dtype=np.int64)
        self.done = self.failed = self.cut = 0
        self._unstored: list[CellOutcome] = []
        self._hand: dict[int, _InHand] = {}
        self._running: dict[int, _InHand] = {}
        self._news: deque[tuple[Progress, _InHand, CellOutcome, bool]] = deque()
        self._stored = self._ticked = float("-inf")
        self._began = self.clock()
        self._first_result: float | None = None
        self._first_begun: float | None = None
        self._spent_wall = self._spent_cpu = 0.0
        self._deadline: float | None = None
        self._last: set[int] = set()
        self._estimate: tuple[float, float | None] = (float("-inf"), None)
        if total:  # where nothing is to be done, a large store is not searched for times
            from tiebreak.stores import reading

            self.recount()
            for dataset, algorithm, cells, mean in reading.means(self.store, "cell_wall", plan=ready.plan.digest()):
                if self._has(dataset, algorithm):
                    self.pace.add(dataset, algorithm, mean, cells)

    # ---- what the store knows already

    def recount(self) -> None:
        """Read from the store which cells have ended; another runner may have had a part in that."""
        from tiebreak.stores import reading

        self._ended[:] = 0
        for dataset, algorithm, count in reading.ended_cells(self.store, plan=self.ready.plan.digest()):
            if self._has(dataset, algorithm):
                self._ended[self.pace.rows[dataset], self.pace.columns[algorithm]] += count

    def _has(self, dataset: str, algorithm: str) -> bool:
        """The store may hold cells of the plan from when a data set or an algorithm of it was another."""
        return dataset in self.pace.rows and algorithm in self.pace.columns

    def complete(self) -> tuple[str, ...]:
        """Name the data sets on which every cell of every algorithm has ended, well or not."""
        return tuple(item.name for mark, item in self.ready.data.items() if self._is_complete(mark))

    def _is_complete(self, dataset: str) -> bool:
        return bool((self._ended[self.pace.rows[dataset]] >= self._cells).all())

    # ---- what the driver and the engine tell

    @property
    def left(self) -> int:
        """How many cells of this run have not been handed out."""
        return max(0, self.total - self.done - len(self._hand))

    def hand_out(self, task: Task, algorithm: str) -> Task:
        """Note the cells of a task that goes to the engine."""
        dataset, name = self.ready.data[task.data].name, task.algorithm.name
        for cell in task.cells:
            now = CellNow(dataset=dataset, algorithm=name, replication=cell.replication, fold=cell.fold)
            self._hand[cell.id] = _InHand(cell=now, dataset=task.data, algorithm=algorithm)
        return task

    def begun(self, cell: int) -> None:
        """Note that a cell begins, as the engine tells."""
        held = self._hand.get(cell)
        if held is None:
            return
        self.runner.begin(cell)
        held.begun = self.clock()
        self._running[cell] = held
        self._first_begun = held.begun if self._first_begun is None else self._first_begun
        if self._events is not None:
            self._events(Event(kind="started", progress=self.now(), cell=held.cell))

    def add(self, outcome: CellOutcome) -> None:
        """Take an outcome, and store those that wait if it is time."""
        self._unstored.append(outcome)
        self._store_in_time()
        self.tell()

    def flush(self) -> None:
        """Store the outcomes that wait, in one transaction that Ctrl-C does not break."""
        if self._unstored:
            with ctrl_c_waits():
                batch, self._unstored = self._unstored, []
                self.runner.finish(batch)
                self._stored = self.clock()
                for outcome in batch:
                    self.finished(outcome)

    def _store_in_time(self) -> None:
        if len(self._unstored) >= MOST or self.clock() - self._stored >= PAUSE:
            self.flush()

    def finished(self, outcome: CellOutcome) -> None:
        """Count an outcome that is stored, and keep what is to be told of it."""
        now, held = self.clock(), self._hand.pop(outcome.cell)
        self._running.pop(outcome.cell, None)
        self.done, self.failed = self.done + 1, self.failed + (outcome.status != "ok")
        self._first_result = now if self._first_result is None else self._first_result
        wall = outcome.values.get("cell_wall", 0.0)
        self._spent_wall += wall
        self._spent_cpu += outcome.values.get("cell_cpu", 0.0)
        before = self._is_complete(held.dataset)
        self._ended[self.pace.rows[held.dataset], self.pace.columns[held.algorithm]] += 1
        if wall > 0:
            self.pace.add(held.dataset, held.algorithm, wall)
        if self._progress is not None or self._events is not None:
            self._news.append((self.now(), held, outcome, not before and self._is_complete(held.dataset)))

    def tell(self) -> None:
        """Tell whoever wants to know what has finished since the last time, cell by cell."""
        while self._news:
            now, held, outcome, whole = self._news.popleft()
            if self._progress is not None:
                self._progress(now)
            if self._events is not None:
                cell = replace(held.cell, seconds=outcome.values.get("cell_wall", 0.0))
                self._events(Event(kind="finished", progress=now, cell=cell, status=outcome.status))
                if whole:
                    self._events(Event(kind="dataset", progress=self.now(whole=True), dataset=held.cell.dataset))

    def tick(self) -> None:
        """Look at the clock, as the engine does now and then; raises BudgetOver when what still runs is to be cut."""
        self._store_in_time()
        self.tell()
        now = self.clock()
        if self._events is not None and now - self._ticked >= TICK:
            self._ticked = now
            self._events(Event(kind="tick", progress=self.now(whole=True)))
        if self.budget is None or not self.used_up():
            return
        if self._deadline is None:
            self._deadline, self._last = now + self.budget.grace, set(self._running)
        if not (self._last & self._running.keys()) or now >= self._deadline:
            self.cut = len(self._running)
            raise BudgetOver

    # ---- how far it is

    def used_up(self) -> bool:
        """Whether the budget is used up, so that nothing new may begin.

        Of a running cell only the clock is known, and one thread uses no more CPU than that.
        """
        if self.budget is None:
            return False
        now = self.clock()
        cpu = self.budget.kind == "cpu"
        return (self._spent_cpu + self._running_for(now) if cpu else now - self._began) >= self.budget.seconds

    def _running_for(self, now: float) -> float:
        return sum(now - held.begun for held in self._running.values())

    def now(self, *, whole: bool = False) -> Progress:
        """Return how far the run is; whole with what runs now, which takes longer to tell."""
        now, budget = self.clock(), self.budget
        running = sorted(self._running.values(), key=lambda held: held.begun) if whole else []
        by_clock = budget is not None and budget.kind != "cpu"
        return Progress(
            total=max(self.total, self.done),
            done=self.done,
            failed=self.failed,
            seconds=now - self._began,
            running=0.0 if self._first_result is None else now - self._first_result,
            estimate=self._remaining(now),
            current=tuple(replace(held.cell, seconds=now - held.begun) for held in running),
            budget_left=max(0.0, budget.seconds - (now - self._began)) if budget is not None and by_clock else None,
        )

    def _remaining(self, now: float) -> float | None:
        """Estimate the time to go, at most every half second: it looks at every pair."""
        if self.done >= self.total:
            return 0.0
        if now - self._estimate[0] >= TICK:
            self._estimate = now, self._estimated(now)
        made, estimate = self._estimate
        return None if estimate is None else max(0.0, estimate - (now - made))

    def _estimated(self, now: float) -> float | None:
        """Work to go by the pace of each algorithm, over the work that is done per second of this run."""
        left = np.maximum(self._cells - self._ended, 0)
        unknown = np.isnan(self.pace.known()) & (left.sum(axis=0) > 0)
        costs = self.pace.estimates()
        if self._first_begun is None or np.isnan(costs).any() or (unknown.any() and self.done < _FIRST):
            return None
        begun = self._running_for(now)
        work = max(0.0, float((left * costs).sum()) - begun)
        speed = (self._spent_wall + begun) / (now - self._first_begun) if now > self._first_begun else 0.0
        return work / speed if speed > 0 else None
