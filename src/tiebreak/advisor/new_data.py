"""New data as they were read: what was understood of them, their faults, and data for which no order can be given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.datasets.columns import LeftOut
from tiebreak.documents import listed
from tiebreak.errors import InputError
from tiebreak.wording import option

LOPSIDED = 0.9
"""From such a share of the most frequent class on, an accuracy says little by itself."""
LEAST_ROWS = 10
"""With fewer rows data sets, or algorithms, cannot be distinguished."""
SAID_HERE = ("target-not-last", "rows-left-out", "columns-left-out", "read-as", "target-taken-for")
"""Caveats of a data set that are among the first lines of a recommendation, and are not said again."""
_BY_USER, _GIVEN = "named by the user", "given beside the attributes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What was understood of a data set: its target, its rows, its attributes, and what was left out.

    Parameters
    ----------
    dataset : str
    target : str or None
        The column that was taken for the target; None where it has no name.
    target_why : str
        Why that one.
    kind : {"classes", "number"}
    classes : tuple of (str, int)
        Every class with its rows, the rarest first; empty for a number.
    rows, numeric, symbolic : int
        Rows that have a target; numeric and symbolic attributes.
    left_out : tuple of LeftOut
        The columns that are not among them, with the reason.
    notes : tuple of Caveat
        Further notes from reading it.
    """

    dataset: str
    target: str | None
    target_why: str
    kind: str
    classes: tuple[tuple[str, int], ...]
    rows: int
    numeric: int
    symbolic: int
    left_out: tuple[LeftOut, ...] = ()
    notes: Caveats = ()

    def sentences(self) -> tuple[str, ...]:
        """Return the first lines of a recommendation."""
        return tuple(self._sentences())

    def brief(self) -> str:
        """Say in one line what is predicted, from how many rows and columns."""
        used, gone = self.numeric + self.symbolic, [repr(item.column) for item in self.left_out]
        what = "a number" if self.kind == "number" else f"{len(self.classes)} classes"
        name = f"Target {self.target!r} ({what})" if self.target else f"Target: {what}"
        ignored = f", {listed(gone, most=3)} ignored" if gone else ""
        return f"{name}; {self.rows:,} rows, {used} column{'' if used == 1 else 's'} used{ignored}."

    def _sentences(self) -> Iterator[str]:
        name = "Target" if self.target is None else f"Target {self.target!r}"
        yield f"{name}, {self.target_why}: {self._found()}."
        numbers = f"{self.numeric:,} numeric and {self.symbolic:,} symbolic attribute"
        yield f"{self.dataset}: {self.rows:,} rows, {numbers}{'' if self.numeric + self.symbolic == 1 else 's'}."
        yield from self._lopsided()
        dropped = [item.column for item in self.left_out if item.reason == "told"]
        if dropped:
            yield f"Left out as told: {', '.join(map(repr, dropped))}."
        if any(note.code == "target-taken-for" for note in self.notes):
            yield _doubt(self.kind)
        rng = (note for note in self.notes if note.code != "target-taken-for")
        yield from (f"{note[0].upper()}{note[1:]}" for note in rng)

    def _lopsided(self) -> Iterator[str]:
        """Say what the trivial answer scores where that is much, and what nobody can learn."""
        often, most = self.classes[-1] if self.classes else ("", 0)
        if most >= LOPSIDED * self.rows:
            share = f"{most / self.rows:.1%} of the rows"
            yield f"Always answering {often!r} is right on {share}: read every accuracy beside that."
        single = [name for name, count in self.classes if count == 1]
        if single:
            what = f"Class {single[0]!r} has" if len(single) == 1 else f"{len(single):,} classes have"
            yield f"{what} a single row, which is either learned from or predicted, never both."

    def _found(self) -> str:
        if self.kind == "number":
            return "a number to predict"
        (rare, least), (often, most) = self.classes[0], self.classes[-1]
        if least == most:
            return f"{len(self.classes):,} classes with {_rows(most)} each"
        if len(self.classes) == 2:
            return f"2 classes, {rare!r} with {_rows(least)} and {often!r} with {_rows(most)}"
        return f"{len(self.classes):,} classes, from {rare!r} with {_rows(least)} to {often!r} with {_rows(most)}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, the part `understood` of `tiebreak recommend --json`."""
        return {
            "target": self.target,
            "target_why": self.target_why,
            "kind": self.kind,
            "classes": None if self.kind == "number" else dict(self.classes),
            "rows": self.rows,
            "numeric": self.numeric,
            "symbolic": self.symbolic,
            "left_out": [{"column": e.column, "reason": e.reason, "why": e.why} for e in self.left_out],
            "sentences": list(self.sentences()),
        }


