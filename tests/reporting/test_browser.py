"""The report in a real browser: every control, keyboard, names for screen readers, downloads, no request.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak import Results, compare, order, published, report, with_costs
from tiebreak.papers import bibtex
from tiebreak.reporting import Report

from .conftest import told_by

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


def hostile() -> Report:
    rng = np.random.default_rng(0)
    errors = 0.3 + 0.05 * np.arange(len(HOSTILE))[:, None] + rng.normal(0, 0.02, (14, len(HOSTILE), 1))
    table = Results.from_array(errors, score="error", algorithms=HOSTILE)
    costs = Results.from_array(rng.random((14, len(HOSTILE))), score="train_time", algorithms=HOSTILE)
    table = with_costs(table, costs)
    return report(compare(table), order(table), name=HOSTILE[0])


def live(page: Any) -> list[str]:
    names: list[str] = page.locator("table.places:visible tbody b").all_text_contents()
    return names


def slide(page: Any, name: str, value: int) -> None:
    page.locator(f"#{name}").evaluate(f"each => {{ each.value = {value}; each.dispatchEvent(new Event('input')) }}")


def test_no_error_and_no_request_whatever_is_moved(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file)
    assert page.locator("figure svg:visible").count() > 0
    for value in (0, 3, 12, 24):
        slide(page, "trade", value)
    for item in page.locator("th button").all()[:6]:
        item.click()
    page.locator("#theme").select_option("dark")
    page.locator("#cost").select_option("space")
    page.locator("#reset").click()
    assert seen == []


def test_it_opens_with_the_answer_in_plain_words(opened: Any, page_file: Path, whole: Report) -> None:
    page, _ = opened(page_file)
    first = page.locator("main section").first
    assert first.locator("h2").first.inner_text() == "The answer"
    assert first.locator("dt").all_inner_texts() == [
        *("What to use", "What it saves", "What it loses", "How sure", "Next best", "What it rests on")
    ]
    assert first.locator("dd").first.inner_text().startswith("Use svr: 85.1 accuracy, the best of 8.")
    headings = page.locator("main h2").all_inner_texts()
    assert headings[1:4] == [
        "What is accuracy worth to you?",
        "Order by accuracy and train_time",
        "Comparison by accuracy",
    ]
    assert headings[4:] == ["In plain words", "For reviewers: the method", "Papers to cite", "Downloads"]


def test_the_slider_moves_the_order_and_the_button_brings_it_back(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    texts = live(page)
    assert texts[0] == "svr" and page.locator("#setting").inner_text().startswith("First: svr.")
    slide(page, "trade", 24)
    assert live(page)[0] == "5nn" and page.locator("#setting").inner_text().startswith("First: 5nn.")
    page.locator("#reset").click()
    assert live(page) == texts


def test_score_and_cost_are_chosen_from_those_in_the_table(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    assert page.locator("#cost option").all_text_contents() == ["train_time", "space"]
    page.locator("#cost").select_option("space")
    assert tuple(live(page)) == order(published.ulas2012(), score="accuracy", cost="space").order


def test_the_published_rules_are_a_choice_away(opened: Any, page_file: Path) -> None:
    page, seen = opened(page_file)
    assert page.locator("#rule option").all_text_contents() == ["worth", "MultiTest", "Multi2Test"]
    for label, rule in (("MultiTest", "multitest"), ("Multi2Test", "multi2test")):
        page.locator("#rule").select_option(label)
        result = order(published.ulas2012(), score="accuracy", cost="train_time", rule=rule)
        assert tuple(live(page)) == result.order and page.locator("#trade").is_hidden()
        assert page.locator("#setting").inner_text().startswith(f"First by {label}: {result.order[0]}.")
        explained = result.explain(*result.order[:2])
        page.wait_for_function("text => document.getElementById('explanation').textContent === text", arg=explained)
    page.locator("#cost").select_option("space")  # by worth alone
    assert page.locator("#rule").input_value() == "worth" and page.locator("#trade").is_visible() and seen == []


def test_a_pair_is_explained_in_the_words_of_the_command_line(opened: Any, page_file: Path) -> None:
    result = order(published.ulas2012(), score="accuracy", cost="train_time")
    page, _ = opened(page_file)
    page.locator("#first").select_option("svr")
    page.locator("#second").select_option("5nn")
    expect = result.explain("svr", "5nn")
    page.wait_for_function("text => document.getElementById('explanation').textContent === text", arg=expect)
    page.locator("#first").select_option("5nn")
    assert page.locator("#explanation").inner_text() == "5nn is one algorithm."


def ratio(text: str) -> float:
    """Read what a table writes for a relative cost: 0.95, 3.4, or 1/200."""
    return 1 / float(text[2:]) if text.startswith("1/") else float(text)


def test_tables_sort(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    table = page.locator("table.places").first
    ratios = "tbody td:nth-child(5)"  # such as 1/200
    column = [ratio(text) for text in table.locator(ratios).all_inner_texts()]
    table.get_by_role("button", name="Training time, relative").click()
    shown = [ratio(text) for text in table.locator(ratios).all_inner_texts()]
    assert shown == sorted(column) != column and table.locator("[aria-sort=ascending]").count() == 1
    table.get_by_role("button", name="Training time, relative").click()
    assert ratio(table.locator(ratios).first.inner_text()) == max(shown)
    table.get_by_role("button", name="Algorithm").click()
    names = table.locator("tbody td:nth-child(2)").all_inner_texts()
    assert names == sorted(names) and table.locator("[aria-sort]").count() == 1


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
    before = page.locator("output[for=trade]").inner_text()
    page.locator("#trade").focus()
    page.keyboard.press("ArrowLeft")
    after = page.locator("output[for=trade]").inner_text()
    assert after != before and page.locator("#trade").get_attribute("aria-valuetext") == after
    page.locator("#reset").focus()
    page.keyboard.press("Enter")
    assert page.locator("output[for=trade]").inner_text() == before
    head = page.locator("th button").first
    head.focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").count() == 1


def test_every_control_has_a_name_for_screen_readers(opened: Any, page_file: Path) -> None:
    page, _ = opened(page_file)
    for role, names in {
        "slider": ["Ten times the cost must buy"],
        "combobox": ["Colours", "Cost", "Rule", "Why does", "stand where it does beside"],
        "button": ["Reset the trade", "Download Score against cost as TikZ", "Papers (BibTeX)"],
        "region": ["The order at this trade", "Score against cost"],
    }.items():
        for name in names:
            assert page.get_by_role(role, name=name).count() >= 1, (role, name)


def downloaded(page: Any, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_a_comparison_alone_has_no_order_to_download(opened: Any) -> None:
    page, seen = opened(compare(published.demsar2006(), score="auc").report())
    assert page.locator("#downloads button").all_text_contents() == ["Scores (csv)", "Papers (BibTeX)"]
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Scores (csv)").decode())))
    assert len(rows) == 14 * 4 and [item for item in seen if not item.startswith("request: blob:")] == []


def test_downloads(opened: Any, page_file: Path, whole: Report) -> None:
    page, seen = opened(page_file)
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Scores and costs (csv)").decode())))
    assert len(rows) == 38 * 8 and set(rows[0]) == {"dataset", "algorithm", "accuracy", "train_time", "space"}
    current = order(published.ulas2012(), score="accuracy", cost="train_time")
    k, i = current.datasets.index(rows[0]["dataset"]), current.algorithms.index(rows[0]["algorithm"])
    assert (
        float(rows[0]["accuracy"]) == current.scores[k, i]
        and float(rows[0]["train_time"]) == current.table.paid[0][k, i]
    )
    assert downloaded(page, "Papers (BibTeX)").decode() == bibtex(whole.papers())
    first = next(part for part in whole.parts if part.ordered).pictures[0]
    assert downloaded(page, f"Download {first.name} as SVG").decode() == first.figure.to_svg()
    assert downloaded(page, f"Download {first.name} as TikZ").decode() == first.figure.to_tikz(width="column")
    assert [item for item in seen if not item.startswith("request: blob:")] == []


def test_hostile_names_stay_text(opened: Any) -> None:
    page, seen = opened(hostile())
    assert set(live(page)) == set(HOSTILE)
    assert page.locator("main b b, main img, main script").count() == 0
    slide(page, "trade", 8)
    assert set(live(page)) == set(HOSTILE)
    text = downloaded(page, "Scores and costs (csv)").decode()
    rows = list(csv.reader(io.StringIO(text)))
    names = {row[1] for row in rows[1:]}
    assert names == {f"'{name}" if name[0] in "=@" else name for name in HOSTILE}
    assert not any(cell[:1] in "=+@" for row in rows for cell in row if cell)
    assert [item for item in seen if not item.startswith("request: blob:")] == []


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
    told_by(page, lambda: len([item for item in seen if "Content Security Policy" in item]) >= 4)
