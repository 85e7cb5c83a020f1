"""The Dask engine: tasks run on the workers of an existing cluster, in the same helpers as on one machine."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError, needed
from tiebreak.lab.helper_pool import TRIES, EngineError, HelperPool
from tiebreak.lab.tasks import CellOutcome, Settings, Task, Watch

# ---- what runs on a Dask worker: one helper per worker thread, in which the tasks of that thread run


LOOK = 0.5
"""Seconds between two looks whether the scheduler still wants the task: nobody tells a running one."""


_idle: dict[int, HelperPool] = {}
"""The pool of each thread of this worker between two tasks: a thread runs one task at a time."""


class Abandoned(RuntimeError):
    """The driver took the task back or is gone."""


def run_task(task: Task, data: DataSet, settings: Settings) -> list[CellOutcome]:
    """Run a task in the helper of this thread and return the outcomes of its cells."""
    wanted, pool = _still_wanted(), _idle.pop(threading.get_ident(), None)
    if pool is not None and pool.settings != settings:
        pool.close()
        pool = None
    pool = pool or HelperPool(1, settings)
    source, outcomes = iter([task]), list[CellOutcome]()
    try:
        while pool.feed(source, {task.data: data}):
            outcomes += pool.collect(LOOK)
            if not wanted():
                raise Abandoned("nobody waits for this task any more")
    except BaseException:
        pool.close()
        raise
    _idle[threading.get_ident()] = pool
    return outcomes


def dismiss() -> None:
    """End the idle helpers of this worker."""
    while _idle:
        _idle.popitem()[1].close()


def _still_wanted() -> Callable[[], bool]:
    """Return a function that tells whether the scheduler still wants the task that runs in this thread."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state not in ("cancelled", "resumed", "released", "forgotten")

    return wanted


SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
LOOK_AGAIN = 2.0
"""Seconds after which the workers are counted anew: a cluster grows and shrinks while a plan runs."""
TICK = 0.5
"""Seconds after which the watch is woken where nothing happens."""
_LOGGERS = (
    "distributed.batched",
    "distributed.client",
    "distributed.core",
    "distributed.comm",
    "distributed.utils",
    "tornado.application",
)
_LOST = (OSError, TimeoutError, RuntimeError)
"""What Dask raises where it cannot reach its scheduler."""


