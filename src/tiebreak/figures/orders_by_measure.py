"""Measure orders: algorithms by every measure alone, underlined where it does not tell them apart, over the cliques."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tiebreak._show import Row, pvalue
from tiebreak.figures._axis import TICK, number_text
from tiebreak.figures._bars import bar_rows, drawn_groups, runs
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width, wrapped
from tiebreak.figures._palette import INK, MUTED, PALE
from tiebreak.figures._panels import COLOURS
from tiebreak.figures._scene import Circle, Item, Line, Text, bounds
from tiebreak.figures.contours import heading_of

if TYPE_CHECKING:
    from tiebreak.deciding.multivariate._comparison import MultivariateComparison
    from tiebreak.stats.multivariate import PerMeasureResult

NAME, WIDEST, LONGEST, LANE, BAR, KEY = 9.0, 640.0, 160.0, 8.5, 4.5, 8.0
MOST_CLIQUES = len(COLOURS)
MOST_LISTED = 300
"""Groups of one measure among which those to draw are chosen; more would take minutes and show nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOrder:
    """The order by one measure: `order` are positions in the algorithms of the figure, best first.

    `groups` are places in `order`, from 0, that the measure does not tell apart.
    """

    measure: str
    higher_is_better: bool
    order: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    statistic: float
    pvalue: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasureOrders(Figure):
    """Measure orders as data; `cliques` are those of all measures together that have a colour, as positions.

    `others` counts the cliques without a colour; cliques of one are neither drawn nor counted.
    """

    algorithms: tuple[str, ...]
    orders: tuple[MeasureOrder, ...]
    cliques: tuple[tuple[int, ...], ...]
    others: int
    method: str
    alpha: float
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Orders by each measure: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per measure."""
        return [
            {
                "measure": each.measure,
                "order": ", ".join(self.algorithms[i] for i in each.order),
                "groups": " | ".join(
                    ", ".join(self.algorithms[each.order[place]] for place in group) for group in each.groups
                ),
                "statistic": each.statistic,
                "pvalue": each.pvalue,
            }
            for each in self.orders
        ]

    def notes(self) -> list[str]:
        """Say what dots and lines mean."""
        alone = " An algorithm without a dot differs from every other." if self.cliques and not self.others else ""
        broken = any(len(runs(group)) > 1 for each in self.orders for group in each.groups)
        thick = "; a broken line joins only those above its thick parts" if broken else ""
        dots = (
            "A row of dots is a clique of all measures together: no two of its members differ significantly."
            if self.cliques
            else "By all measures together every two algorithms differ."
        )
        return [
            f"{shown(self.heading)}. Each order is by one measure alone, best on the left; a line under algorithms"
            f" joins those that this measure does not tell apart ({self.method}, alpha = {self.alpha:g}){thick}."
            f" {dots}{alone}"
        ]

    def items(self) -> list[Item]:
        """Lay out orders, lines, dots and keys."""
        return _layout(self)


def measure_orders(found: MultivariateComparison, *, dataset: str | None = None) -> MeasureOrders:
    """Make the figure of the order by each measure alone, with the cliques of all measures as colours.

    Parameters
    ----------
    found : MultivariateComparison
    dataset : str, optional
        Only this data set. By default all: with several, each measure is analysed over the folds of all data sets, each
        fold a block of its own, and the cliques are those of the combined p-values.

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
    per = _pooled(found) if one is None else one.per_measure
    cliques = found.cliques if one is None else one.cliques
    places = {name: i for i, name in enumerate(found.algorithms)}
    several = [tuple(sorted(places[name] for name in clique)) for clique in cliques if len(clique) > 1]
    several.sort(key=lambda clique: (-len(clique), clique))
    orders, notes = [], []
    for j in range(len(per.measures)):
        made, note = _order(per, j, places, found.alpha)
        orders.append(made)
        notes += [f"{per.measures[j]}: {note}"] if note else []
    left = len(several) - MOST_CLIQUES
    if left > 0:
        notes.append(f"{left} of {len(several)} cliques, the smallest, have no colour; `found.cliques` lists all.")
    if one is None:
        notes.append("Orders by one measure take the folds of all data sets for independent blocks; they are not.")
    return MeasureOrders(
        algorithms=found.algorithms,
        orders=tuple(orders),
        cliques=tuple(sorted(several[:MOST_CLIQUES])),
        others=max(left, 0),
        method=per.pair_method,
        alpha=found.alpha,
        heading=heading_of(found, dataset),
        caveats=(*notes, *(found.caveats if dataset is None or one is None else one.caveats)),
    )


