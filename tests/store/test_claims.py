"""Runners: no cell goes to two of them, and a dead one holds nothing."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tiebreak.errors import OptionError
from tiebreak.stores import Store, StoreError, open_store
from tiebreak.stores.claims import LOST_RUNNERS, Runner
from tiebreak.stores.records import CellOutcome

Fill = Callable[..., list[int]]
posix = pytest.mark.skipif(os.name != "posix", reason="killing and forking are tested on POSIX systems")


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run a program in another process; it says "ready" when it is."""
    head = "import os, sys, time\nfrom tiebreak.stores import open_store\n"
    head += "from tiebreak.stores.records import CellOutcome\n"
    child = subprocess.Popen(
        [sys.executable, "-c", head + code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    return child


def kill(child: subprocess.Popen[str]) -> None:
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert child.stdin is not None and child.stdout is not None
    child.stdin.close()
    child.stdout.close()


HOLD = """
store = open_store(sys.argv[1])
with store.runner() as runner:
    claimed = runner.claim(3)
    store.finish([CellOutcome(cell=claimed[0].id, status="ok", values={"error": 0.5})])
    print("ready", flush=True)
    time.sleep(600)
"""


def claim_soon(store: Store, limit: int) -> list[int]:
    """Claim in a new runner; a server may need a moment to see that a client is gone."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with store.runner() as runner:
                cells = [cell.id for cell in runner.claim(limit)]
        except StoreError:
            cells = []
        if len(cells) == limit:
            return cells
        time.sleep(0.02)
    return cells


def test_claims_are_in_order_and_never_repeated(store: Store, fill: Fill) -> None:
    ids = fill(store)
    with store.runner() as runner:
        first = runner.claim(5)
        assert [cell.id for cell in first] == ids[:5]
        assert (first[0].dataset, first[0].algorithm, first[0].resampling) == ("print-d1", "print-a1", "2-fold")
        assert (first[0].seed, first[0].replication, first[0].fold, first[0].attempts) == (1, "1", "1", 1)
        assert [cell.id for cell in runner.claim(100)] == ids[5:]
        assert runner.claim(100) == []
        assert store.counts()["running"] == 16
        store.finish([CellOutcome(cell=ids[0], status="ok"), CellOutcome(cell=ids[1], status="error", reason="x")])
        assert runner.claim(100) == []
    assert store.counts()["waiting"] == 14 and store.counts()["running"] == 0
    assert {row.attempts for row in store.rows(statuses=("waiting",))} == {0}


def test_released_cells_wait_again_uncounted(store: Store, fill: Fill) -> None:
    ids = fill(store)
    with store.runner() as runner:
        runner.claim(4)
        assert runner.release() == 4 and runner.release() == 0
        assert [(cell.id, cell.attempts) for cell in runner.claim(1)] == [(ids[0], 1)]


def test_an_error_in_the_runner_s_work_is_the_one_that_is_seen(store: Store, fill: Fill) -> None:
    fill(store)

    def fail(runner: Runner) -> None:
        with runner:
            runner.claim(4)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail(store.runner())
    assert store.counts()["running"] == 0


def test_a_runner_claims_only_while_it_runs(store: Store, fill: Fill) -> None:
    fill(store)
    runner = store.runner()
    with pytest.raises(OptionError) as error:
        runner.claim(1)
    assert str(error.value) == (
        "This runner is not running. Only a runner that holds its lock may claim cells. Use it inside"
        " `with store.runner() as runner:`."
    )
    with runner, pytest.raises(OptionError, match="limit is 0"):
        runner.claim(0)


def test_threads_of_one_runner_share_the_cells(store: Store, fill: Fill) -> None:
    ids = fill(store, datasets=10, algorithms=5)
    counts: list[int] = []
    with store.runner() as runner:

        def work() -> None:
            while claimed := runner.claim(7):
                counts.extend(cell.id for cell in claimed)
                store.finish([CellOutcome(cell=cell.id, status="ok", values={"error": 0.1}) for cell in claimed])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(counts) == ids and store.counts()["ok"] == len(ids)


def test_runners_in_threads_on_postgresql_never_share_a_cell(new_schema: str, fill: Fill) -> None:
    counts: list[int] = []
    with open_store(new_schema) as store:
        ids = fill(store, datasets=10, algorithms=5)

        def work() -> None:
            with store.runner() as runner:
                while claimed := runner.claim(3):
                    counts.extend(cell.id for cell in claimed)
                    store.finish([CellOutcome(cell=cell.id, status="ok") for cell in claimed])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(counts) == ids and store.counts()["ok"] == len(ids)


COMPETE = """
store = open_store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with store.runner() as runner:
    while claimed := runner.claim(5):
        print(*(cell.id for cell in claimed), flush=True)
        store.finish([CellOutcome(cell=cell.id, status="ok", values={"pid": os.getpid()}) for cell in claimed])
        sys.stdin.readline()  # after its first claim each waits for the other's; then there is nothing more to read
store.close()
"""


def test_two_processes_on_postgresql_never_get_the_same_cell(new_schema: str, fill: Fill) -> None:
    with open_store(new_schema) as store:
        ids = fill(store, datasets=15, algorithms=10)
        children = [start(COMPETE, new_schema) for _ in range(2)]
        for child in children:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
        first = [child.stdout.readline() for child in children if child.stdout is not None]
        texts = [text + child.communicate(timeout=100)[0] for text, child in zip(first, children, strict=True)]
        parts = [[int(cell) for cell in text.split()] for text in texts]
        assert sorted(parts[0] + parts[1]) == ids
        assert all(parts), "both processes got some"
        assert store.counts()["ok"] == len(ids)


@posix
def test_a_killed_runner_frees_its_cells_at_once(url: str, fill: Fill) -> None:
    with open_store(url) as store:
        ids = fill(store)
        child = start(HOLD, url)
        assert store.counts()["running"] == 2 and store.counts()["ok"] == 1
        kill(child)
        assert claim_soon(store, 15) == ids[1:]
        assert store.counts()["ok"] == 1
        attempts = {row.id: row.attempts for row in store.rows(statuses=("waiting",))}
        assert [attempts[cell] for cell in ids[1:4]] == [1, 1, 0], "the attempt of the killed runner counts"


def test_a_living_runner_keeps_its_cells_on_postgresql(new_schema: str, fill: Fill) -> None:
    with open_store(new_schema) as store:
        ids = fill(store)
        with store.runner() as first, store.runner() as second:
            assert [cell.id for cell in first.claim(3)] == ids[:3]
            assert [cell.id for cell in second.claim(100)] == ids[3:]
            assert second.claim(1) == []
        with store.runner() as third:
            assert len(third.claim(100)) == 16


FORKED = """
store = open_store(sys.argv[1])
with store.runner() as runner:
    claimed = runner.claim(3)
    if os.fork() == 0:
        os.close(1)
        sys.stdin.read()  # until the test closes it
        os._exit(0)
    print("ready", flush=True)
    time.sleep(600)
"""


@posix
def test_a_child_that_outlives_a_killed_runner_holds_nothing(url: str, fill: Fill) -> None:
    with open_store(url) as store:
        ids = fill(store)
        child = start(FORKED, url)
        child.send_signal(signal.SIGKILL)
        child.wait()
        counts = claim_soon(store, 16)  # while the orphan is still there
        child.communicate()
        assert counts == ids


def test_a_second_runner_on_sqlite_is_told_who_holds_the_store(tmp_path: Path, fill: Fill) -> None:
    path = tmp_path / "results.db"
    with open_store(path) as store:
        fill(store)
        child = start(HOLD, str(path))
        with pytest.raises(StoreError) as error, store.runner():
            pass
        options = str(error.value)
        expected = (
            f"The store {path} is in use by another runner (process {child.pid} on {socket.gethostname()}, since"
            " TIME). A SQLite store has one runner at a time, so that no cell is run twice; reading is always possible."
            " Wait until it has finished or stop it; for several runners at once use PostgreSQL:"
            " store='postgresql://...'"
        )
        assert re.sub(r"since [-0-9T:.+]+\)", "since TIME)", options) == expected
        assert store.counts()["running"] == 2, "reading is free"
        child.kill()
        child.communicate()


def test_two_runners_of_one_process_on_sqlite_exclude_each_other(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with open_store(path) as store, open_store(path) as other:
        with store.runner():
            with pytest.raises(StoreError, match=f"process {os.getpid()} on .*, this one"), other.runner():
                pass
            with pytest.raises(StoreError, match="this one"), store.runner():
                pass
        with other.runner():
            pass


def test_a_torn_lock_file_is_no_obstacle(tmp_path: Path) -> None:
    lock = tmp_path / "results.db.lock"
    lock.write_text("{torn")
    with open_store(tmp_path / "results.db") as store, store.runner():
        assert json.loads(lock.read_text())["pid"] == os.getpid()


WRITE = """
store = open_store(sys.argv[1])
with store.runner() as runner:
    print("ready", flush=True)
    while claimed := runner.claim(2):
        values = {f"m{i}": claimed[0].id + i / 10 for i in range(20)}
        written = store.finish([CellOutcome(cell=cell.id, status="ok", values=values) for cell in claimed])
        print(*written, flush=True)
"""


@posix
def test_a_killed_writer_loses_nothing_that_was_reported(url: str, fill: Fill) -> None:
    with open_store(url) as store:
        ids = fill(store, datasets=40, algorithms=20)
        reported: set[int] = set()
        for pause in (0.0, 0.02, 0.05):
            child = start(WRITE, url)
            time.sleep(pause)
            child.send_signal(signal.SIGKILL)
            text, _ = child.communicate()
            whole = text[: text.rfind("\n") + 1]
            reported |= {int(cell) for cell in whole.split()}
            rows = {row.id: row for row in store.rows(statuses=["ok"])}
            assert reported <= set(rows)
            assert all(len(row.values) == 20 for row in rows.values()), "all of a cell or nothing"
        if store.engine.dialect.name == "sqlite":
            with store.reads() as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert sum(store.counts().values()) == len(ids)


def died(store: Store, *begun: int) -> list[int]:
    """Claim three cells as a runner that dies while it runs some of them; returns what it claimed."""
    runner = store.runner()
    runner.__enter__()
    claimed = [cell.id for cell in runner.claim(3)]
    for cell in begun:
        runner.begin(cell)
    assert runner._lock is not None
    runner._lock.close()  # all that is left of a dead runner
    return claimed


def test_a_cell_over_which_runners_die_is_tried_a_bounded_number_of_times(store: Store, fill: Fill) -> None:
    """The other cells that died with it have not begun, however often they were claimed, and are no worse for it."""
    ids = fill(store)
    for _ in range(1 + LOST_RUNNERS):
        assert died(store, ids[1]) == ids[:3]
    with store.runner() as runner:
        assert [cell.id for cell in runner.claim(3)] == [ids[0], ids[2], ids[3]]
    (failed,) = store.rows(statuses=("killed",))
    assert (failed.id, failed.reason) == (ids[1], "Its runner died 5 times while it ran.")
    assert store.retry(["killed"]) == 1
    assert died(store, ids[1]) == ids[:3], "asked for, it begins anew"
    assert store.counts()["killed"] == 0


def test_a_runner_that_ends_in_order_counts_for_nothing(store: Store, fill: Fill) -> None:
    ids = fill(store)
    died(store)
    for _ in range(2 * LOST_RUNNERS):
        with store.runner() as runner:
            runner.claim(3)
            runner.begin(ids[1])
    died(store, ids[1])
    with store.runner() as runner:
        assert ids[1] in [cell.id for cell in runner.claim(3)]
