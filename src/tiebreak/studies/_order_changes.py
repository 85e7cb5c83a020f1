"""Two ways to place the same algorithms on the same data sets, held against each other: how far places move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.documents import Framed, Row
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
