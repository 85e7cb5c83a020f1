"""Prior orders: from costs to who comes first when no test says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray, IntArray, readonly
from tiebreak.errors import InputError
from tiebreak.methods.policies import COST_POLICIES
from tiebreak.wording import any_of, option


def check_costs(costs: FloatArray, name: str, datasets: Sequence[str], algorithms: Sequence[str]) -> FloatArray:
    """Return a complete table of costs, none negative."""
    if costs.size and np.isnan(costs).all():  # no policy can help
        raise InputError(
            f"No value of {name} is known, of any algorithm on any data set.",
            why="Without it the places that cost would decide are unknown.",
            mend=f"Complete the costs, name another one ({option(cost=...)}), or give the prior order yourself"
            f" ({option(prior=[...])}).",
        )
    for wrong, what, why in (
        (np.isnan(costs), "has no", "Without it the place that cost would decide is unknown."),
        (costs < 0, "has a negative", "A cost is paid; a negative one would be a gain."),
    ):
        if wrong.any():
            d, a = np.argwhere(wrong)[0]
            count = int(wrong.sum())
            ways = f"name a policy ({any_of('missing_costs', list(COST_POLICIES)[1:])}), or "
            raise InputError(
                f"{algorithms[a]!r} {what} {name} on data set {datasets[d]!r} ({count} such cell(s) in all).",
                why=why,
                mend=f"{'Correct' if what.startswith('has a') else 'Complete'} the costs,"
                f" {ways if what == 'has no' else 'or '}give the prior order yourself ({option(prior=[...])}).",
            )
    return costs


def normalised(costs: FloatArray) -> FloatArray:
    """Divide the costs of each data set by the largest there; where all are zero they stay zero."""
    top = costs.max(axis=1, keepdims=True)
    return np.asarray(np.divide(costs, top, out=np.zeros_like(costs), where=top > 0))


def prior_places(costs: FloatArray, errors: FloatArray, names: Sequence[str]) -> tuple[IntArray, int]:
    """Place algorithms by cost in each row, 0 the cheapest; ties by the lower error, then by name.

    Return the places and how many rows have ties.
    """
    cost, error = np.round(costs, 13), np.round(errors, 12)
    alphabet = np.broadcast_to(np.argsort(np.argsort(np.array(names, dtype=object))), cost.shape)
    order = np.lexsort([alphabet, np.broadcast_to(error, cost.shape), cost], axis=-1)
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(np.arange(len(names)), order.shape), axis=-1)
    ordered = np.take_along_axis(cost, order, axis=-1)
    return readonly(places), int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())


def log_costs(paid: FloatArray) -> FloatArray:
    """Return logarithms of costs; NaN for a zero, which has no ratio to anything."""
    return np.log(np.where(paid > 0, paid, np.nan))


def mean_log_ratio(logs: FloatArray, i: int, j: int) -> float:
    """Return the mean log ratio of two costs; NaN where over half of the data sets have a zero in it."""
    ratios = logs[:, i] - logs[:, j]
    known = ratios[~np.isnan(ratios)]
    return float(known.mean()) if 2 * len(known) >= len(ratios) else float("nan")
