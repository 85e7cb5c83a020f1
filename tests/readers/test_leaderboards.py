"""Leaderboards and studies of other packages: recorded shapes, and the packages themselves where they are installed."""

from __future__ import annotations

import warnings
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import tiebreak as tb

pd = pytest.importorskip("pandas", reason="pandas is not installed")

# ---- AutoGluon: the columns of autogluon.tabular 1.6.3, recorded


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


def test_autogluon_boards_of_one_metric() -> None:
    found = tb.from_autogluon({"iris": board("accuracy", [0.9, 0.8]), "wine": board("accuracy", [0.7, 0.6])})
    assert found.scores == ("accuracy",)
    assert found.means("accuracy").tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert found.means("train_time").tolist() == [[1.0, 2.0]] * 2
    assert found.means("predict_time").tolist() == [[0.02, 0.02]] * 2
    assert found.caveats == ()


def test_autogluon_turns_losses_and_so_do_we() -> None:
    found = tb.from_autogluon({"diabetes": board("root_mean_squared_error", [-55.5, -58.9])})
    assert found.scores == ("neg_root_mean_squared_error",)
    assert found.metrics[0].higher_is_better is True
    both = tb.from_autogluon({"a": board("roc_auc", [0.9, 0.8]), "b": board("root_mean_squared_error", [-5.0, -6.0])})
    told = {metric.name: metric.higher_is_better for metric in both.dataset_metrics}
    assert told == {"roc_auc": True, "neg_root_mean_squared_error": True}


def test_autogluon_validation_scores_are_said_to_be_such() -> None:
    found = tb.from_autogluon({"iris": SimpleNamespace(leaderboard=lambda: board("accuracy", [0.8, 0.7], part="val"))})
    np.testing.assert_allclose(found.means("accuracy"), [[0.9, 0.8]])
    assert found.caveats == (
        "Scores are on validation data, by which models were chosen and weighted, and so too good: 'iris'.",
    )


def test_autogluon_itself(tmp_path: Path) -> None:
    tabular = pytest.importorskip("autogluon.tabular", reason="AutoGluon is not installed")
    from sklearn.datasets import load_iris

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = load_iris(as_frame=True).frame.sample(frac=1, random_state=0)
        predictor = tabular.TabularPredictor(label="target", path=str(tmp_path), verbosity=0)
        predictor.fit(frame[:100], hyperparameters={"KNN": {}, "LR": {}})
        own = predictor.leaderboard(frame[100:])
        found = tb.from_autogluon({"iris": own})
        alone = tb.from_autogluon({"iris": predictor})
    assert set(found.algorithms) == set(own["model"]) == set(alone.algorithms)
    for name, score, time in zip(own["model"], own["score_test"], own["fit_time"], strict=True):
        place = found.algorithms.index(name)
        assert found.means("accuracy")[0, place] == score
        assert found.means("train_time")[0, place] == time


# ---- PyCaret: what pull() of version 3.3.2 returns, recorded


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
    found = tb.from_pycaret({"cancer": PYCARET, "again": PYCARET})
    assert found.costs == ("train_time",)
    assert found.scores == ("AUC", "Accuracy", "F1", "Kappa", "MCC", "Recall", "precision")
    assert all(metric.higher_is_better is not None for metric in found.metrics)
    assert np.isnan(found.means("AUC")[:, found.algorithms.index("Ridge Classifier")]).all()
    assert (found.means("Kappa")[:, found.algorithms.index("Dummy Classifier")] == 0).all()
    assert tb.from_pycaret({"cancer": PYCARET}, scores="Accuracy").scores == ("Accuracy",)
    with pytest.raises(tb.InputError, match="What was given for 'x' has no column 'Model', or no rows"):
        tb.from_pycaret({"x": pl.DataFrame({"a": [1]})})
    with pytest.raises(tb.OptionError, match="Nothing says on which data set the table is"):
        tb.from_pycaret(PYCARET)


def test_pycaret_itself() -> None:
    classification = pytest.importorskip("pycaret.classification", reason="PyCaret is not installed")
    from sklearn.datasets import load_breast_cancer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = load_breast_cancer(as_frame=True).frame
        classification.setup(frame, target="target", session_id=1, fold=2, verbose=False, html=False)
        classification.compare_models(include=["ridge", "nb", "dummy"], verbose=False)
        own = classification.pull()
    found = tb.from_pycaret({"cancer": own})
    expected = dict(zip(own["Model"], own["Accuracy"], strict=True))
    assert dict(zip(found.algorithms, found.means("Accuracy")[0].tolist(), strict=True)) == expected
    assert found.costs == ("train_time",)


# ---- Optuna


