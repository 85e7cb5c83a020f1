"""How large a sum of items is among those that chance would give: by other signs of its parts, or by a closest truth.

Signs: each part (an item, or a cluster) is as likely to favour one model as the other if the two do not differ;
so every choice of signs is as likely as the one that was seen. The distribution is exact where the parts lie on a grid
or are few, and approximated by the saddle point elsewhere (Kolassa and Robinson 2011), which keeps its relative
accuracy in the tails.

Margins: the truth that is closest to what was seen, among those in which the candidate is worse by the margin exactly,
gives every unit a weight, and what is left to the worst that could happen to a unit: what was not seen in thirty items
may yet happen (Owen 1988; the weights are those of the empirical likelihood). With right and wrong answers it is the
restricted estimate of the score test. The tail of the sum under it is found by the saddle point.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray
from tiebreak.stats.numeric.basics import floor_pvalue, normal_two_sided

EXACT, SADDLE, NORMAL = "exact", "saddle point", "normal"
FEW = 14
"""Up to so many parts all choices of signs are listed."""
FINEST = 12
"""A grid is looked for down to so many steps in the smallest part."""
MOST_STEPS = 6000
"""The sum of all parts, in steps of the grid, up to which its distribution is convolved."""
MANY = 20_000
"""From so many parts on the normal distribution serves: the saddle point would change the third digit of p."""
SAME = 1e-9
"""Sums that agree to this share of the largest are equal: 0.1 + 0.2 is not 0.3 in binary."""


def flip_pvalues(parts: FloatArray) -> tuple[FloatArray, list[str]]:
    """Return the two-sided p-value of every row of parts, and how it was found.

    Examples
    --------
    >>> p, how = flip_pvalues(np.array([[1.0, 1.0, 1.0, 0.0, 1.0]]))
    >>> p.tolist(), how
    ([0.125], ['exact'])
    """
    result = [_one(row) for row in parts]
    return floor_pvalue([p for p, _ in result]), [how for _, how in result]


def _one(row: FloatArray) -> tuple[float, str]:
    """Choose the way by the parts that are not zero."""
    parts = np.abs(row)
    top = float(parts.max(initial=0.0))
    parts = parts[parts > SAME * top]
    seen = abs(float(row.sum()))
    if not len(parts) or seen <= SAME * float(parts.sum()):
        return 1.0, EXACT
    if len(parts) <= FEW:
        return _listed(parts, seen), EXACT
    if len(parts) > MANY:
        return float(normal_two_sided(seen / np.sqrt(np.square(parts).sum()))), NORMAL
    steps = _on_a_grid(parts)
    if steps is not None:
        return _convolved(*steps, seen), EXACT
    return _saddle(parts, seen), SADDLE


def _listed(parts: FloatArray, seen: float) -> float:
    """Count the choices of signs with a sum as large as the one seen."""
    sums = np.zeros(1)
    for part in parts:
        sums = np.concatenate([sums - part, sums + part])
    return float((np.abs(sums) >= seen - SAME * parts.sum()).mean())


def _on_a_grid(parts: FloatArray) -> tuple[FloatArray, float] | None:
    """Return the parts in whole steps and the step; None where no step that is coarse enough fits."""
    least = float(parts.min())
    if parts.sum() / least > MOST_STEPS:
        return None
    for finer in range(1, FINEST + 1):
        step = least / finer
        steps = np.rint(parts / step)
        if steps.sum() > MOST_STEPS:
            return None
        if bool((np.abs(parts / step - steps) <= 1e-6).all()):
            return steps, step
    return None


def _convolved(steps: FloatArray, step: float, seen: float) -> float:
    """Convolve the distributions of equal parts, each a binomial with gaps; tails are sums of positive numbers."""
    sizes, counts = np.unique(steps.astype(np.int64), return_counts=True)
    whole = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        ups = np.arange(count + 1.0)
        logs = special.gammaln(count + 1.0) - special.gammaln(ups + 1.0) - special.gammaln(count - ups + 1.0)
        values = np.zeros(2 * size * count + 1)
        values[:: 2 * size] = np.exp(logs - count * np.log(2.0))
        whole = np.convolve(whole, values)
    at = np.abs(np.arange(len(whole)) - (len(whole) - 1) // 2)
    return min(1.0, float(whole[at >= round(seen / step)].sum()))


def _saddle(parts: FloatArray, seen: float) -> float:
    """Lugannani and Rice's tail in Barndorff-Nielsen's form, which is never negative; K(t) = sum log cosh(t u)."""
    parts, seen = parts / parts.max(), seen / float(parts.max())
    if seen >= parts.sum() * (1.0 - SAME):
        return float(2.0 ** (1.0 - len(parts)))
    tilt = _tilt(parts, seen)
    cumulant = float((np.logaddexp(tilt * parts, -tilt * parts) - np.log(2.0)).sum())
    r = float(np.sqrt(max(0.0, 2.0 * (tilt * seen - cumulant))))
    q = tilt * float(np.sqrt((np.square(parts) / np.square(np.cosh(np.minimum(tilt * parts, 300.0)))).sum()))
    if r < 1e-3 or q <= 0.0:
        return float(normal_two_sided(seen / np.sqrt(np.square(parts).sum())))
    return min(1.0, 2.0 * float(special.ndtr(-(r + np.log(q / r) / r))))


def _tilt(parts: FloatArray, seen: float) -> float:
    """Solve K'(t) = seen by Newton's method, kept between bounds: K' rises from 0 to the sum of the parts."""
    low, high, tilt = 0.0, np.inf, seen / float(np.square(parts).sum())
    for _ in range(200):
        bend = np.tanh(tilt * parts)
        gap = float((parts * bend).sum()) - seen
        low, high = (low, tilt) if gap > 0 else (tilt, high)
        if abs(gap) <= 1e-12 * seen:
            break
        step = tilt - gap / max(float((np.square(parts) * (1.0 - np.square(bend))).sum()), 1e-300)
        tilt = step if low < step < high else (low + high) / 2 if np.isfinite(high) else 2.0 * tilt
    return tilt


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
    return _tilted_saddle(points / scale, weights, mean / scale, count)


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


def _tilted_saddle(points: FloatArray, weights: FloatArray, mean: float, count: float) -> float:
    """Barndorff-Nielsen's form of Lugannani and Rice's tail for a mean of independent draws."""
    held = weights > 0.0
    points, logs = points[held], np.log(weights[held])

    def tilted(t: float) -> tuple[float, FloatArray]:
        exponents = logs + t * points
        top = float(exponents.max())
        values = np.exp(exponents - top)
        return top + float(np.log(values.sum())), values / values.sum()

    low, high = 0.0, 1.0
    while float(tilted(high)[1] @ points) < mean and high < 1e9:
        low, high = high, 2.0 * high
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if float(tilted(middle)[1] @ points) < mean else (low, middle)
    cumulant, rows = tilted(low)
    variance = float(rows @ np.square(points)) - float(rows @ points) ** 2
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
