"""Classes or a number: what the target of a data set is taken for, and the sentence that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.wording import option

TargetKind = Literal["classes", "number"]
KINDS: tuple[TargetKind, ...] = ("classes", "number")
FEW_VALUES = 10
"""A column of numbers with at most so many different ones holds classes, as most files number them."""
CODED_VALUES = 50
"""Whole numbers with at most so many different ones may be either, and are taken for classes."""
FEW_ROWS = 20
"""With fewer rows nothing is said about a column in which nearly every value is different."""


def check_kind(kind: object) -> TargetKind | None:
    """Return what a caller said about the target; None where nothing was said."""
    if kind is None:
        return None
    found = check_choice("kind of target", str(kind), KINDS, mend="Leave it out to have it told by the values.")
    return "number" if found == "number" else "classes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a column of numbers was taken for, how many different ones it has, and whether that is open to doubt."""

    kind: TargetKind
    distinct: int
    whole: bool
    doubtful: bool


def reading_of(values: FloatArray, *, told: TargetKind | None = None) -> Reading:
    """Say whether a column of numbers holds classes or a quantity; NaN is missing.

    - At most 10 different numbers: classes.
    - More, and some are not whole: a number.
    - More than 10 whole ones: a number where they are more than half the rows (of 20 or more), or more than 50 that
      are not simply 0, 1, 2, ... or 1, 2, 3, ... without a gap; otherwise classes, which is open to doubt.

    What is taken for a number is always open to doubt; nothing is where the caller told it.

    Examples
    --------
    >>> import numpy as np
    >>> reading_of(np.array([0.0, 1.0, 2.0] * 20)).kind
    'classes'
    >>> reading_of(np.arange(30) / 7)
    Reading(kind='number', distinct=30, whole=False, doubtful=True)
    >>> reading_of(np.arange(1.0, 31.0).repeat(5))
    Reading(kind='classes', distinct=30, whole=True, doubtful=True)
    """
    found = np.unique(values[~np.isnan(values)])
    whole = bool((found == np.floor(found)).all())
    if told is not None or len(found) <= FEW_VALUES:
        return Reading(kind=told or "classes", distinct=len(found), whole=whole, doubtful=False)
    rows = int(np.count_nonzero(~np.isnan(values)))
    numbered = whole and found[0] in (0, 1) and bool((np.diff(found) == 1).all())
    most = rows >= FEW_ROWS and len(found) > rows / 2
    number = not whole or most or (len(found) > CODED_VALUES and not numbered)
    return Reading(kind="number" if number else "classes", distinct=len(found), whole=whole, doubtful=True)


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
    if reading.kind == "number":
        said = f"a regression; for classes say {option(kind='classes')}, for another column {option(target='...')}"
    else:
        said = f"taken for classes; for a regression say {option(kind='number')}"
    return (Caveat("target-taken-for", f"{what}, {numbers}: {said}."),)


def check_numbers(values: FloatArray, source: str) -> None:
    """Refuse targets that nothing can be learned about: infinite ones, and numbers that only count the rows."""
    present = values[~np.isnan(values)]
    if np.isinf(present).any():
        raise InputError(
            f"The target of {source} holds an infinite number.",
            why="No error can be measured from it.",
            mend="Leave the cell empty if the number is unknown: the row is then dropped.",
        )


def counts_rows(values: FloatArray) -> bool:
    """Say whether the numbers only count the rows, from 0 or 1 on, in their order."""
    return len(values) >= FEW_ROWS and values[0] in (0, 1) and bool((np.diff(values) == 1).all())


def many_classes(n_classes: int, n_rows: int, source: str, *, numbers: bool) -> InputError | None:
    """Make the error for a class column in which most classes would have one row; None for any other."""
    if n_rows < FEW_ROWS or n_classes <= n_rows / 2:
        return None
    other = f", or say {option(kind='number')} for a regression" if numbers else ""
    return InputError(
        f"The class column of {source} has {n_classes} different values in {n_rows} rows.",
        why="That is a quantity or a name, not a class: most classes would have one row.",
        mend=f"Name the class column with {option(target=...)}{other}, or put the quantity into intervals first.",
    )
