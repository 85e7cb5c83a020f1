"""The Quade test and its pairwise z tests."""

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import friedman, quade, quade_pairs
from tiebreak.stats.many.quade import _standard_error, f_of_sums, untied_total
from tiebreak.stats.numeric.basics import TINY, normal_two_sided
from tiebreak.stats.results import compared

# Garcia and Herrera 2008, as shipped with scmamp 0.3.2 (data_gh_2008)
GH2008 = (  # accuracies in thousandths, 30 data sets; C4.5, 1-NN, naive Bayes, Kernel, CN2
    "219 202 249 165 261 / 803 750 813 692 798 / 859 814 845 542 816 / 809 774 673 275 785 / "
    "768 790 727 872 706 / 759 654 734 703 714 / 693 611 572 689 572 / 544 531 558 439 541 / "
    "945 954 978 541 858 / 725 705 739 625 717 / 674 736 721 356 704 / 801 357 520 309 520 / "
    "785 770 841 659 759 / 710 402 728 120 674 / 691 827 667 527 638 / 743 739 830 549 746 / "
    "990 482 941 857 990 / 867 98 915 986 784 / 821 872 815 885 778 / 893 824 902 739 885 / "
    "799 655 925 517 755 / 845 731 693 653 704 / 741 701 591 663 619 / 799 994 603 269 621 / "
    "949 955 989 770 954 / 555 505 569 312 556 / 928 928 945 419 897 / 915 857 860 700 777 / "
    "855 796 857 607 809 / 906 359 895 641 918"
)
SACHS = [  # Sachs 1997, p. 671, six diuretics on six persons
    [3.88, 30.58, 25.24, 4.44, 29.41, 38.87],
    [5.64, 30.14, 33.52, 7.94, 30.72, 33.12],
    [5.76, 16.92, 25.45, 4.04, 32.92, 39.15],
    [4.25, 23.19, 18.85, 4.40, 28.23, 28.06],
    [5.91, 26.74, 20.45, 4.23, 23.35, 38.23],
    [4.33, 10.91, 26.67, 4.36, 12.00, 26.65],
]
STAC = [[3, 4, 4], [4, 3, 3], [5, 2, 5], [6, 1, 6], [1, 2, 3], [5, 6, 7]]  # citiususc/stac, unit_tests.py
TOY = [  # Derrac et al. 2011, Table 7
    [2.711, 3.147, 2.515, 2.612],
    [7.832, 9.828, 7.832, 7.921],
    [0.012, 0.532, 0.122, 0.005],
    [3.431, 4.111, 3.401, 3.401],
]


def test_sachs():
    """R 4 stats::quade.test(matrix): F 9.4882487, num df 5, denom df 25, p 3.60962e-05."""
    result = quade(SACHS)
    assert result.statistic == pytest.approx(9.4882487, abs=5e-8)
    assert result.pvalue == pytest.approx(3.60962e-05, rel=1e-5)
    assert result.df == (5, 25)


def test_gh2008():
    """R stats::quade.test 10.94340411, p 1.455157531e-07; scmamp::quadeTest, no ties, 10.801846, 1.772024887e-07."""
    scores = np.array([row.split() for row in GH2008.split(" / ")], dtype=float) / 1000
    result = quade(scores, higher_is_better=True)
    assert result.statistic == pytest.approx(10.94340411, abs=5e-9)
    assert result.pvalue == pytest.approx(1.455157531e-07, rel=1e-8)
    plain = quade(scores, higher_is_better=True, tie_correction=False)
    assert plain.statistic == pytest.approx(10.801846, abs=5e-7)
    assert plain.pvalue == pytest.approx(1.772024887e-07, rel=1e-6)


def test_stac():
    result = quade(STAC)
    assert result.statistic == pytest.approx(2.31374172185, abs=1e-11)
    assert result.pvalue == pytest.approx(0.1493, abs=5e-5)
    assert result.mean_ranks == pytest.approx([1.9286, 1.4762, 2.5952], abs=5e-5)


def test_derrac_tables_7_and_11():
    assert quade(TOY).mean_ranks == pytest.approx([2.3, 4.0, 1.55, 2.15])
    table_11 = np.array([6.5415, 4.7415, 7.1785, 5.8769, 5.1108, 5.6123, 3.5538, 3.1123, 3.2723])
    sums = (table_11 - 5) * 25 * 26 / 2
    f, p = f_of_sums(untied_total(25, 9), float((sums**2).sum()) / 25, 25, 9)
    assert f == pytest.approx(6.63067, abs=3e-4)  # the ranks are printed with four decimals
    assert p == pytest.approx(1.2e-7, rel=0.01)


def test_printed_variance_gives_derrac_tables_12_to_15():
    """Weighted mean ranks 2.3785, 3.4185, 2.48 and, for the control, 1.7231; 25 data sets."""
    error = _standard_error(np.zeros((25, 4)), "printed")
    z = compared(np.array([2.3785, 3.4185, 2.48, 1.7231]), error, 3)[2]
    assert -z == pytest.approx([1.281529, 3.315129, 1.480076], abs=2e-4)  # ranks with four decimals
    assert normal_two_sided(z) == pytest.approx([0.200008, 0.000916, 0.138853], abs=5e-5)


