"""What is read from a store: counts, pages of rows, and whole columns as arrays."""

from __future__ import annotations

import json
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from tiebreak._checks import FloatArray, IntArray
from tiebreak.results.columns import Names, sorted_names
from tiebreak.stores import records, schema, writing
from tiebreak.stores.errors import patient
from tiebreak.stores.records import FAILED, OPEN, Calibration, CellRow, Environment, from_json, to_json
from tiebreak.stores.writing import in_chunks, of_plan
from tiebreak.wording import Brief

if TYPE_CHECKING:
    from tiebreak.stores.storage import Store


_FETCH = 50_000
_PART = 20_000
"""Cells of an export that are held in memory at a time."""
_OWN = ("id", "seed", "replication", "fold", "status", "reason", "attempts", "origin", "finished", "details")
_BETWEEN = "\x1e"
"""What the texts of a column are joined by, the record separator of ASCII."""
_MEASURES = 2**20
"""More than there are measures: the numbers of a cell and a measure are read as one."""
VALUE = np.dtype([("cell", "<i8"), ("measure", "<i8"), ("value", "<f8")])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StoreColumns(Brief):
    """Every cell of a store as arrays, sorted by id, and every value as (cell, measure, value).

    `datasets` and `algorithms` map the numbers in `dataset` and `algorithm` to (name, fingerprint), `environments`
    those in `environment`, which is -1 where none was recorded; so is `load`. `reasons` are those of cells that failed,
    by the id of the cell.
    """

    id: IntArray
    dataset: IntArray
    algorithm: IntArray
    seed: IntArray
    resampling: Names
    replication: Names
    fold: Names
    status: Names
    origin: Names
    values: npt.NDArray[np.void]
    datasets: Mapping[int, tuple[str, str]]
    algorithms: Mapping[int, tuple[str, str]]
    measures: Mapping[int, tuple[str, bool]]
    reasons: Mapping[int, str]
    environment: IntArray
    load: FloatArray
    environments: Mapping[int, Environment]
    calibrations: Sequence[Calibration]


class Counted(NamedTuple):
    """How many cells of one kind there are; data set and algorithm by their fingerprints."""

    dataset: str
    algorithm: str
    resampling: str
    seed: int
    origin: str
    status: str
    cells: int


def counts(connection: sa.Connection, plan_id: int | None) -> dict[str, int]:
    """Count cells by status; those of a plan that all cells belong to need not be looked up one by one."""
    status, member = schema.cells.c.status, schema.plan_cells.c
    if plan_id is not None:
        mine = connection.scalar(sa.select(sa.func.count()).where(member.plan_id == plan_id))
        if mine == connection.scalar(sa.select(sa.func.count()).select_from(schema.cells)):
            plan_id = None
    query = sa.select(status, sa.func.count()).where(of_plan(plan_id)).group_by(status)
    return {str(name): int(number) for name, number in connection.execute(query)}


def tally(connection: sa.Connection) -> list[Counted]:
    """Count cells by kind and status, along an index that holds all of that."""
    cell = schema.cells.c
    keys = (cell.dataset_id, cell.algorithm_id, cell.resampling_id, cell.seed, cell.origin, cell.status)
    schemes = {key: str(name) for key, name in connection.execute(sa.select(*schema.resamplings.c["id", "name"]))}
    names = [_named(connection, table) for table in (schema.datasets, schema.algorithms)]
    rows = connection.execute(sa.select(*keys, sa.func.count()).group_by(*keys)).all()
    return [
        Counted(names[0][d][1], names[1][a][1], schemes[r], int(seed), str(origin), str(status), int(number))
        for d, a, r, seed, origin, status, number in rows
    ]


def run_where(connection: sa.Connection) -> list[tuple[str, str, int, int]]:
    """Count the ok cells by data set and algorithm, each by its fingerprint, and by environment; -1 for none."""
    cell = schema.cells.c
    keys = (cell.dataset_id, cell.algorithm_id, sa.func.coalesce(cell.environment_id, -1))
    query = sa.select(*keys, sa.func.count()).where(cell.status == "ok").group_by(*keys)
    names = [_named(connection, table) for table in (schema.datasets, schema.algorithms)]
    return [(names[0][d][1], names[1][a][1], int(e), int(n)) for d, a, e, n in connection.execute(query)]


