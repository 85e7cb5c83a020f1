"""Colours that people with any kind of colour vision can distinguish (Okabe and Ito), and the greys around them."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

INK, MUTED, PALE, PAPER = "#1b1f24", "#69727c", "#d3d8de", "#ffffff"
"""Lines and names, notes, grids, and the inside of open marks; on no background they follow the text colour."""
BLUE, ORANGE, GREEN, VERMILION, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9"
PURPLE, WINE, GREY = "#cc79a7", "#882255", "#c3c8ce"
# one step beside black, ink and paper, so that each has a place of its own in the tables below
DARK, LIGHT, STRONG = "#000001", "#fffffe", "#000002"
"""Text on a coloured cell: two that are the same in every theme, and one that is black by day and white by night."""

PROPERTIES = {
    INK: "ink",
    PAPER: "paper",
    BLUE: "blue",
    ORANGE: "orange",
    GREEN: "green",
    VERMILION: "vermilion",
    SKY: "sky",
    PURPLE: "purple",
    WINE: "wine",
    GREY: "grey",
    STRONG: "strong",
}
"""The colours that change with the theme, and their names as custom properties of CSS, after `--tb-`; greys are ink."""
ON_DARK = {
    INK: "#e6edf3",
    MUTED: "#a3adb8",
    PALE: "#3a434d",
    PAPER: "#11161c",
    BLUE: "#4da3dc",
    ORANGE: "#f0b23c",
    GREEN: "#2fbf97",
    VERMILION: "#f08a4b",
    SKY: "#7cc8f2",
    PURPLE: "#dd9cc2",
    WINE: "#d46f9b",
    GREY: "#6b7580",
    STRONG: "#ffffff",
}
"""The same colours on a dark page: each at least three to one against it, as marks and lines need."""

# orange against blue, not red against green, which many cannot distinguish; the orange end is the lighter in grey
_LOW, _HIGH = "#e08214", "#2166ac"


class Tint(str):
    """A colour laid over the page by a share: its value is that on white, and a theme lays it over its own paper."""

    __slots__ = ("of", "share")
    of: str
    share: float

    def __new__(cls, of: str, share: float) -> Self:
        """Mix the colour with white."""
        made = super().__new__(cls, mixed(PAPER, of, share))
        made.of, made.share = of, share
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, float]]:
        return type(self), (self.of, self.share)


def mixed(a: str, b: str, share: float) -> str:
    """Mix two colours.

    Examples
    --------
    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    channels = zip(_channels(a), _channels(b), strict=True)
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in channels)


def solid(colour: str) -> str:
    """Return a fill that is the same in every theme, as text stands on it."""
    return Tint(colour, 1.0)


def two_sided(value: float) -> str:
    """Return the colour of a value between -1 (orange) and 1 (blue), white at 0; the blue end is darker in grey."""
    bounded = min(max(value, -1.0), 1.0)
    return Tint(_HIGH if bounded >= 0 else _LOW, abs(bounded))


def text_on(fill: str) -> str:
    """Return a text colour with a contrast of at least 4.5 to 1 on a fill in every theme.

    Black or white stands out so far from any colour; which of them does may change with the theme. By night a tint is
    never brighter than by day, so that white by day and black by night is not asked for.
    """
    return _readable(str(fill), in_theme(fill, "dark"))


@lru_cache(maxsize=1024)
def _readable(day: str, night: str) -> str:
    by_day, by_night = (max((DARK, LIGHT), key=lambda ink: contrast(ink, fill)) for fill in (day, night))
    return by_day if by_day == by_night else STRONG


def contrast(a: str, b: str) -> float:
    """Return the ratio of contrast of two colours, from 1 to 21, as the rules for pages that all can read count it.

    Examples
    --------
    >>> contrast("#000000", "#ffffff"), contrast("#777777", "#777777")
    (21.0, 1.0)
    """
    low, high = sorted((_light(a), _light(b)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [part / 255 for part in _channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def luma(colour: str) -> float:
    """Return how bright a colour looks, and prints in grey, from 0 to 255 (ITU-R BT.601)."""
    red, green, blue = _channels(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def in_theme(colour: str, theme: str) -> str:
    """Return the colour in a theme: as it is on paper, brighter on a dark page.

    Examples
    --------
    >>> in_theme(INK, "paper") == INK, in_theme(INK, "dark")
    (True, '#e6edf3')
    """
    if theme != "dark":
        return colour
    if isinstance(colour, Tint):
        return mixed(ON_DARK[PAPER], colour.of, colour.share)
    return ON_DARK.get(colour, colour)


def custom_properties(theme: str) -> str:
    """Return the colours of a theme as CSS declarations.

    Examples
    --------
    >>> custom_properties("dark").split(";")[0]
    '--tb-ink:#e6edf3'
    """
    return ";".join(f"--tb-{name}:{in_theme(colour, theme)}" for colour, name in PROPERTIES.items())


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
