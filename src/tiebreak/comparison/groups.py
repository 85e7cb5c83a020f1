"""What tests of pairs show: groups without a significant difference, what is promised, how many data sets it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.methods import Method
from tiebreak.stats import CORRECTIONS

if TYPE_CHECKING:
    from tiebreak.stats.multivariate.per_measure import PerMeasureResult

MOST_GROUPS = 10_000
"""More groups than these are of no use to anyone; listing stops there and a caveat says so."""
MOST_LETTERS = 26
"""An algorithm in more groups than these is not marked by letters."""


def maximal_cliques(alike: BoolArray, *, limit: int = MOST_GROUPS) -> tuple[list[list[int]], bool]:
    """List the maximal cliques of the graph "no significant difference".

    Hypothesis: none; this reads the decisions of a post hoc test.
    Formula: Bron and Kerbosch's search with pivoting, on sets of bits.
    Assumptions: `alike` is symmetric.
    When not to use it: to conclude that members of a group are equal; they do not differ significantly, no more.

    Parameters
    ----------
    alike : ndarray of bool, shape (algorithms, algorithms)
        Whether a pair shows no significant difference.
    limit : int
        Stop after so many cliques.

    Returns
    -------
    cliques : list of list of int
        Each sorted; in the order of their first members, then their last. An algorithm that differs from all
        others is a clique of its own.
    complete : bool
        False if the listing stopped at the limit.

    References
    ----------
    bron1973

    Examples
    --------
    >>> import numpy as np
    >>> maximal_cliques(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    ([[0, 1], [1, 2]], True)
    """
    count = len(alike)
    neighbours = [sum(1 << j for j in range(count) if j != i and alike[i, j]) for i in range(count)]
    cliques: list[list[int]] = []
    for clique in _search(neighbours, (1 << count) - 1):
        if len(cliques) == limit:
            return sorted(cliques), False
        cliques.append(list(_bits(clique)))
    return sorted(cliques), True


def groups_without(a: IntArray, b: IntArray, names: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the groups in which no pair of `a` and `b` stands together, and whether these are all."""
    differ = np.zeros((len(names), len(names)), dtype=bool)
    differ[a, b] = True
    return named_groups(differ, range(len(names)), names)


def named_groups(
    better: BoolArray, order: Sequence[int], names: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the groups without a significant difference, members in this order, and whether these are all."""
    cliques, complete = maximal_cliques(~(better | better.T)[np.ix_(order, order)])
    return tuple(tuple(names[order[i]] for i in clique) for clique in cliques), complete


def _search(neighbours: Sequence[int], everyone: int) -> Iterator[int]:
    """Yield maximal cliques as sets of bits; a stack instead of recursion, so that depth is no limit."""
    stack = [(0, everyone, 0)]
    while stack:
        chosen, open_, closed = stack.pop()
        if not open_ and not closed:
            yield chosen
            continue
        pivot = max(_bits(open_ | closed), key=lambda v: (open_ & neighbours[v]).bit_count())
        for vertex in _bits(open_ & ~neighbours[pivot]):
            bit = 1 << vertex
            stack.append((chosen | bit, open_ & neighbours[vertex], closed & neighbours[vertex]))
            open_ &= ~bit
            closed |= bit


def _bits(bits: int) -> Iterator[int]:
    """Yield the set bits from the lowest; `bits & -bits` leaves only that one."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def letters(cliques: Sequence[Sequence[int]], count: int) -> list[str]:
    """Give every group a letter and every algorithm the letters of its groups.

    Examples
    --------
    >>> letters([[0, 1], [1, 2]], 3)
    ['a', 'ab', 'b']
    """
    out = [""] * count
    for number, clique in enumerate(cliques):
        for member in clique:
            out[member] += _letter(number)
    return out


def too_many_letters(groups: Sequence[Sequence[object]]) -> bool:
    """Say whether some algorithm would have more letters than anybody reads."""
    count = Counter(member for group in groups for member in group)
    return max(count.values(), default=0) > MOST_LETTERS


def _letter(number: int) -> str:
    """After z come the capitals, then a1, b1: a table with over 52 groups still has distinct letters."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    rounds, place = divmod(number, len(alphabet))
    return alphabet[place] + (str(rounds) if rounds else "")


def measure_groups(per: PerMeasureResult, measure: int, *, alpha: float) -> tuple[tuple[str, ...], ...]:
    """Return the sets without a significant difference by one measure alone, members best first."""
    differs = per.rejected_pairs(alpha=alpha)[measure]
    differ = np.zeros((len(per.algorithms), len(per.algorithms)), dtype=bool)
    differ[per.a[differs], per.b[differs]] = True
    return named_groups(differ, per.order[measure], per.algorithms)[0]


# ---- the best algorithm


def best_of_groups(groups: Sequence[Sequence[str]], *, by_rank: Sequence[str], by_cost: Sequence[str]) -> str | None:
    """Find the best algorithm from groups without a significant difference; None where they do not decide.

    Hypothesis: none of its own; it reads the groups of a post hoc test.
    Formula: the candidate is the cheapest algorithm of the group that holds the lowest mean rank. It is the best if
    it is in no other group; otherwise the groups do not decide.
    Assumptions: groups are maximal sets without a significant difference.
    When not to use it: where the whole order is wanted.

    Parameters
    ----------
    groups : sequence of sequences of str
        Those of one member may be left out.
    by_rank : sequence of str
        All algorithms, lowest mean rank first.
    by_cost : sequence of str
        All algorithms, cheapest first.

    Returns
    -------
    str or None

    References
    ----------
    ulas2012

    Examples
    --------
    Numbers are the order of cost; (4 3 2) 1 means that 1 differs from the rest:

    >>> best_of_groups([["4", "3", "2"]], by_rank="4321", by_cost="1234")
    '2'
    >>> best_of_groups([["4", "3", "2"], ["3", "2", "1"]], by_rank="4321", by_cost="1234") is None
    True
    """
    several = [set(group) for group in groups if len(group) > 1]
    holding = [group for group in several if by_rank[0] in group] or [{by_rank[0]}]
    candidate = next(name for name in by_cost if name in holding[0])
    alone = len(holding) == 1 and not any(candidate in group for group in several if group != holding[0])
    return candidate if alone else None


# ---- what the tests promise, and how many data sets they take

TIMES_ALL = ("bonferroni", "holm", "shaffer", "bergmann-hommel")
"""Corrections by which the smallest p-value is multiplied by the number of pairs."""


def fewest_signs(times: int, alpha: float) -> int:
    """Return how many signs it takes before any can reject: n of them have no p-value below 2^(1 - n).

    Examples
    --------
    >>> fewest_signs(1, 0.05), fewest_signs(15, 0.05)
    (6, 10)
    """
    return ceil(1.0 + log2(times / alpha) - 1e-9)


def hidden_pairs(adjusted: FloatArray, omnibus_p: float, alpha: float) -> list[Caveat]:
    """Count the differences that an omnibus test hides: those p-values are printed, and would be read as such."""
    count = int((adjusted <= alpha).sum())
    if not count or omnibus_p <= alpha:
        return []
    text = f"The omnibus test does not reject, so no pair is called different, although {count} adjusted p-value(s)"
    return [Caveat("omnibus-hides-pairs", f"{text} lie at or below alpha.")]


def promise_caveats(correction: Method | None, pairs: int) -> list[Caveat]:
    """Say what a correction does not promise."""
    if correction is None or pairs < 2 or correction.promise.keeps == "any test":
        return []
    keeps = correction.promise.keeps
    if keeps == "share":
        text = "The correction controls the false discovery rate, not the family-wise error rate."
        return [Caveat("weak-correction", text)]
    if correction.name == "none":
        text = f"The p-values of {pairs} pairs are not corrected: some differences will be chance."
        return [Caveat("weak-correction", text)]
    name = correction.name
    text = f"The correction {name} does not control the family-wise error rate where some differences are real."
    return [Caveat("weak-correction", text)]


def fewest_datasets(pairs: int, adjust: str, alpha: float) -> int:
    """Return how many data sets it takes before a test that counts signs can reject after the correction.

    n signs have a smallest two-sided p-value of 2^(1 - n). All pairs at it is the easiest case for any correction.

    Examples
    --------
    >>> fewest_datasets(1, "holm", 0.05), fewest_datasets(28, "bergmann-hommel", 0.05)
    (6, 11)
    """
    correct = CORRECTIONS["shaffer" if adjust == "bergmann-hommel" else adjust]
    most = 2 + ceil(log2(max(2, pairs)) + 1 - log2(alpha))
    for count in range(2, most):
        if float(correct(np.full(max(1, pairs), 2.0 ** (1 - count))).min()) <= alpha:
            return count
    return most
