"""Tukey's and Dunnett's tests for paired scores, and the integrals under them."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import OptionError
from tiebreak.stats import dunnett_control, rm_anova, tukey_pairs
from tiebreak.stats.many.rm_anova import mean_t_tests
from tiebreak.stats.numeric.basics import TINY
from tiebreak.stats.numeric.studentized_range import dunnett_upper, range_upper, studentized_range_upper

from ..every import every

TABLE = np.random.default_rng(7).normal(size=(10, 4)) + np.arange(4) / 2
POINTS = np.array([1e-3, 0.1, 0.5, 1, 2, 3, 5, 8, 12, 20, 40, 70, 200, 1e4, 1e8])


@every("df", [1, 2, 3, 5, 10, 30, 100, 1000, 40000])
def test_two_means_are_students_t_far_into_the_tail(df):
    expected = np.maximum(2 * stats.t.sf(POINTS, df), TINY)
    assert studentized_range_upper(POINTS * np.sqrt(2), k=2, df=df) == pytest.approx(expected, rel=1e-12, abs=0)
    assert dunnett_upper(POINTS, k=2, df=df) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(("k", "df"), [(3, 4), (5, 20), (10, 100), (50, 500)])
def test_studentized_range_equals_scipy(k, df):
    q = np.array([1.0, 3.0, 5.0])
    assert studentized_range_upper(q, k=k, df=df) == pytest.approx(stats.studentized_range.sf(q, k, df), abs=1e-11)


def test_infinite_degrees_of_freedom():
    q = np.array([0.0, 0.5, 3.0, 14.0])
    assert studentized_range_upper(q, k=200, df=np.inf) == pytest.approx(range_upper(q, 200), rel=1e-13, abs=0)
    large = studentized_range_upper(q, k=20, df=1e7)
    assert large == pytest.approx(range_upper(q, 20), rel=1e-3, abs=0)
    single = dunnett_upper([1.0, 9.0], k=2, df=np.inf)
    assert single == pytest.approx(2 * stats.norm.sf([1.0, 9.0]), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("df", "printed"),
    [
        (10, [2.23, 2.57, 2.76, 2.89, 2.99, 3.07, 3.14, 3.19, 3.24]),
        (20, [2.09, 2.38, 2.54, 2.65, 2.73, 2.80, 2.86, 2.90, 2.95]),
    ],
)
def test_dunnett_printed_quantiles(df, printed):
    """Dunnett 1964, Table II, two-sided 5 %, one to nine treatments: right to the last printed digit."""
    for treatments, quantile in enumerate(printed, start=1):
        low, high = dunnett_upper([quantile - 0.0051, quantile + 0.0051], k=treatments + 1, df=df)
        assert high < 0.05 < low


def test_dunnett_against_high_precision():
    """mpmath 1.3, 45 digits: quad over s of the chi density times quad over x of the formula in the docstring."""
    assert dunnett_upper(4.949747468, k=3, df=8) == pytest.approx(0.00206665379144534, rel=1e-13)
    assert dunnett_upper(30.0, k=5, df=20) == pytest.approx(1.64092922883463e-17, rel=1e-13, abs=0)


def test_dunnett_against_simulation():
    rng = np.random.default_rng(3)
    z = rng.normal(size=(200_000, 6)) / np.sqrt(rng.chisquare(9, size=(200_000, 1)) / 9)
    largest = np.abs(z[:, 1:] - z[:, :1]).max(axis=1) / np.sqrt(2)
    for t in (1.0, 2.0, 3.0):
        p = float(dunnett_upper(t, k=6, df=9))
        assert np.mean(largest >= t) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 200_000))


def test_shape_order_and_extremes_of_the_integrals():
    for upper in (studentized_range_upper, dunnett_upper):
        p = upper([[0.0, np.inf], [2.0, 1.0]], k=7, df=12)
        assert p.shape == (2, 2)
        assert (p[0].tolist(), p[1, 0] < p[1, 1]) == ([1.0, TINY], True)
        together, alone = upper(POINTS, k=7, df=12), [float(upper(q, k=7, df=12)) for q in POINTS]
        assert together == pytest.approx(alone, rel=1e-12, abs=0)
        assert (np.diff(together) <= 0).all()
        with pytest.raises(OptionError) as caught:
            upper(-1.0, k=3, df=5)
        assert str(caught.value) == (
            "The statistic is negative or NaN, or k is below 2, or df is below 1. Pass absolute statistics, the"
            " number of algorithms and the error's degrees of freedom."
        )


def test_tukey_second_route():
    """Standard error from the residuals of the two-way layout, p from scipy's studentized range."""
    n, k = TABLE.shape
    residual = TABLE - TABLE.mean(axis=0) - TABLE.mean(axis=1, keepdims=True) + TABLE.mean()
    error = np.sqrt(2 * (residual**2).sum() / ((n - 1) * (k - 1)) / n)
    a, b = np.triu_indices(k, 1)
    t = (TABLE.mean(axis=0)[a] - TABLE.mean(axis=0)[b]) / error
    result = tukey_pairs(TABLE)
    assert result.statistic == pytest.approx(t)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(np.abs(t), 27))
    assert result.adjusted == pytest.approx(stats.studentized_range.sf(np.abs(t) * np.sqrt(2), k, 27), abs=1e-10)
    against = dunnett_control(TABLE, control=0)
    assert against.statistic == pytest.approx(t[:3])
    assert against.adjusted == pytest.approx(dunnett_upper(np.abs(t[:3]), k=4, df=27), rel=1e-12)
    assert (against.adjusted <= np.minimum(3 * against.pvalue, 1) + 1e-12).all()
    assert (against.pvalue <= against.adjusted).all()


