"""Rows into parts: class by class where rows are free, group by group where they belong together."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray


class Chance:
    """Random numbers from the raw bits of one generator, the same with every version of every library."""

    def __init__(self, text: str) -> None:
        digest = hashlib.sha256(f"tiebreak split|{text}".encode()).digest()
        self._bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "little")))

    def keys(self, count: int) -> npt.NDArray[np.uint64]:
        """Return random 64-bit numbers, to sort by."""
        return np.asarray(self._bits.random_raw(count), dtype=np.uint64)

    def permutation(self, count: int) -> IntArray:
        """Return the numbers from 0 to below `count` in random order."""
        return np.argsort(self.keys(count)).astype(np.int64)


def shuffled_by_class(classes: IntArray, chance: Chance) -> IntArray:
    """Return all rows, class after class, each class in random order."""
    order = chance.permutation(len(classes))
    small = classes.astype(np.int16) if classes.max(initial=0) < 2**15 else classes  # 16 bits are sorted by counting
    return order[np.argsort(small[order], kind="stable")]


def take(classes: IntArray, share: float, chance: Chance, *, leave: int) -> BoolArray:
    """Choose a share of the rows, of every class within one row, leaving `leave` rows of every class behind.

    A class that has no more than `leave` rows gives none.
    """
    counts = np.bincount(classes)
    quota = _quotas(counts, share, np.maximum(counts - leave, 0), chance)
    order = shuffled_by_class(classes, chance)
    start = np.cumsum(counts) - counts
    place = np.arange(len(classes)) - np.repeat(start, counts)  # place within the class
    chosen = np.zeros(len(classes), dtype=bool)
    chosen[order[place < np.repeat(quota, counts)]] = True
    return chosen


def _quotas(counts: IntArray, share: float, most: IntArray, chance: Chance) -> IntArray:
    """Return how many rows of every class are taken: largest remainders, ties by chance."""
    exact = counts * share
    floor: IntArray = np.minimum(np.floor(exact + 1e-9).astype(np.int64), most)
    left = round(share * int(counts.sum())) - int(floor.sum())
    remainder = np.where((floor < most) & (exact - floor > 1e-9), exact - floor, -1.0)
    order = np.lexsort((chance.keys(len(counts)), -remainder))
    more = order[: max(left, 0)]
    floor[more[remainder[more] > 0]] += 1
    return floor


def deal(classes: IntArray, folds: int, chance: Chance, *, single: bool) -> IntArray:
    """Give every row its fold: dealt like cards, class after class without a break.

    So folds differ by one row at most, in size and in every class. With `single`, a class of one row gets no fold (-1).
    """
    counts = np.bincount(classes)
    names = chance.permutation(len(counts))  # the order in which the classes are dealt
    order = shuffled_by_class(names[classes], chance)
    if single:
        order = order[counts[classes[order]] > 1]
    places = np.full(len(classes), -1, dtype=np.int64)
    places[order] = chance.permutation(folds)[np.arange(len(order)) % folds]
    return places


def take_groups(classes: IntArray, groups: IntArray, share: float, chance: Chance) -> BoolArray:
    """Choose whole groups with about a share of the rows of every class."""
    return np.asarray(_place_groups(classes, groups, np.array([share, 1 - share]), chance) == 0)


def deal_groups(classes: IntArray, groups: IntArray, folds: int, chance: Chance) -> IntArray:
    """Give every row the fold of its group; the folds have about the same rows of every class."""
    return chance.permutation(folds)[_place_groups(classes, groups, np.full(folds, 1 / folds), chance)]


def _place_groups(classes: IntArray, groups: IntArray, shares: FloatArray, chance: Chance) -> IntArray:
    """Place groups, the largest first, each where it lowers the squared distance from the wanted counts most.

    With have and want the counts of part p, the distance is the sum over p and classes of (have - want)^2 / n_class;
    adding a group g changes it by sum(g (2 (have - want) + g) / n_class), so the part with the smallest
    sum(g (have - want) / n_class) gets the group. Ties go to the part that is furthest short of its rows.
    """
    numbers = np.unique(groups, return_inverse=True)[1]
    table = np.zeros((int(numbers.max()) + 1, int(classes.max()) + 1))
    np.add.at(table, (numbers, classes), 1)
    totals = table.sum(axis=0)
    weight = 1 / np.maximum(totals, 1)
    missing = shares[:, None] * totals  # what every part still wants
    short = shares * totals.sum()
    order = np.lexsort((chance.keys(len(table)), -table.sum(axis=1)))
    parts = np.empty(len(table), dtype=np.int64)
    for group in order:
        gain = missing @ (table[group] * weight)
        best = np.flatnonzero(gain >= gain.max() - 1e-9)
        part = best[np.argmax(short[best])]
        parts[group] = part
        missing[part] -= table[group]
        short[part] -= table[group].sum()
    return np.asarray(parts[numbers])
