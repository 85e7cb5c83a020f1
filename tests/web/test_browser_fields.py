"""Pages speak of their own fields, and show the way to the page that a file belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tiebreak.web.messages import LABELS, label_of
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
        assert f">{label_of(name)}<" in shown


PLAN = 'datasets = ["builtin:iris"]\nalgorithms = ["nb", "lda"]\nresampling = "5x2cv"\n'


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_whatever_is_dropped_on_the_first_page_is_understood(
    opened: Opened, examples: Path, scheme: str, width: int
) -> None:
    page, seen = opened("/", color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
    assert violations(page) == []
    for names, words in (
        (["ulas2012.csv"], "Use svr"),
        (["votes.csv"], "aster is the strongest"),
        (["gate_base.csv", "gate_candidate.csv"], "These look like an old and a new version"),
        (["paper.tex"], "1 of 2 claims of paper.tex is supported"),
        (["plan.toml"], "This is a plan: run it?"),
    ):
        page.goto(page.url.partition("/compare")[0])
        page.locator("#file").set_input_files([examples / name for name in names])
        page.get_by_role("heading", level=1, name=words).wait_for()
        assert page.evaluate("document.activeElement.id") == "h-answer", names
        assert 0 < page.evaluate("document.activeElement.getBoundingClientRect().top") < 300, names
        assert page.evaluate("document.documentElement.scrollWidth") <= width, names
    page.get_by_text("120 to run").wait_for()
    assert violations(page) == [] and seen == []


def test_a_plan_is_run_after_a_click(opened: Opened, empty_store: None) -> None:
    page, seen = opened("/")
    upload(page, "small.toml", PLAN)
    page.get_by_role("button", name="Run it now").click()
    page.get_by_text("20 of 20 cells done").first.wait_for()
    page.get_by_role("link", name="order the algorithms").click()
    page.locator("#source").get_by_text("the store of this server").wait_for()
    assert seen == []
