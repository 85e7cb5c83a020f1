"""Score against cost: mean scores over geometric mean costs, the frontier between them, and the trade as a slope."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.comparison.trade import ScoreScale, two_digits
from tiebreak.documents import as_came_in, listed
from tiebreak.documents.words import for_people, heading, times
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import (
    TICK,
    Scale,
    Ticks,
    bottom_axis,
    left_axis,
    legend_line,
    number_text,
    ratio_axis,
    tick_texts,
)
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER, VERMILION
from tiebreak.figures.drawing.plane import Line as Segment2D, Marks, beside, key_at_side, key_under, label_texts
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, bounds, diamond
from tiebreak.figures.drawing.text import fitted, shown, text_width
from tiebreak.figures.figure import Figure, Rows, titled
from tiebreak.figures.members import kept_of
from tiebreak.ordering import Ordering
from tiebreak.ordering.valuation import Segment, Valuation, wide
from tiebreak.wording import either, option

WIDTH, HEIGHT, RADIUS = 400.0, 270.0, 3.4
MOST_LABELLED, FIRST, FEWEST_NAMED = 25, 10, 5
"""Of more algorithms only the first ten and the frontier have labels: numbers on all would hide what is seen."""
LEAST_RANGE = 1.5
"""The axis of costs reaches at least this factor to either side: nearly equal costs must not look different."""
MOST_UNKNOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """An algorithm: its place in the order, mean score, cost and loss beside the best-scoring one with its interval.

    `height` is the mean score as worth counts it, higher is better; `score` is the same in the unit of the score.
    """

    place: int
    algorithm: str
    score: float
    height: float
    cost: float
    loss: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FrontierPlane(Figure):
    """Score against cost as data; `priced` stand in the order.

    `frontier` says who is first for which trade; `trade` is the one in force, in units of `Priced.height` for ten times
    the cost, None where the order is not by worth or weighs other costs too. `cost_name` and `cost_axis` name the cost;
    `combined` says that it is all costs, weighed by their trades, beside those of the best-scoring algorithm `best`;
    trades are for ten times the first one, `traded_name`.
    """

    KIND = "Score against cost"
    FOLDED = "Names"
    priced: tuple[Priced, ...]
    frontier: tuple[Segment, ...]
    trade: float | None
    scale: ScoreScale
    best: str
    cost_name: str
    cost_axis: str
    traded_name: str
    combined: bool = False
    by_worth: bool = True
    relative_to: float | None = None
    unknown: tuple[str, ...] = ()

    def rows(self) -> Rows:
        """Return one row per algorithm in the order; `frontier` says whether it is first at some trade."""
        on = {part.algorithm for part in self.frontier}
        keys = ("place", "algorithm", "score", "cost", "loss", "low", "high")
        return [{key: getattr(row, key) for key in keys} | {"frontier": row.algorithm in on} for row in self.priced]

    @property
    def first_placed(self) -> Priced:
        """The first of the order, of those that are drawn."""
        return self.priced[0]

    def notes(self) -> list[str]:
        """Return first who is first for which trade, then how to read the figure."""
        return [*self.sentences(), *Figure.notes(self)]

    def sentences(self) -> list[str]:
        """Say in plain words who is first for which trade."""
        if not self.frontier:
            return [f"All have the same {shown(self.cost_name)}: the order is by mean {shown(self.scale.name)}."]
        name, cost = shown(self.frontier[0].algorithm), shown(self.traded_name)
        if len(self.frontier) == 1:
            return [f"{name} has the best mean {shown(self.scale.name)} at the lowest cost: first at every trade."]
        parts = wide(self.frontier, self.trade or 0.0)
        left = len(self.frontier) - len(parts)
        more = f" ({left} more in between)" if left else ""
        text = "; ".join(self._segment(part) for part in parts[1:])
        return [f"{name} is first if ten times the {cost} must buy up to {self._price(parts[0].high)}; {text}{more}."]

    def _segment(self, part: Segment) -> str:
        beside = f"{self._loss(part.algorithm)}, {_cost_words(part.relative_cost, self.traded_name)}"
        span = f"to {self._price(part.high)}" if math.isfinite(part.high) else "on"
        return f"{shown(part.algorithm)} from {self._price(part.low)} {span} ({beside})"

    def _loss(self, algorithm: str) -> str:
        lost = next((row.loss for row in self.priced if row.algorithm == algorithm), 0.0)
        words = self.scale.difference(lost)
        return words if self.scale.kind in ("loss", "unexplained") else f"{words} worse"

    def _price(self, size: float) -> str:
        """Write a trade: per cent of the best score where it was given so, else a difference of the score."""
        return self.price(size) if self.relative_to is None else f"{two_digits(100 * size / self.relative_to)}%"

    def price(self, size: float) -> str:
        """Write a trade with the difference of the score that it is."""
        if self.scale.kind in ("loss", "unexplained"):
            return f"{two_digits(100 * size)}% less {'loss' if self.scale.kind == 'loss' else 'unexplained variance'}"
        if self.relative_to is not None:
            return f"{self._price(size)} ({self.scale.difference(size, 2)})"
        return self.scale.difference(size, 2)

    def sentence(self, row: Priced) -> str:
        """Say the score, the cost and the loss of one algorithm."""
        score = f"{shown(row.algorithm)}: {shown(self.scale.name)} {self.scale.value(row.score)}"
        cost = _cost_words(row.cost, "cost") if self.combined else f"{shown(self.cost_name)} {number_text(row.cost, 3)}"
        if row.algorithm == self.best:
            return f"{score}, the best; {cost}"
        span = f" ({self.scale.number(row.low)} to {self.scale.number(row.high)})" if math.isfinite(row.low) else ""
        return f"{score}, {cost}; loss vs best {self.scale.difference(row.loss)}{span}"

    def reading(self) -> str:
        """Say what marks and lines mean."""
        text = ["Numbers are places in the order."]
        if self.frontier:
            text.append("The blue line joins the algorithms that are first at some trade.")
        name = shown(self.first_placed.algorithm)
        if self.trade is not None:
            text.append(
                f"On the dashed line ten times the {shown(self.traded_name)} buys {self.price(self.trade)}, the trade"
                f" in force: whatever lies below it is worth less than {name}."
            )
        elif not self.by_worth:
            text.append(f"The order is not by worth, so that {name} need not be on it.")
        if self.unknown:
            names = listed(map(shown, self.unknown), most=MOST_UNKNOWN)
            text.append(f"Not drawn, because the cost is unknown: {names}.")
        return " ".join(text)

    def foldable(self) -> int:
        """Return how many have a name or a number; the others are dots."""
        return len(self.labelled())

    def fewest(self) -> int:
        """Return how many are named at the least."""
        return FEWEST_NAMED

    def lower(self) -> str:
        """Say what names fewer."""
        return f"{option(top=FIRST)} names the first {FIRST}" if self.foldable() > FIRST else ""

    def first(self, count: int) -> Self:
        """Return the plane with names of the first `count` only."""
        if self.kept or not count < self.foldable():
            return self
        return replace(self, kept=tuple(place - 1 for place in self.labelled()[:count]))

    def labelled(self) -> tuple[int, ...]:
        """Return the places with a name or a number: all, those asked for, or of many the first and the frontier."""
        places = [row.place for row in self.priced]
        if self.kept:
            return tuple(place for place in places if place - 1 in self.kept)
        if len(places) <= MOST_LABELLED:
            return tuple(places)
        on = {part.algorithm for part in self.frontier[:MOST_LABELLED]}
        return tuple(row.place for row in self.priced if row.place <= FIRST or row.algorithm in on)

    def worth_line(self, low: float, high: float) -> tuple[Point, Point] | None:
        """Return cost and height of both ends of the line of equal worth through the first, between two heights."""
        if self.trade is None:
            return None
        at, costs = self.first_placed, self._costs()
        ends = []
        for cost in costs:
            height = at.height + self.trade * math.log10(cost / at.cost)
            if not low <= height <= high:
                height = min(max(height, low), high)
                cost = at.cost * 10 ** ((height - at.height) / self.trade)
            ends.append((cost, height))
        return ends[0], ends[1]

    def _costs(self) -> tuple[float, float]:
        """Return the ends of the axis of costs."""
        costs = [row.cost for row in self.priced]
        middle = math.sqrt(min(costs) * max(costs))
        around = Scale.around([*costs, middle / LEAST_RANGE, middle * LEAST_RANGE], 0.07, 0.0, 1.0, log=True)
        return around.low, around.high

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axes, the frontier, the trade, marks and names."""
        axis = _HeightAxis.of(self)
        width, height = _size(axis, room)
        low, high = self._costs()
        across = Scale(low=low, high=high, start=0.0, end=width, log=True)
        down = Scale(low=axis.low, high=axis.high, start=height, end=0.0)
        points = {row.place: (across(row.cost), down(row.height)) for row in self.priced}
        by_name = {row.algorithm: row.place for row in self.priced}
        names = {row.place: row.algorithm for row in self.priced if row.place in self.labelled()}
        on = [by_name[part.algorithm] for part in self.frontier if part.algorithm in by_name]
        joined = tuple(points[place] for place in on)
        ends = self.worth_line(axis.low, axis.high)
        slope = None if ends is None else tuple((across(cost), down(level)) for cost, level in ends)

        items = _cost_axis(self, across, height, limit=None if room is None else width)
        items += left_axis(axis.ticks, down, 0.0, fitted(self._score_name(), TICK, height + 20), width)
        items += [Line(slope, colour=VERMILION, width=1.0, dash=(4, 3))] if slope is not None else []
        items += [Line(joined, colour=BLUE, width=1.2, opacity=0.6)] if len(joined) > 1 else []
        lines: list[Segment2D] = [*pairwise(joined), *([] if slope is None else [(slope[0], slope[1])])]
        labels, key = beside(
            Marks(
                points={place: points[place] for place in names},
                names=names,
                lines=lines,
                size=(width, height),
                radius=RADIUS + 1,
                small=[point for place, point in points.items() if place not in names],
            )
        )
        items += [Line(label.leader, colour=MUTED, width=0.5) for label, _ in labels.values() if label.leader]
        for row in sorted(self.priced, key=lambda row: (row.place in names, row.place in on, -row.place)):
            kind = self._kind(row, on) if row.place in names else "dot"
            items.append(_mark(kind, *points[row.place], self.sentence(row)))
        items += label_texts(labels, names)
        left = 0.0 if room is None else bounds(items)[0]
        items += legend_line(self._entries(on), left, bounds(items)[3] + 14, (width if room is None else room) + TICK)
        if not key:
            return items
        bold = {place for place in names if place in on}
        return items + (
            key_at_side(names, bold, width, height) if room is None else key_under(names, bold, items, room)
        )

    def _score_name(self) -> str:
        lower = not self.scale.upward or self.scale.kind == "loss"
        unit = self.scale.heading.removeprefix(self.scale.name)
        name = f"Mean {for_people(self.scale.name, [self.scale.name])}{unit}"
        return f"{shown(name)}, {'lower' if lower else 'higher'} is better"

    def _kind(self, row: Priced, on: Sequence[int]) -> str:
        return "first" if row is self.first_placed else "frontier" if row.place in on else "other"

    def _entries(self, on: Sequence[int]) -> list[tuple[list[Item], str]]:
        words = {"first": "first in the order", "frontier": "first at another trade", "other": "first at no trade"}
        if not self.by_worth:
            words = {"first": "first in the order", "frontier": "first by worth at some trade", "other": "others"}
        named = set(self.labelled())
        kinds = {self._kind(row, on) for row in self.priced if row.place in named}
        entries: list[tuple[list[Item], str]] = [
            ([_mark(kind, 0, 0)], text) for kind, text in words.items() if kind in kinds
        ]
        if self.trade is not None:
            dashed: Item = Line(((-6, 2), (6, -2)), colour=VERMILION, width=1.0, dash=(4, 3))
            entries.append(([dashed], f"same worth as {shown(self.first_placed.algorithm)}"))
        left = len(self.priced) - len(named)
        return entries + ([([_mark("dot", 0, 0)], f"{left} other{'s' * (left > 1)}, without a number")] if left else [])


