"""Several measures of folds that share training data: the corrected tests and the 5x2 cv form, by other routes."""

from __future__ import annotations

import itertools
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import multivariate
from tiebreak.stats.multivariate.five_by_two import five_by_two_manova, five_by_two_pairs
from tiebreak.stats.multivariate.hotelling_tests import hotelling, hotelling_pairs
from tiebreak.stats.multivariate.manova_tests import learned_measures, manova
from tiebreak.stats.multivariate.per_measure import anova_per_measure
from tiebreak.stats.multivariate.permutations import permuted_manova, permuted_pairs


def cube(seed: int, shape: tuple[int, int, int] = (10, 3, 2)) -> FloatArray:
    return np.random.default_rng(seed).normal(size=shape) + 0.5 * np.arange(shape[1])[:, None]


# ---- the corrected variance


@pytest.mark.parametrize(("folds", "share"), [(10, 0.1), (50, 0.1), (30, 1 / 3)])
def test_one_measure_is_the_corrected_resampled_t(folds: int, share: float) -> None:
    x = cube(1, (folds, 2, 1))
    result = hotelling(x[:, 0], x[:, 1], test_share=share)
    t = stats.corrected_resampled_t(x[:, 0, 0], x[:, 1, 0], test_share=share)
    assert result.t2 == pytest.approx(float(t.statistic) ** 2) and result.pvalue == pytest.approx(t.pvalue)
    assert result.t[0] == pytest.approx(t.statistic) and result.t_pvalue[0] == pytest.approx(t.pvalue)
    assert result.method == "Hotelling's corrected paired T2 test"


def test_the_formula_written_out() -> None:
    x, share = cube(2, (50, 2, 3)), 0.1
    d = x[:, 0] - x[:, 1]
    t2 = d.mean(axis=0) @ np.linalg.inv(np.cov(d.T)) @ d.mean(axis=0) / (1 / 50 + 0.1 / 0.9)
    f = (50 - 3) / (3 * 49) * t2
    result = hotelling(x[:, 0], x[:, 1], test_share=share)
    assert (result.t2, result.statistic) == pytest.approx((t2, f))
    assert result.pvalue == pytest.approx(scipy_stats.f.sf(f, 3, 47)) and result.df == (3, 47)
    assert result.direction == pytest.approx(hotelling(x[:, 0], x[:, 1]).direction)  # of the folds, whatever they share
    half = scipy_stats.t.isf(0.05 / 6, 49) * d.std(axis=0, ddof=1) * sqrt(1 / 50 + 1 / 9)
    assert result.bonferroni_high - result.mean_difference == pytest.approx(half)


def test_the_interval_excludes_zero_where_the_test_of_one_measure_rejects() -> None:
    for seed in range(12):
        x = cube(seed, (20, 2, 1))
        result = hotelling(x[:, 0], x[:, 1], test_share=0.05)
        assert (result.pvalue <= 0.05) == bool(result.t2_low[0] > 0 or result.t2_high[0] < 0)


def test_without_overlap_it_is_the_usual_test() -> None:
    x = cube(3)
    near, usual = hotelling(x[:, 0], x[:, 1], test_share=1e-12), hotelling(x[:, 0], x[:, 1])
    assert (near.t2, near.pvalue) == pytest.approx((usual.t2, usual.pvalue), rel=1e-9)
    one, other = manova(x, test_share=1e-12), manova(x)
    assert (one.wilks, one.pvalue) == pytest.approx((other.wilks, other.pvalue), rel=1e-9)


