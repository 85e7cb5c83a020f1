from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak import published
from tiebreak.errors import OptionError
from tiebreak.stats import bonferroni_dunn, bonferroni_dunn_cd, friedman, nemenyi, nemenyi_cd, rank_tests

from ..every import every

# Demsar 2006, Table 5 (b): Bonferroni-Dunn at 0.05 and 0.10; k = 9 at 0.05 is a misprint there (2.724 for 2.734).
BONFERRONI_DUNN = {
    2: (1.960, 1.645),
    3: (2.241, 1.960),
    4: (2.394, 2.128),
    5: (2.498, 2.241),
    6: (2.576, 2.326),
    7: (2.638, 2.394),
    8: (2.690, 2.450),
    9: (2.734, 2.498),
    10: (2.773, 2.539),
}


@pytest.fixture(scope="module")
def ranks() -> np.ndarray:
    """The printed ranks of Demsar's Table 6: C4.5, C4.5+cf, C4.5+m, C4.5+m+cf."""
    return published.demsar2006_ranks().means("rank")


def test_critical_differences_of_demsar() -> None:
    size = {"n_algorithms": 4, "n_datasets": 14}
    assert nemenyi_cd(**size) == pytest.approx(1.253559, abs=5e-7)  # printed 1.25
    assert nemenyi_cd(**size, alpha=0.10) == pytest.approx(1.118060, abs=5e-7)  # printed 1.12
    assert bonferroni_dunn_cd(**size) == pytest.approx(1.168143, abs=5e-7)  # printed 1.16, truncated
    assert bonferroni_dunn_cd(**size, alpha=0.10) == pytest.approx(1.038380, abs=5e-7)


@every("k", BONFERRONI_DUNN)
def test_bonferroni_dunn_quantiles_of_table_5(k: int) -> None:
    scale = (k * (k + 1) / 60) ** 0.5
    cds = tuple(bonferroni_dunn_cd(n_algorithms=k, n_datasets=10, alpha=a) / scale for a in (0.05, 0.10))
    assert cds == pytest.approx(BONFERRONI_DUNN[k], abs=6e-4)


def test_decisions_of_demsar_against_the_control(ranks: np.ndarray) -> None:
    names = ("C4.5", "C4.5+cf", "C4.5+m", "C4.5+m+cf")
    result = rank_tests(ranks, control=0, adjust="holm", tie_correction=False, algorithms=names)
    assert result.statistic == pytest.approx([0.512348, 2.342160, 2.415350], abs=5e-6)
    assert result.pvalue == pytest.approx([0.608408, 0.019172, 0.015720], abs=5e-7)
    for method in ("holm", "hochberg", "hommel"):
        adjusted = rank_tests(ranks, control=0, adjust=method, tie_correction=False).adjusted
        assert (adjusted <= 0.05).tolist() == [False, True, True]
    assert (bonferroni_dunn(ranks, control=0, tie_correction=False).adjusted <= 0.05).tolist() == [False, False, True]


def test_decisions_of_demsar_for_all_pairs(ranks: np.ndarray) -> None:
    result = nemenyi(ranks)
    assert not (result.adjusted <= 0.05).any()
    at_ten = {(int(a), int(b)) for a, b, p in zip(result.a, result.b, result.adjusted, strict=True) if p <= 0.10}
    assert at_ten == {(0, 2), (0, 3)}  # C4.5 against C4.5+m and C4.5+m+cf


def test_nemenyi_equals_scipys_studentized_range() -> None:
    table = np.random.default_rng(3).normal(size=(20, 5))
    mean_ranks = friedman(table).mean_ranks
    result = nemenyi(table)
    q = np.abs(mean_ranks[result.a] - mean_ranks[result.b]) / np.sqrt(5 * 6 / (6 * 20)) * np.sqrt(2)
    assert result.adjusted == pytest.approx(scipy_stats.studentized_range.sf(q, 5, np.inf), rel=1e-7)


def test_the_critical_difference_and_the_p_value_agree() -> None:
    table = np.random.default_rng(4).normal(size=(25, 7)) + np.linspace(0, 1, 7)
    result, mean_ranks = nemenyi(table), friedman(table).mean_ranks
    cd = nemenyi_cd(n_algorithms=7, n_datasets=25)
    assert ((np.abs(mean_ranks[result.a] - mean_ranks[result.b]) >= cd) == (result.adjusted <= 0.05)).all()


def test_an_algorithm_against_its_own_copy_has_p_one() -> None:
    scores = np.random.default_rng(5).normal(size=(12, 3))
    table = np.column_stack([scores, scores[:, 1]])
    for result in (nemenyi(table), rank_tests(table)):
        copy = (result.a == 1) & (result.b == 3)
        assert result.adjusted[copy] == result.pvalue[copy] == 1.0


def test_two_algorithms() -> None:
    result = nemenyi([[1.0, 2.0]] * 9 + [[2.0, 1.0]])
    assert len(result.adjusted) == 1
    assert result.adjusted == pytest.approx(result.pvalue, rel=1e-12)


def test_no_p_value_vanishes_at_scale() -> None:
    table = np.random.default_rng(6).normal(size=(300, 60)) + np.arange(60) * 0.5
    result = nemenyi(table)
    assert result.adjusted.min() > 0
    assert result.adjusted.min() < 1e-50


@pytest.mark.parametrize("method", ["nemenyi", "holm", "hommel", "hochberg"])
def test_family_wise_error_under_the_null(method: str) -> None:
    rng = np.random.default_rng(77)
    trials, hits = 500, 0
    for _ in range(trials):
        table = rng.normal(size=(20, 4))
        result = nemenyi(table) if method == "nemenyi" else rank_tests(table, adjust=method)
        hits += bool((result.adjusted <= 0.05).any())
    assert hits / trials < 0.05 + 3 * (0.05 * 0.95 / trials) ** 0.5


def test_an_unknown_control_is_refused() -> None:
    with pytest.raises(OptionError) as caught:
        bonferroni_dunn([[1.0, 2.0]] * 3, control=7)
    assert str(caught.value) == "There is no control column '7'. Known here: '0', '1'."


def test_rows_and_text() -> None:
    result = rank_tests([[1, 2, 3]] * 10, algorithms=["x", "y", "z"])
    assert result.rows()[1]["a"] == "x" and result.rows()[1]["b"] == "z"
    assert "z tests on mean ranks with Holm's correction: 3 pair(s)" in str(result)
