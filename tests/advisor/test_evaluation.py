"""Evaluation of recommended rankings: agreement, leaving out, significance, ceiling, top-N, reduction."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.advisor.agreement import (
    ceiling,
    compare_rankers,
    ideal_rankings,
    rank_penalty,
    spearman,
)
from tiebreak.advisor.leave_one_out import evaluate, leave_one_out, neighbour_weights
from tiebreak.advisor.rankings.pairwise import rank_by_arr, rank_by_srr
from tiebreak.advisor.top_n import (
    top_n,
)
from tiebreak.errors import InputError, OptionError

QUICK = settings(derandomize=True, deadline=None, max_examples=25)
# Brazdil, Soares and Costa 2003: the worked examples of section 4
NO_TIES = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]]
TIES = [[1, 3, 3, 3], [2, 1, 3.5, 3.5], [1, 2, 3, 4]]


def world(seed=0, sets=60, count=5, noise=0.01):
    """Data sets on a line: at one end algorithm 1 is best, at the other the last."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=sets)
    slope = np.linspace(-0.2, 0.2, count)
    success = 0.7 + np.outer(x - 0.5, slope) + rng.normal(0, noise, (sets, count))
    time = np.exp(rng.normal(0, 0.3, (sets, count))) * np.arange(1, count + 1)
    return x, success, time


# ---- agreement


def test_spearman_worked_example():
    assert spearman([4, 1, 6, 2, 5, 3], [4, 1, 6, 2.5, 2.5, 5]) == pytest.approx(0.7, abs=1e-15)


def test_penalty_table():
    printed = [0.006, 0.024, 0.055, 0.097, 0.152, 0.218, 0.297, 0.388, 0.491]
    assert rank_penalty(10).round(3).tolist() == printed
    with pytest.raises(InputError, match="A ranking needs two"):
        rank_penalty(1)


@QUICK
@given(st.permutations(range(7)))
def test_without_ties_spearman_is_scipys(order):
    ideal = np.arange(7)
    expected = stats.spearmanr(order, ideal).statistic
    assert spearman(order, ideal) == pytest.approx(expected, abs=1e-14)


def test_a_recommendation_that_ties_everything():
    assert spearman([1, 1, 1, 1], [1, 2, 3, 4]) == pytest.approx(0.5)


@QUICK
@given(st.integers(0, 500))
def test_missing_algorithms_are_left_out_and_the_rest_ranked_anew(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 8))
    a[2] = b[5] = np.nan
    keep = [0, 1, 3, 4, 6, 7]
    assert spearman(a, b) == pytest.approx(stats.spearmanr(a[keep], b[keep]).statistic, abs=1e-12)


def test_too_few_common_algorithms_have_no_coefficient():
    assert np.isnan(spearman([1, np.nan, 2], [np.nan, 1, 2]))
    with pytest.raises(InputError, match="Both rank the same algorithms"):
        spearman([1, 2], [1, 2, 3])


# ---- ideal rankings


def test_ideal_rankings_per_fold_are_those_of_the_ranking_method_on_the_fold():
    rng = np.random.default_rng(0)
    success, time = rng.uniform(0.5, 1, (4, 3, 2)), rng.uniform(1, 9, (4, 3, 2))
    ranks = ideal_rankings(success, time, by="arr", accd=0.1)
    assert ranks.shape == (4, 2, 3)
    for d, f in itertools.product(range(4), range(2)):
        ranking = rank_by_arr(success[[d], :, f], time[[d], :, f], accd=0.1)
        expected = dict(zip(ranking.algorithms, ranking.ranks, strict=True))
        assert ranks[d, f].tolist() == [expected[f"algorithm {j}"] for j in (1, 2, 3)]


def test_ideal_rankings_by_accuracy_with_ties_and_gaps():
    assert ideal_rankings([[0.9, 0.8, 0.9, np.nan]])[0, 0].tolist()[:3] == [1.5, 3, 1.5]
    assert np.isnan(ideal_rankings([[0.9, 0.8, 0.9, np.nan]])[0, 0, 3])
    with pytest.raises(InputError, match="time has shape"):
        ideal_rankings([[0.9, 0.8]], by="arr")


# ---- significance


def test_friedman_and_dunn_worked_example():
    comparison = compare_rankers(NO_TIES, higher_is_better=False)
    assert comparison.spread == pytest.approx(4.56, abs=0.005)
    assert comparison.m == pytest.approx(8.2, abs=1e-12)
    assert comparison.m_corrected == pytest.approx(8.2, abs=1e-12)
    assert comparison.t[0, 1] == pytest.approx(-0.32, abs=0.005)
    assert comparison.t[0, 3] == pytest.approx(-2.53, abs=0.005)
    assert comparison.critical_value == pytest.approx(2.04, abs=0.005)
    assert comparison.better[0, 3] and not comparison.better[0, 1] and not comparison.better[3, 0]
    assert comparison.wins[0, 1] == 2 and comparison.wins[1, 0] == 1
    assert {"a": "method 1", "b": "method 2"}.items() <= comparison.pairs()[0].items()
    assert (comparison.pairs()[0]["plus"], comparison.pairs()[0]["minus"]) == (2, 1)


