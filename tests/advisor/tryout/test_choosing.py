"""Which comes next where time is short, and which one is advised: by hand, without a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from time import monotonic
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from tiebreak.advisor.tryout._bench import Outcome
from tiebreak.advisor.tryout._candidates import Candidates
from tiebreak.advisor.tryout._choosing import Choosing
from tiebreak.advisor.tryout._judged_by import JudgedBy
from tiebreak.advisor.tryout._loop import Loop
from tiebreak.advisor.tryout._verdict import unfinished, verdict
from tiebreak.ordering import Ordering, order

NAMES = ("a", "b", "c")


def choice(seconds: tuple[float, ...], *, rated: bool) -> Choosing:
    return Choosing(
        names=NAMES,
        success=np.array([[0.8, 0.9, 0.89], [0.8, 0.9, 0.89]]),
        distance=None,
        origins=("x", "y"),
        seconds=np.array(seconds),
        least=np.array(seconds) / 2,
        rated=rated,
        places={name: place for place, name in enumerate(NAMES)},
    )


def test_gains_count_per_second_where_the_time_is_short() -> None:
    for rated, expected in ((False, "b"), (True, "c")):
        chosen = choice((1.0, 100.0, 1.0), rated=rated)
        gains = chosen.gains({"a": 0.7}, ["b", "c"])
        assert gains.gain[1:] == pytest.approx([0.1, 0.09])
        assert chosen.next_of(gains, ["b", "c"], first=False) == expected
    assert chosen.next_of(gains, ["c", "b"], first=True) == "b"  # the recommended order


def test_what_cannot_be_done_in_time_is_not_begun() -> None:
    chosen = choice((1.0, 100.0, np.nan), rated=True)
    assert [chosen.too_long(name, 20.0, 1) for name in NAMES] == [False, True, False]
    assert not chosen.too_long("b", 30.0, 2)
    cut, late = unfinished({"a": 3}, 10, {"b": 7200.0})
    assert "a (3 of 10 folds)" in cut and "b (about 2 h)" in late


class FakeBench:
    """Makes trials of no length, which end well."""

    judged, engine, retry, folds = JudgedBy(), SimpleNamespace(jobs=1, start=lambda: None), (), 10

    def __init__(self, slow: str = "") -> None:
        self.ran: list[str] = []
        self.slow = slow

    def stored(self, _: Any) -> dict[str, Outcome]:
        return {}

    def begin(self, _: Any) -> None:
        pass

    def run(self, spec: str, _: float) -> Outcome:
        self.ran.append(spec)
        if spec in self.slow and spec not in self.ran[:-1]:
            return Outcome(status="timeout", folds=3)
        return Outcome(status="ok", score=0.8, folds=10)


def ran(bench: FakeBench, seconds: tuple[float, ...], minutes: float) -> list[str]:
    """Let a loop go through the list, and return what was run."""
    loop = Loop(
        bench=bench,  # type: ignore[arg-type]
        choice=choice(seconds, rated=True),
        named=Candidates(specs={name: name for name in NAMES}, caveats=()),  # type: ignore[dict-item]
        end=monotonic() + 60 * minutes,
        stop_below=0.0,
        progress=lambda _: None,
    )
    loop.go()
    assert loop.stopped == "list-through"
    return bench.ran


def test_a_slow_one_at_the_head_of_the_list_waits_where_it_would_take_all_the_time() -> None:
    times = (500.0, 1.0, np.nan)
    assert ran(FakeBench(), times, minutes=15) == ["b", "c", "a"]
    assert ran(FakeBench(), times, minutes=60) == ["a", "b", "c"]


def test_where_the_first_was_cut_the_quickest_gives_an_answer_before_the_others() -> None:
    assert ran(FakeBench(slow="a"), (3.0, 2.0, 1.0), minutes=60) == ["a", "c", "b", "a"]
    assert ran(FakeBench(), (3.0, 2.0, 1.0), minutes=60) == ["a", "c", "b"]  # gain per second


def test_the_time_begins_when_the_lab_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine helpers take longer to start than a short time lasts; nothing would ever be tried."""
    now = [100.0]

    def start() -> None:
        now[0] += 0.0 if now[0] > 100.0 else 50.0  # those that have started stay

    monkeypatch.setattr("tiebreak.advisor.tryout._loop.clocks", SimpleNamespace(monotonic=lambda: now[0]))
    bench = FakeBench()
    monkeypatch.setattr(bench, "engine", SimpleNamespace(jobs=1, start=start), raising=False)
    loop = Loop(
        bench=bench,  # type: ignore[arg-type]
        choice=choice((1.0, 1.0, 1.0), rated=True),
        named=Candidates(specs={name: name for name in NAMES}, caveats=()),  # type: ignore[dict-item]
        end=now[0] + 20.0,
        stop_below=0.0,
        progress=lambda _: None,
    )
    loop.go()
    assert loop.stopped == "list-through" and sorted(bench.ran) == sorted(NAMES)
    assert loop.starting == 50.0 and loop.end == 170.0


