from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats as scipy_stats

from tiebreak import published
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import friedman

# Garcia and Herrera 2008, accuracies of 5 classifiers on 30 data sets (Table 3; C4.5, 1-NN, NaiveBayes, Kernel, CN2).
GARCIA_HERRERA = np.array(
    [
        [0.219, 0.202, 0.249, 0.165, 0.261],  # Abalone*
        [0.803, 0.75, 0.813, 0.692, 0.798],  # Adult*
        [0.859, 0.814, 0.845, 0.542, 0.816],  # Australian
        [0.809, 0.774, 0.673, 0.275, 0.785],  # Autos
        [0.768, 0.79, 0.727, 0.872, 0.706],  # Balance
        [0.759, 0.654, 0.734, 0.703, 0.714],  # Breast
        [0.693, 0.611, 0.572, 0.689, 0.572],  # Bupa
        [0.544, 0.531, 0.558, 0.439, 0.541],  # Cleveland
        [0.945, 0.954, 0.978, 0.541, 0.858],  # Dermatology
        [0.725, 0.705, 0.739, 0.625, 0.717],  # German
        [0.674, 0.736, 0.721, 0.356, 0.704],  # Glass
        [0.801, 0.357, 0.52, 0.309, 0.52],  # Hayes-Roth
        [0.785, 0.77, 0.841, 0.659, 0.759],  # Heart
        [0.71, 0.402, 0.728, 0.12, 0.674],  # Led7Digit
        [0.691, 0.827, 0.667, 0.527, 0.638],  # Letter*
        [0.743, 0.739, 0.83, 0.549, 0.746],  # Lymphography
        [0.99, 0.482, 0.941, 0.857, 0.99],  # Mushrooms*
        [0.867, 0.098, 0.915, 0.986, 0.784],  # OptDigits*
        [0.821, 0.872, 0.815, 0.885, 0.778],  # Satimage*
        [0.893, 0.824, 0.902, 0.739, 0.885],  # SpamBase*
        [0.799, 0.655, 0.925, 0.517, 0.755],  # Splice*
        [0.845, 0.731, 0.693, 0.653, 0.704],  # Tic-tac-toe
        [0.741, 0.701, 0.591, 0.663, 0.619],  # Vehicle
        [0.799, 0.994, 0.603, 0.269, 0.621],  # Vowel
        [0.949, 0.955, 0.989, 0.77, 0.954],  # Wine
        [0.555, 0.505, 0.569, 0.312, 0.556],  # Yeast
        [0.928, 0.928, 0.945, 0.419, 0.897],  # Zoo
        [0.915, 0.857, 0.86, 0.7, 0.777],  # Car
        [0.855, 0.796, 0.857, 0.607, 0.809],  # Crx
        [0.906, 0.359, 0.895, 0.641, 0.918],  # Ion
    ]
)


