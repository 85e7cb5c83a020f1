"""Effect sizes, contrasts, wins and intervals."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import (
    difference_interval,
    difference_intervals,
    effect_size,
    effect_sizes,
    paired_t,
    sign_test,
    wilcoxon,
    win_tie_loss,
)
from tiebreak.stats.effect.intervals import signed_rank_distribution

# Demsar (2006), Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
TABLE = hnp.arrays(np.float64, (8, 3), elements=st.integers(-5, 5).map(lambda k: k / 4))


def random_table(seed: int, rows: int = 11, columns: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, columns)).round(1)


def test_wins_of_demsar_table_2():
    """Demsar (2006), Table 2: C4.5+m wins on 10 data sets, loses on 2, ties on 2."""
    counted = win_tie_loss(DEMSAR[:, :2], higher_is_better=True)
    assert (counted.b_wins[0], counted.a_wins[0], counted.ties[0]) == (10, 2, 2)


def test_cohen_d_is_the_paired_t_over_the_root_of_n():
    sizes = effect_sizes(DEMSAR, higher_is_better=True)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        t = stats.ttest_rel(DEMSAR[:, j], DEMSAR[:, i]).statistic
        assert sizes.cohen_d[k] == pytest.approx(t / np.sqrt(14), rel=1e-12)


def test_paired_sizes_by_brute_force():
    scores = random_table(2)
    sizes = effect_sizes(scores)
    z = scores[:, 0] - scores[:, 2]
    assert sizes.akinshin_gamma[1] == pytest.approx(np.median(z) / stats.median_abs_deviation(z, scale="normal"))
    assert sizes.cliffs_delta[1] == pytest.approx(np.sign(z).mean())
    assert sizes.mean_difference[1] == pytest.approx(z.mean())


def test_hedges_takes_the_bias_away():
    """Mean of g over samples is the true effect; d is too large by about 3 / (4 f - 1)."""
    z = np.random.default_rng(3).normal(0.7, 1.0, size=(6, 20_000))
    sizes = effect_sizes(np.column_stack([np.zeros(6), z]), control=0, higher_is_better=True)
    assert sizes.hedges_g.mean() == pytest.approx(0.7, abs=0.02)
    assert sizes.cohen_d.mean() == pytest.approx(0.7 / 0.8408, abs=0.02)  # J(5) = 0.8408 by the formula


def test_hedges_is_not_defined_on_two_data_sets():
    caveat = "Two data sets: Cohen's d has no expectation, so Hedges' g, which corrects it, is not defined."
    sizes = effect_sizes([[1.0, 1.2, 1.0], [2.0, 2.9, 2.0]])
    assert np.isfinite(sizes.cohen_d).all() and np.isnan(sizes.hedges_g).all()
    assert sizes.caveats == (caveat,)
    endless = effect_size([1.0, 2.0], [2.0, 3.0])
    assert np.isinf(endless.cohen_d[0]) and np.isnan(endless.hedges_g[0])
    assert endless.caveats[0] == caveat and len(endless.caveats) == 3


@settings(derandomize=True, deadline=None, max_examples=25)
@given(scores=TABLE)
def test_sizes_change_sign_with_direction_and_keep_under_scaling(scores):
    one = effect_sizes(scores)
    other = effect_sizes(scores, higher_is_better=True)
    scaled = effect_sizes(scores[::-1] * 8 + 4)
    for name in ("cohen_d", "hedges_g", "akinshin_gamma", "cliffs_delta"):
        assert getattr(other, name) == pytest.approx(-getattr(one, name))
        assert getattr(scaled, name) == pytest.approx(getattr(one, name))
    assert one.a12 + other.a12 == pytest.approx(np.ones(3))


def test_zero_spread_has_its_answer():
    scores = np.array([[1.0, 1.0, 3.0], [2.0, 2.0, 4.0], [4.0, 4.0, 6.0]])
    sizes = effect_sizes(scores)
    assert sizes.cohen_d.tolist() == [0.0, -np.inf, -np.inf]
    assert sizes.akinshin_gamma.tolist() == [0.0, -np.inf, -np.inf]
    assert sizes.magnitude == ("negligible", "large", "large")
    assert sizes.caveats == (
        "Cohen's d is infinite for 2 pair(s), such as 'algorithm 1' and 'algorithm 3': the spread is zero.",
        "Akinshin's gamma is infinite for 2 pair(s), such as 'algorithm 1' and 'algorithm 3': the spread is zero.",
    )


def test_rounding_noise_is_no_difference():
    base = np.array([0.1, 0.2, 0.7, 0.3])
    sizes = effect_size(base, base + 0.1 + 0.2 - 0.3)
    assert sizes.cohen_d[0] == 0
    assert win_tie_loss(np.column_stack([base, base + 0.1 - 0.1])).ties[0] == 4


def test_two_vectors_are_a_view_of_all_pairs():
    scores = random_table(4)
    whole = effect_sizes(scores, algorithms=list("wxyz"))
    alone = effect_size(scores[:, 1], scores[:, 3])
    assert alone.rows()[0]["cohen_d"] == whole.rows()[4]["cohen_d"]
    assert (whole.rows()[4]["a"], whole.rows()[4]["b"]) == ("x", "z")
    against = effect_sizes(scores, control=3)
    assert against.cohen_d == pytest.approx(-whole.cohen_d[[2, 4, 5]])
    assert "positive where b is better" in str(whole)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(scores=TABLE)
def test_wins_ties_and_losses_sum_to_the_data_sets(scores):
    loss = win_tie_loss(scores, margin=0.25)
    assert (loss.a_wins + loss.ties + loss.b_wins == 8).all()
    flipped = win_tie_loss(scores, margin=0.25, higher_is_better=True)
    assert flipped.a_wins.tolist() == loss.b_wins.tolist()


def test_a_margin_is_not_decided_by_the_last_bit():
    assert win_tie_loss([[0.84, 0.85], [0.74, 0.75]], margin=0.01).ties.tolist() == [2]


def test_t_interval_equals_scipy():
    intervals = difference_intervals(DEMSAR, method="t", level=0.9, higher_is_better=True)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        z = DEMSAR[:, j] - DEMSAR[:, i]
        low, high = stats.ttest_1samp(z, 0).confidence_interval(0.9)
        assert (intervals.low[k], intervals.high[k]) == (pytest.approx(low), pytest.approx(high))
        assert intervals.estimate[k] == pytest.approx(z.mean())


def test_signed_rank_distribution_by_enumeration():
    for count in (1, 4, 9):
        sums = [
            sum(r for r, up in zip(range(1, count + 1), ups, strict=True) if up)
            for ups in itertools.product((0, 1), repeat=count)
        ]
        expected = np.bincount(sums) / 2**count
        assert signed_rank_distribution(count) == pytest.approx(expected, abs=1e-15)


# Hollander and Wolfe, Nonparametric statistical methods, chapter 3, depression scores of nine patients: estimate
# -0.46, 96 % interval from -0.786 to -0.010
def test_hollander_wolfe_depression_scores():
    x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    intervals = difference_interval(x, y, higher_is_better=True)
    assert intervals.estimate[0] == pytest.approx(-0.46)
    assert (intervals.low[0], intervals.high[0]) == (pytest.approx(-0.786), pytest.approx(-0.010))
    assert intervals.achieved == pytest.approx(1 - 2 * 10 / 512)


@pytest.mark.parametrize("count", [6, 7, 12, 25])
def test_wilcoxon_interval_inverts_the_exact_test(count):
    z = np.random.default_rng(count).normal(size=count)
    intervals = difference_interval(np.zeros(count), z, higher_is_better=True)
    for end in (intervals.low[0], intervals.high[0]):
        inside, outside = (
            stats.wilcoxon(z - (end + step * 1e-9 * (1 if end == intervals.low[0] else -1)), method="exact").pvalue
            for step in (1, -1)
        )
        assert inside > 0.05 >= outside


@pytest.mark.parametrize(("method", "distribution"), [("wilcoxon", "normal"), ("t", "normal"), ("sign", "laplace")])
def test_coverage(method, distribution):
    """4000 samples of 15 data sets: the share of intervals that hold the truth, within four standard errors."""
    rng = np.random.default_rng(12)
    z = getattr(rng, distribution)(0.4, 1.0, size=(15, 4000))
    intervals = difference_intervals(
        np.column_stack([np.zeros(15), z]), control=0, method=method, higher_is_better=True
    )
    share = ((intervals.low <= 0.4) & (intervals.high >= 0.4)).mean()
    assert intervals.achieved >= 0.95
    assert share == pytest.approx(intervals.achieved, abs=4 * np.sqrt(0.05 * 0.95 / 4000))


def test_sign_interval_achieves_its_binomial_level():
    intervals = difference_interval(np.zeros(10), np.arange(10.0), method="sign", higher_is_better=True)
    assert (intervals.low[0], intervals.high[0], intervals.estimate[0]) == (1.0, 8.0, 4.5)
    assert intervals.achieved == pytest.approx(1 - 2 * (comb(10, 0) + comb(10, 1)) / 2**10)


@pytest.mark.parametrize("method", ["wilcoxon", "sign", "t"])
def test_an_interval_holds_what_the_test_of_its_name_does_not_reject(method):
    rng = np.random.default_rng(8)
    z = rng.normal(0.3, 1, size=15)
    intervals = difference_interval(np.zeros(15), z, method=method, higher_is_better=True)
    test = {"wilcoxon": wilcoxon, "sign": sign_test, "t": paired_t}[method]
    shifts = rng.uniform(-1, 1.6, size=300)  # no difference becomes zero, no two become equal
    masks = [test(z - shift).pvalue > 0.05 for shift in shifts]
    assert masks == list((shifts > intervals.low[0]) & (shifts < intervals.high[0]))


def test_with_ties_the_signed_ranks_interval_and_test_may_disagree():
    z = [-1.25, -0.25, 0.75, 1.75, 1.75, 1.75, 2.75, 2.75]  # T = 1 + 3
    intervals = difference_interval(np.zeros(8), z, higher_is_better=True)
    assert intervals.low[0] == -0.25  # holds zero: without ties the p-value of T = 4 is 14 / 2^8, above 0.05
    assert wilcoxon(z).pvalue == 12 / 2**8  # with these ties, below


def test_bonferroni_intervals_are_the_wider_ones():
    plain = difference_intervals(DEMSAR, method="t")
    wide = difference_intervals(DEMSAR, method="t", adjust="bonferroni")
    exact = difference_intervals(DEMSAR, method="t", level=1 - 0.05 / 6)
    assert (wide.high - wide.low > plain.high - plain.low).all()
    assert wide.high == pytest.approx(exact.high)
    assert wide.method == "Mean, Student's t, Bonferroni over the pairs"


def test_many_data_sets_use_the_normal_approximation():
    from tiebreak.stats.effect.intervals import walsh_depth

    exact = int((np.cumsum(signed_rank_distribution(320)) <= 0.025).sum())
    assert walsh_depth(320, 0.05)[0] == pytest.approx(exact, abs=3)


def test_too_few_data_sets_and_no_spread():
    intervals = difference_interval([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert (intervals.low[0], intervals.high[0]) == (-np.inf, np.inf)
    assert intervals.caveats == ("5 data sets are too few for an interval at level 0.95.",)
    same = difference_interval(np.arange(8.0), np.arange(8.0) + 2)
    assert (same.low[0], same.estimate[0], same.high[0]) == (-2, -2, -2)
    assert same.caveats == ("1 pair(s) with the same difference on every data set: the data show no spread.",)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(scores=TABLE, method=st.sampled_from(["wilcoxon", "t", "sign"]))
def test_intervals_turn_round_with_direction(scores, method):
    one = difference_intervals(scores, method=method)
    other = difference_intervals(scores[::-1], method=method, higher_is_better=True)
    assert other.estimate == pytest.approx(-one.estimate, abs=1e-12)
    assert other.low == pytest.approx(-one.high, abs=1e-12)
    assert (one.low <= one.estimate + 1e-12).all() and (one.estimate <= one.high + 1e-12).all()


def test_results_are_frozen_and_print():
    for result in (
        effect_sizes(DEMSAR),
        win_tie_loss(DEMSAR),
        difference_intervals(DEMSAR),
    ):
        assert str(result).count("\n") >= 4
        assert "<table>" in result._repr_html_()
        with pytest.raises(AttributeError):
            result.caveats = ()
    with pytest.raises(ValueError, match="read-only"):
        effect_sizes(DEMSAR).cohen_d[0] = 1


def test_error_texts():
    with pytest.raises(OptionError) as error:
        win_tie_loss(DEMSAR, margin=-1)
    assert str(error.value) == "margin is -1. It must be at least 0 and finite. Use margin=0."
    with pytest.raises(OptionError) as error:
        difference_intervals(DEMSAR, method="wilcox")
    assert str(error.value) == (
        "There is no method 'wilcox'. Known here: 'wilcoxon', 't', 'sign'. Did you mean 'wilcoxon'?"
    )
    with pytest.raises(OptionError) as error:
        difference_intervals(DEMSAR, level=95)
    assert str(error.value) == ("level is 95. It must be above 0 and below 1. Use level=0.95.")
    with pytest.raises(InputError) as error:
        effect_sizes([[1, 2]])
    assert str(error.value) == (
        "scores has 1 data set(s), and this test needs at least 2. Add data sets, or compare the"
        " fold scores of the one data set."
    )
