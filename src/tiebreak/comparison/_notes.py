"""What a reader of a comparison would get wrong without being told."""

from __future__ import annotations

from tiebreak.caveats import Caveat
from tiebreak.comparison._judging import too_few_caveat
from tiebreak.comparison._plan import Plan
from tiebreak.comparison.groups import MOST_GROUPS, too_many_letters
from tiebreak.comparison.promises import promise_caveats
from tiebreak.comparison.scales import Scaled
from tiebreak.stats import PairwiseResult
from tiebreak.wording import either


def pair_caveats(omnibus_p: float, tests: PairwiseResult, plan: Plan, alpha: float, n_datasets: int) -> list[Caveat]:
    """Say what a reader of the adjusted p-values alone would get wrong."""
    notes, pairs = [], len(tests.a)
    hidden = int((tests.adjusted <= alpha).sum()) if omnibus_p > alpha and plan.gated(pairs) else 0
    if hidden:
        text = (
            f"The omnibus test does not reject, so no pair is called different, although {hidden} adjusted p-value(s)"
            " lie at or below alpha."
        )
        notes.append(Caveat("omnibus-hides-pairs", text))
    if len(tests.algorithms) == 2 and plan.test.takes == "ranks":
        text = "Two algorithms: on ranks this is a sign test, which ignores how large the differences are."
        notes.append(Caveat("ranks-and-scores-disagree", text))
    notes += promise_caveats(plan.correction, pairs)
    few = too_few_caveat(plan, n_datasets, pairs, alpha)
    return [*notes, *few, *(each for each in tests.caveats if not few or each.code != "least-pvalue")]


def two_on_a_scale(found: Scaled, plan: Plan, n_algorithms: int) -> list[Caveat]:
    """Two scores lie equally far from their middle, so that nothing but who is better is left of them."""
    halves = found.kind == "distances" or (found.kind == "normalised" and found.baseline is None)
    if n_algorithms > 2 or not halves or not plan.reads_sizes:
        return []
    text = (
        "Two algorithms lie equally far from their middle on every data set: this is a sign test, which ignores how"
        " large the differences are."
    )
    return [Caveat("ranks-and-scores-disagree", text)]


def group_caveats(groups: tuple[tuple[str, ...], ...], *, complete: bool) -> list[Caveat]:
    """Pairs on their own scores do not follow a line, so that many algorithms can form very many groups."""
    notes = []
    if not complete:
        notes.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    if too_many_letters(groups):
        text = (
            f"{len(groups):,} groups are too many for letters: the table counts the algorithms from which each does not"
            f" differ significantly; {either('`found.groups`', '--json')} lists them."
        )
        notes.append(Caveat("groups-cut", text))
    return notes
