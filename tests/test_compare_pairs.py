"""Pairs on their own scores: what the default keeps that mean ranks lose, and what hangs on the other algorithms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak import Comparison, Results, compare, published, stats
from tiebreak.errors import OptionError
from tiebreak.figures import critical_difference

from .every import every


def table(scores: np.ndarray, score: str = "accuracy") -> Results:
    return Results.from_array(scores, score=score, algorithms=list("abcdefghijklmnopqrstuvwxyz"[: scores.shape[1]]))


def codes(comparison: Comparison) -> list[str]:
    return [caveat.code for caveat in comparison.caveats]


def verdict_of(comparison: Comparison, *names: str) -> str | None:
    return next(pair.better for pair in comparison.pairs if {pair.a, pair.b} == set(names))


# ---- two constructed cases


def crowd(rng: np.random.Generator, datasets: int = 30, algorithms: int = 6) -> np.ndarray:
    """Draw a and b exchangeable, one first and the other last by a fair coin; the others in one order between them."""
    coin = rng.choice([-1, 1], datasets) * (1 + rng.random(datasets))
    between = np.linspace(-0.5, 0.5, algorithms - 2) + rng.normal(scale=0.05, size=(datasets, algorithms - 2))
    return np.column_stack([coin, -coin, between])


def test_others_between_two_equal_algorithms_do_not_tell_them_apart() -> None:
    """By mean ranks a and b differ significantly in a fifth of all tables, on their own scores in a twentieth."""
    rng = np.random.default_rng(0)
    runs, by_ranks, by_scores = 100, 0, 0
    for _ in range(runs):
        results = table(crowd(rng))
        by_ranks += verdict_of(compare(results, pairwise="ranks"), "a", "b") is not None
        by_scores += verdict_of(compare(results), "a", "b") is not None
    error = 3 * (0.05 * 0.95 / runs) ** 0.5
    assert by_ranks / runs == pytest.approx(0.21, abs=0.1)
    assert by_scores / runs <= 0.05 + error


def answers(rng: np.random.Generator, better: float = 0.73) -> np.ndarray:
    """Four models on 500 items, nine tenths of which all of them solve; d solves more of the others."""
    easy = rng.random((500, 1)) < 0.9
    return (easy | (rng.random((500, 4)) < [0.5, 0.5, 0.5, better])).astype(float)


def test_right_and_wrong_answers_tie_and_still_say_who_is_better() -> None:
    """Ties make ranks vary less than Demsar's variance says, which then finds nothing."""
    rng = np.random.default_rng(1)
    runs = 60
    request = {"scores": {}, "wins": {"pairwise": "wins"}, "ranks": {"pairwise": "ranks"}}
    request["demsar"] = {"pairwise": "ranks", "tie_correction": False}
    fromkeys = dict.fromkeys(request, 0)
    for _ in range(runs):
        results = table(answers(rng))
        for name, options in request.items():
            fromkeys[name] += verdict_of(compare(results, **options), "a", "d") == "d"  # type: ignore[arg-type]
    assert fromkeys["demsar"] / runs <= 0.02
    assert all(0.3 < fromkeys[name] / runs < 0.6 for name in ("scores", "wins", "ranks"))


def test_equal_models_with_many_ties_are_told_apart_no_more_than_alpha_allows() -> None:
    rng = np.random.default_rng(2)
    runs = 70
    options = ({}, {"pairwise": "wins"}, {"pairwise": "ranks"}, {"posthoc": "nemenyi"}, {"posthoc": "dunn"})
    wrong = np.zeros(len(options))
    for _ in range(runs):
        results = table(answers(rng, better=0.5)[:150])
        wrong += [compare(results, **option).significant.any() for option in options]  # type: ignore[arg-type]
    assert (wrong / runs <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5).all()


# ---- ties in the variance of mean ranks


def tied_ranks() -> np.ndarray:
    return np.array([[1.0, 2.0, 3.0], [1.5, 1.5, 3.0], [2.0, 2.0, 2.0], [3.0, 1.5, 1.5], [1.0, 2.5, 2.5]])


