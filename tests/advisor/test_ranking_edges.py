"""Rankings at their edges: ratios of two and a half that can be worked out in the head, gaps, bounds and words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tiebreak.advisor.rankings import (
    Ranking,
    accd_from,
    accd_sentence,
    power_from,
    rank_by,
    scorer,
)
from tiebreak.advisor.rankings.by_tests import rank_by_wins
from tiebreak.advisor.rankings.pairwise import rank_by_a3r, rank_by_arr, rank_by_mean_rank, rank_by_srr
from tiebreak.advisor.rankings.portfolios import filled, rank_by_portfolio
from tiebreak.advisor.rankings.ranking import floor_times
from tiebreak.errors import InputError, OptionError

NAN = float("nan")
ABC = ["a", "b", "c"]


def by_name(ranking: Ranking) -> dict[str, float]:
    return dict(zip(ranking.algorithms, ranking.scores.tolist(), strict=True))


# ---- ratios


def chain() -> list[list[float]]:
    """a meets b on the first data set and c on the second, twice as good as each; b and c never meet."""
    return [[0.8, 0.4, NAN], [0.6, NAN, 0.3]]


def test_partners_are_those_with_a_common_data_set() -> None:
    alone = rank_by_srr(chain(), with_self=False, algorithms=ABC)
    assert by_name(alone) == pytest.approx({"a": 2, "b": 0.5, "c": 0.5})
    both = rank_by_srr(chain(), algorithms=ABC)
    assert by_name(both) == pytest.approx({"a": 5 / 3, "b": 0.75, "c": 0.75})  # itself, ratio 1, counts for each
    assert alone.algorithms == ("a", "b", "c")  # b and c tie; b has the higher mean success rate
    assert alone.ranks.tolist() == [1, 2.5, 2.5]
    assert alone.title() == "3 algorithms ranked by success rate ratios on 2 data set(s)"
    assert alone.accd is None and alone.higher_is_better


def test_contributions_of_data_sets_where_partners_differ() -> None:
    """The mean over partners of the mean log ratio: for a, log 2 of each data set, halved over its two partners."""
    ranking = rank_by_srr(chain(), with_self=False, algorithms=ABC, datasets=["one", "two"])
    two = np.log(2)
    assert ranking.contributions == pytest.approx(np.array([[two / 2, -two, 0], [two / 2, 0, -two]]))
    assert ranking.explain("b") == [
        {"dataset": "one", "weight": 0.5, "contribution": pytest.approx(-two)},
        {"dataset": "two", "weight": 0.5, "contribution": 0.0},
    ]


def test_mean_ranks_with_gaps_by_pairs() -> None:
    """a is never beaten: 1 + 2 * 0; b and c lose to a always and never meet: 1 + 2 * 1."""
    ranking = rank_by_mean_rank(chain(), algorithms=ABC)
    assert by_name(ranking) == pytest.approx({"a": 1, "b": 3, "c": 3})
    assert ranking.contributions.sum(axis=0) == pytest.approx(ranking.scores - 1)
    assert not ranking.higher_is_better and ranking.score_name == "mean_rank"
    tied = rank_by_mean_rank([[0.5, 0.5, 0.1], [0.7, 0.2, 0.2]], algorithms=ABC)
    assert by_name(tied) == pytest.approx({"a": (1.5 + 1) / 2, "b": (1.5 + 2.5) / 2, "c": (3 + 2.5) / 2})


def test_arr_at_a_whole_unit_of_accd() -> None:
    """AccD 1, twice the time: (0.8 / 0.4) / (1 + log10 2) for the slow, (0.4 / 0.8) / (1 - log10 2) for the fast."""
    ranking = rank_by_arr([[0.8, 0.4]], [[2.0, 1.0]], accd=1.0, with_self=False, algorithms=["slow", "fast"])
    wanted = {"slow": 2 / (1 + np.log10(2)), "fast": 0.5 / (1 - np.log10(2))}
    assert by_name(ranking) == pytest.approx(wanted)
    assert ranking.accd == 1.0 and ranking.method == ranking.score_name == "ARR"


def test_a3r_by_hand_and_what_its_power_is_worth() -> None:
    """P = 1/2, four times the time: ratio of success 2 over sqrt 4."""
    ranking = rank_by_a3r(
        [[0.8, 0.4]], [[4.0, 1.0]], accd=np.sqrt(10) - 1, with_self=False, algorithms=["slow", "fast"]
    )
    assert by_name(ranking) == pytest.approx({"slow": 1, "fast": 1})
    assert ranking.accd == pytest.approx(np.sqrt(10) - 1)
    assert ranking.meaning == "I trade 216.228 % of accuracy for ten times the speed (P = 0.5)"
    tenth = rank_by_a3r([[0.8, 0.4]], [[4.0, 1.0]], accd=0.1)
    assert tenth.accd == pytest.approx(0.1) and power_from(tenth.accd) == pytest.approx(np.log10(1.1))
    assert rank_by_a3r([[0.8, 0.4]], [[4.0, 1.0]], accd=0).meaning == "I trade no accuracy for speed (P = 0)"


@pytest.mark.parametrize("method", ["arr", "a3r", "srr"])
def test_floors_reach_every_method(method: str) -> None:
    plain = rank_by(method, [[0.5, 0.0]], [[1.0, 1.0]])
    assert by_name(plain) == pytest.approx({"algorithm 1": 250.5, "algorithm 2": 0.501})  # times are equal: 500, 1/500
    notes = ["1 success rate(s) below 0.001 count as 0.001."]
    assert list(plain.caveats) == notes
    many = scorer(method, [[0.5, 0.0]], [[1.0, 1.0]])
    assert many(np.ones((1, 1)))[0] == pytest.approx([250.5, 0.501])
    assert list(many.caveats) == notes and many.method == method


def test_the_floor_itself_is_no_rate_below_it() -> None:
    ranking = rank_by_srr([[0.5, 0.001, 0.0005]])
    assert ranking.caveats[0] == "1 success rate(s) below 0.001 count as 0.001."


def test_the_negative_rate_is_named_not_the_zero_before_it() -> None:
    with pytest.raises(InputError, match=r"The success rate of 'c' on data set 'data set 1' is -0\.2"):
        rank_by_srr([[0.0, 0.5, -0.2]], algorithms=ABC)


def test_divisors_near_zero_are_counted() -> None:
    """AccD 0.5: 1 + 0.5 log10(T_p / T_q) is exactly 0.5 at a ratio of ten, below it beyond."""
    at = rank_by_arr([[0.9, 0.9]] * 3, [[1.0, 10.0], [1.0, 1.0], [1.0, 2.0]], accd=0.5)
    assert not any("divides by less" in caveat for caveat in at.caveats)
    beyond = rank_by_arr([[0.9, 0.9]] * 3, [[1.0, 11.0], [12.0, 1.0], [1.0, 2.0]], accd=0.5)
    assert beyond.caveats[0].startswith("On 2 data set(s) times differ so much that ARR divides by less than 0.5")
    alone = rank_by_arr([[0.9, NAN, 0.9], [0.9, 0.9, 0.9]], [[1.0, 1e9, 2.0], [1.0, 1.0, 1.0]], accd=0.5)
    assert not any("divides by less" in caveat for caveat in alone.caveats)  # the missing one has no ratio
    single = rank_by_arr([[0.9, NAN], [0.9, 0.8]], [[1.0, 1e9], [1.0, 1.0]], accd=0.5)
    assert single.n_datasets == 1 and not any("divides by less" in caveat for caveat in single.caveats)


# ---- weights


@pytest.mark.parametrize("weights", [[1.0, NAN], [1.0, float("inf")], [1.0, -1.0], [0.0, 0.0], [1.0], [[1.0, 1.0]]])
def test_what_weights_cannot_be(weights: object) -> None:
    with pytest.raises(OptionError, match="or holds a number that is no weight"):
        rank_by_srr([[0.9, 0.8], [0.7, 0.8]], weights=weights)


def test_a_data_set_counts_with_weight_and_two_results() -> None:
    success = [[0.9, 0.8, 0.7], [0.9, NAN, NAN], [0.9, 0.8, NAN], [0.5, 0.5, 0.5]]
    ranking = rank_by_srr(success, weights=[1, 1, 1, 0])
    assert ranking.n_datasets == 2
    assert ranking.weights.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert "3 of 12 results are missing: every two algorithms" in ranking.caveats[0]


@pytest.mark.parametrize("method", ["arr", "a3r", "srr", "mean-rank", "wins"])
def test_names_reach_every_method(method: str) -> None:
    folds = np.random.default_rng(0).normal(0.7, 0.01, (2, 3, 10))
    ranking = rank_by(method, folds, np.tile([1.0, 2.0, 3.0], (2, 1)), algorithms=ABC, datasets=["z", "y"])
    assert ranking.datasets == ("z", "y") and sorted(ranking.algorithms) == ABC


@pytest.mark.parametrize("method", ["srr", "mean-rank", "wins"])
def test_weights_reach_every_method(method: str) -> None:
    """All weight on the second data set: its ranking alone."""
    folds = np.random.default_rng(0).normal(0.7, 0.01, (2, 3, 10)) + np.array(
        [[[0.2], [0.1], [0]], [[0], [0.1], [0.2]]]
    )
    ranking = rank_by(method, folds, weights=[0, 1], algorithms=ABC)
    assert ranking.algorithms == ("c", "b", "a")
    assert ranking.scores == pytest.approx(rank_by(method, folds[1:], algorithms=ABC).scores)


def test_scores_of_more_algorithms_than_one_block_holds() -> None:
    """1,500 algorithms make every weighting a part of its own; weightings keep their places."""
    success = np.random.default_rng(0).uniform(0.5, 1.0, (3, 1500))
    result = scorer("mean-rank", success)(np.eye(3))
    assert result.shape == (3, 1500)
    for d in range(3):
        losses = (stats.rankdata(-success[d]) - 1) / 1499
        assert -result[d] == pytest.approx(losses)


def test_many_data_sets_are_summed_over_blocks() -> None:
    """600 algorithms: one data set at a time; the mean rank is scipy's."""
    success = np.random.default_rng(1).uniform(0.5, 1.0, (4, 600))
    ranking = rank_by_mean_rank(success)
    wanted = stats.rankdata(-success, axis=1).mean(axis=0)
    order = [int(name.split()[1]) - 1 for name in ranking.algorithms]
    assert ranking.scores == pytest.approx(wanted[order])
    assert ranking.contributions.sum(axis=0) == pytest.approx(ranking.scores - 1)


