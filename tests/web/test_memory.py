"""Memory: what a request took is given back, and a child that keeps too much of it is replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tiebreak.web.pool import Pool

from .conftest import LIMITS, Web, wait_until
from .hostile import CASES, WIDE

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from Linux's /proc")


def held(pid: int) -> int:
    """Bytes of its own that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def asked(server: Web, name: str) -> None:
    reply = server.post("/api/compare", {"text": f"{WIDE}{name},0.9,0.8,0.7\n", "score": "auc"})
    assert reply.status == 200, reply.data


def settled(pool: Pool) -> set[int]:
    """The children once all of them are free."""
    wait_until(lambda: len(pool._free) == pool.workers)
    return {child.pid for child in pool._free}


def test_a_child_that_grew_is_replaced_and_another_stays(server: Web) -> None:
    pool: Pool = server.app.state.server.pool
    asked(server, "memory-1")
    before, remaining = settled(pool), pool.limits
    for child in pool._free:
        child.jobs = 0  # whatever other tests had them do: none is replaced for its many jobs now
    asked(server, "memory-2")
    assert settled(pool) == before
    pool.limits = replace(remaining, grown=-1)  # whatever a child holds is too much
    try:
        asked(server, "memory-3")
    finally:
        pool.limits = remaining
    after = settled(pool)
    assert len(after) == len(before) and len(before - after) == 1


def test_hostile_uploads_leave_no_memory_behind(server: Web) -> None:
    """The largest of them, one after the other; all children together hold less than they may keep."""
    pool: Pool = server.app.state.server.pool
    assert pool._zygote is not None
    for case in ("zip bomb in xlsx", "a line without an end", "one name, very long", "a number of many digits"):
        reply = server.form("/api/compare", [("file", CASES[case].name, CASES[case].data())], score="auc")
        assert reply.status in CASES[case].statuses, reply.data[:300]
    idle = held(pool._zygote.pid)
    for pid in settled(pool):
        assert held(pid) - idle < LIMITS.grown + 20_000_000
