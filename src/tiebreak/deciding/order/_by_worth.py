"""The order of a table by its rule; by worth, with the tests of all pairs as evidence beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tiebreak._checks import IntArray
from tiebreak.caveats import distinct
from tiebreak.deciding.order._asked import MULTI2TEST, MULTITEST, WORTH
from tiebreak.deciding.order._multi2test import Multi2Test
from tiebreak.deciding.order._ordering import Ordering
from tiebreak.deciding.order._over_items import OverItems
from tiebreak.deciding.order._over_scores import OverScores
from tiebreak.deciding.order._reasons import Reason
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.order.valuation import Valuation, valued
from tiebreak.deciding.order.worth import Trade
from tiebreak.documents.words import times
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.stats.folds import fitting_test
from tiebreak.wording import option

Procedures = Multi2Test | OverScores | OverItems
OF_MULTITEST = frozenset(
    "only-cost-decided few-datasets order-by-cost beaten-but-before tied-costs cost-inside-places one-dataset"
    " noisy-costs on-these-datasets ranked-by-score".split()
)
"""Caveats of the published rules, which say nothing of an order by worth."""
MOST_INNER = 20_000
"""Multi2Test is tried for comparison up to so many pairs on data sets."""


def ordered(procedure: Procedures, table: FoldTable) -> Ordering:
    """Order a table by the rule of the plan."""
    plan = procedure.plan
    if table.measures is not None:
        return replace(procedure.ordering(table), rule=plan.rule)
    value = valued(table, procedure.metric, plan.trades, alpha=plan.alpha, test_share=plan.test_share, seed=plan.seed)
    if plan.rule == WORTH:
        return _by_worth(procedure, table, value)
    made = procedure.ordering(_shifted(table, value) if value.trades.any() else table)
    caveats = distinct([*made.caveats, *value.caveats])
    table = replace(table, tested=made.table.tested)
    return replace(made, rule=plan.rule, valuation=value, table=table, caveats=caveats)


def _by_worth(procedure: Procedures, table: FoldTable, value: Valuation) -> Ordering:
    """Order by worth; MultiTest on the same table gives the tests, and its first place for comparison."""
    if not table.paid:
        procedure = replace(procedure, given=_by_score(value, table.algorithms))
    made = procedure.ordering(table)
    names = tuple(table.algorithms[i] for i in value.sequence)
    kept = [note for note in made.caveats if note.code not in OF_MULTITEST]
    return replace(
        made,
        rule=WORTH,
        order=names,
        prior=made.prior if table.paid else (),
        valuation=value,
        reasons=reasons(value, table.algorithms),
        other_rules={MULTITEST: made.order[0]} if table.paid else {},
        reversed=(),
        caveats=distinct([*kept, *value.caveats]),
    )


def _by_score(value: Valuation, names: tuple[str, ...]) -> IntArray:
    """Place algorithms by their mean score, where there are no costs."""
    places = np.empty(len(names), dtype=np.int64)
    places[value.sequence] = np.arange(len(names))
    return places


def _shifted(table: FoldTable, value: Valuation) -> FoldTable:
    """Charge the trade: then a costlier algorithm is better only where it is better by more than the trade."""
    if table.totals is not None:
        raise OptionError(
            "A trade was given for MultiTest, and only totals of items are known.",
            why="Its test needs the answers to each item.",
            mend=f"Leave {option('trade')} out, or order by worth.",
        )
    if value.scale.kind in ("loss", "unexplained", "elo"):
        raise OptionError(
            f"A trade was given for MultiTest, and {value.scale.name} has no maximum.",
            why="Tests compare the scores as they are, and the trade is a share of the loss.",
            mend=f"Leave {option('trade')} out, or order by worth.",
        )
    paid = np.einsum("c,cra->ra", value.trades, value.sample.logs)
    charged = np.broadcast_to(paid, table.compared.shape)
    sign = 1.0 if table.upward else -1.0
    items = table.items
    if items is not None:
        items = replace(items, scores=items.scores - sign * paid.mean(axis=0))
    return replace(
        table,
        errors=table.errors + charged[:, :, None, None],
        compared=table.compared + charged,
        valued=table.valued + charged,
        items=items,
    )


def first_of_multi2test(ordering: Ordering) -> str | None:
    """Return who is first by Multi2Test, where there are folds to test and not too many."""
    table, procedure = ordering.table, ordering.procedure
    pairs = len(ordering.algorithms) * (len(ordering.algorithms) - 1) // 2
    if len(table.datasets) < 2 or table.items is not None or table.totals is not None or not table.paid:
        return None
    test = fitting_test(*table.errors.shape[2:])
    if test is None or pairs * len(table.datasets) > MOST_INNER or len(ordering.algorithms) > 11:
        return None
    plan = replace(
        ordering.plan, rule=MULTI2TEST, over="places", pairwise=test, posthoc="bergmann-hommel", trades=(Trade(size=0),)
    )
    published = Multi2Test(plan=plan, metric=procedure.metric, given=None, pairwise=test)
    try:
        return published.ordering(table).order[0]
    except (InputError, TiebreakError):
        return None


# ---- reasons


def reasons(value: Valuation, names: tuple[str, ...]) -> tuple[Reason, ...]:
    """Say of every place what puts it before the next: score, cost, or both."""
    sequence = value.sequence.tolist()
    out = []
    for place, i in enumerate(sequence):
        last = place + 1 == len(sequence)
        other = sequence[place - 1 if last else place + 1] if len(sequence) > 1 else i
        by = _by(value, i, other)
        text = f"{'behind' if last else 'before'} {names[other]}: {relation(value, i, other)}" if other != i else ""
        out.append(Reason(algorithm=names[i], place=place + 1, by=by, text=text))
    return tuple(out)


def _by(value: Valuation, i: int, other: int) -> str:
    scores, costs = value.sample.mean_scores, value.trades @ value.sample.mean_logs
    sign = 1.0 if value.values[i] >= value.values[other] else -1.0
    better, cheaper = sign * (scores[i] - scores[other]) > 0, sign * (costs[other] - costs[i]) > 0
    return "score and cost" if better and cheaper else "cost" if cheaper else "score"


def relation(value: Valuation, i: int, other: int) -> str:
    """Say how one algorithm compares with another in score and cost."""
    part = score_relation(value, i, other)
    return part if not len(value.trades) else f"{part}, {cost_relation(value, i, other)}"


def score_relation(value: Valuation, i: int, other: int) -> str:
    """Say how the mean score of one compares with that of another."""
    scores = value.sample.mean_scores
    gap = float(scores[i] - scores[other])
    word = "better" if gap > 0 else "worse"
    part = f"{value.scale.difference(abs(gap))} {word}" if value.scale.has_points else _lossy(value, gap)
    return "the same score" if abs(gap) < 1e-12 else part


def _lossy(value: Valuation, gap: float) -> str:
    shown = value.scale.difference(abs(gap))
    if value.scale.kind == "other":
        return f"{shown} {'better' if gap > 0 else 'worse'}"
    return shown if gap < 0 else f"better: the other has {shown}"


def cost_relation(value: Valuation, i: int, other: int) -> str:
    """Say how the cost of one compares with that of another."""
    logs = value.sample.mean_logs[0]
    ratio = float(10 ** (logs[i] - logs[other]))
    if 1 / 1.005 < ratio < 1.005:
        return "same cost"
    if ratio < 1:
        return f"{1 - ratio:.0%} cheaper" if ratio > 0.5 else f"{times(1 / ratio)} times cheaper"
    return f"{ratio - 1:.0%} costlier" if ratio < 2 else f"{times(ratio)} times the cost"
