"""Hostile uploads: each gets a sentence or a right answer, and the server is afterwards what it was before."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from tiebreak.web import requests

from .conftest import LIMITS, PATIENCE_S, Web, wait_until
from .hostile import CASES, WIDE


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_upload_gets_a_sentence_or_a_right_answer(server: Web, case: str) -> None:
    options = CASES[case]
    chosen = {} if options.verb == "battles" else {"score": "auc"}
    chosen |= {"margin": "0.1", "base": "svm", "candidate": "tree"} if options.verb == "gate" else {}
    reply = server.form(f"/api/{options.verb}", [("file", options.name, options.data())], **chosen)
    assert reply.status in options.statuses, reply.data[:300]
    if reply.status == 200:
        key = {"battles": "algorithms", "board": "entries"}.get(options.verb, "mean_ranks")
        assert len(reply.json["result"][key]) == 3
    else:
        text = reply.error["text"]
        assert text.endswith((".", "?")) and options.says in text and len(text) < 3000, text
        assert str(server.settings.folder) not in text and "Traceback" not in text
    assert not list((server.settings.folder / "work").iterdir())
    assert not Path("/tmp/tiebreak-was-here").exists()


def _endless(count: int, total: list[int]) -> Iterator[bytes]:
    head = b'--m\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    yield head
    piece = b"0" * 65_536
    for _ in range(count // len(piece)):
        total.append(len(piece))
        yield piece


def test_a_stream_of_five_gigabytes_is_cut_at_the_limit(server: Web) -> None:
    sent: list[int] = []
    options = {"Content-Type": "multipart/form-data; boundary=m", "Transfer-Encoding": "chunked"}
    reply = server.ask("POST", "/api/compare", _endless(5_000_000_000, sent), options)
    assert reply.status == 413 and reply.error["what"] == "The upload is larger than 3 MB."
    assert sum(sent) < 100_000_000  # what lies in the buffers of the system, not what would have come
    assert not list((server.settings.folder / "work").iterdir())


def test_a_length_that_is_too_large_is_refused_before_anything_comes(server: Web) -> None:
    options = {"Content-Type": "application/json", "Content-Length": "5000000000"}
    reply = server.ask("POST", "/api/compare", b"{}", options)
    assert reply.status == 413


def test_names_are_kept_as_text_and_never_as_paths(server: Web) -> None:
    reply = server.form("/api/compare", [("file", "../../x y;rm -rf.csv", WIDE.encode())], score="auc")
    assert reply.json["command"] == 'tiebreak compare "x y_rm -rf.csv" --score auc'
    names = server.form("/api/compare", [("file", "t.csv", WIDE.replace("svm", "a<b").encode())], score="auc")
    assert "a<b" in names.json["result"]["mean_ranks"] and names.headers["content-type"] == "application/json"


def test_a_written_page_escapes_names(server: Web) -> None:
    evil = WIDE.replace("svm", "<script>alert(1)</script>").encode()
    reply = server.form("/api/report", [("file", "t.csv", evil)], score="auc")
    page = server.get(reply.json["page"])
    assert b"alert(1)" in page.data and b"<script>alert(1)" not in page.data


def test_cells_that_look_like_formulas_are_harmless_in_what_is_given_out(server: Web) -> None:
    evil = WIDE.replace("d1,0.81", "=1+1,-0.81").replace("svm", "@sum").encode()
    reply = server.form("/api/read", [("file", "t.csv", evil)], score="x", clean="csv", plain="true")
    [file] = reply.json["files"]
    lines = file["text"].splitlines()
    assert lines[0].split(",")[1:] == ["'@sum", "bayes", "tree"] or "'@sum" in lines[0]
    assert any(line.startswith("'=1+1,") for line in lines) and "-0.81" in file["text"]
    assert "'-0.81" not in file["text"]


def test_nothing_works_or_waits_afterwards(server: Web) -> None:
    def free() -> bool:
        state = server.get("/health").json
        return (state["at_work"], state["waiting"], state["workers"]) == (0, 0, 2)

    wait_until(free)
    assert sum(item.file.size for item in server.app.state.server.folder._held.values()) < LIMITS.kept


def test_who_sends_too_much_can_send_it_all_and_reads_why(server: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that does not forgive a broken pipe, as browsers do not: nothing may break while it sends."""
    monkeypatch.setattr(requests, "LONGEST_PASS", PATIENCE_S)
    body = b'{"text": "' + b"x" * 6_000_000 + b'"}'
    for _ in range(10):
        connection = http.client.HTTPConnection("127.0.0.1", server.settings.port, timeout=PATIENCE_S)
        connection.request("POST", "/api/read", body=body, headers={"Content-Type": "application/json"})
        getresponse = connection.getresponse()
        assert getresponse.status == 413 and b"The upload is larger than 3 MB." in getresponse.read()
        connection.close()
