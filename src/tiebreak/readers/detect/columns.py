"""What detection asks of columns: their cells, how they divide the rows, and whether they hold single answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.readers.detect.headers import ERRORS, FAILED, FINISHED, FLAGS, IMPUTED, STATUS, UNFINISHED, word
from tiebreak.results.cells import WORDS
from tiebreak.results.columns import NO_NUMBER, Column, Columns, ListColumn, Names, TextColumn, Where
from tiebreak.results.metrics import metric_named
from tiebreak.results.table import FailedRun

_BINARY = frozenset({"0", "1", "0.0", "1.0"}) | {word for pair in WORDS for word in pair}
_WRITTEN = re.compile(
    r"[$€£]?\s?[-+]?\d[\d.,]*\s*(%|[munµ]?s|secs?|seconds?|mins?|minutes?|h|hours?|[kmgt]i?b)?(\s*(±|\+/?-)\s*\d[\d.,]*\s*%?)?",
    re.IGNORECASE,
)


class ConstantColumn(Column):
    """A column of one name, for roles that the whole table plays."""

    __slots__ = ("length", "name")

    def __init__(self, name: str, length: int) -> None:
        self.name, self.length = name, length

    def __len__(self) -> int:
        return self.length

    def is_number(self) -> bool:
        """Say no: it is a name."""
        return False

    def coded(self) -> Names:
        """Return the one name for all rows."""
        return Names(codes=np.zeros(self.length, dtype=np.int32), names=(self.name,))

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the name as numbers, which is an error where it is none."""
        return TextColumn([self.name] * self.length).as_numbers(where)

    def take(self, rows: IntArray) -> Column:
        """Return some rows."""
        return ConstantColumn(self.name, len(rows))


def cells_of(column: Column) -> list[Any]:
    """Return the cells of a column as Python objects."""
    if isinstance(column, ListColumn):
        return list(column.values)
    if hasattr(column, "objects"):
        return list(column.objects())
    named = column.coded()
    return [*map((*named.names, "").__getitem__, named.codes.tolist())]


def like(column: Column, cells: Sequence[Any]) -> ListColumn:
    """Make a column of the same kind of other cells."""
    return TextColumn(cells) if isinstance(column, TextColumn) else ListColumn(cells)


def codes_of(column: Column) -> IntArray:
    """Number the rows by what the column holds; missing cells are a value of their own."""
    return column.coded().codes.astype(np.int64) + 1


