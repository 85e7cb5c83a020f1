"""Comparisons at their edges: ranks that can be counted by hand, bounds that belong to one side, and what is said.

The table of nine data sets that rank a b c and three that rank b a c gives mean ranks 1.25, 1.75 and 3;
Friedman's chi-squared is 12 * 12 / (3 * 4) * (0.75^2 + 0.25^2 + 1^2) = 19.5, F = 11 * 19.5 / (24 - 19.5) = 47.67,
and a difference of mean ranks has standard error sqrt(3 * 4 / (6 * 12)).
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from tiebreak import Comparison, Results, compare
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import CORRECTIONS, bayesian_signed_rank_pairs, difference_intervals, rm_anova

from .every import every

NAN = float("nan")
SCORES = np.array([[0.9, 0.8, 0.7]] * 9 + [[0.8, 0.9, 0.7]] * 3)
ERROR = np.sqrt(12 / 72)
NAMES = ["a", "b", "c"]
NAMES_TUPLE = ("a", "b", "c")


def table(scores: object, names: list[str] | None = None, score: str = "accuracy") -> Results:
    values = np.asarray(scores, dtype=float)
    return Results.from_array(values, score=score, algorithms=names or list("abcdefghij"[: values.shape[1]]))


def normal(seed: int, datasets: int, algorithms: int, effect: float = 0.5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(datasets, algorithms)) + effect * np.arange(algorithms) + rng.normal(size=(datasets, 1))


def signs(comparison: Comparison) -> list[tuple[str, str, float, str | None]]:
    return [(pair.a, pair.b, round(pair.statistic, 9), pair.better) for pair in comparison.pairs]


# ---- counted by hand


def test_mean_ranks_statistics_and_groups_by_hand() -> None:
    result = compare(table(SCORES), pairwise="ranks", posthoc="holm")
    assert result.mean_ranks.tolist() == [1.25, 1.75, 3]
    assert (result.omnibus.statistic, result.omnibus.df) == (pytest.approx(143 / 3), (2, 22))
    assert result.omnibus.pvalue == pytest.approx(stats.f.sf(143 / 3, 2, 22))
    z = np.array([-0.5, -1.75, -1.25]) / ERROR
    p = 2 * stats.norm.sf(-z)
    assert result.tests.statistic == pytest.approx(z)
    assert result.tests.adjusted == pytest.approx([p[0], 3 * p[1], 2 * p[2]])
    assert result.groups == (("a", "b"), ("c",)) and result.letters() == ["a", "a", "b"]
    assert result.significant.tolist() == [False, True, True]
    assert result.caveats == () and not result.averaged and result.critical_difference is None
    assert result.scores.mean(axis=0) == pytest.approx([0.875, 0.825, 0.7]) and result.location_name == "mean rank"


def test_algorithms_are_turned_best_first_with_their_pairs() -> None:
    """The same table with its columns reversed: every pair turns, and so does its sign."""
    turned = compare(table(SCORES[:, ::-1], ["c", "b", "a"]), posthoc="holm")
    assert signs(turned) == signs(compare(table(SCORES), posthoc="holm"))
    assert turned.scores.mean(axis=0) == pytest.approx([0.875, 0.825, 0.7])
    assert turned.mean_ranks.tolist() == [1.25, 1.75, 3]
    assert turned.locations.tolist() == [1.25, 1.75, 3]


@every("options", [{}, {"pairwise": "sign"}, {"pairwise": "wilcoxon"}, {"omnibus": "quade"}])
@every("columns", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_a_control_stays_the_first_of_its_pairs(options: dict[str, str], columns: list[int]) -> None:
    """b against a and c, wherever it stands in the table: a is ahead (positive), c behind (negative)."""
    result = compare(table(SCORES[:, columns], [NAMES[i] for i in columns]), control="b", **options)  # type: ignore[arg-type]
    assert [(pair.a, pair.b, pair.better) for pair in result.pairs] == [("b", "a", None), ("b", "c", "b")]
    assert result.pairs[0].statistic > 0 > result.pairs[1].statistic
    assert result.groups == (("a", "b"),) and result.control == "b"
    assert not any("groups" in caveat for caveat in result.caveats)


def test_signs_of_a_control_are_wins_less_losses() -> None:
    """b loses to a nine times and wins three times; it beats c twelve times. Holm: the smaller p-value pays double."""
    result = compare(table(SCORES), control="b", pairwise="sign")
    assert [pair.statistic for pair in result.pairs] == [6, -12]
    p = stats.binomtest(3, 12).pvalue, stats.binomtest(0, 12).pvalue
    assert [pair.pvalue for pair in result.pairs] == pytest.approx(p)
    assert [pair.adjusted for pair in result.pairs] == pytest.approx([p[0], 2 * p[1]])


def test_a_difference_of_nothing_has_no_sign() -> None:
    equal = compare(table(np.column_stack([SCORES, SCORES[:, 2]]), ["a", "b", "c", "d"]), pairwise="sign", control="d")
    statistic = next(pair.statistic for pair in equal.pairs if pair.b == "c")
    assert str(statistic) == "0.0"  # not -0.0

    twins = compare(table(np.column_stack([SCORES, SCORES[:, 2]]), ["a", "b", "z", "y"]), posthoc="holm")
    pair = next(pair for pair in twins.pairs if pair.a == "y")  # equal ones stand by name: their pair was turned
    assert (pair.b, str(pair.statistic), pair.better) == ("z", "0.0", None)


def test_a_statistic_of_one_is_a_difference() -> None:
    """Three wins to one: z = 2 / sqrt(4) = 1, chi-squared 1, p = 0.317, below alpha = 0.5."""
    scores, options = [[0.9, 0.8]] * 3 + [[0.8, 0.9]], {"omnibus": "friedman-chi2", "pairwise": "ranks"}
    result = compare(table(scores), control="b", alpha=0.5, **options)  # type: ignore[arg-type]
    assert (result.pairs[0].statistic, result.pairs[0].better) == (1, "a") and result.significant.tolist() == [True]


def test_what_the_tests_of_pairs_say_is_carried() -> None:
    few = compare(table(SCORES[:8]), pairwise="ranks", posthoc="holm")
    assert "8 data sets: the normal approximation of differences of mean ranks is rough below ten." in few.caveats
    dunn = compare(table(SCORES), posthoc="dunn")
    assert dunn.tests.critical_value == pytest.approx(stats.norm.isf(0.05 / 6))  # three pairs, two sides


def test_pairs_without_an_omnibus_test_stand_in_for_it() -> None:
    result = compare(table(SCORES), omnibus="none", posthoc="bonferroni", pairwise="sign")
    p = stats.binomtest(0, 12).pvalue
    assert result.omnibus.pvalue == pytest.approx(3 * p) and result.omnibus.statistic == -12
    assert result.omnibus.method.startswith("Smallest adjusted p-value of the sign test")
    assert result.omnibus.mean_ranks.tolist() == [1.25, 1.75, 3] == result.mean_ranks.tolist()
    assert result.omnibus.n_datasets == 12 and result.location_name == "mean rank"


def test_one_pair_stands_for_itself_by_its_own_name() -> None:
    result = compare(table(SCORES[:, :2]), pairwise="sign")
    assert result.omnibus.method == result.tests.method == "Sign test (exact binomial, ties split)"
    assert result.omnibus.pvalue == result.tests.pvalue[0] == pytest.approx(stats.binomtest(3, 12).pvalue)
    corrected = compare(table(SCORES[:, :2]), pairwise="sign", posthoc="holm")
    assert corrected.tests.method == "Sign test (exact binomial, ties split) with Holm's correction"


# ---- bounds


def test_what_lies_exactly_at_alpha_is_significant() -> None:
    """The level is set to an adjusted p-value, and to that of the omnibus test."""
    scores, options = normal(0, 12, 3, effect=0.6), {"pairwise": "ranks", "posthoc": "holm"}
    first = compare(table(scores), **options)  # type: ignore[arg-type]
    pair = float(first.tests.adjusted.min())
    assert first.omnibus.pvalue < pair
    assert compare(table(scores), alpha=pair, **options).significant.sum() == 1  # type: ignore[arg-type]
    assert compare(table(scores), alpha=pair * (1 - 1e-9), **options).significant.sum() == 0  # type: ignore[arg-type]
    whole = first.omnibus.pvalue
    assert compare(table(scores), alpha=whole, **options).rejected  # type: ignore[arg-type]
    assert not compare(table(scores), alpha=whole * (1 - 1e-9), **options).rejected  # type: ignore[arg-type]
    current = float(compare(table(scores)).tests.adjusted.min())
    assert compare(table(scores), alpha=current).significant.any()
    assert not compare(table(scores), alpha=current * (1 - 1e-9)).significant.any()


def hidden() -> tuple[Results, float, float]:
    """A table whose pairs have smaller p-values than the omnibus test: one differs, eleven are alike."""
    rng = np.random.default_rng(0)
    for _ in range(1000):
        scores = rng.normal(size=(10, 8)) + 0.9 * np.eye(8)[0]
        result = compare(table(scores), pairwise="ranks", posthoc="none")
        if result.omnibus.pvalue > 1.5 * result.tests.adjusted.min():
            return table(scores), float(result.tests.adjusted.min()), float(result.omnibus.pvalue)
    raise AssertionError("no such table was drawn")


def test_p_values_that_the_omnibus_test_hides_are_counted() -> None:
    results, pair, whole = hidden()
    words = "The omnibus test does not reject, so no pair is called different, although 1 adjusted p-value(s) lie at or"
    at = compare(results, pairwise="ranks", posthoc="none", alpha=pair)
    assert any(caveat.startswith(words) for caveat in at.caveats) and not at.significant.any()
    below = compare(results, pairwise="ranks", posthoc="none", alpha=pair * (1 - 1e-9))
    rejecting = compare(results, pairwise="ranks", posthoc="none", alpha=whole)
    for result in (below, rejecting):
        assert not any("does not reject" in caveat for caveat in result.caveats)
    assert rejecting.significant.any()


@pytest.mark.parametrize(("count", "chosen"), [(100, "bergmann-hommel"), (101, "shaffer")])
def test_the_last_size_of_the_usual_correction(count: int, chosen: str) -> None:
    names = [f"a{i:03d}" for i in range(count)]
    result = compare(table(np.random.default_rng(0).random((3, count)), names), pairwise="ranks")
    assert result.plan.posthoc == chosen


@pytest.mark.parametrize(("count", "chosen"), [(14, "bergmann-hommel"), (15, "shaffer")])
def test_the_last_size_on_own_scores(count: int, chosen: str) -> None:
    result = compare(table(np.random.default_rng(0).random((3, count)), [f"a{i:03d}" for i in range(count)]))
    assert (result.plan.pairwise, result.plan.posthoc) == ("wilcoxon", chosen)


@pytest.mark.parametrize(("count", "chosen"), [(14, "bergmann-hommel"), (15, "shaffer")])
def test_the_last_size_with_gaps(count: int, chosen: str) -> None:
    """With gaps the pairs have standard errors of their own and lie on no line: the exact search ends at 14."""
    scores = np.random.default_rng(0).random((6, count))
    scores[0, 0] = NAN
    names = [f"a{i:03d}" for i in range(count)]
    assert compare(table(scores, names), missing="skillings-mack").plan.posthoc == chosen


def test_more_algorithms_than_the_exact_search_takes_lie_on_the_line_of_their_ranks() -> None:
    """Twenty algorithms: only the mean ranks make the exact correction possible, which never pays more than Holm."""
    names = [f"a{i:03d}" for i in range(20)]
    scores = normal(3, 25, 20, effect=0.3)
    exact, holm = (
        compare(table(scores, names), pairwise="ranks", posthoc=name) for name in ("bergmann-hommel", "holm")
    )
    assert (exact.tests.adjusted <= holm.tests.adjusted * (1 + 1e-9)).all()
    assert (exact.tests.adjusted >= exact.tests.pvalue).all()


@pytest.mark.parametrize("sets", [29, 30])
def test_many_data_sets_do_not_change_the_question(sets: int) -> None:
    """Normal scores on thirty data sets are no reason to go from ranks to means unasked."""
    result = compare(table(normal(1, sets, 4)))
    assert (result.plan.omnibus, result.plan.pairwise, result.location_name) == ("friedman", "wilcoxon", "mean rank")


@every("posthoc", [*CORRECTIONS, "nemenyi", "bonferroni-dunn", "dunn", "tukey", "dunnett"])
@every("control", [None, "b"])
def test_every_post_hoc_test_knows_the_names(posthoc: str, control: str | None) -> None:
    """Against a control only some go; those that go name a, b and c."""
    try:
        result = compare(table(SCORES + normal(0, 12, 3) / 1000), posthoc=posthoc, control=control)
    except OptionError:
        return
    assert result.algorithms == result.tests.algorithms == NAMES_TUPLE
    assert {pair.a for pair in result.pairs} == ({"a", "b"} if control is None else {"b"})


def test_the_papers_of_every_part_are_named() -> None:
    text = str(compare(table(SCORES), pairwise="sign", posthoc="holm").to_dict()["references"])
    assert all(author in text for author in ("Friedman", "Iman and Davenport", "Demsar", "Dixon and Mood", "Holm"))


@pytest.mark.parametrize("most", [45, 55])
def test_texts_list_the_pairs_of_ten_algorithms(most: int) -> None:
    count = 10 if most == 45 else 11
    result = compare(table(normal(2, 20, count), [f"a{i:02d}" for i in range(count)]), posthoc="holm")
    note = f"{most} pairs were tested; `rows()` lists them all."
    assert (note in str(result.document())) == (most > 45)
    assert ("adjusted p" in str(result.document())) == ("adjusted p" in result.to_markdown()) == (most == 45)
    assert (f"% {note}" in result.to_latex()) == (most > 45)


def test_more_groups_than_anybody_reads_are_cut() -> None:
    """The complement of nine triangles has 3^9 = 19,683 maximal cliques."""
    alike = np.ones((27, 27), dtype=bool)
    for start in range(0, 27, 3):
        alike[start : start + 3, start : start + 3] = np.eye(3, dtype=bool)
    result, complete = maximal_cliques(alike)
    assert len(result) == 10_000 and not complete
    nine = alike[:6, :6]
    assert maximal_cliques(nine, limit=9)[1] and len(maximal_cliques(nine, limit=9)[0]) == 9
    assert not maximal_cliques(nine, limit=8)[1]


@every(
    ("count", "options", "omnibus"),
    [
        (2, {"posthoc": "holm"}, "none"),
        (2, {"posthoc": "dunn"}, "friedman"),
        (3, {"posthoc": "holm"}, "friedman"),
        (2, {"pairwise": "ranks"}, "friedman"),
        (2, {"pairwise": "wilcoxon"}, "none"),
        (2, {"pairwise": "paired-t"}, "none"),
        (3, {"pairwise": "wilcoxon"}, "friedman"),
        (3, {"pairwise": "sign"}, "friedman"),
        (3, {"pairwise": "paired-t"}, "rm-anova"),
    ],
)
def test_the_omnibus_test_that_goes_with_what_was_asked(count: int, options: dict[str, str], omnibus: str) -> None:
    assert compare(table(SCORES[:, :count]), **options).plan.omnibus == omnibus  # type: ignore[arg-type]


# ---- tables and gaps


def test_folds_are_averaged_and_that_is_known() -> None:
    folds = np.repeat(SCORES[:, :, None], 3, axis=2) + np.array([-0.01, 0.0, 0.01])
    result = compare(Results.from_array(folds, score="accuracy", algorithms=NAMES))
    assert result.averaged and result.mean_ranks.tolist() == [1.25, 1.75, 3]
    assert not compare(table(SCORES)).averaged


def test_dropped_folds_and_data_sets_are_counted() -> None:
    folds = np.random.default_rng(3).random((6, 3, 2))
    folds[0, 0, 0] = NAN
    folds[1, 1] = NAN
    result = compare(Results.from_array(folds, score="accuracy", algorithms=NAMES), missing="drop-folds")
    assert result.caveats[0] == (
        "Folds that some algorithm lacks were dropped for all algorithms on that data set (9 rows). 1 data set(s) had"
        " no fold left and are gone."
    )
    one = compare(Results.from_array(folds[[0, 2, 3, 4, 5]], score="accuracy", algorithms=NAMES), missing="drop-folds")
    assert one.caveats[0].endswith("on that data set (3 rows).")


def test_an_algorithm_without_any_score_is_named() -> None:
    scores = SCORES.copy()
    scores[:, 1] = NAN
    for policy in ("worst-rank", "skillings-mack"):
        with pytest.raises(InputError) as caught:
            compare(table(scores), missing=policy)
        assert str(caught.value).startswith("'b' has no complete accuracy on any data set.")


def test_a_gap_that_takes_the_worst_rank_leaves_the_means_alone() -> None:
    """c fails on the first data set: its ranks are unchanged, its mean is over the eleven others."""
    scores = SCORES.copy()
    scores[0, 2] = NAN
    result = compare(table(scores), missing="worst-rank")
    assert result.mean_ranks.tolist() == [1.25, 1.75, 3]
    row = next(row for row in result.rows() if row["algorithm"] == "c")
    assert row["mean accuracy"] == pytest.approx(0.7)
    assert sum(result.wins().rows()[0][key] for key in ("a_wins", "b_wins", "ties")) == 11  # data sets without gaps


def test_mean_ranks_with_gaps_are_over_the_scores_there_are() -> None:
    """a lacks the first data set: there b ranks 1 and c 2; elsewhere as before."""
    scores = SCORES.copy()
    scores[0, 0] = NAN
    result = compare(table(scores), missing="skillings-mack")
    means = dict(zip(result.algorithms, result.mean_ranks, strict=True))
    assert means == pytest.approx({"a": (8 * 1 + 3 * 2) / 11, "b": (1 + 8 * 2 + 3 * 1) / 12, "c": (2 + 33) / 12})
    assert "1 cell(s) with gaps are left out." in result.caveats
    whole = compare(table(SCORES), omnibus="skillings-mack")
    assert whole.location_name == "mean rank" and whole.mean_ranks.tolist() == [1.25, 1.75, 3]


def test_too_few_are_left_after_a_policy() -> None:
    scores = np.array([[0.5, NAN], [NAN, 0.6], [0.7, 0.8]])
    with pytest.raises(InputError) as caught:
        compare(table(scores), missing="drop-datasets")
    assert str(caught.value).startswith("There are 1 data set(s) left to compare on.")
    assert str(caught.value).endswith("Add data sets, or choose another policy for gaps (missing=...).")
    with pytest.raises(InputError, match=r"There are 1 algorithm\(s\) left to compare\."):
        compare(table(np.array([[0.5, NAN], [0.6, 0.7]])), missing="drop-algorithms")
    assert len(compare(table([[0.5, 0.6], [0.6, 0.5]])).datasets) == 2


# ---- directions


@pytest.mark.parametrize("omnibus", ["friedman", "aligned-ranks", "quade", "skillings-mack", "rm-anova", "none"])
def test_every_omnibus_test_takes_either_direction(omnibus: str) -> None:
    scores = normal(4, 14, 3, effect=0.8)
    up = compare(table(scores), omnibus=omnibus, posthoc="holm")
    down = compare(table(-scores, score="error"), omnibus=omnibus, posthoc="holm")
    assert up.algorithms == down.algorithms == ("c", "b", "a")
    assert up.omnibus.pvalue == pytest.approx(down.omnibus.pvalue)
    assert up.locations.tolist() == sorted(up.locations.tolist())
    assert sorted(up.omnibus.algorithms) == sorted(NAMES_TUPLE)


def test_anova_knows_the_direction_and_the_names() -> None:
    scores = normal(1, 40, 3)
    result = compare(table(scores), omnibus="rm-anova", pairwise="paired-t", posthoc="holm")
    assert result.location_name == "mean score"
    assert result.locations == pytest.approx(sorted(-scores.mean(axis=0)))
    wanted = rm_anova(scores, higher_is_better=True, algorithms=NAMES_TUPLE).rows()
    assert (
        [row["algorithm"] for row in result.omnibus.rows()] == [row["algorithm"] for row in wanted] == ["c", "b", "a"]
    )


# ---- what hangs on a comparison


def test_intervals_and_posteriors_pass_on_what_was_asked() -> None:
    result = compare(table(normal(5, 15, 3)), posthoc="holm")
    text = {"higher_is_better": True, "algorithms": result.algorithms}
    for level, method in ((0.95, "wilcoxon"), (0.8, "wilcoxon"), (0.95, "t")):
        wanted = difference_intervals(result.scores, level=level, method=method, **text)  # type: ignore[arg-type]
        assert result.intervals(level=level, method=method).rows() == wanted.rows()
    assert result.intervals().rows() == difference_intervals(result.scores, **text).rows()  # type: ignore[arg-type]
    for rope, rng in ((0.0, 0), (0.1, 0), (0.0, 7)):
        wanted = bayesian_signed_rank_pairs(result.scores, rope=rope, rng=rng, **text)  # type: ignore[assignment, arg-type]
        assert result.bayes(rope=rope, rng=rng).rows() == wanted.rows()
    assert result.bayes().rows() == bayesian_signed_rank_pairs(result.scores, rng=0, **text).rows()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("posthoc", "words"),
    [
        ("none", "The p-values of 3 pairs are not corrected: some differences will be chance."),
        (
            "benjamini-hochberg",
            "The correction controls the false discovery rate, not the family-wise error rate.",
        ),
        ("benjamini-yekutieli", "The correction controls the false discovery rate, not the family-wise error rate."),
        ("finner", "The correction finner does not control the family-wise error rate"),
        ("li", "The correction li does not control the family-wise error rate where some differences are real."),
    ],
)
def test_what_a_correction_does_not_promise(posthoc: str, words: str) -> None:
    assert any(caveat.startswith(words) for caveat in compare(table(SCORES), posthoc=posthoc).caveats)
    two_pairs = compare(table(SCORES), posthoc=posthoc, control="a").caveats
    assert any(caveat.startswith(words.replace("3 pairs", "2 pairs")) for caveat in two_pairs)
    assert not compare(table(SCORES[:, :2]), posthoc=posthoc, pairwise="sign").caveats  # one pair needs no correction


def test_the_critical_difference_belongs_to_its_test() -> None:
    """Nemenyi: q of three means at 0.05 is 3.3145 / sqrt 2; Bonferroni-Dunn: z of 0.05 / 2 over two sides."""
    nemenyi = compare(table(SCORES), posthoc="nemenyi")
    q = stats.studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2)
    assert nemenyi.critical_difference == pytest.approx(q * ERROR, rel=1e-6)
    dunn = compare(table(SCORES), posthoc="bonferroni-dunn", control="c", alpha=0.1)
    assert dunn.critical_difference == pytest.approx(stats.norm.isf(0.1 / 2 / 2) * ERROR)


def test_the_score_keeps_its_unit() -> None:
    results = Results.from_array(SCORES, score="train_time", algorithms=NAMES)
    result = compare(results, score="train_time", higher_is_better=False)
    assert result.score.unit == results.metric("train_time").unit
    assert result.score.higher_is_better is False


def test_options_that_a_policy_or_test_refuses() -> None:
    for options in ({"missing": "worst-rank", "posthoc": "tukey"}, {"missing": "worst-rank", "omnibus": "quade"},
                    {"missing": "skillings-mack", "pairwise": "sign"}, {"omnibus": "skillings-mack", "posthoc": "dunn"},
                    {"omnibus": "none", "pairwise": "ranks"}):  # fmt: skip
        with pytest.raises(OptionError):
            compare(table(SCORES), **options)  # type: ignore[arg-type]
    for options in ({"missing": "worst-rank", "pairwise": "conover"}, {"missing": "worst-rank", "posthoc": "dunn"},
                    {"omnibus": "skillings-mack", "pairwise": "ranks"}, {"omnibus": "friedman-chi2", "posthoc": "dunn"},
                    {"omnibus": "friedman-chi2", "pairwise": "conover"}):  # fmt: skip
        assert compare(table(SCORES), **options).rejected  # type: ignore[arg-type]


def test_groups_are_by_pairs_not_by_neighbours() -> None:
    """Cliques of the graph a-b, b-c, c-d, a-d (a ring): four pairs and no larger group."""
    alike = np.eye(4, dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (0, 3)):
        alike[i, j] = alike[j, i] = True
    assert maximal_cliques(alike) == ([[0, 1], [0, 3], [1, 2], [2, 3]], True)
    assert maximal_cliques(np.eye(0, dtype=bool))[0] in ([], [[]])
    assert all(maximal_cliques(np.ones((n, n), dtype=bool))[0] == [list(range(n))] for n in range(1, 6))
    assert list(itertools.chain(*maximal_cliques(np.eye(3, dtype=bool))[0])) == [0, 1, 2]
