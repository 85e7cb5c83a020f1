"""Who may ask, from where, and what a browser may do with the answer."""

from __future__ import annotations

import asyncio
import io
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers

from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.web import serving
from tiebreak.web.app import make_app
from tiebreak.web.messages import Problem
from tiebreak.web.routes import ROUTES
from tiebreak.web.safety import check_host, check_origin
from tiebreak.web.settings import Limits, Log, Settings
from tiebreak.web.uploads import Folder, Received

from .. import event_loop
from .conftest import PATIENCE_S, Web
from .hostile import WIDE

OPEN = "a-secret-of-many-letters"


# ---- names and origins


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.7", "", "[::2]"])
def test_a_name_that_is_not_ours_is_refused(server: Web, host: str) -> None:
    """A page elsewhere can let its own name point to this machine; the name stays its own."""
    reply = server.ask("GET", "/api/store", headers={"Host": host})
    assert (reply.status, reply.error["code"]) == (421, "wrong-host")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8000", "LOCALHOST:99"])
def test_names_of_this_machine_are_ours(server: Web, host: str) -> None:
    assert server.ask("GET", "/health", host=host).status == 200


def test_a_server_for_others_takes_addresses_and_the_names_it_was_told() -> None:
    settings = Settings(host="0.0.0.0", token=OPEN, names=("bench.example.org",))
    for host in ("10.0.0.7:8000", "[2001:db8::1]", "bench.example.org", "127.0.0.1"):
        check_host(host, settings)
    with pytest.raises(Problem, match="not its own"):
        check_host("other.example.org", settings)


@pytest.mark.parametrize(
    "told",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "cross-site"},
    ],
)
def test_posts_from_pages_of_others_are_refused(server: Web, told: dict[str, str]) -> None:
    reply = server.post("/api/compare", {"file": "published:demsar2006"}, told)
    assert (reply.status, reply.error["code"]) == (403, "cross-site")


def test_no_route_answers_pages_of_others(server: Web) -> None:
    """Every route of the table, whichever come: nothing is computed, told or changed."""
    for route in ROUTES:
        path = route.path.format(key="x", run="x", part="runs")
        options = {
            "Content-Type": "application/json",
            "Origin": "http://evil.example",
            "X-Tiebreak-Token": server.token,
        }
        reply = server.ask(route.method, path, b"{}" if route.method == "POST" else None, options)
        assert (reply.status, reply.error["code"]) == (403, "cross-site"), route.path


def test_posts_from_our_own_pages_and_from_programs_are_let_through() -> None:
    check_origin(
        Headers({"host": "127.0.0.1:8000", "origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"})
    )
    check_origin(Headers({"host": "127.0.0.1:8000", "sec-fetch-site": "none"}))
    check_origin(Headers({"host": "127.0.0.1:8000"}))


def test_other_sites_get_no_leave_to_ask(server: Web) -> None:
    reply = server.ask("OPTIONS", "/api/compare", headers={"Origin": "http://evil.example"})
    assert reply.status == 403 and not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/uploads"), ("POST", "/api/runs"), ("POST", "/api/store/import"), ("DELETE", "/api/runs/x"),
     ("POST", "/api/runs/x/cancel"), ("POST", "/api/runs/x/resume"), ("DELETE", "/api/uploads/x")],
)  # fmt: skip
def test_changes_need_their_token(server: Web, method: str, path: str) -> None:
    for token in ({}, {"X-Tiebreak-Token": "wrong"}, {"Cookie": f"tiebreak={server.token}"}):
        reply = server.ask(method, path, b"{}", {"Content-Type": "application/json", **token})
        assert (reply.status, reply.error["code"]) == (403, "no-change-token")


# ---- what browsers may do


def test_headers_of_pages_and_answers(server: Web) -> None:
    for path in ("/", "/health", "/api/openapi.json", "/nonsense"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"


def test_a_written_page_has_no_origin(server: Web) -> None:
    page = server.post("/api/report", {"file": "published:demsar2006", "score": "auc"}).json["page"]
    policy = server.get(page).headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts allow-downloads;") and "allow-same-origin" not in policy
    assert "frame-ancestors 'self'" in policy


def test_pages_hold_nothing_inline_and_load_nothing_from_elsewhere(server: Web) -> None:
    text = server.get("/").data.decode()
    assert "<style" not in text and " style=" not in text and " onclick" not in text
    assert "http://" not in text and "https://" not in text


# ---- beyond this machine


def test_a_server_for_others_needs_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "0.0.0.0", "--check"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak serve: The server would listen on 0.0.0.0 without a token. Everybody in the network could read the"
        " store and run things on this machine. Set TIEBREAK_TOKEN or --token to a secret of 16 letters or more, or"
        " leave --host out.\n"
    )
    with pytest.raises(OptionError, match="has 5 of the 16 letters"):
        Settings(token="short")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[object]:
    """An application with a token, asked without a network and without children."""
    from starlette.testclient import TestClient

    settings = Settings(token=OPEN, folder=tmp_path / "s", store=str(tmp_path / "r.db"))
    app = make_app(settings, log=Log(io.StringIO()))
    app.state.server.folder.open()
    yield TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    app.state.server.folder.close()


