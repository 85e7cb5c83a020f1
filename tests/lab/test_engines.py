"""One contract for every engine: whatever a learner does becomes an outcome, every cell has exactly one."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from tiebreak.datasets import DataSet
from tiebreak.lab.dask_engine import _Flight
from tiebreak.lab.engines import DaskEngine, LocalEngine
from tiebreak.lab.helper_pool import EngineError
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.tasks import AlgorithmSpec, Cell, CellOutcome, Limits, Task

HERE = Path(__file__).parent
DATA = DataSet.from_arrays([[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]], ["a", "b", "a"], name="small")
OTHER = DataSet.from_arrays(np.arange(40.0).reshape(20, 2), ["a", "b"] * 10, name="other")
ALL = {data.fingerprint: data for data in (DATA, OTHER)}
BEHAVE = {"work": "bad_learners:behave", "preload": ("numpy", "bad_learners")}
LIMITS = Limits(seconds=120.0, memory=300_000_000)
SHORT = {name: Limits(seconds=seconds, memory=300_000_000) for name, seconds in (("hang", 3.0), ("spin", 2.0))}
"""Long enough for the good cells beside them on a machine that has much else to do."""
PATIENCE = 100.0
"""Seconds after which what must come has not come, however busy the machine is."""
Make = Callable[..., LocalEngine | DaskEngine]

#: What the second of three cells does, and the status and the words that must come of it.
BAD = {
    "good": ("ok", ""),
    "print": ("ok", ""),
    "nan": ("ok", ""),
    "raise": ("error", "TypeError: no such thing (bad_learners.py:"),
    "recurse": ("error", "RecursionError: maximum recursion depth exceeded"),
    "unpicklable": ("error", "Unpicklable: 1 and 2 (bad_learners.py:"),
    "speechless": ("error", "Speechless: (its text cannot be shown: RuntimeError)"),
    "long": ("error", "ValueError: line one line two x"),
    "opaque": ("error", "The details of the cell cannot be kept: 'object' is nothing that JSON knows."),
    "words": ("error", "ValueError: could not convert string to float: 'many'"),
    "interrupt": ("error", "KeyboardInterrupt (bad_learners.py:"),
    "leave": ("crash", "The learner called sys.exit(enough)."),
    "exit": ("crash", "The process left with exit code 3."),
    "segfault": ("crash", "SIGSEGV (__init__.py:"),
    "killed": ("killed", "SIGKILL, sent by another process or the system, 3 times."),
    "kill_helper": ("killed", "The helper process died 3 times while it ran."),
    "hang": ("timeout", "Stopped after 3 s, the limit for one cell."),
    "spin": ("timeout", "Stopped after 2 s, the limit for one cell."),
    "leak": ("memory", "Stopped above 300 MB, the limit for one cell."),
    "hire": ("memory", "Stopped above 300 MB, the limit for one cell."),
    "grab": ("memory", "MemoryError: Unable to allocate 24.0 TiB"),
    "abort": ("memory", "SIGABRT after std::bad_alloc"),
}
FEW = ("good", "raise", "segfault", "killed", "kill_helper", "hang")
"""What the other engines are asked too: their helpers and children are the same."""


def task(name: str, first: int, count: int = 3, **options: Any) -> Task:
    data, limits = options.pop("data", DATA), options.pop("limits", LIMITS)
    return Task(
        data=data.fingerprint,
        algorithm=AlgorithmSpec(name=name, settings=options),
        resampling=Resampling(),
        seed=3,
        cells=tuple(Cell(id=first + i, replication=(first + i) // 2, fold=(first + i) % 2) for i in range(count)),
        limits=limits,
    )


def run(engine: LocalEngine | DaskEngine, tasks: list[Task]) -> dict[int, CellOutcome]:
    """Run everything and check that every cell came exactly once."""
    stream = list(engine.stream(iter(tasks), ALL))
    assert sorted(outcome.cell for outcome in stream) == sorted(cell.id for one in tasks for cell in one.cells)
    return {outcome.cell: outcome for outcome in stream}


def gone(pids: list[int], seconds: float = PATIENCE) -> bool:
    """Wait until none of the processes runs any more."""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


def alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_for(file: Path, lines: int = 1, seconds: float = PATIENCE) -> list[int]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if file.exists() and len(text := file.read_text().splitlines()) >= lines:
            return [int(word) for line in text for word in line.split()]
        time.sleep(0.02)
    raise AssertionError(f"{file.name} was not written")


@pytest.fixture(autouse=True, scope="module")
def learners_path() -> Iterator[None]:
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


@pytest.fixture(scope="module")
def cluster(learners_path: None) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture(params=["local", "fresh", "dask"], scope="module")
def make(request: pytest.FixtureRequest) -> Make:
    if request.param == "dask":
        address = request.getfixturevalue("cluster").scheduler_address
        return lambda **options: DaskEngine(address, **BEHAVE | {"timeout": PATIENCE} | options)
    fork = request.param == "local"
    return lambda **options: LocalEngine(**BEHAVE | {"jobs": 2, "fork": fork} | options)


STARTING = ("breed", "breed_and_hang", "fork_and_exit")


def contract(folder: Path, names: Collection[str]) -> Iterator[Task]:
    """Everything that is asked of every engine and seen in outcomes alone; the numbers of cells tell what they are."""
    for i, name in (pair for pair in enumerate(BAD) if pair[1] in names):
        yield task(name, 10 * i, cells=(10 * i + 1,), limits=SHORT.get(name, LIMITS))
    yield from random.Random(5).sample([task("good", 1000 + 10 * i, 4, data=(DATA, OTHER)[i % 2]) for i in range(4)], 4)
    yield task("report", 2000, 1)
    for i, name in enumerate(STARTING):
        seconds = 4.0 if name == "breed_and_hang" else 60.0
        yield task(name, 3000 + i, 1, file=str(folder / name), limits=Limits(seconds=seconds))
    yield task("hoard", 4000, 4, limits=Limits(memory=100_000_000))
    for i in range(2):
        file = str(folder / f"killed {i}")
        yield task("kill_helper_once", 5000 + 10 * i, 4, cells=(5000 + 10 * i + 2,), file=file)
    yield task("good", 6000, 0)
    yield task("killed_once", 7000, 2, cells=(7000,), file=str(folder / "killed once"))


@pytest.fixture(scope="module")
def ended(make: Make, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[int, CellOutcome], Path]:
    """All of it in one stream, so that helpers are started once; where learners wrote what they started."""
    folder = tmp_path_factory.mktemp("contract")
    engine = make()
    names = BAD if isinstance(engine, LocalEngine) and engine.settings.forks else FEW
    return run(engine, list(contract(folder, names))), folder


@pytest.fixture(scope="module")
def misbehaved(ended: tuple[dict[int, CellOutcome], Path]) -> dict[int, CellOutcome]:
    return ended[0]


def test_what_a_learner_does_becomes_an_outcome(misbehaved: dict[int, CellOutcome]) -> None:
    there = [(10 * i, *options) for i, options in enumerate(BAD.values()) if 10 * i in misbehaved]
    assert len(there) in (len(BAD), len(FEW))
    for first, status, words in there:
        outcome = misbehaved[first + 1]
        assert (outcome.status, outcome.reason[: len(words)]) == (status, words)
        assert len(outcome.reason) < 700 and outcome.reason.isprintable()
        assert [misbehaved[first + i].status for i in (0, 2)] == ["ok", "ok"], words


def test_the_accounts_of_a_cell_come_with_its_outcome(misbehaved: dict[int, CellOutcome]) -> None:
    places = {name: 10 * i + 1 for i, name in enumerate(BAD)}
    assert {"score", "cell_wall", "cell_cpu", "peak_memory"} == set(misbehaved[0].values)
    assert misbehaved[0].details == {"matrix": [[1, 0], [0, 1]], "names": ["a", "b"]}
    if places["leak"] not in misbehaved:
        return
    assert misbehaved[places["leak"]].values["peak_memory"] > 250e6
    hung, spun = (misbehaved[places[name]].values for name in ("hang", "spin"))
    assert hung["cell_wall"] > 2.9 and hung["cell_cpu"] < 1.5
    assert 0.05 < spun["cell_cpu"] < 1.2 * spun["cell_wall"] + 0.25
    assert np.isnan(misbehaved[places["nan"]].values["score"])


def test_scores_depend_on_neither_engine_nor_order(misbehaved: dict[int, CellOutcome]) -> None:
    for i in range(4):
        for cell in range(1000 + 10 * i, 1000 + 10 * i + 4):
            total = (DATA, OTHER)[i % 2].values.sum()
            assert misbehaved[cell].values["score"] == float(total + 1000 * (cell // 2) + cell % 2 + 3 / 7)


def test_a_child_is_single_threaded_and_reads_no_input(misbehaved: dict[int, CellOutcome]) -> None:
    assert misbehaved[2000].details["threads"] == ["1", "1"]


def test_tasks_are_taken_as_they_are_needed(make: Make) -> None:
    taken: list[int] = []

    def source() -> Iterator[Task]:
        for i in range(9):
            taken.append(i)
            yield task("good", i, 1)

    stream = make().stream(source(), ALL)
    ahead = [len(taken) - done for done, _ in enumerate(stream, 1)]
    assert len(ahead) == 9 and max(ahead) <= 4


def test_what_a_learner_started_ends_with_its_cell(ended: tuple[dict[int, CellOutcome], Path]) -> None:
    result, folder = ended
    assert [result[3000 + i].status for i in range(3)] == ["ok", "timeout", "crash"]
    assert gone([wait_for(folder / name)[0] for name in STARTING])


def test_memory_of_earlier_cells_is_not_held_against_a_later_one(misbehaved: dict[int, CellOutcome]) -> None:
    assert {misbehaved[4000 + i].status for i in range(4)} == {"ok"}


def test_a_killed_helper_loses_nothing(misbehaved: dict[int, CellOutcome]) -> None:
    assert {misbehaved[5000 + 10 * i + j].status for i in range(2) for j in range(4)} == {"ok"}


def test_a_cell_that_was_killed_once_runs_again(ended: tuple[dict[int, CellOutcome], Path]) -> None:
    result, folder = ended
    assert (folder / "killed once").exists() and {result[7000 + i].status for i in range(2)} == {"ok"}


def test_no_task_gives_no_outcome(make: Make) -> None:
    assert run(make(), []) == {}


def test_leaving_a_stream_ends_everything(make: Make, tmp_path: Path) -> None:
    file, free = tmp_path / "marks", Limits()
    tasks = [task("good", 0, 1), task("mark", 1, 50, file=str(file), limits=free), task("hang", 90, 1, limits=free)]
    stream = make(preload=("numpy",)).stream(iter(tasks), ALL)
    next(stream)
    pids = wait_for(file)
    stream.close()
    assert gone(pids)


DRIVER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests in the background ignores it
sys.path[:0] = {path!r}
from test_engines import ALL, BEHAVE, Limits, task
from tiebreak.lab.engines import LocalEngine
file, fork = sys.argv[1], sys.argv[2] == "True"
tasks = [task("mark", 100 * i, 100, file=file, limits=Limits()) for i in range(2)]
try:
    for outcome in LocalEngine(jobs=2, fork=fork, **BEHAVE).stream(iter(tasks), ALL):
        pass
except KeyboardInterrupt:
    sys.exit("stopped")
"""


