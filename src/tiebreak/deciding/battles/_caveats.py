"""What a reader of battles must know."""

from __future__ import annotations

from collections.abc import Mapping

from tiebreak.caveats import Caveat
from tiebreak.deciding.battles._fitting import Fit
from tiebreak.deciding.battles._result import BattlePlan
from tiebreak.deciding.battles._votes import Votes
from tiebreak.deciding.groups import MOST_GROUPS
from tiebreak.wording import option

FEW_CLUSTERS = 10
"""With fewer clusters than these a caveat warns."""


def battle_caveats(fit: Fit, clusters: Mapping[str, int], votes: Votes, plan: BattlePlan) -> list[Caveat]:
    """Say what was not clustered, how few clusters there are, and which model replaced which."""
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
    if fit.model != plan.ties:
        no_ties = bool((votes.outcome != 0).all())
        what = "There are no ties" if no_ties else "All votes are ties"
        more = "" if no_ties else " Nothing shows how sure strengths are."
        said.append(Caveat("no-tie-model", f"{what}: the plain model of Bradley and Terry was fitted.{more}"))
    if plan.pseudo_votes:
        votes_each = f"{plan.pseudo_votes:g} pseudo vote{'s' * (plan.pseudo_votes != 1)}"
        many = f"{votes_each} for every algorithm and as many against it"
        said.append(Caveat("pseudo-votes", f"{many} draw strengths together."))
    return said


def price_caveats(plan: BattlePlan, *, tied: bool, complete: bool) -> list[Caveat]:
    """Say what broke ties of price, and that groups were cut."""
    said = []
    if tied:
        said.append(Caveat("tied-costs", f"Some have the same {plan.cost}; of those the stronger comes first."))
    if not complete:
        said.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    return said
