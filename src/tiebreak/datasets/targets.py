"""The target of a data set: which column it is, and whether it holds classes or numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets.columns import Typed, coded_labels, is_dates
from tiebreak.errors import InputError, quoted
from tiebreak.results.columns import MISSING, Names, coded_integers, is_missing, to_number
from tiebreak.wording import option

TargetKind = Literal["classes", "number"]
KINDS: tuple[TargetKind, ...] = ("classes", "number")
FEW_VALUES = 10
"""A column of whole numbers with at most so many different ones mostly holds classes, as files number them."""
CODED_VALUES = 50
"""More different whole numbers than this are a quantity, unless they number classes without a gap."""
FEW_ROWS = 20
"""With fewer rows nothing is said about a column of names in which nearly every one is different."""
ROWS_OF_A_CLASS = 5
"""Classes have so many rows on average, where they are many."""
TAIL = 10
"""Values at the ends that are so many times rarer than the most frequent one are the tails of a quantity."""
_WITH_UNIT = re.compile(
    r"([$\u20ac\u00a3\u00a5]?) ?[-+]?\d[\d.,' ]*?\s*(%|[a-z\u20ac$\u00a3/\u00b2\u00b3\u00b0]{0,6})", re.IGNORECASE
)


def check_kind(kind: object) -> TargetKind | None:
    """Return what a caller said about the target; None where nothing was said."""
    if kind is None:
        return None
    choice = check_choice("kind of target", str(kind), KINDS, mend="Leave it out to detect it from the values.")
    return "number" if choice == "number" else "classes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a column of numbers was taken for, how many different ones it has, and whether that is open to doubt.

    A `doubtful` reading is said; one that `asks` may as well be the other, and only the user can tell.
    """

    kind: TargetKind
    distinct: int
    whole: bool
    doubtful: bool
    asks: bool = False


def reading_of(values: FloatArray, *, says_classes: bool = False) -> Reading:
    """Say whether a column of numbers holds classes or a quantity; NaN is missing.

    - Two different numbers: classes.
    - Some are not whole: a number, unless they are at most 10 that come back, as half stars do: then it is asked.
    - Whole, and more than half the rows differ: a number.
    - Whole, 3 to 10: classes; asked where they look like years, like 5 or more levels of a measurement that does not
      begin at 0 or 1, or like a count (6 or more, rising to one peak and falling to a tail that is 10 times rarer).
    - Whole, more than 10: classes where they number 0, 1, 2, ... or 1, 2, 3, ... without a gap and all are equally
      frequent; a number where they have gaps, begin elsewhere or fall to a tail as counts do, or are more than 50;
      otherwise asked.

    A column whose name `says_classes` holds them where its numbers are at most 10, or number classes of five rows on
    average without a gap and without such a tail; where they are 50 at the most it is asked.

    What is taken for a number is always said, and so are more than 10 classes; nothing is where the caller told it.

    Examples
    --------
    >>> import numpy as np
    >>> reading_of(np.array([0.0, 1.0, 2.0] * 20)).kind
    'classes'
    >>> reading_of(np.arange(30) / 7)
    Reading(kind='number', distinct=30, whole=False, doubtful=True, asks=False)
    >>> reading_of(np.array([3.0] * 10 + [4] * 50 + [5] * 600 + [6] * 600 + [7] * 20))
    Reading(kind='classes', distinct=5, whole=True, doubtful=True, asks=True)
    """
    array, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    whole = bool((array == np.floor(array)).all())
    if len(array) <= 2:
        return Reading(kind="classes", distinct=len(array), whole=whole, doubtful=False)
    kind, asks = _judged(array, counts, whole=whole, says_classes=says_classes)
    doubtful = asks or kind == "number" or len(array) > FEW_VALUES
    return Reading(kind=kind, distinct=len(array), whole=whole, doubtful=doubtful, asks=asks)


def _judged(values: FloatArray, counts: IntArray, *, whole: bool, says_classes: bool) -> tuple[TargetKind, bool]:
    """Return the kind, and whether it has to be asked for; the rule is that of `reading_of`."""
    rows = int(counts.sum())
    many, most = len(values), rows >= FEW_VALUES and 2 * len(values) > rows
    if many > FEW_VALUES or most:
        return _many(values, counts, whole=whole, says_classes=says_classes)
    return "classes", not says_classes and (not whole or _measured(values, counts))


def _many(values: FloatArray, counts: IntArray, *, whole: bool, says_classes: bool) -> tuple[TargetKind, bool]:
    """Judge more than 10 different numbers, or as many as half the rows."""
    many, rows = len(values), int(counts.sum())
    if not whole or 2 * many > rows:
        return ("classes", True) if says_classes and whole and many <= FEW_VALUES else ("number", False)
    numbered = values[0] in (0, 1) and bool((np.diff(values) == 1).all())
    tail = _has_tail(counts)
    if numbered and (counts.min() == counts.max() or (says_classes and not tail and rows >= ROWS_OF_A_CLASS * many)):
        return "classes", False
    if many <= CODED_VALUES and (says_classes or (numbered and not tail)):
        return "classes", True
    return "number", False