@pytest.mark.parametrize("table", [[[0, 1, 5], [2, 9, 3], [8, 1, 2.5]], [[0, 1, 1], [2, 9, 3], [8, 8, 2]]])
def test_permutation_variance_is_exact(table):
    """Over all permutations within data sets the mean of z squared is 1."""
    shuffled = product(*(list(permutations(row)) for row in table))
    z = [quade_pairs(rows).statistic for rows in shuffled]
    assert np.mean(np.square(z), axis=0) == pytest.approx([1.0, 1.0, 1.0], rel=1e-12)


def test_both_variances_without_ties():
    z = [
        quade_pairs(np.random.default_rng(3).normal(size=(12, 5)), variance=variance).statistic
        for variance in ("permutation", "printed")
    ]
    assert z[0] / z[1] == pytest.approx(np.full(10, np.sqrt(2)))  # sqrt((L - 1) / 2)


def test_equal_ranges_make_it_friedman():
    rng = np.random.default_rng(2)
    ranks = np.array([rng.permutation(5) for _ in range(9)])
    assert quade(ranks).statistic == pytest.approx(friedman(ranks).f)
    assert quade(ranks).weights.tolist() == [5.0] * 9


@given(
    st.lists(st.lists(st.integers(-50, 50), min_size=4, max_size=4), min_size=2, max_size=8),
    st.permutations(range(4)),
    st.integers(-1000, 1000),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_invariances(rows, order, shift):
    """Order of columns, reversed direction, and a constant added to one data set."""
    table = np.array(rows, dtype=float)
    result, pairs = quade(table), quade_pairs(table, control=0)
    permuted = quade(table[:, order])
    assert permuted.statistic == pytest.approx(result.statistic, rel=1e-9)
    assert permuted.mean_ranks == pytest.approx(result.mean_ranks[order])
    assert quade(-table, higher_is_better=True).mean_ranks == pytest.approx(result.mean_ranks)
    assert quade_pairs(-table, control=0).statistic == pytest.approx(-pairs.statistic)
    table[0] += shift / 10
    assert quade(table).weights.tolist() == result.weights.tolist()


def test_size_and_family_wise_error():
    rng = np.random.default_rng(12)
    tables = rng.normal(size=(600, 20, 4)) * rng.uniform(0.5, 2, size=(600, 20, 1))
    rejected = np.mean([quade(table).pvalue <= 0.05 for table in tables])
    assert abs(rejected - 0.05) < 0.027
    family = np.mean([quade_pairs(table).adjusted.min() <= 0.05 for table in tables])
    assert family < 0.05 + 0.027


def test_perfect_agreement_has_its_exact_probability():
    result = quade([[1, 2, 3, 4]] * 3)
    assert (result.statistic, result.total) == (float("inf"), result.between)
    assert result.pvalue == pytest.approx(factorial(4) ** -2)
    assert result.caveats[-1] == "All data sets agree perfectly with one range: F is infinite and p is exact."
    assert quade([[1, 1, 2]] * 4).pvalue == pytest.approx(1 / 27)  # three orders of a tied row
    assert quade([[1, 2, 3, 4]] * 500).pvalue == TINY
    assert np.isfinite(quade([[1, 2, 3], [1, 3, 5], [1, 4, 7]]).statistic)  # agree, with different ranges


def test_degenerate_tables():
    tied = quade([[1, 1, 1], [2, 2, 2]])
    assert (tied.statistic, tied.pvalue) == (0.0, 1.0)
    assert tied.caveats[-1] == "Every data set ties all algorithms: nothing distinguishes them."
    assert quade_pairs([[1, 1, 1], [2, 2, 2]]).adjusted.tolist() == [1.0, 1.0, 1.0]
    assert quade([[1, 2], [3, 1], [2, 5]]).df == (1, 2)
    copies = quade_pairs([[1, 1, 3], [2, 2, 0], [4, 4, 1]])
    assert (copies.statistic[0], copies.pvalue[0]) == (0.0, 1.0)


def test_words():
    text = str(quade(STAC, algorithms=["A", "B", "C"]))
    assert text == (
        "Quade test, corrected for ties: statistic 2.3137, df (2, 10), p = 0.1493\n"
        "algorithm  weighted_mean_rank\n"
        "B                       1.476\n"
        "A                       1.929\n"
        "C                       2.595\n"
        "- 6 data sets: the F approximation is rough below ten."
    )
    assert quade_pairs(STAC, control=0).method == (
        "z tests on Quade's weighted mean ranks (permutation variance) with Holm's correction"
    )


def test_errors():
    with pytest.raises(OptionError) as caught:
        quade_pairs(TOY, control=4)
    assert str(caught.value) == "There is no control column '4'. Known here: '0', '1', '2', '3'."
    with pytest.raises(InputError) as refused:
        quade([[1, float("nan")], [1, 2]])
    assert str(refused.value) == (
        "scores[0, 1] is nan (1 such value(s) in all). Drop those data sets, or choose a policy for gaps with"
        " tiebreak.compare(..., missing=...)."
    )
