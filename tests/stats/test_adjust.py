"""Corrections for families of hypotheses: printed tables, the procedures themselves, and closed testing."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    finner,
    hochberg,
    holland,
    holm,
    hommel,
    li,
    rom,
    rom_critical_values,
    sidak,
)

from ..every import every

CHECKED = [holland, finner, li, rom, benjamini_hochberg, benjamini_yekutieli]
ALL = [bonferroni, sidak, holm, hochberg, hommel, *CHECKED]

# Derrac et al. (2011), Swarm and Evolutionary Computation 1, Table 16: DE-Exp against eight others.
DERRAC_RAW = [6e-06, 0.000332, 0.009823, 0.014171, 0.083642, 0.141093, 0.518605, 0.660706]
DERRAC = {
    bonferroni: [5e-05, 0.002656, 0.078586, 0.113371, 0.669139, 1, 1, 1],
    holm: [5e-05, 0.002324, 0.05894, 0.070857, 0.334569, 0.423278, 1, 1],
    hochberg: [5e-05, 0.002324, 0.05894, 0.070857, 0.334569, 0.423278, 0.660706, 0.660706],
    hommel: [5e-05, 0.002324, 0.049116, 0.070857, 0.282186, 0.423278, 0.660706, 0.660706],
    holland: [5e-05, 0.002322, 0.057511, 0.068877, 0.294885, 0.366366, 0.768259, 0.768259],
    finner: [5e-05, 0.001327, 0.025981, 0.028142, 0.130431, 0.183552, 0.566345, 0.660706],
    li: [1.8e-05, 0.000978, 0.028137, 0.040093, 0.197766, 0.293707, 0.604506, 0.660706],
}


@pytest.mark.parametrize("correction", DERRAC, ids=lambda f: f.__name__)
def test_derrac_2011_table_16(correction):
    # The raw values are printed to six decimals and multiplied by at most 8.
    np.testing.assert_allclose(correction(DERRAC_RAW), DERRAC[correction], rtol=0, atol=8 * 5e-7)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (holm, [0.05, 0.08, 0.09, 0.09, 0.09]),
        (hochberg, [0.05] * 5),
        (hommel, [0.05] * 5),
        (benjamini_hochberg, [0.05] * 5),
        (benjamini_yekutieli, [0.05 * 137 / 60] * 5),
        (bonferroni, [0.05, 0.1, 0.15, 0.2, 0.25]),
    ],
)
def test_values_of_r_p_adjust_worked_by_hand(correction, expected):
    np.testing.assert_allclose(correction([0.01, 0.02, 0.03, 0.04, 0.05]), expected, rtol=1e-14)


def closed(p, local):
    """Adjust by closed testing: the largest local p-value over the intersections that contain each."""
    out = np.zeros(p.size)
    for size in range(1, p.size + 1):
        for chosen in itertools.combinations(range(p.size), size):
            out[list(chosen)] = np.maximum(out[list(chosen)], local(p[list(chosen)]))
    return np.minimum(out, 1.0)


@pytest.mark.parametrize(
    ("correction", "local"),
    [
        (holm, lambda q: q.size * q.min()),
        (hommel, lambda q: (np.sort(q) * q.size / np.arange(1, q.size + 1)).min()),
        (holland, lambda q: 1 - (1 - q.min()) ** q.size),
    ],
    ids=["holm closes Bonferroni", "hommel closes Simes", "holland closes Sidak"],
)
def test_equals_closed_testing(correction, local):
    rng = np.random.default_rng(5)
    for size in [1, 2, 3, 4, 5, 6, 7, 8] * 4:
        p = rng.random(size) ** rng.integers(1, 4)
        if size > 4:
            p[1] = p[0]
        np.testing.assert_allclose(correction(p), closed(p, local), rtol=1e-11, atol=1e-14)


def step_up(p, critical):
    """Reject all up to the largest p_(i) that is at most critical[i]."""
    order = np.argsort(p, kind="stable")
    passed = np.flatnonzero(p[order] <= critical)
    rejected = np.zeros(p.size, dtype=bool)
    if passed.size:
        rejected[order[: passed[-1] + 1]] = True
    return rejected


def step_down(p, critical):
    """Reject from the smallest p_(i) until the first that exceeds critical[i]."""
    order = np.argsort(p, kind="stable")
    passed = np.cumprod(p[order] <= critical).astype(bool)
    rejected = np.zeros(p.size, dtype=bool)
    rejected[order[passed]] = True
    return rejected


def li_procedure(p, alpha):
    largest = p.max()
    return np.ones(p.size, bool) if largest <= alpha else p <= alpha * (1 - largest) / (1 - alpha)


PROCEDURES = {
    holm: lambda p, a, m, i: step_down(p, a / (m - i + 1)),
    holland: lambda p, a, m, i: step_down(p, 1 - (1 - a) ** (1 / (m - i + 1))),
    finner: lambda p, a, m, i: step_down(p, 1 - (1 - a) ** (i / m)),
    hochberg: lambda p, a, m, i: step_up(p, a / (m - i + 1)),
    rom: lambda p, a, m, _: step_up(p, rom_critical_values(m, alpha=a)[::-1]),
    benjamini_hochberg: lambda p, a, m, i: step_up(p, a * i / m),
    benjamini_yekutieli: lambda p, a, m, i: step_up(p, a * i / m / (1 / i).sum()),
    li: lambda p, a, _, __: li_procedure(p, a),
}


@pytest.mark.parametrize("correction", PROCEDURES, ids=lambda f: f.__name__)
def test_rejects_at_every_level_what_the_procedure_rejects(correction):
    rng = np.random.default_rng(11)
    for _ in range(25):
        m = int(rng.integers(1, 25))
        p = rng.random(m) ** rng.integers(1, 6)
        i = np.arange(1, m + 1)
        for alpha in [0.001, 0.01, 0.05, 0.1, 0.3, 0.7]:
            rejected = PROCEDURES[correction](p, alpha, m, i)
            np.testing.assert_array_equal(correction(p) <= alpha, rejected)


def test_holm_stops_at_the_first_acceptance():
    # MCM goes on after a failure: 0.021 <= 0.05/2 and 0.049 <= 0.05/1 would be rejected.
    assert not (holm([0.020, 0.021, 0.049]) <= 0.05).any()


def test_holm_counts_hypotheses_not_algorithms():
    # aeon compares all pairs with alpha / (k - 1): four algorithms, six pairs, 0.05 / 3 = 0.0167 > 0.012.
    adjusted = holm([0.012, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert adjusted[0] == pytest.approx(6 * 0.012)


def test_holm_relaxes_after_each_rejection():
    # A constant alpha / (k - 1) or alpha / m would keep the second.
    np.testing.assert_allclose(holm([0.001, 0.02, 0.04]), [0.003, 0.04, 0.04])


def test_hochberg_steps_up_from_the_largest():
    # StaTDS gets Hochberg wrong. Here the largest passes, so all are rejected although each smaller one fails its step.
    np.testing.assert_allclose(hochberg([0.04, 0.045, 0.05]), [0.05, 0.05, 0.05])
    np.testing.assert_allclose(hochberg([0.5, 0.02, 0.03]), [0.5, 0.06, 0.06])
    np.testing.assert_allclose(hochberg([0.01, 0.015, 0.9, 0.95]), [0.04, 0.045, 0.95, 0.95])


def test_rom_critical_values():
    # The recursion of Rom (1990) at alpha = 0.05, worked by hand for the first four:
    # a, a/2, (a + a^2)/3 - a^2/4, and (a + a^2 + a^3 - 4 c2^3 - 6 c3^2)/4.
    c = rom_critical_values(5)
    hand = (0.05 + 0.0025 + 0.000125 - 4 * 0.025**3 - 6 * 0.016875**2) / 4
    np.testing.assert_allclose(c[:4], [0.05, 0.025, 0.016875, hand], rtol=1e-14)
    assert c[4] == pytest.approx(0.010193, abs=5e-7)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5, 0.9, 0.999])
def test_rom_critical_values_in_high_precision(alpha):
    with mpmath.workdps(80):
        a, c = mpmath.mpf(alpha), [mpmath.mpf(alpha)]
        for n in range(2, 101):
            total = sum(a**i for i in range(1, n))
            spent = sum(mpmath.binomial(n, j) * c[n - j] ** j for j in range(2, n))
            c.append((total - spent) / n)
        expected = [float(value) for value in c]
    np.testing.assert_allclose(rom_critical_values(100, alpha=alpha), expected, rtol=1e-9)


@pytest.mark.parametrize("m", [1, 2, 5, 20])
def test_rom_spends_exactly_alpha_on_independent_pvalues(m):
    # P(no rejection) = m! x the volume of u_1 < ... < u_m with u_i > c_(m-i+1), by repeated exact integration.
    c = rom_critical_values(m)[::-1]
    accepted = np.polynomial.Polynomial([1.0])
    for i, lower in enumerate(c, start=1):
        integral = accepted.integ()
        accepted = i * (integral - integral(lower))
    assert accepted(1.0) == pytest.approx(0.95, abs=1e-9)


def test_rom_never_exceeds_hochberg_and_is_exact_far_out():
    rng = np.random.default_rng(2)
    p = rng.random(150) ** 3
    assert (rom(p) <= hochberg(p) * (1 + 1e-12)).all()
    assert (rom(p) >= p).all()
    np.testing.assert_allclose(rom([1e-200, 0.9])[0], 2e-200, rtol=1e-12)


def test_no_cancellation_for_tiny_pvalues():
    p = [1e-18, 2e-18, 0.5, 0.6]
    np.testing.assert_allclose(holland(p)[:2], [4e-18, 6e-18], rtol=1e-12)
    np.testing.assert_allclose(finner(p)[:2], [4e-18, 4e-18], rtol=1e-12)
    np.testing.assert_allclose(sidak(p)[:2], [4e-18, 8e-18], rtol=1e-12)


PVALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("correction", ALL, ids=lambda f: f.__name__)
@settings(derandomize=True, deadline=None, max_examples=30)
@given(values=PVALUES, seed=st.integers(0, 1000))
def test_follows_the_order_of_the_input_and_stays_between_p_and_1(correction, values, seed):
    p = np.array(values)
    shuffle = np.random.default_rng(seed).permutation(p.size)
    adjusted = correction(p)
    np.testing.assert_allclose(correction(p[shuffle]), adjusted[shuffle], rtol=1e-12)
    assert (adjusted <= 1).all()
    assert (adjusted >= p * (1 - 1e-12)).all()
    rising = adjusted[np.argsort(p, kind="stable")]
    assert (np.diff(rising) >= -1e-12 * rising[1:]).all()


@every("correction", [f for f in ALL if f is not rom])
def test_family_wise_error_when_all_hypotheses_are_true(correction):
    # 1,500 families of 8: a rate of 0.05 has standard error 0.0056. Rom's error is integrated exactly above.
    p = np.random.default_rng(20).random((1500, 8))
    rate = np.mean([correction(row).min() <= 0.05 for row in p])
    assert rate <= 0.05 + 3 * 0.0056


@pytest.mark.parametrize("correction", [sidak, holm, hochberg, hommel, holland, li], ids=lambda f: f.__name__)
def test_family_wise_error_when_half_of_the_hypotheses_are_false(correction):
    p = np.random.default_rng(21).random((1500, 8))
    p[:, :4] *= 1e-9
    rate = np.mean([correction(row)[4:].min() <= 0.05 for row in p])
    assert rate <= 0.05 + 3 * 0.0056


def test_finner_does_not_keep_the_family_wise_error_when_half_are_false():
    # 1 - 0.95^(4 * 5 / 8) = 0.1204 for the first step alone; 1,500 families have standard error 0.0084.
    p = np.random.default_rng(21).random((1500, 8))
    p[:, :4] *= 1e-9
    rate = np.mean([finner(row)[4:].min() <= 0.05 for row in p])
    assert rate == pytest.approx(1 - 0.95**2.5, abs=3 * 0.0084)


@pytest.mark.parametrize("correction", CHECKED, ids=lambda f: f.__name__)
def test_degenerate_families(correction):
    assert correction([]).shape == (0,)
    np.testing.assert_allclose(correction([0.03]), [0.03], rtol=1e-12)
    np.testing.assert_array_equal(correction([1.0, 1.0, 1.0]), [1.0, 1.0, 1.0])
    assert (correction([0.0, 0.0]) > 0).all()


def test_li_is_helpless_beside_a_pvalue_of_1():
    np.testing.assert_array_equal(li([1e-12, 1.0]), [1.0, 1.0])


@pytest.mark.parametrize("correction", CHECKED, ids=lambda f: f.__name__)
def test_errors(correction):
    with pytest.raises(InputError) as caught:
        correction([0.2, 1.5])
    assert str(caught.value) == ("pvalues[1] is 1.5. Pass p-values between 0 and 1, not statistics.")
    with pytest.raises(InputError) as caught:
        correction([[0.2, 0.5]])
    assert str(caught.value) == (
        "pvalues has 2 dimension(s). Pass a one-dimensional array, such as"
        " matrix[numpy.triu_indices(L, 1)] for all pairs."
    )


def test_errors_of_rom_critical_values():
    with pytest.raises(OptionError) as caught:
        rom_critical_values(0)
    assert str(caught.value) == ("count is 0. Pass the number of p-values.")
    with pytest.raises(OptionError, match=r"^alpha is 1\."):
        rom_critical_values(3, alpha=1)
