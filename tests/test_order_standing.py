"""What an ordering says of places, pairs and other rules, where two data sets, two algorithms or equal numbers meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiebreak import order
from tiebreak.documents.words import p_is
from tiebreak.ordering import document
from tiebreak.ordering.result import GIVEN_ORDER, Standing, Words, worth_reasons
from tiebreak.ordering.valuation import Segment, relation

from .every import every
from .test_order_numbers import folds
from .test_worth import random_table, table


def standing(paid: Any, *, words: Words | None = None, names: tuple[str, ...] = ("a", "b")) -> Standing:
    """Stand in the order of the names, which is that of the costs."""
    places = np.arange(len(names))
    return Standing(
        names=names,
        place=places,
        better=np.zeros((len(names), len(names)), dtype=bool),
        prior=places,
        words=words or Words(),
        paid=None if paid is None else np.array(paid, dtype=float),
    )


@every(
    ("paid", "forth", "back"),
    [
        (None, "cheaper", "costlier"),
        ([[1, 4], [1, 1]], "2.0 times cheaper", "2.0 times costlier"),
        ([[1, 1.04]], "hardly cheaper", "hardly costlier"), ([[20, 21]], "1.1 times cheaper", "1.1 times costlier"),
        ([[1, 1]], "cheaper", "costlier"), ([[2, 1]], "cheaper", "costlier"),
        ([[1, 4], [0, 1]], "4.0 times cheaper", "4.0 times costlier"),
        ([[1, 4], [0, 1], [0, 1]], "cheaper", "costlier"), ([[0, 0]], "cheaper", "costlier"),
        ([[1, np.nan]], "its cost is known", "its cost is unknown"),
        ([[np.nan, np.nan]], "both of unknown cost", "both of unknown cost"),
    ],
)  # fmt: skip
def test_costs_of_two_in_words(paid: Any, forth: str, back: str) -> None:
    assert (standing(paid).cost_words(0, 1), standing(paid).cost_words(1, 0)) == (forth, back)


def test_a_given_order_speaks_of_places_in_it() -> None:
    reasons = standing(None, words=GIVEN_ORDER, names=("a", "b", "c")).reasons()
    assert [(part.place, part.by, part.ahead_of, part.behind) for part in reasons] == [
        (place, "cost", (), ()) for place in (1, 2, 3)
    ]
    assert reasons[0].text == "before b: no significant difference, earlier in the given order"
    scores, costs = random_table(2, count=3)
    result = order(table(scores, costs), prior=["c", "a", "b"])
    assert result.plan.decider == result.standing.words.prior == "the given order" and result.prior == ("c", "a", "b")
    by_cost = order(table(scores, costs), cost="train_time", rule="multitest")
    assert by_cost.plan.decider == by_cost.standing.words.prior == "cost"


def test_those_for_which_one_waits_are_named_by_place() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[0, 1] = better[0, 2] = better[0, 3] = True
    given = standing(None, names=("a", "b", "c", "d"))
    waiting = Standing(
        names=given.names, place=np.array([3, 2, 1, 0]), better=better, prior=given.prior, words=given.words
    )
    assert waiting.held(0, 3) == [2, 1] and waiting.held(0, 2) == [1] and waiting.held(1, 3) == []
    assert waiting.known(0, 1) == "significantly worse" and waiting.known(1, 0) == "significantly better"


def test_a_segment_holds_its_lower_end_alone() -> None:
    part = Segment(algorithm="a", low=0.1, high=0.2, score=0.0, relative_cost=1.0)
    assert [part.holds(trade) for trade in (0.0999, 0.1, 0.15, 0.2)] == [False, True, True, False]


def test_reasons_of_worth_name_score_cost_or_both() -> None:
    value = order(table([[0.8, 0.85, 0.7, 0.7]] * 3, [1.0, 1e4, 10.0, 1e5]), cost="train_time", trade="2pt").valuation
    assert value is not None and value.sequence.tolist() == [0, 1, 2, 3]
    reasons = worth_reasons(value, ("a", "b", "c", "d"))
    assert [(part.place, part.by) for part in reasons] == [(1, "cost"), (2, "score"), (3, "cost"), (4, "cost")]
    assert reasons[0].text == f"before b: {relation(value, 0, 1)}"
    assert reasons[3].text == f"behind c: {relation(value, 3, 2)}"
    both = order(table([[0.8, 0.7]] * 3, [1.0, 10.0]), cost="train_time")
    assert [part.by for part in both.reasons] == ["score and cost"] * 2
    free = order(table([[0.8, 0.7]] * 3))
    assert [part.by for part in free.reasons] == ["score"] * 2
    assert free.reasons[0].text == "before b: 10.0 points better"


# ---- answers


def test_the_parts_of_an_answer() -> None:
    cheap = order(table([[0.9, 0.898, 0.5]] * 5, [1000.0, 1.0, 0.9]), cost="train_time").answer
    assert cheap.use == "b" and cheap.saves.endswith("in train_time, beside a, which scores best.")
    assert cheap.saves.startswith("1,000 times cheaper") or cheap.saves.startswith("1000 times cheaper")
    assert cheap.loses.startswith("0.2 points") and cheap.loses.endswith("against a.")
    best = order(table([[0.9, 0.5]] * 5, [10.0, 1.0]), cost="train_time").answer
    assert best.saves == "Nothing: 10 times the cost in train_time, beside b, the cheapest."
    assert best.loses == "Nothing: it has the best mean accuracy." and best.next_best.startswith("b: 40.0 points worse")
    both = order(table([[0.9, 0.5]] * 5, [1.0, 10.0]), cost="train_time").answer
    assert both.saves == "Nothing is cheaper in train_time."
    assert order(table([[0.9, 0.5]] * 5)).answer.saves == ""


def test_equal_scores_of_the_first_and_the_best_are_the_best() -> None:
    """a stands first in the table and b in the given order; both have the best score."""
    result = order(table([[0.8, 0.8, 0.5]] * 3), prior=["b", "a", "c"])
    assert result.order[0] == "b" and "the best of 3" in result.headline
    assert "Mean accuracy" not in result.explain("a", "b") and "Mean accuracy" in result.explain("b", "c")
    assert order(table([[0.8, 0.7]] * 3, [1.0, 1.0]), cost="train_time").headline.endswith(
        "Next: b, 10.0 points worse, same cost."
    )


def test_a_ratio_of_one_is_a_multiple_and_two_trades_grow_together() -> None:
    memory = np.tile([1.0, 1e6, 10.0], (3, 1))
    results = table([[0.8, 0.81, 0.5]] * 3, [1.0, 1.0, 0.5], memory=memory)
    result = order(results, cost=["train_time=1pt", "memory=1pt"])
    assert result.order[0] == "a" and "times the train_time" in result.headline
    assert "with the other trades in proportion" in result.headline
    assert "and the other trades grow in proportion" in " ".join(str(result).split())
    alone = order(results, cost=["train_time=0pt", "memory=1pt"])
    assert "in proportion" not in str(alone) and alone.order[0] == "a"


@every(("sets", "share"), [(1, None), (1, 0.05), (2, None), (5, None)])
def test_what_is_said_of_how_sure(sets: int, share: float | None) -> None:
    scores = np.full((sets, 2, 10), 0.8)
    scores[:, 1] += 0.05 * (-1.0) ** np.arange(10) - 0.004 * np.arange(1, sets + 1)[:, None]
    options: dict[str, Any] = {} if share is None else {"test_share": share}
    text = " ".join(str(order(folds(scores, [1.0, 1.0]), cost="train_time", **options)).split())
    assert ("folds share training data" in text) == ("at most about" in text) == (sets == 1)
    assert ("Sure:" in text) == (sets == 5)


def test_one_algorithm_says_nothing_of_sureness_and_names_its_rule_alone() -> None:
    for rule in ("worth", "multitest", "multi2test"):
        one = order(table([[0.8]] * 3, [1.0]), cost="train_time", rule=rule)
        two = order(table([[0.8, 0.7]] * 3, [1.0, 2.0]), cost="train_time", rule=rule)
        assert len(document.methods(one)) == 1 < len(document.methods(two))
        assert "How sure" not in str(one) and one.answer.table is not None
        assert not any("CI" in name for name in one.answer.table.header)
        assert "0 of" not in " ".join(document.method_sentences(one))
        assert "of 1 pairs differ" in " ".join(document.method_sentences(two)) or two.gated
    names = [method.name for method in document.methods(two)]
    assert names[:2] == ["multitest", "multi2test"]


def test_losses_without_a_cost_are_ordered_by_what_is_averaged() -> None:
    result = order(table([[2.0, 3.0], [1.0, 2.0]], score="rmse"), score="rmse")
    assert result.valuation is not None and result.valuation.scale.used_words
    assert document.rule_line(result) == f"No cost: ordered by the mean of {result.valuation.scale.used_words}."
    assert document.rule_line(order(table([[0.8, 0.7]] * 3))) == "No cost: ordered by mean accuracy."


# ---- pairs and other rules


@every("rule", ["worth", "multitest", "multi2test"])
def test_the_test_of_a_pair_is_its_own(rule: str) -> None:
    scores = np.random.default_rng(4).normal([[[0.7], [0.75], [0.8], [0.76]]], 0.04, (8, 4, 10))
    result = order(folds(scores, [1.0, 2.0, 3.0, 4.0]), cost="train_time", rule=rule)
    shown = {(a, b): k for k, (a, b) in enumerate(zip(result.tests.a, result.tests.b, strict=True))}
    assert len(shown) == 6
    for (a, b), k in shown.items():
        words = f"{p_is(float(result.tests.pvalue[k]))}, corrected {p_is(float(result.tests.adjusted[k]))}"
        assert words in result.explain("abcd"[a], "abcd"[b]) and words in result.explain("abcd"[b], "abcd"[a])


def test_the_other_rules_of_two_data_sets() -> None:
    scores = np.random.default_rng(4).normal([[[0.7], [0.75], [0.8]]], 0.02, (2, 3, 10))
    result = order(folds(scores, [1.0, 2.0, 3.0]), cost="train_time")
    assert set(result.other_rules) == {"multitest", "multi2test"}
    assert "mean of 2 data sets" in result.answer.figures[0].text
    inside = order(folds(scores, [1.0, 2.0, 3.0]), cost="train_time", rule="multi2test")
    assert set(inside.other_rules) == {"worth", "multitest"}
    assert any(line.startswith("Inside the data sets pairs were tested by") for line in inside.document().method)
    assert inside.answer.table is not None and "mean rank" in inside.answer.table.header
    over = order(table(scores.mean(axis=2), [1.0, 2.0, 3.0]), cost="train_time", rule="multitest")
    assert "No pair was tested" not in " ".join(document.method_sentences(over))
    assert "No test was made." not in over.explain("a", "b")


@every(("most", "tried"), [(12, True), (11, False)])
def test_multi2test_is_tried_up_to_so_many_pairs(monkeypatch: pytest.MonkeyPatch, most: int, tried: bool) -> None:
    monkeypatch.setattr(document, "MOST_INNER", most)
    scores = np.random.default_rng(4).normal([[[0.7], [0.75], [0.8]]], 0.02, (4, 3, 5))
    result = order(folds(scores, [1.0, 2.0, 3.0]), cost="train_time")
    assert ("multi2test" in result.other_rules) == tried


def test_worth_beside_a_published_rule_has_the_usual_trade() -> None:
    result = order(table([[0.8, 0.8001]] * 3, [1.0, 1000.0]), cost="train_time", rule="multitest")
    assert result.valuation is not None and not result.valuation.trades.any()
    assert result.other_rules["worth"] == "a"


def test_a_test_of_ones_own_over_data_sets_is_not_that_of_their_folds() -> None:
    scores = np.random.default_rng(5).normal(0.8, 0.05, (12, 2, 10))
    scores[:, 1] += (scores[:, 0] - scores[:, 1]).mean(axis=1, keepdims=True) + 1e-4  # better by a hair everywhere
    options: dict[str, Any] = {"cost": "train_time", "rule": "multitest"}
    result = order(folds(scores, [1.0, 2.0]), pairwise=lambda _x, _y: 0.0, **options)
    assert result.order == ("b", "a") and result.other_rules["multi2test"] == "a"
