"""Place stability: at which place each algorithm stands when the data are drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.deciding.order import Stability
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, rows_of, titled
from tiebreak.figures._folding import folded_words, kept_of
from tiebreak.figures._matrix_cells import grid_of, numbers_above
from tiebreak.figures.drawing.axis import TICK
from tiebreak.figures.drawing.ladder import Rung
from tiebreak.figures.drawing.metrics import shown, text_width
from tiebreak.figures.drawing.palette import MUTED, PALE, VERMILION, shade, text_on
from tiebreak.figures.drawing.scene import Area, Item, Line, Text, bounds, rectangle

MOST_WITH_TEXT, NARROW = 16, 8.0
"""Algorithms up to which shares are written into cells; cells narrower than that get a thin frame, not to be buried."""


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

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.algorithms)

    def reading(self) -> str:
        """Say what shades and frames mean."""
        return (
            "Rows stand in the order found; the shade grows with the share of draws in which the algorithm stands at"
            " that place, a frame holds at least 95% of its draws." + folded_words(len(self.algorithms), self.kept)
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, frames and names."""
        count = len(self.algorithms)
        text = count <= MOST_WITH_TEXT
        wide = 26.0 if text else max(10.0, min(20.0, 560.0 / count))
        high = 16.0 if text else max(10.0, min(14.0, wide))
        same = max(text_width(word, TICK) for word in ("same", "100%")) + 6
        grid = grid_of(self.algorithms, count, room, wide=wide, high=high, least=1.2, beside=same, kept=self.kept)
        text = text and grid.wide >= text_width("100", 7.0) + 1
        size, right = min(9.0, grid.ladder.size), grid.right(count) + same
        items: list[Item] = []
        for rung in grid.ladder.rungs:
            if (i := rung.index) is None:
                items.append(Line(((0, rung.middle), (grid.right(count), rung.middle)), colour=PALE, dash=(1.5, 2.5)))
                continue
            items += _row(self, i, rung, grid.wide, text=text)
            words, small = f"{self.shares[i][i]:.0%}", min(TICK, size)
            items.append(Text(right, rung.middle + 0.35 * small, words, size=small, anchor="end", colour=MUTED))
        items += grid.ladder.texts(-6) + numbers_above(grid, count, min(size, 8.0))
        head = "place (shares in per cent)" if text else "place"
        items.append(Text(0, -17, head, size=TICK, colour=MUTED))
        items.append(Text(right, -5, "same", size=min(TICK, size), anchor="end", colour=MUTED))
        left = -6 - grid.ladder.wide
        return items + grid.ladder.key(left, bounds(items)[3] + 5, bounds(items)[2] - left)


@as_came_in
def place_stability(found: Stability, *, top: int | None = None, show: Sequence[str] = ()) -> PlaceStability:
    """Make the figure of how firm an order is.

    Parameters
    ----------
    found : Stability
        From `ordering.stability()`.
    top, show : int and sequence of str, optional
        Draw the rows of the first so many and of those named, and count the others; all places stay.

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
        kept=kept_of(found.algorithms, top, show),
        **titled(found),
    )


def _row(figure: PlaceStability, i: int, rung: Rung, wide: float, *, text: bool) -> list[Item]:
    """Draw the cells of one algorithm and the frame around its usual places."""
    top = rung.middle - rung.high / 2
    items = [
        item
        for p, share in enumerate(figure.shares[i])
        for item in _cell(figure, (i, p), share, (p * wide, top, wide, rung.high), text=text)
    ]
    x, reach = (figure.low[i] - 1) * wide, (figure.high[i] - figure.low[i] + 1) * wide
    inset = min(0.6, wide * 0.2)
    corners = rectangle(x + inset, top + 0.9, reach - 2 * inset, rung.high - 1.8)
    # one corner more than closes the frame, so that its first corner is mitred too
    return [*items, Line((*corners, *corners[:2]), colour=VERMILION, width=1.1 if wide >= NARROW else 0.7)]


def _cell(
    figure: PlaceStability, at: tuple[int, int], share: float, frame: tuple[float, float, float, float], *, text: bool
) -> list[Item]:
    (i, p), (x, y, wide, high) = at, frame
    corners = rectangle(x, y, wide, high)
    if share == 0:
        return [Area(corners, fill=PALE, opacity=0.25)]
    # the rarest share differs from none; of many places, without numbers, each has a few per cent and must be seen
    fill = shade(0.08 + 0.92 * share if text else 0.2 + 0.8 * share**0.5)
    items: list[Item] = [Area(corners, fill=fill, title=shown(f"{figure.algorithms[i]} at place {p + 1}: {share:.1%}"))]
    if text and share >= 0.005:
        words = f"{share * 100:.0f}"
        items.append(Text(x + wide / 2, y + high / 2 + 2.5, words, size=7.0, anchor="middle", colour=text_on(fill)))
    return items