def study(values: list[float | None], *, direction: str = "MAXIMIZE", kinds: str = "") -> Any:
    trials = [
        SimpleNamespace(
            value=value,
            state=SimpleNamespace(name="FAIL" if value is None else "COMPLETE"),
            params={"kind": kinds[place]} if kinds else {},
            duration=timedelta(seconds=2),
        )
        for place, value in enumerate(values)
    ]
    return SimpleNamespace(direction=SimpleNamespace(name=direction), trials=trials)


def test_optuna_studies_by_algorithm_and_replication() -> None:
    found = tb.from_optuna(
        {"iris": {"tpe": [study([0.8, 0.9]), study([0.7, None])], "random": [study([0.5]), study([0.6])]}},
        score="accuracy",
    )
    assert found.cube("accuracy")[0, :, :, 0].tolist() == [[0.5, 0.6], [0.9, 0.7]]
    assert found.cube("trials")[0, 1, :, 0].tolist() == [2.0, 1.0]
    assert found.cube("search_time")[0, 1, :, 0].tolist() == [4.0, 2.0]
    assert found.costs == ("search_time", "trials")
    assert [caveat.code for caveat in found.caveats] == ["optimistic"]


def test_optuna_a_parameter_may_be_the_algorithm() -> None:
    held = {"a": study([3.0, 1.0, 2.0], direction="MINIMIZE", kinds="xyx")}
    found = tb.from_optuna(held, score="zeal", algorithm="kind")
    assert found.algorithms == ("x", "y")
    assert found.means("zeal").tolist() == [[2.0, 1.0]]
    assert found.metric("zeal").higher_is_better is False  # the study says it, whatever the name
    with pytest.raises(tb.OptionError, match="A trial has no parameter 'model'"):
        tb.from_optuna(held, score="zeal", algorithm="model")
    with pytest.raises(tb.OptionError, match="The study of 'a' is not by algorithm"):
        tb.from_optuna(held, score="zeal")
    with pytest.raises(tb.OptionError, match="'accuracy' was said to be better when lower"):
        tb.from_optuna(held, score="accuracy", algorithm="kind")
    with pytest.raises(tb.InputError, match="Some studies maximise and others minimise"):
        tb.from_optuna({"a": {"x": study([1.0]), "y": study([1.0], direction="MINIMIZE")}}, score="zeal")
    with pytest.raises(tb.InputError, match="No trial of the studies is finished"):
        tb.from_optuna({"a": {"x": study([None])}}, score="zeal")


def test_optuna_itself() -> None:
    optuna = pytest.importorskip("optuna", reason="Optuna is not installed")
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def made(seed: int) -> Any:
        own = optuna.create_study(direction="minimize", sampler=optuna.samplers.RandomSampler(seed=seed))
        own.optimize(lambda t: t.suggest_float("x", 0, 1) + len(t.suggest_categorical("kind", ["a", "bb"])), n_trials=8)
        return own

    one, two = made(1), made(2)
    found = tb.from_optuna({"d": {"first": one, "second": two}}, score="loss")
    assert found.means("loss").tolist() == [[one.best_value, two.best_value]]
    assert (found.means("search_time") > 0).all()
    split = tb.from_optuna({"d": one}, score="loss", algorithm="kind")
    assert split.means("loss").min() == one.best_value
    several = optuna.create_study(directions=["minimize", "maximize"])
    with pytest.raises(tb.InputError, match="The study of 'd' has no direction"):
        tb.from_optuna({"d": {"x": several}}, score="loss")
    with pytest.raises(tb.InputError, match=r"compare was given a Study.*tiebreak\.from_optuna"):
        tb.compare(one)


# ---- skore: the rows of a CrossValidationReport of version 0.28, recorded


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
    compared = SimpleNamespace(reports_={"lr": skore_report(), "other": skore_report(0.1)})
    found = tb.from_skore({"iris": compared, "wine": {"lr": skore_report(), "other": skore_report(0.1)}})
    assert found.scores == ("accuracy", "log_loss", "precision_macro")
    assert found.costs == ("predict_time", "train_time")
    assert found.cube("accuracy")[0, 0, 0].tolist() == [0.98, 0.96]
    alone = tb.from_skore({"iris": {"lr": skore_report()}}, scores="precision_0")
    assert alone.scores == ("precision_0",)
    with pytest.raises(tb.InputError, match="What was given for 'iris' is a int without splits"):
        tb.from_skore({"iris": {"lr": 7}})


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
        found = tb.from_skore({"iris": skore.ComparisonReport(reports)})
        own = {name: each.metrics.accuracy(aggregate=None).to_numpy().ravel() for name, each in reports.items()}
    assert found.algorithms == ("bayes", "dummy")
    for place, name in enumerate(found.algorithms):
        np.testing.assert_allclose(found.cube("accuracy")[0, place, 0], own[name])
    assert "train_time" in found.costs


