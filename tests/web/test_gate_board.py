"""Gates and boards over HTTP: two sides in their order, every verdict an answer, a page that is kept."""

from __future__ import annotations

import io
import json
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tiebreak.cli import main

from .conftest import Web
from .hostile import WIDE


def side(model: str, right: int, n: int = 80) -> str:
    return "model,item,accuracy\n" + "".join(f"{model},q{item},{int(item < right)}\n" for item in range(n))


GOOD, SAME, BAD, FEW = side("old", 70), side("new", 71), side("new", 40), side("new", 7, 10)


@pytest.mark.parametrize(
    ("texts", "margin", "verdict", "code"),
    [([GOOD, SAME], 0.1, "pass", 0), ([GOOD, BAD], 0.1, "worse", 1), ([side("old", 7, 10), FEW], 0.1, "undecided", 3)],
)
def test_every_verdict_is_an_answer_with_a_summary(
    server: Web,
    texts: list[str],
    margin: float,
    verdict: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reply = server.post("/api/gate", {"text": texts, "margin": margin})
    assert reply.status == 200, reply.data
    result = reply.json
    assert (result["result"]["verdict"], result["result"]["exit_code"], result["page"]) == (verdict, code, None)
    files = {item["name"]: item for item in result["files"]}
    assert files["gate.md"]["type"] == "text/markdown" and result["result"]["headline"] in files["gate.md"]["text"]
    assert files["gate.xml"]["text"].startswith("<?xml")
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("pasted.csv", "pasted-2.csv"), texts, strict=True):
        Path(name).write_text(text)
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*shlex.split(result["command"])[1:], "--json"]) == code
        names: dict[str, Any] = {}
        exec(result["python"], names)
    assert names["found"].headline == result["result"]["headline"] in out.getvalue()


def test_two_files_of_one_name_are_told_apart_and_keep_their_order(server: Web) -> None:
    sides = [("file", "run.csv", text.encode()) for text in (GOOD, BAD)]
    result = server.form("/api/gate", sides, margin="0.1").json
    assert (result["result"]["base"], result["result"]["verdict"]) == ("old", "worse")
    assert result["command"] == "tiebreak gate run.csv run-2.csv --margin 0.1"
    turned = server.form("/api/gate", sides[::-1], margin="0.1").json
    assert (turned["result"]["base"], turned["result"]["verdict"]) == ("new", "pass")
    keys = [server.form("/api/uploads", [item]).json["upload"] for item in sides]
    remaining = server.post("/api/gate", {"file": keys, "margin": "0.1"}).json
    assert remaining == result
    text = server.post("/api/gate", {"file": keys, "margin": "0.1", "format": "markdown"}).json
    assert text["result"] == next(item["text"] for item in result["files"] if item["name"] == "gate.md")


def test_a_gate_is_refused_in_words(server: Web) -> None:
    key = server.post("/api/uploads", {"text": GOOD}).json["upload"]
    for options, text in (
        ({"text": GOOD}, "No margin was given."),
        ({"text": GOOD, "margin": 0.1}, "One table was given, of one model: 'old'."),
        ({"text": [GOOD, SAME, BAD], "margin": 0.1}, "gate takes 2 files at most."),
        (
            {"text": SAME, "file": key, "margin": 0.1},
            "The field 'file' holds files, and names of others. Their order may mean something",
        ),
        ({"text": [GOOD, "\n"], "margin": 0.1}, "no table"),
        ({"text": [], "margin": 0.1}, "no table"),
        ({"text": [GOOD] * 21, "margin": 0.1}, "no table"),
        ({"text": [GOOD, SAME], "margin": 0.1, "junit": "/tmp/x"}, "no option 'junit'"),
        ({"text": [GOOD, SAME], "margin": 0.1, "summary": "/tmp/x"}, "no option 'summary'"),
        ({"margin": 0.1}, "The request brings no table."),
    ):
        reply = server.post("/api/gate", options)
        assert reply.status in (400, 422) and text in reply.error["text"], reply.data


