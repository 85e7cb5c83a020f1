"""How the report looks in a real browser: both themes, on a phone, in print, without scripts, as a card in a notebook.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import axe_playwright_python
import numpy as np
import pytest

from tiebreak import Results, compare, multivariate, order, published, report
from tiebreak.reporting import Report

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 780}


def two_costs() -> Report:
    return report(published.ulas2012(), score="accuracy", cost=["train_time", "space"])


RUN = """async (asked) => {
  const found = await axe.run({ resultTypes: ["violations"], ...asked });
  return found.violations.map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 120))]);
}"""
LOOKS = {"runOnly": ["color-contrast", "scrollable-region-focusable", "target-size", "link-in-text-block"]}
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}}}


def violations(page: Any, options: dict[str, Any] | None = None) -> list[Any]:
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=str(AXE))
    evaluation: list[Any] = page.evaluate(RUN, options or {})
    return evaluation


def test_accessibility(opened: Any, page_file: Path) -> None:
    """All rules on a desk in light; then, on a phone in dark, those that colours and widths can break."""
    page, _ = opened(page_file, color_scheme="light", bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    assert violations(page, LOOKS) == []


def test_the_switch_turns_the_colours_whatever_the_system_has(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file, color_scheme="light")
    all_colours = """() => { const own = getComputedStyle(document.documentElement);
        const names = [...document.styleSheets[0].cssRules].flatMap((rule) => [...(rule.style || [])]);
        const known = [...new Set(names)].filter((each) => each.startsWith("--"));
        return known.map((each) => own.getPropertyValue(each)) }"""
    light = page.evaluate(all_colours)
    page.locator("#theme").select_option("dark")
    dark = page.evaluate(all_colours)
    assert len(light) > 10 and page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 20, 25)"
    page.emulate_media(color_scheme="dark")
    page.locator("#theme").select_option("light")
    assert page.evaluate(all_colours) == light
    page.locator("#theme").select_option("as the system")
    assert page.evaluate(all_colours) == dark != light


SIZES = """[...document.querySelectorAll("figure svg text")].filter((each) => each.checkVisibility()).map((each) => {
    const scale = Math.abs(each.getScreenCTM().a) || Math.abs(each.getScreenCTM().b);
    return parseFloat(getComputedStyle(each).fontSize) * scale;
})"""
FRAMES = """[...document.querySelectorAll("figure .wide, .wide:has(.places)")].map((each) =>
    [each.clientWidth, each.scrollWidth])"""


def test_readable_at_phone_width(opened: Any, page_file: Path) -> None:
    """Figures are drawn for the phone, with letters of 8 px or more, and rows are stacked: nothing scrolls sideways."""
    page, _ = opened(page_file, viewport=DESK)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert page.locator(".broad svg:visible").count() == 4 and page.locator(".narrow svg:visible").count() == 0
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".broad svg:visible").count() == 0 and page.locator(".narrow svg:visible").count() == 4
        assert all(seen >= needed for seen, needed in page.evaluate(FRAMES))
        sizes = page.evaluate(SIZES)
        assert len(sizes) > 20 and min(sizes) >= 7.99
    row = page.locator(".places tbody tr").first.locator("td").all_text_contents()
    assert row[:2] == ["1", "svr"] and row[-1] == "0.0"


def test_without_scripts_everything_is_there_to_read(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file, java_script_enabled=False)
    assert seen == []
    assert page.locator("#explore").is_hidden() and page.locator("#downloads").is_hidden()
    assert page.locator("main dd").first.is_visible() and page.locator("figure svg:visible").count() == 1
    assert page.locator("main button, main input, main select").count() == 0


def test_print_has_what_is_folded_away_on_the_screen(opened: Any, page_file: Path, tmp_path: Path) -> None:
    page, _ = opened(page_file)
    folded = page.locator("details:not([open]) tbody tr")
    assert folded.count() > 12
    assert not folded.last.is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".appendix").first.is_visible()
    short = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    page.evaluate("document.getElementById('whole').checked = true")
    heights = page.evaluate(
        "[...document.querySelectorAll('details tr, details pre')].map(each => each.getBoundingClientRect().height)"
    )
    assert min(heights) > 5
    assert page.evaluate("[...document.querySelectorAll('details pre')].every(each => each.checkVisibility())")
    assert not page.locator("#explore").is_visible() and not page.locator("#theme").is_visible()
    whole = len(re.findall(rb"/Type\s*/Page\b", page.pdf(path=tmp_path / "r.pdf", format="A4")))
    assert short <= 6 and short < whole
    program = shutil.which("pdftotext")
    if program is None:  # the heights above have shown it
        return
    call = [program, "-layout", str(tmp_path / "r.pdf"), "-"]
    printed = subprocess.run(call, capture_output=True, text=True, timeout=100, check=True).stdout
    lines = {" ".join(line.split()) for line in printed.splitlines()}
    for cells in (folded.first, folded.last):
        row = cells.locator("td").all_text_contents()
        assert any(line.startswith(" ".join(row[:2])) for line in lines), row
    assert "author = {Friedman, Milton}," in lines
    heads = {" ".join(content.split()) for content in page.locator("h2, h3, h4, caption, th").all_text_contents()}
    for sheet in printed.split("\f")[:-1]:
        last = " ".join(sheet.strip().splitlines()[-1].split())
        assert last not in heads, f"{last} stands alone at the end of a sheet"
    drawn = page.locator("figure svg:visible").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert len(drawn) == 4 and max(drawn) <= 108 / 25.4 * 96 + 1  # two to a sheet


def several() -> Report:
    rng = np.random.default_rng(0)
    rows: dict[str, Any] = {"dataset": ["d"] * 30, "algorithm": ["a", "b", "c"] * 10}
    rows |= {"fold": [k for k in range(10) for _ in range(3)], "tpr": rng.random(30), "fpr": rng.random(30)}
    return multivariate(Results.from_dict(rows), scores=["tpr", "fpr"]).report()


@pytest.mark.parametrize(
    "make",
    [
        lambda: compare(published.demsar2006()).report(),
        lambda: order(published.ulas2012(), score="accuracy", cost="space", dataset="optdigits").report(),
        lambda: order(published.ulas2012(), score="accuracy", cost="space", rule="multi2test").report(),
        several,
        two_costs,
        lambda: compare(published.demsar2006()).effects().report(),
    ],
    ids=["no cost", "one data set", "places", "several measures", "two costs", "plain"],
)
def test_other_results_have_what_applies(opened: Any, make: Any) -> None:
    result = make()
    page, seen = opened(result, bypass_csp=True)
    assert seen == []
    assert page.locator("main h2").first.inner_text() == "The answer"
    assert page.locator("#explore").is_visible() == result.lead.ordered
    assert page.locator("th button").count() > 0 and page.get_by_role("button", name="Papers (BibTeX)").is_visible()
    if result.lead.ordered:
        moves = json.loads(str(page.locator("#data").text_content()))["orders"][0]["trade"] is not None
        assert page.get_by_role("slider").count() == moves
    assert violations(page, STRUCTURE) == []


THEMES = {"light": ("#fff", "#111"), "dark": ("#111", "#ddd")}


@pytest.mark.parametrize("theme", THEMES)
def test_a_card_takes_the_colours_of_the_notebook_and_leaves_its_own_alone(
    opened: Any, tmp_path: Path, theme: str
) -> None:
    result = order(published.ulas2012(), score="accuracy", cost="train_time")
    ground, ink = THEMES[theme]
    path = tmp_path / "notebook.html"
    path.write_text(
        f'<!doctype html><html lang="en"><head><title>n</title><style>body {{ background: {ground}; color: {ink} }}'
        f"</style></head><body><main><h1>n</h1><dl><dt>mine</dt><dd>too</dd></dl>{result._repr_html_()}</main></body></html>",
        encoding="utf-8",
    )
    page, seen = opened(path, color_scheme="light")
    assert seen == []
    card = page.locator(".tb-card")
    assert card.locator("dt").all_inner_texts() == [
        "What to use",
        "What it saves",
        "What it loses",
        "How sure",
        "Next best",
        "What it rests on",
    ]
    assert "From best to worst: svr, svl" in card.inner_text() and card.locator("svg").is_visible()
    colour = "each => getComputedStyle(each).color"
    assert card.locator("dd").first.evaluate(colour) == page.locator("body").evaluate(colour)
    assert page.locator("dl").first.evaluate("each => getComputedStyle(each).display") == "block"
    assert card.locator("table").first.is_hidden()
    content = page.locator("body").text_content()
    assert [content.count(str(caveat)) for caveat in result.caveats] == [1] * len(result.caveats)
    assert violations(page) == []
