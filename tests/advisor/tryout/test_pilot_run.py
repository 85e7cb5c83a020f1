"""Recommending with a pilot: real fits on small data, what they answer, and when there is no pilot."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tiebreak as tb
import tiebreak.advisor.pilot.recommend as recommending
from tiebreak.advisor import Advisor, Knowledge, MetaTable, Recommendation
from tiebreak.advisor.pilot import recommend_piloted
from tiebreak.advisor.pilot.fits import MOST_ROWS
from tiebreak.advisor.pilot.piloted import PilotedRecommendation
from tiebreak.advisor.pilot.recommend import pilot_seconds
from tiebreak.cli import main
from tiebreak.datasets import DataSet, load
from tiebreak.errors import OptionError

LONG = "30min"
"""More than any of these pilots needs on a busy machine: they end by their own rule."""


def known(algorithms: tuple[str, ...], rates: Any) -> Knowledge:
    """A base that says what it is told."""
    rates = np.asarray(rates, dtype=float)
    names = tuple(f"d{i}" for i in range(len(rates)))
    return Knowledge(
        datasets=names,
        algorithms=algorithms,
        accuracy=rates[:, :, None, None],
        time=np.full((*rates.shape, 1, 1), 0.01),
        meta=MetaTable(names=names, measures=("n_examples",), matrix=np.arange(100.0, 100 + len(rates))[:, None]),
        origins=names,
        machines=("m",) * len(rates),
        sources=("made",) * len(rates),
        fingerprints=("",) * len(rates),
    )


BASE = known(("lda", "nb", "c45"), [[0.95, 0.93, 0.90], [0.85, 0.88, 0.80], [0.90, 0.85, 0.92], [0.8, 0.7, 0.75]])


def piloted(data: Any, base: Knowledge = BASE, **options: Any) -> PilotedRecommendation:
    recommendation = recommend_piloted(base, data, **{"pilot": LONG, "method": "mean-rank"} | options)
    assert isinstance(recommendation, PilotedRecommendation)
    return recommendation


@pytest.fixture(scope="module")
def wine() -> PilotedRecommendation:
    """One pilot, which several tests look at."""
    return piloted("builtin:wine")


def test_the_answer_is_first_everywhere_and_held_out_rows_were_not_used(wine: PilotedRecommendation) -> None:
    assert wine.best == wine.algorithms[0].algorithm == wine.to_dict()["ranking"][0]["algorithm"]
    assert wine.to_dict()["pilot"]["best"] == wine.best and wine.tried[0].held_out == wine.held_out
    assert wine.held_out is not None and wine.trivial_held_out is not None
    assert wine.held_out > 0.8 > wine.trivial_held_out and wine.held_out_rows == 36
    assert 0 <= wine.expected_loss <= wine.loss_at_most and wine.fits == sum(item.folds for item in wine.tried)
    assert (not wine.limited and wine.expected_loss < 0.01) or wine.fits == 15


def test_the_screen_is_short_and_its_table_sorted(wine: PilotedRecommendation) -> None:
    text = str(wine)
    lines = text.splitlines()
    assert lines[0].startswith(f"Use {wine.best}: accuracy 0.") and len(lines) <= 24
    assert max(map(len, lines)) <= 80
    behind = [float(row["points behind"]) for row in wine.rows()]  # type: ignore[arg-type]
    assert behind == sorted(behind) and behind[0] == 0 and wine.rows()[0]["tried"] == wine.best
    assert text.count("0.389") == 1 and f"How sure: 90% sure that {wine.best} is at most " in text
    for form in (wine.to_markdown(), wine.to_latex(), wine._repr_html_(), wine.report().to_html()):
        assert wine.best in form  # type: ignore[operator]


def test_two_pilots_are_equal_but_for_their_times(wine: PilotedRecommendation) -> None:
    one, two = wine.to_dict(), piloted("builtin:wine").to_dict()
    timing = one.pop("timing"), two.pop("timing")
    assert one == two and timing[0].keys() == timing[1].keys() and timing[0]["limited"] is False
    json.dumps(one, allow_nan=False)


def test_a_trade_prefers_what_is_predicted_to_be_faster_and_says_what_was_traded() -> None:
    rates = np.tile([0.95, 0.94], (4, 1))
    base = known(("rf", "lda"), rates)
    assert base.time is not None
    base = replace(base, time=base.time * np.array([10_000.0, 1.0])[None, :, None, None])  # 100 s and 0.01 s
    recommendation = piloted("builtin:wine", base, method=None, accd=0.05, pilot="20s")
    assert recommendation.best == "lda" and recommendation.algorithms[0].after_trade == 0.0
    assert "I trade 5 % of accuracy for ten times the speed" in str(recommendation)
    assert recommendation.to_dict()["ranking"][0]["after_trade"] == 0.0
    assert recommendation.printed_table().header[-1] == "behind after trade"


def test_without_a_pilot_it_is_the_recommendation_of_the_base() -> None:
    data = load("builtin:wine")
    plain = recommend_piloted(BASE, data, pilot=0, method="mean-rank")
    assert isinstance(plain, Recommendation)
    recommend = Advisor(BASE).recommend(data, method="mean-rank")
    assert plain.algorithms == recommend.algorithms and plain.caveats == recommend.caveats
    described = recommend_piloted(BASE, {"n_examples": 100.0})
    assert isinstance(described, Recommendation)


def test_without_the_lab_one_line_says_what_a_pilot_would_add(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommending, "LAB", ("sklearn", "no_such_package"))
    recommendation = recommend_piloted(BASE, "builtin:wine")
    assert isinstance(recommendation, Recommendation)
    (note,) = [caveat for caveat in recommendation.caveats if getattr(caveat, "code", "") == "not-piloted"]
    assert "(no_such_package not installed)" in note and "pip install 'tiebreak[lab]'" in note


def test_nothing_is_recommended_that_is_not_better_than_the_majority() -> None:
    rng = np.random.default_rng(1)
    data = DataSet.from_arrays(rng.normal(size=(150, 3)), ["a"] * 139 + ["b"] * 11, name="noise")
    recommendation = piloted(data)
    assert (
        recommendation.best is None
        and recommendation.code is None
        and recommendation.to_dict()["pilot"]["best"] is None
    )
    assert str(recommendation).startswith("Use none of the 3 tried: none is better than the majority class")


def test_an_answer_below_the_majority_on_held_out_rows_is_none() -> None:
    """Folds promised more than rows that no choice saw hold: the headline says so."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(120, 2))
    names = np.where(x[:, 0] > 0.9, "b", "a")
    data = DataSet.from_arrays(x, names.tolist(), name="turned")
    race = recommending.prepared

    def turned(*arguments: Any, **options: Any) -> Any:
        pilot = race(*arguments, **options)
        pilot.trivial_held_out = 1.0
        return pilot

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recommending, "prepared", turned)
        recommendation = piloted(data)
    assert recommendation.best is None and recommendation.code is None and recommendation.held_out is None
    first, title = recommendation.tried[0], recommendation.title()
    assert title.startswith("Use none") and title.endswith(
        f"has accuracy {first.held_out:.3f}, the majority class 1.000."
    )
    assert recommendation.rows()[0]["tried"] == "majority class" and not recommendation.answer.next_best


