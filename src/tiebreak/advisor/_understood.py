"""What was understood of the data a recommendation is for, and the data for which none can be given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak.caveats import Caveats
from tiebreak.datasets import DataSet
from tiebreak.datasets.columns import LeftOut
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
        What else was said of it when it was read.
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

    def _sentences(self) -> Iterator[str]:
        name = "Target" if self.target is None else f"Target {self.target!r}"
        yield f"{name}, {self.target_why}: {self._found()}."
        numbers = f"{self.numeric:,} numeric and {self.symbolic:,} symbolic attribute"
        yield f"{self.dataset}: {self.rows:,} rows, {numbers}{'' if self.numeric + self.symbolic == 1 else 's'}."
        yield from self._lopsided()
        dropped = [each.column for each in self.left_out if each.reason == "told"]
        if dropped:
            yield f"Left out as told: {', '.join(map(repr, dropped))}."
        if any(note.code == "target-taken-for" for note in self.notes):
            yield _doubt(self.kind)
        told = (note for note in self.notes if note.code != "target-taken-for")
        yield from (f"{note[0].upper()}{note[1:]}" for note in told)

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
    classes = sorted(zip(data.classes, counts, strict=True), key=lambda each: each[1])
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
            why="There is nothing to learn: every algorithm would say the same.",
            mend=f"Name another target with {option(target=...)}, or give rows of another class too.",
        )
    if data.kind == "number" and len(np.unique(data.target)) < 2:
        raise InputError(
            f"{_target(data)} holds one number, {data.target[0]:g}, in all {data.n_rows:,} rows.",
            why="There is nothing to learn: every algorithm would say the same.",
            mend=f"Name another target with {option(target=...)}, or give rows with other numbers too.",
        )
    if any(note.code == "target-unsure" for note in data.caveats):
        raise _unsure(data)


def _unsure(data: DataSet) -> InputError:
    """Ask whether a target is classes or a number; the range and the rarest value help to remember."""
    least, most = (f"{value:g}" for value in (min(map(float, data.classes)), max(map(float, data.classes))))
    rare, count = min(zip(data.classes, data.class_counts.tolist(), strict=True), key=lambda each: each[1])
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
