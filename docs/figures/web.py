"""Draw docs/figures/web.png: the comparison page on the published table, in Chromium.

tiebreak serve --port 8719 &
python docs/figures/web.py http://127.0.0.1:8719
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

PATH = "/compare?file=published%3Aulas2012&verb=order&score=accuracy&cost=train_time"
PLACE = Path(__file__).with_name("web.png")


def draw(url: str) -> None:
    """Open the page, wait for its answer, and photograph the question with the report under it."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1180, "height": 1180}, color_scheme="light")
        page.goto(url + PATH)
        page.get_by_text("The answer is ready.").wait_for()
        page.locator("#asking").evaluate("each => each.scrollIntoView({ block: 'start' })")
        page.frame_locator("iframe").locator("figure svg").first.wait_for()
        page.wait_for_timeout(1500)
        page.screenshot(path=PLACE)
        browser.close()
    with Image.open(PLACE) as shot:  # few colours: a third of the bytes
        shot.convert("RGB").quantize(64).save(PLACE, optimize=True)


if __name__ == "__main__":
    draw(sys.argv[1])
