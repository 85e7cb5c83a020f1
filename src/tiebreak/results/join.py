"""Two tables made one: more rows, or costs from a second table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, distinct
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.cells import Cells, order_cells
from tiebreak.results.columns import Names, sorted_names
from tiebreak.results.hosts import joined_hosts, placed, sortable
from tiebreak.results.items import clustered, joined_units, sorted_along
from tiebreak.results.metrics import Metric, described
from tiebreak.results.roles import ROLES, WIDE_SCORE, joined as joined_metrics
from tiebreak.results.table import Results
from tiebreak.wording import either, option


def stack(tables: Sequence[Results], *, sources: Sequence[str] | None = None) -> Results:
    """Put the rows of several tables into one; they must have the same scores and costs.

    `sources` names the tables in messages, such as the files they were read from.

    Examples
    --------
    >>> one = Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy")
    >>> two = Results.from_dict({"wine": {"svm": 0.8}}, scores="accuracy")
    >>> stack([one, two]).datasets
    ('iris', 'wine')
    """
    if not tables:
        raise OptionError("No table was given.", why="There is nothing to stack.", mend="Give at least one.")
    first = tables[0]
    if len(tables) == 1:
        return first
    spreads = {name for table in tables for name in table.spreads}  # kept where all tables hold them
    names = {metric.name for metric in first.metrics} - spreads
    for table in tables[1:]:
        differing = names ^ ({metric.name for metric in table.metrics} - spreads)
        if differing:
            raise InputError(
                f"The tables do not hold the same columns: {quoted(sorted(differing))} in one only.",
                why="Rows of different scores cannot stand under one another.",
                mend=f"Read the columns they share with {option(scores=[...])}.",
            )
    names |= {name for name in spreads if all(name in table.values for table in tables)}
    keys = {role: _merged(tables, role) for role in ROLES}
    values = {name: np.concatenate([table.values[name] for table in tables]) for name in sorted(names)}
    called = sources or [f"table {number}" for number in range(1, len(tables) + 1)]
    metrics = joined_metrics([_metric_names(table) for table in tables], called)
    ends = np.cumsum([len(table) for table in tables])
    hosts = joined_hosts(tables)
    unit, clusters = joined_units(tables)
    values |= sortable(hosts) | sorted_along(clusters)
    cells = order_cells(keys, values, at=lambda row: called[int(np.searchsorted(ends, row, side="right"))], unit=unit)
    cells = replace(clustered(placed(cells, hosts), clusters), unit=unit)
    notes = distinct(note for table in tables for note in table.caveats)
    joined = replace(cells, notes=notes, metrics=metrics)
    made = Results.from_cells(joined, frame_kind=first.frame_kind, costs=first.costs)
    failures = frozenset().union(*(table.failures for table in tables))
    return replace(_directed(made, tables), data_papers=_papers(tables), failures=failures)


def _directed(made: Results, tables: Sequence[Results]) -> Results:
    """Keep what the tables know of the direction of better, which a name such as 'match' does not tell."""
    on = {name: [each for table in tables if (each := table.metric_of.get(name))] for name in made.metric_of}
    return replace(
        made,
        metrics=tuple(_as_told(each, [table.metric(each.name) for table in tables]) for each in made.metrics),
        dataset_metrics=tuple(_as_told(each, on[name]) for name, each in made.metric_of.items()),
    )


def _as_told(metric: Metric, told: Sequence[Metric]) -> Metric:
    """Where two disagree, nothing is known."""
    ways = {each.higher_is_better for each in told} - {None}
    return replace(metric, higher_is_better=ways.pop() if len(ways) == 1 else None) if ways else metric


def _papers(tables: Sequence[Results]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for table in tables for key in table.data_papers))


def _metric_names(table: Results) -> dict[str, str]:
    return {name: metric.name for name, metric in table.metric_of.items()}


def _merged(tables: Sequence[Results], role: str) -> Names:
    """Give the same name the same code across tables."""
    known: dict[str, int] = {}
    parts = []
    for table in tables:
        place = np.array([known.setdefault(name, len(known)) for name in table.names[role]], dtype=np.int32)
        parts.append(place[table.codes[role]])
    return sorted_names(np.concatenate(parts), list(known))


def with_costs(results: Results, costs: Results) -> Results:
    """Add the columns of a table of costs, matched by data set and algorithm.

    The costs may be given once per data set and algorithm, or once per algorithm (a table with the one
    data set '*'), or fold by fold; their means are used. A cost that is not there stays a gap; gaps,
    and names that the results do not know, are noted in the caveats.

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
            mend=either(
                "Name what each table holds when reading it: scores='accuracy', scores='train_time'.",
                "Name the score of the results: --score accuracy.",
            )
            if WIDE_SCORE in shared
            else "Rename it in one of them.",
        )
    rows = _matching(results.datasets, costs.datasets)
    columns = _matching(results.algorithms, costs.algorithms)
    known = (rows[:, None] >= 0) & (columns >= 0)
    means = {metric.name: np.full(known.shape, np.nan) for metric in costs.metrics}
    for name, table in means.items():
        table[known] = costs.means(name)[rows[:, None], columns][known]
    codes = results.codes
    cells = Cells(
        keys=results.key_columns,
        values={**results.values, **{name: means[name][codes["dataset"], codes["algorithm"]] for name in means}},
        notes=distinct([*results.caveats, *costs.caveats, *_unmatched(results, costs), *_unknown(results, means)]),
        metrics=_metric_names(results),
        hosts=results.hosts,
        unit=results.unit,
        clusters=results.clusters,
    )
    made = Results.from_cells(cells, frame_kind=results.frame_kind, costs=[*results.costs, *means])
    told = {metric.name: metric for metric in results.metrics}  # a direction may be known from more than the name
    metrics = tuple(told.get(metric.name, metric) for metric in made.metrics)
    return replace(made, metrics=metrics, data_papers=_papers([results, costs]))


