"""The range of normal variables and Dunnett's maximum, to full relative accuracy far into the tail.

The largest of k standard normals has density k phi(z) Phi(z)^(k-1); given it, the range exceeds q unless all
others lie in (z - q, z). Hence

    P(range > q) = k * integral phi(z) Phi(z)^(k-1) (1 - (1 - Phi(z-q)/Phi(z))^(k-1)) dz.

Every factor is positive and the bracket is evaluated in logarithms, so nothing cancels. The integrand is
an entire function that decays like a Gaussian around q/2, for which the plain trapezoidal rule converges
faster than any power of the step: 361 nodes give about fourteen digits.

With finite degrees of freedom the range, or Dunnett's maximum, tail(w) = P(maximum >= w), is divided by an independent
estimate s of the standard deviation. With v = log w and s = exp(v) / q,

    P(maximum / s >= q) = integral exp(c + df (v - log q) - df/2 exp(2 (v - log q))) tail(exp(v)) dv,
    c = log 2 + df/2 log(df/2) - lgamma(df/2).

At its peak the logarithm of the integrand has second derivative close to -2 df, whatever q; to the left it falls with
slope df, to the right faster than any exponential. So a trapezoidal rule with steps of a part of 1 / sqrt(2 df) around
the peak converges faster than any power, and because the nodes lie on one lattice in v, the tails are computed once for
all q.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import lgamma, log, sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_alpha
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.basics import floor_pvalue

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
        In the shape of `q`; never 0 (see `tiebreak.stats.numeric.basics.TINY`).

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
            "q is negative or NaN, or k is below 2.", mend="Pass abs(z) * sqrt(2) and the number of algorithms."
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
        raise OptionError(f"k is {k}.", mend="Pass k of at least 2.")
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


LogTail = Callable[[FloatArray], FloatArray]
_DROP = 40.0  # the integrand is followed until it has fallen by exp(-40)
_LARGEST = 76.0  # beyond it a normal tail lies below the smallest number
_CHUNK = 512
_FROM_ZERO = np.arange(361)


def studentized_range_upper(q: npt.ArrayLike, *, k: int, df: float) -> FloatArray:
    """P(range of k means in standard errors >= q), the error estimated with df degrees of freedom.

    Hypothesis: k normal means share one expectation.
    Formula: see the head of this module; the range's own tail is that of `range_upper`, to which this
    converges as df grows. Relative error below 1e-10 down to 1e-300.
    Assumptions: independent normal variables with one variance; the estimate of it independent of them.
    When not to use it: on rank means, whose variance is known (`range_upper`).

    Parameters
    ----------
    q : array_like
        Non-negative; for two means, sqrt(2) times the absolute t statistic. Infinity is allowed.
    k : int
        The number of means, at least 2.
    df : float
        Degrees of freedom, at least 1; infinity is allowed.

    Returns
    -------
    ndarray
        In the shape of `q`; never 0 (see `tiebreak.stats.numeric.basics.TINY`).

    References
    ----------
    copenhaver1988

    Examples
    --------
    >>> float(studentized_range_upper(3.958, k=4, df=20).round(4))  # tables print q(.05; 4, 20) = 3.958
    0.05
    """
    return _upper(q, k, df, lambda w: _log_upper(w, int(k)))


def dunnett_upper(t: npt.ArrayLike, *, k: int, df: float) -> FloatArray:
    """P(largest absolute t of k - 1 comparisons with a control >= t), two-sided.

    Hypothesis: k normal means, one of them the control's, share one expectation.
    Formula: see the head of this module, with tail(w) = integral phi(x) (1 - (Phi(x + sqrt(2) w) -
    Phi(x - sqrt(2) w))^(k-1)) dx: the statistics are correlated by 1/2 through the control. Relative error
    below 1e-10 down to 1e-300.
    Assumptions: independent normal variables with one variance; the estimate of it independent of them; as
    many observations of every mean.
    When not to use it: with unequal numbers of observations, where the correlation is not 1/2.

    Parameters
    ----------
    t : array_like
        Non-negative absolute t statistics. Infinity is allowed.
    k : int
        The number of means with the control, at least 2.
    df : float
        Degrees of freedom, at least 1; infinity is allowed.

    Returns
    -------
    ndarray
        In the shape of `t`; never 0 (see `tiebreak.stats.numeric.basics.TINY`).

    References
    ----------
    dunnett1955
    dunnett1964

    Examples
    --------
    >>> float(dunnett_upper(2.57, k=3, df=10).round(3))  # Dunnett 1964 prints 2.57 for two treatments
    0.05
    """
    return _upper(t, k, df, lambda w: _log_dunnett(w, int(k) - 1))


def _upper(q: npt.ArrayLike, k: int, df: float, log_tail: LogTail) -> FloatArray:
    """Compute each distinct statistic once: all pairs of a table repeat many."""
    values = np.asarray(q, dtype=np.float64)
    if np.isnan(values).any() or (values < 0).any() or int(k) < 2 or not df >= 1:
        raise OptionError(
            "The statistic is negative or NaN, or k is below 2, or df is below 1.",
            mend="Pass absolute statistics, the number of algorithms and the error's degrees of freedom.",
        )
    distinct, where = np.unique(values.ravel(), return_inverse=True)
    logs = np.where(distinct > 0, -np.inf, 0.0)
    inner = (distinct > 0) & np.isfinite(distinct)
    if inner.any():
        logs[inner] = _log_studentized(distinct[inner], float(df), log_tail)
    return floor_pvalue(np.exp(logs))[where].reshape(values.shape)


def _log_studentized(q: FloatArray, df: float, log_tail: LogTail) -> FloatArray:
    """Logarithm of E tail(q s) by the trapezoidal rule, for every q."""
    if np.isinf(df):
        return _in_chunks(log_tail, np.minimum(q, 1e6))
    log_q = np.log(np.clip(q, 1e-15, 1e300))
    step = min(0.1, 0.6 / sqrt(2 * df))
    reach = sqrt(_DROP / df)
    offsets = np.arange(-int((reach + _DROP / df) / step) - 1, int(reach / step) + 2)
    lattice = np.rint(_peaks(log_q, df, log_tail) / step).astype(np.int64)[:, None] + offsets
    used, place = np.unique(lattice, return_inverse=True)
    tails = _in_chunks(log_tail, np.exp(used * step))[place.reshape(lattice.shape)]
    u = np.asarray(lattice * step - log_q[:, None], dtype=np.float64)
    terms = _log_density(u, df) + tails
    return np.asarray(np.minimum(special.logsumexp(terms, axis=1) + log(step), 0.0))


def _peaks(log_q: FloatArray, df: float, log_tail: LogTail) -> FloatArray:
    """Find v where the integrand is largest: df (1 - exp(2 (v - log q))) + d/dv log tail(exp(v)) = 0.

    Solved for log q this is an increasing function of v, which is tabulated and inverted.
    """
    v = np.arange(min(log_q.min() - 0.2, -2.0), min(log_q.max(), log(_LARGEST)) + 0.3, 0.1)
    slope = np.gradient(_in_chunks(log_tail, np.exp(v)), v) / df
    v, slope = v[slope > -0.999], slope[slope > -0.999]
    return np.asarray(np.interp(log_q, v - 0.5 * np.log1p(np.minimum(slope, 0.0)), v))


def _log_density(u: FloatArray, df: float) -> FloatArray:
    """Log density of u = log s, in differences from its peak at 0 so that a large df costs no digits."""
    a = df / 2
    if a < 50:
        rest = lgamma(a) - (a - 0.5) * log(a) + a - 0.5 * log(2 * np.pi)
    else:
        rest = 1 / (12 * a) - 1 / (360 * a**3) + 1 / (1260 * a**5)  # Stirling's series for the same
    return np.asarray(log(2) + 0.5 * log(a / (2 * np.pi)) - rest - a * (np.expm1(2 * u) - 2 * u))


def _in_chunks(log_tail: LogTail, w: FloatArray) -> FloatArray:
    """Bound the memory: each value of w takes a few hundred nodes."""
    return np.concatenate([log_tail(w[i : i + _CHUNK]) for i in range(0, len(w), _CHUNK)])


def _log_dunnett(w: FloatArray, m: int) -> FloatArray:
    """Log P(max over m of abs(X_j - X_0) / sqrt(2) >= w) for standard normals, integrated over X_0 = x >= 0.

    The integrand is even in x, so half of it, with half the weight at 0, is all of it.
    """
    reach = w[:, None] * sqrt(2)
    x = (np.maximum(np.rint(reach / (2 * _STEP)) - 180, 0.0) + _FROM_ZERO) * _STEP
    outside = np.minimum(np.logaddexp(special.log_ndtr(x - reach), special.log_ndtr(-x - reach)), 0.0)
    terms = log(2) - 0.5 * x**2 - 0.5 * log(2 * np.pi) + _log_bracket(outside, m + 1)
    terms[x == 0.0] -= log(2)
    return np.asarray(np.minimum(special.logsumexp(terms, axis=1) + log(_STEP), 0.0))


@lru_cache(maxsize=256)
def critical_value(alpha: float, count: int, control: bool, *, df: float, adjust: str) -> tuple[float, str]:
    """Return how many standard errors an interval reaches to either side, and in words by which distribution.

    Examples
    --------
    >>> value, words = critical_value(0.05, 4, False, df=np.inf, adjust="sharpest")
    >>> round(value, 3), words  # Demsar 2006, Table 5
    (2.569, 'range of all of them')
    """
    if adjust == "bonferroni":
        pairs = count - 1 if control else count * (count - 1) // 2
        upper = alpha / (2 * pairs)
        quantile = special.ndtri(upper) if np.isinf(df) else special.stdtrit(df, upper)
        return -float(quantile), "Bonferroni over the pairs"
    if control:
        return _inverse(lambda t: dunnett_upper(t, k=count, df=df), alpha), "Dunnett's maximum against the control"
    value = _inverse(lambda q: studentized_range_upper(q, k=count, df=df), alpha) / sqrt(2)
    return value, "range of all of them"


def _inverse(upper: Callable[[float], FloatArray], alpha: float) -> float:
    """Return where an upper tail is alpha; on the logarithm, which is nearly straight."""
    from scipy import optimize  # late: it takes longer to load than all of this package

    high = 4.0
    while float(upper(high)) > alpha and high < 1e6:
        high *= 2
    return float(optimize.brentq(lambda x: log(float(upper(x))) - log(alpha), 0.0, high, xtol=1e-12, rtol=1e-14))
