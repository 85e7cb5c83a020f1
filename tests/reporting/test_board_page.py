"""The page of a board in a real browser: every control by pointer and by keyboard, both themes, a phone, no scripts.

Needs Chromium, by the name chromium or as TIEBREAK_CHROMIUM says; CI installs it.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tiebreak import board, order, published
from tiebreak.evals.board import Board

from .test_page_looks import DESK, LOOKS, PHONE, violations


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Board, Path]:
    """A board of published results with what changed since a build of fewer data sets."""
    folder, results = tmp_path_factory.mktemp("board"), published.ulas2012()
    fewer = results.without(algorithms=["sv2"], datasets=results.datasets[-10:])
    board(fewer, score="accuracy", cost="space", date="2026-10-01").save(folder)
    return board(results, score="accuracy", cost="space", date="2026-11-01").save(folder), folder / "index.html"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Board, Path]:
    """Seventy algorithms with long and hostile names; those without a price are left out."""
    rng, folder = np.random.default_rng(1), tmp_path_factory.mktemp("long")
    names = [f"model-{k} <b onclick=alert({k})> {'long ' * (k % 7)}{'x' * (k % 5 * 12)}" for k in range(70)]
    rows = [(d, k) for d in range(30) for k in range(70)]
    table = {
        "dataset": [f"d{d}" for d, _ in rows], "algorithm": [names[k] for _, k in rows],
        "accuracy": [0.5 + 0.005 * k + 0.1 * rng.random() for _, k in rows],
        "price": [None if k % 9 == 0 else 1.5 ** (k % 20) for _, k in rows],
    }  # fmt: skip
    return board(table, score="accuracy", cost="price").save(folder), folder / "index.html"


def names_in(page: Any) -> list[str]:
    """The names in the table, as they are seen."""
    return list(page.locator("#list tbody tr:visible .name").all_inner_texts())


def explained(page: Any, text: str) -> None:
    page.wait_for_function("text => document.getElementById('explanation').textContent === text", arg=text)


def test_the_page_is_quiet_and_asks_for_nothing(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, seen = opened(path)
    assert names_in(page) == [entry.algorithm for entry in result.entries] and seen == []
    assert page.locator("#count").inner_text() == "8 in all"
    assert page.locator("#list tbody tr").first.inner_text().split()[:3] == ["1", "1", "svr"]
    explained(page, result.explain("svr", result.entries[1].algorithm))
    assert seen == []


def test_table_and_explanation_agree_on_who_differs(opened: Any, tmp_path: Path) -> None:
    """Of thirty models the second does not differ significantly from the first once all pairs are counted."""
    table = {"model": [f"m{i:02d}" for i in range(30)], "passed": [198, 167, *range(100, 128)], "n": [225] * 30,
             "price": [2.0, 1.0, *(3.0 + i for i in range(28))]}  # fmt: skip
    save = board(table, cost="price").save(tmp_path)
    page, seen = opened(tmp_path / "index.html")
    first, second, last = save.entries[0], save.entries[1], save.entries[-1]
    explained(page, save.explain("m00", "m01"))
    assert (first.algorithm, first.tier, second.algorithm, second.tier) == ("m00", 1, "m01", 1) and last.tier > 1
    explains = [save.explain("m00", item.algorithm) for item in (second, last)]
    assert ["a significant difference" in item for item in explains] == [False, True] and seen == []


def test_another_trade_or_rule_moves_the_order(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, seen = opened(path)

    def live() -> list[str]:
        return names_in(page)

    assert live() == [entry.algorithm for entry in result.entries]
    page.locator("#trade").evaluate("each => { each.value = each.max; each.dispatchEvent(new Event('input')) }")
    assert page.locator("#list tbody tr").first.inner_text().split()[0] == "1"
    assert live()[0] == result.found.frontier[-1].algorithm != result.entries[0].algorithm
    page.locator("#rule").select_option("MultiTest")
    assert live() == list(order(published.ulas2012(), score="accuracy", cost="space", rule="multitest").order)
    assert page.locator("#trade").is_hidden()
    page.locator("#rule").select_option("worth")
    assert live() == [entry.algorithm for entry in result.entries] and seen == []


def test_search_tiers_and_the_front_narrow_the_table(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, seen = opened(path)
    page.locator("#search").fill("SV")
    assert set(names_in(page)) == {"svl", "svr", "sv2"} and page.locator("#count").inner_text() == "3 of 8"
    page.locator("#search").fill("")
    page.locator("#tier").select_option("tier 2")
    assert names_in(page) == list(result.tiers[1])
    page.locator("#tier").select_option("all tiers")
    page.locator("#front").check()
    assert names_in(page) == [entry.algorithm for entry in result.entries if entry.front]
    page.locator("#front").uncheck()
    assert len(names_in(page)) == 8 and seen == []


def test_the_rows_of_one_organization_are_chosen(opened: Any, tmp_path: Path) -> None:
    file = tmp_path / "models.csv"
    file.write_text(
        "model,Organization,Link,MMLU,GSM8K,ARC,price\n"
        "x,Acme,https://example.org/x,88.1,95.0,96.2,10\ny,Other,,87.3,94.1,96.9,8\nz,Acme,,82.0,90.3,93.0,0.9\n"
    )
    board(file, higher_is_better=True).save(tmp_path / "site")
    page, seen = opened(tmp_path / "site" / "index.html")
    page.locator("#organisation").select_option("Acme")
    assert set(names_in(page)) == {"x", "z"} and page.locator("#count").inner_text() == "2 of 3"
    page.locator("#organisation").select_option("all organizations")
    assert len(names_in(page)) == 3 and seen == []


def test_every_column_sorts(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, _ = opened(path)
    heads = page.locator("#list thead button")
    values = {
        "Place": lambda e: e.place, "Tier": lambda e: e.tier, "Algorithm": lambda e: e.algorithm,
        "Accuracy": lambda e: e.score, "Loss vs best": lambda e: e.loss, "Space": lambda e: e.cost,
        "Worth": lambda e: e.worth, "Places by score": lambda e: e.first_place,
    }  # fmt: skip
    assert heads.all_inner_texts() == [*values, "Moved"]
    for column, name in enumerate(heads.all_inner_texts()):
        for down in (False, True):
            heads.nth(column).click()
            if name == "Moved":  # whoever is new stands last
                texts = page.locator("#list .moved").all_inner_texts()
                assert texts.pop() == "new"
                key = [int(text.replace("▲", "").replace("▼", "-") or 0) for text in texts]
            else:
                key = [values[name](result.entry(item)) for item in names_in(page)]
            assert key == sorted(key, reverse=down), name
            state = page.locator("#list thead th").nth(column).get_attribute("aria-sort")
            assert state == ("descending" if down else "ascending")


def test_any_pair_is_explained_as_on_the_command_line(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, seen = opened(path)
    names = [entry.algorithm for entry in result.entries]
    for a, b in list(itertools.combinations(names, 2))[::5]:
        page.locator("#first").select_option(b)
        page.locator("#second").select_option(a)
        explained(page, result.explain(a, b))
    page.locator("#first").select_option("c45")
    page.locator("#second").select_option("c45")
    explained(page, "c45 is one.")
    assert seen == []


def test_a_name_asks_why_it_stands_there_and_the_way_back(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, _ = opened(path)
    page.get_by_role("button", name="c45", exact=True).click()
    explained(page, result.explain("c45", "svr"))  # beside the best-scoring one
    assert page.evaluate("document.activeElement.id") == "second"
    page.locator("#back").click()
    assert page.evaluate("document.activeElement.textContent") == "c45"
    page.get_by_role("button", name="svr", exact=True).click()
    explained(page, result.explain("svr", result.entries[1].algorithm))  # the best one itself, first, beside the next
    page.locator("#search").fill("knn")  # no row is left to go back to
    page.locator("#back").click()
    assert page.evaluate("document.activeElement.id") == "search"


def test_everything_by_keyboard_alone(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, _ = opened(path)
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(e => e.id || e.textContent.trim())(document.activeElement)"))
        if reached[-1] == "Papers":
            continue
        if "back" in reached:
            break
    heads = page.locator("#list thead button").all_inner_texts()
    for wanted in (
        "theme",
        "search",
        "tier",
        "front",
        *heads,
        "svr",
        "rule",
        "trade",
        "first",
        "second",
        "back",
    ):
        assert wanted in reached, wanted
    page.locator("#list .name").nth(2).focus()
    third = result.entries[2].algorithm
    assert page.evaluate("document.activeElement.textContent") == third
    page.keyboard.press("Enter")
    explained(page, result.explain(third, "svr"))


def test_what_changed_is_told(opened: Any, made: tuple[Board, Path]) -> None:
    result, path = made
    page, _ = opened(path)
    assert result.changes is not None and result.changes.count > 0
    options = page.locator("section", has=page.locator("#changes")).inner_text()
    assert all(sentence in options for sentence in result.changes.sentences())
    moved = dict(zip(names_in(page), page.locator("#list .moved").all_inner_texts(), strict=True))
    assert moved["sv2"] == "new" and any(text.startswith("▲") for text in moved.values())


def test_accessible_in_both_themes_on_desk_and_phone(opened: Any, made: tuple[Board, Path]) -> None:
    page, _ = opened(made[1], color_scheme="light", bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert violations(page, LOOKS) == []
    page.locator("#theme").select_option("light")
    assert violations(page, LOOKS) == []


OUTSIDE = """() => [...document.querySelectorAll("#list td, #list small, .filters > *, #why .row > *")]
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
    .filter((box) => box.right > innerWidth + 1 || box.left < -1).length"""


@pytest.mark.parametrize("width", [1280, 900, 390, 360])
def test_many_long_names_stay_within_the_page(opened: Any, long: tuple[Board, Path], width: int) -> None:
    page, seen = opened(long[1], viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width in (1280, 390, 360):
        assert page.evaluate(OUTSIDE) == 0
    assert (
        not page.locator("#list td.text small").first.is_visible()
        and page.locator("#count").inner_text() == "62 in all"
    )
    explained(page, long[0].explain(*(long[0].entries[k].algorithm for k in (0, page.evaluate(BEST)))))
    assert seen == []


BEST = "JSON.parse(document.getElementById('data').textContent).best || 1"


def test_a_phone_stacks_rows_with_their_heads(opened: Any, made: tuple[Board, Path]) -> None:
    page, _ = opened(made[1], viewport=PHONE)
    label = page.evaluate("getComputedStyle(document.querySelector('#list .number'), '::before').content")
    assert "attr(data-label)" in label or "Accuracy" in label
    assert page.evaluate("document.querySelector('#list tr').getBoundingClientRect().width") <= 390
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("#list tbody tr")].map((row) => {
            const [tier, name] = [".tier span", ".name"].map((each) => row.querySelector(each).getBoundingClientRect());
            return tier.left - name.right })"""
    )
    assert min(boxes) >= 0  # no name runs under its tier


