"""The pairwise matrix: difference, wins and adjusted p-value of every tested pair, as a heat map."""

from __future__ import annotations

from dataclasses import KW_ONLY, asdict, dataclass

from tiebreak.deciding.compare import Comparison
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Rows
from tiebreak.figures._positions import Tested, positions_of, tested
from tiebreak.figures.drawing.axis import TICK, Digits, digits_of, pvalue_text
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import MUTED, PALE, text_on, two_sided
from tiebreak.figures.drawing.scene import Area, Circle, Item, Text, named, rectangle

MOST_WITH_TEXT = 12
CELL_TEXT = 7.0
EDGE = "#ffffff"


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

    def rows(self) -> Rows:
        """Return one row per cell."""
        return [
            asdict(cell) | {"row": self.row_names[cell.row], "column": self.column_names[cell.column]}
            for cell in self.cells
        ]

    def with_text(self) -> bool:
        """Say whether cells are wide enough for numbers; in a larger matrix a dot marks what is significant."""
        return len(self.column_names) <= MOST_WITH_TEXT

    def reading(self) -> str:
        """Say what a cell holds."""
        inside = (
            f" A cell holds the difference of {self.position_name} (positive where the row lies better),"
            " wins/ties/losses of the row, and the adjusted p-value; bold where significant."
            if self.with_text()
            else " A dot marks a significant difference."
        )
        return f"Row against column.{inside} {self._test()}."

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, names and the legend of colours."""
        wide, high, size = _sizes(self)
        largest = max((abs(cell.advantage) for cell in self.cells), default=0.0) or 1.0
        items: list[Item] = []
        if len(self.column_names) == len(self.row_names):
            blanks = [rectangle(i * wide, i * high, wide, high) for i in range(len(self.row_names))]
            items = [Area(blank, fill=PALE, opacity=0.5) for blank in blanks]
        for cell in self.cells:
            items += _drawn(self, cell, wide, high, largest)
        return items + _names(self, wide, high, size) + _legend(self, high * len(self.row_names), largest)


@as_came_in
def pairwise_matrix(found: Comparison) -> PairwiseMatrix:
    """Make the matrix of all tested pairs; with a control, one column.

    Parameters
    ----------
    found : Comparison

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
    positions, name, low_is_best = positions_of(found)
    sign = 1.0 if low_is_best else -1.0
    cells: list[Cell] = []
    control = None if found.control is None else found.algorithms.index(found.control)
    wins, tests = found.wins(), found.tests
    counted = {(int(a), int(b)): k for k, (a, b) in enumerate(zip(wins.a, wins.b, strict=True))}
    for k, (a, b) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True)):
        counts = [int(column[counted[a, b]]) for column in (wins.a_wins, wins.ties, wins.b_wins)]
        advantage, p = sign * (positions[b] - positions[a]), float(tests.adjusted[k])
        better = (-1 if tests.statistic[k] > 0 else 1) if found.significant[k] else 0
        # every pair is seen from both sides, a pair with the control from the other one's
        sides = ((a, b, 1), (b, a, -1)) if control is None else ((b - (b > a), 0, -1),)
        for row, column, side in sides:
            won, tied, lost = counts[::side]
            gain = side * advantage + 0.0  # a negative zero would be written with its sign
            cells.append(Cell(row, column, gain, wins=won, ties=tied, losses=lost, adjusted=p, better=side * better))
    return PairwiseMatrix(
        row_names=tuple(each for i, each in enumerate(found.algorithms) if i != control),
        column_names=found.algorithms if found.control is None else (found.control,),
        cells=tuple(cells),
        position_name=name,
        digits=digits_of((0.0, max(positions) - min(positions))),
        **tested(found),
    )


def _words(figure: PairwiseMatrix, cell: Cell) -> tuple[str, str, str]:
    return figure.digits(cell.advantage), f"{cell.wins}/{cell.ties}/{cell.losses}", pvalue_text(cell.adjusted)


def _sizes(figure: PairwiseMatrix) -> tuple[float, float, float]:
    """Return width and height of a cell, and the size of the names."""
    if not figure.with_text():
        side = max(9.5, min(18.0, 520.0 / len(figure.column_names)))
        return side, side, min(9.0, side - 2.0)
    texts = [words for cell in figure.cells for words in _words(figure, cell)]
    wide = max(text_width(words, CELL_TEXT, bold=True) for words in texts) + 8
    return max(wide, 38.0), 3 * (CELL_TEXT + 2.2) + 6, 9.0


def _drawn(figure: PairwiseMatrix, cell: Cell, wide: float, high: float, largest: float) -> list[Item]:
    """Where cells are too small for words, a dot marks what is significant, and the words go into the title."""
    x, y = cell.column * wide, cell.row * high
    fill = two_sided(cell.advantage / largest)
    difference, counts, p = _words(figure, cell)
    names = f"{figure.row_names[cell.row]} against {figure.column_names[cell.column]}"
    said = shown(f"{names}: {difference}, {counts}, adjusted p {p}")
    items: list[Item] = [Area(rectangle(x, y, wide, high), fill=fill, colour=EDGE, edge=0.6, title=said)]
    ink, bold = text_on(fill), cell.better != 0
    if not figure.with_text():
        radius = min(2.2, wide * 0.17)
        return items + ([Circle(x + wide / 2, y + high / 2, radius, fill=ink, title=said)] if bold else [])
    for line, words in enumerate((difference, counts, p)):
        base = y + 4 + CELL_TEXT * 0.85 + line * (CELL_TEXT + 2.2)
        items.append(Text(x + wide / 2, base, words, size=CELL_TEXT, anchor="middle", bold=bold, colour=ink))
    return items


def _names(figure: PairwiseMatrix, wide: float, high: float, size: float) -> list[Item]:
    """Write names beside the rows and above the columns, upright where one is wider than its column."""
    items: list[Item] = [
        named(-6, (i + 0.5) * high + 0.35 * size, name, size=size, anchor="end")
        for i, name in enumerate(figure.row_names)
    ]
    columns = figure.column_names
    level = len(columns) == 1 or all(text_width(shown(name), size) <= wide - 4 for name in columns)
    turn, aside = ({"anchor": "middle"}, 0.0) if level else ({"upwards": True}, 0.35 * size)
    return items + [named((j + 0.5) * wide + aside, -6, name, size=size, **turn) for j, name in enumerate(columns)]


def _legend(figure: PairwiseMatrix, bottom: float, largest: float) -> list[Item]:
    """Draw the scale of colours, from the row worse to the row better."""
    steps, step, y = 21, 7.0, bottom + 14
    items: list[Item] = [
        Area(rectangle(i * step, y, step + 0.2, 7), fill=two_sided(2 * i / (steps - 1) - 1)) for i in range(steps)
    ]
    low, high, end = figure.digits(-largest), figure.digits(largest), steps * step
    for x, words, anchor in ((0.0, low, "start"), (end / 2, "0", "middle"), (end, high, "end")):
        items.append(Text(x, y + 16, words, size=TICK, anchor=anchor))
    said = f"difference of {shown(figure.position_name)}: orange where the row is worse, blue where better"
    items.append(Text(0, y + 28, said, size=TICK, colour=MUTED))
    if not figure.with_text():
        items.append(Circle(end + 16, y + 3.5, 2.2, fill=MUTED))
        items.append(Text(end + 23, y + 6.3, f"significant at {figure.alpha:g}", size=TICK, colour=MUTED))
    return items
