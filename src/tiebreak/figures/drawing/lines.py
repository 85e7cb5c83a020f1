"""Panels of lines with marks, side by side under one legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line
from tiebreak.figures.drawing.metrics import fitted, shown
from tiebreak.figures.drawing.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, SKY, VERMILION
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point

RADIUS, LINE, KEY = 2.6, 1.2, 200.0
_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, SKY)


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
        """Return the strokes: whole lines for the first series, then ever shorter ones."""
        return ((), (5, 2), (2, 2), (7, 2, 2, 2))[(self.number // len(_COLOURS)) % 4]

    def mark(self, x: float, y: float, words: str = "") -> Item:
        """Draw one mark: filled and open ones take turns."""
        said = shown(words or self.name)
        if self.alone:
            r = RADIUS + 1.6
            return Area(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), fill=INK, title=said)
        fill = PAPER if self.number % 2 else self.colour()
        return Circle(x, y, RADIUS, fill=fill, colour=self.colour(), edge=1.0, title=said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One set of axes: its scales say where it stands; `count` is about how many ticks it has."""

    across: Scale
    down: Scale
    x_name: str
    y_name: str
    series: tuple[Series, ...]
    count: int = 5

    def items(self) -> list[Item]:
        """Lay out axes, then lines, then marks."""
        out = axes(self.across, self.down, self.x_name, self.y_name, counts=(self.count, 6))
        marks: list[Item] = []
        for each in self.series:
            track = tuple((self.across(x), self.down(y)) for x, y in each.points)
            if len(track) > 1:
                out.append(Line(track, colour=each.colour(), width=LINE, dash=each.dash()))
            for (x, y), (u, v) in zip(track, each.points, strict=True):
                marks.append(each.mark(x, y, f"{each.name}: {u:.4g}, {v:.4g}"))
        return out + marks


def side_by_side(panels: Sequence[Panel]) -> list[Item]:
    """Lay out panels that show the same series, which are named under all of them once."""
    items = [item for panel in panels for item in panel.items()]
    bottom, right = max(panels[0].down.start, panels[0].down.end), panels[-1].across.end
    return items + legend_line(_entries(panels[0].series), 0, bottom + 43, right)


def each_named(panels: Sequence[Panel]) -> list[Item]:
    """Lay out panels of different series, each named under its own."""
    items: list[Item] = []
    for panel in panels:
        bottom, width = max(panel.down.start, panel.down.end), panel.across.end - panel.across.start
        items += [*panel.items(), *legend_line(_entries(panel.series), panel.across.start, bottom + 43, width)]
    return items


def _entries(series: Sequence[Series]) -> list[tuple[list[Item], str]]:
    entries: list[tuple[list[Item], str]] = []
    for each in series:
        line: list[Item] = [Line(((-6, 0), (6, 0)), colour=each.colour(), width=LINE, dash=each.dash())]
        entries.append(([*([] if each.alone else line), each.mark(0, 0)], fitted(each.name, TICK, KEY)))
    return entries
