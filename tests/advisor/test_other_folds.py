"""Losses without the luck of the maximum, beside loops over small tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tiebreak.advisor import shipped_knowledge
from tiebreak.studies import study_advice
from tiebreak.studies.advice_study import OtherFolds

RATES = np.random.default_rng(3).uniform(0.5, 1, (4, 5, 3, 2))


def lost(first: list[int], data: int, rates: np.ndarray) -> float:
    """What the best of these loses on one data set, replication by replication."""
    parts = rates[data].mean(axis=2)
    out = []
    for counted in range(parts.shape[1]):
        known = np.delete(parts, counted, axis=1).mean(axis=1)
        remaining = max(first, key=lambda i: known[i])
        out.append(parts[known.argmax(), counted] - parts[remaining, counted])
    return float(np.mean(out))


def test_losses_are_those_of_loops() -> None:
    orders = [np.random.default_rng(seed).permuted(np.tile(np.arange(5), (4, 1)), axis=1) for seed in (0, 1)]
    losses = OtherFolds(RATES).losses(orders, 3)
    for data in range(4):
        for n in (1, 2, 3):
            expected = np.mean([lost(order[data, :n].tolist(), data, RATES) for order in orders])
            assert losses[data, n - 1] == pytest.approx(expected, abs=1e-12)


def test_chance_is_the_mean_over_all_choices() -> None:
    chance = OtherFolds(RATES).chance(3)
    for data in range(4):
        for n in (1, 2, 3):
            expected = np.mean([lost(list(some), data, RATES) for some in combinations(range(5), n)])
            assert chance[data, n - 1] == pytest.approx(expected, abs=1e-12)


def test_what_lacks_a_replication_is_passed_over() -> None:
    gaps = RATES.copy()
    gaps[1, 2, 0] = np.nan
    losses = OtherFolds(gaps).losses([np.tile([2, 0, 1, 3, 4], (4, 1))], 2)
    rest = np.delete(gaps, 2, axis=1)
    assert losses[1, 0] == pytest.approx(lost([0], 1, rest)) and losses[1, 1] == pytest.approx(lost([0, 1], 1, rest))


def test_by_skill_alone_the_mark_is_lower_than_by_luck() -> None:
    """Twenty that do not differ: something is lost against the luckiest, nothing against the one thought best."""
    noise = np.random.default_rng(0).normal(0.8, 0.05, (400, 20, 5, 2))
    means = noise.mean(axis=(2, 3))
    assert float((means.max(axis=1) - means[:, 0]).mean()) > 0.02
    assert abs(float(OtherFolds(noise).losses([np.tile(np.arange(20), (400, 1))], 1).mean())) < 0.005


def test_one_fold_tells_nothing_and_the_shipped_base_has_it_for_some_learners_only() -> None:
    base = shipped_knowledge()
    assert OtherFolds.of(base) is None  # catboost was run in one replication
    assert OtherFolds.of(base.only(algorithms=("rf", "svr", "nb"))) is not None


def test_the_first_three_of_the_fourteen_lose_at_most_half_a_point_and_less_than_the_fixed_list() -> None:
    fourteen = "5nn boost c45 lda logistic mdt mlp nb qda rf rules sv2 svl svr".split()
    study = study_advice(shipped_knowledge().only(algorithms=fourteen), methods=["portfolio"])
    losses = {row["way"]: row["best of 3: on other folds"] for row in study.rows()}
    assert losses["portfolio, chosen inside the loop"] <= min(0.005, losses["fixed rf, boost, svr"])
