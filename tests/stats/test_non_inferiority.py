"""Good enough: scipy on shifted data, enumeration with ties and zeros, decimals, 0/1 scores, size, words."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import CORRECTIONS, non_inferiority_pairs, wilcoxon

from ..every import every

ONE = [[0, 1]]


def enumerated(d: list[Fraction]) -> float:
    """P(R+ <= the one observed) over all signs of what is not zero; zeros split, one of an odd number dropped."""
    n_zero = sum(x == 0 for x in d)
    sizes = sorted(abs(x) for x in d)
    rank = {x: (2 * sizes.index(x) + sizes.count(x) + 1) / 2 - n_zero % 2 for x in sizes}
    ranks = [rank[abs(x)] for x in d if x != 0]
    plus = sum(rank[x] for x in d if x > 0)
    sums = [
        sum(r for r, sign in zip(ranks, signs, strict=True) if sign) for signs in product((0, 1), repeat=len(ranks))
    ]
    return sum(item <= plus for item in sums) / len(sums)


class TestOracles:
    @pytest.mark.parametrize("n", [5, 12, 30, 50])
    def test_exact_equals_scipy_on_shifted_scores(self, n: int) -> None:
        rng = np.random.default_rng(n)
        x = rng.normal(size=(n, 3))
        for margin in (0.0, 0.3, 1.5):
            pairs = non_inferiority_pairs(x, [[0, 1], [2, 1], [1, 0]], margin=margin, adjust="none")
            for k, (a, b) in enumerate([(0, 1), (2, 1), (1, 0)]):
                worse = x[:, a] - x[:, b] - margin
                expected = scipy_stats.wilcoxon(worse, alternative="less", method="exact").pvalue
                assert pairs.pvalue[k] == pytest.approx(expected, rel=1e-12)
            assert pairs.exact.all() and (pairs.n_used == n).all() and not pairs.on_means.any()

    def test_normal_equals_scipy_beyond_the_exact(self) -> None:
        x = np.random.default_rng(1).normal(size=(300, 2))
        expected = scipy_stats.wilcoxon(
            x[:, 1] - x[:, 0] - 0.1, alternative="less", method="asymptotic", correction=False
        ).pvalue  # accuracies: the candidate is worse where the reference is higher
        pairs = non_inferiority_pairs(x, ONE, margin=0.1, higher_is_better=True)
        assert pairs.pvalue[0] == pytest.approx(expected, rel=1e-10) and not pairs.exact[0]

    @settings(derandomize=True, deadline=None, max_examples=150)
    @given(
        scores=st.lists(st.tuples(st.integers(60, 66), st.integers(67, 72)), min_size=1, max_size=9),
        steps=st.integers(0, 9),
    )
    def test_enumeration_of_signs_with_ties_and_zeros(self, scores: list[tuple[int, int]], steps: int) -> None:
        """Percentages: no pair ties, so that signed ranks alone decide, but many lie at the margin."""
        x = np.array(scores) / 100
        pairs = non_inferiority_pairs(x, ONE, margin=steps / 100, higher_is_better=True)
        d = [Fraction(b - a - steps) for a, b in scores]
        assert pairs.pvalue[0] == pytest.approx(enumerated(d) if any(d) else 1.0, rel=1e-12)
        assert pairs.n_used[0] == sum(x != 0 for x in d)

    @settings(derandomize=True, deadline=None, max_examples=100)
    @given(
        scores=st.lists(st.tuples(st.integers(60, 66), st.integers(67, 72)), min_size=1, max_size=9),
        percent=st.integers(0, 12),
    )
    def test_a_share_of_the_reference(self, scores: list[tuple[int, int]], percent: int) -> None:
        x = np.array(scores) / 100
        pairs = non_inferiority_pairs(x, ONE, margin=percent / 100, relative=True, higher_is_better=True)
        d = [Fraction(b - a) - Fraction(b * percent, 100) for a, b in scores]
        assert pairs.pvalue[0] == pytest.approx(enumerated(d) if any(d) else 1.0, rel=1e-12)

    def test_the_mean_by_students_t_where_scores_tie(self) -> None:
        rng = np.random.default_rng(3)
        x = rng.choice([0.0, 0.5, 1.0], p=[0.6, 0.2, 0.2], size=(400, 2))
        pairs = non_inferiority_pairs(x, ONE, margin=0.05)
        expected = scipy_stats.ttest_1samp(x[:, 0] - x[:, 1] - 0.05, 0, alternative="less").pvalue
        assert pairs.on_means[0] and pairs.pvalue[0] == pytest.approx(expected, rel=1e-9)

    def test_two_values_with_one_more_item_that_the_candidate_alone_gets_wrong(self) -> None:
        rng = np.random.default_rng(3)
        x = (rng.random((400, 2)) < [0.30, 0.28]).astype(float)
        d = np.append(x[:, 0] - x[:, 1] - 0.05, 1.0)
        expected = scipy_stats.ttest_1samp(d, 0, alternative="less").pvalue
        for scores, better in ((x, False), (1 - x, True)):
            pairs = non_inferiority_pairs(scores, ONE, margin=0.05, higher_is_better=better)
            assert pairs.on_means[0] and pairs.pvalue[0] == pytest.approx(expected, rel=1e-9)


class TestDecimals:
    def test_a_shortfall_of_the_margin_is_no_difference(self) -> None:
        x = np.array([[0.80, 0.81], [0.70, 0.71], [0.29, 0.30], [0.57, 0.58]])
        pairs = non_inferiority_pairs(x, ONE, margin=0.01, higher_is_better=True)
        assert pairs.n_used[0] == 0 and pairs.pvalue[0] == 1.0 and pairs.statistic[0] == 0.0
        assert pairs.caveats == ("1 of 1 pair(s) lie at the margin on every data set: p = 1.",)

    def test_equal_remainders_tie_wherever_they_arise(self) -> None:
        x = np.array([[0.80, 0.81], [0.10, 0.13], [0.30, 0.33], [0.55, 0.58], [0.2, 0.25], [0.6, 0.65]])
        pairs = non_inferiority_pairs(x, ONE, margin=0.02, higher_is_better=True)
        d = [Fraction(k) for k in (-1, 1, 1, 1, 3, 3)]
        assert pairs.pvalue[0] == pytest.approx(enumerated(d), rel=1e-13)

    @pytest.mark.parametrize("power", [-1000, -60, 60, 1000])
    def test_the_unit_does_not_matter(self, power: int) -> None:
        x = np.random.default_rng(0).normal(size=(20, 3))
        usual = non_inferiority_pairs(x, [[0, 1], [2, 0]], margin=0.25)
        scaled = non_inferiority_pairs(np.ldexp(x, power), [[0, 1], [2, 0]], margin=float(np.ldexp(0.25, power)))
        assert (usual.pvalue == scaled.pvalue).all()
        shares = [
            non_inferiority_pairs(np.ldexp(x, k), [[0, 1], [2, 0]], margin=0.25, relative=True) for k in (0, power)
        ]
        assert (shares[0].pvalue == shares[1].pvalue).all()

    def test_direction(self) -> None:
        x = np.random.default_rng(5).random((25, 3))
        lower = non_inferiority_pairs(-x, [[0, 1], [1, 2]], margin=0.1)
        higher = non_inferiority_pairs(x, [[0, 1], [1, 2]], margin=0.1, higher_is_better=True)
        assert (lower.pvalue == higher.pvalue).all() and (lower.statistic == higher.statistic).all()


class TestMeaning:
    def test_a_margin_of_zero_is_the_one_sided_test(self) -> None:
        x = np.round(np.random.default_rng(7).normal(size=(20, 2)), 1)
        x[:5, 1] = x[:5, 0]
        pairs = non_inferiority_pairs(x, ONE, margin=0)
        assert pairs.pvalue[0] == wilcoxon(x[:, 0], x[:, 1], alternative="a-better").pvalue
        assert not pairs.on_means[0]

    def test_the_same_scores_are_good_enough_for_any_margin(self) -> None:
        x = np.repeat(np.random.default_rng(7).random((10, 1)), 2, axis=1)
        assert non_inferiority_pairs(x, ONE, margin=1e-3).pvalue[0] == 2.0**-10
        assert non_inferiority_pairs(x, ONE, margin=0).pvalue[0] == 1.0

    def test_a_larger_margin_never_makes_it_harder(self) -> None:
        x = np.random.default_rng(9).normal([0.2, 0.0], 1, size=(18, 2))
        p = [non_inferiority_pairs(x, ONE, margin=m).pvalue[0] for m in np.linspace(0, 3, 40)]
        assert (np.diff(p) <= 0).all() and p[0] > 0.1 and p[-1] < 1e-4

    def test_ties_of_items_do_not_make_a_worse_model_good_enough(self) -> None:
        """Signed ranks alone: nine tenths of the items tie, so the middle shortfall is 0 whatever the mean is."""
        x = np.zeros((500, 2))
        x[:45, 0] = 1.0  # errors of the candidate alone
        x[45:55, 1] = 1.0
        alone = wilcoxon(x[:, 0] - 0.02, x[:, 1], alternative="a-better").pvalue
        pairs = non_inferiority_pairs(x, ONE, margin=0.02)
        assert alone < 1e-9 and pairs.on_means[0] and pairs.pvalue[0] > 0.9  # 9 % against 2 %

    def test_agreeing_on_a_few_items_shows_little(self) -> None:
        """None of 30 went wrong: up to a tenth of all may, says the rule of three. Of 500, less than a hundredth."""
        for n_items, enough in ((30, False), (500, True)):
            x = np.zeros((n_items, 3))
            x[:10, :2] = x[-10:, 2] = 1.0
            pairs = non_inferiority_pairs(x, ONE, margin=0.01)
            assert (pairs.pvalue[0] <= 0.05) == enough

    @pytest.mark.parametrize("noise", ["normal", "t3", "items"])
    def test_false_claims_at_the_margin(self, noise: str) -> None:
        rng = np.random.default_rng(11)
        wrong = 0
        for _ in range(400):
            if noise == "items":
                x = (rng.random((200, 2)) < [0.35, 0.25]).astype(float)
            else:
                drawn = rng.normal(size=(20, 2)) if noise == "normal" else rng.standard_t(3, size=(20, 2))
                x = drawn + np.array([0.1, 0.0])
            wrong += bool(non_inferiority_pairs(x, ONE, margin=0.1).pvalue[0] <= 0.05)
        assert scipy_stats.binomtest(wrong, 400, 0.05, alternative="greater").pvalue > 0.001
        assert wrong > 4


class TestPairs:
    X = np.random.default_rng(2).normal(size=(15, 4))
    PAIRS = np.array([[0, 1], [3, 1], [2, 0]])

    @every("adjust", [name for name in CORRECTIONS if name not in ("shaffer", "bergmann-hommel")])
    def test_any_correction_for_any_tests(self, adjust: str) -> None:
        raw = non_inferiority_pairs(self.X, self.PAIRS, margin=1, adjust="none")
        pairs = non_inferiority_pairs(self.X, self.PAIRS, margin=1, adjust=adjust)
        assert (raw.adjusted == raw.pvalue).all() and (pairs.pvalue == raw.pvalue).all()
        assert pairs.adjusted == pytest.approx(CORRECTIONS[adjust](raw.pvalue), rel=1e-12)

    def test_the_result(self) -> None:
        pairs = non_inferiority_pairs(self.X, self.PAIRS, margin=1, algorithms=list("wxyz"))
        assert (pairs.a.tolist(), pairs.b.tolist()) == ([0, 3, 2], [1, 1, 0])
        assert (pairs.margin, pairs.relative) == (1.0, False)
        assert [(row["a"], row["b"]) for row in pairs.rows()] == [("w", "x"), ("z", "x"), ("y", "w")]
        assert str(pairs).startswith(
            "Non-inferiority test (margin 1, Wilcoxon signed ranks test, zeros split, exact) with Holm's correction:"
            " 3 pair(s)\n"
        )
        share = non_inferiority_pairs(self.X, self.PAIRS, margin=0.015, relative=True, adjust="none")
        assert share.method.startswith("Non-inferiority test (margin 1.5 % of the reference's score, Wilcoxon")

    def test_many_pairs_the_same_as_one_by_one(self) -> None:
        x = np.round(np.random.default_rng(4).normal(size=(900, 12)), 1)
        a, b = np.triu_indices(12, 1)
        pairs = np.stack([b, a], axis=1)
        for relative in (False, True):
            every = non_inferiority_pairs(x, pairs, margin=0.1, relative=relative, adjust="none")
            alone = [
                non_inferiority_pairs(x, [pair], margin=0.1, relative=relative, adjust="none").pvalue[0]
                for pair in pairs
            ]
            assert every.pvalue.tolist() == alone

    def test_no_pairs(self) -> None:
        pairs = non_inferiority_pairs(self.X, [], margin=1)
        assert len(pairs.pvalue) == len(pairs.adjusted) == 0 and pairs.caveats == ()

    def test_few_data_sets_and_a_share_of_nothing(self) -> None:
        pairs = non_inferiority_pairs([[1, 0], [2, 1], [1, 3]], ONE, margin=0.5, relative=True)
        assert pairs.caveats == (
            "1 of 1 pair(s) lie off the margin on fewer than five data sets: no p-value at or below 0.05 is possible.",
            "1 of 1 pair(s) have a reference that scores 0 on some data set: there a share of it is no margin at all.",
        )


class TestErrors:
    X = np.random.default_rng(2).normal(size=(15, 4))

    @pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
    def test_corrections_of_all_pairs(self, adjust: str) -> None:
        with pytest.raises(OptionError) as caught:
            non_inferiority_pairs(self.X, ONE, margin=1, adjust=adjust)
        assert str(caught.value) == (f"The correction {adjust} is for two-sided tests of all pairs. Use adjust='holm'.")

    @pytest.mark.parametrize("margin", [-0.1, np.nan, np.inf, "1%"])
    def test_margins(self, margin: object) -> None:
        with pytest.raises(OptionError) as caught:
            non_inferiority_pairs(self.X, ONE, margin=margin)  # type: ignore[arg-type]
        assert str(caught.value) == (
            f"margin is {margin!r}. It must be at least 0 and finite. Use margin=0.01 for accuracies between 0 and 1."
        )

    def test_a_share_of_one_is_most_likely_one_percent(self) -> None:
        with pytest.raises(OptionError) as caught:
            non_inferiority_pairs(self.X, ONE, margin=1, relative=True)
        assert str(caught.value) == (
            "margin is 1. It must be at least 0 and below 1. Use margin=0.01 for 1 % of the reference's score."
        )

    @pytest.mark.parametrize("pairs", [[[0, 4]], [[1, 1]], [[-1, 0]]])
    def test_columns(self, pairs: list[list[int]]) -> None:
        with pytest.raises(InputError) as caught:
            non_inferiority_pairs(self.X, pairs, margin=1)
        assert str(caught.value) == (
            "pairs names an algorithm twice in a pair, or one that is not among the 4. Pass rows such as [[0, 1],"
            " [2, 1]]."
        )

    @pytest.mark.parametrize("pairs", [[0, 1], [[0, 1, 2]], [[0.0, 1.0]], [["a", "b"]]])
    def test_shapes(self, pairs: object) -> None:
        with pytest.raises(InputError, match=r"^pairs has shape"):
            non_inferiority_pairs(self.X, pairs, margin=1)  # type: ignore[arg-type]