def test_a_weighting_without_a_common_data_set_has_no_score() -> None:
    result = scorer("srr", chain())(np.array([[1.0, 0.0], [0.0, 1.0]]))
    assert result[0, :2] == pytest.approx([1.5, 0.75]) and np.isnan(result[0, 2])
    assert result[1, [0, 2]] == pytest.approx([1.5, 0.75]) and np.isnan(result[1, 1])


def test_a_scorer_says_what_its_table_lacks() -> None:
    for method in ("mean-rank", "srr", "wins"):
        results = np.repeat(np.array(chain())[:, :, None], 4, axis=2) if method == "wins" else chain()
        assert any(note.startswith("2 of 6 results are missing") for note in scorer(method, results).caveats)


# ---- wins


def folds_apart(gap: float = 0.1) -> np.ndarray:
    """Two data sets, three algorithms, ten folds; a is ahead on both, c behind b on the second."""
    noise = np.random.default_rng(3).normal(0, 0.01, (2, 3, 10))
    return 0.5 + noise - noise.mean(axis=2, keepdims=True) + np.array([[[gap], [0], [0]], [[2 * gap], [gap], [0]]])


def test_wins_are_shares_of_data_sets_and_partners() -> None:
    """First data set: a beats b and c. Second: a beats both, b beats c. Shares: a 4/4, b 1/4, c 0."""
    ranking = rank_by_wins(folds_apart(), algorithms=ABC, datasets=["z", "y"])
    assert by_name(ranking) == {"a": 1.0, "b": 0.25, "c": 0.0}
    assert [row["dataset"] for row in ranking.explain("a")] == ["y", "z"]  # equal parts: by name
    assert ranking.contributions.tolist() == [[0.5, 0, 0], [0.5, 0.25, 0]]
    assert ranking.method == "significant wins (corrected-t, alpha 0.05)" and ranking.caveats == ()


