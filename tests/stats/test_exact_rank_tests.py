"""Exact tests of rank sums, by brute force over all tables, and through `compare`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tiebreak import Results, compare
from tiebreak.errors import InputError
from tiebreak.papers import paper
from tiebreak.stats import bergmann_hommel, exact_rank_tests, rank_tests


def brute_force(ranks: np.ndarray) -> np.ndarray:
    """Go through every table with the ranks of each data set in some order: the share with so large a difference."""
    tables = itertools.product(*(list(itertools.permutations(row)) for row in ranks.tolist()))
    sums = np.array([np.sum(table, axis=0) for table in tables])
    a, b = np.triu_indices(ranks.shape[1], 1)
    observed = np.abs(ranks.sum(axis=0)[a] - ranks.sum(axis=0)[b])
    return (np.abs(sums[:, a] - sums[:, b]) >= observed - 1e-9).mean(axis=0)


@pytest.mark.parametrize("shape", [(2, 3), (4, 3), (3, 4), (5, 3), (2, 5)])
def test_equals_brute_force(shape: tuple[int, int]) -> None:
    scores = np.random.default_rng(sum(shape)).random(shape)
    ranks = scores.argsort(axis=1).argsort(axis=1) + 1.0
    assert exact_rank_tests(scores, adjust="none").pvalue == pytest.approx(brute_force(ranks), rel=1e-12)


@pytest.mark.parametrize(
    "rows", [[[1, 2.5, 2.5], [1, 2, 3], [2, 2, 2]], [[1.5, 1.5, 3, 4], [1, 3, 3, 3], [4, 3, 2, 1]]]
)
def test_ties_have_their_own_distribution(rows: list[list[float]]) -> None:
    assert exact_rank_tests(rows, adjust="none").pvalue == pytest.approx(brute_force(np.array(rows)), rel=1e-12)


def test_agrees_with_the_normal_approximation_of_many_data_sets() -> None:
    scores = np.random.default_rng(0).random((400, 6))
    scores[:, 0] += 0.05
    exact, normal = (test(scores, adjust="none").pvalue for test in (exact_rank_tests, rank_tests))
    assert exact == pytest.approx(normal, abs=0.01)  # a step of the distribution


def test_small_values_keep_their_digits() -> None:
    # ten data sets agree: of the (1 / 20)^10 tables with the extreme difference there are two, one for each sign
    result = exact_rank_tests([[1, 2, 3, 4, 5]] * 10, adjust="none")
    assert result.pvalue[3] == pytest.approx(2 * (1 / 20) ** 10, rel=1e-12)
    assert result.statistic[3] == -40 and result.statistic[0] == -10


def test_direction_names_and_corrections() -> None:
    accuracies = np.array([[0.9, 0.8, 0.7]] * 6)
    result = exact_rank_tests(accuracies, higher_is_better=True, algorithms=["a", "b", "c"], adjust="bergmann-hommel")
    raw = exact_rank_tests(accuracies, higher_is_better=True, adjust="none").pvalue
    assert (result.statistic < 0).all() and result.adjusted == pytest.approx(bergmann_hommel(raw), rel=1e-12)
    assert result.method == "Exact tests of rank sums with Bergmann and Hommel's correction"
    against = exact_rank_tests(accuracies, control=1, adjust="holm")
    assert against.a.tolist() == [1, 1] and against.b.tolist() == [0, 2]


def test_its_level_is_kept_where_that_of_z_is_not_known() -> None:
    rng = np.random.default_rng(3)
    p = np.array([exact_rank_tests(table, adjust="none").pvalue[0] for table in rng.random((2000, 6, 4))])
    assert (p <= 0.05).mean() <= 0.05 + 3 * (0.05 * 0.95 / 2000) ** 0.5


def test_too_many_are_refused_with_what_to_use() -> None:
    with pytest.raises(InputError) as error:
        exact_rank_tests(np.random.default_rng(0).random((4000, 20)))
    assert str(error.value) == (
        "4000 data sets and 20 algorithms are too many for the exact distribution. Use rank_tests."
    )


def test_it_is_offered_by_compare_with_what_its_record_says() -> None:
    scores = np.random.default_rng(5).random((6, 4)) + np.arange(4)
    result = compare(Results.from_array(scores, score="error"), pairwise="exact-ranks")
    wanted = exact_rank_tests(scores, adjust="bergmann-hommel")
    assert sorted(pair.adjusted for pair in result.pairs) == pytest.approx(sorted(wanted.adjusted))
    assert paper("eisinga2017").short in result.to_dict()["references"]
