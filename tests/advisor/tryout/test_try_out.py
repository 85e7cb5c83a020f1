"""Trying a recommendation out: real runs on small data, what they learn, how they end, and that they go on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tiebreak.advisor import Advisor, Knowledge, MetaTable, store_knowledge
from tiebreak.advisor.new_data import duplicates_together
from tiebreak.advisor.pilot import Trial, TriedOut, try_out
from tiebreak.advisor.pilot.run import known_beside, usual_splits
from tiebreak.datasets import DataSet, load
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.progress import Event
from tiebreak.readers import read_store
from tiebreak.stores import open_store

LONG = "30min"
"""More than any of these runs needs on a busy machine."""


def known(algorithms: tuple[str, ...], success: Any, seconds: Any = 0.01) -> Knowledge:
    """A base that says what it is told: one row of success rates per data set."""
    rates = np.asarray(success, dtype=float)
    names = tuple(f"d{i}" for i in range(len(rates)))
    rng = np.random.default_rng(0)
    times = np.broadcast_to(np.asarray(seconds, dtype=float), rates.shape)
    return Knowledge(
        datasets=names,
        algorithms=algorithms,
        accuracy=rates[:, :, None, None],
        time=times[:, :, None, None],
        meta=MetaTable(names=names, measures=("n_examples",), matrix=rng.uniform(100, 500, (len(rates), 1))),
        origins=names,
        machines=("m",) * len(rates),
        sources=("made",) * len(rates),
        fingerprints=("",) * len(rates),
    )


THREE = known(("lda", "nb", "c45"), [[0.95, 0.93, 0.90], [0.85, 0.88, 0.80], [0.90, 0.85, 0.92], [0.8, 0.7, 0.75]])


def tried(store: Path, base: Knowledge = THREE, data: Any = "builtin:iris", **options: Any) -> TriedOut:
    settings = {"time": LONG, "jobs": 1, "method": "mean-rank", "stop_below": 0.0}
    return try_out(base, data, store=store, **settings | options)


@pytest.fixture(scope="module")
def iris(tmp_path_factory: pytest.TempPathFactory) -> tuple[TriedOut, Path, list[Trial]]:
    """One whole run, which several tests look at."""
    place, news = tmp_path_factory.mktemp("iris") / "mine.db", []
    return tried(place, progress=news.append), place, news


def test_every_algorithm_is_tried_on_the_same_splits(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    result, place, news = iris
    assert news[0].algorithm == result.recommendation.algorithms[0] and news[0].folds == 2
    assert sorted(item.algorithm for item in result.trials) == ["c45", "lda", "nb"]
    assert [(item.status, item.folds) for item in result.trials] == [("ok", 10)] * 3
    assert {item.algorithm: item for item in news} == {item.algorithm: item for item in result.trials}
    assert result.stopped == "list-through" and result.left == () and result.resampling == "5x2cv"
    table = read_store(place, scores=["accuracy", "train_time"])
    assert table.cube("accuracy").shape == (1, 3, 5, 2) and not np.isnan(table.cube("accuracy")).any()
    means = dict(zip(table.algorithms, table.cube("accuracy").mean(axis=(0, 2, 3)), strict=True))
    for trial in result.trials:
        assert trial.score == pytest.approx(means[trial.algorithm])
    assert result.trials[-1].best_so_far == pytest.approx(means[result.best])
    assert 0 <= result.expected_loss <= result.loss_at_most < 0.1


def test_the_answer_is_the_best_score_and_its_code_fits_it(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    result, _, _ = iris
    scores = {trial.algorithm: trial.score for trial in result.trials}
    assert result.best == result.tried[0].algorithm
    assert scores[result.best] >= max(scores.values()) - 0.01  # type: ignore[operator]
    text = str(result)
    assert text.startswith(
        f"Use {result.best}: accuracy {scores[result.best]:.3f} in 5x2cv, a little optimistic (mean of 10"
    )
    assert len(text.splitlines()) <= 24 and "every algorithm of the list was tried" in " ".join(text.split())
    assert f"To fit {result.best} on all rows:\n\nfrom tiebreak.lab import " in str(result.document())
    model, data = result.fit(), load("builtin:iris")
    names = np.array(data.classes)[data.target]
    frame = pd.DataFrame(data.values, columns=list(data.attributes))
    assert np.mean(model.predict(frame) == names) > 0.9


def test_in_json_the_run_stands_beside_the_recommendation(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    result, place, _ = iris
    options = result.to_dict()
    assert options["ranking"] and options["neighbours"]
    run = options["run"]
    assert {"store", "resampling", "tried", "stopped", "order", "best", "code"} <= set(run)
    assert run["store"] == str(place) and options["timing"]["run_budget"] == 1800 and run["stopped"] == "list-through"
    assert options["expected_loss"]["mean"] <= options["expected_loss"]["high"] and not options["timing"]["limited"]
    keys = {"algorithm", "status", "accuracy", "folds", "best_so_far", "expected_loss"}
    assert all(keys <= set(item) for item in run["tried"])
    assert run["order"][0] == options["ranking"][0]["algorithm"] == run["best"] == result.best
    assert run["code"].startswith("from tiebreak.lab import ")


def test_the_same_again_repeats_nothing(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    first, place, _ = iris
    events: list[Event] = []
    again = tried(place, events=events.append)
    assert not [event for event in events if event.kind in ("started", "finished")]
    scores = ({trial.algorithm: trial.score for trial in result.trials} for result in (first, again))
    assert next(scores) == next(scores)
    assert all(trial.stored for trial in again.trials) and again.best == first.best
    assert (again.expected_loss, again.loss_at_most) == pytest.approx((first.expected_loss, first.loss_at_most))


def test_a_tuned_variant_is_fitted_by_the_code_and_known_to_others(tmp_path: Path) -> None:
    """A wave without noise needs a larger C."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200, 2))
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "class": np.where(np.sin(9 * X[:, 0]) > X[:, 1], "a", "b")})
    base = known(("svr", "lda"), [[0.95, 0.80], [0.85, 0.60], [0.90, 0.75]])
    result = tried(tmp_path / "s.db", base, frame, target="class")
    assert result.best == "svr (C=100.0)" and "svr (C=100.0)" in result.title() and result.stopped == "list-through"
    assert "'C': 100.0" in str(result.code)
    model = result.fit(frame[["x", "y"]], frame["class"])
    assert model.pipeline.named_steps["learn"].C == 100.0
    again = tried(tmp_path / "s.db", base, frame, target="class")
    assert all(trial.stored for trial in again.trials) and again.best == result.best and len(again.trials) == 5
    known_names = ["lda", "svr (C=100.0)"]
    other = tried(tmp_path / "s.db", store_knowledge(tmp_path / "s.db"), "builtin:wine", algorithms=known_names)
    assert sorted(trial.algorithm for trial in other.trials) == known_names


