"""The pages in a real browser: each journey from an empty store, both themes, phone width, keyboard, screen reader.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it. One browser and one server for all.
Nothing is looked at before it is waited for: a busy machine draws late, and what stood there before still stands then.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import PATIENCE_MS, Opened

PUBLISHED = "/compare?file=published%3Aulas2012&verb=order&score=accuracy&cost=train_time"
ODD = """Task,Method,AUROC,cpu seconds,note
a,x,0.9,3,k
a,y,0.8,1,k
b,x,0.7,2,
b,y,0.75,1,
c,x,0.8,4,
c,y,,,
Average,x,0.8,3,
d,x,0.9,2,
d,y,0.91,2,
"""
HOSTILE = "<img src=x onerror=alert(1)>"


def ready(page: Any, words: str = "The answer is ready.") -> None:
    """Wait for the first answer; for a second one wait for what it changes."""
    page.get_by_text(words).wait_for()


def text_of(page: Any, id_: str) -> str:
    """Return the text of an element, folded away or not."""
    return str(page.locator(f"#{id_}").text_content())


def change(page: Any) -> None:
    """Unfold the form."""
    page.get_by_text("Change", exact=True).click()


def shows(locator: Any, text: str) -> None:
    """Wait until an element holds a text."""
    from playwright.sync_api import expect

    expect(locator).to_contain_text(text, timeout=PATIENCE_MS)


def focused(page: Any, what: str, value: str) -> None:
    """Wait until the element that has the focus is the one meant: a link within a page moves it a moment later."""
    page.wait_for_function(f"value => document.activeElement.{what} === value", arg=value)


def upload(page: Any, name: str, text: str) -> None:
    page.locator("#file").set_input_files([{"name": name, "mimeType": "text/csv", "buffer": text.encode()}])


def violations(page: Any) -> list[Any]:
    axe = pytest.importorskip("axe_playwright_python", reason="rules of accessibility come with axe-playwright-python")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.add_script_tag(path=str(Path(axe.__file__).with_name("axe.min.js")))
    evaluation = page.evaluate("axe.run()")
    return [(item["id"], [node["html"][:120] for node in item["nodes"][:3]]) for item in evaluation["violations"]]


def test_an_example_is_one_click_away_and_a_trade_is_a_move_of_the_slider(opened: Opened) -> None:
    page, seen = opened("/")
    page.get_by_role("link", name="Ulas, Yildiz and Alpaydin (2012)").click()
    ready(page)
    assert page.get_by_role("heading", level=1).inner_text() == "Use svr"
    assert text_of(page, "command") == "tiebreak order published:ulas2012 --score accuracy --cost train_time"
    assert "tb.order('published:ulas2012'" in text_of(page, "python")
    assert page.locator("table.answers tbody b").first.inner_text() == "svr"
    assert page.locator("img.figure").evaluate("each => each.decode().then(() => each.naturalWidth)") > 100
    slider = page.locator("#trade-slider")
    slider.evaluate("each => { each.value = each.max; each.dispatchEvent(new Event('input')) }")
    assert "10% = 8.5 points: 5nn first" in slider.get_attribute("aria-valuetext")
    slider.evaluate("each => each.dispatchEvent(new Event('change'))")
    shows(page.locator("#h-answer"), "Use 5nn")
    assert "trade=10%25" in page.url
    change(page)
    page.get_by_label("Rule", exact=True).select_option("multitest")
    shows(page.locator("#command"), "--rule multitest")
    page.get_by_label("Alpha", exact=True).fill("0.01")
    page.get_by_label("Alpha", exact=True).press("Tab")
    shows(page.locator("#command"), "--alpha 0.01")
    assert "alpha=0.01" in page.url and "score=accuracy" in page.url
    page.get_by_text("Downloads and the full report").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="LaTeX", exact=True).click()
    assert "\\begin{tabular}" in Path(saved.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Full report").click()
    address = page.get_by_role("link", name="Open the report").get_attribute("href")
    page.goto(page.url.split("/compare")[0] + address)
    page.locator("h1").wait_for()
    assert seen == []


def test_a_table_is_mended_with_clicks(opened: Opened) -> None:
    page, seen = opened("/compare")
    upload(page, "odd.csv", ODD)
    page.get_by_role("button", name="Gaps: drop-datasets").click()
    ready(page)
    change(page)
    assert "4 data sets, 2 algorithms, 1 measure." in page.locator("#reading").inner_text()
    assert page.get_by_label("Role of column Task").input_value() == "dataset"
    page.get_by_role("radio", name=re.compile("Which one to use")).check()
    shows(page.locator("#command"), "tiebreak order")
    ready(page)
    page.get_by_role("combobox", name="Cost", exact=True).select_option("cpu seconds")
    page.get_by_role("button", name="score: AUROC").click()
    shows(page.locator("#command"), "--cost")
    page.get_by_label("Direction of AUROC").select_option("higher")
    page.get_by_role("button", name="Keep row Average").click()
    shows(page.locator("#command"), "keep_rows=yes")
    assert text_of(page, "command").startswith('tiebreak order "odd.csv?keep_rows=yes"')
    for part in ("missing=drop-datasets", "cost=cpu+seconds", "keep_rows=true", "direction=AUROC%3Dhigher"):
        assert part in page.url
    assert seen == []


def test_a_pasted_wide_table_is_told_its_direction_and_turned(opened: Opened) -> None:
    page, seen = opened("/compare")
    page.get_by_text("Or paste it as text").click()
    rows = "\n".join(f"d{k},{k % 3},{k % 4 + 1},{k % 5}" for k in range(8))
    page.get_by_label("The text, with its line of headings").fill(f"foo,{HOSTILE},m2,m3\n{rows}\n")
    page.get_by_role("button", name="Use this text").click()
    page.get_by_role("button", name="lower is better").click()
    ready(page)
    assert HOSTILE in text_of(page, "text")
    assert "lower_is_better=true" in page.url
    change(page)
    page.get_by_role("button", name="It is the other way round").click()
    page.get_by_text("3 data sets, 8 algorithms").wait_for()
    assert seen == []


def test_several_measures_at_once(opened: Opened) -> None:
    page, seen = opened("/compare?file=published%3Aulas2012&verb=multivariate&algorithms=svl,5nn&dataset=pima")
    page.get_by_role("heading", name="Choose two measures or more.").wait_for()
    change(page)
    page.get_by_label("accuracy", exact=True).check()
    page.get_by_label("train_time", exact=True).check()
    shows(page.locator("#command"), "--scores accuracy,train_time")
    page.locator("summary", has_text="Learned measures").wait_for()
    assert seen == []


EXAMPLES = ("ulas2012.csv", "items.csv", "votes.csv", "gate_base.csv", "paper.tex")
"""Files with an answer at once, with an open question, and with nothing to compare."""


@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 1280, 900), ("dark", 390, 844)])
def test_the_answer_or_the_question_is_at_the_top(
    opened: Opened, examples: Path, scheme: str, width: int, height: int
) -> None:
    page, seen = opened("/compare", color_scheme=scheme, viewport={"width": width, "height": height}, bypass_csp=True)
    for name in EXAMPLES:
        page.goto(page.url.partition("?")[0])
        page.locator("#file").set_input_files(examples / name)
        page.wait_for_function(
            "() => { const id = each => document.getElementById(each); return !id('answering').hidden"
            " && (id('status').textContent.includes('is ready') || !id('problem').hidden) }"
        )
        place = page.evaluate("document.activeElement.getBoundingClientRect().top")
        assert (page.evaluate("document.activeElement.id"), scroll(page)) == ("h-answer", 0), name
        assert 0 < place < 250 and page.locator("iframe").count() == 0, (name, place)
        text = "".join(page.locator(item).inner_text() for item in ("#h-answer", "#lead", "#problem"))
        assert text and "--" not in text, name
        if name in EXAMPLES[:2]:  # an answer and a question: the rest has the same elements
            assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert seen == []


def scroll(page: Any) -> int:
    return int(page.evaluate("scrollY"))


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_every_page_is_accessible_and_fits(opened: Opened, scheme: str, width: int) -> None:
    for path, words in (
        ("/", "I have results"),
        (PUBLISHED, "The answer is ready."),
        ("/recommend?file=builtin%3Airis&budget=1min", "The ranking is ready."),
        ("/store", "Import and export"),
    ):
        page, _ = opened(path, color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
        ready(page, words)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_everything_is_reached_by_the_keyboard(opened: Opened) -> None:
    page, _ = opened("/compare")
    page.keyboard.press("Tab")
    focused(page, "textContent", "To the content")
    page.keyboard.press("Enter")
    focused(page, "id", "main")
    for _ in range(5):
        page.keyboard.press("Tab")
    focused(page, "textContent", "auc of 4 variants of C4.5 on 14 data sets")
    page.keyboard.press("Enter")
    ready(page)
    focused(page, "id", "h-answer")
    page.keyboard.press("Shift+Tab")
    focused(page, "tagName", "SUMMARY")
    page.keyboard.press("Enter")
    page.get_by_label("Alpha", exact=True).focus()
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"compare-missing", "SUMMARY", "clear"} <= set(reached)


def test_data_are_ranked_tried_and_stored(opened: Opened, empty_store: None, quick_runs: None) -> None:
    page, seen = opened("/store")
    page.get_by_role("heading", name="It is empty").wait_for()
    with page.expect_navigation():  # until its scripts have run
        page.get_by_role("link", name="Drop a data set").click()
    page.locator("#example").select_option("builtin:iris")
    ready(page, "The ranking is ready.")
    first = page.locator("#shown table.answers tbody b").first.inner_text()
    assert "3 classes with 50 rows each" in text_of(page, "sentences")
    change(page)
    page.locator("#accd").select_option("0.1")
    shows(page.locator("#command"), "--accd 0.1")
    assert page.locator("#shown table.answers tbody b").first.inner_text() != first
    page.get_by_label("Time to run", exact=True).fill("30min")
    page.get_by_role("button", name="Run the list").click()
    page.locator("#run-status").get_by_text(re.compile("is running|waits")).wait_for()
    assert "run=" in page.url
    page.get_by_role("button", name="Cancel").click()
    page.locator("#run-status").get_by_text("was cancelled").wait_for()
    page.get_by_role("button", name="Go on with it").wait_for()
    assert seen == []


def test_what_is_chosen_before_the_script_has_come_counts(opened: Opened, server: Any) -> None:
    page, _ = opened("/")
    held = []
    page.route("**/recommend.js", lambda route: held.append(route))
    page.goto(f"{server.url}/recommend", wait_until="commit")
    page.locator("#example").select_option("builtin:iris")
    began = time.monotonic()
    while not held:
        assert 1000 * (time.monotonic() - began) < PATIENCE_MS
        page.wait_for_timeout(50)
    held[0].continue_()
    ready(page, "The ranking is ready.")
    assert "file=builtin%3Airis" in page.url


def test_a_table_is_taken_into_the_store(opened: Opened, examples: Path) -> None:
    page, seen = opened("/store")
    page.get_by_label("A table of results").set_input_files(examples / "demsar2006.csv")
    page.get_by_label("Whose results they are").fill("Demsar")
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Which algorithm to use").wait_for()
    assert page.locator("#datasets tbody tr").count() >= 14
    assert seen == []