def test_wins_at_alpha_itself() -> None:
    """One data set, two algorithms; the level is the p-value of the corrected t test with shares of a tenth."""
    folds = np.random.default_rng(5).normal([[[0.52], [0.5]]], 0.02, (1, 2, 10))
    d = folds[0, 0] - folds[0, 1]
    t = d.mean() / np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    p = float(2 * stats.t.sf(abs(t), 9))
    assert 0.01 < p < 0.99 and t > 0
    assert rank_by_wins(folds, alpha=p * (1 + 1e-9)).scores.tolist() == [1, 0]
    assert rank_by_wins(folds, alpha=p * (1 - 1e-9)).scores.tolist() == [0, 0]


def test_single_splits_count_as_halves() -> None:
    """Ten replications of one split: the share is unknown, and a half is the safe guess."""
    folds = np.random.default_rng(6).normal([[[[0.53]], [[0.5]]]], 0.02, (1, 2, 10, 1))
    d = (folds[0, 0] - folds[0, 1]).ravel()
    t = d.mean() / np.sqrt((1 / 10 + 1) * d.var(ddof=1))
    p = float(2 * stats.t.sf(abs(t), 9))
    assert rank_by_wins(folds, alpha=p * (1 + 1e-9)).scores.tolist() == [1, 0]
    assert rank_by_wins(folds, alpha=p * (1 - 1e-9)).scores.tolist() == [0, 0]


