"""Tiers instead of false precision: who is shown to be worse than whom, and nothing beyond that."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, IntArray


def tiers_of(better: BoolArray, may: BoolArray | None = None) -> IntArray:
    """Return the tier of each algorithm, from 1, by what the tests decided.

    Tier 1 holds those that no test shows to be worse than another; tier 2 those of whom that holds when tier 1 is taken
    away, and so on. Decisions of tests need not be transitive: where each of some is worse than another of them, in a
    ring, they share a tier.

    Formula: ``tier(i) = 1 + max(tier(j) : j significantly better than i)``, 1 where there is no such j; of rings the
    same with each ring as one.

    What it says: whoever stands in tier k is worse than one in tier k - 1, that one worse than one in tier k - 2, and
    so on; where the tests keep the chance of any false difference at alpha, all of that holds at once with probability
    1 - alpha. What it does not say: that those in one tier are equal, or that all of a tier are better than all of the
    next.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: a test shows j to be better than i.
    may : array of bool, optional
        Who may be the best, where that is known better than by `better`: nobody else is in tier 1.

    Returns
    -------
    array of int

    References
    ----------
    mogstad2024

    Examples
    --------
    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[2, 0] = better[3, 2] = True  # the first beats the third, which beats the fourth; the second is open
    >>> tiers_of(better).tolist()
    [1, 1, 2, 3]
    >>> tiers_of(better, may=np.array([True, False, False, False])).tolist()
    [1, 2, 2, 3]
    """
    above = _closure(np.asarray(better, dtype=bool))
    ring = above & above.T
    worse = above & ~ring  # j is better than i, and not the other way round by a ring
    tiers = np.ones(len(above), dtype=np.intp) if may is None or not may.any() else np.where(may, 1, 2)
    for i in np.argsort(worse.sum(axis=1), kind="stable"):  # whoever is above has fewer above itself
        if worse[i].any():
            tiers[i] = max(tiers[i], 1 + tiers[worse[i]].max())
    return tiers


def place_ranges(better: BoolArray, may: BoolArray | None = None) -> tuple[IntArray, IntArray]:
    """Return between which places by score each one lies, as far as the tests tell.

    Formula: from 1 + the number of those shown to be better, to the number of all less those shown to be worse
    (Mogstad, Romano, Shaikh and Wilhelm 2024, the confidence sets for ranks that tests of all pairs give). Where the
    tests keep the chance of any false difference at alpha, all ranges hold at once with probability 1 - alpha.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: a test shows j to be better than i.
    may : array of bool, optional
        Who may be the best: the others are second at the most.

    Returns
    -------
    low, high : array of int

    References
    ----------
    mogstad2024

    Examples
    --------
    >>> better = np.zeros((3, 3), dtype=bool)
    >>> better[2, 0] = True
    >>> [ends.tolist() for ends in place_ranges(better)]
    [[1, 1, 2], [2, 3, 3]]
    """
    decided = np.asarray(better, dtype=bool)
    low = 1 + decided.sum(axis=1)
    if may is not None and may.any():
        low = np.maximum(low, np.where(may, 1, 2))
    return low, len(decided) - decided.sum(axis=0)


def _closure(better: BoolArray) -> BoolArray:
    """Follow decisions over any number of steps (Warshall)."""
    reach: BoolArray = better.copy()
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[None, k]
    return reach
