"""Data frames in and out: pandas, polars and pyarrow through narwhals, coded by their own fast paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import narwhals as nw
import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import InputError, OptionError
from tiebreak.results.columns import (
    Column,
    ListColumn,
    Names,
    Where,
    check_headers,
    coded_integers,
    name_of,
    not_a_number,
    sorted_names,
    to_number,
)
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import FRAME, ROLES, SYNONYMS, WIDE_SCORE

KINDS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
"""The libraries whose frames are made, each with what makes one."""
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_HUGE = (nw.Int128, nw.UInt128, nw.Decimal)  # numpy has no such type


class SeriesColumn(Column):
    """A column of a data frame of any kind."""

    __slots__ = ("series",)

    def __init__(self, series: nw.Series[Any]) -> None:
        self.series = series

    def __len__(self) -> int:
        return len(self.series)

    def _is_polars_text(self) -> bool:
        return bool(self.series.dtype == nw.String) and self.series.implementation.is_polars()

    def objects(self) -> list[Any]:
        """Return Python objects, None for whatever the library takes for missing."""
        nulls = self.series.is_null().to_list()
        return [None if null else value for value, null in zip(self.series.to_list(), nulls, strict=True)]

    def is_number(self) -> bool:
        """Say whether the column has a numeric type, or holds numbers as objects or written out."""
        dtype = self.series.dtype
        if dtype.is_numeric():
            return True
        if dtype == nw.Boolean or dtype.is_temporal() or dtype.is_nested():
            return False
        if self._is_polars_text():
            return None not in self._cast()[1].values()
        return ListColumn((SeriesColumn(self.series.unique()) if dtype in _TEXT else self).objects()).is_number()

    def coded(self) -> Names:
        """Code the column by the frame library itself, without making a Python object a row."""
        dtype = self.series.dtype
        if dtype.is_integer() and dtype not in _HUGE and not self.series.null_count():
            return coded_integers(self.series.to_numpy())
        return _coded_text(self.series) if dtype in _TEXT else ListColumn(self.objects()).coded()

    def as_numbers(self, where: Where) -> FloatArray:
        """Return floats; null is NaN."""
        if self._is_polars_text():
            values, odd = self.parsed()
            if odd:
                raise not_a_number(where, *self.first(odd))
            return values
        if self.series.dtype == nw.Categorical and self.series.implementation.is_polars():
            return SeriesColumn(self.series.cast(nw.String)).as_numbers(where)
        if not self.series.dtype.is_numeric():
            return ListColumn(self.objects()).as_numbers(where)
        full = self.series
        if full.null_count() or full.dtype in _HUGE:
            full = full.cast(nw.Float64).fill_null(float("nan"))
        return np.asarray(full.to_numpy(), dtype=np.float64)

    def take(self, rows: IntArray) -> SeriesColumn:
        """Return some rows of the column."""
        return SeriesColumn(self.series[rows])

    def parsed(self, read: Callable[[object], float | None] = to_number) -> tuple[FloatArray, list[str]]:
        """Parse polars text by polars, and what polars cannot read by `read`; return what is no number too."""
        import polars as pl

        text = self.series.to_native()
        numbers, result = self._cast(read)
        late = {cell: value for cell, value in result.items() if value is not None and value == value}
        if late:
            last = text.replace_strict(list(late), list(late.values()), default=None, return_dtype=pl.Float64)
            numbers = numbers.fill_null(last)
        return np.array(numbers.to_numpy(), dtype=np.float64), [cell for cell in result if result[cell] is None]

    def _cast(self, read: Callable[[object], float | None] = to_number) -> tuple[Any, dict[str, float | None]]:
        """Cast polars text to numbers, and read each different cell that polars cannot cast once."""
        import polars as pl

        text = self.series.to_native()
        numbers = text.cast(pl.Float64, strict=False)
        return numbers, {cell: read(cell) for cell in text.filter(numbers.is_null()).unique().to_list()}

    def holds(self, cells: Sequence[str]) -> BoolArray:
        """Mark the rows of polars text with one of these cells."""
        return np.asarray(self.series.to_native().is_in(cells).fill_null(False).to_numpy())

    def first(self, cells: Sequence[str]) -> tuple[int, str]:
        """Return the first row of polars text with one of these cells, and the cell."""
        row = int(np.argmax(self.holds(cells)))
        return row, self.series[row]


def _coded_text(series: nw.Series[Any]) -> Names:
    """Code strings with the fastest way each library has."""
    native = series.to_native()
    if series.implementation.is_polars():
        import polars as pl

        if native.dtype == pl.Categorical:
            return _coded_categories(native)
        text = native.cast(pl.String)
        names = text.unique().drop_nulls().sort().to_list()
        codes = text.cast(pl.Enum(names)).to_physical()
        if codes.null_count():
            codes = codes.cast(pl.Int32).fill_null(-1)
        return sorted_names(codes.to_numpy(), names)
    if series.implementation.is_pyarrow():
        import pyarrow as pa

        encoded = pa.chunked_array(native).combine_chunks().cast(pa.string()).dictionary_encode()
        return sorted_names(encoded.indices.fill_null(-1).to_numpy(), encoded.dictionary.to_pylist())
    codes, uniques = native.astype(object).factorize()
    return sorted_names(codes, [name_of(value) for value in uniques])


def _coded_categories(native: Any) -> Names:
    """Take the codes that polars has, which it shares between columns, for numbers of this column's own names."""
    import polars as pl

    distinct = native.unique().drop_nulls()
    names = sorted_names(np.arange(len(distinct), dtype=np.int32), distinct.cast(pl.String).to_list())
    known = distinct.to_physical().to_numpy()
    place = np.full(int(known.max(initial=0)) + 1, -1, dtype=np.int32)
    place[known] = names.codes
    codes = pl.Series(place).gather(native.to_physical())  # numpy would first make wide numbers of the codes
    return Names(codes=(codes.fill_null(-1) if codes.null_count() else codes).to_numpy(), names=names.names)


