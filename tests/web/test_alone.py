"""The entry point of the pages without a server: numpy, scipy and the standard library, no thread, no process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tiebreak

RESTRICTED = """
import importlib.abc, json, subprocess, sys, threading

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        own = first in {"numpy", "scipy", "tiebreak"} or first.startswith("_")
        if not own and first not in sys.stdlib_module_names:
            refused.append(name)
            raise ModuleNotFoundError(name, name=first)
        return None

def forbidden(*_, **__):
    raise AssertionError("no thread and no process here")

refused = []
sys.meta_path.insert(0, Refuse())
for name in ("resource", "fcntl", "sqlite3"):
    sys.modules[name] = None
from tiebreak.web.alone import answer_json
threading.Thread.start = subprocess.Popen.__init__ = forbidden
asked = json.load(sys.stdin)
files = {key: (name, text.encode()) for key, (name, text) in asked["files"].items()}
print(json.dumps([json.loads(answer_json(verb, json.dumps(told), files)) for verb, told in asked["questions"]]))
"""


def ask(questions: list[tuple[str, dict[str, Any]]], files: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    env = os.environ | {"PYTHONPATH": str(Path(tiebreak.__file__).parent.parent)}
    options = json.dumps({"questions": questions, "files": files})
    ran = subprocess.run([sys.executable, "-c", RESTRICTED], input=options, capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    table = "task,method,auc,seconds\n" + "".join(
        f"d{k},{name},{0.5 + 0.03 * place + 0.01 * (k % 4)},{1 + place}\n"
        for k in range(9)
        for place, name in enumerate(("x", "y"))
    )
    chosen = {"file": "t", "score": "auc", "cost": ["seconds"]}
    return ask(
        [
            ("read", {"file": "t"}),
            ("order", {**chosen, "format": "text"}),
            ("report", chosen),
            ("compare", {"file": "published:ulas2012", "figure": "svg"}),
            ("order", {"file": "published:ulas2012"}),
            (
                "multivariate",
                {"file": "published:ulas2012", "scores": "accuracy,space", "dataset": "pima", "page": True},
            ),
            ("read", {"file": "t", "clean": "csv"}),
            ("battles", {"file": "v", "prices": "p", "figure": "svg"}),
            ("power", {"items": 500, "discordant": 0.2}),
            ("order", {"file": "i", "cost": ["price"]}),
            ("power", {"file": "i", "difference": 0.1}),
            ("gate", {"file": "i", "base": "m0", "candidate": "m1", "margin": 0.1}),
            ("board", chosen),
        ],
        {
            "t": ("my table.csv", table),
            "v": ("pasted.txt", "model_a,model_b,winner\n" + "a,b,a\nb,c,tie\nc,a,c\na,b,b\nb,c,b\n" * 9),
            "p": ("prices.csv", "model,price\na,3\nb,2\nc,1\n"),
            "i": (
                "items.csv",
                "model,item,accuracy,price\n"
                + "".join(f"m{m},q{k},{k * (m + 2) % 3 % 2},{m}\n" for m in range(3) for k in range(40)),
            ),
        },
    )


def test_a_table_is_understood_ordered_and_reported(answers: list[dict[str, Any]]) -> None:
    read, ordered, report = answers[:3]
    assert read["result"]["algorithms"] == ["x", "y"] and len(read["result"]["datasets"]) == 9
    assert ordered["command"] == 'tiebreak order "my table.csv" --score auc --cost seconds'
    assert "y" in ordered["result"] and ordered["python"].startswith("import tiebreak as tb")
    assert report["page"].lstrip().startswith("<!doctype html>") and "Downloads.start" in report["page"]


def test_figures_pages_and_clean_tables_are_written(answers: list[dict[str, Any]]) -> None:
    compared, _, measured, clean = answers[3:7]
    assert compared["files"][0]["name"] == "figure.svg" and "<svg" in compared["files"][0]["text"]
    assert measured["page"].lstrip().startswith("<!doctype html>")
    assert clean["files"][0]["text"].startswith("dataset,")


def test_votes_and_items_are_answered_too(answers: list[dict[str, Any]]) -> None:
    fought, planned, ordered, shown, gated, board = answers[7:]
    assert set(fought["result"]["order"]) == {"a", "b", "c"} and "<svg" in fought["files"][0]["text"]
    assert fought["command"] == "tiebreak battles pasted.csv --prices prices.csv --figure figure.svg"
    assert planned["result"]["text"].startswith("500 items show a difference of 0.0574")
    assert ordered["result"]["headline"] and shown["result"]["needed"] > 0
    assert gated["result"]["verdict"] in gated["files"][0]["text"].lower() and gated["files"][0]["name"] == "gate.md"
    assert board["result"]["order"] == ["y", "x"] and board["page"].startswith("<!doctype html>")


def test_what_is_wrong_is_said_with_its_options(answers: list[dict[str, Any]]) -> None:
    error = answers[4]["error"]
    assert error["code"] == "not-said" and {"option": "cost", "values": ["space"]} in error["options"]


def test_the_static_pages_hold_all_that_they_ask_for(tmp_path: Path) -> None:
    from tiebreak.web.pages import write_static

    write_static(tmp_path)
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for name in ("assets/shared.css", "assets/style.css", "assets/compare.js"):
        assert f'"{name}"' in index and (tmp_path / name).is_file()
    assert 'href="/' not in index and "tiebreak-token" not in index and "the store of this server" not in index
    assert "postMessage" in (tmp_path / "assets/ask.js").read_text(encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "tiebreak.zip") as held:
        names = held.namelist()
    assert "tiebreak/web/alone.py" in names and "tiebreak/results/known_names.csv" in names
    assert not any("__pycache__" in name for name in names)