@as_came_in
def frontier_plane(
    ordering: Ordering, *, cost: str | None = None, top: int | None = None, show: Sequence[str] = ()
) -> FrontierPlane:
    """Make the plane of mean score and geometric mean cost of an ordering, with its frontier.

    On a logarithmic axis of costs all points of equal worth lie on a straight line, whose slope is the trade. The
    algorithm that the line touches first from above is first; the frontier holds all that some slope touches.

    Parameters
    ----------
    ordering : Ordering
        With at least one cost, by one score.
    cost : str, optional
        Which cost; by default the only one, or all of several, weighed by their trades.
    top, show : int and sequence of str, optional
        Name the first `top` and those of `show`; the others are small dots. Of more than 25 by default the first ten
        and the frontier are named.

    Returns
    -------
    FrontierPlane

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = frontier_plane(tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time"))
    >>> [part.algorithm for part in figure.frontier]
    ['svr', '5nn']
    """
    value = _valuation(ordering)
    costs = list(ordering.costs)
    chosen = check_choice("cost", cost, costs) if cost is not None else costs[0]
    combined = cost is None and len(costs) > 1
    paid = _combined(value) if combined else value.paid[costs.index(chosen)]
    index = {name: i for i, name in enumerate(ordering.algorithms)}
    heights, scores, losses = value.sample.mean_scores, value.scores, value.losses
    priced, unknown = [], []
    for place, name in enumerate(ordering.order, start=1):
        i = index[name]
        if not math.isfinite(float(paid[i])) or not math.isfinite(float(heights[i])):
            unknown.append(name)
            continue
        lost = [float(ends[i]) + 0.0 for ends in (losses.value, losses.low, losses.high)]
        priced.append(
            Priced(
                place=place,
                algorithm=name,
                score=float(scores[i]),
                height=float(heights[i]),
                cost=float(paid[i]),
                loss=lost[0],
                low=lost[1],
                high=lost[2],
            )
        )
    if not priced:
        raise OptionError(f"No {chosen} is known.", mend="Draw another kind of figure.")
    worth, unit = ordering.rule == "worth", ordering.units.get(chosen)
    by_share = value.given[0].relative and value.scale.has_points and value.scale.kind != "normalised"
    best = float(heights.max())
    return FrontierPlane(
        priced=tuple(priced),
        frontier=value.frontier,
        trade=value.in_force if worth and (combined or len(costs) == 1) else None,
        scale=value.scale,
        best=ordering.algorithms[losses.best],
        cost_name=" and ".join(costs) if combined else chosen,
        cost_axis=heading(chosen, unit or ""),
        traded_name=costs[value.lead],
        combined=combined,
        by_worth=worth,
        relative_to=best if by_share and best > 0 else None,
        unknown=tuple(unknown),
        kept=kept_of(ordering.order, top, show),
        **titled(ordering),
    )


