"""The cost plane: mean score against mean cost, with the algorithms that no other equals in both and beats in one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tiebreak._checks import check_choice
from tiebreak.deciding.order import Ordering
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line
from tiebreak.figures.drawing.labels import Label, place_labels
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER
from tiebreak.figures.drawing.scene import Circle, Item, Line, Point, Text, numbered
from tiebreak.wording import either

WIDTH, HEIGHT, NAME, KEY, RADIUS, LONGEST = 400.0, 270.0, 8.5, 8.0, 3.4, 130.0
DECADES = 100.0
"""Costs that differ by more than this factor stand on a logarithmic scale; else the cheap ones would be one heap."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CostPlane(Figure):
    """A cost plane as data; `algorithms` stand in the order found, so that the place is the position plus one.

    `costs` are means over the data sets, each cost as a share of the largest on its data set, as in the ordering;
    `front` marks the algorithms for which no other is at least as good in score and in cost and better in one.
    """

    KIND = "Cost plane"
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

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out axes, the front, marks and names."""
        across = Scale.around(self.costs, 0.06, 0.0, WIDTH, log=self.log_cost)
        down = Scale.around(self.scores, 0.08, HEIGHT, 0.0)
        points = [(across(c), down(s)) for c, s in zip(self.costs, self.scores, strict=True)]
        scale_word = ", logarithmic scale" if self.log_cost else ""
        cost_name = f"mean {shown(self.cost_name)}, share of the largest per data set (lower is better{scale_word})"
        score_name = f"mean {shown(self.score_name)} ({'higher' if self.higher_is_better else 'lower'} is better)"
        items = axes(across, down, cost_name, score_name)
        front_line = _steps([(across(c), down(s)) for c, s in _distinct_front(self)])
        items += [Line(front_line, colour=BLUE, width=1.2, opacity=0.6)] if front_line else []
        labels, words, key = _labels(self, points, list(pairwise(front_line)))
        for (x, y), name, front, label in zip(points, self.algorithms, self.front, labels, strict=True):
            items += [Line(label.leader, colour=MUTED, width=0.5)] if label.leader is not None else []
            items.append(_mark(x, y, front, shown(name)))
        items += [
            Text(label.x, label.y, said, size=NAME, title=shown(name))
            for label, said, name in zip(labels, words, self.algorithms, strict=True)
        ]
        entries = [([_mark(0, 0, True)], "on the Pareto front")]
        entries += [([_mark(0, 0, False)], "another is at least as good in both")] if not all(self.front) else []
        return items + (_key(self) if key else []) + legend_line(entries, 0, HEIGHT + 42, WIDTH + TICK)


@as_came_in
def cost_plane(found: Ordering, *, cost: str | None = None) -> CostPlane:
    """Make the plane of mean score and mean cost of an ordering.

    Parameters
    ----------
    found : Ordering
        With at least one cost.
    cost : str, optional
        Which cost; the first by default.

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


def _labels(
    figure: CostPlane, points: list[Point], lines: list[tuple[Point, Point]]
) -> tuple[list[Label], list[str], bool]:
    """Put names beside the marks where they fit; else numbers there and the names into a key."""
    full = [f"{i + 1} {shown(name)}" for i, name in enumerate(figure.algorithms)]
    whole = all(text_width(shown(name), NAME) <= LONGEST for name in figure.algorithms)
    # where names would cover more than a seventh of the plane, no placing of them can be read
    few = whole and sum(text_width(words, NAME) for words in full) * NAME < 0.14 * WIDTH * HEIGHT
    numbers, inside = [str(i + 1) for i in range(len(points))], (2.0, 2.0, WIDTH - 2, HEIGHT - 2)
    for words, patient in ((full, False), (numbers, True)) if few else ((numbers, True),):
        widths = [text_width(each, NAME) for each in words]
        placed = place_labels(points, widths, NAME, inside, radius=RADIUS + 1, lines=lines, patient=patient)
        if placed is not None:
            return placed, words, words is numbers
    # more marks than the plane can number: the key alone tells the order
    return [Label(x=x, y=y, leader=None) for x, y in points], [""] * len(points), True


def _key(figure: CostPlane) -> list[Item]:
    """List the places and names on the right, in as many columns as the height asks for; bold on the front."""
    items: list[Item] = []
    row, per, x = KEY * 1.4, int((HEIGHT + 30) / (KEY * 1.4)), WIDTH + 16
    listed = list(enumerate(zip(figure.algorithms, figure.front, strict=True)))
    for start in range(0, len(listed), per):
        column = [
            numbered(i + 1, name, x, KEY * 0.8 + (i - start) * row, size=KEY, bold=on)
            for i, (name, on) in listed[start : start + per]
        ]
        items += [name for _, name in column] + [number for number, _ in column]
        x = max(name.box()[2] for _, name in column) + 14
    return items
