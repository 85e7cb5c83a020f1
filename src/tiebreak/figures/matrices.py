"""Matrices of pairs: which algorithm is better than which, and how likely one wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, asdict, dataclass, replace
from typing import Self

from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.figures.drawing.axis import TICK, Digits, digits_of, pvalue_text
from tiebreak.figures.drawing.ladder import (
    GAP,
    LEADING,
    MANY,
    MANY_LEAST,
    VERY_MANY,
    Ladder,
    make_ladder,
    name_lines,
    others,
    row_height,
    stacked,
    whole_size,
)
from tiebreak.figures.drawing.palette import MUTED, PALE, text_on, two_sided
from tiebreak.figures.drawing.scene import LONGEST, Area, Item, Line, Text, bounds, named, rectangle
from tiebreak.figures.drawing.text import drawn_size, shown, text_width, wrapped
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, kept_of, positions_of, tested

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


def grid_of(names: Sequence[str], columns: int, room: float | None, *, wide: float, high: float, least: float) -> Grid:
    """Divide the room between row names and columns: `wide` where there is no room given, else at least `least`.

    Columns carry the names of the rows, which are numbers where upright names would be too tall.
    """
    square = len(names) == columns
    if room is None:
        numbers = square and _too_tall(names, wide, max(high * columns, wide * columns))
        labels = _numbered(names) if numbers else names
        return Grid(ladder=make_ladder(labels, row=high, size=min(9.0, high - 2.0)), wide=wide, numbers=numbers)
    row = min(row_height(len(names), 14.0, room), high) if high < 20 else high
    pitch = room * 0.66 / columns
    numbers = square and (pitch < NAMED or _too_tall(names, pitch, min(high * columns, TALLEST * room)))
    labels = _numbered(names) if numbers else names
    ladder = make_ladder(labels, row=row, size=min(9.0, max(row - 1.6, 6.6)))
    free = room - GAP
    share = 0.55 if not numbers else 0.45 if len(names) <= VERY_MANY else 0.4
    wanted = min(max(least * columns, share * free), wide * columns)
    if free - ladder.wide < wanted or ladder.cuts:
        limit = max(free - wanted, 0.18 * room)
        many = len(names) > MANY
        size = whole_size(labels, ladder.size, limit) if many else ladder.size
        ladder = make_ladder(labels, row=row, size=size, limit=limit, most=2 if many else 3)
    cell = min(max((free - ladder.wide) / columns, least), max(wide, 16.0))
    return Grid(ladder=ladder, wide=cell, numbers=numbers)


def _numbered(names: Sequence[str]) -> list[str]:
    return [f"{i + 1}  {shown(name)}" for i, name in enumerate(names)]


def _too_tall(names: Sequence[str], pitch: float, most: float) -> bool:
    """Say whether names stand upright and take so much of the height that the matrix is a corner of the figure."""
    longest = max(text_width(shown(name), 9.0) for name in names)
    return longest > pitch - 4 and longest > most


def column_heads(grid: Grid, columns: Sequence[str], room: float | None) -> list[Item]:
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
    limit = LONGEST if room is None else min(LONGEST, max(TALLEST * room, 110.0))
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


MOST_WITH_TEXT = 12
CELL_TEXT = 7.0
EDGE = "#ffffff"
STROKED = 4.5
"""In cells narrower than that a stroke stands for a triangle."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tested pair: the row's algorithm against the column's; `advantage` is positive where the row lies better.

    `wins`, `ties` and `losses` count data sets; `better` is 1 where the row is significantly better, -1 where the
    column is, else 0.
    """

    row: int
    column: int
    advantage: float
    _: KW_ONLY
    wins: int
    ties: int
    losses: int
    adjusted: float
    better: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseMatrix(Tested):
    """A pairwise matrix as data; `row_names` and `column_names` stand from best to worst."""

    KIND = "Pairwise matrix"
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    cells: tuple[Cell, ...]
    position_name: str
    digits: Digits
    folded: int = 0

    def rows(self) -> Rows:
        """Return one row per cell."""
        return [
            asdict(cell) | {"row": self.row_names[cell.row], "column": self.column_names[cell.column]}
            for cell in self.cells
        ]

    @property
    def one_column(self) -> bool:
        """Whether there is a control: then what a cell holds has room on one line."""
        return len(self.column_names) == 1

    def lines_in(self, room: float | None) -> int:
        """Return how many numbers a cell holds, each on a line of its own: three, the difference alone, or none."""
        drawn = len(self.kept) or len(self.column_names)
        if drawn > MOST_WITH_TEXT:
            return 0
        if room is None:
            return 3
        names = max(text_width(shown(name), 9.0) for name in self.row_names)
        free = room - GAP - min(names, max(0.25 * room, 60.0))
        for lines in (3, 1):
            if self._cell_width(lines) * len(self.column_names) <= free:
                return lines
        return 0

    def _cell_width(self, lines: int) -> float:
        texts = [words for cell in self.cells for words in self.lines_of(cell, lines)]
        return max((text_width(words, CELL_TEXT, bold=True) for words in texts), default=0.0) + (8 if lines > 1 else 4)

    def lines_of(self, cell: Cell, count: int) -> tuple[str, ...]:
        """Return what a cell says in so many numbers, line by line."""
        words = _words(self, cell)[:count]
        return (" \N{MIDDLE DOT} ".join(words),) if self.one_column and words else words

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.row_names)

    def chosen(self) -> bool:
        """Say whether somebody chose which algorithms are drawn."""
        return bool(self.folded)

    def first(self, count: int) -> Self:
        """Return the matrix of the first so many rows, and of as many columns unless there is a control."""
        if not count < len(self.row_names):
            return self
        cells = [cell for cell in self.cells if cell.row < count and (self.one_column or cell.column < count)]
        columns = self.column_names if self.one_column else self.column_names[:count]
        folded = self.folded + len(self.row_names) - count
        names = self.row_names[:count]
        return replace(self, row_names=names, column_names=columns, cells=tuple(cells), folded=folded)

    def reading(self) -> str:
        """Say what a cell holds."""
        lines = self.lines_in(self._room())
        held = {
            3: " A cell holds the difference of {} (positive where the row lies better), wins/ties/losses of the row,"
            " and the adjusted p-value; bold where significant.",
            1: " A cell holds the difference of {} (positive where the row lies better), bold where significant.",
            0: " A mark is a significant difference: up, or in the upper half of a small cell, where the row is better;"
            " down, or in the lower half, where it is worse.",
        }[lines].format(self.position_name)
        folded = f" {self.folded} algorithms are folded." if self.folded else ""
        return f"Row against column.{held} {self._test()}.{folded}"

    def _room(self) -> float | None:
        """Return about the room of the sheet, for the words under the figure."""
        return None if self.sheet.width is None else self.sheet.width * 9.0 / self.sheet.sizes()[0] - 2

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, names and the legend of colours."""
        columns, lines = len(self.column_names), self.lines_in(room)
        if lines:
            wide = max(self._cell_width(lines), 38.0 if lines == 3 else 0.0)
            high = (1 if self.one_column else lines) * (CELL_TEXT + 2.2) + 6
            least = self._cell_width(lines)
            grid = grid_of(self.row_names, columns, room, wide=wide, high=high, least=least)
        else:
            side = max(9.5, min(18.0, 520.0 / columns))
            grid = grid_of(self.row_names, columns, room, wide=side, high=side, least=1.0)
        largest = max((abs(cell.advantage) for cell in self.cells), default=0.0) or 1.0
        items: list[Item] = []
        rungs = grid.ladder.rungs
        if columns == len(self.row_names):
            for i, rung in enumerate(rungs):
                corners = rectangle(i * grid.wide, rung.middle - rung.high / 2, grid.wide, rung.high)
                items.append(Area(corners, fill=PALE, opacity=0.5))
        for cell in self.cells:
            rung = rungs[cell.row]
            frame = (cell.column * grid.wide, rung.middle, grid.wide, rung.high)
            items += _drawn(self, cell, frame, largest, lines)
        items += grid.ladder.texts(-6) + column_heads(grid, self.column_names, room) + folded_below(grid, self.folded)
        left = -6 - grid.ladder.wide if room is not None else 0.0
        items += _legend(self, grid, largest, left, room, lines)
        return items + grid.ladder.key(left, bounds(items)[3] + 4, bounds(items)[2] - left)


