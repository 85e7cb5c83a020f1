"""How many standard errors intervals of several differences reach to either side, so that all hold together."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import log, sqrt

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray
from tiebreak.stats.numeric.multivariate_t import dunnett_upper, studentized_range_upper


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