def split_frame(frame: Any, *, source: str) -> tuple[dict[str, SeriesColumn], str]:
    """Split any data frame into columns and name its kind; TypeError where it is none."""
    try:
        wrapped = nw.from_native(frame, eager_only=True)
        headers = wrapped.columns
    except nw.exceptions.DuplicateError:
        check_headers(list(getattr(frame, "column_names", None) or frame.columns), source)
        raise
    check_headers(headers, source)
    columns = {str(header): SeriesColumn(wrapped[:, place]) for place, header in enumerate(headers)}
    kind = wrapped.implementation
    return columns, "polars" if kind.is_polars() else "pyarrow" if kind.is_pyarrow() else "pandas"


def is_frame(value: Any) -> bool:
    """Say whether something is a data frame that can be read, or a pandas series of one score."""
    return _of_pandas(value) or nw.dependencies.is_into_dataframe(value)


def _of_pandas(value: Any) -> bool:
    """Asked by name: pandas need not be there. Its frames and series have an index, which narwhals leaves out."""
    return type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "reset_index")


def frame_columns(
    frame: Any, *, told: Mapping[str, str] | None = None, score: str = WIDE_SCORE
) -> tuple[Mapping[str, Column], str]:
    """Split a frame of results into columns and name its kind; `told` are the headers of roles.

    Where no column names the data sets, the index of a pandas frame does, if it holds names: that is how pivot tables
    and other packages keep them. A pandas series is the one column `score`.

    Examples
    --------
    >>> import pandas as pd
    >>> list(frame_columns(pd.DataFrame({"svm": [0.9], "tree": [0.8]}, index=["iris"]))[0])
    ['dataset', 'svm', 'tree']
    """
    if _of_pandas(frame):
        if getattr(getattr(frame, "columns", None), "nlevels", 1) > 1:
            raise InputError(
                "The frame has several levels of headers.",
                mend="Read it as pandas writes it: tiebreak.read(frame.to_csv()).",
            )
        frame = _with_index(frame if hasattr(frame, "columns") else frame.to_frame(frame.name or score), told or {})
    try:
        return split_frame(frame, source=FRAME)
    except TypeError:
        lazy = hasattr(frame, "collect")
        raise InputError(
            f"A {type(frame).__name__} is not a table of results.",
            mend="Collect it first: Results.from_frame(frame.collect())."
            if lazy
            else "Use Results.from_frame(frame), Results.from_dict({...}) or Results.from_array(array, ...).",
        ) from None