def _doubt(kind: str) -> str:
    """Say what a target may be instead of what it was taken for."""
    if kind == "number":
        return f"The target holds many different numbers; where they are names, say {option(kind='classes')}."
    return f"The classes are whole numbers; where they measure something, say {option(kind='number')}."


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def understood_of(data: DataSet) -> Understood:
    r"""Say what was understood of a data set.

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> print(*understood_of(load("builtin:iris")).sentences(), sep="\n")
    Target, given beside the attributes: 3 classes with 50 rows each.
    iris: 150 rows, 4 numeric and 0 symbolic attributes.
    """
    counts = [] if data.kind == "number" else data.class_counts.tolist()
    classes = sorted(zip(data.classes, counts, strict=True), key=lambda item: item[1])
    return Understood(
        dataset=data.name,
        target=data.target_name or None,
        target_why=data.target_why or (_BY_USER if data.target_name else _GIVEN),
        kind=data.kind,
        classes=tuple(classes),
        rows=data.n_rows,
        numeric=int(np.count_nonzero(~data.symbolic)),
        symbolic=int(np.count_nonzero(data.symbolic)),
        left_out=data.left_out,
        notes=tuple(note for note in data.caveats if note.code in SAID_HERE),
    )


def other_notes(data: DataSet) -> Caveats:
    """Return what was said of a data set when it was read and is not among the first lines."""
    return tuple(note for note in data.caveats if note.code not in SAID_HERE)


def check_answerable(data: DataSet) -> None:
    """Refuse data for which any order of algorithms would be made up: too few rows, one value, an unclear target."""
    if data.n_rows < LEAST_ROWS:
        raise InputError(
            f"{_named(data)} has {_rows(data.n_rows)} with a {'class' if data.kind == 'classes' else 'target'}.",
            why="Nothing can be learned from so few, and no known data set is like them.",
            mend=f"Give at least {LEAST_ROWS} rows.",
        )
    if data.kind == "classes" and np.count_nonzero(data.class_counts) < 2:
        raise InputError(
            f"{_target(data)} holds one class, {data.classes[0]!r}, in all {data.n_rows:,} rows.",
            why="There is nothing to learn: every algorithm would predict the same.",
            mend=f"Name another target with {option(target=...)}, or give rows of another class too.",
        )
    if data.kind == "number" and len(np.unique(data.target)) < 2:
        raise InputError(
            f"{_target(data)} is {data.target[0]:g} in all {data.n_rows:,} rows.",
            why="There is nothing to learn: every algorithm would predict the same.",
            mend=f"Name another target with {option(target=...)}, or add rows with other values.",
        )
    if any(note.code == "target-unsure" for note in data.caveats):
        raise _unsure(data)


def _unsure(data: DataSet) -> InputError:
    """Ask whether a target is classes or a number; the range and the rarest value help to remember."""
    least, most = (f"{value:g}" for value in (min(map(float, data.classes)), max(map(float, data.classes))))
    rare, count = min(zip(data.classes, data.class_counts.tolist(), strict=True), key=lambda item: item[1])
    return InputError(
        f"{_target(data)} holds {len(data.classes)} different numbers from {least} to {most}; the rarest, {rare}, has"
        f" {_rows(count)}.",
        why="These may be classes, or a count, a rating or another number to predict: the algorithms to try differ.",
        mend=f"Say {option(kind='classes')} or {option(kind='number')}; for another column {option(target=...)}.",
    )


def _named(data: DataSet) -> str:
    return f"Data set {data.name!r}"


