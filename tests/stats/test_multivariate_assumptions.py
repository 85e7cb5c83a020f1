"""Several measures: normality, permutation tests, one measure at a time, and many data sets."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import rm_anova
from tiebreak.stats.multivariate.normality import mardia
from tiebreak.stats.multivariate.over_datasets import combine_datasets
from tiebreak.stats.multivariate.per_measure import anova_per_measure
from tiebreak.stats.multivariate.permutations import permuted_manova, permuted_pairs
from tiebreak.stats.numeric.basics import TINY

seeds = st.integers(0, 2**32 - 1)
few = settings(derandomize=True, deadline=None, max_examples=15)

# pingouin 0.7.0, docstring of multivariate_ttest: Fever, Pressure, Aches under Drug and under Placebo
DRUG = (
    "38.4 73 18/36.8 85 14/40.0 58 20/39.8 80 20/38.6 68 25/39.1 52 27/38.9 79 26/36.8 100 8/40.4 64 21/39.4 53 22/"
    "38.0 70 15/38.6 75 14/40.1 48 28/38.1 57 22/37.2 78 16/39.5 65 18/37.3 77 13/39.1 67 16"
)
PLACEBO = (
    "40.9 54 14/39.5 75 18/39.4 57 24/38.2 71 24/39.7 65 22/38.9 49 30/38.6 58 25/39.9 52 17/41.3 62 18/38.1 57 20/"
    "39.6 78 19/37.1 92 15/39.5 63 13/40.3 52 25/41.5 46 27/39.3 56 14/37.6 86 16/40.6 48 21"
)


def table(text):
    return np.array([row.split() for row in text.split("/")], dtype=float)


def drug_and_placebo():
    return np.stack([table(DRUG), table(PLACEBO)], axis=1)


def random_affine(rng, p):
    return rng.normal(size=(p, p)) + 3 * np.eye(p), rng.normal(size=p) * 10


# ---- Mardia


def test_mardia_of_the_paired_differences():
    """Computed from the formula with the covariance over n: b1 2.802517, 8.407552 on 10 df, p .589093, b2 13.519152."""
    x = drug_and_placebo()
    plain = mardia(x[:, 0] - x[:, 1])
    assert plain.skewness[0] == pytest.approx(2.802517, abs=5e-7)
    factor = 4 * 19 * 21 / (18 * (19 * 4 - 6))  # Mardia 1974: 1 in the asymptotic test, whose p is .589093
    assert plain.skewness_statistic[0] == pytest.approx(factor * 8.407552, abs=5e-7)
    assert plain.skewness_df.tolist() == [10]
    assert plain.kurtosis[0] == pytest.approx(13.519152, abs=5e-7)


def test_mardia_by_the_double_sum_and_the_published_factor():
    x = drug_and_placebo()[:, 1]
    n, p = x.shape
    centred = x - x.mean(axis=0)
    g = centred @ np.linalg.inv(np.cov(x.T, bias=True)) @ centred.T
    b1, b2 = (g**3).mean(), (np.diag(g) ** 2).mean()
    factor = (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6))
    result = mardia(x)
    assert result.skewness[0] == pytest.approx(b1, rel=1e-10)
    assert result.kurtosis[0] == pytest.approx(b2, rel=1e-10)
    assert result.skewness_pvalue[0] == pytest.approx(stats.chi2.sf(n * factor * b1 / 6, 10), rel=1e-10)


def test_one_measure_has_the_usual_skewness_and_kurtosis():
    x = np.random.default_rng(1).gamma(2.0, size=(30, 1))
    result = mardia(x)
    assert result.skewness[0] == pytest.approx(stats.skew(x[:, 0]) ** 2, rel=1e-10)
    assert result.kurtosis[0] == pytest.approx(stats.kurtosis(x[:, 0], fisher=False), rel=1e-10)


def test_a_stack_is_each_sample_by_itself():
    x = np.random.default_rng(2).normal(size=(12, 5, 3))
    whole, single = mardia(x), [mardia(x[:, j]) for j in range(5)]
    assert whole.skewness == pytest.approx([s.skewness[0] for s in single], rel=1e-10)
    assert whole.kurtosis_pvalue == pytest.approx([s.kurtosis_pvalue[0] for s in single], rel=1e-10)
    assert [row["algorithm"] for row in whole.rows()] == [f"sample {i}" for i in range(1, 6)]


@few
@given(seeds)
def test_mardia_is_affine_invariant(seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_t(5, size=(15, 3))
    matrix, shift = random_affine(rng, 3)
    one, two = mardia(x), mardia(x @ matrix + shift)
    assert two.skewness == pytest.approx(one.skewness, rel=1e-6)
    assert two.kurtosis == pytest.approx(one.kurtosis, rel=1e-6)


def test_the_exact_moments_and_the_size_under_normality():
    """20,000 samples of 10 rows, 2 measures: z has mean 0 and variance 1; both tests keep near 0.05."""
    result = mardia(np.random.default_rng(0).normal(size=(10, 20_000, 2)))
    assert result.kurtosis_z.mean() == pytest.approx(0.0, abs=0.02)
    assert result.kurtosis_z.var() == pytest.approx(1.0, abs=0.04)
    assert (result.skewness_pvalue <= 0.05).mean() == pytest.approx(0.055, abs=0.01)
    assert (result.kurtosis_pvalue <= 0.05).mean() == pytest.approx(0.048, abs=0.01)
    assert result.rejected(alpha=0.05).mean() == pytest.approx(0.04, abs=0.01)


def test_heavy_tails_are_found():
    result = mardia(np.random.default_rng(3).standard_t(2, size=(60, 100, 2)))
    assert result.rejected().mean() > 0.95


def test_dependent_measures_are_judged_in_their_directions():
    x = np.random.default_rng(4).normal(size=(20, 2))
    more = np.column_stack([x, x[:, 0] + x[:, 1], np.full(20, 7.0)])
    one, two = mardia(x), mardia(more)
    assert two.rank.tolist() == [2]
    assert two.skewness == pytest.approx(one.skewness, rel=1e-8)
    assert two.kurtosis_pvalue == pytest.approx(one.kurtosis_pvalue, rel=1e-8)
    assert two.caveats == (
        "The 4 measures vary in 2 direction(s) only (some are constant or follow from others); those are judged"
        " ('sample 1').",
    )


def test_rows_that_say_nothing():
    x = np.random.default_rng(5).normal(size=(4, 2, 3))
    x[:, 1] = [1, 2, 3]
    result = mardia(x, samples=["full", "flat"])
    assert result.skewness_pvalue.tolist() == result.kurtosis_pvalue.tolist() == [1, 1]
    assert result.kurtosis[0] == pytest.approx(9.0)  # (n - 1)^2 whatever the data
    assert result.caveats == (
        "No measure varies: there is nothing to judge, p = 1 ('flat').",
        "4 rows in 3 direction(s) say nothing about their distribution: p = 1 ('full').",
        "4 rows: the approximations of Mardia's tests are rough below 20 and their power is small.",
    )


def test_mardia_refuses():
    with pytest.raises(InputError) as error:
        mardia(np.zeros((3, 2)))
    assert str(error.value) == ("x has 3 row(s), fewer than 4. Use more folds or repetitions.")
    with pytest.raises(InputError, match=r"x has shape \(5,\)"):
        mardia(np.zeros(5))
    with pytest.raises(InputError, match=r"x\[0, 1\] is nan"):
        mardia([[1, np.nan], [1, 2], [3, 4], [4, 5]])


# ---- sign flips


def t_squared(d):
    mean = d.mean(axis=0)
    return len(d) * mean @ np.linalg.solve(np.cov(d.T).reshape(len(mean), -1), mean)


def brute_force_flips(d):
    squared = t_squared(d)
    values = [t_squared(d * np.array(signs)[:, None]) for signs in product([1, -1], repeat=len(d))]
    return squared, np.mean(np.array(values) >= squared * (1 - 1e-9))


def test_sign_flips_equal_the_enumeration_of_every_covariance():
    x = np.random.default_rng(7).normal(size=(7, 3, 2)) + np.array([[0, 0], [0.5, 0], [1, 1]])
    result = permuted_pairs(x)
    assert (result.exact, result.n_permutations) == (True, 64)
    for k, (i, j) in enumerate(zip(result.a, result.b, strict=True)):
        results, p = brute_force_flips(x[:, i] - x[:, j])
        assert result.statistic[k] == pytest.approx(results, rel=1e-9)
        assert result.pvalue[k] == pytest.approx(p, abs=1e-12)


def test_the_statistic_is_that_of_hotelling():
    """pingouin 0.7.0, paired: T2 4.468456 (its docstring); the random p is near the one of F(3, 15), .306542."""
    result = permuted_pairs(drug_and_placebo())
    assert result.statistic[0] == pytest.approx(4.468456, abs=5e-7)
    assert (result.exact, result.n_permutations) == (False, 9999)
    assert result.pvalue[0] == pytest.approx(0.3065, abs=0.03)


def test_random_flips_come_near_the_exact_p():
    x = np.random.default_rng(8).normal(size=(15, 2, 2)) + np.array([[0, 0], [0.6, 0.2]])
    d = x[:, 0] - x[:, 1]
    signs = 1.0 - 2.0 * ((np.arange(2**15)[:, None] >> np.arange(15)) & 1)
    sums = signs @ d
    q = np.einsum("ij,jk,ik->i", sums, np.linalg.inv(d.T @ d), sums)
    exact = (q >= q[0] * (1 - 1e-9)).mean()
    result = permuted_pairs(x, n_permutations=4999)
    assert result.pvalue[0] == pytest.approx(exact, abs=4 * np.sqrt(exact / 5000))
    assert permuted_pairs(x, n_permutations=4999).pvalue[0] == result.pvalue[0]
    assert permuted_pairs(x, n_permutations=99, rng=5).pvalue[0] * 100 == pytest.approx(
        round(permuted_pairs(x, n_permutations=99, rng=5).pvalue[0] * 100)
    )


def test_one_measure_is_the_permutation_test_of_the_paired_t():
    x = np.random.default_rng(9).normal(size=(8, 2, 1)) + np.array([[0], [0.8]])
    expected = stats.permutation_test(
        (x[:, 0, 0], x[:, 1, 0]), lambda a, b: abs(np.mean(a - b)), permutation_type="samples", alternative="greater"
    ).pvalue
    result = permuted_pairs(x)
    assert result.pvalue[0] == pytest.approx(expected, abs=1e-12)
    t = stats.ttest_rel(x[:, 0, 0], x[:, 1, 0]).statistic
    assert result.statistic[0] == pytest.approx(t**2, rel=1e-10)


@few
@given(seeds)
def test_sign_flips_are_affine_invariant_and_know_no_order(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(8, 3, 2))
    matrix, shift = random_affine(rng, 2)
    one, two = permuted_pairs(x), permuted_pairs((x @ matrix + shift)[rng.permutation(8)])
    assert two.statistic == pytest.approx(one.statistic, rel=1e-6)
    assert two.pvalue.tolist() == one.pvalue.tolist()
    swapped = permuted_pairs(x[:, ::-1])
    assert sorted(swapped.pvalue) == sorted(one.pvalue)


def test_size_of_the_sign_flips_with_heavy_tails():
    """t with 2 df, 600 independent pairs of 8 folds: alpha is kept at the levels that are multiples of 1/128."""
    d = np.random.default_rng(11).standard_t(2, size=(8, 600, 2))
    level = 6 / 128
    pairs = np.stack([d, np.zeros_like(d)], axis=2).reshape(8, 1200, 2)
    p = np.concatenate([permuted_pairs(pairs[:, i : i + 2]).pvalue for i in range(0, 1200, 2)])
    assert (p <= level + 1e-12).mean() == pytest.approx(level, abs=0.026)


def test_pairs_with_dependent_measures_use_their_directions():
    x = np.random.default_rng(12).normal(size=(9, 2, 2))
    more = np.concatenate([x, 1 - x[:, :, :1], np.full((9, 2, 1), 3.0)], axis=2)
    one, two = permuted_pairs(x), permuted_pairs(more)
    assert two.statistic == pytest.approx(one.statistic, rel=1e-8)
    assert two.pvalue.tolist() == one.pvalue.tolist()
    assert two.caveats == (
        "1 of 1 pair(s) differ in fewer directions than 4 measures (some are constant or follow from others); those"
        " are compared.",
    )


def test_identical_constant_and_saturated_pairs():
    x = np.zeros((4, 3, 2))
    x[:, 1] = [1.0, 2.0]
    x[:, 2] = np.random.default_rng(13).normal(size=(4, 2))
    x[:, 0] = x[:, 2]
    result = permuted_pairs(x, adjust="none")  # pairs 01, 02, 12
    assert (result.statistic[1], result.pvalue[1]) == (0.0, 1.0)
    same = permuted_pairs(np.tile([[[0.2, 0.1], [0.3, 0.3]]], (4, 1, 1)))
    assert (same.statistic[0], same.pvalue[0]) == (np.inf, 1 / 8)
    wide = permuted_pairs(np.random.default_rng(14).normal(size=(3, 2, 5)))
    assert wide.pvalue[0] == 1
    assert wide.caveats == (
        "1 of 1 pair(s) differ in 3 directions over 3 folds: every choice of signs gives the same statistic, so p = 1."
        " Use fewer measures or more folds.",
        "3 folds: no p-value can be less than 0.25.",
    )


def test_the_correction_over_the_pairs():
    x = np.random.default_rng(15).normal(size=(9, 3, 2)) + np.array([[0, 0], [0, 0], [2, 2]])
    p = permuted_pairs(x, adjust="none").pvalue
    assert permuted_pairs(x, adjust="bonferroni").adjusted == pytest.approx(np.minimum(1, 3 * p))
    result = permuted_pairs(x, algorithms=["a", "b", "c"])
    assert (
        result.title() == "Sign-flip test of T2 on differences with Holm's correction, all 256 counted out: 3 pair(s)"
    )
    assert [(row["a"], row["b"]) for row in result.rows()] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result.mean_difference == pytest.approx(x.mean(axis=0)[[0, 0, 1]] - x.mean(axis=0)[[1, 2, 2]])


def test_a_permutation_test_refuses():
    with pytest.raises(OptionError) as error:
        permuted_pairs(np.zeros((5, 2, 2)), n_permutations=0)
    assert str(error.value) == ("n_permutations is 0, not a whole number of at least 1. Use n_permutations=9999.")
    with pytest.raises(InputError) as error:
        permuted_manova(np.zeros((5, 2)))
    assert str(error.value) == (
        "measures has shape (5, 2). Pass two folds or more of two algorithms or more, of shape (folds,"
        " algorithms, measures); measures[:, :, None] for a single measure."
    )
    with pytest.raises(InputError, match=r"measures\[0, 1, 0\] is nan"):
        permuted_manova([[[1.0], [np.nan]], [[1.0], [2.0]]])


# ---- permutations within folds


def pillai(x):
    centred = x - x.mean(axis=1, keepdims=True)
    flat = centred.reshape(-1, x.shape[2])
    means = centred.mean(axis=0)
    return np.trace(len(x) * means.T @ means @ np.linalg.inv(flat.T @ flat))


def test_permuted_manova_equals_the_enumeration():
    x = np.random.default_rng(16).normal(size=(3, 3, 2)) + np.array([[0, 0], [0, 0], [1, 2]])
    result = permuted_manova(x)
    orders = [list(order) for order in permutations(range(3))]
    values = [pillai(np.stack([x[k, o] for k, o in enumerate(item)])) for item in product(orders, repeat=3)]
    assert result.statistic == pytest.approx(pillai(x), rel=1e-9)
    assert result.pvalue == pytest.approx(np.mean(np.array(values) >= pillai(x) - 1e-9), abs=1e-12)
    assert (result.exact, result.n_permutations) == (True, 36)


def test_two_algorithms_are_the_sign_flip_test():
    x = np.random.default_rng(17).normal(size=(9, 2, 3)) + np.array([[0, 0, 0], [1, 0, 1]])
    assert permuted_manova(x).pvalue == pytest.approx(permuted_pairs(x).pvalue[0], abs=1e-12)


@few
@given(seeds)
def test_permuted_manova_is_affine_invariant(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(4, 3, 2))
    matrix, shift = random_affine(rng, 2)
    one, two = permuted_manova(x), permuted_manova((x @ matrix + shift)[:, rng.permutation(3)])
    assert two.statistic == pytest.approx(one.statistic, rel=1e-6)
    assert two.pvalue == pytest.approx(one.pvalue, abs=1e-12)


def test_size_of_permuted_manova_with_heavy_tails():
    rng = np.random.default_rng(18)
    p = np.array(
        [permuted_manova(rng.standard_t(2, size=(8, 3, 2)), n_permutations=199, rng=i).pvalue for i in range(400)]
    )
    assert (p <= 0.05).mean() == pytest.approx(0.05, abs=0.032)


def test_degenerate_groups():
    same = permuted_manova(np.tile(np.arange(4.0)[:, None, None], (1, 3, 2)))
    assert (same.statistic, same.pvalue, same.rank) == (0.0, 1.0, 0)
    assert same.caveats == ("All algorithms are identical in every fold: p = 1.",)
    full = permuted_manova(np.random.default_rng(19).normal(size=(2, 2, 4)))
    assert full.pvalue == 1
    assert full.caveats[0] == (
        "2 folds and 2 algorithms leave room for 2 directions and the measures fill them: every order gives the same"
        " statistic. Use fewer measures or more folds."
    )
    x = np.random.default_rng(20).normal(size=(10, 3, 2))
    more = np.concatenate([x, x.sum(axis=2, keepdims=True)], axis=2)
    assert permuted_manova(more).statistic == pytest.approx(permuted_manova(x).statistic, rel=1e-8)
    assert permuted_manova(more).rank == 2
    assert permuted_manova(more, measure_names=["a", "b", "c"]).rows()[0].keys() == {"algorithm", "a", "b", "c"}


# ---- one measure at a time


def test_each_measure_equals_the_univariate_tests():
    x = np.random.default_rng(25).normal(size=(10, 4, 3)) + np.arange(4)[:, None] * [0, 0.3, 1]
    blocked, plain = anova_per_measure(x), anova_per_measure(x, blocked=False)
    for j in range(3):
        one = rm_anova(x[:, :, j])
        assert blocked.statistic[j] == pytest.approx(one.statistic, rel=1e-10)
        assert blocked.pvalue[j] == pytest.approx(one.pvalue, rel=1e-10)
        expected = stats.f_oneway(*x[:, :, j].T)
        assert (plain.statistic[j], plain.pvalue[j]) == pytest.approx(tuple(expected), rel=1e-9)
        t = stats.ttest_rel(x[:, 0, j], x[:, 3, j])
        assert (blocked.pair_statistic[j, 2], blocked.pair_pvalue[j, 2]) == pytest.approx((t.statistic, t.pvalue))
    assert blocked.adjusted == pytest.approx(stats_holm(blocked.pvalue))
    assert blocked.pair_adjusted[1] == pytest.approx(stats_holm(blocked.pair_pvalue[1]))
    assert (blocked.df[0].tolist(), plain.df[0].tolist()) == ([3, 27], [3, 36])


def stats_holm(p):
    order = np.argsort(p)
    steps = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return steps[np.argsort(order)]


def test_the_overlap_correction():
    x = np.random.default_rng(26).normal(size=(10, 3, 2)) * [[1], [1], [5]]
    result, plain = anova_per_measure(x, pair_test="corrected-t", test_share=0.1), anova_per_measure(x)
    assert result.statistic == pytest.approx(plain.statistic / (1 + 10 / 9)) and (result.df == plain.df).all()
    assert result.pair_statistic == pytest.approx(plain.pair_statistic / np.sqrt(1 + 10 / 9))


def test_order_and_decisions():
    x = np.random.default_rng(27).normal(size=(10, 3, 2)) * 0.01 + np.array([[0.9, 0.1], [0.8, 0.3], [0.7, 0.2]])
    names = {"algorithms": ["a", "b", "c"], "measure_names": ["tpr", "fpr"]}
    result = anova_per_measure(x, higher_is_better=[True, False], **names)
    assert [row["order"] for row in result.rows()] == ["a, b, c", "a, c, b"]
    assert result.rejected_pairs().all()
    noise = np.random.default_rng(28).normal(size=(10, 3, 2))
    free = anova_per_measure(noise, pair_adjust="none")
    assert free.rejected_pairs().sum() <= (free.pair_adjusted <= 0.05).sum()


def test_per_measure_degenerate():
    x = np.random.default_rng(29).normal(size=(5, 3, 1))
    flat, steps = np.full((5, 3, 1), 0.1), np.tile(np.array([0.1, 0.2, 0.3])[:, None], (5, 1, 1))
    for blocked in (True, False):
        result = anova_per_measure(np.concatenate([x, flat, steps], axis=2), blocked=blocked)
        assert (result.statistic[1], result.pvalue[1]) == (0, 1)
        assert (result.statistic[2], result.pvalue[2]) == (np.inf, TINY)
        assert result.caveats[0] == (
            "measure 3: the algorithms differ by constants alone; F is infinite and p is the smallest number written."
        )


def test_size_of_the_protected_family():
    rng = np.random.default_rng(30)
    any_rejected = [(anova_per_measure(rng.normal(size=(10, 3, 2))).adjusted <= 0.05).any() for _ in range(400)]
    assert np.mean(any_rejected) == pytest.approx(0.05, abs=0.032)


def test_per_measure_refuses():
    x = np.zeros((5, 3, 2))
    with pytest.raises(OptionError, match=r"higher_is_better has 3 value\(s\) for 2 measure\(s\)"):
        anova_per_measure(x, higher_is_better=[True, False, True])
    with pytest.raises(OptionError, match="test_share"):
        anova_per_measure(x, pair_test="corrected-t")


# ---- many data sets


def test_the_combination_equals_scipys():
    p = np.random.default_rng(31).uniform(size=(7, 5)) ** 2
    result = combine_datasets(p)
    expected = [stats.combine_pvalues(column, method="fisher") for column in p.T]
    assert result.pvalue == pytest.approx([one.pvalue for one in expected], rel=1e-9)
    assert result.statistic == pytest.approx([one.statistic for one in expected], rel=1e-9)
    assert result.adjusted == pytest.approx(stats_holm(result.pvalue))
    assert np.exp(result.log_pvalue) == pytest.approx(result.pvalue)


def test_extreme_p_values_keep_their_logarithm():
    result = combine_datasets(np.full((30, 1), 1e-200))
    assert result.pvalue[0] == TINY
    x = 30 * 200 * np.log(10)  # exp(-x) x^29/29! (1 + 29/x + ...): the leading terms of the Poisson sum
    lead = -x + 29 * np.log(x) - sum(np.log(np.arange(1, 30)))
    assert result.log_pvalue[0] == pytest.approx(lead + np.log1p(29 / x), rel=1e-6)
    near = combine_datasets([[1 - 1e-12], [1 - 1e-12]])
    assert 0.999 < near.pvalue[0] <= 1


def test_one_data_set_stays_as_it_is():
    p = np.array([[0.02, 0.5, 1e-12, 1.0]])
    assert combine_datasets(p).pvalue == pytest.approx(p[0], rel=1e-9)
    named = combine_datasets(p[:, :3], adjust="none", pairs=["ab", "ac", "bc"])
    assert [row["pair"] for row in named.rows()] == [
        "ab",
        "ac",
        "bc",
    ] and named.adjusted.tolist() == named.pvalue.tolist()


@few
@given(seeds)
def test_the_order_of_data_sets_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=(6, 3))
    one, two = combine_datasets(p), combine_datasets(p[rng.permutation(6)])
    assert two.pvalue == pytest.approx(one.pvalue, rel=1e-10)


def test_size_of_the_combination():
    p = np.random.default_rng(32).uniform(size=(10, 4000))
    assert (combine_datasets(p, adjust="none").pvalue <= 0.05).mean() == pytest.approx(0.05, abs=0.012)


def test_zeros_and_ones_stay_finite():
    result = combine_datasets([[0.0, 1.0], [0.5, 1e-9]])
    assert result.pvalue[1] < 1e-6 and 0 < result.pvalue[0] < 1e-290


def test_combining_refuses():
    with pytest.raises(InputError) as error:
        combine_datasets([[0.1, np.nan]])
    assert str(error.value) == ("pvalues[0, 1] is nan. Pass p-values between 0 and 1, not statistics.")
    with pytest.raises(InputError, match=r"pvalues has shape \(2,\)"):
        combine_datasets([0.1, 0.2])
