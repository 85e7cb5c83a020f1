"""Strengths: equal to other programs, to brute force, and there exactly where a maximum exists."""

from __future__ import annotations

import csv
import os
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

import tiebreak as tb
from tiebreak.errors import InputError
from tiebreak.stats.votes import MODELS, PairCounts, count_pairs, fit, parts, preferred, ties_leave_open

from .voting import TABLE, rows_of

SHARED = os.environ.get("TIEBREAK_SHARED")


def counted(table: list[tuple[str, str, int, int, int]]) -> PairCounts:
    names = sorted({name for row in table for name in row[:2]})
    place = {name: i for i, name in enumerate(names)}
    columns = list(zip(*table, strict=True))
    i, j = (np.array([place[name] for name in side]) for side in columns[:2])
    won, lost, tied = (np.array(column, dtype=float) for column in columns[2:])
    return PairCounts(n_models=len(names), i=i, j=j, won=won, lost=lost, tied=tied)


def test_half_wins_are_those_of_evalica() -> None:
    """evalica 0.4.2 (votes written out one by one as xs, ys, winners):
    s = np.log(evalica.bradley_terry(xs, ys, winners, tolerance=1e-14, limit=100000).scores); s - s.mean()
    which counts a draw as half a win (tie_weight=0.5).
    """
    battles = tb.battles(rows_of(TABLE), ties="half")
    np.testing.assert_allclose(battles.strengths, [0.4991611159, 0.0082029704, -0.0270042826, -0.4803598037], atol=2e-9)


@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_without_ties_every_model_is_that_of_choix(ties: str) -> None:
    """choix 0.4.1: b = choix.opt_pairwise(4, data, alpha=0, method="Newton-CG", tol=1e-12); b - b.mean()"""
    battles = tb.battles(rows_of(TABLE, ties=False), ties=ties)
    np.testing.assert_allclose(
        battles.strengths, [0.6511651553, -0.0040617103, -0.0045738311, -0.6425296139], atol=2e-9
    )
    assert battles.fitted == "half"


def davidson_loss(x: np.ndarray[Any, Any]) -> float:
    pi, nu = np.exp(np.append(x[:3], -x[:3].sum())), np.exp(x[3])
    total = 0.0
    for a, b, won, lost, tied in TABLE:
        i, j = "abcd".index(a), "abcd".index(b)
        whole = pi[i] + pi[j] + nu * np.sqrt(pi[i] * pi[j])
        total -= won * np.log(pi[i] / whole) + lost * np.log(pi[j] / whole)
        total -= tied * np.log(nu * np.sqrt(pi[i] * pi[j]) / whole)
    return total


