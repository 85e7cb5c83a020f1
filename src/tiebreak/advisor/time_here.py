"""Times of the data set that a recommendation is for: a model of them, and what is too long to wait for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak.advisor.budget_plan import FITS, duration
from tiebreak.advisor.cache import held, mark_of
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.large_data import larger
from tiebreak.advisor.meta_table import Described
from tiebreak.advisor.times import TimeModel, fit_times
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.documents import listed
from tiebreak.errors import OptionError
from tiebreak.wording import option

PREDICTED, MEASURED = TIMES_USED = ("predicted", "measured")
"""Which times accuracy is weighed against: those of the new data set, or those of the neighbours."""


def model_for(base: Knowledge, budget: str | float | None) -> TimeModel | None:
    """Fit times where the base holds any."""
    seconds = base.means()[1]
    if seconds is not None and (seconds > 0).any():
        return held(("times", mark_of(base), base.train_share), lambda: fit_times(base))
    if budget is not None:
        raise OptionError(
            "A budget was given, and the known results hold no times.",
            why="The budget is filled by predicted times.",
            mend=f"Name the column of times ({option(time=...)}), or leave the budget out.",
        )
    return None


PATIENCE = 3600.0
"""So long one trial may take on data larger than all that is known."""


def size_told(x: Any, data: DataSet | None) -> Described:
    """Return the size of data before they are measured, or the meta-attributes that were given."""
    if data is None:
        described: Described = x
        return described
    symbolic = int(np.count_nonzero(data.symbolic))
    return {
        "n_examples": float(data.n_rows),
        "n_attributes": float(data.n_attributes),
        "n_symbolic": float(symbolic),
        "n_classes": float(len(data.classes)) if data.classes else None,
    }


def soon_enough(base: Knowledge, model: TimeModel | None, size: Described) -> tuple[Knowledge, Caveats]:
    """Leave out algorithms whose trial takes longer than anyone waits.

    Only data with more rows than all known ones count: elsewhere the times are measured ones, and whoever measured
    them waited for them. Two algorithms are left at the least, or all.
    """
    if model is None or not larger(base, size):
        return base, ()
    cost = FITS * model.predict(size, share=(FITS - 1) / FITS).seconds
    late = {name: float(item) for name, item in zip(model.algorithms, cost, strict=True) if item > PATIENCE}
    late = {name: item for name, item in late.items() if name in base.algorithms}
    if not late or len(base.algorithms) - len(late) < 2:
        return base, ()
    some = listed([f"{name} ({duration(late[name])})" for name in sorted(late, key=late.__getitem__)], most=8)
    text = (
        "Not ranked, because no results on this many rows are known and 5-fold cross-validation is predicted to take"
        f" longer than {duration(PATIENCE)}: {some}. They are ranked where {option('algorithms')} names them."
    )
    return base.without(algorithms=list(late)), (Caveat("algorithms-left-out", text),)