def failures(connection: sa.Connection, plan_id: int | None) -> list[dict[str, Any]]:
    """Count failed cells by the names of data set and algorithm and by status, with the first reason of each."""
    cell = schema.cells.c
    keys = (schema.datasets.c.name, schema.algorithms.c.name, cell.status)
    query = sa.select(*keys, sa.func.count(), sa.func.min(cell.id)).select_from(schema.named_cells)
    groups = connection.execute(query.where(cell.status.in_(FAILED), of_plan(plan_id)).group_by(*keys)).all()
    first = [row[-1] for row in groups]
    reasons: dict[int, str] = {}
    for chunk in in_chunks(first):
        select = sa.select(cell.id, cell.reason).where(cell.id.in_(chunk))
        reasons |= {key: str(reason) for key, reason in connection.execute(select)}
    result = [
        {"dataset": dataset, "algorithm": algorithm, "status": status, "cells": int(number), "reason": reasons[key]}
        for dataset, algorithm, status, number, key in groups
    ]
    return sorted(result, key=lambda row: (row["dataset"], row["algorithm"], row["status"]))


def page(
    connection: sa.Connection, *, after: int, statuses: Sequence[str] | None, plan_id: int | None
) -> list[CellRow]:
    """Return the next cells after an id, with their values."""
    wanted = sa.true() if statuses is None else schema.cells.c.status.in_(statuses)
    known = names(connection)
    columns, values = part(connection, after, known, sa.and_(of_plan(plan_id), wanted))
    options: dict[int, dict[str, float]] = {}
    for cell, measure, value in values.tolist():
        options.setdefault(cell, {})[known["measure"]["name"][measure]] = value
    columns |= {name: [from_json(text) for text in columns[name]] for name in ("details", "environment")}
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return [CellRow(**row, values=dict(sorted(options.get(row["id"], {}).items()))) for row in rows]


def names(connection: sa.Connection) -> dict[str, dict[str, dict[int, Any]]]:
    """Return what the numbers in a cell stand for: by kind of number and column of an exported table."""
    known, speeds = writing.environments(connection), records.kernels(writing.calibrations(connection))
    result: dict[str, dict[str, dict[int, Any]]] = {
        "environment": {
            "host": {key: environment.host for key, environment in known.items()},
            "host_kernel": {key: speeds.get(environment.host) for key, environment in known.items()},
            "environment": {
                key: to_json(records.plain(environment), "environment") for key, environment in known.items()
            },
        }
    }
    for kind, table in (("dataset", schema.datasets), ("algorithm", schema.algorithms)):
        pairs = _named(connection, table)
        result[kind] = {kind: {key: name for key, (name, _) in pairs.items()}}
        result[kind][f"{kind}_fingerprint"] = {key: mark for key, (_, mark) in pairs.items()}
    for kind, table, column in (("resampling", schema.resamplings, "resampling"), ("measure", schema.measures, "name")):
        rows = connection.execute(sa.select(table.c.id, table.c.name).order_by(table.c.name))
        result[kind] = {column: {key: str(name) for key, name in rows}}
    return result


def part(
    connection: sa.Connection,
    after: int,
    known: Mapping[str, Mapping[str, Mapping[int, Any]]],
    where: sa.ColumnElement[bool] | None = None,
) -> tuple[dict[str, Any], npt.NDArray[np.void]]:
    """Return the next cells after an id, column by column, and their values as (cell, measure, value)."""
    cell, value = schema.cells.c, schema.values.c
    links = [name for name in known if name != "measure"]
    chosen = (*_OWN, "host_load", *(f"{name}_id" for name in links))
    element = sa.true() if where is None else where
    query = sa.select(*(cell[name] for name in chosen)).where(cell.id > after, element).order_by(cell.id).limit(_PART)
    rows = list(chain.from_iterable(_raw(connection, query)))
    columns: dict[str, Any] = dict(zip(chosen, zip(*rows, strict=True), strict=True)) if rows else {}
    columns = {name: list(columns.get(name, ())) for name in chosen}
    np.array(columns["host_load"], dtype=float), np.array(columns["seed"], dtype=np.int64)  # text would not pass
    for link in links:
        keys = columns.pop(f"{link}_id")
        columns |= {name: [None if key is None else texts[key] for key in keys] for name, texts in known[link].items()}
    for name, empty in (("details", "{}"), ("host", ""), ("environment", "")):
        columns[name] = [column or empty for column in columns[name]]
    ids = columns["id"]
    mine = [value.cell_id.between(ids[0], ids[-1]) if ids else sa.false()]
    if where is not None:
        mine.append(value.cell_id.in_(sa.select(cell.id).where(where)))
    triples = sa.select(value.cell_id, value.measure_id, value.value).where(*mine)
    return columns, _values(connection, triples)