def stop(driver: subprocess.Popen[str], how: signal.Signals, patience: float = 30.0) -> str:
    """Signal until the driver ends, as a person would: Python drops an interrupt that falls into a callback."""
    for _ in range(4):
        driver.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return driver.communicate(timeout=patience)[1]
    driver.kill()
    raise AssertionError(f"The driver did not end: {driver.communicate()[1]}")


@pytest.mark.parametrize(("fork", "how"), [(True, signal.SIGKILL), (False, signal.SIGINT)])
def test_nothing_survives_the_driver(tmp_path: Path, fork: bool, how: signal.Signals) -> None:
    file = tmp_path / "marks"
    command = [sys.executable, "-c", DRIVER.format(path=[str(HERE)]), str(file), str(fork)]
    driver = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    pids = wait_for(file, 3)
    words = stop(driver, how)
    assert gone(pids)
    assert words.endswith("stopped\n") if how == signal.SIGINT else words == ""


def test_helpers_are_kept_from_stream_to_stream_inside_with() -> None:
    with LocalEngine(jobs=1, **BEHAVE) as engine:
        helpers = [run(engine, [task("report", 0, 1)])[0].details["helper"] for _ in range(2)]
        assert helpers[0] == helpers[1] and alive(helpers[0])
    assert gone([helpers[0]])


