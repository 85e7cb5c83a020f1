"""The page without a server in a real browser, with a real Pyodide.

TIEBREAK_PYODIDE names a folder with Pyodide's release: the runtime (npm's package `pyodide`) and, of the release called
full, the wheels of numpy and scipy. Without these wheels only that is tried which the page says then.
"""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tiebreak.web.pages import write_static

PLACE = os.environ.get("TIEBREAK_PYODIDE")
MISSING = "no Pyodide: TIEBREAK_PYODIDE names the folder of its release, which is not part of this package"
WHEELS = bool(PLACE) and all(any(Path(str(PLACE)).glob(f"{name}-*.whl")) for name in ("numpy", "scipy"))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The static page, served as plain files, with Pyodide beside it."""
    if PLACE is None:
        pytest.skip(MISSING)
    folder = tmp_path_factory.mktemp("site")
    write_static(folder)
    (folder / "pyodide").symlink_to(Path(PLACE).resolve(), target_is_directory=True)
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[tuple[Any, list[str]]]:
    """The page as it is opened, and what it asks of others."""
    context = browser.new_context()
    elsewhere: list[str] = []
    context.on("request", lambda options: options.url.startswith((site, "blob:")) or elsewhere.append(options.url))
    result = context.new_page()
    result.set_default_timeout(100_000)
    result.goto(site)
    yield result, elsewhere
    context.close()


@pytest.mark.skipif(not WHEELS, reason="TIEBREAK_PYODIDE names no folder with the wheels of numpy and scipy")
def test_tables_and_votes_are_answered_in_the_browser_alone(page: tuple[Any, list[str]], examples: Path) -> None:
    result, elsewhere = page
    result.locator("#file").set_input_files(examples / "ulas2012.csv")
    result.get_by_text("The answer is ready.").wait_for()
    assert str(result.locator("#command").text_content()).startswith("tiebreak order ulas2012.csv")
    result.locator("#file").set_input_files(examples / "votes.csv")
    result.get_by_text("aster is the strongest").first.wait_for()
    assert elsewhere == []


@pytest.mark.skipif(WHEELS, reason="numpy and scipy are there")
def test_what_is_missing_beside_the_page_is_said_and_not_asked_for_elsewhere(page: tuple[Any, list[str]]) -> None:
    result, elsewhere = page
    result.get_by_role("button", name="Demsar (2006)").click()
    result.get_by_text("numpy and scipy not found in the folder pyodide beside this page.").wait_for()
    assert elsewhere == []