def columns(connection: sa.Connection, measures: Sequence[str] | None = None) -> StoreColumns:
    """Read every cell, and the values of the named measures or of all, as arrays."""
    known = {row.id: (row.name, bool(row.is_cost)) for row in connection.execute(sa.select(schema.measures))}
    wanted = [key for key, (name, _) in known.items() if measures is None or name in measures]
    value = schema.values.c
    triples = sa.select(value.cell_id, value.measure_id, value.value)
    if measures is not None:
        triples = triples.where(value.measure_id.in_(wanted))
    cells, texts = _cells(connection)
    schemes = {row.id: str(row.name) for row in connection.execute(sa.select(schema.resamplings))}
    failed = sa.select(schema.cells.c.id, schema.cells.c.reason).where(schema.cells.c.status.in_(FAILED))
    datasets, algorithms = _named(connection, schema.datasets), _named(connection, schema.algorithms)
    places = writing.environments(connection)
    for name, there in (("dataset", datasets), ("algorithm", algorithms), ("environment", {-1: None, **places})):
        if not set(np.unique(cells[name]).tolist()) <= there.keys():
            raise LookupError(f"a {name} that is not there")
    splits, where = np.unique(cells.pop("resampling"), return_inverse=True)
    coded: dict[str, Any] = {**cells, **texts}
    return StoreColumns(
        **coded,
        resampling=sorted_names(where, [schemes[key] for key in splits.tolist()]),
        values=_values(connection, triples),
        datasets=datasets,
        algorithms=algorithms,
        measures={key: known[key] for key in wanted},
        reasons={row.id: row.reason for row in connection.execute(failed)},
        environments=places,
        calibrations=tuple(writing.calibrations(connection)),
    )


def _named(connection: sa.Connection, table: sa.Table) -> dict[int, tuple[str, str]]:
    """Whole tables of names, read once: there are few of them and very many cells."""
    query = sa.select(table.c.id, table.c.name, table.c.fingerprint)
    result = {row.id: (row.name, row.fingerprint) for row in connection.execute(query)}
    if not all(isinstance(text, str) for pair in result.values() for text in pair):
        raise TypeError(f"a name of {table.name} is no text")
    return result


def _raw(connection: sa.Connection, query: sa.Select[Any]) -> Generator[Any]:
    """Stream plain tuples from the driver itself: a million rows need no row objects."""
    compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
    cursor = connection.connection.cursor()
    try:
        cursor.execute(str(compiled))
        while rows := cursor.fetchmany(_FETCH):
            yield rows
    except connection.dialect.loaded_dbapi.Error as error:  # as SQLAlchemy would raise it, for whoever puts it in words
        raise sa.exc.DBAPIError(str(compiled), None, error) from error
    finally:
        cursor.close()


def _values(connection: sa.Connection, query: sa.Select[Any]) -> npt.NDArray[np.void]:
    """Read cell, measure and value; the keys as one number, as fewer objects are made that way."""
    value = schema.values.c
    chosen: sa.Select[Any] = query.with_only_columns(value.cell_id * _MEASURES + value.measure_id, value.value)
    with closing(_raw(connection, chosen)) as pages:
        pairs = np.fromiter(chain.from_iterable(pages), dtype=[("key", "<i8"), ("value", "<f8")])
    result = np.empty(len(pairs), dtype=VALUE)
    result["cell"], result["measure"] = np.divmod(pairs["key"], _MEASURES)
    result["value"] = pairs["value"]
    return result


