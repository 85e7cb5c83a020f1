"""TabZilla: means over ten folds, of default settings and of the best of a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from published.descriptions import descriptions
from published.files import Table, has, number, read_table, results_file, unknown_shape
from published.gathering import Identity, Rows, gathered
from published.records import BaseRecord
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError

TRAINED = 0.8
"""Of ten folds one is tested on and one validated on."""
TUNED = "tabzilla-tuned"
_DEFAULT = "_default"
_NEVER_TUNED = ("TabPFNModel",)
"""Learners without settings: what is called tuned is the default."""
_COLUMNS = {
    "algorithm": ("alg_name", "algorithm"),
    "dataset": ("dataset_name", "dataset"),
    "accuracy": ("Accuracy__test_mean", "acc_mean10"),
    "seconds": ("time__train_mean", "train_s_mean10"),
}


def read(record: BaseRecord, place: Path) -> Knowledge:
    """Read the default settings, or the tuned ones, of a file that holds both."""
    path, text = results_file(record, place)
    table = _renamed(read_table(path))
    if not has(table, *_COLUMNS):
        raise unknown_shape(record, path, read_table(path))
    tuned = record.name == TUNED
    chosen = [name.endswith(_DEFAULT) != tuned or name in _NEVER_TUNED for name in table["algorithm"]]
    if not any(chosen):
        raise _no_such(path, tuned=tuned)
    rows = {key: [cell for cell, keep in zip(table[key], chosen, strict=True) if keep] for key in table}
    left = len(chosen) - sum(chosen)
    kind = "default" if tuned else "tuned"
    options = f"{record.name}: {left} results of {kind} learners are left out."
    return gathered(
        record,
        Rows(
            datasets=rows["dataset"],
            algorithms=[name.removesuffix(_DEFAULT) for name in rows["algorithm"]],
            folds=["1"] * len(rows["dataset"]),
            rates=number(rows, "accuracy", path.name),
            seconds=_positive(rows, path.name),
        ),
        {name: _identity(name) for name in rows["dataset"]},
        descriptions(record.name.partition("-")[0], path, place),
        source=path.name,
        score="accuracy",
        train_share=TRAINED,
        caveats=(*text, *((Caveat("rows-filtered", options),) if left else ())),
        made={"resampling": "10-fold, the mean", "time": "seconds of training one fold, on average"},
    )


def _renamed(table: Table) -> Table:
    """The headers of the project, or of copies of its file, under one name each."""
    result = {key: next((name for name in names if name in table), "") for key, names in _COLUMNS.items()}
    return {key: table[header] for key, header in result.items() if header}


def _positive(rows: Table, source: str) -> np.ndarray:
    seconds = number(rows, "seconds", source)
    return np.where(seconds > 0, seconds, np.nan)


def _identity(text: str) -> Identity:
    """Names are openml__NAME__TASK."""
    parts = text.split("__")
    if len(parts) >= 3 and parts[-1].isdigit():
        return Identity(name="__".join(parts[1:-1]), task=int(parts[-1]))
    return Identity(name=text)


def _no_such(path: Path, *, tuned: bool) -> InputError:
    other = f"{'tabzilla' if tuned else TUNED}:PATH"
    kind = "tuned" if tuned else "default"
    return InputError(
        f"{path.name} holds no results of {kind} settings.",
        why="Names of default settings end in _default; the two are read apart, as their times mean different things.",
        mend=f"Use {other}, or get the file with both.",
    )
