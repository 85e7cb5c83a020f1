"""Every text of every kind of figure stands out from what it stands on, in every theme, by 4.5 to one at the least."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import reduce

import figure_examples as EX
import pytest

from tiebreak.figures import Figure
from tiebreak.figures.drawing.palette import (
    BLUE,
    GREY,
    ON_DARK,
    PALE,
    PAPER,
    PROPERTIES,
    Tint,
    contrast,
    custom_properties,
    in_theme,
    mixed,
    solid,
    text_on,
    two_sided,
)
from tiebreak.figures.drawing.scene import Area, Box, Circle, Text

LEAST = 4.5
"""What the rules for pages that all can read (WCAG, level AA) ask of text of this size."""
VIEWS = {
    "paper": ("paper", PAPER, ""),
    "dark": ("dark", ON_DARK[PAPER], ""),
    "page by day": ("page", PAPER, "paper"),
    "page by night": ("page", ON_DARK[PAPER], "dark"),
    "report by night": ("page", "#111419", "dark"),
    "bare page": ("page", PAPER, ""),
    "bare dark page": ("page", "#111111", ""),
}
"""The theme, the ground, and whose custom properties the page sets; on a bare one text is black or white."""
Stands = tuple[ET.Element, str, list[list[ET.Element]]]
"""A text in an SVG, its words, and what is filled under some places of it, from back to front."""


def worst(stands: list[Stands], ground: str, properties: dict[str, str]) -> tuple[float, str]:
    """The least contrast of a text with what lies under it, and the text."""
    ink = max(("#000000", "#ffffff"), key=lambda item: contrast(item, ground))

    def over(under: str, node: ET.Element) -> str:
        colour = resolved(node.get("fill", "none"), properties, ink)
        return under if colour == "none" else mixed(under, colour, float(node.get("fill-opacity", 1)))

    result = []
    for text, words, grounds in stands:
        for below in grounds:
            under = reduce(over, below, ground)
            result.append((contrast(over(under, text), under), words))
    return min(result)


def standing(figure: Figure, theme: str, **sizes: str) -> list[Stands]:
    """Each text of a figure in its SVG, and what it stands on."""
    root = ET.fromstring(figure.to_svg(theme=theme, **sizes))
    tags = ("}text", "}polygon", "}circle", "}polyline", "}path")
    nodes = [node for node in root if node.tag.endswith(tags)]
    filled: list[tuple[Area | Circle, ET.Element]] = []
    stands: list[Stands] = []
    for item, node in zip(figure.scene(theme=theme, **sizes).items, nodes, strict=True):
        if isinstance(item, Text):
            under = [[below for shape, below in filled if within(shape, place)] for place in places(item.box())]
            stands.append((node, item.words, under))
        elif isinstance(item, (Area, Circle)):
            filled.append((item, node))
    return stands


def check(figure: Figure, **sizes: str) -> None:
    drawn = {theme: standing(figure, theme, **sizes) for theme in ("paper", "dark", "page")}
    for view, (theme, ground, day) in VIEWS.items():
        least, words = worst(drawn[theme], ground, properties_of(day) if day else {})
        assert least >= LEAST, (view, words)


def properties_of(theme: str) -> dict[str, str]:
    return dict(part.split(":") for part in custom_properties(theme).split(";"))


def resolved(colour: str, properties: dict[str, str], ink: str) -> str:
    while match := re.fullmatch(r"var\((--[a-z-]+),(.*)\)", colour):
        colour = properties.get(match[1], match[2])
    return ink if colour == "currentColor" else colour


def places(box: Box) -> list[tuple[float, float]]:
    """Places in the middle of a text and near its ends."""
    left, top, right, bottom = box
    return [(left + share * (right - left), (top + bottom) / 2) for share in (0.05, 0.5, 0.95)]


def within(item: Area | Circle, place: tuple[float, float]) -> bool:
    (x, y), (left, top, right, bottom) = place, item.box()
    if not (left <= x <= right and top <= y <= bottom):
        return False
    if isinstance(item, Circle):
        return (item.x - x) ** 2 + (item.y - y) ** 2 <= item.radius**2
    inside, ends = False, item.points[1:] + item.points[:1]
    for (a, b), (c, d) in zip(item.points, ends, strict=True):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            inside = not inside
    return inside


@pytest.mark.parametrize("maker", EX.MAKERS)
def test_every_text_stands_out_in_every_theme(maker: str) -> None:
    check(EX.figure(maker, 5, "short"))
    check(EX.figure(maker, 12, "short"), width="84mm")
    if maker not in EX.AT_MOST_EIGHT:
        check(EX.figure(maker, 26, "short"), width="174mm")


def test_text_stands_out_from_every_colour_of_a_cell() -> None:
    """On the cells of a page, too, whose colours are laid over its own paper."""
    cells = [Tint(BLUE, i / 200) for i in range(201)] + [two_sided(i / 200) for i in range(-200, 201)]
    cells += [solid(colour) for colour in PROPERTIES] + [PALE, GREY]
    for fill in cells:
        for theme in ("paper", "dark"):
            assert contrast(in_theme(fill, theme), in_theme(text_on(fill), theme)) >= LEAST, (fill, theme)


def test_a_file_that_follows_the_system_has_the_colours_of_a_page_that_does() -> None:
    figure = EX.figure("matrix", 5, "short")
    auto, page = (figure.to_svg(theme=theme).splitlines() for theme in ("auto", "page"))
    assert [line for line in auto if not line.startswith(("<style>", "<rect"))] == page
    assert {f"--tb-{name}:" for name in PROPERTIES.values()} <= set(re.findall(r"--tb-[a-z]+:", "".join(auto)))
