"""Plain Python objects and arrays in: dictionaries of columns, nested dictionaries, numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import as_floats, check_names
from tiebreak.errors import InputError, OptionError
from tiebreak.results.cells import Cells, check_size, order_cells
from tiebreak.results.columns import Column, Columns, ListColumn, check_headers, sorted_names
from tiebreak.results.roles import ROLES, score_names


def dict_columns(data: Mapping[Any, Any], *, score: str, source: str) -> Columns:
    """Split a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}, into columns.

    Examples
    --------
    >>> list(dict_columns({"iris": {"svm": [0.9, 0.8]}}, score="accuracy", source="the dictionary"))
    ['dataset', 'algorithm', 'fold', 'accuracy']
    """
    if data and all(isinstance(value, Mapping) for value in data.values()):
        return _unnested(data, score, source)
    for name, value in data.items():
        flat = hasattr(value, "__len__") and getattr(value, "ndim", 1) == 1
        if not flat or isinstance(value, (str, bytes, Mapping, set, frozenset)):
            raise InputError(
                f"{source} holds a value of type {type(value).__name__} under {name!r}, which is no column.",
                why="Read are a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}.",
                mend="Write it as {'dataset': [...], 'algorithm': [...], 'accuracy': [...]}.",
            )
    lengths = {name: len(column) for name, column in data.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            f"The columns of {source} have different lengths: {lengths}.",
            why="Row i of every column describes the same run.",
            mend="Make them equally long.",
        )
    check_headers(list(data), source)
    return {str(name): ListColumn(column) for name, column in data.items()}


def record_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """Turn records into columns; what a record lacks is missing."""
    names = dict.fromkeys(key for row in rows for key in row)
    return {name: ListColumn([row.get(name) for row in rows]) for name in names}


def _unnested(data: Mapping[Any, Mapping[Any, Any]], score: str, source: str) -> Columns:
    """The roles as keys betray records that were nested another way, as pandas writes them by default."""
    rows: dict[str, list[Any]] = {"dataset": [], "algorithm": [], "fold": [], score: []}
    for dataset, inner in data.items():
        if not inner or dataset in ROLES or any(role in inner for role in ROLES):
            raise InputError(
                f"{source} is nested, but {dataset!r} does not hold scores by algorithm.",
                why="Read is {data set: {algorithm: score or list of fold scores}}.",
                mend="Write the rows as records: [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...]"
                " (in pandas frame.to_json(orient='records')).",
            )
        for algorithm, scores in inner.items():
            folds = list(scores) if isinstance(scores, (list, tuple, np.ndarray)) else [scores]
            if not folds:
                raise InputError(
                    f"{source} holds an empty list of scores for {algorithm!r} on {dataset!r}.",
                    why="Left out silently, a result would be lost.",
                    mend="Delete the entry, or write NaN (null in JSON) if the run failed.",
                )
            rows["dataset"] += [str(dataset)] * len(folds)
            rows["algorithm"] += [str(algorithm)] * len(folds)
            rows["fold"] += range(1, len(folds) + 1)
            rows[score] += folds
    return {key: ListColumn(column) for key, column in rows.items()}


def array_cells(
    array: npt.ArrayLike,
    *,
    score: str | None,
    scores: str | None = None,
    algorithms: Sequence[str] | None,
    datasets: Sequence[str] | None,
) -> Cells:
    """Turn an array (data sets, algorithms), with folds or (replications, folds) as further axes, into cells."""
    if scores is not None:
        score = (score_names(scores, score) or [None])[0]  # type: ignore[list-item]
    if not isinstance(score, str) or score in ROLES:
        raise OptionError(
            f"score is {score!r}.", why="It names what the array measures.", mend="Use a name such as score='accuracy'."
        )
    cube = as_floats(array, what="array")
    if not 2 <= cube.ndim <= 4 or 0 in cube.shape:
        raise InputError(
            f"array has shape {cube.shape}.",
            why="Its axes are data sets, algorithms, and optionally replications and folds.",
            mend="Pass an array with two to four axes, none of them empty.",
        )
    check_size(cube.ravel(), lambda cell: f"array[{', '.join(map(str, np.unravel_index(cell, cube.shape)))}]")
    cube = cube[:, :, None, :] if cube.ndim == 3 else cube.reshape(*cube.shape, 1, 1) if cube.ndim == 2 else cube
    names = {
        "dataset": check_names(datasets, cube.shape[0], kind="data set"),
        "algorithm": check_names(algorithms, cube.shape[1], kind="algorithm"),
        "replication": tuple(str(i + 1) for i in range(cube.shape[2])),
        "fold": tuple(str(i + 1) for i in range(cube.shape[3])),
    }
    grid = np.indices(cube.shape, dtype=np.int32).reshape(4, -1)
    keys = {role: sorted_names(grid[i], names[role]) for i, role in enumerate(ROLES)}
    return order_cells(keys, {score: cube.ravel()})
