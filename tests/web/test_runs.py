"""Background runs: results go into the store as they come, and neither a cancel nor a restart loses any."""

from __future__ import annotations

import asyncio
import io
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tiebreak.web.runs import Runs
from tiebreak.web.settings import Log, Settings

from .. import event_loop
from .conftest import Web

LONG = 250.0
"""Seconds by the clock that a busy machine may take; an idle one takes ten."""


@pytest.fixture
def in_the_background() -> Iterator[None]:
    """Ignore interrupts, as what a shell starts in its background does, and all that this starts in turn."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_run_is_begun_stopped_with_its_server_gone_on_with_and_forgotten(
    server: Web, quick_runs: None, in_the_background: None
) -> None:
    """The server ends while it is at work."""
    options = {"file": "builtin:iris", "run": "1h", "algorithms": "rf,lda", "stop_below": 0}
    begun = server.post("/api/runs", options)
    assert begun.status == 201, begun.data
    run = begun.json["run"]
    assert begun.headers["location"] == f"/api/runs/{run}" and begun.json["state"] == "waiting"
    early = _until(lambda: server.get(f"/api/runs/{run}").json, lambda item: item["trials"])
    assert early["next"] == ["lda"] and early["best"]["algorithm"] == "rf" and early["state"] == "running"
    headers = {"X-Tiebreak-Token": server.token}
    assert server.ask("DELETE", f"/api/runs/{run}", headers=headers).status == 409
    _restarted(server, run)
    assert server.post(f"/api/runs/{run}/resume").status == 202
    until = _until(lambda: server.get(f"/api/runs/{run}").json, _is_over)
    assert until["state"] == "done" and until["next"] == [], until
    assert {entry["algorithm"] for entry in until["trials"]} == {"rf", "lda"}
    assert until["command"].startswith("tiebreak recommend builtin:iris --store results.db")
    assert run in [entry["run"] for entry in server.get("/api/runs").json["runs"]]
    assert server.ask("DELETE", f"/api/runs/{run}", headers=headers).status == 204
    assert server.get(f"/api/runs/{run}").status == 404


def _is_over(run: dict[str, Any]) -> bool:
    return run["state"] not in ("waiting", "running")


def _restarted(server: Web, run: str) -> None:
    """End what looks after runs, as a server that ends does, and begin anew."""
    held = server.app.state.server
    asyncio.run_coroutine_threadsafe(held.runs.stop(), held.loop).result(LONG)
    held.runs = Runs(server.settings, held.folder.runs, Log(io.StringIO()))
    asyncio.run_coroutine_threadsafe(held.runs.start(), held.loop).result(LONG)
    until = _until(lambda: server.get(f"/api/runs/{run}").json, _is_over)
    assert until["state"] == "interrupted" and until["result"]["run"]["stopped"] == "interrupted"


def _until(look: Any, enough: Any) -> Any:
    began = time.monotonic()
    while not enough(result := look()):
        assert time.monotonic() - began < LONG, result
        time.sleep(0.05)
    return result


def _told(store: Path) -> dict[str, Any]:
    argv = ["recommend", "builtin:digits", "--run=3min", "--algorithms=nb,lda,c45,5nn,svl", f"--store={store}"]
    more = ["--jobs=1", "--stop-below=0", "--progress=progress.jsonl", "--json", "--out=result.json"]
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

    assert event_loop.run(both()) == ("waiting", "cancelled")


def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    async def failed() -> dict[str, Any]:
        runs = Runs(Settings(folder=tmp_path, store=str(tmp_path / "r.db")), tmp_path / "runs", Log(io.StringIO()))
        (tmp_path / "runs").mkdir()
        (tmp_path / "data").mkdir()
        options = {
            "argv": ["recommend", "missing.csv", "--run=9s"],
            "shipped": False,
            "data": "",
            "time": "",
            "command": "",
        }
        key = runs.begin(tmp_path / "data", options)
        while runs.at_work():
            await asyncio.sleep(0.1)
        return runs.state(key)

    result = event_loop.run(failed())
    assert result["state"] == "failed" and "missing.csv" in result["error"] and result["error"].endswith((".", "?"))


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
