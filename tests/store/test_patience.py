"""A database that goes away: a run waits for it, comes back to its cells, and stores every result once."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.stores import StoreError, claims, errors, open_store, opening
from tiebreak.stores.errors import StoreAway
from tiebreak.stores.records import CellOutcome

Fill = Callable[..., list[int]]


def test_steps_are_taken_again_while_the_store_is_away(caplog: pytest.LogCaptureFixture) -> None:
    tries = []

    def step() -> int:
        tries.append(1)
        if len(tries) < 3:
            raise StoreAway("The store x could not be written: gone.")
        return 7

    assert errors.patiently(step, 60) == 7
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
        errors.patiently(step, seconds, lambda: give_up)
    assert len(tries) <= most


def test_what_is_refused_for_good_is_not_tried_again() -> None:
    tries = []

    def step() -> None:
        tries.append(1)
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="full"):
        errors.patiently(step, 60)
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
        store.patience = 300.0

        def set_free(_: logging.LogRecord) -> bool:
            """Let go of the file as soon as the runner says that it is locked."""
            if other.in_transaction:
                other.execute("ROLLBACK")
            return True

        with caplog.filtering(set_free):  # type: ignore[arg-type]
            assert [cell.id for cell in runner.claim(2)] == ids[:2]
        other.close()
    assert [record.getMessage().partition(":")[2] for record in caplog.records[:1]] == [
        " database is locked. Trying again for 5 min."
    ]


def test_a_runner_comes_back_to_its_cells(restartable: Any, fill: Fill) -> None:
    with open_store(restartable.url) as store, store.runner() as runner:
        fill(store, 2, 2)
        store.patience = 600.0
        mine = runner.claim(6)
        restartable.restart()
        runner.finish([CellOutcome(cell=mine[0].id, status="ok", values={"error": 0.5})])
        assert store.counts()["running"] == 5
        with open_store(restartable.url) as other, other.runner() as second:
            assert len(second.claim(100)) == 10  # the lock of the first is held again: its cells stay its own
        runner.finish(CellOutcome(cell=cell.id, status="ok") for cell in mine[1:])
        assert (store.counts()["ok"], {row.attempts for row in store.rows(statuses=("ok",))}) == (6, {1})


def test_cells_that_another_took_meanwhile_are_stored_once(
    restartable: Any, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(restartable.url) as store, store.runner() as runner:
        fill(store, 1, 2)
        store.patience = 600.0
        mine = [cell.id for cell in runner.claim(4)]
        restartable.restart()
        with open_store(restartable.url) as other, other.runner() as second:  # its start takes the first for dead
            theirs = [cell.id for cell in second.claim(2)]
            assert theirs == mine[:2]
            assert [cell.id for cell in runner.claim(100)] == sorted(set(range(1, 9)) - set(mine))
            assert store.counts()["running"] == 8
            second.finish([CellOutcome(cell=theirs[0], status="ok", values={"error": 0.25})])
            assert (
                runner.finish(CellOutcome(cell=cell, status="ok", values={"error": 0.5}) for cell in mine) == mine[1:]
            )
            assert second.finish([CellOutcome(cell=theirs[1], status="ok", values={"error": 0.25})]) == []
        result = {row.id: row.values["error"] for row in store.rows(statuses=("ok",))}
        assert result == dict(zip(mine, (0.25, 0.5, 0.5, 0.5), strict=True))


def test_a_claim_that_was_never_answered_is_let_go(restartable: Any, fill: Fill) -> None:
    with open_store(restartable.url) as store, store.runner() as runner:
        fill(store, 1, 2)
        store.patience = 600.0
        runner.claim(2)
        lost = runner.claim(3)
        runner._held -= {cell.id for cell in lost}  # as if the server had stored the claim and died before it said so
        restartable.restart()
        again = runner.claim(6)
        assert [cell.id for cell in again][:3] == [cell.id for cell in lost]
        assert {cell.attempts for cell in again} == {1}


def test_a_runner_that_was_cut_off_takes_nobody_for_dead_for_a_while(
    restartable: Any, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(restartable.url) as store, store.runner() as runner, store.runner() as second:
        fill(store, 1, 2)
        store.patience = 600.0
        monkeypatch.setattr(claims, "OTHERS_MAY_COME_BACK", 600.0)
        assert len(second.claim(8)) == 8
        restartable.restart()
        assert runner.claim(8) == []  # the second has not come back yet
        monkeypatch.setattr(claims, "OTHERS_MAY_COME_BACK", 0.0)
        assert len(runner.claim(8)) == 8
