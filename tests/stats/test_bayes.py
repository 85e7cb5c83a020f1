"""Bayesian sign, signed-rank and correlated t comparisons."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp
from scipy import integrate, stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import (
    bayesian_correlated_t,
    bayesian_correlated_t_pairs,
    bayesian_sign,
    bayesian_sign_pairs,
    bayesian_signed_rank,
    bayesian_signed_rank_pairs,
)

PUBLISHED = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("benavoli.py"))))
ZERO = np.zeros(100)
TABLE = hnp.arrays(np.float64, (9, 4), elements=st.integers(-6, 6).map(lambda k: k / 4))


def outcome(result) -> np.ndarray:
    return np.stack([result.a_better, result.equivalent, result.b_better], axis=-1)


def brute_force_shares(z, rope, prior, weights):
    """Walsh averages of all pairs, one sample at a time."""
    z = np.append(z, 0.0)
    sums = z[:, None] + z[None, :]
    above = (sums > 2 * rope) + 0.5 * (sums == 2 * rope)
    below = (sums < -2 * rope) + 0.5 * (sums == -2 * rope)
    low = np.einsum("ni,ij,nj->n", weights, below, weights)
    high = np.einsum("ni,ij,nj->n", weights, above, weights)
    return np.stack([low, 1 - low - high, high], axis=1)


# Benavoli et al. (2017): naive Bayes against J48 on 54 data sets, rope 1 percent. Values of baycomp's README
# (two_on_multiple(nbc, j48, rope=1), SignTest.probs(nbc, j48, rope=1): 50,000 samples, not seeded), and of a run of
# baycomp from PyPI with 200,000 samples and seed 0.
def test_sign_equals_baycomp_on_54_data_sets():
    result = outcome(bayesian_sign(PUBLISHED.NBC, PUBLISHED.J48, rope=1, higher_is_better=True))[0]
    assert result == pytest.approx([0.26508, 0.13274, 0.60218], abs=4 * 0.0022)  # 50,000 samples
    assert result == pytest.approx([0.263695, 0.133215, 0.60309], abs=4 * 0.0011)  # 200,000 samples


def test_signed_rank_equals_baycomp_on_54_data_sets():
    result = bayesian_signed_rank(PUBLISHED.NBC, PUBLISHED.J48, rope=1, higher_is_better=True, n_samples=200_000, rng=3)
    error = np.sqrt(2) * result.standard_error[0]
    assert (np.abs(outcome(result)[0] - [0.231405, 0.00702, 0.761575]) < 4 * error).all()
    assert (np.abs(outcome(result)[0] - [0.23124, 0.00666, 0.7621]) < 8 * error).all()


# A run of baycomp from PyPI, two_on_single(nbc, aode, rope=1, runs=10) on anneal and audiology; scmamp's example
# with rho = 0.1 and rope 0.01, computed from the formula of the posterior
@pytest.mark.parametrize(
    ("folds", "rope", "expected"),
    [
        ("ANNEAL", 1, [3.0211e-07, 0.0457140, 0.9542857]),
        ("AUDIOLOGY", 1, [0.0093121, 0.9087251, 0.0819627]),
        ("KCV_DB1", 0.01, [0.1937734, 0.8023543, 0.003872363]),
        ("KCV_DB2", 0.01, [0.02398662, 0.9609449, 0.01506849]),
    ],
)
def test_correlated_t_equals_published_values(folds, rope, expected):
    differences = getattr(PUBLISHED, folds)
    result = bayesian_correlated_t(ZERO, differences, rope=rope, runs=10, higher_is_better=True)
    assert outcome(result)[0, 0] == pytest.approx(expected, rel=1e-5)
    assert result.rho == 0.1


# scmamp, correlated t test of AlgC and AlgD, rho = 0.1: t and df
@pytest.mark.parametrize(("folds", "t"), [("KCV_DB1", -0.9252844), ("KCV_DB2", -0.09875581)])
def test_the_posterior_holds_the_corrected_t_statistic(folds, t):
    result = bayesian_correlated_t(ZERO, getattr(PUBLISHED, folds), runs=10, higher_is_better=True)
    assert result.mean[0, 0] / result.scale[0, 0] == pytest.approx(t, rel=1e-6)
    assert result.df == 99


@pytest.mark.parametrize("alpha", [(3, 2, 4), (0, 1, 6), (0.5, 30, 31), (0, 0, 3), (1, 0, 1), (400, 1.5, 380)])
def test_the_largest_share_equals_adaptive_quadrature(alpha):
    from tiebreak.stats.bayes.over_datasets import largest_share

    result = largest_share(np.array([alpha], dtype=float))[0]
    for r, current in enumerate(alpha):
        others = [stats.gamma(a).cdf if a else np.ones_like for k, a in enumerate(alpha) if k != r]
        if not current:
            assert result[r] == 0
            continue
        density = stats.gamma(current).pdf
        inner = stats.gamma(max(alpha)).mean() or 1.0
        value, _ = integrate.quad(
            lambda x, d=density, o=others: d(x) * o[0](x) * o[1](x), 0, 20 + 3 * max(alpha), points=[inner], limit=400
        )
        assert result[r] == pytest.approx(value, abs=1e-8)
    assert result.sum() == pytest.approx(1, abs=1e-14)


def test_sign_equals_brute_force_sampling():
    scores = np.random.default_rng(1).normal(size=(12, 2))
    result = bayesian_sign_pairs(scores, rope=0.3)
    difference = scores[:, 1] - scores[:, 0]  # positive where the first has the lower error
    counts = [(difference > 0.3).sum(), (np.abs(difference) <= 0.3).sum() + 1, (difference < -0.3).sum()]
    drawn = np.random.default_rng(2).dirichlet(counts, 100_000)
    winners = np.bincount(drawn.argmax(axis=1), minlength=3) / 100_000
    assert outcome(result)[0] == pytest.approx(winners, abs=0.007)


@pytest.mark.parametrize("rope", [0.0, 0.25, 0.3])
def test_signed_rank_shares_equal_the_quadratic_form(rope):
    from tiebreak.stats.bayes.over_datasets import _three, _weights, signed_rank_shares, staircase

    z = np.array([0.5, -0.25, 0.25, 1.0, 0.0, 0.75, -0.5])
    ordered = np.sort(z)
    weights, prefix, pseudo = _weights(7, 50, 0.5, np.random.default_rng(5))
    lower, upper = (staircase(ordered, limit, 0.0, 2e-15) for limit in (-2 * rope, 2 * rope))
    shares = _three(lower, upper, weights, prefix, pseudo, split=rope == 0.0).T
    expected = brute_force_shares(ordered, rope, 0.5, np.vstack([weights, pseudo]).T)
    assert shares == pytest.approx(expected, abs=1e-12)
    options = {"rope": rope, "prior": 0.5, "place": 0.0, "n_samples": 50, "rng": np.random.default_rng(5)}
    counts = signed_rank_shares(z[None], np.array([1e-15]), **options)
    assert counts[0].tolist() == np.bincount(expected.argmax(axis=1), minlength=3).tolist()


def test_signed_rank_equals_brute_force_sampling():
    z = np.random.default_rng(2).normal(0.3, 1, size=15)
    weights = np.random.default_rng(3).dirichlet([*np.ones(15), 0.5], 20_000)
    winners = np.bincount(brute_force_shares(z, 0.2, 0.5, weights).argmax(axis=1), minlength=3) / 20_000
    result = outcome(bayesian_signed_rank(np.zeros(15), z, rope=0.2, higher_is_better=True))[0]
    assert result == pytest.approx(winners, abs=0.016)


@pytest.mark.parametrize("function", [bayesian_sign_pairs, bayesian_signed_rank_pairs])
@settings(derandomize=True, deadline=None, max_examples=15)
@given(scores=TABLE, seed=st.integers(0, 2**31))
def test_exactly_the_same_for_any_order_and_any_batch(function, scores, seed):
    shuffle = np.random.default_rng(seed)
    drawn = {"n_samples": 300, "rng": 7} if function is bayesian_signed_rank_pairs else {}
    options = {"rope": 0.25, **drawn}
    whole = function(scores, **options)
    assert np.array_equal(outcome(function(scores[shuffle.permutation(9)], **options)), outcome(whole))
    alone = function(scores[:, [1, 3]], **options)
    among = outcome(whole)[[k for k in range(6) if (whole.a[k], whole.b[k]) == (1, 3)]]
    assert np.array_equal(outcome(alone), among)
    swapped = function(scores[:, [3, 1]], **options)
    assert np.array_equal(outcome(swapped), among[:, ::-1])
    assert np.array_equal(outcome(function(-scores, higher_is_better=True, **options)), outcome(whole))


@settings(derandomize=True, deadline=None, max_examples=15)
@given(scores=TABLE)
def test_correlated_t_is_antisymmetric_and_sums_to_one(scores):
    whole = outcome(bayesian_correlated_t_pairs(scores, rope=0.25))
    assert whole.sum(axis=-1) == pytest.approx(np.ones(whole.shape[:2]), abs=1e-12)
    flipped = outcome(bayesian_correlated_t_pairs(scores, rope=0.25, higher_is_better=True))
    assert flipped == pytest.approx(whole[..., ::-1], abs=1e-12)


def test_correlated_t_of_many_data_sets_equals_one_by_one():
    cube = np.random.default_rng(4).normal(size=(5, 10, 3))
    whole = bayesian_correlated_t_pairs(cube, rope=0.2, datasets=list("abcde"))
    for s in range(5):
        assert outcome(whole)[s] == pytest.approx(outcome(bayesian_correlated_t_pairs(cube[s], rope=0.2))[0])
    t = stats.t(9, whole.mean[2, 1], whole.scale[2, 1])
    assert outcome(whole)[2, 1] == pytest.approx([t.cdf(-0.2), t.cdf(0.2) - t.cdf(-0.2), t.sf(0.2)], rel=1e-10)
    assert [row["dataset"] for row in whole.rows()][:4] == ["a", "a", "a", "b"]


def test_the_better_algorithm_is_named_for_both_directions():
    low, high = np.arange(8.0), np.arange(8.0) + 2
    for function in (bayesian_sign, bayesian_signed_rank, bayesian_correlated_t):
        assert np.ravel(function(low, high, rope=0.1).a_better)[0] > 0.95
        assert np.ravel(function(low, high, rope=0.1, higher_is_better=True).b_better)[0] > 0.95


def test_the_place_of_the_prior_bounds_the_result():
    z = np.random.default_rng(8).normal(0.2, 1, size=10)
    for function in (bayesian_sign, bayesian_signed_rank):
        names = [
            function(np.zeros(10), z, rope=0.1, prior=2.0, prior_at=place, higher_is_better=True).b_better[0]
            for place in ("a", "rope", "b")
        ]
        assert names[0] < names[2]
        assert names[0] <= names[1] <= names[2]


def test_a_difference_on_the_edge_is_not_decided_by_the_last_bit():
    a = np.array([0.84, 0.74, 0.64, 0.34])
    b = np.array([0.85, 0.75, 0.65, 0.35])  # 0.85 - 0.84 > 0.01 in binary
    result = bayesian_sign(a, b, rope=0.01, higher_is_better=True)
    assert result.equivalent[0] == 1
    assert bayesian_signed_rank(a, b, rope=0.01, higher_is_better=True, prior=0.0, n_samples=20).a_better[0] == 0


@pytest.mark.parametrize(("rope", "expected"), [(0.1, [0, 1, 0]), (0.0, [0.5, 0, 0.5])])
def test_identical_algorithms(rope, expected):
    scores = np.array([0.2, 0.3, 0.1, 0.5, 0.4, 0.6])
    ranked = bayesian_signed_rank(scores, scores, rope=rope)
    assert outcome(ranked)[0].tolist() == expected
    assert ranked.caveats == ("'algorithm 1' and 'algorithm 2' have the same score on every data set.",)
    assert outcome(bayesian_correlated_t(scores, scores, rope=rope))[0, 0].tolist() == expected
    assert outcome(bayesian_sign(scores, scores, rope=rope))[0].tolist() == [0, 1, 0]


def test_zero_variance_is_a_point():
    scores = np.array([0.25, 0.5, 0.75])
    for shift, expected in ((0.5, [0, 0, 1]), (0.25, [0, 0.5, 0.5]), (0.125, [0, 1, 0]), (-0.5, [1, 0, 0])):
        result = bayesian_correlated_t(scores, scores + shift, rope=0.25, higher_is_better=True)
        assert outcome(result)[0, 0].tolist() == expected
        assert result.caveats == ("1 comparison(s) with the same difference on every fold: the posterior is a point.",)


def test_few_data_sets_have_a_caveat():
    assert bayesian_sign([1, 2], [2, 3]).caveats == (
        "2 data sets: the prior, worth 1 data set(s), has much to say in the result.",
    )


def test_the_standard_error_is_the_spread_between_seeds_and_never_zero():
    z = np.random.default_rng(11).normal(0.2, 1, size=(12, 2))
    runs = [bayesian_signed_rank_pairs(z, rope=0.1, n_samples=500, rng=seed) for seed in range(60)]
    spread = np.std([run.a_better[0] for run in runs])
    assert spread == pytest.approx(np.mean([run.standard_error[0, 0] for run in runs]), rel=0.3)
    certain = bayesian_signed_rank(np.zeros(20), np.ones(20), rope=0.1)
    assert certain.a_better[0] == 1
    assert certain.standard_error.min() > 0


def test_a_generator_and_control_are_accepted_and_results_are_frozen():
    scores = np.random.default_rng(0).normal(size=(10, 4))
    first = bayesian_signed_rank_pairs(scores, control=2, rng=np.random.default_rng(5), n_samples=100)
    again = bayesian_signed_rank_pairs(scores, control=2, rng=5, n_samples=100)
    assert np.array_equal(outcome(first), outcome(again))
    assert first.a.tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="read-only"):
        first.a_better[0] = 0
    assert len(first.rows()) == 3
    assert "prior strength 0.5 at rope" in str(first)
    assert "<table>" in first._repr_html_()


def full(error: pytest.ExceptionInfo) -> str:
    return str(error.value)


def test_error_texts():
    scores = np.ones((4, 3))
    with pytest.raises(OptionError) as error:
        bayesian_sign_pairs(scores, rope=-1)
    assert full(error) == (
        "rope is -1. It must be at least 0 and finite. Use rope=0.01 for accuracies between 0 and 1, or rope=0."
    )
    with pytest.raises(OptionError) as error:
        bayesian_signed_rank_pairs(scores, prior=-0.5)
    assert full(error) == ("prior is -0.5. It must be at least 0 and finite. Use prior=0.5.")
    with pytest.raises(OptionError) as error:
        bayesian_signed_rank_pairs(scores, n_samples=0)
    assert full(error) == ("n_samples is 0, not a whole number of at least 1. Use n_samples=50000.")
    with pytest.raises(OptionError) as error:
        bayesian_signed_rank_pairs(scores, control=3)
    assert full(error) == "There is no control column '3'. Known here: '0', '1', '2'."
    with pytest.raises(OptionError) as error:
        bayesian_sign_pairs(scores, prior_at="left")
    assert full(error) == "There is no prior_at 'left'. Known here: 'a', 'rope', 'b'."
    with pytest.raises(InputError) as error:
        bayesian_sign([1, 2], [1, 2, 3])
    assert full(error) == ("a has shape (2,) and b has shape (3,). Pass two vectors of the same length.")


def test_error_texts_of_correlated_t():
    with pytest.raises(OptionError) as error:
        bayesian_correlated_t(ZERO, ZERO, runs=7)
    assert full(error) == (
        "runs is 7 for 100 fold scores. Use runs=10 for ten times ten-fold cross-validation, or pass rho."
    )
    with pytest.raises(OptionError) as error:
        bayesian_correlated_t(ZERO, ZERO, rho=1.0)
    assert full(error) == ("rho is 1.0. It must be at least 0 and below 1. Use rho=0.1 for ten-fold cross-validation.")
    with pytest.raises(InputError) as error:
        bayesian_correlated_t_pairs(np.ones(4))
    assert full(error) == (
        "scores has shape (4,). Pass an array of shape (folds, algorithms) or (data sets, folds, algorithms)."
    )
    with pytest.raises(InputError, match=r"scores\[0, 1, 1\] is nan"):
        bayesian_correlated_t_pairs([[1, 2], [2, np.nan]])
