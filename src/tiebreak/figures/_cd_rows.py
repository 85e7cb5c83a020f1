"""The critical-difference diagram as rows: for many algorithms and for narrow columns."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, digits_of
from tiebreak.figures.drawing.bars import bar_rows, runs
from tiebreak.figures.drawing.ladder import GAP, Ladder, divided, row_height, slots
from tiebreak.figures.drawing.metrics import evenly, shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, SKY
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Text, bounds, rectangle

if TYPE_CHECKING:
    from tiebreak.figures._critical_difference import CriticalDifference

ROW, LANE, MOST_LANES, MOST_BARRED = 13.0, 6.0, 10, 40
"""Of more lanes of bars, or bars of more algorithms, nobody can say where one begins: a band takes their place."""
USUAL, USUAL_BAND, BETWEEN = 200.0, 230.0, 12.0
MOST_NARROW = 6
"""The same in a column, where the lanes would leave too little to the names."""
WIDE, LONGEST_LETTERS = 380.0, 60.0
"""Room from which on letters stand beside a band, and how wide they are at the most."""


def lanes_of(figure: CriticalDifference) -> int:
    """Return how many lanes the bars of the groups need side by side."""
    return max(bar_rows(figure.groups), default=-1) + 1


def in_bands(figure: CriticalDifference) -> bool:
    """Say whether the groups are too many for bars, so that rows have bands."""
    most = MOST_NARROW if figure.sheet.width is not None and figure.sheet.width < WIDE else MOST_LANES
    return bool(figure.kept) or len(figure.algorithms) > MOST_BARRED or lanes_of(figure) > most


def row_items(figure: CriticalDifference, room: float | None) -> list[Item]:
    """Lay out names, positions, and beside them the groups: as bars, or as a band where there are many."""
    values = list(map(digits_of(figure.positions), figure.positions))
    said = max(text_width(value, TICK) for value in values)
    lanes = lanes_of(figure)
    band = in_bands(figure)
    letters = figure.letters if band and any(figure.letters) and (room is None or room >= WIDE) else ()
    most = max((text_width(each, TICK) for each in letters), default=-GAP) + GAP
    if most > LONGEST_LETTERS:  # groups that are no runs of neighbours: the band tells them better
        letters, most = (), 0.0
    beside = said + GAP + most + (0.0 if band else LANE * lanes + BETWEEN * (lanes > 0))
    usual = USUAL + (USUAL_BAND + BETWEEN if band else 0.0)
    crowd = len(figure.algorithms) > 25 or lanes > MOST_NARROW
    plain = band and room is not None and room < WIDE and crowd
    ladder, width = divided(
        figure.algorithms,
        figure.kept,
        room=room,
        row=row_height(len(slots(len(figure.algorithms), figure.kept)), ROW, room if room is not None else 1.0),
        usual=usual,
        beside=beside,
        least=(80.0 if plain else 120.0) if band else 60.0,
        share=(0.34 if plain else 0.5) if band else 0.4,
        most=2 if len(figure.algorithms) > 25 else 3,
    )
    start = said + GAP
    dots = (width - BETWEEN) * 0.4 if band else width
    scale = figure.scale(figure.positions, figure.critical_difference or 0.0, dots)
    across = Scale(low=scale.low, high=scale.high, start=start, end=start + dots)
    items = ladder.texts(-GAP) + _values(values, ladder, said)
    items += [] if plain else _positions(figure, across, ladder, values)
    right = start if plain else start + dots + BETWEEN
    if band:
        end = start + width
        items += _band(figure, ladder, right, end, alone=plain) + _letters(letters, ladder, end + GAP)
    else:
        items += _bars(figure, ladder, right)
    left = -GAP - ladder.wide
    items += _head(figure, said, left) if plain else _difference(figure, across, left)
    return items + ladder.key(left, bounds(items)[3] + 5, bounds(items)[2] - left)


def _values(values: list[str], ladder: Ladder, x: float) -> list[Item]:
    size = min(TICK, ladder.size)
    return [Text(x, y + 0.35 * size, values[i], size=size, anchor="end", colour=MUTED) for i, y in ladder.rows()]


def _head(figure: CriticalDifference, x: float, left: float) -> list[Item]:
    """Name the column of numbers where no axis does, with the critical difference."""
    words = shown(figure.position_name)
    if figure.critical_difference is not None:
        words += f", critical difference {figure._difference()}"
    lines = evenly(words, TICK, x - left)
    items: list[Item] = []
    for line, part in enumerate(reversed(lines)):
        items.append(Text(x, -5.0 - 10 * line, part, size=TICK, anchor="end", colour=MUTED))
    return items


def _positions(figure: CriticalDifference, across: Scale, ladder: Ladder, values: list[str]) -> list[Item]:
    """Draw a dot at every position, on the axis below."""
    limit, left = across.end - across.start, -GAP - ladder.wide
    said = shown(figure.position_name)
    items: list[Item] = bottom_axis(across, ladder.bottom + 2, said, top=-2, limit=limit, left=left)
    for i, y in ladder.rows():
        x = across(figure.positions[i])
        name = shown(figure.algorithms[i])
        items += [
            Line(((across.start, y), (x, y)), colour=PALE, width=0.6),
            Circle(x, y, min(2.6, ladder.size * 0.3), fill=INK, title=f"{name}: {values[i]}"),
        ]
    return items + _folds(figure, across, ladder)


def _folds(figure: CriticalDifference, across: Scale, ladder: Ladder) -> list[Item]:
    """A folded row shows from where to where its algorithms lie."""
    items: list[Item] = []
    for rung in ladder.rungs:
        if rung.index is None:
            ends = [across(figure.positions[i]) for i in (rung.first, rung.first + rung.count - 1)]
            track = ((ends[0], rung.middle), (max(ends[1], ends[0] + 1.0), rung.middle))
            items.append(Line(track, colour=MUTED, width=2.0, dash=(1.5, 1.5), title=rung.title))
    return items


def _difference(figure: CriticalDifference, across: Scale, left: float) -> list[Item]:
    """Draw the critical difference to scale above the positions, its words where they fit."""
    if figure.critical_difference is None:
        return []
    y, end = -8.0, across.start + abs(across(across.low + figure.critical_difference) - across.start)
    items: list[Item] = [Line(((across.start, y), (end, y)), width=1.4, colour=BLUE)]
    items += [Line(((x, y - 3), (x, y + 3)), width=1.4, colour=BLUE) for x in (across.start, end)]
    words = f"critical difference {figure._difference()}"
    lines = evenly(words, TICK, max(across.start - 6 - left, 60.0))
    for line, part in enumerate(reversed(lines)):
        items.append(Text(across.start - 6, y + 0.35 * TICK - 9.5 * line, part, size=TICK, anchor="end"))
    return items


def _bars(figure: CriticalDifference, ladder: Ladder, left: float) -> list[Item]:
    """Draw the bar of each group down its rows: whole over neighbours, thin and broken beside others."""
    items: list[Item] = []
    middles = dict(ladder.rows())
    half = min(ladder.size * 0.42, 3.8)
    for group, lane in zip(figure.groups, bar_rows(figure.groups), strict=True):
        x = left + LANE * (lane + 0.5)
        said = shown(", ".join(figure.algorithms[i] for i in group))
        parts = runs(group)
        for a, b in parts:
            items.append(Line(((x, middles[a] - half), (x, middles[b] + half)), width=2.8, title=said))
        for (_, before), (after, _) in pairwise(parts):
            items.append(
                Line(((x, middles[before] + half), (x, middles[after] - half)), width=0.7, dash=(1.5, 1.5), title=said)
            )
    return items


def _band(figure: CriticalDifference, ladder: Ladder, left: float, right: float, *, alone: bool) -> list[Item]:
    """Draw for every algorithm the places that do not differ significantly: every pair is there, from both sides."""
    count = len(figure.algorithms)
    scale = Scale(low=0.5, high=count + 0.5, start=left, end=right)
    said, first = "no significant difference from these places", -GAP - ladder.wide if alone else None
    items: list[Item] = bottom_axis(scale, ladder.bottom + 2, said, top=-2, count=5, limit=right - left, left=first)
    cell = (right - left) / count
    half = min(ladder.size * 0.42, 3.8)
    for i, y in ladder.rows():
        name = shown(figure.algorithms[i])
        for a, b in runs(sorted({*figure.others(i), i})):
            said = f"{name}: no significant difference from places {a + 1} to {b + 1}"
            corners = rectangle(scale(a + 0.5), y - half, cell * (b - a + 1), 2 * half)
            items.append(Area(corners, fill=SKY, title=said))
        items.append(
            Area(rectangle(scale(i + 1) - max(cell, 1.4) / 2, y - half, max(cell, 1.4), 2 * half), fill=INK, title=name)
        )
    return items


def _letters(letters: tuple[str, ...], ladder: Ladder, x: float) -> list[Item]:
    if not letters:
        return []
    items: list[Item] = [Text(x, ladder.bottom + 14, "groups", size=TICK, colour=MUTED)]
    size = min(TICK, ladder.size)
    return items + [Text(x, y + 0.35 * size, letters[i], size=size, colour=MUTED) for i, y in ladder.rows()]
