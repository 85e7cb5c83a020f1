"""How many data sets are needed."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import integrate, special, stats

from tiebreak.errors import OptionError
from tiebreak.stats import (
    datasets_needed,
    detectable_effect,
    power_of_test,
)
from tiebreak.stats.effect.intervals import signed_rank_distribution
from tiebreak.stats.two.wilcoxon import rank_sums, tail_pvalues

from ..every import every


# Textbook sample sizes of the two-sided paired t test at alpha 0.05 and power 0.8 (Cohen's small, medium, large)
@pytest.mark.parametrize(("effect", "needed"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_paired_t_sample_sizes_of_the_textbooks(effect, needed):
    size = datasets_needed(effect, method="paired-t")
    assert size.n_datasets == needed
    assert size.power >= 0.8 > power_of_test(effect, n_datasets=needed - 1, method="paired-t")


@every("count", [2, 3, 10, 60])
@every("effect", [0.1, 0.7, 2.0, 30.0])
def test_paired_t_power_by_integration(count, effect):
    """Condition on the sample standard deviation: the power is an integral over a chi distribution."""
    limit = stats.t.isf(0.025, count - 1)

    def given_spread(s):
        reach = limit * s / np.sqrt(count - 1)
        seen = stats.norm.sf(reach - effect * np.sqrt(count)) + stats.norm.cdf(-reach - effect * np.sqrt(count))
        return seen * stats.chi.pdf(s, count - 1)

    expected, _ = integrate.quad(given_spread, 0, np.sqrt(count) + 9, epsabs=1e-11, limit=200)
    assert power_of_test(effect, n_datasets=count, method="paired-t") == pytest.approx(expected, abs=1e-8)


def test_paired_t_power_equals_the_noncentral_t_where_scipy_has_it():
    for count in (3, 8, 20, 200, 3000):
        for shift in (0.0, 0.5, 2.0, 4.0):
            limit = special.stdtrit(count - 1, 0.975)
            expected = 1 - special.nctdtr(count - 1, shift, limit) + special.nctdtr(count - 1, shift, -limit)
            power = power_of_test(shift / np.sqrt(count), n_datasets=count, method="paired-t")
            assert power == pytest.approx(expected, abs=1e-10)


def test_wilcoxon_power_agrees_with_simulation():
    """Exact test of scipy on 2000 simulated experiments; the efficiency formula is asymptotic."""
    z = np.random.default_rng(1).normal(0.5, 1, size=(2000, 35))
    share = (stats.wilcoxon(z, axis=1, method="exact").pvalue <= 0.05).mean()
    assert power_of_test(0.5, n_datasets=35) == pytest.approx(share, abs=0.03)


@every("alpha", [0.05, 0.01, 0.2])
@every(("count", "effects"), [(6, (0.5, 1.2, 2.5)), (8, (0.4, 1.0, 1.8)), (12, (0.3, 0.8, 1.2))])
def test_wilcoxon_power_on_few_data_sets_is_that_of_the_test(count, effects, alpha):
    """Our exact test on 8000 simulated experiments: standard error at most 0.0056."""
    z = np.random.default_rng(count).standard_normal((count, 8000))
    for effect in effects:
        sums = rank_sums((z + effect).T, zeros="split")
        p = tail_pvalues(sums, np.full(8000, True), alternative="two-sided")
        power = power_of_test(effect, n_datasets=count, alpha=alpha)
        assert power == pytest.approx((p <= alpha).mean(), abs=0.02)


@pytest.mark.parametrize("count", [6, 8, 12, 20])
def test_wilcoxon_power_without_an_effect_is_the_size_of_the_exact_test(count):
    below = np.cumsum(signed_rank_distribution(count))
    size = 2 * below[below <= 0.025].max()
    assert power_of_test(0.0, n_datasets=count) == pytest.approx(size, abs=0.002)


def test_too_few_data_sets_for_any_p_value_below_alpha():
    for count in (2, 4, 5):
        assert power_of_test(3.0, n_datasets=count) == 0.0
        assert detectable_effect(n_datasets=count) == np.inf
    assert power_of_test(9.0, n_datasets=30, alpha=1e-10) == 0.0
    assert [datasets_needed(effect).n_datasets for effect in (2.0, 50.0)] == [6, 6]
    assert datasets_needed(3.0, alpha=1e-10).n_datasets == 35


def test_wilcoxon_power_hardly_jumps_where_the_formula_takes_over():
    for effect in (0.3, 0.6, 0.9):
        low, high = (power_of_test(effect, n_datasets=n) for n in (20, 21))
        assert low < high + 0.005 and high - low < 0.03


def sign_power(effect: float, count: int, alpha: float) -> float:
    """Add up the binomial probabilities of all outcomes that the exact two-sided test rejects."""
    win = stats.norm.cdf(effect)
    total = 0.0
    for k in range(count + 1):
        tail = sum(comb(count, j) for j in range(min(k, count - k) + 1)) / 2**count
        if min(1.0, 2 * tail) <= alpha:
            total += comb(count, k) * win**k * (1 - win) ** (count - k)
    return total


@every("alpha", [0.05, 0.01, 0.2])
@every("count", [2, 5, 6, 17, 40])
def test_sign_power_by_enumeration(count, alpha):
    for effect in (0.0, 0.3, 1.5):
        power = power_of_test(effect, n_datasets=count, alpha=alpha, method="sign")
        assert power == pytest.approx(sign_power(effect, count, alpha), abs=1e-12)


def test_sign_sample_size_holds_from_there_on():
    needed = datasets_needed(0.5, method="sign").n_datasets
    powers = [sign_power(0.5, n, 0.05) for n in range(2, 150)]
    assert needed == max(n for n, p in zip(range(2, 150), powers, strict=True) if p < 0.8) + 1
    assert any(p >= 0.8 for n, p in zip(range(2, 150), powers, strict=True) if n < needed)  # the saw's teeth


@settings(derandomize=True, deadline=None, max_examples=30)
@given(
    effect=st.floats(0.15, 3.0),
    target=st.floats(0.3, 0.97),
    method=st.sampled_from(["wilcoxon", "paired-t", "sign"]),
)
def test_the_inverses_agree_and_the_sign_of_the_effect_does_not_matter(effect, target, method):
    size = datasets_needed(effect, power=target, method=method)
    assert datasets_needed(-effect, power=target, method=method).n_datasets == size.n_datasets
    if size.n_datasets > 2:
        assert power_of_test(effect, n_datasets=size.n_datasets - 1, method=method) < target
    assert power_of_test(effect, n_datasets=size.n_datasets, method=method) >= target
    least = detectable_effect(n_datasets=size.n_datasets, power=target, method=method)
    assert least <= effect * (1 + 1e-9)
    assert power_of_test(least, n_datasets=size.n_datasets, method=method) == pytest.approx(target, abs=1e-7)


def test_power_without_an_effect_is_at_most_alpha():
    assert power_of_test(0.0, n_datasets=12, method="paired-t") == pytest.approx(0.05)
    assert power_of_test(0.0, n_datasets=50) == pytest.approx(0.05)
    assert power_of_test(0.0, n_datasets=12, method="sign") <= 0.05


def test_no_effect_can_be_seen_by_the_sign_test_on_five_data_sets():
    assert power_of_test(9.0, n_datasets=5, method="sign") == 0
    assert detectable_effect(n_datasets=5, method="sign") == np.inf


def test_results_print():
    small = datasets_needed(2.0)
    assert small.rows()[0]["n_datasets"] == small.n_datasets


def test_error_texts():
    with pytest.raises(OptionError) as error:
        datasets_needed(0.0)
    assert str(error.value) == ("effect is 0.0. Ask for an effect that matters in practice, such as effect=0.3.")
    with pytest.raises(OptionError) as error:
        datasets_needed(0.5, power=0.01)
    assert str(error.value) == ("power is 0.01. It must be above 0.05 and below 1. Use power=0.8.")
    with pytest.raises(OptionError) as error:
        power_of_test(float("nan"), n_datasets=5)
    assert str(error.value) == ("effect is nan. It must be finite. Use effect=0.5 for a medium one.")
    with pytest.raises(OptionError) as error:
        datasets_needed(0.5, method="t")
    assert str(error.value) == "There is no method 't'. Known here: 'wilcoxon', 'paired-t', 'sign'."
