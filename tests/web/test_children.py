"""Children: what goes wrong in one ends with it, is said in a sentence, and nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tiebreak.web.child import GROWN
from tiebreak.web.downloads import harmless
from tiebreak.web.messages import Problem
from tiebreak.web.pool import Job, Pool
from tiebreak.web.settings import Settings

from .conftest import LIMITS, PATIENCE_S, Web, free_port, running, wait_until
from .hostile import CASES, WIDE


def in_the_loop(server: Web, job: Job) -> str:
    """Run a job in the loop of the server, which the children belong to."""
    held = server.app.state.server
    return asyncio.run_coroutine_threadsafe(held.pool.run(job), held.loop).result(PATIENCE_S)


def fine(server: Web) -> None:
    assert (
        server.post("/api/compare", {"text": WIDE + f"x{time.time_ns()},0.9,0.8,0.7\n", "score": "auc"}).status == 200
    )


def test_work_without_end_is_ended(server: Web, tmp_path: Path) -> None:
    job = endless(tmp_path, 1.0)
    with pytest.raises(Problem) as caught:
        in_the_loop(server, job)
    assert (caught.value.status, caught.value.code) in ((422, "too-long"), (422, "memory"))
    fine(server)


ROWS = [("dataset", "a"), *((f"d{k}", f"0.{k}") for k in range(1, 9))]
"""What each line of a table begins with, and what its cells do."""


def test_too_much_memory_is_said(tmp_path: Path) -> None:
    """Some two hundred thousand pairs, each with its tests, in little memory."""
    table = "\n".join(",".join([first, *(f"{kind}{i % 7}{i}" for i in range(700))]) for first, kind in ROWS)
    limits = replace(LIMITS, memory=60_000_000)
    store, folder = str(tmp_path / "r.db"), tmp_path / "state"
    for server in running(Settings(port=free_port(), store=store, folder=folder, limits=limits, workers=1)):
        reply = server.post("/api/compare", {"text": table, "score": "auc"})
        assert reply.status == 422 and reply.error["what"] == "This needs more than 60 MB of memory."
        fine(server)


def children(server: Web) -> list[int]:
    """The processes that the fork server has now."""
    parent = server.app.state.server.pool._parent.pid
    names = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
    return [int(name) for name in names]


def without_idle(server: Web) -> None:
    """End the children that wait for work, so that those that are left are at work."""
    held = server.app.state.server

    async def drained() -> None:
        while held.pool._idle:
            held.pool._idle.pop()[1].close()

    asyncio.run_coroutine_threadsafe(drained(), held.loop).result(PATIENCE_S)
    wait_until(lambda: not children(server))


def endless(folder: Path, seconds: float) -> Job:
    """A resampling that would take hours, within the memory that is let in."""
    rest = ["--repetitions", "200000000", "--noise", "normal"]
    return Job(verb="study", values={"name": "error-rates", "rest": rest}, folder=folder, seconds=seconds)


def test_a_child_that_is_killed_is_said_and_the_next_works(server: Web, tmp_path: Path) -> None:
    held = server.app.state.server
    without_idle(server)
    waiting = asyncio.run_coroutine_threadsafe(held.pool.run(endless(tmp_path, PATIENCE_S)), held.loop)
    wait_until(lambda: bool(children(server)))
    os.kill(children(server)[0], signal.SIGKILL)
    with pytest.raises(Problem, match="memory"):
        waiting.result(PATIENCE_S)
    fine(server)


def test_a_child_ends_when_nobody_waits_for_it(server: Web, tmp_path: Path) -> None:
    held = server.app.state.server
    without_idle(server)
    waiting = asyncio.run_coroutine_threadsafe(held.pool.run(endless(tmp_path, PATIENCE_S)), held.loop)
    wait_until(lambda: bool(children(server)))
    waiting.cancel()
    wait_until(lambda: not children(server) and held.pool.state()["at_work"] == 0)
    fine(server)


def test_an_idle_child_that_is_killed_is_replaced(server: Web) -> None:
    fine(server)
    for child in children(server):
        os.kill(child, signal.SIGKILL)
    fine(server)


def test_a_fork_server_that_dies_is_started_anew(server: Web) -> None:
    fine(server)
    os.kill(server.app.state.server.pool._parent.pid, signal.SIGKILL)
    wait_until(
        lambda: server.post("/api/compare", {"text": WIDE + "again,0.9,0.8,0.7\n", "score": "auc"}).status == 200
    )
    fine(server)


def test_hostile_uploads_leave_no_memory_behind(server: Web) -> None:
    """The largest of them, one after the other."""
    fine(server)
    parent = server.app.state.server.pool._parent.pid

    def memory(process: int = parent) -> int:
        try:
            lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
        except FileNotFoundError:  # it kept too much, and has ended
            return 0
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon"))

    before = memory()
    for case in ("zip bomb in xlsx", "a line without an end", "one name, very long", "a number of many digits"):
        reply = server.form("/api/compare", [("file", CASES[case].name, CASES[case].data())], score="auc")
        assert reply.status in CASES[case].statuses, reply.data[:300]
    idle = children(server)
    assert len(idle) <= 2 and memory() < before + 5_000_000
    assert all(memory(child) < before + GROWN + 20_000_000 for child in idle)


def test_the_queue_ends(server: Web) -> None:
    """With room for nobody to wait, whoever comes is asked to come again."""
    pool: Pool = server.app.state.server.pool
    before, pool.limits = pool.limits, pool.limits.__class__(queue=0, seconds=LIMITS.seconds, memory=LIMITS.memory)
    try:
        reply = server.post("/api/compare", {"text": WIDE, "score": "auc", "alpha": 0.013})
    finally:
        pool.limits = before
    assert reply.status == 503 and reply.headers["retry-after"] == "2" and reply.error["code"] == "busy"


def test_numbers_are_no_formulas() -> None:
    assert [harmless(cell) for cell in ("-1e-5", "+3", "-", "=a", "\tx", "a=b", "")] == [
        *("-1e-5", "+3", "'-", "'=a", "'\tx", "a=b", ""),
    ]


def test_the_fork_server_has_one_thread(server: Web) -> None:
    """Whoever is forked from a process with threads may wait forever for one that is not there."""
    fine(server)  # it has warmed up
    parent = server.app.state.server.pool._parent.pid
    status = Path(f"/proc/{parent}/status").read_text(encoding="ascii").splitlines()
    assert [line.split()[1] for line in status if line.startswith("Threads:")] == ["1"]
