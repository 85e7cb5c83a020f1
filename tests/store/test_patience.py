"""A database that goes away: a run waits for it, comes back to its cells, and stores every result once."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tiebreak.store import CellOutcome, StoreError, claims, open_store, opening, patience
from tiebreak.store.store_errors import StoreAway

Fill = Callable[..., list[int]]


class Server:
    """A PostgreSQL server of a test's own, which it may stop and start."""

    def __init__(self, program: Path, folder: Path, url: str) -> None:
        self._program, self._folder, self.url = program, folder, url

    def control(self, *words: str) -> None:
        """Stop it at once, as a crash would, or start it."""
        log = self._folder / "log"
        command = [str(self._program), "-D", str(self._folder), "-w", "-l", str(log), *words]
        as_owner = {"user": self._folder.owner()} if self._folder.owner() != Path.home().owner() else {}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_owner)

    def restart(self, after: float = 0.0) -> None:
        """End every session and start again, after a while."""
        self.control("-m", "immediate", "stop")
        time.sleep(after)
        self.control("-o", f'-h "" -k {self._folder}', "start")


def test_steps_are_taken_again_while_the_store_is_away(caplog: pytest.LogCaptureFixture) -> None:
    tries = []

    def step() -> int:
        tries.append(1)
        if len(tries) < 3:
            raise StoreAway("The store x could not be written: gone.")
        return 7

    assert patience.patiently(step, 60) == 7
    first, last = (record.getMessage() for record in caplog.records)
    assert first == "The store x could not be written: gone. Trying again for 60 s."
    assert last.startswith("The store is back after ")


@pytest.mark.parametrize(("seconds", "give_up", "most"), [(0.0, False, 1), (0.2, False, 5), (60.0, True, 2)])
def test_the_waiting_has_an_end(seconds: float, give_up: bool, most: int) -> None:
    tries = []

    def step() -> None:
        tries.append(1)
        raise StoreAway("gone")

    with pytest.raises(StoreAway, match="gone"):
        patience.patiently(step, seconds, lambda: give_up)
    assert len(tries) <= most


def test_what_is_refused_for_good_is_not_tried_again() -> None:
    tries = []

    def step() -> None:
        tries.append(1)
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="full"):
        patience.patiently(step, 60)
    assert len(tries) == 1


def test_a_locked_file_is_waited_for(
    tmp_path: Path, fill: Fill, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(opening, "_BUSY_MS", 50)
    with open_store(tmp_path / "results.db") as store, store.runner() as runner:
        ids = fill(store, 1, 1)
        other = sqlite3.connect(tmp_path / "results.db", isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreAway, match="database is locked"):
            runner.claim(1)
        store.patience = 30.0
        threading.Timer(0.5, lambda: other.execute("ROLLBACK")).start()
        assert [cell.id for cell in runner.claim(2)] == ids[:2]
        other.close()
    assert [record.getMessage().partition(":")[2] for record in caplog.records[:1]] == [
        " database is locked. Trying again for 30 s."
    ]


@pytest.fixture
def server() -> Iterator[Server]:
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


def test_a_runner_comes_back_to_its_cells(server: Server, fill: Fill) -> None:
    with open_store(server.url) as store, store.runner() as runner:
        fill(store, 2, 2)
        store.patience = 60.0
        mine = runner.claim(6)
        server.restart()
        runner.finish([CellOutcome(cell=mine[0].id, status="ok", values={"error": 0.5})])
        assert store.counts()["running"] == 5
        with open_store(server.url) as other, other.runner() as second:
            assert len(second.claim(100)) == 10  # the lock of the first is held again: its cells stay its own
        runner.finish(CellOutcome(cell=cell.id, status="ok") for cell in mine[1:])
        assert (store.counts()["ok"], {row.attempts for row in store.rows(statuses=("ok",))}) == (6, {1})


def test_cells_that_another_took_meanwhile_are_stored_once(
    server: Server, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(server.url) as store, store.runner() as runner:
        fill(store, 1, 2)
        store.patience = 60.0
        mine = [cell.id for cell in runner.claim(4)]
        server.restart()
        with open_store(server.url) as other, other.runner() as second:  # its start takes the first for dead
            theirs = [cell.id for cell in second.claim(2)]
            assert theirs == mine[:2]
            assert [cell.id for cell in runner.claim(100)] == sorted(set(range(1, 9)) - set(mine))
            assert store.counts()["running"] == 8
            second.finish([CellOutcome(cell=theirs[0], status="ok", values={"error": 0.25})])
            assert runner.finish(CellOutcome(cell=cell, status="ok", values={"error": 0.5}) for cell in mine) == mine[1:]
            assert second.finish([CellOutcome(cell=theirs[1], status="ok", values={"error": 0.25})]) == []
        found = {row.id: row.values["error"] for row in store.rows(statuses=("ok",))}
        assert found == dict(zip(mine, (0.25, 0.5, 0.5, 0.5), strict=True))


def test_a_claim_that_was_never_answered_is_let_go(server: Server, fill: Fill) -> None:
    with open_store(server.url) as store, store.runner() as runner:
        fill(store, 1, 2)
        store.patience = 60.0
        runner.claim(2)
        lost = runner.claim(3)
        runner._held -= {cell.id for cell in lost}  # as if the server had stored the claim and died before it said so
        server.restart()
        again = runner.claim(6)
        assert [cell.id for cell in again][:3] == [cell.id for cell in lost]
        assert {cell.attempts for cell in again} == {1}


def test_a_runner_that_was_cut_off_takes_nobody_for_dead_for_a_while(
    server: Server, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(server.url) as store, store.runner() as runner, store.runner() as second:
        fill(store, 1, 2)
        store.patience = 60.0
        assert len(second.claim(8)) == 8
        server.restart()
        assert runner.claim(8) == []  # the second has not come back yet
        monkeypatch.setattr(claims, "OTHERS_MAY_COME_BACK", 0.0)
        assert len(runner.claim(8)) == 8
