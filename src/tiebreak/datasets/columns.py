"""One column of raw data as numbers or as coded names, and the rule that decides which of the two it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["numeric", "symbolic"]
KINDS: tuple[Kind, ...] = ("numeric", "symbolic")
MISSING = frozenset({"", "na", "nan", "null", "?"})
"""What a text file may write where a value is missing, in small or capital letters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """A column of names: `names[codes[i]]` is the name in row i, -1 where it is missing; names are sorted."""

    codes: IntArray
    names: tuple[str, ...]


Column = FloatArray | Coded


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a column stands, for error messages."""

    header: str
    source: str
    rows: str = "row"

    def at(self, row: int) -> str:
        """Name one cell of the column by its row, counted from 1."""
        return f"Column {self.header!r}, {self.rows} {row + 1} of {self.source}"


def sorted_names(names: Iterable[str]) -> tuple[str, ...]:
    """Sort names: by value where all of them are numbers, as text elsewhere.

    Examples
    --------
    >>> sorted_names(["10", "9", "8.5"]), sorted_names(["b10", "b9"])
    (('8.5', '9', '10'), ('b10', 'b9'))
    """
    found = list(names)
    values = [read_number(name) for name in found]
    if any(value is None or math.isnan(value) for value in values):
        return tuple(sorted(found))
    return tuple(name for _, name in sorted(zip(values, found, strict=True)))


def name_of(value: object) -> str:
    """Name one value: whole numbers without a decimal point, truth values in small letters, the rest by `str`.

    Examples
    --------
    >>> name_of(2.0), name_of(0.5), name_of(True), name_of(" red ")
    ('2', '0.5', 'true', 'red')
    """
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() else repr(number)
    return str(value).strip()


def read_number(text: str) -> float | None:
    """Read one cell of text: NaN where it is missing, None where it is no number."""
    if text.strip().lower() in MISSING:
        return math.nan
    if "_" in text:  # Python reads 1_000 as a number
        return None
    try:
        return float(text)
    except ValueError:
        return None


def coded_names(values: Sequence[str | None]) -> Coded:
    """Code a list of names; None is missing."""
    names = sorted_names({value for value in values if value is not None})
    place = {name: code for code, name in enumerate(names)}
    codes = np.fromiter((-1 if value is None else place[value] for value in values), np.int64, len(values))
    return Coded(codes=codes, names=names)


def coded_numbers(values: FloatArray) -> Coded:
    """Code a column of numbers, one name per different number; NaN is missing."""
    codes = np.full(len(values), -1, dtype=np.int64)
    present = ~np.isnan(values)
    found, places = np.unique(values[present], return_inverse=True)
    codes[present] = places
    return Coded(codes=codes, names=tuple(name_of(value) for value in found.tolist()))


def coded_whole(values: npt.NDArray[Any]) -> Coded:
    """Code an array of whole numbers; none is missing.

    Examples
    --------
    >>> import numpy as np
    >>> coded_whole(np.array([10, 9, 10])).names
    ('9', '10')
    """
    found, codes = np.unique(values, return_inverse=True)
    return Coded(codes=codes.astype(np.int64), names=tuple(str(value) for value in found.tolist()))


def coded_text(text: pl.Series, *, missing: frozenset[str] = MISSING) -> Coded:
    """Code a polars column of text; blanks at the ends do not count, nor does the case of a missing mark."""
    import polars as pl

    stripped = {raw: raw.strip() for raw in text.drop_nulls().unique().to_list()}
    names = sorted_names({name for name in stripped.values() if name.lower() not in missing})
    place = {name: code for code, name in enumerate(names)}
    codes = [place.get(name, -1) for name in stripped.values()]
    if not codes:
        return Coded(codes=np.full(len(text), -1, dtype=np.int64), names=())
    coded = text.replace_strict(list(stripped), codes, default=-1, return_dtype=pl.Int64).fill_null(-1)
    return Coded(codes=np.array(coded.to_numpy(), dtype=np.int64), names=names)


def column_of_text(text: pl.Series, *, kind: Kind | None, place: Place, decimal_comma: bool = False) -> Column:
    """Turn a column of text into numbers if all of it is numbers, into names if most of it is not.

    A column that is mostly numbers but not quite is refused: read as names, one misprint would turn a
    thousand numbers into a thousand categories.
    """
    import polars as pl

    if kind == "symbolic":
        return coded_text(text)
    numbers = text.cast(pl.Float64, strict=False)
    left = text.filter(numbers.is_null() & text.is_not_null()).unique().to_list()
    read = {cell: _read_cell(cell, decimal_comma=decimal_comma) for cell in left}
    odd = [cell for cell, value in read.items() if value is None]
    if odd and (kind == "numeric" or _mostly_numbers(text, numbers, read)):
        raise _not_a_number(text, odd, kind=kind, place=place)
    if odd:
        return coded_text(text)
    if left:
        known = text.replace_strict(left, [read[cell] for cell in left], default=None, return_dtype=pl.Float64)
        numbers = numbers.fill_null(known)
    return np.array(numbers.fill_null(math.nan).to_numpy(), dtype=np.float64)


def _read_cell(cell: str, *, decimal_comma: bool) -> float | None:
    value = read_number(cell)
    if value is None and decimal_comma and cell.count(",") == 1:
        value = read_number(cell.replace(",", "."))
    return value


def _mostly_numbers(text: pl.Series, numbers: pl.Series, read: dict[str, float | None]) -> bool:
    """Say whether more cells are numbers than are other text; missing cells do not count."""
    odd = [cell for cell, value in read.items() if value is None]
    missing = [cell for cell, value in read.items() if value is not None and math.isnan(value)]
    n_odd = int(text.is_in(odd).sum())
    n_missing = int(text.null_count()) + int(text.is_in(missing).sum()) + int(numbers.is_nan().sum() or 0)
    return len(text) - n_missing - n_odd > n_odd


def _not_a_number(text: pl.Series, odd: list[str], *, kind: Kind | None, place: Place) -> InputError:
    row = int(np.argmax(text.is_in(odd).fill_null(False).to_numpy()))
    others = f" ({len(odd)} such texts in all)" if len(odd) > 1 else ""
    why = (
        "The column is declared numeric." if kind == "numeric" else "The other values of the column are mostly numbers."
    )
    return InputError(
        f"{place.at(row)}: {text[row]!r} is not a number{others}.",
        why=why,
        mend=f"Correct the cell or leave it empty; if the column holds names, say symbolic=[{place.header!r}].",
    )
