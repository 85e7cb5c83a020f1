"""Judge recipes by leaving data sets out, all of one origin at a time: what the best of their first algorithms lose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor.rankings import RANKING_METHODS, power_from, scorer
from tiebreak.advisor.rankings.portfolios import Portfolios, filled
from tiebreak.advisor.worth._worth import Worth
from tiebreak.advisor.worth.kept import kept
from tiebreak.advisor.worth.recipes import Recipe, recipes_for
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError

FIRST = 3
"""Losses are told of the best of the first 1, 2, ... this many."""
PARTS, REPEATS = 10, 5
"""The origins are dealt into so many parts, so many times."""


@as_came_in
def judge_recipes(
    known: Knowledge,
    recipes: Sequence[Recipe] | None = None,
    *,
    accd: float | None = None,
    most: int = FIRST,
    floor: float | None = 0.001,
    seed: int = 0,
) -> Worth:
    """Leave origins out, and count what the first algorithms of each recipe lose on their data sets.

    Hypothesis: none; this is an estimate of what following the advice costs.

    Formula: the loss of the first N on a data set is the best success rate there less the best among the first N; with
    `accd` less the worth of the first N, as in `rank_by_timed_portfolio`. Recipes are compared by the mean of the
    losses of the first 1, 2, ..., `most`, over origins; a tenth of the origins is left out at a time (see `Rounds`), in
    five rounds. The plain recipe, the first one, is chosen unless another is better by more than one standard error of
    the paired difference and by a twentieth; of those the best is. What the choice is worth is judged with the choice
    inside the loop: the recipe for a data set is chosen without the losses on its origin. The losses are kept in the
    user's folder of caches and found again for the same base (see `kept`; the variable TIEBREAK_CACHE moves it, or
    switches it off).

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
        The share of accuracy given up for ten times the speed; None counts accuracy alone.
    most : int, default 3
    floor : float or None
        As in `rank_by_arr`.
    seed : int, default 0
        Of the bootstrap behind the intervals.

    Returns
    -------
    Worth

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = judge_recipes(shipped_knowledge())
    >>> found.expected(3).mean < found.expected(1).mean < found.random(1).mean
    True
    """
    asked = tuple(recipes) if recipes is not None else recipes_for(known, trading=accd is not None)
    success, _ = known.means()
    usable = np.isfinite(success).sum(axis=1) > 1
    if len({origin for origin, good in zip(known.origins, usable, strict=True) if good}) < 3:
        raise InputError(
            f"The known results are of {len(set(known.origins))} origin(s).",
            why="What advice is worth is told by leaving one out and learning from at least two others.",
            mend="Add data sets.",
        )
    base = known.datasets_at(np.flatnonzero(usable))
    count = min(most, success.shape[1])
    question = ([astuple(each) for each in asked], accd, count, floor, seed)
    losses = kept(base, question, lambda: _losses(base, asked, accd=accd, most=count, floor=floor, seed=seed))
    return Worth.of(base, recipes=asked, accd=accd, seed=seed, **losses)


def _losses(
    base: Knowledge, recipes: Sequence[Recipe], *, accd: float | None, most: int, floor: float | None, seed: int
) -> dict[str, FloatArray]:
    """Return what the first algorithms lose on every data set: of the recipes, of the best on average, of chance."""
    success, seconds = base.means()
    timed = None if accd is None or seconds is None else seconds
    power = 0.0 if timed is None else power_from(float(accd or 0.0))
    rounds = Rounds.of(base.origins, seed)

    def lost(orders: Sequence[IntArray]) -> FloatArray:
        return np.asarray(np.mean([losses_of(each, success, timed, power, most) for each in orders], axis=0))

    return {
        "loss": np.array([lost(orders) for orders in orders_left_out(base, recipes, rounds, accd, floor, most)]),
        "single": lost(orders_by_mean(base, rounds)),
        "random": random_losses(success, timed, power, most),
    }


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
        for _ in range(REPEATS):
            part = dict(zip(rng.permutation(labels).tolist(), np.arange(len(labels)) % PARTS, strict=True))
            dealt.append(tuple(str(part[each]) for each in origins))
        return cls(apart=tuple(dealt))


def orders_left_out(
    base: Knowledge, recipes: Sequence[Recipe], rounds: Rounds, accd: float | None, floor: float | None, most: int
) -> list[list[IntArray]]:
    """Return (recipes, rounds) orders (data sets, algorithms): what would have been recommended to each."""
    scorers = {name: _scorer(base, name, accd, floor) for name in dict.fromkeys(each.method for each in recipes)}
    there = base.measured(timed=False)
    known: dict[tuple[tuple[str, ...], int], FloatArray] = {}
    out = []
    for recipe in recipes:
        own = []
        for number, apart in enumerate(rounds.apart):
            key = (recipe.measures, number)
            if key not in known:
                known[key] = recipe.distances(base, apart)
            weights, back = np.unique(recipe.weights(apart, known[key]), axis=0, return_inverse=True)
            own.append(order_of(scorers[recipe.method](weights, most)[back], there))  # all data: one per part
        out.append(own)
    return out


def _scorer(base: Knowledge, method: str, accd: float | None, floor: float | None) -> Callable[..., FloatArray]:
    """Prepare a method for many weightings; of a portfolio only the first places are worked out."""
    record = RANKING_METHODS[method]
    success, seconds = base.means()
    prepared = scorer(
        method,
        base.accuracy if record.by_folds else success,
        seconds if record.needs_time else None,
        accd=0.01 if accd is None else accd,
        floor=floor,
        algorithms=base.algorithms,
        datasets=base.datasets,
    )
    owner = getattr(prepared.scores, "__self__", None)
    gaps = int((~np.isfinite(success)).sum(axis=1).max())  # so many of an order may have to be passed over
    if isinstance(owner, Portfolios):
        return lambda weights, most: owner.scores(weights, most + gaps)
    return lambda weights, _: prepared.scores(weights)


def orders_by_mean(base: Knowledge, rounds: Rounds) -> list[IntArray]:
    """Order by the mean success rate on the data sets left: the best on average first."""
    success, _ = base.means()
    rates = filled(success)
    plain = Recipe(method="srr")
    weights = [plain.weights(apart, plain.distances(base, apart)) for apart in rounds.apart]
    return [order_of(each @ rates, np.isfinite(success)) for each in weights]


def order_of(scores: FloatArray, there: BoolArray) -> IntArray:
    """Order algorithms by falling score; those without a score after them, those without a result last."""
    low = np.where(np.isnan(scores), np.finfo(np.float64).max, -np.round(scores, 12))
    return np.argsort(np.where(there, low, np.inf), axis=1, kind="stable")


def losses_of(order: IntArray, success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return (data sets, N): what the best of the first N loses, by what they are worth for their time."""
    rates = np.take_along_axis(np.where(np.isfinite(success), success, -np.inf), order, axis=1)[:, :most]
    best = np.maximum.accumulate(rates, axis=1)
    top = np.nanmax(success, axis=1, keepdims=True)
    if seconds is None or not power:
        return np.asarray(top - best)
    times = filled(seconds, logarithm=True)
    spent = np.cumsum(np.take_along_axis(times, order, axis=1)[:, :most], axis=1)
    return np.asarray(top - best * (np.nanmin(times, axis=1, keepdims=True) / spent) ** power)


