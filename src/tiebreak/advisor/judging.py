"""What recipes lose on known data sets left out, a part of the origins at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor.cache import held, mark_of
from tiebreak.advisor.knowledge import Knowledge, thinned
from tiebreak.advisor.rankings import RANKING_METHODS, power_from, scorer
from tiebreak.advisor.rankings.portfolios import Portfolios, filled, rarely
from tiebreak.advisor.rankings.ranking import floor_times
from tiebreak.advisor.times_left_out import predicted_apart
from tiebreak.advisor.worth import METHOD, TRADING, Recipe, Worth, recipes_for
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError


def order_of(scores: FloatArray, there: BoolArray) -> IntArray:
    """Order algorithms by falling score; those without a score after them, those without a result last."""
    low = np.where(np.isnan(scores), np.finfo(np.float64).max, -np.round(scores, 12))
    return np.argsort(np.where(there, low, np.inf), axis=1, kind="stable")


def losses_of(order: IntArray, success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return (data sets, N): what the best of the first N loses, by what they are worth for their time, gaps filled.

    `order` is (data sets, algorithms), or several such orders.
    """
    first, row = order[..., :most], np.arange(len(success))[:, None]
    best = np.maximum.accumulate(np.where(np.isfinite(success), success, -np.inf)[row, first], axis=-1)
    top = np.nanmax(success, axis=1, keepdims=True)
    if seconds is None or not power:
        return np.asarray(top - best)
    spent = np.cumsum(seconds[row, first], axis=-1)
    return np.asarray(top - best * (np.nanmin(seconds, axis=1, keepdims=True) / spent) ** power)


