"""The records of the verbs: true to the functions they name, complete, and what everything else is derived from."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.cli.answering import runner
from tiebreak.cli.parsing import parser_of, words_of
from tiebreak.cli.sources import OF_FILES, settings_of
from tiebreak.readers.taking import OfFiles, Reading
from tiebreak.verbs import KINDS, VERBS, Verb, every_verb, verb_of

from .every import every

RECORDS = {verb.name: verb for verb in every_verb()}
TAKEN_ON = {
    "board": "tiebreak.order",
    "report": "tiebreak.compare",
    "check": "tiebreak.readers.read",
    "figure": "tiebreak.compare",
}
"""Functions that pass further arguments on to another one."""
LOOKS = {"top", "show", "width", "height", "font_size", "theme", "notes", "no_notes", "trade", "rule", "cost"}
ELSEWHERE = {
    "figure": LOOKS,
    "board": {"date", "since", "name"},
    "report": {"trade", "rule", "missing_costs", "cost", "name"},
}
OWN_DEFAULTS = {
    ("report", "name"), ("study validation", "missing"),
    ("study advice", "fixed"), ("study advice", "beside"), ("study advisor", "accds"), ("study advisor", "neighbours"),
    ("study advisor", "methods"), ("study measures", "algorithms"),
    ("study ulas2012", "store"), ("study measures", "tests"),
    ("study replicability", "jobs"),
}  # fmt: skip
"""Defaults that are written in another way on the command line."""


def function_of(verb: Verb) -> Any:
    module, _, name = verb.function.rpartition(".")
    return getattr(tb if module == "tiebreak" else import_module(module), name)


def arguments(verb: Verb) -> dict[str, Any]:
    return {option.name: option for option in verb.options if option.argument and option.cli and option.flag}


@every("name", [name for name in RECORDS if RECORDS[name].function and name != "study"])
def test_a_record_is_that_of_its_function(name: str) -> None:
    verb = RECORDS[name]
    signature = inspect.signature(function_of(verb)).parameters
    passed_on = any(item.kind is item.VAR_KEYWORD for item in signature.values())
    further = set(Reading.__annotations__) | set(OfFiles.__annotations__)
    if name in TAKEN_ON:
        module, _, function = TAKEN_ON[name].rpartition(".")
        further |= set(inspect.signature(getattr(import_module(module), function)).parameters)
    further |= ELSEWHERE.get(name, set())
    apart = {"seed", "columns", "where", "plain", "prices", "way", "question", "measure", "algorithm"}
    apart |= (
        {"count_folds", "origin_columns", "no_run", "results", "higher_is_better"}
        if name.startswith("study ")
        else set()
    )
    for key, option in arguments(verb).items():
        if key in signature:
            usual = signature[key].default
            empty = option.kind in ("texts", "files", "switch", "either") and not option.initial
            same = option.default == usual or (empty and usual in (None, (), False, "", inspect.Parameter.empty))
            required = usual is inspect.Parameter.empty
            assert same or required or (name, key) in OWN_DEFAULTS, (key, option.default, usual)
        else:
            assert (passed_on and key in further) or key in apart or name.startswith("study adv"), key


def test_every_verb_has_its_function() -> None:
    for name in VERBS:
        assert verb_of(name).function == f"tiebreak.{name}" or name == "read"
        assert callable(getattr(tb, name))


@every("name", [name for name in RECORDS if RECORDS[name].result])
def test_results_are_there(name: str) -> None:
    module, _, result = RECORDS[name].result.rpartition(".")
    assert inspect.isclass(getattr(tb if module == "tiebreak" else import_module(module), result))


@every("name", RECORDS)
def test_records_are_complete(name: str) -> None:
    verb = RECORDS[name]
    keys = [item.key for item in verb.options]
    assert len(keys) == len(set(keys))
    for option in verb.options:
        assert option.kind in KINDS and option.help and option.group in verb.titles, option
        assert option.kind in ("switch", "either") or option.metavar, option
        assert not isinstance(option.words, str) or words_of(option), option
    assert name.startswith("study ") or callable(runner(name))


@every("name", RECORDS)
def test_the_parser_is_that_of_the_record(name: str) -> None:
    built = {flag for action in parser_of(name)._actions for flag in action.option_strings if flag.startswith("--")}
    helps = {"--help", "--help-all"}
    shorts = {option.short for option in RECORDS[name].options if option.short.startswith("--")}
    turned = {f"--no-{flag.flag[2:]}" for flag in RECORDS[name].flags if flag.kind == "either"}
    assert built == {flag.flag for flag in RECORDS[name].flags} | helps | turned | shorts


def test_help_shows_the_common_options_and_help_all_every_one() -> None:
    common, full = (parser_of("order", shown=shown).format_help() for shown in ("common", "all"))
    assert "--trade" in common and "--inner-adjust" not in common and "--help-all" in common
    assert all(flag.flag in full for flag in verb_of("order").flags)
    assert "\n  --trade X" in common  # options are indented by two


def test_building_a_parser_loads_one_record() -> None:
    code = "import sys; from tiebreak.cli.parsing import parser; parser('gate'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    records = {item.removeprefix("tiebreak.verbs.") for item in loaded if item.startswith("tiebreak.verbs.")}
    assert records == {"gate", "groups"}
    assert not {"tiebreak.deciding", "tiebreak.methods", "numpy"} & set(loaded)


def test_the_records_import_nothing_that_decides() -> None:
    code = "import sys; from tiebreak.verbs import every_verb; every_verb(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    ours = {item.split(".")[1] for item in loaded if item.startswith("tiebreak.")}
    assert ours <= {"verbs", "_lazy"}


def test_an_option_is_typed_by_its_record() -> None:
    parsed = parser_of("order").parse_args(["t.csv", "--alpha", "0.1", "--cost", "a=1%", "--cost", "b", "--seed", "3"])
    assert (parsed.alpha, parsed.cost, parsed.seed, parsed.results) == (0.1, ["a=1%", "b"], 3, ["t.csv"])
    with pytest.raises(SystemExit):
        parser_of("order").parse_args(["t.csv", "--alpha", "much"])
    assert isinstance(parser_of("power"), argparse.ArgumentParser)


def test_full_adds_effects_over_data_sets_and_leaves_items_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    assert main(["compare", "examples/demsar2006.csv", "--score", "auc", "--full", "--json"]) == 0
    assert {"wins", "effects", "intervals"} <= set(json.loads(capsys.readouterr().out))
    on_items = ["compare", "examples/gate_base.csv", "examples/gate_candidate.csv", "--full", "--json"]
    assert main(on_items) == 0
    assert "effects" not in json.loads(capsys.readouterr().out)


WIDE = "dataset,rf,svm,nb\n" + "".join(f"d{i},0.{80 + i},0.{70 + i},0.{60 + 2 * i}\n" for i in range(6))
TURNED = "algorithm,iris,wine,zoo\nRF,0.9,0.8,0.7\nSVM,0.8,0.9,0.6\nNB,0.7,0.7,0.9\n"


def algorithms(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["compare", *words, "--score", "auc", "--json"]) == 0
    return sorted(json.loads(capsys.readouterr().out)["mean_ranks"])


def test_what_read_writes_is_read_back_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, clean = tmp_path / "t.csv", tmp_path / "clean.csv"
    summed = f"{WIDE}Average,0.8,0.7,0.6\n"
    for text, option, setting in (
        (summed, "--keep-rows", "keep_rows=yes"),
        (TURNED, "--no-transpose", "transpose=no"),
        (TURNED, "--transpose", "transpose=yes"),
        (WIDE, "--plain", "plain"),
    ):
        file.write_text(text)
        assert main(["read", str(file), "--score", "auc", option, "-o", str(clean)]) == 0
        capsys.readouterr()
        direct = tb.read(file, scores="auc", **settings_of(f"x.csv?{setting}", OF_FILES)[1])
        again = tb.read(clean, scores="auc", plain=True)
        assert (again.algorithms, again.datasets) == (direct.algorithms, direct.datasets), option
        assert np.allclose(again.means("auc"), direct.means("auc"))
        assert (
            algorithms(capsys, f"{file}?{setting}") == algorithms(capsys, f"{clean}?plain") == sorted(again.algorithms)
        )


def test_parts_of_a_wide_table_are_conditions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text(WIDE)
    options = ["--where", "algorithm in rf, nb", "--where", "dataset in d0,d1,d2,d3"]
    assert algorithms(capsys, str(file), *options) == ["nb", "rf"]
    assert main(["compare", str(file), "--score", "auc", "--where", "algorithm in rf,nobody"]) == 2
    assert "'nobody'" in capsys.readouterr().err


def test_a_suggested_setting_can_be_applied_as_it_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "my t.csv"
    file.write_text("dataset,iris,wine,zoo\nRF,0.9,0.8,0.7\nSVM,0.8,0.9,0.6\nNB,0.7,0.7,0.9\n")
    assert main(["compare", str(file), "--score", "auc"]) == 2
    ways = re.findall(r'"([^"]*\?transpose=[a-z]+)"', capsys.readouterr().err)
    assert len(ways) == 2
    assert [algorithms(capsys, way) for way in ways] == [["iris", "wine", "zoo"], ["NB", "RF", "SVM"]]


def test_an_unknown_setting_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text(WIDE)
    assert main(["compare", f"{file}?colour=red", "--score", "auc"]) == 2
    assert "unknown setting, 'colour'" in capsys.readouterr().err
    odd = tmp_path / "odd?colour=red"  # a file that is really called so
    odd.write_text(WIDE)
    assert algorithms(capsys, str(odd)) == ["nb", "rf", "svm"]


def test_recommend_power_and_study_are_functions() -> None:
    assert tb.recommend(known="wine", method="mean-rank", algorithms=["svr", "c45"]).algorithms == ("svr", "c45")
    frame = {"model": ["a", "b"] * 40, "item": [f"q{i // 2}" for i in range(80)], "accuracy": [1, 0, 1, 1] * 20}
    assert tb.power(frame, difference=0.1).needed is not None
    with pytest.raises(tb.OptionError, match="items was given with a table"):
        tb.power(frame, items=3)
    assert tb.study("orders", repeats=5, steps=2, n_datasets=5, seed=1).to_dict()["study"] == "orders"
    with pytest.raises(tb.OptionError, match="There is no study 'orderz'"):
        tb.study("orderz")