def test_a_board_comes_with_all_its_files_and_goes_on_from_an_earlier_one(server: Web) -> None:
    options = {"score": "auc", "title": "Ours <b>", "date": "2026-11-17"}
    first = server.post("/api/board", options | {"text": WIDE}).json
    assert first["command"] == 'tiebreak board pasted.csv --score auc --title "Ours <b>" --date 2026-11-17 -o site'
    assert first["result"]["generator"] == "tiebreak board" and first["result"]["changes"] is None
    names = [item["name"] for item in first["files"]]
    assert "site/feed.json" in names and len([name for name in names if name.startswith("site/badges/")]) == 3
    assert {f"site/{item['badge']}" for item in first["result"]["entries"]} <= set(names)
    texts = {item["name"]: item["text"] for item in first["files"]}
    assert first["page"] is None and json.loads(texts["site/board.json"]) == first["result"]
    assert "<!doctype html>" in texts["site/index.html"][:100].lower() and "Ours <b>" not in texts["site/index.html"]
    links = re.findall(r'href="(?!#|https?:|data:)([^"]+)"', texts["site/index.html"])
    assert {f"site/{link}" for link in links} <= set(texts)
    earlier = json.dumps(first["result"]).encode()
    files = [("file", "t.csv", WIDE.replace("svm", "gbm").encode()), ("since", "board.json", earlier)]
    second = server.form("/api/board", files, score="auc")
    assert second.status == 200, second.data
    assert second.json["result"]["changes"]["new"] == ["gbm"] and "--since board.json" in second.json["command"]


@pytest.mark.parametrize(
    ("earlier", "says"),
    [
        (b"[" * 100_000, "is no"),
        (b"{}", "it does not say that 'tiebreak board' made it"),
        (b'{"generator": "tiebreak board", "format": 1, "entries": [{"algorithm": "a", "place": NaN}]}', "is no"),
        (b"\x80\x04\x95", "is"),
        (b"\x89PNG\r\n\x1a\n", "is"),
    ],
)
def test_an_earlier_board_is_believed_nothing(server: Web, earlier: bytes, says: str) -> None:
    files = [("file", "t.csv", WIDE.encode()), ("since", "board.json", earlier)]
    reply = server.form("/api/board", files, score="auc")
    assert reply.status == 422 and says in reply.error["text"], reply.data
    assert str(server.settings.folder) not in reply.error["text"]


def test_what_an_earlier_board_says_is_text_on_the_page(server: Web) -> None:
    first = server.post("/api/board", {"text": WIDE, "score": "auc"}).json["result"]
    first["history"] = [{"id": "0", "date": None, "sentences": ["<script>alert(1)</script>"]}]
    first["id"], first["entries"][0]["algorithm"] = "0", "</script><script>alert(2)</script>"
    files = [("file", "t.csv", WIDE.encode()), ("since", "board.json", json.dumps(first).encode())]
    reply = server.form("/api/board", files, score="auc")
    page = next(item["text"] for item in reply.json["files"] if item["name"] == "site/index.html")
    assert reply.json["result"]["changes"]["gone"] and "<script>alert" not in page


@pytest.mark.parametrize("verb", ["gate", "board"])
def test_the_rules_of_other_routes_hold(server: Web, verb: str) -> None:
    options = {"text": WIDE, "score": "auc", "base": "svm", "candidate": "tree", "margin": 0.1}
    elsewhere = server.post(f"/api/{verb}", options, {"Origin": "http://elsewhere.example"})
    assert elsewhere.status == 403
    assert server.post(f"/api/{verb}", {"text": WIDE, "out": "/tmp/x"}).error["code"] == "unknown-field"
    for slot in ("file", "since") if verb == "board" else ("file",):
        reply = server.post(f"/api/{verb}", {slot: "/etc/passwd"})
        assert reply.status == 422 and reply.error["code"] == "unknown-source"
    assert server.get(f"/api/{verb}").status == 405
    assert not list((server.settings.folder / "work").iterdir())
