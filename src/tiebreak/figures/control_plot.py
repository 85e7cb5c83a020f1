"""The diagram against a control: where each algorithm lies, and which differ from the control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak import _show
from tiebreak._show import Row
from tiebreak.errors import OptionError
from tiebreak.figures._axis import TICK, Scale, bottom_axis, digits_of, legend_line
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import BLUE, INK, MUTED, PALE, PAPER, SKY, VERMILION
from tiebreak.figures._scene import Area, Circle, Item, Line, Text, rectangle
from tiebreak.figures.rank_diagram import (
    LONGEST,
    NAME,
    axis_limits,
    difference_text,
    implied_words,
    in_ranks,
    positions_of,
)

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison

ROW, WIDTH = 14.0, 320.0
_WORDS = {
    "control": "control",
    "better": "significantly better",
    "worse": "significantly worse",
    "open": "no difference concluded",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ControlDiagram(Figure):
    """A diagram against a control as data; `verdicts` are control, better, worse or open, per algorithm, best first.

    `critical_difference` is half the width of the band around the control, where the test has one.
    """

    algorithms: tuple[str, ...]
    positions: tuple[float, ...]
    position_name: str
    location_name: str
    low_is_best: bool
    verdicts: tuple[str, ...]
    adjusted: tuple[float | None, ...]
    critical_difference: float | None
    control: str
    method: str
    alpha: float
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Comparison with the control {self.control}: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        columns = zip(self.algorithms, self.positions, self.adjusted, self.verdicts, strict=True)
        return [
            {"algorithm": name, "position": position, "adjusted": adjusted, "verdict": verdict}
            for name, position, adjusted, verdict in columns
        ]

    def notes(self) -> list[str]:
        """Say what the band and the marks mean."""
        test = f"{self.method}, alpha = {self.alpha:g}"
        band = ""
        if self.critical_difference is not None:
            width = difference_text(self.critical_difference)
            band = f" The band is the control's position and the critical difference {width}."
        implied = implied_words(self.location_name)
        return [f"{shown(self.heading)}. Marks by {test}; p-values are adjusted.{band}{implied}"]

    def items(self) -> list[Item]:
        """Lay out band, marks, names and axis."""
        return _layout(self)


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
    Demsar, J. (2006). JMLR 7, 1-30. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)

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
            mend="Use compare(..., control=name), or critical_difference(comparison) for all pairs.",
        )
    verdicts = dict.fromkeys(found.algorithms, "open") | {found.control: "control"}
    adjusted: dict[str, float | None] = {found.control: None}
    for pair in found.iter_pairs():
        adjusted[pair.b] = pair.adjusted
        if pair.better is not None:
            verdicts[pair.b] = "better" if pair.better == pair.b else "worse"
    positions, name, low_is_best = positions_of(found)
    return ControlDiagram(
        algorithms=found.algorithms,
        positions=positions,
        position_name=name,
        location_name=found.location_name,
        low_is_best=low_is_best,
        verdicts=tuple(verdicts.values()),
        adjusted=tuple(adjusted[name] for name in found.algorithms),
        critical_difference=found.critical_difference,
        control=found.control,
        method=found.tests.method,
        alpha=found.alpha,
        heading=found.title(),
        caveats=found.caveats,
    )


def _mark(verdict: str, x: float, y: float) -> list[Item]:
    """Draw a mark that differs in shape and colour."""
    if verdict == "control":
        return [Area(((x, y - 4.6), (x + 4.6, y), (x, y + 4.6), (x - 4.6, y)), fill=INK)]
    if verdict == "better":
        return [Area(((x - 4.2, y + 3.4), (x + 4.2, y + 3.4), (x, y - 4.4)), fill=BLUE)]
    if verdict == "worse":
        return [Area(((x - 4.2, y - 3.4), (x + 4.2, y - 3.4), (x, y + 4.4)), fill=VERMILION)]
    return [Circle(x, y, 3.3, fill=PAPER, colour=MUTED, edge=1.3)]


def _layout(figure: ControlDiagram) -> list[Item]:
    count, span = len(figure.algorithms), figure.critical_difference or 0.0
    centre = figure.positions[figure.algorithms.index(figure.control)]
    reach = (*figure.positions, *((centre - span, centre + span) if span else ()))
    low, high = axis_limits(reach, 0.0, whole=in_ranks(figure.location_name))
    ends = (low, high) if figure.low_is_best else (high, low)
    scale = Scale(low=ends[0], high=ends[1], start=0.0, end=WIDTH)
    bottom = ROW * count + 2
    items: list[Item] = []
    if span:
        edges = sorted((scale(centre - span), scale(centre + span)))
        items.append(Area(rectangle(edges[0], -2, edges[1] - edges[0], bottom + 2), fill=SKY, opacity=0.25))
    items += bottom_axis(scale, bottom, shown(figure.position_name), top=-2)
    items.append(Line(((scale(centre), -2), (scale(centre), bottom)), dash=(3, 2)))
    items += _rows(figure, scale)
    kinds = [kind for kind in _WORDS if kind in figure.verdicts]
    return items + legend_line([(_mark(k, 0, 0), _WORDS[k]) for k in kinds], 0, bottom + 42, WIDTH)


def _rows(figure: ControlDiagram, scale: Scale) -> list[Item]:
    """Draw a name, a mark, the position and the adjusted p-value per algorithm."""
    items: list[Item] = []
    values = list(map(digits_of(figure.positions), figure.positions))
    second = WIDTH + 10 + max(42.0, max(text_width(said, TICK) for said in values) + 10)
    for i, (name, value, verdict) in enumerate(zip(figure.algorithms, figure.positions, figure.verdicts, strict=True)):
        y, bold = ROW * (i + 0.5), verdict == "control"
        words = fitted(name, NAME, LONGEST, bold=bold)
        items.append(Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5))
        items.append(Text(-8, y + 0.35 * NAME, words, anchor="end", bold=bold, title=shown(name)))
        items += _mark(verdict, scale(value), y)
        p = figure.adjusted[i]
        items.append(Text(WIDTH + 10, y + 0.35 * TICK, values[i], size=TICK, colour=MUTED))
        if p is not None:
            shown_p = _show.pvalue(p).replace("-", "\N{MINUS SIGN}")
            text = f"p {shown_p}" if shown_p.startswith("<") else f"p = {shown_p}"
            items.append(Text(second, y + 0.35 * TICK, text, size=TICK, colour=MUTED, bold=verdict != "open"))
    return items