@as_came_in
def pairwise_matrix(comparison: Comparison, *, top: int | None = None, show: Sequence[str] = ()) -> PairwiseMatrix:
    """Make the matrix of all tested pairs; with a control, one column.

    Parameters
    ----------
    comparison : Comparison
    top, show : int and sequence of str, optional
        Draw the first `top` algorithms and those named, and count the rest.

    Returns
    -------
    PairwiseMatrix

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = pairwise_matrix(tb.compare(tb.published.ulas2012(), score="accuracy"))
    >>> figure.row_names[0], figure.column_names[1], figure.cells[0].wins
    ('svr', 'svl', 21)
    """
    remaining = set(kept_of(comparison.algorithms, top, show) or range(len(comparison.algorithms)))
    positions, name, low_is_best = positions_of(comparison)
    sign = 1.0 if low_is_best else -1.0
    cells: list[Cell] = []
    control = None if comparison.control is None else comparison.algorithms.index(comparison.control)
    wins, tests = comparison.wins(), comparison.tests
    counted = {(int(a), int(b)): k for k, (a, b) in enumerate(zip(wins.a, wins.b, strict=True))}
    rows = [i for i in sorted(remaining) if i != control]
    row_at = {i: place for place, i in enumerate(rows)}
    for k, (a, b) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True)):
        if not {a, b} - {control} <= remaining:
            continue
        counts = [int(column[counted[a, b]]) for column in (wins.a_wins, wins.ties, wins.b_wins)]
        advantage, p = sign * (positions[b] - positions[a]), float(tests.adjusted[k])
        better = (-1 if tests.statistic[k] > 0 else 1) if comparison.significant[k] else 0
        # every pair is seen from both sides, a pair with the control from the other one's
        sides = ((a, b, 1), (b, a, -1)) if control is None else ((b, a, -1),)
        for one, other, side in sides:
            won, tied, lost = counts[::side]
            gain = side * advantage + 0.0  # a negative zero would be written with its sign
            row, column = row_at[one], 0 if control is not None else row_at[other]
            cells.append(Cell(row, column, gain, wins=won, ties=tied, losses=lost, adjusted=p, better=side * better))
    names = tuple(comparison.algorithms[i] for i in rows)
    return PairwiseMatrix(
        row_names=names,
        column_names=names if comparison.control is None else (comparison.control,),
        cells=tuple(cells),
        position_name=name,
        digits=digits_of((0.0, max(positions) - min(positions))),
        folded=len(comparison.algorithms) - len(remaining | ({control} if control is not None else set())),
        **tested(comparison),
    )


