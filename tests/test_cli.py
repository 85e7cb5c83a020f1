from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tiebreak.cli import main
from tiebreak.results import text as text_files

from .every import every

WIDE = "dataset,svm,tree,knn\n" + "".join(f"d{i},0.{90 - i},0.{70 - i},0.{60 + i % 3}\n" for i in range(12))


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(WIDE)
    return str(path)


def test_text_and_json(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", scores, "--score", "accuracy"]) == 0
    assert "svm is significantly better than tree and knn." in capsys.readouterr().out
    assert main(["compare", scores, "--score", "accuracy", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) >= {"mean_ranks", "omnibus", "pairs", "groups", "critical_difference", "method", "caveats"}
    assert set(data["omnibus"]) >= {"method", "statistic", "pvalue", "df"}
    assert set(data["pairs"][0]) == {"a", "b", "statistic", "pvalue", "adjusted", "better"}
    assert data["mean_ranks"]["svm"] == 1.0
    assert data["pairs"][0]["better"] == "svm"


def test_markdown_and_latex(scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", scores, "--score", "accuracy"]
    assert main([*call, "--latex"]) == 0
    latex = capsys.readouterr().out
    assert r"svm & 1.000 & 84.5 & a \\" in latex and r"\label{tab:accuracy}" in latex
    for ending, words in ((".md", "| svm | 1.000 |"), (".tex", latex), (".json", '"mean_ranks": {')):
        file = tmp_path / f"out{ending}"
        assert main([*call, "-o", str(file)]) == 0
        assert words in file.read_text(encoding="utf-8") and capsys.readouterr().out == ""


def test_options(scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    call = [
        "compare",
        scores,
        "--score",
        "accuracy",
        "--control",
        "tree",
        "--posthoc",
        "holm",
        "--omnibus",
        "friedman-chi2",
    ]
    assert main([*call, "--alpha", "0.01", "--json", "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    data = json.loads(out.read_text())
    assert data["method"]["control"] == "tree" and data["method"]["alpha"] == 0.01
    assert data["omnibus"]["df"] == [2]
    assert data["critical_difference"] is None


def test_direction_must_be_said(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", scores]) == 2
    assert "Nothing says whether a higher 'score' is better." in capsys.readouterr().err
    assert main(["compare", scores, "--lower-is-better", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_ranks"]["svm"] == 3.0


def test_roles_of_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.csv"
    rows = [
        f"t{t},{m},{s},{0.5 + 0.1 * (m == 'x') + 0.01 * s + 0.001 * t}" for t in range(12) for m in "xy" for s in (1, 2)
    ]
    path.write_text("suite,system,seed,auc\n" + "\n".join(rows) + "\n")
    roles = ["--column", "dataset=suite", "--column", "algorithm=system", "--column", "replication=seed"]
    assert main(["compare", str(path), "--score", "auc", *roles, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_ranks"] == {"x": 1.0, "y": 2.0}
    assert main(["compare", str(path), "--column", "dataset"]) == 2
    assert "--column 'dataset' has no '='." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("", [], "s.csv is empty."),
        ("dataset,a,b\nx,1,oops\n", ["--score", "error"], "column 'b', line 2 of s.csv: 'oops' is not a number."),
        ("dataset,a,b\nx,1,\ny,2,3\n", ["--score", "error"], "'b' has no error on data set 'x' (1 gap in all)."),
        ("dataset,a,b\nx,1,2\n", ["--score", "error"], "There is one score for each algorithm, on one data set"),
        ("dataset,a,b\nx,1,2\nx,1,2\n", ["--score", "error"], "Two scores for one cell"),
        ("dataset,a,b\nx,1,2\ny,1,2\n", ["--score", "error", "--posthoc", "x"], "There is no post hoc test 'x'."),
        ("dataset,a,b\nx,1,2\ny,1,2\n", ["--score", "error", "-o", "/nowhere/x"], "/nowhere/x cannot be written"),
        ("dataset,a,b\nx,1,2\ny,1,2\n", ["--score", "error", "-o", "x.pdf"], "cannot be saved as 'x.pdf'"),
        ("model_a,model_b,winner\nx,y,model_a\nz,x,tie\n", [], "holds votes on pairs, no scores."),
    ],
)
def test_errors_have_exit_code_2_and_no_traceback(tmp_path: Path, text: str, arguments: list[str], words: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text)
    run = subprocess.run(
        [sys.executable, "-m", "tiebreak", "compare", str(path), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("tiebreak compare: ") and words in run.stderr
    assert "Traceback" not in run.stderr


def test_wrong_usage_has_exit_code_2() -> None:
    run = subprocess.run([sys.executable, "-m", "tiebreak", "compere"], capture_output=True, text=True, check=False)
    assert run.returncode == 2 and "Did you mean tiebreak compare?" in run.stderr


def test_a_reader_that_stops_early_is_no_error(scores: str) -> None:
    call = f"{sys.executable} -m tiebreak compare {scores} --score accuracy --json | head -c 1"
    run = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert run.stderr == ""


def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--out", str(tmp_path / "d")]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert len(lines) <= 24 and max(map(len, lines[:-1])) <= 80  # the last one is a path
    assert "Use svr: 85.1 accuracy, the best of 8. svl is 5% cheaper but 1.9 points worse." in lines
    assert "If it must buy over 3.1%, use 5nn: 6.0 points less at 1/200 of the train_time." in lines
    assert "MultiTest (2006) on optdigits: svr, svl, sv2, 5nn, mlp, lnp, mdt, c45" in lines
    assert "Multi2Test (2012) on all: 5nn, c45, lnp, mlp, mdt, svl, sv2, svr" in lines
    page = (tmp_path / "d" / "report.html").read_text()
    heads = re.findall("<h2[^>]*>([^<]*)</h2>", page)
    assert heads[:5] == [
        "The answer",
        "Order by accuracy and train_time",
        "Order by accuracy and space",
        "Order by accuracy and train_time, Multi2Test",
        "Order by accuracy and train_time on optdigits, MultiTest",
    ]
    assert page.startswith("<!doctype html>") and "Use svr: 85.1 accuracy" in page
    assert main(["demo", "--json", "--out", str(tmp_path / "e")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["compare"]["groups"][0] == ["svr", "svl"]
    assert [ordering["order"][0] for ordering in data["order"].values()] == ["svr", "svr"]
    assert (data["multitest"]["rule"], data["multi2test"]["rule"]) == ("multitest", "multi2test")


def test_names_of_any_script_survive_a_narrow_locale(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("dataset,決定木,naïve\n" + "".join(f"{i}d,0.{i}1,0.{i}2\n" for i in range(1, 9)), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "tiebreak", "compare", str(path), "--score", "auc"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PATH": "", "PYTHONPATH": ":".join(sys.path)},
    )
    assert "決定木" in run.stdout.decode("utf-8")


COUNTS = "dataset,algorithm,fold,{note}tp,fp,tn,fn,train_time\n" + "".join(
    f"d{d},{name},{fold},{{cell}}{40 + 3 * d - 9 * place + fold},{place},{50 - d},{9 - fold % 5},{place + 1}\n"
    for d in range(6)
    for place, name in enumerate(("svm", "tree", "knn"))
    for fold in range(1, 11)
)
VERBS = {
    "compare": ["--score", "tpr"],
    "order": ["--score", "tpr", "--cost", "train_time", "--pairwise", "kfold-t"],
    "multivariate": ["--scores", "tpr,fpr", "--dataset", "d1"],
    "report": ["--score", "tpr", "--cost", "train_time"],
}


@every("text", [False, True])
@every("verb", VERBS)
def test_a_file_of_counts_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str, text: bool
) -> None:
    path, opened = tmp_path / "counts.csv", []
    path.write_text(COUNTS.format(note="note," if text else "", cell="fine," if text else ""))
    real = text_files.file_bytes
    monkeypatch.setattr(text_files, "file_bytes", lambda file: opened.append(file) or real(file))
    out = ["-o", str(tmp_path / "o.json")] if verb == "report" else ["--json"]
    assert main([verb, str(path), *VERBS[verb], *out]) == 0, capsys.readouterr().err
    assert opened == [path]


def test_a_message_names_the_line_without_reading_the_file_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, opened = tmp_path / "scores.csv", []
    path.write_text("dataset,svm,tree\n\na,1,2\nb,1,oops\n")
    real = text_files.file_bytes
    monkeypatch.setattr(text_files, "file_bytes", lambda file: opened.append(file) or real(file))
    assert main(["compare", str(path), "--score", "error"]) == 2
    assert "column 'tree', line 4 of scores.csv: 'oops' is not a number." in capsys.readouterr().err
    assert opened == [path]


def test_a_score_that_is_neither_a_column_nor_made_from_counts_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dataset,algorithm,note,accuracy\na,x,fine,1\na,y,fine,2\n")
    assert main(["compare", str(path), "--score", "acuracy"]) == 2
    assert "There is no column 'acuracy'." in capsys.readouterr().err
