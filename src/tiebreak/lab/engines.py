"""Engines: where tasks run. `LocalEngine` uses this machine, `DaskEngine` a Dask cluster; both stream outcomes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.dask_engine import DaskEngine
from tiebreak.lab.helper_pool import HelperPool
from tiebreak.lab.tasks import CellOutcome, Settings, Task, Watch
from tiebreak.wording import option

__all__ = ["DaskEngine", "LocalEngine", "engine_from", "usable_cores"]

TICK = 0.5
"""Seconds after which the watch is woken where nothing happens."""

START = 60.0
"""Seconds that helpers may take to start and to load their libraries before work is given to them all the same."""


class LocalEngine:
    """Run tasks on this machine, `jobs` at a time.

    Every cell runs in a child process: a hang, a crash or an exception becomes an outcome with its status, and
    the run goes on. Used as a context manager, the engine keeps its helpers from one stream to the next; otherwise
    they end with the stream. Leaving a stream early (Ctrl-C, `close()` of the iterator) ends helpers and children.

    Values added to every outcome: `cell_wall` and `cell_cpu` in seconds, `peak_memory` in bytes above what the child
    held before its first cell; of the child and all it starts. `Limits.memory` is measured likewise.

    Parameters
    ----------
    jobs : int, optional
        How many cells run at a time; by default one per usable core.
    work : str
        The function that runs one cell, "package.module:function", found on this process's `sys.path`.
    fork : bool, optional
        Fork children from a preloaded helper (milliseconds), or start a fresh interpreter for every task (a second or
        two). By default fork where that is safe: not on Windows or macOS.
    preload : tuple of str
        The modules a helper loads before its first cell.

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.lab.engines import LocalEngine
    >>> from tiebreak.lab.resampling import Resampling
    >>> from tiebreak.lab.tasks import AlgorithmSpec, Cell, Task
    >>> data = DataSet.from_arrays([[0.0], [1.0]], ["a", "b"])
    >>> task = Task(data=data.fingerprint, algorithm=AlgorithmSpec(name="none"), resampling=Resampling(), seed=1,
    ...             cells=(Cell(id=7, replication=0, fold=0),))
    >>> engine = LocalEngine(jobs=1, work="tiebreak.lab.one_cell:nowhere", preload=())
    >>> [(outcome.cell, outcome.status) for outcome in engine.stream(iter([task]), {data.fingerprint: data})]
    [(7, 'error')]
    """

    def __init__(self, *, jobs: int | None = None, **settings: Any) -> None:
        self.jobs = usable_cores() if jobs is None else _checked(jobs)
        self.settings = Settings(**settings)
        self.watch: Watch | None = None
        self._pool = HelperPool(self.jobs, self.settings)
        self._kept = False

    def start(self, seconds: float = START) -> None:
        """Start the helpers before there is work, so that no clock runs meanwhile; they may take so many seconds."""
        self._pool.start(seconds)

    def stream(self, tasks: Iterable[Task], data: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        """Yield one outcome per cell, as cells finish; takes at most two tasks per job ahead of the outcomes."""
        complete, source = False, iter(tasks)
        self._pool.watch = self.watch
        try:
            while self._pool.feed(source, data):
                yield from self._pool.collect(None if self.watch is None else TICK)
                if self.watch is not None:
                    self.watch.tick()
            complete = True
        finally:
            if not (complete and self._kept):
                self.close()

    def close(self) -> None:
        """End all helpers and their children."""
        self._pool.close()

    def __enter__(self) -> LocalEngine:
        self._kept = True
        return self

    def __exit__(self, *_: object) -> None:
        self._kept = False
        self.close()


def _checked(jobs: int) -> int:
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise OptionError(
            f"jobs is {jobs!r}.",
            why="At least one is needed to run anything, and it is a whole number.",
            mend="Use 1, or leave it out.",
        )
    return jobs


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine_from(text: str, jobs: int | None = None) -> LocalEngine | DaskEngine:
    """Return the engine a text names: "local", or the address of a Dask scheduler.

    Parameters
    ----------
    text : str
        "local", or "dask://HOST:PORT" (also "tcp://HOST:PORT" and "tls://HOST:PORT").
    jobs : int, optional
        How many cells run at a time on this machine, by default one per usable core; a cluster has its own number.

    Examples
    --------
    >>> engine_from("local", 2).jobs
    2
    >>> engine_from("dask://localhost:8786").address
    'tcp://localhost:8786'
    """
    if text == "local":
        return LocalEngine(jobs=jobs)
    if jobs is not None:
        raise OptionError(
            f"{option('jobs')} is {jobs} and the engine is {text!r}.",
            why="On a cluster the workers say how many cells run at a time.",
            mend=f"Leave {option('jobs')} out, or use the engine 'local'.",
        )
    return DaskEngine(text)
