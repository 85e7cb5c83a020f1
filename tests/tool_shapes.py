"""Random results in the shapes in which tools write them, and whether they are read as what they are.

`python tests/tool_shapes.py 2000` counts answers, questions and wrong readings.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak import InputError, OptionError, read
from tiebreak.results import Results

MODELS = [
    "svm",
    "rf",
    "xgboost",
    "mlp",
    "knn",
    "ridge",
    "m1",
    "my_model",
    "tree (deep)",
    "gpt-x",
    "C5.0",
    "naive bayes",
]
SETS = ["iris", "wine", "d7", "open-ml_31", "glass", "my data", "zoo2", "heart", "credit-g", "p_12", "Banknotes", "x"]
BENCHMARKS = ["MMLU", "GSM8K", "HumanEval", "ARC-C", "HellaSwag", "TruthfulQA", "GPQA", "IFEval", "MATH", "BoolQ"]


@dataclass
class Truth:
    """What a file holds: scores and costs by data set, model and fold, or by item and model."""

    scores: np.ndarray
    costs: np.ndarray
    datasets: list[str]
    models: list[str]
    unit: str = "fold"
    lost: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Shape:
    """Files by name, what is asked for, and the truth."""

    files: dict[str, str]
    truth: Truth
    score: str = "accuracy"
    cost: str | None = None


def table(rows: list[dict[str, Any]], rng: random.Random, *, shuffle: bool = True) -> str:
    """Write rows as csv."""
    if shuffle and rng.random() < 0.5:
        rng.shuffle(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def truth(rng: random.Random, *, sets: tuple[int, int] = (2, 9), folds: tuple[int, int] = (1, 6)) -> Truth:
    """Draw results."""
    d, a, f = rng.randint(*sets), rng.randint(2, 6), rng.randint(*folds)
    numbers = np.random.default_rng(rng.randrange(2**32))
    scores = np.round(numbers.uniform(0.4, 0.99, (d, a, f)), 4)
    costs = np.round(numbers.lognormal(1, 1.5, (d, a, f)) + 0.001, 3)
    return Truth(scores, costs, rng.sample(SETS, d), rng.sample(MODELS, a))


def answers(rng: random.Random) -> Truth:
    """Draw right and wrong answers to items."""
    n, a = rng.randint(25, 80), rng.randint(2, 4)
    numbers = np.random.default_rng(rng.randrange(2**32))
    scores = (numbers.uniform(size=(n, a, 1)) < numbers.uniform(0.3, 0.9, (1, a, 1))).astype(float)
    kind = rng.choice(["q{}", "{}", "HumanEval/{}", "case-{}"])
    return Truth(scores, np.round(numbers.uniform(0.1, 2, (n, a, 1)), 3), [kind.format(i) for i in range(n)],
                 rng.sample(MODELS, a), unit="item")  # fmt: skip


def cells(held: Truth) -> list[tuple[str, str, int, float, float]]:
    """Go through the cells."""
    return [
        (name, model, f, float(held.scores[d, a, f]), float(held.costs[d, a, f]))
        for d, name in enumerate(held.datasets)
        for a, model in enumerate(held.models)
        for f in range(held.scores.shape[2])
    ]


def clutter(rng: random.Random) -> dict[str, Callable[[int], Any]]:
    """Draw columns that nobody asks for."""
    columns: dict[str, Callable[[int], Any]] = {
        "date": lambda _: "2026-01-01", "timestamp": lambda i: f"2026-01-01T00:00:{i % 60:02d}", "user": lambda _: "me",
        "git_commit": lambda i: f"{i * 7919:08x}", "n_jobs": lambda _: 4, "run_id": lambda i: f"{i * 104729:010x}",
        "notes": lambda _: "", "hostname_": lambda i: f"node{i % 3}",
    }  # fmt: skip
    return {name: columns[name] for name in rng.sample(list(columns), rng.randint(0, 3))}


def long(rng: random.Random) -> Shape:
    """A row per run, under headers of many tools."""
    held = truth(rng)
    heads = (
        rng.choice(["dataset", "task", "Dataset", "data_set", "task_id", "task.id", "problem", "openml_task_id", "db"]),
        rng.choice(["algorithm", "model", "classifier", "learner_id", "framework", "estimator", "method", "learner.id",
                    "model_name", "Algorithm", "params.model", "pipeline"]),
        rng.choice(["fold", "split", "iter", "seed", "cv_fold", "run", "trial", "repeat"]),
        rng.choice(["accuracy", "test_accuracy", "metrics.accuracy", "acc", "val/acc", "classif.acc", "eval_accuracy"]),
        rng.choice(["fit_time", "train_time", "duration", "fit_time_s", "training_time_ms", "time (s)", "runtime"]),
    )  # fmt: skip
    more = clutter(rng)
    rows = []
    for i, (d, a, f, s, c) in enumerate(cells(held)):
        row = {heads[0]: d, heads[1]: a, heads[2]: f, heads[3]: s, heads[4]: c}
        rows.append({**row, **{name: draw(i) for name, draw in more.items()}})
    if rng.random() < 0.5:
        order = list(rows[0])
        rng.shuffle(order)
        rows = [{name: row[name] for name in order} for row in rows]
    return Shape({"results.csv": table(rows, rng)}, held, cost=heads[4])


def cross_validate(rng: random.Random) -> Shape:
    """Frames of cross_validate under one another, or JSON of it: one data set."""
    held = truth(rng, sets=(1, 1), folds=(2, 10))
    if rng.random() < 0.5:
        content = {
            model: {
                "fit_time": held.costs[0, a].tolist(),
                "score_time": [0.01] * held.scores.shape[2],
                "test_accuracy": held.scores[0, a].tolist(),
            }
            for a, model in enumerate(held.models)
        }
        return Shape({"cv.json": json.dumps(content)}, held, cost="fit_time")
    fold = rng.choice(["split", "fold", "cv", "iteration"])
    name = rng.choice(["test_accuracy", "test_score"])
    rows = [{"model": a, fold: f, "fit_time": c, "score_time": 0.01, name: s} for _, a, f, s, c in cells(held)]
    return Shape({"cv.csv": table(rows, rng)}, held, cost="fit_time")


def grid_search(rng: random.Random) -> Shape:
    """What cv_results_ holds, as a file."""
    held = truth(rng, sets=(1, 1), folds=(2, 5))
    held.models = [
        f"C={place + 1}, kernel=rbf" if rng.random() < 0 else f"C={place + 1}" for place in range(len(held.models))
    ]
    rows = []
    for a in range(len(held.models)):
        time = float(held.costs[0, a].mean())
        row: dict[str, Any] = {"mean_fit_time": time, "std_fit_time": 0.1, "mean_score_time": 0.01, "param_C": a + 1}
        row |= {"param_kernel": "rbf", "params": str({"C": a + 1, "kernel": "rbf"})}
        row |= {f"split{f}_test_score": held.scores[0, a, f] for f in range(held.scores.shape[2])}
        rows.append(
            row | {"mean_test_score": held.scores[0, a].mean(), "std_test_score": 0.1, "rank_test_score": a + 1}
        )
    held.costs[:] = held.costs.mean(axis=2, keepdims=True)
    return Shape({"search.csv": table(rows, rng, shuffle=False)}, held, cost="fit_time")


def caret(rng: random.Random) -> Shape:
    """Values of resamples of caret."""
    held = truth(rng, sets=(1, 1), folds=(3, 10))
    rows = []
    for f in range(held.scores.shape[2]):
        row: dict[str, Any] = {"Resample": f"Fold{f + 1:02d}"}
        for a, model in enumerate(held.models):
            row |= {f"{model}~Accuracy": held.scores[0, a, f], f"{model}~Kappa": 0.5}
        rows.append(row)
    return Shape({"resamples.csv": table(rows, rng)}, held)


def mlr3(rng: random.Random) -> Shape:
    """Scores of a benchmark of mlr3."""
    held = truth(rng, folds=(2, 6))
    rows = [
        {
            "nr": i,
            "task_id": d,
            "learner_id": f"classif.{a}",
            "resampling_id": "cv",
            "iteration": f + 1,
            "classif.acc": s,
        }
        for i, (d, a, f, s, _) in enumerate(cells(held))
    ]
    held.models = [f"classif.{a}" for a in held.models]
    return Shape({"bmr.csv": table(rows, rng)}, held)


def mlr(rng: random.Random) -> Shape:
    """Aggregated measures of mlr."""
    held = truth(rng, folds=(1, 1))
    rows = [
        {"task.id": d, "learner.id": a, "acc.test.mean": s, "timetrain.test.mean": c} for d, a, _, s, c in cells(held)
    ]
    return Shape({"bmr.csv": table(rows, rng)}, held, score="acc.test.mean", cost="timetrain.test.mean")


def tidymodels(rng: random.Random) -> Shape:
    """collect_metrics of a set of workflows, by resample or summarised: a row per metric."""
    by_fold = rng.random() < 0.5
    held = truth(rng, sets=(1, 1), folds=(2, 6) if by_fold else (1, 1))
    rows = []
    for _, a, f, s, _ in cells(held):
        for metric, value in (("accuracy", s), ("roc_auc", 0.5)):
            row: dict[str, Any] = {"wflow_id": a, ".config": "pre0_mod0_post0", "preproc": "formula", "model": "x"}
            row |= {"id": f"Fold{f + 1}"} if by_fold else {}
            row |= {".metric": metric, ".estimator": "binary"}
            rows.append(row | ({".estimate": value} if by_fold else {"mean": value, "n": 5, "std_err": 0.01}))
    return Shape({"metrics.csv": table(rows, rng)}, held)


def weka(rng: random.Random) -> Shape:
    """Results of the WEKA experimenter, in percent."""
    held = truth(rng, folds=(2, 5))
    rows = [
        {"Key_Dataset": d, "Key_Run": 1, "Key_Fold": f + 1, "Key_Scheme": f"weka.classifiers.{a}",
         "Key_Scheme_options": "-K 1", "Key_Scheme_version_ID": "-50", "Date_time": 2.0e7,
         "Number_of_training_instances": 90, "Number_of_testing_instances": 10,
         "Number_correct": 7, "Percent_correct": round(100 * s, 2),
         "Percent_incorrect": round(100 - 100 * s, 2), "UserCPU_Time_training": c}
        for d, a, f, s, c in cells(held)
    ]  # fmt: skip
    held.models = [f"weka.classifiers.{a}" for a in held.models]
    held.scores = np.round(100 * held.scores, 2)
    return Shape({"weka.csv": table(rows, rng)}, held, score="Percent_correct", cost="UserCPU_Time_training")


def weka_arff(rng: random.Random) -> Shape:
    """The same as ARFF, which the experimenter writes by default."""
    shape = weka(rng)
    (content,) = shape.files.values()
    head, *rows = csv.reader(io.StringIO(content))
    lines = ["@relation InstanceResultListener", "", *(f"@attribute {name} string" for name in head), "", "@data"]
    lines += [",".join(cell if cell.replace(".", "").isalnum() else f"'{cell}'" for cell in row) for row in rows]
    return replace(shape, files={"weka.arff": "\n".join([*lines, ""])})


def concatenated(rng: random.Random) -> Shape:
    """What pandas writes of `pd.concat({model: DataFrame(cross_validate(...))})`: two columns of index without name."""
    held = truth(rng, sets=(1, 1), folds=(2, 10))
    rows = [["", "", "fit_time", "score_time", "test_accuracy"]]
    rows += [[a, f, c, 0.01, s] for _, a, f, s, c in cells(held)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return Shape({"cv.csv": out.getvalue()}, held, cost="fit_time")


def aeon(rng: random.Random) -> Shape:
    """A file per classifier: data sets in rows, resamples in columns."""
    held = truth(rng, sets=(2, 9), folds=(2, 6))
    held.models = [f"classifier{a}" for a in range(len(held.models))]
    files = {}
    for a, model in enumerate(held.models):
        rows = [
            {"Resamples:": d, **{str(f): held.scores[i, a, f] for f in range(held.scores.shape[2])}}
            for i, d in enumerate(held.datasets)
        ]
        files[f"{model}.csv"] = table(rows, rng)
    return Shape(files, held)


def optuna(rng: random.Random) -> Shape:
    """The frame of the trials of Optuna: every setting is a model."""
    held = truth(rng, sets=(1, 1), folds=(1, 1))
    kind = rng.choice(["svm", "rf"])
    rows = [
        {"number": i, "value": s, "datetime_start": f"2026-01-01 10:00:{i:02d}.5",
         "duration": f"0 days {int(c // 3600):02d}:{int(c // 60) % 60:02d}:{c % 60:09.6f}",
         "params_classifier": kind, "params_alpha": i / 8, "state": "COMPLETE"}
        for i, (_, _, _, s, c) in enumerate(cells(held))
    ]  # fmt: skip
    held.models = [f"{kind} alpha={row['params_alpha']}" for row in rows]
    held.costs = np.round(held.costs, 6)
    return Shape({"trials.csv": table(rows, rng)}, held, cost="duration")


def leaderboard(rng: random.Random) -> Shape:
    """Measures of one data set by model: H2O, PyCaret, AutoGluon."""
    held = truth(rng, sets=(1, 1), folds=(1, 1))
    rows: list[dict[str, Any]] = []
    kind = rng.choice(["h2o", "pycaret", "autogluon"])
    for i, (_, a, _, s, c) in enumerate(cells(held)):
        if kind == "h2o":
            rows.append({"model_id": a, "auc": s, "logloss": 0.3, "rmse": 0.2, "training_time_ms": c, "algo": "GBM"})
        elif kind == "pycaret":
            rows.append({"": f"id{i}", "Model": a, "Accuracy": s, "AUC": 0.5, "Prec.": 0.6, "F1": 0.4, "TT (Sec)": c})
        else:
            rows.append({"model": a, "score_test": s, "score_val": 0.5, "eval_metric": "accuracy",
                         "pred_time_test": 0.1, "fit_time": c, "stack_level": 1, "can_infer": True})  # fmt: skip
    score, cost = {"h2o": ("auc", "training_time_ms"), "pycaret": ("accuracy", "TT (Sec)")}.get(
        kind, ("accuracy", "fit_time")
    )
    return Shape({f"{kind}.csv": table(rows, rng)}, held, score=score, cost=cost)


def tracker(rng: random.Random) -> Shape:
    """Exports of MLflow, Weights & Biases and Ray Tune."""
    held = truth(rng, folds=(1, 4))
    kind = rng.choice(["mlflow", "wandb", "ray"])
    rows: list[dict[str, Any]] = []
    for i, (d, a, f, s, c) in enumerate(cells(held)):
        if kind == "mlflow":
            rows.append({"run_id": f"{i:x}f", "experiment_id": 1, "status": "FINISHED", "start_time": "2026-01-01",
                         "metrics.accuracy": s, "metrics.train_time": c, "params.model": a, "params.dataset": d,
                         "params.seed": f, "tags.mlflow.user": "me"})  # fmt: skip
        elif kind == "wandb":
            rows.append({"Name": f"run-{i}", "State": "finished", "Runtime": 30 + i, "Created": "2026", "model": a,
                         "dataset": d, "seed": f, "val/acc": s, "train_time": c})  # fmt: skip
        else:
            rows.append({"trial_id": f"t{i}", "config/model": a, "config/dataset": d, "config/seed": f, "done": True,
                         "mean_accuracy": s, "time_total_s": c, "pid": 12, "date": "2026"})  # fmt: skip
    return Shape({f"{kind}.csv": table(rows, rng)}, held, cost="time_total_s" if kind == "ray" else "train_time")


def board(rng: random.Random) -> Shape:
    """Models in rows, benchmarks in columns, and what boards hold beside them."""
    held = truth(rng, sets=(3, 9), folds=(1, 1))
    held.datasets = rng.sample(BENCHMARKS, len(held.datasets))
    scale = rng.choice([1.0, 100.0])
    held.scores = np.round(held.scores * scale, 4)
    held.costs[:] = held.costs[:1]
    rows = []
    for a, model in enumerate(held.models):
        row: dict[str, Any] = {rng.choice(["Model"]): model}
        extra = {"Average": held.scores[:, a].mean(), "Rank": a + 1, "Organization": "x", "License": "mit",
                 "Release Date": "2026-01", "Context Length": 8192, "Price": held.costs[0, a, 0]}  # fmt: skip
        row |= {name: float(held.scores[d, a, 0]) for d, name in enumerate(held.datasets)}
        rows.append({**row, **extra})
    names = ["Price", *rng.sample(["Average", "Rank", "Organization", "License", "Release Date", "Context Length"], 3)]
    keep = [name for name in rows[0] if name in names or name == "Model" or name in held.datasets]
    if rng.random() < 0.5:
        rng.shuffle(keep)
    return Shape({"board.csv": table([{name: row[name] for name in keep} for row in rows], rng)}, held, cost="price")


def known_board(rng: random.Random) -> Shape:
    """The boards of HELM and MTEB."""
    held = truth(rng, sets=(3, 9), folds=(1, 1))
    held.datasets = rng.sample(BENCHMARKS, len(held.datasets))
    of_helm = rng.random() < 0.5
    held.datasets = [f"{name} - EM" for name in held.datasets] if of_helm else held.datasets
    rows = []
    for a, model in enumerate(held.models):
        row: dict[str, Any] = {"Model": model, "Mean win rate": 0.5}
        if not of_helm:
            row = {"Rank (Borda)": a + 1, "Model": model, "Zero-shot": "95%", "Memory Usage (MB)": 1000 + a,
                   "Number of Parameters (B)": 7, "Embedding Dimensions": 1024, "Max Tokens": 8192,
                   "Mean (Task)": 0.5}  # fmt: skip
        rows.append(row | {name: float(held.scores[d, a, 0]) for d, name in enumerate(held.datasets)})
    return Shape({"board.csv": table(rows, rng)}, held)


def lm_eval_tables(rng: random.Random) -> Shape:
    """The table that lm-evaluation-harness prints, a file per model: a row per task and metric."""
    held = truth(rng, sets=(2, 6), folds=(1, 1))
    held.models = [f"org-model{a}" for a in range(len(held.models))]
    files = {}
    for a, model in enumerate(held.models):
        rows = []
        for d, name in enumerate(held.datasets):
            for metric, value in (("acc", held.scores[d, a, 0]), ("acc_norm", 0.5)):
                rows.append({"Tasks": name, "Version": 1, "Filter": "none", "n-shot": 0, "Metric": metric,
                             "Value": value, "Stderr": 0.01})  # fmt: skip
        files[f"{model}.csv"] = table(rows, rng)
    return Shape(files, held, score="acc")


def european(rng: random.Random) -> Shape:
    """Any of the shapes of one csv with semicolons and decimal commas."""
    shape = rng.choice([long, cross_validate, mlr3, weka, tracker, by_metric])(rng)
    if not all(name.endswith(".csv") for name in shape.files):
        return shape
    for name, text in shape.files.items():
        head, rest = text.replace(",", ";").split("\n", 1)
        shape.files[name] = f"{head}\n{rest.replace('.', ',')}"
    shape.truth.models = [name.replace(".", ",") for name in shape.truth.models]
    return shape


def bare(rng: random.Random) -> Shape:
    """A table of numbers alone: rows are data sets."""
    held = truth(rng, sets=(3, 12), folds=(1, 1))
    rows = [{model: held.scores[d, a, 0] for a, model in enumerate(held.models)} for d in range(len(held.datasets))]
    if rng.random() < 0.3:
        rows = [{"": i, **row} for i, row in enumerate(rows)]
    held.datasets = [f"row {d + 1}" for d in range(len(held.datasets))]
    return Shape({"bare.csv": table(rows, rng, shuffle=False)}, held)


def wide(rng: random.Random) -> Shape:
    """Data sets in rows, models in columns; each data set once, or once per fold, with or without a column of folds."""
    held = truth(rng, sets=(3, 12), folds=(1, 4))
    folds = held.scores.shape[2]
    rows = []
    counted = folds > 1 and rng.random() < 0.5
    for d, name in enumerate(held.datasets):
        for f in range(folds):
            row: dict[str, Any] = {"dataset": name, **({"fold": f} if counted else {})}
            rows.append(row | {model: held.scores[d, a, f] for a, model in enumerate(held.models)})
    return Shape({"wide.csv": table(rows, rng, shuffle=False)}, held)


def failing(rng: random.Random) -> Shape:
    """Runs that failed, as a column says."""
    held = truth(rng, sets=(4, 9), folds=(1, 3))
    header, good = rng.choice(
        [("status", "ok"), ("runstatus", "ok"), ("state", "FINISHED"), ("error", ""), ("failed", "False")]
    )
    rows = []
    for d, a, f, s, c in cells(held):
        lost = rng.random() < 0.08
        if lost:
            held.lost.add((d, a))
            held.scores[held.datasets.index(d), held.models.index(a), f] = np.nan
            held.costs[held.datasets.index(d), held.models.index(a), f] = np.nan
        bad = "True" if header == "failed" else rng.choice(["timeout", "memout", "FAILED", "crashed", "error: x"])
        rows.append({"dataset": d, "learner": a, "fold": f, "acc": "" if lost else s, "fit_cpu_s": "" if lost else c,
                     header: bad if lost else good})  # fmt: skip
    return Shape({"runs.csv": table(rows, rng)}, held, score="acc", cost="fit_cpu_s")


def by_metric(rng: random.Random) -> Shape:
    """A row per metric."""
    held = truth(rng, folds=(1, 4))
    head, value = rng.choice([("metric", "value"), ("measure", "score"), ("Metric", "Value")])
    rows = []
    for d, a, f, s, c in cells(held):
        for name, cell in (("accuracy", s), ("f1", 0.5), ("fit_time", c)):
            rows.append({"dataset": d, "model": a, "fold": f, head: name, value: cell})
    return Shape({"metrics.csv": table(rows, rng)}, held, cost="fit_time")


def items_by_file(rng: random.Random) -> Shape:
    """A file per model, csv or lines of JSON."""
    held = answers(rng)
    held.models = [f"model{a}" for a in range(len(held.models))]
    ident, score = (
        rng.choice(["id", "idx", "task_id", "question_id", "case", "example"]),
        rng.choice(["correct", "passed"]),
    )
    as_json = rng.random() < 0.5
    files = {}
    for a, model in enumerate(held.models):
        rows = [
            {
                ident: name,
                score: bool(held.scores[i, a, 0]) if as_json else int(held.scores[i, a, 0]),
                "latency_ms": 5 + i,
            }
            for i, name in enumerate(held.datasets)
        ]
        if rng.random() < 0.5:
            rng.shuffle(rows)
        text = "".join(json.dumps(row) + "\n" for row in rows) if as_json else table(rows, rng)
        files[f"{model}.{'jsonl' if as_json else 'csv'}"] = text
    return Shape(files, held, score=score)


def items(rng: random.Random) -> Shape:
    """Items in one file: long, wide, or nested JSON."""
    held = answers(rng)
    kind = rng.choice(["long", "wide", "nested"])
    if kind == "nested":
        content = {
            model: {
                name: {"resolved": bool(held.scores[i, a, 0]), "cost": held.costs[i, a, 0]}
                for i, name in enumerate(held.datasets)
            }
            for a, model in enumerate(held.models)
        }
        return Shape({"runs.json": json.dumps(content)}, held, score="resolved", cost="cost")
    ident = rng.choice(["id", "task_id", "question_id", "case", "instance_id", "example"])
    if kind == "wide":
        rows = [
            {ident: name, **{model: int(held.scores[i, a, 0]) for a, model in enumerate(held.models)}}
            for i, name in enumerate(held.datasets)
        ]
        return Shape({"items.csv": table(rows, rng)}, held, score="accuracy")
    words = rng.choice([(1, 0), ("True", "False"), ("yes", "no"), ("pass", "fail")])
    rows = [{"model": a, ident: d, "correct": words[0] if s else words[1]} for d, a, _, s, _ in cells(held)]
    return Shape({"items.csv": table(rows, rng)}, held, score="correct")


SHAPES = [
    long, long, long, cross_validate, grid_search, caret, mlr3, mlr, tidymodels, weka, leaderboard, tracker, tracker,
    known_board, lm_eval_tables, european, board, board, bare, wide, failing, by_metric, items_by_file, items,
    weka_arff, concatenated, aeon, optuna,
]  # fmt: skip


def wrong(shape: Shape, results: Results) -> str:
    """Say what was read otherwise than it is; empty where all is right."""
    held = shape.truth
    if sorted(results.algorithms) != sorted(held.models):
        return f"models {results.algorithms} are {held.models}"
    order = [results.algorithms.index(name) for name in held.models]
    if held.unit == "item":
        if results.unit != "item" or sorted(results.folds) != sorted(held.datasets):
            return f"items: {results.unit} {results.folds[:3]}"
        cube = results.cube(shape.score)[0, :, 0][order][:, [results.folds.index(name) for name in held.datasets]]
        return "" if np.array_equal(cube.T, held.scores[:, :, 0]) else "answers"
    if results.unit != "fold":
        return f"unit {results.unit}"
    if len(held.datasets) > 1 and sorted(results.datasets) != sorted(held.datasets):
        return f"data sets {results.datasets} are {held.datasets}"
    if len(held.datasets) != len(results.datasets):
        return f"{len(results.datasets)} data sets are {len(held.datasets)}"
    rows = [results.datasets.index(name) for name in held.datasets] if len(held.datasets) > 1 else [0]
    if len(results.folds) * len(results.replications) != held.scores.shape[2]:
        return f"{len(results.folds)} folds x {len(results.replications)} are {held.scores.shape[2]}"
    for name, values in ((shape.score, held.scores), (shape.cost, held.costs)):
        if name is None:
            continue
        if name not in results.values:
            return f"{name} is not there"
        mean = results.means(name)[np.ix_(rows, order)]
        if not np.allclose(mean, values.mean(axis=2), atol=1e-9, equal_nan=True):
            return f"values of {name}"
    if held.lost != set(results.failures):
        return f"failures {sorted(results.failures)[:3]} are {sorted(held.lost)[:3]}"
    return ""


def tried(seed: int, folder: Path) -> tuple[str, str, str]:
    """Write one random file, read it, and return its shape, the outcome and what is wrong with it."""
    rng = random.Random(seed)
    write = rng.choice(SHAPES)
    shape = write(rng)
    paths = []
    for name, text in shape.files.items():
        (folder / name).write_text(text)
        paths.append(folder / name)
    try:
        result = read(paths, score=shape.score, also=None if shape.cost is None else [shape.cost])
    except (InputError, OptionError) as error:
        return write.__name__, "asked", f"{error}"[:300]
    what = wrong(shape, result)
    return write.__name__, "wrong" if what else "right", what


def main(count: int) -> int:
    """Try many and print the counts."""
    outcomes: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            name, outcome, what = tried(seed, Path(folder))
            outcomes[name, outcome] += 1
            if outcome != "right":
                examples.setdefault((name, outcome), f"seed {seed}: {what}")
    for (name, outcome), number in sorted(outcomes.items()):
        print(f"{name:15s} {outcome:6s} {number:5d}  {examples.get((name, outcome), '')}")
    totals = Counter(outcome for (_, outcome), number in outcomes.items() for _ in range(number))
    print(dict(totals))
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
