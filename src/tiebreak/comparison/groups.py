"""Groups: the maximal sets of algorithms no two of which differ significantly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._brief import shortened
from tiebreak._checks import BoolArray, IntArray
from tiebreak.documents import Framed
from tiebreak.errors import InputError, unknown_name

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
    found: list[list[int]] = []
    for clique in _search(neighbours, (1 << count) - 1):
        if len(found) == limit:
            return sorted(found), False
        found.append(_members(clique))
    return sorted(found), True


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
    """Walk the set bits from the lowest; `bits & -bits` leaves only that one."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _members(bits: int) -> list[int]:
    return list(_bits(bits))


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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Best(Framed):
    """The best algorithm, None where the groups do not decide, with the reason."""

    algorithm: str | None
    text: str

    def __repr__(self) -> str:
        return shortened(f"<Best: {self.text}>")


def best_of_groups(
    groups: Sequence[Sequence[str]], *, by_rank: Sequence[str], by_cost: Sequence[str], cheapest: str = "the cheapest"
) -> Best:
    """Find the best algorithm from groups of algorithms without a significant difference.

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
    cheapest : str
        How the text calls the first of `by_cost`.

    Returns
    -------
    Best

    References
    ----------
    ulas2012

    Examples
    --------
    Numbers are the order of cost; (4 3 2) 1 means that 1 differs from the rest:

    >>> best_of_groups([["4", "3", "2"]], by_rank="4321", by_cost="1234").algorithm
    '2'
    >>> best_of_groups([["4", "3", "2"], ["3", "2", "1"]], by_rank="4321", by_cost="1234").algorithm is None
    True
    """
    if sorted(by_rank) != sorted(by_cost) or not by_rank:
        raise InputError(
            "by_rank and by_cost do not hold the same algorithms.",
            why="The cheapest of a group is looked up in the one, the lowest rank in the other.",
            mend="Pass every algorithm in both.",
        )
    unknown = {name for group in groups for name in group} - set(by_rank)
    if unknown:
        raise unknown_name("algorithm (in the groups)", min(unknown), by_rank)
    lowest = by_rank[0]
    holding = [set(group) for group in groups if lowest in group and len(group) > 1]
    if not holding:
        return Best(algorithm=lowest, text=f"{lowest} has the lowest mean rank and differs from every other algorithm.")
    if len(holding) > 1:
        return Best(
            algorithm=None,
            text=f"{lowest}, with the lowest mean rank, is in {len(holding)} groups: which is best is not decided.",
        )
    candidate = next(name for name in by_cost if name in holding[0])
    elsewhere = [group for group in groups if candidate in group and len(group) > 1 and set(group) != holding[0]]
    if elsewhere:
        return Best(
            algorithm=None,
            text=f"{candidate} is {cheapest} of the group of {lowest}, which has the lowest mean rank, but belongs to"
            " another group as well: the groups do not decide which algorithm is best.",
        )
    if candidate == lowest:
        return Best(algorithm=lowest, text=f"{lowest} has the lowest mean rank and is {cheapest} of its group.")
    return Best(
        algorithm=candidate,
        text=f"{candidate} is {cheapest} of those without a significant difference from {lowest}, which has the lowest"
        " mean rank, and belongs to no other group.",
    )