def _with_index(frame: Any, options: Mapping[str, str]) -> Any:
    """Turn those levels of a pandas index into columns that play a role which no column plays.

    A level plays the role that its name says. One without such a name holds the data sets if it holds text, or numbers
    under a name: numbers without one are what is left of the rows of another frame.
    """
    headers = [str(header) for header in frame.columns]
    levels = [None if name is None else str(name) for name in frame.index.names]
    known = [header for header in headers if header in options.values()]
    roles = {role for role, header in options.items() if header in known}
    roles |= {role for role in ROLES for header in headers if header.strip().lower() in SYNONYMS[role]}
    names: dict[int, str] = {}
    for place, name in enumerate(levels):
        role = next(
            (r for r in ROLES if name is not None and (options.get(r) == name or name.lower() in SYNONYMS[r])), ""
        )
        if role and role not in roles and name is not None:
            names[place] = name
            roles.add(role)
    if "dataset" not in roles and len(levels) == 1 and not names and _names_rows(frame):
        measures = sum(metric_named(header).higher_is_better is not None for header in headers)
        if measures and measures * 2 >= len(headers) and "algorithm" not in roles:
            names[0] = "index"  # names of models beside their measures
        elif not measures or "algorithm" not in roles or not frame.index.is_unique:
            names[0] = "dataset"
    if not names:
        return frame
    spread = frame.reset_index(level=list(names), names=list(names.values()))
    return spread.reset_index(drop=True)


def _names_rows(frame: Any) -> bool:
    """Say whether the one level of an index holds names of rows."""
    index = frame.index
    text = all(isinstance(value, str) for value in index)
    numbers = all(SeriesColumn(nw.from_native(frame[header], series_only=True)).is_number() for header in frame.columns)
    return len(index) > 0 and (text or (index.name is not None and numbers))


def rows_frame(rows: Sequence[Mapping[str, Any]], kind: str = "") -> Any:
    """Make a data frame of rows; what a row lacks is missing, and a column of several types holds text.

    Examples
    --------
    >>> rows_frame([{"a": 1, "b": "x"}, {"a": "-", "b": "y"}])["a"].to_list()
    ['1', '-']
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return build_frame({name: _of_one_type([row.get(name) for row in rows]) for name in names}, kind or "polars")


def _of_one_type(cells: list[Any]) -> list[Any]:
    """A frame has one type a column; numbers go together, and names beside numbers make the numbers text."""
    plain = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
    kinds = {type(cell) for cell in plain if cell is not None}
    if kinds == {int, float}:
        return [None if cell is None else float(cell) for cell in plain]
    return plain if len(kinds) < 2 else [None if cell is None else str(cell) for cell in plain]


def build_frame(columns: Mapping[str, Sequence[Any] | FloatArray], kind: str) -> Any:
    """Make a data frame of the named kind."""
    if kind not in KINDS:
        raise OptionError(f"There is no frame kind {kind!r}.", mend="Use kind='polars'.")
    try:
        library = import_module(kind)
    except ModuleNotFoundError as error:
        if error.name != kind or kind == "polars":  # which everybody has, but for an environment made for less
            raise
        raise OptionError(
            f"{kind} is not installed.",
            mend="Install it with: pip install 'tiebreak[frames]'; or use to_frame('polars').",
        ) from None
    return getattr(library, KINDS[kind])(dict(columns))