def groups_of(columns: Sequence[Column]) -> IntArray:
    """Number the rows by what all columns hold together."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        _, group = np.unique(group * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    return group.astype(np.int64)


def count(groups: IntArray) -> int:
    """Count different groups."""
    return len(np.unique(groups))


def refines(fine: IntArray, coarse: IntArray) -> bool:
    """Say whether rows that agree in the first agree in the second."""
    return count(fine * (int(coarse.max(initial=0)) + 1) + coarse) == count(fine)


def is_binary(column: Column) -> bool:
    """Say whether a column holds nothing but 0 and 1, true and false, or another pair of such words."""
    names = column.coded().names
    if len(names) > 12:
        return False
    there = {name.strip().lower() for name in names} - NO_NUMBER
    return bool(there) and there <= _BINARY


def is_written(column: Column) -> bool:
    """Say whether text is numbers written in another way: with decimal commas, percent signs or deviations."""
    if column.is_number():
        return False
    names = [name.strip() for name in column.coded().names[:200] if name.strip().lower() not in NO_NUMBER]
    return bool(names) and all(_WRITTEN.fullmatch(name) for name in names)


def is_empty(column: Column) -> bool:
    """Say whether no cell holds anything."""
    return all(name.strip().lower() in NO_NUMBER for name in column.coded().names[:3]) and len(column.coded().names) < 4


def is_missing(column: Column) -> BoolArray:
    """Mark the cells that hold nothing."""
    named = column.coded()
    return np.array([*(name.strip().lower() in NO_NUMBER for name in named.names), True])[named.codes]


def is_running(column: Column) -> bool:
    """Say whether a column numbers the rows, from any number on."""
    if not column.is_number():
        return False
    values = column.as_numbers(Where(column=""))
    return len(values) > 0 and not np.isnan(values).any() and bool((np.diff(values) == 1).all())


def is_resample(column: Column) -> bool:
    """Say whether a column holds the names of resamples, such as Fold01, Fold1.Rep1 or Bootstrap03."""
    names = column.coded().names
    pattern = re.compile(r"(fold|split|resample|bootstrap|repeat|rep|cv)[ _.-]?\d+([ _.-]?(rep|repeat|fold)\d+)?", re.I)
    return bool(names) and all(pattern.fullmatch(name.strip()) for name in names)


_SHOWN = 3
_TRUE = ("1", "1.0", "true", "yes")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """The column that says how runs ended, and which rows failed or are not finished."""

    header: str
    failed: BoolArray
    unfinished: BoolArray
    told: bool

    def applied(
        self, columns: Mapping[str, Column], roles: Mapping[str, str], source: str
    ) -> tuple[dict[str, Column], frozenset[tuple[str, str]], list[Caveat]]:
        """Return the table without the scores of such runs, whose they are, and what was done."""
        values = [header for header in columns if header not in roles.values() and columns[header].is_number()]
        numbers = {header: columns[header].as_numbers(Where(column=header, source=source)) for header in values}
        failed = self.failed
        if not self.told:  # a message beside a score is a warning
            scores = [own for header, own in numbers.items() if not metric_named(header).is_cost] or [*numbers.values()]
            empty = np.all([np.isnan(own) for own in scores], axis=0) if scores else np.zeros(0, dtype=bool)
            failed = failed & (empty if len(empty) else False)
        gone = failed | self.unfinished
        if not gone.any():
            return dict(columns), frozenset(), []
        out = dict(columns)
        for header, own in numbers.items():
            out[header] = ListColumn(np.where(gone, np.nan, own))
        pairs = self._pairs(columns, roles, failed)
        notes = [
            Caveat("runs-unfinished", f"{source}: {int(self.unfinished.sum())} runs are not finished; they are gaps.")
        ]
        notes = notes if self.unfinished.any() else []
        if pairs:
            shown = sorted(pairs)[:_SHOWN]
            notes += [FailedRun(a, f"{a!r} failed on {d!r} (column {self.header!r}).") for d, a in shown]
            if len(pairs) > _SHOWN:
                notes.append(Caveat("run-failed", f"{len(pairs) - _SHOWN} more cells of {source} hold failed runs."))
        return out, frozenset(pairs), notes

    def _pairs(self, columns: Columns, roles: Mapping[str, str], failed: BoolArray) -> set[tuple[str, str]]:
        if not failed.any() or not {"dataset", "algorithm"} <= set(roles):
            return set()
        rows = np.flatnonzero(failed)
        names = [columns[roles[role]].coded() for role in ("dataset", "algorithm")]
        codes = {(int(names[0].codes[row]), int(names[1].codes[row])) for row in rows.tolist()}
        return {(names[0].names[d], names[1].names[a]) for d, a in codes}


def imputed_rows(
    columns: Mapping[str, Column], roles: Mapping[str, str], header: str, named: Collection[str]
) -> tuple[BoolArray, list[str]]:
    """Return which rows to keep of a table whose benchmark filled in results, and what to say about them.

    What a benchmark fills in for a run that failed stands for what its users would fall back on, so it counts. Whose
    results are mostly those of another has none to compare, and is left out unless it was named.
    """
    marked = np.array([name.strip().lower() in _TRUE for name in columns[header].coded().names] + [False])
    imputed = marked[columns[header].coded().codes]
    names = columns[roles["algorithm"]].coded()
    rows = np.bincount(names.codes, minlength=len(names.names))
    filled = np.bincount(names.codes, weights=imputed, minlength=len(names.names))
    mostly = np.array([name not in named for name in names.names]) & (2 * filled > rows)
    if mostly.all():
        mostly[:] = False
    gone = [name for name, leave in zip(names.names, mostly, strict=True) if leave]
    keep = ~mostly[names.codes]
    facts = [f"{int((imputed & keep).sum())} results that the benchmark imputed count as it filled them in"]
    if gone:
        shown = ", ".join(gone[:_SHOWN]) + (f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else "")
        facts.append(f"left out, as most of their results are imputed: {shown}")
    return keep, facts


def imputed_header(columns: Columns, taken: Collection[str]) -> str:
    """Return the column that marks results which a benchmark filled in; empty where there is none."""
    for header in columns:
        if header not in taken and word(header) in IMPUTED and _outcome(header, columns[header], flag=True, told=True):
            return header
    return ""


def outcomes_of(columns: Columns, taken: Collection[str]) -> Outcome | None:
    """Find the column that says how runs ended; None where there is none, or all ended well."""
    for known, told in ((STATUS, True), (FLAGS, True), (ERRORS, False)):
        for header in columns:
            if header in taken or word(header) not in known:
                continue
            column = columns[header]
            if known is not FLAGS and column.is_number():
                continue
            # a result that was filled in is there; where it is not, the run failed
            found = _outcome(header, column, flag=known is FLAGS, told=told and word(header) not in IMPUTED)
            if found is not None:
                return found
    return None


def _outcome(header: str, column: Column, *, flag: bool, told: bool) -> Outcome | None:
    names = column.coded()
    words = [name.strip().lower() for name in names.names]
    if flag:
        if not set(words) <= {"0", "1", "0.0", "1.0", "true", "false", "yes", "no", ""}:
            return None
        failed = [name in _TRUE for name in words]
        unfinished = [False] * len(words)
    elif told:
        unfinished = [name in UNFINISHED for name in words]
        failed = [name not in FINISHED and FAILED.fullmatch(name) is not None for name in words]
        if len(words) > 20:
            return None
    else:
        failed = [name not in NO_NUMBER or name == "missing" for name in words]
        unfinished = [False] * len(words)
    if not any(failed) and not any(unfinished):
        return None
    mark = np.array([*failed, False])[names.codes], np.array([*unfinished, False])[names.codes]
    return Outcome(header=header, failed=mark[0], unfinished=mark[1], told=told)
