"""Conditions on rows: what they mean, what they refuse, and every way to give them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.results.columns import ListColumn, TextColumn, met, read_condition

from ..every import every

TABLE = {
    "framework": TextColumn(["rf", "svm", "Rf", "nb", ""]),
    "budget": TextColumn(["60", "3600", "60.0", "NA", "10"]),
    "imputed": TextColumn(["False", "True", "false", "0", ""]),
    "size (MB)": ListColumn([1.0, 2.5, None, 4.0, 5.0]),
    "a=b": TextColumn(["1", "2", "3", "4", "5"]),
}


@every(
    ("condition", "rows"),
    [
        ("framework == rf", [0, 2]),
        ("framework=='rf'", [0, 2]),
        ("framework=rf", [0, 2]),
        ('framework != "rf"', [1, 3, 4]),
        ("framework in rf, nb", [0, 2, 3]),
        ("framework in ['rf', 'nb']", [0, 2, 3]),
        ("framework not in (rf, nb)", [1, 4]),
        ("framework == ''", [4]),
        ("framework=", [4]),
        ("framework !=", [0, 1, 2, 3]),
        ("budget == 60", [0, 2]),
        ("budget < 3600", [0, 2, 4]),
        ("budget <= 3600", [0, 1, 2, 4]),
        ("budget>60", [1]),
        ("budget >= 60", [0, 1, 2]),
        ("imputed == False", [0, 2]),
        ("size (MB) > 2", [1, 3, 4]),
        ("a=b == 3", [2]),
        ("a=b=3", [2]),
    ],
)
def test_what_a_condition_keeps(condition: str, rows: list[int]) -> None:
    keep, text = met(TABLE, condition, source="t.csv")
    assert np.flatnonzero(keep).tolist() == rows
    assert f"{5 - len(rows)} of 5 rows left out" in text[0]
    assert text[0].code == "rows-filtered"


def test_several_conditions_must_all_be_met() -> None:
    keep, text = met(TABLE, ["framework == rf", "imputed == False", "budget <= 60"], source="t.csv")
    assert np.flatnonzero(keep).tolist() == [0, 2]
    assert text == (
        "t.csv: 3 of 5 rows left out; kept are those where framework == rf and imputed == False and budget <= 60.",
    )
    assert met(TABLE, None, source="t.csv")[1] == ()


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("framework", "The condition 'framework' is not understood. It says which rows to keep: COLUMN == value"),
        ("== rf", "The condition '== rf' is not understood."),
        ("framwork == rf", "There is no column (for where) 'framwork'. Known here: 'framework'"),
        ("framework < rf", "The condition 'framework < rf' compares sizes, but 'rf' is not a number."),
        ("framework < 3", "The condition 'framework < 3' compares sizes, but 'Rf' is not a number."),
        ("framework == xgb", "No row of t.csv is left where framework == xgb. Check the values"),
    ],
)
def test_what_is_refused(condition: str, message: str) -> None:
    with pytest.raises(tb.OptionError) as error:
        met(TABLE, condition, source="t.csv")
    assert message in str(error.value)


def test_the_longest_header_counts() -> None:
    table = {"time": TextColumn(["1"]), "time in s": TextColumn(["2"])}
    assert read_condition("time in s == 2", table).column == "time in s"
    assert read_condition("time in 1, 2", table).column == "time"


LONG = "dataset,algorithm,accuracy,imputed,budget\n" + "".join(
    f"d{d},{a},{0.9 - 0.1 * place - 0.01 * (d % 3)},{flag},{budget}\n"
    for d in range(8)
    for place, a in enumerate("abc")
    for flag, budget in (("False", 60), ("True", 60), ("False", 3600))
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "long.csv"
    file.write_text(LONG)
    return file


def test_read_keeps_the_rows_and_drops_the_columns_that_chose_them(path: Path) -> None:
    table = tb.read(path, where=["imputed == False", "budget == 60"])
    assert table.scores == ("accuracy",)
    assert len(table) == 24
    assert table.caveats == (
        "long.csv: 48 of 72 rows left out; kept are those where imputed == False and budget == 60.",
    )
    with pytest.raises(tb.InputError, match=r"Two scores for one cell .*line 2 of long.csv and .*line 4 of long.csv"):
        tb.read(path, where="imputed == False")  # the lines are those of the file, not of what is left


@pytest.mark.parametrize("verb", [["compare"], ["order", "--prior", "a,b,c"], ["report"]])
def test_every_verb_takes_conditions(verb: list[str], path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--where", "imputed == False", "--where", "budget == 60"]
    if verb[0] == "report":
        out = path.with_suffix(".md")
        assert main(["report", str(path), *where, "-o", str(out)]) == 0
        assert "48 of 72 rows left out" in out.read_text()
        return
    assert main([*verb, str(path), *where, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert any("48 of 72 rows left out" in caveat for caveat in data["caveats"])
    assert "rows-filtered" in data["caveat_codes"]


def test_multivariate_takes_conditions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"d,{a},{fold},{rng.uniform():.4f},{rng.uniform():.4f},{flag}"
        for a in "ab"
        for fold in range(10)
        for flag in ("no", "yes")
    ]
    file = tmp_path / "folds.csv"
    file.write_text("\n".join(["dataset,algorithm,fold,tpr,fpr,imputed", *rows]))
    options = ["multivariate", str(file), "--scores", "tpr,fpr", "--where", "imputed == no", "--json"]
    assert main(options) == 0
    assert "20 of 40 rows left out" in capsys.readouterr().out


def test_a_table_of_results_is_filtered_by_keys_and_scores() -> None:
    table = tb.Results.from_frame(
        pl.DataFrame({"dataset": ["x", "x", "y", "y"], "algorithm": ["a", "b"] * 2, "accuracy": [0.9, 0.8, 0.7, 0.2]})
    )
    remaining = table.where("accuracy > 0.5", "dataset in x, y")
    assert remaining.rows() == [{"algorithm": "a", "accuracy": 0.8}, {"algorithm": "b", "accuracy": 0.8}]
    assert remaining.caveats == (
        "the table: 1 of 4 rows left out; kept are those where accuracy > 0.5 and dataset in x, y.",
    )
    assert table.where() is table


def test_in_wide_form_a_condition_on_an_algorithm_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("dataset,svm,tree,budget,kind\na,0.9,0.8,60,x\nb,0.7,0.6,60,x\nc,0.8,0.7,9,x\n")
    options = ["budget == 60", "svm > 0.75", "kind != y"]
    for result in (tb.read(file, scores="accuracy", where=options), tb.as_results(pl.read_csv(file), where=options)):
        assert result.algorithms == ("svm", "tree")
        assert result.datasets == ("a",)


def test_a_file_that_is_understood_is_filtered_by_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    text = "Dataset;#inst;RF;SVM;kind\na;150;95,3%;**96,0%**;x\nb;1.780;-;OOM;x\nc;90;90,1%;91%;y\nd;200;80%;81%;x\n"
    file.write_text(text + "Average;;90%;91%;x\n")
    for source in (file, file.read_text()):
        result = tb.read(source, scores="accuracy", where=["kind == x", "RF > 85"])
        assert (result.datasets, result.algorithms) == (("a",), ("RF", "SVM"))
        assert result.means("accuracy").tolist() == [[0.953, 0.96]]
        assert "4 of 5" not in "".join(result.caveats) and "3 of 5 rows left out; kept are" in "".join(result.caveats)
    with pytest.raises(tb.OptionError, match=r"There is no column \(for where\) 'kin'.*Did you mean 'kind'"):
        tb.read(file, scores="accuracy", where="kin == x")


def test_a_condition_on_a_name_holds_for_the_rows_of_its_merged_cell() -> None:
    text = "| dataset | algorithm | accuracy |\n|---|---|---|\n| a | rf | 0.9 |\n| | svm | 0.8 |\n| b | rf | 0.7 |\n"
    result = tb.read(text, where="dataset == a")
    assert (result.datasets, result.algorithms) == (("a",), ("rf", "svm"))


def test_verbs_pass_on_how_to_read_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "turned.md"
    rows = ["| |a|b|c|d|e|f|budget|", "|-|-|-|-|-|-|-|-|", "|rf|.9|.8|.7|.6|.5|.4|60|", "|svm|.8|.7|.6|.5|.4|.3|60|"]
    file.write_text("\n".join([*rows, "|nb|.1|.1|.1|.1|.1|.1|9|", ""]))
    compare = tb.compare(file, score="accuracy", where="budget == 60", transpose=True)
    assert compare.algorithms == ("rf", "svm")
    assert main(["read", str(file), "--score", "accuracy", "--transpose", "--where", "budget == 60", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["algorithms"] == ["rf", "svm"]
    assert "rows-filtered" in shown["caveat_codes"]
    with pytest.raises(tb.OptionError, match="transpose=True was given with an array"):
        tb.compare(np.ones((3, 2)), algorithms=["rf", "svm"], score="accuracy", transpose=True)


def test_headers_in_quotes_and_two_conditions_in_one() -> None:
    """What people write who know SQL or pandas: quotes around a header with spaces, and `and`."""
    text = "dataset,algorithm,accuracy,frame work,kind\na,rf,0.9,x,b and c\na,svm,0.8,x,b and c\na,nb,0.7,y,d\n"
    for header in ("frame work", "'frame work'", '"frame work"', "`frame work`"):
        assert tb.read(text, where=f"{header} == x").algorithms == ("rf", "svm")
    for value in ("b and c", "'b and c'"):
        assert tb.read(text, where=f"kind == {value}").algorithms == ("rf", "svm")
    with pytest.raises(tb.OptionError, match="No row of"):  # in quotes it is a value, whatever it looks like
        tb.read(text, where="kind == 'b and kind == c'")
    with pytest.raises(tb.OptionError) as caught:
        tb.read(text, where="accuracy > 0.7 and frame work == x")
    assert str(caught.value) == (
        "The condition 'accuracy > 0.7 and frame work == x' holds more than one. Use where=['accuracy > 0.7',"
        " 'frame work == x']."
    )
    with pytest.raises(tb.OptionError, match=r"holds more than one.*COLUMN in a, b"):
        tb.read(text, where="algorithm == rf or algorithm == nb")
