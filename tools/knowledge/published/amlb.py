"""The AutoML benchmark: a row per task, fold and system, with the reason in the place of scores that failed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from published.descriptions import descriptions
from published.files import has, number, read_table, results_file, unknown_shape
from published.gathering import Identity, Rows, gathered
from published.records import BaseRecord
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.caveats import caveats_of
from tiebreak.errors import InputError

TRAINED = 0.9
_NEEDED = ("id", "task", "framework", "fold", "acc", "duration", "info")


def read(record: BaseRecord, place: Path) -> Knowledge:
    """Read accuracies by fold; a fold that failed is a gap, whatever stands in for it."""
    path, message = results_file(record, place)
    table = read_table(path)
    if not has(table, *_NEEDED):
        raise unknown_shape(record, path, table)
    failed = np.array([bool(cell) for cell in table["info"]])
    classes = np.array([kind != "regression" for kind in table.get("type", [""] * len(failed))])
    rates = np.where(failed, np.nan, number(table, "acc", path.name))
    keep = classes & (np.isfinite(rates) | failed)
    if not np.isfinite(rates[keep]).any():
        raise InputError(
            f"{path.name} holds no accuracy.", why="There is nothing to learn from.", mend="Get another file."
        )
    rows = {key: [cell for cell, remaining in zip(table[key], keep, strict=True) if remaining] for key in _NEEDED}
    gone = int(failed.sum())
    text = f"amlb: {gone} of {len(failed)} results failed and are gaps."
    return gathered(
        record,
        Rows(
            datasets=rows["task"],
            algorithms=rows["framework"],
            folds=rows["fold"],
            rates=rates[keep],
            seconds=np.where(failed, np.nan, number(table, "duration", path.name))[keep],
        ),
        {task: _identity(task, key) for task, key in zip(rows["task"], rows["id"], strict=True)},
        descriptions(record.name.partition("-")[0], path, place),
        source=path.name,
        score="accuracy",
        train_share=TRAINED,
        caveats=(*message, *caveats_of((gone, "runs-unfinished", text))),
        made={"resampling": "10-fold", "time": "seconds that a system used of those it was given"},
    )


def _identity(task: str, key: str) -> Identity:
    """Tasks are named, and have a number as in openml.org/t/146818."""
    number = key.rpartition("/")[2]
    return Identity(name=task, task=int(number) if number.isdigit() else None)
