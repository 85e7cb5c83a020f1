"""How firm an order is: how often it, and each place in it, survives resampling of data sets and of folds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import OptionError
from tiebreak.ordering.costs import CostChoice, prior_keys, prior_places
from tiebreak.ordering.folds import FOLD_TESTS, inner_tests
from tiebreak.ordering.multitest import order_rows, places_of
from tiebreak.stats.mean_ranks import friedman_from_ranks
from tiebreak.stats.posthoc import from_mean_ranks

if TYPE_CHECKING:
    from tiebreak.ordering.ordering import Ordering


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stability(Shown):
    """How often each place and order came out; algorithms stand in the order that was found.

    `places[i, p]` is the share of resamples in which algorithm i stands at place p + 1; `low` and `high` hold its place
    in 95 per cent of them; `survived` is the share in which the whole order came out again.
    """

    algorithms: tuple[str, ...]
    places: FloatArray
    low: IntArray
    high: IntArray
    survived: float
    orders: tuple[tuple[tuple[str, ...], float], ...]
    repetitions: int
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was resampled and how often the order survived."""
        return f"{self.method}, {self.repetitions} times: the order came out again in {self.survived:.1%}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return [
            {
                "algorithm": name,
                "place": i + 1,
                "same_place": float(self.places[i, i]),
                "low": int(self.low[i]),
                "high": int(self.high[i]),
            }
            for i, name in enumerate(self.algorithms)
        ]


def stability(
    found: Ordering, *, datasets: int = 1000, folds: int = 0, rng: int | np.random.Generator = 0
) -> Stability:
    """Resample and order again.

    Parameters
    ----------
    found : Ordering
    datasets : int, default 1000
        How often to draw as many data sets, with replacement.
    folds : int, default 0
        How often to draw replications, with replacement, inside every data set instead; the tests inside the data sets
        are then made again.
    rng : int or Generator, default 0

    Returns
    -------
    Stability
    """
    if datasets < 0 or folds < 0 or datasets + folds == 0:
        raise OptionError(
            f"datasets is {datasets} and folds is {folds}.",
            why="They say how often to draw.",
            mend="Use stability(datasets=1000), or stability(folds=200) to draw replications instead.",
        )
    generator = np.random.default_rng(rng)
    if folds > 0:
        ranks, better = _fold_draws(found, folds, generator)
        orders = _orders(found, ranks, better, np.full((folds, len(found.datasets)), 1.0))
        return _summary(found, orders, "Replications resampled inside the data sets")
    if len(found.datasets) < 2:
        raise OptionError(
            "There is one data set.", why="Data sets cannot be resampled.", mend="Use stability(folds=200)."
        )
    weights = generator.multinomial(
        len(found.datasets), np.full(len(found.datasets), 1 / len(found.datasets)), datasets
    )
    ranks = np.broadcast_to(found.ranks, (datasets, *found.ranks.shape))
    return _summary(found, _orders(found, ranks, None, weights.astype(np.float64)), "Data sets resampled")


def _orders(found: Ordering, ranks: FloatArray, single: BoolArray | None, weights: FloatArray) -> IntArray:
    """Order every draw; `weights` says how often each data set was drawn."""
    prior = _priors(found, weights)
    if single is not None and len(found.datasets) == 1:
        return order_rows(single, prior)
    better = np.array([_outer(found, table, weight) for table, weight in zip(ranks, weights, strict=True)])
    return order_rows(better, prior)


def _outer(found: Ordering, ranks: FloatArray, weight: FloatArray) -> BoolArray:
    """Decide over the drawn data sets."""
    plan, count = found.plan, len(found.algorithms)
    drawn = np.repeat(ranks, weight.astype(np.int64), axis=0)
    statistic = "chi2" if plan.omnibus == "friedman-chi2" else "iman-davenport"
    omnibus = friedman_from_ranks(drawn, tie_correction=True, statistic=statistic, algorithms=found.algorithms)
    better = np.zeros((count, count), dtype=bool)
    if omnibus.pvalue <= plan.alpha:
        tests = from_mean_ranks(omnibus.mean_ranks, len(drawn), method=plan.posthoc, algorithms=found.algorithms)
        significant = tests.adjusted <= plan.alpha
        better[tests.a, tests.b] = significant & (tests.statistic > 0)
        better[tests.b, tests.a] = significant & (tests.statistic < 0)
    return better


