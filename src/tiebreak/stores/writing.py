"""What is written into a store, statement by statement; each function works inside one transaction of its caller."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from tiebreak._checks import check_choice
from tiebreak.stores import schema
from tiebreak.stores.records import (
    FAILED,
    Calibration,
    CellKey,
    CellOutcome,
    Environment,
    check_measures,
    check_name,
    clean,
    from_json,
    now,
    split_finite,
    to_json,
)

# ---- where cells were run: environments, each once, and how fast their hosts were found to be


def environment_ids(connection: sa.Connection, given: Iterable[Environment | None]) -> dict[str, int]:
    """Return the numbers of environments by digest, after adding those that are new."""
    options = {environment.digest: environment for environment in given if environment is not None}
    if not options:
        return {}
    result = _known_environments(connection, options)
    new = [_row(environment, digest) for digest, environment in options.items() if digest not in result]
    if new:
        schema.insert_new(connection, schema.environments, new)
        result = _known_environments(connection, options)
    return result


def _known_environments(connection: sa.Connection, options: Mapping[str, Environment]) -> dict[str, int]:
    table = schema.environments.c
    query = sa.select(table.id, table.digest).where(table.digest.in_(options))
    return {digest: key for key, digest in connection.execute(query)}


def _row(environment: Environment, digest: str) -> dict[str, object]:
    texts = {name: clean(getattr(environment, name)) for name in ("host", "cpu", "system", "python")}
    return {**texts, "digest": digest, "cores": environment.cores, "versions": json.dumps(dict(environment.versions))}


def add_calibrations(connection: sa.Connection, given: Iterable[Calibration | None]) -> None:
    """Store how fast hosts are."""
    there = [calibration for calibration in given if calibration is not None]
    ids = environment_ids(connection, (calibration.environment for calibration in there))
    rows = [
        {
            "environment_id": ids[calibration.environment.digest],
            "taken": calibration.taken or now(),
            "cpu": calibration.cpu,
            "wall": calibration.wall,
            "host_load": calibration.load,
        }
        for calibration in there
    ]
    if rows:
        connection.execute(schema.calibrations.insert(), rows)


def environments(connection: sa.Connection) -> dict[int, Environment]:
    """Return every environment by its number; there are few of them."""
    return {row.id: _environment(row) for row in connection.execute(sa.select(schema.environments))}


def _environment(row: Any) -> Environment:
    settings = {name: getattr(row, name) for name in ("host", "cpu", "system", "python", "cores")}
    versions = {name: str(text) for name, text in from_json(row.versions).items()}
    return Environment(**settings, versions=versions)


def calibrations(connection: sa.Connection) -> list[Calibration]:
    """Return every calibration, oldest first."""
    known, table = environments(connection), schema.calibrations
    return [
        Calibration(
            environment=known[row.environment_id],
            cpu=float(row.cpu),
            wall=float(row.wall),
            load=row.host_load,
            taken=row.taken,
        )
        for row in connection.execute(sa.select(table).order_by(table.c.taken, table.c.id))
    ]


_CHUNK = 5000
"""Ids in one statement: SQLite takes 32,766 parameters at the most."""
_MANY = 500
_LOCK_ADDING = 7_308_614_220_395_111
"""The number of an advisory lock: any that nobody else in the database uses."""
_asked = sa.Table(
    "asked_cells",
    sa.MetaData(),
    sa.Column("position", schema.KEY, primary_key=True, autoincrement=False),
    *(sa.Column(name, schema.KEY) for name in ("dataset_id", "algorithm_id", "resampling_id", "seed")),
    *(sa.Column(name, sa.Text) for name in ("replication", "fold")),
    prefixes=["TEMPORARY"],
)
_KEYS = ("dataset_id", "algorithm_id", "resampling_id", "seed", "replication", "fold")


def _insert_all(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that are known to be new; many of them by PostgreSQL's COPY, which is several times faster."""
    if connection.dialect.name == "sqlite" or len(rows) < _MANY:
        if rows:
            connection.execute(table.insert(), [dict(row) for row in rows])
        return
    names = list(rows[0])
    driver: Any = connection.connection.dbapi_connection  # a detached session has no other
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([row[name] for name in names])


