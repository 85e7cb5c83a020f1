"""The race of a pilot against brute force: conditioning of the joint normal, Monte Carlo, enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtri

from tiebreak.advisor.pilot.race import (
    Prior,
    Race,
    auc_variance,
    charge,
    distance_weights,
    fit_noise,
    greedy_list,
    prior_from,
    replay,
)

RNG = np.random.default_rng(7)
SCORES = RNG.uniform(0.6, 0.95, (12, 5)) + RNG.normal(0, 0.02, (12, 1))


def a_race(**changed: object) -> Race:
    prior = prior_from(SCORES, np.full(12, 1 / 12))
    options = {"prior": prior, "listed": (0, 1, 2, 3, 4), "seconds": np.array([0.5, 0.1, 0.2, 2.0, 0.3]), "rows": 80}
    return Race(**options | changed)  # type: ignore[arg-type]


def with_fits(race: Race) -> Race:
    for place, fold, score in [(0, 0, 0.83), (1, 0, 0.86), (1, 1, 0.80), (3, 0, 0.88), (0, 1, 0.79), (3, 1, 0.81)]:
        race.add(place, fold, score)
    return race


def joint(race: Race, flat: float = 100.0) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of (mu, g, level, y of every algorithm and fold), the level nearly flat."""
    count, folds = len(race.prior.mean), race.folds
    s0, s2 = race.variances()
    values = np.zeros((count + folds + 1,) * 2)
    values[:count, :count] = race.prior.covariance
    values[range(count, count + folds), range(count, count + folds)] = s0
    values[-1, -1] = flat
    maps = np.zeros((count * folds, len(values)))
    for a in range(count):
        for f in range(folds):
            maps[a * folds + f, [a, count + f, -1]] = 1.0
    mean = np.concatenate([race.prior.mean, np.zeros(folds), [0.8]])
    whole = np.block([[values, values @ maps.T], [maps @ values, maps @ values @ maps.T + s2 * np.eye(len(maps))]])
    return np.concatenate([mean, maps @ mean]), whole


def conditioned(race: Race) -> tuple[np.ndarray, np.ndarray]:
    mean, cov = joint(race)
    size, folds = len(race.prior.mean) + race.folds + 1, race.folds
    seen = [size + a * folds + f for a, f, _ in race.measured]
    scores = np.array([y for _, _, y in race.measured])
    gain = cov[:, seen] @ np.linalg.inv(cov[np.ix_(seen, seen)])
    return mean + gain @ (scores - mean[seen]), cov - gain @ cov[seen]


def test_the_posterior_is_the_joint_normal_conditioned_on_the_scores() -> None:
    race = with_fits(a_race())
    now, (mean, cov) = race.posterior(), conditioned(race)
    size = len(now.mean)
    np.testing.assert_allclose(now.mean, mean[:size], atol=3e-6)
    np.testing.assert_allclose(now.covariance, cov[:size, :size], atol=3e-6)
    assert now.score() == pytest.approx(now.relative + now.mean[-1])


def test_the_knowledge_gradient_is_the_expected_rise_of_the_best_expected_score() -> None:
    race = with_fits(a_race())
    now, (mean, cov) = race.posterior(), conditioned(race)
    size, folds, count = len(now.mean), race.folds, len(race.prior.mean)
    s2 = race.variances()[1]
    for a, f in [(2, 0), (3, 2), (4, 0)]:
        y = size + a * folds + f
        drawn = np.random.default_rng(1).normal(mean[y], np.sqrt(cov[y, y]), 400_000)
        moved = mean[:count, None] + np.outer(cov[:count, y] / cov[y, y], drawn - mean[y])
        expected = float(moved.max(axis=0).mean() - mean[:count].max())
        assert now.gains(a, f, race.alive) == pytest.approx(expected, abs=2e-4)
    assert s2 > 0