def test_without_scripts_everything_is_there_to_read(opened: Any, made: tuple[Board, Path]) -> None:
    page, seen = opened(made[1], java_script_enabled=False)
    assert seen == [] and page.locator("#list tbody tr:visible").count() == 8
    assert page.locator("#unscripted").is_visible() and page.locator("#why").is_hidden()
    assert page.locator("figure svg:visible").count() == 1


def test_in_print_nothing_that_only_a_screen_can_do(opened: Any, made: tuple[Board, Path]) -> None:
    page, _ = opened(made[1], viewport=DESK)
    page.emulate_media(media="print")
    assert not page.locator(".filters").is_visible() and not page.locator("#why").is_visible()
    assert page.locator("#list tbody tr:visible").count() == 8


def test_two_algorithms_and_no_cost_make_a_page_too(opened: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = {"dataset": [f"d{i}" for i in range(9)], "a": rng.random(9).tolist(), "b": rng.random(9).tolist()}
    result = board(table, score="accuracy")
    result.save(tmp_path)
    page, seen = opened(tmp_path / "index.html")
    assert len(names_in(page)) == 2 and page.locator("#front").is_hidden() and seen == []
    explained(page, result.explain("a", "b"))
    assert page.locator("figure").count() == 0 and page.locator('nav a[href="#plane"]').count() == 0
