"""The report in a real browser: no error, no request, keyboard, phone width, print, accessibility.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from tiebreak import compare, order, published, report

CHROMIUM = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no browser: install Chromium, or set TIEBREAK_CHROMIUM to it (CI installs Debian's)"
)
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = published.ulas2012()
    path = tmp_path_factory.mktemp("report") / "report.html"
    report(compare(results, score="accuracy"), order(results, score="accuracy", cost="train_time")).save(path)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield started
        started.close()


def opened(browser: Any, page_file: Path, **options: Any) -> tuple[Any, list[str]]:
    context = browser.new_context(**options)
    page = context.new_page()
    seen: list[str] = []
    page.on("console", lambda message: seen.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: seen.append(f"error: {error}"))
    page.on("request", lambda request: seen.append(f"request: {request.url}"))
    page.goto(page_file.as_uri())
    return page, [each for each in seen if each != f"request: {page_file.as_uri()}"]


def test_no_error_and_no_request(browser: Any, page_file: Path) -> None:
    page, seen = opened(browser, page_file)
    assert seen == []
    assert page.locator("svg").count() == 4


@pytest.mark.parametrize("scheme", SCHEMES)
def test_accessibility(browser: Any, page_file: Path, scheme: str) -> None:
    page, _ = opened(browser, page_file, color_scheme=scheme)
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run()")
    assert [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found["violations"]] == []


def test_readable_at_phone_width(browser: Any, page_file: Path) -> None:
    page, _ = opened(browser, page_file, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_everything_can_be_reached_by_keyboard(browser: Any, page_file: Path) -> None:
    page, _ = opened(browser, page_file)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML.slice(0, 60)"))
    assert any("skip" in each for each in reached)
    links, regions = page.locator("nav a").count(), page.locator("main [tabindex='0']:visible").count()
    assert len(reached) >= links + regions


def test_figures_are_legible_at_phone_width(browser: Any, page_file: Path) -> None:
    page, _ = opened(browser, page_file, viewport={"width": 360, "height": 740})
    sizes = page.evaluate(
        """[...document.querySelectorAll("figure svg text")].map(each => {
            const scale = Math.abs(each.getScreenCTM().a) || Math.abs(each.getScreenCTM().b);
            return parseFloat(getComputedStyle(each).fontSize) * scale;
        })"""
    )
    assert len(sizes) > 20
    assert min(sizes) >= 8


def test_print_has_what_is_folded_away_on_the_screen(browser: Any, page_file: Path, tmp_path: Path) -> None:
    page, _ = opened(browser, page_file)
    folded = page.locator("details:not([open]) tbody tr")
    assert folded.count() > 12
    assert not folded.last.is_visible()
    page.emulate_media(media="print")
    heights = page.evaluate(
        "[...document.querySelectorAll('details tr, details pre')].map(each => each.getBoundingClientRect().height)"
    )
    assert min(heights) > 5
    assert page.evaluate("[...document.querySelectorAll('details pre')].every(each => each.checkVisibility())")
    page.pdf(path=tmp_path / "r.pdf", format="A4")
    program = shutil.which("pdftotext")
    if program is None:  # the heights above have shown it
        return
    call = [program, "-layout", str(tmp_path / "r.pdf"), "-"]
    printed = subprocess.run(call, capture_output=True, text=True, timeout=60, check=True).stdout
    lines = {" ".join(line.split()) for line in printed.splitlines()}
    for cells in (folded.first, folded.last):
        row = cells.locator("td").all_text_contents()
        assert any(line.startswith(" ".join(row[:2])) for line in lines), row
    assert "author = {Friedman, Milton}," in lines
