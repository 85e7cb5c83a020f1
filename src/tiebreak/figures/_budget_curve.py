"""Spending a budget: expected loss against time, with the trial that ends at each step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tiebreak.advisor import Recommendation
from tiebreak.advisor.schedules import BudgetPlan
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure, Rows
from tiebreak.figures.drawing.axis import Scale, axes
from tiebreak.figures.drawing.metrics import shown
from tiebreak.figures.drawing.palette import BLUE, MUTED
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Text
from tiebreak.wording import option

WIDTH, HEIGHT, SIZE = 430.0, 220.0, 8.0
_APART = 10.0
"""Points between two names."""
_BESIDE, _LEAST = 58.0, 120.0
"""What the axis takes beside the panel, and the least width of that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BudgetCurve(Figure):
    """Expected loss against time as data: steps of the curve with their range, and the end of every trial."""

    KIND = "Budget"
    seconds: tuple[float, ...]
    loss: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    names: tuple[str, ...]
    ends: tuple[float, ...]
    end_loss: tuple[float, ...]
    budget: float

    def rows(self) -> Rows:
        """Return one row per point of time."""
        columns = zip(self.seconds, self.loss, self.low, self.high, strict=True)
        return [{"seconds": t, "expected loss": loss, "low": low, "high": high} for t, loss, low, high in columns]

    def reading(self) -> str:
        """Say what the line and the marks are."""
        return (
            "The line is what the best algorithm tried so far is expected to lose to the best of all, by leaving"
            " origins out, and the band its 95 % range; marks are the predicted ends of the trials. The scale of"
            " time is logarithmic, and the vertical line is the budget."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the band, the steps, the marks and their names."""
        width = WIDTH if room is None else max(room - _BESIDE, _LEAST)
        first = min([*self.ends, *(t for t in self.seconds if t > 0)])
        top = max([loss for t, loss in zip(self.seconds, self.loss, strict=True) if t > 0] or [1.0]) or 1.0
        across = Scale(low=first / 1.5, high=1.3 * self.budget, start=0.0, end=width, log=True)
        down = Scale(low=-0.02 * top, high=1.25 * top, start=HEIGHT, end=0.0)
        counts = (6 if width > 300 else 4, 6)
        out: list[Item] = axes(across, down, "seconds, logarithmic scale", "expected loss", counts=counts)
        out += [self._band(across, down, 1.25 * top), self._steps(across, down)]
        out.append(Line(((across(self.budget), 0.0), (across(self.budget), HEIGHT)), colour=MUTED, dash=(3, 2)))
        return out + self._marks(across, down)

    def _stairs(self, values: tuple[float, ...], most: float = float("inf")) -> list[tuple[float, float]]:
        """Return the corners of a line that changes when a time is reached."""
        points = [(t, min(v, most)) for t, v in zip(self.seconds, values, strict=True) if t > 0]
        corners = [(later[0], now[1]) for now, later in pairwise(points)]
        return [point for pair in zip(points, [*corners, points[-1]], strict=True) for point in pair]

    def _band(self, across: Scale, down: Scale, most: float) -> Item:
        edge = [*self._stairs(self.high, most), *reversed(self._stairs(self.low, most))]
        return Area(tuple((across(t), down(v)) for t, v in edge), fill=BLUE, opacity=0.15)

    def _steps(self, across: Scale, down: Scale) -> Item:
        return Line(tuple((across(t), down(v)) for t, v in self._stairs(self.loss)), colour=BLUE, width=1.4)

    def _marks(self, across: Scale, down: Scale) -> list[Item]:
        """Draw a circle for every trial, and its name upwards above the panel, joined by a thin line."""
        out: list[Item] = []
        marks = [(across(t), down(v)) for t, v in zip(self.ends, self.end_loss, strict=True)]
        for name, place, (x, y) in zip(self.names, _spread([x for x, _ in marks], across.end), marks, strict=True):
            out.append(Line(((place, -3.0), (x, 6.0), (x, y)), colour=MUTED, width=0.4))
            out.append(Circle(x, y, 2.6, fill=BLUE, colour=BLUE, title=shown(name)))
            out.append(Text(place + 2.8, -6.0, shown(name), size=SIZE, upwards=True))
        return out


def _spread(places: list[float], width: float) -> list[float]:
    """Move places apart, so that names beside one another can be read, and back where the last would leave the panel.

    Examples
    --------
    >>> _spread([0.0, 1.0, 100.0], 200.0)
    [0.0, 10.0, 100.0]
    """
    out: list[float] = []
    apart = min(_APART, width / len(places))
    for x in places:
        out.append(max(x, out[-1] + apart) if out else x)
    limit = max(places[-1], width)
    for i in range(len(out) - 1, -1, -1):
        out[i] = min(out[i], limit - apart * (len(out) - 1 - i))
    return out


@as_came_in
def budget_curve(found: BudgetPlan | Recommendation) -> BudgetCurve:
    """Make the figure of what a budget is expected to bring.

    Parameters
    ----------
    found : BudgetPlan or Recommendation
        A recommendation must have been asked for a budget.

    Returns
    -------
    BudgetCurve

    References
    ----------
    khuller1999

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> from tiebreak.advisor.schedules import plan_budget
    >>> plan = plan_budget(shipped_knowledge(), {"n_examples": 5000, "n_attributes": 11, "n_classes": 2}, "1min")
    >>> budget_curve(plan).names == plan.algorithms
    True
    """
    plan = found.budget if isinstance(found, Recommendation) else found
    if plan is None or not plan.algorithms or not len(plan.curve.seconds):
        raise OptionError(
            "There is no budget to draw." if plan is None else "Nothing of the budget can be drawn.",
            why="The figure shows trials and what they are expected to bring, by leaving origins out.",
            mend=f"Ask for more time with {option(budget='10min')}.",
        )
    curve = plan.curve
    return BudgetCurve(
        seconds=tuple(curve.seconds.tolist()),
        loss=tuple(curve.loss.tolist()),
        low=tuple(curve.low.tolist()),
        high=tuple(curve.high.tolist()),
        names=plan.algorithms,
        ends=tuple(plan.ends.tolist()),
        end_loss=tuple(plan.expected_loss.tolist()),
        budget=plan.seconds,
        heading=plan.title(),
        caveats=plan.caveats,
    )
