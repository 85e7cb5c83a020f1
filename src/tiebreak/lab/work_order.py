"""In which order the cells of a plan are run.

As the plan lists them, where all of it will be run: that packs most cells into one child. Where a run may end before
its plan, so that what is there can be compared: data set by data set, on each of them replication by replication over
all algorithms, the cheapest first. A few replications of very short cells count as one.

The data sets themselves come in random order then. Cheapest first would finish more of them, but those that are
finished would be the small ones, and no sample of what the plan is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.lab.tasks import Cell, Task
from tiebreak.lab.under_way import UnderWay, ctrl_c_waits

if TYPE_CHECKING:
    from tiebreak.stores.reading import WaitingCell
    from tiebreak.stores.records import ClaimedCell


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
    width : callable
        Tells how many cells run at a time; asked when the first task is wanted, as a cluster is reached only then.
    """

    def __init__(self, under_way: UnderWay, *, width: Callable[[], int]) -> None:
        self.under_way, self.ready, self.runner = under_way, under_way.ready, under_way.runner
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

    def _as_entered(self) -> Iterator[Task]:
        while True:
            with ctrl_c_waits():
                most = self._size(self.under_way.pace.quickest())  # cells of a task, by what was measured so far
                claimed = self.runner.claim(2 * self.width * most, plan=self.digest)
            if not claimed:
                return
            groups: dict[tuple[str, str], list[ClaimedCell]] = {}
            for cell in claimed:
                groups.setdefault((cell.dataset, cell.algorithm), []).append(cell)
            for cells in groups.values():
                yield from self._packed(cells)

    def _set_by_set(self) -> Iterator[Task]:
        """Go through the data sets again until nothing more can be claimed: another runner may have died meanwhile."""
        claimed, marks = 1, {item.name: mark for mark, item in self.ready.data.items()}
        while claimed:
            claimed = 0
            for name in random_order(marks, self.ready.plan.seed):
                for wanted in self._chunks(marks[name]):
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

        pace = self.under_way.pace
        waiting = waiting_cells(self.under_way.store, plan=self.digest, dataset=mark)
        result = [cell for cell in waiting if cell.algorithm in pace.columns]
        costs = pace.estimates()[pace.rows[mark]]
        block = self._block(float(costs.sum()))
        names, cheapest = list(pace.columns), np.argsort(np.nan_to_num(costs), kind="stable").tolist()
        place = {names[column]: rank for rank, column in enumerate(cheapest)}
        result.sort(key=lambda cell: ((cell.replication - 1) // block, place[cell.algorithm], cell.id))
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
            size = self._size(self.under_way.pace.mean(rest[0].dataset, rest[0].algorithm))
            size = max(1, min(size, self.under_way.left // (2 * self.width)))
            part, rest = rest[:size], rest[size:]
            yield self.under_way.hand_out(self._task(part), part[0].algorithm)

    def _size(self, seconds: float) -> int:
        """Return how many cells of so many seconds share a child: more than usual only where they are short."""
        if not seconds:
            return self.together
        return min(self._fair, max(MOST_TOGETHER, min(SHORT_TOGETHER, int(SHORT_SECONDS / seconds))))

    def _task(self, cells: Sequence[ClaimedCell]) -> Task:
        plan = self.ready.plan
        return Task(
            data=cells[0].dataset,
            algorithm=self.ready.specs[cells[0].algorithm],
            resampling=plan.resampling,
            seed=plan.seed,
            cells=tuple(Cell(id=cell.id, replication=int(cell.replication), fold=int(cell.fold)) for cell in cells),
            limits=plan.limits,
        )
