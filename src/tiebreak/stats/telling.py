"""How results tell what they found: rows made from columns, and the caveats that hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tiebreak._checks import IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown


def rows_of(**columns: Iterable[object]) -> list[Row]:
    """Turn columns of one length into rows of plain numbers and texts.

    Examples
    --------
    >>> rows_of(name=("a", "b"), value=np.array([1.5, 2.0]))
    [{'name': 'a', 'value': 1.5}, {'name': 'b', 'value': 2.0}]
    """
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]


def frozen(**arrays: npt.NDArray[Any]) -> dict[str, Any]:
    """Return our own read-only copies of arrays, as fields of a result."""
    return {name: readonly(array) for name, array in arrays.items()}


def caveats_of(*said: tuple[object, str, str]) -> Caveats:
    """Return, of what could be said (whether it holds, its code, its text), what holds."""
    return tuple(Caveat(code, text) for holds, code, text in said if holds)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Told(Shown):
    """A result that names its method; `COLUMNS` are the fields that its rows list."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()

    method: str
    caveats: Caveats = ()

    def columns(self) -> dict[str, Any]:
        """Return the fields that the rows list, by name."""
        return {name: getattr(self, name) for name in self.COLUMNS}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OverPairs(Told):
    """A result whose arrays run over pairs of algorithms: `a` and `b` index `algorithms`."""

    a: IntArray
    b: IntArray
    algorithms: tuple[str, ...]

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return self.pair_rows(**self.columns())

    def pair_rows(self, **columns: Iterable[object]) -> list[Row]:
        """Return rows of the two names and of these columns."""
        first, second = ([self.algorithms[i] for i in side] for side in (self.a, self.b))
        return rows_of(a=first, b=second, **columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OverDatasets(OverPairs):
    """A result whose arrays have shape (data sets, pairs)."""

    datasets: tuple[str, ...]

    def rows(self) -> list[Row]:
        """Return one row per data set and pair."""
        pairs = self.pair_rows()
        columns = rows_of(**{name: array.ravel() for name, array in self.columns().items()})
        places = [{"dataset": name, **pair} for name in self.datasets for pair in pairs]
        return [place | row for place, row in zip(places, columns, strict=True)]
