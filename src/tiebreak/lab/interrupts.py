"""Ctrl-C, and when it may strike."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_struck: list[int] = []


def ctrl_c_struck() -> bool:
    """Tell whether Ctrl-C was struck and held back: whatever only waits should stop."""
    return bool(_struck)


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back until the block is through: struck inside a transaction, it can leave the database locked."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    before = signal.signal(signal.SIGINT, lambda number, _: _struck.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if _struck:
            _struck.clear()
            signal.raise_signal(signal.SIGINT)
