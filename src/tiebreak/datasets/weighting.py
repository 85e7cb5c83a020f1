"""What may be told about a data set once it is read: how much each row counts, and which class is the positive one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option


def weighted(data: DataSet, column: str) -> DataSet:
    """Return the data set with the numbers of one attribute as weights of its rows; it is then no attribute.

    Examples
    --------
    >>> data = DataSet.from_arrays([[0.5, 2.0], [0.1, 1.0]], ["a", "b"], attributes=["size", "count"])
    >>> weighted(data, "count").weights.tolist(), weighted(data, "count").attributes
    ([2.0, 1.0], ('size',))
    """
    mend = f"Set weights to one of them; where it is the last column, name the class with {option(target=...)} too."
    place = data.attributes.index(
        check_choice(f"attribute of data set {data.name!r}", column, data.attributes, mend=mend)
    )
    found = data.values[:, place]
    if data.symbolic[place] or not (np.isfinite(found) & (found >= 0)).all() or not (found > 0).any():
        raise InputError(
            f"The column {column!r} of data set {data.name!r} does not hold the weight of every row.",
            why="A weight is a number from 0, and not all are 0.",
            mend="Correct the column, or leave `weights` out.",
        )
    keep = np.arange(data.n_attributes) != place
    if not keep.any():
        raise InputError(
            f"Data set {data.name!r} has no attribute beside the weights {column!r}.",
            why="There is nothing to learn from.",
            mend="Leave `weights` out.",
        )
    return replace(
        data,
        values=data.values[:, keep],
        symbolic=data.symbolic[keep],
        attributes=tuple(name for name in data.attributes if name != column),
        categories=tuple(each for each, kept in zip(data.categories, keep, strict=True) if kept),
        weights=found,
    )


def with_positive(data: DataSet, positive: str) -> DataSet:
    """Return a data set of two classes with the positive one last, where measures look for it.

    Examples
    --------
    >>> with_positive(DataSet.from_arrays([[0.5], [0.1]], ["ill", "well"]), "ill").classes
    ('well', 'ill')
    """
    if data.kind == "number":
        raise OptionError(
            f"Data set {data.name!r} has the positive class {positive!r}, and a number to predict.",
            why="A number has no classes.",
            mend=f"Leave `positive` out, or say that the target holds classes: {option(kind='classes')}.",
        )
    check_choice(f"class of data set {data.name!r}", positive, data.classes, mend="Set positive to one of them.")
    if len(data.classes) != 2:
        raise OptionError(
            f"Data set {data.name!r} has {len(data.classes)} classes and the positive class {positive!r}.",
            why="One of two classes is the positive one; with more, measures are averaged over the classes.",
            mend="Leave `positive` out.",
        )
    if data.classes[1] == positive:
        return data
    return replace(data, classes=data.classes[::-1], target=1 - data.target)
