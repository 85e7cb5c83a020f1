"""The server's side of the children: a few that are warm, a queue that ends, and a new one for each that went wrong."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tiebreak
from tiebreak.web.problems import Problem, busy
from tiebreak.web.settings import Limits
from tiebreak.web.zygote import FORK, KILL, LONGEST, line_of

JOBS_PER_CHILD = 200
"""After so many jobs a child is replaced, so that whatever piles up in one is gone; one that grew goes before."""
_GRACE = 5.0
"""Seconds by the clock beyond the limit, for a child that waits for the processor."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME")
_KERNELS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "NPY_DISABLE_CPU_FEATURES")
"""Environment variables that children inherit: no tokens, no proxies. The kernels decide the last digits."""
_START = 120.0
"""Seconds that the warm parent may take to start."""
_BURIAL = 60.0
"""Seconds that it may take until the system tells how a child ended that is gone."""


@dataclass(slots=True, kw_only=True)
class _Child:
    """A child process, seen from here."""

    pid: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    ended: asyncio.Future[int]
    jobs: int = 0


@dataclass(slots=True, kw_only=True)
class Job:
    """One verb with its values, to be run on the files of a folder, and the form of its answer."""

    verb: str
    values: dict[str, Any]
    form: str = "json"
    folder: Path
    files: list[str] = field(default_factory=list)
    harmless: list[str] = field(default_factory=list)
    seconds: float | None = None


