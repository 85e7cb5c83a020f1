"""Bases as people have them: algorithms measured once, no sizes, data larger than anything known."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak.advisor import Advisor, Knowledge
from tiebreak.advisor.judging import Rounds, judge_recipes, orders_left_out
from tiebreak.advisor.times import fit_times
from tiebreak.advisor.worth import Recipe
from tiebreak.cli import main
from tiebreak.results import Results

LARGE = {
    "n_examples": 1e6,
    "n_attributes": 11.0,
    "n_classes": 2.0,
    "prop_symbolic": 0.0,
    "prop_outliers": 0.0,
    "class_entropy": 1.0,
    "canonical_correlation": 0.7,
}


def lucky(seconds: bool = False) -> Knowledge:
    """Three algorithms on twelve data sets, and one that was run on the easiest alone."""
    rng = np.random.default_rng(3)
    rates = rng.normal([0.80, 0.78, 0.70], 0.01, (12, 3))
    rows = [("d0", "knn", 0.99, 0.1)]
    rows += [(f"d{d}", name, rates[d, a], 0.2) for d in range(12) for a, name in enumerate(("rf", "svm", "nb"))]
    columns = dict(zip(("dataset", "algorithm", "accuracy", "time"), zip(*rows, strict=True), strict=True))
    if not seconds:
        columns.pop("time")
    about = {"time": "time"} if seconds else {}
    return Knowledge.from_results(Results.from_dict(columns, scores=list(columns)[2:]), score="accuracy", **about)


@pytest.mark.parametrize("method", ["portfolio", "mean-rank", "srr"])
def test_one_lucky_result_does_not_make_an_algorithm_the_first(method: str) -> None:
    recommend = Advisor(lucky()).recommend({"n_examples": 200.0}, method=method)
    assert recommend.algorithms[0] == "rf" and "knn" not in recommend.algorithms
    assert recommend.ranking.unranked == ("knn",)
    text = "Not ranked, as measured on fewer than a quarter of the data sets that count: 'knn'."
    assert text in recommend.caveats and text in str(recommend.document())


def test_what_is_told_of_its_worth_is_not_that_of_the_lucky_one() -> None:
    worth = judge_recipes(lucky())
    assert worth.best == "rf" and worth.expected(1).mean > 0.005


def test_gaps_are_filled_without_what_is_left_out() -> None:
    """The result on the data set left out must not reach its own advice, through the filling of gaps neither."""
    rng = np.random.default_rng(0)
    rates = rng.normal(0.7, 0.05, (24, 5))
    rates[rng.uniform(size=rates.shape) < 0.2] = np.nan
    names = [f"d{i}" for i in range(24)]
    orders = []
    for value in (0.0, 0.1):  # all results of one data set are moved alike, but for one that is moved more
        changed = rates.copy()
        changed[0] += value
        changed[0, np.flatnonzero(np.isfinite(changed[0]))[0]] -= 0.5 * value
        table = Results.from_array(changed, score="accuracy", algorithms=list("abcde"), datasets=names)
        base = Knowledge.from_results(table)
        rounds = Rounds.of(base.origins, 0)
        index = orders_left_out(base, [Recipe(method="portfolio")], rounds, 3)[0]
        orders.append([item[base.datasets.index("d0")].tolist() for item in index])
    assert orders[0] == orders[1]


def test_without_sizes_predicted_times_are_those_that_were_measured() -> None:
    base = lucky(seconds=True)
    predict = fit_times(base).predict({"n_examples": 200.0, "n_attributes": 4.0, "n_classes": 2.0})
    times = dict(zip(predict.algorithms, predict.seconds.tolist(), strict=True))
    assert times["rf"] == pytest.approx(0.2, rel=0.05)
    plan = Advisor(base).recommend({"n_examples": 200.0}, budget="10s").budget
    assert plan is not None and plan.algorithms[:1] == ("rf",)


def test_on_a_million_rows_what_takes_hours_is_named_and_not_first() -> None:
    recommend = Advisor().recommend(LARGE)
    assert not {"svl", "sv2", "svr"} & set(recommend.algorithms)
    note = next(caveat for caveat in recommend.caveats if caveat.code == "algorithms-left-out")
    assert "svr (" in note
    boosted = {"boost", "catboost", "lightgbm", "xgboost"}
    assert set(recommend.algorithms[:4]) == boosted and recommend.worth is None
    named = Advisor().recommend(LARGE, algorithms=["svr", "sv2", "boost"])
    assert named.algorithms[0] == "boost" and {"sv2", "svr"} <= set(named.algorithms)
    quick = Advisor().recommend(LARGE, budget="10min")
    assert quick.budget is not None and "svr" in {name for name, _ in quick.budget.cannot_finish}
    assert quick.algorithms == recommend.algorithms and quick.neighbours.names == recommend.neighbours.names


def test_a_budget_changes_neither_the_neighbours_nor_the_order() -> None:
    short, free = (Advisor().recommend_known("wine", budget=item) for item in ("0.05s", None))
    assert short.budget is not None and short.budget.cannot_finish
    assert short.algorithms == free.algorithms and short.neighbours.names == free.neighbours.names


def test_on_data_of_a_known_size_nobody_is_left_out_for_time() -> None:
    recommend = Advisor().recommend({**LARGE, "n_examples": 5000.0})
    assert {"svl", "sv2", "svr"} <= set(recommend.algorithms)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--budget", "30min-cpu"], "--budget is '30min-cpu'. Trials are planned by the clock."),
    ],
)
def test_options_of_time_that_mean_nothing_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recommend", "--known", "wine", *words]) == 2
    assert capsys.readouterr().err.startswith(f"tiebreak recommend: {said}")
