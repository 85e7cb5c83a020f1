"""The report in a real browser: every control, keyboard, names for screen readers, phone width, print, no request.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import axe_playwright_python
import numpy as np
import pytest

from tiebreak import Report, Results, compare, multivariate, order, published, report, with_costs
from tiebreak.papers import bibtex

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 780}
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    '=HYPERLINK("http://x.example";"y")',
    '"</script><b>',
    "@SUM(A1)",
    r"\input{x}$",
    "2",
    "test",
)


@pytest.fixture(scope="module")
def full() -> Report:
    return report(published.ulas2012(), score="accuracy", cost="train_time")


def two_costs() -> Report:
    return report(published.ulas2012(), score="accuracy", cost=["train_time", "space"])


@pytest.fixture(scope="module")
def page_file(full: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    full.save(path)
    return path


def hostile() -> Report:
    rng = np.random.default_rng(0)
    errors = 0.3 + 0.05 * np.arange(len(HOSTILE))[:, None] + rng.normal(0, 0.02, (14, len(HOSTILE), 1))
    table = Results.from_array(errors, score="error", algorithms=HOSTILE)
    costs = Results.from_array(rng.random((14, len(HOSTILE))), score="train_time", algorithms=HOSTILE)
    table = with_costs(table, costs)
    return report(compare(table), order(table), name=HOSTILE[0])


def live(page: Any) -> list[str]:
    names: list[str] = page.locator("#live tbody b").all_text_contents()
    return names


def slide(page: Any, name: str, value: int) -> None:
    page.locator(f"#{name}").evaluate(f"each => {{ each.value = {value}; each.dispatchEvent(new Event('input')) }}")


def test_no_error_and_no_request_whatever_is_moved(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file)
    assert page.locator("figure svg:visible").count() == 6
    for name in ("alpha", "margin", "accd"):
        for value in (0, 3, 12):
            slide(page, name, value)
    page.locator("#undecided").check()
    for each in page.locator("th button").all()[:6]:
        each.click()
    page.locator("#theme").select_option("dark")
    page.locator("#cost").select_option("space")
    page.locator("#reset").click()
    assert seen == []


RUN = """async (asked) => {
  const found = await axe.run({ resultTypes: ["violations"], ...asked });
  return found.violations.map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 120))]);
}"""
LOOKS = {"runOnly": ["color-contrast", "scrollable-region-focusable", "target-size", "link-in-text-block"]}
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}}}


def violations(page: Any, asked: dict[str, Any] | None = None) -> list[Any]:
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=str(AXE))
    found: list[Any] = page.evaluate(RUN, asked or {})
    return found


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
    assert len(light) > 10 and page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    page.emulate_media(color_scheme="dark")
    page.locator("#theme").select_option("light")
    assert page.evaluate(all_colours) == light
    page.locator("#theme").select_option("as the system")
    assert page.evaluate(all_colours) == dark != light


SIZES = """[...document.querySelectorAll("figure svg text")].filter((each) => each.checkVisibility()).map((each) => {
    const scale = Math.abs(each.getScreenCTM().a) || Math.abs(each.getScreenCTM().b);
    return parseFloat(getComputedStyle(each).fontSize) * scale;
})"""
FRAMES = """[...document.querySelectorAll("figure .wide, .wide:has(#live)")].map((each) =>
    [each.clientWidth, each.scrollWidth])"""


def test_readable_at_phone_width(opened: Any, page_file: Path) -> None:
    """Figures are drawn for the phone, with letters of 8 px or more, and rows are stacked: nothing scrolls sideways."""
    page, _ = opened(page_file, viewport=DESK)
    assert page.locator(".broad svg:visible").count() == 6 and page.locator(".narrow svg:visible").count() == 0
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".broad svg:visible").count() == 0 and page.locator(".narrow svg:visible").count() == 6
        assert all(seen >= needed for seen, needed in page.evaluate(FRAMES))
        sizes = page.evaluate(SIZES)
        assert len(sizes) > 20 and min(sizes) >= 7.99
    row = page.locator("#live tbody tr").first.inner_text().split()
    assert row[:2] == ["1", "svl"] and row[-1] == "59.8"


def test_it_opens_with_the_answer_in_plain_words(opened: Any, page_file: Path, full: Report) -> None:
    page, _ = opened(page_file)
    first = page.locator("main section").first
    assert first.locator("h2").inner_text() == "The answer"
    assert first.locator("dt").all_inner_texts() == ["What to use", "What it saves", "What it gives up", "How sure"]
    assert first.locator("dd").first.inner_text().startswith("svl: no test tells it from svr")
    headings = page.locator("main h2").all_inner_texts()
    assert headings[1:3] == ["Order by accuracy and train_time", "Comparison by accuracy"]
    assert headings[3:] == ["In plain words", "For reviewers: the method", "Papers to cite", "Downloads"]


def test_sliders_move_the_order_and_the_button_brings_it_back(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    own = live(page)
    assert (
        own[0] == "svl"
        and page.locator("#setting").inner_text() == "First at this setting: svl; the report's own order."
    )
    slide(page, "margin", 12)
    moved = live(page)
    assert moved[0] == "lnp" and "places differ" in page.locator("#setting").inner_text()
    found = order(published.ulas2012(), score="accuracy", cost="train_time", margin=5.0)
    assert tuple(moved) == found.order
    page.locator("#undecided").check()
    assert (
        live(page)[0]
        == order(published.ulas2012(), score="accuracy", cost="train_time", margin=5.0, undecided="costlier").order[0]
    )
    page.locator("#reset").click()
    assert live(page) == own and not page.locator("#undecided").is_checked()


def test_score_and_cost_are_chosen_from_those_in_the_table(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    assert page.locator("#cost option").all_text_contents() == ["train_time", "space"]
    page.locator("#cost").select_option("space")
    assert tuple(live(page)) == order(published.ulas2012(), score="accuracy", cost="space").order


def test_a_pair_is_explained_in_the_words_of_the_command_line(opened: Any, page_file: Path) -> None:
    found = order(published.ulas2012(), score="accuracy", cost="train_time")
    page, _ = opened(page_file)
    page.locator("#first").select_option("svr")
    page.locator("#second").select_option("5nn")
    assert page.locator("#explanation").inner_text() == found.explain("svr", "5nn")
    gutter = page.locator("canvas").bounding_box()["width"] - 8 * 26  # names stand left of the cells, places above
    page.locator("canvas").hover(position={"x": gutter + 3 * 26 + 5, "y": 16 + 5})  # first row, fourth column
    assert page.locator(".under").inner_text() == "1 svl beside 4 c45: significantly better"
    page.locator("canvas").click(position={"x": gutter + 3, "y": 16 + 60})  # third row, first column
    assert page.locator(".under").inner_text() == "3 5nn beside 1 svl: significantly worse"
    assert page.locator("#explanation").inner_text() == found.explain("5nn", "svl")
    page.locator("#second").select_option("5nn")
    page.locator("#first").select_option("5nn")
    assert page.locator("#explanation").inner_text() == "5nn is one algorithm."
    row = page.locator("details tbody tr").first
    names = [str(row.locator("td").nth(k).text_content()) for k in (0, 1)]
    page.locator("details summary").first.click()
    row.get_by_role("button").click()
    assert page.locator("#explanation").inner_text() == found.explain(*names)
    slide(page, "alpha", 0)
    assert page.locator("#explanation").inner_text().endswith("was resampled at the report's own setting alone.)")


def test_tables_sort_and_filter(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    table = page.locator("table", has_text="Places, best first").first
    column = [cell.inner_text() for cell in table.locator("tbody td:nth-child(6)").all()]
    table.get_by_role("button", name="train_time").click()
    shown = [float(cell.inner_text()) for cell in table.locator("tbody td:nth-child(6)").all()]
    assert shown == sorted(map(float, column)) and table.locator("[aria-sort=ascending]").count() == 1
    table.get_by_role("button", name="train_time").click()
    assert float(table.locator("tbody td:nth-child(6)").first.inner_text()) == max(shown)
    table.get_by_role("button", name="algorithm").click()
    names = table.locator("tbody td:nth-child(2)").all_inner_texts()
    assert names == sorted(names) and table.locator("[aria-sort]").count() == 1
    page.get_by_label("Filter: Places, best first").fill("SV")
    assert table.locator("tbody tr:visible td:nth-child(2)").all_inner_texts() == ["sv2", "svl", "svr"]
    assert page.get_by_text("3 of 8 rows").count() == 1
    page.get_by_label("Filter: Places, best first").fill("")
    assert table.locator("tbody tr:visible").count() == 8


def test_a_name_lights_up_everywhere(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    lit = "[...document.querySelectorAll('.lit')].map(each => [each.localName, each.getAttribute('data-name')])"
    assert page.evaluate(lit) == []
    page.locator("#live b", has_text="svl").hover()
    found = page.evaluate(lit)
    assert {name for _, name in found} == {"svl"} and {"td", "b", "span", "text"} == {tag for tag, _ in found}
    assert page.locator("svg text.lit").count() >= 4  # in every figure
    page.locator("h1").hover()
    assert page.evaluate(lit) == []
    page.locator("td[data-name]").first.focus()
    assert {name for _, name in page.evaluate(lit)} == {"svl"}
    page.keyboard.press("ArrowDown")
    assert {name for _, name in page.evaluate(lit)} == {"svr"}


def reached_by_tab(page: Any) -> list[str]:
    """Press Tab until the page has been gone round, and say what was reached."""
    out: list[str] = []
    for _ in range(400):
        page.keyboard.press("Tab")
        here = page.evaluate(
            """(() => { const e = document.activeElement;
            return e === document.body ? '' : [e.tagName, e.id, e.getAttribute('href'), e.getAttribute('aria-label'),
              e.textContent.slice(0, 30), [...document.querySelectorAll('*')].indexOf(e)].join('|') })()"""
        )
        if not here or here in out:
            break
        out.append(here)
    return out


def test_everything_can_be_reached_and_used_by_keyboard(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    reached = reached_by_tab(page)
    assert "skip" in page.evaluate("document.querySelector('a').className") and reached[0].startswith("A||#main")
    stops = page.evaluate(
        """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
           .filter(each => !each.disabled && each.checkVisibility()).length"""
    )
    assert len(reached) == stops
    page.locator("#alpha").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#alpha + output").inner_text() == "0.01"
    assert page.locator("#alpha").get_attribute("aria-valuetext") == "0.01"
    page.locator("#reset").focus()
    page.keyboard.press("Enter")
    assert page.locator("#alpha + output").inner_text() == "0.05"
    found = order(published.ulas2012(), score="accuracy", cost="train_time")
    page.locator("canvas").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator("#explanation").inner_text() == found.explain(found.order[2], found.order[1])
    head = page.locator("th button").first
    head.focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").count() == 1


def test_every_control_has_a_name_for_screen_readers(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    for role, names in {
        "slider": ["Level (alpha)", "Margin", "How much for ten times the speed"],
        "combobox": ["Colours", "Score", "Cost", "Why does", "stand where it does beside"],
        "checkbox": ["where nothing is shown, the costlier one first"],
        "button": ["Back to the report's own setting", "Download Order graph as TikZ", "Papers (BibTeX)"],
        "searchbox": ["Filter: Places, best first"],
        "region": ["The order at this setting", "Order graph", "All pairs at this setting"],
        "application": ["Matrix of pairs, in the order above. Arrow keys choose a pair; its explanation follows."],
        "img": ["Order graph: 8 algorithms"],
    }.items():
        for name in names:
            assert page.get_by_role(role, name=name).count() >= 1, (role, name)
    page.locator("details").first.evaluate("each => { each.open = true }")
    assert page.get_by_role("button", name="Explain").count() == 28


def downloaded(page: Any, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_downloads(opened: Any, page_file: Path, full: Report) -> None:
    page, seen = opened(page_file)
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Scores and costs (csv)").decode())))
    assert len(rows) == 38 * 8 and set(rows[0]) == {"dataset", "algorithm", "accuracy", "train_time", "space"}
    own = order(published.ulas2012(), score="accuracy", cost="train_time")
    k, i = own.datasets.index(rows[0]["dataset"]), own.algorithms.index(rows[0]["algorithm"])
    assert float(rows[0]["accuracy"]) == own.scores[k, i] and float(rows[0]["train_time"]) == own.table.paid[0][k, i]
    slide(page, "margin", 12)
    told = json.loads(downloaded(page, "Order at this setting and data (JSON)"))
    assert told["order"]["order"][0] == "lnp" and told["order"]["margin"] == "5" and len(told["table"]) == 38 * 8
    assert downloaded(page, "Papers (BibTeX)").decode() == bibtex(full.papers())
    first = next(part for part in full.parts if part.ordered).pictures[0]
    assert downloaded(page, f"Download {first.name} as SVG").decode() == first.figure.to_svg()
    assert downloaded(page, f"Download {first.name} as TikZ").decode() == first.figure.to_tikz(width="column")
    picture = downloaded(page, f"Download {first.name} as PNG")
    assert picture.startswith(b"\x89PNG") and len(picture) > 5000
    assert [each for each in seen if not each.startswith("request: blob:")] == []


def test_hostile_names_stay_text(opened: Any) -> None:
    page, seen = opened(hostile())
    assert set(live(page)) == set(HOSTILE)
    assert page.locator("main b b, main img, main script").count() == 0
    slide(page, "margin", 8)
    page.locator("#live b", has_text="<script>").first.hover()
    assert page.locator("svg text.lit").count() >= 1
    for name in ("2", "test"):  # elsewhere a place or a tick of an axis, and what decided a place
        page.locator(f"#live b[data-name='{name}']").hover()
        lit = page.locator("td.lit")
        columns = lit.evaluate_all(
            "all => all.map(each => each.closest('table').tHead.rows[0].cells[each.cellIndex].className)"
        )
        assert len(columns) >= 3 and set(columns) == {"text names"}
        assert page.locator("svg text.lit").count() > 8
    ticks = "all => all.filter(each => !each.querySelector('title')).map(each => each.textContent)"
    assert page.locator("svg text[data-name='2']").evaluate_all(ticks) == []
    text = downloaded(page, "Scores and costs (csv)").decode()
    rows = list(csv.reader(io.StringIO(text)))
    names = {row[1] for row in rows[1:]}
    assert names == {f"'{name}" if name[0] in "=@" else name for name in HOSTILE}
    assert not any(cell[:1] in "=+@" for row in rows for cell in row if cell)
    assert [each for each in seen if not each.startswith("request: blob:")] == []


def test_the_policy_lets_nothing_else_run_or_load(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file)
    page.evaluate(
        """() => { const add = (tag, more) => document.body.append(Object.assign(document.createElement(tag), more));
        add('script', { textContent: 'window.bad = 1' });
        add('style', { textContent: 'body { opacity: 0.5 }' });
        add('img', { src: 'http://x.example/a.png' });
        const div = document.createElement('div');
        div.setAttribute('onclick', 'window.bad = 2');
        document.body.append(div);
        div.click(); }"""
    )
    assert page.evaluate("window.bad") is None
    assert page.evaluate("getComputedStyle(document.body).opacity") == "1"
    assert len([each for each in seen if "Content Security Policy" in each]) >= 4


def test_without_scripts_everything_is_there_to_read(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file, java_script_enabled=False)
    assert seen == []
    assert page.locator("#explore").is_hidden() and page.locator("#downloads").is_hidden()
    assert page.locator("main dd").first.is_visible() and page.locator("figure svg:visible").count() == 6
    assert page.locator("main button, main input, main select").count() == 0


def test_print_has_what_is_folded_away_on_the_screen(opened: Any, page_file: Path, tmp_path: Path) -> None:
    page, _ = opened(page_file)
    folded = page.locator("details:not([open]) tbody tr")
    assert folded.count() > 12
    assert not folded.last.is_visible()
    page.emulate_media(media="print")
    heights = page.evaluate(
        "[...document.querySelectorAll('details tr, details pre')].map(each => each.getBoundingClientRect().height)"
    )
    assert min(heights) > 5
    assert page.evaluate("[...document.querySelectorAll('details pre')].every(each => each.checkVisibility())")
    assert not page.locator("#explore").is_visible() and not page.locator("#theme").is_visible()
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
    heads = {" ".join(each.split()) for each in page.locator("h2, h3, h4, caption, th").all_text_contents()}
    for sheet in printed.split("\f")[:-1]:
        last = " ".join(sheet.strip().splitlines()[-1].split())
        assert last not in heads, f"{last} stands alone at the end of a sheet"
    drawn = page.locator("figure svg:visible").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert len(drawn) == 6 and max(drawn) <= 90 / 25.4 * 96 + 1  # two to a sheet


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
        lambda: order(published.ulas2012(), score="accuracy", cost="space", over="places").report(),
        several,
        two_costs,
        lambda: compare(published.demsar2006()).effects().report(),
    ],
    ids=["no cost", "one data set", "places", "several measures", "two costs", "plain"],
)
def test_other_results_have_what_applies(opened: Any, make: Any) -> None:
    found = make()
    page, seen = opened(found, bypass_csp=True)
    assert seen == []
    assert page.locator("main h2").first.inner_text() == "The answer"
    assert page.locator("#explore").is_visible() == found.lead.ordered
    assert page.locator("th button").count() > 0 and page.get_by_role("button", name="Papers (BibTeX)").is_visible()
    if found.lead.ordered:
        margins = bool(json.loads(str(page.locator("#data").text_content()))["orders"][0]["margins"])
        assert page.get_by_role("slider", name="Margin").count() == margins
        assert page.get_by_text("Margin. Not offered: ").is_visible() is not margins
    assert violations(page, STRUCTURE) == []


THEMES = {"light": ("#fff", "#111"), "dark": ("#111", "#ddd")}


@pytest.mark.parametrize("theme", THEMES)
def test_a_card_takes_the_colours_of_the_notebook_and_leaves_its_own_alone(
    opened: Any, tmp_path: Path, theme: str
) -> None:
    found = order(published.ulas2012(), score="accuracy", cost="train_time")
    ground, ink = THEMES[theme]
    path = tmp_path / "notebook.html"
    path.write_text(
        f'<!doctype html><html lang="en"><head><title>n</title><style>body {{ background: {ground}; color: {ink} }}'
        f"</style></head><body><main><h1>n</h1><dl><dt>mine</dt><dd>too</dd></dl>{found._repr_html_()}</main></body></html>",
        encoding="utf-8",
    )
    page, seen = opened(path, color_scheme="light")
    assert seen == []
    card = page.locator(".tb-card")
    assert card.locator("dt").all_inner_texts() == ["What to use", "What it saves", "What it gives up", "How sure"]
    assert "From best to worst: svl, svr" in card.inner_text() and card.locator("svg").is_visible()
    colour = "each => getComputedStyle(each).color"
    assert card.locator("dd").first.evaluate(colour) == page.locator("body").evaluate(colour)
    assert page.locator("dl").first.evaluate("each => getComputedStyle(each).display") == "block"
    assert card.locator("table").first.is_hidden()
    said = page.locator("body").text_content()
    assert [said.count(str(caveat)) for caveat in found.caveats] == [1] * len(found.caveats)
    assert violations(page) == []
