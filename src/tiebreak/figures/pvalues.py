"""The p-value plot: the tested pairs from the smallest adjusted p-value, with the significance level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak import _show
from tiebreak._show import Row
from tiebreak.figures._axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown, text_width
from tiebreak.figures._palette import BLUE, INK, MUTED, PALE, PAPER, VERMILION
from tiebreak.figures._scene import Area, Circle, Item, Line, Text

if TYPE_CHECKING:
    from tiebreak.deciding.compare import Comparison

ROW, WIDTH, NAME, LONGEST, MOST_PAIRS = 14.0, 300.0, 9.0, 240.0, 45


@dataclass(frozen=True, slots=True, kw_only=True)
class PairP:
    """A tested pair: the one that lies better first, p-value, adjusted p-value and verdict."""

    a: str
    b: str
    pvalue: float
    adjusted: float
    significant: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PValuePlot(Figure):
    """A p-value plot as data; `pairs` run from the smallest adjusted p-value, `left_out` counts those not drawn."""

    pairs: tuple[PairP, ...]
    left_out: int
    method: str
    alpha: float
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"p-values of pairs: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return [
            {
                "a": pair.a,
                "b": pair.b,
                "pvalue": pair.pvalue,
                "adjusted": pair.adjusted,
                "significant": pair.significant,
            }
            for pair in self.pairs
        ]

    def notes(self) -> list[str]:
        """Say how the p-values came about."""
        left = f" {self.left_out} pairs with larger adjusted p-values are not drawn." if self.left_out else ""
        return [
            f"{shown(self.heading)}. {self.method}; logarithmic scale; the dashed line is alpha = {self.alpha:g}; the"
            f" better placed algorithm of a pair stands first.{left}"
        ]

    def items(self) -> list[Item]:
        """Lay out marks, names and axis."""
        return _layout(self)


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
    ('svr', 'mdt', 0)
    """
    pairs = sorted(
        (
            PairP(
                a=pair.b if pair.statistic > 0 else pair.a,
                b=pair.a if pair.statistic > 0 else pair.b,
                pvalue=pair.pvalue,
                adjusted=pair.adjusted,
                significant=pair.better is not None,
            )
            for pair in found.iter_pairs()
        ),
        key=lambda pair: (pair.adjusted, pair.pvalue, pair.a, pair.b),
    )
    return PValuePlot(
        pairs=tuple(pairs[:MOST_PAIRS]),
        left_out=max(0, len(pairs) - MOST_PAIRS),
        method=found.tests.method,
        alpha=found.alpha,
        heading=found.title(),
        caveats=found.caveats,
    )


def _layout(figure: PValuePlot) -> list[Item]:
    least = min(min(pair.pvalue, pair.adjusted) for pair in figure.pairs)
    low = min(least, figure.alpha)
    scale = Scale(low=max(low, 1e-307) ** 1.04 * 0.7, high=1.0, start=0.0, end=WIDTH, log=True)
    bottom = ROW * len(figure.pairs) + 2
    items = bottom_axis(scale, bottom, "p (logarithmic scale)", top=-2)
    x = scale(figure.alpha)
    items.append(Line(((x, -2), (x, bottom)), colour=VERMILION, width=1.0, dash=(4, 2)))
    second = max(text_width(fitted(pair.b, NAME, LONGEST), NAME) for pair in figure.pairs)
    for i, pair in enumerate(figure.pairs):
        items += _row(pair, scale, ROW * (i + 0.5), second)
    entries: list[tuple[list[Item], str]] = [
        (_adjusted(0, 0, True), "adjusted, significant"),
        (_adjusted(0, 0, False), "adjusted, not significant"),
        ([_plain(0, 0)], "not adjusted"),
    ]
    return items + legend_line(entries, 0, bottom + 42, WIDTH + 60)


def _adjusted(x: float, y: float, significant: bool) -> list[Item]:
    if significant:
        return [Area(((x, y - 4), (x + 4, y), (x, y + 4), (x - 4, y)), fill=BLUE)]
    return [Circle(x, y, 3.2, fill=PAPER, colour=INK, edge=1.1)]


def _plain(x: float, y: float) -> Item:
    return Line(((x, y - 4), (x, y + 4)), colour=MUTED, width=1.2)


def _row(pair: PairP, scale: Scale, y: float, second: float) -> list[Item]:
    """Draw the two names, both p-values, and the adjusted one in words."""
    p, adjusted = scale(max(pair.pvalue, 1e-307)), scale(max(pair.adjusted, 1e-307))
    base, at = y + 0.35 * NAME, -8 - second
    words = _show.pvalue(pair.adjusted).replace("-", "\N{MINUS SIGN}")
    return [
        Line(((0, y), (WIDTH, y)), colour=PALE, width=0.5),
        Line(((p, y), (adjusted, y)), colour=MUTED, width=0.8),
        _plain(p, y),
        *_adjusted(adjusted, y, pair.significant),
        Text(at, base, fitted(pair.b, NAME, LONGEST), title=shown(pair.b)),
        Text(at - 5, base, "–", anchor="end", colour=MUTED),
        Text(at - 15, base, fitted(pair.a, NAME, LONGEST), anchor="end", title=shown(pair.a)),
        Text(WIDTH + 8, y + 0.35 * TICK, words, size=TICK, colour=MUTED, bold=pair.significant),
    ]