@pytest.mark.parametrize("fork", [True, False])
def test_kept_helpers_find_modules_where_their_driver_finds_them_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fork: bool
) -> None:
    (tmp_path / "later_learners.py").write_text("def work(data, task, cell):\n    return {'later': 1.0}, {}\n")
    with LocalEngine(jobs=1, work="later_learners:work", preload=("numpy",), fork=fork) as engine:
        first = run(engine, [task("later", 0, 1)])[0]
        helpers = list(engine._pool.helpers)
        monkeypatch.syspath_prepend(str(tmp_path))
        second = run(engine, [task("later", 0, 1)])[0]
        assert engine._pool.helpers == helpers
    assert (first.status, second.status, second.values["later"]) == ("error", "ok", 1.0)


def test_helpers_can_be_started_before_there_is_work() -> None:
    with LocalEngine(jobs=2, **BEHAVE) as engine:
        engine.start()
        ready = [helper.said_hello for helper in engine._pool.helpers]
        pids = {helper._process.pid for helper in engine._pool.helpers}
        assert ready == [True, True]
        assert {item.details["helper"] for item in run(engine, [task("report", 0, 4)]).values()} <= pids
    assert gone(sorted(pids))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc, which only Linux has")
def test_a_helper_that_forks_has_one_thread_with_everything_loaded() -> None:
    (outcome,) = run(LocalEngine(jobs=1, work=BEHAVE["work"]), [task("count_threads", 0, 1)]).values()
    assert (outcome.status, outcome.values["threads"]) == ("ok", 1.0)


