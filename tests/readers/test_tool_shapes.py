"""Files in the shapes in which tools write them are read as what they are, or asked about; never read wrongly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiebreak as tb
from tiebreak.cli import main

from ..tool_shapes import MODELS, tried


def test_random_files_in_shapes_of_tools_are_read_as_what_they_are(tmp_path: Path) -> None:
    outcomes = [tried(seed, tmp_path) for seed in range(200)]
    assert [outcome for outcome in outcomes if outcome[1] == "wrong"] == []
    counts = Counter(name for name, outcome, _ in outcomes if outcome == "asked")
    assert sum(counts.values()) <= 6, counts  # some of the tables with decimal commas


def put(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def account(results: tb.Results) -> str:
    (note,) = (str(note) for note in results.caveats if note.code == "inferred")
    return note


def test_what_was_inferred_is_said_in_one_line_with_what_changes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{model},{split},{1 + split},{score + split / 100}"
        for model, score in (("a", 0.7), ("b", 0.8))
        for split in range(5)
    ]
    path = put(tmp_path / "cv.csv", "\n".join(["model,split,fit_time,test_accuracy", *rows, ""]))
    text = account(tb.read(path, scores="accuracy", also=None))
    assert text.startswith(
        "Read as: 2 models, 5 folds of one data set (cv); accuracy is test_accuracy; cost fit_time; higher accuracy is"
        " better. Change it: tiebreak.readers.explain("
    )
    assert main(["order", path, "--score", "accuracy", "--cost", "fit_time", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "inferred" in data["caveat_codes"] and data["order"] == ["b", "a"]
    assert any(f"`tiebreak read {path}`" in note for note in data["caveats"])
    plain = put(tmp_path / "plain.csv", "dataset,algorithm,accuracy\nx,a,1\nx,b,0.5\n")
    assert [note.code for note in tb.read(plain).caveats] == []


def test_duplicate_cells_stay_an_error_that_names_them(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "dataset,model,acc\nx,a,0.5\nx,b,0.6\nx,a,0.7\ny,a,1\ny,b,1\n")
    with pytest.raises(tb.InputError, match=r"Two scores for one cell .*'x'.*'a'.*line 2 .*line 4"):
        tb.read(path, scores="acc")
    path = put(tmp_path / "u.csv", "model,acc\na,0.5\na,0.6\nb,0.7\nb,0.8\n")
    with pytest.raises(tb.InputError):  # folds, items or data sets
        tb.read(path, scores="acc")


def test_seeds_are_replications_only_where_they_are_needed(tmp_path: Path) -> None:
    rows = [f"d,{m},{f},{7 * f + k},0.{f + 5}" for k, m in enumerate("ab") for f in range(3)]
    path = put(tmp_path / "t.csv", "\n".join(["dataset,model,fold,seed,acc", *rows, ""]))
    assert (tb.read(path, scores="acc").folds, tb.read(path, scores="acc").replications) == (("0", "1", "2"), ("1",))
    path = put(tmp_path / "t.csv", "\n".join(["dataset,model,nofold,seed,acc", *rows, ""]))
    result = tb.read(path, scores="acc")  # of the same number for both, although their seeds differ
    assert len(result.replications) == 3 and not np.isnan(result.means("acc")).any()


def test_two_columns_that_could_be_the_score_are_asked_about(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "model,a/accuracy,b/accuracy\nx,0.5,0.6\ny,0.7,0.8\n")
    with pytest.raises(tb.OptionError, match=r"'a/accuracy', 'b/accuracy' could all be 'accuracy'.*score='a/accuracy'"):
        tb.read(path, scores="accuracy")


def test_failed_runs_are_no_gaps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"d{d},{m},{'' if (d, m) == (1, 'b') else 0.5 + d / 10 + (m == 'b') / 50},{d + 1}"
        for d in range(5)
        for m in "ab"
    ]
    rows = [f"{row},{'timeout' if ',,' in row else 'ok'}" for row in rows]
    path = put(tmp_path / "t.csv", "\n".join(["dataset,model,acc,fit_time,status", *rows, ""]))
    result = tb.read(path, scores="acc")
    assert result.failures == {("d1", "b")} and "run-failed" in [note.code for note in result.caveats]
    assert main(["order", path, "--score", "acc", "--cost", "fit_time", "--json"]) == 0
    caveats = json.loads(capsys.readouterr().out)["caveats"]
    assert "1 failed run counts as the worst score and the largest cost of its data set: b on d1." in caveats
    words = put(tmp_path / "w.csv", "dataset,a,b\nx,0.5,OOM\ny,0.6,0.7\nz,0.5,0.4\n")
    assert tb.read(words, scores="acc").failures == {("x", "b")}


def test_a_warning_beside_a_score_is_no_failure(tmp_path: Path) -> None:
    text = "dataset,model,acc,info\nx,a,0.5,slow\nx,b,0.6,\ny,a,,killed\ny,b,0.7,\n"
    result = tb.read(put(tmp_path / "t.csv", text), scores="acc")
    assert result.failures == {("y", "a")} and result.means("acc")[0].tolist() == [0.5, 0.6]


def test_files_of_one_name_in_two_folders_are_named_by_these(tmp_path: Path) -> None:
    rows = ["id,correct", *(f"q{k},{k % 2}" for k in range(30)), ""]
    paths = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        paths.append(put(tmp_path / name / "answers.csv", "\n".join(rows)))
    result = tb.read(paths)
    assert result.unit == "item" and result.algorithms == ("new", "old")


def test_what_python_holds_needs_no_name_of_a_data_set() -> None:
    run = {"fit_time": [1.0, 2.0], "score_time": [0.1, 0.1], "test_score": [0.5, 0.7]}
    result = tb.read({"svm": run, "tree": run}, scores="accuracy")
    assert (len(result.datasets), result.algorithms, len(result.folds)) == (1, ("svm", "tree"), 2)
    board = pd.DataFrame(
        {"Model": ["Ridge", "Dummy"], "Accuracy": [0.9, 0.6], "TT (Sec)": [0.1, 0.2]}, index=["r", "d"]
    )
    result = tb.read(board, scores="Accuracy", also=["TT (Sec)"])
    assert (result.algorithms, result.costs) == (("Dummy", "Ridge"), ("TT (Sec)",))
    board = pd.DataFrame({"accuracy": [0.9, 0.6], "f1": [0.5, 0.4], "fit_time": [1, 2]}, index=["svm", "tree"])
    assert tb.read(board, scores="accuracy").algorithms == ("svm", "tree")
    matrix = np.random.default_rng(0).uniform(size=(8, 3))
    assert tb.read(matrix, scores="accuracy").means("accuracy").shape == (8, 3)
    assert tb.read(pd.DataFrame(matrix, columns=MODELS[:3]), scores="accuracy").algorithms == tuple(sorted(MODELS[:3]))
    record = {"a": {"accuracy": 0.9, "latency": 3.0}, "b": {"accuracy": 0.8, "latency": 1.0}}
    assert tb.order(record, score="accuracy", cost="latency").order == ("a", "b")


def test_a_gate_needs_two_files_of_answers_and_nothing_else(tmp_path: Path) -> None:
    worse = put(tmp_path / "new.csv", "\n".join(["id,correct", *(f"q{k},{int(k % 10 > 4)}" for k in range(300)), ""]))
    base = put(tmp_path / "old.csv", "\n".join(["id,correct", *(f"q{k},{int(k % 10 > 1)}" for k in range(300)), ""]))
    assert tb.gate(base, worse, margin=0.02).verdict == "worse"
    assert main(["gate", base, worse, "--margin", "0.02"]) == 1
    assert main(["gate", worse, base, "--margin", "0.02"]) == 0
    wide = [f"q{k},{int(k % 10 > 1)},{int(k % 10 > 4)}" for k in range(300)]
    both = put(tmp_path / "both.csv", "\n".join(["id,v1,v2", *wide, ""]))
    assert main(["gate", both, "--base", "v1", "--candidate", "v2", "--margin", "0.02"]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "model;split;fit_time;test_accuracy\na;0;1,5;0,91\na;1;1,7;0,93\nb;0;2,5;0,81\nb;1;2,7;0,83\n",
        "| Model | Accuracy | Time (s) |\n|---|---|---|\n| a | **92%** | 1.6 |\n| b | 82 % | 2.6 |\n",
    ],
)
def test_cells_with_marks_in_the_shape_of_a_tool(text: str) -> None:
    result = tb.read(text, scores="accuracy", also=None)
    assert (len(result.datasets), result.algorithms) == (1, ("a", "b"))
    np.testing.assert_allclose(result.means("accuracy"), [[0.92, 0.82]])
    np.testing.assert_allclose(result.means(result.costs[0]), [[1.6, 2.6]])


HARNESS = """hf (pretrained=x), gen_kwargs: (None), limit: None
|  Tasks  |Version|Filter|n-shot| Metric |   |Value |   |Stderr|
|---------|------:|------|-----:|--------|---|-----:|---|-----:|
|arc_easy |      1|none  |     0|acc     |↑  |{}|±  |0.0100|
|         |       |none  |     0|acc_norm|↑  |0.6200|±  |0.0100|
|hellaswag|      1|none  |     0|acc     |↑  |{}|±  |0.0100|
|         |       |none  |     0|acc_norm|↑  |0.5300|±  |0.0100|
"""
BOARDS = {
    "Kaggle": (
        "Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount\n1,7,x,2026-01-01,0.9,3\n2,3,y,2026-01-02,0.8,9\n",
        "Score", [("x", 0.9), ("y", 0.8)],
    ),
    "DVC": (
        "Experiment,rev,typ,Created,metrics.json:accuracy,metrics.json:train_time,params.yaml:model\n"
        ",workspace,baseline,,,,\nexp-a,1a,branch_commit,2026-01-01T10:00:00,0.9,2.5,rf\n"
        "exp-b,2b,branch_commit,2026-01-01T11:00:00,0.8,0.5,nb\n",
        "accuracy", [("nb", 0.8), ("rf", 0.9)],
    ),
    "Orange": ("Model\tTrain time [s]\tAUC\tCA\nknn\t0.1\t0.9\t0.8\nrf\t2.5\t0.95\t0.9\n",
               "CA", [("knn", 0.8), ("rf", 0.9)]),
    "Open LLM": (
        "eval_name,Precision,Type,T,Model,Average ⬆️,IFEval,BBH,GPQA,#Params (B),Hub License,CO₂ cost (kg)\n"
        "a_bf,bfloat16,chat,💬,a,99,50,40,30,7,mit,1.5\nb_bf,bfloat16,chat,💬,b,1,60,50,40,14,mit,3\n",
        "accuracy", [("a", 40.0), ("b", 50.0)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", BOARDS)
def test_boards_of_other_tools(tmp_path: Path, tool: str) -> None:
    text, score, expected = BOARDS[tool]
    result = tb.read(put(tmp_path / ("t.tsv" if "\t" in text else "t.csv"), text), scores=score, also=None)
    means = result.means(result.scores[0]).mean(axis=0)
    assert [(name, round(float(mean), 6)) for name, mean in zip(result.algorithms, means, strict=True)] == expected


def test_the_table_that_the_harness_prints(tmp_path: Path) -> None:
    paths = [put(tmp_path / f"{name}.md", HARNESS.format(*v)) for name, v in (("a", (0.6, 0.5)), ("b", (0.7, 0.6)))]
    result = tb.read(paths, scores="acc")
    assert (result.algorithms, result.datasets) == (("a", "b"), ("arc_easy", "hellaswag"))
    assert result.means("acc").tolist() == [[0.6, 0.7], [0.5, 0.6]]


def test_steps_of_one_training_are_no_folds(tmp_path: Path) -> None:
    path = put(
        tmp_path / "run.csv", "Wall time,Step,Value\n1700000000.5,0,0.5\n1700000001.5,1,0.6\n1700000002.5,2,0.7\n"
    )
    with pytest.raises(tb.OptionError, match=r"steps of one training .*Step == 2"):
        tb.read(path, scores="Value")
    result = tb.read(path, scores="Value", also=None, where="Step == 2")
    assert (result.means("Value").tolist(), result.costs) == ([[0.7]], ())


def test_accuracies_of_instances_are_those_of_data_sets_and_answers_are_items(tmp_path: Path) -> None:
    rows = [f"{d},{m},{0.5 + d / 100 + k / 1000}" for d in range(30) for k, m in enumerate("ab")]
    path = put(tmp_path / "t.csv", "\n".join(["instance_id,algorithm,predictive_accuracy", *rows, ""]))
    result = tb.read(path, scores="predictive_accuracy")
    assert (len(result.datasets), result.unit) == (30, "fold")
    rows = [f"q{d},{m},{(d + k) % 2}" for d in range(30) for k, m in enumerate("ab")]
    result = tb.read(put(tmp_path / "u.csv", "\n".join(["question_id,model,score", *rows, ""])), scores="score")
    assert result.unit == "item" and result.metric("score").higher_is_better


def test_rounds_of_boosting_are_no_folds(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / f"{name}.csv", "test-auc-mean,test-auc-std\n0.7,0.1\n0.9,0.1\n0.8,0.1\n")
    with pytest.raises(tb.OptionError, match="steps of one training"):
        tb.read([tmp_path / "a.csv", tmp_path / "b.csv"], score="auc")


def test_measures_of_a_model_per_file_as_evaluate_saves_them(tmp_path: Path) -> None:
    for name, score in (("a", 0.7), ("b", 0.9)):
        put(tmp_path / f"{name}.json", json.dumps({"accuracy": score, "total_time_in_seconds": 3.5}))
    result = tb.read([tmp_path / "a.json", tmp_path / "b.json"], score="accuracy")
    assert result.algorithms == ("a", "b") and result.means("accuracy").tolist() == [[0.7, 0.9]]


@pytest.mark.parametrize(("role", "length"), [("fold", 3), ("dataset", 3)])
def test_rows_of_a_model_that_nothing_distinguishes_can_be_numbered(tmp_path: Path, role: str, length: int) -> None:
    path = put(tmp_path / "t.csv", "model,accuracy\na,0.7\nb,0.8\na,0.6\nb,0.9\na,0.5\nb,0.4\n")
    with pytest.raises(tb.InputError, match=f"columns={{'{role}': '#'}}"):
        tb.read(path, score="accuracy")
    result = tb.read(path, score="accuracy", columns={role: "#"})
    assert len(getattr(result, f"{role}s")) == length
    assert result.means("accuracy").mean(axis=0).tolist() == pytest.approx([0.6, 0.7])


OF_TOOLS = {
    "caret_train.csv": '"","mtry","Accuracy","Kappa","AccuracySD","KappaSD"\n"1",2,0.9,0.8,0,0\n"2",3,0.8,0.7,0,0\n',
    "pandas_pivot.csv": "metric,accuracy,accuracy,time,time\nmodel,mtry=2,mtry=3,mtry=2,mtry=3\ndataset,,,,\n"
    "d1,0.95,0.9,1,2\nd2,0.85,0.7,1,2\n",
    "parts.csv": "model,split,accuracy\nmtry=2,train,1\nmtry=2,test,0.9\nmtry=3,train,1\nmtry=3,test,0.8\n",
    "metrics_in_rows.csv": ",mtry=2,mtry=3\naccuracy,0.9,0.8\nf1,0.5,0.6\n",
    "forecasts.csv": "unique_id,metric,mtry=2,mtry=3\na,accuracy,0.9,0.8\na,f1,0.5,0.6\n",
    "rank_results.csv": "wflow_id,.config,.metric,mean,std_err,n,model,rank\n"
    "mtry=2,M1,accuracy,0.9,0,9,rf,1\nmtry=2,M1,roc_auc,0.9,0,9,rf,1\nmtry=3,M1,accuracy,0.8,0,9,rf,2\n"
    "mtry=3,M1,roc_auc,0.8,0,9,rf,2\n",
    "groupby.csv": ",accuracy,accuracy,time,time\n,mean,std,mean,std\nmodel,,,,\nmtry=2,0.9,0,5,1\nmtry=3,0.8,0,2,1\n",
    "folds.csv": "model,fold1,fold2,mean\nmtry=2,0.85,0.95,0.9\nmtry=3,0.7,0.9,0.8\n",
    "flat.json": '{"mtry=2": 0.9, "mtry=3": 0.8}',
    "comet.csv": "experiment_key,param_model,metric_test_accuracy,duration_millis\n01,mtry=2,0.9,5\n02,mtry=3,0.8,5\n",
}


@pytest.mark.parametrize("name", OF_TOOLS)
def test_more_files_of_tools(tmp_path: Path, name: str) -> None:
    result = tb.read(put(tmp_path / name, OF_TOOLS[name]), scores="accuracy")
    assert result.algorithms == ("mtry=2", "mtry=3")
    assert result.means("accuracy").mean(axis=0).tolist() == pytest.approx([0.9, 0.8])


NO_RESULTS = {
    "report.csv": ",precision,recall,f1-score\n0,0.9,0.8,0.85\n1,0.8,0.9,0.85\nmacro avg,0.85,0.85,0.85\n",
    "probabilities.csv": "id,cat,dog,bird\n1,0.2,0.3,0.5\n2,0.1,0.8,0.1\n3,0.6,0.2,0.2\n",
    "predictions.csv": "y_true,rf,svm\n" + "1,0,1\n0,0,1\n" * 15,
    "data.csv": "width,length,species\n" + "1.5,2.5,a\n3.5,0.5,b\n" * 5,
    "numbers.csv": "x1,x2,x3\n-2.5,0.1,3\n1.5,0.2,-4\n0.1,0.3,5\n",
    "no_header.csv": "0.61,0.72,0.83\n0.62,0.74,0.85\n0.63,0.71,0.84\n",
    "folds_of_h2o.csv": ",mean,sd,cv_1_valid,cv_2_valid\naccuracy,0.8,0,0.7,0.9\nauc,0.8,0,0.7,0.9\n",
    "labels.csv": "id,label,pred_lr,pred_rf\n" + "1,1,0,1\n2,0,0,1\n" * 15,
    "describe.csv": ",rf,svm\ncount,9,9\nmean,0.9,0.8\n25%,0.8,0.7\n50%,0.9,0.8\n75%,0.9,0.9\n",
    "history.json": '{"loss": [0.9, 0.5], "accuracy": [0.6, 0.8], "val_loss": [1, 0.6], "val_accuracy": [0.5, 0.7]}',
    "boosting.json": '{"validation_0": {"accuracy": [0.6, 0.7]}, "validation_1": {"accuracy": [0.5, 0.6]}}',
    "curve.csv": "train_size,accuracy\n100,0.7\n200,0.8\n400,0.85\n",
    "metrics.csv": "unique_id,metric,rf,svm\na,mae,1,2\na,rmse,2,3\nb,mae,1,2\nb,rmse,2,3\n",
}


@pytest.mark.parametrize("name", NO_RESULTS)
def test_what_holds_no_results_is_no_answer(tmp_path: Path, name: str) -> None:
    with pytest.raises(tb.TiebreakError):
        tb.read(put(tmp_path / name, NO_RESULTS[name]), scores=None if name == "metrics.csv" else "accuracy")


def test_answers_of_evalplus_are_items(tmp_path: Path) -> None:
    for model, status in (("a", "pass"), ("b", "fail")):
        tasks = {f"T/{k}": [{"base_status": "pass", "plus_status": status if k else "pass"}] for k in range(20)}
        put(tmp_path / f"{model}.json", json.dumps({"date": "x", "eval": tasks}))
    result = tb.read([tmp_path / "a.json", tmp_path / "b.json"])
    assert result.unit == "item" and result.means("passed").tolist() == [[1.0, 0.05]]
