"""Groups: the maximal sets of algorithms no two of which differ significantly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray

if TYPE_CHECKING:
    from tiebreak.stats.multivariate import PerMeasureResult

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
    count = len(per.algorithms)
    differs = per.rejected_pairs(alpha=alpha)[measure]
    alike = np.ones((count, count), dtype=bool)
    alike[per.a[differs], per.b[differs]] = alike[per.b[differs], per.a[differs]] = False
    order = per.order[measure]
    cliques, _ = maximal_cliques(alike[np.ix_(order, order)])
    return tuple(tuple(per.algorithms[order[i]] for i in clique) for clique in cliques)
