"""The layout of what is given up against what is saved: axes, shades, intervals, marks and names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak.figures.drawing.axis import TICK, Scale, left_axis, legend_line, tick_texts
from tiebreak.figures.drawing.labels import Line as Segment
from tiebreak.figures.drawing.metrics import fitted, shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER, SKY, VERMILION
from tiebreak.figures.drawing.plane import Marks, beside, key_at_side, key_under, label_texts
from tiebreak.figures.drawing.ratio_axis import ratio_axis
from tiebreak.figures.drawing.reach import reach
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, bounds, diamond, rectangle

if TYPE_CHECKING:
    from tiebreak.figures._trade_plane import Traded, TradePlane

WIDTH, HEIGHT, LOW, RADIUS = 400.0, 270.0, 130.0, 3.6
"""It is low where nobody gives anything up, so that all lie on one line."""
LEAST_RANGE = 1.5
"""The axis of costs reaches at least this factor to either side of the best-scoring one."""
_SHADE, _CAP = 5.0, 2.4
_WORDS = {
    "reference": "scores best",
    "good enough": "cheaper, shown to be good enough",
    "no loss": "cheaper, no loss shown",
    "loss": "cheaper, gives something up",
    "costlier": "costs as much or more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plane:
    """Where a figure puts costs and losses; what lies beyond an axis stands at its end."""

    across: Scale
    down: Scale

    def at(self, each: Traded) -> Point:
        """Return the place of a mark."""
        return self.across(each.ratio), self.height(each.given_up)

    def height(self, value: float) -> float:
        """Return the height of a loss, that of the nearer end where it lies beyond the axis."""
        return self.down(min(max(value, self.down.low), self.down.high))

    def level(self, value: float) -> Segment:
        """Return the line of one loss."""
        return (0.0, self.down(value)), (self.across.end, self.down(value))

    def span(self, each: Traded) -> Segment | None:
        """Return the line of an interval, None where there is none."""
        if each.verdict == "reference" or not math.isfinite(each.high - each.low):
            return None
        x, top, bottom = self.across(each.ratio), self.height(each.low), self.height(each.high)
        return ((x, top), (x, bottom)) if bottom > top else None


def lay_out(figure: TradePlane, room: float | None) -> list[Item]:
    """Lay out the figure in so much room."""
    width, height = _size(figure, room)
    plane = _Plane(across=_across(figure, width), down=_down(figure, height))
    names = {each.place: each.algorithm for each in figure.traded}
    chosen = {i: names[i] for i in figure.labelled()}
    cost = f"{shown(figure.cost_name)}, times that of {shown(figure.reference)} (left is cheaper; logarithmic scale)"
    items = [_shade(plane, each) for each in figure.traded if each.undecided and each.place in chosen]
    items += ratio_axis(plane.across, height, cost, top=0.0)
    items += left_axis(plane.down, 0.0, _score_name(figure, height + 20), width, 6)
    items.append(Line(plane.level(0.0), dash=(3, 2)))
    items += [Line(plane.level(figure.margin), colour=MUTED, dash=(1, 2))] if figure.margin is not None else []
    labels, key = beside(_marks(figure, plane, chosen))
    items += [Line(label.leader, colour=MUTED, width=0.5) for label, _ in labels.values() if label.leader]
    for each in sorted(figure.traded, key=lambda each: (each.place in chosen, each.verdict == "reference")):
        items += _drawn(figure, plane, each) if each.place in chosen else [_dot(figure, plane, each)]
    items += label_texts(labels, names)
    left = 0.0 if room is None else bounds(items)[0]
    items += legend_line(_entries(figure), left, bounds(items)[3] + 14, (width if room is None else room) + TICK)
    if not key:
        return items
    bold = {each.place for each in figure.traded if each.verdict == "reference"}
    return items + (key_at_side(chosen, bold, width, height) if room is None else key_under(chosen, bold, items, room))


def _score_name(figure: TradePlane, limit: float) -> str:
    short = f"{shown(figure.score_name)} given up"
    full = f"{short} (downwards is worse)"
    return full if text_width(full, TICK) <= limit else fitted(short, TICK, limit)


def _size(figure: TradePlane, room: float | None) -> tuple[float, float]:
    if room is None:
        return WIDTH, LOW if figure.flat else HEIGHT
    ticks = max(text_width(words, TICK) for words in tick_texts(_down(figure, HEIGHT).ticks()))
    width = room - ticks - TICK - 16
    return max(width, 120.0), LOW if figure.flat else min(max(0.72 * width, 150.0), HEIGHT)


def _across(figure: TradePlane, width: float) -> Scale:
    ratios = [1 / LEAST_RANGE, LEAST_RANGE, *(each.ratio for each in figure.traded)]
    return Scale.around(ratios, 0.06, 0.0, width, log=True)


def _down(figure: TradePlane, height: float) -> Scale:
    """Nothing given up is at the top; what lies far below all others is an arrow at the bottom."""
    if figure.flat:  # one tick at 0: any other would be a number that nobody gives up
        return Scale(low=-0.5, high=0.5, start=0.0, end=height, whole=True)
    ends = [end for each in figure.traded for end in (each.low, each.high, each.given_up)]
    low, high = reach(ends, [0.0, *([figure.margin] if figure.margin is not None else [])])
    return Scale.around([low, high], 0.08, 0.0, height)


def _marks(figure: TradePlane, plane: _Plane, chosen: dict[int, str]) -> Marks:
    """Collect what labels stand beside and what none may stand on: intervals, the line of nothing lost, the margin."""
    levels = [plane.level(value) for value in (0.0, figure.margin) if value is not None]
    spans = [plane.span(each) for each in figure.traded if each.place in chosen]
    caps = [((x - _CAP, y), (x + _CAP, y)) for span in spans if span is not None for x, y in span]
    points = {each.place: plane.at(each) for each in figure.traded}
    return Marks(
        points={i: points[i] for i in chosen},
        names=chosen,
        lines=[*(span for span in spans if span is not None), *caps, *levels],
        size=(plane.across.end, plane.down.end),
        radius=RADIUS + 1,
        small=[at for i, at in points.items() if i not in chosen],
    )


def _shade(plane: _Plane, each: Traded) -> Item:
    """Shade what is undecided: an interval that holds zero."""
    x, top, bottom = plane.across(each.ratio), plane.height(each.low), plane.height(each.high)
    return Area(rectangle(x - _SHADE, top, 2 * _SHADE, bottom - top), fill=SKY, opacity=0.3)


def _entries(figure: TradePlane) -> list[tuple[list[Item], str]]:
    found = {each.verdict for each in figure.traded}
    entries = [([_mark(kind, 0, 0)], words) for kind, words in _WORDS.items() if kind in found]
    if figure.intervals and any(each.undecided for each in figure.traded):
        shade: Item = Area(rectangle(-_SHADE, -4, 2 * _SHADE, 8), fill=SKY, opacity=0.3)
        entries.append(([shade, Line(((0, -4), (0, 4)), colour=MUTED)], "undecided"))
    left = len(figure.traded) - len(figure.labelled())
    dot: Item = Circle(0, 0, 1.7, fill=MUTED)
    return entries + ([([dot], f"{left} other{'s' * (left > 1)}, without an interval")] if left else [])


def _dot(figure: TradePlane, plane: _Plane, each: Traded) -> Item:
    x, y = plane.at(each)
    return Circle(x, y, 1.7, fill=MUTED, title=figure.sentence(each))


def _drawn(figure: TradePlane, plane: _Plane, each: Traded) -> list[Item]:
    """Draw interval and mark; a loss beyond the axis is an arrow at its end."""
    said, (x, y), span, down = figure.sentence(each), plane.at(each), plane.span(each), plane.down
    items: list[Item] = []
    if span is not None:
        items.append(Line(span, colour=MUTED, width=1.0, title=said))
        for end, (_, at) in zip((each.low, each.high), span, strict=True):
            items += [Line(((x - _CAP, at), (x + _CAP, at)), colour=MUTED)] if down.low <= end <= down.high else []
    if each.given_up > down.high:
        return [*items, Area(((x - 2.8, y - 5.5), (x + 2.8, y - 5.5), (x, y)), fill=INK, title=said)]
    return [*items, _mark(each.verdict, x, y, said)]


def _mark(verdict: str, x: float, y: float, title: str = "") -> Item:
    """Draw a mark that differs in shape and filling, so that either is enough to tell the verdict."""
    if verdict == "reference":
        return Area(diamond(x, y, 4.8), fill=INK, title=title)
    if verdict == "no loss":
        return Circle(x, y, RADIUS, fill=BLUE, title=title)
    if verdict == "costlier":
        return Circle(x, y, RADIUS - 0.3, fill=PAPER, colour=MUTED, edge=1.2, title=title)
    turn, fill = (1, BLUE) if verdict == "good enough" else (-1, VERMILION)
    corners = ((x - 4.2, y + 3.4 * turn), (x + 4.2, y + 3.4 * turn), (x, y - 4.4 * turn))
    return Area(corners, fill=fill, title=title)
