"""The data set: attributes, symbolic or numeric, with their missing values, and a class or a number for every row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_names, readonly
from tiebreak.caveats import Caveats
from tiebreak.datasets.columns import LeftOut
from tiebreak.datasets.targets import TargetKind
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSet:
    """One problem of classification or regression, whole: nothing is imputed, encoded or scaled here.

    Parameters
    ----------
    name : str
        What the data set is called in results and stores.
    values : FloatArray
        Rows x attributes. A symbolic attribute holds the code of its value (its place in `categories`);
        a missing value is NaN; infinities are refused.
    symbolic : BoolArray
        For every attribute, whether it is symbolic.
    attributes : tuple of str
        The names of the attributes.
    categories : tuple of tuple of str
        The values of every symbolic attribute, sorted; empty for a numeric one.
    target : IntArray or FloatArray
        The class of every row, as its place in `classes`; or the number that is to be predicted.
    classes : tuple of str
        The names of the classes, sorted; of two the positive one last, where one was named. None where the target is a
        number.
    groups : IntArray, optional
        Rows with the same number belong together and never stand on both sides of a split.
    caveats : tuple of str
        What was done on the way in (rows without a class dropped, empty columns, ...).
    kind : {"classes", "number"}
        What the target is: classification, or regression.
    target_name, target_why : str
        The column that the target comes from, and why it was taken; empty where it has no name.
    left_out : tuple of LeftOut
        The columns that are not among the attributes, as nothing can be learned from them or as told.
    """

    name: str
    values: FloatArray
    symbolic: BoolArray
    attributes: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]
    target: npt.NDArray[Any]
    classes: tuple[str, ...]
    groups: IntArray | None = None
    caveats: Caveats = ()
    kind: TargetKind = "classes"
    target_name: str = ""
    target_why: str = ""
    left_out: tuple[LeftOut, ...] = ()
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        for name in ("values", "symbolic", "target"):
            object.__setattr__(self, name, readonly(getattr(self, name)))
        if self.groups is not None:
            object.__setattr__(self, "groups", readonly(self.groups))
        _check_shapes(self)
        object.__setattr__(self, "fingerprint", _fingerprint(self))

    def __getstate__(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for name, value in zip(self.__slots__, state, strict=True):
            object.__setattr__(self, name, readonly(value) if isinstance(value, np.ndarray) else value)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.values.shape[0])

    @property
    def n_attributes(self) -> int:
        """The number of attributes."""
        return int(self.values.shape[1])

    @property
    def class_counts(self) -> IntArray:
        """How many rows every class has, in the order of `classes`; a number has none."""
        if self.kind == "number":
            raise InputError(
                f"The target of data set {self.name!r} is a number.",
                mend=f"Put it into intervals first, or read it as classes: {option(kind='classes')}.",
            )
        return np.bincount(self.target, minlength=len(self.classes)).astype(np.int64)

    @property
    def target_words(self) -> str:
        """Say which column was taken for the target, and what it holds; empty where it has no name."""
        if not self.target_name:
            return ""
        why = f", {self.target_why}" if self.target_why else ""
        text = f"{len(self.classes)} classes" if self.kind == "classes" else "a number to predict"
        return f"Target {self.target_name!r}{why}: {text}"

    def __repr__(self) -> str:
        target = f"{len(self.classes)} classes" if self.kind == "classes" else "a number to predict"
        return (
            f"DataSet({self.name!r}, {self.n_rows} rows, {int((~self.symbolic).sum())} numeric and "
            f"{int(self.symbolic.sum())} symbolic attributes, {target})"
        )

    @classmethod
    def from_arrays(
        cls,
        values: npt.ArrayLike,
        target: Sequence[object] | npt.NDArray[np.generic],
        *,
        name: str = "data",
        attributes: Sequence[str] | None = None,
        symbolic: Sequence[bool] | npt.NDArray[np.bool_] | None = None,
        groups: Sequence[object] | npt.NDArray[np.generic] | None = None,
        kind: str | None = "classes",
    ) -> DataSet:
        """Return a data set of numbers and a target; a column named symbolic gets one category per number.

        A row whose target is None or NaN is dropped with a caveat. The target is taken for class labels, or by `kind`
        for a number ("number"), or for what its values look like (None).

        Examples
        --------
        >>> from tiebreak.datasets import DataSet
        >>> DataSet.from_arrays([[0.5, 1], [0.1, 2], [0.3, 1]], ["no", "yes", "no"], symbolic=[False, True])
        DataSet('data', 3 rows, 1 numeric and 1 symbolic attributes, 2 classes)
        """
        from tiebreak.datasets.building import assemble
        from tiebreak.datasets.columns import coded_numbers
        from tiebreak.datasets.targets import target_given

        matrix = np.asarray(values, dtype=np.float64)
        if matrix.ndim != 2:
            raise InputError(
                f"The values of data set {name!r} have {matrix.ndim} dimension(s).",
                mend="Pass a two-dimensional array, for one attribute `values.reshape(-1, 1)`.",
            )
        names = _numbered(matrix.shape[1]) if attributes is None else [str(header) for header in attributes]
        kinds = [False] * matrix.shape[1] if symbolic is None else [bool(kind) for kind in symbolic]
        _check_lengths(name, matrix, len(target), groups, names, kinds)
        check_names(names, matrix.shape[1], kind="attribute")
        columns = {
            header: coded_numbers(column) if kind else column
            for header, column, kind in zip(names, matrix.T, kinds, strict=True)
        }
        source = f"Data set {name!r}"
        current, notes = target_given(target, kind, source=source)
        rows = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1].astype(np.int64)
        return assemble(columns, current, name=name, source=source, groups=rows, matrix=matrix, caveats=notes)


def _numbered(count: int) -> list[str]:
    return [f"a{place + 1}" for place in range(count)]


def _check_lengths(
    name: str, values: FloatArray, labels: int, groups: Sized | None, names: Sized, kinds: Sized, *others: Sized
) -> None:
    """Called before the arrays are built on: a wrong length would else broadcast or fail far away."""
    rows, columns = values.shape
    if labels != rows:
        raise unlabelled(name, rows, labels)
    if groups is not None and len(groups) != rows:
        raise InputError(
            f"Data set {name!r} has {rows} rows and {len(groups)} group numbers.",
            mend="Pass one group per row, or leave the groups out.",
        )
    if {len(sized) for sized in (names, kinds, *others)} != {columns}:
        raise InputError(f"Data set {name!r} has {columns} columns, {len(names)} names and {len(kinds)} kinds.")


def unlabelled(name: str, rows: int, labels: int) -> InputError:
    """Make the error for rows and classes that do not match."""
    return InputError(f"Data set {name!r} has {rows} rows and {labels} classes.", mend="Pass one class per row.")


def _check_shapes(data: DataSet) -> None:
    parts = data.attributes, data.symbolic, data.categories
    _check_lengths(data.name, data.values, len(data.target), data.groups, *parts)
    if np.isinf(data.values).any():
        row, column = np.argwhere(np.isinf(data.values))[0]
        raise InputError(
            f"Data set {data.name!r} holds an infinite value (row {row + 1}, attribute {data.attributes[column]!r}).",
            mend="Leave the value empty if it is unknown.",
        )


def _fingerprint(data: DataSet) -> str:
    """Return a digest of everything a learner could see: the same data give the same text on every machine."""
    digest = hashlib.sha256()
    for part in (data.attributes, data.categories, data.classes):
        digest.update(repr(part).encode())
    values = data.values + 0.0  # minus zero is zero
    values[np.isnan(values)] = np.nan  # one of the many bit patterns of NaN
    digest.update(np.ascontiguousarray(values, dtype="<f8").data)
    if data.kind == "number":
        digest.update(b"number")
        digest.update(np.ascontiguousarray(data.target + 0.0, dtype="<f8").data)
    for array in (data.symbolic, None if data.kind == "number" else data.target, data.groups):
        if array is not None:
            digest.update(np.ascontiguousarray(array, dtype="<i8").data)
    return digest.hexdigest()[:32]


def with_positive(data: DataSet, positive: str) -> DataSet:
    """Return a data set of two classes with the positive one last, where measures look for it.

    Examples
    --------
    >>> with_positive(DataSet.from_arrays([[0.5], [0.1]], ["ill", "well"]), "ill").classes
    ('well', 'ill')
    """
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
