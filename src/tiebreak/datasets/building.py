"""Raw columns -> DataSet: which column is the target, which rows stay, and what has to be said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.columns import Kind, Typed, as_names, start
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.targets import (
    FEW_ROWS,
    TargetKind,
    check_numbers,
    counts_rows,
    many_classes,
    reading_of,
    taken_for,
)
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.tables.columns import Names, Where
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.tables.frames import SeriesColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller said about a table: its name, its target and what that is, kinds, groups, columns to drop."""

    name: str
    source: str
    target: str | None = None
    symbolic: tuple[str, ...] = ()
    groups: str | None = None
    drop: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    target_kind: TargetKind | None = None

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


def texts(names: Iterable[str] | str | None, *, what: str) -> tuple[str, ...]:
    """Return a list of names as a tuple; one bare name is refused, as its letters would be taken for names."""
    bare = isinstance(names, str)
    if bare or (names is not None and not isinstance(names, Iterable)):
        said, use = (f"the text {names!r}", [names]) if bare else (repr(names), ["NAME", ...])
        raise OptionError(
            f"{what} is {said}.", why="A list of column names is needed.", mend=f"Use {option(**{what: use})}."
        )
    return tuple(str(name) for name in names or ())


def dataset_of(table: Table, wanted: Wanted, beside: tuple[Typed, Caveats] | None = None) -> DataSet:
    """Build the data set that the caller wants from a table; `beside` is a target that stands beside it."""
    headers = list(table.columns)
    header = "" if beside is not None else _target(headers, wanted)
    _check_columns(headers, wanted)
    attributes = [each for each in headers if each not in {*wanted.drop, wanted.groups} and (beside or each != header)]
    if not attributes:
        raise InputError(
            f"{wanted.source} has no attribute beside the class column {header or None!r}.",
            why="There is nothing to learn from.",
            mend="Check the separator of the file and the name of the target column.",
        )
    columns = {each: table.column(each, wanted.kind(each)) for each in attributes}
    target, notes = _column_target(table, header, wanted) if beside is None else beside
    _check_target(target, wanted.source, told=wanted.target_kind)
    groups = None if wanted.groups is None else _group_numbers(table, wanted.groups)
    why = "the last column" if header and wanted.target is None else ""
    return assemble(
        columns,
        target,
        name=wanted.name,
        source=wanted.source,
        groups=groups,
        caveats=(*notes, *table.caveats),
        named=(header, why),
    )


def _column_target(table: Table, header: str, wanted: Wanted) -> tuple[Typed, Caveats]:
    """Return the target, as numbers or as names, and what is to be said about the choice."""
    if wanted.target_kind == "number":
        return _told_number(table, header), ()
    asked = wanted.target_kind is None and wanted.kind(header) != "symbolic"
    numbers = _numbers(table, header) if asked else None
    if numbers is None:
        return as_names(table.column(header, "symbolic")), ()
    found = reading_of(numbers)
    notes = taken_for(f"target {header!r}" + (", the last column" if wanted.target is None else ""), found)
    return (numbers if found.kind == "number" else as_names(table.column(header, "symbolic"))), notes


def _numbers(table: Table, header: str) -> FloatArray | None:
    """Return a column as numbers, or None: a target that is mostly numbers, but not quite, holds names."""
    try:
        found = table.column(header, None)
    except InputError:
        return None
    return None if isinstance(found, Names) else found


def _told_number(table: Table, header: str) -> FloatArray:
    try:
        found = table.column(header, "numeric")
    except InputError as error:
        raise InputError(
            f"The target {header!r} of {table.source} is no number: {str(error).split('. ')[0].rstrip('.')}.",
            why=f"It was said to be one: {option(kind='number')}.",
            mend=f"Correct the cells, leave them empty, or say {option(kind='classes')}.",
        ) from None
    assert not isinstance(found, Names)
    return found


def _check_target(target: Typed, source: str, *, told: TargetKind | None) -> None:
    """Refuse a target that most rows have for themselves, as a name or a row number is, and one that is not finite."""
    if isinstance(target, Names):
        problem = many_classes(len(target.names), len(target.codes), source, numbers=told == "classes")
    else:
        check_numbers(target, source)
        counting = told is None and counts_rows(target)
        problem = many_classes(len(target), len(target), source, numbers=True) if counting else None
    if problem is not None:
        raise problem


