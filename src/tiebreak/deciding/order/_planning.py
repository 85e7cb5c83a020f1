"""The plan of an order: what was not said is chosen by what there is, and what fits nothing is refused."""

from __future__ import annotations

from typing import Any

from tiebreak._checks import check_alpha, check_choice
from tiebreak.deciding.on_items import usual_correction, usual_item_test
from tiebreak.deciding.order._asked import VERB, WORTH
from tiebreak.deciding.order._dominance import SEVERAL_TEST
from tiebreak.deciding.order._inner_tests import USUAL_INNER, PairTest, own_name
from tiebreak.deciding.order._ordering import OrderPlan
from tiebreak.deciding.order._over_items import ITEMS
from tiebreak.deciding.order._over_scores import MOST_EXACT
from tiebreak.deciding.order._table import FoldTable
from tiebreak.methods import choices
from tiebreak.stats.folds import fitting_test

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
    **told: Any,
) -> OrderPlan:
    """Complete the choices of an order by what usually fits the table, and check them."""
    count = len(table.algorithms)
    posthoc = outer or _usual_posthoc(count, over)
    plan = OrderPlan(
        over=over,
        pairwise=own_name(test) if callable(test) else _test(test, over, table, told),
        inner_adjust=inner or ("bergmann-hommel" if count <= USUAL_INNER else "shaffer"),
        posthoc=posthoc,
        omnibus=check_choice("omnibus test", omnibus, choices("omnibus", verb=VERB)),
        alpha=check_alpha(alpha),
        **told,
    )
    _check_plan(plan)
    return plan


def _test(named: str | None, over: str, table: FoldTable, told: dict[str, Any]) -> str:
    """An order by worth needs no test: folds of one data set that no test can read are no reason to refuse it."""
    if named is None and over == "folds" and table.measures is None and told.get("rule") == WORTH:
        folds = table.folds_of(0)
        if folds is None or (folds.shape[2] < 2 and told.get("test_share") is None):
            return "score"
    return usual_test(named, over, table)


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


def _check_plan(plan: OrderPlan) -> None:
    check_choice("inner correction", plan.inner_adjust, choices("correction", verb=VERB))
    kinds = ("correction",) if plan.over in ("scores", ITEMS) else ("posthoc", "correction")
    check_choice("post hoc test", plan.posthoc, choices(*kinds, verb=VERB))
