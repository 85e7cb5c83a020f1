"""The order graph as rows: for many algorithms and for narrow columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import GAP, MANY, Ladder, divided, letters_of, row_height, slots
from tiebreak.figures.drawing.metrics import shown, text_width, wrapped
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, PAPER, VERMILION
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, Text, bounds

if TYPE_CHECKING:
    from tiebreak.figures._order_graph import Node, OrderGraph

ROW, USUAL, MOST_REASONS = 13.0, 240.0, 6


def order_rows(figure: OrderGraph, room: float | None) -> list[Item]:
    """Lay out a row per algorithm in the order found, and beside it its place before the tests."""
    nodes = sorted(figure.nodes, key=lambda node: node.place)
    before = {node.name: i for i, node in enumerate(figure.nodes)}
    rows = len(slots(len(nodes), figure.kept))
    row = ROW if rows <= 45 else 10.0
    size = letters_of(row_height(rows, row, room), TICK - 0.5)
    number = text_width(str(len(nodes)), size, bold=True) + 5
    counts = max(text_width(word, size) for word in ("past", "behind", "999")) + 5
    # where no test moved anybody there is nothing to count
    columns = 2 if any(node.by == "test" for node in nodes) else 0
    ladder, width = divided(
        [node.name for node in nodes],
        figure.kept,
        room=room,
        row=row,
        usual=USUAL,
        beside=number + columns * counts,
        least=70.0,
        share=0.4 if rows <= MANY else 0.36,
        most=2 if len(nodes) > 25 else 3,
    )
    scale = Scale(low=0.3, high=len(nodes) + 0.7, start=number, end=number + width, whole=True)
    words = "place by cost, cheap to costly" if figure.by_cost else "place in the given order"
    items: list[Item] = ladder.texts(-GAP)
    items += bottom_axis(scale, ladder.bottom + 2, words, top=-2, count=5, limit=width, left=-GAP - ladder.wide)
    spots = {nodes[i].name: (scale(before[nodes[i].name] + 1), y) for i, y in ladder.rows()}
    items += _waits(figure, spots) + _marks(nodes, ladder, spots, number, scale.end)
    items += _counts(nodes, ladder, counts, scale.end) if columns else []
    entries: list[tuple[list[Item], str]] = [
        ([_mark(0, 0, tested=by == "test")], f"place {said}")
        for by, said in (("cost", figure.untested()), ("test", "by test"))
        if any(node.by == by for node in nodes)
    ]
    if any(arrow.decides for arrow in figure.arrows):
        entries.append(([Line(((-6, 0), (6, 0)), colour=VERMILION, width=0.9)], "waits for it"))
    left = -GAP - ladder.wide
    reach = scale.end + columns * counts - left
    items += legend_line(entries, left, bounds(items)[3] + 15, reach)
    items += ladder.key(left, bounds(items)[3] + 5, reach)
    if len(nodes) > MOST_REASONS or not columns:
        return items
    down = bounds(items)[3] + 14
    return items + [text.moved(0, down) for text in _reasons(figure, nodes, left, reach)]


def _mark(x: float, y: float, *, tested: bool, title: str = "") -> Circle:
    fill, colour = (BLUE, BLUE) if tested else (PAPER, INK)
    return Circle(x, y, 2.4, fill=fill, colour=colour, edge=0.9, title=title)


def _waits(figure: OrderGraph, spots: dict[str, Point]) -> list[Item]:
    """Lead from every algorithm to the last one that it has to wait for; the other tests change nothing."""
    items: list[Item] = []
    names = [node.name for node in figure.nodes]
    for arrow in figure.arrows:
        start, end = spots.get(names[arrow.cheaper]), spots.get(names[arrow.costlier])
        if not arrow.decides or start is None or end is None:
            continue
        length = math.dist(start, end) or 1.0
        dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        tip = (end[0] - 3.0 * dx, end[1] - 3.0 * dy)
        back = (tip[0] - 4.2 * dx, tip[1] - 4.2 * dy)
        items.append(Line((start, back), colour=VERMILION, width=0.9, opacity=0.8))
        sides = ((back[0] - 1.8 * dy, back[1] + 1.8 * dx), (back[0] + 1.8 * dy, back[1] - 1.8 * dx))
        items.append(Area((tip, *sides), fill=VERMILION))
    return items


def _marks(nodes: list[Node], ladder: Ladder, spots: dict[str, Point], number: float, right: float) -> list[Item]:
    """Draw places and marks."""
    items: list[Item] = []
    size = min(TICK - 0.5, ladder.size)
    for i, y in ladder.rows():
        node, (x, _) = nodes[i], spots[nodes[i].name]
        base = y + 0.35 * size
        items.append(Line(((number, y), (right, y)), colour=PALE, width=0.4))
        items.append(Text(number - 5, base, str(node.place), size=size, anchor="end", bold=True))
        items.append(_mark(x, y, tested=node.by == "test", title=shown(f"{node.name}: {node.reason}")))
    return items


def _counts(nodes: list[Node], ladder: Ladder, wide: float, right: float) -> list[Item]:
    """Write how many cheaper ones each passed, and how many costlier ones stand before it."""
    items: list[Item] = []
    size = min(TICK - 0.5, ladder.size)
    for column, words in ((1, "past"), (2, "behind")):
        items.append(Text(right + column * wide, -6, words, size=size, anchor="end", colour=MUTED))
    for i, y in ladder.rows():
        for column, value in ((1, nodes[i].ahead), (2, nodes[i].behind)):
            words = str(value) if value else "\N{MIDDLE DOT}"
            items.append(Text(right + column * wide, y + 0.35 * size, words, size=size, anchor="end", colour=MUTED))
    return items


def _reasons(figure: OrderGraph, nodes: list[Node], left: float, width: float) -> list[Item]:
    """Few enough reasons are written out."""
    items: list[Item] = []
    y = 0.0
    for node in nodes:
        words = figure.untested() if node.by == "cost" else f"by test: {node.reason}"
        for i, line in enumerate(wrapped(f"{node.place}  {words}", TICK - 0.5, width - 8)):
            items.append(Text(left + 8 * (i > 0), y, line, size=TICK - 0.5, colour=MUTED))
            y += 10.0
    return items
