"""Raw columns -> DataSet: which column is the class, which rows stay, and what has to be said about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.datasets.columns import Coded, Column, Kind, Place, coded_numbers
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import InputError, OptionError, quoted, unknown_name

FEW_ROWS = 20
"""Below this number of rows nothing is said about columns in which nearly every value is different."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller said about a table: its name, its class column, kinds, groups and columns to leave out."""

    name: str
    source: str
    target: str | None = None
    symbolic: tuple[str, ...] = ()
    groups: str | None = None
    drop: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def kind(self, header: str) -> Kind | None:
        """Return the kind that was declared for a column; an argument wins over a file of types."""
        return "symbolic" if header in self.symbolic else self.kinds.get(header)

    def place(self, header: str) -> Place:
        """Return where a column stands."""
        return Place(header=header, source=self.source)


class Table(Protocol):
    """Anything with named columns: a text file, an ARFF file or a data frame."""

    @property
    def headers(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    @property
    def caveats(self) -> tuple[str, ...]:
        """What was done while the table was read."""
        ...

    def column(self, header: str, *, kind: Kind | None) -> Column:
        """Return one column, of the kind asked for, or by the rule of the source."""
        ...


def texts(names: Iterable[str] | str | None, *, option: str) -> tuple[str, ...]:
    """Return a list of names as a tuple; one bare name is refused, as its letters would be taken for names."""
    if isinstance(names, str):
        raise OptionError(
            f"{option} is the text {names!r}.",
            why="A list of column names is needed.",
            mend=f"Use {option}=[{names!r}].",
        )
    if names is not None and not isinstance(names, Iterable):
        raise OptionError(
            f"{option} is {names!r}.", why="A list of column names is needed.", mend=f"Use {option}=['NAME', ...]."
        )
    return tuple(str(name) for name in names or ())


def dataset_of(table: Table, wanted: Wanted) -> DataSet:
    """Build the data set that the caller wants from a table."""
    target = _target(table.headers, wanted)
    _check_columns(table.headers, wanted)
    set_aside = {target, *wanted.drop} | ({wanted.groups} if wanted.groups else set())
    attributes = [header for header in table.headers if header not in set_aside]
    if not attributes:
        raise InputError(
            f"{wanted.source} has no attribute beside the class column {target!r}.",
            why="There is nothing to learn from.",
            mend="Check the separator of the file and the name of the target column.",
        )
    columns = {header: table.column(header, kind=wanted.kind(header)) for header in attributes}
    labels = as_coded(table.column(target, kind="symbolic"))
    _check_classes(len(labels.names), len(labels.codes), wanted.source)
    groups = None if wanted.groups is None else _group_numbers(table, wanted)
    return assemble(columns, labels, name=wanted.name, source=wanted.source, groups=groups, caveats=table.caveats)


def _target(headers: Sequence[str], wanted: Wanted) -> str:
    for place, header in enumerate(headers):
        if header in headers[:place]:
            raise InputError(
                f"Two columns of {wanted.source} are named {header!r}.",
                why="Attributes are told apart by name.",
                mend="Rename one of the columns.",
            )
    if wanted.target is None:
        left = [header for header in headers if header not in (*wanted.drop, wanted.groups)]
        return (left or list(headers))[-1]
    if wanted.target not in headers:
        raise unknown_name(f"column in {wanted.source}", wanted.target, headers, mend="Set target to one of them.")
    return wanted.target


def _check_columns(headers: Sequence[str], wanted: Wanted) -> None:
    named = [("symbolic", wanted.symbolic), ("drop", wanted.drop), ("types", tuple(wanted.kinds))]
    if wanted.groups is not None:
        named.append(("groups", (wanted.groups,)))
    for option, names in named:
        for name in names:
            if name not in headers:
                raise unknown_name(f"column in {wanted.source}", name, headers, mend=f"Correct `{option}`.")


def _group_numbers(table: Table, wanted: Wanted) -> IntArray:
    assert wanted.groups is not None
    groups = as_coded(table.column(wanted.groups, kind="symbolic")).codes
    if (groups < 0).any():
        raise InputError(
            f"{wanted.place(wanted.groups).at(int(np.argmax(groups < 0)))} is empty.",
            why="A row without a group could stand on both sides of a split.",
            mend="Fill it in, with a group of its own if the row belongs to no other.",
        )
    return groups


def as_coded(column: Column) -> Coded:
    """Return a column as names, numbers by their value."""
    return column if isinstance(column, Coded) else coded_numbers(column)


def assemble(
    columns: Mapping[str, Column],
    labels: Coded,
    *,
    name: str,
    source: str,
    groups: IntArray | None = None,
    caveats: Sequence[str] = (),
    matrix: FloatArray | None = None,
) -> DataSet:
    """Put columns and classes together; rows without a class are dropped, values that do not occur forgotten.

    `matrix` holds the columns side by side, where they are so already: it saves putting them together.
    """
    keep: BoolArray = labels.codes >= 0
    notes = [*caveats, *_row_caveats(keep)]
    if not keep.any():
        raise InputError(
            f"{source} has no row with a class.",
            why="There is nothing to learn from.",
            mend="Name the class column with target=...",
        )
    codes, classes = _used(labels, keep)
    symbolic = np.array([isinstance(column, Coded) for column in columns.values()], dtype=bool)
    categories: list[tuple[str, ...]] = [()] * len(columns)
    if matrix is not None and keep.all() and not symbolic.any():
        values = matrix
    else:
        values = np.empty((int(keep.sum()), len(columns)), dtype=np.float64)
        for place, column in enumerate(columns.values()):
            values[:, place], categories[place] = _values(column, keep)
    notes += _column_caveats(tuple(columns), values, categories)
    return DataSet(
        name=name,
        values=values,
        symbolic=symbolic,
        attributes=tuple(columns),
        categories=tuple(categories),
        target=codes,
        classes=classes,
        groups=None if groups is None else _renumbered(groups[keep]),
        caveats=tuple(notes),
    )


def _renumbered(groups: IntArray) -> IntArray:
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


def _used(coded: Coded, keep: BoolArray) -> tuple[IntArray, tuple[str, ...]]:
    """Return the codes of the kept rows and the names that occur among them."""
    codes = coded.codes if keep.all() else coded.codes[keep]
    occurs = np.bincount(codes[codes >= 0], minlength=len(coded.names)) > 0
    if occurs.all():
        return codes, coded.names
    place = np.append(np.cumsum(occurs) - 1, -1)  # the last one answers for -1, the missing code
    return place[codes].astype(np.int64), tuple(np.array(coded.names, dtype=object)[occurs].tolist())


def _values(column: Column, keep: BoolArray) -> tuple[FloatArray, tuple[str, ...]]:
    if not isinstance(column, Coded):
        return (column if keep.all() else column[keep]), ()
    codes, names = _used(column, keep)
    return np.where(codes < 0, np.nan, codes), names


def _check_classes(n_classes: int, n_rows: int, source: str) -> None:
    if n_rows >= FEW_ROWS and n_classes > n_rows / 2:
        raise InputError(
            f"The class column of {source} has {n_classes} different values in {n_rows} rows.",
            why="That is a quantity or a name, not a class: most classes would have one row.",
            mend="Name the class column with target=..., or put the quantity into intervals first.",
        )


def _row_caveats(keep: BoolArray) -> list[str]:
    gone = int((~keep).sum())
    return [f"{gone} row(s) without a class were dropped."] if gone else []


def _column_caveats(attributes: Sequence[str], values: FloatArray, categories: Sequence[tuple[str, ...]]) -> list[str]:
    notes = []
    empty = [name for name, column in zip(attributes, values.T, strict=True) if np.isnan(column).all()]
    if empty:
        notes.append(f"Without a single value: {quoted(empty)}.")
    limit = max(FEW_ROWS, len(values)) / 2
    many = [name for name, names in zip(attributes, categories, strict=True) if len(names) > limit]
    if many:
        notes.append(f"Symbolic, with more different values than half the rows: {quoted(many)} (identifiers?).")
    return notes