class Pool:
    """Children that answer jobs, one each at a time.

    Parameters
    ----------
    workers : int
        Children at a time.
    limits : Limits
        Of each job, and of the queue.
    note : callable
        Told of what went wrong in a child, for the log: nothing of the data.
    """

    def __init__(self, workers: int, limits: Limits, note: Callable[..., None]) -> None:
        self.workers, self.limits, self._note = workers, limits, note
        self._free: deque[_Child] = deque()
        self._turn = asyncio.Semaphore(workers)
        self._waiting = 0
        self._zygote: Process | None = None
        self._control: socket.socket | None = None
        self._born: deque[asyncio.Future[int]] = deque()
        self._children: dict[int, _Child] = {}
        self._ends: dict[int, _Child] = {}
        self._starting = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- what others call

    async def start(self) -> None:
        """Start the warm parent and the first children."""
        await self._ready()
        while len(self._children) < self.workers:
            self._free.append(await self._fork())

    async def stop(self) -> None:
        """End all of them."""
        if self._control is not None:
            self._control.close()
        if self._zygote is not None and self._zygote.returncode is None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._zygote.wait(), 5)
            if self._zygote.returncode is None:
                self._zygote.kill()
                await self._zygote.wait()
        for child in self._children.values():
            child.writer.close()
        for task in self._tasks:
            task.cancel()

    def state(self) -> dict[str, int]:
        """Return how many children there are, how many are at work, and how many requests wait."""
        at_work = len(self._children) - len(self._free)
        return {"workers": self.workers, "at_work": at_work, "waiting": self._waiting, "queue": self.limits.queue}

    async def run(self, job: Job) -> str:
        """Run a job and return what it printed; what went wrong is a `Problem`."""
        if self._waiting >= self.limits.queue:
            raise busy()
        self._waiting += 1
        try:
            await asyncio.wait_for(self._turn.acquire(), 2 * self.limits.seconds)
        except TimeoutError:
            raise busy(10) from None
        finally:
            self._waiting -= 1
        try:
            return await self._with_a_child(job)
        finally:
            self._turn.release()

    # ---- one job

    async def _with_a_child(self, job: Job) -> str:
        child = self._idle() or await self._fork()
        reusable = False
        try:
            result = await self._ask(child, job)
            reusable = not result.get("last")
        finally:
            child.jobs += 1
            if reusable and child.jobs < JOBS_PER_CHILD and len(self._children) <= self.workers:
                self._free.append(child)
            else:
                self._replace(child)
        if "error" in result:
            raise self._problem(result["error"], job)
        return str(result["out"])

    def _idle(self) -> _Child | None:
        """Return a child that waits for work; one that ended meanwhile is nobody's fault, and is passed over."""
        while self._free:
            child = self._free.popleft()
            if not child.ended.done():
                return child
            self._replace(child)
        return None

    async def _ask(self, child: _Child, job: Job) -> dict[str, Any]:
        """Send a job to a child and wait for its answer, its end, or the end of its time."""
        current = self.limits
        limits = {"seconds": job.seconds or current.seconds, "grown": current.grown}
        options = {"verb": job.verb, "values": job.values, "form": job.form, "folder": str(job.folder)}
        options |= {"files": job.files, "limits": limits}
        options["harmless"] = job.harmless
        try:
            child.writer.write(line_of(options))
            async with asyncio.timeout(limits["seconds"] + _GRACE):
                await child.writer.drain()
                result: dict[str, Any] = json.loads(await child.reader.readline())
            return result
        except TimeoutError:
            self._kill(child)
            raise self._slow(job, limits["seconds"]) from None
        except (OSError, ValueError):  # a line that is cut off is no JSON
            raise await self._died(child, job, limits["seconds"]) from None

    async def _died(self, child: _Child, job: Job, seconds: float) -> Problem:
        """Say why a child is gone, as far as the system tells."""
        self._kill(child)
        code = 0
        with suppress(TimeoutError):
            code = await asyncio.wait_for(asyncio.shield(child.ended), _BURIAL)
        self._note("child-died", verb=job.verb, code=code)
        if code == -signal.SIGXCPU:
            return self._slow(job, seconds)
        return _no_memory(self.limits) if code in (-signal.SIGABRT, -signal.SIGKILL) else _crashed()

    def _slow(self, job: Job, seconds: float) -> Problem:
        self._note("child-slow", verb=job.verb)
        return Problem(
            422,
            "too-long",
            f"This takes longer than {seconds:.4g} seconds.",
            why="So long one request may work, and not longer.",
            mend="Ask for less (fewer resamples, data sets or algorithms), or use the command line.",
        )

    def _problem(self, options: dict[str, Any], job: Job) -> Problem:
        if options["code"] == "memory":
            return _no_memory(self.limits)
        if options["code"] == "not-understood":
            self._note("child-failed", verb=job.verb, type=options.get("type", ""), where=options.get("where", ""))
            return Problem(
                422,
                "not-understood",
                "This file or these options led to an error that was not foreseen.",
                why="The server goes on; nothing was computed.",
                mend="Save the table as plain csv and try again, and please report what was in it.",
            )
        return Problem.of(options)

    # ---- children

    def _replace(self, child: _Child) -> None:
        """End a child; the next is forked now, so that nobody waits for it."""
        self._kill(child)
        child.writer.close()
        task = asyncio.get_running_loop().create_task(self._refill())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _refill(self) -> None:
        if len(self._children) + len(self._born) < self.workers:
            with suppress(OSError, Problem):
                self._free.append(await self._fork())

    def _kill(self, child: _Child) -> None:
        self._children.pop(child.pid, None)
        if self._control is not None:
            with suppress(OSError):
                self._control.send(KILL + str(child.pid).encode())

    async def _fork(self) -> _Child:
        """Ask the warm parent for a child, over a socket of its own."""
        await self._ready()
        here, there = socket.socketpair()
        born: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._born.append(born)
        assert self._control is not None
        try:
            socket.send_fds(self._control, [FORK], [there.fileno()])
        except OSError:
            raise busy(5) from None
        finally:
            there.close()
        pid = await asyncio.wait_for(born, _START)
        reader, writer = await asyncio.open_connection(sock=here, limit=LONGEST)
        child = _Child(pid=pid, reader=reader, writer=writer, ended=asyncio.get_running_loop().create_future())
        self._children[pid] = self._ends[pid] = child
        return child

    async def _ready(self) -> None:
        """Start the warm parent where there is none, or none any more."""
        async with self._starting:
            if self._zygote is not None and self._zygote.returncode is None:
                return
            self._ends = {}
            self._free.clear()
            self._children.clear()
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            command = [sys.executable, "-m", "tiebreak.web.zygote", str(theirs.fileno()), str(self.limits.memory)]
            fds = [theirs.fileno()]
            self._zygote = await asyncio.create_subprocess_exec(
                *command, stdin=DEVNULL, stdout=PIPE, pass_fds=fds, env=_environment(), start_new_session=True
            )
            theirs.close()
            self._control = ours
            ready = asyncio.get_running_loop().create_future()
            task = asyncio.get_running_loop().create_task(self._listen(self._zygote, ready))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            began = time.monotonic()
            await asyncio.wait_for(ready, _START)
            self._note("children-ready", seconds=round(time.monotonic() - began, 3))

    async def _listen(self, zygote: Process, ready: asyncio.Future[None]) -> None:
        """Hear what the warm parent says: that it is ready, whom it bore, and who ended how."""
        assert zygote.stdout is not None
        while line := await zygote.stdout.readline():
            data = json.loads(line)
            if "ready" in data and not ready.done():
                ready.set_result(None)
            if "child" in data and self._born:
                born = self._born.popleft()
                if not born.done():
                    born.set_result(int(data["child"]))
            if "ended" in data and (child := self._ends.pop(int(data["ended"]), None)) and not child.ended.done():
                child.ended.set_result(int(data["code"]))
        await zygote.wait()
        if not ready.done():
            ready.set_exception(busy(5))
        while self._born:
            if not (born := self._born.popleft()).done():
                born.set_exception(busy(5))


def _no_memory(limits: Limits) -> Problem:
    return Problem(
        422,
        "memory",
        f"This needs more than {limits.memory / 1e6:.4g} MB of memory.",
        why="So much one request may have, and not more.",
        mend="Use a smaller table, or the command line.",
    )


def _crashed() -> Problem:
    return Problem(
        422,
        "crashed",
        "This file brought down the process that read it.",
        why="The server goes on; nothing was computed.",
        mend="Save the table as plain csv and try again.",
    )


def _environment() -> dict[str, str]:
    """Return what children know of their surroundings: where the package lies, and that one thread is enough."""
    options = {name: os.environ[name] for name in (*_KEPT, *_KERNELS) if name in os.environ}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS")
    return options | dict.fromkeys(threads, "1") | {"PYTHONPATH": package_path(), "PYTHONHASHSEED": "0"}


def package_path() -> str:
    """Return where children, which work in other folders, find the package that this server is."""
    path = [str(Path(tiebreak.__file__).resolve().parent.parent), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(path).strip(os.pathsep)
