"""The linear-discriminant tree: an estimator by scikit-learn's own checks, with the papers' behaviour on two sets."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

pytest.importorskip("sklearn", reason="the lab's learners are scikit-learn estimators")

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.trees import LinearDiscriminantTree

A = 2 / np.sqrt(20)


def twonorm(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Breiman (1996), Bias, variance and arcing classifiers, TR 460: two normals around (a, ..., a) and its mirror."""
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 20)) + np.where(y == 1, A, -A)[:, None], y


def ringnorm(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Breiman (1996): N(0, 4 I) against N((a, ..., a), I)."""
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, 20))
    return np.where(y[:, None] == 0, 2 * x, x + A), y


def single_split() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=0.005, random_state=0)


def mean_accuracy(make, sample, *, n: int = 1000) -> float:
    scores = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x, y = sample(n, rng)
        scores.append(make().fit(x, y).score(*sample(2000, rng)))
    return float(np.mean(scores))


@pytest.mark.parametrize("tree", [LinearDiscriminantTree(), LinearDiscriminantTree(prune_share=0.2, random_state=0)])
def test_scikit_learns_estimator_checks_pass_whole(tree: LinearDiscriminantTree) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks warn about checks they skip
        results = check_estimator(tree, on_fail=None)
    assert [result["check_name"] for result in results if result["status"] not in {"passed", "skipped"}] == []
    assert {result["check_name"] for result in results if result["status"] == "skipped"} <= {"check_array_api_input"}
    assert sum(result["status"] == "passed" for result in results) >= 40


def test_it_beats_the_single_split_tree_on_twonorm_by_more_than_ten_points() -> None:
    linear, single = mean_accuracy(LinearDiscriminantTree, twonorm), mean_accuracy(single_split, twonorm)
    assert linear - single > 0.10
    assert linear > 0.965  # Breiman (1996): the best possible error on twonorm is 2.3 %


def test_it_falls_behind_the_single_split_tree_on_ringnorm() -> None:
    linear, single = mean_accuracy(LinearDiscriminantTree, ringnorm), mean_accuracy(single_split, ringnorm)
    assert linear < single - 0.01


def test_the_root_splits_along_fishers_direction() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4))
    y = (x[:, 0] + rng.normal(size=300) > 0).astype(int)
    weight = LinearDiscriminantTree(ridge=1e-9, max_depth=1).fit(x, y).weights_[0]
    other = LinearDiscriminantAnalysis(solver="lsqr").fit(x, y).coef_[0]
    assert weight @ other / np.linalg.norm(weight) / np.linalg.norm(other) == pytest.approx(1.0, abs=1e-6)


def entropy(labels: np.ndarray) -> float:
    shares = np.bincount(labels) / max(labels.size, 1)
    return float(-sum(p * np.log(p) for p in shares if p > 0))


def test_the_threshold_wins_most_entropy_on_the_projection() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    x[:, 0] += y
    tree = LinearDiscriminantTree(max_depth=1).fit(x, y)
    line = x @ tree.weights_[0]
    cuts = [(a + b) / 2 for a, b in itertools.pairwise(np.sort(line))]
    spent = [
        (line <= cut).mean() * entropy(y[line <= cut]) + (line > cut).mean() * entropy(y[line > cut]) for cut in cuts
    ]
    assert tree.thresholds_[0] == pytest.approx(cuts[int(np.argmin(spent))], rel=1e-9)


def test_classes_on_a_line_are_separated_group_by_group() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(400) % 4
    x = rng.normal(scale=0.3, size=(400, 2)) + np.array([[0, 0], [3, 3], [6, 6], [9, 9]])[y]
    tree = LinearDiscriminantTree().fit(x, y)
    assert tree.score(x, y) == 1.0
    assert tree.node_count_ == 7


def test_exchanging_classes_finds_the_grouping_that_distances_miss() -> None:
    """Distances start with a | b c d or the like; along the second column the pairs a c | b d part without error."""
    rng = np.random.default_rng(6)
    y = np.arange(600) % 4
    spots = np.array([[0.0, 0.0], [30.0, 1.0], [31.0, 0.0], [1.0, 1.0]])
    x = spots[y] + rng.normal(size=(600, 2)) * [12.0, 0.05]
    left = LinearDiscriminantTree(max_depth=1).fit(x, y).apply(x) == 1
    assert {frozenset(y[left].tolist()), frozenset(y[~left].tolist())} == {frozenset({0, 2}), frozenset({1, 3})}


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.lists(st.sampled_from([0.001, 0.5, 3.0, 1000.0]), min_size=4, max_size=4), st.integers(0, 100))
def test_units_and_origins_of_columns_do_not_matter(units: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(80, 4)), rng.integers(0, 3, 80)
    x[:, 1] += y
    fresh = rng.normal(size=(50, 4))
    shift = rng.normal(size=4)
    plain = LinearDiscriminantTree().fit(x, y).predict(fresh)
    changed = LinearDiscriminantTree().fit(x * units + shift, y).predict(fresh * units + shift)
    assert (plain == changed).mean() >= 0.98  # a row on a threshold may round to the other side


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    mixed = rng.permutation(60)
    fresh = rng.normal(size=(100, 3))
    one = LinearDiscriminantTree().fit(x, y).predict_proba(fresh)
    other = LinearDiscriminantTree().fit(x[mixed], y[mixed]).predict_proba(fresh)
    assert (np.abs(one - other).max(axis=1) < 1e-12).mean() >= 0.97


def test_names_of_classes_do_not_matter_and_probabilities_add_up() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(90, 3)), rng.integers(0, 3, 90)
    x[:, 2] += 2 * y
    names = np.array(["delta", "beta", "zeta"])
    plain, named = LinearDiscriminantTree().fit(x, y), LinearDiscriminantTree().fit(x, names[y])
    best = np.sort(plain.counts_[plain.apply(x)], axis=1)
    clear = best[:, -1] > best[:, -2]  # in a tied leaf the first class in the order of names is taken
    assert (named.predict(x) == names[plain.predict(x)])[clear].all() and clear.mean() > 0.9
    shares = named.predict_proba(x)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (named.classes_[shares.argmax(axis=1)] == named.predict(x)).all()


def test_training_rows_reach_the_leaves_that_counted_them() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(300, 5)), rng.integers(0, 4, 300)
    tree = LinearDiscriminantTree(min_share=0.02).fit(x, y)
    counts = np.zeros_like(tree.counts_)
    np.add.at(counts, (tree.apply(x), y), 1)
    leaves = tree.left_ == -1
    assert (counts[leaves] == tree.counts_[leaves]).all()
    inner = np.flatnonzero(~leaves)
    assert (tree.counts_[tree.left_[inner]] + tree.counts_[tree.right_[inner]] == tree.counts_[inner]).all()
    assert tree.counts_[inner].sum(axis=1).min() >= 0.02 * 300


@pytest.mark.parametrize(
    "columns",
    [
        lambda x: np.column_stack([x, x, x.sum(axis=1), np.ones(len(x))]),  # collinear and constant
        lambda x: np.column_stack([x, np.full(len(x), 1e12)]),
        lambda x: np.column_stack([x] + [x[:, :1] + 0.001 * k for k in range(80)]),  # more columns than rows
        lambda x: x * 1e-9,
        lambda x: x + 1e6,
    ],
)
def test_singular_covariances_are_no_obstacle(columns) -> None:
    rng = np.random.default_rng(9)
    y = np.arange(60) % 2
    x = rng.normal(size=(60, 3)) + 4 * y[:, None]
    assert LinearDiscriminantTree().fit(columns(x), y).score(columns(x), y) >= 0.98


def test_a_column_that_is_constant_within_classes_separates_them() -> None:
    x = np.column_stack([np.repeat([0.0, 1.0], 20), np.zeros(40)])
    assert LinearDiscriminantTree().fit(x, np.repeat([0, 1], 20)).score(x, np.repeat([0, 1], 20)) == 1.0


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.arange(10.0).reshape(-1, 1), np.zeros(10)),  # one class
        (np.ones((10, 2)), np.arange(10) % 2),  # rows that are all the same
        (np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]] * 5), np.array([0, 0, 1, 1] * 5)),  # exclusive or: equal means
    ],
)
def test_without_a_split_that_gains_the_tree_is_one_leaf(x: np.ndarray, y: np.ndarray) -> None:
    tree = LinearDiscriminantTree().fit(x, y)
    assert tree.node_count_ == 1
    assert (tree.predict(x) == np.unique(y)[0]).all()


def test_pruning_cuts_what_was_learned_from_noise_and_is_repeatable() -> None:
    rng = np.random.default_rng(10)
    x = rng.normal(size=(600, 10))
    y = ((x[:, 0] > 0) ^ (rng.random(600) < 0.25)).astype(int)
    grown = LinearDiscriminantTree(min_share=0.01).fit(x, y)
    pruned = [LinearDiscriminantTree(min_share=0.01, prune_share=0.3, random_state=1).fit(x, y) for _ in range(2)]
    assert pruned[0].node_count_ < grown.node_count_ / 3
    assert (pruned[0].weights_ == pruned[1].weights_).all()
    fresh = rng.normal(size=(2000, 10))
    truth = fresh[:, 0] > 0
    assert pruned[0].score(fresh, truth) > grown.score(fresh, truth)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"min_share": 1.5}, "min_share is 1.5. It is a share of the training rows, from 0 to 1. Use min_share=0.05."),
        (
            {"prune_share": -0.1},
            "prune_share is -0.1. It is a share of the training rows, from 0 to 0.9. Use prune_share=0.0.",
        ),
        (
            {"ridge": 0.0},
            "ridge is 0.0. Without it the discriminant is undefined where columns are collinear. Use ridge=0.001.",
        ),
        ({"min_leaf": 0}, "min_leaf is 0. A leaf holds at least one row. Use min_leaf=1."),
    ],
)
def test_settings_that_mean_nothing_are_refused(setting: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        LinearDiscriminantTree(**setting).fit([[0.0], [1.0]], [0, 1])
    assert str(caught.value) == message


def test_equal_rows_whose_projections_differ_by_rounding_are_never_split() -> None:
    """A threshold between two numbers that differ in the last bit leaves all rows on one side: a tree without end."""
    generator = np.random.default_rng(0)
    patterns = generator.normal(size=(6, 8))
    for seed in range(30):
        draw = np.random.default_rng(seed)
        rows = patterns[draw.integers(0, 6, size=1500)]
        tree = LinearDiscriminantTree(prune_share=0).fit(rows, draw.integers(0, 2, size=1500))
        assert tree.node_count_ <= 11  # six distinct rows have six leaves at the most
