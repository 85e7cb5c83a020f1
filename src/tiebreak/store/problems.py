"""What can go wrong with a store, in words."""

from __future__ import annotations

from collections.abc import Iterable

from tiebreak.errors import InputError, OptionError, TiebreakError, quoted


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


def newer_store(shown: str, found: int, known: int) -> StoreError:
    """Make the error for a store that a later version of the program has changed."""
    return StoreError(
        f"The store {shown} has schema version {found}; this program knows versions up to {known}.",
        why="A later version of Tiebreak changed it, and writing to it could damage it.",
        mend="Update the program: pip install --upgrade tiebreak",
    )


def not_a_store(shown: str, tables: Iterable[str]) -> StoreError:
    """Make the error for a database that belongs to someone else."""
    return StoreError(
        f"The database {shown} has tables named {quoted(sorted(tables))}, but they are not a store of Tiebreak.",
        why="Writing into them would damage what someone else keeps there.",
        mend="Give another file or database, or another schema: ...?options=-csearch_path%3Dtiebreak",
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


def held(shown: str, holder: str) -> StoreError:
    """Make the error for a second runner on a SQLite store."""
    return StoreError(
        f"The store {shown} is in use by another runner ({holder}).",
        why="A SQLite store has one runner at a time, so that no cell is run twice; reading is always possible.",
        mend="Wait until it has finished or stop it; for several runners at once use PostgreSQL:"
        " --store postgresql://...",
    )


def unknown_cells(cells: Iterable[int]) -> InputError:
    """Make the error for outcomes of cells that the store does not hold."""
    return InputError(
        f"The store holds no cells with the ids {quoted(sorted(cells))}.",
        why="Their results would belong to nothing.",
        mend="Finish only cells that `runner.claim(...)` or `store.add_cells(...)` returned.",
    )


def unknown_fingerprints(kind: str, names: Iterable[str]) -> InputError:
    """Make the error for cells of a data set or algorithm that was not added."""
    add = "store.add_data_set(...)" if kind == "data set" else "store.add_algorithm(...)"
    return InputError(
        f"The store knows no {kind} with the fingerprint {quoted(sorted(names))}.",
        why="A cell belongs to a data set and an algorithm.",
        mend=f"Add it first with `{add}`.",
    )


def renamed(kind: str, name: str, stored: str) -> OptionError:
    """Make the error for one thing under two names."""
    return OptionError(
        f"The {kind} {name!r} is in the store already, under the name {stored!r}.",
        why="Under two names it would count twice in every comparison.",
        mend=f"Call it {stored!r}, or use another store.",
    )
