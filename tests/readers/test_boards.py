"""Boards: models in rows, benchmarks in columns, and costs beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main

BOARD = """Model,Family,Model Size (B),FLOPs (1E21),MMLU,HellaSwag,GSM8K,Own
org/a,x,7.0,84.0,0.44,0.77,0.14,0.5
org/b,y,13.0,156.0,0.54,0.81,,0.6
org/c,y,70.0,,0.69,0.85,0.55,0.7
"""


def test_costs_of_models_stand_beside_every_benchmark(tmp_path: Path) -> None:
    (tmp_path / "board.csv").write_text(BOARD)
    result = tb.read(tmp_path / "board.csv", scores="accuracy", also=None)
    assert result.datasets == ("GSM8K", "HellaSwag", "MMLU", "Own") and result.algorithms == ("org/a", "org/b", "org/c")
    assert result.costs == ("FLOPs (1E21)", "Model Size (B)") and result.metric("FLOPs (1E21)").unit == "1e21"
    np.testing.assert_array_equal(result.means("accuracy")[0], [0.14, np.nan, 0.55])
    np.testing.assert_array_equal(result.means("Model Size (B)"), [[7.0, 13.0, 70.0]] * 4)
    (note,) = (str(note) for note in result.caveats if note.code == "inferred")
    assert note.startswith("Read as: 3 models, 4 data sets; the 4 columns from MMLU to Own are data sets; costs ")


def test_an_order_of_a_board_by_its_own_cost(tmp_path: Path) -> None:
    (tmp_path / "board.csv").write_text(BOARD.replace("13.0,156.0,0.54,0.81,,", "13.0,156.0,0.54,0.81,0.2,"))
    order = tb.order(tmp_path / "board.csv", score="accuracy", cost="Model Size (B)")
    published = tb.order(tmp_path / "board.csv", score="accuracy", cost="Model Size (B)", rule="multitest")
    assert order.order == ("org/c", "org/b", "org/a")  # at ten times the size org/c is better by 23 points
    assert published.order == ("org/a", "org/b", "org/c")  # four data sets show no significant difference


def test_measures_of_one_data_set_are_no_board(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("model,params,accuracy,f1\na,1,0.5,0.4\nb,2,0.6,0.5\n")
    result = tb.read(tmp_path / "x.csv")
    assert (result.datasets, result.algorithms, result.scores) == (("x",), ("a", "b"), ("accuracy", "f1"))


def test_a_board_that_counts_wins_is_read_by_its_share_or_by_totals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.csv"
    rows = [
        ("x", 76.9, 0.9, 680, 125, 805, 870),
        ("y", 55.1, 1.2, 440, 365, 805, 2100),
        ("z", 20.3, 1.1, 160, 645, 805, 1900),
    ]
    head = ",win_rate,standard_error,n_wins,n_losses,n_total,avg_length\n"
    path.write_text(head + "".join(",".join(map(str, row)) + "\n" for row in rows))
    result = tb.read(path)
    assert (result.algorithms, result.scores, result.datasets) == (("x", "y", "z"), ("win_rate",), ("board",))
    options = ["--column", "algorithm=", "--column", "passed=n_wins", "--column", "n=n_total", "--cost", "avg_length"]
    assert main(["order", str(path), *options]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Use x: 84.5 pass_rate, the best of 3. Next: y, 29.8 points worse") and "these 805" in out


def test_benchmarks_of_language_models_tell_the_direction(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("model,MMLU,GSM8K,HumanEval,Price\na,50.9,32.2,40.3,1\nb,38.6,50.7,59.4,2\n")
    assert tb.read(path).metric("score").higher_is_better is True
    path.write_text("model,u,v,w\na,50.9,32.2,40.3\nb,38.6,50.7,59.4\n")
    assert tb.read(path).metric("score").higher_is_better is None
