"""Columns that nothing can be learned from: row numbers, identifiers, dates, free text, constants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.columns import Typed
from tiebreak.results.columns import Names
from tiebreak.wording import option

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
    found = _of_names(column) if isinstance(column, Names) else _of_numbers(header, column)
    return None if found is None else LeftOut(column=header, reason=found[0], why=found[1])


def dated(header: str) -> LeftOut:
    """Make the entry for a column whose type says that it holds dates."""
    return LeftOut(column=header, reason="date", why="dates")


def said(gone: Sequence[LeftOut]) -> Caveats:
    """Say which columns were left out and how they would be kept; what the user dropped needs no words."""
    own = [each for each in gone if each.reason != "told"]
    if not own:
        return ()
    kept = option(keep=[each.column for each in own] if len(own) <= MOST_NAMED else "all")
    stay = "It stays" if len(own) == 1 else "They stay"
    more = f" and {len(own) - MOST_NAMED} more" if len(own) > MOST_NAMED else ""
    named = ", ".join(map(str, own[:MOST_NAMED]))
    return (Caveat("columns-left-out", f"Left out: {named}{more}. {stay} with {kept}."),)


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
    return len(some) > 1 and sum(_DATE.fullmatch(each.strip()) is not None for each in some) >= 0.95 * len(some)


def tokens(header: str) -> list[str]:
    """Return the words of a header: "PassengerId" is passenger, id.

    Examples
    --------
    >>> tokens("PassengerId"), tokens("sample code-number"), tokens("ID")
    (['passenger', 'id'], ['sample', 'code', 'number'], ['id'])
    """
    apart = re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", header)
    return [each.lower() for each in re.split(r"[\W_]+", apart) if each]


def _some(names: list[str], most: int = _LOOKED_AT) -> list[str]:
    return names if len(names) <= most else names[:: len(names) // most]


def _ends_with(header: str, words: frozenset[str]) -> bool:
    """Names say what they are at an end: patient_id, id_number; body mass index and number of doors differ."""
    found = tokens(header)
    return bool(found) and (found[-1] in words or (len(found) <= 2 and found[0] in words))


def _of_names(column: Names) -> tuple[Reason, str] | None:
    rows, missing = len(column.codes), bool((column.codes < 0).any())
    used = len(column.names)
    if used == 0:
        return "empty", "without a single value"
    if used == 1:
        return None if missing else ("constant", f"{column.names[0]!r} in every row")
    if is_dates(column.names):
        return "date", f"dates or times, such as {column.names[0]!r}"
    words = float(np.mean([len(each.split()) for each in _some(list(column.names))]))
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
