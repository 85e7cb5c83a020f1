"""Orders over data sets by scores: decisions against scipy and brute force, few data sets, what MultiTest promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from tiebreak import Ordering, Results, published, stack, with_costs
from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import fewest_datasets
from tiebreak.errors import OptionError
from tiebreak.stats import CORRECTIONS

from .every import every
from .published_rules import order


def table(scores: np.ndarray, costs: np.ndarray | None = None, score: str = "accuracy") -> Results:
    """Scores of some algorithms with one cost; without costs a is the cheapest, then b, and so on."""
    scores = np.asarray(scores, dtype=float)
    names = [chr(97 + i) for i in range(scores.shape[1])]
    paid = np.tile(np.arange(1.0, len(names) + 1), (len(scores), 1)) if costs is None else np.asarray(costs, float)
    results = Results.from_array(scores, score=score, algorithms=names)
    return with_costs(results, Results.from_array(paid, score="train_time", algorithms=names))


# ---- brute force


def partitions(items: list[int]) -> list[list[list[int]]]:
    """Return all ways to split a list into groups."""
    if not items:
        return [[]]
    out = []
    for rest in partitions(items[1:]):
        out.append([[items[0]], *rest])
        out += [[*rest[:i], [items[0], *group], *rest[i + 1 :]] for i, group in enumerate(rest)]
    return out


def by_all_partitions(p: dict[tuple[int, int], float], count: int) -> dict[tuple[int, int], float]:
    """Correct as Bergmann and Hommel define it.

    A set of hypotheses can be true together without any other if it holds all pairs inside the groups of a partition;
    the adjusted p-value of a pair is the largest of size times smallest p-value over the sets that hold it.
    """
    out = dict.fromkeys(p, 0.0)
    for groups in partitions(list(range(count))):
        pairs = [pair for group in groups for pair in itertools.combinations(sorted(group), 2)]
        bound = len(pairs) * min((p[pair] for pair in pairs), default=1.0)
        for pair in pairs:
            out[pair] = max(out[pair], min(1.0, bound))
    return out


def signed_sum(d: np.ndarray) -> float:
    return float((np.sign(d) * stats.rankdata(np.abs(d))).sum())


def split_zeros(d: np.ndarray) -> float:
    """Wilcoxon's exact p-value from all signs, zeros ranked and split; one of an odd number dropped."""
    zero = np.flatnonzero(d == 0)
    d = np.delete(d, zero[:1]) if len(zero) % 2 else d
    ranks = stats.rankdata(np.abs(d))[d != 0]
    observed = abs(float((np.sign(d[d != 0]) * ranks).sum()))
    sums = {0.0: 1}
    for rank in ranks:  # the distribution of the signed sum, one rank after another
        fresh: dict[float, int] = {}
        for value, ways in sums.items():
            for step in (rank, -rank):
                fresh[value + step] = fresh.get(value + step, 0) + ways
        sums = fresh
    total = sum(sums.values())
    return min(1.0, sum(ways for value, ways in sums.items() if abs(value) >= observed - 1e-9) / total)


def multitest_by_definition(better: np.ndarray, prior: np.ndarray) -> list[int]:
    """Take the cheapest that waits for no costlier better one, again and again."""
    left, out = set(range(len(prior))), []
    while left:
        free = [i for i in left if not any(better[i, j] and prior[j] > prior[i] for j in left)]
        out.append(min(free, key=lambda i: prior[i]))
        left.remove(out[-1])
    return out


# ---- the published table


@pytest.fixture(scope="module")
def ulas() -> Results:
    return published.ulas2012()


@pytest.fixture(scope="module")
def by_time(ulas: Results) -> Ordering:
    return order(ulas, score="accuracy", cost="train_time")


@pytest.mark.parametrize(
    ("cost", "expected"),
    [("train_time", "svl svr 5nn c45 lnp mlp mdt sv2"), ("space", "svl svr c45 mdt mlp lnp sv2 5nn")],
)
def test_the_published_table_by_scores(ulas: Results, cost: str, expected: str) -> None:
    result = order(ulas, score="accuracy", cost=cost)
    assert result.over == "scores" and result.order == tuple(expected.split())
    assert result.better.sum() == 10 and len(result.tests.a) == 28
    assert order(ulas, score="accuracy", cost=cost, rule="multitest").to_dict() == result.to_dict()


