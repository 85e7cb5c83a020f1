"""The study of orders: every run gets the order that `tiebreak.order` gives it, and the shares are those expected."""

from __future__ import annotations

import json
import re
import runpy
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import tiebreak as tb
from tiebreak import stats
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.studies import OrderShares, order_shares
from tiebreak.studies.order_study import (
    OrderCurve,
    counted,
    fold_errors,
    orders_by_places,
    orders_by_scores,
    orders_on_folds,
)
from tiebreak.studies.procedures import friedman_pvalues

EX = SimpleNamespace(**runpy.run_path(str(Path(__file__).parent / "figures" / "examples.py")))


def draws(many: bool, value: float, size: int, seed: int = 0) -> np.ndarray:
    return fold_errors(value, size, np.random.default_rng(seed), 30 if many else None)


def results(errors: np.ndarray) -> tb.Results:
    """Turn the errors of one table, (data sets, algorithms, 5, 2), into what `order` reads."""
    place = np.indices(errors.shape).reshape(4, -1)
    names = (np.array([f"{kind}{i:02}" for i in range(40)])[row] for kind, row in zip("da", place[:2], strict=True))
    columns = dict(zip(("dataset", "algorithm"), (name.tolist() for name in names), strict=True))
    numbers = {"replication": place[2].tolist(), "fold": place[3].tolist(), "error": errors.ravel().tolist()}
    return tb.Results.from_dict(columns | numbers)


def ordered(errors: np.ndarray, **options: Any) -> list[int]:
    prior = [f"a{i:02}" for i in range(errors.shape[1])]
    order = tb.order(results(errors), score="error", prior=prior, **options)
    return [int(name[1:]) for name in order.order]


# ---- the same orders as `tiebreak.order`


@pytest.mark.parametrize("variant", ["2012", "2008"])
def test_multitest_and_multi2test_give_the_orders_of_order(variant: str) -> None:
    errors = np.concatenate([draws(False, value, 6)[:, 0] for value in (0.0, 0.04, 0.07)])
    tolist = orders_on_folds(errors, variant).tolist()
    inner = {"2012": "bergmann-hommel", "2008": "none"}[variant]
    assert tolist == [
        ordered(error[None], pairwise="5x2cv-f", inner_adjust=inner, rule="multitest") for error in errors
    ]
    assert len({tuple(item) for item in tolist}) > 1
    errors = np.concatenate([draws(True, value, 2) for value in (0.0, 0.03, 0.05, 0.08, 0.1)])
    tolist = orders_by_places(errors, variant).tolist()
    assert tolist == [ordered(error, rule="multi2test", variant=variant) for error in errors]
    assert len({tuple(item) for item in tolist}) > 2


def test_scores_give_the_orders_of_order() -> None:
    errors = np.concatenate([draws(True, value, 4) for value in (0.0, 0.003, 0.006, 0.1)])
    tolist = orders_by_scores(errors).tolist()
    assert tolist == [ordered(error, rule="multitest") for error in errors]
    assert len({tuple(item) for item in tolist}) > 2


def test_few_examples_tie_folds_and_data_sets_and_the_orders_stay_the_same() -> None:
    errors = fold_errors(0.06, 8, np.random.default_rng(1), 8, n_examples=3)
    places = [ordered(error, rule="multi2test", variant="2008") for error in errors]
    assert orders_by_places(errors, "2008").tolist() == places
    assert orders_by_scores(errors).tolist() == [ordered(error, rule="multitest") for error in errors]


# ---- outside oracles: the formulas of the papers, one pair after the other, with scipy's tails


