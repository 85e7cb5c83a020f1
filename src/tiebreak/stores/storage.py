"""The store: one object over one database, the same for SQLite and PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import sqlalchemy as sa

from tiebreak._checks import check_choices
from tiebreak.errors import TiebreakError, unknown_name
from tiebreak.results.metrics import metric_named
from tiebreak.stores import exchange, reading, schema, writing
from tiebreak.stores.claims import Runner
from tiebreak.stores.errors import damaged, in_words, patient, renamed
from tiebreak.stores.records import (
    FAILED,
    LAB,
    STATUSES,
    AlgorithmRow,
    DataSetRow,
    PlanRow,
    check_name,
    clean,
    from_json,
    now,
    to_json,
)

if TYPE_CHECKING:
    from tiebreak.results import Results
    from tiebreak.stores.records import Calibration, CellKey, CellOutcome, CellRow, Environment


_Row = TypeVar("_Row")


_WAIT_MS = 2000
"""So long a checkpoint waits for readers: what it cannot move now, the next one or the last to close the file moves."""


class Store:
    """A store of results; open one with `tiebreak.stores.open_store`.

    Every method is one transaction: when it returns, what it wrote is durable. Threads may share a store; processes
    open their own. A run sets `patience`, the seconds for which a store that is away is asked again, and
    `give_up`, which tells that nobody wants to wait any longer.
    """

    __slots__ = ("_at_close", "engine", "give_up", "patience", "shown")

    def __init__(self, *, engine: sa.Engine, shown: str, at_close: Callable[[], None] = lambda: None) -> None:
        self.engine = engine
        self.shown = shown
        self.patience = 0.0
        self.give_up: Callable[[], bool] = lambda: False
        self._at_close = at_close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Store {self.shown}>"

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        self._at_close()

    def checkpoint(self) -> None:
        """Put what the write-ahead log of a SQLite store holds into its file, so that the file alone is complete.

        Nothing is done where a reader holds the log: the next one or the last to close the file does it.
        """
        if self.engine.dialect.name == "sqlite":
            with closing(self.engine.raw_connection()) as raw, suppress(sqlite3.Error):
                cursor = raw.cursor()
                before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
                cursor.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                cursor.execute(f"PRAGMA busy_timeout={before}")

    @contextmanager
    def reads(self) -> Iterator[sa.Connection]:
        """Give a connection for reading; what the database refuses, and what is damaged, becomes a StoreError."""
        with in_words(self.shown, "read"), self.engine.connect() as connection:
            try:
                yield connection
            except TiebreakError:
                raise
            except (ValueError, TypeError, LookupError) as error:
                what = reading.first_damage(connection)
                if not what:
                    raise
                raise damaged(self.shown, what) from error

    def _read(self, function: Callable[..., _Row], *arguments: Any) -> _Row:
        with self.reads() as connection:
            return function(connection, *arguments)

    @contextmanager
    def writes(self) -> Iterator[sa.Connection]:
        """Give a connection in a transaction: all of it is stored, or nothing."""
        opened = self.engine.connect
        with in_words(self.shown, "written"), opened().execution_options(writes=True) as connection, connection.begin():
            yield connection

    # ---- what is run

    def add_data_set(self, row: DataSetRow) -> None:
        """Add a data set; one that is there keeps its name and gains the size and meta-attributes given now."""
        given: dict[str, Any] = {"n_rows": row.rows, "n_attributes": row.attributes}
        given["classes"] = json.dumps(list(row.classes)) if row.classes else None
        if row.meta:
            given |= {"meta": to_json(row.meta, f"meta of {row.name!r}"), "meta_version": row.meta_version}
        known = {key: value for key, value in given.items() if value is not None}
        empty = {"classes": "[]", "meta": "{}", "meta_version": ""}
        self._add_named("data set", row, empty | known, known)

    def add_algorithm(self, row: AlgorithmRow) -> None:
        """Add an algorithm; one that is there stays as it is."""
        spec = {"spec": to_json(row.spec, f"spec of {row.name!r}")}
        self._add_named("algorithm", row, spec, {})

    def _add_named(self, kind: str, row: DataSetRow | AlgorithmRow, new: dict[str, Any], news: dict[str, Any]) -> None:
        """Insert a row, or give the one that is there the `news`, if any."""
        check_name(kind, row.name)
        table = schema.datasets if kind == "data set" else schema.algorithms
        same = table.c.fingerprint == check_name("fingerprint", row.fingerprint)
        with self.writes() as connection:
            schema.insert_new(connection, table, [{"name": row.name, "fingerprint": row.fingerprint, **new}])
            stored = connection.scalar(sa.select(table.c.name).where(same))
            if stored != row.name:
                raise renamed(kind, row.name, str(stored))
            if news:
                connection.execute(table.update().where(same).values(news))

    def add_plan(self, digest: str, text: str) -> None:
        """Add a plan under the digest that names it; one that is there stays as it is."""
        row = {"digest": check_name("plan digest", digest), "text": text, "created": now()}
        with self.writes() as connection:
            schema.insert_new(connection, schema.plans, [row])

    def add_cells(self, keys: Sequence[CellKey], *, plan: str | None = None, origin: str = LAB) -> list[int]:
        """Add cells that are to be run and return the id of each; those that are there keep theirs and their results.

        Parameters
        ----------
        keys : sequence of CellKey
            Their data sets and algorithms must have been added.
        plan : str, optional
            The digest of a plan, added before, that the cells belong to.
        origin : str, default "lab"
            Where the results of new cells come from.

        Returns
        -------
        list of int
            In the order of `keys`; equal keys have equal ids.
        """
        check_name("origin", origin)
        with self.writes() as connection:
            return writing.add_cells(connection, keys, plan_id=self.plan_id(connection, plan), origin=origin)

    def plan_id(self, connection: sa.Connection, digest: str | None) -> int | None:
        """Return the number of a plan by its digest; None, which stands for all cells, for none."""
        if digest is None:
            return None
        scalar = connection.scalar(sa.select(schema.plans.c.id).where(schema.plans.c.digest == digest))
        if scalar is None:
            known = connection.scalars(sa.select(schema.plans.c.digest).order_by(schema.plans.c.id))
            raise unknown_name("plan", digest, known)
        return int(scalar)

    # ---- running

    def runner(self) -> Runner:
        """Return a runner, to be used in a `with` statement: it alone may claim cells, and dies with its process."""
        return Runner(self)

    @patient
    def finish(self, outcomes: Iterable[CellOutcome]) -> list[int]:
        """Store what became of cells, in one transaction, and return the ids of the cells that were written.

        A cell that is ok already stays as it is, and so does one whose outcome comes a second time: the first ok
        result counts. Any outcome replaces a failure. A number that is not finite (the AUC of a fold with one class,
        an infinite loss) is stored as absent, and named in the details under "not_finite".
        """
        with self.writes() as connection:
            return writing.finish(connection, list(outcomes))

    def retry(self, statuses: Sequence[str] = FAILED, *, plan: str | None = None) -> int:
        """Let failed cells wait again, as if they had never been run; return how many."""
        check_choices("status to retry", statuses, FAILED)
        with self.writes() as connection:
            return writing.retry(connection, statuses, self.plan_id(connection, plan))

    # ---- what is in it

    @patient
    def counts(self, *, plan: str | None = None) -> dict[str, int]:
        """Count the cells by status; every status is there."""
        with self.reads() as connection:
            return dict.fromkeys(STATUSES, 0) | reading.counts(connection, self.plan_id(connection, plan))

    def rows(self, *, statuses: Sequence[str] | None = None, plan: str | None = None) -> Iterator[CellRow]:
        """Stream the cells with their values, in the order of their ids, a few thousand at a time."""
        check_choices("status", statuses or (), STATUSES)
        with self.reads() as connection:
            plan_id = self.plan_id(connection, plan)
        last = 0
        while True:
            with self.reads() as connection:
                page = reading.page(connection, after=last, statuses=statuses, plan_id=plan_id)
            if not page:
                return
            yield from page
            last = page[-1].id

    @patient
    def failures(self, *, plan: str | None = None) -> list[dict[str, Any]]:
        """Count the failed cells by data set, algorithm and status, with the first reason of each."""
        with self.reads() as connection:
            return reading.failures(connection, self.plan_id(connection, plan))

    def tally(self) -> list[reading.Counted]:
        """Count the cells by data set, algorithm, resampling, seed, origin and status, without reading them."""
        return self._read(reading.tally)

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the tally as a data frame (polars, or the named kind), with the names of data sets and algorithms."""
        from tiebreak.results.frames import rows_frame

        sets = {row.fingerprint: row.name for row in self.data_sets()}
        algorithms = {algorithm.fingerprint: algorithm.name for algorithm in self.algorithms()}
        rows = [
            item._asdict() | {"dataset": sets[item.dataset], "algorithm": algorithms[item.algorithm]}
            for item in self.tally()
        ]
        return rows_frame(rows, kind or "")

    def _all(self, table: sa.Table, make: Callable[[Any], _Row], *order: str) -> list[_Row]:
        with self.reads() as connection:
            rows = connection.execute(sa.select(table).order_by(*(table.c[name] for name in order)))
            made = [make(row) for row in rows]
            if not all(isinstance(getattr(item, "name", ""), str) for item in made):
                raise TypeError(f"a name of {table.name} is no text")
            return made

    def data_sets(self) -> list[DataSetRow]:
        """List the data sets, by name."""
        return self._all(
            schema.datasets,
            lambda row: DataSetRow(
                name=row.name,
                fingerprint=row.fingerprint,
                rows=row.n_rows,
                attributes=row.n_attributes,
                classes=tuple(json.loads(row.classes)),
                meta=from_json(row.meta),
                meta_version=row.meta_version,
            ),
            "name",
            "fingerprint",
        )

    def algorithms(self) -> list[AlgorithmRow]:
        """List the algorithms, by name."""
        return self._all(
            schema.algorithms,
            lambda row: AlgorithmRow(name=row.name, fingerprint=row.fingerprint, spec=from_json(row.spec)),
            "name",
            "fingerprint",
        )

    def plans(self) -> list[PlanRow]:
        """List the plans, oldest first."""
        return self._all(schema.plans, lambda row: PlanRow(digest=row.digest, text=row.text, created=row.created), "id")

    def columns(self, *, measures: Sequence[str] | None = None) -> reading.StoreColumns:
        """Return every cell, and every value or those of the named measures, as arrays: the fast way to a table."""
        return self._read(reading.columns, measures)

    def details(self) -> dict[int, Mapping[str, Any]]:
        """Return the details of every ok cell, by id."""
        return self._read(reading.details)

    def environments(self) -> dict[int, Environment]:
        """Return where cells were run, and with what, by number."""
        return self._read(writing.environments)

    def calibrations(self) -> list[Calibration]:
        """List how fast hosts were found to be, oldest first."""
        return self._read(writing.calibrations)

    def calibrate(self, *calibrations: Calibration) -> None:
        """Store how fast a host is; see `tiebreak.lab.provenance.calibrated`."""
        with self.writes() as connection:
            writing.add_calibrations(connection, calibrations)

    def run_where(self) -> list[tuple[str, str, int, int]]:
        """Count the ok cells by the fingerprints of data set and algorithm and the number of the environment."""
        return self._read(reading.run_where)

    def cells_by_environment(self) -> Counter[int]:
        """Count the ok cells by the number of their environment; -1 where none was recorded."""
        return sum((Counter({key: count}) for *_, key, count in self.run_where()), Counter())

    def measures(self) -> list[str]:
        """List the names of everything measured, sorted."""
        with self.reads() as connection:
            return sorted(connection.scalars(sa.select(schema.measures.c.name)))

    def costs(self) -> list[str]:
        """List the names of those measures that are costs, sorted: by their known name, or as an import said."""
        columns = schema.measures.c
        with self.reads() as connection:
            options = connection.execute(sa.select(columns.name, columns.is_cost)).all()
        return sorted(name for name, cost in options if metric_named(name, is_cost=bool(cost)).is_cost)

    # ---- exchange

    def export(self, path: str | Path) -> int:
        """Write every cell with its values to a .parquet or .csv file and return how many; see `exchange`."""
        return exchange.export_cells(self, Path(path))

    def import_store(self, other: Store, *, origin: str | None = None) -> exchange.Merge:
        """Put the cells of another store into this one; see `tiebreak.stores.exchange.merge`."""
        return exchange.merge(self, other, origin=origin)

    def import_results(self, results: Results, *, origin: str, suffix: str = "") -> int:
        """Put the results of others beside our own; see `tiebreak.stores.exchange.import_table`."""
        return exchange.import_table(self, results, origin=clean(origin), suffix=suffix)
