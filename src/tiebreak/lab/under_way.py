"""A run under way: what is in hand, what runs now, what is done, what of the budget is left; and who is told."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.budgets import Budget
from tiebreak.lab.progress import CellNow, Event, Progress
from tiebreak.lab.resampling import cells_of

if TYPE_CHECKING:
    from tiebreak.lab.prepared import Prepared
    from tiebreak.lab.tasks import CellOutcome, Task
    from tiebreak.stores import Store


class Pace:
    """Seconds per cell of every data set (row) and algorithm (column), learned while cells finish.

    A pair that was measured has its own mean. Elsewhere an algorithm is taken to need the same time for each of the
    rows x attributes values as on the data sets where it was measured; one that never was, as the middle of the others.

    Examples
    --------
    >>> pace = Pace([100, 300], 2)
    >>> pace.add(0, 0, 2.0)
    >>> pace.estimates().tolist()
    [[2.0, 2.0], [6.0, 6.0]]
    """

    def __init__(self, sizes: Sequence[float], algorithms: int) -> None:
        self.sizes = np.maximum(np.asarray(sizes, dtype=float), 1.0)
        self._seconds = np.zeros((len(self.sizes), algorithms))
        self._cells = np.zeros_like(self._seconds)

    def add(self, dataset: int, algorithm: int, seconds: float, cells: int = 1) -> None:
        """Count cells that took so many seconds each."""
        self._seconds[dataset, algorithm] += seconds * cells
        self._cells[dataset, algorithm] += cells

    def mean(self, dataset: int, algorithm: int) -> float:
        """Return the seconds per cell of a pair that was measured, 0 for one that was not."""
        cells = self._cells[dataset, algorithm]
        return float(self._seconds[dataset, algorithm] / cells) if cells else 0.0

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
_FIRST = 5
"""So many cells must be done before the time of algorithms that were never measured is guessed."""


class BudgetOver(Exception):
    """The budget and its grace are used up: whatever still runs is cut."""


@dataclass(slots=True, kw_only=True)
class _InHand:
    """A cell that was handed to the engine; `begun` is when it began, by the clock of the run."""

    cell: CellNow
    row: int
    column: int
    begun: float | None = None


class UnderWay:
    """The accounts of one run, from the first claim to the last outcome; the engine tells it what begins.

    Parameters
    ----------
    ready : Prepared
        The plan with its data.
    store : Store
        Where it is read which cells have ended, and how long they took.
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
        store: Store,
        total: int,
        *,
        budget: Budget | None = None,
        progress: Callable[[Progress], None] | None = None,
        events: Callable[[Event], None] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.ready, self.store, self.total, self.budget = ready, store, total, budget
        self._progress, self._events, self.clock = progress, events, clock
        self.rows = {mark: row for row, mark in enumerate(ready.data)}
        self.columns = {mark: column for column, mark in enumerate(ready.specs)}
        self.datasets = tuple(item.name for item in ready.data.values())
        self.algorithms = tuple(spec.name for spec in ready.specs.values())
        self._cells = len(cells_of(ready.plan.resampling))
        self._ended: IntArray = np.zeros((len(self.rows), len(self.columns)), dtype=np.int64)
        self.pace = Pace([item.n_rows * item.n_attributes for item in ready.data.values()], len(self.columns))
        self.done = self.failed = 0
        self.cut = 0
        self._hand: dict[int, _InHand] = {}
        self._running: dict[int, _InHand] = {}
        self._news: deque[tuple[Progress, _InHand | None, str, float, bool]] = deque()
        self.look: Callable[[], object] = lambda: None
        self.begin: Callable[[int], object] = lambda _: None
        self._ticked = float("-inf")
        self._began = self.clock()
        self._first_result: float | None = None
        self._first_begun: float | None = None
        self._spent_wall = self._spent_cpu = 0.0
        self._deadline: float | None = None
        self._last: set[int] = set()
        self._estimate: tuple[float, float | None] = (float("-inf"), None)
        if total:  # where nothing is to be done, a large store is not searched for times
            self.recount()
            self._recall_times()

    # ---- what the store knows already

    def recount(self) -> None:
        """Read from the store which cells have ended; another runner may have had a part in that."""
        from tiebreak.stores import reading

        self._ended[:] = 0
        for mark, algorithm, count in reading.ended_cells(self.store, plan=self.ready.plan.digest()):
            if self._has(mark, algorithm):
                self._ended[self.rows[mark], self.columns[algorithm]] += count

    def _has(self, dataset: str, algorithm: str) -> bool:
        """The store may hold cells of the plan from when a data set or an algorithm of it was another."""
        return dataset in self.rows and algorithm in self.columns

    def _recall_times(self) -> None:
        """Times of cells that were run before help to tell how long the rest will take."""
        from tiebreak.stores import reading

        for mean in reading.means(self.store, "cell_wall", plan=self.ready.plan.digest()):
            if self._has(mean.dataset, mean.algorithm):
                self.pace.add(self.rows[mean.dataset], self.columns[mean.algorithm], mean.mean, mean.cells)

    def complete(self) -> list[str]:
        """Name the data sets on which every cell of every algorithm has ended, well or not."""
        return [name for row, name in enumerate(self.datasets) if self._is_complete(row)]

    def _is_complete(self, row: int) -> bool:
        return bool((self._ended[row] >= self._cells).all())

    # ---- what the driver and the engine tell

    @property
    def left(self) -> int:
        """How many cells of this run have not been handed out."""
        return max(0, self.total - self.done - len(self._hand))

    def hand_out(self, task: Task, algorithm: str) -> Task:
        """Note the cells of a task that goes to the engine."""
        row, column = self.rows[task.data], self.columns[algorithm]
        dataset, name = self.datasets[row], self.algorithms[column]
        for cell in task.cells:
            known = CellNow(dataset=dataset, algorithm=name, replication=cell.replication, fold=cell.fold)
            self._hand[cell.id] = _InHand(cell=known, row=row, column=column)
        return task

    def begun(self, cell: int) -> None:
        """Note that a cell begins, as the engine tells."""
        held = self._hand.get(cell)
        if held is None:
            return
        self.begin(cell)
        held.begun = self.clock()
        self._running[cell] = held
        self._first_begun = held.begun if self._first_begun is None else self._first_begun
        if self._events is not None:
            self._events(Event(kind="started", progress=self.now(), cell=held.cell))

    def finished(self, outcome: CellOutcome) -> None:
        """Count an outcome that is stored, and keep what is to be told of it."""
        news = self._count(outcome)
        if self._progress is not None or self._events is not None:
            self._news.append((self.now(), *news))

    def _count(self, outcome: CellOutcome) -> tuple[_InHand | None, str, float, bool]:
        """Count an outcome; returns the cell with its status and seconds, and whether its data set is complete now."""
        now = self.clock()
        self.done, self.failed = self.done + 1, self.failed + (outcome.status != "ok")
        self._first_result = now if self._first_result is None else self._first_result
        held = self._hand.pop(outcome.cell, None)
        self._running.pop(outcome.cell, None)
        wall, cpu = (float(outcome.values.get(name, 0.0)) for name in ("cell_wall", "cell_cpu"))
        self._spent_wall, self._spent_cpu = self._spent_wall + wall, self._spent_cpu + cpu
        if held is None:
            return None, outcome.status, wall, False
        whole = self._is_complete(held.row)
        self._ended[held.row, held.column] += 1
        if wall > 0:
            self.pace.add(held.row, held.column, wall)
        return held, outcome.status, wall, not whole and self._is_complete(held.row)

    def tell(self) -> None:
        """Tell whoever wants to know what has finished since the last time, cell by cell."""
        while self._news:
            now, held, status, wall, whole = self._news.popleft()
            if self._progress is not None:
                self._progress(now)
            if self._events is None or held is None:
                continue
            self._events(Event(kind="finished", progress=now, cell=replace(held.cell, seconds=wall), status=status))
            if whole:
                self._events(Event(kind="dataset", progress=self.now(whole=True), dataset=held.cell.dataset))

    def tick(self) -> None:
        """Look at the clock, as the engine does now and then; raises BudgetOver when what still runs is to be cut."""
        self.look()
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

    # ---- requests

    def used_up(self) -> bool:
        """Whether the budget is used up, so that nothing new may begin."""
        return self.budget is not None and self._spent() >= self.budget.seconds

    def _spent(self) -> float:
        """Seconds used so far; of a running cell only the clock is known, and one thread uses no more CPU than that."""
        now = self.clock()
        if self.budget is not None and self.budget.kind == "cpu":
            return self._spent_cpu + self._running_for(now)
        return now - self._began

    def _running_for(self, now: float) -> float:
        return sum(now - _begin(held) for held in self._running.values())

    def now(self, *, whole: bool = False) -> Progress:
        """Return how far the run is; whole with what runs now, which takes longer to tell."""
        now = self.clock()
        running = sorted(self._running.values(), key=_begin) if whole else []
        return Progress(
            total=max(self.total, self.done),
            done=self.done,
            failed=self.failed,
            seconds=now - self._began,
            running=0.0 if self._first_result is None else now - self._first_result,
            estimate=self._remaining(now),
            current=tuple(replace(held.cell, seconds=now - _begin(held)) for held in running),
            budget_left=self._budget_left(now),
        )

    def _budget_left(self, now: float) -> float | None:
        if self.budget is None or self.budget.kind == "cpu":
            return None
        return max(0.0, self.budget.seconds - (now - self._began))

    def _remaining(self, now: float) -> float | None:
        """Estimate the time to go, at most every half second: it looks at every pair."""
        if self.done >= self.total:
            return 0.0
        made, estimate = self._estimate
        if now - made >= TICK:
            self._estimate = now, self._estimated(now)
            return self._estimate[1]
        return None if estimate is None else max(0.0, estimate - (now - made))

    def _estimated(self, now: float) -> float | None:
        """Work to go by the pace of each algorithm, over the work that is done per second of this run."""
        left = np.maximum(self._cells - self._ended, 0)
        unknown = np.isnan(self.pace.known()) & (left.sum(axis=0) > 0)
        if self._first_begun is None or (unknown.any() and self.done < _FIRST):
            return None
        costs = self.pace.estimates()
        if np.isnan(costs).any():
            return None
        begun = self._running_for(now)
        work = max(0.0, float((left * costs).sum()) - begun)
        speed = (self._spent_wall + begun) / (now - self._first_begun) if now > self._first_begun else 0.0
        return work / speed if speed > 0 else None


def _begin(held: _InHand) -> float:
    return held.begun or 0.0