def test_a_helper_forgets_data_that_no_task_needs() -> None:
    with LocalEngine(jobs=1, **BEHAVE) as engine:
        result = run(engine, [task("good", 10 * i, 1, data=(DATA, OTHER)[i % 2]) for i in range(6)])
        (helper,) = engine._pool.helpers
        assert len(helper._held) <= 2
    assert [result[10 * i].values["score"] for i in range(2)] == [
        float(DATA.values.sum() + 3 / 7),
        float(OTHER.values.sum() + 5000 + 3 / 7),
    ]


def test_a_helper_that_cannot_start_is_an_error_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EngineError) as caught:
        list(LocalEngine(jobs=1).stream(iter([task("good", 0)]), ALL))
    assert str(caught.value) == (
        "No helper process starts (it says nothing). Learners run in processes of their own. Try `/bin/false -m "
        "tiebreak.lab.processes.helper_program` by hand and mend what it reports."
    )


def kill_one(cluster: Any, turn: int) -> int:
    """Kill a worker; one that was killed before may still be known by its number, or not yet be there again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        workers = [nanny.pid for nanny in cluster.workers.values() if nanny.pid and alive(nanny.pid)]
        with contextlib.suppress(ProcessLookupError, ZeroDivisionError):
            os.kill(workers[turn % len(workers)], signal.SIGKILL)
            return 1
        time.sleep(0.02)
    return 0


def test_dask_workers_killed_in_the_middle_lose_nothing(cluster: Any) -> None:
    engine = DaskEngine(cluster.scheduler_address, timeout=PATIENCE, **BEHAVE)
    tasks = [task("nap", 10 * i, 4, data=(DATA, OTHER)[i % 2]) for i in range(8)]
    outcomes: list[CellOutcome] = []
    killed = 0
    for outcome in engine.stream(iter(tasks), ALL):
        outcomes.append(outcome)
        if len(outcomes) in (5, 17):
            killed += kill_one(cluster, killed)
    assert killed == 2
    assert sorted(outcome.cell for outcome in outcomes) == sorted(cell.id for one in tasks for cell in one.cells)
    assert {outcome.status for outcome in outcomes} == {"ok"}


def test_one_cell_that_ends_its_dask_worker_every_time_takes_no_other_with_it() -> None:
    class KilledWorker(Exception):
        allowed_failures = 3

    flight = object.__new__(_Flight)
    flight._losses, flight._again = {}, []
    assert flight._lost(task("good", 5, 3), KilledWorker()) == []
    assert [[cell.id for cell in item.cells] for item in flight._again] == [[7], [6], [5]], (
        "the last one is taken first"
    )
    (result,) = flight._lost(flight._again.pop(), KilledWorker())
    assert (result.cell, result.status) == (5, "killed")
    assert result.reason == "Its Dask worker was lost 4 times while it ran."
    rest = flight._again.pop()
    for _ in range(2):  # its data went with the worker
        assert flight._lost(rest, OSError(), cancelled=True) == []
        assert flight._again.pop() is rest
    (result,) = flight._lost(rest, OSError(), cancelled=True)
    assert (result.cell, result.status) == (6, "killed")


def test_helpers_of_a_killed_dask_worker_end(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "marks"
    stream = DaskEngine(cluster.scheduler_address, timeout=PATIENCE, **BEHAVE).stream(
        iter([task("good", 0, 1), task("mark", 1, 40, file=str(file), limits=Limits())]), ALL
    )
    next(stream)
    pids = wait_for(file)
    os.kill(psutil.Process(pids[0]).ppid(), signal.SIGKILL)
    assert gone(pids)
    stream.close()


def test_a_dask_scheduler_that_does_not_answer() -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    with pytest.raises(EngineError) as caught:
        list(DaskEngine("dask://127.0.0.1:9", timeout=0.3).stream(iter([]), {}))
    assert str(caught.value) == (
        "No Dask scheduler answers at tcp://127.0.0.1:9 (OSError). The engine uses a cluster that is already running. "
        "Start one with `dask scheduler` and `dask worker`, or use the engine 'local'."
    )


def test_a_dask_cluster_without_workers() -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty:
        address = empty.scheduler_address
        with pytest.raises(EngineError) as caught:
            list(DaskEngine(address, timeout=5).stream(iter([task("good", 0)]), ALL))
    assert str(caught.value) == (
        f"The Dask scheduler at {address} has no workers. None came within 5 s, and without one nothing runs. "
        f"Start one: dask worker {address}"
    )


def test_engines_tell_a_watch_what_begins_and_wake_it(make: Make) -> None:
    begun: list[int] = []
    ticks: list[int] = []

    class Watching:
        def begun(self, cell: int) -> None:
            begun.append(cell)

        def tick(self) -> None:
            ticks.append(len(begun))

    engine = make()
    engine.watch = Watching()
    result = run(engine, [task("good", 0), task("nap", 10)])
    assert len(result) == 6
    assert {0, 10} <= set(begun) <= set(result)  # Dask knows of the first cell of a task only
    assert ticks


def test_what_a_watch_raises_ends_the_stream(make: Make) -> None:
    class Over(Exception):
        pass

    class Watching:
        def begun(self, cell: int) -> None: ...

        def tick(self) -> None:
            raise Over

    engine = make()
    engine.watch = Watching()
    with pytest.raises(Over):
        list(engine.stream(iter([task("nap", 0, 40)]), ALL))


SCHEDULER = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"processes": False, "protocol": "tcp://", "dashboard_address": ":0"}
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, **options)
    print(cluster.scheduler_address, flush=True)
    time.sleep(3600)
"""


