"""The command line over a store: run, store, and the verbs that read one."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.cli import main as command_line, progress

PLAN = 'datasets = ["builtin:iris", "builtin:monks1", "builtin:balance"]\nalgorithms = ["c45", "nb", "lda"]\n'
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command; return its exit code and what it wrote to the two streams."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        words = [str(argument) for argument in arguments]
        capsys.readouterr()
        code = command_line(words)
        return (code, *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the results of a small plan."""
    folder = tmp_path_factory.mktemp("verbs")
    (folder / "small.toml").write_text(PLAN)
    assert command_line(["run", str(folder / "small.toml"), "--store", str(folder / "results.db"), "--jobs", "1"]) == 0
    return folder / "results.db"


def test_run_says_what_it_did_and_what_comes_next(store: Path, said: Said) -> None:
    code, out, err = said("run", store.parent / "small.toml", "--store", store)
    assert (code, err) == (0, "")
    assert out == (
        f"small: nothing to do; all 90 cells are in {store}\nstatus  cells\nok         90\n\n"
        f"Next: tiebreak order --store {store} --score error --cost train_time\n"
    )


def test_json_of_run_is_json_alone(tmp_path: Path, said: Said) -> None:
    (tmp_path / "p.toml").write_text('datasets = ["builtin:iris"]\nalgorithms = ["nb"]\nresampling = "1x2cv"\n')
    code, out, err = said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db", "--json", "--seed", "5")
    data = json.loads(out)
    assert (code, data["ran"], data["counts"]["ok"], data["interrupted"]) == (0, 2, 2, False)
    assert "2 of 2 cells" in err
    assert "seed=5" not in out
    assert said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db", "--json", "--dry-run")[0] == 0
    data = json.loads(said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db", "--json", "--dry-run")[1])
    assert (data["cells"], data["done"]) == (2, 0)  # the plan's own seed has not been run
    assert data["algorithms"] == ["nb"]


def test_a_learner_beside_the_plan_is_found(tmp_path: Path, said: Said) -> None:
    (tmp_path / "my_own.py").write_text(
        "from sklearn.dummy import DummyClassifier\nclass Guess(DummyClassifier):\n    pass\n"
    )
    (tmp_path / "p.toml").write_text(
        'datasets = ["builtin:iris"]\nalgorithms = [{import = "my_own:Guess"}]\nresampling = "1x2cv"\n'
    )
    code, out, _ = said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db")
    assert code == 0
    assert "ok          2" in out


def test_errors_of_run_have_no_traceback(tmp_path: Path, said: Said) -> None:
    (tmp_path / "p.toml").write_text('datasets = ["builtin:iris"]\nalgorithms = ["c46"]\n')
    code, out, err = said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db")
    assert (code, out) == (2, "")
    assert err.startswith("tiebreak run: There is no learner 'c46'.")
    assert said("run", tmp_path / "none.toml")[0] == 2
    assert said("run", tmp_path / "p.toml", "--retry", "waiting")[0] == 2


def test_the_verbs_read_the_store(store: Path, said: Said, tmp_path: Path) -> None:
    code, out, _ = said("compare", "--store", store, "--score", "error", "--json")
    compared = json.loads(out)
    assert (code, sorted(compared["mean_ranks"])) == (0, ["c45", "lda", "nb"])
    code, out, _ = said("order", "--store", store, "--score", "error", "--cost", "train_time", "--json")
    assert (code, sorted(json.loads(out)["order"])) == (0, ["c45", "lda", "nb"])
    code, out, _ = said("multivariate", "--store", store, "--scores", "tpr,fpr", "--dataset", "monks1", "--json")
    assert code == 0
    assert {"omnibus", "pairs"} <= set(json.loads(out))
    page = tmp_path / "report.html"
    assert said("report", "--store", store, "--score", "error", "--cost", "train_time", "-o", page)[0] == 0
    assert "lda" in page.read_text()


def test_several_seeds_must_be_chosen(store: Path, said: Said, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(PLAN + 'resampling = "1x2cv"\n')
    for options in (["--seed", "0"], ["--seed", "1"]):
        assert said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db", "--jobs", "1", *options)[0] == 0
    code, _, err = said("compare", "--store", tmp_path / "r.db", "--score", "error")
    assert code == 2
    assert "The store holds results of 2 seeds: 0, 1." in err
    assert said("compare", "--store", f"{tmp_path / 'r.db'}?seed=1", "--score", "error")[0] == 0


def test_a_part_of_a_store_can_be_chosen(store: Path, said: Said) -> None:
    said_of = ("compare", "--store", store, "--score", "error", "--json")
    from_lab = ("compare", "--store", f"{store}?origin=lab", *said_of[3:])
    code, out, _ = said(*from_lab, "--where", "algorithm in nb, lda", "--where", "dataset in iris,monks1")
    assert (code, sorted(json.loads(out)["mean_ranks"])) == (0, ["lda", "nb"])
    known = json.loads(said("store", store, "--json")[1])["algorithms"]
    mark = next(item["fingerprint"] for item in known if item["name"] == "nb")
    code, out, _ = said(*said_of, "--where", f"algorithm in {mark[:12]},c45")
    assert (code, sorted(json.loads(out)["mean_ranks"])) == (0, ["c45", "nb"])
    code, _, err = said(*said_of, "--where", "algorithm in nb,ld")
    assert (code, err) == (
        2,
        "tiebreak compare: There is no algorithm 'ld'. Known here: 'c45', 'lda', 'nb'. Did you mean 'lda'?\n",
    )
    code, _, err = said("compare", f"{store}?origin=nobody", "--score", "error")
    assert (code, "There is no origin 'nobody'." in err) == (2, True)


def test_the_positive_class_of_a_store_can_be_chosen(store: Path, said: Said) -> None:
    arguments = ("order", "--cost", "train_time", "--where", "dataset in monks1", "--json")
    result = {}
    for score, positive in (("tpr", "0"), ("tnr", "1"), ("tpr", "1")):
        code, out, _ = said(*arguments, "--score", score, "--store", f"{store}?positive={positive}")
        assert code == 0
        result[score, positive] = json.loads(out)["pairs"]
    assert result["tpr", "0"] == result["tnr", "1"] != result["tpr", "1"]
    code, _, err = said(*arguments, "--score", "tpr", "--store", f"{store}?positive=2")
    assert (code, "There is no class on data set 'monks1', '2'." in err) == (2, True)


def test_a_part_of_a_table_can_be_chosen(said: Said, tmp_path: Path) -> None:
    table = tmp_path / "wide.csv"
    table.write_text("dataset,a,b,c\nw,1,2,3\nx,2,3,1\ny,1,2,3\nz,1,3,2\n")
    arguments = ("compare", table, "--score", "error", "--json")
    code, out, _ = said(*arguments, "--where", "algorithm in a,c", "--where", "dataset in w,x,y")
    assert (code, sorted(json.loads(out)["mean_ranks"])) == (0, ["a", "c"])
    code, _, err = said(*arguments, "--where", "algorithm in a,q")
    assert (code, "There is no algorithm 'q'." in err) == (2, True)


@pytest.mark.parametrize("setting", ["resampling=5x2cv", "seed=0", "origin=lab", "colour=red"])
def test_settings_of_stores_are_unknown_to_files(said: Said, tmp_path: Path, setting: str) -> None:
    table = tmp_path / "wide.csv"
    table.write_text("dataset,a,b\nw,1,2\nx,2,3\n")
    code, out, err = said("compare", f"{table}?{setting}", "--score", "error")
    assert (code, out) == (2, "") and f"has an unknown setting, '{setting.partition('=')[0]}'." in err


def test_columns_of_files_are_refused_for_stores(store: Path, said: Said) -> None:
    code, _, err = said("compare", "--store", store, "--score", "error", "--column", "dataset=task")
    assert (code, "--column was given with a store, and is for files." in err) == (2, True)


@pytest.mark.parametrize("scheme", ["1x2cv", "2x5cv", "holdout", "2xholdout", "5x2cv"])
def test_the_next_step_that_is_named_can_be_taken(said: Said, tmp_path: Path, scheme: str) -> None:
    plan = 'datasets = ["builtin:iris", "builtin:monks1"]\nalgorithms = ["nb", "lda"]\n'
    (tmp_path / "p.toml").write_text(f'{plan}resampling = "{scheme}"\n')
    code, out, _ = said("run", tmp_path / "p.toml", "--store", tmp_path / "r.db", "--jobs", "1")
    words = shlex.split(out.splitlines()[-1])
    assert (code, words[:3]) == (0, ["Next:", "tiebreak", "order"])
    assert said(*words[2:])[0] == 0


def test_what_a_store_holds(store: Path, said: Said) -> None:
    code, out, _ = said("store", store)
    assert code == 0
    assert out.endswith("\nAll of it: --json\n") and "\nalgorithm  cells  ok\nc45           30  30\n" in out
    facts = " ".join(out.split())
    assert f"{store}: 90 cells (90 ok) algorithm" in facts and "Data sets: balance (625 rows), " in facts
    assert "cv|folds=2|test=0.3333333333333333|stratified, seed 0, lab (90 of 90 ok)" in facts
    assert "Plans: small of 20" in facts and "(90 ok)" in facts
    assert len(out.splitlines()) <= 24
    data: dict[str, Any] = json.loads(said("store", store, "--json")[1])
    assert data["counts"]["ok"] == 90
    assert [item["name"] for item in data["algorithms"]] == ["c45", "lda", "nb"]
    assert data["algorithms"][2]["settings"] == 'nb = named 1 nb {"smoothing": 1.0}'
    assert (data["failures"], data["imported"], data["exported"]) == ([], None, None)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_out_and_in_again(store: Path, said: Said, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"cells.{ending}"
    code, out, _ = said("store", store, "--export", file)
    assert (code, out.splitlines()[0]) == (0, f"90 cell(s) written to {file}")
    code, out, _ = said("store", tmp_path / "new.db", "--import", store)
    assert (code, out.splitlines()[0]) == (0, f"90 cell(s) imported from {store}")
    first = said("compare", "--store", store, "--score", "error", "--json")[1]
    assert said("compare", "--store", tmp_path / "new.db", "--score", "error", "--json")[1] == first
    assert said("store", tmp_path / "new.db", "--import", store)[1].startswith("0 cell(s) imported")


def test_results_of_others_stand_beside_ours(said: Said, tmp_path: Path) -> None:
    table = tmp_path / "theirs.csv"
    table.write_text("dataset,svm,tree\niris,0.97,0.94\nwine,0.98,0.91\n")
    arguments = ("store", tmp_path / "new.db", "--import", table, "--origin", "a paper", "--score", "accuracy")
    assert said(*arguments)[1].startswith("4 cell(s) imported")
    data = json.loads(said("store", tmp_path / "new.db", "--json")[1])
    assert [item["name"] for item in data["algorithms"]] == ["svm", "tree"]
    assert data["resamplings"] == [
        {"resampling": "imported from a paper", "seed": 0, "origin": "a paper", "cells": 4, "ok": 4}
    ]
    runs = tmp_path / "runs.csv"
    runs.write_text("run_id,params.dataset,params.model,metrics.accuracy\nx,iris,svm,0.9\ny,iris,tree,0.8\n")
    assert said("store", tmp_path / "new.db", "--import", runs, "--origin", "tracker")[0] == 0
    evaluations = [
        {"run_id": 1, "task_id": 59, "setup_id": 7, "flow_name": "weka.J48(1)", "data_name": "iris",
         "function": "predictive_accuracy", "value": 0.95}
    ]  # fmt: skip
    (tmp_path / "runs.json").write_text(json.dumps(evaluations))
    imported = ("--import", tmp_path / "runs.json", "--origin", "OpenML", "--score", "accuracy")
    assert said("store", tmp_path / "new.db", *imported)[0] == 0


def test_what_is_imported_is_read_as_for_compare(said: Said, tmp_path: Path) -> None:
    """Conditions and the options of reading hold for imports too, and what was left out is said."""
    table = tmp_path / "theirs.csv"
    table.write_text("dataset,svm,tree,#inst\na,0.9,0.8,60\nb,0.8,0.7,60\nc,0.7,0.6,10\nAverage,0.8,0.7,\n")
    arguments = ("store", tmp_path / "new.db", "--import", table, "--origin", "a paper", "--score", "accuracy")
    text = said(*arguments, "--where", "#inst == 60")[1]
    assert text.startswith(f"4 cell(s) imported from {table}\nCaveats:\n- ")
    assert "theirs.csv: 2 of 4 rows left out; kept are those where #inst == 60." in text
    whole = ("store", tmp_path / "whole.db", *arguments[2:])
    data = json.loads(said(*whole, "--json")[1])
    assert data["imported"] == 6 and "rows-left-out" in data["caveat_codes"]
    keep = [f"{argument}?keep_rows=yes" if argument == table else argument for argument in arguments[2:]]
    remaining = json.loads(said("store", tmp_path / "kept.db", *keep, "--json")[1])
    assert remaining["imported"] == 8 and "rows-left-out" not in remaining["caveat_codes"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.db", "--where", "a == 1"], "--where was given without a table to import."),
        (
            ["none.db", "--import", "sqlite:///a.db?keep_rows=yes"],
            "sqlite:///a.db?keep_rows=yes has settings, and is no table of results.",
        ),
        (["none.db"], "There is no store at none.db."),
        (["none.db", "--origin", "me"], "--origin me was given without --import."),
        (
            ["none.db", "--import", "a.csv"],
            "--import was given without --origin. Imported results stand beside those run here, and must say whose "
            'they are. Add --origin "Demsar 2006"; for another store, give its address or its .db file.',
        ),
    ],
)
def test_what_store_refuses(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = said("store", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"tiebreak store: {words}")
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_cannot_be_written(store: Path, said: Said, tmp_path: Path) -> None:
    for ending in ("csv", "parquet"):
        file = tmp_path / "none" / f"cells.{ending}"
        code, _, err = said("store", store, "--export", file)
        assert (code, err) == (
            2,
            f"tiebreak store: {file} cannot be written: No such file or directory. The export goes there. Choose "
            "another path.\n",
        )
    (tmp_path / "taken.csv").mkdir()
    code, _, err = said("store", store, "--export", tmp_path / "taken.csv")
    assert (code, err.startswith(f"tiebreak store: {tmp_path / 'taken.csv'} cannot be written: Is a d")) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["taken.csv"]  # no draft is left
    code, _, err = said("store", store, "--export", tmp_path / "cells.txt")
    assert (code, "Use .parquet or .csv." in err) == (2, True)


@pytest.mark.parametrize(("seconds", "words"), [(5, "5 s"), (89, "89 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations(seconds: float, words: str) -> None:
    assert progress._duration(seconds) == words
