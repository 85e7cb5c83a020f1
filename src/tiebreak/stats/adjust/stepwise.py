"""Corrections that price each p-value by its place: in one step, stepping down, stepping up.

Hommel's correction closes Simes' test, and Rom's makes Hochberg's sharper by his critical values.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_pvalues
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.basics import floor_pvalue, stepped


def family(pvalues: npt.ArrayLike) -> FloatArray:
    """Return checked p-values, none of them 0: a logarithm or a root of each is taken."""
    return floor_pvalue(check_pvalues(pvalues, flat=True))


def any_of(p: FloatArray, powers: npt.NDArray[np.generic]) -> FloatArray:
    """1 - (1 - p)^power: the chance that the smallest of `power` uniform numbers is at most p."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(powers * np.log1p(-p)), dtype=np.float64)


def unadjusted(pvalues: npt.ArrayLike) -> FloatArray:
    """Return the p-values as they are.

    Hypothesis: each p-value has its own; nothing is controlled over all of them.
    Formula: p_i.
    Assumptions: none.
    When not to use it: to declare several differences at once.

    References
    ----------
    rothman1990

    Examples
    --------
    >>> unadjusted([0.01, 0.04])
    array([0.01, 0.04])
    """
    return check_pvalues(pvalues, flat=True).copy()


def bonferroni(pvalues: npt.ArrayLike) -> FloatArray:
    """Multiply every p-value by their number.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha whatever their dependence.
    Formula: min(1, m p_i) for m hypotheses.
    Assumptions: none beyond valid p-values.
    When not to use it: `holm` rejects all that this rejects, and more, under the same assumptions.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    dunn1961

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5])
    array([0.03, 0.12, 1.  ])
    """
    p = check_pvalues(pvalues, flat=True)
    return np.minimum(p * p.size, 1.0)  # Dunn 1961


def sidak(pvalues: npt.ArrayLike) -> FloatArray:
    """Adjust as if the p-values were independent.

    Hypothesis: each p-value has its own; the family-wise error is kept exactly at alpha when all hypotheses
    are true and independent.
    Formula: 1 - (1 - p_i)^m, evaluated without cancellation.
    Assumptions: independent, or positively orthant dependent, p-values.
    When not to use it: under unknown dependence; use `holm`.

    References
    ----------
    sidak1967

    Examples
    --------
    >>> sidak([0.01, 0.04]).round(4)
    array([0.0199, 0.0784])
    """
    p = check_pvalues(pvalues, flat=True)
    return any_of(p, np.asarray(p.size))  # Sidak 1967


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
    holm1979

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    return stepped(check_pvalues(pvalues, flat=True), lambda p, left: np.minimum(p * left, 1.0))  # Holm 1979


def holland(pvalues: npt.ArrayLike) -> FloatArray:
    """Step down as Holm does, with Sidak's price instead of Bonferroni's.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha under the assumption below.
    Formula: for sorted p_(1) <= ... <= p_(m), adjusted p_(i) = max over j <= i of 1 - (1 - p_(j))^(m - j + 1),
    evaluated without cancellation.
    Assumptions: independent, or positively orthant dependent, p-values.
    When not to use it: under unknown dependence; use `holm`, which rejects nearly as much.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    holland1987

    Examples
    --------
    >>> holland([0.01, 0.04, 0.03]).round(6)
    array([0.029701, 0.0591  , 0.0591  ])
    """
    return stepped(family(pvalues), any_of)  # Holland and Copenhaver 1987


def finner(pvalues: npt.ArrayLike) -> FloatArray:
    """Step down with exponents m / j, which fall faster than Holland's.

    Hypothesis: each p-value has its own. The family-wise error is kept at alpha when all hypotheses are true;
    it is not kept when some are false, although the procedure is often listed with those that keep it.

    Formula: for sorted p_(1) <= ... <= p_(m), adjusted p_(i) = max over j <= i of 1 - (1 - p_(j))^(m / j),
    evaluated without cancellation.

    Assumptions: independent p-values, and all hypotheses true.

    When not to use it: where a single false claim is a failure. If m_1 of m hypotheses are false beyond doubt, the
    smallest of the others is compared with 1 - (1 - alpha)^((m_1 + 1) / m), so the chance of a false rejection is
    1 - (1 - alpha)^((m - m_1) (m_1 + 1) / m): 0.12 for alpha = 0.05 and four of eight. Use `holland` or `holm`;
    this one is here to reproduce printed tables.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    finner1993

    Examples
    --------
    >>> finner([0.01, 0.04, 0.03]).round(6)
    array([0.029701, 0.044661, 0.044661])
    """
    return stepped(family(pvalues), lambda p, left: any_of(p, p.size / (p.size + 1 - left)))  # Finner 1993


