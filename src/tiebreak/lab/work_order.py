"""In which order the cells of a plan are run.

As the plan lists them, where all of it will be run: that packs most cells into one child. Where a run may end before
its plan, so that what is there can be compared: data set by data set, on each of them replication by replication over
all algorithms, the cheapest first. A few replications of very short cells count as one.

The data sets themselves come in random order then. Cheapest first would finish more of them, but those that are
finished would be the small ones, and no sample of what the plan is about.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.lab.tasks import Cell, Task

if TYPE_CHECKING:
    from tiebreak.lab.prepared import Prepared
    from tiebreak.lab.tasks import CellOutcome
    from tiebreak.lab.under_way import UnderWay
    from tiebreak.stores.claims import Runner
    from tiebreak.stores.reading import WaitingCell
    from tiebreak.stores.records import ClaimedCell


# ---- ctrl-C, and when it may strike


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


# ---- outcomes on their way into the store: cells that end within a tenth of a second share one transaction


PAUSE = 0.1
"""Seconds between two transactions."""
MOST = 1000
"""So many outcomes are stored at once, however quickly they came."""


class Storing:
    """Stores outcomes in batches, and passes on each that is stored.

    Parameters
    ----------
    runner : Runner
        Writes them.
    stored : callable
        Is given every outcome after it was stored.
    clock : callable
        The time in seconds; another one in tests.
    """

    def __init__(
        self, runner: Runner, stored: Callable[[CellOutcome], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._runner, self._stored, self._clock = runner, stored, clock
        self._waiting: list[CellOutcome] = []
        self._last = float("-inf")

    def add(self, outcome: CellOutcome) -> list[CellOutcome]:
        """Take an outcome; returns those that are stored now."""
        self._waiting.append(outcome)
        return self.look()

    def look(self) -> list[CellOutcome]:
        """Store what waits, if it is time; returns it."""
        due = len(self._waiting) >= MOST or self._clock() - self._last >= PAUSE
        return self.flush() if due else []

    def flush(self) -> list[CellOutcome]:
        """Store what waits, in one transaction that Ctrl-C does not break; returns it."""
        if not self._waiting:
            return []
        with ctrl_c_waits():
            batch, self._waiting = self._waiting, []
            self._runner.finish(batch)
            self._last = self._clock()
            for outcome in batch:
                self._stored(outcome)
        return batch


def random_order(datasets: Iterable[str], seed: int = 0) -> tuple[str, ...]:
    """Put data sets into an order that depends on the seed and their names alone, not on how they were listed.

    Examples
    --------
    >>> random_order(["iris", "wine", "glass"]) == random_order(["glass", "iris", "wine"])
    True
    """
    return tuple(sorted(datasets, key=lambda name: sha256(f"{seed}\n{name}".encode()).digest()))


MOST_TOGETHER = 10
"""So many cells of one data set and algorithm share a child at the most, unless they are very short."""
SHORT_TOGETHER, SHORT_SECONDS = 250, 2.0
"""So many very short ones do, as many as take two seconds together: making a child costs as much as some of them."""
BLOCK_SECONDS = 2.0
"""Replications that take less than this on every job, all algorithms together, are run as one."""


class WorkOrder:
    """Claims cells of a plan in order and packs those of one data set and algorithm together.

    Parameters
    ----------
    under_way : UnderWay
        The accounts of the run; they say what cells cost and when to stop.
    runner : Runner
        Claims the cells.
    width : callable
        Tells how many cells run at a time; asked when the first task is wanted, as a cluster is reached only then.
    """

    def __init__(self, under_way: UnderWay, runner: Runner, *, width: Callable[[], int]) -> None:
        self.under_way, self.ready, self.runner = under_way, under_way.ready, runner
        self._width = width
        self.width = self.together = self._fair = 1
        self.digest = self.ready.plan.digest()

    def tasks(self) -> Iterator[Task]:
        """Yield tasks until nothing is left that may be begun."""
        self.width = self._width()
        # Few enough that the last tasks end side by side.
        self._fair = max(1, self.under_way.total // (8 * self.width))
        self.together = min(MOST_TOGETHER, self._fair)
        yield from self._as_entered() if self.under_way.budget is None else self._set_by_set()

    def _random_order(self) -> list[str]:
        """Return the data sets, by fingerprint, in the order in which they are run."""
        names = {item.name: mark for mark, item in self.ready.data.items()}
        return [names[name] for name in random_order(names, self.ready.plan.seed)]

    def _as_entered(self) -> Iterator[Task]:
        while True:
            with ctrl_c_waits():
                claimed = self.runner.claim(2 * self.width * self._longest(), plan=self.digest)
            if not claimed:
                return
            groups: dict[tuple[str, str], list[ClaimedCell]] = {}
            for cell in claimed:
                groups.setdefault((cell.dataset, cell.algorithm), []).append(cell)
            for cells in groups.values():
                yield from self._packed(cells)

    def _set_by_set(self) -> Iterator[Task]:
        """Go through the data sets again until nothing more can be claimed: another runner may have died meanwhile."""
        claimed = 1
        while claimed:
            claimed = 0
            for mark in self._random_order():
                for wanted in self._chunks(mark):
                    if self.under_way.used_up():
                        return
                    cells = self._claim(wanted)
                    claimed += len(cells)
                    for _, alike in groupby(cells, key=lambda cell: cell.algorithm):
                        yield from self._packed(list(alike))

    def _claim(self, wanted: Sequence[WaitingCell]) -> list[ClaimedCell]:
        """Return those of the wanted cells that were still free, in the order in which they were wanted."""
        place = {cell.id: number for number, cell in enumerate(wanted)}
        with ctrl_c_waits():
            claimed = self.runner.claim(len(wanted), plan=self.digest, among=list(place))
        return sorted(claimed, key=lambda cell: place[cell.id])

    def _chunks(self, mark: str) -> Iterator[list[WaitingCell]]:
        """Yield the waiting cells of a data set, by blocks of replications, then algorithms, a claim at a time."""
        from tiebreak.stores.reading import waiting_cells

        row, columns = self.under_way.rows[mark], self.under_way.columns
        waiting = waiting_cells(self.under_way.store, plan=self.digest, dataset=mark)
        result = [cell for cell in waiting if cell.algorithm in columns]
        costs = self.under_way.pace.estimates()[row]
        block = self._block(float(costs.sum()))
        cost = dict(zip(columns, np.where(np.isnan(costs), 0.0, costs).tolist(), strict=True))
        result.sort(
            key=lambda cell: ((cell.replication - 1) // block, cost[cell.algorithm], columns[cell.algorithm], cell.id)
        )
        most = 2 * self.width * self.together
        for _, cells in groupby(result, key=lambda cell: (cell.replication - 1) // block):
            wanted = list(cells)
            yield from (wanted[start : start + most] for start in range(0, len(wanted), most))

    def _block(self, seconds: float) -> int:
        """Return how many replications are run as one, by the cost of one fold of all algorithms."""
        folds = max(1, self.ready.plan.resampling.folds)
        if np.isnan(seconds) or seconds <= 0:
            return 1
        return max(1, int(BLOCK_SECONDS * self.width / (seconds * folds)))

    def _packed(self, cells: Sequence[ClaimedCell]) -> Iterator[Task]:
        """Yield the claimed cells of one data set and algorithm, as many in a task as may share a child.

        Tasks get smaller towards the end, so that all helpers have work until then.
        """
        rest = list(cells)
        while rest and not self.under_way.used_up():
            size = self._step(rest[0].dataset, rest[0].algorithm)
            size = max(1, min(size, self.under_way.left // (2 * self.width)))
            part, rest = rest[:size], rest[size:]
            yield self.under_way.hand_out(_task(self.ready, part), part[0].algorithm)

    def _step(self, dataset: str, algorithm: str) -> int:
        """Return how many cells of a pair share a child: more than usual only where they are known to be short."""
        return self._size(self.under_way.pace.mean(self.under_way.rows[dataset], self.under_way.columns[algorithm]))

    def _longest(self) -> int:
        """Return how many cells a task may get by what was measured so far; so many are claimed for each."""
        return self._size(self.under_way.pace.quickest())

    def _size(self, seconds: float) -> int:
        if not seconds:
            return self.together
        return min(self._fair, max(MOST_TOGETHER, min(SHORT_TOGETHER, int(SHORT_SECONDS / seconds))))


def _task(ready: Prepared, cells: Sequence[ClaimedCell]) -> Task:
    return Task(
        data=cells[0].dataset,
        algorithm=ready.specs[cells[0].algorithm],
        resampling=ready.plan.resampling,
        seed=ready.plan.seed,
        cells=tuple(Cell(id=cell.id, replication=int(cell.replication), fold=int(cell.fold)) for cell in cells),
        limits=ready.plan.limits,
    )
