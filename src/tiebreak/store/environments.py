"""Where cells were run: environments, each once, and how fast their hosts were found to be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from statistics import median
from typing import Any

import sqlalchemy as sa

from tiebreak.store import schema
from tiebreak.store.records import Calibration, Environment
from tiebreak.store.storable import clean, from_json, now


def environment_ids(connection: sa.Connection, given: Iterable[Environment | None]) -> dict[str, int]:
    """Return the numbers of environments by digest, after adding those that are new."""
    asked = {each.digest: each for each in given if each is not None}
    if not asked:
        return {}
    found = _ids(connection, asked)
    new = [_row(each, digest) for digest, each in asked.items() if digest not in found]
    if new:
        schema.insert_new(connection, schema.environments, new)
        found = _ids(connection, asked)
    return found


def _ids(connection: sa.Connection, asked: Mapping[str, Environment]) -> dict[str, int]:
    table = schema.environments.c
    query = sa.select(table.id, table.digest).where(table.digest.in_(asked))
    return {digest: key for key, digest in connection.execute(query)}


def _row(each: Environment, digest: str) -> dict[str, object]:
    texts = {name: clean(getattr(each, name)) for name in ("host", "cpu", "system", "python")}
    return {**texts, "digest": digest, "cores": each.cores, "versions": json.dumps(dict(each.versions))}


def add_calibrations(connection: sa.Connection, given: Iterable[Calibration | None]) -> None:
    """Store how fast hosts are."""
    there = [each for each in given if each is not None]
    ids = environment_ids(connection, (each.environment for each in there))
    rows = [
        {
            "environment_id": ids[each.environment.digest],
            "taken": each.taken or now(),
            "cpu": each.cpu,
            "wall": each.wall,
            "host_load": each.load,
        }
        for each in there
    ]
    if rows:
        connection.execute(schema.calibrations.insert(), rows)


def environments(connection: sa.Connection) -> dict[int, Environment]:
    """Return every environment by its number; there are few of them."""
    return {row.id: _environment(row) for row in connection.execute(sa.select(schema.environments))}


def _environment(row: Any) -> Environment:
    own = {name: getattr(row, name) for name in ("host", "cpu", "system", "python", "cores")}
    return Environment(**own, versions=from_json(row.versions))


def calibrations(connection: sa.Connection) -> list[Calibration]:
    """Return every calibration, oldest first."""
    known, table = environments(connection), schema.calibrations
    return [
        Calibration(
            environment=known[row.environment_id], cpu=row.cpu, wall=row.wall, load=row.host_load, taken=row.taken
        )
        for row in connection.execute(sa.select(table).order_by(table.c.taken, table.c.id))
    ]


def kernels(given: Iterable[Calibration]) -> dict[str, float]:
    """Return the CPU seconds of the kernel on every host: the median, as single ones are disturbed upwards.

    Examples
    --------
    >>> kernels([Calibration(environment=Environment(host="a"), cpu=each, wall=each) for each in (1.0, 1.2, 5.0)])
    {'a': 1.2}
    """
    found: dict[str, list[float]] = {}
    for each in given:
        found.setdefault(each.environment.host, []).append(each.cpu)
    return {host: median(seconds) for host, seconds in sorted(found.items())}


def plain(each: Environment | None) -> dict[str, Any]:
    """Return an environment as plain data, empty for none."""
    return {} if each is None else {**asdict(each), "versions": dict(each.versions)}


def from_plain(given: Mapping[str, Any]) -> Environment | None:
    """Read what `plain` wrote; None where there is no host in it."""
    if not given.get("host"):
        return None
    texts = {name: str(given.get(name) or "") for name in ("host", "cpu", "system", "python")}
    versions = {str(name): str(text) for name, text in dict(given.get("versions") or {}).items()}
    cores = given.get("cores")
    return Environment(**texts, cores=None if cores is None else int(cores), versions=versions)


def cell_counts(connection: sa.Connection) -> dict[int, int]:
    """Count the ok cells of every environment; -1 stands for cells of which nobody knows it."""
    cell = schema.cells.c
    query = sa.select(cell.environment_id, sa.func.count()).where(cell.status == "ok").group_by(cell.environment_id)
    return {-1 if key is None else int(key): int(count) for key, count in connection.execute(query)}


def run_where(connection: sa.Connection) -> list[tuple[str, str, int, int]]:
    """Count the ok cells by data set and algorithm, each by its fingerprint, and by the number of the environment."""
    cell = schema.cells.c
    keys = (cell.dataset_id, cell.algorithm_id, cell.environment_id)
    query = sa.select(*keys, sa.func.count()).where(cell.status == "ok", cell.environment_id.is_not(None))
    marks = [_marks(connection, table) for table in (schema.datasets, schema.algorithms)]
    return [(marks[0][d], marks[1][a], int(e), int(n)) for d, a, e, n in connection.execute(query.group_by(*keys))]


def _marks(connection: sa.Connection, table: sa.Table) -> dict[int, str]:
    return {key: str(mark) for key, mark in connection.execute(sa.select(table.c.id, table.c.fingerprint))}