@given(seed=st.integers(0, 10_000), share=st.sampled_from([0.1, 0.2, 1 / 3, 0.5]), dependent=st.booleans())
@settings(derandomize=True, deadline=None, max_examples=25)
def test_pairs_are_hotellings_test_of_each(seed: int, share: float, dependent: bool) -> None:
    x = cube(seed, (12, 4, 3))
    x = np.concatenate([x, x[..., :1] + x[..., 1:2]], axis=-1) if dependent else x
    result = hotelling_pairs(x, test_share=share, adjust="none")
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        one = hotelling(x[:, i], x[:, j], test_share=share)
        assert (result.t2[k], result.pvalue[k]) == pytest.approx((one.t2, one.pvalue), rel=1e-7)
        assert result.direction[k] == pytest.approx(one.direction, rel=1e-6, abs=1e-9)
    assert result.t2 == pytest.approx(hotelling_pairs(x).t2 / (1 + 12 * share / (1 - share)))


@pytest.mark.parametrize("blocked", [False, True])
def test_the_hypothesis_of_manova_is_divided(blocked: bool) -> None:
    x, share = cube(4, (50, 4, 2)), 0.1
    usual, result = manova(x, blocked=blocked), manova(x, blocked=blocked, test_share=share)
    factor = 1 + 50 / 9
    assert result.hypothesis == pytest.approx(usual.hypothesis / factor) and result.error == pytest.approx(usual.error)
    lambda_ = np.linalg.det(usual.error) / np.linalg.det(usual.error + usual.hypothesis / factor)
    assert result.wilks == pytest.approx(lambda_)
    chi2 = -(result.df_error - (2 - 3 + 1) / 2) * np.log(lambda_)
    assert result.test("bartlett").pvalue == pytest.approx(scipy_stats.chi2.sf(chi2, 6))
    kind = "Corrected blocked MANOVA" if blocked else "Corrected one-way MANOVA"
    assert result.method == f"{kind}, Wilks' lambda by Rao's F"


def test_two_algorithms_blocked_are_hotellings_test() -> None:
    x = cube(5, (20, 2, 2))
    whole, pair = manova(x, blocked=True, test_share=0.05), hotelling(x[:, 0], x[:, 1], test_share=0.05)
    assert whole.pvalue == pytest.approx(pair.pvalue)


def test_learned_measures_keep_their_weights() -> None:
    x = cube(6, (50, 4, 3))
    usual, result = learned_measures(x), learned_measures(x, test_share=0.1)
    assert result.weights == pytest.approx(usual.weights) and result.shares == pytest.approx(usual.shares)
    assert result.eigenvalues == pytest.approx(usual.eigenvalues / (1 + 50 / 9))
    assert result.chi2_pvalue[0] == pytest.approx(manova(x, test_share=0.1).test("bartlett").pvalue)


def test_flips_are_held_against_a_corrected_t2() -> None:
    x = cube(7, (8, 2, 2))
    d = x[:, 0] - x[:, 1]

    def t2(values: FloatArray) -> float:
        return float(8 * values.mean(axis=0) @ np.linalg.inv(np.cov(values.T)) @ values.mean(axis=0))

    share = 1 / 8
    results = t2(d) / (1 + 8 / 7)
    flips = [t2(d * np.array(signs)[:, None]) for signs in itertools.product([1.0, -1.0], repeat=8)]
    result = permuted_pairs(x, test_share=share)
    assert result.statistic[0] == pytest.approx(results)
    assert result.pvalue[0] == pytest.approx(np.mean([value >= results * (1 - 1e-9) for value in flips]))
    assert result.method == "Corrected sign-flip test of T2 on differences with Holm's correction"
    assert permuted_manova(x, test_share=share).pvalue == pytest.approx(result.pvalue[0])


def test_permuted_groups_are_held_against_a_corrected_trace() -> None:
    x = cube(8, (20, 3, 2))
    usual = manova(x, blocked=True)
    e = usual.eigenvalues / (1 + 20 / 19)
    result = permuted_manova(x, test_share=0.05, n_permutations=99)
    assert result.statistic == pytest.approx((e / (1 + e)).sum())
    assert result.pvalue >= permuted_manova(x, n_permutations=99).pvalue