def _cells(connection: sa.Connection) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Names]]:
    """Read every cell, column by column: the database writes each as one text, which takes half of the time of rows."""
    cell = schema.cells.c
    numbers = {
        "id": cell.id,
        "dataset": cell.dataset_id,
        "algorithm": cell.algorithm_id,
        "seed": cell.seed,
        "resampling": cell.resampling_id,
        "environment": sa.func.coalesce(cell.environment_id, -1),
        "load": sa.cast(sa.func.round(100 * sa.func.coalesce(cell.host_load, -1.0)), sa.Integer),
    }
    texts = {name: cell[name] for name in ("replication", "fold", "status", "origin")}
    as_text: Any = sa.type_coerce if connection.dialect.name == "sqlite" else sa.cast
    joined = [sa.func.aggregate_strings(as_text(column, sa.Text), ",") for column in numbers.values()]
    joined += [sa.func.aggregate_strings(column, _BETWEEN) for column in texts.values()]
    count, *result = connection.execute(sa.select(sa.func.count(), *joined).select_from(schema.cells)).one()
    parts = dict(zip([*numbers, *texts], result, strict=True))
    order = np.argsort(_parsed(parts["id"], np.dtype(np.int64), count), kind="stable")
    columns: dict[str, Any] = {name: _parsed(parts[name], np.dtype(np.int64), count)[order] for name in numbers}
    columns["load"] = columns["load"] / 100  # to a hundredth, which is written more quickly than a fraction
    return columns, {name: _coded(connection, texts[name], parts[name], order) for name in texts}


