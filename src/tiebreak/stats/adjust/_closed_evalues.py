"""A correction for many e-values: the closed test that averages, exactly, in the time it takes to sort."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats
from tiebreak.errors import InputError
from tiebreak.stats.adjust.all_pairs import affordable, algorithms_of, true_counts

MOST = 1e290
"""Larger e-values count as this, so that sums of them stay finite."""


def closed_evalues(evalues: npt.ArrayLike, *, all_pairs: bool = False) -> FloatArray:
    """Adjust e-values for their number, by the mean of every set of hypotheses that holds each.

    Hypothesis: each e-value has its own; rejecting those whose adjusted e-value is at least 1 / alpha keeps the
    family-wise error at alpha, whatever the dependence of the e-values, and at whatever time one stops.

    Formula: the mean of e-values is an e-value, so a set S of hypotheses is rejected where mean(e_S) >= 1 / alpha, and
    a hypothesis where all sets that hold it are. Adjusted e_i = min over S that hold i of mean(e_S). For one size s
    the smallest mean is that of e_i and the s - 1 smallest others. With `all_pairs` only sizes count that the equal
    pairs of L algorithms can have (Shaffer): 1, 3 and no 2 for three algorithms.

    Assumptions:

    1. Each e-value has an expectation of at most 1 where its hypothesis is true; at a time that depends on what was
       seen, it is the value of a martingale that knows the data of all of them.
    2. With `all_pairs` equality is transitive: if a = b and b = c, then a = c.

    When not to use it: on p-values (`holm`, `shaffer`, `bergmann_hommel`). 1 / (adjusted e-value) is a p-value that no
    correction by Holm of the p-values 1 / e falls below.

    Parameters
    ----------
    evalues : array_like, shape (..., hypotheses)
        One family per row, not negative.
    all_pairs : bool, default False
        Whether they are of all pairs of L algorithms, in the order of ``numpy.triu_indices(L, 1)``.

    Returns
    -------
    ndarray
        Adjusted e-values in the same shape.

    References
    ----------
    vovk2021, section 6
    marcus1976
    shaffer1986

    Examples
    --------
    >>> closed_evalues([60, 30, 0.5])
    array([30.16666667, 15.25      ,  0.5       ])
    >>> closed_evalues([60, 30, 0.5], all_pairs=True)
    array([30.16666667, 30.        ,  0.5       ])
    """
    e = np.minimum(_checked(evalues), MOST)
    if e.size == 0:
        return e.copy()
    below, above = _sizes(e.shape[-1], all_pairs=all_pairs)
    rows = e.reshape(-1, e.shape[-1])
    return np.stack([_adjusted(row, below, above) for row in rows]).reshape(e.shape)


def _checked(evalues: npt.ArrayLike) -> FloatArray:
    e = as_floats(evalues, what="evalues")
    bad = np.argwhere(~(e >= 0))
    if e.ndim == 0 or bad.size:
        what = "a single number" if e.ndim == 0 else f"{e[tuple(bad[0])]} at {tuple(int(i) for i in bad[0])}"
        raise InputError(
            f"evalues holds {what}.",
            why="A family is a row of e-values, and evidence is never negative.",
            mend="Pass one row of e-values per family, not their logarithms.",
        )
    return e


def _sizes(count: int, *, all_pairs: bool) -> tuple[IntArray, IntArray]:
    """For every size s = 0 .. count, the nearest that a set of true hypotheses can have: up to s, and from s on."""
    every = np.arange(count + 1)
    if not all_pairs:
        return np.maximum(every, 1), np.maximum(every, 1)
    algorithms = algorithms_of(count)
    possible = true_counts(algorithms)[1:]
    return np.maximum(affordable(algorithms), 1), possible[np.searchsorted(possible, every)]


def _adjusted(e: FloatArray, below: IntArray, above: IntArray) -> FloatArray:
    """Find for each hypothesis the size of the worst set that holds it, and take the possible sizes beside that.

    With the sorted e_(1), e_(2), ... the mean of e_i and the s - 1 smallest falls with s as long as e_(s) lies below
    it, s e_(s) - (e_(1) + ... + e_(s-1)) <= e_i. The left side never falls with s, so one search finds the turn; away
    from it the mean rises to both sides, so of the possible sizes the two nearest are enough.
    """
    order = np.argsort(e, kind="stable")
    x = e[order]
    sums = np.concatenate([[0.0], np.cumsum(x)])
    size = np.arange(1, x.size + 1)
    place = np.arange(x.size)
    turn = (
        np.minimum(np.searchsorted(size * x - sums[:-1], x, side="right"), place) + 1
    )  # beyond its own place it rises

    def mean(s: IntArray) -> FloatArray:
        own = place < s  # one of the s smallest itself
        return np.asarray(np.where(own, sums[s], sums[s - 1] + x) / s)

    out = np.empty_like(x)
    out[order] = np.minimum(mean(below[turn]), mean(above[turn]))
    return out
