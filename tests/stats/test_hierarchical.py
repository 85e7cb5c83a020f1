"""The hierarchical correlated t model, simulated without a compiler."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special, stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import bayesian_hierarchical, bayesian_hierarchical_pairs

PUBLISHED = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("benavoli.py"))))


def outcome(result) -> np.ndarray:
    return np.stack([result.a_better, result.equivalent, result.b_better], axis=-1)


def folds_with(means, spreads, count):
    """Fold differences with exactly these means and standard deviations."""
    pattern = np.tile([1.0, -1.0], count // 2) * np.sqrt((count - 1) / count)
    return means[:, None] + spreads[:, None] * pattern


# Benavoli et al. (2017), notebook "Hierarchical test" of BayesianTestsML/tutorial: naive Bayes against HNB on 54 data
# sets, rope 0.01, rho 0.1, by Stan: 0.998 HNB better, 0.002 rope, 0.0 NBC better (0.9965 and 0.002 in another run)
def test_naive_bayes_against_hnb_on_54_data_sets():
    differences = folds_with(PUBLISHED.HNB_MINUS_NBC_MEAN, PUBLISHED.HNB_MINUS_NBC_SD, 100)
    result = bayesian_hierarchical(np.zeros((54, 100)), differences, rope=1, runs=10, higher_is_better=True)
    assert outcome(result)[0] == pytest.approx([0.0, 0.002, 0.998], abs=0.004)
    assert result.r_hat[0] < 1.05
    assert result.rho == 0.1


def posterior_by_grid(differences, rho, rope, step=0.04):
    """Integrate the model on a grid of (d_0, s_0, nu); each d_i by quadrature, each s_i in closed form."""
    n = differences.shape[1]
    unit = differences.std(axis=1, ddof=1).mean()
    x, rope = differences / unit, rope / unit
    means, squares = x.mean(axis=1), ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    places = np.arange(-300, 301)
    quadratic = squares[:, None] / (1 - rho) + n * (means[:, None] - places * step) ** 2 / (1 + (n - 1) * rho)
    likelihood = (quadratic / quadratic.min(axis=1, keepdims=True)) ** (-(n - 1) / 2)  # s_i integrated out, flat
    middle = np.arange(int(np.abs(x).max() / step) + 1)
    middle = np.concatenate([-middle[:0:-1], middle])
    apart = places[None, :] - middle[:, None]
    table = np.arange(apart.min(), apart.max() + 1) * step
    centre, log_scale, log_nu = middle * step, np.linspace(np.log(0.002), np.log(50), 120), np.linspace(-8, 6.5, 12)
    shape, rate = np.meshgrid(np.linspace(1, 2, 21), np.linspace(0.01, 0.1, 21))
    prior = np.array([stats.gamma.pdf(np.exp(v), shape, scale=1 / rate).mean() * np.exp(v) for v in log_nu])
    weight, areas = np.empty((len(centre), 120, 12)), np.empty((3, len(centre), 120, 12))
    for j, s in enumerate(np.exp(log_scale)):
        for k, nu in enumerate(1 + np.exp(log_nu)):
            mass = special.stdtr(nu, (table + step / 2) / s) - special.stdtr(nu, (table - step / 2) / s)
            weight[:, j, k] = (mass[apart - apart.min()] @ likelihood.T).prod(axis=1) * s * prior[k]
            below, above = special.stdtr(nu, (-rope - centre) / s), special.stdtr(nu, (centre - rope) / s)
            areas[:, :, j, k] = below, 1 - below - above, above
    weight /= weight.sum()
    winners = areas.argmax(axis=0)
    return (areas * weight).sum(axis=(1, 2, 3)), np.array([weight[winners == r].sum() for r in range(3)])


def test_equals_integration_on_a_grid():
    rng = np.random.default_rng(6)
    differences = rng.normal([[0.9], [0.2], [1.3], [0.5], [0.8], [-0.1]], 1.0, size=(6, 10))
    mean_areas, probabilities = posterior_by_grid(differences, 0.1, 0.3)
    result = bayesian_hierarchical_pairs(
        np.stack([np.zeros_like(differences), differences], axis=2),
        rope=0.3,
        higher_is_better=True,
        chains=100,
        draws=300,
        keep_samples=True,
        rng=1,
    )
    assert result.samples[0].mean(axis=0) == pytest.approx(mean_areas, abs=0.006)
    assert outcome(result)[0] == pytest.approx(probabilities, abs=0.012)


def example(seed=3):
    return np.random.default_rng(seed).normal([0.2, 0.21, 0.25], 0.02, size=(8, 10, 3))


FAST = {"chains": 8, "warmup": 60, "draws": 40}


def test_a_pair_does_not_depend_on_the_others_and_seeds_reproduce():
    whole = bayesian_hierarchical_pairs(example(), rope=0.01, **FAST)
    alone = bayesian_hierarchical(example()[..., 0], example()[..., 2], rope=0.01, **FAST)
    assert np.array_equal(outcome(whole)[1], outcome(alone)[0])
    other = bayesian_hierarchical_pairs(example(), rope=0.01, rng=np.random.default_rng(0), **FAST)
    assert np.array_equal(outcome(whole), outcome(other))
    against = bayesian_hierarchical_pairs(example(), rope=0.01, control=2, **FAST)
    assert against.b.tolist() == [0, 1]
    assert outcome(whole).sum(axis=1) == pytest.approx(np.ones(3))


def test_the_better_algorithm_is_named_for_both_directions():
    low, high = example()[..., 0], example()[..., 0] + example()[..., 2]
    assert bayesian_hierarchical(low, high, rope=0.01, **FAST).a_better[0] > 0.95
    assert bayesian_hierarchical(low, high, rope=0.01, higher_is_better=True, **FAST).b_better[0] > 0.95


def test_estimates_are_drawn_towards_each_other():
    result = bayesian_hierarchical(example()[..., 0], example()[..., 1], chains=16)
    assert np.ptp(result.shrunken[0]) < np.ptp(result.observed[0])
    assert result.shrunken[0].mean() == pytest.approx(result.observed[0].mean(), abs=0.003)


def test_identical_algorithms_on_some_and_on_all_data_sets():
    a, b = example()[..., 0], example()[..., 1].copy()
    b[0] = a[0]
    result = bayesian_hierarchical(a, b, rope=0.01, **FAST)
    assert result.caveats[0] == (
        "'algorithm 1' and 'algorithm 2' differ by the same amount on every fold of 1 data set(s)."
    )
    with pytest.raises(InputError) as error:
        bayesian_hierarchical(a, a)
    assert str(error.value) == (
        "'algorithm 1' and 'algorithm 2' differ by the same amount on every fold of every data set."
        " The model needs the spread over folds. Compare the means with bayesian_signed_rank."
    )


def test_few_data_sets_and_short_chains_have_caveats():
    result = bayesian_hierarchical(example()[:3, :, 0], example()[:3, :, 1], chains=4, warmup=2, draws=3)
    assert result.caveats[0] == "3 data sets: the priors have much to say in the result."
    assert result.caveats[1].startswith("The chains do not yet agree (r_hat ")


def test_results_print_and_are_frozen():
    result = bayesian_hierarchical_pairs(example(), rope=0.01, algorithms=["x", "y", "z"], **FAST)
    assert str(result).startswith("Bayesian hierarchical correlated t test: 3 pair(s), 8 data sets, correlation 0.1")
    assert len(result.rows()) == 3
    assert result.samples is None
    with pytest.raises(ValueError, match="read-only"):
        result.centre[0] = 0


def test_error_texts():
    with pytest.raises(InputError) as error:
        bayesian_hierarchical(np.ones((3, 4)), np.ones((3, 5)))
    assert str(error.value) == (
        "a has shape (3, 4) and b has shape (3, 5). Both need one row per data set and one column per fold."
        " Pass two tables of the same shape."
    )
    with pytest.raises(InputError) as error:
        bayesian_hierarchical_pairs(example()[:1])
    assert str(error.value) == (
        "scores has 1 data set(s). The model estimates how differences vary between data sets."
        " Add data sets, or use bayesian_correlated_t on the one."
    )
    with pytest.raises(OptionError) as error:
        bayesian_hierarchical_pairs(example(), chains=1)
    assert str(error.value) == (
        "chains is 1. It counts something and must be a whole number of at least 2. Use chains=64."
    )
