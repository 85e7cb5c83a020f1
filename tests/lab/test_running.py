"""Whole runs: resumable, fair, the same scores however they are run, and nothing lost when something dies."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.cli import main
from tiebreak.datasets import DataSet
from tiebreak.errors import TiebreakError
from tiebreak.lab import driver, under_way
from tiebreak.lab.driver import Progress, dry_run, run
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.plans import plan_from, read_plan
from tiebreak.lab.prepared import prepare
from tiebreak.lab.tasks import CellOutcome, Task
from tiebreak.stores import Store, open_store
from tiebreak.stores.claims import Runner

HERE = Path(__file__).parent
TIMED = {"train_time", "train_wall", "predict_time", "predict_wall", "cell_wall", "cell_cpu", "peak_memory"}
SMALL = {"datasets": ["builtin:iris", "builtin:monks1"], "algorithms": ["nb", "c45"], "resampling": "1x2cv"}
TABLE = 'datasets = ["builtin:iris", "builtin:monks1"]\nresampling = "3x2cv"\nalgorithms = ["nb", {}]\n'
STEADY = '{import = "bad_estimators:Steady", settings = {nap = 0.1}}'
SLOW = '{import = "bad_estimators:Steady", settings = {nap = 0.3}}'
"""So slow that whoever watches the cells of a plan is never too late for the last."""


@pytest.fixture(autouse=True, scope="module")
def learners_path() -> Iterator[None]:
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


@pytest.fixture(autouse=True, scope="module")
def ctrl_c_heard() -> Iterator[None]:
    """Hear Ctrl-C, also where the tests run behind a shell that lets its background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def engine(learners_path: None) -> Iterator[LocalEngine]:
    """An engine whose helpers live as long as the module: starting them takes longer than the cells."""
    with LocalEngine(jobs=2) as made:
        yield made


def scores(store: str | Path) -> list[list[Any]]:
    """Everything a store holds that must not depend on when, where and how often it was run."""
    with open_store(store, create=False) as opened:
        return sorted(
            [
                *(row.dataset, row.algorithm, row.resampling, row.seed, row.replication, row.fold, row.status),
                sorted((name, value.hex()) for name, value in row.values.items() if name not in TIMED),
                json.dumps({name: value for name, value in row.details.items() if name != "timing"}),
            ]
            for row in opened.rows()
        )


def command(plan: Path, store: str | Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "tiebreak", "run", str(plan), "--store", str(store), *more]


