"""Bergmann and Hommel's correction for all pairs: the sharpest that the logic of pairs allows, exactly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, as_floats, check_finite, check_pvalues
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.adjust._bh_any import LIMIT, adjust_any
from tiebreak.stats.adjust._bh_line import adjust_line
from tiebreak.stats.adjust.all_pairs import algorithms_of, as_given, read_pairs
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.wording import any_of, either


def bergmann_hommel(
    pvalues: npt.ArrayLike, *, positions: npt.ArrayLike | None = None, monotone: bool = False
) -> FloatArray:
    """Reject a pair unless some accepted set of hypotheses that can be exactly the true ones holds it.

    Hypothesis: one per pair of L algorithms: the two are equal; if each p-value is valid (assumption 2), the
    family-wise error is kept at alpha whatever their dependence.

    Formula: if all algorithms of each block of a partition are equal, and none across blocks, exactly the pairs
    inside blocks are true. Adjusted p(a, b) = max over the partitions in which a and b share a block of
    (number of pairs inside blocks) x (smallest p inside blocks), at most 1.

    Assumptions:

    1. The p-values are of all pairs, and equality is transitive: if a = b and b = c, then a = c.
    2. The p-value of each true pair is valid, P(p <= u) <= u for every u, whatever is true of the other pairs. The z
       tests on mean ranks do not ensure it: where other algorithms differ, or vary more, their error can exceed alpha.

    When not to use it: against a control (use `holm`). Adjusted values are not ordered as the raw ones are: a pair
    with the larger p-value can have the smaller adjusted one, where logic allows it; `monotone=True` hides that at
    the price of power.

    Parameters
    ----------
    pvalues : array_like
        Either the L (L - 1) / 2 p-values in the order of ``numpy.triu_indices(L, 1)``, or a symmetric L x L matrix,
        whose diagonal is not read.
    positions : array_like, shape (L,), optional
        Where the algorithms lie on a line (their mean ranks) if the p-values are a function of the distance that
        never rises, such as z tests on mean ranks. Then the time is polynomial in L. Distances that agree to
        twelve digits count as equal.
    monotone : bool, default False
        Whether to raise each adjusted value to the largest among those of the raw p-values up to its own, as printed
        tables do. The default inverts the procedure itself.

    Returns
    -------
    ndarray
        Adjusted p-values in the form given; the diagonal of a matrix is 1.

    Raises
    ------
    OptionError
        Without positions for more than 14 algorithms.
    InputError
        With positions that the p-values contradict.

    References
    ----------
    bergmann1988
    garcia2008

    Examples
    --------
    >>> bergmann_hommel([0.004, 0.011, 0.3, 0.013, 0.6, 0.9])
    array([0.024, 0.033, 0.3  , 0.039, 0.6  , 0.9  ])

    Six algorithms on 30 data sets, z tests on mean ranks:

    >>> from scipy.special import ndtr
    >>> ranks = np.array([1.8, 2.3, 3.4, 3.6, 4.4, 5.5])
    >>> a, b = np.triu_indices(6, 1)
    >>> p = 2 * ndtr(-np.abs(ranks[a] - ranks[b]) / np.sqrt(6 * 7 / (6 * 30)))
    >>> (bergmann_hommel(p, positions=ranks) <= 0.05).sum()
    np.int64(10)
    """
    p, count, square = read_pairs(pvalues)
    if positions is None:
        _check_reach(count)
        adjusted, ordering = adjust_any(p[None], count)[0], p
    elif count < 2:
        adjusted, ordering = p.copy(), p
    else:
        adjusted, ordering = adjust_line(p, _check_positions(positions, count))
    if monotone:
        adjusted = _running_maximum(adjusted[None], ordering[None])[0]
    return as_given(adjusted, count, square)


def bergmann_hommel_rows(pvalues: npt.ArrayLike, *, monotone: bool = False) -> FloatArray:
    """Apply `bergmann_hommel` to every row: one family of all pairs per data set.

    Hypothesis: as for `bergmann_hommel`; each row is a family of its own.
    Formula, assumptions and when not to use it: as there. Up to nine algorithms all rows are worked on at once.

    Parameters
    ----------
    pvalues : array_like, shape (..., L (L - 1) / 2)
        The last axis in the order of ``numpy.triu_indices(L, 1)``.
    monotone : bool, default False

    Returns
    -------
    ndarray
        Adjusted p-values in the same shape.

    References
    ----------
    ulas2012

    Examples
    --------
    >>> bergmann_hommel_rows([[0.01, 0.02, 0.6], [0.03, 0.03, 0.02]])
    array([[0.03, 0.03, 0.6 ],
           [0.06, 0.06, 0.06]])
    """
    p = floor_pvalue(check_pvalues(pvalues))
    if p.ndim == 0:
        raise InputError(
            "pvalues is a single number.",
            why="The last axis holds all pairs of a family.",
            mend="Pass one row of p-values per family.",
        )
    count = algorithms_of(p.shape[-1])
    _check_reach(count)
    rows = p.reshape(-1, p.shape[-1])
    adjusted = adjust_any(rows, count)
    return (_running_maximum(adjusted, rows) if monotone else adjusted).reshape(p.shape)


def _check_reach(count: int) -> None:
    """Refuse more algorithms than the exact search can handle."""
    if count > LIMIT:
        raise OptionError(
            f"{count} algorithms are too many for Bergmann-Hommel with p-values of any origin.",
            why=f"The time of the exact search triples with every algorithm; it ends at {LIMIT}.",
            mend=either(
                "Use shaffer(...) or holm(...); or pass positions=mean_ranks if the p-values come from differences of"
                " mean ranks.",
                f"Use {any_of('posthoc', ['shaffer', 'holm'])}.",
            ),
        )


def _check_positions(positions: npt.ArrayLike, count: int) -> FloatArray:
    """Return one finite position per algorithm."""
    x = as_floats(positions, what="positions")
    if x.shape != (count,):
        raise InputError(
            f"positions has shape {x.shape} for {count} algorithms.",
            why="Every algorithm lies at one place on the line.",
            mend=f"Pass the {count} mean ranks.",
        )
    check_finite(x, what="positions")
    return x


def _running_maximum(adjusted: FloatArray, ordering: FloatArray) -> FloatArray:
    """Give every hypothesis the largest adjusted value among those whose raw p-value is not above its own."""
    out = np.empty_like(adjusted)
    for row, p, result in zip(adjusted, ordering, out, strict=True):
        order = np.argsort(p, kind="stable")
        largest = np.maximum.accumulate(row[order])
        result[:] = largest[np.searchsorted(p[order], p, side="right") - 1]
    return out
