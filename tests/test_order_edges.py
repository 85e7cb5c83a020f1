"""Orders at their edges: small tables whose order can be worked out by hand, one rule at a time.

Folds are all equal to their mean unless a test says otherwise, and pairs are told apart by tests of our own, so that
costs and decisions are seen alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy import stats

from tiebreak import Ordering, Results, with_costs
from tiebreak.comparison.groups import best_of_groups
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import fold_pairs

from .published_rules import order

Rows = Sequence[Sequence[float]]


def table(means: Rows, *, score: str = "error", **costs: Rows) -> Results:
    """Five replications of two folds, every fold at the mean; a row of costs stands for all data sets."""
    matrix = np.array(means, dtype=float)
    names = list("abcdefghijklmnopqrstuvwxyz"[: matrix.shape[1]])
    folds = np.repeat(matrix[:, :, None], 10, axis=2).reshape(*matrix.shape, 5, 2)
    out = Results.from_array(folds, score=score, algorithms=names)
    for cost, values in costs.items():
        priced = np.broadcast_to(np.array(values, dtype=float), matrix.shape).copy()
        out = with_costs(out, Results.from_array(priced, score=cost, algorithms=names))
    return out


def nothing(_a: np.ndarray, _b: np.ndarray) -> float:
    return 1.0


def telling(*pairs: tuple[float, float]) -> Callable[[np.ndarray, np.ndarray], float]:
    """A test that tells apart the pairs of mean errors that are named, and no others."""
    known = {frozenset(pair) for pair in pairs}

    def told(a: np.ndarray, b: np.ndarray) -> float:
        return 0.01 if frozenset((round(float(a.mean()), 9), round(float(b.mean()), 9))) in known else 1.0

    return told


def by_cost(results: Results, **options: object) -> Ordering:
    """Order where no test tells anything apart: costs and their ties decide."""
    return order(results, **({"pairwise": nothing, "inner_adjust": "none"} | options))  # type: ignore[arg-type]


# ---- ties of cost


@pytest.mark.parametrize(("score", "prior"), [("accuracy", ("b", "c", "a")), ("error", ("a", "c", "b"))])
def test_ties_are_broken_by_the_better_score_in_its_direction(score: str, prior: tuple[str, ...]) -> None:
    ordering = by_cost(table([[0.6, 0.9, 0.7]], score=score, space=[[5, 5, 5]]))
    assert ordering.prior == ordering.order == prior


def test_ties_are_broken_by_the_score_of_their_own_data_set_and_of_the_mean() -> None:
    """On the first data set b is the more accurate, on the others a; over all, a."""
    results = table([[0.6, 0.9], [0.9, 0.5], [0.8, 0.7]], score="accuracy", space=[[5, 5]])
    ordering = by_cost(results)
    assert ordering.ranks.tolist() == [[2, 1], [1, 2], [1, 2]]
    assert ordering.prior == ("a", "b")  # mean accuracy 0.767 against 0.700
    assert ordering.caveats[0] == "Costs tie on 3 data set(s); ties are broken by score, then by name."
    assert "Mean costs tie; ties are broken by score, then by name." in ordering.caveats
    assert ordering.tied_costs


def test_two_data_sets_break_ties_each_by_its_own_score() -> None:
    ordering = by_cost(table([[0.6, 0.9], [0.9, 0.5]], score="accuracy", space=[[5, 5]]))
    assert ordering.ranks.tolist() == [[2, 1], [1, 2]] and ordering.prior == ("a", "b")


def test_a_given_order_has_no_ties() -> None:
    ordering = by_cost(table([[0.1, 0.1]] * 2, space=[[1, 1]]), prior=["b", "a"])
    assert ordering.prior == ("b", "a") and not ordering.tied_costs
    assert not any("tie" in caveat for caveat in ordering.caveats)


def test_the_mean_score_breaks_ties_when_there_are_as_many_data_sets_as_rows() -> None:
    """One data set: its own scores and the mean are the same thing, and the order follows them."""
    ordering = by_cost(table([[0.2, 0.1, 0.3]], space=[[1, 1, 1]]))
    assert ordering.order == ("b", "a", "c")


def test_costs_without_ties_say_nothing_of_ties() -> None:
    ordering = by_cost(table([[0.1, 0.1]] * 2, space=[[1, 2]]))
    assert not ordering.tied_costs and not any("tie" in caveat for caveat in ordering.caveats)
    assert "Costs that tie" not in str(ordering)


def test_names_break_ties_alphabetically_not_by_their_place_in_the_table() -> None:
    folds = Results.from_array(np.full((2, 3, 5, 2), 0.5), score="error", algorithms=["z", "m", "b"])
    costs = Results.from_array(np.ones((2, 3)), score="space", algorithms=["z", "m", "b"])
    assert by_cost(with_costs(folds, costs)).order == ("b", "m", "z")


def test_costs_are_shares_of_the_largest_on_their_own_data_set() -> None:
    """a: 1/3 and 1, b: 1 and 1/2. In plain seconds b would be the cheaper by far."""
    ordering = by_cost(table([[0.1, 0.1]] * 2, train_time=[[1, 3], [200, 100]]))
    assert ordering.costs["train_time"] == pytest.approx([2 / 3, 3 / 4])
    assert ordering.prior == ("a", "b") and ordering.ranks.tolist() == [[1, 2], [2, 1]]


# ---- costs that are nearly equal


# ---- layers of costs


# ---- decisions inside a data set


def test_a_corrected_t_test_knows_the_share_of_its_folds() -> None:
    """Nadeau and Bengio: t = mean / sqrt((1/n + share / (1 - share)) variance), n - 1 degrees of freedom."""
    rng = np.random.default_rng(3)
    for replications, folds in ((1, 10), (2, 5), (3, 2)):
        errors = rng.normal([[[[0.0]], [[0.02]]]], 0.02, (1, 2, replications, folds))
        result = order(
            Results.from_array(errors, score="error", algorithms=["a", "b"]), prior=["a", "b"], pairwise="corrected-t"
        )
        d = (errors[0, 0] - errors[0, 1]).reshape(-1)
        share = 1 / folds
        t = d.mean() / np.sqrt((1 / d.size + share / (1 - share)) * d.var(ddof=1))
        assert result.tests.statistic[0] == pytest.approx(t)
        assert result.tests.pvalue[0] == pytest.approx(2 * stats.t.sf(abs(t), d.size - 1))


def test_the_corrected_t_test_cannot_know_the_share_of_single_folds() -> None:
    single = Results.from_array(np.random.default_rng(0).random((1, 2, 6, 1)), score="error", algorithms=["a", "b"])
    with pytest.raises(InputError, match="There is one fold in each replication"):
        order(single, prior=["a", "b"], pairwise="corrected-t")
    for pairwise in ("kfold-t", "wilcoxon", "sign"):
        assert len(order(single, prior=["a", "b"], pairwise=pairwise).order) == 2


@pytest.mark.parametrize("pairwise", ["kfold-t", "wilcoxon", "sign"])
def test_two_folds_are_enough_and_one_is_not(pairwise: str) -> None:
    two = Results.from_array([[[0.1, 0.2], [0.3, 0.5]]], score="error", algorithms=["a", "b"])
    assert order(two, prior=["a", "b"], pairwise=pairwise).order == ("a", "b")
    one = Results.from_array([[0.1, 0.3]], score="error", algorithms=["a", "b"])
    with pytest.raises(InputError, match="There is one score for each data set and algorithm"):
        order(one, prior=["a", "b"], pairwise=pairwise)


def test_a_t_test_that_points_against_the_mean_decides_nothing() -> None:
    """5x2cv t reads the first fold alone: there b is worse by far, over all folds it is better. F has no sign."""
    d = np.array([[0.1, 0.1], [-0.2, -0.2], [-0.2, -0.2], [-0.2, -0.2], [-0.2, -0.2]])
    d += np.random.default_rng(0).normal(0, 1e-3, (5, 2))
    errors = np.stack([np.full((5, 2), 0.5), 0.5 + d])[None]
    results = Results.from_array(errors, score="error", algorithms=["a", "b"])
    by_t = order(results, prior=["a", "b"], pairwise="5x2cv-t")
    assert by_t.tests.adjusted[0] < 1e-6 and by_t.tests.statistic[0] < 0
    assert by_t.order == ("a", "b") and not by_t.better.any()
    assert order(results, prior=["a", "b"], pairwise="5x2cv-f").order == ("b", "a")


def test_notes_of_the_tests_on_folds_are_carried() -> None:
    errors = np.random.default_rng(0).random((2, 2, 1, 10))
    results = Results.from_array(errors, score="error", algorithms=["a", "b"])
    notes = fold_pairs(errors.reshape(2, 2, 10), method="kfold-t").caveats
    assert notes and set(notes) <= set(order(results, prior=["a", "b"], pairwise="kfold-t").caveats)
    alone = order(results, prior=["a", "b"], pairwise="kfold-t", dataset="data set 1")
    assert set(notes) <= set(alone.tests.caveats)


def test_wilcoxon_and_sign_inside_a_data_set_are_scipys() -> None:
    errors = np.random.default_rng(4).normal(0, 0.1, (2, 3, 1, 9)) + 0.1 * np.arange(3)[None, :, None, None]
    results = Results.from_array(errors, score="error", algorithms=["a", "b", "c"])
    for pairwise, method in (("wilcoxon", "Wilcoxon signed ranks test on folds"), ("sign", "Sign test on folds")):
        inner = order(results, prior=["c", "b", "a"], pairwise=pairwise, inner_adjust="none").inner
        assert inner is not None and inner.method.startswith(method)
        for s in range(2):
            for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
                d = errors[s, i, 0] - errors[s, j, 0]
                wins = int((d > 0).sum())
                p = stats.wilcoxon(d).pvalue if pairwise == "wilcoxon" else stats.binomtest(wins, 9).pvalue
                assert inner.pvalue[s, k] == pytest.approx(p)
                assert inner.difference[s, k] == pytest.approx(d.mean())
        assert inner.caveats == ("Folds of one data set share training data, so the test finds differences too often.",)


def test_a_test_of_ones_own_sees_pairs_in_order_and_its_value_at_alpha_counts() -> None:
    """p = alpha rejects: c, the dearest, has the lowest error and stands first; p above it does not."""
    results = table([[0.3, 0.2, 0.1]], space=[[1, 2, 3]])
    seen: list[tuple[float, float]] = []

    def half(a: np.ndarray, b: np.ndarray) -> float:
        assert a.shape == b.shape == (10,)
        seen.append((round(float(a[0]), 9), round(float(b[0]), 9)))
        return 0.5

    result = order(results, pairwise=half, inner_adjust="none", alpha=0.5)
    assert seen == [(0.3, 0.2), (0.3, 0.1), (0.2, 0.1)]
    assert result.order == ("c", "b", "a")
    assert result.tests.method.startswith("half")
    assert order(results, pairwise=half, inner_adjust="none", alpha=0.49).order == ("a", "b", "c")


@pytest.mark.parametrize("value", [-0.001, 1.001, float("nan")])
def test_what_is_no_p_value(value: float) -> None:
    with pytest.raises(OptionError, match="returned something that is not a p-value"):
        by_cost(table([[0.1, 0.2]], space=[[1, 2]]), pairwise=lambda _a, _b: value)


def test_zero_is_a_p_value_and_equal_errors_are_no_difference() -> None:
    """p = 0 on two equal means: the test says different, but neither is the better one."""
    ordering = by_cost(table([[0.2, 0.2, 0.1]], space=[[1, 2, 3]]), pairwise=lambda _a, _b: 0.0)
    assert ordering.order == ("c", "a", "b")
    assert not ordering.better[0, 1] and not ordering.better[1, 0]


def test_p_values_inside_a_data_set_are_corrected_over_its_own_pairs() -> None:
    """Three pairs at 0.02: alone each rejects at 0.05; Bonferroni makes 0.06 of them; over two data sets no more."""
    results = table([[0.3, 0.2, 0.1]] * 2, space=[[1, 2, 3]])
    result = order(results, pairwise=lambda _a, _b: 0.02, inner_adjust="bonferroni")
    assert result.inner is not None
    assert result.inner.adjusted == pytest.approx(np.full((2, 3), 0.06))
    assert result.ranks.tolist() == [[1, 2, 3]] * 2
    assert order(results, pairwise=lambda _a, _b: 0.02, inner_adjust="none").ranks.tolist() == [[3, 2, 1]] * 2


@pytest.mark.parametrize(("count", "usual"), [(11, "bergmann-hommel"), (12, "shaffer")])
def test_the_usual_correction_inside_a_data_set(count: int, usual: str) -> None:
    results = table([[0.1] * count], space=[list(range(count))])
    assert order(results, pairwise=nothing).plan.inner_adjust == usual


def test_the_last_size_of_bergmann_and_hommel_inside_a_data_set() -> None:
    results = table([[0.1] * 14], space=[list(range(14))])
    assert order(results, pairwise=nothing, inner_adjust="bergmann-hommel").plan.inner_adjust == "bergmann-hommel"
    with pytest.raises(OptionError, match="15 algorithms are too many for Bergmann and Hommel's correction inside"):
        order(table([[0.1] * 15], space=[list(range(15))]), pairwise=nothing, inner_adjust="bergmann-hommel")


@pytest.mark.parametrize(("count", "usual"), [(100, "bergmann-hommel"), (101, "shaffer")])
def test_the_usual_correction_over_data_sets(count: int, usual: str) -> None:
    names = [f"a{i:03d}" for i in range(count)]
    results = Results.from_array(np.random.default_rng(0).random((2, count)), score="error", algorithms=names)
    assert order(results, prior=names, pairwise="score").plan.posthoc == usual


# ---- decisions over data sets


def test_what_lies_exactly_at_alpha_rejects() -> None:
    """The level is set to the p-value itself, once to that of the omnibus test, once to that of the pair."""
    rng = np.random.default_rng(1)
    scores = rng.random((8, 3)) + np.array([0.6, 0.3, 0.0])
    results = Results.from_array(scores, score="error", algorithms=["a", "b", "c"])
    options = {"prior": ["a", "b", "c"], "pairwise": "score", "posthoc": "holm"}
    first = order(results, **options)  # type: ignore[arg-type]
    assert first.omnibus is not None
    p = first.omnibus.pvalue
    at = order(results, **options, alpha=p)  # type: ignore[arg-type]
    assert at.rejected and not any("does not reject" in caveat for caveat in at.caveats)
    assert not order(results, **options, alpha=p * (1 - 1e-9)).rejected  # type: ignore[arg-type]
    pair = float(first.tests.adjusted[1])  # a against c
    assert p < pair
    assert order(results, **options, alpha=pair).better[0, 2]  # type: ignore[arg-type]
    assert not order(results, **options, alpha=pair * (1 - 1e-9)).better[0, 2]  # type: ignore[arg-type]


def test_pairs_count_where_the_omnibus_test_lies_exactly_at_alpha() -> None:
    """A table whose smallest p-value of a pair is below that of the omnibus test, which is taken as the level."""
    rng = np.random.default_rng(0)
    options = {"prior": list("abcdefgh"), "pairwise": "score", "posthoc": "none"}
    for _ in range(200):
        results = Results.from_array(rng.normal(size=(10, 8)), score="error", algorithms=list("abcdefgh"))
        result = order(results, **options)  # type: ignore[arg-type]
        assert result.omnibus is not None
        if result.tests.adjusted.min() < 0.9 * result.omnibus.pvalue < 0.9:
            break
    p = result.omnibus.pvalue
    assert order(results, **options, alpha=p).better.any()  # type: ignore[arg-type]
    assert not order(results, **options, alpha=p * (1 - 1e-9)).better.any()  # type: ignore[arg-type]


def test_a_small_difference_points_one_way() -> None:
    """Nine wins of b to seven of a on sixteen data sets: z = 2 / sqrt(16) = 0.5, p = 0.617, below alpha = 0.7."""
    scores = [[0.2, 0.1]] * 9 + [[0.1, 0.2]] * 7
    result = order(Results.from_array(scores, score="error", algorithms=["a", "b"]), prior=["a", "b"], pairwise="score",
                  omnibus="friedman-chi2", posthoc="none", alpha=0.7)  # fmt: skip
    assert result.tests.statistic[0] == pytest.approx(0.5)
    assert result.better.tolist() == [[False, True], [False, False]] and result.order == ("b", "a")


@pytest.mark.parametrize("omnibus", ["friedman", "friedman-chi2"])
def test_the_omnibus_test_is_scipys(omnibus: str) -> None:
    """On places without ties scipy's chi-squared; F by Iman and Davenport's formula."""
    scores = np.random.default_rng(2).random((9, 4))
    result = order(Results.from_array(scores, score="error"), prior=[f"algorithm {i}" for i in (1, 2, 3, 4)],
                  pairwise="score", omnibus=omnibus).omnibus  # fmt: skip
    assert result is not None
    chi2 = stats.friedmanchisquare(*scores.T).statistic
    wanted = chi2 if omnibus == "friedman-chi2" else 8 * chi2 / (9 * 3 - chi2)
    assert result.statistic == pytest.approx(wanted)


def test_scores_of_either_direction_are_ranked_best_first() -> None:
    scores = [[0.9, 0.8, 0.8], [0.7, 0.9, 0.1]]
    for score, ranks in (("accuracy", [[1, 2.5, 2.5], [2, 1, 3]]), ("error", [[3, 1.5, 1.5], [2, 3, 1]])):
        result = order(Results.from_array(scores, score=score, algorithms=["a", "b", "c"]), prior=["a", "b", "c"],
                      pairwise="score")  # fmt: skip
        assert result.ranks.tolist() == ranks
        assert result.inner is None and "The data sets were ranked by mean score" in result.document().method[1]


# ---- reasons and explanations


def moved(*pairs: tuple[float, float], means: Sequence[float] = (0.4, 0.3, 0.2, 0.1)) -> Ordering:
    """Four algorithms, a the cheapest and the worst, d the dearest and the best; the named pairs are told apart."""
    results = table([means], space=[[1, 2, 3, 4]])
    return order(results, pairwise=telling(*pairs), inner_adjust="none")


def test_reasons_of_one_that_passes_two() -> None:
    """d is better than a and b, so these wait; c comes first, then d, then a and b by cost."""
    result = moved((0.4, 0.1), (0.3, 0.1))
    assert result.order == ("c", "d", "a", "b")
    text = {r.algorithm: r for r in result.reasons}
    assert text["c"].text == (
        "before d: no significant difference, 1.3 times cheaper; before a and b, which tests hold back"
    )
    assert text["d"].text == (
        "before a: significantly better, though 4.0 times costlier; behind c: no significant difference,"
        " 1.3 times costlier"
    )
    assert (
        text["a"].text
        == "before b: no significant difference, 2.0 times cheaper; behind d, which is significantly better"
    )
    assert text["b"].text == "behind a: no significant difference, 2.0 times costlier; significantly worse than d"
    assert (text["d"].ahead_of, text["d"].beats, text["d"].behind, text["d"].beaten_by) == (("a", "b"),) * 2 + ((),) * 2
    assert (text["a"].behind, text["a"].beaten_by, text["a"].ahead_of, text["a"].beats) == (("c", "d"), ("d",), (), ())
    assert (text["c"].by, text["c"].beats) == ("test", ())
    assert result.explain("a", "c").startswith(
        "c stands before a, although there is no significant difference and it is 3.0 times costlier: a waits behind d,"
        " significantly better than it, and c comes before that."
    )
    edges = {(edge.cheaper, edge.costlier, edge.adjusted) for edge in result.graph()[1]}
    assert edges == {("a", "d", 0.01), ("b", "d", 0.01)}


def test_reasons_of_one_that_waits_for_two() -> None:
    """c and d are better than a; b waits for nobody and comes first."""
    result = moved((0.4, 0.2), (0.4, 0.1))
    assert result.order == ("b", "c", "d", "a")
    text = {r.algorithm: r for r in result.reasons}
    assert text["a"].text == "behind d, which is significantly better"
    assert (
        text["b"].text == "before c: no significant difference, 1.5 times cheaper; before a, which waits behind c and d"
    )
    assert result.explain("a", "b").startswith(
        "b stands before a, although there is no significant difference and it is 2.0 times costlier: a waits behind c"
        " and d, significantly better than it, and b comes before those."
    )


def test_two_that_pass_one_that_waits() -> None:
    """Only d is better than a: b and c come before it while it waits."""
    result = moved((0.4, 0.1))
    assert result.order == ("b", "c", "d", "a")
    assert {r.algorithm: r.behind for r in result.reasons}["a"] == ("b", "c", "d")


def test_one_that_waits_for_one_that_waits() -> None:
    """c is better than b, and b than a: a waits for b, which waits for c."""
    result = moved((0.4, 0.3), (0.3, 0.2))
    assert result.order == ("c", "b", "a", "d")
    assert [r.text for r in result.reasons] == [
        "before b: significantly better, though 1.5 times costlier",
        "before a: significantly better, though 2.0 times costlier; behind c, which is significantly better",
        "before d: no significant difference, 4.0 times cheaper; behind b, which is significantly better",
        "behind a: no significant difference, 4.0 times costlier",
    ]


# ---- the best of groups


@pytest.mark.parametrize(
    ("groups", "best"),
    [
        ([["a", "b"], ["a", "c"]], None),
        ([["a"]], "a"),
        ([["a"], ["a", "b"], ["b"]], "b"),
        ([["a", "b"], ["b", "c"]], None),
        ([["a", "b"]], "b"),
        ([["b", "c"]], "a"),
    ],
)
def test_the_best_of_small_groups(groups: list[list[str]], best: str | None) -> None:
    assert best_of_groups(groups, by_rank=["a", "b", "c"], by_cost=["c", "b", "a"]) == best


def test_the_best_that_is_also_the_cheapest() -> None:
    assert best_of_groups([["a", "b"]], by_rank=["a", "b"], by_cost=["a", "b"]) == "a"
