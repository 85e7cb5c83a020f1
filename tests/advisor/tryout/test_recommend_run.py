"""`tiebreak recommend --run`: from a file to an answer, on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tiebreak.cli import main

FEW = ["--algorithms", "lda,nb,c45", "--stop-below", "0", "--jobs", "1"]


@pytest.fixture
def pets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file with symbols and gaps, in a folder of its own."""
    rng = np.random.default_rng(2)
    lines = ["weight,coat,pet"]
    for _ in range(80):
        cat = rng.random() < 0.5
        weight = f"{rng.normal(4 if cat else 9, 2):.2f}" if rng.random() < 0.9 else ""
        lines.append(f"{weight},{rng.choice(['short', 'long'])},{'cat' if cat else 'dog'}")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pets.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_file_is_tried_out_and_the_same_command_repeats_nothing(
    pets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["recommend", "pets.csv", "--run", "30min", *FEW, "--json"]
    assert main(call) == 0
    first = capsys.readouterr()
    data = json.loads(first.out)
    run = data["run"]
    assert data["dataset"] == "pets" and run["store"] == "results.db" and data["timing"]["run_budget"] == 1800
    assert sorted(item["algorithm"] for item in run["tried"]) == ["c45", "lda", "nb"] and run["left"] == []
    assert run["stopped"] == "list-through" and run["best"] in run["order"]
    assert "fit_learner('pets.csv', " in run["code"]
    lines = [line for line in first.err.splitlines() if "expected loss of the best" in line]
    assert len(lines) == 6 and " on 2 fold(s) in " in lines[0] and " on 10 fold(s) in " in lines[-1]
    assert main(call) == 0
    again = capsys.readouterr()
    options = json.loads(again.out)["run"]
    assert all(item["stored"] for item in options["tried"]) and "cells" not in again.err
    scores = ({item["algorithm"]: item["accuracy"] for item in part["tried"]} for part in (options, run))
    assert next(scores) == next(scores) and options["best"] == run["best"]


def test_the_answer_is_first_and_the_store_is_learned_from(pets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["recommend", "pets.csv", "--run", "30min", "--store", "mine.db", *FEW]
    assert main([*call, "--code", "fit.py"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Use ") and len(text.splitlines()) <= 24
    assert Path("fit.py").read_text().rstrip().endswith("is the fitted estimator")
    other = ["recommend", "builtin:iris", "--run", "30min", "--store", "mine.db", *FEW, "--json"]
    assert main(other) == 0
    assert [load["dataset"] for load in json.loads(capsys.readouterr().out)["neighbours"]] == ["pets"]


@pytest.fixture
def rents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file with a number to predict: symbols, gaps, a column of row numbers, and a row without its number."""
    rng = np.random.default_rng(3)
    lines = ["flat,size,part,rent"]
    for flat in range(1, 81):
        size, part = rng.uniform(20, 120), rng.choice(["old", "new"])
        rent = 300 + 11 * size + 200 * (part == "new") + rng.normal(0, 60)
        lines.append(f"{flat},{f'{size:.1f}' if flat % 9 else ''},{part},{f'{rent:.0f}' if flat != 7 else ''}")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "rents.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_number_is_tried_out_beside_the_mean_and_its_code_runs(
    rents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["recommend", "rents.csv", "--run", "30min", "--algorithms", "linear,c45,mean", *FEW[2:]]
    assert main([*call, "--json"]) == 0
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    run, tried = data["run"], {item["algorithm"]: item for item in data["run"]["tried"]}
    assert data["kind"] == "number" and run["score"] == "relative_rmse" and run["majority"] is None
    assert tried["mean"]["relative_rmse"] == pytest.approx(1.0) and run["stopped"] == "list-through"
    assert run["trivial"]["rmse"] == pytest.approx(tried["mean"]["rmse"], rel=0.05)
    assert run["best"] == "linear" and tried["linear"]["relative_rmse"] < tried["c45"]["relative_rmse"] < 1
    assert run["order"] == ["linear", "c45", "mean"]
    assert {line.split(":")[0] for line in captured.err.splitlines() if ": relative_rmse " in line} == {*tried}
    space: dict[str, Any] = {}
    exec(run["code"], space)
    rows = pl.read_csv("rents.csv").drop_nulls("rent")
    away = space["model"].predict(rows) - rows["rent"].to_numpy()
    assert len(away) == 79 and space["model"].columns == ["size", "part"]
    assert np.sqrt(np.mean(away**2)) < run["trivial"]["rmse"] / 2
    assert main([*call, "--full"]) == 0  # all from the store
    text = capsys.readouterr().out
    assert text.startswith(f"Use linear: RMSE {tried['linear']['relative_rmse'] * run['trivial']['rmse']:.3g} in 5x2cv")
    assert text.rstrip().endswith("is the fitted estimator")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["--jobs", "1"], "--jobs was given without --run."),
        (["--run", "soon"], "The time is 'soon'."),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_runs(
    call: list[str], words: str, pets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recommend", "pets.csv", *call]) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in pets.parent.iterdir()] == ["pets.csv"]


def test_a_known_data_set_has_no_rows_to_run_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "--known", "iris", "--run", "1min"]) == 2
    assert "--run was given for the known data set 'iris'. Algorithms are run on rows" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_prints_the_answer_from_what_is_there(pets: Path) -> None:
    call = [sys.executable, "-m", "tiebreak", "recommend", "pets.csv", "--run", "30min", *FEW[2:], "--json"]
    with subprocess.Popen(
        call,
        cwd=pets.parent,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # tests may run where it is ignored
    ) as running:
        assert running.stderr is not None and running.stdout is not None
        for line in running.stderr:
            if "expected loss of the best" in line:
                running.send_signal(signal.SIGINT)
                break
        out = running.stdout.read()
        running.stderr.read()
    run = json.loads(out)["run"]
    assert running.returncode == 130 and run["stopped"] == "interrupted"
    assert run["best"] is not None and run["code"].startswith("from tiebreak.lab import ") and run["left"]
