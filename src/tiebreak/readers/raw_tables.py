"""Rows of raw tables before they become results: which to keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tiebreak._checks import IntArray
from tiebreak.caveats import Caveats
from tiebreak.results.columns import Columns, LineOf, as_conditions, met, read_condition, take
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC


def kept_rows(columns: Columns, conditions: Sequence[str], *, source: str) -> tuple[IntArray, Caveats]:
    """Return the rows that meet all conditions, such as "imputed == False" or "info=" (empty), and say how many went.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
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
    >>> from tiebreak.results.columns import TextColumn
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
