"""Measure orders as a table: a row per algorithm, for many of them and for narrow columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak.figures.drawing.axis import TICK, number_text, pvalue_text
from tiebreak.figures.drawing.bars import letter_ranges
from tiebreak.figures.drawing.ladder import GAP, MANY, Ladder, make_ladder, row_height, slots, whole_size
from tiebreak.figures.drawing.metrics import shown, text_width, wrapped
from tiebreak.figures.drawing.names import name_lines
from tiebreak.figures.drawing.palette import MUTED, PALE
from tiebreak.figures.drawing.panels import COLOURS
from tiebreak.figures.drawing.scene import Circle, Item, Line, Text, bounds

if TYPE_CHECKING:
    from tiebreak.figures._measure_orders import MeasureOrder, MeasureOrders

LANE, LETTERS, LONGEST = 7.5, "abcdefgh", 46.0
HEAD, MOST_SPARE = 9.5, 24.0
"""The distance of lines in the heads of columns; how much wider than they need to be columns are at the most."""


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
    drawn = len(slots(len(names), figure.kept))
    limit, row = max(free, 0.2 * room), row_height(drawn, 13.0, room)
    ladder = make_ladder(names, figure.kept, row=row)
    if ladder.wide > limit or ladder.cuts:
        size = whole_size(names, ladder.size, limit) if drawn > MANY else ladder.size
        ladder = make_ladder(names, figure.kept, row=row, limit=limit, most=2 if drawn > MANY else 3, size=size)
    spare = min(max(0.0, free - ladder.wide) / len(wide), MOST_SPARE)
    items = ladder.texts(-GAP)
    x = 0.0
    for each, column, width in zip(figure.orders, cells, wide, strict=True):
        items += _column(each, {i: column[order[i]] for i, _ in ladder.rows()}, ladder, x, width + spare)
        x += width + spare
    for lane, clique in enumerate(figure.cliques):
        at = x + LANE * (lane + 0.5)
        items.append(Text(at, -5, LETTERS[lane], size=TICK, anchor="middle", colour=MUTED))
        members = set(clique)
        items += [Circle(at, y, 2.6, fill=COLOURS[lane]) for i, y in ladder.rows() if order[i] in members]
    left = -GAP - ladder.wide
    items += ladder.key(left, bounds(items)[3] + 5, room)
    groups = " and groups" if any(letters for column in cells for _, letters in column) else ""
    said = f"place{groups} by each measure" + ("; dots: cliques of all measures together" if figure.cliques else "")
    said = f"{said}. Tests: {'; '.join(_tested(each) for each in figure.orders)}"
    down = bounds(items)[3] + 12
    for i, words in enumerate(wrapped(said, TICK, min(room, bounds(items)[2] - left))):
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


def _tested(each: MeasureOrder) -> str:
    """Say what the test of one measure found; in the head of a narrow column its numbers would have to be broken."""
    return f"{shown(each.measure)}: {each.symbol} = {number_text(each.statistic, 3)}, p = {pvalue_text(each.pvalue)}"


def _column(
    each: MeasureOrder, cells: dict[int, tuple[str, str]], ladder: Ladder, x: float, width: float
) -> list[Item]:
    head, _ = name_lines(each.measure, TICK, width - 4, 3, bold=True)
    better = "higher is better" if each.higher_is_better else "lower is better"
    under = wrapped(better, TICK, width - 4)
    lines = [(words, True) for words in head] + [(words, False) for words in under]
    items: list[Item] = [Line(((x, -2), (x, ladder.bottom)), colour=PALE, width=0.6)]
    for i, (words, bold) in enumerate(reversed(lines)):
        items.append(
            Text(x + 3, -6 - HEAD * i, words, size=TICK, bold=bold, colour=MUTED, title=each.measure if bold else "")
        )
    size = min(TICK, ladder.size)
    most = max(text_width(place, size) for place, _ in cells.values())
    for (place, said), (_, y) in zip(cells.values(), ladder.rows(), strict=True):
        items.append(Text(x + 4 + most, y + 0.35 * size, place, size=size, anchor="end"))
        items.append(Text(x + 9 + most, y + 0.35 * size, said, size=size, colour=MUTED))
    return items
