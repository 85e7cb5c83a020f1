"""Reports on many algorithms: rows in sight are written first, letters on paper stay large enough."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.figures.drawing.sheet import POINTS
from tiebreak.reporting import Report
from tiebreak.reporting.html import SHEET, TALL

MANY = 70


@pytest.fixture(scope="module")
def many() -> Report:
    """A report on 70 algorithms, of which a few are better, quickly made."""
    rng = np.random.default_rng(4)
    names = [f"a learner with a longer name {i}" for i in range(MANY)]
    scores = rng.normal(0.7, 0.02, (30, MANY)) + np.linspace(0, 0.05, MANY)
    table = tb.Results.from_array(scores, score="accuracy", algorithms=names)
    times = tb.Results.from_array(rng.lognormal(0, 1, scores.shape), score="train_time", algorithms=names)
    both = tb.with_costs(table, times)
    return tb.report(tb.compare(both, score="accuracy"), tb.order(both, score="accuracy", cost="train_time"))


def test_no_letter_of_a_figure_is_under_six_points_on_paper(many: Report, whole: Report) -> None:
    """Pictures shrink to the heights that the style gives them on paper, and to the width of a sheet."""
    millimetres = {"": 108.0, "first": 88.0, "tall": 225.0, "tall sheet": 240.0}
    for result in (many, whole):
        page = result.to_html()
        for kind, drawn in re.findall(r'<figure(?: class="([^"]*)")?>.*?(<svg.*?</svg>)', page, re.S):
            high, wide = (float(re.search(rf' {name}="([0-9.]+)pt"', drawn)[1]) for name in ("height", "width"))  # type: ignore[index]
            shrunk = min(1.0, millimetres[kind] * POINTS["mm"] / high, SHEET["width"] / wide)
            letters = min(float(size) for size in re.findall(r'font-size="([0-9.]+)"', drawn))
            assert letters * shrunk > 5.9, (kind, high, wide)
            assert (high > TALL) == kind.startswith("tall") or "sheet" in kind
    assert 'class="tall sheet"' in many.to_html()


PRINTED = """() => {
  const end = document.querySelector("section:has(> #answer) figcaption").getBoundingClientRect();
  const next = document.querySelector("#part1").getBoundingClientRect();
  return [document.querySelector("h1").getBoundingClientRect().bottom, end.top, end.bottom, next.top];
}"""


def test_the_first_printed_page_holds_the_answer_and_the_picture(opened: Any, many: Report) -> None:
    """A sheet of 8.5 by 11 inches, the lower of the usual ones, less its margins of 15 mm."""
    wide, high = (round((inches * 25.4 - 30) * 96 / 25.4) for inches in (8.5, 11))
    page, _ = opened(many, viewport={"width": wide, "height": high})
    page.emulate_media(media="print")
    text, picture, end, after = page.evaluate(PRINTED)
    assert text < picture < end < high and end < after
