"""A p-value from m random draws is (b + 1) / (m + 1): never 0, however extreme the data."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak.stats import friedman_exact
from tiebreak.stats.many.friedman import _drawn
from tiebreak.stats.multivariate.permutations import permuted_manova, permuted_pairs

DRAWS = 99
LEAST = 1 / (DRAWS + 1)


def far_apart(folds: int, algorithms: int) -> np.ndarray:
    noise = np.random.default_rng(0).normal(size=(folds, algorithms, 2))
    return noise + 1000.0 * np.arange(algorithms)[:, None]


def test_sign_flips_of_pairs() -> None:
    result = permuted_pairs(far_apart(40, 2), n_permutations=DRAWS)
    assert not result.exact and result.pvalue[0] == LEAST


def test_permutations_within_folds() -> None:
    cube = far_apart(20, 4)
    assert permuted_manova(cube, n_permutations=DRAWS).pvalue == LEAST


def test_permutations_of_ranks() -> None:
    scores = np.arange(10.0) + np.zeros((40, 1))
    assert friedman_exact(scores, n_permutations=DRAWS).pvalue == LEAST


def test_a_draw_that_ties_with_the_table_counts_as_extreme() -> None:
    """Sums are discrete: without their ties p would be far too small."""
    doubled = 2 * np.array([[1, 2, 3]] * 3 + [[2, 1, 3]])
    exact = friedman_exact(doubled / 2).pvalue
    assert _drawn(doubled, 19_999, np.random.default_rng(1)) == pytest.approx(exact, abs=0.006)