def test_numbers_are_judged_beside_the_mean() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 3))
    data = DataSet.from_arrays(x, (x[:, 0] * 3 + rng.normal(scale=0.3, size=200)).tolist(), kind="number", name="line")
    recommendation = recommend_piloted(None, data, pilot=LONG, algorithms=["mean", "ridge", "c45"])
    assert isinstance(recommendation, PilotedRecommendation)
    assert recommendation.best == "ridge" and recommendation.held_out is not None and recommendation.held_out < 0.3
    rmse = recommendation.held_out * (recommendation.judged.trivial_error or 0)
    assert f"RMSE {rmse:.3g} on 40 held-out rows" in recommendation.title()
    assert f"(mean predictor {rmse / recommendation.held_out:.3g})" in recommendation.title()
    assert "mean" not in [algorithm.algorithm for algorithm in recommendation.algorithms]  # it needs no fit
    behind = [row["RMSE behind"] for row in recommendation.rows()]
    assert behind == sorted(behind) and behind[0] == 0.0  # type: ignore[type-var]


def test_log_loss_and_auc_are_judged_by_themselves() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 3))
    names = np.where(x[:, 0] + rng.normal(size=200) > 0, "u", "v").tolist()
    data = DataSet.from_arrays(x, names, name="line")
    recommend = tb.recommend(data, score="log_loss", pilot=LONG, algorithms=["logistic", "c45", "nb"])
    assert isinstance(recommend, PilotedRecommendation)
    assert recommend.best in ("logistic", "nb") and recommend.trivial == pytest.approx(np.log(2), abs=0.01)
    assert 0.3 < recommend.held_out < recommend.trivial_held_out and "(class shares 0.69" in recommend.title()  # type: ignore[operator]
    scores = [row["log loss behind"] for row in recommend.rows()]
    assert scores == sorted(scores) and recommend.to_dict()["pilot"]["score"] == "log_loss"  # type: ignore[type-var]
    area = tb.recommend(data, score="auc", pilot=LONG, algorithms=["lda", "svl", "nb"])
    assert isinstance(area, PilotedRecommendation)
    assert area.trivial == 0.5 and 0.7 < area.held_out <= 1 and "AUC 0." in area.title()  # type: ignore[operator]
    with pytest.raises(OptionError, match="score was given with base"):
        tb.recommend(data, score="auc", base=BASE)