def found_learners() -> dict[str, str]:
    """The surroundings of a process that imports the learners of the tests."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}


@pytest.fixture
def other_cluster() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A scheduler with one worker in a process of their own, and its address."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    command, quiet = [sys.executable, "-c", SCHEDULER], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True, env=found_learners()) as other:
        assert other.stdout is not None
        yield other, other.stdout.readline().strip()
        other.kill()


def test_a_run_whose_scheduler_dies_says_so_without_a_traceback(
    tmp_path: Path, other_cluster: tuple[subprocess.Popen[str], str]
) -> None:
    other, address = other_cluster
    plan, store = tmp_path / "plan.toml", tmp_path / "results.db"
    slow = '{import = "bad_estimators:Steady", settings = {nap = 600}}'
    plan.write_text(f'datasets = ["builtin:iris"]\nalgorithms = ["nb", {slow}]\nresampling = "1x2cv"\n')
    command = ["run", str(plan), "--store", str(store), "--engine", address, "--progress", "jsonl"]
    piped = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    driver = subprocess.Popen([sys.executable, "-m", "tiebreak", *command], env=found_learners(), **piped)
    assert driver.stderr is not None
    lines = iter(driver.stderr.readline, "")
    finished = (line for line in lines if '"event": "finished"' in line)
    assert [json.loads(line)["cell"]["algorithm"] for line in islice(finished, 2)] == ["nb", "nb"]
    helpers = [child.pid for child in psutil.Process(other.pid).children(recursive=True)]
    other.kill()
    rest = [line for line in lines if not line.startswith("{")]
    driver.communicate()
    assert (driver.returncode, rest) == (
        2,
        [
            f"tiebreak run: The Dask scheduler at {address} is gone. The tasks in flight are lost with it; what was "
            f"finished before is stored. Start it (dask scheduler) and its workers (dask worker {address}), then run "
            "the same command again: only what is missing will run. Or go on here, with the engine 'local'.\n"
        ],
    )
    assert helpers and gone(helpers)
    from tiebreak.stores import open_store

    with open_store(store) as opened:
        counts = opened.counts()
    assert (counts["ok"], counts["waiting"], counts["running"]) == (2, 2, 0)