def test_every_measure_alone_is_corrected_too() -> None:
    x = cube(9, (50, 3, 2))
    for blocked in (False, True):
        result = anova_per_measure(x, blocked=blocked, pair_test="corrected-t", test_share=0.1)
        usual = anova_per_measure(x, blocked=blocked)
        assert result.statistic == pytest.approx(usual.statistic / (1 + 50 / 9))
        assert result.pvalue == pytest.approx(scipy_stats.f.sf(result.statistic, *result.df.T))
        one = manova(x[:, :, :1], blocked=blocked, test_share=0.1)
        assert result.pvalue[0] == pytest.approx(one.pvalue)
    assert result.method == "Corrected ANOVA blocked by fold per measure with Holm's correction"


# ---- 5x2


def test_one_measure_is_the_5x2_cv_f_test() -> None:
    x = cube(10, (10, 4, 1))
    result, alone = five_by_two_pairs(x, adjust="none"), stats.fold_pairs(x.transpose(2, 1, 0), method="5x2cv-f")
    assert result.statistic == pytest.approx(alone.statistic[0]) and result.pvalue == pytest.approx(alone.pvalue[0])
    assert result.df.tolist() == [[10, 5]] * 6
    whole = five_by_two_manova(x[:, :2])
    assert (whole.statistic, whole.pvalue) == pytest.approx((result.statistic[0], result.pvalue[0]))


@given(seed=st.integers(0, 10_000), count=st.integers(2, 4))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_wilks_lambda_of_5x2_written_out(seed: int, count: int) -> None:
    x = cube(seed, (10, count, 2)).reshape(5, 2, count, 2)
    centred = x - x.mean(axis=2, keepdims=True)
    n = np.einsum("rfli,rflj->ij", centred, centred)
    gaps = centred[:, 0] - centred[:, 1]
    w = np.einsum("rli,rlj->ij", gaps, gaps) / 2
    value = np.linalg.det(w) / np.linalg.det(w + n)
    result = five_by_two_manova(x)
    assert result.wilks == pytest.approx(value)
    assert (result.hypothesis, result.error) == (pytest.approx(n), pytest.approx(w))
    h, e = 10 * (count - 1), 5 * (count - 1)  # two measures: Rao's F is exact for independent N and W
    f = (1 - sqrt(value)) / sqrt(value) * (e - 1) / h
    assert result.pvalue == pytest.approx(scipy_stats.f.sf(f, 2 * h, 2 * (e - 1)))
    if count == 2:
        assert five_by_two_pairs(x).pvalue[0] == pytest.approx(result.pvalue)


def test_neither_units_nor_the_order_of_replications_matter() -> None:
    x = cube(11, (10, 3, 2))
    result = five_by_two_pairs(x)
    turned = five_by_two_pairs((x * [1000.0, -0.01] + [3.0, 7.0]).reshape(5, 2, 3, 2)[::-1, ::-1])
    assert turned.pvalue == pytest.approx(result.pvalue) and turned.wilks == pytest.approx(result.wilks)
    mixed = five_by_two_pairs(x @ np.array([[1.0, 0.4], [-2.0, 1.0]]))
    assert mixed.pvalue == pytest.approx(result.pvalue)


def test_degenerate_5x2() -> None:
    x = cube(12, (10, 2, 2))
    same = np.repeat(x[:, :1], 2, axis=1)
    nothing = five_by_two_pairs(same)
    assert nothing.pvalue[0] == 1 and nothing.statistic[0] == 0 and nothing.caveats[0].code == "no-difference"
    assert five_by_two_manova(same).pvalue == 1
    moved = same + np.array([[[0.0, 0.0], [0.25, -0.5]]])
    sure = five_by_two_pairs(moved)
    assert sure.certain[0] and np.isinf(sure.statistic[0]) and 0 < sure.pvalue[0] < 1e-300
    assert [note.code for note in sure.caveats] == ["constant-difference"]
    assert five_by_two_manova(moved).pvalue == sure.pvalue[0]
    dependent = np.concatenate([x, x.sum(axis=2, keepdims=True)], axis=2)
    result = five_by_two_pairs(dependent)
    assert result.rank[0] == 2 and result.pvalue[0] == pytest.approx(five_by_two_pairs(x).pvalue[0])
    assert five_by_two_manova(dependent).pvalue == pytest.approx(result.pvalue[0])


