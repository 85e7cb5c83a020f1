"""Two tables made one: more rows, or costs from a second table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak.errors import InputError, quoted
from tiebreak.results.build import ROLES, Cells, order_cells
from tiebreak.results.columns import Names, sorted_names
from tiebreak.results.table import Results


def stack(tables: Sequence[Results]) -> Results:
    """Put the rows of several tables into one; they must have the same scores and costs.

    Examples
    --------
    >>> one = Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy")
    >>> two = Results.from_dict({"wine": {"svm": 0.8}}, scores="accuracy")
    >>> stack([one, two]).datasets
    ('iris', 'wine')
    """
    first = tables[0]
    if len(tables) == 1:
        return first
    names = {metric.name for metric in first.metrics}
    for table in tables[1:]:
        differing = names ^ {metric.name for metric in table.metrics}
        if differing:
            raise InputError(
                f"The tables do not hold the same columns: {quoted(sorted(differing))} in one only.",
                why="Rows of different scores cannot stand under one another.",
                mend="Read the columns they share with scores=[...] (--score NAME).",
            )
    keys = {role: _merged(tables, role) for role in ROLES}
    values = {name: np.concatenate([table.values[name] for table in tables]) for name in sorted(names)}
    cells = order_cells(keys, values)
    notes = tuple(dict.fromkeys(note for table in tables for note in table.caveats))
    joined = Cells(names=cells.names, codes=cells.codes, values=cells.values, notes=notes)
    return Results.from_cells(joined, frame_kind=first.frame_kind, costs=first.costs)


def _names(table: Results, role: str) -> tuple[str, ...]:
    return {
        "dataset": table.datasets,
        "algorithm": table.algorithms,
        "replication": table.replications,
        "fold": table.folds,
    }[role]


def _merged(tables: Sequence[Results], role: str) -> Names:
    """Give the same name the same code across tables."""
    known: dict[str, int] = {}
    parts = []
    for table in tables:
        place = np.array([known.setdefault(name, len(known)) for name in _names(table, role)], dtype=np.int32)
        parts.append(place[table.codes[role]])
    return sorted_names(np.concatenate(parts), list(known))


def with_costs(results: Results, costs: Results) -> Results:
    """Add the columns of a table of costs, matched by data set and algorithm.

    The costs may be given once per data set and algorithm, or once per algorithm (a table with the one
    data set '*'), or fold by fold; their means are used. A cost that is not there stays a gap.

    Examples
    --------
    >>> table = Results.from_dict({"iris": {"svm": [0.9, 0.8]}}, scores="accuracy")
    >>> priced = with_costs(table, Results.from_dict({"*": {"svm": 3.0}}, scores="train_time"))
    >>> priced.costs, priced.means("train_time")
    (('train_time',), array([[3.]]))
    """
    shared = {metric.name for metric in costs.metrics} & {metric.name for metric in results.metrics}
    if shared:
        raise InputError(
            f"Both tables hold a column {sorted(shared)[0]!r}.",
            why="It is not clear which one counts.",
            mend="Rename it in one of them.",
        )
    rows = _matching(results.datasets, costs.datasets)
    columns = _matching(results.algorithms, costs.algorithms)
    added = {}
    for metric in costs.metrics:
        means = np.full((len(results.datasets), len(results.algorithms)), np.nan)
        known = (rows[:, None] >= 0) & (columns >= 0)
        means[known] = costs.means(metric.name)[rows[:, None], columns][known]
        added[metric.name] = means[results.codes["dataset"], results.codes["algorithm"]]
    cells = Cells(
        names={role: _names(results, role) for role in ROLES},
        codes=results.codes,
        values={**results.values, **added},
        notes=results.caveats,
    )
    return Results.from_cells(cells, frame_kind=results.frame_kind, costs=[*results.costs, *added])


def _matching(wanted: tuple[str, ...], known: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Index of each wanted name among the known ones, -1 where absent; '*' matches every name."""
    place = {name: i for i, name in enumerate(known)}
    default = place["*"] if known == ("*",) else -1
    return np.array([place.get(name, default) for name in wanted], dtype=np.int64)
