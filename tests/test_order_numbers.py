"""Orders at the edges of their rules, each number by hand: ties, two algorithms, few data sets, charges, failures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from tiebreak import Results, order
from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import fewest_datasets
from tiebreak.errors import InputError, OptionError
from tiebreak.ordering.multitest import beaten_before, named_pairs
from tiebreak.ordering.valuation import Segment, cost_relation, envelope, value_of, wide
from tiebreak.stats import CORRECTIONS
from tiebreak.stats.selection import Moments, Sample, best_of, certainty, losses, ranked, standard_errors

from .every import every
from .test_worth import random_table, table

NO_COST = np.zeros((0, 1, 2))


def folds(scores: np.ndarray, costs: Any, score: str = "accuracy") -> Results:
    """Data sets x algorithms x folds."""
    sets, count, parts = scores.shape
    paid = np.broadcast_to(np.asarray(costs, dtype=float), (sets, count))
    cells = [(d, a, k) for d in range(sets) for a in range(count) for k in range(parts)]
    return Results.from_dict(
        {
            "dataset": [f"d{d}" for d, _, _ in cells],
            "algorithm": [chr(97 + a) for _, a, _ in cells],
            "fold": [k for _, _, k in cells],
            score: [float(scores[cell]) for cell in cells],
            "train_time": [float(paid[d, a]) for d, a, _ in cells],
        }
    )


def answers(shares: tuple[float, ...], count: int, prices: tuple[float, ...], score: str = "accuracy") -> Results:
    """Items answered at random by models a, b, c."""
    right = np.random.default_rng(6).random((count, len(shares))) < np.array(shares)
    cells = [(i, m) for i in range(count) for m in range(len(shares))]
    return Results.from_dict(
        {
            "model": [chr(97 + m) for _, m in cells],
            "item": [f"q{i}" for i, _ in cells],
            score: [float(right[cell]) for cell in cells],
            "price": [prices[m] for _, m in cells],
        }
    )


# ---- how sure: against formulas for two


@every(("gap", "estimated", "far"), [(g, e, f) for g in (0.0, 0.5, 1.5, 3.0) for e in (False, True) for f in (0, 1)])
def test_certainty_of_two_is_that_of_the_formula(gap: float, estimated: bool, far: int) -> None:
    """A third far behind all others is no contender: it neither wins nor moves the mean that the others shrink to."""
    covariance = np.diag([0.09, 0.16, 0.09][: 2 + far])
    means = np.array([gap * 0.5, 0.0, -20.0][: 2 + far])  # the standard error of the difference is 0.5
    moments = Moments(means=means, covariance=covariance, groups=6, estimated=estimated)
    spread, noise = (gap * 0.5) ** 2 / 2, 0.125
    remaining = max(0.0, 1 - noise / spread) if gap else 0.0
    factor = (2 + remaining) / 3 if gap <= 2 else 1.0
    ahead, error = factor * gap * 0.5, np.sqrt(factor) * 0.5
    law = stats.t(5) if estimated else stats.norm
    regret = integrate.quad(lambda x: max(-(ahead + error * x), 0.0) * law.pdf(x), -60, -ahead / error)[0]
    certainties = [certainty(moments, first=0, seed=seed) for seed in range(12)]
    assert np.mean([item.probability for item in certainties if item]) == pytest.approx(
        stats.norm.cdf(ahead / error), abs=6e-3
    )
    assert np.mean([item.regret for item in certainties if item]) == pytest.approx(regret, rel=0.06, abs=1e-4)


def test_the_loss_of_two_has_the_interval_of_the_paired_t_test() -> None:
    scores = np.random.default_rng(1).normal([0.8, 0.78], 0.03, (9, 2))
    result = losses(Sample(scores=scores, logs=NO_COST), alpha=0.1)
    best = int(np.argmax(scores.mean(axis=0)))
    low, high = stats.ttest_rel(scores[:, best], scores[:, 1 - best]).confidence_interval(0.9)
    assert (result.best, result.low[1 - best], result.high[1 - best]) == pytest.approx((best, max(low, 0.0), high))
    assert result.low[best] == result.high[best] == 0.0
    alone = losses(Sample(scores=scores[:1], logs=NO_COST))
    assert alone.low[alone.best] == 0.0 and np.isnan(alone.low[1 - alone.best])


def test_the_loss_of_many_has_the_interval_of_the_largest_t() -> None:
    """Of equal algorithms with errors that are known and independent: Dunnett's two-sided quantile."""
    count, n = 6, 30
    sample = Sample(scores=np.zeros((1, count)), logs=np.zeros((0, 1, count)), covariance=np.eye(count) / n, groups=n)
    widths = [losses(sample, seed=seed).high[1:] for seed in range(5)]
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal((200_000, count)) / np.sqrt(rng.chisquare(n - 1, 200_000) / (n - 1))[:, None]
    expected = np.quantile(np.abs(drawn[:, 1:] - drawn[:, :1]).max(axis=1), 0.95) / np.sqrt(n)
    assert np.mean(widths) == pytest.approx(expected, rel=0.02)


