"""The answers in plain words: what to use, what it saves, what it gives up, how sure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiebreak import Results, compare, order, published, with_costs

ULAS = published.ulas2012()


def told(found: Any) -> dict[str, str]:
    return {point.label: point.text for point in found.document().points}


def ordered(**options: Any) -> dict[str, str]:
    return told(order(ULAS, score="accuracy", **options))


def test_the_first_is_cheaper_than_the_best_scoring_one() -> None:
    said = ordered(cost="train_time")
    assert said == {
        "What to use": "svl: no test tells it from svr, which scores best. Next come svr, 5nn, c45 and so on.",
        "What it saves": "Its train_time is 5% below that of svr, which scores best (typical ratio on a data set, a"
        " geometric mean; the means are 59.8 and 73.4 s). That is little: where accuracy counts for more, take svr.",
        "What it gives up": "0.78 in accuracy against svr (from -0.16 to 2.3, 95% interval): no test tells the two"
        " apart.",
        "How sure": "Fairly firm: it stands first in 80% of 1,000 resampled sets of data sets. Tests show it to be"
        " significantly better than 4 of the 7 others; between it and the other 3 cost decides. It rests on 38 data"
        " sets; data unlike these may order otherwise.",
    }


def test_the_first_is_the_best_and_costs_more() -> None:
    said = ordered(cost="train_time", algorithms=["svr", "5nn"])
    assert said["What to use"] == "svr: it has the best mean accuracy, before 5nn."
    assert said["What it saves"] == (
        "Nothing: it takes 200 times the train_time of 5nn, the cheapest (typical ratio on a data set, a geometric"
        " mean; the means are 73.4 and 0.746 s); the one cheaper algorithm is significantly worse."
    )
    assert said["What it gives up"] == "Nothing: no other has a better mean accuracy."
    assert said["How sure"].startswith("Firm: it stands first in 100% of 1,000")
    assert "Tests show it to be significantly better than the other one." in said["How sure"]


def test_of_two_the_other_is_named_once() -> None:
    said = ordered(cost="train_time", algorithms=["svr", "svl"])
    assert said["What to use"] == "svl: no test tells it from svr, which scores best."


def test_a_large_saving_is_not_called_little() -> None:
    said = ordered(cost="train_time", alpha=1e-9)
    assert said["What to use"].startswith("5nn: no test tells it from svr")
    assert "200 times less than that of svr" in said["What it saves"] and "take svr" not in said["What it saves"]


def test_within_a_margin_the_loss_is_said_to_be_real() -> None:
    said = ordered(cost="train_time", margin=5.0)
    assert said["What to use"].startswith("lnp: it is good enough beside svr, which scores best.")
    assert said["What it gives up"].endswith("(from 1.6 to 4.2, 95% interval): a significant difference.")
    assert (
        "Not firm" in said["How sure"] and "better than, or good enough beside, 5 of the 7 others" in said["How sure"]
    )


def test_by_places_it_is_said_that_another_scores_better() -> None:
    said = ordered(cost="train_time", over="places")
    assert said["What to use"].startswith("5nn: by its places, in which cost counts; svr scores significantly better.")
    assert said["What it gives up"].endswith("a significant difference.")


def test_nothing_is_firm_where_cost_alone_decides() -> None:
    said = ordered(cost="train_time", alpha=1e-9)
    assert said["How sure"].startswith("Not at all: no test tells any two apart, and cost decides every place.")


def test_other_evidence() -> None:
    assert ordered(cost="space", dataset="optdigits")["How sure"].endswith("It holds for this one data set.")
    few = ordered(cost="space", datasets=list(ULAS.datasets)[:4])["How sure"]
    assert few.endswith("It holds for these data sets alone: they are too few to speak of others.")
    assert ordered(prior=list(ULAS.algorithms))["What it saves"] == "Unknown: a prior order was given, and no costs."


def test_the_best_and_cheapest_saves_nothing_more() -> None:
    rng = np.random.default_rng(0)
    scores = np.array([0.9, 0.6, 0.5]) + rng.normal(0, 0.01, (12, 3))
    costs = Results.from_array(np.tile([1.0, 10.0, 100.0], (12, 1)), score="train_time", algorithms=list("abc"))
    table = with_costs(Results.from_array(scores, score="accuracy", algorithms=list("abc")), costs)
    said = told(order(table))
    assert said["What to use"].startswith("a: it has the best mean accuracy, and is the cheapest.")
    assert said["What it saves"] == "Nothing is cheaper: it has the least train_time as well."
    assert "better than all 2 others." in said["How sure"]


def three(scores: Any, costs: Any) -> Results:
    paid = Results.from_array(costs, score="train_time", algorithms=list("abc"))
    return with_costs(Results.from_array(scores, score="accuracy", algorithms=list("abc")), paid)


def test_equal_scores_leave_cost_alone_to_decide() -> None:
    said = told(order(three(np.full((12, 3), 0.8), np.tile([1.0, 10.0, 100.0], (12, 1))), draws=0))
    assert said["What to use"] == (
        "a: all have the same accuracy on every data set, and it is the cheapest. Next come b and c."
    )
    assert said["What it saves"].startswith("Its train_time is 10 times less than that of b, the next (typical")
    assert said["What it gives up"] == "Nothing: every algorithm has the same accuracy on every data set."
    assert said["How sure"].startswith("Cost alone decides: there is no difference in accuracy to test. Scores that")
    given = told(order(three(np.full((12, 3), 0.8), np.ones((12, 3))), prior=list("bca"), draws=0))
    assert given["How sure"].startswith("The given order alone decides")


def test_means_that_stand_the_other_way_round_are_pointed_out() -> None:
    """The first takes half the time on all data sets but one, on which it takes very long."""
    rng = np.random.default_rng(0)
    costs = np.tile([1.0, 2.0, 9.0], (12, 1))
    costs[0] = [100.0, 60.0, 200.0]
    said = told(order(three(rng.normal([0.8, 0.82, 0.5], 0.05, (12, 3)), costs), draws=0))
    assert said["What it saves"].endswith(
        "(typical ratio on a data set, a geometric mean; the means, 9.25 and 6.83 s, stand the other way round). Which"
        " of the two is cheaper depends on the data: where accuracy counts for more, take b."
    ), said


def test_comparisons() -> None:
    said = told(compare(published.demsar2006()))
    assert said["What to use"] == "C4.5+m+cf: it has the best mean rank. Not told apart from it: C4.5+m and C4.5+cf."
    assert said["By how much"] == "0.0045 in auc beside C4.5+m, the next (from -0.004 to 0.019, 95% interval)."
    assert said["How sure"].startswith(
        "Tests show C4.5+m+cf to be significantly better than 1 of the 3 others. 2 of 6 pairs are told apart at alpha ="
        " 0.05, over 14 data sets"
    )
    assert told(compare(ULAS, score="accuracy", control="mlp"))["What to use"] == (
        "svr: significantly better than mlp, the control."
    )
    alike = Results.from_array(np.random.default_rng(0).random((12, 3)), score="accuracy")
    assert told(compare(alike))["What to use"].startswith("Not shown: ")
    assert told(compare(alike))["How sure"].startswith("None of 3 pairs are told apart")
    flat = told(compare(Results.from_array(np.full((12, 3), 0.8), score="accuracy")))
    assert (
        flat["What to use"] == "Not shown: all have the same accuracy on every data set." and "By how much" not in flat
    )


@pytest.mark.parametrize("found", [order(ULAS, score="accuracy", cost="space"), compare(ULAS, score="accuracy")])
def test_words_are_explained_to_lay_readers(found: Any) -> None:
    words = " ".join(found.document().lay)
    assert "Not told apart: " in words and "alpha = 0.05" in words and "Significantly better: " in words


@pytest.mark.parametrize(
    ("undecided", "rule"),
    [
        ("cheaper", "Where neither is shown, the cheaper one stands first."),
        ("costlier", "the costlier one stands first: the other comes first only where it is shown that little is lost"),
    ],
)
def test_lay_readers_are_told_who_stands_first_where_nothing_is_shown(undecided: str, rule: str) -> None:
    lay = order(ULAS, score="accuracy", cost="train_time", margin=2.0, undecided=undecided, draws=0).document().lay
    assert rule in lay[0] and "unless the one cheaper in train_time is shown to be good enough" in lay[0]
    assert lay[-1].endswith(f"then the {undecided} one stands first.")


@pytest.mark.parametrize(
    ("price", "passed", "sentence"),
    [
        (1.7, 172, " For 1.7 times the price, mid gives up 0.015; no test tells it from the first."),
        (1.01, 175, " For about the same price, mid gives up nothing that shows; no test tells it from the first."),
        (2.1, 172, ""),  # too dear
        (1.7, 169, ""),  # not half as much
    ],
)
def test_who_gives_up_half_as_much_for_a_little_more_is_named(price: float, passed: int, sentence: str) -> None:
    board = {"model": ["low", "mid", "high"], "passed": [166, passed, 175], "n": [200] * 3, "price": [1.0, price, 9.0]}
    said = told(order(board, cost="price"))["What it gives up"]
    assert said == (
        "0.045 in pass_rate against high (from -0.025 to 0.11, 95% interval): no test tells the two apart." + sentence
    )


def test_who_is_shown_not_to_be_the_best_is_not_named_for_a_little_more() -> None:
    """With many more items the middle one is shown to be worse than the best, and the first, with few, is not."""
    board = {"model": ["low", "mid", "high"], "passed": [36, 17_200, 17_600], "n": [45, 20_000, 20_000],
             "price": [1.0, 1.7, 9.0]}  # fmt: skip
    found = order(board, cost="price")
    assert found.order[0] == "low" and found.may_be_best == ("low", "high")
    lost = dict(zip(found.algorithms, found.trade.given_up, strict=True))
    assert lost["mid"] < lost["low"] / 2
    assert "For 1.7 times" not in told(found)["What it gives up"]


def test_no_other_cost_is_hidden_where_one_is_named_for_a_little_more() -> None:
    board = {"model": ["low", "mid", "high"], "passed": [166, 172, 175], "n": [200] * 3, "price": [1.0, 1.7, 9.0],
             "latency": [1.0, 80.0, 90.0]}  # fmt: skip
    weighed = order(board, cost=["price", "latency"], cost_rule="weighted", cost_weights=[1, 1])
    assert "For 1.7 times the price, mid" not in told(weighed)["What it gives up"]
    assert "For 1.7 times the price, mid" in told(order(board, cost=["price", "latency"]))["What it gives up"]
