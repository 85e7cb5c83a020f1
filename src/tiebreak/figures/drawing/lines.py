"""Panels of lines with marks, side by side under one legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line
from tiebreak.figures.drawing.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, SKY, VERMILION
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, Text, bounds
from tiebreak.figures.drawing.text import fitted, shown, wrapped

RADIUS, LINE, KEY = 2.6, 1.2, 200.0
_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, SKY)
_DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (2, 2), (7, 2, 2, 2), (9, 3), (3, 1.5, 1, 1.5))
LEAST, ASIDE, HIGHEST = 118.0, 44.0, 150.0
"""The least width of a panel, what its left axis takes, and its height where panels stand one under the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A line with marks, or a diamond alone where it has one point and says so; `muted` is for all the rest."""

    name: str
    points: tuple[Point, ...]
    number: int = 0
    alone: bool = False
    muted: bool = False

    def colour(self) -> str:
        """Return the colour of the series; beyond the palette they share it and differ in their strokes."""
        if self.muted:
            return MUTED
        return INK if self.alone else _COLOURS[self.number % len(_COLOURS)]

    def dash(self) -> tuple[float, ...]:
        """Return the strokes, which differ where colours are not printed: a whole line for the first series."""
        return _DASHES[self.number % len(_DASHES)]

    def mark(self, x: float, y: float, words: str = "") -> Item:
        """Draw one mark: filled and open ones take turns, then shapes."""
        text = shown(words or self.name)
        if self.alone:
            r = RADIUS + 1.6
            return Area(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), fill=INK, title=text)
        look: dict[str, Any] = {"fill": PAPER if self.number % 2 else self.colour(), "colour": self.colour()}
        look |= {"edge": 1.0, "title": text}
        shape = self.number // 2 % 3
        if shape == 0:
            return Circle(x, y, RADIUS, **look)
        r = RADIUS * 0.95
        square = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
        triangle = ((x - 1.2 * r, y + r), (x + 1.2 * r, y + r), (x, y - 1.3 * r))
        return Area(square if shape == 1 else triangle, **look)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One set of axes: its scales say where it stands; `count` is about how many ticks it has."""

    across: Scale
    down: Scale
    x_name: str
    y_name: str
    series: tuple[Series, ...]
    count: int = 5
    title: str = ""

    def items(self, limit: float | None = None) -> list[Item]:
        """Lay out axes, then lines, then marks; `limit` is how wide the name below may be before it is broken."""
        high = abs(self.down.end - self.down.start)
        y_name = self.y_name if limit is None else fitted(self.y_name, TICK, high + 20)
        out = axes(self.across, self.down, self.x_name, y_name, counts=(self.count, 6), limit=limit)
        marks: list[Item] = []
        for series in self.series:
            track = tuple((self.across(x), self.down(y)) for x, y in series.points)
            if len(track) > 1:
                out.append(Line(track, colour=series.colour(), width=LINE, dash=series.dash()))
            for (x, y), (u, v) in zip(track, series.points, strict=True):
                marks.append(series.mark(x, y, f"{series.name}: {u:.4g}, {v:.4g}"))
        return out + marks


def side_by_side(panels: Sequence[Panel], room: float | None = None) -> list[Item]:
    """Lay out panels that show the same series, which are named under all of them once."""
    if room is not None:
        items = _arranged(panels, room, named=False)
        left, _, _, bottom = bounds(items)
        return items + legend_line(_entries(panels[0].series, room - 26), left, bottom + 16, room)
    items = [item for panel in panels for item in panel.items()]
    bottom = max(end for panel in panels for end in (panel.down.start, panel.down.end))
    right = max(panel.across.end for panel in panels)
    return items + legend_line(_entries(panels[0].series), 0, bottom + 43, right)


def each_named(panels: Sequence[Panel], room: float | None = None) -> list[Item]:
    """Lay out panels of different series, each named under its own."""
    if room is not None:
        return _arranged(panels, room, named=True)
    items: list[Item] = []
    for panel in panels:
        bottom, width = max(panel.down.start, panel.down.end), panel.across.end - panel.across.start
        items += [*panel.items(), *legend_line(_entries(panel.series), panel.across.start, bottom + 43, width)]
        if panel.title:
            middle = (panel.across.start + panel.across.end) / 2
            items.append(Text(middle, -8, panel.title, size=TICK + 1, anchor="middle"))
    return items


def _arranged(panels: Sequence[Panel], room: float, *, named: bool) -> list[Item]:
    """Put as many panels side by side as have room, and the others under them."""
    columns = max(1, min(len(panels), int(room // (LEAST + ASIDE))))
    pitch, items, top = room / columns, list[Item](), 0.0
    for start in range(0, len(panels), columns):
        row: list[Item] = []
        for at, panel in enumerate(panels[start : start + columns]):
            row += [item.moved(at * pitch + ASIDE, 0.0) for item in _narrow(panel, pitch - ASIDE - 6, named=named)]
        down = top - bounds(row)[1]
        items += [item.moved(0.0, down) for item in row]
        top = bounds(items)[3] + 12
    return items


def _narrow(panel: Panel, width: float, *, named: bool) -> list[Item]:
    high = min(HIGHEST, abs(panel.down.end - panel.down.start))
    moved = replace(
        panel, across=replace(panel.across, start=0.0, end=width), down=replace(panel.down, start=high, end=0.0)
    )
    items = moved.items(limit=width)
    if panel.title:
        for line, words in enumerate(reversed(wrapped(panel.title, TICK + 1, width + 20))):
            items.append(Text(width / 2, -8 - 10 * line, words, size=TICK + 1, anchor="middle"))
    if named:
        left, _, _, bottom = bounds(items)
        items += legend_line(_entries(panel.series, width), left, bottom + 15, width - left)
    return items


def _entries(series: Sequence[Series], longest: float = KEY) -> list[tuple[list[Item], str]]:
    entries: list[tuple[list[Item], str]] = []
    for item in series:
        line: list[Item] = [Line(((-6, 0), (6, 0)), colour=item.colour(), width=LINE, dash=item.dash())]
        entries.append(([*([] if item.alone else line), item.mark(0, 0)], fitted(item.name, TICK, min(KEY, longest))))
    return entries
