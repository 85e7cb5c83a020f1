"""Two algorithms on the folds of one data set: published values, scipy, invariances, noise, degenerate input."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import corrected_resampled_t, five_by_two_f, five_by_two_t, fold_pairs, kfold_t
from tiebreak.stats.folds.fold_tests import f_10_5_upper
from tiebreak.stats.numeric.basics import TINY

from ..every import every

# Error rates (percent) of c45, knn, lda, lp on data set 1 (iris) of the Isell guide, five times two folds.
ISELL = np.array(
    [
        [6.667, 4.0, 6.667, 5.333, 5.333, 6.667, 8.0, 2.667, 5.333, 5.333],
        [9.333, 4.0, 6.667, 9.333, 5.333, 6.667, 9.333, 2.667, 9.333, 2.667],
        [5.333, 0.0, 1.333, 2.667, 1.333, 2.667, 4.0, 0.0, 2.667, 4.0],
        [8.0, 10.667, 6.667, 8.0, 4.0, 13.333, 21.333, 1.333, 5.333, 14.667],
    ]
)
# F, its p, 5x2cv t, its p, paired t over the ten folds, its p; pairs in the order of combinations(range(4), 2).
# Computed from the printed formulas with numpy 2.4 and scipy 1.17: F = sum d^2 / (2 sum s2), scipy.stats.f.sf;
# t = d_11 / sqrt(mean s2), scipy.stats.t.sf; scipy.stats.ttest_rel.
ISELL_EXPECTED = [
    (0.69232545, 0.7102722589048072, -1.01258354, 0.3577235029865023, -1.4126950452993638, 0.19137962452620613),
    (6.59948926, 0.025158973268815558, 1.00044991, 0.3630198398488894, 7.855142201853969, 2.560643947412122e-05),
    (0.91147236, 0.5806983743488086, -0.21029504, 0.8417385118539085, -2.3515100330540677, 0.0431980886516034),
    (3.00076843, 0.11842995431606611, 1.4818293, 0.19848015543292175, 5.670891455189815, 0.0003053781602284914),
    (0.7097686, 0.6992159769121472, 0.17756667, 0.8660327428743568, -1.4812380725228, 0.17268188816806138),
    (1.61109126, 0.312129710548541, -0.39845934, 0.7067377186955451, -4.236395588165533, 0.0021858827254452448),
]

# Accuracies in thousandths of AlgC and AlgD on data sets 1 and 2 of kcv.example, ten times ten folds (scmamp).
DB1_C = """
898 839 876 767 767 798 917 856 910 766 907 907 857 876 870 752 766 772 839 906 814 842 752 919 866 845
840 849 946 793 870 832 894 879 885 929 692 795 793 833 894 888 854 717 960 807 865 801 763 836 730 947
876 857 876 876 808 740 863 829 929 916 776 860 866 832 837 833 913 676 811 888 839 845 839 807 840 891
860 866 851 901 860 857 916 832 772 744 836 843 894 922 919 907 814 829 814 859 702 763
"""
DB1_D = """
910 854 882 807 748 803 923 865 913 783 907 916 863 866 870 752 769 779 846 933 798 876 770 925 885 835
798 846 936 803 876 835 904 873 913 932 705 801 789 853 904 913 860 717 966 795 859 824 816 836 767 969
863 832 882 894 804 756 858 846 929 922 767 835 870 814 849 798 926 706 854 882 832 845 837 832 846 910
866 870 854 896 866 882 885 820 763 772 846 856 910 932 913 891 811 828 814 853 712 779
"""
DB2_C = """
921 966 873 883 911 902 958 924 930 926 945 914 945 947 928 892 958 878 908 869 927 874 913 941 950 873
846 938 954 954 839 905 939 902 930 949 912 933 924 972 935 988 868 885 879 973 898 967 921 872 889 938
973 963 873 891 924 921 875 957 873 969 954 900 898 930 931 856 931 944 923 970 955 952 930 898 924 903
892 814 896 896 963 867 965 984 943 879 885 944 942 874 969 916 918 921 889 949 916 900
"""
DB2_D = """
924 935 907 912 905 895 936 933 932 929 951 916 938 952 927 893 957 865 922 859 924 874 937 957 960 862
836 944 945 945 824 919 937 882 930 947 926 953 943 957 946 985 835 895 890 959 906 956 917 881 918 917
969 955 902 891 943 906 879 946 868 965 968 894 917 934 917 856 925 947 910 953 958 960 936 910 927 905
897 818 882 905 958 868 964 975 949 894 883 940 915 869 971 890 910 947 893 951 953 885
"""


def thousandths(text):
    return np.array([int(word) / 1000 for word in text.split()])


def test_isell_five_by_two_and_paired_t():
    for (i, j), expected in zip(combinations(range(4), 2), ISELL_EXPECTED, strict=True):
        f, t, k = (test(ISELL[i], ISELL[j]) for test in (five_by_two_f, five_by_two_t, kfold_t))
        assert (f.statistic, t.statistic) == pytest.approx((expected[0], expected[2]), abs=5e-9)
        assert (f.pvalue, t.pvalue) == pytest.approx((expected[1], expected[3]), rel=1e-12)
        assert (k.statistic, k.pvalue) == pytest.approx(expected[4:], rel=1e-12)
        assert f.mean_difference == pytest.approx(np.mean(ISELL[i] - ISELL[j]), rel=1e-12)
        assert (f.df, t.df, k.df) == ((10, 5), (5,), (9,))


@pytest.mark.parametrize(
    ("c", "d", "t", "p"), [(DB1_C, DB1_D, -0.9252844, 0.357068), (DB2_C, DB2_D, -0.09875581, 0.9215318)]
)
def test_corrected_t_equals_scmamp(c, d, t, p):
    # R: scmamp 0.3.2, correlated t test with rho = 0.1 on kcv.example, AlgC - AlgD.
    result = corrected_resampled_t(thousandths(c), thousandths(d), test_share=0.1)
    assert (result.statistic, result.pvalue) == (pytest.approx(t, rel=1e-6), pytest.approx(p, rel=1e-6))
    assert result.df == (99,)


def test_ten_times_ten_folds_uses_one_ninth():
    a, b = thousandths(DB1_C), thousandths(DB1_D)
    d = a - b
    by_hand = d.mean() / np.sqrt((1 / 100 + 1 / 9) * d.var(ddof=1))
    assert corrected_resampled_t(a, b, test_share=0.1).statistic == pytest.approx(by_hand, rel=1e-12)


def test_kfold_t_equals_scipy():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 6, 10))
    ours, theirs = kfold_t(a, b), scipy_stats.ttest_rel(a, b, axis=-1)
    np.testing.assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    np.testing.assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-11)


def test_closed_form_tail_equals_scipy_in_both_tails():
    f = np.concatenate([[0.0], np.logspace(-12, 60, 200)])
    share = 1 / (1 + 2 * f)
    np.testing.assert_allclose(f_10_5_upper(share, 2 * f * share), scipy_stats.f.sf(f, 10, 5), rtol=1e-11)


@pytest.mark.parametrize(
    ("method", "alone", "options"),
    [
        ("5x2cv-f", five_by_two_f, {}),
        ("5x2cv-t", five_by_two_t, {}),
        ("kfold-t", kfold_t, {}),
        ("corrected-t", corrected_resampled_t, {"test_share": 0.5}),
    ],
)
def test_all_pairs_equal_the_pairs_one_by_one(method, alone, options):
    cube = np.random.default_rng(4).normal(0.8, 0.1, size=(3, 5, 10))
    result = fold_pairs(cube, method=method, **options)
    assert result.pvalue.shape == (3, 10)
    for s in range(3):
        for k, (i, j) in enumerate(combinations(range(5), 2)):
            one = alone(cube[s, i], cube[s, j], **options)
            assert result.statistic[s, k] == one.statistic
            assert result.pvalue[s, k] == one.pvalue
            assert result.mean_difference[s, k] == one.mean_difference


def test_blocks_leave_no_gap(monkeypatch):
    cube = np.random.default_rng(5).normal(size=(4, 6, 10))
    whole = fold_pairs(cube)
    monkeypatch.setattr("tiebreak.stats.numeric.basics.BLOCK", 40)
    np.testing.assert_array_equal(fold_pairs(cube).statistic, whole.statistic)
    np.testing.assert_array_equal(fold_pairs(cube).pvalue, whole.pvalue)


def test_repetitions_and_folds_may_have_their_own_axes():
    cube = np.random.default_rng(11).normal(size=(2, 3, 4, 6))
    nested = fold_pairs(cube, method="corrected-t", test_share=1 / 6)
    flat = fold_pairs(cube.reshape(2, 3, 24), method="corrected-t", test_share=1 / 6)
    np.testing.assert_array_equal(nested.pvalue, flat.pvalue)
    with pytest.raises(InputError, match=r"^scores has shape \(2, 3, 2, 5\)\. Pass the folds as"):
        fold_pairs(np.ones((2, 3, 2, 5)))


def test_flat_and_nested_folds_are_the_same_and_leading_axes_broadcast():
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(4, 1, 10)), rng.normal(size=(3, 10))
    flat, nested = five_by_two_f(a, b), five_by_two_f(a.reshape(4, 1, 5, 2), b.reshape(3, 5, 2))
    assert flat.statistic.shape == (4, 3)
    np.testing.assert_array_equal(flat.pvalue, nested.pvalue)
    assert flat.pvalue[2, 1] == five_by_two_f(a[2, 0], b[1]).pvalue
    np.testing.assert_array_equal(fold_pairs(rng.normal(size=(2, 3, 10))).df, fold_pairs(np.ones((2, 3, 5, 2))).df)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.7])
def test_noise_in_the_arithmetic_changes_nothing(share):
    a = np.array([0.1, 0.2, 0.3, 0.7, 0.6, 0.9, 0.35, 0.15, 0.8, 0.45])
    b = (a * 3 + share * 3) / 3  # the same decimals plus `share`, by another route
    assert not np.array_equal(b - a, np.full(10, share)) or share == 0.0
    for test in (five_by_two_f, five_by_two_t, kfold_t):
        result = test(a, b)
        if share == 0.0:
            assert (result.statistic, result.pvalue, result.mean_difference) == (0.0, 1.0, 0.0)
        else:
            assert np.isinf(result.statistic)
            assert result.pvalue == TINY


def test_identical_folds_give_p_1_and_constant_ones_the_floor():
    a = np.linspace(0.5, 0.9, 10)
    for result in (
        five_by_two_f(a, a),
        five_by_two_t(a, a),
        kfold_t(a, a),
        corrected_resampled_t(a, a, test_share=0.1),
    ):
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
        assert result.caveats[0] == "1 of 1 test(s) found no difference in any fold: p = 1."
    constant = five_by_two_f(a, a + 0.125)
    assert (constant.statistic, constant.pvalue) == (np.inf, TINY)
    assert constant.caveats == (
        "1 of 1 test(s) found a difference that does not vary: the statistic is infinite and p is the smallest"
        " number that is reported.",
    )
    assert kfold_t(a, a + 0.125).statistic == -np.inf


def test_equal_within_replications_but_not_between_has_no_spread_to_judge_by():
    d = np.repeat([0.0, 0.01, 0.02, -0.01, 0.03], 2)
    assert np.isinf(five_by_two_f(d, np.zeros(10)).statistic)
    first_is_zero = five_by_two_t(d, np.zeros(10))
    assert (first_is_zero.statistic, first_is_zero.pvalue) == (0.0, 1.0)


def test_opposite_differences_cancel_exactly():
    d = np.array([0.1, -0.1, 0.3, -0.3, 0.7, -0.7, 0.2, -0.2, 0.6, -0.6])
    result = kfold_t(0.3 + d, np.full(10, 0.3))
    assert (result.statistic, result.pvalue, result.mean_difference) == (0.0, 1.0, 0.0)


def test_a_diverged_algorithm_does_not_hide_the_others():
    cube = np.random.default_rng(7).normal(0.8, 0.05, size=(1, 3, 10))
    alone = fold_pairs(cube[:, :2]).pvalue[0, 0]
    cube[0, 2] = 1e30
    assert fold_pairs(cube).pvalue[0, 0] == alone


def test_kfold_t_says_that_it_rejects_too_often():
    assert kfold_t([0.1, 0.2, 0.4], [0.3, 0.1, 0.2]).caveats == (
        "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often. The"
        " corrected resampled t test on the same folds allows for it.",
    )


folds = st.lists(st.integers(0, 1000).map(lambda k: k / 1000), min_size=10, max_size=10).map(np.array)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(a=folds, b=folds)
def test_swapping_shifting_and_scaling(a, b):
    for test in (five_by_two_f, five_by_two_t, kfold_t):
        here, back, moved = test(a, b), test(b, a), test(8 * a + 1, 8 * b + 1)
        assert back.pvalue == here.pvalue
        assert back.mean_difference == -here.mean_difference
        assert moved.pvalue == pytest.approx(here.pvalue, rel=1e-9)
        assert TINY <= here.pvalue <= 1.0


@settings(derandomize=True, deadline=None, max_examples=20)
@given(a=folds, b=folds, seed=st.integers(0, 99))
def test_f_does_not_depend_on_the_order_of_replications_and_folds(a, b, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(5)[:, None] * 2 + np.array([rng.permutation(2) for _ in range(5)])
    shuffled = five_by_two_f(a[order.ravel()], b[order.ravel()])
    assert shuffled.pvalue == pytest.approx(five_by_two_f(a, b).pvalue, rel=1e-9)


@pytest.mark.parametrize(("method", "low", "high"), [("5x2cv-f", 0.01, 0.02), ("5x2cv-t", 0.02, 0.035)])
def test_size_under_the_null_is_at_most_alpha(method, low, high):
    """Independent normal folds: both stay below their level, as numerator and denominator share folds."""
    cube = np.random.default_rng(8).normal(size=(20_000, 2, 10))
    share = float((fold_pairs(cube, method=method).pvalue <= 0.05).mean())
    assert low < share < high


def test_overlap_makes_the_plain_t_reject_too_often_and_the_corrected_one_not():
    """Differences correlated by the share of the test part, as the correction supposes."""
    rng = np.random.default_rng(9)
    d = np.sqrt(0.9) * rng.normal(size=(20_000, 10)) + np.sqrt(0.1) * rng.normal(size=(20_000, 1))
    zero = np.zeros(10)
    assert float((kfold_t(d, zero).pvalue <= 0.05).mean()) > 0.09
    corrected = corrected_resampled_t(d, zero, test_share=0.1)
    assert float((corrected.pvalue <= 0.05).mean()) == pytest.approx(0.05, abs=0.005)


def test_results_print_and_are_read_only():
    result = fold_pairs(ISELL[None], algorithms=["c45", "knn", "lda", "lp"], datasets=["iris"])
    assert result.title() == "5x2 cv F test: 1 data set(s), 6 pair(s), df (10, 5)"
    assert result.rows()[1] == {
        "dataset": "iris",
        "a": "c45",
        "b": "lda",
        "statistic": pytest.approx(6.59948926),
        "pvalue": pytest.approx(0.025158973268815558),
        "mean_difference": pytest.approx(3.2),
    }
    assert "0.0252" in str(result)
    with pytest.raises(ValueError, match="read-only"):
        result.pvalue[0, 0] = 1.0
    one = five_by_two_f(ISELL[0], ISELL[2])
    assert one.title() == "5x2 cv F test: 1 test(s), df (10, 5)"
    assert one.rows() == [{"statistic": one.statistic, "pvalue": one.pvalue, "mean_difference": one.mean_difference}]


@every(
    ("call", "error", "words"),
    [
        (
            lambda: five_by_two_f(np.ones(9), np.ones(10)),
            InputError,
            "a has shape (9,). Pass the folds as (..., 5, 2) or (..., 10), or use the corrected resampled t test.",
        ),
        (
            lambda: kfold_t([0.5], [0.6]),
            InputError,
            "a has shape (1,). Pass two folds or more, on the last axis.",
        ),
        (
            lambda: kfold_t(np.ones((2, 5)), np.ones((3, 5))),
            InputError,
            "a has shape (2, 5) and b has shape (3, 5). Pass arrays with the same folds and leading axes that"
            " broadcast.",
        ),
        (
            lambda: kfold_t([1.0, float("nan")], [1.0, 2.0]),
            InputError,
            "a[1] is nan (1 such value(s) in all). Drop those data sets, or choose a policy for gaps with"
            " tiebreak.compare(..., missing=...).",
        ),
        (
            lambda: kfold_t([1.0, 1e200], [1.0, 2.0]),
            InputError,
            "a holds a score of size 1e+200, above 1e+150. Leave that algorithm out, or compare"
            " ranks over many data sets.",
        ),
        (
            lambda: fold_pairs(np.ones((2, 10))),
            InputError,
            "scores has shape (2, 10). Pass an array of shape (data sets, algorithms, folds) or (data sets,"
            " algorithms, replications, folds).",
        ),
        (
            lambda: fold_pairs(np.ones((2, 1, 10))),
            InputError,
            "scores has 1 algorithm(s). Add the column of another algorithm.",
        ),
        (
            lambda: fold_pairs(np.ones((2, 3, 10)), method="5x2"),
            OptionError,
            "There is no method '5x2'. Known here: '5x2cv-f', '5x2cv-t', 'kfold-t', 'corrected-t'.",
        ),
        (
            lambda: fold_pairs(np.ones((2, 3, 10)), test_share=0.1),
            OptionError,
            "test_share is given for method='5x2cv-f'. Leave it out, or use method='corrected-t'.",
        ),
        (
            lambda: corrected_resampled_t([1, 2], [2, 4], test_share=1.0),
            OptionError,
            "test_share is 1.0. It must be above 0 and below 1. Use test_share=0.1 for ten folds.",
        ),
        (
            lambda: corrected_resampled_t([1, 2], [2, 4]),
            OptionError,
            "The share of the examples in the test part is not given. Use test_share=0.1 for ten folds.",
        ),
    ],
)
def test_errors_say_what_why_and_how_to_mend(call, error, words):
    with pytest.raises(error, match=f"^{re.escape(words)}") as caught:
        call()
    assert str(caught.value).startswith(words)
