"""Which orders are found as true errors move apart: a curve for each order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import Scale
from tiebreak.figures.drawing.lines import Panel, Series, each_named
from tiebreak.figures.drawing.scene import Item

if TYPE_CHECKING:
    from tiebreak.studies import OrderShares

WIDTH, HEIGHT, GAP = 190.0, 165.0, 50.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ShareCurves(Figure):
    """Shares of orders as data: for each procedure `shares[order]` follows `lambdas`.

    `folded` says of each procedure whether its last curve is that of all rare orders together.
    """

    KIND = "Orders found"
    lambdas: tuple[float, ...]
    procedures: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    shares: tuple[tuple[tuple[float, ...], ...], ...]
    folded: tuple[bool, ...]

    def rows(self) -> Rows:
        """Return one row per procedure, order and step."""
        return [
            {"procedure": procedure, "order": name, "l": value, "share": share}
            for procedure, names, table in zip(self.procedures, self.orders, self.shares, strict=True)
            for name, line in zip(names, table, strict=True)
            for value, share in zip(self.lambdas, line, strict=True)
        ]

    def reading(self) -> str:
        """Say what a curve is."""
        return (
            "A curve is the share of runs in which an order is found, best algorithm first. Algorithms are numbered by"
            " cost, 1 the cheapest and the worst. Rare orders are counted together."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out a panel for each procedure, with its orders named under it."""
        panels, numbers = [], self._numbers()
        for place, name in enumerate(self.procedures):
            start = place * (WIDTH + GAP)
            panels.append(replace(self._panel(place, start, numbers), title=name))
        return each_named(panels, room)

    def _panel(self, place: int, start: float, numbers: dict[str, int]) -> Panel:
        high = self.lambdas[-1]
        series = [
            Series(name=name, points=tuple(zip(self.lambdas, line, strict=True)), number=numbers.get(name, 0))
            for name, line in zip(self.orders[place], self.shares[place], strict=True)
        ]
        if self.folded[place]:
            series[-1] = replace(series[-1], muted=True)
        return Panel(
            across=Scale(low=-0.03 * high, high=1.03 * high, start=start, end=start + WIDTH),
            down=Scale(low=-0.03, high=1.03, start=HEIGHT, end=0.0),
            x_name="l, by which true errors move apart",
            y_name="share of runs",
            series=tuple(series),
        )

    def _numbers(self) -> dict[str, int]:
        """Number the orders for their colours: prior 0, reversed 1, then the most frequent; alike in every panel."""
        numbers: dict[str, int] = {}
        for names, table, folded in zip(self.orders, self.shares, self.folded, strict=True):
            peaks = {name: max(line) for name, line in zip(names, table, strict=True)}
            named = names[:-1] if folded else names
            ends = (named[0], named[-1])
            ordered = [*ends, *sorted((name for name in named if name not in ends), key=lambda name: -peaks[name])]
            taken = {numbers[name] for name in ordered if name in numbers}
            free = (i for i in range(2 * len(ordered)) if i not in taken)
            numbers |= {name: next(free) for name in ordered if name not in numbers}
        return numbers


@as_came_in
def share_curves(found: OrderShares) -> ShareCurves:
    """Make the figure of the orders found as true errors move apart.

    Parameters
    ----------
    found : OrderShares

    Returns
    -------
    ShareCurves

    References
    ----------
    yildiz2006
    ulas2012

    Examples
    --------
    >>> from tiebreak.studies import order_shares
    >>> made = share_curves(order_shares(repeats=20, steps=3))
    >>> made.orders[0][0], made.shares[0][0][0] > 0.8
    ('1-2-3', True)
    """
    shown = [curve.shown() for curve in found.curves]
    return ShareCurves(
        lambdas=found.lambdas,
        procedures=tuple(curve.name for curve in found.curves),
        orders=tuple(names for names, _ in shown),
        shares=tuple(tuple(tuple(line) for line in shares.T.tolist()) for _, shares in shown),
        folded=tuple(names[-1] not in curve.names for (names, _), curve in zip(shown, found.curves, strict=True)),
        **titled(found),
    )
