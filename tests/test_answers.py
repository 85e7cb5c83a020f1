"""The answers in plain words: what to use, what it saves, what it loses, how sure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiebreak import Results, compare, order, published, with_costs

ULAS = published.ulas2012()


def points(result: Any) -> dict[str, str]:
    return {point.label: point.text for point in result.document().points}


def ordered(**options: Any) -> dict[str, str]:
    return points(order(ULAS, score="accuracy", **options))


def three(scores: Any, costs: Any) -> Results:
    paid = Results.from_array(costs, score="train_time", algorithms=list("abc"))
    return with_costs(Results.from_array(scores, score="accuracy", algorithms=list("abc")), paid)


def board(passed: int = 172, price: float = 1.7) -> dict[str, list[Any]]:
    return {"model": ["low", "mid", "high"], "passed": [166, passed, 175], "n": [200] * 3, "price": [1.0, price, 9.0]}


def test_the_best_scoring_one_is_first_and_the_next_is_worth_less() -> None:
    assert ordered(cost="train_time") == {
        "What to use": "Use svr: 85.1 accuracy, the best of 8. svl is 5% cheaper but 1.9 points worse.",
        "What it saves": "Nothing: 200 times the cost in train_time, beside 5nn, the cheapest.",
        "What it loses": "Nothing: it has the best mean accuracy.",
        "How sure": "Over 95% on data sets like these 38; expected regret under 0.1 points.",
        "Next best": "svl: 1.9 points worse, 5% cheaper.",
        "What it rests on": "Ten times the train_time must buy 1% (0.85 points).",
    }


def test_a_cheaper_one_is_first_and_says_what_the_best_would_take() -> None:
    text = ordered(cost="train_time", trade="4%")
    assert text["What to use"] == (
        "Use 5nn: 79.1 accuracy, 6.0 points below svr at 1/200 of the train_time. Choose svr only if 2.6 points justify"
        " ten times the train_time."
    )
    assert text["What it saves"] == "200 times cheaper in train_time, beside svr, which scores best."
    assert text["What it loses"] == "6.0 points (95% CI 2.8 to 9.1) against svr."


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"rule": "multitest"}, "MultiTest puts svl first: 83.2 accuracy, 1.9 points below svr at 0.95 of the"),
        ({"variant": "2012"}, "Multi2Test puts 5nn first: 79.1 accuracy, 6.0 points below svr at 1/200 of the"),
    ],
)
def test_a_published_rule_is_named_and_what_its_choice_loses(options: dict[str, str], first: str) -> None:
    text = ordered(cost="train_time", **options)
    assert text["What to use"] == f"{first} train_time."
    assert "moves ahead only if significantly better." in text["What it rests on"]
    assert "How sure" not in text, "the order is not by worth"


def test_what_the_certainty_is_about() -> None:
    assert ordered(cost="space", dataset="optdigits")["How sure"] == (
        "Expected regret at most about 0.1 points on this data set. No probability: folds share training data."
    )
    few = ordered(cost="space", datasets=list(ULAS.datasets)[:4])["How sure"]
    assert few == "Expected regret 2.5 points on data sets like these 4."
    assert points(order(board(), cost="price"))["How sure"].startswith("50% on items like these 200;")
    assert "What it saves" not in ordered(prior=list(ULAS.algorithms)), "a prior order has no costs"


def test_the_best_and_cheapest_saves_nothing_more() -> None:
    rng = np.random.default_rng(0)
    scores = np.array([0.9, 0.6, 0.5]) + rng.normal(0, 0.01, (12, 3))
    result = order(three(scores, np.tile([1.0, 10.0, 100.0], (12, 1))))
    text = points(result)
    assert text["What to use"].startswith("Use a: 89.9 accuracy, the best of 3.")
    assert text["What it saves"] == "Nothing is cheaper in train_time."
    assert "a is first at every trade." in result.document().said


def test_equal_scores_leave_cost_alone_to_decide() -> None:
    text = points(order(three(np.full((12, 3), 0.8), np.tile([1.0, 10.0, 100.0], (12, 1)))))
    assert text["What to use"] == "Use a: all 3 have the same accuracy, and it is the cheapest."
    assert text["What it loses"].startswith("Nothing") and "unknown" in text["How sure"]
    prior = points(order(three(np.full((12, 3), 0.8), np.ones((12, 3))), prior=list("bca")))
    assert "all 3 have the same accuracy" in prior["What to use"] and "cheapest" not in prior["What to use"]


def test_costs_are_geometric_means() -> None:
    """The first takes half the time on all data sets but one, on which it takes very long."""
    rng = np.random.default_rng(0)
    costs = np.tile([1.0, 2.0, 9.0], (12, 1))
    costs[0] = [100.0, 60.0, 200.0]
    ratio = np.exp(np.log(costs[:, 0] / costs[:, 1]).mean())
    text = points(order(three(rng.normal([0.8, 0.82, 0.5], 0.05, (12, 3)), costs)))
    assert costs[:, 0].mean() > costs[:, 1].mean() and f"{1 - ratio:.0%}" == "45%"
    assert "a is 45% cheaper" in text["What to use"]


def test_each_loss_has_its_unit_and_interval() -> None:
    """Shares are written in points, with an interval as wide as the items allow."""
    result = order(board(), cost="price")
    assert result.order == ("high", "mid", "low")
    assert [row["loss"] for row in result.rows()] == pytest.approx([0, 0.015, 0.045])
    assert points(result)["What to use"] == (
        "Use high: 87.5 pass_rate, the best of 3. mid is 5.3 times cheaper but 1.5 points worse."
    )
    cells = [row[3] for row in result.document().tables[0].body]
    assert cells[0] == "-" and cells[1].startswith("1.5 (0.0 to ") and cells[2].startswith("4.5 (0.0 to ")


def test_an_equal_score_at_a_lower_price_is_first() -> None:
    result = order(board(175, 1.01), cost="price")
    assert result.order == ("mid", "high", "low")
    assert points(result)["What to use"].startswith(
        "Use mid: 87.5 pass_rate, the best of 3. Next: high, the same score,"
    )


def test_every_cost_counts() -> None:
    both = board() | {"latency": [1.0, 80.0, 90.0]}
    result = order(both, cost=["price", "latency"], trade="3%")
    assert result.order[0] == "low" and order(both, cost="price", trade="3%").order[0] == "mid"
    assert result.document().tables[0].header[4:6] == ("price", "latency")


def test_comparisons() -> None:
    text = points(compare(published.demsar2006()))
    assert text["What to use"].startswith("C4.5+m+cf and C4.5+m are significantly better than C4.5;")
    assert text["Next best"] == (
        "0.45 points of auc beside C4.5+m, the next (from -0.6 to 2.3, 95% interval for all 6 pairs together)."
    )
    held = compare(published.demsar2006()).simultaneous_intervals()
    assert (held.a[0], held.b[0]) == (0, 1)
    assert [round(-float(item[0]), 3) for item in (held.high, held.low)] == [-0.006, 0.023]
    assert text["How sure"].startswith("2 of 6 pairs differ significantly at alpha = 0.05, over 14 data sets")
    beside = compare(ULAS, score="accuracy", control="mlp").answer
    assert beside.headline.startswith("svr is significantly better") and beside.use == "", "it names no best"
    alike = compare(Results.from_array(np.random.default_rng(0).random((12, 3)), score="accuracy"))
    assert alike.answer.headline.startswith("No significant difference among") and alike.answer.use == ""
    assert points(alike)["How sure"].startswith("None of 3 pairs differ significantly")
    flat = compare(Results.from_array(np.full((12, 3), 0.8), score="accuracy"))
    assert flat.answer.headline.startswith("All 3 have the same accuracy") and not flat.answer.next_best
    best = compare(Results.from_array(np.linspace(0.9, 0.5, 3) + np.zeros((12, 1)), score="accuracy"))
    assert best.answer.use == best.algorithms[0]


def test_the_answer_is_made_once_and_is_the_same_everywhere() -> None:
    for result in (order(ULAS, score="accuracy", cost="train_time"), compare(ULAS, score="accuracy")):
        answer = result.answer
        assert result.to_dict()["answer"] == answer.to_dict()
        assert result.document().points == answer.points()
        assert str(result).replace("\n", " ").startswith(answer.headline)
    results = order(ULAS, score="accuracy", cost="train_time").answer.to_dict()
    assert results["use"] == "svr" and [item["value"] for item in results["figures"]] == [
        "85.1",
        "1.9 points",
        "over 95%",
    ]


@pytest.mark.parametrize("rule", ["worth", "multitest"])
def test_the_columns_are_explained_to_lay_readers(rule: str) -> None:
    result = order(ULAS, score="accuracy", cost="space", rule=rule)
    words, header = " ".join(result.document().lay), result.document().tables[0].header
    assert "Loss vs best: " in words and ("geometric means" in words) == (rule == "worth")
    assert ("Shares of a cost: " in words) == ("space share" in header) == (rule == "multitest")
    assert ("Worth: " in words) == ("worth" in header) == (rule == "worth")


def test_words_of_a_comparison_are_explained_to_lay_readers() -> None:
    words = " ".join(compare(ULAS, score="accuracy").document().lay)
    assert "alpha = 0.05" in words and "Significantly better: " in words and "p-value: " in words
