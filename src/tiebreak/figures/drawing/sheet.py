"""The sheet that a figure is drawn for: how wide, in letters of which size, in which theme."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Self

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.wording import option

LEAST_TEXT = 6.0
"""No letter of a figure with a width is smaller, in points."""
USUAL, NARROW, _BELOW = 9.0, 8.0, 280.0
"""The size of names, the one on sheets narrower than the last number, in points."""
THEMES = ("paper", "dark", "page", "auto")
PAGE_HIGH = 240.0
"""How much of a page a figure can fill, in millimetres."""
FLOAT_HIGH = 200.0
"""How high a figure in a paper is at the most: a column of a usual article (230 mm) less room for a caption."""
ANY_HEIGHT = "any"
"""The height of a figure that may be as high as it likes."""
POINTS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75}
"""The length of each unit in points; a pixel is that of CSS, 1/96 inch."""
NAMED = {"column": "84mm", "page": "174mm"}
"""Widths with a name: those of a journal's column and page."""
WIDEST = 1200.0
"""The widest figure, in millimetres: about the long side of the largest sheet of paper, A0."""
LENGTHS = {"column": r"\columnwidth", "page": r"\textwidth"}
"""The lengths of LaTeX that TikZ stretches named widths to."""

Width = str | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Where a figure goes: `width` in points, None as wide as it likes; `length` is what LaTeX stretches it to.

    `height` is how high it was asked to be at the most, in points; `screen` says whether its width is in pixels.
    """

    width: float | None = None
    length: str = ""
    height: float | None = None
    screen: bool = False
    font_size: float | None = None
    theme: str = "paper"

    def over(
        self,
        *,
        width: Width = None,
        height: Width = None,
        font_size: float | None = None,
        theme: str | None = None,
    ) -> Self:
        """Return the sheet with what is given in place of what it has."""
        made = self
        if width is not None:
            points, length = width_in_points(width)
            made = replace(made, width=points, length=length, screen=str(width).strip().lower().endswith("px"))
        if height is not None:
            made = replace(made, height=_height_in_points(height))
        if font_size is not None:
            made = replace(made, font_size=_checked_size(font_size))
        if theme is not None:
            made = replace(made, theme=check_choice("theme", theme, THEMES))
        return made

    @property
    def highest(self) -> float:
        """How high a figure may be: as asked for; on paper a column ends after a caption, a screen scrolls."""
        if self.height is not None:
            return self.height
        return math.inf if self.width is None or self.screen else FLOAT_HIGH * POINTS["mm"]

    @property
    def narrow(self) -> bool:
        """Whether the sheet is about a journal's column."""
        return self.width is not None and self.width < _BELOW

    def sizes(self) -> tuple[float, ...]:
        """Return the sizes of names to try, the usual one first: only the one given, where it is."""
        if self.font_size is not None:
            return (self.font_size,)
        if self.width is None:
            return (USUAL,)
        first = NARROW if self.narrow else USUAL
        return (first, *(size for size in (NARROW, 7.5, 7.0, 6.5, 6.0) if size < first))


ANY_SHEET = Sheet()
"""As wide as the figure likes, in the usual letters."""


def width_in_points(width: str | float) -> tuple[float, str]:
    """Read a width: a number of points, a length with its unit, "column" (84 mm) or "page" (174 mm).

    Examples
    --------
    >>> width_in_points("1in"), width_in_points(240), round(width_in_points("column")[0], 1)
    ((72.0, ''), (240.0, ''), 238.1)
    """
    if isinstance(width, str) and width.strip().lower() in NAMED:
        name = width.strip().lower()
        return width_in_points(NAMED[name])[0], LENGTHS[name]
    points = _length(width, "width", tuple(NAMED), "84mm")
    if points > WIDEST * POINTS["mm"]:
        raise OptionError(
            f"{width!r} is too wide for a figure.",
            why=f"The limit is {WIDEST:g} mm, the size of the largest sheets of paper.",
            mend=f"Use {option(width='174mm')}, the width of a page.",
        )
    return points, ""


def _height_in_points(height: str | float) -> float:
    if isinstance(height, str) and height.strip().lower() == ANY_HEIGHT:
        return math.inf
    return _length(height, "height", (ANY_HEIGHT,), f"{FLOAT_HIGH:g}mm")


def _length(text: str | float, side: str, names: tuple[str, ...], example: str) -> float:
    """Read a length in points."""
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([a-z]*)\s*", str(text).lower())
    points = float(match[1]) * POINTS.get(match[2] or "pt", math.nan) if match else math.nan
    if not 0 < points < math.inf:
        raise OptionError(
            f"{text!r} is no {side} of a figure.",
            why=f"It is a length in {', '.join(POINTS)}, or {', '.join(names)}.",
            mend=f"Use {option(**{side: example})}.",
        )
    return points


def _checked_size(size: float) -> float:
    if isinstance(size, (int, float)) and not isinstance(size, bool) and LEAST_TEXT <= size <= 36:
        return float(size)
    raise OptionError(
        f"{size!r} is no size of letters.",
        why=f"Names are from {LEAST_TEXT:g} to 36 points high; smaller ones cannot be read in print.",
        mend=f"Use {option(font_size=8)}.",
    )
