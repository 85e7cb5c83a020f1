"""The graph of MultiTest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import (
    GAP,
    LEADING,
    MANY,
    Ladder,
    divided,
    letters_of,
    name_lines,
    row_height,
    slots,
    stacked,
)
from tiebreak.figures.drawing.palette import BLUE, INK, LIGHT, MUTED, PALE, PAPER, VERMILION, solid
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Curve, Item, Line, Point, Text, bounds, named, numbered
from tiebreak.figures.drawing.text import drawn_size, shown, text_width, wrapped
from tiebreak.figures.figure import Figure, Rows, titled
from tiebreak.figures.members import folded_words, kept_of
from tiebreak.ordering import Ordering
from tiebreak.wording import either

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
        ([_mark(0, 0, tested=by == "test")], f"place {said}")
        for by, said in (("cost", figure.untested()), ("test", "by test"))
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


RADIUS, REASON, REASON_ROW = 6.8, 7.5, 11.0
MOST_WRAPPED, COUNTS = 16, 180.0
"""Reasons are written out for so many algorithms; beyond, they are counted, in two columns that wide."""
MOST_LINES = 30
"""Reasons that take more lines than that are counted too: the list would be larger than the graph."""
LEAST_SPAN, MOST_LEVEL, WIDEST_COLUMN = 430.0, 660.0, 700.0
MOST_ACROSS, MOST_ARROWS, LEAST_ACROSS, MOST_HEAD = 25, 24, 400.0, 3
"""Algorithms side by side and arrows at the most, and the least room for them; else every algorithm has a row. A name
under its disc has so many lines at the most."""


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

    def closer(self) -> Self:
        """Return the graph with a row for each algorithm, which is lower than one across with its reasons."""
        return self if self._as_rows() else replace(self, kept=tuple(range(len(self.nodes))))

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.nodes)

    def reading(self) -> str:
        """Say what arrows and numbers mean."""
        way = "From cheap (left) to costly" if self.by_cost else "From first (left) to last in the given order"
        folded = folded_words(len(self.nodes), self.kept)
        if self._as_rows():
            way = "Rows stand in the order found; a mark lies at the place before the tests"
            before, after = self.sides()
            if all(node.by == "cost" for node in self.nodes):
                return f"{way}. {self._arrow_words()}: every place is {self.untested()}.{folded}"
            way += f". Past: how many {before} ones it passed; behind: how many {after} ones stand before it"
            return f"{way}. {self._arrow_words()}.{folded}"
        return f"{way}; numbers are the final places. {self._arrow_words()}."

    def _few(self) -> bool:
        """Say whether only the arrows that decide the order are drawn."""
        return len(self.arrows) > MOST_ARROWS or self._as_rows()

    def _as_rows(self) -> bool:
        """Say whether every algorithm has a row, as the words under the figure must know before it is laid out."""
        narrow = self.sheet.width is not None and self.sheet.width * 9.0 / self.sheet.sizes()[0] < LEAST_ACROSS
        return (
            bool(self.kept) or len(self.nodes) > (MOST_ACROSS if self.sheet.width is None else MOST_WRAPPED) or narrow
        )

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
        if self._few() and deciding < len(self.arrows):
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
        """Lay out nodes, arrows, names and reasons."""
        count = len(self.nodes)
        most = MOST_ACROSS if room is None else MOST_WRAPPED
        if self.kept or count > most or (room is not None and room < LEAST_ACROSS - 4):
            return order_rows(self, room)
        widest = max(named(0, 0, node.name).box()[2] for node in self.nodes)
        free = None if room is None else room - self._ends()
        level = (widest + 10) * (count - 1) <= (MOST_LEVEL if free is None else free - widest / 2)
        heads: list[tuple[str, ...]] = [(shown(node.name),) for node in self.nodes]
        if not level and free is not None and (broken := _level_heads(self.nodes, free / (count - 1) - 16)):
            level, heads = True, broken
            widest = max(text_width(line, NAME) for lines in heads for line in lines)
        span = LEAST_SPAN if count <= MOST_WRAPPED else max(LEAST_SPAN, 2 * (_name_column(self.nodes) + COUNTS) - 28)
        span = span if free is None else free - (max(0.0, widest - 90) if level else 0.0)
        gap = max(16.0, span / (count - 1), widest + 10 if level else 0.0)
        xs = [i * gap for i in range(count)]
        drawn = [arrow for arrow in self.arrows if arrow.decides or len(self.arrows) <= MOST_ARROWS]
        items = [item for arrow in drawn for item in _arrow(arrow, xs, len(drawn))]
        items.append(Line(((xs[0] - 14, 0), (xs[-1] + 14, 0)), colour=MUTED, width=0.6))
        base = RADIUS + 5
        for x, node, lines in zip(xs, self.nodes, heads, strict=True):
            items += [*_node(x, node), *_name(x, base, node, lines, level)]
        under = base + (LEADING * drawn_size(NAME) * max(map(len, heads)) + 7 if level else widest + 10)
        first, last = ("cheap", "costly") if self.by_cost else ("first in the given order", "last")
        items.append(Text(xs[0] - 18, 0.35 * TICK, first, size=TICK, colour=MUTED, anchor="end"))
        items.append(Text(xs[-1] + 18, 0.35 * TICK, last, size=TICK, colour=MUTED))
        kinds = {"cost": self.untested(), "test": "by test"}
        seen = {node.by for node in self.nodes}
        entries = [([_disc(0, 4, by == "test")], f"place {words}") for by, words in kinds.items() if by in seen]
        items += legend_line(entries, xs[0] - 8, under + 8, 400)
        if room is None:
            return items + _graph_reasons(self, xs[0] - 14, under + 28, xs[-1] + 28)
        left = bounds(items)[0]
        return items + _wrapped_reasons(self, sorted(self.nodes, key=_place), left, under + 28, room)

    def _ends(self) -> float:
        """Return what the words at both ends of the line take."""
        first, last = ("cheap", "costly") if self.by_cost else ("first in the given order", "last")
        return text_width(first, TICK) + text_width(last, TICK) + 36


@as_came_in
def order_graph(found: Ordering, *, top: int | None = None, show: Sequence[str] = ()) -> OrderGraph:
    """Make the graph of an ordering.

    Parameters
    ----------
    found : Ordering
        By the rule "multitest" or "multi2test".
    top, show : int and sequence of str, optional
        Draw the first so many and those named, and fold the others.

    Returns
    -------
    OrderGraph

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.order(tb.published.ulas2012(), score="accuracy", cost="space", rule="multitest")
    >>> figure = order_graph(found)
    >>> figure.nodes[0].name == found.prior[0], len(figure.arrows) == len(found.graph()[1])
    (True, True)
    """
    if found.rule == "worth":
        raise OptionError(
            "The ordering is by worth, which no test overrides.",
            why="The order graph shows where tests overrode cost.",
            mend="Use "
            + either('rule="multitest", or draw figure("frontier")', "--rule multitest, or draw the figure frontier")
            + ".",
        )
    names, edges = found.graph()
    at = {name: i for i, name in enumerate(names)}
    reasons = {reason.algorithm: reason for reason in found.reasons}
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
        alpha=found.plan.alpha,
        better_word=found.standing.words.better,
        by_cost=bool(found.costs),
        kept=kept_of(found.order, top, show),
        **titled(found),
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


def _level_heads(nodes: Sequence[Node], limit: float) -> list[tuple[str, ...]]:
    """Break names into lines that stand level under their discs; none where a word is too long, or lines too many."""
    longest = max(text_width(word, NAME) for node in nodes for word in shown(node.name).split())
    if longest > limit:
        return []
    heads = [name_lines(node.name, NAME, limit, MOST_HEAD) for node in nodes]
    return [] if any(cut for _, cut in heads) else [lines for lines, _ in heads]


def _name(x: float, top: float, node: Node, lines: tuple[str, ...], level: bool) -> list[Item]:
    """Write a name under its disc, upright where it has no room."""
    if not level:
        return [named(x + 0.35 * NAME, top, node.name, anchor="end", upwards=True)]
    if len(lines) == 1:
        return [named(x, top + NAME, node.name, anchor="middle")]
    return [*stacked(lines, x, top + 1, size=NAME, anchor="middle", title=shown(node.name))]


def _place(node: Node) -> int:
    return node.place


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _disc(x: float, radius: float, tested: bool) -> Circle:
    """Draw the disc of a node: filled where a test decided its place."""
    fill, colour = (solid(BLUE), BLUE) if tested else (PAPER, INK)
    return Circle(x, 0, radius, fill=fill, colour=colour, edge=1.0)


def _node(x: float, node: Node) -> list[Item]:
    tested = node.by == "test"
    size = 7.5 if node.place < 100 else 6.0  # three digits must stay inside the disc
    ink = LIGHT if tested else INK
    place = Text(x, 0.36 * size, str(node.place), size=size, anchor="middle", bold=True, colour=ink)
    return [_disc(x, RADIUS, tested), place]


def _arrow(arrow: Arrow, xs: list[float], many: int) -> list[Item]:
    """Draw an arc above the line with its head at the costlier one; the more there are, the fainter."""
    a, b = xs[arrow.cheaper], xs[arrow.costlier]
    # long arcs rise higher, so that they do not run on one another, but never beyond a fixed height
    height = 12 + min(0.32, min(150.0, 30.0 + 18.0 * len(xs)) / (xs[-1] - xs[0])) * (b - a)
    seen = 0.9 if many <= 20 else max(0.2, 0.9 * (20 / many) ** 0.5)
    start, end = (a + 2, -RADIUS - 0.5), (b - 2, -RADIUS - 0.5)
    lift = -RADIUS - height * 4 / 3
    lean = (b - a) * 0.12
    curve = Curve((start, (a + lean, lift), (b - lean, lift), (end[0], end[1] - 4)), colour=VERMILION, opacity=seen)
    head = Area((end, (end[0] - 2.6, end[1] - 6), (end[0] + 2.6, end[1] - 6)), fill=VERMILION, opacity=max(seen, 0.5))
    return [curve, head]


def _graph_reasons(figure: OrderGraph, left: float, top: float, span: float) -> list[Item]:
    """List the places with what decided each, in one column or two."""
    nodes = sorted(figure.nodes, key=lambda node: node.place)
    if len(nodes) <= MOST_WRAPPED:
        return _wrapped_reasons(figure, nodes, left, top, min(max(span, LEAST_SPAN), WIDEST_COLUMN))
    first = _name_column(nodes)
    per, wide = -(-len(nodes) // 2), max(span / 2, first + COUNTS)
    items: list[Item] = []
    for i, node in enumerate(nodes):
        column, row = divmod(i, per)
        x, y = left + column * wide, top + row * REASON_ROW
        items += numbered(node.place, node.name, x, y, size=REASON, bold=True)
        items.append(
            Text(x + first, y, _graph_counts(figure, node), size=REASON, colour=MUTED, title=shown(node.reason))
        )
    return items


def _name_column(nodes: Sequence[Node]) -> float:
    """Measured with the widths of the letters, as no renderer is there yet to ask."""
    return max(named(0, 0, node.name, size=REASON, bold=True).box()[2] for node in nodes) + 27


def _wrapped_reasons(figure: OrderGraph, nodes: list[Node], left: float, top: float, span: float) -> list[Item]:
    """List places, names and reasons, the reasons as a column of their own: whole unless they would fill the page."""
    lines = [numbered(node.place, node.name, left, 0, size=REASON, limit=span * 0.45, bold=True) for node in nodes]
    second = max(left + 19, *(name.box()[2] for _, name in lines)) + 8
    told = [figure.untested() if node.by == "cost" else f"by test: {node.reason}" for node in nodes]
    parts = [wrapped(words, REASON, left + span - second) for words in told]
    if sum(map(len, parts)) > MOST_LINES:
        parts = [wrapped(_graph_counts(figure, node), REASON, left + span - second) for node in nodes]
    items: list[Item] = []
    y = top
    for node, line, words in zip(nodes, lines, parts, strict=True):
        items += [text.moved(0, y) for text in line]
        for part in words:
            items.append(Text(second, y, part, size=REASON, colour=MUTED, title=shown(node.reason)))
            y += REASON_ROW
    return items


def _graph_counts(figure: OrderGraph, node: Node) -> str:
    """Counts in place of names: the whole reason does not fit beside a node and goes into its title."""
    if node.by == "cost":
        return figure.untested()
    before, after = figure.sides()
    parts = [f"past {node.ahead} {before}"] * (node.ahead > 0) + [f"behind {node.behind} {after}"] * (node.behind > 0)
    return f"by test: {', '.join(parts)}"
