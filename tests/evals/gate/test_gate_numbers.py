"""Numbers of a gate worked out by hand: totals, data sets on one side, how many would do, and costs at their limit."""

from __future__ import annotations

import re
from math import ceil, pi

import numpy as np
import pytest
from scipy import stats as scipy_stats

import tiebreak as tb
from tiebreak.errors import OptionError
from tiebreak.evals.gate.judging import DataSetPair, judge_items

TOTALS = {"model": ["a", "b"], "passed": [90, 54], "n": [100, 60]}


def items(model: str, scores: np.ndarray, **more: object) -> dict[str, object]:
    count = len(scores)
    return {"model": [model] * count, "item": [f"q{i}" for i in range(count)], "accuracy": scores.tolist()} | more


def benchmarks(gaps: list[float]) -> dict[str, dict[str, float]]:
    return {f"d{i}": {"a": 0.7 + i / 50, "b": 0.7 + i / 50 - gap} for i, gap in enumerate(gaps)}


def test_totals_are_shares_of_their_own_items() -> None:
    gate = tb.gate(TOTALS, base_name="a", margin=0.2)
    assert gate.scores == ((0.9, 0.9),) and gate.judged.n_items == 60
    assert gate.judged.shortfall == pytest.approx(0.0)
    assert "No difference" in str(gate.document())
    relative = tb.gate(TOTALS | {"passed": [90, 30]}, base_name="a", margin="10%")
    assert relative.judged.limit == pytest.approx(0.09) and relative.scores == ((0.9, 0.5),)


def test_data_sets_of_one_side_are_named_with_that_side() -> None:
    sets = benchmarks([0.0] * 8)
    sets["alone"], sets["other"] = {"a": 0.5}, {"b": 0.6}  # type: ignore[assignment]
    gate = tb.gate(sets, base_name="a", margin=0.05, score="accuracy")
    assert (gate.only_base, gate.only_candidate) == (("alone",), ("other",))
    assert len(gate.datasets) == 8


def test_a_relative_margin_over_data_sets_is_a_share_of_the_base() -> None:
    sets = {f"d{i}": {"a": 0.8, "b": 0.4 + i / 100} for i in range(8)}
    assert tb.gate(sets, base_name="a", margin="10%", score="accuracy").judged.limit == pytest.approx(0.08)


@pytest.mark.parametrize(("margin", "power"), [(0.02, 0.8), (0.05, 0.9)])
def test_how_many_data_sets_would_do_is_the_textbooks_number(margin: float, power: float) -> None:
    """Julious (2004), a paired t test against a margin, over the efficiency 3 / pi of signed ranks."""
    rng = np.random.default_rng(2)
    scores = 0.8 + rng.normal(0, 0.05, (12, 2))
    spread = np.std(scores[:, 0] - scores[:, 1], ddof=1)
    quantiles = scipy_stats.norm.ppf(0.95) + scipy_stats.norm.ppf(power)
    for truth in (0.0, margin / 2):
        by_hand = ceil((quantiles * spread / (margin - truth)) ** 2 * pi / 3)
        assert DataSetPair(scores=scores, upward=True).needed(margin, 0.05, power, truth) == max(by_hand, 5)


def test_half_the_margin_is_planned_for_once_there_are_items_for_an_equal_candidate() -> None:
    base = np.repeat([1.0, 0.0], [240, 60])
    candidate = base.copy()
    candidate[:12], candidate[240:246] = 0.0, 1.0

    def judged(margin: float, power: float = 0.8) -> tuple[float | None, float | None]:
        result = judge_items(base, candidate, margin=margin, alpha=0.05, power=power)
        assert result.verdict == "undecided"
        return result.needed, result.needed_half

    equal, half = judged(0.04)
    assert equal is not None and half is not None and equal <= 300 < half
    wanted = (scipy_stats.norm.ppf(0.95) + scipy_stats.norm.ppf(0.8)) ** 2 * 0.06
    assert equal == pytest.approx(wanted / 0.04**2, rel=0.2) and half == pytest.approx(wanted / 0.02**2, rel=0.2)
    assert judged(0.025)[1] is None  # more items than there are even for an equal candidate
    surer = judged(0.04, power=0.95)[0]
    assert surer is not None and surer > 1.5 * equal


def test_a_cost_at_its_limit_is_not_too_high() -> None:
    scores = np.repeat([1.0, 0.0], [150, 50])
    old, new = items("old", scores, price=[1.0] * 200), items("new", scores, price=[1.5] * 200)
    at, below = (tb.gate(old, new, margin=0.05, cost="price", max_cost_ratio=ratio) for ratio in (1.5, 1.49))
    assert at.cost is not None and at.cost.ratio == pytest.approx(1.5)
    assert (at.verdict, below.verdict) == ("pass", "worse") and not at.cost.too_high


def test_benchmarks_without_a_cost_on_one_side_are_left_out_of_it() -> None:
    sets = {"dataset": [f"d{i}" for i in range(8) for _ in "ab"], "algorithm": list("ab" * 8)}
    table = sets | {"accuracy": [0.7 + i / 90 for i in range(16)], "price": [2.0, 4.0] * 7 + [2.0, float("nan")]}
    gate = tb.gate(table, base_name="a", margin=0.05, cost="price")
    assert gate.cost is not None and (gate.cost.base, gate.cost.candidate, gate.cost.ratio) == (2.0, 4.0, 2.0)


def test_an_interval_turns_with_the_side_that_is_better() -> None:
    scores = np.repeat([1.0, 0.0], [150, 150])
    better = scores.copy()
    better[150:210] = 1.0
    up = tb.gate(items("old", scores), items("new", better), margin=0.02)
    down = tb.gate(items("old", better), items("new", scores), margin=0.02)
    assert (up.judged.low, up.judged.high) == pytest.approx((-down.judged.high, -down.judged.low))
    for gate, word in ((up, "better"), (down, "worse")):
        match = re.search(rf"20 points {word} \(95% CI ([\d.]+) to ([\d.]+)", " ".join(str(gate.document()).split()))
        assert match is not None and 0 < float(match[1]) < 20 < float(match[2])


def test_an_equal_candidate_is_not_better() -> None:
    scores = np.repeat([1.0, 0.0], [40, 40])
    gate = tb.gate(items("old", scores), items("new", scores), margin=0)
    assert gate.verdict != "pass" and gate.judged.pvalue == 1.0


@pytest.mark.parametrize("margin", [float("inf"), "inf", True, "-1%"])
def test_margins_without_an_end_are_errors(margin: object) -> None:
    scores = np.ones(10)
    with pytest.raises(OptionError, match="The margin is"):
        tb.gate(items("old", scores), items("new", scores), margin=margin)


@pytest.mark.parametrize("left", [1, 2])
def test_items_that_the_candidate_left_out_are_counted(left: int) -> None:
    base = np.repeat([1.0, 0.0], [290, 10])
    new = items("new", base[left:])
    new["item"] = [f"q{i}" for i in range(left, 300)]
    gate = tb.gate(items("old", base), new, margin=0.012)
    words = "1 item that it did not answer is" if left == 1 else "2 items that it did not answer are"
    assert len(gate.only_base) == left and words in gate.headline
