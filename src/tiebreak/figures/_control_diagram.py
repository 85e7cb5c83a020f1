"""The diagram against a control: where each algorithm lies, and which differ from the control."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.deciding.compare import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Rows, rows_of
from tiebreak.figures._positions import Positioned, positioned
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, digits_of, legend_line, p_text
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, PAPER, SKY, VERMILION
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Item, Line, Text, diamond, named, rectangle
from tiebreak.wording import either

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

    def reading(self) -> str:
        """Say what the band and the marks mean."""
        band = f" The band is the control's position and the critical difference {self._difference()}."
        more = (band if self.critical_difference is not None else "") + self._implied()
        return f"Marks by {self._test()}; p-values are adjusted.{more}"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out band, marks, names and axis."""
        span = self.critical_difference or 0.0
        centre = self.positions[self.algorithms.index(self.control)]
        scale = self.scale((*self.positions, *((centre - span, centre + span) if span else ())), 0.0, WIDTH)
        bottom = ROW * len(self.algorithms) + 2
        items: list[Item] = []
        if span:
            left, right = sorted((scale(centre - span), scale(centre + span)))
            items.append(Area(rectangle(left, -2, right - left, bottom + 2), fill=SKY, opacity=0.25))
        items += bottom_axis(scale, bottom, shown(self.position_name), top=-2)
        items.append(Line(((scale(centre), -2), (scale(centre), bottom)), dash=(3, 2)))
        items += _rows(self, scale)
        entries = [([_mark(kind, 0, 0)], words) for kind, words in _WORDS.items() if kind in self.verdicts]
        return items + legend_line(entries, 0, bottom + 42, WIDTH)


@as_came_in
def control_diagram(found: Comparison) -> ControlDiagram:
    """Make the diagram of a comparison with a control, with the interval of Bonferroni and Dunn where it was used.

    Parameters
    ----------
    found : Comparison
        With a control; `critical_difference` draws all pairs.

    Returns
    -------
    ControlDiagram

    References
    ----------
    demsar2006

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.compare(tb.published.demsar2006(), score="auc", control="C4.5", posthoc="bonferroni-dunn", alpha=0.1)
    >>> control_diagram(found).verdicts
    ('better', 'better', 'open', 'control')
    """
    if found.control is None:
        raise OptionError(
            "The comparison has no control.",
            why="This diagram shows how the others differ from one.",
            mend=either(
                "Use compare(..., control=name), or critical_difference(comparison) for all pairs.",
                "Name one with --control NAME, or use --figure-kind cd for all pairs.",
            ),
        )
    verdicts = dict.fromkeys(found.algorithms, "open") | {found.control: "control"}
    adjusted: dict[str, float | None] = {found.control: None}
    for pair in found.iter_pairs():
        adjusted[pair.b] = pair.adjusted
        if pair.better is not None:
            verdicts[pair.b] = "better" if pair.better == pair.b else "worse"
    return ControlDiagram(
        verdicts=tuple(verdicts.values()),
        adjusted=tuple(adjusted[name] for name in found.algorithms),
        control=found.control,
        **positioned(found),
    )


def _mark(verdict: str, x: float, y: float) -> Item:
    """Draw a mark that differs in shape and colour, so that either is enough to tell the verdict."""
    if verdict == "control":
        return Area(diamond(x, y, 4.6), fill=INK)
    if verdict == "open":
        return Circle(x, y, 3.3, fill=PAPER, colour=MUTED, edge=1.3)
    up, fill = (1, BLUE) if verdict == "better" else (-1, VERMILION)
    return Area(((x - 4.2, y + 3.4 * up), (x + 4.2, y + 3.4 * up), (x, y - 4.4 * up)), fill=fill)


def _rows(figure: ControlDiagram, scale: Scale) -> list[Item]:
    """Draw a name, a mark, the position and the adjusted p-value per algorithm."""
    items: list[Item] = []
    values = list(map(digits_of(figure.positions), figure.positions))
    second = WIDTH + 10 + max(42.0, max(text_width(said, TICK) for said in values) + 10)
    for i, (name, value, verdict) in enumerate(zip(figure.algorithms, figure.positions, figure.verdicts, strict=True)):
        y, p = ROW * (i + 0.5), figure.adjusted[i]
        items += [
            Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5),
            named(-8, y + 0.35 * NAME, name, anchor="end", bold=verdict == "control"),
            _mark(verdict, scale(value), y),
            Text(WIDTH + 10, y + 0.35 * TICK, values[i], size=TICK, colour=MUTED),
        ]
        if p is not None:
            items.append(Text(second, y + 0.35 * TICK, p_text(p), size=TICK, colour=MUTED, bold=verdict != "open"))
    return items
