"""One column of raw input, whatever it came from, as codes with names or as numbers.

A source hands over `Columns`: a mapping of header to column. The table asks each column for the one view it
needs, so a column of ten million strings is never turned into Python objects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-nan", "<na>"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Names:
    """A column of names: `names[codes[i]]` is the name in row i; names are sorted and distinct."""

    codes: npt.NDArray[np.int32]
    names: tuple[str, ...]


class Column(Protocol):
    """What the table needs to know of a column."""

    def __len__(self) -> int: ...

    def is_number(self) -> bool:
        """Say whether every value is a number or missing."""
        ...

    def as_names(self, where: Where) -> Names:
        """Return the column as names; a missing one is an error."""
        ...

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the column as floats, NaN where missing; text is an error."""
        ...


Columns = Mapping[str, Column]
LineOf = Callable[[int], int]
"""On which line of its file a row begins; asked for only when a message needs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where a column stands, for error messages: its header, its source, how rows are counted, the usual mend."""

    column: str
    source: str = ""
    line_of: LineOf | None = None
    mend: str = ""

    def at(self, row: int) -> str:
        """Name a row: by its line in a text file, by its number elsewhere."""
        place = f"row {row + 1}" if self.line_of is None else f"line {self.line_of(row)}"
        return f"column {self.column!r}, {place}" + (f" of {self.source}" if self.source else "")


def sorted_names(codes: npt.NDArray[Any], names: Sequence[str]) -> Names:
    """Renumber codes so that their names are sorted: by number where all are whole numbers, else as text."""
    order = sorted(range(len(names)), key=_name_key(names))
    if order == list(range(len(names))):
        return Names(codes=codes.astype(np.int32, copy=False), names=tuple(names))
    place = np.empty(len(names), dtype=np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    return Names(codes=place[codes], names=tuple(names[i] for i in order))


def _name_key(names: Sequence[str]) -> Callable[[int], Any]:
    if all(name.isascii() and name.isdigit() for name in names):
        return lambda i: (int(names[i]), names[i])
    return lambda i: names[i]


def missing_name(where: Where, row: int) -> InputError:
    """Make the error for an empty name."""
    return InputError(
        f"{where.at(row)}: the name is missing.",
        why="Every row must say to which data set, algorithm and fold it belongs.",
        mend="Fill it in, or delete the row.",
    )


def not_a_number(where: Where, row: int, value: object) -> InputError:
    """Make the error for text where a number belongs."""
    return InputError(
        f"{where.at(row)}: {value!r} is not a number.",
        why="A score or cost must be one, with a decimal point; a missing score is an empty cell, NA or NaN.",
        mend=where.mend
        or f"Correct the cell, or leave the column out by naming the ones to read (scores=[...]) if {where.column!r}"
        " is not a score.",
    )


def duplicate_header(header: str, source: str = "the table") -> InputError:
    """Make the error for two columns of one name."""
    return InputError(
        f"Two columns of {source} are named {header!r}.",
        why="Results are told apart by name, so one of them would be lost.",
        mend="Rename one of the columns.",
    )


def to_number(value: object) -> float:
    """Convert one cell: NaN where it is missing, infinity where it is too large; ValueError where it is no number.

    Examples
    --------
    >>> to_number(" 0.5"), to_number("NA"), to_number(10**400)
    (0.5, nan, inf)
    """
    if isinstance(value, str):
        if value.strip().lower() in MISSING:
            return math.nan
        if "_" in value:  # Python reads 1_000 as a number
            raise ValueError
        return float(value)
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise ValueError
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def read_number(value: object, where: Where, row: int) -> float:
    """Convert one cell, or name it if it is no number."""
    try:
        return to_number(value)
    except ValueError:
        raise not_a_number(where, row, value) from None


def _reads(value: object) -> bool:
    try:
        to_number(value)
    except ValueError:
        return False
    return True


class TextColumn:
    """A column of strings as a text file holds them; numbers are parsed when asked for."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[str]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def is_number(self) -> bool:
        """Say whether every value parses as a number or is missing."""
        return all(map(_reads, set(self.values)))

    def as_names(self, where: Where) -> Names:
        """Number the distinct strings."""
        known: dict[str, int] = {}
        codes = np.fromiter((known.setdefault(value, len(known)) for value in self.values), np.int32, len(self.values))
        if "" in known:
            raise missing_name(where, int(np.argmax(codes == known[""])))
        return sorted_names(codes, list(known))

    def as_numbers(self, where: Where) -> FloatArray:
        """Parse every string."""
        return np.array([read_number(value, where, row) for row, value in enumerate(self.values)], dtype=np.float64)


class ListColumn:
    """A column of Python objects or a numpy array, as dictionaries and JSON hold them."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any] | npt.NDArray[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def is_number(self) -> bool:
        """Say whether every value is a number, as such or written out, or missing."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf":
            return True
        return all(map(_reads, self.values))

    def as_names(self, where: Where) -> Names:
        """Name the values: whole numbers without a decimal point, everything else by `str`."""
        for row, value in enumerate(self.values):
            if value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)):
                raise missing_name(where, row)
        return TextColumn([_name(value) for value in self.values]).as_names(where)

    def as_numbers(self, where: Where) -> FloatArray:
        """Convert every value; None and NaN are missing."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf":
            return self.values.astype(np.float64)
        return np.array([read_number(value, where, row) for row, value in enumerate(self.values)], dtype=np.float64)


def _name(value: object) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