def test_a_data_set_that_was_tried_is_known_to_others(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    _, place, _ = iris
    base = store_knowledge(place)
    assert base.datasets == ("iris",) and base.fingerprints == (duplicates_together(load("builtin:iris")).fingerprint,)
    recommend = Advisor(place).recommend(load("builtin:wine"))
    assert recommend.neighbours.names == ("iris",) and sorted(recommend.algorithms) == ["c45", "lda", "nb"]


def test_what_is_known_beside_the_data_is_never_themselves(iris: tuple[TriedOut, Path, list[Trial]]) -> None:
    _, place, _ = iris
    data = load("builtin:iris")
    base, text = known_beside(data, lambda: store_knowledge(place), place)
    assert len(base.datasets) > 10 and data.fingerprint not in base.fingerprints  # the shipped base answers
    assert [item.code for item in text] == ["shipped-base"]
    base, text = known_beside(data, lambda: store_knowledge(place), place.with_name("none.db"))
    assert "none.db holds no results yet: the base that ships with the package says what to try." in text[0]
    base, text = known_beside(load("builtin:wine"), lambda: store_knowledge(place), place)
    assert base.datasets == ("iris",) and text == ()


def test_it_ends_when_the_answer_is_good_enough(tmp_path: Path) -> None:
    """Everywhere else lda is better by far; two folds each suffice here."""
    base = known(("lda", "nb", "c45"), [[0.95, 0.90, 0.80], [0.90, 0.85, 0.70], [0.85, 0.83, 0.75]])
    result = tried(tmp_path / "s.db", base, stop_below=0.05)
    assert result.best == "lda" and result.stopped == "good-enough" and result.expected_loss < 0.05
    assert set(result.left) >= {trial.algorithm for trial in result.trials if trial.folds < 10}
    assert "the expected loss is below the limit." in " ".join(str(result).split())
    assert f"How sure: 90% sure that {result.best} is at most " in str(result)


def test_a_learner_that_fails_is_named_and_the_run_goes_on(tmp_path: Path) -> None:
    base = known(("bad", "lda", "nb"), [[0.95, 0.90, 0.80], [0.90, 0.85, 0.70]])
    learners = {"bad": {"import": "learners_to_try:Broken"}}
    result = tried(tmp_path / "s.db", base, learners=learners)
    assert {trial.algorithm: trial.status for trial in result.trials} == {"bad": "error", "lda": "ok", "nb": "ok"}
    [note] = [caveat for caveat in result.caveats if caveat.code == "run-failed"]
    assert note.startswith("bad failed: ValueError: the matrix is singular")
    assert result.best in ("lda", "nb") and result.stopped == "list-through"


def test_the_time_ends_what_still_runs(tmp_path: Path) -> None:
    base = known(("sleeper", "nb", "lda"), [[0.95, 0.90, 0.80], [0.90, 0.85, 0.80]])
    learners = {"sleeper": {"import": "learners_to_try:Sleeper"}}
    result = tried(tmp_path / "s.db", base, learners=learners, time="3s")  # a fit would take ten minutes
    assert result.stopped == "time-over" and result.best is None and result.code is None
    [trial] = result.trials
    assert (trial.algorithm, trial.status, trial.folds) == ("sleeper", "timeout", 0)
    note = next(caveat for caveat in result.caveats if caveat.code == "trials-unfinished")
    assert note == "Cut by the time: sleeper (0 of 10 folds). The finished folds count, and are kept."
    assert str(result).startswith("No fold was finished on 'iris' in the time")
    with open_store(tmp_path / "s.db") as store:  # nothing is kept as failed: more time runs it again
        assert store.counts() == {**dict.fromkeys(store.counts(), 0), "waiting": 10}
    more = tried(tmp_path / "s.db", base, algorithms=["nb", "lda"])
    assert [item.status for item in more.trials] == ["ok", "ok"]


def test_ctrl_c_gives_the_answer_from_what_is_there(tmp_path: Path) -> None:
    def strike(event: Event) -> None:
        if event.kind == "finished" and event.cell is not None and event.cell.algorithm != "lda":
            raise KeyboardInterrupt

    result = tried(tmp_path / "s.db", events=strike)
    assert result.stopped == "interrupted" and result.best == "lda"
    assert result.trials[-1].status == "interrupted"
    assert "it was interrupted" in str(result) and result.code is not None


def test_a_library_that_is_missing_is_named_with_what_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xgboost", None)
    base = known(("xgboost", "lda", "nb", "alien"), [[0.95, 0.90, 0.80, 0.7], [0.90, 0.85, 0.70, 0.6]])
    result = tried(tmp_path / "s.db", base)
    assert sorted(trial.algorithm for trial in result.trials) == ["lda", "nb"]
    (alien,) = (caveat for caveat in result.caveats if caveat.code == "algorithms-left-out")
    assert "'alien'" in alien and result.missing == ("xgboost",)
    assert "Not installed: xgboost: pip install 'tiebreak[lab,boosting]'" in str(result)
    with pytest.raises(OptionError, match="None of the recommended algorithms can be run here: 'u', 'v'"):
        tried(tmp_path / "t.db", known(("u", "v"), [[0.9, 0.8], [0.8, 0.9]]))
    assert not (tmp_path / "t.db").exists()


def test_what_the_advisor_refuses_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The target is a number, and what is known are results on classes"):
        tried(tmp_path / "s.db", data="sklearn:diabetes")
    with pytest.raises(InputError, match="The data are a dict without a target"):
        tried(tmp_path / "s.db", data={"n_examples": 100.0})
    for options, words in (
        ({"time": "soon"}, "The time is 'soon'"),
        ({"time": "5min-cpu"}, "Trials end by the clock"),
        ({"stop_below": -1}, "stop_below is -1"),
    ):
        with pytest.raises(OptionError, match=words):
            tried(tmp_path / "s.db", **options)
    assert not list(tmp_path.iterdir())


def test_the_answer_is_never_below_the_majority(tmp_path: Path) -> None:
    """Not even where the better algorithms were not run to the end, or nothing can be learned."""
    rng = np.random.default_rng(3)
    data = DataSet.from_arrays(rng.normal(size=(80, 3)), ["a"] * 74 + ["b"] * 6, name="rare")
    result = tried(tmp_path / "s.db", data=data, algorithms=["lda", "c45"])
    assert max(trial.score or 0 for trial in result.trials) <= result.trivial
    assert result.best is None and result.to_dict()["run"]["best"] is None
    assert result.title() == "Use none of the 2 tried: none is better than the majority class." and result.code is None


def test_finished_folds_of_a_trial_that_was_cut_count(tmp_path: Path) -> None:
    count = 0

    def strike(event: Event) -> None:
        nonlocal count
        count += event.kind == "finished" and event.cell is not None
        if count == 1:
            raise KeyboardInterrupt

    result = tried(tmp_path / "s.db", events=strike, jobs=1)
    [trial] = result.trials
    assert trial.status == "interrupted" and trial.folds == 1
    assert result.best == trial.algorithm and trial.score is not None and trial.score > 0.5
    assert result.code is not None and result.title().startswith(f"Use {trial.algorithm}: accuracy ")


def test_large_data_are_split_less_often() -> None:
    small = load("builtin:iris")
    large = DataSet.from_arrays(np.zeros((10_000, 100)), [0, 1] * 5_000)
    assert (usual_splits(small).replications, usual_splits(large).replications) == (5, 2)
    assert usual_splits(large).test == 0 and usual_splits(large).folds == 2


def test_two_jobs_serve_too(tmp_path: Path) -> None:
    result = tried(tmp_path / "s.db", algorithms=["lda", "nb"], jobs=2)
    assert {trial.folds for trial in result.trials} == {10}
