"""TabArena and TabRepo: a row per data set, split and model, with the error of the metric that suits the problem."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from published.descriptions import Known, descriptions
from published.files import Table, has, number, read_table, results_file, unknown_shape
from published.gathering import Identity, Rows, gathered
from published.records import BaseRecord
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError

SCORE = "auc or exp(-log loss)"
METRICS = {"binary": "roc_auc", "multiclass": "log_loss"}
"""The metric of a problem, where the file does not name it."""
TRAINED = {"tabarena": 2 / 3, "tabrepo": 0.9}
"""Three folds, and ten."""
_NEEDED = ("metric_error", "problem_type", "time_train_s", "time_infer_s")


def read(record: BaseRecord, place: Path) -> Knowledge:
    """Read the classification sets; what is no measurement is left out."""
    path, text = results_file(record, place)
    table = read_table(path)
    model, data = _headers(record, path, table)
    measured = np.array(
        [cell.lower() not in ("true", "1", "1.0") for cell in table.get("imputed", ["False"] * len(data))]
    )
    classes = np.array([kind in METRICS for kind in table["problem_type"]])
    keep = measured & classes
    if not keep.any():
        raise InputError(
            f"{path.name} holds no measured result on classes.",
            why="There is nothing to learn from.",
            mend="Get another file.",
        )
    rows = {
        key: [cell for cell, remaining in zip(column, keep, strict=True) if remaining] for key, column in table.items()
    }
    keys, folds = _split([cell for cell, remaining in zip(data, keep, strict=True) if remaining], rows)
    known = descriptions(record.name.partition("-")[0], path, place)
    return gathered(
        record,
        Rows(
            datasets=keys,
            algorithms=rows[model],
            folds=folds,
            rates=success(number(rows, "metric_error", path.name), rows),
            seconds=number(rows, "time_train_s", path.name) + number(rows, "time_infer_s", path.name),
        ),
        {key: _identity(key, known) for key in set(keys)},
        known,
        source=path.name,
        score=SCORE,
        train_share=TRAINED[record.name],
        caveats=(*text, *_notes(record.name, measured, classes)),
        made={"time": "seconds of training and prediction"},
    )


def success(errors: FloatArray, rows: Mapping[str, list[str]]) -> FloatArray:
    """Turn errors into success rates: 1 - e of an AUC, exp(-e) of a log loss.

    The second is the geometric mean of the probabilities that were given to the classes that came.
    """
    named = rows.get("metric") or [METRICS[kind] for kind in rows["problem_type"]]
    loss = np.array(["log" in metric.lower() for metric in named])
    return np.where(loss, np.exp(-errors), 1 - errors)


def _headers(record: BaseRecord, path: Path, table: Table) -> tuple[str, list[str]]:
    """Return the column of the models, and the data sets."""
    model = next((name for name in ("method", "framework") if name in table), "")
    data = next((name for name in ("dataset", "openml_task_id") if name in table), "")
    if not model or not data or not has(table, *_NEEDED):
        raise unknown_shape(record, path, table)
    return model, table[data]


def _split(data: list[str], rows: Table) -> tuple[list[str], list[str]]:
    """TabRepo writes the fold behind the task, as in 10090_0; files of one split have none."""
    if "fold" in rows:
        return data, rows["fold"]
    parts = [cell.rpartition("_") for cell in data]
    if all(task.isdigit() and fold.isdigit() for task, _, fold in parts):
        return [task for task, _, _ in parts], [fold for _, _, fold in parts]
    return data, ["0"] * len(data)


def _identity(key: str, known: Known) -> Identity:
    """A number is a task at OpenML, called as the files beside it call it."""
    if key.isdigit():
        return Identity(name=known.names.get(int(key), f"openml-task:{key}"), task=int(key))
    return Identity(name=key)


def _notes(name: str, measured: BoolArray, classes: BoolArray) -> Caveats:
    gone, others = int((~measured).sum()), int((~classes & measured).sum())
    imputed = f"{name}: {gone} rows are results of another model (imputed) and are left out."
    numbers = f"{name}: {others} results on numbers to predict are left out."
    return caveats_of((gone, "rows-filtered", imputed), (others, "datasets-left-out", numbers))