@every("sizes", [(12, 5, 4), (12, 5)])
def test_the_means_of_benchmarks_have_the_degrees_of_freedom_of_welch(sizes: tuple[int, ...]) -> None:
    rng, count = np.random.default_rng(8), np.array(sizes)
    parts = [rng.normal(0.5, spread, (size, 2)) for size, spread in zip(sizes, (0.3, 0.1, 0.2), strict=False)]
    strata = np.repeat(np.arange(len(sizes)), sizes)
    weights = 1 / (len(sizes) * count)[strata]
    sample = Sample(scores=np.concatenate(parts), logs=NO_COST, strata=strata, weights=weights)
    moments = sample.moments(np.zeros(0))
    gaps = [part[:, 0] - part[:, 1] for part in parts]
    variances = np.array([gap.var(ddof=1) / len(gap) for gap in gaps]) / len(sizes) ** 2
    assert moments is not None and standard_errors(moments.covariance, 0)[1] ** 2 == pytest.approx(variances.sum())
    df = variances.sum() ** 2 / (variances**2 / (count - 1)).sum()
    assert moments.groups == round(df) + 1 and round(df) < count.sum() - len(sizes)
    assert moments.means[0] - moments.means[1] == pytest.approx(np.mean([gap.mean() for gap in gaps]))


@every("folds_", [2, 5, 10])
def test_folds_vary_as_nadeau_and_bengio_say(folds_: int) -> None:
    scores = np.random.default_rng(2).normal([[[0.8], [0.78]]], 0.03, (1, 2, folds_))
    value = order(folds(scores, [1.0, 1.0]), cost="train_time").valuation
    assert value is not None and value.sure is not None and value.probability is None
    moments = value.sample.moments(np.zeros(1))
    assert moments is not None and not moments.estimated and moments.groups == folds_
    gaps = scores[0, 0] - scores[0, 1]
    assert standard_errors(moments.covariance, 0)[1] ** 2 == pytest.approx(
        (1 / folds_ + 1 / (folds_ - 1)) * gaps.var(ddof=1)
    )


def test_a_probability_takes_five_units() -> None:
    for count in (4, 5):
        scores, costs = random_table(1, sets=count)
        value = order(table(scores, costs), cost="train_time").valuation
        on_items = order(answers((0.9, 0.3), count, (1.0, 2.0)), score="accuracy").valuation
        for item in (value, on_items):
            assert item is not None and item.sure is not None and (item.probability is None) == (count < 5)
        assert value is not None and [part.probability is None for part in value.frontier] == [count < 5] * len(
            value.frontier
        )