def test_the_noise_is_that_of_algorithm_and_fold_shrunk_towards_the_binomial() -> None:
    race = with_fits(a_race())
    s0, s2 = race.variances()
    p = (0.83 + 0.86 + 0.80 + 0.88 + 0.79 + 0.81) / 6
    p = (p * 80 + 1) / 82
    assert s0 == pytest.approx(0.7 * p * (1 - p) / 80)
    table = np.array([[0.83, 0.79], [0.86, 0.80], [0.88, 0.81]])  # three algorithms on two folds: df = 2
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    assert s2 == pytest.approx((10 * s0 + (rest**2).sum()) / 12)
    assert a_race(noise=0.01).variances() == (0.01, 0.01)
    perfect = a_race()
    perfect.add(0, 0, 1.0)
    assert perfect.variances()[0] > 0


def test_the_next_fit_is_the_first_of_the_list_then_the_largest_gain_per_second() -> None:
    race = a_race(listed=(3, 0, 1, 2, 4))
    assert race.next_fit() == (3, 0)
    race.add(3, 0, 0.85)
    now = race.posterior()
    rates = {a: now.gains(a, race.next_fold(a), race.alive) / max(race.seconds[a], 0.05) for a in race.alive}
    best = max(rates, key=rates.__getitem__)
    assert race.next_fit() == (best, race.next_fold(best))
    assert race.next_fit(most=0.15) == (1, 0)
    race.fail(1)
    assert race.next_fit(most=0.15) is None and 1 not in race.alive
    for a in race.alive:
        for f in range(race.next_fold(a), 5):
            race.add(a, f, 0.8)
    assert race.next_fit() is None


def test_the_stated_loss_is_that_of_draws_from_the_posterior() -> None:
    race = with_fits(a_race())
    now, (mean, cov) = race.posterior(), conditioned(race)
    drawn = np.random.default_rng(3).multivariate_normal(mean[:5], cov[:5, :5], 300_000)
    chosen = now.best(race.alive)
    assert chosen == int(np.argmax(mean[:5]))
    lost = drawn.max(axis=1) - drawn[:, chosen]
    assert now.loss(chosen, race.alive) == pytest.approx((lost.mean(), np.quantile(lost, 0.9)), abs=2e-3)
    assert now.loss(chosen, race.alive) == now.loss(chosen, race.alive)


def test_the_loss_that_is_stated_holds_where_the_model_does() -> None:
    rng, held, stated, lost = np.random.default_rng(5), [], [], []
    prior = Prior(mean=np.array([-0.02, -0.03, -0.04]), covariance=np.diag([0.0004, 0.0009, 0.0004]))
    for _ in range(300):
        mu = rng.multivariate_normal(prior.mean, prior.covariance)
        folds = 0.8 + mu[:, None] + rng.normal(0, 0.02, (1, 5)) + rng.normal(0, 0.02, (3, 5))
        race = Race(prior=prior, listed=(0, 1, 2), seconds=np.ones(3), noise=0.0004)
        (answer,) = replay(race, folds, np.ones((3, 5)), [6])
        lost.append(mu.max() - mu[answer.place])
        stated.append(answer.loss)
        held.append(lost[-1] <= answer.most)
    assert np.mean(held) == pytest.approx(0.9, abs=0.07)
    assert np.mean(lost) == pytest.approx(np.mean(stated), abs=0.002)


def drawn_auc(rng: np.random.Generator, area: float, half: int) -> float:
    """The AUC of one fold of two equal classes whose scores are normal."""
    ups, downs = rng.normal(np.sqrt(2) * ndtri(area), 1, half), rng.normal(0, 1, half)
    return float((ups[:, None] > downs).mean())


def test_the_variance_of_an_auc_is_that_of_simulated_folds() -> None:
    rng = np.random.default_rng(11)
    for area, half in [(0.5, 20), (0.75, 30), (0.9, 50)]:
        drawn = np.var([drawn_auc(rng, area, half) for _ in range(4000)])
        assert auc_variance(area, 2 * half, 0.5) == pytest.approx(drawn, rel=0.15)


