"""Who learns on which rows: a test part set aside, the rest in replications and folds, the same for every algorithm."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.documents import Framed, Row
from tiebreak.errors import InputError, quoted
from tiebreak.lab.resampling import Resampling, check_resampling, resampling_key
from tiebreak.wording import Brief

# ---- rows into parts: class by class where rows are free, group by group where they belong together


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


_STRATA = 10
"""Parts of equal size into which the numbers of a target are sorted before rows are dealt."""
_ROWS_OF_STRATUM = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Fold(Brief):
    """The rows of one fold: learn on `train`, measure on `validation`."""

    replication: int
    fold: int
    train: IntArray
    validation: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Split(Framed):
    """Every fold of one data set, and the rows kept apart as the test part (none: an empty array)."""

    folds: tuple[Fold, ...]
    test: IntArray
    caveats: Caveats = ()

    def rows(self) -> list[Row]:
        """Return one row per fold: how many rows are learned from, and how many it is measured on."""
        return [
            {
                "replication": fold.replication,
                "fold": fold.fold,
                "train": len(fold.train),
                "validation": len(fold.validation),
                "test": len(self.test),
            }
            for fold in self.folds
        ]

    def __repr__(self) -> str:
        return f"<Split: {len(self.folds)} folds; {len(self.test)} rows set apart as the test part>"


def split(data: DataSet, resampling: Resampling, *, seed: int) -> Split:
    """Split a data set: `test` of the rows aside, the rest into folds, class by class.

    The rules, the same for every algorithm because only the data, the resampling and the seed enter:

    1. The test part takes its share of every class, within one row; a class of one or two rows stays out of it, and
       every other class leaves two rows or more behind.
    2. Every replication deals the rest anew. The folds have every class within one row of each other, and so have
       their sizes. A class with fewer rows than folds lies in as many folds as it has rows.
    3. A class with a single row in the rest is in every training part and in no validation part: nobody could
       recognise it from the other rows. So every class that is measured has been learned.
    4. With `kind="holdout"` every replication sets `holdout` of the rest aside for validation, by rule 1 with one
       row left behind.
    5. With groups (`data.groups`) whole groups are placed, the largest first, each where the classes are furthest
       short of their share; rules 1 to 3 then hold as well as the groups allow, and a caveat names the classes that
       some training part lacks.
    6. Without stratification rows are dealt by chance alone, and the same caveat is given.
    7. Two classes with two rows or more must be in every training part; otherwise the split is refused.
    8. Where the target is a number, its tenths by size (fewer where there are fewer than 200 rows) stand for the
       classes in rules 1, 2, 4 and 5; equal numbers are in one of them. Rules 3 and 7 do not apply: every training
       part needs two different numbers.

    Replication r depends on the seed, the data and the resampling without its number of replications: more
    replications later leave the first ones as they are.

    Parameters
    ----------
    data : DataSet
    resampling : Resampling
    seed : int

    Returns
    -------
    Split
        Row numbers in ascending order; replications and folds are counted from 1.

    References
    ----------
    dietterich1998

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> parts = split(load("builtin:balance"), Resampling(), seed=1)
    >>> len(parts.test), len(parts.folds), len(parts.folds[0].train), len(parts.folds[0].validation)
    (208, 10, 209, 208)
    """
    check_resampling(resampling)
    _check_target(data)
    base = f"{int(seed)}|{data.fingerprint}|{resampling_key(resampling)}"
    strata = strata_of(data) if resampling.stratified else np.zeros(data.n_rows, dtype=np.int64)
    aside = np.zeros(data.n_rows, dtype=bool)
    if resampling.test > 0:
        aside = _taken(strata, data.groups, resampling.test, Chance(f"{base}|test"), leave=2)
    rest = np.flatnonzero(~aside)
    _check_groups(data, rest, resampling)
    folds: list[Fold] = []
    for replication in range(1, resampling.replications + 1):
        chance = Chance(f"{base}|replication {replication}")
        folds += _replication(data, strata[rest], rest, resampling, replication, chance)
    _check_training(data, folds)
    caveats = _caveats(data, aside, folds) if data.kind == "classes" else ()
    if resampling.test > 0 and not aside.any():
        text = "The test part is empty: no class, or no group, can spare a row for it."
        caveats = (Caveat("class-missing", text), *caveats)
    return Split(folds=tuple(folds), test=readonly(np.flatnonzero(aside)), caveats=caveats)


def strata_of(data: DataSet) -> IntArray:
    """Return what rows are dealt by: their class, or for a number the tenth by size that it lies in.

    A tenth has 20 rows at least, so that every fold gets some of it; equal numbers share one.

    Examples
    --------
    >>> numbers = DataSet.from_arrays([[0.0]] * 60, [i * i for i in range(60)], kind="number")
    >>> np.bincount(strata_of(numbers)).tolist()
    [20, 20, 20]
    """
    if data.kind == "classes":
        return data.target
    count = int(np.clip(data.n_rows // _ROWS_OF_STRATUM, 1, _STRATA))
    below = np.searchsorted(np.sort(data.target), data.target, side="left")
    return np.unique(below * count // data.n_rows, return_inverse=True)[1].astype(np.int64)


def _taken(classes: IntArray, groups: IntArray | None, share: float, chance: Chance, *, leave: int) -> BoolArray:
    return take(classes, share, chance, leave=leave) if groups is None else take_groups(classes, groups, share, chance)


def _replication(
    data: DataSet, classes: IntArray, rest: IntArray, resampling: Resampling, replication: int, chance: Chance
) -> list[Fold]:
    """Deal the rest, whose classes are given, into the folds of one replication."""
    groups = None if data.groups is None else data.groups[rest]
    if resampling.kind == "holdout":
        return [_fold(rest, _taken(classes, groups, resampling.holdout, chance, leave=1), replication, 1)]
    if groups is None:
        places = deal(classes, resampling.folds, chance, single=resampling.stratified and data.kind == "classes")
    else:
        places = deal_groups(classes, groups, resampling.folds, chance)
    return [_fold(rest, places == number, replication, number + 1) for number in range(resampling.folds)]


def _fold(rest: IntArray, chosen: BoolArray, replication: int, number: int) -> Fold:
    """Copies that cannot be written to: all algorithms share one split."""
    train, validation = readonly(rest[~chosen]), readonly(rest[chosen])
    return Fold(replication=replication, fold=number, train=train, validation=validation)


def _check_target(data: DataSet) -> None:
    """Classes of one row do not count: they cannot stand on both sides of a split."""
    if data.kind == "number":
        if len(np.unique(data.target)) < 2:
            raise InputError(
                f"The target of data set {data.name!r} is {data.target[0]:g} in every row.",
                why="There is nothing to predict.",
                mend="Check the target column, or leave the data set out.",
            )
        return
    if (data.class_counts >= 2).sum() < 2:
        raise InputError(
            f"Data set {data.name!r} has {int((data.class_counts >= 2).sum())} class(es) with two rows or more: "
            f"{quoted([f'{name} ({n})' for name, n in zip(data.classes, data.class_counts, strict=True)], limit=4)}.",
            why="A classifier needs two classes to learn from and to be measured on.",
            mend="Check the target column, or leave the data set out.",
        )


def _check_groups(data: DataSet, rest: IntArray, resampling: Resampling) -> None:
    """Counted outside the test part: whole groups go there first, and the folds share what is left."""
    needed = resampling.folds if resampling.kind == "cv" else 2
    if data.groups is None or len(np.unique(data.groups[rest])) >= needed:
        return
    raise InputError(
        f"Data set {data.name!r} has {len(np.unique(data.groups))} groups, {len(np.unique(data.groups[rest]))} of them "
        f"outside the test part, for {needed} parts.",
        why="A group never stands on both sides of a split.",
        mend="Use fewer folds, a smaller test part, or none.",
    )


def _check_training(data: DataSet, folds: Sequence[Fold]) -> None:
    """Checked after splitting, fold by fold: groups may put a whole class on one side."""
    if data.kind == "number":
        what, need = "different number(s)", "A regression needs two different numbers to learn from"
    else:
        what, need = "class(es) of two rows or more", "A classifier needs two classes with two rows each to learn from"
    for fold in folds:
        taught = data.target[fold.train]
        count = len(np.unique(taught)) if data.kind == "number" else int((_counts(data, fold.train) >= 2).sum())
        if count < 2 or not len(fold.validation):
            raise InputError(
                f"Data set {data.name!r} is too small: replication {fold.replication}, fold {fold.fold} learns on "
                f"{len(fold.train)} row(s) with {count} {what}, and is measured on {len(fold.validation)} row(s).",
                why=f"{need}, and a row to be measured on.",
                mend=f"{_roomier(fold, folds)}, a smaller test part or none, or leave the data set out.",
            )


def _roomier(fold: Fold, folds: Sequence[Fold]) -> str:
    """Say what would give the part that is too small more rows."""
    several = any(item.fold > 1 for item in folds)
    if len(fold.validation):  # the training part lacks a class
        return "Use more folds" if several else "Use a smaller holdout"
    return "Use fewer folds" if several else "Use a larger holdout"


def _caveats(data: DataSet, aside: BoolArray, folds: Sequence[Fold]) -> Caveats:
    """A class that lacks somewhere is a caveat and no error: rare classes are common in real data."""
    lacking = np.any([_counts(data, fold.train) == 0 for fold in folds], axis=0)
    measured = np.any([_counts(data, fold.validation) > 0 for fold in folds], axis=0)
    untested = aside.any() & (_counts(data, aside) == 0)
    unmeasured = (_counts(data, ~aside) > 0) & ~measured
    notes = (
        (untested, "In the test part no row of class {} stands."),
        (unmeasured, "In no validation part stands a row of class {} (too few rows)."),
        (lacking, "Some training parts have no row of class {}."),
    )
    names = np.array(data.classes, dtype=object)
    return tuple(Caveat("class-missing", text.format(quoted(names[mask]))) for mask, text in notes if mask.any())


def _counts(data: DataSet, rows: IntArray | BoolArray) -> IntArray:
    """Return how many of the rows every class has, those without any included."""
    return np.bincount(data.target[rows], minlength=len(data.classes))
