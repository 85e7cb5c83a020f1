"""One real server for all tests of the web advisor, and a small client that sends exactly what a test says."""

from __future__ import annotations

import http.client
import io
import json
import os
import secrets
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the server is built on starlette (tiebreak[web])")
uvicorn = pytest.importorskip("uvicorn", reason="the server is built on uvicorn (tiebreak[web])")

from tiebreak.stores import open_store  # noqa: E402
from tiebreak.web import runs as web_runs  # noqa: E402
from tiebreak.web.app import make_app  # noqa: E402
from tiebreak.web.serving import Impatient  # noqa: E402
from tiebreak.web.settings import (  # noqa: E402
    Limits,
    Log,
    Settings,
)

TOKEN = "a-token-for-the-tests"
PATIENCE_S = 250
"""Seconds by the clock that a busy machine may take for anything; none of the tests is about how long things take."""
LIMITS = Limits(upload=3_000_000, seconds=PATIENCE_S, memory=700_000_000, idle_seconds=PATIENCE_S)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def error(self) -> dict[str, Any]:
        return self.json["error"]  # type: ignore[no-any-return]


@dataclass(slots=True)
class Web:
    """A server that runs, and how to ask it."""

    settings: Settings
    app: Any
    log: io.StringIO
    token: str = TOKEN
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.settings.port}"

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, *, host: str = ""
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.settings.port, timeout=PATIENCE_S)
        options = {"Host": host or f"127.0.0.1:{self.settings.port}", **self.headers, **(headers or {})}
        chunked = not isinstance(body, (bytes, str, type(None)))
        with suppress(BrokenPipeError, ConnectionResetError):  # the server has had enough; its answer is there
            connection.request(method, path, body=body, headers=options, encode_chunked=chunked)
        getresponse = connection.getresponse()
        data = getresponse.read()
        connection.close()
        return Reply(getresponse.status, {name.lower(): value for name, value in getresponse.getheaders()}, data)

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, options: Any = None, headers: dict[str, str] | None = None) -> Reply:
        current = {"Content-Type": "application/json", "X-Tiebreak-Token": self.token}
        return self.ask("POST", path, json.dumps(options or {}).encode(), current | (headers or {}))

    def form(self, path: str, files: Iterable[tuple[str, str, bytes]], **fields: str) -> Reply:
        mark, parts = secrets.token_hex(8), []
        for name, value in fields.items():
            parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
        for slot, name, data in files:
            head = f'--{mark}\r\nContent-Disposition: form-data; name="{slot}"; filename="{name}"\r\n\r\n'
            parts += [head.encode(), data, b"\r\n"]
        body = b"".join([*parts, f"--{mark}--\r\n".encode()])
        options = {"Content-Type": f"multipart/form-data; boundary={mark}", "X-Tiebreak-Token": self.token}
        return self.ask("POST", path, body, options)

    def is_idle(self) -> bool:
        """Tell whether nobody is answered: a browser that is closed leaves questions behind that go on."""
        state = self.app.state.server.pool.state()
        return state["at_work"] == state["waiting"] == 0 and not any((self.settings.folder / "work").iterdir())


_taken: list[socket.socket] = []


def free_port() -> int:
    """A port that the system gives to nobody else as long as this process lives.

    On Linux it stays bound here, without listening; a server may bind it too, and again after it was killed.
    """
    result = socket.socket()
    result.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    result.bind(("127.0.0.1", 0))
    port = int(result.getsockname()[1])
    if sys.platform.startswith("linux"):
        _taken.append(result)
    else:
        result.close()
    return port


def running(settings: Settings) -> Iterator[Web]:
    """Run a server in a thread of its own until the test is over."""
    log = io.StringIO()
    app = make_app(settings, log=Log(log))
    config = uvicorn.Config(app, http=Impatient, port=settings.port, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    began = time.monotonic()
    while not server.started:
        assert thread.is_alive() and time.monotonic() - began < PATIENCE_S, log.getvalue()
        time.sleep(0.02)
    yield Web(settings, app, log)
    server.should_exit = True
    thread.join(PATIENCE_S)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The one server of the session."""
    folder = tmp_path_factory.mktemp("web")
    yield from running(
        Settings(
            port=free_port(),
            store=str(folder / "results.db"),
            folder=folder / "state",
            limits=LIMITS,
            change_token=TOKEN,
            workers=2,
            jobs=1,
        )
    )


QUICK = """
import json, signal, sys, time
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)
options = dict(word[2:].partition("=")[::2] for word in sys.argv[1:] if word.startswith("--"))
names = options.get("algorithms", "rf").split(",")

def tried(count):
    left = names[count:]
    trial = {"event": "trial", "algorithm": names[count - 1], "status": "ok", "score": 0.9, "score_name": "accuracy"}
    trial |= {"best_so_far": 0.9, "expected_loss": 0.01, "folds": 10, "stored": False, "seconds": 1.0, "then": left}
    with open(options["progress"], "a") as stream:
        print(json.dumps(trial), file=stream, flush=True)

def ended(how):
    order = {"stopped": how, "best": {"algorithm": names[0], "score": 0.9}, "order": names}
    Path(options["out"]).write_text(json.dumps({"run": order, "shipped": options.get("base") == "shipped"}))

again = Path("begun").exists()
Path("begun").touch()
try:
    tried(1)
    while not again:
        time.sleep(0.02)
    for count in range(2, len(names) + 1):
        tried(count)
    ended("all tried")
except KeyboardInterrupt:
    ended("interrupted")
"""
"""What behaves as `tiebreak recommend --run` does, and fits nothing: it waits to be interrupted, and ends when it goes
on. What a real run leaves is tested where a server is killed, and on the page of a run."""


@pytest.fixture
def quick_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of the session's server that fit nothing."""
    monkeypatch.setattr(web_runs, "_HEARING", QUICK)


@pytest.fixture
def empty_store(server: Web) -> None:
    """The store of the server as it was at the beginning, whichever tests were before."""
    held, url = server.app.state.server, Path(server.settings.store)
    wait_until(lambda: held.runs.at_work() == 0)
    for path in url.parent.glob(f"{url.name}*"):
        path.unlink()
    open_store(str(url), create=True).close()


def wait_until(met: Callable[[], bool]) -> None:
    """Wait for a condition, however busy the machine is."""
    began = time.monotonic()
    while not met():
        assert time.monotonic() - began < PATIENCE_S
        time.sleep(0.05)


@pytest.fixture(scope="session")
def examples() -> Path:
    return Path(__file__).parent.parent.parent / "examples"


CHROMIUM = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
MISSING = "no browser: install Chromium, or set TIEBREAK_CHROMIUM to it (CI installs Debian's)"
PATIENCE_MS = 60_000
"""Milliseconds that a busy machine may take for one thing: a test that waits in vain fails soon."""
Opened = Callable[..., tuple[Any, list[str]]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser is driven by playwright")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_api.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=PATIENCE_MS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, server: Any) -> Iterator[Opened]:
    """A function that opens a page, and returns it with what it says or asks of others, as that grows."""
    contexts = []

    def open_(path: str, **options: Any) -> tuple[Any, list[str]]:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        contexts.append(context)
        page, seen = context.new_page(), []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith((server.url, "blob:")) or seen.append(request.url))
        page.goto(server.url + path)
        return page, seen

    yield open_
    for context in contexts:
        context.close()
    wait_until(server.is_idle)
