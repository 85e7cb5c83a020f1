"""Raw columns and data frames -> DataSet: which column is the target, which rows stay, and what has to be said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.columns import (
    BY_NAME,
    Kind,
    LeftOut,
    Typed,
    as_names,
    dated,
    level_note,
    nothing_in,
    said,
    start,
    typed_series,
)
from tiebreak.datasets.dataset import DataSet, unlabelled
from tiebreak.datasets.targets import (
    FEW_ROWS,
    FEW_VALUES,
    TargetColumn,
    TargetKind,
    by_name,
    check_kind,
    check_numbers,
    counts_rows,
    many_classes,
    reading_of,
    taken_for,
    target_given,
    written_quantity,
)
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import MISSING, Names, Where, to_number
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.results.frames import SeriesColumn


Headers = Iterable[str] | str | None
"""Columns as a caller may name them."""


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
    keep: tuple[str, ...] | Literal["all"] = ()

    @classmethod
    def of(cls, *, symbolic: Headers, drop: Headers, kind: str | None, keep: Headers, **others: Any) -> Wanted:
        """Check what a caller said about columns and target."""
        return cls(
            symbolic=texts(symbolic, what="symbolic"), drop=texts(drop, what="drop"), target_kind=check_kind(kind),
            keep=kept(keep), **others,
        )  # fmt: skip

    def kind(self, header: str) -> Kind | None:
        """Return the kind that was declared for a column; an argument wins over a file of types."""
        return "symbolic" if header in self.symbolic else self.kinds.get(header)

    def stays(self, header: str) -> bool:
        """Say whether a column was called an attribute, by name or by its kind: then it is never left out."""
        return self.keep == "all" or header in self.keep or self.kind(header) is not None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """The raw columns of a text file, an ARFF file or a frame, and the rule by which each becomes numbers or names."""

    columns: Mapping[str, Any]
    source: str
    rule: Callable[[Any, Kind | None, Where], Typed]
    caveats: Caveats = ()
    rows: str = "row"
    dates: frozenset[str] = frozenset()

    def where(self, header: str) -> Where:
        """Say where a column stands."""
        return Where(column=header, source=self.source, rows=self.rows)

    def column(self, header: str, kind: Kind | None) -> Typed:
        """Return one column, of the kind asked for, or by the rule of the source."""
        return self.rule(self.columns[header], kind, self.where(header))


def texts(names: Headers, *, what: str) -> tuple[str, ...]:
    """Return a list of names as a tuple; one bare name is refused, as its letters would be taken for names."""
    bare = isinstance(names, str)
    if bare or (names is not None and not isinstance(names, Iterable)):
        text, use = (f"the text {names!r}", [names]) if bare else (repr(names), ["NAME", ...])
        raise OptionError(
            f"{what} is {text}.", why="A list of column names is needed.", mend=f"Use {option(**{what: use})}."
        )
    return tuple(str(name) for name in names or ())


def kept(names: Headers) -> tuple[str, ...] | Literal["all"]:
    """Return the columns that are never left out; the word "all" stands for every one."""
    return "all" if names == "all" else texts(names, what="keep")


def dates_in(columns: Mapping[str, SeriesColumn]) -> frozenset[str]:
    """Return the columns of a frame whose type says that they hold dates, times or spans of time."""
    return frozenset(header for header, column in columns.items() if column.series.dtype.is_temporal())


def dataset_of(
    table: Table, wanted: Wanted, beside: tuple[Typed, Caveats] | None = None, *, named: tuple[str, str] = ("", "")
) -> DataSet:
    """Build the data set that the caller wants from a table; `beside` is a target that stands beside it, as `named`."""
    headers = list(table.columns)
    _check_columns(headers, wanted)
    chosen = TargetColumn(name=named[0], why=named[1]) if beside is not None else _target(table, wanted)
    header = chosen.name
    attributes = [name for name in headers if name not in {*wanted.drop, wanted.groups} and (beside or name != header)]
    if not attributes:
        raise InputError(
            f"{wanted.source} has no column besides the class column {header or None!r}.",
            why="There is nothing to learn from.",
            mend="Check the separator of the file and the name of the target column.",
        )
    target, notes = _column_target(table, chosen, wanted) if beside is None else beside
    _check_target(target, wanted.source, told=wanted.target_kind)
    columns, gone = _attributes(table, attributes, wanted)
    groups = None if wanted.groups is None else _group_numbers(table, wanted.groups)
    dropped = tuple(LeftOut(column=name, reason="told", why="as told") for name in wanted.drop)
    return assemble(
        columns,
        target,
        name=wanted.name,
        source=wanted.source,
        groups=groups,
        caveats=(*_unexpected(chosen), *notes, *said(gone), *level_note(columns, wanted.kind), *table.caveats),
        named=(header, chosen.why),
        left_out=(*gone, *dropped),
    )


def _attributes(table: Table, headers: Sequence[str], wanted: Wanted) -> tuple[dict[str, Typed], tuple[LeftOut, ...]]:
    """Return the columns to learn from, and those that nothing can be learned from."""
    columns: dict[str, Typed] = {}
    gone: list[LeftOut] = []
    for header in headers:
        if header in table.dates and not wanted.stays(header):
            gone.append(dated(header))
            continue
        column = table.column(header, wanted.kind(header))
        result = nothing_in(header, column, told=wanted.stays(header))
        if result is None:
            columns[header] = column
        else:
            gone.append(result)
    if not columns:
        raise _all_left_out(wanted.source, gone)
    return columns, tuple(gone)


def without_columns(data: DataSet, drop: Sequence[str], keep: Collection[str]) -> DataSet:
    """Return a data set without what is to be dropped, and without what nothing can be learned from unless it stays."""
    check_choices(f"attribute of data set {data.name!r}", (*drop, *(() if keep == "all" else keep)), data.attributes)
    gone = [LeftOut(column=text, reason="told", why="as told") for text in drop]
    for place, name in enumerate(data.attributes):
        stays = keep == "all" or name in keep or bool(data.symbolic[place])
        result = None if stays or name in drop else nothing_in(name, data.values[:, place])
        gone += [] if result is None else [result]
    if not gone:
        return data
    out = {item.column for item in gone}
    left = np.array([name not in out for name in data.attributes])
    if not left.any():
        raise _all_left_out(f"Data set {data.name!r}", gone)
    return replace(
        data,
        values=data.values[:, left],
        symbolic=data.symbolic[left],
        attributes=tuple(compress(data.attributes, left)),
        categories=tuple(compress(data.categories, left)),
        left_out=tuple(gone),
        caveats=(*data.caveats, *said(gone)),
    )


def _all_left_out(source: str, gone: Sequence[LeftOut]) -> InputError:
    return InputError(
        f"{source} has no attribute to learn from; left out were {', '.join(map(str, gone[:8]))}.",
        why="Nothing can be learned from them.",
        mend=f"Add attributes, or keep some of these with {option(keep=[gone[0].column])}.",
    )


def _unexpected(chosen: TargetColumn) -> Caveats:
    """Say that the target is not the last column, to those who count on it."""
    if not chosen.unexpected:
        return ()
    text = f"target {chosen.name!r} was taken by its name; the last column is {chosen.last!r}, for which say"
    return (Caveat("target-not-last", f"{text} {option(target=chosen.last)}."),)


def _column_target(table: Table, chosen: TargetColumn, wanted: Wanted) -> tuple[Typed, Caveats]:
    """Return the target, as numbers or as names, and what is to be said about the choice."""
    header = chosen.name
    if wanted.target_kind == "number":
        return _told_number(table, header), ()
    mask = wanted.target_kind is None and wanted.kind(header) != "symbolic"
    numbers = _numbers(table, header) if mask else None
    if numbers is None:
        return as_names(table.column(header, "symbolic")), ()
    reading = reading_of(numbers, says_classes=chosen.says_classes)
    notes = taken_for(f"target {header!r}" + (f", {chosen.why}" if chosen.why else ""), reading)
    return (numbers if reading.kind == "number" else as_names(table.column(header, "symbolic"))), notes


def _numbers(table: Table, header: str) -> FloatArray | None:
    """Return a column as numbers, or None where it holds names; many numbers with a few texts are refused."""
    try:
        column = table.column(header, None)
    except InputError as error:
        names = as_names(table.column(header, "symbolic")).names
        if sum(to_number(name, missing=MISSING) is not None for name in names) <= FEW_VALUES:
            return None
        raise InputError(
            error.what,
            why="The other values of the target are numbers, which would all be classes beside it.",
            mend=f"Correct the cells, or leave them empty to drop the rows; if these are classes, say"
            f" {option(kind='classes')}.",
        ) from None
    return None if isinstance(column, Names) else column


def _told_number(table: Table, header: str) -> FloatArray:
    try:
        column = table.column(header, "numeric")
    except InputError as error:
        raise InputError(
            f"The target {header!r} of {table.source} is not a number: {str(error).split('. ')[0].rstrip('.')}.",
            why=f"{option(kind='number')} needs numbers.",
            mend=f"Correct the cells, leave them empty, or use {option(kind='classes')}.",
        ) from None
    assert not isinstance(column, Names)
    return column


def _check_target(target: Typed, source: str, *, told: TargetKind | None) -> None:
    """Refuse a target that most rows have for themselves, as a name or a row number is, and one that is not finite."""
    if isinstance(target, Names):
        ways = {"told": told == "classes", "numbers": told == "classes"}
        problem = many_classes(len(target.names), len(target.codes), source, **ways)
        if told is None:
            problem = written_quantity(target.names, source) or problem
    else:
        check_numbers(target, source)
        counting = told is None and counts_rows(target)
        problem = many_classes(len(target), len(target), source, told=False, numbers=True) if counting else None
    if problem is not None:
        raise problem


def _target(table: Table, wanted: Wanted) -> TargetColumn:
    """Find the target: as told, else by its name, else the last column, as most files have it."""
    headers = list(table.columns)
    if wanted.target is None:
        left = [header for header in headers if header not in (*wanted.drop, wanted.groups)] or headers
        return by_name(left, wanted.source)
    mend = f"Set {option('target')} to one of them."
    return TargetColumn(name=check_choice(f"column in {wanted.source}", wanted.target, headers, mend=mend))


def _check_columns(headers: Sequence[str], wanted: Wanted) -> None:
    """All options are checked against the headers first: a misspelt `drop` would keep the column."""
    groups = () if wanted.groups is None else (wanted.groups,)
    stay = () if wanted.keep == "all" else wanted.keep
    named = {"symbolic": wanted.symbolic, "drop": wanted.drop, "types": wanted.kinds, "groups": groups, "keep": stay}
    for name, names in named.items():
        check_choices(f"column in {wanted.source}", names, headers, mend=f"Correct {option(name)}.")


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
    left_out: tuple[LeftOut, ...] = (),
) -> DataSet:
    """Put columns and target together; rows without a target are dropped, values that do not occur forgotten.

    `matrix` holds the columns side by side, where they are so already: it saves putting them together. `named` is the
    name of the target and why it was taken, `left_out` what is not among the columns.
    """
    word = "class" if isinstance(target, Names) else "target"
    keep: BoolArray = target.codes >= 0 if isinstance(target, Names) else ~np.isnan(target)
    if not keep.any():
        raise InputError(
            f"{source} has no row with a {word}.",
            why="There is nothing to learn from.",
            mend=f"Give rows, or say {option(target=...)} to name the {word} column.",
        )
    symbolic = np.array([isinstance(column, Names) for column in columns.values()], dtype=bool)
    categories: list[tuple[str, ...]] = [()] * len(columns)
    if matrix is not None and keep.all() and not symbolic.any():
        values = matrix
    else:
        values = np.empty((int(keep.sum()), len(columns)), dtype=np.float64)
        for place, column in enumerate(columns.values()):
            values[:, place], categories[place] = _values(column, keep)
    current: npt.NDArray[Any]
    if isinstance(target, Names):
        target = target.take(keep)
        current, classes = target.codes.astype(np.int64), target.names
    else:
        current, classes = target[keep], ()
    return DataSet(
        name=name,
        values=values,
        symbolic=symbolic,
        attributes=tuple(columns),
        categories=tuple(categories),
        target=current,
        classes=classes,
        groups=None if groups is None else np.unique(groups[keep], return_inverse=True)[1].astype(np.int64),
        caveats=(*caveats, *_notes(keep, columns, values, categories, word)),
        kind="classes" if isinstance(target, Names) else "number",
        target_name=named[0],
        target_why=named[1],
        left_out=left_out,
    )


def _values(column: Typed, keep: BoolArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Codes of names become floats, so that one matrix holds both kinds and NaN means missing in both."""
    if not isinstance(column, Names):
        return (column if keep.all() else column[keep]), ()
    names = column.take(keep)
    return np.where(names.codes < 0, np.nan, names.codes), names.names


