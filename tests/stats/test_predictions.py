"""McNemar's test and the score test of totals: mlxtend's values, counting by hand, invariances, degenerate input."""

import re
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import mcnemar, mcnemar_from_predictions, proportion_pairs
from tiebreak.stats.numeric.basics import TINY

from ..every import every

METHODS = ("exact", "mid-p", "corrected", "uncorrected")


@pytest.mark.parametrize(
    ("method", "statistic", "pvalue"),
    [
        ("corrected", 20.67222222222222, 5.450094825427117e-06),
        ("uncorrected", 21.355555555555554, 3.815135865112594e-06),
        ("exact", 59.0, 4.43444926375551e-06),
    ],
)
def test_table_of_mlxtend(method, statistic, pvalue):
    # mlxtend, mlxtend/evaluate/tests/test_mcnemar_test.py, table [[101, 121], [59, 33]].
    result = mcnemar([[101, 121], [59, 33]], method=method)
    assert (result.statistic, result.pvalue) == pytest.approx((statistic, pvalue), rel=1e-12)
    assert (result.only_a, result.only_b) == (121, 59)


def by_counting(a, b):
    n, k = a + b, min(a, b)
    lower = sum(comb(n, i) for i in range(k + 1))
    exact = min(1.0, 2 * lower / 2**n)
    return exact, (2 * lower - comb(n, k)) / 2**n


@settings(derandomize=True, deadline=None, max_examples=60)
@given(a=st.integers(0, 60), b=st.integers(0, 60))
def test_exact_and_mid_p_equal_counting(a, b):
    exact, mid = by_counting(a, b)
    assert mcnemar(a, b).pvalue == pytest.approx(exact, rel=1e-12)
    assert mcnemar(a, b, method="mid-p").pvalue == pytest.approx(mid, rel=1e-12)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(a=st.integers(0, 500), b=st.integers(0, 500))
def test_swapping_the_classifiers_changes_nothing_and_equal_counts_give_1(a, b):
    for method in METHODS:
        assert mcnemar(a, b, method=method).pvalue == mcnemar(b, a, method=method).pvalue
        assert mcnemar(a, a, method=method).pvalue == 1.0
        assert TINY <= mcnemar(a, b, method=method).pvalue <= 1.0


def test_exact_equals_scipy_for_arrays_of_counts():
    a, b = np.arange(0, 40, 3), np.arange(40, 0, -3)[:14]
    ours = mcnemar(a, b).pvalue
    theirs = [scipy_stats.binomtest(int(i), int(i + j)).pvalue for i, j in zip(a, b, strict=True)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_far_tail_is_not_zero():
    assert mcnemar(0, 5000).pvalue == TINY
    assert mcnemar(0, 1000).pvalue == pytest.approx(2.0**-999, rel=1e-9)


def test_no_discordant_example_gives_p_1_with_a_caveat():
    for method in METHODS:
        result = mcnemar([0, 30], [0, 10], method=method)
        assert (result.statistic[0], result.pvalue[0]) == (0.0, 1.0)
        assert result.caveats == ("1 of 2 test(s): both are right on the same examples, p = 1.",)


def test_few_examples_make_chi_squared_rough():
    assert mcnemar(3, 9, method="corrected").caveats == (
        "1 of 1 test(s) rest on fewer than 25 examples that only one of the two gets right: the chi-squared"
        " approximation is"
        ' rough, use method="exact".',
    )
    assert mcnemar(3, 9).caveats == ()


def test_predictions_give_the_counts():
    truth = np.array(["cat", "dog", "cat", "dog", "cat"])
    a = np.array(["cat", "dog", "dog", "dog", "dog"])
    b = np.array([["dog", "cat", "cat", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"]])
    result = mcnemar_from_predictions(truth, a, b)
    assert result.only_a.tolist() == [2, 0]
    assert result.only_b.tolist() == [1, 0]
    assert result.pvalue.tolist() == [1.0, 1.0]
    assert result.rows()[0] == {"only_a": 2, "only_b": 1, "statistic": 1.0, "pvalue": 1.0}
    assert result.title() == "McNemar's test, exact binomial: 2 test(s)"


def test_size_under_the_null():
    rng = np.random.default_rng(1)
    counts = rng.multinomial(200, [0.7, 0.1, 0.1, 0.1], size=20_000)
    rate = {m: float((mcnemar(counts[:, 1], counts[:, 2], method=m).pvalue <= 0.05).mean()) for m in METHODS}
    assert rate["exact"] <= 0.05
    assert rate["corrected"] <= 0.05
    assert rate["mid-p"] == pytest.approx(0.05, abs=0.01)
    assert rate["uncorrected"] == pytest.approx(0.05, abs=0.01)


def test_the_square_of_the_score_test_of_totals_is_the_chi_squared_of_the_table():
    rng = np.random.default_rng(2)
    for x, y in rng.integers(1, 90, size=(20, 2)):
        ours = proportion_pairs([x, y], [100, 120], method="score", adjust="none")
        chi2, p, _, _ = scipy_stats.chi2_contingency([[x, 100 - x], [y, 120 - y]], correction=False)
        assert ours.statistic[0] ** 2 == pytest.approx(chi2, rel=1e-9, abs=1e-12)
        assert ours.pvalue[0] == pytest.approx(p, rel=1e-9)
        assert ours.difference[0] == pytest.approx(x / 100 - y / 120)
    for passed, n in (([0, 0], [50, 50]), ([50, 50], [50, 50]), ([1, 10], [3, 30])):
        assert proportion_pairs(passed, n, method="score").pvalue[0] == 1.0


@every(
    ("call", "error", "words"),
    [
        (lambda: mcnemar(1, 2, method="edwards"), OptionError, "There is no method 'edwards'. Known here: 'exact', "),
        (
            lambda: mcnemar([[1, 2, 3]]),
            InputError,
            "The table has shape (1, 3). Pass [[both right, only a right], [only b right, both wrong]], or"
            " mcnemar(only_a, only_b).",
        ),
        (
            lambda: mcnemar(0.25, 3),
            InputError,
            "only_a holds 0.25. Pass numbers of examples, not rates.",
        ),
        (lambda: mcnemar(-1, 3), InputError, "only_a holds -1.0. "),
        (
            lambda: mcnemar([1, 2], [1, 2, 3]),
            InputError,
            "The shapes do not fit together: only_a (2,), only_b (3,). Pass arrays of one shape.",
        ),
        (
            lambda: mcnemar_from_predictions([1, 0], [1, 0, 1], [1, 0]),
            InputError,
            "truth has shape (2,), a has shape (3,) and b has shape (2,). Pass one prediction per example, on the"
            " last axis.",
        ),
        (
            lambda: mcnemar_from_predictions([[1, 0]] * 2, [[1, 0]] * 3, [1, 0]),
            InputError,
            "truth has shape (2, 2), a has shape (3, 2) and b has shape (2,). Pass one prediction per example",
        ),
        (
            lambda: mcnemar_from_predictions([1, 0], ["1", "0"], [1, 0]),
            InputError,
            "truth holds int64 and a holds <U1. Use the same class labels in both.",
        ),
        (
            lambda: mcnemar_from_predictions([1, 0], [1.0, float("nan")], [1, 0]),
            InputError,
            "truth, a or b holds NaN. Drop those examples for both classifiers.",
        ),
    ],
)
def test_errors_say_what_why_and_how_to_mend(call, error, words):
    with pytest.raises(error, match=f"^{re.escape(words)}"):
        call()
