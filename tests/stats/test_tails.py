"""Tail probabilities: against mpmath with fifty digits, in the middle and far out."""

import mpmath
import numpy as np
import pytest

from tiebreak.stats.numeric.basics import TINY, f_upper, t_two_sided


def exact_f(x, df1, df2):
    """P(X >= x), by the incomplete beta function of whichever argument is the smaller."""
    with mpmath.workdps(50):
        x, df1, df2 = mpmath.mpf(x), mpmath.mpf(df1), mpmath.mpf(df2)
        if df1 * x < df2:
            return 1 - mpmath.betainc(df1 / 2, df2 / 2, 0, df1 * x / (df2 + df1 * x), regularized=True)
        return mpmath.betainc(df2 / 2, df1 / 2, 0, df2 / (df2 + df1 * x), regularized=True)


@pytest.mark.parametrize("df", [1, 2, 5, 29, 1000, 10**6])
def test_t_two_sided(df):
    for t in (1e-6, 1e-3, 0.1, 0.7, 2.0, 5.0, 9.0):
        with mpmath.workdps(50):
            expected = float(exact_f(mpmath.mpf(t) ** 2, 1, df))
        assert float(t_two_sided(-t, df)) == pytest.approx(expected, rel=5e-14, abs=0)


@pytest.mark.parametrize(("t", "df"), [(1e5, 1), (1e10, 5), (100.0, 29), (1e10, 29), (60.0, 50), (36.0, 1000)])
def test_t_two_sided_far_out(t, df):
    with mpmath.workdps(50):
        expected = float(exact_f(mpmath.mpf(t) ** 2, 1, df))
    assert float(t_two_sided(t, df)) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(("df1", "df2"), [(1, 1), (2, 7), (10, 5), (4, 400), (3, 10**6)])
def test_f_upper(df1, df2):
    for x in (1e-12, 1e-4, 0.3, 1.0, 4.0, 30.0):
        expected = float(exact_f(x, df1, df2))
        assert float(f_upper(x, df1, df2)) == pytest.approx(expected, rel=5e-14, abs=0)


def test_ends():
    assert f_upper([0.0, np.inf], 2, 9).tolist() == [1.0, TINY]
    assert t_two_sided([0.0, np.inf, -np.inf], [[3], [40]]).tolist() == [[1.0, TINY, TINY]] * 2
    assert np.isnan(t_two_sided(np.nan, 3))