def start(plan: Path, store: str | Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(plan, store, *more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
    )


def wait_for_cells(store: str | Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a store holds so many finished cells."""
    while process.poll() is None:
        if isinstance(store, str) or store.exists():
            with open_store(store) as opened:
                if opened.counts()["ok"] >= count:
                    return
        time.sleep(0.05)
    raise AssertionError(f"It ended before: {process.communicate()}")


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def all_gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=60)
    return not [item for item in alive if item.status() != psutil.STATUS_ZOMBIE]


# ---- what is run, and what is not run again


def test_only_what_is_missing_is_run(tmp_path: Path, engine: LocalEngine) -> None:
    store = tmp_path / "results.db"
    first = run(SMALL, store=store, engine=engine)
    assert (first.ran, first.cells, dict(first.counts)["ok"], first.failures) == (8, 8, 8, ())
    before = scores(store)
    again = run(SMALL, store=store, engine=engine)
    assert (again.ran, again.title()) == (0, f"plan: nothing to do; all 8 cells are in {store}")
    more = SMALL | {"datasets": [*SMALL["datasets"], "builtin:wine"], "algorithms": ["nb", "5nn", "c45"]}
    wider = more | {"resampling": "2x2cv"}
    assert dry_run(wider, store=store).title() == (
        "plan: 3 data sets x 3 algorithms x 2 replications of 2 folds = 36 cells: 8 done, 0 failed, 28 to run"
    )
    assert run(more, store=store, engine=engine).ran == 10
    assert run(wider, store=store, engine=engine).ran == 18
    after = scores(store)
    assert len(after) == 36
    assert all(row in after for row in before)
    run(wider, store=tmp_path / "at-once.db", engine=engine)
    assert scores(tmp_path / "at-once.db") == after


def test_scores_depend_neither_on_jobs_nor_on_order_nor_on_company(tmp_path: Path, engine: LocalEngine) -> None:
    forest = {"name": "rf", "settings": {"trees": 5}}
    run(SMALL | {"algorithms": ["nb", "c45", forest]}, store=tmp_path / "a.db", engine=engine)
    turned = {"datasets": SMALL["datasets"][::-1], "algorithms": [forest, "nb", "c45"], "resampling": "1x2cv"}
    run(turned, store=tmp_path / "b.db", jobs=1)
    assert scores(tmp_path / "a.db") == scores(tmp_path / "b.db")
    run(SMALL | {"algorithms": [forest]}, store=tmp_path / "c.db", engine=engine)
    assert scores(tmp_path / "c.db") == [row for row in scores(tmp_path / "a.db") if row[1] == "rf"]
    run(SMALL | {"algorithms": [forest], "seed": 1}, store=tmp_path / "d.db", engine=engine)
    assert scores(tmp_path / "d.db") != scores(tmp_path / "c.db")


def test_a_dry_run_writes_nothing(tmp_path: Path, engine: LocalEngine) -> None:
    assert dry_run(SMALL, store=tmp_path / "none.db").cells == 8
    assert list(tmp_path.iterdir()) == []
    run(SMALL, store=tmp_path / "results.db", engine=engine)
    with open_store(tmp_path / "results.db") as opened:
        before = (opened.counts(), opened.plans(), opened.data_sets())
        dry_run(SMALL | {"algorithms": ["lda"]}, store=tmp_path / "results.db")
        assert (opened.counts(), opened.plans(), opened.data_sets()) == before
    (tmp_path / "text.db").write_text("this is no database, and long enough to be sure of that")
    with pytest.raises(TiebreakError, match=r"text\.db could not be opened: file is not a database"):
        dry_run(SMALL, store=tmp_path / "text.db")


def test_a_dry_run_imports_nothing_of_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even where the file has the name of a library that is imported on the way."""
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'datasets = ["builtin:iris"]\nresampling = "1x2cv"\nalgorithms = ["nb", {import = "evil.part:Learner",'
        ' name = "bad", settings = {estimator = {import = "evil:Other"}}}]\n'
    )
    (tmp_path / "evil").mkdir()
    for name in ("evil/__init__", "evil/part", "pandas", "cloudpickle"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w')\n")
    assert main(["run", str(plan), "--store", str(tmp_path / "none.db"), "--dry-run"]) == 0
    assert "2 algorithms x 1 replication of 2 folds = 4 cells" in (text := capsys.readouterr().out)
    assert text.endswith("Algorithms: nb, bad\nNot imported, and so not checked: evil.part:Learner\n")
    assert not (tmp_path / "imported").exists() and str(tmp_path) not in sys.path


def test_one_name_for_two_things_is_refused_before_anything_runs(tmp_path: Path, engine: LocalEngine) -> None:
    store = tmp_path / "results.db"
    run(SMALL, store=store, engine=engine)
    changed = SMALL | {"algorithms": [{"name": "c45", "settings": {"min_leaf": 5}}]}
    with pytest.raises(TiebreakError) as caught:
        run(changed, store=store, engine=engine)
    assert str(caught.value) == (
        f"The store {store} holds another algorithm 'c45', with other settings: named 1 c45"
        ' {"min_leaf": 2, "prune": 0.005, "tune": False} -> named 1 c45'
        ' {"min_leaf": 5, "prune": 0.005, "tune": False}. Under one name their results could not be distinguished. '
        'Give this one another name, {algorithm = ..., settings = ..., name = "c45-2"}, or use another store.'
    )
    other = SMALL | {"datasets": [{"source": "builtin:monks2", "name": "monks1"}]}
    with pytest.raises(TiebreakError) as caught:
        dry_run(other, store=store)
    assert str(caught.value) == (
        f"The store {store} holds another data set 'monks1', with other rows. "
        "Under one name their results could not be distinguished. "
        'Give this one another name, {source = ..., name = "monks1-2"}, or use another store.'
    )
    with pytest.raises(TiebreakError) as caught:
        run(SMALL | {"datasets": [{"source": "builtin:iris", "name": "flowers"}]}, store=store, engine=engine)
    assert str(caught.value) == (
        "The data set 'flowers' is in the store already, under the name 'iris'. "
        "Under two names it would count twice in every comparison. Call it 'iris', or use another store."
    )
    renamed = SMALL | {"algorithms": [{"algorithm": "c45", "name": "c45-5", "settings": {"min_leaf": 5}}]}
    assert run(renamed, store=store, engine=engine).ran == 4


def test_progress_counts_and_estimates(tmp_path: Path, engine: LocalEngine) -> None:
    heard: list[Progress] = []
    run(SMALL, store=tmp_path / "results.db", engine=engine, progress=heard.append)
    assert [item.done for item in heard] == list(range(1, 9))
    assert {item.total for item in heard} == {8}
    assert heard[0].remaining is None
    assert heard[6].remaining is not None
    assert heard[-1].remaining == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"retry": ["ok"]},
            "There is no status to retry 'ok'. Known here: 'error', 'timeout', 'memory', 'crash', 'killed'.",
        ),
        ({"jobs": 0}, "jobs is 0. At least one is needed to run anything, and it is a whole number."),
        ({"engine": "moon"}, "There is no engine 'moon'."),
        ({"store": "mysql://me:secret@host/db"}, "The address of the store cannot be read."),
        ({"store": ":memory:"}, "A store in memory was asked for."),
    ],
)
def test_options_that_mean_nothing(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(TiebreakError) as caught:
        run(SMALL, **{"store": tmp_path / "results.db", **options})
    assert str(caught.value).startswith(words)
    assert "secret" not in str(caught.value)
    assert not (tmp_path / "results.db").exists()


def test_a_plan_is_a_plan() -> None:
    with pytest.raises(TiebreakError, match=r"^The plan is 5\. A plan is a Plan, a mapping, or the path"):
        run(5)  # type: ignore[arg-type]


def test_every_measure_is_documented(tmp_path: Path, engine: LocalEngine) -> None:
    page = (HERE.parents[1] / "docs" / "lab.md").read_text(encoding="utf-8")
    plan = {"datasets": ["builtin:monks1"], "algorithms": ["svr", "c45", "lda"], "resampling": "1x2cv"}
    run(plan, store=tmp_path / "results.db", engine=engine)
    with open_store(tmp_path / "results.db") as opened:
        assert [name for name in opened.measures() if f"`{name}`" not in page] == []


# ---- learners that misbehave


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory, engine: LocalEngine) -> Path:
    """A store of a plan whose learners hang, crash, exit, raise and leak, beside two good ones."""
    store = tmp_path_factory.mktemp("troubled") / "results.db"
    bad = [{"import": f"bad_estimators:{name}"} for name in ("Hangs", "Crashes", "Exits", "Raises", "Leaks")]
    plan = {
        "datasets": ["builtin:iris", "builtin:monks1"],
        "algorithms": ["nb", *bad[:-1], "c45"],
        "resampling": "1x2cv",
        "limits": {"seconds": 3, "memory": "300 MB"},
    }
    leaks = plan | {"algorithms": bad[-1:], "limits": {"memory": "300 MB"}}  # it is found out when somebody looks
    counts = Counter()
    for item in (plan, leaks):
        counts += run(item, store=store, engine=engine).counts
    assert counts == {"ok": 8, "error": 4, "timeout": 4, "memory": 4, "crash": 8}
    return store


