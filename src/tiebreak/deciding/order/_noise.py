"""Costs are measured, and measured again they come out otherwise: which differences of cost are more than noise.

The ratio of two costs is taken on the log scale. Over ten or more data sets it is one number for each, and its mean is
tested by Student's t test over data sets. With fewer, the folds tell the noise: on each data set the log ratios of the
folds have a mean with a standard error, and the mean over data sets is tested with the errors added (Welch). Timing
noise is taken to be independent between folds. Holm's correction over all pairs keeps the chance that any pair of equal
expected cost is called different at alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.documents import confidence
from tiebreak.stats.pairwise import pair_indices
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.deciding.order._reasons import Standing

AUTO = "auto"
ENOUGH = 10
"""From so many data sets on, the noise is that between data sets."""
_SHOWN = 4
_WORDS = {"folds": "noise of {} over folds", "data sets": "variation of {} over data sets"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Noise:
    """What is known of the ratios of one cost: arrays over pairs of algorithms, both ways round.

    `apart` says which differ by more than noise; `low` and `high` are the ends of intervals that hold together, for all
    pairs at once, of the ratio of the first to the second. `over` says what the noise was told by.
    """

    apart: BoolArray
    ratio: FloatArray
    low: FloatArray
    high: FloatArray
    over: str


def cost_noise(folds: FloatArray, paid: FloatArray, *, alpha: float, timed: bool) -> Noise | None:
    """Tell the differences of cost that are more than noise; None where nothing tells the noise.

    Parameters
    ----------
    folds : ndarray, shape (data sets, algorithms, replications, folds)
        The costs of the folds, NaN where there is none.
    paid : ndarray, shape (data sets, algorithms)
        Their means.
    alpha : float
        The chance that any pair of equal expected cost is called different, at most.
    timed : bool
        Whether the cost is a time: one that is the same in all folds was then measured once and copied.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> folds = np.exp(rng.normal(0.0, 0.1, (3, 3, 5, 2))) * np.array([1.0, 1.01, 2.0])[:, None, None]
    >>> found = cost_noise(folds, folds.mean(axis=(2, 3)), alpha=0.05, timed=True)
    >>> bool(found.apart[0, 1]), bool(found.apart[0, 2]), found.over
    (False, True, 'folds')
    """
    a, b = pair_indices(paid.shape[1])
    flat = folds.reshape(*paid.shape, -1)
    if len(paid) < ENOUGH and flat.shape[2] > 1 and not (timed and _copied(flat)):
        mean, error, df = _over_folds(flat, a, b)
        over = "folds"
    elif len(paid) > 1:
        mean, error, df = _over_data_sets(paid, a, b)
        over = "data sets"
    else:
        return None
    return _judged(mean, error, df, (a, b), paid.shape[1], alpha=alpha, over=over)


def _copied(flat: FloatArray) -> bool:
    """Say whether all folds of every data set cost the same: a time that was measured once."""
    gaps = np.isnan(flat)
    high, low = np.where(gaps, -np.inf, flat).max(axis=2), np.where(gaps, np.inf, flat).min(axis=2)
    return bool((high <= low).all())


def _logs(costs: FloatArray) -> FloatArray:
    return np.log(np.where(costs > 0, costs, np.nan))


def _over_data_sets(paid: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean log ratio of each pair over data sets, its standard error and degrees of freedom."""
    logs = _logs(paid)
    ratios = logs[:, a] - logs[:, b]
    mean, variance, count = _moments(ratios.T)
    return mean, np.sqrt(variance / np.maximum(count, 1)), count - 1.0


