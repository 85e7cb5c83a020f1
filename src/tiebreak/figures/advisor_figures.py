"""Figures of the advisor: measures against ranks, where each method is best, and spending a budget."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tiebreak.advisor import Recommendation
from tiebreak.advisor.budget_plan import BudgetPlan
from tiebreak.advisor.top_n import AttributeAgainstRank, CharacteristicsByBest
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.drawing.axis import TICK, Scale, axes, decimals_text, legend_line, spread
from tiebreak.figures.drawing.ladder import Ladder, make_ladder
from tiebreak.figures.drawing.palette import BLUE, MUTED, PALE, PAPER, VERMILION, text_on, two_sided
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Text, bounds, named, rectangle
from tiebreak.figures.drawing.text import fitted, shown
from tiebreak.figures.figure import Figure, Rows, rows_of, titled
from tiebreak.wording import option

WIDTH, HEIGHT = 330.0, 210.0
SPREAD = 20.0
"""Values that differ by more than this factor stand on a logarithmic scale."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AttributeRanks(Figure):
    """Points (value, rank) as data, one per data set, and means in bins of equal numbers of data sets."""

    attribute: str
    algorithm: str
    datasets: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    means: tuple[tuple[float, float], ...]
    correlation: float
    log_values: bool

    def rows(self) -> Rows:
        """Return one row per data set."""
        values, ranks = zip(*self.points, strict=True)
        return rows_of(dataset=self.datasets, value=values, rank=ranks)

    def reading(self) -> str:
        """Say what the marks are."""
        log = f" The scale of {shown(self.attribute)} is logarithmic." if self.log_values else ""
        return (
            f"Rank 1 is the best. The line joins means over data sets with neighbouring values,"
            f" about equally many each where values differ; equal values stay together.{log}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out points, then the line of means."""
        width, height = (
            (WIDTH, HEIGHT) if room is None else (max(room - 34, 100.0), min(HEIGHT, max(0.66 * room, 120.0)))
        )
        values, ranks = zip(*self.points, strict=True)
        across = Scale.around(values, 0.04, 0.0, width, log=self.log_values)
        best, worst = spread(ranks, 0.04)
        down = Scale(low=worst, high=best, start=height, end=0.0)
        scale_word = " (logarithmic scale)" if self.log_values else ""
        x_name = fitted(self.attribute, TICK, max(width - 90, 0.7 * width)) + scale_word
        items = axes(
            across,
            down,
            x_name,
            fitted(f"rank of {self.algorithm}", TICK, height),
            counts=(6, 12),
            limit=None if room is None else width,
        )
        items += [
            _point(across(x), down(y), f"{shown(name)}: {x:.4g}, rank {y:.4g}")
            for name, (x, y) in zip(self.datasets, self.points, strict=True)
        ]
        track = tuple((across(x), down(y)) for x, y in self.means)
        items += [Line(track, colour=VERMILION, width=1.4)] if len(track) > 1 else []
        items += [_mean(x, y) for x, y in track]
        entries = [([_point(0, 0)], "a data set"), ([_mean(0, 0)], "mean of data sets with neighbouring values")]
        return items + legend_line(entries, 0, bounds(items)[3] + 15, width)


@as_came_in
def attribute_ranks(found: AttributeAgainstRank) -> AttributeRanks:
    """Make the figure of a measure against the rank of an algorithm.

    Parameters
    ----------
    found : AttributeAgainstRank

    Returns
    -------
    AttributeRanks

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.top_n import attribute_against_rank
    >>> found = attribute_against_rank([1, 2, 3, 4], [[1, 2], [1, 2], [2, 1], [2, 1]], algorithm="a",
    ...                                attribute="size", algorithms=["a", "b"], bins=2)
    >>> attribute_ranks(found).means
    ((1.5, 1.0), (3.5, 2.0))
    """
    values = found.values.tolist()
    if not values:
        raise InputError(
            f"No data set has a value of {found.attribute!r} and a rank of {found.algorithm!r}.",
            why="There is nothing to draw.",
            mend="Choose another measure or algorithm.",
        )
    return AttributeRanks(
        attribute=found.attribute,
        algorithm=found.algorithm,
        datasets=found.datasets,
        points=tuple(zip(values, found.ranks.tolist(), strict=True)),
        means=tuple(zip(found.bin_values.tolist(), found.bin_ranks.tolist(), strict=True)),
        correlation=found.correlation,
        log_values=min(values) > 0 and max(values) / min(values) > SPREAD,
        **titled(found),
    )


def _point(x: float, y: float, title: str = "") -> Item:
    return Circle(x, y, 2.2, fill=BLUE, opacity=0.45, title=title)


def _mean(x: float, y: float) -> Item:
    return Circle(x, y, 3.6, fill=PAPER, colour=VERMILION, edge=1.4)


CELL, ROW, NAME, SMALL, LONGEST, TALLEST = 30.0, 17.0, 8.5, 7.0, 190.0, 140.0
MOST_ROWS, MOST_COLUMNS, FULL = 30, 40, 1.5
"""How many are drawn, and the deviation that has the full colour."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BestProfiles(Figure):
    """Mean standardised measures as data; `means[i][j]` is of algorithm i, the most often best first, and measure j."""

    algorithms: tuple[str, ...]
    counts: tuple[int, ...]
    measures: tuple[str, ...]
    means: tuple[tuple[float, ...], ...]
    left_out: tuple[str, ...]

    def rows(self) -> Rows:
        """Return one row per algorithm."""
        return [
            {"best": name, "datasets": count} | dict(zip(self.measures, values, strict=True))
            for name, count, values in zip(self.algorithms, self.counts, self.means, strict=True)
        ]

    def notes(self) -> list[str]:
        """Say what the numbers are."""
        left = f" {' '.join(self.left_out)}" if self.left_out else ""
        return [
            f"{shown(self.heading)}: in standard deviations from the mean of all data sets; in brackets the number of"
            f" data sets. Few data sets make large numbers by chance.{left}"
        ]

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the table; where it is too wide, so many measures at a time, one part under the other."""
        names = [f"{shown(name)} ({count})" for name, count in zip(self.algorithms, self.counts, strict=True)]
        limit = LONGEST if room is None else min(LONGEST, max(0.36 * room, 60.0))
        ladder = make_ladder(names, row=ROW, limit=limit, most=1 if room is None else 3, size=NAME)
        per = len(self.measures) if room is None else max(1, int((room - 6 - ladder.wide) / CELL))
        items: list[Item] = []
        top = 0.0
        for start in range(0, len(self.measures), per):
            part = self._part(ladder, range(start, min(start + per, len(self.measures))), room)
            items += [item.moved(0.0, top - bounds(part)[1] if room is not None else 0.0) for item in part]
            top = bounds(items)[3] + 12
        left = -6 - ladder.wide
        return items + ([] if room is None else ladder.key(left, bounds(items)[3] + 5, room))

    def _part(self, ladder: Ladder, measures: range, room: float | None) -> list[Item]:
        items = ladder.texts(-6)
        for i, rung in enumerate(ladder.rungs):
            for place, j in enumerate(measures):
                value = self.means[i][j]
                said = f"{shown(self.algorithms[i])}, {shown(self.measures[j])}: {value:.3g}"
                items += _cell(place * CELL, rung.middle - rung.high / 2, rung.high, value, said)
        bottom, middle = ladder.bottom + 6, CELL / 2 + 0.35 * NAME
        for place, j in enumerate(measures):
            x = place * CELL + middle
            limit = TALLEST if room is None else 1000.0
            items.append(named(x, bottom, self.measures[j], size=NAME, limit=limit, anchor="end", upwards=True))
        return items


@as_came_in
def best_profiles(found: CharacteristicsByBest, *, ranking: str | None = None) -> BestProfiles:
    """Make the figure of the data sets on which each algorithm, or each ranking method, is best.

    Parameters
    ----------
    found : CharacteristicsByBest
    ranking : str, optional
        By what ranking methods rank, for the heading.

    Returns
    -------
    BestProfiles

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.top_n import characteristics_by_best
    >>> found = characteristics_by_best([[1.0], [3.0]], [[1, 2], [2, 1]], measures=["size"], algorithms=["a", "b"])
    >>> best_profiles(found).means
    ((-1.0,), (1.0,))
    """
    counts = found.counts.max(axis=1, initial=0)
    order = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i]]
    if not order:
        raise InputError(
            f"No {found.kind} is best on a data set that has measures.",
            why="There is nothing to draw.",
            mend="Add measures.",
        )
    kept, columns = order[:MOST_ROWS], range(min(len(found.measures), MOST_COLUMNS))
    left = []
    if len(order) > len(kept):
        left.append(f"{len(order) - len(kept)} {found.kind}s that are best more rarely are not drawn.")
    if len(found.measures) > len(columns):
        left.append(f"{len(found.measures) - len(columns)} further measures are not drawn.")
    return BestProfiles(
        algorithms=tuple(found.algorithms[i] for i in kept),
        counts=tuple(int(counts[i]) for i in kept),
        measures=tuple(found.measures[j] for j in columns),
        means=tuple(tuple(float(found.means[i, j]) for j in columns) for i in kept),
        left_out=tuple(left),
        heading=found.title() if ranking is None else f"{found.title()} (rankings by {ranking})",
        caveats=found.caveats,
    )


