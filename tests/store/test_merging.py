"""One store read into another: provenance kept, conflicts named, nothing overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tiebreak.cli import main
from tiebreak.stores import Store, open_store
from tiebreak.stores.records import AlgorithmRow, Calibration, CellKey, CellOutcome, DataSetRow, Environment

Fill = Callable[..., list[int]]
THERE = Environment(host="far", cpu="x", cores=4, versions={"numpy": "2.0"})


@pytest.fixture
def other(tmp_path: Path, fill: Fill) -> Path:
    """A store of somebody else: 15 ok cells of a plan, one crash, one waiting cell."""
    path = tmp_path / "other.db"
    with open_store(path) as store:
        store.add_plan("digest", '{"name": "theirs"}')
        ids = fill(store, plan="digest")
        ids += store.add_cells([another_cell(store, "extra")], plan="digest")
        ok = [
            CellOutcome(cell=cell, status="ok", values={"error": cell / 100, "train_time": 1.0 * cell},
                        environment=THERE, load=0.5, finished="2026-01-01T00:00:00")
            for cell in ids[:15]
        ]  # fmt: skip
        store.finish([*ok, CellOutcome(cell=ids[15], status="crash", reason="killed", environment=THERE)])
        store.calibrate(Calibration(environment=THERE, cpu=0.2, wall=0.3, taken="2026-01-01T00:00:00"))
    return path


def another_cell(store: Store, resampling: str) -> CellKey:
    row = next(iter(store.rows()))
    return CellKey(row.dataset_fingerprint, row.algorithm_fingerprint, resampling, 1, 1, 1)


def facts(store: Store) -> list[tuple[object, ...]]:
    names = ("dataset", "algorithm", "resampling", "replication", "fold", "status", "reason", "origin", "finished")
    more = ("values", "host", "host_load", "host_kernel")
    rows = [tuple(repr(getattr(row, name)) for name in (*names, *more)) for row in store.rows()]
    return sorted(row for row in rows if row[5] != repr("waiting"))


def test_everything_that_ended_comes_along(store: Store, other: Path) -> None:
    with open_store(other, create=False) as theirs:
        merge = store.import_store(theirs)
        assert (merge.cells, merge.conflicts, merge.renamed) == (16, (), ())
        assert facts(store) == facts(theirs)
        assert [algorithm.spec for algorithm in store.algorithms()] == [
            algorithm.spec for algorithm in theirs.algorithms()
        ]
        assert [item.classes for item in store.data_sets()] == [("no", "yes")] * 2
        assert store.counts(plan="digest")["ok"] == 15
        assert store.counts()["waiting"] == 0
        again = store.import_store(theirs)
        assert (again.cells, again.conflicts) == (0, ())
        assert len(store.calibrations()) == 1


def test_what_both_finished_with_other_scores_is_named_and_kept(store: Store, other: Path, fill: Fill) -> None:
    ids = fill(store)
    mine = {"error": 0.77, "train_time": 3.0}
    same = {"error": 0.02, "train_time": 9.0}  # another time is no conflict
    store.finish(
        [CellOutcome(cell=ids[0], status="ok", values=mine), CellOutcome(cell=ids[1], status="ok", values=same)]
    )
    with open_store(other, create=False) as theirs:
        merge = store.import_store(theirs)
    assert merge.cells == 14
    assert merge.conflicts == ("a1 on d1, replication 1, fold 1 (error 0.01, here 0.77)",)
    values = {row.id: dict(row.values) for row in store.rows(statuses=("ok",))}
    assert (values[ids[0]], values[ids[1]]) == (mine, same)


def test_a_result_replaces_a_failure_and_never_the_other_way_round(store: Store, other: Path, fill: Fill) -> None:
    ids = fill(store)
    store.finish(
        [CellOutcome(cell=ids[0], status="timeout"), CellOutcome(cell=ids[15], status="ok", values={"error": 1})]
    )
    with open_store(other, create=False) as theirs:
        store.import_store(theirs, origin="a friend")
    status = {row.id: row.status for row in store.rows()}
    assert (status[ids[0]], status[ids[15]]) == ("ok", "ok")


def test_other_names_of_the_same_thing_are_said(store: Store, other: Path) -> None:
    store.add_data_set(DataSetRow(name="iris", fingerprint="print-d1"))
    store.add_algorithm(AlgorithmRow(name="svm", fingerprint="print-a2"))
    with open_store(other, create=False) as theirs:
        merge = store.import_store(theirs)
    assert merge.renamed == ("Data set 'd1' is 'iris' here", "Algorithm 'a2' is 'svm' here")
    assert {row.dataset for row in store.rows()} == {"iris", "d2"}


def test_the_command_line_takes_a_store(other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.db"
    assert main(["store", str(mine), "--import", str(other)]) == 0
    assert "16 cell(s) imported from" in capsys.readouterr().out
    with open_store(mine) as store:
        row = next(iter(store.rows(statuses=("ok",))))
        assert row.origin == "lab"
    with open_store(other) as theirs, theirs.writes() as connection:
        connection.exec_driver_sql("UPDATE cell_values SET value = 5 WHERE value = 0.01")
    assert main(["store", str(mine), "--import", str(other), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["imported"] == 0
    assert data["conflicts"] == ["a1 on d1, replication 1, fold 1 (error 5, here 0.01)"]
    assert main(["store", str(mine), "--import", str(tmp_path / "none.db")]) == 2