def test_friedman_worked_example_with_ties():
    comparison = compare_rankers(TIES, higher_is_better=False)
    assert comparison.m == pytest.approx(5.5, abs=1e-12)
    assert comparison.tie_factor == pytest.approx(1 - 30 / 180, abs=1e-15)
    assert comparison.m_corrected == pytest.approx(6.6, abs=1e-12)


def test_the_corrected_statistic_is_scipys():
    scores = np.random.default_rng(0).normal(size=(20, 4)).round(1)
    comparison = compare_rankers(scores, folds=10)
    statistic, pvalue = stats.friedmanchisquare(*scores.T)
    assert comparison.m_corrected == pytest.approx(statistic)
    assert comparison.pvalue == pytest.approx(pvalue)
    assert "not independent" in comparison.caveats[-1]
    assert "Friedman M" in str(comparison)


def test_dunns_level_under_the_null():
    """With independent blocks, any of six pairs is declared different in at most about a quarter of the cases."""
    rng = np.random.default_rng(1)
    wrong = [compare_rankers(rng.normal(size=(30, 4))).better.any() for _ in range(300)]
    assert 0.12 < np.mean(wrong) < 0.28


# ---- leaving out


def test_neighbour_weights():
    d = [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
    assert neighbour_weights(d, k=2)[0].tolist() == [0, 0.5, 0.5, 0]
    assert neighbour_weights(d, k=1)[1].tolist() == [0.5, 0, 0.5, 0]  # equally near: both
    assert neighbour_weights(d, k=None)[0] == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert neighbour_weights(d, k=2, origins=["a", "a", "b", "c"])[0].tolist() == [0, 0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: neighbour_weights([[0, 1]]), "distances has shape (1, 2)"),
        (lambda: neighbour_weights([[0, -1], [1, 0]]), "A distance is negative."),
        (lambda: neighbour_weights([[0, 1], [1, 0]], k=0), "k is 0."),
        (lambda: neighbour_weights([[0, 1], [1, 0]], origins=["a"]), "1 origins for 2 data sets."),
        (lambda: neighbour_weights([[0, 1], [1, 0]], origins=["a", "a"]), "has no other to learn from."),
    ],
)
def test_bad_neighbours_are_refused(call, message):
    with pytest.raises((InputError, OptionError), match=re.escape(message)):
        call()


def test_leave_one_out_is_ranking_without_the_data_set():
    """Second route: every data set in turn, ranked from scratch on its three nearest."""
    x, success, time = world(1, 12)
    distance = np.abs(x[:, None] - x)
    evaluation = leave_one_out(success, time, distances=distance, k=(3,), by="arr", accd=0.1)
    assert evaluation.methods == ("3 neighbours", "all data", "random")
    for d in range(12):
        others = np.delete(np.arange(12), d)
        near = others[np.argsort(distance[d, others])[:3]]
        for i, chosen in enumerate((near, others)):
            ranking = rank_by_arr(success[chosen], time[chosen], accd=0.1)
            ranks = dict(zip(ranking.algorithms, ranking.ranks, strict=True))
            recommended = [ranks[f"algorithm {j}"] for j in range(1, 6)]
            expected = stats.spearmanr(recommended, evaluation.ideal[d, 0]).statistic
            assert evaluation.spearman[i, d, 0] == pytest.approx(expected, abs=1e-12)


def test_neighbours_help_where_distance_tells_and_random_is_worth_nothing():
    x, success, time = world(2, 80)
    evaluation = leave_one_out(success, time, distances=np.abs(x[:, None] - x), by="mean-rank")
    mean = {row["method"]: row["mean spearman"] for row in evaluation.rows()}
    assert mean["5 neighbours"] > mean["1 neighbour"] > 0.5 > mean["all data"]
    assert abs(mean["random"]) < 0.15
    compared = evaluation.compare(unit="datasets")
    assert compared.better[evaluation.methods.index("5 neighbours"), evaluation.methods.index("random")]


def test_a_copy_of_a_data_set_counts_only_until_its_origin_is_named():
    x, success, _ = world(3, 30, noise=0.1)
    twice = np.concatenate([success, success]), np.concatenate([x, x])
    d = np.abs(twice[1][:, None] - twice[1])
    leaking = leave_one_out(twice[0], distances=d, k=(1,), by="srr")
    honest = leave_one_out(twice[0], distances=d, k=(1,), by="srr", origins=[str(i % 30) for i in range(60)])
    assert leaking.spearman[0].mean() == pytest.approx(1)
    assert honest.spearman[0].mean() < 0.9


