"""Algorithms that a run stopped early: what a table without their last data sets must say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray
from tiebreak.caveats import Caveat

if TYPE_CHECKING:
    from tiebreak.store.reading import StoreColumns

OPEN = ["waiting", "running"]
"""The statuses of cells that have not been run to their end."""
_SHOWN = 6


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
        " Tests of a fixed number of data sets have p-values that are too small here; those of pairwise='anytime'"
        " (--pairwise anytime) hold."
    )
    left = sorted(names[key] for key in names if key not in why)
    if len(left) > 1 and not any("," in name for name in left):
        text += f" Those that were run to the end can be compared on all data sets: --algorithms {','.join(left)}."
    yield Caveat("stopped-early", f"{text} `tiebreak run` without --until runs the rest.")