def _target(data: DataSet) -> str:
    why = f", {data.target_why}" if data.target_why else ""
    name = f" {data.target_name!r}{why}," if why else f" {data.target_name!r}" if data.target_name else ""
    return f"The target{name} of data set {data.name!r}"


MOST_ROWS = 20_000
"""Columns of larger data are looked at on so many rows."""
ENOUGH_ROWS = 30
PURE = 0.999
"""A column that predicts such a share of the target by itself was probably made of it."""
NEARLY = 0.995
"""A column with one value in such a share of the rows is nearly constant."""
FINE = 20
"""A column with more different numbers than these measures something: equal rows are then copies, not coincidences."""
SENTINELS = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)
_CODES = re.compile(r"(^|_|\b)(zip|zipcode|postcode|postal|plz|code|phone|sic|naics|icd)(_|\b|$)", re.IGNORECASE)
_NAMED = 3


def data_faults(data: DataSet) -> Caveats:
    """Return one line for every kind of fault, with what is done about it and the option that changes it.

    Examples
    --------
    >>> data = DataSet.from_arrays([[i % 7, i % 2] for i in range(60)], [i % 2 for i in range(60)])
    >>> print(*data_faults(data))
    'a2' predicts the target by itself: was it made of the target, or known only after it? Kept; drop=['a2'].
    """
    part = _sample(data)
    return tuple(Caveat("data-suspicious", text) for text in _faults(data, part))


def duplicates_together(data: DataSet) -> DataSet:
    """Return the data with equal rows in one group, so that no split learns on one and is measured on the other.

    Data that have groups keep theirs. Rows of a few symbols are equal by coincidence, and stay as they are.
    """
    if data.groups is not None or data.n_rows > 5 * MOST_ROWS or not _measures(data):
        return data
    groups = _row_groups(data)
    return data if int(groups.max(initial=0)) + 1 == data.n_rows else replace(data, groups=groups)


def _faults(data: DataSet, part: DataSet) -> Iterator[str]:
    enough = part.n_rows >= ENOUGH_ROWS
    given = [name for j, name in enumerate(part.attributes) if enough and _predicts(part, j)]
    if given:
        what = "predicts the target by itself: was it" if len(given) == 1 else "predict the target: were they"
        tail = f"made of the target, or known only after it? Kept; {option(drop=given[:_NAMED])}."
        yield f"{_quoted(given)} {what} {tail}"
    extra = _duplicates(part)
    if extra:
        some = "" if part.n_rows == data.n_rows else f" of a sample of {part.n_rows:,}"
        yield f"{extra:,} rows{some} repeat others exactly: copies are kept on one side of every split."
    for what, names in _alike_labels(data):
        yield f"{what}: {names} differ by case or spaces only and count as different: correct the file."
    odd = [(name, value) for j, name in enumerate(part.attributes) if (value := _sentinel(part, j)) is not None]
    if odd:
        shown = listed([f"{value:g} in {name!r}" for name, value in odd], most=_NAMED)
        yield f"{shown} may stand for a missing value, and counts as a number: leave the cell empty instead."
    codes = [name for j, name in enumerate(part.attributes) if _codes(part, j)]
    if codes:
        yield f"{_quoted(codes)} may hold codes, and count as numbers; {option(symbolic=codes[:_NAMED])}."
    flat = [name for j, name in enumerate(part.attributes) if enough and _nearly_constant(part, j)]
    if flat:
        yield f"{_quoted(flat)} nearly constant: kept; {option(drop=flat[:_NAMED])}."


def _sample(data: DataSet) -> DataSet:
    """Return evenly spaced rows of large data: no chance, so that two calls say the same."""
    if data.n_rows <= MOST_ROWS:
        return data
    rows = np.linspace(0, data.n_rows - 1, MOST_ROWS).astype(np.int64)
    return replace(data, values=data.values[rows], target=data.target[rows], groups=None)


