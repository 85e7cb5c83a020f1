"""The helper program: `python -m tiebreak.lab.processes.helper_program SOCKET PARENT`, started by the driver only."""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import selectors
import signal
import sys
from collections import deque
from collections.abc import Collection

from tiebreak.datasets import DataSet
from tiebreak.lab.processes import child_process, child_program, messages, operating_system
from tiebreak.lab.processes.task_supervisor import TaskSupervisor
from tiebreak.lab.provenance import Surroundings
from tiebreak.lab.tasks import Settings, Task

IDLE = 1.0
"""Seconds between two looks whether the driver still lives, where nothing runs."""


class Helper:
    """Keeps data sets, runs the tasks it is given one after the other, and never waits for anyone.

    It ends, with its child, as soon as the driver closes the connection or is gone.
    """

    def __init__(self, channel: messages.Channel, parent: int) -> None:
        self.channel = channel
        self._parent = parent
        self._data: dict[str, DataSet] = {}
        self._queue: deque[tuple[int, Task]] = deque()
        self._run: TaskSupervisor | None = None
        self._key = -1
        self._begun: tuple[int, int] | None = None
        self._cold: set[tuple[str, ...]] = set()  # learners whose warm-up was broken off
        self._keeps_orphans = operating_system.keep_orphans()

    def work(self) -> None:
        """Follow orders until the driver is gone."""
        while not self._orphaned():
            self._sleep()
            for message in self.channel.take():
                kind, *content = messages.unpack_order(message)
                getattr(self, f"_on_{kind}")(*content)
            self.channel.flush()
            self._advance()
        if self._run is not None:
            self._run.stop()

    def _orphaned(self) -> bool:
        """A driver that was killed may leave its socket open in another process: the parent tells."""
        return self.channel.ended or (sys.platform != "win32" and os.getppid() != self._parent)

    def _sleep(self) -> None:
        """Wait until the driver or the child says something, or a limit may be near."""
        with selectors.DefaultSelector() as selector:
            read, write = selectors.EVENT_READ, selectors.EVENT_WRITE
            selector.register(self.channel, read | write if self.channel.pending else read)
            running = self._run.child if self._run is not None else None
            if running is not None and not running.channel.ended:
                selector.register(running.channel, read | write if running.channel.pending else read)
            if running is not None and running.stderr >= 0:
                selector.register(running.stderr, read)
            selector.select(self._patience())
        if running is not None:
            running.channel.flush()

    def _patience(self) -> float:
        """A waiting task allows no sleep: no message will come to wake the helper for it."""
        if self._run is None:
            return 0.0 if self._queue else IDLE
        return self._run.patience()

    def _on_setup(self, path: list[str], settings: Settings) -> None:
        sys.path[:] = path
        self._settings = settings
        self._surroundings = Surroundings(settings.calibrate_after)
        if settings.forks:
            child_program.load(settings.preload)
            child_program.companion("load", settings.work)()
            gc.collect()
            gc.freeze()  # what is loaded is never collected again: a collection would copy the pages children share
        self.channel.post(messages.pack_report("hello"))

    def _on_path(self, path: list[str]) -> None:
        """A driver that keeps its helpers may find modules in new places since they were started."""
        sys.path[:] = path
        os.environ["PYTHONPATH"] = os.pathsep.join(path)
        importlib.invalidate_caches()

    def _on_data(self, fingerprint: str, data: DataSet, needed: Collection[str]) -> None:
        """Keep this data set and those that current tasks need."""
        self._data = {mark: item for mark, item in self._data.items() if mark in needed} | {fingerprint: data}

    def _on_task(self, key: int, task: Task) -> None:
        self._queue.append((key, task))

    def _advance(self) -> None:
        """Outcomes go out before the next cell is announced: the driver then never sees two as begun."""
        if self._run is None and self._queue:
            self._surroundings.look()
            self._key, task = self._queue.popleft()
            self._run = self._supervisor(task)
        if self._run is None:
            return
        for outcome in self._run.advance():
            content = (outcome.cell, outcome.status, outcome.reason, outcome.values, outcome.details)
            where = self._surroundings.told(self._run.task.algorithm.code.packages)
            self.channel.post(messages.pack_report("done", self._key, *content, where))
        self._tell_begun(self._run)
        if self._run.over:
            self._run.stop()
            self._run = None

    def _supervisor(self, task: Task) -> TaskSupervisor:
        return TaskSupervisor(
            task,
            lambda warm: self._launch(task, warm),
            clear_up=operating_system.kill_orphans if self._keeps_orphans else lambda: None,
        )

    def _tell_begun(self, run: TaskSupervisor) -> None:
        """Tell the driver which cell runs in which process: it clears up if the helper itself is killed."""
        begun = None if run.current is None or run.child is None else (run.current.id, run.child.pid)
        if begun is not None and begun != self._begun:
            self.channel.post(messages.pack_report("begun", self._key, *begun))
        self._begun = begun

    def _launch(self, task: Task, warm: bool) -> child_process.ChildProcess:
        """A forked child closes the driver's socket: held open, it would hide the end of the helper."""
        spec = task.algorithm  # its settings may make a fit a thousand times longer
        key = (spec.path or spec.name, repr(sorted(spec.settings.items())), hashlib.sha256(spec.payload).hexdigest())
        if not warm:
            self._cold.add(key)
        warm = key not in self._cold
        data = self._data[task.data]
        if not self._settings.forks:
            return child_process.start_fresh(self._settings, data, task, warm)
        leave = self.channel.sock.close
        return child_process.fork_child(self._settings.work, data, task, warm, leave=leave)


def main(word: str, parent: int) -> None:
    """Run the helper until the driver is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which then closes the connection
    sock = operating_system.adopt_socket(word)
    if sys.platform != "win32" and os.getppid() != parent:
        os._exit(1)
    Helper(messages.Channel(sock), parent).work()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
