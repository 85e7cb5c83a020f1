"""The posterior of Bayesian comparisons: three probabilities per pair as bars, or one pair's draws in a triangle."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.errors import OptionError, unknown_name
from tiebreak.figures._axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import fitted, shown
from tiebreak.figures._palette import BLUE, MUTED, ORANGE, PALE, shade, text_on
from tiebreak.figures._scene import Area, Item, Line, Point, Text, rectangle

if TYPE_CHECKING:
    from tiebreak.stats import BayesianResult, BayesianTResult, HierarchicalResult

ROW, WIDTH, NAME, LONGEST, MOST_PAIRS = 16.0, 300.0, 9.0, 220.0, 60
SIDE, CELLS = 260.0, 30
GREY = "#c3c8ce"


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The three probabilities of a pair; `label` names the data set where there are several."""

    a: str
    b: str
    label: str
    a_better: float
    equivalent: float
    b_better: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Posterior(Figure):
    """Posterior probabilities as data.

    `density` counts the draws of the one pair in small triangles, each given by the numbers of its lower left corner
    and whether it points up; it is empty where no draws were kept or several pairs are shown.
    """

    odds: tuple[Odds, ...]
    density: tuple[tuple[int, int, bool, int], ...]
    rope: float
    left_out: int
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Posterior: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per bar."""
        return [
            {"label": o.label, "a": o.a, "b": o.b, "a_better": o.a_better, "equivalent": o.equivalent}
            | {"b_better": o.b_better}
            for o in self.odds
        ]

    def notes(self) -> list[str]:
        """Say what the three probabilities are."""
        rope = f"differ by at most the rope ({self.rope:g})" if self.rope else "tie (the rope is 0)"
        left = f" {self.left_out} pairs are not drawn." if self.left_out else ""
        dots = " Shades: draws from the posterior of the shares of the three outcomes." if self.density else ""
        return [
            f"{shown(self.heading)}. Probabilities that the left algorithm is better, that the two {rope}, and that the"
            f" right one is better.{dots}{left}"
        ]

    def items(self) -> list[Item]:
        """Lay out the triangle or the bars."""
        return _triangle(self) if self.density else _bars(self)


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
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). JMLR 18(77).
    https://jmlr.org/papers/v18/16-305.html (no DOI)

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.compare(tb.published.demsar2006(), score="auc")
    >>> len(posterior(found.bayes(rope=0.01)).odds)
    6
    """
    kept = range(len(found.a)) if pair is None else [_find(found, pair)]
    names = found.algorithms
    odds = []
    tables = [table.reshape(-1, len(found.a)) for table in (found.a_better, found.equivalent, found.b_better)]
    labels = getattr(found, "datasets", ()) if found.a_better.ndim == 2 else ("",)
    for k in kept:
        for row, label in enumerate(labels):
            left, middle, right = (float(table[row, k]) for table in tables)
            a, b = names[int(found.a[k])], names[int(found.b[k])]
            odds.append(Odds(a=a, b=b, label=label, a_better=left, equivalent=middle, b_better=right))
    samples = getattr(found, "samples", None)
    density = _density(samples[kept[0]].tolist()) if len(kept) == 1 and samples is not None else ()
    return Posterior(
        odds=tuple(odds[:MOST_PAIRS]),
        density=density,
        rope=found.rope,
        left_out=max(0, len(odds) - MOST_PAIRS),
        heading=found.title(),
        caveats=found.caveats,
    )


def _find(found: BayesianResult | BayesianTResult | HierarchicalResult, pair: tuple[str, str]) -> int:
    for name in pair:
        if name not in found.algorithms:
            raise unknown_name("algorithm", name, found.algorithms)
    wanted = {found.algorithms.index(name) for name in pair}
    for k, both in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True)):
        if set(both) == wanted:
            return k
    raise OptionError(
        f"The pair {pair!r} was not compared.",
        why="Only pairs in the result can be drawn.",
        mend="Compare without control, or name the control in the pair.",
    )


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
    odds = figure.odds[0]
    top, said = _corner(0, CELLS), "equivalent" if figure.rope else "tie"
    items.append(Text(top[0], top[1] - 18, said, anchor="middle"))
    items.append(Text(top[0], top[1] - 7, f"{odds.equivalent:.3f}", size=TICK, anchor="middle", colour=MUTED))
    for x, name, share, anchor in ((0.0, odds.a, odds.a_better, "end"), (SIDE, odds.b, odds.b_better, "start")):
        out = x - 6 if anchor == "end" else x + 6
        items.append(Text(out, 2, fitted(name, NAME, LONGEST), anchor=anchor, title=shown(name)))
        items.append(Text(out, 13, f"{share:.3f}", size=TICK, anchor=anchor, colour=MUTED))
    return items


def _bars(figure: Posterior) -> list[Item]:
    scale = Scale(low=0.0, high=1.0, start=0.0, end=WIDTH)
    bottom = ROW * len(figure.odds) + 2
    items: list[Item] = bottom_axis(scale, bottom, "probability", count=5)
    for i, odds in enumerate(figure.odds):
        items += _bar(odds, ROW * i, scale)
    said = "equivalent" if figure.rope else "tie"
    entries: list[tuple[list[Item], str]] = [
        ([Area(rectangle(-5, -4, 10, 8), fill=colour)], words)
        for colour, words in ((BLUE, "left one better"), (GREY, said), (ORANGE, "right one better"))
    ]
    return items + legend_line(entries, 0, bottom + 42, WIDTH)


def _bar(odds: Odds, y: float, scale: Scale) -> list[Item]:
    base = y + ROW / 2 + 0.35 * NAME
    left = f"{odds.label}: {odds.a}" if odds.label else odds.a
    items: list[Item] = [
        Text(-8, base, fitted(left, NAME, LONGEST), anchor="end", title=shown(left)),
        Text(WIDTH + 8, base, fitted(odds.b, NAME, LONGEST), title=shown(odds.b)),
    ]
    at = 0.0
    for share, fill in ((odds.a_better, BLUE), (odds.equivalent, GREY), (odds.b_better, ORANGE)):
        wide = scale(share)
        if wide > 0.01:
            said = f"{share:.3f}"
            items.append(Area(rectangle(at, y + 2, wide, ROW - 4), fill=fill, title=said))
            if wide >= 28:
                ink = text_on(fill)
                items.append(Text(at + wide / 2, base - 0.5, said, size=7.5, anchor="middle", colour=ink))
        at += wide
    return items
