"""The matrix of win probabilities: how often the row is preferred to the column, by the fitted strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from tiebreak.documents import as_came_in
from tiebreak.evals.battles import Battles
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures._folding import kept_of
from tiebreak.figures._matrix_cells import column_heads, folded_below, grid_of
from tiebreak.figures.drawing.axis import TICK
from tiebreak.figures.drawing.metrics import shown, text_width, wrapped
from tiebreak.figures.drawing.palette import MUTED, PALE, text_on, two_sided
from tiebreak.figures.drawing.scene import Area, Item, Text, bounds, rectangle

MOST_WITH_TEXT, CELL_TEXT, EDGE = 20, 7.0, "#ffffff"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinProbabilities(Figure):
    """Win probabilities as data: `chances[i][j]` is how often i is preferred to j, a tie as half, the strongest first.

    `told[i][j]` says that the two differ significantly; `met[i][j]` is how often they met.
    """

    KIND = "Win probabilities"
    algorithms: tuple[str, ...]
    chances: tuple[tuple[float, ...], ...]
    told: tuple[tuple[bool, ...], ...]
    met: tuple[tuple[int, ...], ...]
    alpha: float
    folded: int = 0

    def rows(self) -> Rows:
        """Return one row per cell."""
        count = len(self.algorithms)
        return [
            {
                "row": self.algorithms[i],
                "column": self.algorithms[j],
                "preferred": self.chances[i][j],
                "differ": self.told[i][j],
                "met": self.met[i][j],
            }
            for i in range(count)
            for j in range(count)
            if i != j
        ]

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def chosen(self) -> bool:
        """Say whether somebody chose which algorithms are drawn."""
        return bool(self.folded)

    def first(self, count: int) -> Self:
        """Return the matrix of the first so many."""
        return self._of(range(count)) if count < len(self.algorithms) else self

    def _of(self, kept: Sequence[int]) -> Self:
        """Return the matrix of some rows and their columns."""
        return replace(
            self,
            algorithms=tuple(self.algorithms[i] for i in kept),
            chances=tuple(tuple(self.chances[i][j] for j in kept) for i in kept),
            told=tuple(tuple(self.told[i][j] for j in kept) for i in kept),
            met=tuple(tuple(self.met[i][j] for j in kept) for i in kept),
            folded=self.folded + len(self.algorithms) - len(kept),
        )

    def reading(self) -> str:
        """Say what a cell holds."""
        folded = f" {self.folded} algorithms are folded." if self.folded else ""
        cell = "A cell holds per cent, bold where the two differ significantly" if self._lettered() else "Blue: more"
        cell += "" if self._lettered() else " than half; pale cells are pairs without a significant difference"
        return (
            f"How often the row is preferred to the column by the fitted strengths, a tie as half. {cell}"
            f" (alpha = {self.alpha:g}, corrected for all pairs).{folded}"
        )

    def _lettered(self) -> bool:
        return len(self.algorithms) <= MOST_WITH_TEXT

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, names and the legend of colours."""
        count = len(self.algorithms)
        usual = 24.0 if self._lettered() else max(9.5, min(18.0, 520.0 / count))
        high = 16.0 if self._lettered() else usual
        grid = grid_of(self.algorithms, count, room, wide=usual, high=high, least=1.0, named=True)
        text = self._lettered() and grid.wide >= text_width("100", CELL_TEXT, bold=True) + 1
        items: list[Item] = []
        for i, rung in enumerate(grid.ladder.rungs):
            for j in range(count):
                frame = (j * grid.wide, rung.middle - rung.high / 2, grid.wide, rung.high)
                items += self._cell(i, j, frame, text=text)
        items += grid.ladder.texts(-6) + column_heads(grid, self.algorithms, room) + folded_below(grid, self.folded)
        left = -6 - grid.ladder.wide if room is not None else 0.0
        items += _legend(grid.ladder.bottom, left, room)
        return items + grid.ladder.key(left, bounds(items)[3] + 4, bounds(items)[2] - left)

    def _cell(self, i: int, j: int, frame: tuple[float, float, float, float], *, text: bool) -> list[Item]:
        x, y, wide, high = frame
        corners = rectangle(x, y, wide, high)
        if i == j:
            return [Area(corners, fill=PALE, opacity=0.5)]
        chance, told = self.chances[i][j], self.told[i][j]
        fill = two_sided((2 * chance - 1) * (1.0 if told or self._lettered() else 0.35))
        met = f"met {self.met[i][j]} times" if self.met[i][j] else "never met"
        said = shown(f"{self.algorithms[i]} preferred to {self.algorithms[j]}: {chance:.0%}, {met}")
        items: list[Item] = [Area(corners, fill=fill, colour=EDGE, edge=0.6 if wide > 6 else 0.0, title=said)]
        if text:
            at = y + high / 2 + 0.35 * CELL_TEXT
            words = f"{100 * chance:.0f}"
            ink = text_on(fill)
            items.append(Text(x + wide / 2, at, words, size=CELL_TEXT, anchor="middle", bold=told, colour=ink))
        return items


def _legend(bottom: float, left: float, room: float | None) -> list[Item]:
    """Draw the scale of colours, from the row never preferred to always."""
    steps, step, y = 21, 7.0 if room is None else min(7.0, room * 0.5 / 21), bottom + 14
    items: list[Item] = [
        Area(rectangle(left + i * step, y, step + 0.2, 7), fill=two_sided(2 * i / (steps - 1) - 1))
        for i in range(steps)
    ]
    end = left + steps * step
    for x, words, anchor in ((left, "0%", "start"), ((left + end) / 2, "50%", "middle"), (end, "100%", "end")):
        items.append(Text(x, y + 16, words, size=TICK, anchor=anchor))
    said = "how often the row is preferred: orange less than half, blue more"
    for i, words in enumerate(wrapped(said, TICK, 10_000.0 if room is None else room)):
        items.append(Text(left, y + 28 + 10 * i, words, size=TICK, colour=MUTED))
    return items


@as_came_in
def win_probabilities(found: Battles, *, top: int | None = None, show: Sequence[str] = ()) -> WinProbabilities:
    """Make the matrix of win probabilities, the strongest first.

    Parameters
    ----------
    found : Battles
    top, show : int and sequence of str, optional
        Draw the first so many and those named, and count the others.

    Returns
    -------
    WinProbabilities

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = win_probabilities(tb.battles(tb.published.demsar2006(), score="auc"))
    >>> figure.algorithms[0], round(figure.chances[0][3], 2), figure.told[0][3]
    ('C4.5+m+cf', 0.8, False)
    """
    names = found.by_strength
    at = [found.index(name) for name in names]
    chances, told = found.win_probabilities, found.better | found.better.T
    whole = WinProbabilities(
        algorithms=names,
        chances=tuple(tuple(float(chances[i, j]) for j in at) for i in at),
        told=tuple(tuple(bool(told[i, j]) for j in at) for i in at),
        met=tuple(tuple(int(found.met[i, j]) for j in at) for i in at),
        alpha=found.plan.alpha,
        **titled(found),
    )
    kept = kept_of(names, top, show)
    return whole._of(kept) if kept else whole
