"""What an order costs and gives: for every algorithm the score given up and the cost, beside the best-scoring one."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, check_names
from tiebreak.documents import Framed, Row, number

if TYPE_CHECKING:
    from tiebreak.deciding.order._table import FoldTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Trade(Framed):
    """What each algorithm gives up and costs, beside the one with the best mean score; arrays run over algorithms.

    `given_up` is the Hodges-Lehmann estimate of the score given up over data sets (the mean where scores mostly tie; on
    one data set the mean over its folds), from `low` to `high` with the confidence of the tests; positive is worse.
    `paid` is the mean cost in its own unit, `ratio` the geometric mean over data sets of the cost beside that of the
    best-scoring one. What cannot be known (an interval from too few data sets, the ratio of a zero) is NaN or infinite.
    """

    best: int
    given_up: FloatArray
    low: FloatArray
    high: FloatArray
    paid: FloatArray | None
    ratio: FloatArray | None
    algorithms: tuple[str, ...] = ()

    def __repr__(self) -> str:
        name = self.algorithms[self.best] if self.algorithms else f"algorithm {self.best + 1}"
        low, high = (number(float(end)) for end in (np.nanmin(self.given_up), np.nanmax(self.given_up)))
        return f"<Trade: beside {name}, the best by its mean score, {low} to {high} of it are given up>"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, in the order of the arrays."""
        names = check_names(self.algorithms or None, len(self.given_up), kind="algorithm")
        columns = {name: getattr(self, name) for name in ("given_up", "low", "high", "paid", "ratio")}
        told = {name: array.tolist() for name, array in columns.items() if array is not None}
        return [
            {"algorithm": name, "best": i == self.best, **{column: values[i] for column, values in told.items()}}
            for i, name in enumerate(names)
        ]


def trade(table: FoldTable, *, alpha: float, cost: int = 0) -> Trade:
    """Estimate what is given up and paid, by one of the costs."""
    best = int(np.argmin(np.round(table.valued.mean(axis=0), 12)))
    if table.tested is not None:
        estimate, low, high = _on_items(table, best)
    elif len(table.datasets) > 1:
        estimate, low, high = _over_data_sets(table, best, alpha)
    else:
        estimate, low, high = _on_one(table, best, alpha)
    paid = ratio = None
    if table.paid:
        own = known_costs(table, cost)
        paid, logs = own.mean(axis=0), log_costs(own)
        ratio = np.exp([mean_log_ratio(logs, i, best) for i in range(len(table.algorithms))])
    return Trade(best=best, given_up=estimate, low=low, high=high, paid=paid, ratio=ratio, algorithms=table.algorithms)


def known_costs(table: FoldTable, cost: int = 0) -> FloatArray:
    """Return a cost in its own unit; NaN for whom it is not known and only counted as the largest."""
    if cost or table.unpriced is None:
        return table.paid[cost]
    return np.where(table.unpriced, np.nan, table.paid[cost])


def log_costs(paid: FloatArray) -> FloatArray:
    """Return logarithms of costs; NaN for a zero, which has no ratio to anything."""
    return np.log(np.where(paid > 0, paid, np.nan))


def mean_log_ratio(logs: FloatArray, i: int, j: int) -> float:
    """Return the mean log ratio of two costs; NaN where over half of the data sets have a zero in it."""
    ratios = logs[:, i] - logs[:, j]
    known = ratios[~np.isnan(ratios)]
    return float(known.mean()) if 2 * len(known) >= len(ratios) else float("nan")


