"""What a column of data is: numbers, names, or something that nothing can be learned from, such as an identifier."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    array, codes[present] = np.unique(values[present], return_inverse=True)
    return Names(codes=codes, names=tuple(name_of(value) for value in array.tolist()))


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
            values, odd, [int(np.count_nonzero(column.holds([name]))) for name in odd[:FEW]]
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
    array, rows = np.unique(values[~np.isnan(values)], return_counts=True)
    if not len(array) or len(odd) > FEW or not (array == np.floor(array)).all():
        return False
    if all(_LEVEL.fullmatch(name.strip()) for name in odd):
        return len(array) + len(odd) <= MANY_NUMBERS
    often = max(min(int(rows.min()), 0.05 * len(values)), 0.01 * len(values))
    return len(array) <= 2 * FEW and min(counts) >= often


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


def level_note(columns: Mapping[str, Typed], function: Callable[[str], object]) -> Caveats:
    """Say which columns hold texts among numbers and were read as names, unless `function` knows what they are."""
    result = {
        header: _texts_among_numbers(column)
        for header, column in columns.items()
        if isinstance(column, Names) and not function(header)
    }
    sentences = [f"{header!r} ({quoted(texts, limit=3)} among numbers)" for header, texts in result.items() if texts]
    if not sentences:
        return ()
    mend = "Where the texts mean that nothing is known, leave the cells empty."
    return (Caveat("read-as", f"Symbolic, as levels: {', '.join(sentences)}. {mend}"),)


def _texts_among_numbers(column: Names) -> list[str]:
    """Return the texts where most rows hold numbers, and both are few."""
    if not 1 < len(column.names) <= MANY_NUMBERS:
        return []
    texts = np.array([to_number(name, missing=MISSING) is None for name in column.names], dtype=bool)
    present = column.codes[column.codes >= 0]
    return list(compress(column.names, texts)) if texts.any() and 2 * texts[present].sum() < len(present) else []


def typed_series(column: SeriesColumn, kind: Kind | None, where: Where) -> Typed:
    """Take a column of a frame by its type: numbers are numeric; text, categories and truth values symbolic."""
    typed = _by_type(column, kind, where)
    if kind == "symbolic":
        return as_names(typed)
    if kind == "numeric" and isinstance(typed, Names):
        raise _of_type(column, where, _DECLARED, "Turn it into numbers, or declare it symbolic.")
    return typed


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
        text = f"; row {row + 1} holds {coded.names[coded.codes[row]]!r}" if odd.any() else ""
        raise InputError(
            f"Column {where.column!r} of {where.source} is text, but mostly numbers{text}.",
            mend=f"Turn the column into numbers, or say {option(symbolic=[where.column])}.",
        )
    return coded


Reason = Literal["row-numbers", "id", "date", "text", "constant", "empty", "told"]
LEAST_ROWS = 10
"""With fewer rows nothing is left out: any column may be constant, or different everywhere, by chance."""
MANY_ROWS = 20
"""From so many rows on, values of which most occur once are no accident."""
MOST_NAMED = 8
"""So many columns are named; `DataSet.left_out` and JSON hold all."""
_LOOKED_AT = 1000
_IDS = frozenset("id ids uuid guid key pk rowid rownum identifier rownames".split())
_NUMBERINGS = frozenset("index idx no nr num number code serial ticket account row sample case name phone".split())
_TIMES = frozenset("date day time timestamp datetime created updated".split())
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_CLOCK = r"(?:[T ]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AP]M)?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?"
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_DATE = re.compile(
    rf"(?:(?:1[6-9]|20|21)\d\d([-/.])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?{_CLOCK}"
    rf"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:\d\d|(?:1[6-9]|20|21)\d\d){_CLOCK}"
    rf"|(?:0?[1-9]|[12]\d|3[01])[- .]+{_MONTH}[-, ]*(?:\d\d|\d{{4}}){_CLOCK}"
    rf"|{_MONTH} (?:0?[1-9]|[12]\d|3[01]),? \d{{4}}{_CLOCK}"
    r"|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?[AP]M)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One column that was left out, the reason in a word, and in words."""

    column: str
    reason: Reason
    why: str

    def __str__(self) -> str:
        return f"{self.column!r} ({self.why})"


def nothing_in(header: str, column: Typed, *, told: bool = False) -> LeftOut | None:
    """Say why nothing can be learned from a column, or None; `told` is one that the user called an attribute.

    - `constant`: the same value in every row, none missing; `empty`: no value at all.
    - `row-numbers`: whole numbers that count the rows, from 0 or 1 on.
    - `id`: whole numbers of which none occurs twice, packed so densely that they only number the rows, or of eight
      digits and more each; a column called an id, or a number or a code, whose values are mostly different; names and
      codes of which there are more than half as many as rows.
    - `date`: days and times, in text or as 20240131, and seconds since 1970 in a column called a time.
    - `text`: names of several words that are mostly different.

    Examples
    --------
    >>> import numpy as np
    >>> print(nothing_in("nr", np.arange(1.0, 41.0)))
    'nr' (it counts the rows, 1 to 40)
    >>> print(nothing_in("size", np.arange(40) / 7))
    None
    """
    if told or len(column.codes if isinstance(column, Names) else column) < LEAST_ROWS:
        return None
    names = _of_names(column) if isinstance(column, Names) else _of_numbers(header, column)
    return None if names is None else LeftOut(column=header, reason=names[0], why=names[1])


