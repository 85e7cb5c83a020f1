"""Which comparisons an order counts: those of each algorithm with the others, or all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, wilcoxon

import tiebreak as tb
from tiebreak.deciding.order import Standing, decided, multitest, shown_better
from tiebreak.deciding.order._draws import adjusted_rows
from tiebreak.deciding.order._procedure import _intransitive
from tiebreak.deciding.order._reasons import Words
from tiebreak.errors import OptionError
from tiebreak.stats.pairwise import pair_indices

ULAS = tb.published.ulas2012()


@pytest.mark.parametrize(("count", "equal"), [(2, 2), (3, 2), (3, 3), (12, 2), (12, 6), (12, 12), (30, 30)])
def test_the_best_is_hardly_ever_put_behind_another(count: int, equal: int) -> None:
    """Normal means: `equal` of them are best, the others far behind. The bound is alpha / 2 for each of the best."""
    rng, draws = np.random.default_rng(count), 4000
    a, b = pair_indices(count)
    means = rng.normal(0.0, 1.0, (draws, count)) - np.where(np.arange(count) < equal, 0.0, 20.0)
    z = (means[:, b] - means[:, a]) / np.sqrt(2.0)
    p = 2.0 * norm.sf(np.abs(z))
    better = decided(a, b, adjusted_rows(p, count, "shaffer") <= 0.05, z, count)
    shown = shown_better(a, b, p, z, better, 0.05)
    assert (shown[:, 0] >= better[:, 0]).all() and shown[:, equal:].any(axis=2).all()
    wrong = shown[:, :equal].any(axis=2).mean(axis=0)
    assert wrong.max() <= 0.025 + 3.5 * np.sqrt(0.025 * 0.975 / draws)
    if count == equal == 30:  # with all pairs counted next to nothing could be told
        assert better.any(axis=2).mean() < 0.1 * shown.any(axis=2).mean()


def test_the_order_is_multitest_on_what_is_shown_by_hand() -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.normal(0.8, 0.02, (14, 9)) + np.linspace(0, 0.035, 9), 4)
    names = [f"a{i}" for i in range(9)]
    table = tb.Results.from_array(scores, score="accuracy", algorithms=names)
    found = tb.order(table, prior=names, family="own", draws=0)
    shown = np.zeros((9, 9), dtype=bool)
    for i in range(9):
        for j in range(9):
            if i != j:
                p = wilcoxon(scores[:, i], scores[:, j], method="exact").pvalue
                shown[i, j] = 8 * p <= 0.05 and np.median(scores[:, j] - scores[:, i]) > 0
    assert (found.standing.shown == shown | found.better).all() and (shown & ~found.better).any()
    assert found.order == tuple(names[i] for i in multitest(shown | found.better, np.arange(9)))
    assert found.order != tb.order(table, prior=names, draws=0).order
    assert found.may_be_best == tuple(name for name in found.order if not found.standing.shown[names.index(name)].any())


def test_over_data_sets_all_pairs_are_counted_unless_told_otherwise() -> None:
    usual = tb.order(ULAS, score="accuracy", cost="train_time", draws=0)
    assert usual.plan.family == "all" and (usual.standing.shown == usual.better).all()
    own = tb.order(ULAS, score="accuracy", cost="train_time", family="own", draws=0)
    assert own.better.tolist() == usual.better.tolist() and (own.standing.shown >= own.better).all()
    assert any(
        "In the order the 7 comparisons of each with the others are counted" in each for each in own.document().said
    )
    assert "hsu1984" in own.document().papers and "hsu1984" not in usual.document().papers


def test_two_algorithms_have_one_comparison() -> None:
    board = {"model": ["a", "b"], "passed": [160, 140], "n": [200, 200], "price": [2.0, 1.0]}
    own, every = (tb.order(board, cost="price", family=each) for each in ("own", "all"))
    assert own.order == every.order and own.explain("a", "b") == every.explain("a", "b")
    assert [str(each) for each in own.document().said] == [str(each) for each in every.document().said]


@pytest.mark.parametrize("told", [{"over": "places"}, {"variant": "2012"}, {"dataset": "optdigits"}])
def test_published_orders_count_all_pairs(told: dict[str, str]) -> None:
    with pytest.raises(OptionError, match=r"family='own' was given, and the order is by (places|folds)"):
        tb.order(ULAS, score="accuracy", cost="train_time", family="own", **told)


def test_votes_count_own_comparisons_too() -> None:
    """By hand: the p-value of the pair times the 29 comparisons of the weaker one."""
    rng = np.random.default_rng(2)
    strength = np.linspace(0.0, 1.5, 30)
    left, right = rng.integers(0, 30, (2, 1500))
    wins = rng.random(1500) < 1 / (1 + np.exp(strength[right] - strength[left]))
    rows = [
        {"left": f"m{i:02d}", "right": f"m{j:02d}", "winner": "left" if won else "right", "prompt": k}
        for k, (i, j, won) in enumerate(zip(left, right, wins, strict=True))
        if i != j
    ]
    prices = {f"m{i:02d}": 1.0 + i for i in range(30)}
    own, every = (tb.battles(rows, prices=prices, family=each) for each in ("own", "all"))
    assert own.better.tolist() == every.better.tolist() and own.shown.sum() > own.better.sum()
    for a, b, p in zip(own.tests.a, own.tests.b, own.tests.pvalue, strict=True):
        told = own.shown[a, b] or own.shown[b, a]
        assert told == (29 * p <= 0.05 or own.better[a, b] or own.better[b, a])
    assert own.order != every.order and every.may_be_best != own.may_be_best
    assert set(own.may_be_best) < set(every.may_be_best) and own.order[0] in own.may_be_best
    pair = next((a, b) for a, b in zip(own.tests.a, own.tests.b, strict=True) if (own.shown & ~own.better)[a, b])
    said = own.explain(own.algorithms[pair[0]], own.algorithms[pair[1]])
    assert f"With the 29 comparisons of {own.algorithms[pair[0]]} alone counted p = " in said
    assert "hsu1984" in own.document().papers and "hsu1984" not in every.document().papers
    plain = tb.battles(rows)  # without prices strength orders: nothing is put behind anything by a test
    assert "comparisons of each" not in str(plain) and "comparisons of each alone counted" in str(own)
    assert all((each["verdict"] == "better") == (each["better"] is not None) for each in plain.to_dict()["pairs"])


WIDE = {"model": [f"m{i:02d}" for i in range(30)], "passed": [198, 167, *range(100, 128)], "n": [225] * 30,
        "price": [2.0, 1.0, *(3.0 + i for i in range(28))]}  # fmt: skip
"""The second is told from the first by its own 29 comparisons, and not once all 435 pairs are counted."""


@pytest.mark.parametrize("posthoc", ["none", "benjamini-hochberg"])
def test_no_chance_is_promised_where_the_correction_keeps_none(posthoc: str) -> None:
    promise = "with a probability of 0.05 at most another is shown to be better than the best one, wrongly."
    assert promise in str(tb.order(WIDE, cost="price", posthoc="holm"))
    found = tb.order(WIDE, cost="price", posthoc=posthoc)
    assert found.plan.family == "all" and "with a probability of" not in str(found)
    asked = str(tb.order(WIDE, cost="price", posthoc=posthoc, family="own"))
    assert "nothing bounds how often another is shown to be better than the best" in asked and promise not in asked
    said = " ".join(tb.board(WIDE, cost="price", posthoc=posthoc, family="own").document().notes)
    assert "the best is in" not in said and "the best is in" in str(tb.board(WIDE, cost="price").document().notes)


def test_votes_promise_no_more_than_their_correction() -> None:
    rows = [
        {"left": a, "right": b, "winner": "left" if k % 5 > 1 else "right"}
        for k, (a, b) in enumerate([("a", "b"), ("b", "c"), ("a", "c")] * 20)
    ]
    plain, told = (tb.battles(rows, prices={"a": 1, "b": 2, "c": 3}, adjust=each) for each in ("none", None))
    assert (plain.plan.family, told.plan.family) == ("all", "own")
    assert "with a probability of" not in str(plain) and "with a probability of 0.05 at most another" in str(told)


def test_a_figure_calls_significant_only_what_is_so_with_all_pairs_counted() -> None:
    own, every = (tb.figures.order_graph(tb.order(WIDE, cost="price", family=each)) for each in ("own", "all"))
    assert "is shown to be better (alpha = 0.05)" in own.reading() and "significantly" not in own.reading()
    assert "No costlier algorithm is significantly better" in every.reading()


def test_what_is_given_up_within_a_margin_is_called_significant_only_where_it_is() -> None:
    board = {**WIDE, "passed": [each * 10 for each in WIDE["passed"]], "n": [2250] * 30}
    board["passed"][1] = 1895
    found = tb.order(board, cost="price", margin=0.1)
    assert found.order[0] == "m01" and found.standing.shown[1, 0] and not found.better[1, 0]
    told = {point.label: point.text for point in found.document().points}["What it gives up"]
    assert told.endswith("a difference that is shown once its 29 comparisons are counted.")


def test_a_pair_against_its_own_comparisons_is_named() -> None:
    """The last is shown to be better than the first, and waits behind a third that the first need not wait for."""
    better = np.zeros((3, 3), dtype=bool)
    shown = better.copy()
    shown[0, 1] = shown[1, 2] = True  # a: cheapest; b better than a, c better than b
    standing = Standing(
        names=("a", "b", "c"), place=np.array([0, 1, 2]), better=better, shown=shown, moves=shown,
        prior=np.array([0, 1, 2]), words=Words(),
    )  # fmt: skip
    (caveat,) = _intransitive(standing)
    assert str(caveat).startswith(
        "2 pair(s) stand against their own test, the second being shown to be better: a before b"
    )
