"""A real server, killed in the middle of background work: what was stored is there, and the run goes on to its end."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tiebreak.stores import open_store
from tiebreak.web.pool import package_path

from .conftest import free_port

TOKEN = "a-token-for-killed-servers"
PATIENCE_S = 250.0
"""Seconds by the clock that a busy machine may take for one thing."""
NAMES = ("5nn", "nb")
FOLDS = 10
TOLD = {"file": "builtin:iris", "run": "1h", "algorithms": ",".join(NAMES), "stop_below": 0}


class Killed:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.store = folder / "results.db"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", str(self.port), "--store", str(self.store), "--folder", str(self.folder / "state")]
        command = [sys.executable, "-m", "tiebreak", "serve", *options, "--token", TOKEN, "--limit=workers=1"]
        known = {**os.environ, "PYTHONPATH": package_path()}
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=known, start_new_session=True)
        self.until(lambda: self.ask("GET", "/health"), bool)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def ask(self, method: str, path: str, options: Any = None) -> Any:
        """Return the JSON of an answer; None where nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        head = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        with suppress(ConnectionError), closing(connection):
            connection.request(method, path, json.dumps(options) if options is not None else None, head)
            getresponse = connection.getresponse()
            data = getresponse.read()
            assert getresponse.status < 300, data
            return json.loads(data)
        return None

    def until(self, look: Callable[[], Any], enough: Callable[[Any], Any]) -> Any:
        began = time.monotonic()
        while not enough(result := look()):
            assert self.process is None or self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() - began < PATIENCE_S, (result, (self.folder / "log").read_text()[-2000:])
            time.sleep(0.2)
        return result

    def cells(self) -> dict[tuple[Any, ...], Any]:
        """Return when every cell was finished."""
        with open_store(str(self.store)) as opened:
            return {(row.algorithm, row.replication, row.fold): row.finished for row in opened.rows(statuses=["ok"])}


def test_a_run_killed_with_its_server_goes_on_and_survives_one_that_is_killed_alone(tmp_path: Path) -> None:
    server = Killed(tmp_path)
    server.start()
    try:
        path = f"/api/runs/{server.ask('POST', '/api/runs', TOLD)['run']}"
        server.until(lambda: server.ask("GET", path), lambda entry: entry["state"] != "waiting" and entry["trials"])
        _all_killed(server, path)
        cells = server.cells()
        assert cells
        server.start()
        until = server.until(lambda: server.ask("GET", path), lambda item: item["state"] != "running")
        assert until["state"] in ("interrupted", "done") and server.cells() == cells  # it may have been that quick
        server.ask("POST", f"{path}/resume")
        _survived(server, path)
        _finished(server, path, cells)
    finally:
        server.kill()


def _pid(server: Killed, path: str) -> int:
    data = json.loads((server.folder / "state" / "runs" / path.rpartition("/")[2] / "run.json").read_text())
    return int(data["pid"][0])


def _all_killed(server: Killed, path: str) -> None:
    """As when the power goes: neither the server nor the run can say good-bye."""
    pid = _pid(server, path)
    server.kill()
    with suppress(ProcessLookupError):  # it may have come to its end by itself
        os.killpg(pid, signal.SIGKILL)


def _survived(server: Killed, path: str) -> None:
    """A server alone is killed: the run works on, and the next server looks after it."""
    server.until(lambda: server.ask("GET", path), lambda item: item["state"] != "waiting")
    server.kill()
    server.start()


def _finished(server: Killed, path: str, remaining: dict[tuple[Any, ...], Any]) -> None:
    until = server.until(lambda: server.ask("GET", path), lambda entry: entry["state"] not in ("waiting", "running"))
    assert until["state"] == "done", until
    assert {item["algorithm"] for item in until["trials"]} == {*NAMES} and until["next"] == []
    assert remaining.items() <= server.cells().items()  # what was there was not run again: its times are the same
    assert sorted(until["result"]["run"]["order"]) == [*NAMES] and len(server.cells()) == FOLDS * len(NAMES)
    assert str(server.folder) not in json.dumps(until)