def _priors(found: Ordering, weights: FloatArray) -> IntArray:
    """Place the algorithms by the mean cost of each draw; ties by name, or by the prior that was found."""
    if not found.cell_costs:
        return np.broadcast_to(found.prior_places, (len(weights), len(found.algorithms)))
    plan = found.plan
    choice = CostChoice(
        names=plan.costs, rule=plan.cost_rule, weights=plan.cost_weights, equal_within=plan.equal_within, ties="name"
    )
    means = tuple(weights @ cost / weights.sum(axis=1, keepdims=True) for cost in found.cell_costs)
    breaker = np.broadcast_to(found.prior_places.astype(np.float64), means[0].shape)
    places, _ = prior_places(
        prior_keys(means, choice), [breaker], names=found.algorithms, rows=["a draw"] * len(weights)
    )
    return places


def _fold_draws(found: Ordering, draws: int, generator: np.random.Generator) -> tuple[FloatArray, BoolArray]:
    """Draw replications in every data set and run MultiTest on each again."""
    plan = found.plan
    if found.inner is None or plan.pairwise not in FOLD_TESTS:
        raise OptionError(
            f"The data sets were ranked by {plan.pairwise}.",
            why="Folds are resampled to repeat a test of the folds.",
            mend="Use stability(datasets=1000).",
        )
    sets, algorithms, replications, folds = found.errors.shape
    axis = replications if replications > 1 else folds
    ranks = np.empty((draws, sets, algorithms))
    better = np.empty((draws, algorithms, algorithms), dtype=bool)
    prior = _cell_prior(found)
    for draw in range(draws):
        pick = generator.integers(axis, size=(sets, axis))
        rows = np.arange(sets)[:, None]
        if replications > 1:
            drawn = found.errors.transpose(0, 2, 1, 3)[rows, pick].transpose(0, 2, 1, 3)
        else:
            drawn = found.errors.transpose(0, 3, 1, 2)[rows, pick].transpose(0, 2, 3, 1)
        inner = inner_tests(drawn, pairwise=plan.pairwise, adjust=plan.inner_adjust)
        decided = inner.better(plan.alpha, algorithms)
        better[draw] = decided[0]
        ranks[draw] = places_of(order_rows(decided, prior))
    return ranks, better


def _cell_prior(found: Ordering) -> IntArray:
    """Place the algorithms by cost on every data set, ties as in the mean."""
    shape = len(found.datasets), len(found.algorithms)
    if not found.cell_costs:
        return np.broadcast_to(found.prior_places, shape)
    plan = found.plan
    choice = CostChoice(
        names=plan.costs, rule=plan.cost_rule, weights=plan.cost_weights, equal_within=plan.equal_within, ties="name"
    )
    breaker = np.broadcast_to(found.prior_places.astype(np.float64), shape)
    keys = prior_keys(found.cell_costs, choice)
    return prior_places(keys, [breaker], names=found.algorithms, rows=list(found.datasets))[0]


def _summary(found: Ordering, orders: IntArray, method: str) -> Stability:
    names = found.order
    index = np.array([found.algorithms.index(name) for name in names])
    places = places_of(orders)[:, index]  # draws, algorithms in the order found
    shares = np.stack([(places == p + 1).mean(axis=0) for p in range(len(names))], axis=1)
    low, high = np.quantile(places, [0.025, 0.975], axis=0, method="inverted_cdf")
    counted = Counter(tuple(found.algorithms[i] for i in each) for each in orders.tolist())
    common = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:10]
    return Stability(
        algorithms=names,
        places=readonly(shares),
        low=readonly(low.astype(np.int64)),
        high=readonly(high.astype(np.int64)),
        survived=counted[names] / len(orders),
        orders=tuple((each, count / len(orders)) for each, count in common),
        repetitions=len(orders),
        method=method,
    )