def test_seed_and_alpha_reach_the_draws() -> None:
    scores, costs = np.random.default_rng(3).normal(0.8, 0.03, (9, 6)), 10.0 ** np.arange(-2, 4)
    result = order(table(scores, costs), cost="train_time", seed=7, alpha=0.2)
    value = result.valuation
    assert value is not None and value.sure is not None
    moments = value.sample.moments(value.trades)
    by_hand = certainty(moments, first=int(value.sequence[0]), seed=7)
    assert by_hand is not None and (value.probability, value.regret) == (by_hand.probability, by_hand.regret)
    assert certainty(moments, first=int(value.sequence[0])).regret != by_hand.regret  # type: ignore[union-attr]
    (here,) = (part for part in value.frontier if part.holds(value.in_force))
    assert (here.probability, here.regret) == (by_hand.probability, by_hand.regret)
    assert value.losses.high.tolist() == losses(value.sample, alpha=0.2, seed=7).high.tolist()
    assert value.losses.high.tolist() != losses(value.sample, alpha=0.2).high.tolist()
    plain = value_of(value.sample, value.scale, value.given, result.algorithms, probable=True)
    usual = certainty(moments, first=int(value.sequence[0]), seed=0)
    assert usual is not None and (plain.probability, plain.regret) == (usual.probability, usual.regret)
    assert plain.losses.high.tolist() == losses(value.sample, alpha=0.05, seed=0).high.tolist()
    for part in value.frontier:
        if part is not here:
            other = certainty(value.sample.moments(np.array([part.middle])), first=ord(part.algorithm) - 97, seed=7)
            assert other is not None and (part.probability, part.regret) == (other.probability, other.regret)


# ---- ties, and who is first for which trade


def test_ties_by_hand() -> None:
    assert envelope(np.array([0.9, 0.9, 0.5]), np.array([2.0, 1.0, 0.0])) == [(1, 0.0, 0.4), (2, 0.4, np.inf)]
    assert envelope(np.array([0.9, 0.8, 0.7]), np.array([2.0, 1.0, 0.0])) == [(0, 0.0, 0.1), (2, 0.1, np.inf)]
    assert best_of(np.array([0.5, 0.9, 0.9 - 1e-14]), np.array([[0.0, 2.0, 1.0]])) == 2
    assert best_of(np.array([0.5, 0.9, 0.9]), np.array([[0.0, 1.0, 1.0]])) == 1
    scores, values = np.array([0.5, 0.6, 0.6, 0.6]), np.full(4, 0.5)
    logs = np.array([[0.0, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0]])
    assert ranked(values, scores, logs, ("d", "c", "b", "a")).tolist() == [2, 3, 1, 0]
    assert ranked(values, scores, np.zeros((0, 4)), ("d", "c", "b", "a")).tolist() == [3, 2, 1, 0]


def test_segments_by_hand() -> None:
    ends = [0.0, 0.01, 0.0159, 0.25, 0.4, 0.8, np.inf]
    parts = [
        Segment(algorithm="abcdef"[k], low=low, high=high, score=0.0, relative_cost=1.0)
        for k, (low, high) in enumerate(pairwise(ends))
    ]
    middles = [0.01 / 3, *(np.sqrt(low * high) for low, high in pairwise(ends[1:-1])), 2.4]
    assert [part.middle for part in parts] == pytest.approx(middles)
    assert replace(parts[0], high=np.inf).middle == 0.0
    assert "".join(part.algorithm for part in wide(tuple(parts), 1.0)) == "acdef"
    assert "".join(part.algorithm for part in wide(tuple(parts), 0.01)) == "abcdef"