def _parsed(text: str | None, kind: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # where the text breaks off: the count says so
        values = np.fromstring(text or "", dtype=kind, sep=",")
    if len(values) != count:
        raise ValueError("a number is none")
    return values


def _coded(connection: sa.Connection, column: sa.Column[str], text: str | None, order: IntArray) -> Names:
    numbers = _numbers(text or "", len(order))
    if numbers is not None:
        return sorted_names(numbers[0][order], numbers[1])
    words = [] if text is None else text.split(_BETWEEN)
    if len(words) != len(order):  # some text holds the sign itself
        words = list(connection.scalars(sa.select(column).order_by(schema.cells.c.id)))
        order = np.arange(len(words))
    codes = {word: code for code, word in enumerate(dict.fromkeys(words))}
    places = np.fromiter(map(codes.__getitem__, words), dtype=np.int64, count=len(words))
    return sorted_names(places[order], list(codes))


def _numbers(text: str, count: int) -> tuple[IntArray, list[str]] | None:
    """Read words that are whole numbers as Python writes them, as replications and folds mostly are."""
    digits = text.replace(_BETWEEN, "")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 * count:
        return None
    numbers = np.fromstring(text.replace(_BETWEEN, ","), dtype=np.int64, sep=",")
    there, places, times = np.unique(numbers, return_inverse=True, return_counts=True)
    names = [str(number) for number in there.tolist()]
    same = sum(len(name) * n for name, n in zip(names, times.tolist(), strict=True)) == len(digits)
    return (places, names) if same and len(numbers) == count else None


def details(connection: sa.Connection) -> dict[int, Mapping[str, Any]]:
    """Return the details of every ok cell, by id."""
    cell = schema.cells.c
    query = sa.select(cell.id, cell.details).where(cell.status == "ok")
    return {key: from_json(text) for key, text in connection.execute(query)}


# ---- what is damaged: numbers and texts in each other's columns, broken JSON, links to nothing


_JSON = (("datasets", "meta"), ("algorithms", "spec"), ("environments", "versions"), ("cells", "details"))
_MOST_SHOWN = 40


def first_damage(connection: sa.Connection) -> str:
    """Say of the first row that Tiebreak cannot have written which it is, and what is wrong; empty where none is."""
    if connection.dialect.name == "sqlite":  # elsewhere the server keeps types and links
        for table in schema.METADATA.sorted_tables:
            for column in table.columns:
                known = ["text"] if isinstance(column.type, sa.Text) else ["integer", "real"]
                known = known[:1] if isinstance(column.type, sa.Integer) else known
                strange = sa.func.typeof(column).not_in([*known, *(["null"] if column.nullable else [])])
                for row in connection.execute(sa.select(table).where(strange).limit(1)).mappings():
                    value = str(row[column.name])[:_MOST_SHOWN]
                    return f"{column.name} of {_row_named(connection, table.name, dict(row))} is {value!r}"
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            place = _row_named(connection, broken[0], {"id": broken[1]})
            return f"{place} points to a row of {broken[2]} that is not there"
    for name, column_name in _JSON:
        table = schema.METADATA.tables[name]
        for row in connection.execute(sa.select(table)).mappings():
            try:
                from_json(row[column_name])
                list(json.loads(row.get("classes", "[]")))
            except (ValueError, TypeError) as error:
                return f"{column_name} of {_row_named(connection, name, dict(row))} cannot be read ({error})"
    return ""


def _row_named(connection: sa.Connection, table: str, row: Mapping[str, Any]) -> str:
    """Name a row; a cell by its data set, algorithm and fold too, where these can be looked up."""
    if table not in ("cells", "cell_values"):
        return f"row {row.get('id', '')} of {table}" + (f" ({row['name']!r})" if "name" in row else "")
    key = row.get("cell_id", row.get("id"))
    cell = schema.cells.c
    names = sa.select(schema.datasets.c.name, schema.algorithms.c.name, cell.replication, cell.fold)
    known = connection.execute(names.select_from(schema.named_cells).where(cell.id == key)).first()
    place = "" if known is None else " ({1} on {0}, replication {2}, fold {3})".format(*known)
    return f"cell {key}{place}"


# ---- what a runner asks of a store while it works: what waits, what has ended, and what was measured, by pairs


class WaitingCell(NamedTuple):
    """A cell that nobody has claimed."""

    id: int
    algorithm: str
    replication: int
    fold: int


@patient
def waiting_cells(store: Store, *, plan: str, dataset: str) -> list[WaitingCell]:
    """List the cells of one data set of a plan that wait, oldest first."""
    cell = schema.cells.c
    query = sa.select(cell.id, schema.algorithms.c.fingerprint, cell.replication, cell.fold)
    joined = schema.cells.join(schema.datasets).join(schema.algorithms)
    with store.reads() as connection:
        mine = of_plan(store.plan_id(connection, plan))
        wanted = query.select_from(joined).where(
            schema.datasets.c.fingerprint == dataset, cell.status == "waiting", mine
        )
        rows = connection.execute(wanted.order_by(cell.id)).all()
    return [WaitingCell(key, mark, int(replication), int(fold)) for key, mark, replication, fold in rows]


@patient
def ended_cells(store: Store, *, plan: str) -> list[tuple[str, str, int]]:
    """Count the cells of a plan that have ended, by data set and algorithm."""
    names = (schema.datasets.c.fingerprint, schema.algorithms.c.fingerprint)
    query = sa.select(*names, sa.func.count()).select_from(schema.cells.join(schema.datasets).join(schema.algorithms))
    with store.reads() as connection:
        mine = of_plan(store.plan_id(connection, plan))
        ended = query.where(mine, schema.cells.c.status.not_in(OPEN)).group_by(*names)
        return [(dataset, algorithm, int(count)) for dataset, algorithm, count in connection.execute(ended)]


@patient
def means(store: Store, measure: str, *, plan: str) -> list[tuple[str, str, int, float]]:
    """Return the number of ok cells of every pair of a plan, and the mean of a measure over them."""
    marks = (schema.datasets.c.fingerprint, schema.algorithms.c.fingerprint)
    joined = schema.values.join(schema.measures).join(schema.cells).join(schema.datasets).join(schema.algorithms)
    query = sa.select(*marks, sa.func.count(), sa.func.avg(schema.values.c.value)).select_from(joined)
    query = query.where(schema.measures.c.name == measure, schema.cells.c.status == "ok")
    with store.reads() as connection:
        mine = query.where(of_plan(store.plan_id(connection, plan))).group_by(*marks)
        return [(mark, name, int(count), float(mean)) for mark, name, count, mean in connection.execute(mine)]