def five_by_two(a: np.ndarray, b: np.ndarray) -> float:
    """Alpaydin 1999: f = sum of p^2 over 2 sum of s^2, on 10 and 5 degrees of freedom."""
    p = a - b
    s2 = ((p - p.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return float(scipy_stats.f.sf((p**2).sum() / (2 * s2.sum()), 10, 5))


def graph_order(better: set[tuple[int, int]], count: int) -> list[int]:
    """Yildiz and Alpaydin 2006: the cheapest node without an outgoing edge, again and again."""
    left, out = list(range(count)), []
    edges = {(i, j) for i, j in better if j > i}
    while left:
        chosen = next(i for i in left if not any((i, j) in edges for j in left))
        left.remove(chosen)
        out.append(chosen)
    return out


def by_hand(errors: np.ndarray) -> list[int]:
    """MultiTest without a correction."""
    mean, count = errors.mean(axis=(1, 2)), len(errors)
    better = {
        (i, j)
        for i, j in combinations(range(count), 2)
        if five_by_two(errors[i], errors[j]) <= 0.05 and mean[j] < mean[i]
    }
    return graph_order(better, count)


def over_data_sets_by_hand(errors: np.ndarray) -> list[int]:
    """Multi2Test without a correction inside, Friedman's chi-squared turned into F, Nemenyi's test."""
    sets, count = errors.shape[:2]
    places = np.argsort([by_hand(error) for error in errors], axis=1) + 1.0
    chi2 = scipy_stats.friedmanchisquare(*places.T).statistic
    f = (sets - 1) * chi2 / (sets * (count - 1) - chi2)
    if scipy_stats.f.sf(f, count - 1, (count - 1) * (sets - 1)) > 0.05:
        return list(range(count))
    mean, apart = places.mean(axis=0), 2.569 * np.sqrt(count * (count + 1) / (6 * sets))  # q of four, Demsar's Table 5a
    return graph_order({(i, j) for i, j in permutations(range(count), 2) if mean[i] - mean[j] >= apart}, count)


def test_multitest_agrees_with_the_formulas_by_hand() -> None:
    errors = np.concatenate([draws(False, value, 60)[:, 0] for value in (0.0, 0.03, 0.05, 0.07, 0.1)])
    assert orders_on_folds(errors, "2008").tolist() == [by_hand(error) for error in errors]


def test_multi2test_agrees_with_the_formulas_by_hand() -> None:
    errors = np.concatenate([draws(True, value, 3) for value in (0.02, 0.03, 0.04, 0.07, 0.09)])
    indices = orders_by_places(errors, "2008")
    assert indices.tolist() == [over_data_sets_by_hand(error) for error in errors]
    assert len(np.unique(indices, axis=0)) > 4


def test_wilcoxon_over_data_sets_agrees_with_scipy() -> None:
    # exact p-values of 9 data sets without ties; of two algorithms nothing is corrected
    rng = np.random.default_rng(3)
    errors = rng.random((40, 9, 2, 5, 2)) + np.array([0.1, 0.0])[:, None, None]
    tolist = orders_by_scores(errors).tolist()
    for table, order in zip(errors.mean(axis=(3, 4)), tolist, strict=True):
        better = {
            (i, j)
            for i, j in combinations(range(2), 2)
            if scipy_stats.wilcoxon(table[:, i], table[:, j]).pvalue <= 0.05
            and scipy_stats.wilcoxon(table[:, i], table[:, j], alternative="greater").pvalue < 0.5
        }
        assert graph_order(better, 2) == order
    assert len({tuple(item) for item in tolist}) == 2


def test_friedman_from_sums_of_places_is_friedman() -> None:
    rng = np.random.default_rng(0)
    for count, sets in ((3, 2), (4, 30), (5, 7)):
        tables = [np.argsort(rng.random((sets, count)), axis=1) + 1.0 for _ in range(50)]
        tables += [np.tile(np.arange(1.0, count + 1), (sets, 1))]  # perfect agreement
        if sets % 2 == 0:
            half = np.tile(np.arange(1.0, count + 1), (sets // 2, 1))
            tables += [np.concatenate([half, half[:, ::-1]])]  # none at all
        values = friedman_pvalues(np.array(tables))["friedman F"]
        assert values == pytest.approx([stats.friedman(table).pvalue for table in tables], rel=1e-12)


# ---- the study


@cache
def study() -> OrderShares:
    return order_shares(repeats=300, steps=6)


def test_cost_wins_where_errors_are_equal_and_errors_win_where_they_are_far_apart() -> None:
    # the papers' figures 4 and 5: the prior order at l = 0, the reversed one at l = 0.1
    result = study()
    one, places, scores = (result.curve(name) for name in ("multitest", "places", "scores"))
    assert all(curve.shares[0, 0] >= 0.95 for curve in (one, places, scores))
    assert one.shares[-1, -1] == pytest.approx(0.86, abs=0.06)
    assert places.shares[-1, -1] == pytest.approx(0.97, abs=0.03)
    assert scores.shares[1, -1] > 0.99
    for curve in result.curves:
        assert curve.counts.sum(axis=1).tolist() == [300] * 6
        assert curve.orders[0] == tuple(range(len(curve.orders[0]))) and curve.orders[-1] == curve.orders[0][::-1]


def test_orders_in_between_rise_and_fall() -> None:
    for curve in (study().curve("multitest"), study().curve("places")):
        peak = curve.shares[:, 1:-1].max(axis=0)
        often = curve.shares[:, 1:-1][:, peak > 0.15]
        assert often.shape[1] >= 2
        assert (often[0] < 0.02).all() and (often[-1] < often.max(axis=0) / 2).all()


def test_more_runs_begin_with_fewer() -> None:
    longer = order_shares(repeats=250, steps=2, n_datasets=4, rng=5)
    shorter = order_shares(repeats=100, steps=2, n_datasets=4, rng=5)
    more = {(row["procedure"], row["l"], row["order"]): row["count"] for row in longer.rows()}
    assert all(row["count"] <= more[row["procedure"], row["l"], row["order"]] for row in shorter.rows())


def test_progress_names_every_step() -> None:
    texts: list[str] = []
    order_shares(repeats=5, steps=2, n_datasets=2, progress=texts.append)
    assert texts == [f"{name}, l = {at}" for name in ("MultiTest", "Multi2Test, by places") for at in ("0", "0.1")]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"steps": 1}, "steps is 1, not a whole number of at least 2. Use steps=11."),
        ({"variant": "2006"}, "There is no variant '2006'."),
        ({"repeats": 0}, "repeats is 0, not"),
    ],
)
def test_what_cannot_be_simulated_is_refused(asked: dict[str, Any], text: str) -> None:
    with pytest.raises(OptionError, match=re.escape(text)):
        order_shares(**asked)


