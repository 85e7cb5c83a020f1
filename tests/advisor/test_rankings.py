"""Rankings by ratios, ranks and wins; incomplete results."""

import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.advisor.rankings import (
    RANKING_METHODS,
    accd_from,
    accd_sentence,
    power_from,
    rank_by,
    scorer,
)
from tiebreak.advisor.rankings.by_tests import rank_by_wins
from tiebreak.advisor.rankings.pairwise import rank_by_a3r, rank_by_arr, rank_by_mean_rank, rank_by_srr
from tiebreak.advisor.rankings.ranking import floor_times
from tiebreak.errors import InputError, OptionError

from ..every import every

QUICK = settings(derandomize=True, deadline=None, max_examples=25)


def table(seed=0, sets=7, count=4):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.5, 1.0, (sets, count)), np.exp(rng.normal(0, 1.5, (sets, count)))


def by_hand(success, time, accd, weights=None, with_self=True):
    """The definition, in loops: geometric mean over the data sets where both are there, then the mean over q."""
    sets, count = success.shape
    weights = np.ones(sets) if weights is None else weights
    out = []
    for p in range(count):
        ratios = []
        for q in range(count):
            logs, total = 0.0, 0.0
            for d in range(sets):
                values = (success[d, p], success[d, q], time[d, p], time[d, q])
                if np.isfinite(values).all():
                    ratio = (values[0] / values[1]) / (1 + accd * np.log10(values[2] / values[3]))
                    logs, total = logs + weights[d] * np.log(ratio), total + weights[d]
            if total and (q != p or with_self):
                ratios.append(np.exp(logs / total))
        out.append(np.mean(ratios))
    return np.array(out)


def scores_of(ranking, count):
    result = dict(zip(ranking.algorithms, ranking.scores, strict=True))
    return np.array([result[f"algorithm {j}"] for j in range(1, count + 1)])


@every("with_self", [True, False])
@every("accd", [0.0, 0.001, 0.01, 0.1])
def test_arr_is_its_definition(accd, with_self):
    success, time = table()
    weights = np.arange(1.0, 8.0)
    ranking = rank_by_arr(success, time, accd=accd, weights=weights, with_self=with_self)
    assert scores_of(ranking, 4) == pytest.approx(by_hand(success, time, accd, weights, with_self), rel=1e-13)
    assert list(ranking.scores) == sorted(ranking.scores, reverse=True)
    assert ranking.weights == pytest.approx(weights / 28)


def test_arr_printed_arithmetic():
    """By hand: SR 0.8/0.9, times 1/10 s, AccD 0.1: (8/9)/(1 - 0.1) = 0.98765 and (9/8)/(1 + 0.1) = 1.02273."""
    ranking = rank_by_arr([[0.8, 0.9]], [[1.0, 10.0]], accd=0.1, with_self=False, algorithms=["a", "b"])
    assert ranking.algorithms == ("b", "a")
    assert ranking.scores == pytest.approx([9 / 8 / 1.1, 8 / 9 / 0.9], rel=1e-14)


def test_with_or_without_itself_the_order_is_the_same():
    success, time = table(3, 9, 6)
    one, other = (rank_by_arr(success, time, accd=0.1, with_self=current) for current in (True, False))
    assert one.algorithms == other.algorithms
    assert other.scores == pytest.approx((6 * one.scores - 1) / 5, rel=1e-12)


@QUICK
@given(st.integers(0, 1000), st.sampled_from(["arr", "a3r", "srr", "mean-rank"]))
def test_the_order_of_rows_and_columns_changes_nothing(seed, method):
    success, time = table(seed)
    rng = np.random.default_rng(seed)
    rows, cols = rng.permutation(7), rng.permutation(4)
    names = ["a", "b", "c", "d"]
    success[rng.random(success.shape) < 0.1] = np.nan
    success[:2] = 0.7  # two complete rows, so that all are ranked
    ranking = rank_by(method, success, time, algorithms=names)
    mixed = rank_by(method, success[rows][:, cols], time[rows][:, cols], algorithms=[names[j] for j in cols])
    assert ranking.algorithms == mixed.algorithms
    assert ranking.scores == pytest.approx(mixed.scores, rel=1e-12)


