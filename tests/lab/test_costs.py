"""What a learner costs: the CPU seconds and the memory of all its processes, no warm-up, and no clock turned back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

pytest.importorskip("sklearn", reason="the lab's learners are scikit-learn estimators")
if not sys.platform.startswith("linux"):
    pytest.skip("processes are accounted for in full on Linux", allow_module_level=True)

import cloudpickle
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from tiebreak.datasets import DataSet
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.processes import operating_system
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.tasks import AlgorithmSpec, Cell, CellOutcome, Limits, Task

HERE = Path(__file__).parent
_Y = np.arange(1200) % 2
LARGE = DataSet.from_arrays(np.random.default_rng(0).normal(size=(1200, 10)) + 0.3 * _Y[:, None], _Y, name="large")
SMALL = DataSet.from_arrays(np.random.default_rng(1).normal(size=(60, 3)), np.arange(60) % 2, name="small")
ALL = {data.fingerprint: data for data in (LARGE, SMALL)}
WAYS = "here threads pool program shell many unwaited orphan daemon".split()
USED = 0.1
"""CPU seconds of a fit in every one of these ways."""


@pytest.fixture(autouse=True, scope="module")
def learners_path() -> Iterator[None]:
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


def learner(name: str, **settings: Any) -> AlgorithmSpec:
    return AlgorithmSpec(name=name, source="import", path=f"costly_learners:{name}", settings=settings)


def given(estimator: Any, name: str) -> AlgorithmSpec:
    return AlgorithmSpec(name=name, source="object", payload=cloudpickle.dumps(estimator))


def task(spec: AlgorithmSpec, first: int = 0, cells: int = 1, data: DataSet = SMALL, **limits: Any) -> Task:
    return Task(
        data=data.fingerprint,
        algorithm=spec,
        resampling=Resampling(test=0),
        seed=1,
        cells=tuple(Cell(id=first + i, replication=1 + i // 2, fold=1 + i % 2) for i in range(cells)),
        limits=Limits(**limits),
    )


def run(*tasks: Task, **options: Any) -> dict[int, CellOutcome]:
    engine = LocalEngine(**{"jobs": 1} | options)
    return {outcome.cell: outcome for outcome in engine.stream(iter(tasks), ALL)}


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    with LocalEngine(jobs=1) as made:
        yield made


def worked(engine: LocalEngine, way: str) -> list[CellOutcome]:
    """Use the CPU seconds in one way, in two cells."""
    stream = list(engine.stream(iter([task(learner("Works", way=way, seconds=USED), 0, 2)]), ALL))
    assert [outcome.status for outcome in stream] == ["ok"] * 2
    return stream


def test_the_cpu_seconds_of_every_process_of_a_fit_are_counted(engine: LocalEngine) -> None:
    """No less than they used, and nothing of the fit is charged to the prediction."""
    for way in WAYS:
        for outcome in worked(engine, way):
            assert USED - 0.01 < outcome.values["train_time"] <= outcome.values["cell_cpu"] + 1e-3, way
            assert outcome.values["train_wall"] <= outcome.values["cell_wall"] + 1e-3, way


def test_a_search_with_two_workers_does_not_look_cheaper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once 0.925 s and 0.090 s were told for the same search. What joblib shares with its workers is taken away."""
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))

    def search(jobs: int) -> AlgorithmSpec:
        forest = RandomForestClassifier(40, random_state=0)
        return given(GridSearchCV(forest, {"max_depth": [2, 8]}, cv=3, n_jobs=jobs), f"search {jobs}")

    tasks = [task(search(1), 0, 1, LARGE), task(search(2), 10, 1, LARGE)]
    result = run(*tasks)
    one, two = (result[i].values["train_time"] for i in (0, 10))
    assert one / 2 < two < 20 * one + 10, "worker start-up is charged to no search"
    assert result[0].values["accuracy"] == result[10].values["accuracy"]
    assert list(tmp_path.iterdir()) == []