def _measured(values: FloatArray, counts: IntArray) -> bool:
    """Say whether a few whole numbers look like years, measurements or counts rather than like codes."""
    years = bool(values[0] >= 1800 and values[-1] <= 2100)
    elsewhere = bool(values[0] > 1) and len(values) >= 5
    return years or elsewhere or (len(values) >= 6 and bool((np.diff(values) == 1).all()) and _has_tail(counts))


def _has_tail(counts: IntArray) -> bool:
    """Say whether frequencies rise to a peak and fall to an end that is far rarer, but for waves as chance makes."""
    peak, top = int(counts.argmax()), int(counts.max())
    steps, wave = np.diff(counts), 2.5 * np.sqrt(counts[1:] + counts[:-1])
    one_peak = bool((steps[:peak] >= -wave[:peak]).all() and (steps[peak:] <= wave[peak:]).all())
    return one_peak and TAIL * int(min(counts[0], counts[-1])) < top


def taken_for(what: str, reading: Reading) -> Caveats:
    """Say what a target was taken for where that is open to doubt; `what` names it: "target 'price', the last column".

    Examples
    --------
    >>> print(*taken_for("target 'age'", Reading(kind="classes", distinct=40, whole=True, doubtful=True)))
    target 'age', 40 different whole numbers: taken for classes; for a regression say kind='number'.
    """
    if not reading.doubtful:
        return ()
    numbers = f"{reading.distinct:,} different {'whole ' if reading.whole else ''}numbers"
    code = "target-unsure" if reading.asks else "target-taken-for"
    if reading.kind == "number":
        text = f"a regression; for another column say {option(target=...)}, for classes {option(kind='classes')}"
    else:
        text = f"taken for classes; for a regression say {option(kind='number')}"
    return (Caveat(code, f"{what}, {numbers}: {text}."),)


def check_numbers(values: FloatArray, source: str) -> None:
    """Refuse targets that nothing can be learned about: infinite ones, and numbers that only count the rows."""
    present = values[~np.isnan(values)]
    if np.isinf(present).any():
        raise InputError(
            f"The target of {source} holds an infinite number.",
            mend="Leave the cell empty if the number is unknown: the row is then dropped.",
        )


def counts_rows(values: FloatArray) -> bool:
    """Say whether the numbers only count the rows, from 0 or 1 on, in their order."""
    return len(values) >= FEW_ROWS and values[0] in (0, 1) and bool((np.diff(values) == 1).all())


def many_classes(n_classes: int, n_rows: int, source: str, *, told: bool, numbers: bool) -> InputError | None:
    """Make the error for a class column in which most classes would have one row, or next to none; None for others.

    `told` is one that the user called classes: only what has no second row for most classes is refused there.
    """
    few = n_classes > FEW_ROWS and n_classes > n_rows / ROWS_OF_A_CLASS and not told
    alone = n_rows >= FEW_ROWS and n_classes > n_rows / 2
    if not (few or alone):
        return None
    other = f", or say {option(kind='number')} for a regression" if numbers else ""
    way = "" if alone else f"; if these are classes, say {option(kind='classes')}"
    many = "most classes would have one row" if alone else "the classes would have fewer than five rows each"
    return InputError(
        f"The class column of {source} has {n_classes:,} different values in {n_rows:,} rows.",
        why=f"That is a quantity or a name, not a class: {many}.",
        mend=f"Name the class column with {option(target=...)}{other}, or put the quantity into intervals first{way}.",
    )


def written_quantity(names: Sequence[str], source: str) -> InputError | None:
    """Make the error for texts that are numbers with a unit or a currency, or dates; None for any other.

    Examples
    --------
    >>> print(str(written_quantity([f"${n},000" for n in range(1, 40)], "'x.csv'"))[:66])
    The target of 'x.csv' is text that holds numbers, such as '$1,000'
    """
    if len(names) <= FEW_VALUES:
        return None
    if is_dates(names):
        return InputError(
            f"The target of {source} holds {len(names):,} different dates, such as {names[0]!r}.",
            mend=f"Name the class column with {option(target=...)}, or turn the dates into days and say"
            f" {option(kind='number')}.",
        )
    written = [name.strip() for name in names if to_number(name, missing=MISSING) is None]  # codes are plain numbers
    units = Counter(match.group(1, 2) for name in written if (match := _WITH_UNIT.fullmatch(name)))
    if max(units.values(), default=0) < 0.9 * len(names):
        return None
    return InputError(
        f"The target of {source} is text that holds numbers, such as {names[0]!r}.",
        why=f"Each of its {len(names):,} different values would be a class of its own.",
        mend=f"Write plain numbers, without unit and thousands marks, or say {option(kind='classes')}.",
    )


