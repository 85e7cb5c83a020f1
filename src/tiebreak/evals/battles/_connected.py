"""Whether votes hold all algorithms together, and what to do where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, quoted
from tiebreak.evals.battles._votes import Votes
from tiebreak.stats.votes.counts import PairCounts, count_pairs, one_sided, parts, ties_leave_open
from tiebreak.wording import option


def connected(votes: Votes, *, ties: str, disconnected: str, pseudo: float) -> Votes:
    """Return votes for which the likelihood has a maximum, or refuse and name what stands apart.

    It has one where from every algorithm there is a way of wins or ties to every other (Ford 1957) and, with a model of
    ties, some ring of battles has more wins, all one way round, than ties.

    References
    ----------
    ford1957
    """
    if pseudo:
        return votes
    counts = _counted(votes)
    found = parts(counts)
    if len(found) > 1:
        if disconnected == "refuse" or len(found[0]) < 2:
            raise _apart(votes, counts, found)
        kept = [votes.algorithms[i] for i in found[0]]
        out = [name for name in votes.algorithms if name not in set(kept)]
        said = f"Left out, as votes do not hold them together with the others: {quoted(out)}."
        votes = votes.only(kept)
        votes = replace(votes, caveats=(*votes.caveats, Caveat("algorithms-left-out", said)))
        counts = _counted(votes)
    any_won, any_tied = counts.won.sum() + counts.lost.sum() > 0, counts.tied.sum() > 0
    if ties != "half" and any_won and any_tied and ties_leave_open(counts):
        raise _open(ties)
    return votes


def _counted(votes: Votes) -> PairCounts:
    return count_pairs(votes.left, votes.right, votes.outcome, len(votes.algorithms))[0]


def _apart(votes: Votes, counts: PairCounts, found: Sequence[Sequence[int]]) -> InputError:
    """Name who never lost, who never won, and the parts that are left."""
    names, shown = votes.algorithms, []
    never_lost, never_won = one_sided(counts)
    if never_lost:
        shown.append(f"never lost: {quoted(names[i] for i in never_lost)}")
    if never_won:
        shown.append(f"never won: {quoted(names[i] for i in never_won)}")
    rest = [part for part in found if not (len(part) == 1 and part[0] in (*never_lost, *never_won))]
    if len(rest) > 1:
        shown.append("parts: " + "; ".join(quoted((names[i] for i in part), limit=4) for part in rest[:4]))
        shown[-1] += f" and {len(rest) - 4} more" if len(rest) > 4 else ""
    mend = f"add pseudo votes, which draw all together: {option(pseudo_votes=1)}."
    largest = f"{len(found[0])} of {len(names)}: {option(disconnected='largest')}"
    if len(found[0]) > 1 and never_lost:  # who never lost is no one to leave out lightly
        mend = f"{mend.removesuffix('.')}; or keep the largest part, without those that never lost, {largest}."
    elif len(found[0]) > 1:
        mend = f"Keep the largest part, {len(found[0])} of {len(names)}: {option(disconnected='largest')}; or {mend}"
    return InputError(
        f"The votes of {votes.source} do not hold all algorithms together ({'; '.join(shown)}).",
        why="Between parts all wins point one way, or there are none: how far apart they are is infinite or unknown.",
        mend=mend[0].upper() + mend[1:],
    )


def _open(ties: str) -> InputError:
    return InputError(
        f"The votes leave the strengths open under the model of ties {ties}: no ring of battles has more wins than"
        " ties.",
        why="Ever larger differences with ever more ties would fit ever better.",
        mend=f"Count ties as half a win ({option(ties='half')}), or add pseudo votes ({option(pseudo_votes=1)}).",
    )
