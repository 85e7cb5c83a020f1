"""The meta-attributes of many data sets as one matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import overload

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Framed, Row
from tiebreak.errors import InputError, unknown_name

Described = Mapping[str, "float | None"]
"""Meta-attributes by name; None or NaN where one does not apply."""


LOOK = ("n_examples", "n_classes", "default_accuracy")
"""By what the same data set is recognised under another name."""


def names_of(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MetaTable(Framed):
    """Data sets x measures, NaN where a measure does not apply.

    Examples
    --------
    >>> table = MetaTable.from_mapping({"iris": {"n_examples": 150}, "zoo": {"n_examples": 101, "n_classes": 7}})
    >>> table.measures, table.matrix.tolist()
    (('n_examples', 'n_classes'), [[150.0, nan], [101.0, 7.0]])
    """

    names: tuple[str, ...]
    measures: tuple[str, ...]
    matrix: FloatArray
    versions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", readonly(np.asarray(self.matrix, dtype=np.float64)))
        _check(self)

    def __repr__(self) -> str:
        return f"<MetaTable: {len(self.measures)} measure(s) of {len(self.names)} data set(s)>"

    @classmethod
    def from_mapping(cls, base: Mapping[str, Described]) -> MetaTable:
        """Lay out mappings of name to meta-attributes; what one of them lacks does not apply to it."""
        measures = tuple(dict.fromkeys(name for described in base.values() for name in described))
        versions = {int(described.version) for described in base.values() if hasattr(described, "version")}
        rows = [_row(described, measures) for described in base.values()]
        return cls(
            names=tuple(str(name) for name in base),
            measures=measures,
            matrix=np.array(rows, dtype=np.float64).reshape(len(rows), len(measures)),
            versions=tuple(sorted(versions)),
        )

    def row_of(self, described: Described) -> FloatArray:
        """Return meta-attributes in the order of the measures."""
        row = np.array(_row(described, self.measures), dtype=np.float64)
        for name in np.array(self.measures)[np.isinf(row)]:
            raise _infinite(f"The measure {str(name)!r} of the query")
        return row

    @overload
    def rows(self) -> list[Row]: ...

    @overload
    def rows(self, places: IntArray) -> MetaTable: ...

    def rows(self, places: IntArray | None = None) -> list[Row] | MetaTable:
        """Return one row per data set; or, of some data sets, their table."""
        if places is None:
            cells = zip(self.names, self.matrix.tolist(), strict=True)
            return [{"dataset": name, **dict(zip(self.measures, row, strict=True))} for name, row in cells]
        return replace(self, names=tuple(self.names[i] for i in places), matrix=self.matrix[places])

    def of(self, measures: tuple[str, ...]) -> MetaTable:
        """Return the table of some measures."""
        if measures == self.measures:
            return self
        for name in measures:
            if name not in self.measures:
                raise unknown_name("measure", name, self.measures, mend="The base must hold every measure in use.")
        places = [self.measures.index(name) for name in measures]
        return replace(self, measures=measures, matrix=self.matrix[:, places])


def looks_of(meta: MetaTable) -> list[tuple[float, ...]]:
    """Tell data sets by what two of them share by accident only: rows, classes and the share of the largest class.

    Collections spell the names of one data set in many ways. What is taken for the same by mistake is left out together
    without need, which costs less than a data set that advises on itself. Empty where one of the three is not known.

    Examples
    --------
    >>> looks_of(MetaTable.from_mapping({"iris": {"n_examples": 150, "n_classes": 3, "default_accuracy": 1 / 3}}))
    [(150.0, 3.0, 0.33333)]
    """
    if not set(LOOK) <= set(meta.measures):
        return [()] * len(meta.names)
    rows = meta.of(LOOK).matrix.tolist()
    return [() if any(map(isnan, row)) else (row[0], row[1], round(row[2], 5)) for row in rows]


def as_table(
    base: MetaTable | Mapping[str, Described], query: Described, measures: tuple[str, ...]
) -> tuple[MetaTable, Caveats]:
    """Return the base as a table of the measures, and what has to be said about it and the query."""
    table = base if isinstance(base, MetaTable) else MetaTable.from_mapping(base)
    empty = np.empty((0, len(measures)))  # a base without data sets has no measures either: refused later, by name
    found = table.of(measures) if table.names else replace(table, measures=measures, matrix=empty)
    absent = [name for name in measures if name not in query]
    versions = {*table.versions, *((int(query.version),) if hasattr(query, "version") else ())}
    listed = ", ".join(map(str, sorted(versions)))
    lacks = f"The query has no {', '.join(absent)}: counted as a measure that does not apply."
    mixed = f"Meta-attributes of versions {listed} are mixed: characterise the older data sets again."
    return found, caveats_of((query and absent, "few-measures", lacks), (len(versions) > 1, "versions-mixed", mixed))


def _row(described: Described, measures: tuple[str, ...]) -> list[float]:
    values = [described.get(name) for name in measures]
    return [float("nan") if value is None else float(value) for value in values]


def _check(table: MetaTable) -> None:
    """Refuse what makes distances meaningless: a name twice, an infinite value."""
    if table.matrix.shape != (len(table.names), len(table.measures)):
        raise InputError(
            f"The matrix is {' x '.join(map(str, table.matrix.shape))} for {len(table.names)} data sets and"
            f" {len(table.measures)} measures.",
            why="It has one row per data set and one column per measure.",
            mend="Pass names and measures that match it.",
        )
    if len(set(table.names)) < len(table.names):
        twice = next(name for name in table.names if table.names.count(name) > 1)
        raise InputError(
            f"The data set {twice!r} occurs twice.",
            why="Neighbours are identified by name.",
            mend="Rename one of them.",
        )
    infinite = np.argwhere(np.isinf(table.matrix))
    if infinite.size:
        i, j = infinite[0]
        raise _infinite(f"The measure {table.measures[j]!r} of data set {table.names[i]!r}")


def _infinite(what: str) -> InputError:
    return InputError(
        f"{what} is infinite.", why="No range can hold it.", mend="Pass None where a measure does not apply."
    )
