"""Oboe: matrices of data sets x settings, one of errors and one of seconds."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import numpy as np

from published.descriptions import descriptions
from published.files import Table, named, number, numbers, read_table, results_file, unknown_shape
from published.gathering import Identity, Rows, gathered
from published.records import BaseRecord
from tiebreak._checks import FloatArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError

FOLDS = 5
_TIMES = ("runtime_matrix.csv*", "oboe_runtime.csv*")
_SIZES = ("dataset_sizes.csv*", "oboe_dataset_sizes.csv*")
_SETTINGS = ("oboe_configs.csv*",)


def read(record: BaseRecord, place: Path) -> Knowledge:
    """Read the matrices of a folder."""
    path, message = results_file(record, place)
    folder = path.parent
    table = read_table(path)
    ids, headers = _ids(table), list(table)[1:]
    if len(headers) < 2 or not all(cell.isdigit() for cell in ids):
        raise unknown_shape(record, path, table)
    errors = _matrix(table, headers, path.name)
    seconds = _seconds(folder, ids, headers, errors.shape)
    names = _names(folder, headers)
    keys = [str(int(cell)) for cell in ids]
    count = repeats(errors)
    share = f"{count} of {errors.size} errors equal the one of the setting before"
    text = f"oboe: {share}; one that raised is written so and cannot be told from one that agrees."
    return gathered(
        record,
        _long(keys, names, 1 - errors, seconds),
        _identities(folder, keys),
        descriptions(record.name.partition("-")[0], path, place),
        source=path.name,
        score="1 - balanced error",
        train_share=1 - 1 / FOLDS,
        caveats=(*message, *_no_times(seconds), *caveats_of((count, "values-filled", text))),
        made={"resampling": f"{FOLDS}-fold, seed 0", "time": "seconds of fitting and predicting one fold, on average"},
    )


def repeats(errors: FloatArray) -> int:
    """Count errors that equal the one of the setting before, on the same data set.

    The project writes that error where a setting raised. Settings that differ little agree as well, and neither the
    error nor the time shows which is which: repeated errors took as long as others, except for AdaBoost, which ends
    early.
    """
    return int((errors[:, 1:] == errors[:, :-1]).sum())


def _ids(table: Table) -> list[str]:
    """The first column names the data sets, with or without a header."""
    return next(iter(table.values()), [])


def _matrix(table: Table, headers: list[str], source: str) -> FloatArray:
    return np.array([numbers(table[header], header=header, source=source) for header in headers]).T


def _seconds(folder: Path, ids: list[str], headers: list[str], shape: tuple[int, ...]) -> FloatArray | None:
    """Times are of all folds; one fold is what a success rate is of."""
    result = named(folder, _TIMES)
    if not result:
        return None
    table = read_table(result[0])
    if _ids(table) != ids or list(table)[1:] != headers:
        raise InputError(
            f"{result[0].name} does not have the data sets and settings of the errors beside it.",
            why="Every error is weighed against its time.",
            mend="Get both files of the same version.",
        )
    return _matrix(table, headers, result[0].name).reshape(shape) / FOLDS


def _no_times(seconds: FloatArray | None) -> Caveats:
    return caveats_of((seconds is None, "costs-missing", "oboe: no file of run times is beside the errors."))


def _names(folder: Path, headers: list[str]) -> list[str]:
    """Name settings by learner and settings: from the headers, or from the file that spells them out."""
    result = named(folder, _SETTINGS)
    if result:
        table = read_table(result[0])
        parts = zip(table["config"], table["algorithm"], table["hyperparameters"], strict=True)
        known = {config: _name(learner, json.loads(settings)) for config, learner, settings in parts}
        return [known.get(header, header) for header in headers]
    return [_from_header(header) for header in headers]


def _from_header(header: str) -> str:
    """A header of the project is a dictionary as Python writes it; anything else is a name already."""
    try:
        eval_ = ast.literal_eval(header)
        return _name(str(eval_["algorithm"]), dict(eval_["hyperparameters"]))
    except (ValueError, SyntaxError, TypeError, KeyError):
        return header


def _name(learner: str, settings: dict[str, object]) -> str:
    return f"{learner}({', '.join(f'{key}={value}' for key, value in settings.items())})" if settings else learner


def _identities(folder: Path, keys: list[str]) -> dict[str, Identity]:
    """Data sets have the numbers of OpenML and no names; their size after preparation tells copies."""
    sizes: dict[str, tuple[float, ...]] = {}
    for path in named(folder, _SIZES)[:1]:
        table = read_table(path)
        headers = list(table)
        rows = np.array([number(table, header, path.name) for header in headers[1:3]]).T
        sizes = {str(int(cell)): tuple(row) for cell, row in zip(table[headers[0]], rows.tolist(), strict=True)}
    return {key: Identity(name=f"openml:{key}", number=int(key), size=sizes.get(key)) for key in keys}


def _long(keys: list[str], names: list[str], rates: FloatArray, seconds: FloatArray | None) -> Rows:
    n, m = rates.shape
    return Rows(
        datasets=[key for key in keys for _ in range(m)],
        algorithms=names * n,
        folds=["1"] * (n * m),
        rates=rates.ravel(),
        seconds=None if seconds is None else seconds.ravel(),
    )
