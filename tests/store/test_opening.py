"""Addresses, settings, migrations, and what is refused at the door."""

from __future__ import annotations

import builtins
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from tiebreak.errors import OptionError
from tiebreak.readers.stores import read_store
from tiebreak.store import StoreError, open_store, opening, schema
from tiebreak.store.errors import NoStore
from tiebreak.store.records import DataSetRow

Fill = Callable[..., list[int]]

VERSION_1 = """
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2025-01-01T00:00:00.000000+00:00');
CREATE TABLE datasets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL UNIQUE,
  n_rows INTEGER, n_attributes INTEGER, classes TEXT NOT NULL);
INSERT INTO datasets VALUES (1, 'iris', 'f-iris', 150, 4, '["setosa", "versicolor", "virginica"]');
CREATE TABLE algorithms (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL UNIQUE,
  spec TEXT NOT NULL);
INSERT INTO algorithms VALUES (1, 'svm', 'f-svm', '{"C": 1}');
CREATE TABLE plans (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL, created TEXT NOT NULL);
INSERT INTO plans VALUES (1, 'p', 'seed = 1', '2025-01-01T00:00:00.000000+00:00');
CREATE TABLE resamplings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO resamplings VALUES (1, '2-fold');
CREATE TABLE runners (id INTEGER PRIMARY KEY, lock_key BIGINT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
  started TEXT NOT NULL);
INSERT INTO runners VALUES (1, 5, 'somewhere', 99, '2025-01-01T00:00:00.000000+00:00');
CREATE TABLE cells (id INTEGER PRIMARY KEY, dataset_id INTEGER NOT NULL REFERENCES datasets (id),
  algorithm_id INTEGER NOT NULL REFERENCES algorithms (id),
  resampling_id INTEGER NOT NULL REFERENCES resamplings (id), seed BIGINT NOT NULL, replication TEXT NOT NULL,
  fold TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL,
  runner_id INTEGER REFERENCES runners (id), finished TEXT NOT NULL, origin TEXT NOT NULL, details TEXT NOT NULL,
  UNIQUE (dataset_id, algorithm_id, resampling_id, seed, replication, fold));
INSERT INTO cells VALUES
  (1, 1, 1, 1, 1, '1', '1', 'ok', '', 1, 1, '2025-01-01T00:00:00.000000+00:00', 'lab', '{}'),
  (2, 1, 1, 1, 1, '1', '2', 'running', '', 1, 1, '', 'lab', '{}');
CREATE TABLE plan_cells (plan_id INTEGER NOT NULL REFERENCES plans (id), cell_id INTEGER NOT NULL
  REFERENCES cells (id), PRIMARY KEY (plan_id, cell_id)) WITHOUT ROWID;
INSERT INTO plan_cells VALUES (1, 1), (1, 2);
CREATE TABLE measures (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_cost BOOLEAN NOT NULL);
INSERT INTO measures VALUES (1, 'error', 0);
CREATE TABLE cell_values (cell_id INTEGER NOT NULL REFERENCES cells (id), measure_id INTEGER NOT NULL
  REFERENCES measures (id), value DOUBLE PRECISION NOT NULL, PRIMARY KEY (cell_id, measure_id)) WITHOUT ROWID;
INSERT INTO cell_values VALUES (1, 1, 0.04);
"""
"""A store as version 1 of the tables left it, with a runner that died: kept as text, so that no change can alter it."""


