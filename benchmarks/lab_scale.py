"""How many cells a second one driver can claim, finish and store, with a crowd of workers that only sleep.

The workers are threads of an engine that yields made-up outcomes: what is left is the driver and its store. Run it with
`python benchmarks/lab_scale.py [CELLS] [WORKERS] [STORE]`; without a store into SQLite, and into the PostgreSQL that
the package pgserver brings along, where it is installed. `--dask` lets the crowd be the threads of two worker processes
of a Dask cluster on this machine, so that its scheduler is measured too. `--kill` kills a driver in the middle, takes
the run up again and counts what was lost.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SLEEP = 0.05
"""Seconds a worker takes for one cell: 200 of them then want 4,000 cells a second."""
_NAMES = ("accuracy", "error", "log_loss", "auc", "train_time", "predict_time", "train_wall", "predict_wall")
VALUES = dict.fromkeys((*_NAMES, *(f"test_{name}" for name in _NAMES[:4]), "model_bytes", "cell_cpu"), 0.5)
DETAILS = {"confusion": [[20, 5], [3, 22]], "test_confusion": [[20, 5], [3, 22]]}


class Crowd:
    """An engine of workers that sleep: outcomes come when their time is up, two tasks per worker ahead."""

    def __init__(self, workers: int) -> None:
        self.jobs = workers
        self.watch: Any = None

    def stream(self, tasks: Iterator[Any], data: Mapping[str, Any]) -> Iterator[Any]:
        """Yield outcomes in the order in which their workers wake."""
        from tiebreak.lab.provenance import environment
        from tiebreak.stores.records import CellOutcome

        del data
        here, awake, number = environment(), [(0.0, worker, 0, None) for worker in range(self.jobs)], 0
        while awake:
            when, worker, _, task = heapq.heappop(awake)
            time.sleep(max(0.0, when - time.perf_counter()))
            for cell in task.cells if task is not None else ():
                yield CellOutcome(cell=cell.id, status="ok", values=VALUES, details=DETAILS, environment=here, load=1.0)
            following = next(tasks, None)
            if following is not None:
                number += 1
                until = time.perf_counter() + SLEEP * len(following.cells)
                heapq.heappush(awake, (until, worker, number, following))
            if self.watch is not None:
                self.watch.tick()


@contextlib.contextmanager
def crowd(workers: int, *, by_dask: bool) -> Iterator[Any]:
    """Give an engine of so many workers that sleep: our own, or that of Dask with its work taken out."""
    if not by_dask:
        yield Crowd(workers)
        return
    from tiebreak.lab import dask_engine, engines

    dask_engine.run_task = asleep  # type: ignore[assignment]
    command = [sys.executable, __file__, "--cluster", str(workers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
        assert cluster.stdin is not None and cluster.stdout is not None
        yield engines.DaskEngine(cluster.stdout.readline().strip())
        cluster.stdin.close()


def serve_cluster(workers: int) -> None:
    """Be a Dask cluster, in a process of its own as on a real one, until nobody listens."""
    from distributed import LocalCluster

    places = {"n_workers": 2, "threads_per_worker": workers // 2, "processes": True, "dashboard_address": None}
    with LocalCluster(**places, silence_logs=50) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


def asleep(task: Any, data: Any, settings: Any) -> list[Any]:
    """Stand in for a Dask worker's helper: sleep for every cell, then tell what every cell tells."""
    from tiebreak.lab.provenance import environment
    from tiebreak.stores.records import CellOutcome

    del data, settings
    time.sleep(SLEEP * len(task.cells))
    options = {"status": "ok", "values": VALUES, "details": DETAILS, "environment": environment(), "load": 1.0}
    return [CellOutcome(cell=cell.id, **options) for cell in task.cells]


def plan_of(cells: int) -> Any:
    """Return a plan with so many cells: 10 data sets x 10 algorithms x replications of 2 folds."""
    from tiebreak.datasets import DataSet
    from tiebreak.lab import Plan

    rows = [[float(row), float(row % 7)] for row in range(40)]
    data = [
        DataSet.from_arrays([[x + number, y] for x, y in rows], [row % 2 for row in range(40)], name=f"d{number}")
        for number in range(10)
    ]
    learners = [{"algorithm": "nb", "name": f"nb {k}", "settings": {"smoothing": float(k + 1)}} for k in range(10)]
    return Plan.of(datasets=data, algorithms=learners, resampling=f"{max(1, cells // 200)}x2cv")


def measure(url: str, cells: int, workers: int) -> str:
    """Run the crowd into a fresh store; returns cells a second, and what the driver used of its core."""
    from tiebreak.lab import run

    plan, first = plan_of(cells), list[tuple[float, float]]()

    def note(_: Any) -> None:
        if not first:
            first.append((time.perf_counter(), _cpu()))

    with crowd(workers, by_dask="--dask" in sys.argv) as engine:
        summary = run(plan, store=url, engine=engine, progress=note)
    wall, cpu = time.perf_counter() - first[0][0], _cpu() - first[0][1]
    assert summary.counts["ok"] == summary.cells
    item = 1e3 * cpu / summary.cells
    return (
        f"{summary.cells / wall:,.0f} cells a second; the driver used {item:.2f} ms of CPU for each, {cpu / wall:.0%}"
    )


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def killed(url: str, cells: int, workers: int) -> str:
    """Kill a driver at several places of its plan and take it up again; what it had stored must be there, once."""
    from tiebreak.stores import open_store

    stored = []
    for share in (0.1, 0.4, 0.7, 0.95):
        runner = subprocess.Popen([sys.executable, __file__, str(cells), str(workers), url], stdout=subprocess.DEVNULL)
        done = 0
        while done < share * cells and runner.poll() is None:
            time.sleep(0.02)
            with contextlib.suppress(Exception), open_store(url, create=False) as store:
                done = store.counts()["ok"]
        os.kill(runner.pid, signal.SIGKILL)
        runner.wait()
        with open_store(url) as store:
            stored.append(store.counts()["ok"])
    measure(url, cells, workers)
    with open_store(url) as store:
        again = sum(row.attempts - 1 for row in store.rows())
        left = store.counts()["ok"]
    return f"killed at {stored} of {left} cells; all are there, {again} were claimed again"


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """Give the address of an empty database of a server that lives as long as the block."""
    import pgserver

    folder = tempfile.mkdtemp(prefix="tiebreak-pg-")
    running = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Print one line per store."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--cluster" in sys.argv:
        serve_cluster(int(words[0]))
        return 0
    step = killed if "--kill" in sys.argv else measure
    cells, workers = int((*words, "20000")[0]), int((*words[1:], "200")[0])
    if len(words) > 2:
        print(step(words[2], cells, workers))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        print(f"SQLite, {workers} workers: {step(str(Path(folder) / 'results.db'), cells, workers)}", flush=True)
    with contextlib.suppress(ImportError), postgresql() as url:
        print(f"PostgreSQL, {workers} workers: {step(url, cells, workers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
