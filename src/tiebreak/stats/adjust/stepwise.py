"""Corrections that price each p-value by its place: in one step, stepping down, stepping up; and what they share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_pvalues
from tiebreak.errors import InputError
from tiebreak.stats.numeric.tails import floor_pvalue


def family(pvalues: npt.ArrayLike) -> FloatArray:
    """Return checked p-values, none of them 0: a logarithm or a root of each is taken."""
    p = floor_pvalue(check_pvalues(pvalues))
    if p.ndim != 1:
        raise InputError(
            f"pvalues has {p.ndim} dimension(s).",
            why="A family of hypotheses is one vector of p-values.",
            mend="Call this once per family.",
        )
    return p


def stepped(p: FloatArray, price: Callable[[FloatArray, IntArray], FloatArray], *, up: bool = False) -> FloatArray:
    """Price the p-values in rising order, beside the number of hypotheses left at each, and put them back.

    An adjusted value is the largest price up to its place; stepping up, the smallest from its place on. Families run
    along the last axis.
    """
    if p.size == 0:
        return p.copy()
    order, out = np.argsort(p, axis=-1, kind="stable"), np.empty_like(p)
    prices = price(np.take_along_axis(p, order, axis=-1), np.arange(p.shape[-1], 0, -1))
    least = np.minimum.accumulate(prices[..., ::-1], axis=-1)[..., ::-1]
    np.put_along_axis(out, order, least if up else np.maximum.accumulate(prices, axis=-1), axis=-1)
    return out


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