def script(path: Path, text: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(text)
    connection.close()
    return path


def test_a_store_of_version_1_is_upgraded_and_keeps_everything(tmp_path: Path) -> None:
    path = script(tmp_path / "old.db", VERSION_1)
    with open_store(path, create=False) as store:
        first, second = store.rows()
        assert (first.status, dict(first.values), first.dataset, first.algorithm) == (
            "ok",
            {"error": 0.04},
            "iris",
            "svm",
        )
        assert second.status == "running"
        (iris,) = store.data_sets()
        assert (iris.rows, iris.classes[0], iris.meta, iris.meta_version) == (150, "setosa", {}, "")
        store.add_data_set(DataSetRow(name="iris", fingerprint="f-iris", meta={"skew": 1.0}, meta_version="2"))
        assert store.data_sets()[0].meta == {"skew": 1.0}
        with store.runner() as runner:
            assert [cell.id for cell in runner.claim(5, plan="p")] == [2], "its runner is dead"
        with store.reads() as connection:
            assert schema.version_of(connection) == len(schema.MIGRATIONS) >= 2


@pytest.mark.parametrize("version", [1, 2])
def test_stores_of_every_older_version_gain_the_columns(tmp_path: Path, version: int) -> None:
    path = script(tmp_path / "old.db", VERSION_1)
    if version == 2:
        engine = sa.create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            schema.MIGRATIONS[1](connection)
            connection.execute(sa.text("INSERT INTO schema_version VALUES (2, 'then')"))
        engine.dispose()
    with open_store(path) as store:
        first = next(iter(store.rows()))
        assert (first.host, first.host_load, first.environment, first.status) == ("", None, {}, "ok")
        assert store.environments() == {} and store.cells_by_environment() == {-1: 1}
        assert read_store(store, scores="error").caveats, "a cell still runs"
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM cells WHERE environment_id IS NULL").fetchone() == (2,)
    raw.close()


def test_version_1_is_what_migration_1_makes(tmp_path: Path) -> None:
    """The dump above is the fixture; the first step of today must still make the same tables."""
    old = sa.create_engine(f"sqlite:///{script(tmp_path / 'old.db', VERSION_1)}")
    new = sa.create_engine(f"sqlite:///{tmp_path / 'new.db'}")
    with new.begin() as connection:
        schema.MIGRATIONS[0](connection)

    def described(engine: sa.Engine) -> dict[str, list[tuple[str, str, bool]]]:
        seen = sa.inspect(engine)
        return {
            table: [(c["name"], str(c["type"]), bool(c["nullable"])) for c in seen.get_columns(table)]
            for table in seen.get_table_names()
            if table != "schema_version"
        }

    assert described(old) == described(new)
    old.dispose()
    new.dispose()


def test_the_migrations_lead_to_the_declared_tables(url: str) -> None:
    with open_store(url) as store:
        seen = sa.inspect(store.engine)
        assert set(seen.get_table_names()) == set(schema.METADATA.tables)
        for name, table in schema.METADATA.tables.items():
            found = {column["name"]: bool(column["nullable"]) for column in seen.get_columns(name)}
            if store.engine.dialect.name == "sqlite":  # it calls its integer keys nullable, which they are not
                found |= {key.name: False for key in table.primary_key}
            assert found == {column.name: bool(column.nullable) for column in table.columns}, name
        indexes = {index["name"]: index["column_names"] for index in seen.get_indexes("cells")}
        assert indexes["cells_by_status"] == ["status", "id"]
        assert indexes["cells_by_kind"] == ["dataset_id", "algorithm_id", "resampling_id", "seed", "origin", "status"]


def test_a_failed_migration_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (x INTEGER)")
        connection.exec_driver_sql("ALTER TABLE nowhere ADD COLUMN y INTEGER")

    path = tmp_path / "r.db"
    open_store(path).close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
    with pytest.raises(StoreError, match="could not be opened: no such table: nowhere"):
        open_store(path)
    monkeypatch.undo()
    with open_store(path) as store:
        assert "half" not in sa.inspect(store.engine).get_table_names()


def test_a_newer_store_is_refused(url: str) -> None:
    with open_store(url) as store:
        with store.writes() as connection:
            connection.execute(schema.versions.insert().values(version=99, applied="later"))
        shown = store.shown
    with pytest.raises(StoreError) as error:
        open_store(url)
    assert str(error.value) == (
        f"The store {shown} has schema version 99; this program knows versions up to {len(schema.MIGRATIONS)}. A"
        " later version of Tiebreak changed it, and writing to it could damage it. Update the program: pip install"
        " --upgrade tiebreak"
    )


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
    path = script(tmp_path / "other.db", "CREATE TABLE plans (mine TEXT); CREATE TABLE cells (mine TEXT);")
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
    real = builtins.__import__

    def without(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(OptionError) as error:
        open_store("postgresql://localhost/db")
    assert str(error.value) == (
        f"The library {library} is not installed. The store needs it. Install it with: pip install 'tiebreak[{extra}]'"
    )


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
            assert connection.scalar(sa.select(sa.func.count()).select_from(schema.versions)) == len(schema.MIGRATIONS)
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
