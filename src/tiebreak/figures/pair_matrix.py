"""The pairwise matrix: difference, wins and adjusted p-value of every tested pair, as a heat map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak import _show
from tiebreak._show import Row
from tiebreak.figures._axis import TICK, Digits, digits_of
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import MUTED, PALE, text_on, two_sided
from tiebreak.figures._scene import Area, Circle, Item, Text, rectangle
from tiebreak.figures.rank_diagram import LONGEST, positions_of

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison

MOST_WITH_TEXT = 12
CELL_TEXT = 7.0
EDGE = "#ffffff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A tested pair: the row's algorithm against the column's; `advantage` is positive where the row lies better.

    `wins`, `ties` and `losses` count data sets; `better` is 1 where the row is significantly better, -1 where the
    column is, else 0.
    """

    row: int
    column: int
    advantage: float
    wins: int
    ties: int
    losses: int
    adjusted: float
    better: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseMatrix(Figure):
    """A pairwise matrix as data; `row_names` and `column_names` stand from best to worst."""

    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    cells: tuple[Cell, ...]
    position_name: str
    digits: Digits
    method: str
    alpha: float
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Pairwise matrix: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per cell."""
        return [
            {
                "row": self.row_names[cell.row],
                "column": self.column_names[cell.column],
                "advantage": cell.advantage,
                "wins": cell.wins,
                "ties": cell.ties,
                "losses": cell.losses,
                "adjusted": cell.adjusted,
                "better": cell.better,
            }
            for cell in self.cells
        ]

    def notes(self) -> list[str]:
        """Say what a cell holds."""
        inside = ""
        if _with_text(self):
            inside = (
                f" A cell holds the difference of {self.position_name.split(' (')[0]} (positive where the row lies"
                " better), wins/ties/losses of the row, and the adjusted p-value; bold where significant."
            )
        dots = "" if _with_text(self) else " A dot marks a significant difference."
        return [f"{shown(self.heading)}. Row against column.{inside}{dots} {self.method}, alpha = {self.alpha:g}."]

    def items(self) -> list[Item]:
        """Lay out cells, names and the legend of colours."""
        return _layout(self)


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
    cells = []
    control = None if found.control is None else found.algorithms.index(found.control)
    wins, tests = found.wins(), found.tests
    counted = {(int(a), int(b)): k for k, (a, b) in enumerate(zip(wins.a, wins.b, strict=True))}
    for k, (a, b) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True)):
        w = counted[a, b]
        won, tied, lost = int(wins.a_wins[w]), int(wins.ties[w]), int(wins.b_wins[w])
        better = (-1 if tests.statistic[k] > 0 else 1) if found.significant[k] else 0
        advantage, p = sign * (positions[b] - positions[a]), float(tests.adjusted[k])
        if control is None:
            cells.append(_cell(a, b, advantage, (won, tied, lost), p, better))
        row = b - (b > a) if control is not None else b
        cells.append(_cell(row, a if control is None else 0, -advantage, (lost, tied, won), p, -better))
    return PairwiseMatrix(
        row_names=tuple(name for i, name in enumerate(found.algorithms) if i != control),
        column_names=found.algorithms if found.control is None else (found.control,),
        cells=tuple(cells),
        position_name=name,
        digits=digits_of((0.0, max(positions) - min(positions))),
        method=tests.method,
        alpha=found.alpha,
        heading=found.title(),
        caveats=found.caveats,
    )


def _cell(row: int, column: int, advantage: float, counts: tuple[int, int, int], p: float, better: int) -> Cell:
    wins, ties, losses = counts
    return Cell(
        row=row,
        column=column,
        advantage=advantage + 0.0,
        wins=wins,
        ties=ties,
        losses=losses,
        adjusted=p,
        better=better,
    )


def _with_text(figure: PairwiseMatrix) -> bool:
    return len(figure.column_names) <= MOST_WITH_TEXT


def _words(figure: PairwiseMatrix, cell: Cell) -> tuple[str, str, str]:
    return (
        figure.digits(cell.advantage),
        f"{cell.wins}/{cell.ties}/{cell.losses}",
        _show.pvalue(cell.adjusted).replace("-", "\N{MINUS SIGN}"),
    )


def _sizes(figure: PairwiseMatrix) -> tuple[float, float, float]:
    """Return width and height of a cell, and the size of the names."""
    if not _with_text(figure):
        side = max(9.5, min(18.0, 520.0 / len(figure.column_names)))
        return side, side, min(9.0, side - 2.0)
    texts = [words for cell in figure.cells for words in _words(figure, cell)]
    wide = max(text_width(words, CELL_TEXT, bold=True) for words in texts) + 8
    return max(wide, 38.0), 3 * (CELL_TEXT + 2.2) + 6, 9.0


def _layout(figure: PairwiseMatrix) -> list[Item]:
    wide, high, size = _sizes(figure)
    largest = max((abs(cell.advantage) for cell in figure.cells), default=0.0) or 1.0
    items: list[Item] = []
    if len(figure.column_names) == len(figure.row_names):
        items = [_blank(i * wide, i * high, wide, high) for i in range(len(figure.row_names))]
    for cell in figure.cells:
        items += _drawn(figure, cell, wide, high, largest)
    items += _names(figure, wide, high, size)
    return items + _legend(figure, high * len(figure.row_names), largest)


def _blank(x: float, y: float, wide: float, high: float) -> Item:
    return Area(rectangle(x, y, wide, high), fill=PALE, opacity=0.5)


def _drawn(figure: PairwiseMatrix, cell: Cell, wide: float, high: float, largest: float) -> list[Item]:
    x, y = cell.column * wide, cell.row * high
    fill = two_sided(cell.advantage / largest)
    difference, counts, p = _words(figure, cell)
    names = f"{figure.row_names[cell.row]} against {figure.column_names[cell.column]}"
    said = shown(f"{names}: {difference}, {counts}, adjusted p {p}")
    items: list[Item] = [Area(rectangle(x, y, wide, high), fill=fill, colour=EDGE, edge=0.6, title=said)]
    ink, bold = text_on(fill), cell.better != 0
    if not _with_text(figure):
        radius = min(2.2, wide * 0.17)
        return items + ([Circle(x + wide / 2, y + high / 2, radius, fill=ink, title=said)] if bold else [])
    for line, words in enumerate((difference, counts, p)):
        base = y + 4 + CELL_TEXT * 0.85 + line * (CELL_TEXT + 2.2)
        items.append(Text(x + wide / 2, base, words, size=CELL_TEXT, anchor="middle", bold=bold, colour=ink))
    return items


def _names(figure: PairwiseMatrix, wide: float, high: float, size: float) -> list[Item]:
    items: list[Item] = []
    for i, name in enumerate(figure.row_names):
        words = fitted(name, size, LONGEST)
        items.append(Text(-6, (i + 0.5) * high + 0.35 * size, words, size=size, anchor="end", title=shown(name)))
    level = len(figure.column_names) == 1 or all(
        text_width(shown(name), size) <= wide - 4 for name in figure.column_names
    )
    for j, name in enumerate(figure.column_names):
        words, x = fitted(name, size, LONGEST), (j + 0.5) * wide
        if level:
            items.append(Text(x, -6, words, size=size, anchor="middle", title=shown(name)))
        else:
            items.append(Text(x + 0.35 * size, -6, words, size=size, upwards=True, title=shown(name)))
    return items


def _legend(figure: PairwiseMatrix, bottom: float, largest: float) -> list[Item]:
    """Draw the scale of colours, from the row worse to the row better."""
    steps, step, y = 21, 7.0, bottom + 14
    items: list[Item] = [
        Area(rectangle(i * step, y, step + 0.2, 7), fill=two_sided(2 * i / (steps - 1) - 1)) for i in range(steps)
    ]
    ends = ((0.0, -largest, "start"), (steps * step / 2, 0.0, "middle"), (steps * step, largest, "end"))
    for x, value, anchor in ends:
        words = figure.digits(value) if value else "0"
        items.append(Text(x, y + 16, words, size=TICK, anchor=anchor))
    said = (
        f"difference of {shown(figure.position_name.split(' (')[0])}: orange where the row is worse, blue where better"
    )
    items.append(Text(0, y + 28, said, size=TICK, colour=MUTED))
    if not _with_text(figure):
        items.append(Circle(steps * step + 16, y + 3.5, 2.2, fill=MUTED))
        items.append(Text(steps * step + 23, y + 6.3, f"significant at {figure.alpha:g}", size=TICK, colour=MUTED))
    return items