def test_folds_give_one_order_each_and_gaps_are_left_out():
    x, success, _ = world(4, 20)
    folds = success[:, :, None] + np.random.default_rng(0).normal(0, 0.02, (20, 5, 4))
    folds[0, 1] = np.nan
    folds[1, 1:] = np.nan
    evaluation = leave_one_out(folds, distances=np.abs(x[:, None] - x), by="srr", k=(5,))
    assert evaluation.spearman.shape == (3, 20, 4)
    assert np.isfinite(evaluation.spearman[:, 0]).all()
    assert np.isnan(evaluation.spearman[:, 1]).all()
    assert np.isfinite([row["mean spearman"] for row in evaluation.rows()]).all()
    assert any("fewer than two ranked algorithms" in note for note in evaluation.caveats)
    assert evaluation.compare().n_blocks == 19 * 4


def test_given_recommendations_are_evaluated():
    ideal = ideal_rankings([[0.9, 0.8, 0.7]])
    evaluation = evaluate({"right": np.array([[3.0, 2, 1]]), "wrong": np.array([[1.0, 2, 3]])}, ideal)
    assert evaluation.spearman[:, 0, 0].tolist() == [1, -1]
    assert "against the ideal ones on 1 data sets" in str(evaluation)


# ---- ceiling


def test_the_ceiling_rises_with_the_size_of_the_differences():
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.02, (30, 6, 10))
    low, high = (ceiling(0.7 + step * np.arange(6)[:, None] + noise, splits=5) for step in (0.001, 0.05))
    assert high.mean() > 0.95 > 0.4 > low.mean()
    nothing = ceiling(0.7 + noise, splits=5)
    assert abs(nothing.mean()) < 0.1
    assert (ceiling(0.7 + noise, splits=5) == nothing).all()


def test_the_ceiling_needs_folds():
    with pytest.raises(InputError, match="compares one half of the folds with the other"):
        ceiling([[0.9, 0.8]])
    timed = ceiling(np.full((2, 2, 4), 0.9), np.tile([[1.0], [9.0]], (2, 1, 4)), by="arr", accd=0.1)
    assert timed == pytest.approx(1)


# ---- top-N


def test_top_n_by_hand():
    success, time = np.array([[0.8, 0.9, 0.7, 0.6]]), np.array([[1.0, 2.0, 3.0, 4.0]])
    result = top_n({"m": [[1, 2, 4, 3]]}, success, time)  # runs 3, 4, 2, 1
    assert result.loss[0, 0] == pytest.approx([0.2, 0.2, 0, 0])
    assert result.time[0, 0].tolist() == [3, 7, 9, 10]
    assert result.share[0, 0] == pytest.approx([0.3, 0.7, 0.9, 1])
    assert result.methods == ("m",)  # one data set has no others for a single best
    assert "optimistic" in result.caveats[-1]


def test_top_n_keeps_by_validation():
    success, valid = [[0.8, 0.9]], [[0.85, 0.84]]
    result = top_n({"m": [[2, 1]]}, success, [[1.0, 1.0]], validation=valid)
    assert result.loss[0, 0] == pytest.approx([0.1, 0.1])  # even running all keeps the wrong one
    assert result.caveats == ()


def test_top_n_falls_with_n_and_runs_all_in_the_end():
    x, success, time = world(6, 40)
    evaluation = leave_one_out(success, time, distances=np.abs(x[:, None] - x), by="srr")
    top = top_n(dict(zip(evaluation.methods, evaluation.recommended, strict=True)), success, time)
    assert (np.diff(top.loss, axis=2) <= 1e-15).all()
    assert (top.loss[:, :, -1] == 0).all()
    assert top.share[:, :, -1] == pytest.approx(1)
    rows = {(row["method"], row["n"]): row for row in top.rows()}
    assert rows["5 neighbours", 1]["mean loss"] < rows["single best on average", 1]["mean loss"]
    assert ("single best on average", 2) not in rows


# Three data sets, two algorithms: 'a' is better by a little on most of them, 'b' by much on one.
UNEVEN = np.array([[0.82, 0.80], [0.72, 0.70], [0.50, 0.90], [0.62, 0.60]])


def test_the_single_best_has_the_best_mean_accuracy_on_the_others():
    """By hand: without data set 3 'a' has the better mean, else 'b'."""
    result = top_n({"m": np.ones_like(UNEVEN)}, UNEVEN, np.ones_like(UNEVEN))
    assert result.loss[1, :, 0] == pytest.approx([0.02, 0.02, 0.40, 0.02])


def test_the_single_best_is_chosen_by_what_is_known_of_the_others():
    """`training` names it; what it loses is counted on `accuracy`."""
    result = top_n({"m": np.ones_like(UNEVEN)}, UNEVEN, np.ones_like(UNEVEN), training=1 - UNEVEN)
    assert result.loss[1, :, 0] == pytest.approx([0, 0, 0, 0])


