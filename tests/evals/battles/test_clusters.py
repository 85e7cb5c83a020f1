"""How sure strengths are: sandwiches by hand, the jackknife beside real refits, and error rates of clustered votes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import expit, stdtr

import tiebreak as tb
from tiebreak.stats.votes import count_pairs, even_number, fit, spread

from .voting import TABLE, drawn, rows_of


def votes(seed: int, n: int = 400, **options: Any) -> list[np.ndarray[Any, Any]]:
    about = {"k": 4, "prompts": 12, "voters": 15, "by_prompt": 0.6, "by_voter": 0.6}
    return drawn(np.random.default_rng(seed), n=n, **{**about, **options})


def by_hand(left: Any, right: Any, outcome: Any, beta: Any, codes: Any, *, jackknife: bool) -> Any:
    """Bradley and Terry's model with half wins, vote by vote, all matrices dense, the last strength held at 0."""
    k = len(beta)
    x = np.eye(k)[left] - np.eye(k)[right]
    x = x[:, :-1]
    p = expit(beta[left] - beta[right])
    g = x * ((outcome + 1) / 2 - p)[:, None]
    h = (x[:, :, None] * x[:, None, :]) * (p * (1 - p))[:, None, None]
    whole, total = h.sum(axis=0), np.zeros((k - 1, k - 1))
    kinds = np.unique(codes)
    for kind in kinds:
        mask = codes == kind
        bend = whole - h[mask].sum(axis=0) if jackknife else whole
        step = np.linalg.solve(bend, g[mask].sum(axis=0))
        total += np.outer(step, step)
    number = len(kinds)
    total *= (number - 1) / number if jackknife else number / (number - 1)
    out = np.zeros((k, k))
    out[:-1, :-1] = total
    return out


def contrasts(covariance: Any) -> Any:
    values = np.diagonal(covariance)
    return values[:, None] + values[None, :] - 2 * covariance


def test_one_way_and_two_ways_are_those_computed_by_hand() -> None:
    left, right, outcome, prompt, voter = votes(1)
    counts, sides = count_pairs(left, right, outcome, 4)
    result = fit(counts, "half")
    of = {
        name: by_hand(left, right, outcome, result.beta, codes, jackknife=way)
        for name, codes, way in (("p", prompt, True), ("v", voter, True), ("pv", prompt * 99 + voter, False))
    }
    one = spread(result, counts, sides, {"prompt": prompt})
    np.testing.assert_allclose(contrasts(one.covariance[:-1, :-1]), contrasts(of["p"]), atol=1e-12)
    both = spread(result, counts, sides, {"prompt": prompt, "voter": voter})
    assert not both.repaired and both.clusters == {"prompt": 12, "voter": 15}
    np.testing.assert_allclose(
        contrasts(both.covariance[:-1, :-1]), contrasts(of["p"] + of["v"] - of["pv"]), atol=1e-12
    )
    alone = spread(result, counts, sides, {})
    hand = by_hand(left, right, outcome, result.beta, np.arange(400), jackknife=False)
    np.testing.assert_allclose(contrasts(alone.covariance[:-1, :-1]), contrasts(hand), atol=1e-12)


def test_the_jackknife_is_close_to_that_of_real_refits() -> None:
    model = "davidson"
    left, right, outcome, prompt, _ = votes(2, n=1500)
    counts, sides = count_pairs(left, right, outcome, 4)
    result = fit(counts, model)
    moved = []
    for item in np.unique(prompt):
        rest = prompt != item
        again = fit(count_pairs(left[rest], right[rest], outcome[rest], 4)[0], model)
        moved.append(np.append(again.beta, again.tie) - np.append(result.beta, result.tie))
    real = 11 / 12 * np.array(moved).T @ np.array(moved)
    ours = spread(result, counts, sides, {"prompt": prompt}).covariance
    np.testing.assert_allclose(contrasts(ours[:-1, :-1]), contrasts(real[:-1, :-1]), rtol=0.03, atol=1e-6)
    assert ours[-1, -1] == pytest.approx(real[-1, -1], rel=0.03)


