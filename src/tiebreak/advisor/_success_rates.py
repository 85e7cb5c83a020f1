"""From scores of any kind to success rates, higher the better: what ratios of accuracy and time are made of."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice
from tiebreak.advisor._score_scale import on_one_scale
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.errors import InputError
from tiebreak.results import Metric
from tiebreak.wording import option

ERROR_RULES = ("complement", "clipped", "inverse", "negative")
"""How an error becomes a success rate."""


def success_rates(
    scores: FloatArray,
    metric: Metric,
    *,
    higher_is_better: bool | None = None,
    errors: str = "complement",
    datasets: tuple[str, ...],
) -> tuple[FloatArray, str, Caveats]:
    """Turn scores (data sets first) into success rates; return them, what they are called, and what was done.

    Formula: a score where higher is better is taken as it is. An error e is turned into 1 - e ("complement"), which
    needs errors from 0 to 1; into 1 - e, at least 0 ("clipped"), which is what `relative_rmse` needs: an error above 1
    is worse than predicting the mean, which anybody can fall back on (the mean over the folds is what is clipped; folds
    below 0 are 0 and the others are made smaller by one factor, so that a fold that goes wrong still counts); into
    e_min / e with e_min the least error on the data set ("inverse"), which serves any loss: an algorithm with twice the
    loss of the best succeeds half as well (a loss of 0 counts as half the least positive one there); or into -e
    ("negative"), which only methods that look at order can use.

    Examples
    --------
    >>> from tiebreak.results import Metric
    >>> error = Metric(name="error", higher_is_better=False)
    >>> success_rates(np.array([[0.1, 0.3]]), error, datasets=("a",))
    (array([[0.9, 0.7]]), '1 - error', ("Success rates are 1 - 'error'.",))
    >>> success_rates(np.array([[2.0, 4.0, 0.0]]), error, errors="inverse", datasets=("a",))[0]
    array([[0.5 , 0.25, 1.  ]])
    """
    check_choice("rule for errors", errors, ERROR_RULES)
    name = metric.name
    scores, read = on_one_scale(scores, metric, datasets)
    if metric.direction(higher_is_better):
        return scores, name, read
    if errors == "negative":
        return -scores, f"-{name}", read
    if errors == "complement":
        _refuse(scores, (scores < 0) | (scores > 1), name, datasets)
        return 1.0 - scores, f"1 - {name}", (*read, Caveat("read-as", f"Success rates are 1 - {name!r}."))
    _refuse(scores, scores < 0, name, datasets)
    if errors == "clipped":
        rates, worse = _clipped(scores)
        more = f"{worse} mean(s) of {name!r} above 1 count as 1, which is predicting the mean."
        turned = Caveat("read-as", f"Success rates are 1 - {name!r}, at least 0.")
        return rates, f"1 - {name}", (turned, *caveats_of((worse, "values-filled", more)))
    rates, zeros = _inverse(scores)
    said = f"Success rates are the least {name!r} on the data set over that of the algorithm."
    more = f"{zeros} value(s) of 0 count as half the least positive {name!r} of their data set."
    return rates, f"least / {name}", (*read, Caveat("read-as", said), *caveats_of((zeros, "values-filled", more)))


def _clipped(errors: FloatArray) -> tuple[FloatArray, int]:
    """Return rates of 0 or more whose means over folds are 1 less the mean errors, and how many means had to be 0."""
    rates = 1.0 - errors
    folds = tuple(range(2, rates.ndim))
    sums, kept = np.nansum(rates, axis=folds, keepdims=True), np.maximum(rates, 0.0)
    whole = np.nansum(kept, axis=folds, keepdims=True)
    factor = np.divide(np.maximum(sums, 0.0), whole, out=np.zeros_like(whole), where=whole > 0)
    return np.asarray(kept * factor), int((sums < 0).sum())


def _inverse(scores: FloatArray) -> tuple[FloatArray, int]:
    """Return the least loss of each data set over the losses there, and how many zeros had to be replaced."""
    flat = scores.reshape(len(scores), -1)
    positive = np.where(flat > 0, flat, np.inf).min(axis=1, keepdims=True)
    replaced = np.where(np.isfinite(positive), positive / 2, 1.0)  # all zero: all succeed alike
    losses = np.where(flat == 0, replaced, flat)
    least = np.where(np.isnan(losses), np.inf, losses).min(axis=1, keepdims=True)
    return (least / losses).reshape(scores.shape), int((flat == 0).sum())


def _refuse(scores: FloatArray, bad: BoolArray, name: str, sets: tuple[str, ...]) -> None:
    """Refuse errors that the rule cannot turn into success rates, naming the first data set."""
    if not bad.any():
        return
    place = np.argwhere(bad)[0]
    value, where = float(scores[tuple(place)]), sets[int(place[0])]
    count = int(bad.reshape(len(bad), -1).any(axis=1).sum())
    raise InputError(
        f"{name!r} is {value:g} on data set {where!r} ({count} such data set(s)).",
        why="The success rate 1 - error needs errors from 0 to 1."
        if value > 0
        else "No success rate can be made of a negative error.",
        mend=f"Leave those data sets out ({option(where='problem_type != regression')}), or use"
        f" {option(errors='inverse')}: the least error of the data set over that of the algorithm."
        if value > 0
        else "Correct it, use a score where higher is better, or rank by order alone:"
        f" {option(errors='negative', method='mean-rank')}.",
    )