def random_losses(success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return what so many algorithms drawn at random lose on average: exactly, but for trades, which are drawn."""
    if seconds is not None and power:
        there = np.isfinite(success)
        drawn = held(("drawn", success.shape, there.tobytes(), most), lambda: _drawn(there)[:, :, :most])
        return np.asarray(losses_of(drawn, success, seconds, power, most).mean(axis=0))
    out = np.empty((len(success), most))
    for place, row in enumerate(success):
        lost = np.sort(row[np.isfinite(row)].max() - row[np.isfinite(row)])
        for n in range(1, most + 1):
            out[place, n - 1] = lost @ first_of(len(lost), min(n, len(lost)))
    return out


def _drawn(there: BoolArray) -> IntArray:
    """Return (200, data sets, algorithms): orders at random, those without a result last."""
    rng = np.random.default_rng(0)
    draws = [rng.permuted(np.tile(np.arange(there.shape[1]), (len(there), 1)), axis=1) for _ in range(200)]
    places = np.argsort(draws, axis=2).astype(np.float64)
    return np.argsort(np.where(there, places, np.inf), axis=2, kind="stable")


def first_of(count: int, n: int) -> FloatArray:
    """Return the chance that the j-th best is the best of n drawn: C(count - j, n - 1) / C(count, n)."""
    chance = np.zeros(count)
    chance[0] = n / count
    for j in range(1, count - n + 1):
        chance[j] = chance[j - 1] * (count - j - n + 1) / (count - j)
    return chance


FIRST = 3
"""Losses are told of the best of the first 1, 2, ... this many."""
PARTS, REPEATS, CASES = 10, 5, 200
"""The origins are dealt into so many parts, so many times at the most: until so many were left out in all."""


MOST_JUDGED = 500
"""Of more data sets so many, evenly spaced, are judged: time grows with their square."""


@as_came_in
def judge_recipes(
    known: Knowledge,
    recipes: Sequence[Recipe] | None = None,
    *,
    accd: float | None = None,
    most: int = FIRST,
    times: str = "measured",
    seed: int = 0,
) -> Worth:
    """Leave origins out, and count what the first algorithms of each recipe lose on their data sets.

    Hypothesis: none; this is an estimate of what following the advice costs.

    Formula: the loss of the first N on a data set is the best success rate there less the best among the first N; with
    `accd` less the worth of the first N, as in `rank_by_timed_portfolio`. Recipes are compared by the mean of the
    losses of the first 1, 2, ..., `most`, over origins; a tenth of the origins is left out at a time (see `Rounds`), in
    five rounds, in fewer where more than 50 origins are known. The plain recipe, the first one, is chosen unless
    another is better by more than one standard error of the paired difference and by a twentieth; of those the best is.
    What the choice is worth is judged with the choice inside the loop: the recipe for a data set is chosen without the
    losses on its origin.

    Assumptions:

    1. The new data come from where the known data sets come from.
    2. Of the first N the best is found: cross-validation on the new data does that nearly, on few rows less so.

    When not to use it: to compare with published losses of other sets of algorithms; the best of twenty is a higher
    mark than the best of ten.

    Parameters
    ----------
    known : Knowledge
        At least three origins.
    recipes : sequence of Recipe, optional
        The plain one first; by default those of `recipes_for`.
    accd : float, optional
        The share of accuracy traded for ten times the speed; None counts accuracy alone.
    most : int, default 3
    times : {"measured", "predicted"}
        The times that they weigh accuracy against, where `accd` is given: those measured on the known data sets, or
        those predicted for the one left out, from data sets of other origins. What is lost is counted by the times that
        were measured on it.
    seed : int, default 0
        Of the bootstrap behind the intervals.

    Returns
    -------
    Worth

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> result = judge_recipes(shipped_knowledge())
    >>> result.expected(3).mean < result.expected(1).mean < result.random(1).mean
    True
    """
    options = tuple(recipes) if recipes is not None else recipes_for(known, METHOD if accd is None else TRADING)
    success, _ = known.means()
    there = np.isfinite(success)
    usable = np.asarray(there.sum(axis=1) > 1)
    if len({origin for origin, good in zip(known.origins, usable, strict=True) if good}) < 3:
        raise InputError(
            f"The known results are of {len(set(known.origins))} origin(s).",
            why="What advice is worth is told by leaving one out and learning from at least two others.",
            mend="Add data sets.",
        )
    base = known.datasets_at(thinned(np.flatnonzero(usable), MOST_JUDGED))
    how = Manner(accd=accd, predicted=times == "predicted")
    count = min(most, success.shape[1])
    question = ("losses", mark_of(base), options, how, count, seed)
    losses = held(question, lambda: _losses(base, options, how, most=count, seed=seed))
    return Worth.of(how.seen(base), recipes=options, accd=accd, seed=seed, **losses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How recommendations to data sets left out are made, beside their recipes.

    `predicted` weighs accuracy against the times that are predicted for what is left out.
    """

    accd: float | None = None
    predicted: bool = False

    def seen(self, base: Knowledge) -> Knowledge:
        """Return the base with times that are never 0, where time counts."""
        seconds = base.means()[1]
        if self.accd is None or base.time is None or seconds is None:
            return base
        least = floor_times(seconds)[0]
        raised = np.where((least > seconds)[:, :, None, None], least[:, :, None, None], base.time)
        return replace(base, time=raised)


def _losses(base: Knowledge, recipes: Sequence[Recipe], how: Manner, *, most: int, seed: int) -> dict[str, FloatArray]:
    """Return what the first algorithms lose on every data set: of the recipes, of the best on average, of chance."""
    seen = how.seen(base)
    success, timed, power = _charged(seen, how)
    rounds = Rounds.of(base.origins, seed)

    def lost(orders: Sequence[IntArray]) -> FloatArray:
        return np.asarray(np.mean([losses_of(order, success, timed, power, most) for order in orders], axis=0))

    return {
        "loss": np.array([lost(orders) for orders in orders_left_out(base, recipes, rounds, how, most)]),
        "single": lost(orders_by_mean(seen, rounds)),
        "random": random_losses(success, timed, power, most),
    }


def _charged(seen: Knowledge, how: Manner) -> tuple[FloatArray, FloatArray | None, float]:
    """Return success rates, the times that are charged, gaps filled, and at which exchange; none without a trade."""
    success, seconds = seen.means()
    timed = None if how.accd is None or seconds is None else filled(seconds, logarithm=True)
    return success, timed, 0.0 if timed is None else power_from(float(how.accd or 0.0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rounds:
    """Rounds of leaving origins out: `apart` has a label for every data set and round, equal where out together.

    Leaving out single origins is unfair to whatever learns from all data: where two algorithms are nearly equal on
    average, the one that is better on the origin left out looks worse on the others, and the wrong one is chosen every
    time. So a tenth of the origins is left out at a time, dealt out anew in every round.
    """

    apart: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, origins: Sequence[str], seed: int) -> Rounds:
        """Deal origins out into parts, round by round; few origins are left out one by one, once."""
        labels = sorted(set(origins))
        if len(labels) < 2 * PARTS:
            return cls(apart=(tuple(origins),))
        rng = np.random.default_rng(seed)
        dealt = []
        for _ in range(min(REPEATS, -(-CASES // len(labels)))):
            part = dict(zip(rng.permutation(labels).tolist(), np.arange(len(labels)) % PARTS, strict=True))
            dealt.append(tuple(str(part[origin]) for origin in origins))
        return cls(apart=tuple(dealt))


def orders_left_out(
    base: Knowledge, recipes: Sequence[Recipe], rounds: Rounds, how: Manner, most: int
) -> list[list[IntArray]]:
    """Return (recipes, rounds) orders (data sets, algorithms): what would have been recommended to each."""
    seen = how.seen(base)
    scorers = {name: _scorer(seen, name, how) for name in dict.fromkeys(item.method for item in recipes)}
    there = seen.measured(timed=False)
    times = _times_apart(base, rounds.apart[0], scorers, how)  # every round leaves its own origin out, so one serves
    mark = mark_of(base)

    def orders(recipe: Recipe) -> list[IntArray]:
        weights = [weights_apart(base, recipe, apart, mark) for apart in rounds.apart]
        return [order_of(values, there) for values in scorers[recipe.method](weights, rounds, most, times)]

    return [orders(recipe) for recipe in recipes]


def weights_apart(base: Knowledge, recipe: Recipe, apart: Sequence[str], mark: str) -> FloatArray:
    """Return what the others count for every data set; `mark` tells the base from others."""
    alike = (mark, recipe.measures, recipe.scaling, *apart)

    def weights() -> FloatArray:
        return recipe.weights(apart, held(("distances", *alike), lambda: recipe.distances(base, apart)))

    return held(("weights", recipe.neighbours, recipe.weighting, *alike), weights)


def _times_apart(base: Knowledge, apart: Sequence[str], methods: Iterable[str], how: Manner) -> FloatArray | None:
    """Predict the times of every data set without what is left out with it, where a method weighs them."""
    if not how.predicted or base.time is None or not any(RANKING_METHODS[method].trades_accuracy for method in methods):
        return None
    return held(("times apart", mark_of(base), *apart), lambda: predicted_apart(base, apart))


def _scorer(base: Knowledge, method: str, how: Manner) -> Callable[..., Iterable[FloatArray]]:
    """Prepare a method for many weightings: called with those of each round, the rounds, places that count, times."""
    record = RANKING_METHODS[method]
    if method in (METHOD, TRADING):
        return _Filled.of(base, how, timed=record.needs_time).scores
    success, seconds = base.means()
    rates = base.accuracy if record.by_folds else success
    about: dict[str, Any] = {"accd": 0.01 if how.accd is None else how.accd}
    about |= {"algorithms": base.algorithms, "datasets": base.datasets}
    prepared = scorer(method, rates, seconds if record.needs_time else None, **about)
    there = base.measured(timed=record.needs_time)

    def scores(weights: FloatArray, times: FloatArray | None) -> FloatArray:
        if times is not None and record.trades_accuracy:
            current = [np.where(np.isfinite(success), row, np.nan) for row in times]
            parts = [scorer(method, rates, values, **about).scores(weights[[at]]) for at, values in enumerate(current)]
            return np.where(rarely(weights, np.isfinite(success)), np.nan, np.concatenate(parts))
        some, back = np.unique(weights, axis=0, return_inverse=True)  # all data: one per part
        return np.asarray(np.where(rarely(some, there), np.nan, prepared.scores(some))[back])

    return lambda weights, _, __, times: [scores(weight, times) for weight in weights]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Filled:
    """Portfolios of which only the first places are worked out; gaps are filled without what is left out."""

    success: FloatArray
    seconds: FloatArray | None
    power: float
    parts: dict[Rounds, tuple[IntArray, Portfolios]]

    @classmethod
    def of(cls, base: Knowledge, how: Manner, *, timed: bool) -> _Filled:
        success, seconds = base.means()
        charged = None if how.accd is None or not timed else seconds
        power = 0.0 if charged is None else power_from(how.accd or 0.0)
        return cls(success=success, seconds=charged, power=power, parts={})

    def scores(
        self, weights: Sequence[FloatArray], rounds: Rounds, most: int, times: FloatArray | None = None
    ) -> FloatArray:
        """Return (rounds, data sets, algorithms), higher the better; `most` places, and those that may be passed over.

        All rounds are worked out together: each is little work, and would be mostly overhead.
        """
        here = None if self.seconds is None else times
        there = np.isfinite(self.success)
        if self.seconds is not None and here is None:
            there &= np.isfinite(self.seconds)
        wanted = most + int((~np.isfinite(self.success)).sum(axis=1).max())
        table, made = self._without(rounds, gaps=not there.all(), timed=here is None)
        whole, shape = np.concatenate(weights), (len(weights), *self.success.shape)
        if here is not None:
            every = np.tile(here, (len(weights), 1))
            return made.scores(whole, wanted, rarely(whole, there), every, table).reshape(shape)
        some, back = np.unique(np.column_stack([table, whole]), axis=0, return_inverse=True)
        which, values = some[:, 0].astype(np.int64), some[:, 1:]
        return made.scores(values, wanted, rarely(values, there), table=which)[back].reshape(shape)

    def _without(self, rounds: Rounds, *, gaps: bool, timed: bool) -> tuple[IntArray, Portfolios]:
        """Fill gaps by the rows that are not left out: a table for each label of a round, and which is whose."""
        if rounds not in self.parts:
            labels = [names if gaps else ("",) * len(names) for names in rounds.apart]  # without gaps nothing is filled
            charged = None if self.seconds is None or not timed else self.seconds
            success = [filled_apart(self.success, label) for label in labels]
            seconds = [] if charged is None else [filled(_apart(charged, label), logarithm=True) for label in labels]
            starts = np.cumsum([0, *map(len, success)])
            current = [
                np.unique(np.array(label), return_inverse=True)[1] + at
                for label, at in zip(labels, starts[:-1], strict=True)
            ]
            joined = np.concatenate(seconds) if seconds else None
            made = Portfolios(success=np.concatenate(success), seconds=joined, power=self.power)
            self.parts[rounds] = np.concatenate(current), made
        return self.parts[rounds]


def filled_apart(success: FloatArray, labels: Sequence[str]) -> FloatArray:
    """Return (labels, data sets, algorithms): the table without the rows of each label, its gaps filled."""
    key = ("filled", success.shape, success.tobytes(), *labels)
    return held(key, lambda: filled(_apart(success, labels)))


def _apart(values: FloatArray, labels: Sequence[str]) -> FloatArray:
    """Return (labels, data sets, algorithms): the table without the rows of each label, which come as gaps.

    Examples
    --------
    >>> _apart(np.array([[0.8], [0.9]]), ["x", "y"])[:, :, 0].tolist()
    [[nan, 0.9], [0.8, nan]]
    """
    names = np.array(labels)
    gone = names[None, :] == np.unique(names)[:, None]
    return np.where(gone[:, :, None] & (names != "")[None, :, None], np.nan, values[None])


def orders_by_mean(base: Knowledge, rounds: Rounds) -> list[IntArray]:
    """Order by the mean success rate on the data sets left: the best on average first."""
    success, _ = base.means()
    there = np.isfinite(success)
    plain, mark = Recipe(method="srr"), mark_of(base)
    out = []
    for apart in rounds.apart:
        weights, scores = weights_apart(base, plain, apart, mark), np.empty(success.shape)
        table = np.unique(np.array(apart), return_inverse=True)[1]
        for place, rates in enumerate(np.nan_to_num(filled_apart(success, apart))):
            scores[table == place] = weights[table == place] @ rates
        out.append(order_of(np.where(rarely(weights, there), np.nan, scores), there))
    return out
