"""Mean ranks against a control, with the interval in which nothing differs from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import TICK, Scale, digits_of, p_text, pvalue_text
from tiebreak.figures.drawing.ladder import MANY, Ladder, divided, letters_of, row_height, slots
from tiebreak.figures.drawing.palette import MUTED, PALE, SKY
from tiebreak.figures.drawing.scene import Area, Item, Line, Text, rectangle
from tiebreak.figures.drawing.text import shown, text_width
from tiebreak.figures.figure import Figure, Rows, rows_of
from tiebreak.figures.members import Positioned, beside_names, folded_words, kept_of, mark_of, positioned
from tiebreak.wording import either, option

ROW, WIDTH = 14.0, 320.0
_WORDS = {
    "control": "control",
    "better": "significantly better",
    "worse": "significantly worse",
    "open": "no difference concluded",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ControlDiagram(Positioned):
    """A diagram against a control as data; `verdicts` are control, better, worse or open, per algorithm, best first.

    `critical_difference` is half the width of the band around the control, where the test has one.
    """

    verdicts: tuple[str, ...]
    adjusted: tuple[float | None, ...]
    control: str

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Comparison with the control {self.control}: {self.heading}"

    def rows(self) -> Rows:
        """Return one row per algorithm, best first."""
        return rows_of(
            algorithm=self.algorithms, position=self.positions, adjusted=self.adjusted, verdict=self.verdicts
        )

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def first(self, count: int) -> Self:
        """Return the figure with the first so many rows drawn, and that of the control."""
        made = Figure.first(self, count)
        remaining = {*made.kept, self.algorithms.index(self.control)}
        return replace(made, kept=tuple(sorted(remaining))) if made.kept else made

    def reading(self) -> str:
        """Say what the band and the marks mean."""
        band = f" The band is the control's position and the critical difference {self._difference()}."
        more = (band if self.critical_difference is not None else "") + self._implied()
        return f"Marks by {self._test()}; p-values are adjusted.{more}{folded_words(len(self.algorithms), self.kept)}"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out band, marks, names and axis."""
        span = self.critical_difference or 0.0
        centre = self.positions[self.algorithms.index(self.control)]
        values = list(map(digits_of(self.positions), self.positions))
        rows = len(slots(len(self.algorithms), self.kept))
        size = letters_of(row_height(rows, ROW, room), TICK)
        second = 10 + max(42.0 if room is None else 0.0, max(text_width(value, size) for value in values) + 8)
        text = p_text if room is None else pvalue_text  # a column has a head in place of "p =" in every row
        third = max((text_width(text(p), size, bold=True) for p in self.adjusted if p is not None), default=0.0)
        control = self.algorithms.index(self.control)
        ladder, width = divided(
            self.algorithms,
            self.kept,
            room=room,
            row=ROW,
            usual=WIDTH,
            beside=second + third,
            bold=(control,),
            least=64.0 if rows <= MANY else 54.0,
            share=0.36 if rows <= MANY else 0.3,
        )
        scale = self.scale((*self.positions, *((centre - span, centre + span) if span else ())), 0.0, width)
        band: list[Item] = []
        if span:
            left, right = sorted((scale(centre - span), scale(centre + span)))
            band.append(Area(rectangle(left, -2, right - left, ladder.bottom + 4), fill=SKY, opacity=0.25))
        drawn = _rows(self, scale, ladder, values) + _pvalues(self, ladder, width + second, headed=room is not None)
        return band + beside_names(
            ladder,
            scale,
            drawn,
            axis=shown(self.position_name),
            zero=centre,
            words={kind: words for kind, words in _WORDS.items() if kind in self.verdicts},
            room=room,
            beside=second + third,
        )


@as_came_in
def control_diagram(comparison: Comparison, *, top: int | None = None, show: Sequence[str] = ()) -> ControlDiagram:
    """Make the diagram of a comparison with a control, with the interval of Bonferroni and Dunn where it was used.

    Parameters
    ----------
    comparison : Comparison
        With a control; `critical_difference` draws all pairs.
    top, show : int and sequence of str, optional
        Draw the first `top`, those named and the control, and fold the rest.

    Returns
    -------
    ControlDiagram

    References
    ----------
    demsar2006

    Examples
    --------
    >>> import tiebreak as tb
    >>> options = {"control": "C4.5", "posthoc": "bonferroni-dunn", "alpha": 0.1}
    >>> control_diagram(tb.compare(tb.published.demsar2006(), score="auc", **options)).verdicts
    ('better', 'better', 'open', 'control')
    """
    if comparison.control is None:
        raise OptionError(
            "The comparison has no control.",
            mend=either(
                "Use compare(..., control=name), or critical_difference(comparison) for all pairs.",
                f"Name one with {option(control=...)}, or draw the figure cd, of all pairs.",
            ),
        )
    verdicts = dict.fromkeys(comparison.algorithms, "open") | {comparison.control: "control"}
    adjusted: dict[str, float | None] = {comparison.control: None}
    for pair in comparison.iter_pairs():
        adjusted[pair.b] = pair.adjusted
        if pair.better is not None:
            verdicts[pair.b] = "better" if pair.better == pair.b else "worse"
    return ControlDiagram(
        verdicts=tuple(verdicts.values()),
        adjusted=tuple(adjusted[name] for name in comparison.algorithms),
        control=comparison.control,
        kept=kept_of(comparison.algorithms, top, (*show, comparison.control) if top is not None else show),
        **positioned(comparison),
    )


def _rows(figure: ControlDiagram, scale: Scale, ladder: Ladder, values: list[str]) -> list[Item]:
    """Draw a mark and the position per algorithm."""
    items: list[Item] = []
    size, by = min(TICK, ladder.size), ladder.marks()
    for i, y in ladder.rows():
        items += [
            Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5),
            mark_of(figure.verdicts[i], scale(figure.positions[i]), y, by),
            Text(scale.end + 10, y + 0.35 * size, values[i], size=size, colour=MUTED),
        ]
    return items


def _pvalues(figure: ControlDiagram, ladder: Ladder, x: float, *, headed: bool) -> list[Item]:
    """Write the adjusted p-value per algorithm, each called p or under a head that does."""
    size, words = min(TICK, ladder.size), pvalue_text if headed else p_text
    items: list[Item] = [Text(x, -6, "p", size=size, colour=MUTED)] if headed else []
    for i, y in ladder.rows():
        p, options = figure.adjusted[i], figure.verdicts[i] != "open"
        if p is not None:
            items.append(Text(x, y + 0.35 * size, words(p), size=size, colour=MUTED, bold=options))
    return items
