"""From an address to an open store: which database, its settings, and its tables."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.errors import OptionError, needed
from tiebreak.stores.errors import StoreError, no_store, unusable
from tiebreak.wording import option

if TYPE_CHECKING:
    import sqlalchemy as sa

    from tiebreak.stores.storage import Store


_BUSY_MS = 60_000
"""So long SQLite waits for another writer before it stops."""
_PAUSE = 0.05
_CACHES = ("cache_size=-65536", "journal_size_limit=67108864")
"""64 MB of pages are kept in memory: with less, a large store is read again for every batch that is written. The log
shrinks to 64 MB whenever it is emptied."""
_LOCK_OPENING = 7_308_614_220_395_110
"""The number of the advisory lock under which a store gets its tables: two runners must not both do it."""


def open_store(url: str | Path, *, create: bool = True) -> Store:
    """Open a store, make it if there is none, with its tables.

    A SQLite store keeps a write-ahead log and waits for the disk at the end of every transaction (synchronous=FULL):
    what was stored survives a killed program and a power failure. It must lie on a local disk. A PostgreSQL store is
    as durable as its server, and takes any number of runners; its address must reach the server itself or a pool that
    keeps sessions, as the claims of a runner live as long as its session.

    A SQLite store that lies where nothing can be written is opened for reading with `create=False`.

    Parameters
    ----------
    url : str or Path
        "results.db" or "sqlite:///results.db" for SQLite, "postgresql://user@host/database" for PostgreSQL.
    create : bool, default True
        Make the store if there is none; False is for reading.

    Returns
    -------
    Store
        Close it with `close()`, or use it in a `with` statement.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> with open_store(pathlib.Path(folder.name) / "results.db") as store:
    ...     print(store.counts()["waiting"])
    0
    >>> folder.cleanup()
    """
    sa = needed("sqlalchemy")
    from tiebreak.stores.storage import Store

    address = _address(str(url))
    shown = _shown(address)
    if address.get_backend_name() == "sqlite":
        _check_file(Path(str(address.database)), shown, create=create)
    engine = _engine(address)
    try:
        _check_tables(engine, shown, create=create)
    except sa.exc.DBAPIError as error:
        engine.dispose()
        if not create and _cannot_be_written(error, address):
            return _open_to_read(Path(str(address.database)), shown)
        raise unusable(shown, "opened", error.orig) from None
    except BaseException as error:
        engine.dispose()
        if isinstance(error, sqlite3.Error):
            raise unusable(shown, "opened", error) from None
        raise
    return Store(engine=engine, shown=shown)


_SIGNS = ("unable to open database file", "readonly database", "read-only")


def _cannot_be_written(error: sa.exc.DBAPIError, address: sa.URL) -> bool:
    """Tell whether an error of SQLite means that a file which is there could not be written."""
    words = any(sign in str(error.orig) for sign in _SIGNS)
    return address.get_backend_name() == "sqlite" and words and os.access(str(address.database), os.R_OK)


def _open_to_read(file: Path, shown: str) -> Store:
    """Open a copy of a store that cannot be written, with its log: SQLite would empty that into the file."""
    import sqlalchemy as sa

    from tiebreak.stores.storage import Store

    folder = Path(tempfile.mkdtemp(prefix="tiebreak-store-"))
    try:
        for part in (file, Path(f"{file}-wal")):
            if part.exists():
                shutil.copyfile(part, folder / part.name)
        engine = _engine(sa.URL.create("sqlite", database=str(folder / file.name)))
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only=ON"))
        _check_tables(engine, shown, create=False)
    except (OSError, sa.exc.DBAPIError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise unusable(shown, "read", getattr(error, "orig", error)) from None
    return Store(engine=engine, shown=shown, at_close=lambda: shutil.rmtree(folder, ignore_errors=True))


def _address(text: str) -> sa.URL:
    """Read an address; a text without "://" is the path of a SQLite file. The text may hold a password: never shown."""
    import sqlalchemy as sa

    if "://" not in text:
        return sa.URL.create("sqlite", database=text)
    try:
        address = sa.make_url(text)
        backend = {"postgres": "postgresql"}.get(address.get_backend_name(), address.get_backend_name())
    except (sa.exc.ArgumentError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        raise OptionError(
            "The address of the store cannot be read.",
            why="Known are a file name, sqlite:///FILE and postgresql://USER:PASSWORD@HOST:PORT/DATABASE (signs such as"
            " @ and / in a password are written %40 and %2F).",
            mend=f"Use {option(store='results.db')} or {option(store='postgresql://...')}",
        )
    return address.set(drivername="sqlite" if backend == "sqlite" else "postgresql+psycopg")


def _shown(address: sa.URL) -> str:
    """Write an address without password and options."""
    import sqlalchemy as sa

    if address.get_backend_name() == "sqlite":
        return str(address.database)
    host = address.host or address.query.get("host")
    return sa.URL.create(
        "postgresql",
        username=address.username,
        host=host if isinstance(host, str) else None,
        port=address.port,
        database=address.database,
    ).render_as_string()


def _check_file(path: Path, shown: str, *, create: bool) -> None:
    """Checked by hand: SQLite would make a new, empty store for a misspelt path."""
    if str(path) in ("None", "", ".", ":memory:"):
        raise OptionError(
            "A store in memory was asked for.",
            why="It would be lost at the end of the program, and no other process could read it.",
            mend=f"Name a file: {option(store='results.db')}",
        )
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else "lies in a folder that does not exist"
        raise StoreError(f"The store {shown} {what}.", why="A SQLite store is a file.", mend="Check the path.")
    if not create and not path.exists():
        raise no_store(shown)


def _engine(address: sa.URL) -> sa.Engine:
    import sqlalchemy as sa

    if address.get_backend_name() != "sqlite":
        needed("psycopg")
        from tiebreak.stores.claims import forget_in_children

        engine = sa.create_engine(address, pool_pre_ping=True)
        sa.event.listen(engine, "connect", lambda connection, _: forget_in_children(connection))
        return engine
    engine = sa.create_engine(address, connect_args={"timeout": _BUSY_MS / 1000})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver begins no transaction of its own: _begin_sqlite does
    for pragma in (f"busy_timeout={_BUSY_MS}", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY", *_CACHES):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction; one that writes takes the lock at once, so that it never fails half-way."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _check_tables(engine: sa.Engine, shown: str, *, create: bool) -> None:
    """Make the tables in one transaction; a store that has them is only read."""
    import sqlalchemy as sa

    from tiebreak.stores.schema import VERSION, make_tables, version_of

    with engine.connect() as connection:
        if version_of(connection) == VERSION:
            return
    if engine.dialect.name == "sqlite" and create:
        _write_ahead(engine)
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_OPENING})
        make_tables(connection, shown, create=create)


def _write_ahead(engine: sa.Engine) -> None:
    """Switch the file to a write-ahead log, for good; outside a transaction, as SQLite demands.

    Where somebody else is making the same store at this moment, SQLite refuses at once instead of waiting.
    """
    end = time.monotonic() + _BUSY_MS / 1000
    while True:
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "is locked" not in str(error) or time.monotonic() > end:
                raise
        finally:
            raw.close()
        time.sleep(_PAUSE)
