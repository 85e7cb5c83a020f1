"""The posterior of Bayesian comparisons: three probabilities per pair as bars, or one pair's draws in a triangle."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from tiebreak._checks import check_choice
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.palette import BLUE, GREY, MUTED, ORANGE, PALE, shade, solid, text_on
from tiebreak.figures.drawing.scene import NAME, Area, Item, Line, Point, Text, named, rectangle
from tiebreak.stats import BayesianResult, BayesianTResult, HierarchicalResult

ROW, WIDTH, LONGEST, MOST_PAIRS = 16.0, 300.0, 220.0, 60
SIDE, CELLS = 260.0, 30
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
    """Posterior probabilities as data.

    `density` counts the draws of the one pair in small triangles, each given by the numbers of its lower left corner
    and whether it points up; it is empty where no draws were kept or several pairs are shown.
    """

    KIND = "Posterior"
    odds: tuple[Odds, ...]
    density: tuple[tuple[int, int, bool, int], ...]
    rope: float
    left_out: int

    def rows(self) -> Rows:
        """Return one row per bar."""
        return [asdict(odds) for odds in self.odds]

    def reading(self) -> str:
        """Say what the three probabilities are."""
        rope = f"differ by at most the rope ({self.rope:g})" if self.rope else "tie (the rope is 0)"
        left = f" {self.left_out} pairs are not drawn." if self.left_out else ""
        dots = " Shades: draws from the posterior of the shares of the three outcomes." if self.density else ""
        return (
            f"Probabilities that the left algorithm is better, that the two {rope}, and that the"
            f" right one is better.{dots}{left}"
        )

    def alike(self) -> str:
        """Call what lies between the two algorithms by its name: without a rope it is a tie."""
        return "equivalent" if self.rope else "tie"

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the triangle or the bars."""
        return _triangle(self) if self.density else _bars(self)


@as_came_in
def posterior(
    found: BayesianResult | BayesianTResult | HierarchicalResult, *, pair: tuple[str, str] | None = None
) -> Posterior:
    """Make the figure of a Bayesian comparison.

    Parameters
    ----------
    found : BayesianResult, HierarchicalResult or BayesianTResult
        The last has a bar per data set.
    pair : (str, str), optional
        Show this pair only. One pair whose draws were kept is drawn in a triangle, as in Benavoli et al. (2017).

    Returns
    -------
    Posterior

    References
    ----------
    benavoli2017

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.compare(tb.published.demsar2006(), score="auc")
    >>> len(posterior(found.bayes(rope=0.01)).odds)
    6
    """
    kept = range(len(found.a)) if pair is None else [_find(found, pair)]
    tables = [table.reshape(-1, len(found.a)) for table in (found.a_better, found.equivalent, found.b_better)]
    labels = getattr(found, "datasets", ()) if found.a_better.ndim == 2 else ("",)
    odds = []
    for k in kept:
        a, b = (found.algorithms[int(side[k])] for side in (found.a, found.b))
        for row, label in enumerate(labels):
            left, middle, right = (float(table[row, k]) for table in tables)
            odds.append(Odds(label=label, a=a, b=b, a_better=left, equivalent=middle, b_better=right))
    samples = getattr(found, "samples", None)
    density = _density(samples[kept[0]].tolist()) if len(kept) == 1 and samples is not None else ()
    drawn, left = tuple(odds[:MOST_PAIRS]), max(0, len(odds) - MOST_PAIRS)
    return Posterior(odds=drawn, density=density, rope=found.rope, left_out=left, **titled(found))


def _find(found: BayesianResult | BayesianTResult | HierarchicalResult, pair: tuple[str, str]) -> int:
    """A pair is a set here: the caller need not know which of the two the result names first."""
    wanted = {found.algorithms.index(check_choice("algorithm", name, found.algorithms)) for name in pair}
    compared = [set(both) for both in zip(found.a.tolist(), found.b.tolist(), strict=True)]
    if wanted not in compared:
        raise OptionError(
            f"The pair {pair!r} was not compared.",
            why="Only pairs in the result can be drawn.",
            mend="Compare without control, or name the control in the pair.",
        )
    return compared.index(wanted)


