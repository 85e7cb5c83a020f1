"""The order graph: algorithms from cheap to costly, or in a given order, and arrows where a test overrode it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.figures._axis import TICK, legend_line
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width, wrapped
from tiebreak.figures._palette import BLUE, INK, LIGHT, MUTED, PAPER, VERMILION
from tiebreak.figures._scene import Area, Circle, Curve, Item, Line, Text

if TYPE_CHECKING:
    from tiebreak.deciding.order import Ordering
    from tiebreak.deciding.order._reasons import Reason

NAME, LONGEST, RADIUS, REASON, REASON_ROW = 9.0, 250.0, 6.8, 7.5, 11.0
MOST_WRAPPED, COUNTS = 16, 180.0
LEAST_SPAN, MOST_LEVEL, WIDEST_COLUMN = 430.0, 660.0, 700.0


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

    On one data set that is significantly better, over many significantly better placed; where the order before the
    tests was given, the cheaper one stands earlier in it.
    """

    cheaper: int
    costlier: int
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderGraph(Figure):
    """An order graph as data; `nodes` stand from cheap to costly, or in the given order where `by_cost` is false.

    `better_word` says in what the tests compare: "better" on one data set, "better placed" over many.
    """

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    heading: str
    alpha: float
    better_word: str
    by_cost: bool
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Order graph: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, the first by cost or in the given order on top."""
        return [{"algorithm": n.name, "place": n.place, "by": n.by, "reason": n.reason} for n in self.nodes]

    def notes(self) -> list[str]:
        """Say what arrows and numbers mean."""
        way = "From cheap (left) to costly" if self.by_cost else "From first (left) to last in the given order"
        return [f"{shown(self.heading)}. {way}; numbers are the final places. {self._arrow_words()}."]

    def _arrow_words(self) -> str:
        before, after = _sides(self)
        if not self.arrows:
            return f"No {after} algorithm is significantly {self.better_word} than {_a(before)} one"
        drawn = f"{len(self.arrows)} arrows lead" if len(self.arrows) != 1 else "One arrow leads"
        test = f"significantly {self.better_word} (alpha = {self.alpha:g})"
        return f"{drawn} from {_a(before)} algorithm to {_a(after)} one that is {test}"

    def items(self) -> list[Item]:
        """Lay out nodes, arrows, names and reasons."""
        return _layout(self)


def order_graph(found: Ordering) -> OrderGraph:
    """Make the graph of an ordering.

    Parameters
    ----------
    found : Ordering

    Returns
    -------
    OrderGraph

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.order(tb.published.ulas2012(), score="accuracy", cost="space")
    >>> figure = order_graph(found)
    >>> figure.nodes[0].name == found.prior[0], len(figure.arrows) == len(found.graph()[1])
    (True, True)
    """
    names, edges = found.graph()
    at = {name: i for i, name in enumerate(names)}
    reasons = {reason.algorithm: reason for reason in found.reasons}
    nodes = [_node_of(reasons[name]) for name in names]
    arrows = [Arrow(cheaper=at[e.cheaper], costlier=at[e.costlier], adjusted=e.adjusted) for e in edges]
    return OrderGraph(
        nodes=tuple(nodes),
        arrows=tuple(sorted(arrows, key=lambda arrow: (arrow.cheaper, arrow.costlier))),
        heading=found.title(),
        alpha=found.plan.alpha,
        better_word=found.words.better,
        by_cost=bool(found.costs),
        caveats=found.caveats,
    )


def _node_of(reason: Reason) -> Node:
    return Node(
        name=reason.algorithm,
        place=reason.place,
        by=reason.by,
        reason=reason.text,
        ahead=len(reason.ahead_of),
        behind=len(reason.behind),
    )


def _sides(figure: OrderGraph) -> tuple[str, str]:
    """Return how one is called that stands before another, and the other."""
    return ("cheaper", "costlier") if figure.by_cost else ("earlier", "later")


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _untested(figure: OrderGraph) -> str:
    return "by cost" if figure.by_cost else "by the given order"


def _layout(figure: OrderGraph) -> list[Item]:
    count = len(figure.nodes)
    names = [fitted(node.name, NAME, LONGEST) for node in figure.nodes]
    widest = max(text_width(words, NAME) for words in names)
    level = (widest + 10) * (count - 1) <= MOST_LEVEL
    span = LEAST_SPAN if count <= MOST_WRAPPED else max(LEAST_SPAN, 2 * (_name_column(figure.nodes) + COUNTS) - 28)
    gap = max(16.0, span / (count - 1), widest + 10 if level else 0.0)
    xs = [i * gap for i in range(count)]
    items = [item for arrow in figure.arrows for item in _arrow(arrow, xs, len(figure.arrows))]
    items.append(Line(((xs[0] - 14, 0), (xs[-1] + 14, 0)), colour=MUTED, width=0.6))
    for x, node, words in zip(xs, figure.nodes, names, strict=True):
        items += _node(x, node)
        base = RADIUS + 5
        if level:
            items.append(Text(x, base + NAME, words, anchor="middle", title=shown(node.name)))
        else:
            items.append(Text(x + 0.35 * NAME, base, words, anchor="end", upwards=True, title=shown(node.name)))
    under = RADIUS + 5 + (NAME + 8 if level else widest + 10)
    first, last = ("cheap", "costly") if figure.by_cost else ("first in the given order", "last")
    items.append(Text(xs[0] - 18, 0.35 * TICK, first, size=TICK, colour=MUTED, anchor="end"))
    items.append(Text(xs[-1] + 18, 0.35 * TICK, last, size=TICK, colour=MUTED))
    items += _legend(figure, xs[0] - 8, under + 8)
    return items + _reasons(figure, xs[0] - 14, under + 28, xs[-1] + 28)


def _legend(figure: OrderGraph, x: float, y: float) -> list[Item]:
    entries = []
    for by in _kinds(figure):
        marks = _node(0, Node(name="", place=0, by=by, reason=""))[:1]
        entries.append(([_small(mark) for mark in marks], f"place {_untested(figure) if by == 'cost' else 'by test'}"))
    return legend_line(entries, x, y, 400)


def _small(mark: Item) -> Item:
    return Circle(0, 0, 4, fill=mark.fill, colour=mark.colour, edge=mark.edge) if isinstance(mark, Circle) else mark


def _kinds(figure: OrderGraph) -> list[str]:
    return [by for by in ("cost", "test") if any(node.by == by for node in figure.nodes)]


def _node(x: float, node: Node) -> list[Item]:
    """Draw a node with its place: filled where a test decided it."""
    tested = node.by == "test"
    words = str(node.place)
    size = 7.5 if node.place < 100 else 6.0
    return [
        Circle(x, 0, RADIUS, fill=BLUE if tested else PAPER, colour=BLUE if tested else INK, edge=1.0),
        Text(x, 0.36 * size, words, size=size, anchor="middle", bold=True, colour=LIGHT if tested else INK),
    ]


def _arrow(arrow: Arrow, xs: list[float], many: int) -> list[Item]:
    """Draw an arc above the line with its head at the costlier one; the more there are, the fainter."""
    a, b = xs[arrow.cheaper], xs[arrow.costlier]
    height = 12 + min(0.32, 150.0 / (xs[-1] - xs[0])) * (b - a)
    seen = 0.9 if many <= 20 else max(0.2, 0.9 * (20 / many) ** 0.5)
    start, end = (a + 2, -RADIUS - 0.5), (b - 2, -RADIUS - 0.5)
    lift = -RADIUS - height * 4 / 3
    lean = (b - a) * 0.12
    curve = Curve((start, (a + lean, lift), (b - lean, lift), (end[0], end[1] - 4)), colour=VERMILION, opacity=seen)
    head = Area((end, (end[0] - 2.6, end[1] - 6), (end[0] + 2.6, end[1] - 6)), fill=VERMILION, opacity=max(seen, 0.5))
    return [curve, head]


def _reasons(figure: OrderGraph, left: float, top: float, span: float) -> list[Item]:
    """List the places with what decided each, in one column or two."""
    nodes = sorted(figure.nodes, key=lambda node: node.place)
    if len(nodes) <= MOST_WRAPPED:
        said = [_untested(figure) if node.by == "cost" else f"by test: {node.reason}" for node in nodes]
        return _wrapped_reasons(nodes, said, left, top, min(max(span, LEAST_SPAN), WIDEST_COLUMN))
    names = [fitted(node.name, REASON, LONGEST, bold=True) for node in nodes]
    first = _name_column(nodes)
    per, wide = -(-len(nodes) // 2), max(span / 2, first + COUNTS)
    items: list[Item] = []
    for i, (node, name) in enumerate(zip(nodes, names, strict=True)):
        column, row = divmod(i, per)
        x, y = left + column * wide, top + row * REASON_ROW
        items += _numbered(node, name, x, y)
        items.append(Text(x + first, y, _counts(figure, node), size=REASON, colour=MUTED, title=shown(node.reason)))
    return items


def _name_column(nodes: Sequence[Node]) -> float:
    return max(text_width(fitted(node.name, REASON, LONGEST, bold=True), REASON, bold=True) for node in nodes) + 27


def _wrapped_reasons(nodes: list[Node], said: list[str], left: float, top: float, span: float) -> list[Item]:
    """List places, names and whole reasons, the reasons as a column of their own."""
    names = [fitted(node.name, REASON, span * 0.45, bold=True) for node in nodes]
    second = left + 19 + max(text_width(name, REASON, bold=True) for name in names) + 8
    items: list[Item] = []
    y = top
    for node, name, words in zip(nodes, names, said, strict=True):
        items += _numbered(node, name, left, y)
        for line in wrapped(words, REASON, left + span - second):
            items.append(Text(second, y, line, size=REASON, colour=MUTED))
            y += REASON_ROW
    return items


def _numbered(node: Node, name: str, x: float, y: float) -> list[Item]:
    return [
        Text(x + 14, y, str(node.place), size=REASON, anchor="end", colour=MUTED),
        Text(x + 19, y, name, size=REASON, bold=True, title=shown(node.name)),
    ]


def _counts(figure: OrderGraph, node: Node) -> str:
    if node.by == "cost":
        return _untested(figure)
    before, after = _sides(figure)
    parts = [f"past {node.ahead} {before}"] * (node.ahead > 0) + [f"behind {node.behind} {after}"] * (node.behind > 0)
    return f"by test: {', '.join(parts)}"
