"""All pairs: Shaffer's correction, how many pairs can be equal at once, and the closed test of e-values."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_pvalues, readonly
from tiebreak.errors import InputError
from tiebreak.stats.numeric.basics import floor_pvalue, stepped


def shaffer(pvalues: npt.ArrayLike) -> FloatArray:
    """Step down through all pairs, paying only for numbers of hypotheses that can be true together.

    Hypothesis: one per pair of L algorithms: the two are equal; the family-wise error is kept at alpha whatever
    the dependence of the p-values.

    Formula: S(L) holds the numbers of pairs that can be equal at once (sums of k (k - 1) / 2 over the blocks of a
    partition of L algorithms). For sorted p_(1) <= ... <= p_(m), m = L (L - 1) / 2, let t_i be the largest member
    of S(L) that is at most m - i + 1; adjusted p_(i) = max over j <= i of min(1, t_j p_(j)).

    Assumptions:

    1. The p-values are of all pairs, and equality is transitive: if a = b and b = c, then a = c.
    2. Each p-value is valid on its own.

    When not to use it: against a control (the logic of pairs is then absent; use `holm`), or where
    `bergmann_hommel` is within reach: it rejects all that this rejects, and more.

    Parameters
    ----------
    pvalues : array_like
        Either the L (L - 1) / 2 p-values in the order of ``numpy.triu_indices(L, 1)``, or a symmetric L x L matrix,
        whose diagonal is not read.

    Returns
    -------
    ndarray
        Adjusted p-values in the form given; the diagonal of a matrix is 1.

    References
    ----------
    shaffer1986

    Examples
    --------
    Four algorithms: of six pairs 0, 1, 2, 3 or 6 can be equal, so after one rejection three are paid for.

    >>> shaffer([0.004, 0.011, 0.3, 0.013, 0.6, 0.9])
    array([0.024, 0.033, 0.9  , 0.039, 1.   , 1.   ])
    """
    p, count, square = read_pairs(pvalues)
    adjusted = stepped(p, lambda p, left: np.minimum(p * affordable(count)[left], 1.0))  # Shaffer 1986: t_i
    return as_given(adjusted, count, square)


@lru_cache(maxsize=64)
def true_counts(count: int) -> IntArray:
    """List, in rising order, the numbers of pairs of `count` algorithms that can be equal at once.

    Bit s of ``sets[k]`` says that k algorithms can be partitioned with s pairs inside blocks; block sizes are
    admitted one after the other. Only totals on which a block of this size or a larger one can still be put are
    kept up to date.
    """
    sets = [1] * (count + 1)
    for size in range(2, count + 1):
        pairs = size * (size - 1) // 2
        for total in (*range(size, count - size + 1), count):
            sets[total] |= sets[total - size] << pairs
    length = count * (count - 1) // 2 + 1
    raw = np.frombuffer(sets[count].to_bytes((length + 7) // 8, "little"), dtype=np.uint8)
    return readonly(np.flatnonzero(np.unpackbits(raw, bitorder="little")).astype(np.int64))


@lru_cache(maxsize=64)
def affordable(count: int) -> IntArray:
    """Entry k is the largest possible number of equal pairs that is at most k, for k = 0 .. L (L - 1) / 2."""
    possible = true_counts(count)
    limit = np.arange(count * (count - 1) // 2 + 1)
    return readonly(possible[np.searchsorted(possible, limit, side="right") - 1])


def read_pairs(pvalues: npt.ArrayLike) -> tuple[FloatArray, int, bool]:
    """Return the p-values of all pairs as a vector, the number of algorithms, and whether a matrix was given."""
    array = as_floats(pvalues, what="pvalues")
    if array.ndim == 2:
        return _from_matrix(array), len(array), True
    if array.ndim != 1:
        raise InputError(
            f"pvalues has {array.ndim} dimension(s).",
            why="All pairs are a vector or a square matrix.",
            mend="Pass one p-value per pair.",
        )
    return floor_pvalue(check_pvalues(array)), algorithms_of(array.size), False


def algorithms_of(pairs: int) -> int:
    """Return the number L of algorithms that have this many pairs."""
    count = (1 + isqrt(1 + 8 * pairs)) // 2
    fewer, more = count * (count - 1) // 2, count * (count + 1) // 2
    if fewer != pairs:
        raise InputError(
            f"{pairs} p-values are not all pairs of any number of algorithms.",
            why=f"{count} algorithms have {fewer} pairs, {count + 1} have {more}.",
            mend="Pass every pair once, or use holm(...) for other families.",
        )
    return count


def as_given(adjusted: FloatArray, count: int, square: bool) -> FloatArray:
    """Return a vector of all pairs in the form it was given in; the diagonal of a matrix is 1."""
    if not square:
        return adjusted
    matrix = np.ones((count, count))
    a, b = np.triu_indices(count, 1)
    matrix[a, b] = matrix[b, a] = adjusted
    return matrix


def _from_matrix(array: FloatArray) -> FloatArray:
    """Return the upper triangle of a symmetric matrix of p-values, row by row."""
    if array.shape[0] != array.shape[1]:
        raise InputError(
            f"pvalues has {array.shape[0]} rows and {array.shape[1]} columns.",
            why="A matrix of all pairs is square.",
            mend="Pass the L x L matrix, or one vector of p-values.",
        )
    matrix = array.copy()
    np.fill_diagonal(matrix, 1.0)
    matrix = check_pvalues(matrix)
    uneven = np.argwhere(np.abs(matrix - matrix.T) > 1e-9 * np.minimum(matrix, matrix.T))
    if uneven.size:
        i, j = (int(index) for index in uneven[0])
        raise InputError(
            f"pvalues[{i}, {j}] is {matrix[i, j]} and pvalues[{j}, {i}] is {matrix[j, i]}.",
            why="A pair has one p-value, whichever algorithm is named first.",
            mend="Pass two-sided p-values, or the upper triangle as a vector.",
        )
    return floor_pvalue(matrix[np.triu_indices(len(matrix), 1)])


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
        mask = place < s  # one of the s smallest itself
        return np.asarray(np.where(mask, sums[s], sums[s - 1] + x) / s)

    out = np.empty_like(x)
    out[order] = np.minimum(mean(below[turn]), mean(above[turn]))
    return out
