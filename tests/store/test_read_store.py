"""From a store to a table: gaps with their reasons, nothing mixed, measures of confusion matrices."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak
from tiebreak.errors import InputError, MissingScores, OptionError
from tiebreak.readers.stores import read_store
from tiebreak.results import Results
from tiebreak.stores import Store, open_store
from tiebreak.stores.records import AlgorithmRow, CellKey, CellOutcome, DataSetRow

Fill = Callable[..., list[int]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "results.db") as opened:
        yield opened


def finish_all(store: Store, ids: list[int], **more: Any) -> None:
    store.finish(
        [CellOutcome(cell=i, status="ok", values={"error": i / 100, "train_time": 2.0 * i}, **more) for i in ids]
    )


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_a_table_equals_the_rows_of_its_store(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path, fill: Fill
) -> None:
    url = str(tmp_path / "r.db") if backend == "sqlite" else request.getfixturevalue("new_schema")
    with open_store(url) as store:
        ids = fill(store, datasets=3)
        finish_all(store, ids)
        rows = [
            {key: getattr(row, key) for key in ("dataset", "algorithm", "replication", "fold")} | dict(row.values)
            for row in store.rows()
        ]
        results = read_store(store)
    expected = Results.from_dict({key: [row[key] for row in rows] for key in rows[0]})
    assert results.to_frame("polars").equals(expected.to_frame("polars"))
    assert results.scores == ("error",) and results.costs == ("train_time",) and results.caveats == ()
    assert read_store(url).to_frame("polars").equals(expected.to_frame("polars"))


def test_data_sets_algorithms_and_scores_are_chosen(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store, datasets=3, algorithms=3))
    some = read_store(store, scores="error", datasets=["d1", "d3"], algorithms="a2")
    assert (some.datasets, some.algorithms, some.scores, some.costs) == (("d1", "d3"), ("a2",), ("error",), ())
    with pytest.raises(OptionError, match=r"There is no data set 'd9'\. Known here: 'd1', 'd2', 'd3'"):
        read_store(store, datasets="d9")
    with pytest.raises(OptionError) as error:
        read_store(store, scores="errors")
    assert str(error.value) == (
        "There is no score 'errors'. Known here: 'error', 'train_time'. Did you mean 'error'? It was requested from the"
        f" store {store.shown}."
    )


def test_failures_are_gaps_with_reasons_that_comparisons_name(store: Store, fill: Fill) -> None:
    ids = fill(store, datasets=3)
    finish_all(store, ids[:4] + ids[6:])
    store.finish(
        [
            CellOutcome(cell=ids[4], status="timeout", reason="60 s passed\nmore", values={"error": 0.0}),
            CellOutcome(cell=ids[5], status="timeout", reason="60 s passed", values={"train_time": 60.0}),
        ]
    )
    results = read_store(store)
    assert [str(gap) for gap in results.gaps("error")] == [
        "'a2' on 'd1' (replication 1, fold 1)",
        "'a2' on 'd1' (replication 1, fold 2)",
    ]
    assert results.caveats == ("'a2' failed on 'd1': 2 cells ended with timeout (60 s passed).",)
    with pytest.raises(MissingScores, match="'a2' has no error on data set 'd1', replication 1, fold 1"):
        tiebreak.compare(results, score="error", missing="refuse")
    for missing in ("auto", "drop-datasets"):
        comparison = tiebreak.compare(results, score="error", missing=missing)
        assert results.caveats[0] in comparison.caveats


def test_many_failures_are_counted(store: Store, fill: Fill) -> None:
    ids = fill(store, datasets=6, algorithms=2)
    finish_all(store, ids[:1])
    store.finish([CellOutcome(cell=i, status="crash", reason=f"signal {i}") for i in ids[1:]])
    notes = read_store(store).caveats
    assert len(notes) == 9 and notes[-1] == "39 further cells failed, for 39 other reasons or places."


def test_cells_that_have_not_run_are_gaps_or_left_out(store: Store, fill: Fill) -> None:
    ids = fill(store)
    finish_all(store, ids[:10])
    results = read_store(store, unfinished="gaps")
    assert results.caveats == ("6 of 16 cells have not been run yet; they are gaps.",)
    assert {gap.algorithm for gap in results.gaps("error")} == {"a1", "a2"}
    part = read_store(store, unfinished="drop")
    assert len(part) == 10 and part.caveats == ()


def test_data_sets_that_are_not_run_to_the_end_are_left_out(store: Store, fill: Fill) -> None:
    ids = fill(store)  # d1: 8 cells, then d2
    finish_all(store, ids[:2])
    early = read_store(store)  # not even one replication is there for both algorithms
    assert [note.code for note in early.caveats] == ["runs-unfinished"]
    by_place = {(row.dataset, row.replication, row.id) for row in store.rows(statuses=("waiting",))}
    first = [key for dataset, replication, key in sorted(by_place) if (dataset, replication) == ("d1", "1")]
    finish_all(store, first)
    one = read_store(store)
    assert one.caveats == (
        "No data set is finished by every algorithm; only the replications that all of them have finished are used.",
    )
    assert (one.datasets, one.replications, one.gaps("error")) == (("d1",), ("1",), ())
    finish_all(store, [row.id for row in store.rows(statuses=("waiting",)) if row.dataset == "d1"])
    whole = read_store(store)
    assert (whole.datasets, len(whole)) == (("d1",), 8)
    assert whole.caveats == (
        "1 of 2 data sets are left out, as not every algorithm has been run on them to the end: 'd2'. `tiebreak run`"
        " goes on with them.",
    )
    assert tiebreak.caveats.codes_of(whole.caveats) == ["unfinished-left-out"]


def test_an_empty_store_says_so(store: Store, fill: Fill) -> None:
    with pytest.raises(InputError, match=r"holds no cells of this kind\. Run a plan"):
        read_store(store)
    fill(store)
    with pytest.raises(InputError, match="holds no finished result among the 16 cells chosen"):
        read_store(store)


def test_two_resamplings_are_not_mixed(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    more = [CellKey("print-d1", a, "10-fold", 1, 1, f) for a in ("print-a1", "print-a2") for f in range(1, 11)]
    finish_all(store, store.add_cells(more))
    with pytest.raises(OptionError) as error:
        read_store(store)
    assert str(error.value) == (
        "The store holds results of 2 resamplings: '10-fold' (20 cells), '2-fold' (16 cells). Choose"
        " with resampling='10-fold' or resampling='2-fold' (several in a list)."
    )
    assert len(read_store(store, resampling="10-fold").folds) == 10
    assert read_store(store, datasets="d2").folds == ("1", "2")
    with pytest.raises(OptionError) as error:
        read_store(store, resampling=["10-fold", "2-fold"])
    assert str(error.value) == (
        "The store holds 2 results of 'a1' on data set 'd1' for one fold: of the origins 'lab' and the resamplings"
        " '10-fold', '2-fold'. Choose with origin='lab' or"
        " resampling='10-fold'."
    )


def test_two_seeds_are_not_mixed(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    finish_all(store, store.add_cells([CellKey("print-d1", "print-a1", "2-fold", 7, 1, 1)]))
    with pytest.raises(OptionError) as error:
        read_store(store)
    assert str(error.value) == ("The store holds results of 2 seeds: 1, 7. Choose with seed=1.")
    assert len(read_store(store, seed=7)) == 1 and len(read_store(store, seed=1)) == 16


def test_two_versions_of_an_algorithm_are_not_mixed(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    store.add_algorithm(AlgorithmRow(name="a1", fingerprint="other-print", spec={"C": 99}))
    finish_all(
        store, store.add_cells([CellKey("print-d1", "other-print", "2-fold", 1, r, f) for r in (1, 2) for f in (1, 2)])
    )
    with pytest.raises(OptionError) as error:
        read_store(store)
    assert str(error.value) == (
        "The store holds 2 versions of the algorithm 'a1': 'other-print', 'print-a1'. Name every"
        " algorithm that you mean, this one by its fingerprint: algorithms=['print-a1', ...]; or choose whose"
        " results with origin='lab'."
    )
    assert read_store(store, algorithms=["a2"]).algorithms == ("a2",)
    chosen = read_store(store, algorithms=["print-a1", "a2"])
    assert chosen.algorithms == ("a1", "a2") and len(chosen) == 16
    both = read_store(store, algorithms=["print-a1", "other-print"], datasets="d1")
    assert both.algorithms == ("a1 [other-pr]", "a1 [print-a1]")


def test_two_versions_of_a_data_set_are_not_mixed(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    store.add_data_set(DataSetRow(name="d1", fingerprint="changed-data"))
    finish_all(store, store.add_cells([CellKey("changed-data", "print-a1", "2-fold", 1, 1, 1)]))
    with pytest.raises(
        OptionError, match="The store holds 2 versions of the data set 'd1': 'changed-data', 'print-d1'"
    ):
        read_store(store)


def test_results_of_others_stand_beside_our_own(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    theirs = Results.from_dict({"d1": {"boost": [0.1, 0.2]}, "d2": {"boost": [0.3, 0.4]}}, scores="error")
    assert store.import_results(theirs, origin="A paper") == 4
    with pytest.raises(OptionError, match=r"results of 2 resamplings: '2-fold' .*'imported from A paper'"):
        read_store(store)
    assert read_store(store, origin="lab").algorithms == ("a1", "a2")
    both = read_store(store, scores="error", resampling=["2-fold", "imported from A paper"])
    assert both.datasets == ("d1", "d2") and both.algorithms == ("a1", "a2", "boost")
    assert both.caveats == (
        "Results of several resamplings stand side by side: their folds are not the same rows.",
        "Imported results are taken to be on our data sets of the same name, unchecked: 'd1', 'd2'.",
    )
    assert len(read_store(store, seed=1, resampling=["2-fold", "imported from A paper"])) == 20, "imports have no seed"


def test_the_order_of_finishing_does_not_matter(tmp_path: Path, fill: Fill) -> None:
    tables = []
    for name, turn in (("one", 1), ("two", -1)):
        with open_store(tmp_path / f"{name}.db") as store:
            ids = fill(store)
            for cell in ids[::turn]:
                finish_all(store, [cell])
            tables.append(read_store(store).to_frame("polars"))
    assert tables[0].equals(tables[1])


def test_importing_the_source_loads_no_database_library() -> None:
    code = "import sys, tiebreak.readers.stores, tiebreak.stores; print('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


# ---- confusion matrices


def test_rates_come_from_the_matrices_when_asked(store: Store, fill: Fill) -> None:
    """50 negatives right, 10 false alarms, 5 missed, 35 found: tpr 35/40, fpr 10/60, precision 35/45."""
    details = {"confusion": [[50, 10], [5, 35]], "test_confusion": [[1, 0], [1, 0]]}
    finish_all(store, fill(store), details=details)
    results = read_store(store, scores=["tpr", "fpr", "precision", "error", "test_precision", "test_tpr"])
    expected = {"tpr": 35 / 40, "fpr": 10 / 60, "precision": 35 / 45, "test_precision": 0.0, "test_tpr": 0.0}
    for name, value in expected.items():
        assert np.allclose(results.values[name], value, rtol=1e-15), name
    assert results.values["error"][0] == 0.01, "a stored score is not computed again"
    assert results.caveats == (
        "Measures of the confusion matrix on 2 data sets, such as 'd1', are for the class 'yes', the last by name; say"
        " positive=... for another.",
        "precision is set to 0 in 16 cell(s), such as 'a1' on 'd1' (replication 1, fold 1): no positive predictions.",
    )
    other = read_store(store, scores="tpr", positive="no")
    assert np.allclose(other.values["tpr"], 50 / 60)
    assert other.caveats == ("Measures of the confusion matrix on 2 data sets, such as 'd1', are for the class 'no'.",)
    with pytest.raises(OptionError, match=r"There is no class on data set 'd1', 'perhaps'\. Known here: 'no', 'yes'"):
        read_store(store, scores="tpr", positive="perhaps")


def test_several_classes_are_averaged(store: Store) -> None:
    store.add_data_set(DataSetRow(name="three", fingerprint="f3", classes=("a", "b", "c")))
    store.add_algorithm(AlgorithmRow(name="svm", fingerprint="g"))
    cells = store.add_cells([CellKey("f3", "g", "2-fold", 1, 1, fold) for fold in (1, 2, 3)])
    matrix = [[8, 2, 0], [1, 4, 0], [0, 0, 5]]
    store.finish([CellOutcome(cell=cell, status="ok", details={"confusion": matrix}) for cell in cells[:2]])
    store.finish([CellOutcome(cell=cells[2], status="crash", reason="signal 11")])
    results = read_store(store, scores="recall")
    assert np.allclose(results.values["recall"][:2], (0.8 + 0.8 + 1.0) / 3) and np.isnan(results.values["recall"][2])
    assert results.caveats == (
        "'svm' failed on 'three': 1 cell ended with crash (signal 11).",
        "Measures of the confusion matrix on 'three' are averaged over the classes.",
    )
    one = read_store(store, scores="recall", positive="c")
    assert one.values["recall"][0] == 1.0


@pytest.mark.parametrize("matrix", [[[1, 2]], "text", [[1, -1], [0, 2]], [[1, 2], [3]]])
def test_what_is_no_matrix_is_refused(store: Store, fill: Fill, matrix: object) -> None:
    finish_all(store, fill(store)[:1], details={"confusion": matrix})
    with pytest.raises(InputError, match="stored for data set 'd1' are not square tables of counts of one size"):
        read_store(store, scores="tpr")


def test_without_matrices_nothing_is_computed(store: Store, fill: Fill) -> None:
    finish_all(store, fill(store))
    with pytest.raises(InputError, match="holds no finished result"):
        read_store(store, scores="tpr")
