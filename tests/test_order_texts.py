"""What an order says: two small orders worked out by hand, as text, Markdown, LaTeX and plain data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tiebreak import Ordering, Results, order, with_costs

NAMES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def alone() -> Ordering:
    """One data set; c is better than a and the dearest: a waits for it, so b comes first, then c, then a."""
    folds = np.repeat(np.array([[0.4, 0.3, 0.2]])[:, :, None], 10, axis=2).reshape(1, 3, 5, 2)
    table = Results.from_array(folds, score="error", algorithms=NAMES)
    for cost, values in (("space", [1.0, 2, 4]), ("train_time", [5.0, 5, 5])):
        table = with_costs(table, Results.from_array([values], score=cost, algorithms=NAMES))

    def c_against_a(x: np.ndarray, y: np.ndarray) -> float:
        return 0.01 if round(abs(x.mean() - y.mean()), 6) == 0.2 else 1.0

    costs = ["space", "train_time"]
    return order(table, cost=costs, pairwise=c_against_a, inner_adjust="none", equal_within=0.1)


@pytest.fixture(scope="module")
def over_sets() -> Ordering:
    """Eight data sets; seven rank a b c, one c b a: mean places 1.25, 2 and 2.75.

    Friedman: 12 * 8 / (3 * 4) * (0.75^2 + 0.75^2) = 9, p = exp(-4.5); z of a against c: 1.5 / sqrt(3 * 4 / 48) = 3.
    """
    scores = np.tile([0.4, 0.3, 0.2], (8, 1))
    scores[0] = [0.2, 0.3, 0.4]
    table = Results.from_array(scores, score="accuracy", algorithms=NAMES)
    groups = {f"data set {i}": "first" if i < 5 else "rest" for i in range(1, 9)}
    return order(table, prior=["c", "b", "a"], pairwise="score", groups=groups, omnibus="friedman-chi2")


def test_the_table_of_one_data_set_in_text(alone: Ordering) -> None:
    title, _, *rest = str(alone).splitlines()
    assert title == "3 algorithms on data set data set 1 by error (lower is better) and space and train_time"
    assert rest[:6] == [
        "Costs decide in this order: space, train_time.",
        "Costs within a share of 0.1 of the least of their level count as equal.",
        "On the folds pairs were tested by the c_against_a without correction.",
        "1 of 3 pairs differ significantly.",
        "In 1 of them the costlier one is the better one, and cost was overridden.",
        "Best: b is the cheapest of those that no test shows to be worse than another.",
    ]
    assert "\n".join(rest[6:21]) == (
        "\nplace  algorithm  mean error          given up  space  times best's  train_time, share  by\n"
        "    1  b                 0.3  0.1 (0.1 to 0.1)      2           0.5                  1  test\n"
        "    2  c                 0.2                 0      4             1                  1  test\n"
        "    3  a                 0.4  0.2 (0.2 to 0.2)      1          0.25                  1  test\n"
        "\n"
        "place  algorithm  reason\n"
        "    1  b          before c: not told apart, 2.0 times cheaper; before a, which waits behind c\n"
        "    2  c          before a: significantly better, though 4.0 times costlier; behind b: not told apart,"
        " 2.0 times costlier\n"
        "    3  a          behind c, which is significantly better\n"
        "\n"
        "given up: error given up against c, the best-scoring one (mean difference over the folds, 95% interval).\n"
        "The intervals are those of the corrected resampled t test, each for itself, without the correction for many"
        " pairs: 1 of them excludes 0 where the corrected test tells nothing apart.\n"
        "times best's: the ratio of space to c's.\n"
        "share: of the largest cost on the data set."
    )
    assert "- One data set: the order holds for it alone." in rest
    uncorrected = "The p-values of 3 pairs are not corrected: some differences will be chance."
    assert f"- Inside the data sets: {uncorrected}" in rest


def test_the_table_of_several_data_sets_in_text(over_sets: Ordering) -> None:
    title, _, *rest = str(over_sets).splitlines()
    assert title == "3 algorithms on 8 data sets by accuracy (higher is better) and a given prior order"
    assert rest[:5] == [
        "The Friedman test (chi-squared, corrected for ties) on the places, chi2(2) = 9, p = 0.0111: that all"
        " algorithms have the same expected place is rejected at alpha = 0.05.",
        "Pairs of mean places were then tested by the z tests on mean ranks with Bergmann and Hommel's correction.",
        "1 of 3 pairs differ significantly in their mean places.",
        "In 1 of them the one later in the given order is the better placed one, and the given order was overridden.",
        "Best: b is the first in the given order of the group of a, which has the lowest mean rank, but belongs to"
        " another group as well: the groups cannot tell which algorithm is best.",
    ]
    late = "later in the given order"
    assert "\n".join(rest[5:19]) == (
        "\nplace  algorithm  mean rank  mean accuracy        given up  by\n"
        "    1  b               2.00            0.3  0.1 (0 to 0.1)  test\n"
        "    2  a               1.25          0.375               0  test\n"
        "    3  c               2.75          0.225  0.2 (0 to 0.2)  test\n"
        "\n"
        "place  algorithm  reason\n"
        "    1  b          before a: not told apart, earlier in the given order; before c, which waits behind a\n"
        f"    2  a          before c: significantly better placed, though {late}; behind b: not told apart, {late}\n"
        "    3  c          behind a, which is significantly better placed\n"
        "\n"
        "group  order    data sets\n"
        "first  c, b, a          4\n"
        "rest   b, a, c          4"
    )
    assert rest[20] == (
        "given up: accuracy given up against a, the best-scoring one (Hodges-Lehmann estimate, 95% interval)."
    )
    assert not any("cost" in line for line in rest[20:22])


def test_the_tables_in_markdown(alone: Ordering, over_sets: Ordering) -> None:
    text = alone.to_markdown()
    assert text.startswith(
        "## 3 algorithms on data set data set 1 by error (lower is better) and space and train\\_time"
    )
    header = "mean error | given up | space | times best's | train\\_time, share | by |"
    assert f"| place | algorithm | {header}" in text
    assert "\n| --: | :-- | --: | --: | --: | --: | --: | :-- |\n" in text
    assert "| 3 | a | 0.4 | 0.2 (0.2 to 0.2) | 1 | 0.25 | 1 | test |" in text
    assert "\n| place | algorithm | reason |\n| --: | :-- | :-- |\n" in text
    assert "\n| 3 | a | behind c, which is significantly better |\n" in text
    assert "significantly. In 1 of them" in text
    assert "\n\nCaveats:\n\n- Inside the data sets:" in text
    assert "| first | c, b, a | 4 |\n| rest | b, a, c | 4 |" in over_sets.to_markdown()


def test_the_tables_in_latex(alone: Ordering, over_sets: Ordering) -> None:
    lines = alone.to_latex().splitlines()
    assert lines[1].startswith(r"Costs decide in this order: space, train\_time. Costs within a share")
    assert r"\begin{tabular}{rlrrrrrl}" in lines and r"\begin{tabular}{rll}" in lines
    assert r"3 & a & 0.4 & 0.2 (0.2 to 0.2) & 1 & 0.25 & 1 & test \\" in lines
    assert r"3 & a & behind c, which is significantly better \\" in lines
    assert "% One data set: the order holds for it alone." in lines
    assert r"first & c, b, a & 4 \\" in over_sets.to_latex()


def part(data: dict[str, object], *names: str) -> list[object]:
    return [data[name] for name in names]


def test_one_data_set_as_plain_data(alone: Ordering) -> None:
    data = alone.to_dict()
    assert part(data, "order", "prior", "by_group") == [["b", "c", "a"], ["a", "b", "c"], {}]
    assert data["ranks"] == {"data set 1": {"a": 3, "b": 1, "c": 2}}
    assert data["mean_ranks"] == {"a": 3.0, "b": 1.0, "c": 2.0}
    assert data["omnibus"] == {
        "method": "none: one data set, MultiTest", "statistic": None, "pvalue": None, "df": None
    }  # fmt: skip
    assert [(p["a"], p["b"], p["statistic"], p["adjusted"], p["better"]) for p in data["pairs"]] == [
        ("a", "b", None, 1.0, None), ("a", "c", None, 0.01, "c"), ("b", "c", None, 1.0, None)
    ]  # fmt: skip
    last = data["reasons"][2]
    fields = ("algorithm", "place", "by", "ahead_of", "behind", "beats", "beaten_by")
    assert part(last, *fields) == ["a", 3, "test", [], ["b", "c"], [], ["c"]]
    assert part(data["reasons"][1], *fields) == ["c", 2, "test", ["a"], [], ["a"], []]
    assert data["may_be_best"] == ["b", "c"]
    assert data["best"] == {
        "algorithm": "b",
        "text": "b is the cheapest of those that no test shows to be worse than another.",
    }
    assert data["groups"] == [["b", "c"], ["b", "a"]]  # by mean rank, b first
    assert data["costs"] == {"space": {"a": 0.25, "b": 0.5, "c": 1.0}, "train_time": {"a": 1.0, "b": 1.0, "c": 1.0}}
    edge = {"cheaper": "a", "costlier": "c", "adjusted": 0.01}
    assert data["graph"] == {"nodes": ["a", "b", "c"], "edges": [edge]}
    assert len(data["conclusion"]) == 6


def test_several_data_sets_as_plain_data(over_sets: Ordering) -> None:
    data = over_sets.to_dict()
    assert part(data, "order", "prior", "costs") == [["b", "a", "c"], ["c", "b", "a"], {}]
    assert data["by_group"] == {"first": ["c", "b", "a"], "rest": ["b", "a", "c"]}
    assert part(data["omnibus"], "statistic", "df", "rejected") == [9.0, [2], True]
    assert data["omnibus"]["pvalue"] == pytest.approx(np.exp(-4.5))
    pair = data["pairs"][1]
    assert part(pair, "a", "b", "better") == ["a", "c", "a"]
    p = 2 * stats.norm.sf(3)
    assert part(pair, "statistic", "pvalue", "adjusted") == pytest.approx([-3, p, 3 * p])
    assert data["groups"] == [["a", "b"], ["b", "c"]]
    assert data["best"]["algorithm"] is None
    method = data["method"]
    assert part(method, "omnibus", "pairwise", "alpha", "ties", "missing", "cost_rule", "equal_within") == [
        "friedman-chi2", "score", 0.05, "refuse", "refuse", "lexicographic", 0.0
    ]  # fmt: skip
    assert part(method, "score", "higher_is_better", "inner", "costs") == ["accuracy", True, None, []]


def test_halves_stay_halves_in_plain_data() -> None:
    tied = Results.from_array([[0.1, 0.1, 0.3], [0.1, 0.2, 0.3]], score="error", algorithms=NAMES)
    data = order(tied, prior=NAMES, pairwise="score").to_dict()
    assert data["ranks"] == {"data set 1": {"a": 1.5, "b": 1.5, "c": 3}, "data set 2": {"a": 1, "b": 2, "c": 3}}
    assert isinstance(data["ranks"]["data set 1"]["c"], int)


def test_nothing_rejected_in_words() -> None:
    scores = [[0.4, 0.3, 0.2], [0.2, 0.3, 0.4]]
    found = order(
        Results.from_array(scores, score="accuracy", algorithms=NAMES), prior=["c", "b", "a"], pairwise="score"
    )
    text = str(found)
    assert (
        "F(2, 2) = 0, p = 1: that all algorithms have the same expected place is not rejected at alpha = 0.05." in text
    )
    assert "So no test moves an algorithm, and the order is that of the given order." in text
    assert "Pairs of mean places" not in text
    assert "before b: not told apart, earlier in the given order" in text
    assert found.explain("a", "b").startswith(
        "b stands before a: not told apart, earlier in the given order. The omnibus test does not reject, so the given"
        " order decides every place. The test of their mean places: p = 1, corrected p = 1."
    )


def test_tests_that_agree_with_the_prior_in_words() -> None:
    """Ten data sets agree that a is best and c worst, as the prior says: differences, and nothing overridden."""
    table = Results.from_array(np.tile([0.1, 0.2, 0.3], (10, 1)), score="error", algorithms=NAMES)
    given = str(order(table, prior=NAMES, pairwise="score"))
    assert (
        "No algorithm later in the given order is significantly better placed than one earlier in the given order: the"
        " order is the given order." in given
    )
    priced = with_costs(table, Results.from_array(np.tile([1.0, 2, 3], (10, 1)), score="space", algorithms=NAMES))
    said = str(order(priced, pairwise="score"))
    assert "No costlier algorithm is significantly better placed than a cheaper one: the order is that of cost." in said
    assert "and space" in said.splitlines()[0]


def test_costs_have_three_digits_and_their_ratios_two() -> None:
    table = Results.from_array(np.full((1, 2, 5, 2), 0.5), score="error", algorithms=["a", "b"])
    found = order(with_costs(table, Results.from_array([[10 / 3, 10.0]], score="space", algorithms=["b", "a"])))
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "3.33" in text and "3.333" not in text and "0.33" in text and "0.333" not in text


def test_a_p_value_too_small_to_print() -> None:
    scores = np.tile(np.arange(6.0), (500, 1)) + 0.1 * np.random.default_rng(0).random((500, 6))
    names = list("abcdef")
    found = order(Results.from_array(scores, score="error", algorithms=names), prior=names, pairwise="score",
                  omnibus="friedman-chi2")  # fmt: skip
    assert ", p < 2.3e-308: that" in str(found)
