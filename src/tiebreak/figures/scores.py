"""Score distributions: the scores of each algorithm over the data sets, as a box and as dots, with their middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.figures.drawing.axis import Scale, bottom_axis, off_mark, quantile, reach
from tiebreak.figures.drawing.ladder import GAP, divided
from tiebreak.figures.drawing.palette import BLUE, INK, ORANGE, PALE, SKY, Tint
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, bounds, diamond, rectangle
from tiebreak.figures.drawing.text import shown
from tiebreak.figures.figure import Figure, Rows
from tiebreak.figures.members import folded_words, kept_of
from tiebreak.wording import Brief, either, option

if TYPE_CHECKING:
    from tiebreak.comparison import Comparison
    from tiebreak.ordering import Ordering
    from tiebreak.results import Results

ROW, WIDTH, MOST_DOTS = 16.0, 340.0, 6000
"""More dots than these would hide the boxes and make the file slow to open."""
RUNS_OFF = 100.0
"""Positive scores of which the largest is so many times the median stand on a logarithmic scale."""
LIGHT_SKY = Tint(SKY, 0.45)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Spread(Brief):
    """The scores of one algorithm: quartiles, whiskers (the last values within 1.5 boxes), mean, and all of them.

    `median_low` and `median_high` are the ends of the 95% interval of the median; infinite below six data sets.
    """

    algorithm: str
    values: tuple[float, ...]
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    median_low: float = -math.inf
    median_high: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScoreDistributions(Figure):
    """Score distributions as data, one `Spread` per algorithm; `axis` is linear, log or cut.

    On a cut axis the few scores that lie far out of all others are arrows at its ends; `beyond` counts them.
    """

    KIND = "Scores per algorithm"
    spreads: tuple[Spread, ...]
    score_name: str
    axis: str = "linear"
    limits: tuple[float, float]
    beyond: int = 0

    def rows(self) -> Rows:
        """Return one row per algorithm."""
        keys = ("low", "first", "median", "third", "high", "mean", "median_low", "median_high")
        return [
            {"algorithm": spread.algorithm, "datasets": len(spread.values)}
            | {key: getattr(spread, key) for key in keys}
            for spread in self.spreads
        ]

    def foldable(self) -> int:
        """Return how many algorithms have a row."""
        return len(self.spreads)

    def reading(self) -> str:
        """Say what box and dots mean."""
        known = any(math.isfinite(spread.median_low) for spread in self.spreads)
        middle = "the median, the bar its 95% interval," if known else "the median,"
        out = f"{self.beyond} score{'s' if self.beyond > 1 else ''} farther out"
        scale = {"log": " The scale is logarithmic.", "cut": f" Arrows stand for {out}."}
        return (
            f"A dot is a data set (mean of its folds); the box holds the middle half, its line is {middle} the diamond"
            " the mean; whiskers end at the last value within 1.5 boxes. Scores of different data sets need not be"
            " comparable: the tests compare within data sets."
            f"{scale.get(self.axis, '')}{folded_words(len(self.spreads), self.kept)}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out boxes, dots and names."""
        names = [spread.algorithm for spread in self.spreads]
        ladder, width = divided(names, self.kept, room=room, row=ROW, usual=WIDTH, beside=6.0 * (room is not None))
        scale = Scale.around(self.limits, 0.03, 0.0, width, log=self.axis == "log")
        left, limit = -GAP - ladder.wide, None if room is None else width
        name = f"{shown(self.score_name)}{' (logarithmic scale)' if self.axis == 'log' else ''}"
        items = bottom_axis(scale, ladder.bottom + 2, name, top=-2, limit=limit, left=left)
        dots = sum(len(spread.values) for spread in self.spreads) <= MOST_DOTS
        half = min(4.5, 0.36 * min(rung.high for rung in ladder.rungs))
        for i, y in ladder.rows():
            items += _row(self.spreads[i], scale, y, half, dots=dots)
        return items + ladder.texts(-GAP) + ladder.key(left, bounds(items)[3] + 5, width - left)


