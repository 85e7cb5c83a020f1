"""Runs of a plan that are killed, stopped and cut off at random: in the end they hold the scores of an undisturbed run.

`make chaos` does fifty rounds over SQLite, PostgreSQL and Dask; `python -m tests.chaos ROUNDS SEED [PLACE ...]` others.
A round starts runners, disturbs them several times, starts anew what has ended, and then lets them come to an end.
Wrong are other scores than those of the undisturbed run, exit code 0 with work left, tracebacks, failures that no
learner is to blame for, and a run that does not end.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from tiebreak.stores import StoreError, open_store

PLAN = """
datasets = ["builtin:iris", {source = "builtin:twonorm", rows = 90}]
algorithms = ["nb", "lda", {import = "resting:Resting", settings = {seconds = 0.2}}]
resampling = "3x2cv"
"""
CELLS = 36
LEARNER = """
import time
from sklearn.naive_bayes import GaussianNB

class Resting(GaussianNB):
    def __init__(self, seconds=0.0):
        super().__init__()
        self.seconds = seconds

    def fit(self, X, y):
        time.sleep(self.seconds if len(X) > 9 else 0.0)
        return super().fit(X, y)
"""
SCORES = ("accuracy", "error", "log_loss", "auc", "test_accuracy", "test_error", "test_log_loss", "test_auc")
PATIENCE = float(os.environ.get("TIEBREAK_CHAOS_SECONDS") or 300)
"""Seconds without a finished cell after which a run is taken to hang."""
TRIES = 12
Content = dict[tuple[str, ...], dict[str, str]]


class Wrong(AssertionError):
    """What must never happen."""


def write_plan(folder: Path) -> Path:
    """Write the plan and its learner; returns the path of the plan."""
    (folder / "resting.py").write_text(LEARNER)
    (folder / "plan.toml").write_text(PLAN)
    return folder / "plan.toml"


def content(store: str) -> Content:
    """Return the scores of every cell, to the bit; of one that is not ok its status."""
    with open_store(store, create=False) as opened:
        return {
            (row.dataset, row.algorithm, row.replication, row.fold): {
                name: value.hex() for name, value in row.values.items() if name in SCORES
            }
            if row.status == "ok"
            else {row.status: row.reason}
            for row in opened.rows()
        }


class Arena:
    """The runners of one plan on one store, and what may happen to them."""

    def __init__(self, plan: Path, store: str, *, runners: int = 1, engine: str = "local", seed: int = 0) -> None:
        self.plan, self.store, self.engine = plan, store, engine
        self.chance = random.Random(seed)
        self.runners: list[subprocess.Popen[bytes] | None] = [None] * runners
        self.log = plan.parent / f"log-{seed}"
        self.stopped: list[psutil.Process] = []
        self.orphans: list[psutil.Process] = []
        self.happened: list[str] = []
        self.ends: list[int] = []

    # ---- runners

    def man(self, *more: str) -> None:
        """Start the runners that are not there."""
        words = [sys.executable, "-m", "tiebreak", "run", str(self.plan), "--store", self.store, "--progress", "none"]
        words += ["--jobs", "1"] if self.engine == "local" else ["--engine", self.engine]
        for place, process in enumerate(self.runners):
            if process is None:
                with self.log.open("ab") as log:
                    self.runners[place] = subprocess.Popen([*words, *more], stdout=log, stderr=log)

    def look(self) -> None:
        """Take note of the runners that have ended, and check how."""
        for place, process in enumerate(self.runners):
            if process is not None and process.poll() is not None:
                self.runners[place] = None
                self.ends.append(process.returncode)
                text = self.log.read_text(errors="replace")
                if "Traceback" in text or process.returncode not in (0, 2, 3, -signal.SIGKILL):
                    raise Wrong(f"A runner ended with {process.returncode}:\n{text[-3000:]}")
                if process.returncode == 0 and (left := CELLS - self.done()):
                    raise Wrong(f"A runner ended with 0 and {left} cells are not done:\n{text[-3000:]}")

    @property
    def alive(self) -> list[subprocess.Popen[bytes]]:
        """The runners that have not ended."""
        return [process for process in self.runners if process is not None]

    def done(self) -> int:
        """Count the cells that have ended; 0 as long as the store cannot be read."""
        with suppress(StoreError), open_store(self.store, create=False) as opened:
            counts = opened.counts()
            return sum(counts.values()) - counts["waiting"] - counts["running"]
        return 0

    def wait(self, cells: int) -> None:
        """Wait until `cells` more are done or a runner has ended."""
        before, since, most = self.done(), time.monotonic(), len(self.alive)
        last = before
        while last < before + cells and len(self.alive) == most:
            time.sleep(0.1)
            self.look()
            if (now := self.done()) != last:
                last, since = now, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                raise Wrong(f"Nothing ends any more, after {self.happened}:\n{self.log.read_text()[-3000:]}")

    def family(self) -> list[psutil.Process]:
        """Return the runners and all processes below them."""
        processes: list[psutil.Process] = []
        for process in self.alive:
            with suppress(psutil.Error):
                current = psutil.Process(process.pid)
                processes += [current, *current.children(recursive=True)]
        return processes

    # ---- what happens

    def kill_runner(self) -> None:
        """Kill a runner; what it has started ends by itself."""
        if self.alive:
            process = self.chance.choice(self.alive)
            self.orphans += psutil.Process(process.pid).children(recursive=True)
            process.kill()

    def kill_any(self) -> None:
        """Kill a runner, a helper or a child."""
        with suppress(psutil.Error, IndexError):
            self.chance.choice(self.family()).kill()

    def stop_any(self) -> None:
        """Stop a runner, a helper or a child; it goes on a little later."""
        with suppress(psutil.Error, IndexError):
            process = self.chance.choice(self.family())
            process.suspend()
            self.stopped.append(process)

    def fill_disk(self) -> None:
        """Let no runner write beyond where its files end now."""
        for process in self.alive:
            with suppress(OSError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

    def go_on(self) -> None:
        """Let all that was stopped go on, and runners write again."""
        for stopped in self.stopped:
            with suppress(psutil.Error):
                stopped.resume()
        self.stopped.clear()
        for process in self.alive:
            with suppress(OSError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def end(self) -> None:
        """End all runners and what belongs to them."""
        self.go_on()
        family = self.family()
        for process in self.alive:
            process.kill()
            process.wait()
        for item in family:
            with suppress(psutil.Error):
                item.kill()


def one_round(arena: Arena, happenings: list[Callable[[], None]], expected: Content, *, most: int = 5) -> None:
    """Disturb a run several times, then let it come to its end and compare."""
    try:
        for _ in range(most):
            arena.man()
            arena.wait(arena.chance.randint(0, 8))
            happening = arena.chance.choice(happenings)
            arena.happened.append(getattr(happening, "__name__", "?"))
            happening()
            time.sleep(arena.chance.uniform(0.0, 2.0))
            arena.go_on()
            arena.look()
        for number in range(TRIES):
            arena.man(*(["--retry", "killed"] if number else []))
            while arena.alive:
                arena.wait(CELLS)
            if arena.ends[-1] == 0 and not any("killed" in cell for cell in content(arena.store).values()):
                break
        else:
            raise Wrong(f"It does not end well: {arena.ends}, after {arena.happened}")
        scores = content(arena.store)
        unlike = [
            f"{key}: {scores.get(key)}, not {expected[key]}" for key in expected if scores.get(key) != expected[key]
        ]
        if unlike or len(scores) != len(expected):
            raise Wrong(f"Other scores after {arena.happened}: {unlike[:3]}")
        _, alive = psutil.wait_procs(arena.orphans, timeout=60)
        left = [item for item in alive if item.is_running() and item.status() != psutil.STATUS_ZOMBIE]
        if left:
            raise Wrong(f"What killed runners had started lives on: {left}")
    finally:
        arena.end()


def undisturbed(plan: Path, folder: Path) -> Content:
    """Return the scores of a run that nothing happens to."""
    arena = Arena(plan, str(folder / "quiet.db"))
    arena.man()
    while arena.alive:
        arena.wait(CELLS)
    scores = content(arena.store)
    assert len(scores) == CELLS and all("error" in cell for cell in scores.values())
    return scores


# ---- places: stores and engines, each with what may happen there


def on_sqlite(plan: Path, folder: Path, seed: int, expected: Content, most: int = 5) -> Arena:
    """One runner at a time on a file."""
    arena = Arena(plan, str(folder / f"sqlite-{seed}.db"), seed=seed)
    one_round(arena, [arena.kill_runner, arena.kill_any, arena.stop_any, arena.fill_disk], expected, most=most)
    return arena


def on_postgresql(plan: Path, server: Any, seed: int, expected: Content, most: int = 5) -> Arena:
    """Two runners that share a plan, and a server that restarts or loses their connections."""
    import psycopg

    def cut_off() -> None:
        """End some of the sessions, as a broken network does."""
        with psycopg.connect(server.url, autocommit=True) as connection:
            query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            for (pid,) in connection.execute(query).fetchall():
                if arena.chance.random() < 0.6:
                    connection.execute("SELECT pg_terminate_backend(%s)", [pid])

    def restart() -> None:
        """Restart the server as a crash does."""
        server.restart(arena.chance.uniform(0.0, 1.0))

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS chaos{seed}")
    mark = "&" if "?" in server.url else "?"
    arena = Arena(plan, f"{server.url}{mark}options=-csearch_path%3Dchaos{seed}", runners=2, seed=seed)
    happenings = [arena.kill_runner, arena.kill_any, arena.stop_any, cut_off, restart]
    one_round(arena, happenings, expected, most=most)
    return arena


class Cluster:
    """A Dask scheduler and two workers, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.log = (folder / "cluster.log").open("ab")
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--scheduler-file", str(self.file))
        end = time.monotonic() + PATIENCE
        while not self.file.exists() and self.scheduler.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.2)
        self.man()

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *words]
        return subprocess.Popen(command, stdout=self.log, stderr=self.log)

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        import json

        return str(json.loads(self.file.read_text())["address"])

    def man(self) -> None:
        """Start the workers that are not there."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            words = ["--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny"]
            self.workers.append(self._start("dask_worker", *words))

    def close(self) -> None:
        """End all of it."""
        for worker in [*self.workers, self.scheduler]:
            with suppress(psutil.Error):
                psutil.Process(worker.pid).resume()
            worker.kill()
            worker.wait()
        self.log.close()


def on_dask(plan: Path, folder: Path, seed: int, expected: Content, most: int = 5) -> Arena:
    """One runner, and workers that die or stop."""
    place = folder / f"dask-{seed}"
    place.mkdir()
    cluster = Cluster(place)
    arena = Arena(plan, str(place / "results.db"), engine=cluster.address, seed=seed)

    def kill_worker() -> None:
        """Kill a worker; another one is started in its place."""
        arena.chance.choice(cluster.workers).kill()
        time.sleep(0.1)
        cluster.man()

    def stop_worker() -> None:
        """Stop a worker for a while."""
        with suppress(psutil.Error):
            process = psutil.Process(arena.chance.choice(cluster.workers).pid)
            process.suspend()
            arena.stopped.append(process)

    try:
        one_round(arena, [arena.kill_runner, arena.stop_any, arena.fill_disk, kill_worker, stop_worker], expected,
                  most=most)  # fmt: skip
    finally:
        cluster.close()
    return arena


@contextlib.contextmanager
def a_server() -> Iterator[Any]:
    """Run a PostgreSQL server that may be restarted."""
    from pgserver._commands import POSTGRES_BIN_PATH

    from .conftest import Server, server_in

    folder = Path(tempfile.mkdtemp(prefix="tiebreak-pg-"))
    with server_in(folder / "data") as (place, url):
        yield Server(POSTGRES_BIN_PATH / "pg_ctl", place, url)
    shutil.rmtree(folder, ignore_errors=True)


def main(rounds: int = 50, seed: int = 0, *names: str) -> int:
    """Do rounds, place after place; returns how many went wrong."""
    places = names or ("sqlite", "postgresql", "dask")
    wrong, ends = 0, dict[int, int]()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tiebreak-chaos-") as name, a_server() as server:
        folder = Path(name)
        plan = write_plan(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join([name, os.environ.get("PYTHONPATH", "")])  # for workers of Dask
        expected = undisturbed(plan, folder)
        runs: dict[str, Callable[..., Arena]] = {"sqlite": on_sqlite, "postgresql": on_postgresql, "dask": on_dask}
        for number in range(seed, seed + rounds):
            place = places[number % len(places)]
            where: Any = server if place == "postgresql" else folder
            try:
                arena = runs[place](plan, where, number, expected)
                for code in arena.ends:
                    ends[code] = ends.get(code, 0) + 1
                print(f"{number} {place}: {', '.join(arena.happened)}; exit codes {arena.ends}", flush=True)
            except Wrong as problem:
                wrong += 1
                print(f"{number} {place}: WRONG: {problem}", flush=True)
    seconds = time.monotonic() - began
    print(f"{rounds} rounds in {seconds:.0f} s, {wrong} wrong; runners by exit code: {dict(sorted(ends.items()))}")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main(*map(int, sys.argv[1:3]), *sys.argv[3:]) else 0)
