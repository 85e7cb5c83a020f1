"""Corrections used for comparisons with a control: Holland, Finner, Li and Rom.

They assume nothing about pairs, so they serve any family of hypotheses; but each needs independent or positively
dependent p-values, as comparisons with one control roughly are, and Finner's bounds the error only when no
hypothesis is false.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_pvalues
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.tails import floor_pvalue


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
    Holland, B. S. and Copenhaver, M. D. (1987). doi:10.2307/2531823

    Examples
    --------
    >>> holland([0.01, 0.04, 0.03]).round(6)
    array([0.029701, 0.0591  , 0.0591  ])
    """
    ordered, order = sorted_pvalues(pvalues)
    powers = np.arange(ordered.size, 0, -1)
    return _back(order, np.maximum.accumulate(_any_of(ordered, powers)))


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
    Finner, H. (1993). doi:10.1080/01621459.1993.10476358

    Examples
    --------
    >>> finner([0.01, 0.04, 0.03]).round(6)
    array([0.029701, 0.044661, 0.044661])
    """
    ordered, order = sorted_pvalues(pvalues)
    powers = ordered.size / np.arange(1, ordered.size + 1)
    return _back(order, np.maximum.accumulate(_any_of(ordered, powers)))


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
    Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses. Journal of Statistical Planning and
    Inference 138, 1521-1527 (no DOI confirmed).

    Examples
    --------
    >>> li([0.01, 0.04, 0.5]).round(4)
    array([0.0196, 0.0741, 0.5   ])
    """
    ordered, order = sorted_pvalues(pvalues)
    rest = 1.0 - ordered[-1:]
    return _back(order, ordered / (ordered + rest))


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
    Rom, D. M. (1990). doi:10.1093/biomet/77.3.663

    Examples
    --------
    >>> rom([0.01, 0.04, 0.03]).round(6)
    array([0.029778, 0.04    , 0.04    ])
    """
    ordered, order = sorted_pvalues(pvalues)
    if ordered.size == 0:
        return ordered
    stepped = _rom_levels(ordered[::-1])
    return _back(order, np.minimum.accumulate(stepped)[::-1])


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
    Rom, D. M. (1990). doi:10.1093/biomet/77.3.663

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


def sorted_pvalues(pvalues: npt.ArrayLike) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """Return checked p-values in rising order, and the order."""
    p = floor_pvalue(check_pvalues(pvalues))
    if p.ndim != 1:
        raise InputError(
            f"pvalues has {p.ndim} dimension(s).",
            why="A family of hypotheses is one vector of p-values.",
            mend="Call this once per family.",
        )
    order = np.argsort(p, kind="stable")
    return p[order], order


def _any_of(p: FloatArray, powers: npt.NDArray[np.generic]) -> FloatArray:
    """1 - (1 - p)^power: the chance that the smallest of `power` uniform numbers is at most p."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(powers * np.log1p(-p)), dtype=np.float64)


def _back(order: npt.NDArray[np.intp], values: FloatArray) -> FloatArray:
    """Put values of sorted hypotheses back into the order of the input."""
    out = np.empty_like(values)
    out[order] = values
    return out


def _rom_levels(falling: FloatArray) -> FloatArray:
    """Solve c_k(alpha) = p for each k, p the k-th largest; 1 where no alpha below 1 does.

    alpha / k <= c_k(alpha) <= 1 - (1 - alpha)^(1/k) brackets the root; regula falsi with the Illinois rule, in
    logarithms, finds it.
    """
    k = np.arange(1, falling.size + 1)
    low, high = np.log(_any_of(falling, k)), np.minimum(np.log(k * falling), 0.0)
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
        table[n - 1] = (geometric - spent) / n
        logs[n - 1] = np.log(table[n - 1])
        powers = powers * alpha
        geometric = geometric + powers
    return table
