"""Group-sequential tests, to hold tests at any time against: bounds of z at a few planned looks (Lan and DeMets 1983).

A function says how much of the level may be spent by each share of the data. The bound of a look is where a Brownian
motion that no earlier bound has stopped exceeds it with what is spent there, by numerical integration from look to look
(Armitage, McPherson and Rowe 1969). Over many pairs each has a p-value, the least level whose bounds it has crossed so
far, and a correction of these p-values keeps the family-wise error at all looks together (Maurer and Bretz 2013).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, IntArray
from tiebreak.stats.adjust.all_pairs import true_counts

NODES = 160
FARTHEST = 9.0
"""Beyond so many standard deviations nothing is integrated, and no bound is told from an infinite one."""
MOST_LEVELS = 40

SPENDING: MappingProxyType[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType(
    {
        "O'Brien-Fleming": lambda level, share: 4 * special.ndtr(special.ndtri(level / 4) / np.sqrt(share)),
        "Pocock": lambda level, share: level * np.log1p((math.e - 1) * share),
    }
)
"""How much of a level is spent by a share of the data: late, as O'Brien and Fleming's bounds do, or evenly (Pocock)."""


def bounds(kind: str, levels: FloatArray, shares: FloatArray) -> FloatArray:
    """Return two-sided bounds of z, (looks, levels), for looks at rising shares of the data, the last of them 1.

    Examples
    --------
    Five looks at a level of 0.05:

    >>> fifths = np.arange(1, 6) / 5
    >>> bounds("O'Brien-Fleming", np.array([0.05]), fifths)[:, 0].round(3)
    array([4.877, 3.357, 2.68 , 2.29 , 2.031])
    >>> bounds("Pocock", np.array([0.05]), fifths)[:, 0].round(3)
    array([2.438, 2.427, 2.41 , 2.397, 2.386])
    """
    spent = SPENDING[kind](levels, shares[:, None])
    steps = np.diff(spent, axis=0, prepend=0.0)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    out = np.empty_like(spent)
    x, density = np.zeros((len(levels), 1)), np.ones((len(levels), 1))  # of the path at the look before, times weights
    before = 0.0
    for look, share in enumerate(shares):
        step = np.sqrt(share - before)
        out[look] = _bound(x, density, step, steps[look]) / np.sqrt(share)
        edge = np.minimum(out[look], FARTHEST) * np.sqrt(share)
        fresh = edge[:, None] * nodes
        gaps = (fresh[:, :, None] - x[:, None, :]) / step
        passed = np.exp(-0.5 * gaps**2) / (step * np.sqrt(2 * np.pi))
        density = np.einsum("lij,lj->li", passed, density) * weights * edge[:, None]
        x, before = fresh, float(share)
    return out


def _bound(x: FloatArray, density: FloatArray, step: float, spend: FloatArray) -> FloatArray:
    """Find by halving where the path, one step on, exceeds the bound on either side with the chance to be spent."""
    low, high = np.zeros(len(x)), np.full(len(x), FARTHEST + 1.0)
    for _ in range(60):
        middle = (low + high) / 2
        beyond = special.ndtr((x - middle[:, None]) / step) + special.ndtr((-x - middle[:, None]) / step)
        larger = (beyond * density).sum(axis=1) > spend
        low, high = np.where(larger, middle, low), np.where(larger, high, middle)
    return high


class Spending:
    """P-values of pairs over planned looks, for the levels that Shaffer's correction of all pairs asks for."""

    def __init__(self, kind: str, looks: IntArray, n_algorithms: int, alpha: float) -> None:
        counts = true_counts(n_algorithms)[1:]
        if counts.size > MOST_LEVELS:  # levels between are taken for the next lower one, which only costs power
            even = np.geomspace(1, counts[-1], MOST_LEVELS)
            counts = np.unique(counts[np.minimum(np.searchsorted(counts, even), counts.size - 1)])
        self.levels = alpha / counts
        self.looks = looks
        self._bounds = bounds(kind, self.levels, looks / looks[-1])

    def pvalues(self, look: int, z: FloatArray) -> FloatArray:
        """Return the least level whose bound each z exceeds at this look; 1 where it exceeds none."""
        crossed = np.abs(z)[..., None] >= self._bounds[look]
        return np.asarray(np.where(crossed, self.levels, 1.0).min(axis=-1))
