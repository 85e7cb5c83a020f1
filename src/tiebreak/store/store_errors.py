"""What can go wrong with a store, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tiebreak.errors import OptionError, TiebreakError


class StoreError(TiebreakError):
    """A store cannot be opened, read or written."""


class NoStore(StoreError):
    """There is no store at the address."""


def missing_library(library: str, extra: str) -> OptionError:
    """Make the error for a library that is not installed.

    Examples
    --------
    >>> print(missing_library("psycopg", "postgres"))
    The library psycopg is not installed. The store needs it. Install it with: pip install 'tiebreak[postgres]'
    """
    return OptionError(
        f"The library {library} is not installed.",
        why="The store needs it.",
        mend=f"Install it with: pip install 'tiebreak[{extra}]'",
    )


def no_store(shown: str) -> NoStore:
    """Make the error for a store that is not there."""
    return NoStore(
        f"There is no store at {shown}.",
        why="There is nothing to read.",
        mend="Check the address, or make a store with `tiebreak run PLAN.toml --store URL`.",
    )


def unusable(shown: str, doing: str, reason: object) -> StoreError:
    """Make the error for what the database itself refused; the first line of its reason."""
    text = str(reason).strip().splitlines()
    return StoreError(
        f"The store {shown} could not be {doing}: {text[0] if text else type(reason).__name__}.",
        why="Nothing of this step was stored; what was stored before is safe.",
        mend="Check that the database is there, writable and not full, then try again.",
    )


@contextmanager
def in_words(shown: str, doing: str) -> Iterator[None]:
    """Turn what the database refuses inside the block into a StoreError; the traceback of the driver helps nobody."""
    import sqlalchemy as sa

    try:
        yield
    except sa.exc.DBAPIError as error:
        raise unusable(shown, doing, error.orig) from None


def held(shown: str, holder: str) -> StoreError:
    """Make the error for a second runner on a SQLite store."""
    return StoreError(
        f"The store {shown} is in use by another runner ({holder}).",
        why="A SQLite store has one runner at a time, so that no cell is run twice; reading is always possible.",
        mend="Wait until it has finished or stop it; for several runners at once use PostgreSQL:"
        " --store postgresql://...",
    )


def renamed(kind: str, name: str, stored: str) -> OptionError:
    """Make the error for one thing under two names."""
    return OptionError(
        f"The {kind} {name!r} is in the store already, under the name {stored!r}.",
        why="Under two names it would count twice in every comparison.",
        mend=f"Call it {stored!r}, or use another store.",
    )