def test_the_decisions_are_those_of_scipy_and_of_all_partitions(ulas: Results, by_time: Ordering) -> None:
    means = ulas.means("accuracy")
    p = {}
    for i, j in itertools.combinations(range(8), 2):
        d = np.round(means[:, j] - means[:, i], 9)
        p[i, j] = split_zeros(d)
        if (d != 0).all() and len(np.unique(np.abs(d))) == len(d):  # scipy is exact without ties and zeros
            assert p[i, j] == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)
    adjusted = by_all_partitions(p, 8)
    result = dict(zip(zip(by_time.tests.a.tolist(), by_time.tests.b.tolist(), strict=True), by_time.tests.adjusted,
                     strict=True))  # fmt: skip
    assert result == pytest.approx(adjusted)
    wins = {(by_time.algorithms[i], by_time.algorithms[j]) for i, j in np.argwhere(by_time.better)}
    toward = {(i, j): signed_sum(np.round(means[:, j] - means[:, i], 9)) for i, j in adjusted}
    expected = {(i, j) if toward[i, j] > 0 else (j, i) for (i, j), q in adjusted.items() if q <= 0.05}
    assert wins == {(by_time.algorithms[i], by_time.algorithms[j]) for i, j in expected}


# ---- what may vary and what may not


def test_one_score_folds_and_other_folds_with_the_same_means_agree() -> None:
    rng = np.random.default_rng(4)
    means = np.round(0.7 + 0.04 * np.arange(4) + rng.normal(0, 0.03, (14, 4)), 3)

    def folds(shape: tuple[int, int], sets: list[int]) -> Results:
        noise = rng.normal(0, 0.05, (len(sets), 4, *shape))
        noise -= noise.mean(axis=(2, 3), keepdims=True)
        return Results.from_array(means[sets][:, :, None, None] + noise, score="accuracy", algorithms=list("abcd"),
                                  datasets=[f"d{i:02d}" for i in sets])  # fmt: skip

    one = Results.from_array(
        means, score="accuracy", algorithms=list("abcd"), datasets=[f"d{i:02d}" for i in range(14)]
    )
    ten = folds((1, 10), list(range(14)))
    mixed = stack([folds((5, 2), [0, 1, 2, 3]), folds((1, 10), [4, 5, 6, 7]), one.only(datasets=one.datasets[8:])])
    answers = [order(item, prior=list("abcd")) for item in (one, ten, mixed)]
    assert answers[0].order != tuple("abcd") and answers[0].better.any()
    for other in answers[1:]:
        assert other.order == answers[0].order and (other.better == answers[0].better).all()
        assert other.tests.adjusted == pytest.approx(answers[0].tests.adjusted)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_and_the_direction_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random((12, 5)) * 0.1 + 0.06 * np.arange(5), 2)
    results = table(scores, rng.random((12, 5)))
    base = order(results).to_dict()
    frame = results.to_frame("polars").sample(fraction=1.0, shuffle=True, seed=seed)
    assert order(Results.from_frame(frame)).to_dict() == base
    errors = order(table(1 - scores, results.means("train_time"), score="error"))
    assert list(errors.order) == base["order"]
    assert errors.tests.adjusted.tolist() == pytest.approx([pair["adjusted"] for pair in base["pairs"]])


# ---- what MultiTest promises, on random tables


def random_order(seed: int) -> Ordering:
    """Three to eight algorithms that win in turns, as dice do that beat each other in a circle, or do not."""
    rng = np.random.default_rng(seed)
    count, sets = int(rng.integers(3, 9)), int(rng.integers(8, 40))
    turns = np.array([np.roll(np.arange(count), s) for s in rng.integers(count, size=sets)])
    scores = rng.choice([0, 1, 3]) * turns[:, rng.permutation(count)] + rng.normal(0, [1] * count, (sets, count))
    scores += rng.normal(0, 0.5, count)
    return order(table(scores, rng.random((sets, count)), score="error"), posthoc="none", alpha=0.2)


@every("seed", range(60))
def test_who_beats_another_stands_before_it_unless_a_chain_holds_it_back(seed: int) -> None:
    result = random_order(seed)
    names, better, prior = result.algorithms, result.better, result.prior_places
    place = {name: k for k, name in enumerate(result.order)}
    assert result.order == tuple(names[i] for i in multitest_by_definition(better, prior))
    against = []
    for i, j in itertools.permutations(range(len(names)), 2):
        if place[names[i]] > place[names[j]] or not better[i, j]:
            continue
        against.append((names[i], names[j]))  # i stands before j, which beats it ...
        assert prior[j] < prior[i]  # ... so it is no costlier one: that would have gone before
        reached = {j}  # those that j waits for, one behind the other, each costlier and better than the last
        while fresh := {k for m in reached for k in np.flatnonzero(better[m]) if prior[k] > prior[m]} - reached:
            reached |= fresh
        assert any(place[names[k]] > place[names[i]] for k in reached - {j})
        assert all(place[names[k]] < place[names[j]] for k in reached - {j})
    notes = [note for note in result.caveats if note.code == "beaten-but-before"]
    against.sort(key=lambda pair: (place[pair[0]], place[pair[1]]))
    assert bool(notes) == bool(against) and result.reversed == tuple(against)
    if against:
        named = ", ".join(f"{i} before {j}" for i, j in against[:5])
        more = f" and {len(against) - 5} more" if len(against) > 5 else ""
        assert f"{len(against)} pair(s) stand against their own test" in notes[0] and f": {named}{more}." in notes[0]