@every(
    ("ratio", "words"),
    [
        (1.004, "same cost"), (0.9960, "same cost"), (1.006, "1% costlier"), (0.994, "1% cheaper"),
        (0.6, "40% cheaper"), (1.5, "50% costlier"), (0.51, "49% cheaper"), (0.45, "2.2 times cheaper"),
        (0.25, "4.0 times cheaper"), (1.98, "98% costlier"), (2.1, "2.1 times the cost"), (7.0, "7.0 times the cost"),
    ],
)  # fmt: skip
def test_costs_in_words(ratio: float, words: str) -> None:
    value = order(table([[0.9, 0.8]] * 3, [3.0, 3.0 * ratio]), cost="train_time").valuation
    assert value is not None and cost_relation(value, 1, 0) == words


# ---- one algorithm, two, very many


def test_what_is_said_of_one_algorithm_and_of_two() -> None:
    scores, costs = random_table(4, count=2)
    one, two = (order(table(scores[:, :k], costs[:, :k]), cost="train_time") for k in (1, 2))
    assert (one.answer.next_best, len(one.answer.figures), "explain" in one.answer.more[0]) == ("", 1, False)
    assert two.answer.next_best.startswith(f"{two.order[1]}: ") and "explain" in two.answer.more[0]
    assert two.answer.figures[0].value == f"{100 * scores.mean(axis=0).max():.1f}"
    assert len(two.answer.figures) == 3
    assert not any(part.caption.startswith("Tests") for part in one.document().tables)
    assert [(part.reasons[0].text == "the only one", part.reasons[0].place) for part in (one, two)] == [
        (True, 1),
        (False, 1),
    ]
    certain = order(table([[0.8, 0.7]] * 3, [1.0, 1.0]), cost="train_time")  # 10 points on each of three data sets
    assert certain.valuation is not None and certain.valuation.regret == 0.0
    assert certain.answer.figures[2].value == certain.valuation.scale.regret(0.0)


def test_tables_of_tests_and_short_forms_are_cut() -> None:
    scores, costs = random_table(5, sets=12, count=12)
    result = order(table(scores, costs), cost="train_time", rule="multitest")
    (tests,) = (part for part in result.document().tables if part.caption.startswith("Tests of pairs"))
    assert len(tests.body) == 60 and "of 66" in tests.caption
    scores, costs = random_table(5, sets=3, count=22)
    many = order(table(scores, costs), cost="train_time")
    twenty = order(table(scores[:, :20], costs[:, :20]), cost="train_time")
    assert twenty.brief() == " > ".join(twenty.order)
    assert many.brief() == " > ".join(many.order[:20]) + " > ... (2 more)"


def test_the_first_page_shows_places_frontier_reasons_groups_and_the_plane() -> None:
    scores, costs = random_table(10)
    groups = {f"d{d}": "xy"[d % 2] for d in range(9)}
    for rule, pictures in (("worth", []), ("multitest", ["order"]), ("multi2test", ["cd", "order"])):
        document = order(table(scores, costs), cost="train_time", rule=rule, groups=groups).document()
        assert [(part.caption.partition(":")[0], part.first, part.left) for part in document.tables] == [
            ("Places, best first", True, 1), ("Who is first for which trade", True, 1), ("Reasons", True, 1),
            ("Tests of pairs", False, 1), ("Orders of the groups", True, 2),
        ]  # fmt: skip
        assert [(part.kind, part.first) for part in document.pictures] == [("frontier", True)] + [
            (kind, False) for kind in pictures
        ]


def test_scores_or_costs_that_are_equal_leave_no_trade_at_which_two_change_places() -> None:
    same_score = order(table([[0.8, 0.8, 0.7]] * 3, [1.0, 5.0, 0.1]), cost="train_time")
    same_cost = order(table([[0.9, 0.8, 0.7]] * 3, [5.0, 5.0, 0.1]), cost="train_time")
    for result in (same_score, same_cost):
        assert "No trade changes that." in result.explain("a", "b")
        assert result.explain("a", "b") == result.explain("b", "a")
    assert "No trade" not in same_cost.explain("a", "c")


# ---- the published rules


