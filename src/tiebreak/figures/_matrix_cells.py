"""Cells of a matrix in any room: how large they are, what they hold, and how rows and columns are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.figures.drawing.ladder import (
    GAP,
    MANY,
    MANY_LEAST,
    VERY_MANY,
    Ladder,
    make_ladder,
    others,
    row_height,
    slots,
    whole_size,
)
from tiebreak.figures.drawing.metrics import drawn_size, shown, text_width
from tiebreak.figures.drawing.names import LEADING, name_lines, stacked
from tiebreak.figures.drawing.palette import MUTED
from tiebreak.figures.drawing.scene import LONGEST, Item, Text, named

NAMED = 8.6
"""Columns at least so wide can carry upright names; narrower ones carry numbers, not all of them."""
TALLEST = 0.3
"""Upright names may be so high, as a share of the width, and as high as the matrix; else columns carry numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A matrix: `wide` is the width of a column, rows are those of the ladder; `numbers` in place of column names."""

    ladder: Ladder
    wide: float
    numbers: bool

    def right(self, columns: int) -> float:
        """Return where the last column ends."""
        return self.wide * columns


def grid_of(
    names: Sequence[str],
    columns: int,
    room: float | None,
    *,
    wide: float,
    high: float,
    least: float,
    beside: float = 0.0,
    named: bool = False,
    kept: Sequence[int] = (),
) -> Grid:
    """Divide the room between row names and columns: `wide` where there is no room given, else at least `least`.

    `named` says that columns carry the names of the rows, which are numbers where upright names would be too tall.
    Where only the rows `kept` are drawn they have their numbers too, and rows with dots stand for the others.
    """
    drawn = len(slots(len(names), kept))
    if room is None:
        numbers = named and len(names) == columns and _too_tall(names, wide, max(high * columns, wide * columns))
        labels = _numbered(names) if kept or numbers else names
        return Grid(ladder=make_ladder(labels, kept, row=high, size=min(9.0, high - 2.0)), wide=wide, numbers=numbers)
    row = min(row_height(drawn, 14.0, room), high) if high < 20 else high
    pitch = (room - beside) * 0.66 / columns
    most = min(high * columns, TALLEST * room)
    numbers = len(names) == columns and (pitch < NAMED or (named and _too_tall(names, pitch, most)))
    labels = _numbered(names) if numbers or kept else [shown(each) for each in names]
    ladder = make_ladder(labels, kept, row=row, size=min(9.0, max(row - 1.6, 6.6)))
    free = room - GAP - beside
    share = 0.55 if not numbers else 0.45 if drawn <= VERY_MANY else 0.4
    wanted = min(max(least * columns, share * free), wide * columns)
    if free - ladder.wide < wanted or ladder.cuts:
        limit = max(free - wanted, 0.18 * room)
        many = drawn > MANY
        size = whole_size(labels, ladder.size, limit) if many else ladder.size
        ladder = make_ladder(labels, kept, row=row, size=size, limit=limit, most=2 if many else 3)
    cell = min(max((free - ladder.wide) / columns, least), max(wide, 16.0))
    return Grid(ladder=ladder, wide=cell, numbers=numbers)


def _numbered(names: Sequence[str]) -> list[str]:
    return [f"{i + 1}  {shown(name)}" for i, name in enumerate(names)]


def _too_tall(names: Sequence[str], pitch: float, most: float) -> bool:
    """Say whether names stand upright and take so much of the height that the matrix is a corner of the figure."""
    longest = max(text_width(shown(name), 9.0) for name in names)
    return longest > pitch - 4 and longest > most


def column_heads(grid: Grid, columns: Sequence[str], room: float | None, tallest: float = LONGEST) -> list[Item]:
    """Name the columns: level where that fits, else upright, else by the numbers of their rows."""
    size = min(9.0, grid.ladder.size)
    if grid.numbers:
        return numbers_above(grid, len(columns), size)
    level = len(columns) == 1 or all(text_width(shown(name), size) <= grid.wide - 4 for name in columns)
    if level and (room is None or len(columns) > 1 or text_width(shown(columns[0]), size) <= room / 2):
        middles = [(j + 0.5) * grid.wide for j in range(len(columns))]
        return [named(x, -6, name, size=size, anchor="middle") for x, name in zip(middles, columns, strict=True)]
    if len(columns) == 1:
        return _one_head(columns[0], grid, size)
    limit = tallest if room is None else min(tallest, max(TALLEST * room, 110.0))
    aside = 0.35 * drawn_size(size)
    return [
        named((j + 0.5) * grid.wide + aside, -6, name, size=size, limit=limit, upwards=True)
        for j, name in enumerate(columns)
    ]


def folded_below(grid: Grid, folded: int) -> list[Item]:
    """Count those who have no row, under the names of those who have one."""
    size = min(grid.ladder.size, 9.0)
    return [Text(-6, grid.ladder.bottom + 9, others(folded), size=size, anchor="end", colour=MUTED)] if folded else []


def _one_head(name: str, grid: Grid, size: float) -> list[Item]:
    """Break the name of the only column over it: upright it would be higher than the matrix."""
    lines, _ = name_lines(name, size, max(grid.wide - 4, 60.0), 1000)
    top = -6 - LEADING * drawn_size(size) * len(lines)
    return [*stacked(lines, grid.wide / 2, top, size=size, anchor="middle", title=shown(name))]


def numbers_above(grid: Grid, count: int, size: float) -> list[Item]:
    """Number the columns, as many of them as there is room for; all of them, where smaller letters do that."""
    small = min(size, max(MANY_LEAST, size * (grid.wide - 2) / text_width(str(count), size)))
    size = small if text_width(str(count), small) + 2 <= grid.wide + 1e-6 else size
    stride = next(
        step
        for step in (1, 2, 5, 10, 20, 50, 100, count + 1)
        if step * grid.wide >= text_width(str(count), size) + 2 - 1e-6
    )
    return [
        Text((j + 0.5) * grid.wide, -5, str(j + 1), size=size, anchor="middle")
        for j in range(count)
        if (j + 1) % stride == 0 or (j == 0 and stride > 2 and stride * grid.wide > 1.5 * text_width("10", size))
    ]
