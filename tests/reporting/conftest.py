"""Shared by the tests of reports: a browser, and a page opened in it with all that it says and asks for."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tiebreak import published, report
from tiebreak.reporting import Report

CHROMIUM = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
PATIENCE_MS = 30_000
"""Milliseconds that a busy machine may take for one thing: a test that waits in vain fails soon."""
MISSING = "no browser: install Chromium, or set TIEBREAK_CHROMIUM to it (CI installs Debian's)"
Opened = Callable[..., tuple[Any, list[str]]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, by the name chromium or as TIEBREAK_CHROMIUM says.

    It ends with the file: as long as it is driven, a loop of events counts as running, and tests elsewhere that start
    one of their own, or another browser, would fail in whichever worker comes to them after these.
    """
    if CHROMIUM is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=PATIENCE_MS)
        yield started
        started.close()


def told_by(page: Any, met: Callable[[], bool]) -> None:
    """Wait until a page has told what makes a condition true: what it says comes when it has time for it."""
    began = time.monotonic()
    while not met():
        assert 1000 * (time.monotonic() - began) < PATIENCE_MS
        page.wait_for_timeout(50)


class Window:
    """A page that is used again and again, since a new one costs more than most tests; `seen` is what it says or asks.

    What only a new context can have (scripts, policy) makes another window; the rest is set anew each time.
    """

    def __init__(self, browser: Any, options: dict[str, Any]) -> None:
        self.page = browser.new_context(**options).new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.seen: list[str] = []
        for event, words in {"console": "text", "request": "url", "dialog": "message"}.items():
            self.page.on(event, lambda settings, event=event, words=words: self.hear(event, settings, words))
        self.page.on("pageerror", lambda error: self.seen.append(f"error: {error}"))

    def hear(self, event: str, options: Any, words: str) -> None:
        self.seen.append(f"{event}: {getattr(options, words)}")
        if event == "dialog":
            options.dismiss()

    def show(self, path: Path, color_scheme: str, viewport: dict[str, int]) -> tuple[Any, list[str]]:
        self.page.mouse.move(0, 0)
        self.page.emulate_media(media="null", color_scheme=color_scheme)
        self.page.set_viewport_size(viewport)
        self.seen = seen = []
        self.page.goto(path.as_uri())
        seen.remove(f"request: {path.as_uri()}")
        return self.page, seen


@pytest.fixture(scope="module")
def windows(browser: Any) -> tuple[Any, dict[str, Window]]:
    """The browser, and its windows by what they were made with."""
    return browser, {}


@pytest.fixture
def opened(windows: tuple[Any, dict[str, Window]], tmp_path: Path) -> Opened:
    """A function that opens a report, or a file, and returns the page and what it says or asks for, as that grows.

    The page is the last one opened: opening another closes it.
    """
    browser, known = windows

    def open_(
        what: Report | Path, *, color_scheme: str = "light", viewport: dict[str, int] | None = None, **made_with: Any
    ) -> tuple[Any, list[str]]:
        path = tmp_path / "report.html" if isinstance(what, Report) else what
        if isinstance(what, Report):
            what.save(path)
        key = str(sorted(made_with.items()))
        if key not in known:
            known[key] = Window(browser, made_with)
        return known[key].show(path, color_scheme, viewport or {"width": 1280, "height": 720})

    return open_


@pytest.fixture(scope="session")
def whole() -> Report:
    """A report on published results, with every control."""
    return report(published.ulas2012(), score="accuracy", cost="train_time")


@pytest.fixture(scope="session")
def page_file(whole: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, written."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    whole.save(path)
    return path
