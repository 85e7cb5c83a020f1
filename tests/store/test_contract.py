"""What every store does, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.errors import InputError, OptionError
from tiebreak.stores import Store, open_store
from tiebreak.stores.records import FAILED, STATUSES, AlgorithmRow, CellKey, CellOutcome, DataSetRow

Fill = Callable[..., list[int]]


def ok(cell: int, **values: float) -> CellOutcome:
    return CellOutcome(cell=cell, status="ok", values=values or {"error": 0.25})


def test_a_new_store_is_empty(store: Store) -> None:
    assert store.counts() == dict.fromkeys(STATUSES, 0)
    assert list(store.rows()) == [] and store.data_sets() == [] and store.algorithms() == [] and store.plans() == []
    assert store.measures() == [] and len(store.columns().id) == 0


def test_data_sets_keep_what_is_known_about_them(store: Store) -> None:
    store.add_data_set(DataSetRow(name="iris", fingerprint="f1"))
    store.add_data_set(DataSetRow(name="iris", fingerprint="f1", rows=150, attributes=4, classes=("a", "é")))
    store.add_data_set(DataSetRow(name="iris", fingerprint="f1", meta={"skew": 0.5, "x": math.nan}, meta_version="1"))
    store.add_data_set(DataSetRow(name="iris", fingerprint="f1"))
    assert store.data_sets() == [
        DataSetRow(
            name="iris",
            fingerprint="f1",
            rows=150,
            attributes=4,
            classes=("a", "é"),
            meta={"skew": 0.5, "x": None},
            meta_version="1",
        )
    ]


def test_algorithms_and_plans_are_added_once(store: Store) -> None:
    for _ in range(2):
        store.add_algorithm(AlgorithmRow(name="svm", fingerprint="g", spec={"C": np.int64(3), "path": ("a", "b")}))
        store.add_plan("digest", "seed = 1")
    assert store.algorithms() == [AlgorithmRow(name="svm", fingerprint="g", spec={"C": 3, "path": ["a", "b"]})]
    (plan,) = store.plans()
    assert (plan.digest, plan.text) == ("digest", "seed = 1") and plan.created.startswith("20")


def test_one_thing_under_two_names_is_refused(store: Store) -> None:
    store.add_data_set(DataSetRow(name="iris", fingerprint="f1"))
    with pytest.raises(OptionError) as error:
        store.add_data_set(DataSetRow(name="flowers", fingerprint="f1"))
    assert str(error.value) == (
        "The data set 'flowers' is in the store already, under the name 'iris'. Under two names it would count twice in"
        " every comparison. Call it 'iris', or use another store."
    )


def test_adding_cells_again_gives_the_same_ids_and_keeps_results(store: Store, fill: Fill) -> None:
    ids = fill(store)
    assert ids == sorted(set(ids)) and len(ids) == 16
    store.finish([ok(ids[0])])
    assert fill(store) == ids
    assert store.counts()["ok"] == 1 and store.counts()["waiting"] == 15
    more = fill(store, datasets=3)
    assert more[:16] == ids and len(set(more)) == 24


def test_equal_keys_in_one_call_are_one_cell(store: Store, fill: Fill) -> None:
    fill(store)
    key = CellKey("print-d1", "print-a1", "10-fold", 1, 1, 1)
    assert len(set(store.add_cells([key, key, key._replace(fold="1")]))) == 1
    assert store.add_cells([]) == []


def test_what_was_finished_comes_back_to_the_bit(store: Store, fill: Fill) -> None:
    ids = fill(store)
    numbers = {"error": 0.1 + 0.2, "train_time": 5e-324, "log_loss": 1.7976931348623157e308, "zero": -0.0}
    details = {"confusion": [[5, 1], [2, 4]], "text": "naïve \x00 木", "array": np.arange(2)}
    assert store.finish([CellOutcome(cell=ids[3], status="ok", values=numbers, details=details)]) == [ids[3]]
    row = next(row for row in store.rows() if row.id == ids[3])
    assert row.values == numbers and math.copysign(1, row.values["zero"]) == 1  # one zero on both databases
    assert row.details == {"confusion": [[5, 1], [2, 4]], "text": "naïve \x00 木", "array": [0, 1]}
    assert (row.dataset, row.algorithm, row.resampling, row.seed) == ("d1", "a1", "2-fold", 1)
    assert (row.replication, row.fold, row.status, row.origin) == ("2", "2", "ok", "lab")
    assert row.finished.startswith("20") and store.details()[ids[3]] == row.details
    with pytest.raises(FrozenInstanceError):
        row.status = "error"  # type: ignore[misc]


def test_numbers_that_are_not_finite_are_absent_and_named(store: Store, fill: Fill) -> None:
    cell = fill(store)[0]
    store.finish([ok(cell, error=0.5, auc=math.nan, log_loss=math.inf)])
    row = next(iter(store.rows()))
    assert row.values == {"error": 0.5}
    assert row.details == {"not_finite": {"auc": "nan", "log_loss": "inf"}}


def test_an_ok_cell_is_never_overwritten(store: Store, fill: Fill) -> None:
    cell = fill(store)[0]
    assert store.finish([ok(cell, error=0.1)]) == [cell]
    assert store.finish([ok(cell, error=0.1)]) == []
    assert store.finish([ok(cell, error=0.9)]) == []
    assert store.finish([CellOutcome(cell=cell, status="crash", reason="late")]) == []
    row = next(iter(store.rows()))
    assert (row.status, row.reason, row.values) == ("ok", "", {"error": 0.1})


def test_a_failure_is_replaced_and_its_values_go(store: Store, fill: Fill) -> None:
    cell = fill(store)[0]
    store.finish([CellOutcome(cell=cell, status="timeout", reason="60 s", values={"cpu_time": 60.0})])
    store.finish([CellOutcome(cell=cell, status="memory", reason="3 GiB", values={"memory": 3e9})])
    row = next(iter(store.rows()))
    assert (row.status, row.reason, row.values) == ("memory", "3 GiB", {"memory": 3e9})
    store.finish([ok(cell, error=0.0)])
    row = next(iter(store.rows()))
    assert (row.status, row.reason, row.values) == ("ok", "", {"error": 0.0})


def test_in_one_call_the_first_ok_counts(store: Store, fill: Fill) -> None:
    cell = fill(store)[0]
    failed = CellOutcome(cell=cell, status="crash", reason="signal 11")
    assert store.finish([failed, ok(cell, error=0.1), ok(cell, error=0.2), failed]) == [cell]
    assert next(iter(store.rows())).values == {"error": 0.1}
    assert store.finish([]) == []


def test_a_call_that_fails_stores_nothing(store: Store, fill: Fill) -> None:
    ids = fill(store)
    with pytest.raises(KeyError):
        store.finish([ok(ids[0]), ok(10**9)])
    assert store.counts()["ok"] == 0


def test_what_cannot_be_stored_is_refused(store: Store, fill: Fill) -> None:
    cell = fill(store)[0]
    with pytest.raises(InputError, match=r"The details of cell .* cannot be written as JSON: .*never runs a program"):
        store.finish([CellOutcome(cell=cell, status="ok", details={"model": object()})])
    with pytest.raises(InputError, match="A measure cannot be named 'seed'"):
        store.finish([ok(cell, seed=1.0)])
    with pytest.raises(OptionError, match="There is no status of a finished cell 'waiting'"):
        store.finish([CellOutcome(cell=cell, status="waiting")])
    with pytest.raises(InputError, match=re.escape("A data set cannot be stored as 'a\\x00b'")):
        store.add_data_set(DataSetRow(name="a\x00b", fingerprint="f"))
    with pytest.raises(InputError, match="algorithm cannot be stored as ''"):
        store.add_algorithm(AlgorithmRow(name="", fingerprint="f"))


def test_any_reason_can_be_stored(store: Store, fill: Fill) -> None:
    ids = fill(store)
    store.finish([CellOutcome(cell=ids[0], status="crash", reason="bad \x00 and \ud800 bytes")])
    store.finish([CellOutcome(cell=ids[1], status="crash", reason="x" * 100_000)])
    first, second = [row.reason for row in store.rows(statuses=["crash"])]
    assert first == "bad \ufffd and ? bytes" and second == "x" * 4000 + " ..."


def test_failed_cells_wait_again_on_request(store: Store, fill: Fill) -> None:
    ids = fill(store)
    for cell, status in zip(ids, FAILED, strict=False):
        store.finish([CellOutcome(cell=cell, status=status, reason="r", values={"cpu_time": 1.0}, details={"a": 1})])
    store.finish([ok(ids[-1])])
    assert store.retry(("timeout",)) == 1 and store.retry(("timeout",)) == 0
    assert store.retry() == len(FAILED) - 1
    assert store.counts() == dict.fromkeys(STATUSES, 0) | {"waiting": 15, "ok": 1}
    row = next(iter(store.rows(statuses=("waiting",))))
    assert (row.reason, row.attempts, row.finished, dict(row.details), dict(row.values)) == ("", 0, "", {}, {})
    with pytest.raises(OptionError, match="There is no status to retry 'ok'"):
        store.retry(("ok",))
    with pytest.raises(OptionError, match="There is no status to retry 'failed'"):
        store.retry(("failed",))


def test_a_plan_sees_its_own_cells(store: Store, fill: Fill) -> None:
    store.add_plan("one", "")
    store.add_plan("two", "")
    ids = fill(store, plan="one")
    more = fill(store, datasets=3, plan="two")
    assert more[:16] == ids
    assert store.counts(plan="one")["waiting"] == 16 and store.counts(plan="two")["waiting"] == 24
    assert [row.id for row in store.rows(statuses=("waiting",), plan="one")] == ids
    store.finish([CellOutcome(cell=ids[0], status="error"), CellOutcome(cell=more[-1], status="error")])
    assert store.retry(plan="one") == 1
    with store.runner() as runner:
        assert [cell.id for cell in runner.claim(100, plan="one")] == ids
        assert [cell.id for cell in runner.claim(100)] == more[16:23]
    with pytest.raises(OptionError, match=r"There is no plan 'three'\. Known here: 'one', 'two'"):
        store.counts(plan="three")


def test_rows_stream_by_pages(store: Store, fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    from tiebreak.stores import reading

    ids = fill(store, datasets=4)
    monkeypatch.setattr(reading, "_PART", 3)
    assert [row.id for row in store.rows()] == ids
    store.finish([ok(cell) for cell in ids[::2]])
    assert [row.id for row in store.rows(statuses=["ok"])] == ids[::2]
    with pytest.raises(OptionError, match="There is no status 'done'"):
        list(store.rows(statuses=["done"]))


def test_columns_hold_the_same_as_rows(store: Store, fill: Fill) -> None:
    ids = fill(store, datasets=3)
    store.finish([ok(cell, error=cell / 7, cost=float(cell)) for cell in ids[:5]])
    store.finish([CellOutcome(cell=ids[5], status="crash", reason="signal 9")])
    table = store.columns()
    rows = list(store.rows())
    assert table.id.tolist() == [row.id for row in rows]
    for name in ("resampling", "replication", "fold", "status", "origin"):
        column = getattr(table, name)
        assert [column.names[code] for code in column.codes] == [getattr(row, name) for row in rows], name
    assert [table.datasets[key] for key in table.dataset] == [(row.dataset, row.dataset_fingerprint) for row in rows]
    values = {(cell, table.measures[measure][0]): value for cell, measure, value in table.values.tolist()}
    assert values == {(row.id, name): value for row in rows for name, value in row.values.items()}
    assert table.reasons == {ids[5]: "signal 9"}
    some = store.columns(measures=["error"])
    assert {name for name, _ in some.measures.values()} == {"error"} and len(some.values) == 5


def test_a_store_opened_again_holds_the_same(url: str, fill: Fill) -> None:
    with open_store(url) as store:
        ids = fill(store)
        store.finish([ok(ids[0], error=0.3)])
        before = list(store.rows())
    with open_store(url, create=False) as store:
        assert list(store.rows()) == before


def test_many_cells_and_values_go_in_at_once(store: Store, fill: Fill) -> None:
    ids = fill(store, datasets=20, algorithms=10)
    assert len(ids) == 800 == len(set(ids))
    store.finish([ok(cell, error=cell / 7, text_time=1e-300) for cell in ids])
    assert {row.id: row.values["error"] for row in store.rows()} == {cell: cell / 7 for cell in ids}


steps = st.lists(
    st.tuples(st.sampled_from(["claim", "release", "retry", "ok", "error", "crash"]), st.integers(0, 15)), max_size=25
)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(steps=steps)
def test_any_sequence_of_steps_leaves_what_a_dictionary_would(
    tmp_path_factory: pytest.TempPathFactory, fill: Fill, steps: list[tuple[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("steps") / "r.db"
    with open_store(path) as store, store.runner() as runner:
        ids = fill(store)
        model = dict.fromkeys(ids, "waiting")
        for step, number in steps:
            if step == "claim":
                free = [cell for cell in ids if model[cell] == "waiting"][: number + 1]
                assert [cell.id for cell in runner.claim(number + 1)] == free
                model |= dict.fromkeys(free, "running")
            elif step == "release":
                runner.release()
                model = {cell: "waiting" if status == "running" else status for cell, status in model.items()}
            elif step == "retry":
                store.retry(("error", "crash"))
                model = {cell: "waiting" if status in FAILED else status for cell, status in model.items()}
            else:
                store.finish([CellOutcome(cell=ids[number], status=step)])
                model[ids[number]] = "ok" if model[ids[number]] == "ok" else step
        assert {row.id: row.status for row in store.rows()} == model


def test_the_lab_s_outcomes_are_understood(store: Store, fill: Fill) -> None:
    tasks = pytest.importorskip("tiebreak.lab.tasks")
    cell = fill(store)[0]
    assert store.finish([tasks.CellOutcome(cell=cell, status="ok", values={"error": 0.5})]) == [cell]


def test_cells_are_counted_without_reading_them(store: Store, fill: Fill) -> None:
    ids = fill(store, 2, 2)
    store.add_plan("p", "{}")
    store.finish([CellOutcome(cell=ids[0], status="ok"), CellOutcome(cell=ids[1], status="error", reason="one")])
    store.finish([CellOutcome(cell=ids[2], status="error", reason="two")])
    rows = Counter((row.dataset_fingerprint, row.algorithm_fingerprint, row.status) for row in store.rows())
    assert {(item.dataset, item.algorithm, item.status): item.cells for item in store.tally()} == dict(rows)
    [result] = store.failures()
    assert (result["cells"], result["reason"]) == (2, "one")
    assert store.failures(plan="p") == []
    assert sum(store.counts(plan="p").values()) == 0
