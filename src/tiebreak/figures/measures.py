"""The order of the algorithms by every measure and by all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.documents import as_came_in
from tiebreak.figures.contours import heading_of
from tiebreak.figures.drawing.axis import TICK, number_text, pvalue_text
from tiebreak.figures.drawing.bars import drawn_groups, letter_ranges
from tiebreak.figures.drawing.ladder import GAP, MANY, Ladder, make_ladder, name_lines, row_height, slots, whole_size
from tiebreak.figures.drawing.palette import MUTED, PALE
from tiebreak.figures.drawing.panels import COLOURS
from tiebreak.figures.drawing.scene import Circle, Item, Line, Text, bounds
from tiebreak.figures.drawing.text import shown, text_width, wrapped
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, folded_words, kept_of
from tiebreak.multivariate_tests import MultivariateComparison
from tiebreak.stats.multivariate.per_measure import PerMeasureResult
from tiebreak.wording import Brief, either

LANE, LETTERS, LONGEST = 7.5, "abcdefgh", 46.0
HEAD, MOST_SPARE = 9.5, 24.0
"""The distance of lines in the heads of columns; how much wider than they need to be columns are at the most."""


def table_items(figure: MeasureOrders, room: float) -> list[Item]:
    """Lay out places by each measure with the letters of its groups, and dots of the cliques of all measures."""
    order = figure.orders[0].order
    cells = [_cells(item, len(order)) for item in figure.orders]
    wide = [
        max([44.0, *(text_width(place, TICK) + text_width(sentence, TICK) + 12 for place, sentence in cell)])
        for cell in cells
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
    for measure_order, column, width in zip(figure.orders, cells, wide, strict=True):
        items += _column(measure_order, {i: column[order[i]] for i, _ in ladder.rows()}, ladder, x, width + spare)
        x += width + spare
    for lane, clique in enumerate(figure.cliques):
        at = x + LANE * (lane + 0.5)
        items.append(Text(at, -5, LETTERS[lane], size=TICK, anchor="middle", colour=MUTED))
        members = set(clique)
        items += [Circle(at, y, 2.6, fill=COLOURS[lane]) for i, y in ladder.rows() if order[i] in members]
    left = -GAP - ladder.wide
    items += ladder.key(left, bounds(items)[3] + 5, room)
    groups = " and groups" if any(letters for column in cells for _, letters in column) else ""
    text = f"place{groups} by each measure" + ("; dots: cliques of all measures together" if figure.cliques else "")
    text = f"{text}. Tests: {'; '.join(_tested(item) for item in figure.orders)}"
    down = bounds(items)[3] + 12
    for i, words in enumerate(wrapped(text, TICK, min(room, bounds(items)[2] - left))):
        items.append(Text(left, down + 10 * i, words, size=TICK, colour=MUTED))
    return items


def _cells(order: MeasureOrder, count: int) -> list[tuple[str, str]]:
    """Return the place and the letters of every algorithm by one measure; letters are left out where they are long."""
    groups = [[order.order[place] for place in group] for group in order.groups]
    letters = letter_ranges([sorted(group) for group in groups], count)
    if max(text_width(letter, TICK) for letter in letters) > LONGEST:
        letters = ("",) * count
    places = {algorithm: place for place, algorithm in enumerate(order.order)}
    return [(str(places[i] + 1), letters[i]) for i in range(count)]


def _tested(order: MeasureOrder) -> str:
    """Say what the test of one measure found; in the head of a narrow column its numbers would have to be broken."""
    return (
        f"{shown(order.measure)}: {order.symbol} = {number_text(order.statistic, 3)}, p = {pvalue_text(order.pvalue)}"
    )


def _column(
    order: MeasureOrder, cells: dict[int, tuple[str, str]], ladder: Ladder, x: float, width: float
) -> list[Item]:
    head, _ = name_lines(order.measure, TICK, width - 4, 3, bold=True)
    better = "higher is better" if order.higher_is_better else "lower is better"
    under = wrapped(better, TICK, width - 4)
    lines = [(words, True) for words in head] + [(words, False) for words in under]
    items: list[Item] = [Line(((x, -2), (x, ladder.bottom)), colour=PALE, width=0.6)]
    for i, (words, bold) in enumerate(reversed(lines)):
        items.append(
            Text(x + 3, -6 - HEAD * i, words, size=TICK, bold=bold, colour=MUTED, title=order.measure if bold else "")
        )
    size = min(TICK, ladder.size)
    most = max(text_width(place, size) for place, _ in cells.values())
    for (place, text), (_, y) in zip(cells.values(), ladder.rows(), strict=True):
        items.append(Text(x + 4 + most, y + 0.35 * size, place, size=size, anchor="end"))
        items.append(Text(x + 9 + most, y + 0.35 * size, text, size=size, colour=MUTED))
    return items


WIDEST = 640.0
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
        for order in self.orders:
            names = [self.algorithms[i] for i in order.order]
            groups = " | ".join(", ".join(names[place] for place in group) for group in order.groups)
            row = {"measure": order.measure, "order": ", ".join(names), "groups": groups}
            rows.append(row | {"statistic": order.statistic, "pvalue": order.pvalue})
        return rows

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def reading(self) -> str:
        """Say what columns and dots mean."""
        alone = " An algorithm without a dot differs from every other." if self.cliques and not self.others else ""
        dots = "By all measures together every two algorithms differ."
        if self.cliques:
            dots = "A column of dots is a clique of all measures together: no two of its members differ significantly."
        return (
            "Rows stand in the order by the first measure; a column has the places by one measure alone, and the"
            f" letters of the groups without a significant difference where they are few ({self._test()})."
            f" {dots}{alone}{folded_words(len(self.algorithms), self.kept)}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out a row per algorithm: places by each measure with the letters of groups, and dots of the cliques."""
        return table_items(self, WIDEST if room is None else room)


