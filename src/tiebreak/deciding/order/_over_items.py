"""MultiTest on items: pairs are tested on items that both answered, or by totals; cost decides where no test does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.caveats import Caveat, codes_of
from tiebreak.deciding.gaps import settled_costs
from tiebreak.deciding.on_items import (
    TOO_FEW,
    check_over,
    check_two_models,
    named_item_tests,
    named_total_tests,
    pairs_by_totals,
    pairs_on_items,
    totals_of,
)
from tiebreak.deciding.order._laid_out import cost_fields
from tiebreak.deciding.order._ordering import Ordering
from tiebreak.deciding.order._over_scores import fewest_datasets
from tiebreak.deciding.order._procedure import Decisions, Procedure, decided
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.promises import promise_caveats
from tiebreak.errors import OptionError
from tiebreak.methods import find
from tiebreak.stats import ItemPairs, ProportionPairs
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.tables import Metric, Results
from tiebreak.tables.item_columns import ITEM
from tiebreak.tables.item_table import item_table
from tiebreak.wording import option

ITEMS = "items"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverItems(Procedure):
    """Orders by items: a test of every pair on the items that both answered, corrected, and MultiTest with the cost."""

    pairwise: str | None = None

    def ordering(self, table: FoldTable) -> Ordering:
        """Test, order, and say what was decided by what."""
        overall, tied = self.overall_prior(table)
        tests = self.tests(table)
        table = replace(table, tested=tests)
        better = decided(tests.a, tests.b, tests.adjusted <= self.plan.alpha, tests.statistic, len(table.algorithms))
        found = Decisions(
            tests=tests,
            better=better,
            omnibus=None,
            ranks=average_ranks(snap(table.compared)),
            prior=overall,
            tied=bool(tied),
            notes=(*self.tie_notes(0, tied), *tests.caveats, *self._notes(table, tests)),
        )
        return self.made(table, found)

    def tests(self, table: FoldTable) -> ItemPairs | ProportionPairs:
        """Test all pairs on their items, or by their totals."""
        plan = self.plan
        if table.items is not None:
            return pairs_on_items(
                table.items,
                test=self.pairwise,
                adjust=plan.posthoc,
                higher_is_better=bool(self.metric.higher_is_better),
                alpha=plan.alpha,
                seed=plan.seed,
            )
        assert table.totals is not None
        return pairs_by_totals(
            *table.totals, table.algorithms, test=self.pairwise, adjust=plan.posthoc, alpha=plan.alpha
        )

    def _notes(self, table: FoldTable, tests: ItemPairs | ProportionPairs) -> list[Caveat]:
        """Say for what the answer holds, and what the correction does not promise."""
        notes = promise_caveats(find(self.plan.posthoc, "correction"), len(tests.a))
        if len(table.datasets) > 1:
            text = (
                f"The order holds for these {len(table.datasets)} benchmarks, each counting alike, and other items like"
                f" theirs, not for other benchmarks."
            )
            notes.append(Caveat("on-these-datasets", text))
        if TOO_FEW in codes_of(tests.caveats):
            what = "cost" if self.given is None else "what was given"
            notes.append(Caveat("only-cost-decided", f"No test could tell any apart: the order is that of {what}."))
        return notes


# ---- from a table of results to what is ordered


def way_of(results: Results, over: str | None, posthoc: str | None, alpha: float) -> str:
    """Choose between items and benchmarks: the latter where there are enough of them to tell models apart."""
    check_over(over, results)
    check_two_models(len(results.algorithms))
    count = len(results.datasets)
    needed = fewest_datasets(len(results.algorithms), posthoc or "bergmann-hommel", alpha)
    return over or ("scores" if count >= max(needed, 2) else ITEMS)


def laid_out_items(results: Results, metric: Metric, costs: tuple[str, ...], missing_costs: str) -> FoldTable:
    """Lay out a table of items, or of totals, and its costs."""
    kept, notes = settled_costs(results, costs, policy=missing_costs)
    items = item_table(kept, metric.name) if kept.unit == ITEM else None
    totals = None if items is not None else totals_of(kept, metric)
    means = items.means() if items is not None else _shares(kept, metric)
    fields = cost_fields(kept, costs, missing_costs)
    errors = -means if metric.higher_is_better else means
    return FoldTable(
        errors=errors[:, :, None, None],
        scores=means,
        compared=errors,
        valued=errors,
        paid_folds=tuple(cost[:, :, None, None] for cost in fields["paid"]),
        datasets=kept.datasets,
        algorithms=kept.algorithms,
        caveats=(*results.caveats, *notes, *(items.caveats if items is not None else ())),
        items=items,
        totals=totals,
        upward=bool(metric.higher_is_better),
        **fields,
    )


def _shares(kept: Results, metric: Metric) -> FloatArray:
    passed, n = totals_of(kept, metric)
    return np.asarray(passed / n)[None]


def item_test(pairwise: object, table: FoldTable) -> str | None:
    """Check the named test of pairs against those that fit items, or totals."""
    known = named_item_tests() if table.items is not None else named_total_tests()
    if pairwise is None:
        return None
    if callable(pairwise):
        raise OptionError(
            "A test of the user's own was given for items.",
            why="Tests of items know of clusters and benchmarks, which a function of two vectors does not.",
            mend=f"Use one of {', '.join(known)}, or {option(columns={'fold': 'item'})} to read items as folds.",
        )
    return check_choice("pairwise test", str(pairwise), known)
