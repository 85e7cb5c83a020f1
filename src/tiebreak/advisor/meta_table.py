"""Meta-attributes of many data sets as a table, and the files that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import overload

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Framed, Row
from tiebreak.errors import InputError, quoted, unknown_name
from tiebreak.readers.loading import load_columns
from tiebreak.results.columns import Column, Names, Where

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
    meta_table = table.of(measures) if table.names else replace(table, measures=measures, matrix=empty)
    absent = [name for name in measures if name not in query]
    versions = {*table.versions, *((int(query.version),) if hasattr(query, "version") else ())}
    listed = ", ".join(map(str, sorted(versions)))
    lacks = f"The query has no {', '.join(absent)}: counted as a measure that does not apply."
    mixed = f"Meta-attributes of versions {listed} are mixed: characterise the older data sets again."
    return meta_table, caveats_of(
        (query and absent, "few-measures", lacks), (len(versions) > 1, "versions-mixed", mixed)
    )


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


def read_meta(path: str | Path, *, like: str | None = None) -> tuple[MetaTable, Caveats]:
    r"""Read the meta-attributes of data sets from a file, one row per data set.

    Every column of numbers is a measure, under the names of `tiebreak.attributes.ATTRIBUTES` one that new data have
    too. Other columns are left out, and so is one that varies between several rows of one data set, which is no
    property of it.

    Parameters
    ----------
    path : str or Path
        csv, tsv, json or parquet.
    like : str, optional
        The column of the names of the data sets; by default "dataset", else the first.

    Returns
    -------
    table : MetaTable
    notes : tuple of Caveat

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "meta.csv"
    >>> _ = file.write_text("id,n_examples,owner\niris,150,fisher\nwine,178,forina\n")
    >>> table, notes = read_meta(file)
    >>> table.names, table.measures, table.matrix.tolist()
    (('iris', 'wine'), ('n_examples',), [[150.0], [178.0]])
    """
    raw, key = _table(Path(path), like)
    source = Path(path).name
    names = _ids(raw[key], Where(column=key, source=source))
    values: dict[str, FloatArray] = {}
    lost = []
    for header, column in raw.items():
        if header == key or not header.strip():
            continue
        number = column.is_number()
        per = _per_set(column.as_numbers(Where(column=header, source=source)), names) if number else None
        if per is None:
            lost.append(header)
        elif np.isfinite(per).any():
            values[header] = np.where(np.isinf(per), np.nan, per)
    if not values:
        raise InputError(
            f"{source} has no column of numbers beside {key!r}.",
            why="Meta-attributes are numbers, one row per data set.",
            mend="Name the column of the data sets 'dataset', or give another file.",
        )
    notes = caveats_of(
        (True, "read-as", f"{source}: column {key!r} was taken for the names of the data sets."),
        (lost, "columns-left-out", f"{source}: no number for each data set: {quoted(lost, limit=4)}."),
    )
    return MetaTable(names=names.names, measures=tuple(values), matrix=np.array(list(values.values())).T), notes


def _table(path: Path, like: str | None) -> tuple[dict[str, Column], str]:
    """The column of names is the one of the results, a usual name, else the first."""
    raw = dict(load_columns(path, score="score")[0])
    candidates = (like, "dataset", "dataset_name", "name", next(iter(raw), None))
    return raw, next(name for name in candidates if name is not None and name in raw)


def _ids(column: Column, where: Where) -> Names:
    """Read names; whole numbers are written without a decimal point, as in other files."""
    names = column.as_names(where)
    plain = [name[:-2] if name.endswith(".0") and name[:-2].isdigit() else name for name in names.names]
    known = sorted(set(plain))
    place = np.array([known.index(name) for name in plain], dtype=np.int32)
    return Names(codes=place[names.codes], names=tuple(known))


def _per_set(values: FloatArray, names: Names) -> FloatArray | None:
    """Return one value per data set, or None where rows of one data set differ."""
    order = np.argsort(names.codes, kind="stable")
    codes: IntArray = names.codes[order].astype(np.int64)
    _, start = np.unique(codes, return_index=True)
    first = values[order][start]
    same = (values[order] == first[codes]) | (np.isnan(values[order]) & np.isnan(first[codes]))
    return first if same.all() else None
