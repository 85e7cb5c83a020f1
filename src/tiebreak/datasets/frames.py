"""Data frames -> DataSet: pandas, polars and arrow through narwhals, and the (X, y) pairs of scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak.datasets.building import Wanted, dataset_of, texts
from tiebreak.datasets.columns import (
    MISSING,
    Coded,
    Column,
    Kind,
    Place,
    coded_names,
    coded_numbers,
    coded_text,
    name_of,
    read_number,
)
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import InputError, OptionError

if TYPE_CHECKING:
    import narwhals as nw

MANY_NUMBERS = 20
"""A column of text with more different numbers than this is taken for numbers that were read as text."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrameTable:
    """A data frame of any kind as a table."""

    frame: nw.DataFrame[Any]
    headers: tuple[str, ...]
    source: str
    caveats: tuple[str, ...] = ()

    def column(self, header: str, *, kind: Kind | None) -> Column:
        """Return a column by its type: numbers are numeric; text, categories and truth values symbolic."""
        series = self.frame[:, self.headers.index(header)]
        place = Place(header=header, source=self.source)
        found = _typed(series, kind=kind, place=place)
        if kind == "symbolic" and not isinstance(found, Coded):
            return coded_numbers(found)
        if kind == "numeric" and isinstance(found, Coded):
            raise InputError(
                f"Column {header!r} of {self.source} has the type {series.dtype}.",
                why="The column is declared numeric.",
                mend="Turn it into numbers, or declare it symbolic.",
            )
        return found


