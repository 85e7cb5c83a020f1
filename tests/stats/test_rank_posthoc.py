"""Conover's and Dunn's tests after the Friedman test."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import OptionError
from tiebreak.stats import conover_pairs, dunn_pairs, rank_tests
from tiebreak.stats.numeric.basics import TINY

BRAZDIL = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 4]]  # Brazdil, Soares and Costa 2003, the worked example


def test_dunn_worked_example():
    result = dunn_pairs(BRAZDIL, alpha=0.25)
    statistic = {(row["a"], row["b"]): row["statistic"] for row in result.rows()}
    assert statistic["algorithm 1", "algorithm 2"] == pytest.approx(-0.32, abs=0.005)
    assert statistic["algorithm 1", "algorithm 4"] == pytest.approx(-2.53, abs=0.005)
    assert result.critical_value == pytest.approx(2.04, abs=0.005)
    assert ((np.abs(result.statistic) >= result.critical_value) == (result.adjusted <= 0.25)).all()


def test_dunn_is_bonferroni_over_both_directions():
    scores = np.random.default_rng(0).normal(size=(12, 5)) + np.arange(5) / 2
    result, z = dunn_pairs(scores), rank_tests(scores, adjust="bonferroni")
    assert result.statistic == pytest.approx(z.statistic)
    assert result.adjusted == pytest.approx(z.adjusted)
    one_sided = stats.norm.sf(np.abs(result.statistic))
    assert result.adjusted == pytest.approx(np.minimum(20 * one_sided, 1))
    assert result.method == "Dunn's test on ranks, Bonferroni over 20 one-sided comparisons"


@pytest.mark.parametrize("ties", [False, True])
def test_conover_is_the_two_way_layout_of_ranks(ties):
    """Second route: t tests with the residual mean square of the ranks."""
    scores = np.random.default_rng(1).normal(size=(9, 4)) + np.arange(4)
    ranks = stats.rankdata(np.rint(scores) if ties else scores, axis=1)
    residual = ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + ranks.mean()
    error = np.sqrt(2 * (residual**2).sum() / 24 / 9)
    a, b = np.triu_indices(4, 1)
    t = (ranks.mean(axis=0)[a] - ranks.mean(axis=0)[b]) / error
    result = conover_pairs(np.rint(scores) if ties else scores, adjust="bonferroni")
    assert result.statistic == pytest.approx(t)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(np.abs(t), 24))
    assert result.adjusted == pytest.approx(np.minimum(6 * result.pvalue, 1))
    assert result.method == "Conover's t tests on ranks (24 degrees of freedom) with Bonferroni's correction"


def test_conover_error_from_the_friedman_statistic():
    """Conover 1999, section 5.8, gives the same error as sqrt(2 S (A - C) (1 - T/(S (L-1))) / ((S-1)(L-1)))."""
    scores = np.random.default_rng(6).normal(size=(10, 4)) + np.arange(4) / 2
    chi2 = stats.friedmanchisquare(*scores.T).statistic
    ranks = stats.rankdata(scores, axis=1)
    spread = (ranks**2).sum() - 10 * 4 * 25 / 4
    error = np.sqrt(2 * 10 * spread * (1 - chi2 / 30) / 27)
    sums = ranks.sum(axis=0)
    assert conover_pairs(scores, control=0).statistic == pytest.approx((sums[0] - sums[1:]) / error)


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=9),
    st.permutations(range(4)),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_invariances(rows, order):
    """Reversed direction, a monotone change of scores, the order of columns."""
    table = np.array(rows, dtype=float)
    for test in (conover_pairs, dunn_pairs):
        result = test(table)
        assert test(-table, higher_is_better=True).statistic == pytest.approx(result.statistic)
        assert test(table, higher_is_better=True).statistic == pytest.approx(-result.statistic)
        assert test(np.exp(table)).pvalue == pytest.approx(result.pvalue)
        assert np.sort(test(table[:, order]).pvalue) == pytest.approx(np.sort(result.pvalue))
        assert (result.adjusted <= 1).all() and (result.pvalue > 0).all()


def test_family_wise_error():
    rng = np.random.default_rng(13)
    tables = rng.normal(size=(600, 15, 4))
    for test in (conover_pairs, dunn_pairs):
        assert np.mean([test(table).adjusted.min() <= 0.05 for table in tables]) < 0.05 + 0.027


def test_degenerate_tables():
    agree = conover_pairs([[1, 2, 2], [1, 2, 2], [1, 2, 2]])
    assert agree.statistic.tolist() == [-np.inf, -np.inf, 0.0]
    assert agree.pvalue.tolist() == [TINY, TINY, 1.0]
    assert agree.caveats == (
        "The error of the differences is zero: a pair that differs at all gets an infinite statistic and the"
        " smallest p-value that can be written.",
    )
    for test in (conover_pairs, dunn_pairs):
        tied = test([[1, 1], [2, 2]])
        assert (tied.statistic.tolist(), tied.adjusted.tolist(), tied.caveats) == ([0.0], [1.0], ())
    assert dunn_pairs(np.arange(2) + np.zeros((3000, 1))).adjusted[0] == TINY


def test_errors():
    with pytest.raises(OptionError) as caught:
        dunn_pairs(BRAZDIL, alpha=1.5)
    assert str(caught.value) == ("alpha is 1.5. It must be above 0 and below 1. Use alpha=0.05.")
    with pytest.raises(OptionError) as control:
        conover_pairs(BRAZDIL, control=9)
    assert str(control.value) == "There is no control column '9'. Known here: '0', '1', '2', '3'."
    with pytest.raises(OptionError, match=r"^There is no adjust 'none of these'. Known here: "):
        conover_pairs(BRAZDIL, adjust="none of these")
