"""The range of normal variables, to full relative accuracy far into the tail.

The largest of k standard normals has density k phi(z) Phi(z)^(k-1); given it, the range exceeds q unless all
others lie in (z - q, z). Hence

    P(range > q) = k * integral phi(z) Phi(z)^(k-1) (1 - (1 - Phi(z-q)/Phi(z))^(k-1)) dz.

Every factor is positive and the bracket is evaluated in logarithms, so nothing cancels. The integrand is
an entire function that decays like a Gaussian around q/2, for which the plain trapezoidal rule converges
faster than any power of the step: 361 nodes give about fourteen digits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.tails import floor_pvalue

_STEP = 0.05
_NODES = np.arange(-180, 181) * _STEP
_DIRECT = 400  # up to so many distinct q the integral is taken for each
_PIECE, _DEGREE = 0.75, 15
_MOST_Q = 76.0  # beyond it every p-value lies below 1e-600 and is reported as the smallest number


def range_upper(q: npt.ArrayLike, k: int) -> FloatArray:
    """P(range of k standard normals >= q), relative error below 1e-10 down to 1e-300.

    Hypothesis: k means share one expectation; q is their range in standard errors, with known variance
    (infinite degrees of freedom).
    Formula: see the head of this module.
    Assumptions: independent standard normal variables.
    When not to use it: when the variance is estimated from few observations; use the studentized range
    with finite degrees of freedom.

    Parameters
    ----------
    q : array_like
        Non-negative. For two rank means, sqrt(2) times the absolute z statistic.
    k : int
        The number of algorithms, at least 2.

    Returns
    -------
    ndarray
        In the shape of `q`; never 0 (see `tiebreak.stats.numeric.tails.TINY`).

    References
    ----------
    nemenyi1963
    copenhaver1988

    Examples
    --------
    >>> float(range_upper(14.0, 200))  # scipy.stats.studentized_range.sf gives 0.0 here
    8.3257...e-19
    """
    values = np.asarray(q, dtype=np.float64)
    if np.isnan(values).any() or (values < 0).any() or int(k) < 2:
        raise OptionError(
            "q is negative or NaN, or k is below 2.",
            why="A range is a distance between at least two values.",
            mend="Pass abs(z) * sqrt(2) and the number of algorithms.",
        )
    values = np.minimum(values, _MOST_Q + 1)
    distinct, where = np.unique(values.ravel(), return_inverse=True)
    logs = _log_upper(distinct, int(k)) if len(distinct) <= _DIRECT else _interpolated(distinct, int(k))
    return floor_pvalue(np.exp(logs))[where].reshape(values.shape)


def range_quantile(alpha: float, k: int) -> float:
    """Return q with P(range of k standard normals >= q) = alpha.

    Hypothesis and assumptions: as for `range_upper`, whose inverse this is.
    Formula: bisection on the logarithm of `range_upper`, to the last bit.
    When not to use it: for finite degrees of freedom.

    References
    ----------
    copenhaver1988

    Examples
    --------
    >>> round(range_quantile(0.05, 4) / 2**0.5, 3)  # Demsar 2006, Table 5
    2.569
    """
    if int(k) < 2:
        raise OptionError(
            f"k is {k}.", why="A range is a distance between at least two values.", mend="Pass k of at least 2."
        )
    low, high, target = 0.0, 4.0, np.log(check_alpha(alpha))
    while _log_upper(np.array([high]), k)[0] > target and high < 1e3:
        high *= 2
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if _log_upper(np.array([middle]), k)[0] > target:
            low = middle
        else:
            high = middle
    return high


def _log_upper(q: FloatArray, k: int) -> FloatArray:
    """Logarithm of the upper tail by the trapezoidal rule, for every q."""
    z = q[:, None] / 2 + _NODES
    below = special.log_ndtr(z)
    ratio = np.minimum(special.log_ndtr(z - q[:, None]) - below, 0.0)  # log Phi(z-q)/Phi(z)
    terms = np.log(k) - 0.5 * z**2 - 0.5 * np.log(2 * np.pi) + (k - 1) * below + _log_bracket(ratio, k)
    top = terms.max(axis=1)
    total = np.exp(terms - top[:, None]).sum(axis=1) * _STEP
    return np.asarray(np.where(q == 0, 0.0, np.minimum(top + np.log(total), 0.0)))


def _log_bracket(ratio: FloatArray, k: int) -> FloatArray:
    """Logarithm of 1 - (1 - exp(ratio))^(k-1), each branch where it keeps all digits."""
    with np.errstate(divide="ignore"):
        rest = np.where(ratio > -0.69, np.log(-np.expm1(ratio)), np.log1p(-np.exp(np.minimum(ratio, -0.69))))
        power = (k - 1) * rest
        near = np.log(-np.expm1(power))
    return np.asarray(np.where(ratio < -40.0, np.log(k - 1) + ratio, near))


def _interpolated(q: FloatArray, k: int) -> FloatArray:
    """Interpolate the logarithm on short Chebyshev pieces: its error is the relative error of p."""
    out = np.full(q.shape, -1e3)
    piece = np.minimum(q / _PIECE, _MOST_Q / _PIECE).astype(int)
    used = np.unique(piece[q <= _MOST_Q])
    nodes = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))
    centres = (used + 0.5) * _PIECE
    samples = _log_upper((centres[:, None] + nodes * _PIECE / 2).ravel(), k).reshape(len(used), -1)
    basis = np.polynomial.chebyshev.chebvander(nodes, _DEGREE)
    weights = np.where(np.arange(_DEGREE + 1) == 0, 1.0, 2.0) / (_DEGREE + 1)
    coefficients = weights * (samples @ basis)
    edges = np.searchsorted(piece, [used, used + 1])  # q is sorted, so each piece is a slice
    for j, (first, last) in enumerate(zip(*edges, strict=True)):
        x = (q[first:last] - centres[j]) / (_PIECE / 2)
        out[first:last] = np.polynomial.chebyshev.chebval(x, coefficients[j])
    return np.asarray(np.where(q > _MOST_Q, -1e3, np.minimum(out, 0.0)))
