"""A store that does not answer for a while: it is asked again, with growing pauses, for as long as was allowed.

Every method of a store is one transaction that may be repeated: cells that are there are not added twice, and what is
finished is not written twice. So it does not matter whether the server went away before or after it stored a step.
"""

from __future__ import annotations

import functools
import logging
import random
import time
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from tiebreak.store.store_errors import StoreAway

PATIENCE = 600.0
"""So many seconds a run waits for its database: a restart takes seconds, an upgrade of the server minutes."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = logging.getLogger("tiebreak.store")


def patiently(step: Callable[[], _R], seconds: float, give_up: Callable[[], bool] = lambda: False) -> _R:
    """Take a step; while the store is away, take it again for up to so many seconds, unless told to stop."""
    try:
        return step()
    except StoreAway as problem:
        if seconds <= 0:
            raise
        _log.warning("%s Trying again for %s.", problem.what, _spoken(seconds))
    began, pause = time.monotonic(), FIRST_PAUSE
    while True:
        time.sleep(pause * random.uniform(0.5, 1.0))  # many runners must not all come back at the same moment
        try:
            answer = step()
        except StoreAway:
            if time.monotonic() - began >= seconds or give_up():
                raise
            pause = min(2 * pause, LONGEST_PAUSE)
        else:
            _log.warning("The store is back after %.1f s; the run goes on.", time.monotonic() - began)
            return answer


def patient(method: Callable[Concatenate[Any, _P], _R]) -> Callable[Concatenate[Any, _P], _R]:
    """Let a method of an object with `patience` (seconds) and `give_up` be repeated while the store is away."""

    @functools.wraps(method)
    def repeated(self: Any, /, *given: _P.args, **named: _P.kwargs) -> _R:
        return patiently(lambda: method(self, *given, **named), self.patience, self.give_up)

    return repeated


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
