"""Greedy portfolios: each next algorithm adds most to the best of those before it; gaps filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor.rankings.ranking import Measured, Ranking, measured
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.results import frozen

ROUNDS = 50
"""Sweeps over rows and columns with which gaps are filled; the values settle after a few."""


def filled(values: FloatArray, *, logarithm: bool = False) -> FloatArray:
    """Fill gaps by row + column (of logarithms: row x column, 0 as the least above it), at most the row's largest.

    Several tables, (tables, data sets, algorithms), are filled each by itself.
    """
    there = np.isfinite(values)
    if there.all():
        return values
    least = _least(values, there) if logarithm else 0.0
    known = np.where(there, np.log(np.where(there, np.maximum(values, least), 1.0)) if logarithm else values, 0.0)
    wide, long = (np.maximum(there.sum(axis=axis, keepdims=True), 1) for axis in (-1, -2))
    columns = np.zeros(long.shape)
    rows = np.zeros(wide.shape)
    for _ in range(ROUNDS):
        rows = ((known - columns) * there).sum(axis=-1, keepdims=True) / wide
        columns = ((known - rows) * there).sum(axis=-2, keepdims=True) / long
    guess = np.minimum(rows + columns, np.where(there, known, -np.inf).max(axis=-1, initial=-np.inf, keepdims=True))
    out = np.where(there, values, np.exp(guess) if logarithm else guess)
    return np.where(there.any(axis=-2, keepdims=True) & there.any(axis=-1, keepdims=True), out, np.nan)


def _least(values: FloatArray, there: BoolArray) -> FloatArray:
    """Return the least value above 0 of every table, at most 1."""
    above = np.where(there & (values > 0), values, np.inf)
    return np.asarray(above.min(axis=(-2, -1), initial=1.0, keepdims=True))


BLOCK = 1 << 16
"""Numbers held at a time for many weightings: as many as are quickly at hand."""
OFTEN = 0.25
"""The share of the data sets that an algorithm must have been measured on to be ranked."""


@as_came_in
def rank_by_portfolio(
    accuracy: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms so that the best of the first N loses as little as possible, for every N.

    Hypothesis: none; this is a ranking, not a test.

    Formula: the loss of algorithm a on data set d is X(d, a) = max SR(d, .) - SR(d, a). The first minimises the
    weighted mean over d of X(d, a); each next one minimises the mean of min(X(d, a), least loss of those before
    it). Of equals the one with the lower mean loss comes first, then by name.

    Assumptions:

    1. Several of the first algorithms will be tried and the best kept: what counts is where one is good that the
       others are not, so two of a kind seldom stand side by side.
    2. Success rates can be averaged over data sets.
    3. A missing result is filled in by the additive model SR(d, a) = row + column, never above the best of its data
       set, and told in a caveat.

    When not to use it: to say which algorithm is better than which: the third of a portfolio may be worse on average
    than the tenth. Use `rank_by_mean_rank` or `tiebreak.order` for that.

    Parameters
    ----------
    accuracy, weights, algorithms, datasets
        As in `rank_by_arr`; the scores may have any sign.

    Returns
    -------
    Ranking
        `scores` are the expected losses of the best of the first 1, 2, ... algorithms; `contributions` what each data
        set adds to them.

    References
    ----------
    nemhauser1978

    Examples
    --------
    >>> success = [[0.9, 0.89, 0.6], [0.9, 0.88, 0.5], [0.6, 0.61, 0.95]]
    >>> result = rank_by_portfolio(success, algorithms=["forest", "boosting", "linear"])
    >>> result.algorithms, result.scores.round(4).tolist()
    (('forest', 'linear', 'boosting'), [0.1167, 0.0, 0.0])
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    prepared, notes = portfolios(table)
    used = table.weights > 0
    order, worth, may = _orders(prepared.success[None], table.weights[None])
    places = order[0, : int(may.sum())]
    top = np.nanmax(np.where(used[:, None], table.success, 0.0), axis=1, keepdims=True)
    parts = np.where(used[:, None], table.weights[:, None] * (top - worth[0, :, : len(places)]), 0.0)
    unranked = tuple(sorted(set(table.algorithms) - {table.algorithms[j] for j in places}))
    left = caveats_of((unranked, "algorithms-left-out", f"Not ranked (no result): {', '.join(unranked)}."))
    caveats = tuple(note for note in table.caveats if note.code != "gaps-left-out")
    return Ranking(
        algorithms=tuple(table.algorithms[j] for j in places),
        **frozen(scores=parts.sum(axis=0), ranks=np.arange(1.0, len(places) + 1), weights=table.weights),
        **frozen(contributions=parts),
        name="portfolio",
        method="greedy portfolio",
        score_name="loss_there",
        higher_is_better=False,
        n_datasets=int(((table.mask.sum(axis=1) > 1) & used).sum()),
        datasets=table.datasets,
        unranked=unranked,
        caveats=(*caveats, *notes, *left),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Portfolios:
    """Greedy portfolios for many weightings of the same data sets; places count as negative scores.

    `success` is (data sets, algorithms), or several such tables, (tables, data sets, algorithms).
    """

    success: FloatArray

    def scores(
        self,
        weights: FloatArray,
        most: int | None = None,
        barred: BoolArray | None = None,
        table: IntArray | None = None,
    ) -> FloatArray:
        """Return (weightings, algorithms), higher the better, NaN for one without results or barred; see `greedy`.

        `table` says which of several tables each weighting is about.
        """
        width = int((weights > 0).sum(axis=1).max(initial=1))
        step = max(1, BLOCK // max(1, width * self.success.shape[-1]))
        gone = np.zeros((len(weights), self.success.shape[-1]), dtype=bool) if barred is None else barred
        parts = [slice(start, start + step) for start in range(0, len(weights), step)]
        return np.concatenate(
            [self._scores(weights[part], most, gone[part], None if table is None else table[part]) for part in parts]
        )

    def _scores(self, weights: FloatArray, most: int | None, barred: BoolArray, table: IntArray | None) -> FloatArray:
        """Each weighting looks at the data sets alone that count for it, mostly few."""
        width = int((weights > 0).sum(axis=1).max(initial=1))
        near = np.argsort(weights <= 0, axis=1, kind="stable")[:, :width]  # those that count first, in their order
        success = self.success[near] if table is None else self.success[table[:, None], near]
        order, _, may = _orders(success, np.take_along_axis(weights, near, axis=1), most, barred)
        out = np.empty(order.shape)
        np.put_along_axis(out, order, -np.arange(float(order.shape[1]))[None], axis=1)
        return np.where(may, out, np.nan)


def rarely(weights: FloatArray, there: BoolArray) -> BoolArray:
    """Return (weightings, algorithms): measured on less than a quarter of what the most measured one was, by weight.

    One lucky result would put such an algorithm first, whatever fills its gaps.

    Examples
    --------
    >>> rarely(np.array([[0.5, 0.3, 0.2]]), np.array([[True, False], [True, False], [True, True]])).tolist()
    [[False, True]]
    """
    share = weights @ there.astype(np.float64)
    return np.asarray(share < OFTEN * share.max(axis=1, keepdims=True))


def portfolios(table: Measured, **_: object) -> tuple[Portfolios, Caveats]:
    """Prepare portfolios on checked results, gaps filled."""
    gaps = int((~np.isfinite(table.success)).sum())
    text = f"{gaps} missing result(s) were filled in by what the algorithm and the data set are like elsewhere."
    return Portfolios(success=filled(table.success)), caveats_of((gaps, "values-filled", text))


def greedy(
    success: FloatArray, weights: FloatArray, *, most: int | None = None, barred: BoolArray | None = None
) -> tuple[IntArray, FloatArray]:
    """Return for every weighting the order of a greedy portfolio, and what its first 1, 2, ... are worth.

    `success` is (data sets, algorithms), `weights` (weightings, data sets). After the first `most` the rest follow by
    mean success rate; algorithms without a result on a data set that counts, and those `barred` (weightings,
    algorithms), come last. The worth is (weightings, data sets, places up to `most`).

    Examples
    --------
    >>> order, worth = greedy(np.array([[0.9, 0.8, 0.1], [0.5, 0.4, 0.9]]), np.array([[0.5, 0.5]]))
    >>> order.tolist(), worth[0].tolist()
    ([[0, 2, 1]], [[0.9, 0.9, 0.9], [0.5, 0.9, 0.9]])
    """
    return _orders(success[None], weights, most, barred)[:2]


def _orders(
    success: FloatArray, weights: FloatArray, most: int | None = None, barred: BoolArray | None = None
) -> tuple[IntArray, FloatArray, BoolArray]:
    """Return what `greedy` does, where every weighting may have a table of its own, and which algorithms may come.

    `success` is (weightings or 1, data sets, algorithms).
    """
    good = _weighed((weights > 0).astype(np.float64), ~np.isfinite(success)) == 0
    may = good if barred is None else good & ~barred
    rates = np.nan_to_num(success)
    mean = np.where(good, np.round(_weighed(weights, rates), 12), -np.inf)
    count = rates.shape[2] if most is None else min(most, rates.shape[2])
    best = np.full(weights.shape, -np.inf)
    left, gone, order, worth = may.copy(), np.zeros_like(may), [], []
    for _ in range(count):
        top = np.maximum(best[:, :, None], rates)
        value = np.where(left, np.round(_weighed(weights, top), 12), -np.inf)
        at = _first(value, mean, gone)  # those that may not come when none is left
        best = np.take_along_axis(top, at[:, None, None], axis=2)[:, :, 0]
        order.append(at)
        worth.append(best)
        left[np.arange(len(at)), at] = False
        gone[np.arange(len(at)), at] = True
    return _completed(np.array(order).T, mean, good, may), np.array(worth).transpose(1, 2, 0), may


def _weighed(weights: FloatArray, table: npt.NDArray[Any]) -> FloatArray:
    """Return (weightings, algorithms): sums over data sets, of the one table or of each weighting's own."""
    return np.asarray(weights @ table[0] if len(table) == 1 else np.matmul(weights[:, None, :], table)[:, 0])


def _first(value: FloatArray, mean: FloatArray, gone: BoolArray) -> IntArray:
    """Return for every row who is first: not gone, by the highest value, of equals by the highest mean, then by place.

    Examples
    --------
    >>> _first(np.array([[0.7, 0.8, 0.8]]), np.array([[0.5, 0.4, 0.6]]), np.array([[False, False, False]])).tolist()
    [2]
    """
    left = ~gone
    for key in (value, mean):
        left &= key == np.fmax.reduce(np.where(left, key, -np.inf), axis=1, keepdims=True)
    return np.asarray(left.argmax(axis=1))


def _completed(order: IntArray, mean: FloatArray, good: BoolArray, may: BoolArray) -> IntArray:
    """Let those that were not chosen follow by their mean, barred ones then, those without results last; each once."""
    place = np.full(mean.shape, order.shape[1], dtype=np.int64)
    np.put_along_axis(place, order[:, ::-1], np.arange(order.shape[1])[::-1][None], axis=1)
    place = np.where(good, np.where(may, place, order.shape[1] + 1), order.shape[1] + 2)
    columns = np.broadcast_to(np.arange(mean.shape[1]), mean.shape)
    return np.asarray(np.lexsort((columns, -np.where(good, mean, -np.inf), place), axis=1))
