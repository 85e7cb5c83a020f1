"""Portfolios: each next algorithm adds most to the best of those before it, checked against plain loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.advisor.rankings import rank_by
from tiebreak.advisor.rankings.portfolios import Portfolios, filled, greedy, rank_by_portfolio


def plain_greedy(success: np.ndarray, weights: np.ndarray):
    """The definition, word by word: try every algorithm that is left, keep the one with the highest mean worth."""
    left, chosen, worths = list(range(success.shape[1])), [], []
    while left:
        scored = []
        for a in left:
            worth = [max(success[d, b] for b in [*chosen, a]) for d in range(len(success))]
            mean = sum(w * x for w, x in zip(weights, worth, strict=True))
            alone = sum(w * success[d, a] for d, w in enumerate(weights))
            scored.append((-round(mean, 12), -round(alone, 12), a, worth))
        _, _, a, worth = min(scored)
        left.remove(a)
        chosen.append(a)
        worths.append(worth)
    return chosen, np.array(worths).T


tables = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).integers(50, 60, (6, 5)) / 60  # few values, so that ties are common
)


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(0, 1000))
def test_a_portfolio_is_what_the_definition_says(success: np.ndarray, seed: int) -> None:
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(success)))
    expected, worth = plain_greedy(success, weights)
    order, result = greedy(success, weights[None])
    assert order[0].tolist() == expected
    np.testing.assert_allclose(result[0], worth)
    ranking = rank_by_portfolio(success, weights=weights, algorithms=list("abcde"))
    assert ranking.algorithms == tuple("abcde"[j] for j in expected)
    lost = weights @ (success.max(axis=1, keepdims=True) - worth)
    np.testing.assert_allclose(ranking.scores, lost, atol=1e-12)
    np.testing.assert_allclose(ranking.contributions.sum(axis=0), ranking.scores, atol=1e-12)


def test_the_first_two_are_near_the_best_two() -> None:
    """Greedy choice of a submodular gain: at least 1 - 1/e of the best pair's (Nemhauser, Wolsey and Fisher 1978)."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        success = rng.uniform(0, 1, (12, 7))
        names = rank_by_portfolio(success, algorithms=list("abcdefg")).algorithms
        pair = success[:, ["abcdefg".index(name) for name in names[:2]]].max(axis=1).mean()
        best = max(success[:, item].max(axis=1).mean() for item in map(list, combinations(range(7), 2)))
        assert pair >= (1 - 1 / np.e) * best


def test_two_of_a_kind_do_not_stand_side_by_side() -> None:
    success = np.array([[0.9, 0.899, 0.5], [0.9, 0.899, 0.5], [0.6, 0.6, 0.8]])
    assert rank_by("portfolio", success, algorithms=["forest", "twin", "linear"]).algorithms[1] == "linear"
    assert rank_by("mean-rank", success, algorithms=["forest", "twin", "linear"]).algorithms[1] == "twin"


@settings(max_examples=30, deadline=None)
@given(tables, st.permutations(range(5)), st.permutations(range(6)))
def test_the_order_of_rows_and_columns_does_not_matter(success, columns, rows) -> None:
    names = np.array(list("abcde"))
    plain = rank_by_portfolio(success, algorithms=names.tolist())
    mixed = rank_by_portfolio(success[rows][:, columns], algorithms=names[columns].tolist())
    np.testing.assert_allclose(plain.scores, mixed.scores, atol=1e-12)


def test_gaps_are_filled_by_row_and_column_and_told() -> None:
    rng = np.random.default_rng(1)
    rows, columns = rng.uniform(0.6, 0.7, 8), rng.uniform(-0.05, 0.05, 4)
    full = rows[:, None] + columns
    gapped = full.copy()
    worst = int(columns.argmin())
    gapped[0, worst] = np.nan
    np.testing.assert_allclose(filled(gapped), full, atol=1e-9)  # an additive table comes back
    best = int(columns.argmax())
    gapped = full.copy()
    gapped[0, best] = np.nan
    assert filled(gapped)[0, best] == pytest.approx(np.nanmax(gapped[0]))  # never above what was measured
    ranking = rank_by_portfolio(gapped)
    assert any("1 missing result(s) were filled in" in note for note in ranking.caveats)
    nobody = np.column_stack([full, np.full(8, np.nan)])
    assert rank_by_portfolio(nobody, algorithms=list("abcde")).unranked == ("e",)


def test_times_of_nothing_do_not_spoil_the_gaps() -> None:
    times = np.array([[0.0, 1.0, 2.0], [0.0, 10.0, np.nan]])
    result = filled(times, logarithm=True)
    np.testing.assert_array_equal(result[:, :2], times[:, :2])
    assert 0 < result[1, 2] <= 10


def test_barred_ones_come_last_and_every_one_once() -> None:
    rng = np.random.default_rng(1)
    success, weights = rng.uniform(0.5, 0.9, (9, 6)), rng.uniform(0, 1, (4, 9))
    weights[:, 5:] = 0.0
    barred = np.zeros((4, 6), dtype=bool)
    barred[:, [0, 3]] = True
    order, _ = greedy(success, weights, barred=barred)
    quick = Portfolios(success=success).scores(weights, barred=barred)
    remaining = [1, 2, 4, 5]
    alone, _ = greedy(success[:, remaining], weights)
    for row in range(4):
        assert sorted(order[row]) == list(range(6)) and set(order[row, 4:]) == {0, 3}
        assert order[row, :4].tolist() == [remaining[j] for j in alone[row]]
        assert np.argsort(-quick[row])[:4].tolist() == order[row, :4].tolist() and np.isnan(quick[row, [0, 3]]).all()
