"""What an order by worth rests on, each number by hand: means, covariances, losses, ties, and words of two."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tiebreak import order
from tiebreak.caveats import codes_of
from tiebreak.errors import OptionError
from tiebreak.ordering.options import corrections, item_test, pair_test, plan_of, prior_order, usual_posthoc
from tiebreak.ordering.table import prior_places
from tiebreak.ordering.valuation import leading, proportions, relation, score_relation
from tiebreak.stats.selection import Moments, Sample, best_of, certainty, losses, ranked, standard_errors

from .every import every
from .test_order_numbers import answers, folds
from .test_worth import random_table, table

FREE = np.zeros(0)


def never(_x: np.ndarray, _y: np.ndarray) -> float:
    return 1.0


def no_cost(count: int) -> np.ndarray:
    return np.zeros((0, 1, count))


# ---- means and covariances


def test_worth_is_the_score_less_each_trade_times_its_cost() -> None:
    scores = np.array([[0.9, 0.5], [0.7, 0.7], [0.2, 0.6]])
    logs = np.array([[[1.0, 0.0], [2.0, 0.0], [3.0, 3.0]], [[0.0, 4.0], [0.0, 5.0], [0.0, 0.0]]])
    sample, trades = Sample(scores=scores, logs=logs), np.array([0.1, 0.02])
    worth = np.array([[0.8, 0.42], [0.5, 0.6], [-0.1, 0.3]])
    assert sample.mean_logs == pytest.approx(np.array([[2.0, 1.0], [0.0, 3.0]]))
    assert sample.values(trades) == pytest.approx(worth.mean(axis=0))
    moments = sample.moments(trades)
    assert moments is not None and moments.estimated and moments.groups == 3
    centred = worth - worth.mean(axis=1, keepdims=True)
    assert moments.means == pytest.approx(centred.mean(axis=0))
    assert moments.covariance == pytest.approx(np.cov(centred.T) / 3)
    assert moments.root is not None and moments.root.shape == (3, 2)
    once = Sample(scores=scores, logs=logs[:, :1]).moments(trades)  # one row of costs stands for all
    paid = scores - np.array([0.1, 0.08])
    assert once is not None
    assert once.covariance == pytest.approx(np.cov((paid - paid.mean(axis=1, keepdims=True)).T) / 3)
    given = Sample(scores=scores[:1], logs=logs[:, :1], covariance=np.diag([0.3, 0.4]), groups=7).moments(trades)
    assert given is not None and (given.groups, given.estimated, given.root) == (7, False, None)
    assert given.means == pytest.approx([0.19, -0.19]) and np.array_equal(given.covariance, np.diag([0.3, 0.4]))


def test_weights_are_shares_of_the_sum() -> None:
    scores = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.5]])
    sample = Sample(scores=scores, logs=no_cost(2), weights=np.array([2.0, 1.0, 1.0]))
    assert sample.mean_scores == pytest.approx([0.5, 0.125])
    moments = sample.moments(FREE)
    assert moments is not None and moments.means == pytest.approx([0.1875, -0.1875])
    errors = np.array([0.5, 0.0, -0.25]) - 0.1875
    expected = 1.5 * np.square(errors * [0.5, 0.25, 0.25]).sum()
    assert moments.covariance == pytest.approx(expected * np.array([[1, -1], [-1, 1]]))


def test_clusters_are_the_units() -> None:
    gaps = np.array([0.4, 0.2, 0.1, -0.1, 0.3, 0.0])
    scores = np.column_stack([0.5 + gaps / 2, 0.5 - gaps / 2])
    clusters = np.array([0, 0, 1, 1, 2, 2])
    moments = Sample(scores=scores, logs=no_cost(2), clusters=clusters).moments(FREE)
    sums = (gaps - 0.15).reshape(3, 2).sum(axis=1) / 6
    assert moments is not None and moments.groups == 3
    assert standard_errors(moments.covariance, 0)[1] ** 2 == pytest.approx(1.5 * np.square(sums).sum())


@every(("clusters", "groups"), [([0, 0, 1, 1, 2, 3, 4, 5], None), ([0, 1, 2, 3, 0, 1, 2, 3], 4)])
def test_clusters_that_reach_over_benchmarks_make_them_one(clusters: list[int], groups: int | None) -> None:
    gaps = np.array([0.4, 0.1, 0.3, 0.0, -0.1, 0.2, 0.5, 0.3])
    scores, strata = np.column_stack([gaps, np.zeros(8)]), np.repeat([0, 1], 4)
    codes = np.array(clusters)
    moments = Sample(scores=scores, logs=no_cost(2), strata=strata, clusters=codes).moments(FREE)
    centred = np.where(strata == 0, gaps - 0.2, gaps - 0.225) / 8
    sums = np.bincount(codes, weights=centred)
    if groups:
        variance = groups / (groups - 1) * np.square(sums).sum()
    else:  # two clusters of the first, four of the second
        parts = np.array([2 * np.square(sums[:2]).sum(), 4 / 3 * np.square(sums[2:]).sum()])
        variance, groups = parts.sum(), round(parts.sum() ** 2 / (parts**2 / [1, 3]).sum()) + 1
    assert moments is not None and moments.groups == groups
    assert standard_errors(moments.covariance, 0)[1] ** 2 == pytest.approx(variance)


def test_nothing_shows_how_scores_vary() -> None:
    same = np.full((4, 3), 0.5)
    assert Sample(scores=same, logs=np.ones((1, 4, 3))).moments(np.ones(1)) is None
    assert Sample(scores=same * 1e6 + 1e-8 * np.arange(3), logs=no_cost(3)).moments(FREE) is None
    one = same.copy()
    one[2, 1] = 0.6  # one cell of one row is enough
    assert Sample(scores=one, logs=no_cost(3)).moments(FREE) is not None
    assert Sample(scores=one[2:3], logs=no_cost(3)).moments(FREE) is None
    assert Sample(scores=one[1:3], logs=no_cost(3)).moments(FREE) is not None
    for strata, known in (([0, 0, 0, 1], False), ([0, 0, 1, 1], True), ([0, 1, 2, 3], False)):
        sample = Sample(scores=one, logs=no_cost(3), strata=np.array(strata))
        assert (sample.moments(FREE) is not None) == known


def test_units_that_never_differ_have_their_own_degrees_of_freedom() -> None:
    """Two benchmarks whose differences are all the same: the variance is zero, and no formula divides by it."""
    scores = np.tile([0.75, 0.5], (7, 1))
    moments = Sample(scores=scores, logs=no_cost(2), strata=np.array([0, 0, 0, 1, 1, 1, 1])).moments(FREE)
    assert moments is not None and moments.groups == 6 and not moments.covariance.any()
    sure = certainty(moments, first=0)
    assert sure is not None and (sure.probability, sure.regret) == (1.0, 0.0)
    assert certainty(moments, first=1).probability == 0.0  # type: ignore[union-attr]
    assert certainty(moments, first=1).regret == pytest.approx(0.25)  # type: ignore[union-attr]


# ---- how sure, and what is lost


def test_standard_errors_of_differences() -> None:
    covariance = np.array([[4.0, 1.0, 0.5], [1.0, 9.0, 0.0], [0.5, 0.0, 1.0]])
    assert standard_errors(covariance, 0) == pytest.approx(np.sqrt([0, 11, 4]))
    assert standard_errors(covariance, 1) == pytest.approx(np.sqrt([11, 0, 10]))
    assert not np.isnan(standard_errors(np.full((2, 2), 0.1) - 1e-18 * np.eye(2), 0)).any()


def test_three_contenders_shrink_towards_their_mean_by_what_noise_explains() -> None:
    means = np.array([0.30, 0.0, -0.15])
    covariance = np.array([[0.04, 0.01, 0.0], [0.01, 0.03, 0.01], [0.0, 0.01, 0.02]])
    noise = (0.09 - 0.13 / 3) / 2
    factor = (2 + max(0.0, 1 - noise / means.var(ddof=1))) / 3
    assert 2 / 3 < factor < 1
    rng = np.random.default_rng(9)
    drawn = rng.multivariate_normal(0.05 + factor * (means - 0.05), factor * covariance, 400_000)
    sure = [certainty(Moments(means=means, covariance=covariance, groups=9), first=0, seed=s) for s in range(12)]
    assert np.mean([item.probability for item in sure if item]) == pytest.approx(
        (drawn.argmax(axis=1) == 0).mean(), abs=6e-3
    )
    assert np.mean([item.regret for item in sure if item]) == pytest.approx(
        (drawn.max(axis=1) - drawn[:, 0]).mean(), rel=0.04
    )


def test_one_algorithm_has_no_certainty_and_no_interval() -> None:
    assert certainty(Moments(means=np.zeros(1), covariance=np.eye(1), groups=9), first=0) is None
    assert certainty(None, first=0) is None
    alone = losses(Sample(scores=np.array([[0.5], [0.6]]), logs=no_cost(1)))
    assert (alone.best, alone.value.tolist(), alone.low.tolist(), alone.high.tolist()) == (0, [0.0], [0.0], [0.0])


@every(("groups", "width"), [(1, 12.7062), (2, 12.7062), (3, 4.30265), (11, 2.22814)])
def test_the_interval_of_two_has_the_width_of_students_t(groups: int, width: float) -> None:
    scores = np.array([[0.5, 0.3]])
    sample = Sample(scores=scores, logs=no_cost(2), covariance=np.diag([0.09, 0.16]), groups=groups)
    result = losses(sample)
    assert result.value == pytest.approx([0.0, 0.2])
    assert result.high == pytest.approx([0.0, 0.2 + 0.5 * width], rel=1e-5) and result.low.tolist() == [0.0, 0.0]


def test_those_far_behind_have_the_interval_of_one_rival() -> None:
    """b is within two standard errors of a and c is not: one rival is no choice among several."""
    sample = Sample(
        scores=np.array([[0.9, 0.85, 0.1]]), logs=no_cost(3), covariance=0.01 * np.diag([0.16, 0.09, 0.09]), groups=21
    )
    width = stats.t(20).ppf(0.975)
    assert losses(sample).high == pytest.approx([0.0, 0.05 + 0.05 * width, 0.8 + 0.05 * width])
    assert losses(sample).low == pytest.approx([0.0, 0.0, 0.8 - 0.05 * width])
    closer = replace(sample, scores=np.array([[0.9, 0.85, 0.85]]))
    assert losses(closer).high[1] > 0.05 + 0.05 * width
    assert losses(closer, alpha=0.2).high[1] < losses(closer, alpha=0.05).high[1] == losses(closer).high[1]
    assert losses(closer, seed=0).high[1] == losses(closer).high[1] != losses(closer, seed=1).high[1]


# ---- ties at any size


def test_ties_are_those_of_rounding_at_any_size() -> None:
    cheap_last = np.array([[2.0, 1.0], [0.5, 1.0]])
    for size, gap, best in ((1e6, 1e-7, 1), (1e6, 1e-5, 0), (1e-3, 1e-13, 1), (1e-3, 1e-11, 0)):
        assert best_of(np.array([size, size - gap]), cheap_last) == best, (size, gap)
    assert best_of(np.array([0.5, 0.5, 0.4]), np.array([[0.0, 3.0, 0.0], [1.0, -2.5, 0.0]])) == 1
    assert best_of(np.array([-5.0, -5.0]), np.array([[0.1 + 0.2, 0.3]])) == 0  # equal but for rounding: the first
    names, paid = ("a", "b"), np.array([[1.0, 0.0]])
    for values, scores, expected in (
        ([1e6, 1e6 - 1e-7], [1.0, 1.0], [1, 0]), ([1e6, 1e6 - 1e-5], [1.0, 1.0], [0, 1]),
        ([1e6, 1e6], [1.0, 1.0 - 1e-7], [1, 0]), ([1e-3, 1e-3 - 1e-11], [1.0, 1.0], [0, 1]),
        ([1.0, 1.0], [1.0, 1.0 - 1e-11], [0, 1]), ([-1e6, -1e6 + 1e-7], [1.0, 1.0 - 1e-7], [1, 0]),
    ):  # fmt: skip
        assert ranked(np.array(values), np.array(scores), paid, names).tolist() == expected, values
    equal = np.zeros(2)
    assert ranked(equal, equal, np.array([[0.1 + 0.2, 0.3]]), names).tolist() == [0, 1]
    assert ranked(equal, equal, np.array([[1.0, 0.0], [0.0, 2.0]]), names).tolist() == [0, 1]


def test_places_by_cost_then_error_then_name() -> None:
    costs = np.array([[1.0, 1.0, 0.5], [0.3, 0.1 + 0.2, 0.2], [3.0, 2.0, 1.0]])
    errors = np.array([[0.2, 0.1, 0.9], [0.5, 0.5, 0.5], [0.1, 0.1, 0.1]])
    places, tied = prior_places(costs, errors, ("z", "y", "x"))
    assert places.tolist() == [[2, 1, 0], [2, 1, 0], [2, 1, 0]] and tied == 2
    apart = costs + np.array([1e-9, 0.0, 0.0])
    places, tied = prior_places(apart, -errors, ("x", "y", "z"))
    assert places.tolist() == [[2, 1, 0], [2, 1, 0], [2, 1, 0]] and tied == 0
    places, tied = prior_places(np.ones((1, 3)), np.array([[0.2, 0.2 + 1e-14, 0.2 - 1e-9]]), ("b", "a", "c"))
    assert places.tolist() == [[2, 1, 0]] and tied == 1


# ---- valuations


def test_the_cost_that_leads_is_the_first_with_a_trade() -> None:
    assert [leading(np.array(trades)) for trades in ([], [0.0], [0.0, 0.2], [0.1, 0.2])] == [0, 0, 1, 0]
    assert proportions(np.array([0.0, 0.2, 0.1])).tolist() == [0.0, 1.0, 0.5]
    assert proportions(np.zeros(2)).tolist() == [1.0, 1.0]


def test_figures_of_two_costs_by_hand() -> None:
    scores = np.array([[0.8, 0.7, 0.5]] * 2)
    results = table(scores, [[100.0, 10.0, 1.0], [1.0, 0.1, 0.01]], memory=np.array([[8.0, 2.0, 2.0], [8.0, 8.0, 2.0]]))
    for trades, counted, lead in (
        (["train_time=2pt", "memory=1pt"], [0, 1], 0),
        (["train_time=0pt", "memory=1pt"], [1], 1),
        (["train_time=0pt", "memory=0pt"], [0], 0),
    ):
        value = order(results, cost=trades).valuation
        assert value is not None and (value.counted, value.lead) == (counted, lead)
        assert value.paid == pytest.approx(np.array([[10.0, 1.0, 0.1], [8.0, 4.0, 2.0]]))
        assert value.relative == pytest.approx(np.array([[1.0, 0.1, 0.01], [1.0, 0.5, 0.25]]))
        assert value.in_force == pytest.approx(float(value.trades[lead]))
        memory = np.log10([8.0, 4.0, 2.0])
        combined = {(0, 1): np.array([1.0, 0.0, -1.0]) + 0.5 * memory, (1,): memory}
        if tuple(counted) in combined:
            assert value.combined == pytest.approx(combined[tuple(counted)])
        assert [part.relative_cost for part in value.frontier] == pytest.approx(
            [value.relative[lead, "abc".index(part.algorithm)] for part in value.frontier]
        )
        assert [part.score for part in value.frontier] == pytest.approx(
            [scores[0]["abc".index(part.algorithm)] for part in value.frontier]
        )
    both = order(results, cost=["train_time=2pt", "memory=1pt"]).valuation
    assert both is not None
    assert relation(both, 1, 0) == "10.0 points worse, 10 times cheaper (train_time) and 50% cheaper (memory)"


def test_two_in_words_of_their_scores() -> None:
    shares = order(table([[0.8, 0.7, 0.8]] * 3)).valuation
    ratios = order(table([[2.0, 3.0, 2.0]] * 3, score="rmse"), score="rmse").valuation
    assert shares is not None and ratios is not None
    for value in (shares, ratios):
        assert relation(value, 0, 2) == score_relation(value, 0, 2) == "the same score"
    assert score_relation(shares, 0, 1) == "10.0 points better" and score_relation(shares, 1, 0) == "10.0 points worse"
    assert score_relation(ratios, 0, 1) == f"better: the other has {score_relation(ratios, 1, 0)}"
    assert "better" not in score_relation(ratios, 1, 0)


@every(("best", "size", "warned"), [(0.9, "11pt", True), (0.9, "9pt", False), (1.0, "11pt", False)])
def test_a_trade_that_no_score_could_pay_is_named(best: float, size: str, warned: bool) -> None:
    result = order(table([[best, 0.5]] * 3, [10.0, 1.0]), cost="train_time", trade=size)
    assert ("large-trade" in codes_of(result.caveats)) == warned


def test_a_trade_of_scores_that_are_all_zero_is_nothing() -> None:
    for scores, traded in (([[0.0, 0.0]] * 3, False), ([[0.5, 0.5]] * 3, True), ([[0.0, 0.1]] * 3, True)):
        value = order(table(scores, [10.0, 1.0]), cost="train_time", trade="1%").valuation
        assert value is not None and bool(value.trades.any()) == traded


def test_a_default_trade_is_capped_near_a_perfect_score() -> None:
    for best, trade, capped in ((0.998, None, True), (0.8, None, False), (0.998, "1%", False)):
        value = order(table([[best, 0.5]] * 3, [10.0, 1.0]), cost="train_time", trade=trade).valuation
        assert value is not None and value.capped(0) == capped


def test_totals_vary_as_shares_with_one_more_success_and_failure() -> None:
    totals = {"model": ["a", "b", "c"], "passed": [8, 5, 0], "n": [8, 10, 20], "price": [1.0, 2.0, 3.0]}
    value = order(totals).valuation
    assert value is not None and value.probable and value.sample.mean_scores == pytest.approx([1.0, 0.5, 0.0])
    nearly = np.array([9 / 10, 6 / 12, 1 / 22])
    assert value.sample.covariance == pytest.approx(np.diag(nearly * (1 - nearly) / [8, 10, 20]))
    assert value.sample.groups == 8


def test_items_of_benchmarks_count_by_benchmark() -> None:
    rng, sizes = np.random.default_rng(3), (3, 5)
    cells = [(b, i, m) for b, size in enumerate(sizes) for i in range(size) for m in range(2)]
    right = [int(rng.random() < 0.6) for _ in cells]
    results = {
        "benchmark": [f"b{b}" for b, _, _ in cells],
        "item": [f"{b}-{i}" for b, i, _ in cells],
        "model": ["ab"[m] for *_, m in cells],
        "accuracy": right,
    }
    value = order(results, score="accuracy").valuation
    assert value is not None and value.probable and value.sample.weights is not None
    assert sorted(value.sample.weights) == pytest.approx([1 / 10] * 5 + [1 / 6] * 3)
    alone = order(answers((0.9, 0.3), 4, (1.0, 2.0)), score="accuracy").valuation
    assert alone is not None and not alone.probable and alone.sample.weights is None and alone.sample.strata is None


@every(("share", "inflation"), [(None, 1 + 4 / 3), (0.2, 2.0), (0.5, 5.0)])
def test_folds_are_inflated_by_the_share_that_they_test(share: float | None, inflation: float) -> None:
    scores = np.random.default_rng(2).normal(0.8, 0.03, (1, 2, 4))
    options: dict[str, Any] = {} if share is None else {"test_share": share}
    value = order(folds(scores, [1.0, 10.0]), cost="train_time", **options).valuation
    assert value is not None and value.sample.inflation == pytest.approx(inflation)
    assert value.sample.scores == pytest.approx(scores[0].T) and not value.probable


# ---- options


def test_corrections_by_count() -> None:
    assert [usual_posthoc("places", n) for n in (100, 101)] == ["bergmann-hommel", "shaffer"]
    assert [usual_posthoc("folds", n) for n in (100, 101)] == ["bergmann-hommel", "shaffer"]
    assert usual_posthoc("scores", 3) == "bergmann-hommel" and usual_posthoc("scores", 50) == "shaffer"
    assert corrections(None, "holm", None) == ("holm", None)
    assert corrections("2008", None, None) == ("none", "nemenyi")
    for inner, outer in (("holm", None), (None, "holm"), ("holm", "holm")):
        with pytest.raises(OptionError, match="both given"):
            corrections("2012", inner, outer)


def test_prior_orders_name_each_once() -> None:
    known = ("a", "b", "c")
    assert prior_order(None, known, known) is None
    assert prior_order(["c", "a", "b"], known, known) == ("c", "a", "b")
    assert prior_order(["c", "a", "b"], known, ("a", "b")) == ("c", "a", "b")
    for prior, words in ((["a", "b"], "lacks 'c'"), (["a", "b", "c", "a"], "names an algorithm twice"), (["d"], "'d'")):
        with pytest.raises(OptionError, match=words):
            prior_order(prior, known, known)


def test_tests_of_pairs_by_the_number_of_scores() -> None:
    assert pair_test(None, 1) is None and pair_test(None, 2) == pair_test("hotelling", 3) == "hotelling"
    assert pair_test("folds", 1) == "folds" and pair_test("wilcoxon", 1) == "wilcoxon"
    assert pair_test(never, 1) is never
    for name, count in (("hotelling", 1), ("wilcoxon", 2), ("unknown", 1)):
        with pytest.raises(OptionError):
            pair_test(name, count)
    items = order(answers((0.9, 0.3), 6, (1.0, 2.0)), score="accuracy").table
    totals = order({"model": ["a", "b"], "passed": [8, 5], "n": [8, 10], "price": [1.0, 2.0]}).table
    assert item_test(None, items) is None and item_test("fisher", totals) == "fisher"
    for test, known in (("fisher", items), (never, items), ("unknown", totals)):
        with pytest.raises(OptionError):
            item_test(test, known)


def test_a_plan_checks_each_of_its_names() -> None:
    scores, costs = random_table(1, count=9)
    ordering = order(table(scores, costs), cost="train_time", rule="multitest")
    base: dict[str, Any] = {
        "omnibus": "friedman", "costs": ("train_time",), "missing": "error", "missing_costs": "error", "alpha": 0.05,
    }  # fmt: skip
    made = plan_of(ordering.table, over="scores", test=None, inner=None, outer=None, **base)
    assert (made.pairwise, made.named, made.own_test, made.prior, made.decider) == (
        "wilcoxon", False, None, None, "cost",
    )  # fmt: skip
    assert plan_of(ordering.table, over="scores", test="sign", inner=None, outer=None, **base).named
    custom = plan_of(ordering.table, over="scores", test=never, inner="holm", outer="none", **base)
    assert custom.own_test is never and custom.named and (custom.inner_adjust, custom.posthoc) == ("holm", "none")
    assert plan_of(ordering.table, over="places", test=None, inner=None, outer="nemenyi", **base).posthoc == "nemenyi"
    for changed in (
        {"outer": "nemenyi"}, {"outer": "unknown"}, {"inner": "nemenyi"}, {"omnibus": "unknown"}, {"alpha": 0.0},
        {"alpha": 1.0},
    ):  # fmt: skip
        options: dict[str, Any] = {"over": "scores", "test": None, "inner": None, "outer": None, **base, **changed}
        with pytest.raises(OptionError):
            plan_of(ordering.table, **options)
