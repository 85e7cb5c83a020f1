"""The p-value plot: the tested pairs from the smallest adjusted p-value, with the significance level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line, pvalue_text
from tiebreak.figures.drawing.ladder import GAP, divided, letters_of, row_height
from tiebreak.figures.drawing.palette import BLUE, INK, MUTED, PALE, PAPER, VERMILION
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Item, Line, Text, bounds, diamond, named
from tiebreak.figures.drawing.text import fitted, shown, text_width
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, first_pairs, kept_of, pairs_lower, tested

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
    folded: int = 0

    def rows(self) -> Rows:
        """Return one row per pair."""
        return [asdict(pair) for pair in self.pairs]

    def reading(self) -> str:
        """Say how the p-values came about."""
        not_drawn = self.left_out + len(self.pairs) - len(self._drawn())
        left = f" {not_drawn} pairs with larger adjusted p-values are not drawn." if not_drawn else ""
        left += f" {self.folded} pairs of other algorithms are folded." if self.folded else ""
        return (
            f"{self.method}; logarithmic scale; the dashed line is alpha = {self.alpha:g}; the"
            f" better placed algorithm of a pair stands first.{left}"
        )

    def foldable(self) -> int:
        """Return how many pairs have a row."""
        return len(self.pairs)

    def lower(self) -> str:
        """Say what draws fewer pairs."""
        return pairs_lower(len({name for pair in self.pairs for name in (pair.a, pair.b)}))

    def _drawn(self) -> tuple[PairP, ...]:
        return first_pairs(self.pairs, self)

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out marks, names and axis."""
        pairs = self._drawn()
        least = min(min(pair.pvalue, pair.adjusted) for pair in pairs)
        low = max(min(least, self.alpha), LEAST)
        words = [f"{shown(pair.a)} \N{EN DASH} {shown(pair.b)}" for pair in pairs]
        size = letters_of(row_height(len(pairs), ROW, room), TICK)
        beside = 8 + max(text_width(pvalue_text(pair.adjusted), size, bold=True) for pair in pairs)
        ladder, width = divided(words, room=room, row=ROW, usual=WIDTH, beside=beside, least=60.0, share=0.3, most=4)
        scale = Scale(low=low**1.04 * 0.7, high=1.0, start=0.0, end=width, log=True)
        bottom = ladder.bottom + 2
        items = bottom_axis(scale, bottom, "p (logarithmic scale)", top=-2)
        x = scale(self.alpha)
        items.append(Line(((x, -2), (x, bottom)), colour=VERMILION, width=1.0, dash=(4, 2)))
        for i, y in ladder.rows():
            items += _row(pairs[i], scale, y, size)
        items += _pair_names(pairs) if room is None else ladder.texts(-GAP)
        entries = [
            ([_adjusted(0, 0, True)], "adjusted, significant"),
            ([_adjusted(0, 0, False)], "adjusted, not significant"),
            ([_plain(0, 0)], "not adjusted"),
        ]
        if room is None:
            return items + legend_line(entries, 0, bottom + 42, WIDTH + 60)
        left = -GAP - ladder.wide
        items += legend_line(entries, left, bottom + 42, room)
        return items + ladder.key(left, bounds(items)[3] + 5, room)


@as_came_in
def pvalue_plot(found: Comparison, *, top: int | None = None, show: Sequence[str] = ()) -> PValuePlot:
    """Make the plot of the p-values of a comparison, at most the 45 smallest.

    Parameters
    ----------
    found : Comparison
    top, show : int and sequence of str, optional
        Only pairs of the first so many algorithms and of those named.

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
    kept = kept_of(found.algorithms, top, show)
    wanted = {found.algorithms[i] for i in kept or range(len(found.algorithms))}
    everyone = len(pairs)
    pairs = [pair for pair in pairs if pair.a in wanted and pair.b in wanted]
    pairs.sort(key=lambda pair: (pair.adjusted, pair.pvalue, pair.a, pair.b))
    return PValuePlot(
        pairs=tuple(pairs[:MOST_PAIRS]),
        left_out=max(0, len(pairs) - MOST_PAIRS),
        folded=everyone - len(pairs),
        **tested(found),
    )


def _adjusted(x: float, y: float, significant: bool) -> Item:
    """Shape and filling tell as well as colour, for prints in grey."""
    if significant:
        return Area(diamond(x, y, 4), fill=BLUE)
    return Circle(x, y, 3.2, fill=PAPER, colour=INK, edge=1.1)


def _plain(x: float, y: float) -> Item:
    return Line(((x, y - 4), (x, y + 4)), colour=MUTED, width=1.2)


def _pair_names(pairs: Sequence[PairP]) -> list[Item]:
    """Write both names of every pair as columns of their own, where there is room for both."""
    items: list[Item] = []
    at = -8 - max(text_width(fitted(pair.b, NAME, LONGEST), NAME) for pair in pairs)
    for i, pair in enumerate(pairs):
        base = ROW * (i + 0.5) + 0.35 * NAME
        items.append(named(at, base, pair.b, limit=LONGEST))
        items.append(Text(at - 5, base, "\N{EN DASH}", anchor="end", colour=MUTED))
        items.append(named(at - 15, base, pair.a, limit=LONGEST, anchor="end"))
    return items


def _row(pair: PairP, scale: Scale, y: float, size: float) -> list[Item]:
    """Draw both p-values, and the adjusted one in words."""
    p, adjusted = scale(max(pair.pvalue, LEAST)), scale(max(pair.adjusted, LEAST))
    words = pvalue_text(pair.adjusted)
    return [
        Line(((0, y), (scale.end, y)), colour=PALE, width=0.5),
        Line(((p, y), (adjusted, y)), colour=MUTED, width=0.8),
        _plain(p, y),
        _adjusted(adjusted, y, pair.significant),
        Text(scale.end + 8, y + 0.35 * size, words, size=size, colour=MUTED, bold=pair.significant),
    ]