def test_with_a_token_nothing_is_shown_to_strangers(guarded: object) -> None:
    client: Any = guarded
    assert client.get("/health").status_code == 200
    assert client.get("/api/runs").status_code == 401
    options = client.get("/", headers={"Accept": "text/html"})
    assert (options.status_code, options.headers["location"]) == (303, "/signin")
    location = client.get("/store?score=auc", headers={"Accept": "text/html"}).headers["location"]
    assert location == "/signin?to=%2Fstore%3Fscore%3Dauc"
    asking = client.get(location)
    assert 'value="/store?score=auc"' in asking.text and asking.headers["referrer-policy"] == "same-origin"
    assert OPEN not in asking.text
    assert client.get("/api/runs", headers={"Authorization": f"Bearer {OPEN}"}).status_code == 200
    assert client.get("/api/runs", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_whoever_knows_the_token_signs_in(guarded: object) -> None:
    client: Any = guarded
    wrong = client.post("/signin", files={"token": (None, "wrong")})
    assert wrong.status_code == 401 and "set-cookie" not in wrong.headers
    right = client.post("/signin", files={"token": (None, OPEN)})
    cookie = right.headers["set-cookie"]
    assert right.status_code == 303 and "HttpOnly" in cookie and "SameSite=strict" in cookie
    for wanted, gone in ("/store?score=auc", "/store?score=auc"), ("//elsewhere.org/store", "/"), ("/kept/x", "/"):
        assert client.post("/signin", files={"token": (None, OPEN), "to": (None, wanted)}).headers["location"] == gone
    assert client.get("/", headers={"Accept": "text/html"}).status_code == 200


# ---- logs and files


def test_logs_hold_nothing_of_the_data(server: Web) -> None:
    server.form("/api/compare", [("file", "secret-name.csv", WIDE.replace("svm", "secret-algorithm").encode())],
                score="auc")  # fmt: skip
    server.get("/store?score=secret-score")
    lines = [json.loads(line) for line in server.log.getvalue().splitlines()]
    assert "secret" not in server.log.getvalue()
    options = [line for line in lines if line.get("route") == "/store"]
    assert {"time", "event", "method", "route", "status", "ms"} == set(options[-1])


def _file(folder: Path, size: int) -> Received:
    place = folder / "table.csv"
    place.write_bytes(b"x" * size)
    return Received(path=place, name="t.csv", size=size, digest="")


def test_uploads_lie_in_a_private_folder_and_are_removed(tmp_path: Path) -> None:
    (tmp_path / "state" / "work" / "left").mkdir(parents=True, mode=0o755)
    (tmp_path / "state" / "runs" / "r").mkdir(parents=True)
    folder = Folder(tmp_path / "state", Limits(kept=100, kept_seconds=3600))
    folder.open()
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert not list(folder.work.iterdir()) and list(folder.runs.iterdir())
    with folder.job() as place:
        held = folder.keep(_file(place, 60))
        with pytest.raises(Problem, match="as many uploads as it has room for"):
            folder.keep(_file(place, 60))
    assert not place.exists() and held.file.path.exists() and folder.find(held.key) is held
    held.used -= 4000
    with pytest.raises(Problem, match="no such upload any more"):
        folder.find(held.key)
    assert not held.file.path.exists()
    with pytest.raises(OptionError, match="Another server uses the folder"):
        Folder(tmp_path / "state", Limits()).open()
    folder.close()
    assert not folder.work.exists()


def test_an_upload_that_stops_on_its_way_is_given_up(tmp_path: Path) -> None:
    from starlette.requests import Request

    from tiebreak.web.requests import read_body

    async def never() -> dict[str, object]:
        await asyncio.sleep(60)
        return {}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(Problem, match="The upload stopped") as caught:
        event_loop.run(
            read_body(Request(scope, never), tmp_path, Limits(idle_seconds=0.05), slots=())  # type: ignore[arg-type]
        )
    assert caught.value.status == 408 and caught.value.headers["Connection"] == "close"


def test_an_upload_of_single_bytes_is_cut(tmp_path: Path) -> None:
    """A byte now and then is no reason to wait on."""
    from starlette.requests import Request

    from tiebreak.web.requests import read_body

    async def drip() -> dict[str, object]:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b" ", "more_body": True}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    limits = Limits(idle_seconds=0.2, upload=1000)
    with pytest.raises(Problem) as caught:
        event_loop.run(read_body(Request(scope, drip), tmp_path, limits, slots=()))  # type: ignore[arg-type]
    assert caught.value.status == 408


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_head_that_does_not_come_ends_its_connection(
    server: Web, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "PATIENCE", 0.2)
    with socket.create_connection(("127.0.0.1", server.settings.port), timeout=PATIENCE_S) as held:
        held.sendall(sent)
        with suppress(ConnectionResetError):
            assert held.recv(100) == b""
    monkeypatch.undo()
    assert server.get("/health").status == 200
