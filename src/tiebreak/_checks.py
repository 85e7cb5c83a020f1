"""Small validators shared by every stage; each raises the error that names what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.wording import option

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AnyArray = TypeVar("AnyArray", bound=npt.NDArray[Any])


def readonly(array: AnyArray) -> AnyArray:
    """Return our own copy of an array that nobody can write to, not even by lifting the flag."""
    current = array.copy()
    current.flags.writeable = False
    return current.view()  # a view of a read-only array cannot be made writable


def check_alpha(alpha: float) -> float:
    """Return the significance level as a float strictly between 0 and 1."""
    why = "A significance level lies strictly between 0 and 1."
    return check_within(option("alpha"), alpha, 0.0, 1.0, why=why, mend=f"Use {option(alpha=0.05)}.")


def check_within(
    name: str, value: float, low: float, high: float, *, from_low: bool = False, why: str = "", mend: str
) -> float:
    """Return a number strictly between two others, `from_low` including the lower; anything else is refused."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not (low < number < high or (from_low and number == low)):
        raise OptionError(f"{name} is {value!r}.", why=why, mend=mend)
    return number


def check_choice(kind: str, value: str, choices: Iterable[str], *, mend: str = "") -> str:
    """Return `value` if it is one of `choices`."""
    options = list(choices)
    if value not in options:
        raise unknown_name(kind, str(value), options, mend=mend)
    return value


def check_choices(kind: str, values: Iterable[str], choices: Iterable[str], *, mend: str = "") -> None:
    """Refuse the first of `values` that is not one of `choices`."""
    options = list(choices)
    for value in values:
        check_choice(kind, value, options, mend=mend)


def check_matrix(scores: npt.ArrayLike, *, what: str = "scores", min_rows: int = 2) -> FloatArray:
    """Return a complete, finite data sets x algorithms matrix of floats.

    At least `min_rows` rows (data sets) and two columns (algorithms).
    """
    matrix = as_floats(scores, what=what)
    if matrix.ndim != 2:
        raise InputError(
            f"{what} has {matrix.ndim} dimension(s).",
            why="One row per data set and one column per algorithm are needed.",
            mend="Pass a two-dimensional array.",
        )
    check_shape(matrix.shape[0], matrix.shape[1], what=what, min_rows=min_rows)
    check_finite(matrix, what=what)
    return matrix


def check_table(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, *, min_rows: int = 2
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a complete, finite data sets x algorithms matrix, and the names of its columns."""
    matrix = check_matrix(scores, min_rows=min_rows)
    return matrix, check_names(algorithms, matrix.shape[1], kind="algorithm")


def as_floats(values: npt.ArrayLike, *, what: str) -> FloatArray:
    """Convert to a float array, or say which argument holds something else; what is masked becomes NaN."""
    try:
        array = unmasked(values)
        if array.dtype.kind not in "cmM":  # NumPy would drop the imaginary part, and count days or nanoseconds
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise InputError(
        f"{what} holds something that is not a number.",
        why="The test computes with numbers only.",
        mend="Pass an array of floats.",
    ) from None


def unmasked(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return an array in which a masked value is NaN: what lies under a mask is no score.

    NumPy loads masked arrays when they are first used, so without that module nothing can be masked.
    """
    ma = sys.modules.get("numpy.ma")
    rows = values if isinstance(values, (list, tuple)) else (values,)
    if ma is None or not any(isinstance(row, ma.MaskedArray) for row in rows):
        return np.asarray(values)
    masked = ma.array(values)
    data = masked.data.astype(object) if masked.dtype.kind in "US" else masked.data
    return np.where(ma.getmaskarray(masked), np.nan, data)


def check_shape(rows: int, columns: int, *, what: str, min_rows: int = 2) -> None:
    """Refuse fewer than two algorithms, or fewer data sets than the method needs."""
    if columns < 2:
        raise InputError(
            f"{what} has {columns} algorithm(s).",
            why="A comparison needs at least two.",
            mend="Add the column of another algorithm.",
        )
    if rows < min_rows:
        raise InputError(
            f"{what} has {rows} data set(s).",
            why=f"This test draws its evidence from the data sets and needs at least {min_rows}.",
            mend="Add data sets, or compare the fold scores of the one data set.",
        )


def check_finite(matrix: FloatArray, *, what: str) -> None:
    """Refuse NaN and infinities, naming the first place."""
    bad = np.argwhere(~np.isfinite(matrix))
    if bad.size:
        place = ", ".join(str(int(i)) for i in bad[0])
        raise InputError(
            f"{what}[{place}] is {matrix[tuple(bad[0])]} ({len(bad)} such value(s) in all).",
            why="A rank or a mean of it would be meaningless.",
            mend="Drop those data sets, or choose a policy for gaps with tiebreak.compare(..., missing=...).",
        )


def check_pvalues(pvalues: npt.ArrayLike, *, flat: bool = False) -> FloatArray:
    """Return p-values as an array, refusing anything outside 0..1; `flat` refuses all but one dimension."""
    array = as_floats(pvalues, what="pvalues")
    if flat and array.ndim != 1:
        raise InputError(
            f"pvalues has {array.ndim} dimension(s).",
            why="One family of hypotheses is corrected at a time.",
            mend="Pass a one-dimensional array, such as matrix[numpy.triu_indices(L, 1)] for all pairs.",
        )
    bad = np.argwhere(~((array >= 0) & (array <= 1)))
    if bad.size:
        place = ", ".join(str(int(i)) for i in bad[0])
        raise InputError(
            f"pvalues[{place}] is {array[tuple(bad[0])]}.",
            why="A p-value lies between 0 and 1.",
            mend="Pass the p-values themselves, not the statistics.",
        )
    return array


def check_names(names: Sequence[str] | None, count: int, *, kind: str) -> tuple[str, ...]:
    """Return `count` distinct names, numbered ones if none were given."""
    if names is None:
        return tuple(f"{kind} {number}" for number in range(1, count + 1))
    current = tuple(str(name) for name in names)
    if len(current) != count:
        raise InputError(
            f"{len(current)} {kind} names for {count} {kind}s.",
            why="Every one needs its own name.",
            mend=f"Pass {count} names.",
        )
    if len(set(current)) != count:
        twice = next(name for name in current if current.count(name) > 1)
        raise InputError(
            f"The {kind} name {twice!r} occurs twice.",
            why="Results are identified by name.",
            mend="Rename one of them.",
        )
    return current
