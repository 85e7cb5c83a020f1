"""What is refused before any work is done: questions from elsewhere, and runs on data that cannot be read."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import pytest

from tiebreak.cli import main
from tiebreak.web.app import make_app
from tiebreak.web.settings import Limits, Log, Settings
from tiebreak.web.uploads import Folder

from .conftest import Web


@pytest.mark.parametrize("path", ["/api/store/export", "/api/store", "/api/runs", "/kept/x"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_picture_elsewhere_lets_nothing_work_here(server: Web, path: str, site: str) -> None:
    reply = server.get(path, Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors", Sec_Fetch_Dest="image")
    assert (reply.status, reply.error["code"]) == (403, "cross-site")


def test_a_link_elsewhere_leads_to_a_page_and_our_own_questions_are_answered(server: Web) -> None:
    for path in ("/", "/compare?file=published%3Aulas2012", "/health"):
        assert server.get(path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200
    assert server.get("/api/runs", Sec_Fetch_Site="same-origin").status == 200


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.csv", b"", "'empty.csv' is empty."),
        ("paper.pdf", b"%PDF-1.7", "'paper.pdf' has none of the endings .csv,"),
        ("few.csv", b"x,y,class\n1,2,a\n3,4,b\n", "Data set 'few' has 2 rows with a class."),
    ],
)
def test_a_run_on_data_that_cannot_be_used_never_begins(server: Web, name: str, data: bytes, says: str) -> None:
    before = server.get("/api/runs").json["runs"]
    reply = server.form("/api/runs", [("file", name, data)], run="10s")
    assert reply.status == 422 and says in reply.error["text"], reply.data
    assert server.get("/api/runs").json["runs"] == before


def test_a_port_that_another_program_has_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    readouterr = capsys.readouterr()
    assert "listens" not in readouterr.err
    assert (
        f"The server cannot listen on 127.0.0.1, port {port}: Address already in use. Another program" in readouterr.err
    )
    assert f"Use another one: --port {port % 65535 + 1}." in readouterr.err


def test_what_a_server_cannot_have_is_refused_before_it_promises_to_listen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tiebreak.web.serving.listening", lambda _: socket.create_server(("127.0.0.1", 0)))
    (tmp_path / "notes.md").write_text("no store at all\n" * 100)
    taken = Folder(tmp_path / "taken", Limits())
    taken.open()
    cases = [
        (["--folder", str(tmp_path / "taken")], "Another server uses the folder"),
        (["--folder", str(tmp_path / "notes.md" / "x")], "cannot be made or written: Not a directory."),
        (["--folder", str(tmp_path / "own"), "--store", str(tmp_path / "notes.md")], "file is not a database"),
    ]
    for words, says in cases:
        assert main(["serve", *words]) == 2
        err = capsys.readouterr().err
        assert says in err and "listens" not in err and "Traceback" not in err
    taken.close()


def test_a_server_for_others_runs_no_plan(tmp_path: Path) -> None:
    from starlette.testclient import TestClient

    token = "a-secret-of-many-letters"
    settings = Settings(host="0.0.0.0", token=token, folder=tmp_path / "s", store=str(tmp_path / "r.db"))
    app = make_app(settings, log=Log(io.StringIO()))
    app.state.server.folder.open()
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    files = {"file": ("plan.toml", b'datasets = ["builtin:iris"]\nalgorithms = ["nb"]\n')}
    reply = client.post("/api/runs", files=files, headers={"X-Tiebreak-Token": token})
    assert reply.status_code == 403 and "Plans are not run on a server for others." in reply.json()["error"]["text"]
    app.state.server.folder.close()