def test_data_sets_without_folds_show_no_win_and_are_counted() -> None:
    folds = folds_apart()
    cube = np.full((4, 3, 10), NAN)
    cube[:2] = folds
    cube[2:, :, 0] = 0.5
    ranking = rank_by_wins(cube, algorithms=ABC)
    assert by_name(ranking) == pytest.approx({"a": 0.5, "b": 0.125, "c": 0})
    assert "2 data set(s) without folds cannot show a significant win." in ranking.caveats
    assert not any("different folds" in caveat for caveat in ranking.caveats)  # one kind was tested
    many = scorer("wins", cube)
    assert "2 data set(s) without folds cannot show a significant win." in many.caveats


def test_a_missing_algorithm_neither_wins_nor_loses() -> None:
    """b lacks a fold on the first data set, so it is missing there: a meets it on the second alone."""
    folds = folds_apart()
    folds[0, 1, 4] = NAN
    ranking = rank_by_wins(folds, algorithms=ABC)
    assert by_name(ranking) == pytest.approx({"a": 1, "b": 0.5, "c": 0})
    assert ranking.caveats[0].startswith("1 of 6 results are missing")


# ---- Multi2Test


# ---- times


# ---- shapes and the trade


def test_results_have_two_to_four_axes() -> None:
    for shape in ((2,), (1, 2, 1, 1, 1), (0, 2), (2, 1), (2, 0)):
        with pytest.raises(InputError, match="accuracy has shape"):
            rank_by_srr(np.full(shape, 0.5))
    for shape in ((1, 2), (1, 2, 3), (1, 2, 3, 2)):
        assert rank_by_srr(np.full(shape, 0.5)).scores.tolist() == [1, 1]


def test_notes_of_folds_that_lack_are_said_for_scores_and_times() -> None:
    folds = np.array([[[0.8, 0.9], [0.7, NAN]], [[0.8, 0.8], [0.8, 0.8]]])
    times = np.array([[[1.0, 3.0], [2.0, 2.0]], [[NAN, 2.0], [2.0, NAN]]])
    ranking = rank_by_arr(folds, times, accd=0)
    rest = "are over the folds that were measured; others of their folds are missing."
    assert ranking.caveats == (f"1 mean(s) of accuracy {rest}", f"2 mean(s) of time {rest}")


@pytest.mark.parametrize(
    ("sentence", "accd"),
    [
        ("1 % for twice the speed", 0.01 / np.log10(2)),
        ("1 % for two times the speed", 0.01 / np.log10(2)),
        ("1 % for five times the speed", 0.01 / np.log10(5)),
        ("1 % for a hundred times the speed", 0.005),
        ("3 % for a thousand times the speed", 0.01),
        ("0 % for ten times the speed", 0),
    ],
)
def test_numbers_in_words(sentence: str, accd: float) -> None:
    assert accd_from(sentence) == pytest.approx(accd)


def test_a_trade_for_no_speed_up_means_nothing() -> None:
    with pytest.raises(OptionError, match="is for 1 times the speed"):
        accd_from("1% for 1x")
    assert accd_sentence(accd_from("0.5% for 10x")) == "I trade 0.5 % of accuracy for ten times the speed"


# ---- gaps and zeros


def test_times_of_zero_count_as_the_smallest_positive_one() -> None:
    raised, caveats = floor_times(np.array([[0.0, 0.2, 0.5], [3.0, 0.0, 7.0]]))
    assert raised.tolist() == [[0.2, 0.2, 0.5], [3.0, 0.2, 7.0]]
    assert "2 time(s) of 0 count as 0.2 s" in str(caveats[0])


def test_what_was_never_measured_is_not_filled() -> None:
    table = np.array([[0.8, NAN, 0.6], [0.7, NAN, NAN], [NAN, NAN, NAN]])
    values = filled(table)
    assert np.isnan(values).tolist() == [[False, True, False], [False, True, False], [True, True, True]]
    assert values[1, 2] == pytest.approx(0.5)  # 0.2 below the first, as on the first data set


def test_a_data_set_without_weight_adds_nothing_to_a_portfolio() -> None:
    success = [[0.9, 0.5, 0.1], [0.2, 0.8, 0.4], [0.1, 0.2, 0.9]]
    ranking = rank_by_portfolio(success, weights=[1.0, 1.0, 0.0], algorithms=ABC)
    assert ranking.algorithms[:2] == ("b", "a")
    assert ranking.contributions is not None
    assert ranking.contributions.tolist() == [
        pytest.approx([0.2, 0.0, 0.0]),
        pytest.approx([0.0, 0.0, 0.0]),
        pytest.approx([0.0, 0.0, 0.0]),
    ]
