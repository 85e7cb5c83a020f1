"""The best algorithm only, from the groups of a post hoc test; or the honest answer that they cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._brief import shortened
from tiebreak.documents import Framed
from tiebreak.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Best(Framed):
    """The best algorithm, None where the groups cannot tell, with the reason."""

    algorithm: str | None
    text: str

    def __repr__(self) -> str:
        return shortened(f"<Best: {self.text}>")


def best_of_groups(
    groups: Sequence[Sequence[str]], *, by_rank: Sequence[str], by_cost: Sequence[str], cheapest: str = "the cheapest"
) -> Best:
    """Find the best algorithm from groups of algorithms that were not told apart.

    Hypothesis: none of its own; it reads the groups of a post hoc test.
    Formula: the candidate is the cheapest algorithm of the group that holds the lowest mean rank. It is the best if
    it is in no other group; otherwise the groups cannot tell.
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
            text=f"{lowest}, with the lowest mean rank, is in {len(holding)} groups: which is best cannot be told.",
        )
    candidate = next(name for name in by_cost if name in holding[0])
    elsewhere = [group for group in groups if candidate in group and len(group) > 1 and set(group) != holding[0]]
    if elsewhere:
        return Best(
            algorithm=None,
            text=f"{candidate} is {cheapest} of the group of {lowest}, which has the lowest mean rank, but belongs to"
            " another group as well: the groups cannot tell which algorithm is best.",
        )
    if candidate == lowest:
        return Best(algorithm=lowest, text=f"{lowest} has the lowest mean rank and is {cheapest} of its group.")
    return Best(
        algorithm=candidate,
        text=f"{candidate} is {cheapest} of those not told apart from {lowest}, which has the lowest mean rank, and"
        " belongs to no other group.",
    )
