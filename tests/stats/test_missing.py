from __future__ import annotations

import numpy as np
import pytest

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import friedman, rank_tests, skillings_mack, skillings_mack_pairs

NAN = float("nan")
HOLLANDER_WOLFE = [[3, 5, 15], [1, 3, 18], [5, 4, 21], [2, NAN, 6], [0, 2, 17], [0, 2, 10], [0, 3, 8], [0, 2, 13]]


def test_hollander_and_wolfe() -> None:
    result = skillings_mack(HOLLANDER_WOLFE)
    # R 4.4, PMCMRplus: skillingsMackTest(y, groups, blocks): 13.280952, df 2, p 0.001306405
    assert (result.statistic, result.pvalue) == pytest.approx((13.280952, 0.001306405), rel=1e-6)
    assert result.df == (2,)


@pytest.mark.parametrize("ties", [False, True])
def test_without_gaps_it_is_friedman(ties: bool) -> None:
    table = np.random.default_rng(2).normal(size=(13, 5)).round(0 if ties else 6)
    result, plain = skillings_mack(table), friedman(table, statistic="chi2")
    assert (result.statistic, result.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-10)
    assert result.mean_ranks == pytest.approx(plain.mean_ranks)


def test_without_gaps_and_ties_the_pairs_are_the_rank_tests() -> None:
    table = np.random.default_rng(3).normal(size=(13, 5))
    pairs, plain = skillings_mack_pairs(skillings_mack(table)), rank_tests(table, adjust="holm")
    assert pairs.statistic == pytest.approx(plain.statistic, rel=1e-9)
    assert pairs.adjusted == pytest.approx(plain.adjusted, rel=1e-9)


def test_the_number_of_data_sets_of_an_algorithm_is_not_held_against_it() -> None:
    rng = np.random.default_rng(4)
    table = rng.normal(size=(60, 4)) + np.array([0.0, 0.0, 1.0, 1.0])
    table[15:, 0] = NAN  # a good algorithm, seldom run
    assert np.argsort(skillings_mack(table).mean_ranks)[:2].tolist() in ([0, 1], [1, 0])


def test_size_under_the_null_with_gaps() -> None:
    rng, trials, hits, wise = np.random.default_rng(5), 600, 0, 0
    for _ in range(trials):
        table = rng.normal(size=(25, 4))
        table[rng.random(table.shape) < 0.2] = NAN
        result = skillings_mack(table)
        hits += result.pvalue <= 0.05
        wise += bool((skillings_mack_pairs(result).adjusted <= 0.05).any())
    assert abs(hits / trials - 0.05) < 3 * (0.05 * 0.95 / trials) ** 0.5
    assert wise / trials < 0.05 + 3 * (0.05 * 0.95 / trials) ** 0.5


def test_all_ties() -> None:
    result = skillings_mack([[1, 1, NAN], [1, 1, 1], [2, 2, 2]])
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert skillings_mack_pairs(result).adjusted.tolist() == [1.0, 1.0, 1.0]


def test_algorithms_that_only_tie_are_not_told_apart() -> None:
    table = [[0.1, 0.2, NAN]] * 20 + [[0.3, 0.3, 0.3]] * 5
    result = skillings_mack(table)
    assert result.df == (1,) and result.parts.tolist() == [0, 0, 1]
    pairs = skillings_mack_pairs(result)
    assert pairs.pvalue[1:].tolist() == [1.0, 1.0] and pairs.pvalue[0] < 1e-4
    assert any("Only ties join 2 sets" in caveat for caveat in result.caveats)


def test_nonsense_is_refused() -> None:
    result = skillings_mack(HOLLANDER_WOLFE)
    with pytest.raises(OptionError, match="There is no control column '7'"):
        skillings_mack_pairs(result, control=7)
    with pytest.raises(OptionError, match="There is no adjust 'zz'"):
        skillings_mack_pairs(result, adjust="zz")


def test_algorithms_that_never_meet_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        skillings_mack([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], algorithms=["a", "b", "c", "d"])
    assert str(caught.value) == (
        "'c' and 'a' share no data set, not even through other algorithms. Drop one group of algorithms with"
        " `results.without(algorithms=[...])`."
    )


def test_a_control() -> None:
    pairs = skillings_mack_pairs(skillings_mack(HOLLANDER_WOLFE), control=0)
    assert pairs.a.tolist() == [0, 0] and pairs.b.tolist() == [1, 2]