def _valuation(ordering: Ordering) -> Valuation:
    """Return the worth behind an ordering; several scores have none, and without a cost there is nothing to draw."""
    if ordering.valuation is None:
        raise OptionError(
            "The ordering is by several scores, which have no common worth.",
            mend="Order by one score, or draw " + either('figure("order")', "the figure order") + ".",
        )
    if not ordering.costs:
        raise OptionError("The ordering has no cost.", mend=f"Use {either('order(..., cost=name)', option(cost=...))}.")
    return ordering.valuation


def _combined(value: Valuation) -> FloatArray:
    """Return all costs as one, beside those of the best-scoring one: what counts as ten times the first cost is 10."""
    logs = value.combined
    return np.asarray(10.0 ** (logs - logs[value.losses.best]))


def _cost_words(ratio: float, name: str) -> str:
    """Write a cost beside that of the best-scoring one.

    Examples
    --------
    >>> _cost_words(0.005, "price"), _cost_words(0.75, "price"), _cost_words(12.0, "price")
    ('1/200 of the price', '75% of the price', '12 times the price')
    """
    if ratio >= 2:
        return f"{times(ratio)} times the {shown(name)}"
    return f"{f'1/{times(1 / ratio)}' if ratio < 0.5 else f'{ratio:.0%}'} of the {shown(name)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeightAxis:
    """The axis of scores: heights are what worth averages, ticks are round values in the unit that tables show.

    It spans at least what the trade asks for ten times the cost: tiny differences must not look large.
    """

    low: float
    high: float
    ticks: Ticks

    @classmethod
    def of(cls, figure: FrontierPlane) -> Self:
        heights = [row.height for row in figure.priced]
        middle, least = (min(heights) + max(heights)) / 2, (figure.trade or 0.0) / 2
        around = Scale.around([*heights, middle - least, middle + least], 0.1, 1.0, 0.0)
        grid = np.linspace(around.low, around.high, 2001)
        factor = figure.scale.factor if figure.scale.has_points else 1.0
        values = factor * figure.scale.shown(grid)
        if values[0] > values[-1]:
            grid, values = grid[::-1], values[::-1]
        first, last = float(values[0]), float(values[-1])
        bent = figure.scale.kind == "loss" and last > 20 * first
        rounds = Scale(low=first, high=last, start=0.0, end=1.0, log=bent).ticks(6)
        at = np.interp(rounds, values, grid).tolist()
        return cls(low=around.low, high=around.high, ticks=list(zip(at, tick_texts(rounds), strict=True)))


