"""`tiebreak FILE`: which verb is obvious, and that it runs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tiebreak.cli import main
from tiebreak.errors import TiebreakError
from tiebreak.obvious import LOOKED_FOR, obvious

from .every import every

EXAMPLES = Path(__file__).parents[1] / "examples"
RNG = np.random.default_rng(0)


def flowers(rows: int = 60) -> str:
    lines = [f"{RNG.normal(5, 1):.1f},{RNG.normal(300, 9):.0f},{'abc'[i % 3]}" for i in range(rows)]
    return "length,weight,species\n" + "\n".join(lines) + "\n"


def codes(rows: int = 60) -> str:
    lines = [f"{i % 7},{i % 5},{i % 2}" for i in range(rows)]
    return "x1,x2,x3\n" + "\n".join(lines) + "\n"


def scores(names: str = "svm,tree,forest", rows: int = 30) -> str:
    lines = [f"set{i}," + ",".join(f"{RNG.uniform(0.7, 0.9):.3f}" for _ in names.split(",")) for i in range(rows)]
    return f"dataset,{names}\n" + "\n".join(lines) + "\n"


def long(cost: str) -> str:
    head = f"dataset,algorithm,fold,accuracy{cost and ',' + cost}\n"
    cell = ",1.5" * bool(cost)
    return head + "".join(
        f"d{d},{a},{k},{RNG.uniform(0.7, 0.9):.3f}{cell}\n" for d in range(8) for a in "pqr" for k in range(3)
    )


PROSE = "We compare three methods on many data sets and find that the last of them is best by a wide margin. " * 3
MARKDOWN = "| dataset | a | b |\n|---|---|---|\n| x | 0.1 | **0.2** |\n| y | 0.3 | **0.4** |\n"

CASES = {
    "wide.csv": (scores(), "compare"),
    "long.csv": (long(""), "compare"),
    "paid.csv": (long("price"), "order"),
    "votes.csv": ("prompt,model_a,model_b,winner\n1,elm,fir,model_a\n2,elm,fir,tie\n", "battles"),
    "sides.csv": ("id,left,right,winner\n1,elm,fir,left\n2,elm,fir,tie\n", "battles"),
    "flowers.csv": (flowers(), "recommend"),
    "codes.csv": (codes(), "recommend"),
    "weather.arff": ("@relation w\n@attribute a numeric\n@attribute c {y,n}\n@data\n1,y\n2,n\n", "recommend"),
    "experiment.arff": (
        "@relation r\n@attribute Key_Dataset {d}\n@attribute Key_Scheme {p,q}\n@attribute Key_Fold {1,2}\n"
        "@attribute Percent_correct numeric\n@data\nd,p,1,90\nd,p,2,80\nd,q,1,70\nd,q,2,60\n",
        "compare",
    ),
    "folds.csv": (
        "db,rf,svm,knn\n" + "".join(f"d{i // 4},0.{i + 10},0.{i + 20},0.{i + 30}\n" for i in range(40)),
        "compare",
    ),
    "board.csv": ("model,accuracy\np,0.9\nq,0.8\n", "order"),
    "paper.md": (f"# Results\n\n{PROSE}\n\n{MARKDOWN}", "check"),
    "table.md": (MARKDOWN, "compare"),
    "paper.html": (f"<p>{PROSE}</p><table><tr><td>1</td></tr></table>", "check"),
    "paper.tex": ("\\documentclass{article}\\begin{document}Text.\\end{document}", "check"),
    "plan.toml": ('datasets = ["builtin:iris"]\nalgorithms = ["nb", "lda"]\n', "run"),
}


@every("name", CASES)
def test_the_kind_of_a_file_decides(name: str, tmp_path: Path) -> None:
    text, verb = CASES[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert obvious(tmp_path / name).verb == verb
    if name.endswith(".csv"):
        packed = tmp_path / f"{name}.gz"
        packed.write_bytes(gzip.compress(text.encode()))
        assert obvious(packed).verb == verb


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("ulas2012.csv", "order (8 algorithms, 38 data sets, accuracy against train_time)"),
        ("optdigits.csv", "order (8 algorithms, one data set, 10 folds, accuracy against train_time)"),
        ("breast_cancer.csv", "order (5 algorithms, one data set, 10 folds, accuracy against train_time)"),
        ("totals.csv", "order (3 models, totals, pass_rate against total_cost)"),
        ("votes.csv", "battles (votes of votes.csv)"),
        ("paper.tex", "check (the tables of paper.tex)"),
        ("plan.toml", "run (3 data sets, 4 algorithms)"),
    ],
)
def test_the_first_line_says_what_was_seen(file: str, title: str) -> None:
    assert obvious(EXAMPLES / file).title == title


def test_two_files_of_one_model_each_stand_at_a_gate(tmp_path: Path) -> None:
    result = obvious([EXAMPLES / "gate_base.csv", EXAMPLES / "gate_candidate.csv"])
    assert result.arguments()[0] == "gate"
    assert result.options == {"margin": "0", "cost": "price"}
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for file, right in ((old, 0), (new, 1)):
        rows = [json.dumps({"id": f"q{i}", "passed": bool(i % 2 or right), "latency_ms": i}) for i in range(40)]
        file.write_text("\n".join(rows))
    assert obvious([old, new]).title == "gate (is new.jsonl better than old.jsonl?)"
    with pytest.raises(TiebreakError, match=r"Name the file of the other one, too: tiebreak .*old.jsonl OTHER"):
        obvious(old)


def test_several_files_of_results_are_taken_together(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        text = long("").replace(",p,", f",p{name[0]},").replace(",q,", f",q{name[0]},").replace(",r,", f",r{name[0]},")
        (tmp_path / name).write_text(text)
    assert obvious([tmp_path / "a.csv", tmp_path / "b.csv"]).title.startswith("compare (6 algorithms, 8 data sets")


def test_what_is_nothing_of_it_gets_the_list_of_what_was_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("nothing but words\nin two lines\n")
    with pytest.raises(TiebreakError) as caught:
        obvious(file)
    assert LOOKED_FOR in str(caught.value)
    (tmp_path / "junk.bin").write_bytes(bytes(range(256)))
    with pytest.raises(TiebreakError) as caught:
        obvious(tmp_path / "junk.bin")
    assert LOOKED_FOR in str(caught.value)


# ---- on the command line


def test_the_answer_is_that_of_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(EXAMPLES / "ulas2012.csv")
    assert main([file]) == 0
    text = capsys.readouterr().out
    assert main(["order", file, "--cost", "train_time"]) == 0
    assert text == f"order (8 algorithms, 38 data sets, accuracy against train_time)\n\n{capsys.readouterr().out}"


def test_the_line_above_the_answer_leaves_room_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"a{i}" for i in range(30)]
    rows = [[f"d{row}", *(f"{0.5 + (7 * row + i * i) % 31 / 100:.2f}" for i in range(30))] for row in range(12)]
    text = "\n".join(",".join(row) for row in [["dataset", *names], *rows])
    (tmp_path / "many.csv").write_text(text, encoding="utf-8")
    assert main([str(tmp_path / "many.csv"), "--score", "accuracy"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 24


def test_options_after_the_file_are_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(EXAMPLES / "ulas2012.csv")
    assert main([file, "--cost", "space", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["cost"] is not None
    assert err.startswith("order (")
    assert main([str(EXAMPLES / "demsar2006.csv"), "--score", "auc"]) == 0
    assert capsys.readouterr().out.startswith("compare (4 algorithms, 14 data sets, auc)\n")


def test_a_plan_is_not_run_unasked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('datasets = ["builtin:iris"]\nalgorithms = ["nb", "lda"]\n')
    assert main([str(plan)]) == 0
    assert capsys.readouterr().out.endswith(f"To run it: tiebreak run {plan}\n")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (["compar", "x.csv"], "Did you mean tiebreak compare x.csv?"),
        (["nosuch.csv"], "There is no file 'nosuch.csv'"),
        ([str(EXAMPLES / "ulas2013.csv")], f"Did you mean {EXAMPLES / 'ulas2012.csv'}?"),
    ],
)
def test_a_typo_is_an_error_with_what_was_meant(
    told: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(told) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
