"""Success rates on one scale: shares of 1 as they are, percentages divided by 100, a mixture of both refused."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, quoted
from tiebreak.results import Metric
from tiebreak.wording import option

SLACK = 1e-6
"""A share may exceed 1 by so much: the rounding of another program."""
_ERROR_RATES = ("error_rate", "misclassification_rate", "misclassification_error", "zero_one_loss")


def on_one_scale(scores: FloatArray, metric: Metric, datasets: tuple[str, ...]) -> tuple[FloatArray, Caveats]:
    """Return scores (data sets first) as shares of 1, and what was done; other scores are left as they are.

    Rule, for scores that are shares by their name, and for names that leave the metric open:

    - no value above 1: shares of 1, as they are;
    - every data set has values above 1, up to 100, and none between 0 and 1: percentages, divided by 100 where the
      name says a share;
    - both, on different data sets or on one: refused.

    Examples
    --------
    >>> accuracy = Metric(name="accuracy", higher_is_better=True)
    >>> on_one_scale(np.array([[90.0, 80.0], [55.0, 60.0]]), accuracy, ("a", "b"))
    (array([[0.9 , 0.8 ],
           [0.55, 0.6 ]]), ("'accuracy' holds percentages, which were divided by 100.",))
    """
    share = metric.is_share or metric.name in _ERROR_RATES
    flat = scores.reshape(len(scores), -1)
    known = flat[~np.isnan(flat)]
    beyond = known[known > 1 + SLACK]
    if not (share or metric.is_general) or not beyond.size or known.min() < 0 or known.max() > 100:
        return scores, ()
    above = np.asarray((flat > 1 + SLACK).any(axis=1))
    below = np.asarray(((flat > 0) & (flat <= 1 + SLACK)).any(axis=1))
    if not below.any():
        told = f"{metric.name!r} holds percentages, which were divided by 100."
        return (scores / 100, (Caveat("read-as", told),)) if share else (scores, ())
    if share or not (above & below).any():  # an open name may stand for anything that is small here and large there
        _refuse(flat, metric, above & below, above, below, datasets)
    return scores, ()


def _refuse(
    flat: FloatArray,
    metric: Metric,
    both: BoolArray,
    above: BoolArray,
    below: BoolArray,
    datasets: tuple[str, ...],
) -> None:
    """Name the data sets of either scale, or those that mix them."""
    names = np.array(datasets, dtype=object)
    if both.any():
        row = flat[np.argmax(both)]
        small, large = np.nanmin(np.where(row > 0, row, np.nan)), np.nanmax(row)
        first, more = names[both][0], int(both.sum()) - 1
        what = f"from {small:g} to {large:g} on data set {first!r}" + (f" (and on {more} more)" if more else "")
    else:
        what = (
            f"from 0 to 1 on {_counted(below)} ({quoted(names[below], limit=4)}) and beyond 1, as percentages are, on"
            f" {_counted(above)} ({quoted(names[above], limit=4)})"
        )
    raise InputError(
        f"{metric.name!r} is {what}.",
        why="Shares of 1 and percentages cannot be averaged, nor one divided by the other.",
        mend="Divide the percentages by 100, or leave those data sets out"
        f" ({option(where=f'dataset != {names[both if both.any() else above][0]}')}).",
    )


def _counted(marks: BoolArray) -> str:
    count = int(marks.sum())
    return f"{count} data set{'' if count == 1 else 's'}"
