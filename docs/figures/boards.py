"""Draw the pictures of docs/board.md: boards that were built before, in Chromium.

python docs/figures/boards.py FOLDER/index.html docs/figures/board-NAME.png [light|dark]
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

COLOURS = 32
"""Enough for letters and marks: a quarter of the bytes."""


def draw(page_file: Path, picture: Path, scheme: str = "light") -> None:
    """Photograph the head of the table of a board."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1180, "height": 780}, color_scheme=scheme)
        page.goto(page_file.resolve().as_uri())
        page.wait_for_function("document.getElementById('explanation').textContent.length > 0")
        page.locator("#board").evaluate("each => each.scrollIntoView({ block: 'start' })")
        page.screenshot(path=picture)
        browser.close()
    with Image.open(picture) as shot:
        shot.convert("RGB").quantize(COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:4])