def from_frame(
    frame: Any,
    *,
    target: str | None = None,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
    groups: str | None = None,
    drop: Sequence[str] | None = None,
) -> DataSet:
    """Return the data set that a data frame holds.

    Numbers are numeric; categories, text and truth values are symbolic; null and NaN are missing. In columns of
    plain text the marks of text files (empty, NA, NaN, null, ?) are missing as well, and a column of text that is
    mostly numbers, more than 20 different ones, is refused: it was read as text by mistake. Dates are refused.

    Parameters
    ----------
    frame : pandas, polars or arrow frame
    target : str, optional
        The class column; the last one if left out.
    name : str, default "data"
    symbolic, drop : sequence of str, optional
        Columns whose numbers are names; columns to leave out.
    groups : str, optional
        A column that is no attribute: rows with the same value never stand on both sides of a split.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> import polars as pl
    >>> from_frame(pl.DataFrame({"size": [1.5, None], "red": [True, False], "kind": ["a", "b"]}), target="kind")
    DataSet('data', 2 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    wanted = Wanted(
        name=name,
        source=f"the frame {name!r}",
        target=None if target is None else str(target),
        symbolic=texts(symbolic, option="symbolic"),
        groups=None if groups is None else str(groups),
        drop=texts(drop, option="drop"),
    )
    return dataset_of(frame_table(frame, source=wanted.source), wanted)


def from_xy(
    x: Any,
    y: Sequence[object] | npt.NDArray[Any],
    *,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
) -> DataSet:
    """Return the data set of a pair as scikit-learn takes it: a frame or an array, and one class per row.

    The columns of an array are called a1, a2, ... and are numeric unless `symbolic` names them.

    Examples
    --------
    >>> from_xy([[0.5, 1], [0.1, 2], [0.3, 1]], [0, 1, 0], name="small", symbolic=["a2"])
    DataSet('small', 3 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    names = texts(symbolic, option="symbolic")
    if isinstance(x, (np.ndarray, list, tuple)) or hasattr(x, "toarray"):
        matrix = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
        width = matrix.shape[1] if matrix.ndim == 2 else 0
        kinds = [f"a{place + 1}" in names for place in range(width)]
        return DataSet.from_arrays(_floats(matrix), y, name=name, symbolic=kinds if width else None)
    source = f"the frame {name!r}"
    table = frame_table(x, source=source)
    return dataset_of(
        _Labelled(table=table, labels=_labels(y, len(table.frame), name)),
        Wanted(name=name, source=source, target=_Labelled.CLASS, symbolic=names),
    )


def _floats(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "X holds something that is not a number.",
            why="The columns of an array have one type.",
            mend="Pass a data frame, whose columns may be text.",
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Labelled:
    """A frame of attributes with the classes beside it."""

    table: FrameTable
    labels: Coded
    CLASS = "\0class"  # no frame has a column of this name

    @property
    def headers(self) -> tuple[str, ...]:
        return (*self.table.headers, self.CLASS)

    @property
    def caveats(self) -> tuple[str, ...]:
        return self.table.caveats

    def column(self, header: str, *, kind: Kind | None) -> Column:
        return self.labels if header == self.CLASS else self.table.column(header, kind=kind)


def _labels(y: Any, n_rows: int, name: str) -> Coded:
    values = list(y.to_list() if hasattr(y, "to_list") else np.asarray(y, dtype=object).tolist())
    if len(values) != n_rows:
        raise InputError(
            f"Data set {name!r} has {n_rows} rows and {len(values)} classes.",
            why="Every row needs its class.",
            mend="Pass one class per row.",
        )
    return coded_names([None if _is_missing(value) else name_of(value) for value in values])


def _is_missing(value: object) -> bool:
    return (
        value is None or type(value).__name__ in {"NAType", "NaTType"} or (isinstance(value, float) and value != value)
    )


def frame_table(frame: Any, *, source: str) -> FrameTable:
    """Wrap any data frame; something else is refused."""
    import narwhals as nw

    try:
        wrapped = nw.from_native(frame, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise InputError(
            f"Two columns of {source} have the same name ({str(error).splitlines()[0]}).",
            why="Attributes are told apart by name.",
            mend="Rename one of the columns.",
        ) from None
    except TypeError:
        raise OptionError(
            f"A {type(frame).__name__} is not a data frame.",
            why="Frames of pandas, polars or pyarrow are read.",
            mend="Use from_xy(X, y) for arrays; collect a lazy frame first with frame.collect().",
        ) from None
    return FrameTable(frame=wrapped, headers=tuple(str(header) for header in wrapped.columns), source=source)


def _typed(series: nw.Series[Any], *, kind: Kind | None, place: Place) -> Column:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric():
        return _numbers(series)
    if dtype == nw.String:
        return _text(series, kind=kind, place=place)
    if dtype == nw.Boolean or dtype in (nw.Categorical, nw.Enum):
        return coded_names([None if value is None else name_of(value) for value in _objects(series)])
    if dtype.is_temporal() or dtype.is_nested() or dtype == nw.Binary:
        raise InputError(
            f"Column {place.header!r} of {place.source} has the type {dtype}.",
            why="Numbers, text, categories and truth values can be learned from.",
            mend="Turn it into numbers first (a date into days, for example), or leave it out with drop=[...].",
        )
    return _mixed(_objects(series), kind=kind, place=place)


def _numbers(series: nw.Series[Any]) -> npt.NDArray[np.float64]:
    import narwhals as nw

    if series.null_count() or series.dtype in (nw.Int128, nw.UInt128, nw.Decimal):
        series = series.cast(nw.Float64).fill_null(math.nan)
    return np.array(series.to_numpy(), dtype=np.float64)


def _objects(series: nw.Series[Any]) -> list[Any]:
    """Return Python objects, None for whatever the library takes for missing."""
    return [None if null else value for value, null in zip(series.to_list(), series.is_null().to_list(), strict=True)]


def _text(series: nw.Series[Any], *, kind: Kind | None, place: Place) -> Column:
    """Code text by polars, whatever library it comes from."""
    import polars as pl

    native = series.to_native() if series.implementation.is_polars() else pl.Series(_objects(series), dtype=pl.String)
    coded = coded_text(native)
    if kind is None:
        _check_text(coded, place)
    return coded


def _mixed(values: list[Any], *, kind: Kind | None, place: Place) -> Column:
    """Read text or objects: numbers only if every object is one, otherwise names."""
    present = [value for value in values if not _is_missing(value)]
    if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in present):
        return np.array([math.nan if _is_missing(value) else float(value) for value in values], dtype=np.float64)
    names = [None if _is_missing(value) else name_of(value) for value in values]
    names = [None if name is None or name.lower() in MISSING else name for name in names]
    coded = coded_names(names)
    if kind is None:
        _check_text(coded, place)
    return coded


def _check_text(coded: Coded, place: Place) -> None:
    odd = np.array([read_number(name) is None for name in coded.names], dtype=bool)
    if len(odd) - odd.sum() <= MANY_NUMBERS:
        return
    present = coded.codes[coded.codes >= 0]
    if 2 * int(odd[present].sum()) < len(present):
        row = int(np.argmax(np.append(odd, False)[coded.codes]))
        found = f"; row {row + 1} holds {coded.names[coded.codes[row]]!r}" if odd.any() else ""
        raise InputError(
            f"Column {place.header!r} of {place.source} is text, but mostly numbers{found}.",
            why=f"It would become a symbolic attribute with {len(coded.names)} values.",
            mend=f"Turn the column into numbers, or say symbolic=[{place.header!r}].",
        )