@pytest.mark.parametrize("method", ["arr", "a3r", "srr", "mean-rank"])
def test_contributions_add_up(method):
    success, time = table(5)
    success[1, 2] = np.nan
    ranking = rank_by(method, success, time, accd=0.1, weights=[1, 2, 3, 4, 5, 6, 0])
    total = ranking.contributions.sum(axis=0)
    if method == "mean-rank":
        assert total == pytest.approx(ranking.scores - 1, rel=1e-12)
    else:  # the logarithm of the geometric mean over q; the score is the arithmetic one
        assert (np.exp(total) <= ranking.scores * (1 + 1e-12)).all()
        assert np.exp(total) == pytest.approx(ranking.scores, rel=0.05)
    assert (ranking.contributions[6] == 0).all()
    assert ranking.n_datasets == 6
    first = ranking.explain(ranking.algorithms[0])
    assert abs(first[0]["contribution"]) >= abs(first[-1]["contribution"])


def test_weights_are_repetitions_of_a_data_set():
    success, time = table(2)
    repeated = np.repeat(np.arange(7), [1, 1, 3, 1, 2, 1, 1])
    weighted = rank_by_arr(success, time, weights=[1, 1, 3, 1, 2, 1, 1])
    assert weighted.scores == pytest.approx(rank_by_arr(success[repeated], time[repeated]).scores, rel=1e-12)


def test_srr_is_arr_without_time_and_a3r_with_power_zero():
    success, time = table(4)
    srr = rank_by_srr(success)
    assert srr.scores == pytest.approx(rank_by_arr(success, time, accd=0).scores, rel=1e-12)
    assert srr.scores == pytest.approx(rank_by_a3r(success, time, accd=0).scores, rel=1e-12)


def test_a3r_equals_arr_at_a_tenfold_time():
    arr = rank_by_arr([[0.8, 0.8]], [[1.0, 10.0]], accd=0.1, with_self=False)
    a3r = rank_by_a3r([[0.8, 0.8]], [[1.0, 10.0]], accd=0.1, with_self=False)
    assert a3r.scores[1] == pytest.approx(arr.scores[1], rel=1e-14) == pytest.approx(1 / 1.1)
    assert power_from(0.1) == pytest.approx(np.log10(1.1))


def test_gaps_are_settled_pair_by_pair():
    success, time = table(6)
    success[0, 1] = time[3, 2] = time[4, 0] = np.nan
    ranking = rank_by_arr(success, time, accd=0.1)
    assert scores_of(ranking, 4) == pytest.approx(by_hand(success, time, 0.1), rel=1e-12)
    assert ranking.caveats == (
        "3 of 28 results are missing: every two algorithms are compared on the data sets where both were measured.",
    )


def test_an_algorithm_without_a_common_data_set_is_listed_last_and_unranked():
    success = [[0.9, 0.8, np.nan], [0.7, 0.6, np.nan], [np.nan, np.nan, 0.5]]
    ranking = rank_by_srr(success, algorithms=["a", "b", "lonely"])
    assert ranking.algorithms == ("a", "b")
    assert ranking.unranked == ("lonely",)
    assert ranking.rows()[-1]["algorithm"] == "lonely"
    assert "Not ranked (no data set in common with another algorithm): lonely." in ranking.caveats
    assert ranking.n_datasets == 2


def test_extreme_times_are_refused_by_arr_with_the_way_out():
    expected = (
        "ARR of 'fast' to 'slow' on data set 'digits' divides by 1 + 0.5 log10(0.001) = -0.5. A divisor of 0 or less"
        " turns the fastest algorithm into the worst, so the ranking is meaningless. Use accd below 0.333, or"
        " rank_by_a3r(...) (method 'a3r'), whose ratio falls steadily with time."
    )
    success, time = [[0.9, 0.9], [0.9, 0.9]], [[1.0, 2.0], [0.001, 1.0]]
    names = {"algorithms": ["fast", "slow"], "datasets": ["iris", "digits"]}
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        rank_by_arr(success, time, accd=0.5, **names)
    assert rank_by_a3r(success, time, accd=0.5, **names).algorithms == ("fast", "slow")
    close = rank_by_arr(success, time, accd=0.3, **names)
    assert "divides by less than 0.5" in close.caveats[0]


def test_the_divisor_zero_itself_is_refused():
    with pytest.raises(InputError, match="= 0"):
        rank_by_arr([[0.9, 0.9]], [[0.1, 1.0]], accd=1.0)


def test_a_success_rate_of_zero_is_raised_to_the_floor():
    ranking = rank_by_srr([[0.1, 0.0]], with_self=False)
    assert ranking.scores == pytest.approx([100, 0.01])
    assert ranking.caveats == ("1 success rate(s) below 0.001 count as 0.001.",)
    assert rank_by_mean_rank([[0.9, 0.0]]).scores == pytest.approx([1, 2])


