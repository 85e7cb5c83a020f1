"""No test takes longer than a limit: it then fails with where it is and what it started, which ends with it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import pytest

LIMIT_S = float(os.environ.get("TIEBREAK_TEST_SECONDS") or 400.0)
"""Seconds of each of set-up, call and teardown; on an idle machine none takes a quarter of it."""
AGAIN_S = 20.0
"""Seconds after which what goes on in spite of it is interrupted once more."""


@contextmanager
def limited(phase: str) -> Iterator[None]:
    """Fail what takes longer than the limit, where the system and the thread allow to interrupt it."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    began = time.time()

    def interrupt(*_: Any) -> None:
        started = end_what_began_after(began)
        pytest.fail(f"The {phase} took more than {LIMIT_S:g} s. What it had started was ended: {started or 'nothing'}.")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def end_what_began_after(began: float) -> str:
    """Kill the child processes that are younger than a time; return what they were."""
    ended = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if child.create_time() >= began - 1.0:
                ended.append(f"{child.pid} ({child.status()}): {' '.join(child.cmdline())[:200]}")
                child.kill()
    return "; ".join(ended)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[Any]:
    with limited("set-up"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[Any]:
    with limited("test"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[Any]:
    with limited("teardown"):
        return (yield)
