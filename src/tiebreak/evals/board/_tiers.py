"""Tiers: who is significantly worse than whom, and nothing beyond that."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, IntArray


def tiers_of(better: BoolArray) -> IntArray:
    """Return the tier of each algorithm, from 1, by what the tests decided.

    Tier 1 holds those that are not significantly worse than another; tier 2 those of whom that holds when tier 1 is
    taken away, and so on. Decisions of tests need not be transitive: where each of some is worse than another of
    them, in a ring, they share a tier.

    Formula: ``tier(i) = 1 + max(tier(j) : j significantly better than i)``, 1 where there is no such j; of rings the
    same with each ring as one.

    What it says: whoever stands in tier k is worse than one in tier k - 1, that one worse than one in tier k - 2, and
    so on; where the tests keep the chance of any false difference at alpha, all of that holds at once with probability
    1 - alpha. What it does not say: that those in one tier are equal, or that all of a tier are better than all of the
    next.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: j is significantly better than i.

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
    """
    above = _closure(np.asarray(better, dtype=bool))
    ring = above & above.T
    worse = above & ~ring  # j is better than i, and not the other way round by a ring
    tiers = np.ones(len(above), dtype=np.intp)
    for i in np.argsort(worse.sum(axis=1), kind="stable"):  # whoever is above has fewer above itself
        if worse[i].any():
            tiers[i] = max(tiers[i], 1 + tiers[worse[i]].max())
    return tiers


def place_ranges(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Return between which places by score each one lies, as far as the tests tell.

    Formula: from 1 + the number of significantly better ones, to the number of all less the significantly worse
    (Mogstad, Romano, Shaikh and Wilhelm 2024, the confidence sets for ranks that tests of all pairs give). Where the
    tests keep the chance of any false difference at alpha, all ranges hold at once with probability 1 - alpha.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: j is significantly better than i.

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
    return 1 + decided.sum(axis=1), len(decided) - decided.sum(axis=0)


def _closure(better: BoolArray) -> BoolArray:
    """Follow decisions over any number of steps (Warshall)."""
    reach: BoolArray = better.copy()
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[None, k]
    return reach
