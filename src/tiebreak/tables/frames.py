"""Data frames in and out: pandas, polars and pyarrow through narwhals, coded by their own fast paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError, OptionError
from tiebreak.tables.build import FRAME
from tiebreak.tables.columns import (
    Column,
    ListColumn,
    Names,
    Where,
    duplicate_header,
    missing_name,
    read_number,
    sorted_names,
)

KINDS = ("pandas", "polars", "pyarrow")
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_HUGE = (nw.Int128, nw.UInt128)  # numpy has no such type


class SeriesColumn:
    """A column of a data frame of any kind."""

    __slots__ = ("series",)

    def __init__(self, series: nw.Series[Any]) -> None:
        self.series = series

    def __len__(self) -> int:
        return len(self.series)

    def is_number(self) -> bool:
        """Say whether the column has a numeric type, or holds numbers as objects or written out."""
        dtype = self.series.dtype
        if dtype.is_numeric():
            return True
        if dtype == nw.Boolean or dtype.is_temporal() or dtype.is_nested():
            return False
        if dtype == nw.String and self.series.implementation.is_polars():
            text, numbers = _cast_text(self.series)
            return ListColumn(text.filter(numbers.is_null()).unique().to_list()).is_number()
        return ListColumn(_objects(self.series.unique() if dtype in _TEXT else self.series)).is_number()

    def as_names(self, where: Where) -> Names:
        """Code the column by the frame library itself, without making a Python object a row."""
        dtype = self.series.dtype
        if self.series.null_count():
            raise missing_name(where, int(np.argmax(self.series.is_null().to_numpy())))
        if dtype.is_integer() and dtype not in _HUGE:
            return _coded_integers(self.series.to_numpy())
        if dtype not in _TEXT:
            return ListColumn(self.series.to_list()).as_names(where)
        coded = _coded_text(self.series)
        if "" in coded.names:
            raise missing_name(where, int(np.argmax(coded.codes == coded.names.index(""))))
        return coded

    def as_numbers(self, where: Where) -> FloatArray:
        """Return floats; null is NaN."""
        dtype = self.series.dtype
        if dtype == nw.String and self.series.implementation.is_polars():
            return _parsed_text(self.series, where)
        if not dtype.is_numeric():
            return ListColumn(_objects(self.series)).as_numbers(where)
        full = self.series
        if full.null_count() or dtype in _HUGE:
            full = full.cast(nw.Float64).fill_null(float("nan"))
        return np.asarray(full.to_numpy(), dtype=np.float64)


def _objects(series: nw.Series[Any]) -> list[Any]:
    """Return Python objects, None for whatever the library takes for missing."""
    return [None if null else value for value, null in zip(series.to_list(), series.is_null().to_list(), strict=True)]


def _cast_text(series: nw.Series[Any]) -> tuple[Any, Any]:
    """Return polars text and its numbers, null where polars cannot read one."""
    import polars as pl

    text = series.to_native()
    return text, text.cast(pl.Float64, strict=False)


def _parsed_text(series: nw.Series[Any], where: Where) -> FloatArray:
    """Parse text by polars, and what polars cannot read one by one."""
    text, numbers = _cast_text(series)
    unread = numbers.is_null().arg_true()
    out = np.array(numbers.to_numpy(), dtype=np.float64)
    for row, value in zip(unread.to_list(), text.gather(unread).to_list(), strict=True):
        out[row] = read_number(value, where, row)
    return out


def _coded_integers(values: npt.NDArray[Any]) -> Names:
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


def _coded_text(series: nw.Series[Any]) -> Names:
    """Code strings with the fastest way each library has."""
    native = series.to_native()
    if series.implementation.is_polars():
        import polars as pl

        text = native.cast(pl.String)
        names = text.unique().sort().to_list()
        return sorted_names(text.cast(pl.Enum(names)).to_physical().to_numpy(), names)
    if series.implementation.is_pyarrow():
        import pyarrow as pa

        encoded = pa.chunked_array(native).combine_chunks().cast(pa.string()).dictionary_encode()
        return sorted_names(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())
    codes, uniques = native.astype(object).factorize()
    return sorted_names(codes, [str(value) for value in uniques])


def frame_columns(frame: Any) -> tuple[dict[str, Column], str]:
    """Split any data frame into columns and name its kind."""
    try:
        wrapped = nw.from_native(frame, eager_only=True)
        headers = [str(name) for name in wrapped.columns]
    except nw.exceptions.DuplicateError:
        names = list(getattr(frame, "column_names", None) or frame.columns)
        raise duplicate_header(next(name for name in names if names.count(name) > 1), FRAME) from None
    except TypeError:
        lazy = hasattr(frame, "collect")
        raise InputError(
            f"A {type(frame).__name__} is not a table of results.",
            why="Frames of pandas, polars or pyarrow are read, and dictionaries of columns.",
            mend="Collect it first: Results.from_frame(frame.collect())."
            if lazy
            else "Use Results.from_frame(frame), Results.from_dict({...}) or Results.from_array(array, ...).",
        ) from None
    columns: dict[str, Column] = {}
    for position, header in enumerate(headers):
        if header in columns:
            raise duplicate_header(header, FRAME)
        columns[header] = SeriesColumn(wrapped[:, position])
    return columns, _kind(wrapped)


def _kind(frame: nw.DataFrame[Any]) -> str:
    if frame.implementation.is_polars():
        return "polars"
    return "pyarrow" if frame.implementation.is_pyarrow() else "pandas"


def build_frame(columns: Mapping[str, Sequence[Any] | FloatArray], kind: str) -> Any:
    """Make a data frame of the named kind."""
    if kind not in KINDS:
        raise OptionError(
            f"There is no frame kind {kind!r}.",
            why=f"Known are {', '.join(KINDS)}.",
            mend="Use kind='polars'.",
        )
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(dict(columns))
    if kind == "pyarrow":
        import pyarrow as pa

        return pa.table(dict(columns))
    import polars as pl

    return pl.DataFrame(dict(columns))
