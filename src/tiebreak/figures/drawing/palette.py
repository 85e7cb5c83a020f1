"""Colours that people with any kind of colour vision tell apart (Okabe and Ito), and the greys around them."""

from __future__ import annotations

INK, MUTED, PALE, PAPER = "#1b1f24", "#69727c", "#d3d8de", "#ffffff"
"""Lines and names, notes, grids, and the inside of open marks; on no background they follow the text colour."""
BLUE, ORANGE, GREEN, VERMILION, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9"
# one step beside ink and paper, so that these do not follow the colour of the page
DARK, LIGHT = "#1b1f25", "#fffffe"
"""Text on a coloured cell, whatever the background of the picture."""

_BLUES = ("#ffffff", "#0072b2")
# orange against blue, not red against green, which many cannot tell apart; both ends equally dark
_TWO_SIDES = ("#e08214", "#f7f7f7", "#2166ac")


def mixed(a: str, b: str, share: float) -> str:
    """Mix two colours.

    Examples
    --------
    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    channels = zip(_channels(a), _channels(b), strict=True)
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in channels)


def shade(share: float) -> str:
    """Return the colour of a share between 0 and 1: white to blue."""
    return mixed(*_BLUES, min(max(share, 0.0), 1.0))


def two_sided(value: float) -> str:
    """Return the colour of a value between -1 (orange) and 1 (blue), grey at 0."""
    low, middle, high = _TWO_SIDES
    bounded = min(max(value, -1.0), 1.0)
    return mixed(middle, high, bounded) if bounded >= 0 else mixed(middle, low, -bounded)


def text_on(fill: str) -> str:
    """Return the colour of text that is readable on a fill."""
    red, green, blue = _channels(fill)
    # weights of the luma of television: how bright red, green and blue look (ITU-R BT.601)
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
