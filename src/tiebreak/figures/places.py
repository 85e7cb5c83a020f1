"""Place stability: at which place each algorithm stands when the data are drawn again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.figures._axis import TICK
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import MUTED, PALE, VERMILION, shade, text_on
from tiebreak.figures._scene import Area, Item, Line, Text, rectangle
from tiebreak.figures.rank_diagram import LONGEST

if TYPE_CHECKING:
    from tiebreak.deciding.order._stability import Stability

MOST_WITH_TEXT = 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PlaceStability(Figure):
    """Place stability as data: `shares[i][p]` is how often algorithm i, in the order found, stands at place p + 1."""

    algorithms: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Place stability: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm in the order found."""
        columns = zip(self.algorithms, self.shares, self.low, self.high, strict=True)
        return [
            {"algorithm": name, "place": i + 1, "same_place": shares[i], "low": low, "high": high}
            for i, (name, shares, low, high) in enumerate(columns)
        ]

    def notes(self) -> list[str]:
        """Say what shades and frames mean."""
        return [
            f"{shown(self.heading)}. Rows stand in the order found; the shade is the share of draws in which the"
            " algorithm stands at that place, a frame holds at least 95% of its draws."
        ]

    def items(self) -> list[Item]:
        """Lay out cells, frames and names."""
        return _layout(self)


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
    '5nn'
    """
    return PlaceStability(
        algorithms=found.algorithms,
        shares=tuple(tuple(row) for row in found.places.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
        heading=found.title(),
        caveats=found.caveats,
    )


def _layout(figure: PlaceStability) -> list[Item]:
    count = len(figure.algorithms)
    side = 26.0 if count <= MOST_WITH_TEXT else max(10.0, min(20.0, 560.0 / count))
    high = 16.0 if count <= MOST_WITH_TEXT else max(10.0, min(14.0, side))
    size = min(9.0, high - 2.0)
    items: list[Item] = []
    for i, row in enumerate(figure.shares):
        items += [item for p, share in enumerate(row) for item in _cell(figure, i, p, share, (side, high))]
    for i, name in enumerate(figure.algorithms):
        y = (i + 0.5) * high + 0.35 * size
        items.append(Text(-6, y, fitted(name, size, LONGEST), size=size, anchor="end", title=shown(name)))
        same = f"{figure.shares[i][i]:.0%}"
        items.append(Text(side * count + 30, y, same, size=min(TICK, size), anchor="end", colour=MUTED))
        x, wide = (figure.low[i] - 1) * side, (figure.high[i] - figure.low[i] + 1) * side
        frame = (*rectangle(x + 0.6, i * high + 0.9, wide - 1.2, high - 1.8), (x + 0.6, i * high + 0.9))
        items.append(Line((*frame, frame[1]), colour=VERMILION, width=1.1))
    return items + _heads(count, side, size)


def _cell(figure: PlaceStability, i: int, p: int, share: float, size: tuple[float, float]) -> list[Item]:
    side, high = size
    if share == 0:
        return [Area(rectangle(p * side, i * high, side, high), fill=PALE, opacity=0.25)]
    fill = shade(0.08 + 0.92 * share)
    said = shown(f"{figure.algorithms[i]} at place {p + 1}: {share:.1%}")
    items: list[Item] = [Area(rectangle(p * side, i * high, side, high), fill=fill, title=said)]
    if len(figure.algorithms) <= MOST_WITH_TEXT and share >= 0.005:
        middle, base = (p + 0.5) * side, (i + 0.5) * high + 2.5
        items.append(Text(middle, base, f"{share * 100:.0f}", size=7.0, anchor="middle", colour=text_on(fill)))
    return items


def _heads(count: int, side: float, size: float) -> list[Item]:
    """Number the places above the cells, as many of them as there is room for."""
    stride = 1
    while text_width(str(count), size) + 3 > side * stride:
        stride += 1
    items: list[Item] = [
        Text((p + 0.5) * side, -5, str(p + 1), size=size, anchor="middle")
        for p in range(count)
        if p == 0 or (p + 1) % stride == 0
    ]
    items.append(Text(0, -17, "place (shares in per cent)", size=TICK, colour=MUTED))
    items.append(Text(side * count + 30, -5, "same", size=min(TICK, size), anchor="end", colour=MUTED))
    return items