def test_the_loss_stated_of_auc_near_chance_holds_and_that_of_a_noise_from_easier_data_does_not() -> None:
    """Folds of 40 rows on which little can be learned: nine of ten losses are within the stated 90 % point."""
    rng, held = np.random.default_rng(12), {"own": [], "of the base": []}
    prior = Prior(mean=np.array([-0.02, -0.03, -0.03]), covariance=np.diag([0.0004, 0.0009, 0.0009]))
    for _ in range(200):
        mu = rng.multivariate_normal(prior.mean, prior.covariance)
        folds = np.array([[drawn_auc(rng, 0.55 + m, 20) for _ in range(5)] for m in mu])
        for name, noise in (("own", None), ("of the base", 1e-4)):
            race = Race(prior=prior, listed=(0, 1, 2), seconds=np.ones(3), rows=40, noise=noise, share=0.5)
            (answer,) = replay(race, folds, np.ones((3, 5)), [6])
            held[name].append(mu.max() - mu[answer.place] <= answer.most)
    assert np.mean(held["own"]) >= 0.85
    assert np.mean(held["of the base"]) < 0.75


def test_an_algorithm_far_behind_says_nothing_about_the_level_of_the_others() -> None:
    race = a_race()
    for place, score in [(0, 0.99), (1, 0.95), (2, 0.37)]:
        race.add(place, 0, score)
    expected = race.expected()
    assert expected[2] == 0.37  # what was measured, and not ten points behind
    assert expected[0] == pytest.approx(0.98, abs=0.01) and expected[1] == pytest.approx(0.96, abs=0.01)


def test_the_list_is_greedy_and_each_step_is_the_best_by_enumeration() -> None:
    weights = np.full(12, 1 / 12)
    behind = np.maximum(SCORES - SCORES.max(axis=1, keepdims=True), -0.10)
    chosen = greedy_list(SCORES, weights, np.ones(5, dtype=bool))
    assert sorted(chosen) == [0, 1, 2, 3, 4]
    for n in range(1, 5):
        before = list(chosen[: n - 1])
        worth = {a: weights @ behind[:, [*before, a]].max(axis=1) for a in range(5) if a not in before}
        assert worth[chosen[n - 1]] == pytest.approx(max(worth.values()))
    greedy = weights @ behind[:, list(chosen[:3])].max(axis=1)
    best = max(weights @ behind[:, list(some)].max(axis=1) for some in combinations(range(5), 3))
    assert best * (1 - np.exp(-1)) - 0.10 * np.exp(-1) <= greedy <= best  # the bound of greedy choice
    assert set(greedy_list(SCORES, weights, np.array([True, False, True, False, False]))) == {0, 2}
    assert len(greedy_list(SCORES, weights, np.ones(5, dtype=bool), most=2)) == 2


def test_the_prior_is_the_weighted_mean_with_half_of_the_covariance() -> None:
    weights = RNG.dirichlet(np.ones(12))
    prior = prior_from(SCORES, weights)
    behind = np.maximum(SCORES - SCORES.max(axis=1, keepdims=True), -0.10)
    np.testing.assert_allclose(prior.mean, np.average(behind, axis=0, weights=weights))
    whole = np.cov(behind.T, aweights=weights, ddof=0)
    np.testing.assert_allclose(np.diag(prior.covariance), np.diag(whole))
    np.testing.assert_allclose(prior.covariance[0, 1], whole[0, 1] / 2)
    gap = SCORES.copy()
    gap[0, 0] = np.nan
    assert np.isfinite(prior_from(gap, weights).covariance).all()


def test_weights_are_half_equal_and_half_by_nearness() -> None:
    distance = np.linspace(0.1, 4.0, 40)
    values = distance_weights(distance)
    assert values.sum() == pytest.approx(1.0) and (np.diff(values) <= 0).all()
    kernel = np.maximum(0, 1 - (distance / distance[19]) ** 2) + 0.001
    np.testing.assert_allclose(values, 0.5 / 40 + 0.5 * kernel / kernel.sum())
    np.testing.assert_allclose(distance_weights(np.full(4, np.inf)), 0.25)
    np.testing.assert_allclose(distance_weights(np.zeros(4)), 0.25)


