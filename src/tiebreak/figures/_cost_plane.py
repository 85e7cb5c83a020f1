"""The cost plane: mean score against mean cost, with the algorithms that no other equals in both and beats in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tiebreak._checks import check_choice
from tiebreak.deciding.order import Ordering
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures._folding import kept_of
from tiebreak.figures.drawing.axis import TICK, Scale, axes, legend_line, tick_texts
from tiebreak.figures.drawing.labels import Label, place_labels
from tiebreak.figures.drawing.metrics import drawn_size, fitted, shown, text_width
from tiebreak.figures.drawing.names import LEADING, name_lines, stacked
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PAPER
from tiebreak.figures.drawing.scene import Circle, Item, Line, Point, Text, bounds, numbered
from tiebreak.wording import either

WIDTH, HEIGHT, NAME, KEY, RADIUS, LONGEST = 400.0, 270.0, 8.5, 8.0, 3.4, 130.0
MOST_LABELLED, FIRST = 25, 10
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
        plane = _Plane(points=points, chosen=chosen, lines=tuple(pairwise(front_line)), size=(width, height))
        labels, words, key = _labels(self, plane)
        items += _marks(self, points, chosen, labels)
        items += [
            Text(labels[i].x, labels[i].y, said, size=NAME, title=shown(self.algorithms[i]))
            for i, said in words.items()
        ]
        left = 0.0 if room is None else bounds(items)[0]
        items += legend_line(
            self._entries(chosen), left, bounds(items)[3] + 14, (width if room is None else room) + TICK
        )
        if not key:
            return items
        return items + (_key(self, chosen, width, height) if room is None else _key_under(self, chosen, items, room))

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plane:
    """What labels are placed on: all points, those that have a label, the lines of the front, and the size."""

    points: list[Point]
    chosen: tuple[int, ...]
    lines: tuple[tuple[Point, Point], ...]
    size: tuple[float, float]


def _marks(figure: CostPlane, points: list[Point], chosen: Sequence[int], labels: dict[int, Label]) -> list[Item]:
    items: list[Item] = []
    for i in sorted(range(len(points)), key=lambda i: figure.front[i]):  # nothing hides a mark of the front
        (x, y), name = points[i], shown(figure.algorithms[i])
        if i not in chosen:
            items.append(_small(x, y, name))
            continue
        leader = labels[i].leader if i in labels else None
        items += [Line(leader, colour=MUTED, width=0.5)] if leader is not None else []
        items.append(_mark(x, y, figure.front[i], name))
    return items


def _labels(figure: CostPlane, plane: _Plane) -> tuple[dict[int, Label], dict[int, str], bool]:
    """Put names beside the marks where they fit; else numbers there and the names into a key.

    A label that would stand on a line or on another one is left out: the key has it all the same.
    """
    wide, high = plane.size
    chosen = plane.chosen
    full = [f"{i + 1} {shown(figure.algorithms[i])}" for i in chosen]
    whole = all(text_width(words, NAME) <= min(LONGEST, 0.5 * wide) for words in full)
    # where names would cover more than a seventh of the plane, no placing of them can be read
    few = whole and sum(text_width(words, NAME) for words in full) * NAME < 0.14 * wide * high
    numbers, inside = [str(i + 1) for i in chosen], (2.0, 2.0, wide - 2, high - 2)
    # those without a label come last: nothing may stand on their marks either
    points = [plane.points[i] for i in chosen]
    others = [((x - 1.5, y), (x + 1.5, y)) for i, (x, y) in enumerate(plane.points) if i not in set(chosen)]
    for words in (full, numbers) if few else (numbers,):
        widths = [text_width(each, NAME) for each in words]
        lines = [*plane.lines, *others]
        placed = place_labels(points, widths, NAME, inside, radius=RADIUS + 1, lines=lines, patient=words is numbers)
        if placed is not None:
            pairs = [
                (i, label, said) for i, label, said in zip(chosen, placed, words, strict=True) if label is not None
            ]
            return {i: label for i, label, _ in pairs}, {i: said for i, _, said in pairs}, words is numbers
    return {}, {}, True


def _key(figure: CostPlane, chosen: Sequence[int], width: float, height: float) -> list[Item]:
    """List the places and names on the right, in as many columns as the height asks for; bold on the front."""
    items: list[Item] = []
    row, per, x = KEY * 1.4, int((height + 30) / (KEY * 1.4)), width + 16
    for start in range(0, len(chosen), per):
        column = [
            numbered(i + 1, figure.algorithms[i], x, KEY * 0.8 + at * row, size=KEY, bold=figure.front[i])
            for at, i in enumerate(chosen[start : start + per])
        ]
        items += [name for _, name in column] + [number for number, _ in column]
        x = max(name.box()[2] for _, name in column) + 14
    return items


def _key_under(figure: CostPlane, chosen: Sequence[int], items: list[Item], room: float) -> list[Item]:
    """List the places and names under the plane, in as many columns as have room; long names are broken."""
    left, _, _, bottom = bounds(items)
    widths = [text_width(shown(figure.algorithms[i]), KEY, bold=figure.front[i]) for i in chosen]
    columns = max(1, min(4, int(room // (min(max(widths), room - 19) + 27))))
    if columns == 1 and len(chosen) > 6 and room > 180:
        columns = 2
    pitch, listed = room / columns, []
    for i in chosen:
        lines, _ = name_lines(figure.algorithms[i], KEY, pitch - 27, 1000, bold=figure.front[i])
        listed.append((i, lines))
    per, made = -(-len(listed) // columns), list[Item]()
    for column in range(columns):
        y, x = bottom + 5, left + column * pitch
        for i, lines in listed[column * per : (column + 1) * per]:
            number = stacked([str(i + 1)], x + 14, y, size=KEY, anchor="end", colour=MUTED)
            name = stacked(lines, x + 19, y, size=KEY, bold=figure.front[i], title=shown(figure.algorithms[i]))
            made += [*number, *name]
            y += LEADING * drawn_size(KEY) * len(lines) + 1.5
    return made
