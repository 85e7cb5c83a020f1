"""A scene: what is drawn and where, in points (1/72 inch) from the top left corner, before anything draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from tiebreak.figures.drawing.palette import INK, MUTED
from tiebreak.figures.drawing.text import ASCENT, DESCENT, drawn_size, fitted, shown, text_width
from tiebreak.wording import Brief

NAME, LONGEST = 9.0, 250.0
"""The size of names, and the width beyond which their middle is left out."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def _around(points: Sequence[Point], edge: float) -> Box:
    """Half of a line's width lies outside its points, and the picture must hold it."""
    xs, ys, half = [x for x, _ in points], [y for _, y in points], edge / 2
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


class _ThroughPoints:
    """What moves by moving its points."""

    __slots__ = ()
    points: tuple[Point, ...]

    def moved(self, dx: float, dy: float) -> Self:
        """Return the same at another place."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))  # type: ignore[type-var]


class _AtPlace:
    """What moves by moving one place."""

    __slots__ = ()
    x: float
    y: float

    def moved(self, dx: float, dy: float) -> Self:
        """Return the same at another place."""
        return replace(self, x=self.x + dx, y=self.y + dy)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filled:
    """The look of what is filled; no outline where `edge` is 0."""

    fill: str = INK
    colour: str = INK
    edge: float = 0.0
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line(_ThroughPoints):
    """A line through points; `dash` holds the lengths of strokes and gaps."""

    points: tuple[Point, ...]
    _: KW_ONLY
    colour: str = INK
    width: float = 0.8
    opacity: float = 1.0
    title: str = ""
    dash: tuple[float, ...] = ()

    def box(self) -> Box:
        """Return the box around the line."""
        return _around(self.points, self.width)


@dataclass(frozen=True, slots=True)
class Area(_ThroughPoints, _Filled):
    """A filled polygon."""

    points: tuple[Point, ...]

    def box(self) -> Box:
        """Return the box around the polygon."""
        return _around(self.points, self.edge)


@dataclass(frozen=True, slots=True)
class Circle(_AtPlace, _Filled):
    """A filled circle."""

    x: float
    y: float
    radius: float

    def box(self) -> Box:
        """Return the box around the circle."""
        reach = self.radius + self.edge / 2
        return self.x - reach, self.y - reach, self.x + reach, self.y + reach


@dataclass(frozen=True, slots=True)
class Text(_AtPlace):
    """A line of text on its base line; `anchor` is start, middle or end; `upwards` turns it to read from below."""

    x: float
    y: float
    words: str
    _: KW_ONLY
    size: float = NAME
    anchor: str = "start"
    bold: bool = False
    upwards: bool = False
    colour: str = INK
    title: str = ""

    def box(self) -> Box:
        """Return the box that the text fills."""
        width = text_width(self.words, self.size, bold=self.bold)
        before = {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        size = drawn_size(self.size)
        above, below = ASCENT * size, DESCENT * size
        if self.upwards:
            return self.x - above, self.y - width + before, self.x + below, self.y + before
        return self.x - before, self.y - above, self.x - before + width, self.y + below


Item = Line | Area | Circle | Text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Scene(Brief):
    """A size in points and what is drawn on it, from back to front; length and theme are those of its sheet."""

    width: float
    height: float
    items: tuple[Item, ...]
    title: str
    description: str = ""
    length: str = ""
    theme: str = "paper"

    def texts(self) -> tuple[Text, ...]:
        """Return the texts alone."""
        return tuple(item for item in self.items if isinstance(item, Text))


def short(value: float) -> str:
    """Write a length with at most two decimals, for SVG and TikZ.

    Examples
    --------
    >>> short(2.5), short(-0.001), short(10)
    ('2.5', '0', '10')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def diamond(x: float, y: float, reach: float) -> tuple[Point, ...]:
    """Return the corners of a square that stands on one of them."""
    return (x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)


def named(
    x: float, y: float, name: object, *, size: float = NAME, limit: float = LONGEST, title: object = "", **look: Any
) -> Text:
    """Write a name, cut where it is longer than `limit`; a pointer shows all of it, or the title given."""
    cut = fitted(name, size, limit, bold=look.get("bold", False))
    return Text(x, y, cut, size=size, title=shown(title or name), **look)


def numbered(number: int, name: object, x: float, y: float, *, size: float, **look: Any) -> tuple[Text, Text]:
    """Write one line of a key: the number, ended where all numbers end, and the name."""
    return Text(x + 14, y, str(number), size=size, anchor="end", colour=MUTED), named(
        x + 19, y, name, size=size, **look
    )


def bounds(items: Iterable[Item]) -> Box:
    """Return the box around everything."""
    left, top, right, bottom = zip(*(item.box() for item in items), strict=True)
    return min(left), min(top), max(right), max(bottom)


def apart(a: Box, b: Box, gap: float = 0.0) -> bool:
    """Say whether two boxes lie apart by more than `gap`."""
    return a[2] + gap <= b[0] or b[2] + gap <= a[0] or a[3] + gap <= b[1] or b[3] + gap <= a[1]