def test_the_model_of_ties_is_that_which_brute_force_finds() -> None:
    """The formula of the paper, written down again and maximised without slopes."""
    best = minimize(
        davidson_loss, np.zeros(4), method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000}
    )
    battles = tb.battles(rows_of(TABLE), ties="davidson")
    np.testing.assert_allclose(battles.strengths[:3], best.x[:3], atol=1e-6)
    assert battles.tie == pytest.approx(best.x[3], abs=1e-6)
    assert battles.loglik == pytest.approx(-best.fun, abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_slopes_and_bends_are_those_of_the_probabilities(model: str) -> None:
    d, t, step = np.linspace(-3, 3, 7), 0.7, 1e-5
    at = MODELS[model](d, t)
    up, down = MODELS[model](d + step, t), MODELS[model](d - step, t)
    np.testing.assert_allclose((up.logp - down.logp) / (2 * step), at.by_d, atol=1e-9)
    np.testing.assert_allclose((down.by_d - up.by_d) / (2 * step), at.bend_dd[:, None] + np.zeros(3), atol=1e-9)
    more, less = MODELS[model](d, t + step), MODELS[model](d, t - step)
    np.testing.assert_allclose((more.logp - less.logp) / (2 * step), at.by_t, atol=1e-9)
    np.testing.assert_allclose((less.by_t - more.by_t) / (2 * step), at.bend_tt[:, None] + np.zeros(3), atol=1e-8)
    np.testing.assert_allclose((less.by_d - more.by_d) / (2 * step), at.bend_dt[:, None] + np.zeros(3), atol=1e-9)
    if model != "half":
        np.testing.assert_allclose(np.exp(at.logp).sum(axis=1), 1)
    share = preferred(model, d, t)
    np.testing.assert_allclose(share + share[::-1], 1)


def test_names_and_sides_do_not_matter() -> None:
    rows = rows_of(TABLE)
    other_way = {"left": "right", "right": "left", "tie": "tie"}
    turned = [
        {**row, "left": row["right"], "right": row["left"], "winner": other_way[row["winner"]]} for row in rows[::-1]
    ]
    one, other = tb.battles(rows), tb.battles(turned)
    np.testing.assert_allclose(one.strengths, other.strengths, atol=1e-9)
    np.testing.assert_allclose(one.covariance, other.covariance, atol=1e-9)


def exists(counts: PairCounts) -> bool:
    """Ask a linear program whether the likelihood of Davidson's model falls in every direction (but the constant one).

    A direction (b, s) in which it does not: b_i - b_j >= 2 |s| sign... each ending that occurs is a likeliest one.
    """
    k, rows = counts.n_models, []
    for i, j, won, lost, tied in zip(counts.i, counts.j, counts.won, counts.lost, counts.tied, strict=True):
        d = np.zeros(k + 1)
        d[i], d[j] = 1.0, -1.0
        s = np.eye(k + 1)[-1]
        rows += [s - d / 2, -d] if won else []
        rows += [s + d / 2, d] if lost else []
        rows += [d / 2 - s, -d / 2 - s] if tied else []
    fixed = np.zeros((1, k + 1))
    fixed[0, 0] = 1.0
    for at, sign in product(range(1, k + 1), (1, -1)):
        aim = np.zeros(k + 1)
        aim[at] = -sign
        result = linprog(
            aim, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=fixed, b_eq=[0], bounds=[(-1, 1)] * (k + 1)
        )
        if result.fun < -1e-6:
            return False
    return True


def test_a_maximum_exists_exactly_where_a_linear_program_says_so() -> None:
    rng, seen = np.random.default_rng(5), set()
    for _ in range(60):
        k = int(rng.integers(2, 5))
        n = int(rng.integers(3, 9))
        left = rng.integers(0, k, n)
        right = (left + rng.integers(1, k, n)) % k
        outcome = rng.choice([1, -1, 0], n, p=[0.5, 0.1, 0.4])
        counts, _ = count_pairs(left, right, outcome, k)
        if not (counts.tied.sum() and counts.won.sum() + counts.lost.sum()):
            continue
        ours = len(parts(counts)) == 1 and not ties_leave_open(counts)
        assert ours == exists(counts)
        seen.add((ours, len(parts(counts)) == 1))
    assert seen == {(True, True), (False, True), (False, False)}


def test_votes_that_ties_leave_open_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        tb.battles(rows_of([("a", "b", 5, 0, 3)]))
    assert str(caught.value) == (
        "The votes leave the strengths open under the model of ties davidson: no ring of battles has more wins than"
        " ties. Ever larger differences with ever more ties would fit ever better. Count ties as half a win"
        " (ties='half'), or add pseudo votes (pseudo_votes=1)."
    )
    assert tb.battles(rows_of([("a", "b", 5, 0, 3)]), ties="half").order == ("a", "b")
    assert tb.battles(rows_of([("a", "b", 5, 0, 3)]), pseudo_votes=1).order == ("a", "b")


def test_what_is_not_connected_is_refused_by_name() -> None:
    table = [*TABLE, ("a", "zen", 0, 4, 0), ("d", "mud", 3, 0, 0), ("x", "y", 2, 2, 1)]
    with pytest.raises(InputError) as caught:
        tb.battles(rows_of(table))
    assert str(caught.value) == (
        "The votes of the records do not hold all algorithms together (never lost: 'zen'; never won: 'mud'; parts: 'a',"
        " 'b', 'c', 'd'; 'x', 'y'). Between parts all wins point one way, or there are none: how far apart they are is"
        " infinite or unknown. Add pseudo votes, which draw all together: pseudo_votes=1; or keep the largest part,"
        " without those that never lost, 4 of 8: disconnected='largest'."
    )
    battles = tb.battles(rows_of(table), disconnected="largest")
    np.testing.assert_allclose(battles.strengths, tb.battles(rows_of(TABLE)).strengths, atol=1e-9)
    assert "Left out because no votes connect them to the rest: 'mud', 'x', 'y', 'zen'." in battles.caveats
    drawn_together = tb.battles(rows_of(table), pseudo_votes=1)
    assert drawn_together.by_strength[0] == "zen" and drawn_together.by_strength[-1] == "mud"


def test_pseudo_votes_are_votes_against_an_average_one() -> None:
    """With strength 0 for the other, each algorithm wins and loses that many more; Nelder and Mead find the same."""

    def loss(x: np.ndarray[Any, Any]) -> float:
        total = 0.0
        for a, b, won, lost, tied in TABLE:
            d = x["abcd".index(a)] - x["abcd".index(b)]
            total += (won + tied / 2) * np.log1p(np.exp(-d)) + (lost + tied / 2) * np.log1p(np.exp(d))
        return float(total + 2 * (np.log1p(np.exp(-x)) + np.log1p(np.exp(x))).sum())

    best = minimize(loss, np.zeros(4), method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000})
    battles = tb.battles(rows_of(TABLE), ties="half", pseudo_votes=2)
    np.testing.assert_allclose(battles.strengths, best.x - best.x.mean(), atol=1e-6)


