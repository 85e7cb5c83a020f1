"""Costs of zero, which have no ratio to others."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats


def logs_of_costs(paid: FloatArray, name: str) -> tuple[FloatArray, Caveats]:
    """Return log10 of costs, (rows, algorithms), and what is to be said of those of zero.

    A zero counts as the smallest cost or a thousandth of the median one, whichever is larger, but never as more than
    was paid beside it on its data set. What was measured stays as it is. Where all are zero, none differs.

    Examples
    --------
    >>> logs, notes = logs_of_costs(np.array([[1000.0, 10.0, 0.0], [100.0, 0.1, 0.0]]), "price")
    >>> logs.round(6).tolist(), notes[0]
    ([[3.0, 1.0, -1.0], [2.0, -1.0, -1.0]], '2 price of 0 count as 0.1: a zero has no ratio.')
    """
    positive, zero = paid[paid > 0], paid == 0
    if not positive.size:
        return np.where(zero, 0.0, paid), ()
    if not zero.any():
        return np.log10(paid), ()
    floor = max(float(positive.min()), float(np.median(positive)) / 1000)
    least = np.where(paid > 0, paid, np.inf).min(axis=-1, keepdims=True)
    raised = np.broadcast_to(np.minimum(floor, least), paid.shape)
    low, high = (f"{end:.3g}" for end in (raised[zero].min(), raised[zero].max()))
    count = int(zero.sum())
    counts = f"{'counts' if count == 1 else 'count'} as {low if low == high else f'{low} to {high}'}"
    note = Caveat("zero-costs", f"{count} {name} of 0 {counts}: a zero has no ratio.")
    return np.log10(np.where(zero, raised, paid)), (note,)