def _pooled(found: MultivariateComparison) -> PerMeasureResult:
    """Analyse each measure over the folds of all data sets, each fold a block of its own."""
    import numpy as np

    from tiebreak.stats.multivariate import anova_per_measure

    cubes = [each.cube[:, [each.algorithms.index(name) for name in found.algorithms]] for each in found.sets]
    return anova_per_measure(
        np.concatenate(cubes),
        blocked=True,
        pair_adjust=found.adjust,
        higher_is_better=[bool(each.higher_is_better) for each in found.measures],
        algorithms=found.algorithms,
        measure_names=[each.name for each in found.measures],
    )


def _order(per: PerMeasureResult, j: int, places: dict[str, int], alpha: float) -> tuple[MeasureOrder, str]:
    """Order by one measure and group what it does not tell apart."""
    import numpy as np

    from tiebreak.deciding.compare.cliques import maximal_cliques

    count, differs = len(per.algorithms), per.rejected_pairs(alpha=alpha)[j]
    alike = np.ones((count, count), dtype=bool)
    alike[per.a[differs], per.b[differs]] = alike[per.b[differs], per.a[differs]] = False
    order = per.order[j]
    cliques, complete = maximal_cliques(alike[np.ix_(order, order)], limit=MOST_LISTED)
    groups, note = drawn_groups(cliques)
    if not complete:
        note = (
            f"there are more than {MOST_LISTED} groups and {len(groups)} of them are drawn, so that some pairs without"
            " a common line were not told apart either; --json lists more."
        )
    made = MeasureOrder(
        measure=per.measures[j],
        higher_is_better=per.higher_is_better[j],
        order=tuple(places[per.algorithms[i]] for i in order),
        groups=groups,
        statistic=float(per.statistic[j]),
        pvalue=float(per.adjusted[j]),
    )
    return made, note


def _layout(figure: MeasureOrders) -> list[Item]:
    count = len(figure.algorithms)
    names = [shown(name) for name in figure.algorithms]
    widest = max(text_width(name, NAME) for name in names)
    named = count * (widest + 12) <= WIDEST
    words = names if named else [str(i + 1) for i in range(count)]
    least = min(46.0, 460.0 / count)
    pitch = max(widest + 12 if named else text_width(str(count), NAME) + 5, least)
    spots = [pitch * (place + 0.5) for place in range(count)]
    items: list[Item] = [
        Text(spots[0], 0.0, "best", size=TICK, anchor="middle", colour=MUTED),
        Text(spots[-1], 0.0, "worst", size=TICK, anchor="middle", colour=MUTED),
    ]
    sides = [_side(each) for each in figure.orders]
    start = -max(text.box()[2] for side in sides for text in side) - 22.0
    y = 8.0
    for each, side in zip(figure.orders, sides, strict=True):
        items.append(Line(((start, y), (spots[-1] + pitch / 2, y)), colour=PALE, width=0.6))
        items += [text.moved(start, y) for text in side]
        made, y = _row(figure, each, words, spots, y)
        items += made
    return items + _keys(figure, y, bounds(items), named=named)


