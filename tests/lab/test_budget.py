"""Runs that may end before their plan: budgets, and the order of work."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

import tiebreak
from tiebreak.budgets import Budget, budget_from
from tiebreak.cli import main
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab import run
from tiebreak.lab.driver import as_plan
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.prepared import check_plan, enter
from tiebreak.lab.progress import Event
from tiebreak.lab.tasks import CellOutcome, Task, Watch
from tiebreak.lab.under_way import BudgetOver, UnderWay
from tiebreak.readers import read_store
from tiebreak.stores import open_store

from ..every import every

HERE = Path(__file__).parent


@pytest.fixture(autouse=True, scope="module")
def learners_path() -> Iterator[None]:
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Pretended:
    """An engine that runs nothing: every cell takes the seconds its algorithm is known for, and has that error."""

    jobs = 1

    def __init__(self, clock: Clock, seconds: Mapping[str, float], errors: Mapping[str, float] | None = None) -> None:
        self.clock, self.seconds, self.errors = clock, seconds, errors or {}
        self.watch: Watch | None = None
        self.ran: list[tuple[str, str, int, int]] = []

    def stream(self, tasks: Iterator[Task], data: Mapping[str, DataSet]) -> Iterator[CellOutcome]:
        for task in tasks:
            for cell in task.cells:
                name = task.algorithm.name
                if self.watch is not None:
                    self.watch.begun(cell.id)
                    for _ in range(4):
                        self.clock.now += self.seconds[name] / 4
                        self.watch.tick()
                self.ran.append((data[task.data].name, name, cell.replication, cell.fold))
                took = self.seconds[name]
                costs = {"cell_wall": took, "cell_cpu": took / 2, "train_time": took / 3}
                yield CellOutcome(cell=cell.id, status="ok", values={"error": self.errors.get(name, 0.5)} | costs)


def data_sets(count: int, *, growing: int = 10) -> list[DataSet]:
    rng, sizes = np.random.default_rng(1), [30 + growing * i for i in range(count)]
    return [
        DataSet.from_arrays(rng.normal(size=(rows, 2)), np.arange(rows) % 2, name=f"d{i}")
        for i, rows in enumerate(sizes)
    ]


SECONDS = {"lda": 3.0, "nb": 1.0}
PLAN = {"datasets": data_sets(5), "algorithms": ["lda", "nb"], "resampling": "2x2cv"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Put a clock of our own into every run."""
    made = Clock()
    defaults = dict(UnderWay.__init__.__kwdefaults__ or {})
    monkeypatch.setattr(UnderWay.__init__, "__kwdefaults__", defaults | {"clock": made})
    return made


# ---- the budget itself


@pytest.mark.parametrize(
    ("given", "seconds", "kind", "words"),
    [
        ("90s", 90, "wall", "90 s"),
        ("30min", 1800, "wall", "30 min"),
        (" 2 H ", 7200, "wall", "2 h"),
        ("1.5h-cpu", 5400, "cpu", "90 min of CPU time"),
        ("10 min cpu", 600, "cpu", "10 min of CPU time"),
        (12.5, 12.5, "wall", "12.5 s"),
        (Budget(seconds=3), 3, "wall", "3 s"),
    ],
)
def test_a_budget_is_a_time_with_its_unit(given: Any, seconds: float, kind: str, words: str) -> None:
    budget = budget_from(given)
    assert budget is not None
    assert (budget.seconds, budget.kind, str(budget)) == (seconds, kind, words)


