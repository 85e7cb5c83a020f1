"""Shared by all tests: nothing here reads anything outside the repository."""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

OnceForAll = Callable[[str, Callable[[], Any]], Any]
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, max_examples=50)
hypothesis.settings.load_profile("steady")
os.environ.setdefault("POLARS_MAX_THREADS", "2")
if "TIEBREAK_CACHE" not in os.environ:  # the user's own folder is left alone
    _CACHE = tempfile.TemporaryDirectory(prefix="tiebreak-cache-")
    os.environ["TIEBREAK_CACHE"] = _CACHE.name


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


@pytest.fixture
def restartable() -> Iterator[Server]:
    """A server that no other test uses."""
    pytest.importorskip("psycopg", reason="PostgreSQL is reached through psycopg (tiebreak[postgres])")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one of its imports warns where no runtime folder is set
        pgserver = pytest.importorskip("pgserver", reason="pgserver carries the PostgreSQL server of the tests")
        folder = Path(tempfile.mkdtemp(prefix="tiebreak-pg-"))
        running = pgserver.get_server(folder / "data", cleanup_mode="stop")
        from pgserver._commands import POSTGRES_BIN_PATH
    yield Server(POSTGRES_BIN_PATH / "pg_ctl", folder / "data", running.get_uri())
    running.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
