"""One calling convention: every omnibus test, and every test of pairs, takes the same things and returns the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tiebreak import Results, compare, stats
from tiebreak.caveats import CODES, Caveat
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import CORRECTIONS, bergmann_hommel
from tiebreak.stats.multivariate.manova_tests import manova

from ..every import every

OMNIBUS: dict[str, Callable[..., Any]] = {
    "friedman": stats.friedman,
    "aligned_ranks": stats.aligned_ranks,
    "quade": stats.quade,
    "skillings_mack": stats.skillings_mack,
    "rm_anova": stats.rm_anova,
}
ON_A_LINE: dict[str, Callable[..., Any]] = {
    "rank_tests": stats.rank_tests,
    "conover_pairs": stats.conover_pairs,
    "aligned_pairs": stats.aligned_pairs,
    "quade_pairs": stats.quade_pairs,
}
EACH_ON_ITS_OWN: dict[str, Callable[..., Any]] = {
    "wilcoxon_pairs": stats.wilcoxon_pairs,
    "sign_pairs": stats.sign_pairs,
    "paired_t_pairs": stats.paired_t_pairs,
    "skillings_mack_pairs": stats.skillings_mack_pairs,
}
PAIRS = ON_A_LINE | EACH_ON_ITS_OWN
ACCURACIES = np.random.default_rng(3).normal([0.7, 0.9, 0.8, 0.75], 0.03, size=(12, 4))
NAMES = ("knn", "svm", "tree", "nb")

by_omnibus = every("test", OMNIBUS.values())
by_pairs = every("test", PAIRS.values())


class TestDirection:
    @by_omnibus
    def test_rows_list_the_best_first_in_either_direction(self, test: Callable[..., Any]) -> None:
        higher = test(ACCURACIES, higher_is_better=True, algorithms=NAMES)
        lower = test(1 - ACCURACIES, algorithms=NAMES)
        for result in (higher, lower):
            assert [row["algorithm"] for row in result.rows()] == ["svm", "tree", "nb", "knn"]
            assert int(np.argmin(result.mean_ranks)) == 1 and result.algorithms == NAMES  # columns as they were given
        assert higher.statistic == pytest.approx(lower.statistic)

    @by_omnibus
    def test_locations_are_what_is_compared_with_lower_the_better(self, test: Callable[..., Any]) -> None:
        result = test(ACCURACIES, higher_is_better=True)
        assert list(np.argsort(result.locations)) == [1, 2, 3, 0]
        assert not result.locations.flags.writeable

    def test_locations_have_names(self) -> None:
        named = {name: test(ACCURACIES, higher_is_better=True).location_name for name, test in OMNIBUS.items()}
        assert named == {
            "friedman": "mean rank",
            "aligned_ranks": "mean aligned rank",
            "quade": "weighted mean rank",
            "skillings_mack": "mean rank",
            "rm_anova": "mean score",
        }
        gappy = ACCURACIES.copy()
        gappy[0, 0] = np.nan
        assert stats.skillings_mack(gappy).location_name == "implied mean rank"
        assert (stats.rm_anova(ACCURACIES, higher_is_better=True).locations == -ACCURACIES.mean(axis=0)).all()
        assert (stats.rm_anova(ACCURACIES).locations == ACCURACIES.mean(axis=0)).all()

    @by_pairs
    def test_the_statistic_is_positive_where_b_is_better(self, test: Callable[..., Any]) -> None:
        higher, lower = test(ACCURACIES, higher_is_better=True), test(1 - ACCURACIES)
        assert higher.statistic[0] > 0  # svm, the second, is better than knn, the first
        assert higher.statistic == pytest.approx(lower.statistic, rel=1e-9)


class TestSignature:
    @by_omnibus
    def test_of_omnibus_tests(self, test: Callable[..., Any]) -> None:
        parameters = inspect.signature(test).parameters
        assert next(iter(parameters)) == "scores"
        assert parameters["higher_is_better"].default is False and parameters["algorithms"].default is None

    @by_pairs
    def test_of_tests_of_pairs(self, test: Callable[..., Any]) -> None:
        parameters = inspect.signature(test).parameters
        assert next(iter(parameters)) == "scores" and {"adjust", "control"} <= set(parameters)
        assert parameters["higher_is_better"].default is False and parameters["algorithms"].default is None


class TestPairs:
    @by_pairs
    @every("adjust", CORRECTIONS)
    def test_any_correction_can_be_named(self, test: Callable[..., Any], adjust: str) -> None:
        raw = test(ACCURACIES, adjust="none", algorithms=NAMES)
        result = test(ACCURACIES, adjust=adjust, algorithms=NAMES)
        assert (raw.adjusted == raw.pvalue).all() and (result.pvalue == raw.pvalue).all()
        assert result.adjusted == pytest.approx(CORRECTIONS[adjust](raw.pvalue), rel=1e-9)
        assert isinstance(result, stats.PairwiseResult) and result.algorithms == NAMES

    @by_pairs
    @every("control", [0, 2, 3])
    def test_the_control_is_a_and_its_pairs_are_those_of_all_pairs(
        self, test: Callable[..., Any], control: int
    ) -> None:
        every, result = test(ACCURACIES, adjust="none"), test(ACCURACIES, adjust="none", control=control)
        assert (result.a == control).all() and list(result.b) == [i for i in range(4) if i != control]
        for b, statistic, pvalue in zip(result.b, result.statistic, result.pvalue, strict=True):
            k = int(np.flatnonzero((every.a == min(b, control)) & (every.b == max(b, control)))[0])
            assert (
                statistic == pytest.approx(every.statistic[k] * (1 if control < b else -1))
                and pvalue == every.pvalue[k]
            )

    @by_pairs
    def test_corrections_for_all_pairs_take_no_control(self, test: Callable[..., Any]) -> None:
        with pytest.raises(OptionError) as caught:
            test(ACCURACIES, adjust="shaffer", control=0)
        assert str(caught.value) == ("The correction shaffer takes no control. Use 'holm', or drop the control.")

    @by_pairs
    def test_an_unknown_control_is_refused(self, test: Callable[..., Any]) -> None:
        with pytest.raises(OptionError, match=r"There is no control column '7'\. Known here: '0', '1', '2', '3'\."):
            test(ACCURACIES, control=7)

    @pytest.mark.parametrize("name", ON_A_LINE)
    def test_positions_lie_on_the_line_of_the_omnibus_test(self, name: str) -> None:
        omnibus = {"aligned_pairs": stats.aligned_ranks, "quade_pairs": stats.quade}.get(name, stats.friedman)
        result = ON_A_LINE[name](ACCURACIES, adjust="bergmann-hommel", higher_is_better=True)
        line = omnibus(ACCURACIES, higher_is_better=True).mean_ranks
        assert (result.positions == line).all()
        assert (result.adjusted == bergmann_hommel(result.pvalue, positions=line)).all()

    @pytest.mark.parametrize("name", ON_A_LINE)
    def test_on_a_line_bergmann_and_hommel_take_any_number_of_algorithms(self, name: str) -> None:
        many = np.random.default_rng(1).normal(size=(20, 16))
        assert ON_A_LINE[name](many, adjust="bergmann-hommel").adjusted.shape == (120,)

    @pytest.mark.parametrize("name", EACH_ON_ITS_OWN)
    def test_tests_of_their_own_have_no_line(self, name: str) -> None:
        assert EACH_ON_ITS_OWN[name](ACCURACIES).positions is None

    def test_the_tests_of_two_say_which_correction_they_were_given(self) -> None:
        assert stats.sign_pairs(ACCURACIES).method == "Sign test (exact binomial, ties split) without correction"
        named = stats.sign_pairs(ACCURACIES, adjust="holm").method
        assert named == "Sign test (exact binomial, ties split) with Holm's correction"

    def test_skillings_mack_takes_scores_or_a_result(self) -> None:
        gappy = ACCURACIES.copy()
        gappy[0, 0] = np.nan
        options: dict[str, Any] = {"higher_is_better": True, "algorithms": NAMES}
        direct = stats.skillings_mack_pairs(gappy, **options)
        after = stats.skillings_mack_pairs(stats.skillings_mack(gappy, **options))
        assert (direct.adjusted == after.adjusted).all() and direct.algorithms == NAMES


class TestWhatIsNoScore:
    @every("name", [name for name in (*OMNIBUS, *PAIRS) if not name.startswith("skillings")])
    def test_a_masked_value_is_a_gap(self, name: str) -> None:
        masked = np.ma.masked_values(np.where(np.isclose(ACCURACIES, ACCURACIES[3, 2]), -99.0, ACCURACIES), -99.0)
        with pytest.raises(InputError, match=r"^scores\[3, 2\] is nan \(1 such value\(s\) in all\)\."):
            (OMNIBUS | PAIRS)[name](masked)

    def test_the_skillings_mack_test_leaves_a_masked_value_out(self) -> None:
        gappy = ACCURACIES.copy()
        gappy[3, 2] = np.nan
        masked = np.ma.masked_invalid(gappy)
        masked.data[3, 2] = -99.0
        assert stats.skillings_mack(masked).statistic == stats.skillings_mack(gappy).statistic
        rows = [masked[i] for i in range(len(masked))]  # a list of masked rows is masked too
        assert stats.skillings_mack(rows).statistic == stats.skillings_mack(gappy).statistic

    def test_masked_integers_are_gaps_too(self) -> None:
        counts = np.ma.array([[1, 2], [3, 4], [5, 6]], mask=[[0, 0], [0, 1], [0, 0]])
        with pytest.raises(InputError, match=r"^scores\[1, 1\] is nan"):
            stats.friedman(counts)

    @every(
        "scores",
        [
            ACCURACIES + 0j,
            (1000 * ACCURACIES).astype("datetime64[s]"),
            (1000 * ACCURACIES).astype("timedelta64[s]"),
            np.ma.array(ACCURACIES + 0j),
            [[1 + 2j, 1], [2, 3]],
            [["good", "bad"], ["bad", "good"]],
        ],
    )
    @every("name", [*OMNIBUS, *PAIRS])
    def test_what_is_not_a_number_is_refused(self, name: str, scores: Any) -> None:
        with pytest.raises(InputError) as caught:
            (OMNIBUS | PAIRS)[name](scores)
        assert str(caught.value) == ("scores holds something that is not a number. Pass an array of floats.")

    def test_whole_numbers_and_truth_values_are_numbers(self) -> None:
        assert stats.friedman(np.array([[True, False], [True, False]])).statistic == float("inf")
        assert stats.friedman([[1, 2], [1, 2]]).statistic == float("inf")


class TestRounding:
    NOISY = np.array([[82.568, 82.56800000000001, 80.0], [70.0, 71.0, 72.0], [60.3, 60.3, 60.1]])

    def test_ranks_of_noise_are_tied(self) -> None:
        assert stats.rank_rows(self.NOISY, higher_is_better=True)[0].tolist() == [1.5, 1.5, 3.0]
        assert stats.rank_rows([[1e308, -1e308, 5e-324]]).tolist() == [[3.0, 1.0, 2.0]]

    @by_omnibus
    def test_omnibus_tests_do_not_see_it(self, test: Callable[..., Any]) -> None:
        clean = np.round(self.NOISY, 6)
        assert test(self.NOISY).mean_ranks.tolist() == test(clean).mean_ranks.tolist()

    @by_pairs
    def test_tests_of_pairs_do_not_see_it(self, test: Callable[..., Any]) -> None:
        assert test(self.NOISY).pvalue == pytest.approx(test(np.round(self.NOISY, 6)).pvalue, rel=1e-9)

    def test_statistics_and_comparison_agree(self) -> None:
        result = compare(Results.from_array(self.NOISY, score="accuracy", algorithms=["a", "b", "c"]))
        by_name = dict(zip(result.algorithms, result.mean_ranks.tolist(), strict=True))
        assert stats.friedman(-self.NOISY).mean_ranks.tolist() == [by_name[name] for name in "abc"]


class TestCaveats:
    def test_every_caveat_has_a_code_that_is_explained(self) -> None:
        few = ACCURACIES[:3]
        results = [
            *(test(few) for test in OMNIBUS.values()),
            *(test(few) for test in PAIRS.values()),
            stats.wilcoxon(few[:, 0], few[:, 1]),
            stats.kfold_t(few[:, 0], few[:, 1]),
            stats.mcnemar(0, 0),
            stats.proportion_pairs([1, 2], [10, 10]),
            stats.bayesian_sign_pairs(few),
            stats.effect_sizes(few[:2]),
            stats.difference_intervals(few),
            manova(np.random.default_rng(1).normal(size=(10, 3, 2))),
        ]
        assert sum(len(result.caveats) for result in results) > 12
        for result in results:
            for caveat in result.caveats:
                assert isinstance(caveat, Caveat) and caveat.code in CODES

    def test_one_meaning_has_one_code(self) -> None:
        codes = {caveat.code for test in OMNIBUS.values() for caveat in test(ACCURACIES[:3]).caveats}
        assert codes == {"few-datasets", "not-spherical"}


def test_a_masked_prediction_is_no_prediction() -> None:
    for labels, guesses in (([1, 0, 1], [1, 0, 0]), (["x", "y", "x"], ["x", "y", "y"])):
        masked = np.ma.array(labels, mask=[False, True, False])
        with pytest.raises(InputError, match=r"^truth, a or b holds NaN\."):
            stats.mcnemar_from_predictions(masked, labels, guesses)


def test_the_statistics_offer_what_users_call() -> None:
    """Functions, result classes and the corrections by name; no constants or helpers of the numerics."""
    offered = {name: getattr(stats, name) for name in stats.__all__}
    assert {name for name, thing in offered.items() if not (inspect.isfunction(thing) or inspect.isclass(thing))} == {
        "CORRECTIONS"
    }