def test_random_tables_hold_chains() -> None:
    """The test above would say nothing if no decision were ever intransitive."""
    assert sum("beaten-but-before" in codes_of(random_order(seed).caveats) for seed in range(60)) >= 5


# ---- the cases that went wrong


def test_four_identical_algorithms_are_ordered_by_cost() -> None:
    rng = np.random.default_rng(0)
    scores = np.repeat(rng.random((30, 1, 5, 2)), 4, axis=1)
    costs = np.tile([2.0, 4.0, 1.0, 3.0], (30, 1))
    result = order(table(scores, costs))
    assert not result.better.any() and result.order == tuple("cadb") == result.prior
    assert not result.better.any()
    places = order(table(scores, costs), rule="multi2test")
    assert places.better.any()  # the published procedure tells them apart: cost is inside its places


def test_a_dummy_stands_behind_all_that_are_better() -> None:
    """85 data sets; the dummy costs nothing and is far worse nearly everywhere."""
    rng = np.random.default_rng(1)
    scores = np.array([0.55, 0.78, 0.8, 0.81, 0.82]) + rng.normal(0, [0.1, 0.03, 0.03, 0.03, 0.03], (85, 5))
    costs = np.array([0.001, 1, 5, 20, 100]) * rng.lognormal(0, 0.5, (85, 5))
    result = order(table(scores, costs))
    assert result.prior[0] == "a" and result.order[-1] == "a"
    assert result.better[0].sum() == 4
    assert set(result.reasons[-1].beaten_by) == set("bcde")


def test_a_crowd_between_two_does_not_move_them() -> None:
    """The tests of a pair read its own scores: others, ranked between the two, change its p-value by nothing."""
    rng = np.random.default_rng(2)
    a = rng.normal(0.8, 0.03, 30)
    b = a + rng.normal(0.003, 0.03, 30)
    crowd = np.minimum(a, b)[:, None] + np.abs(b - a)[:, None] * rng.random((30, 6))
    pair = order(table(np.stack([a, b], axis=1)))
    full = order(table(np.column_stack([a, b, crowd])))
    assert full.tests.pvalue[0] == pair.tests.pvalue[0]
    assert not full.better[0, 1] and not full.better[1, 0]
    assert full.order.index("a") < full.order.index("b")


# ---- few data sets


@every("adjust", sorted(CORRECTIONS))
@every("alpha", [0.01, 0.05, 0.1])
def test_fewest_data_sets_by_brute_force(adjust: str, alpha: float) -> None:
    """Every pattern of pairs that have the smallest p-value, all others having none, up to four algorithms."""
    for count in (2, 3, 4):
        pairs = count * (count - 1) // 2
        patterns = [np.array(bits) for bits in itertools.product([False, True], repeat=pairs)][1:]
        for sets in range(2, 30):
            p = [CORRECTIONS[adjust](np.where(bits, 2.0 * 0.5**sets, 1.0)).min() for bits in patterns]
            if min(p) <= alpha:
                break
        assert fewest_datasets(pairs, adjust, alpha) == sets


def test_a_group_of_one_data_set_is_ordered_as_that_data_set() -> None:
    rng = np.random.default_rng(6)
    results = table(0.5 + 0.1 * np.arange(4)[:, None, None] + rng.normal(0, 0.02, (9, 4, 5, 2)))
    groups = {name: "one" if name == "data set 4" else "rest" for name in results.datasets}
    group = order(results, groups=groups).by_group
    assert group["one"].to_dict() == order(results, dataset="data set 4").to_dict()
    assert group["one"].over == "folds" and group["rest"].over == "scores"
    single = Results.from_array(results.means("accuracy"), score="accuracy", datasets=results.datasets)
    alone = order(single, prior=single.algorithms, groups=groups).by_group["one"]
    assert alone.order == single.algorithms and "only-cost-decided" in codes_of(alone.caveats)


# ---- which way is asked for


def test_an_own_test_of_the_scores() -> None:
    scores = np.random.default_rng(0).random((9, 3)) + 0.2 * np.arange(3)

    def sign(a: np.ndarray, b: np.ndarray) -> float:
        return float(stats.binomtest(int((a < b).sum()), len(a)).pvalue)

    current = order(table(scores), rule="multitest", pairwise=sign, posthoc="holm")
    named = order(table(scores), pairwise="sign", posthoc="holm")
    assert current.tests.pvalue == pytest.approx(named.tests.pvalue) and current.order == named.order
    with pytest.raises(OptionError, match="not a p-value"):
        order(table(scores), rule="multitest", pairwise=lambda _a, _b: 2.0)
