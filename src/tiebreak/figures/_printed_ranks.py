"""Mean ranks of a published experiment beside those of its repetition: what moved, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.metrics import shown
from tiebreak.figures.drawing.palette import BLUE, MUTED, PALE, PAPER
from tiebreak.figures.drawing.scene import Circle, Item, Line, Text, named

if TYPE_CHECKING:
    from tiebreak.studies import Ulas2012Study

WIDTH, GAP, HIGH, NAME, REACH = 150.0, 34.0, 16.0, 9.0, 3.6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrintedRanks(Figure):
    """Mean ranks as data: `before[k][i]` (printed) and `after[k][i]` are of panel k and algorithm i, 1 the best."""

    KIND = "Printed and here"
    algorithms: tuple[str, ...]
    panels: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]

    def rows(self) -> Rows:
        """Return one row per panel and algorithm."""
        return [
            {"panel": panel, "algorithm": name, "printed": self.before[k][i], "here": self.after[k][i]}
            for k, panel in enumerate(self.panels)
            for i, name in enumerate(self.algorithms)
        ]

    def reading(self) -> str:
        """Say what the marks are."""
        return "A row is an algorithm; open marks are means of the printed results, filled ones those of this run."

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the panels side by side, and the names once."""
        items: list[Item] = []
        bottom = HIGH * len(self.algorithms)
        for i, name in enumerate(self.algorithms):
            items.append(named(-10, (i + 0.5) * HIGH + 0.35 * NAME, name, size=NAME, anchor="end"))
        for k, panel in enumerate(self.panels):
            left = k * (WIDTH + GAP)
            scale = Scale(low=1.0, high=max(len(self.algorithms), 2), start=left, end=left + WIDTH)
            items += bottom_axis(scale, bottom, "mean rank", top=0.0, count=5)
            items.append(Text(left + WIDTH / 2, -8, panel, size=TICK, anchor="middle", colour=MUTED))
            for i, name in enumerate(self.algorithms):
                items += self._pair(scale, k, i, f"{shown(name)}, {panel}")
        entries = [([_mark(0, 0, filled=False)], "printed"), ([_mark(0, 0, filled=True)], "here")]
        return items + legend_line(entries, 0, bottom + 43, 3 * WIDTH)

    def _pair(self, scale: Scale, k: int, i: int, words: str) -> list[Item]:
        y, before, after = (i + 0.5) * HIGH, self.before[k][i], self.after[k][i]
        title = f"{words}: {before:.2f} printed, {after:.2f} here"
        return [
            Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.4),
            Line(((scale(before), y), (scale(after), y)), colour=BLUE, width=1.4),
            _mark(scale(before), y, filled=False, title=title),
            _mark(scale(after), y, filled=True, title=title),
        ]


@as_came_in
def printed_ranks(found: Ulas2012Study) -> PrintedRanks:
    """Make the figure of mean ranks in print and here.

    Parameters
    ----------
    found : Ulas2012Study
        From `tiebreak.studies.ulas2012_study`.

    Returns
    -------
    PrintedRanks
    """
    rows = found.rows()
    panels = {"accuracy": "rank", "MultiTest, train_time": "place by train_time", "MultiTest, space": "place by space"}
    sides = [
        tuple(tuple(float(str(row[f"{key} {whose}"])) for row in rows) for key in panels.values())
        for whose in ("printed", "here")
    ]
    kept = tuple(note for note in found.caveats if getattr(note, "code", "") != "run-elsewhere")  # the page tells why
    return PrintedRanks(
        algorithms=found.beside.algorithms,
        panels=tuple(panels),
        before=sides[0],
        after=sides[1],
        **(titled(found) | {"caveats": kept}),
    )


def _mark(x: float, y: float, *, filled: bool, title: str = "") -> Item:
    return Circle(x, y, REACH, fill=BLUE if filled else PAPER, colour=BLUE, edge=1.2, title=title)
