"""Raw columns -> DataSet: which column is the class, which rows stay, and what has to be said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.columns import Kind, Typed, as_names, start
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.tables.columns import Names, Where

if TYPE_CHECKING:
    from tiebreak.tables.frames import SeriesColumn

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """The raw columns of a text file, an ARFF file or a frame, and the rule by which each becomes numbers or names."""

    columns: Mapping[str, SeriesColumn]
    source: str
    rule: Callable[[SeriesColumn, Kind | None, Where], Typed]
    caveats: Caveats = ()
    rows: str = "row"

    def where(self, header: str) -> Where:
        """Say where a column stands."""
        return Where(column=header, source=self.source, rows=self.rows)

    def column(self, header: str, kind: Kind | None) -> Typed:
        """Return one column, of the kind asked for, or by the rule of the source."""
        return self.rule(self.columns[header], kind, self.where(header))


def texts(names: Iterable[str] | str | None, *, option: str) -> tuple[str, ...]:
    """Return a list of names as a tuple; one bare name is refused, as its letters would be taken for names."""
    bare = isinstance(names, str)
    if bare or (names is not None and not isinstance(names, Iterable)):
        said, use = (f"the text {names!r}", repr(names)) if bare else (repr(names), "'NAME', ...")
        raise OptionError(
            f"{option} is {said}.", why="A list of column names is needed.", mend=f"Use {option}=[{use}]."
        )
    return tuple(str(name) for name in names or ())


def dataset_of(table: Table, wanted: Wanted, labels: Names | None = None) -> DataSet:
    """Build the data set that the caller wants from a table; `labels` are the classes that stand beside it."""
    headers = list(table.columns)
    target = None if labels is not None else _target(headers, wanted)
    _check_columns(headers, wanted)
    attributes = [header for header in headers if header not in {target, wanted.groups, *wanted.drop}]
    if not attributes:
        raise InputError(
            f"{wanted.source} has no attribute beside the class column {target!r}.",
            why="There is nothing to learn from.",
            mend="Check the separator of the file and the name of the target column.",
        )
    columns = {header: table.column(header, wanted.kind(header)) for header in attributes}
    if labels is None:
        labels = as_names(table.column(str(target), "symbolic"))
    _check_classes(len(labels.names), len(labels.codes), wanted.source)
    groups = None if wanted.groups is None else _group_numbers(table, wanted.groups)
    return assemble(columns, labels, name=wanted.name, source=wanted.source, groups=groups, caveats=table.caveats)


def _target(headers: Sequence[str], wanted: Wanted) -> str:
    """Find the class column: as told, else the last one, as most files have it."""
    if wanted.target is None:
        left = [header for header in headers if header not in (*wanted.drop, wanted.groups)]
        return (left or list(headers))[-1]
    return check_choice(f"column in {wanted.source}", wanted.target, headers, mend="Set target to one of them.")


def _check_columns(headers: Sequence[str], wanted: Wanted) -> None:
    """All options are checked against the headers first: a misspelt `drop` would keep the column."""
    groups = () if wanted.groups is None else (wanted.groups,)
    named = {"symbolic": wanted.symbolic, "drop": wanted.drop, "types": wanted.kinds, "groups": groups}
    for option, names in named.items():
        check_choices(f"column in {wanted.source}", names, headers, mend=f"Correct `{option}`.")


def _group_numbers(table: Table, header: str) -> IntArray:
    """Number the groups; one without a name cannot be kept on one side of a split."""
    groups = as_names(table.column(header, "symbolic")).codes
    if (groups < 0).any():
        raise InputError(
            f"{start(table.where(header), int(np.argmax(groups < 0)))} is empty.",
            why="A row without a group could stand on both sides of a split.",
            mend="Fill it in, with a group of its own if the row belongs to no other.",
        )
    return groups.astype(np.int64)


def assemble(
    columns: Mapping[str, Typed],
    labels: Names,
    *,
    name: str,
    source: str,
    groups: IntArray | None = None,
    caveats: Caveats = (),
    matrix: FloatArray | None = None,
) -> DataSet:
    """Put columns and classes together; rows without a class are dropped, values that do not occur forgotten.

    `matrix` holds the columns side by side, where they are so already: it saves putting them together.
    """
    keep: BoolArray = labels.codes >= 0
    if not keep.any():
        raise InputError(
            f"{source} has no row with a class.",
            why="There is nothing to learn from.",
            mend="Name the class column with target=...",
        )
    classes = labels.take(keep)
    symbolic = np.array([isinstance(column, Names) for column in columns.values()], dtype=bool)
    categories: list[tuple[str, ...]] = [()] * len(columns)
    if matrix is not None and keep.all() and not symbolic.any():
        values = matrix
    else:
        values = np.empty((int(keep.sum()), len(columns)), dtype=np.float64)
        for place, column in enumerate(columns.values()):
            values[:, place], categories[place] = _values(column, keep)
    return DataSet(
        name=name,
        values=values,
        symbolic=symbolic,
        attributes=tuple(columns),
        categories=tuple(categories),
        target=classes.codes.astype(np.int64),
        classes=classes.names,
        groups=None if groups is None else np.unique(groups[keep], return_inverse=True)[1].astype(np.int64),
        caveats=(*caveats, *_notes(keep, columns, values, categories)),
    )


def _values(column: Typed, keep: BoolArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Codes of names become floats, so that one matrix holds both kinds and NaN means missing in both."""
    if not isinstance(column, Names):
        return (column if keep.all() else column[keep]), ()
    kept = column.take(keep)
    return np.where(kept.codes < 0, np.nan, kept.codes), kept.names


def _check_classes(n_classes: int, n_rows: int, source: str) -> None:
    """Refuse a target that is a quantity: nothing else tells a regression problem from a classification problem."""
    if n_rows >= FEW_ROWS and n_classes > n_rows / 2:
        raise InputError(
            f"The class column of {source} has {n_classes} different values in {n_rows} rows.",
            why="That is a quantity or a name, not a class: most classes would have one row.",
            mend="Name the class column with target=..., or put the quantity into intervals first.",
        )


def _notes(
    keep: BoolArray, attributes: Iterable[str], values: FloatArray, categories: Sequence[tuple[str, ...]]
) -> Iterator[Caveat]:
    """A column of names with as many values as half the rows is more likely an identifier than an attribute."""
    if not keep.all():
        yield Caveat("rows-without-class", f"{int((~keep).sum())} row(s) without a class were dropped.")
    empty = [name for name, column in zip(attributes, values.T, strict=True) if np.isnan(column).all()]
    if empty:
        yield Caveat("empty-attributes", f"Without a single value: {quoted(empty)}.")
    limit = max(FEW_ROWS, len(values)) / 2
    many = [name for name, names in zip(attributes, categories, strict=True) if len(names) > limit]
    if many:
        text = f"Symbolic, with more different values than half the rows: {quoted(many)} (identifiers?)."
        yield Caveat("identifiers", text)
