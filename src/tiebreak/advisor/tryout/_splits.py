"""On which splits algorithms are tried: those that an order can be tested on, fewer where there is much data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tiebreak.lab.resampling import Resampling, check_resampling, resampling_from

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet

MANY_VALUES = 1_000_000
"""From so many values (rows x attributes) on a data set is split twice instead of five times."""


def usual_splits(data: DataSet, asked: Resampling | str | Mapping[str, Any] | None = None) -> Resampling:
    """Return how a data set is split for trials: as asked, else 5x2cv without test part, 2x2cv of large data.

    Two folds, because the known results are of two folds: what was seen is compared with what is known. Five
    replications give the 5x2cv F test its folds. From a million values (rows x attributes) on, two: folds of many rows
    differ little, and four fits cost two fifths of ten. Splits of both share their first replications, so that one can
    be extended to the other.

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> usual_splits(load("builtin:iris")).replications, usual_splits(load("builtin:iris"), "10-fold").folds
    (5, 10)
    """
    if isinstance(asked, Resampling):
        return check_resampling(asked)
    if isinstance(asked, Mapping):
        told = {"test": 0.0, **asked}
        return resampling_from(str(told.pop("scheme", "5x2cv")), **told)
    if asked is not None:
        return resampling_from(asked, test=0.0)
    large = data.n_rows * data.n_attributes >= MANY_VALUES
    return Resampling(replications=2 if large else 5, folds=2, test=0.0)


def in_words(splits: Resampling) -> str:
    """Name a resampling as it is asked for.

    Examples
    --------
    >>> in_words(Resampling(test=0.0)), in_words(Resampling(replications=1, folds=10))
    ('5x2cv', '10-fold')
    """
    if splits.kind == "holdout":
        return "holdout" if splits.replications == 1 else f"{splits.replications}xholdout"
    return f"{splits.folds}-fold" if splits.replications == 1 else f"{splits.replications}x{splits.folds}cv"
