"""The curve of a time: a fixed part and one that grows with the data, fitted to logarithms by damped least squares.

A straight line through logarithms bends to the many small data sets on which a time is mostly overhead, and so says
too little for large ones. Here t = f + g: f depends on columns and classes alone, g is a power of rows, columns and
classes. Slopes are drawn a little (ridge) to what is usual, so that a base which does not show them still gives an
answer, and are held within bounds. All algorithms, and all left-out origins, are fitted at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray

N_FIXED = 4
"""Coefficients of the fixed part: 1, columns, classes, symbolic; the others are those of the growing part."""
USUAL = np.array([0.0, 0.2, 0.3, 0.3, 0.0, 1.0, 0.7, 0.5, 0.35])
"""What slopes are drawn to: of columns, classes and symbolic; of rows, columns, classes and columns per attribute."""
LOOSE = np.array([3.0, 0.3, 0.5, 0.7, 2.5, 0.3, 0.5, 0.5, 0.4])
"""How far a slope usually lies from that; the two levels are drawn but weakly."""
LEAST = np.array([-np.inf, 0.0, 0.0, 0.0, -np.inf, 0.5, 0.0, 0.0, 0.0])
MOST = np.array([np.inf, 2.0, 2.0, 3.0, np.inf, 3.0, 3.0, 3.0, 2.0])
NOISE = 0.3
"""The spread of logarithms of times about their curve that the pull of the usual slopes is weighed against."""
FAR = 1.0
"""Residuals beyond this (a factor e) count by their size, not by its square: one odd time does not bend a curve."""
PULL = (NOISE / LOOSE) ** 2
STEPS, SETTLED = 60, 1e-7
"""Steps of the search at the most, and the share of its cost that a last step gains."""
_USUALLY = ((0.5, 0.0), (0.5, -3.5))
"""Where levels are drawn to, as a quantile of times and a shift: many data sets of a base are small, so in the middle
a time is mostly its fixed part, and the growing part a few hundredths of it."""
_STARTS = (((0.3, -0.3), (0.3, 0.0)), ((0.05, -1.5), (0.5, 0.0)), ((0.5, 0.0), (0.05, 0.0)))
"""Where the search begins, in the same way; the best end counts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TwoParts(Brief):
    """Fitted curves: coefficients (fits, 9), inverse Hessians (fits, 9, 9), residual spread and degrees of freedom."""

    coefficients: FloatArray
    inverse: FloatArray
    spread: FloatArray
    freedom: FloatArray

    def at(self, fixed: FloatArray, growing: FloatArray, raised: FloatArray | float = 0.0) -> tuple[FloatArray, ...]:
        """Return log times (fits, points) and the variance of the curve itself there, in units of the spread squared.

        `raised` is added to the logarithm of the growing part.
        """
        found, slopes = _curve(self.coefficients, fixed, growing, raised)
        return found, ((slopes @ self.inverse) * slopes).sum(axis=2)


def fit_two_parts(
    fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, power: FloatArray
) -> TwoParts:
    """Fit log t = log(exp(fixed . a) + exp(growing . b)) for many rows of logs at once.

    `fixed` is (points, 4) and `growing` (points, 5); `logs` and `weight` are (fits, points), a weight of 0 leaving a
    point out. `power` is the power of rows that each fit is drawn to. A fit without any point is the usual one, its
    spread NaN.
    """
    seen = np.where(weight > 0, logs, 0.0)
    some = weight.sum(axis=1) > 0
    slopes = np.tile(USUAL, (len(logs), 1))
    slopes[:, N_FIXED + 1] = power
    placed = [_placed(slopes, fixed, growing, seen, weight, *where) for where in (_USUALLY, *_STARTS)]
    ends = [_search(fixed, growing, seen, weight, placed[0], start) for start in placed[1:]]
    costs = np.array([cost for _, cost in ends])
    best = np.array([found for found, _ in ends])[costs.argmin(axis=0), np.arange(len(logs))]
    value, rises = _curve(best, fixed, growing)
    inverse = np.asarray(np.linalg.inv(_curvature(rises, weight)), dtype=np.float64)
    used = np.einsum("bij,bji->b", inverse, (rises * weight[:, :, None]).transpose(0, 2, 1) @ rises)
    freedom = np.maximum(weight.sum(axis=1) - used, 0.0)
    squares = (weight * np.where(weight > 0, seen - value, 0.0) ** 2).sum(axis=1)
    spread = np.sqrt((squares + 2.0 * NOISE**2) / (freedom + 2.0))  # worth two points: few data sets never look exact
    return TwoParts(coefficients=best, inverse=inverse, spread=np.where(some, spread, np.nan), freedom=freedom + 2.0)