def test_corrections_inside_one_data_set_mean_multitest_and_a_variant_means_multi2test() -> None:
    scores = np.random.default_rng(1).normal(0.8, 0.02, (3, 3, 10))
    several = folds(scores, [1.0, 2.0, 3.0])
    for options, alone, all_sets in (
        ({"inner_adjust": "holm"}, "multitest", "multi2test"),
        ({"variant": "2012"}, "multi2test", "multi2test"),
        ({}, "worth", "worth"),
    ):
        assert order(several, cost="train_time", dataset="d0", **options).rule == alone
        assert order(several, cost="train_time", **options).rule == all_sets
    assert order(several, cost="train_time", dataset="d0", rule="multitest", inner_adjust="holm").rule == "multitest"
    with pytest.raises(OptionError, match="was given with"):
        order(several, cost="train_time", rule="multitest", inner_adjust="holm")
    with pytest.raises(OptionError, match="was given with"):
        order(several, cost="train_time", dataset="d0", rule="worth", inner_adjust="holm")


def test_pairs_against_their_tests_stand_in_the_order_of_the_places() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[2, 1] = better[2, 3] = better[0, 3] = better[3, 0] = True
    pairs = beaten_before(better, np.array([2, 0, 1, 3]))
    assert pairs == ((2, 1), (2, 3), (0, 3))
    assert named_pairs(pairs, ("a", "b", "c", "d")) == "c before b, c before d, a before d"
    assert named_pairs(((0, 1),) * 7, ("a", "b")) == ", ".join(["a before b"] * 5) + " and 2 more"


def test_few_data_sets_are_counted_from_the_fewest_that_can_differ() -> None:
    needed = fewest_datasets(3, "holm", 0.05)
    for count in (needed - 1, needed, needed + 3, needed + 4):
        scores = np.random.default_rng(0).normal(0.8, 0.05, (count, 3))
        result = order(table(scores, [1.0, 2.0, 3.0]), cost="train_time", rule="multitest", posthoc="holm")
        kinds = {"only-cost-decided", "few-datasets"} & set(codes_of(result.caveats))
        assert kinds == ({"only-cost-decided"} if count < needed else {"few-datasets"} if count < needed + 4 else set())
        if count < needed:
            assert any(f"It takes {needed} data sets" in note for note in result.caveats)
        t_test = order(table(scores, [1.0, 2.0, 3.0]), cost="train_time", rule="multitest", pairwise="paired-t")
        assert not {"only-cost-decided", "few-datasets"} & set(codes_of(t_test.caveats))
    apart = np.random.default_rng(0).normal([0.6, 0.7, 0.8], 0.001, (needed, 3))  # all pairs differ: nothing is missing
    result = order(table(apart, [1.0, 2.0, 3.0]), cost="train_time", rule="multitest", posthoc="holm")
    assert result.better.sum() == 3 and "few-datasets" not in codes_of(result.caveats)


@every("correction", ["none", "holm", "bonferroni"])
def test_tests_on_items_and_totals_are_corrected_as_named(correction: str) -> None:
    totals = {"model": ["a", "b", "c"], "passed": [60, 52, 45], "n": [100, 100, 100], "price": [1.0, 2.0, 3.0]}
    for results in (answers((0.6, 0.52, 0.45), 150, (1.0, 2.0, 3.0)), totals):
        result = order(results, rule="multitest", posthoc=correction)
        assert result.tests.adjusted == pytest.approx(CORRECTIONS[correction](result.tests.pvalue))
        assert result.plan.posthoc == correction and len(result.tests.a) == 3


