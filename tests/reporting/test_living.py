"""The order that a report computes in the page is the one that the package computes, at every trade it offers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiebreak import Results, compare, order, published, report
from tiebreak.reporting.living import _table, order_data

ULAS = published.ulas2012()
READ = """() => {
  const range = document.getElementById("trade"), out = [];
  for (let k = 0; k <= Number(range.max); k += 1) {
    range.value = k;
    range.dispatchEvent(new Event("input"));
    out.push(Array.from(document.querySelectorAll("table.places tbody b"), (name) => name.textContent));
  }
  return out;
}"""


@pytest.mark.parametrize("cost", ["train_time", "space"])
def test_the_page_orders_as_the_package_at_every_trade(opened: Any, cost: str) -> None:
    ordering = order(ULAS, score="accuracy", cost=cost)
    steps = order_data(ordering)["trade"]["grid"]
    page, _ = opened(report(ordering))
    for step, shown in zip(steps, page.evaluate(READ), strict=True):
        again = order(ULAS, score="accuracy", cost=cost, trade=f"{step['trade']!r}pt")
        assert tuple(shown) == again.order
        assert step["text"].startswith(f"First: {again.order[0]}.")
        assert (step["probability"], step["regret"]) == pytest.approx(
            (again.valuation.probability, again.valuation.regret), abs=1e-9
        )


def test_the_trade_in_force_is_a_step_and_the_last_segment_is_reached() -> None:
    ordering = order(ULAS, score="accuracy", cost="train_time")
    moving = order_data(ordering)["trade"]
    assert moving["grid"][moving["chosen"]]["trade"] == ordering.valuation.trades[0]
    assert moving["grid"][-1]["trade"] > ordering.frontier[-1].low


@pytest.mark.parametrize("rule", ["multitest", "multi2test"])
def test_orders_by_published_rules_do_not_move(rule: str) -> None:
    data = order_data(order(ULAS, score="accuracy", cost="train_time", rule=rule))
    assert data["rule"] == rule and data["trade"] is None


def test_downloads_hold_the_scores_that_were_given() -> None:
    """Scores of two metrics are compared as others; the table to keep holds both, and each metric."""
    rows: dict[str, Any] = {"dataset": [f"d{k}" for k in range(12) for _ in "ab"], "algorithm": ["a", "b"] * 12}
    rows |= {"metric": ["rmse" if k < 12 else "auc" for k in range(24)], "train_time": [1.0, 2.0] * 12}
    rows["error"] = np.random.default_rng(0).random(24).round(3).tolist()
    options = {"score": "error", "higher_is_better": False}
    table = Results.from_dict(rows)
    remaining = _table([compare(table, **options), order(table, cost="train_time", **options)])
    assert list(remaining[0]) == ["dataset", "algorithm", "metric", "error", "normalised score", "train_time"]
    assert {row["dataset"]: row["metric"] for row in remaining} == dict(
        zip(rows["dataset"], rows["metric"], strict=True)
    )
    current = dict(zip(zip(rows["dataset"], rows["algorithm"], strict=True), rows["error"], strict=True))
    assert {(row["dataset"], row["algorithm"]): row["error"] for row in remaining} == current
