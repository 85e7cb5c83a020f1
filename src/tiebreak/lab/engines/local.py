"""The local engine: cells run in child processes of helpers on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.engines.helper_pool import Crew, EngineError
from tiebreak.lab.processes.helper_process import PRELOAD, WORK, Settings, can_fork
from tiebreak.lab.tasks import Outcome, Task


class LocalEngine:
    """Run tasks on this machine, `jobs` at a time.

    Every cell runs in a child process: a hang, a crash or an exception becomes an outcome with its status, and
    the run goes on. Used as a context manager, the engine keeps its helpers from one stream to the next; otherwise
    they end with the stream. Leaving a stream early (Ctrl-C, `close()` of the iterator) ends helpers and children.

    Values added to every outcome: `cell_wall` and `cell_cpu` in seconds, `peak_memory` in bytes above what the child
    held before its first cell. `Limits.memory` is measured likewise, for the child itself and not for what it starts.

    Parameters
    ----------
    jobs : int, optional
        How many cells run at a time; by default one per usable core.
    work : str
        The function that runs one cell, "package.module:function", found on this process's `sys.path`.
    fork : bool, optional
        Fork children from a preloaded helper (milliseconds), or start a fresh interpreter for every task (a second or
        two). By default fork where that is safe: not on Windows or macOS.
    threads : int
        How many threads the numerical libraries may use in a cell.
    preload : tuple of str
        The modules a helper loads before its first cell.
    cache : int
        How many bytes of data sets each helper keeps.

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.lab.engines import LocalEngine
    >>> from tiebreak.lab.tasks import AlgorithmSpec, Cell, Resampling, Task
    >>> data = DataSet.from_arrays([[0.0], [1.0]], ["a", "b"])
    >>> task = Task(data=data.fingerprint, algorithm=AlgorithmSpec(name="none"), resampling=Resampling(), seed=1,
    ...             cells=(Cell(id=7, replication=0, fold=0),))
    >>> engine = LocalEngine(jobs=1, work="tiebreak.lab.work:nowhere", preload=())
    >>> [(outcome.cell, outcome.status) for outcome in engine.stream(iter([task]), {data.fingerprint: data})]
    [(7, 'error')]
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        work: str = WORK,
        fork: bool | None = None,
        threads: int = 1,
        preload: tuple[str, ...] = PRELOAD,
        cache: int = 512 << 20,
    ) -> None:
        self.jobs = usable_cores() if jobs is None else check_count("jobs", jobs)
        self.settings = Settings(
            work=check_work(work),
            fork=can_fork() if fork is None else fork,
            threads=check_count("threads", threads),
            preload=preload,
            cache=cache,
        )
        self._crew = Crew(self.jobs, self.settings)
        self._kept = False
        self._streaming = False

    def stream(self, tasks: Iterable[Task], data: Mapping[str, DataSet]) -> Iterator[Outcome]:
        """Yield one outcome per cell, as cells finish; takes at most two tasks per job ahead of the outcomes."""
        if self._streaming:
            raise EngineError(
                "This engine already streams.",
                why="Two streams would take each other's outcomes.",
                mend="Finish the first stream, or make a second LocalEngine.",
            )
        self._streaming, complete, source = True, False, iter(tasks)
        try:
            while self._crew.feed(source, data):
                yield from self._crew.collect()
            complete = True
        finally:
            self._streaming = False
            if not (complete and self._kept):
                self.close()

    def close(self) -> None:
        """End all helpers and their children."""
        self._crew.close()

    def __enter__(self) -> LocalEngine:
        self._kept = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept = False
        self.close()


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_count(name: str, value: int) -> int:
    """Return a whole number of at least one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(
            f"{name} is {value!r}.",
            why="At least one is needed to run anything, and it is a whole number.",
            mend=f"Use {name}=1, or leave it out.",
        )
    return value


def check_work(work: str) -> str:
    """Return the path of a function that reads "package.module:function"."""
    module, colon, name = work.partition(":")
    if not (module and colon and name):
        raise OptionError(
            f"work is {work!r}.",
            why="Every child imports the function that runs a cell by its path.",
            mend='Write it as "package.module:function".',
        )
    return work
