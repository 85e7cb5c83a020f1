"""Curves of the studies: power and replicability, orders found, and the first N of a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.advisor.top_n import TopN
from tiebreak.documents import Row, as_came_in
from tiebreak.figures.drawing.axis import Scale
from tiebreak.figures.drawing.lines import Panel, Series, each_named, side_by_side
from tiebreak.figures.drawing.scene import Item
from tiebreak.figures.figure import Figure, Rows, titled

if TYPE_CHECKING:
    from tiebreak.studies import OrderShares, Replicability

SINGLE, RANDOM = "single best on average", "random"
DECADE = 10.0
REPLICABILITY = ("mean p", "rejections", "R(p)", "R(e)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Curves(Figure):
    """Curves as data: a table with a row per point, and the panels that draw them.

    Panels show the same series, named once under all of them, unless `each_named`.
    """

    name: str
    table: tuple[Row, ...]
    panels: tuple[Panel, ...]
    text: str
    each_named: bool = False

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"{self.name}: {self.heading}"

    def rows(self) -> Rows:
        """Return one row per point."""
        return list(self.table)

    def reading(self) -> str:
        """Say what a curve is."""
        return self.text

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the panels."""
        return each_named(self.panels, room) if self.each_named else side_by_side(self.panels, room)


def _series(lines: Mapping[str, Sequence[tuple[float, float]]]) -> tuple[Series, ...]:
    return tuple(
        Series(name=name, points=tuple(points), number=i, alone=name == SINGLE)
        for i, (name, points) in enumerate(lines.items())
    )


