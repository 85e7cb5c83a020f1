"""One column of raw input, whatever it came from, as codes with names or as numbers.

A source hands over `Columns`: a mapping of header to column. The table asks each column for the one view it
needs, so a column of ten million strings is never turned into Python objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where a column stands, for error messages: its header, its source, and how rows are counted."""

    column: str
    source: str = ""
    first_line: int | None = None

    def at(self, row: int) -> str:
        """Name a row: by its line in a text file, by its number elsewhere."""
        place = f"row {row + 1}" if self.first_line is None else f"line {row + self.first_line}"
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
        why="A score or cost must be one; a missing score is an empty cell, NA or NaN.",
        mend=f"Correct the cell, or leave the column out by naming the ones to read (scores=[...]) if {where.column!r}"
        " is not a score.",
    )


def duplicate_header(header: str, source: str = "the table") -> InputError:
    """Make the error for two columns of one name."""
    return InputError(
        f"Two columns of {source} are named {header!r}.",
        why="Results are told apart by name, so one of them would be lost.",
        mend="Rename one of the columns.",
    )


class TextColumn:
    """A column of strings as a text file holds them; numbers are parsed when asked for."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[str]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def is_number(self) -> bool:
        """Say whether every value parses as a number or is missing."""
        return all(_parses(value) for value in set(self.values))

    def as_names(self, where: Where) -> Names:
        """Number the distinct strings."""
        known: dict[str, int] = {}
        codes = np.fromiter((known.setdefault(value, len(known)) for value in self.values), np.int32, len(self.values))
        if "" in known:
            raise missing_name(where, int(np.argmax(codes == known[""])))
        return sorted_names(codes, list(known))

    def as_numbers(self, where: Where) -> FloatArray:
        """Parse every string."""
        out = np.empty(len(self.values))
        for row, value in enumerate(self.values):
            try:
                out[row] = float(value)
            except ValueError:
                if value.strip().lower() not in MISSING:
                    raise not_a_number(where, row, value) from None
                out[row] = np.nan
        return out


def _parses(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return value.strip().lower() in MISSING
    return True


class ListColumn:
    """A column of Python objects or a numpy array, as dictionaries and JSON hold them."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any] | npt.NDArray[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def is_number(self) -> bool:
        """Say whether every value is a number or missing."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf":
            return True
        return all(_is_missing(v) or _is_real(v) for v in self.values)

    def as_names(self, where: Where) -> Names:
        """Name the values: whole numbers without a decimal point, everything else by `str`."""
        for row, value in enumerate(self.values):
            if _is_missing(value) or value == "":
                raise missing_name(where, row)
        return TextColumn([_name(value) for value in self.values]).as_names(where)

    def as_numbers(self, where: Where) -> FloatArray:
        """Convert every value; None and NaN are missing."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf":
            return self.values.astype(np.float64)
        if all(isinstance(value, str) for value in self.values):
            return TextColumn(list(self.values)).as_numbers(where)
        out = np.empty(len(self.values))
        for row, value in enumerate(self.values):
            if not (_is_missing(value) or _is_real(value)):
                raise not_a_number(where, row, value)
            out[row] = np.nan if _is_missing(value) else float(value)
        return out


def _name(value: object) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _is_real(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))
