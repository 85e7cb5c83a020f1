"""The Dask engine: tasks run on the workers of an existing cluster, in the same helpers as on one machine."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.engines.dask_worker import dismiss, run_task
from tiebreak.lab.engines.helper_pool import TRIES, EngineError, not_given
from tiebreak.lab.processes.helper_process import make_room
from tiebreak.lab.processes.settings import Settings
from tiebreak.lab.tasks import CellOutcome, Task

SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
LOOK_AGAIN = 2.0
"""Seconds after which the workers are counted anew: a cluster grows and shrinks while a plan runs."""


class DaskEngine:
    """Run tasks on a Dask cluster: two tasks per worker thread in flight, every thread with a helper of its own.

    Outcomes arrive task by task. The tasks of a lost worker run again on another, a bounded number of times. Workers
    need Tiebreak and the learners installed; `work` and learners given by import path are looked up there.

    Parameters
    ----------
    address : str
        The scheduler: "dask://HOST:PORT", "tcp://HOST:PORT" or "tls://HOST:PORT".
    work, fork, threads, preload, cache
        As for `LocalEngine`, on the workers.
    timeout : float
        Seconds to wait for the scheduler, and for its first worker.
    security : distributed.security.Security, optional
        Certificates for "tls://".
    """

    def __init__(self, address: str, *, timeout: float = 30.0, security: object = None, **settings: Any) -> None:
        self.address = _scheduler(address)
        self.settings = Settings(**settings)
        self.timeout = timeout
        self.security = security

    def stream(self, tasks: Iterable[Task], data: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        """Yield one outcome per cell, as tasks finish; takes at most two tasks per worker thread ahead."""
        client = _connect(self.address, self.timeout, self.security)
        flight = _Flight(client, self.settings, self.address)
        source = iter(tasks)
        try:
            while flight.fill(source, data):
                yield from flight.land()
        finally:
            flight.close()

    def close(self) -> None:
        """Do nothing: a stream closes what it opened."""

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Flight:
    """The tasks in flight of one stream, and the data sets that lie on the cluster for them."""

    def __init__(self, client: Any, settings: Settings, address: str) -> None:
        self._client = client
        self._settings = settings
        self._address = address
        self._landed = _distributed(address).as_completed(loop=client.loop)
        self._flying: dict[str, tuple[Any, Task, Any]] = {}
        self._data: dict[str, Any] = {}
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._losses: dict[int, int] = {}
        self._again: list[Task] = []
        self._window, self._looked = 2, -LOOK_AGAIN

    def fill(self, source: Iterator[Task], data: Mapping[str, DataSet]) -> bool:
        """Submit tasks as long as the window has room; False when nothing is left to wait for."""
        while len(self._flying) < self._room():
            task = self._again.pop() if self._again else next(source, None)
            if task is None:
                break
            if task.cells:
                self._submit(task, data)
        return bool(self._flying)

    def land(self) -> list[CellOutcome]:
        """Wait for one task; returns its outcomes, none when it has to run again."""
        key = next(self._landed).key
        future, task, lying = self._flying.pop(key)
        try:
            outcomes: list[CellOutcome] = future.result()
            return outcomes
        except Exception as problem:
            if future.cancelled() or future.status in ("cancelled", "lost"):
                if self._client.status != "running":
                    raise _gone(self._address, None) from problem
                if self._data.get(task.data) is lying:  # lost with its worker: it is sent again
                    del self._data[task.data], self._sizes[task.data]
            return self._lost(task, problem, by_worker=type(problem).__name__ == "KilledWorker" or future.cancelled())
        finally:
            future.release()

    def close(self) -> None:
        """Take back what is in flight, let the workers' helpers go, and leave the cluster."""
        client = self._client
        try:
            if client.status == "running":
                client.cancel([future for future, _, _ in self._flying.values()], force=True)
                self._flying.clear()
                self._data.clear()
                client.run(dismiss, on_error="ignore")
        except (OSError, TimeoutError, RuntimeError):
            pass
        finally:
            client.close(timeout=2)

    def _room(self) -> int:
        """Asking the scheduler costs a round trip, so the threads are counted once in a while."""
        if time.monotonic() - self._looked > LOOK_AGAIN and self._client.status == "running":
            self._looked = time.monotonic()
            self._window = max(2, 2 * sum(self._client.nthreads().values()))
        return self._window

    def _submit(self, task: Task, data: Mapping[str, DataSet]) -> None:
        """A key of its own and pure=False: Dask would else answer an equal task from memory, times included."""
        try:
            lying = self._lay_out(task.data, data)
            key = f"tiebreak-{uuid.uuid4().hex}"
            future = self._client.submit(run_task, task, lying, self._settings, key=key, pure=False)
        except (OSError, TimeoutError, RuntimeError) as problem:
            raise _gone(self._address, problem) from problem
        self._flying[key] = (future, task, lying)
        self._landed.add(future)

    def _lay_out(self, fingerprint: str, data: Mapping[str, DataSet]) -> Any:
        """Return the data set on the cluster, sent there once; those not needed now make room, oldest first."""
        if fingerprint not in self._data:
            if fingerprint not in data:
                raise not_given(fingerprint)
            needed = {task.data for _, task, _ in self._flying.values()}
            for old in make_room(self._sizes, fingerprint, data[fingerprint], needed, self._settings.cache):
                del self._data[old]
            self._data[fingerprint] = self._client.scatter(data[fingerprint], hash=False)
        self._sizes.move_to_end(fingerprint)
        return self._data[fingerprint]

    def _lost(self, task: Task, problem: BaseException, *, by_worker: bool) -> list[CellOutcome]:
        """Let a task that brought no outcomes run again, or give it up after several times."""
        first = task.cells[0].id
        self._losses[first] = self._losses.get(first, 0) + 1
        if self._losses[first] < TRIES:
            self._again.append(task)
            return []
        if by_worker:
            reason = f"Its Dask worker was lost {TRIES} times while it ran."
            return [CellOutcome(cell=cell.id, status="crash", reason=reason) for cell in task.cells]
        raise EngineError(
            f"The Dask workers cannot run tasks ({type(problem).__name__}: {problem}).",
            why=f"This came {TRIES} times for the same task and is not an error of a learner.",
            mend="Install the same versions of tiebreak[dask] and Python on every worker.",
        ) from problem


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


def _distributed(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise OptionError(
            f"The engine {address!r} needs the package distributed.",
            why="It speaks to the Dask scheduler.",
            mend="Install it: pip install 'tiebreak[dask]'.",
        ) from None
    return distributed


def _connect(address: str, timeout: float, security: object) -> Any:
    """A scheduler without workers would accept tasks and wait for ever, so the first worker is awaited."""
    library = _distributed(address)
    try:
        client = library.Client(address, timeout=timeout, security=security, set_as_default=False)
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
        why="The tasks in flight are lost with it; finished cells are not.",
        mend="Start the scheduler and run the plan again: only what is missing will run.",
    )
