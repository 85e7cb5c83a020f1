"""Mean ranks of a published experiment beside those of its repetition: what moved, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import Ladder, make_ladder
from tiebreak.figures.drawing.metrics import shown, text_width, wrapped
from tiebreak.figures.drawing.palette import BLUE, MUTED, PALE, PAPER
from tiebreak.figures.drawing.scene import LONGEST, Circle, Item, Line, Text, bounds

if TYPE_CHECKING:
    from tiebreak.studies import Ulas2012Study

WIDTH, GAP, HIGH, NAME, REACH, LEAST = 150.0, 34.0, 16.0, 9.0, 3.6, 90.0


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
        """Lay out the panels side by side, or one under the other with the names beside each."""
        items: list[Item] = []
        wide = max(text_width(shown(name), NAME) for name in self.algorithms)
        columns = len(self.panels)
        if room is not None:
            columns = max(1, min(columns, int((room - wide - 10 + GAP) / (LEAST + GAP))))
        width = WIDTH if room is None else (room - min(wide, 0.4 * room) - 10 - 8) / columns - GAP * (columns > 1)
        ladder = make_ladder(self.algorithms, row=HIGH, limit=LONGEST if room is None else 0.4 * room, most=3)
        top = 0.0
        for start in range(0, len(self.panels), columns):
            part = ladder.texts(-10)
            for at, k in enumerate(range(start, min(start + columns, len(self.panels)))):
                part += self._panel(k, at * (width + GAP), width, ladder)
            items += [item.moved(0.0, top - bounds(part)[1] if room is not None else 0.0) for item in part]
            top = bounds(items)[3] + 10
        left, limit = (0.0, 3 * WIDTH) if room is None else (bounds(items)[0], room)
        entries = [([_mark(0, 0, filled=False)], "printed"), ([_mark(0, 0, filled=True)], "here")]
        items += legend_line(entries, left, bounds(items)[3] + 16, limit)
        return items + ladder.key(left, bounds(items)[3] + 5, limit)

    def _panel(self, k: int, left: float, width: float, ladder: Ladder) -> list[Item]:
        scale = Scale(low=1.0, high=max(len(self.algorithms), 2), start=left, end=left + width)
        items = bottom_axis(scale, ladder.bottom, "mean rank", top=0.0, count=5)
        panel = self.panels[k]
        for line, words in enumerate(reversed(wrapped(panel, TICK, width + GAP - 6))):
            items.append(Text(left + width / 2, -8 - 10 * line, words, size=TICK, anchor="middle", colour=MUTED))
        for i, y in ladder.rows():
            items += self._pair(scale, k, i, y, f"{shown(self.algorithms[i])}, {panel}")
        return items

    def _pair(self, scale: Scale, k: int, i: int, y: float, words: str) -> list[Item]:
        before, after = self.before[k][i], self.after[k][i]
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
    kept = tuple(
        note for note in found.caveats if getattr(note, "code", "") != "printed-rounding"
    )  # the page tells why
    return PrintedRanks(
        algorithms=found.beside.algorithms,
        panels=tuple(panels),
        before=sides[0],
        after=sides[1],
        **(titled(found) | {"caveats": kept}),
    )


def _mark(x: float, y: float, *, filled: bool, title: str = "") -> Item:
    return Circle(x, y, REACH, fill=BLUE if filled else PAPER, colour=BLUE, edge=1.2, title=title)
