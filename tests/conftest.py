"""Shared by all tests: nothing here reads anything outside the repository."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import itertools
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

from .retrying import pytest_runtest_protocol, pytest_terminal_summary  # noqa: F401  (hooks)
from .time_limit import pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown  # noqa: F401  (hooks)

OnceForAll = Callable[[str, Callable[[], Any]], Any]
hypothesis.settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],  # by the clock of a machine that others use too
)
hypothesis.settings.load_profile("steady")
if hasattr(providers, "_get_local_constants"):  # no example hangs on which modules a worker has imported by then
    providers._get_local_constants = lambda: providers._local_constants
os.environ.setdefault("POLARS_MAX_THREADS", "2")
os.environ.setdefault("PGCTLTIMEOUT", "100")  # seconds that a database server may take to start or to stop


_number = itertools.count(1)


class ParkedHelpers:
    """Helpers of the lab that have nothing to do, kept from one engine of this process to the next.

    To start one costs three CPU seconds, more than the cells of most tests. Only those with the settings of every run
    are kept, and given only to who would have started the same: with this interpreter and environment. They never
    measure the speed of the host, which new ones do not in a short run.
    """

    most = 3
    new: Callable[[Any], Any]
    """What makes a helper, as it was before `hire` took its place."""

    def __init__(self) -> None:
        self._parked: list[tuple[Hashable, Any]] = []
        self._lock = threading.Lock()

    def surroundings(self) -> Hashable:
        values = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
        return os.getpid(), sys.executable, tuple(sorted(values.items()))

    def hire(self, settings: Any) -> Any:
        """Return a parked helper, or a new one; runs in place of `HelperProcess`."""
        from tiebreak.lab.tasks import Settings

        wanted = (self.surroundings(), settings)
        with self._lock:
            for place, (key, helper) in enumerate(self._parked):
                if key == wanted and helper._process.poll() is None:
                    del self._parked[place]
                    return helper
        if settings != Settings():
            return self.new(settings)
        made = self.new(replace(settings, calibrate_after=86400.0))  # to each run it is a new one
        made.key = wanted
        return made

    def park(self, pool: Any) -> None:
        """Take out of a pool that closes whoever can be used again."""
        idle = [helper for helper in pool.helpers if hasattr(helper, "key") and helper.said_hello]
        idle = [item for item in idle if not (item.assignments or item.channel.ended)]
        pool.helpers = [helper for helper in pool.helpers if helper not in idle]
        with self._lock:
            self._parked += [(item.key, item) for item in idle]
            self._parked, old = self._parked[-self.most :], self._parked[: -self.most]
        self.end(old)

    def end(self, helpers: list[tuple[Hashable, Any]]) -> None:
        for _, helper in helpers:
            helper.release()
        for _, helper in helpers:
            helper.bury()


_parked, _patch = ParkedHelpers(), pytest.MonkeyPatch()


def pytest_sessionstart() -> None:
    """Let engines of this process hand their helpers on, in doctests too; to start and end them tests/lab tests."""
    from tiebreak.lab import helper_pool

    close, _parked.new = helper_pool.HelperPool.close, helper_pool.HelperProcess

    def park_and_close(pool: helper_pool.HelperPool) -> None:
        _parked.park(pool)
        close(pool)

    _patch.setattr(helper_pool, "HelperProcess", _parked.hire)
    _patch.setattr(helper_pool.HelperPool, "close", park_and_close)


def pytest_sessionfinish() -> None:
    """End who is still parked."""
    _patch.undo()
    _parked.end(_parked._parked)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Thousands of tests, and all modules, stay until the end: to look whether they are garbage takes a tenth of it.

    Afterwards it is looked for seldom: a syntax tree of the package takes five times as long with the usual thresholds.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        gc.enable()


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name bytes by what they are for: archives hold the time they were made at, and workers must agree on names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def once_for_all(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> OnceForAll:
    """A function that computes something under a name once, however many workers ask for it; all get copies."""
    ours = tmp_path_factory.getbasetemp()
    folder = ours.parent if hasattr(request.config, "workerinput") else ours  # of the run, not of this worker

    def once(name: str, make: Callable[[], Any]) -> Any:
        file = folder / f"{name}.pickle"
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits for the first, and then reads
            if not file.exists():
                beside = file.with_suffix(".part")
                beside.write_bytes(pickle.dumps(make()))
                beside.rename(file)
        return pickle.loads(file.read_bytes())

    return once


class Server:
    """A PostgreSQL server of a test's own, which it may stop and start."""

    def __init__(self, program: Path, folder: Path, url: str) -> None:
        self._program, self._folder, self.url = program, folder, url

    def control(self, *words: str) -> None:
        """Stop it at once, as a crash would, or start it."""
        log = self._folder / "log"
        command = [str(self._program), "-D", str(self._folder), "-w", "-l", str(log), *words]
        as_owner: dict[str, Any] = {"user": self._folder.owner()} if self._folder.owner() != Path.home().owner() else {}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_owner)

    def restart(self, after: float = 0.0) -> None:
        """End every session and start again, after a while."""
        self.control("-m", "immediate", "stop")
        time.sleep(after)
        self.control("-o", f'-h "" -k {self._folder}', "start")


@pytest.fixture(scope="session")
def database_folder() -> Iterator[Path]:
    """A folder of PostgreSQL in which nothing has been stored: to make one takes longer than to copy it."""
    with server_in(Path(tempfile.mkdtemp(prefix="tiebreak-pg-")) / "data") as (folder, _):
        pass
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


@contextlib.contextmanager
def server_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """Run a server in a folder, made if it is not there; its path is short, as the server's socket lies in it."""
    pytest.importorskip("psycopg", reason="PostgreSQL is reached through psycopg (tiebreak[postgres])")
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")  # one of its imports warns where no runtime folder is set
        pgserver = pytest.importorskip("pgserver", reason="pgserver carries the PostgreSQL server of the tests")
        from pgserver import postgres_server, utils

        start = postgres_server.pg_ctl  # it would be waited for ten seconds, and a server that comes later not be found
        patch.setattr(postgres_server, "pg_ctl", lambda *words, **options: start(*words, **options | {"timeout": 100}))
        if os.geteuid() == 0:  # a server does not run as root; of several workers one makes the user
            with postgres_server.PostgresServer._lock:
                utils.ensure_user_exists("pgserver")
        running = pgserver.get_server(folder, cleanup_mode="stop")
    yield folder, running.get_uri()
    running.cleanup()


@contextlib.contextmanager
def new_server(made: Path) -> Iterator[tuple[Path, str]]:
    """Run a server on a copy of an empty folder."""
    place = Path(tempfile.mkdtemp(prefix="tiebreak-pg-"))
    subprocess.run(["cp", "-a", made, place / "data"], check=True)  # with its owner: a server does not run as root
    with server_in(place / "data") as result:
        yield result
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="session")
def server(database_folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests of this process."""
    import psycopg

    with new_server(database_folder) as (_, url):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # clients are killed here, not the machine
            connection.execute("SELECT pg_reload_conf()")
        yield url


@pytest.fixture
def new_schema(server: str) -> Iterator[str]:
    """The address of an empty schema."""
    import psycopg

    name = f"t{next(_number)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    yield f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3D{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture
def restartable(database_folder: Path) -> Iterator[Server]:
    """A server that no other test uses."""
    with new_server(database_folder) as (folder, url):
        from pgserver._commands import POSTGRES_BIN_PATH

        yield Server(POSTGRES_BIN_PATH / "pg_ctl", folder, url)