def test_5x2_refuses_other_folds_and_too_many_measures() -> None:
    with pytest.raises(InputError, match=r"measures has shape \(20, 2, 2\)\. Pass an array of shape \(10,"):
        five_by_two_pairs(cube(1, (20, 2, 2)))
    with pytest.raises(InputError) as error:
        five_by_two_pairs(cube(1, (10, 2, 6)), algorithms=["a", "b"])
    assert str(error.value) == (
        "6 measures are too many for 5x2 cross-validation, as for 'a' and 'b'. Use at most 5 measures, or more folds."
    )
    with pytest.raises(InputError, match="Use at most 5 measures"):
        five_by_two_manova(cube(1, (10, 2, 6)))


def test_every_measure_alone_by_5x2() -> None:
    x = cube(13, (10, 3, 2))
    result = anova_per_measure(x, pair_test="5x2cv-f")
    pairs = stats.fold_pairs(x.transpose(2, 1, 0), method="5x2cv-f")
    assert result.pair_pvalue == pytest.approx(pairs.pvalue)
    assert result.statistic == pytest.approx(pairs.statistic.max(axis=1)) and result.df.tolist() == [[10, 5]] * 2
    assert result.pvalue == pytest.approx(np.minimum(3 * pairs.pvalue.min(axis=1), 1))


# ---- size


def rejected(test: object, draws: list[FloatArray]) -> float:
    return float(np.mean([test(x) <= 0.05 for x in draws]))  # type: ignore[operator]


@pytest.mark.parametrize(("replications", "folds"), [(1, 10), (5, 10), (10, 10)])
def test_equal_algorithms_on_correlated_folds(replications: int, folds: int) -> None:
    """0.02 to 0.09 hold all but 1 in 1,000 of counts of 400 at 5 %; without the correction it is 17 to 98 %."""
    rng, count = np.random.default_rng(3), replications * folds
    mix = np.array([[1.0, 0.5], [0.0, 1.0]])
    draws = [
        (sqrt(1 / folds) * rng.normal(size=(1, 3, 2)) + sqrt(1 - 1 / folds) * rng.normal(size=(count, 3, 2))) @ mix
        for _ in range(400)
    ]
    share = 1 / folds
    assert 0.02 <= rejected(lambda x: hotelling(x[:, 0], x[:, 1], test_share=share).pvalue, draws) <= 0.09
    assert 0.02 <= rejected(lambda x: manova(x, test_share=share, statistic="bartlett").pvalue, draws) <= 0.09
    assert rejected(lambda x: hotelling(x[:, 0], x[:, 1]).pvalue, draws) > 0.1


def test_equal_algorithms_by_5x2_are_seldom_told_apart() -> None:
    """The 5x2 cv F test is cautious with one measure (1.8 %), and so is this with several."""
    draws = list(np.random.default_rng(4).normal(size=(400, 10, 4, 3)))
    assert rejected(lambda x: five_by_two_pairs(x[:, :2]).pvalue[0], draws) <= 0.05
    assert rejected(lambda x: five_by_two_manova(x).pvalue, draws) <= 0.05


def test_the_share_is_checked_everywhere() -> None:
    x = cube(1)
    for call in (
        lambda: hotelling(x[:, 0], x[:, 1], test_share=1.0),
        lambda: hotelling_pairs(x, test_share=0.0),
        lambda: manova(x, test_share=-0.1),
        lambda: multivariate.learned_measures(x, test_share=2.0),
        lambda: permuted_manova(x, test_share=1.5),
        lambda: permuted_pairs(x, test_share=1.5),
    ):
        with pytest.raises(OptionError, match=r"It must be above 0 and below 1"):
            call()