def _ids(connection: sa.Connection, table: sa.Table, column: str) -> dict[str, int]:
    return {name: key for key, name in connection.execute(sa.select(table.c.id, table.c[column]))}


def add_cells(connection: sa.Connection, keys: Sequence[CellKey], *, plan_id: int | None, origin: str) -> list[int]:
    """Insert the cells that are new, through a table of their own, and look up the ids of all."""
    if not keys:
        return []
    if connection.dialect.name == "postgresql":  # two runners that add one plan take turns
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_ADDING})
    rows = _numbered(connection, keys)
    _asked.create(connection, checkfirst=False)
    _insert_all(connection, _asked, rows)
    new = {"status": "waiting", "reason": "", "attempts": 0, "finished": "", "origin": origin, "details": "{}"}
    wanted = sa.select(*(_asked.c[name] for name in _KEYS), *(sa.literal(value) for value in new.values()))
    # Without a WHERE, SQLite takes the ON of ON CONFLICT for that of a join.
    wanted = wanted.where(sa.true()).order_by(_asked.c.position)
    add = schema.insert(connection, schema.cells).from_select([*_KEYS, *new], wanted)
    connection.execute(add.on_conflict_do_nothing())
    ids = list(connection.scalars(_found().order_by(_asked.c.position)))
    if plan_id is not None:
        members = _found(sa.literal(plan_id)).distinct().where(sa.true())
        add = schema.insert(connection, schema.plan_cells).from_select(["cell_id", "plan_id"], members)
        connection.execute(add.on_conflict_do_nothing())
    _asked.drop(connection, checkfirst=False)
    return ids


