"""Which comes next where time is short, and which one is advised: by hand, without a run."""

from __future__ import annotations

from math import nan
from time import monotonic
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tiebreak.advisor.pilot.fits import JudgedBy
from tiebreak.advisor.pilot.loop import Loop, Outcome
from tiebreak.advisor.pilot.race import Race, prior_from
from tiebreak.advisor.pilot.recommend import installed
from tiebreak.advisor.pilot.tried_out import unfinished
from tiebreak.advisor.pilot.variants import variants
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.specs import fingerprint
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.tasks import AlgorithmSpec

NAMES = ("a", "b", "c")
OF_NUMBERS = JudgedBy(kind="number", trivial=1.0, trivial_error=8000.0)


class FakeBench:
    """Makes trials of no length, which end well: the score of an algorithm is the same on every fold."""

    engine, splits = SimpleNamespace(jobs=1, start=lambda: None), Resampling(test=0.0)
    cells = tuple((str(r), str(f)) for r in range(1, 6) for f in (1, 2))

    def __init__(self, slow: str = "", judged: JudgedBy | None = None) -> None:
        self.ran: list[str] = []
        self.held: dict[str, Outcome] = {}
        self.slow, self.judged = slow, judged or JudgedBy(trivial=0.5)

    def stored(self, specs: Any) -> dict[str, Outcome]:
        return {spec.name: self.held[spec.name] for spec in specs if spec.name in self.held}

    def begin(self, _: Any) -> None:
        pass

    def run(self, spec: AlgorithmSpec, _: float, *, first: bool) -> Outcome:
        self.ran.append(spec.name)
        if spec.name in self.slow and spec.name not in self.ran[:-1]:
            return Outcome(status="timeout")
        score = {"a": 0.80, "b": 0.82, "c": 0.70, "catboost (depth=4)": 0.79, "catboost (depth=8)": 0.84}[spec.name]
        measured = tuple((cell, score) for cell in self.cells[: 2 if first else 10])
        return Outcome(status="ok", score=score, folds=len(measured), seconds=0.1, measured=measured)


def looped(
    bench: FakeBench,
    seconds: tuple[float, ...] = (1.0, 1.0, 1.0),
    minutes: float = 15,
    b: str = "b",
    **more: Any,
) -> Loop:
    """Let a loop go through the list; the second is a little better than the first elsewhere, the third far worse."""
    judged = bench.judged
    past = np.array([[0.80, 0.81, 0.70], [0.80, 0.83, 0.71], [0.85, 0.84, 0.80], [0.78, 0.80, 0.66]])
    loop = Loop(
        bench=bench,  # type: ignore[arg-type]
        race=Race(prior=prior_from(past, np.full(4, 0.25)), listed=(0, 1, 2), seconds=np.ones(3), rows=500, folds=10),
        names=NAMES,
        judged=judged,
        trivial=(judged.trivial,) * 10,
        predicted=seconds,
        known=4,
        specs={name: AlgorithmSpec(name=name, path=b if name == "b" else name) for name in NAMES},
        seconds=list(seconds),
        **{"end": monotonic() + 60 * minutes, "stop_below": 0.0, "progress": lambda _: None} | more,
    )
    loop.go()
    return loop


def scores(loop: Loop) -> dict[str, float]:
    """What is expected of every algorithm with a finished fold."""
    expected = loop.race.expected()
    return {loop.names[place]: loop.judged.score_of(float(expected[place])) for place in loop.race.fitted}


def loss(loop: Loop, name: str) -> tuple[float, float]:
    return loop.race.loss(loop.names.index(name))


def test_every_algorithm_is_fitted_once_before_the_leaders_get_all_folds() -> None:
    bench = FakeBench()
    loop = looped(bench)
    assert loop.stopped == "list-through" and loop.left == []
    assert bench.ran[0] == "a" and sorted(bench.ran) == ["a", "a", "b", "b", "c", "c"]
    assert scores(loop) == pytest.approx({"a": 0.80, "b": 0.82, "c": 0.70}, abs=0.01)
    assert [trial.folds for trial in loop.trials.values()] == [10, 10, 10]
    mean, most = loss(loop, "b")
    assert 0 <= mean <= most < 0.05 and loss(loop, "c")[0] > 0.08


def test_variants_of_the_leader_enter_and_what_they_gain_is_not_taken_at_its_word() -> None:
    bench = FakeBench()
    loop = looped(bench, b="catboost")
    assert bench.ran.index("catboost (depth=8)") > bench.ran.index("b") and loop.stopped == "list-through"
    assert loop.specs["catboost (depth=8)"].settings == {"depth": 8}
    expected = scores(loop)
    assert 0.81 < expected["b"] < expected["catboost (depth=8)"] < 0.84 and loop.race.variants == {3: 1, 4: 1}
    assert 0.78 < expected["catboost (depth=4)"] < 0.82
    assert loss(loop, "b")[0] > 0.01 > loss(loop, "catboost (depth=8)")[0]


def test_variants_that_time_left_untried_count_in_the_expected_loss() -> None:
    """They enter with the posterior mean of their learner and a spread of their own."""
    loop = looped(FakeBench())
    before = loss(loop, "b")[0]
    loop.race.enter(1, 1.0)
    now = loop.race.posterior()
    assert now.mean[3] == pytest.approx(now.mean[1]) and loop.race.fitted == (0, 1, 2)
    assert now.covariance[3, 3] > now.covariance[1, 1] + 0.005**2 - 1e-12
    assert loss(loop, "b")[0] > before + 0.001


