"""Runners and their claims: no cell goes to two runners, and the claims of a dead runner are free at once.

A runner holds a lock that ends with its process: a session advisory lock in PostgreSQL, a lock on a file beside a
SQLite database. Whoever can take the lock of a runner knows that it is dead, whatever the clocks say.

A server that restarts ends all sessions, and with them the locks of runners that live. Each comes back under its old
number, takes its lock again and, with it, the cells that nobody has claimed meanwhile.

A cell may end its runner each time, by taking all memory of the machine. So of a cell that was lost with its runner
once every beginning is counted, before anything else can happen; one that has begun too often is recorded as failed.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import socket
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

import sqlalchemy as sa

from tiebreak.errors import OptionError
from tiebreak.stores import schema, writing
from tiebreak.stores.errors import StoreAway, StoreError, held, in_words, patient, unusable
from tiebreak.stores.records import CellOutcome, ClaimedCell, now

if TYPE_CHECKING:
    from tiebreak.stores.storage import Store


# ---- locks that the operating system or the server frees when their holder dies: no clock, no heartbeat


_guard = threading.Lock()
_held_files: dict[str, int] = {}  # file locks of this process: path -> process id
_sockets: weakref.WeakSet[Any] = weakref.WeakSet()
_registered: list[bool] = []


class FileLock:
    """An exclusive lock on a file beside the database, freed by the operating system when the process ends.

    A POSIX record lock (`lockf`), not `flock`: a forked child that outlives a killed runner would go on holding the
    latter. Record locks do not exclude a second holder in the same process, so the process keeps its own list.
    """

    __slots__ = ("_file", "_path", "_shown")

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path.resolve(), shown
        self._file: TextIO | None = None

    def acquire(self) -> None:
        """Take the lock, or say who holds it."""
        with _guard:
            if _held_files.get(str(self._path)) == os.getpid():
                raise held(self._shown, f"process {os.getpid()} on {socket.gethostname()}, this one")
            self._file = self._locked()
            _held_files[str(self._path)] = os.getpid()
        self._file.truncate(0)
        json.dump({"pid": os.getpid(), "host": socket.gethostname(), "since": now()}, self._file)
        self._file.flush()

    def _locked(self) -> TextIO:
        """Open the file and lock it."""
        try:
            file = open(self._path, "a+", encoding="utf-8")  # noqa: SIM115 - open as long as the lock is held
        except OSError as error:
            raise unusable(self._shown, "locked", error) from None
        try:
            _lock(file)
        except OSError as error:
            holder = _holder(file)
            file.close()
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                raise held(self._shown, holder) from None
            raise unusable(self._shown, "locked", error) from None
        return file

    def release(self) -> None:
        """Give the lock back; the file stays, as deleting it could free a lock that someone else just took."""
        with _guard:
            if self._file is not None:
                self._file.close()
                self._file = None
                _held_files.pop(str(self._path), None)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: TextIO) -> None:
        os.lseek(file.fileno(), 1 << 30, os.SEEK_SET)  # beyond the text, which others may read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: TextIO) -> None:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(file: TextIO) -> str:
    """The holder writes its name only after it has the lock, so there may be none yet."""
    try:
        file.seek(0)
        data = json.load(file)
        return f"process {data['pid']} on {data['host']}, since {data['since']}"
    except (ValueError, KeyError, TypeError, OSError):
        return "which has not written its name yet"


def forget_in_children(connection: Any) -> None:
    """See to it that a forked child cannot keep the session of this connection alive after its parent's death."""
    with _guard:
        _sockets.add(connection)
        if not _registered and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_cut_sockets)
            _registered.append(True)


def _cut_sockets() -> None:
    """Point the sockets of the parent's connections to the null device, in this child only."""
    null = os.open(os.devnull, os.O_RDWR)
    for connection in list(_sockets):
        try:
            os.dup2(null, connection.fileno(), inheritable=False)
        except Exception:
            continue
    os.close(null)


