"""Work functions that behave badly; helpers import this module by path. The algorithm's name says how."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tiebreak.datasets import DataSet
from tiebreak.lab.tasks import Cell, Task


class Unpicklable(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")
        self.open_file = sys.stderr

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("never")


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def good(data: DataSet, task: Task, cell: Cell) -> tuple[Mapping[str, float], Mapping[str, object]]:
    score = float(data.values.sum() + 1000 * cell.replication + cell.fold + task.seed / 7)
    return {"score": score}, {"matrix": np.eye(2, dtype=int), "names": ["a", "b"]}


def behave(data: DataSet, task: Task, cell: Cell) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """Do what the algorithm's name says in the cells listed in its settings (all by default), else be good."""
    bad = task.algorithm.settings.get("cells")
    if bad is None or cell.id in bad:
        answer = globals()[f"do_{task.algorithm.name}"](task.algorithm.settings.get("file"))
        if answer is not None:
            return answer
    return good(data, task, cell)


def do_good(_):
    return None


def do_nap(_):
    time.sleep(0.1)


def do_hang(_):
    time.sleep(600)


def do_spin(_):
    while True:
        pass


def do_segfault(_):
    ctypes.string_at(0)


def do_exit(_):
    os._exit(3)


def do_leave(_):
    sys.exit("enough")


def do_abort(_):
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def do_raise(_):
    raise TypeError("no such thing")


def do_leak(_):
    values = [np.ones(20 << 17) for _ in range(20)]
    time.sleep(600)  # until somebody looks
    return {"leaked": float(len(values))}, {}


def do_grab(_):
    np.ones(3 << 40)


def do_hoard(_):
    hoard.append(np.ones(60 << 17))


hoard: list[object] = []


def do_print(_):
    for stream in (sys.stdout, sys.stderr):
        print("rubbish " * 50_000, file=stream, flush=True)
    os.write(1, os.urandom(300_000))
    sys.stdin.read()


def do_breed(file):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(file).write_text(str(child.pid))


def do_breed_and_hang(file):
    do_breed(file)
    time.sleep(600)


def do_fork_and_exit(file):
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
    Path(file).write_text(str(pid))
    os._exit(4)


def do_recurse(_):
    do_recurse(_)


def do_unpicklable(_):
    raise Unpicklable(1, 2)


def do_speechless(_):
    raise Speechless


def do_long(_):
    raise ValueError("line one\nline\x00two\ud800" + "x" * 1_000_000)


def do_opaque(_):
    return {"score": 1.0}, {"what": object()}


def do_words(_):
    return {"score": "many"}, {}


def do_nan(_):
    return {"score": float("nan"), "loss": float("inf")}, {}


def do_interrupt(_):
    raise KeyboardInterrupt


def do_kill_helper(_):
    os.kill(os.getppid(), 9)
    time.sleep(600)


def do_kill_helper_once(file):
    path = Path(file)
    if not path.exists():
        path.write_text("done")
        do_kill_helper(file)


def do_killed(_):
    os.kill(os.getpid(), 9)


def do_killed_once(file):
    path = Path(file)
    if not path.exists():
        path.write_text("done")
        os.kill(os.getpid(), 15)


def do_hire(_):
    """Let a program hold too much for a moment: it may be gone before anybody looks."""
    subprocess.run([sys.executable, "-c", "print(len(b'x' * 500_000_000))"], stdout=subprocess.DEVNULL, check=False)


def do_report(_):
    threads = [os.environ[name] for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")]
    return {"random": random.random()}, {"pid": os.getpid(), "helper": os.getppid(), "threads": threads}


def do_count_threads(_):
    return {"threads": float(len(os.listdir(f"/proc/{os.getppid()}/task")))}, {}


def do_mark(file):
    with open(file, "a") as marks:
        marks.write(f"{os.getppid()} {os.getpid()}\n")
    time.sleep(0.3)


def nap_and_report(data, task, cell):
    time.sleep(0.1)
    return do_report(None)
