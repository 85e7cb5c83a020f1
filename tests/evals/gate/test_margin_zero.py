"""A margin of 0 asks whether the candidate is better: it passes only if that is shown."""

from __future__ import annotations

from typing import Any

import pytest
from scipy import stats as sp

import tiebreak as tb


def answers(won: int, lost: int, n: int = 400) -> dict[str, list[Any]]:
    """Answers of two models that differ on won + lost items."""
    old = [0] * won + [1] * (n - won)
    new = [1] * won + [0] * lost + [1] * (n - won - lost)
    return {"model": ["old"] * n + ["new"] * n, "item": [*range(n)] * 2, "accuracy": old + new}


@pytest.mark.parametrize(
    ("won", "lost", "verdict"),
    [(30, 10, "pass"), (10, 30, "worse"), (20, 15, "undecided"), (16, 6, "undecided"), (0, 0, "undecided")],
)
def test_the_verdict_is_that_of_the_two_sided_test(won: int, lost: int, verdict: str) -> None:
    gate = tb.gate(answers(won, lost), base_name="old", margin=0)
    exact = sp.binomtest(won, won + lost).pvalue if won + lost else 1.0  # McNemar's exact test
    assert gate.verdict == verdict
    assert gate.judged.pvalue_worse == pytest.approx(exact)
    assert gate.judged.pvalue == pytest.approx(exact if won > lost else 1.0)
    assert (gate.verdict == "undecided") == (exact > 0.05)
    assert "margin of 0" not in gate.headline


@pytest.mark.parametrize("margin", ["0", "0%", 0.0])
def test_every_spelling_of_zero_asks_the_same(margin: object) -> None:
    gate = tb.gate(answers(30, 10), base_name="old", margin=margin)  # type: ignore[arg-type]
    assert (gate.verdict, gate.exit_code) == ("pass", 0)
    assert "new is better than old by 5 points" in gate.headline
    assert "1.9 to 8.3" in str(gate)  # the gain, not the shortfall


def test_totals_and_data_sets_are_judged_alike() -> None:
    totals = {"model": ["a", "b"], "passed": [80, 120], "n": [225, 225]}
    assert tb.gate(totals, base_name="a", margin=0).verdict == "pass"
    assert tb.gate(totals, base_name="b", margin=0).verdict == "worse"
    table = tb.published.demsar2006()
    assert tb.gate(table, base_name="C4.5", candidate_name="C4.5+m", margin=0, score="auc").verdict == "pass"
    assert tb.gate(table, base_name="C4.5", candidate_name="C4.5+cf", margin=0, score="auc").verdict == "undecided"


def test_at_any_time_bets_must_show_that_it_is_better() -> None:
    assert tb.gate(answers(40, 10), base_name="old", margin=0, anytime=True).verdict == "pass"
    assert tb.gate(answers(10, 40), base_name="old", margin=0, anytime=True).verdict == "worse"
    assert tb.gate(answers(25, 20), base_name="old", margin=0, anytime=True).verdict == "undecided"


def test_an_equal_candidate_seldom_passes() -> None:
    """One in forty at most, as the test is two-sided: exact, over all ways in which 30 items may fall."""
    passing = [won for won in range(31) if tb.gate(answers(won, 30 - won), base_name="old", margin=0).exit_code == 0]
    assert 0 < sum(sp.binom.pmf(won, 30, 0.5) for won in passing) <= 0.025