def _row(
    figure: MeasureOrders, each: MeasureOrder, words: list[str], spots: list[float], top: float
) -> tuple[list[Item], float]:
    """Lay out one measure: dots of the cliques, names or numbers, lines under them; return where the next starts."""
    base = top + max(LANE * len(figure.cliques) + 13.0, 20.0)
    items: list[Item] = []
    for lane, clique in enumerate(figure.cliques):
        y = top + 7.0 + LANE * lane
        items.append(Text(-4, y + 0.3 * 7.5, _letter(lane), size=7.5, anchor="end", colour=MUTED))
        items += [
            Circle(spots[place], y, 3.2, fill=COLOURS[lane], title=shown(f"{figure.algorithms[i]}: {_letter(lane)}"))
            for place, i in enumerate(each.order)
            if i in clique
        ]
    items += [
        Text(spots[place], base, words[i], size=NAME, anchor="middle", title=shown(figure.algorithms[i]))
        for place, i in enumerate(each.order)
    ]
    rows = bar_rows(each.groups)
    for group, row in zip(each.groups, rows, strict=True):
        items += _underline(figure, each, group, spots, base + 6.0 + BAR * row)
    return items, max(base + 6.0 + BAR * (max(rows, default=0) + 1), top + 32.0) + 5.0


def _letter(lane: int) -> str:
    return "abcdefgh"[lane]


def _underline(
    figure: MeasureOrders, each: MeasureOrder, group: tuple[int, ...], spots: list[float], y: float
) -> list[Item]:
    """Draw the line under a group: thick under members, thin and dotted between runs of them."""
    half = 0.42 * (spots[1] - spots[0])
    said = shown(", ".join(figure.algorithms[each.order[place]] for place in group))
    parts = runs(group)
    items: list[Item] = [
        Line(((spots[a] - half, y), (spots[b] + half, y)), width=2.2, colour=INK, title=said) for a, b in parts
    ]
    items += [
        Line(((spots[before] + half, y), (spots[after] - half, y)), width=0.8, dash=(1.5, 1.5), title=said)
        for (_, before), (after, _) in pairwise(parts)
    ]
    return items


def _side(each: MeasureOrder) -> list[Text]:
    """Write the measure, its direction and its test, from (0, 0) down."""
    better = "higher is better" if each.higher_is_better else "lower is better"
    tested = f"F = {number_text(each.statistic, 3)}, p = {pvalue(each.pvalue)}".replace("-", "\N{MINUS SIGN}")
    name = fitted(each.measure, NAME, LONGEST, bold=True)
    return [
        Text(0.0, 11.0, name, size=NAME, bold=True, title=shown(each.measure)),
        Text(0.0, 21.5, better, size=TICK, colour=MUTED),
        Text(0.0, 32.0, tested, size=TICK, colour=MUTED),
    ]


def _keys(figure: MeasureOrders, y: float, box: tuple[float, float, float, float], *, named: bool) -> list[Item]:
    """List the cliques with their colours and, where the orders hold numbers, the names."""
    left, width = box[0], max(box[2] - box[0], 400.0)
    words = [shown(name) if named else str(i + 1) for i, name in enumerate(figure.algorithms)]
    items: list[Item] = []
    at = y + 10.0
    for lane, clique in enumerate(figure.cliques):
        lines = wrapped(f"{_letter(lane)}: {', '.join(words[i] for i in clique)}", KEY, width - 14)
        items.append(Circle(left + 4, at - 0.32 * KEY, 3.2, fill=COLOURS[lane]))
        for line in lines:
            items.append(Text(left + 13, at, line, size=KEY))
            at += 11.0
    return items if named else items + _names(figure.algorithms, left, at + 4.0, width)


def _names(algorithms: Sequence[str], left: float, top: float, width: float) -> list[Item]:
    """List numbers and names in as many columns as there is room for."""
    names = [fitted(name, KEY, 250.0) for name in algorithms]
    column = max(text_width(name, KEY) for name in names) + 34.0
    columns = max(1, min(int(width // column), len(names)))
    deep = -(-len(names) // columns)
    items: list[Item] = []
    for i, name in enumerate(names):
        x, y = left + column * (i // deep), top + 11.0 * (i % deep)
        items.append(Text(x + 14, y, str(i + 1), size=KEY, anchor="end", colour=MUTED))
        items.append(Text(x + 19, y, name, size=KEY, title=shown(algorithms[i])))
    return items
