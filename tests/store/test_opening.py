"""Addresses, settings, migrations, and what is refused at the door."""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from tiebreak.errors import OptionError
from tiebreak.stores import StoreError, open_store, opening, schema
from tiebreak.stores.errors import NoStore

Fill = Callable[..., list[int]]


def test_a_new_store_has_the_declared_tables_and_indexes(url: str) -> None:
    with open_store(url) as store:
        seen = sa.inspect(store.engine)
        assert set(seen.get_table_names()) == set(schema.METADATA.tables)
        for name, table in schema.METADATA.tables.items():
            result = {column["name"]: bool(column["nullable"]) for column in seen.get_columns(name)}
            if store.engine.dialect.name == "sqlite":  # it calls its integer keys nullable, which they are not
                result |= {key.name: False for key in table.primary_key}
            assert result == {column.name: bool(column.nullable) for column in table.columns}, name
        indexes = {index["name"]: index["column_names"] for index in seen.get_indexes("cells")}
        assert indexes["cells_by_status"] == ["status", "id"]
        assert indexes["cells_by_kind"] == ["dataset_id", "algorithm_id", "resampling_id", "seed", "origin", "status"]


@pytest.mark.parametrize(("version", "mend"), [(99, "Update the program"), (4, "versions before the first release")])
def test_a_store_of_another_version_is_refused(url: str, version: int, mend: str) -> None:
    with open_store(url) as store, store.writes() as connection:
        connection.execute(schema.versions.update().values(version=version))
    for create in (True, False):
        with pytest.raises(StoreError, match=rf"has schema version {version}; this program knows version 5.*{mend}"):
            open_store(url, create=create)


def test_sqlite_is_set_to_lose_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store, store.reads() as connection:
        pragmas = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in SETTINGS}
    assert pragmas == SETTINGS


SETTINGS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 60_000}


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "path"])
def test_a_sqlite_store_has_many_spellings(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a b é.db"
    with open_store(path if form == "path" else form.format(path)) as store:
        assert store.shown == str(path) and repr(store) == f"<Store {path}>"
    assert path.exists()


def test_reading_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(NoStore) as error:
        open_store(path, create=False)
    assert str(error.value) == (
        f"There is no store at {path}. There is nothing to read. Check the address, or make a store with"
        " `tiebreak.run(plan, store=url)`."
    )
    assert not path.exists()


def test_reading_makes_no_tables(new_schema: str) -> None:
    for _ in range(2):
        with pytest.raises(NoStore, match="There is no store at postgresql://"):
            open_store(new_schema, create=False)


@pytest.mark.parametrize("address", [":memory:", "sqlite://", "sqlite:///:memory:"])
def test_a_store_in_memory_is_refused(address: str) -> None:
    with pytest.raises(OptionError, match=r"A store in memory was asked for\. It would be lost"):
        open_store(address)


def test_places_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=re.escape(f"The store {tmp_path} is a folder.")):
        open_store(tmp_path)
    with pytest.raises(StoreError, match="lies in a folder that does not exist"):
        open_store(tmp_path / "no" / "r.db")
    other = tmp_path / "notes.db"
    other.write_text("these are my notes, and no database at all\n" * 100)
    with pytest.raises(StoreError, match="could not be opened: file is not a database"):
        open_store(other)
    assert other.read_text().startswith("these are my notes")


def test_the_database_of_someone_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE plans (mine TEXT); CREATE TABLE cells (mine TEXT);")
    with pytest.raises(StoreError) as error:
        open_store(path)
    assert str(error.value) == (
        f"The database {path} has tables named 'cells', 'plans', but they are not a store of Tiebreak. Writing into"
        " them would damage what someone else keeps there. Give another file or database, or another schema:"
        " ...?options=-csearch_path%3Dtiebreak"
    )


@pytest.mark.parametrize(
    "address",
    [
        "mysql://u:geheim@host/db",
        "postgresql://u:geheim@host:port/db",
        "://geheim",
        "oracle+geheim://x",
    ],
)
def test_addresses_that_cannot_be_read_are_not_repeated(address: str) -> None:
    with pytest.raises(OptionError) as error:
        open_store(address)
    assert "geheim" not in str(error.value)
    assert str(error.value).startswith("The address of the store cannot be read.")


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg2"])
def test_a_password_is_never_shown(scheme: str) -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL is reached through psycopg (tiebreak[postgres])")
    with pytest.raises(StoreError) as error:
        open_store(f"{scheme}://someone:geheim@127.0.0.1:1/db?connect_timeout=2&application_name=geheim")
    assert str(error.value).startswith("The store postgresql://someone@127.0.0.1:1/db could not be opened: ")
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize(("library", "extra"), [("sqlalchemy", "lab"), ("psycopg", "postgres")])
def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch, library: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(OptionError) as error:
        open_store("postgresql://localhost/db")
    assert str(error.value) == f"{library} is not installed. Install it: pip install 'tiebreak[{extra}]'"


def test_what_the_database_refuses_is_said_in_words(url: str, fill: Fill) -> None:
    with open_store(url) as store:
        ids = fill(store)

        def half() -> None:
            with store.writes() as connection:
                connection.execute(schema.cells.delete().where(schema.cells.c.id == ids[0]))
                connection.exec_driver_sql("DELETE FROM nowhere")

        with pytest.raises(StoreError, match=r"could not be written: .*nowhere.* Nothing of this step was stored"):
            half()
        with pytest.raises(StoreError, match=r"could not be read: .*nowhere"), store.reads() as connection:
            connection.exec_driver_sql("SELECT * FROM nowhere")
        assert sum(store.counts().values()) == len(ids)


def test_two_processes_may_make_one_store_at_once(url: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(url), range(4)))
    for store in stores:
        with store.reads() as connection:
            assert connection.scalar(sa.select(sa.func.count()).select_from(schema.versions)) == 1
        store.close()


def test_a_store_whose_tables_are_not_those_of_its_version_is_refused_in_words(tmp_path: Path) -> None:
    """As where a database was copied over another whose `-wal` file stayed behind."""
    file = tmp_path / "results.db"
    open_store(file).close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ALTER TABLE cells RENAME COLUMN environment_id TO other")
    with open_store(file) as store, pytest.raises(StoreError, match=r"could not be read: no such column: .*_id"):
        store.columns()


def test_a_store_that_somebody_else_makes_at_the_same_time_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite refuses to change its log at once where another writes: the run ended with a traceback."""
    file = tmp_path / "results.db"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(opening, "_BUSY_MS", 50)
    with pytest.raises(StoreError, match=r"results\.db could not be opened: database is locked\."):
        open_store(file)
    monkeypatch.setattr(opening, "_BUSY_MS", 600_000)
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: other.execute("ROLLBACK"))
    monkeypatch.setattr(opening, "time", clock)
    with open_store(file) as store:
        assert store.counts()["waiting"] == 0
    other.close()
