"""Corrections that bound the false discovery rate: the expected share of mistakes among the rejections."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.stats.adjust._against_control import sorted_pvalues


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
    Benjamini, Y. and Hochberg, Y. (1995). doi:10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5])
    array([0.04      , 0.05333333, 0.05333333, 0.5       ])
    """
    return _step_up(pvalues, price=1.0)


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
    Benjamini, Y. and Yekutieli, D. (2001). doi:10.1214/aos/1013699998

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04]).round(4)
    array([0.03, 0.06])
    """
    count = np.size(pvalues)
    return _step_up(pvalues, price=float((1.0 / np.arange(1, count + 1)).sum()))


def _step_up(pvalues: npt.ArrayLike, *, price: float) -> FloatArray:
    """Adjust by m price / rank from the largest p-value down."""
    ordered, order = sorted_pvalues(pvalues)
    stepped = np.minimum(ordered * price * ordered.size / np.arange(1, ordered.size + 1), 1.0)
    out = np.empty_like(stepped)
    out[order] = np.minimum.accumulate(stepped[::-1])[::-1]
    return out
