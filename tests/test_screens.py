"""The short answers of the terminal: what to do first, on one screen of 80 columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main

from .every import every

EXAMPLES = Path(__file__).parent.parent / "examples"
CALLS = {
    "all pairs": "compare demsar2006.csv --score auc",
    "control": "compare demsar2006.csv --score auc --control C4.5",
    "nemenyi": "compare ulas2012.csv --score accuracy --posthoc nemenyi",
    "many pairs": "compare ulas2012.csv --score accuracy",
    "items": "compare items.csv --cluster document --column epoch=answer --score accuracy",
    "order": "order ulas2012.csv --score accuracy --cost train_time",
    "multitest": "order ulas2012.csv --score accuracy --cost train_time --rule multitest",
    "multi2test": "order ulas2012.csv --score accuracy --cost train_time --rule multi2test",
}


@every("call", CALLS.values())
def test_an_answer_fits_one_screen(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(call.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 23 and max(map(len, lines)) <= 80
    assert lines[0].rstrip(".") and "table" not in lines[0]
    assert lines[-1].startswith("More: ")


def test_the_screen_of_demsars_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(CALLS["all pairs"].split()) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[:10] == [
        "C4.5+m+cf and C4.5+m are significantly better than C4.5; nothing else differs.",
        "",
        "algorithm  mean rank  mean auc (%)  group",
        "C4.5+m+cf      1.929         82.72  a",
        "C4.5+m         2.000         82.04  a",
        "C4.5+cf        2.929         80.88  ab",
        "C4.5           3.143         80.49  b",
        "",
        "No significant difference between algorithms that share a letter.",
        "14 data sets; Wilcoxon signed ranks test, Bergmann-Hommel correction, 5% level.",
    ]
    assert main([*CALLS["all pairs"].split(), "--full"]) == 0
    full = capsys.readouterr().out
    assert full != shown and "References:" in full and "adjusted p" in full


def scores(*shifts: float, seed: int = 0, count: int = 20) -> tb.Results:
    rng = np.random.default_rng(seed)
    values = 0.7 + 0.1 * rng.random((count, 1)) + np.array(shifts) + 0.005 * rng.random((count, len(shifts)))
    return tb.Results.from_array(values, algorithms=[f"a{i}" for i in range(len(shifts))], score="accuracy")


@pytest.mark.parametrize(
    ("shifts", "headline"),
    [
        ((0.1, 0.0), "a0 is significantly better than a1."),
        ((0.0, 0.0), "No significant difference between a0 and a1."),
        ((0.1, 0.0, 0.0), "a0 is significantly better than a1 and a2; nothing else differs."),
        ((0.1, 0.1, 0.0), "a1 and a0 are significantly better than a2; nothing else differs."),
        ((0.2, 0.1, 0.0), "a0 is significantly better than a1 and a2."),
        ((0.3, 0.2, 0.1, 0.05, 0.0, -0.1), "a0 is significantly better than all 5 others."),
        ((0.0,) * 4, "No significant difference among the 4 algorithms."),
    ],
)
def test_the_headline_says_who_is_better(shifts: tuple[float, ...], headline: str) -> None:
    assert str(tb.compare(scores(*shifts, seed=3))).splitlines()[0] == headline


def test_equal_scores_and_few_data_sets_have_their_own_words() -> None:
    same = tb.Results.from_array(np.full((6, 3), 0.5), score="accuracy")
    assert str(tb.compare(same)).startswith("All 3 have the same accuracy everywhere.")
    few = str(tb.compare(scores(0.2, 0.0, count=4)))
    assert few.startswith("No significant difference between a0 and a1: with 4 data sets")


def test_long_names_are_cut_in_the_middle() -> None:
    names = [f"gradient boosting with {i} settings tuned by random search for four hours ({i})" for i in (1, 2)]
    values = np.random.default_rng(0).random((12, 2)) * 0.1 + [0.7, 0.5]
    named = tb.Results.from_array(values, algorithms=names, score="accuracy")
    table = str(tb.compare(named)).split("\n\n")[1].splitlines()
    assert max(map(len, table)) <= 80
    assert table[1].startswith("gradient boosting") and "(1)" in table[1]