OTHERS_MAY_COME_BACK = 30.0
"""Seconds after the end of its own session in which a runner takes no other for dead: theirs may have ended with it."""
LOST_RUNNERS = 5
"""So many runners may die while they run a cell that another one was lost with before."""
_KEEP_ALIVE = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")


class Runner:
    """One runner of a store, from `store.runner()`; it claims cells inside a `with` statement.

    On leaving, the cells it claimed and did not finish wait again. Threads may share a runner.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from tiebreak.stores import open_store
    >>> folder = tempfile.TemporaryDirectory()
    >>> with open_store(pathlib.Path(folder.name) / "results.db") as store, store.runner() as runner:
    ...     print(runner.claim(10))
    []
    >>> folder.cleanup()
    """

    __slots__ = ("_cut_off", "_guard", "_held", "_key", "_lock", "_lost_before", "_session", "id", "store")

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock: ExitStack | None = None  # closing it gives the lock up
        self._session: sa.Connection | None = None
        self._guard = threading.Lock()  # a session does one thing at a time
        self._held: set[int] = set()  # cells claimed and not finished, as far as they were told of
        self._lost_before: set[int] = set()  # those of them that were claimed by a runner that died
        self._key = 0
        self._cut_off = float("-inf")
        self.id = 0

    def __enter__(self) -> Self:
        self._key = key = secrets.randbits(62)
        with ExitStack() as undo:
            if self.store.engine.dialect.name == "sqlite":
                database = Path(str(self.store.engine.url.database)).resolve()
                file = FileLock(Path(f"{database}.lock"), self.store.shown)
                file.acquire()
                undo.callback(file.release)
            else:
                self._session = _locked_session(self.store, key)
                undo.callback(self._end_session)
            undo.callback(self._forget)
            self._lock = undo
            with self._writes() as connection:
                row = {"lock_key": key, "host": socket.gethostname(), "pid": os.getpid(), "started": now()}
                added = connection.execute(schema.runners.insert().values(row).returning(schema.runners.c.id))
                self.id = int(added.scalar_one())
                self._take_back(connection)
            self._lock = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.release()
        except StoreError:
            if kind is None:  # else the first error is the one to be seen; the claims end with the lock
                raise
        finally:
            if self._lock is not None:
                self._lock.close()

    def _forget(self) -> None:
        """Added last and so called first: no moment may show a runner whose lock is gone as one that holds it."""
        self._lock = None

    def _end_session(self) -> None:
        if self._session is not None:
            _close_quietly(self._session)
            self._session = None

    @contextmanager
    def _writes(self) -> Iterator[sa.Connection]:
        """Open a transaction; in PostgreSQL in the session that holds the lock: no claim without it."""
        if self._lock is None:
            raise OptionError(
                "This runner is not running.",
                why="Only a runner that holds its lock may claim cells.",
                mend="Use it inside `with store.runner() as runner:`.",
            )
        if self._session is None:
            with self.store.writes() as connection:
                yield connection
            return
        with self._guard:
            session = self._alive()
            try:
                with in_words(self.store.shown, "written"), session.begin():
                    yield session
            except StoreAway:
                if session.invalidated or _is_dead(session):
                    _close_quietly(session)
                    self._cut_off = time.monotonic()
                raise

    def _alive(self) -> sa.Connection:
        """Return the session that holds the lock; a new one, after what was ours is ours again, if it has ended."""
        assert self._session is not None
        if self._session.closed:
            session = _locked_session(self.store, self._key)
            try:
                with in_words(self.store.shown, "claimed"), session.begin():
                    self._hold_again(session)
            except BaseException:
                _close_quietly(session)
                raise
            self._session = session
        return self._session

    def _hold_again(self, connection: sa.Connection) -> None:
        """Claim again what another runner let go, and let go of what a claim that was never answered had marked."""
        table = schema.cells
        mine = table.update().where(table.c.status == "running", table.c.runner_id == self.id)
        unanswered = mine.where(table.c.id.not_in(sa.select(_held.c.id)))
        free = table.update().where(table.c.status == "waiting", table.c.id.in_(sa.select(_held.c.id)))
        _held.create(connection, checkfirst=False)
        for chunk in writing.in_chunks(sorted(self._held)):
            connection.execute(_held.insert(), [{"id": cell} for cell in chunk])
        connection.execute(unanswered.values(status="waiting", runner_id=None, attempts=table.c.attempts - 1))
        connection.execute(free.values(status="running", runner_id=self.id))
        _held.drop(connection, checkfirst=False)

    @patient
    def claim(self, limit: int, *, plan: str | None = None, among: Sequence[int] | None = None) -> list[ClaimedCell]:
        """Claim up to `limit` waiting cells, oldest first; no other runner gets them.

        If too few are waiting, the cells of runners that died are taken back first.

        Parameters
        ----------
        limit : int
            How many cells at most.
        plan : str, optional
            The digest of a plan, to claim its cells only.
        among : sequence of int, optional
            The ids of a few cells, to claim none but these.

        Returns
        -------
        list of ClaimedCell
            Empty if nothing waits; other runners may still be busy.
        """
        if limit < 1:
            raise OptionError(f"limit is {limit!r}.", why="At least one cell is claimed at a time.", mend="Use 1.")
        with self._writes() as connection:
            plan_id = self.store.plan_id(connection, plan)
            ids = self._mark(connection, limit, plan_id, among)
            if len(ids) < limit and self._take_back(connection):
                ids += self._mark(connection, limit - len(ids), plan_id, among)
            claimed = _claimed(connection, sorted(ids))
        self._held.update(ids)
        self._lost_before.update(cell.id for cell in claimed if cell.attempts > 1)
        return claimed

    @patient
    def begin(self, cell: int) -> None:
        """Note that a claimed cell begins, where it was lost with a runner before; of others nothing is noted."""
        if cell in self._lost_before:
            table = schema.cells
            with self._writes() as connection:
                count = table.update().where(table.c.id == cell, table.c.status == "running")
                connection.execute(count.values(begun=table.c.begun + 1))

    @patient
    def open_cells(self, *, plan: str) -> tuple[int, int]:
        """Count the waiting cells of a plan, including those of dead runners, and the cells that other runners run."""
        cell = schema.cells.c
        with self._writes() as connection:
            self._take_back(connection)
            mine = writing.of_plan(self.store.plan_id(connection, plan))
            count = sa.select(sa.func.count()).select_from(schema.cells).where(mine)
            waiting = connection.scalar(count.where(cell.status == "waiting"))
            others = connection.scalar(count.where(cell.status == "running", cell.runner_id != self.id))
        return int(waiting or 0), int(others or 0)

    def finish(self, outcomes: Iterable[CellOutcome]) -> list[int]:
        """Store what became of cells, as `Store.finish` does; they are this runner's no longer."""
        given = list(outcomes)
        written = self.store.finish(given) if self._session is None else self._finish(given)
        self._held.difference_update(outcome.cell for outcome in given)
        return written

    def _mark(
        self, connection: sa.Connection, limit: int, plan_id: int | None, among: Sequence[int] | None
    ) -> list[int]:
        table = schema.cells
        free = sa.select(table.c.id).where(table.c.status == "waiting", writing.of_plan(plan_id)).order_by(table.c.id)
        if among is not None:
            free = free.where(table.c.id.in_(among))
        picked = free.limit(limit).with_for_update(skip_locked=True).cte("picked")  # SQLite locks the whole file anyway
        change = table.update().where(table.c.id.in_(sa.select(picked.c.id)))
        mine = change.values(status="running", runner_id=self.id, attempts=table.c.attempts + 1)
        return list(connection.scalars(mine.returning(table.c.id)))

    @patient
    def _finish(self, given: list[CellOutcome]) -> list[int]:
        """In the session that holds the lock: whoever can store results has not lost the cells to another."""
        with self._writes() as connection:
            return writing.finish(connection, given)

    @patient
    def release(self) -> int:
        """Let the cells that were claimed and not finished wait again, uncounted; return how many."""
        table = schema.cells
        mine = table.update().where(table.c.status == "running", table.c.runner_id == self.id)
        with self._writes() as connection:
            free = mine.values(status="waiting", runner_id=None, attempts=table.c.attempts - 1, begun=0)
            released = connection.execute(free).rowcount
        self._held.clear()
        return released

    def _take_back(self, connection: sa.Connection) -> int:
        """Let the cells of dead runners wait again; their attempt counts. Return how many there were.

        One over which too many have died is not run again.
        """
        if time.monotonic() - self._cut_off < OTHERS_MAY_COME_BACK:
            return 0
        table, dead = schema.cells, []
        running = sa.select(table.c.runner_id).where(table.c.status == "running", table.c.runner_id != self.id)
        others = sa.select(schema.runners.c.id, schema.runners.c.lock_key).where(schema.runners.c.id.in_(running))
        for runner, key in connection.execute(others).all():
            # In SQLite this runner holds the only lock there is: every other one is dead.
            if self._session is None or connection.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(key))):
                dead.append(runner)
        if not dead:
            return 0
        lost = table.update().where(table.c.status == "running", table.c.runner_id.in_(dead))
        reason = f"Its runner died {LOST_RUNNERS} times while it ran."
        failed = {"status": "killed", "reason": reason, "runner_id": None, "finished": now()}
        connection.execute(lost.where(table.c.begun >= LOST_RUNNERS).values(failed))
        return connection.execute(lost.values(status="waiting", runner_id=None)).rowcount


