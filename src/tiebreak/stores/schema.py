"""The tables as they are now; `migrations` brings every older store to this form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tiebreak.errors import quoted
from tiebreak.stores.errors import StoreError, no_store
from tiebreak.stores.records import now

METADATA = sa.MetaData()
VERSION = 5
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""SQLite numbers rows by itself only where the type of the key is exactly INTEGER."""


def _table(name: str, *columns: sa.Column[Any] | sa.UniqueConstraint | sa.Index, **options: Any) -> sa.Table:
    """Make a table whose rows are numbered."""
    return sa.Table(name, METADATA, sa.Column("id", KEY, primary_key=True), *columns, **options)


def _texts(*names: str, unique: bool | None = None) -> list[sa.Column[Any]]:
    """Make columns of text that is always there."""
    return [sa.Column(name, sa.Text, nullable=False, unique=unique) for name in names]


def _numbers(*names: str, kind: Any = KEY, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _links(*tables: str, **options: Any) -> list[sa.Column[Any]]:
    """Make the columns that point to rows of other tables: "dataset" is dataset_id, a row of datasets."""
    return [sa.Column(f"{table}_id", KEY, sa.ForeignKey(f"{table}s.id"), **options) for table in tables]


versions = sa.Table(
    "schema_version",
    METADATA,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("applied"),
)
datasets = _table(
    "datasets",
    *_texts("name"),
    *_texts("fingerprint", unique=True),
    *_numbers("n_rows", "n_attributes", nullable=True),
    *_texts("classes", "meta", "meta_version"),
)
algorithms = _table("algorithms", *_texts("name"), *_texts("fingerprint", unique=True), *_texts("spec"))
plans = _table("plans", *_texts("digest", unique=True), *_texts("text", "created"))
resamplings = _table("resamplings", *_texts("name", unique=True))
runners = _table(
    "runners", *_numbers("lock_key", kind=sa.BigInteger), *_texts("host"), *_numbers("pid"), *_texts("started")
)
environments = _table(
    "environments",
    *_texts("digest", unique=True),
    *_texts("host", "cpu", "system", "python", "versions"),
    *_numbers("cores", nullable=True),
)
calibrations = _table(
    "calibrations",
    *_links("environment", nullable=False),
    *_texts("taken"),
    *_numbers("cpu", "wall", kind=sa.Double),
    *_numbers("host_load", kind=sa.Double, nullable=True),
)
cells = _table(
    "cells",
    *_links("dataset", "algorithm", "resampling", nullable=False),
    *_numbers("seed", kind=sa.BigInteger),
    *_texts("replication", "fold", "status", "reason"),
    *_numbers("attempts", kind=sa.Integer),
    *_links("runner"),
    *_texts("finished", "origin", "details"),
    *_links("environment"),
    *_numbers("host_load", kind=sa.Double, nullable=True),
    sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
    sa.UniqueConstraint("dataset_id", "algorithm_id", "resampling_id", "seed", "replication", "fold"),
    sa.Index("cells_by_status", "status", "id"),
    sa.Index("cells_by_kind", "dataset_id", "algorithm_id", "resampling_id", "seed", "origin", "status"),
)
measures = _table("measures", *_texts("name", unique=True), *_numbers("is_cost", kind=sa.Boolean))
plan_cells = sa.Table(
    "plan_cells", METADATA, *_links("plan", "cell", primary_key=True, autoincrement=False), sqlite_with_rowid=False
)
values = sa.Table(
    "cell_values",
    METADATA,
    *_links("cell", "measure", primary_key=True, autoincrement=False),
    *_numbers("value", kind=sa.Double),
    sqlite_with_rowid=False,
)
named_cells = cells.join(datasets).join(algorithms).join(resamplings)
"""Every cell beside the rows its numbers point to."""


def insert(connection: sa.Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """Return the INSERT of the connection's dialect, which can skip rows that are there already."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def insert_new(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert the rows that are not there yet."""
    if rows:
        connection.execute(insert(connection, table).on_conflict_do_nothing(), [dict(row) for row in rows])


def version_of(connection: sa.Connection) -> int:
    """Return the version of the store, 0 where there is none yet."""
    if "schema_version" not in sa.inspect(connection).get_table_names():
        return 0
    return connection.scalar(sa.text("SELECT max(version) FROM schema_version")) or 0


def make_tables(connection: sa.Connection, shown: str, *, create: bool) -> None:
    """Make the tables of a store where there are none, inside the transaction of `connection`."""
    version = version_of(connection)
    if version not in (0, VERSION):
        raise StoreError(
            f"The store {shown} has schema version {version}; this program knows version {VERSION}.",
            why="Another version of Tiebreak made it, and writing to it could damage it.",
            mend="Update the program: pip install --upgrade tiebreak"
            if version > VERSION
            else "Run the plan again with another store: versions before the first release are not read.",
        )
    if version == 0:
        _check_free(connection, shown, create=create)
        METADATA.create_all(connection, checkfirst=False)
        connection.execute(versions.insert().values(version=VERSION, applied=now()))


def _check_free(connection: sa.Connection, shown: str, *, create: bool) -> None:
    """Refuse to make tables where others of the same name are, or where none may be made."""
    ours = {"schema_version", "datasets", "algorithms", "plans", "cells", "cell_values", "measures", "runners"}
    taken = ours & set(sa.inspect(connection).get_table_names())
    if taken:
        raise StoreError(
            f"The database {shown} has tables named {quoted(sorted(taken))}, but they are not a store of Tiebreak.",
            why="Writing into them would damage what someone else keeps there.",
            mend="Give another file or database, or another schema: ...?options=-csearch_path%3Dtiebreak",
        )
    if not create:
        raise no_store(shown)