def _words(figure: PairwiseMatrix, cell: Cell) -> tuple[str, str, str]:
    return figure.digits(cell.advantage), f"{cell.wins}/{cell.ties}/{cell.losses}", pvalue_text(cell.adjusted)


def _drawn(
    figure: PairwiseMatrix, cell: Cell, frame: tuple[float, float, float, float], largest: float, lines: int
) -> list[Item]:
    """Where cells are too small for words, a triangle marks what is significant, and the words go into the title."""
    x, middle, wide, high = frame
    fill = two_sided(cell.advantage / largest)
    words = _words(figure, cell)
    names = f"{figure.row_names[cell.row]} against {figure.column_names[cell.column]}"
    sentence = shown(f"{names}: {words[0]}, {words[1]}, adjusted p {words[2]}")
    edge = 0.6 if wide > 6 else 0.0
    corners = rectangle(x, middle - high / 2, wide, high)
    items: list[Item] = [Area(corners, fill=fill, colour=EDGE, edge=edge, title=sentence)]
    ink, bold = text_on(fill), cell.better != 0
    if not lines:
        return items + ([_verdict(x + wide / 2, middle, wide, high, cell.better, ink, sentence)] if bold else [])
    step, said_here = drawn_size(CELL_TEXT) + 2.2, figure.lines_of(cell, lines)
    first = middle - step * (len(said_here) - 1) / 2 + 0.35 * drawn_size(CELL_TEXT)
    for line, text in enumerate(said_here):
        base = first + line * step
        items.append(Text(x + wide / 2, base, text, size=CELL_TEXT, anchor="middle", bold=bold, colour=ink))
    return items


def _verdict(x: float, y: float, wide: float, high: float, better: int, ink: str, text: str) -> Item:
    """Up or down tells better from worse where colours are not printed; in narrow cells a stroke in either half."""
    reach = min(2.6, wide * 0.26, high * 0.26)
    if wide < STROKED:
        top, bottom = (y - high * 0.42, y - high * 0.06) if better > 0 else (y + high * 0.06, y + high * 0.42)
        return Line(((x, top), (x, bottom)), colour=ink, width=max(min(wide * 0.3, 1.0), 0.4), title=text)
    tip, base = y - better * reach, y + better * 0.8 * reach
    return Area(((x - reach, base), (x + reach, base), (x, tip)), fill=ink, title=text)


def _legend(
    figure: PairwiseMatrix, grid: Grid, largest: float, left: float, room: float | None, lines: int
) -> list[Item]:
    """Draw the scale of colours, from the row worse to the row better."""
    steps, step = 21, 7.0 if room is None else min(7.0, room * 0.5 / 21)
    y = grid.ladder.bottom + (20 if figure.folded else 14)
    items: list[Item] = [
        Area(rectangle(left + i * step, y, step + 0.2, 7), fill=two_sided(2 * i / (steps - 1) - 1))
        for i in range(steps)
    ]
    low, high, end = figure.digits(-largest), figure.digits(largest), left + steps * step
    for x, words, anchor in ((left, low, "start"), ((left + end) / 2, "0", "middle"), (end, high, "end")):
        items.append(Text(x, y + 16, words, size=TICK, anchor=anchor))
    text = f"difference of {shown(figure.position_name)}: orange where the row is worse, blue where better"
    for i, words in enumerate(wrapped(text, TICK, 10_000.0 if room is None else room)):
        items.append(Text(left, y + 28 + 10 * i, words, size=TICK, colour=MUTED))
    if not lines:
        at = end + 12
        for sign, words in ((1, "row better"), (-1, "row worse")):
            middle, side = y + 3.5 - 5.5 * sign, 10.0 if grid.wide >= STROKED else grid.wide
            if side < STROKED:  # the cell itself shows in which half the stroke stands
                items.append(Area(rectangle(at - 2.2, middle - 4.5, 4.4, 9.0), fill=PALE))
            items.append(_verdict(at, middle, side, 10.0, sign, MUTED, ""))
            items.append(Text(at + 7, middle + 2.8, words, size=TICK, colour=MUTED))
    return items
