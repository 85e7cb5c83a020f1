"""Two algorithms over many data sets: Demsar's Table 2, scipy, enumeration, ties, noise, size, all pairs."""

import re
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import paired_t, paired_t_pairs, sign_pairs, sign_test, wilcoxon, wilcoxon_pairs
from tiebreak.stats.numeric.basics import TINY

from ..every import every

# Demsar 2006, Table 2: AUC of C4.5 and of C4.5 with the parameter m tuned, on 14 data sets.
C45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.94, 0.619, 0.972, 0.957]
C45M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978]


def enumerated(ranks, lower):
    """P(rank sum of a random subset <= lower), by going through all subsets."""
    sums = [
        sum(r for r, chosen in zip(ranks, pick, strict=True) if chosen) for pick in product((0, 1), repeat=len(ranks))
    ]
    return float(np.mean(np.array(sums) <= lower))


class TestDemsar:
    def test_wilcoxon(self):
        result = wilcoxon(C45, C45M, higher_is_better=True)
        assert (result.r_plus, result.r_minus, result.statistic) == (93.0, 12.0, 12.0)
        assert result.exact
        assert (result.n_used, result.zeros) == (12, 2)
        assert result.method == "Wilcoxon signed ranks test, zeros split, exact"

    def test_wilcoxon_p_is_the_share_of_sign_choices(self):
        d = np.round(np.subtract(C45M, C45), 3)
        ranks = scipy_stats.rankdata(np.abs(d))
        nonzero = ranks[d != 0]
        p = 2 * enumerated(nonzero.tolist(), ranks[d < 0].sum())
        assert wilcoxon(C45, C45M, higher_is_better=True).pvalue == pytest.approx(p, rel=1e-14)

    def test_normal_approximation_uses_the_variance_of_the_ranks_that_carry_a_sign(self):
        result = wilcoxon(C45, C45M, higher_is_better=True, method="asymptotic")
        ranks = np.array([3.5, 3.5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
        z = (93 - 12) / np.sqrt((ranks**2).sum())
        assert result.z == pytest.approx(z, rel=1e-14)
        assert result.pvalue == pytest.approx(2 * scipy_stats.norm.sf(z), rel=1e-12)
        assert result.method == (
            "Wilcoxon signed ranks test, zeros split, normal approximation without continuity correction"
        )

    def test_sign_test_includes_the_observed_count(self):
        """STAC and jMetalPy leave the observed number of wins out of the tail and report 0.0129."""
        result = sign_test(C45, C45M, higher_is_better=True)
        assert (result.wins_b, result.wins_a, result.ties) == (10, 2, 2)
        assert (result.counted_b, result.n_used) == (11, 14)
        by_hand = 2 * sum(comb(14, k) for k in (11, 12, 13, 14)) / 2**14
        assert result.pvalue == pytest.approx(by_hand, rel=1e-14)
        assert result.pvalue == pytest.approx(0.05737, abs=5e-6)
        off_by_one = 2 * sum(comb(14, k) for k in (12, 13, 14)) / 2**14
        assert off_by_one == pytest.approx(0.0129, abs=5e-5)
        assert result.pvalue > 0.05 > off_by_one

    def test_sign_test_one_sided_is_significant(self):
        one_sided = sign_test(C45, C45M, higher_is_better=True, alternative="b-better").pvalue
        assert one_sided == pytest.approx(470 / 2**14, rel=1e-13)

    def test_all_pairs_agree_with_the_pair(self):
        table = np.column_stack([C45, C45M])
        pairs = wilcoxon_pairs(table, higher_is_better=True, algorithms=["C4.5", "C4.5+m"])
        assert (pairs.r_plus[0], pairs.r_minus[0]) == (93.0, 12.0)
        assert pairs.statistic[0] > 0
        assert sign_pairs(table, higher_is_better=True).pvalue[0] == pytest.approx(0.05737, abs=5e-6)


class TestSecondRoutes:
    def test_exact_equals_scipy_without_ties(self):
        rng = np.random.default_rng(1)
        for n in (2, 5, 9, 20, 50):
            a, b = rng.normal(size=(2, n))
            for ours, theirs in (("two-sided", "two-sided"), ("b-better", "greater"), ("a-better", "less")):
                expected = scipy_stats.wilcoxon(a, b, method="exact", alternative=theirs).pvalue
                assert wilcoxon(a, b, alternative=ours).pvalue == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize(("zeros", "theirs"), [("drop", "wilcox"), ("pratt", "pratt")])
    def test_asymptotic_equals_scipy_with_ties_and_zeros(self, zeros, theirs):
        rng = np.random.default_rng(2)
        for n in (12, 40, 300):
            d = rng.integers(-4, 6, size=n).astype(float)
            for ours, side in (("two-sided", "two-sided"), ("b-better", "greater"), ("a-better", "less")):
                expected = scipy_stats.wilcoxon(
                    d, zero_method=theirs, method="asymptotic", correction=False, alternative=side
                ).pvalue
                got = wilcoxon(d, zeros=zeros, method="asymptotic", alternative=ours)
                assert got.pvalue == pytest.approx(expected, rel=1e-10)

    @settings(derandomize=True, deadline=None, max_examples=60)
    @given(d=st.lists(st.integers(-4, 4), min_size=1, max_size=9), zeros=st.sampled_from(["split", "drop", "pratt"]))
    def test_exact_with_ties_equals_enumeration(self, d, zeros):
        d = np.array(d, dtype=float)
        n_zero = int((d == 0).sum())
        dropped = {"drop": n_zero, "split": n_zero % 2, "pratt": 0}[zeros]
        ranks = scipy_stats.rankdata(np.abs(d)) - dropped
        plus, minus = ranks[d > 0].sum(), ranks[d < 0].sum()
        nonzero = ranks[d != 0].tolist()
        zero = n_zero - n_zero % 2 if zeros == "split" else 0
        result = wilcoxon(d, zeros=zeros)
        assert (result.r_plus, result.r_minus) == (plus + zero * (zero + 1) / 4, minus + zero * (zero + 1) / 4)
        two_sided = min(1.0, 2 * enumerated(nonzero, min(plus, minus))) if nonzero else 1.0
        assert result.pvalue == pytest.approx(two_sided, rel=1e-13)
        b_better = wilcoxon(d, zeros=zeros, alternative="b-better").pvalue
        assert b_better == pytest.approx(enumerated(nonzero, minus), rel=1e-13)
        a_better = wilcoxon(d, zeros=zeros, alternative="a-better").pvalue
        assert a_better == pytest.approx(enumerated(nonzero, plus), rel=1e-13)

    def test_exact_far_beyond_the_automatic_limit(self):
        d = np.random.default_rng(3).normal(0.05, 1, size=400)
        exact, normal = wilcoxon(d, method="exact"), wilcoxon(d)
        assert (exact.exact, normal.exact) == (True, False)
        assert normal.pvalue == pytest.approx(exact.pvalue, rel=0.01)
        assert wilcoxon(np.arange(1.0, 901), method="exact").pvalue == pytest.approx(2.0**-899, rel=1e-12)

    def test_sign_test_equals_scipy(self):
        for wins_a, wins_b in ((0, 1), (3, 9), (20, 20), (5, 60)):
            result = sign_test([-1] * wins_a + [1] * wins_b)
            expected = scipy_stats.binomtest(wins_a, wins_a + wins_b).pvalue
            assert result.pvalue == pytest.approx(expected, rel=1e-12)

    def test_paired_t_equals_scipy(self):
        a, b = np.random.default_rng(4).normal(size=(2, 15))
        for ours, theirs in (("two-sided", "two-sided"), ("b-better", "greater"), ("a-better", "less")):
            expected = scipy_stats.ttest_rel(a, b, alternative=theirs)
            got = paired_t(a, b, alternative=ours)
            assert got.statistic == pytest.approx(expected.statistic, rel=1e-12)
            assert got.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
        assert paired_t(a - b).pvalue == pytest.approx(paired_t(a, b).pvalue, rel=1e-12)


class TestZerosAndTies:
    def test_an_odd_tie_is_dropped_before_the_split(self):
        result = sign_test([1, 1, 1, 1, 1, 1, -1, 0, 0, 0])
        assert (result.counted_b, result.counted_a, result.n_used) == (7, 2, 9)
        assert result.caveats == ("One of 3 data set(s) without a difference is dropped; the others are split evenly.",)
        dropped = sign_test([1, 1, 1, 1, 1, 1, -1, 0, 0, 0], ties="drop")
        assert (dropped.counted_b, dropped.n_used) == (6, 7)
        assert dropped.method == "Sign test, exact binomial, ties dropped"

    def test_an_odd_zero_is_dropped_and_the_ranks_of_the_others_split(self):
        result = wilcoxon([0, 0, 0, 1, -2, 3, 4])
        # one zero dropped: ranks 1, 2 for the zeros (1.5 to each side), then 3, 4, 5, 6
        assert (result.r_plus, result.r_minus) == (3 + 5 + 6 + 1.5, 4 + 1.5)
        assert result.caveats[0] == "One of 3 data set(s) without a difference is dropped; the others are split evenly."

    @pytest.mark.parametrize("zeros", ["split", "drop", "pratt"])
    def test_rank_sums_account_for_all_ranks(self, zeros):
        d = np.array([0, 0, 0, 0, 2, 2, -2, 5, -7])
        result = wilcoxon(d, zeros=zeros)
        total = {"split": 45, "drop": 15, "pratt": 45 - 10}[zeros]
        assert result.r_plus + result.r_minus == total

    def test_binary_noise_is_neither_a_difference_nor_a_broken_tie(self):
        a = [0.1 + 0.2, 0.3, 0.2, 0.7, 1.1, 0.9, 1.0]
        b = [0.3, 0.2, 0.1, 0.6, 1.0, 1.0, 1.1]  # one zero and six differences of a tenth
        assert len({abs(x - y) for x, y in zip(a, b, strict=True)}) > 2
        result = wilcoxon(a, b)
        assert (result.zeros, result.r_plus, result.r_minus) == (1, 4 * 3.5, 2 * 3.5)
        assert (sign_test(a, b).wins_b, sign_test(a, b).wins_a, sign_test(a, b).ties) == (4, 2, 1)
        pairs = wilcoxon_pairs(np.column_stack([a, b]))
        assert (pairs.r_plus[0], pairs.r_minus[0], pairs.n_used[0]) == (14.0, 7.0, 6)
        from_differences = wilcoxon(np.subtract(a, b))
        assert (from_differences.zeros, from_differences.r_plus) == (1, 14.0)

    def test_noise_is_judged_by_the_scores_of_its_own_data_set(self):
        a = np.array([1e6 + 0.5, 2e-6, 3e-6, 5.0])
        b = np.array([1e6, 1e-6, 1e-6, 2.0])
        result = wilcoxon(a, b)
        assert (result.zeros, result.r_plus) == (0, 10.0)
        assert np.array_equal(wilcoxon_pairs(np.column_stack([a, b, b])).n_used, [4, 4, 0])

    def test_paired_t_knows_noise_from_spread(self):
        a = np.array([0.1, 0.2, 0.3, 0.7])
        b = (a * 3 + 0.3) / 3
        assert len(set(b - a)) > 1
        result = paired_t(a, b)
        assert (result.statistic, result.pvalue) == (-np.inf, TINY)
        assert result.caveats == (
            "1 of 1 pair(s) differ by the same amount on all data sets: t is infinite and p is the smallest number"
            " that is reported.",
        )


class TestDegenerate:
    def test_identical_algorithms(self):
        same = np.linspace(0.5, 0.9, 8)
        for alternative in ("two-sided", "a-better", "b-better"):
            assert sign_test(same, same, alternative=alternative, ties="drop").pvalue == 1.0
            assert wilcoxon(same, same, alternative=alternative).pvalue == 1.0
            assert wilcoxon(same, same, alternative=alternative, method="asymptotic").pvalue == 1.0
            assert paired_t(same, same, alternative=alternative).pvalue == 1.0
        assert wilcoxon(same, same).caveats == ("The two algorithms score the same on all 8 data set(s): p = 1.",)
        table = np.column_stack([same, same, same + 1])
        assert wilcoxon_pairs(table).pvalue[0] == sign_pairs(table).pvalue[0] == paired_t_pairs(table).pvalue[0] == 1
        assert wilcoxon_pairs(table).caveats == ("1 of 3 pair(s) score the same on all data sets: p = 1.",)
        assert paired_t_pairs(table).pvalue[1] == TINY
        assert paired_t_pairs(table).caveats == (
            "1 of 3 pair(s) score the same on all data sets: p = 1.",
            "2 of 3 pair(s) differ by the same amount on all data sets: t is infinite and p is the smallest number"
            " that is reported.",
        )

    def test_one_data_set(self):
        assert wilcoxon([0.5], [0.6]).pvalue == sign_test([0.5], [0.6]).pvalue == 1.0
        assert wilcoxon([0.5], [0.6]).caveats == ("1 data set(s) with a difference: no p-value below 1 is possible.",)
        assert wilcoxon_pairs([[1.0, 2.0]]).pvalue.tolist() == [1.0]
        assert wilcoxon_pairs([[1.0, 2.0]]).caveats == (
            "1 of 1 pair(s) differ on fewer than six data sets: no p-value at or below 0.05 is possible.",
        )

    def test_few_data_sets_have_a_smallest_p(self):
        result = wilcoxon([1, 2, 3, 4, 5])
        assert result.pvalue == 0.0625
        assert result.caveats == ("5 data set(s) with a difference: no p-value below 0.0625 is possible.",)
        assert wilcoxon([1, 2, 3, 4, 5, 6]).caveats == ()
        assert wilcoxon([1, 2, 3, 4, 5, 6], method="asymptotic").caveats == (
            "6 data set(s) with a difference: the normal approximation is rough.",
        )


class TestSize:
    """Rejection rates under the null of two equal algorithms, seeded."""

    table = np.random.default_rng(5).normal(size=(20, 100))

    def test_wilcoxon_keeps_its_level_two_sided(self):
        """One-sided in the observed direction, as in autorank, the rate would be 0.097."""
        d = np.random.default_rng(6).normal(size=(20, 4000))
        p = wilcoxon_pairs(np.column_stack([np.zeros(20), d]), control=0).pvalue
        assert float((p <= 0.05).mean()) == pytest.approx(0.05, abs=0.01)
        assert float((p / 2 <= 0.05).mean()) > 0.085

    def test_all_pairs(self):
        exact = float((wilcoxon_pairs(self.table).pvalue <= 0.05).mean())
        normal = float((wilcoxon_pairs(self.table, method="asymptotic").pvalue <= 0.05).mean())
        t = float((paired_t_pairs(self.table).pvalue <= 0.05).mean())
        assert (exact, normal, t) == pytest.approx((0.05, 0.05, 0.05), abs=0.015)
        assert float((sign_pairs(self.table).pvalue <= 0.05).mean()) <= 0.05

    def test_tied_scores_keep_the_level(self):
        d = np.random.default_rng(7).integers(-2, 3, size=(3000, 12))
        p = wilcoxon_pairs(np.column_stack([np.zeros(12), d.T]), control=0).pvalue
        assert float((p <= 0.05).mean()) <= 0.055


class TestAllPairs:
    @every("decimals", [1, 6])
    @every("n_datasets", [7, 60])
    @every("higher", [False, True])
    def test_equal_the_pairs_one_by_one(self, decimals, n_datasets, higher):
        table = np.random.default_rng(8).uniform(size=(n_datasets, 5)).round(decimals)
        ranks, signs, ts = (f(table, higher_is_better=higher) for f in (wilcoxon_pairs, sign_pairs, paired_t_pairs))
        for k, (i, j) in enumerate(combinations(range(5), 2)):
            one = wilcoxon(table[:, i], table[:, j], higher_is_better=higher)
            assert (ranks.pvalue[k], ranks.statistic[k], ranks.exact[k]) == (one.pvalue, one.z, one.exact)
            assert (ranks.r_plus[k], ranks.r_minus[k], ranks.n_used[k]) == (one.r_plus, one.r_minus, one.n_used)
            sign = sign_test(table[:, i], table[:, j], higher_is_better=higher)
            assert (signs.pvalue[k], signs.statistic[k]) == (sign.pvalue, sign.statistic)
            assert (signs.wins_a[k], signs.wins_b[k], signs.ties[k]) == (sign.wins_a, sign.wins_b, sign.ties)
            t = paired_t(table[:, i], table[:, j], higher_is_better=higher)
            assert (ts.pvalue[k], ts.statistic[k]) == (t.pvalue, t.statistic)
            assert ts.mean_difference[k] == t.mean_difference

    def test_equal_one_call_of_scipy(self):
        table = np.random.default_rng(9).normal(size=(80, 12))
        i, j = np.triu_indices(12, 1)
        theirs = scipy_stats.wilcoxon(table[:, i] - table[:, j], axis=0, method="asymptotic").pvalue
        np.testing.assert_allclose(wilcoxon_pairs(table).pvalue, theirs, rtol=1e-11)

    def test_blocks_leave_no_gap(self, monkeypatch):
        table = np.random.default_rng(10).normal(size=(9, 7))
        whole = wilcoxon_pairs(table).pvalue
        monkeypatch.setattr("tiebreak.stats.two.wilcoxon.BLOCK", 18)
        np.testing.assert_array_equal(wilcoxon_pairs(table).pvalue, whole)

    def test_the_decision_for_exactness_is_made_and_said_per_pair(self):
        table = np.random.default_rng(11).normal(size=(55, 3))
        table[:10, 1] = table[:10, 0]
        result = wilcoxon_pairs(table)
        assert result.exact.tolist() == [True, False, False]
        assert result.method == (
            "Wilcoxon signed ranks test (zeros split, exact for 1 of 3 pairs, normal approximation without"
            " continuity correction for the others) without correction"
        )

    def test_a_pair_does_not_depend_on_the_other_algorithms(self):
        table = np.random.default_rng(12).uniform(size=(10, 6)).round(2)
        table[:, 5] = 1e40
        for f in (wilcoxon_pairs, sign_pairs, paired_t_pairs):
            assert f(table).pvalue[0] == f(table[:, :2]).pvalue[0]

    def test_rows_title_and_read_only_arrays(self):
        table = [[1, 2], [1, 3], [2, 5], [1, 5], [0, 5], [1, 7]]
        result = wilcoxon_pairs(table, algorithms=["tree", "svm"])
        assert result.rows() == [
            {
                "a": "tree",
                "b": "svm",
                "statistic": pytest.approx(-21 / np.sqrt(91)),
                "pvalue": 0.03125,
                "adjusted": 0.03125,
                "r_plus": 0.0,
                "r_minus": 21.0,
                "exact": True,
            }
        ]
        assert result.title() == "Wilcoxon signed ranks test (zeros split, exact): 1 pair(s)"
        assert sign_pairs(table).rows()[0]["wins_a"] == 6
        assert paired_t_pairs(table).rows()[0]["mean_difference"] == -3.5
        with pytest.raises(ValueError, match="read-only"):
            result.adjusted[0] = 0.0

    def test_two_vector_results_print(self):
        assert "p = 0.007812" in str(wilcoxon(C45, C45M, higher_is_better=True))
        assert "b better on 11 of 14" in str(sign_test(C45, C45M, higher_is_better=True))
        assert "df 13" in str(paired_t(C45, C45M, higher_is_better=True))


scores = st.lists(st.integers(0, 50).map(lambda k: k / 50), min_size=3, max_size=12)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(a=scores, seed=st.integers(0, 99))
def test_swapping_permuting_and_scaling(a, seed):
    rng = np.random.default_rng(seed)
    a, b = np.array(a), rng.permutation(a)
    order = rng.permutation(len(a))
    for f in (wilcoxon, sign_test, paired_t):
        here, back = f(a, b), f(b, a)
        assert back.pvalue == here.pvalue
        assert f(a, b, higher_is_better=True).pvalue == here.pvalue
        assert f(a, b, alternative="a-better").pvalue == f(b, a, alternative="b-better").pvalue
        assert f(a[order], b[order]).pvalue == pytest.approx(here.pvalue, rel=1e-9)
        assert f(100 * a, 100 * b).pvalue == pytest.approx(here.pvalue, rel=1e-9)
        assert TINY <= here.pvalue <= 1.0
    assert wilcoxon(1 - a, 1 - b, higher_is_better=True).r_plus == wilcoxon(a, b).r_plus


@every(
    ("call", "error", "words"),
    [
        (
            lambda: wilcoxon([1, 2, 3], [1, 2]),
            InputError,
            "a has shape (3,) and b has shape (2,). Pass two vectors of one length; for all pairs of a table use"
            " wilcoxon_pairs and its kin.",
        ),
        (
            lambda: sign_test([[1, 2], [3, 4]]),
            InputError,
            "a has shape (2, 2). ",
        ),
        (
            lambda: paired_t([1.0], [2.0]),
            InputError,
            "a has 1 data set(s), and this test needs at least 2. Add data sets, or compare the fold"
            " scores of the one data set.",
        ),
        (lambda: wilcoxon([]), InputError, "a has 0 data set(s), and this test needs at least 1."),
        (lambda: wilcoxon([1, np.nan], [1, 2]), InputError, "a[1] is nan (1 such value(s) in all)."),
        (lambda: wilcoxon_pairs([[1, 2], [np.nan, 2]]), InputError, "scores[1, 0] is nan (1 such value(s) in all)."),
        (
            lambda: wilcoxon([1, 2], zeros="splt"),
            OptionError,
            "There is no zeros 'splt'. Known here: 'split', 'drop', 'pratt'. Did you mean 'split'?",
        ),
        (
            lambda: sign_test([1, 2], alternative="greater"),
            OptionError,
            "There is no alternative 'greater'. Known here: 'two-sided', 'a-better', 'b-better'.",
        ),
        (
            lambda: wilcoxon(np.arange(1.0, 1102), method="exact"),
            OptionError,
            "method is 'exact' with 1101 nonzero differences, more than 1000. Use method='auto': the normal"
            " approximation is accurate there.",
        ),
        (
            lambda: paired_t([1e200, 1], [1, 2]),
            InputError,
            "a holds a score of size 1e+200, above 1e+150.",
        ),
    ],
)
def test_errors_say_what_why_and_how_to_mend(call, error, words):
    with pytest.raises(error, match=f"^{re.escape(words)}"):
        call()
