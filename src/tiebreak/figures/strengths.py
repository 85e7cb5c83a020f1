"""Strengths by votes: where each algorithm lies on the scale of Elo, with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.documents import as_came_in
from tiebreak.documents.words import amount, confidence
from tiebreak.evals.battles import ELO, ELO_ANCHOR, Battles
from tiebreak.figures.drawing.axis import TICK, Scale, reach
from tiebreak.figures.drawing.ladder import Ladder, divided
from tiebreak.figures.drawing.palette import MUTED, PALE
from tiebreak.figures.drawing.scene import Item, Line, Text
from tiebreak.figures.drawing.text import shown, text_width
from tiebreak.figures.figure import Figure, Rows, rows_of, titled
from tiebreak.figures.members import beside_names, folded_words, interval_line, kept_of, mark_of

ROW, WIDTH = 14.0, 300.0
_WORDS = {"control": "the strongest", "open": "no significant difference from it", "worse": "significantly weaker"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StrengthPlot(Figure):
    """Strengths as data, the strongest first; `verdicts` are control (the strongest), open or worse.

    `anchor` is who has 1000 points, `prices` are empty where none are known, and `cost` is their name.
    """

    KIND = "Strengths"
    algorithms: tuple[str, ...]
    elo: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    verdicts: tuple[str, ...]
    prices: tuple[float, ...]
    cost: str
    anchor: str
    alpha: float

    def rows(self) -> Rows:
        """Return one row per algorithm, the strongest first."""
        rows = rows_of(algorithm=self.algorithms, elo=self.elo, low=self.low, high=self.high, verdict=self.verdicts)
        if not self.prices:
            return rows
        return [{**row, self.cost: price} for row, price in zip(rows, self.prices, strict=True)]

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def reading(self) -> str:
        """Say what lines and marks mean."""
        beside = f" Beside each stand its Elo and its {shown(self.cost)}." if self.prices else ""
        return (
            f"Elo: {shown(self.anchor)} has 1000. Lines are {confidence(self.alpha)} intervals, each for itself."
            f" Marks say what the tests, corrected for all pairs, tell beside the strongest.{beside}"
            + folded_words(len(self.algorithms), self.kept)
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out names, lines, marks and numbers."""
        numbers = self._numbers(room)
        beside = 10 + max(text_width(words, TICK) for words in numbers)
        ladder, width = divided(
            self.algorithms, self.kept, room=room, row=ROW, usual=WIDTH, beside=beside, least=64.0, share=0.3
        )
        drawn = [i for i, _ in ladder.rows()]
        low, high = reach([end for i in drawn for end in (self.low[i], self.high[i], self.elo[i])], [ELO_ANCHOR])
        scale = Scale.around([low, high], 0.03, 0.0, width)
        verdicts = {self.verdicts[i] for i in drawn}
        return beside_names(
            ladder,
            scale,
            _rows(self, scale, ladder, numbers),
            axis="Elo",
            zero=ELO_ANCHOR,
            words={kind: words for kind, words in _WORDS.items() if kind in verdicts},
            room=room,
            beside=beside,
        )

    def _numbers(self, room: float | None) -> list[str]:
        """Write Elo with its interval and the price; in a narrow column Elo alone."""
        plain = [f"{value:.0f}" for value in self.elo]
        if room is not None and room < 300:
            return plain
        ends = [f"{_end(low)} to {_end(high)}" for low, high in zip(self.low, self.high, strict=True)]
        full = [f"{name} ({end})" for name, end in zip(plain, ends, strict=True)]
        if not self.prices:
            return full
        short = full if room is None or room > 420 else plain
        return [f"{name}, {amount(price)}" for name, price in zip(short, self.prices, strict=True)]


def _end(value: float) -> str:
    return f"{value:.0f}" if math.isfinite(value) else "?"


@as_came_in
def strength_plot(battles: Battles, *, top: int | None = None, show: Sequence[str] = ()) -> StrengthPlot:
    """Make the figure of strengths, the strongest first.

    Parameters
    ----------
    battles : Battles
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, and fold the rest.

    Returns
    -------
    StrengthPlot

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = strength_plot(tb.battles(tb.published.demsar2006(), score="auc"))
    >>> figure.algorithms[0], figure.verdicts
    ('C4.5+m+cf', ('control', 'open', 'open', 'open'))
    """
    names = battles.by_strength
    at = [battles.index(name) for name in names]
    verdicts = ["control", *("worse" if battles.better[i, at[0]] else "open" for i in at[1:])]
    ends = ELO_ANCHOR + ELO * battles.intervals
    return StrengthPlot(
        algorithms=names,
        elo=tuple(float(battles.elo[i]) for i in at),
        low=tuple(float(ends[i, 0]) for i in at),
        high=tuple(float(ends[i, 1]) for i in at),
        verdicts=tuple(verdicts),
        prices=() if battles.prices is None else tuple(float(battles.prices[i]) for i in at),
        cost=battles.plan.cost or "",
        anchor=battles.plan.anchor or "the mean of all",
        alpha=battles.plan.alpha,
        kept=kept_of(names, top, show),
        **titled(battles),
    )


def _rows(figure: StrengthPlot, scale: Scale, ladder: Ladder, texts: list[str]) -> list[Item]:
    """Draw line, mark and numbers of every row."""
    items: list[Item] = []
    size, by = min(TICK, ladder.size), ladder.marks()
    for i, y in ladder.rows():
        items.append(Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5))
        low, high = figure.low[i], figure.high[i]
        if math.isfinite(low) and math.isfinite(high):
            title = shown(f"{figure.algorithms[i]}: {figure.elo[i]:.0f} ({low:.0f} to {high:.0f})")
            items += interval_line(low, high, scale, y, title)
        items.append(mark_of(figure.verdicts[i], scale(figure.elo[i]), y, by))
        items.append(Text(scale.end + 10, y + 0.35 * size, texts[i], size=size, colour=MUTED))
    return items
