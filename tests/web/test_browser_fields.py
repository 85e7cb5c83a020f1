"""Pages speak of their own fields, and show the way to the page that a file belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from tiebreak.web.messages import LABELS
from tiebreak.web.pages import PAGES, spoken

from .conftest import Opened, Web
from .hostile import WIDE
from .test_browser import ready, upload, violations

EXAMPLES = "sepal,petal,colour,class\n" + "".join(
    f"{i % 7}.{i % 3},{i % 5}.5,{'red' if i % 4 else 'blue'},{'ab'[i % 2]}\n" for i in range(60)
)
VOTES = "model_a,model_b,winner\n" + "x,y,model_a\ny,z,tie\nz,x,model_b\ny,x,model_a\n" * 12


def click_to(page: Any, text: str) -> None:
    page.get_by_role("link", name=text).click()


def test_a_data_set_on_the_comparison_page_is_a_click_from_a_recommendation(opened: Opened) -> None:
    page, seen = opened("/compare", viewport={"width": 390, "height": 800}, color_scheme="dark", bypass_csp=True)
    upload(page, "plants.csv", EXAMPLES)
    page.get_by_text("These rows look like examples").wait_for()
    assert violations(page) == []
    click_to(page, "See what to try on these data")
    ready(page, "The ranking is ready.")
    assert "plants.csv" in page.locator("#source").inner_text()
    assert "60 rows" in page.locator("#sentences").text_content()
    assert seen == []


@pytest.mark.parametrize(("text", "words"), [(WIDE, "9 data sets, 3 algorithms, 1 measure"), (VOTES, "votes on pairs")])
def test_results_among_data_are_a_click_from_a_comparison(opened: Opened, text: str, words: str) -> None:
    page, seen = opened("/recommend", bypass_csp=True)
    upload(page, "results.csv", text)
    page.locator("#elsewhere").get_by_text(f"This file can be read as results: {words}").wait_for()
    assert violations(page) == []
    click_to(page, "Compare what it holds")
    if text == WIDE:
        page.get_by_role("button", name="higher is better").click()
    ready(page)
    assert "results.csv" in page.locator("#source").inner_text()
    page.go_back()
    assert seen == []


def test_neither_is_offered_where_it_does_not_belong(opened: Opened) -> None:
    page, seen = opened("/compare")
    upload(page, "table.csv", WIDE)
    page.get_by_role("button", name="higher is better").wait_for()  # the score has no direction: it was read
    assert page.get_by_text("These rows look like examples").count() == 0
    page, more = opened("/recommend")
    upload(page, "plants.csv", EXAMPLES)
    ready(page, "The ranking is ready.")
    page.wait_for_load_state("networkidle")
    assert page.locator("#elsewhere").inner_text() == ""
    assert [*seen, *more] == []


def test_a_refusal_on_a_page_names_no_option_of_the_command_line(opened: Opened, server: Web) -> None:
    gap = WIDE.replace("d0,0.80", "d0,").replace("d1,0.81", "d1,")  # of 9 data sets 7 are complete: too few
    page, seen = opened("/compare")
    upload(page, "gap.csv", gap)
    page.get_by_role("button", name="higher is better").click()
    page.get_by_role("button", name="higher is better").wait_for(state="hidden")  # the first refusal is gone
    page.get_by_role("button", name="Gaps: drop-datasets").wait_for()
    text = page.locator("#answering").inner_text()
    assert "“Gaps: drop-datasets" in text and "--" not in text
    plain = server.post("/api/compare", {"text": gap, "higher_is_better": True})
    assert plain.status == 422 and "--missing drop-datasets" in plain.error["text"]
    assert seen == []


def test_every_label_of_the_table_is_that_of_an_option(server: Web) -> None:
    known = spoken()["labels"]
    assert set(LABELS) <= set(known)
    shown = "".join(server.get(page.path).data.decode() for page in PAGES)
    for name in ("score", "missing", "target", "budget"):
        assert f">{LABELS[name]}<" in shown
