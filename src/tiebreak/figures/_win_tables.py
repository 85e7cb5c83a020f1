"""Wins as tables of shades: on how many data sets the row beats the column, bold where that is more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures._matrix_cells import column_heads, grid_of
from tiebreak.figures.drawing.axis import TICK
from tiebreak.figures.drawing.metrics import fitted, shown, text_width, wrapped
from tiebreak.figures.drawing.palette import MUTED, PALE, shade, text_on
from tiebreak.figures.drawing.scene import Area, Item, Text, bounds, rectangle

if TYPE_CHECKING:
    from tiebreak.studies.win_study import WinMatrices

SIDE, HIGH, GAP, NAME, LONGEST = 26.0, 15.0, 26.0, 8.5, 130.0
MOST_BESIDE = 12
"""Algorithms up to which both tables stand side by side; those of more would be too wide for a page."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinTables(Figure):
    """Wins as data: `wins[t][i][j]` is on how many data sets algorithm i beats j in table t; `bold` where told."""

    KIND = "Wins"
    algorithms: tuple[str, ...]
    tables: tuple[str, ...]
    wins: tuple[tuple[tuple[int, ...], ...], ...]
    bold: tuple[tuple[tuple[bool, ...], ...], ...]
    n_datasets: int

    def rows(self) -> Rows:
        """Return one row per table and ordered pair."""
        return [
            {"table": table, "row": row, "column": column, "wins": self.wins[t][i][j], "bold": self.bold[t][i][j]}
            for t, table in enumerate(self.tables)
            for i, row in enumerate(self.algorithms)
            for j, column in enumerate(self.algorithms)
            if i != j
        ]

    def reading(self) -> str:
        """Say what a cell holds."""
        return (
            "A cell says on how many data sets the row beats the column, in a stronger colour the more they are; bold"
            " where the sign test says that it does so more often than chance would."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the tables side by side, below each other where they are wide."""
        count = len(self.algorithms)
        size = min(NAME, TICK + 1)
        if room is not None:
            return self._narrow(room)
        heads = max(text_width(fitted(name, size, LONGEST), size) for name in self.algorithms)
        level = heads <= SIDE - 4
        above, beside = (size if level else heads) + 10, heads + GAP
        items: list[Item] = []
        for t in range(len(self.tables)):
            left, top = (
                (t * (count * SIDE + beside), 0.0) if count <= MOST_BESIDE else (0.0, t * (count * HIGH + above + 30))
            )
            items.append(Text(left, top - above - 2, self.tables[t], size=TICK, colour=MUTED))
            items += self._names(left, top, size, level=level) + self._cells(t, left, top)
        return items

    def _narrow(self, room: float) -> list[Item]:
        """Lay out the tables one under the other, their cells as wide as the room allows."""
        items: list[Item] = []
        count, top = len(self.algorithms), 0.0
        least = text_width(str(self.n_datasets), TICK, bold=True) + 2
        for t, words in enumerate(self.tables):
            grid = grid_of(self.algorithms, count, room, wide=SIDE, high=HIGH, least=least, named=True)
            table: list[Item] = [*grid.ladder.texts(-6), *column_heads(grid, self.algorithms, room)]
            for i, rung in enumerate(grid.ladder.rungs):
                frame = (rung.middle - rung.high / 2, grid.wide, rung.high)
                table += [item for j in range(count) for item in self._cell(t, i, j, 0.0, frame)]
            left, high, _, _ = bounds(table)
            for line, part in enumerate(reversed(wrapped(words, TICK, room))):
                table.append(Text(left, high - 5 - 10 * line, part, size=TICK, colour=MUTED))
            table += grid.ladder.key(left, bounds(table)[3] + 4, room)
            items += [item.moved(0.0, top - bounds(table)[1]) for item in table]
            top = bounds(items)[3] + 14
        return items

    def _names(self, left: float, top: float, size: float, *, level: bool) -> list[Item]:
        items: list[Item] = []
        for i, name in enumerate(self.algorithms):
            words, title = fitted(name, size, LONGEST), shown(name)
            base = top + (i + 0.5) * HIGH + 0.35 * size
            items.append(Text(left - 6, base, words, size=size, anchor="end", title=title))
            x = left + (i + 0.5) * SIDE
            if level:
                items.append(Text(x, top - 5, words, size=size, anchor="middle", title=title))
            else:
                items.append(Text(x + 0.35 * size, top - 5, words, size=size, upwards=True, title=title))
        return items

    def _cells(self, t: int, left: float, top: float) -> list[Item]:
        places = range(len(self.algorithms))
        return [
            item for i in places for j in places for item in self._cell(t, i, j, left, (top + i * HIGH, SIDE, HIGH))
        ]

    def _cell(self, t: int, i: int, j: int, left: float, frame: tuple[float, float, float]) -> list[Item]:
        y, wide, high = frame
        x, won = left + j * wide, self.wins[t][i][j]
        corners = rectangle(x, y, wide, high)
        if i == j:
            return [Area(corners, fill=PALE, opacity=0.5)]
        fill, told = shade(won / self.n_datasets), self.bold[t][i][j]
        words = f"{shown(self.algorithms[i])} beats {shown(self.algorithms[j])} on {won} of {self.n_datasets}"
        base = y + 0.5 * high + 0.35 * TICK
        mark = Text(x + wide / 2, base, str(won), size=TICK, anchor="middle", colour=text_on(fill), bold=told)
        return [Area(corners, fill=fill, title=words), mark]


@as_came_in
def win_tables(found: WinMatrices) -> WinTables:
    """Make the figure of who beats whom on how many data sets.

    Parameters
    ----------
    found : WinMatrices
        From `tiebreak.studies.win_matrices`.

    Returns
    -------
    WinTables

    References
    ----------
    ulas2012

    Examples
    --------
    >>> from tiebreak.studies import win_matrices
    >>> win_tables(win_matrices(algorithms=["5nn", "svr"])).wins
    (((0, 5), (33, 0)), ((0, 1), (16, 0)))
    """
    kinds = found.kinds()
    return WinTables(
        algorithms=found.algorithms,
        tables=tuple(f"{found.caption(kind)}, of {found.n_datasets} data sets" for kind in kinds),
        wins=tuple(tuple(map(tuple, found.counts(kind).tolist())) for kind in kinds),
        bold=tuple(tuple(map(tuple, found.bold(kind).tolist())) for kind in kinds),
        n_datasets=found.n_datasets,
        **(titled(found) | {"caveats": tuple(note for note in found.caveats if note.code != "how-to-read")}),
    )