@as_came_in
def score_distributions(
    result: Comparison | Ordering | Results,
    *,
    score: str | None = None,
    scores: str | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
) -> ScoreDistributions:
    """Make the figure of the scores of each algorithm over the data sets.

    The axis is logarithmic where all scores are positive and the largest is a hundred times the median or more. It ends
    before values that lie far out of all others (three times the length of the box of all scores beyond it), drawn as
    arrows, where that halves it at least.

    Parameters
    ----------
    result : Comparison, Ordering or Results
        A comparison is drawn best first, an ordering in its order; a table in its own order, best mean first where the
        direction is known.
    score : str, optional
        Which score of a table; a comparison has its own. `scores` is the same.
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, and fold the rest.

    Returns
    -------
    ScoreDistributions

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = score_distributions(tb.published.demsar2006(), score="auc")
    >>> figure.spreads[0].algorithm, round(figure.spreads[0].median, 4)
    ('C4.5+m+cf', 0.8865)
    """
    import numpy as np

    from tiebreak.results import Results
    from tiebreak.results.roles import one_name

    score = one_name(score, scores)
    better: bool | None = None
    if isinstance(result, Results):
        name = score if score is not None else result.only_score()
        table, names, better = result.means(name, partial=True), result.algorithms, result.metric(name).higher_is_better
        heading = f"{len(names)} algorithms on {len(result.datasets)} data sets by {name}"
    else:
        name, table, names, heading = result.score.name, result.scores, result.algorithms, result.title()
    spreads = [
        _spread(text, sorted(column[np.isfinite(column)].tolist())) for text, column in zip(names, table.T, strict=True)
    ]
    order = {entry: place for place, entry in enumerate(getattr(result, "order", ()))}
    if order:
        spreads.sort(key=lambda item: order[item.algorithm])
    if better is not None:
        spreads.sort(key=lambda element: (-element.mean if better else element.mean, element.algorithm))
    counts = kept_of([spread.algorithm for spread in spreads], top, show)
    return ScoreDistributions(
        spreads=tuple(spreads),
        score_name=name,
        heading=heading,
        caveats=result.caveats,
        kept=counts,
        **_limits(spreads),
    )


def _limits(spreads: Sequence[Spread]) -> dict[str, Any]:
    """Choose the axis, and the least and largest score on it."""
    values = sorted(value for spread in spreads for value in spread.values)
    if values[0] > 0 and values[-1] >= RUNS_OFF * quantile(values, 0.5):
        return {"axis": "log", "limits": (values[0], values[-1])}
    low, high = reach(values)
    beyond = sum(not low <= value <= high for value in values)
    return {"axis": "cut" if beyond else "linear", "limits": (low, high), "beyond": beyond}


def _spread(name: str, values: list[float]) -> Spread:
    """Tukey's box plot: whiskers end at the last value within 1.5 box lengths, not at the limit itself."""
    if not values:
        raise InputError(
            f"{name!r} has no score.",
            mend="Leave it out"
            + either(f" with `results.without(algorithms=[{name!r}])`.", f": {option(missing='drop-algorithms')}."),
        )
    first, median, third = (quantile(values, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (third - first)
    return Spread(
        algorithm=name,
        values=tuple(values),
        low=min(value for value in values if value >= first - reach),
        first=first,
        median=median,
        third=third,
        high=max(value for value in values if value <= third + reach),
        mean=sum(values) / len(values),
        median_low=_median_interval(values)[0],
        median_high=_median_interval(values)[1],
    )


def _median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the order statistics between which the median lies with a confidence of 95%, as in `sign` intervals."""
    count, below, depth = len(values), 0.0, 0
    while depth < count // 2 and below + math.comb(count, depth) / 2.0**count <= 0.025:
        below += math.comb(count, depth) / 2.0**count
        depth += 1
    return (values[depth - 1], values[count - depth]) if depth else (-math.inf, math.inf)


def _row(spread: Spread, scale: Scale, y: float, half: float, *, dots: bool) -> list[Item]:
    """The dots go between box and median line: they must not hide the median."""
    text = shown(f"{spread.algorithm}: median {spread.median:.4g}, mean {spread.mean:.4g}")

    def at(value: float) -> float:
        return scale(min(max(value, scale.low), scale.high))

    x, left, right = at(spread.median), at(spread.first), at(spread.third)
    items: list[Item] = [
        Line(((0, y), (scale.end, y)), colour=PALE, width=0.5),
        Line(((at(spread.low), y), (at(spread.high), y)), colour=BLUE, width=1.0),
        Area(rectangle(left, y - half, right - left, 2 * half), fill=LIGHT_SKY, colour=BLUE, edge=0.9, title=text),
    ]
    inside = [value for value in spread.values if scale.low <= value <= scale.high]
    if dots:
        items += [Circle(scale(value), y, 1.3, fill=INK, opacity=0.35) for value in inside]
    if spread.values[0] < scale.low:
        items.append(off_mark(scale.start, y, False, title=text))
    if spread.values[-1] > scale.high:
        items.append(off_mark(scale.end, y, True, title=text))
    if math.isfinite(spread.median_low):
        items.append(Line(((at(spread.median_low), y), (at(spread.median_high), y)), colour=INK, width=2.2))
    items.append(Line(((x, y - half), (x, y + half)), colour=INK, width=1.8))
    if not scale.low <= spread.mean <= scale.high:
        return items
    return [*items, Area(diamond(scale(spread.mean), y, min(3.2, 0.9 * half)), fill=ORANGE, colour=INK, edge=0.5)]
