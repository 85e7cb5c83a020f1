"""The graph of MultiTest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import (
    GAP,
    MANY,
    Ladder,
    divided,
    letters_of,
    row_height,
    slots,
)
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, PAPER, VERMILION
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, Text, bounds
from tiebreak.figures.drawing.text import shown, text_width, wrapped
from tiebreak.figures.figure import Figure, Rows, titled
from tiebreak.figures.members import folded_words, kept_of
from tiebreak.ordering import Ordering
from tiebreak.wording import either, option

ROW, USUAL, MOST_REASONS = 13.0, 240.0, 6


def order_rows(figure: OrderGraph, room: float | None) -> list[Item]:
    """Lay out a row per algorithm in the order found, and beside it its place before the tests."""
    nodes = sorted(figure.nodes, key=lambda node: node.place)
    before = {node.name: i for i, node in enumerate(figure.nodes)}
    rows = len(slots(len(nodes), figure.kept))
    row = ROW if rows <= 45 else 10.0
    size = letters_of(row_height(rows, row, room), TICK - 0.5)
    number = text_width(str(len(nodes)), size, bold=True) + 5
    counts = max(text_width(word, size) for word in ("past", "behind", "999")) + 5
    # where no test moved anybody there is nothing to count
    columns = 2 if any(node.by == "test" for node in nodes) else 0
    ladder, width = divided(
        [node.name for node in nodes],
        figure.kept,
        room=room,
        row=row,
        usual=USUAL,
        beside=number + columns * counts,
        least=70.0,
        share=0.4 if rows <= MANY else 0.36,
        most=2 if len(nodes) > 25 else 3,
    )
    scale = Scale(low=0.3, high=len(nodes) + 0.7, start=number, end=number + width, whole=True)
    words = "place by cost, cheap to costly" if figure.by_cost else "place in the given order"
    items: list[Item] = ladder.texts(-GAP)
    items += bottom_axis(scale, ladder.bottom + 2, words, top=-2, count=5, limit=width, left=-GAP - ladder.wide)
    spots = {nodes[i].name: (scale(before[nodes[i].name] + 1), y) for i, y in ladder.rows()}
    items += _waits(figure, spots) + _marks(nodes, ladder, spots, number, scale.end)
    items += _counts(nodes, ladder, counts, scale.end) if columns else []
    entries: list[tuple[list[Item], str]] = [
        ([_mark(0, 0, tested=by == "test")], f"place {text}")
        for by, text in (("cost", figure.untested()), ("test", "by test"))
        if any(node.by == by for node in nodes)
    ]
    if any(arrow.decides for arrow in figure.arrows):
        entries.append(([Line(((-6, 0), (6, 0)), colour=VERMILION, width=0.9)], "waits for it"))
    left = -GAP - ladder.wide
    reach = scale.end + columns * counts - left
    items += legend_line(entries, left, bounds(items)[3] + 15, reach)
    items += ladder.key(left, bounds(items)[3] + 5, reach)
    if len(nodes) > MOST_REASONS or not columns:
        return items
    down = bounds(items)[3] + 14
    return items + [text.moved(0, down) for text in _reasons(figure, nodes, left, reach)]


def _mark(x: float, y: float, *, tested: bool, title: str = "") -> Circle:
    fill, colour = (BLUE, BLUE) if tested else (PAPER, INK)
    return Circle(x, y, 2.4, fill=fill, colour=colour, edge=0.9, title=title)


def _waits(figure: OrderGraph, spots: dict[str, Point]) -> list[Item]:
    """Lead from every algorithm to the last one that it has to wait for; the other tests change nothing."""
    items: list[Item] = []
    names = [node.name for node in figure.nodes]
    for arrow in figure.arrows:
        start, end = spots.get(names[arrow.cheaper]), spots.get(names[arrow.costlier])
        if not arrow.decides or start is None or end is None:
            continue
        length = math.dist(start, end) or 1.0
        dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        tip = (end[0] - 3.0 * dx, end[1] - 3.0 * dy)
        back = (tip[0] - 4.2 * dx, tip[1] - 4.2 * dy)
        items.append(Line((start, back), colour=VERMILION, width=0.9, opacity=0.8))
        sides = ((back[0] - 1.8 * dy, back[1] + 1.8 * dx), (back[0] + 1.8 * dy, back[1] - 1.8 * dx))
        items.append(Area((tip, *sides), fill=VERMILION))
    return items


def _marks(nodes: list[Node], ladder: Ladder, spots: dict[str, Point], number: float, right: float) -> list[Item]:
    """Draw places and marks."""
    items: list[Item] = []
    size = min(TICK - 0.5, ladder.size)
    for i, y in ladder.rows():
        node, (x, _) = nodes[i], spots[nodes[i].name]
        base = y + 0.35 * size
        items.append(Line(((number, y), (right, y)), colour=PALE, width=0.4))
        items.append(Text(number - 5, base, str(node.place), size=size, anchor="end", bold=True))
        items.append(_mark(x, y, tested=node.by == "test", title=shown(f"{node.name}: {node.reason}")))
    return items


def _counts(nodes: list[Node], ladder: Ladder, wide: float, right: float) -> list[Item]:
    """Write how many cheaper ones each passed, and how many costlier ones stand before it."""
    items: list[Item] = []
    size = min(TICK - 0.5, ladder.size)
    for column, words in ((1, "past"), (2, "behind")):
        items.append(Text(right + column * wide, -6, words, size=size, anchor="end", colour=MUTED))
    for i, y in ladder.rows():
        for column, value in ((1, nodes[i].ahead), (2, nodes[i].behind)):
            words = str(value) if value else "\N{MIDDLE DOT}"
            items.append(Text(right + column * wide, y + 0.35 * size, words, size=size, anchor="end", colour=MUTED))
    return items


def _reasons(figure: OrderGraph, nodes: list[Node], left: float, width: float) -> list[Item]:
    """Few enough reasons are written out."""
    items: list[Item] = []
    y = 0.0
    for node in nodes:
        words = figure.untested() if node.by == "cost" else f"by test: {node.reason}"
        for i, line in enumerate(wrapped(f"{node.place}  {words}", TICK - 0.5, width - 8)):
            items.append(Text(left + 8 * (i > 0), y, line, size=TICK - 0.5, colour=MUTED))
            y += 10.0
    return items


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An algorithm: its final place, what decided it ("test" or "cost"), and the reason in words.

    `ahead` counts the cheaper ones it stands before, `behind` the costlier ones before it.
    """

    name: str
    place: int
    by: str
    reason: str
    ahead: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """From a cheaper algorithm to a costlier one that a test found better; they index the nodes.

    By Multi2Test that is significantly better placed; where the order before the tests was given, the cheaper one
    stands earlier in it. `decides` marks the last costlier one that a cheaper one has to wait for: without the other
    arrows the order would be the same.
    """

    cheaper: int
    costlier: int
    adjusted: float
    decides: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderGraph(Figure):
    """An order graph as data; `nodes` stand from cheap to costly, or in the given order where `by_cost` is false.

    `better_word` says in what the tests compare: "better", or by Multi2Test "better placed".
    """

    KIND = "Order graph"
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    alpha: float
    better_word: str
    by_cost: bool

    def rows(self) -> Rows:
        """Return one row per algorithm, the first by cost or in the given order on top."""
        return [{"algorithm": n.name, "place": n.place, "by": n.by, "reason": n.reason} for n in self.nodes]

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.nodes)

    def reading(self) -> str:
        """Say what arrows and numbers mean."""
        way = "Rows stand in the order found; a mark lies at the place before the tests"
        before, after = self.sides()
        folded = folded_words(len(self.nodes), self.kept)
        if all(node.by == "cost" for node in self.nodes):
            return f"{way}. {self._arrow_words()}: every place is {self.untested()}.{folded}"
        way += f". Past: how many {before} ones it passed; behind: how many {after} ones stand before it"
        return f"{way}. {self._arrow_words()}.{folded}"

    def _arrow_words(self) -> str:
        before, after = self.sides()
        if not self.arrows:
            return f"No {after} algorithm is significantly {self.better_word} than {_a(before)} one"
        drawn = f"{len(self.arrows)} arrows lead" if len(self.arrows) != 1 else "One arrow leads"
        places = [node.place - 1 for node in self.nodes]
        seen = set(self.kept or places)
        deciding = sum(
            arrow.decides and {places[arrow.cheaper], places[arrow.costlier]} <= seen for arrow in self.arrows
        )
        if deciding < len(self.arrows):
            what = "those that decide the order" + (
                " between algorithms that are drawn" if 0 < len(self.kept) < len(self.nodes) else ""
            )
            drawn = f"{deciding} of {len(self.arrows)} arrows are drawn, {what}: each leads"
        test = f"significantly {self.better_word} (alpha = {self.alpha:g})"
        return f"{drawn} from {_a(before)} algorithm to {_a(after)} one that is {test}"

    def sides(self) -> tuple[str, str]:
        """Return how one is called that stands before another, and the other."""
        return ("cheaper", "costlier") if self.by_cost else ("earlier", "later")

    def untested(self) -> str:
        """Say what puts an algorithm where no test moved it."""
        return "by cost" if self.by_cost else "by the given order"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out a row per algorithm: its name, its place before the tests, what it waits for, and reasons of few."""
        return order_rows(self, room)


@as_came_in
def order_graph(ordering: Ordering, *, top: int | None = None, show: Sequence[str] = ()) -> OrderGraph:
    """Make the graph of an ordering.

    Parameters
    ----------
    ordering : Ordering
        By the rule "multitest" or "multi2test".
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, and fold the rest.

    Returns
    -------
    OrderGraph

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = tb.order(tb.published.ulas2012(), score="accuracy", cost="space", rule="multitest")
    >>> figure = order_graph(result)
    >>> figure.nodes[0].name == result.prior[0], len(figure.arrows) == len(result.graph()[1])
    (True, True)
    """
    if ordering.rule == "worth":
        raise OptionError(
            "The ordering is by worth, which no test overrides.",
            why="The order graph shows where tests overrode cost.",
            mend="Use "
            + either(
                'rule="multitest", or draw figure("frontier")',
                f"{option(rule='multitest')}, or draw the figure frontier",
            )
            + ".",
        )
    names, edges = ordering.graph()
    at = {name: i for i, name in enumerate(names)}
    reasons = {reason.algorithm: reason for reason in ordering.reasons}
    nodes = [
        Node(name=name, place=r.place, by=r.by, reason=r.text, ahead=len(r.ahead_of), behind=len(r.behind))
        for name, r in ((name, reasons[name]) for name in names)
    ]
    pairs = [(at[e.cheaper], at[e.costlier], e.adjusted) for e in edges]
    last = _last_waits(nodes, [(a, b) for a, b, _ in pairs])
    arrows = [Arrow(cheaper=a, costlier=b, adjusted=p, decides=last.get(a) == b) for a, b, p in pairs]
    return OrderGraph(
        nodes=tuple(nodes),
        arrows=tuple(sorted(arrows, key=lambda arrow: (arrow.cheaper, arrow.costlier))),
        alpha=ordering.plan.alpha,
        better_word=ordering.standing.words.better,
        by_cost=bool(ordering.costs),
        kept=kept_of(ordering.order, top, show),
        **titled(ordering),
    )


def _last_waits(nodes: Sequence[Node], pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return for every node that has to wait the last of the costlier ones that it waits for.

    An algorithm may be placed as soon as all that were found better than it are: the last of them alone decides.
    """
    last: dict[int, int] = {}
    for cheaper, costlier in pairs:
        if cheaper not in last or nodes[costlier].place > nodes[last[cheaper]].place:
            last[cheaper] = costlier
    return last


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
