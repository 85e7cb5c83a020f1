"""The question that an advisor is asked: what it is about, what of the base may answer it, how it is to be answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.advisor._following import Asked, check_neighbours
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._meta_table import Described, names_of
from tiebreak.advisor._rank_on_neighbours import INCOMPLETE
from tiebreak.advisor._time_here import TIMES_USED
from tiebreak.advisor._understood import check_answerable, other_notes
from tiebreak.advisor.data_faults import data_faults
from tiebreak.advisor.neighbours import SCALINGS, WEIGHTINGS
from tiebreak.advisor.rankings import RANKING_METHODS, power_from
from tiebreak.advisor.worth.recipes import Recipe
from tiebreak.attributes import ATTRIBUTES, characterise
from tiebreak.attributes.catalogue import default_measures, groups_of, spelled_out
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.datasets import DataSet, from_frame, from_xy, read_data
from tiebreak.datasets.building import texts, without_columns
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.wording import any_of, option

_ALL = "all"


def asked_for(
    method: str | None,
    neighbours: int | str | None,
    weighting: str | None,
    *,
    scaling: str,
    incomplete: str,
    times: str,
    accd: float | None = None,
    **more: Any,
) -> Asked:
    """Return how to recommend, its words checked."""
    if accd is not None:
        power_from(accd)  # which refuses what is no share
    return Asked(
        accd=None if accd is None else float(accd),
        method=None if method is None else check_choice("ranking method", method, RANKING_METHODS),
        neighbours=check_neighbours(neighbours),
        weighting=None if weighting is None else check_choice("weighting", weighting, WEIGHTINGS),
        scaling=check_choice("scaling", scaling, SCALINGS),
        incomplete=check_choice("rule for incomplete results", incomplete, INCOMPLETE),
        times=check_choice("kind of times", times, TIMES_USED),
        **more,
    )


def chosen_of(
    base: Knowledge, exclude: str | Iterable[str], algorithms: Sequence[str] | None, without: str | Iterable[str]
) -> Knowledge:
    """First the algorithms that are wanted, then what is left out of them: both may be given."""
    return base.only(algorithms=algorithms).without(datasets=names_of(exclude), algorithms=names_of(without))


def with_measures(asked: Asked, base: Knowledge, measures: str | Sequence[str] | None) -> Asked:
    """Spell the measures out: groups, or all."""
    if measures is None:
        return asked
    if measures == _ALL:
        return replace(asked, measures=base.meta.measures)
    names = spelled_out(names_of(measures), base.meta.measures)
    for name in names:
        if name not in base.meta.measures:
            raise unknown_name("measure", name, base.meta.measures, mend="The known data sets must have it.")
    return replace(asked, measures=names)


def usable_of(base: Knowledge, *, timed: bool, whole: bool) -> tuple[Knowledge, Caveats]:
    """Keep the data sets from which something can be learned."""
    if timed and base.time is None:
        raise OptionError(
            "The known results hold no times.",
            why="This method weighs accuracy against time.",
            mend=f"Name the column of times ({option(time=...)}), or use {any_of('method', ['srr', 'mean-rank'])}.",
        )
    there = base.measured(timed=timed)
    good = there.all(axis=1) if whole else there.sum(axis=1) > 1
    if not good.any():
        raise InputError(
            "No known data set has results of every algorithm."
            if whole
            else "No known data set has results of two algorithms" + (" with their times." if timed else "."),
            why="A ranking compares algorithms on the same data.",
            mend=f"Use {option(incomplete='pairs')}." if whole else "Add results.",
        )
    lost = int((~good).sum())
    what = "without results of every algorithm" if whole else "with results of fewer than two algorithms"
    told = f"{lost} known data set(s) {what} are left out."
    return base.datasets_at(np.flatnonzero(good)), caveats_of((lost, "datasets-left-out", told))


def groups_for(base: Knowledge, recipe: Recipe, asked: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the groups of meta-attributes to compute for a query: no more than the measures, and sizes, need."""
    names = {*(recipe.measures or base.meta.measures), *default_measures(base.kind)}
    always = {"paper", "simple", *(["target"] if base.kind == "number" else [])}
    groups = {ATTRIBUTES[name].group for name in names if name in ATTRIBUTES} | always
    if not recipe.measures:
        groups &= always
    if asked is None:
        groups -= {"landmarkers"}  # they train learners, which only those pay for who ask for them
    return tuple(group for group in groups_of(base.kind) if group in groups)


def query_of(x: Any, data: DataSet | None, name: str | None, groups: tuple[str, ...]) -> tuple[Described, str, Caveats]:
    """Return the meta-attributes of the data, or those that were given, its name, and what was said on the way."""
    if data is None:
        return x, name or str(getattr(x, "dataset", "data")), ()
    found = characterise(data, groups=groups)
    return found, name or data.name, (*other_notes(data), *data_faults(data), *found.caveats)


def answerable(x: Any, y: Sequence[object] | None, told: Mapping[str, Any]) -> DataSet:
    """Return the data; what no order can be given for is refused here, before anything is computed."""
    data = _data(x, y, told)
    check_answerable(data)
    return data


def is_described(x: Any, y: Sequence[object] | None) -> bool:
    """Whether meta-attributes were given in place of data."""
    return y is None and isinstance(x, Mapping) and all(v is None or isinstance(v, (int, float)) for v in x.values())


def _data(x: Any, y: Sequence[object] | None, told: Mapping[str, Any]) -> DataSet:
    """Take data in any form that has its classes; what the form is decides, not an option."""
    if isinstance(x, DataSet):
        return without_columns(x, texts(told["drop"], what="drop"), "all")
    if isinstance(x, (str, Path)):
        return read_data(x, **told)
    named = {**told, "name": told["name"] or "data"}
    if y is not None:
        return from_xy(x, y, **{key: named[key] for key in named if key != "target"})
    if hasattr(x, "columns") or hasattr(x, "column_names"):
        return from_frame(x, **named)
    raise InputError(
        f"The data are a {type(x).__name__} without classes.",
        why="The classes are part of what makes data sets alike.",
        mend="Pass recommend(X, y), a DataSet, a frame with its class column, or the path of a file.",
    )
