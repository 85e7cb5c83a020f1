"""Targets that are given as arrays and lists, beside the attributes: class labels, or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveats
from tiebreak.datasets.columns import Typed, coded_labels
from tiebreak.datasets.targets import check_kind, check_numbers, reading_of, taken_for
from tiebreak.errors import InputError
from tiebreak.results.columns import Names, coded_integers, is_missing
from tiebreak.wording import option


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
    told = check_kind(kind)
    numbers = None if told == "classes" else _numbers(target)
    if told == "number":
        if numbers is None:
            raise InputError(
                f"The target of {source} holds something that is not a number.",
                why=f"It was said to be a number: {option(kind='number')}.",
                mend=f"Turn it into numbers, or say {option(kind='classes')}.",
            )
        check_numbers(numbers, source)
        return numbers, ()
    if numbers is None:
        return _labels(target), ()
    found = reading_of(numbers)
    if found.kind == "number":
        check_numbers(numbers, source)
    return (numbers if found.kind == "number" else _labels(target)), taken_for("the target", found)


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
        is_missing(each) or (isinstance(each, (int, float, np.number)) and not isinstance(each, (bool, np.bool_)))
        for each in values
    )
    return np.array([np.nan if is_missing(each) else float(each) for each in values]) if plain else None