def test_workers_have_one_thread_for_numerical_libraries(tmp_path: Path) -> None:
    code = (
        "from joblib import Parallel, delayed\nimport os, numpy, threadpoolctl\n"
        "def count(): return max([p['num_threads'] for p in threadpoolctl.threadpool_info()], default=1)\n"
        "print(max(Parallel(n_jobs=2)(delayed(count)() for _ in range(4))))"
    )
    from tiebreak.lab.helper_pool import _environment

    done = subprocess.run([sys.executable, "-c", code], env=_environment(), capture_output=True, text=True)
    assert done.stdout.strip() == "1", done.stderr


def test_a_daemon_ends_with_the_cell_that_started_it(tmp_path: Path) -> None:
    file = tmp_path / "daemons"
    result = run(task(learner("Daemonic", file=str(file)), cells=4))
    assert {outcome.status for outcome in result.values()} == {"ok"}
    daemons = [int(line) for line in file.read_text().split()]
    assert len(daemons) >= 4 and all_end(daemons)


def all_end(pids: list[int], seconds: float = 60.0) -> bool:
    """Tell whether processes end; the helper clears up while the outcome is on its way."""
    end = time.monotonic() + seconds
    while any(psutil.pid_exists(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(psutil.pid_exists(pid) for pid in pids)


def test_memory_is_that_of_the_tree_and_shared_pages_count_once() -> None:
    from costly_learners import hold

    for current, low, high in ((0, 195e6, 280e6), (60, 315e6, 410e6)):  # three see the 210 MB that one of them holds
        pid = hold(current)
        try:
            assert low < operating_system.tree_memory(pid) - (operating_system.held(os.getpid()) or 0) < high
        finally:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    assert operating_system.tree_memory(2**22 + 1) == 0


def test_the_memory_limit_holds_for_the_tree() -> None:
    result = run(task(learner("Holds"), 0, memory=100_000_000))
    assert result[0].status == "memory" and result[0].reason == "Stopped above 100 MB, the limit for one cell."


def test_clocks_turned_back_change_nothing() -> None:
    result = run(task(learner("Turns"), cells=2))
    for outcome in result.values():
        assert (outcome.status, outcome.reason) == ("ok", "")
        assert outcome.values["train_time"] > 0.04
        assert all(outcome.values[f"{part}_wall"] >= 0 for part in ("train", "predict", "cell"))


def test_a_slow_warm_up_is_broken_off_once_and_counts_for_no_limit(tmp_path: Path) -> None:
    """Its small fit alone takes longer than a warm-up may, and than the limit of a cell."""
    file = tmp_path / "notes"
    watched = AlgorithmSpec(
        name="w", source="import", path="bad_estimators:Watched", settings={"file": str(file), "slow_start": 600.0}
    )
    result = run(*(task(watched, 10 * i, seconds=300.0) for i in range(3)))
    assert {outcome.status for outcome in result.values()} == {"ok"}
    processes = {json.loads(line)[0] for line in file.read_text().splitlines()}
    assert len(processes) == 3 + 1


def test_imports_of_the_first_fit_are_charged_to_no_cell() -> None:
    result = run(task(learner("Lazy"), 0, 2))
    assert all(outcome.values["train_time"] < 1.0 for outcome in result.values())


def test_a_learner_that_hangs_is_stopped_by_the_limit_and_not_before_it() -> None:
    hangs = AlgorithmSpec(name="hangs", source="import", path="bad_estimators:Hangs")
    result = run(task(hangs, cells=2, seconds=0.5))
    assert {(o.status, o.reason) for o in result.values()} == {
        ("timeout", "Stopped after 0.5 s, the limit for one cell.")
    }
    assert all(outcome.values["cell_wall"] >= 0.5 for outcome in result.values())


def test_a_learner_that_crashes_while_it_warms_up_is_told_by_its_cell() -> None:
    crashes = AlgorithmSpec(name="crashes", source="import", path="bad_estimators:Crashes")
    result = run(task(crashes, cells=2))
    assert {outcome.status for outcome in result.values()} == {"crash"}
    assert all(outcome.reason.startswith("SIGSEGV") for outcome in result.values())


def test_reading_the_clocks_walks_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without children pays for three calls of the system."""
    counts: list[int] = []
    monkeypatch.setattr(operating_system, "has_children", lambda: False)
    monkeypatch.setattr(operating_system, "descendants", counts.append)
    start = operating_system.spent()
    assert all(spent >= 0 for spent in operating_system.spent_since(start)) and not counts