def test_a_far_start_and_lopsided_counts_converge() -> None:
    table = [("a", "b", 10**6, 1, 3), ("b", "c", 10**6, 2, 1), ("a", "c", 1, 1, 5)]
    for model in MODELS:
        result = fit(counted(table), model)
        assert np.isfinite(result.beta).all()


@pytest.mark.skipif(SHARED is None, reason="TIEBREAK_SHARED names no folder with the votes of LLMFAO")
def test_8931_votes_are_those_of_evalica() -> None:
    """evalica 0.4.2 on llmfao.csv, as above with tolerance=1e-13; the first and last three of 59."""
    path = Path(str(SHARED)) / "evals" / "arena" / "llmfao.csv"
    battles = tb.battles(path, ties="half")
    options = {
        "GPT 4": 0.990874646,
        "Platypus-2 Instruct (70B)": 0.6473069677,
        "command": 0.6341839274,
        "Dolly v2 (7B)": -0.8806530257,
        "Vicuna-FastChat-T5 (3B)": -0.8868777487,
        "Dolly v2 (3B)": -0.8884586165,
    }
    for name, value in options.items():
        assert battles.strengths[battles.index(name)] == pytest.approx(value, abs=2e-7)
    davidson = tb.battles(path)
    assert davidson.n_votes == 8931 and davidson.by_strength[0] == "GPT 4"
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    loss = _davidson_by_hand(rows, davidson)
    eps = np.random.default_rng(0).normal(0, 1e-3, (20, len(davidson.strengths) + 1))
    assert all(_davidson_by_hand(rows, davidson, shift) > loss for shift in eps)  # no way leads down


def _davidson_by_hand(rows: list[dict[str, str]], result: Any, shift: Any = None) -> float:
    place = {name: i for i, name in enumerate(result.algorithms)}
    b = result.strengths + (0 if shift is None else shift[:-1])
    t = result.tie + (0 if shift is None else shift[-1])
    d = np.array([b[place[row["left"]]] - b[place[row["right"]]] for row in rows])
    ended = np.array([{"left": 0, "right": 1, "tie": 2}[row["winner"]] for row in rows])
    scaled = np.stack([d / 2, -d / 2, np.full(len(d), t)], axis=1)
    return float(-(scaled[np.arange(len(d)), ended] - np.log(np.exp(scaled).sum(axis=1))).sum())


def test_ties_alone_tell_nothing_and_nobody_is_called_the_strongest() -> None:
    votes = [{"model_a": a, "model_b": b, "winner": "tie"} for a, b in ("ab", "bc") for _ in range(9)]
    battles = tb.battles(votes)
    assert battles.headline() == "Nobody is stronger than another in 18 votes."
    assert "1000 to 1000" not in str(battles) and "no-difference" in [caveat.code for caveat in battles.caveats]


def test_the_first_of_those_that_no_test_tells_apart_is_first_by_its_estimate() -> None:
    votes = [{"model_a": "a", "model_b": "b", "winner": w} for w in ["model_a"] * 6 + ["model_b"] * 4]
    battles = tb.battles(votes)
    assert battles.headline() == (
        "a is the strongest by its estimate alone: no significant difference from the other in 10 votes."
    )
    one = tb.battles([vote | {"voter": "v"} for vote in votes])
    assert "clustered by 1 voter." in str(one.document()) and "nan" not in str(one)
    assert "There is 1 voter: nothing shows how sure strengths are. To count votes as independent: cluster='none'." in (
        one.caveats
    )


def test_who_never_lost_is_not_left_out_lightly() -> None:
    votes = [{"model_a": a, "model_b": b, "winner": w} for a, b, w in
             [("a", "b", "model_a"), ("a", "c", "model_a"), ("b", "c", "model_a"), ("b", "c", "model_b")]]  # fmt: skip
    with pytest.raises(InputError) as raised:
        tb.battles(votes)
    assert str(raised.value).endswith(
        "Add pseudo votes, which draw all together: pseudo_votes=1; or keep the largest part, without those that never"
        " lost, 2 of 3: disconnected='largest'."
    )