@every("score", ["accuracy", "error_rate"])
def test_a_trade_is_charged_to_items(score: str) -> None:
    results = answers((0.6, 0.5, 0.4), 200, (1.0, 10.0, 1000.0), score)
    plain, charged = (order(results, rule="multitest", trade=trade) for trade in (None, "2pt"))
    assert plain.item_tests is not None and charged.item_tests is not None
    a, b = plain.item_tests.a, plain.item_tests.b
    logs = np.array([0.0, 1.0, 3.0])
    moved = 0.02 * (logs[a] - logs[b]) * (-1 if score == "accuracy" else 1)
    assert charged.item_tests.difference - plain.item_tests.difference == pytest.approx(moved)
    apart = order(answers((0.1, 0.9, 0.5), 200, (1.0, 1.0, 1.0), score), rule="multitest")
    assert apart.order == (("b", "c", "a") if score == "accuracy" else ("a", "c", "b")) and apart.tied_costs


def test_a_trade_is_charged_to_the_logarithms_of_losses_on_folds() -> None:
    scores = 1 + np.random.default_rng(5).random((1, 3, 12))
    result = order(
        folds(scores, [1.0, 10.0, 1000.0], "rmse"), cost="train_time", rule="multitest", pairwise="wilcoxon", trade="5%"
    )
    worth = np.log(scores[0]) + 0.05 * np.array([[0.0], [1.0], [3.0]])
    for a, b, p in zip(result.tests.a, result.tests.b, result.tests.pvalue, strict=True):
        assert p == pytest.approx(stats.wilcoxon(worth[a], worth[b], method="exact").pvalue)
    tied = table([[1.2, 1.1], [1.2, 1.3], [1.3, 1.1]], [1.0, 1.0], "rmse")  # of equal cost the lower loss comes first
    assert order(tied, cost="train_time", rule="multitest", trade="5%").order == ("b", "a")
    assert order(tied, cost="train_time", rule="multitest").tied_costs


def test_ties_of_costs_are_counted_beside_failed_runs() -> None:
    scores = np.random.default_rng(3).normal([[[0.8], [0.7], [0.9], [0.6]]], 0.02, (6, 4, 10))
    costs = np.tile([1.0, 1.0, 2.0, 3.0], (6, 1))
    costs[2] = costs[5] = [1.0, 2.0, 3.0, 4.0]
    scores[4:, 2] = np.nan  # c fails on two data sets, one of them with a tie
    result = order(folds(scores, costs), cost="train_time", rule="multi2test", missing="worst-rank")
    assert any(note.startswith("Costs tie on 4 data set(s);") for note in result.caveats) and result.tied_costs
    assert result.ranks[4:, 2].tolist() == [4.0, 4.0]
    assert sorted(result.ranks[4]) == sorted(result.ranks[0]) == [1.0, 2.0, 3.0, 4.0]
    assert result.omnibus is not None and result.omnibus.algorithms == result.algorithms


# ---- the table


def test_a_part_of_a_table_is_that_of_every_field() -> None:
    scores, costs = random_table(6)
    names = np.repeat([f"m{d}" for d in range(9)], 6)
    results = table(scores, costs, "score", metric=names)
    whole = order(results, score="score", cost="train_time", higher_is_better=True).table
    part = whole.part(np.array([3, 1]), np.array([4, 0, 2]))
    assert part.datasets == ("d3", "d1") and part.algorithms == ("e", "a", "c")
    assert part.dataset_metrics == tuple(whole.dataset_metrics[d] for d in (3, 1)) and len(whole.dataset_metrics) == 9
    for name in ("errors", "scores", "compared", "valued"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)[[3, 1]][:, [4, 0, 2]]), name
    assert np.array_equal(part.paid[0], costs[[3, 1]][:, [4, 0, 2]]) and part.noise[0].shape == (2, 3)
    if whole.given is not None:
        assert part.given is not None and np.array_equal(part.given, whole.given[[3, 1]][:, [4, 0, 2]])


def test_a_scale_has_the_name_of_the_column_and_the_kind_of_its_metric() -> None:
    scores, costs = random_table(11)
    result = order(table(1 - scores, costs, "score", metric=["error_rate"] * scores.size), score="score")
    assert result.valuation is not None and result.valuation.scale.name == result.score.name == "score"


