"""The cost plane: mean score against mean cost, with the algorithms that no other equals in both and beats in one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.errors import OptionError, unknown_name
from tiebreak.figures._axis import TICK, Scale, bottom_axis, left_axis, legend_line, spread
from tiebreak.figures._figure import Figure
from tiebreak.figures._labels import Label, place_labels
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import BLUE, INK, MUTED, PAPER
from tiebreak.figures._scene import Circle, Item, Line, Point, Text

if TYPE_CHECKING:
    from tiebreak.deciding.order import Ordering

WIDTH, HEIGHT, NAME, KEY, RADIUS = 400.0, 270.0, 8.5, 8.0, 3.4
DECADES = 100.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CostPlane(Figure):
    """A cost plane as data; `algorithms` stand in the order found, so that the place is the position plus one.

    `costs` are means over the data sets, each cost as a share of the largest on its data set, as in the ordering;
    `front` marks the algorithms for which no other is at least as good in score and in cost and better in one.
    """

    algorithms: tuple[str, ...]
    scores: tuple[float, ...]
    costs: tuple[float, ...]
    front: tuple[bool, ...]
    score_name: str
    cost_name: str
    higher_is_better: bool
    log_cost: bool
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Cost plane: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm in the order found."""
        columns = zip(self.algorithms, self.scores, self.costs, self.front, strict=True)
        return [
            {"place": i + 1, "algorithm": name, "score": score, "cost": cost, "pareto": front}
            for i, (name, score, cost, front) in enumerate(columns)
        ]

    def notes(self) -> list[str]:
        """Say what the numbers and the line mean."""
        log = " The scale of costs is logarithmic." if self.log_cost else ""
        marks = "Filled marks on the line" if _with_line(self) else "Filled marks"
        return [
            f"{shown(self.heading)}. Numbers are places in the order. {marks}: no other algorithm is at"
            f" least as good in score and in cost and better in one of them (means; no test is made here).{log}"
        ]

    def items(self) -> list[Item]:
        """Lay out axes, the front, marks and names."""
        return _layout(self)


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
    ['5nn', 'lnp', 'mlp', 'svl', 'svr']
    """
    if not found.costs:
        raise OptionError(
            "The ordering has no cost, only a given prior order.",
            why="The plane shows score against cost.",
            mend="Use order(..., cost=name).",
        )
    name = next(iter(found.costs)) if cost is None else cost
    if name not in found.costs:
        raise unknown_name("cost", name, found.costs)
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
        heading=found.title(),
        caveats=found.caveats,
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


def _with_line(figure: CostPlane) -> bool:
    """Say whether two marks or more on the front lie apart, so that a line joins them."""
    columns = zip(figure.scores, figure.costs, figure.front, strict=True)
    return len({(score, cost) for score, cost, front in columns if front}) > 1


def _layout(figure: CostPlane) -> list[Item]:
    low, high = spread(list(figure.scores), 0.08)
    down = Scale(low=low, high=high, start=HEIGHT, end=0.0)
    across = _cost_scale(figure)
    points = [(across(c), down(s)) for c, s in zip(figure.costs, figure.scores, strict=True)]
    scale_word = ", logarithmic scale" if figure.log_cost else ""
    better = "higher" if figure.higher_is_better else "lower"
    cost_name = f"mean {shown(figure.cost_name)}, share of the largest per data set (lower is better{scale_word})"
    items = bottom_axis(across, HEIGHT, cost_name, top=0.0)
    items += left_axis(down, 0.0, f"mean {shown(figure.score_name)} ({better} is better)", right=WIDTH)
    front_line = _front(figure, points)
    items += [Line(front_line, colour=BLUE, width=1.2, opacity=0.6)] if front_line else []
    labels, words, key = _labels(figure, points, list(pairwise(front_line)))
    for (x, y), name, front, label in zip(points, figure.algorithms, figure.front, labels, strict=True):
        if label.leader is not None:
            items.append(Line(label.leader, colour=MUTED, width=0.5))
        items.append(
            Circle(
                x, y, RADIUS, fill=BLUE if front else PAPER, colour=BLUE if front else INK, edge=1.1, title=shown(name)
            )
        )
    items += [
        Text(label.x, label.y, said, size=NAME, title=shown(name))
        for label, said, name in zip(labels, words, figure.algorithms, strict=True)
    ]
    return items + (_key(figure) if key else []) + _legend(figure)


def _cost_scale(figure: CostPlane) -> Scale:
    if figure.log_cost:
        room = (max(figure.costs) / min(figure.costs)) ** 0.06
        return Scale(low=min(figure.costs) / room, high=max(figure.costs) * room, start=0.0, end=WIDTH, log=True)
    low, high = spread(list(figure.costs), 0.06)
    return Scale(low=low, high=high, start=0.0, end=WIDTH)


def _labels(
    figure: CostPlane, points: list[Point], lines: list[tuple[Point, Point]]
) -> tuple[list[Label], list[str], bool]:
    """Put names beside the marks where they fit; else numbers there and the names into a key."""
    named = [f"{i + 1} {fitted(name, NAME, 130)}" for i, name in enumerate(figure.algorithms)]
    widths = [text_width(words, NAME) for words in named]
    inside = (2.0, 2.0, WIDTH - 2, HEIGHT - 2)
    if sum(widths) * NAME < 0.14 * WIDTH * HEIGHT and not any("…" in words for words in named):
        placed = place_labels(points, widths, NAME, inside, radius=RADIUS + 1, lines=lines)
        if placed is not None:
            return placed, named, False
    numbers = [str(i + 1) for i in range(len(points))]
    widths = [text_width(number, NAME) for number in numbers]
    placed = place_labels(points, widths, NAME, inside, radius=RADIUS + 1, lines=lines, patient=True)
    if placed is None:  # more marks than the plane can number: the key alone tells the order
        return [Label(x=x, y=y, leader=None) for x, y in points], [""] * len(points), True
    return placed, numbers, True


def _front(figure: CostPlane, points: list[Point]) -> tuple[Point, ...]:
    """Return the front as steps: at a cost, the best score that can be had."""
    on = sorted({point for point, front in zip(points, figure.front, strict=True) if front})
    track: list[Point] = []
    for x, y in on:
        if track:
            track.append((x, track[-1][1]))
        track.append((x, y))
    return tuple(track) if len(on) > 1 else ()


def _key(figure: CostPlane) -> list[Item]:
    """List the places and names on the right, in as many columns as the height asks for; bold on the front."""
    items: list[Item] = []
    row, per, x = KEY * 1.4, int((HEIGHT + 30) / (KEY * 1.4)), WIDTH + 16
    columns = list(zip(figure.algorithms, figure.front, strict=True))
    for start in range(0, len(columns), per):
        texts = [
            Text(x + 19, KEY * 0.8 + i * row, fitted(name, KEY, 250, bold=on), size=KEY, bold=on, title=shown(name))
            for i, (name, on) in enumerate(columns[start : start + per])
        ]
        items += texts
        items += [
            Text(x + 14, text.y, str(start + i + 1), size=KEY, anchor="end", colour=MUTED)
            for i, text in enumerate(texts)
        ]
        x = max(text.box()[2] for text in texts) + 14
    return items


def _legend(figure: CostPlane) -> list[Item]:
    entries: list[tuple[list[Item], str]] = [
        ([Circle(0, 0, RADIUS, fill=BLUE, colour=BLUE, edge=1.1)], "on the Pareto front"),
        ([Circle(0, 0, RADIUS, fill=PAPER, edge=1.1)], "another is at least as good in both"),
    ]
    shown_ones = [entry for entry, there in zip(entries, (True, not all(figure.front)), strict=True) if there]
    return legend_line(shown_ones, 0, HEIGHT + 42, WIDTH + TICK)