def test_the_single_best_gains_nothing_by_easy_data_sets():
    """'b' was run on the two easy sets alone, where 'a' was better: its mean over what it was run on is the higher."""
    success = np.array([[0.95, 0.90], [0.96, 0.91], [0.50, np.nan], [0.40, np.nan], [0.60, 0.59]])
    result = top_n({"m": np.ones_like(success)}, success, np.ones_like(success))
    assert result.loss[1, :, 0] == pytest.approx([0, 0, 0, 0, 0])


@QUICK
@given(st.integers(0, 10_000))
def test_the_single_best_is_that_of_a_plain_loop(seed: int):
    rng = np.random.default_rng(seed)
    success, time = rng.uniform(0.3, 1, (9, 4)), rng.uniform(1, 9, (9, 4))
    origins = [f"o{i // 2}" for i in range(9)]
    result = top_n({"m": np.ones_like(success)}, success, time, origins=origins)
    for i in range(9):
        others = [j for j in range(9) if origins[j] != origins[i]]
        best = int(np.argmax([np.mean([success[j, a] for j in others]) for a in range(4)]))
        assert result.loss[1, i, 0] == pytest.approx(success[i].max() - success[i, best])
        assert result.time[1, i, 0] == pytest.approx(time[i, best])


def test_top_n_skips_what_was_not_measured():
    result = top_n({"m": [[3, 2, 1]]}, [[np.nan, 0.9, 0.8]], [[1.0, 2.0, 3.0]])
    assert result.loss[0, 0] == pytest.approx([0, 0, 0])
    assert result.time[0, 0].tolist() == [2, 5, 5]
    with pytest.raises(InputError, match="has no result with its time"):
        top_n({"m": [[2, 1]]}, [[np.nan, np.nan]], [[1.0, 2.0]])
    with pytest.raises(InputError, match=r"A recommended ranking has shape \(1, 3\)"):
        top_n({"m": [[2, 1, 3]]}, [[0.9, 0.8]], [[1.0, 2.0]])


# ---- reduction


def names_tuple(names):
    return tuple(names)


# ---- measures and ranks


def test_srr_and_leave_one_out_do_not_depend_on_the_order_of_data_sets():
    x, success, _ = world(9, 25)
    mixed = np.random.default_rng(0).permutation(25)
    d = np.abs(x[:, None] - x)
    one = leave_one_out(success, distances=d, by="srr", k=(5,))
    two = leave_one_out(success[mixed], distances=d[mixed][:, mixed], by="srr", k=(5,))
    assert two.spearman[:2] == pytest.approx(one.spearman[:2, mixed], abs=1e-12)
    assert rank_by_srr(success).algorithms == rank_by_srr(success[mixed]).algorithms


def test_dunn_without_friedman_is_said():
    middle = [np.roll([2, 3, 4], i) for i in range(60)]
    ranks = [[1, 5, *m] if i < 35 else [5, 1, *m] for i, m in enumerate(middle)]
    comparison = compare_rankers(ranks, higher_is_better=False)
    assert (
        comparison.pvalue > 0.25 and comparison.better[0, 1]
    )  # T = 2.31 beyond 2.24, M = 5.33 on 4 degrees of freedom
    assert comparison.caveats == (
        "Friedman's test does not reject at 0.25 (p = 0.255): pairs marked significant by Dunn's test are no evidence"
        " that the methods differ.",
    )
    assert compare_rankers(ranks[:34], higher_is_better=False).caveats == ()
    assert compare_rankers(ranks[20:50], higher_is_better=False).caveats == ()  # neither test rejects


def test_what_is_said_of_blocks_is_not_said_of_data_sets():
    comparison = compare_rankers([[1, 1, 2], [1, 1, 3], [2, 2, 1]])
    assert comparison.caveats and not any("data set" in note or "algorithm" in note for note in comparison.caveats)


def test_leaving_out_refuses_by_name():
    success, time = np.full((3, 2), 0.8), np.ones((3, 2))
    time[1] = 1e-3, 1e3
    names = {"algorithms": ["fast", "slow"], "datasets": ["iris", "digits", "wine"]}
    with pytest.raises(InputError, match="ARR of 'fast' to 'slow' on data set 'digits' divides by"):
        leave_one_out(success, time, distances=1 - np.eye(3), k=(1,), accd=0.5, **names)
    folds, times = np.full((3, 2, 2), 0.8), np.ones((3, 2, 2))
    times[1, 0, 1], times[1, 1, 1] = 1e-9, 1e9
    with pytest.raises(InputError, match="on data set 'digits, fold 2' divides by"):
        ideal_rankings(folds, times, by="arr", accd=0.1, **names)