def _cost_axis(figure: FrontierPlane, across: Scale, height: float, *, limit: float | None) -> list[Item]:
    if figure.combined:
        name = f"{shown(figure.cost_name)}, weighed by their trades, beside {shown(figure.best)}, log scale"
        return ratio_axis(across, height, name, top=0.0)
    name = f"{shown(figure.cost_axis)}, geometric mean, log scale"
    return bottom_axis(across, height, name, top=0.0, limit=limit)


def _size(axis: _HeightAxis, room: float | None) -> tuple[float, float]:
    if room is None:
        return WIDTH, HEIGHT
    ticks = max((text_width(words, TICK) for _, words in axis.ticks), default=0.0)
    width = max(room - ticks - TICK - 16, 120.0)
    return width, min(max(0.72 * width, 150.0), HEIGHT)


def _mark(kind: str, x: float, y: float, title: str = "") -> Item:
    """Draw a mark that differs in shape and filling, so that either is enough to tell its kind."""
    if kind == "first":
        return Area(diamond(x, y, 4.8), fill=INK, title=title)
    if kind == "frontier":
        return Circle(x, y, RADIUS, fill=BLUE, colour=BLUE, edge=1.1, title=title)
    if kind == "other":
        return Circle(x, y, RADIUS - 0.4, fill=PAPER, colour=MUTED, edge=1.1, title=title)
    return Circle(x, y, 1.7, fill=MUTED, title=title)
