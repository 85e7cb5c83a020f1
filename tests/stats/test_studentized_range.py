from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak.errors import OptionError
from tiebreak.stats import range_quantile, range_upper
from tiebreak.stats.numeric.basics import TINY
from tiebreak.stats.numeric.studentized_range import _interpolated, _log_upper

from ..every import every

# Demsar 2006, Table 5 (a), as printed: k -> q at 0.05 and 0.10, divided by sqrt(2).
DEMSAR_TABLE_5 = {
    2: (1.960, 1.645),
    3: (2.343, 2.052),
    4: (2.569, 2.291),
    5: (2.728, 2.459),
    6: (2.850, 2.589),
    7: (2.949, 2.693),
    8: (3.031, 2.780),
    9: (3.102, 2.855),
    10: (3.164, 2.920),
}


def by_high_precision(q: float, k: int) -> mpmath.mpf:
    """The textbook integral, 1 - cdf written without logarithms, with as many digits as cancel."""
    with mpmath.workdps(int(50 + q * q / 9)):
        width = mpmath.mpf(q)

        def density(z: mpmath.mpf) -> mpmath.mpf:
            below, far = mpmath.ncdf(z), mpmath.ncdf(z - width)
            return k * mpmath.npdf(z) * (below ** (k - 1) - (below - far) ** (k - 1))

        return mpmath.quad(density, [width / 2 + step for step in range(-14, 15, 2)])


@pytest.mark.parametrize(("q", "k"), [(0.3, 3), (3.0, 2), (4.5, 30), (8.0, 200)])
def test_equals_high_precision_integration(q: float, k: int) -> None:
    exact = by_high_precision(q, k)
    assert abs(float((mpmath.mpf(float(range_upper(q, k))) - exact) / exact)) < 1e-11


def test_equals_high_precision_integration_far_out() -> None:
    # mpmath 1.4.1, `by_high_precision` above: 15 seconds
    assert float(range_upper(14.0, 200)) == pytest.approx(8.3257995347852571e-19, rel=1e-11)
    assert float(range_upper(22.0, 8)) == pytest.approx(4.0344251862423451e-53, rel=1e-11)
    assert float(range_upper(30.0, 1000)) == pytest.approx(3.6028905891393777e-94, rel=1e-11)


def test_far_beyond_1e_100() -> None:
    # mpmath 1.4.1, 120 digits, the integral above at q = 36, k = 200 and q = 43, k = 1000
    assert float(range_upper(36.0, 200)) == pytest.approx(1.21039147713e-138, rel=1e-10)
    assert float(range_upper(43.0, 1000)) == pytest.approx(2.31435160156e-197, rel=1e-10)


@pytest.mark.parametrize("k", [2, 3, 8, 60, 1000])
def test_interpolation_equals_the_integral(k: int) -> None:
    q = np.linspace(0, 75, 5000)
    difference = np.abs(_interpolated(q, k)[::7] - _log_upper(q[::7], k))
    assert difference.max() < 1e-9


def test_equals_scipy_where_scipy_is_accurate() -> None:
    q = np.array([0.5, 1.0, 2.0, 3.0, 4.0, 5.0])
    assert range_upper(q, 6) == pytest.approx(scipy_stats.studentized_range.sf(q, 6, np.inf), rel=1e-8)


def test_two_algorithms_are_the_normal_test() -> None:
    z = np.linspace(0, 20, 50)
    assert range_upper(z * np.sqrt(2), 2) == pytest.approx(2 * scipy_stats.norm.sf(z), rel=1e-12)


@every("k", DEMSAR_TABLE_5)
def test_demsar_table_5(k: int) -> None:
    quantiles = tuple(range_quantile(alpha, k) / 2**0.5 for alpha in (0.05, 0.10))
    assert quantiles == pytest.approx(DEMSAR_TABLE_5[k], abs=1.1e-3)  # the table truncates in places


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6, 1e-80])
def test_the_quantile_inverts_the_tail(alpha: float) -> None:
    assert float(range_upper(range_quantile(alpha, 7), 7)) == pytest.approx(alpha, rel=1e-9)


def test_shape_order_and_limits() -> None:
    q = np.array([[3.0, 0.0], [1e4, 2.0]])
    p = range_upper(q, 5)
    assert p.shape == (2, 2)
    assert p[0, 1] == 1.0
    assert p[1, 0] == TINY > 0
    many = np.linspace(0, 40, 1001)
    assert (np.diff(range_upper(many, 5)) <= 0).all()


@pytest.mark.parametrize(("q", "k"), [(-1.0, 3), (np.nan, 3), (1.0, 1)])
def test_nonsense_is_refused(q: float, k: int) -> None:
    with pytest.raises(OptionError) as caught:
        range_upper(q, k)
    assert str(caught.value).startswith("q is negative or NaN, or k is below 2. Pass abs(z)")
