"""A helper as the driver sees it: started, given data sets and tasks, listened to, stopped."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import subprocess
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.lab.processes import accounting, wire
from tiebreak.lab.processes.launching import Setup
from tiebreak.lab.tasks import Task

WORK = "tiebreak.lab.work:run_cell"
PRELOAD = (
    "cloudpickle",
    "numpy",
    "scipy.special",
    "sklearn.calibration",
    "sklearn.compose",
    "sklearn.discriminant_analysis",
    "sklearn.ensemble",
    "sklearn.impute",
    "sklearn.linear_model",
    "sklearn.metrics",
    "sklearn.model_selection",
    "sklearn.neighbors",
    "sklearn.neural_network",
    "sklearn.pipeline",
    "sklearn.preprocessing",
    "sklearn.svm",
    "sklearn.tree",
    "threadpoolctl",
    "tiebreak.lab.algorithms.*",
    "tiebreak.lab.measuring",
    "tiebreak.lab.splits",
    "tiebreak.lab.work",
)
THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
    "POLARS_MAX_THREADS",
)
STOP_SECONDS = 2.0
_keys = itertools.count(1)


def can_fork() -> bool:
    """Tell whether children are forked by default: not on Windows, nor on macOS, whose libraries forbid it."""
    return hasattr(os, "fork") and sys.platform not in ("win32", "darwin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How helpers work.

    Parameters
    ----------
    work : str
        The function that runs one cell, "package.module:function": `work(data, task, cell) -> (values, details)`.
    fork : bool
        Whether a child is forked from its helper; otherwise it is a fresh interpreter.
    threads : int
        How many threads the numerical libraries may use in a child.
    preload : tuple of str
        The modules loaded before the first cell; "package.*" for all of a package.
    cache : int
        How many bytes of data sets a helper keeps; more only when one task needs more.
    """

    work: str = WORK
    fork: bool = field(default_factory=can_fork)
    threads: int = 1
    preload: tuple[str, ...] = PRELOAD
    cache: int = 512 << 20


@dataclass(slots=True, kw_only=True)
class Assignment:
    """A task in the hands of a helper, and its cells that have no outcome yet."""

    task: Task
    open: set[int]

    def rest(self) -> Task:
        """Return the task with the cells that are still open."""
        return replace(self.task, cells=tuple(cell for cell in self.task.cells if cell.id in self.open))


class HelperHandle:
    """One helper process, the channel to it, and what it was given.

    The helper forgets a data set when the driver says so: the driver keeps the list, least recently used first.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.assignments: dict[int, Assignment] = {}
        self.said_hello = False
        self.asked = False
        self.waiting = False
        self.begun: tuple[int, int] | None = None
        self._child: int | None = None
        self._held: OrderedDict[str, int] = OrderedDict()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self._process, self.channel = _start(settings, self._stderr.fileno())
        setup = Setup(path=tuple(sys.path), work=settings.work, fork=settings.fork, preload=settings.preload)
        self.channel.post(wire.pack_order("setup", setup))

    @property
    def open_cells(self) -> int:
        """The number of cells the helper has not finished."""
        return sum(len(assignment.open) for assignment in self.assignments.values())

    def give(self, task: Task, data: Mapping[str, DataSet]) -> None:
        """Send a task, after the data set it needs."""
        self._send_data(task.data, data)
        key = next(_keys)
        self.assignments[key] = Assignment(task=task, open={cell.id for cell in task.cells})
        self.asked = False
        self.channel.post(wire.pack_order("task", key, task))

    def recall(self) -> None:
        """Ask the helper to give back work that has not begun."""
        self.asked = self.waiting = True
        self.channel.post(wire.pack_order("recall"))

    def reports(self) -> list[list[Any]]:
        """Return what the helper said since the last time, noting which cell runs where."""
        self.channel.flush()
        found = [wire.unpack_report(message) for message in self.channel.take()]
        for kind, *content in found:
            if kind == "hello":
                self.said_hello = True
            elif kind == "begun":
                self.begun, self._child = (content[0], content[1]), content[2]
            elif kind == "done" and self.begun == (content[0], content[1]):
                self._child = None  # its number may soon be another process's
        return found

    def _send_data(self, fingerprint: str, data: Mapping[str, DataSet]) -> None:
        if fingerprint in self._held:
            self._held.move_to_end(fingerprint)
            return
        wanted = data[fingerprint]
        size = int(wanted.values.nbytes + wanted.target.nbytes)
        needed = {assignment.task.data for assignment in self.assignments.values()}
        for old in [name for name in self._held if name not in needed]:
            if sum(self._held.values()) + size <= self.settings.cache:
                break
            del self._held[old]
            self.channel.post(wire.pack_order("forget", old))
        self._held[fingerprint] = size
        self.channel.post(wire.pack_order("data", fingerprint, wanted))

    def release(self) -> None:
        """Close the connection, upon which the helper ends its child and itself."""
        self.channel.close()

    def bury(self) -> str:
        """Make sure that the helper and its child are gone; returns what it wrote to its standard error last."""
        self.channel.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode != 0 and self._child is not None:
            accounting.kill_group(self._child)
        if self._stderr.closed:
            return ""
        with self._stderr as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 2000))
            return file.read().decode(errors="replace").strip()


def _start(settings: Settings, stderr: int) -> tuple[subprocess.Popen[bytes], wire.Channel]:
    """Start a helper in a session of its own, so that Ctrl-C reaches the driver only."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "tiebreak.lab.processes.helper"]
    with theirs, contextlib.ExitStack() as undo:
        undo.callback(ours.close)
        if sys.platform == "win32":
            process = subprocess.Popen(
                [*command, "-", str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=_environment(settings),
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
            )
            assert process.stdin is not None
            process.stdin.write(theirs.share(process.pid))
            process.stdin.close()
        else:
            process = subprocess.Popen(
                [*command, str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=_environment(settings),
                start_new_session=True,
            )
        undo.pop_all()
    return process, wire.Channel(ours)


def _environment(settings: Settings) -> dict[str, str]:
    """Return the surroundings of a helper: the driver's modules, a fixed order of sets, bounded threads.

    Arrow's own allocator would start a thread as soon as it is loaded, and a helper that forks has one thread only.
    """
    own = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHASHSEED": "0",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }
    own |= dict.fromkeys(THREAD_COUNTS, str(settings.threads))
    return os.environ | own
