"""Columns of raw input from any source, as codes with names or as numbers, and the read-only arrays of a table.

Files, frames and plain objects hand over `Columns`: a mapping of header to column. Tables of results and tables of
data ask each column for the one view they need, so a column of ten million strings is never turned into Python objects.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress
from math import fsum
from numbers import Real
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak._checks import AnyArray, BoolArray, FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import Brief, option

MISSING = frozenset(
    {
        "",  # an empty cell
        "na",  # R
        "nan",  # numpy and pandas
        "null",  # databases and JSON
        "?",  # ARFF and the UCI repository
    }
)
"""What stands for a missing value in any column, in small or capital letters."""
NO_NUMBER = MISSING | {
    "n/a",  # spreadsheets
    "<na>",  # pandas, for its nullable types
    "none",  # Python
    "-nan",  # C
}
"""The same where nothing but a number can stand, as in a score. Among names these are names: 'none' is a category of
the data sets credit-g, horse, labor and soybean, and reading it as missing would change what is learned from them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Names(Brief):
    """A column of names: `names[codes[i]]` is the name in row i, -1 where it is missing; sorted and distinct."""

    codes: npt.NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Names:
        """Number a list of names; None is missing.

        Examples
        --------
        >>> result = Names.of(["10", None, "9"])
        >>> result.names, result.codes.tolist()
        (('9', '10'), [1, -1, 0])
        """
        known: dict[str | None, int] = {}
        codes = np.fromiter((known.setdefault(value, len(known)) for value in values), np.int32)
        gap = known.pop(None, None)
        if gap is not None:
            codes = np.where(codes == gap, -1, codes - (codes > gap)).astype(np.int32)
        return sorted_names(codes, [name for name in known if name is not None])

    def renamed(self, rename: Callable[[str], str | None]) -> Names:
        """Name the same rows anew; two names may become one, and None makes a row missing."""
        new = Names.of(map(rename, self.names))
        return Names(codes=np.append(new.codes, np.int32(-1))[self.codes], names=new.names)

    def at(self, row: int) -> str:
        """Return the name in a row."""
        return self.names[int(self.codes[row])]

    def take(self, rows: IntArray | BoolArray) -> Names:
        """Return some rows; names that none of them bears are forgotten."""
        codes = self.codes[rows]
        used = np.zeros(len(self.names) + 1, dtype=bool)  # the last place answers for -1, the missing code
        used[codes] = True
        if used[:-1].all():
            return Names(codes=codes, names=self.names)
        place = np.append(np.cumsum(used[:-1]) - 1, -1).astype(np.int32)
        return Names(codes=place[codes], names=tuple(compress(self.names, used.tolist())))


