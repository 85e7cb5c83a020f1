"""What all studies share on the command line: output, seeds, repeats."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tiebreak.cli import main
from tiebreak.cli.parsing import parser_of
from tiebreak.errors import OptionError
from tiebreak.studies import replicability, validation_study, win_matrices
from tiebreak.verbs.studies import STUDIES

from .every import every

FEW = {
    "advisor": ["--methods", "arr"],
    "choices": ["--repeats", "2", "--sizes", "100"],
    "orders": ["--repeats", "5"],
    "replicability": ["--repeats", "3", "--bias", "0,20", "--pair", "svr,c45"],
    "wins": [],
}


@pytest.mark.parametrize("name", FEW)
def test_the_ending_of_a_file_says_how_a_study_is_written(name: str, tmp_path: Path) -> None:
    for ending in ("json", "md"):
        assert main(["study", name, *FEW[name], "--out", str(tmp_path / f"{name}.{ending}")]) == 0
    assert json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
    assert "|" in (tmp_path / f"{name}.md").read_text(encoding="utf-8")


@every("name", [name for name, study in STUDIES.items() if study.named("seed") is not None])
def test_a_negative_seed_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", name, "--seed", "-1"]) == 2
    assert "--seed is -1. Use --seed 0, or a larger number." in capsys.readouterr().err


@pytest.mark.parametrize("name", ["error-rates", "orders", "replicability"])
def test_what_is_simulated_can_be_repeated_more_or_less_often(name: str) -> None:
    vars_ = vars(parser_of(f"study {name}").parse_args(["--repeats", "7"]))
    assert 7 in (vars_.get("repeats"), vars_.get("repetitions"))


def test_too_few_drawn_data_sets_for_any_rejection_are_said() -> None:
    notes = replicability(repeats=3, biases=[0], drawn=5, pair=("svl", "c45")).caveats
    texts = [note for note in notes if note.code == "least-pvalue"]
    assert texts[0] == (
        "With 5 data sets Wilcoxon's p-value is at least 0.062: corrected for 1 test(s) of one pair it can never reject"
        " at 0.05, whatever the scores. That takes 6 data sets."
    )
    assert len(texts) == 3


def test_a_score_is_not_compared_with_itself() -> None:
    with pytest.raises(OptionError, match=r"The score of both parts is 'accuracy'\..*held_out='test_accuracy'"):
        validation_study({}, held_out="accuracy")


def test_nothing_told_apart_is_no_success_of_the_validation_folds() -> None:
    rows = [(f"d{i}", name, fold) for i in range(2) for name in "ab" for fold in range(10)]
    table: dict[str, list[object]] = {key: [row[k] for row in rows] for k, key in enumerate(("dataset", "algorithm"))}
    scores = (0.5 + 0.3 * np.random.default_rng(0).random(40)).tolist()
    table |= {"fold": [row[2] for row in rows], "accuracy": scores, "test_accuracy": scores[::-1]}
    table["train_time"] = [1.0 if row[1] == "a" else 2.0 for row in rows]
    text = str(validation_study(table, tests=["corrected-t"], inner_adjust=["bonferroni"]))
    assert (
        "2 of 2 data sets are ordered alike on both parts, an algorithm moves 0.00 places on average, and no pair"
        " differs significantly on the validation folds: there cost alone orders them." in text
    )


def test_caveats_of_wins_name_their_matrix() -> None:
    folds = 0.2 + 0.1 * np.random.default_rng(0).random((7, 3, 10))
    folds[:5, 0] += 0.5  # the first wins on five data sets by far, the others nowhere
    folds[5:] = 0.5
    rows = [(f"d{i}", "abc"[j], k, folds[i, j, k]) for i in range(7) for j in range(3) for k in range(10)]
    columns = dict(zip(("dataset", "algorithm", "fold", "accuracy"), map(list, zip(*rows, strict=True)), strict=True))
    matrices = win_matrices(columns, score="accuracy", algorithms=["a", "b"])
    # five wins and two ties that are split: 6 of 7, p = 0.125; dropped: 5 of 5, p = 0.0625
    assert matrices.significant is not None and matrices.significant.pvalue.tolist() == [0.125]
    assert [note for note in matrices.caveats if note.code == "least-pvalue"] == [
        "Wins by the average: 1 of 1 pair(s) differ on fewer than six data sets: no p-value at or below 0.05 is"
        " possible.",
        "Significant wins: 1 of 1 pair(s) have significant wins on fewer than six data sets: no p-value at or below"
        " 0.05 is possible.",
    ]