@as_came_in
def measure_orders(
    comparison: MultivariateComparison, *, dataset: str | None = None, top: int | None = None, show: Sequence[str] = ()
) -> MeasureOrders:
    """Make the figure of the order by each measure alone, with the cliques of all measures as colours.

    Parameters
    ----------
    comparison : MultivariateComparison
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
    alone = comparison.datasets[0] if len(comparison.sets) == 1 and dataset is None else dataset
    one = None if alone is None else comparison.on(alone)
    per = comparison.per_measure() if one is None else one.per_measure
    cliques = comparison.cliques if one is None else one.cliques
    places = {name: i for i, name in enumerate(comparison.algorithms)}
    several = [tuple(sorted(places[name] for name in clique)) for clique in cliques if len(clique) > 1]
    several.sort(key=lambda clique: (-len(clique), clique))
    ordered = [_order(per, j, places, comparison.alpha) for j in range(len(per.measures))]
    notes = [note for _, caveats in ordered for note in caveats]
    left = len(several) - MOST_CLIQUES
    if left > 0:
        text = f"{left} of {len(several)} cliques, the smallest, have no colour;"
        text += f" {either('`found.cliques`', '--json')} lists all."
        notes.append(Caveat("not-drawn", text))
    if one is None and per.symbol == "F":
        text = "Orders by one measure take the folds of all data sets for independent blocks; they are not."
        notes.append(Caveat("dependent-blocks", text))
    return MeasureOrders(
        algorithms=comparison.algorithms,
        orders=tuple(order for order, _ in ordered),
        cliques=tuple(sorted(several[:MOST_CLIQUES])),
        others=max(left, 0),
        method=per.pair_method,
        alpha=comparison.alpha,
        kept=kept_of([comparison.algorithms[i] for i in ordered[0][0].order], top, show),
        heading=heading_of(comparison, dataset),
        caveats=(*notes, *(comparison.caveats if dataset is None or one is None else one.caveats)),
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
