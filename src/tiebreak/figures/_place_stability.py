"""Place stability: at which place each algorithm stands when the data are drawn again."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tiebreak.deciding.order import Stability
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures.drawing.axis import TICK
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import MUTED, PALE, VERMILION, shade, text_on
from tiebreak.figures.drawing.scene import Area, Item, Line, Text, named, rectangle

MOST_WITH_TEXT = 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PlaceStability(Figure):
    """Place stability as data: `shares[i][p]` is how often algorithm i, in the order found, stands at place p + 1."""

    KIND = "Place stability"
    algorithms: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    def rows(self) -> Rows:
        """Return one row per algorithm in the order found."""
        same = [shares[i] for i, shares in enumerate(self.shares)]
        places = range(1, len(same) + 1)
        return rows_of(algorithm=self.algorithms, place=places, same_place=same, low=self.low, high=self.high)

    def reading(self) -> str:
        """Say what shades and frames mean."""
        return (
            "Rows stand in the order found; the shade is the share of draws in which the"
            " algorithm stands at that place, a frame holds at least 95% of its draws."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, frames and names."""
        count = len(self.algorithms)
        side = 26.0 if count <= MOST_WITH_TEXT else max(10.0, min(20.0, 560.0 / count))
        high = 16.0 if count <= MOST_WITH_TEXT else max(10.0, min(14.0, side))
        size = min(9.0, high - 2.0)
        items: list[Item] = []
        for i, row in enumerate(self.shares):
            items += [item for p, share in enumerate(row) for item in _cell(self, i, p, share, (side, high))]
        for i, name in enumerate(self.algorithms):
            y, same = (i + 0.5) * high + 0.35 * size, f"{self.shares[i][i]:.0%}"
            x, wide = (self.low[i] - 1) * side, (self.high[i] - self.low[i] + 1) * side
            corners = rectangle(x + 0.6, i * high + 0.9, wide - 1.2, high - 1.8)
            items += [
                named(-6, y, name, size=size, anchor="end"),
                Text(side * count + 30, y, same, size=min(TICK, size), anchor="end", colour=MUTED),
                # one corner more than closes the frame, so that its first corner is mitred too
                Line((*corners, *corners[:2]), colour=VERMILION, width=1.1),
            ]
        return items + _heads(count, side, size)


@as_came_in
def place_stability(found: Stability) -> PlaceStability:
    """Make the figure of how firm an order is.

    Parameters
    ----------
    found : Stability
        From `ordering.stability()`.

    Returns
    -------
    PlaceStability

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time").stability(datasets=50)
    >>> place_stability(found).algorithms[0]
    'svl'
    """
    return PlaceStability(
        algorithms=found.algorithms,
        shares=tuple(tuple(row) for row in found.places.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
        **titled(found),
    )


def _cell(figure: PlaceStability, i: int, p: int, share: float, size: tuple[float, float]) -> list[Item]:
    side, high = size
    corners = rectangle(p * side, i * high, side, high)
    if share == 0:
        return [Area(corners, fill=PALE, opacity=0.25)]
    fill = shade(0.08 + 0.92 * share)  # the rarest share still differs from none
    items: list[Item] = [Area(corners, fill=fill, title=shown(f"{figure.algorithms[i]} at place {p + 1}: {share:.1%}"))]
    if len(figure.algorithms) <= MOST_WITH_TEXT and share >= 0.005:
        middle, base = (p + 0.5) * side, (i + 0.5) * high + 2.5
        items.append(Text(middle, base, f"{share * 100:.0f}", size=7.0, anchor="middle", colour=text_on(fill)))
    return items


def _heads(count: int, side: float, size: float) -> list[Item]:
    """Number the places above the cells, as many of them as there is room for."""
    stride = math.ceil((text_width(str(count), size) + 3) / side)
    items: list[Item] = [
        Text((p + 0.5) * side, -5, str(p + 1), size=size, anchor="middle")
        for p in range(count)
        if p == 0 or (p + 1) % stride == 0
    ]
    items.append(Text(0, -17, "place (shares in per cent)", size=TICK, colour=MUTED))
    items.append(Text(side * count + 30, -5, "same", size=min(TICK, size), anchor="end", colour=MUTED))
    return items