def _found(*more: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """A join with the asked keys: thousands of them as parameters would be too many for SQLite."""
    same = sa.and_(*(schema.cells.c[name] == _asked.c[name] for name in _KEYS))
    return sa.select(schema.cells.c.id, *more).select_from(_asked.join(schema.cells, same))


def _numbered(connection: sa.Connection, keys: Sequence[CellKey]) -> list[dict[str, object]]:
    """Replace names by the numbers the database knows them by."""
    for name in {key.resampling for key in keys}:
        check_name("resampling", name)
    schema.insert_new(
        connection, schema.resamplings, [{"name": name} for name in sorted({key.resampling for key in keys})]
    )
    known = {
        "dataset": _ids(connection, schema.datasets, "fingerprint"),
        "algorithm": _ids(connection, schema.algorithms, "fingerprint"),
        "resampling": _ids(connection, schema.resamplings, "name"),
    }
    return [
        {"position": position, "seed": int(key.seed), "replication": str(key.replication), "fold": str(key.fold)}
        | {f"{part}_id": ids[getattr(key, part)] for part, ids in known.items()}
        for position, key in enumerate(keys)
    ]


def finish(connection: sa.Connection, outcomes: Iterable[CellOutcome]) -> list[int]:
    """Write outcomes over everything but ok cells; return the ids written."""
    chosen = _chosen(outcomes)
    before = _statuses(connection, list(chosen))
    written = [outcome for cell, outcome in chosen.items() if before[cell] != "ok"]
    _drop_values(connection, [outcome.cell for outcome in written if before[outcome.cell] in FAILED])
    add_calibrations(connection, (outcome.calibration for outcome in chosen.values()))
    parted = [(outcome, *split_finite(outcome.values)) for outcome in written]
    if not parted:
        return []
    change = schema.cells.update().where(schema.cells.c.id == sa.bindparam("cell"))
    at, places = now(), environment_ids(connection, (outcome.environment for outcome in written))
    connection.execute(change, [_cell_update(outcome, strange, at, places) for outcome, _, strange in parted])
    measures = measure_ids(connection, {name for _, finite, _ in parted for name in finite})
    values = [
        {"cell_id": outcome.cell, "measure_id": measures[name], "value": value}
        for outcome, finite, _ in parted
        for name, value in finite.items()
    ]
    _insert_all(connection, schema.values, values)
    return [outcome.cell for outcome in written]


def _chosen(outcomes: Iterable[CellOutcome]) -> dict[int, CellOutcome]:
    """Keep one outcome per cell: the first ok, or the last failure."""
    chosen: dict[int, CellOutcome] = {}
    for outcome in outcomes:
        check_choice("status of a finished cell", outcome.status, ("ok", *FAILED))
        check_measures(outcome.values)
        known = chosen.get(outcome.cell)
        if known is None or known.status != "ok":
            chosen[outcome.cell] = outcome
    return chosen


def _statuses(connection: sa.Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the status of cells and keep others from changing it until the end of the transaction."""
    table = schema.cells
    result: dict[int, str] = {}
    for chunk in in_chunks(sorted(ids)):
        query = sa.select(table.c.id, table.c.status).where(table.c.id.in_(chunk)).order_by(table.c.id)
        result |= {row.id: row.status for row in connection.execute(query.with_for_update())}
    return result


def in_chunks(items: Sequence[int]) -> Iterable[Sequence[int]]:
    """Yield ids in parts that fit into one statement."""
    return (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))


def _drop_values(connection: sa.Connection, ids: Sequence[int]) -> None:
    for chunk in in_chunks(ids):
        connection.execute(schema.values.delete().where(schema.values.c.cell_id.in_(chunk)))


def _cell_update(
    outcome: CellOutcome, strange: Mapping[str, str], at: str, places: Mapping[str, int]
) -> dict[str, object]:
    """Values that are not finite are no measures, but why a cell lacks one must be told."""
    details = {**outcome.details, "not_finite": strange} if strange else outcome.details
    return {
        "cell": outcome.cell,
        "status": outcome.status,
        "reason": clean(outcome.reason),
        "finished": outcome.finished or at,
        "details": to_json(details, f"The details of cell {outcome.cell}"),
        "environment_id": None if outcome.environment is None else places[outcome.environment.digest],
        "host_load": outcome.load,
    }


def measure_ids(connection: sa.Connection, names: Iterable[str], costs: Iterable[str] = ()) -> dict[str, int]:
    """Return the numbers of measures by name, after adding those that are new."""
    known = _ids(connection, schema.measures, "name")
    new = sorted(set(names) - set(known))
    if not new:
        return known
    flagged = set(costs)
    schema.insert_new(connection, schema.measures, [{"name": name, "is_cost": name in flagged} for name in new])
    return _ids(connection, schema.measures, "name")


def of_plan(plan_id: int | None) -> sa.ColumnElement[bool]:
    """Return the condition that a cell belongs to a plan; always true for none."""
    if plan_id is None:
        return sa.true()
    member = schema.plan_cells
    return sa.exists().where(member.c.plan_id == plan_id, member.c.cell_id == schema.cells.c.id)


def retry(connection: sa.Connection, statuses: Sequence[str], plan_id: int | None) -> int:
    """Let failed cells wait again and forget what they left behind."""
    table = schema.cells
    query = sa.select(table.c.id).where(table.c.status.in_(statuses), of_plan(plan_id)).order_by(table.c.id)
    ids = list(connection.scalars(query.with_for_update()))
    _drop_values(connection, ids)
    fresh = {"status": "waiting", "reason": "", "attempts": 0, "runner_id": None, "finished": "", "details": "{}"}
    fresh |= {"environment_id": None, "host_load": None, "begun": 0}
    for chunk in in_chunks(ids):
        connection.execute(table.update().where(table.c.id.in_(chunk)).values(fresh))
    return len(ids)