def _predicts(data: DataSet, j: int) -> bool:
    """Tell whether a column alone tells the target: by its values, by thresholds, or by a line."""
    column = data.values[:, j]
    there = np.isfinite(column)
    if there.mean() < NEARLY:
        return False
    column, target = column[there], data.target[there]
    if data.kind == "number":
        with np.errstate(over="ignore", invalid="ignore"):  # values beyond 1e150 tell nothing
            apart = np.std(column) * np.std(target)
            if data.symbolic[j] or not 0 < apart < np.inf:
                return False
            return bool(abs(np.mean((column - column.mean()) * (target - target.mean())) / apart) > 1 - 1e-6)
    most = np.bincount(target).max() / len(target)
    if most > 0.98:  # nearly every column would
        return False
    values, codes = np.unique(column, return_inverse=True)
    if len(values) <= max(2 * len(data.classes), 10):
        table = np.zeros((len(values), len(data.classes)))
        np.add.at(table, (codes, target), 1)
        return bool(table.max(axis=1).sum() >= PURE * len(target))
    if data.symbolic[j]:
        return False
    order = np.lexsort((target, column))
    runs = 1 + int(np.count_nonzero(np.diff(target[order])))
    return runs == len(np.unique(target)) and len(target) >= 10 * runs


def _measures(data: DataSet) -> bool:
    """Tell whether some column measures something."""
    some = data.values[:1000, ~data.symbolic]
    return any(len(np.unique(column[np.isfinite(column)])) > FINE for column in some.T)


def _row_groups(data: DataSet) -> IntArray:
    """Return the number of every row's content: equal rows share one; gaps are equal to gaps."""
    table = np.column_stack([np.nan_to_num(data.values, nan=-1.7e308), data.target.astype(np.float64)])
    raw = np.ascontiguousarray(table).view(np.dtype((np.void, table.shape[1] * 8))).ravel()
    return np.unique(raw, return_inverse=True)[1].astype(np.int64).ravel()


def _duplicates(data: DataSet) -> int:
    if data.groups is not None or not _measures(data):
        return 0
    extra = data.n_rows - int(_row_groups(data).max(initial=-1)) - 1
    return extra if extra >= max(2, 0.005 * data.n_rows) else 0


def _alike_labels(data: DataSet) -> Iterator[tuple[str, str]]:
    """Yield where labels become equal without case and spaces: the classes, or the values of a column."""
    places: list[tuple[str, Sequence[str]]] = [("Classes", data.classes)]
    places += [
        (f"Values of {name!r}", category) for name, category in zip(data.attributes, data.categories, strict=True)
    ]
    count = 0
    for what, labels in places:
        seen: dict[str, str] = {}
        for label in labels:
            plain = " ".join(str(label).casefold().split())
            if plain in seen and count < _NAMED:
                count += 1
                yield what, f"{seen[plain]!r} and {label!r}"
                break
            seen.setdefault(plain, str(label))


def _sentinel(data: DataSet, j: int) -> float | None:
    """Return a value that lies far outside all others, is often there, and is written with nines."""
    if data.symbolic[j]:
        return None
    column = data.values[:, j]
    column = column[np.isfinite(column)]
    for value in (column.min(initial=np.inf), column.max(initial=-np.inf)):
        if value not in SENTINELS:
            continue
        rest = column[column != value]
        often = len(column) - len(rest)
        if len(rest) < 10 or often < max(2, 0.002 * len(column)):
            continue
        gap = rest.min() - value if value < rest.min() else value - rest.max()
        if gap > max(rest.max() - rest.min(), 1.0):
            return float(value)
    return None


def _codes(data: DataSet, j: int) -> bool:
    """Tell whether a column of whole numbers is named as codes are."""
    if data.symbolic[j] or not _CODES.search(data.attributes[j]):
        return False
    column: FloatArray = data.values[:, j]
    column = column[np.isfinite(column)]
    return len(np.unique(column[:1000])) > 2 and bool((column % 1 == 0).all())


def _nearly_constant(data: DataSet, j: int) -> bool:
    column = data.values[:, j]
    counts = np.unique(column[np.isfinite(column)], return_counts=True)[1]
    return len(counts) > 1 and int(counts.max()) >= NEARLY * data.n_rows


def _quoted(names: Sequence[str]) -> str:
    return listed([repr(name) for name in names], most=_NAMED)
