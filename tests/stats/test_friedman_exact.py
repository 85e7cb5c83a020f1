"""The Friedman test by its exact distribution: printed tables, brute force, its level, and through the verbs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tiebreak import Results, compare, order
from tiebreak.stats import friedman, friedman_exact

from ..every import every

# Exact probabilities of Friedman's chi-squared as printed in tables of nonparametric statistics (three decimals there):
# three algorithms on 3 and 4 data sets, four algorithms on 2 and 3.
PRINTED = [
    ([[1, 2, 3], [1, 2, 3], [1, 2, 3]], 6.0, 0.028),
    ([[1, 2, 3], [1, 2, 3], [1, 3, 2]], 4.667, 0.194),
    ([[1, 2, 3]] * 4, 8.0, 0.0046),
    ([[1, 2, 3]] * 3 + [[2, 1, 3]], 6.5, 0.042),
    ([[1, 2, 3, 4]] * 2, 6.0, 0.042),
    ([[1, 2, 3, 4]] * 3, 9.0, 0.0017),
    ([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 4, 3]], 7.4, 0.033),
]


@pytest.mark.parametrize(("ranks", "chi2", "p"), PRINTED)
def test_printed_tables(ranks: list[list[int]], chi2: float, p: float) -> None:
    result = friedman_exact(ranks)
    assert result.statistic == pytest.approx(chi2, abs=5e-4) and result.pvalue == pytest.approx(p, abs=5e-4)
    assert result.method == "Friedman test, exact distribution" and result.df == ()


def brute_force(ranks: np.ndarray) -> float:
    tables = itertools.product(*(list(itertools.permutations(row)) for row in ranks.tolist()))
    sums = np.array([np.sum(table, axis=0) for table in tables])
    return float(((sums**2).sum(axis=1) >= (ranks.sum(axis=0) ** 2).sum() - 1e-9).mean())


@every("shape", [(3, 3), (5, 3), (3, 4), (2, 5)])
@every("tied", [False, True])
def test_equals_brute_force(shape: tuple[int, int], tied: bool) -> None:
    scores = np.random.default_rng(sum(shape)).integers(0, 3 if tied else 1000, shape)
    ranks = np.array([[(row < x).sum() + ((row == x).sum() + 1) / 2 for x in row] for row in scores])
    assert friedman_exact(scores).pvalue == pytest.approx(brute_force(ranks), rel=1e-12)


def test_the_statistic_and_the_approximations_are_those_of_the_usual_test() -> None:
    scores = np.random.default_rng(1).random((7, 4))
    exact, usual = friedman_exact(scores, algorithms=list("abcd")), friedman(scores, statistic="chi2")
    assert exact.statistic == usual.statistic and exact.f_pvalue == usual.f_pvalue
    assert exact.mean_ranks.tolist() == usual.mean_ranks.tolist()
    assert [row["algorithm"] for row in exact.rows()] == [list("abcd")[i] for i in exact.mean_ranks.argsort()]


def test_many_tables_are_drawn_and_repeat_themselves() -> None:
    scores = np.random.default_rng(2).random((12, 9)) + 0.1 * np.arange(9)
    result = friedman_exact(scores, n_permutations=4999, rng=7)
    assert result.method == "Friedman test, 4,999 permutations"
    assert result.pvalue == friedman_exact(scores, n_permutations=4999, rng=7).pvalue >= 1 / 5000
    assert result.pvalue == pytest.approx(friedman(scores).pvalue, abs=0.02)
    agreed = friedman_exact([list(range(9))] * 12, n_permutations=99)
    assert agreed.pvalue == 0.01  # none of those drawn is as extreme


def test_it_keeps_its_level_where_f_does_not() -> None:
    tables = np.random.default_rng(8).random((400, 6, 4))
    exact = np.array([friedman_exact(table).pvalue for table in tables])
    f = np.array([friedman(table).pvalue for table in tables])
    assert (exact <= 0.05).mean() <= 0.05 + 3 * (0.05 * 0.95 / len(tables)) ** 0.5
    assert (f <= 0.05).mean() == pytest.approx(0.060, abs=3 * (0.06 * 0.94 / len(tables)) ** 0.5)  # its size, counted


def test_both_verbs_offer_it() -> None:
    scores = np.random.default_rng(5).random((6, 4)) + np.arange(4)
    table = Results.from_array(scores, score="error", algorithms=list("abcd"))
    result = compare(table, omnibus="friedman-exact", posthoc="holm")
    assert result.omnibus.pvalue == friedman_exact(scores).pvalue
    assert result.omnibus.to_dict()["chi2"] == result.omnibus.statistic
    made = order(table, prior=list("dcba"), pairwise="score", omnibus="friedman-exact")
    assert made.omnibus is not None and made.omnibus.pvalue == result.omnibus.pvalue
    assert made.rejected and "phipson2010" in made.document().papers


def test_the_statistic_is_called_by_its_name_and_all_ties_are_said() -> None:
    scores = np.random.default_rng(5).random((6, 4)) + np.arange(4)
    table = Results.from_array(scores, score="error", algorithms=list("abcd"))
    for pairwise in ("ranks", "sign", "paired-t"):
        result = compare(table, omnibus="friedman-exact", pairwise=pairwise)
        assert f"(exact distribution), chi2 = {result.omnibus.statistic:.4g}, p" in str(result.document())
    made = order(table, prior=list("dcba"), pairwise="score", omnibus="friedman-exact")
    assert made.omnibus is not None
    assert any(f"exact distribution: chi2 = {made.omnibus.statistic:.4g}, p" in line for line in made.document().method)
    tied = friedman_exact(np.ones((4, 3)))
    assert tied.pvalue == 1 and [note.code for note in tied.caveats] == ["no-difference"]