def test_one_split_is_no_cross_validation() -> None:
    series = SimpleNamespace(frame=lambda **_: pd.Series([0.9], index=["accuracy"]))
    report = SimpleNamespace(metrics=SimpleNamespace(summarize=lambda: series))
    with pytest.raises(tb.InputError, match="What was given for 'iris' is a SimpleNamespace without splits"):
        tb.from_skore({"iris": {"lr": report}})


def test_score_and_scores_are_one_option_of_every_reader() -> None:
    assert tb.from_autogluon({"a": board("accuracy", [0.9])}, scores="accuracy").scores == ("accuracy",)
    assert tb.from_pycaret({"a": PYCARET}, score="accuracy").scores == ("Accuracy",)
    assert tb.from_pycaret({"a": PYCARET}, scores=["Prec.", "auc"]).scores == ("AUC", "precision")
    assert tb.from_skore({"a": {"lr": skore_report()}}, score="accuracy").scores == ("accuracy",)
    assert tb.from_optuna({"a": {"x": study([0.5])}}, scores="accuracy").scores == ("accuracy",)
    with pytest.raises(tb.OptionError, match=r"No score was named.*score=\"accuracy\""):
        tb.from_optuna({"a": {"x": study([0.5])}})
    with pytest.raises(tb.OptionError, match="There is no score 'zeal'"):
        tb.from_pycaret({"a": PYCARET}, scores="zeal")
    with pytest.raises(tb.OptionError, match="There is no score 'zeal'"):
        tb.from_skore({"a": {"lr": skore_report()}}, scores="zeal")


def test_what_is_no_frame() -> None:
    for reader in (tb.from_autogluon, tb.from_pycaret):
        with pytest.raises(tb.InputError, match="What was given for 'a' is a int"):
            reader({"a": 7})
    with pytest.raises(tb.InputError, match="A int is no list of evaluations"):
        tb.from_openml_runs(7)


# ---- MLflow and OpenML


def test_a_frame_of_mlflow_needs_no_reader_named() -> None:
    runs = pd.DataFrame(
        {
            "run_id": ["1", "2", "3", "4"],
            "status": ["FINISHED"] * 4,
            "tags.dataset": ["iris", "iris", "wine", "wine"],
            "params.model": ["svm", "tree"] * 2,
            "tags.stage": ["final"] * 4,
            "metrics.accuracy": [0.9, 0.8, 0.7, 0.6],
        }
    )
    found = tb.as_results(runs, scores="accuracy", where="tags.stage == final")
    assert found.means("accuracy").tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert found.caveats[0] == "the frame: 0 of 4 rows left out; kept are those where tags.stage == final."


def test_openml_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package parses an answer of the server, recorded; nothing is downloaded."""
    openml = pytest.importorskip("openml", reason="openml is not installed")
    fields = "run_id task_id setup_id flow_id flow_name data_id data_name function upload_time uploader value"
    rows = [(1, 59, 7, 60, "weka.J48(1)", 61, "iris", 0.95), (2, 59, 8, 61, "weka.IB1(1)", 61, "iris", 0.94)]
    parts = ""
    for run, task, setup, flow, name, data, label, value in rows:
        cells = (run, task, setup, flow, name, data, label, "predictive_accuracy", "2024-01-01 00:00:00", 1, value)
        inner = "".join(f"<oml:{k}>{v}</oml:{k}>" for k, v in zip(fields.split(), cells, strict=True))
        parts += f"<oml:evaluation>{inner}</oml:evaluation>"
    answer = f'<oml:evaluations xmlns:oml="http://openml.org/openml">{parts}</oml:evaluations>'
    user = "<oml:user><oml:id>1</oml:id><oml:username>u</oml:username></oml:user>"
    users = f'<oml:users xmlns:oml="http://openml.org/openml">{user}</oml:users>'
    monkeypatch.setattr(
        openml._api_calls, "_perform_api_call", lambda call, *_, **__: users if call.startswith("user") else answer
    )
    frame = openml.evaluations.list_evaluations("predictive_accuracy", tasks=[59], size=2, output_format="dataframe")
    found = tb.from_openml_runs(frame)
    assert dict(zip(found.algorithms, found.means("accuracy")[0].tolist(), strict=True)) == {
        "weka.IB1(1)": 0.94,
        "weka.J48(1)": 0.95,
    }


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
        runs = mlflow.search_runs()
    for found in (tb.from_mlflow(runs), tb.as_results(runs, where="tags.stage == final")):
        assert found.algorithms == ("svm", "tree")
        assert found.means("accuracy").tolist() == [[0.9, 0.8]] * 2