def _target(headers: Sequence[str], wanted: Wanted) -> str:
    """Find the class column: as told, else the last one, as most files have it."""
    if wanted.target is None:
        left = [header for header in headers if header not in (*wanted.drop, wanted.groups)]
        return (left or list(headers))[-1]
    return check_choice(
        f"column in {wanted.source}", wanted.target, headers, mend=f"Set {option('target')} to one of them."
    )


def _check_columns(headers: Sequence[str], wanted: Wanted) -> None:
    """All options are checked against the headers first: a misspelt `drop` would keep the column."""
    groups = () if wanted.groups is None else (wanted.groups,)
    named = {"symbolic": wanted.symbolic, "drop": wanted.drop, "types": wanted.kinds, "groups": groups}
    for told, names in named.items():
        check_choices(f"column in {wanted.source}", names, headers, mend=f"Correct `{told}`.")


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
    target: Typed,
    *,
    name: str,
    source: str,
    groups: IntArray | None = None,
    caveats: Caveats = (),
    matrix: FloatArray | None = None,
    named: tuple[str, str] = ("", ""),
) -> DataSet:
    """Put columns and target together; rows without a target are dropped, values that do not occur forgotten.

    `matrix` holds the columns side by side, where they are so already: it saves putting them together. `named` is the
    name of the target and why it was taken.
    """
    word = "class" if isinstance(target, Names) else "target"
    keep: BoolArray = target.codes >= 0 if isinstance(target, Names) else ~np.isnan(target)
    if not keep.any():
        raise InputError(
            f"{source} has no row with a {word}.",
            why="There is nothing to learn from.",
            mend=f"Say {option(target=...)} to name the {word} column.",
        )
    symbolic = np.array([isinstance(column, Names) for column in columns.values()], dtype=bool)
    categories: list[tuple[str, ...]] = [()] * len(columns)
    if matrix is not None and keep.all() and not symbolic.any():
        values = matrix
    else:
        values = np.empty((int(keep.sum()), len(columns)), dtype=np.float64)
        for place, column in enumerate(columns.values()):
            values[:, place], categories[place] = _values(column, keep)
    own, classes = (target[keep], ()) if not isinstance(target, Names) else _coded(target.take(keep))
    return DataSet(
        name=name,
        values=values,
        symbolic=symbolic,
        attributes=tuple(columns),
        categories=tuple(categories),
        target=own,
        classes=classes,
        groups=None if groups is None else np.unique(groups[keep], return_inverse=True)[1].astype(np.int64),
        caveats=(*caveats, *_notes(keep, columns, values, categories, word)),
        kind="classes" if isinstance(target, Names) else "number",
        target_name=named[0],
        target_why=named[1],
    )


def _coded(labels: Names) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    return labels.codes.astype(np.int64), labels.names


def _values(column: Typed, keep: BoolArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Codes of names become floats, so that one matrix holds both kinds and NaN means missing in both."""
    if not isinstance(column, Names):
        return (column if keep.all() else column[keep]), ()
    kept = column.take(keep)
    return np.where(kept.codes < 0, np.nan, kept.codes), kept.names


def _notes(
    keep: BoolArray, attributes: Iterable[str], values: FloatArray, categories: Sequence[tuple[str, ...]], missing: str
) -> Iterator[Caveat]:
    """A column of names with as many values as half the rows is more likely an identifier than an attribute."""
    if not keep.all():
        yield Caveat("rows-without-class", f"{int((~keep).sum())} row(s) without a {missing} were dropped.")
    empty = [name for name, column in zip(attributes, values.T, strict=True) if np.isnan(column).all()]
    if empty:
        yield Caveat("empty-attributes", f"Without a single value: {quoted(empty)}.")
    limit = max(FEW_ROWS, len(values)) / 2
    many = [name for name, names in zip(attributes, categories, strict=True) if len(names) > limit]
    if many:
        text = f"Symbolic, with more different values than half the rows: {quoted(many)} (identifiers?)."
        yield Caveat("identifiers", text)