def test_the_variance_is_that_of_ranks_dealt_out_at_random() -> None:
    """Every way of dealing out the ranks of each data set, 6^5 of them; the first two algorithms stand for all."""
    ranks = tied_ranks()
    dealt = [[row[list(p)] for p in itertools.permutations(range(3))] for row in ranks]
    means = np.array([np.mean([row[0] - row[1] for row in rows]) for rows in itertools.product(*dealt)])
    result = stats.rank_tests(ranks, adjust="none")
    difference = ranks.mean(axis=0)[0] - ranks.mean(axis=0)[1]
    assert result.statistic[0] == pytest.approx(difference / means.std(), rel=1e-12)
    factor = stats.friedman(ranks).tie_factor
    plain = stats.rank_tests(ranks, adjust="none", tie_correction=False)
    assert result.statistic == pytest.approx(plain.statistic / factor**0.5)
    assert plain.statistic[0] == pytest.approx(difference / (12 / 30) ** 0.5)
    for test in (stats.nemenyi, stats.dunn_pairs):
        assert test(ranks, tie_correction=True).statistic == pytest.approx(result.statistic)
        assert test(ranks, tie_correction=False).statistic == pytest.approx(plain.statistic)
    against = stats.bonferroni_dunn(ranks, control=0, tie_correction=True)
    assert against.statistic == pytest.approx(result.statistic[:2])


def test_z_squared_of_two_tied_algorithms_is_friedmans_chi_squared() -> None:
    scores = np.array([[1, 2]] * 7 + [[2, 1]] * 2 + [[1, 1]] * 4)
    assert stats.rank_tests(scores).statistic[0] ** 2 == pytest.approx(stats.friedman(scores).chi2)


def test_without_ties_there_is_one_variance_and_its_name() -> None:
    scores = np.random.default_rng(0).random((12, 4))
    for test in (stats.rank_tests, stats.nemenyi, stats.dunn_pairs):
        with_it, without = test(scores, tie_correction=True), test(scores, tie_correction=False)
        assert with_it.method == without.method and (with_it.statistic == without.statistic).all()
    assert stats.rank_tests(tied_ranks()).method == "z tests on mean ranks (corrected for ties) with Holm's correction"
    name = stats.nemenyi(tied_ranks(), tie_correction=True).method
    assert name == "Nemenyi test (infinite degrees of freedom, corrected for ties)"
    assert stats.dunn_pairs(tied_ranks()).method.startswith("Dunn's test on ranks, corrected for ties, Bonferroni over")
    name = stats.bonferroni_dunn(tied_ranks(), control=1, tie_correction=True).method
    assert name == "Bonferroni-Dunn test against the control (corrected for ties)"


@pytest.mark.parametrize("options", [{"posthoc": "nemenyi"}, {"posthoc": "bonferroni-dunn", "control": "a"}])
@pytest.mark.parametrize("tie_correction", [True, False])
def test_the_critical_difference_decides_with_ties_too(options: dict[str, str], tie_correction: bool) -> None:
    scores = np.random.default_rng(3).integers(0, 3, (40, 5)) + np.array([0, 0, 0, 0.6, 1]).round()
    result = compare(table(scores), tie_correction=tie_correction, **options)  # type: ignore[arg-type]
    apart = np.abs(result.mean_ranks[result.tests.a] - result.mean_ranks[result.tests.b])
    assert result.critical_difference is not None and result.rejected
    assert (result.significant == (apart >= result.critical_difference)).all()


def test_a_tie_factor_that_is_none() -> None:
    with pytest.raises(OptionError, match=r"tie_factor is 1\.2\. Pass the tie_factor"):
        stats.nemenyi_cd(n_algorithms=3, n_datasets=10, tie_factor=1.2)
    assert stats.nemenyi_cd(n_algorithms=3, n_datasets=10, tie_factor=0) == 0


# ---- wins


def test_wins_are_those_where_two_algorithms_differ() -> None:
    scores = np.random.default_rng(4).integers(0, 4, (30, 3)) + np.array([0, 0, 1])
    result = compare(table(scores), pairwise="wins", posthoc="none")
    for pair in result.pairs:
        d = scores[:, "abc".index(pair.a)] - scores[:, "abc".index(pair.b)]
        won, lost = int((d > 0).sum()), int((d < 0).sum())
        assert pair.statistic == lost - won
        assert pair.pvalue == pytest.approx(scipy_stats.binomtest(won, won + lost).pvalue)


