"""Data sets of two kinds in one store: those of the kind that is asked for, and what older stores lack of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tiebreak.advisor.target_kinds import WORDS, kind_of_score
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.datasets.targets import TargetKind
from tiebreak.errors import InputError, quoted
from tiebreak.results import Results
from tiebreak.store.records import NUMBER_TARGET
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.store.records import DataSetRow


def kind_in(rows: Sequence[DataSetRow], score: str | None) -> TargetKind:
    """Return what the data sets of a store are of: that of a named score, numbers where there is nothing else."""
    if score is not None:
        return kind_of_score(score)
    return "number" if rows and all(NUMBER_TARGET in row.meta for row in rows) else "classes"


def described_row(row: DataSetRow) -> Mapping[str, object]:
    """Return the meta-attributes of a data set without the mark of its kind."""
    return {name: value for name, value in row.meta.items() if name != NUMBER_TARGET}


def of_kind(results: Results, rows: Sequence[DataSetRow], kind: str) -> Results | None:
    """Keep the data sets of a kind, and say how many were of the other; None where there are none.

    What nobody knows the kind of, such as imported results, is of the kind that is asked for.
    """
    numbers = {row.name for row in rows if NUMBER_TARGET in row.meta}
    others = numbers if kind == "classes" else {row.name for row in rows if row.classes} - numbers
    gone = [name for name in results.datasets if name in others]
    if not gone:
        return results
    if len(gone) == len(results.datasets):
        return None
    what = "a number to predict" if kind == "classes" else "classes"
    text = f"{len(gone)} data set(s) with {what} are left out: {quoted(gone, limit=3)}."
    kept = results.without(datasets=gone)
    return replace(kept, caveats=(*kept.caveats, Caveat("datasets-left-out", text)))


def nothing_of(kind: str, rows: Sequence[DataSetRow], shown: str, shipped: str) -> InputError:
    """Make the error for a store without data sets of the kind that is asked for."""
    names = quoted([row.name for row in rows], limit=3)
    found, wanted = ("numbers", "classes") if kind == "classes" else ("classes", "a number")
    return InputError(
        f"The targets of the data sets in the store {shown} are {found} ({names}).",
        why=f"Recommendations for {wanted} are made from results on {WORDS[kind]}.",
        mend=f"Use a store of results on {WORDS[kind]}, or the base that ships with the package: {shipped}.",
    )


def undescribed(rows: Sequence[DataSetRow], datasets: Sequence[str]) -> Caveats:
    """Name the data sets with numbers that were stored before such data were measured."""
    old = [row.name for row in rows if NUMBER_TARGET in row.meta and len(row.meta) == 1 and row.name in datasets]
    again = either("running their plan again measures them", "`tiebreak run` with their plan measures them")
    text = f"Stored before numbers to predict were measured: {quoted(old, limit=3)}; {again}."
    return caveats_of((old, "few-measures", text))
