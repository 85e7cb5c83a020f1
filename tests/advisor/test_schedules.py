"""Budgets: schedules against all subsets, hand-made losses, the words of the stop rule, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tiebreak as tb
from tiebreak.advisor import Advisor, Knowledge, MetaTable, shipped_knowledge
from tiebreak.advisor.budget_plan import duration, plan_budget, scheduled, seconds_of
from tiebreak.advisor.rankings.pairwise import rank_by_a3r, rank_by_arr
from tiebreak.advisor.times import fit_times
from tiebreak.cli import main
from tiebreak.errors import OptionError

from ..every import every

LARGE = {"n_examples": 1e6, "n_attributes": 11.0, "n_classes": 2.0}


@cache
def few() -> Knowledge:
    """A part of the shipped base, so that tests stay quick."""
    names = ["5nn", "boost", "c45", "lda", "mlp", "nb", "rf", "sv2", "svl", "svr"]
    base = shipped_knowledge().only(algorithms=names)
    return base.datasets_at(np.arange(0, len(base.datasets), 3))


def base(accuracy: npt.ArrayLike, seconds: npt.ArrayLike, *, origins: str = "", rows: float = 100.0) -> Knowledge:
    """A base whose data sets are all of one size, so that predicted times are the middle of the measured ones."""
    rates, times = np.asarray(accuracy, dtype=float), np.asarray(seconds, dtype=float)
    count, width = rates.shape
    sets = tuple(f"d{i}" for i in range(count))
    measures = ("n_examples", "n_attributes", "n_classes")
    return Knowledge(
        datasets=sets,
        algorithms=tuple("abcdefgh"[:width]),
        accuracy=rates[:, :, None, None],
        time=np.broadcast_to(times, rates.shape)[:, :, None, None],
        meta=MetaTable(names=sets, measures=measures, matrix=np.tile([rows, 5.0, 2.0], (count, 1))),
        origins=tuple(origins) or sets,
        machines=("m",) * count,
        sources=("s",) * count,
        fingerprints=("",) * count,
    )


HERE = {"n_examples": 100.0, "n_attributes": 5.0, "n_classes": 2.0}


# ---- the choice


@every("seed", range(25))
@every("seconds", [3.0, 6.0])
def test_no_set_of_algorithms_that_fits_is_much_better(seed: int, seconds: float) -> None:
    """Against all subsets: the mean loss of what was chosen by gain per second."""
    rng = np.random.default_rng(seed)
    table = rng.exponential(0.05, (15, 6))
    table -= table.min(axis=1, keepdims=True)
    weight, cost = rng.dirichlet(np.ones(15)), rng.uniform(0.5, 4.0, 6)
    chosen = scheduled(table, weight, cost, seconds)
    assert cost[chosen].sum() <= seconds and len(set(chosen)) == len(chosen)
    every = [list(some) for n in range(1, 7) for some in combinations(range(6), n) if cost[list(some)].sum() <= seconds]
    best = min(float(weight @ table[:, some].min(axis=1)) for some in every)
    assert float(weight @ table[:, chosen].min(axis=1)) - best < 0.02


def test_a_cheap_strong_one_comes_first() -> None:
    table, weight = np.array([[0.10, 0.02, 0.00], [0.20, 0.02, 0.00]]), np.full(2, 0.5)
    assert scheduled(table, weight, np.array([0.2, 0.5, 10.0]), 12.0) == [1, 2]
    assert scheduled(table, weight, np.array([0.2, 0.5, 10.0]), 5.0) == [1]
    assert scheduled(table, weight, np.array([0.2, 0.5, 10.0]), 0.05) == []


def test_with_ample_time_the_order_is_that_of_the_portfolio() -> None:
    """Nobody waits for a hundredth of the budget: then a weak algorithm that takes a millisecond is not the first."""
    recommendation = Advisor().recommend_known("wine", budget="1h")
    assert recommendation.budget is not None
    assert recommendation.budget.algorithms[:4] == recommendation.algorithms[:4]
    assert recommendation.budget.ends[-1] < 60 and recommendation.answer.headline.startswith("Within 60 min")


# ---- plans


def test_a_plan_by_hand() -> None:
    known = base([[0.9, 0.7, 0.8], [0.6, 0.9, 0.8], [0.9, 0.6, 0.8]], [[1.0, 2.0, 400.0]])
    plan = plan_budget(known, HERE, "60s")
    cost = 5 * fit_times(known).predict(HERE, share=0.8).seconds
    assert plan.algorithms == ("a", "b") and plan.seconds == 60
    np.testing.assert_allclose(plan.ends, np.cumsum(cost[:2]))
    np.testing.assert_allclose(plan.starts, [0.0, plan.ends[0]])
    assert plan.cannot_finish == (("c", pytest.approx(cost[2])),) and plan.not_worth == ()
    # Without d1 the others run a alone, which loses 0.3 on d1; without d0 or d2 both are run, or a, best there.
    np.testing.assert_allclose(plan.expected_loss, [0.1, 0.1])
    np.testing.assert_allclose(plan_budget(known, HERE, 60).ends, plan.ends)


def test_for_a_million_rows_and_ten_minutes_kernel_machines_cannot_finish() -> None:
    plan = plan_budget(few(), LARGE, "10min")
    late = dict(plan.cannot_finish)
    assert {"svl", "sv2", "svr"} <= set(late) and late["svr"] > 3600
    assert plan.ends[-1] <= 600 and not set(late) & set(plan.algorithms)
    assert [time for _, time in plan.cannot_finish] == sorted(late.values())
    assert plan.sentences()[-1].startswith("Cannot finish in time: ")
    assert plan.caveats[0].code == "times-guessed"


def test_nothing_fits() -> None:
    plan = plan_budget(few(), LARGE, 1e-3)
    assert plan.algorithms == () and len(plan.cannot_finish) == 10 and not plan.rows()
    assert plan.title() == "Within 0.001 s: no algorithm can finish a trial (5-fold cross-validation)"
    assert plan.to_dict()["schedule"] == []


def test_algorithms_without_a_time_are_named_and_origins_count_alike() -> None:
    known = base([[0.9, 0.7, 0.8], [0.6, np.nan, 0.8], [0.9, 0.6, 0.8]], [[1.0, 2.0, np.nan]])
    plan = plan_budget(known, HERE, "60s")
    assert "c" not in plan.algorithms
    assert "Not planned, as no time of them is known: 'c'." in plan.caveats
    many = base([[0.9, 0.5]] * 3 + [[0.5, 0.8]], [[1.0, 1.0]], origins="xxxy")
    assert plan_budget(many, HERE, "60s").algorithms[0] == "a"
    assert plan_budget(many, HERE, "60s", weights=[0, 0, 1, 9]).algorithms[0] == "b"


def test_one_origin_has_no_expected_loss() -> None:
    plan = plan_budget(base([[0.9, 0.7]], [[1.0, 2.0]]), HERE, "60s")
    assert plan.algorithms and np.isnan(plan.expected_loss).all()
    assert plan.to_dict()["schedule"][0]["expected_loss"] is None


def test_the_expected_loss_never_rises() -> None:
    plan = plan_budget(few(), {**LARGE, "n_examples": 5000.0}, "5min")
    assert (np.diff(plan.expected_loss) <= 1e-12).all() and plan.ends[-1] <= 300


# ---- accuracy against predicted times


@pytest.mark.parametrize(("method", "rank"), [("arr", rank_by_arr), ("a3r", rank_by_a3r)])
def test_ratios_of_times_are_those_predicted_for_the_data(method: str, rank: Any) -> None:
    known = few()
    query = dict(zip(known.meta.measures, known.meta.matrix[2].tolist(), strict=True)) | {"n_examples": 15000.0}
    recommend = Advisor(known).recommend(query, method=method, accd=0.05, neighbours=4)
    names = list(recommend.neighbours.names)
    near = known.datasets_at(np.array([known.datasets.index(name) for name in names]))
    here = fit_times(known).predict(query).seconds
    by_hand = rank(near.means()[0], np.tile(here, (4, 1)), accd=0.05, algorithms=known.algorithms)
    assert recommend.algorithms == by_hand.algorithms
    np.testing.assert_allclose(recommend.ranking.scores, by_hand.scores)
    published = Advisor(known).recommend(query, method=method, accd=0.05, neighbours=4, times="measured")
    there = rank(*near.means(), accd=0.05, algorithms=known.algorithms)
    np.testing.assert_allclose(published.ranking.scores, there.scores)
    assert (recommend.times_used, published.times_used) == ("predicted", "measured")
    assert recommend.to_dict()["method"]["times"] == "predicted"


def test_without_rows_measured_times_are_weighed_and_it_is_said() -> None:
    known = few()
    query = {"prop_symbolic": 0.0, "class_entropy": 1.0}
    recommend = Advisor(known).recommend(query, method="arr", accd=0.05, neighbours=5)
    plain = Advisor(known).recommend(query, method="arr", accd=0.05, neighbours=5, times="measured")
    np.testing.assert_allclose(recommend.ranking.scores, plain.ranking.scores)
    assert recommend.times_used == "measured" and "times-guessed" in recommend.to_dict()["caveat_codes"]
    assert Advisor(known).recommend(query, method="srr", neighbours=5).times_used == ""


def test_a_base_without_times_recommends_without_them_and_refuses_a_budget() -> None:
    known = replace(few(), time=None)
    recommendation = Advisor(known).recommend_known(known.datasets[0], neighbours=5)
    assert recommendation.times is None and "predicted seconds" not in str(recommendation)
    assert recommendation.to_dict()["ranking"][0]["predicted_seconds"] is None
    with pytest.raises(OptionError) as caught:
        Advisor(known).recommend_known(known.datasets[0], budget="10min")
    assert str(caught.value) == (
        "A budget was given, and the known results hold no times. The budget is filled by predicted times."
        " Name the column of times (time=...), or leave the budget out."
    )


def test_json_holds_predictions_and_the_budget(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "--known", "wine", "--neighbours", "5", "--budget", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["budget"]["seconds"] == 20
    result = tb.recommend(known="wine", neighbours=5, budget=20).to_dict()
    row = result["ranking"][0]
    assert row["predicted_low"] < row["predicted_seconds"] < row["predicted_high"]
    budget = result["budget"]
    assert budget["seconds"] == 20
    assert set(budget["schedule"][0]) == {"algorithm", "starts", "ends", "expected_loss"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--budget", "5 days"],
            "The budget is '5 days'. A budget is a time with its unit: s, min or h; with -cpu behind it, CPU time of"
            " the cells. Use 90s, 30min, 2h or 30min-cpu.",
        ),
    ],
)
def test_what_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "--known", "wine", "--neighbours", "5", *words]) == 2
    assert capsys.readouterr().err.strip() == f"tiebreak recommend: {said}"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"times": "guessed"}, "There is no kind of times 'guessed'."),
    ],
)
def test_what_python_refuses(told: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said.replace("(", ".")):
        tb.recommend(known="wine", neighbours=5, budget="5s", **told)


def test_amounts_of_time() -> None:
    assert [seconds_of(item) for item in ("10min", "90", "1.5h", 7)] == [600, 90, 5400, 7]
    with pytest.raises(OptionError, match="Trials are planned by the clock"):
        seconds_of("2h-cpu")
    assert [duration(value) for value in (0.5, 119, 180, 7300, 1e7)] == ["0.5 s", "119 s", "3 min", "2 h", "116 days"]