def _notes(
    keep: BoolArray, attributes: Iterable[str], values: FloatArray, categories: Sequence[tuple[str, ...]], missing: str
) -> Iterator[Caveat]:
    """A column of names with as many values as half the rows is more likely an identifier than an attribute."""
    if not keep.all():
        yield Caveat("rows-left-out", f"{int((~keep).sum())} row(s) without a {missing} were dropped.")
    empty = [name for name, column in zip(attributes, values.T, strict=True) if np.isnan(column).all()]
    if empty:
        yield Caveat("columns-left-out", f"Without a single value: {quoted(empty)}.")
    limit = max(FEW_ROWS, len(values)) / 2
    many = [name for name, names in zip(attributes, categories, strict=True) if len(names) > limit]
    if many:
        text = f"Symbolic, with more different values than half the rows: {quoted(many)} (identifiers?)."
        yield Caveat("columns-left-out", text)


def from_frame(
    frame: Any,
    *,
    target: str | None = None,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
    groups: str | None = None,
    drop: Sequence[str] | None = None,
    kind: str | None = None,
    keep: Sequence[str] | None = None,
) -> DataSet:
    """Return the data set that a data frame holds.

    Numbers are numeric; categories, text and truth values are symbolic; null and NaN are missing. In columns of
    plain text the marks of text files (empty, NA, NaN, null, ?) are missing as well, and a column of text that is
    mostly numbers, more than 20 different ones, is refused: it was read as text by mistake. Dates are left out, with
    the other columns that `read_data` leaves out.

    Parameters
    ----------
    frame : pandas, polars or arrow frame
    target : str, optional
        The target, a column of classes or of numbers; if left out one called class, target, label, ..., else the last.
    name : str, default "data"
    symbolic, drop, keep : sequence of str, optional
        Columns whose numbers are names; columns to leave out; columns to keep although nothing can be learned from
        them ("all": every one), see `read_data`.
    groups : str, optional
        A column that is no attribute: rows with the same value never stand on both sides of a split.
    kind : {"classes", "number"}, optional
        What the target is; told by its values if left out, see `read_data`.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> import polars as pl
    >>> from_frame(pl.DataFrame({"size": [1.5, None], "red": [True, False], "kind": ["a", "b"]}), target="kind")
    DataSet('data', 2 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    named = {"target": None if target is None else str(target), "groups": None if groups is None else str(groups)}
    source = f"the frame {name!r}"
    wanted = Wanted.of(name=name, source=source, symbolic=symbolic, drop=drop, kind=kind, keep=keep, **named)
    return dataset_of(frame_table(frame, source=wanted.source), wanted)


def from_xy(
    x: Any,
    y: Sequence[object] | npt.NDArray[Any],
    *,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
    kind: str | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | None = "all",
) -> DataSet:
    """Return the data set of a pair as scikit-learn takes it: a frame or an array, and a class or a number per row.

    The columns of an array are called a1, a2, ... and are numeric unless `symbolic` names them. `kind` says what the
    target is, "classes" or "number"; its values tell it if left out, see `read_data`. All columns are kept but those
    of `drop`; with another `keep` those that nothing can be learned from are left out too, as `read_data` does.

    Examples
    --------
    >>> from_xy([[0.5, 1], [0.1, 2], [0.3, 1]], [0, 1, 0], name="small", symbolic=["a2"])
    DataSet('small', 3 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    names = texts(symbolic, what="symbolic")
    if isinstance(x, (np.ndarray, list, tuple)) or hasattr(x, "toarray"):
        matrix = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
        width = matrix.shape[1] if matrix.ndim == 2 else 0
        kinds = [f"a{place + 1}" in names for place in range(width)]
        target = y.to_list() if hasattr(y, "to_list") else y
        data = DataSet.from_arrays(_floats(matrix), target, name=name, symbolic=kinds if width else None, kind=kind)
        return without_columns(data, texts(drop, what="drop"), (*kept(keep), *names) if keep != "all" else "all")
    source = f"the frame {name!r}"
    table = frame_table(x, source=source)
    labels = list(y.to_list() if hasattr(y, "to_list") else np.asarray(y, dtype=object).tolist())
    rows = len(next(iter(table.columns.values()), ()))
    if len(labels) != rows:
        raise unlabelled(name, rows, len(labels))
    wanted = Wanted.of(name=name, source=source, symbolic=symbolic, drop=drop, kind=kind, keep=keep)
    return dataset_of(table, wanted, target_given(labels, kind, source=source))


def _floats(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "X holds something that is not a number.",
            why="The columns of an array have one type.",
            mend="Pass a data frame, whose columns may be text.",
        ) from None


def frame_table(frame: Any, *, source: str) -> Table:
    """Split any data frame; something else is refused."""
    from tiebreak.results.frames import split_frame

    try:
        columns, _ = split_frame(frame, source=source, why=BY_NAME)
    except TypeError:
        raise OptionError(
            f"A {type(frame).__name__} is not a data frame.",
            why="Frames of pandas, polars or pyarrow are read.",
            mend="Use from_xy(X, y) for arrays; collect a lazy frame first with frame.collect().",
        ) from None
    return Table(columns=columns, source=source, rule=typed_series, dates=dates_in(columns))