def ordered(
    means: Mapping[str, float], seconds: Mapping[str, float], noise: float, score: str = "accuracy"
) -> Ordering:
    rng = np.random.default_rng(0)
    rows = [(name, r, f) for name in means for r in range(5) for f in range(2)]
    table = {
        "dataset": ["d"] * len(rows),
        "algorithm": [name for name, _, _ in rows],
        "replication": [r for _, r, _ in rows],
        "fold": [f for _, _, f in rows],
        score: [means[name] + rng.normal(0, noise) for name, _, _ in rows],
        "train_time": [seconds[name] for name, _, _ in rows],
    }
    return order(pl.DataFrame(table), score=score, cost="train_time")


def advised(means: Mapping[str, float], seconds: Mapping[str, float], noise: float, accd: float = 0.01) -> str | None:
    found = verdict(means, ordered(means, seconds, noise), accd=accd, judged=JudgedBy(trivial=0.5))
    return found.best


def test_a_difference_is_traded_for_what_time_is_worth() -> None:
    """1 % for ten times: a hundred times the speed is worth 2 %, ten times half of that."""
    means = {"good": 0.90, "quick": 0.89}
    assert advised(means, {"good": 100.0, "quick": 1.0}, noise=0.05) == "quick"
    assert advised(means, {"good": 3.0, "quick": 1.0}, noise=0.05) == "good"
    assert advised(means, {"good": 100.0, "quick": 1.0}, noise=0.05, accd=0.0) == "good"


def test_nobody_gives_accuracy_away_for_less_than_a_second() -> None:
    assert advised({"good": 0.90, "quick": 0.899}, {"good": 0.9, "quick": 0.001}, noise=0.05) == "good"
    assert advised({"good": 0.90, "quick": 0.90}, {"good": 0.9, "quick": 0.001}, noise=0.05) == "quick"


def test_the_sentences_say_how_much_and_whether_it_is_real() -> None:
    means, seconds = {"good": 0.9, "bad": 0.7}, {"good": 0.4, "bad": 0.1}
    found = verdict(means, ordered(means, seconds, 1e-3), accd=0.01, judged=JudgedBy(trivial=0.5))
    first, second = found.sentences
    assert first == "Use good: accuracy 0.9000, 0.400 above always answering the most frequent class (0.5000)."
    assert second.startswith(
        "It is 0.2000 ahead of bad, which takes 4 times less to train: significant on these data (p = "
    )
    about = replace(ordered(means, seconds, 0.5), order=("bad", "good"))
    unsure = verdict(means, about, accd=0.01, judged=JudgedBy(trivial=0.5))
    assert "no significant difference on these data" in unsure.sentences[1]
    codes = {note.code: note for note in unsure.caveats}
    assert codes["order-and-advice-differ"].startswith("Counted to the millisecond bad is first")
    assert verdict({}, None, accd=0.01, judged=JudgedBy(trivial=0.5)).best is None


