"""Stepwise corrections: the price falls as hypotheses are decided."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_pvalues


def holm(pvalues: npt.ArrayLike) -> FloatArray:
    """Step down from the smallest p-value, stopping at the first that fails.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha whatever their dependence.
    Formula: for sorted p_(1) <= ... <= p_(m), adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).
    Assumptions: none beyond valid p-values.
    When not to use it: for all pairs of L algorithms, where `shaffer` and `bergmann_hommel` use that the
    hypotheses are tied together logically.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 65-70. https://www.jstor.org/stable/4615733 (no DOI)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = check_pvalues(pvalues, flat=True)
    order = np.argsort(p, kind="stable")
    factors = np.arange(p.size, 0, -1)
    return _back(order, np.maximum.accumulate(np.minimum(p[order] * factors, 1.0)))


def hochberg(pvalues: npt.ArrayLike) -> FloatArray:
    """Step up from the largest p-value, rejecting all below the first that passes.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha where Simes' inequality holds.
    Formula: adjusted p_(i) = min over j >= i of (m - j + 1) p_(j).
    Assumptions: independent or positively dependent p-values.
    When not to use it: under negative dependence; use `holm`.

    References
    ----------
    Hochberg, Y. (1988). doi:10.1093/biomet/75.4.800

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    p = check_pvalues(pvalues, flat=True)
    order = np.argsort(p, kind="stable")
    stepped = p[order] * np.arange(p.size, 0, -1)
    return _back(order, np.minimum.accumulate(stepped[::-1])[::-1])


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
    Hommel, G. (1988). doi:10.1093/biomet/75.2.383
    Meijer, R. J., Krebs, T. J. P. and Goeman, J. J. (2019). doi:10.1002/bimj.201700316

    Examples
    --------
    >>> hommel([0.01, 0.02, 0.022, 0.09, 0.1])
    array([0.04 , 0.06 , 0.066, 0.1  , 0.1  ])
    """
    p = check_pvalues(pvalues, flat=True)
    if p.size == 0:
        return p.copy()
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    simes = _worst_simes(ordered)
    bounds = np.append(np.maximum.accumulate(simes[::-1])[::-1], 0.0)  # bounds[i] = s_(i+1), i = 0..m
    low, high = np.zeros(p.size, dtype=np.int64), np.full(p.size, p.size)
    while (low < high).any():  # smallest i with i p >= s_(i+1); the left side grows, the right side falls
        middle = (low + high) // 2
        passed = middle * ordered >= bounds[middle]
        high, low = np.where(passed, middle, high), np.where(passed, low, middle + 1)
    before = np.where(low > 0, bounds[np.maximum(low - 1, 0)], np.inf)
    return _back(order, np.minimum(np.minimum(low * ordered, before), 1.0))


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


def _back(order: npt.NDArray[np.intp], values: FloatArray) -> FloatArray:
    """Put values of sorted hypotheses back into the order of the input."""
    out = np.empty_like(values)
    out[order] = values
    return out
