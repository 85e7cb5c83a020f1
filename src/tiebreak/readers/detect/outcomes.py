"""Runs that failed, by a column that says so: they are failures of their models, not gaps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray
from tiebreak.caveats import Caveat
from tiebreak.readers.detect.headers import ERRORS, FAILED, FINISHED, FLAGS, IMPUTED, STATUS, UNFINISHED, word
from tiebreak.results.columns import NO_NUMBER, Column, Columns, ListColumn, Where
from tiebreak.results.metrics import metric_named
from tiebreak.results.table import FailedRun

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
