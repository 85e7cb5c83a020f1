"""Data frames in and out: pandas, polars and pyarrow through narwhals, coded by their own fast paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import narwhals as nw
import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import (
    RESULTS,
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
from tiebreak.results.roles import FRAME, METRIC, ROLES, SYNONYMS, WIDE_SCORE

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

    def is_float(self) -> bool:
        """Say whether the column holds floating-point numbers as such."""
        return self.series.dtype.is_float()

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


class WrittenNumbers(SeriesColumn):
    """A column of numbers from a text file, which is read again where its cells are names: 0.10 is not 0.1 then."""

    __slots__ = ("again",)

    def __init__(self, series: nw.Series[Any], again: Callable[[], Any]) -> None:
        super().__init__(series)
        self.again = again

    def coded(self) -> Names:
        """Code the cells as they were written."""
        return _coded_text(nw.from_native(self.again(), series_only=True))

    def take(self, rows: IntArray) -> SeriesColumn:
        """Return some rows of the column."""
        return WrittenNumbers(self.series[rows], lambda: self.again()[rows])


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


def split_frame(frame: Any, *, source: str, why: str = RESULTS) -> tuple[dict[str, SeriesColumn], str]:
    """Split any data frame into columns and name its kind; TypeError where it is none."""
    check = partial(check_headers, source=source, why=why)
    try:
        wrapped = nw.from_native(frame, eager_only=True)
        headers = wrapped.columns
    except nw.exceptions.DuplicateError:
        check(list(getattr(frame, "column_names", None) or frame.columns))
        raise
    check(headers)
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
            frame = one_level(frame, told=told or {}, score=score)
        frame = _with_index(frame if hasattr(frame, "columns") else frame.to_frame(frame.name or score), told or {})
    try:
        return split_frame(frame, source=FRAME)
    except TypeError:
        lazy = hasattr(frame, "collect")
        raise InputError(
            f"A {type(frame).__name__} is not a table of results.",
            why="Frames of pandas, polars or pyarrow are read, and dictionaries of columns.",
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
        raise OptionError(
            f"There is no frame kind {kind!r}.", why=f"Known are {', '.join(KINDS)}.", mend="Use kind='polars'."
        )
    try:
        library = import_module(kind)
    except ModuleNotFoundError as error:
        if error.name != kind or kind == "polars":  # which everybody has, but for an environment made for less
            raise
        raise OptionError(
            f"{kind} is not installed.",
            why="A data frame of that kind was asked for.",
            mend="Install it with: pip install 'tiebreak[frames]'; or use to_frame('polars').",
        ) from None
    return getattr(library, KINDS[kind])(dict(columns))


_STATISTIC = "statistic"
_MEANS = ("mean", "avg", "average")
_SHORT = {"std": "sd"}
"""As standard deviations are called beside their score, `Results.spreads`."""
_STATISTICS = (*_MEANS, *"std sd sem se var median min max count size".split())


def one_level(frame: Any, *, told: Mapping[str, str], score: str) -> Any:
    """Return a frame with one level of headers: scores stay columns, algorithms and whatever else is named become rows.

    A level is what its name says. One without such a name holds scores if all its words are known as such, statistics
    if they are mean, std and the like, and else the algorithms, if no other place does.

    Examples
    --------
    >>> import pandas as pd
    >>> wide = pd.DataFrame([[0.9, 0.8, 3.0, 1.0]], index=["iris"], columns=pd.MultiIndex.from_product(
    ...     [["accuracy", "train_time"], ["svm", "tree"]]))
    >>> one_level(wide, told={}, score="accuracy").reset_index().to_dict("list")
    {'algorithm': ['svm', 'tree'], 'dataset': ['iris', 'iris'], 'accuracy': [0.9, 0.8], 'train_time': [3.0, 1.0]}
    """
    kinds = _kinds(frame, told, score)
    rows = [place for place, kind in enumerate(kinds) if kind in ROLES]
    if len(rows) == len(kinds):  # without a level of scores the frame is a wide one, of algorithms
        rows.remove(kinds.index("algorithm") if "algorithm" in kinds else len(kinds) - 1)
    out = frame
    if out.index.nlevels == 1 and out.index.name is None and "dataset" not in kinds:
        out = out.rename_axis(index="dataset") if all(isinstance(item, str) for item in out.index) else out
    for place in sorted(rows, reverse=True):
        names = list(dict.fromkeys(out.columns.get_level_values(place)))
        parts = {str(name): out.xs(name, axis=1, level=place) for name in names}
        header = frame.columns.names[place]
        out = import_module("pandas").concat(parts, names=[str(header) if header is not None else kinds[place]])
    lines = [kind for place, kind in enumerate(kinds) if place not in rows]
    out.columns = [_header(cells, lines, score) for cells in _cells(out.columns)]
    return out


def _cells(columns: Any) -> list[tuple[str, ...]]:
    return [tuple(map(str, column)) if isinstance(column, tuple) else (str(column),) for column in columns]


def _header(cells: Sequence[str], kinds: Sequence[str], score: str) -> str:
    """Name a column by its score; that of a mean is the score itself."""
    held = dict(zip(kinds, cells, strict=True))
    if not held.keys() & {METRIC, _STATISTIC}:
        return cells[0]
    name, statistic = held.get(METRIC, score), held.get(_STATISTIC, "mean")
    return name if statistic.lower() in _MEANS else f"{name}_{_SHORT.get(statistic.lower(), statistic)}"


def _kinds(frame: Any, options: Mapping[str, str], score: str) -> list[str]:
    """Say what each level of the headers holds."""
    levels = [list(dict.fromkeys(map(str, frame.columns.get_level_values(i)))) for i in range(frame.columns.nlevels)]
    pairs = zip(frame.columns.names, levels, strict=True)
    kinds = [_role(name, options) or _content(words, score) for name, words in pairs]
    taken = {*kinds, *(_role(name, options) for name in frame.index.names)}
    open_levels = [place for place, kind in enumerate(kinds) if not kind]
    if len(open_levels) == 1 and "algorithm" not in taken:
        kinds[open_levels[0]] = "algorithm"
    if "" in kinds or len(set(kinds)) < len(kinds):
        shown = "; ".join(quoted(words, limit=3) for words in levels)
        raise InputError(
            f"The headers of {FRAME} have {len(levels)} levels, and it is not clear what each of them holds: {shown}.",
            why="Scores, algorithms and data sets would be taken for each other.",
            mend='Name the levels, such as frame.columns.names = ["metric", "algorithm"].',
        )
    return kinds


def _role(name: object, options: Mapping[str, str]) -> str:
    """Return what the name of a level says."""
    word = "" if name is None else str(name).strip().lower()
    role = next((text for text in ROLES if word and (options.get(text) == str(name) or word in SYNONYMS[text])), "")
    return METRIC if not role and word in (METRIC, "score", "measure") else role


def _content(words: Sequence[str], score: str) -> str:
    """Return what the words of a level say."""
    if all(word.strip().lower() in _STATISTICS for word in words):
        return _STATISTIC
    known = [metric_named(word) for word in words if word != score]
    return METRIC if all(metric.higher_is_better is not None or metric.is_general for metric in known) else ""
