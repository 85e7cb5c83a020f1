"""Single-step corrections: every hypothesis pays the full price."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_pvalues


def unadjusted(pvalues: npt.ArrayLike) -> FloatArray:
    """Return the p-values as they are.

    Hypothesis: each p-value has its own; nothing is controlled over all of them.
    Formula: p_i.
    Assumptions: none.
    When not to use it: to declare several differences at once.

    References
    ----------
    Rothman, K. J. (1990). No adjustments are needed for multiple comparisons. doi:10.1097/00001648-199001000-00010

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
    Dunn, O. J. (1961). doi:10.1080/01621459.1961.10482090

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5])
    array([0.03, 0.12, 1.  ])
    """
    p = check_pvalues(pvalues, flat=True)
    return np.minimum(p * p.size, 1.0)


def sidak(pvalues: npt.ArrayLike) -> FloatArray:
    """Adjust as if the p-values were independent.

    Hypothesis: each p-value has its own; the family-wise error is kept exactly at alpha when all hypotheses
    are true and independent.
    Formula: 1 - (1 - p_i)^m, evaluated without cancellation.
    Assumptions: independent, or positively orthant dependent, p-values.
    When not to use it: under unknown dependence; use `holm`.

    References
    ----------
    Sidak, Z. (1967). doi:10.1080/01621459.1967.10482935

    Examples
    --------
    >>> sidak([0.01, 0.04]).round(4)
    array([0.0199, 0.0784])
    """
    p = check_pvalues(pvalues, flat=True)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(p.size * np.log1p(-p)))
