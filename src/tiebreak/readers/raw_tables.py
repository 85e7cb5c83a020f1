"""Rows of raw tables before they become results: which to keep, and what to do with two for one cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.results.cells import cell_places
from tiebreak.results.columns import Column, Columns, LineOf, ListColumn, Names, TextColumn, Where, take
from tiebreak.results.conditions import as_conditions, met, read_condition
from tiebreak.results.metrics import described, metric_named
from tiebreak.results.roles import METRIC, find_roles, metric_header, metrics_by_dataset

DUPLICATES = ("refuse", "mean", "best", "folds")
"""What becomes of two results for one data set, algorithm, replication and fold."""


def kept_rows(columns: Columns, conditions: Sequence[str], *, source: str) -> tuple[IntArray, Caveats]:
    """Return the rows that meet all conditions, such as "imputed == False" or "info=" (empty), and say how many went.

    Examples
    --------
    >>> table = {"type": TextColumn(["a", "b", "a"]), "x": TextColumn(["1", "2", ""])}
    >>> kept_rows(table, ["type=a", "x!="], source="t.csv")
    (array([0]), ("t.csv: 2 of 3 rows left out; kept are those where type == a and x != ''.",))
    """
    keep, caveats = met(columns, conditions, source=source)
    return np.flatnonzero(keep), caveats


def kept(
    columns: Columns,
    line_of: LineOf | None,
    where: str | Sequence[str] | None,
    *,
    source: str,
    roles: Mapping[str, str],
    asked: Iterable[str] = (),
) -> tuple[Columns, LineOf | None, Caveats]:
    """Return the rows of a table that meet all conditions, how to find their lines, and what was left out.

    A column that was named to choose rows is neither a score nor a key: unless it plays one of the roles, was asked
    for, or has the known name of a score or cost, it has done its work and goes. In wide form a column of numbers may
    be an algorithm, and goes only where one number was asked for, as of a budget.

    Examples
    --------
    >>> cells = {"dataset": ["a", "b"], "ours": ["1", "0"], "imputed": ["no", "yes"]}
    >>> table = {name: TextColumn(column) for name, column in cells.items()}
    >>> columns, _, text = kept(table, None, "imputed == no", source="t.csv", roles={"dataset": "dataset"})
    >>> list(columns), text
    (['dataset', 'ours'], ('t.csv: 1 of 2 rows left out; kept are those where imputed == no.',))
    """
    conditions = [read_condition(condition, columns) for condition in as_conditions(where)]
    if not conditions:
        return columns, line_of, ()
    rows, caveats = kept_rows(columns, as_conditions(where), source=source)
    done = {condition.column for condition in conditions} - {*roles.values(), *asked}
    if "algorithm" not in roles:
        sized = {condition.column for condition in conditions if condition.operator != "=="}
        done -= {name for name in sized if columns[name].is_number()}
    done = {name for name in done if metric_named(name).higher_is_better is None and name.strip().lower() != METRIC}
    left = {name: column for name, column in take(columns, rows).items() if name not in done}
    return left, None if line_of is None else lambda row: line_of(int(rows[row])), caveats


def settle_duplicates(
    columns: Columns, *, rule: str, roles: Mapping[str, str], scores: Sequence[str], better: bool, source: str
) -> tuple[Columns, dict[str, str], Caveats]:
    """Make one row of several for one cell: their mean, or the one with the best score; or number them as folds.

    Mean and best are for the long form. With "folds" the n-th row of a data set (and algorithm) is its n-th fold.
    `scores` are the columns to keep, the first of them the score that decides.
    """
    check_choice("rule for duplicates", rule, DUPLICATES)
    result, _ = find_roles(columns, roles, source)
    header = result.pop(METRIC, None) or metric_header(columns, [*result.values(), *scores])
    if rule == "folds":
        return _numbered(columns, result, roles, source)
    if rule == "refuse" or "algorithm" not in result or "dataset" not in result:
        return columns, dict(roles), ()
    names, first, group = _cells(columns, result, source)
    if len(first) == len(group):
        return columns, dict(roles), ()
    values = {name: columns[name].as_numbers(Where(column=name, source=source)) for name in scores if name in columns}
    if rule == "mean":
        settled = {name: _group_means(value, group, len(first)) for name, value in values.items()}
    else:
        rows = _best_rows(values, scores[0], group, better=better)
        settled = {name: value[rows] for name, value in values.items()}
    keys: dict[str, Column] = {
        role: TextColumn([name.names[code] for code in name.codes[first].tolist()]) for role, name in names.items()
    }
    if header is not None and described(map(metric_named, scores)):  # a mean over several metrics is of none
        metrics = metrics_by_dataset(columns, header, names["dataset"], Where(column=header, source=source))
        keys[METRIC] = TextColumn([metrics[names["dataset"].at(row)] for row in first.tolist()])
    text = f"{source}: {len(group) - len(first)} rows repeat a cell; the {rule} of each cell is used."
    notes = (Caveat("duplicates-settled", text),)
    return {**keys, **{name: ListColumn(value) for name, value in settled.items()}}, {}, notes


def _numbered(
    columns: Columns, result: Mapping[str, str], roles: Mapping[str, str], source: str
) -> tuple[Columns, dict[str, str], Caveats]:
    """Number the rows of each cell, as folds or, where there are folds, as replications."""
    known = {**result} if "dataset" in result else {**result, "dataset": next(iter(columns))}
    free = "fold" if "fold" not in known else "replication"
    if free in known or free in columns:
        return columns, dict(roles), ()
    _, _, group = _cells(columns, known, source)
    order = np.argsort(group, kind="stable")
    start = np.concatenate([[0], np.flatnonzero(np.diff(group[order])) + 1])
    number = np.empty(len(group), dtype=np.int64)
    number[order] = np.arange(len(group)) - np.repeat(start, np.diff(np.concatenate([start, [len(group)]])))
    text = f"{source}: the rows of a cell are taken for its {free}s, in the order of the file."
    notes = (Caveat("duplicates-settled", text),)
    return {**columns, free: ListColumn((number + 1).tolist())}, dict(roles), notes


def _cells(columns: Columns, roles: Mapping[str, str], source: str) -> tuple[dict[str, Names], IntArray, IntArray]:
    """Read the keys and number the cells: the first row of each, and the cell of every row."""
    names = {role: columns[header].as_names(Where(column=header, source=source)) for role, header in roles.items()}
    _, first, group = np.unique(cell_places(names), return_index=True, return_inverse=True)
    return names, first.astype(np.int64), group.astype(np.int64)


def _group_means(values: FloatArray, group: IntArray, count: int) -> FloatArray:
    """Average the rows of each group that are there; a failed run must not take the others with it."""
    there = ~np.isnan(values)
    order = np.lexsort((values, group))  # sums that do not depend on the order of the rows
    order = order[there[order]]
    total = np.bincount(group[order], weights=values[order], minlength=count)
    number = np.bincount(group[order], minlength=count)
    return np.asarray(np.divide(total, number, out=np.full(count, np.nan), where=number > 0))


def _best_rows(values: Mapping[str, FloatArray], score: str, group: IntArray, *, better: bool) -> IntArray:
    """Return the row of each group with the best score; of equals the one with the least other values."""
    loss = -values[score] if better else values[score]
    others = [values[name] for name in values if name != score]
    order = np.lexsort((*others[::-1], np.where(np.isnan(loss), np.inf, loss), group))
    _, start = np.unique(group[order], return_index=True)
    return np.asarray(order[start], dtype=np.int64)