def test_two_algorithms_make_both_the_paired_t_test():
    expected = stats.ttest_rel(TABLE[:, 0], TABLE[:, 1])
    for result in (tukey_pairs(TABLE[:, :2]), dunnett_control(TABLE[:, :2], control=0)):
        assert result.statistic[0] == pytest.approx(expected.statistic)
        assert result.adjusted[0] == pytest.approx(expected.pvalue)


def test_differences_between_data_sets_do_not_enter():
    """The unpaired form, which autorank 1.3 uses after this ANOVA, would lose everything here."""
    shifted = TABLE + 1000 * np.arange(10)[:, None]
    assert tukey_pairs(shifted).adjusted == pytest.approx(tukey_pairs(TABLE).adjusted, rel=1e-7)
    assert stats.tukey_hsd(*shifted.T).pvalue.min() > 0.99
    assert tukey_pairs(shifted).adjusted.min() < 0.05


@given(st.permutations(range(4)), st.floats(0.1, 50), st.floats(-50, 50))
@settings(derandomize=True, deadline=None, max_examples=10)
def test_invariances(order, scale, shift):
    """The order of columns, the unit and the zero of the scores; the direction turns the sign only."""
    base = tukey_pairs(TABLE)
    other = tukey_pairs(scale * TABLE[:, order] + shift)
    assert np.sort(other.adjusted) == pytest.approx(np.sort(base.adjusted), rel=1e-6)
    turned = tukey_pairs(TABLE, higher_is_better=True)
    assert turned.statistic == pytest.approx(-base.statistic)
    assert turned.adjusted == pytest.approx(base.adjusted)


def test_family_wise_error_is_alpha():
    rng = np.random.default_rng(14)
    tables = rng.normal(size=(1000, 10, 4)) + 5 * rng.normal(size=(1000, 10, 1))
    largest = [np.abs(mean_t_tests(table, None, False, None)[2][2]).max() for table in tables]
    against = [np.abs(mean_t_tests(table, 0, False, None)[2][2]).max() for table in tables]
    tukey = studentized_range_upper(np.sqrt(2) * np.array(largest), k=4, df=27)
    dunnett = dunnett_upper(against, k=4, df=27)
    assert abs(np.mean(tukey <= 0.05) - 0.05) < 0.021
    assert abs(np.mean(dunnett <= 0.05) - 0.05) < 0.021


def test_signs_and_names():
    result = dunnett_control([[2, 1, 4], [3, 1, 5], [4, 2, 5]], control=2, algorithms=["x", "y", "z"])
    assert [(row["a"], row["b"]) for row in result.rows()] == [("z", "x"), ("z", "y")]
    assert (result.statistic > 0).all()  # lower is better, so both beat z
    assert result.method == "Dunnett's test for paired scores against the control, 4 degrees of freedom"
    assert tukey_pairs(TABLE).method == "Tukey's test for paired scores, 27 degrees of freedom"


def test_degenerate_tables():
    same = np.array([[0.1, 0.1, 0.1], [0.7, 0.7, 0.7]])
    apart = np.add.outer([0.1, 0.7, 0.3], [0.1, 0.4, 0.1])
    for result in (tukey_pairs(same), dunnett_control(same, control=1)):
        assert set(result.adjusted) == {1.0} and set(result.statistic) == {0.0} and result.caveats == ()
    tukey = tukey_pairs(apart)
    assert tukey.statistic.tolist() == [-np.inf, 0.0, np.inf]
    assert tukey.adjusted.tolist() == tukey.pvalue.tolist() == [TINY, 1.0, TINY]
    assert tukey.caveats == (
        "The error of the differences is zero: a pair that differs at all gets an infinite statistic and the"
        " smallest p-value that can be written.",
    )
    assert dunnett_control(apart, control=1).adjusted.tolist() == [TINY, TINY]


def test_rounding_error_is_no_difference():
    column = np.array([0.1, 0.7, 1.3])
    noisy = np.column_stack([column, column * 3 / 3 * 1.1 / 1.1, column + 0.7 - 0.7])
    assert (noisy[:, 0] != noisy[:, 2]).any()
    assert tukey_pairs(noisy).adjusted.tolist() == [1.0, 1.0, 1.0]
    assert rm_anova(noisy).pvalue == 1.0


def test_caveat_without_sphericity():
    rng = np.random.default_rng(9)
    (caveat,) = tukey_pairs(rng.normal(size=(20, 4)) * [1, 1, 1, 9]).caveats
    assert caveat == (
        "Greenhouse and Geisser's epsilon is 0.34: the differences do not share one variance, and the pooled"
        " error is too small for some pairs; paired t tests with Holm's correction need no such assumption."
    )


def test_errors():
    with pytest.raises(OptionError) as caught:
        dunnett_control(TABLE, control=4)
    assert str(caught.value) == "There is no control column '4'. Known here: '0', '1', '2', '3'."
