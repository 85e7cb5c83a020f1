"""What trackers and AutoML tools export: runs of MLflow, evaluations of OpenML, boards of AutoGluon and PyCaret.

The shapes are those of mlflow 2 (`mlflow.search_runs`), of the OpenML server, version 1
(/api/v1/json/evaluation/list/...), of autogluon.tabular 1.6.3 and of PyCaret 3.3.2, with invented numbers.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tiebreak as tb

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
    results = tb.read(frame, scores="accuracy", also=["train_time"])
    assert (results.datasets, results.algorithms) == (("iris", "wine"), ("svm", "tree"))
    assert (results.scores, results.costs) == (("accuracy",), ("train_time",))
    assert results.means("accuracy").tolist() == [[0.97, 0.94], [0.98, 0.91]]


def test_mlflow_runs_that_failed_and_that_are_not_finished() -> None:
    frame = pl.DataFrame(RUNS | {"status": ["FINISHED", "FAILED", "FINISHED", "RUNNING"]})
    results = tb.read(frame, scores="accuracy")
    assert [str(gap) for gap in results.gaps("accuracy")] == ["'tree' on 'iris'", "'tree' on 'wine'"]
    assert results.failures == {("iris", "tree")}
    assert {"run-failed", "runs-unfinished"} <= {note.code for note in results.caveats}


def test_mlflow_roles_are_told_and_repeated_runs_are_replications() -> None:
    runs = {("params.learner_kind" if key == "params.model" else key): value for key, value in RUNS.items()}
    options = {"algorithm": "params.learner_kind", "dataset": "tags.dataset"}
    assert tb.read(pl.DataFrame(runs), scores="metrics.accuracy", columns=options).algorithms == ("svm", "tree")
    twice = tb.read(pl.DataFrame(RUNS | {"tags.dataset": ["iris"] * 4}), scores="accuracy")
    assert (len(twice.replications), twice.means("accuracy").round(3).tolist()) == (2, [[0.975, 0.925]])


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
    evaluation(2, setup_id=8, flow_id=2, flow_name="weka.NaiveBayes(2)", value=0.9),
    evaluation(3, task_id=60, data_id=70, data_name="wine", value=0.8),
    evaluation(4, task_id=60, data_id=70, data_name="wine", setup_id=8, flow_id=2, flow_name="weka.NaiveBayes(2)",
               value=0.85),
]  # fmt: skip


@pytest.mark.parametrize("form", ["list", "server", "frame"])
def test_openml_evaluations_are_read(tmp_path: Path, form: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"evaluations": {"evaluation": LIST}}))
    source: Any = {"list": LIST, "server": path, "frame": pl.DataFrame(LIST)}[form]
    results = tb.read(source, scores="accuracy", also=["usercpu_time_millis_training"])
    assert results.algorithms == ("weka.J48(1)", "weka.NaiveBayes(2)")
    assert results.datasets == ("iris", "wine")
    assert results.means("accuracy").tolist() == [[0.95, 0.9], [0.8, 0.85]]
    assert results.costs == ("usercpu_time_millis_training",) and results.metric(results.costs[0]).unit == "ms"


def test_openml_setups_are_models_and_runs_replications() -> None:
    rows = [
        evaluation(1),
        evaluation(5, value=0.85),
        evaluation(2, setup_id=9, value=0.5),
        evaluation(3, setup_id=9, value=0.6),
    ]
    results = tb.read(rows, scores="predictive_accuracy")
    assert results.algorithms == ("weka.J48(1) 7", "weka.J48(1) 9")
    assert results.means("predictive_accuracy").round(3).tolist() == [[0.9, 0.55]]


def board(metric: str, scores: list[float], *, part: str = "test") -> Any:
    count = len(scores)
    columns = {
        "model": [f"m{i}" for i in range(count)],
        **({"score_test": scores} if part == "test" else {}),
        "score_val": [score + 0.1 for score in scores],
        "eval_metric": [metric] * count,
        **({"pred_time_test": [0.02] * count} if part == "test" else {}),
        "pred_time_val": [0.01] * count,
        "fit_time": [float(i + 1) for i in range(count)],
        "fit_time_marginal": [0.5] * count,
        "stack_level": [1] * count,
        "can_infer": [True] * count,
        "fit_order": list(range(count)),
    }
    return pd.DataFrame(columns)


def test_autogluon_boards() -> None:
    result = tb.read({"iris": board("accuracy", [0.9, 0.8]), "wine": board("accuracy", [0.7, 0.6])}, also=["fit_time"])
    assert result.scores == ("accuracy",)
    assert result.means("accuracy").tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert result.means("fit_time").tolist() == [[1.0, 2.0]] * 2
    predictor = SimpleNamespace(leaderboard=lambda: board("accuracy", [0.8, 0.7], part="val"))
    np.testing.assert_allclose(tb.read(predictor, scores="accuracy").means("accuracy"), [[0.9, 0.8]])


def test_autogluon_turns_losses_and_so_do_we() -> None:
    result = tb.read({"diabetes": board("root_mean_squared_error", [-55.5, -58.9])})
    assert result.scores == ("neg_root_mean_squared_error",)
    assert result.metric(result.scores[0]).higher_is_better is True
    both = tb.read(
        {"a": board("roc_auc", [0.9, 0.8]), "b": board("root_mean_squared_error", [-5.0, -6.0])}, scores="score"
    )
    betters = {metric.name: metric.higher_is_better for metric in both.dataset_metrics}
    assert betters == {"roc_auc": True, "neg_root_mean_squared_error": True}


def test_autogluon_itself(tmp_path: Path) -> None:
    tabular = pytest.importorskip("autogluon.tabular", reason="AutoGluon is not installed")
    from sklearn.datasets import load_iris

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = load_iris(as_frame=True).frame.sample(frac=1, random_state=0)
        predictor = tabular.TabularPredictor(label="target", path=str(tmp_path), verbosity=0)
        predictor.fit(frame[:100], hyperparameters={"KNN": {}, "LR": {}})
        shape = predictor.leaderboard(frame[100:])
        result = tb.read({"iris": shape})
    assert dict(zip(result.algorithms, result.means("accuracy")[0], strict=True)) == dict(
        zip(shape["model"], shape["score_test"], strict=True)
    )


PYCARET = pd.DataFrame(
    {
        "Model": ["Ridge Classifier", "Logistic Regression", "Dummy Classifier"],
        "Accuracy": [0.9548, 0.9422, 0.6281],
        "AUC": [0.0, 0.9885, 0.5],
        "Recall": [0.984, 0.9719, 1.0],
        "Prec.": [0.9462, 0.9388, 0.6281],
        "F1": [0.9647, 0.9549, 0.7716],
        "Kappa": [0.902, 0.8747, 0.0],
        "MCC": [0.9034, 0.8765, 0.0],
        "TT (Sec)": [0.1233, 4.7067, 0.1133],
    },
    index=["ridge", "lr", "dummy"],
)


def test_pycaret() -> None:
    result = tb.read({"cancer": PYCARET, "again": PYCARET}, also=["TT (Sec)"])
    assert (result.costs, len(result.datasets)) == (("TT (Sec)",), 2)
    assert result.scores == ("AUC", "Accuracy", "F1", "Kappa", "MCC", "Prec.", "Recall")
    assert all(metric.higher_is_better is not None for metric in result.metrics)
    assert np.isnan(result.means("AUC")[:, result.algorithms.index("Ridge Classifier")]).all()
    assert (result.means("Kappa")[:, result.algorithms.index("Dummy Classifier")] == 0).all()


def skore_report(shift: float = 0.0) -> Any:
    frame = pd.DataFrame(
        {
            "split_0": [0.98, 0.98, 1.0, 0.97, 0.14, 0.25, 0.0002],
            "split_1": [0.96, 0.96, 0.9, 0.95, 0.15, 0.47, 0.0001],
        },
        index="default_score accuracy precision_0 precision_avg_macro log_loss fit_time predict_time".split(),
    )
    summary = SimpleNamespace(frame=lambda **_: frame - shift)
    return SimpleNamespace(metrics=SimpleNamespace(summarize=lambda: summary), estimator_name_="LogisticRegression")


def test_skore() -> None:
    """The rows of a CrossValidationReport of version 0.28, recorded."""
    compared = SimpleNamespace(reports_={"lr": skore_report(), "other": skore_report(0.1)})
    result = tb.read({"iris": compared, "wine": {"lr": skore_report(), "other": skore_report(0.1)}})
    assert result.scores == ("accuracy", "log_loss", "precision_macro")
    assert result.costs == ("predict_time", "train_time")
    assert result.cube("accuracy")[0, 0, 0].tolist() == [0.98, 0.96]
    alone = tb.read({"iris": {"lr": skore_report()}}, scores="precision_0")
    assert alone.scores == ("precision_0",)
    with pytest.raises(tb.OptionError, match="There is no score 'zeal'"):
        tb.read({"a": {"lr": skore_report()}}, scores="zeal")
    series = SimpleNamespace(frame=lambda **_: pd.Series([0.9], index=["accuracy"]))  # of one split
    report = SimpleNamespace(metrics=SimpleNamespace(summarize=lambda: series))
    with pytest.raises(tb.InputError, match=r"What was given for 'iris' is a \w+ without splits"):
        tb.read({"iris": {"lr": report}})


def test_skore_itself() -> None:
    skore = pytest.importorskip("skore", reason="skore is not installed")
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    x, y = load_iris(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reports = {
            "bayes": skore.CrossValidationReport(GaussianNB(), x, y, splitter=3),
            "dummy": skore.CrossValidationReport(DummyClassifier(), x, y, splitter=3),
        }
        result = tb.read(skore.ComparisonReport(reports))
        ravels = {name: report.metrics.accuracy(aggregate=None).to_numpy().ravel() for name, report in reports.items()}
    assert result.algorithms == ("bayes", "dummy")
    for place, name in enumerate(result.algorithms):
        np.testing.assert_allclose(result.cube("accuracy")[0, place, 0], ravels[name])


def test_mlflow_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mlflow.set_tracking_uri(f"file:{tmp_path}")
        mlflow.set_experiment("ours")
        for dataset in ("iris", "wine"):
            for model, score in (("svm", 0.9), ("tree", 0.8)):
                with mlflow.start_run(tags={"dataset": dataset, "stage": "final"}):
                    mlflow.log_param("model", model)
                    mlflow.log_metric("accuracy", score)
        result = tb.read(mlflow.search_runs(), scores="accuracy", where="tags.stage == final")
    assert result.algorithms == ("svm", "tree")
    assert result.means("accuracy").tolist() == [[0.9, 0.8]] * 2