def test_wins_of_right_and_wrong_answers_are_mcnemars_exact_test() -> None:
    scores = answers(np.random.default_rng(5))
    result = compare(table(scores), pairwise="wins", posthoc="holm")
    assert result.tests.method == "Sign test (exact binomial, ties dropped) with Holm's correction"
    assert "McNemar (1947)" in str(result.document())
    for pair in result.pairs:
        a, b = (scores[:, "abcd".index(name)].astype(int) for name in (pair.a, pair.b))
        only = int((a > b).sum()), int((a < b).sum())
        assert pair.pvalue == pytest.approx(stats.mcnemar(*only, method="exact").pvalue)
    split = compare(table(scores), pairwise="sign", posthoc="holm")
    assert (split.tests.pvalue >= result.tests.pvalue).all()


# ---- the omnibus test beside the pairs


def quiet_omnibus() -> np.ndarray:
    """Let a be a little better than b on every data set; the others are noise that hides it among the ranks."""
    rng = np.random.default_rng(6)
    scores = rng.normal(size=(20, 7))
    scores[:, 1] = scores[:, 0] - 0.01 * (1 + rng.random(20))
    return scores


def test_pairs_that_are_corrected_by_themselves_need_no_omnibus_test() -> None:
    result = compare(table(quiet_omnibus()))
    assert not result.rejected and not result.gated and verdict_of(result, "a", "b") == "a"
    text = str(result.document())
    assert "is not rejected at alpha = 0.05." in text and "1 of 21 pairs differs significantly." in text
    assert "That the omnibus test does not reject takes nothing from this" in text
    assert "adjusted p" in text and "The data do not show" not in text
    assert not any({"a", "b"} <= set(group) for group in result.groups)
    pairs = result.document().tables[-1]
    assert "none is called different" not in pairs.caption
    against = compare(table(quiet_omnibus()), control="a")
    assert "b is significantly worse than a" in str(against.document()) and "takes nothing from this" in str(
        against.document()
    )


@every(
    ("options", "gated"),
    [
        ({"posthoc": "holm"}, False),
        ({"posthoc": "benjamini-hochberg"}, False),
        ({"posthoc": "none"}, True),
        ({"posthoc": "li"}, True),
        ({"pairwise": "sign"}, False),
        ({"pairwise": "paired-t"}, False),
        ({"pairwise": "ranks"}, True),
        ({"pairwise": "conover"}, True),
        ({"posthoc": "nemenyi"}, True),
        ({"posthoc": "tukey"}, True),
        ({"omnibus": "quade"}, False),
        ({"omnibus": "quade", "pairwise": "ranks"}, True),
    ],
)
def test_where_the_omnibus_test_comes_first(options: dict[str, str], gated: bool) -> None:
    result = compare(table(quiet_omnibus()), **options)  # type: ignore[arg-type]
    assert result.gated is gated and result.to_dict()["omnibus"]["comes_first"] is gated
    if gated and not result.rejected:
        assert not result.significant.any() and "The data do not show that the algorithms differ" in str(
            result.document()
        )
    hidden = gated and not result.rejected and bool((result.tests.adjusted <= 0.05).any())
    assert ("omnibus-hides-pairs" in codes(result)) == hidden


def test_two_algorithms_are_their_one_pair_whatever_the_omnibus_test_says() -> None:
    """Six small losses and six large wins: ranks see nothing, signed ranks nearly all."""
    scores = np.column_stack([np.r_[np.full(4, -0.1), np.arange(1, 9)], np.zeros(12)])
    result = compare(table(scores), omnibus="friedman")
    assert not result.rejected and not result.gated and result.pairs[0].better == "a"
    assert str(result.document()).splitlines()[3] == "a is significantly better than b."


# ---- too few data sets