class DaskEngine:
    """Run tasks on a Dask cluster: two tasks per worker thread in flight, every thread with a helper of its own.

    Outcomes arrive task by task; the watch is told of the first cell of a task, by the order in which tasks were sent.
    The tasks of a lost worker run again on another, a bounded number of times. Workers need Tiebreak and the learners
    installed; `work` and learners given by import path are looked up there. `jobs` is the number of their threads,
    once a stream has counted them.

    Parameters
    ----------
    address : str
        The scheduler: "dask://HOST:PORT", "tcp://HOST:PORT" or "tls://HOST:PORT".
    work, fork, preload
        As for `LocalEngine`, on the workers.
    timeout : float
        Seconds to wait for the scheduler, and for its first worker.
    """

    def __init__(self, address: str, *, timeout: float = 30.0, **settings: Any) -> None:
        self.address = _scheduler(address)
        self.settings = Settings(**settings)
        self.timeout = timeout
        self.jobs: int | None = None
        self.watch: Watch | None = None

    def stream(self, tasks: Iterable[Task], data: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        """Yield one outcome per cell, as tasks finish; takes at most two tasks per worker thread ahead."""
        _distributed()  # sets the levels of its loggers when it is imported
        with _quiet():
            client = _connect(self.address, self.timeout)
            flight = _Flight(client, self.settings, self.address, self.watch)
            source = iter(tasks)
            try:
                self.jobs = flight.threads()
                while flight.fill(source, data):
                    yield from flight.land()
                    if self.watch is not None:
                        self.watch.tick()
            finally:
                flight.close()


class _Flight:
    """The tasks in flight of one stream, and the data sets that lie on the cluster for them."""

    def __init__(self, client: Any, settings: Settings, address: str, watch: Watch | None) -> None:
        self._client = client
        self._watch = watch
        self._settings = settings
        self._address = address
        self._landed = _distributed().as_completed(loop=client.loop)
        self._flying: dict[str, tuple[Any, Task, Any]] = {}
        self._data: dict[str, Any] = {}
        self._losses: dict[int, int] = {}
        self._again: list[Task] = []
        self._threads, self._looked = 1, -LOOK_AGAIN
        self._begun: set[str] = set()

    def fill(self, source: Iterator[Task], data: Mapping[str, DataSet]) -> bool:
        """Submit tasks as long as the window has room; False when nothing is left to wait for."""
        while len(self._flying) < 2 * self.threads():
            task = self._again.pop() if self._again else next(source, None)
            if task is None:
                break
            if task.cells:
                self._submit(task, data)
        self._tell_begun()
        return bool(self._flying)

    def land(self) -> list[CellOutcome]:
        """Wait for tasks, a while; returns the outcomes of all that are there, none of those that have to run again."""
        ready = self._landed
        with ready.thread_condition:
            ready.thread_condition.wait_for(ready.has_ready, TICK)
        result: list[CellOutcome] = []
        for future in ready.next_batch(block=False):
            result += self._landing(future)
        return result

    def _landing(self, future: Any) -> list[CellOutcome]:
        """Return the outcomes of one task, or note that it is to run again."""
        _, task, lying = self._flying.pop(future.key)
        self._begun.discard(future.key)
        try:
            result: list[CellOutcome] = future.result()
            return result
        except Exception as problem:
            if future.cancelled() or future.status in ("cancelled", "lost"):
                if self._client.status != "running":
                    raise _gone(self._address, None) from None
                if self._data.get(task.data) is lying:  # lost with its worker: it is sent again
                    del self._data[task.data]
            return self._lost(task, problem, cancelled=future.cancelled())
        finally:
            future.release()

    def _tell_begun(self) -> None:
        """Tasks run in the order in which they were sent, as many as there are threads; Dask does not tell more."""
        if self._watch is not None:
            for key, (_, task, _) in islice(self._flying.items(), self._threads):
                if key not in self._begun:
                    self._begun.add(key)
                    self._watch.begun(task.cells[0].id)

    def close(self) -> None:
        """Take back what is in flight, let the workers' helpers go, and leave the cluster."""
        client = self._client
        try:
            if client.status == "running":
                client.cancel([future for future, _, _ in self._flying.values()], force=True)
                self._flying.clear()
                self._data.clear()
                client.run(dismiss, on_error="ignore")
        except _LOST:
            pass
        finally:
            client.close(timeout=2)

    def threads(self) -> int:
        """Asking the scheduler costs a round trip, so the threads of the workers are counted once in a while."""
        if time.monotonic() - self._looked > LOOK_AGAIN and self._client.status == "running":
            self._looked = time.monotonic()
            try:
                self._threads = max(1, sum(self._client.nthreads().values()))
            except _LOST:
                raise _gone(self._address, None) from None
        return self._threads

    def _submit(self, task: Task, data: Mapping[str, DataSet]) -> None:
        """A key of its own and pure=False: Dask would else answer an equal task from memory, times included."""
        try:
            lying = self._lay_out(task.data, data)
            key = f"tiebreak-{uuid.uuid4().hex}"
            future = self._client.submit(run_task, task, lying, self._settings, key=key, pure=False)
        except _LOST as problem:
            raise _gone(self._address, problem) from None
        self._flying[key] = (future, task, lying)
        self._landed.add(future)

    def _lay_out(self, fingerprint: str, data: Mapping[str, DataSet]) -> Any:
        """Return the data set on the cluster, sent there once and kept as long as tasks in flight need it."""
        if fingerprint not in self._data:
            flying = {task.data for _, task, _ in self._flying.values()}
            self._data = {mark: item for mark, item in self._data.items() if mark in flying}
            self._data[fingerprint] = self._client.scatter(data[fingerprint], hash=False)
        return self._data[fingerprint]

    def _lost(self, task: Task, problem: BaseException, *, cancelled: bool = False) -> list[CellOutcome]:
        """Let a task that brought no outcomes run again, or give it up after several times.

        Of several cells one may have ended the worker: from then on each is a task of its own and answers for itself.
        A killed worker was replaced by Dask several times before it says so.
        """
        tried = int(getattr(problem, "allowed_failures", TRIES - 1)) + 1
        killed = type(problem).__name__ == "KilledWorker"
        if (killed or cancelled) and len(task.cells) > 1:
            self._again += [replace(task, cells=(cell,)) for cell in reversed(task.cells)]
            return []
        first = task.cells[0].id
        self._losses[first] = self._losses.get(first, 0) + (tried if killed else 1)
        if self._losses[first] < TRIES and not killed:
            self._again.append(task)
            return []
        if killed or cancelled:
            reason = f"Its Dask worker was lost {self._losses[first]} times while it ran."
            return [CellOutcome(cell=first, status="killed", reason=reason)]
        raise EngineError(
            f"The Dask workers cannot run tasks ({type(problem).__name__}: {problem}).",
            why=f"This came {TRIES} times for the same task and is not an error of a learner.",
            mend="Install the same versions of tiebreak[dask] and Python on every worker.",
        ) from problem


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from logging a traceback for every connection it loses: our own error says it in a sentence."""
    before = {logger: logger.level for logger in map(logging.getLogger, _LOGGERS)}
    for logger, level in before.items():
        if level != logging.DEBUG:  # whoever asked for everything gets it
            logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


def _scheduler(address: str) -> str:
    """Our own "dask://" is plain TCP to Dask; its own schemes pass through unchanged."""
    scheme, colon, rest = address.partition("://")
    if not (colon and rest and scheme in ("dask", *SCHEMES)):
        raise OptionError(
            f"There is no engine {address!r}.",
            why="Cells run on this machine or on a Dask cluster.",
            mend="Use 'local', or the address of a Dask scheduler as 'dask://HOST:PORT'.",
        )
    return f"tcp://{rest}" if scheme == "dask" else address


def _distributed() -> Any:
    return needed("distributed")


def _connect(address: str, timeout: float) -> Any:
    """A scheduler without workers would accept tasks and wait for ever, so the first worker is awaited."""
    library = _distributed()
    try:
        client = library.Client(address, timeout=timeout, set_as_default=False)
    except (OSError, TimeoutError) as problem:
        raise EngineError(
            f"No Dask scheduler answers at {address} ({type(problem).__name__}).",
            why="The engine uses a cluster that is already running.",
            mend="Start one with `dask scheduler` and `dask worker`, or use the engine 'local'.",
        ) from None
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        client.close()
        raise EngineError(
            f"The Dask scheduler at {address} has no workers.",
            why=f"None came within {timeout:g} s, and without one nothing runs.",
            mend=f"Start one: dask worker {address}",
        ) from None
    return client


def _gone(address: str, problem: BaseException | None) -> EngineError:
    return EngineError(
        f"The Dask scheduler at {address} is gone{f' ({type(problem).__name__})' if problem else ''}.",
        why="The tasks in flight are lost with it; what was finished before is stored.",
        mend=f"Start it (dask scheduler) and its workers (dask worker {address}), then run the same command again: only"
        " what is missing will run. Or go on here, with the engine 'local'.",
    )
