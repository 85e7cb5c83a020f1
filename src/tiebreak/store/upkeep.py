"""The files of a store: the write-ahead log put into the file, and the whole written anew without gaps."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

_WAIT_MS = 2000
"""So long a checkpoint waits for readers: what it cannot move now, the next one or the last to close the file moves."""


def checkpoint(engine: sa.Engine) -> None:
    """Move the write-ahead log into the file and empty it; nothing where there is none, or where a reader holds it."""
    if engine.dialect.name != "sqlite":
        return
    with closing(engine.raw_connection()) as raw, suppress(sqlite3.Error):
        _empty_log(raw.cursor())


def _empty_log(cursor: Any) -> None:
    before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
    cursor.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    cursor.execute(f"PRAGMA busy_timeout={before}")


def compact(engine: sa.Engine) -> tuple[int, int]:
    """Write the store anew, outside a transaction, as both databases demand; returns the bytes before and after."""
    before = _size(engine)
    if engine.dialect.name == "sqlite":
        _vacuum_file(engine)
    else:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in sa.inspect(connection).get_table_names():
                connection.exec_driver_sql(f'VACUUM (FULL, ANALYZE) "{table}"')
    return before, _size(engine)


def _vacuum_file(engine: sa.Engine) -> None:
    """By the driver itself: every connection of the engine begins a transaction."""
    with closing(engine.raw_connection()) as raw:
        cursor = raw.cursor()
        try:
            _empty_log(cursor)
            cursor.execute("VACUUM")
            cursor.execute("ANALYZE")
            _empty_log(cursor)
        except sqlite3.Error as error:
            raise sa.exc.OperationalError("VACUUM", None, error) from None


def _size(engine: sa.Engine) -> int:
    """Of the files of a SQLite store; of the tables and indexes of a schema of PostgreSQL."""
    if engine.dialect.name == "sqlite":
        file = str(engine.url.database)
        return sum(path.stat().st_size for path in map(Path, (file, f"{file}-wal")) if path.exists())
    with engine.connect() as connection:
        asked = "SELECT coalesce(sum(pg_total_relation_size(to_regclass(quote_ident(:name)))), 0)"
        return sum(int(connection.scalar(sa.text(asked), {"name": name}) or 0)
                   for name in sa.inspect(connection).get_table_names())  # fmt: skip
