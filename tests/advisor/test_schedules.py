"""Budgets: schedules against all subsets, hand-made losses, the words of the stop rule, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tiebreak as tb
from tiebreak.advisor import Advisor, Knowledge, MetaTable, shipped_knowledge
from tiebreak.advisor.budget_plan import (
    Losses,
    curve_left_out,
    duration,
    known_losses,
    plan_budget,
    scheduled,
    seconds_of,
    trial_from,
)
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


def losses(seed: int, *, unlike: float = 0.0) -> tuple[Losses, npt.NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    table = rng.exponential(0.05, (15, 6))
    table -= table.min(axis=1, keepdims=True)
    weight = rng.uniform(0.5, 1.5, 15)
    made = Losses(loss=table, start=np.full(15, 0.5), weight=weight / weight.sum(), unlike=unlike)
    return made, rng.uniform(0.5, 4.0, 6)


@every("seed", range(25))
@every("seconds", [3.0, 6.0])
def test_no_set_of_algorithms_that_fits_is_much_better(seed: int, seconds: float) -> None:
    """Against all subsets: what greedy choice leaves is within the (1 - 1/e) / 2 of the source, and mostly nothing."""
    known, cost = losses(seed)
    chosen = scheduled(known, cost, seconds)
    assert cost[chosen].sum() <= seconds and len(set(chosen)) == len(chosen)
    every = [list(some) for n in range(1, 7) for some in combinations(range(6), n) if cost[list(some)].sum() <= seconds]
    best = min((float(known.weight @ known.loss[:, some].min(axis=1)) for some in every), default=0.5)
    assert 0.5 - known.expected(chosen) >= (1 - 1 / np.e) / 2 * (0.5 - best)
    assert known.expected(chosen) - best < 0.02


def test_a_cheap_strong_one_comes_first_and_a_cheap_weak_one_does_not_crowd_out_the_best() -> None:
    table = np.array([[0.10, 0.02, 0.00], [0.10, 0.02, 0.00]])
    known = Losses(loss=table, start=np.full(2, 0.5), weight=np.full(2, 0.5))
    cost = np.array([0.2, 1.5, 10.0])
    assert scheduled(known, cost, 12.0) == [0, 1, 2]
    assert scheduled(known, cost, 10.0) == [2]  # by gain per second 0 comes first, and then the best no longer fits
    assert scheduled(known, cost, 5.0) == [0, 1]
    assert scheduled(known, cost, 0.05) == []


def test_with_ample_time_the_order_is_that_of_the_portfolio() -> None:
    """Nobody waits for a hundredth of the budget: then a weak algorithm that takes a millisecond is not the first."""
    known, cost = losses(0)
    even = scheduled(known, np.ones(6), 6.0)
    assert scheduled(known, cost / 1000, 10.0) == even
    found = Advisor().recommend_known("wine", budget="1h")
    assert found.budget is not None
    assert found.budget.algorithms[:4] == found.algorithms[:4]
    assert found.budget.ends[-1] < 60


def test_expected_losses_and_gains_by_hand() -> None:
    table = np.array([[0.0, 0.2], [0.4, 0.0]])
    known = Losses(loss=table, start=np.array([0.5, 0.5]), weight=np.array([0.25, 0.75]))
    assert known.expected([]) == 0.5 and known.expected([0]) == pytest.approx(0.3)
    np.testing.assert_allclose(known.gains([0]), [0.0, 0.3])
    mixed = replace(known, unlike=0.5)
    # known: 0.25 x 0 + 0.75 x 0.4 = 0.3; unlike: one draw loses the mean loss 0.3, two lose half of (0.3 + 0.05) / 2
    assert mixed.expected([0]) == pytest.approx(0.5 * 0.3 + 0.5 * 0.3)
    assert mixed.expected([0, 1]) == pytest.approx(0.5 * 0.0 + 0.5 * (0.3 + 0.05) / 4)
    np.testing.assert_allclose(mixed.gains([0])[1], mixed.expected([0]) - mixed.expected([0, 1]))


def test_the_order_of_data_sets_and_algorithms_does_not_matter() -> None:
    known, cost = losses(7, unlike=0.1)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(15), rng.permutation(6)
    turned = Losses(
        loss=known.loss[rows][:, columns], start=known.start[rows], weight=known.weight[rows], unlike=known.unlike
    )
    plain, mixed = scheduled(known, cost, 6.0), scheduled(turned, cost[columns], 6.0)
    assert [int(columns[j]) for j in mixed] == plain
    np.testing.assert_array_equal(scheduled(known, 60 * cost, 360.0), plain)


def test_a_trial_that_gains_too_little_for_its_time_is_not_made() -> None:
    table = np.array([[0.02, 0.0]])
    known = Losses(loss=table, start=np.array([0.5]), weight=np.ones(1))
    cost = np.array([1.0, 50.0])
    assert scheduled(known, cost, 100.0, least_rate=0.02 / 50 * 0.99) == [0, 1]
    assert scheduled(known, cost, 100.0, least_rate=0.02 / 50 * 1.1) == [0]


# ---- plans


def test_a_plan_by_hand() -> None:
    known = base([[0.9, 0.7, 0.8], [0.6, 0.9, 0.8], [0.9, 0.6, 0.8]], [[1.0, 2.0, 400.0]])
    plan = plan_budget(known, HERE, "60s", trial="fit")
    cost = fit_times(known).predict(HERE).seconds
    assert plan.algorithms == ("a", "b") and plan.seconds == 60
    np.testing.assert_allclose(plan.ends, np.cumsum(cost[:2]))
    np.testing.assert_allclose(plan.starts, [0.0, plan.ends[0]])
    assert (plan.low < plan.ends).all() and (plan.ends < plan.high).all()
    assert plan.cannot_finish == (("c", pytest.approx(cost[2])),)
    assert plan.not_worth == () and plan.expected_loss[-1] <= plan.expected_loss[0]
    assert plan.stops.startswith("Stops because the time is over: c, which would gain most (")
    np.testing.assert_allclose(plan_budget(known, HERE, 60, trial="fit").ends, plan.ends)


def test_a_trial_costs_its_fits_on_the_rows_that_folds_leave() -> None:
    known = few()
    once, five = (plan_budget(known, LARGE, "1000h", trial=trial) for trial in ("fit", "10-fold"))
    model = fit_times(known)
    whole, part = model.predict(LARGE), model.predict(LARGE, share=0.9)
    for plan, times, fits in ((once, whole, 1), (five, part, 10)):
        length = dict(zip(plan.algorithms, (plan.ends - plan.starts).tolist(), strict=True))
        for name in plan.algorithms:
            assert length[name] == pytest.approx(fits * times.of(name)[0])


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
    assert "expected loss" in str(plan) and plan.to_dict()["schedule"] == []


def test_the_stop_rule_says_what_would_come_next() -> None:
    known = base([[0.9, 0.9001], [0.9, 0.9001], [0.9, 0.9]], [[1.0, 50.0]])
    plan = plan_budget(known, HERE, 100, trial="fit", least_gain=0.01)
    assert plan.algorithms == ("a",) and plan.not_worth == ("b",)
    assert plan.stops.startswith(
        "Stops because the next gains too little for its time: b would lower the expected loss by"
    )
    assert plan.stops.endswith("at least 0.01 for the whole budget is asked (least_gain).")
    assert plan_budget(known, HERE, 100, trial="fit", least_gain=0).algorithms == ("a", "b")


def test_algorithms_without_a_time_are_named_and_a_gap_helps_nobody() -> None:
    known = base([[0.9, 0.7, 0.8], [0.6, np.nan, 0.8], [0.9, 0.6, 0.8]], [[1.0, 2.0, np.nan]])
    plan = plan_budget(known, HERE, "60s")
    assert "c" not in plan.algorithms
    assert "Not planned, as no time of them is known: 'c'." in plan.caveats
    assert np.isinf(known_losses(known).loss[1, 1])


def test_origins_count_alike_unless_weights_are_given() -> None:
    known = base(np.full((4, 2), 0.8), [[1.0, 1.0]], origins="xxxy")
    np.testing.assert_allclose(known_losses(known).weight, [1 / 6, 1 / 6, 1 / 6, 1 / 2])
    np.testing.assert_allclose(known_losses(known, [0, 0, 1, 1]).weight, [0, 0, 0.5, 0.5])


def test_before_anything_is_tried_the_most_frequent_class_is_named() -> None:
    known = few()
    share = known.meta.matrix[:, known.meta.measures.index("default_accuracy")]
    best = np.nanmax(known.means()[0], axis=1)
    np.testing.assert_allclose(known_losses(known).start, best - share)
    np.testing.assert_allclose(known_losses(replace(known, score="auc")).start, best)
    below = replace(known, score="negative error", accuracy=known.accuracy - 1.0)
    assert (known_losses(below).start > known_losses(below).loss.max(axis=1) - 1e-12).all()


# ---- the curve


def test_the_curve_by_hand_on_three_origins() -> None:
    """Without an origin the other two put their own best first; on the origin left out that loses what it loses."""
    known = base([[0.9, 0.5], [0.9, 0.5], [0.4, 0.9]], [[1.0, 3.0]])
    table = replace(known_losses(known), unlike=0.0)
    cost = np.array([1.0, 3.0])
    found = curve_left_out(known, table, cost, 10.0, 0.0, np.array([1.0, 4.0]))
    # Before: 0.9 each. Without d0 (or d1) a gains (0.9 + 0.4) / 2 in a second, b (0.5 + 0.9) / 2 in three: a is first
    # and loses nothing there. Without d2 both others have a, and b gains them nothing: a alone loses 0.5 on d2.
    np.testing.assert_allclose(found.at(np.array([0.0, 1.0, 4.0])), [0.9, 0.5 / 3, 0.5 / 3])
    assert (found.low <= found.loss).all() and (found.loss <= found.high).all()
    assert found.seconds[0] == 0 and (np.diff(found.seconds) > 0).all()


def test_one_origin_has_no_curve() -> None:
    plan = plan_budget(base([[0.9, 0.7]], [[1.0, 2.0]]), HERE, "60s", trial="fit")
    assert plan.algorithms and np.isnan(plan.expected_loss).all() and not plan.curve.rows()
    assert plan.to_dict()["schedule"][0]["expected_loss"] is None
    with pytest.raises(OptionError, match=r"Nothing of the budget can be drawn"):
        plan.figure()


def test_the_curve_never_rises_and_ends_at_the_budget() -> None:
    plan = plan_budget(few(), {**LARGE, "n_examples": 5000.0}, "5min")
    assert (np.diff(plan.curve.loss) <= 1e-12).all() and plan.curve.seconds[-1] == 300
    np.testing.assert_allclose(plan.expected_loss, plan.curve.at(plan.ends))


# ---- what it is worth


# ---- accuracy against predicted times


@pytest.mark.parametrize(("method", "rank"), [("arr", rank_by_arr), ("a3r", rank_by_a3r)])
def test_ratios_of_times_are_those_predicted_for_the_data(method: str, rank: Any) -> None:
    known = few()
    query = dict(zip(known.meta.measures, known.meta.matrix[2].tolist(), strict=True)) | {"n_examples": 50000.0}
    found = Advisor(known).recommend(query, method=method, accd=0.05, neighbours=4)
    names = list(found.neighbours.names)
    near = known.datasets_at(np.array([known.datasets.index(each) for each in names]))
    here = fit_times(known).predict(query).seconds
    by_hand = rank(near.means()[0], np.tile(here, (4, 1)), accd=0.05, floor=0.001, algorithms=known.algorithms)
    assert found.algorithms == by_hand.algorithms
    np.testing.assert_allclose(found.ranking.scores, by_hand.scores)
    published = Advisor(known).recommend(query, method=method, accd=0.05, neighbours=4, times="measured")
    there = rank(*near.means(), accd=0.05, floor=0.001, algorithms=known.algorithms)
    np.testing.assert_allclose(published.ranking.scores, there.scores)
    assert (found.times_used, published.times_used) == ("predicted", "measured")
    assert found.to_dict()["method"]["times"] == "predicted"


def test_without_rows_measured_times_are_weighed_and_it_is_said() -> None:
    known = few()
    query = {"prop_symbolic": 0.0, "class_entropy": 1.0}
    found = Advisor(known).recommend(query, method="arr", accd=0.05, neighbours=5)
    plain = Advisor(known).recommend(query, method="arr", accd=0.05, neighbours=5, times="measured")
    np.testing.assert_allclose(found.ranking.scores, plain.ranking.scores)
    assert found.times_used == "measured" and "times-guessed" in found.to_dict()["caveat_codes"]
    assert Advisor(known).recommend(query, method="srr", neighbours=5).times_used == ""


def test_a_base_without_times_recommends_without_them_and_refuses_a_budget() -> None:
    known = replace(few(), time=None)
    found = Advisor(known).recommend_known(known.datasets[0], neighbours=5)
    assert found.times is None and "predicted seconds" not in str(found)
    assert found.to_dict()["ranking"][0]["predicted_seconds"] is None
    with pytest.raises(OptionError) as caught:
        Advisor(known).recommend_known(known.datasets[0], budget="10min")
    assert str(caught.value) == (
        "A budget was given, and the known results hold no times. What fits into a budget is told by predicted times."
        " Name the column of times (time=...), or leave the budget out."
    )


def test_json_holds_predictions_and_the_budget(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "--known", "wine", "--neighbours", "5", "--budget", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["budget"]["seconds"] == 20
    found = tb.recommend(known="wine", neighbours=5, budget=20, trial="fit").to_dict()
    row = found["ranking"][0]
    assert row["predicted_low"] < row["predicted_seconds"] < row["predicted_high"]
    budget = found["budget"]
    assert budget["seconds"] == 20 and budget["trial"] == "one fit on all rows"
    assert set(budget["schedule"][0]) == {"algorithm", "starts", "ends", "low", "high", "expected_loss"}
    assert {"cannot_finish", "stops", "curve", "not_worth", "fits_per_trial"} <= set(budget)


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
        ({"trial": "often"}, "trial is 'often'"),
        ({"least_gain": 2}, "least_gain"),
        ({"times": "guessed"}, "There is no kind of times 'guessed'."),
    ],
)
def test_what_python_refuses(told: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said.replace("(", ".")):
        tb.recommend(known="wine", neighbours=5, budget="5s", **told)


def test_trials_and_amounts_of_time() -> None:
    assert [trial_from(each).fits for each in ("5-fold", "10 fold", "5x2cv", "3", 4, "fit", 1)] == [
        5,
        10,
        10,
        3,
        4,
        1,
        1,
    ]
    assert [trial_from(each).share for each in ("5-fold", "5x2cv", "fit")] == [0.8, 0.5, 1.0]
    assert trial_from(trial_from("5-fold")) == trial_from(5)
    for wrong in ("", "0-fold", "x", "0x5cv", "-3"):
        with pytest.raises(OptionError, match="A trial is a resampling"):
            trial_from(wrong)
    assert [seconds_of(each) for each in ("10min", "90", "1.5h", 7)] == [600, 90, 5400, 7]
    with pytest.raises(OptionError, match="Trials are planned by the clock"):
        seconds_of("2h-cpu")
    assert [duration(each) for each in (0.5, 119, 180, 7300, 1e7)] == ["0.5 s", "119 s", "3 min", "2 h", "116 days"]


# ---- the figure


def test_the_figure_holds_the_curve_and_every_trial(tmp_path: Path) -> None:
    found = Advisor().recommend_known("wine", neighbours=5, budget="20s")
    figure = found.figure("budget")
    assert found.budget is not None
    assert figure.names == found.budget.algorithms and figure.budget == 20
    assert len(figure.rows()) == len(found.budget.curve.seconds)
    text = figure.to_svg()
    assert all(name in text for name in found.budget.algorithms) and "logarithmic" in text
    figure.save(tmp_path / "budget.svg")
    with pytest.raises(OptionError, match="There is no budget to draw"):
        Advisor().recommend_known("wine", neighbours=5).figure("budget")