def test_demsar_table_6_from_the_printed_ranks() -> None:
    ranks = published.demsar2006_ranks()
    result = friedman(ranks.means("rank"), tie_correction=False, algorithms=ranks.algorithms)
    by_name = dict(zip(result.algorithms, result.mean_ranks, strict=True))
    assert by_name == pytest.approx({"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}, abs=5e-4)
    assert result.chi2 == pytest.approx(9.28, abs=5e-3)
    assert result.statistic == pytest.approx(3.69, abs=5e-3)
    assert result.df == (3, 39)


def test_demsar_table_6_from_the_rounded_scores() -> None:
    auc = published.demsar2006().means("auc")
    plain = friedman(auc, higher_is_better=True, tie_correction=False)
    tied = friedman(auc, higher_is_better=True, statistic="chi2")
    assert plain.mean_ranks == pytest.approx([3.1429, 2.9286, 2.0000, 1.9286], abs=5e-5)
    assert (plain.chi2, plain.f) == pytest.approx((9.857, 3.987), abs=5e-4)
    assert tied.statistic == pytest.approx(10.95238, abs=5e-6)
    assert tied.pvalue == pytest.approx(0.0119862, abs=5e-8)  # scipy.stats.friedmanchisquare


def test_garcia_herrera_2008() -> None:
    result = friedman(GARCIA_HERRERA, higher_is_better=True, tie_correction=False)
    assert result.mean_ranks == pytest.approx([2.1000, 3.2500, 2.2000, 4.3333, 3.1167], abs=5e-5)
    assert result.chi2 == pytest.approx(39.64667, abs=5e-6)  # scmamp 0.3.2, friedmanTest
    assert result.statistic == pytest.approx(14.30872, abs=5e-6)  # scmamp 0.3.2, imanDavenportTest
    assert result.pvalue == pytest.approx(1.593159826e-09, rel=1e-9)


# scipy/stats/tests/test_stats.py, test_friedmanchisquare: rows are treatments there.
SCIPY_X2 = [
    [4, 3, 5, 3, 5, 3, 2, 5, 4, 4, 4, 3],
    [2, 2, 1, 2, 3, 1, 2, 3, 2, 1, 1, 3],
    [2, 4, 3, 3, 4, 3, 3, 4, 4, 1, 2, 1],
    [3, 5, 4, 3, 4, 4, 3, 3, 3, 4, 4, 4],
]
ZAR_12_6 = [[7, 9.9, 8.5, 5.1, 10.3], [5.3, 5.7, 4.7, 3.5, 7.7], [4.9, 7.6, 5.5, 2.8, 8.4], [8.8, 8.9, 8.1, 3.3, 9.1]]


@pytest.mark.parametrize(
    ("treatments", "statistic", "pvalue"),
    [(SCIPY_X2, 18.9428571428571, 0.000280938375189499), (ZAR_12_6, 10.68, 0.0135882729582176)],
)
def test_values_of_scipys_own_tests(treatments: list[list[float]], statistic: float, pvalue: float) -> None:
    result = friedman(np.array(treatments).T, statistic="chi2")
    assert (result.statistic, result.pvalue) == pytest.approx((statistic, pvalue), rel=1e-12)


@given(st.integers(3, 6), st.integers(3, 8), st.integers(0, 10_000))
def test_equals_scipy_on_random_tables_with_ties(algorithms: int, datasets: int, seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 4, size=(datasets, algorithms)).astype(float)
    if (table == table[:, :1]).all():
        return
    expected = scipy_stats.friedmanchisquare(*table.T)
    result = friedman(table, statistic="chi2")
    assert (result.statistic, result.pvalue) == pytest.approx(
        (expected.statistic, expected.pvalue), rel=1e-9, abs=1e-12
    )


@given(st.integers(0, 10_000))
def test_invariant_to_order_and_monotone_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(9, 5)).round(1)
    base = friedman(table)
    rows, columns = rng.permutation(9), rng.permutation(5)
    moved = friedman(table[rows][:, columns])
    assert moved.statistic == pytest.approx(base.statistic, rel=1e-12)
    assert moved.mean_ranks == pytest.approx(base.mean_ranks[columns])
    assert friedman(np.exp(table)).statistic == base.statistic
    assert friedman(-table, higher_is_better=True).statistic == base.statistic


@pytest.mark.parametrize("row", [[1, 2, 3], [1, 1, 3], [2, 1, 1, 2]])
def test_perfect_agreement_has_its_exact_probability(row: list[float]) -> None:
    sets = 3
    orders = set(itertools.permutations(row))
    alike = sum(len(set(draw)) == 1 for draw in itertools.product(orders, repeat=sets))
    result = friedman([row] * sets)
    assert result.statistic == float("inf")
    assert result.pvalue == pytest.approx(alike / len(orders) ** sets, rel=1e-12)
    assert any("agree perfectly" in caveat for caveat in result.caveats)


def test_no_table_is_less_likely_than_perfect_agreement() -> None:
    near = np.tile(np.arange(10.0), (2, 1))
    near[1, [0, 1]] = [1.0, 0.0]
    assert friedman(near).pvalue >= friedman(np.tile(np.arange(10.0), (2, 1))).pvalue
    assert friedman(near, statistic="chi2").pvalue >= 1 / 3628800


def test_uncorrected_ties_are_not_called_perfect_agreement() -> None:
    result = friedman([[1, 1, 2]] * 12, tie_correction=False)
    assert result.f == pytest.approx(33.0)
    assert not any("perfectly" in caveat for caveat in result.caveats)


def test_all_ties() -> None:
    result = friedman(np.ones((4, 3)))
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert "Every data set ties all algorithms: nothing distinguishes them." in result.caveats


def test_two_algorithms_are_a_sign_test() -> None:
    table = np.array([[1.0, 2.0]] * 8 + [[2.0, 1.0]] * 2)
    result = friedman(table, statistic="chi2")
    assert result.statistic == pytest.approx((8 - 2) ** 2 / 10)  # McNemar's form of the sign test


def test_an_algorithm_and_its_copy_share_their_rank() -> None:
    scores = np.random.default_rng(1).normal(size=(12, 3))
    result = friedman(np.column_stack([scores, scores[:, 0]]))
    assert result.mean_ranks[0] == result.mean_ranks[3]


def test_size_under_the_null() -> None:
    rng = np.random.default_rng(20240)
    rejected = np.mean([friedman(rng.normal(size=(15, 5))).pvalue <= 0.05 for _ in range(2000)])
    assert abs(rejected - 0.05) < 3 * (0.05 * 0.95 / 2000) ** 0.5


def test_the_far_tail_does_not_vanish() -> None:
    table = np.tile(np.arange(6.0), (400, 1))
    table[0] = table[0][::-1]
    assert 0 < friedman(table).pvalue < 1e-250
    assert friedman(np.tile(np.arange(6.0), (400, 1))).pvalue > 0  # 720 ** -399 lies below the smallest float


def test_one_data_set_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        friedman([[1.0, 2.0, 3.0]])
    assert str(caught.value) == (
        "scores has 1 data set(s), and this test needs at least 2. Add data sets, or compare the"
        " fold scores of the one data set."
    )


def test_an_unknown_statistic_is_refused() -> None:
    with pytest.raises(OptionError) as caught:
        friedman([[1.0, 2.0], [2.0, 1.0]], statistic="chi")
    assert (
        str(caught.value) == "There is no statistic 'chi'. Known here: 'iman-davenport', 'chi2'. Did you mean 'chi2'?"
    )


def test_prints_and_repr() -> None:
    result = friedman([[1, 2, 3]] * 3 + [[3, 2, 1]], algorithms=["<b>", "b", "c"])
    assert "Friedman test, Iman-Davenport F" in str(result)
    assert "&lt;b&gt;" in result._repr_html_()
    assert result.rows()[0] == {"algorithm": "<b>", "mean_rank": 1.5}
    with pytest.raises(ValueError, match="read-only"):
        result.mean_ranks[0] = 9