def test_the_noise_of_a_fold_is_what_algorithm_and_fold_do_not_explain() -> None:
    rng = np.random.default_rng(2)
    tables = rng.normal(0, 1, (200, 6, 1)) + rng.normal(0, 1, (200, 1, 10)) + rng.normal(0, 0.03, (200, 6, 10))
    assert fit_noise(tables) == pytest.approx(0.0009, rel=0.05)
    assert np.isnan(fit_noise(tables[:, :1]))


def test_a_replay_counts_no_fit_that_ends_after_its_budget() -> None:
    prior = Prior(mean=np.array([-0.01, -0.02]), covariance=np.diag([0.001, 0.001]))
    folds = np.array([[0.7, 0.7, 0.7], [0.9, 0.9, np.nan]])
    options = {"prior": prior, "listed": (0, 1), "seconds": np.ones(2), "rows": 200, "folds": 3}
    answers = replay(Race(**options), folds, np.full((2, 3), 2.0), [0, 1.9, 2, 4, 100], enough=0.0)  # type: ignore[arg-type]
    assert [answer.fits for answer in answers][:4] == [0, 0, 1, 2]
    assert answers[3].place == 1 and answers[3].seconds == 4.0
    assert all(one.seconds <= budget for one, budget in zip(answers, [0, 1.9, 2, 4, 100], strict=True))


def test_with_a_trade_the_race_is_over_scores_less_what_the_measured_seconds_cost() -> None:
    fits = [(0, 0, 0.83, 10.0), (1, 0, 0.86, 1.0), (1, 1, 0.80, 0.01), (3, 0, 0.88, 100.0)]
    traded, by_hand = a_race(accd=0.02, noise=4e-4), a_race(noise=4e-4)
    for place, fold, score, seconds in fits:
        traded.add(place, fold, score, seconds)
        by_hand.add(place, fold, score - 0.02 * np.log10(max(seconds, 0.05)))
    np.testing.assert_array_equal(traded.posterior().mean, by_hand.posterior().mean)
    assert traded.rates() == by_hand.rates()
    measured = [0.02, 0.01 * np.log10(0.05), 0.04]  # of 0, 1 (the mean of its folds) and 3; the others as predicted
    predicted = 0.02 * np.log10([0.2, 0.3])
    np.testing.assert_allclose(traded.charges()[[0, 1, 3, 2, 4]], [*measured, *predicted])
    expected = by_hand.posterior().score() + traded.charges()
    np.testing.assert_allclose(traded.expected(), np.minimum(expected, 1.0))


@pytest.mark.parametrize(("accd", "first"), [(0.0, 0), (0.005, 0), (0.015, 1)])
def test_a_trade_chooses_the_faster_when_the_seconds_cost_more_than_the_score(accd: float, first: int) -> None:
    scores = np.tile([0.90, 0.88], (6, 1))
    seconds = np.array([100.0, 1.0])  # two points for a hundred times the seconds: level at one point for ten times
    prior = prior_from(scores - charge(accd, seconds), np.full(6, 1 / 6))
    race = Race(prior=prior, listed=(0, 1), seconds=seconds, rows=10_000, folds=2, accd=accd)
    for fold in range(2):
        for place in range(2):
            race.add(place, fold, scores[0, place], seconds[place])
    assert race.posterior().best(race.alive) == first
    np.testing.assert_allclose(race.expected(), [0.90, 0.88], atol=1e-9)  # what is printed is the score itself
    assert race.variances()[0] == pytest.approx(0.7 * 0.89 * 0.11 / 10_000, rel=1e-3)  # of accuracy, not of worth


def test_no_more_is_lost_than_is_missing_to_a_perfect_score() -> None:
    """Of 400 rows all right the stated loss is that of one more row wrong; a trade has no such end."""
    race = a_race(rows=400)
    race.add(0, 0, 1.0)
    posterior, most = race.posterior().loss(0, race.alive), 1 / 402
    assert posterior[0] > most and race.loss(0) == pytest.approx((most, most))
    assert race.loss(1) == race.posterior().loss(1, race.alive)
    traded = a_race(rows=400, accd=0.01)
    traded.add(0, 0, 1.0, 0.1)
    assert traded.loss(0) == traded.posterior().loss(0, traded.alive)