def dated(header: str) -> LeftOut:
    """Make the entry for a column whose type says that it holds dates."""
    return LeftOut(column=header, reason="date", why="dates")


def said(gone: Sequence[LeftOut]) -> Caveats:
    """Say which columns were left out and how they would be kept; what the user dropped needs no words."""
    current = [item for item in gone if item.reason != "told"]
    if not current:
        return ()
    text = option(keep=[item.column for item in current] if len(current) <= MOST_NAMED else "all")
    stay = "It stays" if len(current) == 1 else "They stay"
    more = f" and {len(current) - MOST_NAMED} more" if len(current) > MOST_NAMED else ""
    named = ", ".join(map(str, current[:MOST_NAMED]))
    return (Caveat("columns-left-out", f"Left out: {named}{more}. {stay} with {text}."),)


def is_dates(names: Iterable[str]) -> bool:
    """Say whether texts are dates or times of the day.

    Examples
    --------
    >>> is_dates(["2024-01-31", "2024-02-01 12:30"]), is_dates(["3/12/2024", "31.1.24"])
    (True, True)
    >>> is_dates(["Jan 5, 2020", "May 31, 2021"])
    True
    >>> is_dates(["10-19", "20-29"]), is_dates(["mar", "apr"])
    (False, False)
    """
    some = _some(list(names))
    return len(some) > 1 and sum(_DATE.fullmatch(name.strip()) is not None for name in some) >= 0.95 * len(some)


def tokens(header: str) -> list[str]:
    """Return the words of a header: "PassengerId" is passenger, id.

    Examples
    --------
    >>> tokens("PassengerId"), tokens("sample code-number"), tokens("ID")
    (['passenger', 'id'], ['sample', 'code', 'number'], ['id'])
    """
    apart = re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", header)
    return [part.lower() for part in re.split(r"[\W_]+", apart) if part]


def _some(names: list[str], most: int = _LOOKED_AT) -> list[str]:
    return names if len(names) <= most else names[:: len(names) // most]


def _ends_with(header: str, words: frozenset[str]) -> bool:
    """Names say what they are at an end: patient_id, id_number; body mass index and number of doors differ."""
    texts = tokens(header)
    return bool(texts) and (texts[-1] in words or (len(texts) <= 2 and texts[0] in words))


def _of_names(column: Names) -> tuple[Reason, str] | None:
    rows, missing = len(column.codes), bool((column.codes < 0).any())
    used = len(column.names)
    if used == 0:
        return "empty", "without a single value"
    if used == 1:
        return None if missing else ("constant", f"{column.names[0]!r} in every row")
    if is_dates(column.names):
        return "date", f"dates or times, such as {column.names[0]!r}"
    words = float(np.mean([len(name.split()) for name in _some(list(column.names))]))
    if rows >= MANY_ROWS and words >= 3 and used > (rows / 2 if words < 5 else max(MANY_ROWS, rows / 10)):
        return "text", f"free text, {used:,} different"
    if rows >= MANY_ROWS and used > rows / 2:
        return "id", f"{used:,} different names or codes in {rows:,} rows"
    return None


def _of_numbers(header: str, column: FloatArray) -> tuple[Reason, str] | None:
    """The first values are looked at first: in most columns they settle it, and the rest need not be sorted."""
    present = column[~np.isnan(column)]
    if not len(present):
        return "empty", "without a single value"
    head = present[:_LOOKED_AT]
    if (head == head[0]).all():
        alike = len(present) == len(column) and bool((present == head[0]).all())
        return ("constant", f"{head[0]:g} in every row") if alike else None
    if not (head == np.floor(head)).all() or not (present == np.floor(present)).all():
        return None
    return _of_times(header, present) or _of_whole(header, present, len(column))


def _of_times(header: str, present: FloatArray) -> tuple[Reason, str] | None:
    if present.min() >= 1600_01_01 and present.max() <= 2199_12_31:
        month, day = present // 100 % 100, present % 100
        if ((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all():
            return "date", f"dates, such as {present[0]:.0f}"
    if _TIMES & {*tokens(header)} and present.min() > 1e8:
        return "date", f"seconds or milliseconds since 1970, such as {present[0]:.0f}"
    return None


def _of_whole(header: str, present: FloatArray, rows: int) -> tuple[Reason, str] | None:
    if len(present) == rows and present[0] in (0, 1) and bool((np.diff(present) == 1).all()):
        return "row-numbers", f"it counts the rows, {present[0]:.0f} to {present[-1]:,.0f}"
    named = _ends_with(header, _IDS)
    head = present[:_LOOKED_AT]
    if not named and len(np.unique(head)) < 0.95 * len(head):
        return None
    distinct = len(np.unique(present))
    counted = f"{distinct:,} different whole numbers in {rows:,} rows"
    if named and distinct > rows / 2:
        return "id", f"called an id, {counted}"
    if _ends_with(header, _NUMBERINGS) and distinct > 0.95 * rows:
        return "id", counted
    if rows < MANY_ROWS or distinct < len(present) or len(present) < 0.95 * rows or "year" in tokens(header):
        return None
    dense = present.max() - present.min() < 2 * rows
    long = present.min() >= 1e7 and np.floor(np.log10(present.min())) == np.floor(np.log10(present.max()))
    return ("id", counted) if dense or long else None
