"""Measure orders as a table: a row per algorithm, for many of them and for narrow columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak.figures.drawing.axis import TICK, number_text, pvalue_text
from tiebreak.figures.drawing.bars import letter_ranges
from tiebreak.figures.drawing.ladder import GAP, Ladder, make_ladder, row_height
from tiebreak.figures.drawing.metrics import text_width, wrapped
from tiebreak.figures.drawing.names import name_lines
from tiebreak.figures.drawing.palette import MUTED, PALE
from tiebreak.figures.drawing.panels import COLOURS
from tiebreak.figures.drawing.scene import Circle, Item, Line, Text, bounds

if TYPE_CHECKING:
    from tiebreak.figures._measure_orders import MeasureOrder, MeasureOrders

LANE, LETTERS, LONGEST = 7.5, "abcdefgh", 46.0
HEAD = 9.5
"""The distance of lines in the heads of columns."""


def table_items(figure: MeasureOrders, room: float) -> list[Item]:
    """Lay out places by each measure with the letters of its groups, and dots of the cliques of all measures."""
    order = figure.orders[0].order
    cells = [_cells(each, len(order)) for each in figure.orders]
    wide = [
        max([44.0, *(text_width(place, TICK) + text_width(said, TICK) + 12 for place, said in each)]) for each in cells
    ]
    lanes = LANE * len(figure.cliques)
    free = room - GAP - lanes - sum(wide)
    names = [figure.algorithms[i] for i in order]
    row = row_height(len(names), 13.0, room)
    ladder = make_ladder(names, row=row, limit=max(free, 0.2 * room), most=2 if len(names) > 25 else 3)
    spare = max(0.0, free - ladder.wide) / len(wide)
    items = ladder.texts(-GAP)
    x = 0.0
    for each, column, width in zip(figure.orders, cells, wide, strict=True):
        items += _column(each, [column[i] for i in order], ladder, x, width + spare)
        x += width + spare
    for lane, clique in enumerate(figure.cliques):
        at = x + LANE * (lane + 0.5)
        items.append(Text(at, -5, LETTERS[lane], size=TICK, anchor="middle", colour=MUTED))
        members = set(clique)
        items += [Circle(at, y, 2.6, fill=COLOURS[lane]) for i, y in ladder.rows() if order[i] in members]
    left = -GAP - ladder.wide
    items += ladder.key(left, bounds(items)[3] + 5, room)
    said = "place and groups by each measure; dots: cliques of all measures together"
    down = bounds(items)[3] + 12
    for i, words in enumerate(wrapped(said, TICK, room)):
        items.append(Text(left, down + 10 * i, words, size=TICK, colour=MUTED))
    return items


def _cells(each: MeasureOrder, count: int) -> list[tuple[str, str]]:
    """Return the place and the letters of every algorithm by one measure; letters are left out where they are long."""
    groups = [[each.order[place] for place in group] for group in each.groups]
    letters = letter_ranges([sorted(group) for group in groups], count)
    if max(text_width(said, TICK) for said in letters) > LONGEST:
        letters = ("",) * count
    places = {algorithm: place for place, algorithm in enumerate(each.order)}
    return [(str(places[i] + 1), letters[i]) for i in range(count)]


def _column(each: MeasureOrder, cells: list[tuple[str, str]], ladder: Ladder, x: float, width: float) -> list[Item]:
    head, _ = name_lines(each.measure, TICK, width - 4, 3, bold=True)
    better = "higher is better" if each.higher_is_better else "lower is better"
    tested = f"{each.symbol} = {number_text(each.statistic, 3)}, p = {pvalue_text(each.pvalue)}"
    under = [line for words in (better, tested) for line in wrapped(words, TICK, width - 4)]
    lines = [(words, True) for words in head] + [(words, False) for words in under]
    items: list[Item] = [Line(((x, -2), (x, ladder.bottom)), colour=PALE, width=0.6)]
    for i, (words, bold) in enumerate(reversed(lines)):
        items.append(
            Text(x + 3, -6 - HEAD * i, words, size=TICK, bold=bold, colour=MUTED, title=each.measure if bold else "")
        )
    size = min(TICK, ladder.size)
    most = max(text_width(place, size) for place, _ in cells)
    for (place, said), (_, y) in zip(cells, ladder.rows(), strict=True):
        items.append(Text(x + 4 + most, y + 0.35 * size, place, size=size, anchor="end"))
        items.append(Text(x + 9 + most, y + 0.35 * size, said, size=size, colour=MUTED))
    return items