def random_losses(success: FloatArray, seconds: FloatArray | None, power: float, most: int) -> FloatArray:
    """Return what so many algorithms drawn at random lose on average: exactly, but for trades, which are drawn."""
    if seconds is not None and power:
        drawn = np.random.default_rng(0)
        draws = [drawn.permuted(np.tile(np.arange(success.shape[1]), (len(success), 1)), axis=1) for _ in range(200)]
        kept = [order_of(-np.argsort(each, axis=1).astype(float), np.isfinite(success)) for each in draws]
        return np.asarray(np.mean([losses_of(each, success, seconds, power, most) for each in kept], axis=0))
    out = np.empty((len(success), most))
    for place, row in enumerate(success):
        lost = np.sort(row[np.isfinite(row)].max() - row[np.isfinite(row)])
        for n in range(1, most + 1):
            out[place, n - 1] = lost @ _first_of(len(lost), min(n, len(lost)))
    return out


def _first_of(count: int, n: int) -> FloatArray:
    """Return the chance that the j-th best is the best of n drawn: C(count - j, n - 1) / C(count, n)."""
    chance = np.zeros(count)
    chance[0] = n / count
    for j in range(1, count - n + 1):
        chance[j] = chance[j - 1] * (count - j - n + 1) / (count - j)
    return chance
