"""Shared by the tests of reports: a browser, and a page opened in it with all that it says and asks for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tiebreak import Report

CHROMIUM = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
MISSING = "no browser: install Chromium, or set TIEBREAK_CHROMIUM to it (CI installs Debian's)"
Opened = Callable[..., tuple[Any, list[str]]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, by the name chromium or as TIEBREAK_CHROMIUM says."""
    if CHROMIUM is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """A function that opens a report, or a file, and returns the page and what it says or asks for, as that grows."""
    contexts = []

    def open_(what: Report | Path, **options: Any) -> tuple[Any, list[str]]:
        path = tmp_path / "report.html" if isinstance(what, Report) else what
        if isinstance(what, Report):
            what.save(path)
        context = browser.new_context(**options)
        contexts.append(context)
        page, seen = context.new_page(), []
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda asked: seen.append(f"request: {asked.url}"))
        page.goto(path.as_uri())
        seen.remove(f"request: {path.as_uri()}")
        return page, seen

    yield open_
    for context in contexts:
        context.close()
