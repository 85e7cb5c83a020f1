"""What detection asks of columns: their cells, how they divide the rows, and whether they hold single answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.results.cells import WORDS
from tiebreak.results.columns import NO_NUMBER, Column, ListColumn, Names, TextColumn, Where

_BINARY = frozenset({"0", "1", "0.0", "1.0"}) | {word for pair in WORDS for word in pair}
_WRITTEN = re.compile(r"[-+]?\d[\d.,]*\s*%?(\s*(±|\+/?-)\s*\d[\d.,]*\s*%?)?")


class ConstantColumn(Column):
    """A column of one name, for roles that the whole table plays."""

    __slots__ = ("length", "name")

    def __init__(self, name: str, length: int) -> None:
        self.name, self.length = name, length

    def __len__(self) -> int:
        return self.length

    def is_number(self) -> bool:
        """Say no: it is a name."""
        return False

    def coded(self) -> Names:
        """Return the one name for all rows."""
        return Names(codes=np.zeros(self.length, dtype=np.int32), names=(self.name,))

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the name as numbers, which is an error where it is none."""
        return TextColumn([self.name] * self.length).as_numbers(where)

    def take(self, rows: IntArray) -> Column:
        """Return some rows."""
        return ConstantColumn(self.name, len(rows))


def cells_of(column: Column) -> list[Any]:
    """Return the cells of a column as Python objects."""
    if isinstance(column, ListColumn):
        return list(column.values)
    if hasattr(column, "objects"):
        return list(column.objects())
    named = column.coded()
    return [*map((*named.names, "").__getitem__, named.codes.tolist())]


def like(column: Column, cells: Sequence[Any]) -> ListColumn:
    """Make a column of the same kind of other cells."""
    return TextColumn(cells) if isinstance(column, TextColumn) else ListColumn(cells)


def codes_of(column: Column) -> IntArray:
    """Number the rows by what the column holds; missing cells are a value of their own."""
    return column.coded().codes.astype(np.int64) + 1


def groups_of(columns: Sequence[Column]) -> IntArray:
    """Number the rows by what all columns hold together."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        _, group = np.unique(group * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    return group.astype(np.int64)


def count(groups: IntArray) -> int:
    """Count different groups."""
    return len(np.unique(groups))


def refines(fine: IntArray, coarse: IntArray) -> bool:
    """Say whether rows that agree in the first agree in the second."""
    return count(fine * (int(coarse.max(initial=0)) + 1) + coarse) == count(fine)


def is_binary(column: Column) -> bool:
    """Say whether a column holds nothing but 0 and 1, true and false, or another pair of such words."""
    names = column.coded().names
    if len(names) > 12:
        return False
    there = {name.strip().lower() for name in names} - NO_NUMBER
    return bool(there) and there <= _BINARY


def is_written(column: Column) -> bool:
    """Say whether text is numbers written in another way: with decimal commas, percent signs or deviations."""
    if column.is_number():
        return False
    names = [name.strip() for name in column.coded().names[:200] if name.strip().lower() not in NO_NUMBER]
    return bool(names) and all(_WRITTEN.fullmatch(name) for name in names)


def is_empty(column: Column) -> bool:
    """Say whether no cell holds anything."""
    return all(name.strip().lower() in NO_NUMBER for name in column.coded().names[:3]) and len(column.coded().names) < 4


def is_missing(column: Column) -> BoolArray:
    """Mark the cells that hold nothing."""
    named = column.coded()
    return np.array([*(name.strip().lower() in NO_NUMBER for name in named.names), True])[named.codes]


def is_running(column: Column) -> bool:
    """Say whether a column numbers the rows, from any number on."""
    if not column.is_number():
        return False
    values = column.as_numbers(Where(column=""))
    return len(values) > 0 and not np.isnan(values).any() and bool((np.diff(values) == 1).all())


def is_resample(column: Column) -> bool:
    """Say whether a column holds the names of resamples, such as Fold01, Fold1.Rep1 or Bootstrap03."""
    names = column.coded().names
    pattern = re.compile(r"(fold|split|resample|bootstrap|repeat|rep|cv)[ _.-]?\d+([ _.-]?(rep|repeat|fold)\d+)?", re.I)
    return bool(names) and all(pattern.fullmatch(name.strip()) for name in names)
