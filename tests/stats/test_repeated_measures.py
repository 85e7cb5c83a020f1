"""Repeated-measures analysis of variance, its two corrections and Mauchly's test."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import rm_anova
from tiebreak.stats.numeric.basics import TINY

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


def gh2008():
    return np.array([row.split() for row in GH2008.split(" / ")], dtype=float) / 1000


def test_gh2008():
    """pingouin 0.7.0 rm_anova(correction=True) and sphericity; F and p agree with R aov."""
    result = rm_anova(gh2008(), higher_is_better=True)
    assert (result.df, result.n_datasets) == ((4, 116), 30)
    assert result.statistic == pytest.approx(12.0447524, abs=5e-8)
    assert result.pvalue == pytest.approx(3.20556e-08, rel=2e-6)
    assert result.gg_epsilon == pytest.approx(0.5099013, abs=5e-8)
    assert result.gg_pvalue == pytest.approx(3.65279e-05, rel=2e-6)
    assert result.mauchly_w == pytest.approx(0.0463095, abs=5e-8)
    assert result.mean_ranks == pytest.approx([2.1, 3.25, 2.2, 13 / 3, 3.11667], abs=5e-6)


def test_second_route_by_least_squares():
    """F from two nested linear models, the epsilons and W from explicit orthonormal contrasts."""
    scores = np.random.default_rng(4).normal(size=(9, 4)) @ np.diag([1, 2, 1, 3]) + np.arange(4)
    n, k = scores.shape
    result = rm_anova(scores)
    blocks, columns = np.kron(np.eye(n), np.ones((k, 1))), np.kron(np.ones((n, 1)), np.eye(k))
    residual = [_rss(design, scores.ravel()) for design in (blocks, np.hstack([blocks, columns]))]
    f = (residual[0] - residual[1]) / (k - 1) / (residual[1] / ((k - 1) * (n - 1)))
    assert result.statistic == pytest.approx(f, rel=1e-10)
    assert result.pvalue == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)
    contrasts = np.linalg.qr(np.vstack([np.ones(k), np.eye(k)[1:]]).T)[0][:, 1:]
    c = np.cov(scores @ contrasts, rowvar=False)
    gg = np.trace(c) ** 2 / ((k - 1) * np.trace(c @ c))
    hf = (n * (k - 1) * gg - 2) / ((k - 1) * (n - 1 - (k - 1) * gg))
    assert result.gg_epsilon == pytest.approx(gg)
    assert result.hf_epsilon == pytest.approx(min(hf, 1))
    assert result.gg_pvalue == pytest.approx(stats.f.sf(f, gg * (k - 1), gg * (k - 1) * (n - 1)), rel=1e-9)
    assert result.mauchly_w == pytest.approx(np.linalg.det(c) / (np.trace(c) / (k - 1)) ** (k - 1))


def _rss(design, y):
    return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())


def test_two_algorithms_make_it_the_paired_t_test():
    a, b = np.random.default_rng(8).normal(size=(2, 12))
    result, t = rm_anova(np.column_stack([a, b])), stats.ttest_rel(a, b)
    assert result.statistic == pytest.approx(t.statistic**2)
    assert result.pvalue == pytest.approx(t.pvalue)
    assert (result.gg_epsilon, result.hf_epsilon) == pytest.approx((1.0, 1.0))
    assert (result.mauchly_w, result.mauchly_pvalue) == (1.0, 1.0)


def test_correction_decides():
    scores = gh2008()
    plain = rm_anova(scores)
    for correction, epsilon, pvalue in (
        ("greenhouse-geisser", plain.gg_epsilon, plain.gg_pvalue),
        ("huynh-feldt", plain.hf_epsilon, plain.hf_pvalue),
    ):
        result = rm_anova(scores, correction=correction)
        assert (result.pvalue, result.statistic) == (pvalue, plain.statistic)
        assert result.df == pytest.approx((4 * epsilon, 116 * epsilon))
        assert result.uncorrected_pvalue == plain.pvalue
        assert result.caveats == ()
    assert plain.gg_epsilon < plain.hf_epsilon < 1
    assert plain.caveats == (
        "Mauchly's test rejects sphericity (p = 2.7e-14): the uncorrected p-value is too small; use"
        " correction='greenhouse-geisser'.",
    )


@given(
    st.lists(st.lists(st.integers(-50, 50), min_size=4, max_size=4), min_size=3, max_size=8),
    st.permutations(range(4)),
    st.integers(-1000, 1000),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_invariances(rows, order, shift):
    """Order of columns, change of unit and direction, a constant added to one data set."""
    table = np.array(rows, dtype=float)
    result = rm_anova(table)
    moved = table.copy()
    moved[0] += shift
    for other in (rm_anova(table[:, order]), rm_anova(-3 * table, higher_is_better=True), rm_anova(moved)):
        for field in ("statistic", "pvalue", "gg_pvalue", "hf_pvalue", "gg_epsilon", "hf_epsilon"):
            expected = pytest.approx(getattr(result, field), rel=1e-7, abs=1e-12, nan_ok=True)
            assert getattr(other, field) == expected
    assert rm_anova(-3 * table, higher_is_better=True).mean_ranks.tolist() == result.mean_ranks.tolist()


def test_size_with_and_without_sphericity():
    rng = np.random.default_rng(21)
    draws = rng.normal(size=(600, 15, 4)) + 5 * rng.normal(size=(600, 15, 1))
    round_ones = [rm_anova(table) for table in draws]
    assert abs(np.mean([r.pvalue <= 0.05 for r in round_ones]) - 0.05) < 0.027
    assert abs(np.mean([r.mauchly_pvalue <= 0.05 for r in round_ones]) - 0.05) < 0.027
    long_ones = [rm_anova(table) for table in rng.normal(size=(600, 15, 4)) * [1, 1, 1, 6]]
    assert np.mean([r.pvalue <= 0.05 for r in long_ones]) > 0.07
    assert np.mean([r.gg_pvalue <= 0.05 for r in long_ones]) < 0.05 + 0.027


def test_fewer_data_sets_than_algorithms():
    result = rm_anova(np.random.default_rng(1).normal(size=(4, 6)))
    assert 0 < result.gg_pvalue <= 1 and 0 < result.gg_epsilon <= result.hf_epsilon <= 1
    assert np.isnan(result.mauchly_w) and np.isnan(result.mauchly_pvalue)
    assert result.caveats == (
        "4 data sets for 6 algorithms: Mauchly's test of sphericity is not defined; use a corrected p-value.",
    )
    two = rm_anova([[1, 2, 4], [1, 3, 3]])
    assert two.gg_epsilon == two.hf_epsilon == pytest.approx(0.5)
    assert two.caveats[-1] == (
        "Two data sets: Huynh and Feldt's epsilon is not defined, Greenhouse and Geisser's is used."
    )


def test_degenerate_tables():
    same = rm_anova([[0.1, 0.1, 0.1], [0.7, 0.7, 0.7], [0.3, 0.3, 0.3]])
    assert (same.statistic, same.pvalue, same.gg_pvalue, same.hf_pvalue) == (0.0, 1.0, 1.0, 1.0)
    assert np.isnan([same.gg_epsilon, same.hf_epsilon, same.mauchly_w]).all()
    assert same.caveats == ("No residual variation: the epsilons and Mauchly's test are not defined.",)
    apart = rm_anova(np.add.outer([0.1, 0.7, 0.3], [0.1, 0.2, 0.4]))
    assert (apart.statistic, apart.pvalue, apart.gg_pvalue) == (float("inf"), TINY, TINY)
    assert apart.caveats[0] == (
        "The algorithms differ by constants alone: F is infinite, p is the smallest number written."
    )
    equal_means = rm_anova([[1, 2], [2, 1], [5, 6], [6, 5]])
    assert (equal_means.statistic, equal_means.pvalue) == (0.0, 1.0)
    small = rm_anova(np.array([[1, 2, 4], [2, 3, 6], [1, 3, 4]]) * 1e-100)
    assert small.gg_epsilon == pytest.approx(rm_anova([[1, 2, 4], [2, 3, 6], [1, 3, 4]]).gg_epsilon)
    copies = rm_anova([[1, 1, 3], [2, 2, 0], [4, 4, 1], [5, 5, 5]])
    assert (copies.mauchly_w, copies.mauchly_pvalue) == (0.0, TINY)


def test_words():
    text = str(rm_anova([[1, 2, 4], [2, 3, 6], [1, 3, 4], [0, 1, 3], [2, 4, 5]], correction="huynh-feldt"))
    assert text == (
        "Repeated-measures ANOVA, Huynh-Feldt correction: statistic 64.333, df (1.5769, 6.3077), p = 8.497e-05\n"
        "algorithm    mean  mean_rank\n"
        "algorithm 1   1.2          1\n"
        "algorithm 2   2.6          2\n"
        "algorithm 3   4.4          3"
    )


def test_errors():
    with pytest.raises(OptionError) as caught:
        rm_anova([[1, 2], [3, 4]], correction="huynh")
    assert str(caught.value) == (
        "There is no correction 'huynh'. Known here: 'none', 'greenhouse-geisser', 'huynh-feldt'. Did you mean"
        " 'huynh-feldt'?"
    )
    with pytest.raises(InputError) as refused:
        rm_anova([[1, 2, 3]])
    assert str(refused.value) == (
        "scores has 1 data set(s), and this test needs at least 2. Add data sets, or compare the"
        " fold scores of the one data set."
    )