@every("given", ["30", "", "h", "0s", "-5min", "5 days", 0, -1.0, float("nan"), True])
def test_what_is_no_budget_is_refused_before_anything_runs(given: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        run(PLAN, store=tmp_path / "results.db", budget=given)
    assert str(caught.value) == (
        f"The budget is {given!r}. A budget is a time with its unit: s, min or h; with -cpu behind it, CPU time of the "
        "cells. Use 90s, 30min, 2h or 30min-cpu."
    )
    assert not (tmp_path / "results.db").exists()


def test_the_grace_is_a_tenth_within_bounds() -> None:
    assert [Budget(seconds=value).grace for value in (2, 100, 86400)] == [1.0, 10.0, 60.0]


# ---- the order of work


def test_with_a_budget_all_algorithms_finish_one_data_set_after_the_other(tmp_path: Path, clock: Clock) -> None:
    engine = Pretended(clock, SECONDS)
    result = run(PLAN, store=tmp_path / "results.db", engine=engine, budget="38s")
    # A data set takes 4 x (3 + 1) = 16 s; after two of them 6 s are left, and one of grace at least.
    assert result.ended == "budget" and result.exit_code == 3
    assert len(result.complete) == 2
    order = list(dict.fromkeys(name for name, *_ in engine.ran))
    assert tuple(sorted(order[:2])) == tuple(sorted(result.complete))
    assert order != sorted(order)
    whole = [(name, algorithm, replication) for name, algorithm, replication, _ in engine.ran if name == order[1]]
    assert whole == [(order[1], a, r) for r in (1, 2) for a in ("nb", "lda") for _ in (1, 2)]  # nb is known as cheaper
    assert result.counts["running"] == 0
    assert result.caveats[-1].startswith("The budget ended the run before its plan: ")
    assert result.to_dict()["caveat_codes"] == ["budget-over"]


def test_the_order_of_data_sets_depends_on_their_names_and_the_seed_alone(tmp_path: Path, clock: Clock) -> None:
    def order(plan: Mapping[str, Any], store: str, **options: Any) -> list[str]:
        engine = Pretended(clock, SECONDS)
        run(plan, store=tmp_path / store, engine=engine, **options)
        return list(dict.fromkeys(name for name, *_ in engine.ran))

    drawn = order(PLAN, "a", budget="1h")
    assert drawn == order(PLAN | {"datasets": PLAN["datasets"][::-1]}, "b", budget="1h")
    assert drawn != order(PLAN | {"seed": 1}, "c", budget="1h")
    listed = [item.name for item in PLAN["datasets"]]
    assert listed == order(PLAN, "d")


def test_short_replications_are_run_together(tmp_path: Path, clock: Clock) -> None:
    engine = Pretended(clock, {"lda": 0.01, "nb": 0.01})
    run(PLAN, store=tmp_path / "results.db", engine=engine, budget="1h")
    first, last = ([name, *rest] for name, *rest in (engine.ran[0], engine.ran[-1]))
    alike = [(algorithm, replication) for name, algorithm, replication, _ in engine.ran if name == last[0]]
    assert first[0] != last[0]
    assert len({algorithm for algorithm, _ in alike[:4]}) == 1  # both replications of one algorithm, then the other


# ---- when the budget ends


def under_way(tmp_path: Path, clock: Clock, budget: Budget) -> tuple[UnderWay, list[int]]:
    """Return the accounts of a run with four cells in hand."""
    opened = open_store(tmp_path / "results.db")
    ready = enter(check_plan(as_plan({**PLAN, "datasets": PLAN["datasets"][:1], "resampling": "1x2cv"})), opened)
    from tiebreak.lab.work_order import WorkOrder

    with opened.runner() as runner:
        work = UnderWay(ready, runner, 4, budget=budget, clock=clock)
        tasks = list(WorkOrder(work, width=lambda: 1).tasks())
    return work, [cell.id for task in tasks for cell in task.cells]


def test_cells_that_run_when_the_budget_ends_have_a_grace(tmp_path: Path, clock: Clock) -> None:
    work, cells = under_way(tmp_path, clock, Budget(seconds=20))
    work.begun(cells[0])
    work.begun(cells[1])
    clock.now += 19
    work.tick()
    assert not work.used_up()
    clock.now += 1
    work.tick()
    assert work.used_up()
    work.finished(CellOutcome(cell=cells[0], status="ok", values={"cell_wall": 20.0}))
    work.begun(cells[2])  # it was in the helper's hands; it is not waited for
    clock.now += 1.5
    work.tick()
    work.finished(CellOutcome(cell=cells[1], status="ok", values={"cell_wall": 21.5}))
    with pytest.raises(BudgetOver):
        work.tick()
    assert work.cut == 1


def test_what_runs_longer_than_the_grace_is_cut(tmp_path: Path, clock: Clock) -> None:
    work, cells = under_way(tmp_path, clock, Budget(seconds=20))
    work.begun(cells[0])
    clock.now += 20
    work.tick()
    clock.now += 1.9
    work.tick()
    clock.now += 0.2
    with pytest.raises(BudgetOver):
        work.tick()


def test_a_budget_of_cpu_time_counts_what_cells_used_and_the_clock_of_those_that_run(
    tmp_path: Path, clock: Clock
) -> None:
    work, cells = under_way(tmp_path, clock, Budget(seconds=10, kind="cpu"))
    clock.now += 1000  # nobody ran
    assert not work.used_up()
    work.begun(cells[0])
    clock.now += 20
    work.finished(CellOutcome(cell=cells[0], status="ok", values={"cell_wall": 20.0, "cell_cpu": 4.0}))
    assert not work.used_up()
    work.begun(cells[1])
    clock.now += 5.9
    assert not work.used_up()
    clock.now += 0.1
    assert work.used_up()


def test_what_was_cut_is_no_failure_and_runs_again(tmp_path: Path) -> None:
    slow = {"import": "bad_estimators:Steady", "settings": {"nap": 300}, "name": "slow"}
    plan = {"datasets": ["builtin:iris"], "algorithms": ["nb", slow], "resampling": "1x2cv"}
    store = tmp_path / "results.db"
    result = run(plan, store=store, jobs=1, budget="6s-cpu")  # starting the helper does not count in CPU time of cells
    assert result.ended == "budget"
    assert {status: count for status, count in result.counts.items() if count} == {"waiting": 2, "ok": 2}
    assert result.failures == ()
    assert result.title() == (
        f"plan: the budget of 6 s of CPU time is used up after 2 cell(s); what is finished is in {store}. Run the same"
        " command to go on"
    )
    assert "1 cell(s) still ran 1 s later; they were stopped and will run again." in result.caveats[0]
    with open_store(store) as opened:
        assert {row.attempts for row in opened.rows(statuses=("waiting",))} == {0}


# ---- what such a run leaves


def test_a_run_with_a_budget_leaves_what_can_be_compared(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "results.db"
    first = run(PLAN, store=store, engine=Pretended(clock, SECONDS, {"nb": 0.1}), budget="50s")
    assert len(first.complete) == 3
    results = read_store(store, scores="error")
    assert results.datasets == tuple(sorted(first.complete))
    assert not results.gaps("error")
    assert tiebreak.caveats.codes_of(results.caveats) == ["unfinished-left-out"]
    assert (
        main(["order", "--store", str(store), "--score", "error", "--cost", "train_time", "--pairwise", "score"]) == 0
    )
    assert "2 of 5 data sets are left out, as not every algorithm has been run on them" in capsys.readouterr().out
    command = ["compare", "--store", f"{store}?unfinished=gaps", "--score", "error"]
    assert main(command) == 2
    assert "has no error on data set" in capsys.readouterr().err
    again = run(PLAN, store=store, engine=Pretended(clock, SECONDS), budget="1h")
    assert (again.ended, again.counts["ok"], len(again.complete)) == ("", 40, 5)


# ---- what is told meanwhile


def test_events_tell_what_begins_and_what_ends(tmp_path: Path) -> None:
    heard: list[Event] = []
    plan = {"datasets": ["builtin:iris", "builtin:monks1"], "algorithms": ["nb", "c45"], "resampling": "1x2cv"}
    with LocalEngine(jobs=1) as engine:
        run(plan, store=tmp_path / "results.db", engine=engine, events=heard.append)
    kinds = [item.kind for item in heard if item.kind != "tick"]
    assert kinds.count("started") == kinds.count("finished") == 8
    assert kinds.index("started") < kinds.index("finished")
    assert [item.dataset for item in heard if item.kind == "dataset"] == ["iris", "monks1"]


def test_the_time_to_go_follows_from_the_times_of_each_algorithm(tmp_path: Path, clock: Clock) -> None:
    heard: list[Event] = []
    plan = PLAN | {"datasets": data_sets(5, growing=0)}
    run(plan, store=tmp_path / "results.db", engine=Pretended(clock, SECONDS), events=heard.append)
    ended = [item.progress for item in heard if item.kind == "finished"]
    assert [item.done for item in ended] == list(range(1, 41))
    for done in (9, 20, 33):  # a flat rate would be wrong wherever the next cells are not those of the average
        took = sum(SECONDS[algorithm] for algorithm in algorithms_after(done, heard))
        assert ended[done - 1].remaining == pytest.approx(took, rel=0.05)
    assert ended[-1].remaining == 0


def algorithms_after(done: int, heard: Sequence[Event]) -> list[str]:
    finished = [item.cell.algorithm for item in heard if item.kind == "finished" and item.cell is not None]
    return finished[done:]


def test_times_in_the_store_give_an_estimate_from_the_start(tmp_path: Path, clock: Clock) -> None:
    store = tmp_path / "results.db"
    first: Sequence[DataSet] = PLAN["datasets"][:1]
    run(PLAN | {"datasets": first}, store=store, engine=Pretended(clock, SECONDS))
    heard: list[Event] = []
    run(PLAN, store=store, engine=Pretended(clock, SECONDS), events=heard.append)
    early = next(item.progress for item in heard if item.kind == "tick")
    assert early.done == 0
    assert early.current
    assert early.remaining is not None