def test_folds_that_nobody_has_are_left_out_and_gaps_are_none() -> None:
    scores = np.random.default_rng(4).normal(0.8, 0.02, (2, 3, 5))
    whole = order(folds(scores, [1.0, 2.0, 3.0]), cost="train_time").table
    cube = -scores[0][:, None, :]
    errors = whole.errors.copy()
    errors[0, :, :, 3] = np.nan
    errors[1, 0, :, 3] = np.nan
    holed = replace(whole, errors=errors)
    assert holed.folds_of(0) == pytest.approx(np.delete(cube, 3, axis=2)) and holed.folds_of(1) is None


@every("sets", [1, 2, 3])
def test_shares_of_costs_are_shown_by_the_published_rules_over_data_sets(sets: int) -> None:
    scores, costs = random_table(8, sets=sets, count=3)
    result = order(table(scores, costs), cost="train_time", rule="multitest")
    assert result.answer.table is not None
    assert ("train_time share" in result.answer.table.header) == (sets > 1)
    shares = (costs / costs.max(axis=1, keepdims=True)).mean(axis=0)
    assert result.costs["train_time"] == pytest.approx(shares)
    assert result.prior == tuple("abc"[i] for i in np.argsort(shares))


@every(("rule", "ratio"), [(rule, ratio) for rule in ("worth", "multitest") for ratio in (1.1, 1.13, 1.16, 1.19, 1.3)])
def test_noise_of_times_counts_as_standard_errors(rule: str, ratio: float) -> None:
    """Each cost is the mean of 0.9 and 1.1 of itself, so that its logarithm has the standard error 0.1."""
    cells = [(d, a, k) for d in range(4) for a in range(2) for k in (0.9, 1.1)]
    rows = [
        {"dataset": f"d{d}", "algorithm": "ab"[a], "fold": int(10 * k), "accuracy": 0.8, "train_time": k * ratio**a}
        for d, a, k in cells
    ]
    result = order({name: [row[name] for row in rows] for name in rows[0]}, cost="train_time", rule=rule)
    if rule == "worth":
        close = np.log(ratio) < 1.96 * 0.1 * np.sqrt(2 / 4)
    else:
        close = 1 - 1 / ratio < 1.96 * 0.1 * np.sqrt((1 + ratio**-2) / 4)
    assert ("cost-noise" in codes_of(result.caveats)) == close


def test_headlines_compare_costs_as_geometric_means() -> None:
    """By shares of the largest a is cheaper than b, by geometric means it costs 1.7 times as much."""
    scores = np.random.default_rng(0).normal([0.8, 0.801, 0.5], 0.01, (8, 3))
    costs = np.tile([[3.0, 0.3, 20.0], [3.0, 10.0, 20.0]], (4, 1))
    result = order(table(scores, costs), cost="train_time", rule="multitest", posthoc="none")
    assert result.order[0] == "a" and scores[:, 1].mean() > scores[:, 0].mean()
    assert "at 1.7 times the train_time" in result.headline
    for paid, cheapest in (([1.0, 1.0, 2.0], False), ([1.0, 2.0, 2.0], True)):
        alike = order(table([[0.8] * 3] * 6, paid), cost="train_time")
        assert alike.order[0] == "a" and ("cheapest" in alike.headline) == cheapest


def test_nothing_is_left_to_order_without_algorithms() -> None:
    scores, costs = random_table(9, sets=3, count=3)
    scores[np.arange(3), np.arange(3)] = np.nan
    for missing, rest in (("drop-algorithms", "0 algorithm"), ("drop-datasets", "on 0 data set")):
        with pytest.raises(InputError, match=rest):
            order(table(scores, costs), cost="train_time", missing=missing)


# ---- tests of one's own over data sets, and the level itself