def test_where_nothing_beats_the_most_frequent_class_that_is_the_headline() -> None:
    found = verdict({"nb": 0.5051, "lda": 0.49}, None, accd=0.01, judged=JudgedBy(trivial=0.55))
    assert found.sentences[0].startswith(
        "Use none of them yet: always answering the most frequent class has accuracy 0.55"
    )
    assert found.best is None and found.caveats[0].code == "not-above-trivial"  # type: ignore[attr-defined]
    assert "nb, 0.5051" in found.sentences[0]


def test_what_was_not_begun_is_told_without_seconds_when_the_time_was_over() -> None:
    assert "Not begun, as the time was over: lda and svr." in unfinished({}, 10, {"lda": nan, "svr": nan})
    (note,) = unfinished({}, 10, {"svr": 240.0})
    assert note == "Not begun, as the time that was left is too short: svr (about 4 min)."


OF_NUMBERS = JudgedBy(kind="number", trivial=1.0, trivial_error=8000.0)


def test_numbers_are_judged_by_their_error_beside_that_of_the_mean() -> None:
    means, seconds = {"good": 0.3, "bad": 0.7}, {"good": 0.4, "bad": 0.1}
    about = ordered(means, seconds, 1e-3, "relative_rmse")
    found = verdict(means, about, accd=0.01, judged=OF_NUMBERS, errors={"good": 2400.0, "bad": 5600.0})
    first, second = found.sentences
    assert found.best == "good"
    assert first == (
        "Use good: relative_rmse 0.3000, an error 70% below that of always predicting the mean"
        " (rmse 2,400 against 8,000)."
    )
    assert second.startswith(
        "It is 0.4000 ahead of bad, which takes 4 times less to train: significant on these data (p = "
    )
    unsure = verdict(means, ordered(means, seconds, 0.9, "relative_rmse"), accd=0.01, judged=OF_NUMBERS)
    assert {note.code: note for note in unsure.caveats}["order-and-advice-differ"].endswith(
        "good is advised because its relative_rmse is 0.4000 lower, and fits of less than a second count alike."
    )


def test_where_nothing_beats_the_mean_that_is_the_headline() -> None:
    found = verdict({"svr": 1.02, "linear": 1.31}, None, accd=0.01, judged=OF_NUMBERS)
    assert found.sentences == (
        "Use none of them yet: always predicting the mean has relative_rmse 1.0000, the best that was tried, svr,"
        " 1.0200.",
    )
    assert [note.code for note in found.caveats] == ["not-above-trivial", "optimistic"]


def test_an_error_is_traded_for_time_by_what_it_leaves_of_the_mean() -> None:
    """A relative_rmse of 0.40 and 0.41 are success rates of 0.60 and 0.59: a hundred times the speed is worth 2 %."""
    means = {"good": 0.40, "quick": 0.41}
    about = ordered(means, {"good": 100.0, "quick": 1.0}, 0.05, "relative_rmse")
    assert verdict(means, about, accd=0.01, judged=OF_NUMBERS).best == "quick"
    assert verdict(means, about, accd=0.001, judged=OF_NUMBERS).best == "good"


def test_what_was_seen_of_numbers_is_compared_as_a_success_rate() -> None:
    known = choice((1.0, 1.0, 1.0), rated=False)
    turned = replace(known, judged=OF_NUMBERS)
    assert turned.gains({"a": 0.25}, ["b", "c"]).gain[1:] == pytest.approx(
        known.gains({"a": 0.75}, ["b", "c"]).gain[1:]
    )
    assert turned.gains({"a": 3.0}, ["b"]).gain[1] == known.gains({"a": 0.0}, ["b"]).gain[1]  # worse than the mean
