"""Data frames -> DataSet: pandas, polars and arrow through narwhals, and the (X, y) pairs of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.datasets.building import Table, Wanted, dataset_of, dates_in, kept, texts, without_columns
from tiebreak.datasets.columns import BY_NAME, typed_series
from tiebreak.datasets.dataset import DataSet, unlabelled
from tiebreak.datasets.given_targets import target_given
from tiebreak.datasets.targets import check_kind
from tiebreak.errors import InputError, OptionError


def from_frame(
    frame: Any,
    *,
    target: str | None = None,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
    groups: str | None = None,
    drop: Sequence[str] | None = None,
    kind: str | None = None,
    keep: Sequence[str] | None = None,
) -> DataSet:
    """Return the data set that a data frame holds.

    Numbers are numeric; categories, text and truth values are symbolic; null and NaN are missing. In columns of
    plain text the marks of text files (empty, NA, NaN, null, ?) are missing as well, and a column of text that is
    mostly numbers, more than 20 different ones, is refused: it was read as text by mistake. Dates are left out, with
    the other columns that `read_data` leaves out.

    Parameters
    ----------
    frame : pandas, polars or arrow frame
    target : str, optional
        The target, a column of classes or of numbers; if left out one called class, target, label, ..., else the last.
    name : str, default "data"
    symbolic, drop, keep : sequence of str, optional
        Columns whose numbers are names; columns to leave out; columns to keep although nothing can be learned from
        them ("all": every one), see `read_data`.
    groups : str, optional
        A column that is no attribute: rows with the same value never stand on both sides of a split.
    kind : {"classes", "number"}, optional
        What the target is; told by its values if left out, see `read_data`.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> import polars as pl
    >>> from_frame(pl.DataFrame({"size": [1.5, None], "red": [True, False], "kind": ["a", "b"]}), target="kind")
    DataSet('data', 2 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    wanted = Wanted(
        name=name,
        source=f"the frame {name!r}",
        target=None if target is None else str(target),
        symbolic=texts(symbolic, what="symbolic"),
        groups=None if groups is None else str(groups),
        drop=texts(drop, what="drop"),
        target_kind=check_kind(kind),
        keep=kept(keep),
    )
    return dataset_of(frame_table(frame, source=wanted.source), wanted)


def from_xy(
    x: Any,
    y: Sequence[object] | npt.NDArray[Any],
    *,
    name: str = "data",
    symbolic: Sequence[str] | None = None,
    kind: str | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | None = "all",
) -> DataSet:
    """Return the data set of a pair as scikit-learn takes it: a frame or an array, and a class or a number per row.

    The columns of an array are called a1, a2, ... and are numeric unless `symbolic` names them. `kind` says what the
    target is, "classes" or "number"; its values tell it if left out, see `read_data`. All columns are kept but those
    of `drop`; with another `keep` those that nothing can be learned from are left out too, as `read_data` does.

    Examples
    --------
    >>> from_xy([[0.5, 1], [0.1, 2], [0.3, 1]], [0, 1, 0], name="small", symbolic=["a2"])
    DataSet('small', 3 rows, 1 numeric and 1 symbolic attributes, 2 classes)
    """
    names = texts(symbolic, what="symbolic")
    if isinstance(x, (np.ndarray, list, tuple)) or hasattr(x, "toarray"):
        matrix = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
        width = matrix.shape[1] if matrix.ndim == 2 else 0
        kinds = [f"a{place + 1}" in names for place in range(width)]
        data = DataSet.from_arrays(_floats(matrix), _plain(y), name=name, symbolic=kinds if width else None, kind=kind)
        return without_columns(data, texts(drop, what="drop"), (*kept(keep), *names) if keep != "all" else "all")
    source = f"the frame {name!r}"
    table = frame_table(x, source=source)
    labels = list(y.to_list() if hasattr(y, "to_list") else np.asarray(y, dtype=object).tolist())
    rows = len(next(iter(table.columns.values()), ()))
    if len(labels) != rows:
        raise unlabelled(name, rows, len(labels))
    told = check_kind(kind)
    gone = texts(drop, what="drop")
    wanted = Wanted(name=name, source=source, symbolic=names, target_kind=told, drop=gone, keep=kept(keep))
    return dataset_of(table, wanted, target_given(labels, told, source=source))


def _plain(y: Any) -> Any:
    """Return a series as the list of its values; arrays and lists stay."""
    return y.to_list() if hasattr(y, "to_list") else y


def _floats(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "X holds something that is not a number.",
            why="The columns of an array have one type.",
            mend="Pass a data frame, whose columns may be text.",
        ) from None


def frame_table(frame: Any, *, source: str) -> Table:
    """Split any data frame; something else is refused."""
    from tiebreak.results.frames import split_frame

    try:
        columns, _ = split_frame(frame, source=source, why=BY_NAME)
    except TypeError:
        raise OptionError(
            f"A {type(frame).__name__} is not a data frame.",
            why="Frames of pandas, polars or pyarrow are read.",
            mend="Use from_xy(X, y) for arrays; collect a lazy frame first with frame.collect().",
        ) from None
    return Table(columns=columns, source=source, rule=typed_series, dates=dates_in(columns))