def test_a_settled_list_brings_variants_and_one_that_is_stored_is_not_run_again() -> None:
    bench = FakeBench()
    whole = tuple((cell, 0.79) for cell in bench.cells)
    bench.held["catboost (depth=4)"] = Outcome(status="ok", score=0.79, folds=10, seconds=1.0, measured=whole)
    loop = looped(bench, b="catboost", stop_below=0.005)
    assert loop.trials["catboost (depth=4)"].stored and "catboost (depth=4)" not in bench.ran
    assert "catboost (depth=8)" in bench.ran and loop.stopped == "good-enough" and loop.left


@pytest.mark.parametrize("kind", ["classes", "number"])
def test_every_variant_is_another_learner_than_the_default_and_found_by_its_name(kind: str) -> None:
    data = SimpleNamespace(kind=kind)
    for entry in catalogue(kind):
        names = [entry.name, *variants(entry.name)]
        specs = installed(names, data, None).specs  # type: ignore[arg-type]
        assert not specs or len({fingerprint(spec) for spec in specs.values()}) == len(names)


def test_it_ends_when_the_expected_loss_is_below_the_limit() -> None:
    bench = FakeBench()
    loop = looped(bench, stop_below=0.02)
    assert loop.stopped == "good-enough" and len(bench.ran) < 6 and loop.left
    assert loss(loop, "b")[0] < 0.02


def test_a_slow_one_at_the_head_of_the_list_waits_where_it_would_take_all_the_time() -> None:
    short = FakeBench()
    looped(short, (500.0, 1.0, 1.0), minutes=15)
    assert short.ran[0] == "b"
    ample = FakeBench()
    looped(ample, (500.0, 1.0, 1.0), minutes=60)
    assert ample.ran[0] == "a"
    never = FakeBench()
    loop = looped(never, (9000.0, 1.0, 1.0), minutes=60)
    assert "a" not in never.ran and loop.stopped == "time-over" and loop.late["a"] == 18000.0
    assert "a (about 5 h)" in unfinished({}, 10, loop.late)[0]


def test_where_the_first_was_cut_the_quickest_gives_an_answer_before_the_others() -> None:
    bench = FakeBench(slow="a")
    loop = looped(bench, (3.0, 2.0, 1.0), minutes=600)
    assert bench.ran[:2] == ["a", "c"] and set(bench.ran[2:]) == {"a", "b", "c"}
    assert loop.stopped == "list-through" and loop.cut == {}


def test_a_few_folds_weigh_less_than_all_of_them() -> None:
    """The race knows how hard the finished folds were, and shrinks what only a few of them say."""
    loop = looped(FakeBench())
    hard = np.linspace(-0.03, 0.03, 10)
    loop.race.replace(0, dict(enumerate(0.8 + hard)))
    loop.race.replace(1, {8: 0.8 + hard[8] + 0.03, 9: 0.8 + hard[9] + 0.03})  # its folds are the easiest
    loop.race.replace(2, {})
    expected = scores(loop)
    raw = 0.83 + float(hard[8:].mean())
    assert 0.79 < expected["a"] < expected["b"] < raw - 0.01 and "c" not in expected


def test_numbers_enter_the_race_as_success_rates() -> None:
    """A relative_rmse of 0.8 is a success rate of 0.2: c, with 0.70, is the best."""
    loop = looped(FakeBench(judged=OF_NUMBERS))
    assert max(loop.race.measured, key=lambda item: item[2])[0] == 2
    assert scores(loop) == pytest.approx({"a": 0.80, "b": 0.82, "c": 0.70}, abs=0.01)
    assert list(loop.trials.values())[-1].best_so_far == 0.70


def test_starting_the_lab_counts_up_to_a_half_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine helpers take longer to start than a short time lasts; nothing would ever be tried."""
    now = [100.0]

    def start() -> None:
        now[0] += 0.0 if now[0] > 100.0 else 50.0  # those that have started stay

    monkeypatch.setattr("tiebreak.advisor.pilot.loop.clocks", SimpleNamespace(monotonic=lambda: now[0]))
    bench = FakeBench()
    monkeypatch.setattr(bench, "engine", SimpleNamespace(jobs=1, start=start), raising=False)
    loop = looped(bench, end=now[0] + 20.0, grace=10.0)
    assert loop.stopped == "list-through" and sorted(set(bench.ran)) == sorted(NAMES)
    assert loop.end == 160.0


def test_a_run_with_a_trade_is_decided_by_the_race_as_a_pilot_is() -> None:
    """A fit of b takes a thousand times as long: ten points for ten times the speed are more than it is better."""
    bench = FakeBench()
    loop = looped(bench)
    traded = Race(
        prior=loop.race.prior, listed=(0, 1, 2), seconds=np.array([0.1, 100, 0.1]), rows=500, folds=10, accd=0.1
    )
    for place, seconds in ((0, 0.1), (1, 100.0)):
        fits = {fold: score for item, fold, score in loop.race.measured if item == place}
        traded.replace(place, fits, seconds)
    assert loop.race.posterior().best((0, 1)) == 1 and traded.posterior().best((0, 1)) == 0


def test_what_was_not_begun_is_told_without_seconds_when_the_time_was_over() -> None:
    assert "Not begun, as the time was over: lda and svr." in unfinished({}, 10, {"lda": nan, "svr": nan})
    (note,) = unfinished({}, 10, {"svr": 240.0})
    assert note == "Not begun, as the time that was left is too short: svr (about 4 min)."
