"""What a table from a store must say or refuse: stopped algorithms, searched settings, two kinds of targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, IntArray
from tiebreak.caveats import Caveat, validation_scores
from tiebreak.errors import OptionError, quoted
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.reading import StoreColumns

OPEN = ["waiting", "running"]
"""The statuses of cells that have not been run to their end."""
_SHOWN = 6
_ON_VALIDATION = "\"on\": 'validation'"  # as the text of an algorithm has it


def stopped_early(table: StoreColumns, wanted: BoolArray, names: Mapping[int, str], *, gaps: bool) -> Iterator[Caveat]:
    """Name the algorithms among the wanted cells that were stopped, why, and how to compare nevertheless.

    Parameters
    ----------
    table : StoreColumns
    wanted : BoolArray
        The cells that were asked for, run or not.
    names : mapping
        The names of the algorithms.
    gaps : bool
        Whether cells that were not run are gaps; their data sets are left out otherwise.
    """
    if not table.stopped:
        return
    cells = np.flatnonzero(wanted & np.isin(table.id, list(table.stopped)))
    why = {int(table.algorithm[row]): table.stopped[int(table.id[row])] for row in cells.tolist()}
    if not why:
        return
    told = [f"{names[key]!r} ({why[key]})" for key in sorted(why, key=lambda key: names[key])]
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    text = f"{len(told)} algorithm(s) were stopped early by what their scores showed: {'; '.join(told[:_SHOWN])}{more}."
    if gaps:
        text += " What they were not run on counts as missing, though no run of theirs failed there."
    else:
        text += " They have fewer results than the others; the data sets without them are left out for all."
    text += (
        " Tests of a fixed number of data sets have p-values that are too small here; those of"
        f" {option(pairwise='anytime')} hold."
    )
    left = sorted(names[key] for key in names if key not in why)
    if len(left) > 1 and not any("," in name for name in left):
        text += f" Those that were run to the end can be compared on all data sets: {option(algorithms=left)}."
    yield Caveat("stopped-early", f"{text} A run of the plan without {either('`until`', '--until')} runs the rest.")


def searched_on_validation(store: Store, table: StoreColumns, rows: IntArray) -> Iterator[Caveat]:
    """Name the algorithms whose settings were chosen on the rows that their scores are from."""
    marks = {row.fingerprint for row in store.algorithms() if _ON_VALIDATION in str(row.spec.get("text", ""))}
    there = {table.algorithms[key] for key in np.unique(table.algorithm[rows]).tolist()} if marks else set()
    names = sorted(name for name, mark in there if mark in marks)
    if names:
        yield validation_scores(names)


def check_one_kind(store: Store, table: StoreColumns, rows: IntArray) -> None:
    """Refuse data sets with classes beside those with a number to predict: no score and no learner is for both."""
    from tiebreak.store.records import NUMBER_TARGET

    there = {table.datasets[key][1] for key in np.unique(table.dataset[rows]).tolist()}
    known = [row for row in store.data_sets() if row.fingerprint in there]
    numbers = [row.name for row in known if NUMBER_TARGET in row.meta]
    classes = [row.name for row in known if row.classes]
    if numbers and classes:
        raise OptionError(
            f"The store {store.shown} holds data sets of two kinds: {len(classes)} with classes ({quoted(classes)}) and"
            f" {len(numbers)} with a number to predict ({quoted(numbers)}).",
            why="No score is measured on both kinds, and no learner is run on both: nothing can be compared over them.",
            mend=f"Choose one kind: {option(datasets=classes)}, or the others.",
        )
