"""The p-value plot: the tested pairs from the smallest adjusted p-value, with the significance level."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tiebreak.deciding.compare import Comparison
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Rows
from tiebreak.figures._positions import Tested, tested
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line, pvalue_text
from tiebreak.figures.drawing.metrics import fitted, text_width
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, PAPER, VERMILION
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Item, Line, Text, diamond, named

ROW, WIDTH, LONGEST, MOST_PAIRS = 14.0, 300.0, 240.0, 45
LEAST = 1e-307
"""A p-value of zero has no place on a logarithmic scale; it is drawn here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairP:
    """A tested pair: the one that lies better first, p-value, adjusted p-value and verdict."""

    a: str
    b: str
    pvalue: float
    adjusted: float
    significant: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PValuePlot(Tested):
    """A p-value plot as data; `pairs` run from the smallest adjusted p-value, `left_out` counts those not drawn."""

    KIND = "p-values of pairs"
    pairs: tuple[PairP, ...]
    left_out: int

    def rows(self) -> Rows:
        """Return one row per pair."""
        return [asdict(pair) for pair in self.pairs]

    def reading(self) -> str:
        """Say how the p-values came about."""
        left = f" {self.left_out} pairs with larger adjusted p-values are not drawn." if self.left_out else ""
        return (
            f"{self.method}; logarithmic scale; the dashed line is alpha = {self.alpha:g}; the"
            f" better placed algorithm of a pair stands first.{left}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out marks, names and axis."""
        least = min(min(pair.pvalue, pair.adjusted) for pair in self.pairs)
        low = max(min(least, self.alpha), LEAST)
        scale = Scale(low=low**1.04 * 0.7, high=1.0, start=0.0, end=WIDTH, log=True)
        bottom = ROW * len(self.pairs) + 2
        items = bottom_axis(scale, bottom, "p (logarithmic scale)", top=-2)
        x = scale(self.alpha)
        items.append(Line(((x, -2), (x, bottom)), colour=VERMILION, width=1.0, dash=(4, 2)))
        second = max(text_width(fitted(pair.b, NAME, LONGEST), NAME) for pair in self.pairs)
        for i, pair in enumerate(self.pairs):
            items += _row(pair, scale, ROW * (i + 0.5), second)
        entries = [
            ([_adjusted(0, 0, True)], "adjusted, significant"),
            ([_adjusted(0, 0, False)], "adjusted, not significant"),
            ([_plain(0, 0)], "not adjusted"),
        ]
        return items + legend_line(entries, 0, bottom + 42, WIDTH + 60)


@as_came_in
def pvalue_plot(found: Comparison) -> PValuePlot:
    """Make the plot of the p-values of a comparison, at most the 45 smallest.

    Parameters
    ----------
    found : Comparison

    Returns
    -------
    PValuePlot

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = pvalue_plot(tb.compare(tb.published.ulas2012(), score="accuracy"))
    >>> figure.pairs[0].a, figure.pairs[0].b, figure.left_out
    ('svr', 'c45', 0)
    """
    pairs = [
        PairP(
            a=pair.b if pair.statistic > 0 else pair.a,
            b=pair.a if pair.statistic > 0 else pair.b,
            pvalue=pair.pvalue,
            adjusted=pair.adjusted,
            significant=pair.better is not None,
        )
        for pair in found.iter_pairs()
    ]
    pairs.sort(key=lambda pair: (pair.adjusted, pair.pvalue, pair.a, pair.b))
    return PValuePlot(pairs=tuple(pairs[:MOST_PAIRS]), left_out=max(0, len(pairs) - MOST_PAIRS), **tested(found))


def _adjusted(x: float, y: float, significant: bool) -> Item:
    """Shape and filling tell as well as colour, for prints in grey."""
    if significant:
        return Area(diamond(x, y, 4), fill=BLUE)
    return Circle(x, y, 3.2, fill=PAPER, colour=INK, edge=1.1)


def _plain(x: float, y: float) -> Item:
    return Line(((x, y - 4), (x, y + 4)), colour=MUTED, width=1.2)


def _row(pair: PairP, scale: Scale, y: float, second: float) -> list[Item]:
    """Draw the two names, both p-values, and the adjusted one in words."""
    p, adjusted = scale(max(pair.pvalue, LEAST)), scale(max(pair.adjusted, LEAST))
    base, at = y + 0.35 * NAME, -8 - second
    words = pvalue_text(pair.adjusted)
    return [
        Line(((0, y), (WIDTH, y)), colour=PALE, width=0.5),
        Line(((p, y), (adjusted, y)), colour=MUTED, width=0.8),
        _plain(p, y),
        _adjusted(adjusted, y, pair.significant),
        named(at, base, pair.b, limit=LONGEST),
        Text(at - 5, base, "–", anchor="end", colour=MUTED),
        named(at - 15, base, pair.a, limit=LONGEST, anchor="end"),
        Text(WIDTH + 8, y + 0.35 * TICK, words, size=TICK, colour=MUTED, bold=pair.significant),
    ]