def test_too_few_data_sets_are_named_where_no_scores_could_tell_a_pair_apart() -> None:
    """Six pairs: 6 * 2^(1 - n) <= 0.05 from n = 8 on. Friedman's test rejects with five data sets that agree."""
    scores = np.tile([0.9, 0.8, 0.7, 0.6], (7, 1)) + np.arange(28).reshape(7, 4) ** 2 / 1e6
    seven, text = compare(table(scores)), str(compare(table(scores)).document())
    assert seven.rejected and not seven.significant.any() and codes(seven).count("least-pvalue") == 1
    assert "but with 7 data sets no difference can be significant, it takes at least 8." in text
    assert (
        "With 7 data sets no pair can differ significantly at alpha = 0.05, whatever its scores: after the"
        " correction for 6 pairs it takes at least 8."
    ) in seven.caveats
    eight = compare(table(np.vstack([scores, scores[0] + 0.01])))
    assert eight.significant.all() and "least-pvalue" not in codes(eight)
    assert "no pair can differ significantly" not in str(compare(table(scores), pairwise="ranks").document())
    assert "it takes 6." in str(compare(table(scores[:5, :2])).document())


def test_none_of_many_pairs_is_no_sign_of_few_data_sets() -> None:
    rng = np.random.default_rng(0)
    for _ in range(400):
        scores = rng.normal(size=(25, 5)) + 0.13 * np.arange(5)
        result = compare(table(scores))
        if result.rejected and not result.significant.any():
            text = str(result.document())
            assert "but the tests of the pairs do not show which of them differ." in text
            assert "too few" not in text and "least-pvalue" not in codes(result)
            return
    pytest.fail("no such table was drawn")


# ---- ranks against scores


def test_a_pair_that_stands_the_other_way_round_is_named_and_no_bar_joins_it() -> None:
    """a wins 32 times by very little and loses 28 times by more: the better mean rank, the worse scores.

    Rank sums 32 * 33 / 2 = 528 and 1830 - 528 = 1302: z = 774 / sqrt(60 * 61 * 121 / 6) = 2.85.
    """
    wins, losses = -0.001 * np.arange(1, 33), np.arange(1.0, 29)
    scores = np.column_stack([np.zeros(60), np.r_[wins, losses], np.full(60, -50.0)])
    result = compare(table(scores))
    assert result.algorithms == ("a", "b", "c") and verdict_of(result, "a", "b") == "b"
    assert "ranks-and-scores-disagree" in codes(result)
    text = str(result.document())
    assert (
        "Some pairs have the opposite order by their own scores than by mean rank: b is significantly better than a."
    ) in text
    assert "On the scores of the pair alone, b is significantly better than a." in text
    assert critical_difference(result).groups == ()


def test_bars_join_no_pair_that_differs() -> None:
    """sv2 varies more than its neighbours: the group of svl, mlp and sv2 leaves out lnp, which lies between."""
    result = compare(published.ulas2012(), score="accuracy")
    figure = critical_difference(result)
    apart = {frozenset((pair.a, pair.b)) for pair in result.pairs if pair.better}
    assert (1, 2, 4) in figure.groups
    for group in figure.groups:
        names = [figure.algorithms[i] for i in group]
        assert not any(frozenset(two) in apart for two in itertools.combinations(names, 2))
    assert "A broken bar joins only the algorithms under its thick parts and dots." in figure.reading()


def test_very_many_groups_are_counted_where_letters_would_not_be_read() -> None:
    """Pairs on their own scores follow no line, and the groups of a hundred algorithms multiply."""
    rng = np.random.default_rng(0)
    names = [f"m{i:02d}" for i in range(100)]
    scores = rng.normal(size=(40, 100)) + np.linspace(0, 3, 100)
    result = compare(Results.from_array(scores, score="accuracy", algorithms=names))
    most = max(sum(name in group for group in result.groups) for name in names)
    assert most > 26 and "groups-cut" in codes(result)
    assert f"{len(result.groups)} groups are too many for letters" in str(
        result.document()
    ) and "group letter" not in str(result.document())
    table_of_algorithms = result.document().tables[0]
    assert table_of_algorithms.header[-1] == "not different"
    apart = sum(result.algorithms[0] in (pair.a, pair.b) for pair in result.pairs if pair.better)
    assert table_of_algorithms.body[0][-1] == str(99 - apart)
    few = compare(Results.from_array(scores[:, :4], score="accuracy"))
    assert "groups-cut" not in codes(few) and few.document().tables[0].header[-1] == "group"