def li(pvalues: npt.ArrayLike) -> FloatArray:
    """Compare every p-value with the largest one, in two steps.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha under the assumption below.
    Formula: adjusted p_i = p_i / (p_i + 1 - p_(m)), p_(m) the largest. The procedure rejects all if
    p_(m) <= alpha, and otherwise those with p_i <= alpha (1 - p_(m)) / (1 - alpha).
    Assumptions: the p-values of the true hypotheses are independent; the error is then exactly alpha if the
    largest p-value belongs to a true one.
    When not to use it: the number of hypotheses is not in the formula. With p_(m) near 0.5 a hundred
    hypotheses are charged hardly more than two, which is aggressive; with p_(m) near 1 nothing can be rejected at
    all, however small the others: p_(m) = 1 turns every adjusted value into 1. Prefer `holm` unless a printed
    table must be reproduced. Against a control the p-values share the control, so they are never independent, and the
    error under the null was found at 0.07 for alpha = 0.05 (`tiebreak study error-rates`).

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    li2008

    Examples
    --------
    >>> li([0.01, 0.04, 0.5]).round(4)
    array([0.0196, 0.0741, 0.5   ])
    """
    p = family(pvalues)
    return np.asarray(p / (p + (1.0 - p.max(initial=0.0))))  # Li 2008: both of his steps in one formula


def hochberg(pvalues: npt.ArrayLike) -> FloatArray:
    """Step up from the largest p-value, rejecting all below the first that passes.

    Hypothesis: each p-value has its own; the family-wise error is kept at alpha where Simes' inequality holds.
    Formula: adjusted p_(i) = min over j >= i of (m - j + 1) p_(j).
    Assumptions: independent or positively dependent p-values.
    When not to use it: under negative dependence; use `holm`.

    References
    ----------
    hochberg1988

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return stepped(check_pvalues(pvalues, flat=True), lambda p, left: p * left, up=True)  # Hochberg 1988


def benjamini_hochberg(pvalues: npt.ArrayLike) -> FloatArray:
    """Keep the expected share of false rejections among all rejections at alpha.

    Hypothesis: each p-value has its own. Controlled is the false discovery rate, not the family-wise error: of
    the differences called significant, on average a share alpha may be false.

    Formula: for sorted p_(1) <= ... <= p_(m), adjusted p_(i) = min over j >= i of min(1, m p_(j) / j).

    Assumptions: independent p-values, or positive regression dependence on the true ones. All pairs of
    algorithms share algorithms, so their p-values need not satisfy it; `benjamini_yekutieli` needs nothing.

    When not to use it: where a single false claim is a failure, as in most tables of a paper; use `holm`.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    benjamini1995

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5])
    array([0.04      , 0.05333333, 0.05333333, 0.5       ])
    """
    return _discoveries(pvalues, price=1.0)  # Benjamini and Hochberg 1995


def benjamini_yekutieli(pvalues: npt.ArrayLike) -> FloatArray:
    """Keep the false discovery rate at alpha under any dependence.

    Hypothesis: as in `benjamini_hochberg`.
    Formula: that of `benjamini_hochberg` times 1 + 1/2 + ... + 1/m.
    Assumptions: none beyond valid p-values.
    When not to use it: under independence, where it gives power away.

    Parameters
    ----------
    pvalues : array_like, one-dimensional

    Returns
    -------
    ndarray
        Adjusted p-values in the same order.

    References
    ----------
    benjamini2001

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04]).round(4)
    array([0.03, 0.06])
    """
    count = np.size(pvalues)
    return _discoveries(pvalues, price=float((1.0 / np.arange(1, count + 1)).sum()))  # Benjamini and Yekutieli 2001


def _discoveries(pvalues: npt.ArrayLike, *, price: float) -> FloatArray:
    """Adjust by m price / rank from the largest p-value down."""
    return stepped(family(pvalues), lambda p, left: np.minimum(p * price * p.size / (p.size + 1 - left), 1.0), up=True)


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
        raise OptionError(f"count is {count}.", mend="Pass the number of p-values.")
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
