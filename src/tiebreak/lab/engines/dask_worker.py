"""What runs on a Dask worker: one helper per worker thread, in which the tasks of that thread run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from tiebreak.datasets import DataSet
from tiebreak.lab.engines.helper_pool import Crew
from tiebreak.lab.processes.helper_process import Settings, can_fork
from tiebreak.lab.tasks import Outcome, Task

LOOK = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of helpers as the driver gave them; whether to fork is the worker's business unless said."""

    work: str
    fork: bool | None
    threads: int
    preload: tuple[str, ...]
    cache: int

    def settings(self) -> Settings:
        """Return the settings for helpers on this machine."""
        fork = can_fork() if self.fork is None else self.fork
        return Settings(work=self.work, fork=fork, threads=self.threads, preload=self.preload, cache=self.cache)


class _Crews:
    """The helpers of this worker process, by thread; one that no task uses can be taken away."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[int, Crew] = {}

    def take(self, settings: Settings) -> Crew:
        """Return the crew of this thread, which nobody else uses until it is put back."""
        with self._lock:
            crew = self._idle.pop(threading.get_ident(), None)
        if crew is not None and crew.settings != settings:
            crew.close()
            crew = None
        return crew or Crew(1, settings)

    def put_back(self, crew: Crew) -> None:
        """Keep the crew for the next task of this thread."""
        with self._lock:
            self._idle[threading.get_ident()] = crew

    def dismiss(self) -> None:
        """End the helpers that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for crew in idle.values():
            crew.close()


_crews = _Crews()


class Abandoned(RuntimeError):
    """The driver took the task back or is gone."""


def run_task(task: Task, data: DataSet, options: Options) -> list[Outcome]:
    """Run a task in the helper of this thread and return the outcomes of its cells."""
    crew, wanted = _crews.take(options.settings()), _still_wanted()
    source, outcomes = iter([task]), list[Outcome]()
    try:
        while crew.feed(source, {task.data: data}):
            outcomes += crew.collect(LOOK)
            if not wanted():
                raise Abandoned("nobody waits for this task any more")
    except BaseException:
        crew.close()
        raise
    _crews.put_back(crew)
    return outcomes


def dismiss() -> None:
    """End the idle helpers of this worker."""
    _crews.dismiss()


def _still_wanted() -> Callable[[], bool]:
    """Return a function that tells whether the scheduler still wants the task that runs in this thread."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state not in ("cancelled", "resumed", "released", "forgotten")

    return wanted
