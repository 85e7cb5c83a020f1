"""Tail probabilities used by the tests; each keeps its relative accuracy far out and never returns 0."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray

TINY = float(np.finfo(np.float64).tiny)
"""The smallest p-value reported: what lies below it is printed as this number, not as 0."""


def floor_pvalue(p: npt.ArrayLike) -> FloatArray:
    """Keep p-values within (0, 1]: an underflow becomes the smallest normal number."""
    return np.clip(np.asarray(p, dtype=np.float64), TINY, 1.0)


def normal_two_sided(z: npt.ArrayLike) -> FloatArray:
    """P(abs(Z) >= abs(z)) for a standard normal Z."""
    return floor_pvalue(2.0 * special.ndtr(-np.abs(np.asarray(z, dtype=np.float64))))


def chi2_upper(x: npt.ArrayLike, df: npt.ArrayLike) -> FloatArray:
    """P(X >= x) for chi-squared with `df` degrees of freedom."""
    return floor_pvalue(special.chdtrc(np.asarray(df, dtype=np.float64), np.asarray(x, dtype=np.float64)))


def f_upper(x: npt.ArrayLike, df1: npt.ArrayLike, df2: npt.ArrayLike) -> FloatArray:
    """P(X >= x) for the F distribution.

    Written as the regularised incomplete beta function of df2/(df2 + df1 x), which keeps its
    relative accuracy where one minus the distribution function would cancel; where that share is
    near 1, and rounding it would cost digits, as the complement for the rest df1 x/(df2 + df1 x).
    """
    x, df1, df2 = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (x, df1, df2)))
    with np.errstate(invalid="ignore"):
        rest = np.where(np.isinf(x), 1.0, df1 * x / (df2 + df1 * x))
        share = np.where(np.isinf(x), 0.0, df2 / (df2 + df1 * x))
    near, p = rest <= 0.5, np.full(x.shape, np.nan)
    special.betaincc(df1 / 2, df2 / 2, rest, out=p, where=near)
    special.betainc(df2 / 2, df1 / 2, share, out=p, where=~near)
    return floor_pvalue(p)


def t_two_sided(t: npt.ArrayLike, df: npt.ArrayLike) -> FloatArray:
    """P(abs(T) >= abs(t)) for Student's t: the F tail of its square."""
    return f_upper(np.square(np.asarray(t, dtype=np.float64)), 1.0, df)


def half_binomial_lower(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X <= k) for X binomial with n trials of probability one half."""
    inside = np.asarray(special.betainc(np.maximum(n - k, 1.0), k + 1.0, 0.5))
    return np.where(k >= n, 1.0, inside)