def _cell(x: float, y: float, high: float, value: float, words: str) -> list[Item]:
    """Draw one cell; NaN is an empty one."""
    there = value == value
    fill = two_sided(value / FULL) if there else PALE
    area = Area(rectangle(x + 0.5, y + 0.5, CELL - 1, high - 1), fill=fill, title=words)
    text = decimals_text(value, 2) if there else "-"
    base = y + high / 2 + 0.35 * SMALL
    return [area, Text(x + CELL / 2, base, text, size=SMALL, anchor="middle", colour=text_on(fill))]


BUDGET_WIDTH, BUDGET_HEIGHT, SIZE = 430.0, 220.0, 8.0
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
        width = BUDGET_WIDTH if room is None else max(room - _BESIDE, _LEAST)
        first = min([*self.ends, *(t for t in self.seconds if t > 0)])
        top = max([loss for t, loss in zip(self.seconds, self.loss, strict=True) if t > 0] or [1.0]) or 1.0
        across = Scale(low=first / 1.5, high=1.3 * self.budget, start=0.0, end=width, log=True)
        down = Scale(low=-0.02 * top, high=1.25 * top, start=BUDGET_HEIGHT, end=0.0)
        counts = (6 if width > 300 else 4, 6)
        out: list[Item] = axes(across, down, "seconds, logarithmic scale", "expected loss", counts=counts)
        out += [self._band(across, down, 1.25 * top), self._steps(across, down)]
        out.append(Line(((across(self.budget), 0.0), (across(self.budget), BUDGET_HEIGHT)), colour=MUTED, dash=(3, 2)))
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
    >>> from tiebreak.advisor.budget_plan import plan_budget
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
