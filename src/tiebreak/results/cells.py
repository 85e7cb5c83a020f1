"""Cells with their names: checked, put into canonical order, and one value for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.results.arrays import full_codes
from tiebreak.results.columns import Names
from tiebreak.results.hosts import Hosts
from tiebreak.results.item_columns import FOLD, ITEM, Clusters
from tiebreak.results.roles import ROLES
from tiebreak.wording import option

LARGEST = 1e150
"""Scores beyond this are refused: the sum of their squares would overflow."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Checked cells in canonical order: by data set, algorithm, replication, fold."""

    keys: Mapping[str, Names]
    values: Mapping[str, FloatArray]
    notes: Caveats = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    """The metric of each data set, where a column names it."""
    hosts: Hosts | None = None
    """Where every cell was measured, if a column says so and there is a time among the values."""
    unit: str = FOLD
    """What a row is: a fold, an item, or a total."""
    clusters: Clusters | None = None
    """The cluster of every cell, where items have some."""


def check_text(names: Iterable[str]) -> None:
    """Refuse a name that cannot be written in UTF-8, such as half a character from a broken JSON file."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"The name {name!r} is not proper text.",
                why="It holds half a character and cannot be printed.",
                mend="Correct it where it was written.",
            ) from None


def check_size(values: FloatArray, at: Callable[[int], str]) -> None:
    """Refuse infinite and overlarge values."""
    huge = (values > LARGEST) | (values < -LARGEST)
    if huge.any():
        row = int(np.argmax(huge))
        raise InputError(
            f"{at(row)} is {values[row]}.",
            why=f"Sums and squares of values beyond {LARGEST:g} overflow, so it cannot be averaged or tested.",
            mend="Correct it, or leave it missing (an empty cell, NaN) if the run failed.",
        )


def order_cells(
    keys: Mapping[str, Names],
    values: Mapping[str, FloatArray],
    *,
    at: Callable[[int], str] = str,
    unread: Sequence[str] = (),
    unit: str = FOLD,
    source: str = "",
) -> Cells:
    """Put cells into canonical order and refuse two values for one cell; `at` says where a cell was read.

    With a source, the few data sets that are there several times as a whole are averaged instead.
    """
    place = cell_places(keys)
    if len(place) < 2 or bool((place[1:] > place[:-1]).all()):
        return Cells(keys=keys, values=values)
    sizes = [len(keys[role].names) for role in ROLES]
    room = int(np.prod(sizes, dtype=object))
    sort = _sorter(place, room)
    if sort is None:
        if source and (twice := _measured_twice(keys, place)):
            return _averaged(keys, values, place, twice, source)
        raise _duplicate(keys, place, at, unread, unit)
    codes = full_codes(ROLES, sizes) if room == len(place) else {role: sort(keys[role].codes) for role in ROLES}
    return Cells(
        keys={role: Names(codes=codes[role], names=keys[role].names) for role in ROLES},
        values={name: sort(column) for name, column in values.items()},
    )


def cell_places(keys: Mapping[str, Names]) -> IntArray:
    """Number the cells that rows belong to, in canonical order; a role without names counts for nothing."""
    place = np.zeros(len(keys["dataset"].codes), dtype=np.int64)
    for role in ROLES:
        if role in keys and len(keys[role].names) > 1:
            place *= len(keys[role].names)
            place += keys[role].codes
    return place


def _sorter(place: IntArray, room: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None:
    """Return what sorts columns by the places of their rows, or None where two places are equal."""
    if room > 4 * len(place) + 1_000_000:
        order = np.argsort(place, kind="stable")
        return None if bool((np.diff(place[order]) == 0).any()) else lambda column: column[order]
    taken = np.zeros(room, dtype=bool)
    taken[place] = True
    if np.count_nonzero(taken) < len(place):
        return None

    def sort(
        column: npt.NDArray[Any],
    ) -> npt.NDArray[Any]:  # into slots: faster than a permutation where most are taken
        slots = np.empty(room, dtype=column.dtype)
        slots[place] = column
        return slots if room == len(place) else slots[taken]

    return sort


_FEW = 0.05
"""At most this share of the data sets may be there several times for their rows to be averaged unasked."""


def _measured_twice(keys: Mapping[str, Names], place: IntArray) -> list[str]:
    """Name the data sets of which every cell is there equally often, if no other is there twice and they are few."""
    _, cell, counts = np.unique(place, return_inverse=True, return_counts=True)
    often, sets = counts[cell], keys["dataset"]
    names = []
    for code in np.unique(sets.codes[often > 1]).tolist():
        if len(np.unique(often[sets.codes == code])) > 1:
            return []
        names.append(sets.names[code])
    return names if len(names) <= _FEW * len(sets.names) else []


def _averaged(
    keys: Mapping[str, Names], values: Mapping[str, FloatArray], place: IntArray, twice: Sequence[str], source: str
) -> Cells:
    """Average the rows of each cell; all readings of so few data sets give the same answer but for a trifle."""
    _, first, cell = np.unique(place, return_index=True, return_inverse=True)
    means = {}
    for name, column in values.items():
        order = np.lexsort((column, cell))  # sums that do not depend on the order of the rows
        means[name] = np.bincount(cell[order], weights=column[order]) / np.bincount(cell)
    several = f"{len(twice)} data sets are" if len(twice) > 1 else "1 data set is"
    text = f"{source}: {several} there several times for every algorithm; the rows are averaged: {quoted(twice)}."
    return Cells(
        keys={role: Names(codes=own.codes[first], names=own.names) for role, own in keys.items()},
        values=means,
        notes=(Caveat("duplicates-settled", text),),
    )


def _duplicate(
    keys: Mapping[str, Names], place: IntArray, at: Callable[[int], str], unread: Sequence[str], unit: str
) -> InputError:
    """An unread column may be what distinguishes the rows, such as a seed, so it is named before deleting is."""
    order = np.argsort(place, kind="stable")
    second = int(np.argmax(np.diff(place[order]) == 0)) + 1
    rows = sorted((int(order[second - 1]), int(order[second])))
    repeated = len(place) - len(np.unique(place))
    called = {"fold": "item", "replication": "epoch"} if unit == ITEM else {}
    cell = ", ".join(
        f"{called.get(role, role)} {keys[role].at(rows[0])!r}"
        for role in ROLES
        if role in ("dataset", "algorithm") or len(keys[role].names) > 1
    )
    hint = (
        f"If one of the unread columns {quoted(unread)} distinguishes them, name its role:"
        f" {option(columns={'replication': unread[0]})}."
        if unread
        else "Delete one of them, or add a column 'fold' or 'replication' that distinguishes them."
    )
    if unit == ITEM:
        hint = (
            f"If these are repeated answers, name or add the column that counts them: {option(columns={'epoch': ...})};"
            " otherwise delete one."
        )
        if unread:
            roles = [option(columns={role: unread[0]}) for role in ("epoch", "dataset")]
            hint = (
                f"If {quoted(unread, limit=3)} distinguishes them, name its role: {roles[0]} where these are repeated"
                f" answers, {roles[1]} where items are of several benchmarks; otherwise delete one."
            )
    hint += f" If they are of several settings, such as budgets, read one: {option(where='COLUMN == value')}."
    return InputError(
        f"Two scores for one cell ({cell}): {at(rows[0])} and {at(rows[1])} ({repeated} repeated in all).",
        why="Averaging or dropping one silently would change the result.",
        mend=hint,
    )
