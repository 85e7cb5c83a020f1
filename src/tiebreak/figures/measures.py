"""The order of the algorithms by every measure and by all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tiebreak._brief import Brief
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.documents import as_came_in
from tiebreak.figures.contours import heading_of
from tiebreak.figures.drawing.axis import TICK, number_text, pvalue_text
from tiebreak.figures.drawing.bars import bar_rows, drawn_groups, letter_ranges, runs
from tiebreak.figures.drawing.ladder import GAP, MANY, Ladder, make_ladder, name_lines, row_height, slots, whole_size
from tiebreak.figures.drawing.palette import MUTED, PALE
from tiebreak.figures.drawing.panels import COLOURS
from tiebreak.figures.drawing.scene import NAME, Circle, Item, Line, Text, bounds, named, numbered
from tiebreak.figures.drawing.text import shown, text_width, wrapped
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, folded_words, kept_of
from tiebreak.multivariate_tests import MultivariateComparison
from tiebreak.stats.multivariate.per_measure import PerMeasureResult
from tiebreak.wording import either

LANE, LETTERS, LONGEST = 7.5, "abcdefgh", 46.0
HEAD, MOST_SPARE = 9.5, 24.0
"""The distance of lines in the heads of columns; how much wider than they need to be columns are at the most."""


def table_items(figure: MeasureOrders, room: float) -> list[Item]:
    """Lay out places by each measure with the letters of its groups, and dots of the cliques of all measures."""
    order = figure.orders[0].order
    cells = [_cells(each, len(order)) for each in figure.orders]
    wide = [
        max([44.0, *(text_width(place, TICK) + text_width(said, TICK) + 12 for place, said in each)]) for each in cells
    ]
    lanes = LANE * len(figure.cliques)
    free = room - GAP - lanes - sum(wide)
    names = [figure.algorithms[i] for i in order]
    drawn = len(slots(len(names), figure.kept))
    limit, row = max(free, 0.2 * room), row_height(drawn, 13.0, room)
    ladder = make_ladder(names, figure.kept, row=row)
    if ladder.wide > limit or ladder.cuts:
        size = whole_size(names, ladder.size, limit) if drawn > MANY else ladder.size
        ladder = make_ladder(names, figure.kept, row=row, limit=limit, most=2 if drawn > MANY else 3, size=size)
    spare = min(max(0.0, free - ladder.wide) / len(wide), MOST_SPARE)
    items = ladder.texts(-GAP)
    x = 0.0
    for each, column, width in zip(figure.orders, cells, wide, strict=True):
        items += _column(each, {i: column[order[i]] for i, _ in ladder.rows()}, ladder, x, width + spare)
        x += width + spare
    for lane, clique in enumerate(figure.cliques):
        at = x + LANE * (lane + 0.5)
        items.append(Text(at, -5, LETTERS[lane], size=TICK, anchor="middle", colour=MUTED))
        members = set(clique)
        items += [Circle(at, y, 2.6, fill=COLOURS[lane]) for i, y in ladder.rows() if order[i] in members]
    left = -GAP - ladder.wide
    items += ladder.key(left, bounds(items)[3] + 5, room)
    groups = " and groups" if any(letters for column in cells for _, letters in column) else ""
    said = f"place{groups} by each measure" + ("; dots: cliques of all measures together" if figure.cliques else "")
    said = f"{said}. Tests: {'; '.join(_tested(each) for each in figure.orders)}"
    down = bounds(items)[3] + 12
    for i, words in enumerate(wrapped(said, TICK, min(room, bounds(items)[2] - left))):
        items.append(Text(left, down + 10 * i, words, size=TICK, colour=MUTED))
    return items


def _cells(each: MeasureOrder, count: int) -> list[tuple[str, str]]:
    """Return the place and the letters of every algorithm by one measure; letters are left out where they are long."""
    groups = [[each.order[place] for place in group] for group in each.groups]
    letters = letter_ranges([sorted(group) for group in groups], count)
    if max(text_width(said, TICK) for said in letters) > LONGEST:
        letters = ("",) * count
    places = {algorithm: place for place, algorithm in enumerate(each.order)}
    return [(str(places[i] + 1), letters[i]) for i in range(count)]


def _tested(each: MeasureOrder) -> str:
    """Say what the test of one measure found; in the head of a narrow column its numbers would have to be broken."""
    return f"{shown(each.measure)}: {each.symbol} = {number_text(each.statistic, 3)}, p = {pvalue_text(each.pvalue)}"


def _column(
    each: MeasureOrder, cells: dict[int, tuple[str, str]], ladder: Ladder, x: float, width: float
) -> list[Item]:
    head, _ = name_lines(each.measure, TICK, width - 4, 3, bold=True)
    better = "higher is better" if each.higher_is_better else "lower is better"
    under = wrapped(better, TICK, width - 4)
    lines = [(words, True) for words in head] + [(words, False) for words in under]
    items: list[Item] = [Line(((x, -2), (x, ladder.bottom)), colour=PALE, width=0.6)]
    for i, (words, bold) in enumerate(reversed(lines)):
        items.append(
            Text(x + 3, -6 - HEAD * i, words, size=TICK, bold=bold, colour=MUTED, title=each.measure if bold else "")
        )
    size = min(TICK, ladder.size)
    most = max(text_width(place, size) for place, _ in cells.values())
    for (place, said), (_, y) in zip(cells.values(), ladder.rows(), strict=True):
        items.append(Text(x + 4 + most, y + 0.35 * size, place, size=size, anchor="end"))
        items.append(Text(x + 9 + most, y + 0.35 * size, said, size=size, colour=MUTED))
    return items


WIDEST, ORDERS_LONGEST, ORDERS_LANE, BAR, KEY = 640.0, 160.0, 8.5, 4.5, 8.0
ORDERS_LETTERS = "abcdefgh"
MOST_ACROSS = 25
MOST_CLIQUES = len(COLOURS)
MOST_LISTED = 300
"""Groups of one measure among which those to draw are chosen; more would take minutes and show nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeasureOrder(Brief):
    """The order by one measure: `order` are positions in the algorithms of the figure, best first.

    `groups` are places in `order`, from 0, without a significant difference by the measure.
    """

    measure: str
    higher_is_better: bool
    order: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    statistic: float
    pvalue: float
    symbol: str = "F"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasureOrders(Tested):
    """Measure orders as data; `cliques` are those of all measures together that have a colour, as positions.

    `others` counts the cliques without a colour; cliques of one are neither drawn nor counted.
    """

    KIND = "Orders by each measure"
    algorithms: tuple[str, ...]
    orders: tuple[MeasureOrder, ...]
    cliques: tuple[tuple[int, ...], ...]
    others: int

    def rows(self) -> Rows:
        """Return one row per measure."""
        rows: Rows = []
        for each in self.orders:
            names = [self.algorithms[i] for i in each.order]
            groups = " | ".join(", ".join(names[place] for place in group) for group in each.groups)
            row = {"measure": each.measure, "order": ", ".join(names), "groups": groups}
            rows.append(row | {"statistic": each.statistic, "pvalue": each.pvalue})
        return rows

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def reading(self) -> str:
        """Say what dots and lines mean."""
        alone = " An algorithm without a dot differs from every other." if self.cliques and not self.others else ""
        broken = any(len(runs(group)) > 1 for each in self.orders for group in each.groups)
        thick = "; a broken line joins only those above its thick parts" if broken else ""
        dots = "By all measures together every two algorithms differ."
        tabled = self._as_table(self._room())
        if self.cliques:
            line = "column" if tabled else "row"
            dots = f"A {line} of dots is a clique of all measures together: no two of its members differ significantly."
        if tabled:
            return (
                "Rows stand in the order by the first measure; a column has the places by one measure alone, and the"
                " letters of the groups without a significant difference where they are few"
                f" ({self._test()}). {dots}{alone}{folded_words(len(self.algorithms), self.kept)}"
            )
        return (
            "Each order is by one measure alone, best on the left; a line under algorithms"
            f" joins those without a significant difference by this measure ({self._test()}){thick}. {dots}{alone}"
        )

    def _room(self) -> float | None:
        """Return about the room of the sheet, for the words under the figure."""
        return None if self.sheet.width is None else self.sheet.width * NAME / self.sheet.sizes()[0] - 2

    def _as_table(self, room: float | None) -> bool:
        """Say whether every algorithm has a row, since they are many or have no room side by side."""
        if self.kept or len(self.algorithms) > MOST_ACROSS:
            return True
        return room is not None and self._across(room)[0] * len(self.algorithms) > room - self._side()

    def _side(self) -> float:
        """Return what the measures take on the left of the orders."""
        return max(text.box()[2] for each in self.orders for text in _side(each)) + 22.0

    def _across(self, room: float | None) -> tuple[float, bool]:
        """Return the distance of algorithms side by side, and whether it has room for names; else numbers stand."""
        count, widest = len(self.algorithms), max(text_width(shown(name), NAME) for name in self.algorithms)
        free = WIDEST if room is None else room - self._side()
        named_here = count * (widest + 12) <= free
        least = widest + 12 if named_here else text_width(str(count), NAME) + 5
        return max(least, min(46.0, 460.0 / count if room is None else free / count)), named_here

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out orders, lines, dots and keys."""
        if self._as_table(room):
            return table_items(self, WIDEST if room is None else room)
        count, side, sides = len(self.algorithms), self._side(), [_side(each) for each in self.orders]
        pitch, named_here = self._across(room)
        words = [shown(name) if named_here else str(i + 1) for i, name in enumerate(self.algorithms)]
        spots = [pitch * (place + 0.5) for place in range(count)]
        items: list[Item] = [
            Text(spots[end], 0.0, said, size=TICK, anchor="middle", colour=MUTED)
            for end, said in ((0, "best"), (-1, "worst"))
        ]
        start = -side
        y = 8.0
        for each, beside in zip(self.orders, sides, strict=True):
            items.append(Line(((start, y), (spots[-1] + pitch / 2, y)), colour=PALE, width=0.6))
            items += [text.moved(start, y) for text in beside]
            made, y = _row(self, each, words, spots, y)
            items += made
        left, _, right, _ = bounds(items)
        return items + _keys(
            self, words, left, y + 10.0, max(right - left, 400.0) if room is None else room, numbers=not named_here
        )


@as_came_in
def measure_orders(
    found: MultivariateComparison, *, dataset: str | None = None, top: int | None = None, show: Sequence[str] = ()
) -> MeasureOrders:
    """Make the figure of the order by each measure alone, with the cliques of all measures as colours.

    Parameters
    ----------
    found : MultivariateComparison
    dataset : str, optional
        Only this data set. By default all: with several, each measure is analysed over the folds of all data sets, each
        fold a block of its own, and the cliques are those of the combined p-values.
    top, show : int and sequence of str, optional
        Draw the first so many by the first measure and those named, and count the others.

    Returns
    -------
    MeasureOrders

    Examples
    --------
    >>> import numpy as np, tiebreak as tb
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(10, 3, 2)) + [[0, 0], [0, 0], [0.1, -0.1]]
    >>> rows = {"dataset": ["iris"] * 30, "algorithm": ["tree", "svm", "knn"] * 10,
    ...         "fold": np.repeat(range(10), 3), "tpr": folds[..., 0].ravel(), "tnr": folds[..., 1].ravel()}
    >>> figure = measure_orders(tb.multivariate(tb.Results.from_dict(rows), scores=["tpr", "tnr"]))
    >>> print(figure.rows()[0]["order"], figure.orders[0].groups)
    knn, svm, tree ((1, 2),)
    """
    alone = found.datasets[0] if len(found.sets) == 1 and dataset is None else dataset
    one = None if alone is None else found.on(alone)
    per = found.per_measure() if one is None else one.per_measure
    cliques = found.cliques if one is None else one.cliques
    places = {name: i for i, name in enumerate(found.algorithms)}
    several = [tuple(sorted(places[name] for name in clique)) for clique in cliques if len(clique) > 1]
    several.sort(key=lambda clique: (-len(clique), clique))
    ordered = [_order(per, j, places, found.alpha) for j in range(len(per.measures))]
    notes = [note for _, said in ordered for note in said]
    left = len(several) - MOST_CLIQUES
    if left > 0:
        said = f"{left} of {len(several)} cliques, the smallest, have no colour;"
        said += f" {either('`found.cliques`', '--json')} lists all."
        notes.append(Caveat("not-drawn", said))
    if one is None and per.symbol == "F":
        said = "Orders by one measure take the folds of all data sets for independent blocks; they are not."
        notes.append(Caveat("dependent-blocks", said))
    return MeasureOrders(
        algorithms=found.algorithms,
        orders=tuple(order for order, _ in ordered),
        cliques=tuple(sorted(several[:MOST_CLIQUES])),
        others=max(left, 0),
        method=per.pair_method,
        alpha=found.alpha,
        kept=kept_of([found.algorithms[i] for i in ordered[0][0].order], top, show),
        heading=heading_of(found, dataset),
        caveats=(*notes, *(found.caveats if dataset is None or one is None else one.caveats)),
    )


def _order(per: PerMeasureResult, j: int, places: dict[str, int], alpha: float) -> tuple[MeasureOrder, Caveats]:
    """Order by one measure and group those without a significant difference."""
    count, differs = len(per.algorithms), per.rejected_pairs(alpha=alpha)[j]
    alike = np.ones((count, count), dtype=bool)
    alike[per.a[differs], per.b[differs]] = alike[per.b[differs], per.a[differs]] = False
    order = per.order[j]
    cliques, complete = maximal_cliques(alike[np.ix_(order, order)], limit=MOST_LISTED)
    groups, notes = drawn_groups(cliques)
    if not complete:
        note = (
            f"there are more than {MOST_LISTED} groups and {len(groups)} of them are drawn, so that some pairs without"
            f" a common line do not differ significantly either; {either('`to_dict()`', '--json')} lists more."
        )
        notes = (Caveat("not-drawn", note),)
    made = MeasureOrder(
        measure=per.measures[j],
        higher_is_better=per.higher_is_better[j],
        order=tuple(places[per.algorithms[i]] for i in order),
        groups=groups,
        statistic=float(per.statistic[j]),
        pvalue=float(per.adjusted[j]),
        symbol=per.symbol,
    )
    return made, tuple(note.prefixed(f"{made.measure}: ") for note in notes)


def _row(
    figure: MeasureOrders, each: MeasureOrder, words: list[str], spots: list[float], top: float
) -> tuple[list[Item], float]:
    """Lay out one measure: dots of the cliques, names or numbers, lines under them; return where the next starts."""
    base = top + max(ORDERS_LANE * len(figure.cliques) + 13.0, 20.0)
    items: list[Item] = []
    for lane, clique in enumerate(figure.cliques):
        y = top + 7.0 + ORDERS_LANE * lane
        items.append(Text(-4, y + 0.3 * 7.5, ORDERS_LETTERS[lane], size=7.5, anchor="end", colour=MUTED))
        items += [
            Circle(
                spots[place], y, 3.2, fill=COLOURS[lane], title=shown(f"{figure.algorithms[i]}: {ORDERS_LETTERS[lane]}")
            )
            for place, i in enumerate(each.order)
            if i in clique
        ]
    items += [
        Text(spots[place], base, words[i], size=NAME, anchor="middle", title=shown(figure.algorithms[i]))
        for place, i in enumerate(each.order)
    ]
    rows = bar_rows(each.groups)
    for group, row in zip(each.groups, rows, strict=True):
        said = shown(", ".join(figure.algorithms[each.order[place]] for place in group))
        items += _underline(runs(group), spots, base + 6.0 + BAR * row, said)
    return items, max(base + 6.0 + BAR * (max(rows, default=0) + 1), top + 32.0) + 5.0


def _underline(parts: list[tuple[int, int]], spots: list[float], y: float, said: str) -> list[Item]:
    """Draw the line under a group: thick under runs of members, thin and dotted between them."""
    half = 0.42 * (spots[1] - spots[0])
    items: list[Item] = [Line(((spots[a] - half, y), (spots[b] + half, y)), width=2.2, title=said) for a, b in parts]
    return items + [
        Line(((spots[before] + half, y), (spots[after] - half, y)), width=0.8, dash=(1.5, 1.5), title=said)
        for (_, before), (after, _) in pairwise(parts)
    ]


def _side(each: MeasureOrder) -> list[Text]:
    """Write the measure, its direction and its test, from (0, 0) down."""
    better = "higher is better" if each.higher_is_better else "lower is better"
    tested = f"{each.symbol} = {number_text(each.statistic, 3)}, p = {pvalue_text(each.pvalue)}"
    return [
        named(0.0, 11.0, each.measure, limit=ORDERS_LONGEST, bold=True),
        Text(0.0, 21.5, better, size=TICK, colour=MUTED),
        Text(0.0, 32.0, tested, size=TICK, colour=MUTED),
    ]


def _keys(
    figure: MeasureOrders, words: list[str], left: float, at: float, width: float, *, numbers: bool
) -> list[Item]:
    """List the cliques with their colours and, where the orders hold numbers, the names in columns."""
    items: list[Item] = []
    for lane, clique in enumerate(figure.cliques):
        items.append(Circle(left + 4, at - 0.32 * KEY, 3.2, fill=COLOURS[lane]))
        for line in wrapped(f"{ORDERS_LETTERS[lane]}: {', '.join(words[i] for i in clique)}", KEY, width - 14):
            items.append(Text(left + 13, at, line, size=KEY))
            at += 11.0
    if not numbers:
        return items
    listed = [numbered(i + 1, name, 0.0, at + 4.0, size=KEY) for i, name in enumerate(figure.algorithms)]
    column = max(name.box()[2] for _, name in listed) - 19.0 + 34.0
    deep = -(-len(listed) // max(1, min(int(width // column), len(listed))))
    for i, texts in enumerate(listed):
        items += [text.moved(left + column * (i // deep), 11.0 * (i % deep)) for text in texts]
    return items
