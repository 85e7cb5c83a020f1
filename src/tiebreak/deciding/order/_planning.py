"""The plan of an order: what was not said is chosen by what there is, and what fits nothing is refused."""

from __future__ import annotations

from typing import Any

from tiebreak._checks import check_alpha, check_choice
from tiebreak.deciding.on_items import usual_correction, usual_item_test
from tiebreak.deciding.order._asked import VERB
from tiebreak.deciding.order._dominance import SEVERAL_TEST
from tiebreak.deciding.order._family import ALL, FAMILIES, OWN, usual_family
from tiebreak.deciding.order._inner_tests import USUAL_INNER, PairTest, own_name
from tiebreak.deciding.order._margins import UNDECIDED
from tiebreak.deciding.order._ordering import OrderPlan
from tiebreak.deciding.order._over_items import ITEMS
from tiebreak.deciding.order._over_scores import MOST_EXACT
from tiebreak.deciding.order._table import FoldTable
from tiebreak.errors import OptionError
from tiebreak.methods import choices
from tiebreak.stats.folds import fitting_test
from tiebreak.wording import either, option

MOST_ON_A_LINE = 100
"""Up to so many algorithms Bergmann and Hommel's correction is the default for mean places, which lie on a line."""


def plan_of(
    table: FoldTable,
    *,
    over: str,
    test: str | PairTest | None,
    inner: str | None,
    outer: str | None,
    omnibus: str,
    alpha: float,
    undecided: str,
    family: str | None,
    **told: Any,
) -> OrderPlan:
    """Complete the choices of an order by what usually fits the table, and check them."""
    count = len(table.algorithms)
    posthoc = outer or _usual_posthoc(count, over)
    plan = OrderPlan(
        over=over,
        pairwise=own_name(test) if callable(test) else usual_test(test, over, table),
        inner_adjust=inner or ("bergmann-hommel" if count <= USUAL_INNER else "shaffer"),
        posthoc=posthoc,
        omnibus=check_choice("omnibus test", omnibus, choices("omnibus", verb=VERB)),
        alpha=check_alpha(alpha),
        undecided=check_choice("rule for undecided pairs", undecided, UNDECIDED),
        family=_family(family or (usual_family(posthoc, count) if over == ITEMS else ALL), over),
        **told,
    )
    _check_plan(plan, table)
    return plan


def _family(named: str, over: str) -> str:
    """On items all pairs are counted only if asked for: boards are wide, and most pairs say nothing of the best."""
    chosen = check_choice("family of comparisons", named, FAMILIES)
    if chosen == OWN and over in ("places", "folds"):
        raise OptionError(
            f"{option(family=OWN)} was given, and the order is by {over}.",
            why="The published orders, by places and on the folds of one data set, count all pairs.",
            mend=f"Leave it out, or order many data sets by scores: {option(over='scores')}.",
        )
    return chosen


def usual_test(named: str | None, chosen: str, table: FoldTable) -> str:
    """Without a name the test is the one that fits: over data sets Wilcoxon's, on folds by how they were made."""
    if named is not None:
        return named
    if chosen == ITEMS:
        return "fisher" if table.items is None else usual_item_test(table.items)
    if chosen == "scores":
        return table.test
    if table.measures is not None:
        return SEVERAL_TEST
    return fitting_test(*table.errors.shape[2:]) or "score"


def _usual_posthoc(count: int, chosen: str) -> str:
    """Bergmann and Hommel's correction wherever it can be computed exactly, Shaffer's beyond."""
    if chosen == ITEMS:
        return usual_correction(count)
    return "bergmann-hommel" if count <= (MOST_EXACT if chosen == "scores" else MOST_ON_A_LINE) else "shaffer"


def _check_plan(plan: OrderPlan, table: FoldTable) -> None:
    if plan.draws is not None and (isinstance(plan.draws, bool) or not isinstance(plan.draws, int) or plan.draws < 0):
        raise OptionError(
            f"{either('draws', '--stability')} is {plan.draws!r}.",
            why="It says how often data sets are drawn again, to see how firm the places are.",
            mend=f"Use {either('draws=1000', '--stability 1000')}, 0 for none, or leave it out.",
        )
    _check_margin(plan, table)
    check_choice("inner correction", plan.inner_adjust, choices("correction", verb=VERB))
    kinds = ("correction",) if plan.over in ("scores", ITEMS) else ("posthoc", "correction")
    check_choice("post hoc test", plan.posthoc, choices(*kinds, verb=VERB))


def _check_margin(plan: OrderPlan, table: FoldTable) -> None:
    """Refuse a margin that could mean nothing, and what needs one without it."""
    if plan.margin is None and plan.undecided != "cheaper":
        raise OptionError(
            f"{option(undecided=plan.undecided)} was given without a margin.",
            why="Pairs are undecided where nothing is shown within a margin; without one, cost decides them.",
            mend=f"Give a margin too: {option(margin=0.01)}, or leave {option('undecided')} out.",
        )
    if plan.margin is not None and plan.over == "folds":
        raise OptionError(
            "A margin was given, and there is one data set.",
            why="That one is good enough is shown over data sets, and one cannot show it.",
            mend="Give more data sets, or leave the margin out.",
        )
    if plan.margin is not None and table.test == "sign":
        raise OptionError(
            "A margin was given, and the scores lie on different scales.",
            why="A margin is a difference of scores, and these cannot be compared over data sets.",
            mend=f"Use {option(scale='normalised')}: the margin is then one of normalised scores.",
        )
    if plan.margin is not None and plan.margin.relative and table.margin_unit:
        raise OptionError(
            f"The margin is {plan.margin}, and the scores lie on different scales.",
            why="They are counted from the median algorithm, or from the baseline, and a share of that means nothing.",
            mend=f"Give it as a number: {option(margin=0.1, scale='normalised')} is a tenth of the way to the best.",
        )