# ---- what it says


def made(counts: list[list[int]]) -> OrderCurve:
    """Three algorithms: how often 1-2-3, 2-3-1, 3-1-2 and 3-2-1 were found at each step."""
    orders = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    about: dict[str, Any] = {"procedure": "multitest", "n_datasets": 1}
    return OrderCurve(orders=orders, counts=np.array(counts), **about)


def test_counting_puts_the_prior_first_and_the_reversed_last() -> None:
    orders, counts = counted([np.array([[0, 1, 2], [1, 0, 2], [0, 1, 2]]), np.array([[2, 0, 1], [1, 0, 2], [1, 0, 2]])])
    assert orders == ((0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 0))
    assert counts.tolist() == [[2, 1, 0, 0], [0, 2, 1, 0]]


def test_rare_orders_stand_together() -> None:
    names, shares = made([[98, 1, 1, 0], [40, 4, 50, 6], [0, 3, 2, 95]]).shown()
    assert names == ("1-2-3", "3-1-2", "3-2-1", "other")
    assert shares.tolist() == [[0.98, 0.01, 0.0, 0.01], [0.4, 0.5, 0.06, 0.04], [0.0, 0.02, 0.95, 0.03]]
    assert made([[90, 10, 0, 0], [0, 0, 20, 80]]).shown()[0] == ("1-2-3", "2-3-1", "3-1-2", "3-2-1")


def test_the_text_holds_every_table_and_how_it_was_done() -> None:
    text = str(study())
    assert "MultiTest: 3 algorithms on one data set (5x2cv-f, bergmann-hommel)" in text
    assert (
        "Multi2Test, by places: 4 algorithms on 30 data sets (5x2cv-f, bergmann-hommel; over data sets Friedman" in text
    )
    assert (
        "At least half of the runs find the reversed order from l = 0.02 on by scores, from l = 0.1 on by places."
        in text
    )
    assert text.index("True errors on one data set") > text.index("by scores: 4 algorithms")
    assert "Ulas, Yildiz and Alpaydin (2012)" in text


# ---- the figure and the command line


def test_no_texts_of_the_figure_overlap_and_orders_keep_their_colours() -> None:
    figure: Any = study().figure()
    assert EX.text_overlaps(figure.scene()) == []
    numbers = {line.name: line.number for panel in figure.panels for line in panel.series}
    assert numbers["1-2-3"] == numbers["1-2-3-4"] == 0 and numbers["3-2-1"] == numbers["4-3-2-1"] == 1
    for panel in figure.panels:
        lines = [line for line in panel.series if not line.muted]
        assert len({line.number for line in lines}) == len(lines)
        assert all(line.number == numbers[line.name] for line in lines)
    assert [row["share"] for row in figure.rows() if row["order"] == "3-2-1"] == pytest.approx(
        study().curve("multitest").shares[:, -1].tolist()
    )


def test_the_study_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["study", "orders", "--repeats", "5", "--seed", "3"]
    assert main([*call, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["study"] == "orders" and len(data["lambdas"]) == 11 and data["repeats"] == 5
    assert [item["procedure"] for item in data["procedures"]] == ["multitest", "places", "scores"]
    assert data["shares"][0].keys() == {"procedure", "l", "order", "count", "share", "low", "high"}
    assert main([*call, "--out", str(tmp_path / "orders.json")]) == 0
    assert json.loads((tmp_path / "orders.json").read_text()) == data
    assert main([*call, "--out", str(tmp_path / "orders.md")]) == 0
    assert (tmp_path / "orders.md").read_text().startswith("#")
