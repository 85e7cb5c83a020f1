"""What runs on a Dask worker: one helper per worker thread, in which the tasks of that thread run."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tiebreak.datasets import DataSet
from tiebreak.lab.engines.helper_pool import HelperPool
from tiebreak.lab.processes.settings import Settings
from tiebreak.lab.tasks import CellOutcome, Task

LOOK = 0.5
"""Seconds between two looks whether the scheduler still wants the task: nobody tells a running one."""


class _IdlePools:
    """The helpers of this worker process, by thread; one that no task uses can be taken away."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[int, HelperPool] = {}

    def take(self, settings: Settings) -> HelperPool:
        """Return the pool of this thread, which nobody else uses until it is put back."""
        with self._lock:
            pool = self._idle.pop(threading.get_ident(), None)
        if pool is not None and pool.settings != settings:
            pool.close()
            pool = None
        return pool or HelperPool(1, settings)

    def put_back(self, pool: HelperPool) -> None:
        """Keep the pool for the next task of this thread."""
        with self._lock:
            self._idle[threading.get_ident()] = pool

    def dismiss(self) -> None:
        """End the helpers that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for pool in idle.values():
            pool.close()


_pools = _IdlePools()


class Abandoned(RuntimeError):
    """The driver took the task back or is gone."""


def run_task(task: Task, data: DataSet, settings: Settings) -> list[CellOutcome]:
    """Run a task in the helper of this thread and return the outcomes of its cells."""
    pool, wanted = _pools.take(settings), _still_wanted()
    source, outcomes = iter([task]), list[CellOutcome]()
    try:
        while pool.feed(source, {task.data: data}):
            outcomes += pool.collect(LOOK)
            if not wanted():
                raise Abandoned("nobody waits for this task any more")
    except BaseException:
        pool.close()
        raise
    _pools.put_back(pool)
    return outcomes


def dismiss() -> None:
    """End the idle helpers of this worker."""
    _pools.dismiss()


def _still_wanted() -> Callable[[], bool]:
    """Return a function that tells whether the scheduler still wants the task that runs in this thread."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state not in ("cancelled", "resumed", "released", "forgotten")

    return wanted
