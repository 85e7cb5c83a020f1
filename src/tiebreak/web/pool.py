"""The server's side of the children: a fork server, children that wait for jobs, and a queue that ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tiebreak
from tiebreak.web.child import line_of
from tiebreak.web.messages import Problem, busy
from tiebreak.web.settings import Limits

LONGEST = 256_000_000
"""Bytes of one answer; a child that says more has gone wrong."""
_GRACE = 5.0
"""Seconds by the clock beyond the limit, for a child that waits for the processor."""
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME")
_KERNELS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "NPY_DISABLE_CPU_FEATURES")
"""Environment variables that children inherit: no tokens, no proxies. The kernels decide the last digits."""
_START = 120.0
"""Seconds that the fork server may take to start."""


@dataclass(slots=True, kw_only=True)
class Job:
    """One verb with its values, to be run in a folder, and the form of its answer."""

    verb: str
    values: dict[str, Any]
    form: str = "json"
    folder: Path
    harmless: list[str] = field(default_factory=list)
    seconds: float | None = None


_Channel = tuple[asyncio.StreamReader, asyncio.StreamWriter]
"""The connection to a child."""


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
        self._turn = asyncio.Semaphore(workers)
        self._starting = asyncio.Lock()
        self._waiting = self._working = 0
        self._parent: Process | None = None
        self._control: socket.socket | None = None
        self._idle: list[_Channel] = []

    async def start(self) -> None:
        """Start the fork server where there is none, or none any more, and wait until it is warm."""
        async with self._starting:
            if self._parent is not None and self._parent.returncode is None:
                return
            await self.stop()
            began = time.monotonic()
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._control.setblocking(False)
            command = [sys.executable, "-m", "tiebreak.web.child", str(theirs.fileno()), str(self.limits.memory)]
            with theirs:
                self._parent = await asyncio.create_subprocess_exec(
                    *command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, pass_fds=[theirs.fileno()],
                    env=_environment(), start_new_session=True,
                )  # fmt: skip
            with suppress(TimeoutError, OSError):
                ready = asyncio.get_running_loop().sock_recv(self._control, 16)
                if await asyncio.wait_for(ready, _START):
                    self._note("children-ready", seconds=round(time.monotonic() - began, 3))
                    return
            await self.stop()
            raise busy(5)

    async def stop(self) -> None:
        """End the fork server, and with it all children."""
        while self._idle:
            self._idle.pop()[1].close()
        if self._control is not None:
            self._control.close()
        if self._parent is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._parent.wait(), 5)
            if self._parent.returncode is None:
                self._parent.kill()
                await self._parent.wait()

    def state(self) -> dict[str, int]:
        """Return how many children there may be, how many are at work, and how many requests wait."""
        return {
            "workers": self.workers,
            "at_work": self._working,
            "waiting": self._waiting,
            "queue": self.limits.queue,
        }

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
        self._working += 1
        try:
            result = await self._answer(job, job.seconds or self.limits.seconds)
        finally:
            self._working -= 1
            self._turn.release()
        if "out" not in result:
            raise self._problem(job, result)
        return str(result["out"])

    async def _answer(self, job: Job, seconds: float) -> dict[str, Any]:
        """Let a child work on a job; one that ended while it was idle is nobody's fault, and another one is asked."""
        await self.start()
        message = line_of(asdict(job) | {"folder": str(job.folder), "seconds": seconds})
        result: dict[str, Any] = {"ended": 0}
        if self._idle:
            result = await self._ask(self._idle.pop(), message, seconds)
        if result.get("ended", -signal.SIGXCPU) != -signal.SIGXCPU:
            result = await self._ask(await self._child(), message, seconds)
        return result

    async def _child(self) -> _Channel:
        """Ask the fork server for a child."""
        assert self._control is not None
        here, there = socket.socketpair()
        try:
            with there:
                socket.send_fds(self._control, [b"f"], [there.fileno()])
        except OSError:
            here.close()
            raise busy(5) from None
        return await asyncio.open_connection(sock=here, limit=LONGEST)

    async def _ask(self, child: _Channel, message: bytes, seconds: float) -> dict[str, Any]:
        """Wait for the answer of a child, its end, or the end of its time; closing its socket ends it."""
        reader, writer = child
        result: dict[str, Any] = {"ended": 0}
        try:
            writer.write(message)
            async with asyncio.timeout(seconds + _GRACE):
                await writer.drain()
                result = json.loads(await reader.readline())
        except TimeoutError:
            result = {"ended": -signal.SIGXCPU}
        except (OSError, ValueError):  # a line that is cut off is no JSON
            pass
        finally:
            if result.get("again"):
                self._idle.append(child)
            else:
                writer.close()
        return result

    def _problem(self, job: Job, result: dict[str, Any]) -> Problem:
        """Say what went wrong in a child, or why it is gone, as far as the system tells."""
        error, ended = result.get("error", {}), result.get("ended")
        code = error.get("code") or _ENDS.get(ended or 0, "crashed")
        if code not in _TEXTS:
            return Problem.of(error)
        if code != "memory":
            where = {name: error[name] for name in ("type", "where") if name in error}
            self._note("child-failed" if ended is None else "child-died", verb=job.verb, code=ended, **where)
        what, why, mend = _TEXTS[code]
        seconds, memory = job.seconds or self.limits.seconds, self.limits.memory / 1e6
        return Problem(422, code, what.format(seconds=seconds, memory=memory), why=why, mend=mend)


_ENDS = {-signal.SIGXCPU: "too-long", -signal.SIGABRT: "memory", -signal.SIGKILL: "memory"}
"""What it means that a child was ended by the system."""
_TEXTS = {
    "too-long": (
        "This takes longer than {seconds:.4g} seconds.",
        "So long one request may work, and not longer.",
        "Ask for less (fewer resamples, data sets or algorithms), or use the command line.",
    ),
    "memory": (
        "This needs more than {memory:.4g} MB of memory.",
        "So much one request may have, and not more.",
        "Use a smaller table, or the command line.",
    ),
    "crashed": (
        "This file brought down the process that read it.",
        "The server goes on; nothing was computed.",
        "Save the table as plain csv and try again.",
    ),
    "not-understood": (
        "This file or these options led to an error that was not foreseen.",
        "The server goes on; nothing was computed.",
        "Save the table as plain csv and try again, and please report what was in it.",
    ),
}
"""What went wrong in a child, by its code: what, why and what to do."""


def _environment() -> dict[str, str]:
    """Return what children know of their surroundings: where the package lies, and that one thread is enough."""
    options = {name: os.environ[name] for name in (*_INHERITED, *_KERNELS) if name in os.environ}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS")
    return options | dict.fromkeys(threads, "1") | {"PYTHONPATH": package_path(), "PYTHONHASHSEED": "0"}


def package_path() -> str:
    """Return where children, which work in other folders, find the package that this server is."""
    path = [str(Path(tiebreak.__file__).resolve().parent.parent), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(path).strip(os.pathsep)
