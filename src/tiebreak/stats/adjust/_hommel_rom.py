"""Hochberg's correction made sharper: Hommel's, which closes Simes' test, and Rom's, with his critical values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_pvalues
from tiebreak.errors import OptionError
from tiebreak.stats.adjust.stepwise import any_of, family, stepped


def hommel(pvalues: npt.ArrayLike) -> FloatArray:
    """Close Simes' test: reject what every intersection containing it rejects.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha where Simes' inequality holds.

    Formula: the worst intersection of i hypotheses has Simes p-value
    S_i = min over k of i p_(m-i+k) / k. With s_i = max over j >= i of S_j, the adjusted p_j is the minimum over i
    of max(i p_j, s_(i+1)). All S_i come from one sweep over the lower convex hull of the sorted p-values, so
    the whole takes O(m log m) steps; the textbook recursion takes O(m^2).

    Assumptions: independent or positively dependent p-values.
    When not to use it: under negative dependence; use `holm`.

    References
    ----------
    hommel1988
    meijer2019

    Examples
    --------
    >>> hommel([0.01, 0.02, 0.022, 0.09, 0.1])
    array([0.04 , 0.06 , 0.066, 0.1  , 0.1  ])
    """
    p = check_pvalues(pvalues, flat=True)
    if p.size == 0:
        return p.copy()
    order, out = np.argsort(p, kind="stable"), np.empty_like(p)
    ordered = p[order]
    simes = _worst_simes(ordered)
    bounds = np.append(np.maximum.accumulate(simes[::-1])[::-1], 0.0)  # bounds[i] = s_(i+1), i = 0..m
    low, high = np.zeros(p.size, dtype=np.int64), np.full(p.size, p.size)
    while (low < high).any():  # smallest i with i p >= s_(i+1); the left side grows, the right side falls
        middle = (low + high) // 2
        passed = middle * ordered >= bounds[middle]
        high, low = np.where(passed, middle, high), np.where(passed, low, middle + 1)
    before = np.where(low > 0, bounds[np.maximum(low - 1, 0)], np.inf)
    out[order] = np.minimum(np.minimum(low * ordered, before), 1.0)  # Meijer et al. 2019
    return out


def _worst_simes(ordered: FloatArray) -> FloatArray:
    """Return S_1 .. S_m: i times the least slope from (m - i, 0) to a point (m - i + k, p_(m-i+k))."""
    m = ordered.size
    height = [0.0, *ordered.tolist()]
    hull: list[int] = []  # x of the lower hull, right to left; the last is the nearest
    out = np.empty(m)
    for i in range(1, m + 1):
        start = m - i
        new = start + 1
        while len(hull) > 1 and _above(hull[-2], hull[-1], new, height):
            hull.pop()
        hull.append(new)
        j = _touching(hull, start, height)
        out[i - 1] = i * height[hull[j]] / (hull[j] - start)
    return out


def _above(far: int, middle: int, near: int, height: list[float]) -> bool:
    """Say whether the middle point lies on or above the chord from `near` to `far`."""
    return (height[middle] - height[near]) * (far - near) >= (height[far] - height[near]) * (middle - near)


def _touching(hull: list[int], start: int, height: list[float]) -> int:
    """Index of the hull point with the least slope from (start, 0): slopes fall, then rise, along the hull."""
    low, high = 0, len(hull) - 1  # hull[0] is the farthest
    while low < high:
        middle = (low + high) // 2
        far, near = hull[middle], hull[middle + 1]
        if height[far] * (near - start) <= height[near] * (far - start):
            high = middle
        else:
            low = middle + 1
    return low


def rom(pvalues: npt.ArrayLike) -> FloatArray:
    """Step up with the sharpest critical values that independence allows.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha under the assumption below.

    Formula: the k-th largest p-value is compared with c_k(alpha), where c_1 = alpha and
    n c_n = alpha + ... + alpha^(n-1) - sum over j = 2..n-1 of C(n, j) c_(n-j+1)^j. All hypotheses are rejected from
    the first that passes downward. The adjusted p_(i) is the smallest alpha at which this procedure rejects:
    min over k <= m - i + 1 of the alpha that solves c_k(alpha) = p_(m-k+1). Printed tables instead multiply by
    0.05 / c_k(0.05), which agrees with the procedure at alpha = 0.05 only.

    Assumptions: independent p-values; holds approximately under positive dependence.
    When not to use it: under negative or unknown dependence; use `holm`. The gain over `hochberg` is slight.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    rom1990

    Examples
    --------
    >>> rom([0.01, 0.04, 0.03]).round(6)
    array([0.029778, 0.04    , 0.04    ])
    """
    return stepped(family(pvalues), lambda p, _: _rom_levels(p[::-1])[::-1], up=True)


def rom_critical_values(count: int, *, alpha: float = 0.05) -> FloatArray:
    """Return c_1 .. c_m of Rom's procedure: the k-th largest of m p-values is compared with c_k.

    Hypothesis, assumptions and when not to use it: as for `rom`.
    Formula: that of `rom`; the terms of the sum fall like those of an exponential series, so it is cut after
    sixty of them without loss.

    Parameters
    ----------
    count : int
        The number m of hypotheses.
    alpha : float, default 0.05

    Returns
    -------
    ndarray
        Falling from alpha.

    References
    ----------
    rom1990

    Examples
    --------
    >>> rom_critical_values(4).round(6)
    array([0.05    , 0.025   , 0.016875, 0.012713])
    """
    level = check_alpha(alpha)
    if count < 1:
        raise OptionError(
            f"count is {count}.",
            why="Critical values belong to at least one hypothesis.",
            mend="Pass the number of p-values.",
        )
    return _rom_table(np.array([level]), int(count))[:, 0]


def _rom_levels(falling: FloatArray) -> FloatArray:
    """Solve c_k(alpha) = p for each k, p the k-th largest; 1 where no alpha below 1 does.

    alpha / k <= c_k(alpha) <= 1 - (1 - alpha)^(1/k) brackets the root; regula falsi with the Illinois rule, in
    logarithms, finds it.
    """
    k = np.arange(1, falling.size + 1)
    low, high = np.log(any_of(falling, k)), np.minimum(np.log(k * falling), 0.0)
    f_low, f_high = _rom_gap(low, falling), _rom_gap(high, falling)
    root = np.where(f_high <= 0, high, low)
    open_ = (f_low < 0) & (f_high > 0) & (high - low > 1e-15)
    for _ in range(60):
        if not open_.any():
            break
        step = np.where(open_, high - f_high * (high - low) / np.where(open_, f_high - f_low, 1.0), root)
        value = np.where(open_, _rom_gap(step, falling), 0.0)
        above = value > 0
        f_low = np.where(above & (root > step), f_low / 2, f_low)
        f_high = np.where(~above & (root < step), f_high / 2, f_high)
        high, f_high = np.where(open_ & above, step, high), np.where(open_ & above, value, f_high)
        low, f_low = np.where(open_ & ~above, step, low), np.where(open_ & ~above, value, f_low)
        open_ &= (np.abs(value) > 2e-15) & (high - low > 1e-15)
        root = step
    return np.asarray(np.exp(root))


def _rom_gap(log_alpha: FloatArray, falling: FloatArray) -> FloatArray:
    """Return log c_k(alpha_k) - log p_k for every k."""
    table = _rom_table(np.exp(log_alpha), falling.size)
    return np.asarray(np.log(np.diagonal(table)) - np.log(falling))


def _rom_table(alpha: FloatArray, count: int) -> FloatArray:
    """Rows c_1 .. c_count for a vector of alphas."""
    table = np.empty((count, alpha.size))
    table[0] = alpha
    logs = np.empty_like(table)
    logs[0] = np.log(alpha)
    powers, geometric = alpha.copy(), alpha.copy()
    for n in range(2, count + 1):
        j = np.arange(2, min(n, 62))
        weights = special.gammaln(n + 1) - special.gammaln(j + 1) - special.gammaln(n - j + 1)
        spent = np.exp(weights[:, None] + j[:, None] * logs[n - j]).sum(axis=0)
        table[n - 1] = (geometric - spent) / n  # Rom 1990, the recursion in `rom`
        logs[n - 1] = np.log(table[n - 1])
        powers = powers * alpha
        geometric = geometric + powers
    return table
