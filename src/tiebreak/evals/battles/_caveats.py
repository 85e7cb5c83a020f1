"""What a reader of battles must know."""

from __future__ import annotations

from collections.abc import Mapping

from tiebreak.caveats import Caveat
from tiebreak.comparison.groups import MOST_GROUPS
from tiebreak.evals.battles._result import BattlePlan
from tiebreak.evals.battles._votes import Votes
from tiebreak.wording import option

FEW_CLUSTERS = 10
"""With fewer clusters than these a caveat warns."""


def battle_caveats(clusters: Mapping[str, int], votes: Votes, plan: BattlePlan) -> list[Caveat]:
    """Say what was not clustered, how few clusters there are, and that all votes are ties."""
    said = []
    if not plan.cluster:
        text = "Votes count as independent; those on one prompt or of one voter rarely are, and say less than"
        said.append(Caveat("votes-independent", f"{text} their number."))
    for name, count in clusters.items():
        if count < FEW_CLUSTERS:
            word = {"dataset": "data set"}.get(name, name)
            few = f"There {'are' if count > 1 else 'is'} {count} {word}{'s' * (count > 1)}"
            so = "what holds for others is hardly known" if count > 1 else "nothing shows how sure strengths are"
            alone = "" if count > 1 else f" To count votes as independent: {option(cluster='none')}."
            said.append(Caveat("few-clusters", f"{few}: {so}.{alone}"))
    if not votes.outcome.any():
        said.append(Caveat("no-difference", "All votes are ties: nothing shows how sure strengths are."))
    return said


def price_caveats(plan: BattlePlan, *, tied: bool, complete: bool) -> list[Caveat]:
    """Say what broke ties of price, and that groups were cut."""
    said = []
    if tied:
        said.append(Caveat("tied-costs", f"Some have the same {plan.cost}; of those the stronger comes first."))
    if not complete:
        said.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    return said