def test_zero_times_count_as_the_smallest_positive_time():
    without = rank_by_arr([[0.9, 0.9]], [[0.0, 0.1]], accd=0.1)
    assert without.scores == pytest.approx([1, 1])
    assert "the smallest positive time" in without.caveats[0]
    with pytest.raises(InputError, match=r"^Every time is 0\."):
        floor_times(np.zeros((1, 2)))


def test_average_ranks_equal_scipy():
    success = np.round(table(7, 20, 6)[0], 1)
    expected = stats.rankdata(-success, axis=1).mean(axis=0)
    assert scores_of(rank_by_mean_rank(success), 6) == pytest.approx(expected, rel=1e-13)


def test_ties_share_a_rank_and_are_listed_by_success_then_name():
    ranking = rank_by_mean_rank([[0.9, 0.9, 0.1], [0.5, 0.5, 0.2]], algorithms=["z", "a", "m"])
    assert ranking.algorithms == ("a", "z", "m")
    assert ranking.ranks == pytest.approx([1.5, 1.5, 3])
    assert ranking.caveats == ()


def test_significant_wins_by_hand():
    rng = np.random.default_rng(1)
    folds = rng.normal(0.7, 0.02, (6, 3, 10))
    folds[:, 0] += 0.1
    wins = np.zeros((3, 3))
    for p in range(3):
        for q in range(3):
            for d in range(6):
                test = stats.ttest_rel(folds[d, p], folds[d, q]) if p != q else None
                wins[p, q] += bool(test and test.pvalue <= 0.05 and test.statistic > 0)
    ranking = rank_by_wins(folds, test="kfold-t")
    assert scores_of(ranking, 3) == pytest.approx(wins.sum(axis=1) / 12)
    assert ranking.contributions.sum(axis=0) == pytest.approx(ranking.scores)
    assert "rejects too often" in ranking.caveats[0]


def test_wins_with_gaps_and_without_any():
    folds = np.random.default_rng(2).normal(0.7, 0.02, (5, 3, 10))
    folds[0, 0, 3] = np.nan
    gone = folds.copy()
    gone[0, 0] = np.nan
    assert rank_by_wins(folds).scores == pytest.approx(rank_by_wins(gone).scores)
    alike = rank_by_wins(np.full((3, 2, 10), 0.5))
    assert "No difference is significant on any data set: all algorithms tie." in alike.caveats
    with pytest.raises(InputError, match="A significant win needs the scores of folds"):
        rank_by_wins([[0.9, 0.8]])


def test_one_data_set_and_one_neighbour():
    success, time = table(9, 1, 3)
    for method in ("arr", "a3r", "srr", "mean-rank"):
        ranking = rank_by(method, success, time)
        assert ranking.n_datasets == 1
        assert len(ranking.algorithms) == 3


@pytest.mark.parametrize("method", ["arr", "a3r", "srr", "mean-rank"])
def test_a_scorer_ranks_every_weighting_as_the_function_does(method):
    success, time = table(10, 8, 5)
    success[0, 0] = np.nan
    weights = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1.0]])
    result = scorer(method, success, time, accd=0.1)(weights)
    for row, scores in zip(weights, result, strict=True):
        keep = row > 0
        single = rank_by(method, success[keep], time[keep], accd=0.1)
        ranks = dict(zip(single.algorithms, single.ranks, strict=True))
        expected = [ranks[f"algorithm {j}"] for j in range(1, 6)]
        assert stats.rankdata(-scores.round(12)) == pytest.approx(expected)


def test_a_wins_scorer():
    folds = np.random.default_rng(3).normal(0.7, 0.05, (6, 3, 10)) + np.array([[[0.1], [0.0], [0.05]]])
    result = scorer("wins", folds)(np.full((1, 6), 1 / 6))[0]
    assert result == pytest.approx(scores_of(rank_by_wins(folds), 3))


def test_the_sentence_and_the_number():
    assert accd_from("I trade 1 % accuracy for ten times the speed") == pytest.approx(0.01)
    assert accd_from("0.5% for 100 times the speed") == pytest.approx(0.0025)
    assert accd_from(accd_sentence(0.025)) == pytest.approx(0.025)
    success, time = table()
    assert rank_by_arr(success, time).title() == (
        "4 algorithms ranked by ARR on 7 data set(s): I trade 1 % of accuracy for ten times the speed"
    )
    expected = (
        "The sentence 'cheap' does not say how much accuracy is traded for how many times the speed. Both numbers"
        " are needed. Write '1 % for ten times the speed', or use accd=0.01."
    )
    with pytest.raises(OptionError, match=f"^{re.escape(expected)}$"):
        accd_from("cheap")
    with pytest.raises(OptionError, match="accd is -1"):
        rank_by_arr(success, time, accd=-1)


