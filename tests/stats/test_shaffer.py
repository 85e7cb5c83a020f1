"""Shaffer's static correction for all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.errors import InputError
from tiebreak.stats import holm, shaffer
from tiebreak.stats.adjust.bergmann_hommel import affordable, true_counts


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        # Partitions listed by hand: 4 = 3 + 1 gives 3 pairs, 2 + 2 gives 2, and so on.
        (2, [0, 1]),
        (3, [0, 1, 3]),
        (4, [0, 1, 2, 3, 6]),
        (5, [0, 1, 2, 3, 4, 6, 10]),
        (6, [0, 1, 2, 3, 4, 6, 7, 10, 15]),
    ],
)
def test_possible_numbers_of_true_hypotheses(count, expected):
    assert true_counts(count).tolist() == expected


def reachable(count):
    """Numbers of pairs inside blocks, by the recursion S(k) = union over j of C(j, 2) + S(k - j)."""
    sets = [{0}, {0}]
    for k in range(2, count + 1):
        sets.append({j * (j - 1) // 2 + s for j in range(1, k + 1) for s in sets[k - j]})
    return sorted(sets[count])


@pytest.mark.parametrize("count", [1, 7, 12, 31, 40])
def test_possible_numbers_by_the_printed_recursion(count):
    assert true_counts(count).tolist() == reachable(count)


def test_factors_for_five_algorithms():
    # By hand: with 9 to 6 pairs left at most 6 can be true, with 5 or 4 left at most 4.
    assert affordable(5)[10 - np.arange(10)].tolist() == [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]


def test_worked_by_hand():
    p = [0.004, 0.011, 0.3, 0.013, 0.6, 0.9]  # sorted factors 6 3 3 3 2 1
    np.testing.assert_allclose(shaffer(p), [0.024, 0.033, 0.9, 0.039, 1.0, 1.0], rtol=1e-14)


def test_step_down_at_every_level():
    rng = np.random.default_rng(4)
    for count in (2, 3, 5, 8, 12):
        m = count * (count - 1) // 2
        p = rng.random(m) ** 4
        order, possible = np.argsort(p), reachable(count)
        price = np.array([max(s for s in possible if s <= m - i) for i in range(m)])
        for alpha in (0.01, 0.05, 0.2):
            rejected = np.zeros(m, dtype=bool)
            rejected[order[np.cumprod(p[order] <= alpha / price).astype(bool)]] = True
            np.testing.assert_array_equal(shaffer(p) <= alpha, rejected)


def adjusted_square(correct, matrix, **options):
    """Correct the pairs above the diagonal, and lay them out as the matrix that they came in."""
    a, b = np.triu_indices(len(matrix), 1)
    out = np.ones_like(matrix)
    out[a, b] = out[b, a] = correct(matrix[a, b], **options)
    return out


@settings(derandomize=True, deadline=None, max_examples=40)
@given(count=st.integers(2, 9), seed=st.integers(0, 10_000))
def test_never_above_holm_and_free_of_names(count, seed):
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(count, 1)
    matrix = np.ones((count, count))
    matrix[a, b] = matrix[b, a] = np.round(rng.random(a.size) ** 3, 2)
    adjusted = adjusted_square(shaffer, matrix)
    assert (adjusted[a, b] <= np.maximum(holm(matrix[a, b]), 1e-300)).all()
    assert (adjusted[a, b] <= 1).all()
    shuffle = rng.permutation(count)
    moved = adjusted_square(shaffer, matrix[np.ix_(shuffle, shuffle)])
    np.testing.assert_allclose(moved, adjusted[np.ix_(shuffle, shuffle)])


def test_family_wise_error_of_all_pairs_under_equality():
    # z tests of all pairs of 5 equal means: 4,000 tables; the standard error of 0.05 is 0.0034.
    from scipy.special import ndtr

    rng = np.random.default_rng(8)
    a, b = np.triu_indices(5, 1)
    means = rng.normal(size=(4000, 5))
    p = 2 * ndtr(-np.abs(means[:, a] - means[:, b]) / np.sqrt(2))
    rate = np.mean([shaffer(row).min() <= 0.05 for row in p])
    assert rate <= 0.05 + 3 * 0.0034


def test_degenerate_families():
    assert shaffer([]).shape == (0,)
    np.testing.assert_array_equal(shaffer([0.03]), [0.03])
    np.testing.assert_array_equal(shaffer([1.0] * 10), [1.0] * 10)
    assert (shaffer([0.0, 0.0, 0.0]) > 0).all()


@pytest.mark.parametrize(
    ("pvalues", "message"),
    [
        (
            [0.1] * 5,
            "5 p-values are not all pairs of any number of algorithms. Pass every pair once, or use holm(...) for"
            " other families.",
        ),
        (
            [[1, 0.1], [0.1, 1]],
            "pvalues has 2 dimension(s). Pass a one-dimensional array, such as matrix[numpy.triu_indices(L, 1)] for all"
            " pairs.",
        ),
        (
            [0.1, -0.5, 0.2],
            "pvalues[1] is -0.5. Pass p-values between 0 and 1, not statistics.",
        ),
    ],
)
def test_errors(pvalues, message):
    with pytest.raises(InputError) as caught:
        shaffer(pvalues)
    assert str(caught.value) == message