def test_bad_learners_are_rows_with_reasons(troubled: Path) -> None:
    with open_store(troubled) as opened:
        rows = {(row.algorithm, row.status, row.reason.partition(" (")[0]) for row in opened.rows()}
    assert rows == {
        ("nb", "ok", ""),
        ("c45", "ok", ""),
        ("Hangs", "timeout", "Stopped after 3 s, the limit for one cell."),
        ("Crashes", "crash", "SIGSEGV"),
        ("Exits", "crash", "The process left with exit code 3."),
        ("Raises", "error", "ValueError: these rows are not to my taste"),
        ("Leaks", "memory", "Stopped above 300 MB, the limit for one cell."),
    }


def test_comparisons_name_what_failed(troubled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--store", str(troubled), "--score", "error"]) == 2
    err = capsys.readouterr().err
    assert "'Crashes' has no error on data set 'iris' (10 gaps in all)" in err
    assert (
        main(["compare", "--store", str(troubled), "--score", "error", "--missing", "drop-algorithms", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert sorted(data["mean_ranks"]) == ["c45", "nb"]
    notes = " ".join(data["caveats"])
    assert "'Hangs' failed on 'iris': 2 cells ended with timeout (Stopped after 3 s, the limit for one cell.)." in notes


def test_failed_cells_are_tried_again_when_asked(tmp_path: Path, engine: LocalEngine) -> None:
    store = tmp_path / "results.db"
    late = {"import": "bad_estimators:Steady", "settings": {"nap": 4.0}, "name": "late"}
    plan = {"datasets": ["builtin:iris"], "algorithms": ["nb", late], "resampling": "1x2cv"}
    hurried = plan | {"limits": {"seconds": 2.0}}
    first = run(hurried, store=store, engine=engine)
    assert [(row["algorithm"], row["status"], row["cells"]) for row in first.failures] == [("late", "timeout", 2)]
    assert first.caveats == ("Failed cells are kept as they are; to run them again: retry=['timeout']",)
    assert first.to_dict()["caveat_codes"] == ["failed-cells-kept"]
    assert run(plan, store=store, engine=engine).ran == 0  # a failure is a result, whatever the limits are now
    assert run(plan, store=store, engine=engine, retry=["crash"]).ran == 0
    assert dict(run(plan, store=store, engine=engine, retry=["timeout"]).counts)["ok"] == 4


# ---- fairness


def leaky(rows: int = 240) -> DataSet:
    """Data with nothing to learn: the classes are drawn, and every row has a number and a symbol of its own."""
    rng = np.random.default_rng(5)
    values = np.column_stack([np.arange(rows), np.arange(rows), rng.normal(size=rows)])
    return DataSet.from_arrays(values, rng.permutation(rows) % 2, name="leaky", symbolic=[False, True, False])


def test_nothing_crosses_from_validation_to_training(tmp_path: Path, engine: LocalEngine) -> None:
    """Whoever is better than chance on these data has seen the classes of rows it is measured on."""
    data = leaky()
    memory = {"import": "bad_estimators:Memory", "settings": {"encode": False}}
    plan = {"datasets": [data], "algorithms": ["c45", "5nn", "nb", "rf", "lda", "boost", memory]}
    assert run(plan, store=tmp_path / "results.db", engine=engine).counts["ok"] == 70
    with open_store(tmp_path / "results.db") as opened:
        result: dict[str, list[float]] = {}
        for row in opened.rows():
            result.setdefault(row.algorithm, []).append(row.values["error"])
            result.setdefault(f"{row.algorithm} test", []).append(row.values["test_error"])
    for name, errors in result.items():
        assert 0.4 < float(np.mean(errors)) < 0.6, name
    seen = DataSet.from_arrays(np.tile(data.values, (2, 1)), np.tile(data.target, 2), name="twice")
    run(plan | {"datasets": [seen], "algorithms": [memory]}, store=tmp_path / "twice.db", engine=engine)
    with open_store(tmp_path / "twice.db") as opened:  # the same test where rows do stand on both sides: it can fail
        assert float(np.mean([row.values["error"] for row in opened.rows()])) < 0.35


def test_all_algorithms_see_the_same_rows_and_scale_by_their_own(tmp_path: Path, engine: LocalEngine) -> None:
    values = np.column_stack([np.arange(60.0), np.r_[np.arange(59.0), 1e6]])
    data = DataSet.from_arrays(values, [i % 3 for i in range(60)], name="numbered")
    watched = [
        {"import": "bad_estimators:Watched", "name": who, "settings": {"file": str(tmp_path / who), "who": who} | more}
        for who, more in (("a", {"encode": False}), ("b", {"encode": False}), ("scaled", {}))
    ]
    run({"datasets": [data], "algorithms": watched}, store=tmp_path / "results.db", engine=engine)
    cells = {who: fits(tmp_path / who) for who in ("a", "b")}
    assert cells["a"] == cells["b"]
    assert len(cells["a"]) == 10
    for train, validation, test in cells["a"]:
        assert not set(train) & set(validation) | set(train) & set(test) | set(validation) & set(test)
        assert len(train) + len(validation) + len(test) == 60
    for line in (tmp_path / "scaled").read_text().splitlines():
        _, what, _, mean = json.loads(line)
        assert what == "predict" or mean < 1e-9  # scaled by the rows it learns from, the one with 1e6 or not


def fits(file: Path) -> list[tuple[tuple[float, ...], ...]]:
    """Return the rows of every fit that is scored, and of the two predictions after it.

    The warm-up sees nine rows only, and after a fit that is repeated for its time comes no prediction.
    """
    processes: dict[int, list[tuple[str, tuple[float, ...]]]] = {}
    for process, what, rows, _ in map(json.loads, file.read_text().splitlines()):
        if len(rows) > 9:
            processes.setdefault(process, []).append((what, tuple(rows)))
    scored = ["fit", "predict", "predict"]
    parts = [calls[at : at + 3] for calls in processes.values() for at in range(len(calls) - 2)]
    return sorted(tuple(rows for _, rows in part) for part in parts if [what for what, _ in part] == scored)


# ---- runners that are stopped, killed, or two


def test_ctrl_c_stops_cleanly(tmp_path: Path) -> None:
    plan, store = tmp_path / "plan.toml", tmp_path / "results.db"
    plan.write_text(TABLE.replace("{}", SLOW))
    process = start(plan, store, "--jobs", "1", "--json")
    wait_for_cells(store, 2, process)
    children = family(process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=100)
    data = json.loads(out)
    assert process.returncode == 130
    assert data["interrupted"]
    assert data["counts"]["running"] == 0
    assert 2 <= data["counts"]["ok"] < 24
    assert children
    assert all_gone(children)


class Quick:
    """An engine that runs nothing: every cell ends well at once."""

    jobs, watch = 1, None

    def stream(self, tasks: Iterator[Task], _: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        for task in tasks:
            yield from (CellOutcome(cell=cell.id, status="ok", values={"error": 0.5}) for cell in task.cells)


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "INSERT", "UPDATE cells", "COMMIT"])
def test_ctrl_c_inside_a_transaction_waits_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    finish, struck = Store.finish, []
    monkeypatch.setattr(under_way, "MOST", 1)  # one outcome in every transaction

    def strike_inside(self: Store, outcomes: Any) -> list[int]:
        def strike(text: str) -> None:
            if text.startswith(statement) and not struck:
                struck.append(text)
                signal.raise_signal(signal.SIGINT)

        with self.engine.connect() as connection:  # of a pool of one: `finish` gets the same
            connection.connection.dbapi_connection.set_trace_callback(strike)
        return finish(self, outcomes)

    monkeypatch.setattr(Store, "finish", strike_inside)
    result = run(SMALL, store=tmp_path / "results.db", engine=Quick())
    assert struck
    assert result.interrupted and result.exit_code == 130
    assert result.ran == result.counts["ok"] == 1
    assert result.counts["running"] == 0


def test_a_run_survives_the_restarts_of_its_server(tmp_path: Path, restartable: Any, engine: LocalEngine) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(TABLE.replace("{}", STEADY))
    restarts: list[threading.Thread] = []

    def restart_now_and_then(now: Progress) -> None:
        if now.done in (4, 12, 20):
            for restart in restarts:  # one at a time
                restart.join()
            restarts.append(threading.Thread(target=restartable.restart, args=(0.5,)))
            restarts[-1].start()

    summary = run(plan, store=restartable.url, engine=engine, progress=restart_now_and_then)
    for item in restarts:
        item.join()
    assert (len(restarts), summary.ran, summary.counts["ok"]) == (3, 24, 24)
    with open_store(restartable.url) as opened:
        assert {row.attempts for row in opened.rows()} == {1}
    run(plan, store=tmp_path / "alone.db", engine=engine)
    assert scores(restartable.url) == scores(tmp_path / "alone.db")


def test_a_finished_run_leaves_everything_in_one_file(tmp_path: Path, engine: LocalEngine) -> None:
    seen = []
    with open_store(tmp_path / "results.db") as reader:  # a second connection keeps SQLite from doing it by itself
        reader.counts()
        run(SMALL, store=tmp_path / "results.db", engine=engine)
        seen = [path.stat().st_size for path in tmp_path.glob("results.db-wal")]
        shutil.copy(tmp_path / "results.db", tmp_path / "alone.db")
    assert sum(seen) == 0
    assert scores(tmp_path / "alone.db") == scores(tmp_path / "results.db")


def test_a_second_runner_on_a_file_is_refused(tmp_path: Path, engine: LocalEngine) -> None:
    plan, store = tmp_path / "plan.toml", tmp_path / "results.db"
    plan.write_text(TABLE.replace("{}", STEADY))
    with open_store(store) as opened, opened.runner():
        second = subprocess.run(
            command(plan, store),
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": str(HERE)},
        )
        assert opened.counts()["waiting"] == 0
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr.startswith(
        f"tiebreak run: The store {store} is in use by another runner (process {os.getpid()} on "
    )
    assert "for several runners at once use PostgreSQL" in second.stderr


def test_two_runners_share_one_postgresql_store(tmp_path: Path, new_schema: str, engine: LocalEngine) -> None:
    """The other has the first cell, and comes to no last one before this one has begun with its own."""
    plan, gate = tmp_path / "plan.toml", tmp_path / "gate"
    gated = f'{{import = "bad_estimators:Gated", settings = {{gate = "{gate}"}}}}'
    plan.write_text(TABLE.replace("{}", gated))
    other = start(plan, new_schema, "--jobs", "1", "--json")
    wait_for_cells(new_schema, 1, other)
    here = run(plan, store=new_schema, engine=engine, events=lambda now: now.kind == "started" and gate.touch())
    there = json.loads(other.communicate(timeout=100)[0])
    assert other.returncode == 0
    assert min(here.ran, there["ran"]) > 0 and here.ran + there["ran"] == 24
    with open_store(new_schema) as opened:
        assert opened.counts()["ok"] == 24
        assert {row.attempts for row in opened.rows()} == {1}
    run(plan, store=tmp_path / "alone.db", engine=engine)
    assert scores(new_schema) == scores(tmp_path / "alone.db")


def test_a_run_takes_over_from_a_runner_that_dies(
    new_schema: str, engine: LocalEngine, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(new_schema) as opened, opened.runner() as other:
        prepare(plan_from(SMALL), opened)
        held = other.claim(5)

        def die(record: logging.LogRecord) -> bool:
            """Die as soon as the run says that it waits: the server ends the session of a dead runner."""
            if "waiting for them" in record.getMessage() and other._session is not None:
                other._session.close()
            return True

        with caplog.filtering(die):  # type: ignore[arg-type]
            summary = run(SMALL, store=new_schema, engine=engine)
        assert [record.getMessage() for record in caplog.records if record.name == "tiebreak.lab"] == [
            "5 cell(s) are being run by another runner; waiting for them."
        ]
        assert (summary.ran, summary.counts["ok"], summary.exit_code) == (8, 8, 0)
        attempts = {row.id: row.attempts for row in opened.rows()}
        assert {cell for cell, count in attempts.items() if count == 2} == {cell.id for cell in held}
        other._held.clear()


@pytest.mark.parametrize("budget", [None, "1h"])
def test_a_run_that_comes_too_late_for_the_last_cells_still_waits_for_them(
    budget: str | None, new_schema: str, monkeypatch: pytest.MonkeyPatch, engine: LocalEngine
) -> None:
    """Cells wait, but another runner claims them first, and then lets them go."""
    with open_store(new_schema) as opened, opened.runner() as other:
        prepare(plan_from(SMALL), opened)
        held, claim, late = other.claim(5), Runner.claim, [True]

        def claim_late(runner: Runner, *given: Any, **named: Any) -> Any:
            if runner is not other and not other._held and late:
                late.clear()
                other.claim(5)
            return claim(runner, *given, **named)

        monkeypatch.setattr(Runner, "claim", claim_late)
        clock = {"monotonic": time.monotonic, "perf_counter": time.perf_counter}
        monkeypatch.setattr(driver, "time", SimpleNamespace(sleep=lambda _: other.release(), **clock))
        summary = run(SMALL, store=new_schema, engine=engine, budget=budget)
        assert len(held) == 5 and not late
        assert (summary.ran, summary.counts["ok"], summary.exit_code) == (8, 8, 0)


def test_a_run_that_leaves_work_to_others_does_not_end_well(
    new_schema: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(driver, "PATIENCE", 0.1)
    plan = tmp_path / "plan.toml"
    plan.write_text('datasets = ["builtin:monks1"]\nalgorithms = ["nb"]\nresampling = "1x2cv"\n')
    with open_store(new_schema) as opened, opened.runner() as other:
        prepare(read_plan(plan), opened)
        other.claim(1)
        assert main(["run", str(plan), "--store", new_schema, "--jobs", "1", "--json"]) == 3
        data = json.loads(capsys.readouterr().out)
    assert (data["ran"], data["counts"]["ok"], data["caveat_codes"]) == (1, 1, ["other-runner"])
    assert "1 cell(s) of the plan are left" in data["caveats"][0]


def test_killed_dask_workers_lose_nothing(tmp_path: Path, engine: LocalEngine) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    plan = {
        "datasets": ["builtin:iris"],
        "algorithms": ["nb", {"import": "bad_estimators:Steady", "settings": {"nap": 0.1}}],
        "resampling": "6x2cv",
    }
    killed: list[int] = []

    def kill_one(now: Progress) -> None:
        if now.done == 5:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[-1], signal.SIGKILL)

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(silence_logs=50, **options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        address = cluster.scheduler_address
        summary = run(plan, store=tmp_path / "dask.db", engine=address, progress=kill_one)
    assert (len(killed), summary.counts["ok"]) == (1, 24)
    run(plan, store=tmp_path / "quiet.db", engine=engine)
    assert scores(tmp_path / "dask.db") == scores(tmp_path / "quiet.db")