def test_at_equal_worth_arr_ties():
    """A tenfold time is worth exactly 1 % of accuracy at AccD 0.01, seen from the slower one."""
    ranking = rank_by_arr([[0.8, 0.808]], [[1.0, 10.0]], accd=0.01, with_self=False, algorithms=["fast", "slow"])
    assert ranking.scores[ranking.algorithms.index("slow")] == pytest.approx(1.0, rel=1e-14)


def test_folds_are_averaged_and_a_missing_one_is_said():
    folds = np.array([[[0.8, 0.9], [0.7, np.nan]]])
    ranking = rank_by_srr(folds, with_self=False)
    assert ranking.scores[0] == pytest.approx(0.85 / 0.7)
    assert ranking.caveats[0].startswith("1 mean(s) of accuracy are over the folds that were measured")


@every(
    ("call", "message"),
    [
        (lambda: rank_by_srr([0.9, 0.8]), "accuracy has shape (2,)."),
        (lambda: rank_by_srr([[0.9]]), "accuracy has shape (1, 1)."),
        (lambda: rank_by_srr([[0.9, np.inf]]), "accuracy[0, 1] is infinite."),
        (lambda: rank_by_srr([[0.9, "x"]]), "accuracy holds something that is not a number."),
        (lambda: rank_by_srr([[0.9, 0.8]], weights=[0.0]), "weights has shape (1,) for 1 data set(s)"),
        (lambda: rank_by_arr([[0.9, 0.8]], [[1.0, -1.0]]), "time[0, 1] is -1.0."),
        (lambda: rank_by_arr([[0.9, 0.8]], [[1.0, 1.0, 1.0]]), "time is about 1 data sets and 3 algorithms"),
        (lambda: rank_by("arr", [[0.9, 0.8]]), "The ranking method 'arr' was asked for without times."),
        (lambda: rank_by("ar", [[0.9, 0.8]]), "There is no ranking method 'ar'."),
        (lambda: rank_by_a3r([[0.9, 0.8]], [[1.0, 1.0]], accd=-1), "accd is -1."),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises((InputError, OptionError), match=re.escape(message)):
        call()


def test_results_are_frozen_and_print():
    success, time = table()
    ranking = rank_by_arr(success, time)
    with pytest.raises(AttributeError):
        ranking.method = "x"
    with pytest.raises(ValueError):
        ranking.scores[0] = 1
    assert "ARR" in str(ranking)
    assert "<table>" in ranking._repr_html_()
    with pytest.raises(OptionError, match="There is no ranked algorithm 'x'"):
        ranking.explain("x")
    assert set(RANKING_METHODS) == {
        "portfolio",
        "arr",
        "a3r",
        "srr",
        "mean-rank",
        "wins",
    }


# ---- folds as they were made: replications are not folds


def five_by_two(seed: int = 0, count: int = 12) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 0.7 + 0.01 * np.arange(4)[None, :, None, None] + rng.normal(0, 0.02, size=(count, 4, 5, 2))


def test_wins_use_the_test_of_the_resampling():
    folds = five_by_two()
    ranking = rank_by_wins(folds)
    assert ranking.method == "significant wins (5x2cv-f, alpha 0.05)"
    flat = folds.reshape(12, 4, 10)
    assert ranking.scores == pytest.approx(rank_by_wins(flat, test="5x2cv-f").scores)
    by_hand = np.zeros((4, 4))
    for a in range(4):
        for b in range(4):
            for one in folds if a != b else ():
                d = one[a] - one[b]
                f = (d**2).sum() / (2 * d.var(axis=1, ddof=1).sum())
                by_hand[a, b] += (stats.f.sf(f, 10, 5) <= 0.05 and d.mean() > 0) / 12
    assert scores_of(ranking, 4) == pytest.approx(by_hand.sum(axis=1) / 3)


def test_the_corrected_t_test_of_wins_knows_the_share_of_a_fold():
    folds = five_by_two()  # two folds: half of the data are tested on, whatever the number of replications
    ranking = rank_by_wins(folds, test="corrected-t")
    by_hand = np.zeros((4, 4))
    for a in range(4):
        for b in range(4):
            for one in folds if a != b else ():
                d = (one[a] - one[b]).ravel()
                t = d.mean() / np.sqrt((1 / 10 + 0.5 / 0.5) * d.var(ddof=1))
                by_hand[a, b] += (t > 0 and 2 * stats.t.sf(abs(t), 9) <= 0.05) / 12
    assert scores_of(ranking, 4) == pytest.approx(by_hand.sum(axis=1) / 3)


def test_wins_on_data_sets_with_different_folds_test_each_on_its_own():
    five, ten = five_by_two(count=4), np.random.default_rng(1).normal(0.7, 0.05, size=(4, 4, 1, 10))
    cube = np.full((8, 4, 5, 10), np.nan)
    cube[:4, :, :, :2], cube[4:, :, :1] = five, ten
    ranking = rank_by_wins(cube)
    parts = scores_of(rank_by_wins(five), 4), scores_of(rank_by_wins(ten[:, :, 0]), 4)
    assert scores_of(ranking, 4) == pytest.approx(np.mean(parts, axis=0))
    assert all(name in repr(ranking) for name in ("5x2cv-f", "corrected-t"))
    assert scorer("wins", cube)(np.full((1, 8), 1 / 8))[0] == pytest.approx(scores_of(ranking, 4))


def test_a_scorer_refuses_by_name():
    names = {"algorithms": ["fast", "slow"], "datasets": ["iris", "digits"]}
    with pytest.raises(InputError, match="ARR of 'fast' to 'slow' on data set 'iris' divides by"):
        scorer("arr", np.full((2, 2), 0.8), [[1e-3, 1e3], [1.0, 1.0]], accd=0.5, **names)


@pytest.mark.parametrize(
    ("sentence", "accd"),
    [("5% for 10x", 0.05), ("5 % for 10 \N{MULTIPLICATION SIGN}", 0.05), ("2% for a tenfold speed", 0.02),
     ("2 % for 100x the speed", 0.01), ("1 per cent for 10-fold", 0.01)],
)  # fmt: skip
def test_the_trade_in_short(sentence, accd):
    assert accd_from(sentence) == pytest.approx(accd)


@pytest.mark.parametrize("sentence", ["0,5 % for 10x", "1 % for 10,000 times", "-1 % for 10x", "1% for 10xyz"])
def test_a_trade_that_would_be_misread_is_refused(sentence):
    with pytest.raises(OptionError, match="does not say how much accuracy is traded for how many times the speed"):
        accd_from(sentence)


@pytest.mark.parametrize("method", ["arr", "a3r", "srr"])
def test_a_floor_does_not_hide_negative_scores(method):
    names = {"algorithms": ["a", "b"], "datasets": ["iris"]}
    with pytest.raises(
        InputError, match=r"The success rate of 'b' on data set 'iris' is -0\.2\. Success rates are divided"
    ):
        rank_by(method, [[0.5, -0.2]], [[1.0, 2.0]], **names)
    assert rank_by("mean-rank", [[0.5, -0.2]], **names).algorithms == ("a", "b")


# ---- the methods as records


@every("name", RANKING_METHODS)
def test_a_method_is_what_its_record_says(name):
    record = RANKING_METHODS[name]
    folds, time = five_by_two(), np.tile(np.arange(1.0, 5.0), (12, 1))
    ranking = rank_by(name, folds, time)
    assert record.name == name == ranking.name
    assert (ranking.accd is not None) == record.trades_accuracy
    assert record.yardstick == {"arr": "arr", "a3r": "a3r"}.get(name, "accuracy")
    if record.needs_time:
        with pytest.raises(OptionError, match=f"The ranking method '{name}' was asked for without times"):
            rank_by(name, folds)
    else:
        assert rank_by(name, folds).algorithms == ranking.algorithms
    if record.by_folds and not record.needs_time:
        with pytest.raises(InputError, match="needs the scores of folds"):
            rank_by(name, folds[:, :, 0, 0])
    if name in ("arr", "a3r", "srr"):
        with pytest.raises(InputError, match="success rate"):
            rank_by(name, -folds, time)
    weights = np.arange(1.0, 13.0)
    once = scorer(name, folds, time)(weights[None] / weights.sum())[0]
    order = rank_by(name, folds, time, weights=weights).algorithms
    assert [f"algorithm {j + 1}" for j in np.argsort(-once)] == list(order)


def test_caveats_have_codes():
    ranking = rank_by_srr([[0.9, 0.0, 0.9], [0.8, 0.7, np.nan]])
    assert [note.code for note in ranking.caveats] == ["gaps-left-out", "values-filled"]
