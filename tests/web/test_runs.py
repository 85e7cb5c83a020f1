"""Background runs: results go into the store as they come, and neither a cancel nor a restart loses any."""

from __future__ import annotations

import asyncio
import io
import time
from pathlib import Path
from typing import Any

import pytest

from tiebreak.store import open_store
from tiebreak.web.logs import Log
from tiebreak.web.runs import Runs
from tiebreak.web.settings import Settings

from .conftest import Web

LONG = 90.0


def test_a_run_is_begun_stopped_with_its_server_gone_on_with_and_forgotten(server: Web) -> None:
    """One real run, of two quick algorithms on a built-in set; the server ends when the first has been tried."""
    told = {"file": "builtin:iris", "run": "2min", "algorithms": "lda,nb", "stop_below": 0}
    begun = server.post("/api/runs", told)
    assert begun.status == 201, begun.data
    run = begun.json["run"]
    assert begun.headers["location"] == f"/api/runs/{run}" and begun.json["state"] == "waiting"
    _until(lambda: server.get(f"/api/runs/{run}").json, lambda each: each["trials"])
    early = server.ask("DELETE", f"/api/runs/{run}", headers={"X-Tiebreak-Token": server.token})
    assert early.status == 409
    tried, kept = _restarted(server, run)
    again = server.post(f"/api/runs/{run}/resume")
    assert again.status == 202
    found = _until(
        lambda: server.get(f"/api/runs/{run}").json, lambda each: each["state"] not in ("waiting", "running")
    )
    assert found["state"] == "done", found
    assert {each["algorithm"] for each in found["trials"]} == {"lda", "nb"} and found["next"] == []
    assert {each["algorithm"] for each in found["trials"] if each["stored"]} >= set(tried)
    assert found["result"]["run"]["best"] is not None and found["best"]["score"] > 0.9
    assert found["command"].startswith("tiebreak recommend builtin:iris --store results.db")
    _check_store(server, kept)
    forgotten = server.ask("DELETE", f"/api/runs/{run}", headers={"X-Tiebreak-Token": server.token})
    assert forgotten.status == 204 and server.get(f"/api/runs/{run}").status == 404
    assert "iris" in [each["name"] for each in server.get("/api/store/datasets").json["datasets"]]


def _restarted(server: Web, run: str) -> tuple[list[str], int]:
    """End what looks after runs, as a server that ends does, and begin anew; say what was tried and stored by then."""
    held = server.app.state.server
    asyncio.run_coroutine_threadsafe(held.runs.stop(), held.loop).result(60)
    held.runs = Runs(server.settings, held.folder.runs, Log(io.StringIO()))
    asyncio.run_coroutine_threadsafe(held.runs.start(), held.loop).result(60)
    found = server.get(f"/api/runs/{run}").json
    assert found["state"] == "interrupted" and found["result"]["run"]["stopped"] == "interrupted"
    with open_store(server.settings.store) as opened:
        kept = opened.counts()["ok"]
    assert kept >= 10
    return [each["algorithm"] for each in found["trials"] if each["status"] == "ok"], kept


def _check_store(server: Web, kept: int) -> None:
    """Nothing that was stored before is gone, and the order of the store can be asked for."""
    told = server.get("/api/store/coverage").json["coverage"]
    assert {"dataset": "iris", "algorithm": "lda", "cells": 10, "ok": 10} in told
    assert sum(each["ok"] for each in told if each["dataset"] == "iris") == 20
    assert sum(each["ok"] for each in told) >= kept
    order = server.get("/api/store/order?score=accuracy&cost=train_time&datasets=iris").json
    assert sorted(order["result"]["order"]) == ["lda", "nb"]
    shown = "tiebreak order --store results.db --score accuracy --cost train_time --datasets iris"
    assert order["command"] == shown


def _until(look: Any, enough: Any) -> Any:
    began = time.monotonic()
    while not enough(found := look()):
        assert time.monotonic() - began < LONG, found
        time.sleep(0.2)
    return found


def _told(store: Path) -> dict[str, Any]:
    argv = ["recommend", "builtin:digits", "--run=3min", "--algorithms=nb,lda,c45,5nn,svl", f"--store={store}"]
    more = ["--jobs=1", "--splits=5x2cv", "--stop-below=0", "--progress=progress.jsonl", "--json", "--out=result.json"]
    return {"argv": [*argv, *more], "shipped": False, "data": "digits", "time": "3min", "command": ""}


def test_a_run_that_waits_is_cancelled_at_once(tmp_path: Path) -> None:
    async def both() -> tuple[str, str]:
        runs = Runs(Settings(folder=tmp_path, store=str(tmp_path / "r.db"), runs=0), tmp_path / "runs", Log())
        (tmp_path / "runs").mkdir()
        (tmp_path / "data").mkdir()
        key = runs.begin(tmp_path / "data", _told(tmp_path / "r.db"))
        before = runs.state(key)["state"]
        runs.cancel(key)
        after = runs.state(key)["state"]
        runs.delete(key)
        await runs.stop()
        return before, after

    assert asyncio.run(both()) == ("waiting", "cancelled")


def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    async def failed() -> dict[str, Any]:
        runs = Runs(Settings(folder=tmp_path, store=str(tmp_path / "r.db")), tmp_path / "runs", Log(io.StringIO()))
        (tmp_path / "runs").mkdir()
        (tmp_path / "data").mkdir()
        told = {
            "argv": ["recommend", "missing.csv", "--run=9s"],
            "shipped": False,
            "data": "",
            "time": "",
            "command": "",
        }
        key = runs.begin(tmp_path / "data", told)
        while runs.at_work():
            await asyncio.sleep(0.1)
        return runs.state(key)

    found = asyncio.run(failed())
    assert found["state"] == "failed" and "missing.csv" in found["error"] and found["error"].endswith((".", "?"))


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"file": "builtin:iris", "run": "90h"}, "A run of 90h is too long."),
        ({"file": "builtin:iris", "run": "soon"}, "'soon'"),
        ({"run": "10s"}, "A run needs one data set."),
        ({"file": "builtin:iris", "known": "wine"}, "no option 'known'"),
        ({"file": "openml:61", "run": "10s"}, "nothing that can be read here"),
    ],
)
def test_a_run_that_cannot_be_is_refused(server: Web, told: dict[str, Any], text: str) -> None:
    reply = server.post("/api/runs", told)
    assert reply.status == 422 and text in reply.error["text"], reply.data


def test_a_table_goes_into_the_store_and_comes_out(server: Web, examples: Path) -> None:
    data = (examples / "demsar2006.csv").read_bytes()
    nobody = server.form("/api/store/import", [("file", "d.csv", data)], score="auc")
    assert nobody.status == 422 and "--origin" in nobody.error["text"]
    taken = server.form("/api/store/import", [("file", "d.csv", data)], score="auc", origin="=Demsar")
    assert taken.status == 200 and taken.json["imported"] == 56, taken.data
    given = server.get("/api/store/export")
    assert given.status == 200, (given.data, [line for line in server.log.getvalue().splitlines() if "child-" in line])
    assert given.headers["content-type"] == "text/csv; charset=utf-8" and b"'=Demsar" in given.data
    assert server.get("/api/store/nonsense").status == 404
