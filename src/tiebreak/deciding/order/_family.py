"""Which comparisons are counted: those of all pairs, or those of each algorithm with the others."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.methods import find
from tiebreak.stats import PairwiseResult

ALL, OWN = "all", "own"
FAMILIES = (ALL, OWN)


def keeps_any(correction: str) -> bool:
    """Say whether a correction of all pairs keeps the chance of any mistake."""
    return bool(find(correction, "correction").promise.keeps == "any test")


def usual_family(correction: str, count: int) -> str:
    """Return which comparisons are counted on items and in votes, unless told.

    A correction that lets more than its share of mistakes pass shows more than the comparisons of each do: it decides.
    """
    return OWN if count < 3 or keeps_any(correction) else ALL


def own_adjusted(pvalue: FloatArray, count: int) -> FloatArray:
    """Correct p-values of pairs for the comparisons of one algorithm with each of the others."""
    return np.minimum(np.asarray(pvalue) * (count - 1), 1.0)


def shown_better(
    a: IntArray, b: IntArray, pvalue: FloatArray, toward_b: FloatArray, better: BoolArray, alpha: float
) -> BoolArray:
    """Say who is shown to be better than whom where each algorithm's own comparisons are counted.

    Hypothesis: of each algorithm that none of the others is better.

    Formula: j is shown to be better than i where it is ahead and ``p(i, j) (k - 1) <= alpha``, or where the tests of
    all pairs show it. An algorithm has k - 1 comparisons: by these one that is no better is shown to be better than it
    with a probability of alpha at most (Bonferroni), and of alpha / 2 where the tails of the tests are alike: each
    comparison can go wrong in one direction alone. The tests of all pairs, if they keep the chance of any mistake at
    alpha, add few: in simulated tables with 2 to 60 algorithms both together stay near alpha / 2. So the best is among
    those that nobody is shown to be better than (Gupta 1965, Hsu 1984). That no algorithm at all is put wrongly takes
    the tests of all k (k - 1) / 2 pairs, and of these most say nothing about the best.

    Assumptions: p-values are two-sided and hold for each pair; the pairs may hang together; the correction by which
    `better` was found keeps the chance of any mistake.
    When not to use it: for a statement about a pair that was picked from all of them.

    Parameters
    ----------
    a, b : ndarray of int, shape (pairs,)
        The two algorithms of each pair.
    pvalue, toward_b : ndarray, shape (..., pairs)
        The p-values before any correction, and a statistic that is positive where b is ahead.
    better : ndarray of bool, shape (..., algorithms, algorithms)
        ``better[..., i, j]``: the tests of all pairs show j to be better than i.
    alpha : float

    Returns
    -------
    ndarray of bool, shape (..., algorithms, algorithms)
        Of i, the row, and j, the column: j is shown to be better than i.

    References
    ----------
    hsu1984
    gupta1965

    Examples
    --------
    The third is not told from the first once all three pairs are counted, but is with its own two:

    >>> a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> p, none = np.array([0.7, 0.02, 0.03]), np.zeros((3, 3), dtype=bool)
    >>> np.argwhere(shown_better(a, b, p, np.array([-0.4, -2.3, -2.2]), none, 0.05)).tolist()
    [[2, 0]]
    """
    told = own_adjusted(pvalue, better.shape[-1]) <= alpha
    shown = better.copy()
    shown[..., a, b] |= told & (toward_b > 0)
    shown[..., b, a] |= told & (toward_b < 0)
    return shown


def shown_by(tests: PairwiseResult, better: BoolArray, family: str, alpha: float) -> BoolArray:
    """Return who is shown to be better than whom, by the comparisons that are counted."""
    if family == ALL:
        return better
    return shown_better(tests.a, tests.b, tests.pvalue, np.asarray(tests.statistic), better, alpha)


def family_sentences(family: str, correction: str, count: int, alpha: float) -> list[str]:
    """Say which comparisons are counted in an order of so many; nothing where all pairs are."""
    if family == ALL or count < 3:
        return []
    own = f"In the order the {count - 1} comparisons of each with the others are counted"
    pairs = f"{count * (count - 1) // 2:,} pairs"
    if not keeps_any(correction):
        return [f"{own} beside the {pairs}; nothing bounds how often another is shown to be better than the best."]
    wrong = f"with a probability of {alpha:g} at most another is shown to be better than the best one, wrongly"
    return [f"{own}, not all {pairs}: {wrong}."]
