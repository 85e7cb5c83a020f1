"""Themes: figures follow the page around them."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from pathlib import Path

import figure_examples as EX
import pytest

from tiebreak.figures.drawing.palette import (
    BLUE,
    INK,
    MUTED,
    ON_DARK,
    PALE,
    PAPER,
    PROPERTIES,
    Tint,
    contrast,
    luma,
)
from tiebreak.figures.drawing.svg import page_style

from ..every import every


@every("maker", EX.MAKERS)
def test_on_a_page_nothing_is_filled_with_white_and_text_follows_the_page(maker: str) -> None:
    root = ET.fromstring(EX.figure(maker, 8, "latin").to_svg(theme="page", width="390px"))
    assert not [node for node in root.iter() if node.tag.endswith(("}rect", "}style"))]
    for node in root.iter():
        for kind in ("fill", "stroke"):
            colour = node.get(kind, "")
            assert colour not in ("#ffffff", "#f7f7f7"), "a white slab on a dark page"
            assert colour not in (INK, MUTED, PALE), "the page cannot change it"
    assert root.get("width") == "292.5pt"


def test_dark_figures_are_light_on_dark_in_every_format(tmp_path: Path) -> None:
    figure = EX.figure("matrix", 8, "latin")
    text = figure.to_svg(theme="dark")
    assert f'<rect width="100%" height="100%" fill="{ON_DARK[PAPER]}"/>' in text and f'"{INK}"' not in text
    axes = figure.draw(theme="dark")
    assert axes.figure.get_facecolor()[0] < 0.2
    figure.save(tmp_path / "a.svg", theme="auto")
    auto = (tmp_path / "a.svg").read_text()
    assert "@media(prefers-color-scheme:dark)" in auto and 'fill="var(--tb-paper)"' in auto
    assert figure.to_svg() == figure.to_svg(theme="paper") and 'fill="#ffffff"/>' in figure.to_svg()


def test_the_colours_of_a_dark_page_stand_out_from_it() -> None:
    for colour in set(PROPERTIES) - {PAPER}:
        assert contrast(ON_DARK[colour], ON_DARK[PAPER]) >= 3


def test_a_tint_is_a_colour_that_can_be_copied() -> None:
    tint = Tint(BLUE, 0.5)
    again = copy.deepcopy(tint)
    assert tint == "#80b8d8" == again and again.share == 0.5 and luma(Tint(BLUE, 0)) == pytest.approx(255)


def test_a_notebook_and_a_page_have_styles() -> None:
    html = EX.figure("cd", 8, "short")._repr_html_()
    assert '[data-jp-theme-light="false"] .tb-notebook' in html and "--jp-layout-color0" in html
    assert page_style('[data-theme="dark"]').endswith("}") and '[data-theme="dark"]{' in page_style(
        '[data-theme="dark"]'
    )
