"""Learners that use a known number of CPU seconds in every way a learner can; helpers import this module."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Steady(ClassifierMixin, BaseEstimator):
    """Predicts the most frequent class of the rows it saw."""

    def fit(self, rows, classes):
        self.n_features_in_ = rows.shape[1]
        self.classes_, counts = np.unique(classes, return_counts=True)
        self.answer_ = self.classes_[np.argmax(counts)]
        return self

    def predict(self, rows):
        return np.full(len(rows), self.answer_)


BURN = "import time\nwhile time.process_time() < {}: pass"
PARTS = 40


def burn(seconds: float) -> int:
    """Use so many CPU seconds of this process."""
    end = process_time() + seconds
    while process_time() < end:
        sha256(b"x" * 5000).digest()
    return os.getpid()


def forked(seconds: float) -> int:
    pid = os.fork()
    if pid == 0:
        burn(seconds)
        os._exit(0)
    return pid


def orphan(seconds: float, after: float = 0.0) -> int:
    """Let a process outside the session use its seconds and perhaps live on; its parent ends at once."""
    out, into = os.pipe()
    middle = os.fork()
    if middle == 0:
        os.setsid()
        if os.fork() == 0:
            burn(seconds)
            os.write(into, str(os.getpid()).encode())
            time.sleep(after)
        os._exit(0)
    os.waitpid(middle, 0)
    os.close(into)
    pid = int(os.read(out, 20))
    os.close(out)
    return pid


def in_pool(seconds: float) -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(burn, [seconds / 2] * 2)
        pool.close()
        pool.join()


def in_threads(seconds: float) -> None:
    threads = [threading.Thread(target=burn, args=(seconds,)) for _ in range(2)]  # each sees the clock of both
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def unwaited(seconds: float) -> None:
    os.waitid(os.P_PID, forked(seconds), os.WEXITED | os.WNOWAIT)


WAYS = {
    "here": burn,
    "threads": in_threads,
    "pool": in_pool,
    "program": lambda seconds: subprocess.run([sys.executable, "-S", "-c", BURN.format(seconds)], check=True),
    "shell": lambda seconds: os.system(f"({sys.executable} -S -c '{BURN.format(seconds)}'; true) & wait"),
    "many": lambda seconds: [os.waitpid(forked(seconds / PARTS), 0) for _ in range(PARTS)],
    "unwaited": unwaited,
    "orphan": orphan,
    "daemon": lambda seconds: orphan(seconds, after=600.0),
}


class Works(Steady):
    """Uses so many CPU seconds for the fit, in the way that is named; the small fit of a warm-up uses none."""

    def __init__(self, way: str = "here", seconds: float = 0.3):
        self.way, self.seconds = way, seconds
        super().__init__()

    def fit(self, rows, classes):
        if len(rows) > 10:
            WAYS[self.way](self.seconds)
        return super().fit(rows, classes)


class Daemonic(Steady):
    """Starts a daemon in every fit and writes down its number."""

    def __init__(self, file: str = ""):
        self.file = file
        super().__init__()

    def fit(self, rows, classes):
        with Path(self.file).open("a") as notes:
            notes.write(f"{orphan(0.0, after=600.0)}\n")
        return super().fit(rows, classes)


def hold(count: int) -> int:
    """Hold 200 MB in a process, and fork two that read it and take `own` MB each; returns when all hold theirs."""
    (ready, tell) = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        block = np.ones(200 << 17)
        for _ in range(2):
            if os.fork() == 0:
                break
        else:
            time.sleep(600)
        remaining = [block.sum(), np.ones(count << 17)]
        os.write(tell, b"x" * len(remaining[:1]))
        time.sleep(600)
    for _ in range(2):
        os.read(ready, 1)
    os.close(ready)
    os.close(tell)
    return pid


class Holds(Steady):
    """Holds much memory in processes of its own until it is ended."""

    def fit(self, rows, classes):
        if len(rows) > 10:
            hold(60)
            time.sleep(600)
        return super().fit(rows, classes)


class Turns(Steady):
    """Turns every clock back that Python code can reach, and sets alarms."""

    def fit(self, rows, classes):
        burn(0.05)
        fake = iter(range(10**6, 0, -1)).__next__
        for name in ("time", "perf_counter", "process_time", "monotonic", "thread_time"):
            setattr(time, name, fake)
        time.clock_gettime = lambda _: float(fake())
        os.times = lambda: os.times_result((fake(),) * 5)
        import resource

        resource.getrusage = lambda _: None
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        signal.setitimer(signal.ITIMER_PROF, 1000.0)
        return super().fit(rows, classes)


class Lazy(Steady):
    """Imports a module in its fit whose import takes a second of CPU."""

    def fit(self, rows, classes):
        import slow_to_import  # noqa: F401

        return super().fit(rows, classes)
