from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak import Ordering, Results, published, with_costs
from tiebreak.cli import main
from tiebreak.comparison.groups import best_of_groups
from tiebreak.errors import InputError, MissingScores, OptionError
from tiebreak.ordering import multitest
from tiebreak.ordering.multitest import places_of
from tiebreak.ordering.result import Standing, Words
from tiebreak.stats import five_by_two_f
from tiebreak.stats.folds.inner import inner_tests

from .every import every
from .published_rules import order

NAMES = ("5nn", "c45", "lnp", "mdt", "mlp", "sv2", "svl", "svr")


def edges(count: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    better = np.zeros((count, count), dtype=bool)
    for worse, winner in pairs:
        better[worse, winner] = True
    return better


# ---- MultiTest itself


def test_the_two_abstract_examples() -> None:
    # Ulas, Yildiz and Alpaydin 2012: prior A < B < C < D, B better than A and C, D better than C
    better = edges(4, [(0, 1), (2, 1), (2, 3)])
    assert ["ABCD"[i] for i in multitest(better, [1, 2, 3, 4])] == list("BADC")
    # prior C < A < D < B, A better than C and D, B better than D
    better = edges(4, [(2, 0), (3, 0), (3, 1)])
    assert ["ABCD"[i] for i in multitest(better, [2, 4, 1, 3])] == list("ACBD")


def by_definition(better: np.ndarray) -> list[int]:
    """The definition, word for word, on sets; algorithms are numbered by cost."""
    left, out = set(range(len(better))), []
    while left:
        free = [i for i in left if not any(better[i, j] and j > i for j in left - {i})]
        out.append(min(free))
        left.remove(out[-1])
    return out


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_every_rejection_pattern(count: int) -> None:
    """All patterns of 2 to 5 algorithms: 2 + 8 + 64 + 1,024 = 1,098."""
    pairs = list(itertools.combinations(range(count), 2))
    chosen = itertools.product([0, 1], repeat=len(pairs))
    patterns = np.array([edges(count, list(itertools.compress(pairs, bits))) for bits in chosen])
    assert len(patterns) == 2 ** len(pairs)
    result = multitest(patterns, np.arange(count))
    assert result.tolist() == [by_definition(pattern) for pattern in patterns]


@given(st.integers(0, 10_000))
def test_any_numbering_gives_the_same_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    better, costs, shuffle = rng.random((6, 6)) < 0.3, rng.random(6), rng.permutation(6)
    plain = multitest(better, costs)
    moved = multitest(better[np.ix_(shuffle, shuffle)], costs[shuffle])
    assert shuffle[moved].tolist() == plain.tolist()
    assert multitest(better, np.exp(9 * costs)).tolist() == plain.tolist()


def test_multitest_refuses_ties_and_shapes() -> None:
    shapes = ((np.zeros((2, 2)), [1, 1]), (np.zeros((3, 3)), [1, 2]), (np.zeros((0, 0)), []), (np.eye(2), [1, np.nan]))
    for better, prior in shapes:
        with pytest.raises(InputError, match="or the prior has ties"):
            multitest(better, prior)


# ---- the published study


@pytest.fixture(scope="module")
def ulas() -> Results:
    return published.ulas2012()


def mean_ranks(ordering: Ordering) -> dict[str, float]:
    return dict(zip(ordering.algorithms, ordering.mean_ranks.tolist(), strict=True))


def test_all_304_published_ranks(ulas: Results) -> None:
    result = order(ulas, score="accuracy", cost="train_time", variant="2008")
    assert np.array_equal(result.ranks, published.ulas2012_ranks().means("rank"))
    expected = {"c45": 3.66, "mdt": 5.21, "mlp": 4.53, "lnp": 3.39, "svl": 5.05, "sv2": 5.95, "svr": 5.00, "5nn": 3.21}
    assert mean_ranks(result) == pytest.approx(expected, abs=5e-3)


@pytest.mark.parametrize("variant", ["2008", "2012"])
@pytest.mark.parametrize(
    ("cost", "prior"),
    [
        ("train_time", ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")),
        ("space", ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn")),
    ],
)
def test_published_priors_and_final_orders(ulas: Results, variant: str, cost: str, prior: tuple[str, ...]) -> None:
    result = order(ulas, score="accuracy", cost=cost, variant=variant)
    assert result.prior == prior
    assert result.rejected
    assert result.order == prior  # no costlier algorithm is placed significantly better than a cheaper one
    assert {reason.by for reason in result.reasons} == {"cost"}


def test_2012_is_the_usual_order_by_places(ulas: Results) -> None:
    default = order(ulas, score="accuracy", cost="space", rule="multi2test")
    assert default.to_dict() == order(ulas, score="accuracy", cost="space", variant="2012").to_dict()


def test_optdigits(ulas: Results) -> None:
    result = order(ulas, score="accuracy", cost="train_time", variant="2008", dataset="optdigits")
    assert result.order == ("svr", "svl", "sv2", "5nn", "mlp", "lnp", "mdt", "c45")
    data = result.to_dict()
    assert list(data["ranks"]) == ["optdigits"] and data["ranks"]["optdigits"]["svr"] == 1
    assert data["omnibus"]["statistic"] is None


def test_significant_wins_over_the_38_data_sets(ulas: Results) -> None:
    """The report's table of significant wins: rows beat columns, c45 mdt mlp lnp svl sv2 svr 5nn."""
    expected = [
        [0, 5, 3, 4, 2, 5, 0, 4],
        [5, 0, 0, 2, 0, 10, 0, 7],
        [11, 7, 0, 6, 3, 10, 3, 9],
        [7, 3, 1, 0, 0, 9, 0, 5],
        [9, 6, 4, 6, 0, 13, 2, 12],
        [7, 9, 8, 6, 5, 0, 1, 8],
        [14, 14, 10, 10, 8, 16, 0, 16],
        [6, 4, 4, 3, 1, 10, 1, 0],
    ]
    result = order(ulas, score="accuracy", cost="train_time", variant="2008")
    assert result.inner is not None
    wins = result.inner.better(0.05).sum(axis=0).T  # wins[winner, loser]
    place = [NAMES.index(name) for name in ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")]
    assert wins[np.ix_(place, place)].tolist() == expected


# ---- invariances


def random_results(seed: int, datasets: int = 12, algorithms: int = 5, effect: float = 0.03) -> Results:
    rng = np.random.default_rng(seed)
    errors = (
        0.3 + effect * np.arange(algorithms)[None, :, None, None] + rng.normal(0, 0.02, (datasets, algorithms, 5, 2))
    )
    names = [f"a{i}" for i in range(algorithms)]
    table = Results.from_array(errors, score="error", algorithms=names)
    costs = Results.from_array(rng.random((datasets, algorithms)) + 0.01, score="train_time", algorithms=names)
    return with_costs(table, costs)


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_order_is_invariant_to_rows_names_and_monotone_costs(seed: int) -> None:
    results = random_results(seed)
    base = order(results, rule="multi2test")
    frame = results.to_frame("polars")
    shuffled = Results.from_frame(frame.sample(fraction=1.0, shuffle=True, seed=seed))
    assert order(shuffled, rule="multi2test").to_dict() == base.to_dict()
    rename = {f"a{i}": f"z{9 - i}" for i in range(5)}
    renamed = Results.from_frame(frame.with_columns(frame["algorithm"].replace(rename)))
    assert order(renamed, rule="multi2test").order == tuple(rename[name] for name in base.order)
    scaled = Results.from_frame(frame.with_columns(frame["train_time"] * 1000))
    assert order(scaled, rule="multi2test").order == base.order


def test_direction(ulas: Results) -> None:
    frame = ulas.to_frame("polars")
    errors = Results.from_frame(frame.select(frame.columns[:4]).with_columns(error=100 - frame["accuracy"]))
    prior = ["5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr"]
    assert order(errors, prior=prior).order == order(ulas, score="accuracy", prior=prior).order


def test_reversing_great_effects_reverses_the_order() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.001, (20, 4, 5, 2))
    costs = np.tile([1.0, 2.0, 3.0, 4.0], (20, 1))
    for sign, expected in ((1, ("a0", "a1", "a2", "a3")), (-1, ("a3", "a2", "a1", "a0"))):
        errors = 0.5 + sign * 0.1 * np.arange(4)[None, :, None, None] + noise
        table = Results.from_array(errors, score="error", algorithms=["a0", "a1", "a2", "a3"])
        priced = with_costs(table, Results.from_array(costs, score="space", algorithms=["a0", "a1", "a2", "a3"]))
        result = order(priced, rule="multi2test")
        assert result.order == expected
        assert {reason.by for reason in result.reasons} == {"cost" if sign == 1 else "test"}
        nodes, arrows = result.graph()
        assert nodes == ("a0", "a1", "a2", "a3") and len(arrows) == (0 if sign == 1 else 6)


def test_no_difference_leaves_cost() -> None:
    result = order(random_results(3, effect=0.0), rule="multi2test", posthoc="holm")
    assert result.order == result.prior
    assert "So the order is that of cost." in result.document().method
    assert "The omnibus test does not reject, so cost decides every place." in result.explain("a0", "a1")


# ---- reasons


def chain() -> Ordering:
    """A is cheapest and loses to C only: B, C, A."""
    rng = np.random.default_rng(5)
    errors = 0.3 + np.array([0.06, 0.03, 0.0])[None, :, None, None] + rng.normal(0, 0.03, (1, 3, 5, 2))
    table = Results.from_array(errors, score="error", algorithms=["A", "B", "C"])
    iter_ = iter([1.0, 0.001, 1.0])  # pairs A-B, A-C, B-C
    return order(table, prior=["A", "B", "C"], pairwise=lambda _a, _b: next(iter_), inner_adjust="none")


def test_every_pair_can_be_explained(ulas: Results) -> None:
    result = order(
        ulas,
        score="accuracy",
        cost="space",
        variant="2008",
        dataset="optdigits",
    )
    for a, b in itertools.combinations(result.algorithms, 2):
        first = result.order[min(result.order.index(a), result.order.index(b))]
        assert result.explain(a, b).startswith(f"{first} stands before ")


@given(st.integers(0, 10_000))
def test_reasons_and_explanations_are_true(seed: int) -> None:
    """Every sentence is read back and checked against the decisions, on random graphs."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 8))
    upper = np.triu(rng.random((count, count)) < 0.4, 1)
    better = np.where(rng.random((count, count)) < 0.5, upper, 0).astype(bool)
    better |= (upper & ~better).T
    prior = rng.permutation(count)
    sequence = multitest(better, prior)
    names = [f"n{i}" for i in range(count)]
    place = {names[i]: n for n, i in enumerate(sequence)}
    standing = Standing(
        names=tuple(names), place=places_of(sequence[None])[0], better=better, prior=prior,
        words=Words(),
    )  # fmt: skip
    for reason in standing.reasons():
        i = names.index(reason.algorithm)
        moved = [j for j in range(count) if (prior[j] < prior[i]) != (place[names[j]] < place[names[i]]) and j != i]
        assert (reason.by == "test") == bool(moved)
        for other, held in re.findall(r"; before (n\d), which waits behind ([n0-9, and]+)", reason.text):
            waited = [names.index(name) for name in re.findall(r"n\d", held)]
            assert all(place[names[k]] > place[reason.algorithm] and better[names.index(other), k] for k in waited)
        for other in re.findall(r"behind (n\d), which is significantly better", reason.text):
            assert better[i, names.index(other)] and place[other] == place[reason.algorithm] - 1
        for losers in re.findall(r"costlier than ([n0-9, and]+), but significantly better", reason.text):
            assert all(better[names.index(name), i] for name in re.findall(r"n\d", losers))
        for winners in re.findall(r"significantly worse than ([n0-9, and]+)", reason.text):
            assert all(better[i, names.index(name)] for name in re.findall(r"n\d", winners))
        assert len(reason.text) > 10
    for i, j in itertools.combinations(range(count), 2):
        explain = standing.explain(i, j)
        first, second = (i, j) if place[names[i]] < place[names[j]] else (j, i)
        assert explain.startswith(f"{names[first]} stands before {names[second]}")
        assert ("no significant difference" in explain) == (not (better[i, j] or better[j, i]))
        assert (
            ("although" in explain)
            == ("waits behind" in explain)
            == bool(prior[first] > prior[second] and not better[second, first])
        )
        if "waits behind" in explain:
            held = re.findall(r"n\d", re.split(", significantly", explain.split("waits behind")[1])[0])
            assert held and all(place[name] > place[names[first]] for name in held)
            assert all(better[second, names.index(name)] for name in held)


# ---- best only


@pytest.mark.parametrize(
    ("groups", "by_rank", "best"),
    [
        (["43"], "2431", "2"),  # 2 | 4 3 | 1
        (["432"], "4321", "2"),  # (4 3 2) 1
        (["134", "42"], "1342", "1"),  # (1 3 [4) 2]
        (["413", "32"], "4132", "1"),  # (4 1 [3) 2]
        (["432", "321"], "4321", None),  # (4 [3 2) 1]
    ],
)
def test_best_of_groups_as_printed(groups: list[str], by_rank: str, best: str | None) -> None:
    assert best_of_groups([list(group) for group in groups], by_rank=list(by_rank), by_cost=list("1234")) == best


# ---- costs


def priced(costs: list[list[float]], extra: list[list[float]] | None = None) -> Results:
    rng = np.random.default_rng(0)
    names = ["a", "b", "c"]
    table = Results.from_array(rng.random((len(costs), 3, 5, 2)), score="error", algorithms=names)
    table = with_costs(table, Results.from_array(costs, score="train_time", algorithms=names))
    return table if extra is None else with_costs(table, Results.from_array(extra, score="space", algorithms=names))


def test_noise_of_rounding_breaks_no_tie() -> None:
    """Costs .1 .2 .3 and .3 .1 .2 have the same mean, whatever the data sets are called."""
    costs = np.array([[0.1, 0.3, 0.9], [0.2, 0.1, 0.9], [0.3, 0.2, 0.9]])
    rng = np.random.default_rng(0)
    errors = rng.random((3, 3, 5, 2))
    for names in itertools.permutations(["p", "q", "r"]):
        table = Results.from_array(errors, score="error", algorithms=["a", "b", "c"], datasets=list(names))
        extra = Results.from_array(costs, score="space", algorithms=["a", "b", "c"], datasets=list(names))
        result = order(
            with_costs(table, extra),
        )
        assert result.prior[:2] == ("a", "b")


def test_caveats_of_the_corrections_are_carried() -> None:
    result = order(random_results(1), posthoc="none", inner_adjust="li")
    assert any("pairs are not corrected" in caveat for caveat in result.caveats)
    assert any(caveat.startswith("Inside the data sets: The correction li") for caveat in result.caveats)


def test_zero_costs_are_costs_and_negative_ones_are_not() -> None:
    assert order(priced([[0, 1, 2]] * 3)).prior == ("a", "b", "c")
    with pytest.raises(InputError, match=r"'a' has a negative train_time on data set 'data set 1' \(3 such"):
        order(priced([[-1, 1, 2]] * 3))


def test_a_cost_missing_for_one_algorithm() -> None:
    with pytest.raises(InputError, match=r"'c' has no train_time on data set 'data set 1' \(1 such cell"):
        order(priced([[1, 2, float("nan")], [1, 2, 3], [1, 2, 3]]))


def test_a_given_prior() -> None:
    results = priced([[1, 2, 3]] * 3)
    assert order(results, prior=["c", "a", "b"]).prior == ("c", "a", "b")
    for prior, words in (
        (["c", "a"], "The prior order lacks 'b'."),
        (["c", "a", "b", "b"], "The prior order names an algorithm twice."),
        (["c", "a", "x"], "There is no algorithm (in the prior order) 'x'."),
    ):
        with pytest.raises(OptionError) as caught:
            order(results, prior=prior)
        assert str(caught.value).startswith(words)


@every(
    ("options", "words"),
    [
        ({"cost": "train_time", "prior": ["a", "b", "c"]}, "Both a cost and a prior order were given."),
        ({"variant": "2010"}, "There is no variant '2010'."),
        ({"variant": "2008", "posthoc": "holm"}, "The variant 2008 and a correction were both given."),
        ({"pairwise": "z"}, "There is no pairwise test 'z'."),
        ({"inner_adjust": "z"}, "There is no inner correction 'z'."),
        ({"posthoc": "tukey"}, "There is no post hoc test 'tukey'."),
        ({"omnibus": "quade"}, "There is no omnibus test 'quade'."),
        ({"rule": "best"}, "There is no rule 'best'."),
        ({"rule": "worth", "prior": ["a", "b", "c"]}, "A prior order was given for an order by worth."),
        ({"rule": "worth", "variant": "2012"}, "rule='worth' was given with variant."),
        ({"trade": "1"}, "The trade '1' has no unit."),
        ({"trade": "1%", "accd": 0.01}, "Both trade and accd were given."),
        ({"missing": "skillings-mack"}, "There is no policy for missing scores 'skillings-mack'."),
        ({"missing_costs": "worst-rank"}, "There is no policy for missing costs 'worst-rank'."),
        ({"cost": "accuracy"}, "There is no cost 'accuracy'."),
        ({"dataset": "x"}, "There is no data set 'x'."),
        ({"alpha": 0.0}, "alpha is 0.0."),
        ({"cost": "error"}, "'error' was named as the score and as a cost."),
        ({"groups": {"nowhere": "g"}}, "There is no data set (in the groups) 'nowhere'."),
    ],
)
def test_choices_that_mean_nothing(options: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError) as caught:
        order(priced([[1, 2, 3]] * 3), **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(words)


def test_no_cost_at_all(ulas: Results) -> None:
    with pytest.raises(OptionError, match="The table holds no column with the known name of a cost"):
        order(published.ulas2012(costs=False))
    with pytest.raises(OptionError, match="The table holds 2 costs: 'space', 'train_time'"):
        order(ulas, score="accuracy")
    with pytest.raises(OptionError, match="'accuracy' was named as a cost"):
        order(ulas, score="space", cost="accuracy", higher_is_better=False)


# ---- resampling, gaps, sizes


def test_other_resampling() -> None:
    rng = np.random.default_rng(2)
    table = Results.from_array(
        0.3 + 0.1 * np.arange(3)[None, :, None] + rng.normal(0, 0.01, (15, 3, 10)), score="error"
    )
    prior = ["algorithm 3", "algorithm 2", "algorithm 1"]
    for pairwise in ("corrected-t", "kfold-t", "wilcoxon", "sign", "score"):
        for rule in ("multi2test", "multitest") if pairwise in ("wilcoxon", "sign") else ("multi2test",):
            result = order(table, prior=prior, pairwise=pairwise, rule=rule)
            assert result.order == ("algorithm 1", "algorithm 2", "algorithm 3"), pairwise
            assert result.rule == rule
            assert (result.inner is None) == (result.over == "scores" or pairwise == "score")
    three = Results.from_array(rng.random((5, 3, 7)), score="error")
    with pytest.raises(InputError, match=r"there are 1 of 7"):
        order(three, prior=prior, pairwise="5x2cv-f")
    assert order(three, prior=prior, rule="multi2test").plan.pairwise == "corrected-t"
    single = Results.from_array(rng.random((5, 3)), score="error")
    with pytest.raises(InputError, match="There is one score for each data set and algorithm"):
        order(single, prior=prior, pairwise="corrected-t")
    assert order(single, prior=prior, pairwise="score").inner is None


def test_a_test_of_ones_own_is_what_the_built_in_one_gives(ulas: Results) -> None:
    part = ulas.only(datasets=ulas.datasets[:6])
    current = order(part, score="accuracy", cost="space", pairwise=lambda a, b: float(five_by_two_f(a, b).pvalue))
    built_in = order(part, score="accuracy", cost="space", rule="multi2test")
    assert np.array_equal(current.ranks, built_in.ranks)
    with pytest.raises(OptionError, match="returned something that is not a p-value"):
        order(part, score="accuracy", cost="space", pairwise=lambda _a, _b: 7.0)


def test_ten_folds_are_not_taken_for_five_replications() -> None:
    ten = Results.from_array(np.random.default_rng(0).random((4, 2, 10)), score="error", algorithms=["a", "b"])
    with pytest.raises(InputError) as caught:
        order(ten, prior=["a", "b"], pairwise="5x2cv-f")
    assert str(caught.value) == (
        "The test 5x2cv-f needs 5 replications of 2 folds, and there are 1 of 10. Use pairwise='corrected-t' for"
        " other resampling, or pairwise='score' for one score per data set; if this is 5x2"
        " cross-validation, add the column"
        " 'replication'."
    )


def test_a_test_that_contradicts_the_mean_decides_nothing() -> None:
    errors = np.zeros((1, 2, 5, 2))
    errors[0, 0] = 0.5 + 0.001 * np.arange(10).reshape(5, 2)
    errors[0, 1] = errors[0, 0] + 0.01  # b a little worse nine times ...
    errors[0, 1, 4, 1] -= 0.5  # ... and much better once
    for pairwise in ("sign", "wilcoxon"):
        inner = inner_tests(errors, pairwise=pairwise, adjust="none")
        assert np.sign(inner.statistic[0, 0]) != np.sign(inner.difference[0, 0])
        assert not inner.better(0.5).any()


def test_the_prior_follows_the_algorithms_that_a_policy_drops() -> None:
    frame = random_results(4).to_frame("polars")
    holes = Results.from_frame(frame[1:])  # a0 lacks a fold
    result = order(holes, prior=["a4", "a3", "a2", "a1", "a0"], missing="drop-algorithms")
    assert result.prior == ("a4", "a3", "a2", "a1")
    quiet = order(random_results(3, effect=0.0), prior=["a4", "a3", "a2", "a1", "a0"], pairwise="score")
    assert "So the order is that of the given order." in quiet.document().method


def test_gaps() -> None:
    results = random_results(4)
    frame = results.to_frame("polars")
    holes = Results.from_frame(frame[1:])
    with pytest.raises(MissingScores, match="has no error on data set"):
        order(holes, cost="train_time", missing="refuse")
    dropped = order(holes, cost="train_time", missing="drop-datasets")
    assert len(dropped.datasets) == 11
    assert "1 data set(s) with gaps were dropped; 11 remain." in dropped.caveats
    assert len(order(holes, cost="train_time", missing="drop-algorithms").algorithms) == 4


def test_data_sets_with_other_folds_are_named() -> None:
    rng = np.random.default_rng(0)
    ten = Results.from_array(rng.random((2, 2, 5, 2)), score="error", algorithms=["a", "b"], datasets=["x", "y"])
    five = Results.from_array(rng.random((1, 2, 1, 5)), score="error", algorithms=["a", "b"], datasets=["z"])
    from tiebreak import stack

    with pytest.raises(InputError, match="lacks folds that others have"):
        order(stack([ten, five]), prior=["a", "b"], rule="multi2test")
    assert order(stack([ten, five]), prior=["a", "b"]).over == "scores"


def test_two_algorithms_and_one_data_set() -> None:
    results = random_results(6, datasets=1, algorithms=2, effect=0.2)
    result = order(results)
    assert len(result.order) == 2 and result.omnibus is None
    assert str(result) and result.to_markdown()
    two = order(random_results(6, datasets=9, algorithms=2, effect=-0.2))
    assert two.order == ("a1", "a0")


def test_many_algorithms() -> None:
    results = random_results(7, datasets=8, algorithms=16)
    assert order(results).plan.inner_adjust == "shaffer"
    with pytest.raises(OptionError, match="16 algorithms are too many for Bergmann and Hommel's correction inside"):
        order(results, inner_adjust="bergmann-hommel")


def test_what_is_no_table() -> None:
    with pytest.raises(ValueError, match="Nothing says whether a higher"):
        order(np.eye(2), prior=["algorithm 1", "algorithm 2"])


# ---- groups of data sets, stability


def test_groups_of_data_sets(ulas: Results) -> None:
    groups = {name: "first" if i < 19 else "second" for i, name in enumerate(ulas.datasets)}
    result = order(ulas, score="accuracy", cost="space", groups=groups)
    first = order(ulas.only(datasets=ulas.datasets[:19]), score="accuracy", cost="space")
    assert result.by_group["first"].to_dict() == first.to_dict()
    assert result.to_dict()["by_group"]["first"] == list(first.order)
    with pytest.raises(InputError, match=r"is in no group \(1 such in all\)"):
        order(ulas, score="accuracy", cost="space", groups=dict.fromkeys(ulas.datasets[1:], "g"))


# ---- command line


@pytest.fixture
def files(tmp_path: Path, ulas: Results) -> tuple[str, str]:
    frame = ulas.to_frame("polars")
    folds, costs = tmp_path / "folds.csv", tmp_path / "costs.csv"
    frame.select("dataset", "algorithm", "replication", "fold", "accuracy").write_csv(folds)
    frame.select("dataset", "algorithm", "train_time", "space").unique().write_csv(costs)
    return str(folds), str(costs)


def test_command_line(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    folds, costs = files
    call = ["order", folds, "--costs", costs, "--score", "accuracy", "--cost", "train_time"]
    assert main([*call, "--inner-adjust", "none", "--posthoc", "nemenyi", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    fields = {"order", "prior", "ranks", "mean_ranks", "omnibus", "pairs", "reasons", "caveats"}
    assert fields <= set(data)
    assert data["order"][0] == "5nn" and data["ranks"]["optdigits"]["svr"] == 1
    assert set(data["pairs"][0]) == {"a", "b", "statistic", "pvalue", "adjusted", "better"}
    assert {"algorithm", "place", "by", "text"} <= set(data["reasons"][0])
    assert set(data["omnibus"]) >= {"method", "statistic", "pvalue", "df"}
    assert main([*call, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["order"][0] == "svr" and data["rule"] == "worth" and data["ranks"] is None and data["prior"] is None
    assert data["other_rules"] == {"multitest": "svl", "multi2test": "5nn"}
    assert [part["algorithm"] for part in data["frontier"]] == ["svr", "5nn"] and data["frontier"][-1]["to"] is None
    assert main([*call, "--dataset", "optdigits", "--full"]) == 0
    assert "8 algorithms on data set optdigits" in capsys.readouterr().out
    assert main([*call, "--latex"]) == 0
    written = capsys.readouterr().out
    assert "5nn" in written and "Friedman" in written


def test_command_line_without_naming_a_cost(tmp_path: Path, ulas: Results, capsys: pytest.CaptureFixture[str]) -> None:
    frame = ulas.to_frame("polars")
    one, two, wide = tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "wide.csv"
    frame.drop("space").write_csv(one)
    frame.write_csv(two)
    wide.write_text("dataset,a,b\n" + "".join(f"d{i},0.{i}1,0.{i}2\n" for i in range(1, 9)))
    assert main(["order", str(one), "--score", "accuracy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"]["costs"] == ["train_time"]
    assert main(["order", str(two), "--score", "accuracy"]) == 2
    assert "The table holds 2 costs: 'space', 'train_time'." in capsys.readouterr().err
    assert main(["order", str(wide), "--score", "auc", "--rule", "multitest"]) == 2
    assert "The table holds no column with the known name of a cost." in capsys.readouterr().err
    assert main(["order", str(wide), "--score", "auc"]) == 0
    assert "Use b" in capsys.readouterr().out
    assert main(["order", str(wide), "--score", "auc", "--prior", "b,a", "--pairwise", "score", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == ["b", "a"]
