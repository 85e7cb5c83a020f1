"""The page of gates in a real browser: every verdict, one table or two files, steps that can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Opened
from .test_browser import ready, violations
from .test_gate_board import BAD, FEW, GOOD, SAME, side

READY = "The verdict is ready."


def choose(page: Any, which: str, name: str, text: str) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    page.locator(f"#file-{which}").set_input_files([file])
    page.locator(f"#source-{which} b", has_text=name).wait_for(state="attached")


def fill(page: Any, label: str, text: str) -> None:
    page.locator(".change").click()
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_label(label, exact=True).press("Enter")


def test_the_example_is_one_click_away(opened: Opened) -> None:
    page, seen = opened("/")
    page.get_by_role("link", name="Two versions of a model").click()
    page.get_by_role("link", name="svl against svr").click()
    ready(page, READY)
    assert page.locator("#answering").inner_text().startswith("It may.\n\nPASS: svl is not worse than svr")
    assert "5% cheaper" in page.locator("main").inner_text()
    assert page.locator("#command").text_content() == (
        "tiebreak gate published:ulas2012 --base svr --candidate svl --margin 5% --score accuracy --cost train_time"
    )
    assert "tb.gate('published:ulas2012'" in page.locator("#python").text_content()
    assert seen == []


@pytest.mark.parametrize(
    ("base", "candidate", "words"),
    [
        (GOOD, SAME, "It may.\n\nPASS: new is not worse than old"),
        (GOOD, BAD, "It may not.\n\nWORSE: "),
        (side("old", 7, 10), FEW, "Not decided yet.\n\nUNDECIDED: "),
    ],
)
def test_every_verdict_is_said_plainly(opened: Opened, base: str, candidate: str, words: str) -> None:
    page, seen = opened("/gate", viewport={"width": 390, "height": 800}, color_scheme="dark", bypass_csp=True)
    choose(page, "candidate", "new.csv", candidate)
    page.get_by_text("The file of the base is still missing.").wait_for()
    choose(page, "base", "old.csv", base)
    page.get_by_role("heading", name="By how much may it be worse").wait_for()
    assert page.evaluate("[document.activeElement.id, scrollY]") == ["h-answer", 0]
    fill(page, "Margin", "0.1")
    ready(page, READY)
    assert page.locator("#answering").inner_text().startswith(words)
    assert page.locator("#command").text_content() == "tiebreak gate old.csv new.csv --margin 0.1"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if "UNDECIDED" in words:
        assert "more, would decide for a candidate" in page.locator("#verdict").inner_text()
    page.get_by_text("Downloads", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Summary (Markdown)").click()
    assert saved.value.suggested_filename == "gate.md"
    assert violations(page) == []
    assert seen == []


def test_two_models_of_one_table_are_named_with_clicks(opened: Opened) -> None:
    page, seen = opened("/gate")
    rows = [side(name, right).partition("\n")[2] for name, right in (("v1", 70), ("v2", 70), ("v3", 71))]
    choose(page, "base", "all.csv", "".join(["model,item,accuracy\n", *rows]))
    fill(page, "Margin", "0.1")
    page.get_by_role("button", name="Name of the base: v2").click()
    page.get_by_text("Only 'v2' was named").wait_for()
    assert page.locator("#problem").get_by_role("button").all_inner_texts() == [
        *("Name of the candidate: v1", "Name of the candidate: v3")
    ]
    page.get_by_role("button", name="Name of the candidate: v3").click()
    page.get_by_text("It may.").wait_for()
    assert "base=v2" in page.url and "candidate=v3" in page.url
    assert seen == []
