"""What candidate and base cost, and how many times as much the one is as the other."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, unknown_name
from tiebreak.evals.gate._result import GateCost
from tiebreak.results import Results
from tiebreak.results.items import ITEM, item_table


def cost_of(results: Results, name: str, names: tuple[str, str], limit: float | None) -> tuple[GateCost, Caveats]:
    """Put the mean costs side by side: over the items, or the benchmarks, where both are known."""
    if name not in results.values:
        raise unknown_name("cost", name, results.costs)
    paid, notes = _paid(results, name, [results.algorithms.index(each) for each in names])
    if not len(paid):
        what = "item" if results.unit == ITEM else "benchmark"
        raise InputError(
            f"No {what} has the {name!r} of both {names[0]!r} and {names[1]!r}.",
            why="What the candidate costs is said beside the base.",
            mend="Add the column to both, or leave the cost out.",
        )
    if (paid < 0).any():
        raise InputError(
            f"The mean {name!r} of {names[int(paid.argmin()) % 2]!r} is {float(paid.min()):g}.",
            why="What is paid is not below zero.",
            mend="Correct it, or leave the cost out.",
        )
    base, own = (float(each) for each in paid.mean(axis=0))
    unit = results.metric(name).unit or ""
    found = GateCost(name=name, base=base, candidate=own, ratio=_ratio(paid), unit=unit, limit=limit)
    return found, (*notes, *_free(name, paid, names))


def _ratio(paid: FloatArray) -> float:
    """Return how many times the cost of the base the candidate costs: the geometric mean over benchmarks.

    Where something is free there is none, and the sums are compared: infinite beside a base that costs nothing at all,
    1 where both do not.
    """
    if (paid > 0).all():
        return float(np.exp(np.log(paid[:, 1] / paid[:, 0]).mean()))
    base, own = (float(each) for each in paid.sum(axis=0))
    return own / base if base > 0 else 1.0 if own == 0 else np.inf


def _free(name: str, paid: FloatArray, names: tuple[str, str]) -> Caveats:
    """Ask about costs of nothing: they are those of a model of one's own, or of a log that knew no price."""
    free: BoolArray = np.asarray((paid == 0).any(axis=0))
    if not free.any():
        return ()
    who = " and ".join(repr(each) for each, zero in zip(names, free.tolist(), strict=True) if zero)
    part = "" if (paid[:, free] == 0).all() else " on some benchmarks; sums over all of them are compared"
    return (Caveat("zero-costs", f"The {name} of {who} is 0{part}: is that free, or is the {name} not known?"),)


def _paid(results: Results, name: str, places: list[int]) -> tuple[FloatArray, Caveats]:
    """Return the mean costs of both on each benchmark; on items those that are known of both, lest they differ."""
    if results.unit != ITEM:
        paid = results.means(name, partial=True)[:, places]
        return paid[~np.isnan(paid).any(axis=1)], ()
    table = item_table(results, name)
    paid = table.scores[:, places]
    known: BoolArray = ~np.asarray(np.isnan(paid).any(axis=1))
    codes, count = table.strata[known], len(table.benchmarks)
    n = np.bincount(codes, minlength=count)
    sums = [np.bincount(codes, weights=paid[known, k], minlength=count) for k in range(2)]
    text = f"{name} is known of both on {int(known.sum()):,} of {len(known):,} items: it is compared on these."
    notes = () if known.all() else (Caveat("costs-missing", text),)
    return np.stack(sums, axis=1)[n > 0] / n[n > 0, None], notes
