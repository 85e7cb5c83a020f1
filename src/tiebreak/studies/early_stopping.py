"""Looking at results more than once: the level that every look may spend, and what looking for free costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import MappingProxyType

import numpy as np
from scipy import special

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.stats.adjust.all_pairs import algorithms_of, true_counts
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.anytime import Evidence, undecided
from tiebreak.studies.procedures import (
    NOISES,
    TRUTHS,
    Key,
    Setting,
    draw_tables,
    name_and_truth,
    pair_differences,
    real_differences,
    signed_ranks,
    signed_z,
)

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


PEEKING = "peeking"
"""The question in the tables of the study, and how its settings begin."""
CLOSED, SIGNS = "bets on ranks, closed", "bets on signs"
ONCE, AGAIN = "at the end: wilcoxon", "after every data set: wilcoxon"
CORRECTION = "shaffer"
EVERY = 5
"""Group-sequential tests look after so many data sets; tests at any time after each."""
SHAPE = (30, 6)
LOOK_SETTINGS: tuple[Setting, ...] = tuple((f"{PEEKING}, {noise}", truth) for noise in NOISES for truth in TRUTHS[:2])


def planned_looks(n_datasets: int, every: int = EVERY) -> IntArray:
    """Return after how many data sets a group-sequential test looks; the last look is at all of them.

    Examples
    --------
    >>> planned_looks(12)
    array([ 5, 10, 12])
    """
    return np.unique(np.append(np.arange(every, n_datasets + 1, every), n_datasets))


def followed(d: FloatArray, bet: str) -> Iterator[FloatArray]:
    """Yield the e-values of all pairs after every data set, (repetitions, pairs)."""
    held = Evidence(d.shape[0] * d.shape[1], bet=bet)
    for each in d.reshape(-1, d.shape[2]).T:
        held.take(each)
        yield held.both.reshape(d.shape[:2])


def ever_closed(d: FloatArray, bet: str, alpha: float) -> BoolArray:
    """Say which pairs the closed test of e-values ever rejects, looking after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for evalues in followed(d, bet):
        out |= ~undecided(stats.closed_evalues(evalues, all_pairs=True), alpha)
    return out


def ever_anytime(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the bets on who is better ever reject, corrected as p-values are."""
    largest = np.ones(d.shape[:2])
    for evalues in followed(d, "signs"):
        largest = np.maximum(largest, evalues)
    return _corrected(1 / largest, alpha)


def ever_spending(d: FloatArray, kind: str, every: int, alpha: float) -> BoolArray:
    """Say which pairs a group-sequential test of signed ranks rejects at any of its looks."""
    looks = planned_looks(d.shape[2], every)
    test = Spending(kind, looks, algorithms_of(d.shape[1]), alpha)
    least = np.ones(d.shape[:2])
    for look, count in enumerate(looks):
        least = np.minimum(least, test.pvalues(look, signed_z(d[..., :count])))
    return _corrected(least, alpha)


def ever_again(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the usual test ever rejects if it is simply repeated after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for count in range(2, d.shape[2] + 1):
        out |= _corrected(signed_ranks(d[..., :count])[1], alpha)
    return out


def _corrected(pvalues: FloatArray, alpha: float) -> BoolArray:
    return np.stack([stats.shaffer(row) <= alpha * (1 + 1e-12) for row in pvalues])


def peeking_rejections(
    setting: Setting,
    size: int,
    rng: np.random.Generator,
    *,
    alpha: float,
    shape: tuple[int, int] = SHAPE,
    every: int | None = None,
) -> dict[Key, BoolArray]:
    """Return which pairs each procedure ever rejects, (repetitions, pairs).

    With `every`, also by group-sequential tests that look after so many data sets, and by the usual test at the end.
    """
    name, truth = name_and_truth(setting)
    d = pair_differences(draw_tables(name.removeprefix(f"{PEEKING}, "), truth, (size, *shape), rng))
    found = {CLOSED: ever_closed(d, "ranks", alpha), f"{SIGNS}, {CORRECTION}": ever_anytime(d, alpha)}
    if every is not None:
        found |= {f"{kind} spending, {CORRECTION}": ever_spending(d, kind, every, alpha) for kind in SPENDING}
        found[f"{ONCE}, {CORRECTION}"] = _corrected(signed_ranks(d)[1], alpha)
    found[f"{AGAIN}, {CORRECTION}"] = ever_again(d, alpha)
    return {(PEEKING, procedure): rejected for procedure, rejected in found.items()}


def peeking_differences(setting: Setting, hypotheses: int, count: int = SHAPE[1]) -> BoolArray:
    """Mark the pairs that differ."""
    real = real_differences(name_and_truth(setting)[1], *pair_indices(count), count)
    assert len(real) == hypotheses
    return real
