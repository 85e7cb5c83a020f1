"""What recipes lose on known data sets left out, a part of the origins at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.advisor.cache import held, mark_of
from tiebreak.advisor.knowledge import Knowledge, thinned
from tiebreak.advisor.rankings import RANKING_METHODS, scorer
from tiebreak.advisor.rankings.portfolios import Portfolios, filled, rarely
from tiebreak.advisor.worth import METHOD, TRADING, Recipe, Worth, recipes_for
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError


def order_of(scores: FloatArray, there: BoolArray) -> IntArray:
    """Order algorithms by falling score; those without a score after them, those without a result last."""
    low = np.where(np.isnan(scores), np.finfo(np.float64).max, -np.round(scores, 12))
    return np.argsort(np.where(there, low, np.inf), axis=1, kind="stable")


def losses_of(order: IntArray, success: FloatArray, most: int) -> FloatArray:
    """Return (data sets, N): what the best of the first N of an order (data sets, algorithms) loses."""
    reached = np.where(np.isfinite(success), success, -np.inf)[np.arange(len(success))[:, None], order[:, :most]]
    return np.asarray(np.nanmax(success, axis=1, keepdims=True) - np.maximum.accumulate(reached, axis=1))


def random_losses(success: FloatArray, most: int) -> FloatArray:
    """Return what so many algorithms drawn at random lose on average, exactly."""
    out = np.empty((len(success), most))
    for place, row in enumerate(success):
        lost = np.sort(row[np.isfinite(row)].max() - row[np.isfinite(row)])
        for n in range(1, most + 1):
            out[place, n - 1] = lost @ first_of(len(lost), min(n, len(lost)))
    return out


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
    seed: int = 0,
) -> Worth:
    """Leave origins out, and count what the first algorithms of each recipe lose on their data sets.

    Hypothesis: none; this is an estimate of what following the advice costs.

    Formula: the loss of the first N on a data set is the best success rate there less the best among the first N, with
    a trade too: what the faster gives up is a loss. Recipes are compared by the mean of the
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
        The share of accuracy traded for ten times the speed, for methods that weigh it against the times measured on
        the other data sets; None is 0.01.
    most : int, default 3
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
            f"The known results come from {len(set(known.origins))} origin(s).",
            why="The expected loss is measured by leaving one out and learning from at least two more.",
            mend="Add data sets.",
        )
    base = known.datasets_at(thinned(np.flatnonzero(usable), MOST_JUDGED))
    count = min(most, success.shape[1])
    question = ("losses", mark_of(base), options, accd, count, seed)
    losses = held(question, lambda: _losses(base, options, accd, most=count, seed=seed))
    return Worth.of(base, recipes=options, accd=accd, seed=seed, **losses)


def _losses(
    base: Knowledge, recipes: Sequence[Recipe], accd: float | None, *, most: int, seed: int
) -> dict[str, FloatArray]:
    """Return what the first algorithms lose on every data set: of the recipes, of the best on average, of chance."""
    success, rounds = base.means()[0], Rounds.of(base.origins, seed)

    def lost(orders: Sequence[IntArray]) -> FloatArray:
        return np.asarray(np.mean([losses_of(order, success, most) for order in orders], axis=0))

    return {
        "loss": np.array([lost(orders) for orders in orders_left_out(base, recipes, rounds, most, accd)]),
        "single": lost(orders_by_mean(base, rounds)),
        "random": random_losses(success, most),
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
        for _ in range(min(REPEATS, -(-CASES // len(labels)))):
            part = dict(zip(rng.permutation(labels).tolist(), np.arange(len(labels)) % PARTS, strict=True))
            dealt.append(tuple(str(part[origin]) for origin in origins))
        return cls(apart=tuple(dealt))


def orders_left_out(
    base: Knowledge, recipes: Sequence[Recipe], rounds: Rounds, most: int, accd: float | None = None
) -> list[list[IntArray]]:
    """Return (recipes, rounds) orders (data sets, algorithms): what would have been recommended to each."""
    scorers = {name: _scorer(base, name, accd) for name in dict.fromkeys(item.method for item in recipes)}
    there, mark = base.measured(timed=False), mark_of(base)

    def orders(recipe: Recipe) -> list[IntArray]:
        weights = [weights_apart(base, recipe, apart, mark) for apart in rounds.apart]
        return [order_of(values, there) for values in scorers[recipe.method](weights, rounds, most)]

    return [orders(recipe) for recipe in recipes]


def weights_apart(base: Knowledge, recipe: Recipe, apart: Sequence[str], mark: str) -> FloatArray:
    """Return what the others count for every data set; `mark` tells the base from others."""
    alike = (mark, recipe.measures, recipe.scaling, *apart)

    def weights() -> FloatArray:
        return recipe.weights(apart, held(("distances", *alike), lambda: recipe.distances(base, apart)))

    return held(("weights", recipe.neighbours, *alike), weights)


def _scorer(base: Knowledge, method: str, accd: float | None) -> Callable[..., Iterable[FloatArray]]:
    """Prepare a method for many weightings: called with those of each round, the rounds, and the places that count."""
    record = RANKING_METHODS[method]
    success, seconds = base.means()
    if method == METHOD:
        return lambda weights, rounds, most: _portfolio_scores(success, weights, rounds, most)
    prepared = scorer(
        method,
        base.accuracy if record.by_folds else success,
        seconds if record.needs_time else None,
        accd=0.01 if accd is None else accd,
        algorithms=base.algorithms,
        datasets=base.datasets,
    )
    there = base.measured(timed=record.needs_time)

    def scores(weights: FloatArray) -> FloatArray:
        some, back = np.unique(weights, axis=0, return_inverse=True)  # all data: one per part
        return np.asarray(np.where(rarely(some, there), np.nan, prepared.scores(some))[back])

    return lambda weights, _, __: [scores(weight) for weight in weights]


def _portfolio_scores(success: FloatArray, weights: Sequence[FloatArray], rounds: Rounds, most: int) -> FloatArray:
    """Return (rounds, data sets, algorithms), higher the better; `most` places, and those that may be passed over.

    Gaps are filled by the rows that are not left out. All rounds are worked out together: each is little work, and
    would be mostly overhead.
    """
    there = np.isfinite(success)
    labels = [("",) * len(names) if there.all() else names for names in rounds.apart]
    tables = [filled_apart(success, names) for names in labels]
    starts = np.cumsum([0, *map(len, tables)])[:-1]
    which = [np.unique(names, return_inverse=True)[1] + start for names, start in zip(labels, starts, strict=True)]
    rows = np.column_stack([np.concatenate(which), np.concatenate(weights)])
    some, back = np.unique(rows, axis=0, return_inverse=True)
    values = Portfolios(success=np.concatenate(tables)).scores(
        some[:, 1:],
        most + int((~there).sum(axis=1).max()),
        rarely(some[:, 1:], there),
        table=some[:, 0].astype(np.int64),
    )
    return values[back].reshape(len(weights), *success.shape)


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
