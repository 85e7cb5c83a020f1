"""Algorithms that nobody would wait for: left out of a ranking where a trial is predicted to take too long."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._meta_table import Described
from tiebreak.advisor.schedules import Trial
from tiebreak.advisor.schedules.amounts import duration, seconds_of
from tiebreak.advisor.times import TimeModel
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.documents import listed
from tiebreak.wording import option

PATIENCE = "1h"
"""So long one trial may take on data larger than all that is known, unless it is said."""
NONE = "none"
_ROWS = "n_examples"


def patience_from(patience: str | float | None) -> float:
    """Return seconds; "none" and None are without end."""
    return float("inf") if patience is None or patience == NONE else seconds_of(patience)


def size_told(x: Any, data: DataSet | None) -> Described:
    """Return the size of data before they are measured, or the meta-attributes that were given."""
    if data is None:
        found: Described = x
        return found
    symbolic = int(np.count_nonzero(data.symbolic))
    return {
        "n_examples": float(data.n_rows),
        "n_attributes": float(data.n_attributes),
        "n_symbolic": float(symbolic),
        "n_classes": float(len(data.classes)) if data.classes else None,
    }


def soon_enough(
    base: Knowledge, model: TimeModel | None, size: Described, *, trial: Trial, patience: float
) -> tuple[Knowledge, Caveats]:
    """Leave out algorithms whose trial takes longer than anyone waits.

    Only data with more rows than all known ones count: elsewhere the times are measured ones, and whoever measured
    them waited for them. Two algorithms are left at the least, or all.
    """
    if model is None or not np.isfinite(patience) or not _larger(base, size):
        return base, ()
    cost = trial.fits * model.predict(size, share=trial.share).seconds
    late = {name: float(each) for name, each in zip(model.algorithms, cost, strict=True) if each > patience}
    late = {name: each for name, each in late.items() if name in base.algorithms}
    if not late or len(base.algorithms) - len(late) < 2:
        return base, ()
    some = listed([f"{name} ({duration(late[name])})" for name in sorted(late, key=late.__getitem__)], most=8)
    told = (
        f"Not ranked, as nothing is known of so many rows and one trial ({trial}) is predicted to take longer than"
        f" {duration(patience)}: {some}. They are ranked with {option(patience=NONE)}."
    )
    return base.without(algorithms=list(late)), (Caveat("algorithms-left-out", told),)


def _larger(base: Knowledge, size: Described) -> bool:
    """Say whether the data have more rows than all that is known."""
    asked = size.get(_ROWS)
    if asked is None or _ROWS not in base.meta.measures:
        return False
    known = base.meta.matrix[:, base.meta.measures.index(_ROWS)]
    return bool(np.isfinite(known).any()) and bool(asked > np.nanmax(known))
