"""Conditions that choose rows, such as "imputed == False", the same for files, frames and tables of results."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import OptionError
from tiebreak.results.columns import NO_NUMBER, Column, Columns, Names, to_number
from tiebreak.wording import option

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
                why="Only numbers are smaller or larger than each other.",
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
                why="Each stands alone, and all of them must be met.",
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
            why="Nothing would be read.",
            mend=f"Check the values of the column: {_held(columns[conditions[-1].column])}.",
        )
    left = count - int(keep.sum())
    return keep, (Caveat("rows-filtered", f"{source}: {left} of {count} rows left out; kept are those where {text}."),)


def _held(column: Column) -> str:
    """Show some of what a column holds: a value that is misspelt is then plain to see."""
    names = column.coded().names
    return ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
