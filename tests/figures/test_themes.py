"""Themes and fonts: figures follow the page around them, and a PDF holds the letters that were chosen."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from pathlib import Path

import figure_examples as EX
import pytest

import tiebreak as tb
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.mpl import widths_of
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
    shade,
)
from tiebreak.figures.drawing.scene import bounds
from tiebreak.figures.drawing.svg import page_style
from tiebreak.figures.drawing.text import Ruler, measured

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
    assert tint == "#80b8d8" == again and again.share == 0.5 and luma(shade(0)) == pytest.approx(255)


def test_a_notebook_and_a_page_have_styles() -> None:
    html = EX.figure("cd", 8, "short")._repr_html_()
    assert '[data-jp-theme-light="false"] .tb-notebook' in html and "--jp-layout-color0" in html
    assert page_style('[data-theme="dark"]').endswith("}") and '[data-theme="dark"]{' in page_style(
        '[data-theme="dark"]'
    )


# ---- fonts


def test_a_pdf_holds_the_chosen_font(tmp_path: Path) -> None:
    EX.figure("cd", 5, "latin").save(tmp_path / "a.pdf", font="DejaVu Serif", width="84mm")
    written = (tmp_path / "a.pdf").read_bytes()
    assert b"DejaVuSerif" in written and b"/FontFile2" in written and b"/Type3" not in written
    assert b"DejaVuSans" not in written


def test_a_font_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(OptionError) as error:
        EX.figure("cd", 5, "short").save(tmp_path / "a.pdf", font="DejaVu Seriff")
    text = str(error.value)
    assert text.startswith(
        "There is no font 'DejaVu Seriff' on this machine. Matplotlib draws with fonts that are installed: DejaVu Serif"
    )
    assert text.endswith("Use font='DejaVu Serif', or save as .svg, which only names the font.")
    drawn = EX.figure("cd", 5, "short")
    assert 'font-family="&#x27;DejaVu Seriff&#x27;, serif, Helvetica' in drawn.to_svg(font="DejaVu Seriff")
    assert 'font-family="monospace, Helvetica' in drawn.to_svg(font="mono")


def test_a_wider_font_gets_more_room() -> None:
    figure = EX.figure("scores", 5, "latin")
    plain, wide = (figure.draw(font=font).figure.bbox.width for font in (None, "DejaVu Sans Mono"))
    assert wide > plain + 5


@pytest.mark.parametrize(
    ("font", "real"),
    [("mono", "DejaVu Sans Mono"), ("serif", "DejaVu Serif"), ("DejaVu Serif", "DejaVu Serif"), ("Courier 10", "mono")],
)
def test_svg_gives_the_letters_of_a_chosen_font_their_room(font: str, real: str) -> None:
    """Whoever opens the figure sees it in that font, whose narrow letters are wider than those of the usual one."""
    names = [f"illicit JIT filling, till {i}" for i in range(12)]
    scores = EX.table(12, "short").means("accuracy")
    compare = tb.compare(tb.Results.from_array(scores, score="accuracy", algorithms=names))
    for kind in ("cd", "matrix", "scores"):
        scene = compare.figure(kind).scene(width="84mm", font=font)
        with measured(Ruler(widths=widths_of(real))):
            assert EX.text_overlaps(scene) == []
            left, _, right, _ = bounds(scene.texts())
        assert left > -0.3 and right < scene.width + 0.3


def test_a_page_without_the_font_takes_another_of_its_kind() -> None:
    figure = EX.figure("cd", 5, "short")
    assert 'font-family="&#x27;Courier 10&#x27;, monospace, Helvetica' in figure.to_svg(font="Courier 10")
    assert 'font-family="&#x27;Times&#x27;, serif, Helvetica' in figure.to_svg(font="Times")
    assert 'font-family="&#x27;Monotype Corsiva&#x27;, Helvetica' in figure.to_svg(font="Monotype Corsiva")
    plain, wide, broad = (figure.scene(font=font).width for font in (None, "mono", "Nowhere Black"))
    assert plain < wide and plain < broad