@as_came_in
def replicability_curves(replicability: Replicability, *, question: str = "two algorithms") -> Curves:
    """Make the figure of power and replicability over the bias, a curve for each test of one question.

    Parameters
    ----------
    replicability : Replicability
    question : {"two algorithms", "all together", "all pairs", "control"}

    Returns
    -------
    Curves

    References
    ----------
    demsar2006, section 4

    Examples
    --------
    >>> from tiebreak.studies import replicability
    >>> result = replicability(pair=("svl", "c45"), biases=[0, 20], repeats=20)
    >>> [series.name for series in replicability_curves(result).panels[0].series]
    ['paired t', 'wilcoxon', 'sign', 'paired t, relative']
    """
    width, height, gap, lower = 225.0, 130.0, 62.0, 178.0
    chosen = check_choice("question", question, tuple(dict.fromkeys(name for name, _ in replicability.tests)))
    means = replicability.means()
    curves = {test: means[i].tolist() for i, (name, test) in enumerate(replicability.tests) if name == chosen}
    panels = []
    for measure, name in enumerate(REPLICABILITY):
        lines = {
            test: [(bias, cell[measure]) for bias, cell in zip(replicability.biases, line, strict=True)]
            for test, line in curves.items()
        }
        left, top = (measure % 2) * (width + gap), (measure // 2) * lower
        values = [cell[measure] for line in curves.values() for cell in line]
        across = Scale.around(replicability.biases, 0.03, left, left + width)
        down = Scale.around(values, 0.06, top + height, top)
        panels.append(Panel(across=across, down=down, x_name="bias k", y_name=name, series=_series(lines)))
    return Curves(
        name="Replicability",
        table=tuple(
            {"test": test, "bias": bias} | dict(zip(REPLICABILITY, cell, strict=True))
            for test, line in curves.items()
            for bias, cell in zip(replicability.biases, line, strict=True)
        ),
        panels=tuple(panels),
        text=f"Tests of the question '{chosen}'. Above: what the test finds, by its mean p-value and by its rejections"
        f" of {replicability.repeats}; below: how often two draws give the same decision."
        " With k = 0 all data sets are equally likely.",
        **titled(replicability),
    )


@as_came_in
def share_curves(order_shares: OrderShares) -> Curves:
    """Make the figure of the orders found as true errors move apart: a panel for each procedure.

    Parameters
    ----------
    order_shares : OrderShares

    Returns
    -------
    Curves

    References
    ----------
    yildiz2006
    ulas2012

    Examples
    --------
    >>> from tiebreak.studies import order_shares
    >>> row = share_curves(order_shares(repeats=20, steps=3)).rows()[0]
    >>> row["order"], row["share"] > 0.8
    ('1-2-3', True)
    """
    width, height, gap, high = 190.0, 165.0, 50.0, order_shares.lambdas[-1]
    numbers: dict[str, int] = {}
    panels, table = [], []
    for place, curve in enumerate(order_shares.curves):
        names, shares = curve.shown()
        lines = dict(zip(names, shares.T.tolist(), strict=True))
        rest = names[-1] if names[-1] not in curve.names else ""
        _number(numbers, {name: max(line) for name, line in lines.items() if name != rest})
        series = tuple(
            Series(
                name=name,
                points=tuple(zip(order_shares.lambdas, line, strict=True)),
                number=numbers.get(name, 0),
                muted=name == rest,
            )
            for name, line in lines.items()
        )
        start = place * (width + gap)
        panel = Panel(
            across=Scale(low=-0.03 * high, high=1.03 * high, start=start, end=start + width),
            down=Scale(low=-0.03, high=1.03, start=height, end=0.0),
            x_name="l, by which true errors move apart",
            y_name="share of runs",
            series=series,
        )
        panels.append(replace(panel, title=curve.name))
        table += [
            {"procedure": curve.name, "order": name, "l": value, "share": share}
            for name, line in lines.items()
            for value, share in zip(order_shares.lambdas, line, strict=True)
        ]
    return Curves(
        name="Orders found",
        table=tuple(table),
        panels=tuple(panels),
        text="A curve is the share of runs in which an order is found, best algorithm first. Algorithms are numbered by"
        " cost, 1 the cheapest and the worst. Rare orders are counted together.",
        each_named=True,
        **titled(order_shares),
    )


def _number(numbers: dict[str, int], peaks: Mapping[str, float]) -> None:
    """Number orders for their colours: the prior one, the reversed one, then the most frequent; alike in all panels."""
    names = list(peaks)
    ends = dict.fromkeys((names[0], names[-1]))
    ordered = [*ends, *sorted((name for name in names if name not in ends), key=lambda name: -peaks[name])]
    taken = {numbers[name] for name in ordered if name in numbers}
    free = (i for i in range(2 * len(ordered)) if i not in taken)
    numbers |= {name: next(free) for name in ordered if name not in numbers}


@as_came_in
def top_n_curves(result: TopN, *, ranking: str | None = None) -> Curves:
    """Make the figure of what following a recommendation loses and takes, against N and against time.

    A random order is left out; the single best on average has N = 1 only.

    Parameters
    ----------
    result : TopN
    ranking : str, optional
        By which method the algorithms were ranked, for the heading.

    Returns
    -------
    Curves

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.top_n import top_n
    >>> result = top_n({"5 neighbours": [[3, 2, 1], [1, 3, 2]]}, [[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], [[1, 2, 3]] * 2)
    >>> [round(row["mean loss"], 3) for row in top_n_curves(result).rows()[:3]]
    [0.1, 0.0, 0.0]
    """
    width, height, gap = 225.0, 190.0, 62.0
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, loss, share in zip(result.methods, result.loss, result.share, strict=True):
        if name != RANDOM:
            last = 1 if name == SINGLE else None
            means = [np.nanmean(item, axis=0)[:last].tolist() for item in (share, loss)]
            lines[name] = list(zip(*means, strict=True))
    points = [point for line in lines.values() for point in line]
    many, top = max(map(len, lines.values())), max(loss for _, loss in points) or 1.0
    low = min(share for share, _ in points)
    log = 0 < low < 1 / DECADE
    down = Scale(low=-0.03 * top, high=1.06 * top, start=height, end=0.0)
    ends = (low / 1.3 if log else -0.03, 1.25 if log else 1.03)
    by_count = Scale(low=0.6, high=many + 0.4, start=0.0, end=width)
    by_time = Scale(low=ends[0], high=ends[1], start=width + gap, end=2 * width + gap, log=log)
    counted = {name: [(n, loss) for n, (_, loss) in enumerate(line, 1)] for name, line in lines.items()}
    time = "share of the time of running all" + (", logarithmic scale" if log else "")
    first = {"x_name": "algorithms run (N)", "series": _series(counted), "count": min(many, 12)}
    panels = (
        Panel(across=by_count, down=down, y_name="mean loss", **first),  # type: ignore[arg-type]
        Panel(across=by_time, down=down, y_name="mean loss", x_name=time, series=_series(lines)),
    )
    text = (
        "Marks from left to right: the first 1, 2, ... algorithms of the recommended ranking are run and the best of"
        " them is kept; the last mark is running all of them."
    )
    return Curves(
        name="Top-N",
        table=tuple(
            {"method": name, "n": n, "mean loss": loss, "mean share of time": share}
            for name, line in lines.items()
            for n, (share, loss) in enumerate(line, 1)
        ),
        panels=panels,
        text=f"{text} The scale of time is logarithmic." if log else text,
        heading=result.title() if ranking is None else f"{result.title()}; ranked by {ranking}",
        caveats=result.caveats,
    )
