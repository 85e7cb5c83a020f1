"""The posterior of Bayesian comparisons: three probabilities per pair as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import (
    GAP,
    MANY,
    MOST_IN_COLUMN,
    centred,
    key_of_cuts,
    make_ladder,
    row_height,
    whole_size,
)
from tiebreak.figures.drawing.palette import BLUE, GREY, ORANGE, solid, text_on
from tiebreak.figures.drawing.scene import NAME, Area, Item, Text, bounds, rectangle
from tiebreak.figures.figure import Figure, Rows, titled
from tiebreak.figures.members import kept_of
from tiebreak.stats import BayesianResult, BayesianTResult, HierarchicalResult
from tiebreak.wording import option

ROW, WIDTH, LONGEST, MOST_PAIRS = 16.0, 300.0, 220.0, 60
FEW = 6
"""Of so many algorithms all pairs fit a page."""
LEFT, MIDDLE, RIGHT = solid(BLUE), solid(GREY), solid(ORANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The three probabilities of a pair; `label` names the data set where there are several."""

    label: str
    a: str
    b: str
    a_better: float
    equivalent: float
    b_better: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Posterior(Figure):
    """Posterior probabilities as data; `left_out` and `folded` count the pairs without a bar."""

    KIND = "Posterior"
    odds: tuple[Odds, ...]
    rope: float
    left_out: int
    folded: int = 0

    def rows(self) -> Rows:
        """Return one row per bar."""
        return [asdict(odds) for odds in self.odds]

    def reading(self) -> str:
        """Say what the three probabilities are."""
        rope = f"differ by at most the rope ({self.rope:g})" if self.rope else "tie (the rope is 0)"
        not_drawn = self.left_out + len(self.odds) - len(self.drawn())
        left = f" {not_drawn} pairs are not drawn." if not_drawn else ""
        left += f" {self.folded} pairs of other algorithms are folded." if self.folded else ""
        return (
            f"Probabilities that the left algorithm is better, that the two {rope}, and that the"
            f" right one is better.{left}"
        )

    def drawn(self) -> tuple[Odds, ...]:
        """Return the bars for which the sheet has room."""
        most = len(self.kept) or len(self.odds)
        return self.odds[: min(most, MOST_IN_COLUMN) if self.sheet.narrow else most]

    def foldable(self) -> int:
        """Return how many bars there are."""
        return len(self.odds)

    def lower(self) -> str:
        """Say what draws fewer bars."""
        many = len({name for odds in self.odds for name in (odds.a, odds.b)}) > FEW
        return f"{option(top=FEW)} draws the pairs of the first {FEW}" if many else ""

    def alike(self) -> str:
        """Call what lies between the two algorithms by its name: without a rope it is a tie."""
        return "equivalent" if self.rope else "tie"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the bars."""
        return _bars(self, room)


@as_came_in
def posterior(
    result: BayesianResult | BayesianTResult | HierarchicalResult,
    *,
    top: int | None = None,
    show: Sequence[str] = (),
) -> Posterior:
    """Make the figure of a Bayesian comparison.

    Parameters
    ----------
    result : BayesianResult, HierarchicalResult or BayesianTResult
        The last has a bar per data set.
    top, show : int and sequence of str, optional
        Only pairs of the first `top` algorithms of the result and of those named; the rest are counted.

    Returns
    -------
    Posterior

    References
    ----------
    benavoli2017

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = tb.compare(tb.published.demsar2006(), score="auc")
    >>> len(posterior(result.bayes(rope=0.01)).odds)
    6
    """
    pairs = _pairs(result, top, show)
    tables = [table.reshape(-1, len(result.a)) for table in (result.a_better, result.equivalent, result.b_better)]
    labels = getattr(result, "datasets", ()) if result.a_better.ndim == 2 else ("",)
    odds = []
    for k in pairs:
        a, b = (result.algorithms[int(side[k])] for side in (result.a, result.b))
        for row, label in enumerate(labels):
            left, middle, right = (float(table[row, k]) for table in tables)
            odds.append(Odds(label=label, a=a, b=b, a_better=left, equivalent=middle, b_better=right))
    drawn, left = tuple(odds[:MOST_PAIRS]), max(0, len(odds) - MOST_PAIRS)
    folded = (len(result.a) - len(pairs)) * len(labels)
    return Posterior(odds=drawn, rope=result.rope, left_out=left, folded=folded, **titled(result))


def _pairs(
    result: BayesianResult | BayesianTResult | HierarchicalResult, top: int | None, show: Sequence[str]
) -> list[int]:
    """Return the positions of the pairs of those that are drawn."""
    wanted = set(kept_of(result.algorithms, top, show) or range(len(result.algorithms)))
    remaining = [
        k for k, both in enumerate(zip(result.a.tolist(), result.b.tolist(), strict=True)) if wanted.issuperset(both)
    ]
    if not remaining:
        raise OptionError(
            f"{option(top=top)} leaves no pair to draw.",
            why="Bars are of pairs, and none of those drawn was compared with another.",
            mend=f"Use {option(top=FEW)}, or name another: {option(show=[result.algorithms[-1]])}.",
        )
    return remaining


def _bars(figure: Posterior, room: float | None) -> list[Item]:
    """One axis for all pairs: the three shares of every bar sum to one."""
    drawn = figure.drawn()
    lefts = [f"{odds.label}: {odds.a}" if odds.label else odds.a for odds in drawn]
    rights = [odds.b for odds in drawn]
    limit, most = (LONGEST, 1) if room is None else (max((room - 90 - 2 * GAP) / 2, 0.2 * room), 3)
    high = row_height(len(lefts), ROW, room)
    sizes = [whole_size(names, NAME, limit) if len(names) > MANY else NAME for names in (lefts, rights)]
    left, right = (
        make_ladder(names, row=high, limit=limit, most=most, size=min(sizes) if room is not None else NAME)
        for names in (lefts, rights)
    )
    taller = [max(a.high, b.high) for a, b in zip(left.rungs, right.rungs, strict=True)]
    width = WIDTH if room is None else max(room - left.wide - right.wide - 2 * GAP, 90.0)
    scale = Scale(low=0.0, high=1.0, start=0.0, end=width)
    bottom = sum(taller) + 2
    items: list[Item] = bottom_axis(scale, bottom, "probability", count=5)
    at = 0.0
    for i, odds in enumerate(drawn):
        middle = at + taller[i] / 2
        items += _bar(odds, middle, scale, high)
        for ladder, x, anchor in ((left, -GAP, "end"), (right, width + GAP, "start")):
            rung = ladder.rungs[i]
            items += centred(rung.lines, x, middle, size=ladder.size, anchor=anchor, title=rung.title)
        at += taller[i]
    entries = [
        ([Area(rectangle(-5, -4, 10, 8), fill=colour)], words)
        for colour, words in ((LEFT, "left one better"), (MIDDLE, figure.alike()), (RIGHT, "right one better"))
    ]
    start, reach = (0.0, width) if room is None else (-GAP - left.wide, room)
    items += legend_line(entries, start, bottom + 42, reach)
    return items + key_of_cuts((*left.cuts, *right.cuts), start, bounds(items)[3] + 5, reach)


def _bar(odds: Odds, middle: float, scale: Scale, high: float) -> list[Item]:
    """A share is written only where its bar has room, and one that would be a hairline is not drawn."""
    items: list[Item] = []
    at = 0.0
    for share, fill in ((odds.a_better, LEFT), (odds.equivalent, MIDDLE), (odds.b_better, RIGHT)):
        wide = scale(share)
        if wide > 0.01:
            text = f"{share:.3f}"
            items.append(Area(rectangle(at, middle - high / 2 + 2, wide, high - 4), fill=fill, title=text))
            if wide >= 28 and high >= ROW:
                base = middle + 0.35 * NAME - 0.5
                items.append(Text(at + wide / 2, base, text, size=7.5, anchor="middle", colour=text_on(fill)))
        at += wide
    return items
