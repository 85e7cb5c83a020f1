"""More journeys in a real browser: several files, a run to its end, a store that grows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tiebreak.web.settings import Settings

from .conftest import PATIENCE_MS, PATIENCE_S, Opened, free_port, running
from .hostile import WIDE
from .test_browser import change, ready, shows, violations
from .test_calls import LOGS, MORE


def test_several_files_are_each_shown_as_understood(opened: Opened) -> None:
    page, seen = opened("/compare")
    files = {"first.csv": WIDE, "second.csv": WIDE.replace("\nd", "\nm")}
    page.locator("#file").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in files.items()]
    )
    page.get_by_role("button", name="higher is better").click()
    ready(page)
    contents = page.locator("#reading > details > summary").all_text_contents()
    assert [item.partition(":")[0] for item in contents] == ["first.csv", "second.csv"]
    assert all("9 data sets, 3 algorithms, 1 measure" in item for item in contents)
    assert page.locator("#command").text_content() == "tiebreak compare first.csv second.csv --higher-is-better"
    assert "18 data sets" in page.locator("#text").text_content()
    assert seen == []


def test_costs_are_added_to_an_order_by_score_alone(opened: Opened) -> None:
    """A table without a cost is ordered by its mean score; a file of costs then makes it an order by worth."""
    page, seen = opened("/compare?verb=order")
    page.locator("#file").set_input_files([{"name": "t.csv", "mimeType": "text/csv", "buffer": WIDE.encode()}])
    page.get_by_role("button", name="lower is better").wait_for()
    assert page.locator("#problem").get_by_role("button").all_inner_texts() == [
        *("Higher is better", "Lower is better", "Score: accuracy")
    ]
    page.get_by_role("button", name="higher is better").click()
    ready(page)
    assert "No cost: ordered by mean score." in page.locator("#text").text_content()
    costs = "algorithm,seconds\nsvm,3\ntree,1\nbayes,2\n"
    page.locator("#order-costs").set_input_files(
        [{"name": "costs.csv", "mimeType": "text/csv", "buffer": costs.encode()}]
    )
    shows(page.locator("#command"), "--costs costs.csv")
    ready(page)
    assert "tree is 3.0 times cheaper" in page.locator("#text").text_content()
    assert seen == []


def test_each_choice_is_a_step_that_the_back_button_takes_back(opened: Opened) -> None:
    """What failed is named, what a policy does is said, and back and forward go through what was chosen."""
    page, seen = opened("/compare")
    table = WIDE.replace("d0,0.80", "d0,OOM").replace("d1,0.81", "d1,").replace("d2,0.82", "d2,")
    page.locator("#file").set_input_files([{"name": "t.csv", "mimeType": "text/csv", "buffer": table.encode()}])
    page.get_by_role("button", name="higher is better").click()
    page.get_by_role("button", name="Gaps: worst-rank (a failed run ranks last on its data set").click()
    ready(page)
    content = page.locator("#reading").text_content()
    assert "'svm' failed on 'd0': OOM." in content and "[object" not in content
    assert "ranks last" in str(page.locator("#compare-missing-hint").text_content())
    chosen = page.url
    change(page)
    page.locator("#alpha").fill("0.1")
    page.locator("#alpha").press("Enter")
    shows(page.locator("#command"), "--alpha 0.1")
    page.go_back()
    page.locator("#command").filter(has_not_text="--alpha").wait_for(state="attached")
    assert page.url == chosen and page.locator("#alpha").input_value() == ""
    page.go_back()
    page.get_by_role("button", name="Gaps: drop-datasets").wait_for()
    page.go_forward()
    ready(page)
    assert page.url == chosen and seen == []


def test_the_focus_stays_where_it_was_when_parts_are_drawn_anew(opened: Opened) -> None:
    page, seen = opened("/compare?file=published:ulas2012&verb=order")
    page.get_by_role("button", name="cost: space").press("Enter")  # which goes away with the problem
    shows(page.locator("#command"), "--cost space")
    assert page.evaluate("document.activeElement.id") == "h-answer"
    change(page)
    page.get_by_role("combobox", name="Cost", exact=True).press("ArrowDown")
    shows(page.locator("#command"), "--cost train_time")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Cost"
    assert seen == []


def test_votes_are_known_by_their_headings_and_ordered_with_prices(opened: Opened, examples: Path) -> None:
    page, seen = opened("/compare", viewport={"width": 390, "height": 800}, color_scheme="dark", bypass_csp=True)
    page.locator("#file").set_input_files(examples / "votes.csv")
    ready(page)
    assert "in 900 votes" in page.locator("#h-answer").inner_text()
    assert "verb=battles" in page.url and page.locator("#shown tbody b").first.inner_text() == "aster"
    page.locator("#battles-prices").set_input_files(examples / "prices.csv")
    page.get_by_role("heading", name=re.compile("^Use aster")).wait_for()
    assert page.locator("#command").text_content() == "tiebreak battles votes.csv --prices prices.csv"
    assert page.locator("#shown img").evaluate("each => each.decode().then(() => each.naturalWidth)") > 100
    change(page)
    page.get_by_label("Role of column voter").select_option("prompt")
    shows(page.locator("#command"), "--column prompt=voter")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390 and violations(page) == []
    assert seen == []


def test_items_are_mended_by_roles_and_planned_with(opened: Opened, examples: Path) -> None:
    page, seen = opened("/compare")
    page.locator("#file").set_input_files(examples / "items.csv")
    page.get_by_role("button", name="column: cluster=document").click()
    ready(page)
    assert "1 benchmark, 3 models, 240 items in 60 clusters, 2 measures." in page.locator("#reading").text_content()
    assert page.locator("#command").text_content() == "tiebreak order items.csv --column cluster=document --cost price"
    assert "Use large: 84.2 accuracy, the best of 3." in page.locator("#text").text_content()
    change(page)
    page.get_by_role("radio", name=re.compile("How many items")).check()
    page.get_by_label("Difference", exact=True).fill("0.02")
    page.get_by_label("Difference", exact=True).press("Tab")
    shows(page.locator("#text"), "takes 6,705 items.")
    page.get_by_role("button", name="Take another table").click()
    page.get_by_role("button", name="no table: how many items would it take?").click()
    page.get_by_label("Items", exact=True).fill("500")
    page.get_by_label("Discordant", exact=True).fill("0.2")
    page.get_by_label("Discordant", exact=True).press("Tab")
    shows(page.locator("#h-answer"), "500 items show a difference of 0.0574 with power 0.80")
    assert page.url.endswith("?verb=power&items=500&discordant=0.2") and seen == []


def test_logs_are_taken_together_and_ordered_by_price(opened: Opened) -> None:
    page, seen = opened("/compare?verb=order")
    logs = [{"name": name, "mimeType": "application/json", "buffer": text.encode()} for name, text in LOGS.items()]
    page.locator("#file").set_input_files(logs)
    page.get_by_role("button", name="cost: output_tokens").wait_for()
    assert (
        page.locator("#reading > details > summary")
        .all_text_contents()[0]
        .startswith("log0.json: 1 benchmark, 1 model")
    )
    prices = {"name": "tokens.csv", "mimeType": "text/csv", "buffer": MORE["tokens.csv"].encode()}
    page.locator("#order-prices").set_input_files([prices])
    page.get_by_role("button", name="cost: price").click()
    ready(page)
    assert page.locator("#command").text_content() == (
        "tiebreak order log0.json log1.json log2.json --prices tokens.csv --cost price"
    )
    assert "Use one: 50.0 match, the best of 3." in page.locator("#text").text_content() and seen == []


def test_a_run_comes_to_its_end_and_is_shown_again(opened: Opened, server: Any) -> None:
    page, seen = opened("/recommend?file=builtin%3Awine&algorithms=lda,nb&budget=1min")
    ready(page, "The ranking is ready.")
    page.get_by_label("Time to run", exact=True).fill("1h")
    page.get_by_role("button", name="Run the list").click()
    page.locator("#run-status").get_by_text("is done").wait_for(timeout=1000 * PATIENCE_S)
    assert re.search(r"2 tried, the best (lda|nb) with accuracy 0\.9\d*\.$", page.locator("#run-status").inner_text())
    cells = page.locator("#trials tbody tr td:nth-child(3)").all_inner_texts()
    assert len(cells) == 2 and all(0.9 < float(cell) < 1 for cell in cells)
    assert page.locator("#trials thead th").nth(2).inner_text() == "accuracy"
    assert page.locator("#run-answer .answer").inner_text().startswith("Use ")
    assert "fit_learner" in page.locator("#code").inner_text() and page.locator("#next li").count() == 0
    page.reload()
    page.locator("#run-status").get_by_text("is done").wait_for()
    assert str(server.settings.folder.parent) not in page.content()
    assert seen == []


def test_whoever_knows_the_token_signs_in_and_comes_to_the_kept_address(browser: Any, tmp_path: Path) -> None:
    """The form must come through from a real browser, which says by itself where it comes from."""
    secret = "0123456789abcdef"
    settings = Settings(port=free_port(), token=secret, store=str(tmp_path / "r.db"), folder=tmp_path / "s", workers=1)
    for server in running(settings):
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{server.url}/store?score=auc")
        for given, answered in ((f"{secret}X", "This is not the token."), (secret, "Results of")):
            page.get_by_label("The token").fill(given)
            page.keyboard.press("Enter")
            page.get_by_text(re.compile(answered)).first.wait_for()
        assert page.url == f"{server.url}/store?score=auc"
        context.close()