CLASSES = frozenset(
    "class classes label labels classlabel labelclass classname labelname classid labelid binaryclass targetclass"
    " targetlabel classtarget category".split()
)
"""Names that say classes, written small and without marks between the words."""
TARGETS = CLASSES - {"category"} | frozenset("target targets targetname targetvariable y ytrue groundtruth".split())
"""Names of a target."""
OUTCOMES = frozenset(
    "outcome outcomes response output dependent dependentvariable survived survival diagnosis churn churned exited"
    " attrition species isfraud fraud spam isspam sentiment defaulted readmitted".split()
)
"""Names of what is usually to be predicted, but may well be an attribute where a column has one of `TARGETS`."""
LAST, NAMED, NAMED_LAST = "the last column", "by its name", "by its name, and the last column"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetColumn:
    """The column that was taken for the target: why (empty where the user named it), and which one is the last."""

    name: str
    why: str = ""
    last: str = ""

    @property
    def says_classes(self) -> bool:
        """Whether its name says that it holds classes."""
        return bare(self.name) in CLASSES

    @property
    def unexpected(self) -> bool:
        """Whether somebody who counts on the last column would be surprised."""
        return self.why == NAMED


def bare(header: str) -> str:
    """Return a header small and without marks: "Class_Label" and "classLabel" are one name.

    Examples
    --------
    >>> bare("Class_Label"), bare("Default (y/n)")
    ('classlabel', 'defaultyn')
    """
    return re.sub(r"[\W_]+", "", header).lower()


def by_name(headers: Sequence[str], source: str) -> TargetColumn:
    """Choose the target among columns of which none was named by the user: by its name, else the last one.

    - The last column where it alone has a name of `TARGETS`.
    - Otherwise the one column with a name of `TARGETS` or `OUTCOMES`; where there are two they are asked about.
    - The last column where no name tells.

    Examples
    --------
    >>> by_name(["class", "age", "foreign"], "'x.csv'")
    TargetColumn(name='class', why='by its name', last='foreign')
    >>> by_name(["age", "kind"], "'x.csv'").why
    'the last column'
    """
    last = headers[-1]
    firm = [header for header in headers if bare(header) in TARGETS]
    if {"x", "y"} <= {bare(header) for header in headers} and bare(last) != "y":
        firm = [name for name in firm if bare(name) != "y"]  # a coordinate
    if firm == [last]:
        return TargetColumn(name=last, why=NAMED_LAST, last=last)
    names = [*firm, *(header for header in headers if bare(header) in OUTCOMES)]
    if not names:
        return TargetColumn(name=last, why=LAST, last=last)
    if len(names) > 1:
        raise _disagree(names, source, last)
    return TargetColumn(name=names[0], why=NAMED_LAST if names == [last] else NAMED, last=last)


def _disagree(texts: Sequence[str], source: str, last: str) -> InputError:
    other = "" if last in texts else f", or {option(target=last)} for the last column"
    ways = " or ".join(option(target=name) for name in texts[:4])
    return InputError(
        f"Several columns of {source} have the name of a target: {quoted(texts, limit=4)}.",
        mend=f"Say {ways}{other}; leave a second copy of the target out with {option(drop=[...])}.",
    )


def target_given(
    target: Sequence[object] | npt.NDArray[Any], kind: str | None, *, source: str
) -> tuple[Typed, Caveats]:
    """Return a target as numbers or as names, and what is to be said where nobody told which.

    Examples
    --------
    >>> target_given([0.5, 1.5, None], "number", source="y")[0].tolist()
    [0.5, 1.5, nan]
    >>> target_given(["a", "b"], None, source="y")[0].names
    ('a', 'b')
    """
    options = check_kind(kind)
    numbers = None if options == "classes" else _numbers(target)
    if options == "number":
        if numbers is None:
            raise InputError(
                f"The target of {source} holds something that is not a number.",
                mend=f"Turn it into numbers, or say {option(kind='classes')}.",
            )
        check_numbers(numbers, source)
        return numbers, ()
    if numbers is None:
        return _labels(target), ()
    reading = reading_of(numbers)
    if reading.kind == "number":
        check_numbers(numbers, source)
    return (numbers if reading.kind == "number" else _labels(target)), taken_for("the target", reading)


def _labels(target: Sequence[object] | npt.NDArray[Any]) -> Names:
    if isinstance(target, np.ndarray) and target.ndim == 1 and target.dtype.kind in "iu":
        return coded_integers(target)
    return coded_labels(target.tolist() if isinstance(target, np.ndarray) else list(target))


def _numbers(target: Sequence[object] | npt.NDArray[Any]) -> FloatArray | None:
    """Return numbers with NaN for what is missing; None where something else is among them, truth values included."""
    if isinstance(target, np.ndarray) and target.dtype.kind in "iuf":
        flat = target if target.ndim == 1 else target[:, 0] if target.ndim == 2 and target.shape[1] else None
        return None if flat is None else np.asarray(flat, dtype=np.float64)
    values: list[Any] = target.tolist() if isinstance(target, np.ndarray) else list(target)
    plain = all(
        is_missing(value) or (isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_)))
        for value in values
    )
    return np.array([np.nan if is_missing(value) else float(value) for value in values]) if plain else None