def _density(draws: list[list[float]]) -> tuple[tuple[int, int, bool, int], ...]:
    """Count draws in small triangles; the corners are a (left), b (right) and the rope (top)."""
    counted: Counter[tuple[int, int, bool]] = Counter()
    for _, rope, b in draws:
        across, up = min(b * CELLS, CELLS - 1e-9), min(rope * CELLS, CELLS - 1e-9)
        i, j = int(across), int(up)
        if i + j >= CELLS:  # rounding put the draw beyond the edge between b and the rope
            i = CELLS - 1 - j
        counted[i, j, i + j == CELLS - 1 or (across - i) + (up - j) <= 1] += 1
    return tuple((*cell, count) for cell, count in sorted(counted.items()))


def _corner(i: float, j: float) -> Point:
    """Return the place of `i` steps towards b and `j` steps towards the rope."""
    return (i + j / 2) * SIDE / CELLS, -j * SIDE / CELLS * 0.866


def _triangle(figure: Posterior) -> list[Item]:
    """The shade grows with the root of the count: linear shading would show the peak alone."""
    most = max(count for *_, count in figure.density)
    items: list[Item] = [Area((_corner(0, 0), _corner(CELLS, 0), _corner(0, CELLS)), fill=PALE, opacity=0.3)]
    for i, j, up, count in figure.density:
        corners = ((i, j), (i + 1, j), (i, j + 1)) if up else ((i + 1, j + 1), (i + 1, j), (i, j + 1))
        points = tuple(_corner(*corner) for corner in corners)
        items.append(Area(points, fill=shade(0.12 + 0.88 * (count / most) ** 0.5)))
    middle, edges = _corner(CELLS / 3, CELLS / 3), ((CELLS / 2, 0), (CELLS / 2, CELLS / 2), (0, CELLS / 2))
    items += [Line((middle, _corner(*edge)), colour=MUTED, width=0.8, dash=(3, 2)) for edge in edges]
    outline = tuple(_corner(*corner) for corner in ((0, 0), (CELLS, 0), (0, CELLS), (0, 0), (CELLS, 0)))
    items.append(Line(outline, width=1.0))
    odds, (x, y) = figure.odds[0], _corner(0, CELLS)
    items.append(Text(x, y - 18, figure.alike(), anchor="middle"))
    items.append(Text(x, y - 7, f"{odds.equivalent:.3f}", size=TICK, anchor="middle", colour=MUTED))
    for x, name, share, anchor in ((-6.0, odds.a, odds.a_better, "end"), (SIDE + 6, odds.b, odds.b_better, "start")):
        items.append(named(x, 2, name, limit=LONGEST, anchor=anchor))
        items.append(Text(x, 13, f"{share:.3f}", size=TICK, anchor=anchor, colour=MUTED))
    return items


def _bars(figure: Posterior) -> list[Item]:
    """One axis for all pairs: the three shares of every bar sum to one."""
    scale = Scale(low=0.0, high=1.0, start=0.0, end=WIDTH)
    bottom = ROW * len(figure.odds) + 2
    items: list[Item] = bottom_axis(scale, bottom, "probability", count=5)
    for i, odds in enumerate(figure.odds):
        items += _bar(odds, ROW * i, scale)
    entries = [
        ([Area(rectangle(-5, -4, 10, 8), fill=colour)], words)
        for colour, words in ((LEFT, "left one better"), (MIDDLE, figure.alike()), (RIGHT, "right one better"))
    ]
    return items + legend_line(entries, 0, bottom + 42, WIDTH)


def _bar(odds: Odds, y: float, scale: Scale) -> list[Item]:
    """A share is written only where its bar has room, and one that would be a hairline is not drawn."""
    base = y + ROW / 2 + 0.35 * NAME
    left = f"{odds.label}: {odds.a}" if odds.label else odds.a
    items: list[Item] = [
        named(-8, base, left, limit=LONGEST, anchor="end"),
        named(WIDTH + 8, base, odds.b, limit=LONGEST),
    ]
    at = 0.0
    for share, fill in ((odds.a_better, LEFT), (odds.equivalent, MIDDLE), (odds.b_better, RIGHT)):
        wide = scale(share)
        if wide > 0.01:
            said = f"{share:.3f}"
            items.append(Area(rectangle(at, y + 2, wide, ROW - 4), fill=fill, title=said))
            if wide >= 28:
                items.append(Text(at + wide / 2, base - 0.5, said, size=7.5, anchor="middle", colour=text_on(fill)))
        at += wide
    return items
