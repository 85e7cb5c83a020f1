"""Bergmann-Hommel: both algorithms against enumeration of all partitions, and against the procedure itself."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.special import ndtr

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import bergmann_hommel, bergmann_hommel_rows, holm, shaffer
from tiebreak.stats.adjust.bergmann_hommel import _by_cliques
from tiebreak.stats.numeric.basics import average_ranks

from ..every import every


@lru_cache
def partitions(count):
    """Pairs inside blocks (rows: partitions, columns: pairs), one algorithm added at a time."""
    rows = [[0]]
    for _ in range(1, count):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    labels = np.array(rows)
    a, b = np.triu_indices(count, 1)
    inside = labels[:, a] == labels[:, b]
    return inside, inside.sum(axis=1)


def enumerated(p, count):
    """Adjust by the definition, over all partitions."""
    inside, size = partitions(count)
    value = size * np.where(inside, p, 2.0).min(axis=1)
    return np.minimum(np.where(inside, value[:, None], 0.0).max(axis=0), 1.0)


def random_mean_ranks(rng, count):
    """Mean ranks of a few data sets with effects of any size; scores on a coarse grid tie often."""
    datasets = int(rng.integers(1, 25))
    scores = rng.normal(size=(datasets, count)) + rng.permutation(np.linspace(0, rng.uniform(0, 8), count))
    if rng.random() < 0.5:
        scores = np.rint(scores)
    return average_ranks(scores).mean(axis=0), datasets


def rank_pvalues(x, datasets):
    count = x.size
    a, b = np.triu_indices(count, 1)
    return 2 * ndtr(-np.abs(x[a] - x[b]) / np.sqrt(count * (count + 1) / (6 * datasets)))


INSTANCES = {3: 600, 4: 600, 5: 500, 6: 300, 7: 200, 8: 60, 9: 20, 10: 5}


@pytest.mark.parametrize(("count", "instances"), INSTANCES.items())
def test_line_equals_enumeration_on_rank_vectors(count, instances):
    rng, result, expected = np.random.default_rng(count), [], []
    for _ in range(instances):
        x, datasets = random_mean_ranks(rng, count)
        p = rank_pvalues(x, datasets)
        if rng.random() < 0.25:  # another falling function of the distance, with steps
            p = 0.2 ** (1 + np.rint(-np.log(p) * rng.uniform(0.2, 2)))
        result.append(bergmann_hommel(p, positions=x))
        expected.append(enumerated(p, count))
    np.testing.assert_allclose(result, expected, rtol=1e-9)  # all at once: the comparison takes longer than the sums


def any_pvalues(rng, count):
    """P-values of all kinds: spread, few distinct, blocks, all equal."""
    a, b = np.triu_indices(count, 1)
    kind = rng.integers(4)
    if kind == 0:
        return rng.random(a.size) ** rng.integers(1, 9)
    if kind == 1:
        return rng.integers(1, 5, a.size) / 300
    if kind == 2:
        return np.where(a % 3 == b % 3, 0.1 * rng.random(a.size), 1e-3 * rng.random(a.size))
    return np.full(a.size, 0.5 / a.size)


@every(("count", "instances"), {2: 20, 3: 60, 4: 80, 5: 80, 6: 80, 7: 60, 8: 40, 9: 15}.items())
def test_any_origin_equals_enumeration(count, instances):
    rng = np.random.default_rng(100 + count)
    for _ in range(instances):
        p = any_pvalues(rng, count)
        expected = enumerated(p, count)
        np.testing.assert_allclose(bergmann_hommel(p), expected, rtol=1e-12)
        np.testing.assert_allclose(_by_cliques(p, count), expected, rtol=1e-12)


def test_any_origin_equals_enumeration_at_ten():
    rng = np.random.default_rng(110)
    for _ in range(12):
        p = any_pvalues(rng, 10)
        np.testing.assert_allclose(bergmann_hommel(p), enumerated(p, 10), rtol=1e-12)


@pytest.mark.parametrize("count", [11, 12, 13])
def test_both_algorithms_agree_beyond_enumeration(count):
    rng = np.random.default_rng(count)
    for _ in range(4):
        x, datasets = random_mean_ranks(rng, count)
        p = rank_pvalues(np.round(x, 9), datasets)
        np.testing.assert_allclose(bergmann_hommel(p, positions=np.round(x, 9)), bergmann_hommel(p), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.3])
def test_rejects_what_the_procedure_rejects(alpha):
    # Bergmann and Hommel (1988): reject all that lies in no exhaustive set I with min p(I) > alpha / |I|.
    rng = np.random.default_rng(3)
    for count in (3, 4, 5, 6, 7):
        inside, size = partitions(count)
        for _ in range(20):
            p = rng.random(size=inside.shape[1]) ** 4
            least = np.where(inside, p, 2.0).min(axis=1)
            accepted = inside[(size > 0) & (least > alpha / np.maximum(size, 1))].any(axis=0)
            np.testing.assert_array_equal(bergmann_hommel(p) <= alpha, ~accepted)


def test_worked_by_hand():
    # Pairs 01 02 03 12 13 23. 01: all six, 6 x 0.004; 02: {0,2,3}, 3 x 0.011; 12: {1,2,3}, 3 x 0.013; 03, 13 and 23:
    # each alone.
    p = [0.004, 0.011, 0.3, 0.013, 0.6, 0.9]
    np.testing.assert_allclose(bergmann_hommel(p), [0.024, 0.033, 0.3, 0.039, 0.6, 0.9], rtol=1e-14)


def test_a_block_may_have_to_reach_across_the_pair():
    # The pair at 1.0 and 2.0 with span limit 1.1: runs of neighbours hold 6 pairs,
    # but {0, 0.1, 0.2, 1.1} and {1.0, 2.0} hold 7.
    x = np.array([0.0, 0.1, 0.2, 1.0, 1.1, 2.0])
    a, b = np.triu_indices(6, 1)
    p = np.where(np.abs(x[a] - x[b]) <= 1.1 + 1e-9, 0.01, 1e-6)
    pair = (a == 3) & (b == 5)
    assert bergmann_hommel(p, positions=x)[pair][0] == pytest.approx(0.07)
    np.testing.assert_allclose(bergmann_hommel(p, positions=x), enumerated(p, 6), rtol=1e-12)


def test_monotone_is_the_running_maximum_over_sorted_pvalues():
    # Positions 0.8 1.8 2.6 3.0 on ten data sets: the pair 12 has the larger p than 01 but the smaller adjusted value.
    x = np.array([0.8, 1.8, 2.6, 3.0])
    p = rank_pvalues(x, 10)
    exact, printed = bergmann_hommel(p), bergmann_hommel(p, monotone=True)
    assert p[3] > p[0]
    assert exact[3] < exact[0]
    assert printed[3] == exact[0]
    order = np.argsort(p)
    np.testing.assert_array_equal(printed[order], np.maximum.accumulate(exact[order]))
    np.testing.assert_allclose(bergmann_hommel(p, positions=x, monotone=True), printed, rtol=1e-12)
    np.testing.assert_array_equal(bergmann_hommel_rows(p[None], monotone=True)[0], printed)


def test_monotone_treats_equal_pvalues_alike():
    rng = np.random.default_rng(6)
    p = rng.integers(1, 6, 15) / 100
    printed = bergmann_hommel(p, monotone=True)
    for value in np.unique(p):
        assert np.unique(printed[p == value]).size == 1
        assert printed[p == value][0] == bergmann_hommel(p)[p <= value].max()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(count=st.integers(2, 12), seed=st.integers(0, 10_000))
def test_rejects_at_least_what_shaffer_and_holm_reject(count, seed):
    rng = np.random.default_rng(seed)
    x, datasets = random_mean_ranks(rng, count)
    p = rank_pvalues(x, datasets)
    for adjusted in (
        bergmann_hommel(p, positions=x),
        bergmann_hommel(p, positions=x, monotone=True),
        bergmann_hommel(p),
    ):
        assert (adjusted <= 1).all()
        assert (adjusted >= p * (1 - 1e-9)).all()
        assert (adjusted <= shaffer(p) * (1 + 1e-9)).all()
        assert (adjusted <= holm(p) * (1 + 1e-9)).all()


def adjusted_square(correct, matrix, **options):
    """Correct the pairs above the diagonal, and lay them out as the matrix that they came in."""
    a, b = np.triu_indices(len(matrix), 1)
    out = np.ones_like(matrix)
    out[a, b] = out[b, a] = correct(matrix[a, b], **options)
    return out


@settings(derandomize=True, deadline=None, max_examples=40)
@given(count=st.integers(2, 9), seed=st.integers(0, 10_000))
def test_names_direction_and_origin_do_not_matter(count, seed):
    rng = np.random.default_rng(seed)
    x, datasets = random_mean_ranks(rng, count)
    a, b = np.triu_indices(count, 1)
    matrix = np.ones((count, count))
    matrix[a, b] = matrix[b, a] = rank_pvalues(x, datasets)
    adjusted = adjusted_square(bergmann_hommel, matrix, positions=x)
    mirrored = adjusted_square(bergmann_hommel, matrix, positions=7.0 - 3 * x)
    np.testing.assert_allclose(mirrored, adjusted, rtol=1e-9)
    shuffle = rng.permutation(count)
    moved = adjusted_square(bergmann_hommel, matrix[np.ix_(shuffle, shuffle)], positions=x[shuffle])
    np.testing.assert_allclose(moved, adjusted[np.ix_(shuffle, shuffle)], rtol=1e-9)


@pytest.mark.parametrize("count", [6, 9, 30])
def test_rounding_noise_in_positions_changes_nothing(count):
    # Equally spaced mean ranks: many distances are equal, and noise of a few units in the last place breaks them.
    rng = np.random.default_rng(count)
    x = np.arange(count) * 0.7 + 1
    noisy = x * (1 + rng.integers(-4, 5, count) * 2.2e-16)
    exact = bergmann_hommel(rank_pvalues(x, 12), positions=x)
    np.testing.assert_allclose(bergmann_hommel(rank_pvalues(noisy, 12), positions=noisy), exact, rtol=1e-9)
    again = bergmann_hommel(rank_pvalues(noisy, 12), positions=noisy)
    distance = np.rint(np.abs(np.subtract.outer(x, x))[np.triu_indices(count, 1)] / 0.7)
    mirrored = bergmann_hommel(rank_pvalues(noisy[::-1], 12), positions=noisy[::-1])
    np.testing.assert_allclose(np.sort(mirrored[distance == 2]), np.sort(again[distance == 2]), rtol=1e-9)


def test_equal_positions_and_underflowing_pvalues():
    x = np.array([1.0, 1.0, 1.0, 50.0, 50.0, 99.0])
    p = np.where(rank_pvalues(x, 10_000) < 1e-300, 0.0, rank_pvalues(x, 10_000))
    adjusted = bergmann_hommel(p, positions=x)
    joined = p == 1
    np.testing.assert_array_equal(adjusted[joined], 1.0)
    assert (adjusted[~joined] > 0).all()
    assert (adjusted[~joined] < 1e-300).all()


def test_hundred_algorithms_between_their_bounds():
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(60, 100)) + np.linspace(0, 3, 100)
    x = average_ranks(scores).mean(axis=0)
    p = rank_pvalues(x, 60)
    adjusted = bergmann_hommel(p, positions=x)
    assert (adjusted >= p).all()
    assert (adjusted <= shaffer(p) * (1 + 1e-9)).all()
    assert (adjusted <= 0.05).sum() > (shaffer(p) <= 0.05).sum()


def test_rows_are_families_of_their_own():
    rng = np.random.default_rng(9)
    for count in (3, 8, 10):
        p = rng.random((2, 3, count * (count - 1) // 2)) ** 3
        together = bergmann_hommel_rows(p)
        for i in np.ndindex(2, 3):
            np.testing.assert_array_equal(together[i], bergmann_hommel(p[i]))
    assert bergmann_hommel_rows(np.empty((0, 6))).shape == (0, 6)


def test_family_wise_error_with_two_groups_of_equal_algorithms():
    # Three equal means and three others far away: 4,000 tables; the standard error of 0.05 is 0.0034.
    rng = np.random.default_rng(13)
    a, b = np.triu_indices(6, 1)
    means = rng.normal(size=(4000, 6)) + np.repeat([0.0, 20.0], 3)
    p = 2 * ndtr(-np.abs(means[:, a] - means[:, b]) / np.sqrt(2))
    true = (a < 3) == (b < 3)
    rate = (bergmann_hommel_rows(p)[:, true] <= 0.05).any(axis=1).mean()
    assert 0.02 < rate <= 0.05 + 3 * 0.0034


def test_degenerate_families():
    for positions in (None, [2.0, 1.0]):
        np.testing.assert_array_equal(bergmann_hommel([0.03], positions=positions), [0.03])
    assert bergmann_hommel([]).shape == (0,)
    assert bergmann_hommel([], positions=[1.0]).shape == (0,)
    np.testing.assert_array_equal(bergmann_hommel([1.0] * 10), [1.0] * 10)
    np.testing.assert_array_equal(bergmann_hommel([1.0] * 10, positions=[3.0] * 5), [1.0] * 10)
    assert (bergmann_hommel([0.0] * 6) > 0).all()


def test_refuses_what_is_out_of_reach_and_names_the_alternatives():
    with pytest.raises(OptionError) as caught:
        bergmann_hommel([0.5] * 105)
    assert str(caught.value) == (
        "15 algorithms are too many for Bergmann-Hommel with p-values of any origin. The time of the exact search "
        "triples with every algorithm; it ends at 14. Use shaffer(...) or holm(...); or pass positions=mean_ranks if "
        "the p-values come from differences of mean ranks."
    )
    with pytest.raises(OptionError, match=r"^15 algorithms are too many"):
        bergmann_hommel_rows([[0.5] * 105])


@pytest.mark.parametrize(
    ("pvalues", "positions", "message"),
    [
        (
            [0.01, 0.2, 0.5],
            [1.0, 2.0, 4.0],
            "By positions, algorithms 0 and 1 at distance 1 have p = 0.01, but algorithms 1 and 2 at distance 2 have "
            "p = 0.5. With positions= the p-values must be a function of the distance that never rises. Leave out "
            "positions= for p-values of any other origin.",
        ),
        (
            [0.3, 0.2, 0.31],
            [1.0, 2.0, 3.0],
            "By positions, algorithms 0 and 1 at distance 1 have p = 0.3, but algorithms 1 and 2 at distance 1 have "
            "p = 0.31. With positions= the p-values must be a function of the distance that never rises. Leave out "
            "positions= for p-values of any other origin.",
        ),
        (
            [0.3, 0.2, 0.31],
            [1.0, 2.0],
            "positions has shape (2,) for 3 algorithms. Every algorithm has one position on the line. Pass the 3 mean "
            "ranks.",
        ),
        (
            [0.3, 0.2, 0.31],
            [1.0, 2.0, np.nan],
            "positions[2] is nan (1 such value(s) in all). A rank or a mean of it would be meaningless. Drop those "
            "data sets, or choose a policy for gaps with tiebreak.compare(..., missing=...).",
        ),
    ],
)
def test_errors_of_positions(pvalues, positions, message):
    with pytest.raises(InputError) as caught:
        bergmann_hommel(pvalues, positions=positions)
    assert str(caught.value) == message


def test_errors_of_rows():
    with pytest.raises(InputError) as caught:
        bergmann_hommel_rows(0.5)
    assert str(caught.value) == (
        "pvalues is a single number. The last axis holds all pairs of a family. Pass one row of p-values per family."
    )
    with pytest.raises(InputError, match=r"^4 p-values are not all pairs"):
        bergmann_hommel_rows([[0.1] * 4])
