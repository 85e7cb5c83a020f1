"""Friedman's test on aligned ranks and its pairwise z tests."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import OptionError
from tiebreak.stats import aligned_pairs, aligned_ranks
from tiebreak.stats.many.aligned_ranks import _standard_error, rank_aligned
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
STAC = [[3, 4, 4], [4, 3, 3], [5, 2, 5], [6, 1, 6], [1, 2, 3], [5, 6, 7]]  # citiususc/stac, unit_tests.py
TOY = [  # Derrac et al. 2011, Table 7
    [2.711, 3.147, 2.515, 2.612],
    [7.832, 9.828, 7.832, 7.921],
    [0.012, 0.532, 0.122, 0.005],
    [3.431, 4.111, 3.401, 3.401],
]


def gh2008():
    return [[Fraction(int(cell), 1000) for cell in row.split()] for row in GH2008.split(" / ")]


def test_toy_ranks_of_derrac_table_7():
    expected = [[12, 14, 4, 10], [1.5, 16, 1.5, 3], [8, 13, 11, 7], [9, 15, 5.5, 5.5]]
    assert rank_aligned(np.array(TOY)).tolist() == expected
    assert aligned_ranks(TOY).mean_ranks.tolist() == [7.625, 14.5, 5.5, 6.375]


def test_stac_without_tie_correction():
    result = aligned_ranks(STAC, tie_correction=False)
    assert result.statistic == pytest.approx(3.7024551118, abs=1e-10)
    assert result.pvalue == pytest.approx(0.1570, abs=5e-5)
    assert result.mean_ranks == pytest.approx([9.3333, 6.1667, 13], abs=5e-5)


def test_gh2008_equals_exact_arithmetic():
    """scmamp 0.3.2 gives 41.69092302: rounding in its row means breaks some of the ties."""
    table = gh2008()
    aligned = [[float(cell - sum(row) / 5) for cell in row] for row in table]
    ranks = stats.rankdata(-np.array(aligned)).reshape(30, 5)
    sums, rows = ranks.sum(axis=0), ranks.sum(axis=1)
    numerator = 4 * ((sums**2).sum() - 5 * 30**2 / 4 * 151**2)
    printed = numerator / (150 * 151 * 301 / 6 - (rows**2).sum() / 5)
    corrected = numerator / ((ranks**2).sum() - (rows**2).sum() / 5)
    scores = np.array(table, dtype=float)
    plain = aligned_ranks(scores, higher_is_better=True, tie_correction=False)
    assert plain.statistic == pytest.approx(printed, rel=1e-12)
    assert plain.statistic == pytest.approx(41.69092302, rel=1e-3)
    assert aligned_ranks(scores, higher_is_better=True).statistic == pytest.approx(corrected, rel=1e-12)
    assert corrected == pytest.approx(41.729190, abs=1e-6)


def test_printed_variance_gives_derrac_tables_12_to_15():
    """Mean aligned ranks 51.96, 65.92, 48.52 and, for the control, 35.6; 25 data sets."""
    error = _standard_error(np.zeros((25, 4)), "printed")
    z = compared(np.array([51.96, 65.92, 48.52, 35.6]), error, 3)[2]
    assert -z == pytest.approx([1.993739, 3.694997, 1.574517], abs=1e-6)
    assert normal_two_sided(z) == pytest.approx([0.046181, 0.000220, 0.115368], abs=1e-6)


def all_permutations(table):
    return product(*([list(row) for row in permutations(row)] for row in table))


@pytest.mark.parametrize("table", [[[0, 1, 5], [2, 9, 3], [8, 1, 2.5]], [[0, 1, 1], [2, 9, 3], [8, 8, 2]]])
def test_permutation_moments_are_those_of_the_reference(table):
    """Over all permutations within data sets the mean of T is L - 1 and that of z squared is 1."""
    shuffled = list(all_permutations(table))
    t = [aligned_ranks(rows).statistic for rows in shuffled]
    z = [aligned_pairs(rows).statistic for rows in shuffled]
    assert np.mean(t) == pytest.approx(2.0, rel=1e-12)
    assert np.mean(np.square(z), axis=0) == pytest.approx([1.0, 1.0, 1.0], rel=1e-12)


def test_printed_variance_is_too_small():
    rng = np.random.default_rng(5)
    z = [aligned_pairs(rng.normal(size=(20, 2)), variance="printed").statistic[0] for _ in range(800)]
    assert np.var(z) == pytest.approx(2.0, abs=0.3)


def test_rounding_does_not_break_ties():
    table = np.array([[0.1, 0.2, 0.3], [0.3, 0.4, 0.5], [0.7, 0.8, 0.9], [0.6, 0.4, 0.5]])
    whole = np.rint(table * 10)
    assert rank_aligned(table).tolist() == rank_aligned(whole).tolist()
    assert rank_aligned(table * 1e-200).tolist() == rank_aligned(table * 1e200).tolist()


@given(
    st.lists(st.lists(st.integers(-50, 50), min_size=4, max_size=4), min_size=2, max_size=8),
    st.permutations(range(4)),
    st.integers(-1000, 1000),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_invariances(rows, order, shift):
    """Order of columns, reversed direction, and a constant added to one data set."""
    table = np.array(rows, dtype=float)
    result, pairs = aligned_ranks(table), aligned_pairs(table, control=0)
    permuted = aligned_ranks(table[:, order])
    assert permuted.statistic == pytest.approx(result.statistic, rel=1e-12)
    assert permuted.mean_ranks.tolist() == result.mean_ranks[order].tolist()
    flipped = aligned_ranks(-table, higher_is_better=True)
    assert flipped.mean_ranks.tolist() == result.mean_ranks.tolist()
    assert aligned_pairs(-table, control=0).statistic == pytest.approx(-pairs.statistic)
    table[0] += shift / 10
    assert aligned_ranks(table).statistic == pytest.approx(result.statistic, rel=1e-12)


def test_size_and_family_wise_error():
    rng = np.random.default_rng(11)
    tables = rng.normal(size=(600, 20, 4)) + 3 * rng.normal(size=(600, 20, 1))
    rejected = np.mean([aligned_ranks(table).pvalue <= 0.05 for table in tables])
    assert abs(rejected - 0.05) < 0.027
    family = np.mean([aligned_pairs(table).adjusted.min() <= 0.05 for table in tables])
    assert family < 0.05 + 0.027


def test_sign_and_control():
    better_b = aligned_pairs([[2, 1], [3, 1], [4, 2]])
    assert better_b.statistic[0] > 0
    assert aligned_pairs([[2, 1], [3, 1], [4, 2]], higher_is_better=True).statistic[0] < 0
    control = aligned_pairs(STAC, control=1, adjust="bonferroni", algorithms=["x", "y", "z"])
    assert [(row["a"], row["b"]) for row in control.rows()] == [("y", "x"), ("y", "z")]
    assert control.adjusted == pytest.approx(np.minimum(2 * control.pvalue, 1))
    assert control.method == "z tests on mean aligned ranks (permutation variance) with Bonferroni's correction"


def test_degenerate_tables():
    tied = aligned_ranks([[1, 1, 1], [2, 2, 2]])
    assert (tied.statistic, tied.pvalue) == (0.0, 1.0)
    assert tied.caveats[-1] == "Every data set ties all algorithms: nothing distinguishes them."
    assert aligned_ranks([[1, 1, 1], [2, 2, 2]], tie_correction=False).pvalue == 1.0
    assert aligned_pairs([[1, 1, 1], [2, 2, 2]]).adjusted.tolist() == [1.0, 1.0, 1.0]
    far = aligned_pairs(np.arange(2) + np.zeros((3000, 1)))
    assert far.pvalue[0] == TINY
    assert aligned_ranks([[1, 2], [1, 2]]).df == (1,)


def test_words():
    text = str(aligned_ranks(TOY, algorithms=["A", "B", "C", "D"]))
    assert text.splitlines()[:3] == [
        "Friedman test on aligned ranks, corrected for ties: statistic 8.3948, df (3), p = 0.03852",
        "algorithm  mean_aligned_rank",
        "C                        5.5",
    ]
    assert text.splitlines()[-1] == "- 4 data sets: the chi-squared approximation is rough below ten."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": 4}, "There is no control column '4'. Known here: '0', '1', '2', '3'."),
        ({"control": -1}, "There is no control column '-1'. Known here: '0', '1', '2', '3'. Did you mean '1'?"),
        (
            {"variance": "print"},
            "There is no variance 'print'. Known here: 'permutation', 'printed'. Did you mean 'printed'?",
        ),
    ],
)
def test_errors(options, message):
    with pytest.raises(OptionError) as caught:
        aligned_pairs(TOY, **options)
    assert str(caught.value) == message


def test_unknown_correction():
    with pytest.raises(OptionError, match=r"^There is no adjust 'hol'. Known here: .* Did you mean 'holm'\?$"):
        aligned_pairs(TOY, adjust="hol")