def _over_folds(flat: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The same from the folds of each data set; their errors are added, with Welch's degrees of freedom."""
    logs = _logs(flat)
    mean, variance, count = _moments(logs[:, a] - logs[:, b])  # data sets, pairs
    known = count > 1
    part = np.where(known, variance / np.maximum(count, 1), 0.0)
    sets = known.sum(axis=0)
    total = part.sum(axis=0)
    lost = np.where(known, part**2 / np.maximum(count - 1, 1), 0.0).sum(axis=0)
    df = np.divide(total**2, lost, out=np.where(sets > 0, 1.0, 0.0), where=lost > 0)
    whole = np.where(known, mean, 0.0).sum(axis=0) / np.maximum(sets, 1)
    return np.where(sets > 0, whole, np.nan), np.sqrt(total) / np.maximum(sets, 1), df


def _moments(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, variance and number of what is known along the last axis."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1).astype(np.float64)
    mean = np.where(there, values, 0.0).sum(axis=-1) / np.maximum(count, 1)
    spread = np.where(there, values - mean[..., None], 0.0)
    spread = np.where(np.abs(spread) <= 1e-13 * np.abs(mean[..., None]), 0.0, spread)  # the rounding of a constant
    variance = (spread**2).sum(axis=-1) / np.maximum(count - 1, 1)
    return np.where(count > 0, mean, np.nan), variance, count


def _judged(
    mean: FloatArray,
    error: FloatArray,
    df: FloatArray,
    pairs: tuple[IntArray, IntArray],
    count: int,
    *,
    alpha: float,
    over: str,
) -> Noise:
    """Test all pairs, corrected, and lay them out as squares; a ratio with a zero in it is no noise."""
    from tiebreak.stats import CORRECTIONS

    a, b = pairs
    known = np.isfinite(mean) & (df > 0)
    steady = known & (error == 0)
    t = np.divide(np.abs(mean), error, out=np.zeros_like(mean), where=known & ~steady)
    p = np.where(known & ~steady, 2 * special.stdtr(np.maximum(df, 1), -t), np.where(steady & (mean == 0), 1.0, 0.0))
    p = np.where(np.isnan(mean), 0.0, p)
    width = special.stdtrit(np.maximum(df, 1), 1 - alpha / (2 * max(1, len(a)))) * error
    apart = np.zeros((count, count), dtype=bool)
    apart[a, b] = apart[b, a] = np.asarray(CORRECTIONS["holm"](p)) <= alpha
    ratio, low, high = np.ones((3, count, count))
    ratio[a, b], low[a, b], high[a, b] = np.exp(mean), np.exp(mean - width), np.exp(mean + width)
    ratio[b, a], low[b, a], high[b, a] = 1 / ratio[a, b], 1 / high[a, b], 1 / low[a, b]
    return Noise(apart=apart, ratio=ratio, low=low, high=high, over=over)


def noise_levels(costs: FloatArray, apart: BoolArray) -> IntArray:
    """Number levels of cost in each row, 0 the cheapest; no two of a level differ by more than noise.

    From the cheapest on, an algorithm joins the level before it where nothing tells it from any of its members, and
    begins a new one otherwise. To be equal is not transitive: two neighbours in different levels need not differ.

    Parameters
    ----------
    costs : ndarray, shape (rows, algorithms)
    apart : ndarray, shape (algorithms, algorithms) or (rows, algorithms, algorithms)

    Examples
    --------
    >>> apart = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> noise_levels(np.array([[1.0, 1.1, 1.2]]), apart).tolist()
    [[0, 0, 1]]
    """
    rows, count = costs.shape
    every = np.arange(rows)
    square = np.broadcast_to(apart, (rows, count, count))
    order = np.argsort(costs, axis=1, kind="stable")
    number = np.zeros(rows, dtype=np.int64)
    members = np.zeros((rows, count), dtype=bool)
    out = np.zeros((rows, count), dtype=np.int64)
    for column in range(count):
        own = order[:, column]
        fresh = (square[every, own] & members).any(axis=1)
        number += fresh
        members[fresh] = False
        members[every, own] = True
        out[every, own] = number
    return out


def noise_caveat(found: Noise, standing: Standing, name: str, alpha: float) -> list[Caveat]:
    """Name the neighbours that stand as they do because of a difference of cost that is noise."""
    sequence = np.argsort(standing.place)
    pairs = [
        (i, j)
        for i, j in pairwise(sequence.tolist())
        if standing.prior[i] < standing.prior[j]
        and not (standing.shown[i, j] or standing.shown[j, i] or found.apart[i, j])
        and not (standing.good is not None and standing.good[i, j])
    ]
    if not pairs:
        return []
    told = [
        f"{standing.name(i)} {found.ratio[i, j]:.2g} times {standing.name(j)} ({found.low[i, j]:.2g} to"
        f" {found.high[i, j]:.2g})"
        for i, j in pairs[:_SHOWN]
    ]
    more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    text = (
        f"In {len(pairs)} of {len(sequence) - 1} neighbouring places cost decided by no more than the"
        f" {_WORDS[found.over].format(name)}: {', '.join(told)}{more}; {confidence(alpha)} intervals of all pairs"
        f" together. {option(equal_within='auto')} takes such costs for equal and lets the score decide."
    )
    return [Caveat("cost-noise", text)]
