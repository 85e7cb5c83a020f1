"""What a column of data is, numbers or names: the rules of text, of frames and of what was declared."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.results.columns import MISSING, Names, Where, is_missing, name_of, to_number
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.results.frames import SeriesColumn

Kind = Literal["numeric", "symbolic"]
KINDS: tuple[Kind, ...] = ("numeric", "symbolic")
Typed = FloatArray | Names
"""A column whose kind is known: numbers with NaN, or names with -1, where a value is missing."""
BY_NAME = "Attributes are identified by name."
"""Why every column of data bears a name of its own."""
_DECLARED = "The column is declared numeric."
_LEVEL = re.compile(
    r"(?:\d+(?:\.\d+)?\s*(?:\+|(?:(?:or|and)\s+)?(?:more|over|above|less|under|below|older|younger))"
    r"|(?:<=?|>=?|\u2264|\u2265|over|under|above|below|(?:more|less|fewer|at least|up)(?:\s+than|\s+to)?)"
    r"\s*\d+(?:\.\d+)?"
    r"|\d+\s*(?:-|\u2013|to)\s*\d+)",
    re.IGNORECASE,
)
FEW = 5
"""Texts among numbers, at the most, where both are levels."""
MANY_NUMBERS = 20
"""A column of text with more different numbers than this is taken for numbers that were read as text."""


def start(where: Where, row: int) -> str:
    """Name a cell at the beginning of a sentence."""
    at = where.at(row)
    return at[0].upper() + at[1:]


def label_of(value: object) -> str:
    """Name one value: truth values in small letters as text files have them, the rest without blanks at the ends.

    Examples
    --------
    >>> label_of(2.0), label_of(0.5), label_of(True), label_of(" red ")
    ('2', '0.5', 'true', 'red')
    """
    return str(bool(value)).lower() if isinstance(value, (bool, np.bool_)) else name_of(value).strip()


def coded_labels(values: Sequence[object]) -> Names:
    """Code a list of objects; None and NaN are missing."""
    return Names.of(None if is_missing(value) else label_of(value) for value in values)


def coded_numbers(values: FloatArray) -> Names:
    """Code a column of numbers, one name per different number; NaN is missing."""
    codes = np.full(len(values), -1, dtype=np.int32)
    present = ~np.isnan(values)
    found, codes[present] = np.unique(values[present], return_inverse=True)
    return Names(codes=codes, names=tuple(name_of(value) for value in found.tolist()))


def as_names(column: Typed) -> Names:
    """Return a column as names, numbers by their value."""
    return column if isinstance(column, Names) else coded_numbers(column)


def _unmarked(name: str) -> str | None:
    """Clean a name from a text file: blanks at the ends do not count, marks of missing values name nothing."""
    stripped = name.strip()
    return None if stripped.lower() in MISSING else stripped


def typed_text(column: SeriesColumn, kind: Kind | None, where: Where, *, decimal_comma: bool = False) -> Typed:
    """Turn text into numbers if all of it is numbers, into names if most of it is not.

    A column that is mostly numbers but not quite is refused: read as names, one misprint would turn a
    thousand numbers into a thousand categories. Few whole numbers with an open end, such as 0, 1, 2, 3+, are levels,
    and so names.
    """
    if kind != "symbolic":
        values, odd = column.parsed(partial(_read_cell, decimal_comma=decimal_comma))
        if not odd:
            return values
        if kind is None and are_levels(
            values, odd, [int(np.count_nonzero(column.holds([each]))) for each in odd[:FEW]]
        ):
            return column.coded().renamed(_unmarked)
        if kind == "numeric" or np.count_nonzero(~np.isnan(values)) > np.count_nonzero(column.holds(odd)):
            raise _not_a_number(column, odd, kind=kind, where=where)
    return column.coded().renamed(_unmarked)


def are_levels(values: FloatArray, odd: Sequence[str], counts: Sequence[int]) -> bool:
    """Say whether few whole numbers and some texts are the levels of one attribute.

    So they are where every text is an open end or a range, such as 3+, >5, 5more or 10-19, and the values are 20 at
    the most; or where the numbers are 10 at the most and every text, of 5 at the most, has as many rows (`counts`) as
    the rarest number and one row in a hundred, or one in twenty: a misprint has not.

    Examples
    --------
    >>> some = np.array([0.0, 1, 2] * 30 + [np.nan] * 10)
    >>> are_levels(some, ["3+"], [1]), are_levels(some, ["none"], [10]), are_levels(some, ["l"], [1])
    (True, True, False)
    """
    found, rows = np.unique(values[~np.isnan(values)], return_counts=True)
    if not len(found) or len(odd) > FEW or not (found == np.floor(found)).all():
        return False
    if all(_LEVEL.fullmatch(each.strip()) for each in odd):
        return len(found) + len(odd) <= MANY_NUMBERS
    often = max(min(int(rows.min()), 0.05 * len(values)), 0.01 * len(values))
    return len(found) <= 2 * FEW and min(counts) >= often


def _read_cell(cell: object, *, decimal_comma: bool) -> float | None:
    """Read a number; where commas do not separate columns, spreadsheets of half the world write them for points."""
    value = to_number(cell, missing=MISSING)
    if value is None and decimal_comma and str(cell).count(",") == 1:
        value = to_number(str(cell).replace(",", "."), missing=MISSING)
    return value


def _not_a_number(column: SeriesColumn, odd: list[str], *, kind: Kind | None, where: Where) -> InputError:
    """Say whether the column was declared or only taken for numbers: a reader must know which to doubt."""
    row, cell = column.first(odd)
    rows = int(np.count_nonzero(column.holds(odd)))
    others = "" if rows == 1 else f" (no numbers in {rows:,} of {len(column):,} rows: {quoted(sorted(odd), limit=5)})"
    why = _DECLARED if kind == "numeric" else "The other values of the column are mostly numbers."
    return InputError(
        f"{start(where, row)}: {cell!r} is not a number{others}.",
        why=why,
        mend=f"Correct the cell or leave it empty; if the column holds names, say {option(symbolic=[where.column])};"
        f" leave it out with {option(drop=[where.column])}.",
    )


def level_note(columns: Mapping[str, Typed], told: Callable[[str], object]) -> Caveats:
    """Say which columns hold texts among numbers and were read as names, unless the user has `told` what they are."""
    found = {
        header: _texts_among_numbers(column)
        for header, column in columns.items()
        if isinstance(column, Names) and not told(header)
    }
    said = [f"{header!r} ({quoted(texts, limit=3)} among numbers)" for header, texts in found.items() if texts]
    if not said:
        return ()
    mend = "Where the texts mean that nothing is known, leave the cells empty."
    return (Caveat("read-as", f"Symbolic, as levels: {', '.join(said)}. {mend}"),)


def _texts_among_numbers(column: Names) -> list[str]:
    """Return the texts where most rows hold numbers, and both are few."""
    if not 1 < len(column.names) <= MANY_NUMBERS:
        return []
    texts = np.array([to_number(each, missing=MISSING) is None for each in column.names], dtype=bool)
    present = column.codes[column.codes >= 0]
    return list(compress(column.names, texts)) if texts.any() and 2 * texts[present].sum() < len(present) else []


def typed_series(column: SeriesColumn, kind: Kind | None, where: Where) -> Typed:
    """Take a column of a frame by its type: numbers are numeric; text, categories and truth values symbolic."""
    found = _by_type(column, kind, where)
    if kind == "symbolic":
        return as_names(found)
    if kind == "numeric" and isinstance(found, Names):
        raise _of_type(column, where, _DECLARED, "Turn it into numbers, or declare it symbolic.")
    return found


def _by_type(column: SeriesColumn, kind: Kind | None, where: Where) -> Typed:
    """The type of the frame decides before any text is read: a category "1" is a name, not a number."""
    import narwhals as nw

    dtype = column.series.dtype
    if dtype.is_numeric():
        return np.array(column.as_numbers(where))
    if dtype == nw.String:
        return _checked(column.coded().renamed(_unmarked), kind, where)
    if dtype == nw.Boolean or dtype in (nw.Categorical, nw.Enum):
        return coded_labels(column.objects())
    if dtype.is_temporal() or dtype.is_nested() or dtype == nw.Binary:
        raise _of_type(
            column,
            where,
            "Numbers, text, categories and truth values can be learned from.",
            f"Turn it into numbers first (a date into days, for example), leave it out with {option(drop=[...])}, or,"
            f" where it was taken for the target, name that with {option(target=...)}.",
        )
    return _mixed(column.objects(), kind, where)


def _of_type(column: SeriesColumn, where: Where, why: str, mend: str) -> InputError:
    return InputError(
        f"Column {where.column!r} of {where.source} has the type {column.series.dtype}.", why=why, mend=mend
    )


def _mixed(values: list[Any], kind: Kind | None, where: Where) -> Typed:
    """Read objects of unlike types: numbers only if every one is a number, otherwise names."""
    present = [value for value in values if not is_missing(value)]
    if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in present):
        return np.array([math.nan if is_missing(value) else float(value) for value in values], dtype=np.float64)
    return _checked(coded_labels(values).renamed(_unmarked), kind, where)


def _checked(coded: Names, kind: Kind | None, where: Where) -> Names:
    """Refuse names of which most are numbers, unless told that they are names: a frame was read with wrong types."""
    odd = np.array([to_number(name, missing=MISSING) is None for name in coded.names], dtype=bool)
    if kind is not None or len(odd) - odd.sum() <= MANY_NUMBERS:
        return coded
    present = coded.codes[coded.codes >= 0]
    if 2 * int(odd[present].sum()) < len(present):
        row = int(np.argmax(np.append(odd, False)[coded.codes]))
        found = f"; row {row + 1} holds {coded.names[coded.codes[row]]!r}" if odd.any() else ""
        raise InputError(
            f"Column {where.column!r} of {where.source} is text, but mostly numbers{found}.",
            why=f"It would become a symbolic attribute with {len(coded.names)} values.",
            mend=f"Turn the column into numbers, or say {option(symbolic=[where.column])}.",
        )
    return coded
