"""Places beside other places: changes of order, and a new run of the experiment beside the printed one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.documents import Framed, Row
from tiebreak.ordering import Ordering, order
from tiebreak.results import Results
from tiebreak.stats import rank_rows
from tiebreak.stats.results import pair_indices

NEAR = 1e-9
"""Mean ranks closer than this are equal: they are sums of halves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Changes(Framed):
    """Places of algorithms on the first part and on the second, (orders, algorithms), 1 the best; ties share a mean."""

    first: FloatArray
    second: FloatArray
    algorithms: tuple[str, ...]

    @property
    def orders(self) -> int:
        """How many orders are held against each other."""
        return len(self.first)

    @property
    def moved(self) -> FloatArray:
        """By how many places each algorithm stands further back on the second part."""
        return self.second - self.first

    @property
    def equal(self) -> int:
        """How many orders are the same on both parts."""
        return int((np.abs(self.moved) < NEAR).all(axis=1).sum())

    @property
    def same_first(self) -> int:
        """How many orders begin alike: with the same algorithm, or the same ones where several share the place."""
        leads = [each <= each.min(axis=1, keepdims=True) + NEAR for each in (self.first, self.second)]
        return int((leads[0] == leads[1]).all(axis=1).sum())

    @property
    def mean_size(self) -> float:
        """How many places an algorithm moves, on average over algorithms and orders."""
        return float(np.abs(self.moved).mean())

    @property
    def largest(self) -> float:
        """The longest way that an algorithm moves."""
        return float(np.abs(self.moved).max())

    @property
    def turned(self) -> float:
        """The share of pairs that stand the other way round, over all orders; a tie turns nothing."""
        a, b = pair_indices(len(self.algorithms))
        before, after = (np.sign(np.round(each[:, a] - each[:, b], 9)) for each in (self.first, self.second))
        return float((before * after < 0).mean())

    def steps(self) -> FloatArray:
        """Return how often an algorithm moves by 0, up to 1, up to 2 and so on places, in shares of all."""
        size = np.ceil(np.abs(self.moved) - NEAR).astype(np.int64).ravel()
        return np.bincount(size, minlength=len(self.algorithms)) / size.size

    def signed_steps(self) -> FloatArray:
        """Return for every algorithm the share of orders in which it moves so far, from all forward to all back."""
        reach = len(self.algorithms) - 1
        moved = np.sign(self.moved) * np.ceil(np.abs(self.moved) - NEAR)
        return np.stack([(moved == step).mean(axis=0) for step in range(-reach, reach + 1)], axis=1)

    def rows(self) -> list[Row]:
        """Return one row per algorithm, as `by_algorithm` does."""
        return self.by_algorithm()

    def by_algorithm(self) -> list[Row]:
        """Return one row per algorithm: its mean change, with sign and without, and how often it stays."""
        moved = self.moved
        return [
            {
                "algorithm": name,
                "mean change": float(moved[:, i].mean()),
                "mean size": float(np.abs(moved[:, i]).mean()),
                "stays": int((np.abs(moved[:, i]) < NEAR).sum()),
                "forward": int((moved[:, i] < -NEAR).sum()),
                "back": int((moved[:, i] > NEAR).sum()),
            }
            for i, name in enumerate(self.algorithms)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Told(Framed):
    """Pairs that differ significantly on the first part; of these, alike on the second, or the other way round there.

    `second` are all that differ significantly on the second part.
    """

    first: int
    second: int
    again: int
    contrary: int


def told_apart(first: BoolArray, second: BoolArray) -> Told:
    """Count decisions better[..., i, j], that j is significantly better than i, of two parts."""
    return Told(
        first=int(first.sum()),
        second=int(second.sum()),
        again=int((first & second).sum()),
        contrary=int((first & second.swapaxes(-1, -2)).sum()),
    )


COSTS = ("train_time", "space")
PRINTED, OURS = "printed", "here"
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("by places, 2008", {"variant": "2008"}),
    ("by places, 2012", {"variant": "2012"}),
    ("by scores", {"rule": "multitest"}),
)
EACH = "each data set, 5x2cv F"
"""The decisions inside the data sets, uncorrected, as the report of 2008 makes them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Side:
    """One of the two runs: accuracies in per cent, (data sets, algorithms, 5, 2), and two mean costs of each cell."""

    accuracy: FloatArray
    train_time: FloatArray
    space: FloatArray

    @property
    def means(self) -> FloatArray:
        """The mean accuracies, (data sets, algorithms)."""
        return np.asarray(self.accuracy.mean(axis=(2, 3)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Found:
    """One way of ordering with one cost: `orders[scores, costs]` by whose scores and whose costs, and what was told."""

    way: str
    cost: str
    orders: dict[tuple[str, str], Ordering]
    told: Told
    alone: tuple[tuple[str, ...], tuple[str, ...]]
    """Pairs that differ significantly only by the printed scores, and only by ours, as "better > worse"."""

    def turned(self, scores: str, costs: str) -> int:
        """Return how many pairs stand the other way round than in the order of the printed scores and costs."""
        first, second = (places_of(self.orders[key]) for key in ((PRINTED, PRINTED), (scores, costs)))
        names = self.orders[PRINTED, PRINTED].algorithms
        pairs = len(names) * (len(names) - 1) // 2
        return round(Changes(first=first[None], second=second[None], algorithms=names).turned * pairs)


def places_of(found: Ordering) -> FloatArray:
    """Return the place of every algorithm, in the order of `algorithms`."""
    return np.array([1.0 + found.order.index(name) for name in found.algorithms])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Inside:
    """MultiTest on each data set: places in print and here, and decisions better[s, i, j] of both."""

    places: Changes
    printed: BoolArray
    ours: BoolArray


def _decided(found: Ordering, alpha: float) -> BoolArray:
    assert found.inner is not None  # a test of the folds was named
    return found.inner.better(alpha)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Beside:
    """Both runs on the data sets and algorithms that they share, and everything that is told of them."""

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    printed: Side
    ours: Side
    held_out: FloatArray
    alpha: float

    def table(self, scores: str, costs: str) -> Results:
        """Join the accuracies of one run with the costs of one, as a table to order."""
        folds, paid = ((self.printed if whose == PRINTED else self.ours) for whose in (scores, costs))
        shape = folds.accuracy.shape
        s, a, r, f = (index.ravel() for index in np.indices(shape))
        return Results.from_dict(
            {
                "dataset": [self.datasets[i] for i in s],
                "algorithm": [self.algorithms[i] for i in a],
                "replication": (r + 1).tolist(),
                "fold": (f + 1).tolist(),
                "accuracy": folds.accuracy.ravel().tolist(),
                "train_time": paid.train_time[s, a].tolist(),
                "space": paid.space[s, a].tolist(),
            }
        )

    def orders(self) -> Iterator[Found]:
        """Order by every way and cost: by both runs, and by the scores of one with the costs of the other."""
        whose = (PRINTED, OURS)
        tables = {(scores, costs): self.table(scores, costs) for scores in whose for costs in whose}
        for way, told in WAYS[: 3 if len(self.datasets) > 1 else 0]:
            for cost in COSTS:
                shared: dict[str, Any] = {"score": "accuracy", "cost": cost, **told}
                made = {key: order(table, alpha=self.alpha, **shared) for key, table in tables.items()}
                decided = made[PRINTED, PRINTED].better, made[OURS, OURS].better
                pairs = _alone(*decided, self.algorithms)
                yield Found(way=way, cost=cost, orders=made, told=told_apart(*decided), alone=pairs)

    def inside(self) -> dict[str, Inside]:
        """Run MultiTest on every data set as the report does, by either cost."""
        found = {}
        for cost in COSTS:
            shared: dict[str, Any] = {"score": "accuracy", "cost": cost}
            shared |= {"rule": "multi2test", "pairwise": "5x2cv-f", "inner_adjust": "none", "alpha": self.alpha}
            made = [order(self.table(whose, whose), **shared) for whose in (PRINTED, OURS)]
            places = Changes(first=made[0].ranks, second=made[1].ranks, algorithms=self.algorithms)
            first, second = (_decided(each, self.alpha) for each in made)
            found[cost] = Inside(places=places, printed=first, ours=second)
        return found

    def ranks(self) -> Changes:
        """Rank the mean accuracies of each data set, printed and ours."""
        first, second = (rank_rows(each.means, higher_is_better=True) for each in (self.printed, self.ours))
        return Changes(first=first, second=second, algorithms=self.algorithms)

    def prior(self, whose: str, cost: str) -> tuple[str, ...]:
        """Return the algorithms by mean cost, each data set divided by its largest, cheapest first."""
        paid = getattr(self.printed if whose == PRINTED else self.ours, cost)
        means = (paid / paid.max(axis=1, keepdims=True)).mean(axis=0)
        return tuple(self.algorithms[i] for i in np.argsort(means, kind="stable"))

    def differences(self) -> list[Row]:
        """Return one row per data set and algorithm: accuracy here less printed, the farthest first.

        `inside` says whether our mean lies among the ten printed fold accuracies.
        """
        printed, ours = self.printed.means, self.ours.means
        low, high = self.printed.accuracy.min(axis=(2, 3)), self.printed.accuracy.max(axis=(2, 3))
        rows: list[Row] = [
            {
                "dataset": name,
                "algorithm": algorithm,
                "printed": float(printed[s, a]),
                "here": float(ours[s, a]),
                "difference": float(ours[s, a] - printed[s, a]),
                "inside": bool(low[s, a] <= ours[s, a] <= high[s, a]),
            }
            for s, name in enumerate(self.datasets)
            for a, algorithm in enumerate(self.algorithms)
        ]
        return sorted(rows, key=lambda row: -abs(float(row["difference"])))  # type: ignore[arg-type]


def _alone(printed: BoolArray, ours: BoolArray, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the pairs that differ significantly in one run alone; better[i, j] says that j is better than i."""
    found = []
    for mine, other in ((printed, ours), (ours, printed)):
        found.append(tuple(f"{names[j]} > {names[i]}" for i, j in np.argwhere(mine & ~other)))
    return found[0], found[1]