def test_what_fails_is_named_and_what_cannot_be_fitted_is_left_out() -> None:
    base = known(("bad", "lda", "alien"), [[0.95, 0.9, 0.99], [0.9, 0.85, 0.99], [0.92, 0.8, 0.99]])
    recommendation = piloted("builtin:iris", base, learners={"bad": {"import": "learners_to_try:Broken"}})
    assert (
        recommendation.best == "lda"
        and "singular" in recommendation.failed["bad"]
        and "Failed: bad" in str(recommendation)
    )
    assert [algorithm.algorithm for algorithm in recommendation.algorithms] == ["lda"]


def test_a_fit_that_takes_too_long_is_ended_with_the_pilot() -> None:
    base = known(("sleeper", "lda"), [[0.95, 0.9], [0.9, 0.85], [0.92, 0.8]])
    recommendation = recommend_piloted(
        base,
        "builtin:iris",
        pilot="1s",
        method="mean-rank",
        learners={"sleeper": {"import": "learners_to_try:Sleeper"}},
    )
    assert isinstance(recommendation, Recommendation)
    (note,) = [caveat for caveat in recommendation.caveats if getattr(caveat, "code", "") == "not-piloted"]
    assert "none ended in 1 s" in note


def test_data_that_cannot_be_split_get_the_answer_of_the_base() -> None:
    data = DataSet.from_arrays(np.arange(12.0)[:, None], ["a"] * 11 + ["b"], name="tiny")
    recommendation = recommend_piloted(BASE, data, pilot=LONG, method="mean-rank")
    assert isinstance(recommendation, Recommendation)
    assert "not-piloted" in [getattr(caveat, "code", "") for caveat in recommendation.caveats]


def test_of_large_data_a_sample_is_fitted() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(MOST_ROWS + 2000, 2))
    data = DataSet.from_arrays(x, np.where(x[:, 0] > 0, "u", "v").tolist(), name="large")
    recommendation = piloted(data, algorithms=["lda", "nb"])
    assert recommendation.n_rows == MOST_ROWS and f"of a sample of {MOST_ROWS:,} rows" in str(recommendation)
    assert recommendation.held_out_rows == MOST_ROWS // 5


def test_the_time_of_a_pilot_is_read_in_words() -> None:
    assert [pilot_seconds(item) for item in ("5s", 0, "0", 2.5, "1min")] == [5.0, 0.0, 0.0, 2.5, 60.0]
    for bad in ("soon", -1, True, "5min-cpu"):
        with pytest.raises(OptionError, match="time that fits on your rows may take"):
            pilot_seconds(bad)


def test_the_command_prints_the_answer_and_writes_code_that_predicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    lines = ["weight,coat,pet"]
    for _ in range(120):
        cat = rng.random() < 0.5
        lines.append(f"{rng.normal(4 if cat else 9, 2):.2f},{rng.choice(['short', 'long'])},{'cat' if cat else 'dog'}")
    Path("pets.csv").write_text("\n".join(lines) + "\n")
    call = ["recommend", "pets.csv", "--pilot", LONG, "--algorithms", "lda,nb,c45"]
    assert main([*call, "--code", "fit.py"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Use ") and len(text.splitlines()) <= 24
    space: dict[str, Any] = {}
    exec(Path("fit.py").read_text(), space)
    assert set(space["model"].predict(pl.read_csv("pets.csv").head(3))) <= {"cat", "dog"}
    assert main([*call, "--full"]) == 0
    whole = capsys.readouterr().out
    assert "Neighbours" not in text and "References:" in whole and "Try first on 'pets'" in whole
    assert main(["recommend", "pets.csv", "--pilot", "0", "--algorithms", "lda,nb,c45", "--json"]) == 0
    assert "pilot" not in json.loads(capsys.readouterr().out)