def sorted_names(codes: npt.NDArray[Any], names: Sequence[str]) -> Names:
    """Renumber codes so that their names are sorted: by value where all are numbers, as text elsewhere.

    Examples
    --------
    >>> sorted_names(np.array([0, 1, 2]), ["10", "9", "8.5"]).names
    ('8.5', '9', '10')
    """
    order = sorted(range(len(names)), key=_name_key(names))
    if order == list(range(len(names))):
        return Names(codes=codes.astype(np.int32, copy=False), names=tuple(names))
    place = np.full(len(names) + 1, -1, dtype=np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    return Names(codes=place[codes], names=tuple(names[i] for i in order))


def stacked(parts: Sequence[Names]) -> Names:
    """Put columns under one another: a name has the same code in all of them.

    Examples
    --------
    >>> both = stacked([Names.of(["b", "a"]), Names.of(["c", None, "b"])])
    >>> both.names, both.codes.tolist()
    (('a', 'b', 'c'), [1, 0, 2, -1, 1])
    """
    known: dict[str, int] = {}
    codes = []
    for part in parts:
        place = np.array([*(known.setdefault(name, len(known)) for name in part.names), -1], dtype=np.int32)
        codes.append(place[part.codes])  # the last place answers for -1
    return sorted_names(np.concatenate(codes), list(known))


def _name_key(names: Sequence[str]) -> Callable[[int], Any]:
    """Choose the key to sort by: folds 9 and 10 come in the order of counting, names of any other kind as text."""
    values = []
    for name in names:
        value = to_number(name)
        if value is None or math.isnan(value):
            return lambda i: names[i]
        values.append(value)
    return lambda i: (values[i], names[i])


def name_of(value: object) -> str:
    """Name one value: whole numbers without a decimal point, everything else by `str`."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def is_missing(value: object) -> bool:
    """Say whether an object stands for no value: None, NaN, and what pandas has for them."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:  # asked by name: pandas need not be there
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def coded_integers(values: npt.NDArray[Any]) -> Names:
    """Code whole numbers; by counting where their span is small, by sorting elsewhere."""
    if values.dtype.itemsize < 4:  # differences of small integers may overflow
        values = values.astype(np.int32)
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low > 1_000_000:
        numbers, codes = np.unique(values, return_inverse=True)
        return sorted_names(codes, [str(value) for value in numbers.tolist()])
    shifted = values.astype(np.int32) if low == 0 else (values - low).astype(np.int32)
    present = np.bincount(shifted, minlength=high - low + 1) > 0
    names = [str(value + low) for value in np.flatnonzero(present).tolist()]
    if present.all():
        return sorted_names(shifted, names)
    return sorted_names((np.cumsum(present) - 1).astype(np.int32)[shifted], names)


LineOf = Callable[[int], int]
"""On which line of its file a row begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where a column stands, for error messages: its header, its source, how rows are counted, the usual mend."""

    column: str
    source: str = ""
    line_of: LineOf | None = None
    mend: str = ""
    rows: str = "row"

    def at(self, row: int) -> str:
        """Name a row: by its line in a text file, by its number elsewhere."""
        place = f"{self.rows} {row + 1}" if self.line_of is None else f"line {self.line_of(row)}"
        return f"column {self.column!r}, {place}" + (f" of {self.source}" if self.source else "")


def not_a_number(where: Where, row: int, value: object) -> InputError:
    """Make the error for text where a number belongs."""
    return InputError(
        f"{where.at(row)}: {value!r} is not a number.",
        why="A score or cost must be one, with a decimal point; a missing score is an empty cell, NA or NaN.",
        mend=where.mend
        or f"Correct the cell, or leave the column out by naming the ones to read ({option(scores=[...])}) if"
        f" {where.column!r} is not a score.",
    )


def check_headers(headers: Sequence[object], source: str) -> None:
    """Refuse two columns of one name; the names 1 and "1" are one."""
    seen = set()
    for header in map(str, headers):
        if header in seen:
            raise InputError(f"Two columns of {source} are named {header!r}.", mend="Rename one of the columns.")
        seen.add(header)


def to_number(value: object, *, missing: frozenset[str] = NO_NUMBER) -> float | None:
    """Convert one cell: NaN where it is missing, infinity where it is too large; None where it is no number.

    Examples
    --------
    >>> to_number(" 0.5"), to_number("NA"), to_number(10**400), to_number("red")
    (0.5, nan, inf, None)
    """
    if isinstance(value, str):
        if value.strip().lower() in missing:
            return math.nan
        try:
            return None if "_" in value else float(value)  # Python reads 1_000 as a number
        except ValueError:
            return None
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        return None
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


class Column(Protocol):
    """What a table needs to know of a column; each kind of source has its own."""

    __slots__ = ()

    def __len__(self) -> int: ...

    def is_number(self) -> bool:
        """Say whether every value is a number, as such or written out, or missing."""

    def coded(self) -> Names:
        """Return the column as names; what the source itself takes for missing is -1."""

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the column as floats, NaN where missing; text is an error."""

    def take(self, rows: IntArray) -> Column:
        """Return some rows of the column."""

    def as_names(self, where: Where) -> Names:
        """Return the column as names; a missing or empty one is an error."""
        names = self.coded()
        gaps = names.codes < int("" in names.names)  # the empty name sorts before all others
        if gaps.any():
            raise InputError(
                f"{where.at(int(np.argmax(gaps)))}: the name is missing.", mend="Fill it in, or delete the row."
            )
        return names


Columns = Mapping[str, Column]


class ListColumn(Column):
    """A column of Python objects or a numpy array, as text files, dictionaries and JSON hold them."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any] | npt.NDArray[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def _is_array(self) -> bool:
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iuf"

    def is_number(self) -> bool:
        """Say whether every value is a number, as such or written out, or missing."""
        return self._is_array() or all(to_number(value) is not None for value in self.values)

    def coded(self) -> Names:
        """Name the values; None and NaN are missing."""
        return Names.of(None if is_missing(value) else name_of(value) for value in self.values)

    def as_numbers(self, where: Where) -> FloatArray:
        """Convert every value; None and NaN are missing."""
        if self._is_array():
            return np.asarray(self.values).astype(np.float64)
        numbers = [to_number(value) for value in self.values]
        if None in numbers:
            row = numbers.index(None)
            raise not_a_number(where, row, self.values[row])
        return np.array(numbers, dtype=np.float64)

    def take(self, rows: IntArray) -> Column:
        """Return some rows of the column."""
        if isinstance(self.values, np.ndarray):
            return type(self)(self.values[rows])
        return type(self)([self.values[row] for row in rows.tolist()])


class TextColumn(ListColumn):
    """A column of strings as a text file holds them; numbers are parsed when asked for."""

    __slots__ = ()
    values: Sequence[str]

    def is_number(self) -> bool:
        """Say whether every value parses as a number or is missing."""
        return all(to_number(value) is not None for value in set(self.values))

    def coded(self) -> Names:
        """Number the distinct strings."""
        return Names.of(self.values)


def take(columns: Columns, rows: IntArray) -> dict[str, Column]:
    """Return some rows of a table."""
    return {name: column.take(rows) for name, column in columns.items()}


class Arrays(Mapping[str, AnyArray]):
    """Arrays by name; none can be replaced, written to or made writable.

    Examples
    --------
    >>> held = Arrays({"error": np.array([0.1, 0.2])})
    >>> held["error"].flags.writeable
    False
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: Mapping[str, AnyArray]) -> None:
        self._arrays = {name: readonly(array).view() for name, array in arrays.items()}

    def __getitem__(self, name: str) -> AnyArray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"Arrays({self._arrays!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Arrays, (self._arrays,)


def fold_means(values: FloatArray, starts: IntArray, counts: IntArray, *, partial: bool) -> FloatArray:
    """Average runs of values: the i-th starts at `starts[i]` and is `counts[i]` long; NaN for an empty one.

    The sum carries its rounding error along (two-sum). NaN is left out if `partial`, and makes the mean NaN otherwise.

    Examples
    --------
    >>> fold_means(np.array([1.0, 3.0, np.nan]), np.array([0, 2]), np.array([2, 1]), partial=True)
    array([ 2., nan])
    """
    if counts.max(initial=0) > max(_LONG, len(counts)):
        return _long_means(values, starts, counts, partial=partial)
    total, lost, seen = np.zeros(len(counts)), np.zeros(len(counts)), np.zeros(len(counts))
    even = counts.size > 0 and bool((counts == counts[0]).all())
    for position in range(int(counts.max(initial=0))):
        cells = slice(None) if even else np.flatnonzero(counts > position)
        added = values[position :: counts[0]] if even else values[starts[cells] + position]
        there = ~np.isnan(added) if partial else np.True_
        added = np.where(there, added, 0.0) if partial else added
        before = total[cells]
        after = before + added
        shift = after - before
        lost[cells] += (before - (after - shift)) + (added - shift)
        total[cells] = after
        seen[cells] += there
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(seen > 0, (total + lost) / seen, np.nan)


_LONG = 1000
"""Longer runs, as items make them, are added up one by one: there are few of them."""
_HUGE = 1e150


def _long_means(values: FloatArray, starts: IntArray, counts: IntArray, *, partial: bool) -> FloatArray:
    """Average runs of values by a sum without any rounding."""
    out = np.full(len(counts), np.nan)
    for place, (start, count) in enumerate(zip(starts.tolist(), counts.tolist(), strict=True)):
        rows = values[start : start + count]
        rows = rows[~np.isnan(rows)] if partial else rows
        if len(rows):
            scale = float(len(rows)) if np.abs(rows).max() > _HUGE else 1.0  # the sum itself could overflow
            out[place] = fsum((rows / scale).tolist()) / (len(rows) / scale)
    return out


def present_mean(values: FloatArray) -> float:
    """Average the values that are there; NaN, without a warning, where none is."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if there.size else float("nan")


def full_codes(roles: Sequence[str], sizes: Sequence[int]) -> dict[str, npt.NDArray[np.int32]]:
    """Codes of a table in which every cell is there, in canonical order."""
    total = inside = int(np.prod(sizes))
    out = {}
    for role, size in zip(roles, sizes, strict=True):
        codes, block = np.empty(total, dtype=np.int32), inside
        inside //= size
        codes[:block] = np.repeat(np.arange(size, dtype=np.int32), inside)
        while block < total:  # copies that double: far faster than np.tile where a block is short
            more = min(block, total - block)
            codes[block : block + more] = codes[:more]
            block += more
        out[role] = codes
    return out


_OPERATORS = re.compile(r"\s*(==|!=|<=|>=|=|<|>|(?:\bnot\s+)?\bin\b)\s*(.*)", re.DOTALL)
_ORDERS: Mapping[str, Callable[[FloatArray, float], BoolArray]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_FORMS = "COLUMN == value (also !=, <, <=, >, >=), COLUMN in a, b, or COLUMN == '' for empty cells"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a column, how it is compared, and with what; several values for "in"."""

    column: str
    operator: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(value or "''" for value in self.values)
        return f"{self.column} {self.operator} {shown}"

    def meets(self, column: Column) -> BoolArray:
        """Mark the rows that meet it."""
        names = column.coded()
        if self.operator in _ORDERS:
            return self._ordered(names)
        wanted = np.zeros(len(names.codes), dtype=bool)
        for value in self.values:
            wanted |= _equals(names, value)
        return ~wanted if self.operator in ("!=", "not in") else wanted

    def _ordered(self, names: Names) -> BoolArray:
        """A cell without a number meets no condition on its size, and text in the column is refused."""
        limit = to_number(self.values[0])
        cells = [to_number(name) for name in names.names]
        if limit is None or math.isnan(limit) or None in cells:
            odd = self.values[0] if limit is None or math.isnan(limit) else names.names[cells.index(None)]
            raise OptionError(
                f"The condition {str(self)!r} compares sizes, but {odd!r} is not a number.",
                mend=f"Use {option(where=f'{self.column} == {odd}')} for text.",
            )
        numbers = np.array([*cells, math.nan], dtype=np.float64)
        return np.asarray(_ORDERS[self.operator](numbers, limit)[names.codes])  # the last place answers for -1


def read_condition(text: str, columns: Columns) -> Condition:
    """Read one condition; the longest header that it begins with is its column.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> table = {"type": TextColumn(["a", "b"]), "size in MB": TextColumn(["1", "2"])}
    >>> read_condition("type in a, 'b'", table)
    Condition(column='type', operator='in', values=('a', 'b'))
    >>> str(read_condition("size in MB<=2", table)), str(read_condition("type=", table))
    ('size in MB <= 2', "type == ''")
    >>> str(read_condition("'size in MB' > 1", table))
    'size in MB > 1'
    """
    value = text.strip()
    for header in sorted(columns, key=len, reverse=True):
        written = next((name for name in _written(header) if value.startswith(name)), None)
        match = None if written is None else _OPERATORS.fullmatch(value[len(written) :])
        if match is not None:
            _check_one(text, match[2], columns)
            operator = " ".join(match[1].split())
            several = operator in ("in", "not in")
            values = match[2].strip().strip("[](){}").split(",") if several else [match[2]]
            return Condition(header, "==" if operator == "=" else operator, tuple(map(_unquoted, values)))
    header = re.split(r"==|!=|<|>|=|\sin\s|\snot\s", value)[0].strip()
    if header == value or not header:
        raise OptionError(
            f"The condition {text!r} is not understood.",
            why=f"It says which rows to keep: {_FORMS}.",
            mend=f"Use {option(where='imputed == False')}.",
        )
    check_choice(f"column (for {option('where')})", header, columns)
    raise AssertionError("a header that is there was found above")  # pragma: no cover


def _written(header: str) -> list[str]:
    """Return how a header may stand in a condition: as it is, or between quotes."""
    return [header, *(f"{mark}{header}{mark}" for mark in "'\"`")]


def _check_one(text: str, value: str, columns: Columns) -> None:
    """Refuse two conditions in one, whose second would be taken for a part of the value."""
    for joint in re.finditer(r"\s+(and|or|&&?|\|\|?)\s+", value, re.I):
        rest = value[joint.end() :]
        starts = [name for header in columns for name in _written(header) if rest.startswith(name)]
        if any(_OPERATORS.fullmatch(rest[len(start) :]) for start in starts) and _unquoted(value) == value.strip():
            first = text[: text.rindex(value) + joint.start()].strip()
            raise OptionError(
                f"The condition {text!r} holds more than one.",
                mend=f"Use {option(where=[first, rest])}."
                if joint[1].lower() in ("and", "&", "&&")
                else "Several values of one column are one condition: COLUMN in a, b.",
            )


def _unquoted(value: str) -> str:
    text = value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _equals(names: Names, wanted: str) -> BoolArray:
    same = np.array([*(_same(name.strip(), wanted) for name in names.names), wanted == ""], dtype=bool)
    return np.asarray(same[names.codes])  # the last place answers for -1: a missing cell is an empty one


def _same(text: str, wanted: str) -> bool:
    """Compare a cell with a condition as a person would: any mark of a missing value is empty, 1.0 is 1."""
    if wanted == "":
        return text.lower() in NO_NUMBER
    if text.lower() == wanted.lower():
        return True
    try:
        return math.isclose(float(text), float(wanted), rel_tol=1e-12)
    except ValueError:
        return False


def as_conditions(where: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return conditions as they may be given: none, one, or several that must all be met."""
    return () if where is None else (where,) if isinstance(where, str) else tuple(where)


def met(columns: Columns, where: str | Sequence[str] | None, *, source: str) -> tuple[BoolArray, Caveats]:
    """Mark the rows that meet all conditions, and say how many do not; to be left without any row is an error.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> table = {"type": TextColumn(["a", "b", "a"]), "x": TextColumn(["1", "2", ""])}
    >>> met(table, ["type == a", "x != ''"], source="t.csv")
    (array([ True, False, False]), ("t.csv: 2 of 3 rows left out; kept are those where type == a and x != ''.",))
    """
    count = len(next(iter(columns.values()))) if columns else 0
    keep = np.ones(count, dtype=bool)
    conditions = [read_condition(condition, columns) for condition in as_conditions(where)]
    for item in conditions:
        keep &= item.meets(columns[item.column])
    if not conditions:
        return keep, ()
    text = " and ".join(map(str, conditions))
    if not keep.any():
        raise OptionError(
            f"No row of {source} is left where {text}.",
            mend=f"Check the values of the column: {_held(columns[conditions[-1].column])}.",
        )
    left = count - int(keep.sum())
    return keep, (Caveat("rows-filtered", f"{source}: {left} of {count} rows left out; kept are those where {text}."),)


def _held(column: Column) -> str:
    """Show some of what a column holds: a value that is misspelt is then plain to see."""
    names = column.coded().names
    return ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
