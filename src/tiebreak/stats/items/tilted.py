"""How well a candidate could do by chance if it were worse by a margin: for graded scores, clusters and benchmarks.

The truth that is closest to what was seen, among those in which the candidate is worse by the margin exactly, gives
every unit (an item, or a cluster) a weight, and what is left to the worst that could happen to a unit: what was not
seen in thirty items may yet happen (Owen 1988; the weights are those of the empirical likelihood). With right and wrong
answers it is the restricted estimate of the score test. The tail of the sum under it is found by the saddle point.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray
from tiebreak.stats.items.flips import MANY, flip_pvalues

STEPS = 60


def margin_pvalue(parts: FloatArray, sizes: FloatArray, *, worst: float, half: float = 0.0) -> float:
    """Return the p-value of a sum of parts whose mean is zero or less under the hypothesis.

    The largest of three, each of which fails elsewhere: the tail under the closest truth (few items that differ),
    changed signs (few clusters), and t with the degrees of freedom that the sizes leave (clusters of unequal size).

    Examples
    --------
    >>> parts = np.tile([0.05, 0.05, 1.05, -0.95], 25)
    >>> round(margin_pvalue(parts, np.ones(100), worst=-0.95, half=0.5), 3)
    0.262
    """
    if parts.sum() <= 0.0 or len(parts) < 2:
        return 1.0
    if len(parts) > MANY:  # the three agree
        return _t(parts, sizes)
    return max(tilted_tail(parts, worst=worst, half=half), _flipped(parts), _t(parts, sizes))


def tilted_tail(parts: FloatArray, *, worst: float, half: float = 0.0, draws: float | None = None) -> float:
    """Return the chance that so many draws from the closest truth of mean zero reach the sum that was seen.

    `half` is half a step of the grid on which sums lie; `draws` is the number of parts unless another one is planned.
    """
    count = float(len(parts)) if draws is None else draws
    mean = float(parts.mean()) - half / len(parts)
    if mean <= 0.0:
        return 1.0
    points, weights = _closest(parts, min(worst, float(parts.min())))
    top = float(points.max())
    if float(parts.mean()) >= top * (1.0 - 1e-9):
        return float(weights[points >= top * (1.0 - 1e-9)].sum() ** count)
    scale = float(np.abs(points).max())
    return _saddle(points / scale, weights, mean / scale, count)


def _closest(parts: FloatArray, worst: float) -> tuple[FloatArray, FloatArray]:
    """Return the points and weights 1 / (n (1 + s x)) of mean zero, the rest at the worst (Owen 1988, eq. 2.4)."""
    if worst >= 0.0:  # nothing can bring the mean to zero
        return parts, np.full(len(parts), 1.0 / len(parts))
    low, high = 0.0, -1.0 / worst
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        rises = float((parts / (1.0 + middle * parts)).sum()) > 0.0
        low, high = (middle, high) if rises else (low, middle)
    weights = 1.0 / (len(parts) * (1.0 + low * parts))
    rest = max(0.0, 1.0 - float(weights.sum()))
    return np.append(parts, worst), np.append(weights, rest)


def _saddle(points: FloatArray, weights: FloatArray, mean: float, count: float) -> float:
    """Barndorff-Nielsen's form of Lugannani and Rice's tail for a mean of independent draws."""
    held = weights > 0.0
    points, logs = points[held], np.log(weights[held])

    def tilted(t: float) -> tuple[float, FloatArray]:
        exponents = logs + t * points
        top = float(exponents.max())
        own = np.exp(exponents - top)
        return top + float(np.log(own.sum())), own / own.sum()

    low, high = 0.0, 1.0
    while float(tilted(high)[1] @ points) < mean and high < 1e9:
        low, high = high, 2.0 * high
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if float(tilted(middle)[1] @ points) < mean else (low, middle)
    cumulant, own = tilted(low)
    variance = float(own @ np.square(points)) - float(own @ points) ** 2
    r = float(np.sqrt(max(0.0, 2.0 * count * (low * mean - cumulant))))
    q = low * float(np.sqrt(max(count * variance, 0.0)))
    if r < 1e-4 or q <= 0.0:
        return 0.5
    return float(special.ndtr(-(r + np.log(q / r) / r)))


def _flipped(parts: FloatArray) -> float:
    """Return the one-sided p-value of a positive sum among those that other signs of the parts would give."""
    return float(flip_pvalues(parts[None])[0][0]) / 2.0


def _t(parts: FloatArray, sizes: FloatArray) -> float:
    """Return the p-value by t; a few large clusters leave as many degrees of freedom as their squares are even."""
    count, share = len(parts), sizes / sizes.sum()
    rest = parts - share * parts.sum()
    error = float(np.sqrt(np.square(rest).sum() * count / (count - 1.0)))
    squares = np.square(share)
    df = max(1.0, float(squares.sum() ** 2 / np.square(squares).sum()) - 1.0)
    return float(special.stdtr(df, -float(parts.sum()) / error)) if error > 0.0 else 0.0
