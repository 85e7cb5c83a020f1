"""What can go wrong with a store, in words."""

from __future__ import annotations

import functools
import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from tiebreak.errors import OptionError, TiebreakError
from tiebreak.wording import option, run_a_plan

if TYPE_CHECKING:
    import sqlalchemy as sa


class StoreError(TiebreakError):
    """A store cannot be opened, read or written."""


class StoreAway(StoreError):
    """A store does not answer now: its server restarts, or another program holds it locked; later it may."""


class NoStore(StoreError):
    """There is no store at the address."""


def no_store(shown: str) -> NoStore:
    """Make the error for a store that is not there."""
    return NoStore(
        f"There is no store at {shown}.",
        why="There is nothing to read.",
        mend=f"Check the address, or make a store with {run_a_plan()}.",
    )


def unusable(shown: str, doing: str, reason: object, *, kind: type[StoreError] = StoreError) -> StoreError:
    """Make the error for what the database itself refused; the first line of its reason."""
    text = str(reason).strip().splitlines()
    return kind(
        f"The store {shown} could not be {doing}: {text[0] if text else type(reason).__name__}.",
        why="Nothing of this step was stored; what was stored before is safe.",
        mend="Check that the database is there, writable and not full, then try again.",
    )


def damaged(shown: str, what: str) -> StoreError:
    """Make the error for a store that holds what Tiebreak never writes."""
    return StoreError(
        f"The store {shown} is damaged: {what}.",
        why="Another program or a broken disk has changed it.",
        mend="Use a copy from before, or correct that row.",
    )


_AWAY = ("08", "57P01", "57P02", "57P03", "53300", "40001", "40P01")
"""How the SQLSTATE of PostgreSQL begins where the same step may do later: no connection, shutting down, starting up,
too many connections, and two ways of two transactions in each other's way."""


def _is_away(error: sa.exc.DBAPIError) -> bool:
    """Tell whether the database is away for a while; what it refuses for good comes again at every try."""
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_AWAY)
    text = str(error.orig)
    if type(error.orig).__module__.startswith("sqlite3"):
        return "is locked" in text or "is busy" in text
    return type(error.orig).__name__ == "OperationalError"  # psycopg could not connect, or was cut off


@contextmanager
def in_words(shown: str, doing: str) -> Iterator[None]:
    """Turn what the database refuses inside the block into a StoreError; the traceback of the driver helps nobody."""
    import sqlalchemy as sa

    try:
        yield
    except sa.exc.DBAPIError as error:
        raise unusable(shown, doing, error.orig, kind=StoreAway if _is_away(error) else StoreError) from None


def held(shown: str, holder: str) -> StoreError:
    """Make the error for a second runner on a SQLite store."""
    return StoreError(
        f"The store {shown} is in use by another runner ({holder}).",
        why="A SQLite store has one runner at a time, so that no cell is run twice; reading is always possible.",
        mend="Wait until it has finished or stop it; for several runners at once use PostgreSQL:"
        f" {option(store='postgresql://...')}",
    )


def renamed(kind: str, name: str, stored: str) -> OptionError:
    """Make the error for one thing under two names."""
    return OptionError(
        f"The {kind} {name!r} is in the store already, under the name {stored!r}.",
        why="Under two names it would count twice in every comparison.",
        mend=f"Call it {stored!r}, or use another store.",
    )


# ---- a store that does not answer for a while: it is asked again, with growing pauses, for as long as was allowed


PATIENCE = 600.0
"""So many seconds a run waits for its database: a restart takes seconds, an upgrade of the server minutes."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = logging.getLogger("tiebreak.stores")


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
    """Let a method of a store, or of its runner, or a function of a store be repeated while the store is away."""

    @functools.wraps(method)
    def repeated(self: Any, /, *given: _P.args, **named: _P.kwargs) -> _R:
        store = getattr(self, "store", self)
        return patiently(lambda: method(self, *given, **named), store.patience, store.give_up)

    return repeated


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
