"""MLflow's table of runs and OpenML's list of evaluations.

The shapes are those of mlflow 2 (`mlflow.search_runs`) and of the OpenML server, version 1
(/api/v1/json/evaluation/list/...), with invented numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tiebreak.errors import InputError, OptionError
from tiebreak.readers.stores import read_store
from tiebreak.readers.trackers import from_mlflow, from_openml_runs
from tiebreak.store import open_store

RUNS = {
    "run_id": ["r1", "r2", "r3", "r4"],
    "experiment_id": ["0"] * 4,
    "status": ["FINISHED"] * 4,
    "start_time": ["2025-01-01 00:00:00"] * 4,
    "metrics.accuracy": [0.97, 0.94, 0.98, 0.91],
    "metrics.train_time": [1.5, 0.5, 2.5, 0.25],
    "params.model": ["svm", "tree", "svm", "tree"],
    "params.C": ["1", "", "1", ""],
    "tags.dataset": ["iris", "iris", "wine", "wine"],
}


@pytest.mark.parametrize("form", ["polars", "pandas", "csv"])
def test_mlflow_runs_are_read(tmp_path: Path, form: str) -> None:
    frame: Any = pl.DataFrame(RUNS)
    if form == "csv":
        frame.write_csv(tmp_path / "runs.csv")
        frame = tmp_path / "runs.csv"
    elif form == "pandas":
        frame = frame.to_pandas()
    results = from_mlflow(frame)
    assert (results.datasets, results.algorithms) == (("iris", "wine"), ("svm", "tree"))
    assert (results.scores, results.costs, results.caveats) == (("accuracy",), ("train_time",), ())
    assert results.means("accuracy").tolist() == [[0.97, 0.94], [0.98, 0.91]]
    assert from_mlflow(frame, scores="train_time").means("train_time").tolist() == [[1.5, 0.5], [2.5, 0.25]]


def test_mlflow_runs_that_failed_are_gaps() -> None:
    results = from_mlflow(pl.DataFrame(RUNS | {"status": ["FINISHED", "FAILED", "FINISHED", "RUNNING"]}))
    assert [str(gap) for gap in results.gaps("accuracy")] == ["'tree' on 'iris'", "'tree' on 'wine'"]
    assert results.caveats == ("2 run(s) of 4 did not finish; they are gaps.",)


def test_mlflow_roles_are_told() -> None:
    runs = {("params.learner_kind" if key == "params.model" else key): value for key, value in RUNS.items()}
    with pytest.raises(
        InputError, match=r"No parameter or tag in the frame names the algorithm.*columns=\{'algorithm'"
    ):
        from_mlflow(pl.DataFrame(runs))
    assert from_mlflow(pl.DataFrame(runs), columns={"algorithm": "params.learner_kind"}).algorithms == ("svm", "tree")
    with pytest.raises(OptionError, match=r"There is no column 'params\.x' in the frame for the algorithm"):
        from_mlflow(pl.DataFrame(runs), columns={"algorithm": "params.x"})
    with pytest.raises(OptionError, match=r"Columns 'params.model', 'tags.model' of the frame could all name the alg"):
        from_mlflow(pl.DataFrame(RUNS | {"tags.model": RUNS["params.model"]}))


def test_repeated_mlflow_runs_need_a_role_and_say_which() -> None:
    runs = RUNS | {"tags.dataset": ["iris"] * 4}
    with pytest.raises(InputError, match=r"Two scores for one cell .*columns=\{'replication': 'run_id'\}"):
        from_mlflow(pl.DataFrame(runs))
    told = from_mlflow(pl.DataFrame(runs), columns={"replication": "run_id"})
    assert told.replications == ("r1", "r2", "r3", "r4")


def test_what_is_no_table_of_mlflow_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no column that begins with 'metrics\.'"):
        from_mlflow(pl.DataFrame({"params.model": ["a"], "params.dataset": ["b"]}))
    with pytest.raises(InputError, match="cannot be read: there is no such file"):
        from_mlflow(tmp_path / "none.csv")


def evaluation(run: int, **changes: object) -> dict[str, Any]:
    row = {
        "run_id": run,
        "task_id": 59,
        "setup_id": 7,
        "flow_id": 1,
        "flow_name": "weka.J48(1)",
        "data_id": 61,
        "data_name": "iris",
        "function": "predictive_accuracy",
        "value": 0.95,
        "upload_time": "2020-01-01 00:00:00",
    }
    return row | changes


LIST = [
    evaluation(1),
    evaluation(1, function="usercpu_time_millis_training", value=250.0),
    evaluation(2, setup_id=8, flow_name="weka.NaiveBayes(2)", value=0.9),
    evaluation(3, task_id=60, data_name="wine", value=0.8),
    evaluation(4, task_id=60, data_name="wine", setup_id=8, flow_name="weka.NaiveBayes(2)", value=0.85),
]


@pytest.mark.parametrize("form", ["list", "server", "file", "frame"])
def test_openml_evaluations_are_read(tmp_path: Path, form: str) -> None:
    whole = {"evaluations": {"evaluation": LIST}}
    path = tmp_path / "list.json"
    path.write_text(json.dumps(whole))
    source = {"list": LIST, "server": whole, "file": path, "frame": pl.DataFrame(LIST)}[form]
    results = from_openml_runs(source)
    assert results.algorithms == ("weka.J48(1)", "weka.NaiveBayes(2)")
    assert results.means("accuracy").tolist() == [[0.95, 0.9], [0.8, 0.85]]
    assert results.costs == ("train_time",) and results.values["train_time"][0] == 0.25
    for name in ("accuracy", "predictive_accuracy"):
        assert from_openml_runs(source, scores=name).costs == ()


def test_openml_setups_runs_and_folds_are_told_apart() -> None:
    rows = [
        evaluation(1, value=None, values="[0.9, 0.8]"),
        evaluation(5, value=None, values=[0.7, 0.6]),
        evaluation(2, setup_id=9, value=None, values="[0.5, 0.4]"),
    ]
    results = from_openml_runs(rows)
    assert results.algorithms == ("weka.J48(1) [setup 7]", "weka.J48(1) [setup 9]")
    assert results.cube("accuracy")[0, 0].tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert results.caveats == ("Several runs of one setup on one task are read as replications.",)


def test_two_openml_tasks_on_one_data_set_are_not_mixed() -> None:
    rows = [evaluation(1), evaluation(2, task_id=99)]
    with pytest.raises(OptionError) as error:
        from_openml_runs(rows)
    assert str(error.value) == (
        "Data set 'iris' has 2 tasks in the list: 59, 99. Tasks split the data differently, so their scores are not"
        " measured on the same rows. Choose one per data set: tasks=[59, ...]."
    )
    assert len(from_openml_runs(rows, tasks=[59])) == 1


def test_what_is_no_list_of_openml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The list holds no evaluations"):
        from_openml_runs([])
    with pytest.raises(InputError, match="An evaluation has no 'task_id', 'setup_id'"):
        from_openml_runs([{"run_id": 1, "flow_name": "a", "data_name": "b", "function": "c"}])
    with pytest.raises(InputError, match="holds none of the scores asked for"):
        from_openml_runs(LIST, scores="kappa")
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read: it is not JSON"):
        from_openml_runs(tmp_path / "x.json")


def test_what_trackers_hold_goes_into_a_store(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        store.import_results(from_mlflow(pl.DataFrame(RUNS)), origin="MLflow")
        store.import_results(from_openml_runs(LIST), origin="OpenML")
        both = read_store(store, resampling=["imported from MLflow", "imported from OpenML"])
        assert both.algorithms == ("svm", "tree", "weka.J48(1)", "weka.NaiveBayes(2)")
        assert both.means("accuracy").tolist() == [[0.97, 0.94, 0.95, 0.9], [0.98, 0.91, 0.8, 0.85]]
