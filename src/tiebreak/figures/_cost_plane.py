"""The cost plane: mean score against mean cost, with the algorithms that no other equals in both and beats in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

from tiebreak._checks import check_choice
from tiebreak.deciding.order import Ordering
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures._folding import kept_of
from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line, tick_texts
from tiebreak.figures.drawing.labels import Label
from tiebreak.figures.drawing.metrics import fitted, shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER
from tiebreak.figures.drawing.plane import Marks, beside, key_at_side, key_under, label_texts
from tiebreak.figures.drawing.scene import Circle, Item, Line, Point, bounds
from tiebreak.wording import either, option

WIDTH, HEIGHT, RADIUS = 400.0, 270.0, 3.4
MOST_LABELLED, FIRST, FEWEST_NAMED = 25, 10, 5
"""Of more algorithms only the first so many and the front have labels: numbers on all would hide what is seen."""
DECADES = 100.0
"""Costs that differ by more than this factor stand on a logarithmic scale; else the cheap ones would be one heap."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CostPlane(Figure):
    """A cost plane as data; `algorithms` stand in the order found, so that the place is the position plus one.

    `costs` are means over the data sets, each cost as a share of the largest on its data set, as in the ordering;
    `front` marks the algorithms for which no other is at least as good in score and in cost and better in one.
    """

    KIND = "Cost plane"
    FOLDED = "Names"
    algorithms: tuple[str, ...]
    scores: tuple[float, ...]
    costs: tuple[float, ...]
    front: tuple[bool, ...]
    score_name: str
    cost_name: str
    higher_is_better: bool
    log_cost: bool

    def rows(self) -> Rows:
        """Return one row per algorithm in the order found."""
        places = range(1, len(self.algorithms) + 1)
        return rows_of(place=places, algorithm=self.algorithms, score=self.scores, cost=self.costs, pareto=self.front)

    def reading(self) -> str:
        """Say what the numbers and the line mean."""
        log = " The scale of costs is logarithmic." if self.log_cost else ""
        marks = "Filled marks on the line" if len(_distinct_front(self)) > 1 else "Filled marks"
        return (
            f"Numbers are places in the order. {marks}: no other algorithm is at"
            f" least as good in score and in cost and better in one of them (means; no test is made here).{log}"
        )

    def foldable(self) -> int:
        """Return how many have a name or a number; of the others there are dots alone."""
        return len(self._labelled())

    def fewest(self) -> int:
        """Return how many are named at the least."""
        return FEWEST_NAMED

    def lower(self) -> str:
        """Say what names fewer."""
        return f"{option(top=FIRST)} names the first {FIRST}" if self.foldable() > FIRST else ""

    def first(self, count: int) -> Self:
        """Return the plane with names of the first so many."""
        return replace(self, kept=self._labelled()[:count]) if not self.kept and count < self.foldable() else self

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axes, the front, marks and names."""
        score_name = f"mean {shown(self.score_name)} ({'higher' if self.higher_is_better else 'lower'} is better)"
        width, height = self._size(room)
        across = Scale.around(self.costs, 0.06, 0.0, width, log=self.log_cost)
        down = Scale.around(self.scores, 0.08, height, 0.0)
        points = [(across(c), down(s)) for c, s in zip(self.costs, self.scores, strict=True)]
        scale_word = ", logarithmic scale" if self.log_cost else ""
        cost_name = f"mean {shown(self.cost_name)}, share of the largest per data set (lower is better{scale_word})"
        limit = None if room is None else width
        items = axes(across, down, cost_name, fitted(score_name, TICK, height + 20), limit=limit)
        front_line = _steps([(across(c), down(s)) for c, s in _distinct_front(self)])
        items += [Line(front_line, colour=BLUE, width=1.2, opacity=0.6)] if front_line else []
        chosen = self._labelled()
        names = {i + 1: self.algorithms[i] for i in chosen}
        plane = Marks(
            points={i + 1: points[i] for i in chosen},
            names=names,
            lines=tuple(pairwise(front_line)),
            size=(width, height),
            radius=RADIUS + 1,
            small=[point for i, point in enumerate(points) if i not in chosen],
        )
        labels, key = beside(plane)
        items += _marks(self, points, chosen, {i: label for i, (label, _) in labels.items()})
        items += label_texts(labels, names)
        left = 0.0 if room is None else bounds(items)[0]
        items += legend_line(
            self._entries(chosen), left, bounds(items)[3] + 14, (width if room is None else room) + TICK
        )
        if not key:
            return items
        bold = {i + 1 for i in chosen if self.front[i]}
        if room is None:
            return items + key_at_side(names, bold, width, height)
        return items + key_under(names, bold, items, room)

    def _size(self, room: float | None) -> tuple[float, float]:
        if room is None:
            return WIDTH, HEIGHT
        down = Scale.around(self.scores, 0.08, HEIGHT, 0.0)
        ticks = max(text_width(words, TICK) for words in tick_texts(down.ticks()))
        width = room - ticks - TICK - 16
        return max(width, 120.0), min(max(0.72 * width, 150.0), HEIGHT)

    def _labelled(self) -> tuple[int, ...]:
        """Return who has a name or a number: all, the ones asked for, or of many the first and the front."""
        count = len(self.algorithms)
        if self.kept:
            return self.kept
        if count <= MOST_LABELLED:
            return tuple(range(count))
        front = [i for i in range(count) if self.front[i]]
        return tuple(sorted({*range(FIRST), *front[:MOST_LABELLED]}))

    def _entries(self, chosen: Sequence[int]) -> list[tuple[list[Item], str]]:
        entries: list[tuple[list[Item], str]] = [([_mark(0, 0, True)], "on the Pareto front")]
        if not all(self.front):
            entries.append(([_mark(0, 0, False)], "another is at least as good in both"))
        left = len(self.algorithms) - len(chosen)
        return entries + ([([_small(0, 0)], f"{left} other{'s' * (left > 1)}, without a number")] if left else [])


@as_came_in
def cost_plane(
    found: Ordering, *, cost: str | None = None, top: int | None = None, show: Sequence[str] = ()
) -> CostPlane:
    """Make the plane of mean score and mean cost of an ordering.

    Parameters
    ----------
    found : Ordering
        With at least one cost.
    cost : str, optional
        Which cost; the first by default.
    top, show : int and sequence of str, optional
        Name the first so many and those named; the others are small dots. Of more than 25 by default the first ten and
        the Pareto front are named.

    Returns
    -------
    CostPlane

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = cost_plane(tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time"))
    >>> [name for name, on in zip(figure.algorithms, figure.front) if on]
    ['svl', 'svr', '5nn', 'lnp', 'mlp']
    """
    if not found.costs:
        raise OptionError(
            "The ordering has no cost, only a given prior order.",
            why="The plane shows score against cost.",
            mend=f"Use {either('order(..., cost=name)', '--cost NAME')}.",
        )
    name = next(iter(found.costs)) if cost is None else check_choice("cost", cost, found.costs)
    index = [found.algorithms.index(each) for each in found.order]
    costs = tuple(float(found.costs[name][i]) for i in index)
    scores = tuple(float(found.scores[:, i].mean()) for i in index)
    higher = bool(found.score.higher_is_better)
    return CostPlane(
        algorithms=found.order,
        scores=scores,
        costs=costs,
        front=pareto_front(scores, costs, higher_is_better=higher),
        score_name=found.score.name,
        cost_name=name,
        higher_is_better=higher,
        log_cost=min(costs) > 0 and max(costs) / min(costs) > DECADES,
        kept=kept_of(found.order, top, show),
        **titled(found),
    )


def pareto_front(scores: tuple[float, ...], costs: tuple[float, ...], *, higher_is_better: bool) -> tuple[bool, ...]:
    """Mark those that no other equals in both and beats in one.

    Examples
    --------
    >>> pareto_front((0.9, 0.8, 0.7), (3.0, 1.0, 2.0), higher_is_better=True)
    (True, True, False)
    """
    losses = [-score if higher_is_better else score for score in scores]
    both = list(zip(losses, costs, strict=True))
    return tuple(not any(a <= x and b <= y and (a, b) != (x, y) for a, b in both) for x, y in both)


def _distinct_front(figure: CostPlane) -> list[Point]:
    """Return cost and score of the front, cheap ones first; two that lie on one another need no line between them."""
    columns = zip(figure.costs, figure.scores, figure.front, strict=True)
    return sorted({(cost, score) for cost, score, front in columns if front})


def _steps(front: list[Point]) -> tuple[Point, ...]:
    """Return the front as steps: at a cost, the best score that can be had."""
    corners = [corner for (_, y), (u, v) in pairwise(front) for corner in ((u, y), (u, v))]
    return (front[0], *corners) if corners else ()


def _mark(x: float, y: float, front: bool, title: str = "") -> Item:
    fill, colour = (BLUE, BLUE) if front else (PAPER, INK)
    return Circle(x, y, RADIUS, fill=fill, colour=colour, edge=1.1, title=title)


def _small(x: float, y: float, title: str = "") -> Item:
    return Circle(x, y, 1.7, fill=MUTED, title=title)


def _marks(figure: CostPlane, points: list[Point], chosen: Sequence[int], labels: dict[int, Label]) -> list[Item]:
    """Draw all algorithms; `labels` are by place."""
    items: list[Item] = []
    for i in sorted(range(len(points)), key=lambda i: figure.front[i]):  # nothing hides a mark of the front
        (x, y), name = points[i], shown(figure.algorithms[i])
        if i not in chosen:
            items.append(_small(x, y, name))
            continue
        leader = labels[i + 1].leader if i + 1 in labels else None
        items += [Line(leader, colour=MUTED, width=0.5)] if leader is not None else []
        items.append(_mark(x, y, figure.front[i], name))
    return items