def test_freedom_counts_clusters_as_if_they_were_even() -> None:
    assert even_number(np.repeat(np.arange(7), 5)) == pytest.approx(7)
    assert even_number(np.array([0] * 90 + list(range(1, 11)))) == pytest.approx(100**2 / (90**2 + 10))
    left, right, outcome, prompt, _ = votes(3)
    counts, sides = count_pairs(left, right, outcome, 4)
    df = spread(fit(counts, "half"), counts, sides, {"prompt": prompt}).df
    parts = ((left == 0) | (right == 0)).astype(int) + ((left == 2) | (right == 2))
    sizes = np.bincount(prompt, parts)
    assert df[0, 2] == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum() - 1)


def test_every_vote_twice_is_no_more_evidence_where_it_is_clustered() -> None:
    rows = rows_of(TABLE)
    once, twice = tb.battles(rows, cluster="prompt"), tb.battles([*rows, *rows], cluster="prompt")
    np.testing.assert_allclose(once.strengths, twice.strengths, atol=1e-8)
    # each prompt is one vote in the first, which is not left out one by one, and two in the second, which is
    np.testing.assert_allclose(once.errors, twice.errors, rtol=0.2)
    assert (tb.battles([*rows, *rows], cluster="none").errors < 0.8 * once.errors).all()


def test_one_cluster_tells_nothing() -> None:
    battles = tb.battles([{**row, "prompt": "only"} for row in rows_of(TABLE)])
    assert (battles.tests.pvalue == 1).all() and np.isnan(battles.errors).all()
    assert (
        "There is 1 prompt: nothing shows how sure strengths are. To count votes as independent: cluster='none'."
        in battles.caveats
    )
    assert battles.to_dict()["algorithms"][0]["elo_low"] is None and "GPT" not in str(battles)


def test_one_voter_on_many_prompts_tells_nothing_of_voters() -> None:
    rows = [{**row, "prompt": f"p{i % 7}", "voter": "only"} for i, row in enumerate(rows_of(TABLE))]
    battles = tb.battles(rows)
    assert battles.plan.cluster == ("prompt", "voter")
    assert (battles.tests.pvalue == 1).all() and np.isnan(battles.errors).all()
    assert any(str(note).startswith("There is 1 voter: nothing shows") for note in battles.caveats)


def rejected(seed: int, repeats: int, clusters: tuple[str, ...], **options: Any) -> tuple[float, float]:
    """Return how often a pair of equals is called different: each by itself, and any at all by Bonferroni."""
    rng, single, family = np.random.default_rng(seed), 0.0, 0
    k = options["k"]
    a, b = np.triu_indices(k, 1)
    for _ in range(repeats):
        left, right, outcome, prompt, voter = drawn(rng, **options)
        counts, sides = count_pairs(left, right, outcome, k)
        result = fit(counts, "davidson")
        kinds = {name: {"prompt": prompt, "voter": voter}[name] for name in clusters}
        sure = spread(result, counts, sides, kinds)
        error = np.sqrt(np.maximum(contrasts(sure.covariance[:-1, :-1])[a, b], 1e-12))
        p = 2 * stdtr(sure.df[a, b], -np.abs(result.beta[a] - result.beta[b]) / error)
        single += float((p <= 0.05).mean()) / repeats
        family += int(p.min() * len(p) <= 0.05)
    return single, family / repeats


def test_equals_are_seldom_called_different_though_votes_hang_together() -> None:
    """The full study: docs/battles.md. Here 150 tables; 0.05 +- three standard errors of dependent pairs."""
    options = {"k": 4, "prompts": 14, "voters": 25, "n": 600, "by_prompt": 0.8, "by_voter": 0.5}
    single, family = rejected(7, 150, ("prompt", "voter"), **options)
    assert 0.015 < single < 0.095 and family < 0.12
    naive, _ = rejected(7, 60, (), **options)
    assert naive > 0.15