def test_a_test_of_ones_own_over_data_sets_decides_by_the_mean_over_them() -> None:
    """c is the costliest and best on average, though a wins by more on one data set than c on any."""
    scores = [[0.9, 0.5, 0.8], [0.5, 0.5, 0.7], [0.5, 0.5, 0.7]]
    results = Results.from_array(np.array(scores), score="accuracy", algorithms=["a", "b", "c"])
    options: dict[str, Any] = {"rule": "multitest", "prior": ["b", "a", "c"], "posthoc": "none"}
    ordering = order(results, pairwise=lambda _x, _y: 0.01, **options)
    assert ordering.order == ("c", "a", "b")
    assert np.allclose(np.abs(ordering.tests.statistic), [0.4 / 3, 0.1, 0.7 / 3])
    assert order(results, pairwise=lambda _x, _y: 0.05, **options).order == ("c", "a", "b")
    assert order(results, pairwise=lambda _x, _y: np.nextafter(0.05, 1), **options).order == ("b", "a", "c")


def test_a_corrected_p_value_at_the_level_is_significant() -> None:
    """Five data sets that agree: the exact p-value of two algorithms is 2 / 32, without rounding."""
    scores = np.column_stack([np.full(5, 0.5), 0.5 + np.arange(1, 6) / 64])
    results = Results.from_array(scores, score="accuracy", algorithms=["a", "b"])
    options: dict[str, Any] = {"rule": "multitest", "prior": ["a", "b"]}
    assert order(results, alpha=0.0625, **options).order == ("b", "a")
    assert order(results, alpha=0.0624, **options).order == ("a", "b")


def test_one_algorithm_has_an_order_of_one() -> None:
    results = Results.from_array(np.full((3, 1), 0.5), score="accuracy", algorithms=["a"])
    ordering = order(results, rule="multitest", prior=["a"])
    assert ordering.order == ("a",) and ordering.better.shape == (1, 1) and ordering.prior == ("a",)
    assert len(ordering.tests.a) == 0 and ordering.ranks.tolist() == [[1.0]] * 3


def test_five_pairs_are_named_whole() -> None:
    assert named_pairs(((0, 1),) * 5, ("a", "b")) == ", ".join(["a before b"] * 5)


def test_folds_of_some_data_sets_are_not_folds_of_all() -> None:
    rng = np.random.default_rng(1)
    whole = folds(rng.random((3, 2, 4)), [1.0, 2.0])
    assert order(whole, rule="multitest", cost="train_time", pairwise="folds").tests.adjusted.shape == (1,)
    with pytest.raises(InputError, match="There are no folds of every data set"):
        order(folds(rng.random((3, 2, 1)), [1.0, 2.0]), rule="multitest", cost="train_time", pairwise="folds")


def test_two_costs_of_equal_scores_leave_the_cheapest_first() -> None:
    results = Results.from_dict(
        {
            "dataset": ["d", "d", "e", "e"],
            "algorithm": ["a", "b", "a", "b"],
            "accuracy": [0.8, 0.8, 0.9, 0.9],
            "train_time": [2.0, 1.0, 2.0, 1.0],
        }
    )
    ordering = order(results, cost="train_time")
    assert ordering.order == ("b", "a")
    assert str(ordering).startswith("Use b: both have the same accuracy, and it is the cheapest.")


def test_the_noise_of_a_time_is_the_standard_error_of_its_logarithm() -> None:
    """Times 1 and 3 have the mean 2 and the standard error 1; those of b do not vary."""
    times = {("a", 0): 1.0, ("a", 1): 3.0, ("b", 0): 5.0, ("b", 1): 5.0}
    results = Results.from_dict(
        {
            "dataset": ["d"] * 4,
            "algorithm": [name for name, _ in times],
            "fold": [fold for _, fold in times],
            "accuracy": [0.8, 0.9, 0.7, 0.6],
            "train_time": list(times.values()),
        }
    )
    (noise,) = order(results, cost="train_time").table.noise
    assert np.allclose(noise, [[1 / (2 * np.log(10)), 0.0]])