def _over_data_sets(table: FoldTable, best: int, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The interval is that of Wilcoxon's test, turned so that what is lost is positive."""
    from tiebreak.stats import difference_intervals

    if mostly_tied(table.valued):
        return mean_shift(table.valued - table.valued[:, [best]], alpha)
    found = difference_intervals(table.valued, control=best, level=1 - alpha)
    out = np.zeros((3, len(table.algorithms)))
    out[:, found.b] = -found.estimate, -found.high, -found.low
    estimate, low, high = without_noise(out, table.valued)
    return estimate, low, high


def mostly_tied(scores: FloatArray) -> bool:
    """Say whether two algorithms tie on over half of the data sets, as right and wrong answers do.

    Hodges and Lehmann's estimate of their difference is then 0 with an interval from 0 to 0, whatever their means are.
    """
    if len(np.unique(scores)) == 2:
        return True
    best = int(np.argmin(np.round(scores.mean(axis=0), 12)))
    same = scores == scores[:, [best]]
    ties = same.mean(axis=0)
    return bool(((ties > 0.5) & (ties < 1.0)).any())


def mean_shift(differences: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of each column of differences with the interval of the paired t test."""
    count = len(differences)
    estimate = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / sqrt(count)
    width = float(special.stdtrit(count - 1, 1 - alpha / 2)) * error
    return estimate, estimate - width, estimate + width


def shifts_of(table: FoldTable, alpha: float, *, tied: bool | None = None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Estimate the differences of all pairs i < j at once, with the ends of their intervals; lower is better.

    `tied` says whether means stand for medians, as `mostly_tied` does of the table where it is not told.
    """
    from tiebreak.stats import difference_intervals

    valued, tested = table.valued, table.tested
    if tested is not None:
        if table.upward:
            return -tested.difference, -tested.high, -tested.low
        return tested.difference, tested.low, tested.high
    a, b = np.triu_indices(valued.shape[1], 1)
    if mostly_tied(valued) if tied is None else tied:
        found = mean_shift(valued[:, a] - valued[:, b], alpha)
    else:
        interval = difference_intervals(valued, level=1 - alpha)
        found = interval.estimate, interval.low, interval.high
    shift, low, high = (without_noise(each, valued) for each in found)
    return shift, low, high


def without_noise(differences: FloatArray, scores: FloatArray) -> FloatArray:
    """Let differences be zero that are nothing but the rounding of the scores they were made from."""
    return np.where(np.abs(differences) <= 1e-14 * np.abs(scores).max(), 0.0, differences)


def beside(table: FoldTable, best: int, *, together: bool = False) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return by how much each is worse than one of them on its items, with the ends of the interval.

    With `together` the intervals hold for all pairs at once.
    """
    tested = table.tested
    assert tested is not None
    low, high = (tested.low_together, tested.high_together) if together else (tested.low, tested.high)
    out = np.zeros((3, len(table.algorithms)))
    for side, other, sign in ((tested.a, tested.b, -1.0), (tested.b, tested.a, 1.0)):
        mine = other == best  # pairs of `side` with the best one; the difference is that of a less b
        turn = sign if table.upward else -sign
        ends = np.sort(np.stack([turn * low[mine], turn * high[mine]]), axis=0)
        out[:, side[mine]] = turn * tested.difference[mine], ends[0], ends[1]
    return out[0] + 0.0, out[1], out[2]


def _on_items(table: FoldTable, best: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The interval is that of the pair on its items."""
    return beside(table, best)


def _on_one(table: FoldTable, best: int, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Folds share training data: the interval is that of the corrected resampled t test."""
    folds = table.folds_of(0)
    estimate = table.valued[0] - table.valued[0, best]
    unknown = np.where(np.arange(len(estimate)) == best, 0.0, np.inf)
    if folds is None or folds.shape[2] < 2:
        return estimate, estimate - unknown, estimate + unknown
    differences = (folds - folds[best]).reshape(len(folds), -1)
    count, share = differences.shape[1], 1.0 / folds.shape[2]
    error = differences.std(axis=1, ddof=1) * sqrt(1 / count + share / (1 - share))  # Nadeau and Bengio 2003, eq. 8
    width = float(special.stdtrit(count - 1, 1 - alpha / 2)) * error
    return estimate, estimate - width, estimate + width