def split_by_metric(results: Results) -> Results:
    """Give every metric of a column of metrics a score of its own, named after both; gaps where another one holds.

    For places that know scores by name alone, such as a store.

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"],
    ...                            "metric": ["auc", "rmse"], "score": [0.9, 1200.0]})
    >>> split_by_metric(table).scores
    ('score (auc)', 'score (rmse)')
    """
    if not results.dataset_metrics:
        return results
    values = dict(results.values)
    names = np.array([metric.name for metric in results.dataset_metrics], dtype=object)[results.codes["dataset"]]
    for score in described(results.metrics):
        column = values.pop(score)
        for metric in sorted(set(names.tolist())):
            values[f"{score} ({metric})"] = np.where(names == metric, column, np.nan)
    cells = Cells(
        keys=results.key_columns, values=values, notes=results.caveats, hosts=results.hosts, unit=results.unit
    )
    return Results.from_cells(cells, frame_kind=results.frame_kind, costs=results.costs)


def _unmatched(results: Results, costs: Results) -> Iterator[Caveat]:
    """Note the names in the costs that the results do not know."""
    for role, kind in (("dataset", "data sets"), ("algorithm", "algorithms")):
        known = {*results.names[role], *(["*"] if costs.names[role] == ("*",) else [])}
        strange = [name for name in costs.names[role] if name not in known]
        if strange:
            text = f"The costs name {kind} that the results do not hold: {quoted(strange)}."
            yield Caveat("costs-unmatched", text)


def _unknown(results: Results, means: Mapping[str, FloatArray]) -> Iterator[Caveat]:
    """Note the costs that are missing."""
    for name, table in means.items():
        gaps = np.argwhere(np.isnan(table))
        if len(gaps):
            first = f"{results.algorithms[gaps[0, 1]]!r} on {results.datasets[gaps[0, 0]]!r}"
            text = f"{name} is missing in {len(gaps)} of {table.size} cells, such as {first}."
            yield Caveat("costs-missing", text)


def _matching(wanted: tuple[str, ...], known: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Index of each wanted name among the known ones, -1 where absent; '*' matches every name."""
    place = {name: i for i, name in enumerate(known)}
    default = place["*"] if known == ("*",) else -1
    return np.array([place.get(name, default) for name in wanted], dtype=np.int64)