def _placed(
    slopes: FloatArray,
    fixed: FloatArray,
    growing: FloatArray,
    logs: FloatArray,
    weight: FloatArray,
    low: tuple[float, float],
    high: tuple[float, float],
) -> FloatArray:
    """Place both levels by a quantile, and a shift of it, of what the slopes leave of the times."""
    out = slopes.copy()
    for place, by, (share, shift) in ((0, fixed, low), (N_FIXED, growing, high)):
        left = logs - slopes[:, place + 1 : place + by.shape[1]] @ by[:, 1:].T
        out[:, place] = _quantiles(left, weight, share) + shift
    return out


def _quantiles(values: FloatArray, weight: FloatArray, share: float) -> FloatArray:
    there = [row[own > 0] for row, own in zip(values, weight, strict=True)]
    return np.array([np.quantile(row, share) if row.size else 0.0 for row in there])


def _curve(
    coefficients: FloatArray, fixed: FloatArray, growing: FloatArray, raised: FloatArray | float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return log times (fits, points) and their derivatives (fits, points, 9)."""
    below, above = coefficients[:, :N_FIXED] @ fixed.T, coefficients[:, N_FIXED:] @ growing.T + raised
    value = np.logaddexp(below, above)
    parts = [np.exp(one - value)[:, :, None] * by for one, by in ((below, fixed), (above, growing))]
    return value, np.concatenate(parts, axis=2)


def _curvature(slopes: FloatArray, weight: FloatArray) -> FloatArray:
    weighted = slopes * weight[:, :, None]
    found: FloatArray = weighted.transpose(0, 2, 1) @ slopes
    return found + np.diag(PULL)


def _search(
    fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, usual: FloatArray, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Take damped Newton steps within the bounds (Levenberg and Marquardt); return where they end and the cost.

    Fits that move no more are left out of further steps, so that the slowest alone takes all of them.
    """
    at, damping = start.copy(), np.full(len(logs), 1e-2)
    now = _cost(at, fixed, growing, logs, weight, usual)
    moving = np.arange(len(logs))
    for _ in range(STEPS):
        given = logs[moving], weight[moving], usual[moving]
        tried = _step(at[moving], fixed, growing, *given, damping[moving])
        then = _cost(tried, fixed, growing, *given)
        better = then < now[moving]
        little = now[moving] - then <= SETTLED * now[moving]
        at[moving] = np.where(better[:, None], tried, at[moving])
        now[moving] = np.where(better, then, now[moving])
        damping[moving] *= np.where(better, 1 / 3, 5.0)
        moving = moving[~np.where(better, little, damping[moving] > 1e6)]
        if not len(moving):
            break
    return at, now


def _cost(
    at: FloatArray, fixed: FloatArray, growing: FloatArray, logs: FloatArray, weight: FloatArray, usual: FloatArray
) -> FloatArray:
    """Return Huber's cost of the residuals (fits,), with the pull to the usual slopes."""
    off = np.abs(logs - _curve(at, fixed, growing)[0])
    squares = np.where(off < FAR, off**2, FAR * (2 * off - FAR))
    return np.asarray((weight * squares).sum(axis=1) + (PULL * (at - usual) ** 2).sum(axis=1))


def _step(
    at: FloatArray,
    fixed: FloatArray,
    growing: FloatArray,
    logs: FloatArray,
    weight: FloatArray,
    usual: FloatArray,
    damping: FloatArray,
) -> FloatArray:
    """Return where a damped Newton step leads; what stands at a bound and would leave takes no part in it."""
    value, slopes = _curve(at, fixed, growing)
    off = logs - value
    counted = weight * np.minimum(1.0, FAR / np.maximum(np.abs(off), FAR))
    bend = _curvature(slopes, counted)
    down = (slopes * (counted * off)[:, :, None]).sum(axis=1) - PULL * (at - usual)
    bend += damping[:, None, None] * np.eye(len(PULL)) * np.einsum("bii->bi", bend)[:, None, :]
    free = ~(((at <= LEAST) & (down < 0)) | ((at >= MOST) & (down > 0)))
    bend = bend * (free[:, :, None] & free[:, None, :]) + np.eye(len(PULL)) * ~free[:, :, None]
    down = np.where(free, down, 0.0)
    return np.clip(at + np.linalg.solve(bend, down[:, :, None])[:, :, 0], LEAST, MOST)
