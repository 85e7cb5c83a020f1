"""What is read from a store: counts, pages of rows, and whole columns as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from tiebreak._checks import IntArray
from tiebreak.store import schema
from tiebreak.store.records import FAILED, CellRow
from tiebreak.store.texts import from_json
from tiebreak.store.writing import of_plan

_PAGE = 2000
_FETCH = 50_000
_TEXTS = ("resampling", "replication", "fold", "status", "origin")
_CELL = np.dtype([(name, "<i8") for name in ("id", "dataset", "algorithm", "seed", *_TEXTS)])
VALUE = np.dtype([("cell", "<i8"), ("measure", "<i8"), ("value", "<f8")])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """A column of texts: `names[codes[i]]` is the text of cell i."""

    codes: IntArray
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoreColumns:
    """Every cell of a store as arrays, sorted by id, and every value as (cell, measure, value).

    `datasets` and `algorithms` map the numbers in `dataset` and `algorithm` to (name, fingerprint).
    """

    id: IntArray
    dataset: IntArray
    algorithm: IntArray
    seed: IntArray
    resampling: Coded
    replication: Coded
    fold: Coded
    status: Coded
    origin: Coded
    values: npt.NDArray[np.void]
    datasets: Mapping[int, tuple[str, str]]
    algorithms: Mapping[int, tuple[str, str]]
    measures: Mapping[int, tuple[str, bool]]
    reasons: Mapping[int, str]


def counts(connection: sa.Connection, plan_id: int | None) -> dict[str, int]:
    """Count cells by status."""
    status = schema.cells.c.status
    query = sa.select(status, sa.func.count()).where(of_plan(plan_id)).group_by(status)
    return {str(name): int(number) for name, number in connection.execute(query)}


def page(
    connection: sa.Connection, *, after: int, statuses: Sequence[str] | None, plan_id: int | None
) -> list[CellRow]:
    """Return the next cells after an id, with their values."""
    cell = schema.cells.c
    query = (
        sa.select(
            schema.cells,
            schema.datasets.c.name.label("dataset"),
            schema.datasets.c.fingerprint.label("dataset_fingerprint"),
            schema.algorithms.c.name.label("algorithm"),
            schema.algorithms.c.fingerprint.label("algorithm_fingerprint"),
            schema.resamplings.c.name.label("resampling"),
        )
        .join(schema.datasets, schema.datasets.c.id == cell.dataset_id)
        .join(schema.algorithms, schema.algorithms.c.id == cell.algorithm_id)
        .join(schema.resamplings, schema.resamplings.c.id == cell.resampling_id)
        .where(cell.id > after, of_plan(plan_id), sa.true() if statuses is None else cell.status.in_(statuses))
        .order_by(cell.id)
        .limit(_PAGE)
    )
    rows = connection.execute(query).mappings().all()
    values = _values_of(connection, [row["id"] for row in rows])
    skipped = {"dataset_id", "algorithm_id", "resampling_id", "runner_id", "details"}
    return [
        CellRow(
            **{key: value for key, value in row.items() if key not in skipped},
            details=from_json(row["details"]),
            values=values.get(row["id"], {}),
        )
        for row in rows
    ]


def _values_of(connection: sa.Connection, ids: Sequence[int]) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {}
    value = schema.values.c
    query = sa.select(value.cell_id, schema.measures.c.name, value.value)
    query = query.join(schema.measures, schema.measures.c.id == value.measure_id).where(value.cell_id.in_(ids))
    for cell, name, number in connection.execute(query.order_by(value.cell_id, schema.measures.c.name)):
        found.setdefault(cell, {})[name] = number
    return found


def columns(connection: sa.Connection, measures: Sequence[str] | None = None) -> StoreColumns:
    """Read every cell, and the values of the named measures or of all, as arrays."""
    known = {row.id: (row.name, bool(row.is_cost)) for row in connection.execute(sa.select(schema.measures))}
    wanted = [key for key, (name, _) in known.items() if measures is None or name in measures]
    value = schema.values.c
    triples = sa.select(value.cell_id, value.measure_id, value.value)
    if measures is not None:
        triples = triples.where(value.measure_id.in_(wanted))
    cells, texts = _cells(connection)
    failed = sa.select(schema.cells.c.id, schema.cells.c.reason).where(schema.cells.c.status.in_(FAILED))
    return StoreColumns(
        id=cells["id"],
        dataset=cells["dataset"],
        algorithm=cells["algorithm"],
        seed=cells["seed"],
        **{name: Coded(codes=cells[name], names=tuple(known)) for name, known in zip(_TEXTS, texts, strict=True)},
        values=np.fromiter(_raw(connection, triples), dtype=VALUE),
        datasets=_named(connection, schema.datasets),
        algorithms=_named(connection, schema.algorithms),
        measures={key: known[key] for key in wanted},
        reasons={row.id: row.reason for row in connection.execute(failed)},
    )


def _named(connection: sa.Connection, table: sa.Table) -> dict[int, tuple[str, str]]:
    query = sa.select(table.c.id, table.c.name, table.c.fingerprint)
    return {row.id: (row.name, row.fingerprint) for row in connection.execute(query)}


def _raw(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[Any]:
    """Stream plain tuples from the driver itself: a million rows need no row objects."""
    compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
    cursor = connection.connection.cursor()
    try:
        cursor.execute(str(compiled))
        while rows := cursor.fetchmany(_FETCH):
            yield from rows
    finally:
        cursor.close()


def _cells(connection: sa.Connection) -> tuple[npt.NDArray[np.void], list[dict[str, int]]]:
    """Read every cell in one query, its texts coded on the way; return the codes of the texts too."""
    cell = schema.cells.c
    query = (
        sa.select(
            cell.id,
            cell.dataset_id,
            cell.algorithm_id,
            cell.seed,
            schema.resamplings.c.name,
            cell.replication,
            cell.fold,
            cell.status,
            cell.origin,
        )
        .join(schema.resamplings, schema.resamplings.c.id == cell.resampling_id)
        .order_by(cell.id)
    )
    texts: list[dict[str, int]] = [{} for _ in _TEXTS]
    a, b, c, d, e = texts
    rows = (
        (
            *row[:4],
            a.setdefault(row[4], len(a)),
            b.setdefault(row[5], len(b)),
            c.setdefault(row[6], len(c)),
            d.setdefault(row[7], len(d)),
            e.setdefault(row[8], len(e)),
        )
        for row in _raw(connection, query)
    )
    return np.fromiter(rows, dtype=_CELL), texts


def details(connection: sa.Connection) -> dict[int, Mapping[str, Any]]:
    """Return the details of every ok cell, by id."""
    cell = schema.cells.c
    query = sa.select(cell.id, cell.details).where(cell.status == "ok")
    return {key: from_json(text) for key, text in connection.execute(query)}