def _claimed(connection: sa.Connection, ids: list[int]) -> list[ClaimedCell]:
    """Describe claimed cells."""
    cell = schema.cells.c
    query = sa.select(
        schema.datasets.c.fingerprint.label("dataset"),
        schema.algorithms.c.fingerprint.label("algorithm"),
        schema.resamplings.c.name.label("resampling"),
        *(cell[name] for name in ("id", "seed", "replication", "fold", "attempts")),
    )
    query = query.select_from(schema.named_cells).where(cell.id.in_(ids)).order_by(cell.id)
    return [ClaimedCell(**row) for row in connection.execute(query).mappings()]


_drivers: weakref.WeakKeyDictionary[sa.Connection, Any] = weakref.WeakKeyDictionary()
"""The connections of the driver below sessions: SQLAlchemy forgets the one of a session that it finds dead."""
_held = sa.Table(
    "held_cells",
    sa.MetaData(),
    sa.Column("id", schema.KEY, primary_key=True, autoincrement=False),
    prefixes=["TEMPORARY"],
)


def _is_dead(session: sa.Connection) -> bool:
    """A session whose server is gone fails at everything; one in the way of another transaction does not."""
    try:
        with session.begin():
            session.execute(sa.select(1))
    except sa.exc.SQLAlchemyError:
        return True
    return False


def _close_quietly(session: sa.Connection) -> None:
    """Closing a session whose server is gone complains that it is gone; the driver's end is closed all the same."""
    driver = _drivers.pop(session, None)
    with suppress(sa.exc.SQLAlchemyError):
        session.close()
    if driver is not None:
        with suppress(Exception):
            driver.close()


def _locked_session(store: Store, key: int) -> sa.Connection:
    """Open a session of its own, outside the pool, that holds the advisory lock of the runner until it ends."""
    with in_words(store.shown, "claimed"):
        session = store.engine.connect()
        session.detach()
        _drivers[session] = session.connection.dbapi_connection
        for setting in _KEEP_ALIVE:  # the server notices within a minute that a machine is gone
            session.exec_driver_sql(f"SET {setting}")
        session.execute(sa.select(sa.func.pg_advisory_lock(key)))
        session.commit()
    return session
